"""The time of the house (F-30): it begins with the wall clock and goes on with the monotonic one.

A wall clock is set back and forward by people, time servers and sleeping machines. Whoever waits by it waits too long
or not at all. So the house does not follow it at once: it goes a thousandth faster or slower at most, until both are
the same again, and says when the wall clock has jumped.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

Time = int
"""Milliseconds of UTC since 1970."""
JUMP = 1_000
"""A wall clock that moved by more milliseconds than this has jumped."""
MOST_DRIFT = 1_000
"""In millionths: clocks that part or meet more slowly than this drift. Time servers correct them by half of that."""
_MS = 1_000_000
_AT_ONCE = 100 * _MS


class Jump(NamedTuple):
    """By how many milliseconds the wall clock jumped, and what it shows now."""

    by: int
    wall: Time


class SteadyClock:
    """Wall and monotonic time are given in nanoseconds."""

    def __init__(
        self, wall: Callable[[], int] = time.time_ns, monotonic: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._read, self._time = self._both()
        self._apart = self._time - self._read
        """How far the wall clock should be from the monotonic one, by what is known of its drift and its jumps."""
        self._pull = 0
        """By how many millionths the house goes faster than the monotonic clock."""

    def __call__(self) -> Time:
        return self._at(self._monotonic()) // _MS

    def jumped(self) -> Jump | None:
        """Compare with the wall clock: how it has jumped since the last look, if it has."""
        read, wall = self._both()
        drift = (read - self._read) * MOST_DRIFT // 1_000_000
        self._read, self._time = read, self._at(read)
        self._pull = _within((wall - self._time) // _MS, MOST_DRIFT)
        moved = wall - read - self._apart
        followed = _within(moved, drift)
        self._apart += followed
        if abs(moved - followed) <= JUMP * _MS:
            return None
        self._apart = wall - read
        return Jump(moved // _MS, wall // _MS)

    def _at(self, read: int) -> int:
        passed = read - self._read
        return self._time + passed + passed * self._pull // 1_000_000

    def _both(self) -> tuple[int, int]:
        """Both clocks at one moment: not with a pause of the process in between, which would look like a jump."""
        while True:
            before, wall, after = self._monotonic(), self._wall(), self._monotonic()
            if after - before < _AT_ONCE:
                return before, wall


def _within(value: int, most: int) -> int:
    return max(-most, min(most, value))
