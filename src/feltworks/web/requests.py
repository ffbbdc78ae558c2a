"""What every address does with a request: it is no longer, and comes no oftener, than it may."""

from collections.abc import Callable

from fastapi import HTTPException, Request

from feltworks.web.entrance import Scope
from feltworks.web.guard import TooMuch
from feltworks.web.sockets import LARGEST


def no_more(cap: Callable[[Scope], None], request: Request) -> None:
    """Refuse what is more than an address may have."""
    try:
        cap(request.scope)
    except TooMuch as refusal:
        raise HTTPException(429, str(refusal), {"Retry-After": str(refusal.wait)}) from None


async def short_body(request: Request) -> bytes:
    """The body of a request; a long one is refused before all of it is here."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            raise HTTPException(413, "That is too long.")
    return body
