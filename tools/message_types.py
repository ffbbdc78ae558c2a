"""Writes the types of the page's scripts from the definition of the messages: python -m tools.message_types

TypeScript reads them where a script names one in a comment, such as `@param {Wire.View} view`; no browser loads them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from feltworks.floor.table.answers import Answer
from feltworks.web import event_messages, messages, socket_messages
from feltworks.web.pit import board_messages, console_messages

FILE = Path(__file__).parent.parent / "src" / "feltworks" / "web" / "types.d.ts"
REFS = "{name}"
UNIONS: dict[str, Any] = {
    "Event": event_messages.Event,
    "NumberedEvent": event_messages.NumberedEvent,
    "Effect": event_messages.Effect,
    "Answer": Answer,
    "Command": socket_messages.Asking,
    "Said": console_messages.Said,
}
"""Those that have a name of their own."""
PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def written() -> str:
    pits = [console_messages.Console, console_messages.ConsoleCommand, *board_messages.SAYS, *board_messages.HEARS]
    parts = messages.schemas(REFS)[1] | msgspec.json.schema_components(pits, ref_template=REFS)[1]
    unions = [msgspec.json.schema_components([union], ref_template=REFS)[0][0] for union in UNIONS.values()]
    names = {_one_of(schema): name for name, schema in zip(UNIONS, unions, strict=True)}
    lines = [line for name, schema in parts.items() for line in _part(name, schema, names)]
    lines += [f"type {name} = {one_of};" for one_of, name in names.items()]
    head = "// Made by `make types` from web/messages.py and those beside web/pit: what the server says and hears."
    return "\n".join([head, "", "declare namespace Wire {", *(f"  {line}" for line in lines), "}", ""])


def _part(name: str, schema: dict[str, Any], names: dict[str, str]) -> Iterator[str]:
    if "description" in schema:
        yield f"/** {' '.join(schema['description'].split())} */"
    if "properties" not in schema:
        yield f"type {name} = {_type(schema, names)};"
        return
    yield f"interface {name} {{"
    for field, shape in schema["properties"].items():
        yield f"  {field}{'' if field in schema['required'] else '?'}: {_type(shape, names)};"
    yield "}"


def _type(schema: dict[str, Any], names: dict[str, str]) -> str:
    match schema:
        case {"$ref": str(name)}:
            return name
        case {"enum": list(values)}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": list()}:
            return names.get(_one_of(schema)) or " | ".join(_type(one, names) for one in schema["anyOf"])
        case {"type": "array", "prefixItems": list(items)}:
            return f"[{', '.join(_type(one, names) for one in items)}]"
        case {"type": "array", "items": dict(items)}:
            return f"Array<{_type(items, names)}>"
        case {"type": "object"}:
            values = schema.get("additionalProperties", {})
            return f"Record<string, {_type(values, names)}>"
        case {"type": str(plain)}:
            return PLAIN[plain]
    return "any"


def _one_of(schema: dict[str, Any]) -> str:
    return " | ".join(one.get("$ref", "") for one in schema["anyOf"])


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
