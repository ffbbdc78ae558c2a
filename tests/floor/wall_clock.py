"""A wall clock and a monotonic one that pass only when a test says so, and the house's time made of both."""

from feltworks.floor.steady_clock import SteadyClock

MS = 1_000_000
"""In nanoseconds."""
START = 1_700_000_000_000
HOUR = 3_600_000
MONTH = 31 * 24 * HOUR


class WallClock:
    """All times are given in milliseconds."""

    def __init__(self) -> None:
        self.wall, self.monotonic = START * MS, 77 * HOUR * MS

    def steady(self) -> SteadyClock:
        """The clock of a house that starts now."""
        return SteadyClock(lambda: self.wall, lambda: self.monotonic)

    def goes_on(self, milliseconds: int, drift: int = 0) -> None:
        """So much time passes; the wall clock goes faster by these millionths."""
        self.monotonic += milliseconds * MS
        self.wall += milliseconds * MS + milliseconds * drift

    def is_set(self, by: int) -> None:
        """Somebody sets the wall clock forward or back, or the machine has slept for so long."""
        self.wall += by * MS

    @property
    def shows(self) -> int:
        return self.wall // MS
