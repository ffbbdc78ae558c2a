"""Passwords are hashed in threads, one at a time for each address: hashing costs a processor some tens of milliseconds
on purpose, and whoever floods the house with log-ins waits behind themselves."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")
AT_ONCE = 2
"""Threads for the passwords of all addresses together."""
MOST = 4
"""So many of one address are here at once: one is looked at, and the others wait."""
MOST_TOGETHER = 100
"""So many of all addresses are here at once: whoever comes from very many of them makes nobody wait for minutes."""
YIELDS = 10
"""How much the threads stand back for those who play."""


class Full(Exception):
    """Too many of this address wait already, or of all of them."""


@dataclass
class _Line:
    """Those of one address."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    number: int = 0


class PasswordQueue:
    def __init__(self) -> None:
        self._lines: dict[str, _Line] = {}
        self._threads = ThreadPoolExecutor(AT_ONCE, "passwords", initializer=_stand_back)

    async def ask(self, address: str, work: Callable[[], T]) -> T:
        """Do something with a password, when those who came before from this address are done."""
        line = self._lines.get(address) or _Line()
        if line.number >= MOST or sum(one.number for one in self._lines.values()) >= MOST_TOGETHER:
            raise Full
        self._lines[address] = line
        line.number += 1
        try:
            async with line.lock:
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            line.number -= 1
            if not line.number:
                del self._lines[address]

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _stand_back() -> None:
    """Where the system lets a thread have a priority of its own, this one comes after those who play."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), YIELDS)
