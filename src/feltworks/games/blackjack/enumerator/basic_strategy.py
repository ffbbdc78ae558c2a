"""Basic strategy: play by the total alone, hard or soft, with a table of pairs.

How it is derived. For each upcard, a total is hit or stood on by what is better on average over all hands with that
total, each weighted with how often it is come to when this very chart is followed (from the first two cards, split
pairs left out). Totals are settled from the last to the first, and again with the new weights until nothing changes.
So no single entry can be changed for the better of the hands that are not split. A total that is never come to is
weighted with how often its cards are drawn at all. Doubling and surrender go by the average over the first two cards.
A pair is split if that is better with its hands played by the same chart; if not, it is played by its total, and
counts there.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial

import numpy as np

from feltworks.games.blackjack.enumerator.dealer_totals import Chances
from feltworks.games.blackjack.enumerator.hands import ACE, NAMES, RANKS, TEN, all_hands
from feltworks.games.blackjack.enumerator.solution import Analysis, analyse, solvers, starts, value_of
from feltworks.games.blackjack.enumerator.upcard_solver import Action, Flags, Play, SplitPlay, UpcardSolver, drawn_sum
from feltworks.games.blackjack.options import Options

Cell = tuple[bool, int]
"""Soft or hard, and the total."""

CELLS: tuple[Cell, ...] = (
    *((False, total) for total in range(21, 11, -1)),
    *((True, total) for total in range(21, 11, -1)),
    *((False, total) for total in range(11, 1, -1)),
)
"""From the last to the first: a hit leads to an earlier one in this list."""


@dataclass(frozen=True)
class Entry:
    """An entry of the chart."""

    action: Action
    """With the first two cards."""
    otherwise: Action
    """Hit or stand: with more cards, or where the action is not offered."""


@dataclass(frozen=True)
class BasicStrategy:
    """The chart, what it is worth, and what it costs against the best play by the cards."""

    hard: dict[tuple[int, str], Entry]
    """By total and upcard."""
    soft: dict[tuple[int, str], Entry]
    pairs: dict[tuple[str, str], bool]
    """Whether to split, by card and upcard."""
    analysis: Analysis
    cost: Fraction
    """Per unit of the original wager."""


def _cells() -> dict[Cell, list[int]]:
    hands = all_hands()
    cells: dict[Cell, list[int]] = {cell: [] for cell in CELLS}
    for hand, (soft, total) in enumerate(zip(hands.soft.tolist(), hands.total.tolist(), strict=True)):
        if hands.size[hand] >= 2:
            cells[soft, total].append(hand)
    return cells


def _orders_at_all() -> Chances:
    """In how many orders the cards of each hand come."""
    cards = all_hands().cards
    factorials = np.array([factorial(number) for number in range(22)], np.float64)
    orders: Chances = factorials[cards.sum(1)] / factorials[cards].prod(1)
    return orders


@dataclass(frozen=True)
class ChartColumn:
    """The entries of the chart for one upcard, as they are being settled."""

    hits: dict[Cell, bool]
    doubles: dict[Cell, bool]
    surrenders: dict[Cell, bool]
    splits: tuple[bool, ...]

    def flags(self) -> Flags:
        """Whether to hit, by hand."""
        hands = all_hands()
        flags = np.zeros(len(hands), np.bool_)
        for cell, members in _cells().items():
            flags[members] = self.hits[cell]
        return flags


class Deriver:
    """Settles the column of one upcard."""

    def __init__(self, solver: UpcardSolver) -> None:
        self.solver, self.hands, self.options = solver, solver.hands, solver.options
        self.cells = _cells()
        self.at_all = _orders_at_all()
        self.pairs = {self.hands.of(rank, rank): rank for rank in range(RANKS)}
        self.starts = {self.hands.of(low, high): orders for low, high, orders in starts() if (low, high) != (ACE, TEN)}

    def cell_of(self, hand: int) -> Cell:
        """Where a hand is looked up."""
        return bool(self.hands.soft[hand]), int(self.hands.total[hand])

    def split_play(self, column: ChartColumn, rank: int) -> SplitPlay:
        """How the hands of a split pair are played by the column."""
        doubles = np.zeros(RANKS, np.bool_)
        for second in range(RANKS):
            hand = self.hands.of(rank, second)
            doubles[second] = self.solver.doubles_split(rank, hand) and column.doubles[self.cell_of(hand)]
        hits = column.flags()
        if self.options.one_card(rank):
            hits = np.zeros_like(hits)
        return SplitPlay(hits, hits, doubles)

    def _weights(self, column: ChartColumn) -> Chances:
        """In how many orders each hand is come to as one to hit or to stand on."""
        orders = np.zeros(len(self.hands))
        hits = column.flags()
        for hand, times in self.starts.items():
            cell = self.cell_of(hand)
            if hand in self.pairs and column.splits[self.pairs[hand]]:
                continue
            if not (column.surrenders[cell] or (column.doubles[cell] and self._may_double(hand))):
                orders[hand] = times
        for hand in range(len(self.hands)):
            if orders[hand] and hits[hand]:
                after = self.hands.after[hand]
                orders[after[after >= 0]] += orders[hand]
        return orders

    def _may_double(self, hand: int) -> bool:
        return self.options.may_double(int(self.hands.hard[hand]), bool(self.hands.soft[hand]))

    def settle(self) -> ChartColumn:
        """The column where no entry can be bettered by itself."""
        column = ChartColumn(
            {(soft, total): total < (18 if soft else 17) for soft, total in CELLS},
            dict.fromkeys(CELLS, False),
            dict.fromkeys(CELLS, False),
            (False,) * RANKS,
        )
        for _ in range(20):
            further = self._settle_once(column)
            if further == column:
                break
            column = further
        return column

    def _settle_once(self, column: ChartColumn) -> ChartColumn:
        solver, weights = self.solver, self._weights(column)
        value, hits = solver.stand.copy(), dict(column.hits)
        for cell in CELLS:
            members = self.cells[cell]
            hit = {hand: drawn_sum(value, hand) for hand in members}
            better = {hand: hit[hand] - float(solver.stand[hand]) for hand in members}
            orders = weights if any(weights[hand] * solver.reach[hand] for hand in members) else self.at_all
            hits[cell] = sum(orders[hand] * better[hand] for hand in members) > 0
            if hits[cell]:
                for hand in members:
                    value[hand] = hit[hand]
        doubles, surrenders = dict(column.doubles), dict(column.surrenders)
        for cell in CELLS:
            members = [
                hand
                for hand in self.cells[cell]
                if hand in self.starts and not (hand in self.pairs and column.splits[self.pairs[hand]])
            ] or [hand for hand in self.cells[cell] if hand in self.starts]
            nets = dict.fromkeys(Action, 0.0)
            for hand in members:
                for action, net in solver.nets(hand, value).items():
                    nets[action] += self.starts[hand] * net
            plain = nets[Action.HIT] if hits[cell] else nets[Action.STAND]
            may_double = any(self._may_double(hand) for hand in members)
            doubles[cell] = may_double and nets[Action.DOUBLE] > plain
            best = max(plain, nets[Action.DOUBLE]) if may_double else plain
            surrenders[cell] = bool(members) and self.options.surrenders and nets[Action.SURRENDER] > best
        further = ChartColumn(hits, doubles, surrenders, column.splits)
        return ChartColumn(
            hits, doubles, surrenders, tuple(self._splits(further, rank, value) for rank in range(RANKS))
        )

    def first(self, column: ChartColumn, hand: int) -> Action:
        """What the column does with two cards that are not split."""
        cell = self.cell_of(hand)
        if column.surrenders[cell]:
            return Action.SURRENDER
        if column.doubles[cell] and self._may_double(hand):
            return Action.DOUBLE
        return Action.HIT if column.hits[cell] else Action.STAND

    def _splits(self, column: ChartColumn, rank: int, value: Chances) -> bool:
        hand = self.hands.of(rank, rank)
        split = self.solver.split(rank, self.split_play(column, rank)).net * float(self.solver.reach[hand])
        return split > self.solver.nets(hand, value)[self.first(column, hand)]

    def play(self, column: ChartColumn) -> Play:
        """The column as play by hands."""
        first = np.zeros(len(self.hands), np.int8)
        for hand in self.starts:
            split = hand in self.pairs and column.splits[self.pairs[hand]]
            first[hand] = Action.SPLIT if split else self.first(column, hand)
        return Play(column.flags(), first, tuple(self.split_play(column, rank) for rank in range(RANKS)))


@lru_cache(maxsize=8)
def total_dependent(options: Options) -> BasicStrategy:
    """Basic strategy for a table, with its exact value and cost."""
    hard: dict[tuple[int, str], Entry] = {}
    soft: dict[tuple[int, str], Entry] = {}
    pairs: dict[tuple[str, str], bool] = {}
    plays = []
    for solver in solvers(options):
        settled, up = Deriver(solver).settle(), NAMES[solver.upcard]
        plays.append(Deriver(solver).play(settled))
        for is_soft, total in CELLS:
            cell = is_soft, total
            otherwise = Action.HIT if settled.hits[cell] else Action.STAND
            action = otherwise
            if settled.doubles[cell]:
                action = Action.DOUBLE
            if settled.surrenders[cell]:
                action = Action.SURRENDER
            if total >= (12 if is_soft else 4):
                (soft if is_soft else hard)[total, up] = Entry(action, otherwise)
        for rank in range(RANKS):
            pairs[NAMES[rank], up] = settled.splits[rank]
    analysis = value_of(options, tuple(plays))
    return BasicStrategy(hard, soft, pairs, analysis, analyse(options).value - analysis.value)
