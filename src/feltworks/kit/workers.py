"""Work that several threads or processes do side by side."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from itertools import islice
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def in_turn(pool: Executor, work: Callable[[Job], Result], jobs: Iterable[Job], ahead: int) -> Iterator[Result]:
    """The results of all jobs, in their order.

    No more than `ahead` jobs are given out before their turn, and none of them stays where one fails: a pool ends when
    it has done what it was given, and who interrupts a thousand million rounds means now.
    """
    left = iter(jobs)
    waiting = deque(pool.submit(work, job) for job in islice(left, ahead))
    try:
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(pool.submit(work, job) for job in islice(left, 1))
            yield result
    finally:
        for future in waiting:
            future.cancel()
