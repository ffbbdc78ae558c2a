"""Who sits where at a table: how a player takes a seat, leaves it, and loses it."""

from feltworks.floor.refusal import Refused
from feltworks.floor.table import betting
from feltworks.floor.table import events as ev
from feltworks.floor.table.outcome import Outcome
from feltworks.floor.table.state import TAKEN_BACK
from feltworks.kit.cards import Seat


def sit(outcome: Outcome, seat: int, player: str) -> None:
    check_free(outcome, seat, player)
    outcome.happen(ev.Sat(seat, player))


def check_free(outcome: Outcome, seat: int, player: str = "") -> None:
    table = outcome.table
    if table.service == "closing":
        raise Refused(f"The table closes after this round: {table.service_reason}")
    if not 1 <= seat <= table.settings.seats:
        named = seat if abs(seat) < 1_000 else "of that number"
        raise Refused(f"There is no seat {named}; the seats are 1 to {table.settings.seats}.")
    if table.change is not None and seat > table.change.settings.seats:
        raise Refused(f"From the next round there is no seat {seat}; choose one of the others.")
    if player and table.seat_of(player) is not None:
        raise Refused(f"You sit at seat {table.seat_of(player)} already.")
    if seat in table.seats:
        raise Refused(f"Seat {seat} is taken; choose a free one.")


def leave(outcome: Outcome, seat: Seat) -> None:
    """What lies on open betting goes back; what is in action plays on, and its wins go to the account (F-30)."""
    if outcome.table.seats[seat].leaving:
        return
    betting.take_up(outcome, [seat])
    outcome.happen(ev.Left(seat))
    betting.close_when_left(outcome)


def unseat(outcome: Outcome, player: str) -> None:
    """F-15: what lies on open betting goes back; what is in action plays on, and its player decides about it."""
    seat = outcome.table.seat_of(player)
    if seat is None:
        raise Refused("That person has no seat here.")
    if outcome.table.seats[seat].leaving or outcome.table.seats[seat].unseated:
        return
    betting.take_up(outcome, [seat])
    if outcome.table.has_chips(seat):
        outcome.happen(ev.Unseated(seat))
    else:
        outcome.happen(ev.Left(seat, TAKEN_BACK))
        betting.close_when_left(outcome)


def free_seats(outcome: Outcome) -> None:
    for seat, (until, why) in outcome.table.kept_until.items():
        if until <= outcome.now:
            betting.take_up(outcome, [seat])
            outcome.happen(ev.Left(seat, why))
    if outcome.events:
        betting.close_when_left(outcome)
