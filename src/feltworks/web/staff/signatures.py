"""What waits for a second signature: what it does, who signed first, who may sign, and until when (F-13)."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple, get_args

import msgspec
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.accounts import Account, AccountKind, money
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.administration import Book, Signed, Waiting, Withdraw
from feltworks.floor.house import House
from feltworks.floor.jackpot import commands as jackpot
from feltworks.floor.jackpot.meter import JACKPOT
from feltworks.floor.refusal import Refused
from feltworks.floor.rights import has_dealer
from feltworks.floor.roles import RIGHTS, STAFF, Role, listed, may_sign, name_of, who_may_sign
from feltworks.floor.signers import ONE_HAND
from feltworks.floor.table.commands import Resolve, VoidRound
from feltworks.floor.table.state import Table
from feltworks.kit.hands import capital
from feltworks.web.forms import NO_FORM, Form, read_form
from feltworks.web.hub import Hub
from feltworks.web.staff.desk import Desk, Offer, Way, Who

PATH = "/house/waiting"
SIGNERS = frozenset(role for right in RIGHTS.values() if right.pair for kind in right.pair for role in kind)
"""The roles that can ever be one of two signatures."""
Names = dict[str, str]


class Described(NamedTuple):
    """What would happen, in words and numbers."""

    title: str
    lines: list[str]


Describe = Callable[[Hub, Names, str, Signed], Described]


class Shown(NamedTuple):
    """Something that waits, as one person sees it."""

    waiting: Waiting
    described: Described
    first: str
    who_may: str
    can_sign: bool
    is_one_hand: bool
    """Whether only that keeps them from signing."""
    can_withdraw: bool


def _void(hub: Hub, names: Names, stream: str, command: Signed) -> Described:
    assert isinstance(command, VoidRound)
    live = hub.house.tables.get(stream)
    if live is None:
        return Described(f"Void a round at {stream}", [f"Reason: {command.reason}", "The table is not open any more."])
    number, name = command.round or live.table.round_number, live.table.settings.name
    lines = [f"Reason: {command.reason}"]
    if _is_too_late(hub, stream, command):
        lines.append("That round is over; it can only be withdrawn.")
    else:
        lines.append(in_action(hub, stream))
    return Described(f"Void round {number} at {name}", lines)


def _resolve(hub: Hub, names: Names, stream: str, command: Signed) -> Described:
    assert isinstance(command, Resolve)
    live, why = hub.house.tables.get(stream), command.reason or ""
    if live is None or _is_too_late(hub, stream, command):
        return Described(f"{capital(command.option)} at {stream}", [f"Reason: {why}", "That is decided already."])
    table = live.table
    title = f"{capital(table.incident)} at {table.settings.name}: {command.option}"
    lines = [f"Reported: {table.report_text}"] if table.report_text else []
    return Described(title, [*lines, f"Reason: {why}", f"The round is void. {in_action(hub, stream)}"])


def _is_too_late(hub: Hub, stream: str, command: Signed) -> bool:
    """Whether the round that would be void is over, so that a signature would be refused."""
    live = hub.house.tables.get(stream)
    if isinstance(command, Resolve):
        return live is None or not live.table.incident or command.report not in (0, live.table.report)
    if not isinstance(command, VoidRound):
        return False
    return live is None or live.table.round is None or command.round not in (0, live.table.round_number)


def void_waits(waiting: Iterable[Waiting], table: Table) -> bool:
    """Whether somebody has signed already that the round of this table should be void."""
    return any(
        one.stream == table.settings.id
        and isinstance(one.command, VoidRound)
        and one.command.round == table.round_number
        for one in waiting
    )


def in_action(hub: Hub, table: str) -> str:
    """What would go back if the round of a table were void now, as everybody sees it."""
    seats = hub.seen(table, None).seats
    lying = {seat.seat: sum(seat.wagers.values()) + sum(seat.winnings.values()) for seat in seats}
    players = sum(cents > 0 for cents in lying.values())
    if not players:
        return "No wager is in action now."
    return f"{money(sum(lying.values()))} of {players} {'seat' if players == 1 else 'seats'} goes back."


def _book(hub: Hub, names: Names, stream: str, command: Signed) -> Described:
    assert isinstance(command, Book)

    def said(account: str) -> str:
        kind, owner = Account.parse(account).kind, Account.parse(account).owner
        return f"the player {names.get(owner, owner)}" if kind is AccountKind.PLAYER else account

    moved = f"{money(command.cents)} from {said(command.payer)} to {said(command.payee)}"
    return Described(f"Book {money(command.cents)} as {command.entry}", [moved, f"Reason: {command.reason}"])


def _jackpot(hub: Hub, names: Names, stream: str, command: Signed) -> Described:
    """What it would do as the jackpot stands now, by the floor that would carry it out."""
    assert isinstance(command, jackpot.Signed)
    id = stream.removeprefix(JACKPOT)
    meter = hub.house.jackpots.meter(id)
    name = meter.terms.name if meter is not None else id
    reason = command.note if isinstance(command, jackpot.AdjustJackpot) else command.reason
    why = f", {command.why}" if isinstance(command, jackpot.AdjustJackpot) else ""
    try:
        lines = list(hub.house.jackpots.effect(id, command, PROGRAM).lines)
    except Refused as refusal:
        lines = [f"It cannot be done as things stand: {refusal}"]
    return Described(f"{capital(name_of(type(command)))}: {name}{why}", [*lines, f"Reason: {reason}"])


DESCRIBED: dict[type, Describe] = {
    VoidRound: _void,
    Resolve: _resolve,
    Book: _book,
    **dict.fromkeys(get_args(jackpot.Signed), _jackpot),
}
"""How each kind of command is told; one that is not here is told by its fields."""


def described(hub: Hub, names: Names, stream: str, command: Signed) -> Described:
    if type(command) in DESCRIBED:
        return DESCRIBED[type(command)](hub, names, stream, command)
    fields = msgspec.structs.asdict(command)
    return Described(capital(name_of(type(command))), [f"{name}: {value}" for name, value in fields.items()])


def _is_dealt(house: House, waiting: Waiting) -> bool:
    """Whether there is a dealer who may sign it."""
    live = house.tables.get(waiting.stream)
    return has_dealer(None if live is None else live.table)


def fits(hub: Hub, who: Who, waiting: Waiting) -> bool:
    """Whether the second signature is one of their role, and it is not too late."""
    if waiting.by == who.id or _is_too_late(hub, waiting.stream, waiting.command):
        return False
    roles = hub.house.staff.roles(waiting.by)
    return may_sign(type(waiting.command), roles, who.roles, _is_dealt(hub.house, waiting))


def can_sign(hub: Hub, who: Who, waiting: Waiting) -> bool:
    """Whether somebody can be the second of two, now."""
    return fits(hub, who, waiting) and not hub.house.staff.are_in_one_hand(waiting.by, who.id)


async def shown(desk: Desk, who: Who) -> list[Shown]:
    """Everything that waits, the oldest first."""
    hub, house = desk.hub, desk.hub.house
    waiting = sorted(house.administration.waiting.values(), key=lambda one: one.since)
    accounts = {a for one in waiting if isinstance(one.command, Book) for a in (one.command.payer, one.command.payee)}
    ids = {one.by for one in waiting} | {account.partition(":")[2] for account in accounts} - {""}
    names = await desk.names(ids) if ids else {}
    return [
        Shown(
            one,
            described(hub, names, one.stream, one.command),
            names[one.by],
            listed(who_may_sign(type(one.command), house.staff.roles(one.by), _is_dealt(house, one))),
            can_sign(hub, who, one),
            fits(hub, who, one) and not can_sign(hub, who, one),
            who.may(Withdraw) and (one.by == who.id or Role.MANAGER in who.roles),
        )
        for one in waiting
    ]


def acts_on(house: House, form: Form, actor: Actor) -> dict[str, tuple[Callable[[], None], str]]:
    """What a form can ask for about something that waits: how it is carried out, and what is said then."""
    return {
        "sign": (partial(house.staff.sign, form["action"], actor), "Signed, and done."),
        "withdraw": (partial(house.staff.withdraw, form["action"], form["reason"], actor), "Withdrawn."),
    }


def add_signatures(app: FastAPI, desk: Desk) -> None:
    hub, house = desk.hub, desk.hub.house
    desk.ways.append(Way(PATH, "Signatures", STAFF))

    def offers(who: Who) -> Iterator[Offer]:
        waiting = house.administration.waiting.values()
        for_you = sum(can_sign(hub, who, one) for one in waiting)
        own = sum(one.by == who.id for one in waiting)
        if for_you:
            yield Offer("Waits for your signature", "Somebody has signed first.", PATH, for_you, urgent=True)
        if own:
            yield Offer("Waits for somebody else", "You have signed; another person has to.", PATH, own)
        if not for_you and not own and who.roles & (SIGNERS | {Role.AUDITOR, Role.SURVEILLANCE}):
            yield Offer("Signatures", "Everything that waits for a second signature.", PATH, len(waiting))

    desk.offers.append(offers)

    async def waiting_page(request: Request, form: Form = NO_FORM, refusal: str = "") -> Response:
        who = await desk.asked_by(request)
        found = sorted(await shown(desk, who), key=lambda one: not one.can_sign)
        status = 422 if refusal else 200
        context = {"found": found, "entered": form, "refusal": refusal, "one_hand": ONE_HAND}
        return await desk.page(request, who, "house/waiting.html", status, **context)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def waiting(request: Request) -> Response:
        return await waiting_page(request)

    @app.post(PATH, include_in_schema=False)
    async def sign(request: Request) -> Response:
        who, form = await desk.asked_by(request), await read_form(request)
        acts = acts_on(house, form, who.actor)
        if form["do"] not in acts:
            return await waiting_page(request, form, "That is nothing that this page does.")
        work, said = acts[form["do"]]
        return await desk.answer(
            request, who, work, said=said, then=PATH, again=lambda why: waiting_page(request, form, why)
        )
