"""A verification of the records, asked for on a page and done by a process of its own. There is one at a time, and the
last result is kept until the next one."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.verification.process import Asked, Failure, Finding, Progress, Told

COMMAND = (sys.executable, "-P", "-m", "feltworks.floor.verification.process")
LARGEST = 2**20
"""No line that it tells has more bytes."""

_log = logging.getLogger("feltworks.verification")
_decode = msgspec.json.Decoder(Told).decode


@dataclass
class Run:
    """A verification, done or under way."""

    by: str
    """The id of whoever asked for it."""
    began: int
    progress: Progress | None = None
    result: Finding | Failure | None = None
    ended: int = 0


class Verification:
    def __init__(self, house: House, command: Sequence[str] = COMMAND) -> None:
        self.house, self.command = house, command
        self.last: Run | None = None
        """The last one; while one is under way, that."""
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, by: str) -> None:
        if self.is_running:
            raise Refused("A verification is under way; wait until it is done.")
        self.last = run = Run(by, self.house.clock())
        self._task = asyncio.create_task(self._follow(run))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _follow(self, run: Run) -> None:
        try:
            run.result = await self._result(run)
        except (OSError, ValueError) as fault:  # it could not be started, or said something else
            _log.error("The records could not be verified: %s", fault)
            run.result = Failure("The verification could not be run; the log of the server says why.")
        run.ended = self.house.clock()
        ok = isinstance(run.result, Finding) and run.result.is_ok
        _log.log(logging.INFO if ok else logging.ERROR, "The records were verified: %s", _short(run.result))

    async def _result(self, run: Run) -> Finding | Failure:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*self.command, stdin=pipe, stdout=pipe, limit=LARGEST)
        assert process.stdin is not None and process.stdout is not None
        try:
            asked = Asked(str(self.house.store.path), self.house.keys.public, self.house.head)
            with suppress(RuntimeError):  # where it has ended before anybody could ask it, the pipe is closed
                process.stdin.write(msgspec.json.encode(asked) + b"\n")
            async for line in process.stdout:
                told: Told = _decode(line)
                if not isinstance(told, Progress):
                    return told
                run.progress = told
            return Failure("The verification was ended from outside, and found nothing out.")
        finally:
            process.stdin.close()  # it ends with that, and takes its copy away
            await asyncio.shield(process.wait())


def _short(result: Finding | Failure) -> str:
    if isinstance(result, Failure):
        return result.why
    found = len(result.problems) + result.more
    return f"{result.counts} {'Everything is in order.' if result.is_ok else f'{found} problems.'}"
