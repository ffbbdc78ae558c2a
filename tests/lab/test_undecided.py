"""The lab and wagers that a round leaves undecided: forgotten ones are an error, and carried ones are followed."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import feltworks
from feltworks.kit.cards import Seat, Token
from feltworks.kit.enumerator import EnumeratedWager, Outcome
from feltworks.kit.errors import BadDefinition, FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Deal, Items, Roll, Stake, Turn, task
from feltworks.kit.walk import Habit
from feltworks.lab.analysis import analyze
from feltworks.lab.enumerating_analyzer import analysed
from feltworks.lab.simulation import simulate
from feltworks.lab.wager_analysis import WagerAnalysis
from tests.kit.support import little_game, one_sentence

FAULTY = Path(__file__).parents[1] / "faulty"
KINDS = ("ordinary", "contract", "one-roll")
UNIT = Fraction(1)


@pytest.mark.parametrize(
    ("name", "wager", "said"),
    [
        ("no-loss", "base", "The rule NoLoss.settle (T-42) of No Loss ended the round, but Ante of seat 1 is neither"),
        ("dropped-bonus", "six", "(T-52 and T-53) of Dropped Bonus ended the round, but Six of seat 1 is neither"),
        ("nothing-carried", "ride", "(T-62 to T-64) of Nothing Carried ended the round, but Ride of seat 1 is neither"),
        ("nothing-carried", "field", "but Field of seat 1 is neither settled nor carried, and what was won by Field"),
    ],
)
def test_a_game_that_forgets_a_wager_is_neither_solved_nor_simulated(name: str, wager: str, said: str) -> None:
    """Without its losing branch No Loss had an edge of -42.86 %, from outcomes that summed to four sevenths."""
    game = feltworks.load(name, folders=[FAULTY])
    with pytest.raises(FaultyRules) as fault:
        analyze(game, wager=wager)
    assert said in one_sentence(fault.value)
    stakes = {n: UNIT for n in game.wagers if game.wager(n).required or n == wager}
    for policy in (None, Habit(stakes)):
        with pytest.raises(FaultyRules):
            simulate(game, rounds=100, policy=policy, stakes=None if policy else stakes)
    with pytest.raises(FaultyRules):
        simulate(game, rounds=100, policy=Habit(stakes), seats=2, against={})


def sums_to_one(found: WagerAnalysis) -> bool:
    return sum(o.probability for o in found.outcomes) == 1


# Wagers that are carried.


@dataclass(frozen=True)
class Ride(Round):
    """Two dice: the Bet is decided by every roll, and the Ride by a seven or a two, whenever it comes."""

    @property
    def carry(self) -> dict[str, Any]:
        return self.left_up

    def play(self) -> Items:
        yield self.game.betting("open")
        yield Roll(2)
        yield task(self.settle)

    def settle(self) -> Items:
        assert isinstance(self.dice, tuple)
        total = sum(self.dice)
        for seat in self.playing:
            if self.stake(seat, "bet"):
                high = total > 7
                yield self.win(seat, "bet", "High", EVEN, "T-1") if high else self.lose(seat, "bet", "Low", "T-1")
            if self.stake(seat, "ride") and total in (2, 7):
                won = self.win(seat, "ride", "Seven", EVEN, "T-2")
                yield won if total == 7 else self.lose(seat, "ride", "Two", "T-2")


EVEN = Odds("to", 1, 1)


def with_ride(kind: str, base: type[Round]) -> Game:
    wagers: dict[str, dict[str, Any]] = {
        "bet": {"title": "Bet", "required": True},
        "ride": {"title": "Ride", "kind": kind, "needs": ["bet"]},
    }
    return little_game(base.play, wagers, base=base)


def with_dice(kind: str) -> Game:
    game = with_ride(kind, Ride)
    return replace(game, definition=game.definition.model_copy(update={"pack": None}), decks=None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_wager_on_dice_that_is_carried_is_followed_until_it_is_decided(kind: str) -> None:
    """Of a seven (6 of 36) and a two (1 of 36), the seven comes first six times in seven."""
    found = analyze(with_dice(kind))
    assert found["ride"].edge == Fraction(-5, 7)
    assert [(o.line, o.probability) for o in found["ride"].outcomes] == [
        ("Seven", Fraction(6, 7)),
        ("Two", Fraction(1, 7)),
    ]
    assert found["bet"].edge == Fraction(1, 6) and sums_to_one(found["bet"])


@dataclass(frozen=True)
class Pairs(Round):
    """Two cards: the Ride wins with a pair and loses with an ace that has none, from a fresh pack in every round."""

    @property
    def carry(self) -> dict[str, Any]:
        return self.left_up

    def play(self) -> Items:
        yield self.game.betting("open")
        for token in CARDS:
            yield Deal(token, "board")
            yield Turn(token)
        yield task(self.settle)

    def settle(self) -> Items:
        first, second = (self.card(token).rank for token in CARDS)
        for seat in self.playing:
            if self.stake(seat, "bet"):
                yield (
                    self.win(seat, "bet", "Pair", EVEN, "T-1")
                    if first == second
                    else self.lose(seat, "bet", "None", "T-1")
                )
            if self.stake(seat, "ride") and first == second:
                yield self.win(seat, "ride", "Pair", EVEN, "T-2")
            elif self.stake(seat, "ride") and first == 14:
                yield self.lose(seat, "ride", "Ace", "T-2")


CARDS = (Token(None, "first"), Token(None, "second"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_wager_on_cards_that_is_carried_is_dealt_from_a_fresh_pack_in_every_round(kind: str) -> None:
    """A pair has 3/51, an ace without one 4/52 x 48/51: 13 against 16."""
    found = analyze(with_ride(kind, Pairs))
    assert {o.line: o.probability for o in found["ride"].outcomes} == {
        "Pair": Fraction(13, 29),
        "Ace": Fraction(16, 29),
    }
    assert found["ride"].edge == Fraction(3, 29)


@pytest.mark.parametrize("game", [with_dice("ordinary"), with_ride("ordinary", Pairs)], ids=["dice", "cards"])
@pytest.mark.parametrize("seats", [1, 2])
def test_a_simulation_plays_on_until_what_is_carried_is_decided(game: Game, seats: int) -> None:
    """Every wager that was made has ended, and the exact figures are within what is likely."""
    stakes = {"bet": UNIT, "ride": UNIT}
    exact = {name: analyze(game, stakes=stakes)[name] for name in stakes}
    found = simulate(game, rounds=400, seats=seats, policy=Habit(stakes), against=exact, seed=3)
    assert 400 <= found.rounds < 500
    for name in stakes:
        told = found[name]
        assert sum(o.count for o in told.outcomes) == sum(sample.made for sample in told.seats.values())
        assert told.z is not None and abs(told.z) < 4
    assert {o.line for o in found["ride"].outcomes if o.count} == {o.line for o in exact["ride"].outcomes}


def test_a_wager_that_is_carried_for_ever_is_an_error() -> None:
    @dataclass(frozen=True)
    class Never(Ride):
        def settle(self) -> Items:
            yield from ()

    class Still(Never):
        def play(self) -> Items:
            yield self.game.betting("open")

    for base, said in (
        (Never, "never decides Bet of seat 1: there is a loop that never ends; let a rule end it."),
        (Still, "never decides Bet of seat 1: that is carried for ever; let a rule decide it."),
    ):
        never = replace(with_dice("ordinary"), round_class=base)
        with pytest.raises(BadDefinition, match=rf"^The rule .*{base.__name__}\.\w+ of .* {re.escape(said)}$"):
            analyze(never, wager="bet")


# Sums.


def counted(*probabilities: Fraction) -> EnumeratedWager:
    return EnumeratedWager(tuple(Outcome(str(n), "1 to 1", UNIT, p) for n, p in enumerate(probabilities)))


def test_what_an_enumerator_counts_must_sum_to_one() -> None:
    game = feltworks.load("in-between")
    assert analysed(game, "base", counted(Fraction(1, 3), Fraction(2, 3)), None).edge == -1
    with pytest.raises(FaultyRules) as fault:
        analysed(game, "base", counted(Fraction(1, 3), Fraction(1, 5)), None)
    assert one_sentence(fault.value) == (
        "The outcomes of Blackjack in IN BETween sum to 8/15, which is 53.33%, and not to 1; settle every wager that"
        " is made, and push a self-service one that a roll does not decide."
    )
    with pytest.raises(FaultyRules, match="has a probability of 3/2"):
        analysed(game, "base", counted(Fraction(3, 2), Fraction(-1, 2)), None)


@pytest.mark.parametrize("pushed", [False, True])
def test_a_self_service_wager_is_decided_by_every_roll_or_pushed(pushed: bool) -> None:
    """What its owner may take back is not lost with the round, and still no outcome: a high roll has 15 of 36."""

    field = with_field(pushed)
    if pushed:
        found = analyze(field, wager="ride")["ride"]
        assert sums_to_one(found) and found.edge == Fraction(-5, 12)
    else:
        with pytest.raises(FaultyRules) as fault:
            analyze(field, wager="ride")
        assert one_sentence(fault.value) == (
            "The outcomes of Ride in Little sum to 5/12, which is 41.67%, and not to 1: the rule Field.settle (T-1 and"
            " T-2) leaves Ride of seat 1 undecided by a roll; settle every wager that is made, and push a self-service"
            " one that a roll does not decide."
        )


@dataclass(frozen=True)
class Field(Ride):
    """A high roll wins the Ride. What a low one does to it is for those who take it over to say."""

    def settle(self) -> Items:
        """T-1 and T-2."""
        assert isinstance(self.dice, tuple)
        for seat in self.playing:
            yield self.lose(seat, "bet", "Over", "T-1")
            if self.stake(seat, "ride") and sum(self.dice) > 7:
                yield replace(self.win(seat, "ride", "High", EVEN, "T-2"), stake=Stake.STAYS)
            elif self.stake(seat, "ride"):
                yield from self.low(seat)

    def low(self, seat: Seat) -> Items:
        yield from ()


@dataclass(frozen=True)
class Pushing(Field):
    def low(self, seat: Seat) -> Items:
        yield replace(self.push(seat, "ride", "Low", "T-2"), stake=Stake.STAYS)


def with_field(pushed: bool) -> Game:
    game = with_dice("one-roll")
    ride = game.definition.wagers["ride"].model_copy(update={"self_service": True})
    wagers = {**game.definition.wagers, "ride": ride}
    definition = game.definition.model_copy(update={"wagers": wagers})
    return replace(game, definition=definition, round_class=Pushing if pushed else Field)


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (
            1,
            r"^The outcomes of Ride in Little sum to \d+/\d+, .* leaves Ride of seat 1 undecided by a roll; settle",
        ),
        (2, r"^In Little the rule Field\.settle \(T-1 and T-2\) leaves Ride of seat [12] undecided by a roll; push "),
    ],
)
def test_a_simulation_without_exact_figures_refuses_outcomes_that_do_not_sum_to_one_too(seats: int, said: str) -> None:
    """300 rounds had 119 outcomes."""
    stakes = {"bet": UNIT, "ride": UNIT}
    with pytest.raises(FaultyRules, match=said):
        simulate(with_field(pushed=False), rounds=300, seats=seats, policy=Habit(stakes), against={})
    found = simulate(with_field(pushed=True), rounds=300, seats=seats, policy=Habit(stakes), against={})
    assert sum(outcome.count for outcome in found["ride"].outcomes) == 300 * seats


def test_what_a_kernel_counts_must_sum_to_its_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    from feltworks.games.in_between import enumerator

    ends = {("Not in between", "loses", Fraction(-1)): 54}
    monkeypatch.setattr(enumerator, "simulate", lambda game, rounds, *_: {"base": ends, "in_between": ends})
    with pytest.raises(FaultyRules, match=r"sum to 27/50, which is 54\.00%"):
        simulate(feltworks.load("in-between"), rounds=100, stakes={"base": UNIT})


def test_the_outcomes_of_a_wager_on_several_spots_are_those_of_the_wagers_that_are_made() -> None:
    """A wager that can be made only after a six: one round in six has it, and its outcomes sum to one all the same."""

    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield Roll(1)
        yield task(look)

    def look(self: Round) -> Items:
        if self.dice == (6,):
            yield self.game.betting("late")
            yield Roll(1)
            yield task(settle)
        else:
            yield self.lose(Seat(1), "bet", "Over", "T-1")

    def settle(self: Round) -> Items:
        assert isinstance(self.dice, tuple)
        yield self.win(Seat(1), "bet", "Six", EVEN, "T-1")
        for spot in ("one", "two") if self.has(Seat(1), "late") else ():
            yield (
                self.win(Seat(1), spot, "High", EVEN, "T-2")
                if self.dice[0] > 4
                else self.lose(Seat(1), spot, "Low", "T-2")
            )

    wagers: dict[str, dict[str, Any]] = {
        "bet": {"title": "Bet", "required": True},
        "late": {
            "title": "Late",
            "spots": {"one": "One", "two": "Two"},
            "opens": {"one": 1, "two": 1},
            "windows": ["late"],
        },
    }
    game = little_game(play, wagers)
    game = replace(game, definition=game.definition.model_copy(update={"pack": None}), decks=None)
    found = analyze(game, wager="late")["late"]
    assert {o.net: o.probability for o in found.outcomes} == {Fraction(2): Fraction(1, 3), Fraction(-2): Fraction(2, 3)}
    assert found.edge == Fraction(2, 3)
