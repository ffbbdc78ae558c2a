"""Blackjack by the house's rules: how it is dealt, insured, looked at, played, drawn and settled, option by option."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.games import load
from feltworks.games.blackjack.options import ALLOWED
from feltworks.games.blackjack.rules import HOLE_CARD, UPCARD, Blackjack, card_of, total
from feltworks.kit.cards import Card, Seat, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.errors import BadValue, NotPossible
from feltworks.kit.game import Game
from feltworks.kit.round import DISCARD
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
    Step,
)
from tests.floor.sitting import ScriptedChance, Sitting
from tests.games.sitting import S1, S2, S3, S7, Course, decision, heard, told

GAME = load("blackjack")
HOLE_CARDS = ("peek", "no_peek", "none_takes_all", "none_takes_original")
UNSEEN = HOLE_CARDS[1:]
"""The houses that do not look for a blackjack."""

# A table for these tests and their neighbours: cards in the order of the deal, guests who do as they are told.

Wagers = Mapping[Seat, int]
Choices = Mapping[Seat, str]


@cache
def table(**options: str) -> Game:
    """A table with these options, the house's own otherwise."""
    return GAME.configured(readings=options)


def started(wagers: Wagers, game: Game = GAME) -> Blackjack:
    """These wagers lie there, and the betting is still open."""
    round = game.start(wagers)
    for seat, amount in wagers.items():
        round = round.after(Place(seat, "base", Fraction(amount)))
    assert isinstance(round, Blackjack)
    return round


@dataclass(frozen=True)
class Played(Course[Blackjack]):
    """A whole round of these tests."""

    @property
    def lines(self) -> list[str]:
        """The settlements, as they are told."""
        return [told(settled) for settled in self.settlements]

    def of(self, seat: Seat = S1) -> dict[str, Settlement]:
        """How each wager of a seat was decided."""
        decided = [s for s in self.settlements if s.seat == seat]
        assert len({s.spot for s in decided}) == len(decided), "a wager was decided twice"
        return {s.spot: s for s in decided}

    def net(self, seat: Seat = S1) -> Fraction:
        """What a seat has won or lost in all."""
        return sum((s.net() for s in self.of(seat).values()), Fraction(0))

    def nets(self, seat: Seat = S1) -> dict[str, Fraction]:
        """What each wager of a seat has won or lost."""
        return {spot: settled.net() for spot, settled in self.of(seat).items()}

    def offers(self, seat: Seat = S1) -> list[str]:
        """What a seat could choose from, each time it was asked."""
        return [
            " ".join(option.name for option in step.options)
            for step, answer, _ in self.steps
            if isinstance(step, Choose) and isinstance(answer, Decide) and answer.who == seat
        ]

    @property
    def dealer(self) -> str:
        """The dealer's cards that lie open in the end."""
        return " ".join(card.text for card in self.last.dealer_hand)

    @property
    def looked(self) -> bool:
        return any(isinstance(step, Read) for step, *_ in self.steps)

    @property
    def story(self) -> list[str]:
        """The round as the table saw it, one line for each step and effect."""
        lines = []
        for step, answer, round in self.steps:
            lines += [heard(step, answer), *(told(effect) for effect in round.effects)]
        return lines

    def since(self, line: str) -> list[str]:
        """The story from the first such line on."""
        return self.story[self.story.index(line) :]


def going(round: Blackjack, cards: Iterator[Card], choices: Choices) -> Iterator[tuple[Step, Answer, Blackjack]]:
    """The round from where it is. It stops where a seat is asked that has no choice left."""
    script, left = Scripted(cards), {seat: words.split(", ") for seat, words in choices.items() if words}
    while (step := round.next) is not None:
        answer: Answer
        match step:
            case Bet():
                answer = Close()
            case Choose(frozenset() as seats):
                deciding = next((seat for seat in sorted(seats) if left.get(seat)), None)
                if deciding is None:
                    break
                answer = decision(deciding, left[deciding].pop(0))
            case Choose():
                break
            case _:
                answer = script.answer(step)
        round = round.after(answer)
        yield step, answer, round
    assert not any(left.values()), f"nobody asked for {left}"


def play(cards: str, choices: Choices | str = "", wagers: Wagers | int = 10, **options: str) -> Played:
    """A whole round that uses up these cards: each seat's first, the upcard, each seat's second, the hole card if there
    is one, and those that are drawn. It is of seat 1 alone, if the choices are only its own."""
    by_seat = {S1: choices} if isinstance(choices, str) else choices
    dealt = iter(parse_cards(cards))
    lying = dict.fromkeys(by_seat, wagers) if isinstance(wagers, int) else wagers
    played = Played(list(going(started(lying, table(**options)), dealt, by_seat)))
    assert played.last.over
    assert not [*dealt], "cards are left over"
    return played


def until(cards: str, choices: Choices | str = "", **options: str) -> Blackjack:
    """The round when these choices are made and the next one is to be made; each seat has wagered 10."""
    by_seat = {S1: choices} if isinstance(choices, str) else choices
    start = started(dict.fromkeys(by_seat, 10), table(**options))
    *_, (_, _, round) = going(start, iter(parse_cards(cards)), by_seat)
    assert isinstance(round.next, Choose)
    return round


def offered(round: Blackjack) -> str:
    """What may be chosen now."""
    assert isinstance(round.next, Choose)
    return " ".join(option.name for option in round.next.options)


# The deal.


@pytest.mark.rule("B-01", "B-04", "B-05", "B-06")
def test_a_whole_round_with_several_seats() -> None:
    guests = {S1: "split, stand, double", S2: "hit", S3: "stand", S7: ""}
    wagers = {S1: 10, S2: 20, S3: 30, S7: 40}
    played = play("8c Td 9s Ah 6d 8s 6h 9c Kh Tc 9d 3c 7h Qd 2s", guests, wagers)
    assert played.story == [
        "betting closes",
        "say No more bets.",
        "deal seat 1 card 1 to seat 1",
        "turn seat 1 card 1 to all: 8c",
        "deal seat 2 card 1 to seat 2",
        "turn seat 2 card 1 to all: Td",
        "deal seat 3 card 1 to seat 3",
        "turn seat 3 card 1 to all: 9s",
        "deal seat 7 card 1 to seat 7",
        "turn seat 7 card 1 to all: Ah",
        "deal upcard to dealer",
        "turn upcard to all: 6d",
        "deal seat 1 card 2 to seat 1",
        "turn seat 1 card 2 to all: 8s",
        "deal seat 2 card 2 to seat 2",
        "turn seat 2 card 2 to all: 6h",
        "deal seat 3 card 2 to seat 3",
        "turn seat 3 card 2 to all: 9c",
        "deal seat 7 card 2 to seat 7",
        "turn seat 7 card 2 to all: Kh",
        "deal hole card to dealer",
        "seat 1 may stand, hit, double, split: split",
        "move seat 1 card 2 to seat 1, hand 2",
        "deal seat 1 card 3 to seat 1",
        "turn seat 1 card 3 to all: 9d",
        "seat 1 may stand, hit, double: stand",
        "deal seat 1 card 4 to seat 1, hand 2",
        "turn seat 1 card 4 to all: 3c",
        "seat 1 may stand, hit, double: double",
        "deal seat 1 card 5 to seat 1, hand 2",
        "turn seat 1 card 5 to all: 7h",
        "seat 2 may stand, hit, double: hit",
        "deal seat 2 card 3 to seat 2",
        "turn seat 2 card 3 to all: Qd",
        "seat 2 base 20 taken: Over 21 (B-04)",
        "move seat 2 card 1 to discard",
        "move seat 2 card 2 to discard",
        "move seat 2 card 3 to discard",
        "seat 3 may stand, hit, double, split: stand",
        "turn hole card to all: Tc",
        "deal draw 1 to dealer",
        "turn draw 1 to all: 2s",
        "say Dealer has 18.",
        "seat 7 base 40 returned, paid 3 to 2: Blackjack (B-02)",
        "seat 3 base 30 returned, paid push: Equal totals (B-06)",
        "seat 1 base 10 taken: Lower total (B-06)",
        "seat 1 hand_2 20 returned, paid push: Equal totals (B-06)",
    ]


@pytest.mark.rule("B-01")
@pytest.mark.parametrize("seats", [(S1,), (S7,), (S1, S2), (S2, S3, S7)], ids=str)
@pytest.mark.parametrize("hole_card", HOLE_CARDS)
def test_cards_come_one_at_a_time_and_clockwise(seats: tuple[Seat, ...], hole_card: str) -> None:
    round = until("9c " * len(seats) + "5d " + "8h " * len(seats) + "2c", dict.fromkeys(seats, ""), hole_card=hole_card)
    hole = [HOLE_CARD] if hole_card in ("peek", "no_peek") else []
    assert [*round.cards] == [*(card_of(s, 1) for s in seats), UPCARD, *(card_of(s, 2) for s in seats), *hole]
    assert [token for token, face in round.cards.items() if face.card is None] == hole


@pytest.mark.rule("B-01", "B-07")
def test_the_game_has_one_to_eight_decks_and_six_if_nobody_says_otherwise() -> None:
    assert GAME.decks == 6
    for decks in range(1, 9):
        fresh = GAME.configured(decks=decks).fresh()
        assert fresh is not None and fresh.total == 52 * decks
    for decks in (0, 9):
        with pytest.raises(BadValue):
            GAME.configured(decks=decks)


@pytest.mark.rule("B-01")
@pytest.mark.parametrize("hole_card", ["none_takes_all", "none_takes_original"])
def test_without_a_hole_card_the_dealer_takes_the_second_card_when_every_seat_has_acted(hole_card: str) -> None:
    played = play("Tc Td 6h 8h 9s 2c 7d 9c", {S1: "hit, stand", S2: "stand"}, hole_card=hole_card)
    assert played.since("seat 2 may stand, hit, double: stand")[1:] == [
        "deal hole card to dealer",
        "turn hole card to all: 7d",
        "deal draw 1 to dealer",
        "turn draw 1 to all: 9c",
        "say Dealer has 22, too many.",
        "seat 2 base 10 returned, paid 1 to 1: Dealer is over 21 (B-05)",
        "seat 1 base 10 returned, paid 1 to 1: Dealer is over 21 (B-05)",
    ]


# What a hand is worth.


@pytest.mark.rule("B-02")
@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("2c 3d", (5, False)),
        ("Tc Jd", (20, False)),
        ("Qc Kd 2c", (22, False)),
        ("Ac 6d", (17, True)),
        ("Ac Ad", (12, True)),
        ("Ac Ad 9h", (21, True)),
        ("Ac Ad 9h Tc", (21, False)),
        ("Ac 6d Tc", (17, False)),
        ("Ac Kd", (21, True)),
        ("9c 9d 4h", (22, False)),
        ("Ac Ad Ah As 7c", (21, True)),
        ("Ac Ad Ah As 8c", (12, False)),
        ("Tc Ad Th Kd", (31, False)),
    ],
)
def test_an_ace_counts_1_or_11_and_a_face_10(cards: str, worth: tuple[int, bool]) -> None:
    assert total(parse_cards(cards)) == worth


@pytest.mark.rule("B-02")
@pytest.mark.parametrize(("option", "odds", "won"), [("3/2", "3 to 2", 15), ("6/5", "6 to 5", 12), ("1", "1 to 1", 10)])
@pytest.mark.parametrize("ten", ["Td", "Jd", "Qd", "Kd"])
def test_an_ace_and_a_ten_are_paid_as_posted(ten: str, option: str, odds: str, won: int) -> None:
    for cards in (f"Ac 5s {ten} 9d", f"{ten} 5s Ac 9d"):
        played = play(cards, blackjack_pays=option)
        assert played.lines == [f"seat 1 base 10 returned, paid {odds}: Blackjack (B-02)"]
        assert played.net() == won
        assert played.offers() == []


@pytest.mark.rule("B-02")
@pytest.mark.parametrize("option", ["3/2", "6/5", "1"])
def test_odds_are_of_any_wager_to_the_last_fraction(option: str) -> None:
    assert play("Ac 5s Kd 9d", wagers=7, blackjack_pays=option).net() == 7 * Fraction(option)


@pytest.mark.rule("B-02")
@pytest.mark.parametrize("upcard", ["As Kh", "Ks Ah"])
@pytest.mark.parametrize("hole_card", HOLE_CARDS)
def test_blackjack_against_blackjack_pushes(hole_card: str, upcard: str) -> None:
    up, hole = upcard.split()
    played = play(f"Ac {up} Td {hole}", "no insurance" if up == "As" else "", hole_card=hole_card)
    assert played.lines == ["seat 1 base 10 returned, paid push: Both have a blackjack (B-02)"]


@pytest.mark.rule("B-02")
@pytest.mark.parametrize("hole_card", HOLE_CARDS)
def test_a_21_of_three_cards_loses_to_a_blackjack_and_pays_even(hole_card: str) -> None:
    if hole_card != "peek":  # where the seat gets that far
        lost = play("7c Ks 7d Ah 7h" if hole_card == "no_peek" else "7c Ks 7d 7h Ah", "hit", hole_card=hole_card)
        assert lost.lines == ["seat 1 base 10 taken: Dealer has a blackjack (B-01)"]
    won = play("7c Ks 7d 9h 7h" if hole_card in ("peek", "no_peek") else "7c Ks 7d 7h 9h", "hit", hole_card=hole_card)
    assert won.lines == ["seat 1 base 10 returned, paid 1 to 1: Higher total (B-06)"]


@pytest.mark.rule("B-02", "B-06")
def test_a_blackjack_beats_a_21_of_the_dealers_three_cards_and_21_pushes_with_it() -> None:
    played = play("Ac 7c 5d Kd 7d 6h 7h Ts", {S1: "", S2: "hit"})
    assert played.dealer == "5d 6h Ts"
    assert [played.net(S1), played.net(S2)] == [15, 0]


# Insurance, even money and the look.


@pytest.mark.rule("B-03")
def test_insurance_is_offered_to_all_seats_together_before_the_dealer_looks() -> None:
    round = until("Tc 9c As 6d 9d 5h", {S1: "", S2: ""})
    assert isinstance(round.next, Choose)
    assert round.next.who == frozenset({S1, S2}) and round.next.about == "insurance"
    assert round.cards[HOLE_CARD].reading is None
    assert {spot for _, spot in round.wagers} == {"base"}
    played = play("Tc 9c As 6d 9d 5h Td 2c", {S2: "insurance 4, stand", S1: "no insurance, stand"}, 20)
    assert played.since("say Insurance?")[:9] == [
        "say Insurance?",
        "seat 1 of 1, 2 may no insurance, insurance: no insurance",
        "seat 2 may no insurance, insurance: insurance 4",
        "read hole card: no ten",
        "say No blackjack.",
        "seat 2 insurance 4 taken: No blackjack (B-03)",
        "seat 1 may stand, hit, double: stand",
        "seat 2 may stand, hit, double, split: stand",
        "turn hole card to all: 5h",
    ]
    assert played.dealer == "As 5h Td 2c"


@pytest.mark.rule("B-03")
@pytest.mark.parametrize("upcard", [*"23456789", *"TJQK"])
@pytest.mark.parametrize("hole_card", HOLE_CARDS)
def test_insurance_is_offered_against_an_ace_alone(upcard: str, hole_card: str) -> None:
    assert "insurance" in offered(until("Tc As 6d 5h", hole_card=hole_card))
    assert offered(until(f"Tc {upcard}s 6d 5h", hole_card=hole_card)) == "stand hit double"


@pytest.mark.rule("B-03")
@pytest.mark.parametrize(
    ("said", "amount"), [("insurance", 5), ("insurance 5", 5), ("insurance 2", 2), ("insurance 1/3", Fraction(1, 3))]
)
def test_insurance_is_up_to_half_the_wager_and_pays_2_to_1(said: str, amount: Fraction) -> None:
    won = play("Tc As 6d Kh", said)
    assert won.nets() == {"insurance": 2 * amount, "base": -10}
    lost = play("Tc As 6d 9h", f"{said}, stand")
    assert lost.nets() == {"insurance": -amount, "base": -10}


@pytest.mark.rule("B-03")
@pytest.mark.parametrize("said", ["no insurance", "insurance 0"])
def test_who_insures_for_nothing_has_no_insurance(said: str) -> None:
    assert play("Tc As 6d Kh", said).nets() == {"base": -10}


@pytest.mark.rule("B-03")
def test_half_of_an_odd_wager_is_insured_to_the_last_fraction() -> None:
    assert play("Tc As 6d Kh", "insurance", 7).nets() == {"insurance": 7, "base": -7}


@pytest.mark.rule("B-03", "B-06")
def test_after_the_look_insurance_is_settled_at_once_and_a_blackjack_ends_the_round() -> None:
    guests = {S1: "insurance", S2: "no insurance", S3: "insurance 1"}
    played = play("Tc 8c 9c As 6d Td 9d Kh", guests)
    assert played.since("read hole card: ten") == [
        "read hole card: ten",
        "turn hole card to all: Kh",
        "say Dealer has a blackjack.",
        "seat 3 insurance 1 returned, paid 2 to 1: Dealer has a blackjack (B-03)",
        "seat 1 insurance 5 returned, paid 2 to 1: Dealer has a blackjack (B-03)",
        "seat 3 base 10 taken: Dealer has a blackjack (B-01)",
        "seat 2 base 10 taken: Dealer has a blackjack (B-01)",
        "seat 1 base 10 taken: Dealer has a blackjack (B-01)",
    ]


@pytest.mark.rule("B-03")
@pytest.mark.parametrize("hole_card", HOLE_CARDS)
@pytest.mark.parametrize("pays", ["3/2", "6/5", "1"])
def test_even_money_is_for_a_blackjack_where_that_pays_3_to_2(pays: str, hole_card: str) -> None:
    round = until("Tc Ac As 6d Kd 5h", {S1: "no insurance", S2: ""}, hole_card=hole_card, blackjack_pays=pays)
    assert offered(round) == "no insurance insurance" + " even money" * (pays == "3/2")
    other = until("Tc Ac As 6d Kd 5h", {S1: "", S2: ""}, hole_card=hole_card, blackjack_pays=pays)
    assert offered(other) == "no insurance insurance"


@pytest.mark.rule("B-03")
@pytest.mark.parametrize("hole_card", ["peek", "no_peek"])
@pytest.mark.parametrize("hole", ["Th", "9h"])
def test_even_money_is_what_insurance_for_half_the_wager_comes_to(hole: str, hole_card: str) -> None:
    even = play(f"Ac As Td {hole}", "even money", hole_card=hole_card)
    insured = play(f"Ac As Td {hole}", "insurance", hole_card=hole_card)
    assert even.net() == insured.net() == 10
    assert even.lines == ["seat 1 base 10 returned, paid 1 to 1: Even money (B-03)"]


@pytest.mark.rule("B-03", "B-05")
@pytest.mark.parametrize("hole_card", HOLE_CARDS)
def test_even_money_is_paid_at_once_and_where_all_take_it_nobody_looks(hole_card: str) -> None:
    cards = "Ac Ad As Td Kd" + " Th" * (hole_card in ("peek", "no_peek"))
    played = play(cards, {S1: "even money", S2: "even money"}, hole_card=hole_card)
    assert played.since("seat 1 of 1, 2 may no insurance, insurance, even money: even money") == [
        "seat 1 of 1, 2 may no insurance, insurance, even money: even money",
        "seat 1 base 10 returned, paid 1 to 1: Even money (B-03)",
        "move seat 1 card 1 to discard",
        "move seat 1 card 2 to discard",
        "seat 2 may no insurance, insurance, even money: even money",
        "seat 2 base 10 returned, paid 1 to 1: Even money (B-03)",
        "move seat 2 card 1 to discard",
        "move seat 2 card 2 to discard",
    ]
    assert (played.looked, played.dealer) == (False, "As")


@pytest.mark.rule("B-03")
@pytest.mark.parametrize("upcard", [*"23456789TJQKA"])
@pytest.mark.parametrize("hole_card", HOLE_CARDS)
def test_the_dealer_looks_under_aces_and_tens_where_the_house_has_it_so(upcard: str, hole_card: str) -> None:
    cards = iter(parse_cards(f"Tc {upcard}s 6d 5h"))
    steps = going(started({S1: 10}, table(hole_card=hole_card)), cards, {S1: "no insurance" if upcard == "A" else ""})
    read = [answer for step, answer, _ in steps if isinstance(step, Read)]
    looks = hole_card == "peek" and upcard in "ATJQK"
    assert [str(answer) for answer in read] == ([f"no {'ten' if upcard == 'A' else 'ace'}"] if looks else [])


@pytest.mark.rule("B-03")
@pytest.mark.parametrize(("upcard", "among", "rest"), [("As", "TJQK", "23456789A"), ("Ks", "A", "23456789TJQK")])
def test_the_look_tells_whether_it_is_a_blackjack_and_nothing_else(upcard: str, among: str, rest: str) -> None:
    cards = iter(parse_cards(f"Tc {upcard} 6d 5h"))
    steps = list(going(started({S1: 10}), cards, {S1: "no insurance" if upcard == "As" else ""}))
    (step,) = (step for step, *_ in steps if isinstance(step, Read))
    assert [{card.text[0] for card in map(Card, CARDS) if card in cards_of} for cards_of in step.among] == [
        {*among},
        {*rest},
    ]
    face = steps[-1][2].cards[HOLE_CARD]
    assert face.card is None and face.reading == step.among[1]


CARDS = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.mark.rule("B-03")
def test_a_ten_is_looked_under_without_insurance_and_an_ace_under_it_ends_the_round() -> None:
    played = play("Tc Ac Ks 6d Jd Ah", {S1: "", S2: ""})
    assert played.since("deal hole card to dealer")[1:] == [
        "read hole card: ace",
        "turn hole card to all: Ah",
        "say Dealer has a blackjack.",
        "seat 2 base 10 returned, paid push: Both have a blackjack (B-02)",
        "seat 1 base 10 taken: Dealer has a blackjack (B-01)",
    ]


@pytest.mark.rule("B-03")
@pytest.mark.parametrize("hole_card", UNSEEN)
@pytest.mark.parametrize("hole", ["Kh", "5h"])
@pytest.mark.parametrize(
    ("cards", "choices", "drawn"),
    [
        ("Tc 9d", "stand", ""),
        ("Tc 6d", "hit", "9h"),
        ("6c 5d", "double", "4h"),
        ("Tc 6d", "surrender", ""),
        ("Ac Td", "", ""),
        ("8c 8d", "split, hit, hit", "6h Tc 7h Qc"),
    ],
    ids=["stands", "goes over", "doubles", "surrenders", "has a blackjack", "goes over with two hands"],
)
def test_where_nobody_looks_insurance_is_settled_when_the_card_shows_whatever_the_seat_did(
    hole_card: str, hole: str, cards: str, choices: str, drawn: str
) -> None:
    first, second = cards.split()
    order = f"{first} As {second} {hole} {drawn}" if hole_card == "no_peek" else f"{first} As {second} {drawn} {hole}"
    live = choices in ("stand", "double") and hole == "5h"
    said = ", ".join(["insurance", *([choices] if choices else [])])
    played = play(order + " 5c" * live, said, hole_card=hole_card, surrender="late")
    shown = played.since(f"turn hole card to all: {hole}")
    if hole == "Kh":
        assert shown[1:3] == [
            "say Dealer has a blackjack.",
            "seat 1 insurance 5 returned, paid 2 to 1: Dealer has a blackjack (B-03)",
        ]
    else:
        assert shown[1] == "seat 1 insurance 5 taken: No blackjack (B-03)"
    assert not played.looked
    assert played.last.wagers == {}


# Houses that do not look: what a blackjack takes.

OVER = "9h"
"""A card that is too much."""


@pytest.mark.rule("B-01", "B-04")
@pytest.mark.parametrize("upcard", ["Ks Ah", "As Kh"])
@pytest.mark.parametrize(
    ("cards", "choices", "drawn", "all_of_it"),
    [
        ("Tc 9d", "stand", "", -10),
        ("Tc 6d", "hit", OVER, -10),
        ("6c 5d", "double", "4h", -20),
        ("Tc 6d", "double", OVER, -20),
        ("Tc 6d", "surrender", "", -10),
        ("8c 8d", "split, stand, stand", "6h 5h", -20),
        ("8c 8d", "split, double, stand", "3h 2c 5h", -30),
        ("8c 8d", "split, stand, double", "5h 3h 2c", -30),
        ("8c 8d", "split, double, double", "3h 9h 3c 9c", -40),
        ("8c 8d", "split, hit, double", "6h Tc 3h Qc", -30),
        ("8c 8d", "split, split, split, stand, stand, stand, stand", "8h 8s 2h 3h 4h 5h", -40),
        ("Ac Ad", "split", "Kh 9h", -20),
    ],
)
def test_a_blackjack_that_nobody_looked_for_takes_all_or_the_first_wager_of_each_seat(
    upcard: str, cards: str, choices: str, drawn: str, all_of_it: int
) -> None:
    up, hole = upcard.split()
    first, second = cards.split()
    said = f"no insurance, {choices}" if up == "As" else choices
    net = {}
    for hole_card in UNSEEN:
        rest = f"{hole} {drawn}" if hole_card == "no_peek" else f"{drawn} {hole}"
        if drawn == OVER and hole_card == "none_takes_all":  # it is decided: no card is taken for it
            rest = drawn
        played = play(f"{first} {up} {second} {rest}", said, hole_card=hole_card, surrender="late")
        net[hole_card] = played.net()
        assert sum(s.amount for s in played.settlements) == max(10, -all_of_it)
        assert played.last.wagers == {}
    assert net == {"no_peek": all_of_it, "none_takes_all": all_of_it, "none_takes_original": -10}


@pytest.mark.rule("B-01")
def test_where_only_the_first_wager_is_lost_the_others_come_back() -> None:
    played = play("8c Ks 8d 3h 2c 5h Ah", "split, double, stand", hole_card="none_takes_original")
    assert played.since("turn hole card to all: Ah")[1:] == [
        "say Dealer has a blackjack.",
        "seat 1 base 20 taken, paid 1 for 2: Only the first wager is lost (B-01)",
        "seat 1 hand_2 10 returned, paid push: Only the first wager is lost (B-01)",
    ]


@pytest.mark.rule("B-01", "B-05")
def test_a_hand_over_21_waits_for_the_dealers_card_only_where_a_blackjack_would_take_less() -> None:
    over = {up: play(f"Tc {up} 6d Qd", "hit", hole_card="none_takes_all").lines for up in ("Ks", "6s")}
    assert over["Ks"] == over["6s"] == ["seat 1 base 10 taken: Over 21 (B-04)"]
    waits = play("Tc Ks 6d Qd 5h", "hit", hole_card="none_takes_original")
    assert waits.since("turn hole card to all: 5h")[1:] == ["seat 1 base 10 taken: Over 21 (B-04)"]
    at_once = play("Tc 6s 6d Qd", "hit", hole_card="none_takes_original")
    assert at_once.since("turn seat 1 card 3 to all: Qd")[1:3] == [
        "seat 1 base 10 taken: Over 21 (B-04)",
        "move seat 1 card 1 to discard",
    ]
    assert at_once.dealer == "6s"


# What a seat may do with a hand.


@pytest.mark.rule("B-04")
@pytest.mark.parametrize(
    ("cards", "doubles"),
    [
        ("2c 3d", "any"),
        ("5c 3d", "any"),
        ("5c 4d", "any 9-11"),
        ("6c 4d", "any 9-11 10-11"),
        ("6c 5d", "any 9-11 10-11"),
        ("7c 5d", "any"),
        ("Tc 9d", "any"),
        ("Ac 8d", "any"),  # soft 19: hard totals only
        ("Ac 9d", "any"),
        ("Ac 2d", "any"),
        ("5c 5d", "any 9-11 10-11"),
    ],
)
def test_two_cards_are_doubled_on_the_totals_that_the_house_has(cards: str, doubles: str) -> None:
    first, second = cards.split()
    for option in ALLOWED["double"]:
        round = until(f"{first} 5s {second} 9d", double=option)
        assert ("double" in offered(round)) == (option in doubles.split())


@pytest.mark.rule("B-04")
def test_a_double_is_for_the_whole_wager_and_gets_one_card() -> None:
    played = play("6c 5s 5d Td 2c 6h", "double")
    assert played.since("seat 1 may stand, hit, double: double") == [
        "seat 1 may stand, hit, double: double",
        "deal seat 1 card 3 to seat 1",
        "turn seat 1 card 3 to all: 2c",
        "turn hole card to all: Td",
        "deal draw 1 to dealer",
        "turn draw 1 to all: 6h",
        "say Dealer has 21.",
        "seat 1 base 20 taken: Lower total (B-06)",
    ]
    assert play("6c 5s 5d Td 2c 9h", "double").net() == 20
    assert play("6c 5s 5d Td Tc 6h", "double").net() == 0


@pytest.mark.rule("B-04")
def test_a_double_that_goes_over_loses_both_wagers_at_once() -> None:
    played = play("Tc 5s 6d Td Qc", "double")
    assert played.lines == ["seat 1 base 20 taken: Over 21 (B-04)"]
    assert played.dealer == "5s"
    assert {face.place for token, face in played.last.cards.items() if token.owner == S1} == {DISCARD}


@pytest.mark.rule("B-04")
def test_after_a_third_card_a_hand_is_only_hit_or_stood_on() -> None:
    for cards in ("4c 5s 4d 9d 3h", "4c 5s 4d 9d 4h"):
        assert offered(until(cards, "hit", surrender="late")) == "stand hit"
    assert offered(until("4c 5s 4d 9d", surrender="late")) == "stand hit double split surrender"


@pytest.mark.rule("B-04")
@pytest.mark.parametrize(("cards", "drawn"), [("Tc 6d", "5h"), ("7c 7d", "7h"), ("Ac 6d", "4h")])
def test_a_hand_of_21_is_not_asked_any_more(cards: str, drawn: str) -> None:
    first, second = cards.split()
    played = play(f"{first} 5s {second} Td {drawn} 6h", "hit")
    assert len(played.offers()) == 1
    assert played.lines == ["seat 1 base 10 returned, paid push: Equal totals (B-06)"]


@pytest.mark.rule("B-04")
@pytest.mark.parametrize(
    ("cards", "pair"),
    [
        ("8c 8d", True),
        ("8c 9d", False),
        ("Tc Kd", True),
        ("Jc Qd", True),
        ("Ac Ad", True),
        ("Ac Kd", None),
        ("9c Td", False),
    ],
)
def test_two_cards_of_equal_value_are_split(cards: str, pair: bool | None) -> None:
    first, second = cards.split()
    if pair is None:
        assert play(f"{first} 5s {second} Td").offers() == []
    else:
        assert ("split" in offered(until(f"{first} 5s {second} Td"))) is pair


@pytest.mark.rule("B-04", "B-06")
def test_a_split_makes_two_hands_each_with_a_wager_and_a_second_card_of_its_own() -> None:
    round = until("8c 5s 8d Td 2h", "split")
    assert round.wagers == {(S1, "base"): 10, (S1, "hand_2"): 10}
    assert [card.text for card in round.hand_of(S1, 1)] == ["8c", "2h"]
    assert [card.text for card in round.hand_of(S1, 2)] == ["8d"]
    assert isinstance(round.next, Choose) and round.next.about == "hand 1 of 2"
    second = until("8c 5s 8d Td 2h 3h", "split, stand")
    assert [card.text for card in second.hand_of(S1, 2)] == ["8d", "3h"]
    assert isinstance(second.next, Choose) and second.next.about == "hand 2 of 2"


@pytest.mark.rule("B-04", "B-06")
@pytest.mark.parametrize("most", ["2", "3", "4"])
def test_pairs_are_split_again_up_to_the_posted_number_of_hands(most: str) -> None:
    """Eights and nothing but eights: hand 1 is split as often as it can be, and then every hand is a pair."""
    hands, splits = int(most), int(most) - 1
    said = ", ".join(["split"] * splits + ["stand"] * hands)
    played = play("8c 5s 8d Td " + "8h " * (2 * hands - 2) + "9d", said, max_hands=most)
    assert played.offers() == ["stand hit double split"] * splits + ["stand hit double"] * hands
    assert [s.spot for s in played.settlements] == ["base", "hand_2", "hand_3", "hand_4"][:hands]
    assert [s.amount for s in played.settlements] == [10] * hands
    places = ["seat 1", "seat 1, hand 2", "seat 1, hand 3", "seat 1, hand 4"]
    assert {face.place for token, face in played.last.cards.items() if token.owner} == {*places[:hands]}
    assert all(len(played.last.hand_of(S1, hand)) == 2 for hand in range(1, hands + 1))


@pytest.mark.rule("B-04", "B-06")
def test_a_hand_that_is_split_off_is_played_after_those_that_the_seat_has() -> None:
    """Hand 2 is split: the new hand is hand 3, with the next spot, and comes last."""
    played = play("8c 5s 8d Td 9c 8h 2d 3h 6s", "split, stand, split, stand, stand")
    assert played.since("seat 1 may stand, hit, double, split: split")[1:] == [
        "move seat 1 card 2 to seat 1, hand 2",
        "deal seat 1 card 3 to seat 1",
        "turn seat 1 card 3 to all: 9c",
        "seat 1 may stand, hit, double: stand",
        "deal seat 1 card 4 to seat 1, hand 2",
        "turn seat 1 card 4 to all: 8h",
        "seat 1 may stand, hit, double, split: split",
        "move seat 1 card 4 to seat 1, hand 3",
        "deal seat 1 card 5 to seat 1, hand 2",
        "turn seat 1 card 5 to all: 2d",
        "seat 1 may stand, hit, double: stand",
        "deal seat 1 card 6 to seat 1, hand 3",
        "turn seat 1 card 6 to all: 3h",
        "seat 1 may stand, hit, double: stand",
        "turn hole card to all: Td",
        "deal draw 1 to dealer",
        "turn draw 1 to all: 6s",
        "say Dealer has 21.",
        "seat 1 base 10 taken: Lower total (B-06)",
        "seat 1 hand_2 10 taken: Lower total (B-06)",
        "seat 1 hand_3 10 taken: Lower total (B-06)",
    ]


@pytest.mark.rule("B-04")
@pytest.mark.parametrize("after_split", ["yes", "no"])
def test_split_hands_are_doubled_where_the_house_has_it(after_split: str) -> None:
    first = until("8c 5s 8d Td 2h", "split", double_after_split=after_split)
    assert offered(first) == ("stand hit double" if after_split == "yes" else "stand hit")
    assert offered(until("8c 5s 3d Td", double_after_split=after_split)) == "stand hit double"
    if after_split == "yes":
        narrow = until("8c 5s 8d Td 4h", "split", double="10-11")
        assert offered(narrow) == "stand hit"
        doubled = until("8c 5s 8d Td 2h 9h 3h", "split, double")
        assert doubled.wagers == {(S1, "base"): 20, (S1, "hand_2"): 10}


@pytest.mark.rule("B-04")
def test_each_split_hand_is_doubled_for_its_own_wager() -> None:
    played = play("8c 5s 8d Td 8h 3c Tc 2c 9c 3d 7c 7h", "split, split, double, double, double")
    assert {spot: s.amount for spot, s in played.of().items()} == {"base": 20, "hand_2": 20, "hand_3": 20}
    assert played.dealer == "5s Td 7h"
    assert played.net() == 60


@pytest.mark.rule("B-04")
@pytest.mark.parametrize("most", ["2", "3", "4"])
def test_split_aces_get_one_card_each_and_no_other_split(most: str) -> None:
    played = play("Ac 5s Ad Td Ah 9h 8c", "split", split_aces="one_card", max_hands=most)
    assert played.offers() == ["stand hit double split"]
    assert played.nets() == {"base": 10, "hand_2": 10}


@pytest.mark.rule("B-04")
@pytest.mark.parametrize("most", ["2", "3", "4"])
def test_by_another_option_an_ace_on_a_split_ace_is_split_again_and_nothing_else(most: str) -> None:
    hands, splits = int(most), int(most) - 1
    said = ", ".join(["split"] * splits)
    played = play("Ac 5s Ad Td " + "Ah " * (2 * hands - 2) + "8c", said, split_aces="resplit", max_hands=most)
    assert played.offers() == ["stand hit double split"] + ["stand split"] * (splits - 1)
    assert [s.spot for s in played.settlements] == ["base", "hand_2", "hand_3", "hand_4"][:hands]


@pytest.mark.rule("B-04")
def test_a_split_ace_that_could_be_split_again_may_also_stand() -> None:
    played = play("Ac 5s Ad Td Ah 9h 8c", "split, stand", split_aces="resplit")
    assert played.offers() == ["stand hit double split", "stand split"]
    assert played.nets() == {"base": 10, "hand_2": 10}


@pytest.mark.rule("B-04")
def test_by_a_third_option_split_aces_are_played_like_any_hand() -> None:
    said = "split, hit, stand, split, double, stand"
    played = play("Ac 5s Ad Td 5h 3h Ah 6h Tc 9c 8c", said, split_aces="hit")
    assert played.offers() == [
        "stand hit double split",
        "stand hit double",
        "stand hit",
        "stand hit double split",
        "stand hit double",
        "stand hit double",
    ]
    assert {spot: s.amount for spot, s in played.of().items()} == {"base": 10, "hand_2": 20, "hand_3": 10}
    assert offered(until("Ac 5s Ad Td 5h", "split", split_aces="hit", double_after_split="no")) == "stand hit"


@pytest.mark.rule("B-02", "B-04")
@pytest.mark.parametrize("split_aces", ALLOWED["split_aces"])
@pytest.mark.parametrize(("cards", "drawn"), [("Ac Ad", "Kh Qh"), ("Tc Kd", "Ah As")])
def test_a_21_on_a_split_hand_is_no_blackjack(cards: str, drawn: str, split_aces: str) -> None:
    first, second = cards.split()
    played = play(f"{first} 5s {second} Td {drawn} 2c", "split", split_aces=split_aces)
    assert played.nets() == {"base": 10, "hand_2": 10}
    assert {s.line for s in played.settlements} == {"Higher total"}
    pushed = play(f"{first} 5s {second} Td {drawn} 6c", "split", split_aces=split_aces)
    assert pushed.nets() == {"base": 0, "hand_2": 0}


@pytest.mark.rule("B-04")
def test_a_seat_that_splits_against_an_ace_can_have_no_blackjack_left_to_insure() -> None:
    played = play("Tc As Kd 9h Ah Ad", "no insurance, split")
    assert played.nets() == {"base": 10, "hand_2": 10}
    assert played.dealer == "As 9h"


@pytest.mark.rule("B-04")
def test_surrender_gives_half_the_wager_up_at_once_where_the_house_has_it() -> None:
    assert offered(until("Tc 9s 6d 5h")) == "stand hit double"
    played = play("Tc 9s 6d 5h", "surrender", surrender="late")
    assert played.since("seat 1 may stand, hit, double, surrender: surrender")[1:] == [
        "seat 1 base 10 taken, paid 1 for 2: Surrender (B-04)",
        "move seat 1 card 1 to discard",
        "move seat 1 card 2 to discard",
    ]
    assert played.net() == -5 and played.dealer == "9s"


@pytest.mark.rule("B-04")
def test_only_the_first_two_cards_are_surrendered() -> None:
    assert "surrender" not in offered(until("4c 9s 6d 5h 2h", "hit", surrender="late"))
    assert "surrender" not in offered(until("8c 9s 8d 5h 2h", "split", surrender="late"))


@pytest.mark.rule("B-03", "B-04")
@pytest.mark.parametrize("upcard", ["Ks", "As"])
def test_after_the_look_a_surrender_is_safe_and_before_it_there_is_none(upcard: str) -> None:
    before = "no insurance" if upcard == "As" else ""
    played = play(f"Tc {upcard} 6d 5h", ", ".join(filter(None, [before, "surrender"])), surrender="late")
    assert played.since("say No blackjack.")[2:] == [
        "seat 1 base 10 taken, paid 1 for 2: Surrender (B-04)",
        "move seat 1 card 1 to discard",
        "move seat 1 card 2 to discard",
    ]
    hole = "Kh" if upcard == "As" else "Ah"
    assert play(f"Tc {upcard} 6d {hole}", before, surrender="late").net() == -10


@pytest.mark.rule("B-04")
@pytest.mark.parametrize("hole_card", UNSEEN)
@pytest.mark.parametrize(("hole", "net"), [("Ah", -10), ("5h", -5)])
def test_where_nobody_looks_a_surrender_waits_for_the_dealers_card(hole_card: str, hole: str, net: int) -> None:
    played = play(f"Tc Ks 6d {hole}", "surrender", hole_card=hole_card, surrender="late")
    assert played.net() == net
    assert played.dealer == f"Ks {hole}"
    early = play("Tc 9s 6d" + " 5h" * (hole_card == "no_peek"), "surrender", hole_card=hole_card, surrender="late")
    assert early.net() == -5 and early.dealer == "9s"


# The dealer.


@pytest.mark.rule("B-05")
@pytest.mark.parametrize(
    ("up", "rest", "hit", "stand"),
    [
        ("Td", "7h", "17", "17"),
        ("6d", "Th Ac", "17", "17"),  # hard
        ("6d", "Ah", "hits", "17"),
        ("Ad", "6h", "hits", "17"),
        ("2d", "Ah 4c", "hits", "17"),
        ("2d", "4h Ac", "hits", "17"),
        ("Ad", "2h 2c 2s", "hits", "17"),
        ("Ad", "6h Tc", "17", ""),
        ("Ad", "7h", "18", "18"),
        ("7d", "Ah", "18", "18"),
        ("6d", "Th", "hits", "hits"),
        ("2d", "2h 2c 2s 2d 2c 2h", "hits", "hits"),
        ("Ad", "5h", "hits", "hits"),
        ("9d", "7h 6c", "22", "22"),
        ("5d", "6h Tc", "21", "21"),
    ],
)
@pytest.mark.parametrize("hole_card", HOLE_CARDS)
def test_the_dealer_draws_to_17_and_on_a_soft_one_as_the_house_has_it(
    up: str, rest: str, hit: str, stand: str, hole_card: str
) -> None:
    for option, ends in (("hit", hit), ("stand", stand)):
        if not ends:
            continue
        said = "no insurance, stand" if up[0] == "A" else "stand"
        cards = iter(parse_cards(f"Tc {up} 9c {rest}"))
        round = started({S1: 10}, table(soft_17=option, hole_card=hole_card))
        try:
            steps = list(going(round, cards, {S1: said}))
        except NotPossible:
            assert ends == "hits"  # the script has no more cards
            continue
        assert not [*cards]
        assert total(steps[-1][2].dealer_hand)[0] == int(ends)


@pytest.mark.rule("B-05")
def test_the_dealer_draws_no_card_where_every_hand_is_decided() -> None:
    guests = {S1: "hit", S2: "", S3: "surrender", S7: "double"}
    played = play("Tc Ac Th 9c 6d 6c Kd 5h 7c 5s Qs Js", guests, surrender="late")
    assert played.dealer == "6d"
    assert played.last.cards[HOLE_CARD].card is None
    assert played.lines == [
        "seat 1 base 10 taken: Over 21 (B-04)",
        "seat 3 base 10 taken, paid 1 for 2: Surrender (B-04)",
        "seat 7 base 20 taken: Over 21 (B-04)",
        "seat 2 base 10 returned, paid 3 to 2: Blackjack (B-02)",
    ]


@pytest.mark.rule("B-05")
def test_the_dealer_draws_if_one_seat_is_not_decided_yet() -> None:
    guests = {S1: "hit", S2: "", S3: "stand"}
    played = play("Tc Ac Th 6d 6c Kd 5h 5s Qs 9s", guests)
    assert played.dealer == "6d 5s 9s"
    assert [played.net(seat) for seat in guests] == [-10, 15, -10]


@pytest.mark.rule("B-05")
def test_the_dealer_draws_if_one_hand_of_a_split_pair_is_not_decided_yet() -> None:
    played = play("8c 6d 8h Ts 6s Qs 9s 5c", "split, hit, stand")
    assert played.dealer == "6d Ts 5c"
    assert played.nets() == {"base": -10, "hand_2": -10}
    both_over = play("8c 6d 8h Ts 6s Qs 7s Qd", "split, hit, hit")
    assert both_over.dealer == "6d"


@pytest.mark.rule("B-01", "B-05")
@pytest.mark.parametrize("hole_card", UNSEEN)
@pytest.mark.parametrize(
    ("upcard", "choices", "shows"),
    [("Ks", "", True), ("Ks", "surrender", True), ("6s", "", False), ("6s", "surrender", False)],
)
def test_where_nobody_looks_the_dealers_card_is_shown_if_anything_depends_on_it(
    upcard: str, choices: str, shows: bool, hole_card: str
) -> None:
    """A blackjack and a surrender wait for the card under a ten; nothing is drawn to it."""
    cards = "Ac {} Qd" if not choices else "Tc {} 6d"
    dealt = shows or hole_card == "no_peek"
    played = play(cards.format(upcard) + " 5h" * dealt, choices, hole_card=hole_card, surrender="late")
    assert played.dealer == f"{upcard} 5h" if shows else upcard


# The settlement.


@pytest.mark.rule("B-06")
@pytest.mark.parametrize(
    ("own", "drawn", "line", "net"),
    [
        ("Tc 9d", "Th 2s", "Higher total", 10),
        ("Tc 8d", "Th 2s", "Equal totals", 0),
        ("Tc 7d", "Th 2s", "Lower total", -10),
        ("Tc 2d", "Th Ts", "Dealer is over 21", 10),
        ("Tc Qd", "5h Ts", "Lower total", -10),
    ],
)
def test_the_higher_total_wins_even_money(own: str, drawn: str, line: str, net: int) -> None:
    first, second = own.split()
    played = play(f"{first} 6s {second} {drawn}", "stand")
    assert [s.line for s in played.settlements] == [line]
    assert played.net() == net


@pytest.mark.rule("B-06")
def test_seats_act_clockwise_and_are_settled_counter_clockwise_hand_by_hand() -> None:
    guests = {S1: "split, stand, stand", S2: "stand", S3: "split, split, stand, stand, stand", S7: "hit, stand"}
    played = play("8c Tc 9c 2c 5s 8d 9d 9h 2d Th 3h 2h 9s 9c 4c 5c Kd 4s", guests)
    acted = [answer.who for _, answer, _ in played.steps if isinstance(answer, Decide)]
    assert acted == [S1] * 3 + [S2] + [S3] * 5 + [S7] * 2
    assert [(s.seat, s.spot) for s in played.settlements] == [
        (S7, "base"),
        (S3, "base"),
        (S3, "hand_2"),
        (S3, "hand_3"),
        (S2, "base"),
        (S1, "base"),
        (S1, "hand_2"),
    ]


@pytest.mark.rule("B-03", "B-04", "B-06")
def test_even_money_a_split_a_bust_and_a_surrender_at_one_table() -> None:
    guests = {
        S1: "even money",
        S2: "insurance, split, double, stand",
        S3: "no insurance, hit",
        S7: "insurance 2, surrender",
    }
    cards = "Ac 8c Tc 9c As Kd 8d 6d 7d 5h 3c Th 9s Qs 2s"
    played = play(cards, guests, surrender="late")
    assert played.lines == [
        "seat 1 base 10 returned, paid 1 to 1: Even money (B-03)",
        "seat 7 insurance 2 taken: No blackjack (B-03)",
        "seat 2 insurance 5 taken: No blackjack (B-03)",
        "seat 3 base 10 taken: Over 21 (B-04)",
        "seat 7 base 10 taken, paid 1 for 2: Surrender (B-04)",
        "seat 2 base 20 returned, paid 1 to 1: Higher total (B-06)",
        "seat 2 hand_2 10 taken: Lower total (B-06)",
    ]
    assert played.dealer == "As 5h 2s"
    assert [played.net(seat) for seat in guests] == [10, 5, -10, -7]


@pytest.mark.rule("B-06")
def test_the_settled_round_is_over_and_nothing_lies_on_the_table() -> None:
    played = play("8c As 8d 5h 3c Th 9s 2s", "insurance, split, double, stand")
    assert played.last.over and played.last.wagers == {} and played.last.carry == {}
    assert sum(s.amount for s in played.settlements) == 35


# What a clock that runs out chooses, what an incident stops, and what holds at the table.


@pytest.mark.rule("B-03", "B-04")
@pytest.mark.parametrize(
    ("cards", "choices", "first"),
    [
        ("Tc As 6d 5h", "", "no insurance"),
        ("Ac As Td 5h", "", "no insurance"),
        ("8c 6s 8d 5h", "", "stand"),
        ("8c 6s 8d 5h 8h", "split", "stand"),
        ("8c 6s 2d 5h 3h", "hit", "stand"),
        ("Ac 6s Ad 5h Ah", "split", "stand"),
    ],
)
def test_what_is_chosen_when_nobody_chooses_wagers_nothing(cards: str, choices: str, first: str) -> None:
    step = until(cards, choices, surrender="late", split_aces="resplit").next
    assert isinstance(step, Choose)
    assert (step.options[0].name, step.options[0].extra, step.options[0].then) == (first, None, None)


@pytest.mark.rule("B-03", "B-04")
def test_a_void_gives_back_every_wager_in_action_and_leaves_what_was_settled() -> None:
    guests = {S1: "insurance 3, split, double", S2: "even money", S3: "no insurance"}
    round = until("8c Ac Tc As 8d Kd 6d 3c Th 2h", guests, hole_card="none_takes_all")
    stopped = round.report(Incident("misdeal", "a card too many"))
    voided = stopped.after(Decide(Role.SUPERVISOR, "void"))
    assert voided.over and voided.wagers == {}
    assert {told(effect) for effect in voided.effects} == {
        "seat 1 base 20 returned, paid push: Void (F-17)",
        "seat 1 hand_2 10 returned, paid push: Void (F-17)",
        "seat 1 insurance 3 returned, paid push: Void (F-17)",
        "seat 3 base 10 returned, paid push: Void (F-17)",
    }


@pytest.mark.rule("B-04")
def test_an_incident_after_which_the_round_goes_on_changes_nothing() -> None:
    round = until("8c 6s 8d 5h 3c", "split")
    stopped = round.report(Incident("dispute"))
    assert stopped.after(Decide(Role.SUPERVISOR, "continue")).key == round.key


@pytest.mark.rule("B-01")
@pytest.mark.parametrize("hole_card", ["peek", "no_peek"])
def test_nobody_knows_the_hole_card_before_it_is_turned(hole_card: str) -> None:
    """F-14: whatever lies there, the round is the same until the card is turned."""
    told = []
    for hole in ("2h", "7c", "9s"):
        cards = iter(parse_cards(f"8c As 8d {hole} 3c Th 9s"))
        steps = list(going(started({S1: 10}, table(hole_card=hole_card)), cards, {S1: "insurance, split, double"}))
        assert HOLE_CARD in steps[-1][2].cards
        told.append([(step, answer, round.key, round.effects, round.unseen) for step, answer, round in steps])
    assert told[0] == told[1] == told[2]


def test_every_option_has_a_test_here_by_its_name() -> None:
    """A new option wants new tests."""
    assert (
        GAME.readings.keys()
        == ALLOWED.keys()
        == {
            *("soft_17", "blackjack_pays", "double", "double_after_split"),
            *("max_hands", "split_aces", "surrender", "hole_card"),
        }
    )
    assert {name: next(iter(GAME.definition.readings[name].values)) for name in ALLOWED} == GAME.readings


# The shoe.


def seated(**changes: Any) -> Sitting:
    settings = TableSettings("twenty-one", "Twenty-one", "blackjack", {"base": Limits(500, 30_000)}, **changes)
    sitting = Sitting(settings, "Tc 6s Td 5h Ts Jc 6d Jd 5c Js " * 5)
    sitting.join("ann", 1)
    return sitting


def play_one(sitting: Sitting) -> None:
    sitting.start()
    sitting.do("ann", cmd.Place("base", 500))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    sitting.do("ann", cmd.Choose("stand"))
    sitting.deal()
    sitting.end()


@pytest.mark.rule("B-07")
def test_a_card_is_burnt_after_the_shuffle_and_the_shoe_goes_on_until_the_cut_card() -> None:
    """At a tenth of six decks, 31.2 cards, it comes out after the first card of the seventh round, which goes on."""
    sitting = seated(shuffling="shoe", penetration=10)
    dealt: list[int] = []
    while not dealt or not sitting.table.needs_shuffle:
        play_one(sitting)
        dealt.append(sitting.table.dealt)
    assert dealt == [1 + 5 * rounds for rounds in range(1, 8)]


@pytest.mark.rule("B-07")
def test_a_shuffler_takes_every_rounds_cards_back() -> None:
    sitting = seated(shuffling="shuffler")
    assert sitting.table.needs_shuffle
    play_one(sitting)
    assert sitting.table.needs_shuffle


@pytest.mark.rule("B-03")
def test_at_a_table_insurance_for_half_of_an_odd_wager_is_in_whole_cents() -> None:
    """Half of 5.01 is 2.50 and half a cent, and insurance is for at most half: who just insures does so for 2.50."""
    sitting = seated()
    sitting.chance = ScriptedChance("Tc As 6d 9h", ())
    sitting.start()
    sitting.do("ann", cmd.Place("base", 501))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    sitting.do("ann", cmd.Choose("insurance"))
    assert sitting.table.wagers[S1, "insurance"] == 250
