"""The lab at the server's side: live questions go to processes of their own, and the server computes nothing.

There are two, so that a long count does not hold up what is known quickly: one walks the rules of games, the other
counts deals. Each has one question in work and a short queue. Whatever becomes of them, whoever asks is answered: a
full queue, a process that died or one that takes too long come to a sentence, and the tables go on.
"""

import asyncio
import logging
import sys
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal

import msgspec

from feltworks.kit.errors import FeltworksError
from feltworks.kit.questions import Answer, Elsewhere, Failed, Question

NOT_NOW = "The figures are not there now; ask again in a moment."
NEWER = "You have asked something else since."
COMMAND = (sys.executable, "-P", "-m", "feltworks.lab.process")
START = 2.0
"""Seconds after the server's start at which the processes start, if nobody asks before."""
PATIENCE = 20.0
"""Seconds that an answer may take; then its process is ended and another one started."""
MOST_WAITING = 32
KEPT = 512
"""How many answers are remembered."""
FIRST_REST, LONGEST_REST = 0.5, 60.0
"""Seconds until a process that ended is started again: longer each time, until one of them has answered something."""
LARGEST = 2**20
"""No answer has more bytes than this."""

_log = logging.getLogger("feltworks.lab")
_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Answer)


Fate = Literal["answered", "remembered", "given up", "refused"]


class NotNow(FeltworksError):
    """There is no answer now."""


class Asked:
    """A question, and who waits for its answer."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.askers: set[str] = set()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def refuse(self, why: str) -> None:
        if not self.answer.done():
            self.answer.set_exception(NotNow(why))
            self.answer.exception()  # it is no fault if nobody waits for it any more


class Lane:
    """One process, and the questions that wait for it."""

    def __init__(self, command: Sequence[str], patience: float, most: int) -> None:
        self.command, self.patience, self.most = command, patience, most
        self.fates: Counter[Fate] = Counter()
        """What became of the questions."""
        self.restarts = 0
        self.process: asyncio.subprocess.Process | None = None
        self.waiting: OrderedDict[bytes, Asked] = OrderedDict()
        self.in_work: Asked | None = None
        self._kept: OrderedDict[bytes, Answer] = OrderedDict()
        self._wanted = asyncio.Event()
        self._resting = False
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> str:
        if self._task is None or self._resting:
            return "down"
        return "starting" if self.process is None else "up"

    def start(self) -> None:
        self._task = asyncio.create_task(self._serve())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    async def ask(self, line: bytes, asker: str) -> Answer:
        """The answer to a question. One that many ask is answered once; an older one of the same asker is given up if
        it still waits and nobody else wants to know it."""
        if line in self._kept:
            self._kept.move_to_end(line)
            self.fates["remembered"] += 1
            return self._kept[line]
        self._give_up_older(line, asker)
        asked = self.in_work if self.in_work is not None and self.in_work.line == line else self.waiting.get(line)
        if asked is None:
            if self.state == "down" or len(self.waiting) >= self.most:
                self.fates["refused"] += 1
                raise NotNow(NOT_NOW)
            asked = self.waiting[line] = Asked(line)
            self._wanted.set()
        asked.askers.add(asker)
        return await asyncio.shield(asked.answer)

    def _give_up_older(self, line: bytes, asker: str) -> None:
        for older in [asked for asked in self.waiting.values() if asker in asked.askers and asked.line != line]:
            older.askers.discard(asker)
            if asker and not older.askers:
                del self.waiting[older.line]
                self.fates["given up"] += 1
                older.refuse(NEWER)

    # The process.

    async def _serve(self) -> None:
        """Keep a process that answers; when it ends, rest and start another one."""
        rest = FIRST_REST
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wanted.wait(), START)
        try:
            while True:
                self._resting = False
                answered = self.fates["answered"]
                made_place = False
                try:
                    made_place = await self._with_a_process() and self.fates["answered"] > answered
                except OSError as fault:
                    _log.warning("The lab process could not be started: %s", fault)
                self._kept.clear()  # the next process may be of other code
                self.restarts += 1
                if made_place:
                    self._put_back()
                    continue
                self._refuse_all(NOT_NOW)
                self._resting = True
                rest = FIRST_REST if self.fates["answered"] > answered else min(2 * rest, LONGEST_REST)
                await self._rest(rest)
        finally:
            self._refuse_all(NOT_NOW)

    async def _rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _with_a_process(self) -> bool:
        """Whether the process ended of its own accord, to make place for another one."""
        pipe = asyncio.subprocess.PIPE
        # An interrupt from the keyboard is the server's; it ends its processes itself.
        process = await asyncio.create_subprocess_exec(
            *self.command, stdin=pipe, stdout=pipe, start_new_session=True, limit=LARGEST
        )
        self.process = process
        try:
            why = await self._answer_with(process)
            made_place = await _ended_well(process)
            if not made_place:
                _log.warning("The lab process %s; it is started again.", why)
            return made_place
        finally:
            self.process = None
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _answer_with(self, process: asyncio.subprocess.Process) -> str:
        """Have one question after the other answered; why that came to an end."""
        assert process.stdin is not None
        assert process.stdout is not None
        while True:
            said = asyncio.ensure_future(process.stdout.readline())
            try:
                if not await self._take_next(said):
                    return "spoke unasked" if _line(said) else "has ended"
                assert self.in_work is not None
                with suppress(RuntimeError):  # where the process has ended meanwhile, the pipe is closed
                    process.stdin.write(self.in_work.line + b"\n")
                await asyncio.wait({said}, timeout=self.patience)
            finally:
                said.cancel()
            if said.cancelled() or not said.done():
                return f"took longer than {self.patience:.0f} seconds"
            if not (line := _line(said)):
                return "has ended in the midst of a question"
            try:
                self._settle(_decoder.decode(line))
            except msgspec.DecodeError:
                return "answered what nobody understands"

    async def _take_next(self, said: "asyncio.Future[bytes]") -> bool:
        """Wait for the next question, and take it into work; unless the process says something before."""
        while not self.waiting:
            self._wanted.clear()
            wanted = asyncio.ensure_future(self._wanted.wait())
            first: list[asyncio.Future[Any]] = [said, wanted]
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            wanted.cancel()
            if said.done():
                return False
        _, self.in_work = self.waiting.popitem(last=False)
        return True

    def _settle(self, answer: Answer) -> None:
        assert self.in_work is not None
        asked, self.in_work = self.in_work, None
        if isinstance(answer, Failed):
            self.fates["refused"] += 1
            asked.refuse(NOT_NOW)
            return
        self.fates["answered"] += 1
        self._kept[asked.line] = answer
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        if not asked.answer.done():
            asked.answer.set_result(answer)

    def _put_back(self) -> None:
        """What the process did not answer any more is the next one's first question."""
        if self.in_work is not None:
            self.waiting[self.in_work.line] = self.in_work
            self.waiting.move_to_end(self.in_work.line, last=False)
            self.in_work = None

    def _refuse_all(self, why: str) -> None:
        given_up = [*([self.in_work] if self.in_work is not None else []), *self.waiting.values()]
        self.fates["refused"] += len(given_up)
        self.in_work = None
        self.waiting.clear()
        self._wanted.clear()
        for asked in given_up:
            asked.refuse(why)


class Lab:
    """Answers questions by its processes."""

    def __init__(
        self, command: Sequence[str] = COMMAND, *, patience: float = PATIENCE, most: int = MOST_WAITING
    ) -> None:
        self.lanes = {
            "walks": Lane(command, patience, most),
            "counts": Lane([*command, "counts"], patience, most),
        }

    def start(self) -> None:
        for lane in self.lanes.values():
            lane.start()

    async def close(self) -> None:
        await asyncio.gather(*(lane.close() for lane in self.lanes.values()))

    async def ask(self, question: Question, asker: str = "") -> Answer:
        """The answer; or `NotNow`, where there is none. A newer question of the same asker takes the place of an older
        one: so an asker names who asks and what for."""
        line = _encode(question)
        answer = await self.lanes["walks"].ask(line, asker)
        return await self.lanes["counts"].ask(line, asker) if isinstance(answer, Elsewhere) else answer


async def _ended_well(process: asyncio.subprocess.Process) -> bool:
    """Whether a process has said all it had to say, and ended without a fault."""
    assert process.stdout is not None
    with suppress(TimeoutError):
        return process.stdout.at_eof() and await asyncio.wait_for(process.wait(), 1) == 0
    return False


def _line(said: "asyncio.Future[bytes]") -> bytes:
    """What a process has said; nothing if it is gone, or would say more than anybody reads."""
    with suppress(ValueError, ConnectionError):
        return said.result()
    return b""
