"""What a wager on a jackpot gives back at the meter of today (D-20): asked of the lab once for each number of others
who play it, and worked out from its exact answer whenever the meter changes."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import msgspec

from feltworks.floor.accounts import Cents
from feltworks.floor.table.registered import played_by
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.questions import JackpotReturned, JackpotReturnTold, JackpotSettings, Mistake
from feltworks.web import jackpot_messages
from feltworks.web.lab import NOT_NOW, Lab, NotNow

KEPT = 256
"""How many answers are remembered; each is of some settings and a number of others, and never changes."""


@dataclass(frozen=True)
class Returned:
    """What was told for each number of others, from none on; or why nothing."""

    told: Sequence[JackpotReturnTold] = ()
    why: str = ""

    def at(self, meter: Cents) -> list[jackpot_messages.JackpotReturn]:
        """The same at a meter, exactly."""
        return [at_meter(told, meter, others) for others, told in enumerate(self.told)]


class JackpotFigures:
    """Asks the lab."""

    def __init__(self, lab: Lab | None) -> None:
        self.lab = lab
        self._kept: OrderedDict[bytes, JackpotReturnTold] = OrderedDict()

    async def told(self, played: JackpotSettings, seats: int) -> Returned:
        """For each number of others at a table with so many seats."""
        found = []
        for others in range(seats):
            try:
                found.append(await self._told(played, others))
            except (NotNow, _NoFigures) as why:
                return Returned(why=str(why))
        return Returned(found)

    async def _told(self, played: JackpotSettings, others: int) -> JackpotReturnTold:
        question = JackpotReturned(**msgspec.structs.asdict(played), others=others)
        key = msgspec.json.encode(question)
        if key not in self._kept:
            if self.lab is None:
                raise _NoFigures(NOT_NOW)
            answer = await self.lab.ask(question, f"jackpot {key!r}")
            if isinstance(answer, Mistake):
                raise _NoFigures(answer.why)
            if not isinstance(answer, JackpotReturnTold):
                raise _NoFigures(NOT_NOW)
            self._kept[key] = answer
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    async def of_table(self, settings: TableSettings, meter: Cents | None) -> jackpot_messages.JackpotReturns:
        """What the jackpot wager of a table gives back, when its meter, or the prize of the house, is this."""
        if meter is None:
            return jackpot_messages.JackpotReturns(None, None, [], "There is no jackpot at this table.")
        played = played_by(settings)
        found = await self.told(played, settings.seats)
        return jackpot_messages.JackpotReturns(meter, played.wager, found.at(meter), found.why)


class _NoFigures(Exception):
    """Why there are none."""


def at_meter(told: JackpotReturnTold, meter: Cents, others: int) -> jackpot_messages.JackpotReturn:
    returned = told.at(meter)
    return jackpot_messages.JackpotReturn(
        others=others,
        exact=str(returned),
        percent=f"{float(100 * returned):.2f}",
        break_even=None if told.break_even is None else ceil(Fraction(told.break_even)),
        award_rounds=None if told.award_rounds is None else round(Fraction(told.award_rounds)),
    )
