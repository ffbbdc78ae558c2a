"""Bad input at a table of blackjack: refused in one clear sentence, and the round is what it was."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from feltworks.games.blackjack.rules import HOLE_CARD, UPCARD, Blackjack, card_of, situation
from feltworks.kit.cards import Card, CardSet, parse_cards
from feltworks.kit.errors import BadCard, BadValue, FeltworksError, NotAllowed, NotPossible, UnknownName
from feltworks.kit.manual_entry import READER_FAULT, entered
from feltworks.kit.steps import DEALT, HIDDEN, Close, Decide, Incident, Place, Read, Role, Step, TakeUp, Turn
from tests.games.blackjack.test_round import GAME, Choices, going, play, started, table, until
from tests.games.sitting import S1, S2, S3
from tests.kit.support import one_sentence, refused

Where = Callable[[], Blackjack]
SIX = "Tc 9c 6s 6d 9d 5h"
"""Seat 1 has ten and six, seat 2 two nines; the dealer shows a 6."""
ACE = "Tc 9c As 6d 9d 5h"
"""The same against an ace."""


def one(seat: Any, spot: str, amount: int | str = 1) -> Place:
    return Place(seat, spot, Fraction(amount))


# Where the table is when something wrong is said.


def nobody() -> Blackjack:
    """Seats 1 and 2 are there; seat 3 is not."""
    round = GAME.start((1, 2))
    assert isinstance(round, Blackjack)
    return round


def betting() -> Blackjack:
    """Seat 1 has a wager, seat 2 has none."""
    return nobody().after(one(S1, "base", 10))


def dealing() -> Blackjack:
    return betting().after(Close())


def asked(cards: str, *choices: str, **options: str) -> Where:
    """A seat is asked, when seats 1 and 2 have decided so much."""
    said: Choices = {S1: choices[0] if choices else "", S2: choices[1] if len(choices) > 1 else ""}
    return lambda: until(cards, said, **options)


def alone(cards: str, choices: str = "", **options: str) -> Where:
    """Seat 1, alone at the table, is asked."""
    return lambda: until(cards, choices, **options)


def waiting_at(kind: type[Step], cards: str, choices: str = "", **options: str) -> Where:
    """The last step of a kind that seat 1, alone at the table, lives to see."""

    def reached() -> Blackjack:
        steps = going(started({S1: 10}, table(**options)), iter(parse_cards(cards)), {S1: choices})
        *_, last = (round for _, _, round in steps if isinstance(round.next, kind))
        return last

    return reached


def over() -> Blackjack:
    return play("Tc 9c 6s 6d 9d 5h Td", {S1: "stand", S2: "stand"}).last


def stopped() -> Blackjack:
    round = until(SIX, {S1: "", S2: ""})
    return round.report(Incident("dispute"))


acting = asked(SIX)
insuring = asked(ACE)
says_hit, says_double, says_split = Decide(S1, "hit"), Decide(S1, "double"), Decide(S1, "split")
stand_or_hit = "(B-04); choose one of: stand, hit."

BAD: dict[str, tuple[Where, Any, type[FeltworksError], str]] = {
    # Wagers.
    "no wager at all": (nobody, Close(), NotAllowed, "No seat has a wager"),
    "a wager of nothing": (betting, one(S1, "base", 0), NotAllowed, "A wager of 0 is not allowed; place more than 0."),
    "a wager of less than nothing": (betting, one(S1, "base", -1), NotAllowed, "A wager of -1 is not allowed"),
    "a seat that is not there": (betting, one(S3, "base"), NotAllowed, "There is no seat 3 in this round"),
    "a second hand before the deal": (betting, one(S1, "hand_2"), NotAllowed, "No wager on 'hand_2' is taken now"),
    "insurance before the deal": (betting, one(S1, "insurance"), NotAllowed, "No wager on 'insurance' is taken now"),
    "a bonus of another game": (betting, one(S1, "in_between"), NotAllowed, "No wager on 'in_between' is taken now"),
    "a wager after the deal": (acting, one(S1, "base"), NotAllowed, "A decision is wanted: stand, hit, double."),
    "insurance as a wager": (insuring, one(S1, "insurance"), NotAllowed, "A decision is wanted: no insurance"),
    "taking up after the deal": (acting, TakeUp(S1, "base"), NotAllowed, "A decision is wanted"),
    "a decision while betting is open": (betting, says_hit, NotAllowed, "Betting is open"),
    # Whose turn it is.
    "a hit out of turn": (acting, Decide(S2, "hit"), NotAllowed, "It is not seat 2's turn"),
    "a hit after a stand": (asked(SIX, "stand"), says_hit, NotAllowed, "(B-04, B-06)."),
    "a double after a stand": (asked(SIX, "stand"), says_double, NotAllowed, "(B-04, B-06)."),
    "a hit after a double": (asked(f"{SIX} 2h", "double"), says_hit, NotAllowed, "(B-04, B-06)."),
    "a hit over 21": (asked(f"{SIX} Kh", "hit"), says_hit, NotAllowed, "(B-04, B-06)."),
    "a hit at 21": (asked(f"{SIX} 5c", "hit"), says_hit, NotAllowed, "(B-04, B-06)."),
    "a hit after a surrender": (asked(SIX, "surrender", surrender="late"), says_hit, NotAllowed, "(B-04, B-06)."),
    "a hit on a blackjack": (asked("Tc 9c 6s Ad 9d 5h"), says_hit, NotAllowed, "(B-04, B-06)."),
    "a hit on split aces": (asked("Ac 9c 6s Ad 9d 5h 2c 3c", "split"), says_hit, NotAllowed, "(B-04, B-06)."),
    "a hit while cards are dealt": (dealing, says_hit, NotAllowed, "It is not seat 1's turn"),
    "a hit when the round is over": (over, says_hit, NotAllowed, "It is not seat 1's turn"),
    "a hit while the round is stopped": (stopped, says_hit, NotAllowed, "It is not seat 1's turn"),
    "a seat that is not at the table": (acting, Decide(S3, "stand"), NotAllowed, "It is not seat 3's turn"),
    "the dealer for a seat": (acting, Decide(Role.DEALER, "stand"), NotAllowed, "It is the turn of seat 1."),
    # Hit and stand.
    "a hit instead of an answer on insurance": (
        insuring,
        says_hit,
        NotAllowed,
        "This hand takes no card now (B-04); choose one of: no insurance, insurance.",
    ),
    "a stand instead of an answer on insurance": (
        insuring,
        Decide(S1, "stand"),
        NotAllowed,
        "There is no hand to stand on now (B-04); choose one of: no insurance, insurance.",
    ),
    "a hit on a split ace that may be split again": (
        alone("Ac 6s Ad 5h Ah", "split", split_aces="resplit"),
        says_hit,
        NotAllowed,
        "This hand takes no card now (B-04); choose one of: stand, split.",
    ),
    "an option that there is not": (acting, Decide(S1, "fold"), NotAllowed, "'fold' is not possible now; choose one"),
    "an amount with a hit": (acting, Decide(S1, "hit", Fraction(5)), NotAllowed, "'hit' carries no wager"),
    # Double.
    "a double of three cards": (alone("4c 6s 2d 5h 3h", "hit"), says_double, NotAllowed, stand_or_hit),
    "a double of 12 where 9 to 11 are": (alone("7c 6s 5d 5h", double="9-11"), says_double, NotAllowed, stand_or_hit),
    "a double of 8 where 9 to 11 are": (alone("3c 6s 5d 5h", double="9-11"), says_double, NotAllowed, stand_or_hit),
    "a double of 9 where 10 and 11 are": (alone("4c 6s 5d 5h", double="10-11"), says_double, NotAllowed, stand_or_hit),
    "a double of soft 20": (alone("Ac 6s 9d 5h", double="9-11"), says_double, NotAllowed, stand_or_hit),
    "a double after a split": (
        alone("8c 6s 8d 5h 3h", "split", double_after_split="no"),
        says_double,
        NotAllowed,
        stand_or_hit,
    ),
    "a double of a split ace": (
        alone("Ac 6s Ad 5h Ah", "split", split_aces="resplit"),
        says_double,
        NotAllowed,
        "(B-04); choose one of: stand, split.",
    ),
    "a double for less": (acting, Decide(S1, "double", Fraction(5)), NotAllowed, "'double' wagers 10 here, not 5."),
    "a double for more": (acting, Decide(S1, "double", Fraction(20)), NotAllowed, "'double' wagers 10 here, not 20."),
    "a double for nothing": (acting, Decide(S1, "double", Fraction(0)), NotAllowed, "'double' wagers 10 here, not 0."),
    # Split.
    "a split of unequal values": (acting, says_split, NotAllowed, "Only two cards of equal value are split"),
    "a split of nine and ten": (alone("9c 6s Td 5h"), says_split, NotAllowed, "(B-04); choose one of: stand, hit"),
    "a split of three cards": (alone("2c 6s 2d 5h 2h", "hit"), says_split, NotAllowed, stand_or_hit),
    "a third hand where there are two": (
        alone("8c 6s 8d 5h 8h", "split", max_hands="2"),
        says_split,
        NotAllowed,
        "up to the posted number of hands (B-04); choose one of: stand, hit, double.",
    ),
    "a fifth hand": (
        alone("8c 6s 8d 5h 8h 8s 8c", "split, split, split"),
        says_split,
        NotAllowed,
        "up to the posted number of hands (B-04); choose one of: stand, hit, double.",
    ),
    "a second split of aces": (asked("Ac 9c 6s Ad 9d 5h Ah 3c", "split"), says_split, NotAllowed, "(B-04, B-06)."),
    "a split for less": (
        alone("8c 6s 8d 5h"),
        Decide(S1, "split", Fraction(5)),
        NotAllowed,
        "'split' wagers 10 here, not 5.",
    ),
    # Surrender.
    "a surrender where there is none": (
        acting,
        Decide(S1, "surrender"),
        NotAllowed,
        "Only the first two cards are surrendered, where the house has it (B-04); choose one of: stand, hit, double.",
    ),
    "a surrender of three cards": (
        alone("Tc 6s 2d 5h 2h", "hit", surrender="late"),
        Decide(S1, "surrender"),
        NotAllowed,
        stand_or_hit,
    ),
    "a surrender after a split": (
        alone("8c 6s 8d 5h 2h", "split", surrender="late"),
        Decide(S1, "surrender"),
        NotAllowed,
        "(B-04); choose one of: stand, hit, double.",
    ),
    "a surrender before the look": (
        asked(ACE, surrender="late"),
        Decide(S1, "surrender"),
        NotAllowed,
        "(B-04); choose one of: no insurance, insurance.",
    ),
    # Insurance and even money.
    "insurance without an ace": (
        acting,
        Decide(S1, "insurance"),
        NotAllowed,
        "Insurance is offered against an ace, before the dealer looks (B-03); choose one of: stand, hit, double.",
    ),
    "insurance against a ten": (alone("Tc Ks 6d 5h"), Decide(S1, "insurance"), NotAllowed, "(B-03)"),
    "insurance after the look": (
        asked(ACE, "no insurance", "no insurance"),
        Decide(S1, "insurance"),
        NotAllowed,
        "(B-03)",
    ),
    "insurance for more than half": (
        insuring,
        Decide(S1, "insurance", Fraction(51, 10)),
        NotAllowed,
        "'insurance' wagers 0 to 5 here, not 51/10.",
    ),
    "insurance for less than nothing": (
        insuring,
        Decide(S1, "insurance", Fraction(-1)),
        NotAllowed,
        "'insurance' wagers 0 to 5 here, not -1.",
    ),
    "insurance of another seat's turn": (acting, Decide(S2, "insurance"), NotAllowed, "(B-03)"),
    "insurance twice": (asked(ACE, "insurance 2"), Decide(S1, "insurance"), NotAllowed, "(B-03)"),
    "insurance when it was declined": (asked(ACE, "no insurance"), Decide(S1, "insurance"), NotAllowed, "(B-03)"),
    "insurance while the hole card is turned": (
        waiting_at(Turn, "Tc As 6d 9h", "no insurance, stand", hole_card="no_peek"),
        Decide(S1, "insurance"),
        NotAllowed,
        "(B-03)",
    ),
    "even money without a blackjack": (insuring, Decide(S1, "even money"), NotAllowed, "(B-03)"),
    "even money without an ace": (acting, Decide(S1, "even money"), NotAllowed, "(B-03)"),
    "even money of another seat's turn": (acting, Decide(S2, "even money"), NotAllowed, "(B-03)"),
    "even money where a blackjack pays 6 to 5": (
        alone("Ac As Td 5h", blackjack_pays="6/5"),
        Decide(S1, "even money"),
        NotAllowed,
        "Even money is for a blackjack against an ace that pays 3 to 2 (B-03); choose one of: no insurance, insurance.",
    ),
    "an amount of even money": (
        alone("Ac As Td 5h"),
        Decide(S1, "even money", Fraction(5)),
        NotAllowed,
        "'even money' carries no wager",
    ),
    # Cards.
    "a card while betting is open": (betting, Card("As"), NotAllowed, "Betting is open"),
    "a card instead of a deal": (dealing, Card("As"), NotAllowed, "answer it with DEALT"),
    "a deal instead of a decision": (acting, DEALT, NotAllowed, "A decision is wanted"),
    "a second close": (acting, Close(), NotAllowed, "A decision is wanted"),
    "a card instead of a look": (waiting_at(Read, "Tc Ks 6d 5h"), Card("5h"), NotAllowed, "say one of: ace, no ace."),
    "a look for a ten under a ten": (
        waiting_at(Read, "Tc Ks 6d 5h"),
        CardSet("ten", "TJQK"),
        NotAllowed,
        "hole card is read; say one of: ace, no ace.",
    ),
    "an ace that the look did not see": (
        waiting_at(Turn, "Tc Ks 6d 9h", "stand"),
        Card("Ah"),
        NotPossible,
        "Ah is not possible: hole card was read as no ace.",
    ),
    "a ten that the look did not see": (
        waiting_at(Turn, "Tc As 6d 9h", "no insurance, stand"),
        Card("Jh"),
        NotPossible,
        "Jh is not possible: hole card was read as no ten.",
    ),
    "a hole card that nobody saw": (waiting_at(Turn, "Tc Ks 6d 9h", "stand"), HIDDEN, NotAllowed, "is turned to all"),
    "a card without a suit": (waiting_at(Turn, "Tc Ks 6d 9h", "stand"), Card("9"), BadCard, "9 needs a suit here"),
    # While the supervisor is asked.
    "a deal while the round is stopped": (stopped, DEALT, NotAllowed, "A decision is wanted: continue, void."),
    "a void by the dealer": (stopped, Decide(Role.DEALER, "void"), NotAllowed, "It is the turn of the supervisor."),
    "a void by a seat": (stopped, Decide(S1, "void"), NotAllowed, "It is the turn of the supervisor."),
}


@pytest.mark.rule("B-01", "B-03", "B-04", "B-06")
@pytest.mark.parametrize(("where", "answer", "kind", "sentence"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_sentence_and_changes_nothing(
    where: Where, answer: Any, kind: type[FeltworksError], sentence: str
) -> None:
    assert sentence in refused(where(), answer, kind)


@pytest.mark.rule("B-03")
def test_a_seat_that_is_asked_about_even_money_after_the_others_is_refused_by_its_own_statement() -> None:
    """Seat 1 is asked about insurance; seat 2 will be asked about even money when it has answered."""
    said = refused(until("Tc Ac As 6d Kd 5h", {S1: "", S2: ""}), Decide(S2, "even money"), NotAllowed)
    assert "(B-03)" in said and "B-04" not in said


@pytest.mark.rule("B-04", "B-06")
def test_the_refusal_of_a_seat_out_of_turn_tells_so() -> None:
    assert refused(until(SIX, {S1: "stand", S2: ""}), says_hit, NotAllowed) == (
        "It is not seat 1's turn; hands are played one after the other (B-04, B-06)."
    )


@pytest.mark.rule("B-03")
def test_a_hole_card_that_the_look_denied_is_asked_for_again_and_then_stops_the_round() -> None:
    round = waiting_at(Turn, "Tc Ks 6d 9h", "stand")()
    says = iter([Card("Ah"), Card("9h")])
    assert entered(round, lambda step, why: next(says)) == round.after(Card("9h"))
    stopped = entered(round, lambda step, why: Card("Ah"))
    assert [effect.kind for effect in stopped.effects if isinstance(effect, Incident)] == [READER_FAULT]
    assert stopped.wagers == round.wagers
    assert stopped.cards[HOLE_CARD].card is None


@pytest.mark.parametrize("name", GAME.definition.readings)
def test_an_unknown_value_of_an_option_is_refused_by_its_statements(name: str) -> None:
    question = GAME.definition.readings[name]
    with pytest.raises(UnknownName) as refusal:
        GAME.configured(readings={name: "perhaps"})
    values, statements = ", ".join(question.values), ", ".join(question.rules)
    assert str(refusal.value) == f"There is no value of {name} 'perhaps'; choose one of: {values} ({statements})."


@pytest.mark.parametrize("seats", [(), (0,), (8,), (1, 1)], ids=str)
def test_seats_that_the_table_does_not_have_are_refused(seats: tuple[int, ...]) -> None:
    with pytest.raises(BadValue, match=r"^Blackjack has seats 1 to 7; name at least one, each once\.$"):
        GAME.start(seats)


@pytest.mark.rule("B-04")
@pytest.mark.parametrize(
    ("cards", "dealer", "kind", "sentence"),
    [
        ("T", "6", BadCard, "Give two cards or more, such as T6."),
        ("T6", "66", BadCard, "'66' is 2 cards; give one"),
        ("TX", "6", BadCard, "X"),
    ],
)
def test_a_question_about_a_hand_that_cannot_be_is_refused(
    cards: str, dealer: str, kind: type[FeltworksError], sentence: str
) -> None:
    with pytest.raises(kind) as refusal:
        situation(S1, cards, dealer=dealer)
    assert sentence in one_sentence(refusal.value)


@pytest.mark.rule("B-04")
def test_a_question_about_a_hand_is_a_place_in_the_round() -> None:
    asked_about = situation(S3, "T32", dealer="A")
    assert {str(token): card.text for token, card in asked_about.cards.items()} == {
        "seat 3 card 1": "T",
        "seat 3 card 2": "3",
        "seat 3 card 3": "2",
        "upcard": "A",
    }
    assert asked_about.decisions == ("hit",)
    assert situation(S1, "T6", dealer="T").cards == {
        card_of(S1, 1): Card("T"),
        card_of(S1, 2): Card("6"),
        UPCARD: Card("T"),
    }
