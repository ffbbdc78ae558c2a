"""What the rules themselves say of hands and of why a wager was settled: no screen retells a rule."""

from fractions import Fraction
from itertools import pairwise

import pytest

from feltworks.games import load
from feltworks.games import names as games_of_the_package
from feltworks.kit.cards import Card, Token
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import Close, Decide, Place, Settlement
from tests.games.dicing import WASHINGTON, bet, dice, out, roll, with_point
from tests.games.sitting import S1, Guest, walked

BETWEEN, MONEY, DOWN_UNDER = load("in-between"), load("one-for-the-money"), load("down-under-holdem")
MATCH = MONEY.configured(version=list(MONEY.definition.versions)[1])


def reasons(game: Game, cards: str, guest: Guest) -> dict[str, str]:
    """Why each wager of the only guest was settled as it was."""
    rounds = [game.start([1]), *(after for _, _, after in walked(game, cards, {S1: guest}))]
    return {
        effect.spot: after.reason(effect, before)
        for before, after in pairwise(rounds)
        for effect in after.effects
        if isinstance(effect, Settlement)
    }


def known(round: Round) -> dict[Token, Card]:
    return {token: face.card for token, face in round.cards.items() if face.card is not None}


@pytest.mark.rule("I-03", "I-04")
@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("4h 3c Kd", "3 is not between 4 and K"),
        ("Kd 7c 4h", "7 is between 4 and K: all other spreads"),
        ("4h 6c 8d", "6 is between 4 and 8: three card spread"),
        ("9h Tc Jd", "10 is between 9 and J: one card spread"),
        ("4h 4c Kd", "4 is not between 4 and K"),
        ("7h 7c 7d", "three times 7: triple match"),
        ("9h 7c 9d", "nothing is between 9 and 9"),
    ],
)
def test_in_between_says_which_cards_decided_it(cards: str, why: str) -> None:
    told = reasons(BETWEEN, f"{cards} Tc 5d 6h 2c 3d", Guest({"base": 10, "in_between": 5}, [], idle=True))
    assert told["in_between"] == why


@pytest.mark.rule("B-02", "B-04", "B-06")
@pytest.mark.parametrize(
    ("cards", "choices", "why"),
    [
        ("Th 7c 8d Td", [], "18 against 17"),
        ("Th 9c 8d Td", [], "18 against 19"),
        ("Th 8c 8d Td", [], "18 against 18"),
        ("Th 6c 8d 9d Th", [], "18 against 25, over 21"),
        ("Th 6c 8d 9d Kc", ["hit"], "28, over 21 with the king of clubs"),
        ("Ah 6c Kd 9d", [], "a blackjack against a six"),
        ("Th Kc 8d Ad", [], "18 against a blackjack"),
    ],
)
def test_a_blackjack_wager_says_both_totals(cards: str, choices: list[str], why: str) -> None:
    assert reasons(BETWEEN, cards, Guest({"base": 10}, choices, idle=True))["base"] == why


@pytest.mark.rule("B-02")
@pytest.mark.parametrize(
    ("cards", "own", "dealer"),
    [
        ("Th 6c 6d", ("16", "16"), ("a six", "")),
        ("Ah 8c 6d", ("a soft 17", "7/17"), ("an eight", "")),
        ("Ah 6c Kd", ("a blackjack", "Blackjack"), ("a six", "")),
    ],
)
def test_a_hand_of_blackjack_is_told_by_its_total(cards: str, own: tuple[str, str], dealer: tuple[str, str]) -> None:
    rounds = [after for _, _, after in walked(BETWEEN, f"{cards} Td 5h 9c", {S1: Guest({"base": 10}, [], idle=True)})]
    dealt = next(after for after in rounds if len(known(after)) == 3)
    assert {hand.owner: (hand.words, hand.brief) for hand in dealt.told_hands(known(dealt))} == {S1: own, None: dealer}


@pytest.mark.rule("B-04")
def test_each_of_two_hands_is_told_by_its_own_total_and_neither_is_a_blackjack() -> None:
    guest = Guest({"base": 10}, ["split"], idle=True)
    last = walked(BETWEEN, "Ah 6c Ad Td Kh 3c 9d", {S1: guest})[-1][2]
    told = {(h.owner, h.number): (h.words, h.brief) for h in last.told_hands(known(last))}
    assert told == {(1, 1): ("21", "21"), (1, 2): ("a soft 14", "4/14"), (None, 1): ("25, over 21", "Over 21")}


@pytest.mark.rule("O-06")
@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("Qh 9c 2d", "queen beats nine"),
        ("9h Kc 2d", "nine loses to king"),
        ("9h 9c 2d", "nine ties nine"),
    ],
)
def test_one_for_the_money_says_both_cards(cards: str, why: str) -> None:
    told = reasons(MONEY, cards, Guest({"ante": 10, "three_card_bonus": 1}, ["check"]))
    assert told["ante"] == why


@pytest.mark.rule("O-07", "O-08")
@pytest.mark.parametrize(
    ("game", "spot", "cards", "why"),
    [
        (MONEY, "three_card_bonus", "Qh 9h 2h", "queen of hearts, nine of hearts and two of hearts make a flush"),
        (MONEY, "three_card_bonus", "Qh 9h 2c", "queen of hearts, nine of hearts and two of clubs make no hand"),
        (MONEY, "three_card_bonus", "Qh Qd 2c", "queen of hearts, queen of diamonds and two of clubs make only a pair"),
        (
            MONEY,
            "three_card_bonus",
            "Qh Qd Qc",
            "queen of hearts, queen of diamonds and queen of clubs make three of a kind",
        ),
        (MATCH, "perfect_match", "Qh Qd 2c", "the dealer's queen of diamonds matches the queen of hearts"),
        (MATCH, "perfect_match", "Qh Qh 2c", "the dealer has the queen of hearts too"),
        (MATCH, "perfect_match", "Qh Qd Qc", "three queens"),
        (MATCH, "perfect_match", "Qh Qh Qh", "three queens, all of one suit"),
        (MATCH, "perfect_match", "Qh 9h 2c", "queen matches neither nine nor two"),
    ],
)
def test_the_bonus_wagers_of_one_for_the_money_say_which_cards_decided_them(
    game: Game, spot: str, cards: str, why: str
) -> None:
    assert reasons(game, cards, Guest({"ante": 10, spot: 1}, ["check"]))[spot] == why


BETS = {"ante": 10, "bet": 10, "trips_or_better": 5, "match_the_dealer": 5}


@pytest.mark.rule("D-08", "D-11", "D-12")
def test_down_under_says_both_hands_and_what_the_bonus_wagers_saw() -> None:
    # Seat, dealer, seat, dealer; the flop, turn and river.
    told = reasons(DOWN_UNDER, "Kh 9c Kd 2d 9h 5c 7s 3h Jd", Guest(BETS, ["3x"]))
    assert told["ante"] == told["play"] == "a pair of kings beats a pair of nines"
    assert told["bet"] == "a pair of kings beats a pair of nines, but is below a straight"
    assert told["trips_or_better"] == "a pair of kings is below three of a kind"
    assert told["match_the_dealer"] == "K and K match neither 9 nor 2"


@pytest.mark.rule("D-08", "D-12")
@pytest.mark.parametrize(
    ("cards", "spot", "why"),
    [
        ("Kh 9c 8d 9d 9h 5c 7s 3h Jd", "ante", "king high loses to three of a kind, nines"),
        ("Kh Kc 8d Qd Ks 5c 7s 3h Jd", "ante", "a pair of kings loses to the same on the side cards"),
        ("2h 2c 3d 3s As Kc Qs Jh Td", "ante", "both have a straight, ace high"),
        ("Kh Kc 8d Qd 9h 5c 7s 3h Jd", "match_the_dealer", "K matches the dealer's"),
        ("Kh Kc Qh Qd 9h 5c 7s 3h Jd", "match_the_dealer", "K and Q match the dealer's"),
        ("Kh Kc Ks Qd 9h 5c 7s 3h Jd", "match_the_dealer", "three kings"),
        ("Kh Kc Ks Kd 9h 5c 7s 3h Jd", "match_the_dealer", "four kings"),
        ("9s 9c 8d Qd 9h 9d 7s 3h Jd", "trips_or_better", "three of a kind, nines"),
    ],
)
def test_down_under_says_what_decided_a_wager(cards: str, spot: str, why: str) -> None:
    assert reasons(DOWN_UNDER, cards, Guest(BETS, ["2x"]))[spot] == why


@pytest.mark.rule("D-14")
@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("3", "a pair of kings with the flop has no line"),
        ("1", "two pair, kings and sevens with the board has no line"),
    ],
)
def test_a_jackpot_that_looks_at_the_flop_says_so(option: str, why: str) -> None:
    game = DOWN_UNDER.configured(pay={"jackpot": option})
    told = reasons(game, "Kh 9c Kd 2d 9h 5c 7s 7h Jd", Guest({**BETS, "jackpot": 1}, ["3x"]))
    assert told["jackpot"] == why


@pytest.mark.rule("D-06", "D-09")
def test_who_folds_reads_that_the_wager_was_folded() -> None:
    told = reasons(DOWN_UNDER, "Kh 9c 8d 2d 9h 5c 7s 3h Jd", Guest({"ante": 10, "bet": 10}, ["check", "fold"]))
    assert told == {"ante": "folded", "bet": "folded"}


@pytest.mark.rule("D-08")
def test_hands_of_down_under_are_told_from_the_flop_on_to_whoever_knows_the_cards() -> None:
    rounds = [r for _, _, r in walked(DOWN_UNDER, "Kh 9c Kd 2d 9h 5c 7s 3h Jd", {S1: Guest(BETS, ["3x"])})]
    before_flop = next(r for r in rounds if len(known(r)) == 2)
    assert list(before_flop.told_hands(known(before_flop))) == []
    flop = next(r for r in rounds if len(known(r)) == 5)
    open_to_all = {token: card for token, card in known(flop).items() if token.owner is None}
    assert list(flop.told_hands(open_to_all)) == []
    assert [hand.words for hand in flop.told_hands(known(flop))] == ["a pair of kings"]
    last = rounds[-1]
    assert {h.owner: h.brief for h in last.told_hands(known(last))} == {None: "Pair of nines", S1: "Pair of kings"}
    assert all(len(hand.counts) == 5 for hand in last.told_hands(known(last)))


def rolled(round: Round, total: int, **shown: bool) -> dict[str, str]:
    before = out(round)
    after = before.after(dice(total, **shown))
    return {e.spot: after.reason(e, before) for e in after.effects if isinstance(e, Settlement)}


@pytest.mark.rule("Y-05", "Y-06", "Y-07", "Y-19")
@pytest.mark.parametrize(
    ("total", "pair", "why"),
    [
        (11, False, {"play": "11 before a point", "eleven": "the dice show 11", "craps": "11 is not 2, 3 or 12"}),
        (
            12,
            True,
            {"play": "12 before a point", "craps": "the dice show 12", "pairs": "6 and 6 are not among the pairs"},
        ),
        (8, True, {"high": "the dice show 8", "low": "8 is not 4, 5 or 6", "pairs": "4 and 4, a pair"}),
        (8, False, {"pairs": "3 and 5 are no pair", "eleven": "8 is not 11"}),
    ],
)
def test_yo_says_what_the_dice_showed(total: int, pair: bool, why: dict[str, str]) -> None:
    bets = dict.fromkeys(("play", "high", "low", "pairs", "eleven", "craps"), 10)
    told = rolled(bet(WASHINGTON.start([1]), {S1: bets}), total, pair=pair)
    assert why.items() <= told.items()


@pytest.mark.rule("Y-06", "Y-07", "Y-10", "Y-13", "Y-16", "Y-17")
def test_yo_says_which_point_was_made_or_lost() -> None:
    point = bet(with_point(WASHINGTON, 6, {S1: {"play": 10, "yo": 5}}), {S1: {"more": 10}})
    assert rolled(point, 6) == dict.fromkeys(("play", "more", "yo"), "the point 6 is made")
    assert rolled(point, 7) == dict.fromkeys(("play", "more", "yo"), "7 before the 6")
    assert rolled(point, 7, yo=True)["yo"] == "7 with a bonus eleven"
    assert rolled(point, 9, yo=True) == {"yo": "a bonus eleven and game dice 9"}
    assert rolled(point, 8, yo=True, pair=True) == {"yo": "a bonus eleven and a pair of fours"}


@pytest.mark.rule("Y-33")
@pytest.mark.parametrize(
    ("total", "pair", "call"),
    [
        (12, True, "Twelve, craps."),
        (3, False, "Three, craps."),
        (11, False, "Eleven."),
        (8, True, "Eight, a pair of fours."),
        (9, False, "Nine."),
    ],
)
def test_the_dealer_of_yo_calls_the_dice_in_words(total: int, pair: bool, call: str) -> None:
    after = roll(bet(WASHINGTON.start([1]), {S1: {"play": 10}}), total, pair=pair)
    assert next(effect.text for effect in after.effects if hasattr(effect, "text")) == call


def test_a_void_wager_says_so_in_every_game() -> None:
    round = MONEY.start([1]).after(Place(S1, "ante", Fraction(10))).after(Close())
    assert round.reason(round.push(S1, "ante", "Void", "F-17"), round) == "void"


def test_the_options_that_hand_on_the_dice_say_so_and_keep_their_names() -> None:
    round = bet(WASHINGTON.start([1, 2]), {S1: {"play": 10}, 2: {"play": 10}}).after(Close())  # type: ignore[dict-item]
    options = {option.name: option.title for option in round.next.options}  # type: ignore[union-attr]
    assert options["pass"] == "Pass the dice"
    again = roll(round, 6).after(Close())
    assert {option.name: option.title for option in again.next.options}["withdraw"] == "Withdraw"  # type: ignore[union-attr]
    assert isinstance(again.after(Decide(S1, "withdraw")), Round)


@pytest.mark.parametrize("name", games_of_the_package())
def test_every_game_of_the_package_tells_in_six_short_lines_how_to_play(name: str) -> None:
    lines = load(name).definition.how_to_play
    assert len(lines) == 6
    assert all(len(line) <= 120 and line.endswith(".") for line in lines)


def test_words_for_people_are_not_part_of_what_is_approved() -> None:
    game = load("yo")
    other = game.definition.model_copy(update={"how_to_play": ("Roll.",)})
    told = Game.standard(other, game.folder, game.round_class, game.bonuses, game.situation)
    assert told.fingerprint["definition"] == game.fingerprint["definition"]
