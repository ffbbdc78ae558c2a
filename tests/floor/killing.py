"""Writers that are killed in the middle of their work, and what the tests of the store share.

`python -m tests.floor.killing FILE TIMES SEED` kills a writer that many times, and prints how many appends were
acknowledged and found again; it fails at the first that was lost.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from feltworks.floor.money import Entry, Kind, player_account, table_account
from feltworks.floor.reading import Reader
from feltworks.floor.store import Batch, Draft, Reply, Store

TABLES = "events entries accounts played answers secrets heads snapshots players sessions".split()


class Keys:
    """Something that signs, for tests that do not look at the signature."""

    public = "00" * 32

    def sign(self, message: bytes) -> bytes:
        return sha256(message).digest()


def wager(cents: int, player: str = "ann", table: str = "t") -> list[Entry]:
    return [Entry(Kind.WAGER_TAKEN, player_account(player), table_account(table), cents)]


def batch(expected: int, secrets: Mapping[str, bytes] | None = None) -> Batch:
    """An event with a wager, its return and an answer, after so many others."""
    command = f"c{expected}"
    back = Entry(Kind.WAGER_RETURNED, "table:t", "player:ann", 5)
    draft = Draft(expected, "ann", b'{"n":%d}' % expected, [*wager(5), back], 1 + expected // 3, command)
    return Batch("t", expected, [draft], secrets or {}, Reply("ann", command, b"done"))


def everything(store: Reader, tables: Sequence[str] = TABLES) -> dict[str, list[Any]]:
    """All that the file holds."""
    return {table: store.connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def kill_writers(path: Path, times: int, seed: int) -> int:
    """Let a writer append until it is killed, again and again; every append it told of must be there."""
    with Store(path) as store:
        store.add_player("ann", "Ann", 1, grant=10_000)
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
            last = store.head("t")[0]
            assert last >= acknowledged, f"event {acknowledged} was acknowledged; the file ends with {last}"
            records = list(store.read("t"))
            assert [record.sequence for record in records] == list(range(1, last + 1))
            assert all(record.hash == record.true_hash for record in records)
            assert len(list(store.entries("t"))) == 2 * last
            assert all(store.answer_of("ann", record.command) == b"done" for record in records)
            store.check_books()
    return told


def write_for_ever(path: Path, acknowledge: int) -> None:
    store = Store(path)
    last = store.head("t")[0]
    while True:
        store.append(batch(last))
        last += 1
        os.write(acknowledge, b"%d\n" % last)


if __name__ == "__main__":
    print(kill_writers(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
