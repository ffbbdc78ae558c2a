"""The addresses at which the lab is asked: what settings do to the figures of a game."""

from collections.abc import Awaitable, Callable

import msgspec
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response

from feltworks.kit.questions import Answer, Edges, Mistake, Question
from feltworks.web.forms import no_more, short_body
from feltworks.web.guard import Door
from feltworks.web.lab import NOT_NOW, Lab, NotNow

_encode = msgspec.json.Encoder().encode
_edges = msgspec.json.Decoder(Edges)


def add_lab_questions(
    app: FastAPI, lab: Lab | None, door: Door, player_of: Callable[[Request], Awaitable[str | None]]
) -> None:
    @app.post("/api/lab/edges")
    async def edges(request: Request) -> Response:
        """What the house keeps of each wager with these settings, exactly; or of one wager."""
        asker = await _may_ask(request)
        try:
            question = _edges.decode(await short_body(request))
        except msgspec.DecodeError as wrong:
            raise HTTPException(422, f"These are not settings of a game: {wrong}.") from None
        answer = await _ask(lab, question, f"{asker} edges {question.wager}")
        return Response(_encode(answer), media_type="application/json", headers={"cache-control": "no-store"})

    async def _may_ask(request: Request) -> str:
        """Refuse who may not ask; otherwise who asks: the person, or where nobody is known, the connection."""
        no_more(door.question, request)
        return await player_of(request) or str(request.scope.get("client"))


async def _ask(lab: Lab | None, question: Question, asker: str) -> Answer:
    """What the lab answers; where there is none, or it does not answer, the figures are not there now."""
    if lab is None:
        raise HTTPException(503, NOT_NOW)
    try:
        answer = await lab.ask(question, asker)
    except NotNow as refusal:
        raise HTTPException(503, str(refusal), {"Retry-After": "1"}) from None
    if isinstance(answer, Mistake):
        raise HTTPException(422, answer.why)
    return answer
