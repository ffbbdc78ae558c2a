"""Card types where the seat decides after the fourth common card: what a hand is worth is summed over the river alone,
for every turn, where the best is taken, and then over the turns of every flop."""

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import (
    OFF_SUIT_COUNTS,
    RANK_PAIR_COUNT,
    counts_of,
    multisets,
    numbers_of_five,
    sets,
)
from feltworks.games.down_under_holdem.enumerator.sweep import ways_out_of_suit
from feltworks.lab.showdown.board_kernels import SuitBoards
from feltworks.lab.showdown.card_sets import CARDS, RANKS, SUITS, Ints, Sets
from feltworks.lab.showdown.card_types import IMPOSSIBLE, TYPES, ByCardTypes, Runouts, flops, suit_boards_for
from feltworks.lab.showdown.plan import Plan
from feltworks.lab.showdown.skeleton import Choice
from feltworks.lab.showdown.solution import Pays
from feltworks.lab.showdown.turn_kernels import (
    FOUR_OF_SUIT,
    THREE_OF_SUIT,
    TURN_ROWS,
    TWO_OF_SUIT,
    Flops,
    Streets,
    Sums,
    Times,
    chosen_on_turns,
    flop_worth_by_turns,
    turns_taken,
    worth_on_flop,
)


class ByCardTypesAndTurns(ByCardTypes):
    """Solves a game with a board by card types, with decisions on the turn."""

    words = (
        "Counted by card types: every board once by its ranks and the suit that can make a flush, and every turn of"
        " every flop."
    )
    estimate = 9.0

    def __init__(self, plan: Plan, pays: Pays) -> None:
        super().__init__(plan, pays)
        turn = self._renamed(self._course.first_on_turn, self._course.turn)
        self._streets = Streets(turn, self._flop_options)

    @property
    def _none(self) -> tuple[Ints, Ints]:
        channels = len(self._rules.up)
        base = np.zeros((channels, len(multisets(4)), RANK_PAIR_COUNT), np.int64)
        return base, np.zeros((channels, TURN_ROWS, TYPES), np.int64)

    @property
    def _runouts(self) -> Runouts:
        return _rivers()

    @property
    def _boards(self) -> list[SuitBoards]:
        return suit_boards_for(_turn_targets)

    @cached_property
    def _by_turn(self) -> Sums:
        """What each course is worth, summed over the river."""
        base, changes = self._sum()
        return Sums(np.moveaxis(base, 0, 2).copy(), np.moveaxis(changes, 0, 2).copy())

    @cached_property
    def _summed(self) -> tuple[Ints, NDArray[np.uint8]]:
        each = _every_flop()
        totals = np.zeros((comb(CARDS, 2), len(self._flop_nodes)), np.int64)
        chosen = np.full((max(1, self._course.flop), len(each.cards), comb(CARDS, 2)), IMPOSSIBLE, np.uint8)
        flop_worth_by_turns(each, _hands(), self._by_turn, self._streets, totals, chosen)
        return totals.T.copy(), chosen

    def _taken(self, start: Ints) -> tuple[Ints, Ints]:
        base, changes = self._none
        turns_taken(_every_flop(), _hands(), start, self._summed[1], self._streets, self._by_turn, Times(base, changes))
        return base, changes

    def on_flop(self, choice: Choice, own: Sequence[int], flop: Sequence[int]) -> dict[str, int]:
        worth = np.zeros((1, len(self._flop_nodes)), np.int64)
        worth_on_flop(np.array(flop, np.int64), np.array([own], np.int64), self._by_turn, self._streets, worth)
        return {name: int(worth[0, self._flop_nodes.index(self._course.number(node))]) for name, node in choice.options}

    def chosen_on_turn(self, choice: Choice, rows: Sets) -> NDArray[np.uint8]:
        """The number of the option that is best with each row of two hole cards, a flop and a turn."""
        chosen = np.empty(len(rows), np.uint8)
        number = self._course.number(choice) - self._course.first_on_turn
        chosen_on_turns(np.ascontiguousarray(rows), self._by_turn, self._streets.turn, number, chosen)
        return chosen


@cache
def _every_flop() -> Flops:
    return Flops(flops().cards, flops().weights)


@cache
def _hands() -> Ints:
    """Every pair of cards, by its place."""
    return np.array([(a, b) for b in range(CARDS) for a in range(b)], np.int64)


@cache
def _rivers() -> Runouts:
    """Every river after four common cards, by ranks."""
    left = SUITS - counts_of(list(multisets(4)))[:, :, None] - OFF_SUIT_COUNTS[:, :RANK_PAIR_COUNT]
    boards = numbers_of_five(list(multisets(4)), [(rank,) for rank in range(RANKS)])
    turns, rivers = np.nonzero(boards >= 0)
    return left[turns, rivers].astype(np.int8), turns.copy(), boards[turns, rivers]


def _turn_targets(suited: Sequence[tuple[int, ...]], others: tuple[int, ...]) -> tuple[Ints, Ints]:
    """The rows of changes that boards are in, by what the first four common cards have of them, and in how many ways
    the river then comes."""
    ways, one = ways_out_of_suit(), np.ones(TYPES, np.int64)
    size = len(suited[0])
    columns = [
        ([_row(tuple(ranks[i] for i in part), others) for ranks in suited], one)
        for part in combinations(range(size), size - 1)
    ]
    for rank in sorted(set(others)):
        left = list(others)
        left.remove(rank)
        columns.append(([_row(ranks, tuple(left)) for ranks in suited], ways[(rank,)] - left.count(rank)))
    return np.array([rows for rows, _ in columns]).T.copy(), np.array([times for _, times in columns])


def _row(suited: tuple[int, ...], others: tuple[int, ...]) -> int:
    """The row of changes for four common cards, by their ranks in the suit and out of it."""
    number = sets(len(suited))[suited]
    if len(suited) == 2:
        return TWO_OF_SUIT + number * len(multisets(2)) + multisets(2)[others]
    return THREE_OF_SUIT + number * RANKS + others[0] if len(suited) == 3 else FOUR_OF_SUIT + number
