"""A data folder that commit 1996a20 wrote (tests/floor/data/version_1) goes on in this version."""

import json
import lzma
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from feltworks.floor.accounts import Kind, player_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.data_folder import KEYS, PUBLIC, RECORDS
from feltworks.floor.house import House
from feltworks.floor.journal.records import FIRST, chained
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys, load_keys, read_public
from feltworks.floor.passwords import Hashed
from feltworks.floor.recall import VOIDED, replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.schema import VERSION
from feltworks.floor.store.sqlite import Store, StoreError
from feltworks.floor.streams import is_table
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from feltworks.kit.cards import Token
from feltworks.kit.errors import BadValue
from feltworks.web.demo import LINKED, PIT, open_demo_tables
from feltworks.web.serving import open_house, state_of
from tests.floor.damage import change, in_utf_16, rows_in
from tests.floor.sitting import fold

DATA = Path(__file__).parent / "data" / "version_1"
KNOWN: dict[str, Any] = json.loads((DATA / "known.json").read_text())
"""What the old program knew of its tables when it ended."""
GO_ON = ("between", "match", "money", "under")
"""Tables whose definition is still installed. One whose definition changes is closed, as Yo! is: move it there."""
CLOSED = "yo"
COPY = f"{RECORDS}.version-1"


def unpacked(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / RECORDS).write_bytes(lzma.decompress((DATA / f"{RECORDS}.xz").read_bytes()))
    for name in (KEYS, PUBLIC):
        shutil.copyfile(DATA / name, folder / name)
        (folder / name).chmod(0o600)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The old data folder."""
    return unpacked(tmp_path / "old")


@pytest.fixture(scope="module")
def migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = unpacked(tmp_path_factory.mktemp("house") / "old")
    house_in(folder).close()
    return folder


@pytest.fixture
def migrated(migrated_once: Path, tmp_path: Path) -> Path:
    """The same folder after its first start in this version."""
    return Path(shutil.copytree(migrated_once, tmp_path / "migrated"))


@dataclass
class Clock:
    now: int = field(default_factory=lambda: int(KNOWN["time"]))

    def __call__(self) -> int:
        return self.now


def keys_in(folder: Path) -> Keys:
    return load_keys(folder / KEYS, new=False)


def house_in(folder: Path, clock: Clock | None = None) -> House:
    store = Store(folder / RECORDS)
    try:
        return House(store, keys_in(folder), clock or Clock())
    except BaseException:
        store.close()
        raise


@contextmanager
def started(folder: Path, clock: Clock | None = None) -> Iterator[House]:
    house = house_in(folder, clock)
    try:
        yield house
    finally:
        house.close()


def verified(folder: Path) -> Report:
    return verify(folder / RECORDS, read_public(folder / PUBLIC))


def old_rows(sql: str) -> list[Any]:
    """Rows of the old file, as it was before anything opened it."""
    data = bytearray(lzma.decompress((DATA / f"{RECORDS}.xz").read_bytes()))
    data[18:20] = b"\1\1"  # in memory there is no log beside it
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", bytes(data))
    return connection.execute(sql).fetchall()


def play_out(house: House, table: str, clock: Clock) -> None:
    """Everybody goes on with the round that was being played, to its end."""
    number = house.live(table).table.round_number
    while (state := house.live(table).table).round is not None:
        assert state.round_number == number
        if isinstance(state.step, steps.Choose) and state.to_act:
            house.command(table, state.seats[min(state.to_act)].player, cmd.Choose(state.step.options[0].name))
            continue
        due = house.due(table)
        assert due is not None
        clock.now = max(clock.now, due.at)
        house.deal_on(table, due.doing)


# It opens.


@pytest.mark.rule("F-16")
def test_an_old_folder_opens_and_a_copy_of_the_old_file_is_kept(folder: Path) -> None:
    before = rows_in(folder / RECORDS)
    with started(folder) as house:
        assert not house.fault
        assert house.store.is_current
    assert rows_in(folder / COPY) == before
    assert (folder / COPY).stat().st_mode & 0o777 == 0o600
    assert rows_in(folder / RECORDS)["user_version"] == [(VERSION,)]


def test_the_server_opens_an_old_folder_and_says_which_table_is_closed(folder: Path) -> None:
    house = open_house(folder)
    said = state_of(house)
    house.close()
    assert "The newest record was of" in said[0]
    assert said[0].endswith(" days ago.")
    assert said[1] == (
        f"The records were of an older version and are up to date now; a copy is at {folder.resolve() / COPY}."
    )
    assert said[2].startswith("The table yo is closed. It is played by the definition 32e3688bb73e of yo; installed is")
    assert said[2].endswith("`felt serve --successor yo` opens one with the same settings.")


def test_before_that_verify_says_who_brings_it_up_to_date(folder: Path) -> None:
    with pytest.raises(StoreError, match="older Feltworks; `felt serve` brings it up to date"):
        verified(folder)


@pytest.mark.rule("F-16")
def test_a_second_start_takes_nothing_over_again(folder: Path) -> None:
    house_in(folder).close()
    files, after = sorted(path.name for path in folder.iterdir()), rows_in(folder / RECORDS)
    with started(folder) as house:
        assert sorted(house.tables) == list(GO_ON)
    assert sorted(path.name for path in folder.iterdir()) == files
    assert rows_in(folder / RECORDS) == after


@pytest.mark.rule("F-16")
def test_everything_verifies_and_the_table_that_is_not_replayed_is_named(migrated: Path) -> None:
    report = verified(migrated)
    assert report.ok, report.problems
    assert [said.split(".")[0] for said in report.not_replayed] == ["yo: not replayed: definition 32e3688bb73e"]
    old = rows_in(migrated / COPY)
    assert report.records > len(old["events"])
    assert report.signatures > len(old["heads"])
    assert report.openings > 50


@pytest.mark.rule("F-16")
def test_the_old_records_stay_as_they_were_with_their_hashes(migrated: Path) -> None:
    old = old_rows("SELECT stream, sequence, time, actor, command, round, event, previous, hash FROM events")
    with Reader(migrated / RECORDS) as store:
        for row in old:
            (record,) = store.read(row[0], row[1] - 1, row[1])
            assert (record.stream, record.sequence, record.time, record.actor, record.command) == row[:5]
            assert (record.round, record.event, record.previous, record.hash) == row[5:]
            assert record.hash == record.true_hash
        store.check_books()


# Tables that go on.


@pytest.mark.rule("F-16", "F-17")
@pytest.mark.parametrize("name", GO_ON)
def test_a_table_goes_on_exactly_where_it_was(migrated: Path, name: str) -> None:
    known = KNOWN["tables"][name]
    with started(migrated) as house:
        live = house.live(name)
        records = list(house.store.read(name))
        events = [(decode_event(name, record.event), record.time) for record in records]
        assert live.table == fold((event, time) for event, time in events if isinstance(event, ev.Event))
        assert live.table.version == len(records) == known["version"]
        assert (live.table.round_number, type(live.table.step).__name__) == (known["round"], known["step"])
        assert (live.table.dealt, live.table.root, live.table.deadline) == (
            known["dealt"],
            known["root"],
            known["deadline"],
        )
        for up, by_player in ((live.table.wagers, known["wagers"]), (live.table.winnings, known["winnings"])):
            found = Counter[str]()
            for (seat, _), cents in up.items():
                found[live.table.seats[seat].player] += int(cents)
            assert found == by_player
        assert live.table.round is not None
        assert {_token(token): live.shoes.card(live.table, token).text for token in live.table.round.cards} == known[
            "cards"
        ]


def _token(token: Token) -> str:
    return f"{token.owner} {token.name}"


@pytest.mark.rule("F-17")
@pytest.mark.parametrize("name", GO_ON)
def test_the_interrupted_round_is_played_to_its_end(migrated: Path, name: str) -> None:
    clock = Clock()
    with started(migrated, clock) as house:
        number = house.live(name).table.round_number
        play_out(house, name, clock)
        assert house.live(name).table.round_number == number
        assert not house.live(name).table.wagers
        house.store.check_books()
    report = verified(migrated)
    assert report.ok, report.problems


@pytest.mark.rule("F-17", "F-21")
@pytest.mark.parametrize("name", GO_ON)
def test_the_next_round_is_played_and_opened_as_ever(migrated: Path, name: str) -> None:
    clock = Clock()
    with started(migrated, clock) as house:
        play_out(house, name, clock)
        due = house.due(name)
        assert due is not None
        assert due.doing == "start round"
        clock.now = max(clock.now, due.at)
        house.deal_on(name, due.doing)
        table = house.live(name).table
        spots = [spot for wager in table.game.wagers.values() for spot in wager.opens][:2]
        for who in list(table.seats.values()):
            for spot in spots:
                house.command(name, who.player, cmd.Place(spot, 500))
            house.command(name, who.player, cmd.Ready())
        play_out(house, name, clock)
        assert house.live(name).table.round_number == KNOWN["tables"][name]["round"] + 1
    report = verified(migrated)
    assert report.ok, report.problems


# The table whose definition changed.


def settled_at_yo(signed: bool) -> tuple[Counter[str], Counter[str]]:
    """What each player has won and lost at Yo!, from the old records by themselves: by those that the house has signed,
    or by those after them."""
    won, lost = Counter[str](), Counter[str]()
    seats: dict[int, str] = {}
    ((end,),) = old_rows("SELECT max(sequence) FROM heads WHERE stream = 'yo'")
    for sequence, text in old_rows("SELECT sequence, event FROM events WHERE stream = 'yo' ORDER BY sequence"):
        event = json.loads(text)
        if event["kind"] == "sat":
            seats[event["seat"]] = event["player"]
        for effect in event.get("effects", []) if (sequence <= end) is signed else []:
            if effect["kind"] == "settled":
                won[seats[effect["seat"]]] += effect["paid"]
                lost[seats[effect["seat"]]] += effect["amount"] if effect["stake"] == "taken" else 0
    return won, lost


def lying_at_yo() -> dict[str, int]:
    """What each player has lying at Yo!, from the old records by themselves: what was taken from the account, less what
    went back to it, and what was won and lost, as far as that is signed."""
    due, (won, lost) = Counter[str](), settled_at_yo(signed=True)
    due.update(won)
    due.subtract(lost)
    for payer, payee, cents in old_rows("SELECT payer, payee, cents FROM entries"):
        if payee == "table:yo":
            due[payer.removeprefix("player:")] += cents
        if payer == "table:yo":
            due[payee.removeprefix("player:")] -= cents
    return {player: cents for player, cents in due.items() if cents}


@pytest.mark.rule("F-17")
def test_wagers_in_action_and_winnings_that_are_signed_go_back(migrated: Path) -> None:
    """By the last events, which nobody has signed, nobody has won or lost: they may be forged, and without the rules
    nobody can tell."""
    known, lying, (won, lost) = KNOWN["tables"][CLOSED], lying_at_yo(), settled_at_yo(signed=False)
    wagers, winnings = Counter(known["wagers"]) + lost, Counter(known["winnings"]) - won
    assert len(known["wagers"]) == 3
    assert won.total() and lost.total() and winnings.total()
    assert lying == wagers + winnings
    with started(migrated) as house:
        assert CLOSED not in house.tables
        assert house.closed[CLOSED].why.startswith("It is played by the definition 32e3688bb73e of yo; installed is")
        for player in KNOWN["tokens"]:
            was = KNOWN["balances"][str(player_account(player))]
            assert house.balance(player) == was + lying[player]
            assert house.store.balance(str(player_account(player))) == was + lying[player]
        booked = [b for b in house.store.entries(CLOSED) if b.sequence > known["version"]]
    assert {b.entry.payee.owner: b.entry.cents for b in booked if b.entry.kind is Kind.WAGER_RETURNED} == wagers
    assert {b.entry.payee.owner: b.entry.cents for b in booked if b.entry.kind is Kind.PAYOUT} == winnings
    assert {b.round for b in booked} == {known["round"]}


@pytest.mark.rule("F-17")
def test_what_went_back_goes_back_once(migrated: Path) -> None:
    with started(migrated) as house:
        balances = house.store.balances()
    for _ in range(2):
        with started(migrated) as house:
            assert house.store.balances() == balances
            assert house.closed[CLOSED].settings is not None


def test_a_successor_opens_with_the_same_settings(migrated: Path) -> None:
    with started(migrated) as house:
        closed = house.closed[CLOSED]
        assert closed.settings is not None
        assert house.open_successor(CLOSED) == "yo-2"
        made = house.live("yo-2").table.settings
        assert {**_fields(made), "id": CLOSED} == _fields(closed.settings)
        assert house.closed[CLOSED].successor == "yo-2"
        with pytest.raises(BadValue, match="is not a closed table without a successor"):
            house.open_successor(CLOSED)
    with started(migrated) as house:
        assert sorted(house.tables) == [*GO_ON, "yo-2"]
        assert house.closed[CLOSED].successor == "yo-2"
        player = next(iter(KNOWN["tokens"]))
        house.command("yo-2", player, cmd.Sit(1))
        (first,) = house.store.read("yo-2", 0, 1)
        opened = decode_event("yo-2", first.event)
        assert isinstance(opened, ev.Opened)
        assert opened.predecessor == CLOSED
    report = verified(migrated)
    assert report.ok, report.problems


def _fields(settings: Any) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in settings.__struct_fields__}


def test_the_demo_house_opens_the_successor_by_itself(migrated: Path) -> None:
    with started(migrated) as house:
        for _ in range(2):
            open_demo_tables(house)
            assert set(house.tables) == {*GO_ON, "yo-2", *(table.id for table in (*PIT, *LINKED))}


def test_commands_to_the_closed_table_are_refused_with_the_reason(migrated: Path) -> None:
    with started(migrated) as house:
        player = next(iter(KNOWN["tokens"]))
        with pytest.raises(Refused, match=r"The table is closed\. It is played by the definition 32e3688bb73e"):
            house.command(CLOSED, player, cmd.Place("play", 500), "new")


# People and their commands.


def test_old_sessions_still_log_in(migrated: Path) -> None:
    with started(migrated) as house:
        for number, (player, token) in enumerate(KNOWN["tokens"].items(), 1):
            assert house.people.player_of(token) == player
            assert house.people.name(player) == f"Guest {number}"
        assert house.people.player_of("d15b") is None
        _, token = house.people.guest()
        newcomer = house.people.player_of(token)
        assert newcomer is not None
        assert house.people.name(newcomer) == "Guest 4"


def test_an_old_session_that_is_over_stays_so(folder: Path) -> None:
    (player, token), *_ = KNOWN["tokens"].items()
    change(folder / RECORDS, f"UPDATE sessions SET expires = {KNOWN['time'] - 1} WHERE player = '{player}'")
    with started(folder) as house:
        assert house.people.player_of(token) is None


def test_an_old_session_can_be_ended(migrated: Path) -> None:
    token = next(iter(KNOWN["tokens"].values()))
    with started(migrated) as house:
        house.people.end_session(token)
        assert house.people.player_of(token) is None
    report = verified(migrated)
    assert report.ok, report.problems


@pytest.mark.rule("F-17")
def test_an_old_command_that_is_sent_again_was_done_already(migrated: Path) -> None:
    with started(migrated) as house:
        before = {name: live.table for name, live in house.tables.items()}, house.store.counts()
        for table, player, id in KNOWN["commands"]:
            assert house.command(table, player, cmd.Leave(), id) is None
        assert ({name: live.table for name, live in house.tables.items()}, house.store.counts()) == before


@pytest.mark.rule("F-18")
def test_old_rounds_are_recalled(migrated: Path) -> None:
    old = old_rows("SELECT stream, round, account FROM played ORDER BY id DESC")
    with Reader(migrated / RECORDS) as store:
        for player in KNOWN["tokens"]:
            rounds = [(found.stream, found.round) for found in store.rounds_of(player, limit=100)]
            assert rounds == [(s, r) for s, r, account in old if account == str(player_account(player))]
    voids = 0
    for name in GO_ON:
        for number in range(1, KNOWN["tables"][name]["round"] + 1):
            recalled = replayed(migrated / RECORDS, name, number)
            last = number == KNOWN["tables"][name]["round"]
            assert recalled.unfinished == ("still being played" if last else recalled.unfinished)
            voids += recalled.unfinished == VOIDED
            assert recalled.happenings
    assert voids == len(old_rows("SELECT 1 FROM events WHERE CAST(event AS TEXT) LIKE '%\"voided\"%'")) == 1


# All of it or nothing.


def _copied(folder: Path, to: Path) -> Path:
    """The files as they are now, as a crash would leave them."""
    to.mkdir()
    for name in (RECORDS, f"{RECORDS}-wal", KEYS, PUBLIC):
        if (folder / name).exists():
            shutil.copy(folder / name, to / name)
    return to


def _statements(folder: Path, watch: Callable[[int, str], None]) -> None:
    """Start a house, and be told of each statement that is about to be run."""
    store, run = Store(folder / RECORDS), 0

    def count(_: object, sql: str, __: object) -> bool:
        nonlocal run
        run += 1
        watch(run, sql)
        return True

    store.connection.exec_trace = count
    try:
        House(store, keys_in(folder), Clock())
    finally:
        store.connection.exec_trace = None
        store.close()


@pytest.mark.rule("F-17")
def test_a_crash_at_any_statement_leaves_the_old_file_or_the_new_one(folder: Path, tmp_path: Path) -> None:
    old, run = rows_in(folder / RECORDS), list[str]()
    _statements(_copied(folder, tmp_path / "counted"), lambda _, sql: run.append(sql))
    last = run.index(f"PRAGMA user_version = {VERSION}") + 1
    assert last > 1_000
    looked_at = {*range(1, 40), *range(50, last, 50), *range(last - 20, last + 6)}
    home, left = _copied(folder, tmp_path / "dying"), list[Path]()

    def dying(n: int, _: str) -> None:
        if n in looked_at:
            left.append(_copied(home, tmp_path / f"left {n}"))

    _statements(home, dying)
    versions = []
    for crashed in left:
        found = rows_in(crashed / RECORDS)
        versions.append(found["user_version"][0][0])
        assert found == old or versions[-1] == VERSION
    assert versions == [1] * versions.count(1) + [VERSION] * versions.count(VERSION)
    assert versions.count(1) >= len(left) - 5
    for crashed in (left[0], left[versions.count(1) - 1], left[versions.count(1)]):
        house_in(crashed).close()
        report = verified(crashed)
        assert report.ok, report.problems


class Crash(BaseException):
    """The power is gone."""


@pytest.mark.rule("F-17")
@pytest.mark.parametrize("statement", [3, 30, 300, 1_000])
def test_a_migration_that_ends_in_mid_air_can_be_done_again(folder: Path, statement: int) -> None:
    old = rows_in(folder / RECORDS)

    def dying(n: int, _: str) -> None:
        if n == statement:
            raise Crash

    with pytest.raises(Crash):
        _statements(folder, dying)
    assert rows_in(folder / RECORDS) == old
    house_in(folder).close()
    assert verified(folder).ok


@pytest.mark.rule("F-17")
def test_where_the_disk_is_full_the_old_file_stays_as_it_is(folder: Path) -> None:
    old, store = rows_in(folder / RECORDS), Store(folder / RECORDS)
    store.connection.pragma("max_page_count", int(store.connection.pragma("page_count")) + 20)
    with pytest.raises(StoreError, match=r"could not be brought up to date, and is as it was: .*full"):
        House(store, keys_in(folder), Clock())
    store.close()
    assert rows_in(folder / RECORDS) == old
    house_in(folder).close()
    assert sorted(path.name for path in folder.glob(f"{COPY}*")) == [COPY, f"{COPY}.2"]
    assert verified(folder).ok


def test_where_no_copy_can_be_kept_nothing_is_changed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = rows_in(folder / RECORDS)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("feltworks.floor.store.backup._copy", full)
    with pytest.raises(StoreError, match=r"version-1 cannot be written: .*No space left"):
        house_in(folder)
    assert rows_in(folder / RECORDS) == old
    assert not (folder / COPY).exists()


# Old records that are not what they should be.

PLACED = "(SELECT min(id) FROM events WHERE CAST(event AS TEXT) LIKE '%[\"place\",_,%500]%')"


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "damage",
    [
        f"UPDATE events SET event = CAST(replace(event, '500', '900') AS BLOB) WHERE id = {PLACED}",
        "UPDATE events SET time = time + 1 WHERE id = 200",
        "DELETE FROM events WHERE stream = 'money' AND sequence = 20",
        "DELETE FROM events WHERE stream = 'house' AND sequence > 4",
        "UPDATE heads SET signature = zeroblob(64) WHERE stream = 'money'",
        "UPDATE heads SET time = time + 1 WHERE stream = 'house' AND sequence = 2",
        f"UPDATE heads SET public = '{'ab' * 32}' WHERE stream = 'between'",
        "UPDATE entries SET cents = cents + 100 WHERE event = (SELECT max(event) FROM entries)",
        "UPDATE accounts SET balance = balance + 100 WHERE name LIKE 'player:%'",
        "DELETE FROM entries WHERE event = (SELECT max(event) FROM entries)",
    ],
)
def test_damaged_old_records_are_refused_in_a_sentence(folder: Path, damage: str) -> None:
    change(folder / RECORDS, damage)
    before = rows_in(folder / RECORDS)
    with pytest.raises(StoreError, match=r"holds older records that are damaged: .* It was not changed; put a backup"):
        house_in(folder)
    assert rows_in(folder / RECORDS) == before
    assert not (folder / COPY).exists()


def appended(folder: Path, stream: str, *events: Any) -> None:
    """Events after the last one of a stream, with hashes that are right and no signature: what somebody can write who
    has no key."""
    connection = apsw.Connection(str(folder / RECORDS))
    query = "SELECT sequence, hash, time FROM events WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
    sequence, hash, time = next(connection.execute(query, (stream,)), (0, FIRST, KNOWN["time"]))
    for event in events:
        sequence += 1
        record = chained(stream, sequence, time, "house", "", 0, msgspec.json.encode(event), hash)
        hash = record.hash
        connection.execute(
            "INSERT INTO events (stream, sequence, time, actor, command, round, event, previous, hash)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            msgspec.structs.astuple(record),
        )
    connection.close()


def grant(player: str, cents: int) -> dict[str, Any]:
    entry = {"kind": "play-money grant", "payer": "house", "payee": f"player:{player}", "cents": cents}
    return {"kind": "booked", "reason": "play money for a new player", "entries": [entry]}


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    ("stream", "events"),
    [
        ("house", [grant("2441e3d54410492b", 50_000_000)]),
        ("house", [grant("2441e3d54410492b", 100_000)]),
        ("house", [{"kind": "joined", "player": "x", "name": "X"}, grant("x", 50_000_000)]),
        ("house", [{"kind": "joined", "player": name, "name": name} for name in "xy"]),
        ("money", [{"kind": "round ended", "round": 1, "openings": []}, {"kind": "readied", "seat": 1}]),
    ],
    ids=["money for somebody", "a second grant", "a rich guest", "two guests", "a round"],
)
def test_more_than_a_crash_can_leave_unsigned_is_not_taken_over(folder: Path, stream: str, events: list[Any]) -> None:
    appended(folder, stream, *events)
    before = rows_in(folder / RECORDS)
    with pytest.raises(StoreError, match=rf"older records of {stream} that the house never signed.* may be forged"):
        house_in(folder)
    assert rows_in(folder / RECORDS) == before


@pytest.mark.rule("F-16")
def test_an_older_file_in_another_encoding_is_not_taken_over(folder: Path) -> None:
    in_utf_16(folder / RECORDS)
    with pytest.raises(StoreError, match="damaged: its tables are not those of an older Feltworks"):
        house_in(folder)


@pytest.mark.rule("F-16")
def test_an_older_file_with_a_stream_of_a_person_is_not_taken_over(folder: Path) -> None:
    """Version 1 had none: what somebody writes there would pass for what this version recorded."""
    player = next(iter(KNOWN["tokens"]))
    joined = {"kind": "joined", "digest": "00" * 32}
    appended(folder, f"person:{player}", joined, {"kind": "granted", "cents": 90_000_000, "reason": "a gift"})
    change(
        folder / RECORDS,
        "INSERT INTO entries VALUES ((SELECT max(id) FROM events), 0, 'play-money grant', 'house',"
        f" 'player:{player}', 90000000)",
        "UPDATE accounts SET balance = balance - 90000000 WHERE name = 'house'",
        f"UPDATE accounts SET balance = balance + 90000000 WHERE name = 'player:{player}'",
    )
    with pytest.raises(StoreError, match=rf"damaged: person:{player} is no stream of the older Feltworks"):
        house_in(folder)


@pytest.mark.rule("F-16", "F-17")
def test_a_guest_whom_a_crash_left_unsigned_is_taken_over(folder: Path) -> None:
    appended(folder, "house", {"kind": "joined", "player": "x", "name": "X"})
    connection = apsw.Connection(str(folder / RECORDS))
    connection.execute("INSERT INTO players VALUES ('x', 'X', (SELECT max(time) FROM events WHERE stream = 'house'))")
    connection.close()
    with started(folder) as house:
        assert house.people.name("x") == "X"
    assert verified(folder).ok


@pytest.mark.rule("F-16")
def test_old_records_of_the_house_without_any_signature_are_not_taken_over(folder: Path) -> None:
    change(folder / RECORDS, "DELETE FROM heads")
    with pytest.raises(StoreError, match="that the house never signed"):
        house_in(folder)


@pytest.mark.rule("F-16")
def test_another_key_takes_no_old_records_over(folder: Path) -> None:
    before, other = rows_in(folder / RECORDS), Keys(bytes(32), bytes(range(32)))
    with Store(folder / RECORDS) as store, pytest.raises(StoreError, match=r"signed with another key .* put the key"):
        House(store, other, Clock())
    assert rows_in(folder / RECORDS) == before


def test_a_house_that_was_never_used_is_taken_over_too(folder: Path) -> None:
    tables = ("events", "accounts", "entries", "played", "answers", "secrets", "heads", "snapshots", "sessions")
    change(folder / RECORDS, *(f"DELETE FROM {table}" for table in (*reversed(tables), "players")))
    with started(folder) as house:
        assert not house.tables
        assert not house.closed
        open_demo_tables(house)
    assert verified(folder).ok


# What was taken over cannot be changed afterwards.


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    ("table", "statement"),
    [
        ("events", f"UPDATE events SET event = CAST(replace(event, '500', '900') AS BLOB) WHERE id = {PLACED}"),
        ("events", "UPDATE events SET hash = zeroblob(32) WHERE id = 60"),
        ("events", "UPDATE events SET round = round + 1 WHERE id = 60"),
        ("events", "DELETE FROM events WHERE id = (SELECT max(id) FROM events WHERE commit_id < 1)"),
        ("events", "DELETE FROM events WHERE stream = 'yo' AND commit_id < 1"),
        ("entries", "UPDATE entries SET cents = cents + 100 WHERE event = (SELECT min(event) FROM entries)"),
        ("entries", "UPDATE entries SET kind = 'correction' WHERE event = (SELECT min(event) FROM entries)"),
        ("entries", "DELETE FROM entries WHERE event = (SELECT min(event) FROM entries)"),
        ("entries", "INSERT INTO entries VALUES (300, 9, 'payout', 'table:money', 'player:2441e3d54410492b', 100)"),
        ("commits", "UPDATE commits SET time = time + 1 WHERE id = -50"),
        ("commits", "UPDATE commits SET actor = 'somebody' WHERE id = -50"),
        ("commits", "UPDATE commits SET command_id = 'other' WHERE id = -50"),
        ("commits", "UPDATE commits SET stream = 'money' WHERE id = -50"),
        ("commits", "DELETE FROM commits WHERE id = -50"),
        ("commits", "INSERT INTO commits VALUES (-9999, '', 0, 0, 'dealer', 'x', '', x'', x'', '', x'')"),
        ("secrets", "UPDATE secrets SET sealed = zeroblob(80) WHERE root = (SELECT min(root) FROM secrets)"),
        ("secrets", "UPDATE secrets SET stream = 'under' WHERE stream = 'money'"),
        ("secrets", "DELETE FROM secrets WHERE stream = 'between'"),
        ("heads", "UPDATE old_heads SET signature = zeroblob(64) WHERE stream = 'money'"),
        ("heads", "DELETE FROM old_heads WHERE stream = 'house'"),
        ("heads", "INSERT INTO old_heads SELECT stream, sequence, hash, time + 1, signature, public FROM old_heads"),
    ],
)
def test_a_change_to_what_was_taken_over_is_found(migrated: Path, table: str, statement: str) -> None:
    change(migrated / RECORDS, statement)
    problems = verified(migrated).problems
    assert any(f"The old {table} are not those that were taken over." == problem for problem in problems), problems


@pytest.mark.rule("F-16", "F-17")
def test_entries_that_were_changed_hand_nothing_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody adds a wager to the old entries between the migration and the start that closes the table."""
    with monkeypatch.context() as patch:
        patch.setattr(House, "_abandon", lambda *_: None)
        house_in(folder).close()
    before = rows_in(folder / RECORDS)["accounts"]
    player = "player:2441e3d54410492b"
    yo = "(SELECT max(id) FROM events WHERE stream = 'yo')"
    change(folder / RECORDS, f"INSERT INTO entries VALUES ({yo}, 9, 'wager taken', '{player}', 'table:yo', 500000)")
    with started(folder) as house:
        assert "the old entries are not those that were taken over" in house.fault
        assert sorted(house.closed) == sorted([*GO_ON, CLOSED])
    assert rows_in(folder / RECORDS)["accounts"] == before
    assert not verified(folder).ok


def test_what_is_a_table_is_told_from_people_and_the_house(migrated: Path) -> None:
    with Reader(migrated / RECORDS) as store:
        assert [stream for stream in store.streams() if is_table(stream)] == sorted([*GO_ON, CLOSED])


# What the first version did not protect, and is checked before it is signed.


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "entry",
    ["'correction', 'house', 'player:2441e3d54410492b', 900000", "'payout', 'table:yo', 'player:2441e3d54410492b', 1"],
    ids=["of another kind", "a win that nobody won"],
)
def test_entries_that_no_event_can_have_made_are_not_taken_over(folder: Path, entry: str) -> None:
    """Also at the table whose rules are not installed any more, and of events that were signed."""
    first = "(SELECT min(id) FROM events WHERE stream = 'yo' AND sequence > 3)"
    *_, payer, payee, cents = (part.strip(" '") for part in entry.split(","))
    change(
        folder / RECORDS,
        f"INSERT INTO accounts VALUES ('{payer}', 0), ('{payee}', 0) ON CONFLICT DO UPDATE SET balance = balance",
        f"INSERT INTO entries VALUES ({first}, (SELECT count(*) FROM entries WHERE event = {first}), {entry})",
        f"UPDATE accounts SET balance = balance - {cents} WHERE name = '{payer}'",
        f"UPDATE accounts SET balance = balance + {cents} WHERE name = '{payee}'",
    )
    with pytest.raises(
        StoreError, match=r"damaged: yo, event 4: its entries in the books are .* makes no such entries"
    ):
        house_in(folder)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "event",
    [
        ev.TableClosed("x.", (ev.HandedBack("thief", 0, 90_000_000),)),
        ev.Abandoned("x.", (ev.HandedBack("thief", 90_000_000, 0),)),
        ev.Paused("x."),
    ],
    ids=lambda event: type(event).__name__,
)
@pytest.mark.parametrize("table", ["yo", "money"])
def test_events_that_the_older_version_did_not_have_are_not_taken_over(
    folder: Path, event: ev.Event, table: str
) -> None:
    """Least of all at the table whose rules are not installed any more."""
    appended(folder, table, event)
    with pytest.raises(StoreError, match="damaged"):
        house_in(folder)


ROOT = "json_extract(CAST(event AS TEXT), '$.root')"


@pytest.mark.rule("F-16", "F-21")
def test_rounds_of_old_whose_cards_the_house_never_sealed_are_not_taken_over(folder: Path) -> None:
    """Somebody could have dealt them from a shoe of their own."""
    ((root,),) = old_rows(f"SELECT {ROOT} FROM events WHERE stream = 'money' AND {ROOT} IS NOT NULL LIMIT 1")
    change(folder / RECORDS, f"DELETE FROM secrets WHERE root = '{root}'")
    with pytest.raises(StoreError, match=r"damaged: money, event \d+: the house never sealed its cards or rolls"):
        house_in(folder)


@pytest.mark.rule("F-16", "F-21")
def test_cards_that_another_table_has_dealt_are_not_taken_over_again(folder: Path) -> None:
    """Whoever saw them there knows what comes."""
    ((root,),) = old_rows(f"SELECT {ROOT} FROM events WHERE stream = 'money' AND {ROOT} IS NOT NULL LIMIT 1")
    appended(folder, "between", {"kind": "round started", "round": 99, "root": root, "size": 52})
    with pytest.raises(StoreError, match=r"damaged: between, event \d+: its cards or rolls were used before"):
        house_in(folder)


@pytest.mark.rule("F-16")
def test_one_crash_leaves_no_two_rounds_that_ended_unsigned(folder: Path) -> None:
    for stream in ("between", "money"):
        appended(folder, stream, {"kind": "round ended", "round": 1, "openings": []})
    with pytest.raises(StoreError, match=r"older records of between and money that the house never signed"):
        house_in(folder)


@pytest.mark.rule("F-16", "F-21")
def test_cards_that_the_house_never_sealed_are_not_taken_over(folder: Path) -> None:
    """Somebody has put another shoe in the place of the one from which the round that is not over was dealt."""
    ((root,),) = old_rows(
        "SELECT json_extract(CAST(event AS TEXT), '$.root') FROM events WHERE stream = 'money'"
        " AND CAST(event AS TEXT) LIKE '%\"round started\"%' ORDER BY sequence DESC LIMIT 1"
    )
    change(folder / RECORDS, f"DELETE FROM secrets WHERE root = '{root}'")
    with pytest.raises(StoreError, match=r"damaged: money, event \d+: the house never sealed its cards or rolls"):
        house_in(folder)


# From the second version to the third.


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """A data folder of the second version; its README says how it was made."""
    data, folder = Path(__file__).parent / "data" / "version_2", tmp_path / "second"
    folder.mkdir()
    (folder / RECORDS).write_bytes(lzma.decompress((data / "records.db.xz").read_bytes()))
    for name in ("house.key", "house.public", "known.json"):
        shutil.copyfile(data / name, folder / name)
    (folder / "house.key").chmod(0o600)
    return folder


@pytest.mark.rule("F-16", "F-17")
def test_records_of_the_second_version_verify_as_they_are_and_go_on_in_the_third(second: Path) -> None:
    known = json.loads((second / "known.json").read_text())
    keys = load_keys(second / "house.key", new=False)
    before = (second / RECORDS).read_bytes()
    assert verify(second / RECORDS, keys.public).ok
    assert (second / RECORDS).read_bytes() == before
    house = House(Store(second / RECORDS), keys, lambda: 1_763_100_000_000)
    try:
        assert not house.fault and house.older_copy is None
        assert house.people.player_of(known["token"]) == known["player"]
        assert house.store.balances() == known["balances"]
        assert house.store.connection.pragma("user_version") == VERSION
        id, code = house.staff.add("Sue", ["manager"], PROGRAM)
        house.staff.set_password(id, Hashed("a hash", "of a test"), code)
        assert house.live("match").table.service == "paused"
    finally:
        house.close()
    assert verify(second / RECORDS, keys.public).ok
    House(Store(second / RECORDS), keys, lambda: 1_763_100_000_000).close()


@pytest.mark.rule("F-16")
def test_a_table_that_somebody_put_into_a_file_of_the_second_version_keeps_it_from_being_brought_up_to_date(
    second: Path,
) -> None:
    connection = apsw.Connection(str(second / RECORDS))
    connection.execute("CREATE TABLE kept (owner TEXT, what TEXT, salt BLOB, body TEXT)")
    connection.close()
    before = rows_in(second / RECORDS)
    with pytest.raises(StoreError, match="its tables are not those of an older Feltworks"):
        House(Store(second / RECORDS), load_keys(second / "house.key", new=False), lambda: 1_763_100_000_000)
    assert rows_in(second / RECORDS) == before
