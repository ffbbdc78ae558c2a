"""Whoever holds the file and the source, and not the key, cannot change a record unseen (F-16).

Each forgery is written as somebody would who knows how the records are made: every hash is right, every guard is put
back, and only the signature is missing.
"""

import lzma
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from feltworks.floor.accounts import HOUSE, Entry, Kind, player_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import AdmitGuest, Admitted, Book, ChangeKey, KeyChanged
from feltworks.floor.following import NOT_FOLLOWED
from feltworks.floor.house import House
from feltworks.floor.journal.journal import BrokenRecords, Journal
from feltworks.floor.journal.records import FIRST, Commit, Receipt, Record, chained
from feltworks.floor.journal.upcasting import encode
from feltworks.floor.keys import BadKeyFile, Keys, load_keys
from feltworks.floor.people import GRANT, SOMEBODY
from feltworks.floor.person import Granted, Join, Joined, SessionOpened, identity_digest, token_digest
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.store.backup import backup
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.schema import StoreError, make_tables
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, Event, person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Placed
from feltworks.floor.verification.verify import verify
from feltworks.web.posted import recall
from feltworks.web.serving import open_house
from tests.floor.damage import hide_from_index, in_utf_16
from tests.floor.forging import commits, employ, first_problem, in_hand, play, problems, rewritten, with_event
from tests.floor.killing import KEYS, TABLES, everything
from tests.floor.sitting import one_for_the_money
from tests.quick import SEED, cases, share

THIEF = Keys(b"t" * 32, b"t" * 32)
Row = dict[str, Any]


@pytest.fixture(scope="module")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house that was stopped in the middle of a round."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    play(Store(path)).close()
    assert problems(path) == []
    return path


@pytest.fixture
def path(played_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played_once, tmp_path / "house.db"))


@pytest.fixture(scope="module")
def taken_over(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Records of the first version that this one goes on with, and the public key of their house."""
    data, folder = Path(__file__).parent / "data" / "version_1", tmp_path_factory.mktemp("taken over")
    path = folder / "house.db"
    path.write_bytes(lzma.decompress((data / "records.db.xz").read_bytes()))
    shutil.copyfile(data / "house.key", folder / "house.key")
    (folder / "house.key").chmod(0o600)
    keys = load_keys(folder / "house.key", new=False)
    house = House(Store(path), keys, lambda: 1_900_000_000_000)
    employ(house)
    house.close()
    assert verify(path, keys.public).ok
    return path, keys.public


@pytest.fixture
def anew(tmp_path: Path) -> Path:
    """Where records are written anew."""
    return tmp_path / "anew.db"


def started(path: Path) -> House:
    """The house as it starts from a file; it is for the caller to close."""
    time = count(5_000)
    return House(Store(path), KEYS, lambda: next(time))


def is_refused(path: Path) -> str:
    """What a house says that starts from this file, and writes nothing; it can still be looked at."""
    before = path.read_bytes()
    house = started(path)
    try:
        assert house.fault.startswith("The house is read-only. ")
        with pytest.raises(Refused, match="read-only"):
            house.people.guest()
        with pytest.raises(Refused, match="read-only"):
            house.book(Book(Kind.FILL.value, "house", "table:money", 5, "a fill"), PROGRAM)
        return house.fault
    finally:
        house.close()
        assert path.read_bytes() == before


def told(path: Path, beginning: str) -> bool:
    """Whether `verify` finds something that begins like this."""
    return any(said.startswith(beginning) for said in problems(path))


# Rows of every table.


def columns() -> Iterator[tuple[str, str]]:
    with closing(apsw.Connection(":memory:")) as fresh:
        make_tables(fresh)
        for (table,) in fresh.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall():
            for (column,) in fresh.execute(f"SELECT name FROM pragma_table_info('{table}')"):
                yield str(table), str(column)


COLUMNS = list(columns())
KEY = {
    "commits": ("id",),
    "events": ("id",),
    "accounts": ("name",),
    "entries": ("event", "position"),
    "rounds": ("stream", "round"),
    "played": ("id",),
    "secrets": ("root",),
    "old_heads": ("stream", "sequence", "public", "time"),
    "snapshots": ("stream", "sequence"),
    "checkpoints": ("commit_id",),
    "people": ("id",),
    "kept": ("owner", "what"),
    "sessions": ("token",),
}
SHORTCUTS = ("snapshots", "checkpoints")


def test_the_tests_know_every_table() -> None:
    assert {table for table, _ in COLUMNS} == set(KEY) == set(TABLES)


def found(file: apsw.Connection, query: str) -> list[Any]:
    return file.execute(query).fetchall()


def rows_of(file: apsw.Connection, table: str) -> list[Row]:
    names = [column for of, column in COLUMNS if of == table]
    order = ", ".join(KEY[table])
    return [dict(zip(names, row, strict=True)) for row in file.execute(f"SELECT * FROM {table} ORDER BY {order}")]


def update(file: apsw.Connection, table: str, row: Row, column: str, value: object) -> None:
    where = " AND ".join(f"{name} = ?" for name in KEY[table])
    file.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *(row[name] for name in KEY[table])))


def insert(file: apsw.Connection, table: str, row: Row) -> None:
    file.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def others(value: object, chance: random.Random) -> list[Any]:
    """Values of the same type that stand nearby."""
    if isinstance(value, int):
        return [value + 1, value - 1, value + 1_000_003]
    if isinstance(value, str):
        return [value + "x", value[:-1], value.swapcase()]
    assert isinstance(value, bytes)
    at = chance.randrange(len(value)) if value else 0
    flipped = value[:at] + bytes([value[at] ^ 1 << chance.randrange(8)]) + value[at + 1 :] if value else b"\0" * 64
    return [flipped, value[:-1] if value else b"x", value + b"\0"]


def changed_and_found(path: Path, public: str, table: str, column: str, rows: int) -> int:
    """In so many rows of a table a column is changed to what stands nearby: how often the file took that. Each time it
    is found."""
    chance, whole, done = random.Random(f"{SEED} {table} {column}"), path.read_bytes(), 0
    with closing(apsw.Connection(str(path))) as file:
        all_rows = rows_of(file, table)
    for row in chance.sample(all_rows, min(len(all_rows), rows)):
        for value in others(row[column], chance):
            path.write_bytes(whole)
            try:
                with in_hand(path) as file:
                    update(file, table, row, column, value)
            except apsw.ConstraintError:
                continue
            if value != row[column]:
                assert not verify(path, public).ok, (row, value)
                done += 1
    return done


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("F-16")
@pytest.mark.parametrize(("table", "column"), [c for c in COLUMNS if c[0] != "old_heads"])
def test_a_value_changed_in_any_column_of_any_table_is_found(path: Path, table: str, column: str) -> None:
    assert changed_and_found(path, KEYS.public, table, column, share(3, soak=12))


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("F-16")
@pytest.mark.parametrize(("table", "column"), [c for c in COLUMNS if c[0] not in SHORTCUTS])
def test_a_value_changed_in_records_that_were_taken_over_is_found(
    taken_over: tuple[Path, str], tmp_path: Path, table: str, column: str
) -> None:
    path = Path(shutil.copy(taken_over[0], tmp_path / "house.db"))
    assert changed_and_found(path, taken_over[1], table, column, share(1, soak=12))


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("table", [table for table in KEY if table not in ("old_heads", *SHORTCUTS)])
def test_a_row_removed_from_any_table_is_found(path: Path, table: str) -> None:
    whole = path.read_bytes()
    with closing(apsw.Connection(str(path))) as file:
        rows = rows_of(file, table)
    chance = random.Random(f"{SEED} {table}")
    for row in {0, len(rows) // 2, chance.randrange(len(rows))}:
        path.write_bytes(whole)
        with in_hand(path) as file:
            where = " AND ".join(f"{name} = ?" for name in KEY[table])
            file.execute(f"DELETE FROM {table} WHERE {where}", tuple(rows[row][name] for name in KEY[table]))
        assert problems(path), rows[row]


@pytest.mark.rule("F-16")
def test_the_last_commits_removed_with_all_that_belongs_to_them_show_by_what_stands_beside_them(path: Path) -> None:
    """The lists, the accounts and the checkpoint know of them still; who mends those too has an older copy."""
    last = len(commits(path))
    with in_hand(path) as file:
        file.execute(f"DELETE FROM entries WHERE event IN (SELECT id FROM events WHERE commit_id > {last - 3})")
        file.execute(f"DELETE FROM events WHERE commit_id > {last - 3}")
        file.execute(f"DELETE FROM secrets WHERE commit_id > {last - 3}")
        file.execute(f"DELETE FROM commits WHERE id > {last - 3}")
    assert f"There is a checkpoint after commit {last}, which is not there." in problems(path)
    assert "The end of the records is cut off: the house has signed more than there is." in is_refused(path)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("table", SHORTCUTS)
def test_a_shortcut_that_was_removed_changes_nothing(path: Path, table: str) -> None:
    """Snapshots and checkpoints save folding; what they hold is in the records."""
    with closing(started(path)) as house:
        before = {name: live.table for name, live in house.tables.items()}
        balances = dict(house.journal.position.balances)
    with in_hand(path) as file:
        file.execute(f"DELETE FROM {table}")
    assert problems(path) == []
    with closing(started(path)) as house:
        assert not house.fault
        assert {name: live.table for name, live in house.tables.items()} == before
        assert house.journal.position.balances == balances


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("table", [table for table in KEY if table != "old_heads"])
def test_a_row_that_stands_there_twice_is_found(path: Path, table: str) -> None:
    """With another key, where the file takes it."""
    whole, done = path.read_bytes(), 0
    with closing(apsw.Connection(str(path))) as file:
        rows = rows_of(file, table)
    chance = random.Random(f"{SEED} {table}")
    for key in KEY[table]:
        for row in (rows[0], rows[-1]):
            for value in others(row[key], chance):
                path.write_bytes(whole)
                try:
                    twice = {**row, key: value}
                    if table == "events":
                        twice["sequence"] = max(r["sequence"] for r in rows if r["stream"] == row["stream"]) + 1
                    if table == "played":
                        twice["round"] = row["round"] + 100
                    if table == "commits":
                        twice["command_id"] = f"{row['command_id']} again"
                    with in_hand(path) as file:
                        insert(file, table, twice)
                except apsw.ConstraintError:
                    continue
                assert problems(path), twice
                done += 1
    assert done


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("table", [table for table in KEY if table not in ("old_heads", "checkpoints")])
def test_two_rows_that_changed_places_are_found(path: Path, table: str) -> None:
    """All that they say but their keys: so each stands where the other did."""
    whole, done = path.read_bytes(), 0
    with closing(apsw.Connection(str(path))) as file:
        rows = rows_of(file, table)
    chance = random.Random(f"{SEED} {table}")
    pairs = [(rows[0], rows[1]), (rows[0], rows[-1]), (rows[-2], rows[-1]), tuple(chance.sample(rows, 2))]
    for one, other in pairs:
        said = [name for name in one if name not in KEY[table]]
        if [one[name] for name in said] == [other[name] for name in said]:
            continue
        path.write_bytes(whole)
        with in_hand(path) as file:
            where = " AND ".join(f"{name} = ?" for name in KEY[table])
            for row in (one, other):
                file.execute(f"DELETE FROM {table} WHERE {where}", tuple(row[name] for name in KEY[table]))
            for row, from_row in ((one, other), (other, one)):
                insert(file, table, {name: (row if name in KEY[table] else from_row)[name] for name in row})
        assert problems(path), (one, other)
        done += 1
    assert done


@pytest.mark.rule("F-16")
def test_a_head_of_an_older_version_that_was_put_in_is_found(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("INSERT INTO old_heads VALUES ('money', 1, '', 1, zeroblob(64), '')")
    assert first_problem(path) == "There are older records that nobody has taken over or signed."


# Bytes of the file.


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("F-16")
@pytest.mark.parametrize("seed", cases(range(4), quick=[0]))
def test_a_byte_changed_anywhere_is_found_or_changes_nothing_that_was_recorded(path: Path, seed: int) -> None:
    """Where it is not found it lies in no row: whoever reads the file reads what was there before."""
    chance, data = random.Random(SEED + seed), path.read_bytes()
    with Reader(path) as reader:
        before = everything(reader)
    found = 0
    for _ in range(share(40, soak=400)):
        place = chance.randrange(len(data))
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :])
        try:
            if problems(path):
                found += 1
            else:
                with Reader(path) as reader:
                    assert everything(reader) == before, place
        except StoreError:
            found += 1
    assert found


# Commits without the key.


def made(stream: str, event: Event) -> Record:
    """What is recorded of an event before it is chained."""
    return msgspec.structs.replace(NOTHING, stream=stream, event=encode(event))


def grant(**about: Any) -> Commit:
    """A thief joins with a fortune, as the house would have written it."""
    stream, command = person_stream("thief"), AdmitGuest("thief", DIGEST, FORTUNE, token_digest("thief"), 2**40)
    records = (
        made(HOUSE_STREAM, Admitted("thief")),
        made(stream, Joined(DIGEST)),
        made(stream, Granted(FORTUNE, "play money for a new player")),
        made(stream, SessionOpened(command.token, command.expires)),
    )
    entries = ((), (), (GRANTED,), ())
    return Commit(**{**ABOUT, **about}, stream=HOUSE_STREAM, command=encode(command), records=records, entries=entries)


def grant_aside(**about: Any) -> Commit:
    """The same in a stream of its own, which no commit of the house knows of."""
    stream = person_stream("thief")
    records = (made(stream, Joined(DIGEST)), made(stream, Granted(FORTUNE, "play money for a new player")))
    about = {**ABOUT, "chain": "aside", **about}
    command = encode(Join(DIGEST, FORTUNE))
    return Commit(**about, stream=stream, command=command, records=records, entries=((), (GRANTED,)))


SALT = b"salt" * 4
FORTUNE, DIGEST = 50_000_000, identity_digest(SALT, "Thief")
GRANTED = Entry(Kind.GRANT, HOUSE, player_account("thief"), FORTUNE)
ABOUT: dict[str, Any] = {"chain": "main", "number": 0, "time": 6_000, "actor": str(PROGRAM), "command_id": ""}
NOTHING = Record("", 0, 0, "", "", 0, b"", "", "")


def with_thief(path: Path, session: bool = True) -> Path:
    """The rows that stand beside the grant are there too."""
    with in_hand(path) as file:
        file.execute("INSERT INTO people VALUES ('thief', 'Thief', ?, 6000)", (SALT,))
        if session:
            file.execute("INSERT INTO sessions VALUES (?, 'thief', 6000, ?)", (token_digest("thief"), 2**40))
    return path


def after_the_last(number: int, *added: Commit) -> Callable[[Commit], list[Commit]]:
    return lambda commit: [commit, *added] if commit.number == number else [commit]


SIGNATURES: dict[str, Callable[[Commit, bytes], bytes]] = {
    "none": lambda commit, _: b"",
    "zeros": lambda commit, _: bytes(64),
    "rubbish": lambda commit, message: random.Random(message).randbytes(64),
    "of a thief": lambda commit, message: THIEF.sign(message),
    "of another commit": lambda commit, _: commit.signature,
}


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("signature", SIGNATURES)
def test_a_grant_after_the_last_commit_is_found_and_refused(path: Path, anew: Path, signature: str) -> None:
    """What could be done before: a grant of 500,000.00 after the last signature, with every hash right."""
    whole = commits(path)
    taken = b"" if signature == "none" else whole[-1].signature
    forged = grant(signature=taken)

    def sign(commit: Commit, message: bytes) -> bytes:
        return SIGNATURES[signature](commit, message) if commit.time == 6_000 else commit.signature

    with_thief(rewritten(path, anew, after_the_last(len(whole), forged), sign))
    if signature == "none":
        last = len(whole)
        said = f"The commits after {last}, up to {last + 1}, are not signed: they were written without the key."
        assert problems(anew) == [said]
        assert "are not signed: somebody wrote them without the house's key" in is_refused(anew)
    else:
        assert first_problem(anew) == (
            f"What the house has signed is not what is there: commit {len(whole) + 1} (house) was changed, or its"
            " signature is not the house's."
        )
        assert "are not signed with the key" in is_refused(anew)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("signature", [b"", bytes(64)], ids=["none", "zeros"])
def test_a_grant_of_another_chain_is_found_wherever_it_stands(path: Path, anew: Path, signature: bytes) -> None:
    """A chain that no signature names: the commits of the house around it keep every byte that was signed."""
    last = len(commits(path))
    for at in (1, last // 2, last - 1, last):
        anew.unlink(missing_ok=True)
        rewritten(path, anew, after_the_last(at, grant_aside(signature=signature)))
        with in_hand(anew) as file:
            file.execute("UPDATE commits SET others = '' WHERE chain = 'main'")
            file.execute("DELETE FROM checkpoints")
        with_thief(anew, session=False)
        said = first_problem(anew)
        assert "name the ends of the other chains" in said or "signed" in said
        assert is_refused(anew)


@pytest.mark.rule("F-16")
def test_a_commit_of_the_older_version_that_was_put_in_is_found(path: Path) -> None:
    """Records of the first version lie below commit 1 and have no signature of their own."""
    with in_hand(path) as file:
        file.execute("INSERT INTO commits VALUES (-1, '', 0, 1, 'house', '', '', x'', x'', '', x'')")
        stream = person_stream("thief")
        record = made(stream, Joined(DIGEST))
        record = msgspec.structs.replace(record, sequence=1, time=1, actor="house", previous=FIRST)
        ((last,),) = found(file, "SELECT max(id) FROM events")
        row = (last + 1, -1, stream, 1, 0, record.event, bytes.fromhex(record.true_hash))
        file.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        file.execute("INSERT INTO people VALUES ('thief', 'Thief', ?, 1)", (SALT,))
    assert "There are older records that nobody has taken over or signed." in problems(path)


@pytest.mark.rule("F-16")
def test_records_that_are_all_of_the_older_version_are_signed_by_nobody(path: Path) -> None:
    """Everything is made to look as if it had been there before anybody signed."""
    last = len(commits(path))
    with in_hand(path) as file:
        for table, column in (("events", "commit_id"), ("secrets", "commit_id"), ("commits", "id")):
            file.execute(f"UPDATE {table} SET {column} = {column} - {last + 1}")
        file.execute("DELETE FROM checkpoints")
    assert "The older records were never taken over: nobody has signed them." in problems(path)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_records_written_anew_from_a_commit_on_are_found(path: Path, anew: Path, place: str) -> None:
    """A wager becomes a larger one, with its command, its event and its entry, and every hash after it is made anew."""
    wagers = [n for n, commit in enumerate(commits(path), 1) if b'"place"' in commit.command]
    number = wagers[{"first": 0, "middle": len(wagers) // 2, "last": -1}[place]]

    def more(commit: Commit) -> list[Commit]:
        if commit.number != number:
            return [commit]
        spot = msgspec.json.decode(commit.command)["spot"]
        (((entry,),),) = (commit.entries,)
        commit = with_event(commit, encode(ev.Answered(Placed(2, spot, 700))))
        larger = Entry(entry.kind, entry.payer, entry.payee, 700)
        return [msgspec.structs.replace(commit, command=encode(cmd.Place(spot, 700)), entries=((larger,),))]

    rewritten(path, anew, more)
    assert told(anew, f"What the house has signed is not what is there: commit {number} (money) was changed")


@pytest.mark.rule("F-16")
def test_a_command_that_was_changed_without_its_events_is_found(path: Path) -> None:
    """Who did it, when, under which id, and what was asked for."""
    whole = path.read_bytes()
    number = next(n for n, commit in enumerate(commits(path), 1) if b'"choose"' in commit.command)
    for change, value in {
        "command": encode(cmd.Choose("stand")),
        "command_id": "another",
        "actor": "person:somebody",
        "time": 999,
        "stream": "between",
    }.items():
        path.write_bytes(whole)
        with in_hand(path) as file:
            file.execute(f"UPDATE commits SET {change} = ? WHERE id = ?", (value, number))
        assert problems(path), change


@pytest.mark.rule("F-16")
def test_the_id_of_a_command_without_events_is_signed_too(tmp_path: Path) -> None:
    """A command that changed nothing leaves its id, so that it is answered once: that row is a record as well."""
    path, time = tmp_path / "house.db", count(1_000)
    house = House(Store(path), KEYS, lambda: next(time))
    house.open_table(one_for_the_money())
    players = [house.people.guest()[0] for _ in range(2)]
    for seat, player in enumerate(players, 1):
        house.command("money", player, cmd.Sit(seat))
    house.deal_on("money", "start round")
    for player in players:
        house.command("money", player, cmd.Place("ante", 500))
    for id in ("once", "again"):
        house.command("money", players[0], cmd.Ready(), id)
    house.close()
    assert problems(path) == []
    last = commits(path)[-1]
    assert (last.command_id, last.records) == ("again", ())
    with in_hand(path) as file:
        file.execute("UPDATE commits SET command_id = 'never' WHERE command_id = 'again'")
    assert told(path, f"What the house has signed is not what is there: commit {last.number} (money) was changed")


@pytest.mark.rule("F-16")
def test_two_commits_that_changed_places_are_found(path: Path, anew: Path) -> None:
    """Of two streams that do not know of each other, with every hash right."""
    whole = commits(path)
    first = next(n for n, pair in enumerate(pairwise(whole), 1) if pair[0].stream != pair[1].stream)
    held: list[Commit] = []

    def swapped(commit: Commit) -> list[Commit]:
        if commit.number == first:
            held.append(commit)
            return []
        return [commit, *held] if commit.number == first + 1 else [commit]

    rewritten(path, anew, swapped)
    assert told(anew, f"What the house has signed is not what is there: commit {first} ")
    with in_hand(anew) as file:
        file.execute("DELETE FROM checkpoints")
    assert "are not signed with the key" in is_refused(anew)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("hashes_right", [True, False])
def test_a_stream_rolled_back_alone_is_found_and_its_table_closed(path: Path, anew: Path, hashes_right: bool) -> None:
    """The last round of one table never was, and everything else stays."""
    with Reader(path) as reader:
        start = reader.rounds("money", limit=1)[0].first

    def without(commit: Commit) -> list[Commit]:
        late = [r for r in commit.records if r.stream == "money" and r.sequence >= start]
        return [] if late and hashes_right else [commit]

    rewritten(path, anew, without)
    if not hashes_right:
        with in_hand(anew) as file:
            rolled = f"stream = 'money' AND sequence >= {start}"
            file.execute(f"DELETE FROM entries WHERE event IN (SELECT id FROM events WHERE {rolled})")
            file.execute(f"DELETE FROM events WHERE {rolled}")
    assert problems(anew)
    if hashes_right:
        assert "The end of the records is cut off" in is_refused(anew)
    else:
        with closing(started(anew)) as house:
            assert set(house.tables) == {"between"}
            assert "money is not what the house has recorded" in house.closed["money"].why


# Keys.


def key_change(public: str, before: str, **about: Any) -> Commit:
    records, command = (made(HOUSE_STREAM, KeyChanged(public, before)),), encode(ChangeKey(public, before))
    return Commit(**{**ABOUT, **about}, stream=HOUSE_STREAM, command=command, records=records, entries=((),))


def by_a_thief(commit: Commit, message: bytes) -> bytes:
    """What the house has signed stays so; the rest is signed by somebody else."""
    return THIEF.sign(message) if commit.time == 6_000 else commit.signature


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("signed", [True, False])
def test_a_change_of_the_key_that_the_old_one_has_not_signed_is_found(path: Path, anew: Path, signed: bool) -> None:
    """From there on a thief signs everything: the change itself, or only what follows it in the same group."""
    some = b"\0" if signed else b""
    added = [key_change(THIEF.public, KEYS.public, signature=some), grant(signature=b"\0")]
    with_thief(rewritten(path, anew, after_the_last(len(commits(path)), *added), by_a_thief))
    number = len(commits(path)) + 1
    if signed:
        assert first_problem(anew).startswith(
            f"What the house has signed is not what is there: commit {number} (house)"
        )
        assert "are not signed with the key" in is_refused(anew)
    else:
        said = f"ommit {number} changes the key, and no key has signed that by itself."
        assert first_problem(anew) == f"C{said}"
        assert said in is_refused(anew)
    for receipts in ([], [Receipt("main", number, number, "00" * 32, "00" * 64)]):
        assert not verify(anew, KEYS.public, receipts).ok
    assert any(THIEF.public in note for note in verify(anew).notes) or not verify(anew).ok


@pytest.mark.rule("F-16")
def test_records_of_a_thief_that_hand_over_to_the_house_at_the_end_are_found(path: Path, anew: Path) -> None:
    """All is signed by the thief, and the last commit says that from now on the house signs."""
    change = key_change(KEYS.public, THIEF.public, signature=b"\0")

    def by_the_thief_alone(_: Commit, message: bytes) -> bytes:
        return THIEF.sign(message)

    rewritten(path, anew, after_the_last(len(commits(path)), change), by_the_thief_alone)
    with in_hand(anew) as file:
        file.execute("DELETE FROM checkpoints")
        file.execute("DELETE FROM snapshots")
    said = f"The house's key, {KEYS.public}, has signed nothing of these records: they only name it."
    assert problems(anew) == [said]
    assert "are not signed with the key" in is_refused(anew)


@pytest.mark.rule("F-16")
def test_a_change_of_a_key_that_was_not_in_force_is_found(path: Path, anew: Path) -> None:
    changes = [
        key_change("11" * 32, KEYS.public, signature=b"\0"),
        key_change("22" * 32, THIEF.public, signature=b"\0"),
    ]
    rewritten(path, anew, after_the_last(len(commits(path)), *changes), lambda commit, message: KEYS.sign(message))
    with in_hand(anew) as file:
        file.execute("DELETE FROM checkpoints")
    assert first_problem(anew) == f"Commit {len(commits(path)) + 2} changes a key that was not in force."
    assert "changes a key that was not in force" in is_refused(anew)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("split", [True, False])
def test_keys_that_change_to_and_fro_in_one_commit_are_found_whoever_checks_it(
    path: Path, anew: Path, split: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All is signed by a thief; a commit to a table that is nowhere names the house's key and the thief's again, so
    that the house's seems to have been in force."""
    if split:
        monkeypatch.setattr("feltworks.floor.verification.verify.SMALL", 0)
    changes = [KeyChanged(THIEF.public, THIEF.public), KeyChanged(KEYS.public, THIEF.public)]
    changes.append(KeyChanged(THIEF.public, KEYS.public))
    records = tuple(made(HOUSE_STREAM, change) for change in changes)
    ghost = Commit(
        **ABOUT, stream="ghost", command=encode(cmd.GoOn()), records=records, entries=((), (), ()), signature=b"\0"
    )

    def by_the_thief_alone(_: Commit, message: bytes) -> bytes:
        return THIEF.sign(message)

    added = after_the_last(len(commits(path)), ghost, grant(signature=b"\0"))
    with_thief(rewritten(path, anew, added, by_the_thief_alone))
    with in_hand(anew) as file:
        file.execute("DELETE FROM checkpoints")
        file.execute("DELETE FROM snapshots")
    number = len(commits(path)) + 1
    said = problems(anew)
    assert f"Commit {number} changes the key otherwise than a house does." in said
    assert any(problem.startswith("house, event ") for problem in said)  # it is replayed, though no table is named so
    assert "changes the key otherwise than a house does" in is_refused(anew)


# Other files in the place of this one.


@pytest.mark.rule("F-16")
def test_an_older_file_in_the_place_of_a_newer_one_is_not_taken_over(
    tmp_path: Path,
) -> None:
    """Whoever has no key writes a file of the first version, which signed less: the key file knows of a newer one."""
    data, folder = Path(__file__).parent / "data" / "version_1", tmp_path / "house"
    folder.mkdir()
    for name in ("house.key", "house.public"):
        shutil.copyfile(data / name, folder / name)
        (folder / name).chmod(0o600)
    old = lzma.decompress((data / "records.db.xz").read_bytes())
    (folder / "records.db").write_bytes(old)
    open_house(folder).close()
    for beside in ("", "-wal", "-shm"):
        (folder / f"records.db{beside}").unlink(missing_ok=True)
    (folder / "records.db").write_bytes(old)
    with pytest.raises(StoreError, match="an older file was put in their place"):
        open_house(folder)
    assert (folder / "records.db").read_bytes()[:100] == old[:100]
    (folder / "records.db").unlink()
    with pytest.raises(BadKeyFile, match="has signed records, and there are none in"):
        open_house(folder)


@pytest.mark.rule("F-16")
def test_an_older_file_with_more_in_it_than_the_older_version_made_is_not_run(tmp_path: Path) -> None:
    """The names of its tables and indexes would be run as they stand there."""
    data = Path(__file__).parent / "data" / "version_1"
    path = tmp_path / "house.db"
    path.write_bytes(lzma.decompress((data / "records.db.xz").read_bytes()))
    file = apsw.Connection(str(path))
    file.execute("""CREATE INDEX "x""; DELETE FROM heads; --" ON events (time)""")
    file.close()
    shutil.copyfile(data / "house.key", tmp_path / "house.key")
    (tmp_path / "house.key").chmod(0o600)
    with pytest.raises(StoreError, match="its tables are not those of an older Feltworks"):
        House(Store(path), load_keys(tmp_path / "house.key", new=False), lambda: 1)


@pytest.mark.rule("F-16")
def test_a_checkpoint_of_another_life_of_the_house_is_not_believed(path: Path, tmp_path: Path) -> None:
    """A backup was put back, and the house went on otherwise; what it had signed before does not fit any more."""
    other = Path(shutil.copy(path, tmp_path / "other.db"))
    with closing(started(path)) as house:
        player = next(iter(house.live("money").table.seats.values())).player
        house.book(Book(Kind.CORRECTION.value, "house", f"player:{player}", FORTUNE, "a win"), PROGRAM)
    with in_hand(path) as file:
        ((place, checkpoint),) = found(file, "SELECT * FROM checkpoints ORDER BY 1 DESC LIMIT 1")
    with closing(started(other)) as house:
        house.book(Book(Kind.CORRECTION.value, "house", f"player:{player}", 1, "a cent"), PROGRAM)
    with in_hand(other) as file:
        file.execute("DELETE FROM checkpoints")
        file.execute("INSERT INTO checkpoints VALUES (?, ?)", (place, checkpoint))
    assert first_problem(other) == f"The checkpoint after commit {place} is not what the records make."
    assert "The checkpoint is of other records than these" in is_refused(other)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("table", ["views", "triggers", "tables"])
def test_a_house_does_not_start_with_tables_or_guards_that_it_did_not_make(path: Path, table: str) -> None:
    with in_hand(path) as file:
        file.execute(
            {
                "views": "CREATE VIEW v AS SELECT 1",
                "triggers": "CREATE TRIGGER t AFTER INSERT ON commits BEGIN SELECT 1; END",
                "tables": "CREATE TABLE t (a)",
            }[table]
        )
    assert "of the file is not what Feltworks made it" in is_refused(path)
    assert any("is not what Feltworks made it" in problem for problem in problems(path))


@pytest.mark.rule("F-16")
def test_the_key_file_knows_of_the_journal_from_the_first_commit_on(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    assert not load_keys(tmp_path / "house.key").has_journal
    house.people.guest()
    assert load_keys(tmp_path / "house.key").has_journal
    house.close()
    (tmp_path / "records.db").unlink()
    with pytest.raises(BadKeyFile, match="has signed records, and there are none in"):
        open_house(tmp_path)


@pytest.mark.rule("F-16")
def test_a_receipt_that_claims_a_later_commit_than_its_group_is_found(path: Path) -> None:
    with closing(started(path)) as house:
        receipt = house.journal.head
    assert receipt is not None and verify(path, KEYS.public, [receipt]).ok
    claim = msgspec.structs.replace(receipt, commit=receipt.group + 1)
    (problem,) = verify(path, KEYS.public, [claim]).problems
    assert problem == f"The receipt of commit {claim.commit} is of a group that ended before."


# What stands beside the commits.


@pytest.mark.rule("F-16")
def test_the_name_of_somebody_who_was_forgotten_is_not_shown_again(path: Path) -> None:
    with closing(started(path)) as house:
        player = next(iter(house.live("money").table.seats.values())).player
        row = house.store.person(player)
        house.forget(player, "asked for it")
    with in_hand(path) as file:
        file.execute("INSERT INTO people VALUES (?, ?, ?, ?)", row)
    with closing(started(path)) as house:
        assert house.people.name(player) == SOMEBODY
    assert problems(path) == [f"The person {player} is not the one who joined."]


@pytest.mark.rule("F-16")
def test_a_part_of_a_name_that_was_moved_into_its_salt_is_found(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("UPDATE people SET salt = CAST(salt || substr(name, 1, 6) AS BLOB), name = substr(name, 7)")
    assert all(problem.endswith("is not the one who joined.") for problem in problems(path)) and problems(path)


@pytest.mark.rule("F-11", "F-16")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET id = -1 WHERE id = 1; UPDATE entries SET event = -1 WHERE event = 1",
        "UPDATE entries SET payer = 'house:' WHERE payer = 'house'",
        "UPDATE played SET id = -1 WHERE id = 1",
    ],
)
def test_rows_that_are_numbered_or_named_otherwise_are_found(path: Path, change: str) -> None:
    with in_hand(path) as file:
        file.pragma("foreign_keys", 0)
        for statement in change.split("; "):
            file.execute(statement)
    assert problems(path)


@pytest.mark.rule("F-16")
def test_a_name_that_was_changed_is_found_and_not_shown(path: Path) -> None:
    with in_hand(path) as file:
        ((person, name),) = found(file, "SELECT id, name FROM people ORDER BY name LIMIT 1")
        file.execute("UPDATE people SET name = 'The Manager' WHERE id = ?", (person,))
    assert name == "Guest 1"
    assert problems(path) == [f"The person {person} is not the one who joined."]
    with closing(started(path)) as house:
        assert house.people.name(person) == SOMEBODY


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("act", ["another person", "a new one", "longer", "again"])
def test_a_session_that_was_not_opened_like_that_is_found_and_opens_nothing(tmp_path: Path, act: str) -> None:
    path, now = tmp_path / "house.db", 1_000
    house = House(Store(path), KEYS, lambda: now)
    (victim, _), (thief, token) = house.people.guest(), house.people.guest()
    assert house.people.player_of(token) == thief
    if act == "again":
        house.people.end_session(token)
    house.close()
    with in_hand(path) as file:
        file.execute("DELETE FROM sessions WHERE person = ?", (thief,))
        forged = {
            "another person": (token_digest(token), victim, 1_000, 2**40),
            "a new one": (token_digest("mine"), victim, 1_000, 2**40),
            "longer": (token_digest(token), thief, 1_000, 2**50),
            "again": (token_digest(token), thief, 1_000, 2**40),
        }[act]
        file.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", forged)
    assert any("is not as it was opened or ended." in said for said in problems(path))
    now = 2**45
    with closing(House(Store(path), KEYS, lambda: now)) as house:
        assert house.people.player_of(token) is None
        assert house.people.player_of("mine") is None


@pytest.mark.rule("F-11", "F-16")
def test_a_balance_that_was_written_into_the_accounts_buys_nothing(path: Path) -> None:
    with in_hand(path) as file:
        ((account,),) = found(file, "SELECT name FROM accounts WHERE name LIKE 'player:%' LIMIT 1")
        file.execute("UPDATE accounts SET balance = balance + 50000000 WHERE name = ?", (account,))
        file.execute("UPDATE accounts SET balance = balance - 50000000 WHERE name = 'house'")
    assert any(f"The account {account} stands at" in said for said in problems(path))
    with closing(started(path)) as house:
        assert not house.fault
        assert house.balance(account.removeprefix("player:")) <= GRANT + 30_000
        assert house.journal.balance("house") == -2 * GRANT


@pytest.mark.rule("F-11", "F-16")
def test_an_account_that_was_allowed_to_owe_is_found_and_may_not(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("UPDATE accounts SET may_owe = 1 WHERE name LIKE 'player:%'")
        file.execute("INSERT INTO accounts VALUES ('player:thief', 1, 0)")
        ((known, balance),) = file.execute("SELECT name, balance FROM accounts WHERE name LIKE 'player:%' LIMIT 1")
    said = problems(path)
    assert said[0] == "The account player:thief is in no entry."
    assert said[1].startswith("Whether the account player:") and said[1].endswith("may owe is not as it was opened.")
    with closing(started(path)) as house:
        with pytest.raises(Refused, match="There is no account 'player:thief'"):
            house.book(Book(Kind.CASH_OUT.value, "player:thief", "house", 500, "cash"), PROGRAM)
        with pytest.raises(Refused, match="do not have that much"):
            house.book(Book(Kind.CASH_OUT.value, known, "house", balance + 500, "cash"), PROGRAM)


@pytest.mark.rule("F-16")
def test_a_snapshot_that_was_replaced_is_found_and_not_believed(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """By an older one, by a forged one, and by one of the future."""
    with closing(started(path)) as house:
        table = house.live("money").table
    whole = path.read_bytes()
    with closing(apsw.Connection(str(path))) as file:
        ((older, state), (newest, real)) = found(file, "SELECT sequence, state FROM snapshots")
    richer = real[:64] + real[64:].replace(b'"round_number":', b'"round_number":9')
    for forged in (state, richer, THIEF.sign(richer[64:]) + richer[64:], real[64:], b""):
        path.write_bytes(whole)
        with in_hand(path) as file:
            file.execute("UPDATE snapshots SET state = ? WHERE sequence = ?", (forged, newest))
        assert first_problem(path).startswith(f"money, event {newest}: the snapshot after it is damaged or of other")
        caplog.clear()
        with closing(started(path)) as house:
            assert house.live("money").table == table
        assert "The snapshot of table money is damaged or of other records; all its events are folded." in (
            caplog.messages
        )
    assert older < newest
    for stream, sequence in (("money", 10_000), ("house", 1), ("elsewhere", 3)):
        path.write_bytes(whole)
        with in_hand(path) as file:
            file.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (stream, sequence, real))
        assert first_problem(path).startswith(f"There is a snapshot of {stream}")
        with closing(started(path)) as house:
            assert house.live("money").table == table


@pytest.mark.rule("F-16")
def test_a_checkpoint_that_was_replaced_is_found_and_not_believed(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """By one that names more money, with the signature that was there, none, or another's; or by an older one."""
    with closing(started(path)) as house:
        known = dict(house.journal.position.balances)
        house.people.guest()
        later = dict(house.journal.position.balances)
    with closing(apsw.Connection(str(path))) as file:
        ((old, state), (last, real)) = found(file, "SELECT * FROM checkpoints ORDER BY commit_id")
    assert (old, last, known != later) == (last - 1, last, True)
    whole, richer = path.read_bytes(), real[64:].replace(b'"player:', b'"player:1')
    for forged in (state, real[:64] + richer, THIEF.sign(richer) + richer, real[64:], b""):
        path.write_bytes(whole)
        with in_hand(path) as file:
            file.execute("UPDATE checkpoints SET state = ? WHERE commit_id = ?", (forged, last))
        assert first_problem(path) == f"The checkpoint after commit {last} is not signed by the house."
        caplog.clear()
        with closing(started(path)) as house:
            assert dict(house.journal.position.balances) == later
        assert f"The checkpoint after commit {last} is not signed by the house; all commits are read." in (
            caplog.messages
        )
    path.write_bytes(whole)
    with in_hand(path) as file:
        file.execute("INSERT INTO checkpoints VALUES (?, ?)", (last + 5, real))
    assert first_problem(path) == f"There is a checkpoint after commit {last + 5}, which is not there."
    with closing(started(path)) as house:
        assert dict(house.journal.position.balances) == later


@pytest.mark.rule("F-16", "F-17")
@pytest.mark.parametrize("act", ["removed", "swapped", "changed"])
def test_the_secret_of_a_live_round_that_is_gone_is_named_and_its_table_closed(path: Path, act: str) -> None:
    with closing(started(path)) as house:
        root = house.live("money").table.root
    with in_hand(path) as file:
        rows = dict(found(file, "SELECT root, sealed FROM secrets"))
        other = next(sealed for of, sealed in rows.items() if of != root)
        assert root in rows
        if act == "removed":
            file.execute("DELETE FROM secrets WHERE root = ?", (root,))
        elif act == "swapped":
            file.execute("UPDATE secrets SET sealed = ? WHERE root = ?", (other, root))
        else:
            file.execute("UPDATE secrets SET sealed = zeroblob(100) WHERE root = ?", (root,))
    said = problems(path)
    if act == "removed":
        with Reader(path) as reader:
            first = reader.rounds("money", limit=1)[0].first
        assert said[0] == f"money, event {first}: its sealed cards or rolls are missing."
    else:
        assert told(path, "What the house has signed is not what is there")
    with closing(started(path)) as house:
        assert set(house.tables) == {"between"}
        assert root is not None
        assert root[:12] in house.closed["money"].why


@pytest.mark.rule("F-16")
def test_a_secret_given_to_another_table_is_found(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("UPDATE secrets SET stream = 'between' WHERE root = (SELECT min(root) FROM secrets)")
    assert first_problem(path).endswith("belongs to another table.")


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "change",
    [
        "DROP TRIGGER commits_stay_DELETE",
        "DROP TRIGGER accounts_move",
        "DROP INDEX commits_by_command",
        "CREATE TRIGGER more AFTER INSERT ON entries BEGIN UPDATE accounts SET balance = balance + 1; END",
        "CREATE VIEW richer AS SELECT * FROM accounts",
        "CREATE TABLE notes (text)",
        "CREATE INDEX quicker ON events (round)",
        "ALTER TABLE people ADD COLUMN email TEXT",
        "ANALYZE",
    ],
)
def test_guards_that_were_taken_away_and_things_that_were_put_in_are_found(path: Path, change: str) -> None:
    with closing(apsw.Connection(str(path))) as file:
        file.execute(change)
    assert first_problem(path).endswith("of the file is not what Feltworks made it.")


@pytest.mark.rule("F-16")
def test_a_file_in_another_encoding_is_found_and_not_written(path: Path) -> None:
    """There a stray byte after a text is invisible, and SQL does not find the text any more."""
    in_utf_16(path)
    assert "The file is written in UTF-16le, and Feltworks writes UTF-8." in problems(path)
    assert "The file is written in UTF-16le, and Feltworks writes UTF-8." in is_refused(path)


@pytest.mark.rule("F-16")
def test_the_age_of_the_newest_record_is_what_the_house_has_signed(path: Path) -> None:
    """Whoever puts an older copy there cannot make it look fresh."""
    last = commits(path)[-1].time
    with in_hand(path) as file:
        file.execute("UPDATE commits SET time = 9000000000000 WHERE id = (SELECT max(id) FROM commits)")
    with closing(started(path)) as house:
        assert house.newest == last


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("change", ["DROP TABLE commits", "ALTER TABLE commits RENAME COLUMN time TO tim"])
def test_a_file_without_its_tables_is_told_in_words(path: Path, change: str) -> None:
    with in_hand(path, guards_put_back=False) as file:
        file.execute(change)
    assert "of the file is not what Feltworks made it" in is_refused(path)
    with pytest.raises(StoreError, match="cannot be read"):
        replayed(path, "money", 1, KEYS.public)


@pytest.mark.rule("F-16")
def test_a_person_whose_first_event_is_gone_is_told_in_words(path: Path) -> None:
    with closing(started(path)) as house:
        (player,) = {seat.player for seat in house.live("money").table.seats.values()}
    with in_hand(path) as file:
        file.execute(f"DELETE FROM events WHERE stream = 'person:{player}' AND sequence = 1")
    with closing(started(path)) as house, pytest.raises(BrokenRecords, match=r"event 1 is missing; run `felt verify`"):
        house.people.person(player)


@pytest.mark.rule("F-16")
def test_a_file_that_calls_itself_older_is_not_taken_over(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("PRAGMA user_version = 1")
    with pytest.raises(StoreError, match="its tables are not those of an older Feltworks"):
        started(path)


@pytest.mark.rule("F-16")
def test_a_schema_that_is_no_text_is_told_in_words(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("PRAGMA writable_schema = ON")
        odd = "replace(sql, '-- the order', '-- ' || CAST(x'ff' AS TEXT))"
        file.execute(f"UPDATE sqlite_schema SET sql = {odd} WHERE name = 'commits'")
    assert "cannot be read" in is_refused(path)


@pytest.mark.rule("F-16")
def test_text_that_is_none_is_told_in_words(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("UPDATE people SET name = CAST(x'ff' AS TEXT)")
    with Reader(path) as reader, pytest.raises(StoreError, match="cannot be read"):
        reader.people()


@pytest.mark.rule("F-18")
def test_damaged_records_are_replayed_in_words(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("DELETE FROM events WHERE stream = 'money' AND sequence = 1")
    with pytest.raises(BrokenRecords, match="run `felt verify`"):
        replayed(path, "money", 1)


@pytest.mark.rule("F-16")
def test_a_command_that_the_index_does_not_know_is_found(path: Path) -> None:
    hide_from_index(path, "c1")
    actor = next(commit.actor for commit in commits(path) if commit.command_id == "c1")
    assert f"The command c1 of {actor} is not found under its id alone." in problems(path)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("checkpoint", [True, False])
def test_a_command_of_a_live_round_that_the_index_does_not_know_is_found_at_the_start(
    path: Path, checkpoint: bool
) -> None:
    """It would be done again, and be signed."""
    last = [commit for commit in commits(path) if commit.command_id][-1]
    hide_from_index(path, last.command_id)
    if checkpoint:
        with closing(started(path)) as house:
            assert "is not listed; run `felt verify`" in house.closed["money"].why
    else:
        with in_hand(path) as file:
            file.execute("DELETE FROM checkpoints")
        assert f"The command of commit {last.number} is not found under its id alone" in is_refused(path)


@pytest.mark.rule("F-16")
def test_an_id_that_was_stored_as_other_bytes_is_found(path: Path) -> None:
    """Such a command is not found under its id."""
    with in_hand(path) as file:
        file.execute("PRAGMA writable_schema = ON")
        ((sql,),) = found(file, "SELECT sql FROM sqlite_schema WHERE name = 'commits'")
        loose = sql.replace(") STRICT", ")").replace("command_id TEXT", "command_id BLOB")
        file.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'commits'", (loose,))
    with in_hand(path) as file:
        file.execute("UPDATE commits SET command_id = CAST(command_id AS BLOB) WHERE command_id = 'c1'")
        file.execute("DELETE FROM checkpoints")
        file.execute("PRAGMA writable_schema = ON")
        file.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'commits'", (sql,))
    said = "it holds values of another kind than Feltworks writes"
    assert said in "".join(problems(path))
    assert said in is_refused(path)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "row",
    [
        "entries SELECT max(id) + 1, 5, 'play-money grant', 'house', (SELECT max(name) FROM accounts), 9 FROM events",
        "events SELECT 1 + max(id), 1 + max(commit_id), 'zzz', 1, 0, x'7b7d', zeroblob(32) FROM events",
        "events VALUES (9223372036854775807, 1, 'zzz', 1, 0, x'7b7d', zeroblob(32))",
        "secrets SELECT 'ff', max(id) + 1, 'money', x'00' FROM commits",
    ],
    ids=["an entry of the next event", "an event of the next commit", "the last event there can be", "a secret"],
)
def test_a_row_that_waits_after_the_end_is_found_at_the_start(path: Path, row: str) -> None:
    """Before the house signs a commit that it would then belong to."""
    with in_hand(path) as file:
        file.execute(f"INSERT INTO {row}")
    assert problems(path)
    assert "The records go on after their end: somebody put rows there." in is_refused(path)


def round_anew(path: Path, number: int = 1, old: bytes = b'"amount":500', new: bytes = b'"amount":700') -> None:
    """A round says something else, with hashes of its own; the records after it stay."""
    with in_hand(path) as file:
        where = f"FROM rounds WHERE stream = 'money' AND round = {number}"
        first, last = found(file, f"SELECT first, last {where}")[0] if number else (1, 1)
        ((before,),) = found(file, f"SELECT hash FROM events WHERE stream = 'money' AND sequence = {first - 1}") or [
            (bytes.fromhex(FIRST),)
        ]
        columns = "sequence, time, actor, command_id, round, event FROM events JOIN commits ON commits.id = commit_id"
        within = f"events.stream = 'money' AND sequence BETWEEN {first} AND {last}"
        for sequence, time, actor, command, round, event in found(
            file, f"SELECT {columns} WHERE {within} ORDER BY sequence"
        ):
            record = chained("money", sequence, time, actor, command, round, event.replace(old, new), before.hex())
            before = bytes.fromhex(record.hash)
            put = "UPDATE events SET event = ?, hash = ? WHERE stream = 'money' AND sequence = ?"
            file.execute(put, (record.event, before, sequence))


@pytest.mark.rule("F-16", "F-18")
@pytest.mark.parametrize("snapshots", [True, False])
def test_an_old_round_that_was_written_anew_is_shown_to_nobody(path: Path, snapshots: bool) -> None:
    with closing(started(path)) as house:
        told = recall(house, house.store, "money", 1)
        assert told is not None and not told.warnings
    round_anew(path)
    if not snapshots:
        with in_hand(path) as file:
            file.execute("DELETE FROM snapshots WHERE sequence < (SELECT max(sequence) FROM snapshots)")
    with closing(started(path)) as house, pytest.raises(BrokenRecords, match="run `felt verify`"):
        recall(house, house.store, "money", 1)
    with pytest.raises(BrokenRecords, match="run `felt verify`"):
        replayed(path, "money", 1, KEYS.public)


@pytest.mark.rule("F-01", "F-16")
def test_how_a_table_stood_to_the_approval_is_told_as_it_was_recorded(path: Path) -> None:
    round_anew(path, 0, b"the approved rules, for training", b"approved as it is played")
    with closing(started(path)) as house, pytest.raises(BrokenRecords, match="run `felt verify`"):
        recall(house, house.store, "money", 3)
    with pytest.raises(BrokenRecords, match="run `felt verify`"):
        replayed(path, "money", 3, KEYS.public)


@pytest.mark.rule("F-18")
def test_a_round_that_cannot_be_followed_to_a_signature_is_told_with_a_note(path: Path) -> None:
    assert replayed(path, "money", 1, KEYS.public).unchecked == ""
    assert replayed(path, "money", 1).unchecked == NOT_FOLLOWED


@pytest.mark.rule("F-16")
def test_a_schema_without_its_checks_is_found(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as file:
        file.execute("PRAGMA writable_schema = ON").fetchall()
        file.execute("UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (payee <> payer)', '') WHERE name = 'entries'")
    assert first_problem(path) == "The table entries of the file is not what Feltworks made it."


# While the house is open.


@pytest.mark.rule("F-16")
def test_a_house_writes_no_more_into_a_file_that_somebody_else_has_changed(path: Path) -> None:
    """What was acknowledged stays, what the forger wrote is found, and nothing is signed on top of it."""
    house = started(path)
    player = next(iter(house.live("money").table.seats.values())).player
    balance, before = house.balance(player), commits(path)
    with in_hand(path) as file:
        file.execute("UPDATE accounts SET balance = balance + 500 WHERE name = ?", (f"player:{player}",))
    with pytest.raises(StoreError, match="changed by somebody else while the house was open"):
        house.people.guest()
    with pytest.raises(Refused, match="nothing more is written"):
        house.command("money", player, cmd.Choose("check"))
    assert house.balance(player) == balance
    house.close()
    assert commits(path) == before
    assert problems(path)


@pytest.mark.rule("F-16")
def test_a_house_writes_nothing_into_an_older_copy_that_was_put_in_its_place(path: Path, tmp_path: Path) -> None:
    backup(path, tmp_path / "older.db")
    house = started(path)
    house.people.guest()
    (tmp_path / "older.db").replace(path)
    with pytest.raises(StoreError, match="replaced or removed while the house was open"):
        house.people.guest()
    house.close()


@pytest.mark.rule("F-16")
def test_a_page_that_is_damaged_is_told_in_words(path: Path) -> None:
    with Reader(path) as reader:
        ((page,),) = reader.connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'commits'")
    with in_hand(path) as file:
        file.execute("DELETE FROM checkpoints")
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4_096 : page * 4_096] = b"\xff" * 4_096
    path.write_bytes(data)
    assert first_problem(path).startswith("The file is damaged: ")
    assert "The end of the records cannot be read: " in is_refused(path)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET kind = 'gift'",
        "UPDATE entries SET payee = 'somebody'",
        "UPDATE events SET event = x'ff' WHERE stream = 'house'",
        "UPDATE commits SET stream = ''",
        "UPDATE events SET hash = x''",
        "DELETE FROM events WHERE commit_id = 1",
    ],
)
def test_nonsense_in_the_file_is_told_in_words(path: Path, change: str) -> None:
    with in_hand(path) as file:
        file.execute("DELETE FROM checkpoints")
        file.execute(change)
    assert all(len(said) > 20 for said in problems(path))
    assert first_problem(path)
    is_refused(path)


def test_the_key_of_another_house_opens_nothing(path: Path) -> None:
    with closing(House(Store(path), THIEF, lambda: 6_000)) as house:
        assert "are not signed with the key" in house.fault
    assert not verify(path, THIEF.public).ok
    with Store(path) as store, pytest.raises(BrokenRecords):
        Journal(store, THIEF)
