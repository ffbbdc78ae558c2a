"""What a command makes happen at a table, while it is decided."""

from collections.abc import Callable
from typing import TypeVar

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.jackpot.at_table import Jackpots, MeterAtTable
from feltworks.floor.refusal import Refused
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import recorded
from feltworks.floor.table.chance import TableChance
from feltworks.floor.table.effects import recorded_effects
from feltworks.floor.table.evolve import evolve, in_whole_cents
from feltworks.floor.table.meter_prize import MeterPrize, enters_award, folded_with, is_lit, is_sensing
from feltworks.floor.table.payouts import Prize
from feltworks.floor.table.registered import changed, played_by
from feltworks.floor.table.state import Table
from feltworks.floor.table.wins import verifies_itself, win_ids
from feltworks.kit import steps
from feltworks.kit.jackpot_steps import NOT_LIT
from feltworks.kit.round import Round

T = TypeVar("T")
NO_JACKPOTS = Jackpots()
Balance = Callable[[str], Cents]
"""What a player has."""


class Outcome:
    """The events so far, and the table after them: each goes through the rules once."""

    def __init__(
        self,
        table: Table,
        now: ev.Time,
        chance: TableChance,
        balance: Balance,
        meter: MeterAtTable | None = None,
        jackpots: Jackpots = NO_JACKPOTS,
    ) -> None:
        self.table, self.now, self.chance, self.balance = table, now, chance, balance
        self.meter, self.jackpots = meter, jackpots
        self.events: list[ev.Event] = []
        self.befores: list[Table | None] = []

    def happen(self, event: ev.Event, round: Round | None = None) -> None:
        before = self.table
        self.befores.append(before)
        self.table = evolve(before, event, self.now, round)
        self.events.append(event)
        if self.meter is not None:
            come, gone = changed(before, event, self.table)
            self.meter.give_back(before.round_number, gone)
            self.meter.register(before.round_number, come)

    def answer(self, answer: steps.Answer, reason: str | UnsetType = UNSET) -> None:
        """Once the rules have taken it, an answer is an event with all that it caused."""
        if is_lit(answer) and (why := self.not_lit()):
            raise Refused(f"{why} Enter {NOT_LIT!r}: the chips go back.")
        after = self.round().after(answer)
        prize = None if self.meter is None else MeterPrize(self.meter, self.table)
        effects = recorded_effects(after.effects, self.table, prize)
        if self.meter is not None and enters_award(answer):
            self.meter.enter(self.table.round_number)
        self.happen(ev.Answered(recorded(answer), effects, reason), in_whole_cents(after, effects))
        self.verify_itself()

    def verify_itself(self) -> None:
        """F-19: at a training table that the program deals, the program verifies what was just held."""
        if verifies_itself(self.table.settings):
            for win in win_ids(self.events[-1], self.table.version):
                self.happen(ev.WinReleased(win))

    def not_taken(self) -> str:
        """Why the progressive jackpot takes no wager from this table now; nothing if it does, or if there is none."""
        return "" if self.meter is None else self.meter.not_taken(played_by(self.table.settings, self.table.game))

    def not_lit(self) -> str:
        """Why the spot that is sensed now is not to light; nothing if it may, or if none is sensed. One that was
        registered in this round is no new wager when it is sensed again (F-26, F-37)."""
        if self.meter is None or not is_sensing(self.table.step) or not (why := self.not_taken()):
            return ""
        dark = self.round().after(steps.Decide(steps.Role.DEALER, NOT_LIT)).effects
        back = [(int(one.seat), one.spot) for one in dark if isinstance(one, steps.Settlement)]
        known = [place for place in back if self.meter.was_lit(self.table.round_number, place)]
        return why if not back or known != back else ""

    def folded(self, entry: int, fold: Callable[[Prize | None], T]) -> T:
        """What a correction makes of the round, and of what it has won of a progressive jackpot (F-20)."""
        return fold(None) if self.meter is None else folded_with(self.table, self.meter, entry, fold)

    def round(self) -> Round:
        if self.table.round is None:
            raise Refused("No round is being played; wait for the next one.")
        return self.table.round
