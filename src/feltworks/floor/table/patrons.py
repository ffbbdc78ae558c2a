"""Patrons without an account (F-10): the dealer or the supervisor seats them and enters what they do."""

from feltworks.floor.accounts import Cents, account_of, money, patron_at
from feltworks.floor.refusal import Refused
from feltworks.floor.table import betting, seats
from feltworks.floor.table import events as ev
from feltworks.floor.table.entries import entries
from feltworks.floor.table.limits import LARGEST_AMOUNT
from feltworks.floor.table.outcome import Outcome
from feltworks.floor.table.settings import why_no_patrons
from feltworks.kit import steps
from feltworks.kit.cards import Seat


def seat_patron(outcome: Outcome, seat: int, chips: Cents) -> None:
    if why := why_no_patrons(outcome.table.settings, outcome.table.game):
        raise Refused(why)
    seats.check_free(outcome, seat)
    chip = outcome.table.settings.chip
    if not 0 < chips <= LARGEST_AMOUNT or chips % chip:
        raise Refused(f"A patron brings whole chips of {money(chip)}, up to {money(LARGEST_AMOUNT)} in all.")
    outcome.happen(ev.PatronSat(seat, chips))


def patron(outcome: Outcome, seat: int) -> Seat:
    who = outcome.table.seats.get(seat)
    if who is None or not who.is_patron:
        raise Refused(f"No patron without an account sits at seat {seat}; players act for themselves.")
    return Seat(seat)


def patron_leaves(outcome: Outcome, seat: Seat) -> None:
    betting.take_up(outcome, [seat])
    if outcome.table.has_chips(seat):
        raise Refused(f"Seat {seat} has chips in action; they are played to the end before the patron leaves.")
    outcome.happen(ev.PatronLeft(seat, chips_of(outcome, seat)))


def take_up_for(outcome: Outcome, seat: Seat, spot: str) -> None:
    betting.bettor(outcome, outcome.table.seats[seat].player)
    won = outcome.round().winnings.get((seat, spot))
    outcome.answer(steps.Collect(seat, spot) if won else steps.TakeUp(seat, spot))


def chips_of(outcome: Outcome, seat: int) -> Cents:
    """What a patron has in front of the seat after all that has happened here."""
    player = patron_at(outcome.table.settings.id, seat)
    account, chips = account_of(player), outcome.balance(player)
    for event, before in zip(outcome.events, outcome.befores, strict=True):
        for entry in entries(before, event):
            chips += entry.cents * ((entry.payee == account) - (entry.payer == account))
    return chips
