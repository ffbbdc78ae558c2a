"""One For The Money as document 004 has it: how it is dealt, acted, turned, settled and paid."""

import datetime
from collections.abc import Iterator
from fractions import Fraction

import pytest

from feltworks.games import load
from feltworks.games.one_for_the_money.rules import DEALER, own, replacement, situation
from feltworks.kit.cards import Card
from feltworks.kit.errors import NotAllowed, NotPossible, UnknownName
from feltworks.kit.game import Game, Situation
from feltworks.kit.round import DISCARD, Round
from feltworks.kit.steps import (
    DEALT,
    Bet,
    Choose,
    Close,
    Deal,
    Decide,
    Place,
    Stake,
    TakeUp,
    Turn,
)
from tests.games.sitting import S1, S2, S3, S7, Guest, betting_closed, settled, settlements, story, walked

GAME = load("one-for-the-money")
PERFECT_MATCH = GAME.configured(version="perfect-match")
BACK = GAME.configured(readings={"traded_card": "back"})
BASE = ("ante", "raise", "trade")


def about_to_act(game: Game, card: str, **bets: int) -> Round:
    """Seat 1 has this card, the dealer's two lie face down."""
    round = betting_closed(game, {S1: {"ante": 1, **bets}})
    return round.after(DEALT).after(Card(card)).after(DEALT).after(DEALT)


def about_to_show(game: Game, card: str, *choices: str, bets: dict[str, int] | None = None) -> Round:
    """The same when seat 1 has acted: without a trade."""
    round = about_to_act(game, card, **(bets or {}))
    for choice in choices:
        round = round.after(Decide(S1, choice))
    return round


# What it is played with.


@pytest.mark.rule("O-01")
@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize("version", ["three-card-bonus", "perfect-match"])
def test_six_and_eight_decks_are_as_approved(version: str, decks: int) -> None:
    game = GAME.configured(version=version, decks=decks)
    assert game.differences == ()
    assert game.standing == "as approved"


@pytest.mark.rule("O-01")
@pytest.mark.parametrize("decks", [1, 2, 3, 4, 5, 7])
def test_any_other_number_of_decks_is_modified(decks: int) -> None:
    game = GAME.configured(decks=decks)
    assert game.differences == (f"{decks} {'deck' if decks == 1 else 'decks'} instead of 6, 8",)
    assert game.standing == "modified: not as approved"


@pytest.mark.rule("O-01")
@pytest.mark.parametrize("decks", [6, 8])
def test_the_pack_is_whole_decks_of_52_cards(decks: int) -> None:
    unseen = GAME.configured(decks=decks).fresh()
    assert unseen is not None
    assert unseen.counts == (decks,) * 52


@pytest.mark.rule("O-01")
def test_the_definition_recommends_how_deep_a_shoe_is_dealt() -> None:
    pack, approval = GAME.definition.pack, GAME.definition.approval
    assert pack is not None and approval is not None
    assert GAME.decks == 6
    assert pack.approved_decks == (6, 8)
    assert pack.deepest_penetration == 0.9
    assert "A continuous shuffler is preferred; from a shoe at most 90 % penetration is recommended." in approval.notes


def test_the_approval_is_that_of_the_letter() -> None:
    approval = GAME.definition.approval
    assert approval is not None
    assert approval.authority == "Washington State Gambling Commission"
    assert (approval.document, approval.submission) == ("004", "")
    assert approval.approved == datetime.date(2014, 2, 18)
    assert approval.venues == ("card room", "tribal casino")
    assert approval.conditions["card room"] == (
        "Played under the enclosed rules of play.",
        "The card room's internal controls for the game are approved by the commission first.",
        "Makers and distributors of layouts and equipment are licensed by the state before they sell.",
    )
    assert approval.conditions["tribal casino"] == (
        "Played under the enclosed rules of play.",
        "The tribal gaming agency has approved the game.",
        "The commission has concurred.",
        "The submission holds the supplement that compact Appendix A, Section 18 asks for.",
        "Makers and distributors are certified by the state and licensed by the tribe before they sell.",
    )
    assert set(approval.conditions) == {"card room", "tribal casino"}
    assert approval.ask_first == (
        "Before any modification ask the Washington State Gambling Commission.",
        "Document 004: any modification may affect the approval; contact the commission before it is made.",
        "Document 004: the commission is reviewing the game for new substantial interest holders, and that review is"
        " open.",
    )


def test_another_reading_stays_approved_and_is_named() -> None:
    game = GAME.configured(readings={"traded_card": "back", "ace_low_straight": "no"})
    assert GAME.readings == {"traded_card": "out", "ace_low_straight": "yes"}
    assert game.standing == "as approved, with other readings"
    assert game.other_readings == {"traded_card": "back", "ace_low_straight": "no"}


def test_other_odds_are_modified() -> None:
    game = GAME.configured(pay={"three_card_bonus": "40,30,10,6"})
    assert game.differences == ("3 Card Bonus: Flush pays 6 to 1 instead of 5 to 1",)
    assert game.standing == "modified: not as approved"


# Wagers.


@pytest.mark.rule("O-02")
def test_a_seat_needs_an_ante_to_be_in_the_round() -> None:
    with pytest.raises(NotAllowed, match="No seat has a wager"):
        GAME.start().after(Close())


@pytest.mark.rule("O-02")
@pytest.mark.parametrize(("game", "bonus"), [(GAME, "three_card_bonus"), (PERFECT_MATCH, "perfect_match")])
def test_a_bonus_wager_needs_the_seats_own_ante(game: Game, bonus: str) -> None:
    round = game.start([1, 2]).after(Place(S2, "ante", Fraction(5)))
    with pytest.raises(NotAllowed, match="needs Ante; place that first"):
        round.after(Place(S1, bonus, Fraction(5)))
    both = round.after(Place(S2, bonus, Fraction(5)))
    with pytest.raises(NotAllowed, match="needs Ante; take that up first"):
        both.after(TakeUp(S2, "ante"))


@pytest.mark.rule("O-02")
@pytest.mark.parametrize(("game", "bonus"), [(GAME, "three_card_bonus"), (PERFECT_MATCH, "perfect_match")])
@pytest.mark.parametrize("amount", [0, 1, 10, 250])
def test_a_bonus_wager_is_free_and_of_any_size(game: Game, bonus: str, amount: int) -> None:
    bets = {"ante": 10, bonus: amount} if amount else {"ante": 10}
    round = betting_closed(game, {S1: bets})
    assert round.wagers == {(S1, spot): amount for spot, amount in bets.items()}
    assert game.wager("base").required and not game.wager(bonus).required


@pytest.mark.rule("O-02")
@pytest.mark.parametrize(
    ("game", "own_bonus", "other"),
    [(GAME, "three_card_bonus", "perfect_match"), (PERFECT_MATCH, "perfect_match", "three_card_bonus")],
)
def test_a_version_offers_its_own_bonus_and_no_other(game: Game, own_bonus: str, other: str) -> None:
    assert list(game.wagers) == ["base", own_bonus]
    assert game.start().next == Bet("open", ("ante", own_bonus))
    with pytest.raises(NotAllowed, match=f"No wager on '{other}' is taken now; open are: ante, {own_bonus}."):
        game.start().after(Place(S1, "ante", Fraction(1))).after(Place(S1, other, Fraction(1)))
    with pytest.raises(UnknownName):
        game.wager(other)


@pytest.mark.rule("O-02")
def test_the_version_with_3_card_bonus_is_the_usual_one() -> None:
    assert GAME.version_name == "three-card-bonus"
    assert list(GAME.definition.versions) == ["three-card-bonus", "perfect-match"]


@pytest.mark.rule("O-02", "O-10")
@pytest.mark.parametrize("spot", ["raise", "trade"])
def test_raise_and_trade_are_not_made_before_the_deal(spot: str) -> None:
    with pytest.raises(NotAllowed, match=f"No wager on '{spot}' is taken now"):
        GAME.start().after(Place(S1, "ante", Fraction(1))).after(Place(S1, spot, Fraction(1)))


# The deal.


@pytest.mark.rule("O-03")
def test_each_seat_with_an_ante_gets_a_card_face_up_and_the_dealer_two_face_down() -> None:
    guests = {
        S1: Guest({"ante": 5}, ["check"]),
        S2: Guest({}),
        S3: Guest({"ante": 5}, ["check"]),
        S7: Guest({"ante": 5}, ["check"]),
    }
    told = story(GAME, "2c 3d 4h 5s 6c", guests)
    closing = told.index("betting closes")
    assert told[: closing + 1] == [
        "say Place your bets.",
        "seat 1 puts 5 on ante",
        "seat 3 puts 5 on ante",
        "seat 7 puts 5 on ante",
        "betting closes",
    ]
    assert told[closing + 1 : closing + 10] == [
        "say No more bets.",
        "deal seat 1 card to seat 1",
        "turn seat 1 card to all: 2c",
        "deal seat 3 card to seat 3",
        "turn seat 3 card to all: 3d",
        "deal seat 7 card to seat 7",
        "turn seat 7 card to all: 4h",
        "deal dealer 1 to dealer",
        "deal dealer 2 to dealer",
    ]
    assert "seat 1 may" in told[closing + 10]


@pytest.mark.rule("O-03", "O-05")
def test_the_dealers_cards_are_unknown_while_seats_act() -> None:
    round = about_to_act(GAME, "7h")
    assert [round.cards[token].card for token in DEALER] == [None, None]
    assert round.unseen is not None and round.unseen.total == 6 * 52 - 1


# The seats act.


@pytest.mark.rule("O-04")
def test_a_seat_checks_raises_or_trades() -> None:
    step = about_to_act(GAME, "7h").next
    assert isinstance(step, Choose)
    assert step.who == frozenset({S1})
    assert [option.name for option in step.options] == ["check", "raise", "trade"]


@pytest.mark.rule("O-04")
@pytest.mark.parametrize(
    ("choice", "wagers"),
    [
        ("check", {"ante": 20}),
        ("raise", {"ante": 20, "raise": 20}),
        ("trade", {"ante": 20, "trade": 20}),
    ],
)
def test_a_raise_and_a_trade_are_each_as_large_as_the_ante(choice: str, wagers: dict[str, int]) -> None:
    round = about_to_act(GAME, "7h", ante=20).after(Decide(S1, choice))
    assert round.wagers == {(S1, spot): amount for spot, amount in wagers.items()}


@pytest.mark.rule("O-04")
@pytest.mark.parametrize(
    ("choice", "wagers"),
    [
        ("stand", {"ante": 20, "trade": 20}),
        ("raise", {"ante": 20, "trade": 20, "raise": 20}),
    ],
)
def test_after_a_trade_the_seat_stands_or_raises(choice: str, wagers: dict[str, int]) -> None:
    round = about_to_act(GAME, "7h", ante=20).after(Decide(S1, "trade")).after(DEALT).after(Card("Kd"))
    step = round.next
    assert isinstance(step, Choose)
    assert [option.name for option in step.options] == ["stand", "raise"]
    assert step.who == frozenset({S1})
    round = round.after(Decide(S1, choice))
    assert round.wagers == {(S1, spot): amount for spot, amount in wagers.items()}
    assert round.next == Turn(DEALER[0])


@pytest.mark.rule("O-04")
@pytest.mark.parametrize("choice", ["trade", "check"])
def test_a_seat_trades_only_once(choice: str) -> None:
    round = about_to_act(GAME, "7h").after(Decide(S1, "trade")).after(DEALT).after(Card("Kd"))
    with pytest.raises(NotAllowed, match=f"'{choice}' is not possible now; choose one of: stand, raise."):
        round.after(Decide(S1, choice))


@pytest.mark.rule("O-04")
@pytest.mark.parametrize("game", [GAME, BACK])
def test_a_traded_card_is_removed_before_the_next_one_is_dealt(game: Game) -> None:
    place = game.reading("traded_card").replace("out", "discard").replace("back", "shuffler")
    told = story(game, "4c 9d 9h Qs", {S1: Guest({"ante": 5}, ["trade", "stand"])})
    at = told.index("seat 1 may check, raise, trade: trade")
    assert told[at + 1 : at + 5] == [
        f"move seat 1 card to {place}",
        "deal seat 1 replacement to seat 1",
        "turn seat 1 replacement to all: Qs",
        "seat 1 may stand, raise: stand",
    ]


@pytest.mark.rule("O-04")
def test_a_traded_card_stays_out_until_the_round_ends() -> None:
    one_deck = GAME.configured(decks=1)
    before = about_to_act(one_deck, "4c")
    traded = before.after(Decide(S1, "trade"))
    assert traded.cards[own(S1)].place == DISCARD
    assert traded.unseen is not None
    assert traded.unseen == before.unseen
    assert (traded.unseen.count(Card("4c")), traded.unseen.total) == (0, 51)
    with pytest.raises(NotPossible):
        traded.after(DEALT).after(Card("4c"))


@pytest.mark.rule("O-04")
def test_by_the_other_reading_a_traded_card_can_come_back() -> None:
    traded = about_to_act(BACK.configured(decks=1), "4c").after(Decide(S1, "trade"))
    assert own(S1) not in traded.cards
    assert traded.unseen is not None
    assert traded.unseen.total == 52 and set(traded.unseen.counts) == {1}
    again = traded.after(DEALT).after(Card("4c"))
    assert again.card(replacement(S1)) is Card("4c")
    assert again.unseen is not None
    assert (again.unseen.count(Card("4c")), again.unseen.total) == (0, 51)


@pytest.mark.rule("O-04")
@pytest.mark.parametrize("game", [GAME, BACK])
@pytest.mark.parametrize(("last", "line"), [("2s", "Lower card"), ("9s", "Tie"), ("Ts", "Higher card")])
def test_the_replacement_decides_and_not_the_traded_card(game: Game, last: str, line: str) -> None:
    for traded in ("2c", "9c", "Ac"):
        won = settled(game, f"{traded} 9d 3h {last}", Guest({"ante": 1}, ["trade", "raise"]))
        assert [won[spot].line for spot in BASE] == [line] * 3


@pytest.mark.rule("O-04")
def test_seats_act_clockwise_one_after_the_other() -> None:
    guests = {
        S1: Guest({"ante": 5}, ["trade", "raise"]),
        S3: Guest({"ante": 10}, ["check"]),
        S7: Guest({"ante": 15}, ["trade", "stand"]),
    }
    steps = walked(GAME, "2c 3d 4h 5s 6c Tc 8d", guests)
    acted = [answer for _, answer, _ in steps if isinstance(answer, Decide)]
    assert acted == [
        Decide(S1, "trade"),
        Decide(S1, "raise"),
        Decide(S3, "check"),
        Decide(S7, "trade"),
        Decide(S7, "stand"),
    ]
    waiting = next(round for _, _, round in steps if isinstance(round.next, Choose))
    for other in (S3, S7):
        with pytest.raises(NotAllowed, match="It is the turn of seat 1"):
            waiting.after(Decide(other, "check"))


@pytest.mark.rule("O-04")
@pytest.mark.parametrize("choices", [[], ["trade"]])
def test_what_is_chosen_when_nobody_chooses_wagers_nothing(choices: list[str]) -> None:
    round = about_to_act(GAME, "7h")
    for choice in choices:
        round = round.after(Decide(S1, choice)).after(DEALT).after(Card("Kd"))
    assert isinstance(round.next, Choose)
    first = round.next.options[0]
    assert (first.extra, first.then) == (None, None)


@pytest.mark.rule("O-04")
def test_a_question_about_a_seat_names_its_card_and_the_one_it_traded() -> None:
    assert situation(S3, "Jd") == Situation({own(S3): Card("Jd")})
    traded = Situation({own(S3): Card("4c"), replacement(S3): Card("Jd")}, ("trade",))
    assert situation(S3, "Jd", traded="4c") == traded


# The dealer turns.


@pytest.mark.rule("O-05")
def test_the_dealer_turns_both_cards_when_the_last_seat_has_acted() -> None:
    guests = {S1: Guest({"ante": 5}, ["check"]), S2: Guest({"ante": 5}, ["trade", "stand"])}
    told = story(GAME, "2c 3d 9h Js Kc", guests)
    last = told.index("seat 2 may stand, raise: stand")
    assert told[last + 1 : last + 5] == [
        "turn dealer 1 to all: 9h",
        "turn dealer 2 to all: Js",
        "move dealer 2 to play area",
        "say Dealer shows jack of spades.",
    ]
    assert not any("turn dealer" in line for line in told[:last])


@pytest.mark.rule("O-05")
@pytest.mark.parametrize(
    ("dealer", "higher", "name"),
    [
        ("As 2c", "dealer 1", "ace of spades"),
        ("2c As", "dealer 2", "ace of spades"),
        ("Kd Ah", "dealer 2", "ace of hearts"),
        ("3c 2s", "dealer 1", "three of clubs"),
        ("Tc 9s", "dealer 1", "ten of clubs"),
        ("9c 9s", "dealer 1", "nine of clubs"),
        ("9s 9c", "dealer 1", "nine of spades"),
    ],
)
def test_the_higher_card_goes_to_the_play_area(dealer: str, higher: str, name: str) -> None:
    told = story(GAME, f"7h {dealer}", {S1: Guest({"ante": 5}, ["check"])})
    assert [line for line in told if line.startswith("move")] == [f"move {higher} to play area"]
    assert f"say Dealer shows {name}." in told


# The settlement.


@pytest.mark.rule("O-03", "O-04", "O-05", "O-06")
def test_a_whole_round_with_several_seats() -> None:
    guests = {
        S1: Guest({"ante": 5, "three_card_bonus": 1}, ["trade", "raise"]),
        S2: Guest({}),
        S3: Guest({"ante": 10}, ["raise"]),
        S7: Guest({"ante": 20, "three_card_bonus": 25}, ["check"]),
    }
    assert story(GAME, "3c Jd Qh Jh 4s Kh", guests) == [
        "say Place your bets.",
        "seat 1 puts 5 on ante",
        "seat 1 puts 1 on three_card_bonus",
        "seat 3 puts 10 on ante",
        "seat 7 puts 20 on ante",
        "seat 7 puts 25 on three_card_bonus",
        "betting closes",
        "say No more bets.",
        "deal seat 1 card to seat 1",
        "turn seat 1 card to all: 3c",
        "deal seat 3 card to seat 3",
        "turn seat 3 card to all: Jd",
        "deal seat 7 card to seat 7",
        "turn seat 7 card to all: Qh",
        "deal dealer 1 to dealer",
        "deal dealer 2 to dealer",
        "seat 1 may check, raise, trade: trade",
        "move seat 1 card to discard",
        "deal seat 1 replacement to seat 1",
        "turn seat 1 replacement to all: Kh",
        "seat 1 may stand, raise: raise",
        "seat 3 may check, raise, trade: raise",
        "seat 7 may check, raise, trade: check",
        "turn dealer 1 to all: Jh",
        "turn dealer 2 to all: 4s",
        "move dealer 1 to play area",
        "say Dealer shows jack of hearts.",
        "seat 7 ante 20 returned, paid 1 to 1: Higher card (O-06)",
        "seat 7 three_card_bonus 25 taken: No hand (O-07)",
        "seat 3 ante 10 returned, paid push: Tie (O-06)",
        "seat 3 raise 10 returned, paid push: Tie (O-06)",
        "seat 1 ante 5 returned, paid 1 to 1: Higher card (O-06)",
        "seat 1 raise 5 returned, paid 1 to 1: Higher card (O-06)",
        "seat 1 trade 5 returned, paid 1 to 1: Higher card (O-06)",
        "seat 1 three_card_bonus 1 taken: No hand (O-07)",
    ]


@pytest.mark.rule("O-06")
def test_a_losing_seat_loses_every_wager_on_the_base_game() -> None:
    guests = {
        S1: Guest({"ante": 5, "perfect_match": 2}, ["trade", "raise"]),
        S2: Guest({"ante": 7, "perfect_match": 1}, ["trade", "stand"]),
        S3: Guest({"ante": 9}, ["raise"]),
    }
    told = story(PERFECT_MATCH, "2c 3d 6h As Kc Kd 4s", guests)
    assert told[told.index("say Dealer shows ace of spades.") + 1 :] == [
        "seat 3 ante 9 taken: Lower card (O-06)",
        "seat 3 raise 9 taken: Lower card (O-06)",
        "seat 2 ante 7 taken: Lower card (O-06)",
        "seat 2 trade 7 taken: Lower card (O-06)",
        "seat 2 perfect_match 1 taken: No match (O-08)",
        "seat 1 ante 5 taken: Lower card (O-06)",
        "seat 1 raise 5 taken: Lower card (O-06)",
        "seat 1 trade 5 taken: Lower card (O-06)",
        "seat 1 perfect_match 2 returned, paid 3 to 1: Matches a dealer card, unsuited (O-08)",
    ]


@pytest.mark.rule("O-06")
@pytest.mark.parametrize(
    ("dealer", "net"),
    [("9d 9h", 1), ("Td 2h", 0), ("2h Td", 0), ("Jd 2h", -1), ("2h Jd", -1), ("Td Jd", -1), ("Td Td", 0)],
)
@pytest.mark.parametrize("choices", [["check"], ["raise"], ["trade", "stand"], ["trade", "raise"]])
def test_ante_raise_and_trade_win_lose_and_push_together(dealer: str, net: int, choices: list[str]) -> None:
    cards = f"Tc {dealer}" if choices[0] != "trade" else f"5c {dealer} Ts"
    won = settled(GAME, cards, Guest({"ante": 30}, list(choices)))
    assert set(won) == {"ante", *choices} - {"check", "stand"}
    for settlement in won.values():
        assert settlement.net() == 30 * net
        assert settlement.amount == 30
        assert settlement.stake is (Stake.TAKEN if net < 0 else Stake.RETURNED)
        assert settlement.rule == "O-06"


@pytest.mark.rule("O-05", "O-06")
def test_ace_is_high_and_two_is_low_and_only_ranks_decide() -> None:
    """Every rank of the seat against every two of the dealer, in suits that would decide if suits ranked."""
    order = "23456789TJQKA"
    for mine in range(13):
        for suits in ("csh", "shc"):
            start = about_to_show(GAME, order[mine] + suits[0], "raise")
            for first in range(13):
                turned = start.after(Card(order[first] + suits[1]))
                for second in range(13):
                    over = turned.after(Card(order[second] + suits[2]))
                    better = mine > first and mine > second
                    worse = mine < first or mine < second
                    nets = [s.net() for s in settlements([over.effects])]
                    assert nets == [better - worse] * 2, (mine, first, second)


@pytest.mark.rule("O-06")
def test_the_settled_round_is_over_and_nothing_lies_on_the_table() -> None:
    _, _, last = walked(GAME, "7c 8d 8h", {S1: Guest({"ante": 5, "three_card_bonus": 5}, ["raise"])})[-1]
    assert last.over
    assert last.wagers == {}
    with pytest.raises(NotAllowed, match="The round is over"):
        last.after(Close())


# Limits.


def _ways(round: Round) -> Iterator[Round]:
    """Every round that the choices of seat 1 lead to, always with the same cards."""
    yield round
    match round.next:
        case Choose(_, options):
            for option in options:
                yield from _ways(round.after(Decide(S1, option.name)))
        case Deal():
            yield from _ways(round.after(DEALT))
        case Turn(token):
            yield from _ways(round.after(Card("9c" if token.owner else "8d")))


@pytest.mark.rule("O-10")
@pytest.mark.parametrize(("game", "bonus"), [(GAME, "three_card_bonus"), (PERFECT_MATCH, "perfect_match")])
def test_no_choice_puts_more_than_the_ante_on_any_spot(game: Game, bonus: str) -> None:
    rounds = list(_ways(betting_closed(game, {S1: {"ante": 40, bonus: 5}})))
    on_base = [sum(round.stake(S1, spot) for spot in BASE) for round in rounds]
    assert max(on_base) == 3 * 40
    for round in rounds:
        assert all(round.stake(S1, spot) in (0, 40) for spot in BASE)
        assert round.stake(S1, bonus) in (0, 5)
        assert {spot for _, spot in round.wagers} <= {*BASE, bonus}


@pytest.mark.rule("O-10", "O-04")
@pytest.mark.parametrize("amount", [Fraction(0), Fraction(1), Fraction(39), Fraction(41), Fraction(80)])
@pytest.mark.parametrize("choices", [["raise"], ["trade"], ["trade", "raise"]])
def test_a_raise_or_trade_of_another_size_is_refused(choices: list[str], amount: Fraction) -> None:
    round = about_to_act(GAME, "7h", ante=40)
    for choice in choices[:-1]:
        round = round.after(Decide(S1, choice)).after(DEALT).after(Card("Kd"))
    with pytest.raises(NotAllowed, match=f"'{choices[-1]}' wagers 40 here, not {amount}."):
        round.after(Decide(S1, choices[-1], amount))
    assert round.after(Decide(S1, choices[-1], Fraction(40))).stake(S1, choices[-1]) == 40


@pytest.mark.rule("O-10", "O-02")
def test_once_the_betting_is_closed_no_wager_is_placed_or_taken_up() -> None:
    start = betting_closed(GAME, {S1: {"ante": 40, "three_card_bonus": 5}})
    waiting = [round for round in _ways(start) if not round.over]
    assert len(waiting) == 16
    for round in waiting:
        for spot in (*BASE, "three_card_bonus"):
            for answer in (Place(S1, spot, Fraction(1)), TakeUp(S1, spot)):
                with pytest.raises(NotAllowed):
                    round.after(answer)


@pytest.mark.rule("O-10")
def test_the_definition_names_the_limits_that_bind_every_wager() -> None:
    approval = GAME.definition.approval
    assert approval is not None
    assert "Wagers stay within the limits of WAC 230-15-040 and WAC 230-15-140." in approval.notes
