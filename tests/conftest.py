import os
import resource
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from feltworks.floor.chance import sealed
from feltworks.floor.chance.generator import SEED_BYTES
from tests.quick import FULL, QUICK, SOAK
from tests.slowest import Slowest


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Slowest(config))


SHELL = """
BUILD_NUMBER CI CLICOLOR CLICOLOR_FORCE COLUMNS FORCE_COLOR GITHUB_ACTIONS LINES NO_COLOR PY_COLORS TTY_COMPATIBLE
""".split()
"""What a shell or a builder may say of itself or its screen, and a program that is tested would go by."""


def pytest_sessionstart() -> None:
    """A run does not depend on the shell that started it, nor on how many files that lets a program open."""
    for name in SHELL:
        os.environ.pop(name, None)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


# The houses of the tests shuffle and roll the same in every run: no test passes or fails by luck.
CHANCE = Random()
sealed.fresh_seed = lambda: CHANCE.randbytes(SEED_BYTES)  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    CHANCE.seed(item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> Iterator[None]:
    """What several tests share is the same whichever of them comes first."""
    state = CHANCE.getstate()
    CHANCE.seed(f"{request.node.nodeid} {fixturedef.argname}")
    try:
        return (yield)
    finally:
        CHANCE.setstate(state)


@pytest.fixture(scope="session", autouse=True)
def shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder that all workers of this run share (tests/lab/analysed.py)."""
    own = tmp_path_factory.getbasetemp()
    os.environ["SHARED_BY_TESTS"] = str(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture
def toys() -> Path:
    """The folder of the toy games: games outside the package."""
    return Path(__file__).parent / "toys"


# A shared machine is sometimes slow: no example fails for the time it took. The examples are the same in every run.
settings.register_profile(
    "feltworks", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=FULL, derandomize=True
)
settings.register_profile("quick", settings.get_profile("feltworks"), max_examples=QUICK)
settings.register_profile("soak", settings.get_profile("feltworks"), max_examples=SOAK, derandomize=False)
settings.load_profile("feltworks")
