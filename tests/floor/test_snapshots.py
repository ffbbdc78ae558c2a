"""Snapshots: a house that starts from one is the house that folds every event, and a bad one is not believed."""

import logging
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from random import Random

import apsw
import pytest

from feltworks.floor.house import House
from feltworks.floor.keys import Keys
from feltworks.floor.live_tables import Live
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import snapshot as snapshots
from feltworks.floor.verification.verify import verify
from feltworks.kit.cards import Seat
from feltworks.kit.game import Game
from tests.floor.sitting import in_between, one_for_the_money, riding, with_toys
from tests.floor.test_house import Clock

KEYS = Keys(bytes(32), bytes(range(32)))
TABLES = ("money", "between", "riding")


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)


@pytest.fixture(scope="module")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house whose three tables have played some rounds and are in the middle of another."""
    path, seeds = tmp_path_factory.mktemp("played") / "records.db", count()
    with pytest.MonkeyPatch.context() as monkeypatch, Store(path) as store:
        with_toys(monkeypatch)
        monkeypatch.setattr("feltworks.floor.chance.sealed.fresh_seed", lambda: next(seeds).to_bytes(32, "big"))
        house = House(store, KEYS, Clock())
        for settings in (one_for_the_money(), in_between(shuffling="shoe", decks=2), riding()):
            house.open_table(settings)
        for table in TABLES:
            play_at(house, table, rounds=5, random=Random(table))
    return path


@pytest.fixture
def played(played_once: Path, tmp_path: Path) -> Path:
    """That house, for one test to open, change and damage."""
    return Path(shutil.copy(played_once, tmp_path))


def play_at(house: House, table: str, rounds: int, random: Random) -> None:
    """Three people do what comes to mind until so many rounds are over, and then a little more."""
    players = [house.people.guest()[0] for _ in range(3)]
    for seat, player in enumerate(players, 1):
        house.command(table, player, cmd.Sit(seat))
    clock, after = house.clock, 12
    assert isinstance(clock, Clock)
    while house.live(table).table.round_number <= rounds or (after := after - 1):
        state = house.live(table).table
        spots = [spot for wager in state.game.wagers.values() for spot in wager.opens]
        for player in players:
            options = [option.name for option in getattr(state.step, "options", ())]
            for command in (
                cmd.Place(random.choice(spots), 100 * random.randint(1, 5)),
                cmd.Choose(random.choice(options)) if options else cmd.Ready(),
            ):
                try:
                    house.command(table, player, command)
                except Refused:
                    continue
        if (due := house.due(table)) is not None:
            clock.now = max(clock.now, due.at)
            house.deal_on(table, due.doing)


def started(path: Path, table: str) -> tuple[Live, int]:
    """A table as a new house finds it, and how many of its events were folded."""
    with Store(path) as store:
        read, read_all = 0, store.read

        def counting(stream: str, after: int = 0, until: int | None = None) -> Iterator[object]:
            nonlocal read
            for record in read_all(stream, after, until):
                read += stream == table
                yield record

        store.read = counting  # type: ignore[method-assign, assignment]
        house = House(store, KEYS, Clock())
        return house.live(table), read


def folded(path: Path, table: str) -> tuple[Live, int]:
    """The same without the snapshots."""
    copy = Path(shutil.copy(path, path.with_name("without snapshots.db")))
    with Store(copy) as store:
        store.connection.execute("DELETE FROM snapshots")
    return started(copy, table)


@pytest.mark.rule("F-16", "F-17")
@pytest.mark.parametrize("table", TABLES)
def test_from_a_snapshot_or_from_the_first_event_it_is_the_same_table(played: Path, table: str) -> None:
    (live, few), (same, all) = started(played, table), folded(played, table)
    assert (live.table, live.since, live.shoes.shoes) == (same.table, same.since, same.shoes.shoes)
    assert live.table.reasons == same.table.reasons
    assert live.table.round_number > 5
    assert few < all / 3


def test_what_stays_up_from_round_to_round_is_in_the_snapshot(tmp_path: Path) -> None:
    clock = Clock()
    with Store(tmp_path / "records.db") as store:
        house = House(store, KEYS, clock)
        house.open_table(riding())
        while not (house.live("riding").table.round is None and house.live("riding").table.wagers):
            if not house.live("riding").table.seats:
                player, _ = house.people.guest()
                house.command("riding", player, cmd.Sit(2))
            state = house.live("riding").table
            if state.betting and not state.wagers:
                house.command("riding", player, cmd.Place("ride", 700))
            due = house.due("riding")
            assert due is not None
            clock.now = max(clock.now, due.at)
            house.deal_on("riding", due.doing)
        table = house.live("riding").table
    live, few = started(tmp_path / "records.db", "riding")
    assert live.table == table
    assert live.table.wagers == {(Seat(2), "ride"): Fraction(700)}
    assert few == 2  # its opening, and the event that the snapshot was taken after


def forged(data: bytes) -> bytes:
    """The same with a signature of somebody else."""
    return Keys(bytes(32), bytes(32)).sign(data[64:]) + data[64:]


DAMAGE: dict[str, Callable[[apsw.Connection], object]] = {
    "changed": lambda file: file.execute(
        "UPDATE snapshots SET state = CAST(replace(CAST(state AS TEXT), '0', '1') AS BLOB)"
    ),
    "cut": lambda file: file.execute("UPDATE snapshots SET state = substr(state, 1, 30)"),
    "empty": lambda file: file.execute("UPDATE snapshots SET state = zeroblob(0)"),
    "of another event": lambda file: file.execute("UPDATE snapshots SET sequence = sequence - 1"),
    "of an event that is not there": lambda file: file.execute("UPDATE snapshots SET sequence = sequence + 100000"),
    "of another table": lambda file: file.execute(
        "UPDATE snapshots SET state = (SELECT state FROM snapshots WHERE stream = 'between')"
    ),
    "an older one": lambda file: file.execute(
        "UPDATE snapshots SET state = (SELECT state FROM snapshots AS old WHERE old.stream = snapshots.stream"
        " ORDER BY sequence LIMIT 1) WHERE sequence = (SELECT max(sequence) FROM snapshots AS new"
        " WHERE new.stream = snapshots.stream)"
    ),
    "signed by another": lambda file: [
        file.execute("UPDATE snapshots SET state = ? WHERE stream = ? AND sequence = ?", (forged(data), stream, at))
        for stream, at, data in file.execute("SELECT stream, sequence, state FROM snapshots").fetchall()
        if isinstance(data, bytes)
    ],
}


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_snapshot_is_told_and_every_event_is_folded(
    played: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    whole = folded(played, "money")
    with Store(played) as store:
        DAMAGE[damage](store.connection)
    live, read = started(played, "money")
    assert live.table == whole[0].table
    assert read >= whole[1]
    assert "The snapshot of table money is damaged or of other records; all its events are folded." in caplog.messages

    assert not verify(played, KEYS.public).ok


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("what", ["shape", "fields"])
def test_a_snapshot_of_another_shape_is_told_and_every_event_is_folded(
    played: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """It is no fault of the records: after an update it is so, until the next round ends."""
    if what == "shape":
        monkeypatch.setattr(snapshots, "_shape", lambda: "another")
        said = "is of another definition or shape"
    else:
        monkeypatch.setattr(
            snapshots, "_State", type("_State", (snapshots._State,), {"__annotations__": {"more": int}})
        )
        said = "is of another shape"
    live, _ = started(played, "money")
    assert live.table == folded(played, "money")[0].table
    assert f"The snapshot of table money {said}; all its events are folded." in caplog.messages
    assert verify(played, KEYS.public).problems == []


@pytest.mark.rule("F-16")
def test_a_snapshot_of_another_build_of_the_same_definition_is_used(
    played: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is bound to the shape of the state, not to every line of code: an update does not fold a year of events."""
    whole = started(played, "money")
    monkeypatch.setattr(
        Game, "fingerprint", property(lambda game: {"definition": game._definition_hash(), "build": "0" * 64})
    )
    live, read = started(played, "money")
    assert (live.table.version, read) == (whole[0].table.version, whole[1])
    assert caplog.messages == []


@pytest.mark.rule("F-18")
def test_a_round_is_replayed_from_the_nearest_snapshot_and_is_the_same(played: Path) -> None:
    with Reader(played) as reader:
        kept = [sequence for sequence, _ in reader.snapshots("money")]
        last = reader.rounds("money", limit=1)[0]
    assert kept and kept[-1] < last.first
    for number in range(1, last.round + 1):
        from_the_first = replace(replayed(played, "money", number), unchecked="")
        assert replace(replayed(played, "money", number, KEYS.public), unchecked="") == from_the_first


def test_a_snapshot_that_is_right_is_used_without_a_word(played: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    started(played, "money")
    assert caplog.messages == []
