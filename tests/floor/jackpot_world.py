"""The world of `world.py` with nothing in mind but its jackpot: somebody does one thing a step, for as long as is
wanted, and after each the meter is exact."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from feltworks.floor.accounts import Account, AccountKind, Kind
from feltworks.floor.aggregates import entries, evolve
from feltworks.floor.jackpot.commands import CloseJackpot, Command
from feltworks.floor.jackpot.events import Awarded, Registered, RegistrationsReturned
from feltworks.floor.jackpot.meter import Meter, Totals
from feltworks.floor.jackpot.statement import SUMS
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.journal.records import Commit
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.refusal import Refused
from feltworks.floor.streams import HOUSE_STREAM, Event
from feltworks.floor.table.answers import Answer, Decided, Turned
from feltworks.floor.table.commands import Correct
from feltworks.floor.table.events import Answered, RoundStarted, Voided
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.errors import BadValue, NotPossible
from feltworks.kit.jackpot_steps import CONFIRM_AWARD
from feltworks.kit.steps import Choose
from tests.floor.world import JACKPOT, Crash, World, dying_at

RARE = (
    "two awards at once",
    "a void after an award of its round",
    "a void after the meter was won",
    "a crash with an award to confirm",
    "a crash while an award is written",
    "a crash after an award",
    "other terms than are posted",
)
"""What happens in every long life; else such a life would prove nothing of it."""
LARGER = "an award larger than the meter"
"""It happens where awards are of the meter as it was sensed (D-16)."""
EVERY = 2_500
"""After so many steps all is checked that `World` checks; that takes the longer the more was recorded."""


class JackpotWorld(World):
    def __init__(self, seed: int, tables: Sequence[TableSettings], folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.booked: dict[Account, Counter[Kind]] = defaultdict(Counter)
        """What was ever booked into each account less what was booked out of it, by the kinds of entries."""
        self.rare = Counter[str]()
        """How often what hardly ever happens has happened: see `RARE`."""
        self.began: dict[str, Terms] = {}
        """By table, the terms of the jackpot with which its round began."""
        super().__init__(seed, tables, folder, patch)

    def step(self) -> None:
        self.steps += 1
        won = any(map(self._won, self.house.tables))
        acts: list[tuple[Callable[[], None], float]] = [
            (self.go_on, 400),
            (self.all_at_once, 60),
            (self.command, 30),
            (self.pit, 60),
            (self.several, 10),
            (self.repeat, 10),
            (self.void, 20 if won else 2),
            (self.jackpots, 5),
            (self.money, 3),
            (self.verify_wins, 10),
            (self.staff, 30 if self._stopped() else 2),
            (self.service, 30 if self._resting() else 0.5),
            (self.check_clock, 2),
            (self.crash, 1),
            (self.crash_between, 20 if won else 2),
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
        return self._waits(name) and not self.house.table(name).settings.has_dealer

    def _waits(self, name: str) -> bool:
        """Whether an award is entered and not confirmed."""
        step = self.house.table(name).step
        return isinstance(step, Choose) and CONFIRM_AWARD in step.options

    def _has_paid(self, name: str) -> bool:
        return self.house.table(name).settings.has_dealer and self._won(name)

    def _won(self, name: str) -> bool:
        """Whether an award was paid in the round that is being played."""
        table = self.house.table(name)
        found = self.house.jackpots.known(JACKPOT).at(name, table.round_number)
        return table.round is not None and found is not None and bool(found.won)

    def _was_won(self, name: str) -> bool:
        """Whether the meter was won whole since a wager of the round was registered."""
        table, meter = self.house.table(name), self.house.jackpots.known(JACKPOT)
        found = meter.at(name, table.round_number)
        return table.round is not None and found is not None and any(one.whole < meter.whole for one in found.wagers)

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
        self.rare["two awards at once"] += self.house.jackpots.known(JACKPOT).awards > before + 1

    def void(self) -> None:
        """Mostly where that is not simple, if there is such a table."""
        hard = [name for name in self.house.tables if self._won(name) or self._was_won(name)]
        name = self.random.choice(hard) if hard and self.random.random() < 0.8 else self._some_table()
        with self.refusing():
            self.house.void(name, "the lights went out")

    def crash_between(self) -> None:
        """The house dies while an award waits to be confirmed, or is being written; or one is paid, and the round goes
        on."""
        waits, won = ([name for name in self.house.tables if of(name)] for of in (self._waits, self._won))
        if not waits and not won:
            return
        names, left = self.random.choice([one for one in (waits, won) if one]), list[Path]()
        when = "with an award to confirm" if names is waits else "after an award"
        if self.random.random() < 0.5:
            dies = dying_at(self.house.store, self.random.randrange(1, 24), lambda: left.append(self.copied()))
            with dies, suppress(Crash, Refused, BadValue, NotPossible):
                self._next_of_round(self.random.choice(names))
            when = "while an award is written" if left and names is waits else when
        self.rare[f"a crash {when}"] += 1
        self.restart(left[0] if left else self.copied())

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
        voided = False
        for record in commit.records:
            if record.stream != HOUSE_STREAM:
                event = decode_event(record.stream, record.event)
                voided |= isinstance(event, Voided)
                self._follow_rare(record.stream, event, voided)
                for entry in entries(self.states.get(record.stream), record.stream, event):
                    self.booked[entry.payee][entry.kind] += entry.cents
                    self.booked[entry.payer][entry.kind] -= entry.cents
        super()._follow_records(commit)

    def _follow_rare(self, stream: str, event: Event, voided: bool) -> None:
        """Count what is rare, and F-40: a wager is divided by the terms with which its round began."""
        meter = self.states.get(f"jackpot:{JACKPOT}")
        if not isinstance(meter, Meter):
            return
        match event:
            case RoundStarted():
                self.began[stream] = meter.terms
            case Registered(table, round, wagers):
                before, after = meter, evolve(meter, stream, event, 0)
                assert isinstance(after, Meter)
                found, terms = after.at(table, round), self.began[table]
                assert found is not None
                new = [one for one in found.wagers if one.made in wagers]
                assert {(one.to_meter, one.to_reserve) for one in new} == {(terms.to_meter, terms.to_reserve)}
                self.rare["other terms than are posted"] += terms != before.terms
            case Awarded(seed_reserve=reserve, seed_house=house):
                if event.is_whole:
                    most = min(self.began[event.table].maximum, meter.terms.maximum) - meter.meter + event.falls
                    assert reserve + house == min(self.began[event.table].seed, max(0, most))
                assert event.meter + event.reserve + event.house == event.cents
                self.rare["an award larger than the meter"] += event.cents > event.falls
            case RegistrationsReturned(table, round, wagers) if voided:
                found = meter.at(table, round)
                assert found is not None
                places = {(one.seat, one.spot) for one in wagers}
                was_won = any(one.place in places and one.whole < meter.whole for one in found.wagers)
                self.rare["a void after an award of its round"] += bool(found.won)
                self.rare["a void after the meter was won"] += was_won

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
