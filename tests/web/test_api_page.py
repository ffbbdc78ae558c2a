"""The page about the API says what the server does: its examples have the shapes that every message is held against."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from feltworks.floor.chance.shoe import check_opening
from feltworks.floor.journal.records import Receipt
from feltworks.floor.table import answers, commands
from feltworks.floor.table.dealer import Wish
from feltworks.web import connections as at
from feltworks.web import (
    event_messages,
    game_messages,
    jackpot_messages,
    lobby_messages,
    messages,
    round_messages,
    socket_messages,
    sockets,
)
from feltworks.web.guard import Caps
from feltworks.web.hub import KEEPS_PLACE, KEEPS_SEAT, KEPT, UNREAD
from feltworks.web.waiting import MOST_AT_A_TABLE, MOST_FROM_AN_ADDRESS
from tests.web import shapes
from tests.web.robots import HOST, LocalServer, money

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
EXAMPLES: dict[str, Any] = {
    title: json.loads(body)
    for title, body in re.findall(r'^```json title="([^"\n]*)"\n(.*?)^```$', PAGE, re.DOTALL | re.MULTILINE)
}


def named(start: str) -> Any:
    (found,) = (example for title, example in EXAMPLES.items() if title.startswith(start))
    return found


def kinds(union: Any) -> dict[str, tuple[str, ...]]:
    """The kinds of a union, and the fields of each."""
    return {kind.__struct_config__.tag: kind.__struct_fields__ for kind in get_args(union)}


def told(text: str) -> set[str]:
    """The names that stand in a text as code."""
    return set(re.findall(r"`([a-z_ ]+)`", text))


def test_the_examples_of_what_the_server_says_are_of_its_shapes() -> None:
    view = named("a view")
    assert view["view"]["table"] == {"id": "money"}
    shapes.check_message({**view, "view": {**view["view"], "table": named("table")}})
    shapes.check_event(named("an event"))
    msgspec.convert(named("a command"), socket_messages.CommandMessage)
    msgspec.convert(named("a wish"), socket_messages.WishMessage)
    msgspec.convert(named("a ping"), socket_messages.PingMessage)
    shapes.check_message(named("the answer to a ping"))
    msgspec.convert(named("an opening"), event_messages.Opening)
    msgspec.convert(named("GET /api/games"), game_messages.GameTold)
    shapes.check_message(named("the jackpot for which"))
    msgspec.convert(named("one of the returns"), jackpot_messages.JackpotReturn)
    for title, example in EXAMPLES.items():
        if title.startswith(("acknowledged", "refused")):
            shapes.check_message(example)
    msgspec.convert(EXAMPLES["GET /api/tables"], list[lobby_messages.TableListed])
    msgspec.convert(named("GET /api/tables/money/rounds,"), round_messages.Rounds)
    msgspec.convert(named("the code of a seat"), round_messages.ShareCode)
    msgspec.convert(named("the cards that seat 1"), round_messages.SharedCards)
    recalled = msgspec.convert(EXAMPLES["GET /api/tables/money/rounds/1"], round_messages.Recalled)
    opening = named("an opening")
    assert recalled.root is not None
    assert check_opening(recalled.root, recalled.size, opening)


TABLES = {
    "kind | fields | |": socket_messages.Asked,
    "request | fields | |": socket_messages.Request,
    "event | fields | |": event_messages.Event,
    "answer | fields | |": answers.Answer,
    "effect | fields | |": event_messages.Effect,
}


@pytest.mark.parametrize("head", TABLES)
def test_every_kind_of_command_event_answer_and_effect_is_told_with_its_fields(head: str) -> None:
    table = PAGE.partition(f"\n| {head}\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`[^|]+`) \|([^|]*)\|", table, re.MULTILINE)
    fields = {kind: told(second) for first, second in rows for kind in told(first)}
    assert fields == {kind: set(names) for kind, names in kinds(TABLES[head]).items()}


def test_every_field_of_every_message_is_told_and_the_table_of_a_view_tells_no_other() -> None:
    shapes_of = messages.schemas("{name}")[1]
    names = {field for shape in shapes_of.values() for field in shape.get("properties", ())}
    examples = set(re.findall(r'"(\w+)":', PAGE))
    assert names - told(PAGE) - examples == set()
    table = PAGE.partition("\n| field | |\n")[2].partition("\n\n")[0]
    first_column = " ".join(re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE))
    seen = {field for name in ("View", "SeatSeen", "CardSeen") for field in shapes_of[name]["properties"]}
    assert told(first_column) <= seen


def test_every_wish_is_told() -> None:
    table = PAGE.partition("\n| wish | |\n")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([a-z ]+)` \|", table, re.MULTILINE)) == set(get_args(Wish))


def test_the_example_of_a_command_is_one() -> None:
    assert sockets._decode(json.dumps(named("a command"))).command == commands.Place("ante", 500)


def test_the_receipt_on_the_page_is_signed_by_the_key_on_the_page() -> None:
    receipt = msgspec.convert(EXAMPLES["acknowledged"]["receipt"], Receipt)
    (public,) = re.findall(r'is_signed_by\("([0-9a-f]{64})"\)', PAGE)
    assert receipt.is_signed_by(public)
    fields = PAGE.partition("## Receipts")[2].partition("felt verify")[0]
    assert set(re.findall(r"^\| `([a-z]+)` \|", fields, re.MULTILINE)) == set(Receipt.__struct_fields__)


def test_the_limits_on_the_page_are_those_of_the_server() -> None:
    limits = PAGE.partition("## Limits")[2].partition("## Reading")[0]
    for number in (sockets.LARGEST, 4 * sockets.LARGEST, sockets.PER_SECOND, UNREAD):
        assert f"{number:,}" in limits
    caps = Caps()
    for told in (
        f"{at.NO_COMMANDS} in {at.NO_COMMANDS_SECONDS} seconds",
        f"{at.FRAMES_A_SECOND} a second, {at.FRAMES_AT_ONCE} at once",
        f"frames of one message | {at.FRAGMENTS} |",
        f"{at.BYTES_A_SECOND:,} a second, {at.BYTES_AT_ONCE:,} at once",
        f"{at.UNTAKEN:,} for {at.UNTAKEN_SECONDS} seconds, {at.MOST_UNTAKEN:,} ever",
        f"answer to a close | {at.CLOSE_SECONDS} second |",
        f"{at.HEADER_LINES} lines, {at.HEADER_BYTES:,} bytes",
        f"then for the body | {at.REQUEST_SECONDS} seconds",
        f"between two requests | {at.KEEP_ALIVE_SECONDS} seconds",
        f"requests, each address | {caps.requests} a second, {at.REQUESTS_AT_ONCE * caps.requests:,} at once",
        f"new connections, each address | {caps.requests} a second, {at.ARRIVALS_AT_ONCE * caps.requests:,} at once",
        f"{caps.connections}, of which {caps.sockets} sockets",
        f"chosen, each address | {caps.names} an hour",
        f"questions to the lab, each address | {caps.questions} a minute",
        f"pings every {at.PING_SECONDS} seconds",
        f"closed {at.PONG_SECONDS} seconds\nlater",
    ):
        assert told in limits
    assert f"more than {KEPT} events" in PAGE
    line = PAGE.partition("### Waiting for a seat")[2].partition("## Limits")[0].replace("\n", " ")
    assert f"for {KEEPS_PLACE:.0f} seconds after" in line
    assert f"and {KEEPS_SEAT:.0f} seconds after it was closed" in PAGE
    assert f"at most {MOST_AT_A_TABLE} people, and an address at most {MOST_FROM_AN_ADDRESS} places" in line


def test_the_addresses_on_the_page_are_those_of_the_server(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        server.join("money", 1).phase("betting")
        for path in re.findall(r'title="GET (/[^",]+)', PAGE):
            example, said = next(e for t, e in EXAMPLES.items() if t.startswith(f"GET {path}")), server.get(path)
            if isinstance(example, list):
                example, said = example[0], said[0]
            assert example.keys() == said.keys()


def test_the_robot_on_the_page_plays(tmp_path: Path) -> None:
    (program,) = re.findall(r"^```python[^\n]*\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    robot = tmp_path / "robot.py"
    robot.write_text(program, "utf-8")
    with LocalServer(tmp_path / "house", [money()]) as server:
        command = [sys.executable, str(robot), f"{HOST}:{server.port}", "money", "3"]
        played = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert (played.returncode, played.stderr) == (0, "")
        assert re.fullmatch(r"Guest 1 has \d+\.\d\d\n", played.stdout)
        assert len(server.get("/api/tables/money/rounds")["rounds"]) == 4
        server.check()
