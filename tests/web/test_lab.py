"""The lab beside the server: whatever becomes of its processes, whoever asks is answered and the tables go on."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltworks import games
from feltworks.kit.questions import Answer, Edges, EdgesTold, Failed, Mistake
from feltworks.kit.showdown import ENGINE
from feltworks.lab import process as lab_process
from feltworks.lab.live_answers import answer, likely
from feltworks.web.figures import metrics_of
from feltworks.web.guard import Caps, Door
from feltworks.web.lab import COMMAND, FIRST_REST, LONGEST_REST, NEWER, NOT_NOW, Lab, Lane, NotNow
from tests import children
from tests.web.robots import LocalServer, Reply, money, play_on

PAGE = (Path(__file__).parent.parent.parent / "docs" / "api.md").read_text("utf-8")

ODD = """
import json, os, sys, time
answered = 0
for line in sys.stdin:
    asked = json.loads(line)["game"]
    if asked == "end":
        os._exit(1)
    if asked == "full":
        answered and os._exit(0)
    if asked == "hang":
        time.sleep(3600)
    if asked == "garbage":
        print("This is not an answer.", flush=True)
    if asked == "long":
        print("x" * 10_000_000, flush=True)
    if asked == "count" and "counts" not in sys.argv:
        print(json.dumps({"kind": "elsewhere"}), flush=True)
        continue
    if asked == "fail":
        print(json.dumps({"kind": "failed"}), flush=True)
        continue
    answered += 1
    print(json.dumps({"kind": "mistake", "why": f"{asked} {answered} {os.getpid()}"}), flush=True)
    if asked == "chatter":
        print("And another thing.", flush=True)
"""
"""A process of a lab that does as it is asked: it ends, hangs, says what is no answer, or tells which answer it is."""
ODD_COMMAND = (sys.executable, "-c", ODD)


def run(work: Callable[[Lab], Coroutine[Any, Any, None]], lab: Lab | None = None) -> None:
    """Do something with a lab whose processes are odd."""

    async def there() -> None:
        used = lab or Lab(ODD_COMMAND)
        used.start()
        try:
            await work(used)
        finally:
            await used.close()

    asyncio.run(there())


async def told(lab: Lab, game: str, asker: str = "") -> list[str]:
    """What an odd process answers: what it was asked, how many it had answered by then, and who it is."""
    answer = await lab.ask(Edges(game), asker)
    assert isinstance(answer, Mistake)
    return answer.why.split()


async def refused(lab: Lab, game: str, asker: str = "") -> str:
    with pytest.raises(NotNow) as refusal:
        await lab.ask(Edges(game), asker)
    return str(refusal.value)


async def up(lab: Lab) -> None:
    """Wait until both processes are there again."""
    while any(lane.state != "up" for lane in lab.lanes.values()):
        await asyncio.sleep(0.01)


async def in_work(lab: Lab, *games: str) -> list["asyncio.Task[Answer]"]:
    """Ask, and wait until the first question is in work."""
    tasks = [asyncio.create_task(lab.ask(Edges(game))) for game in games]
    while lab.lanes["walks"].in_work is None:
        await asyncio.sleep(0.01)
    return tasks


@pytest.fixture(autouse=True)
def quick_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for a process to be started again."""

    async def at_once(lane: Lane, seconds: float) -> None:
        await asyncio.sleep(0.05)

    monkeypatch.setattr(Lane, "_rest", at_once)


# Who asks and who is answered.


def test_one_question_of_eight_people_is_answered_once_and_remembered() -> None:
    async def work(lab: Lab) -> None:
        answers = await asyncio.gather(*(told(lab, "yo", f"person {n}") for n in range(8)))
        assert answers == [answers[0]] * 8
        assert await told(lab, "yo", "somebody later") == answers[0]
        assert (await told(lab, "another"))[1] == "2"
        assert lab.lanes["walks"].fates == {"answered": 2, "remembered": 1}

    run(work)


def test_a_question_that_has_to_be_counted_goes_to_the_process_that_counts() -> None:
    async def work(lab: Lab) -> None:
        one, other = await told(lab, "yo"), await told(lab, "count")
        assert one[2] != other[2]

    run(work)


def test_a_long_count_does_not_hold_up_what_is_known_quickly() -> None:
    async def work(lab: Lab) -> None:
        counting = lab.lanes["counts"]
        hangs = asyncio.create_task(counting.ask(msgspec.json.encode(Edges("hang")), ""))
        while counting.in_work is None:
            await asyncio.sleep(0.01)
        assert (await told(lab, "yo"))[0] == "yo"
        assert not hangs.done()
        await lab.close()
        assert isinstance((await asyncio.gather(hangs, return_exceptions=True))[0], NotNow)

    run(work)


def test_a_full_queue_is_refused_with_a_sentence() -> None:
    async def work(lab: Lab) -> None:
        [first] = await in_work(lab, "hang")
        waiting = [asyncio.create_task(lab.ask(Edges(name), name)) for name in ("one", "two")]
        await asyncio.sleep(0)
        assert await refused(lab, "three", "three") == NOT_NOW
        assert lab.lanes["walks"].fates["refused"] == 1
        os.kill(pid(lab), signal.SIGKILL)
        assert all(isinstance(e, NotNow) for e in await asyncio.gather(first, *waiting, return_exceptions=True))

    run(work, Lab(ODD_COMMAND, most=2))


def test_a_newer_question_takes_the_place_of_an_older_one_that_still_waits() -> None:
    async def work(lab: Lab) -> None:
        [first] = await in_work(lab, "hang")
        older = asyncio.create_task(lab.ask(Edges("older"), "me"))
        shared = asyncio.create_task(lab.ask(Edges("shared"), "me"))
        others = asyncio.create_task(lab.ask(Edges("shared"), "somebody else"))
        await asyncio.sleep(0)
        newer = asyncio.create_task(lab.ask(Edges("newer"), "me"))
        await asyncio.sleep(0)
        assert str((await asyncio.gather(older, return_exceptions=True))[0]) == NEWER
        waiting = [msgspec.json.decode(line)["game"] for line in lab.lanes["walks"].waiting]
        assert waiting == ["shared", "newer"]
        assert not (shared.done() or others.done() or newer.done() or first.done())
        assert lab.lanes["walks"].fates["given up"] == 1

    run(work)


# What may become of a process.


def pid(lab: Lab, lane: str = "walks") -> int:
    process = lab.lanes[lane].process
    assert process is not None
    return process.pid


def test_a_process_that_is_killed_in_the_midst_of_a_question_is_started_again() -> None:
    async def work(lab: Lab) -> None:
        [hangs] = await in_work(lab, "hang")
        old = pid(lab)
        os.kill(old, signal.SIGKILL)
        assert str((await asyncio.gather(hangs, return_exceptions=True))[0]) == NOT_NOW
        await up(lab)
        assert pid(lab) != old
        assert (await told(lab, "yo"))[1:] == ["1", str(pid(lab))]

    run(work)


@pytest.mark.parametrize("what", ["end", "hang", "garbage", "long"])
def test_a_process_that_ends_hangs_or_answers_nonsense_is_replaced_and_whoever_asked_is_told(what: str) -> None:
    async def work(lab: Lab) -> None:
        before = (await told(lab, "yo"))[2]
        assert await refused(lab, what) == NOT_NOW
        await up(lab)
        after = (await told(lab, "yo"))[1:]
        assert after == ["1", str(pid(lab))]
        assert after[1] != before
        assert lab.lanes["walks"].restarts == 1

    run(work, Lab(ODD_COMMAND, patience=0.5 if what == "hang" else 60))


def test_a_question_to_a_process_whose_pipe_is_closed_already_is_refused_and_the_next_ones_are_answered() -> None:
    class Closed:
        def write(self, line: bytes) -> None:
            raise RuntimeError("the handler is closed")

    async def work(lab: Lab) -> None:
        lane = lab.lanes["walks"]
        await told(lab, "yo")
        assert lane.process is not None
        lane.process.stdin = Closed()  # type: ignore[assignment]
        [asked] = await in_work(lab, "in-between")
        os.kill(pid(lab), signal.SIGKILL)
        assert str((await asyncio.gather(asked, return_exceptions=True))[0]) == NOT_NOW
        await up(lab)
        assert (await told(lab, "yo"))[1] == "1"

    run(work)


def test_what_a_process_that_makes_place_has_not_answered_is_answered_by_the_next_one() -> None:
    async def work(lab: Lab) -> None:
        before = (await told(lab, "yo"))[2]
        answers = await asyncio.gather(told(lab, "full"), told(lab, "down-under-holdem"))
        assert [answer[:2] for answer in answers] == [["full", "1"], ["down-under-holdem", "2"]]
        assert answers[0][2] == answers[1][2] != before
        assert lab.lanes["walks"].restarts == 1

    run(work)


def test_a_process_that_speaks_unasked_is_replaced_before_its_next_answer() -> None:
    async def work(lab: Lab) -> None:
        assert (await told(lab, "chatter"))[0] == "chatter"
        while not lab.lanes["walks"].restarts:
            await asyncio.sleep(0.01)
        await up(lab)
        assert (await told(lab, "yo"))[1] == "1"

    run(work)


def test_an_answer_that_failed_is_refused_and_the_process_goes_on() -> None:
    async def work(lab: Lab) -> None:
        assert await refused(lab, "fail") == NOT_NOW
        assert (await told(lab, "yo"))[1] == "1"
        assert lab.lanes["walks"].restarts == 0

    run(work)


def test_answers_are_not_remembered_beyond_the_process_that_gave_them() -> None:
    async def work(lab: Lab) -> None:
        before = await told(lab, "yo")
        os.kill(pid(lab), signal.SIGKILL)
        while not lab.lanes["walks"].restarts:
            await asyncio.sleep(0.01)
        await up(lab)
        assert (await told(lab, "yo"))[2] != before[2]

    run(work)


@pytest.mark.parametrize("command", [("/nowhere/python",), (sys.executable, "-c", "")], ids=["none", "ends at once"])
def test_a_process_that_cannot_live_is_started_again_after_longer_and_longer_rests(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []
    enough = asyncio.Event()

    async def noted(lane: Lane, seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 10:
            enough.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(Lane, "_rest", noted)

    async def work() -> None:
        lane = Lane(command, 60, 2)
        lane.start()
        try:
            first = asyncio.create_task(lane.ask(b"{}", ""))
            await enough.wait()
            assert isinstance((await asyncio.gather(first, return_exceptions=True))[0], NotNow)
            assert lane.state == "down"
            with pytest.raises(NotNow):
                await lane.ask(b"{}", "")
        finally:
            await lane.close()

    asyncio.run(work())
    assert rests == sorted(rests)
    assert (rests[0], rests[-1]) == (2 * FIRST_REST, LONGEST_REST)


def test_processes_end_with_the_lab() -> None:
    pids: list[int] = []

    async def work(lab: Lab) -> None:
        await told(lab, "count")
        pids.extend(pid(lab, lane) for lane in lab.lanes)

    run(work)
    assert len(pids) == 2
    for number in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


# The process itself.


def test_a_lab_process_ends_when_nobody_can_ask_any_more_in_the_midst_of_an_answer_too() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"kind": "edges", "game": "nothing"}\n')
        process.stdin.flush()
        assert b"There is no game 'nothing'" in process.stdout.readline()
        for decks in range(1, 9):
            process.stdin.write(msgspec.json.encode(Edges("one-for-the-money", decks=decks)) + b"\n")
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.parametrize("line", [b"\n", b"{}\n", b"\xff\n", b'{"kind": "edges"}\n', b'{"kind": "edges", "game": 1}\n'])
def test_a_line_that_is_no_question_is_answered_with_a_sentence(line: bytes) -> None:
    answer = lab_process.answered(line, counts=False)
    assert isinstance(answer, Mistake)
    assert answer.why.startswith("This is not a question: ")


def test_a_fault_of_the_lab_is_answered_and_what_was_asked_is_not_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def faulty(*_: object, **__: object) -> Answer:
        raise RuntimeError("The seat has 7h")

    monkeypatch.setattr(lab_process, "answer", faulty)
    assert lab_process.answered(b'{"kind": "worth", "game": "yo", "cards": "7h"}', counts=False) == Failed()
    assert "RuntimeError" in caplog.text
    assert "7h" not in caplog.text


def test_the_process_that_walks_does_not_load_numba() -> None:
    program = (
        "import sys, msgspec\n"
        "from feltworks.lab import process\n"
        "for game in ('yo', 'in-between', 'blackjack'):\n"
        "    line = msgspec.json.encode({'kind': 'edges', 'game': game})\n"
        "    assert b'edges' in msgspec.json.encode(process.answered(line, counts=False))\n"
        "print(sorted({'numba', 'llvmlite'} & set(sys.modules)))\n"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert shown.stdout == "[]\n"


# At the server.


def asked(server: LocalServer, **settings: Any) -> Reply:
    return server.ask("/api/lab/edges", "POST", json.dumps(settings).encode())


def test_the_edges_of_settings_are_told_by_a_server_that_imports_nothing_of_the_lab(tmp_path: Path) -> None:
    """In a process of its own, because the tests import everything."""
    program = f"""
import json, sys
from pathlib import Path
from feltworks.web.lab import Lab
from tests.web.robots import LocalServer, money, play_on
with LocalServer(Path({str(tmp_path)!r}), [money()], lab=Lab(patience=200)) as server:
    robot = server.join("money", 1)
    robot.phase("betting")
    robot.done("place", spot="ante", amount=500)
    robot.done("ready")
    play_on(robot)
    question = json.dumps({{"game": "in-between", "decks": 8, "pay": {{"in_between": "30,12,6,3,1"}}}}).encode()
    print(server.ask("/api/lab/edges", "POST", question).text)
    question = json.dumps({{"game": "blackjack", "wager": "base"}}).encode()
    print(server.ask("/api/lab/edges", "POST", question).text)
    print(json.dumps(sorted(name for name in sys.modules if name.startswith(("numba", "numpy", "feltworks.lab")))))
"""
    with children.child("-c", program) as process:
        said, wrong = process.communicate(timeout=300)
    assert process.returncode == 0, wrong
    between, blackjack, imported = map(json.loads, said.splitlines())
    examples = PAGE.split('```json title="POST /api/lab/edges, the answer"\n')[1].partition("```")[0]
    assert between == json.loads(examples)
    assert msgspec.to_builtins(msgspec.convert(between, EdgesTold)) == between
    assert between["wagers"][1]["exact"] == "62042/1116765"
    assert blackjack["wagers"][0]["percent"].endswith(" %")
    assert imported == []


def test_a_server_without_a_lab_says_that_the_figures_are_not_there_now(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        reply = asked(server, game="yo")
        assert (reply.status, reply.json) == (503, {"detail": NOT_NOW})


def test_the_tables_go_on_while_the_lab_is_dead(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()], lab=Lab((sys.executable, "-c", ""))) as server:
        robot = server.join("money", 1)
        robot.phase("betting")
        for _ in range(3):
            reply = asked(server, game="yo")
            assert (reply.status, reply.json["detail"]) == (503, NOT_NOW)
            assert reply.headers["retry-after"] == "1"
            robot.done("place", spot="ante", amount=500)
            robot.done("ready")
            play_on(robot)
        server.check()


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"", 422, "These are not settings of a game: "),
        (b"[]", 422, "These are not settings of a game: "),
        (b'{"game": "yo", "moon": 1}', 422, "unknown field `moon`"),
        (b'{"game": "yo", "decks": "6"}', 422, "These are not settings of a game: "),
        (b'{"kind": "worth", "game": "yo"}', 422, "These are not settings of a game: "),
        (b'{"game": "mistake"}', 422, "mistake 1 "),
        (b'{"game": "' + b"x" * 5_000 + b'"}', 413, "That is too long."),
    ],
    ids=["nothing", "a list", "another field", "a text", "another question", "a mistake", "too long"],
)
def test_a_question_that_is_none_is_refused_with_a_sentence(
    tmp_path: Path, body: bytes, status: int, says: str
) -> None:
    with LocalServer(tmp_path, [money()], lab=Lab(ODD_COMMAND)) as server:
        reply = server.ask("/api/lab/edges", "POST", body)
        assert reply.status == status
        assert says in reply.json["detail"]


def test_an_address_may_not_ask_the_lab_too_often(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()], caps=Caps(questions=2), lab=Lab(ODD_COMMAND)) as server:
        statuses = [asked(server, game="yo").status for _ in range(3)]
        assert statuses == [422, 422, 429]
        assert "Too many figures" in asked(server, game="yo").json["detail"]


def test_health_and_figures_tell_how_the_lab_is(tmp_path: Path) -> None:
    lab = Lab(ODD_COMMAND)
    with LocalServer(tmp_path, [money()], lab=lab) as server:
        asked(server, game="count")
        server.wait_for(lambda: server.get("/health")["lab"] == {"walks": "up", "counts": "up"})
        asked(server, game="count")
        asked(server, game="fail")
        figures = server.run(lambda _: metrics_of(server.hub, Door(Caps()), lab))
    for line in (
        'feltworks_lab_questions_total{lane="counts",became="answered"} 1',
        'feltworks_lab_questions_total{lane="counts",became="remembered"} 1',
        'feltworks_lab_questions_total{lane="walks",became="refused"} 1',
        'feltworks_lab_restarts_total{lane="walks"} 0',
        'feltworks_lab_up{lane="counts"} 1',
        'feltworks_lab_waiting{lane="walks"} 0',
    ):
        assert f"\n{line}\n" in figures


# What a process keeps.


def test_a_process_that_has_grown_too_large_answers_and_makes_place_for_another() -> None:
    program = (
        "from feltworks.lab import process\n"
        "process.MOST_MEMORY, process.likely = 1, lambda **_: iter(())\n"
        "process.main()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b'{"kind": "edges", "game": "nothing"}\n')
        child.stdin.flush()
        assert b"There is no game 'nothing'" in child.stdout.readline()
        assert child.wait(60) == 0


def test_how_large_a_process_is_does_not_depend_on_the_one_that_started_it() -> None:
    """The system tells the largest of both; so a small lab of a large server ended after each answer."""
    large = bytearray(300 * 2**20)
    large[::4096] = bytes([1]) * len(large[::4096])
    told = subprocess.run(
        [sys.executable, "-c", "from feltworks.lab.process import memory; print(memory())"],
        capture_output=True,
        check=True,
    )
    assert int(told.stdout) < len(large)


def test_what_a_process_counts_is_not_written_to_the_disk(tmp_path: Path) -> None:
    program = (
        "from feltworks.lab import count_files, process\n"
        "count_files.write_no_files()\n"
        'line = b\'{"kind": "edges", "game": "blackjack", "decks": 1, "wager": "base"}\'\n'
        "print(type(process.answered(line, counts=True)).__name__)\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True, env=environment
    )
    assert shown.stdout == "EdgesTold\n"
    assert not list(tmp_path.rglob("*.json"))


def test_what_is_computed_beforehand_are_questions_that_have_an_answer() -> None:
    walked = list(likely(counts=False))
    assert {question.game for question in walked} == {
        game.name for game in map(games.load, games.names()) if game.enumerator != ENGINE
    }
    assert all(
        isinstance(answer(question, counts=False), EdgesTold) for question in walked if question.game == "in-between"
    )
    assert {question.game for question in likely(counts=True)} == {"blackjack", "down-under-holdem", "in-between"}
