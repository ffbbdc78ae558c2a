"""Blackjack in any hands: one to seven seats, any options, right answers and wrong ones, and the books."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule, run_state_machine_as_test

from feltworks.games import load
from feltworks.games.blackjack.options import ALLOWED
from feltworks.games.blackjack.rules import ACES, HOLE_CARD, NO_ACES, NO_TENS, SPOTS, TENS, Blackjack, place_of
from feltworks.kit.cards import SUITED_CARDS, Card, Seat, Token
from feltworks.kit.game import Game
from feltworks.kit.round import DISCARD
from feltworks.kit.steps import (
    DEALT,
    HIDDEN,
    Answer,
    Bet,
    Choose,
    Close,
    Deal,
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
from tests.games.blackjack.test_seats import Telling, by_the_book
from tests.games.machine import AMOUNTS, SEATINGS, SEATS, ZERO, Books, CardTable
from tests.quick import share

GAMES = load("blackjack"), load("in-between")
SPREADS = {1: 12, 2: 6, 3: 4}


class Undecided(Exception):
    """The second telling of the rules has come to a decision that nobody has made yet."""


class Model(Books):
    """The table by a second telling of the rules, and of IN BETween beside them."""

    def __init__(self, game: Game, shoe: Sequence[Card]) -> None:
        super().__init__(game)
        self.shoe = shoe

    # Who may do what.

    def may_place(self, seat: Seat, spot: str, amount: Fraction) -> bool:
        """B-01, I-02."""
        beside = spot == "in_between" and self.game.name == "in-between" and (seat, "base") in self.down
        return amount > 0 and (spot == "base" or beside)

    def may_take_up(self, seat: Seat, spot: str) -> bool:
        return (seat, spot) in self.down and not (spot == "base" and (seat, "in_between") in self.down)

    @property
    def wagers(self) -> dict[Seat, Fraction]:
        """The first wager of each seat, clockwise."""
        return {seat: amount for (seat, spot), amount in sorted(self.made.items()) if spot == "base"}

    def telling(self) -> tuple[Telling | None, dict[Seat, Sequence[str]]]:
        """What the rules say of the round so far: how it ends if all is decided, and who is to decide out of what."""
        left = {seat: iter(some) for seat, some in self.choices.items()}
        asked: dict[Seat, Sequence[str]] = {}

        def say(seat: Seat, options: Sequence[str], wager: Fraction) -> str:
            said = next(left[seat], None) if seat in left else None
            if said is not None:
                return said
            if options[0] != "no insurance" and asked:
                raise Undecided
            asked[seat] = options
            if options[0] != "no insurance":
                raise Undecided
            return "no insurance"

        try:
            told = by_the_book(self.shoe, self.game.readings, self.wagers, say)
        except Undecided:
            return None, asked
        return None if asked else told, asked

    def to_decide(self) -> dict[Seat, Sequence[str]]:
        """B-03, B-06: who is asked now; about insurance first those who cannot take even money."""
        _, asked = self.telling()
        others = {seat: options for seat, options in asked.items() if "even money" not in options}
        return others or asked

    def may_decide(self, seat: Seat, option: str, amount: Fraction | None) -> bool:
        if option not in self.to_decide().get(seat, ()):
            return False
        wager = self.wagers[seat]
        if option == "insurance":
            return amount is None or 0 <= amount <= wager / 2
        if option in ("double", "split"):
            return amount in (None, wager)
        return not amount

    # The books.

    def decide(self, seat: Seat, option: str, amount: Fraction | None, asked: Choose) -> None:
        wager, said = self.wagers[seat], option
        match option:
            case "insurance":
                insured = wager / 2 if amount is None else amount
                said = f"insurance {insured}"
                if insured:
                    self.put(seat, "insurance", insured)
            case "double":
                self.put(seat, SPOTS[int(asked.about.split()[1]) - 1 if asked.about else 0], wager)
            case "split":
                self.put(seat, SPOTS[1 + self.choices[seat].count("split")], wager)
        self.choices[seat].append(said)

    def settle(self, settled: Settlement) -> None:
        """Once, as it lies there; nothing stays."""
        assert (settled.seat, settled.spot) not in self.by_spot and settled.stake is not Stake.STAYS
        super().settle(settled)

    # What everybody is due in the end.

    def due(self) -> Mapping[tuple[Seat, str], Fraction]:
        told, asked = self.telling()
        assert told is not None, f"nobody asked for {asked}"
        return {**told.net, **{place: self.due_in_between(*place) for place in self.made if place[1] != "base"}}

    def due_in_between(self, seat: Seat, spot: str) -> Fraction:
        """I-03, I-04, by pay table A."""
        seats = [*self.wagers]
        at = seats.index(seat)
        one, up, other = (self.shoe[n].rank for n in (at, len(seats), len(seats) + 1 + at))
        low, high = min(one, other), max(one, other)
        if low == up == high:
            return self.made[seat, spot] * 30
        if low < up < high:
            return self.made[seat, spot] * SPREADS.get(high - low - 1, 1)
        pushes = up in (low, high) and self.game.reading("upcard_equals_a_card") == "push"
        return ZERO if pushes else -self.made[seat, spot]


OPTIONS = ["stand", "hit", "double", "split", "surrender", "insurance", "no insurance", "even money", "void", "fold"]
SOMETIMES_WRONG: st.SearchStrategy[Any] = st.one_of(
    st.builds(Place, SEATS, st.sampled_from([*SPOTS, "insurance", "in_between", "seven"]), AMOUNTS),
    st.builds(TakeUp, SEATS, st.sampled_from([*SPOTS, "insurance", "in_between"])),
    st.builds(Decide, SEATS | st.sampled_from(Role), st.sampled_from(OPTIONS), st.none() | AMOUNTS),
    st.sampled_from(SUITED_CARDS),
    st.sampled_from([TENS, NO_TENS, ACES, NO_ACES, DEALT, HIDDEN, Close()]),
    st.none(),
)


def configurations() -> st.SearchStrategy[Game]:
    def configured(game: Game, readings: dict[str, str], decks: int) -> Game:
        known = {name: value for name, value in readings.items() if name in game.readings}
        return game.configured(readings=known, decks=decks)

    values = {name: st.sampled_from(values) for name, values in ALLOWED.items()}
    values["upcard_equals_a_card"] = st.sampled_from(("lose", "push"))
    return st.builds(configured, st.sampled_from(GAMES), st.fixed_dictionaries(values), st.sampled_from((6, 8, 4)))


class Table(CardTable):
    round: Blackjack
    model: Model

    @initialize(game=configurations(), seats=SEATINGS, seed=st.integers(0, 2**32), ranks=st.sampled_from(["", "AT8"]))
    def open(self, game: Game, seats: list[Seat], seed: int, ranks: str) -> None:
        """The shoe is shuffled; sometimes tens, aces and eights come first, for splits and blackjacks."""
        self.game, self.seats, self.random = game, seats, Random(seed)
        fresh = game.fresh()
        assert fresh is not None
        shoe = self.random.sample(fresh.all_cards(), fresh.total)
        self.shoe = sorted(shoe, key=lambda card: card.text[0] not in ranks) if ranks else shoe
        self.model = Model(game, self.shoe)
        self.dealt: dict[Token, Card] = {}
        self.turned = set()
        round = game.start(seats)
        assert isinstance(round, Blackjack)
        self.round = round

    # Answers.

    def note(self, step: Any, answer: Answer) -> None:
        if isinstance(step, Deal):
            assert step.token not in self.dealt, "a card is dealt twice"
            self.dealt[step.token] = self.shoe[len(self.dealt)]
        if isinstance(step, Turn):
            self.turned.add(step.token)

    def expect_decision(self, asked: Choose, seat: Seat, option: str, amount: Fraction | None) -> bool:
        return self.model.may_decide(seat, option, amount)

    def can_be(self, token: Token, card: Card) -> bool:
        """A card that is left in the shoe, of the set that the dealer saw."""
        reading = self.round.cards[token].reading
        known = sum(face.card is card for face in self.round.cards.values())
        return known < (self.game.decks or 0) and (reading is None or card in reading)

    @rule(answer=SOMETIMES_WRONG)
    def anything(self, answer: Any) -> None:
        """Something is said that may be wrong. Wagers and decisions that are taken stay, all else is only tried."""
        if self.try_out(answer) and isinstance(answer, Place | TakeUp | Decide):
            self.answer(answer)

    def next_step(self) -> None:
        match self.round.next:
            case Bet():
                self.bet()
            case Deal():
                self.answer(DEALT)
            case Turn(token):
                self.answer(self.dealt[token])
            case Read(token, among):
                self.answer(next(cards for cards in among if self.dealt[token] in cards))
            case Choose(frozenset() as who, options):
                asked = self.model.to_decide()
                assert who == asked.keys()
                seat = self.random.choice(sorted(who))
                assert [option.name for option in options] == asked[seat]
                often = [name for name in asked[seat] if name in ("split", "insurance", "even money")]
                self.answer(Decide(seat, self.random.choice([*asked[seat], *often])))

    def bet(self) -> None:
        """Somebody at least has a wager, some have the bonus, and the betting closes."""
        for seat in self.seats:
            if self.random.random() < 0.6 or (seat == self.seats[-1] and not self.model.down):
                if (seat, "base") not in self.model.down:
                    self.answer(Place(seat, "base", Fraction(self.random.choice((5, 10)))))
                if self.game.name == "in-between" and self.random.random() < 0.5:
                    self.answer(Place(seat, "in_between", Fraction(5)))
        self.answer(Close())

    @precondition(lambda self: not self.round.over)
    @rule(void=st.integers(0, 7))
    def something_happens(self, void: int) -> None:
        self.stop(Incident("dispute"), DEALT, Decide(self.seats[0], "hit"), void=not void)

    # What holds at all times.

    @invariant()
    def all_is_well(self) -> None:
        round, model = self.round, self.model
        self.the_books_balance()
        assert round.cards.keys() == self.dealt.keys()
        for token, face in round.cards.items():
            assert face.card is (self.dealt[token] if token in self.turned else None)
            assert face.reading is None or (token == HOLE_CARD and self.game.reading("hole_card") == "peek")
        if not round.over:
            self.every_hand_has_its_wager()
        elif not model.void:
            assert not model.down
            assert model.by_spot == model.due()

    def every_hand_has_its_wager(self) -> None:
        """A seat's cards lie with a wager of their own, or they are discarded."""
        places = {"dealer", DISCARD}
        for seat in self.seats:
            for number, spot in enumerate(SPOTS, 1):
                has_cards = any(face.place == place_of(seat, number) for face in self.round.cards.values())
                assert not has_cards or self.round.stake(seat, spot)
                assert has_cards or number == 1 or not self.round.stake(seat, spot)
                places.add(place_of(seat, number))
        assert {face.place for face in self.round.cards.values()} <= places


@pytest.mark.soak
@pytest.mark.rule("B-01", "B-02", "B-03", "B-04", "B-05", "B-06", "I-02", "I-03", "I-04", "I-06")
def test_whatever_seats_do_in_any_order_a_second_telling_of_the_rules_accepts_refuses_and_settles_the_same() -> None:
    run_state_machine_as_test(Table, settings=settings(max_examples=share(150), stateful_step_count=12, deadline=None))
