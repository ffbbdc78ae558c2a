"""A table of cards in any hands: what the machines of the card games share, the books and the frame of a round."""

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from feltworks.kit.cards import Card, CardSet, Seat, Token
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    Answer,
    Bet,
    Choose,
    Close,
    Decide,
    Incident,
    Place,
    Read,
    Role,
    Settlement,
    Stake,
    TakeUp,
    Turn,
)
from tests.kit.support import one_sentence, state, with_turned_cards

ZERO = Fraction(0)
SEATS = st.integers(1, 7).map(Seat)
SEATINGS = st.integers(1, 7).flatmap(
    lambda n: st.permutations(range(1, 8)).map(lambda seats: sorted(map(Seat, seats[:n])))
)
AMOUNTS = st.sampled_from([Fraction(n) for n in (1, 5, 10, 0, -5)] + [Fraction(1, 2)])


class Books:
    """The table, kept apart from the round: from answers, cards and settlements alone."""

    meter: Fraction | None = None
    """What the meter of a jackpot shows, in dollars, like all wagers here."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.down: dict[tuple[Seat, str], Fraction] = {}
        self.made: dict[tuple[Seat, str], Fraction] = {}
        self.choices: defaultdict[Seat, list[str]] = defaultdict(list)
        self.pocket: defaultdict[Seat, Fraction] = defaultdict(Fraction)
        self.net: defaultdict[Seat, Fraction] = defaultdict(Fraction)
        self.by_spot: defaultdict[tuple[Seat, str], Fraction] = defaultdict(Fraction)
        self.void = False

    # Who may do what.

    def may_place(self, seat: Seat, spot: str, amount: Fraction) -> bool:
        raise NotImplementedError

    def may_take_up(self, seat: Seat, spot: str) -> bool:
        raise NotImplementedError

    def may_close(self) -> bool:
        return bool(self.down)

    # The books.

    def book(self, before: Round, answer: Answer, after: Round) -> None:
        match answer:
            case Place(seat, spot, amount):
                self.put(seat, spot, amount)
                self.made[seat, spot] = self.down[seat, spot]
            case TakeUp(seat, spot):
                self.pocket[seat] += self.down.pop((seat, spot))
                del self.made[seat, spot]
            case Decide(int() as seat, option, amount):
                assert isinstance(before.next, Choose)
                self.decide(Seat(seat), option, amount, before.next)
        for effect in after.effects:
            if isinstance(effect, Settlement):
                self.settle(effect)

    def decide(self, seat: Seat, option: str, amount: Fraction | None, asked: Choose) -> None:
        raise NotImplementedError

    def put(self, seat: Seat, spot: str, amount: Fraction) -> None:
        self.down[seat, spot] = self.down.get((seat, spot), ZERO) + amount
        self.pocket[seat] -= amount

    def settle(self, settled: Settlement) -> None:
        place = (settled.seat, settled.spot)
        assert self.down[place] == settled.amount > 0
        net = settled.net(self.meter, cents=100)
        self.net[settled.seat] += net
        self.by_spot[place] += net
        self.pocket[settled.seat] += net
        if settled.stake is not Stake.STAYS:
            self.pocket[settled.seat] += self.down.pop(place)
        self.void = self.void or settled.line == "Void"


class CardTable(RuleBasedStateMachine):
    """One round, from its first wager to its last settlement. A game says how it is opened and what it expects."""

    game: Game
    seats: list[Seat]
    random: Random
    round: Any
    model: Any
    turned: set[Token]
    """The cards that everybody has seen."""

    # What a game says.

    def next_step(self) -> None:
        """Answer what the round asks for."""
        raise NotImplementedError

    def expect_decision(self, asked: Choose, seat: Seat, option: str, amount: Fraction | None) -> bool | None:
        """Whether a decision must be taken; nothing where the model has no opinion."""
        raise NotImplementedError

    def can_be(self, token: Token, card: Card) -> bool:
        """Whether a card that is turned can be this one."""
        raise NotImplementedError

    def note(self, step: Any, answer: Answer) -> None:
        """Keep what the game wants to know of a right answer."""

    def all_is_well(self) -> None:
        """What holds at all times: an invariant of the game's machine."""
        raise NotImplementedError

    # Answers.

    def answer(self, answer: Answer) -> None:
        """An answer that is right: the round goes on."""
        before, step = state(self.round), self.round.next
        after = self.round.after(answer)
        assert state(self.round) == before
        self.note(step, answer)
        self.model.book(self.round, answer, after)
        self.round = after
        self.all_is_well()

    def expected(self, answer: Any) -> bool | None:
        """Whether an answer must be taken, by the model; nothing where it has no opinion."""
        step, model = self.round.next, self.model
        match answer:
            case Place(seat, spot, amount):
                return isinstance(step, Bet) and seat in self.seats and model.may_place(seat, spot, amount)
            case TakeUp(seat, spot):
                return isinstance(step, Bet) and seat in self.seats and model.may_take_up(seat, spot)
            case Close():
                return isinstance(step, Bet) and model.may_close()
            case Decide(int() as seat, option, amount):
                return isinstance(step, Choose) and self.expect_decision(step, Seat(seat), option, amount)
            case Card():
                return isinstance(step, Turn) and self.can_be(step.token, answer)
            case CardSet():
                return isinstance(step, Read) and answer in step.among
        return None

    def try_out(self, answer: Any) -> bool:
        """Say something that may be wrong; whether it was taken, which must be as expected, and changes nothing yet."""
        before, expected = state(self.round), self.expected(answer)
        try:
            self.round.after(answer)
            taken = True
        except FeltworksError as refusal:
            one_sentence(refusal)
            taken = False
        assert expected in (None, taken), f"{answer} at {self.round.next}"
        assert state(self.round) == before
        return taken

    @precondition(lambda self: not self.round.over)
    @rule(steps=st.integers(1, 25))
    def go_on(self, steps: int) -> None:
        for _ in range(steps):
            self.next_step()

    def stop(self, incident: Incident, *wrong: Answer, void: bool) -> Decide:
        """The round stops for the supervisor, and goes on as it was; or every wager goes back. What was decided."""
        before = self.round
        stopped = before.report(incident)
        for answer in (*wrong, Close(), Decide(Role.DEALER, "void")):
            with pytest.raises(FeltworksError):
                stopped.after(answer)
        go_on, *_, give_back = (option.name for option in stopped.next.options)
        decision = Decide(Role.SUPERVISOR, give_back if void else go_on)
        self.round = stopped.after(decision)
        self.model.book(before, decision, self.round)
        if void:
            assert self.round.over and not self.model.down
            self.model.void = True
        else:
            assert self.round.key == before.key
        return decision

    # What holds at all times.

    def the_books_balance(self) -> None:
        round, model = self.round, self.model
        assert dict(round.wagers) == model.down
        for seat in self.seats:
            lying = sum((amount for (s, _), amount in model.down.items() if s == seat), ZERO)
            assert model.pocket[seat] + lying == model.net[seat]
        assert with_turned_cards(round) == self.game.fresh()

    def teardown(self) -> None:
        """Every round ends."""
        if not hasattr(self, "round"):
            return
        for _ in range(400):
            if self.round.over:
                break
            self.next_step()
        assert self.round.over
