"""What the dealer enters next, with everything that it can be: made of the table's step alone, whatever is played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import inf

from msgspec import structs

from feltworks.floor.accounts import Cents, patron_at
from feltworks.floor.table.answers import Answer, recorded
from feltworks.floor.table.procedure import Asked, asked_now, card_words
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Seat
from feltworks.kit.copies import replace
from feltworks.kit.errors import FeltworksError
from feltworks.kit.hands import capital
from feltworks.kit.round import Round
from feltworks.web import views
from feltworks.web.pit.console_messages import Ask, Band, Choice, Patron, SpotFor
from feltworks.web.pit.keys import keys_for

DIGITS = "0123456789"
CLOSE = "c"
"""The key that closes the betting, and nothing else while it is open."""
MOST_LAID = 60
"""So many cards are laid at most before something is entered."""


@dataclass(frozen=True)
class Laid:
    """What is laid before the next entry: the answers that say so, in words, and the round after them."""

    answers: tuple[Answer, ...]
    deals: int
    words: str
    round: Round
    face_up: bool
    """Whether the card that is dealt last is turned next."""

    @property
    def causes(self) -> bool:
        """Whether the last card lets the dealer say or do something."""
        return bool(self.answers and self.round.effects)


def laid(table: Table) -> Laid:
    """The cards that are dealt face down, and those that a seat alone looks at, up to the next step at which anybody
    says, reads or decides something. Where the dealer has something to do in between, it ends there."""
    assert table.round is not None
    round, room = table.round, table.size - table.dealt
    answers: list[Answer] = []
    dealt: list[steps.Deal] = []
    looks = False
    while len(answers) < MOST_LAID:
        match round.next:
            case steps.Deal() as deal if len(dealt) < room:
                dealt.append(deal)
                answer: steps.Answer = steps.DEALT
            case steps.Turn(to=int()):
                looks, answer = True, steps.HIDDEN
            case _:
                break
        round = round.after(answer)
        answers.append(recorded(answer))
        if round.effects:
            break
    up = len(dealt) == 1 and isinstance(round.next, steps.Turn) and round.next.token == dealt[0].token
    words = _dealing(dealt, up) + " Each seat looks at its own cards." * looks
    return Laid(tuple(answers), len(dealt), words.strip(), round, up)


def _dealing(dealt: Sequence[steps.Deal], face_up: bool) -> str:
    """What is dealt where, in a sentence."""
    if not dealt:
        return ""
    places = [deal.place for deal in dealt]
    times = next(n for n in range(len(places), 0, -1) if places == places[: len(places) // n] * n)
    once = places[: len(places) // times]
    side = "face up" if face_up else "face down"
    if len(set(once)) < len(once):
        once = [place for place, _ in groupby(places)]
        times = 1
    said = _places(once)
    if len(dealt) == 1:
        return f"Deal a card to {said}, {side}."
    if len(once) == 1:
        return f"Deal {len(dealt)} cards to {said}, face down."
    return f"Deal {len(dealt)} cards, one at a time: {said}{', then again' if times == 2 else ''}; face down."


def _places(places: Sequence[str]) -> str:
    """ "seats 1 to 6 and the dealer"."""
    seats = [place.removeprefix("seat ") for place in places if place.startswith("seat ") and place[5:].isdecimal()]
    others = [place if place.startswith("seat") else f"the {place}" for place in places]
    others = [place for place in others if place.removeprefix("seat ") not in seats]
    if len(seats) > 2 and [int(s) for s in seats] == list(range(int(seats[0]), int(seats[-1]) + 1)):
        said = [f"seats {seats[0]} to {seats[-1]}"]
    elif len(seats) > 1:
        said = [f"seats {', '.join(seats[:-1])} and {seats[-1]}"]
    else:
        said = [f"seat {seat}" for seat in seats]
    return " and ".join([*said, *others])


def ask_of(table: Table, chips: Mapping[int, Cents]) -> Ask:
    """What is entered next at a table, with a key for everything that it can be; `chips` is what each patron has."""
    if table.round is None or not table.settings.is_physical:
        return _ask(table, chips)
    before = laid(table)
    after = replace(table, round=before.round, dealt=table.dealt + before.deals)
    ask = _ask(after, chips, before.face_up)
    if before.causes:  # what is to do then comes before what is entered next
        ask = Ask(kind="deal", text="")
    elif ask.kind == "wait" and before.answers:  # nothing is entered after it that could say that it is done
        ask = Ask(kind="deal", text="", detail=f"Then: {ask.text}")
    text = before.words if ask.kind == "deal" else ask.text
    return structs.replace(ask, text=text, lays=len(before.answers), laid="" if text == before.words else before.words)


def _ask(table: Table, chips: Mapping[int, Cents], face_up: bool = False) -> Ask:
    asked = asked_now(table)
    if asked.who == "program":
        return Ask(kind="wait", text="The program does this here.", detail=asked.text)
    if asked.who == "supervisor":
        reported = f"{capital(table.report_text.rstrip('.'))}." if table.incident and table.report_text else ""
        return Ask(kind="wait", text="The supervisor decides.", detail=f"{asked.text} {reported}".strip())
    card = card_words(asked.owner, asked.name)
    match asked.kind:
        case "shuffle":
            return _shuffle(table)
        case "start" | "end" | "wait":
            return Ask(kind=asked.kind, text=asked.text)
        case "discards":
            return Ask(kind="go on", text=asked.text)
        case "bets":
            return Ask(kind="bet", text="Betting is open.", patrons=_patrons(table, chips))
        case "choose":
            return _choice(table, asked)
        case _ if not asked.entered:
            return Ask(kind="go on", text=asked.text, seat=asked.owner)
        case "turn":
            text = capital(card) if face_up else f"Turn {card}"
            return Ask(kind="card", text=text, seat=asked.owner, cards=asked.cards)
        case "read":
            bands = _bands(table, asked.lights)
            lit = any(band.light for band in bands)
            return Ask(kind="light", text=f"The light of {card}" if lit else f"Look at {card}", bands=bands)
        case "roll":
            text = f"What the {asked.dice} dice show"
            return Ask(kind="dice", text=text, dice=asked.dice, reasons=_reasons(asked.no_rolls))
        case "spin":
            pockets = tuple(sorted(asked.pockets, key=_by_number))
            return Ask(kind="pocket", text="Where the wheel stops", wheel=asked.wheel, pockets=pockets)
    return Ask(kind="deal", text=asked.text)


def _by_number(pocket: str) -> tuple[float, int]:
    """Numbers in their order, 0 before 00, and what is no number after them as it stands on the wheel."""
    return (int(pocket), len(pocket)) if pocket.isdecimal() else (inf, 0)


def _shuffle(table: Table) -> Ask:
    """What is done with the cards before a round (B-07, O-01)."""
    if table.settings.shuffling == "shuffler":
        return Ask(kind="shuffle", text="All cards into the shuffler.", detail="Then the round starts.")
    burn = table.settings.burn
    burnt = f"Burn {burn} card{'s' * (burn > 1)}, then the round starts." if burn else "Then the round starts."
    return Ask(kind="shuffle", text="Shuffle and cut the cards.", detail=burnt)


def _bands(table: Table, names: Sequence[str]) -> tuple[Band, ...]:
    rows = table.game.definition.layout.get("rows", {})
    drawn = [rows.get(name, {}) for name in names]
    keys = keys_for([row.get("light", name) for row, name in zip(drawn, names, strict=True)])
    return tuple(
        Band(name, row.get("label", capital(name)), key, row.get("light", ""), row.get("ranks", ""))
        for name, row, key in zip(names, drawn, keys, strict=True)
    )


def _reasons(reasons: Sequence[str]) -> tuple[Choice, ...]:
    keys = keys_for(["no roll", *reasons[1:]], DIGITS)
    return tuple(Choice(reason, capital(reason), key, 0, 0) for reason, key in zip(reasons, keys, strict=False))


def _choice(table: Table, asked: Asked) -> Ask:
    seat = None
    if not asked.role:
        patrons = [seat for seat in asked.seats if is_patron(table, seat)]
        if not patrons:
            detail = "They decide on their screens." if len(asked.seats) > 1 else "It decides on its screen."
            return Ask(kind="wait", text=asked.text, detail=detail, seat=asked.seats[0])
        seat = patrons[0]
    choose = table.step
    assert isinstance(choose, steps.Choose) and table.round is not None
    keys = keys_for([option.name for option in asked.options])
    choices = []
    for option, given, key in zip(asked.options, choose.options, keys, strict=True):
        base = table.round.stake(Seat(seat), given.extra.of) if given.extra and seat else Fraction(0)
        least, most = (given.extra.least, given.extra.most) if given.extra else (0, 0)
        choices.append(Choice(option.name, capital(option.title), key, int(most * base), int(least * base)))
    text = asked.text if seat is None else f"Seat {seat} decides."
    about = f"{capital(choose.about)}." if choose.about and not text.startswith(capital(choose.about)) else ""
    return Ask(
        kind="choose",
        text=text,
        detail=about,
        seat=seat,
        choices=tuple(choices),
        role=asked.role,
        incident=bool(asked.incident),
        report=table.report,
    )


def _patrons(table: Table, chips: Mapping[int, Cents]) -> tuple[Patron, ...]:
    found = []
    for seat, who in sorted(table.seats.items()):
        if not who.is_patron:
            continue
        spots = views.open_spots(table, Seat(seat), views.laid_by(seat, table.wagers))
        keys = keys_for([spot.title for spot in spots], (*DIGITS, CLOSE))
        won = views.laid_by(seat, table.winnings)
        open_to = [
            SpotFor(
                one.spot,
                one.title,
                key,
                one.least,
                one.most,
                one.down,
                won.get(one.spot, 0),
                can_take_up(table, seat, one.spot),
            )
            for one, key in zip(spots, keys, strict=True)
        ]
        found.append(Patron(seat, chips.get(seat, 0), open_to))
    return tuple(found)


def can_take_up(table: Table, seat: int, spot: str) -> bool:
    """Whether the dealer may take up for a seat what lies on a spot, or collect what it has won."""
    assert table.round is not None
    if (seat, spot) in table.winnings:
        return True
    try:
        table.round.after(steps.TakeUp(Seat(seat), spot))
    except FeltworksError:
        return False
    return True


def is_patron(table: Table, seat: int) -> bool:
    """Whether somebody sits there without an account, so that the dealer enters what they do."""
    return seat in table.seats and table.seats[seat].is_patron


def patrons_of(table: Table) -> dict[int, str]:
    """Those who sit there without an account, by their seats."""
    return {seat: patron_at(table.settings.id, seat) for seat, who in table.seats.items() if who.is_patron}
