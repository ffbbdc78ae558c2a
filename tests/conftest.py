from pathlib import Path

import pytest


@pytest.fixture
def toys() -> Path:
    """The folder of the toy games: games outside the package."""
    return Path(__file__).parent / "toys"
