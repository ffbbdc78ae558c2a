"""Rounds as they are recalled: read, checked, encoded and compressed away from the loop, and sent in pieces."""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec

from feltworks.floor.house import House
from feltworks.floor.store.reader import Reader
from feltworks.web import posted, round_views
from feltworks.web.archive import Archive

PIECE, LEVEL = 65_536, 5
MOST_KEPT, MOST_BYTES = 64, 8_000_000
"""So many rounds that were asked for last are kept: one that is over does not change any more."""
OVER = None
Asked = tuple[Literal["steps", "views"], str, int, int | None, int | None]
"""What of which round of a table, with the cards of which seat, and of which version of the table."""


class Recalls:
    def __init__(self, house: House, archive: Archive) -> None:
        self.house, self.archive = house, archive
        self._kept: OrderedDict[Asked, bytes] = OrderedDict()
        self._reading: dict[Asked, asyncio.Task[bytes | None]] = {}

    async def of(self, table: str, number: int, seat: int | None = None) -> bytes | None:
        """A round as compressed JSON, if there is such a one; `seat` a number: with the cards turned to it alone."""

        def read(store: Reader) -> Any:
            found = posted.recall(self.house, store, table, number)
            if found is None or seat is None:
                return found
            shared = round_views.shared_cards(self.house, store, table, number, seat)
            return msgspec.structs.replace(found, shared=shared)

        return await self._once(("steps", table, number, seat, self._version(table, number)), read)

    async def views(self, table: str, number: int, seat: int | None = None) -> bytes | None:
        """How the table looked in a round that is over, in the same way."""

        def read(store: Reader) -> Any:
            return round_views.round_views(self.house, store, table, number, seat)

        return await self._once(("views", table, number, seat, self._version(table, number)), read)

    async def _once(self, asked: Asked, read: Callable[[Reader], Any]) -> bytes | None:
        """It is read once for all who ask at the same time."""
        if asked in self._kept:
            self._kept.move_to_end(asked)
            return self._kept[asked]
        if asked not in self._reading:
            self._reading[asked] = asyncio.create_task(self._read(asked, read))
        return await asyncio.shield(self._reading[asked])

    async def _read(self, asked: Asked, read: Callable[[Reader], Any]) -> bytes | None:
        _, table, number, _, version = asked

        def packed(store: Reader) -> bytes | None:
            found = read(store)
            return None if found is None else gzip.compress(msgspec.json.encode(found), LEVEL, mtime=0)

        try:
            body = await self.archive.ask(packed)
        finally:
            del self._reading[asked]
        if body is not None and (version is OVER or self._version(table, number) == version):
            self._kept[asked] = body
            while len(self._kept) > MOST_KEPT or sum(map(len, self._kept.values())) > MOST_BYTES:
                self._kept.popitem(last=False)
        return body

    def _version(self, table: str, number: int) -> int | None:
        """Which version of the table a recall is of: of a round that is over, any."""
        live = self.house.tables.get(table)
        if live is None or number < live.table.round_number or live.table.round is None:
            return OVER
        return live.table.version


def in_pieces(body: bytes) -> Iterator[bytes]:
    return (body[at : at + PIECE] for at in range(0, len(body), PIECE))
