"""Players' protection as a house does it (F-15): what it says to who may not play, whom it takes a seat from, and which
attempts it records. The rules for it are in `may_play.py`."""

from collections.abc import Iterator
from contextlib import contextmanager

from feltworks.floor import administration
from feltworks.floor.accounts import Cents, money
from feltworks.floor.actors import PROGRAM
from feltworks.floor.house_interface import HouseInterface
from feltworks.floor.may_play import Listed, check_wagers, why_not
from feltworks.floor.people import People
from feltworks.floor.person import Person
from feltworks.floor.refusal import Refused
from feltworks.floor.rights import is_player
from feltworks.floor.streams import HOUSE_STREAM, person_stream
from feltworks.floor.table import commands as cmd

WORKS_HERE = "Those who work in this house do not play in it."


class Protection:
    """What a house does so that nobody plays who may not."""

    def __init__(self, house: HouseInterface, people: People) -> None:
        self.house, self.people = house, people

    def may_not_play(self, id: str, table: str = "") -> str:
        """Why a person may not play at a table, or without one anywhere, said to them; nothing if they may."""
        known = self.people.person(id)
        if known is None:
            return ""
        return why_not(known, table, self.house.clock()) if is_player(known) else WORKS_HERE

    def wager_refused(self, id: str, table: str, wager: Cents) -> str:
        """Why a new wager of a person who plays would be refused, whatever its spot; nothing if it would not."""
        known, balance = self.people.person(id), self.house.balance(id)
        if wager > balance:
            return f"That wagers {money(wager)} more; you have {money(balance)}."
        if known is None:
            return ""
        lying = self.house.lying_elsewhere(id, "") if known.limits.are_set else 0
        try:
            check_wagers(known, table, wager, balance, lying, self.house.clock())
        except Refused as refusal:
            return str(refusal)
        return ""

    def unseat_who_may_not_play(self) -> None:
        """F-15: whoever was barred, has come on the self-exclusion list or takes a break loses the seat when nothing of
        theirs is in action. Entries and breaks begin by the clock too, so that this is looked at every second."""
        now = self.house.clock()
        for id in list(self.house.tables):
            table = self.house.table(id)
            for who in list(table.seats.values()):
                if who.unseated or who.leaving or not who.is_person:
                    continue
                known = self.house.state(person_stream(who.player))
                if isinstance(known, Person) and why_not(known, id, now):
                    self.house.carry_out(id, cmd.Unseat(who.player), PROGRAM)

    @contextmanager
    def breaches_noted(self) -> Iterator[None]:
        """F-15: where somebody on the self-exclusion list is refused a seat or a buy-in, the attempt is recorded."""
        try:
            yield
        except Listed as who:
            if not self.house.administration.has_noted(who.person, who.table, self.house.clock()):
                self.house.carry_out(HOUSE_STREAM, administration.NoteBreach(who.person, who.table), PROGRAM)
            raise
