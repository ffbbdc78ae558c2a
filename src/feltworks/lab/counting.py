"""Whether a bonus wager can be counted: what it is worth as a shoe is dealt, and what somebody wins who knows that.

The expectation with the full shoe, the effect of removing each card and the count that follows from them are exact.
What counters win is sampled over shoes, each round of which is valued exactly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from feltworks.kit.definition import Wager
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.kit.paytable import PayTable
from feltworks.lab.analysis import checked_stakes, options_json
from feltworks.lab.compositions import Hands, hands_of
from feltworks.lab.linear_count import LINEAR, LinearCount, linear_count
from feltworks.lab.measure import percent_json
from feltworks.lab.notebook import percent, table
from feltworks.lab.shoes import PERFECT, PLAYING, Depth, Sample, Valued, strongest

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
"""Units in a hundred hands from which on counting is worth while: at 60 hands an hour and 25 a wager that is 15 an
hour, a modest wage, with a deviation many times as large."""
HANDS_AN_HOUR, LARGE_WAGER = 60, 25

WORTH, PERFECT_ONLY, NOT_WORTH, OPEN = "worth counting", "perfect count only", "not worth counting", "open"
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
    betting_correlation: Mapping[str, float | None]
    """Of each linear estimate with the exact expectation, over all rounds up to the cut card."""
    at: Depth
    """With the cut card where it was asked for."""
    depths: tuple[Depth, ...]
    """With the cut card elsewhere."""
    first_favourable: Fraction | None
    """How much of the shoe was dealt before the earliest round in any shoe that favoured the strongest counter."""
    worth_while_from: Fraction | None
    """The penetration from which on that counter wins what is worth while."""
    verdict: str
    note: str

    def to_json(self) -> dict[str, Any]:
        first, deep = self.first_favourable, self.worth_while_from
        return {
            "definition": self.definition,
            "expectation": percent_json(self.count.expectation),
            "effects": {card: percent_json(effect) for card, effect in self.count.effects.items()},
            "whole_numbers": None if self.count.tags is None else self.count.tags.to_json(),
            "betting_correlation": dict(self.betting_correlation),
            **self.at.to_json(),
            "penetrations": [depth.to_json() for depth in self.depths],
            "first_favourable": None if first is None else float(first),
            "worth_while_from": None if deep is None else float(deep),
            "verdict": self.verdict,
            "note": self.note,
        }

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
        return "".join(found._repr_html_() for tables in self.wagers.values() for found in tables.values())

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
                name: {"pay": {pay: found.to_json() for pay, found in tables.items()}}
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
    found = {}
    for name in names:
        tables, told = _tables(game, name, pay or {}), dict[str, TableCounting]()
        # Where the wager is staked, the strategy depends on what it pays.
        for some in [[each] for each in tables] if name in stakes else [tables]:
            hands = hands_of(_with(game, name, some[0]), name, stakes)
            desk = _Desk(game, name, hands, some, _checked_shoe(game, hands, cards, penetration))
            desk.deal(shoes, seed, progress)
            told |= {each.name: desk.told(number, penetration) for number, each in enumerate(some)}
        found[name] = told
    return Counting(game, stakes, penetration, cards, shoes, seed, found)


def _counted(game: Game, wager: str | None) -> list[str]:
    """The wagers that are asked for, if they can be counted."""
    pack = game.definition.pack
    if pack is None:
        raise BadValue(f"{game.title} is played with dice, and dice have no memory: there is nothing to count.")
    if pack.fresh_each_round:
        raise BadValue(f"{game.title} is dealt from a freshly shuffled pack in every round: there is nothing to count.")
    bonuses = [name for name in game.wagers if name in game.bonuses]
    if not bonuses:
        raise BadValue(f"{game.title} has no bonus wager, and only those are counted.")
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


class _Desk:
    """One wager with its pay tables, and the shoes that are dealt for it."""

    def __init__(self, game: Game, name: str, hands: Hands, tables: Sequence[PayTable], shoe: _Shoe) -> None:
        self.game, self.wager, self.tables, self.shoe = game, game.wager(name), tables, shoe
        self.counts = [linear_count(hands, pay, game.decks or 1) for pay in tables]
        both = zip(tables, self.counts, strict=True)
        valued = [Valued(hands.nets(pay), float(count.expectation), count.weights) for pay, count in both]
        self.sample = Sample(hands, valued, shoe.starts)

    def deal(self, shoes: int, seed: int, progress: Progress | None) -> None:
        for number, done in enumerate(range(0, shoes, CHUNK)):
            self.sample.deal(min(CHUNK, shoes - done), f"{seed}/{number}")
            if progress is not None:
                progress(min(done + CHUNK, shoes), shoes)

    def told(self, number: int, penetration: Fraction) -> TableCounting:
        pay, count, tally, shoe = self.tables[number], self.counts[number], self.sample.tallies[number], self.shoe

        def at(cut: Fraction) -> Depth:
            return tally.at(cut, rounds := shoe.rounds(cut), shoe.starts[rounds - 1])

        found, first = at(penetration), tally.first_favourable
        enough = np.flatnonzero(tally.per_100() >= WORTH_WHILE)
        favourable = None if first is None else Fraction(shoe.starts[first], shoe.total)
        worth_while = Fraction(shoe.starts[enough[0]] + 1, shoe.total) if len(enough) else None
        return TableCounting(
            self.wager,
            pay,
            _with(self.game, self.wager.name, pay).fingerprint["definition"],
            count,
            {name: tally.correlation(name, found.hands) for name in count.weights},
            found,
            tuple(at(cut) for cut in sorted({*CUTS, penetration}) if cut <= shoe.deepest),
            favourable,
            worth_while,
            *_verdict(found, favourable, worth_while),
        )


def _verdict(at: Depth, favourable: Fraction | None, worth_while: Fraction | None) -> tuple[str, str]:
    """What is to be thought of it, by what the strongest and a linear counter win in a hundred hands; and in words."""
    best, linear = at.won[strongest(at.won)].per_100, at.won[LINEAR].per_100
    if best.high < WORTH_WHILE:
        verdict = NOT_WORTH
    elif linear.low >= WORTH_WHILE:
        verdict = WORTH
    elif best.low >= WORTH_WHILE > linear.high:
        verdict = PERFECT_ONLY
    else:
        verdict = OPEN
    wins = {
        "a perfect counter wins": at.won[PERFECT],
        "one who also discards cards for this wager's sake": at.won.get(PLAYING),
        "a linear one": at.won[LINEAR],
    }
    *first, last = (
        f"{who} {won.per_100.value:.3f} units ({won.per_100.low:.3f} to {won.per_100.high:.3f})"
        for who, won in wins.items()
        if won is not None
    )
    strong = "one who discards" if PLAYING in at.won else "perfect one"
    hour = best.value / 100 * HANDS_AN_HOUR * LARGE_WAGER
    said = [
        f"{verdict.capitalize()}: in 100 hands with the cut card at {_percent(at.penetration)} {', '.join(first)} and "
        f"{last}; from {WORTH_WHILE} on it is worth while.",
        f"At {HANDS_AN_HOUR} hands an hour and {LARGE_WAGER} a wager the {strong} wins {hour:.2f} an hour.",
    ]
    if favourable is not None:
        said.append(f"The earliest round in any shoe that favoured this one began with {_percent(favourable)} dealt.")
    if worth_while is None:
        said.append("No cut card that leaves a last round its cards makes it worth while.")
    else:
        said.append(f"It is worth while with the cut card at {_percent(worth_while)} or deeper.")
    return verdict, " ".join(said)


def _deepest(game: Game) -> Fraction | None:
    pack = game.definition.pack
    return None if pack is None or pack.deepest_penetration is None else Fraction(str(pack.deepest_penetration))


def _percent(share: Fraction) -> str:
    return f"{round(float(100 * share), 1):g} %"
