"""The pit: what the people do who deal and supervise at the tables of a house, and what they decide about what goes
wrong there."""

from functools import partial
from typing import NamedTuple

from feltworks.floor.actors import Actor
from feltworks.floor.house_interface import HouseInterface
from feltworks.floor.staff import Staff
from feltworks.floor.table import answers
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import Answer, played
from feltworks.floor.table.incidents import asked_of_staff, voids
from feltworks.kit import steps
from feltworks.kit.errors import NotPossible
from feltworks.kit.manual_entry import fault_of


class _NotPossible(NamedTuple):
    """An entry that could not be: the version of the table it was made for, and its id (F-20)."""

    version: int
    answer: Answer
    id: str


class Pit:
    """The dealers and supervisors of a house at work."""

    def __init__(self, house: HouseInterface, staff: Staff) -> None:
        self.house, self.staff = house, staff
        self._not_possible: dict[str, _NotPossible] = {}
        """By table, the last entry that could not be."""

    def deal_by_hand(self, table: str, command: cmd.StaffCommand, actor: Actor, command_id: str = "") -> int | None:
        """What a person does who deals at a table: sign on and off, enter what cards, lights and dice show, open and
        close, tick off, take back (F-20, F-27, F-41); the number of its commit. With an id it is done once (G7).

        A card or a light that cannot be is refused; whoever enters the same once more means it, and then the table
        stops for what that is: the card's fault, or the reader's (D-10). What the network repeats is not meant twice.
        """
        if command_id and self.house.was_done(actor.id, command_id):
            return self.house.give_once(table, actor.id, command, command_id, 0)
        try:
            with self.house.stopped_if_faulty(table):
                return self.house.carry_out(table, command, actor, command_id)
        except NotPossible as why:
            state = self.house.table(table)
            if not isinstance(command, cmd.Enter) or not isinstance(state.step, steps.Turn | steps.Read):
                raise
            last, entry = self._not_possible.get(table), _NotPossible(state.version, command.answer, command_id)
            self.house.when_told(partial(self._not_possible.update, {table: entry}))
            if last is None or last[:2] != entry[:2] or (command_id and last.id == command_id):
                raise
            assert state.round is not None
            kind = fault_of(state.round, state.step, played(command.answer, state.round))
            return self.house.carry_out(table, cmd.Report(kind, str(why)), actor)

    def correct(self, table: str, command: cmd.Correct, actor: Actor) -> None:
        """The supervisor corrects an entry of the round that is played (F-20)."""
        self.house.carry_out(table, command, actor)

    def for_patron(self, table: str, command: cmd.PatronCommand, actor: Actor) -> None:
        """What the dealer or the supervisor enters for somebody who plays without an account."""
        with self.house.stopped_if_faulty(table):
            self.house.carry_out(table, command, actor)

    def report(self, table: str, report: cmd.Report, actor: Actor) -> None:
        """Something went wrong at a table: it stops until that is decided (F-28)."""
        with self.house.stopped_if_faulty(table):
            self.house.carry_out(table, report, actor)

    def resolve(
        self, table: str, role: steps.Role, option: str, actor: Actor, reason: str = "", report: int = 0
    ) -> str:
        """What the dealer or the supervisor decides about what was reported, and why. A decision that voids the round
        needs a second signature: then the answer is the id of what waits for it."""
        at = self.house.table(table)
        if not at.incident and asked_of_staff(at) is not None:  # what the game itself asks needs no reason
            with self.house.stopped_if_faulty(table):
                self.house.carry_out(table, cmd.Enter(answers.Decided(role.value, option)), actor)
            return ""
        command = cmd.Resolve(role.value, option, reason, report or at.report)
        if actor.is_person and voids(at, role.value, option):
            return self.staff.propose(table, command, actor)
        with self.house.stopped_if_faulty(table):
            self.house.carry_out(table, command, actor)
        return ""

    def release(self, table: str, what: str, reason: str, actor: Actor) -> None:
        """A device that was out of service may be used again (D-10)."""
        self.house.carry_out(table, cmd.Release(what, reason), actor)
