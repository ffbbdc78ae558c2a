"""What a table pays of a progressive jackpot: shares of its meter, by the moment at which they are won (D-16)."""

from collections.abc import Callable
from typing import TypeVar

from feltworks.floor.accounts import Cents
from feltworks.floor.jackpot.at_table import Key, MeterAtTable
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided
from feltworks.floor.table.evolve import later
from feltworks.floor.table.payouts import Prize
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.jackpot_steps import CONFIRM_AWARD, ENTER_AWARD, LIT
from feltworks.kit.odds import MeterShare
from feltworks.kit.steps import Settlement

T = TypeVar("T")


class MeterPrize:
    """Each share is of the meter as it stands, or as it was when the spots of the round were sensed."""

    def __init__(self, meter: MeterAtTable, table: Table) -> None:
        self.meter, self.round = meter, table.round_number
        self.base = table.game.readings.get("award_base", "standing")

    def worth(self, won: Settlement, share: MeterShare) -> Cents:
        return self.meter.worth(self.round, share, self.base)

    def pay(self, won: Settlement, share: MeterShare) -> Cents:
        return self.meter.award(self.round, _key(won), share, self.base)


class PaidBefore:
    """F-20: in a round that is folded again, what was awarded and still is stays as it was paid; the rest is `anew`."""

    def __init__(self, paid: dict[Key, Cents], anew: MeterPrize, *, only_asked: bool) -> None:
        self.paid, self.anew, self.only_asked = paid, anew, only_asked
        self.wanted: set[Key] = set()
        """What is won by the round as it is folded now."""

    def worth(self, won: Settlement, share: MeterShare) -> Cents:
        known = self.paid.get(_key(won))
        return self.anew.worth(won, share) if known is None else known

    def pay(self, won: Settlement, share: MeterShare) -> Cents:
        key = _key(won)
        self.wanted.add(key)
        if key in self.paid:
            return self.paid[key]
        return 0 if self.only_asked else self.anew.pay(won, share)


def folded_with(table: Table, meter: MeterAtTable, entry: int, fold: Callable[[Prize], T]) -> T:
    """A round that is folded again from an entry on: once to see what is won by it, and then with all of that paid. The
    awards that were not won are taken back in between, so that what is won instead is of the meter without them."""
    prize, number = MeterPrize(meter, table), table.round_number
    trial = PaidBefore(meter.awarded(number), prize, only_asked=True)
    fold(trial)
    since = [table.answers[entry - 1], *later(table, entry)]
    settled = {
        (effect.seat, effect.spot, effect.line)
        for past in since
        if isinstance(past.event, ev.Answered)
        for effect in past.event.effects
        if isinstance(effect, ev.Settled)
    }
    paid = {key: cents for key, cents in meter.awarded(number).items() if key in settled}
    meter.take_back(number, paid.keys() - trial.wanted)
    return fold(PaidBefore(paid, prize, only_asked=False))


def is_sensing(step: steps.Step | None) -> bool:
    """Whether a table waits for what a sensed spot shows (D-13)."""
    return isinstance(step, steps.Choose) and step.options[0].name == LIT.name and step.who is steps.Role.DEALER


def is_lit(answer: object) -> bool:
    """Whether an answer, as it is played or as it is recorded, says that a spot did light."""
    return isinstance(answer, steps.Decide | Decided) and answer.option == LIT.name


def enters_award(answer: steps.Answer) -> bool:
    return isinstance(answer, steps.Decide) and answer.option == ENTER_AWARD.name and answer.who is steps.Role.DEALER


def entered_by(table: Table) -> str:
    """D-18: the dealer who has entered an award last in the round, whatever jackpot pays it; nobody where none did."""
    for past in reversed(table.past):
        if past.before is not None and isinstance(past.event, ev.Answered):
            match past.event.answer:
                case Decided(steps.Role.DEALER.value, ENTER_AWARD.name):
                    return past.before.dealer
    return ""


def confirms_award(option: str) -> bool:
    return option == CONFIRM_AWARD.name


def _key(won: Settlement) -> Key:
    return int(won.seat), won.spot, won.line
