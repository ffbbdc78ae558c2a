"""A server under strain goes on: somebody else holds the file, the disk is full, hundreds watch, nonsense comes in."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import apsw
import pytest
from websockets.asyncio.client import connect

from feltworks.floor.house import House
from feltworks.floor.people import GRANT
from feltworks.floor.store.reader import Reader
from feltworks.web import posted, round_messages
from feltworks.web.guard import Caps
from feltworks.web.hub import Client
from feltworks.web.sockets import LARGEST, hear
from tests.quick import share
from tests.web.robots import HOST, PATIENCE, LocalServer, Robot, money, play_on

WIDE = Caps(sockets=5_000, connects=100_000, guests=10_000)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another process holds the file as if it were to write, and writes nothing."""
    with closing(apsw.Connection(str(path))) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def betting(server: LocalServer) -> Robot:
    ann = server.join("money", 1)
    ann.phase("betting")
    return ann


# Somebody else holds the file.


@pytest.mark.rule("F-17")
def test_while_somebody_holds_the_file_pages_are_answered_and_a_command_waits_for_it(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ann = betting(server)
        server.run(lambda house: house.store.connection.set_busy_timeout(int(PATIENCE * 1_000)))
        with held(server.records):
            id = ann.send("place", spot="ante", amount=500)
            for path in ("/", "/table/money", "/api/tables", "/api/tables/money/rounds", "/health"):
                assert server.ask(path).status in (200, 503)
            with server.watch("money") as eve:
                assert eve.view["seats"][0]["wagers"] == {}
            assert id not in ann.answers
        assert ann.answer(id)["ok"] == id
        server.check()


@pytest.mark.rule("F-17")
def test_who_waits_too_long_for_the_file_is_told_and_may_send_it_again(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ann = betting(server)
        server.run(lambda house: house.store.connection.set_busy_timeout(50))
        with held(server.records):
            for _ in range(5):
                said = ann.refused("place", "mine", spot="ante", amount=500)
                assert said == "records.db could not be written: database is locked."
        ann.done("place", "mine", spot="ante", amount=500)
        ann.done("place", "mine", spot="ante", amount=500)
        assert ann.until(lambda view: view["seats"][0]["wagers"])["you"]["balance"] == GRANT - 500
        server.check()


@pytest.mark.rule("F-17")
def test_a_full_disk_is_said_in_words_and_the_table_goes_on_when_there_is_room(tmp_path: Path) -> None:
    def full(house: House) -> None:
        house.store.connection.pragma("max_page_count", house.store.connection.pragma("page_count"))

    with LocalServer(tmp_path, [money()]) as server:
        ann = betting(server)
        server.run(full)
        why, laid = "", 0
        while "disk is full" not in why:
            answer = ann.do("place", spot="ante", amount=100)
            laid += "ok" in answer
            why = answer.get("why", "")
            if laid and laid % 50 == 0:
                ann.do("take up", spot="ante")
        server.run(lambda house: house.store.connection.pragma("max_page_count", 1_000_000))
        ann.do("take up", spot="ante")
        ann.done("place", spot="ante", amount=100)
        ann.until(lambda view: view["seats"][0]["wagers"] == {"ante": 100})
        server.check()


# Many watch.


@pytest.mark.slow
@pytest.mark.soak
def test_two_hundred_who_watch_one_table_see_everything_that_a_hundred_commands_a_second_change(tmp_path: Path) -> None:
    spectators, commands = 200, share(100, soak=3_000)
    versions = [0] * spectators

    async def watch(port: int, n: int) -> None:
        async with connect(f"ws://{HOST}:{port}/ws/money", compression=None, proxy=None, max_size=None) as socket:
            async for message in socket:
                seen: int = json.loads(message)["view"]["version"]
                assert seen > versions[n]
                versions[n] = seen

    def play(ann: Robot) -> int:
        for n in range(commands):
            if n % 2:
                ann.done("take up", spot="ante")
            else:
                ann.done("place", spot="ante", amount=100)
        ann.done("place", spot="ante", amount=200)
        return int(ann.until(lambda view: view["seats"][0]["wagers"].get("ante", 0) >= 200)["version"])

    async def all_watch(server: LocalServer, ann: Robot) -> None:
        watching = [asyncio.create_task(watch(server.port, n)) for n in range(spectators)]
        await asyncio.to_thread(server.wait_for, lambda: all(versions))
        last = await asyncio.to_thread(play, ann)
        await asyncio.to_thread(server.wait_for, lambda: set(versions) == {last})
        assert not any(task.done() for task in watching)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    with LocalServer(tmp_path, [money()], caps=WIDE) as server:
        asyncio.run(all_watch(server, betting(server)))
        server.check()


# Long answers.


@pytest.mark.rule("F-18")
def test_a_long_round_is_read_once_for_all_who_ask_and_players_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    honest = posted.recall

    def counted(house: House, store: Reader, table: str, number: int) -> round_messages.Recalled | None:
        read.append(number)
        return honest(house, store, table, number)

    monkeypatch.setattr(posted, "recall", counted)
    with LocalServer(tmp_path, [money()]) as server:
        ann = betting(server)
        bets = share(100, soak=900)
        for _ in range(bets):
            ann.done("place", spot="ante", amount=100)
            ann.done("take up", spot="ante")
        ann.done("place", spot="ante", amount=100)
        ann.done("ready")
        play_on(ann)
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(server.ask, "/api/tables/money/rounds/1") for _ in range(12)]
            for _ in range(10):
                ann.done("place", spot="ante", amount=100)
                ann.done("take up", spot="ante")
            told = {reply.result().body for reply in asked}
        assert len(told) == 1 and read == [1]
        before = len(read)
        server.get("/api/tables/money/rounds/1")
        assert len(read) == before
        assert len(json.loads(told.pop())["records"]) > 2 * bets


# Nonsense.


def test_whatever_a_client_says_is_answered_once_and_breaks_nothing(tmp_path: Path) -> None:
    """Messages that were right, with bytes changed, cut, doubled and mixed."""
    random = Random("nonsense")
    right = [
        '{"id":"a","seen":3,"command":{"kind":"place","spot":"ante","amount":500}}',
        '{"id":"b","command":{"kind":"choose","option":"raise","amount":null}}',
        '{"id":"c","command":{"kind":"sit","seat":1}}',
        '{"id":"d","command":{"kind":"ready"}}',
    ]

    def changed(text: str) -> str:
        for _ in range(random.randint(1, 4)):
            at, end = sorted(random.randrange(len(text) + 1) for _ in range(2))
            other = random.choice(["", text[at:end] * 2, chr(random.randrange(1, 0xD800)), "9" * 400])
            text = (text[:at] + other + text[end if random.random() < 0.3 else at :])[: LARGEST + 2] or "x"
        return text

    with LocalServer(tmp_path, [money()]) as server:
        ann = betting(server)
        player = server.run(lambda house: house.live("money").table.seats[1].player)

        def said(text: str | None) -> None:
            client = Client("money", random.choice([player, None, "nobody"]))
            hear(server.hub, client, text)
            server.hub.clerk.finish()
            assert len(client.said) == 1, text
            assert client.asked == 0

        for _ in range(share(2_000, soak=100_000)):
            server.run(lambda _: said(changed(random.choice(right)) if random.random() < 0.98 else None))
        assert "refused" in ann.do("choose", option="fly")
        server.check()
