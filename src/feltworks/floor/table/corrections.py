"""Entries that are taken back or corrected (F-20): the round is folded again without the entry, or with another one.

What was answered afterwards is kept as far as each answer still fits the step that it was given to.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from feltworks.floor.accounts import Cents
from feltworks.floor.refusal import Refused
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import (
    Answer,
    Closed,
    Collected,
    Decided,
    Hidden,
    NoWager,
    Placed,
    TakenUp,
    played,
    recorded,
    seat_of,
)
from feltworks.floor.table.effects import recorded_effects
from feltworks.floor.table.evolve import folded_on, in_whole_cents, is_same_step, later, rewound
from feltworks.floor.table.limits import check_limits, decision
from feltworks.floor.table.payouts import Prize
from feltworks.floor.table.pending import HeldWin
from feltworks.floor.table.state import Past, Table
from feltworks.floor.table.wins import held_anew
from feltworks.kit import steps
from feltworks.kit.cards import Seat
from feltworks.kit.errors import FaultyRules, FeltworksError

ONE_SEAT_ALONE = "That card is turned to one seat alone: enter that it was turned, not which card it is."
TOO_LATE = "The next step is entered already; the supervisor corrects what was entered before it."


class Gone(Refused):
    """Somebody whom a correction would concern is not there any more."""


@dataclass
class Refolded:
    """A round that is folded again: the table as far as it has come, what each answer from there on causes, and how
    much of what happened afterwards is kept."""

    table: Table
    gone: frozenset[int]
    """The seats that somebody has left since."""
    prize: Prize | None = None
    """The jackpot that pays its shares."""
    effects: tuple[tuple[ev.Effect, ...], ...] = ()
    kept: int = 0

    @property
    def lying(self) -> tuple[ev.HandedBack, ...]:
        """What every player has on the layout then."""
        laid: dict[str, list[Cents]] = {}
        for column, lying in enumerate((self.table.wagers, self.table.winnings)):
            for (seat, _), cents in lying.items():
                laid.setdefault(self.table.seats[seat].player, [0, 0])[column] += int(cents)
        return tuple(ev.HandedBack(player, *laid[player]) for player in sorted(laid))

    def answer(self, answer: Answer) -> None:
        round = self.table.round
        assert round is not None
        after = round.after(played(answer, round))
        effects = recorded_effects(after.effects, self.table, self.prize)
        self.check_there(answer, effects)
        self.table = folded_on(self.table, ev.Answered(answer, effects), in_whole_cents(after, effects))
        self.effects = (*self.effects, effects)

    def check_there(self, answer: Answer, effects: Iterable[ev.Effect]) -> None:
        """Refuse what would concern somebody who has left."""
        seats = {effect.seat for effect in effects if isinstance(effect, ev.Settled)} | {seat_of(answer)}
        for seat in sorted(seat for seat in seats if seat is not None):
            if seat in self.gone or seat not in self.table.seats:
                raise Gone(f"Whoever sat at seat {seat} has left since; it is decided as a dispute.")

    def go_on(self, past: tuple[Past, ...]) -> None:
        """All that still fits, up to what does not."""
        for one in past:
            try:
                if isinstance(one.event, ev.Answered | ev.Reported) and not _fits(one, self.table):
                    return
                if isinstance(one.event, ev.Answered):
                    self.answer(one.event.answer)
                else:
                    self.table = folded_on(self.table, one.event)
            except (FaultyRules, Gone):
                raise
            except FeltworksError:
                return
            self.kept += 1


def taken_back(table: Table, now: ev.Time = 0, prize: Prize | None = None) -> ev.TakenBack:
    """The last entry is taken back; players' own answers to the same step stay."""
    entry = last_entry(table)
    since = later(table, entry)
    again = _rewound(table, entry, prize)
    again.go_on(since)
    if again.kept < len(since):
        raise Refused("Other wagers or decisions depend on that entry; the supervisor corrects it.")
    return ev.TakenBack(entry, again.effects, again.lying, _held(table, entry, again, now))


def last_entry(table: Table) -> int:
    """The number of the entry that the dealer may take back: the last one, as long as its step is open."""
    number = len(table.answers)
    since: list[Past] = []
    for past in reversed(table.past if table.round is not None else ()):
        if past.entered:
            if (
                number <= table.locked
                or _is_supervisors(past)
                or not all(_is_of_same_step(past, after) for after in since)
            ):
                raise Refused(TOO_LATE)
            return number
        number -= isinstance(past.event, ev.Answered)
        since.append(past)
    raise Refused("Nothing was entered in this round that could be taken back.")


def _is_supervisors(past: Past) -> bool:
    """Whether the supervisor decided it: that is not the dealer's to take back."""
    match past.event:
        case ev.Answered(Decided(steps.Role.SUPERVISOR.value)):
            return True
    return False


def _is_of_same_step(taken: Past, after: Past) -> bool:
    """Whether something happened while the step was still open to which the entry belongs: players answer, or leave."""
    if isinstance(after.event, ev.Left | ev.PatronLeft) or (isinstance(after.event, ev.Reported) and not after.step):
        return True
    if not isinstance(after.event, ev.Answered) or seat_of(after.event.answer) is None:
        return False
    return is_same_step(taken.step, after.step)


def corrected(
    table: Table, entry: int, answer: Answer | NoWager, reason: str, now: ev.Time, prize: Prize | None = None
) -> ev.Corrected:
    """The round as it follows from another answer. Cards and dice of the program are as they are, whatever was entered:
    where they would go elsewhere, nothing can be corrected."""
    _check(table, entry, answer)
    since, again = later(table, entry), _rewound(table, entry, prize)
    if isinstance(answer, NoWager):
        again.effects = ((),)
    else:
        answer = _checked(again.table, answer, now)
        again.answer(answer)
    again.go_on(since)
    if again.kept < len(since) and not table.settings.is_physical:
        raise Refused(
            "What the program dealt after that entry does not fit any more; the round is void by two signatures, or"
            " goes on as it is."
        )
    held = _held(table, entry, again, now)
    return ev.Corrected(entry, answer, reason, again.kept, again.effects, again.lying, held)


def _held(table: Table, entry: int, again: Refolded, now: ev.Time) -> tuple[HeldWin, ...]:
    """F-19: the wins of the round that are held now that it is another one."""
    was = [past.event for past in (table.answers[entry - 1], *later(table, entry))]
    gone = [effect for event in was if isinstance(event, ev.Answered) for effect in event.effects]
    return held_anew(table, gone, [effect for effects in again.effects for effect in effects], now)


def _rewound(table: Table, entry: int, prize: Prize | None) -> Refolded:
    """The table before an entry, from which the round is folded again; what was booked since is booked back, so that
    everybody whom it concerns is still there."""
    since = later(table, entry)
    gone = frozenset(past.event.seat for past in since if isinstance(past.event, ev.Left | ev.PatronLeft))
    again = Refolded(rewound(table, entry), gone, prize)
    for past in (table.answers[entry - 1], *since):
        if isinstance(past.event, ev.Answered):
            again.check_there(past.event.answer, past.event.effects)
    return again


def _check(table: Table, entry: int, answer: Answer | NoWager) -> None:
    """Refuse to correct what nobody has entered, or into something that is no entry in its place."""
    answers = table.answers
    if table.round is None:
        raise Refused("No round is being played; what a round has settled is decided as a dispute.")
    if not 1 <= entry <= len(answers) or not answers[entry - 1].entered:
        entered = ", ".join(str(n) for n, past in enumerate(answers, 1) if past.entered) or "none"
        raise Refused(f"There is no entry {entry} in this round that could be corrected; those are: {entered}.")
    was = answers[entry - 1].event
    assert isinstance(was, ev.Answered)
    if answer == was.answer:
        raise Refused("That is what was entered; say what it should have been.")
    match was.answer, answer:
        case Decided(who), Decided(other) if who == other:
            return
        case Decided(who), _:
            raise Refused(f"That was a decision of {who if isinstance(who, str) else f'seat {who}'}; say which one.")
        case ((Placed() | TakenUp() | Collected()), (Placed(seat) | TakenUp(seat) | Collected(seat))):
            if seat not in table.seats or not table.seats[seat].is_patron:
                raise Refused(f"No patron without an account sits at seat {seat}; players act for themselves.")
        case Placed(), NoWager():
            return
        case _, NoWager():
            raise Refused("Only a wager that was entered can be corrected to none.")
        case ((Placed() | TakenUp() | Collected()), _):
            raise Refused("That was a wager; say which one it should have been.")
        case _, (Closed() | Decided() | Placed() | TakenUp() | Collected()):
            raise Refused("Say what the card, the light, the dice or the wheel showed.")


def _checked(table: Table, answer: Answer, now: ev.Time) -> Answer:
    """The answer as it would have been taken then: within limits, and with the amount of what it wagers."""
    step = table.step
    if isinstance(step, steps.Turn) and step.to is not steps.ALL and not isinstance(answer, Hidden):
        raise Refused(ONE_SEAT_ALONE)
    match answer:
        case Placed(seat, spot, amount):
            check_limits(table, Seat(seat), spot, amount, amount, now)
        case Decided(int(seat), option, amount):
            return recorded(decision(table, Seat(seat), option, amount))
    return answer


def _fits(past: Past, table: Table) -> bool:
    """Whether a table waits at the step again to which an answer was given, or at which something was reported."""
    match past.step, table.step:
        case steps.Choose(was, about=before), steps.Choose(now, about=about) if isinstance(past.event, ev.Answered):
            seat = seat_of(past.event.answer)
            return before == about and (was == now if seat is None else not isinstance(now, steps.Role))
    return past.step == table.step
