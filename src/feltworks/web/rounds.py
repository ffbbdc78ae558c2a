"""The addresses of rounds: the list of a table, one round to read, to save and to share, and the page of it."""

import asyncio
import gzip
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, TypeVar

import msgspec
from fastapi import FastAPI, HTTPException, Query, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from fastapi.templating import Jinja2Templates

from feltworks.floor.actors import person as by_person
from feltworks.floor.evidence import claim_for
from feltworks.floor.house import House
from feltworks.floor.past_round import find_over
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader
from feltworks.kit.errors import FeltworksError
from feltworks.web import lobby_messages, posted, round_list, round_views
from feltworks.web.forms import no_more, read_form
from feltworks.web.guard import Door
from feltworks.web.hub import Hub
from feltworks.web.recalls import Recalls, in_pieces
from feltworks.web.share_code import shared_seat

MOST_ROUNDS = 2**53
"""Round numbers are whole numbers that every client can hold."""
Number = Annotated[int, InPath(ge=1, le=MOST_ROUNDS)]
Before = Annotated[int | None, Query(ge=1, le=MOST_ROUNDS)]
PRIVATE = {"cache-control": "no-store"}
"""For what is not everybody's: no cache on the way keeps it."""
WRONG_CODE = (
    "This link does not open anybody's cards: its code is cut off, or was made for another round. Ask who sent it for"
    " the whole link, or open the round without the code."
)

T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


def add_rounds(
    app: FastAPI, hub: Hub, pages: Jinja2Templates, door: Door, player_of: Callable[[Request], Awaitable[str | None]]
) -> None:
    house, recalls = hub.house, Recalls(hub.house, hub.rounds)

    @app.get("/api/tables/{table}/rounds")
    async def rounds(request: Request, table: str, before: Before = None, which: round_list.Which = "all") -> Response:
        """The last rounds of a table, newest first, with how you came out of them; `before` goes further back, `which`
        leaves out those that you did not play, win or lose."""
        known, player = _known(house, table), await player_of(request)
        found = await _read(hub, lambda store: round_list.rounds(house, store, known, before, player, which))
        return Response(_encode(found), media_type="application/json", headers=PRIVATE)

    @app.get("/api/tables/{table}/rounds/{number}")
    async def recall(
        request: Request, table: str, number: Number, share: str | None = None, file: bool = False
    ) -> Response:
        """One round, step by step (F-18); with the code of a link also the cards of that seat, with `file` to save."""
        seat = _seat(house, table, number, share)
        body = await _there(recalls.of(_known(house, table), number, seat))
        name = f'attachment; filename="feltworks-{table}-round-{number}.json"'
        return await _packed(request, body, {"content-disposition": name} if file else {}, seat)

    @app.get("/api/tables/{table}/rounds/{number}/views")
    async def views(request: Request, table: str, number: Number, share: str | None = None) -> Response:
        """How the table looked after every record of a round that is over."""
        seat = _seat(house, table, number, share)
        return await _packed(request, await _there(recalls.views(_known(house, table), number, seat)), {}, seat)

    @app.get("/api/tables/{table}/rounds/{number}/share")
    async def share(request: Request, table: str, number: Number) -> Response:
        """What opens the cards that were turned to your seat alone in a round that is over, for whom you give it to."""
        known, player = _known(house, table), await player_of(request)
        if player is None:
            raise HTTPException(403, "Only who played in a round can share its cards.", PRIVATE)
        made = await _read(hub, lambda store: round_views.share(house, store, known, number, player))
        if made is None:
            raise HTTPException(404, await _read(hub, partial(_not_there, house, known, number)), PRIVATE)
        return Response(_encode(made), media_type="application/json", headers=PRIVATE)

    @app.post("/api/tables/{table}/rounds/{number}/dispute", include_in_schema=False)
    async def dispute(request: Request, table: str, number: Number) -> Response:
        """Somebody disputes a round that they have played (F-19)."""
        text = (await read_form(request)).raw("text")
        player = await player_of(request)
        if table not in house.tables:
            raise HTTPException(404, "There is no such table, or it is not played on.", PRIVATE)
        if player is None:
            raise HTTPException(403, "Only who played a round can dispute it.", PRIVATE)
        no_more(door.dispute, request)
        actor = by_person(player)
        try:
            claim = await _read(hub, lambda store: claim_for(house, store, table, number, text, actor))
            made = await hub.clerk.carried_out(partial(house.pending.claim, claim))
        except Refused as refusal:
            raise HTTPException(422, str(refusal), PRIVATE) from None
        except FeltworksError as fault:  # the records cannot be written
            raise HTTPException(503, str(fault), PRIVATE) from None
        return Response(_encode(lobby_messages.Disputed(made)), media_type="application/json", headers=PRIVATE)

    @app.get("/table/{table}/round/{number}", response_class=HTMLResponse, include_in_schema=False)
    async def page(request: Request, table: str, number: str, share: str | None = None, step: str = "") -> Response:
        """A round for whoever has the link to it, with or without a session; `step` is the event that is shown first,
        where it is not the last."""
        if table not in house.tables and table not in house.closed:
            raise HTTPException(404, "There is no such table; go back to the lobby.")
        wanted = int(number) if re.fullmatch(r"[1-9][0-9]{0,15}", number) else 0
        _seat(house, table, wanted, share)
        if not wanted or await _read(hub, lambda store: find_over(house, store, table, wanted)) is None:
            raise HTTPException(404, await _read(hub, partial(_not_there, house, table, wanted)))
        shown = {
            "id": table,
            "name": _name(house, table),
            "number": wanted,
            "share": share or "",
            "step": step if re.fullmatch(r"[1-9][0-9]{0,15}", step) else "",
            "closed": posted.not_played(house, table),
        }
        return pages.TemplateResponse(request, "round.html", shown, headers=PRIVATE)


def _known(house: House, table: str) -> str:
    """A table whose rounds can be recalled: also one that is closed."""
    if table not in house.tables and table not in house.closed:
        raise HTTPException(404, "There is no such table.")
    return table


def _name(house: House, table: str) -> str:
    if table in house.tables:
        return house.live(table).table.settings.name
    settings = house.closed[table].settings
    return settings.name if settings else table


def _seat(house: House, table: str, number: int, code: str | None) -> int | None:
    """The seat whose cards a link opens. A wrong code is refused before anything of the round is looked at: nobody can
    tell by it whether there is such a round, or such cards."""
    if code is None:
        return None
    seat = shared_seat(house.keys, table, number, code)
    if seat is None:
        raise HTTPException(403, WRONG_CODE, PRIVATE)
    return seat


def _not_there(house: House, table: str, number: int, store: Reader) -> str:
    """Why a round cannot be shown, and what to do."""
    name, last = _name(house, table), store.rounds(table, limit=1)
    if not last:
        return f"No round was played at {name} yet."
    if number and store.rounds(table, limit=1, before=number + 1)[:1] and number == last[0].round:
        if table in house.tables:
            return f"Round {number} at {name} is still being played; open this link again when it is over."
        return f"Round {number} at {name} was never finished, so there is nothing to show of it."
    return f"There is no such round at {name}; the last one is round {last[0].round}. Look in the table's history."


async def _read(hub: Hub, question: Callable[[Reader], T]) -> T:
    return await _in_words(hub.rounds.ask(question))


async def _in_words(found: Awaitable[T]) -> T:
    """What is read from the records, or why it cannot be."""
    try:
        return await found
    except round_views.NotYours as refusal:
        raise HTTPException(403, str(refusal), PRIVATE) from None
    except Refused:
        raise
    except msgspec.DecodeError:
        raise HTTPException(503, "The records of this table were changed; run `felt verify`.") from None
    except FeltworksError as fault:
        raise HTTPException(503, str(fault)) from None


async def _there(body: Awaitable[bytes | None]) -> bytes:
    found = await _in_words(body)
    if found is None:
        raise HTTPException(404, "There is no such round at this table.")
    return found


async def _packed(request: Request, body: bytes, headers: dict[str, str], seat: int | None) -> Response:
    """Compressed JSON, or as it was before that for whoever does not read it."""
    headers = headers if seat is None else headers | PRIVATE
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = headers | {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    else:
        body = await asyncio.to_thread(gzip.decompress, body)
    return StreamingResponse(in_pieces(body), headers=headers, media_type="application/json")
