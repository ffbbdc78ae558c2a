"""IN BETween as document 003 has it: when the wager is made and settled, what wins and what that pays."""

import datetime
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.games import load
from feltworks.games.blackjack.options import ALLOWED
from feltworks.games.blackjack.rules import HOLE_CARD, UPCARD, card_of
from feltworks.kit.cards import SUITLESS_CARDS, Card
from feltworks.kit.errors import NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    DEALT,
    Bet,
    Choose,
    Close,
    Deal,
    Decide,
    Incident,
    Place,
    Read,
    Settlement,
    Stake,
    TakeUp,
    Turn,
)
from tests.floor.sitting import Sitting
from tests.floor.sitting import in_between as at_a_table
from tests.games.sitting import (
    S1,
    S2,
    S3,
    S7,
    Guest,
    betting_closed,
    settled,
    settlements,
    story,
    verdict,
    walked,
)
from tests.kit.support import refused

GAME = load("in-between")
PUSH = GAME.configured(readings={"upcard_equals_a_card": "push"})
REST = "9c Td 5h 9d 3c 2h"
"""Enough for the dealer: the hole card, and what is drawn to it."""
SPREADS = ["Triple match", "One card spread", "Two card spread", "Three card spread", "All other spreads"]
PAYS = {
    "A": [30, 12, 6, 4, 1],
    "B": [30, 10, 6, 4, 1],
    "C": [30, 10, 5, 3, 1],
    "D": [40, 10, 5, 3, 1],
}
PRINTED = {
    1: ["8.338", "10.461", "14.999", "12.646"],
    2: ["5.696", "7.758", "12.163", "8.165"],
    4: ["4.010", "6.042", "10.383", "5.458"],
    6: ["3.396", "5.418", "9.738", "4.490"],
    8: ["3.080", "5.097", "9.410", "3.994"],
}


def bonus(first: str, upcard: str, second: str, game: Game = GAME, amount: int = 1) -> Settlement:
    """How the wager is settled: the seat's first card, the dealer's upcard, the seat's second card."""
    return settled(game, f"{first} {upcard} {second} {REST}", guest(amount))["in_between"]


def guest(amount: int = 5, *choices: str, base: int = 10) -> Guest:
    """Somebody with this much on IN BETween who then makes these choices; after them stands and insures nothing."""
    return Guest({"base": base, **({"in_between": amount} if amount else {})}, [*choices], idle=True)


# Blackjack, and the wager beside it.


@pytest.mark.rule("I-01", "I-05")
def test_a_whole_round_with_several_seats() -> None:
    guests = {
        S1: Guest({"base": 10, "in_between": 5}, ["double"]),
        S2: Guest({"base": 15}, ["stand"]),
        S3: Guest({}),
        S7: Guest({"base": 20, "in_between": 1}, ["hit"]),
    }
    assert story(GAME, "4c Jd 2h 5s 6c Qd Ks 9c Th Jh 4d", guests) == [
        "say Place your bets.",
        "seat 1 puts 10 on base",
        "seat 1 puts 5 on in_between",
        "seat 2 puts 15 on base",
        "seat 7 puts 20 on base",
        "seat 7 puts 1 on in_between",
        "betting closes",
        "say No more bets.",
        "deal seat 1 card 1 to seat 1",
        "turn seat 1 card 1 to all: 4c",
        "deal seat 2 card 1 to seat 2",
        "turn seat 2 card 1 to all: Jd",
        "deal seat 7 card 1 to seat 7",
        "turn seat 7 card 1 to all: 2h",
        "deal upcard to dealer",
        "turn upcard to all: 5s",
        "deal seat 1 card 2 to seat 1",
        "turn seat 1 card 2 to all: 6c",
        "deal seat 2 card 2 to seat 2",
        "turn seat 2 card 2 to all: Qd",
        "deal seat 7 card 2 to seat 7",
        "turn seat 7 card 2 to all: Ks",
        "seat 7 in_between 1 returned, paid 1 to 1: All other spreads (I-04)",
        "seat 1 in_between 5 returned, paid 12 to 1: One card spread (I-04)",
        "deal hole card to dealer",
        "seat 1 may stand, hit, double: double",
        "deal seat 1 card 3 to seat 1",
        "turn seat 1 card 3 to all: Th",
        "seat 2 may stand, hit, double, split: stand",
        "seat 7 may stand, hit, double: hit",
        "deal seat 7 card 3 to seat 7",
        "turn seat 7 card 3 to all: Jh",
        "seat 7 base 20 taken: Over 21 (B-04)",
        "move seat 7 card 1 to discard",
        "move seat 7 card 2 to discard",
        "move seat 7 card 3 to discard",
        "turn hole card to all: 9c",
        "deal draw 1 to dealer",
        "turn draw 1 to all: 4d",
        "say Dealer has 18.",
        "seat 2 base 15 returned, paid 1 to 1: Higher total (B-06)",
        "seat 1 base 20 returned, paid 1 to 1: Higher total (B-06)",
    ]


@pytest.mark.rule("I-01", "I-06")
@pytest.mark.parametrize(
    ("cards", "choices", "readings"),
    [
        ("4c Jd 5s 6c Qd 9c Th 2c 9h", ["double"], {}),
        ("8c Jd As 8d Qd 9c 3h Th 9s", ["insurance", "split", "double", "stand"], {}),
        ("8c Jd 8s 8d Qd 9c", ["surrender"], {"surrender": "late"}),
        ("Ac Jd As Kd Qd 9c", ["even money"], {}),
        ("Tc Jd Ks 6d Qd Qs Ah", ["hit"], {"hole_card": "none_takes_original"}),
    ],
    ids=["double", "split", "surrender", "even money", "blackjack"],
)
def test_blackjack_is_dealt_played_and_settled_the_same_with_and_without_the_wager(
    cards: str, choices: list[str], readings: dict[str, str]
) -> None:
    game = GAME.configured(readings=readings)
    without = story(game, cards, {S1: guest(0, *choices), S2: guest(0)})
    with_it = story(game, cards, {S1: guest(5, *choices), S2: guest(5)})
    assert [line for line in with_it if "in_between" not in line] == without
    assert len(with_it) == len(without) + 4
    alone = story(load("blackjack").configured(readings=readings), cards, {S1: guest(0, *choices), S2: guest(0)})
    assert without == alone


@pytest.mark.rule("I-01")
def test_the_wager_is_free_and_the_blackjack_wager_is_not() -> None:
    assert GAME.wager("base").required and not GAME.wager("in_between").required
    assert GAME.start().next == Bet("open", ("base", "in_between"))
    with pytest.raises(NotAllowed, match="No seat has a wager"):
        GAME.start().after(Close())


@pytest.mark.rule("I-02")
def test_only_a_seat_with_a_blackjack_wager_may_make_it() -> None:
    round = GAME.start([1, 2]).after(Place(S2, "base", Fraction(5)))
    said = refused(round, Place(S1, "in_between", Fraction(5)), NotAllowed)
    assert said == "IN BETween needs Blackjack beside it (I-02); place that first."
    both = round.after(Place(S2, "in_between", Fraction(50)))
    assert both.wagers == {(S2, "base"): 5, (S2, "in_between"): 50}
    assert "IN BETween needs Blackjack; take that up first" in refused(both, TakeUp(S2, "base"), NotAllowed)
    assert both.after(TakeUp(S2, "in_between")).wagers == {(S2, "base"): 5}
    assert both.after(TakeUp(S2, "in_between")).after(TakeUp(S2, "base")).wagers == {}


@pytest.mark.rule("I-02", "I-08")
@pytest.mark.parametrize("bets", [{"base": 10}, {"base": 10, "in_between": 5}])
def test_from_the_first_card_on_no_wager_is_made_added_to_or_taken_up(bets: dict[str, int]) -> None:
    rounds = [round for _, _, round in walked(GAME, "4c Ks 6c 5c Th", {S1: Guest(bets, ["stand"])})]
    waiting = [round for round in rounds if not isinstance(round.next, Bet)]
    dealing = [Deal, Turn, Deal, Turn, Deal, Turn, Deal, Read]
    assert [type(round.next) for round in waiting] == [*dealing, Choose, Turn, Deal, Turn, type(None)]
    for round in (*waiting, waiting[4].report(Incident("dispute"))):
        said = refused(round, Place(S1, "in_between", Fraction(1)), NotAllowed)
        assert said == "IN BETween is made before the first card (I-02); wait for the next round."
        for answer in (Place(S1, "base", Fraction(1)), TakeUp(S1, "base"), TakeUp(S1, "in_between")):
            refused(round, answer, NotAllowed)


@pytest.mark.rule("I-02", "I-08")
@pytest.mark.parametrize(
    ("wagers", "why"),
    [
        ([("in_between", 100)], "IN BETween needs Blackjack beside it (I-02)"),
        ([("base", 400)], "takes at least 5.00"),
        ([("base", 500), ("in_between", 99)], "takes at least 1.00"),
        ([("base", 500), ("in_between", 30_001)], "takes at most 300.00"),
        ([("base", 500), ("in_between", 30_000), ("in_between", 1)], "takes at most 300.00"),
        ([("base", 30_001)], "takes at most 300.00"),
    ],
)
def test_at_a_table_both_wagers_keep_within_limits_of_their_own(wagers: list[tuple[str, int]], why: str) -> None:
    sitting = Sitting(at_a_table())
    sitting.join("ann", 1)
    sitting.start()
    *before, last = wagers
    for spot, amount in before:
        sitting.do("ann", cmd.Place(spot, amount))
    lying, pocket = sitting.table.wagers, sitting.balance("ann")
    with pytest.raises(Refused) as refusal:
        sitting.do("ann", cmd.Place(*last))
    assert why in str(refusal.value)
    assert (sitting.table.wagers, sitting.balance("ann")) == (lying, pocket)


@pytest.mark.rule("I-02")
def test_at_a_table_the_wager_is_refused_by_its_statement_once_the_cards_are_out() -> None:
    sitting = Sitting(at_a_table(), "4c 5s 6c 9c")
    sitting.join("ann", 1)
    sitting.start()
    sitting.do("ann", cmd.Place("base", 500))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    lying, pocket = sitting.table.wagers, sitting.balance("ann")
    with pytest.raises(Refused) as refusal:
        sitting.do("ann", cmd.Place("in_between", 500))
    assert str(refusal.value) == "IN BETween is made before the first card (I-02); wait for the next round."
    assert (sitting.table.wagers, sitting.balance("ann")) == (lying, pocket)


def ways(round: Round) -> Iterator[Round]:
    """Every round that the choices of seat 1 lead to, with eights against an ace and nothing but eights to come."""
    yield round
    match round.next:
        case Choose(_, options):
            for option in options:
                yield from ways(round.after(Decide(S1, option.name)))
        case Deal():
            yield from ways(round.after(DEALT))
        case Turn(token):
            assert round.unseen is not None
            unseen = round.unseen
            eight = next(card for card in map(Card, ("8c", "8d", "8h", "8s")) if unseen.count(card))
            yield from ways(round.after(Card("As") if token == UPCARD else eight))
        case Read(_, (_, none)):
            yield from ways(round.after(none))


@pytest.mark.rule("I-08", "I-06")
@pytest.mark.parametrize("hole_card", ["peek", "none_takes_original"])
def test_no_choice_in_the_round_adds_to_the_wager(hole_card: str) -> None:
    """Blackjack's own choices add to its own wagers: a hand has its wager once or twice, insurance half of it."""
    game = GAME.configured(readings={"hole_card": hole_card, "surrender": "late", "max_hands": "3"})
    rounds = list(ways(betting_closed(game, {S1: {"base": 10, "in_between": 5}})))
    assert len(rounds) > 500
    for round in rounds:
        second = round.cards.get(card_of(S1, 2))
        assert round.stake(S1, "in_between") == (5 if second is None or second.card is None else 0)
        assert all(round.stake(S1, spot) in (0, 10, 20) for spot in ("base", "hand_2", "hand_3"))
        assert round.stake(S1, "insurance") in (0, 5) and not round.stake(S1, "hand_4")
    assert max(sum(round.wagers.values()) for round in rounds) == (40 if hole_card == "peek" else 65)


@pytest.mark.rule("I-08")
def test_the_definition_names_the_limits_that_bind_every_wager() -> None:
    approval = GAME.definition.approval
    assert approval is not None
    assert "Wagers stay within the limits of WAC 230-15-040 and WAC 230-15-140." in approval.notes


# When it is settled.


@pytest.mark.rule("I-05")
@pytest.mark.parametrize("hole_card", ALLOWED["hole_card"])
@pytest.mark.parametrize("upcard", ["5s", "As", "Ks"])
def test_the_wager_is_settled_after_the_last_second_card_and_before_the_hole_card(hole_card: str, upcard: str) -> None:
    """Before any further card and before a reader, too; and before anybody is asked anything."""
    game = GAME.configured(readings={"hole_card": hole_card})
    steps = walked(game, f"4c 4d 4h {upcard} 6c 6d 6h {REST}", {seat: guest() for seat in (S1, S2, S3)})
    settling = [
        (step, round) for step, _, round in steps if any(s.spot == "in_between" for s in settlements([round.effects]))
    ]
    assert len(settling) == 1
    step, round = settling[0]
    assert step == Turn(card_of(S3, 2))
    assert [s.seat for s in settlements([round.effects]) if s.spot == "in_between"] == [S3, S2, S1]
    if hole_card in ("peek", "no_peek"):
        assert round.next == Deal(HOLE_CARD, "dealer")
    else:
        assert isinstance(round.next, Choose)
    assert set(round.cards) == {UPCARD, *(card_of(s, number) for s in (S1, S2, S3) for number in (1, 2))}
    assert all(face.reading is None for face in round.cards.values())
    before = [step for step, _, after in steps[: [after for *_, after in steps].index(round)]]
    assert not any(isinstance(step, Choose | Read) for step in before)


@pytest.mark.rule("I-05")
def test_losers_are_taken_and_winners_paid_in_succession_from_the_dealers_right() -> None:
    guests = {seat: guest() for seat in (S1, S2, S3, S7)}
    guests[S2] = guest(0)
    told = story(GAME, f"4c 4d 6h 5h 5s 6c 6d 7h 5d {REST}", guests)
    assert [line for line in told if "in_between" in line and "puts" not in line] == [
        "seat 7 in_between 5 returned, paid 30 to 1: Triple match (I-03)",
        "seat 3 in_between 5 taken: Not in between (I-03)",
        "seat 1 in_between 5 returned, paid 12 to 1: One card spread (I-04)",
    ]


@pytest.mark.rule("I-06")
@pytest.mark.parametrize("cards", ["4c 5s 6c", "5c 5s 5d", "4c 9s 6c", "4c 4s 6c", "Ac Ts Kc", "Ac As Ad", "Ac As Kd"])
def test_the_blackjack_wager_lies_as_it_was_whatever_the_bonus_does(cards: str) -> None:
    with_it = walked(GAME, f"{cards} {REST}", {S1: guest()})
    hole_card = next(round for _, _, round in with_it if round.next == Deal(HOLE_CARD, "dealer"))
    assert hole_card.wagers == {(S1, "base"): 10}
    without = settled(GAME, f"{cards} {REST}", guest(0))
    assert settled(GAME, f"{cards} {REST}", guest())["base"] == without["base"]
    assert set(without) == {"base"}


@pytest.mark.rule("I-06")
def test_the_wager_looks_at_the_first_two_cards_and_the_upcard_only() -> None:
    for rest in ("2c Td Ts", "5d Td 2c", "As 9c 6d"):
        won = settled(GAME, f"4c 5s 6c {rest}", guest())
        assert won["in_between"].line == "One card spread"


@pytest.mark.rule("I-06")
def test_the_wager_does_not_look_at_hands_made_by_splitting() -> None:
    """Two eights against a 9 lose at once; that an 8 and a ten come together later is nothing to it."""
    choices = ["split", "stand", "stand"]
    lost = settled(GAME, "8c 9s 8d 8h Tc Td", guest(5, *choices))
    assert {spot: settlement.net() for spot, settlement in lost.items()} == {"in_between": -5, "base": 10, "hand_2": 10}
    told = story(GAME, "8c 8s 8d 9h Tc Td", {S1: guest(5, *choices)})
    assert [line for line in told if "in_between" in line] == [
        "seat 1 puts 5 on in_between",
        "seat 1 in_between 5 returned, paid 30 to 1: Triple match (I-03)",
    ]
    assert told.index("seat 1 may stand, hit, double, split: split") > told.index("deal hole card to dealer")


# What wins.


@pytest.mark.rule("I-03", "I-04")
@pytest.mark.parametrize(
    ("cards", "upcards", "line"),
    [
        (("4c", "6d"), ["5h"], "One card spread"),  # the document's own examples
        (("4c", "7d"), ["5h", "6s"], "Two card spread"),
        (("4c", "8d"), ["5h", "6s", "7c"], "Three card spread"),
        (("4c", "9d"), ["5h", "6s", "7c", "8d"], "All other spreads"),
        (("2c", "Ad"), list("3456789TJQK"), "All other spreads"),
        (("Qc", "Ad"), ["Kh"], "One card spread"),
        (("9c", "Jc"), ["Tc"], "One card spread"),
        (("7c", "7d"), ["7h", "7c"], "Triple match"),
        (("Ac", "Ad"), ["Ah"], "Triple match"),
        (("2c", "2d"), ["2h"], "Triple match"),
    ],
)
def test_the_upcard_wins_in_between_and_on_a_triple_match(
    cards: tuple[str, str], upcards: list[str], line: str
) -> None:
    first, second = cards
    for upcard in upcards:
        upcard = upcard if len(upcard) > 1 else f"{upcard}s"
        for one, other in ((first, second), (second, first)):
            assert bonus(one, upcard, other).line == line


@pytest.mark.rule("I-03")
@pytest.mark.parametrize(
    ("first", "upcard", "second"),
    [
        ("4c", "3s", "6d"),
        ("4c", "7s", "6d"),
        ("4c", "As", "6d"),
        ("Ac", "2s", "3d"),  # an ace is not below the two
        ("Ac", "2s", "2d"),
        ("Kc", "As", "2d"),
        ("7c", "8s", "7d"),
        ("7c", "6s", "7d"),
        ("7c", "7s", "8d"),
        ("8c", "7s", "7d"),
        ("4c", "4s", "9d"),
        ("4c", "9s", "9d"),
        ("7c", "7s", "6d"),
        ("5c", "6s", "5d"),
        ("5c", "5s", "6d"),
    ],
)
def test_in_between_loses_where_the_upcard_is_neither_between_the_cards_nor_equal_to_both(
    first: str, upcard: str, second: str
) -> None:
    lost = bonus(first, upcard, second, amount=7)
    assert (lost.line, lost.pay, lost.stake) == ("Not in between", None, Stake.TAKEN)
    assert lost.amount == 7 and lost.net() == -7 and lost.rule == "I-03"


@pytest.mark.rule("I-03")
@pytest.mark.parametrize("cards", [("4c", "4s", "9d"), ("9d", "4s", "4c"), ("4c", "9s", "9d"), ("9c", "9s", "4d")])
def test_a_reading_says_whether_an_upcard_equal_to_one_card_loses_or_pushes(
    cards: tuple[str, str, str],
) -> None:
    assert GAME.reading("upcard_equals_a_card") == "lose"
    assert bonus(*cards).line == "Not in between"
    pushed = bonus(*cards, game=PUSH, amount=7)
    assert (pushed.line, pushed.stake) == ("Upcard equals a card", Stake.RETURNED)
    assert pushed.amount == 7 and pushed.net() == 0 and pushed.rule == "I-03"
    assert PUSH.standing == "as approved, with other readings"


@cache
def lines(reading: str) -> dict[tuple[int, int, int], str]:
    """The line on which the round settles each first card, second card and upcard."""
    game = GAME.configured(decks=8, readings={"upcard_equals_a_card": reading})
    fresh = game.fresh()
    assert fresh is not None
    start: Round = game.start(unseen=fresh.suitless)
    for spot in ("base", "in_between"):
        start = start.after(Place(S1, spot, Fraction(1)))
    dealt = start.after(Close()).after(DEALT)
    found = {}
    for first in SUITLESS_CARDS:
        for upcard in SUITLESS_CARDS:
            shown = dealt.after(first).after(DEALT).after(upcard).after(DEALT)
            for second in SUITLESS_CARDS:
                (settlement,) = settlements([shown.after(second).effects])
                found[first.rank, second.rank, upcard.rank] = settlement.line
    return found


@pytest.mark.rule("I-03", "I-04")
@pytest.mark.parametrize(("reading", "equal"), [("lose", "Not in between"), ("push", "Upcard equals a card")])
def test_all_deals_of_three_ranks_fall_on_the_line_they_should(reading: str, equal: str) -> None:
    """Written the other way round: list the ranks from card to card and look for the upcard among them."""
    order = "23456789TJQKA"
    spreads: Counter[int] = Counter()
    for (first, second, upcard), line in lines(reading).items():
        ends = sorted((order.index(text_of(first)), order.index(text_of(second))))
        between = order[ends[0] + 1 : ends[1]]
        shown = text_of(upcard)
        if {first, second} == {upcard}:
            expected = "Triple match"
        elif shown in between:
            spreads[len(between)] += 1
            expected = {1: "One card spread", 2: "Two card spread", 3: "Three card spread"}.get(
                len(between), "All other spreads"
            )
        elif upcard in (first, second):
            expected = equal
        else:
            expected = "Not in between"
        assert line == expected, (first, second, upcard)
    assert len(lines(reading)) == 13**3
    assert spreads == {n: 2 * (12 - n) * n for n in range(1, 12)}


def text_of(rank: int) -> str:
    return SUITLESS_CARDS[rank - 2].text


# What it pays.


@pytest.mark.rule("I-07", "I-04")
@pytest.mark.parametrize("table", PAYS)
@pytest.mark.parametrize(
    ("line", "cards"),
    [
        (0, "5c 5s 5d"),
        (1, "4c 5s 6d"),
        (2, "4c 5s 7d"),
        (3, "4c 5s 8d"),
        (4, "4c 5s 9d"),
        (4, "2c 5s Ad"),
    ],
)
def test_each_line_pays_by_the_table_that_the_house_picked(table: str, line: int, cards: str) -> None:
    game = GAME.configured(pay={"in_between": table})
    first, upcard, second = cards.split()
    won = bonus(first, upcard, second, game, amount=6)
    assert won.line == SPREADS[line]
    assert won.net() == 6 * PAYS[table][line]
    assert won.amount == 6 and won.stake is Stake.RETURNED
    assert won.rule == ("I-03" if line == 0 else "I-04")
    assert game.standing == "as approved"


@pytest.mark.rule("I-07")
def test_the_four_pay_tables_are_as_printed() -> None:
    tables = GAME.definition.pay_tables["in_between"]
    assert list(tables) == ["A", "B", "C", "D"]
    for name, pays in PAYS.items():
        assert list(tables[name].items()) == [(line, f"{pay} to 1") for line, pay in zip(SPREADS, pays, strict=True)]
    assert GAME.pay_table("in_between").name == "A"


@pytest.mark.rule("I-07")
@pytest.mark.parametrize("decks", range(1, 9))
def test_other_decks_than_the_printed_ones_are_modified(decks: int) -> None:
    game = GAME.configured(decks=decks)
    if decks in (1, 2, 4, 6, 8):
        assert (game.differences, game.standing) == ((), "as approved")
    else:
        assert game.differences == (f"{decks} decks instead of 1, 2, 4, 6, 8",)
        assert game.standing == "modified: not as approved"


@pytest.mark.rule("I-07")
def test_other_odds_are_modified_and_listed_ones_are_not() -> None:
    assert GAME.configured(pay={"in_between": "40,10,5,3,1"}).standing == "as approved"
    game = GAME.configured(pay={"in_between": "30,12,6,4"})
    assert game.standing == "modified: not as approved"
    assert game.differences == ("IN BETween: All other spreads pushes instead of paying 1 to 1",)


def test_the_approval_is_that_of_the_letter() -> None:
    approval = GAME.definition.approval
    assert approval is not None
    assert approval.authority == "Washington State Gambling Commission"
    assert (approval.document, approval.submission) == ("003", "")
    assert approval.approved == datetime.date(2009, 12, 4)
    assert approval.venues == ("card room", "tribal casino")
    assert approval.conditions == {
        "card room": (
            "Played under the enclosed rules of play.",
            "The card room's internal controls for the game are approved by the commission first.",
            "Makers and distributors of layouts and equipment are licensed by the state before they sell.",
        ),
        "tribal casino": (
            "Played under the enclosed rules of play.",
            "The tribal gaming agency has approved the game.",
            "The commission has concurred.",
            "The submission holds the supplement that compact Appendix A, Section 18 asks for.",
            "Makers and distributors are certified by the state and licensed by the tribe before they sell.",
        ),
    }
    assert "Not to be distributed in Washington until the maker has its gambling license." in approval.notes
    assert approval.ask_first == (
        "Before any modification ask the Washington State Gambling Commission.",
        "Document 003: any modification may affect the approval; contact the commission before it is made.",
    )


# The printed house advantages.


@pytest.mark.rule("I-07")
def test_the_printed_advantages_are_in_the_definition_as_printed() -> None:
    found = {(figure.decks, figure.pay): figure.printed for figure in GAME.definition.published}
    assert found == {(n, t): p for n, row in PRINTED.items() for t, p in zip(PAYS, row, strict=True)}
    assert len(GAME.definition.published) == 20
    assert {figure.wager for figure in GAME.definition.published} == {"in_between"}
    assert {figure.source for figure in GAME.definition.published} == {"003, house advantage table"}


def advantage(decks: int, table: str, reading: str = "lose") -> Fraction:
    """By weighing every deal of three ranks with the number of ways to draw it."""
    pays = dict(zip(SPREADS, PAYS[table], strict=True))
    pays |= {"Not in between": -1, "Upcard equals a card": 0}
    won = 0
    for (first, second, upcard), line in lines(reading).items():
        left = 4 * decks
        ways = left * (left - (second == first)) * (left - (upcard == first) - (upcard == second))
        won += ways * pays[line]
    cards = 52 * decks
    return Fraction(-won, cards * (cards - 1) * (cards - 2))


EXACT = {
    1: ["1382/16575", "34/325", "2486/16575", "2096/16575"],
    2: ["3890/68289", "1766/22763", "8306/68289", "328/4017"],
    4: ["11114/277173", "5582/92391", "28778/277173", "15128/277173"],
    6: ["21282/626665", "33954/626665", "61026/626665", "28136/626665"],
    8: ["34394/1116765", "18974/372255", "21010/223353", "8920/223353"],
}
NOT_ROUNDED = {(1, "B"): "truncated", (1, "C"): "last digit", (8, "C"): "not reproduced"}


@pytest.mark.rule("I-07", "I-03", "I-04")
@pytest.mark.parametrize("decks", PRINTED)
@pytest.mark.parametrize("table", PAYS)
def test_the_house_advantage_is_exact_and_mostly_the_printed_one_rounded(decks: int, table: str) -> None:
    at = list(PAYS).index(table)
    exact = advantage(decks, table)
    assert exact == Fraction(EXACT[decks][at])
    assert verdict(exact, PRINTED[decks][at]) == NOT_ROUNDED.get((decks, table), "rounded")


@pytest.mark.rule("I-07")
def test_the_figure_that_does_not_follow_is_the_exact_one_at_two_decimals() -> None:
    """9.4066 %: printed as 9.410, it was rounded to 9.41 first."""
    assert verdict(advantage(8, "C"), "9.41") == "rounded"


@pytest.mark.rule("I-03")
@pytest.mark.parametrize("decks", PRINTED)
@pytest.mark.parametrize("table", PAYS)
def test_the_printed_figures_settle_that_an_equal_card_loses(decks: int, table: str) -> None:
    printed = PRINTED[decks][list(PAYS).index(table)]
    assert verdict(advantage(decks, table, reading="push"), printed) == "not reproduced"
