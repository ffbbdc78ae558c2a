"""Jobs that are done side by side come back in their order, and an interrupt waits for few of them."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from threading import Event

import pytest

from feltworks.kit.workers import in_turn, on_all_processors


def test_results_come_in_the_order_of_the_jobs_and_few_jobs_are_given_out_ahead() -> None:
    given = count()
    with ThreadPoolExecutor(3) as pool:
        results = in_turn(pool, lambda n: n * n, (next(given) for _ in range(10**12)), ahead=4)
        assert list(islice(results, 5)) == [0, 1, 4, 9, 16]
        results.close()  # type: ignore[attr-defined]
    assert next(given) == 4 + 5


def test_all_jobs_are_done_however_few_or_many() -> None:
    with ThreadPoolExecutor(2) as pool:
        for jobs in (0, 1, 3, 50):
            assert list(in_turn(pool, str, range(jobs), ahead=4)) == [str(n) for n in range(jobs)]


def test_where_one_job_fails_those_that_wait_are_not_done() -> None:
    done, go = [], Event()

    def work(job: int) -> None:
        if job == 0:
            raise KeyboardInterrupt
        go.wait()
        done.append(job)

    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(KeyboardInterrupt):
            list(in_turn(pool, work, range(10**12), ahead=8))
        go.set()
    assert done in ([], [1])  # the one that was begun


def test_work_on_all_processors_gives_its_results_in_the_order_of_the_jobs() -> None:
    assert on_all_processors(str, range(20)) == [str(job) for job in range(20)]
