"""What a dealer's screen leads through (F-27): what is done, what to say, show, take and pay now, and what is asked for
next, by whom, with every entry that can be.

It is made from the steps and effects of the round alone, so that it serves any game. It tells nothing that does not lie
open: of the program's own cards and dice there is nothing to enter (F-14).
"""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Literal

import msgspec

from feltworks.floor.accounts import Cents, money
from feltworks.floor.chips import in_chips
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import (
    Answer,
    Closed,
    Collected,
    Dealt,
    Decided,
    Hidden,
    NotRolled,
    Placed,
    Rolled,
    Shown,
    Spun,
    TakenUp,
    Turned,
    seat_of,
)
from feltworks.floor.table.corrections import last_entry
from feltworks.floor.table.duties import Who, asked, whose
from feltworks.floor.table.evolve import rewound
from feltworks.floor.table.settings import Doer
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import CardSet, Seat, Token, one_card
from feltworks.kit.copies import replace
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.hands import in_sentence, with_article
from feltworks.kit.odds import HALF
from feltworks.kit.round import DISCARD, SHUFFLER, Round
from feltworks.kit.transcript import move_words

ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
HANDS = ("hand", "hands")
"""What a signal is made with; anything else is put somewhere."""
Doing = Literal["say", "signal", "move", "card", "shift", "take", "pay", "hold", "return", "leave"]
"""What the dealer does: says something; makes a signal; puts a thing somewhere; moves a card; moves a wager to another
spot; takes a losing one; pays a winning one, with or without handing the wager back; holds what it has won until
surveillance has verified it (F-19); returns one that is a push; or leaves it where it lies."""
Kind = Literal[
    "start", "shuffle", "bets", "deal", "turn", "show", "read", "roll", "spin", "choose", "discards", "end", "wait"
]
"""What is asked for: start the round (`StartRound`); shuffle physical cards and start it; take bets and close the
betting (`CloseBetting`); deal a card face down; turn a card to all; show a card to one seat alone; read a light; roll;
spin a wheel; choose among options; shuffle the discards (`GoOn`); end the round (`EndRound`); or wait: the table is not
open."""


class Act(msgspec.Struct, frozen=True):
    """One thing that the round has caused, as the dealer carries it out."""

    number: int
    """`TickOff` with this number says that it and all before it are carried out."""
    do: Doing
    text: str
    """A sentence, or the words to say."""
    who: Doer
    seat: int | None = None
    spot: str = ""
    title: str = ""
    """What the layout calls the spot."""
    amount: Cents = 0
    """What is taken, paid or returned, without the wager where that is handed back too."""
    stake: Cents = 0
    """The wager that goes back with it."""
    chips: tuple[tuple[Cents, int], ...] = ()
    """What is paid in chips: so many of each value, the largest first."""
    line: str = ""
    pays: str = ""
    rule: str = ""
    is_off: bool = False
    """Whether the wager's chips were taken off their spot before it was decided."""


class Choice(msgspec.Struct, frozen=True):
    """An option as a button has it."""

    name: str
    title: str
    least: Cents | None = None
    most: Cents | None = None
    """What the option wagers, where it wagers something."""


class Asked(msgspec.Struct, frozen=True):
    """What is to be done next, by whom, and what can be entered."""

    kind: Kind
    who: Who
    text: str
    seats: tuple[int, ...] = ()
    """Whose card it is, or whose decision."""
    entered: bool = False
    """Whether the dealer enters what physical things show; otherwise `GoOn` lets the program's own answer."""
    owner: int | None = None
    name: str = ""
    """The card, by its owner and its name."""
    place: str = ""
    cards: tuple[str, ...] = ()
    """Every card that it can be."""
    lights: tuple[str, ...] = ()
    dice: int = 0
    no_rolls: tuple[str, ...] = ()
    wheel: str = ""
    pockets: tuple[str, ...] = ()
    role: str = ""
    """As whom the decision is entered: the dealer or the supervisor."""
    options: tuple[Choice, ...] = ()
    incident: str = ""


class EntrySeen(msgspec.Struct, frozen=True):
    """An answer of the round, by its number: `Correct` takes that."""

    number: int
    text: str
    entered: bool
    """Whether somebody entered it for the house or for a patron, so that it can be corrected."""
    answer: Answer | None = None
    """What was entered."""


class Procedure(msgspec.Struct, frozen=True):
    """What the dealer's screen shows."""

    round: int
    dealer: str
    """The person who has signed on."""
    done: tuple[Act, ...]
    now: tuple[Act, ...]
    """What is still to be carried out, by the program or by the dealer."""
    asked: Asked
    entries: tuple[EntrySeen, ...]
    take_back: str
    """What `TakeBack` would take back, or nothing."""


def procedure(table: Table) -> Procedure:
    """What the dealer's screen shows of a table."""
    return Procedure(
        table.round_number,
        table.dealer,
        acts_done(table),
        acts_now(table),
        asked_now(table),
        tuple(_entries(table)),
        take_back_of(table),
    )


def acts_of(table: Table) -> tuple[Act, ...]:
    """All that the round has caused so far and everybody may know, as the dealer carries it out."""
    return tuple(_acts((table.shown or table).effects, table))


def acts_done(table: Table) -> tuple[Act, ...]:
    """What is carried out, also what was before an entry was taken back or corrected."""
    return tuple(act for act in acts_of(table) if act.number <= table.done or act.number - 1 in table.carried)


def acts_now(table: Table) -> tuple[Act, ...]:
    """What is still to be carried out, by the program or by the dealer: first what a wrong entry has taken or paid is
    put right."""
    left = (act for act in acts_of(table) if act.number > table.done and act.number - 1 not in table.carried)
    return (*(_put_right(wrong, table) for wrong in table.undo), *left)


def _put_right(wrong: ev.Settled, table: Table) -> Act:
    title = table.game.spot_title(wrong.spot)
    where = f"seat {wrong.seat}, {title}"
    do: Doing
    if wrong.paid:
        more = f", and put the wager of {money(wrong.returned)} back on its spot" if wrong.returned else ""
        do, amount, text = "take", wrong.paid, f"Take back {money(wrong.paid)} from {where}{more}: paid by mistake."
    elif wrong.returned:
        do, amount = "take", wrong.returned
        text = f"Put the wager of {money(amount)} back for {where}: handed back by mistake."
    else:
        do, amount = "return", wrong.amount
        text = f"Put {money(amount)} back for {where}: taken by mistake."
    who = table.settings.duty("paying")
    line = "paid by mistake" if wrong.paid else "handed back by mistake" if wrong.returned else "taken by mistake"
    stake = wrong.returned if wrong.paid else 0
    return Act(table.done, do, text, who, wrong.seat, wrong.spot, title, amount, stake, line=line, rule="F-20")


# What the round has caused.


def _acts(effects: Iterable[ev.Effect], table: Table) -> Iterator[Act]:
    off: set[str] = set()
    """Chips that were taken off their spots before the wager is decided."""
    for number, effect in enumerate(effects, 1):
        who = whose(effect, table.settings)
        match effect:
            case ev.Called(text):
                yield Act(number, "say", text, who)
            case ev.Moved(what, to):
                if to == "taken":
                    off.add(what)
                yield Act(number, "signal" if what in HANDS else "move", move_words(table.game, what, to), who)
            case ev.CardMoved(owner, name, to):
                card = card_words(owner, name) + _face(owner, name, table)
                yield Act(number, "card", _card_moved(card, to, table.game), who, seat=owner)
            case ev.WagerMoved(seat, spot, to, amount):
                title, goes = table.game.spot_title(spot), table.game.spot_title(to)
                text = f"Move {money(amount)} of seat {seat} from {title} to {goes}."
                yield Act(number, "shift", text, who, seat, to, goes, amount, rule=effect.rule)
            case ev.Settled():
                chips = f"seat {effect.seat}'s {table.game.spot_title(effect.spot)} chips"
                yield _settled(number, effect, table, who, is_off=chips in off)


def _face(owner: int | None, name: str, table: Table) -> str:
    """What a card is that lies open, after its name."""
    round = (table.shown or table).round
    face = None if round is None else round.cards.get(Token(None if owner is None else Seat(owner), name))
    return f", the {face.card.name}," if face is not None and face.card is not None else ""


def _card_moved(card: str, place: str, game: Game) -> str:
    if words := game.definition.layout.get("rows", {}).get(place, {}).get("words"):
        return f"Lay {card} {words}."
    if place.endswith("folded"):
        return f"Leave {card} face down at its seat: it is folded, and may still win."
    if place == DISCARD:
        return f"Put {card} with the discards."
    if place == SHUFFLER:
        return f"Put {card} back into the shuffler."
    return f"Lay {card} {f'at {place}' if place.startswith('seat') else f'in the {place}'}."


def _settled(number: int, won: ev.Settled, table: Table, who: Doer, is_off: bool) -> Act:
    """What a settlement lets the dealer do. Where the chips were taken off the spot already, nothing is taken there,
    and what goes back is paid."""
    title = table.game.spot_title(won.spot)
    where = f"seat {won.seat}, {title}"
    do: Doing
    if is_off and not won.is_held:
        paid = won.paid + won.returned
        nothing = f"Nothing to take from {where}: {won.line}. Its chips were taken before."
        text = f"Pay {money(paid)} to {where}: {_line(won)}." if paid else nothing
        do, amount = ("pay" if paid else "leave"), paid
    elif won.is_held:
        text = f"Do not pay {money(won.paid)} to {where} yet: surveillance verifies it first."
        do, amount = "hold", won.paid
    elif won.pays == str(HALF):
        do, amount, kept = "pay", won.paid, won.amount - won.paid
        text = f"Take half of the wager, {money(kept)}, from {where}, and hand back {money(amount)}: {won.line}."
    elif won.paid:
        back = f" and hand back {money(won.returned)}" if won.returned else ""
        back = ", and take the wager" if won.stake == "taken" else back
        do, amount, text = "pay", won.paid, f"Pay {money(won.paid)} to {where}{back}: {_line(won)}."
    elif won.stake == "taken":
        do, amount, text = "take", won.amount, f"Take {money(won.amount)} from {where}: {won.line}."
    elif won.returned:
        do, amount, text = "return", won.returned, f"Hand back {money(won.returned)} to {where}: {won.line}."
    else:
        do, amount, text = "leave", 0, f"Leave {money(won.amount)} of {where} where it lies: {won.line}."
    return Act(
        *(number, do, text, who, won.seat, won.spot, title, amount),
        stake=won.returned if do == "pay" and not is_off else 0,
        chips=in_chips(amount, table.settings.chip).piles if do == "pay" else (),
        line=won.line,
        pays=won.pays if won.paid else "",
        rule=won.rule,
        is_off=is_off,
    )


def _line(won: ev.Settled) -> str:
    return f"{won.line} pays {won.pays}" if won.paid else won.line


# What is asked for.


def asked_now(table: Table) -> Asked:
    """What is to be done next at a table."""
    if table.service in ("paused", "closed") or (table.round is None and table.service == "closing"):
        return Asked("wait", asked(table), f"The table is {table.service}: {table.service_reason}")
    if table.round is None:
        if table.out_of_service:
            names = ", ".join(table.out_of_service)
            return Asked("wait", "supervisor", f"Out of service: {names}. It is released before the next round.")
        shuffle = table.settings.is_physical and table.needs_shuffle
        text = _shuffle_words(table) if shuffle else "Start the round."
        return Asked("shuffle" if shuffle else "start", asked(table), text)
    if table.round.over:
        return Asked("end", asked(table), "End the round.")
    if table.is_shoe_empty:
        return Asked("discards", asked(table), "The shoe is empty: shuffle the discards, and deal on.")
    return _asked(table, table.round)


def _shuffle_words(table: Table) -> str:
    if table.settings.shuffling == "shuffler":
        return "Put the discards into the shuffler and start the round."
    burn = table.settings.burn
    burnt = f", burn {'a card' if burn == 1 else f'{burn} cards'}," if burn else ""
    return f"Shuffle and cut the cards{burnt} and start the round."


def asked_at(table: Table, entry: int) -> Asked:
    """What was asked for when an answer of the round was given: with what can be entered there, to correct it."""
    return asked_now(replace(rewound(table, entry), service="open"))


def _asked(table: Table, round: Round) -> Asked:
    who, entered = asked(table), table.settings.is_physical
    match round.next:
        case steps.Bet():
            return Asked("bets", who, "Take the wagers, then close the betting.")
        case steps.Deal(token, place):
            text = f"Deal {_token(token)} face down to {_the_place(place)}."
            return Asked("deal", who, text, _seats(token), entered, token.owner, token.name, place)
        case steps.Turn(token, to) if to is not steps.ALL:
            text = f"Show {_token(token)} to seat {to} alone."
            return Asked("show", who, text, (int(to),), entered, token.owner, token.name)
        case steps.Turn(token):
            cards = tuple(_cards(round, token)) if entered else ()
            text = f"Turn {_token(token)}."
            return Asked("turn", who, text, _seats(token), entered, token.owner, token.name, cards=cards)
        case steps.Read(token, among):
            lights = tuple(_lights(round, token, among)) if entered else ()
            text = f"Read {_token(token)}."
            return Asked("read", who, text, _seats(token), entered, token.owner, token.name, lights=lights)
        case steps.Roll(dice, no_rolls):
            text = f"Roll {dice} dice."
            return Asked("roll", who, text, entered=entered, dice=dice, no_rolls=no_rolls)
        case steps.Spin(wheel, pockets):
            named = tuple(dict.fromkeys(pockets)) if entered else ()
            return Asked("spin", who, "Spin the wheel.", entered=entered, wheel=wheel, pockets=named)
        case steps.Choose(chooser, options) as choose:
            return Asked(
                *("choose", who, _choice_words(table, choose)),
                seats=() if isinstance(chooser, steps.Role) else tuple(sorted(chooser)),
                role=chooser.value if isinstance(chooser, steps.Role) else "",
                options=tuple(_choice(option, choose, round) for option in options),
                incident=table.incident,
            )
    raise AssertionError("a round that is not over waits at a step")


def _choice_words(table: Table, choose: steps.Choose) -> str:
    if isinstance(choose.who, steps.Role):
        if table.incident:
            return f"{_capital(table.incident)}: the {choose.who.value} decides. {choose.sentence}".strip()
        if choose.about and len(choose.options) > 1:
            return f"{_capital(choose.about)}: {' or '.join(o.title or o.name for o in choose.options)}?"
        return choose.sentence or f"The {choose.who.value} decides."
    seats = sorted(choose.who)
    whose = f"Seat {seats[0]} decides" if len(seats) == 1 else f"Seats {', '.join(map(str, seats))} decide"
    options = [(option.title or option.name).lower() for option in choose.options]
    between = " or ".join(filter(None, (", ".join(options[:-1]), options[-1])))
    return f"{whose}{f', {choose.about}' if choose.about else ''}: {between}."


def _choice(option: steps.Option, choose: steps.Choose, round: Round) -> Choice:
    extra, title = option.extra, option.title or option.name
    if extra is None or isinstance(choose.who, steps.Role) or len(choose.who) != 1:
        return Choice(option.name, title)
    (seat,) = choose.who
    base = round.stake(seat, extra.of)
    return Choice(option.name, title, int(extra.least * base), int(extra.most * base))


def _cards(round: Round, token: Token) -> Iterator[str]:
    """Every card that a card can be, by rank and suit: of those that nobody has seen, and of the band that was read."""
    if (known := round.cards[token].card) is not None:
        yield known.text
    elif round.unseen is not None:
        possible = [card for card, ways in round.chances(token, round.unseen).items() if ways]
        yield from (card.text for card in sorted(possible, key=attrgetter("rank", "index")))


def _lights(round: Round, token: Token, among: tuple[CardSet, ...]) -> Iterator[str]:
    for light in among:
        try:
            round.after(light)
        except FeltworksError:
            continue
        yield light.name


def _token(token: Token) -> str:
    return card_words(token.owner, token.name)


def card_words(owner: int | None, name: str) -> str:
    """A card as a dealer calls it before it is known: "seat 3's second card", "the first flop card", "the upcard"."""
    kind, _, number = name.rpartition(" ")
    if number.isdecimal() and 0 < int(number) <= len(ORDINALS) and kind:
        card = ORDINALS[int(number) - 1] + ("" if kind == "card" else f" {kind}") + " card"
    else:
        card = name
    return f"the {card}" if owner is None else f"seat {owner}'s {card}"


def _the_place(place: str) -> str:
    return place if place.startswith("seat") else f"the {place}"


def _seats(token: Token) -> tuple[int, ...]:
    return () if token.owner is None else (int(token.owner),)


# What was answered.


def _entries(table: Table) -> Iterator[EntrySeen]:
    """The answers of the round. What seats choose that decide together is told when all of them have."""
    told = len((table.shown or table).answers)
    for number, past in enumerate(table.answers, 1):
        assert isinstance(past.event, ev.Answered)
        answer = past.event.answer
        if number > told and not past.entered:
            yield EntrySeen(number, f"Seat {seat_of(answer)} has decided.", entered=False)
        else:
            entered = answer if past.entered else None
            yield EntrySeen(number, said(answer, past.step, table.game), past.entered, entered)


def take_back_of(table: Table) -> str:
    """The entry that `TakeBack` would take back, in a sentence; nothing where it is too late."""
    try:
        taken = table.answers[last_entry(table) - 1]
    except FeltworksError:
        return ""
    assert isinstance(taken.event, ev.Answered)
    return said(taken.event.answer, taken.step, table.game)


def said(answer: Answer, step: steps.Step | None, game: Game) -> str:
    """An answer to a step in a sentence."""
    card = _token(step.token) if isinstance(step, steps.Deal | steps.Turn | steps.Read) else "a card"
    match answer:
        case Placed(seat, spot, amount):
            return f"Seat {seat} puts {money(amount)} on {game.spot_title(spot)}."
        case TakenUp(seat, spot):
            return f"Seat {seat} takes {game.spot_title(spot)} up."
        case Collected(seat, spot):
            return f"Seat {seat} collects what {game.spot_title(spot)} has won."
        case Closed():
            return "Betting is closed."
        case Dealt():
            return f"{_capital(card)} is dealt."
        case Turned(text):
            shown = one_card(text)
            return f"{_capital(card)} is {f'the {shown.name}' if shown.has_suit else with_article(shown)}."
        case Hidden():
            return f"{_capital(card)} is shown to one seat alone."
        case Shown(light):
            return f"{_capital(card)} is read as {light}."
        case Rolled(faces):
            return f"The dice show {' '.join(map(str, faces))}."
        case NotRolled(reason):
            return f"No roll: {reason}."
        case Spun(pocket=pocket):
            return f"The wheel stops at {pocket}."
        case Decided(who, option, amount):
            chooser = f"The {who}" if isinstance(who, str) else f"Seat {who}"
            about = f", {step.about}" if isinstance(step, steps.Choose) and step.about else ""
            wager = f", {money(amount)}" if amount is not None else ""
            return f"{chooser} decides{about}: {_option_words(step, option)}{wager}."


def _option_words(step: steps.Step | None, name: str) -> str:
    """An option as its button has it."""
    options = step.options if isinstance(step, steps.Choose) else ()
    return next((in_sentence(option.title) for option in options if option.name == name and option.title), name)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
