"""People whom the house bars from a table or altogether: no seat, no new wager, and what is in action plays on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.house import House
from feltworks.floor.keys import Keys
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.verification.verify import verify
from tests.floor.employing import employed
from tests.floor.sitting import in_between, one_for_the_money, point, with_toys
from tests.floor.test_house import Clock, deal, events_of, seated

KEYS = Keys(bytes(32), bytes(range(32)))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    with_toys(monkeypatch)
    house = House(Store(tmp_path / "records.db"), KEYS, clock)
    for settings in (one_for_the_money(), in_between(), point()):
        house.open_table(settings)
    yield house
    report = verify(house.store.path, KEYS.public)
    assert report.ok, report.problems
    house.close()


@pytest.mark.rule("F-15")
def test_who_is_barred_from_a_table_gets_no_seat_there_and_one_elsewhere(house: House) -> None:
    supervisor = employed(house, Role.SUPERVISOR)
    player, _ = house.people.guest()
    house.staff.bar(player, "money", "shouted at the dealer", supervisor)
    with pytest.raises(Refused, match=r"may not play at this table\. Ask a manager"):
        house.command("money", player, cmd.Sit(1))
    house.command("between", player, cmd.Sit(1))


@pytest.mark.rule("F-15")
def test_who_is_barred_from_the_house_gets_no_seat_anywhere_and_buys_nothing_in_until_a_manager_lifts_it(
    house: House,
) -> None:
    manager = employed(house, Role.MANAGER)
    player, _ = house.people.guest()
    buy_in = Book("buy-in", "cage cash", f"player:{player}", 5_000, "at the cage")
    house.staff.bar(player, "", "marked cards", manager)
    for table in ("money", "between"):
        with pytest.raises(Refused, match=r"may not play in this house\. Ask a manager"):
            house.command(table, player, cmd.Sit(1))
    with pytest.raises(Refused, match="buys nothing in"):
        house.book(buy_in, PROGRAM)
    house.staff.unbar(player, "", "it was somebody else", manager)
    house.book(buy_in, PROGRAM)
    house.command("money", player, cmd.Sit(1))


@pytest.mark.rule("F-15")
def test_who_is_barred_between_two_rounds_or_in_open_betting_loses_the_seat_at_once_and_no_money(
    house: House, clock: Clock
) -> None:
    player = seated(house, "money", clock)
    house.command("money", player, cmd.Place("ante", 1_000))
    house.staff.bar(player, "", "marked cards", employed(house, Role.MANAGER))
    assert house.table("money").seat_of(player) is None
    assert house.balance(player) == GRANT


@pytest.mark.rule("F-15")
def test_who_is_barred_in_mid_round_decides_about_what_is_in_action_and_then_loses_the_seat(
    house: House, clock: Clock
) -> None:
    player, other = seated(house, "money", clock), seated(house, "money", clock, 3)
    for who in (player, other):
        house.command("money", who, cmd.Place("ante", 1_000))
        house.command("money", who, cmd.Ready())
    deal(house, "money", clock)
    house.staff.bar(player, "money", "shouted", employed(house, Role.SUPERVISOR))
    assert not any(isinstance(event, ev.Left) for event in events_of(house, "money"))
    with pytest.raises(Refused, match="What is in action plays on"):
        house.command("money", player, cmd.Choose("raise"))
    house.command("money", player, cmd.Choose("check"))
    house.command("money", other, cmd.Choose("check"))
    deal(house, "money", clock)
    assert house.table("money").seat_of(player) is None
    assert house.table("money").seat_of(other) == 3
    assert [event for event in events_of(house, "money") if isinstance(event, ev.Left)] == [
        ev.Left(2, "seat taken back")
    ]


@pytest.mark.rule("F-15")
def test_a_contract_bet_of_who_is_barred_plays_on_and_the_free_wagers_go_back(house: House, clock: Clock) -> None:
    player = seated(house, "point", clock)
    house.command("point", player, cmd.Place("line", 1_000))
    house.command("point", player, cmd.Ready())
    for _ in range(200):
        table = house.table("point")
        if table.betting and table.has_wagers(2):
            break
        if table.betting:  # the line was decided by its first roll
            house.command("point", player, cmd.Place("line", 1_000))
            house.command("point", player, cmd.Ready())
        deal(house, "point", clock)
    house.command("point", player, cmd.Place("seven", 500))
    house.staff.bar(player, "", "marked dice", employed(house, Role.MANAGER))
    table = house.table("point")
    assert {spot for _, spot in table.wagers} == {"line"}
    with pytest.raises(Refused, match="may not play"):
        house.command("point", player, cmd.Place("seven", 500))
    for _ in range(300):
        if house.table("point").seat_of(player) is None:
            break
        if house.table("point").betting:
            house.command("point", player, cmd.Ready())
        deal(house, "point", clock)
    assert house.table("point").seat_of(player) is None
    assert not house.table("point").wagers


@pytest.mark.rule("F-15")
def test_the_house_takes_no_seat_from_who_may_play(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    with pytest.raises(Refused, match="may play here"):
        house.carry_out("money", cmd.Unseat(player), PROGRAM)
    with pytest.raises(Refused, match="may play here"):
        house.carry_out("money", cmd.Unseat("nobody"), PROGRAM)
    house.protection.unseat_who_may_not_play()
    assert house.table("money").seat_of(player) == 2


@pytest.mark.rule("F-15", "F-17")
def test_a_house_that_starts_again_frees_the_seat_of_who_was_barred_in_mid_round(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.command("money", player, cmd.Place("ante", 1_000))
    house.command("money", player, cmd.Ready())
    deal(house, "money", clock)
    house.staff.bar(player, "", "marked cards", employed(house, Role.MANAGER))
    before = house.table("money")
    house.close()
    again = House(Store(house.store.path), KEYS, clock)
    assert again.table("money") == before and before.seats[2].unseated
    again.command("money", player, cmd.Choose("check"))
    deal(again, "money", clock)
    assert again.table("money").seat_of(player) is None
    again.close()
    house.store = Store(house.store.path)


@pytest.mark.rule("F-14", "F-15")
def test_the_others_at_the_table_are_told_nothing_of_why_somebody_has_lost_the_seat(house: House, clock: Clock) -> None:
    """The same record, whether somebody was barred or takes a break."""
    barred, resting = seated(house, "money", clock, 2), seated(house, "money", clock, 3)
    house.staff.bar(barred, "", "marked cards", employed(house, Role.MANAGER))
    house.staff.set_limit(resting, "break", clock.now + 86_400_000)
    left = [event for event in events_of(house, "money") if isinstance(event, ev.Left)]
    assert left == [ev.Left(2, "seat taken back"), ev.Left(3, "seat taken back")]
