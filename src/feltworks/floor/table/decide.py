"""What a command makes happen at a table, or why it is refused. Pure: time, chance and balances are passed in."""

from feltworks.floor.accounts import money, player_of
from feltworks.floor.actors import Actor
from feltworks.floor.jackpot.at_table import Jackpots, MeterAtTable
from feltworks.floor.refusal import Refused
from feltworks.floor.table import betting, dealing, faults, patrons, seats, service
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import (
    played,
)
from feltworks.floor.table.chance import TableChance
from feltworks.floor.table.corrections import corrected, last_entry, taken_back
from feltworks.floor.table.disputes import LONGEST_REASON, claimed, decided, said
from feltworks.floor.table.entries import entries
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.meter_prize import is_lit
from feltworks.floor.table.outcome import NO_JACKPOTS, Balance, Outcome
from feltworks.floor.table.registered import not_linked
from feltworks.floor.table.state import Table, opened
from feltworks.floor.table.wins import released
from feltworks.kit import steps
from feltworks.kit.errors import BadCard, NotAllowed, NotPossible

PLAY = (
    *(cmd.Place, cmd.TakeUp, cmd.Collect, cmd.Ready, cmd.Choose, cmd.StartRound, cmd.GoOn, cmd.Enter, cmd.Resolve),
    *(cmd.CloseBetting, cmd.ClockRanOut, cmd.EndRound, cmd.FreeSeats, cmd.PlaceFor, cmd.TakeUpFor, cmd.ChooseFor),
    *(cmd.TickOff, cmd.TakeBack),
)
"""What waits while the table is paused: one may still sit down and leave."""
DEALING = (cmd.StartRound, cmd.GoOn, cmd.Enter, cmd.CloseBetting, cmd.EndRound)
"""What the dealer does: the program or a person, as the table's settings have it (F-03)."""


def decide(
    table: Table | None,
    command: cmd.Command,
    actor: Actor,
    balance: Balance,
    now: ev.Time,
    chance: TableChance,
    meter: MeterAtTable | None = None,
    jackpots: Jackpots = NO_JACKPOTS,
) -> tuple[list[ev.Event], list[Table | None]]:
    """The events that a command makes happen, and the table before each of them and after the last. What it makes of
    the `meter` for which the table plays is found there."""
    if isinstance(command, cmd.OpenTable):
        if table is not None:
            raise Refused("The table is open already.")
        if why := not_linked(jackpots, command.settings):
            raise Refused(why)
        event = opened(command.settings, now, command.predecessor)
        return [event], [None, evolve(None, event, now)]
    if table is None or table.closed:
        raise Refused("The table is closed.")
    still = cmd.ReopenTable | cmd.Connection | cmd.ManagerCommand | cmd.PendingCommand
    if table.service == "closed" and not isinstance(command, still):
        raise Refused(f"The table is closed: {table.service_reason}")
    if table.service == "paused" and isinstance(command, PLAY):
        raise Refused(f"The table is paused: {table.service_reason} Wait until it goes on.")
    outcome = Outcome(table, now, chance, balance, meter, jackpots)
    try:
        _carry_out(outcome, command, actor)
    except (NotAllowed, BadCard) as refusal:
        raise Refused(_capital(str(refusal))) from None
    except NotPossible as refusal:
        raise NotPossible(_capital(str(refusal))) from None
    return outcome.events, [*outcome.befores, outcome.table]


def _carry_out(outcome: Outcome, command: cmd.Command, actor: Actor) -> None:
    player = actor.id if actor.is_person else ""
    if isinstance(command, DEALING):
        dealing.check_dealer(outcome, command, actor)
    match command:
        case cmd.Sit(seat):
            seats.sit(outcome, seat, player)
        case cmd.Leave():
            seats.leave(outcome, betting.own_seat(outcome, player))
        case cmd.Place(spot, amount):
            betting.place(outcome, betting.own_seat(outcome, player), spot, amount)
        case cmd.TakeUp(spot):
            outcome.answer(steps.TakeUp(betting.changing(outcome, player), spot))
        case cmd.Collect(spot):
            outcome.answer(steps.Collect(betting.changing(outcome, player), spot))
        case cmd.Ready():
            betting.ready(outcome, betting.bettor(outcome, player))
        case cmd.Choose(option, amount):
            betting.choose(outcome, betting.own_seat(outcome, player), option, amount)
        case cmd.SeatPatron(seat, chips):
            patrons.seat_patron(outcome, seat, chips)
        case cmd.PatronLeaves(seat):
            patrons.patron_leaves(outcome, patrons.patron(outcome, seat))
        case cmd.PlaceFor(seat, spot, amount):
            betting.place(outcome, patrons.patron(outcome, seat), spot, amount)
        case cmd.TakeUpFor(seat, spot):
            patrons.take_up_for(outcome, patrons.patron(outcome, seat), spot)
        case cmd.ChooseFor(seat, option, amount):
            betting.choose(outcome, patrons.patron(outcome, seat), option, amount)
        case cmd.StartRound(shuffle, hold_over):
            own = actor.is_person and not outcome.table.settings.is_physical  # the program shuffles where it has to
            dealing.start_round(outcome, shuffle or (own and outcome.table.needs_shuffle), hold_over)
        case cmd.GoOn():
            dealing.go_on(outcome, actor.is_person)
        case cmd.Enter(answer):
            dealing.check_position(outcome)
            dealing.check_hidden(outcome, answer)
            outcome.answer(played(answer, outcome.round()))
        case cmd.SignOn():
            dealing.sign_on(outcome, player)
        case cmd.SignOff():
            outcome.happen(ev.DealerLeft(outcome.table.dealer))
        case cmd.TickOff(done):
            dealing.tick_off(outcome, done)
        case cmd.TakeBack():
            entry = last_entry(outcome.table)
            outcome.happen(outcome.folded(entry, lambda prize: taken_back(outcome.table, outcome.now, prize)))
            _check_balances(outcome)
        case cmd.Correct(entry, answer, reason):
            why = _sentence(said(reason, "Say why.", LONGEST_REASON))
            now, table = outcome.now, outcome.table
            if is_lit(answer) and (not_taken := outcome.not_taken()):
                raise Refused(not_taken)
            outcome.happen(outcome.folded(entry, lambda prize: corrected(table, entry, answer, why, now, prize)))
            _check_balances(outcome)
        case cmd.Resolve():
            faults.resolve(outcome, command)
        case cmd.CloseBetting():
            betting.close_betting(outcome)
        case cmd.ClockRanOut():
            betting.clock_ran_out(outcome)
        case cmd.EndRound():
            if not outcome.round().over:
                raise Refused("The round is not over yet.")
            outcome.happen(ev.RoundEnded(outcome.table.round_number, outcome.chance.openings(outcome.table)))
        case cmd.Connection(who, present):
            at = outcome.table.seat_of(who)
            if at and outcome.table.seats[at].present != present:
                outcome.happen(ev.Presence(at, present))
        case cmd.Unseat(who):
            seats.unseat(outcome, who)
        case cmd.FreeSeats():
            seats.free_seats(outcome)
        case cmd.RestartClocks():
            outcome.happen(ev.ClocksRestarted())
        case cmd.VoidRound(reason, number):
            if number not in (0, outcome.table.round_number):
                raise Refused(f"Round {number} is over; what is settled stands.")
            faults.void(outcome, reason)
        case cmd.Report():
            faults.report(outcome, command)
        case cmd.Release(what, reason):
            faults.release(outcome, what, reason)
        case cmd.VerifyWin(win):
            outcome.happen(released(outcome.table.pending, win, actor))
        case cmd.Claim(player=player):
            sits = any(who.player == player for who in outcome.table.seats.values())
            outcome.happen(claimed(outcome.table.pending, command, actor, outcome.table.last_over, sits))
        case cmd.DecideDispute():
            outcome.happen(decided(outcome.table.pending, command, actor, outcome.balance, outcome.now))
            outcome.verify_itself()
        case cmd.Pause(reason):
            service.check_service(outcome, "open")
            outcome.happen(ev.Paused(_sentence(reason)))
        case cmd.Resume():
            service.check_service(outcome, "paused")
            outcome.happen(ev.Resumed())
        case cmd.CloseTable(reason):
            service.check_service(outcome, "open", "paused")
            outcome.happen(ev.Closing(_sentence(reason)))
        case cmd.ReopenTable():
            service.check_service(outcome, "closed")
            outcome.happen(ev.Reopened())
        case cmd.ChangeSettings(settings):
            service.post_change(outcome, settings)
        case cmd.WithdrawChange():
            if outcome.table.change is None:
                raise Refused("No change is posted at this table.")
            outcome.happen(ev.ChangeWithdrawn())
        case _:
            raise Refused(f"{type(command).__name__} is not for an open table.")
    dealing.renew(outcome)
    service.finish_closing(outcome)
    service.change_settings(outcome)


def _check_balances(outcome: Outcome) -> None:
    """What was paid by a wrong entry and is gone already cannot be taken back here."""
    for entry in entries(outcome.befores[-1], outcome.events[-1]):
        player = player_of(entry.payer)
        seat = outcome.table.seat_of(player)
        if seat is not None and entry.cents > (has := outcome.balance(player)):
            raise Refused(
                f"Seat {seat} would have to give back {money(entry.cents)} and has {money(has)}; settle that with"
                " the player first."
            )


def _capital(said: str) -> str:
    """What the rules say may begin with the name of a card."""
    return said[:1].upper() + said[1:]


def _sentence(reason: str) -> str:
    """A reason as it is told after a colon."""
    said = reason.strip()
    if not said:
        raise Refused("Say why.")
    return said if said[-1] in ".!?" else f"{said}."
