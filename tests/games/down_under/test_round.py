"""Down Under Hold'em as document 002 has it: how it is dealt, read, acted, turned, called and settled."""

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import cast

import pytest

from feltworks.floor.table.settings import Limits, TableSettings, standing, warnings
from feltworks.games import load
from feltworks.games.down_under_holdem.rules import (
    BANDS,
    DEALER,
    FLOP,
    LARGE,
    MEDIUM,
    SMALL,
    TURN_AND_RIVER,
    DownUnder,
    own,
)
from feltworks.kit.cards import SUITED_CARDS, Card, Seat, Token, parse_cards
from feltworks.kit.game import Game
from feltworks.kit.odds import PUSH, Odds
from feltworks.kit.steps import (
    ALL,
    DEALT,
    Answer,
    Bet,
    Call,
    Choose,
    Close,
    Deal,
    Decide,
    Place,
    Read,
    Role,
    Settlement,
    Stake,
    Step,
    Turn,
)
from tests.games.sitting import S1, S2, S3, S7, Course, heard, told

GAME = load("down-under-holdem")
TOGETHER = GAME.configured(readings={"order_of_action": "together"})
BASE = ("ante", "bet", "play")
SPOTS = (*BASE, "trips_or_better", "match_the_dealer", "jackpot")

# A table for these tests and their neighbours: staged cards, guests who do as they are told.

Bets = Mapping[str, int]
Choices = Mapping[Seat, str]


def bets(ante: int = 10, **bonuses: int) -> Bets:
    """Ante and Bet, which are equal, and what is wagered beside them."""
    return {"ante": ante, "bet": ante, **bonuses}


def staged(hands: str | Mapping[Seat, str], dealer: str, board: str) -> dict[Token, Card]:
    """Which card lies where: each seat's two, or seat 1's, the dealer's two, and the five of the board."""
    named = {S1: hands} if isinstance(hands, str) else hands
    places = [*(token for seat in named for token in own(seat)), *DEALER, *FLOP, *TURN_AND_RIVER]
    cards = [
        *(card for hand in named.values() for card in parse_cards(hand)),
        *parse_cards(dealer),
        *parse_cards(board),
    ]
    assert len(set(cards)) == len(cards), "a card is staged twice"
    return dict(zip(places, cards, strict=True))


def shuffled(random: Random, seats: int = 1) -> dict[Token, Card]:
    """Any cards for seats 1 to so many, the dealer and the board."""
    places = [*(token for seat in range(1, seats + 1) for token in own(Seat(seat))), *DEALER, *FLOP, *TURN_AND_RIVER]
    return dict(zip(places, random.sample(SUITED_CARDS, len(places)), strict=True))


@dataclass(frozen=True)
class Played(Course[DownUnder]):
    """A whole round of these tests."""

    def of(self, seat: Seat = S1) -> dict[str, Settlement]:
        """How each wager of a seat was decided; what was paid while it stayed is not in it."""
        decided = [s for s in self.settlements if s.seat == seat and s.stake is not Stake.STAYS]
        assert len({s.spot for s in decided}) == len(decided), "a wager was decided twice"
        return {s.spot: s for s in decided}

    def envy(self, seat: Seat) -> list[Settlement]:
        return [s for s in self.settlements if s.seat == seat and s.stake is Stake.STAYS]

    def net(self, seat: Seat = S1) -> dict[str, Fraction]:
        """What each wager of a seat has won or lost, where no meter is asked."""
        return {spot: settled.net() for spot, settled in self.of(seat).items()}

    def turned(self, *tokens: Token) -> bool:
        """Whether any of these cards was turned to all."""
        return any(isinstance(step, Turn) and step.to is ALL and step.token in tokens for step, *_ in self.steps)

    @property
    def story(self) -> list[str]:
        """The round as the table saw it, one line for each step and effect."""
        lines = []
        for step, answer, round in self.steps:
            lines += [line(step, answer), *(told(effect) for effect in round.effects)]
        return lines


def line(step: Step, answer: Answer) -> str:
    match step, answer:
        case Read(token), band:
            return f"read {token}: {band}"
        case Choose(_, options), Decide(chooser, option):
            name = f"the {chooser.value}" if isinstance(chooser, Role) else f"seat {chooser}"
            return f"{name} may {', '.join(o.name for o in options)}: {option}"
    return heard(step, answer)


def started(wagers: Mapping[Seat, Bets], game: Game = GAME) -> DownUnder:
    """These wagers lie there, and the betting is still open."""
    round = game.start(wagers)
    for seat, spots in wagers.items():
        for spot, amount in spots.items():
            round = round.after(Place(seat, spot, Fraction(amount)))
    assert isinstance(round, DownUnder)
    return round


def going(
    round: DownUnder, cards: Mapping[Token, Card], choices: Choices, sensed: str = ""
) -> Iterator[tuple[Step, Answer, DownUnder]]:
    """The round from where it is. Seats do what is left of their choices, and the dealer says what was sensed; roles
    otherwise take the first option. It stops where a seat is asked that has no choice left."""
    left = {seat: words.split(", ") for seat, words in choices.items() if words}
    lights = sensed.split(", ") if sensed else []
    while (step := round.next) is not None:
        answer: Answer
        match step:
            case Bet():
                answer = Close()
            case Deal():
                answer = DEALT
            case Turn(token):
                answer = cards[token]
            case Read(token):
                answer = next(band for band in BANDS if cards[token] in band)
            case Choose(Role() as role, options):
                answer = Decide(role, lights.pop(0) if lights else options[0].name)
            case Choose(frozenset() as seats):
                deciding = next((seat for seat in sorted(seats) if left.get(seat)), None)
                if deciding is None:
                    break
                answer = Decide(deciding, left[deciding].pop(0))
        round = round.after(answer)
        yield step, answer, round
    assert not any(left.values()) and not lights, f"nobody asked for {left} and {lights}"


def play(
    cards: Mapping[Token, Card],
    choices: Choices | str,
    wagers: Mapping[Seat, Bets] | Bets | None = None,
    game: Game = GAME,
    sensed: str = "",
) -> Played:
    """A whole round: of seat 1 alone, if the choices are only its own; each seat with the same wagers, if these are
    not told by seat."""
    by_seat = {S1: choices} if isinstance(choices, str) else choices
    if wagers is None or not all(isinstance(seat, int) for seat in wagers):
        wagers = dict.fromkeys(by_seat, cast("Bets", wagers or bets()))
    round = started(cast("Mapping[Seat, Bets]", wagers), game)
    played = Played(list(going(round, cards, by_seat, sensed)))
    assert played.last.over
    return played


def until(cards: Mapping[Token, Card], choices: Choices, wagers: Mapping[Seat, Bets], game: Game = GAME) -> DownUnder:
    """The round when these choices are made and the next one is to be made."""
    *_, (_, _, round) = going(started(wagers, game), cards, choices)
    return round


def asked(step: Step | None) -> tuple[list[Seat] | Role, list[str]]:
    """Who is to choose, and what there is to choose from."""
    assert isinstance(step, Choose)
    return step.who if isinstance(step.who, Role) else sorted(step.who), [option.name for option in step.options]


# A second opinion on poker hands, in other words than the kit has.

LABELS = (
    "High card",
    "Pair",
    "Two pair",
    "Three of a kind",
    "Straight",
    "Flush",
    "Full house",
    "Four of a kind",
    "Straight flush",
    "Royal flush",
)
COUNTS = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
WHEEL = [14, 5, 4, 3, 2]

Worth = tuple[int, list[int]]


def five(cards: tuple[Card, ...]) -> Worth:
    """What five cards are worth: the place of their kind among the labels, and the ranks as they decide."""
    often = Counter(card.rank for card in cards)
    ranks = sorted(often, key=lambda rank: (often[rank], rank), reverse=True)
    kind = COUNTS[tuple(sorted(often.values(), reverse=True))]
    flush = len({card.suit for card in cards}) == 1
    straight = kind == 0 and (ranks[0] - ranks[4] == 4 or ranks == WHEEL)
    if straight:
        ranks = [5] if ranks == WHEEL else ranks[:1]
        kind = (9 if ranks == [14] else 8) if flush else 4
    elif flush:
        kind = 5
    return kind, ranks


def worth(*cards: Card) -> Worth:
    """What the best five of some cards are worth."""
    return max(map(five, combinations(cards, 5)))


def label(*cards: Card) -> str:
    return LABELS[worth(*cards)[0]]


# What it is played with.


@pytest.mark.rule("D-01")
def test_every_round_has_a_whole_deck_of_52_cards() -> None:
    fresh = GAME.fresh()
    assert fresh is not None and fresh.counts == (1,) * 52
    assert GAME.start().unseen == fresh
    assert GAME.definition.pack is not None and GAME.definition.pack.fresh_each_round
    two = GAME.configured(decks=2)
    assert two.differences == ("2 decks instead of 1",)
    assert two.standing == "modified: not as approved"


@pytest.mark.rule("D-22")
def test_the_approval_is_that_of_the_letter_and_names_its_equipment() -> None:
    approval = GAME.definition.approval
    assert approval is not None
    assert (approval.document, approval.submission) == ("002", "3039")
    assert approval.approved == datetime.date(2021, 5, 25)
    assert GAME.definition.rules == "2021-03-05"
    assert approval.venues == ("card room", "tribal casino")
    assert approval.equipment == (
        "Masque Card Reader",
        "Masque's Match The Dealer Progressive Table System, v005t or higher, for the Jackpot",
    )
    assert any("internal controls" in told for told in approval.conditions["card room"])
    assert any("Appendix A, Section 18" in told for told in approval.conditions["tribal casino"])


@pytest.mark.rule("D-22")
def test_a_table_with_our_own_reader_and_jackpot_says_so() -> None:
    limits = {**dict.fromkeys(SPOTS, Limits(500, 10_000)), "jackpot": Limits(100, 100)}
    del limits["play"]
    settings = TableSettings("under", "Room", GAME.name, limits, prize=1_000_000)
    assert standing(settings, GAME).words == "the approved rules, for training"
    told_of = [what.partition(":")[0] for what in warnings(settings, GAME)]
    assert told_of == ["Card reader", "Jackpot system"]


@pytest.mark.rule("D-08", "D-11", "D-12", "D-14")
def test_the_pay_tables_are_those_of_the_document() -> None:
    """Typed in once more, from the document and for the rows that it has lost from the specification."""
    tables = {wager: GAME.definition.tables(wager) for wager in GAME.definition.pay_tables}
    printed = {
        wager: {name: [str(one.pay) for one in table] for name, table in some.items()} for wager, some in tables.items()
    }
    assert printed["bet"] == {"1": ["500 to 1", "50 to 1", "10 to 1", "3 to 1", "3 to 2", "1 to 1", "push"]}
    trips = {
        "1": "50 40 30 9 7 4 3",
        "2": "50 40 30 8 6 5 3",
        "3": "50 40 30 8 7 4 3",
        "4": "100 40 30 7 6 5 3",
        "5": "50 40 20 7 6 5 3",
    }
    assert printed["trips_or_better"] == {name: [f"{n} to 1" for n in row.split()] for name, row in trips.items()}
    match = {"1": "250 25 10 2", "2": "500 25 10 2", "3": "25 10 7 3", "4": "50 10 7 3"}
    assert printed["match_the_dealer"] == {name: [f"{n} to 1" for n in row.split()] for name, row in match.items()}
    flop = ["100 % of meter", "10 % of meter", "300 for 1", "50 for 1", "40 for 1", "30 for 1", "9 for 1"]
    assert printed["jackpot"] == {
        "1": ["100 % of meter", "5 % of meter", "3,000 for 1", "250 for 1", "100 for 1", "10 for 1"],
        "2": flop,
        "3": [*flop, "$1,000", "$300"],
    }
    kinds = [*reversed(LABELS)]
    assert list(tables["bet"]["1"].names) == [*kinds[:6], "All other hands"]
    assert all(list(table.names) == kinds[:7] for table in tables["trips_or_better"].values())
    assert list(tables["jackpot"]["3"].names) == [*kinds[:7], "Envy, royal flush", "Envy, straight flush"]


# Wagers.


@pytest.mark.rule("D-02")
def test_ante_and_bet_open_and_play_does_not() -> None:
    assert GAME.start().next == Bet("open", ("ante", "bet", "trips_or_better", "match_the_dealer", "jackpot"))
    assert [name for name, wager in GAME.wagers.items() if wager.required] == ["base"]


@pytest.mark.rule("D-02")
@pytest.mark.parametrize(
    "bonuses", [{}, {"trips_or_better": 1}, {"match_the_dealer": 250}, {"trips_or_better": 3, "match_the_dealer": 7}]
)
def test_a_bonus_wager_is_free_and_of_any_size(bonuses: dict[str, int]) -> None:
    round = started({S1: bets(10, **bonuses)}).after(Close())
    assert round.wagers == {(S1, spot): amount for spot, amount in bets(10, **bonuses).items()}


@pytest.mark.rule("D-13")
def test_the_dealer_has_the_spots_sensed_clockwise_before_the_first_card() -> None:
    cards = staged({S1: "AsKs", S2: "2c7d", S3: "9h9d", S7: "3c4c"}, "5d6d", "ThJhQc2s8s")
    wagers = {S1: bets(jackpot=1), S2: bets(), S3: bets(jackpot=1), S7: bets(jackpot=1)}
    lines = play(cards, dict.fromkeys(wagers, "3x"), wagers, sensed="lit, not lit, lit").story
    sensed = lines.index("betting closes")
    assert lines[sensed : sensed + 8] == [
        "betting closes",
        "say No more bets.",
        "move jackpot sensing to triggered",
        "the dealer may lit, not lit: lit",
        "the dealer may lit, not lit: not lit",
        "seat 3 jackpot 1 returned, paid push: Spot did not light (D-13)",
        "the dealer may lit, not lit: lit",
        "move seat 1's Jackpot chips to taken",
    ]


@pytest.mark.rule("D-13")
def test_chips_on_a_spot_that_stays_dark_are_no_wager() -> None:
    """Not even a flopped royal flush pays them, and nobody envies it."""
    royal = staged({S1: "AsKs", S2: "2c7d"}, "5d6d", "TsJsQs2h8h")
    wagers = {S1: bets(jackpot=5), S2: bets(jackpot=5)}
    game = GAME.configured(pay={"jackpot": "3"})
    played = play(royal, {S1: "3x", S2: "3x"}, wagers, game, "not lit, lit")
    assert played.of(S1)["jackpot"] == Settlement(
        S1, "jackpot", "Spot did not light", PUSH, Stake.RETURNED, Fraction(5), "D-13"
    )
    assert played.of(S1)["ante"].net() == 10
    assert played.of(S2)["jackpot"].line == "No line"
    assert played.envy(S2) == []


@pytest.mark.rule("D-13")
def test_without_a_jackpot_wager_nothing_is_sensed() -> None:
    assert started({S1: bets(trips_or_better=5)}).after(Close()).next == Deal(own(S1)[0], "seat 1")


# The deal.


@pytest.mark.rule("D-01", "D-03")
def test_cards_go_out_one_at_a_time_clockwise_and_the_dealers_last() -> None:
    wagers: dict[Seat, Bets] = {S1: bets(), S2: {}, S3: bets(), S7: bets()}
    cards = staged({S1: "2c3c", S3: "4c5c", S7: "6c7c"}, "8dTd", "9hJhKs2s4s")
    lines = play(cards, {S1: "2x", S3: "3x", S7: "2x"}, wagers).story
    closed = lines.index("betting closes")
    assert lines[closed + 1 : closed + 20] == [
        "say No more bets.",
        "deal seat 1 card 1 to seat 1",
        "deal seat 3 card 1 to seat 3",
        "deal seat 7 card 1 to seat 7",
        "deal dealer 1 to dealer",
        "deal seat 1 card 2 to seat 1",
        "deal seat 3 card 2 to seat 3",
        "deal seat 7 card 2 to seat 7",
        "deal dealer 2 to dealer",
        "read dealer 1: medium",
        "move dealer 1 to medium",
        "read dealer 2: large",
        "move dealer 2 to large",
        "turn seat 1 card 1 to 1: 2c",
        "turn seat 1 card 2 to 1: 3c",
        "turn seat 3 card 1 to 3: 4c",
        "turn seat 3 card 2 to 3: 5c",
        "turn seat 7 card 1 to 7: 6c",
        "turn seat 7 card 2 to 7: 7c",
    ]


@pytest.mark.rule("D-03")
def test_every_card_is_dealt_face_down() -> None:
    dealing = started({S1: bets(), S2: bets()})
    for _, _, round in going(dealing, staged({S1: "2c3c", S2: "4c5c"}, "8dTd", "9hJhKs2s4s"), {}):
        if isinstance(round.next, Read):
            break
    assert {str(token): face.card for token, face in round.cards.items()} == {
        "seat 1 card 1": None,
        "seat 2 card 1": None,
        "dealer 1": None,
        "seat 1 card 2": None,
        "seat 2 card 2": None,
        "dealer 2": None,
    }
    assert round.unseen == GAME.fresh()


# The card reader.


@pytest.mark.rule("D-04")
def test_the_three_bands_are_2_to_5_and_6_to_9_and_10_to_ace() -> None:
    ranks = {band.name: sorted({card.rank for card in band}) for band in BANDS}
    assert ranks == {"small": [2, 3, 4, 5], "medium": [6, 7, 8, 9], "large": [10, 11, 12, 13, 14]}


@pytest.mark.rule("D-04")
@pytest.mark.parametrize("card", SUITED_CARDS, ids=str)
def test_each_dealers_card_is_read_and_laid_in_the_place_of_its_band(card: Card) -> None:
    band = "small" if card.rank <= 5 else "medium" if card.rank <= 9 else "large"
    other = Card("6c") if card is not Card("6c") else Card("6d")
    rest = iter(c for c in SUITED_CARDS if c not in (card, other))
    for dealer in ((card, other), (other, card)):
        cards = dict(zip(DEALER, dealer, strict=True)) | {token: next(rest) for token in own(S1)}
        round = until(cards, {}, {S1: bets()})
        places = [round.cards[token].place for token in DEALER]
        assert places == [band if c is card else "medium" for c in dealer]
        assert [str(round.cards[token]) for token in DEALER] == places


@pytest.mark.rule("D-04")
@pytest.mark.parametrize(("first", "second"), product(BANDS, repeat=2), ids=str)
def test_while_seats_act_a_dealers_card_may_be_any_card_of_its_band(first: object, second: object) -> None:
    example = {SMALL: "3c 4d", MEDIUM: "7c 8d", LARGE: "Jc Qd"}
    one, two = parse_cards(example[first])[0], parse_cards(example[second])[1]  # type: ignore[index]
    cards = staged("2hKh", f"{one}{two}", "5s9sTs2s6s")
    before = until(cards, {}, {S1: bets()})
    after = until(cards, {S1: "check"}, {S1: bets()})
    for round, seen in ((before, "2hKh"), (after, "2hKh5s9sTs")):
        assert round.unseen is not None
        for token, band in zip(DEALER, (first, second), strict=True):
            assert round.cards[token].card is None and not round.cards[token].seen_by
            possible = [card for card in SUITED_CARDS if card in band and card not in parse_cards(seen)]  # type: ignore[operator]
            assert round.chances(token, round.unseen) == dict.fromkeys(possible, 1)


@pytest.mark.rule("D-04", "D-07")
def test_two_rounds_that_differ_in_the_dealers_cards_alone_are_one_until_these_are_turned() -> None:
    hands = {S1: "2hKh", S2: "8h8s"}
    choices = {S1: "check, 1x", S2: "3x"}
    wagers = dict.fromkeys(hands, bets(trips_or_better=5, match_the_dealer=5, jackpot=1))
    rounds = [play(staged(hands, dealer, "5s9sTs2s6s"), choices, wagers).steps for dealer in ("3cKd", "2cTd", "5dAs")]
    for steps in zip(*rounds, strict=True):
        (step, _, first), *others = steps
        if isinstance(step, Turn) and step.token == DEALER[0]:
            break
        assert all(round == first for _, _, round in others)
        assert all(round.info(seat) == first.info(seat) for _, _, round in others for seat in hands)
    else:
        raise AssertionError("the dealer's cards were never turned")


@pytest.mark.rule("D-04", "D-05")
def test_a_seats_cards_are_turned_to_that_seat_alone() -> None:
    round = until(staged({S1: "2hKh", S2: "8h8s"}, "3cKd", "5s9sTs2s6s"), {}, {S1: bets(), S2: bets()})
    for seat in (S1, S2):
        assert all(round.cards[token].seen_by == {seat} for token in own(seat))
    known = {name: card for name, card, _ in round.info(S2).cards}
    assert known == {"card 1": Card("8h"), "card 2": Card("8s"), "dealer 1": None, "dealer 2": None}


# Before the flop.


@pytest.mark.rule("D-05")
@pytest.mark.parametrize(("choice", "wagered"), [("check", 0), ("2x", 40), ("3x", 60)])
def test_a_seat_checks_or_makes_play_of_twice_or_three_times_its_ante(choice: str, wagered: int) -> None:
    round = until(staged("2hKh", "3cQd", "5s9sTs2s6s"), {}, {S1: bets(20)})
    assert asked(round.next) == ([S1], ["check", "2x", "3x"])
    after = round.after(Decide(S1, choice))
    assert after.stake(S1, "play") == wagered
    assert {spot: after.stake(S1, spot) for spot in ("ante", "bet")} == {"ante": 20, "bet": 20}
    assert after.next == Deal(FLOP[0], "board")


@pytest.mark.rule("D-05")
def test_seats_decide_one_after_the_other_clockwise() -> None:
    hands = {S1: "2hKh", S3: "8h8s", S7: "QcJc"}
    cards = staged(hands, "3cKd", "5s9sTs2s6s")
    played = play(cards, dict.fromkeys(hands, "check, 1x"))
    order = [asked(step)[0] for step, *_ in played.steps if isinstance(step, Choose)]
    assert order == [[S1], [S3], [S7]] * 2


@pytest.mark.rule("D-05", "D-06")
def test_by_the_other_reading_seats_decide_all_at_once_in_any_order() -> None:
    hands = {S1: "2hKh", S3: "8h8s", S7: "QcJc"}
    cards, wagers = staged(hands, "3cKd", "5s9sTs2s6s"), dict.fromkeys(hands, bets())
    round = until(cards, {}, wagers, TOGETHER)
    deciding = [*hands]
    for seat, choice in ((S7, "check"), (S1, "2x"), (S3, "check")):
        assert asked(round.next) == (deciding, ["check", "2x", "3x"])
        round = round.after(Decide(seat, choice))
        deciding.remove(seat)
    assert round.next == Deal(FLOP[0], "board")
    *_, (_, _, round) = going(round, cards, {})
    assert asked(round.next) == ([S3, S7], ["fold", "1x"])
    *_, (_, _, last) = going(round, cards, {S3: "1x", S7: "fold"})
    assert last.over


@pytest.mark.rule("D-05", "D-06")
@pytest.mark.parametrize("choices", product(["2x", "3x", "check, 1x", "check, fold"], repeat=2), ids=str)
def test_the_order_of_action_does_not_change_what_is_won(choices: tuple[str, str]) -> None:
    cards = staged({S1: "2hKh", S2: "8h8s"}, "3cKd", "5s9sTs2s6s")
    told_what = dict(zip((S1, S2), choices, strict=True))
    wagers = bets(trips_or_better=5, match_the_dealer=5)
    clockwise, together = (play(cards, told_what, wagers, game) for game in (GAME, TOGETHER))
    assert [clockwise.of(seat) for seat in told_what] == [together.of(seat) for seat in told_what]


# The flop.


@pytest.mark.rule("D-06")
def test_three_community_cards_are_dealt_and_turned_when_all_have_acted() -> None:
    cards = staged({S1: "2hKh", S2: "8h8s"}, "3cKd", "5s9sTs2s6s")
    lines = play(cards, {S1: "check, 1x", S2: "check, fold"}).story
    flopped = lines.index("seat 2 may check, 2x, 3x: check")
    assert lines[flopped + 1 : flopped + 9] == [
        "deal flop 1 to board",
        "deal flop 2 to board",
        "deal flop 3 to board",
        "turn flop 1 to all: 5s",
        "turn flop 2 to all: 9s",
        "turn flop 3 to all: Ts",
        "seat 1 may fold, 1x: 1x",
        "seat 2 may fold, 1x: fold",
    ]


@pytest.mark.rule("D-06")
def test_a_seat_without_play_folds_or_makes_play_of_one_ante() -> None:
    round = until(staged("2hKh", "3cQd", "5s9sTs2s6s"), {S1: "check"}, {S1: bets(20)})
    assert asked(round.next) == ([S1], ["fold", "1x"])
    assert round.after(Decide(S1, "1x")).wagers == {(S1, "ante"): 20, (S1, "bet"): 20, (S1, "play"): 20}
    folded = round.after(Decide(S1, "fold"))
    assert folded.wagers == {} and folded.over
    assert [told(effect) for effect in folded.effects][:2] == [
        "seat 1 ante 20 taken: Fold (D-06)",
        "seat 1 bet 20 taken: Fold (D-06)",
    ]


@pytest.mark.rule("D-06")
@pytest.mark.parametrize("choices", product(["2x", "3x", "check, 1x", "check, fold"], repeat=3), ids=str)
def test_only_seats_without_play_are_asked_again_and_the_dealer_turns_when_all_have_acted(
    choices: tuple[str, str, str],
) -> None:
    cards = staged({S1: "2hKh", S2: "8h8s", S3: "QcJc"}, "3cKd", "5s9sTs2s6s")
    steps = play(cards, dict(zip((S1, S2, S3), choices, strict=True))).steps
    kinds = [step for step, *_ in steps]
    again = [asked(step)[0] for step in kinds if isinstance(step, Choose) and asked(step)[1] == ["fold", "1x"]]
    assert again == [[Seat(n)] for n, choice in enumerate(choices, start=1) if choice.startswith("check")]
    dealers = [n for n, step in enumerate(kinds) if isinstance(step, Turn) and step.token in DEALER]
    last_choice = max(n for n, step in enumerate(kinds) if isinstance(step, Choose))
    assert all(n > last_choice for n in dealers)
    assert bool(dealers) == any(not choice.endswith("fold") for choice in choices)


# The showdown.


@pytest.mark.rule("D-07", "D-08")
def test_the_dealers_cards_are_turned_then_turn_and_river_together_then_the_hand_is_called() -> None:
    cards = staged({S1: "2hKh", S2: "8h8s"}, "3cKd", "5s9sTs2s6s")
    lines = play(cards, {S1: "3x", S2: "2x"}).story
    shown = lines.index("turn flop 3 to all: Ts")
    assert lines[shown + 1 : shown + 12] == [
        "turn dealer 1 to all: 3c",
        "turn dealer 2 to all: Kd",
        "deal turn to board",
        "deal river to board",
        "turn turn to all: 2s",
        "turn river to all: 6s",
        "say Dealer has a flush, ten high.",
        "turn seat 2 card 1 to all: 8h",
        "turn seat 2 card 2 to all: 8s",
        "turn seat 1 card 1 to all: 2h",
        "turn seat 1 card 2 to all: Kh",
    ]


CALLS = {
    "a royal flush": ("AsKs", "QsJsTs2h3h"),
    "a straight flush, nine high": ("9s8s", "7s6s5s2h3h"),
    "four of a kind, nines": ("9s9h", "9c9d5s2h3h"),
    "a full house, kings over fours": ("KsKh", "Kd4s4h2c7d"),
    "a flush, ace high": ("AhTh", "2h5h9hKsKd"),
    "a straight, five high": ("As2h", "3c4d5h9sJc"),
    "three of a kind, sixes": ("6s6h", "6cJdKh2c3s"),
    "two pair, aces and twos": ("As2h", "AcJdKh2c7s"),
    "a pair of jacks": ("JsTh", "Jc8dKh2c3s"),
    "king high": ("9sTh", "4c8dKh2c3s"),
}


@pytest.mark.rule("D-08")
@pytest.mark.parametrize("called", CALLS)
def test_the_dealer_calls_the_best_hand(called: str) -> None:
    dealer, board = CALLS[called]
    played = play(staged("QdJc" if "Jc" not in board else "QdTc", dealer, board), "2x")
    assert [effect.text for effect in played.effects if isinstance(effect, Call)][-1] == f"Dealer has {called}."


@pytest.mark.rule("D-01", "D-08")
def test_seats_are_settled_counter_clockwise_and_in_a_seat_in_the_order_of_the_wagers() -> None:
    hands = {S1: "2hKh", S2: "8h8s", S7: "QcJc"}
    every = bets(trips_or_better=5, match_the_dealer=5, jackpot=1)
    cards = staged(hands, "3cKd", "5s9sTs2s6d")
    played = play(cards, {S1: "3x", S2: "check, fold", S7: "check, 1x"}, every)
    order = [(s.seat, s.spot) for s in played.settlements]
    assert order == [
        (S2, "ante"),
        (S2, "bet"),
        *((S7, spot) for spot in SPOTS),
        *((S2, spot) for spot in SPOTS[3:]),
        *((S1, spot) for spot in SPOTS),
    ]


WINNING = {
    "Royal flush": ("AsKs", "2c2d", "QsJsTs3h4h"),
    "Straight flush": ("9s8s", "2c2d", "7s6s5s3h4h"),
    "Four of a kind": ("9s9h", "2c2d", "9c9d5s3h4h"),
    "Full house": ("KsKh", "2c3d", "Kd4s4h8c7d"),
    "Flush": ("AhTh", "2c2d", "3h5h9hKsQd"),
    "Straight": ("As2h", "KcQc", "3c4d5h9sJc"),
    "Three of a kind": ("6s6h", "2d3d", "6cJdKh9c7s"),
    "Two pair": ("As2h", "3d4d", "AcJdKh2c7s"),
    "Pair": ("JsTh", "4d5c", "Jc8dKh2c3s"),
    "High card": ("AsTh", "5d6c", "4cQdKh2c9s"),
}
BET_PAYS = {
    "Royal flush": Fraction(500),
    "Straight flush": Fraction(50),
    "Four of a kind": Fraction(10),
    "Full house": Fraction(3),
    "Flush": Fraction(3, 2),
    "Straight": Fraction(1),
}


@pytest.mark.rule("D-08")
@pytest.mark.parametrize(("choice", "times"), [("3x", 3), ("2x", 2), ("check, 1x", 1)])
@pytest.mark.parametrize("kind", WINNING)
def test_a_better_hand_wins_even_money_on_ante_and_play_and_the_bet_by_its_line(
    kind: str, choice: str, times: int
) -> None:
    played = play(staged(*WINNING[kind]), choice)
    bet = played.of()["bet"]
    assert played.net() == {"ante": 10, "bet": 10 * BET_PAYS.get(kind, Fraction(0)), "play": 10 * times}
    assert bet.line == (kind if kind in BET_PAYS else "All other hands")
    assert (bet.pay == PUSH) == (kind not in BET_PAYS)
    assert {played.of()[spot].pay for spot in ("ante", "play")} == {Odds("to", 1, 1)}
    assert {settled.stake for settled in played.of().values()} == {Stake.RETURNED}
    assert {settled.rule for settled in played.of().values()} == {"D-08"}


LOSING = {
    "with nothing": ("2c7d", "AsKh", "4s9dJc3h8s"),
    "with a straight flush against a higher one": ("5s6s", "TsJs", "7s8s9s2d2h"),
    "with four of a kind against a straight flush": ("9d9h", "TsJs", "7s8s9s9c2h"),
    "by a kicker": ("AsQh", "AdKh", "Ac7s4d2c9h"),
    "with the lower straight": ("4c9d", "9cTd", "5s6d7h8cKd"),
    "with the wheel against six high": ("Ac9d", "6cKd", "2s3d4h5cJd"),
}


@pytest.mark.rule("D-08")
@pytest.mark.parametrize("choice", ["3x", "check, 1x"])
@pytest.mark.parametrize("how", LOSING)
def test_a_worse_hand_loses_ante_bet_and_play(how: str, choice: str) -> None:
    played = play(staged(*LOSING[how]), choice)
    times = 3 if choice == "3x" else 1
    assert played.net() == {"ante": -10, "bet": -10, "play": -10 * times}
    assert {(s.line, s.stake, s.rule) for s in played.settlements} == {("Dealer's hand is better", Stake.TAKEN, "D-08")}


TIES = {
    "the board is a royal flush": ("2c3d", "4c5d", "AsKsQsJsTs"),
    "the board is a straight": ("2c2d", "3c3d", "5s6d7h8c9d"),
    "one pair with the same kickers": ("AsQh", "AdQc", "AcKs7d4c2h"),
    "the same flush on the board": ("2d3d", "4c5c", "AsKs9s8s7s"),
    "two pair on the board and its ace": ("2d3d", "4c5c", "AsKsKd8s8d"),
}


@pytest.mark.rule("D-08")
@pytest.mark.parametrize("choice", ["3x", "2x", "check, 1x"])
@pytest.mark.parametrize("how", TIES)
def test_equal_hands_push_ante_bet_and_play_whatever_they_are(how: str, choice: str) -> None:
    played = play(staged(*TIES[how]), choice)
    assert played.net() == dict.fromkeys(BASE, 0)
    assert {(s.line, s.pay, s.stake) for s in played.settlements} == {("Tie", PUSH, Stake.RETURNED)}


@pytest.mark.rule("D-08")
def test_the_dealer_never_needs_to_qualify() -> None:
    """The lowest hand that seven cards can be, nine high, plays like any other: it is beaten, tied and better."""
    hands = {S1: "9s2d", S2: "2h3h", S3: "Td6s"}
    lowest = play(staged(hands, "2c3d", "9d8c7h5s4c"), dict.fromkeys(hands, "3x"))
    assert label(*parse_cards("2c3d9d8c7h5s4c")) == "High card"
    assert [effect.text for effect in lowest.effects if isinstance(effect, Call)][-1] == "Dealer has nine high."
    assert lowest.net(S1) == {"ante": 10, "bet": 0, "play": 30}
    assert lowest.net(S2) == {"ante": 0, "bet": 0, "play": 0}
    assert lowest.net(S3) == {"ante": 10, "bet": 10, "play": 30}


@pytest.mark.rule("D-08", "D-11")
def test_deals_at_random_are_settled_as_a_plain_evaluator_says() -> None:
    random, seen = Random(2), Counter[int]()
    for _ in range(150):
        cards = shuffled(random, 3)
        choices = {seat: random.choice(["3x", "2x", "check, 1x"]) for seat in (S1, S2, S3)}
        played = play(cards, choices, bets(trips_or_better=1))
        board = [cards[token] for token in (*FLOP, *TURN_AND_RIVER)]
        dealer = worth(*(cards[token] for token in DEALER), *board)
        for seat, choice in choices.items():
            mine = worth(*(cards[token] for token in own(seat)), *board)
            sign = (mine > dealer) - (mine < dealer)
            kind, times = LABELS[mine[0]], int(choice[-2])
            bet = BET_PAYS.get(kind, Fraction(0)) if sign > 0 else sign
            trips = dict(zip(LABELS[3:], (3, 4, 7, 9, 30, 40, 50), strict=True)).get(kind, -1)
            expected = {"ante": 10 * sign, "bet": 10 * bet, "play": 10 * times * sign, "trips_or_better": trips}
            assert played.net(seat) == expected
            seen[sign] += 1
    assert min(seen[sign] for sign in (-1, 0, 1)) > 5


@pytest.mark.rule("D-03", "D-06", "D-07", "D-08")
def test_in_which_order_the_cards_of_a_hand_the_flop_or_turn_and_river_fall_does_not_matter() -> None:
    random, every = Random(6), bets(trips_or_better=5, match_the_dealer=5, jackpot=1)
    for option in ("1", "2"):
        game = GAME.configured(pay={"jackpot": option})
        for _ in range(15):
            cards, seen = shuffled(random, 2), []
            for _ in range(3):
                played = play(cards, {S1: "3x", S2: "check, fold"}, every, game)
                seen.append([played.of(seat) for seat in (S1, S2)])
                for group in played.last.alike_cards():
                    fallen = [cards[token] for token in group]
                    cards |= zip(group, random.sample(fallen, len(group)), strict=True)
            assert seen[0] == seen[1] == seen[2]
