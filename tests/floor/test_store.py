"""The store: acknowledged means durable, all or nothing, at most once, and the books always balance."""

import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import apsw
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from feltworks.floor import database
from feltworks.floor.money import Entry, Kind
from feltworks.floor.reading import BadBooks, Reader
from feltworks.floor.records import FIRST, HOUSE_STREAM, Booked, Joined, decode_house_event
from feltworks.floor.store import (
    Batch,
    Conflict,
    Draft,
    Locked,
    Overdrawn,
    Repeated,
    Reply,
    Store,
    StoreError,
)
from tests.floor.killing import Keys, batch, everything, wager
from tests.quick import SEED, share


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        store.add_player("ann", "Ann", 1, grant=10_000)
        yield store


# Appending.


@pytest.mark.rule("F-16")
def test_each_record_carries_its_place_its_maker_and_the_hash_before_it(store: Store) -> None:
    records = store.append(Batch("t", 0, [Draft(5, "ann", b"{}", round=1, command="c"), Draft(6, "dealer", b"[]")]))
    first, second = records
    assert (first.stream, first.sequence, first.time, first.actor, first.command, first.round) == (
        *("t", 1, 5, "ann", "c", 1),
    )
    assert (first.previous, second.previous) == (FIRST, first.hash)
    assert [record.true_hash for record in records] == [record.hash for record in records]
    assert list(store.read("t")) == records
    assert list(store.read("t", after=1)) == [second]
    assert list(store.read("t", until=1)) == [first]
    assert store.head("t") == (2, second.hash)
    assert store.streams() == [HOUSE_STREAM, "t"]


def test_long_streams_are_read_whole(store: Store) -> None:
    store.append(Batch("t", 0, [Draft(i, "ann", b"{}", wager(1)) for i in range(1_203)]))
    assert [record.sequence for record in store.read("t")] == list(range(1, 1_204))
    assert [booking.sequence for booking in store.entries("t")] == list(range(1, 1_204))
    assert [booking.sequence for booking in store.entries("t", 499, 502)] == [499, 500, 501, 502]
    assert [booking.time for booking in store.statement("player:ann")] == [1, *range(1_203)]
    assert [booking.time for booking in store.statement("table:t")] == list(range(1_203))


def test_an_append_to_a_stream_that_has_gone_on_is_refused_and_changes_nothing(store: Store) -> None:
    store.append(batch(0))
    before = everything(store)
    for expected in (0, 2, -1):
        with pytest.raises(Conflict, match=f"t is at event 1, not at {expected}."):
            store.append(Batch("t", expected, [Draft(1, "ann", b"{}", wager(5))]))
    assert everything(store) == before


@pytest.mark.rule("F-11")
def test_no_player_goes_below_zero(store: Store) -> None:
    before = everything(store)
    with pytest.raises(Overdrawn, match="player:ann holds less than 10001 cents"):
        store.append(Batch("t", 0, [Draft(1, "ann", b"{}"), Draft(1, "ann", b"{}", wager(10_001))]))
    with pytest.raises(Overdrawn):
        store.append(Batch("t", 0, [Draft(1, "ann", b"{}", [*wager(10_000), *wager(1)])]))
    with pytest.raises(Overdrawn):
        store.append(Batch("t", 0, [Draft(1, "ann", b"{}", [Entry(Kind.PAYOUT, "player:new", "house", 1)])]))
    assert everything(store) == before
    store.append(Batch("t", 0, [Draft(1, "ann", b"{}", wager(10_000))]))
    assert store.balance("player:ann") == 0


@pytest.mark.rule("F-11")
def test_the_house_and_the_tables_may_owe_and_the_sum_stays_zero(store: Store) -> None:
    store.append(Batch("t", 0, [Draft(1, "", b"{}", [Entry(Kind.PAYOUT, "table:t", "player:ann", 700)])]))
    assert store.balances() == {"house": -10_000, "player:ann": 10_700, "table:t": -700}
    store.check_books()


@pytest.mark.rule("F-10", "F-11")
def test_every_entry_names_its_kind_its_event_its_round_and_its_actor(store: Store) -> None:
    store.append(Batch("t", 0, [Draft(7, "ann", b"{}", wager(50), round=3)]))
    (booking,) = store.entries("t")
    assert (booking.stream, booking.sequence, booking.round, booking.time) == ("t", 1, 3, 7)
    assert (booking.actor, booking.entry) == ("ann", wager(50)[0])


@pytest.mark.rule("F-10")
@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_entry_can_be_booked(store: Store, kind: Kind) -> None:
    store.book([Entry(kind, "house", "player:ann", 1)], "manager", "a test", 2)
    assert [b.entry.kind for b in store.entries(HOUSE_STREAM, 3)] == [kind]


@pytest.mark.rule("F-10")
@pytest.mark.parametrize(
    "change",
    [
        {"kind": "'gift'"},
        {"cents": "0"},
        {"cents": "-5"},
        {"cents": "1.5"},
        {"cents": "1000000000001"},
        {"payee": "payer"},
        {"event": "99"},
    ],
)
def test_the_file_itself_takes_no_other_entries(store: Store, change: dict[str, str]) -> None:
    row = {"event": "1", "position": "5", "kind": "'fill'", "payer": "'house'", "payee": "'t'", "cents": "1"}
    row |= {"payee": "'house'"} if change == {"payee": "payer"} else change
    with pytest.raises(apsw.ConstraintError):
        store.connection.execute(f"INSERT INTO entries VALUES ({', '.join(row.values())})")


@pytest.mark.rule("F-10")
@pytest.mark.parametrize("table", ["events", "entries", "answers", "secrets", "heads"])
def test_what_is_recorded_is_never_changed_or_deleted(store: Store, table: str) -> None:
    store.append(batch(0, secrets={"root": b"sealed"}))
    store.sign_head("t", Keys(), 1)
    column = store.connection.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchall()[0][0]
    for change in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
        with pytest.raises(apsw.ConstraintError, match="stays as it is"):
            store.connection.execute(change)


def test_a_repeated_command_is_answered_and_not_done_again(store: Store) -> None:
    store.append(Batch("t", 0, [Draft(1, "ann", b"{}", wager(5))], reply=Reply("ann", "c1", b"first")))
    before = everything(store)
    with pytest.raises(Repeated, match="c1 of ann was carried out already") as repeated:
        store.append(Batch("t", 1, [Draft(1, "ann", b"{}", wager(5))], reply=Reply("ann", "c1", b"second")))
    assert repeated.value.answer == store.answer_of("ann", "c1") == b"first"
    assert everything(store) == before
    store.append(Batch("t", 1, reply=Reply("bob", "c1", b"bob's own")))
    assert store.answer_of("bob", "c1") == b"bob's own"
    assert store.answer_of("bob", "c2") is None


def test_a_snapshot_is_made_of_the_last_event_and_takes_the_place_of_the_one_before(store: Store) -> None:
    assert store.latest_snapshot("t") is None
    for last in (3, 6):
        drafts = [Draft(1, "ann", b"{}")] * 3
        store.append(Batch("t", last - 3, drafts, snapshot=lambda record: record.hash.encode()))
        assert store.latest_snapshot("t") == (last, store.head("t")[1].encode())


def test_a_secret_is_kept_under_its_root(store: Store) -> None:
    store.append(Batch("t", 0, [Draft(1, "", b"{}")], secrets={"root": b"sealed"}))
    assert store.secret("root") == b"sealed"
    assert store.secret("other") is None
    with pytest.raises(StoreError):
        store.append(Batch("t", 1, [Draft(1, "", b"{}")], secrets={"root": b"another"}))
    assert store.secret("root") == b"sealed"
    assert store.head("t")[0] == 1


# Outside the tables.


@pytest.mark.rule("F-16")
def test_a_player_joins_and_money_moves_outside_tables_by_events_of_the_house(store: Store) -> None:
    entry = Entry(Kind.CORRECTION, "house", "player:ann", 5)
    store.book([entry], "manager", "miscounted", 9, Reply("manager", "m1", b"done"))
    events = [decode_house_event(record.event) for record in store.read(HOUSE_STREAM)]
    grant = Entry(Kind.GRANT, "house", "player:ann", 10_000)
    assert events == [
        Joined("ann", "Ann"),
        Booked("play money for a new player", [grant]),
        Booked("miscounted", [entry]),
    ]
    assert [booking.entry for booking in store.entries(HOUSE_STREAM)] == [grant, entry]
    assert store.answer_of("manager", "m1") == b"done"


def test_a_player_joins_once(store: Store) -> None:
    before = everything(store)
    with pytest.raises(StoreError, match="There is a player 'ann' already"):
        store.add_player("ann", "Another Ann", 5, grant=1)
    assert everything(store) == before
    ann = store.player("ann")
    assert ann is not None and (ann.id, ann.name, ann.joined) == ("ann", "Ann", 1)
    assert store.players() == [ann]
    assert store.player("bob") is None


def test_a_session_is_found_by_its_token_until_it_expires(store: Store, path: Path) -> None:
    store.open_session("a secret token", "ann", now=100, expires=200)
    assert store.session("a secret token", 199) == "ann"
    assert store.session("a secret token", 200) is None
    assert store.session("another", 150) is None
    store.close()
    assert b"a secret token" not in path.read_bytes()


def test_a_session_ends(store: Store) -> None:
    store.open_session("one", "ann", 100, 200)
    store.open_session("two", "ann", 100, 900)
    store.end_session("two")
    assert store.session("two", 150) is None
    store.open_session("three", "ann", 500, 900)  # clears what has expired
    assert store.connection.execute("SELECT count(*) FROM sessions").fetchall() == [(1,)]
    with pytest.raises(StoreError):
        store.open_session("four", "nobody", 500, 900)


# Recall.


@pytest.mark.rule("F-18")
def test_the_rounds_of_a_table_are_found_newest_first(store: Store) -> None:
    store.add_player("bob", "Bob", 1, grant=100)
    for number in range(1, 13):
        drafts = [Draft(number * 10, "dealer", b"{}", round=number), Draft(0, "", b"{}")]
        money = [*wager(1), *(wager(1, "bob") if number % 2 else [])]
        drafts.insert(1, Draft(number * 10 + 1, "ann", b"{}", money, round=number))
        store.append(Batch("t", 3 * (number - 1), drafts))
    newest, *_, oldest = found = store.rounds("t", limit=10)
    assert [played.round for played in found] == list(range(12, 2, -1))
    assert (newest.first, newest.last, newest.time, newest.players) == (34, 35, 120, ("ann",))
    assert (oldest.round, oldest.players) == (3, ("ann", "bob"))
    assert [played.round for played in store.rounds("t", before=3)] == [2, 1]
    assert [played.round for played in store.rounds_of("bob", limit=4)] == [11, 9, 7, 5]
    assert [played.round for played in store.rounds_of("bob", limit=4, skip=4)] == [3, 1]
    assert store.rounds("elsewhere") == store.rounds_of("nobody") == []


# Durability.


@pytest.mark.rule("F-17")
def test_every_append_is_there_when_the_file_is_read_without_being_closed(store: Store, path: Path) -> None:
    for n in range(5):
        records = store.append(batch(n))
        with Reader(path) as reader:
            assert reader.head("t") == (n + 1, records[-1].hash)
            assert everything(reader) == everything(store)


@pytest.mark.soak
@pytest.mark.rule("F-17")
def test_a_killed_writer_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """In a process of its own, which forks and kills a writer many times on the same file."""
    times = share(60, soak=1_000)
    killer = [sys.executable, "-m", "tests.floor.killing", str(tmp_path / "house.db"), str(times), str(SEED)]
    done = subprocess.run(killer, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout) >= times


@pytest.mark.rule("F-17")
def test_a_write_torn_anywhere_leaves_what_was_acknowledged_before_it(tmp_path: Path) -> None:
    """The log is cut after any byte, as a power failure may, and what follows is lost or rubbish."""
    path, log = tmp_path / "house.db", tmp_path / "house.db-wal"
    with Store(path) as store:
        store.connection.wal_autocheckpoint(0)
        store.add_player("ann", "Ann", 1, grant=10_000)
        acknowledged = [(log.stat().st_size, everything(store))]
        for n in range(3):
            store.append(batch(n, secrets={f"root {n}": b"sealed"}))
            acknowledged.append((log.stat().st_size, everything(store)))
        written, data = log.read_bytes(), path.read_bytes()
    sizes = [size for size, _ in acknowledged]
    frames = range(sizes[0], sizes[-1] + 1, 4_096 + 24)
    cuts = sorted({c + d for c in (*frames, *sizes) for d in (-1, 0, 1, 30) if c + d >= sizes[0]})
    tails = cycle([b"", b"\0" * 5_000, b"\xa5" * 5_000])
    for cut, tail in zip(cuts, tails, strict=False):
        copy = tmp_path / f"{cut}.db"
        copy.write_bytes(data)
        Path(f"{copy}-wal").write_bytes(written[:cut] + tail)
        with Store(copy) as store:
            assert everything(store) == [state for size, state in acknowledged if size <= cut][-1]
            store.append(batch(store.head("t")[0]))
            store.check_books()


# Failing on purpose.


def fail_at(store: Store, n: int) -> None:
    """Make the n-th statement from now on fail."""
    left = n

    def trace(*_: object) -> bool:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        return True

    store.connection.set_exec_trace(trace)


ACTS: dict[str, Callable[[Store], object]] = {
    "append": lambda store: store.append(
        Batch(
            *("t", 0),
            [Draft(1, "ann", b"{}", wager(5), round=1), Draft(1, "ann", b"{}", wager(5), round=1)],
            {"root": b"sealed"},
            Reply("ann", "c", b"ok"),
            lambda _: b"snapshot",
        )
    ),
    "book": lambda store: store.book([Entry(Kind.FILL, "house", "table:t", 5)], "a", "b", 1),
    "add player": lambda store: store.add_player("bob", "Bob", 5, grant=7),
    "sign": lambda store: store.sign_head(HOUSE_STREAM, Keys(), 5),
    "session": lambda store: store.open_session("token", "ann", 1, 2),
}


@pytest.mark.rule("F-17")
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_whichever_statement_fails_nothing_is_written(store: Store, act: Callable[[Store], object]) -> None:
    before = everything(store)
    for n in range(1, 100):
        fail_at(store, n)
        try:
            act(store)
        except KeyboardInterrupt:
            store.connection.set_exec_trace(None)
            assert everything(store) == before
            assert not store.connection.in_transaction
        else:
            break
    store.connection.set_exec_trace(None)
    assert n > 3
    assert everything(store) != before


@pytest.mark.rule("F-17")
def test_a_commit_that_fails_writes_nothing(store: Store) -> None:
    before = everything(store)
    store.connection.set_commit_hook(lambda: True)
    with pytest.raises(StoreError, match=r"house.db could not be written"):
        store.append(batch(0))
    store.connection.set_commit_hook(None)
    assert everything(store) == before
    store.append(batch(0))


@pytest.mark.rule("F-17")
def test_when_the_disk_takes_no_more_nothing_is_written_and_a_fresh_start_goes_on(store: Store, path: Path) -> None:
    before = everything(store)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    room = Path(f"{path}-wal").stat().st_size + 5_000  # the first page fits, the next does not
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        with pytest.raises(StoreError, match=r"house.db could not be written"):
            store.append(batch(0))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert everything(store) == before
    with pytest.raises(StoreError, match="start again"):
        store.append(batch(0))
    store.close()
    with Store(path) as fresh:
        assert everything(fresh) == before
        fresh.append(batch(0))


# The file.


def test_a_second_writer_is_refused_until_the_first_is_gone(store: Store, path: Path) -> None:
    with pytest.raises(Locked, match=r"house\.db is in use by another process; stop it, or"):
        Store(path)
    script = f"from feltworks.floor.store import Store; Store({str(path)!r})"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "Locked" in other.stderr
    store.close()
    store.close()
    Store(path).close()


def test_a_writer_is_refused_under_another_name_of_the_file_too(store: Store, path: Path) -> None:
    (path.parent / "link.db").symlink_to(path)
    with pytest.raises(Locked):
        Store(path.parent / "link.db")


def test_a_reader_reads_while_the_writer_writes_and_sees_one_moment(store: Store, path: Path) -> None:
    store.append(batch(0))
    with Store.read_only(path) as reader:
        with reader.frozen():
            before = everything(reader)
            store.append(batch(1))
            assert everything(reader) == before
        assert reader.head("t")[0] == 2


def test_reading_writes_nothing(store: Store, path: Path) -> None:
    store.close()
    before = path.read_bytes(), path.stat().st_mtime_ns
    with Reader(path) as reader:
        everything(reader)
        with pytest.raises(apsw.ReadOnlyError):
            reader.connection.execute("DELETE FROM sessions")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.parametrize("there", [True, False])
def test_a_new_file_is_brought_to_the_newest_version(path: Path, there: bool) -> None:
    if there:
        path.touch()
    with Store(path) as store:
        assert store.connection.pragma("user_version") == len(database.MIGRATIONS)
        assert store.connection.pragma("journal_mode") == "wal"
        assert store.connection.pragma("synchronous") == 2
        assert store.connection.pragma("foreign_keys") == 1
        assert store.streams() == [] and store.balances() == {} and store.heads() == []


def test_a_new_file_is_nobody_elses_to_read(store: Store, path: Path) -> None:
    for file in path.parent.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file


def test_an_older_file_is_brought_up_to_date_by_the_writer_alone(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(store)
    store.close()
    newer = (*database.MIGRATIONS, "CREATE TABLE later (x); INSERT INTO later VALUES (1);")
    monkeypatch.setattr(database, "MIGRATIONS", newer)
    with pytest.raises(StoreError, match="written by an older Feltworks; `felt serve` brings it up to date"):
        Reader(path)
    with Store(path) as store:
        assert everything(store) == before
        assert store.connection.execute("SELECT x FROM later").fetchall() == [(1,)]
    Reader(path).close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(store)
    store.close()
    with monkeypatch.context() as patch:
        patch.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, "CREATE TABLE later (x); CREATE nonsense;"))
        with pytest.raises(StoreError):
            Store(path)
    with Store(path) as store:
        assert everything(store) == before
        store.connection.execute("CREATE TABLE later (x)")


@pytest.mark.parametrize("open_it", [Store, Reader])
def test_a_file_of_a_newer_feltworks_is_refused(store: Store, path: Path, open_it: Callable[[Path], Reader]) -> None:
    store.connection.pragma("user_version", 99)
    store.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"newer Feltworks \(records of version 99, this one knows 1\); update"):
        open_it(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("open_it", [Store, Reader])
def test_a_file_that_is_none_of_ours_is_refused_and_left_alone(path: Path, open_it: Callable[[Path], Reader]) -> None:
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE recipes (cake)")
    other.close()
    for content in (b"not a database at all " * 100, path.read_bytes()):
        path.write_bytes(content)
        with pytest.raises(StoreError, match=r"house\.db is no file of Feltworks records"):
            open_it(path)
        assert path.read_bytes() == content


def test_a_file_that_cannot_be_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be opened: No such file or directory"):
        Store(tmp_path / "nowhere" / "house.db")
    with pytest.raises(StoreError, match=r"cannot be opened: unable to open database file"):
        Reader(tmp_path / "house.db")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path)
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match="is no file of Feltworks records"):
        Reader(tmp_path / "empty.db")


@pytest.mark.rule("F-11")
def test_books_that_were_tampered_with_are_told(store: Store) -> None:
    store.connection.execute("UPDATE accounts SET balance = balance + 5 WHERE name = 'player:ann'")
    with pytest.raises(BadBooks, match="player:ann stands at 10005 cents; its entries make 10000"):
        store.check_books()
    assert "The accounts sum to 5 cents instead of zero." in list(store.wrong_books())


# Against a model.

NAMES = st.sampled_from(["ann", "bob", "cid"])
ACCOUNTS = st.one_of(NAMES.map("player:{}".format), st.sampled_from(["house", "table:t", "table:u"]))
ENTRIES = st.builds(Entry, st.sampled_from(Kind), ACCOUNTS, ACCOUNTS, st.integers(1, 500)).filter(
    lambda entry: entry.payer != entry.payee
)
DRAFTS = st.builds(
    Draft, st.integers(0, 9), NAMES, st.binary(max_size=5), st.lists(ENTRIES, max_size=3), st.integers(0, 3)
)


class AgainstModel(RuleBasedStateMachine):
    """The store does what a few dictionaries do, through refusals, closing and killing."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(mkdtemp())
        self.open(self.folder / "0.db")
        self.copies = 0
        self.streams: dict[str, list[Draft]] = {}
        self.balances: dict[str, int] = {}
        self.answers: dict[tuple[str, str], bytes] = {}
        self.players: dict[str, str] = {}

    def open(self, path: Path) -> None:
        self.store = Store(path)
        self.store.connection.pragma("synchronous", 0)  # what a disk does is tested above

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            shutil.rmtree(self.folder)

    def booked(self, drafts: list[Draft]) -> dict[str, int] | None:
        """The balances after these drafts, or nothing if a player would owe."""
        after = dict(self.balances)
        for entry in (entry for draft in drafts for entry in draft.entries):
            after[entry.payer] = after.get(entry.payer, 0) - entry.cents
            after[entry.payee] = after.get(entry.payee, 0) + entry.cents
            if entry.payer.startswith("player:") and after[entry.payer] < 0:
                return None
        return after

    @rule(
        stream=st.sampled_from("tu"),
        drafts=st.lists(DRAFTS, max_size=3),
        late=st.sampled_from([0, 0, 0, 0, 1, -1]),
        command=st.one_of(st.none(), st.tuples(NAMES, st.sampled_from("123"), st.binary(max_size=3))),
    )
    def append(self, stream: str, drafts: list[Draft], late: int, command: Any) -> None:
        known = self.streams.get(stream, [])
        reply = Reply(*command) if command else None
        after = self.booked(drafts)
        new = Batch(stream, len(known) + late, drafts, reply=reply)
        if reply and (reply.actor, reply.command) in self.answers:
            with pytest.raises(Repeated) as repeated:
                self.store.append(new)
            assert repeated.value.answer == self.answers[reply.actor, reply.command]
        elif late:
            with pytest.raises(Conflict):
                self.store.append(new)
        elif after is None:
            with pytest.raises(Overdrawn):
                self.store.append(new)
        else:
            self.store.append(new)
            self.balances = after
            if drafts:
                self.streams[stream] = [*known, *drafts]
            if reply:
                self.answers[reply.actor, reply.command] = reply.answer

    @rule(player=NAMES, grant=st.integers(0, 1_000))
    def join(self, player: str, grant: int) -> None:
        if player in self.players:
            with pytest.raises(StoreError):
                self.store.add_player(player, player.title(), 1, grant)
            return
        self.store.add_player(player, player.title(), 1, grant)
        self.players[player] = player.title()
        if grant:
            self.balances["house"] = self.balances.get("house", 0) - grant
            self.balances[f"player:{player}"] = self.balances.get(f"player:{player}", 0) + grant

    @rule()
    def close_and_open(self) -> None:
        self.store.close()
        self.open(self.store.path)

    @rule()
    @precondition(lambda self: self.copies < 3)
    def go_on_from_what_a_kill_leaves(self) -> None:
        self.copies += 1
        killed, copy = self.store.path, self.folder / f"{self.copies}.db"
        for suffix in ("", "-wal"):
            shutil.copy(f"{killed}{suffix}", f"{copy}{suffix}")
        self.store.close()
        self.open(copy)

    @invariant()
    def same_as_the_model(self) -> None:
        if not hasattr(self, "store"):
            return
        assert {name: cents for name, cents in self.store.balances().items() if cents} == {
            name: cents for name, cents in self.balances.items() if cents
        }
        self.store.check_books()
        assert {p.id: p.name for p in self.store.players()} == self.players
        assert [s for s in self.store.streams() if s != HOUSE_STREAM] == sorted(self.streams)
        for stream, drafts in self.streams.items():
            records = list(self.store.read(stream))
            assert [(r.time, r.actor, r.event, r.round) for r in records] == [
                (d.time, d.actor, d.event, d.round) for d in drafts
            ]
            assert all(r.hash == r.true_hash for r in records)
            assert [b.entry for b in self.store.entries(stream)] == [e for d in drafts for e in d.entries]
        for (actor, command), answer in self.answers.items():
            assert self.store.answer_of(actor, command) == answer


@pytest.mark.soak
@pytest.mark.rule("F-10", "F-11")
def test_the_store_does_what_a_few_dictionaries_do_through_refusals_closing_and_killing() -> None:
    run_state_machine_as_test(
        AgainstModel, settings=settings(max_examples=share(40), stateful_step_count=25, deadline=None)
    )
