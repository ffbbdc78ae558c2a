"""The strategy before the flop as a chart: a square of the 169 hands for each pair of lights."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import RANKS
from feltworks.games.down_under_holdem.enumerator.flop_states import CLASSES
from feltworks.games.down_under_holdem.enumerator.solution import PAID, Solution
from feltworks.kit import cards
from feltworks.kit.chart import Chart, Grid, Light

LIGHTS: Mapping[str, Light] = {"small": "blue", "medium": "red", "large": "gold"}
"""The colours of the approved bands (D-04)."""

MEANINGS = {"3x": "make Play of three times the Ante", "check": "see the flop first"}
SIGNS = {"3x": "■", "check": "·"}


def strategy_chart(solution: Solution) -> Chart:
    """Where to play 3x and where to check, for every hand and every pair of bands (D-05, D-21)."""
    return Chart(
        title="Down Under Hold'em before the flop",
        subtitle=(
            "3x or check, by your two cards and the dealer's two lights. "
            "Pairs lie on the diagonal, suited hands above it, offsuit hands below."
        ),
        grids=tuple(_grid(solution, pair) for pair in range(len(solution.bands.pairs))),
        meanings=MEANINGS,
        notes=(_about_2x(solution), AFTER_A_CHECK, _about_the_edge(solution)),
        signs=SIGNS,
        weighing="the stronger the colour, the more it is worth over the other",
    )


def _grid(solution: Solution, pair: int) -> Grid:
    bands = solution.bands.pairs[pair]
    ranks = cards.RANKS[::-1]
    raises = _square(solution.raises[:, pair])
    gains = _square(solution.totals["3x"][:, pair] - solution.totals["check"][:, pair])
    antes = _square(solution.scale * solution.deals[:, pair])
    return Grid(
        title=" and ".join(bands),
        rows=tuple(ranks),
        columns=tuple(ranks),
        cells=tuple(tuple("3x" if raised else "check" for raised in row) for row in raises),
        notes=_shares(solution, pair),
        labels=tuple(tuple(hand_name(row, column) for column in ranks) for row in ranks),
        weights=tuple(
            tuple(abs(Fraction(int(gain), int(unit))) for gain, unit in zip(*rows, strict=True))
            for rows in zip(gains, antes, strict=True)
        ),
        lights=tuple(LIGHTS[band] for band in bands if band in LIGHTS),
    )


def _square(by_class: NDArray[np.generic]) -> NDArray[np.generic]:
    """What is known by class, as a square with the aces in its upper left corner."""
    return by_class.reshape(RANKS, RANKS)[::-1, ::-1]


def hand_name(row: str, column: str) -> str:
    """The hand in that row and column of the square: AA, AKs or AKo."""
    if row == column:
        return row + column
    suited = cards.RANKS.index(row) > cards.RANKS.index(column)
    return f"{row}{column}s" if suited else f"{column}{row}o"


def _shares(solution: Solution, pair: int) -> tuple[str, str]:
    """How often these bands come, and how often 3x is right then."""
    here = solution.deals[:, pair]
    lit = Fraction(int(here.sum()), int(solution.deals.sum()))
    raised = Fraction(int(here[solution.raises[:, pair]].sum()), int(here.sum()))
    return (
        f"{lit.numerator} of {lit.denominator} rounds ({_percent(lit)})",
        f"3x in {_percent(raised)} of them",
    )


def _about_2x(solution: Solution) -> str:
    """What pricing 2x in every cell came to."""
    best = np.maximum(solution.totals["check"], solution.totals["3x"])
    better, ties = (int(cells.sum()) for cells in (solution.totals["2x"] > best, solution.totals["2x"] == best))
    pairs = len(solution.bands.pairs)
    priced = f"2x was priced in all {CLASSES * pairs:,} cells too and is"
    if better:
        return f"{priced} better than both in {better:,} of them, which this chart does not show."
    if ties:
        return f"{priced} never better: it ties with the better of 3x and check in {ties:,} and is worse in the others."
    return f"{priced} worse in every one than the better of 3x and check."


AFTER_A_CHECK = 'After a check the flop decides between 1x and fold: "felt advise" tells which, for any hand and flop.'


def _about_the_edge(solution: Solution) -> str:
    """What the game is worth to the house, and for which pay table of the Bet."""
    pays = ", ".join(f"{line.label.lower()} {pay}" for line, pay in zip(PAID, solution.pays, strict=True))
    return f"Played so, the house wins {_percent(solution.edge, 4)} of the Ante. The Bet pays to 1: {pays}."


def _percent(share: Fraction, digits: int = 2) -> str:
    return f"{float(100 * share):.{digits}f} %"
