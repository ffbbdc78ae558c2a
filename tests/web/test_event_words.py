"""Events in plain words: each has some, and nothing that is a secret or a proof is among them."""

from typing import Any, get_args

import msgspec
import pytest

from feltworks.floor import administration, person
from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.jackpot import events as jackpots
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.table import answers, events
from feltworks.floor.table.commands import VoidRound
from feltworks.kit.questions import JackpotSettings
from feltworks.web.staff.event_words import GROUPS, Words, kind_of_shape, kinds_of, told, who_did
from tests.floor.jackpots import played, terms, under
from tests.web.robots import money

WORDS = Words(lambda id: f"<{id}>", lambda spot: f"[{spot}]", lambda table: f"({table})")
SHAPES = [
    *(shape for union in (events.Event, person.Event, administration.Event) for shape in get_args(union)),
    *get_args(jackpots.Event),
]
SECRET = "5ec7e7"
OPENING = SharedOpening("root", 52, [(None, "dealer 1")], [0], ["As"], SECRET.encode(), SECRET.encode())
MADE: dict[str, Any] = {
    "settings": money(),
    "answer": answers.Turned("As"),
    "effects": (events.Called("No more bets."),),
    "openings": (OPENING,),
    "returned": (),
    "back": (events.HandedBack("ann", 500, 200),),
    "command": VoidRound("A card fell.", 3),
    "entries": [administration.OldEntry("wager", "player:ann", "table:money", 500)],
    "tokens": {},
    "digest": SECRET,
    "token": SECRET,
    "code": {"kit": SECRET},
    "definitions": {"money": SECRET},
    "heads": {},
    "balances": {},
    "tables": {},
}
FOLDED_AGAIN = (events.TakenBack, events.Corrected)
"""With the effects of several answers."""
OF_TYPE: dict[Any, Any] = {str: "text", int: 1_700_000_000_000, bool: True, tuple[str, ...]: ("one",)}
OF_TYPE |= {
    Terms: terms(under()),
    JackpotSettings: played(under()),
    tuple[jackpots.Contribution, ...]: (jackpots.Contribution(1, "jackpot", 100, 60, 14),),
    tuple[jackpots.GivenBack, ...]: (jackpots.GivenBack(1, "jackpot", 100, 60, 14),),
}


def example(shape: Any) -> Any:
    """An event of this shape, with something in every field."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(shape):
        if shape in (person.CodeGiven, administration.SetUpOffered) and field.name == "code":
            values["code"] = SECRET
        elif field.name == "effects" and shape in FOLDED_AGAIN:
            values["effects"] = (MADE["effects"],)
        elif field.name in MADE:
            values[field.name] = MADE[field.name]
        else:
            wanted = [kind for kind in OF_TYPE if kind == field.type or kind in get_args(field.type)]
            values[field.name] = OF_TYPE[wanted[0]] if wanted else field.default
    return shape(**values)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.__module__.split('.')[-1]}.{shape.__name__}")
def test_every_event_is_told_in_words_of_its_own(shape: Any) -> None:
    lines = told(example(shape), WORDS)
    assert lines and all(lines)
    assert lines[0] != f"{kind_of_shape(shape).capitalize()}."
    assert not any(SECRET in line or "As" in line for line in lines if shape not in (events.Answered, events.Corrected))


@pytest.mark.rule("F-16")
def test_every_event_is_found_in_one_group_of_the_filter_and_no_more() -> None:
    grouped = [shape for group in GROUPS.values() for shape in group.shapes]
    forgotten = [shape.__name__ for shape in SHAPES if shape not in grouped]
    assert not forgotten, f"{', '.join(forgotten)} can be looked for by nobody: add it to a group of event_words.GROUPS"
    assert sorted(shape.__name__ for shape in grouped) == sorted(shape.__name__ for shape in SHAPES)
    kinds = [kind for group in GROUPS.values() for kind in group.kinds]
    assert len(kinds) == len(set(kinds)), "two shapes of one kind stand in two groups"
    assert not set(GROUPS) & set(kinds)


def test_a_group_is_looked_for_by_its_name_and_one_kind_by_its_own() -> None:
    assert kinds_of("incidents") == ("reported", "released", "claimed", "dispute decided", "voided")
    assert kinds_of("booked") == ("booked",) and kinds_of("money") == (
        "win released",
        "granted",
        "booked",
        "moved outside",
    )
    assert kinds_of("") == kinds_of("flying") == ()


@pytest.mark.rule("F-14")
def test_no_opened_card_no_digest_and_no_salt_is_among_the_words() -> None:
    for event in (
        events.RoundEnded(4, (OPENING,)),
        events.Voided(4, "A card fell.", (), (OPENING,)),
        person.PasswordSet(SECRET, "argon2id"),
        person.SessionOpened(SECRET, 0),
        person.CodeGiven(SECRET, 0),
        administration.SetUpOffered(SECRET),
    ):
        said = " ".join(told(event, WORDS))
        assert SECRET not in said and "As" not in said


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (answers.Placed(2, "ante", 500), "Seat 2 puts 5.00 on [ante]."),
        (answers.TakenUp(2, "ante"), "Seat 2 takes [ante] up."),
        (answers.Collected(2, "ante"), "Seat 2 collects what [ante] has won."),
        (answers.Closed(), "Betting is closed."),
        (answers.Dealt(), "A card is dealt, face down."),
        (answers.Turned("Kh"), "A card is turned: Kh."),
        (answers.Hidden(), "A card is turned to one seat alone."),
        (answers.Shown("blue"), "The reader shows: blue."),
        (answers.Rolled((3, 4)), "The dice show 3 4."),
        (answers.NotRolled("a die fell"), "No roll: a die fell"),
        (answers.Decided(3, "raise", 1_000), "Seat 3 decides: raise, 10.00."),
        (answers.Decided("supervisor", "no roll"), "The supervisor decides: no roll."),
    ],
)
def test_every_answer_is_told_in_words(answer: answers.Answer, words: str) -> None:
    assert told(events.Answered(answer), WORDS) == [words]


def test_a_settlement_is_told_with_its_line_its_pay_and_its_statement() -> None:
    settled = events.Settled(1, "ante", "pair of fours", "7 to 1", "returned", 500, 3_500, 500, "O-12")
    lines = told(events.Answered(answers.Closed(), (settled,)), WORDS)
    assert lines[1] == "Seat 1, [ante] 5.00: pair of fours, pays 35.00 (7 to 1), 5.00 goes back. O-12"


def test_whoever_did_it_is_a_person_by_name_or_a_part_of_the_program() -> None:
    said = [who_did(actor, WORDS) for actor in ("person:ann", "ann", "program:dealer", "program:house", "?:x")]
    assert said == ["<ann>", "<ann>", "the program, as dealer", "the program", "?:x"]


def test_an_event_without_words_is_told_by_its_name_alone() -> None:
    """What is in it may be nobody's to read."""

    class Invented(msgspec.Struct, tag="invented/3"):
        secret: str

    unknown: Any = Invented(SECRET)
    assert told(unknown, WORDS) == ["Invented."]
