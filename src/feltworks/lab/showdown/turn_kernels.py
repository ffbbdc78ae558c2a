"""The compiled part of counting by card types where the seat decides after the fourth common card.

What a hand is worth on four common cards, summed over the river, is what their ranks are worth, and beside that, for
each suit of which they have two cards or more, what its flushes change. This module imports little, so that what is
compiled of it is kept when other code changes.
"""

from itertools import permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import TYPE_NUMBER, multisets, sets
from feltworks.kit.compiled import compiled
from feltworks.lab.showdown.card_sets import CARDS, RANKS, SUITS, Ints

_KIND = TYPE_NUMBER.copy()
MOST_SUITS = 2
"""So many suits can have two cards of four, which one more makes three."""


def _numbers(every: dict[tuple[int, ...], int], size: int) -> Ints:
    """The number of so many ranks in any order; -1 where there is none."""
    table = np.full((RANKS,) * size, -1, np.int64)
    for ranks, number in every.items():
        for order in permutations(ranks):
            table[order] = number
    return table


_RANKS_OF_FOUR, _PAIRS = _numbers(multisets(4), 4), _numbers(multisets(2), 2)
_TWO, _THREE, _FOUR = (_numbers(sets(size), size) for size in (2, 3, 4))
TWO_OF_SUIT = 0
THREE_OF_SUIT = comb(RANKS, 2) * len(multisets(2))
FOUR_OF_SUIT = THREE_OF_SUIT + comb(RANKS, 3) * RANKS
TURN_ROWS = FOUR_OF_SUIT + comb(RANKS, 4)
"""Where the rows of changes begin, by how many of four common cards are of the suit, and how many rows there are: each
for the ranks in the suit and those out of it."""


class Turns(NamedTuple):
    """What is asked of four common cards, by the last of them."""

    ranks: Ints
    """The number of their ranks."""
    suits: Ints
    """The suits of which there are two or more, -1 where there are no more."""
    rows: Ints
    """The row of changes of each of these suits."""


class Flops(NamedTuple):
    """Every flop that no exchange of suits turns into another."""

    cards: Ints
    weights: Ints


class Streets(NamedTuple):
    """Where the options of the decisions on the turn and on the flop lead to, -1 where there are no more. The nodes are
    first what is summed over the river, then the decisions on the turn, then those on the flop."""

    turn: Ints
    flop: Ints


class Sums(NamedTuple):
    """What courses are worth on four common cards, summed over the river. The course comes last, so that what is looked
    up together lies together."""

    base: Ints
    """By ranks, the pair of hole ranks, and course."""
    changes: Ints
    """By what a suit has, the type of the hole cards, and course."""


class Times(NamedTuple):
    """How often courses are taken on four common cards, in the same parts, by course first."""

    base: Ints
    changes: Ints


@compiled
def new_turns() -> Turns:
    shape = (CARDS, MOST_SUITS)
    return Turns(np.full(CARDS, -1, np.int64), np.full(shape, -1, np.int64), np.zeros(shape, np.int64))


@compiled
def _look_at(cards: Ints, turns: Turns, last: int) -> None:
    """Four common cards."""
    ranks = cards % RANKS
    turns.ranks[last] = _RANKS_OF_FOUR[ranks[0], ranks[1], ranks[2], ranks[3]]
    turns.suits[last, :] = -1
    found = 0
    mine, others = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for suit in range(SUITS):
        size = 0
        for i in range(4):
            if cards[i] // RANKS == suit:
                mine[size] = ranks[i]
                size += 1
            else:
                others[i - size] = ranks[i]
        if size < 2:
            continue
        if size == 2:
            row = TWO_OF_SUIT + _TWO[mine[0], mine[1]] * (RANKS * (RANKS + 1) // 2) + _PAIRS[others[0], others[1]]
        elif size == 3:
            row = THREE_OF_SUIT + _THREE[mine[0], mine[1], mine[2]] * RANKS + others[0]
        else:
            row = FOUR_OF_SUIT + _FOUR[mine[0], mine[1], mine[2], mine[3]]
        turns.suits[last, found], turns.rows[last, found] = suit, row
        found += 1


@compiled
def _look_at_turns(flop: Ints, turns: Turns) -> None:
    """Every turn on a flop; those that are on it have no ranks."""
    cards = np.zeros(4, np.int64)
    cards[:3] = flop
    for turn in range(CARDS):
        turns.ranks[turn] = -1
        if turn not in (flop[0], flop[1], flop[2]):
            cards[3] = turn
            _look_at(cards, turns, turn)


@compiled
def _type_for(suit: int, a: int, b: int) -> int:
    """The type of two hole cards as a suit sees them."""
    first = a % RANKS + (RANKS if a // RANKS == suit else 0)
    second = b % RANKS + (RANKS if b // RANKS == suit else 0)
    kind: int = _KIND[first, second]
    return kind


@compiled
def _best(options: Ints, first: int, worth: Ints, taken: NDArray[np.uint8]) -> None:
    """Take the best option of each decision, of equal ones the first; the decisions stand in `worth` from `first`."""
    for choice in range(options.shape[0]):
        best, which = worth[options[choice, 0]], 0
        for option in range(1, options.shape[1]):
            node = options[choice, option]
            if node >= 0 and worth[node] > best:
                best, which = worth[node], option
        worth[first + choice] = best
        taken[choice] = which


@compiled
def _on_turn(
    turns: Turns, turn: int, a: int, b: int, sums: Sums, options: Ints, worth: Ints, taken: NDArray[np.uint8]
) -> None:
    """What the nodes on a turn are worth with a hand, and what is chosen."""
    ranks, pair = turns.ranks[turn], _KIND[a % RANKS, b % RANKS]
    channels = sums.base.shape[2]
    for channel in range(channels):
        worth[channel] = sums.base[ranks, pair, channel]
    for k in range(MOST_SUITS):
        suit = turns.suits[turn, k]
        if suit >= 0:
            row, kind = turns.rows[turn, k], _type_for(suit, a, b)
            for channel in range(channels):
                worth[channel] += sums.changes[row, kind, channel]
    _best(options, channels, worth, taken)


@compiled
def _sum_turns(turns: Turns, sums: Sums, streets: Streets, worth: Ints, hands: Ints) -> None:
    """What the nodes are worth on a flop before its own decisions, summed over the turn: by the place of each of the
    hands."""
    before = sums.base.shape[2] + streets.turn.shape[0]
    one, taken = np.zeros(before, np.int64), np.zeros(streets.turn.shape[0], np.uint8)
    worth[:] = 0
    for turn in range(CARDS):
        if turns.ranks[turn] < 0:
            continue
        for row in range(hands.shape[0]):
            a, b = hands[row, 0], hands[row, 1]
            if turns.ranks[a] >= 0 and turns.ranks[b] >= 0 and turn not in (a, b):
                _on_turn(turns, turn, a, b, sums, streets.turn, one, taken)
                for node in range(before):
                    worth[row, node] += one[node]


@compiled
def worth_on_flop(flop: Ints, hands: Ints, sums: Sums, streets: Streets, worth: Ints) -> None:
    """What every node on a flop is worth with some hands."""
    turns, before = new_turns(), sums.base.shape[2] + streets.turn.shape[0]
    _look_at_turns(flop, turns)
    _sum_turns(turns, sums, streets, worth, hands)
    taken = np.zeros(streets.flop.shape[0], np.uint8)
    for row in range(hands.shape[0]):
        _best(streets.flop, before, worth[row], taken)


@compiled
def flop_worth_by_turns(
    flops: Flops, hands: Ints, sums: Sums, streets: Streets, totals: Ints, chosen: NDArray[np.uint8]
) -> None:
    """What every node on the flop is worth with every hand, summed over the flops, and what is chosen there."""
    turns, before = new_turns(), sums.base.shape[2] + streets.turn.shape[0]
    worth, taken = np.zeros(totals.shape, np.int64), np.zeros(streets.flop.shape[0], np.uint8)
    for number in range(flops.cards.shape[0]):
        _look_at_turns(flops.cards[number], turns)
        _sum_turns(turns, sums, streets, worth, hands)
        for row in range(hands.shape[0]):
            if turns.ranks[hands[row, 0]] < 0 or turns.ranks[hands[row, 1]] < 0:
                continue
            _best(streets.flop, before, worth[row], taken)
            for choice in range(taken.size):
                chosen[choice, number, row] = taken[choice]
            for node in range(totals.shape[1]):
                totals[row, node] += flops.weights[number] * worth[row, node]


@compiled
def turns_taken(
    flops: Flops, hands: Ints, start: Ints, chosen: NDArray[np.uint8], streets: Streets, sums: Sums, times: Times
) -> None:
    """How often each course goes on from the turns, by what the sums over the river are made of."""
    turns, channels = new_turns(), sums.base.shape[2]
    before = channels + streets.turn.shape[0]
    worth, taken = np.zeros(before, np.int64), np.zeros(streets.turn.shape[0], np.uint8)
    for number in range(flops.cards.shape[0]):
        weight = flops.weights[number]
        _look_at_turns(flops.cards[number], turns)
        for turn in range(CARDS):
            if turns.ranks[turn] < 0:
                continue
            for place in range(hands.shape[0]):
                a, b = hands[place, 0], hands[place, 1]
                if turns.ranks[a] < 0 or turns.ranks[b] < 0 or turn in (a, b):
                    continue
                node = start[place]
                while node >= before:
                    node = streets.flop[node - before, chosen[node - before, number, place]]
                if node >= channels:
                    _on_turn(turns, turn, a, b, sums, streets.turn, worth, taken)
                    while node >= channels:
                        node = streets.turn[node - channels, taken[node - channels]]
                times.base[node, turns.ranks[turn], _KIND[a % RANKS, b % RANKS]] += weight
                for k in range(MOST_SUITS):
                    suit = turns.suits[turn, k]
                    if suit >= 0:
                        times.changes[node, turns.rows[turn, k], _type_for(suit, a, b)] += weight


@compiled
def chosen_on_turns(rows: NDArray[np.uint8], sums: Sums, options: Ints, choice: int, chosen: NDArray[np.uint8]) -> None:
    """What is chosen with each row of two hole cards, a flop and a turn."""
    turns, cards = new_turns(), np.zeros(4, np.int64)
    worth, taken = np.zeros(sums.base.shape[2] + options.shape[0], np.int64), np.zeros(options.shape[0], np.uint8)
    for row in range(rows.shape[0]):
        for i in range(4):
            cards[i] = rows[row, 2 + i]
        _look_at(cards, turns, 0)
        _on_turn(turns, 0, np.int64(rows[row, 0]), np.int64(rows[row, 1]), sums, options, worth, taken)
        chosen[row] = taken[choice]
