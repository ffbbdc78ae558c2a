"""Commands and events as bytes, and back; what an older version wrote is read as what this one would have written.

An upcaster takes the plain values of an old shape and gives those of the next one. The bytes in the records stay as
they are, and so do their hashes.
"""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import msgspec

from feltworks.floor import administration, person
from feltworks.floor.jackpot import commands as jackpot_commands
from feltworks.floor.jackpot import events as jackpot_events
from feltworks.floor.streams import Command, Event, kind_of
from feltworks.floor.table import commands, events

Plain = dict[str, Any]

_encoder = msgspec.json.Encoder(order="deterministic")
_Decoder = msgspec.json.Decoder
_events: dict[str, Any] = {
    "table": events.Event,
    "person": person.Event,
    "house": administration.Event,
    "jackpot": jackpot_events.Event,
}
_decoders = {kind: _Decoder(type) for kind, type in _events.items()}
_commands: dict[str, Any] = {
    "table": _Decoder(commands.Command),
    "person": _Decoder(person.Command),
    "house": _Decoder(administration.Command),
    "jackpot": _Decoder(jackpot_commands.Command),
}


def encode(what: Command | Event) -> bytes:
    """The canonical bytes: JSON in the order of the fields, without what is as it is by default."""
    return _encoder.encode(what)


def decode_event(stream: str, data: bytes) -> Event:
    """An event of a stream, of whatever version it was written."""
    kind = kind_of(stream)
    try:
        found: Event = _decoders[kind].decode(data)
    except msgspec.ValidationError:
        plain = msgspec.json.decode(data)
        if not isinstance(plain, dict) or plain.get("kind") not in UPCASTERS.get(kind, {}):
            raise
        try:
            return msgspec.convert(UPCASTERS[kind][plain["kind"]](plain), _events[kind])  # type: ignore[no-any-return]
        except (AttributeError, KeyError, TypeError):
            raise msgspec.ValidationError(f"no version wrote this {plain['kind']!r}") from None
    return found


def decode_command(stream: str, data: bytes) -> Command:
    return _commands[kind_of(stream)].decode(data)  # type: ignore[no-any-return]


# From version 1 to 2: answers were lists, cards named by lists, openings each with a proof of its own.


def _answer(plain: list[Any]) -> Plain:
    match plain:
        case ["place", seat, spot, amount]:
            return {"kind": "place", "seat": seat, "spot": spot, "amount": amount}
        case ["take up" | "collect" as kind, seat, spot]:
            return {"kind": kind, "seat": seat, "spot": spot}
        case ["close" | "dealt" | "hidden" as kind]:
            return {"kind": kind}
        case ["card", card]:
            return {"kind": "card", "card": card}
        case ["reading", name]:
            return {"kind": "reading", "set": name}
        case ["dice", *faces]:
            return {"kind": "dice", "faces": faces}
        case ["no roll", reason]:
            return {"kind": "no roll", "reason": reason}
        case ["decide", who, option, amount]:
            return {"kind": "decide", "who": who, "option": option, "amount": amount}
    raise msgspec.ValidationError(f"{plain!r} is no answer")


def _effect(plain: Plain) -> Plain:
    if plain.get("kind") != "moved":
        return plain
    match plain["what"]:
        case [str(what)]:
            return {"kind": "moved/2", "what": what, "to": plain["to"]}
        case [owner, name]:
            return {"kind": "card moved", "owner": owner, "name": name, "to": plain["to"]}
    raise msgspec.ValidationError(f"{plain['what']!r} is nothing that can be moved")


def _effects(plain: Plain) -> list[Plain]:
    return [_effect(effect) for effect in plain.get("effects", [])]


def _answered(old: Plain) -> Plain:
    return {"kind": "answered/2", "answer": _answer(old["answer"]), "effects": _effects(old)}


def _round_started(old: Plain) -> Plain:
    return {**old, "kind": "round started/2", "effects": _effects(old)}


def _openings(old: list[Plain]) -> list[Plain]:
    """Each old opening has a proof of its own, so it stays by itself. The size of its root is not in it: 0."""
    return [
        {
            "root": one["root"],
            "size": 0,
            "tokens": [one["token"]],
            "positions": [one["position"]],
            "faces": [one["dice"] if "dice" in one else one["card"]],
            "salts": b64encode(bytes.fromhex(one["salt"])).decode(),
            "proof": b64encode(bytes.fromhex("".join(node["hash"] for node in one["proof"]))).decode(),
            "dice": "dice" in one,
        }
        for one in old
    ]


def _round_ended(old: Plain) -> Plain:
    return {**old, "kind": "round ended/2", "openings": _openings(old["openings"])}


def _voided(old: Plain) -> Plain:
    return {**old, "kind": "voided/2", "openings": _openings(old.get("openings", []))}


def _sat(old: Plain) -> Plain:
    return {"kind": "sat/2", "seat": old["seat"], "player": old["player"]}


UPCASTERS: dict[str, dict[str, Callable[[Plain], Plain]]] = {
    "table": {
        "answered": _answered,
        "round started": _round_started,
        "round ended": _round_ended,
        "voided": _voided,
        "sat": _sat,
    }
}
