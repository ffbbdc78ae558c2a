"""The compiled part of a simulation: cards are dealt, named as the solution names them, and compared with all that the
dealer may have."""

from typing import Any, NamedTuple

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from feltworks.kit.compiled import compiled
from feltworks.kit.fast_poker import Tables, value_of_sum
from feltworks.kit.philox import LOW, WORD, draw, rejected
from feltworks.lab.showdown.card_sets import BINOMIALS, CARDS, RANKS, SUITS, Ints, Sets

BLOCKS = 1024
"""How many blocks of four words are drawn at a time."""
_REJECT = np.array([0] + [rejected(ways) for ways in range(1, CARDS + 1)], np.uint64)


class Words(NamedTuple):
    """The chance of a chunk: what is drawn of it, where it goes on, and the pack as the last deal left it."""

    drawn: NDArray[np.uint64]
    place: NDArray[np.int64]
    """The next word, and the next block."""
    deck: Sets
    chunk: uint64
    key: uint64


def words_of(deck: Sets, chunk: int, key: int) -> Words:
    size = 4 * BLOCKS
    return Words(np.empty((4, BLOCKS), np.uint64), np.array([size, 0]), deck.copy(), uint64(chunk), uint64(key))


@compiled
def deal(words: Words, rows: Sets) -> None:
    """Deal each row from a whole pack, as the last deal has left it: every order of the cards is as likely."""
    drawn, place, deck, chunk, key = words
    size = drawn.size
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            ways = uint64(len(deck) - column)
            while True:
                if place[0] == size:
                    draw(drawn, uint64(place[1]), chunk, key)
                    place[0] = 0
                    place[1] += BLOCKS
                product = drawn[place[0] & 3, place[0] >> 2] * ways
                place[0] += 1
                if product & LOW >= _REJECT[np.int64(ways)]:
                    break
            chosen = column + np.int64(product >> WORD)
            card = deck[chosen]
            deck[chosen] = deck[column]
            deck[column] = card
            rows[row, column] = card


@compiled
def canonical_places(rows: Sets, starts: Ints, suits: Ints, places: Ints) -> None:
    """The place of each group of cards (from one of the `starts` to the next) after the exchange of suits by which the
    solution names them: suits in which the first group is higher, as a binary number of ranks, come first, and where
    they are alike the next group decides."""
    groups = len(starts) - 1
    masks = np.zeros((groups, SUITS), np.int64)
    order = np.zeros(SUITS, np.int64)
    for row in range(rows.shape[0]):
        masks[:] = 0
        for group in range(groups):
            for column in range(starts[group], starts[group + 1]):
                card = np.int64(rows[row, column])
                masks[group, card // RANKS] |= np.int64(1) << (card % RANKS)
        for i in range(len(suits)):
            suit, at = suits[i], i
            while at > 0 and _comes_first(masks, suit, order[at - 1]):
                order[at] = order[at - 1]
                at -= 1
            order[at] = suit
        for group in range(groups):
            place, size = np.int64(0), 0
            for i in range(len(suits)):
                for rank in range(RANKS):
                    if masks[group, order[i]] >> rank & 1:
                        size += 1
                        place += BINOMIALS[RANKS * suits[i] + rank, size]
            places[row, group] = place


@compiled
def _comes_first(masks: Ints, suit: Any, other: Any) -> bool:
    for group in range(masks.shape[0]):
        if masks[group, suit] != masks[group, other]:
            higher: bool = masks[group, suit] > masks[group, other]
            return higher
    return False


@compiled
def sealed_counts(rows: Sets, own: int, values: Ints, kinds: Ints, lookup: Tables, counts: Ints) -> None:
    """How every pair of sealed cards compares with the `own` cards on the board that follows: by kind of the
    dealer's hand, and whether that is worse, equal or better. The `values` of the seat's hands are told too."""
    left = np.zeros(CARDS, np.int64)
    for row in range(rows.shape[0]):
        board, board_bits, seen = uint64(0), uint64(0), uint64(0)
        mine = uint64(0)
        for column in range(rows.shape[1]):
            card = rows[row, column]
            bit = uint64(1) << uint64(card)
            seen |= bit
            if column < own:
                mine += lookup.words[card]
            else:
                board += lookup.words[card]
                board_bits |= bit
        value = np.int64(value_of_sum(board + mine, seen, lookup))
        values[row] = value
        size = 0
        for card in range(CARDS):
            if not seen >> uint64(card) & uint64(1):
                left[size] = card
                size += 1
        for i in range(size):
            first = board + lookup.words[left[i]]
            first_bits = board_bits | uint64(1) << uint64(left[i])
            for j in range(i):
                bits = first_bits | uint64(1) << uint64(left[j])
                dealer = np.int64(value_of_sum(first + lookup.words[left[j]], bits, lookup))
                order = 2 if dealer > value else 1 if dealer == value else 0
                counts[row, kinds[dealer], order] += 1
