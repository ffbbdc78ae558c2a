"""Yo! in any hands: seats do what they like, right or wrong, game after game, and the table stays in order."""

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from feltworks.games.yo.incidents import BY_KIND, NO_ROLLS, ON_THE_LINE
from feltworks.games.yo.rules import Yo
from feltworks.kit.cards import Seat
from feltworks.kit.errors import FeltworksError, NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    Answer,
    Bet,
    Choose,
    Close,
    Collect,
    Decide,
    Incident,
    NoRoll,
    Place,
    Role,
    Roll,
    Settlement,
    Stake,
    TakeUp,
)
from tests.games.dicing import ARC, POINTS, WASHINGTON
from tests.kit.support import one_sentence, state
from tests.quick import share

CIRCLES = ("play", "late_play", "more", "yo")
SPOTS = (*CIRCLES, *ARC)
ZERO = Fraction(0)
Spot = tuple[Seat, str]


class Model:
    """The table, kept apart from the round: from answers, dice and settlements alone."""

    def __init__(self, game: Game) -> None:
        self.readings = game.readings
        self.point: int | None = None
        self.fresh = False
        self.down: dict[Spot, Fraction] = {}
        self.won: dict[Spot, Fraction] = {}
        self.bound: set[Spot] = set()
        self.pocket: defaultdict[Seat, Fraction] = defaultdict(Fraction)
        self.net: defaultdict[Seat, Fraction] = defaultdict(Fraction)

    def may_place(self, seat: Seat, spot: str, amount: Fraction) -> bool:
        """Y-04, Y-08, Y-09, Y-11, Y-12, Y-14, Y-20, in other words than the rules have."""
        play, late = self.down.get((seat, "play")), self.down.get((seat, "late_play"))
        if amount <= 0 or (seat, spot) in self.bound:
            return False
        if spot == "play":
            return self.point is None
        if spot == "late_play":
            return self.point is not None and not play
        if spot in ARC:
            return bool(play or late)
        if not play and not (late and self.readings["late_play_more_yo"] == "yes"):
            return False
        if spot == "yo":
            return self.point is None or self.fresh or self.readings["yo_window"] == "any"
        if self.point is None or not (self.fresh or self.readings["more_window"] == "any"):
            return False
        multiple, already = self.readings["more_multiple"], self.down.get((seat, "more"), ZERO)
        return multiple == "any" or already + amount <= int(multiple) * (play or late or ZERO)

    def may_take_up(self, seat: Seat, spot: str) -> bool:
        if (seat, spot) in self.bound or (seat, spot) not in self.down:
            return False
        others = [s for (of, s) in self.down.keys() - self.bound if of == seat and s not in ("play", "late_play")]
        return spot not in ("play", "late_play") or not others

    def book(self, answer: Answer, after: Round) -> None:
        match answer:
            case Place(seat, spot, amount):
                self.down[seat, spot] = self.down.get((seat, spot), ZERO) + amount
                self.pocket[seat] -= amount
                if spot in CIRCLES and self.readings["contract_from"] == "placed":
                    self.bound.add((seat, spot))
            case TakeUp(seat, spot):
                self.pocket[seat] += self.down.pop((seat, spot))
            case Collect(seat, spot):
                self.pocket[seat] += self.won.pop((seat, spot))
            case Close():
                self.bound = {place for place in self.down if place[1] in CIRCLES}
        for effect in after.effects:
            if isinstance(effect, Settlement):
                self.settle(effect)
        if answer == Close() and not after.over and self.readings["arc_win_left"] == "all":
            for seat, spot in [*self.won]:
                if (seat, "play") in self.down or (seat, "late_play") in self.down:
                    self.down[seat, spot] = self.down.get((seat, spot), ZERO) + self.won.pop((seat, spot))
        if isinstance(answer, tuple):
            self.rolled(answer[0] + answer[1], after)

    def settle(self, settled: Settlement) -> None:
        place = (settled.seat, settled.spot)
        assert self.down[place] == settled.amount > 0
        self.net[settled.seat] += settled.net()
        if settled.stake is Stake.STAYS and settled.spot in ARC:
            self.won[place] = self.won.get(place, ZERO) + settled.net()
        else:
            stays = settled.stake is Stake.STAYS
            self.pocket[settled.seat] += settled.net() + (ZERO if stays else settled.amount)
        if settled.stake is not Stake.STAYS:
            del self.down[place]
            self.bound.discard(place)

    def rolled(self, total: int, after: Round) -> None:
        """The game ends on a seven or the point while there is one, and never otherwise on a roll."""
        assert after.over == (self.point is not None and total in (7, self.point))
        self.fresh = self.point is None and total in POINTS
        if self.fresh:
            self.point = total
        if after.over:
            self.point = None


def readings() -> st.SearchStrategy[dict[str, str]]:
    every = WASHINGTON.definition.readings
    return st.fixed_dictionaries({}, optional={name: st.sampled_from([*r.values]) for name, r in every.items()})


SEATS = st.integers(1, 6).map(Seat)
AMOUNTS = st.sampled_from([Fraction(n) for n in (5, 10, 20, 41, 0, -5)] + [Fraction(1, 2)])
DICE = st.tuples(*[st.integers(1, 6)] * 4)
SOMETIMES_WRONG: st.SearchStrategy[Any] = st.one_of(
    st.builds(Place, SEATS, st.sampled_from([*SPOTS, "seven"]), AMOUNTS),
    st.builds(TakeUp, SEATS, st.sampled_from(SPOTS)),
    st.builds(Collect, SEATS, st.sampled_from(SPOTS)),
    st.just(Close()),
    DICE,
    st.lists(st.integers(-1, 8), max_size=5).map(tuple),
    st.builds(NoRoll, st.sampled_from([*NO_ROLLS, "a whim"])),
    st.builds(
        Decide, SEATS | st.sampled_from(Role), st.sampled_from(["roll", "pass", "withdraw", "dealer rolls", "no"])
    ),
)


class YoTable(RuleBasedStateMachine):
    """One to six seats at a table by any readings."""

    round: Yo

    @initialize(
        version=st.sampled_from(["washington", "rack-card"]), readings=readings(), seats=st.sets(SEATS, min_size=1)
    )
    def open(self, version: str, readings: dict[str, str], seats: set[Seat]) -> None:
        self.game = WASHINGTON.configured(version=version, readings=readings)
        self.seats = seats
        self.model = Model(self.game)
        self.begin({})

    def begin(self, carry: Any) -> None:
        round = self.game.start(self.seats, carry=carry)
        assert isinstance(round, Yo)
        self.round = round

    def answer(self, answer: Any) -> bool:
        """Give an answer, and keep the books; whether it was taken."""
        before = state(self.round)
        bound = {place: self.round.wagers[place] for place in self.round.contract}
        was_betting = isinstance(self.round.next, Bet)
        expected = self.expected(answer)
        after = self.tried(answer)
        assert expected in (None, after is not None), f"{answer} at {self.round.next}"
        assert state(self.round) == before
        if after is None:
            return False
        if was_betting and answer != Close():
            assert {place: after.wagers.get(place) for place in bound} == bound
        self.model.book(answer, after)
        self.round = after
        self.all_is_well()
        return True

    def tried(self, answer: Any) -> Yo | None:
        """The round after an answer, or nothing if it is refused."""
        try:
            return self.round.after(answer)
        except FeltworksError as refusal:
            one_sentence(refusal)
            return None

    def expected(self, answer: Any) -> bool | None:
        """Whether an answer must be taken, by the model; nothing where it has no opinion."""
        step, model = self.round.next, self.model
        match answer:
            case Place(seat, spot, amount):
                return (
                    isinstance(step, Bet)
                    and seat in self.seats
                    and spot in SPOTS
                    and model.may_place(seat, spot, amount)
                )
            case TakeUp(seat, spot):
                return isinstance(step, Bet) and seat in self.seats and model.may_take_up(seat, spot)
            case Collect(seat, spot):
                return isinstance(step, Bet) and (seat, spot) in model.won
            case tuple():
                return isinstance(step, Roll) and len(answer) == 4 and all(1 <= die <= 6 for die in answer)
        return None

    @precondition(lambda self: not self.round.over)
    @rule(data=st.data(), steps=st.integers(1, 12))
    def go_on(self, data: st.DataObject, steps: int) -> None:
        for _ in range(steps):
            match self.round.next:
                case Bet():
                    self.bet(data)
                case Roll():
                    assert self.answer(data.draw(DICE))
                case Choose(who, options):
                    chooser = who if isinstance(who, Role) else min(who)
                    assert self.answer(Decide(chooser, data.draw(st.sampled_from([o.name for o in options]))))

    def bet(self, data: st.DataObject) -> None:
        wants = data.draw(st.lists(st.tuples(st.sampled_from(sorted(self.seats)), st.sampled_from(SPOTS)), max_size=6))
        if self.round.point is None:
            wants = [(data.draw(st.sampled_from(sorted(self.seats))), "play"), *wants]
        for seat, spot in wants:
            if self.model.may_place(seat, spot, Fraction(10)):
                assert self.answer(Place(seat, spot, Fraction(10)))
        self.answer(Close())

    @rule(answer=SOMETIMES_WRONG)
    def anything(self, answer: Any) -> None:
        self.answer(answer)

    @precondition(lambda self: bool(self.round.winnings) and isinstance(self.round.next, Bet))
    @rule()
    def collect(self) -> None:
        for seat, spot in [*self.round.winnings]:
            assert self.answer(Collect(seat, spot))

    @precondition(lambda self: not self.round.over)
    @rule(kind=st.sampled_from([*BY_KIND, "dispute"]), data=st.data())
    def something_happens(self, kind: str, data: st.DataObject) -> None:
        before = self.round
        if isinstance(before.next, Choose) and isinstance(before.next.who, Role):
            with pytest.raises(NotAllowed, match="decides first"):
                before.report(Incident(kind))
            return
        stopped = before.report(Incident(kind))
        assert isinstance(stopped.next, Choose)
        for answer in ((1, 1, 1, 1), Close(), Place(Seat(1), "high", Fraction(1)), NoRoll(NO_ROLLS[0])):
            with pytest.raises(FeltworksError):
                stopped.after(answer)
        chosen = data.draw(st.sampled_from([o.name for o in stopped.next.options if o.name != "void"]))
        assert isinstance(stopped.next.who, Role)
        after = stopped.after(Decide(stopped.next.who, chosen))
        assert after.key == before.key
        self.round = after

    @precondition(lambda self: isinstance(self.round.next, Roll))
    @rule(spots=st.permutations(ARC), data=st.data())
    def a_wager_lies_on_the_line(self, spots: list[str], data: st.DataObject) -> None:
        lying = sorted(place for place in self.round.wagers if place[1] in ARC)
        if lying:
            seat, spot = data.draw(st.sampled_from(lying))
            other = next(s for s in spots if s != spot)
            down = self.model.down
            amount = down[seat, spot] / data.draw(st.sampled_from([1, 2]))
            stopped = self.round.report(Incident(ON_THE_LINE, "", seat, (spot, other), amount))
            self.round = stopped.after(Decide(Role.SUPERVISOR, other))
            down[seat, other] = down.get((seat, other), ZERO) + amount
            down[seat, spot] -= amount
            if not down[seat, spot]:
                del down[seat, spot]

    @precondition(lambda self: self.round.over)
    @rule(come=st.sets(SEATS, max_size=2), go=SEATS)
    def the_next_game(self, come: set[Seat], go: Seat) -> None:
        """Seats come, and one that has nothing on the layout may go."""
        lying = {seat for seat, _ in [*self.round.wagers, *self.round.winnings]}
        self.seats = (self.seats | come) - ({go} - lying) or {Seat(1)}
        self.begin(self.round.carry)

    @invariant()
    def all_is_well(self) -> None:
        round, model = self.round, self.model
        assert dict(round.wagers) == model.down
        assert dict(round.winnings) == model.won
        assert round.point == model.point
        assert round.contract >= model.bound
        for seat in {*self.seats, *model.pocket}:
            lying = sum((v for (s, _), v in [*round.wagers.items(), *round.winnings.items()] if s == seat), ZERO)
            assert model.pocket[seat] + lying == model.net[seat]
        if isinstance(round.next, Roll):
            assert round.roller is Role.DEALER or round.has(Seat(int(str(round.roller))), "play")
            assert round.shooter is not None
            assert round.has(round.shooter, "play") or (round.moves_on and round.roller != round.shooter)
        if round.point is not None:
            assert round.with_play
        if round.over:
            assert not any(spot in ("play", "late_play", "more") for _, spot in round.wagers)


@pytest.mark.soak
@pytest.mark.rule("Y-04", "Y-08", "Y-11", "Y-20", "Y-21", "Y-23", "Y-24", "Y-26")
def test_whatever_seats_do_in_any_order_books_kept_apart_accept_refuse_and_pay_the_same() -> None:
    run_state_machine_as_test(YoTable, settings=settings(max_examples=share(60), stateful_step_count=30, deadline=None))


@pytest.mark.rule("Y-07", "Y-22")
@pytest.mark.parametrize("seats", range(1, 7))
def test_a_hundred_games_in_a_row_end_and_the_cup_goes_around(seats: int) -> None:
    """Everybody always has Play: each game's shooter is the seat after the last one's."""
    random, everyone = Random(seats), [Seat(n) for n in range(1, seats + 1)]
    carry: Any = {}
    for number in range(100):
        round = WASHINGTON.start(everyone, carry=carry)
        while not round.over:
            match round.next:
                case Bet() as bet:
                    for seat in everyone:
                        if "play" in bet.spots:
                            round = round.after(Place(seat, "play", Fraction(1)))
                    round = round.after(Close())
                case Choose(frozenset() as who):
                    round = round.after(Decide(min(who), "roll"))
                case Roll():
                    round = round.after(tuple(random.randint(1, 6) for _ in range(4)))
        assert isinstance(round, Yo)
        assert round.shooter == everyone[number % seats]
        carry = round.carry
