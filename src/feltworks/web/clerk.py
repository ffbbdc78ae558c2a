"""The clerk: takes down what is to be carried out, in the order in which it comes, and writes it in groups.

While one group is on its way to the disk, in a thread of its own, the next one gathers; so the loop that talks to
people never waits for the disk or a lock, and many tables share a write. Nobody hears of a decision before it is
durable (G2).
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from feltworks.floor.house import House
from feltworks.floor.store.interface import DoneRow
from feltworks.floor.together import Together
from feltworks.kit.errors import FeltworksError
from feltworks.web.durations import Durations
from feltworks.web.worker import Worker

T = TypeVar("T")
Command = tuple[str, str]
"""The player and the id of a command."""
Done = dict[Command, DoneRow | None]
"""Which commands were done already, of those that were looked up."""
Answer = tuple[Any, Exception | None]
"""What came of an order, or why nothing did."""
Tell = Callable[[Any, Exception | None], None]
"""Who is told of it."""
MOST = 64
"""No group has more orders: while they are decided, nobody else has a turn."""
SLOW = 1.0
"""Seconds after which a write is told of in the log."""

_log = logging.getLogger("feltworks.clerk")


@dataclass(frozen=True)
class Order:
    """Something to be carried out, and who is told of it when it is durable: what came of it, or why nothing did."""

    carry_out: Callable[[], Any]
    tell: Tell
    command: Command | None = None
    """What may have been done already."""
    taken: float = field(default_factory=time.monotonic)


class Clerk:
    """Everything that changes the house while it serves goes through here."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.groups = self.commits = 0
        """How many were written so far."""
        self.writes = Durations()
        self.failures = 0
        self.failed_at: float | None = None
        """When the last write failed, by the monotonic clock, if it did."""
        self.newest = house.newest
        """The time of the newest commit."""
        self._under_way: Sequence[Order] = ()
        self._waiting: deque[Order] = deque()
        self._wanted = asyncio.Event()
        self._one_group = asyncio.Lock()
        self._disk = Worker("clerk")
        self._ends = False

    def __len__(self) -> int:
        """How many orders wait."""
        return len(self._waiting)

    @property
    def waited(self) -> float:
        """Seconds that the oldest order has waited or is being written."""
        first = next(iter(self._under_way or self._waiting), None)
        return 0.0 if first is None else time.monotonic() - first.taken

    def take(self, order: Order) -> None:
        """Take an order: whoever gave it is told later."""
        self._waiting.append(order)
        self._wanted.set()

    async def carried_out(self, carry_out: Callable[[], T]) -> T:
        """Wait until something is carried out and durable."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def tell(answer: T, problem: Exception | None) -> None:
            if future.done():  # nobody waits any more
                return
            if problem is None:
                future.set_result(answer)
            else:
                future.set_exception(problem)

        self.take(Order(carry_out, tell))
        return await future

    async def undisturbed(self, work: Callable[[], T]) -> T:
        """Do something with the house between two groups."""
        async with self._one_group:
            return work()

    def start(self) -> None:
        self._working = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Write down what waits, and nothing more."""
        self._ends = True
        self._wanted.set()
        await self._working
        self._disk.stop()

    async def _work(self) -> None:
        while not self._ends:
            await self._wanted.wait()
            self._wanted.clear()
            while self._waiting:
                async with self._one_group:
                    orders = self._next()
                    try:
                        together, answers = await self._carried_out(orders)
                        if together.decided and (seconds := self.writes.last) > SLOW:
                            _log.info("A write was slow.", extra={"seconds": round(seconds, 3)})
                    except Exception as problem:
                        self._failed(orders, problem)
                    else:
                        self._told(orders, together, answers)

    def finish(self) -> None:
        """Write down what waits, now, and wait for the disk."""
        while self._waiting:
            orders = self._next()
            try:
                together, answers = self._decided(orders, self._looked_up(orders))
                if together.decided:
                    self._written(together)
            except Exception as problem:
                self._failed(orders, problem)
            else:
                self._told(orders, together, answers)

    # One group: looked up, decided, written, told.

    async def _carried_out(self, orders: Sequence[Order]) -> tuple[Together, list[Answer]]:
        """Decide a group and write it. A command has hardly ever been done before: where all orders are commands, they
        are decided as if none was, looked up on the way to the disk, and decided anew if one was. What has no id may
        leave more behind than a decision, and is carried out once."""
        commands = [order.command for order in orders if order.command is not None]
        is_new = len(commands) == len(orders)
        done: Done = dict.fromkeys(commands) if is_new else await self._disk.do(partial(self._looked_up, orders))
        together, answers = self._decided(orders, done)
        if is_new:
            done = await self._disk.do(partial(self._written_if_new, orders, together))
            if not any(done.values()):
                return together, answers
            self.house.drop(together)
            together, answers = self._decided(orders, done)
        if together.decided:
            await self._disk.do(partial(self._written, together))
        return together, answers

    def _next(self) -> list[Order]:
        self._under_way = orders = [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]
        return orders

    def _looked_up(self, orders: Sequence[Order]) -> Done:
        commands = [order.command for order in orders if order.command is not None]
        return self.house.look_up(commands) if commands and not self.house.fault else {}

    def _decided(self, orders: Sequence[Order], done: Done) -> tuple[Together, list[Answer]]:
        self.house.begin(done)
        answers: list[Answer] = []
        for order in orders:
            try:
                answers.append((order.carry_out(), None))
            except Exception as problem:
                answers.append((None, problem))
        return self.house.end(), answers

    def _written_if_new(self, orders: Sequence[Order], together: Together) -> Done:
        """Write what was decided, unless one of the commands was done already; which ones were."""
        try:
            done = self._looked_up(orders)
        except BaseException:
            self.house.drop(together)
            raise
        if together.decided and not any(done.values()):
            self._written(together)
        return done

    def _written(self, together: Together) -> None:
        began = time.monotonic()
        try:
            self.house.write(together)
        except Exception as problem:
            self.failures += 1
            self.failed_at = time.monotonic()
            said = problem if isinstance(problem, FeltworksError) else f"{type(problem).__name__}."
            _log.error("What was decided could not be written: %s", said)
            self.house.drop(together)
            raise
        self.failed_at = None
        self.writes.add(time.monotonic() - began)

    def _failed(self, orders: Sequence[Order], problem: Exception) -> None:
        self._under_way = ()
        for order in orders:
            order.tell(None, problem)

    def _told(self, orders: Sequence[Order], together: Together, answers: Sequence[Answer]) -> None:
        """Now it is so: those who gave the orders are told first, and then everybody."""
        self._under_way = ()
        if together.decided:
            self.house.adopt(together)
            self.groups += 1
            self.commits += len(together.decided)
            self.newest = together.decided[-1].at
        for order, answer in zip(orders, answers, strict=True):
            order.tell(*answer)
        self.house.tell(together)
