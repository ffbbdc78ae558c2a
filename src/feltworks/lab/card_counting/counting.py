"""Whether a bonus wager can be counted: what it is worth as a shoe is dealt, and what somebody wins who knows that.

The expectation with the full shoe, the effect of removing each card and the counts that follow from them are exact.
What counters win is sampled over shoes, each round of which is valued exactly.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite, lcm
from typing import Any

import numpy as np

from feltworks.kit.definition import Wager
from feltworks.kit.errors import BadValue, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.html_table import lines, percent, table
from feltworks.kit.paytable import PayTable
from feltworks.kit.standing import about
from feltworks.kit.workers import processors
from feltworks.lab.analysis import analyze, options_json
from feltworks.lab.card_counting.compositions import ZERO, Hands, Numbers, hands_of
from feltworks.lab.card_counting.group_estimate import (
    GROUPS,
    GroupEstimate,
    Grouping,
    GroupRule,
    best_groupings,
    group_rule,
)
from feltworks.lab.card_counting.joint_play import SHOWN, Together
from feltworks.lab.card_counting.linear_count import INDEXED, LINEAR, WHOLE, LinearCount, linear_count
from feltworks.lab.card_counting.points_rule import POINTS, PointsRule, points_rule
from feltworks.lab.card_counting.required_play import RequiredPlay, required_play
from feltworks.lab.card_counting.winnings import (
    PERFECT,
    PLAYING,
    RATIOS,
    Depth,
    Sample,
    Tally,
    Valued,
    Won,
    cards_gone,
    strongest,
)
from feltworks.lab.stakes import checked_stakes, company
from feltworks.lab.wager_analysis import percent_json

CARDS = 6
"""Cards that a round takes unless told: a seat and the dealer take about 5.5 at blackjack and 3.5 at One For The Money.
What is won in a hundred hands is a mean over the depths of the shoe, so that it does not depend on this much."""
SHOES, MOST_SHOES = 1_000, 1_000_000
"""Shoes that are sampled unless told, and at most."""
CHUNK = 100
"""How many shoes one generator shuffles."""
DEEP = Fraction(9, 10)
"""The penetration unless told, where the game's document recommends none."""
CUTS = tuple(Fraction(n, 100) for n in (50, 60, 70, 75, 80, 85, 90, 95))
"""Where else the cut card might lie."""
WORTH_WHILE = 1
"""So many units in a hundred hands make counting worth while: at 60 hands an hour and 25 a wager that is 15 an
hour, a modest wage, with a deviation many times as large."""
HANDS_AN_HOUR, LARGE_WAGER = 60, 25

SEARCH_SHOES, SEARCH_ROUNDS = 500, 4
"""In how many shoes and how many rounds of each, up to the cut card, groupings are compared."""
POINTS_SHOES, POINTS_ROUNDS = 500, 13
"""In how many shoes and how many rounds of each rules in points are fitted."""
POINTS_FROM, POINTS_TO = Fraction(1, 4), CUTS[-1]
"""How deep these are."""
MOST_GROUPS = 4
"""So many groups a person can count: they are three numbers beside the cards that are gone."""
PERSONAL = {LINEAR, INDEXED, WHOLE, *(name for name, number in GROUPS.items() if number <= MOST_GROUPS)}
"""What a person can keep: one count, or a few groups."""
COUNTS = {
    LINEAR: "a linear count",
    INDEXED: "a linear count with an index for the depth",
    WHOLE: "a count in whole numbers",
}

WORTH, COMPUTER_ONLY, NOT_WORTH, OPEN = (
    "worth counting",
    "worth counting with a computer only",
    "not worth counting",
    "open",
)
SHUFFLER = (
    "With a continuous shuffler every round begins with the full shoe: the expectation is always the same, and there "
    "is nothing to count."
)
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class TableCounting:
    """A bonus wager with one pay table, from a shoe."""

    wager: Wager
    pay: PayTable
    definition: str
    """The fingerprint of the game's definition with this pay table."""
    count: LinearCount
    uncounted: Fraction | None
    """What it is worth with the full shoe to who discards cards for its sake without any count, if one may."""
    groups: Mapping[str, GroupRule]
    """What is counted by who counts groups, and what follows."""
    points: Mapping[str, PointsRule]
    """The same in points, nearly."""
    betting_correlation: Mapping[str, float | None]
    """Of each linear estimate with the exact expectation, over all rounds up to the cut card."""
    at: Depth
    """With the cut card where it was asked for."""
    depths: tuple[Depth, ...]
    """With the cut card elsewhere."""
    first_favourable: Fraction | None
    """How much of the shoe was dealt before the earliest round in any shoe that favoured the strongest counter."""
    worth_while_from: Fraction | None
    """The penetration at which that counter wins what is worth while."""
    person_worth_while_from: Fraction | None
    """The same for the best counter that a person can be."""
    required: str
    """The title of the wager that the bonus requires."""
    ratio: Fraction
    """How many times that wager the bonus is by the stakes; nothing if it has no stake."""
    together: Mapping[str, Together]
    """By counter: what the bonus and the required wager win together."""
    verdict: str
    note: str

    def to_json(self) -> dict[str, Any]:
        first, deep, person = self.first_favourable, self.worth_while_from, self.person_worth_while_from
        return {
            "definition": self.definition,
            "expectation": percent_json(self.count.expectation),
            "effects": {card: percent_json(effect) for card, effect in self.count.effects.items()},
            "trade_without_a_count": None if self.uncounted is None else percent_json(self.uncounted),
            "whole_numbers": None if self.count.tags is None else self.count.tags.to_json(),
            "indices": [
                {"penetration": float(depth.penetration), "cards_gone": depth.gone, **self._index_json(depth.gone)}
                for depth in self.depths
            ],
            "groups": {
                name: {**rule.to_json(), "in_points": self._points_json(name)} for name, rule in self.groups.items()
            },
            "betting_correlation": dict(self.betting_correlation),
            **self.at.to_json(),
            "penetrations": [depth.to_json() for depth in self.depths],
            "first_favourable": None if first is None else float(first),
            "worth_while_from": None if deep is None else float(deep),
            "worth_while_for_a_person_from": None if person is None else float(person),
            "with_the_required_wager": {
                "ratio": float(self.ratio) or None,
                "counters": {name: both.to_json() for name, both in self.together.items()},
            },
            "verdict": self.verdict,
            "note": self.note,
        }

    def _points_json(self, name: str) -> dict[str, Any]:
        rule, shoe = self.points[name], self.count.shoe
        needed = [{"cards_gone": depth.gone, "wagers_above": rule.needed(shoe - depth.gone)} for depth in self.depths]
        return {"counter": POINTS[name], **rule.to_json(), "at_each_cut_card": needed}

    def _index_json(self, gone: int) -> dict[str, float | None]:
        index, per_deck = self.count.index(gone), self.count.index_per_deck(gone)
        return {"estimate": index if isfinite(index) else None, "count_per_deck": per_deck}

    def _repr_html_(self) -> str:
        title = f"{self.wager.title}, table {self.pay.name}: expectation {percent(self.count.expectation)}. {self.note}"
        rows = [
            [
                _percent(depth.penetration),
                f"{100 * depth.won[PERFECT].last.value:.2f} %",
                *(f"{won.per_100.value:.4f}" for won in depth.won.values()),
            ]
            for depth in self.depths
        ]
        return table(title, ("cut card at", "favourable at the last round", *self.at.won), rows)


@dataclass(frozen=True)
class Counting:
    """A game as it was configured, dealt from a shoe, and how far its bonus wagers can be counted."""

    game: Game
    stakes: Mapping[str, Fraction]
    penetration: Fraction
    cards: int
    shoes: int
    seed: int
    wagers: Mapping[str, Mapping[str, TableCounting]]
    """By wager and pay table."""

    def __getitem__(self, wager: str) -> Mapping[str, TableCounting]:
        return self.wagers[wager]

    @property
    def recommended(self) -> str:
        """What the game's document says of the penetration, in words."""
        deepest, approval = _deepest(self.game), self.game.definition.approval
        if deepest is None or approval is None:
            return ""
        deeper = ", and this is deeper" if self.penetration > deepest else ""
        return f"Document {approval.document} recommends to deal no more than {_percent(deepest)} of a shoe{deeper}."

    def _repr_html_(self) -> str:
        every = (table for tables in self.wagers.values() for table in tables.values())
        return lines(about(self.game)) + "".join(table._repr_html_() for table in every)

    def to_json(self) -> dict[str, Any]:
        options = options_json(self.game)
        options["pay"] = {name: list(tables) for name, tables in self.wagers.items()}
        deepest = _deepest(self.game)
        return {
            "game": self.game.name,
            "fingerprint": self.game.fingerprint,
            "options": {**options, "stakes": {w: str(s) for w, s in self.stakes.items()}},
            "penetration": float(self.penetration),
            "recommended_penetration": None if deepest is None else float(deepest),
            "cards_per_round": self.cards,
            "shoes": self.shoes,
            "seed": self.seed,
            "continuous_shuffler": SHUFFLER,
            "wagers": {
                name: {"pay": {pay: table.to_json() for pay, table in tables.items()}}
                for name, tables in self.wagers.items()
            },
        }


def counting(
    game: Game,
    *,
    wager: str | None = None,
    pay: Mapping[str, str] | None = None,
    stakes: Mapping[str, Fraction] | None = None,
    penetration: Fraction | None = None,
    cards: int = CARDS,
    shoes: int = SHOES,
    seed: int = 0,
    progress: Progress | None = None,
) -> Counting:
    """How far the bonus wagers of a game, or one, can be counted from a shoe: with every listed pay table, or with the
    one that `pay` names.

    A round begins every so many `cards`, as long as less than the penetration is dealt. Whoever counts plays the base
    game by the strategy that is best for the stakes with the full shoe, whatever the count, and wagers by it alone.
    """
    names = _counted(game, wager)
    game, stakes = game.configured(pay=pay), checked_stakes(game, stakes)
    penetration = penetration if penetration is not None else _deepest(game) or DEEP
    if not 0 < penetration <= 1:
        raise BadValue(
            "A penetration is the share of the shoe that is dealt, above 0 and at most 1, such as 0.75; "
            f"{float(penetration):g} is not."
        )
    if not 2 <= shoes <= MOST_SHOES:
        raise BadValue(f"{shoes:,} shoes cannot be sampled; choose 2 to {MOST_SHOES:,}.")
    wagers = {}
    for name in names:
        tables, by_table = _tables(game, name, pay or {}), dict[str, TableCounting]()
        # Where the wager is staked, the strategy depends on what it pays.
        for some in [[each] for each in tables] if name in stakes else [tables]:
            own = _with(game, name, some[0])
            hands = hands_of(own, name, stakes)
            run = _CountingRun(own, name, hands, some, _checked_shoe(game, hands, cards, penetration), penetration)
            run.prepare(stakes)
            run.deal(shoes, seed, progress)
            by_table |= {each.name: run.table_counting(number) for number, each in enumerate(some)}
        wagers[name] = by_table
    return Counting(game, stakes, penetration, cards, shoes, seed, wagers)


def _counted(game: Game, wager: str | None) -> list[str]:
    """The wagers that are asked for, if they can be counted."""
    pack = game.definition.pack
    if pack is None:
        what = "a wheel, and a wheel has" if game.wheels else "dice, and dice have"
        raise BadValue(f"{game.title} is played with {what} no memory: there is nothing to count.")
    if pack.fresh_each_round:
        raise BadValue(f"{game.title} is dealt from a freshly shuffled pack in every round: there is nothing to count.")
    bonuses = [name for name in game.wagers if name in game.bonuses]
    if not bonuses:
        raise BadValue(
            f"{game.title} has no bonus wager, and only those are counted: wagers of BONUSES, beside one that a seat"
            " makes in every round."
        )
    if wager is None:
        return bonuses
    if game.wager(wager).name not in bonuses:
        raise BadValue(
            f"{game.wager(wager).title} is played with decisions, which a counter would change with the count; only "
            f"bonus wagers are counted: {', '.join(bonuses)}."
        )
    return [wager]


def _tables(game: Game, name: str, pay: Mapping[str, str]) -> list[PayTable]:
    """All listed pay tables of a wager, unless one was chosen or made up."""
    listed, own = list(game.definition.tables(name).values()), game.pay.get(name, PayTable("", ()))
    return [own] if name in pay or own not in listed else listed


def _with(game: Game, name: str, pay: PayTable) -> Game:
    return replace(game, pay={**game.pay, name: pay}) if pay.lines else game


@dataclass(frozen=True)
class _Shoe:
    """A shoe that is dealt as far as whole rounds of so many cards go."""

    total: int
    cards: int

    @property
    def starts(self) -> range:
        """How many cards are gone at the start of each round."""
        return range(0, self.total - self.cards + 1, self.cards)

    @property
    def deepest(self) -> Fraction:
        """The deepest cut card before which no round begins that lacks cards."""
        return Fraction(self.starts[-1] + self.cards, self.total)

    def rounds(self, cut: Fraction) -> int:
        """How many rounds begin before the cut card."""
        return sum(start < cut * self.total for start in self.starts)


def _checked_shoe(game: Game, hands: Hands, cards: int, penetration: Fraction) -> _Shoe:
    total = int(hands.fresh.sum())
    if not hands.dealt <= cards <= total:
        raise BadValue(
            f"A round of {game.title} takes {hands.dealt} cards or more, and the shoe has {total}; not {cards}."
        )
    shoe = _Shoe(total, cards)
    if penetration > shoe.deepest:
        raise BadValue(
            f"A penetration of {float(penetration):g} leaves too few of {total} cards for a last round of {cards}; "
            f"choose at most {int(1000 * shoe.deepest) / 1000:g}."
        )
    return shoe


class _CountingRun:
    """One wager with its pay tables, and the shoes that are dealt for it."""

    def __init__(self, game: Game, name: str, hands: Hands, tables: Sequence[PayTable], shoe: _Shoe, cut: Fraction):
        self.game, self.wager, self.hands, self.tables, self.shoe = game, game.wager(name), hands, tables, shoe
        self.cut, self.rounds = cut, shoe.rounds(cut)
        self.counts = [linear_count(hands, pay, game.decks or 1) for pay in tables]

    def prepare(self, stakes: Mapping[str, Fraction]) -> None:
        """Find what is counted by groups, and what the required wager costs."""
        self.required = None if self.hands.traded is None else _required_play(self.game)
        if self.required is None:
            self.edge = required_edge(self.game, stakes)
        else:
            self.edge = self.required.edge(self.hands.cards, self.hands.trades)
        self.ratio = stakes.get(self.wager.name, ZERO) / sum(stakes[name] for name in _required(self.game))
        self.ratios = sorted({ZERO, *RATIOS, *SHOWN, self.ratio})
        book = None if self.required is None else self.required.hands_by_the_book(self.hands.cards)
        left, fitted = self._searched(), self._fitted()
        deck = int(self.hands.fresh.sum()) // (self.game.decks or 1)
        self.groupings, valued = list[dict[str, Grouping]](), list[Valued]()
        for pay, count in zip(self.tables, self.counts, strict=True):
            nets = self.hands.nets(pay)
            won = self.hands.sums([float(net) for net in nets])
            best = best_groupings(self.hands, won, count.effects, left)
            sums = (won,) if book is None else (won, book)
            counters = {
                name: GroupEstimate(best[number], self.hands.cards, self.hands.fresh, *sums)
                for name, number in GROUPS.items()
            }
            points = {name: points_rule(best[number], counters[name], fitted, deck) for name, number in GROUPS.items()}
            index = np.array([count.index(start) for start in self.shoe.starts])
            indices = {} if count.tags is None else {INDEXED: (LINEAR, index)}
            self.groupings.append({name: best[number] for name, number in GROUPS.items()})
            valued.append(Valued(nets, float(count.expectation), count.weights, indices, counters, points))
        ratios = [float(ratio) for ratio in self.ratios]
        self.sample = Sample(self.hands, valued, self.shoe.starts, self.required, ratios, self.rounds)

    def _searched(self) -> Numbers:
        """What is left of each card in the last rounds of some shoes, in which groupings are compared."""
        last = np.linspace(self.rounds * 2 // 3, self.rounds - 1, SEARCH_ROUNDS).astype(int)
        starts = [0, *(self.shoe.starts[place] for place in np.unique(last))]
        gone = cards_gone(self.hands.fresh, starts, SEARCH_SHOES, "groups")[:, 1:]
        return (self.hands.fresh[:, None, None] - gone).astype(np.float64)

    def _fitted(self) -> Numbers:
        """What is left of each card in shoes of all depths, for which rules in points are fitted; wherever the cut card
        lies they are the same."""
        first, last = (self.shoe.rounds(cut) - 1 for cut in (POINTS_FROM, POINTS_TO))
        starts = [0, *(self.shoe.starts[p] for p in np.unique(np.linspace(first, last, POINTS_ROUNDS).astype(int)))]
        gone = cards_gone(self.hands.fresh, starts, POINTS_SHOES, "points")[:, 1:]
        return (self.hands.fresh[:, None, None] - gone).reshape(len(gone), -1).astype(np.float64)

    def deal(self, shoes: int, seed: int, progress: Progress | None) -> None:
        """What the shoes come to is added in their order, so that it does not depend on how many threads there are."""
        numbers = [min(CHUNK, shoes - done) for done in range(0, shoes, CHUNK)]
        keys = [f"{seed}/{number}" for number in range(len(numbers))]
        pool, done = ThreadPoolExecutor(processors()), 0
        try:
            for some, tallies in zip(numbers, pool.map(self.sample.deal, numbers, keys), strict=True):
                self.sample.add(tallies)
                done += some
                if progress is not None:
                    progress(done, shoes)
        finally:
            pool.shutdown(cancel_futures=True)

    def table_counting(self, number: int) -> TableCounting:
        pay, count, tally, shoe = self.tables[number], self.counts[number], self.sample.tallies[number], self.shoe

        def at(cut: Fraction) -> Depth:
            return tally.at(cut, rounds := shoe.rounds(cut), shoe.starts[rounds - 1])

        def worth_while(name: str) -> Fraction | None:
            enough = np.flatnonzero(tally.per_100(name) >= WORTH_WHILE)
            return Fraction(shoe.starts[enough[0]] + 1, shoe.total) if len(enough) else None

        here, first = at(self.cut), tally.first_favourable
        depths = tuple(at(cut) for cut in sorted({*CUTS, self.cut}) if cut <= shoe.deepest)
        gone = [depth.gone for depth in depths]
        groups = {
            name: group_rule(grouping, self.sample.valued[number].groups[name], gone)
            for name, grouping in self.groupings[number].items()
        }
        table = TableCounting(
            wager=self.wager,
            pay=pay,
            definition=_with(self.game, self.wager.name, pay).fingerprint["definition"],
            count=count,
            uncounted=self._uncounted(pay),
            groups=groups,
            points=self.sample.valued[number].points,
            betting_correlation={name: tally.correlation(name, here.hands) for name in count.weights},
            at=here,
            depths=depths,
            first_favourable=None if first is None else Fraction(shoe.starts[first], shoe.total),
            worth_while_from=worth_while(strongest(here.won)),
            person_worth_while_from=worth_while(best_person(here.won)),
            required=" and ".join(self.game.wager(name).title for name in _required(self.game)),
            ratio=self.ratio,
            together=self._together(here, tally),
            verdict=verdict(here.won),
            note="",
        )
        return replace(table, note=note(table))

    def _uncounted(self, pay: PayTable) -> Fraction | None:
        """With the full shoe, if each first card is kept or discarded as is best for the wager."""
        nets = self.hands.nets(pay)
        scale = lcm(*(net.denominator for net in nets))
        worth = self.hands.results(self.hands.fresh[:, None], np.array([[float(net * scale) for net in nets]]))
        if worth.by_best is None:
            return None
        return Fraction(int(worth.by_best.won.item()), int(worth.every.item()) * scale)

    def _together(self, here: Depth, tally: Tally) -> dict[str, Together]:
        """By counter: who discards for the bonus's sake decides for both wagers; the others play by the book."""
        together = {}
        for name, won in here.won.items():
            if name in tally.joint:
                together[name] = Together.by_ratio(self.ratios, tally.together(name))
            elif self.edge is not None and (
                self.hands.traded is None or name not in {PLAYING, *GROUPS, *POINTS.values()}
            ):
                together[name] = Together.beside(self.ratios, self.edge, won.per_100)
        return together


def _required(game: Game) -> list[str]:
    """With which a seat comes into every round, also who only waits there to count."""
    return list(company(game))


def _required_play(game: Game) -> RequiredPlay | None:
    try:
        return required_play(game)
    except TooLarge:  # what the discard costs is then not known
        return None


def required_edge(game: Game, stakes: Mapping[str, Fraction]) -> Fraction | None:
    """What the required wager costs for each of its units with the full shoe, played by the best strategy for the
    stakes. Who plays the same strategy all through a shoe pays it in the mean of every hand."""
    try:
        edges = [analyze(game, wager=name, stakes=stakes)[name].edge for name in _required(game)]
    except TooLarge:
        return None
    return edges[0] if len(edges) == 1 else None


# The verdict.


def best_person(won: Mapping[str, Won]) -> str:
    """Of the counts that a person can keep the one that wins most."""
    return max((name for name in won if name in PERSONAL), key=lambda name: won[name].per_100.value)


def verdict(won: Mapping[str, Won]) -> str:
    """By what the strongest counter wins in a hundred hands, and what a person can win."""
    best, person = won[strongest(won)].per_100, won[best_person(won)].per_100
    if best.high < WORTH_WHILE:
        return NOT_WORTH
    if person.low >= WORTH_WHILE:
        return WORTH
    if best.low >= WORTH_WHILE > person.high:
        return COMPUTER_ONLY
    return OPEN


def note(table: TableCounting) -> str:
    """The verdict in words, by what a person can do."""
    won, person, strong = table.at.won, best_person(table.at.won), strongest(table.at.won)

    def units(name: str) -> str:
        per_100 = won[name].per_100
        return f"{per_100.value:.3f} units ({per_100.low:.3f} to {per_100.high:.3f})"

    def hour(name: str) -> str:
        return f"{won[name].per_100.value / 100 * HANDS_AN_HOUR * LARGE_WAGER:.2f}"

    count = COUNTS[person] if person in COUNTS else f"a count of {GROUPS[person]} groups"
    if person in GROUPS:
        count += f" ({table.groups[person].grouping.text})"
    perfect = "that knows every card left" + (" and trades cards for this wager's sake" if strong == PLAYING else "")
    sentences = [
        f"{table.verdict.capitalize()}: in 100 hands with the cut card at {_percent(table.at.penetration)} the best "
        f"count found for a person, {count}, wins {units(person)}, and a computer {perfect} wins {units(strong)}; "
        f"{WORTH_WHILE} unit or more is worth while.",
        f"At {HANDS_AN_HOUR} hands an hour and {LARGE_WAGER} a wager that is {hour(person)} and {hour(strong)} an "
        f"hour, before what the {table.required} wager of every hand costs.",
    ]
    if strong in table.together and person in table.together:
        sentences.append(
            f"With that included a bonus breaks even that is so many times the {table.required} wager: "
            f"{table.together[person].words} for the person, {table.together[strong].words} for the computer; a "
            "player who sits out a hand pays nothing for it."
        )
    if table.first_favourable is not None:
        sentences.append(
            "The earliest round in any shoe that favoured the computer began with "
            f"{_percent(table.first_favourable)} dealt."
        )
    if table.worth_while_from is None:
        sentences.append("No cut card that leaves a last round its cards makes it worth while.")
    else:
        deep = table.person_worth_while_from
        person_too = "no cut card makes it so for the person" if deep is None else f"for the person at {_percent(deep)}"
        sentences.append(
            f"It is worth while for the computer with the cut card at {_percent(table.worth_while_from)} or deeper, "
            f"{person_too}."
        )
    return " ".join(sentences)


def _deepest(game: Game) -> Fraction | None:
    pack = game.definition.pack
    return None if pack is None or pack.deepest_penetration is None else Fraction(str(pack.deepest_penetration))


def _percent(share: Fraction) -> str:
    return f"{round(float(100 * share), 1):g} %"
