"""Who waits for a seat: a line for each table, in the order in which people came. It is kept in memory alone: whoever
waits has a page open, and asks again when the server was away."""

from collections.abc import Iterable

from feltworks.floor.refusal import Refused

MOST_AT_A_TABLE = 20
MOST_FROM_AN_ADDRESS = 20
"""At all tables together: an address may be a whole hotel."""


class Lines:
    """The lines of all tables."""

    def __init__(self) -> None:
        self._at: dict[str, dict[str, str]] = {}
        """By table, the players in their order, each with the address that they came from."""

    def of(self, table: str) -> list[str]:
        return list(self._at.get(table, ()))

    def place(self, table: str, player: str) -> int | None:
        """The how manieth somebody is, if they wait there."""
        line = self._at.get(table, {})
        return list(line).index(player) + 1 if player in line else None

    def join(self, table: str, player: str, address: str) -> None:
        """Go to the end of a line; who stands in it already keeps the place."""
        line = self._at.get(table, {})
        if player in line:
            return
        if len(line) >= MOST_AT_A_TABLE:
            raise Refused(f"{MOST_AT_A_TABLE} people wait for a seat here already; choose another table.")
        if sum(where == address for other in self._at.values() for where in other.values()) >= MOST_FROM_AN_ADDRESS:
            raise Refused("Too many from your address wait for a seat; stop waiting at another table.")
        self._at.setdefault(table, {})[player] = address

    def leave(self, table: str, player: str) -> bool:
        """Whether somebody stood there."""
        line = self._at.get(table, {})
        stood = line.pop(player, None) is not None
        if not line:
            self._at.pop(table, None)
        return stood


def middle_first(seats: int, taken: Iterable[int]) -> list[int]:
    """The free seats of a table, the one closest to the middle first."""
    return sorted(set(range(1, seats + 1)) - set(taken), key=lambda seat: (abs(2 * seat - seats - 1), seat))
