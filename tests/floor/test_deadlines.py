"""What is due: a device fault by itself, until when, by whose word, and who has done it (F-38)."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from feltworks.floor import administration, deadlines
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import MOST_DUE, NoteDue
from feltworks.floor.deadlines import Deadline, deadline_of, done_items, in_force
from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.times import read_time
from feltworks.floor.verification import verify as verification
from feltworks.floor.verification.verify import verify
from feltworks.kit.manual_entry import READER_FAULT
from feltworks.web.serving import state_of
from tests.floor.employing import one_of
from tests.floor.killing import KEYS
from tests.floor.test_incidents import SUPERVISOR, at_the_first_decision, down_under

HOUR = 3_600_000
START = read_time("2026-11-01T12:00")


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    house = House(Store(tmp_path / "records.db"), KEYS, clock)
    house.open_table(down_under())
    yield house
    house.close()


def break_reader(house: House) -> None:
    house.pit.report("under", cmd.Report(READER_FAULT, "small was lit for an ace"), one_of(house, Role.SUPERVISOR))
    by = one_of(house, Role.SUPERVISOR)
    waits = house.pit.resolve("under", SUPERVISOR, "light was wrong", by, "the camera shows it")
    house.staff.sign(waits, one_of(house, Role.MANAGER))
    while house.due("under") is not None and not house.live("under").table.out_of_service:
        due = house.due("under")
        assert due is not None
        house.deal_on("under", due.doing)


@pytest.mark.rule("F-38", "D-10")
def test_a_device_that_goes_out_of_service_is_due_to_be_reported_within_72_hours(house: House, clock: Clock) -> None:
    at_the_first_decision(house)
    assert house.due_items() == []
    break_reader(house)
    (item,) = house.due_items()
    assert (item.what, item.about) == (
        "Report the device fault to the regulator",
        "table under, round 1: card reader",
    )
    assert (item.deadline, item.overdue) == (START + 72 * HOUR, False)
    assert not item.verified and item.source
    clock.now = item.deadline
    assert not house.due_items()[0].overdue
    clock.now += 1
    assert house.due_items()[0].overdue
    assert "Overdue since 2026-11-04 12:00:00 UTC: Report the device fault to the regulator" in "".join(state_of(house))


@pytest.mark.rule("F-38", "F-16")
def test_the_fault_and_what_becomes_due_by_it_are_durable_together(house: House, tmp_path: Path) -> None:
    at_the_first_decision(house)
    break_reader(house)
    with Reader(tmp_path / "records.db") as store:
        made = [commit for _, commit in store.commits()]
    at = next(n for n, commit in enumerate(made) if b"note due" in commit.command)
    assert b"out of service" in made[at - 1].records[-1].event or b"resolve" in made[at - 1].command
    assert not made[at - 1].signature and made[at].signature


@pytest.mark.rule("F-38")
def test_who_has_done_it_and_when_stays_in_the_journal(house: House, clock: Clock, tmp_path: Path) -> None:
    at_the_first_decision(house)
    break_reader(house)
    (item,) = house.due_items()
    clock.now += 100 * HOUR
    house.mark_done(item.id, "Letter of 5 November, number 12", one_of(house, Role.MANAGER))
    assert house.due_items() == []
    with Reader(tmp_path / "records.db") as store:
        (done,) = done_items(store)
    assert (done.id, done.what, done.about, done.deadline) == (item.id, item.what, item.about, item.deadline)
    assert (done.by, done.at, done.note) == (
        str(one_of(house, Role.MANAGER)),
        clock.now,
        "Letter of 5 November, number 12",
    )
    assert done.late
    with pytest.raises(Refused, match="Nothing that is due is called"):
        house.mark_done(item.id, "once more", one_of(house, Role.MANAGER))


@pytest.mark.rule("F-38")
def test_what_is_due_is_still_due_after_a_restart(house: House, clock: Clock, tmp_path: Path) -> None:
    at_the_first_decision(house)
    break_reader(house)
    before = house.due_items()
    house.close()
    again = House(Store(tmp_path / "records.db"), KEYS, clock)
    assert again.due_items() == before != []
    again.close()


@pytest.mark.rule("F-38")
@pytest.mark.parametrize(
    ("id", "note", "said"),
    [("", "done", "look at the list"), ("none", "done", "look at the list"), ("due", "  ", "Say what was done")],
)
def test_what_cannot_be_marked_is_refused_and_nothing_changes(house: House, id: str, note: str, said: str) -> None:
    house.note_due(NoteDue("due", "Something", "", START, "a test"), START)
    manager = one_of(house, Role.MANAGER)
    before = house.journal.position.id
    with pytest.raises(Refused, match=said):
        house.mark_done(id, note, manager)
    assert house.journal.position.id == before
    assert [item.id for item in house.due_items()] == ["due"]


@pytest.mark.rule("F-38")
def test_a_player_marks_nothing_as_done(house: House) -> None:
    player, _ = house.people.guest()
    house.note_due(NoteDue("due", "Something", "", START, "a test"), START)
    with pytest.raises(Refused, match="is not for a player to do"):
        house.mark_done("due", "I did", by_person(player))


@pytest.mark.rule("F-38")
def test_the_most_urgent_is_first_and_a_full_list_stops_nothing_at_a_table(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(administration, "MOST_DUE", 2)
    for id, deadline in (("b", START + 5), ("a", START + 5), ("c", START + 1), ("a", START)):
        house.note_due(NoteDue(id, "Something", "", deadline, "a test"), START)
    assert [item.id for item in house.due_items()] == ["a", "b"]
    assert "due already" in caplog.text and MOST_DUE == 1_000
    at_the_first_decision(house)
    break_reader(house)
    assert house.live("under").table.out_of_service == ["card reader"]
    assert len(house.due_items()) == 2


@pytest.mark.rule("F-38")
def test_the_records_with_what_is_due_verify_whole_and_in_shares(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_the_first_decision(house)
    break_reader(house)
    house.mark_done(house.due_items()[0].id, "reported", one_of(house, Role.MANAGER))
    house.close()
    assert verify(tmp_path / "records.db", KEYS.public).problems == []
    monkeypatch.setattr(verification, "SMALL", 0)
    monkeypatch.setattr(verification, "processors", lambda: 2)
    assert verify(tmp_path / "records.db", KEYS.public).problems == []


@pytest.mark.rule("F-38")
def test_every_deadline_has_a_date_a_source_and_says_whether_it_is_verified() -> None:
    assert set(in_force()) == {"device_fault", "code_difference"}
    for entries in in_force().values():
        for entry in entries:
            assert entry.hours > 0 and entry.what and entry.source and isinstance(entry.verified, bool)
    assert deadline_of("device_fault", START).hours == 72


@pytest.mark.rule("F-38")
def test_of_several_dates_the_deadline_counts_that_is_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [
        Deadline(date(2027, 1, 1), 24, "Report", "a new rule", verified=True),
        Deadline(date(2026, 1, 1), 72, "Report", "an old rule", verified=False),
    ]
    monkeypatch.setattr(deadlines, "in_force", lambda: {"device_fault": made})
    for day, hours in (("2025-06-01", 72), ("2026-12-31T23:59", 72), ("2027-01-01", 24), ("2030-01-01", 24)):
        assert deadline_of("device_fault", read_time(day)).hours == hours
    noted = deadlines.note_due("device_fault", "x", "y", read_time("2027-01-01"))
    assert (noted.deadline, noted.verified) == (read_time("2027-01-02"), True)
