"""Records of the first version: the command is not known, so one is taken that makes the event happen."""

from collections.abc import Collection, Iterator

from feltworks.floor.actors import DEALER, PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.journal.records import FIRST, Record
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Closed, Decided, Placed
from feltworks.floor.table.betting import all_ready
from feltworks.floor.table.chance import Shuffle
from feltworks.floor.table.state import Table
from feltworks.floor.verification.recorded_chance import RecordedChance
from feltworks.kit.cards import Token
from feltworks.kit.errors import NotPossible


class OldChance(RecordedChance):
    """Of records of the first version a new root may stand in the next event, which is looked at by itself."""

    def shuffled(self, table: Table, what: Shuffle, back: Collection[Token] = ()) -> tuple[str, int]:
        try:
            return super().shuffled(table, what, back)
        except NotPossible:
            return FIRST, table.size - table.dealt + len(back)


def too_early(table: Table, event: ev.Event, record: Record) -> Iterator[str]:
    """What the clock does, it does when it has run out (F-30)."""
    if table.round is None or (table.deadline is not None and record.time >= table.deadline):
        return
    match event:
        case ev.Answered(Closed()) if not all_ready(table):
            yield "betting was closed before its clock ran out, and not everybody was ready."
        case ev.Answered(Decided(int(seat))) if not Actor.parse(record.actor).is_person:
            yield f"it was decided for seat {seat} before its clock ran out."


def behind(table: Table, event: ev.Event, actor: Actor) -> tuple[cmd.Command, Actor]:
    """A command that makes the event happen, and who gives it; the house for what it could have been too."""
    match event:
        case ev.Sat(seat, player):
            return cmd.Sit(seat), by_person(player)
        case ev.Left(seat, ""):
            return cmd.Leave(), by_person(table.seats[seat].player)
        case ev.Left():
            return cmd.FreeSeats(), DEALER
        case ev.Presence(seat, present):
            return cmd.Connection(table.seats[seat].player, present), PROGRAM
        case ev.Readied(seat):
            return cmd.Ready(), by_person(table.seats[seat].player)
        case ev.RoundStarted(_, root):
            return cmd.StartRound(shuffle=root is not None), DEALER
        case ev.Answered(Placed(_, spot, amount)):
            return cmd.Place(spot, amount), actor
        case ev.Answered(Decided(int(), option, amount)) if actor.is_person:
            return cmd.Choose(option, amount), actor
        case ev.Answered(Decided(int())):
            return cmd.ClockRanOut(), DEALER
        case ev.Answered(answer):
            return cmd.Enter(answer), DEALER
        case ev.Reshuffled(_, _, True):
            return cmd.GoOn(), DEALER
        case ev.RoundEnded():
            return cmd.EndRound(), DEALER
        case ev.Voided(_, reason):
            return cmd.VoidRound(reason), DEALER
        case ev.Reported(incident, text, seat, spots, amount):
            return cmd.Report(incident, text, seat, spots, amount), actor
        case ev.Released(what, reason):
            return cmd.Release(what, reason), actor
    raise ValueError(f"{type(event).__name__} was not made by older versions.")
