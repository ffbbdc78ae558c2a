"""The Jackpot wager: on which line a hand is paid, what several awards come to, who is envied, who confirms."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feltworks.floor.table.payouts import settled
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.floor.table.settings_check import check_settings
from feltworks.games.down_under_holdem.jackpot import Awards, awards, envy_line, house_awards, line_of, pay_of
from feltworks.kit.cards import RANKS, SUITED_CARDS, SUITS, Card, Seat, Token, parse_cards
from feltworks.kit.errors import BadValue, NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.odds import Amount, Larger, MeterShare, Odds
from feltworks.kit.steps import Call, Choose, Close, Deal, Decide, Move, Role, Settlement, Stake
from tests.floor.sitting import TODAY
from tests.games.down_under.test_round import GAME, SPOTS, asked, bets, five, going, label, play, staged, started
from tests.games.sitting import S1, S2, S3, told
from tests.kit.support import refused

OPTIONS = {name: GAME.configured(pay={"jackpot": name}) for name in ("1", "2", "3")}
TABLES = {name: game.pay_table("jackpot") for name, game in OPTIONS.items()}
SCALED = OPTIONS["3"].configured(readings={"envy_scales": "yes"})
LARGER = OPTIONS["1"].configured(readings={"community_royal": "larger"})
FLOPPED, IN_SEVEN = "Player flops royal flush", "Royal flush in player's 7-card hand"
COMMUNITY = "Community royal flush"
ROYALS = [{Card(rank + suit) for rank in "TJQKA"} for suit in SUITS]


# On which line a hand is paid.


def expected(option: str, hole: Sequence[Card], board: Sequence[Card]) -> str | None:
    """A second opinion, from the specification: what each line asks for, and sets of cards for royal flushes."""
    if option != "1":
        kind = label(*hole, *board[:3])
        paid = "Royal flush, Straight flush, Four of a kind, Full house, Flush, Straight, Three of a kind"
        return kind if kind in paid.split(", ") else None
    if any(royal <= {*hole, *board[:3]} for royal in ROYALS):
        return FLOPPED
    if any(royal <= {*hole, *board} and royal & {*hole} for royal in ROYALS):
        return IN_SEVEN
    if {*board} in ROYALS:
        return COMMUNITY
    kind = label(*hole, *board)
    return kind if kind in ("Straight flush", "Four of a kind", "Full house") else None


def agreed(hole: Sequence[Card], board: Sequence[Card]) -> list[str | None]:
    """The lines on which the options pay a hand, which is what the second opinion says."""
    lines = [line_of(table, hole, board) for table in TABLES.values()]
    assert lines == [expected(option, hole, board) for option in TABLES]
    return lines


@pytest.mark.rule("D-14", "D-15")
def test_deals_at_random_are_paid_as_the_lines_say() -> None:
    random = Random(14)
    pools = [
        SUITED_CARDS,
        [c for c in SUITED_CARDS if c.rank > 7 and c.suit in "cs"],
        [c for c in SUITED_CARDS if c.rank < 6],
        [c for c in SUITED_CARDS if c.rank > 7 and c.suit == "d"],
    ]
    seen = set[tuple[int, str | None]]()
    for pool in pools:
        for _ in range(500):
            cards = random.sample(pool, 7)
            seen.update(enumerate(agreed(cards[:2], cards[2:])))
    assert {line for option, line in seen if option == 1} == {*TABLES["2"].names, None}
    assert {line for option, line in seen if option == 0} >= {FLOPPED, IN_SEVEN, "Straight flush", "Full house", None}


def spread(run: Sequence[Card], fill: Sequence[Card]) -> Iterator[tuple[list[Card], list[Card]]]:
    """Every way in which five cards can lie in hand, flop, turn and river, with two others where there is room."""
    for hole in (some for size in range(3) for some in combinations(run, size)):
        left = [card for card in run if card not in hole]
        for flop in (some for size in range(len(left) - 2, min(3, len(left)) + 1) for some in combinations(left, size)):
            last, others = [card for card in left if card not in flop], iter(fill)
            board = [*flop, *islice(others, 3 - len(flop)), *last, *islice(others, 2 - len(last))]
            yield [*hole, *others], board


RUNS = [ranks for low in range(13) if len(ranks := ("A" + RANKS)[low : low + 5]) == 5]


@pytest.mark.rule("D-14", "D-15")
@pytest.mark.parametrize("ranks", RUNS)
def test_every_straight_flush_and_royal_flush_is_paid_wherever_its_cards_lie(ranks: str) -> None:
    random, ways = Random(ranks), 0
    for suit in SUITS:
        run = [Card(rank + suit) for rank in ranks]
        others = [card for card in SUITED_CARDS if card not in run]
        for hole, board in spread(run, random.sample(others, 2)):
            ways += 1
            first, second, third = agreed(hole, board)
            assert second == third
            if ranks == "TJQKA":
                assert first in (FLOPPED, IN_SEVEN, COMMUNITY)
    assert ways == 4 * (10 * 7 + 5 * 10 + 10)


@pytest.mark.rule("D-14", "D-15")
def test_a_royal_flush_by_option_1_in_all_its_ways() -> None:
    lines = [
        line_of(TABLES["1"], hole, board)
        for royal in ROYALS
        for hole, board in spread([*royal], low_cards_beside(royal))
    ]
    assert [lines.count(line) for line in (FLOPPED, IN_SEVEN, COMMUNITY)] == [40, 4 * (10 * 6 + 5 * 10), 40]


def low_cards_beside(royal: set[Card]) -> tuple[Card, ...]:
    """Two low cards of other suits."""
    return tuple(card for card in parse_cards("2c 2d 3h 3s") if card.suit not in {c.suit for c in royal})[:2]


@pytest.mark.rule("D-14")
def test_options_2_and_3_look_at_the_flop_and_option_1_at_the_whole_board() -> None:
    late = parse_cards("9c9d"), parse_cards("2h9h5s9sKd")
    assert agreed(*late) == ["Four of a kind", "Three of a kind", "Three of a kind"]
    later = parse_cards("9c9d"), parse_cards("2h7h5s9s9h")
    assert agreed(*later) == ["Four of a kind", None, None]
    lost = parse_cards("9cTc"), parse_cards("2c5cJc3d4d")
    assert agreed(*lost) == [None, "Flush", "Flush"]
    board = parse_cards("2c3d"), parse_cards("9c9d9h9sKd")
    assert agreed(*board) == ["Four of a kind", "Three of a kind", "Three of a kind"]


# What it is paid at the table.

HANDS: dict[str, dict[str, tuple[str, str, str, int]]] = {
    "1": {
        "Straight flush": ("8s9s", "3h3d", "5s6sKd7sKc", 250),
        "Four of a kind": ("9c9d", "3h3d", "2h7h5s9s9h", 100),
        "Full house": ("9c9d", "3h4d", "2h7h9s5s5h", 10),
        COMMUNITY: ("2c3d", "4h5d", "AsKsQsJsTs", 3_000),
    },
    "2": {
        "Four of a kind": ("9c9d", "3h3d", "9h7h9sKc2c", 300),
        "Full house": ("9c9d", "3h3d", "9hKd KsJc2c", 50),
        "Flush": ("9cTc", "3h3d", "2c5cJc3s4d", 40),
        "Straight": ("9cTd", "3h3d", "JcQs8hKs4d", 30),
        "Three of a kind": ("9c9d", "3h3d", "9h7hKsQc2c", 9),
    },
}
HANDS["3"] = HANDS["2"]


@pytest.mark.rule("D-14")
@pytest.mark.parametrize("wager", [1, 5, 20])
@pytest.mark.parametrize(("option", "line"), [(option, line) for option, hands in HANDS.items() for line in hands])
def test_pays_for_1_scale_with_the_wager_and_include_it(option: str, line: str, wager: int) -> None:
    *cards, pays = HANDS[option][line]
    played = play(staged(*cards), "3x", bets(jackpot=wager), OPTIONS[option])
    decided = played.of()["jackpot"]
    assert (decided.line, decided.pay, decided.rule) == (line, Odds("for", pays, 1), "D-14")
    assert decided.stake is Stake.TAKEN
    assert decided.net() == (pays - 1) * wager
    assert [s.spot for s in played.settlements].count("jackpot") == 1
    assert all(asked(step)[0] is not Role.SUPERVISOR for step, *_ in played.steps if isinstance(step, Choose))


@pytest.mark.rule("D-14")
@pytest.mark.parametrize("option", OPTIONS)
def test_a_hand_without_a_line_loses_the_wager_and_no_more(option: str) -> None:
    decided = play(staged("2c7d", "AsKh", "4s9dJc3h8s"), "3x", bets(jackpot=5), OPTIONS[option]).of()["jackpot"]
    assert told(decided) == "seat 1 jackpot 5 taken: No line (D-14)"
    assert decided.net() == -5


SHARES = {
    ("1", FLOPPED): ("AsKs", "3h3d", "TsJsQs7d7c", 100),
    ("1", IN_SEVEN): ("AsKs", "3h3d", "TsJs7dQs7c", 5),
    ("2", "Royal flush"): ("AsKs", "3h3d", "TsJsQs7d7c", 100),
    ("2", "Straight flush"): ("8s9s", "3h3d", "5s6s7sKdKc", 10),
    ("3", "Royal flush"): ("AsKs", "3h3d", "TsJsQs7d7c", 100),
    ("3", "Straight flush"): ("8s9s", "3h3d", "5s6s7sKdKc", 10),
}


@pytest.mark.rule("D-14", "D-18")
@pytest.mark.parametrize("wager", [1, 20])
@pytest.mark.parametrize(("option", "line"), SHARES)
def test_a_percentage_is_of_the_meter_whatever_the_wager(option: str, line: str, wager: int) -> None:
    *cards, percent = SHARES[option, line]
    decided = play(staged(*cards), "3x", bets(jackpot=wager), OPTIONS[option]).of()["jackpot"]
    assert (decided.line, decided.pay) == (line, MeterShare(Fraction(percent)))
    assert decided.net(meter=Fraction(50_000)) == 500 * percent - wager
    with pytest.raises(ValueError, match="what the meter shows must be given"):
        decided.net()


@pytest.mark.rule("D-14", "D-15")
@pytest.mark.parametrize("seed", range(4))
def test_at_the_table_a_wager_is_decided_once_on_the_line_of_its_hand(seed: int) -> None:
    random = Random(seed)
    for option, game in OPTIONS.items():
        for _ in range(8):
            tens = random.sample([card for card in SUITED_CARDS if card.rank > 8 and card.suit in "hs"], 9)
            text = ["".join(map(str, tens[n:m])) for n, m in ((0, 2), (2, 4), (4, 9))]
            decided = play(staged(*text), "3x", bets(jackpot=1), game).of()["jackpot"]
            assert decided.line == (expected(option, tens[:2], tens[4:]) or "No line")


# A royal flush on the board.


@pytest.mark.rule("D-15")
def test_a_community_royal_flush_pays_its_own_line_to_every_seat() -> None:
    cards = staged({S1: "2c3d", S2: "9h8h"}, "4h5d", "AsKsQsJsTs")
    played = play(cards, {S1: "3x", S2: "check, fold"}, bets(jackpot=5), OPTIONS["1"])
    for seat in (S1, S2):
        decided = played.of(seat)["jackpot"]
        assert decided.line == COMMUNITY
        assert decided.net() == 5 * 2_999


@pytest.mark.rule("D-15")
@pytest.mark.parametrize(
    ("meter", "wager", "won"),
    [
        (0, 1, 2_999),
        (59_999, 1, 2_999),
        (60_000, 1, 2_999),
        (60_020, 1, 3_000),
        (100_000, 1, 4_999),
        (299_999, 5, 14_995),
        (300_100, 5, 15_000),
        (1_300_000, 20, 64_980),
    ],
)
def test_by_the_other_reading_a_community_royal_flush_pays_5_percent_of_the_meter_if_that_is_more(
    meter: int, wager: int, won: int
) -> None:
    played = play(staged("2c3d", "4h5d", "AsKsQsJsTs"), "3x", bets(jackpot=wager), LARGER)
    decided = played.of()["jackpot"]
    assert decided.pay == Larger(Odds("for", 3_000, 1), MeterShare(Fraction(5)))
    assert (decided.line, decided.stake) == (COMMUNITY, Stake.TAKEN)
    assert decided.net(meter=Fraction(meter)) == won
    assert [asked(step)[0] for step, *_ in played.steps if isinstance(step, Choose)][-2:] == [
        Role.DEALER,
        Role.SUPERVISOR,
    ]


@pytest.mark.rule("D-15")
@pytest.mark.parametrize(("option", "line"), SHARES)
def test_the_reading_of_the_community_royal_touches_no_other_line(option: str, line: str) -> None:
    assert pay_of(TABLES[option], line, "larger") == pay_of(TABLES[option], line, "printed") == TABLES[option].pay(line)


@pytest.mark.rule("D-15")
@pytest.mark.parametrize("option", ["2", "3"])
def test_a_community_royal_flush_is_no_line_where_only_the_flop_counts(option: str) -> None:
    game = OPTIONS[option].configured(readings={"community_royal": "larger"})
    assert play(staged("2c3d", "4h5d", "AsKsQsJsTs"), "3x", bets(jackpot=1), game).of()["jackpot"].line == "No line"


# Several awards in one round.

MONEY = [1, 99, 1_000, 12_345, 100_000, 9_999_999]
SEEDS = [0, 50_000]


def share(percent: int) -> MeterShare:
    return MeterShare(Fraction(percent))


def paid_out(percents: Sequence[int], meter: int, seed: int, sequence: str, base: str) -> tuple[dict[int, int], int]:
    """A second opinion, with pencil and paper: what each is paid, by its number, and what the meter shows then."""
    turns = list(enumerate(percents))
    if sequence == "largest_first":
        turns = [turn for size in (100, 10, 5) for turn in turns if turn[1] == size]
    paid, shows = {}, meter
    for number, percent in turns:
        of = meter if base == "before_round" else shows
        paid[number] = of * percent // 100
        shows = seed if percent == 100 else max(0, shows - paid[number])
    return paid, shows


@pytest.mark.rule("D-16")
@pytest.mark.parametrize("base", ["standing", "before_round"])
@pytest.mark.parametrize("sequence", ["paying_order", "largest_first"])
def test_two_and_three_awards_come_to_what_pencil_and_paper_say(sequence: str, base: str) -> None:
    for size, meter, seed in product((1, 2, 3), MONEY, SEEDS):
        for percents in product((5, 10, 100), repeat=size):
            got = awards([share(p) for p in percents], meter, seed, sequence=sequence, base=base)
            paid, shows = paid_out(percents, meter, seed, sequence, base)
            assert got.paid == tuple(paid[number] for number in range(size))
            assert got.meter == shows
            assert all(type(cents) is int for cents in (*got.paid, got.meter, got.short))


BY_HAND = {
    ("paying_order", "standing", (10, 10)): Awards((10_000, 9_000), 81_000),
    ("paying_order", "before_round", (10, 10)): Awards((10_000, 10_000), 80_000),
    ("paying_order", "standing", (100, 10)): Awards((100_000, 5_000), 45_000),
    ("paying_order", "before_round", (100, 10)): Awards((100_000, 10_000), 40_000),
    ("paying_order", "standing", (10, 100)): Awards((10_000, 90_000), 50_000),
    ("paying_order", "before_round", (10, 100)): Awards((10_000, 100_000), 50_000, short=10_000),
    ("largest_first", "standing", (10, 100)): Awards((5_000, 100_000), 45_000),
    ("largest_first", "before_round", (10, 100)): Awards((10_000, 100_000), 40_000),
    ("largest_first", "standing", (10, 10)): Awards((10_000, 9_000), 81_000),
    ("paying_order", "standing", (5, 5, 5)): Awards((5_000, 4_750, 4_512), 85_738),
    ("largest_first", "standing", (5, 10, 100)): Awards((2_250, 5_000, 100_000), 42_750),
    ("paying_order", "before_round", (100, 100)): Awards((100_000, 100_000), 50_000, short=50_000),
}


@pytest.mark.rule("D-16")
@pytest.mark.parametrize(("sequence", "base", "percents"), BY_HAND, ids=str)
def test_awards_of_a_meter_of_1000_dollars_with_a_seed_of_500(
    sequence: str, base: str, percents: tuple[int, ...]
) -> None:
    got = awards([share(p) for p in percents], 100_000, 50_000, sequence=sequence, base=base)
    assert got == BY_HAND[sequence, base, percents]


@pytest.mark.rule("D-16")
@given(
    st.lists(st.sampled_from([5, 10, 100]), max_size=5),
    st.integers(0, 10**9),
    st.integers(0, 10**7),
    st.sampled_from(["paying_order", "largest_first"]),
)
def test_of_the_standing_meter_never_more_is_paid_than_it_holds(
    percents: list[int], meter: int, seed: int, sequence: str
) -> None:
    got = awards([share(p) for p in percents], meter, seed, sequence=sequence, base="standing")
    assert got.short == 0
    assert all(cents >= 0 for cents in got.paid) and got.meter >= 0
    assert sum(got.paid) + got.meter == meter + seed * percents.count(100)


@pytest.mark.rule("D-16")
@given(st.lists(st.sampled_from([5, 10, 100]), max_size=5), st.integers(0, 10**9), st.integers(0, 10**7))
def test_of_the_meter_before_the_round_the_order_changes_nothing_that_is_paid(
    percents: list[int], meter: int, seed: int
) -> None:
    shares = [share(p) for p in percents]
    first, second = (
        awards(shares, meter, seed, sequence=s, base="before_round") for s in ("paying_order", "largest_first")
    )
    assert first.paid == second.paid == house_awards(shares, meter)
    assert sum(first.paid) - first.short <= meter + seed * percents.count(100)


@pytest.mark.rule("D-16")
@pytest.mark.parametrize("base", ["standing", "before_round"])
def test_one_award_is_the_same_by_every_setting(base: str) -> None:
    for sequence, percent, meter in product(("paying_order", "largest_first"), (5, 10, 100), MONEY):
        got = awards([share(percent)], meter, 700, sequence=sequence, base=base)
        left = 700 if percent == 100 else meter - meter * percent // 100
        assert got == Awards((meter * percent // 100,), left)
    assert awards([], 500, 700, sequence="paying_order", base=base) == Awards((), 500)


@pytest.mark.rule("D-16")
def test_the_round_settles_every_percentage_award_in_paying_order() -> None:
    cards = staged({S1: "KsAs", S2: "2c7d", S3: "8s9s"}, "3h3d", "TsJsQsKdKc")
    played = play(cards, dict.fromkeys((S1, S2, S3), "3x"), bets(jackpot=1), OPTIONS["2"])
    won = [(s.seat, s.pay) for s in played.settlements if isinstance(s.pay, MeterShare)]
    assert won == [(S3, share(10)), (S1, share(100))]
    by_house = {
        base: awards([share(10), share(100)], 100_000, 50_000, sequence="paying_order", base=base).paid
        for base in ("standing", "before_round")
    }
    assert by_house == {"standing": (10_000, 90_000), "before_round": (10_000, 100_000)}


# A house jackpot.


@pytest.mark.rule("D-19")
def test_each_winner_of_a_house_jackpot_is_paid_of_the_whole_prize() -> None:
    assert house_awards([share(100), share(100), share(10)], 1_000_000) == (1_000_000, 1_000_000, 100_000)
    assert house_awards([share(5), share(10)], 999) == (49, 99)
    assert house_awards([], 1_000_000) == ()


def table(prize: int | None = 1_000_000, jackpot: Limits | None = None) -> TableSettings:
    limits = dict.fromkeys([spot for spot in SPOTS if spot != "play"], Limits(500, 10_000))
    return TableSettings(
        "under",
        "Room",
        GAME.name,
        {**limits, "jackpot": jackpot or Limits(100, 100)},
        pay={"jackpot": "3"},
        prize=prize,
    )


@pytest.mark.rule("D-19")
def test_a_table_books_the_prize_in_full_for_each_winner() -> None:
    cards = staged({S1: "8s9s", S2: "3s4s"}, "3h3d", "5s6s7sKdKc")
    played = play(cards, dict.fromkeys((S1, S2), "3x"), bets(1_000, jackpot=100), OPTIONS["3"])
    paid = {seat: settled(played.of(seat)["jackpot"], table(1_234_567)) for seat in (S1, S2)}
    assert [booked.paid for booked in paid.values()] == [123_456, 123_456]
    assert [booked.net for booked in paid.values()] == [123_356, 123_356]


@pytest.mark.rule("D-19")
def test_a_table_with_the_jackpot_wager_has_a_house_jackpot_or_a_progressive_and_never_both() -> None:
    with pytest.raises(BadValue, match="give the prize of a house jackpot, or name the progressive jackpot"):
        check_settings(table(prize=None), TODAY)
    with pytest.raises(BadValue, match="never both"):
        check_settings(replace(table(), jackpot="main"), TODAY)
    assert check_settings(replace(table(prize=None), jackpot="main"), TODAY).jackpots
    assert check_settings(table(), TODAY).title == "Down Under Hold'em"


@pytest.mark.rule("D-13")
@pytest.mark.parametrize(
    ("least", "most"), [(100, 500), (99, 99), (50, 50), (2_001, 2_001), (2_100, 2_100), (1, 2_000)], ids=str
)
def test_the_jackpot_wager_of_a_table_is_one_amount_from_1_to_20_dollars(least: int, most: int) -> None:
    with pytest.raises(BadValue, match=r"^Jackpot is one fixed amount from \$1 to \$20; give it as both limits\.$"):
        check_settings(table(jackpot=Limits(least, most)), TODAY)
    for cents in (100, 500, 2_000):
        check_settings(table(jackpot=Limits(cents, cents)), TODAY)


# Envy.

TWO_FLUSHES = staged({S1: "8s9s", S2: "3s4s", S3: "2c7d"}, "3h3d", "5s6s7sKdKc")
ROYAL_AND_FLUSH = staged({S1: "KsAs", S2: "8s9s", S3: "2c7d"}, "3h3d", "TsJsQsKdKc")


def envies(cards: Mapping[Token, Card], game: Game, **jackpots: int) -> dict[Seat, list[str]]:
    """What each seat is paid for the hands of others, if these seats have made the Jackpot wager."""
    wagers = {seat: bets(jackpot=jackpots[f"s{seat}"]) if f"s{seat}" in jackpots else bets() for seat in (S1, S2, S3)}
    played = play(cards, dict.fromkeys(wagers, "3x"), wagers, game)
    return {seat: [f"{s.line}: {s.pay}" for s in played.envy(seat)] for seat in wagers}


@pytest.mark.rule("D-17")
def test_every_other_seat_with_the_wager_is_paid_for_a_straight_flush() -> None:
    cards = staged({S1: "2c7d", S2: "8s9s", S3: "AhAd"}, "3h3d", "5s6s7sKdKc")
    for_2 = ["Envy, straight flush of seat 2: $300"]
    assert envies(cards, OPTIONS["3"], s1=1, s2=1, s3=1) == {S1: for_2, S2: [], S3: for_2}
    assert envies(cards, OPTIONS["3"], s1=1, s2=1) == {S1: for_2, S2: [], S3: []}
    assert envies(cards, OPTIONS["3"], s1=1, s3=1) == {S1: [], S2: [], S3: []}
    assert envies(cards, OPTIONS["3"], s2=1) == {S1: [], S2: [], S3: []}


@pytest.mark.rule("D-17")
def test_several_envies_add_up_and_are_never_for_ones_own_hand() -> None:
    for_1, for_2 = "Envy, straight flush of seat 1: $300", "Envy, straight flush of seat 2: $300"
    assert envies(TWO_FLUSHES, OPTIONS["3"], s1=1, s2=1, s3=1) == {S1: [for_2], S2: [for_1], S3: [for_2, for_1]}
    assert envies(TWO_FLUSHES, OPTIONS["3"], s1=1, s2=1) == {S1: [for_2], S2: [for_1], S3: []}
    royal = "Envy, royal flush of seat 1: $1,000"
    assert envies(ROYAL_AND_FLUSH, OPTIONS["3"], s1=5, s2=5, s3=5) == {S1: [for_2], S2: [royal], S3: [for_2, royal]}


@pytest.mark.rule("D-17")
@pytest.mark.parametrize("option", ["1", "2"])
def test_jackpot_options_without_an_envy_line_pay_none(option: str) -> None:
    for cards in (TWO_FLUSHES, ROYAL_AND_FLUSH):
        assert envies(cards, OPTIONS[option], s1=1, s2=1, s3=1) == {S1: [], S2: [], S3: []}


@pytest.mark.rule("D-14", "D-17")
def test_a_straight_flush_that_needs_turn_or_river_is_not_envied() -> None:
    cards = staged({S1: "8s9s", S2: "2c7d", S3: "AhAd"}, "3h3d", "5s6sKd7sKc")
    assert envies(cards, OPTIONS["3"], s1=1, s2=1, s3=1) == {S1: [], S2: [], S3: []}


@pytest.mark.rule("D-17")
def test_envy_is_paid_while_the_wager_stays_and_then_the_own_hand_decides_it() -> None:
    played = play(TWO_FLUSHES, dict.fromkeys((S1, S2, S3), "3x"), bets(jackpot=1), OPTIONS["3"])
    order = [(s.seat, s.line, s.stake, s.rule) for s in played.settlements if s.spot == "jackpot"]
    assert order == [
        (S3, "Envy, straight flush of seat 2", Stake.STAYS, "D-17"),
        (S3, "Envy, straight flush of seat 1", Stake.STAYS, "D-17"),
        (S3, "No line", Stake.TAKEN, "D-14"),
        (S2, "Envy, straight flush of seat 1", Stake.STAYS, "D-17"),
        (S2, "Straight flush", Stake.TAKEN, "D-14"),
        (S1, "Envy, straight flush of seat 2", Stake.STAYS, "D-17"),
        (S1, "Straight flush", Stake.TAKEN, "D-14"),
    ]


@pytest.mark.rule("D-17")
@pytest.mark.parametrize("dollars", [1, 5, 20])
@pytest.mark.parametrize(("game", "times"), [(OPTIONS["3"], 0), (SCALED, 1)], ids=["printed", "scaled"])
def test_envy_is_the_printed_amount_or_as_much_for_each_dollar(game: Game, times: int, dollars: int) -> None:
    """The same sum whether wagers are counted in dollars or in cents."""
    for unit in (1, 100):
        wager = dollars * unit
        played = play(ROYAL_AND_FLUSH, dict.fromkeys((S1, S2, S3), "3x"), bets(jackpot=wager), game)
        sums = {seat: sum(s.net(cents=100 // unit) for s in played.envy(seat)) for seat in (S1, S2, S3)}
        factor = unit * (dollars if times else 1)
        assert sums == {S1: 300 * factor, S2: 1_000 * factor, S3: 1_300 * factor}


@pytest.mark.rule("D-17")
def test_a_flop_gives_at_most_two_straight_flushes_and_never_two_royal_flushes() -> None:
    """Over every flop of one suit: the pairs of cards that make a straight flush of it, no card twice."""
    suited, most = [Card(rank + "s") for rank in RANKS], 0
    for flop in combinations(suited, 3):
        rest = [card for card in suited if card not in flop]
        made = [(pair, five((*pair, *flop))[0]) for pair in combinations(rest, 2)]
        pairs = [({*pair}, kind) for pair, kind in made if kind >= 8]
        assert sum(kind == 9 for _, kind in pairs) <= 1
        for pair, kind in pairs:
            line = envy_line(TABLES["3"], [*pair], flop)
            assert line == ("Envy, royal flush" if kind == 9 else "Envy, straight flush")
        for size in range(1, len(pairs) + 1):
            for some in combinations(pairs, size):
                if sum(len(pair) for pair, _ in some) == len(set().union(*(pair for pair, _ in some))):
                    most = max(most, size)
    assert most == 2


@pytest.mark.rule("D-17")
@pytest.mark.parametrize("option", OPTIONS)
def test_no_hand_but_a_straight_flush_is_envied(option: str) -> None:
    random = Random(17)
    for _ in range(200):
        cards = random.sample([card for card in SUITED_CARDS if card.rank > 7], 7)
        kind = label(*cards[:5])
        due = kind in ("Royal flush", "Straight flush") and option == "3"
        assert envy_line(TABLES[option], cards[:2], cards[2:]) == (f"Envy, {kind.lower()}" if due else None)


# Entering and confirming.


@pytest.mark.rule("D-18")
def test_an_award_is_entered_by_the_dealer_and_confirmed_by_the_supervisor_before_it_is_paid() -> None:
    cards = staged({S1: "8s9s", S2: "2c7d"}, "3h3d", "5s6s7sKdKc")
    played = play(cards, dict.fromkeys((S1, S2), "3x"), bets(jackpot=1), OPTIONS["3"])
    lines = played.story
    entered = lines.index("the dealer may enter the award: enter the award")
    assert lines[entered + 1 : entered + 3] == [
        "the supervisor may confirm the award: confirm the award",
        "seat 1 jackpot 1 taken, paid 10 % of meter: Straight flush (D-14)",
    ]
    assert lines[entered - 1] == "seat 1 play 30 returned, paid 1 to 1: Better hand (D-08)"
    assert played.last.over


@pytest.mark.rule("D-18")
def test_nobody_else_enters_or_confirms_and_nothing_else_happens_meanwhile() -> None:
    cards = staged({S1: "2c7d", S2: "8s9s"}, "3h3d", "5s6s7sKdKc")
    for _, _, round in going(
        started(dict.fromkeys((S1, S2), bets(jackpot=1)), OPTIONS["3"]), cards, {S1: "3x", S2: "3x"}
    ):
        if round.next is not None and isinstance(round.next, Choose) and asked(round.next)[1] == ["enter the award"]:
            break
    assert round.stake(S2, "jackpot") == 1
    for wrong in (Decide(Role.SUPERVISOR, "enter the award"), Decide(S2, "enter the award")):
        assert refused(round, wrong, NotAllowed) == "It is the turn of the dealer."
    refused(round, Decide(Role.DEALER, "confirm the award"), NotAllowed)
    entered = round.after(Decide(Role.DEALER, "enter the award"))
    assert entered.effects == () and entered.stake(S2, "jackpot") == 1
    for again in (Decide(Role.DEALER, "confirm the award"), Decide(S1, "confirm the award")):
        assert refused(entered, again, NotAllowed) == "It is the turn of the supervisor."
    confirmed = entered.after(Decide(Role.SUPERVISOR, "confirm the award"))
    paid = [effect for effect in confirmed.effects if isinstance(effect, Settlement)]
    assert (paid[0].seat, paid[0].spot, paid[0].line) == (S2, "jackpot", "Straight flush")
    assert {s.seat for s in paid[1:]} == {S1}


@pytest.mark.rule("D-18")
def test_two_awards_are_entered_and_confirmed_one_after_the_other() -> None:
    played = play(TWO_FLUSHES, dict.fromkeys((S1, S2, S3), "3x"), bets(jackpot=1), OPTIONS["2"])
    roles = [asked(step) for step, *_ in played.steps if isinstance(step, Choose) and isinstance(step.who, Role)]
    enter, confirm = (Role.DEALER, ["enter the award"]), (Role.SUPERVISOR, ["confirm the award"])
    assert roles == [(Role.DEALER, ["lit", "not lit"])] * 3 + [enter, confirm] * 2


# The wager.


@pytest.mark.rule("D-13")
def test_the_wager_is_in_from_the_sensing_on_and_lies_there_until_it_is_decided() -> None:
    cards = staged("8s9s", "3h3d", "5s6s7sKdKc")
    for _, _, round in going(started({S1: bets(jackpot=1)}), cards, {S1: "check, fold"}):
        decided = [s for s in round.effects if isinstance(s, Settlement) and s.spot == "jackpot"]
        assert bool(decided) == round.over
        assert round.stake(S1, "jackpot") == (0 if round.over else 1)


@pytest.mark.rule("D-13")
def test_the_dealer_triggers_the_sensing_and_takes_the_chips_of_the_lit_spots_before_the_first_card() -> None:
    closed = started({S1: bets(jackpot=1), S2: bets(jackpot=1), S3: bets()}).after(Close())
    assert closed.effects == (Call("No more bets."), Move("jackpot sensing", "triggered"))
    dark = closed.after(Decide(Role.DEALER, "not lit"))
    assert not any(isinstance(effect, Move) for effect in dark.effects)
    sensed = dark.after(Decide(Role.DEALER, "lit"))
    assert sensed.effects == (Move("seat 2's Jackpot chips", "taken"),)
    assert isinstance(sensed.next, Deal)
    assert [sensed.stake(seat, "jackpot") for seat in (S1, S2)] == [0, 1]


@pytest.mark.rule("D-13")
def test_without_a_jackpot_wager_nothing_is_sensed() -> None:
    closed = started({S1: bets()}).after(Close())
    assert closed.effects == (Call("No more bets."),)


@pytest.mark.rule("D-13")
def test_only_seats_with_a_jackpot_wager_are_in_the_jackpot() -> None:
    cards = staged({S1: "8s9s", S2: "3s4s"}, "3h3d", "5s6s7sKdKc")
    played = play(cards, dict.fromkeys((S1, S2), "3x"), {S1: bets(jackpot=1), S2: bets()}, OPTIONS["3"])
    assert "jackpot" not in played.of(S2) and played.envy(S1) == played.envy(S2) == []


@pytest.mark.rule("D-14")
def test_the_first_option_is_the_usual_one_and_each_is_as_approved() -> None:
    assert GAME.pay_table("jackpot") == TABLES["1"]
    assert {game.standing for game in OPTIONS.values()} == {"as approved"}
    assert [line for line in TABLES["3"] if not isinstance(line.pay, Amount)] == list(TABLES["2"])


@pytest.mark.rule("D-15", "D-16")
def test_a_community_royal_that_pays_the_larger_takes_from_the_meter_only_where_the_share_is_more() -> None:
    larger = Larger(Odds("for", 3000, 1), MeterShare(Fraction(5)))
    for meter, paid, left in [
        (5_000_000, (300_000, 300_000), 5_000_000),
        (8_000_000, (400_000, 380_000), 7_220_000),
        (6_100_000, (305_000, 300_000), 5_795_000),
    ]:
        found = awards([larger, larger], meter, 0, sequence="paying_order", base="standing", wager=100)
        assert found == Awards(paid, left)
