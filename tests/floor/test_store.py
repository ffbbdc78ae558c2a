"""The store: acknowledged means durable, all or nothing, and the books always balance. Only the journal writes."""

import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import apsw
import pytest

from feltworks.floor import person
from feltworks.floor.accounts import HOUSE, Account, AccountKind, Entry, Kind, player_account, table_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.journal.journal import Draft, Journal
from feltworks.floor.person import Forgotten, SessionEnded, SessionOpened, token_digest
from feltworks.floor.store.backup import backup
from feltworks.floor.store.interface import Beside, PersonRow, SessionRow
from feltworks.floor.store.reader import BadBooks, Reader
from feltworks.floor.store.schema import VERSION, StoreError
from feltworks.floor.store.sqlite import Conflict, Locked, Store
from feltworks.floor.streams import HOUSE_STREAM, Happened, person_stream
from tests.floor.done import commit_of
from tests.floor.killing import KEYS, SALT, admit, back, decided, draft, everything, happened, played, wager
from tests.quick import SEED, share


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


@pytest.fixture
def journal(store: Store) -> Journal:
    journal = Journal(store, KEYS)
    admit(journal, "ann")
    return journal


def to_person(time: int, *events: person.Event) -> Draft:
    """What happens to Ann outside the tables."""
    stream = person_stream("ann")
    return Draft(stream, person.Forget("a test"), PROGRAM, time, [Happened(stream, event) for event in events])


def book(journal: Journal, entry: Entry, time: int = 1, reason: str = "a test") -> None:
    """Money moves outside the tables."""
    command = Book(entry.kind.value, str(entry.payer), str(entry.payee), entry.cents, reason)
    journal.commit([decided(journal, command, time)])


# Reading what was committed.


@pytest.mark.rule("F-16")
def test_what_was_committed_is_read_stream_by_stream_and_commit_by_commit(store: Store, journal: Journal) -> None:
    made = [happened(1, wager(5), round=1), happened(2, stream="u"), happened(3, back(5), round=1)]
    ((first, other, second),) = journal.commit([draft(5, *made, command_id="c", secrets=[("root", b"sealed")])])
    assert list(store.read("t")) == [first, second]
    assert list(store.read("t", after=1)) == [second]
    assert list(store.read("t", until=1)) == [first]
    assert list(store.read("u")) == [other]
    assert store.head("t") == (2, second.hash)
    assert store.streams() == [HOUSE_STREAM, "person:ann", "t", "u"]
    (_, _), (id, commit) = store.commits()
    assert (id, commit.records, commit.secrets) == (2, (first, other, second), (("root", b"sealed"),))
    assert commit.entries == ((wager(5),), (), (back(5),))
    assert list(store.commits(after=1)) == [(id, commit)]
    assert list(store.commits(after=2)) == []


def test_long_streams_are_read_whole(store: Store, journal: Journal) -> None:
    journal.commit([draft(n, happened(n, wager(1))) for n in range(1_203)])
    assert [record.sequence for record in store.read("t")] == list(range(1, 1_204))
    assert [booking.sequence for booking in store.entries("t")] == list(range(1, 1_204))
    assert [booking.sequence for booking in store.entries("t", 499, 502)] == [499, 500, 501, 502]
    assert [booking.time for booking in store.statement("player:ann")] == [1, *range(1_203)]
    assert [booking.time for booking in store.statement("table:t")] == list(range(1_203))
    assert [id for id, _ in store.commits()] == list(range(1, 1_205))
    for after in (0, 1, 600, 1_203):
        assert [commit.records[0].sequence for _, commit in store.commits(after)] == [1, *range(1, 1_204)][after:]


def test_a_write_after_another_end_is_refused_and_changes_nothing(store: Store, journal: Journal) -> None:
    journal.commit([played(0)])
    before = everything(store)
    (_, commit), *_ = store.commits(1)
    for expected in (0, 1, 3, -1):
        with pytest.raises(Conflict, match=rf"house.db is at commit 2, not at {expected}\."):
            store.write([commit], Beside(), expected)
        with pytest.raises(Conflict, match=r"house.db has gone on"):
            store.save_checkpoint(b"", expected)
    assert everything(store) == before


@pytest.mark.rule("F-11")
def test_the_file_itself_lets_no_player_go_below_zero(store: Store, journal: Journal) -> None:
    """The journal refuses first; the file would too."""
    journal.commit([draft(1, happened(1, wager(10_000)))])
    before = everything(store)
    journal.position.balances["player:ann"] = 10**9
    with pytest.raises(StoreError, match="player:ann holds less than 1 cents"):
        journal.commit([draft(2, happened(2), happened(3, wager(1)))])
    assert everything(store) == before


@pytest.mark.rule("F-11")
def test_the_house_and_the_tables_may_owe_and_the_sum_stays_zero(store: Store, journal: Journal) -> None:
    journal.commit([draft(1, happened(1, Entry(Kind.PAYOUT, table_account("t"), player_account("ann"), 700)))])
    assert store.balances() == {"house": -10_000, "player:ann": 10_700, "table:t": -700}
    store.check_books()


@pytest.mark.rule("F-10", "F-11")
def test_every_entry_names_its_kind_its_event_its_round_and_its_actor(store: Store, journal: Journal) -> None:
    journal.commit([draft(7, happened(1, wager(50), round=3))])
    (booking,) = store.entries("t")
    assert (booking.stream, booking.sequence, booking.round, booking.time) == ("t", 1, 3, 7)
    assert (booking.actor, booking.entry) == ("person:ann", wager(50))


@pytest.mark.rule("F-10")
@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_entry_can_be_booked(store: Store, journal: Journal, kind: Kind) -> None:
    book(journal, Entry(kind, HOUSE, player_account("ann"), 1))
    assert [b.entry.kind for b in store.entries(HOUSE_STREAM)] == [kind]


@pytest.mark.rule("F-10")
@pytest.mark.parametrize("kind", AccountKind)
def test_every_kind_of_account_is_opened_with_what_it_may_owe(
    store: Store, journal: Journal, kind: AccountKind
) -> None:
    owner = "t/1" if kind is AccountKind.SEAT else "x"
    account = Account(kind) if Account(kind).is_single else Account(kind, owner)
    book(journal, Entry(Kind.FILL, Account(AccountKind.TABLE, "t"), account, 1))
    (row,) = store.connection.execute("SELECT * FROM accounts WHERE name = ?", (str(account),))
    assert row == (str(account), int(account.may_owe), 1 - 10_000 * (kind is AccountKind.HOUSE))  # less ann's grant


@pytest.mark.rule("F-10")
@pytest.mark.parametrize(
    "change",
    [
        {"cents": "0"},
        {"cents": "-5"},
        {"cents": "1.5"},
        {"cents": "1000000000001"},
        {"payee": "'house'"},
        {"payee": "'nobody'"},
        {"event": "99"},
    ],
)
def test_the_file_itself_takes_no_other_entries(store: Store, journal: Journal, change: dict[str, str]) -> None:
    row = {"event": "1", "position": "5", "kind": "'fill'", "payer": "'house'", "payee": "'player:ann'", "cents": "1"}
    with pytest.raises(apsw.ConstraintError):
        store.connection.execute(f"INSERT INTO entries VALUES ({', '.join({**row, **change}.values())})")
    store.connection.execute(f"INSERT INTO entries VALUES ({', '.join(row.values())})")


@pytest.mark.rule("F-10")
@pytest.mark.parametrize("table", ["commits", "events", "entries", "secrets", "old_heads"])
def test_what_is_recorded_is_never_changed_or_deleted(store: Store, journal: Journal, table: str) -> None:
    journal.commit([played(0, secrets=[("root", b"sealed")])])
    store.connection.execute("INSERT INTO old_heads VALUES ('t', 1, '', 1, x'', '')")
    column = store.connection.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchall()[0][0]
    for change in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
        with pytest.raises(apsw.ConstraintError, match="stays as it is"):
            store.connection.execute(change)


def test_a_command_that_was_carried_out_is_known_by_its_actor_and_id(store: Store, journal: Journal) -> None:
    journal.commit([draft(1, happened(1), command_id="c1")])
    assert commit_of(store, ["person:ann"], "c1") == 2
    assert commit_of(store, ["person:bob", "person:ann"], "c1") == 2
    assert commit_of(store, ["person:bob"], "c1") is None
    assert commit_of(store, ["person:ann"], "c2") is None
    before = everything(store)
    with pytest.raises(StoreError, match="could not be written"):
        journal.commit([draft(1, happened(1), command_id="c1")])
    assert everything(store) == before
    journal.commit([draft(1, actor="bob", command_id="c1")])
    assert commit_of(store, ["person:bob"], "c1") == 3


def test_a_snapshot_is_made_of_the_last_event_and_old_ones_are_thinned(store: Store, journal: Journal) -> None:
    """The newest is there to start from, and one of every thousand events to replay from."""
    assert store.snapshot("t") is None
    for last in range(300, 3_301, 300):
        made = [happened(n) for n in range(300)]
        journal.commit([draft(1, *made, snapshot=lambda record: record.hash.encode())])
        assert store.snapshot("t") == (last, store.head("t")[1].encode())
    kept = [sequence for sequence, _ in store.snapshots("t")]
    assert kept == [300, 1_200, 2_100, 3_000, 3_300]
    assert store.snapshot("t", until=2_099) == (1_200, store.hash_of("t", 1_200).encode())
    assert store.snapshot("t", until=299) is None
    assert store.snapshot_streams() == ["t"]


def test_a_secret_is_kept_under_its_root(store: Store, journal: Journal) -> None:
    journal.commit([draft(1, happened(1), secrets=[("root", b"sealed")])])
    assert store.secret("root") == b"sealed"
    assert store.secret("other") is None
    with pytest.raises(StoreError):
        journal.commit([draft(1, happened(2), secrets=[("root", b"another")])])
    assert store.secret("root") == b"sealed"
    assert store.head("t")[0] == journal.version("t") == 1


# People.


def test_a_person_joins_once_and_is_forgotten_with_name_and_salt(store: Store, journal: Journal) -> None:
    before = everything(store)
    with pytest.raises(StoreError):
        admit(journal, "ann", time=5)
    assert everything(store) == before
    ann = PersonRow("ann", "Ann", SALT, 1)
    assert (store.person("ann"), store.people(), store.person("bob")) == (ann, [ann], None)
    journal.commit([to_person(9, SessionEnded(token_digest("ann")), Forgotten("asked for"))])
    assert store.people() == []
    assert store.sessions() == []
    assert store.balance("player:ann") == 10_000


def test_a_session_is_found_by_the_digest_of_its_token_alone(store: Store, journal: Journal, path: Path) -> None:
    token = token_digest("a secret token")
    journal.commit([to_person(100, SessionOpened(token, 200))])
    assert store.session(token) == SessionRow(token, "ann", 100, 200)
    assert store.session("a secret token") is None
    store.close()
    assert b"a secret token" not in path.read_bytes()


def test_a_session_ends_and_what_has_expired_is_cleared_by_the_next(store: Store, journal: Journal) -> None:
    for token, time, expires in (("one", 100, 200), ("two", 100, 900)):
        journal.commit([to_person(time, SessionOpened(token, expires))])
    journal.commit([to_person(150, SessionEnded("two"))])
    assert store.session("two") is None
    assert store.session("one") is not None
    journal.commit([to_person(2_000, SessionOpened("three", 9_000))])
    assert [session.token for session in store.sessions()] == ["three"]


# Recall.


@pytest.mark.rule("F-18")
def test_the_rounds_of_a_table_are_found_newest_first(store: Store, journal: Journal) -> None:
    admit(journal, "bob", grant=100)
    for number in range(1, 13):
        money = [wager(1), *([wager(1, "bob")] if number % 2 else [])]
        made = [happened(1, round=number), happened(2, *money, round=number), happened(3)]
        journal.commit([draft(number * 10, *made)])
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
def test_every_commit_is_there_when_the_file_is_read_without_being_closed(
    store: Store, journal: Journal, path: Path
) -> None:
    for n in range(5):
        ((record,),) = journal.commit([played(n)])
        with Reader(path) as reader:
            assert reader.head("t") == (n + 1, record.hash)
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
        journal = Journal(store, KEYS)
        admit(journal, "ann")
        acknowledged = [(log.stat().st_size, everything(store))]
        for n in range(3):
            journal.commit([played(n, secrets=[(f"root {n}", b"sealed")])])
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
            Journal(store, KEYS).commit([played(10)])
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


ACTS: dict[str, Callable[[Journal], object]] = {
    "commit": lambda journal: journal.commit(
        [
            draft(
                *(1, happened(1, wager(5), round=1), happened(2, wager(5), round=1, stream="u")),
                command_id="c",
                secrets=[("root", b"sealed")],
                snapshot=lambda _: b"snapshot",
            ),
            played(0),
        ]
    ),
    "book": lambda journal: book(journal, Entry(Kind.FILL, HOUSE, table_account("t"), 5)),
    "admit": lambda journal: admit(journal, "bob"),
    "checkpoint": lambda journal: journal.save(),
    "session": lambda journal: journal.commit([to_person(1, SessionOpened("token", 2))]),
}


@pytest.mark.rule("F-17")
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_whichever_statement_fails_nothing_is_written(
    store: Store, journal: Journal, act: Callable[[Journal], object]
) -> None:
    """Neither in the file nor in what the journal knows: the same goes through afterwards."""
    before, known = everything(store), repr(journal.position)
    for n in range(1, 100):
        fail_at(store, n)
        try:
            act(journal)
        except KeyboardInterrupt:
            store.connection.set_exec_trace(None)
            assert everything(store) == before
            assert not store.connection.in_transaction
            assert repr(journal.position) == known
        else:
            break
    store.connection.set_exec_trace(None)
    assert n > 3
    assert everything(store) != before
    journal.check_all()


@pytest.mark.rule("F-17")
def test_a_commit_that_fails_writes_nothing(store: Store, journal: Journal) -> None:
    before = everything(store)
    store.connection.set_commit_hook(lambda: True)
    with pytest.raises(StoreError, match=r"house.db could not be written"):
        journal.commit([played(0)])
    store.connection.set_commit_hook(None)
    assert everything(store) == before
    journal.commit([played(0)])


@pytest.mark.rule("F-17")
def test_when_the_disk_takes_no_more_nothing_is_written_and_a_fresh_start_goes_on(
    store: Store, journal: Journal, path: Path
) -> None:
    before = everything(store)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    room = Path(f"{path}-wal").stat().st_size + 5_000  # the first page fits, the next does not
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        with pytest.raises(StoreError, match=r"house.db could not be written"):
            journal.commit([played(0)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert everything(store) == before
    with pytest.raises(StoreError, match="start again"):
        journal.commit([played(0)])
    store.close()
    with Store(path) as fresh:
        assert everything(fresh) == before
        Journal(fresh, KEYS).commit([played(0)])


# Somebody else.


def changed_by_somebody_else(path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("UPDATE accounts SET balance = balance + 5 WHERE name = 'player:ann'")
    other.close()


@pytest.mark.rule("F-16")
def test_a_file_that_somebody_else_has_changed_is_not_written_any_more(
    store: Store, journal: Journal, path: Path
) -> None:
    journal.commit([played(0)])
    changed_by_somebody_else(path)
    before = everything(store)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"changed by somebody else while the house was open; nothing more is"):
            journal.commit([played(1)])
        with pytest.raises(StoreError, match=r"Stop the house and run `felt verify`\."):
            journal.save()
    assert everything(store) == before
    assert (journal.version("t"), journal.balance("player:ann")) == (1, 10_000)


@pytest.mark.rule("F-16")
def test_a_file_that_is_changed_between_its_opening_and_the_first_write_is_not_written(path: Path) -> None:
    with Store(path) as store:
        admit(Journal(store, KEYS), "ann")
    with Store(path) as store:
        changed_by_somebody_else(path)
        with pytest.raises(Conflict, match="changed by somebody else"):
            Journal(store, KEYS).commit([played(0)])


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("removed", [True, False])
def test_a_file_that_was_replaced_or_removed_is_not_written_any_more(
    store: Store, journal: Journal, path: Path, removed: bool
) -> None:
    kept = path.with_name("kept.db")
    path.rename(kept)
    if not removed:
        shutil.copy(kept, path)
    with pytest.raises(Conflict, match=r"house.db was replaced or removed while the house was open; nothing more is"):
        journal.commit([played(0)])
    kept.rename(path)
    with pytest.raises(StoreError, match="Put the file back and start again"):
        journal.commit([played(0)])
    store.close()
    with Store(path) as fresh:
        Journal(fresh, KEYS).commit([played(0)])


def test_readers_and_copies_do_not_stop_the_writer(store: Store, journal: Journal, path: Path) -> None:
    for n in range(3):
        with Reader(path) as reader, reader.frozen():
            everything(reader)
            journal.commit([played(n)])
        backup(path, path.with_name(f"copy {n}.db"))
    journal.commit([played(3)])


# The file.


def test_a_second_writer_is_refused_until_the_first_is_gone(store: Store, path: Path) -> None:
    with pytest.raises(Locked, match=r"house\.db is in use by another process; stop it, or"):
        Store(path)
    script = f"from feltworks.floor.store.sqlite import Store; Store({str(path)!r})"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "Locked" in other.stderr
    store.close()
    store.close()
    Store(path).close()


def test_a_writer_is_refused_under_another_name_of_the_file_too(store: Store, path: Path) -> None:
    (path.parent / "link.db").symlink_to(path)
    with pytest.raises(Locked):
        Store(path.parent / "link.db")


def test_a_reader_reads_while_the_writer_writes_and_sees_one_moment(store: Store, journal: Journal, path: Path) -> None:
    journal.commit([played(0)])
    with Reader(path) as reader:
        with reader.frozen():
            before = everything(reader)
            journal.commit([played(1)])
            assert everything(reader) == before
        assert reader.head("t")[0] == 2


def test_reading_writes_nothing(store: Store, journal: Journal, path: Path) -> None:
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
        assert store.connection.pragma("user_version") == VERSION
        assert store.is_current
        assert store.connection.pragma("journal_mode") == "wal"
        assert store.connection.pragma("synchronous") == 2
        assert store.connection.pragma("foreign_keys") == 1
        assert store.streams() == [] and store.balances() == {} and store.last_commit() == 0


def test_a_new_file_is_nobody_elses_to_read(store: Store, journal: Journal, path: Path) -> None:
    for file in path.parent.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file


def test_an_older_file_is_for_the_writer_alone_to_bring_up_to_date(store: Store, path: Path) -> None:
    store.connection.pragma("user_version", 1)
    store.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="written by an older Feltworks; `felt serve` brings it up to date"):
        Reader(path)
    with Store(path) as store:
        assert not store.is_current
    assert path.read_bytes() == before


@pytest.mark.parametrize("open_it", [Reader, Store])
def test_a_file_that_does_not_say_its_version_is_refused(
    store: Store, path: Path, open_it: Callable[[Path], Reader]
) -> None:
    store.connection.pragma("user_version", 0)
    store.close()
    with pytest.raises(StoreError, match="does not say of which version its records are; put a backup"):
        open_it(path)


def test_a_file_that_this_user_may_not_write_is_told(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may write any file: so the system says no in another's place."""
    store.close()
    real = apsw.Connection

    def reads_only(name: str, flags: int) -> apsw.Connection:
        return real(f"file:{name}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)

    with monkeypatch.context() as patch:
        patch.setattr(apsw, "Connection", reads_only)
        with pytest.raises(StoreError, match="cannot be written; give this user the right to, and start again"):
            Store(path)
    Store(path).close()


@pytest.mark.parametrize("open_it", [Store, Reader])
def test_a_file_of_a_newer_feltworks_is_refused(store: Store, path: Path, open_it: Callable[[Path], Reader]) -> None:
    store.connection.pragma("user_version", 99)
    store.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"newer Feltworks \(records of version 99, this one knows 3\); update"):
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
def test_books_that_were_tampered_with_are_told(store: Store, journal: Journal) -> None:
    store.connection.execute("UPDATE accounts SET balance = balance + 5 WHERE name = 'player:ann'")
    with pytest.raises(BadBooks, match="player:ann stands at 10005 cents; its entries make 10000"):
        store.check_books()
    assert "The accounts sum to 5 cents instead of zero." in list(store.wrong_books())
