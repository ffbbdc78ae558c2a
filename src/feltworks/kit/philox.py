"""Chance for compiled kernels, keyed by (run, chunk).

Philox 4x32-10 is a function of a key and a counter (Salmon, Moraes, Dror and Shaw 2011): the key is the seed, the
counter is the chunk and the number of the block. Each block is four words of 32 bits. What a chunk draws depends on
the seed and its number, and on nothing else, so that any number of threads can play chunks in any order.

A word holds several draws: times the number of ways, what lies above 32 bits is a draw, and what lies below goes on. A
word whose last remainder is below 2^32 modulo the number of all sequences of draws has to be thrown away, which leaves
as many words to each sequence (Lemire 2019).

Importing this module brings Numba with it, so only what computes imports it.
"""

import hashlib
from typing import Any, TypeVar

from numpy import uint64

from feltworks.kit.compiled import compiled

LOW, WORD, ONE = uint64(0xFFFFFFFF), uint64(32), uint64(1)
M0, M1, W0, W1 = uint64(0xD2511F53), uint64(0xCD9E8D57), uint64(0x9E3779B9), uint64(0xBB67AE85)

Result = TypeVar("Result")


@compiled
def draw(words: Any, block: Any, chunk: Any, key: Any) -> None:
    """The words of as many blocks as there is room for."""
    high, c2, c3 = block >> WORD, chunk & LOW, chunk >> WORD
    for i in range(words.shape[1]):
        a, b, c, d, x, y = (block + uint64(i)) & LOW, high, c2, c3, key & LOW, key >> WORD
        for _ in range(10):
            p, q = M0 * a, M1 * c
            a, b, c, d = (q >> WORD) ^ b ^ x, q & LOW, (p >> WORD) ^ d ^ y, p & LOW
            x, y = (x + W0) & LOW, (y + W1) & LOW
        words[0, i], words[1, i], words[2, i], words[3, i] = a, b, c, d


@compiled
def is_fair(word: Any, sequences: Any, reject: Any) -> Any:
    """Whether a word is none of those that some sequences of draws would have too many of."""
    return (word * sequences) & LOW >= reject


def rejected(sequences: int) -> int:
    """How many words are thrown away where there are so many sequences of draws."""
    return (1 << 32) % sequences


def key_of(seed: int) -> int:
    """Any whole number makes a key."""
    return int.from_bytes(hashlib.blake2b(str(seed).encode(), digest_size=8).digest(), "big")
