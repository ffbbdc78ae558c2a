"""What a command makes happen at a table, while it is decided."""

from collections.abc import Callable

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.refusal import Refused
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import recorded
from feltworks.floor.table.chance import TableChance
from feltworks.floor.table.effects import recorded_effects
from feltworks.floor.table.evolve import evolve, in_whole_cents
from feltworks.floor.table.state import Table
from feltworks.floor.table.wins import verifies_itself, win_ids
from feltworks.kit import steps
from feltworks.kit.round import Round

Balance = Callable[[str], Cents]
"""What a player has."""


class Outcome:
    """The events so far, and the table after them: each goes through the rules once."""

    def __init__(self, table: Table, now: ev.Time, chance: TableChance, balance: Balance) -> None:
        self.table, self.now, self.chance, self.balance = table, now, chance, balance
        self.events: list[ev.Event] = []
        self.befores: list[Table | None] = []

    def happen(self, event: ev.Event, round: Round | None = None) -> None:
        self.befores.append(self.table)
        self.table = evolve(self.table, event, self.now, round)
        self.events.append(event)

    def answer(self, answer: steps.Answer, reason: str | UnsetType = UNSET) -> None:
        """Once the rules have taken it, an answer is an event with all that it caused."""
        after = self.round().after(answer)
        effects = recorded_effects(after.effects, self.table)
        self.happen(ev.Answered(recorded(answer), effects, reason), in_whole_cents(after, effects))
        self.verify_itself()

    def verify_itself(self) -> None:
        """F-19: at a training table that the program deals, the program verifies what was just held."""
        if verifies_itself(self.table.settings):
            for win in win_ids(self.events[-1], self.table.version):
                self.happen(ev.WinReleased(win))

    def round(self) -> Round:
        if self.table.round is None:
            raise Refused("No round is being played; wait for the next one.")
        return self.table.round
