"""The house's time never jumps, whatever the wall clock does; and it does not part from it for long."""

import time
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor.steady_clock import JUMP, Jump, SteadyClock
from tests.floor.wall_clock import HOUR, MONTH, MS, START, WallClock

set_by = pytest.mark.parametrize("by", [JUMP + 1, HOUR, MONTH, -JUMP - 1, -HOUR, -MONTH])


@pytest.mark.rule("F-30")
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("passes"), st.integers(0, 10 * HOUR)),
            st.tuples(st.just("is set"), st.integers(-MONTH, MONTH)),
            st.tuples(st.just("is looked at"), st.just(0)),
        )
    )
)
def test_the_time_of_the_house_passes_like_the_monotonic_clock_whenever_the_wall_clock_is_set(
    happens: list[tuple[str, int]],
) -> None:
    clock = WallClock()
    steady = clock.steady()
    for what, by in happens:
        before, passed = steady(), by if what == "passes" else 0
        match what:
            case "passes":
                clock.goes_on(by)
            case "is set":
                clock.is_set(by)
            case "is looked at":
                steady.jumped()
        assert passed * 999 // 1_000 - 1 <= steady() - before <= passed * 1_001 // 1_000 + 1


@pytest.mark.rule("F-30")
@set_by
@pytest.mark.parametrize("at", [0, 1, 999, 20_000])
def test_a_jump_of_the_wall_clock_is_told_once_with_its_size(by: int, at: int) -> None:
    clock = WallClock()
    steady = clock.steady()
    clock.goes_on(at)
    assert steady.jumped() is None
    clock.is_set(by)
    assert steady() == START + at
    assert steady.jumped() == Jump(by, START + at + by)
    for _ in range(100):
        clock.goes_on(1_000)
        assert steady.jumped() is None


@pytest.mark.rule("F-30")
@set_by
def test_a_wall_clock_that_is_set_and_set_back_leaves_the_house_where_it_was(by: int) -> None:
    clock = WallClock()
    steady = clock.steady()
    for change in (by, -by):
        clock.goes_on(60_000)
        assert steady.jumped() is None
        clock.is_set(change)
        assert steady.jumped() == Jump(change, clock.shows)
    assert abs(steady() - clock.shows) <= 60


@pytest.mark.rule("F-30")
@pytest.mark.parametrize("drift", [0, 20, 500, -20, -500])
def test_the_house_follows_a_wall_clock_that_drifts_and_calls_it_no_jump(drift: int) -> None:
    clock = WallClock()
    steady = clock.steady()
    for _ in range(14 * 24 * 60):
        clock.goes_on(60_000, drift)
        assert steady.jumped() is None
        assert abs(steady() - clock.shows) <= JUMP


def test_a_house_that_a_jump_has_left_behind_catches_up_slowly() -> None:
    clock = WallClock()
    steady = clock.steady()
    clock.is_set(3_000)
    assert steady.jumped() == Jump(3_000, START + 3_000)
    behind = []
    for _ in range(3):
        for _ in range(1_000):
            clock.goes_on(1_000)
            assert steady.jumped() is None
        behind.append(clock.shows - steady())
    assert behind[0] in range(1_995, 2_010) and behind[1] in range(995, 1_100) and behind[2] < 500


def test_steps_too_small_for_a_jump_are_told_when_they_add_up() -> None:
    clock = WallClock()
    steady = clock.steady()
    told = []
    for _ in range(6):
        clock.goes_on(1_000)
        clock.is_set(600)
        told.append(steady.jumped())
    assert [jump.by if jump else 0 for jump in told] == [0, 1_199, 0, 1_199, 0, 1_199]


def test_a_process_that_pauses_between_two_readings_sees_no_jump() -> None:
    """It reads once more: the pause has come after the first reading of the monotonic clock."""
    monotonic = chain([0, 0, 0, 5_000 * MS], repeat(5_000 * MS))
    wall = chain([START * MS], repeat((START + 5_000) * MS))
    steady = SteadyClock(lambda: next(wall), lambda: next(monotonic))
    assert steady.jumped() is None
    assert steady() == START + 5_000


def test_a_new_clock_shows_the_time_of_the_wall_clock() -> None:
    assert abs(SteadyClock()() - time.time_ns() // MS) < 60_000
