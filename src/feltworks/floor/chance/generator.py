"""The system's own generator (F-21): a ChaCha20 keystream, its values used in order and none of them twice.

Exact enough to be written again:

- The stream is the keystream of ChaCha20 (RFC 8439) with the seed as key, a nonce of twelve zero bytes and
  the block counter starting at 0. After 256 GiB it refuses to go on: it never repeats itself.
- A number below n takes the fewest bytes that can hold n - 1 (none if n is 1), as a big-endian number. Let
  m be the largest multiple of n that is not above 256 to the number of bytes. A number of m or more is
  thrown away and the next bytes are taken; otherwise the answer is its remainder by n. The m numbers that
  are kept fall evenly on the n answers; how many were thrown away tells nothing about the answer.
- A shuffle goes from the last place down to the second: place p, counted from 0, swaps its item with that
  of the place given by a number below p + 1.
- A die shows 1 plus a number below 6; dice are rolled one after the other.
- A wheel stops at the pocket with a number below the number of its pockets, counted from 0 in their order.

A seed serves one purpose only, such as one shoe. Whoever has it knows all that follows.
"""

import secrets
from collections.abc import Iterable
from typing import TypeVar

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from feltworks.kit.errors import BadValue

T = TypeVar("T")

SEED_BYTES = 32
_COUNTER_AND_NONCE = bytes(16)
_AHEAD = 1024


def fresh_seed() -> bytes:
    """A seed that nobody can know, from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


class Generator:
    """Random bytes, numbers, orders and rolls, all from one seed."""

    __slots__ = ("_at", "_buffer", "_stream")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise BadValue(f"A seed of {len(seed)} bytes cannot be; give {SEED_BYTES}.")
        self._stream = Cipher(algorithms.ChaCha20(seed, _COUNTER_AND_NONCE), mode=None).encryptor()
        self._buffer = b""
        self._at = 0

    def raw(self, count: int) -> bytes:
        """The next bytes of the stream."""
        if count < 0:
            raise ValueError("the stream only goes forward")
        end = self._at + count
        if end > len(self._buffer):
            self._buffer = self._buffer[self._at :] + self._stream.update(bytes(max(count, _AHEAD)))
            self._at, end = 0, count
        taken = self._buffer[self._at : end]
        self._at = end
        return taken

    def below(self, bound: int) -> int:
        """A number from 0 to below the bound, each equally likely."""
        if bound < 1:
            raise ValueError("there is no number from 0 to below that bound")
        width = ((bound - 1).bit_length() + 7) // 8
        multiple = 256**width // bound * bound
        while (value := int.from_bytes(self.raw(width), "big")) >= multiple:
            pass
        return value % bound

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order, each order equally likely."""
        order = list(items)
        for place in range(len(order) - 1, 0, -1):
            other = self.below(place + 1)
            order[place], order[other] = order[other], order[place]
        return order

    def roll(self, dice: int) -> tuple[int, ...]:
        """What so many dice show."""
        return tuple(1 + self.below(6) for _ in range(dice))
