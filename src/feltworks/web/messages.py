"""Every message that the server says or hears. To the last field they are defined in the modules of messages beside
this one, and nowhere else: what is posted at a table, what each person sees, what happened, what goes through the
socket, the lobby, the rounds and the games.

The server builds its answers from these, `/api/openapi.json` and the types of the page's scripts are made of them
(`openapi.py`, `make types`), and the tests hold every message and `docs/api.md` against them. A field that may be
missing is `UNSET` then; one that may be nothing is null.
"""

from typing import Any

import msgspec

from feltworks.kit.questions import Edges, EdgesTold
from feltworks.web.game_messages import GameTold
from feltworks.web.jackpot_messages import JackpotReturns
from feltworks.web.lobby_messages import SessionTold, TableListed
from feltworks.web.message import Message
from feltworks.web.round_messages import Recalled, Rounds, RoundViews, ShareCode
from feltworks.web.socket_messages import HEARS, SAYS


class Problem(Message, frozen=True):
    """Why a request was not answered."""

    detail: str


ANSWERS: dict[str, Any] = {
    "/api/tables": list[TableListed],
    "/api/tables/{table}/jackpot": JackpotReturns,
    "/api/tables/{table}/rounds": Rounds,
    "/api/tables/{table}/rounds/{number}": Recalled,
    "/api/tables/{table}/rounds/{number}/views": RoundViews,
    "/api/tables/{table}/rounds/{number}/share": ShareCode,
    "/api/games/{game}": GameTold,
    "/api/session": SessionTold,
    "/api/lab/edges": EdgesTold,
}
"""What each address answers."""
ASKS: dict[str, Any] = {"/api/lab/edges": Edges}
"""What is asked of an address in the body of a request."""


def schemas(refs: str) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """JSON schemas: of what each address answers, and of every message by its name; `refs` is how one names another."""
    types = [*ANSWERS.values(), *ASKS.values(), Problem, *SAYS, *HEARS]
    found, parts = msgspec.json.schema_components(types, ref_template=refs)
    return dict(zip(ANSWERS, found, strict=False)), parts
