"""A limit for what others wrote: rules that go on for ever are stopped in the line in which they are.

Time is what the processor worked, so that a busy machine stops nobody. Where there is no such clock, or outside the
main thread, there is no limit. Code that was compiled is stopped when it comes back.
"""

import gc
import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self

SOON = 0.01


class OutOfTime(BaseException):
    """What runs has used up its time. No `except Exception` of a rule keeps it from being stopped."""


class TimeLimit:
    """Stops what runs inside it after so many seconds, unless `moved` was set since the last time it looked."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.moved = False
        self._before: Any = None
        self._outer = 0.0, 0.0

    def __enter__(self) -> Self:
        self._on = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        if self._on:
            self._before = signal.signal(signal.SIGVTALRM, self._look)
            self._outer = signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds, self.seconds)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._on:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, self._before or signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_VIRTUAL, *self._outer)

    def _look(self, number: int, frame: FrameType | None) -> None:
        if self.moved:
            self.moved = False
        elif frame is not None and any(getattr(call, "__code__", None) is frame.f_code for call in gc.callbacks):
            signal.setitimer(signal.ITIMER_VIRTUAL, SOON, self.seconds)  # what is raised in there is lost
        else:
            raise OutOfTime
