"""Down Under Hold'em in any hands: one to seven seats, any readings, right answers and wrong ones, and the books."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule, run_state_machine_as_test

from feltworks.games.down_under_holdem.rules import (
    BANDS,
    DEALER,
    FLOP,
    TURN_AND_RIVER,
    DownUnder,
    own,
)
from feltworks.kit.cards import SUITED_CARDS, Card, Seat, Token
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.manual_entry import READER_FAULT
from feltworks.kit.steps import (
    ALL,
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
    TakeUp,
    Turn,
)
from tests.games.down_under.test_bonus_wagers import MATCH, MATCH_LINES, TRIPS, TRIPS_LINES, matched
from tests.games.down_under.test_jackpot import COMMUNITY, FLOPPED, IN_SEVEN
from tests.games.down_under.test_jackpot import expected as jackpot_line
from tests.games.down_under.test_round import BET_PAYS, GAME, LABELS, SPOTS, label, worth
from tests.games.machine import AMOUNTS, SEATINGS, SEATS, ZERO, Books, CardTable
from tests.quick import share

METER = Fraction(70_000)
"""What the meter shows, in dollars, like all wagers here: a community royal flush pays 5 % of it if that is more."""
OPENS = ("ante", "bet", "trips_or_better", "match_the_dealer", "jackpot")
RICH = {"Royal flush": 1_000, "Straight flush": 300}
FOR_1 = {COMMUNITY: 3_000, "Straight flush": 250, "Four of a kind": 100, "Full house": 10}
FLOP_FOR_1 = dict(zip(LABELS[3:8], (9, 30, 40, 50, 300), strict=True))


class Model(Books):
    """The table by a second telling of the rules, from the cards that are dealt to it."""

    meter = METER

    def __init__(self, game: Game, cards: Mapping[Token, Card]) -> None:
        super().__init__(game)
        self.cards = cards
        self.dark: set[Seat] = set()

    # Who may do what.

    def may_place(self, seat: Seat, spot: str, amount: Fraction) -> bool:
        """D-02, D-13, in other words than the rules have."""
        if spot not in OPENS or amount <= 0:
            return False
        if spot in ("ante", "bet"):
            return True
        others = {down for (s, on), down in self.down.items() if on == "jackpot" and s != seat}
        same = spot != "jackpot" or others <= {self.down.get((seat, spot), ZERO) + amount}
        return same and any((seat, on) in self.down for on in ("ante", "bet"))

    def may_take_up(self, seat: Seat, spot: str) -> bool:
        beside = any((seat, other) in self.down for other in OPENS[2:])
        return (seat, spot) in self.down and not (spot in ("ante", "bet") and beside)

    def may_close(self) -> bool:
        return bool(self.down) and all(
            self.down.get((seat, "ante"), ZERO) == self.down.get((seat, "bet"), ZERO) > 0 for seat, _ in self.down
        )

    @property
    def playing(self) -> list[Seat]:
        return sorted({seat for seat, spot in self.made if spot == "ante"})

    def to_decide(self, after_flop: bool) -> list[Seat]:
        """D-05, D-06: who has not done what everybody does now; clockwise only the first of them."""
        done = ["check"] if after_flop else []
        seats = [seat for seat in self.playing if self.choices[seat] == done]
        return seats if self.game.reading("order_of_action") == "together" else seats[:1]

    # The books.

    def decide(self, seat: Seat, option: str, amount: Fraction | None, asked: Choose) -> None:
        self.choices[seat].append(option)
        if option[-1] == "x":
            self.made[seat, "play"] = int(option[0]) * self.made[seat, "ante"]
            self.put(seat, "play", self.made[seat, "play"])

    def settle(self, settled: Settlement) -> None:
        super().settle(settled)
        if settled.line == "Spot did not light":
            self.dark.add(settled.seat)

    # What everybody is due in the end.

    def folded(self, seat: Seat) -> bool:
        return self.choices[seat][-1:] == ["fold"]

    def hole(self, seat: Seat) -> list[Card]:
        return [self.cards[token] for token in own(seat)]

    @property
    def board(self) -> list[Card]:
        return [self.cards[token] for token in (*FLOP, *TURN_AND_RIVER)]

    def due(self, seat: Seat, spot: str) -> Fraction:
        """D-06, D-08, D-09, D-11, D-12, D-14, D-15, D-17: what a wager wins or loses."""
        wager, folded = self.made[seat, spot], self.folded(seat)
        if spot == "jackpot":
            return self.due_on_jackpot(seat, wager)
        if folded and (spot in ("ante", "bet") or self.game.reading("folded_bonus") == "forfeits"):
            return -wager
        if spot == "trips_or_better":
            trips = dict(zip(TRIPS_LINES, TRIPS[self.game.pay_table(spot).name], strict=True))
            return wager * trips.get(label(*self.hole(seat), *self.board), -1)
        if spot == "match_the_dealer":
            match = dict(zip(MATCH_LINES, MATCH[self.game.pay_table(spot).name], strict=True))
            mine, dealer = ("".join(card.text[0] for card in pair) for pair in (self.hole(seat), self.dealer))
            return wager * match.get(matched(mine, dealer), -1)
        hand, against = worth(*self.hole(seat), *self.board), worth(*self.dealer, *self.board)
        sign = Fraction((hand > against) - (hand < against))
        return wager * (BET_PAYS.get(LABELS[hand[0]], ZERO) if spot == "bet" and sign > 0 else sign)

    @property
    def dealer(self) -> list[Card]:
        return [self.cards[token] for token in DEALER]

    def due_on_jackpot(self, seat: Seat, wager: Fraction) -> Fraction:
        if seat in self.dark:
            return ZERO
        won = ZERO if self.forfeits(seat) else self.jackpot_pay(seat, wager)
        return won - wager + sum((self.envied(other, wager) for other in self.playing if other != seat), ZERO)

    def forfeits(self, seat: Seat) -> bool:
        return self.folded(seat) and self.game.reading("folded_jackpot") == "forfeits"

    def jackpot_pay(self, seat: Seat, wager: Fraction) -> Fraction:
        """All that comes back for the seat's own hand."""
        option = self.game.pay_table("jackpot").name
        line = jackpot_line(option, self.hole(seat), self.board)
        percent = {FLOPPED: 100, IN_SEVEN: 5, "Royal flush": 100}.get(line or "")
        if line == "Straight flush" and option != "1":
            percent = 10
        if percent:
            return METER * percent / 100
        odds = wager * (FOR_1 if option == "1" else FLOP_FOR_1).get(line or "", 0)
        return max(odds, METER / 20) if line == COMMUNITY and self.larger else odds

    @property
    def larger(self) -> bool:
        return self.game.reading("community_royal") == "larger"

    def envied(self, other: Seat, wager: Fraction) -> Fraction:
        """What a seat's hand gives each other one that has made the wager."""
        if (other, "jackpot") not in self.made or other in self.dark or self.forfeits(other):
            return ZERO
        dollars = RICH.get(label(*self.hole(other), *self.board[:3]), 0) if self.option == "3" else 0
        return dollars * (wager if self.game.reading("envy_scales") == "yes" else Fraction(1))

    @property
    def option(self) -> str:
        return self.game.pay_table("jackpot").name


def places(seats: list[Seat]) -> list[Token]:
    return [*FLOP, *(token for seat in seats for token in own(seat)), *DEALER, *TURN_AND_RIVER]


def dealt(random: Random, seats: list[Seat], stacked: bool) -> dict[Token, Card]:
    """Any cards; or a flop of three spades in a row, with the two cards below and above it in somebody's hand."""
    cards = random.sample(SUITED_CARDS, len(places(seats)))
    if stacked:
        low = random.randint(2, 10)
        spades = {card.rank: card for card in SUITED_CARDS if card.suit == "s"}
        wanted = [spades[rank] for rank in range(low, low + 3)]
        below, above = ([spades.get(rank) for rank in pair] for pair in ((low - 2, low - 1), (low + 3, low + 4)))
        for pair in random.sample([below, above], 2)[: len(seats)]:
            wanted += [card for card in pair if card is not None] if None not in pair else []
        cards = [*wanted, *(card for card in cards if card not in wanted)][: len(cards)]
    mixed = random.sample(seats, len(seats))
    return dict(zip(places(mixed), cards, strict=True))


TABLES = {"trips_or_better": [*TRIPS], "match_the_dealer": [*MATCH], "jackpot": ["1", "3", "2", "3"]}
SOMETIMES_WRONG: st.SearchStrategy[Any] = st.one_of(
    st.builds(Place, SEATS, st.sampled_from([*SPOTS, "seven"]), AMOUNTS),
    st.builds(TakeUp, SEATS, st.sampled_from(SPOTS)),
    st.builds(
        Decide,
        SEATS | st.sampled_from(Role),
        st.sampled_from(
            ["check", "2x", "3x", "fold", "1x", "4x", "lit", "enter the award", "confirm the award", "void"]
        ),
        st.none() | AMOUNTS,
    ),
    st.sampled_from(SUITED_CARDS),
    st.sampled_from([*BANDS, DEALT, HIDDEN, Close()]),
    st.none(),
)


def configurations() -> st.SearchStrategy[Game]:
    values = {name: st.sampled_from([*reading.values]) for name, reading in GAME.definition.readings.items()}
    pays = st.fixed_dictionaries({spot: st.sampled_from(names) for spot, names in TABLES.items()})
    return st.builds(
        lambda readings, pay: GAME.configured(readings=readings, pay=pay), st.fixed_dictionaries(values), pays
    )


class Table(CardTable):
    """One round, seen from above and from beside the table."""

    round: DownUnder
    beside: DownUnder
    model: Model

    @initialize(game=configurations(), seats=SEATINGS, seed=st.integers(0, 2**32), stacked=st.booleans())
    def open(self, game: Game, seats: list[Seat], seed: int, stacked: bool) -> None:
        self.game, self.seats = game, seats
        self.random = Random(seed)
        self.cards = dealt(self.random, self.seats, stacked)
        self.model = Model(game, self.cards)
        round = game.start(self.seats)
        assert isinstance(round, DownUnder)
        self.round = self.beside = round
        self.turned = set()

    # Answers.

    def note(self, step: Any, answer: Answer) -> None:
        """The round goes on for somebody who stands beside the table, too."""
        private = isinstance(step, Turn) and step.to is not ALL
        self.beside = self.beside.after(HIDDEN if private else answer)
        if isinstance(step, Turn) and not private:
            self.turned.add(step.token)

    def expect_decision(self, asked: Choose, seat: Seat, option: str, amount: Fraction | None) -> bool | None:
        if isinstance(asked.who, Role):
            return False
        return None if amount is not None else seat in self.model.to_decide(self.flopped) and option in self.options

    @property
    def flopped(self) -> bool:
        return FLOP[2] in self.round.cards

    @property
    def options(self) -> tuple[str, ...]:
        return ("fold", "1x") if self.flopped else ("check", "2x", "3x")

    def can_be(self, token: Token, card: Card) -> bool:
        """A card that was looked at is what it is; another is one that nobody has seen, of the band that was read."""
        face = self.round.cards[token]
        if face.card is not None:
            return card is face.card
        known = {other.card for other in self.round.cards.values()}
        if face.reading is not None:
            return card not in known and card in face.reading
        return card not in known

    @rule(answer=SOMETIMES_WRONG)
    def anything(self, answer: Any) -> None:
        """Something is said that may be wrong. Wagers that are taken stay, everything else is only tried."""
        if self.try_out(answer) and isinstance(answer, Place | TakeUp):
            self.answer(answer)

    def next_step(self) -> None:
        match self.round.next:
            case Bet():
                self.bet()
            case Deal():
                self.answer(DEALT)
            case Turn(token):
                self.answer(self.cards[token])
            case Read(token):
                self.answer(next(band for band in BANDS if self.cards[token] in band))
            case Choose(Role() as role, options):
                self.answer(Decide(role, options[self.random.random() < 0.1 and len(options) > 1].name))
            case Choose(frozenset() as who, options):
                assert sorted(who) == self.model.to_decide(self.flopped)
                assert tuple(option.name for option in options) == self.options
                seat = self.random.choice(self.model.to_decide(self.flopped))
                first = self.random.random() < 0.5
                self.answer(Decide(seat, self.options[0] if first else self.random.choice(self.options)))

    def bet(self) -> None:
        """Seats with a wager get an Ante and an equal Bet, some of them what else there is, and the betting closes."""
        started = {seat for seat, _ in self.model.down} or {self.random.choice(self.seats)}
        others = {seat for seat in self.seats if self.random.random() < 0.7}
        for seat in sorted(started | others):
            ante, bet = (self.model.down.get((seat, spot), ZERO) for spot in ("ante", "bet"))
            for spot, lacks in (("ante", max(bet, Fraction(10)) - ante), ("bet", max(ante, Fraction(10)) - bet)):
                if lacks > 0:
                    self.answer(Place(seat, spot, lacks))
            for spot in OPENS[2:]:
                if self.random.random() < 0.7 and (seat, spot) not in self.model.down:
                    amount = next((a for (_, s), a in self.model.down.items() if s == spot == "jackpot"), Fraction(5))
                    self.answer(Place(seat, spot, amount))
        assert self.model.may_close()
        self.answer(Close())

    @precondition(lambda self: not self.round.over and not isinstance(self.round.next, Choose))
    @rule(kind=st.sampled_from([READER_FAULT, "dispute"]), void=st.integers(0, 7))
    def something_happens(self, kind: str, void: int) -> None:
        if kind == READER_FAULT and self.turned >= {*DEALER}:
            with pytest.raises(FeltworksError, match="D-10"):
                self.round.report(Incident(kind))
            return
        decision = self.stop(Incident(kind), DEALT, Place(self.seats[0], "jackpot", Fraction(1)), void=not void)
        self.beside = self.beside.report(Incident(kind)).after(decision)

    # What holds at all times.

    @invariant()
    def all_is_well(self) -> None:
        self.the_books_balance()
        self.what_lies_face_down_stays_unknown()
        if self.round.over:
            self.everybody_got_what_is_due()

    def what_lies_face_down_stays_unknown(self) -> None:
        """Beside the table one knows the cards that were turned to all, the bands, and nothing else."""
        round, beside = self.round, self.beside
        assert (round.next, round.effects, round.wagers) == (beside.next, beside.effects, beside.wagers)
        for token, face in beside.cards.items():
            assert (face.card is not None) == (token in self.turned)
            assert face.place == round.cards[token].place
            assert (face.reading is not None) <= (token in DEALER)
        for token in DEALER:
            if token in round.cards and token not in self.turned:
                assert round.cards[token].card is None and not round.cards[token].seen_by

    def everybody_got_what_is_due(self) -> None:
        model = self.model
        assert not model.down
        if model.void:
            return
        for seat, spot in model.made:
            assert model.by_spot[seat, spot] == model.due(seat, spot), (seat, spot)
        assert sum(model.net.values()) == sum(model.by_spot.values())
        for seat in model.playing:
            rides = {spot for spot in ("trips_or_better", "match_the_dealer") if (seat, spot) in model.made}
            shown = not model.folded(seat) or self.can_still_win(seat, bool(rides))
            assert {token for token in own(seat) if token in self.turned} == ({*own(seat)} if shown else set())

    def can_still_win(self, seat: Seat, has_bonus: bool) -> bool:
        """D-09."""
        on_jackpot = (seat, "jackpot") in self.model.made and seat not in self.model.dark
        return (has_bonus and self.game.reading("folded_bonus") == "qualifies") or (
            on_jackpot and self.game.reading("folded_jackpot") == "qualifies"
        )


@pytest.mark.soak
@pytest.mark.rule(
    "D-01",
    "D-02",
    "D-03",
    "D-04",
    "D-05",
    "D-06",
    "D-07",
    "D-08",
    "D-09",
    "D-10",
    "D-11",
    "D-12",
    "D-13",
    "D-15",
    "D-17",
)
def test_whatever_seats_do_in_any_order_a_second_telling_of_the_rules_accepts_refuses_and_settles_the_same() -> None:
    run_state_machine_as_test(Table, settings=settings(max_examples=share(150), stateful_step_count=12, deadline=None))
