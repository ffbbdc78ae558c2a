"""Disputes as those see them who work here (F-19): what is open, the round as evidence on its felt, and the decision by
the precedence of F-05."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from msgspec import UNSET

from feltworks.floor.evidence import claim_for
from feltworks.floor.people import PATRON_NAME
from feltworks.floor.precedence import PRECEDENCE, called_at
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import RIGHTS, Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.disputes import LONGEST_CLAIM, LONGEST_REASON
from feltworks.floor.table.pending import DecidedDispute, Dispute, Verdict
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.errors import FeltworksError
from feltworks.web.forms import NO_FORM, Form, read_form
from feltworks.web.staff.access import READ_DISPUTES
from feltworks.web.staff.desk import Desk, Note, Offer, Way, Who
from feltworks.web.staff.settings_form import cents

PATH = "/house/disputes"
CLAIMS = RIGHTS[cmd.Claim].roles - {Role.PLAYER}
"""Those of the staff who take a dispute down for somebody."""


class Row(NamedTuple):
    """A dispute in a list, with how its table and its player are called."""

    table: str
    name: str
    dispute: Dispute
    player: str
    decided: DecidedDispute | None = None


def add_disputes(app: FastAPI, desk: Desk) -> None:
    hub, house = desk.hub, desk.hub.house
    desk.ways.append(Way(PATH, "Disputes", READ_DISPUTES))

    def offers(who: Who) -> Iterator[Offer]:
        if not who.roles & READ_DISPUTES:
            return
        found = house.pending.open_disputes()
        decides = who.may(cmd.DecideDispute)
        text = "Somebody disputes a round; the records are the evidence." if found else "No round is disputed."
        yield Offer("Disputes", text, PATH, len(found), urgent=decides and bool(found))

    desk.offers.append(offers)

    async def rows() -> tuple[list[Row], list[Row]]:
        """Those that are open, the oldest first, and those that were decided last."""
        found, decided = house.pending.open_disputes(), house.pending.decided_disputes()
        names = await desk.names({one.player for _, one in found} | {one.dispute.player for _, one in decided} - {""})
        titles = {id: settings.name for id, settings in all_settings().items()}
        now = [Row(at, titles.get(at, at), one, names.get(one.player, PATRON_NAME)) for at, one in found]
        then = [
            Row(at, titles.get(at, at), one.dispute, names.get(one.dispute.player, PATRON_NAME), one)
            for at, one in decided
        ]
        return now, then[::-1]

    def all_settings() -> dict[str, TableSettings]:
        closed = {id: table.settings for id, table in house.closed.items() if table.settings is not None}
        return closed | {id: live.table.settings for id, live in house.tables.items()}

    async def list_page(request: Request, form: Form = NO_FORM, refusal: str = "") -> Response:
        who = await desk.asked_by(request, READ_DISPUTES)
        found, decided = await rows()
        shown = {
            "found": found,
            "decided": decided,
            "path": PATH,
            "can_decide": who.may(cmd.DecideDispute),
            "can_claim": bool(who.roles & CLAIMS),
            "tables": {id: live.table.settings.name for id, live in house.tables.items()},
            "longest": LONGEST_CLAIM,
            "entered": form,
            "refusal": refusal,
        }
        return await desk.page(request, who, "house/disputes.html", 422 if refusal else 200, **shown)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def disputes(request: Request) -> Response:
        return await list_page(request)

    @app.post(PATH, include_in_schema=False)
    async def claim(request: Request) -> Response:
        """The dealer or the supervisor takes down what somebody at a seat disputes."""
        who, form = await desk.asked_by(request, CLAIMS), await read_form(request)
        table = form["table"]
        try:
            if table not in house.tables:
                raise Refused("Choose the table.")
            seat, number = numbers(form["seat"], "seat"), numbers(form["round"], "round")
            made = await hub.rounds.ask(
                lambda store: claim_for(house, store, table, number, form["text"], who.actor, seat)
            )
        except FeltworksError as problem:
            return await list_page(request, form, str(problem))
        return await desk.answer(
            request,
            who,
            partial(house.pending.claim, made),
            said=lambda n: Note(f"Dispute {n} is open."),
            then=PATH,
            again=partial(list_page, request, form),
        )

    async def one_page(request: Request, table: str, number: int, form: Form = NO_FORM, refusal: str = "") -> Response:
        who = await desk.asked_by(request, READ_DISPUTES)
        found, decided = await rows()
        row = next((row for row in (*found, *decided) if (row.table, row.dispute.number) == (table, number)), None)
        if row is None:
            raise HTTPException(404, "There is no such dispute, or it was decided long ago; the records have all.")
        settings = all_settings().get(table)
        game = house.live(table).table.game if table in house.tables else None
        rules = settings.house_rules if settings is not None and settings.house_rules is not UNSET else ()
        shown = {
            "row": row,
            "path": PATH,
            "precedence": {kind: called_at(game, kind) if game is not None else kind for kind in PRECEDENCE},
            "rules": {kind: [rule.text for rule in rules if rule.kind == kind] for kind in PRECEDENCE},
            "can_decide": who.may(cmd.DecideDispute) and row.decided is None,
            "longest": LONGEST_REASON,
            "entered": form,
            "refusal": refusal,
        }
        return await desk.page(request, who, "house/dispute.html", 422 if refusal else 200, **shown)

    @app.get(PATH + "/{table}/{number}", response_class=HTMLResponse, include_in_schema=False)
    async def dispute(request: Request, table: str, number: int) -> Response:
        return await one_page(request, table, number)

    @app.post(PATH + "/{table}/{number}", include_in_schema=False)
    async def decide(request: Request, table: str, number: int) -> Response:
        who, form = await desk.asked_by(request, READ_DISPUTES), await read_form(request)

        def work() -> None:
            house.pending.decide_dispute(table, decision(number, form), who.actor)

        again = partial(one_page, request, table, number, form)
        return await desk.answer(request, who, work, said="Decided.", then=PATH, again=again)


def numbers(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise Refused(f"Give the number of the {what}.")
    return int(text)


def decision(number: int, form: Form) -> cmd.DecideDispute:
    """What a form decides: what is to be taken back is entered as an amount too."""
    verdict, rule = form["decision"], form["rule"]
    if verdict not in ("upheld", "rejected"):
        raise Refused("Say whether the dispute is upheld or rejected.")
    kind = next((kind for kind in PRECEDENCE if kind == rule), None)
    if kind is None:
        raise Refused("Say which rules decide it.")
    amount = cents(form["amount"]) if form["amount"] else 0
    if amount and form["direction"] not in ("pay", "take"):
        raise Refused("Say whether the amount is paid to the player or taken back.")
    sign = -1 if form["direction"] == "take" else 1
    decided: Verdict = "upheld" if verdict == "upheld" else "rejected"
    return cmd.DecideDispute(number, decided, kind, form["reason"], sign * amount)
