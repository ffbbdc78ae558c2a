"""What the tests cost: processor time of a test and of all it starts, which a busy machine changes little."""

import os
from collections import defaultdict
from collections.abc import Generator
from contextlib import suppress
from io import FileIO
from os import listdir
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import pytest

SHOWN = 30
RECORD = "feltworks/slowest"
"""Where pytest's cache keeps the seconds of each test of the last run (`.pytest_cache/v/`)."""
TICKS = os.sysconf("SC_CLK_TCK")


def spent() -> float:
    """The seconds of processor time of this process and of those it started, living and dead."""
    usages = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in usages) + _living(os.getpid())


def _living(process: int) -> float:
    """Those of the children that still run, such as a browser; none where the system does not say."""
    seconds, children = 0.0, list[int]()
    with suppress(OSError):
        for thread in listdir(f"/proc/{process}/task"):
            children += map(int, _read(f"/proc/{process}/task/{thread}/children").split())
    for child in children:
        with suppress(OSError):  # it has just ended
            numbers = _read(f"/proc/{child}/stat").rpartition(b")")[2].split()
            seconds += sum(map(int, numbers[11:15])) / TICKS + _living(child)
    return seconds


def _read(path: str) -> bytes:
    """By the bare means of the system: what a test has put in the place of the usual ones may be there still."""
    with FileIO(path) as file:
        return file.readall()


class Slowest:
    """Measures each test in the process that runs it, and reports in the one that the others report to."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: dict[str, float] = defaultdict(float)
        self._before = 0.0

    def pytest_runtest_logstart(self) -> None:
        self._before = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = spent()
        report.user_properties.append(("cpu", max(now - self._before, 0)))  # what a browser left takes along is lost
        self._before = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += sum(float(str(value)) for name, value in report.user_properties if name == "cpu")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if cache := getattr(self.config, "cache", None):
            cache.set(RECORD, dict(self.seconds))
        say = terminalreporter.write_line
        total = max(spent(), sum(self.seconds.values()))
        terminalreporter.section(f"{total / 60:.1f} minutes of processor time", sep="-")
        folders: dict[str, float] = defaultdict(float)
        for test, seconds in self.seconds.items():
            folders[test.partition("::")[0].rpartition("/")[0]] += seconds
        for folder, seconds in _most(folders):
            say(f"{seconds / 60:6.1f} min  {folder}")
        for test, seconds in _most(self.seconds)[:SHOWN]:
            say(f"{seconds:6.1f} s    {test}")


def _most(costs: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(costs.items(), key=lambda cost: -cost[1])
