"""Three tables play for one jackpot for a very long time: the house crashes, acknowledgements are lost, rounds are void
and several tables win at once; after every single step the meter is exact (F-25). A failing seed is the bug report."""

from pathlib import Path

import pytest

from tests.floor.jackpot_world import JackpotWorld
from tests.floor.world import PROGRESSIVE
from tests.quick import SEED, share


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("F-17", "F-24", "F-25", "F-26")
@pytest.mark.parametrize("seed", range(SEED, SEED + 10))
def test_a_meter_is_exact_after_every_step_of_a_house_that_crashes_voids_and_wins_at_once(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100,000 steps in all in a whole run, and a million in a soak."""
    steps = share(10_000, soak=100_000)
    print(f"seed {seed}, {steps} steps")
    world = JackpotWorld(seed, PROGRESSIVE, tmp_path, monkeypatch)
    try:
        for _ in range(steps):
            world.step()
            world.check()
        world.end()
    except BaseException:
        print(f"seed {seed}, after {world.steps} steps")
        raise
    finally:
        world.house.store.close()
    print(f"{world.at_once} times at once, {world.crashes}, {world.happened}")
    much = ("Registered", "Awarded", "RegistrationsReturned", "JackpotAdjusted")
    assert all(world.happened[name] for name in much) and world.crashes.total() and world.done
