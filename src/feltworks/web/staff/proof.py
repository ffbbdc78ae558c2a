"""Taking the records along and verifying them: an excerpt of any time that verifies offline, the public key, the newest
signature, and a verification here and now (F-13, F-16)."""

import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from feltworks.floor.data_folder import PUBLIC
from feltworks.floor.excerpt.write import pieces, plan
from feltworks.floor.journal.receipts import head_file
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.web.archive import Archive
from feltworks.web.forms import read_form
from feltworks.web.staff.access import EXPORT_RECORDS, READ_RECORDS, VERIFY_RECORDS
from feltworks.web.staff.desk import PRIVATE, Desk, Offer, Who, go
from feltworks.web.staff.event_list import RANGE, typed
from feltworks.web.staff.records import PATH as RECORDS
from feltworks.web.staff.time_range import TimeRange, said
from feltworks.web.staff.verification import Verification

PATH = f"{RECORDS}/verify"
EXPORT = f"{RECORDS}/export"
GZIP = 16 + zlib.MAX_WBITS
LEVEL = 1


class Download(StreamingResponse):
    """Something long, and what is done when it is over, however it ends."""

    def __init__(self, *of: Any, over: Callable[[], None], **how: Any) -> None:
        super().__init__(*of, **how)
        self.over = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.over()


class Proof:
    """What the page keeps while the server runs."""

    def __init__(self, desk: Desk) -> None:
        house = desk.hub.house
        self.verification = Verification(house)
        self.exports = Archive(house.store.path, "exports")
        """Apart from whoever reads the records: to find out where an excerpt begins may take long."""
        self.exporting: set[str] = set()
        """Persons whose export is under way, by id."""

    async def close(self) -> None:
        await self.verification.close()
        self.exports.close()


def add_proof(app: FastAPI, desk: Desk) -> Proof:
    house, proof = desk.hub.house, Proof(desk)
    verification = proof.verification

    def offers(who: Who) -> Iterator[Offer]:
        if who.roles & EXPORT_RECORDS:
            yield Offer("Export and verify", "Take any time along as a file that verifies offline.", PATH)
        elif who.roles & VERIFY_RECORDS:
            yield Offer("Verify the records", "Check every record against the house's key.", PATH)

    desk.offers.append(offers)

    def given_range(request: Request) -> TimeRange:
        return TimeRange.of(*typed(request, *RANGE))

    async def proof_page(request: Request, who: Who, refusal: str = "", status: int = 422) -> Response:
        chosen, given = None, dict(zip(RANGE, typed(request, *RANGE), strict=True))
        if (given["from"] or given["until"]) and "x-live" not in request.headers:
            try:
                chosen = given_range(request)
                given = chosen.fields
                commits = await proof.exports.ask(partial(_commits, chosen))
            except BadValue as problem:
                chosen, refusal = None, refusal or str(problem)
            except FeltworksError as fault:
                raise HTTPException(503, f"The records cannot be read: {fault}") from None
        run = verification.last
        shown = {
            "given": given,
            "chosen": chosen,
            "commits": commits if chosen else None,
            "key_file": PUBLIC,
            "public": house.keys.public,
            "head": house.head,
            "run": run,
            "is_running": verification.is_running,
            "asked_by": (await desk.names([run.by]))[run.by] if run else "",
            "can_export": bool(who.roles & EXPORT_RECORDS),
            "can_verify": bool(who.roles & VERIFY_RECORDS),
            "refusal": refusal,
            "path": PATH,
            "records": RECORDS,
        }
        return await desk.page(request, who, "house/proof.html", status if refusal else 200, **shown)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def page(request: Request) -> Response:
        return await proof_page(request, await desk.asked_by(request, READ_RECORDS))

    @app.post(PATH, include_in_schema=False)
    async def verify(request: Request) -> Response:
        who, form = await desk.asked_by(request, VERIFY_RECORDS), await read_form(request)
        try:
            if form["do"] != "verify":
                raise Refused("That is nothing that this page does.")
            verification.start(who.id)
        except Refused as refusal:
            return await proof_page(request, who, str(refusal))
        return go(request, PATH)

    @app.get(EXPORT, include_in_schema=False)
    async def export(request: Request) -> Response:
        """The records of a range, as an excerpt that anybody verifies with the public key alone."""
        who = await desk.asked_by(request, EXPORT_RECORDS)
        if who.id in proof.exporting:
            return await proof_page(
                request, who, "You have an export under way; wait until it is here, or cancel it in your browser.", 429
            )
        proof.exporting.add(who.id)
        over = partial(proof.exporting.discard, who.id)
        try:
            span = given_range(request)
            if not await proof.exports.ask(partial(_commits, span)):
                ends = (said(end) for end in span.ends)
                raise BadValue("Nothing was recorded between {} and {}; choose another range.".format(*ends))
            planned = await proof.exports.ask(lambda store: plan(store, *span.ends, house.keys.public))
        except BadValue as problem:
            over()
            return await proof_page(request, who, str(problem))
        except FeltworksError as fault:
            over()
            raise HTTPException(503, f"Nothing is exported: {fault}") from None
        except BaseException:
            over()
            raise
        headers = {"content-disposition": f'attachment; filename="{span.file_name}"', **PRIVATE}
        packed = "gzip" in request.headers.get("accept-encoding", "")

        def make(store: Reader) -> Iterator[bytes]:
            found = pieces(store, planned)
            return compressed(found) if packed else found

        async def sent() -> Any:
            try:
                async for piece in proof.exports.stream(make):
                    yield piece
            except FeltworksError as fault:
                desk.tell(who, f"The export was broken off, and its file cannot be used: {fault}")
                raise

        if packed:
            headers |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
        return Download(sent(), over=over, headers=headers, media_type="application/jsonl")

    @app.get(f"{RECORDS}/key", include_in_schema=False)
    async def key(request: Request) -> Response:
        """The house's public key, as it lies beside the records."""
        await desk.asked_by(request, READ_RECORDS)
        return _file(f"{house.keys.public}\n".encode(), PUBLIC, "text/plain")

    @app.get(f"{RECORDS}/head", include_in_schema=False)
    async def head(request: Request) -> Response:
        """The newest signature, as `felt verify --export` writes it."""
        await desk.asked_by(request, READ_RECORDS)
        if (newest := house.head) is None:
            raise HTTPException(404, "Nothing is signed yet, or the records cannot be followed to their end.")
        return _file(head_file(newest), f"feltworks-head-{newest.group}.json", "application/json")

    return proof


def compressed(found: Iterator[bytes]) -> Iterator[bytes]:
    """The same, compressed where it is read: the loop has no time for it."""
    packing = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    for piece in found:
        if packed := packing.compress(piece):
            yield packed
    yield packing.flush()


def _commits(span: TimeRange, store: Reader) -> bool:
    """Whether there is any commit in a range."""
    return store.commits_between(*span.ends) is not None


def _file(body: bytes, name: str, kind: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', **PRIVATE}
    return Response(body, headers=headers, media_type=kind)
