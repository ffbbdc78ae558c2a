from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from tests.quick import FULL, QUICK, SOAK
from tests.slowest import Slowest


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Slowest(config))


@pytest.fixture(autouse=True)
def same_shoes_in_every_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The houses of a test shuffle and roll the same each time it is run: no test passes or fails by luck."""
    chance = Random(request.node.nodeid)
    monkeypatch.setattr("feltworks.floor.house.fresh_seed", lambda: chance.randbytes(32))


@pytest.fixture
def toys() -> Path:
    """The folder of the toy games: games outside the package."""
    return Path(__file__).parent / "toys"


# A shared machine is sometimes slow: no example fails for the time it took.
settings.register_profile("feltworks", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=FULL)
settings.register_profile("quick", settings.get_profile("feltworks"), max_examples=QUICK)
settings.register_profile("soak", settings.get_profile("feltworks"), max_examples=SOAK)
settings.load_profile("feltworks")
