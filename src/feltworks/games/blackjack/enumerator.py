"""Blackjack counted from a fresh shoe, for the lab: the figures of the wager, advice, the chart, simulation."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from feltworks.games.blackjack import charts, exact
from feltworks.games.blackjack.basic import total_dependent
from feltworks.games.blackjack.counts import (
    BESIDE,
    PARTS,
    average_stake_of,
    basic_value_of,
    best_of,
    ends_of,
    frequencies_of,
    memory_of,
    split_squares_of,
    strategy_of,
    value_of,
)
from feltworks.games.blackjack.hands import all_hands, cards_of
from feltworks.games.blackjack.options import Options, options_of
from feltworks.games.blackjack.rules import UPCARD, value
from feltworks.games.blackjack.solve import Action, Play, SplitPlay
from feltworks.kit.cards import Card
from feltworks.kit.chart import Chart, Plot
from feltworks.kit.errors import UnknownName
from feltworks.kit.exact import (
    ON_AVERAGE,
    Counted,
    Dealing,
    Ends,
    Figure,
    Outcome,
    Priced,
    Progress,
    ShoesPlayed,
)
from feltworks.kit.game import Game, Situation
from feltworks.kit.parts import Parts
from feltworks.kit.round import Info


def essential(game: Game) -> Game:
    """All that is counted depends on the options and the number of decks."""
    return game


# What is told of the wager.


def bears_on_strategy(game: Game, wager: str) -> bool:
    """I-06: no bonus wager has a bearing on another."""
    return False


def edge(game: Game, name: str, parts: Parts) -> Fraction:
    """What the house wins on average per unit of the first wager."""
    return -value_of(parts)


def wager(game: Game, name: str, parts: Parts, *, details: bool) -> Counted:
    """B-01 to B-05: everything about the wager, played as well as it can be by each hand's own cards."""
    ends = ends_of(parts)
    outcomes = tuple(
        Outcome(line, ON_AVERAGE if line == exact.SPLIT_HANDS else signed(net), net, share)
        for (line, net), share in sorted(ends.items(), key=lambda end: -end[0][1])
    )
    return Counted(
        outcomes,
        average_stake_of(parts),
        tuple(_priced(parts)),
        (*_told(game, parts), *(_remembered(parts) if details else ())),
        notes=NOTES,
        variance=exact.variance_of(ends, split_squares_of(parts)),
    )


NOTES = (
    "A hand is played by its own cards and the upcard, from a fresh shoe; split hands do not look at each other.",
    "Split hands come to many results; their line tells the mean, and the standard deviation counts them all.",
)


def signed(net: Fraction) -> str:
    """A net result as it is told."""
    return f"{'+' if net > 0 else ''}{net}"


def _told(game: Game, parts: Parts) -> "list[Figure]":
    said = {
        "blackjack": "rounds in which the seat has a blackjack",
        "dealer blackjack": "rounds in which the dealer has one",
        "both": "rounds in which both have one",
        "double": "rounds that are doubled on the first two cards",
        "split": "rounds in which a pair is split",
        "surrender": "rounds that are given up",
    }
    shares, insurance = frequencies_of(parts), exact.insurance_alone(options_of(game))
    return [
        Figure("edge of insurance", -insurance, "per unit of it, for a seat that takes it always"),
        Figure(
            "cost, basic strategy",
            value_of(parts) - basic_value_of(parts),
            "more per unit for a seat that plays by the totals of the chart",
        ),
        *(Figure(name, shares[name], meaning) for name, meaning in said.items() if shares[name]),
    ]


def _remembered(parts: Parts) -> "list[Figure]":
    meaning = "less per unit, at least, for a seat that splits a pair once and plays the second hand by all cards seen"
    return [Figure("gain, memory of a split hand", memory_of(parts), meaning)]


def _priced(parts: Parts) -> "list[Priced]":
    return [
        Priced(f"{cards} against {upcard}", worth, best_of(worth), BESIDE)
        for upcard, rows in strategy_of(parts).items()
        for cards, worth in rows.items()
    ]


# Advice.


def advise(game: Game, parts: Parts, asked: Situation) -> Priced:
    """B-03, B-04: what each option is worth, in units of the first wager."""
    own = [card for token, card in asked.cards.items() if token != UPCARD]
    upcard = asked.cards[UPCARD]
    worth = exact.advise(options_of(game), [rank_of(card) for card in own], rank_of(upcard))
    said = f"{' '.join(card.text for card in own)} against {upcard}"
    return Priced(said, worth, best_of(worth), BESIDE)


def rank_of(card: Card) -> int:
    """The number of a card among the ranks that blackjack tells apart."""
    return value(card) - 1


@lru_cache(maxsize=4)
def _plays(options: Options) -> exact.Plays:
    return tuple(exact.best(table) for table in exact.tables(options))


def option(game: Game, info: Info) -> str:
    """The best option where a seat stands, by the hand that it plays and the upcard."""
    own = [rank_of(card) for name, card, _ in info.cards if card is not None and name.startswith("card")]
    upcard = next(rank_of(card) for name, card, _ in info.cards if card is not None and name == UPCARD.name)
    options = options_of(game)
    if "insurance" in info.options:
        return "insurance" if exact.insurance(options, own) > 0 else "no insurance"
    _, hands = info.facts
    play = _plays(options)[upcard]
    wanted = _first(play, own) if hands == 1 else _after_split(play.splits[own[0]], own, info.options)
    return wanted.label


def _first(play: Play, own: list[int]) -> Action:
    """A hand that was not split."""
    hand = all_hands().number[cards_of(own)]
    if len(own) == 2:
        return Action(int(play.first[hand]))
    return Action.HIT if play.hits[hand] else Action.STAND


def _after_split(play: SplitPlay, own: list[int], offered: tuple[str, ...]) -> Action:
    """A hand of a split pair: a pair that was worth splitting is split again."""
    first, second = own[:2]
    if len(own) == 2 and first == second and "split" in offered:
        return Action.SPLIT
    if len(own) == 2 and play.doubles[second] and "double" in offered:
        return Action.DOUBLE
    hits = play.alike if first == second else play.apart
    return Action.HIT if hits[all_hands().number[cards_of(own)]] and "hit" in offered else Action.STAND


def chart(game: Game, parts: Parts) -> Chart:
    """Basic strategy."""
    return charts.basic_strategy(total_dependent(options_of(game)), value_of(parts) - basic_value_of(parts))


def plot(game: Game, parts: Parts) -> Plot | None:
    """There is no meter."""
    return None


# Simulation.

STRATEGIES = ("best", "basic")
"""By which a seat may play whole shoes: by the cards of each hand, or by the totals of the chart."""


def simulate(game: Game, rounds: int, seed: int, workers: int, progress: Progress | None) -> Mapping[str, Ends]:
    """Rounds of one seat that plays as well as it can, each from a full shoe."""
    from feltworks.games.blackjack import shoes  # with the kernel, which nothing else needs

    setup = shoes.Setup(options_of(game), continuous=True)
    plays = _plays(setup.options)
    counted = shoes.simulate(setup, plays, rounds, seed=seed, workers=workers, progress=progress)
    return {"base": _ends(counted.nets)}


def _ends(nets: Mapping[tuple[Any, Fraction], int]) -> Ends:
    """In the words of `exact.ends`."""
    found: Counter[tuple[str, str, Fraction]] = Counter()
    for (course, net), number in nets.items():
        found[_line(course.label, net), signed(net), net] += number
    return found


def _line(course: str, net: Fraction) -> str:
    """How a course that came to this net result is called."""
    lines = exact.DOUBLE if course == "double" and abs(net) != 1 else exact.SINGLE
    match course:
        case "none":
            return "Dealer has a blackjack"
        case "blackjack":
            return "Blackjack" if net else "Both have a blackjack"
        case "split":
            return exact.SPLIT_HANDS
        case "surrender" if net == Fraction(-1, 2):
            return "Surrender"
    return lines[0 if net > 0 else 2 if net < 0 else 1]


def play_shoes(
    game: Game, dealing: Dealing, rounds: int, seed: int, workers: int, progress: Progress | None
) -> ShoesPlayed:
    """B-07: whole shoes, with every seat playing by one strategy."""
    from feltworks.games.blackjack import shoes

    if dealing.strategy not in STRATEGIES:
        raise UnknownName("strategy", dealing.strategy, STRATEGIES)
    setup = shoes.Setup(options_of(game), dealing.seats, dealing.penetration, rounds_per_shoe=dealing.rounds_per_shoe)
    known = total_dependent(setup.options).analysis if dealing.strategy == "basic" else exact.analyse(setup.options)
    counted = shoes.simulate(setup, known.plays, rounds, seed=seed, workers=workers, progress=progress)
    shares = {"won": counted.won, "pushed": counted.pushed, "lost": counted.lost}
    figures = [Figure(name, Fraction(number, counted.hands), "of all wagers") for name, number in shares.items()]
    figures += [
        Figure("average stake", counted.average_stake, "staked per unit of the first wager", percent=False),
        Figure("rounds a shoe", Fraction(counted.rounds, counted.shoes), "on average", percent=False),
        Figure("cards a round", Fraction(counted.cards, counted.rounds), "on average", percent=False),
    ]
    if counted.ran_out:
        figures.append(
            Figure("shoes that ran out", Fraction(counted.ran_out, counted.shoes), "played on with discards")
        )
    return ShoesPlayed(
        dealing,
        counted.rounds,
        counted.shoes,
        counted.hands,
        _ends(counted.nets),
        -counted.mean,
        counted.standard_error,
        known.edge,
        counted.z(known.value),
        tuple(figures),
        () if setup.agrees else (CUT_CARD,),
    )


CUT_CARD = (
    "With a cut card the average of all rounds is a little worse for the seats than a fresh shoe: rounds that take "
    "many small cards bring the cut card sooner, and what is left, rich in high cards, is shuffled away."
)


__all__ = [
    "PARTS",
    "STRATEGIES",
    "advise",
    "bears_on_strategy",
    "chart",
    "edge",
    "essential",
    "option",
    "play_shoes",
    "plot",
    "simulate",
    "wager",
]
