"""What version 1 wrote is read as what this version would have written (journal/upcasting.py)."""

import json
import lzma
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from feltworks.floor import administration
from feltworks.floor.chance.openings import expanded, holds
from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.chance.shoe import Rolls, Shoe
from feltworks.floor.journal.upcasting import UPCASTERS, decode_command, decode_event, encode
from feltworks.floor.table import answers as an
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.kit.cards import parse_cards

SHOE = Shoe(parse_cards("As Kd 7h 2c 9s"), bytes(range(32)))
ROLLS = Rolls(4, bytes(range(32, 64)))
SETTLED: dict[str, Any] = {
    "kind": "settled",
    "seat": 3,
    "spot": "ante",
    "line": "Ante",
    "pays": "1 to 1",
    "stake": "returned",
    "amount": 500,
    "paid": 500,
    "returned": 500,
    "rule": "M-11",
}


def read(event: Any, stream: str = "money") -> Any:
    return decode_event(stream, json.dumps(event).encode())


def old_opening(shoe: Shoe | Rolls, position: int, token: list[Any]) -> dict[str, Any]:
    """An opening as version 1 wrote it: its own token, face, salt and proof."""
    return {"token": token, "root": shoe.root, **shoe.opening(position)}


# Every shape.


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["place", 3, "ante", 500], an.Placed(3, "ante", 500)),
        (["take up", 2, "yo"], an.TakenUp(2, "yo")),
        (["collect", 2, "high"], an.Collected(2, "high")),
        (["close"], an.Closed()),
        (["dealt"], an.Dealt()),
        (["card", "Td"], an.Turned("Td")),
        (["hidden"], an.Hidden()),
        (["reading", "ten or higher"], an.Shown("ten or higher")),
        (["dice", 1, 6, 3, 3], an.Rolled((1, 6, 3, 3))),
        (["no roll", "a die left the table"], an.NotRolled("a die left the table")),
        (["decide", 4, "raise", None], an.Decided(4, "raise")),
        (["decide", 4, "raise", 1_500], an.Decided(4, "raise", 1_500)),
        (["decide", "supervisor", "void", None], an.Decided("supervisor", "void")),
    ],
)
def test_an_old_answer_is_read_as_the_typed_one(old: list[Any], new: an.Answer) -> None:
    assert read({"kind": "answered", "answer": old, "effects": []}) == ev.Answered(new)
    assert read({"kind": "answered", "answer": old}) == ev.Answered(new)


@pytest.mark.rule("F-16")
def test_old_effects_keep_their_order_and_say_whether_a_card_was_moved() -> None:
    old = [
        {"kind": "called", "text": "No more bets."},
        {"kind": "moved", "what": ["marker"], "to": "seat 2"},
        {"kind": "moved", "what": [3, "card 1"], "to": "discards"},
        {"kind": "moved", "what": [None, "dealer card"], "to": "the shuffler"},
        SETTLED,
    ]
    settled = {name: value for name, value in SETTLED.items() if name != "kind"}
    assert read({"kind": "answered", "answer": ["close"], "effects": old}) == ev.Answered(
        an.Closed(),
        (
            ev.Called("No more bets."),
            ev.Moved("marker", "seat 2"),
            ev.CardMoved(3, "card 1", "discards"),
            ev.CardMoved(None, "dealer card", "the shuffler"),
            ev.Settled(**settled),
        ),
    )


@pytest.mark.rule("F-16")
def test_a_round_that_was_started_before_its_effects_were_kept_has_none() -> None:
    assert read({"kind": "round started", "round": 7, "root": "ab", "size": 52}) == ev.RoundStarted(7, "ab", 52)
    assert read({"kind": "round started", "round": 8, "root": None, "size": 0}) == ev.RoundStarted(8)
    moved = {"kind": "moved", "what": ["cup"], "to": "the shooter"}
    assert read({"kind": "round started", "round": 9, "root": None, "size": 0, "effects": [moved]}) == ev.RoundStarted(
        9, effects=(ev.Moved("cup", "the shooter"),)
    )


@pytest.mark.rule("F-16")
def test_who_sat_down_is_read_by_id_without_the_name() -> None:
    assert read({"kind": "sat", "seat": 2, "player": "ab12", "name": "Guest 4"}) == ev.Sat(2, "ab12")


@pytest.mark.rule("F-21")
def test_old_openings_stand_one_by_one_and_still_lead_to_their_roots() -> None:
    old = [
        old_opening(SHOE, 0, [1, "card 1"]),
        old_opening(SHOE, 4, [None, "dealer card"]),
        old_opening(ROLLS, 2, [None, "roll 1"]),
    ]
    for event in (
        read({"kind": "round ended", "round": 3, "openings": old}),
        read({"kind": "voided", "round": 3, "reason": "The lights went out.", "returned": [], "openings": old}),
    ):
        first, second, third = event.openings
        assert [(o.tokens, o.positions, o.size, o.dice) for o in event.openings] == [
            ([(1, "card 1")], [0], 0, False),
            ([(None, "dealer card")], [4], 0, False),
            ([(None, "roll 1")], [2], 0, True),
        ]
        for opening, shoe, published in zip((first, second, third), (SHOE, SHOE, ROLLS), old, strict=True):
            sized: SharedOpening = msgspec.structs.replace(opening, size=shoe.size)
            assert holds(sized)
            assert expanded(sized) == [published]
            assert not holds(msgspec.structs.replace(sized, positions=[1]))


@pytest.mark.rule("F-17")
def test_an_old_void_keeps_what_it_returned() -> None:
    event = read({"kind": "voided", "round": 3, "reason": "The cards ran out.", "returned": [SETTLED]})
    assert isinstance(event, ev.Voided)
    assert (event.round, event.reason, event.openings) == (3, "The cards ran out.", ())
    assert [settled.returned for settled in event.returned] == [500]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"kind": "left", "seat": 2, "why": ""}, ev.Left(2)),
        ({"kind": "presence", "seat": 2, "present": False}, ev.Presence(2, present=False)),
        ({"kind": "readied", "seat": 2}, ev.Readied(2)),
        ({"kind": "reshuffled", "root": "ab", "size": 9}, ev.Reshuffled("ab", 9)),
        ({"kind": "reshuffled", "root": "ab", "size": 9, "discards": True}, ev.Reshuffled("ab", 9, discards=True)),
        (
            {"kind": "reported", "incident": "card exposed", "text": "", "seat": 2, "spots": ["ante"], "amount": None},
            ev.Reported("card exposed", seat=2, spots=("ante",)),
        ),
        ({"kind": "released", "what": "the cup", "reason": "checked"}, ev.Released("the cup", "checked")),
    ],
)
def test_what_has_the_same_shape_needs_no_upcaster(old: dict[str, Any], new: ev.Event) -> None:
    assert read(old) == new


def test_events_of_the_house_keep_their_old_shapes() -> None:
    assert read({"kind": "joined", "player": "ab", "name": "Guest 1"}, "house") == administration.OldJoined(
        "ab", "Guest 1"
    )
    entry = {"kind": "play-money grant", "payer": "house", "payee": "player:ab", "cents": 100_000}
    booked = read({"kind": "booked", "reason": "play money", "entries": [entry]}, "house")
    assert isinstance(booked, administration.OldBooked)
    assert [(str(e.payer), str(e.payee), e.cents) for e in administration.entries(booked)] == [
        ("house", "player:ab", 100_000)
    ]


# What is no record.


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "event",
    [
        {"kind": "flown", "seat": 2},
        {"kind": "answered/3", "answer": {"kind": "close"}},
        {"kind": "answered", "answer": ["fly", 2]},
        {"kind": "answered", "answer": ["place", 3, "ante"]},
        {"kind": "answered", "answer": ["place", 3, "ante", "500"]},
        {"kind": "answered", "answer": ["dice", "six"]},
        {"kind": "answered", "answer": ["close"], "effects": [{"kind": "moved", "what": [1, 2, 3], "to": "x"}]},
        {"kind": "answered", "answer": ["close"], "effects": [{"kind": "flown"}]},
        {"kind": "round ended/2", "round": 1, "openings": [], "more": 1},
        {"kind": "answered"},
        {"kind": "sat", "seat": 2},
        {"kind": "round ended", "round": 1, "openings": [{"root": "ab"}]},
        {"kind": "round ended", "round": 1, "openings": 7},
        {"kind": "answered", "answer": ["close"], "effects": [7]},
        {"kind": 7},
        {},
        [],
        "sat",
    ],
)
def test_what_no_version_ever_wrote_is_refused(event: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(event)


@pytest.mark.parametrize("stream", ["house", "person:ab"])
def test_an_event_of_a_table_is_none_of_another_stream(stream: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        read({"kind": "sat", "seat": 2, "player": "ab", "name": "Guest 4"}, stream)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_event("money", b"\x00\x01")


def test_an_old_shape_of_an_event_is_no_command() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_command("money", b'{"kind":"answered","answer":["close"]}')
    assert decode_command("money", encode(cmd.Sit(2))) == cmd.Sit(2)


# The same things by their new shape.


def test_an_old_event_that_is_written_again_is_of_the_newest_shape() -> None:
    old = {"kind": "answered", "answer": ["place", 3, "ante", 500], "effects": []}
    assert json.loads(encode(read(old))) == {
        "kind": "answered/2",
        "answer": {"kind": "place", "seat": 3, "spot": "ante", "amount": 500},
    }
    assert decode_event("money", encode(read(old))) == read(old)


def test_every_old_kind_that_was_ever_written_is_read() -> None:
    """The folder of commit 1996a20 (data/version_1): nothing in it is without a reading, and no upcaster is idle."""
    data = bytearray(lzma.decompress((Path(__file__).parent / "data" / "version_1" / "records.db.xz").read_bytes()))
    data[18:20] = b"\1\1"  # in memory there is no log beside it
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", bytes(data))
    kinds = set()
    for stream, text in connection.execute("SELECT stream, event FROM events"):
        assert isinstance(text, bytes)
        kinds.add(json.loads(text)["kind"])
        decode_event(str(stream), text)
    assert kinds > set(UPCASTERS["table"])
