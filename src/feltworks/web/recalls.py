"""Rounds as they are recalled: read, checked, encoded and compressed away from the loop, and sent in pieces."""

import gzip
from collections import OrderedDict
from collections.abc import Iterator

import msgspec

from feltworks.floor.house import House
from feltworks.floor.store.reader import Reader
from feltworks.web import posted
from feltworks.web.archive import Archive

PIECE, LEVEL = 65_536, 5
MOST_KEPT, MOST_BYTES = 64, 8_000_000
"""Of the rounds that are over, so many that were asked for last are kept: they do not change any more."""


class Recalls:
    def __init__(self, house: House, archive: Archive) -> None:
        self.house, self.archive = house, archive
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    async def of(self, table: str, number: int) -> bytes | None:
        """A round as compressed JSON, if there is such a one."""
        if (table, number) in self._kept:
            self._kept.move_to_end((table, number))
            return self._kept[table, number]
        is_over = self._is_over(table, number)

        def read(store: Reader) -> bytes | None:
            found = posted.recall(self.house, store, table, number)
            return None if found is None else gzip.compress(msgspec.json.encode(found), LEVEL, mtime=0)

        body = await self.archive.ask(read)
        if body is not None and is_over:
            self._kept[table, number] = body
            while len(self._kept) > MOST_KEPT or sum(map(len, self._kept.values())) > MOST_BYTES:
                self._kept.popitem(last=False)
        return body

    def _is_over(self, table: str, number: int) -> bool:
        live = self.house.tables.get(table)
        return live is not None and (number < live.table.round_number or live.table.round is None)


def in_pieces(body: bytes) -> Iterator[bytes]:
    return (body[at : at + PIECE] for at in range(0, len(body), PIECE))
