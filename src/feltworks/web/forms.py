"""What a form carries, read with care: no more than is asked for, and no more often than an address may send it."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs

from fastapi import HTTPException, Request

from feltworks.web.entrance import Scope
from feltworks.web.guard import TooMuch
from feltworks.web.sockets import LARGEST


class Form:
    """The fields of a form; bytes that make no text stay visible as such."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self.fields = fields

    def __getitem__(self, name: str) -> str:
        """What stands in a field, without blanks around it; nothing where there is none."""
        return self.raw(name).strip()

    def raw(self, name: str) -> str:
        """What stands in a field to the letter, as a password does."""
        return self.fields.get(name, [""])[0]

    def all(self, name: str) -> tuple[str, ...]:
        """All that is ticked under a name."""
        return tuple(self.fields.get(name, ()))


NO_FORM = Form({})
"""What a page shows that nobody has filled in yet."""


async def read_form(request: Request, most: int = LARGEST) -> Form:
    return Form(parse_qs((await short_body(request, most)).decode(errors="replace"), keep_blank_values=True))


async def short_body(request: Request, most: int = LARGEST) -> bytes:
    """The body of a request; a long one is refused before all of it is here."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise HTTPException(413, "That is too long.")
    return body


async def read_file(request: Request, name: str, most: int) -> bytes:
    """The file that a form carries under a name; nothing where none was chosen."""
    body = await short_body(request, most)
    found = re.search(r'boundary="?([^";]+)', request.headers.get("content-type", ""))
    if found is None:
        raise HTTPException(415, "Send the file by the form of the page.")
    for part in (b"\r\n" + body).split(b"\r\n--" + found[1].encode())[1:-1]:
        head, _, data = part.partition(b"\r\n\r\n")
        if f'name="{name}"'.encode() in head:
            return data
    return b""


def no_more(cap: Callable[[Scope], None], request: Request) -> None:
    """Refuse what is more than an address may have."""
    try:
        cap(request.scope)
    except TooMuch as refusal:
        raise HTTPException(429, str(refusal), {"Retry-After": str(refusal.wait)}) from None
