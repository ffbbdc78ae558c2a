"""A wrong answer is refused in one sentence that says what is allowed, and the round is what it was."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from feltworks.kit.cards import Card
from feltworks.kit.errors import BadCard, FeltworksError, NotAllowed, NotPossible
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, HIDDEN, Close, Collect, Decide, NoRoll, Role, TakeUp
from tests.kit.situations import (
    BAND_LARGE,
    bands_choose,
    bands_look,
    bands_read,
    bands_show,
    bands_show_own,
    come_out,
    doubling,
    few_cards,
    hole_card,
    insurance,
    line_bet,
    peek_bet,
    peek_deal,
    peek_over,
    peek_turn,
    peeking,
    point_is_4,
    rolling,
    stopped,
)
from tests.kit.support import ONE, SMALL, THREE, TWO, after_all, place, refused

REFUSED: dict[str, tuple[Callable[[], Round], Any, type[FeltworksError], str]] = {
    # Betting.
    "a wager of a seat that is not there": (
        come_out,
        place(THREE, "line"),
        NotAllowed,
        "There is no seat 3 in this round; the seats are 1, 2.",
    ),
    "an unknown spot": (
        come_out,
        place(ONE, "pass"),
        NotAllowed,
        "No wager on 'pass' is taken now; open are: line, pairs, seven.",
    ),
    "a spot that is open at other times": (
        point_is_4,
        place(ONE, "line"),
        NotAllowed,
        "No wager on 'line' is taken now; open are: seven.",
    ),
    "a wager taken up too late": (
        point_is_4,
        TakeUp(ONE, "line"),
        NotAllowed,
        "No wager on 'line' is taken now; open are: seven.",
    ),
    "nothing": (come_out, place(ONE, "line", 0), NotAllowed, "A wager of 0 is not allowed; place more than 0."),
    "less than nothing": (
        line_bet,
        place(ONE, "line", "-1/2"),
        NotAllowed,
        "A wager of -1/2 is not allowed; place more than 0.",
    ),
    "a wager without the one it needs": (
        come_out,
        place(ONE, "pairs"),
        NotAllowed,
        "Pairs needs Line; place that first.",
    ),
    "a wager that needs another seat's": (
        line_bet,
        place(TWO, "seven"),
        NotAllowed,
        "Any seven needs Line; place that first.",
    ),
    "taking up what is not there": (
        come_out,
        TakeUp(ONE, "line"),
        NotAllowed,
        "Seat 1 has nothing on Line to take up.",
    ),
    "taking up at a seat that is not there": (
        come_out,
        TakeUp(THREE, "line"),
        NotAllowed,
        "There is no seat 3 in this round; the seats are 1, 2.",
    ),
    "taking up what another wager needs": (
        lambda: line_bet().after(place(ONE, "pairs")),
        TakeUp(ONE, "line"),
        NotAllowed,
        "Pairs needs Line; take that up first.",
    ),
    "collecting where nothing lies": (
        line_bet,
        Collect(ONE, "line"),
        NotAllowed,
        "Seat 1 has no winnings lying on line; there is nothing to collect.",
    ),
    "closing before anybody wagers": (
        come_out,
        Close(),
        NotAllowed,
        "No seat has a wager; place one before the betting is closed.",
    ),
    # Cards.
    "a card that the pack has not": (
        peek_turn,
        Card("2c"),
        NotPossible,
        "2c is not possible: none is left in the shoe.",
    ),
    "a card that lies on the table": (
        lambda: after_all(peek_turn(), [Card("8c"), DEALT]),
        Card("8c"),
        NotPossible,
        "8c is not possible: none is left in the shoe.",
    ),
    "a card that a seat has seen": (
        bands_show,
        Card("3c"),
        NotPossible,
        "3c is not possible: none is left in the shoe.",
    ),
    "a card without a suit": (peek_turn, Card("8"), BadCard, "8 needs a suit here: 8c, 8d, 8h or 8s."),
    "hiding what is turned to all": (
        peek_turn,
        HIDDEN,
        NotAllowed,
        "seat 1 card is turned to all; say which card it is.",
    ),
    "a card that the peek has excluded": (
        hole_card,
        Card("Tc"),
        NotPossible,
        "Tc is not possible: hole card was read as no ten.",
    ),
    "a card outside its band": (
        bands_show,
        Card("7c"),
        NotPossible,
        "7c is not possible: dealer 1 was read as small.",
    ),
    "another card than the seat has seen": (
        bands_show_own,
        Card("4d"),
        NotPossible,
        "seat 1 card is 3c; it cannot be 4d.",
    ),
    "a band without a card left": (
        few_cards,
        SMALL,
        NotPossible,
        "dealer 2 cannot be small: no such card is left.",
    ),
    "a card that must be a sealed one": (
        lambda: few_cards().after(BAND_LARGE),
        Card("2c"),
        NotPossible,
        "2c is not possible: the cards still sealed need it.",
    ),
    "a set that is not asked for": (
        peeking,
        SMALL,
        NotAllowed,
        "hole card is read; say one of: ten, no ten.",
    ),
    # Dice.
    "a die too few": (rolling, (3,), NotAllowed, "2 dice are rolled; say what each shows."),
    "a die too many": (rolling, (3, 3, 3), NotAllowed, "2 dice are rolled; say what each shows."),
    "a die below 1": (rolling, (0, 6), NotPossible, "A die shows 1 to 6; 0, 6 is not possible."),
    "a die above 6": (rolling, (1, 7), NotPossible, "A die shows 1 to 6; 1, 7 is not possible."),
    "a die between its faces": (rolling, (1, 2.5), NotPossible, "A die shows 1 to 6; 1, 2.5 is not possible."),
    # Decisions.
    "a seat that does not play": (
        insurance,
        Decide(THREE, "decline"),
        NotAllowed,
        "It is the turn of seats 1, 2.",
    ),
    "a seat out of turn": (doubling, Decide(TWO, "stand"), NotAllowed, "It is the turn of seat 1."),
    "a role instead of a seat": (
        doubling,
        Decide(Role.SUPERVISOR, "stand"),
        NotAllowed,
        "It is the turn of seat 1.",
    ),
    "a seat instead of the supervisor": (
        stopped,
        Decide(ONE, "void"),
        NotAllowed,
        "It is the turn of the supervisor.",
    ),
    "the dealer instead of the supervisor": (
        stopped,
        Decide(Role.DEALER, "void"),
        NotAllowed,
        "It is the turn of the supervisor.",
    ),
    "what the supervisor may not": (
        stopped,
        Decide(Role.SUPERVISOR, "stop"),
        NotAllowed,
        "'stop' is not possible now; choose one of: continue, void.",
    ),
    "an unknown option": (
        doubling,
        Decide(ONE, "split"),
        NotAllowed,
        "'split' is not possible now; choose one of: stand, double.",
    ),
    "doubling for less": (
        doubling,
        Decide(ONE, "double", Fraction(1)),
        NotAllowed,
        "'double' wagers 2 here, not 1.",
    ),
    "doubling for nothing": (
        doubling,
        Decide(ONE, "double", Fraction(0)),
        NotAllowed,
        "'double' wagers 2 here, not 0.",
    ),
    "an amount on an option without a wager": (
        doubling,
        Decide(ONE, "stand", Fraction(2)),
        NotAllowed,
        "'stand' carries no wager; leave the amount out.",
    ),
    "an amount of the supervisor": (
        stopped,
        Decide(Role.SUPERVISOR, "continue", Fraction(1)),
        NotAllowed,
        "'continue' carries no wager; leave the amount out.",
    ),
    "too much insurance": (
        insurance,
        Decide(ONE, "insure", Fraction(2)),
        NotAllowed,
        "'insure' wagers 0 to 1 here, not 2.",
    ),
    "insurance below nothing": (
        insurance,
        Decide(TWO, "insure", Fraction(-1)),
        NotAllowed,
        "'insure' wagers 0 to 3/2 here, not -1.",
    ),
}


@pytest.mark.parametrize(("situation", "answer", "kind", "said"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_answer_is_told_what_is_allowed_and_changes_nothing(
    situation: Callable[[], Round], answer: Any, kind: type[FeltworksError], said: str
) -> None:
    assert refused(situation(), answer, kind) == said


KINDS_OF_ANSWER: dict[str, Any] = {
    "place": place(ONE, "bet"),
    "take up": TakeUp(ONE, "bet"),
    "collect": Collect(ONE, "bet"),
    "close": Close(),
    "dealt": DEALT,
    "card": Card("6c"),
    "hidden": HIDDEN,
    "set": SMALL,
    "dice": (3, 4),
    "no roll": NoRoll("off the table"),
    "decision": Decide(ONE, "fold"),
    "nothing": None,
    "text": "6c",
    "number": 5,
}
BETS = ("place", "take up", "collect", "close")
ASKED: list[tuple[str, Callable[[], Round], tuple[str, ...], str]] = [
    ("bet", peek_bet, BETS, "Betting is open: place, take up or collect wagers, or close the betting."),
    ("deal", peek_deal, ("dealt",), "The next step deals a card to seat 1; answer it with DEALT."),
    ("turn to all", peek_turn, ("card", "hidden"), "seat 1 card is turned; say which card it is."),
    ("turn to a seat", bands_look, ("card", "hidden"), "seat 1 card is turned; say which card it is."),
    ("read", bands_read, ("set",), "dealer 1 is read; say one of: small, large."),
    ("roll", rolling, ("dice", "no roll"), "2 dice are rolled; say what each shows."),
    ("choose", bands_choose, ("decision",), "A decision is wanted: fold, play."),
    ("supervisor", stopped, ("decision",), "A decision is wanted: continue, void."),
    ("over", peek_over, (), "The round is over; start the next one."),
]


@pytest.mark.parametrize(
    ("situation", "answer", "said"),
    [
        pytest.param(situation, answer, said, id=f"{kind} to {step}")
        for step, situation, taken, said in ASKED
        for kind, answer in KINDS_OF_ANSWER.items()
        if kind not in taken
    ],
)
def test_an_answer_of_another_kind_is_told_what_the_step_wants(
    situation: Callable[[], Round], answer: Any, said: str
) -> None:
    assert refused(situation(), answer, NotAllowed) == said
