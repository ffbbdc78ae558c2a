"""Every message has one definition: the server keeps to it, and what is made of it is what it says."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from fastapi.openapi.models import OpenAPI

from feltworks.floor.table import events as ev
from feltworks.web import event_messages, messages, openapi, socket_messages, view_messages
from feltworks.web.app import HERE
from feltworks.web.cookies import COOKIE
from tests.web.robots import DEMO, Json, LocalServer, Robot, between, money, under, yo
from tools import message_types


def refs(part: Any) -> set[str]:
    """The names of all messages that a part of a schema names."""
    if isinstance(part, dict):
        named = {part["$ref"].removeprefix(openapi.REFS.format(name=""))} if "$ref" in part else set()
        return named.union(*map(refs, part.values()))
    return set().union(*map(refs, part)) if isinstance(part, list) else set()


def test_an_event_is_told_without_the_version_of_its_record() -> None:
    kinds = [
        kind.__struct_config__.tag
        for union in (event_messages.Event, event_messages.Effect)
        for kind in get_args(union)
    ]
    recorded = [kind.__struct_config__.tag for union in (ev.Event, ev.Effect) for kind in get_args(union)]
    assert sorted(kinds) == sorted(kind.partition("/")[0] for kind in recorded)


def test_a_message_with_a_field_too_many_or_too_few_is_none() -> None:
    refused: Json = {"refused": None, "why": "No."}
    assert msgspec.convert(refused, socket_messages.Refused) == socket_messages.Refused(None, "No.")
    for other in ({**refused, "more": 1}, {"why": "No."}, {**refused, "why": None}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(other, socket_messages.Refused)


# What the API says of itself.


def test_the_api_describes_every_answer_and_every_message_of_the_socket(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        said = server.get("/api/openapi.json")
    OpenAPI.model_validate(said)
    assert set(said["paths"]) == set(messages.ANSWERS)
    schemas = said["components"]["schemas"]
    for path, methods in said["paths"].items():
        [asked] = methods.values()
        assert ("post" in methods) is (path in messages.ASKS)
        if path in messages.ASKS:
            assert refs(asked["requestBody"]) == {messages.ASKS[path].__name__}
        answers = asked["responses"]
        assert refs(answers["200"]) == refs(messages.schemas(openapi.REFS)[0][path]) != set()
        assert refs(answers["default"]) == {"Problem"}
    (socket,) = said["x-websocket"].values()
    assert refs(socket["says"]) == {"ViewMessage", "JackpotMessage", "Acknowledged", "Refused", "Pong"}
    assert refs(socket["hears"]) == {"CommandMessage", "WishMessage", "PingMessage"}
    assert refs(said) <= schemas.keys()
    kinds = {schema.get("type") for name, schema in schemas.items() if "enum" not in schema}
    assert kinds == {"object"}
    assert all(
        schema["additionalProperties"] is False for schema in map(schemas.get, ("View", "Sat", "Recalled", "Place"))
    )


@pytest.mark.parametrize(
    ("settings", "spot"),
    [(money(), "ante"), (between(), "base"), (under(), "ante"), (yo(), "play")],
    ids=["money", "between", "under", "yo"],
)
def test_every_address_answers_in_the_shape_that_is_described(settings: Any, spot: str, tmp_path: Path) -> None:
    with LocalServer(tmp_path, [settings]) as server:
        ann = server.join(settings.id, 1)
        ann.phase("betting")
        ann.done("place", spot=spot, amount=100)
        server.run(lambda house: house.void(settings.id, "A test."))
        ann.round(2)
        for path, shape in ((path, shape) for path, shape in messages.ANSWERS.items() if path not in messages.ASKS):
            there = path.format(table=settings.id, number=1, game=settings.game)
            body = server.ask(there, cookie=f"{COOKIE}={ann.token}").body
            assert msgspec.json.encode(msgspec.json.decode(body, type=shape)) == body
            if "{" in path:
                lost = path.format(table="nowhere", number=1, game="nothing")
                nowhere = server.ask(lost, cookie=f"{COOKIE}={ann.token}")
                assert nowhere.status == 404
                msgspec.json.decode(nowhere.body, type=messages.Problem)


def test_every_demo_table_says_views_that_are_read_and_written_alike(tmp_path: Path) -> None:
    """The robots hold each message against its shape; here nothing of it is lost either."""
    with LocalServer(tmp_path, DEMO) as server:
        for table in DEMO:
            robot = server.join(table.id, 1)
            robot.phase("betting")
            assert_whole(robot)


def assert_whole(robot: Robot) -> None:
    for frame in robot.frames:
        shape: Any = socket_messages.ViewMessage if frame.startswith('{"view"') else socket_messages.Acknowledged
        again = msgspec.json.encode(msgspec.json.decode(frame, type=shape))
        assert (json.loads(again), len(again)) == (json.loads(frame), len(frame.encode()))


# The types of the page's scripts.


def test_the_types_of_the_scripts_are_current() -> None:
    """`make types` writes them."""
    assert message_types.FILE.read_text("utf-8") == message_types.written()


def test_the_types_are_not_among_the_files_that_are_served() -> None:
    assert not list((HERE / "static").glob("*.ts"))


def test_a_type_has_the_fields_of_its_message() -> None:
    told = message_types.written()
    for name, schema in messages.schemas("{name}")[1].items():
        if "properties" in schema:
            (body,) = re.findall(rf"^  interface {name} {{\n(.*?)^  }}$", told, re.DOTALL | re.MULTILINE)
            fields = re.findall(r"^    (\w+)(\??): .+;$", body, re.MULTILINE)
            assert fields == [(field, "" if field in schema["required"] else "?") for field in schema["properties"]]


def test_every_name_that_the_scripts_read_of_a_view_is_one() -> None:
    """Also in the scripts that name no types."""
    of_the_page = set(re.findall(r"^    (\w+)\??: ", (HERE / "page.d.ts").read_text("utf-8"), re.MULTILINE))
    for word, shape in (("view", view_messages.View), ("you", view_messages.You), ("mine", view_messages.SeatSeen)):
        names = {*shape.__struct_fields__, *of_the_page}
        for script in sorted((HERE / "static").rglob("*.js")):
            read = re.findall(rf"(?<![\w.#])(?:\w+\.)?{word}\??\.(\w+)", script.read_text("utf-8"))
            assert set(read) <= names, script.name
