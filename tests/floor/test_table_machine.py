"""A table under Hypothesis: any commands in any order, against a model of balances and phases that knows no events.

The model knows the game's rules in a few lines of its own: who wins by the ranks, what the bonus pays. What the table
refuses must change nothing (G5); deadlines are never in the past of the event that set them; a clock that runs out
never makes a wager, and nobody gains time by coming and going (F-30).
"""

from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from feltworks.floor.accounts import HOUSE, player_account
from feltworks.floor.actors import DEALER, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, recorded
from feltworks.floor.table.dealer import next_for
from feltworks.floor.table.decide import decide
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.settings import Clocks, Limits
from feltworks.floor.table.state import Table
from feltworks.floor.verification.older import OldChance, behind
from feltworks.floor.verification.recorded_chance import RecordedChance
from feltworks.floor.verification.replay import ENOUGH, NEWER
from feltworks.kit import steps
from feltworks.kit.cards import SUITED_CARDS, Card, Token
from feltworks.web import views
from tests.floor.sitting import Sitting, fold, one_for_the_money
from tests.lab.oracles import three_card_kind
from tests.quick import share

START, IDLE = 5_000, 2
PLAYERS = ("ann", "bob", "cyd")
BONUS = {"Straight flush": 40, "Three of a kind": 30, "Straight": 10, "Flush": 5}
OPTIONS = {"check", "raise", "trade", "stand"}

players = st.sampled_from(PLAYERS)
seats = st.integers(0, 4)
amounts = st.sampled_from([100, 200, 500, 1_000, 2_500, 50, 0, -100, 30_100, 10**12])
spots = st.sampled_from(["ante", "three_card_bonus", "raise", "trade", "elsewhere"])


class TableMachine(RuleBasedStateMachine):
    """One For The Money with three seats; chance is Hypothesis itself."""

    CLOCKS = Clocks()

    def __init__(self) -> None:
        super().__init__()
        self.sitting = Sitting(one_for_the_money(seats=3, idle=IDLE, clocks=self.CLOCKS), balance=START)
        for player in PLAYERS:
            self.sitting.books[str(HOUSE)] -= START
            self.sitting.books[str(player_account(player))] += START
        self.commands: list[tuple[cmd.Command, Actor, int, list[ev.Event]]] = []
        """What was carried out: by whom, when, and what it made happen."""
        # The model: who sits where, what lies on each spot, what everybody has.
        self.seated: dict[str, int] = {}
        self.leaving: set[str] = set()
        self.away: set[str] = set()
        self.missed: Counter[str] = Counter()
        self.money = Counter(dict.fromkeys(PLAYERS, START))
        self.down: Counter[tuple[str, str]] = Counter()
        self.cards: dict[Token, Card] = {}
        self.most, self.posted = 30_000, 0
        """The most that a spot takes, and what is posted to be the most from the next round on."""

    @property
    def table(self) -> Table:
        return self.sitting.table

    @property
    def round(self) -> Any:
        return self.table.round

    def tries(self, player: str, command: cmd.Command) -> bool:
        """Whether the table takes a command; refused, it leaves everything as it was."""
        before, books, events = self.table, dict(self.sitting.books), len(self.sitting.events)
        picture = repr(before)
        try:
            made = self.sitting.do(player, command) if player else self.sitting.house(command)
        except Refused as refusal:
            said = str(refusal)
            assert self.table is before
            assert repr(before) == picture
            assert dict(self.sitting.books) == books
            assert len(self.sitting.events) == events
            assert not said[0].islower()
            assert said.endswith(".")
            return False
        self._deadlines(before)
        self.commands.append((command, by_person(player) if player else DEALER, self.sitting.now, made))
        return True

    def _deadlines(self, before: Table) -> None:
        """A deadline that is new lies at or after the event that set it."""
        if self.table.deadline is not None and self.table.deadline != before.deadline:
            assert self.table.deadline >= self.sitting.now

    # People.

    @rule(player=players, seat=seats)
    def sit(self, player: str, seat: int) -> None:
        free = 1 <= seat <= 3 and seat not in self.seated.values() and player not in self.seated
        assert self.tries(player, cmd.Sit(seat)) == free
        if free:
            self.seated[player] = seat
            self.away.discard(player)
            self.missed[player] = 0

    @rule(player=players, spot=spots, amount=amounts)
    def place(self, player: str, spot: str, amount: int) -> None:
        down = self.down[player, spot] + amount
        allowed = (
            self.may_bet(player)
            and spot in ("ante", "three_card_bonus")
            and amount > 0
            and 100 <= down <= self.most
            and amount <= self.money[player]
            and (spot == "ante" or self.down[player, "ante"] > 0)
        )
        assert self.tries(player, cmd.Place(spot, amount)) == allowed
        if allowed:
            self.money[player] -= amount
            self.down[player, spot] = down
            self.missed[player] = 0

    @rule(player=players, spot=spots)
    def take_up(self, player: str, spot: str) -> None:
        allowed = (
            self.may_bet(player)
            and self.down[player, spot] > 0
            and (spot != "ante" or not self.down[player, "three_card_bonus"])
        )
        assert self.tries(player, cmd.TakeUp(spot)) == allowed
        if allowed:
            self.money[player] += self.down.pop((player, spot))
            self.changed()

    @rule(player=players)
    def ready(self, player: str) -> None:
        allowed = self.may_bet(player) and self.down[player, "ante"] > 0
        assert self.tries(player, cmd.Ready()) == allowed

    @rule(player=players, option=st.sampled_from(sorted(OPTIONS | {"fly"})), amount=st.sampled_from([None, 0, 500, -1]))
    def choose(self, player: str, option: str, amount: int | None) -> None:
        asked = self.seated.get(player) in self.table.to_act
        step = self.table.step
        offered = {o.name for o in step.options} if isinstance(step, steps.Choose) else set()
        ante = self.down[player, "ante"]
        wager = ante if option in ("raise", "trade") else 0
        fits = amount in (None, wager) if wager else not amount
        allowed = asked and option in offered and fits and wager <= self.money[player]
        assert self.tries(player, cmd.Choose(option, amount)) == allowed
        if allowed and wager:
            self.money[player] -= wager
            self.down[player, option] += wager

    @rule(player=players)
    def leave(self, player: str) -> None:
        here = player in self.seated
        assert self.tries(player, cmd.Leave()) == here
        if not here or player in self.leaving:
            return
        if self.in_play(player):
            self.leaving.add(player)
            return
        for spot in ("ante", "three_card_bonus"):
            self.money[player] += self.down.pop((player, spot), 0)
        del self.seated[player]
        self.changed()

    @rule(player=players, present=st.booleans())
    def connection(self, player: str, present: bool) -> None:
        before = self.table
        assert self.tries("", cmd.Connection(player, present))
        if player in self.seated:
            if present == (player in self.away):
                self.missed[player] = 0
            (self.away.discard if present else self.away.add)(player)
        self.came_or_went(before)

    def came_or_went(self, before: Table) -> None:
        """Nobody's clock is shortened by a connection that comes or goes."""
        if before.deadline is not None and not self.table.betting:
            assert self.table.deadline is not None
            assert self.table.deadline >= before.deadline or self.table.deadline == self.sitting.now

    @rule(bonus=st.sampled_from([0, 100, 300]), leaves_out=st.sampled_from([None, *PLAYERS]))
    def everybody_bets(self, bonus: int, leaves_out: str | None) -> None:
        """What people mostly do, so that rounds are played: sit, bet, and be ready."""
        for seat, player in enumerate(PLAYERS, 1):
            if player != leaves_out:
                if player not in self.seated:
                    self.sit(player, next((s for s in (seat, 1, 2, 3) if s not in self.seated.values()), seat))
                self.place(player, "ante", 200)
                if bonus:
                    self.place(player, "three_card_bonus", bonus)
                self.ready(player)

    @precondition(lambda self: self.table.to_act)
    @rule(data=st.data())
    def somebody_decides(self, data: st.DataObject) -> None:
        """What is asked is answered."""
        seat = min(self.table.to_act)
        step = self.table.step
        assert isinstance(step, steps.Choose)
        option = data.draw(st.sampled_from([option.name for option in step.options]))
        self.choose(self.table.seats[seat].player, option, None)

    @rule(bonus=st.sampled_from([0, 100]), leaves_out=st.sampled_from([None, *PLAYERS]), data=st.data())
    def a_round_goes_on(self, bonus: int, leaves_out: str | None, data: st.DataObject) -> None:
        """From wherever the table is to the next settlement, as rounds mostly go."""
        if self.round is not None and self.round.over:
            self.end()
        if self.round is None:
            self.start()
        if self.table.betting:
            self.everybody_bets(bonus, leaves_out)
            if not self.down:
                return
            if self.table.betting:
                assert self.tries("", cmd.CloseBetting())
        while self.round is not None and not self.round.over:
            if not self.table.to_act:
                self.deal(data)
            elif data.draw(st.integers(1, 8)) == 1:
                self.clock(60_000)
            else:
                self.somebody_decides(data)

    # The house.

    @precondition(lambda self: self.round is None)
    @rule()
    def start(self) -> None:
        assert self.tries("", cmd.StartRound(self.table.needs_shuffle))
        self.missed.update(self.seated.keys())
        self.down.clear()
        self.cards.clear()

    @precondition(lambda self: isinstance(self.table.step, steps.Deal | steps.Turn))
    @rule(data=st.data())
    def deal(self, data: st.DataObject) -> None:
        """Deal and turn up to the next decision, or one step of it."""
        for _ in range(data.draw(st.sampled_from([1, 30]))):
            step = self.table.step
            if isinstance(step, steps.Deal):
                self.answers(steps.DEALT)
            elif isinstance(step, steps.Turn):
                unseen = self.round.unseen
                card = data.draw(st.sampled_from([card for card in SUITED_CARDS if unseen.count(card)]))
                self.cards[step.token] = card
                self.answers(card)
                if self.round.over:
                    self.settle()
                    return
            else:
                return

    def answers(self, answer: steps.Answer) -> None:
        assert self.tries("", cmd.Enter(recorded(answer)))

    @rule(passes=st.sampled_from([0, 1, 19_999, 25_000, 60_000, 400_000]))
    def clock(self, passes: int) -> None:
        """Time passes, and the clock is looked at: whoever was away for too long has lost the seat."""
        self.sitting.now += passes
        before, down = self.table, self.wagers()
        acting = self.table.to_act
        assert self.tries("", cmd.ClockRanOut())
        assert self.wagers() <= down  # it makes no wager nobody made
        if self.table is not before:
            assert before.deadline is not None
            assert self.sitting.now >= before.deadline
            answer = self.sitting.events[-1][0]
            if acting:
                assert isinstance(answer, ev.Answered)
                assert isinstance(answer.answer, Decided)
                assert (answer.answer.option, answer.answer.amount) in (("check", None), ("stand", None))
        betting, between = self.table.betting, self.round is None
        assert self.tries("", cmd.FreeSeats())
        for player in [p for p in self.seated if not self.down_of(p)]:
            idle = (between or betting) and self.missed[player] >= IDLE + betting
            assert not idle or player in self.away or self.table.seat_of(player) is None
            if self.table.seat_of(player) is None and (idle or player in self.away):
                del self.seated[player]
                self.away.discard(player)
        self.changed()

    @precondition(lambda self: self.round is not None)
    @rule()
    def end(self) -> None:
        over = self.round.over
        assert self.tries("", cmd.EndRound()) == over
        if over:
            self.gone()

    @precondition(lambda self: self.round is not None)
    @rule(luck=st.integers(1, 8))
    def void(self, luck: int) -> None:
        """F-17: what is in action goes back, whatever the phase. It is rare."""
        if luck > 1:
            return
        over = self.round.over
        assert self.tries("", cmd.VoidRound("a fire alarm")) == (not over)
        if not over:
            for (player, _), amount in self.down.items():
                self.money[player] += amount
            self.gone()

    def gone(self) -> None:
        self.down.clear()
        for player in self.leaving:
            del self.seated[player]
        self.leaving.clear()
        self.changed()

    # The manager.

    @rule(most=st.sampled_from([20_000, 25_000, 30_000]), seats=st.sampled_from([3, 3, 3, 2]))
    def change(self, most: int, seats: int) -> None:
        """F-40: posted now, in force when nothing lies on the table."""
        limits = dict.fromkeys(("ante", "three_card_bonus"), Limits(100, most))
        changed = msgspec.structs.replace(self.table.settings, limits=limits, seats=seats)
        fits = seats == 3 and most != self.most  # a model with fewer seats would be another one
        if seats == 3 or 3 in self.seated.values():
            assert self.tries("", cmd.ChangeSettings(changed)) == (fits and not self.posted)
            if fits and not self.posted:
                self.posted = most
                self.changed()

    @rule()
    def withdraw(self) -> None:
        assert self.tries("", cmd.WithdrawChange()) == bool(self.posted)
        self.posted = 0

    def changed(self) -> None:
        """What is posted is in force as soon as no wager lies there, between two rounds or in open betting."""
        between = self.round is None or self.table.betting
        if self.posted and between and not any(self.down.values()):
            assert self.round is None
            self.most, self.posted = self.posted, 0
            self.gone()

    # The model's own rules.

    def may_bet(self, player: str) -> bool:
        return self.table.betting and player in self.seated and player not in self.leaving

    def in_play(self, player: str) -> bool:
        return self.round is not None and not self.table.betting and self.down_of(player) > 0

    def down_of(self, player: str) -> int:
        return sum(amount for (who, _), amount in self.down.items() if who == player)

    def settle(self) -> None:
        event(f"{len(self.down)} wagers settled")
        dealer = [self.cards[Token(None, name)] for name in ("dealer 1", "dealer 2")]
        high = max(card.rank for card in dealer)
        for (player, spot), amount in self.down.items():
            seat = self.seated[player]
            own: Card = self.cards.get(Token(seat, "replacement")) or self.cards[Token(seat, "card")]  # type: ignore[arg-type]
            if spot == "three_card_bonus":
                ranks = [(card.rank, "cdhs".index(card.suit or "")) for card in (*dealer, own)]
                line = three_card_kind((ranks[0], ranks[1], ranks[2]))
                self.money[player] += amount * (1 + BONUS[line]) if line in BONUS else 0
            elif own.rank >= high:
                self.money[player] += amount * (2 if own.rank > high else 1)
        self.down.clear()

    def wagers(self) -> int:
        return sum(int(amount) for amount in self.round.wagers.values()) if self.round is not None else 0

    # What always holds.

    @invariant()
    def balances_are_those_of_the_model(self) -> None:
        for player in PLAYERS:
            assert self.sitting.balance(player) == self.money[player] >= 0

    @invariant()
    def the_books_sum_to_zero(self) -> None:
        assert sum(self.sitting.books.values()) == 0

    @invariant()
    def the_wagers_are_those_of_the_model(self) -> None:
        if self.round is not None:
            wagers = {(self.table.seats[s].player, spot): int(n) for (s, spot), n in self.round.wagers.items()}
            assert wagers == {key: amount for key, amount in self.down.items() if amount}

    @invariant()
    def the_limits_are_those_of_the_model(self) -> None:
        assert {limits.most for limits in self.table.settings.limits.values()} == {self.most}
        posted = self.table.change
        assert (posted is None) == (not self.posted)
        if posted is not None:
            assert {limits.most for limits in posted.settings.limits.values()} == {self.posted}
            assert self.round is not None and (self.wagers() or not self.table.betting)

    @invariant()
    def the_seats_are_those_of_the_model(self) -> None:
        assert {who.player: seat for seat, who in self.table.seats.items()} == self.seated
        assert {who.player for who in self.table.seats.values() if who.leaving} == self.leaving
        assert {who.player for who in self.table.seats.values() if not who.present} == self.away & set(self.seated)

    @invariant()
    def somebody_or_the_dealer_goes_on(self) -> None:
        """No table stands still: a person can act, or the dealer has something to do."""
        due = next_for(self.table, self.sitting.now)
        waits_for_people = self.round is None or self.table.betting
        assert due is not None or waits_for_people or self.is_alone()

    def is_alone(self) -> bool:
        """Whether somebody has the table to themselves, at a table where they have no clock then."""
        return False

    @invariant()
    def everybody_can_be_shown_the_table(self) -> None:
        for player in (None, *PLAYERS):
            seen = views.view(self.table, player, str, 0, {})
            sealed = [card for card in seen.dealer if card.card is None]
            if self.table.to_act:
                assert len(sealed) == 2

    def teardown(self) -> None:
        """G3: the table is the fold of its events, and they are what `verify` finds that the rules make: of the
        commands, and where those are not known any more, of one behind each event."""
        assert fold(self.sitting.events) == self.table
        table: Table | None = None
        for (happened, time), actor in zip(self.sitting.events, self.sitting.actors, strict=True):
            if table is not None and not isinstance(happened, NEWER):
                found, _ = decide(table, *behind(table, happened, actor), enough, time, OldChance([happened]))
                assert found[0] == happened
            table = evolve(table, happened, time)
        table = fold(self.sitting.events[:1])
        for command, actor, time, made in self.commands:
            found, (*_, table) = decide(table, command, actor, enough, time, RecordedChance(made))
            assert found == made
        assert table == self.table


class WithoutHurry(TableMachine):
    """The same where whoever is alone has no clock, and nobody is held up by who is away or has not bet."""

    CLOCKS = Clocks(absent=10_000)

    def is_alone(self) -> bool:
        return len(self.seated) == 1 and not self.leaving and not self.away & self.seated.keys()

    def came_or_went(self, before: Table) -> None:
        """Who is there has until the usual deadline, which no connection changes, or what was left after it."""
        usual, deadline, now = self.table.usual, self.table.deadline, self.sitting.now
        assert usual == before.usual
        asked = {self.table.seats[seat].player for seat in self.table.to_act if seat in self.table.seats}
        if usual is not None and asked - self.away and not self.table.gone:
            assert deadline == (usual if now < usual else before.deadline)

    @invariant()
    def nobody_alone_has_a_clock_and_everybody_else_has_one(self) -> None:
        waits = self.table.to_act or (self.table.betting and self.wagers())
        assert (self.table.deadline is not None) == bool(waits and not self.is_alone())

    @invariant()
    def nobody_who_is_there_waits_for_long(self) -> None:
        """Not for somebody away, and for nobody longer than the usual clock and one wait."""
        usual, deadline, now = self.table.usual, self.table.deadline, self.sitting.now
        if deadline is None or not self.seated.keys() - self.away - self.leaving:
            return
        assert usual is not None
        asked = {self.table.seats[seat].player for seat in self.table.to_act}
        if asked and asked <= self.away:
            assert deadline <= now + 10_000
        assert deadline <= max(usual, now) if self.table.betting else usual + self.CLOCKS.away


def enough(_: str) -> int:
    """More than anybody wagers: whether an account holds enough is for the books to say."""
    return ENOUGH


@pytest.mark.soak
@pytest.mark.rule("F-07", "F-11", "F-16", "F-30", "F-40")
@pytest.mark.parametrize("machine", [TableMachine, WithoutHurry])
def test_a_table_where_anybody_does_anything_at_any_time_keeps_its_books_its_clocks_and_its_record(
    machine: type[TableMachine],
) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=share(40), stateful_step_count=50, deadline=None))


@pytest.mark.rule("F-30")
@pytest.mark.parametrize("losses", [1, 2, 5])
def test_whoever_comes_and_goes_gets_the_longer_clock_once(losses: int) -> None:
    sitting = Sitting(one_for_the_money(), "7h 9c 4d")
    sitting.join("ann", 2)
    sitting.start()
    sitting.do("ann", cmd.Place("ante", 1_000))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    start = sitting.now
    for _ in range(losses):
        sitting.now += 1_000
        sitting.house(cmd.Connection("ann", present=False))
        sitting.now += 1_000
        sitting.house(cmd.Connection("ann", present=True))
    assert sitting.table.deadline == start + 1_000 + sitting.table.settings.clocks.away


@pytest.mark.rule("F-30")
def test_who_left_in_mid_round_and_is_away_keeps_the_seat_until_the_round_is_over() -> None:
    sitting = Sitting(one_for_the_money(), "7h 9c 4d")
    sitting.join("ann", 2)
    sitting.start()
    sitting.do("ann", cmd.Place("ante", 1_000))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    sitting.do("ann", cmd.Leave())
    sitting.house(cmd.Connection("ann", present=False))
    sitting.house(cmd.ClockRanOut())
    sitting.deal()
    sitting.now += 10**9
    assert sitting.house(cmd.FreeSeats()) == []
    sitting.end()
    assert not sitting.table.seats


def test_a_decision_that_would_wager_half_a_cent_is_refused_or_takes_the_whole_cents_of_what_it_may() -> None:
    """Money is whole cents everywhere: half of 1.01 cannot be wagered, and up to half of it is at most 0.50."""
    sitting = Sitting(one_for_the_money(), "7h 9c 4d")
    sitting.join("ann", 2)
    sitting.start()
    sitting.do("ann", cmd.Place("ante", 101))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    round = sitting.table.round
    assert round is not None
    up_to = steps.Option("insure", steps.Extra("raise", "ante", Fraction(0), Fraction(1, 2)))
    half = steps.Option("half", steps.Extra("raise", "ante", Fraction(1, 2), Fraction(1, 2)))
    choose = steps.Choose(frozenset(round.playing), (steps.Option("check"), up_to, half))
    asked = round._changed(agenda=(choose, *round.agenda[1:]))
    table = Table(**{**sitting.table.__dict__, "round": asked})
    with pytest.raises(Refused, match="not a whole number of cents"):
        choose_at(table, sitting, "half")
    with pytest.raises(Refused, match=r"Insure: wager 0\.00 to 0\.50 here"):
        choose_at(table, sitting, "insure", 51)
    asked_for, unasked = (choose_at(table, sitting, "insure", amount) for amount in (50, None))
    assert asked_for == unasked


def choose_at(table: Table, sitting: Sitting, option: str, amount: int | None = None) -> list[ev.Event]:
    command = cmd.Choose(option, amount)
    return decide(table, command, by_person("ann"), sitting.balance, sitting.now, sitting.chance)[0]
