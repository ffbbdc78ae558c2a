"""Writers that are killed in the middle of their work, and what the tests of the store and the journal share.

`python -m tests.floor.killing FILE TIMES SEED` kills a writer that many times, and prints how many commits were
acknowledged and found again; it fails at the first that was lost.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from feltworks.floor.accounts import Entry, Kind, player_account, table_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import AdmitGuest, Book
from feltworks.floor.aggregates import decide
from feltworks.floor.journal.journal import Draft, Journal
from feltworks.floor.journal.records import Record
from feltworks.floor.keys import Keys
from feltworks.floor.person import identity_digest, token_digest
from feltworks.floor.store.interface import PersonRow
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, Command, Happened, States
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.verification.verify import verify
from tests.floor.done import commit_of

TABLES = [
    *("commits", "events", "entries", "accounts", "rounds", "played", "secrets", "old_heads", "snapshots"),
    *("checkpoints", "people", "kept", "sessions"),
]
KEYS = Keys(b"s" * 32, b"k" * 32)
SALT = b"salt" * 4


def wager(cents: int, player: str = "ann", table: str = "t") -> Entry:
    return Entry(Kind.WAGER_TAKEN, player_account(player), table_account(table), cents)


def back(cents: int, player: str = "ann", table: str = "t") -> Entry:
    return Entry(Kind.WAGER_RETURNED, table_account(table), player_account(player), cents)


def happened(n: int, *entries: Entry, stream: str = "t", round: int = 0) -> Happened:
    """Something at a table, which says no more than its number."""
    return Happened(stream, ev.Presence(n, True), entries, round)


def draft(
    n: int,
    *made: Happened,
    actor: str = "ann",
    command_id: str = "",
    secrets: Sequence[tuple[str, bytes]] = (),
    snapshot: Callable[[Record], bytes] | None = None,
) -> Draft:
    """A command of somebody at a table, at time n, with what it made; nobody asks whether the rules make it."""
    stream = made[0].stream if made else "t"
    return Draft(stream, cmd.Ready(), by_person(actor), n, made, command_id, secrets, snapshot=snapshot)


def played(n: int, secrets: Sequence[tuple[str, bytes]] = ()) -> Draft:
    """A wager that is made and given back, with a command's id and a round."""
    return draft(n, happened(n, wager(5), back(5), round=1 + n // 3), command_id=f"c{n}", secrets=secrets)


def decided(journal: Journal, command: Command, time: int, command_id: str = "", person: str = "") -> Draft:
    """A command to the house, decided on what the journal knows."""
    states = States(lambda _: journal.position.house, journal.balance)
    decision = decide(states, HOUSE_STREAM, command, PROGRAM, time)
    joined = [PersonRow(person, person.title(), SALT, time)] if person else []
    return Draft(HOUSE_STREAM, command, PROGRAM, time, decision.happened, command_id, joined=joined)


def admit(journal: Journal, person: str, grant: int = 10_000, time: int = 1) -> None:
    """Somebody joins, with a session that the person's own name opens for a thousand moments."""
    digest, token = identity_digest(SALT, person.title()), token_digest(person)
    command = AdmitGuest(person, digest, grant, token, time + 1_000)
    journal.commit([decided(journal, command, time, person=person)])


def everything(store: Reader, tables: Sequence[str] = TABLES) -> dict[str, list[Any]]:
    """All that the file holds."""
    return {table: store.connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def kill_writers(path: Path, times: int, seed: int) -> int:
    """Let a writer commit until it is killed, again and again; every commit it told of must be there, no group may be
    there in part, and all of it must be signed."""
    with Store(path) as store:
        admit(Journal(store, KEYS), "ann")
    chance, told = random.Random(seed), 0
    for _ in range(times):
        reading, writing = os.pipe()
        writer = os.fork()
        if writer == 0:
            os.close(reading)  # or else a writer whose killer has gone would have nobody to stop it
            write_for_ever(path, writing)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            lines = [pipe.readline() for _ in range(chance.randrange(1, 8))]
            time.sleep(chance.uniform(0, 0.005))
            os.kill(writer, signal.SIGKILL)
            os.waitpid(writer, 0)
            lines += [line for line in pipe if line.endswith(b"\n")]
        told += len(lines)
        acknowledged = int(lines[-1])
        with Store(path) as store:
            journal = Journal(store, KEYS)
            last = journal.version(HOUSE_STREAM) - 1
            assert last >= acknowledged, f"commit {acknowledged} was acknowledged; the file ends with {last}"
            assert last % 2 == 0, f"of a group only the first commit is there, {last}"
            assert store.last_commit() == last + 1
            assert commit_of(store, [str(PROGRAM)], f"c{acknowledged}") == acknowledged + 1
            assert store.balances() == journal.position.balances
            store.check_books()
    report = verify(path, KEYS.public)
    assert report.ok, report.problems
    return told


def write_for_ever(path: Path, acknowledge: int) -> None:
    """Two commits at a time: money goes to the player, and back to the house."""
    journal = Journal(Store(path), KEYS)
    last = journal.version(HOUSE_STREAM) - 1
    accounts = ("house", "player:ann")
    while True:
        group = []
        for payer, payee in (accounts, accounts[::-1]):
            last += 1
            command = Book(Kind.CORRECTION.value, payer, payee, 5, "a test of kills")
            group.append(decided(journal, command, last, f"c{last}"))
        journal.commit(group)
        os.write(acknowledge, b"%d\n" % last)


if __name__ == "__main__":
    print(kill_writers(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
