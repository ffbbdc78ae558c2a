"""A real server killed again and again in the middle of rounds, while robots bet: nothing acknowledged is lost."""

import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.exceptions import WebSocketException

from feltworks.floor.accounts import player_account
from feltworks.floor.actors import person
from feltworks.floor.journal.records import Receipt, Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.people import GRANT
from feltworks.floor.store.reader import Reader
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Placed
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.settings import Clocks, Pace
from feltworks.floor.table.state import Table
from feltworks.floor.verification.verify import verify
from feltworks.web import views
from feltworks.web.serving import open_house
from tests.floor.done import commit_of
from tests.quick import SEED, share
from tests.web.robots import DEMO, PATIENCE, Json, Robot, ServerProcess, between, money

KILLS, VIEWS = share(10, soak=100), 50
PACE = Pace(card=15, settlement=15, between_rounds=15)
CLOCKS = Clocks(betting=400, decision=2_000, away=4_000)
TABLES = [
    money(pace=PACE, clocks=CLOCKS),
    money(id="back", readings={"traded_card": "back"}, pace=PACE, clocks=CLOCKS),
    between(pace=PACE, clocks=CLOCKS, penetration=20),
]


class Gambler(threading.Thread):
    """A player that bets and decides at random, and comes back whenever the server does.

    A command whose answer did not come is sent again with the same id, as the pages do it.
    """

    def __init__(self, robot: Robot, seed: int) -> None:
        super().__init__(daemon=True)
        self.robot, self.random = robot, Random(seed)
        self.back: ServerProcess | None = None
        self.over, self.given_up = threading.Event(), threading.Event()
        self.sent: dict[str, Json] = {}
        self.answers: dict[str, Json] = {}
        self.pending: str | None = None
        self.resent = 0
        self.seen: list[Json] = []
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.over.is_set() or self.pending is not None:
                try:
                    self._act()
                except (WebSocketException, OSError, EOFError):
                    self._return()
        except BaseException as fault:
            self.fault = fault

    def _act(self) -> None:
        """One command, if there is one to give, and its answer."""
        if self.pending is not None:
            self._give(self.pending)
        elif (command := self._wanted()) is not None:
            self.pending = id = f"{self.robot.you['name']} {len(self.sent)}"
            self.sent[id] = command
            self._give(id)
        else:
            self._hear()

    def _give(self, id: str) -> None:
        command = self.sent[id]
        self.robot.send(id=id, **command)
        while id not in self.robot.answers:
            self._hear()
        self.answers[id] = self.robot.answers.pop(id)
        self.pending = None

    def _hear(self) -> None:
        try:
            message = self.robot.receive(0.2)
        except TimeoutError:
            if self.over.is_set() and self.pending is None:
                return
        else:
            if "view" in message:
                self.seen.append(message["view"])

    def _wanted(self) -> Json | None:
        you, view = self.robot.you, self.robot.view
        if self.over.is_set() or you["seat"] is None:
            return None if self.over.is_set() else {"kind": "sit", "seat": self.random.randint(1, 5)}
        if you["options"]:
            return {"kind": "choose", "option": self.random.choice(you["options"])["name"]}
        if view["phase"] == "betting":
            spot = self.random.choice(you["spots"])["spot"] if you["staked"] else you["spots"][0]["spot"]
            if self.random.random() < 0.3 and you["staked"]:
                return {"kind": "ready"} if you["can_ready"] else None
            return {"kind": "place", "spot": spot, "amount": self.random.randint(100, 900)}
        return None

    def _return(self) -> None:
        """Wait until there is a server again, and go back to the seat."""
        while not self.given_up.is_set():
            try:
                self.robot = self.robot.again(self.back)
            except (WebSocketException, OSError, EOFError):
                time.sleep(0.05)
            else:
                self.seen.append(self.robot.view)
                self.resent += self.pending is not None
                return
        raise TimeoutError("the server did not come back")


def events_of(folder: Path) -> int:
    """How much has happened at all tables."""
    with Reader(folder / "records.db") as store:
        return sum(store.head(table.id)[0] for table in TABLES)


def rounds_over(folder: Path) -> int:
    """How many rounds are over at all tables; the last one of each may be going on."""
    with Reader(folder / "records.db") as store:
        return sum(played.round - 1 for table in TABLES for played in store.rounds(table.id, limit=1))


def views_seen(gamblers: list[Gambler]) -> Counter[str]:
    """How many views the players of each table have seen."""
    seen: Counter[str] = Counter()
    for gambler in gamblers:
        assert gambler.fault is None, gambler.fault
        seen[gambler.robot.table] += len(gambler.seen)
    return seen


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("F-17", "F-16", "F-11", "F-21")
def test_a_server_killed_in_the_middle_of_rounds_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    """It is killed until that was often in the middle of a round and a command had to be sent again."""
    random = Random(SEED)
    house = open_house(tmp_path)
    for settings in TABLES:
        house.open_table(settings)
    public = house.keys.public
    house.close()
    server = ServerProcess(tmp_path)
    gamblers: list[Gambler] = []
    kills = interrupted = 0
    try:
        for n, table in enumerate(TABLES):
            gamblers += [Gambler(server.join(table.id, seat), 100 * SEED + 10 * n + seat) for seat in (1, 3, 5)]
        for gambler in gamblers:
            gambler.start()
        while kills < KILLS or interrupted < KILLS / 2 or not any(gambler.resent for gambler in gamblers):
            enough = events_of(tmp_path) + random.randint(1, 40)
            while events_of(tmp_path) < enough:
                time.sleep(0.01)
            server.kill()
            kills += 1
            interrupted += assert_everything_seen_is_there(tmp_path, gamblers)
            server = ServerProcess(tmp_path)
            for gambler in gamblers:
                gambler.back = server
        while rounds_over(tmp_path) <= KILLS or min(views_seen(gamblers).values()) <= VIEWS:
            time.sleep(0.25)
        for gambler in gamblers:
            gambler.over.set()
        for gambler in gamblers:
            gambler.join(PATIENCE)
            assert not gambler.is_alive()
            assert gambler.fault is None, gambler.fault
    finally:
        server.kill()
        for gambler in gamblers:
            gambler.given_up.set()
    assert server.complaints == ""
    receipts = [
        msgspec.convert(answer["receipt"], Receipt)
        for gambler in gamblers
        for answer in gambler.answers.values()
        if "ok" in answer
    ]
    report = verify(tmp_path / "records.db", public, receipts)
    assert report.ok, report.problems
    assert report.rounds > KILLS
    assert report.receipts == len(receipts)
    with Reader(tmp_path / "records.db") as store:
        store.check_books()
        assert sum(store.balances().values()) == 0
        for gambler in gamblers:
            assert_done_at_most_once(store, gambler)
        names = {player.id: player.name for player in store.people()}
        for settings in TABLES:
            players = [gambler for gambler in gamblers if gambler.robot.table == settings.id]
            assert_seen_is_what_is_written(list(store.read(settings.id)), players, names)


def assert_everything_seen_is_there(folder: Path, gamblers: list[Gambler]) -> int:
    """Right after a kill: what anybody saw is in the file. How many tables were in the middle of a round."""
    with Reader(folder / "records.db") as store:
        for gambler in gamblers:
            assert gambler.fault is None, gambler.fault
            head, _ = store.head(gambler.robot.table)
            assert head >= max(view["version"] for view in [gambler.robot.view, *gambler.seen[-1:]])
        middle = 0
        for settings in TABLES:
            last = fold(list(store.read(settings.id)))[-1]
            middle += last.round is not None and not last.betting and not last.round.over
        return middle > 0


def fold(records: list[Record]) -> list[Table]:
    """The table after each of its records."""
    tables: list[Table] = []
    for record in records:
        tables.append(evolve(tables[-1] if tables else None, read_event(record), record.time))
    return tables


def read_event(record: Record) -> ev.Event:
    event = decode_event(record.stream, record.event)
    assert isinstance(event, ev.Event)
    return event


def assert_done_at_most_once(store: Reader, gambler: Gambler) -> None:
    """What was acknowledged is in the records, once; what was refused is not."""
    names = {player.name: player.id for player in store.people()}
    player = names[gambler.robot.you["name"]]
    actor, account = str(person(player)), player_account(player)
    made: dict[str, list[Any]] = {}
    for record in store.read(gambler.robot.table):
        if record.actor == actor and record.command:
            made.setdefault(record.command, []).append(record)
    assert gambler.answers.keys() == gambler.sent.keys()
    for id, answer in gambler.answers.items():
        records, command = made.pop(id, []), gambler.sent[id]
        if "refused" in answer:
            assert not records, f"{id} was refused and done"
            continue
        assert commit_of(store, [actor], id) == answer["receipt"]["commit"], f"{id} was acknowledged and is lost"
        if not records:
            assert command["kind"] == "ready", f"{id} was acknowledged and nothing came of it"  # it was so already
            continue
        numbers = [record.sequence for record in records]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), f"{id} was done twice"
        first = read_event(records[0])
        if command["kind"] == "place":
            assert isinstance(first, ev.Answered) and isinstance(first.answer, Placed)
            wanted = Placed(first.answer.seat, command["spot"], command["amount"])
            assert [read_event(r) for r in records] == [ev.Answered(wanted)]
        elif command["kind"] == "choose":
            assert isinstance(first, ev.Answered) and isinstance(first.answer, Decided)
            assert first.answer.option == command["option"]
    # What stands in the records besides came with the robot's first words, before it began to count.
    assert all(isinstance(read_event(r), ev.Sat) for records in made.values() for r in records)
    moved = Counter({"in": 0, "out": 0})
    for booking in store.statement(str(account)):
        moved["in" if booking.entry.payee == account else "out"] += booking.entry.cents
    assert store.balance(str(account)) == moved["in"] - moved["out"] >= 0
    assert moved["in"] >= GRANT


def assert_seen_is_what_is_written(records: list[Record], gamblers: list[Gambler], names: dict[str, str]) -> None:
    """Every view that anybody ever saw is the fold of the records up to its version, before and after each kill."""
    tables = fold(records)
    looked = 0
    for gambler in gamblers:
        for seen in gambler.seen:
            table = tables[seen["version"] - 1]
            assert table.version == seen["version"]
            own = next((seat["name"] for seat in seen["seats"] if seat["you"]), None)
            player = next((id for id, name in names.items() if name == own), None)  # who sees their own choice at once
            now = msgspec.to_builtins(views.view(table, player, names.__getitem__, 0, {}))
            for part in ("round", "phase", "deadline", "dealer", "shoe"):
                assert seen[part] == now[part]
            assert seen["seats"] == now["seats"]
            looked += 1
    assert looked > VIEWS
    started = [r for r in records if isinstance(read_event(r), ev.RoundStarted)]
    ended = [r for r in records if isinstance(read_event(r), ev.RoundEnded)]
    assert len(started) - len(ended) in (0, 1)
    assert not any(isinstance(read_event(r), ev.Voided) for r in records)


@pytest.mark.slow
def test_a_house_that_is_opened_again_after_a_kill_is_the_house_that_was_killed(tmp_path: Path) -> None:
    """One kill, for every day: a wager is acknowledged, the server dies, and the wager is there."""
    with ServerProcess(tmp_path, tables=DEMO) as server:
        ann = server.join("money", 2)
        ann.phase("betting")
        ann.done("place", "the one", spot="ante", amount=700)
        before = ann.until(lambda view: view["you"]["staked"])
        server.kill()
    with ServerProcess(tmp_path, tables=DEMO) as server:
        again = ann.again(server)
        again.done("place", "the one", spot="ante", amount=700)
        view = again.until(lambda view: view["seats"][1]["present"])
        for one in (view, before):  # the session's clock begins with the server
            del one["you"]["clock"]
        for part in ("round", "phase", "shoe", "you", "seats"):
            assert view[part] == before[part]
