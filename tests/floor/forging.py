"""A house that has played, and what somebody who holds its file and the source does to it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import apsw
import msgspec

from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.journal.position import other_chains
from feltworks.floor.journal.records import FIRST, Commit, chained, group_hash, link_after, signed_message
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.passwords import Hashed
from feltworks.floor.store.interface import Beside
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from tests.floor.killing import KEYS
from tests.floor.sitting import in_between, one_for_the_money

OPTIONS = ("trade", "raise", "stand", "check", "trade", "check")
TIMES = ("snapshots", "checkpoints", "people", "kept", "sessions")


def employ(house: House) -> None:
    """Two people work in the house, with a password each."""
    for name, role in (("Sue", "supervisor"), ("Max", "manager")):
        id, code = house.staff.add(name, [role], PROGRAM)
        house.staff.set_password(id, Hashed(f"the hash of {name}", "of a test"), code)


def play(store: Store, rounds: int = 3, tables: int = 2) -> House:
    """A house with two tables; at the first a guest trades, raises, checks, one round is voided, and the last one is
    still being played."""
    time = count(1_000)
    house = House(store, KEYS, lambda: next(time))
    for settings in (one_for_the_money(), in_between())[:tables]:
        house.open_table(settings)
    player, _ = house.people.guest()
    house.people.guest()
    employ(house)
    command = (f"c{n}" for n in count())
    house.command("money", player, cmd.Sit(2), next(command))
    options = iter(OPTIONS * rounds)
    table = house.live("money").table
    while table.round_number <= rounds or not isinstance(table.step, steps.Choose):
        if table.betting:
            house.command("money", player, cmd.Place("ante", 500), next(command))
            house.command("money", player, cmd.Place("three_card_bonus", 100), next(command))
            house.command("money", player, cmd.Ready(), next(command))
        elif isinstance(table.step, steps.Choose):
            offered = [option.name for option in table.step.options]
            choice = next(option for option in options if option in offered)
            house.command("money", player, cmd.Choose(choice), next(command))
            if table.round_number == 2:
                house.void("money", "a test of voids")
        else:
            due = house.due("money")
            assert due is not None
            house.deal_on("money", due.doing)
        table = house.live("money").table
    return house


@contextmanager
def in_hand(path: Path, guards_put_back: bool = True) -> Iterator[apsw.Connection]:
    """The file in the hands of somebody who may write it: nothing guards it, and afterwards it looks as before."""
    with closing(apsw.Connection(str(path))) as file:
        for pragma in ("ignore_check_constraints = ON", "synchronous = OFF", "foreign_keys = OFF"):
            file.execute(f"PRAGMA {pragma}").fetchall()
        triggers = file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            file.execute(f"DROP TRIGGER {name}")
        yield file
        if guards_put_back:
            for _, sql in triggers:
                file.execute(str(sql))


Change = Callable[[Commit], Iterable[Commit]]
Sign = Callable[[Commit, bytes], bytes]


def as_it_was(commit: Commit) -> list[Commit]:
    return [commit]


def by_the_house(_: Commit, message: bytes) -> bytes:
    """Whoever holds the house's key can write anything that the rules allow; what they do not allow shows still."""
    return KEYS.sign(message)


def copied(commit: Commit, _: bytes) -> bytes:
    """The signature that was there: without the key there is no other."""
    return commit.signature


def rewritten(source: Path, to: Path, change: Change = as_it_was, sign: Sign = copied) -> Path:
    """The records written anew, with every hash and every number right, and the signatures that can be had."""
    heads: dict[str, tuple[int, str]] = {}
    chains: dict[str, tuple[int, str]] = {}
    with Reader(source) as old, Store(to) as new:
        last = 0
        for _, commit in old.commits():
            for wanted in change(commit):
                made = _chained(wanted, heads, chains, sign)
                last = new.write([made], Beside(), last)
        for table in TIMES:
            rows = old.connection.execute(f"SELECT * FROM {table}").fetchall()
            for row in rows:
                new.connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    return to


def _chained(
    commit: Commit, heads: dict[str, tuple[int, str]], chains: dict[str, tuple[int, str]], sign: Sign
) -> Commit:
    number, link = chains.get(commit.chain, (0, FIRST))
    records = []
    for r in commit.records:
        sequence, hash = heads.get(r.stream, (0, FIRST))
        about = (commit.time, commit.actor, commit.command_id, r.round)
        records.append(chained(r.stream, sequence + 1, *about, r.event, hash))
        heads[r.stream] = sequence + 1, records[-1].hash
    commit = msgspec.structs.replace(commit, number=number + 1, records=tuple(records))
    hash = commit.hash_after(link)
    if commit.signature:
        others = other_chains(chains, commit.chain)
        message = signed_message(group_hash(commit.chain, commit.number, hash, others))
        commit = msgspec.structs.replace(commit, others=others, signature=sign(commit, message))
    chains[commit.chain] = commit.number, link_after(hash, commit.signature)
    return commit


def with_event(commit: Commit, event: bytes, n: int = 0) -> Commit:
    """The same commit with another event in a place."""
    records = list(commit.records)
    records[n] = msgspec.structs.replace(records[n], event=event)
    return msgspec.structs.replace(commit, records=tuple(records))


def commits(path: Path) -> list[Commit]:
    with Reader(path) as reader:
        return [commit for _, commit in reader.commits()]


def events(path: Path, stream: str = "money") -> list[ev.Event]:
    with Reader(path) as reader:
        found = [decode_event(stream, record.event) for record in reader.read(stream)]
    return [event for event in found if isinstance(event, ev.Event)]


def problems(path: Path) -> list[str]:
    """What `verify` finds with the house's public key."""
    return verify(path, KEYS.public).problems


def first_problem(path: Path) -> str:
    found = problems(path)
    assert found, "everything is said to be in order"
    return found[0]
