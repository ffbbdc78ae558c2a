"""Answers as plain values that go into a record, and back. Money in a record is whole cents."""

from fractions import Fraction
from typing import Any

from feltworks.floor.events import Report, Reported
from feltworks.kit.cards import Card, Seat
from feltworks.kit.errors import NotAllowed
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    DEALT,
    HIDDEN,
    Answer,
    Close,
    Collect,
    Decide,
    Incident,
    NoRoll,
    Place,
    Read,
    Role,
    TakeUp,
)

Plain = list[Any]
"""The kind of the answer, and its parts."""


def to_plain(answer: Answer) -> Plain:
    match answer:
        case Place(seat, spot, amount):
            return ["place", seat, spot, whole_cents(amount)]
        case TakeUp(seat, spot):
            return ["take up", seat, spot]
        case Collect(seat, spot):
            return ["collect", seat, spot]
        case Close():
            return ["close"]
        case NoRoll(reason):
            return ["no roll", reason]
        case Decide(who, option, amount):
            name = who.value if isinstance(who, Role) else who
            return ["decide", name, option, None if amount is None else whole_cents(amount)]
        case Card():
            return ["card", answer.text]
        case tuple():
            return ["dice", *answer]
    if answer is DEALT:
        return ["dealt"]
    if answer is HIDDEN:
        return ["hidden"]
    return ["reading", answer.name]


def from_plain(plain: Plain, round: Round) -> Answer:
    """The answer that a record holds, to the step at which the round waits."""
    match plain:
        case ["place", int(seat), str(spot), int(cents)]:
            return Place(Seat(seat), spot, Fraction(cents))
        case ["take up", int(seat), str(spot)]:
            return TakeUp(Seat(seat), spot)
        case ["collect", int(seat), str(spot)]:
            return Collect(Seat(seat), spot)
        case ["close"]:
            return Close()
        case ["no roll", str(reason)]:
            return NoRoll(reason)
        case ["decide", who, str(option), cents]:
            name = Role(who) if isinstance(who, str) else Seat(who)
            return Decide(name, option, None if cents is None else Fraction(cents))
        case ["card", str(text)]:
            return Card(text)
        case ["dice", *faces]:
            return tuple(faces)
        case ["dealt"]:
            return DEALT
        case ["hidden"]:
            return HIDDEN
        case ["reading", str(name)] if isinstance(round.next, Read):
            for cards in round.next.among:
                if cards.name == name:
                    return cards
    raise NotAllowed(f"{plain!r} is no answer to {type(round.next).__name__}.")


def incident_of(reported: Report | Reported) -> Incident:
    """The incident that was reported, in the round's own terms."""
    seat = None if reported.seat is None else Seat(reported.seat)
    amount = None if reported.amount is None else Fraction(reported.amount)
    return Incident(reported.incident, reported.text, seat, reported.spots, amount)


def whole_cents(amount: Fraction) -> int:
    if amount.denominator != 1:
        raise NotAllowed(f"{float(amount) / 100:.3f} is not a whole number of cents.")
    return amount.numerator
