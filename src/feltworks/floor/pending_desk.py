"""What is open behind the rounds of a house (F-19): the wins that surveillance verifies, and the disputes that a
supervisor decides."""

from feltworks.floor.actors import Actor
from feltworks.floor.house_interface import HouseInterface
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.disputes import ProvenClaim
from feltworks.floor.table.pending import DecidedDispute, Dispute, HeldWin, Pending


class PendingDesk:
    """What is open behind the rounds of all tables."""

    def __init__(self, house: HouseInterface) -> None:
        self.house = house

    def held_wins(self) -> list[tuple[str, HeldWin]]:
        """The wins that surveillance has to verify, with their tables, the oldest first."""
        found = [(table, win) for table, pending in self._by_table().items() for win in pending.wins.values()]
        return sorted(found, key=lambda held: held[1].at)

    def open_disputes(self) -> list[tuple[str, Dispute]]:
        """The disputes that a supervisor has to decide, with their tables, the oldest first."""
        found = [(table, one) for table, pending in self._by_table().items() for one in pending.disputes.values()]
        return sorted(found, key=lambda made: made[1].at)

    def left_open(self) -> dict[str, Pending]:
        """What the tables have left open that are not played on."""
        return {name: table.pending for name, table in self.house.unplayed.items() if not table.pending.is_empty}

    def decided_disputes(self) -> list[tuple[str, DecidedDispute]]:
        """The disputes that were decided last, with their tables, the oldest first."""
        found = [(table, one) for table, pending in self._by_table().items() for one in pending.decided]
        return sorted(found, key=lambda made: made[1].at)

    def _by_table(self) -> dict[str, Pending]:
        """By table, also those that are not played on."""
        tables = {name: live.table.pending for name, live in self.house.tables.items()}
        return tables | {name: table.pending for name, table in self.house.unplayed.items()}

    def verify_win(self, table: str, win: str, actor: Actor) -> None:
        """Surveillance has verified a win: it is paid."""
        self.house.carry_out(table, cmd.VerifyWin(win), actor)

    def claim(self, proven: ProvenClaim) -> int:
        """Somebody disputes a round in which the records show chips of theirs: the number of the dispute."""
        self.house.carry_out(proven.table, proven.claim, proven.by)
        return self.house.table(proven.table).pending.claims

    def decide_dispute(self, table: str, decision: cmd.DecideDispute, actor: Actor) -> None:
        """What the supervisor decides about a dispute."""
        self.house.carry_out(table, decision, actor)
