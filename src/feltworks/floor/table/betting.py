"""Wagers and decisions of the seats, and how betting closes."""

from collections.abc import Collection
from fractions import Fraction

from msgspec import UNSET

from feltworks.floor.accounts import Cents, money
from feltworks.floor.refusal import Refused
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import (
    exact_cents,
    seat_of,
)
from feltworks.floor.table.limits import check_limits, decision
from feltworks.floor.table.outcome import Outcome
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Seat
from feltworks.kit.errors import NotAllowed
from feltworks.kit.round import Round
from feltworks.kit.walk import picked_up

MOST_CHANGES = 200
"""So often a seat puts down or takes up a wager in one betting, at a table where people deal."""


def own_seat(outcome: Outcome, player: str) -> Seat:
    seat = outcome.table.seat_of(player) if player else None
    if seat is None:
        raise Refused("You are watching; take a seat to play.")
    return Seat(seat)


def bettor(outcome: Outcome, player: str) -> Seat:
    seat = own_seat(outcome, player)
    if not outcome.table.betting:
        raise Refused("Betting is closed; your wagers play on. Bet again when it opens.")
    if outcome.table.seats[seat].leaving:
        raise Refused("You are leaving this seat; take a seat again to bet.")
    return seat


def changing(outcome: Outcome, player: str) -> Seat:
    """Whoever changes a wager. Where people deal, everything is kept that a round could be folded again from, and
    no clock may run: there the changes of a seat have an end."""
    seat, changes = bettor(outcome, player), 0
    for past in reversed(outcome.table.past if outcome.table.dealer else ()):  # in older records nobody signed on
        if past.step != outcome.table.step:
            break
        changes += isinstance(past.event, ev.Answered) and seat_of(past.event.answer) == seat
    if changes >= MOST_CHANGES:
        raise Refused(f"You have changed your wagers {changes} times; they stay as they lie until the next betting.")
    return seat


def place(outcome: Outcome, seat: Seat, spot: str, amount: Cents) -> None:
    answer = steps.Place(seat, spot, Fraction(amount))
    if outcome.table.round is not None:
        outcome.table.round.refuse(answer)
    if outcome.meter is not None and spot in outcome.table.game.jackpots and (why := outcome.not_taken()):
        raise Refused(why)
    changing(outcome, outcome.table.seats[seat].player)
    check_limits(outcome.table, seat, spot, amount, outcome.balance(outcome.table.seats[seat].player), outcome.now)
    outcome.answer(answer)


def ready(outcome: Outcome, seat: Seat) -> None:
    if seat not in outcome.round().playing:
        raise Refused("Place a wager first; then the cards come.")
    if outcome.table.seats[seat].ready:
        return
    outcome.round().may_play(seat)
    outcome.happen(ev.Readied(seat))
    if all_ready(outcome.table) and outcome.table.settings.duty("betting") == "program":
        close_betting(outcome)


def choose(outcome: Outcome, seat: Seat, option: str, amount: Cents | None) -> None:
    answer = decision(outcome.table, seat, option, amount)
    made = outcome.round().staked(answer)
    cost, balance = exact_cents(made[2]) if made else 0, outcome.balance(outcome.table.seats[seat].player)
    if cost > balance:
        raise Refused(f"That wagers {money(cost)} more; you have {money(balance)}.")
    outcome.answer(answer)


def take_up(outcome: Outcome, seats: Collection[int]) -> bool:
    """All that the rules let these seats pick up while betting is open; whether there was anything."""
    if not outcome.table.betting:
        return False
    answers = list(picked_up(outcome.round(), seats))
    for answer in answers:
        outcome.answer(answer)
    return bool(answers)


def close_when_left(outcome: Outcome) -> None:
    """Betting closes early when the last one whom it waited for has left. Nobody is kept from leaving because the
    others' wagers break a rule together."""
    if (
        all_ready(outcome.table)
        and outcome.table.service != "paused"
        and outcome.table.settings.duty("betting") == "program"
    ):
        close_if_allowed(outcome)


def close_if_allowed(outcome: Outcome) -> bool:
    """Close the betting, unless the rules do not allow it: then all is as it was."""
    before, count = outcome.table, len(outcome.events)
    try:
        close_betting(outcome)
    except NotAllowed:
        outcome.table = before
        del outcome.events[count:], outcome.befores[count:]
        return False
    return True


def close_betting(outcome: Outcome) -> None:
    """Close the betting; what seats have that have left goes back first, and if the rules do not close it like
    that, what a seat has down with which it may not play. What was entered for a patron the dealer puts right."""
    if not outcome.table.betting:
        raise Refused("Betting is closed already.")
    anything = take_up(outcome, [seat for seat, who in outcome.table.seats.items() if who.leaving])
    if outcome.round().playing:
        try:
            outcome.answer(steps.Close())
        except NotAllowed:
            unfit = [seat for seat in outcome.round().playing if not _may_play(outcome.round(), seat)]
            patrons = [seat for seat in unfit if seat in outcome.table.seats and outcome.table.seats[seat].is_patron]
            if patrons and outcome.table.dealer:  # in older records nobody signed on
                raise  # the dealer has entered too little or too much for somebody who sits there
            if not take_up(outcome, unfit):
                raise
            if outcome.round().playing:
                outcome.answer(steps.Close())
    elif not anything:
        raise Refused("No seat has a wager; the round goes on when one has.")


def clock_ran_out(outcome: Outcome) -> None:
    """F-30: a clock that runs out never makes a wager nobody made. It closes the betting in any case: if the wagers
    break a rule together, all that can goes back."""
    table, step = outcome.table, outcome.table.step
    if table.deadline is None or outcome.now < table.deadline:
        return
    if table.betting:
        if not close_if_allowed(outcome):
            take_up(outcome, outcome.round().playing)
            if outcome.round().playing:
                close_betting(outcome)
    elif isinstance(step, steps.Choose) and table.on_the_clock:
        seat = min(table.gone or table.on_the_clock)
        outcome.answer(steps.Decide(Seat(seat), step.clock_choice.name))


def all_ready(table: Table) -> bool:
    """Whether somebody who plays is ready, and so is everybody whom the table waits for: who has a wager, and is there
    or was until a moment ago, which the clock knows. A table that was opened without the clock of the absent waits for
    who is there; but where betting was opened again and takes no wager with which a seat comes in, for who has one."""
    round, step = table.round, table.step
    if round is None or not isinstance(step, steps.Bet):
        return False
    here = {seat: who for seat, who in table.seats.items() if not who.leaving}
    ready = {seat for seat, who in here.items() if who.ready}
    if table.settings.clocks.absent is not UNSET:
        have_bet = here.keys() & set(round.playing)
        return bool(have_bet) and have_bet <= ready
    comes_in = any(w.comes_in and not w.opens.keys().isdisjoint(step.spots) for w in table.game.wagers.values())
    awaited = {s for s, who in here.items() if who.present and (table.windows < 2 or comes_in or s in round.playing)}
    return awaited <= ready and not ready.isdisjoint(round.playing)


def _may_play(round: Round, seat: Seat) -> bool:
    try:
        round.may_play(seat)
    except NotAllowed:
        return False
    return True
