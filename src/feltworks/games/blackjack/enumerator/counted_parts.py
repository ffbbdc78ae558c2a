"""What is counted of blackjack to be kept in files, by upcard, and what must be so of it.

Everything is of the rounds with one upcard, and joint with it: the sums over all upcards are those of the whole game.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from feltworks.games.blackjack.enumerator import solution, split_memory
from feltworks.games.blackjack.enumerator.basic_strategy import Deriver
from feltworks.games.blackjack.enumerator.hands import ACE, NAMES, TEN
from feltworks.games.blackjack.enumerator.solution import Analysis
from feltworks.games.blackjack.options import Options, options_of
from feltworks.kit.counted_parts import Part, Parts, Pieces, require

if TYPE_CHECKING:
    from feltworks.kit.game import Game

PAIRS = {f"{pair}{pair} against {upcard}": (upcard, pair) for upcard, pair in product(NAMES, NAMES)}
"""Pairs that may be split."""
DIGITS = 14
"""Of the gain by memory, which alone is found in float64: what is kept of it after the point."""
BESIDE = frozenset({"insurance"})
"""B-03: a question of its own, before the hand is played."""

Ends = Mapping[tuple[str, Fraction], Fraction]


def best_of(worth: Mapping[str, Fraction]) -> str:
    """What to do with a hand."""
    return max((name for name in worth if name not in BESIDE), key=lambda name: worth[name])


# Counting.


@lru_cache(maxsize=2 * len(NAMES))
def _best(options: Options, upcard: str) -> Analysis:
    number = NAMES.index(upcard)
    return solution.value_of(options, (solution.best_play(solution.solvers(options)[number]),), (number,))


def _piece_by_piece(piece: Callable[[Options, str], Any]) -> "Callable[[Game, Sequence[str]], list[Any]]":
    def count(game: "Game", names: Sequence[str]) -> list[Any]:
        return [piece(options_of(game), name) for name in names]

    return count


def _figures(options: Options, upcard: str) -> Any:
    best = _best(options, upcard)
    return {
        "value": str(best.value),
        "average_stake": str(best.average_stake),
        "frequencies": {name: str(share) for name, share in best.frequencies.items()},
    }


def _outcomes(options: Options, upcard: str) -> Any:
    return [[line, str(net), str(share)] for (line, net), share in _best(options, upcard).ends.items()]


def _split_squares(options: Options, name: str) -> Any:
    upcard, pair = PAIRS[name]
    [(solver, play)] = _best(options, upcard).against
    return str(solution.split_square(solver, play, NAMES.index(pair)))


def _strategy(options: Options, upcard: str) -> Any:
    by_cards = solution.option_values(solution.solvers(options)[NAMES.index(upcard)])
    return {cards: {name: str(worth) for name, worth in each.items()} for cards, each in by_cards.items()}


def _basic(options: Options, upcard: str) -> Any:
    number = NAMES.index(upcard)
    deriver = Deriver(solution.solvers(options)[number])
    return str(solution.value_of(options, (deriver.play(deriver.settle()),), (number,)).value)


def _memory(options: Options, name: str) -> Any:
    upcard, pair = PAIRS[name]
    return f"{split_memory.memory_gain_of(options, NAMES.index(upcard), NAMES.index(pair)):.{DIGITS}f}"


# What was counted.


def value_of(parts: Parts) -> Fraction:
    """What a round is worth."""
    return _sum(piece["value"] for piece in parts("figures").values())


def average_stake_of(parts: Parts) -> Fraction:
    """Units staked in a round in all."""
    return _sum(piece["average_stake"] for piece in parts("figures").values())


def frequencies_of(parts: Parts) -> dict[str, Fraction]:
    """How often a round begins in some ways."""
    pieces = [piece["frequencies"] for piece in parts("figures").values()]
    return {name: _sum(piece[name] for piece in pieces) for name in solution.FREQUENCIES}


def ends_of(parts: Parts) -> Ends:
    """How a round ends and how often."""
    return solution.add_ends(map(_read_ends, parts("outcomes").values()))


def _read_ends(piece: Iterable[tuple[str, str, str]]) -> Ends:
    return {(line, Fraction(net)): Fraction(share) for line, net, share in piece}


def split_squares_of(parts: Parts) -> Fraction:
    """What rounds with a split pair add to the mean square of the net result."""
    return _sum(parts("split_squares").values())


def strategy_of(parts: Parts) -> dict[str, dict[str, dict[str, Fraction]]]:
    """What each option is worth, by upcard and the first two cards."""
    return {upcard: _read_strategy(piece) for upcard, piece in parts("strategy").items()}


def _read_strategy(piece: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, Fraction]]:
    return {cards: {name: Fraction(worth) for name, worth in each.items()} for cards, each in piece.items()}


def basic_value_of(parts: Parts) -> Fraction:
    """What a round is worth to a seat that plays by the totals of the chart."""
    return _sum(parts("basic").values())


def memory_of(parts: Parts) -> float:
    """What memory of the other hand adds, approximately."""
    return sum(map(float, parts("memory").values()))


def _sum(values: Iterable[Any]) -> Fraction:
    return sum(map(Fraction, values), Fraction(0))


# What must be so.


def _check_figures(game: "Game", pieces: Pieces, parts: Parts) -> None:
    shoe = options_of(game).shoe
    for number, piece in zip(shoe, pieces.values(), strict=True):
        chance = Fraction(number, sum(shoe))
        often = {name: Fraction(piece["frequencies"][name]) for name in solution.FREQUENCIES}
        require(min(often.values()) >= 0 and max(often.values()) <= chance, "has rounds more often than there are")
        # Who doubles stakes one unit more; who splits at least one, and at most two on each of the other hands and one.
        more = Fraction(piece["average_stake"]) - chance - often["double"]
        most = 2 * options_of(game).hands - 1
        require(often["split"] <= more <= most * often["split"], "stakes what is not wagered")


def _check_outcomes(game: "Game", pieces: Pieces, parts: Parts) -> None:
    shoe = options_of(game).shoe
    for number, (upcard, piece) in zip(shoe, pieces.items(), strict=True):
        ends = _read_ends(piece)
        every, mean = sum(ends.values()), sum(net * share for (_, net), share in ends.items())
        require(every == Fraction(number, sum(shoe)) and min(ends.values()) > 0, "has outcomes that do not sum to one")
        figures = parts("figures")[upcard]
        require(mean == Fraction(figures["value"]), "has outcomes of another edge")
        _check_frequencies(options_of(game), upcard, ends, figures["frequencies"])


def _check_frequencies(options: Options, upcard: str, ends: Ends, frequencies: Mapping[str, str]) -> None:
    """Rounds that begin in some way end on lines of their own; one that a blackjack takes may end as a loss."""
    often = {name: Fraction(share) for name, share in frequencies.items()}
    lines: dict[str, Fraction] = defaultdict(Fraction)
    for (line, _), share in ends.items():
        lines[line] += share
    both = lines["Both have a blackjack"]
    aces, tens = options.shoe[ACE], options.shoe[TEN]
    second = {NAMES[ACE]: tens, NAMES[TEN]: aces}.get(upcard, 0)
    cards = sum(options.shoe)
    naturals = Fraction(options.shoe[NAMES.index(upcard)] * second, cards * (cards - 1))
    ended = {"double": sum((lines[line] for line in solution.DOUBLE), Fraction(0)), "surrender": lines["Surrender"]}
    same = often | {"both": both, "blackjack": lines["Blackjack"] + both, "split": lines[solution.SPLIT_HANDS]}
    same |= {"dealer blackjack": naturals} | (ended if options.hole_card == "peek" else {})
    require(same == often and all(ended[name] <= often[name] for name in ended), "has rounds that end as others")


def _check_split_squares(game: "Game", pieces: Pieces, parts: Parts) -> None:
    options, strategy = options_of(game), strategy_of(parts)
    by_upcard = dict.fromkeys(NAMES, Fraction(0))
    for (upcard, pair), square in zip(PAIRS.values(), map(Fraction, pieces.values()), strict=True):
        worth = strategy[upcard].get(2 * pair)
        splits = worth is not None and best_of(worth) == "split"
        most = (2 * options.hands) ** 2 * _chance(options.shoe, upcard, pair)
        require(0 < square <= most if splits else square == 0, "has squares that are not possible")
        by_upcard[upcard] += square
    for upcard, piece in parts("outcomes").items():
        means = [share * net**2 for (line, net), share in _read_ends(piece).items() if line == solution.SPLIT_HANDS]
        require(by_upcard[upcard] >= sum(means), "has squares smaller than their means")


def _chance(shoe: Sequence[int], upcard: str, pair: str) -> Fraction:
    """How likely it is that the dealer has this upcard and a seat this pair."""
    left = list(shoe)
    chance = Fraction(1)
    for name in (upcard, pair, pair):
        chance *= Fraction(left[NAMES.index(name)], sum(left))
        left[NAMES.index(name)] -= 1
    return chance


def _check_strategy(game: "Game", pieces: Pieces, parts: Parts) -> None:
    for solver, (upcard, piece) in zip(solution.solvers(options_of(game)), pieces.items(), strict=True):
        by_cards = _read_strategy(piece)
        worth = solution.upcard_value(solver, {cards: each[best_of(each)] for cards, each in by_cards.items()})
        require(worth == Fraction(parts("figures")[upcard]["value"]), "has a strategy of another edge")


def _check_basic(game: "Game", pieces: Pieces, parts: Parts) -> None:
    for upcard, value in pieces.items():
        require(Fraction(value) <= Fraction(parts("figures")[upcard]["value"]), "has a chart better than the best play")


def _check_memory(game: "Game", pieces: Pieces, parts: Parts) -> None:
    require(all(0 <= float(gain) < 1 for gain in pieces.values()), "has a memory that costs something")


PARTS: Mapping[str, Part] = {
    "figures": Part(tuple(NAMES), _piece_by_piece(_figures), _check_figures),
    "outcomes": Part(tuple(NAMES), _piece_by_piece(_outcomes), _check_outcomes),
    "split_squares": Part(tuple(PAIRS), _piece_by_piece(_split_squares), _check_split_squares),
    "strategy": Part(tuple(NAMES), _piece_by_piece(_strategy), _check_strategy),
    "basic": Part(tuple(NAMES), _piece_by_piece(_basic), _check_basic),
    "memory": Part(tuple(PAIRS), _piece_by_piece(_memory), _check_memory),
}
