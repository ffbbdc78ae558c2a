"""Blackjack counted from a fresh shoe, for the lab: the figures of the wager, advice, the chart, simulation."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from feltworks.games.blackjack.enumerator import solution, strategy_chart
from feltworks.games.blackjack.enumerator.basic_strategy import total_dependent
from feltworks.games.blackjack.enumerator.counted_parts import (
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
from feltworks.games.blackjack.enumerator.hands import all_hands, cards_of
from feltworks.games.blackjack.enumerator.upcard_solver import Action, Play, SplitPlay
from feltworks.games.blackjack.options import Options, options_of
from feltworks.games.blackjack.rules import UPCARD, value
from feltworks.kit.advice import Advice
from feltworks.kit.cards import Card
from feltworks.kit.chart import Chart, Plot
from feltworks.kit.counted_parts import Parts
from feltworks.kit.enumerator import (
    ON_AVERAGE,
    Dealing,
    Ends,
    EnumeratedWager,
    Figure,
    Outcome,
    Progress,
    ShoesPlayed,
)
from feltworks.kit.errors import UnknownName
from feltworks.kit.game import Game, Situation
from feltworks.kit.round import Info

if TYPE_CHECKING:
    from feltworks.games.blackjack.enumerator.kernel_states import Course


def essential(game: Game) -> Game:
    """All that is counted depends on the options and the number of decks."""
    return game


# The figures of the wager.


def bears_on_strategy(game: Game, wager: str) -> bool:
    """I-06: no bonus wager has a bearing on another."""
    return False


def edge(game: Game, name: str, parts: Parts) -> Fraction:
    """What the house wins on average per unit of the first wager."""
    return -value_of(parts)


def wager(game: Game, name: str, parts: Parts, *, details: bool) -> EnumeratedWager:
    """B-01 to B-05: everything about the wager, played as well as it can be by each hand's own cards."""
    ends = ends_of(parts)
    outcomes = tuple(
        Outcome(line, ON_AVERAGE if line == solution.SPLIT_HANDS else signed(net), net, share)
        for (line, net), share in sorted(ends.items(), key=lambda end: -end[0][1])
    )
    return EnumeratedWager(
        outcomes,
        average_stake_of(parts),
        tuple(_advice_rows(parts)),
        (*_figures(game, parts), *(_memory_figures(parts) if details else ())),
        notes=NOTES,
        variance=solution.variance_of(ends, split_squares_of(parts)),
    )


NOTES = (
    "A hand is played by its own cards and the upcard, from a fresh shoe; split hands do not look at each other.",
    "Split hands come to many results; their line tells the mean, and the standard deviation counts them all.",
)


def signed(net: Fraction) -> str:
    """A net result with its sign."""
    return f"{'+' if net > 0 else ''}{net}"


def _figures(game: Game, parts: Parts) -> "list[Figure]":
    meanings = {
        "blackjack": "rounds in which the seat has a blackjack",
        "dealer blackjack": "rounds in which the dealer has one",
        "both": "rounds in which both have one",
        "double": "rounds that are doubled on the first two cards",
        "split": "rounds in which a pair is split",
        "surrender": "rounds that are given up",
    }
    shares, insurance = frequencies_of(parts), solution.insurance_alone(options_of(game))
    return [
        Figure("edge of insurance", -insurance, "per unit of it, for a seat that takes it always"),
        Figure(
            "cost, basic strategy",
            value_of(parts) - basic_value_of(parts),
            "more per unit for a seat that plays by the totals of the chart",
        ),
        *(Figure(name, shares[name], meaning) for name, meaning in meanings.items() if shares[name]),
    ]


def _memory_figures(parts: Parts) -> "list[Figure]":
    meaning = "less per unit, at least, for a seat that splits a pair once and plays the second hand by all cards seen"
    return [Figure("gain, memory of a split hand", memory_of(parts), meaning)]


def _advice_rows(parts: Parts) -> "list[Advice]":
    return [
        Advice(f"{cards} against {upcard}", worth, best_of(worth), BESIDE)
        for upcard, rows in strategy_of(parts).items()
        for cards, worth in rows.items()
    ]


# Advice.


def advise(game: Game, parts: Parts, asked: Situation) -> Advice:
    """B-03, B-04: what each option is worth, in units of the first wager."""
    own = [card for token, card in asked.cards.items() if token != UPCARD]
    upcard = asked.cards[UPCARD]
    worth = solution.advise(options_of(game), [rank_of(card) for card in own], rank_of(upcard))
    situation = f"{' '.join(card.text for card in own)} against {upcard}"
    return Advice(situation, worth, best_of(worth), BESIDE)


def rank_of(card: Card) -> int:
    """The number of a card among the ranks that blackjack tells apart."""
    return value(card) - 1


@lru_cache(maxsize=4)
def _plays(options: Options) -> solution.Plays:
    return tuple(solution.best_play(solver) for solver in solution.solvers(options))


def option(game: Game, info: Info) -> str:
    """The best option where a seat stands, by the hand that it plays and the upcard."""
    own = [rank_of(card) for name, card, _ in info.cards if card is not None and name.startswith("card")]
    upcard = next(rank_of(card) for name, card, _ in info.cards if card is not None and name == UPCARD.name)
    options = options_of(game)
    if "insurance" in info.options:
        return "insurance" if solution.insurance(options, own) > 0 else "no insurance"
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
    return strategy_chart.basic_strategy(total_dependent(options_of(game)), value_of(parts) - basic_value_of(parts))


def plot(game: Game, parts: Parts) -> Plot | None:
    """There is no meter."""
    return None


# Simulation.

STRATEGIES = ("best", "basic")
"""By which a seat may play whole shoes: by the cards of each hand, or by the totals of the chart."""


def simulate(game: Game, rounds: int, seed: int, workers: int, progress: Progress | None) -> Mapping[str, Ends]:
    """Rounds of one seat that plays as well as it can, each from a full shoe."""
    from feltworks.games.blackjack.enumerator import shoe_simulation  # with the kernel, which nothing else needs

    setup = shoe_simulation.Setup(options_of(game), continuous=True)
    plays = _plays(setup.options)
    played = shoe_simulation.simulate(setup, plays, rounds, seed=seed, workers=workers, progress=progress)
    return {"base": _ends(played.nets)}


def _ends(nets: "Mapping[tuple[Course, Fraction], int]") -> Ends:
    """By the lines of `Analysis.ends`."""
    ends: Counter[tuple[str, str, Fraction]] = Counter()
    for (course, net), number in nets.items():
        ends[_line(course.label, net), signed(net), net] += number
    return ends


def _line(course: str, net: Fraction) -> str:
    """How a course that came to this net result is called."""
    lines = solution.DOUBLE if course == "double" and abs(net) != 1 else solution.SINGLE
    match course:
        case "none":
            return "Dealer has a blackjack"
        case "blackjack":
            return "Blackjack" if net else "Both have a blackjack"
        case "split":
            return solution.SPLIT_HANDS
        case "surrender" if net == Fraction(-1, 2):
            return "Surrender"
    return lines[0 if net > 0 else 2 if net < 0 else 1]


def play_shoes(
    game: Game, dealing: Dealing, rounds: int, seed: int, workers: int, progress: Progress | None
) -> ShoesPlayed:
    """B-07: whole shoes, with every seat playing by one strategy."""
    from feltworks.games.blackjack.enumerator import shoe_simulation

    if dealing.strategy not in STRATEGIES:
        raise UnknownName("strategy", dealing.strategy, STRATEGIES)
    setup = shoe_simulation.Setup(
        options_of(game), dealing.seats, dealing.penetration, rounds_per_shoe=dealing.rounds_per_shoe
    )
    exact = total_dependent(setup.options).analysis if dealing.strategy == "basic" else solution.analyse(setup.options)
    played = shoe_simulation.simulate(setup, exact.plays, rounds, seed=seed, workers=workers, progress=progress)
    shares = {"won": played.won, "pushed": played.pushed, "lost": played.lost}
    figures = [Figure(name, Fraction(number, played.hands), "of all wagers") for name, number in shares.items()]
    figures += [
        Figure("average stake", played.average_stake, "staked per unit of the first wager", percent=False),
        Figure("rounds a shoe", Fraction(played.rounds, played.shoes), "on average", percent=False),
        Figure("cards a round", Fraction(played.cards, played.rounds), "on average", percent=False),
    ]
    if played.ran_out:
        figures.append(Figure("shoes that ran out", Fraction(played.ran_out, played.shoes), "played on with discards"))
    return ShoesPlayed(
        dealing,
        played.rounds,
        played.shoes,
        played.hands,
        _ends(played.nets),
        -played.mean,
        played.standard_error,
        exact.edge,
        played.z(exact.value),
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
