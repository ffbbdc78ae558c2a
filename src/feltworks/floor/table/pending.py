"""What a table leaves open behind its rounds: wins that wait to be verified, and disputes (F-19).

They outlive the round, the shift, and the rules they came from, so a table that cannot be played on has them too.
"""

from typing import Literal, TypeVar

import msgspec

from feltworks.floor.accounts import Cents
from feltworks.floor.precedence import RuleKind

Verdict = Literal["upheld", "rejected"]
KEPT, KEPT_STANDING = 20, 500
"""So many disputes that were decided last are remembered, and of so many more that there was one."""
T = TypeVar("T", "HeldWin", "Dispute")


class HeldWin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A payout above the limit, in the account of held wins until surveillance has verified it."""

    id: str
    """The number of the event that settled it, and which settlement of that event it is."""
    round: int
    seat: int
    spot: str
    """Nothing for what a dispute corrects."""
    line: str
    cents: Cents
    player: str
    """Whose it is; nobody where a patron without an account has left the seat meanwhile."""
    at: int
    """When it was won, in milliseconds of UTC since 1970."""


class Dispute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round that somebody disputes, and nobody has decided about yet."""

    number: int
    round: int
    seat: int
    player: str
    """For whom; nobody where a patron without an account has left the seat."""
    text: str
    at: int
    by: str = ""
    """Who took it down."""


class DecidedDispute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was decided about a dispute, for those to read whom it concerns."""

    dispute: Dispute
    decision: Verdict
    rule: RuleKind
    reason: str
    amount: Cents
    at: int


class Pending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that is open at a table, and what was decided last."""

    wins: dict[str, HeldWin] = {}
    disputes: dict[int, Dispute] = {}
    claims: int = 0
    """How many disputes there ever were: the number of the last one."""
    decided: tuple[DecidedDispute, ...] = ()
    """The last ones that were decided; all of them are in the records."""
    stands: tuple[tuple[int, int], ...] = ()
    """Rounds and seats about which was decided: that stands."""

    @property
    def is_empty(self) -> bool:
        return not self.wins and not self.disputes

    def without_patron(self, player: str) -> "Pending":
        """A patron without an account has left: nobody who sits there later has a claim to what is open."""
        wins = {id: _without(win, player) for id, win in self.wins.items()}
        disputes = {number: _without(dispute, player) for number, dispute in self.disputes.items()}
        return msgspec.structs.replace(self, wins=wins, disputes=disputes)


NOTHING = Pending()


def _without(one: T, player: str) -> T:
    return msgspec.structs.replace(one, player="") if one.player == player else one
