"""A table is paused, closed when its round is over, and opened again; and the whole house is closed for the night."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.keys import Keys
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from tests.floor.sitting import one_for_the_money, riding, with_toys
from tests.floor.test_house import Clock, deal, events_of, seated

KEYS = Keys(bytes(32), bytes(range(32)))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records.db"


@pytest.fixture
def house(path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    with_toys(monkeypatch)
    house = House(Store(path), KEYS, clock)
    house.open_table(one_for_the_money())
    house.open_table(riding())
    yield house
    house.close()
    with Reader(path) as store:
        store.check_books()
    report = verify(path, KEYS.public)
    assert report.ok, report.problems


def has_bet(house: House, clock: Clock) -> str:
    player = seated(house, "money", clock)
    house.command("money", player, cmd.Place("ante", 1_000))
    return player


def at_a_decision(house: House, clock: Clock) -> str:
    player = has_bet(house, clock)
    house.command("money", player, cmd.Ready())
    deal(house, "money", clock)
    assert house.live("money").table.to_act
    return player


# Paused.


@pytest.mark.rule("F-30")
@pytest.mark.parametrize("when", [has_bet, at_a_decision], ids=["betting", "deciding"])
def test_at_a_paused_table_no_clock_runs_and_nothing_goes_on(house: House, clock: Clock, when: object) -> None:
    assert callable(when)
    player = when(house, clock)
    before = house.live("money").table
    house.pause("money", "The lights are out")
    paused = house.live("money").table
    assert (paused.deadline, house.due("money")) == (None, None)
    assert (paused.round, paused.wagers) == (before.round, before.wagers)
    for command in (cmd.Place("ante", 500), cmd.TakeUp("ante"), cmd.Ready(), cmd.Choose("check")):
        with pytest.raises(Refused, match=r"The table is paused: The lights are out\. Wait until it goes on\."):
            house.command("money", player, command)
    clock.now += 3_600_000
    house.resume("money")
    resumed = house.live("money").table
    assert before.deadline is not None and resumed.deadline is not None
    assert resumed.deadline - clock.now == before.deadline - (clock.now - 3_600_000)
    assert (resumed.service, resumed.service_reason) == ("open", "")
    house.command("money", player, cmd.Choose("check") if resumed.to_act else cmd.Ready())


def test_one_may_sit_down_and_leave_at_a_paused_table(house: House, clock: Clock) -> None:
    player = has_bet(house, clock)
    house.pause("money", "A spill.")
    other, _ = house.people.guest()
    house.command("money", other, cmd.Sit(5))
    house.command("money", player, cmd.Leave())
    assert house.balance(player) == GRANT
    table = house.live("money").table
    assert table.betting and set(table.seats) == {5}


def test_an_empty_seat_is_not_taken_back_while_the_table_is_paused(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.connection("money", player, present=False)
    house.pause("money", "A spill.")
    clock.now += 10_000_000
    assert house.due("money") is None
    house.resume("money")
    due = house.due("money")
    assert due is not None and due.at > clock.now
    assert house.live("money").table.seat_of(player)


# Closed.


def test_a_table_is_closed_when_its_round_is_over_and_everybody_has_their_money(house: House, clock: Clock) -> None:
    player = at_a_decision(house, clock)
    house.close_table("money", "The shift ends")
    assert house.live("money").table.service == "closing"
    other, _ = house.people.guest()
    with pytest.raises(Refused, match=r"The table closes after this round: The shift ends\."):
        house.command("money", other, cmd.Sit(5))
    house.command("money", player, cmd.Choose("check"))
    deal(house, "money", clock)
    table = house.live("money").table
    assert (table.service, table.round, table.seats) == ("closed", None, {})
    assert [type(event) for event in events_of(house, "money")[-2:]] == [ev.RoundEnded, ev.TableClosed]
    assert house.due("money") is None
    with pytest.raises(Refused, match=r"The table is closed: The shift ends\."):
        house.command("money", player, cmd.Sit(2))


def test_a_table_at_which_nobody_has_bet_is_closed_at_once(house: House, clock: Clock) -> None:
    seated(house, "money", clock)
    assert house.live("money").table.betting
    house.close_table("money", "The shift ends.")
    assert house.live("money").table.service == "closed"
    house.close_table("riding", "The shift ends.")
    assert house.is_at_rest


def test_who_takes_the_last_wager_up_closes_a_table_that_is_closing(house: House, clock: Clock) -> None:
    player = has_bet(house, clock)
    house.close_table("money", "The shift ends.")
    assert house.live("money").table.service == "closing"
    house.command("money", player, cmd.TakeUp("ante"))
    assert house.live("money").table.service == "closed"
    assert house.balance(player) == GRANT


def test_what_would_stay_up_for_the_next_round_goes_back(house: House, clock: Clock) -> None:
    for _ in range(12):
        player = seated(house, "riding", clock)
        for spot in ("play", "ride"):
            house.command("riding", player, cmd.Place(spot, 1_000))
        house.close_table("riding", "The shift ends.")
        while (table := house.live("riding").table).service != "closed":
            if table.betting:
                house.command("riding", player, cmd.Ready())
            elif table.to_act:
                assert isinstance(table.step, steps.Choose)
                house.command("riding", player, cmd.Choose(table.step.options[0].name))
            deal(house, "riding", clock)
        assert not (table.wagers or table.winnings or table.seats)
        house.reopen_table("riding")
    closed = [event for event in events_of(house, "riding") if isinstance(event, ev.TableClosed)]
    assert len(closed) == 12
    assert any(handed.wagers for event in closed for handed in event.back)
    assert not all(event.back for event in closed)


def test_a_closed_table_is_opened_again_and_played_at(house: House, clock: Clock, path: Path) -> None:
    house.close_table("money", "The shift ends.")
    house.close()
    with closing(House(Store(path), KEYS, clock)) as again:
        assert again.live("money").table.service == "closed"
        again.reopen_table("money")
        at_a_decision(again, clock)


def test_a_round_that_is_void_while_the_table_closes_closes_it(house: House, clock: Clock) -> None:
    player = at_a_decision(house, clock)
    house.close_table("money", "The shift ends.")
    house.void("money", "The cards fell down.")
    assert house.live("money").table.service == "closed"
    assert house.balance(player) == GRANT


# Who may, and when.


def test_what_cannot_be_is_refused(house: House, clock: Clock) -> None:
    with pytest.raises(Refused, match="Say why"):
        house.pause("money", " ")
    with pytest.raises(Refused, match="The table is open"):
        house.resume("money")
    with pytest.raises(Refused, match="The table is open"):
        house.reopen_table("money")
    house.pause("money", "A spill.")
    with pytest.raises(Refused, match="The table is paused"):
        house.pause("money", "Again.")
    house.close_table("money", "Enough.")
    with pytest.raises(Refused, match="The table is closed: Enough"):
        house.close_table("money", "Again.")


def test_nobody_who_sits_at_a_table_pauses_or_closes_it(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    for act in (house.pause, house.close_table):
        with pytest.raises(Refused, match="is not for"):
            act("money", "I lose.", by_person(player))


# The night.


def test_a_house_that_closes_for_the_night_lets_every_round_end_and_begins_no_other(house: House, clock: Clock) -> None:
    player = at_a_decision(house, clock)
    house.close_for_the_night("Good night")
    assert not house.is_at_rest
    house.command("money", player, cmd.Choose("check"))
    deal(house, "money", clock)
    assert house.is_at_rest
