"""The records of the house on a page: who may read them, what they say, how one looks through them (F-13, F-16)."""

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import apsw
import pytest

from feltworks.floor.actors import PROGRAM
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.person import SessionOpened
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.store import listing
from feltworks.floor.store.listing import Wanted, newest_events
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import person_stream
from feltworks.floor.times import shown
from feltworks.web.staff.access import READ_RECORDS
from feltworks.web.staff.time_range import house_time, house_zone
from tests.web.people_of_the_house import Window, said, staffed
from tests.web.robots import LocalServer, Reply, Robot, between, money, play_on

PAGE = "/house/records"
NAMES = {role: f"Lee {letter}" for role, letter in zip(Role, "ABCDEFGH", strict=True)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A house where some rounds were played, and somebody was forgotten."""
    with LocalServer(tmp_path_factory.mktemp("records"), [money(), between()]) as server:
        with server.join("money", 1) as ann:
            play_rounds(ann, 5)
        yield server


@pytest.fixture(scope="module")
def ada(server: LocalServer) -> Window:
    return staffed(server, "Ada", Role.AUDITOR)


def play_rounds(robot: Robot, rounds: int) -> None:
    for _ in range(rounds):
        robot.phase("betting")
        robot.done("place", spot="ante", amount=500)
        robot.done("ready")
        play_on(robot)


def events(reply: Reply) -> list[str]:
    """Each event that a page lists, in words."""
    found = re.search(r'<ol class="events".*?</ol>', reply.text, re.DOTALL)
    assert found is not None
    rows = re.findall(r"<li>(.*?)</li>", found[0], re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]


def further_back(reply: Reply) -> str:
    found = re.search(r'rel="next" href="([^"]+)"', reply.text)
    return unescape(found[1]) if found else ""


# Who may.


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_the_records_are_read_by_those_whose_role_it_is_and_by_nobody_else(server: LocalServer, role: Role) -> None:
    window = staffed(server, NAMES[role], role)
    reply = window.get(PAGE)
    assert reply.status == (200 if role in READ_RECORDS else 403)
    assert (f'href="{PAGE}"' in window.get("/house").text) is (role in READ_RECORDS)
    if role not in READ_RECORDS:
        assert "This page is for a surveillance or a manager or an auditor." in said(reply)


@pytest.mark.rule("F-13")
def test_a_player_and_a_stranger_read_no_records(server: LocalServer) -> None:
    assert Window(server, server.session()).get(PAGE).status == 403
    assert Window(server).get(PAGE).status == 401


# What they say.


@pytest.mark.rule("F-16")
def test_every_event_is_there_with_time_actor_stream_number_round_and_hash(server: LocalServer, ada: Window) -> None:
    with server.reading() as store:
        records = list(store.read("money"))
    path, told = f"{PAGE}?stream=money", []
    while path:
        reply = ada.get(path)
        told += events(reply)
        path = further_back(reply)
    assert len(told) == len(records) > listing.A_PAGE
    for record, words in zip(records[::-1], told, strict=True):
        assert words.startswith(f"{house_time(record.time)} ")
        assert f"event {record.sequence}" in words
        assert f"round {record.round}" in words or not record.round
        assert f"Hash {record.hash} After {record.previous} Stream money Done by {record.actor}" in words
        assert f"UTC {shown(record.time)} Commit" in words
    assert any("puts 5.00 on Ante." in words for words in told)
    assert any("Round 1 begins" in words for words in told)


@pytest.mark.rule("F-16")
def test_a_round_that_is_over_leads_to_its_recall_and_a_table_to_its_rounds(server: LocalServer, ada: Window) -> None:
    page = ada.get(f"{PAGE}?stream=money&kind=round+ended").text
    assert '<a href="/table/money/round/1">round 1</a>' in page
    assert '<a href="/house/tables/money">Burgundy</a>' in page
    assert ada.get("/table/money/round/1").status == 200
    assert "The last rounds" in said(ada.get("/house/tables/money"))
    assert f'href="{PAGE}?stream=money"' in ada.get("/house/tables/money").text


@pytest.mark.rule("F-13", "F-16")
def test_a_name_is_shown_as_long_as_it_is_kept_and_then_somebody(server: LocalServer, ada: Window) -> None:
    id, _ = server.run(lambda house: house.people.guest())
    server.run(lambda house: house.people.rename(id, "Zoe"))
    assert any("Zoe is admitted." in words for words in events(ada.get(f"{PAGE}?kind=admitted")))
    assert "Zoe" in said(ada.get(f"{PAGE}?person=zoe"))
    server.run(lambda house: house.forget(id, "a test", PROGRAM))
    assert not any("Zoe" in words for words in events(ada.get(f"{PAGE}?kind=admitted")))
    assert any("somebody is admitted." in words for words in events(ada.get(f"{PAGE}?kind=admitted")))
    reply = ada.get(f"{PAGE}?person=zoe")
    assert reply.status == 422 and "Nobody is called 'zoe' now" in said(reply)
    by_id = events(ada.get(f"{PAGE}?person={id}"))
    assert "What could identify this person was removed: a test" in by_id[0]


@pytest.mark.rule("F-16")
def test_the_page_of_a_person_leads_to_what_happened_to_them_and_what_they_did(
    server: LocalServer, ada: Window
) -> None:
    id = server.run(lambda house: house.people.account_of("Ada"))
    page = ada.get(f"/house/people/{id}").text
    paths = [f"{PAGE}?person={id}", f"{PAGE}?by={id}"]
    assert all(f'href="{path}"' in page for path in paths)
    assert all(ada.get(path).status == 200 for path in paths)


@pytest.mark.rule("F-16")
def test_what_somebody_typed_is_shown_as_text(server: LocalServer, ada: Window) -> None:
    server.run(lambda house: house.pause("between", "<b>bold</b> & <script>alert(1)</script>", PROGRAM))
    reply = ada.get(f"{PAGE}?stream=between")
    assert "<script>alert" not in reply.text and "<b>bold" not in reply.text
    assert "The table is paused: <b>bold</b> & <script>alert(1)</script>" in events(reply)[0]
    server.run(lambda house: house.resume("between", PROGRAM))


# How they are looked through.


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("stream=house", ", event "),
        ("kind=readied", "is ready."),
        ("kind=seats", "eat 1"),
        ("stream=money&kind=tables", "is opened:"),
        ("by=dealer", "the program, as dealer"),
        ("by=program", "the program"),
        ("person=Ada", "Ada , event"),
        ("by=dealer&stream=money&kind=round+started", "begins"),
    ],
)
def test_records_are_found_by_stream_kind_person_and_actor(ada: Window, asked: str, wanted: str) -> None:
    found = events(ada.get(f"{PAGE}?{asked}"))
    assert found and all(wanted in words for words in found)


def test_records_are_found_by_time_in_the_zone_that_is_said(
    server: LocalServer, ada: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server.reading() as store:
        times = [record.time for record in store.read("money")]
    middle = times[len(times) // 2]
    last = server.run(lambda house: house.clock()) + 1_000
    for zone, offset in (("utc", 0), ("house", 0)):
        asked = f"{PAGE}?stream=money&from={iso(middle + offset)}&until={iso(last)}&zone={zone}"
        reply, count = ada.get(asked), 0
        while True:
            count += len(events(reply))
            if not (path := further_back(reply)):
                break
            reply = ada.get(path)
        assert count == sum(time >= middle for time in times)
    assert events(ada.get(f"{PAGE}?until={iso(times[0])}&stream=money")) == []


@pytest.fixture
def in_sydney(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The house's clocks show the time of a place that sets them twice a year."""
    monkeypatch.setenv("TZ", "Australia/Sydney")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.rule("F-16")
@pytest.mark.usefixtures("in_sydney")
def test_rows_filter_and_what_is_told_are_in_the_house_s_time_which_the_page_names(
    server: LocalServer, ada: Window
) -> None:
    with server.reading() as store:
        first = next(iter(store.read("money")))
        sessions = [decode_event("person:", record.event) for record in store.read(person_stream(ada_of(server)))]
    shown_here = datetime.fromtimestamp(first.time / 1_000).strftime("%Y-%m-%d %H:%M:%S")
    page = ada.get(f"{PAGE}?kind=opened&stream=money&from={iso(first.time - 999)}")
    assert f"Times are the house's: {house_zone()}." in said(page) and "UTC+1" in house_zone()
    assert events(page)[0].startswith(f"{shown_here} The table Burgundy is opened")
    assert f'title="{shown(first.time)}"' in page.text
    since = datetime.fromtimestamp((first.time - 999) // 1_000).isoformat()
    assert f'value="{since}"' in page.text and '<input type="hidden" name="zone" value="house">' in page.text
    later = datetime.fromtimestamp(first.time // 1_000 + 1).isoformat()
    assert len(events(ada.get(f"{PAGE}?kind=opened&stream=money&from={since}&until={later}&zone=house"))) == 1
    assert events(ada.get(f"{PAGE}?kind=opened&stream=money&from={later}&zone=house")) == []
    expires = next(event.expires for event in sessions if isinstance(event, SessionOpened))
    told = events(ada.get(f"{PAGE}?kind=session+opened&person=Ada"))
    assert any(f"A session begins, until {house_time(expires)}." in words for words in told)


@pytest.mark.usefixtures("in_sydney")
def test_a_time_of_the_other_half_of_the_year_says_its_zone() -> None:
    january, july = (round(datetime(2026, month, 1, 12, tzinfo=UTC).timestamp() * 1_000) for month in (1, 7))
    summer, winter = house_time(january), house_time(july)
    assert {summer, winter} in (
        {"2026-01-01 23:00:00", "2026-07-01 22:00:00 UTC+10:00"},
        {"2026-01-01 23:00:00 UTC+11:00", "2026-07-01 22:00:00"},
    )
    assert house_time(10**18) == f"{10**18} ms"


def ada_of(server: LocalServer) -> str:
    id = server.run(lambda house: house.people.account_of("Ada"))
    assert id is not None
    return id


def iso(time: int) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=time)).isoformat().replace("+00:00", "Z")


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("stream=nowhere", "There is no table 'nowhere' in the records; choose one of the list."),
        ("stream=person:nobody", "Nobody is called 'nobody' now"),
        ("person=nobody", "Nobody is called 'nobody' now"),
        ("by=nobody", "Nobody is called 'nobody' now"),
        ("kind=flying", "No event is called 'flying'; choose one of the list."),
        ("from=yesterday", "'yesterday' is no time; write a date such as"),
        ("from=2026-02-31", "'2026-02-31' is no time"),
        ("from=2026-02-03&until=2026-02-02", "is not before"),
        ("from=2026-02-03&until=2026-02-03", "is not before"),
        ("until=1066-10-14", "'1066-10-14' is no time that records can have"),
        ("until=1066-10-14&zone=house", "'1066-10-14' is no time that records can have"),
        ("from=9999-12-31T23:59:59&zone=house", "is no time that records can have"),
        ("from=2026-02-03&zone=mars", "'mars' is no time zone of this page"),
        ("before=minus", "'minus' is no place in the records"),
        ("before=" + "9" * 30, "is no place in the records"),
        ("person=Kim&by=" + "x" * 5_000, "Several people have that in their names: Kim One, Kim Two."),
    ],
)
def test_what_cannot_be_is_said_in_words_and_lists_nothing(
    server: LocalServer, ada: Window, asked: str, why: str
) -> None:
    if "Kim" in asked and not server.run(lambda house: house.people.account_of("Kim One")):
        staffed(server, "Kim One", Role.CASHIER)
        staffed(server, "Kim Two", Role.CASHIER)
    reply = ada.get(f"{PAGE}?{asked}")
    assert reply.status == 422
    assert why in said(reply)
    assert '<ol class="events"' not in reply.text


def test_one_page_looks_at_so_many_events_and_says_where_to_go_on(
    server: LocalServer, ada: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_LOOKED_AT", 10)
    path, found, pages = f"{PAGE}?kind=opened", list[str](), 0
    while path:
        reply = ada.get(path)
        found += events(reply)
        path, pages = further_back(reply), pages + 1
        assert path or pages > 3
    assert sum("is opened:" in words for words in found) == 2


def test_pages_that_follow_each_other_have_every_event_once(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "A_PAGE", 7)
    with server.reading() as store:
        everything = sorted(
            (id, record.stream, record.sequence) for id, commit in store.commits() for record in commit.records
        )
        for stream in ("", "money", "house"):
            found, before = [], None
            while True:
                page = newest_events(store, Wanted(stream), before)
                found += [(one.commit, one.record.stream, one.record.sequence) for one in page.events]
                assert len(page.events) <= 7
                if (before := page.before) is None:
                    break
            assert sorted(found) == [row for row in everything if not stream or row[1] == stream]
            assert [commit for commit, *_ in found] == sorted((commit for commit, *_ in found), reverse=True)
            assert all(one.is_whole for one in newest_events(store, Wanted(stream)).events)


# A file that is damaged underneath.


@pytest.mark.rule("F-16")
def test_an_event_that_was_changed_is_marked(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ada = staffed(server, "Ada", Role.AUDITOR)
        tamper(
            tmp_path / "records.db",
            "UPDATE events SET event = CAST(replace(event, 'Burgundy', 'Bergundy') AS BLOB) WHERE stream = 'money'",
        )
        reply = ada.get(f"{PAGE}?stream=money")
        assert "Bergundy" in events(reply)[-1]
        assert "Changed. This is not what its hash was made of." in events(reply)[-1]
        tamper(tmp_path / "records.db", "UPDATE events SET event = x'7b00' WHERE stream = 'money' AND sequence = 1")
        assert "no event that Feltworks wrote" in events(ada.get(f"{PAGE}?stream=money"))[-1]


@pytest.mark.rule("F-16")
def test_records_that_cannot_be_read_are_said_so(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ada = staffed(server, "Ada", Role.AUDITOR)
        tamper(tmp_path / "records.db", "UPDATE commits SET actor = CAST(x'ff' AS TEXT) WHERE id = 1")
        reply = ada.get(f"{PAGE}?stream=money")
        assert reply.status == 503
        assert "The records cannot be read:" in said(reply)
        assert ada.get("/house").status == 200


def tamper(path: Path, statement: str) -> None:
    """Change the file while the house is served, as whoever holds it can."""
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(5_000)
    for trigger in ("events_stay_UPDATE", "commits_stay_UPDATE"):
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    connection.execute(statement)
    connection.close()


def test_listing_reads_a_house_without_any_record_as_empty(tmp_path: Path) -> None:
    from feltworks.floor.store.sqlite import Store

    Store(tmp_path / "records.db").close()
    with Reader(tmp_path / "records.db") as store:
        assert newest_events(store, Wanted()).events == []
        assert newest_events(store, Wanted("money")).before is None
