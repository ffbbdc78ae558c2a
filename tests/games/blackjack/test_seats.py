"""Blackjack with several seats: against a second telling of the rules, beside each other, and what each is told.

The second telling is one plain function, written from the statements B-01 to B-06 and not from the round: given the
cards in the order of the deal, the options of the house and what each seat decides, it says what each wager wins, how
many cards are used and what the dealer shows. It lists for itself what a seat may choose from.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from feltworks.games import load
from feltworks.games.blackjack.options import ALLOWED
from feltworks.games.blackjack.rules import Blackjack
from feltworks.kit.cards import RANKS, SUITS, Card, Seat
from feltworks.kit.chance import Asked, Scripted
from feltworks.kit.game import Game
from feltworks.kit.round import Info
from feltworks.kit.steps import Answer, Bet, Choose, Close, Deal, Place, Settlement
from tests.games.blackjack.test_round import play, until
from tests.games.sitting import S1, S2, decision
from tests.quick import SEED, share

Choosing = Callable[[Seat, Sequence[str], Fraction], str]
"""What a seat decides, out of these options; and its wager, half of which it may insure."""

POINTS = {**{str(number): number for number in range(2, 10)}, **dict.fromkeys("TJQK", 10), "A": 11}


def points(card: Card) -> int:
    return POINTS[card.text[0]]


def count(cards: Sequence[Card]) -> tuple[int, bool]:
    """B-02: aces count 11 as long as they can; the total, and whether one still does."""
    reached, high = sum(map(points, cards)), sum(points(card) == 11 for card in cards)
    while reached > 21 and high:
        reached, high = reached - 10, high - 1
    return reached, high > 0


def natural(cards: Sequence[Card]) -> bool:
    """B-02: a two-card 21."""
    return len(cards) == 2 and count(cards)[0] == 21


@dataclass
class Hand:
    """Cards with a wager on them, and how the seat has left them."""

    cards: list[Card]
    wager: Fraction
    surrendered: bool = False

    @property
    def over(self) -> bool:
        return count(self.cards)[0] > 21


@dataclass
class Telling:
    """What becomes of a round."""

    net: dict[tuple[Seat, str], Fraction] = field(default_factory=dict)
    used: int = 0
    dealer: list[Card] = field(default_factory=list)
    """The cards that the dealer shows."""


def legal(hand: Hand, row: Sequence[Hand], house: Mapping[str, str]) -> Iterator[str]:
    """B-04."""
    first, reached, soft = points(hand.cards[0]), *count(hand.cards)
    fresh, split = len(hand.cards) == 2, len(row) > 1
    finished = split and first == 11 and house["split_aces"] != "hit"
    yield "stand"
    if not finished:
        yield "hit"
        lowest = {"any": 0, "9-11": 9, "10-11": 10}[house["double"]]
        allowed = house["double"] == "any" or (not soft and lowest <= reached <= 11)
        if fresh and allowed and (not split or house["double_after_split"] == "yes"):
            yield "double"
    most = 2 if first == 11 and house["split_aces"] == "one_card" else int(house["max_hands"])
    if fresh and points(hand.cards[1]) == first and len(row) < most:
        yield "split"
    if fresh and not split and house["surrender"] == "late":
        yield "surrender"


def played_out(seat: Seat, row: list[Hand], house: Mapping[str, str], draw: Callable[[], Card], say: Choosing) -> None:
    """B-04, B-06: a seat plays its hands one after the other; what it splits off goes to the end of the row."""
    for hand in row:  # which grows
        if len(hand.cards) == 1:
            hand.cards.append(draw())
        while count(hand.cards)[0] < 21 and len(options := [*legal(hand, row, house)]) > 1:
            choice = say(seat, options, hand.wager)
            if choice == "split":
                row.append(Hand([hand.cards.pop()], hand.wager))
            if choice == "double":
                hand.wager *= 2
            if choice in ("hit", "double", "split"):
                hand.cards.append(draw())
            hand.surrendered = choice == "surrender"
            if choice in ("stand", "double", "surrender"):
                break


def by_the_book(
    shoe: Sequence[Card], house: Mapping[str, str], wagers: Mapping[Seat, Fraction], say: Choosing
) -> Telling:
    """B-01 to B-06, from the deal to the last settlement."""
    told, cards = Telling(), iter(shoe)

    def draw() -> Card:
        told.used += 1
        return next(cards)

    # The deal (B-01).
    rows = {seat: [Hand([draw()], wager)] for seat, wager in wagers.items()}
    dealer = [draw()]
    for (hand,) in rows.values():
        hand.cards.append(draw())
    if house["hole_card"] in ("peek", "no_peek"):
        dealer.append(draw())
    naturals = {seat for seat, (hand,) in rows.items() if natural(hand.cards)}

    # Insurance and even money (B-03).
    insured: dict[Seat, Fraction] = {}
    if points(dealer[0]) == 11:
        for seat, wager in wagers.items():
            even = ["even money"] if seat in naturals and house["blackjack_pays"] == "3/2" else []
            choice = say(seat, ["no insurance", "insurance", *even], wager)
            if choice == "even money":
                told.net[seat, "base"] = wager
                del rows[seat]
            elif choice.startswith("insurance"):
                insured[seat] = Fraction(choice.split()[1]) if " " in choice else wager / 2

    # The look, and the hands (B-03, B-04).
    may_be, looks = points(dealer[0]) >= 10, house["hole_card"] == "peek"
    seen = looks and may_be and natural(dealer) and bool(rows)
    if not seen:
        for seat, row in rows.items():
            if seat not in naturals:
                played_out(seat, row, house, draw, say)

    # The dealer (B-05).
    hands = [(seat, hand) for seat, row in rows.items() for hand in row]
    waits = house["hole_card"] == "none_takes_original"
    live = [hand for seat, hand in hands if seat not in naturals and not hand.over and not hand.surrendered]
    undecided = bool(insured and any(insured.values())) or any(waits or not hand.over for _, hand in hands)
    shows = seen or bool(live) or (may_be and not looks and undecided)
    if shows and len(dealer) == 1:
        dealer.append(draw())
    if live and not seen and not natural(dealer):
        while count(dealer)[0] < 17 or (count(dealer) == (17, True) and house["soft_17"] == "hit"):
            dealer.append(draw())
    told.dealer = dealer if shows else dealer[:1]

    # The end (B-01 to B-03, B-06).
    against = natural(dealer) and shows
    for seat, amount in insured.items():
        if amount:
            told.net[seat, "insurance"] = 2 * amount if against else -amount
    for seat, row in rows.items():
        for number, hand in enumerate(row, 1):
            spot = "base" if number == 1 else f"hand_{number}"
            told.net[seat, spot] = result(hand, seat in naturals, dealer, against, house)
            if against and seat not in naturals and waits:
                told.net[seat, spot] = -wagers[seat] if number == 1 else Fraction(0)
    return told


def result(hand: Hand, is_natural: bool, dealer: Sequence[Card], against: bool, house: Mapping[str, str]) -> Fraction:
    """What a hand wins or loses; `against` a dealer's blackjack, which takes all."""
    if is_natural:
        return Fraction(0) if against else hand.wager * Fraction(house["blackjack_pays"])
    if against or hand.over:
        return -hand.wager
    if hand.surrendered:
        return -hand.wager / 2
    own, other = count(hand.cards)[0], count(dealer)[0]
    return hand.wager * (1 if other > 21 or own > other else -1 if own < other else 0)


# Any round, by both tellings.


def any_house(random: Random) -> dict[str, str]:
    return {name: random.choice(values) for name, values in ALLOWED.items()}


def any_shoe(random: Random) -> list[Card]:
    """More cards than a round takes, as if from endless decks; half of the time they are of few ranks, so that there
    are pairs, aces and tens enough."""
    ranks = random.choices("AAATTTKQ98765432", k=random.randint(2, 4)) if random.random() < 0.6 else RANKS
    return [Card(random.choice(ranks) + random.choice(SUITS)) for _ in range(250)]


@dataclass
class Sayings:
    """What each seat has decided, out of which options, in its own order."""

    random: Random
    said: dict[Seat, list[tuple[Sequence[str], str]]] = field(default_factory=dict)

    def __call__(self, seat: Seat, options: Sequence[str], wager: Fraction) -> str:
        often = [option for option in options if option in ("split", "double", "hit", "insurance", "even money")]
        choice = self.random.choice([*options, *often])
        if choice == "insurance" and self.random.random() < 0.5:
            choice = f"insurance {self.random.choice((0, wager / 2, wager / 3, Fraction(1)))}"
        self.said.setdefault(seat, []).append((options, choice))
        return choice


GAMES = load("blackjack"), load("in-between")


def walked(
    game: Game, shoe: Sequence[Card], wagers: Mapping[Seat, Fraction], sayings: Sayings, random: Random, tidy: bool
) -> Telling:
    """The round itself, with the same cards and decisions. Seats that are asked together answer in any order. A tidy
    dealer puts the cards that are alike in order after every step."""
    said = {seat: [*some] for seat, some in sayings.said.items()}
    round, script, found = game.start(wagers, tracked=False), Scripted(shoe), Telling()
    for seat, wager in wagers.items():
        round = round.after(Place(seat, "base", wager))
        if game.name == "in-between" and random.random() < 0.5:
            round = round.after(Place(seat, "in_between", Fraction(1)))
    round = round.after(Close())
    while (step := round.next) is not None:
        if isinstance(step, Choose):
            assert isinstance(step.who, frozenset)
            seat = random.choice(sorted(step.who))
            options, choice = said[seat].pop(0)
            assert [option.name for option in step.options] == options
            round = round.after(decision(seat, choice))
        else:
            assert not isinstance(step, Bet)
            round = round.after(script.answer(step))
        round = round.in_order() if tidy else round
        found.used += isinstance(step, Deal)
        for effect in round.effects:
            if isinstance(effect, Settlement) and effect.spot != "in_between":
                assert (effect.seat, effect.spot) not in found.net
                found.net[effect.seat, effect.spot] = effect.net()
    assert not any(said.values())
    assert isinstance(round, Blackjack)
    found.dealer = [*round.dealer_hand]
    return found


def both_tellings(seed: int) -> Iterator[str]:
    """One round; gives what happened in it, in words."""
    random = Random(seed)
    house, shoe, sayings = any_house(random), any_shoe(random), Sayings(random)
    seats = sorted(random.sample(range(1, 8), random.randint(1, 4)))
    wagers = {Seat(seat): Fraction(random.choice((5, 7, 10, 25))) for seat in seats}
    told = by_the_book(shoe, house, wagers, sayings)
    game, tidy = random.choice(GAMES).configured(readings=house), random.random() < 0.2
    found = walked(game, shoe, wagers, sayings, random, tidy)
    assert (found.net, found.used) == (told.net, told.used), f"seed {seed}: {house}"
    assert found.dealer == told.dealer or (tidy and sorted(map(str, found.dealer)) == sorted(map(str, told.dealer)))
    yield from (choice.split()[0] for some in sayings.said.values() for _, choice in some)
    yield from (spot for _, spot in told.net)
    yield f"{house['hole_card']} {'blackjack' if natural(told.dealer) else ''}".strip()


EVERYTHING = {
    *("no insurance even stand hit double split surrender base hand_2 hand_3 hand_4".split()),
    *(f"{hole_card}{end}" for hole_card in ALLOWED["hole_card"] for end in ("", " blackjack")),
}


@pytest.mark.soak
@pytest.mark.rule("B-01", "B-02", "B-03", "B-04", "B-05", "B-06")
def test_any_round_at_any_table_is_settled_as_a_second_telling_of_the_rules_says() -> None:
    rounds = max(400, share(2_000, soak=100_000))
    happened = {word for seed in range(SEED, SEED + rounds) for word in both_tellings(seed)}
    assert happened == EVERYTHING


# The lemma: who ignores the others' cards fares alike beside any of them.


class Apart(Scripted):
    """My cards and the dealer's come as they are written down, whoever else is dealt any between them."""

    def __init__(self, me: Seat, mine: Sequence[Card], dealers: Sequence[Card], random: Random) -> None:
        super().__init__()
        self.of = {me: iter(mine), None: iter(dealers)}
        self.random = random

    def answer(self, step: Asked) -> Answer:
        if isinstance(step, Deal):
            any_card = Card(self.random.choice(RANKS) + self.random.choice(SUITS))
            self._cards = iter([next(self.of[owner]) if (owner := step.token.owner) in self.of else any_card])
        return super().answer(step)


def known(seed: int, me: Seat, others: Sequence[Seat]) -> tuple[list[tuple[Info, str]], list[Any]]:
    """What a seat knows at each of its decisions with what it does, and how its wagers are settled. The seed says which
    house it is, which cards the seat and the dealer get, and what the seat decides; the others do anything."""
    mine, theirs = Random(seed), Random(f"{seed} {me} {others}")
    game = GAMES[1].configured(readings=any_house(mine))
    chance = Apart(me, any_shoe(mine), any_shoe(mine), theirs)
    round = game.start(sorted([me, *others]), tracked=False)
    for seat in round.seats:
        wagers = {"base": 10, "in_between": 5} if seat == me else {"base": theirs.choice((5, 10))}
        for spot, amount in wagers.items():
            round = round.after(Place(seat, spot, Fraction(amount)))
    round = round.after(Close())
    infos, settled = [], []
    while (step := round.next) is not None:
        if isinstance(step, Choose):
            assert isinstance(step.who, frozenset)
            seat = theirs.choice(sorted(step.who))
            choice = (mine if seat == me else theirs).choice(step.options).name
            if seat == me:
                infos.append((round.info(me), choice))
            round = round.after(decision(seat, choice))
        else:
            assert not isinstance(step, Bet)
            round = round.after(chance.answer(step))
        settled += [
            (s.spot, s.line, s.pay, s.stake, s.amount, s.rule)
            for s in round.effects
            if isinstance(s, Settlement) and s.seat == me
        ]
    return infos, sorted(settled, key=str)


@pytest.mark.soak
@pytest.mark.rule("B-03", "B-04", "B-06")
def test_a_seat_knows_the_same_and_is_settled_alike_beside_any_others() -> None:
    random, asked, rounds = Random(1), 0, share(500, soak=25_000)
    for seed in range(SEED, SEED + rounds):
        alone = known(seed, Seat(1), ())
        asked += len(alone[0])
        seats = [Seat(seat) for seat in random.sample(range(1, 8), 4)]
        assert known(seed, seats[0], seats[1:]) == alone
    assert asked > rounds


SPLIT_BESIDE = "8c 9d 6c 8h 7s Td 3h"
"""Seat 1 splits eights, seat 2 has 9 and 7, the dealer a 6 and a ten; the first eight gets a 3."""


@pytest.mark.rule("B-04")
def test_a_seat_is_told_its_hand_and_the_dealers_and_what_lies_in_its_other_hands() -> None:
    first = until(SPLIT_BESIDE, {S1: "split", S2: ""}).info(S1)
    assert [str(card) for _, card, _ in first.cards] == ["8c", "6c", "None", "3h"]
    assert first.gone == (Card("8h"),) and dict(first.wagers) == {"base": 10}
    second = until(f"{SPLIT_BESIDE} 2c", {S1: "split, stand", S2: ""}).info(S1)
    assert [str(card) for _, card, _ in second.cards] == ["6c", "None", "8h", "2c"]
    assert second.gone == (Card("3h"), Card("8c")) and dict(second.wagers) == {"hand_2": 10}
    assert second.facts != first.facts


@pytest.mark.rule("B-06")
@pytest.mark.parametrize("said", ["split", "split, stand"])
def test_a_seat_is_told_of_its_own_cards_while_another_plays_several_hands(said: str) -> None:
    before = until(SPLIT_BESIDE, {S1: "", S2: ""}).info(S2)
    while_it_waits = until(f"{SPLIT_BESIDE} 2c", {S1: said, S2: ""}).info(S2)
    assert before.cards == while_it_waits.cards
    assert dict(before.wagers) == dict(while_it_waits.wagers) == {"base": 10}
    assert before.gone == while_it_waits.gone == ()
    assert before.facts == while_it_waits.facts


@pytest.mark.rule("B-04", "B-06")
def test_the_table_is_told_which_hand_is_played_where_the_seat_has_several() -> None:
    assert until(SPLIT_BESIDE, {S1: "", S2: ""}).told == {}
    assert until(SPLIT_BESIDE, {S1: "split", S2: ""}).told == {"hand": "1"}
    assert until(f"{SPLIT_BESIDE} 2c", {S1: "split, stand", S2: ""}).told == {"hand": "2"}
    assert until(f"{SPLIT_BESIDE} 2c", {S1: "split, stand, stand", S2: ""}).told == {}
    assert play("8c 6c 8h Td 3h 2c 9s", "split, stand, stand").last.told == {}
