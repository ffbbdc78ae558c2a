"""Answers as they stand in a record, typed, and the same answers as the rules take them. Money is whole cents."""

from fractions import Fraction

from feltworks.floor.accounts import Cents
from feltworks.floor.tagged import Tagged
from feltworks.kit import steps
from feltworks.kit.cards import Card, Seat
from feltworks.kit.errors import BadCard, NotAllowed
from feltworks.kit.round import Round

LONGEST_CARD = 8
"""No longer text is looked at as a card."""


class Placed(Tagged, tag="place", frozen=True):
    seat: int
    spot: str
    amount: Cents


class TakenUp(Tagged, tag="take up", frozen=True):
    seat: int
    spot: str


class Collected(Tagged, tag="collect", frozen=True):
    seat: int
    spot: str


class Closed(Tagged, tag="close", frozen=True):
    pass


class Dealt(Tagged, tag="dealt", frozen=True):
    """A card lies in its place, face down."""


class Turned(Tagged, tag="card", frozen=True):
    """A card that everybody saw."""

    card: str


class Hidden(Tagged, tag="hidden", frozen=True):
    """A card was turned to one seat: the record does not say which card it is."""


class Shown(Tagged, tag="reading", frozen=True):
    """What the card reader or the dealer's look showed: the name of the set in which the card lies."""

    set: str


class Rolled(Tagged, tag="dice", frozen=True):
    faces: tuple[int, ...]


class NotRolled(Tagged, tag="no roll", frozen=True):
    reason: str


class Spun(Tagged, tag="spin", frozen=True):
    """The pocket in which a wheel has stopped."""

    wheel: str
    pocket: str


class Decided(Tagged, tag="decide", frozen=True):
    """What a seat, by its number, or a role chose."""

    who: int | str
    option: str
    amount: Cents | None = None


class NoWager(Tagged, tag="no wager", frozen=True):
    """What a wager is corrected to that was entered and never made. It answers no step."""


Answer = Placed | TakenUp | Collected | Closed | Dealt | Turned | Hidden | Shown | Rolled | NotRolled | Spun | Decided


def seat_of(answer: Answer) -> int | None:
    """Whose answer it is, if it is a seat's."""
    match answer:
        case Placed(seat) | TakenUp(seat) | Collected(seat) | Decided(int(seat)):
            return seat
    return None


def recorded(answer: steps.Answer) -> Answer:
    """An answer as it is written down."""
    match answer:
        case steps.Place(seat, spot, amount):
            return Placed(seat, spot, exact_cents(amount))
        case steps.TakeUp(seat, spot):
            return TakenUp(seat, spot)
        case steps.Collect(seat, spot):
            return Collected(seat, spot)
        case steps.Close():
            return Closed()
        case steps.NoRoll(reason):
            return NotRolled(reason)
        case steps.Pocket(pocket, wheel):
            return Spun(wheel, pocket)
        case steps.Decide(who, option, amount):
            name = who.value if isinstance(who, steps.Role) else who
            return Decided(name, option, None if amount is None else exact_cents(amount))
        case Card():
            return Turned(answer.text)
        case tuple():
            return Rolled(answer)
    if answer is steps.DEALT:
        return Dealt()
    if answer is steps.HIDDEN:
        return Hidden()
    return Shown(answer.name)


def played(answer: Answer, round: Round) -> steps.Answer:
    """The answer of a record as the rules take it, to the step at which the round waits."""
    match answer:
        case Placed(seat, spot, amount):
            return steps.Place(Seat(seat), spot, Fraction(amount))
        case TakenUp(seat, spot):
            return steps.TakeUp(Seat(seat), spot)
        case Collected(seat, spot):
            return steps.Collect(Seat(seat), spot)
        case Closed():
            return steps.Close()
        case NotRolled(reason):
            return steps.NoRoll(reason)
        case Spun(wheel, pocket):
            return steps.Pocket(pocket, wheel)
        case Decided(who, option, amount):
            name = steps.Role(who) if isinstance(who, str) else Seat(who)
            return steps.Decide(name, option, None if amount is None else Fraction(amount))
        case Turned(card):
            return _card(card)
        case Rolled(faces):
            return faces
        case Dealt():
            return steps.DEALT
        case Hidden():
            return steps.HIDDEN
        case Shown(name) if isinstance(round.next, steps.Read):
            for cards in round.next.among:
                if cards.name == name:
                    return cards
            raise NotAllowed(f"There is no such light; it is one of: {', '.join(s.name for s in round.next.among)}.")
        case Shown():
            raise NotAllowed("No light is read now; answer what is asked for.")
    raise NotAllowed("That is no answer to what is asked for.")


def _card(text: str) -> Card:
    if len(text) > LONGEST_CARD:
        raise NotAllowed("That is not a card; write its rank and its suit: As, Td, 7h.")
    try:
        return Card(text)
    except BadCard as problem:
        raise NotAllowed(str(problem)) from None


def exact_cents(amount: Fraction) -> Cents:
    """A whole number of cents; what is not one is refused, not rounded."""
    if amount.denominator != 1:
        raise NotAllowed(f"{float(amount) / 100:.3f} is not a whole number of cents.")
    return amount.numerator
