"""Anybody does anything to a jackpot, at three tables at once, and a plain model that knows nothing of how the meter is
kept agrees with it to the cent (F-24 to F-26)."""

from fractions import Fraction
from random import Random
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from feltworks.floor.accounts import HOUSE, AccountKind, Kind
from feltworks.floor.jackpot import commands as cmd
from feltworks.floor.jackpot import events as ev
from feltworks.floor.jackpot.at_table import Funds, MeterAtTable, shortage
from feltworks.floor.jackpot.decide import decide
from feltworks.floor.jackpot.meter import Meter, entries, evolve
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.refusal import Refused
from feltworks.kit.odds import MeterShare
from feltworks.kit.questions import JackpotSettings
from tests.quick import SEED as FIRST
from tests.quick import share

T = TypeVar("T")
WAGER, SEED, MAXIMUM = 100, 1_000, 3_000
PLAYED = JackpotSettings(game="down-under-holdem", pay={"jackpot": "3"}, wager=WAGER)
TABLES = ("one", "two", "three")
PICK = st.integers(0, 10**6)
PERCENTS = st.sampled_from([100, 10, 5])


def chosen(among: list[T], pick: int) -> T:
    return among[pick % len(among)]


class Plain:
    """The same in the words of the statements: pots of cents, exact shares, and a list of who put what where."""

    def __init__(self, to_meter: Fraction, to_reserve: Fraction) -> None:
        self.meter = self.reserve = self.house = self.tray = self.elsewhere = 0
        self.missing = [0, 0]
        """By how much less lies behind the meter, and behind the reserve, than is posted (F-37)."""
        self.to_meter, self.to_reserve = to_meter, to_reserve
        self.exact_meter = self.exact_reserve = Fraction(0)
        """What the shares of all wagers come to that are in, and what of that has been put there."""
        self.put_meter = self.put_reserve = 0
        self.epoch = 0
        self.wagers: dict[tuple[str, int], tuple[int, int, int, int]] = {}
        """By table and seat: cents to the meter, to the reserve, above the maximum, and the epoch."""

    def register(self, table: str, seat: int) -> None:
        self.exact_meter += self.to_meter * WAGER
        self.exact_reserve += self.to_reserve * WAGER
        due = int(self.exact_meter) - self.put_meter if self.exact_meter >= self.put_meter else 0
        kept = int(self.exact_reserve) - self.put_reserve if self.exact_reserve >= self.put_reserve else 0
        due = min(due, WAGER)
        kept = min(kept, WAGER - due)
        into = min(due, max(0, MAXIMUM - self.meter))
        self.put_meter, self.put_reserve = self.put_meter + due, self.put_reserve + kept
        self.meter, self.reserve = self.meter + into, self.reserve + kept + due - into
        self.tray -= due + kept
        self.wagers[table, seat] = into, kept, due - into, self.epoch

    def give_back(self, table: str, seat: int) -> None:
        into, kept, over, epoch = self.wagers.pop((table, seat))
        self.exact_meter -= self.to_meter * WAGER
        self.exact_reserve -= self.to_reserve * WAGER
        self.put_meter, self.put_reserve = self.put_meter - into - over, self.put_reserve - kept
        due = into + kept + over
        self.tray, self.house = self.tray + due, self.house - due
        falls = min(into, self.meter) if epoch == self.epoch else 0
        self.house += self.from_meter(falls)
        falls = min(due - falls, self.reserve)
        paid = min(falls, self.reserve - self.missing[1])
        self.house, self.reserve, self.missing[1] = (
            self.house + paid,
            self.reserve - falls,
            self.missing[1] - falls + paid,
        )

    def from_meter(self, falls: int) -> int:
        """The meter falls by so much; what of it its account can pay."""
        paid = min(falls, self.meter - self.missing[0])
        self.meter, self.missing[0] = self.meter - falls, self.missing[0] - falls + paid
        return paid

    def from_reserve(self, wanted: int) -> int:
        """What the reserve can pay of what is wanted."""
        paid = min(wanted, self.reserve - max(0, self.missing[1]))
        self.reserve -= paid
        return paid

    def award(self, percent: int, base: int) -> int:
        cents = base * percent // 100
        rest = cents - self.from_meter(min(cents, self.meter))
        self.house -= rest - self.from_reserve(rest)
        self.tray += cents
        if percent == 100:
            seed = min(SEED, max(0, MAXIMUM - self.meter))
            self.house -= seed - self.from_reserve(seed)
            self.meter += seed
            self.epoch += 1
        return cents


class MeterMachine(RuleBasedStateMachine):
    @initialize(
        to_meter=st.sampled_from(["1/3", "3/5", "2/7", "1/1000", "1"]), to_reserve=st.sampled_from(["0", "1/7", "1/9"])
    )
    def open(self, to_meter: str, to_reserve: str) -> None:
        if to_meter == "1":
            to_reserve = "0"
        self.accounts: dict[str, int] = {}
        self.sums: dict[Kind, int] = {}
        self.seized = 0
        self.meter: Meter | None = None
        self.plain = Plain(Fraction(to_meter), Fraction(to_reserve))
        self.rounds = dict.fromkeys(TABLES, 1)
        self.sensed: dict[str, int] = {}
        self.won: dict[str, list[tuple[int, str]]] = {table: [] for table in TABLES}
        self.time = 0
        terms = Terms("The meter", PLAYED, SEED, to_meter, to_reserve, MAXIMUM)
        self.command(cmd.OpenJackpot(terms))
        self.command(cmd.SeedJackpot(SEED, 500, "to begin with"))
        self.plain.meter, self.plain.reserve, self.plain.house = SEED, 500, -SEED - 500
        for table in TABLES:
            self.command(cmd.LinkTable(table, PLAYED))

    # How it is done.

    def happen(self, event: ev.Event) -> None:
        self.time += 1
        for entry in entries("m", event):
            for account, cents in ((entry.payer, -entry.cents), (entry.payee, entry.cents)):
                self.accounts[str(account)] = self.accounts.get(str(account), 0) + cents
                if account.kind is AccountKind.METER:
                    self.sums[entry.kind] = self.sums.get(entry.kind, 0) + cents
                assert account.may_owe or self.accounts[str(account)] >= 0
        self.meter = evolve(self.meter, "m", event, self.time)

    def command(self, command: cmd.Command) -> None:
        event, _ = decide(self.meter, command, self.funds)
        self.happen(event)

    @property
    def funds(self) -> Funds:
        return Funds(self.accounts.get("meter:m", 0), self.accounts.get("reserve:m", 0))

    def at(self, table: str) -> MeterAtTable:
        assert self.meter is not None
        return MeterAtTable(self.meter, self.funds, table, self.time, "program:dealer")

    def take(self, at: MeterAtTable) -> None:
        for event in at.events:
            self.happen(event)
        assert self.meter == at.meter or self.meter is not None

    # What anybody does.

    @rule(table=st.sampled_from(TABLES), seats=st.sets(st.integers(1, 3), min_size=1))
    def sense(self, table: str, seats: set[int]) -> None:
        """A new round begins at a table."""
        self.rounds[table] += 1
        self.won[table] = []
        self.plain.wagers = {place: put for place, put in self.plain.wagers.items() if place[0] != table}
        at = self.at(table)
        at.register(self.rounds[table], {(seat, "jackpot"): WAGER for seat in seats})
        self.take(at)
        for seat in sorted(seats):
            self.plain.register(table, seat)
        self.sensed[table] = self.plain.meter
        with pytest.raises(Refused, match="registered already"):
            self.at(table).register(self.rounds[table], {(min(seats), "jackpot"): WAGER})
        with pytest.raises(Refused, match="for everybody"):
            self.at(table).register(self.rounds[table], {(9, "jackpot"): WAGER + 1})

    @precondition(lambda self: self.plain.wagers)
    @rule(pick=PICK, percent=PERCENTS, base=st.sampled_from(["standing", "before_round"]))
    def award(self, pick: int, percent: int, base: str) -> None:
        table, seat = chosen(sorted(self.plain.wagers), pick)
        line = f"{percent} %"
        if (seat, line) in self.won[table]:
            with pytest.raises(Refused, match="awarded already"):
                self.at(table).award(
                    self.rounds[table], (seat, "jackpot", line), MeterShare(Fraction(percent)), "standing"
                )
            return
        at = self.at(table)
        cents = at.award(self.rounds[table], (seat, "jackpot", line), MeterShare(Fraction(percent)), base)
        self.take(at)
        assert cents == self.plain.award(percent, self.plain.meter if base == "standing" else self.sensed[table])
        self.won[table].append((seat, line))

    @precondition(lambda self: self.plain.wagers)
    @rule(pick=PICK)
    def void(self, pick: int) -> None:
        table, _ = chosen(sorted(self.plain.wagers), pick)
        back = sorted(seat for at, seat in self.plain.wagers if at == table)
        at = self.at(table)
        at.give_back(self.rounds[table], [(seat, "jackpot") for seat in back])
        self.take(at)
        assert at.meter.at(table, self.rounds[table]).wagers == ()  # type: ignore[union-attr]
        for seat in back:
            self.plain.give_back(table, seat)

    @precondition(lambda self: any(self.won.values()))
    @rule(pick=PICK)
    def correct_at_once(self, pick: int) -> None:
        """An award is taken back; the model cannot, so that both begin from what the meter makes of it: nothing of the
        money is lost, and what was paid is back."""
        table = chosen(sorted(table for table, won in self.won.items() if won), pick)
        seat, line = self.won[table].pop()
        at, before = self.at(table), self.meter
        assert before is not None
        at.take_back(self.rounds[table], [(seat, "jackpot", line)])
        [event] = at.events
        assert isinstance(event, ev.AwardTakenBack)
        assert event.meter + event.reserve + event.house == event.cents
        self.take(at)
        plain, after = self.plain, self.meter
        assert after is not None
        plain.tray -= event.cents
        plain.meter += event.rises - event.seed_reserve - event.seed_house
        plain.missing[0] += event.rises - event.meter
        plain.reserve += event.reserve + event.seed_reserve
        plain.house += event.house + event.seed_house
        if line == "100 %":
            for (at_table, at_seat), (into, kept, over, _) in list(plain.wagers.items()):
                found = after.at(at_table, self.rounds[at_table])
                assert found is not None
                whole = next(one.whole for one in found.wagers if one.made.seat == at_seat)
                plain.wagers[at_table, at_seat] = into, kept, over, whole

    @rule(cents=st.integers(-300, 300), why=st.sampled_from(cmd.REASONS))
    def adjust(self, cents: int, why: cmd.Reason) -> None:
        before, lent = (self.meter, self.accounts.copy()), self.meter.lent  # type: ignore[union-attr]
        try:
            self.command(cmd.AdjustJackpot(why, cents, "a test"))
        except Refused:
            assert (self.meter, self.accounts) == before
            return
        plain = self.plain
        match why:
            case "display fault" if cents > 0:
                plain.meter, plain.house = plain.meter + cents, plain.house - cents
            case "non-displayed funds removed":
                plain.reserve, plain.house = plain.reserve + cents, plain.house - cents
            case "seed recovered":
                assert -cents <= lent and plain.meter + cents >= SEED
                plain.meter, plain.house = plain.meter + cents, plain.house - cents
            case _:
                plain.meter, plain.reserve = plain.meter + cents, plain.reserve - cents

    @rule(pick=st.integers(0, 1), cents=st.integers(1, 2_000))
    def seize(self, pick: int, cents: int) -> None:
        """Money behind it is taken away by hand, and nothing that is posted changes (F-37)."""
        gone = min(cents, (self.funds.meter, self.funds.reserve)[pick])
        self.by_hand(pick, -gone)

    @precondition(lambda self: max(self.plain.missing) > 0)
    @rule()
    def put_back(self) -> None:
        """All that is short; the jackpot takes wagers again."""
        for pick, cents in enumerate(self.plain.missing):
            self.by_hand(pick, max(0, cents))

    def by_hand(self, pick: int, cents: int) -> None:
        self.accounts[("meter:m", "reserve:m")[pick]] += cents
        self.seized += bool(cents)
        self.plain.missing[pick] -= cents
        self.plain.elsewhere -= cents
        assert self.meter is not None
        assert shortage(self.meter, self.funds) == sum(max(0, missing) for missing in self.plain.missing)

    # What always holds.

    @invariant()
    def the_meter_is_exact(self) -> None:
        meter, plain = self.meter, self.plain
        assert meter is not None
        assert (meter.meter, meter.reserve) == (plain.meter, plain.reserve)
        assert self.funds == Funds(plain.meter - plain.missing[0], plain.reserve - plain.missing[1])
        assert self.accounts.get(str(HOUSE), 0) == plain.house
        assert sum(cents for name, cents in self.accounts.items() if name.startswith("table:")) == plain.tray
        assert sum(self.accounts.values()) + plain.elsewhere == 0
        assert meter.in_meter.left == meter.meter and meter.in_reserve.left == meter.reserve
        if not self.seized:  # else what is not there is paid by others
            assert sum(self.sums.values()) == meter.meter
            assert self.sums.get(Kind.JACKPOT_AWARD, 0) == -meter.in_meter.awarded
            assert self.sums.get(Kind.REGISTRATION_RETURNED, 0) == -meter.in_meter.returned
        of_meter, of_reserve = (Fraction(*part) for part in meter.carried)
        assert (of_meter, of_reserve) == (
            plain.exact_meter - plain.put_meter,
            plain.exact_reserve - plain.put_reserve,
        )
        assert 0 <= meter.meter <= MAXIMUM and meter.reserve >= 0


@pytest.mark.soak
@pytest.mark.rule("F-24", "F-25", "F-26")
def test_the_meter_and_a_plain_model_agree_whatever_happens() -> None:
    MeterMachine.TestCase.settings = settings(
        max_examples=share(60, soak=1_000), stateful_step_count=40, deadline=None, derandomize=True
    )
    MeterMachine.TestCase().runTest()


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("F-25")
@pytest.mark.parametrize("to_meter", ["3/5", "2/7"])
def test_a_meter_is_exact_after_each_of_very_many_steps(to_meter: str) -> None:
    """The same steps for long, from one seed: 100,000 of them in all in a whole run, and a million in a soak."""
    chance, machine = Random(f"{FIRST} {to_meter}"), MeterMachine()
    machine.open(to_meter=to_meter, to_reserve="1/7")
    steps = share(50_000, soak=500_000)
    print(f"seed {FIRST}, {steps} steps")
    for _ in range(steps):
        what = chance.random()
        if what < 0.6 or not machine.plain.wagers:
            seats = {seat for seat in (1, 2, 3) if chance.random() < 0.6} or {1}
            machine.sense(table=chance.choice(TABLES), seats=seats)
        elif what < 0.8:
            base = chance.choice(["standing", "before_round"])
            machine.award(pick=chance.randrange(10**6), percent=chance.choice([100, 10, 10, 5]), base=base)
        elif what < 0.9:
            machine.void(pick=chance.randrange(10**6))
        elif what < 0.94 and any(machine.won.values()):
            machine.correct_at_once(pick=chance.randrange(10**6))
        elif what < 0.95 and to_meter == "2/7":  # the other meter is always whole: there each kind of entry is checked
            machine.seize(pick=chance.randrange(2), cents=chance.randint(1, 2_000))
        elif what < 0.96 and max(machine.plain.missing) > 0:
            machine.put_back()
        else:
            machine.adjust(cents=chance.randint(-300, 300), why=chance.choice(cmd.REASONS))
        machine.the_meter_is_exact()
    assert machine.meter is not None and machine.meter.whole > steps // 100
