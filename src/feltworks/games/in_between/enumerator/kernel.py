"""The compiled kernel of the bonus wager: three cards, by the hundred million.

Importing this module brings Numba with it, so only what computes imports it.
"""

from typing import NamedTuple

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from feltworks.kit.compiled import compiled
from feltworks.kit.enumerator import Progress
from feltworks.kit.philox import LOW, WORD, draw, is_fair, key_of, rejected
from feltworks.kit.workers import in_chunks

RANKS = 13
SUITS = 4
DRAWN = 3
"""The seat's first card, the upcard, the seat's second card."""
BLOCKS = 1 << 10
"""How many blocks of chance are drawn at a time. A block gives one deal: three cards of a word each."""
CHUNK_DEALS = 1 << 22
"""How much is dealt in one chunk."""


class Shoe(NamedTuple):
    """What is dealt from."""

    cards: uint64
    cards_of_rank: uint64
    limits: NDArray[np.uint64]
    """By the number of cards drawn before: how many words of chance are thrown away."""


@compiled
def _deal(counts: NDArray[np.int64], deals: uint64, shoe: Shoe, chunk: uint64, key: uint64) -> None:
    """Deal so many times three cards of the shoe, and count them by their ranks."""
    cards, each, limits = shoe
    words = np.empty((4, BLOCKS), uint64)
    block, done = uint64(0), uint64(0)
    one, two = uint64(1), uint64(2)
    while done < deals:
        draw(words, block, chunk, key)
        block += uint64(BLOCKS)
        for i in range(BLOCKS):
            if done == deals:
                break
            a, b, c = words[0, i], words[1, i], words[2, i]
            fair = is_fair(a, cards, limits[0]) and is_fair(b, cards - one, limits[1])
            if not (fair and is_fair(c, cards - two, limits[2])):
                continue
            first, upcard, second = (a * cards) >> WORD, (b * (cards - one)) >> WORD, (c * (cards - two)) >> WORD
            # The second card is one of those that are left, and so is the third.
            if upcard >= first:
                upcard += one
            low, high = min(first, upcard), max(first, upcard)
            if second >= low:
                second += one
            if second >= high:
                second += one
            counts[first // each, upcard // each, second // each] += 1
            done += one


def simulate(decks: int, rounds: int, seed: int, workers: int, progress: Progress | None) -> NDArray[np.int64]:
    """How often each first card, upcard and second card came up, by rank from 2 to ace."""
    each = SUITS * decks
    cards = RANKS * each
    assert cards <= LOW
    limits = np.array([rejected(cards - before) for before in range(DRAWN)], uint64)
    shoe, key = Shoe(uint64(cards), uint64(each), limits), uint64(key_of(seed))

    def play(number: int, part: int) -> NDArray[np.int64]:
        counts = np.zeros((RANKS,) * DRAWN, np.int64)
        _deal(counts, uint64(part), shoe, uint64(number), key)
        return counts

    totals = np.zeros((RANKS,) * DRAWN, np.int64)
    for counts in in_chunks(play, rounds, CHUNK_DEALS, workers, progress):
        totals += counts
    return totals
