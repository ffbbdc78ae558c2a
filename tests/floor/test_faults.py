"""A fault has a size: one table, or the house; and what goes wrong with the file is said in words and loses nothing."""

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from feltworks.floor.accounts import player_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.data_folder import KEYS, PUBLIC, RECORDS
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import encode
from feltworks.floor.keys import BadKeyFile, load_keys, publish, read_public
from feltworks.floor.people import SOMEBODY
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Conflict, Store, StoreError
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from feltworks.kit.errors import BadValue, FeltworksError, UnknownName
from feltworks.kit.game import Game
from feltworks.web.serving import open_house, state_of
from tests.floor.damage import change, rows_in
from tests.floor.sitting import bands, in_between, load_any, one_for_the_money, point, with_toys
from tests.web.robots import LocalServer
from tests.web.robots import money as money_with_clients

TABLES = ("bands", "between", "money", "point")
START = 1_700_000_000_000


class Place:
    """A data folder, its clock, and two people who play at every table."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, START
        self.records = folder / RECORDS
        self.people: list[str] = []

    def house(self) -> House:
        store = Store(self.records)
        try:
            return House(store, load_keys(self.folder / KEYS, new=False), lambda: self.now)
        except BaseException:
            store.close()
            raise

    @contextmanager
    def open(self) -> Iterator[House]:
        house = self.house()
        try:
            yield house
        finally:
            house.close()

    def verified(self) -> Report:
        return verify(self.records, read_public(self.folder / PUBLIC))

    def deal(self, house: House, table: str, times: int = 1) -> None:
        """The dealer does what is due, so many times."""
        for _ in range(times):
            due = house.due(table)
            assert due is not None
            self.now = max(self.now, due.at)
            house.deal_on(table, due.doing)

    def bet(self, house: House, table: str) -> None:
        """A round begins, everybody bets, and the first card is dealt; the dice are not rolled yet."""
        self.deal(house, table)
        opens = [spot for wager in house.live(table).table.game.wagers.values() for spot in wager.opens]
        for cents, player in zip((500, 700), self.people, strict=True):
            house.command(table, player, cmd.Place(opens[0], cents))
            house.command(table, player, cmd.Ready())
        assert not house.live(table).table.betting
        if house.live(table).table.game.fresh() is not None:
            self.deal(house, table)

    def play_out(self, house: House, table: str) -> None:
        """The round that is being played is played to its end."""
        number = house.live(table).table.round_number
        while (state := house.live(table).table).round is not None and state.round_number == number:
            if isinstance(state.step, steps.Choose) and state.to_act:
                house.command(table, state.seats[min(state.to_act)].player, cmd.Choose(state.step.options[0].name))
            else:
                self.deal(house, table)

    def lying(self, house: House, table: str) -> Counter[str]:
        """Whose money lies at a table."""
        found, state = Counter[str](), house.live(table).table
        for up in (state.wagers, state.winnings):
            for (seat, _), cents in up.items():
                found[state.seats[seat].player] += int(cents)
        return found


def make(folder: Path) -> Place:
    folder.mkdir(mode=0o700, exist_ok=True)
    publish(load_keys(folder / KEYS), folder / PUBLIC)
    place = Place(folder)
    with place.open() as house:
        place.people = [house.people.guest()[0] for _ in range(2)]
        for settings in (one_for_the_money(), in_between(), bands(), point()):
            house.open_table(settings)
            for seat, player in enumerate(place.people, 1):
                house.command(settings.id, player, cmd.Sit(seat))
        for table in ("money", "between"):
            place.bet(house, table)
            place.play_out(house, table)
        for table in TABLES:
            place.bet(house, table)
    return place


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Place:
    with pytest.MonkeyPatch.context() as patch:
        with_toys(patch)
        return make(tmp_path_factory.mktemp("faults") / "house")


@pytest.fixture
def place(made_once: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Four tables, with a round in progress at each; the house was closed."""
    with_toys(monkeypatch)
    copy = Place(Path(shutil.copytree(made_once.folder, tmp_path / "house")))
    copy.now, copy.people = made_once.now, made_once.people
    return copy


@pytest.fixture
def killed(place: Place) -> Place:
    """The same, and one more commit after the last checkpoint: the house was killed."""
    house = place.house()
    house.command("money", place.people[0], cmd.Leave(), "last")
    house.store.close()
    return place


def others_play_on(place: Place, house: House, closed: str) -> None:
    assert sorted({*house.tables, *house.closed}) == list(TABLES)
    assert list(house.closed) == [closed]
    assert not house.fault
    for table in house.tables:
        place.play_out(house, table)
        place.bet(house, table)


# One table.


@pytest.mark.rule("F-16", "F-17")
@pytest.mark.parametrize("stream", TABLES)
def test_one_damaged_event_closes_its_table_and_the_others_play_on(place: Place, stream: str) -> None:
    newest = f"stream = '{stream}' AND sequence = (SELECT max(sequence) FROM events WHERE stream = '{stream}')"
    change(place.records, f"UPDATE events SET event = CAST(event || ' ' AS BLOB) WHERE {newest}")
    with place.open() as house:
        sequence = house.journal.version(stream)
        why = house.closed[stream].why
        assert why == f"Its records cannot be read: event {sequence} was changed; run `felt verify`."
        assert f"The table {stream} is closed. {why}" in state_of(house)
        with pytest.raises(Refused, match=r"The table is closed\. Its records cannot be read"):
            house.command(stream, place.people[0], cmd.Leave(), "x")
        with pytest.raises(BadValue, match="is not a closed table without a successor"):
            house.open_successor(stream)
        others_play_on(place, house, stream)
    assert any(problem.startswith(f"{stream}, event {sequence}:") for problem in place.verified().problems)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET hash = randomblob(32) WHERE stream = 'money' AND sequence = 1",
        "UPDATE events SET event = x'00' WHERE stream = 'money' AND sequence = 1",
        "DELETE FROM events WHERE stream = 'money' AND sequence = 1",
        "DELETE FROM events WHERE stream = 'money'",
        "DELETE FROM events WHERE stream = 'money' AND sequence > 12",
        "UPDATE events SET round = 99 WHERE id = (SELECT max(id) FROM events WHERE stream = 'money')",
    ],
)
def test_whatever_is_wrong_with_its_records_the_others_play_on(place: Place, damage: str) -> None:
    change(place.records, damage)
    with place.open() as house:
        assert house.closed["money"].why.startswith("Its records cannot be read: ")
        assert house.closed["money"].why.endswith("run `felt verify`.")
        others_play_on(place, house, "money")
    assert any("money" in problem for problem in place.verified().problems)


@pytest.mark.rule("F-16")
def test_settings_that_somebody_changed_in_the_first_event_are_not_played_by(place: Place) -> None:
    """With all hashes that can be made without the key: the snapshot of the table knows its settings."""
    with place.open() as house:
        place.play_out(house, "money")
        (first,) = house.store.read("money", 0, 1)
        assert house.store.snapshot("money") is not None
    forged = first.event.replace(b"30000", b"90000000")
    assert forged != first.event
    hash = msgspec.structs.replace(first, event=forged).true_hash
    change(
        place.records,
        f"UPDATE events SET event = x'{forged.hex()}', hash = x'{hash}' WHERE stream = 'money' AND sequence = 1",
    )
    with place.open() as house:
        assert "money" not in house.tables
        assert house.closed["money"].why.startswith("Its records cannot be read: event 2 was changed")


@pytest.mark.rule("F-16")
def test_an_event_of_a_kind_that_nobody_knows_closes_its_table(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer version has written it, with the key: chain and signatures are right."""

    def newer(what: Any) -> bytes:
        return b'{"kind":"left/7"}' if isinstance(what, ev.Left | ev.Presence) else encode(what)

    with place.open() as house, monkeypatch.context() as patch:
        patch.setattr("feltworks.floor.journal.journal.encode", newer)
        house.connection("point", place.people[0], present=False)
    with place.open() as house:
        sequence = house.journal.version("point")
        assert house.closed["point"].why == (
            f"Its records cannot be read: event {sequence} is none that this version knows; run `felt verify`."
        )
        others_play_on(place, house, "point")
    assert any(problem.startswith(f"point, event {sequence}:") for problem in place.verified().problems)


@pytest.mark.rule("F-17")
@pytest.mark.parametrize("stream", TABLES)
def test_a_missing_secret_of_a_live_round_closes_its_table_and_is_named(place: Place, stream: str) -> None:
    """Nothing is paid: or whoever can remove the shoe of a round that is lost would get the wager back."""
    with place.open() as house:
        (root,) = house.live(stream).table.roots
        balances = house.store.balances()
    change(place.records, f"DELETE FROM secrets WHERE root = '{root}'")
    with place.open() as house:
        assert house.closed[stream].why == (
            f"Its records cannot be read: The sealed cards or rolls under the root {root[:12]} are missing."
        )
        assert house.store.balances() == balances
        others_play_on(place, house, stream)
    assert any(
        problem.startswith(f"{stream}, event") and problem.endswith("its sealed cards or rolls are missing.")
        for problem in place.verified().problems
    )


@pytest.mark.rule("F-17")
def test_a_damaged_secret_of_a_live_round_closes_its_table_and_is_found(place: Place) -> None:
    with place.open() as house:
        (root,) = house.live("between").table.roots
    change(place.records, f"UPDATE secrets SET sealed = zeroblob(length(sealed)) WHERE root = '{root}'")
    with place.open() as house:
        assert house.closed["between"].why.startswith("Its records cannot be read: The secret of shoe")
        others_play_on(place, house, "between")
    assert not place.verified().ok


def test_a_closed_table_opens_again_when_the_fault_is_gone(place: Place, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    shutil.copy(place.records, backup)
    change(place.records, "DELETE FROM events WHERE stream = 'money' AND sequence > 12")
    with place.open() as house:
        assert list(house.closed) == ["money"]
    shutil.copy(backup, place.records)
    with place.open() as house:
        assert sorted(house.tables) == list(TABLES)
        place.play_out(house, "money")
    assert place.verified().ok


# The house.

BREAKS = [
    "UPDATE commits SET signature = zeroblob(64) WHERE id = (SELECT max(id) FROM commits)",
    "UPDATE commits SET signature = x'' WHERE id = (SELECT max(id) FROM commits)",
    "UPDATE commits SET time = time + 1 WHERE id = (SELECT max(id) FROM commits)",
    "UPDATE commits SET command = x'00' WHERE id = (SELECT max(id) FROM commits)",
    "UPDATE events SET event = x'00' WHERE id = (SELECT max(id) FROM events)",
    "DELETE FROM events WHERE id = (SELECT max(id) FROM events)",
    "INSERT INTO commits SELECT id + 1, chain, number + 1, time, actor, 'y', stream, command, salt, others, x''"
    " FROM commits WHERE id = (SELECT max(id) FROM commits)",
    "INSERT INTO commits SELECT id + 2, chain, number + 2, time, actor, 'y', stream, command, salt, others, signature"
    " FROM commits WHERE id = (SELECT max(id) FROM commits)",
    "INSERT INTO commits SELECT id + 1, chain, number + 1, time, actor, 'y', 'house', x'', x'', '???', signature"
    " FROM commits WHERE id = (SELECT max(id) FROM commits)",
]


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("damage", BREAKS)
def test_a_broken_end_of_the_chain_starts_the_house_read_only(killed: Place, damage: str) -> None:
    change(killed.records, damage)
    before = rows_in(killed.records)
    house = killed.house()
    assert house.fault.startswith("The house is read-only. The ")
    assert house.fault.endswith("Run `felt verify`.")
    assert not house.tables
    assert {name: table.why for name, table in house.closed.items()} == dict.fromkeys(TABLES, house.fault)
    assert state_of(house)[0] == house.fault
    player = killed.people[0]
    for id in ("last", "new", ""):
        with pytest.raises(Refused, match="The house is read-only"):
            house.command("between", player, cmd.Leave(), id)
    with pytest.raises(Refused, match="The house is read-only"):
        house.people.guest()
    with pytest.raises(Refused, match="The house is read-only"):
        house.book(Book("correction", "house", "cage cash", 5, "a count"), PROGRAM)
    with pytest.raises(Refused, match="The house is read-only"):
        house.open_table(TableSettings("new", "New", "one-for-the-money", one_for_the_money().limits))
    assert house.balance(player) == house.store.balance(str(player_account(player)))
    assert house.people.name(player) == SOMEBODY  # nothing vouches for a name any more
    house.close()
    assert rows_in(killed.records) == before
    assert replayed(killed.records, "between", 1).happenings
    assert not killed.verified().ok


@pytest.mark.rule("F-16")
def test_records_that_were_cut_behind_a_checkpoint_start_it_read_only(place: Place) -> None:
    last = "(SELECT max(id) FROM commits)"
    change(
        place.records,
        f"DELETE FROM events WHERE commit_id = {last}",
        f"DELETE FROM commits WHERE id = {last}",
    )
    with place.open() as house:
        assert "is cut off: the house has signed more than there is" in house.fault
        assert sorted(house.closed) == list(TABLES)


def test_the_house_opens_again_when_the_fault_is_gone(killed: Place, tmp_path: Path) -> None:
    shutil.copy(killed.records, tmp_path / "backup")
    change(killed.records, BREAKS[0])
    killed.house().close()
    for beside in ("-wal", "-shm"):
        Path(f"{killed.records}{beside}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "backup", killed.records)
    with killed.open() as house:
        assert not house.fault
        assert sorted(house.tables) == list(TABLES)
        assert house.command("money", killed.people[0], cmd.Leave(), "last") is not None
    assert killed.verified().ok


# A definition that is not installed any more.


def without(patch: pytest.MonkeyPatch, gone: str) -> None:
    """A game that was taken away."""

    def load(name: str) -> Game:
        if name == gone:
            raise UnknownName("game", name, ["yo"])
        return load_any(name)

    patch.setattr("feltworks.floor.table.settings.load", load)


@pytest.mark.rule("F-17")
@pytest.mark.parametrize("stream", ["bands", "point"])
def test_a_table_whose_game_is_gone_hands_back_what_lies_on_it(
    place: Place, stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place.open() as house:
        lying = place.lying(house, stream)
        balances = {player: house.balance(player) for player in place.people}
        assert sorted(lying.values()) == [500, 700]
    with monkeypatch.context() as patch:
        without(patch, stream)
        with place.open() as house:
            closed = house.closed[stream]
            assert closed.why.startswith("It is played by the definition ")
            assert f"of {stream}, which does not load: " in closed.why
            assert {p: house.balance(p) - balances[p] for p in place.people} == lying
            with pytest.raises(FeltworksError, match=f"no game '{stream}'|unknown game|{stream}"):
                house.open_successor(stream)
            assert house.closed[stream].successor == ""
            others_play_on(place, house, stream)
        with place.open() as house:
            assert house.closed[stream].why.startswith("It is played by the definition ")
        report = place.verified()
        assert report.ok, report.problems
        (said,) = report.not_replayed
        assert said.startswith(f"{stream}: not replayed: definition ")
    with place.open() as house:
        assert stream not in house.tables
        assert house.closed[stream].why.startswith("It is played by the definition ")
        assert house.open_successor(stream) == f"{stream}-2"
        house.command(f"{stream}-2", place.people[0], cmd.Sit(1))
    report = place.verified()
    assert report.ok, report.problems
    assert not report.not_replayed
    with monkeypatch.context() as patch:
        without(patch, stream)
        report = place.verified()
        assert report.ok, report.problems
        assert len(report.not_replayed) == 2
        with place.open() as house:
            assert {stream, f"{stream}-2"} <= set(house.closed)
    with monkeypatch.context() as patch:  # another build, of the same definitions
        prints = property(lambda game: {"definition": game._definition_hash(), "build": "0" * 64})
        patch.setattr(Game, "fingerprint", prints)
        report = place.verified()
        assert report.ok, report.problems


@pytest.mark.rule("F-17")
def test_between_two_rounds_there_is_nothing_to_hand_back(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with place.open() as house:
        place.play_out(house, "bands")
        balances = house.store.balances()
    without(monkeypatch, "bands")
    with place.open() as house:
        assert house.closed["bands"].settings is not None
        assert house.store.balances() == balances
    assert place.verified().ok


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("at", ["round ended", "abandoned"])
def test_a_snapshot_of_a_table_without_its_game_that_was_changed_is_found(
    place: Place, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    with place.open() as house:
        place.play_out(house, "bands")
    without(monkeypatch, "bands")
    place.house().close()
    assert place.verified().ok
    event = f"SELECT stream, sequence, x'00' FROM events WHERE stream = 'bands' AND CAST(event AS TEXT) LIKE '%\"{at}%'"
    change(place.records, f"INSERT OR REPLACE INTO snapshots {event}")
    said = r"bands, event \d+: the snapshot after it is damaged or of other records\."
    assert any(re.fullmatch(said, problem) for problem in place.verified().problems)


@pytest.mark.rule("F-16", "F-17")
def test_a_table_without_its_game_whose_records_are_damaged_hands_nothing_back(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    balances = rows_in(place.records)["accounts"]
    player = f"player:{place.people[0]}"
    event = "(SELECT max(id) FROM events WHERE stream = 'bands')"
    change(place.records, f"INSERT INTO entries VALUES ({event}, 9, 'wager taken', '{player}', 'table:bands', 500000)")
    without(monkeypatch, "bands")
    with place.open() as house:
        assert "not what the house has signed" in house.fault
        assert list(house.closed) == list(TABLES) and not house.tables
        assert {name: house.store.balance(name) for name, *_ in balances} == {name: b for name, _, b in balances}
    assert not place.verified().ok


# The file and the key.


def test_a_file_that_cannot_be_written_is_said_so(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that may only read a file opens it that way, whatever was asked for."""
    before = rows_in(place.records)
    with monkeypatch.context() as patch:
        patch.setattr(apsw, "SQLITE_OPEN_READWRITE", apsw.SQLITE_OPEN_READONLY)
        with pytest.raises(StoreError, match="cannot be written; give this user the right to, and start again"):
            place.house()
    assert rows_in(place.records) == before
    with place.open() as house:
        assert sorted(house.tables) == list(TABLES)


@pytest.mark.rule("F-17")
def test_a_file_that_becomes_read_only_refuses_in_words_until_it_is_not(place: Place) -> None:
    with place.open() as house:
        before, balances = house.live("money").table, house.store.balances()
        house.store.connection.pragma("query_only", 1)
        with pytest.raises(StoreError, match=r"records\.db could not be written: .*readonly"):
            house.command("money", place.people[0], cmd.Leave(), "go")
        assert house.live("money").table is before
        assert house.store.balances() == balances
        house.store.connection.pragma("query_only", 0)
        assert house.command("money", place.people[0], cmd.Leave(), "go") is not None
    assert place.verified().ok


@pytest.mark.rule("F-17")
@pytest.mark.parametrize("act", ["replaced", "removed"])
def test_a_file_that_is_replaced_under_the_house_is_not_written_any_more(place: Place, act: str) -> None:
    aside = place.folder / "aside"
    house = place.house()
    receipt = house.command("money", place.people[0], cmd.Leave(), "first")
    assert receipt is not None
    place.records.rename(aside)
    if act == "replaced":
        shutil.copy(aside, place.records)
    for kind in (StoreError, Refused):
        with pytest.raises(kind, match="was replaced or removed while the house was open; nothing more is written"):
            house.command("between", place.people[0], cmd.Leave(), "second")
    assert "nothing more is written" in house.fault
    house.close()
    aside.replace(place.records)
    with place.open() as house:
        assert house.command("money", place.people[0], cmd.Leave(), "first") is not None
        assert house.command("between", place.people[0], cmd.Leave(), "second") is not None
    assert verify(place.records, read_public(place.folder / PUBLIC), [receipt]).ok


@pytest.mark.rule("F-16", "F-17")
@pytest.mark.parametrize("act", ["replaced", "removed"])
@pytest.mark.parametrize("beside", ["-wal", "-shm", "-lock"])
def test_without_its_log_or_its_lock_the_house_writes_no_more_and_keeps_what_it_said(
    place: Place, beside: str, act: str
) -> None:
    """What is written into a file without a name is lost with the next start, or two houses write at once."""
    file = Path(f"{place.records}{beside}")
    house = place.house()
    receipt = house.command("money", place.people[0], cmd.Leave(), "first")
    assert receipt is not None
    held = file.read_bytes()
    file.unlink()
    if act == "replaced":
        file.write_bytes(held)
    for kind in (StoreError, Refused):
        with pytest.raises(kind, match=rf"records\.db{beside} was replaced or removed while the house was open"):
            house.command("between", place.people[0], cmd.Leave(), "second")
    house.close()
    assert verify(place.records, read_public(place.folder / PUBLIC), [receipt]).ok
    with place.open() as house:
        assert house.command("between", place.people[0], cmd.Leave(), "second") is not None


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("linked", ["the file", "its folder"])
def test_a_link_that_is_led_elsewhere_stops_the_house_from_writing(place: Place, tmp_path: Path, linked: str) -> None:
    other = tmp_path / "other"
    shutil.copytree(place.folder, other)
    link = tmp_path / "link"
    link.symlink_to(place.records if linked == "the file" else place.folder)
    store = Store(link if linked == "the file" else link / RECORDS)
    house = House(store, load_keys(place.folder / KEYS, new=False), lambda: place.now)
    house.people.guest()
    link.unlink()
    link.symlink_to(other / RECORDS if linked == "the file" else other)
    with pytest.raises(StoreError, match="was replaced or removed while the house was open"):
        house.people.guest()
    house.close()


@pytest.mark.rule("F-16")
def test_a_file_that_somebody_else_writes_is_not_written_any_more(place: Place) -> None:
    with place.open() as house:
        change(place.records, "UPDATE accounts SET balance = balance + 1 WHERE name LIKE 'player:%'")
        with pytest.raises(Conflict, match="was changed by somebody else while the house was open"):
            house.command("money", place.people[0], cmd.Leave(), "x")
        with pytest.raises(Refused, match="Stop the house and run `felt verify`"):
            house.command("money", place.people[0], cmd.Leave(), "x")
        assert house.fault and house.due("money") is None
    assert not place.verified().ok


def put(place: Place, data: bytes) -> None:
    """A file without a log beside it."""
    for beside in ("-wal", "-shm"):
        Path(f"{place.records}{beside}").unlink(missing_ok=True)
    place.records.write_bytes(data)


def says(place: Place) -> list[str]:
    """What a start says is wrong, and what each command says after it: whatever it is, it is said."""
    try:
        house = place.house()
    except StoreError as refused:
        return [str(refused)]
    said = [table.why for table in house.closed.values()]
    for table in house.tables:
        try:
            house.command(table, place.people[1], cmd.Leave(), f"after {table}")
        except FeltworksError as refusal:
            said.append(str(refusal))
    house.store.close()
    return said


def verify_says(place: Place) -> list[str]:
    try:
        return place.verified().problems
    except StoreError as refused:
        return [str(refused)]


@pytest.mark.rule("F-16")
def test_a_damaged_page_is_said_in_words_wherever_it_is(place: Place) -> None:
    """A table is closed, the house is read-only, or the file is refused: nothing ends in an error of the program."""
    whole, words = place.records.read_bytes(), ("damaged", "cannot be read", "read-only", "could not be written")
    pages = len(whole) // 4_096
    noticed = 0
    for page in range(pages):
        damaged = whole[: page * 4_096] + b"\xa5" * 4_096 + whole[(page + 1) * 4_096 :]
        put(place, damaged)
        said = says(place)
        noticed += bool(said)
        assert all(any(word in sentence for word in words) for sentence in said), (page, said)
        put(place, damaged)
        assert verify_says(place), page
    assert pages > 20
    assert noticed > pages / 2
    put(place, whole)
    with place.open() as house:
        assert sorted(house.tables) == list(TABLES)
    assert place.verified().ok


def test_a_store_of_a_newer_version_is_refused_in_a_sentence(place: Place) -> None:
    connection = apsw.Connection(str(place.records))
    connection.pragma("user_version", 4)
    connection.close()
    before = rows_in(place.records)
    with pytest.raises(
        StoreError, match=r"was written by a newer Feltworks \(records of version 4, this one knows 3\)"
    ):
        place.house()
    with pytest.raises(StoreError, match="update Feltworks to open it"):
        place.verified()
    assert rows_in(place.records) == before


def test_a_file_of_something_else_is_refused_in_a_sentence(place: Place) -> None:
    place.records.write_bytes(b"Dear diary, " * 1_000)
    with pytest.raises(StoreError, match=r"is no file of Feltworks records"):
        place.house()


@pytest.mark.rule("F-14", "F-17")
def test_a_missing_key_is_not_made_anew(place: Place) -> None:
    key = place.folder / KEYS
    held = key.read_bytes()
    key.unlink()
    with pytest.raises(
        BadKeyFile, match=r"is missing, and there are records that it signed\. Put your copy of it back"
    ):
        open_house(place.folder)
    assert not key.exists()
    elsewhere = place.folder / "elsewhere.key"
    elsewhere.write_bytes(held)
    elsewhere.chmod(0o600)
    house = open_house(place.folder, elsewhere)
    assert sorted(house.tables) == list(TABLES)
    house.close()
    assert not key.exists()


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("ended", ["closed", "killed"])
def test_a_wrong_key_is_called_that(request: pytest.FixtureRequest, place: Place, ended: str) -> None:
    if ended == "killed":
        request.getfixturevalue("killed")
    key, before = place.folder / KEYS, rows_in(place.records)
    held = key.read_bytes()
    key.unlink()
    other = load_keys(key)
    with pytest.raises(BadKeyFile) as refused:
        open_house(place.folder)
    named = read_public(place.folder / PUBLIC)
    assert str(refused.value) == (
        f"The key file {key} is not the one that signed these records: it is {other.public[:12]}, and house.public"
        f" names {named[:12]}. Put your copy of the right one back, or say with --house-key where it lies."
    )
    assert rows_in(place.records) == before
    (place.folder / PUBLIC).unlink()
    house = open_house(place.folder)
    assert f"not signed with the key {other.public[:12]} of this house" in house.fault
    assert "or it is another key file" in house.fault
    house.close()
    assert not (place.folder / PUBLIC).exists()
    assert rows_in(place.records) == before
    key.write_bytes(held)
    house = open_house(place.folder)
    assert sorted(house.tables) == list(TABLES)
    house.close()
    assert place.verified().ok


def test_a_torn_key_file_is_said_so(place: Place) -> None:
    key = place.folder / KEYS
    held = key.read_bytes()
    key.write_bytes(held[:50])
    with pytest.raises(BadKeyFile, match="is not a whole key file; put your copy of it back"):
        open_house(place.folder)
    assert key.read_bytes() == held[:50]


# The disk.


def until_refused(house: House, player: str) -> str:
    """A connection comes and goes until that cannot be written; whatever was not written is not so."""
    for _ in range(5_000):
        table, balances, counts = house.live("between").table, house.store.balances(), house.store.counts()
        (seat,) = [who for who in table.seats.values() if who.player == player]
        try:
            house.connection("between", player, present=not seat.present)
        except StoreError as refusal:
            assert house.live("between").table is table
            assert (house.store.balances(), house.store.counts()) == (balances, counts)
            return str(refusal)
    raise AssertionError("the disk was never full")


@pytest.mark.rule("F-17")
def test_a_full_disk_loses_nothing_and_says_so(place: Place) -> None:
    with place.open() as house:
        connection = house.store.connection
        connection.pragma("max_page_count", int(connection.pragma("page_count")))
        for _ in range(3):
            said = until_refused(house, place.people[0])
            assert said == "records.db could not be written: database or disk is full."
        connection.pragma("max_page_count", 1_000_000)
        house.connection("between", place.people[0], present=True)
        place.play_out(house, "between")
        assert house.command("money", place.people[0], cmd.Leave(), "again") is not None
    report = place.verified()
    assert report.ok, report.problems


@pytest.mark.rule("F-17")
def test_after_an_error_of_the_disk_only_a_fresh_start_goes_on(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise apsw.IOError("disk I/O error")

    house = place.house()
    before = house.live("money").table
    with monkeypatch.context() as patch:
        patch.setattr(house.store, "write_beside", broken)
        with pytest.raises(StoreError, match=r"records\.db could not be written: disk I/O error"):
            house.command("money", place.people[0], cmd.Leave(), "go")
    assert house.live("money").table is before
    with pytest.raises(Refused, match="start again to go on from what it holds"):
        house.command("money", place.people[0], cmd.Leave(), "go")
    house.close()
    with place.open() as house:
        assert house.live("money").table == before
        assert house.command("money", place.people[0], cmd.Leave(), "go") is not None
    assert place.verified().ok


@pytest.mark.rule("F-17")
def test_people_at_the_tables_are_told_and_stay_connected_while_nothing_can_be_written(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money_with_clients()]) as server:
        ann = server.join("money", 1)
        ann.phase("betting")
        server.run(lambda house: house.store.connection.pragma("query_only", 1))
        assert "could not be written" in ann.refused("place", "mine", spot="ante", amount=500)
        play = server.ask("/play", "POST", b"table=money", content_type="application/x-www-form-urlencoded")
        assert play.status == 503
        assert "could not be written" in play.text
        ann.lose()
        back = ann.again()
        assert "could not be written" in back.refused("place", "mine", spot="ante", amount=500)
        server.run(lambda house: house.store.connection.pragma("query_only", 0))
        back.done("place", "mine", spot="ante", amount=500)
        assert back.until(lambda view: view["you"]["staked"])["you"]["staked"] == 500
        assert server.run(lambda house: house.live("money").table.seats[1].present)
        back.close()
        server.check()
