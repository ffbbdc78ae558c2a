"""The pages of the players' protection: one's own limits and details, and the self-exclusion list (F-15)."""

from collections.abc import Iterator

import pytest

from feltworks.floor.actors import person as by_person
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from feltworks.web.staff.exclusions import MOST_SHOWN
from tests.web.people_of_the_house import Window, said, staffed
from tests.web.robots import LocalServer, Reply, money
from tests.web.test_guard import assert_guarded

HEADER = "name,date of birth,document number,from,until\r\n"
ADA = "Ada Quill,1980-12-31,WDL-123 456,2020-01-01,\r\n"
DIGEST = 'name="file" value="'


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(tmp_path_factory.mktemp("house"), [money()]) as server:
        yield server


@pytest.fixture
def manager(server: LocalServer) -> Window:
    return staffed(server, "Max", Role.MANAGER)


def player(server: LocalServer) -> tuple[Window, str]:
    """A guest's window, and who it is."""
    token = server.session()
    id = server.run(lambda house: house.people.player_of(token))
    assert id is not None
    return Window(server, token), id


def upload(window: Window, data: bytes) -> Reply:
    """Choose a file in the form of the page, and go where that leads."""
    line = b"--a boundary of the tests\r\n"
    head = b'Content-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\n'
    body = line + head + data + b"\r\n" + line.rstrip() + b"--\r\n"
    kind = 'multipart/form-data; boundary="a boundary of the tests"'
    reply = window.server.ask(
        "/house/exclusions/file", "POST", body, Accept="text/html", Content_Type=kind, **window._cookie()
    )
    return window.get(reply.headers["location"]) if reply.status == 303 else reply


def confirm(window: Window, looked_at: Reply) -> Reply:
    digest = looked_at.text.partition(DIGEST)[2].partition('"')[0]
    return window.send("/house/exclusions", do="confirm", file=digest)


# One's own page.


@pytest.mark.rule("F-15")
def test_a_player_sets_limits_and_sees_what_waits_and_withdraws_it(server: LocalServer) -> None:
    window, id = player(server)
    reply = window.get("/me")
    assert_guarded(reply)
    assert "The most to lose in a day none" in said(reply)
    assert "That is in force now. " in said(window.send("/me", do="loss", value="50"))
    looser = said(window.send("/me", do="loss", value="75.5"))
    assert "That takes effect in 24 hours. Until then you can withdraw it." in looser
    assert "50.00 From" in looser and "on: 75.50 ." in looser and "Keep 50.00" in looser
    assert "on: 75.50" not in said(window.send("/me", do="loss", keep="1"))
    assert "on: no limit ." in said(window.send("/me", do="loss", remove="1"))
    assert "90 min" in said(window.send("/me", do="time", value="90")) or "1 h 30 min" in said(window.get("/me"))
    known = server.run(lambda house: house.people.person(id))
    assert known is not None
    assert (known.limits.value("loss", 0), known.limits.value("time", 0)) == (5_000, 90 * 60_000)


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("do", "value", "words"),
    [
        ("loss", "much", "as an amount such as 50 or 12.50"),
        ("loss", "-5", "as an amount such as 50 or 12.50"),
        ("loss", "99999999", "from 0.00 to 1,000,000.00"),
        ("time", "an hour", "a whole number of minutes"),
        ("time", "0", "from 1 min to 24 h"),
        ("time", "1500", "from 1 min to 24 h"),
        ("break", "99999", "within five years"),
        ("break", "", "choose how long the break is"),
        ("luck", "5", "nothing that this page does"),
    ],
)
def test_what_cannot_be_a_limit_is_refused_on_the_page_with_what_was_entered(
    server: LocalServer, do: str, value: str, words: str
) -> None:
    window, id = player(server)
    reply = window.post("/me", {"do": do, "value": value})
    assert reply.status == 422
    assert words in said(reply)
    if value and do in ("loss", "time"):
        assert f'value="{value}"' in reply.text
    known = server.run(lambda house: house.people.person(id))
    assert known is not None and not known.limits.set


@pytest.mark.rule("F-15")
def test_a_break_takes_the_seat_back_and_the_page_says_until_when(server: LocalServer) -> None:
    window, id = player(server)
    server.run(lambda house: house.command("money", id, cmd.Sit(1)))
    assert "This session" in said(window.get("/me"))
    assert "A break until" in said(window.send("/me", do="break", value="7"))
    assert server.run(lambda house: house.table("money").seat_of(id)) is None
    ended = said(window.send("/me", do="break", remove="1"))
    assert "on: no break any more ." in ended and "Keep the break" in ended
    with pytest.raises(Refused, match="You are taking a break"):
        server.run(lambda house: house.command("money", id, cmd.Sit(1)))


@pytest.mark.rule("F-15")
def test_a_player_gives_details_on_the_page_and_whoever_works_here_has_no_such_sections(
    server: LocalServer, manager: Window
) -> None:
    window, id = player(server)
    reply = window.post("/me", {"do": "details", "full_name": "Ada", "born": "1980-12-31", "document": "X1234"})
    assert reply.status == 422 and "first and last name" in said(reply) and 'value="X1234"' in reply.text
    fields = {"do": "details", "full_name": "Ada Quill", "born": "1980-12-31", "document": "X1234"}
    assert "Your details are kept." in said(window.send("/me", **fields))
    details = server.run(lambda house: house.exclusions.details(id))
    assert details is not None and details.name == "Ada Quill"
    assert "Play that you can afford" not in manager.get("/me").text
    assert manager.post("/me", {"do": "loss", "value": "5"}).status == 422


# The list.


@pytest.mark.rule("F-13", "F-15")
@pytest.mark.parametrize("role", [Role.DEALER, Role.SUPERVISOR, Role.CASHIER, Role.SURVEILLANCE, Role.AUDITOR])
def test_only_managers_and_security_see_the_list(server: LocalServer, manager: Window, role: Role) -> None:
    window = staffed(server, "Kim", role)
    confirm(manager, upload(manager, (HEADER + ADA).encode()))
    for reply in (window.get("/house/exclusions"), window.post("/house/exclusions", {"do": "remove", "reason": "x"})):
        assert reply.status == 403
        assert "Quill" not in reply.text
    assert upload(window, b"x").status == 403


@pytest.mark.rule("F-15")
def test_a_list_is_looked_at_with_its_broken_lines_and_then_confirmed(server: LocalServer, manager: Window) -> None:
    looked_at = upload(manager, ("\ufeff" + HEADER + ADA + "Bea,soon,,,\r\nnothing\r\n").encode())
    words = said(looked_at)
    assert_guarded(looked_at)
    assert "1 entry can be imported, and 2 lines cannot be read. Nothing is recorded yet." in words
    assert "Line 3: 'date of birth', 'soon', is not a date; write it like 1980-12-31." in words
    assert "Line 4: it has 1 fields, and the first line names 5." in words
    assert server.run(lambda house: house.administration.exclusions) is None
    words = said(confirm(manager, looked_at))
    assert "The list is imported: 1 entry." in words
    assert "Ada Quill 1980-12-31 WDL-123 456 2020-01-01 , for life" in words
    assert "Ada Quill" in said(manager.get("/house/exclusions?find=quill"))
    assert "No entry has that name or document." in said(manager.get("/house/exclusions?find=nobody"))


@pytest.mark.rule("F-15")
def test_a_long_list_of_short_lines_is_no_request_with_too_many_headers(manager: Window) -> None:
    rows = "".join(f"A{n} B,1980-12-31,,2020-01-01,\r\n" for n in range(20_000))
    assert "20,000 entries can be imported." in said(upload(manager, (HEADER + rows).encode()))


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "Choose a file first."),
        (b"name\r\n", "missing: date of birth, document number, from, until"),
        (b"\xff\xfe", "not in UTF-8"),
    ],
)
def test_a_file_that_is_no_list_is_refused_on_the_page(manager: Window, data: bytes, words: str) -> None:
    reply = upload(manager, data)
    assert reply.status == 422
    assert words in said(reply)


def test_what_is_sent_without_the_form_of_the_page_or_too_long_is_refused(manager: Window) -> None:
    assert manager.post("/house/exclusions/file", {"file": "x"}).status == 415
    assert "at most 1,000,000 can be imported" in said(upload(manager, b"x" * 1_000_001))
    reply = manager.post("/house/exclusions", {"do": "confirm", "file": "00" * 32})
    assert reply.status == 422 and "Nobody has looked at that file" in said(reply)
    assert "nothing that this page does" in said(manager.post("/house/exclusions", {"do": "fly"}))


@pytest.mark.rule("F-15")
def test_a_near_match_is_shown_and_decided_and_an_attempt_to_play_is_told(server: LocalServer, manager: Window) -> None:
    window, id = player(server)
    confirm(manager, upload(manager, (HEADER + ADA).encode()))
    window.send("/me", do="details", full_name="Ada Quil", born="1980-12-31", document="X1234")
    words = said(manager.get("/house/exclusions"))
    assert "The same date of birth and a similar name. They may play until you decide." in words
    assert "1 who may be on the list: decide whether they are." in said(manager.get("/house"))
    entry = manager.get("/house/exclusions").text.partition('name="entry" value="')[2].partition('"')[0]
    assert "They are excluded." in said(manager.send("/house/exclusions", do="same", person=id, entry=entry))
    assert "You are on the list of those who have excluded themselves from play." in said(window.get("/me"))
    with pytest.raises(Refused, match="excluded themselves"):
        server.run(lambda house: house.command("money", id, cmd.Sit(1)))
    words = said(manager.get("/house/exclusions"))
    assert "Nobody waits for a decision." in words
    assert "Attempts to play When Who Where" in words
    assert "They are another person" in said(manager.send("/house/exclusions", do="other", person=id, entry=entry))
    server.run(lambda house: house.command("money", id, cmd.Sit(1)))
    reply = manager.post("/house/exclusions", {"do": "same", "person": id, "entry": "00"})
    assert reply.status == 422 and "no such match any more" in said(reply)


@pytest.mark.rule("F-15")
def test_whoever_changes_the_details_that_excluded_them_stays_excluded_until_somebody_decides(
    server: LocalServer, manager: Window
) -> None:
    window, id = player(server)
    confirm(manager, upload(manager, (HEADER + ADA).encode()))
    window.send("/me", do="details", full_name="Bea Moss", born="1975-01-31", document="WDL123456")
    for document, why in (
        ("WDL123457", "A document number that differs in one character."),
        ("B77777", "Excluded by details that have changed since; the new ones are not like the entry."),
    ):
        window.send("/me", do="details", full_name="Bea Moss", born="1975-01-31", document=document)
        page = manager.get("/house/exclusions")
        assert f"{why} They stay excluded until you decide; look at their document." in said(page)
        assert "They may play until you decide." not in said(page)
        assert "You are on the list" in said(window.get("/me"))
    assert "1 who may be on the list: decide whether they are." in said(manager.get("/house"))
    entry = page.text.partition('name="entry" value="')[2].partition('"')[0]
    assert "They are another person" in said(manager.send("/house/exclusions", do="other", person=id, entry=entry))
    assert "You are on the list" not in said(window.get("/me"))
    server.run(lambda house: house.command("money", id, cmd.Sit(1)))


@pytest.mark.rule("F-15")
def test_somebody_who_is_like_very_many_entries_is_compared_with_some_of_them(
    server: LocalServer, manager: Window
) -> None:
    window, _ = player(server)
    rows = [f"Ada Quill,1980-12-31,,2023-01-{n % 28 + 1:02},{2100 + n}-01-01\n" for n in range(MOST_SHOWN + 3)]
    confirm(manager, upload(manager, (HEADER + "".join(rows)).encode()))
    window.send("/me", do="details", full_name="Ada Quil", born="1980-12-31", document="X1234")
    page = manager.get("/house/exclusions")
    assert page.text.count("They may play until you decide.") == MOST_SHOWN
    assert "And 3 more; decide these first." in said(page)
    assert f"{MOST_SHOWN + 3} who may be on the list: decide whether they are." in said(manager.get("/house"))
    window.send("/me", do="details", full_name="Ada Quill", born="1980-12-31", document="X1234")
    page = manager.get("/house/exclusions")
    assert f"Exact matches, and what was decided ({MOST_SHOWN + 3})" in said(page)
    assert page.text.count("which excludes by itself") == MOST_SHOWN


@pytest.mark.rule("F-13", "F-15")
def test_a_manager_removes_the_list_with_a_reason_and_security_cannot(server: LocalServer, manager: Window) -> None:
    security = staffed(server, "Sam", Role.SECURITY)
    confirm(security, upload(security, (HEADER + ADA).encode()))
    assert "Remove the list" not in security.get("/house/exclusions").text
    reply = security.post("/house/exclusions", {"do": "remove", "reason": "a test"})
    assert reply.status == 422 and "is not for" in said(reply)
    assert manager.post("/house/exclusions", {"do": "remove", "reason": " "}).status == 422
    assert "The list is removed." in said(manager.send("/house/exclusions", do="remove", reason="the wrong file"))
    assert "No list is imported." in said(manager.get("/house/exclusions"))


@pytest.mark.rule("F-13", "F-15")
def test_a_cashier_finds_a_player_and_enters_who_they_are(server: LocalServer, manager: Window) -> None:
    cashier = staffed(server, "Cam", Role.CASHIER)
    _, id = player(server)
    fields = {"do": "details", "full_name": "Ada Quill", "born": "1980-12-31", "document": "X1234"}
    assert "is kept." in said(cashier.send(f"/house/people/{id}", **fields))
    assert 'value="Ada Quill"' in cashier.get(f"/house/people/{id}").text
    supervisor = staffed(server, "Sue", Role.SUPERVISOR)
    assert "Ada Quill" not in supervisor.get(f"/house/people/{id}").text
    assert supervisor.post(f"/house/people/{id}", fields).status == 422


@pytest.mark.rule("F-14", "F-15")
def test_nobody_else_is_told_anything_of_somebodys_limits_details_or_exclusion(
    server: LocalServer, manager: Window
) -> None:
    """Whatever somebody has set, or is, the pages and views of the others are the same."""
    (window, id), (other, _) = player(server), player(server)
    before = [other.get(path).text for path in ("/me", "/", "/api/tables", "/table/money")]
    server.run(lambda house: house.exclusions.give_details(id, "Ada Quill", "1980-12-31", "X1234", by_person(id)))
    window.send("/me", do="loss", value="50")
    confirm(manager, upload(manager, (HEADER + ADA).encode()))
    with pytest.raises(Refused, match="excluded themselves"):
        server.run(lambda house: house.command("money", id, cmd.Sit(1)))
    assert [other.get(path).text for path in ("/me", "/", "/api/tables", "/table/money")] == before
