"""Timing by processor seconds, which foreign load on a shared machine disturbs least."""

import time
from collections.abc import Callable, Iterator

Row = tuple[str, float, str]
"""What was measured, its processor seconds, and what it is compared with."""

Rows = Iterator[Row]


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
