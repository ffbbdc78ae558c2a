"""Limits, bars and patrons under Hypothesis: a table that people deal, where a player with limits of her own and
patrons without an account do anything in any order, against a model that counts what left her account and came back.

Whatever happens: no new wager is taken beyond a limit in force, or of who is barred; what is refused changes nothing;
all accounts together are zero, and none is below zero that may not be; the records make the same states again, and a
replay the same decisions.
"""

from collections import Counter
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from feltworks.floor import person
from feltworks.floor.accounts import Account, AccountKind, Kind, player_account
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Administration
from feltworks.floor.aggregates import decide, evolve
from feltworks.floor.journal.upcasting import decode_command, decode_event, encode
from feltworks.floor.person import Person
from feltworks.floor.player_limits import DAY, HOUR, SetLimit
from feltworks.floor.refusal import Refused
from feltworks.floor.streams import HOUSE_STREAM, Command, Decision, State, States, person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import recorded
from feltworks.floor.table.state import Table
from feltworks.floor.verification.recorded_chance import RecordedChance
from feltworks.kit import steps
from feltworks.kit.chance import Shuffled
from tests.floor.sitting import TODAY, one_for_the_money
from tests.quick import share

ANN, DAN = by_person("ann"), by_person("dan")
START = 10_000
SEATS = (2, 3)
"""Where patrons sit."""
amounts = st.sampled_from([100, 500, 1_000, 2_500])
seats = st.sampled_from(SEATS)
seldom = st.sampled_from([*[False] * 7, True])
"""What would end most plays if it happened as often as the rest."""


class Limited(RuleBasedStateMachine):
    """One For The Money, dealt by Dan: Ann at seat 1, and patrons at the others."""

    def __init__(self) -> None:
        super().__init__()
        self.now = TODAY
        self.states: dict[str, State] = {HOUSE_STREAM: Administration()}
        self.books: Counter[str] = Counter()
        self.commits: list[tuple[str, bytes, Actor, int, Decision]] = []
        self.random = Random(0)
        self.physical: Shuffled | None = None
        for id, roles in (("ann", ()), ("dan", ("dealer",))):
            self.states[person_stream(id)] = Person(id, "00" * 32, roles=roles)
        self.first = dict(self.states)
        self.books |= Counter({str(player_account("ann")): START})
        self.books["house"] = -START
        self.do("money", cmd.OpenTable(one_for_the_money(seats=3, dealing="people")), PROGRAM)
        for stream, command, actor in (
            ("money", cmd.Sit(1), ANN),
            ("money", cmd.SignOn(), DAN),
            ("money", cmd.SeatPatron(2, START), DAN),
            (person_stream("ann"), SetLimit("loss", 5_000), ANN),
        ):
            assert not self.do(stream, command, actor)
        # The model: limits in force and to come, and what has left Ann's account since her day began.
        self.limits: dict[str, int | None] = {"loss": 5_000, "time": None}
        self.later: dict[str, tuple[int | None, int]] = {}
        self.began: int | None = None
        self.lost = 0
        self.kept_away = False

    @property
    def table(self) -> Table:
        table = self.states["money"]
        assert isinstance(table, Table)
        return table

    @property
    def ann(self) -> Person:
        known = self.states[person_stream("ann")]
        assert isinstance(known, Person)
        return known

    # Doing something, and what it makes.

    def do(self, stream: str, command: Command, actor: Actor) -> str:
        """What was refused, in words; nothing if it was done."""
        states = States(self.states.get, lambda account: self.books[account], RecordedChance(()))
        before, books = dict(self.states), dict(self.books)
        said, made = "", Decision()
        try:
            made = decide(states, stream, command, actor, self.now)
        except Refused as refusal:
            said = str(refusal)
        if said:
            assert (self.states, dict(self.books)) == (before, books)
            assert not said[0].islower() and said.endswith(".")
            return said
        self.commits.append((stream, encode(command), actor, self.now, made))
        self.states |= made.states
        for happened in made.happened:
            for entry in happened.entries:
                self.books[str(entry.payer)] -= entry.cents
                self.books[str(entry.payee)] += entry.cents
                self.follow(entry.kind, entry.payer, entry.payee, entry.cents)
        return ""

    lost = 0

    def follow(self, kind: Kind, payer: Account, payee: Account, cents: int) -> None:
        """The model counts what leaves Ann's account and what comes back; grants apart."""
        if kind is not Kind.GRANT:
            self.lost += cents * ((payer == player_account("ann")) - (payee == player_account("ann")))

    def limit(self, what: str) -> int | None:
        value, at = self.later.get(what, (None, 0))
        if what in self.later and at <= self.now:
            self.limits[what] = value
            del self.later[what]
        return self.limits[what]

    def wager(self, command: cmd.Place | cmd.Choose, cost: int) -> None:
        """Ann wagers so much, if she is let."""
        is_new = self.began is None or self.now >= self.began + DAY
        lying, lost = self.table.lying("ann"), self.lost
        counted = lying if is_new else lost
        loss, time = self.limit("loss"), self.limit("time")
        said = self.do("money", command, ANN)
        is_late = time is not None and not is_new and self.began is not None and self.now >= self.began + time
        is_beyond = cost and (is_late or (loss is not None and counted + cost > loss))
        if not said and cost:
            assert not is_beyond and not self.kept_away
            if is_new and (loss is not None or time is not None):
                self.began, self.lost = self.now, counted + cost
        elif "set yourself" in said:
            assert is_beyond

    # Ann.

    @rule(spot=st.sampled_from(["ante", "three_card_bonus"]), amount=amounts)
    def place(self, spot: str, amount: int) -> None:
        self.wager(cmd.Place(spot, amount), amount)

    @rule(rounds=st.lists(st.tuples(amounts, st.sampled_from(["check", "raise", "trade"])), min_size=1, max_size=4))
    def bet_again(self, rounds: list[tuple[int, str]]) -> None:
        """Ann comes to the next betting, wagers, and decides about it; and again."""
        for amount, option in rounds:
            self.come_to_betting()
            self.wager(cmd.Place("ante", amount), amount)
            while self.table.has_wagers(1) and not self.table.to_act:
                self.deal()
            self.choose(option)

    def come_to_betting(self) -> None:
        """Nobody wagers more until betting is open, with Ann in her seat if she may have one."""
        if self.table.service == "closed":
            self.close_and_reopen(False)
        self.do("money", cmd.Sit(1), ANN)
        while not self.table.betting or self.table.has_wagers(1):
            for seat in sorted(self.table.to_act):
                command = cmd.Choose("check") if seat == 1 else cmd.ChooseFor(seat, "check")
                if self.do("money", command, ANN if seat == 1 else DAN):
                    command = cmd.Choose("stand") if seat == 1 else cmd.ChooseFor(seat, "stand")
                    assert not self.do("money", command, ANN if seat == 1 else DAN)
            if not self.table.to_act:
                self.deal()

    @rule(option=st.sampled_from(["check", "raise", "trade", "stand"]))
    def choose(self, option: str) -> None:
        stakes = self.table.round.wagers if self.table.round is not None else {}
        ante = next((int(cents) for (seat, spot), cents in stakes.items() if (seat, spot) == (1, "ante")), 0)
        self.wager(cmd.Choose(option), ante if option in ("raise", "trade") else 0)

    @rule(spot=st.sampled_from(["ante", "three_card_bonus"]))
    def take_up(self, spot: str) -> None:
        self.do("money", cmd.TakeUp(spot), ANN)

    @rule(what=st.sampled_from(["loss", "time"]), value=st.sampled_from([None, 0, 1, 2, 5]))
    def set_limit(self, what: str, value: int | None) -> None:
        wanted = None if value is None else value * (1_000 if what == "loss" else HOUR)
        current = self.limit(what)
        said = self.do(person_stream("ann"), SetLimit(what, wanted), ANN)
        if what == "time" and value == 0:
            assert "1 min to 24 h" in said
        elif wanted is not None and (current is None or wanted <= current):
            self.limits[what] = wanted
            self.later.pop(what, None)
        elif wanted != current and self.later.get(what, ("", 0))[0] != wanted:
            self.later[what] = wanted, self.now + 24 * HOUR
        elif wanted == current:
            self.later.pop(what, None)

    @rule(cents=amounts)
    def grant(self, cents: int) -> None:
        assert not self.do(person_stream("ann"), person.Grant(cents, "a test"), PROGRAM)

    @rule(really=seldom)
    def bar_or_let_back(self, really: bool) -> None:
        """Ann is barred, or not any more."""
        if self.kept_away:
            assert not self.do(person_stream("ann"), person.Unbar("a test", "money"), PROGRAM)
            self.kept_away = False
        if self.kept_away or not really:
            return
        assert not self.do(person_stream("ann"), person.Bar("a test", "money"), PROGRAM)
        self.kept_away = True
        if self.table.seat_of("ann") is not None:
            assert not self.do("money", cmd.Unseat("ann"), PROGRAM)

    @rule()
    def sit(self) -> None:
        said = self.do("money", cmd.Sit(1), ANN)
        assert not (self.kept_away and not said)

    # Patrons.

    @rule(seat=seats, chips=amounts)
    def seat_patron(self, seat: int, chips: int) -> None:
        is_free = seat not in self.table.seats and self.table.service == "open"
        assert bool(self.do("money", cmd.SeatPatron(seat, chips), DAN)) != is_free

    @rule(seat=seats)
    def patron_leaves(self, seat: int) -> None:
        has = self.books[f"seat:money/{seat}"]
        said = self.do("money", cmd.PatronLeaves(seat), DAN)
        assert said or self.books[f"seat:money/{seat}"] == 0
        assert not said or self.books[f"seat:money/{seat}"] == has

    @rule(seat=seats, spot=st.sampled_from(["ante", "three_card_bonus"]), amount=amounts)
    def place_for(self, seat: int, spot: str, amount: int) -> None:
        self.do("money", cmd.PlaceFor(seat, spot, amount), DAN)

    @rule(seat=seats, option=st.sampled_from(["check", "raise", "trade", "stand"]))
    def choose_for(self, seat: int, option: str) -> None:
        self.do("money", cmd.ChooseFor(seat, option), DAN)

    # Dan, and the house.

    @rule()
    @precondition(lambda self: self.table.service == "open")
    def deal(self) -> None:
        """What Dan does next."""
        table = self.table
        if table.round is None:
            self.physical = Shuffled(self.random, table.game.fresh())
            if not self.table.dealer:  # who was there when the table was closed
                assert not self.do("money", cmd.SignOn(), DAN)
            assert not self.do("money", cmd.StartRound(True), DAN)
        elif table.round.over:
            assert not self.do("money", cmd.EndRound(), DAN)
        elif table.betting:
            self.do("money", cmd.CloseBetting(), DAN)
        elif not table.to_act:
            assert self.physical is not None
            assert isinstance(table.step, steps.Deal | steps.Turn | steps.Read | steps.Roll)
            assert not self.do("money", cmd.Enter(recorded(self.physical.answer(table.step))), DAN)
            after = self.table.round
            assert after is not None
            self.physical.happened(after.effects)

    @rule(hours=st.sampled_from([0, 1, 2, 25]))
    def wait(self, hours: int) -> None:
        self.now += hours * HOUR + 1
        self.do("money", cmd.ClockRanOut(), PROGRAM)
        self.do("money", cmd.FreeSeats(), PROGRAM)

    @rule(really=seldom)
    def void(self, really: bool) -> None:
        if really:
            self.do("money", cmd.VoidRound("a test"), PROGRAM)

    @rule(really=seldom)
    def close_and_reopen(self, really: bool) -> None:
        if self.table.service == "closed":
            assert not self.do("money", cmd.ReopenTable(), PROGRAM)
        elif really and self.table.service == "open" and self.table.round is None:
            assert not self.do("money", cmd.CloseTable("a test"), PROGRAM)
            assert not self.table.seats

    # What is always so.

    @invariant()
    def all_accounts_together_are_zero_and_none_is_below_that_may_not_be(self) -> None:
        assert sum(self.books.values()) == 0
        for name, cents in self.books.items():
            assert cents >= 0 or Account.parse(name).may_owe, name

    @invariant()
    def chips_of_a_patron_lie_at_a_seat_where_one_sits(self) -> None:
        for name, cents in self.books.items():
            account = Account.parse(name)
            if account.kind is AccountKind.SEAT and cents:
                assert self.table.seats[int(account.owner.rpartition("/")[2])].is_patron

    @invariant()
    def who_may_not_play_has_nothing_but_what_is_in_action(self) -> None:
        if self.kept_away and self.table.seat_of("ann") is not None:
            assert self.table.has_chips(1) or not (self.table.betting or self.table.round is None) or self.is_freed()

    def is_freed(self) -> bool:
        """Whether the house frees the seat next."""
        return 1 in self.table.kept_until

    def teardown(self) -> None:
        """The records make the same states again, and a replay the same decisions."""
        states, books = dict(self.first), Counter({str(player_account("ann")): START, "house": -START})
        folded: dict[str, State] = dict(self.first)
        for stream, command, actor, now, made in self.commits:
            given = States(states.get, lambda account: books[account], RecordedChance(()))
            again = decide(given, stream, decode_command(stream, command), actor, now)
            assert again.happened == made.happened
            states |= again.states
            for happened in again.happened:
                event = decode_event(happened.stream, encode(happened.event))
                folded[happened.stream] = evolve(folded.get(happened.stream), happened.stream, event, now)
                for entry in happened.entries:
                    books[str(entry.payer)] -= entry.cents
                    books[str(entry.payee)] += entry.cents
        assert states == self.states == folded


@pytest.mark.soak
@pytest.mark.rule("F-10", "F-11", "F-15")
def test_limits_hold_and_patrons_keep_their_chips_whatever_anybody_does_at_any_time() -> None:
    run_state_machine_as_test(Limited, settings=settings(max_examples=share(80), stateful_step_count=30, deadline=None))
