"""A folded hand (D-09): what it can still win by each setting of the house, and that it stays sealed if it cannot."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from feltworks.games.down_under_holdem.rules import DEALER, TURN_AND_RIVER, DownUnder, own
from feltworks.kit.cards import Card, Seat, Token
from feltworks.kit.game import Game
from feltworks.kit.round import DISCARD
from feltworks.kit.steps import HIDDEN, Answer, Choose, Decide, Move, Role, Settlement, Stake, Turn
from tests.games.down_under.test_round import GAME, SPOTS, Bets, bets, going, play, staged, started, until
from tests.games.sitting import S1, S2, S3, told

SETTINGS = ("qualifies", "forfeits")
FULL_HOUSE = staged("4c4d", "4h9s", "4sKdQhKc2d")
"""Trips or Better makes a full house, Match the Dealer three of a kind; the Jackpot by option 1 a full house, by the
others three of a kind."""
NOTHING = staged("2c7d", "AsKh", "4s9dJc3h8s")


def house(folded_bonus: str = "qualifies", folded_jackpot: str = "qualifies", jackpot: str = "1") -> Game:
    readings = {"folded_bonus": folded_bonus, "folded_jackpot": folded_jackpot}
    return GAME.configured(readings=readings, pay={"jackpot": jackpot})


def at_the_fold(game: Game, wagers: Bets) -> DownUnder:
    """Seat 1 has just folded."""
    return until(FULL_HOUSE, {S1: "check"}, {S1: wagers}, game).after(Decide(S1, "fold"))


# What the fold itself does.


@pytest.mark.rule("D-06", "D-09")
@pytest.mark.parametrize(
    "game", [house(*both) for both in product(SETTINGS, repeat=2)], ids=lambda game: str(game.other_readings)
)
def test_ante_and_bet_are_lost_at_the_fold_by_every_setting(game: Game) -> None:
    folded = at_the_fold(game, bets(trips_or_better=5, match_the_dealer=5, jackpot=1))
    lost = [effect for effect in folded.effects if isinstance(effect, Settlement)]
    assert [told(effect) for effect in lost[:2]] == [
        "seat 1 ante 10 taken: Fold (D-06)",
        "seat 1 bet 10 taken: Fold (D-06)",
    ]
    assert not any(spot in ("ante", "bet", "play") for _, spot in folded.wagers)


@pytest.mark.rule("D-09")
def test_where_a_folded_hand_qualifies_its_bonus_wagers_ride_on() -> None:
    folded = at_the_fold(house(), bets(trips_or_better=5, match_the_dealer=7))
    assert folded.wagers == {(S1, "trips_or_better"): 5, (S1, "match_the_dealer"): 7}
    assert {folded.cards[token].place for token in own(S1)} == {"seat 1, folded"}


@pytest.mark.rule("D-09")
def test_where_a_folded_hand_forfeits_its_bonus_wagers_are_lost_with_the_fold() -> None:
    folded = at_the_fold(house("forfeits"), bets(trips_or_better=5, match_the_dealer=7))
    assert [told(effect) for effect in folded.effects] == [
        "seat 1 ante 10 taken: Fold (D-06)",
        "seat 1 bet 10 taken: Fold (D-06)",
        "seat 1 trips_or_better 5 taken: Fold (D-09)",
        "seat 1 match_the_dealer 7 taken: Fold (D-09)",
        f"move seat 1 card 1 to {DISCARD}",
        f"move seat 1 card 2 to {DISCARD}",
    ]
    assert folded.over


# What it wins in the end.

WON = {"trips_or_better": Fraction(9 * 5), "match_the_dealer": Fraction(25 * 7)}
JACKPOTS = {"1": Fraction(10 * 2 - 2), "2": Fraction(9 * 2 - 2), "3": Fraction(9 * 2 - 2)}


@pytest.mark.rule("D-09", "D-11", "D-12", "D-14")
@pytest.mark.parametrize("option", JACKPOTS)
@pytest.mark.parametrize(("bonus", "jackpot"), product(SETTINGS, repeat=2))
def test_each_setting_decides_about_its_own_wagers(bonus: str, jackpot: str, option: str) -> None:
    wagers = bets(trips_or_better=5, match_the_dealer=7, jackpot=2)
    net = play(FULL_HOUSE, "check, fold", wagers, house(bonus, jackpot, option)).net()
    assert net == {
        "ante": -10,
        "bet": -10,
        **(WON if bonus == "qualifies" else {"trips_or_better": -5, "match_the_dealer": -7}),
        "jackpot": JACKPOTS[option] if jackpot == "qualifies" else -2,
    }


@pytest.mark.rule("D-09", "D-11", "D-12", "D-14")
@pytest.mark.parametrize("option", JACKPOTS)
@pytest.mark.parametrize(("bonus", "jackpot"), product(SETTINGS, repeat=2))
def test_a_hand_that_was_not_folded_does_not_ask_for_the_settings(bonus: str, jackpot: str, option: str) -> None:
    wagers = bets(trips_or_better=5, match_the_dealer=7, jackpot=2)
    net = play(FULL_HOUSE, "check, 1x", wagers, house(bonus, jackpot, option)).net()
    assert {spot: net[spot] for spot in SPOTS[3:]} == {**WON, "jackpot": JACKPOTS[option]}


@pytest.mark.rule("D-09")
def test_a_folded_hand_that_qualifies_may_lose_as_well() -> None:
    played = play(NOTHING, "check, fold", bets(trips_or_better=5, match_the_dealer=7, jackpot=2), house())
    assert played.net() == {"ante": -10, "bet": -10, "trips_or_better": -5, "match_the_dealer": -7, "jackpot": -2}
    assert [played.of()[spot].line for spot in SPOTS[3:]] == ["No three of a kind", "No match", "No line"]


# What is played out, and what stays sealed.

RIDING: dict[str, tuple[Bets, str, str, bool]] = {
    "no other wager": (bets(), "qualifies", "qualifies", False),
    "trips": (bets(trips_or_better=5), "qualifies", "forfeits", True),
    "match": (bets(match_the_dealer=5), "qualifies", "forfeits", True),
    "the jackpot": (bets(jackpot=1), "forfeits", "qualifies", True),
    "trips, forfeited": (bets(trips_or_better=5), "forfeits", "qualifies", False),
    "match, forfeited": (bets(match_the_dealer=5), "forfeits", "qualifies", False),
    "the jackpot, forfeited": (bets(jackpot=1), "qualifies", "forfeits", False),
    "trips beside a forfeited jackpot": (bets(trips_or_better=5, jackpot=1), "qualifies", "forfeits", True),
    "the jackpot beside a forfeited match": (bets(match_the_dealer=5, jackpot=1), "forfeits", "qualifies", True),
    "everything, forfeited": (bets(trips_or_better=5, match_the_dealer=5, jackpot=1), "forfeits", "forfeits", False),
}


@pytest.mark.rule("D-07", "D-09")
@pytest.mark.parametrize(("wagers", "bonus", "jackpot", "rides"), RIDING.values(), ids=RIDING)
def test_when_all_have_folded_the_hand_is_played_out_only_for_what_can_still_win(
    wagers: Bets, bonus: str, jackpot: str, rides: bool
) -> None:
    played = play(FULL_HOUSE, "check, fold", wagers, house(bonus, jackpot))
    assert played.turned(*DEALER) == played.turned(*TURN_AND_RIVER) == rides
    assert played.turned(*own(S1)) == rides
    assert all((token in played.last.cards) == rides for token in TURN_AND_RIVER)
    assert all(played.last.cards[token].place == ("seat 1, folded" if rides else DISCARD) for token in own(S1))
    assert set(played.of()) == set(wagers)


@pytest.mark.rule("D-09")
@pytest.mark.parametrize(("wagers", "bonus", "jackpot", "rides"), RIDING.values(), ids=RIDING)
def test_beside_a_seat_that_plays_a_folded_hand_is_turned_only_if_it_can_win(
    wagers: Bets, bonus: str, jackpot: str, rides: bool
) -> None:
    cards = staged({S1: "4c4d", S2: "AsAh", S3: "JcTc"}, "4h9s", "4sKdQhKc2d")
    everybody = {S1: wagers, S2: bets(jackpot=wagers.get("jackpot", 1)), S3: bets()}
    played = play(cards, {S1: "check, fold", S2: "3x", S3: "check, fold"}, everybody, house(bonus, jackpot))
    assert played.turned(*DEALER) and played.turned(*own(S2))
    assert played.turned(*own(S1)) == rides
    assert not played.turned(*own(S3))


@pytest.mark.rule("D-09")
@pytest.mark.parametrize("folding", product([True, False], repeat=3), ids=str)
def test_a_folded_hand_without_another_wager_is_never_turned_to_anybody_else(folding: tuple[bool, ...]) -> None:
    seats = (S1, S2, S3)
    cards = staged({S1: "4c4d", S2: "AsAh", S3: "JcTc"}, "4h9s", "4sKdQhKc2d")
    choices = {seat: "check, fold" if folds else "check, 1x" for seat, folds in zip(seats, folding, strict=True)}
    played = play(cards, choices)
    for seat, folds in zip(seats, folding, strict=True):
        assert played.turned(*own(seat)) == (not folds)
        assert all(played.last.cards[token].seen_by == {seat} for token in own(seat))


def public(answers: list[Answer], game: Game, wagers: Bets) -> list[DownUnder]:
    """The round as somebody sees it who stands beside the table."""
    rounds = [started({S1: wagers}, game)]
    for answer in answers:
        step = rounds[-1].next
        hidden = isinstance(step, Turn) and isinstance(step.to, int)
        rounds.append(rounds[-1].after(HIDDEN if hidden else answer))
    return rounds


@pytest.mark.rule("D-09")
@pytest.mark.parametrize(("bonus", "jackpot"), product(SETTINGS, repeat=2))
def test_in_public_a_sealed_folded_hand_has_no_cards_in_the_end(bonus: str, jackpot: str) -> None:
    game = house(bonus, jackpot)
    played = play(FULL_HOUSE, "check, fold", bets(), game)
    last = public([answer for _, answer, _ in played.steps], game, bets())[-1]
    assert last.over
    assert [last.cards[token].card for token in own(S1)] == [None, None]
    assert last.unseen is not None and last.unseen.total == 52 - 3


@pytest.mark.rule("D-09")
def test_which_cards_were_folded_changes_nothing_that_others_see() -> None:
    """Two rounds that differ in the folded cards alone look the same to everybody else, to the end."""
    ends = []
    for folded in ("4c4d", "2cKd"):
        cards = staged({S1: folded, S2: "AsAh"}, "4h9s", "4sQdQhKc2d")
        told_of = {S1: "check, fold", S2: "3x"}
        rounds = [
            (step, seen_by_others(round)) for step, _, round in going(started({S1: bets(), S2: bets()}), cards, told_of)
        ]
        ends.append(rounds)
    assert ends[0] == ends[1]


def seen_by_others(round: DownUnder) -> DownUnder:
    """The round without what only seat 1 has seen."""
    cards = {token: replace(f, card=None) if token in own(S1) else f for token, f in round.cards.items()}
    unseen = round.unseen
    assert unseen is not None
    for token in own(S1):
        card = round.cards[token].card if token in round.cards else None
        unseen = unseen.plus(card) if card is not None else unseen
    return replace(round, cards=cards, unseen=unseen)


# The Jackpot of a folded hand.

STRAIGHT_FLUSH = {S1: "8s9s", S2: "2c7d", S3: "AhAd"}


def envied(folded_jackpot: str, mine: Bets, folded_bonus: str = "qualifies") -> list[list[Settlement]]:
    """Seat 1 folds a flopped straight flush; what seats 2 and 3, who play on, are paid as envy."""
    cards = staged(STRAIGHT_FLUSH, "3h3d", "5s6s7sKdKc")
    wagers = {S1: mine, S2: bets(jackpot=1), S3: bets(jackpot=1)}
    game = house(folded_bonus, folded_jackpot, "3")
    played = play(cards, {S1: "check, fold", S2: "3x", S3: "3x"}, wagers, game)
    return [played.envy(seat) for seat in (S2, S3)]


@pytest.mark.rule("D-09", "D-17")
def test_a_folded_straight_flush_that_qualifies_gives_the_others_envy() -> None:
    for paid in envied("qualifies", bets(jackpot=1)):
        assert [(s.line, str(s.pay), s.rule) for s in paid] == [("Envy, straight flush of seat 1", "$300", "D-17")]


@pytest.mark.rule("D-09", "D-17")
@pytest.mark.parametrize("folded_bonus", SETTINGS)
def test_a_forfeited_straight_flush_gives_nobody_envy(folded_bonus: str) -> None:
    assert envied("forfeits", bets(jackpot=1), folded_bonus) == [[], []]


@pytest.mark.rule("D-09", "D-17")
@pytest.mark.parametrize("bonus", ["trips_or_better", "match_the_dealer"])
@pytest.mark.parametrize(
    "folded_bonus",
    ["qualifies", "forfeits"],
)
def test_a_forfeited_straight_flush_gives_nobody_envy_though_a_bonus_wager_rides(folded_bonus: str, bonus: str) -> None:
    assert envied("forfeits", bets(jackpot=1, **{bonus: 5}), folded_bonus) == [[], []]


@pytest.mark.rule("D-09", "D-17")
@pytest.mark.parametrize("folded_jackpot", SETTINGS)
@pytest.mark.parametrize("mine", [{}, {"trips_or_better": 5}], ids=str)
def test_a_seat_that_folded_is_paid_envy_for_the_hand_of_another(folded_jackpot: str, mine: dict[str, int]) -> None:
    """Even where its own hand forfeits: the document gives envy to whoever made the wager."""
    cards = staged({S1: "2c7d", S2: "8s9s"}, "3h3d", "5s6s7sKdKc")
    wagers = {S1: bets(jackpot=1, **mine), S2: bets(jackpot=1)}
    played = play(cards, {S1: "check, fold", S2: "3x"}, wagers, house("qualifies", folded_jackpot, "3"))
    assert [(s.line, s.stake) for s in played.envy(S1)] == [("Envy, straight flush of seat 2", Stake.STAYS)]
    lost = played.of(S1)["jackpot"]
    expected = ("No line", "D-14") if folded_jackpot == "qualifies" else ("Fold", "D-09")
    assert (lost.line, lost.rule, lost.stake) == (*expected, Stake.TAKEN)
    order = [(s.seat, s.stake) for s in played.settlements if s.spot == "jackpot"]
    assert order == [(S2, Stake.TAKEN), (S1, Stake.STAYS), (S1, Stake.TAKEN)]


@pytest.mark.rule("D-09", "D-17")
def test_two_folded_hands_that_qualify_give_each_other_envy() -> None:
    cards = staged({S1: "8s9s", S2: "3s4s"}, "3h3d", "5s6s7sKdKc")
    played = play(cards, dict.fromkeys((S1, S2), "check, fold"), bets(jackpot=1), house(jackpot="3"))
    assert [s.line for s in played.envy(S1)] == ["Envy, straight flush of seat 2"]
    assert [s.line for s in played.envy(S2)] == ["Envy, straight flush of seat 1"]
    both = play(cards, dict.fromkeys((S1, S2), "check, fold"), bets(jackpot=1), house("qualifies", "forfeits", "3"))
    assert both.envy(S1) == both.envy(S2) == []
    assert not both.turned(*DEALER, *own(S1), *own(S2))


@pytest.mark.rule("D-09", "D-18")
@pytest.mark.parametrize("folded_jackpot", SETTINGS)
def test_a_folded_royal_flush_wins_the_meter_only_where_it_qualifies(folded_jackpot: str) -> None:
    cards = staged("AsKs", "3h3d", "TsJsQs7d7c")
    played = play(cards, "check, fold", bets(jackpot=1), house("qualifies", folded_jackpot))
    asked = [step.who for step, *_ in played.steps if isinstance(step, Choose) and isinstance(step.who, Role)]
    settled = played.of()["jackpot"]
    if folded_jackpot == "qualifies":
        assert asked == [Role.DEALER, Role.DEALER, Role.SUPERVISOR]
        assert settled.line == "Player flops royal flush"
    else:
        assert asked == [Role.DEALER]
        assert (settled.line, settled.pay) == ("Fold", None)


@pytest.mark.rule("D-09")
def test_folded_cards_are_moved_once_and_by_the_seat_that_folds() -> None:
    cards = staged({Seat(4): "4c4d", Seat(5): "AsAh"}, "4h9s", "4sKdQhKc2d")
    played = play(cards, {Seat(4): "check, fold", Seat(5): "check, fold"}, {Seat(4): bets(), Seat(5): bets(jackpot=1)})
    moves = [move for move in played.effects if isinstance(move, Move) and isinstance(move.what, Token)]
    assert [move for move in moves if move.what not in DEALER] == [
        *(Move(token, DISCARD) for token in own(Seat(4))),
        *(Move(token, "seat 5, folded") for token in own(Seat(5))),
    ]
    assert played.last.card(own(Seat(5))[0]) is Card("As")
