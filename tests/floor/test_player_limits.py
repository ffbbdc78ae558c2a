"""Limits that players set for themselves: what they may lose, how long they may play, and a break."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor import person, player_limits
from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Book
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.people import GRANT
from feltworks.floor.person import Person
from feltworks.floor.player_limits import (
    BREAK,
    DAY,
    HOUR,
    LOSS,
    MINUTE,
    PLAYING_TIME,
    Change,
    DayBegan,
    LimitSet,
    MovedOutside,
    PlayerLimits,
    SetLimit,
    check_wager,
    decide_limit,
    duration,
    evolve_limits,
)
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.verification import verify as verifying
from feltworks.floor.verification.verify import verify
from tests.floor.sitting import in_between, one_for_the_money
from tests.floor.test_house import Clock, deal, play_round, seated

KEYS = Keys(bytes(32), bytes(range(32)))
NOW = 1_700_000_000_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    house = House(Store(tmp_path / "records.db"), KEYS, clock)
    house.open_table(one_for_the_money())
    house.open_table(in_between())
    yield house
    house.close()


def after(limits: PlayerLimits, now: int, what: str, value: int | None) -> PlayerLimits:
    for event in decide_limit(limits, SetLimit(what, value), now):
        limits = evolve_limits(limits, event, now)
    return limits


def happened(house: House, player: str) -> list[object]:
    stream = person_stream(player)
    return [decode_event(stream, record.event) for record in house.store.read(stream)]


def restarted(house: House, clock: Clock) -> House:
    house.close()
    return House(Store(house.store.path), KEYS, clock)


# Tighter at once, looser after 24 hours.


@pytest.mark.rule("F-15")
def test_a_first_limit_and_a_tighter_one_are_in_force_at_once() -> None:
    limits = after(PlayerLimits(), NOW, LOSS, 5_000)
    assert limits.value(LOSS, NOW) == 5_000
    limits = after(limits, NOW + 1, LOSS, 2_000)
    assert (limits.value(LOSS, NOW + 1), limits.waiting(LOSS, NOW + 1)) == (2_000, None)


@pytest.mark.rule("F-15")
@pytest.mark.parametrize("looser", [5_001, None])
def test_a_looser_limit_or_none_is_in_force_after_24_hours_and_not_a_moment_before(looser: int | None) -> None:
    limits = after(after(PlayerLimits(), NOW, LOSS, 5_000), NOW, LOSS, looser)
    assert limits.waiting(LOSS, NOW) == Change(looser, NOW + 24 * HOUR)
    assert limits.value(LOSS, NOW + 24 * HOUR - 1) == 5_000
    assert limits.value(LOSS, NOW + 24 * HOUR) == looser
    assert limits.waiting(LOSS, NOW + 24 * HOUR) is None


@pytest.mark.rule("F-15")
def test_a_change_that_waits_can_be_withdrawn_and_a_tighter_limit_withdraws_it_too() -> None:
    waiting = after(after(PlayerLimits(), NOW, PLAYING_TIME, HOUR), NOW, PLAYING_TIME, 3 * HOUR)
    for value in (HOUR, HOUR // 2):
        limits = after(waiting, NOW + 5, PLAYING_TIME, value)
        assert limits.waiting(PLAYING_TIME, NOW + 5) is None
        assert limits.value(PLAYING_TIME, NOW + 2 * DAY) == value


@pytest.mark.rule("F-15")
def test_asking_for_the_same_change_again_does_not_put_it_off_and_another_one_begins_to_wait_anew() -> None:
    limits = after(after(PlayerLimits(), NOW, LOSS, 1_000), NOW, LOSS, 2_000)
    assert decide_limit(limits, SetLimit(LOSS, 2_000), NOW + HOUR) == []
    assert decide_limit(limits, SetLimit(LOSS, 1_500), NOW + HOUR) == [LimitSet(LOSS, 1_500, NOW + 25 * HOUR)]


@pytest.mark.rule("F-15")
def test_a_break_can_be_made_longer_at_once_and_shorter_after_24_hours() -> None:
    limits = after(PlayerLimits(), NOW, BREAK, NOW + 10 * DAY)
    longer = after(limits, NOW, BREAK, NOW + 20 * DAY)
    assert longer.break_until(NOW) == NOW + 20 * DAY
    ended = after(limits, NOW, BREAK, None)
    assert ended.break_until(NOW + DAY - 1) == NOW + 10 * DAY
    assert ended.break_until(NOW + DAY) is None
    assert limits.break_until(NOW + 10 * DAY) is None


@pytest.mark.rule("F-15")
def test_a_break_that_is_over_before_an_earlier_end_could_take_effect_stays_as_it_is() -> None:
    limits = after(PlayerLimits(), NOW, BREAK, NOW + 20 * HOUR)
    with pytest.raises(Refused, match="over in 20 h; an earlier end would take effect in 24 h"):
        decide_limit(limits, SetLimit(BREAK), NOW)


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("what", "value", "said"),
    [
        ("luck", 5, "'luck' is no limit; choose one of loss, time, break"),
        (LOSS, -1, "from 0.00 to 1,000,000.00 for a day"),
        (LOSS, 10**9, "from 0.00 to 1,000,000.00 for a day"),
        (PLAYING_TIME, 0, "from 1 min to 24 h for a day"),
        (PLAYING_TIME, DAY + 1, "from 1 min to 24 h for a day"),
        (BREAK, NOW, "ends later than now, and within five years"),
        (BREAK, NOW + 3_000 * DAY, "ends later than now, and within five years"),
    ],
)
def test_what_cannot_be_a_limit_is_refused_in_words(what: str, value: int, said: str) -> None:
    with pytest.raises(Refused, match=said):
        decide_limit(PlayerLimits(), SetLimit(what, value), NOW)


def test_a_robot_has_no_limits_and_nobody_sets_those_of_another(house: House) -> None:
    robot, (ann, _), (bea, _) = house.people.robot("Robot 1"), house.people.guest(), house.people.guest()
    with pytest.raises(Refused, match="robot has no limits"):
        house.staff.set_limit(robot, LOSS, 500)
    for actor in (by_person(bea), PROGRAM):
        with pytest.raises(Refused, match="not for"):
            house.carry_out(person_stream(ann), SetLimit(LOSS, 500), actor)


values = st.one_of(st.none(), st.integers(0, 20))
times = st.integers(0, 3 * DAY)
histories = st.lists(st.tuples(st.sampled_from([LOSS, PLAYING_TIME]), values, times), max_size=8)


def lived(history: list[tuple[str, int | None, int]]) -> PlayerLimits:
    limits, now = PlayerLimits(), NOW
    for what, value, wait in history:
        now += wait
        limits = after(limits, now, what, value * MINUTE if value and what == PLAYING_TIME else value or None)
    return limits


@pytest.mark.rule("F-15")
@given(histories, values, times, st.integers(0, 40), st.integers(0, 60), times)
def test_setting_a_limit_never_lets_more_through_within_24_hours(
    history: list[tuple[str, int | None, int]], value: int | None, wait: int, wager: int, balance: int, later: int
) -> None:
    """Whatever somebody has set before, and whatever they set now."""
    before = lived(history)
    now = NOW + sum(wait for *_, wait in history) + wait
    changed = after(before, now, LOSS, value)
    soon = now + later % DAY
    if is_taken(changed, wager, balance, soon):
        waiting = before.waiting(LOSS, now)
        assert is_taken(before, wager, balance, soon) or (waiting is not None and waiting.at <= soon)


def is_taken(limits: PlayerLimits, wager: int, balance: int, now: int) -> bool:
    try:
        check_wager(limits, wager, balance, 0, now)
    except Refused:
        return False
    return True


@pytest.mark.rule("F-15")
@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 200), st.integers(1, 100), st.integers(0, 200))
def test_a_tighter_loss_limit_never_takes_a_wager_that_a_looser_one_refuses(
    one: int, other: int, had: int, wager: int, balance: int
) -> None:
    day = evolve_limits(PlayerLimits(), DayBegan(had), NOW)
    tight, loose = (after(day, NOW, LOSS, value) for value in sorted((one, other)))
    assert is_taken(loose, wager, balance, NOW + 1) or not is_taken(tight, wager, balance, NOW + 1)


# At a table.


@pytest.mark.rule("F-15")
def test_the_first_wager_of_a_day_is_recorded_with_it_only_for_who_has_a_limit(house: House, clock: Clock) -> None:
    free, bound = seated(house, "money", clock, 1), seated(house, "money", clock, 2)
    house.staff.set_limit(bound, LOSS, 50_000)
    for player in (free, bound):
        house.command("money", player, cmd.Place("ante", 1_000))
        house.command("money", player, cmd.Place("ante", 500))
    assert [event for event in happened(house, bound) if isinstance(event, DayBegan)] == [DayBegan(GRANT)]
    assert not any(isinstance(event, DayBegan) for event in happened(house, free))
    (commit,) = [c for _, c in house.store.commits() if any(r.stream == person_stream(bound) for r in c.records[1:])][
        -1:
    ]
    assert [record.stream for record in commit.records] == ["money", person_stream(bound)]
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_a_wager_that_could_take_the_loss_beyond_the_limit_is_refused_and_says_what_is_left(
    house: House, clock: Clock
) -> None:
    player = seated(house, "money", clock)
    house.staff.set_limit(player, LOSS, 2_000)
    house.command("money", player, cmd.Place("ante", 1_500))
    before = house.store.last_commit()
    with pytest.raises(Refused, match=r"5\.00 left of the 20\.00 a day .*; this wager would be 6\.00"):
        house.command("money", player, cmd.Place("three_card_bonus", 600))
    assert house.store.last_commit() == before
    house.command("money", player, cmd.Place("three_card_bonus", 500))
    with pytest.raises(Refused, match=r"You have reached the 20\.00 a day.*no new wager is taken for another 24 h"):
        house.command("money", player, cmd.Place("ante", 100))
    house.command("money", player, cmd.TakeUp("three_card_bonus"))
    house.command("money", player, cmd.Place("three_card_bonus", 500))
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_in_mid_round_a_raise_beyond_the_limit_is_refused_and_what_costs_nothing_is_decided(
    house: House, clock: Clock
) -> None:
    player = seated(house, "money", clock)
    house.staff.set_limit(player, LOSS, 1_500)
    house.command("money", player, cmd.Place("ante", 1_000))
    house.command("money", player, cmd.Ready())
    deal(house, "money", clock)
    with pytest.raises(Refused, match=r"5\.00 left of .*; this wager would be 10\.00"):
        house.command("money", player, cmd.Choose("raise"))
    house.command("money", player, cmd.Choose("check"))
    deal(house, "money", clock)
    assert house.table("money").round_number == 2
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_nobody_loses_more_than_the_limit_in_a_day_and_the_next_day_begins_with_its_first_wager(
    house: House, clock: Clock
) -> None:
    player = seated(house, "money", clock)
    house.staff.set_limit(player, LOSS, 3_000)
    began = clock.now
    for _ in range(30):
        known = house.people.person(player)
        assert known is not None
        left = known.limits.left_to_lose(house.balance(player), clock.now)
        assert left == max(0, 3_000 - (GRANT - house.balance(player)))
        assert house.balance(player) >= GRANT - 3_000
        if left < 1_000:
            with pytest.raises(Refused, match="a day that you set yourself as the most to lose"):
                house.command("money", player, cmd.Place("ante", 1_000))
            break
        play_round(house, "money", player, clock, ["check"])
    clock.now = began + DAY + HOUR
    known = house.people.person(player)
    assert known is not None and known.limits.left_to_lose(house.balance(player), clock.now) == 3_000
    house.command("money", player, cmd.Place("ante", 1_000))
    assert sum(isinstance(event, DayBegan) for event in happened(house, player)) == 2
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_chips_on_another_table_count_as_lost_until_they_come_back(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.staff.set_limit(player, LOSS, 2_000)
    house.command("money", player, cmd.Place("ante", 1_500))
    house.command("between", player, cmd.Sit(1))
    deal(house, "between", clock)
    with pytest.raises(Refused, match=r"5\.00 left of"):
        house.command("between", player, cmd.Place("base", 1_000))
    house.command("money", player, cmd.TakeUp("ante"))
    house.command("between", player, cmd.Place("base", 1_000))


@pytest.mark.rule("F-15")
def test_chips_that_lay_there_before_the_day_began_are_counted_as_lost_if_they_are(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.command("money", player, cmd.Place("ante", 1_500))
    house.staff.set_limit(player, LOSS, 2_000)
    with pytest.raises(Refused, match=r"5\.00 left of .*; this wager would be 6\.00"):
        house.command("money", player, cmd.Place("three_card_bonus", 600))
    house.command("money", player, cmd.Place("three_card_bonus", 500))


@pytest.mark.rule("F-15")
def test_chips_that_lay_on_another_table_before_the_day_began_are_not_won_when_they_come_back(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, _ = house.people.guest()
    for table in ("money", "between"):
        house.command(table, player, cmd.Sit(1))
        house.deal_on(table, "start round")
    house.command("between", player, cmd.Place("base", 1_000))
    house.staff.set_limit(player, LOSS, 2_000)
    house.command("money", player, cmd.Place("ante", 500))
    house.command("between", player, cmd.TakeUp("base"))
    known = house.people.person(player)
    assert known is not None
    assert known.limits.left_to_lose(house.balance(player), clock.now) == 1_500
    house.close()
    monkeypatch.setattr(verifying, "SMALL", 0)
    monkeypatch.setattr(verifying, "processors", lambda: 2)
    assert verify(house.store.path, KEYS.public).problems == []


@pytest.mark.rule("F-15")
def test_grants_and_money_at_the_cage_are_neither_won_nor_lost(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.staff.set_limit(player, LOSS, 2_000)
    house.command("money", player, cmd.Place("ante", 1_500))

    def left() -> int | None:
        known = house.people.person(player)
        assert known is not None
        return known.limits.left_to_lose(house.balance(player), clock.now)

    assert left() == 500
    house.carry_out(person_stream(player), person.Grant(70_000, "luck"), PROGRAM)
    assert left() == 500
    for kind, payer, payee in (("cash-out", "player:", "cage cash"), ("buy-in", "cage cash", "player:")):
        one, other = (side + player if side.endswith(":") else side for side in (payer, payee))
        house.book(Book(kind, one, other, 9_000, "at the cage"), PROGRAM)
        assert left() == 500
    assert [event for event in happened(house, player) if isinstance(event, MovedOutside)] == [
        MovedOutside(-9_000),
        MovedOutside(9_000),
    ]
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_after_the_time_limit_no_new_wager_is_taken_and_what_is_in_action_plays_on(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.staff.set_limit(player, PLAYING_TIME, HOUR)
    house.command("money", player, cmd.Place("ante", 1_000))
    began = clock.now
    house.command("money", player, cmd.Ready())
    deal(house, "money", clock)
    clock.now = began + HOUR
    with pytest.raises(Refused, match=r"reached the 1 h a day that you set yourself.*for another 23 h\."):
        house.command("money", player, cmd.Choose("raise"))
    house.command("money", player, cmd.Choose("check"))
    deal(house, "money", clock)
    with pytest.raises(Refused, match="no new wager is taken"):
        house.command("money", player, cmd.Place("ante", 1_000))
    clock.now = began + DAY
    house.command("money", player, cmd.Place("ante", 1_000))
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_who_takes_a_break_loses_the_seat_when_nothing_is_in_action_and_sits_again_after_it(
    house: House, clock: Clock
) -> None:
    player = seated(house, "money", clock)
    house.command("money", player, cmd.Place("ante", 1_000))
    house.command("money", player, cmd.Ready())
    deal(house, "money", clock)
    house.staff.set_limit(player, BREAK, clock.now + 3 * DAY)
    seat = house.table("money").seats[2]
    assert seat.unseated and not seat.leaving
    with pytest.raises(Refused, match=r"You are taking a break.*What is in action plays on"):
        house.command("money", player, cmd.Choose("raise"))
    house.command("money", player, cmd.Choose("check"))
    deal(house, "money", clock)
    assert house.table("money").seat_of(player) is None
    with pytest.raises(Refused, match="You are taking a break for another"):
        house.command("money", player, cmd.Sit(2))
    clock.now += 3 * DAY
    house.command("money", player, cmd.Sit(2))
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_who_takes_a_break_while_betting_is_open_gets_the_wagers_back_at_once(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.command("money", player, cmd.Place("ante", 1_000))
    house.staff.set_limit(player, BREAK, clock.now + DAY)
    assert house.balance(player) == GRANT
    assert house.table("money").seat_of(player) is None
    *_, last = [decode_event("money", record.event) for record in house.store.read("money")]
    assert last == ev.Left(2, "seat taken back")


@pytest.mark.rule("F-15", "F-17")
def test_a_house_that_starts_again_keeps_limits_days_and_changes_that_wait(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.staff.set_limit(player, LOSS, 2_000)
    house.staff.set_limit(player, LOSS, 9_000)
    house.staff.set_limit(player, PLAYING_TIME, HOUR)
    house.command("money", player, cmd.Place("ante", 1_500))
    known = house.people.person(player)
    again = restarted(house, clock)
    assert again.people.person(player) == known and known is not None and known.limits.day(clock.now) is not None
    with pytest.raises(Refused, match=r"5\.00 left of"):
        again.command("money", player, cmd.Place("three_card_bonus", 600))
    clock.now += 24 * HOUR
    assert known.limits.value(LOSS, clock.now) == 9_000
    again.close()


def test_a_wager_beyond_a_limit_in_the_records_is_found(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that does not keep to somebody's limit writes records that do not verify."""
    player = seated(house, "money", clock)
    house.staff.set_limit(player, LOSS, 2_000)
    with monkeypatch.context() as patch:
        patch.setattr("feltworks.floor.table_aggregate.check_wagers", lambda *_: [])
        house.command("money", player, cmd.Place("ante", 2_100))
    (problem,) = verify(house.store.path, KEYS.public).problems
    assert "20.00 a day" in problem


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [(0, "0 min"), (1, "1 min"), (MINUTE, "1 min"), (HOUR, "1 h"), (72 * MINUTE, "1 h 12 min"), (DAY, "24 h"),
     (47 * HOUR, "47 h"), (2 * DAY, "2 days"), (3 * DAY + HOUR - 5, "3 days 1 h")],
)  # fmt: skip
def test_how_long_something_takes_is_said_in_hours_and_minutes_and_never_too_short(
    milliseconds: int, said: str
) -> None:
    assert duration(milliseconds) == said


def test_a_person_of_older_records_has_no_limits() -> None:
    assert Person("ann", "00").limits == player_limits.PlayerLimits()
