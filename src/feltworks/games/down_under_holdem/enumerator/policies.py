"""What other ways to play cost, to the last deal: common mistakes, and a strategy short enough to remember."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.bands import Bands
from feltworks.games.down_under_holdem.enumerator.boards import RANKS
from feltworks.games.down_under_holdem.enumerator.flop_states import CLASSES, flops, hole_cards, states
from feltworks.games.down_under_holdem.enumerator.solution import FlopStrategy, Solution
from feltworks.kit import cards
from feltworks.kit.errors import BadValue


@dataclass(frozen=True)
class Mistake:
    """A way to play, what it is worth and what it costs, in Antes a round."""

    name: str
    what: str
    value: Fraction
    cost: Fraction


def mistakes(solution: Solution, without_bands: Fraction) -> list[Mistake]:
    """The exact cost of common mistakes, everything else being played as well as it then can be.

    Who ignores the bands plays the game without them, and has what that is worth.
    """
    check, twice, thrice = (solution.totals[option] for option in ("check", "2x", "3x"))
    no_fold = solution.always - 3 * solution.scale * solution.deals
    tried = [
        ("never raise", "checks every hand before the flop", solution.worth(check)),
        ("always raise", "plays 3x with every hand", solution.worth(thrice)),
        (
            "never fold",
            "plays 1x with every hand that was checked",
            solution.worth(np.maximum(thrice, no_fold)),
        ),
        ("ignore the bands", "plays as well as can be without looking at them", without_bands),
        ("raise 2x", "plays 2x wherever 3x is right", solution.worth(np.where(solution.raises, twice, check))),
    ]
    return [Mistake(name, what, value, solution.value - value) for name, what, value in tried]


# The short strategy


@dataclass(frozen=True)
class Lights:
    """One line of the short strategy: what to do when these two bands are lit."""

    bands: tuple[str, str]
    raises: str
    """Hands to play 3x: "22+" pairs from twos, "Q8+" queens with an eight or better, "Q5s+" suited ones, "9x+" any nine
    or higher card."""
    plays: tuple[tuple[int, str], ...]
    """From so many points on, the weakest hand to play 1x without a pair or a draw; "" for none."""

    @property
    def text(self) -> str:
        after = [f"from {points} points {_or_better(hand)}" for points, hand in self.plays[1:]]
        return f"{' and '.join(self.bands)}: 3x with {self.raises}. Else 1x with {', '.join(['any hand', *after])}."


def _or_better(hand: str) -> str:
    return f"{hand} or better" if hand else "none"


SHORT_RULES = (
    "Play 3x or check as the line of the two lights says. Never play 2x.",
    "After a check play 1x with a pair or better that uses a hole card, and with a hole card in four to a flush or "
    "four to a straight, gaps included.",
    "Otherwise count points. For each of the dealer's two cards, 2 for each rank on the flop that is in its band. "
    "Less 2 if a hole card is in three to a flush (less 3 if both are), less 1 if the flop is paired.",
)

SHORT_LINES = (
    Lights(("small", "small"), "33+ 6x+ 53+", ((0, "32"),)),
    Lights(("small", "medium"), "22+ 9x+ 83+ 82s+ 75+", ((0, "32"), (4, "54"), (6, "65"))),
    Lights(
        ("small", "large"),
        "22+ Kx+ Q5+ Q3s+ J8+ J6s+ T8s+",
        ((0, "32"), (1, "53"), (2, "54"), (3, "86"), (4, "96"), (6, "T5")),
    ),
    Lights(
        ("medium", "medium"),
        "77+ A5+ A2s+ K5+ K2s+ Q5+ Q2s+ J5+ J2s+ T5+ T2s+ 97+",
        ((0, "32"), (1, "74"), (2, "76"), (4, "85"), (5, "95"), (7, "")),
    ),
    Lights(("medium", "large"), "22+ Ax+ K6+ K2s+ Q8+ JT+ J9s+", ((0, "32"), (2, "T2"), (4, "T7"), (6, "T8"))),
    Lights(
        ("large", "large"),
        "TT+ AJ+ KQs+",
        ((0, "32"), (1, "JT"), (2, "Q4"), (3, "QT"), (4, "QJ"), (5, "K9"), (6, "A8"), (7, "AT"), (9, "T2")),
    ),
)


def short_lines(lines: Sequence[Lights] = SHORT_LINES) -> tuple[str, ...]:
    """The short strategy in words."""
    return (*SHORT_RULES, *(line.text for line in lines))


def short_strategy(flop: FlopStrategy, lines: Sequence[Lights] = SHORT_LINES) -> int:
    """The net result of the short strategy in 1 / scale of an Ante, summed over the deals of the flop's bands."""
    bands = flop.solution.bands
    by_bands = {line.bands: line for line in lines}
    if not set(bands.pairs) <= set(by_bands):
        raise BadValue("The short strategy has one line for each pair of bands, and is made for the approved bands.")
    chosen = [by_bands[pair] for pair in bands.pairs]
    raises = np.stack([hands_in(line.raises) for line in chosen], 1)
    folds = np.stack([_folds(line, bands, pair) for pair, line in enumerate(chosen)], 1)
    return flop.total(raises, folds)


def hands_in(text: str) -> NDArray[np.bool_]:
    """Which classes of hole cards a list like "77+ A2+ Q8+ Q5s+" names."""
    named = np.zeros((RANKS, RANKS), np.bool_)
    for item in text.split():
        if item[1] == "x":
            named[cards.RANKS.index(item[0]) :, :] = True
            named[:, cards.RANKS.index(item[0]) :] = True
            continue
        high, low = (cards.RANKS.index(rank) for rank in item[:2])
        if high == low:
            named[range(low, RANKS), range(low, RANKS)] = True
            continue
        named[high, low:high] = True
        if "s" not in item:
            named[low:high, high] = True
    return named.reshape(CLASSES)


def _folds(line: Lights, bands: Bands, pair: int) -> NDArray[np.bool_]:
    features = _features()
    points = np.maximum(_points(bands, pair), 0)
    weakest = np.zeros(points.max() + 1, np.int64)
    for start, hand in line.plays:
        weakest[start:] = _strength(*(cards.RANKS.index(rank) for rank in hand)) if hand else RANKS * RANKS
    return ~features.made & (features.strength < weakest[points])


Rank = TypeVar("Rank", int, NDArray[np.int64])


def _strength(high: Rank, low: Rank) -> Rank:
    """Unpaired hole cards in order: by the higher card, then by the lower one."""
    return RANKS * high + low


def _points(bands: Bands, pair: int) -> NDArray[np.int64]:
    """The points of the short strategy, by state."""
    features = _features()
    threats = np.zeros(len(features.strength), np.int64)
    ranks = np.sort(flops().cards % RANKS, 1)
    new = np.ones(ranks.shape, np.bool_)
    new[:, 1:] = ranks[:, 1:] != ranks[:, :-1]
    for name in bands.pairs[pair]:
        [band] = [band for band in bands.sets if band.name == name]
        inside = np.array([rank in band.ranks for rank in cards.RANKS])
        threats += (inside[ranks] & new).sum(1)[states().flop]
    return 2 * threats - features.relief


@dataclass(frozen=True)
class _Features:
    """What the short strategy looks at, by state."""

    made: NDArray[np.bool_]
    """A pair or better that uses a hole card, or four to a flush or straight with one."""
    relief: NDArray[np.int64]
    """Points taken off."""
    strength: NDArray[np.int64]


@cache
def _features() -> _Features:
    hole, flop = hole_cards(), flops().cards[states().flop]
    hole_ranks, flop_ranks = np.sort(hole % RANKS, 1), np.sort(flop % RANKS, 1)
    low, high = hole_ranks.T
    paired = (low == high) | (hole_ranks[:, :, None] == flop_ranks[:, None, :]).any((1, 2))
    own = np.stack([(hole // RANKS == suit).sum(1) for suit in range(4)], 1)
    all_five = own + np.stack([(flop // RANKS == suit).sum(1) for suit in range(4)], 1)
    four = ((all_five >= 4) & (own >= 1)).any(1)
    three = ((all_five == 3) & (own >= 1)).any(1)
    three_with_both = ((all_five == 3) & (own == 2)).any(1)
    flop_paired = (flop_ranks[:, 1:] == flop_ranks[:, :-1]).any(1)
    return _Features(
        paired | four | _straight_draw(hole_ranks, flop_ranks),
        2 * three + three_with_both + flop_paired,
        _strength(high, low),
    )


def _straight_draw(hole: NDArray[np.int64], flop: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether four cards of a straight, or five, are there with a hole card among them."""
    all_five, own = (_run_bits(ranks) for ranks in (np.concatenate([hole, flop], 1), hole))
    ones = np.array([number.bit_count() for number in range(1 << 14)])
    draw = np.zeros(len(all_five), np.bool_)
    for bottom in range(10):
        run = 0b11111 << bottom
        draw |= (ones[all_five & run] >= 4) & (own & run != 0)
    return draw


def _run_bits(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ranks as bits, the ace both below the two and on top."""
    bits: NDArray[np.int64] = np.bitwise_or.reduce(1 << ranks + 1, axis=1)
    return bits | bits >> RANKS & 1
