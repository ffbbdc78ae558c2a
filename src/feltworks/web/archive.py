"""Reading the records while the house writes them: a reader with a thread of its own, so that nobody waits for it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from feltworks.floor.store.reader import Reader

T = TypeVar("T")


class Archive:
    """One question after the other, each answered from the file."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, name)
        self._reader: Reader | None = None

    async def ask(self, question: Callable[[Reader], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, question)

    async def stream(self, make: Callable[[Reader], Iterator[bytes]]) -> AsyncIterator[bytes]:
        """The pieces of something long, each a question of its own: others are answered between two of them, and
        nothing is read before it is wanted."""
        pieces = await self.ask(make)
        while (piece := await self.ask(lambda _: next(pieces, None))) is not None:
            yield piece

    def _answer(self, question: Callable[[Reader], T]) -> T:
        if self._reader is None:
            self._reader = Reader(self._path)
        return question(self._reader)

    def close(self) -> None:
        """No more questions; one that takes long is given up."""
        if self._reader is not None:
            self._reader.give_up()
            self._thread.submit(self._reader.close)
        self._thread.shutdown()
