"""Basic strategy: play by the total alone, hard or soft, with a table of pairs.

How it is derived. For each upcard, a total is hit or stood on by what is better on average over all hands with that
total, each weighted with how often it is come to when this very table is followed (from the first two cards, split
pairs left out). Totals are settled from the last to the first, and again with the new weights until nothing changes.
So no single entry can be changed for the better of the hands that are not split. A total that is never come to is
weighted with how often its cards are drawn at all. Doubling and surrender go by the average over the first two cards.
A pair is split if that is better with its hands played by the same tables; if not, it is played by its total, and
counts there.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial

import numpy as np

from feltworks.games.blackjack.dealer import Chances
from feltworks.games.blackjack.exact import Analysis, analyse, starts, tables, value_of
from feltworks.games.blackjack.hands import ACE, NAMES, RANKS, TEN, all_hands
from feltworks.games.blackjack.options import Options
from feltworks.games.blackjack.solve import Action, Flags, Play, SplitPlay, Table, drawn_sum

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
    """An entry of the table."""

    action: Action
    """With the first two cards."""
    otherwise: Action
    """Hit or stand: with more cards, or where the action is not offered."""


@dataclass(frozen=True)
class BasicStrategy:
    """The tables, what they are worth, and what they cost against the best play by the cards."""

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
    found: dict[Cell, list[int]] = {cell: [] for cell in CELLS}
    for hand, (soft, total) in enumerate(zip(hands.soft.tolist(), hands.total.tolist(), strict=True)):
        if hands.size[hand] >= 2:
            found[soft, total].append(hand)
    return found


def _orders_at_all() -> Chances:
    """In how many orders the cards of each hand come."""
    cards = all_hands().cards
    factorials = np.array([factorial(number) for number in range(22)], np.float64)
    found: Chances = factorials[cards.sum(1)] / factorials[cards].prod(1)
    return found


@dataclass(frozen=True)
class Tables:
    """The tables for one upcard, as they are being settled."""

    hits: dict[Cell, bool]
    doubles: dict[Cell, bool]
    surrenders: dict[Cell, bool]
    splits: tuple[bool, ...]

    def flags(self) -> Flags:
        """Whether to hit, by hand."""
        hands = all_hands()
        found = np.zeros(len(hands), np.bool_)
        for cell, members in _cells().items():
            found[members] = self.hits[cell]
        return found


class Deriver:
    """Settles the tables for one upcard."""

    def __init__(self, table: Table) -> None:
        self.table, self.hands, self.options = table, table.hands, table.options
        self.cells = _cells()
        self.at_all = _orders_at_all()
        self.pairs = {self.hands.of(rank, rank): rank for rank in range(RANKS)}
        self.starts = {self.hands.of(low, high): orders for low, high, orders in starts() if (low, high) != (ACE, TEN)}

    def cell_of(self, hand: int) -> Cell:
        """Where a hand is looked up."""
        return bool(self.hands.soft[hand]), int(self.hands.total[hand])

    def split_play(self, tables: Tables, rank: int) -> SplitPlay:
        """How the hands of a split pair are played by the tables."""
        doubles = np.zeros(RANKS, np.bool_)
        for second in range(RANKS):
            hand = self.hands.of(rank, second)
            doubles[second] = self.table.doubles_split(rank, hand) and tables.doubles[self.cell_of(hand)]
        hits = tables.flags()
        if self.options.one_card(rank):
            hits = np.zeros_like(hits)
        return SplitPlay(hits, hits, doubles)

    def _weights(self, tables: Tables) -> Chances:
        """In how many orders each hand is come to as one to hit or to stand on."""
        orders = np.zeros(len(self.hands))
        hits = tables.flags()
        for hand, times in self.starts.items():
            cell = self.cell_of(hand)
            if hand in self.pairs and tables.splits[self.pairs[hand]]:
                continue
            if not (tables.surrenders[cell] or (tables.doubles[cell] and self._may_double(hand))):
                orders[hand] = times
        for hand in range(len(self.hands)):
            if orders[hand] and hits[hand]:
                after = self.hands.after[hand]
                orders[after[after >= 0]] += orders[hand]
        return orders

    def _may_double(self, hand: int) -> bool:
        return self.options.may_double(int(self.hands.hard[hand]), bool(self.hands.soft[hand]))

    def settle(self) -> Tables:
        """The tables where no entry can be bettered by itself."""
        tables = Tables(
            {(soft, total): total < (18 if soft else 17) for soft, total in CELLS},
            dict.fromkeys(CELLS, False),
            dict.fromkeys(CELLS, False),
            (False,) * RANKS,
        )
        for _ in range(20):
            further = self._settle_once(tables)
            if further == tables:
                break
            tables = further
        return tables

    def _settle_once(self, tables: Tables) -> Tables:
        table, weights = self.table, self._weights(tables)
        value, hits = table.stand.copy(), dict(tables.hits)
        for cell in CELLS:
            members = self.cells[cell]
            hit = {hand: drawn_sum(value, hand) for hand in members}
            better = {hand: hit[hand] - float(table.stand[hand]) for hand in members}
            orders = weights if any(weights[hand] * table.reach[hand] for hand in members) else self.at_all
            hits[cell] = sum(orders[hand] * better[hand] for hand in members) > 0
            if hits[cell]:
                for hand in members:
                    value[hand] = hit[hand]
        doubles, surrenders = dict(tables.doubles), dict(tables.surrenders)
        for cell in CELLS:
            members = [
                hand
                for hand in self.cells[cell]
                if hand in self.starts and not (hand in self.pairs and tables.splits[self.pairs[hand]])
            ] or [hand for hand in self.cells[cell] if hand in self.starts]
            nets = dict.fromkeys(Action, 0.0)
            for hand in members:
                for action, net in table.nets(hand, value).items():
                    nets[action] += self.starts[hand] * net
            plain = nets[Action.HIT] if hits[cell] else nets[Action.STAND]
            may_double = any(self._may_double(hand) for hand in members)
            doubles[cell] = may_double and nets[Action.DOUBLE] > plain
            best = max(plain, nets[Action.DOUBLE]) if may_double else plain
            surrenders[cell] = bool(members) and self.options.surrenders and nets[Action.SURRENDER] > best
        found = Tables(hits, doubles, surrenders, tables.splits)
        return Tables(hits, doubles, surrenders, tuple(self._splits(found, rank, value) for rank in range(RANKS)))

    def first(self, tables: Tables, hand: int) -> Action:
        """What the tables do with two cards that are not split."""
        cell = self.cell_of(hand)
        if tables.surrenders[cell]:
            return Action.SURRENDER
        if tables.doubles[cell] and self._may_double(hand):
            return Action.DOUBLE
        return Action.HIT if tables.hits[cell] else Action.STAND

    def _splits(self, tables: Tables, rank: int, value: Chances) -> bool:
        hand = self.hands.of(rank, rank)
        split = self.table.split(rank, self.split_play(tables, rank)).net * float(self.table.reach[hand])
        return split > self.table.nets(hand, value)[self.first(tables, hand)]

    def play(self, tables: Tables) -> Play:
        """The tables as play by hands."""
        first = np.zeros(len(self.hands), np.int8)
        for hand in self.starts:
            split = hand in self.pairs and tables.splits[self.pairs[hand]]
            first[hand] = Action.SPLIT if split else self.first(tables, hand)
        return Play(tables.flags(), first, tuple(self.split_play(tables, rank) for rank in range(RANKS)))


@lru_cache(maxsize=8)
def total_dependent(options: Options) -> BasicStrategy:
    """Basic strategy for a table, with its exact value and cost."""
    hard: dict[tuple[int, str], Entry] = {}
    soft: dict[tuple[int, str], Entry] = {}
    pairs: dict[tuple[str, str], bool] = {}
    plays = []
    for table in tables(options):
        settled, up = Deriver(table).settle(), NAMES[table.upcard]
        plays.append(Deriver(table).play(settled))
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
