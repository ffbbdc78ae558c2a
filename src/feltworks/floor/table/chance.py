"""What a table asks chance for: live, the house's sealed shoes and rolls; in a check of the records, the record."""

from collections.abc import Collection
from typing import Literal, Protocol

from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Token

Shuffle = Literal["round", "put back", "discards", "rolls"]
"""What a new root is for: a round begins; a card went back into the shuffler; the shoe is empty and the discards are
dealt on (F-23); all rolls under the old root are rolled."""


class TableChance(Protocol):
    """Cards and dice of one table."""

    def answer(self, table: Table) -> steps.Answer:
        """The card, the reader's light or the dice at the step at which the round waits."""
        ...

    def shuffled(self, table: Table, what: Shuffle, back: Collection[Token] = ()) -> tuple[str, int]:
        """A new root and how many positions it commits to, before the first of them is used (F-21)."""
        ...

    def openings(self, table: Table) -> tuple[SharedOpening, ...]:
        """Every card of the round that was turned to all and every roll, opened for everybody to check (F-21)."""
        ...
