"""What is due, on its page: deadlines with their source, what was done, and the check of the code (F-38, F-39)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor import code_check
from feltworks.floor.administration import MarkDone, NoteCode, NoteDue
from feltworks.floor.code_check import CodeCheck
from feltworks.floor.deadlines import DoneList, DueItem, done_items
from feltworks.floor.house import House
from feltworks.floor.roles import RIGHTS, STAFF, Role
from feltworks.web.staff import due
from feltworks.web.staff.access import CHECK_CODE, READ_DUE
from feltworks.web.staff.due import how_long
from tests.web.people_of_the_house import Window, said, staffed
from tests.web.robots import LocalServer, between, money
from tests.web.test_records_page import NAMES, events, further_back

PAGE = "/house/due"
HOUR = 3_600_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(), between()]) as server:
        yield server


def becomes_due(server: LocalServer, id: str, hours: int = 72, verified: bool = False) -> None:
    def note(house: House) -> None:
        now = house.clock()
        about = f"table money, round 3: {id}"
        house.note_due(NoteDue(id, f"Report {id}", about, now + hours * HOUR, "WAC <1>", verified), now)

    server.run(note)


@pytest.mark.rule("F-13", "F-38")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_each_role_sees_and_does_what_it_may_with_what_is_due(server: LocalServer, role: Role) -> None:
    becomes_due(server, "reader")
    window = staffed(server, NAMES[role], role)
    page = window.get(PAGE)
    assert page.status == (200 if role in READ_DUE else 403)
    assert (f'href="{PAGE}"' in window.get("/house").text) is (role in READ_DUE)
    may_mark = role in RIGHTS[MarkDone].roles
    assert ('value="done"' in page.text) is may_mark
    assert ('value="check"' in page.text) is (role in CHECK_CODE)
    done = window.send(PAGE, do="done", id="reader", note="Reported by letter of today.")
    assert done.status == (200 if may_mark else 422 if role in READ_DUE else 403)
    assert bool(server.house.due_items()) is not may_mark
    checked = window.send(PAGE, do="check")
    assert checked.status == (200 if role in CHECK_CODE else 422 if role in READ_DUE else 403)
    assert (server.house.code_check.at is not None) is (role in CHECK_CODE)


@pytest.mark.rule("F-38")
def test_what_is_due_is_shown_with_deadline_source_and_what_it_is_about(server: LocalServer) -> None:
    becomes_due(server, "reader")
    becomes_due(server, "shoe", hours=-5, verified=True)
    max_ = staffed(server, "Max", Role.MANAGER)
    page, told = max_.get(PAGE), said(max_.get(PAGE))
    assert "▲ Overdue by 5 hours Report shoe About table money, round 3: shoe" in told
    assert "○ 2 days left Report reader" in told or "○ 3 days left Report reader" in told
    assert told.index("Report shoe") < told.index("Report reader")
    assert told.count("not verified") == 1
    assert "WAC <1>" in told and "WAC <1>" not in page.text


@pytest.mark.rule("F-38")
def test_what_was_done_is_listed_with_who_when_and_their_note(server: LocalServer) -> None:
    becomes_due(server, "reader", hours=-1)
    max_, ada = staffed(server, "Max", Role.MANAGER), staffed(server, "Ada", Role.AUDITOR)
    assert "Nothing yet." in said(max_.get(PAGE))
    told = said(max_.send(PAGE, do="done", id="reader", note="Letter <17> of today"))
    assert "Marked as done." in told and "Nothing is due." in told
    (row,) = events(ada.get(PAGE))
    assert "Report reader Letter <17> of today" in row
    assert "▲ done late" in row and row.endswith("Max")


@pytest.mark.rule("F-38")
@pytest.mark.parametrize(
    ("id", "note", "why"),
    [
        ("reader", "", "Say what was done, and where it can be looked up."),
        ("another", "Done.", "Nothing that is due is called 'another'; look at the list of what is due."),
    ],
)
def test_what_cannot_be_marked_as_done_is_refused_in_words(server: LocalServer, id: str, note: str, why: str) -> None:
    becomes_due(server, "reader")
    max_ = staffed(server, "Max", Role.MANAGER)
    reply = max_.post(PAGE, {"do": "done", "id": id, "note": note})
    assert reply.status == 422 and why in said(reply)
    assert len(server.house.due_items()) == 1


def test_the_page_does_nothing_that_it_does_not_offer(server: LocalServer) -> None:
    reply = staffed(server, "Max", Role.MANAGER).post(PAGE, {"do": "forget"})
    assert reply.status == 422 and "That is nothing that this page does." in said(reply)


@pytest.mark.rule("F-38")
def test_what_was_done_is_paged_by_place(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due, "A_PAGE", 2)
    max_ = staffed(server, "Max", Role.MANAGER)
    for n in range(5):
        becomes_due(server, f"device {n}")
        max_.send(PAGE, do="done", id=f"device {n}", note=f"note {n}")
    path, found = PAGE, []
    while path:
        reply = max_.get(path)
        found += [next(n for n in range(5) if f"note {n}" in row) for row in events(reply)]
        path = further_back(reply)
    assert found == [4, 3, 2, 1, 0]
    assert max_.get(f"{PAGE}?before=nonsense").status == 200


@pytest.mark.rule("F-38")
def test_the_list_of_what_was_done_goes_on_where_it_was_read_to(server: LocalServer) -> None:
    max_, kept = staffed(server, "Max", Role.MANAGER), DoneList()
    for n in range(3):
        becomes_due(server, f"device {n}")
        max_.send(PAGE, do="done", id=f"device {n}", note="Done.")
        with server.reading() as store:
            assert [item.id for item in kept.read(store)] == [f"device {m}" for m in range(n + 1)]
            assert kept.read(store) == done_items(store)[::-1]


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (72 * HOUR, "3 days left"),
        (47 * HOUR, "47 hours left"),
        (90 * 60_000, "90 minutes left"),
        (60_000, "1 minute left"),
        (59_000, "less than a minute left"),
        (-72 * HOUR, "overdue by 3 days"),
        (-1, "overdue by less than a minute"),
    ],
)
def test_how_long_there_is_or_was_is_told_in_words(left: int, words: str) -> None:
    assert how_long(DueItem("x", "x", "x", left, "x", True, left < 0), 0) == words


# The code.


@pytest.mark.rule("F-39")
def test_the_last_check_of_the_code_is_shown_with_what_was_hashed(server: LocalServer) -> None:
    max_ = staffed(server, "Max", Role.MANAGER)
    assert "It was not checked since the house was started." in said(max_.get(PAGE))
    assert "The code is unchecked." in said(max_.get("/house"))
    told = said(max_.send(PAGE, do="check"))
    assert "Checked: everything is as it was loaded." in told and "✓ Everything is as it was loaded" in told
    for part, hash in code_check.hash_code().items():
        assert f"{part} ✓ as loaded {hash}" in told
    definition = server.run(lambda house: house.live("money").table.game.fingerprint["definition"])
    assert f"definition of Burgundy ✓ as opened {definition}" in told
    assert "The code was checked 20" in said(max_.get("/house"))


@pytest.mark.rule("F-39")
def test_code_that_is_not_what_was_loaded_is_said_so_with_what_happens(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    max_ = staffed(server, "Max", Role.MANAGER)
    loaded = code_check.hash_code()
    definitions = server.run(lambda house: {n: t.table.game.fingerprint["definition"] for n, t in house.tables.items()})
    found = NoteCode(loaded, {**loaded, "kit": "0" * 64}, definitions, {**definitions, "between": "1" * 64})
    monkeypatch.setattr(CodeCheck, "look", lambda _: lambda: found)
    told = said(max_.send(PAGE, do="check"))
    assert "Checked: it is not what was loaded." in told
    assert "▲ Not what was loaded Of the program: kit. The definition of Green." in told
    assert "Put the approved files back and start the house again" in told
    assert f"kit ▲ changed {'0' * 64}" in told and f"definition of Green ▲ another one {'1' * 64}" in told
    assert "Report that the program's files were not those that are approved" in told
    start = said(max_.get("/house"))
    assert "The code is not what was loaded." in start


@pytest.mark.rule("F-39")
def test_a_check_that_fails_is_said_so_and_can_be_asked_for_again(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    max_ = staffed(server, "Max", Role.MANAGER)
    with monkeypatch.context() as broken:
        broken.setattr(server.house, "fault", "The house is read-only. A test says so.")
        reply = max_.post(PAGE, {"do": "check"})
        assert reply.status == 422 and "The house is read-only." in said(reply)
    assert "✓ Everything is as it was loaded" in said(max_.send(PAGE, do="check"))


# The start page.


@pytest.mark.rule("F-38")
def test_the_start_page_tells_what_is_due_and_marks_what_is_overdue(server: LocalServer) -> None:
    max_ = staffed(server, "Max", Role.MANAGER)
    assert "What is due 0" in said(max_.get("/house"))
    becomes_due(server, "reader")
    assert "What is due 1 Report reader: until 20" in said(max_.get("/house"))
    becomes_due(server, "shoe <b>", hours=-1)
    page = max_.get("/house")
    assert "Overdue 1 Report shoe <b>: until 20" in said(page) and "shoe <b>" not in page.text
    assert urgent(max_) and not urgent(staffed(server, "Ada", Role.AUDITOR))


def urgent(window: Window) -> bool:
    return f'urgent"><a href="{PAGE}"' in window.get("/house").text
