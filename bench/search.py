"""Searching a million events at sixty tables for what is there, and for what is not, so that all of them are looked at.

The rounds of one table are played; the others are copies of its rows, which no hash is asked of here.
"""

import os
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from bench.timing import Rows
from feltworks.floor.house import House
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.search import Sought, search
from feltworks.floor.table import commands as cmd
from feltworks.kit.steps import Choose
from feltworks.web.serving import open_house
from tests.web.robots import money

EVENTS = 100_000 if os.environ.get("SHORT") else 1_000_000
ROUNDS, TABLES = 40, 60
ABSENT = 10**9

SEARCHES = {
    "a seat that won: the first page of many": Sought(seat=3, result="won"),
    "a wager of one table": Sought(table="money", seat=2, spot="ante"),
    "an amount that nobody wagered": Sought(least=ABSENT),
    "a seat that lost more than anybody": Sought(seat=3, result="lost", least=ABSENT),
    "a seat that there is not": Sought(seat=9),
    "an incident, where there was none": Sought(happening="incident"),
    "the words of a reason that nobody gave": Sought(incident="nothing of the kind", happening="pause"),
    "a dealer who never dealt": Sought(dealer="nobody"),
    "a person who never played": Sought(person="nobody"),
    "a round that was void": Sought(result="void"),
}


def run() -> Rows:
    with TemporaryDirectory() as folder:
        path = _played(Path(folder))
        start = time.perf_counter()
        events = _copied(path)
        yield f"{events:,} events are made", time.perf_counter() - start, f"{path.stat().st_size / 1e6:.0f} MB"
        with Reader(path) as store:
            for what, sought in SEARCHES.items():
                start = time.perf_counter()
                page = search(store, sought)
                yield what, time.perf_counter() - start, f"{len(page.events)} found (target: at most 1 s)"


def _played(folder: Path) -> Path:
    house = open_house(folder)
    try:
        house.open_table(money())
        players = [house.people.guest()[0] for _ in range(5)]
        for seat, player in enumerate(players, 1):
            house.command("money", player, cmd.Sit(seat))
        for _ in range(ROUNDS):
            _play(house, players)
        return house.store.path
    finally:
        house.close()


def _play(house: House, players: list[str]) -> None:
    while not house.table("money").betting:
        _deal(house)
    for player in players:
        house.command("money", player, cmd.Place("ante", 500))
        house.command("money", player, cmd.Ready())
    while (table := house.table("money")).round is not None:
        if isinstance(table.step, Choose) and table.to_act:
            house.command("money", table.seats[min(table.to_act)].player, cmd.Choose(table.step.options[0].name))
        else:
            _deal(house)


def _deal(house: House) -> None:
    due = house.due("money")
    assert due is not None
    house.deal_on("money", due.doing)


def _copied(path: Path) -> int:
    """The same rows again and again, as tables of other names."""
    with closing(apsw.Connection(str(path))) as file:
        commits, events = (_number(file, f"SELECT max(id) FROM {table}") for table in ("commits", "events"))
        file.execute("BEGIN")
        for n in range(1, EVENTS // events):
            stream = f"'table-{n % TABLES}-{n}'"
            file.execute(
                f"INSERT INTO commits SELECT id + {commits * n}, chain || '-{n}', number, time + {n}, actor,"
                f" CASE command_id WHEN '' THEN '' ELSE command_id || '-{n}' END, stream, command, salt, others,"
                f" signature FROM commits WHERE id BETWEEN 1 AND {commits}"
            ).fetchall()
            file.execute(
                f"INSERT INTO events SELECT id + {events * n}, commit_id + {commits * n},"
                f" CASE stream WHEN 'money' THEN {stream} ELSE stream || '-{n}' END, sequence, round, event, hash"
                f" FROM events WHERE id <= {events}"
            ).fetchall()
            file.execute(
                f"INSERT INTO entries SELECT event + {events * n}, position, kind, payer, payee, cents"
                f" FROM entries WHERE event <= {events}"
            ).fetchall()
        file.execute("COMMIT")
        return _number(file, "SELECT count(*) FROM events")


def _number(file: apsw.Connection, query: str) -> int:
    ((found,),) = file.execute(query).fetchall()
    assert isinstance(found, int)
    return found
