"""The world of `world.py` with nothing in mind but its jackpot: somebody does one thing a step, for as long as is
wanted, and after each the meter is exact."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from feltworks.floor.accounts import Account, AccountKind, Kind
from feltworks.floor.aggregates import entries
from feltworks.floor.jackpot.commands import CloseJackpot, Command
from feltworks.floor.jackpot.meter import Totals
from feltworks.floor.jackpot.statement import SUMS
from feltworks.floor.journal.records import Commit
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.streams import HOUSE_STREAM
from feltworks.floor.table.answers import Answer, Decided, Turned
from feltworks.floor.table.commands import Correct
from feltworks.floor.table.events import Answered
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.jackpot_steps import CONFIRM_AWARD
from feltworks.kit.steps import Choose
from tests.floor.world import JACKPOT, World

EVERY = 2_500
"""After so many steps all is checked that `World` checks; that takes the longer the more was recorded."""


class JackpotWorld(World):
    def __init__(self, seed: int, tables: Sequence[TableSettings], folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.booked: dict[Account, Counter[Kind]] = defaultdict(Counter)
        """What was ever booked into each account less what was booked out of it, by the kinds of entries."""
        self.at_once = 0
        """How often two tables won in one group of commits."""
        super().__init__(seed, tables, folder, patch)

    def step(self) -> None:
        self.steps += 1
        acts: list[tuple[Callable[[], None], float]] = [
            (self.go_on, 400),
            (self.all_at_once, 60),
            (self.command, 30),
            (self.pit, 60),
            (self.several, 10),
            (self.repeat, 10),
            (self.void, 2),
            (self.jackpots, 5),
            (self.money, 3),
            (self.verify_wins, 10),
            (self.staff, 30 if self._stopped() else 2),
            (self.service, 30 if self._resting() else 0.5),
            (self.check_clock, 2),
            (self.crash, 1),
        ]
        act = self.random.choices([act for act, _ in acts], [often for _, often in acts])[0]
        self.acts[act.__name__] += 1
        act()

    def go_on(self) -> None:
        """What a round asks for next at some table. Mostly an award of the program's waits until another table has one
        too, and now and then a card was misread where people have paid one."""
        name = self._some_table()
        if self._confirms(name) and self.random.random() < 0.99:
            return
        with self.refusing():
            if self._has_paid(name) and self.random.random() < 0.6:
                self._correct(name)
            else:
                self._next_of_round(name)

    def _confirms(self, name: str) -> bool:
        """Whether the program is about to pay an award."""
        table = self.house.table(name)
        return isinstance(table.step, Choose) and CONFIRM_AWARD in table.step.options and not table.settings.has_dealer

    def _has_paid(self, name: str) -> bool:
        table = self.house.table(name)
        found = self.house.jackpots.known(JACKPOT).at(name, table.round_number)
        return table.settings.has_dealer and table.round is not None and found is not None and bool(found.won)

    def _correct(self, name: str) -> None:
        """F-20: one of the cards that were turned last was another one."""
        answers = enumerate(self.house.table(name).answers, 1)
        turned = [
            n for n, past in answers if isinstance(past.event, Answered) and isinstance(past.event.answer, Turned)
        ]
        card = Turned(self.random.choice("23456789TJQKA") + self.random.choice("cdhs"))
        self.house.pit.correct(name, Correct(self.random.choice(turned[-4:]), card, "misread"), self.staffed["Sue"])

    def all_at_once(self) -> None:
        """What the program deals at all tables becomes durable together, awards too: the commit order decides."""
        if sum(map(self._confirms, self.house.tables)) == 1 and self.random.random() < 0.99:
            return
        before, doing = self.house.jackpots.known(JACKPOT).awards, dict[str, int]()
        for name in self.house.tables:
            if (next_ := self.house.due(name)) is not None:
                doing[name] = next_.at
        self.clock.goes_on(max([0, *(at - self.now for at in doing.values())]))
        with self.house.together():
            for name in doing:
                self.house.deal_due(name)
        self.at_once += self.house.jackpots.known(JACKPOT).awards > before + 1

    def void(self) -> None:
        with self.refusing():
            self.house.void(self._some_table(), "the lights went out")

    def _of_jackpot(self) -> list[Command]:
        """It goes on for as long as the world does."""
        return [command for command in super()._of_jackpot() if not isinstance(command, CloseJackpot)]

    def _odd_entry(self) -> Answer:
        """A sensing is corrected as well (D-13)."""
        odd: list[Answer] = [Decided("dealer", "lit"), Decided("dealer", "not lit")]
        return self.random.choice([*odd, super()._odd_entry()])

    def check(self) -> None:
        if self.steps % EVERY == 0:
            super().check()
        self._follow()
        self._check_jackpots(self.books)
        self._check_sums()

    def _follow_records(self, commit: Commit) -> None:
        for record in commit.records:
            if record.stream != HOUSE_STREAM:
                event = decode_event(record.stream, record.event)
                for entry in entries(self.states.get(record.stream), record.stream, event):
                    self.booked[entry.payee][entry.kind] += entry.cents
                    self.booked[entry.payer][entry.kind] -= entry.cents
        super()._follow_records(commit)

    def _check_sums(self) -> None:
        """F-25 in its own words: what stands there is what was seeded and contributed, less what was awarded and given
        back, with what was adjusted and corrected: each once by the meter, and once by the entries of the books."""
        meter = self.house.jackpots.known(JACKPOT)
        assert 0 <= meter.meter <= meter.terms.maximum
        for kind, stands, sums in (
            (AccountKind.METER, meter.meter, meter.in_meter),
            (AccountKind.RESERVE, meter.reserve, meter.in_reserve),
        ):
            booked = self.booked[Account(kind, JACKPOT)]
            assert sum(booked.values()) == stands == self.house.account(str(Account(kind, JACKPOT)))
            found = dict.fromkeys(msgspec.structs.asdict(Totals()), 0)
            for name, cents in booked.items():
                found[SUMS[name]] += cents
            told = msgspec.structs.asdict(sums)
            assert found == told | {name: -told[name] for name in ("awarded", "returned")}
