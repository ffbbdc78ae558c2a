"""Work that several threads or processes do side by side."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
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


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_all_processors(work: Callable[[Job], Result], jobs: Iterable[Job]) -> list[Result]:
    """The results of all jobs, in their order, by threads: for work that holds no lock, as compiled code does."""
    # With a thread more than processors, these share a job that is left over.
    with ThreadPoolExecutor(processors() + 1) as pool:
        return list(pool.map(work, jobs))


def in_chunks(
    play: Callable[[int, int], Result],
    quota: int,
    size: int,
    workers: int,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Result]:
    """What `play` gives for each chunk, in their order: it is told the chunk's number and its part of the quota."""
    with ThreadPoolExecutor(workers) as pool:
        done = 0
        parts = ((number, min(size, quota - number * size)) for number in range(-(-quota // size)))
        for result in in_turn(pool, lambda part: play(*part), parts, 2 * workers):
            yield result
            done = min(done + size, quota)
            if progress is not None:
                progress(done, quota)
