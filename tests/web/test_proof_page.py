"""Exporting the records and verifying them, on a page (F-13, F-16)."""

import asyncio
import gzip
import os
import re
import socket
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltworks.floor.excerpt import write
from feltworks.floor.excerpt.verify import verify_excerpt
from feltworks.floor.journal.receipts import read_signatures
from feltworks.floor.journal.records import Receipt
from feltworks.floor.keys import read_public
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.store.reader import Reader
from feltworks.floor.verification import process
from feltworks.floor.verification.process import COPY, Asked, Failure, Finding, check
from feltworks.floor.verification.verify import verify
from feltworks.web.staff import proof
from feltworks.web.staff.access import EXPORT_RECORDS, READ_RECORDS, VERIFY_RECORDS
from feltworks.web.staff.time_range import TimeRange
from feltworks.web.staff.time_range import said as said_time
from feltworks.web.staff.verification import Verification
from tests.web.people_of_the_house import Window, said, staffed
from tests.web.robots import HOST, PATIENCE, LocalServer, between, money
from tests.web.test_records_page import NAMES, play_rounds, tamper

PAGE, EXPORT = "/house/records/verify", "/house/records/export"
EVER = "from=2000-01-01&until=2100-01-01"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(tmp_path_factory.mktemp("proof"), [money(), between()]) as server:
        with server.join("money", 1) as ann:
            play_rounds(ann, 2)
        yield server
        server.check()


@pytest.fixture(scope="module")
def ada(server: LocalServer) -> Window:
    return staffed(server, "Ada", Role.AUDITOR)


def wait_for(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.02)


def until_done(window: Window) -> str:
    """What the page says when the verification is over."""
    wait_for(lambda: "Under way" not in said(window.get(PAGE)))
    return said(window.get(PAGE))


def copies(server: LocalServer) -> list[Path]:
    return list(server.folder.glob(f"{COPY}*"))


# Who may.


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_each_role_exports_verifies_and_reads_as_far_as_it_may(server: LocalServer, role: Role) -> None:
    window = staffed(server, NAMES[role], role)
    reads = 200 if role in READ_RECORDS else 403
    page = window.get(PAGE)
    assert page.status == reads
    assert window.get("/house/records/key").status == window.get("/house/records/head").status == reads
    assert window.get(f"{EXPORT}?{EVER}").status == (200 if role in EXPORT_RECORDS else 403)
    assert ("Export a range of time" in said(page)) is (role in EXPORT_RECORDS)
    assert ('name="do" value="verify"' in page.text) is (role in VERIFY_RECORDS)
    assert window.post(PAGE, {"do": "verify"}).status == (303 if role in VERIFY_RECORDS else 403)
    if role in VERIFY_RECORDS:
        until_done(window)


# Exporting.


@pytest.mark.rule("F-13", "F-16")
def test_an_auditor_downloads_any_time_as_a_file_that_verifies_with_the_public_key_alone(
    server: LocalServer, ada: Window, tmp_path: Path
) -> None:
    page = ada.get(f"{PAGE}?{EVER}&zone=utc")
    name = "feltworks-records-20000101T000000Z-to-21000101T000000Z.jsonl"
    assert f"felt verify --file {name} --key house.public" in said(page)
    found = re.search(rf'href="({EXPORT}[^"]+)"', page.text)
    assert found is not None
    reply = ada.get(found[1].replace("&amp;", "&"))
    assert reply.status == 200
    assert reply.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert reply.headers["cache-control"] == "no-store"
    (tmp_path / name).write_bytes(reply.body)
    key = ada.get("/house/records/key")
    assert key.headers["content-disposition"] == 'attachment; filename="house.public"'
    (tmp_path / "house.public").write_bytes(key.body)
    report = verify_excerpt(tmp_path / name, read_public(tmp_path / "house.public"))
    assert report.ok, report.problems
    with server.reading() as store:
        assert report.commits <= store.counts()["commits"]
    assert report.rounds == 2


@pytest.mark.rule("F-16")
def test_an_export_is_the_same_to_the_byte_compressed_or_not(ada: Window) -> None:
    asked = f"{EXPORT}?from=2000-01-01&until={moment(0)}"
    plain, packed = ada.get(asked), ada.get(asked, Accept_Encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


def moment(ahead: int) -> str:
    """A time that a range ends with: now, or so many seconds later."""
    time = datetime.now(UTC) + timedelta(seconds=ahead)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("from=nonsense", "'nonsense' is no time; write a date such as"),
        ("from=2026-02-03&until=2026-02-01", "is not before"),
        ("from=2030-01-01", "Nothing was recorded between 2030-01-01 00:00:00 UTC and"),
        ("until=1999-01-01", "and 1999-01-01 00:00:00 UTC; choose another range."),
        ("until=1066-01-01", "is no time that records can have"),
        ("from=2026-01-01&zone=mars", "'mars' is no time zone of this page; choose house or utc."),
    ],
)
def test_a_range_that_cannot_be_exported_is_said_so_on_the_page(ada: Window, asked: str, why: str) -> None:
    reply = ada.get(f"{EXPORT}?{asked}")
    assert reply.status == 422
    assert why in said(reply)
    assert "content-disposition" not in reply.headers


def test_a_range_without_records_is_said_so_before_anybody_downloads_it(ada: Window) -> None:
    page = ada.get(f"{PAGE}?from=2030-01-01&until=2031-01-01")
    assert page.status == 200
    assert "Nothing was recorded between these two moments; choose another range." in said(page)
    assert "Download the excerpt" not in said(page)


@pytest.mark.rule("F-13")
def test_somebody_has_one_export_at_a_time_and_another_person_is_not_held_up(
    server: LocalServer, ada: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = held_back(monkeypatch)
    other = staffed(server, "Bea", Role.AUDITOR)
    address = (HOST, server.port)
    with socket.create_connection(address) as first:
        first.sendall(f"GET {EXPORT}?{EVER} HTTP/1.1\r\nHost: {HOST}\r\nCookie: feltworks={ada.token}\r\n\r\n".encode())
        wait_for(lambda: bool(first.recv(1)))  # it has begun
        again = ada.get(f"{EXPORT}?{EVER}")
        assert again.status == 429
        assert "You have an export under way" in said(again)
        goes_on()
        assert other.get(f"{EXPORT}?{EVER}").status == 200
    wait_for(lambda: ada.get(f"{EXPORT}?{EVER}").status == 200)


def held_back(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Exports stop after their first piece until this is called."""
    honest, held = write.pieces, [True]

    def slow(*of: object) -> Iterator[bytes]:
        found = honest(*of)  # type: ignore[arg-type]
        whole = b"".join(found)
        yield whole[:500]
        while held[0]:
            time.sleep(0.01)
            yield b""
        yield whole[500:]

    monkeypatch.setattr(proof, "pieces", slow)
    return lambda: held.__setitem__(0, False)


def test_whoever_goes_away_in_the_middle_of_an_export_can_begin_another(
    server: LocalServer, ada: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = held_back(monkeypatch)
    with socket.create_connection((HOST, server.port)) as first:
        first.sendall(f"GET {EXPORT}?{EVER} HTTP/1.1\r\nHost: {HOST}\r\nCookie: feltworks={ada.token}\r\n\r\n".encode())
        wait_for(lambda: bool(first.recv(1)))
    goes_on()
    wait_for(lambda: ada.get(f"{EXPORT}?{EVER}").status == 200)


@pytest.mark.rule("F-16")
def test_records_that_were_changed_give_no_file_that_could_be_taken_for_whole(tmp_path: Path) -> None:
    """What is found before the first byte is said in words; what is found later breaks the download off, and the next
    page says so."""
    with LocalServer(tmp_path, [money()]) as server:
        ada = staffed(server, "Ada", Role.AUDITOR)
        tamper(tmp_path / "records.db", "UPDATE commits SET actor = 'person:mallory' WHERE id = 1")
        with socket.create_connection((HOST, server.port)) as asking:
            asking.sendall(
                f"GET {EXPORT}?{EVER} HTTP/1.1\r\nHost: {HOST}\r\nCookie: feltworks={ada.token}\r\n\r\n".encode()
            )
            got = b""
            while part := asking.recv(65_536):
                got += part
        assert b'{"signed":' not in got and not got.endswith(b"0\r\n\r\n")
        assert "The export was broken off, and its file cannot be used:" in said(ada.get(PAGE))
        tamper(tmp_path / "records.db", "UPDATE commits SET signature = x''")
        reply = ada.get(f"{EXPORT}?{EVER}")
        assert reply.status == 503
        assert "Nothing is exported: The last records are not signed; run `felt verify`." in said(reply)


# The newest signature.


@pytest.mark.rule("F-16")
def test_the_newest_signature_is_downloaded_as_verify_exports_it(
    server: LocalServer, ada: Window, tmp_path: Path
) -> None:
    reply = ada.get("/house/records/head")
    (tmp_path / "head.json").write_bytes(reply.body)
    receipts, heads = read_signatures([tmp_path / "head.json"])
    assert len(receipts) == 1 and not heads
    report = verify(server.records, server.house.keys.public, receipts)
    assert report.ok and report.receipts == 1
    assert f"feltworks-head-{receipts[0].group}.json" in reply.headers["content-disposition"]


# Verifying now.


@pytest.mark.rule("F-16")
def test_the_records_are_verified_by_a_process_of_its_own_and_the_result_is_kept(
    server: LocalServer, ada: Window
) -> None:
    reply = ada.send(PAGE, do="verify")
    assert reply.status == 200
    told = until_done(ada)
    assert "✓ Everything is in order" in told
    assert re.search(r"\d+ commits, \d+ events, \d+ streams, \d+ entries, 2 rounds, \d+ openings, 1 receipt\.", told)
    assert "Asked for by Ada" in told
    assert "Everything is in order" in until_done(ada)
    assert copies(server) == []


@pytest.mark.rule("F-16")
def test_one_verification_runs_at_a_time_and_tells_how_far_it_is(server: LocalServer, ada: Window) -> None:
    slow = 'import sys,time;print(\'{"type":"progress","done":3,"total":9}\',flush=True);sys.stdin.read()'
    used = verification_of(server)
    honest, used.command = used.command, (sys.executable, "-c", slow)
    try:
        assert ada.post(PAGE, {"do": "verify"}).status == 303
        wait_for(lambda: "3 of 9 commits are checked." in said(ada.get(PAGE)))
        assert '<progress aria-label="Verifying" max="9" value="3">' in ada.get(PAGE).text
        again = ada.post(PAGE, {"do": "verify"})
        assert again.status == 422
        assert "A verification is under way; wait until it is done." in said(again)
    finally:
        used.command = honest
        asyncio.run_coroutine_threadsafe(used.close(), server._loop).result(PATIENCE)


def verification_of(server: LocalServer) -> Verification:
    found: Verification = server._server.config.app.state.proof.verification  # type: ignore[union-attr]
    return found


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("import os;os._exit(3)", "The verification was ended from outside, and found nothing out."),
        ("print('nonsense',flush=True)", "The verification could not be run"),
    ],
)
def test_a_verification_that_ends_without_a_result_is_said_so(
    server: LocalServer, ada: Window, program: str, why: str
) -> None:
    used = verification_of(server)
    honest, used.command = used.command, (sys.executable, "-c", program)
    try:
        assert ada.post(PAGE, {"do": "verify"}).status == 303
        told = until_done(ada)
    finally:
        used.command = honest
    assert "▲ Not verified" in told and why in told
    assert "Everything is in order" not in told


def test_a_verification_that_has_ended_before_it_could_be_asked_is_said_so_too(
    server: LocalServer, ada: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = asyncio.create_subprocess_exec

    async def ended(*command: str, **how: Any) -> asyncio.subprocess.Process:
        process = await start(*command, **how)
        await process.wait()
        while process.stdin is not None and not process.stdin.is_closing():
            await asyncio.sleep(0.001)
        return process

    used = verification_of(server)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", ended)
    monkeypatch.setattr(used, "command", (sys.executable, "-c", ""))
    assert ada.post(PAGE, {"do": "verify"}).status == 303
    assert "The verification was ended from outside, and found nothing out." in until_done(ada)


def test_the_page_does_nothing_that_it_does_not_offer(ada: Window) -> None:
    reply = ada.post(PAGE, {"do": "repair"})
    assert reply.status == 422 and "That is nothing that this page does." in said(reply)


@pytest.mark.rule("F-16")
def test_a_file_that_was_changed_underneath_is_told_of_in_words(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ada = staffed(server, "Ada", Role.AUDITOR)
        tamper(tmp_path / "records.db", "UPDATE commits SET actor = 'person:mallory' WHERE id = 1")
        ada.post(PAGE, {"do": "verify"})
        told = until_done(ada)
        assert re.search(r"▲ \d+ problems? found", told)
        assert "the file is the evidence" in told
        assert copies(server) == []


# The process itself.


@pytest.fixture
def copied(server: LocalServer, tmp_path: Path) -> Path:
    from feltworks.floor.store.backup import backup

    backup(server.records, tmp_path / "records.db")
    return tmp_path / "records.db"


@pytest.mark.rule("F-16")
def test_an_end_that_was_cut_off_is_found_by_the_signature_that_the_house_knows(
    server: LocalServer, copied: Path, tmp_path: Path
) -> None:
    head = server.house.head
    assert head is not None
    later = Receipt(head.chain, head.commit + 5, head.group + 5, head.hash, head.signature)
    for known, is_ok in ((head, True), (later, False)):
        (folder := tmp_path / str(known.commit)).mkdir()
        found = check(Asked(str(copied), server.house.keys.public, known), folder)
        assert isinstance(found, Finding) and found.is_ok is is_ok


def test_nothing_is_copied_where_the_disk_has_no_room_for_it(
    server: LocalServer, copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "SPARE", 2**62)
    (folder := tmp_path / "copy").mkdir()
    found = check(Asked(str(copied), server.house.keys.public), folder)
    assert isinstance(found, Failure) and "There is too little room on the disk" in found.why
    assert list(folder.iterdir()) == []


def test_records_that_are_not_there_are_said_so(tmp_path: Path) -> None:
    found = check(Asked(str(tmp_path / "none.db"), "0" * 64), tmp_path)
    assert isinstance(found, Failure) and "none.db" in found.why


def test_the_process_ends_with_its_copy_when_nobody_listens_any_more(copied: Path, server: LocalServer) -> None:
    """And takes along what one left behind that was killed."""
    from subprocess import PIPE, Popen

    (left := copied.parent / f"{COPY}left").mkdir()
    # It waits where it would copy, so that it is in the middle of it.
    wait = "import feltworks.floor.verification.process as p,time;p.check=lambda *_:time.sleep(600);p.main()"
    with Popen([sys.executable, "-c", wait], stdin=PIPE, stdout=PIPE) as child:
        assert child.stdin is not None
        child.stdin.write(msgspec.json.encode(Asked(str(copied), server.house.keys.public)) + b"\n")
        child.stdin.flush()
        wait_for(lambda: len(list(copied.parent.glob(f"{COPY}*"))) == 1 and not left.exists())
        assert os.getpriority(os.PRIO_PROCESS, child.pid) == process.NICE
        child.stdin.close()
        assert child.wait(PATIENCE) == 0
    assert list(copied.parent.glob(f"{COPY}*")) == []


# Ranges of time.


def test_a_time_is_taken_in_the_zone_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    try:
        utc, house = (TimeRange.of("2026-07-01T12:00", "", zone).since for zone in ("utc", "house"))
        assert utc is not None and house is not None
        assert house - utc == 7 * 3_600_000
        assert TimeRange.of("2026-07-01T12:00", "", "").since == utc
        assert TimeRange.of("2026-07-01T12:00+02:00", "", "house").since == utc - 2 * 3_600_000
        assert said_time(house) == "2026-07-01 12:00:00 UTC-07:00"
        span = TimeRange.of("2026-07-01T12:00", "2026-07-02T12:00", "house")
        assert span.fields == {"from": "2026-07-01T12:00:00", "until": "2026-07-02T12:00:00"}
        assert TimeRange.of("2026-07-01T19:00", "2026-07-02T19:00Z", "").fields == span.fields
        assert span.query == "from=2026-07-01T19%3A00%3A00.000Z&until=2026-07-02T19%3A00%3A00.000Z"
        assert span.file_name == "feltworks-records-20260701T190000Z-to-20260702T190000Z.jsonl"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_reading_that_takes_long_is_given_up_when_the_server_stops(copied: Path) -> None:
    from feltworks.floor.store.schema import StoreError

    with Reader(copied) as store:
        reading = store.read("money")
        next(reading)
        store.give_up()
        with pytest.raises(StoreError, match="given up"):
            store.head("money")
