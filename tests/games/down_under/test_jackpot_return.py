"""What the Jackpot wager gives back, by the meter and by who else has made it."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.bonuses import jackpot_option_1, jackpot_options_2_and_3
from feltworks.games.down_under_holdem.enumerator.jackpot_return import JackpotReturn, Piece, plot
from feltworks.games.down_under_holdem.jackpot import COMMUNITY, FLOPPED, IN_SEVEN
from feltworks.kit.errors import BadDefinition, BadValue
from feltworks.kit.paytable import PayTable
from tests.games.down_under.support import not_folded
from tests.quick import SEED, share, sigmas

LINES_1 = (FLOPPED, IN_SEVEN, COMMUNITY, "Straight flush", "Four of a kind", "Full house")
PAYS_1 = ("100 % of meter", "5 % of meter", "3,000 for 1", "250 for 1", "100 for 1", "10 for 1")
LINES_2 = ("Royal flush", "Straight flush", "Four of a kind", "Full house", "Flush", "Straight", "Three of a kind")
PAYS_2 = ("100 % of meter", "10 % of meter", "300 for 1", "50 for 1", "40 for 1", "30 for 1", "9 for 1")
ENVY = {"Envy, royal flush": "$1,000", "Envy, straight flush": "$300"}

TABLE_1 = PayTable.from_mapping("1", dict(zip(LINES_1, PAYS_1, strict=True)))
TABLE_2 = PayTable.from_mapping("2", dict(zip(LINES_2, PAYS_2, strict=True)))
TABLE_3 = PayTable.from_mapping("3", {**dict(zip(LINES_2, PAYS_2, strict=True)), **ENVY})

ROYAL = Fraction(4, comb(52, 5))
CHANCES_1 = {
    FLOPPED: ROYAL,
    IN_SEVEN: 19 * ROYAL,
    COMMUNITY: ROYAL,
    "Straight flush": Fraction(37_260, comb(52, 7)),
    "Four of a kind": Fraction(224_848, comb(52, 7)),
    "Full house": Fraction(3_473_184, comb(52, 7)),
}
OPTION_1 = JackpotReturn(CHANCES_1, TABLE_1)
LARGER_1 = JackpotReturn(CHANCES_1, TABLE_1, community_royal_larger=True)
OPTION_2 = JackpotReturn(jackpot_options_2_and_3(), TABLE_2)
OPTION_3 = JackpotReturn(jackpot_options_2_and_3(), TABLE_3)
OPTIONS = (OPTION_1, LARGER_1, OPTION_2, OPTION_3)

SOME_LINES = {"Royal flush": Fraction(1, 100), "Flush": Fraction(1, 10)}


def of(pays: dict[str, str], **settings: bool | Fraction) -> JackpotReturn:
    """A small jackpot with two lines."""
    return JackpotReturn(SOME_LINES, PayTable.from_mapping("small", pays), **settings)  # type: ignore[arg-type]


# The return


@pytest.mark.rule("D-14", "D-20")
def test_the_fixed_return_of_option_2_counted_by_ranks() -> None:
    back = Counter[str]()
    for ranks in combinations_with_replacement(range(13), 5):
        times = sorted(Counter(ranks).values())
        ways = prod(comb(4, n) for n in times)
        run = len(set(ranks)) == 5 and (max(ranks) - min(ranks) == 4 or ranks == (0, 1, 2, 3, 12))
        flushes = 4 if len(times) == 5 else 0
        if times == [1, 4]:
            back["fixed"] += 300 * ways
        elif times == [2, 3]:
            back["fixed"] += 50 * ways
        elif times == [1, 1, 3]:
            back["fixed"] += 9 * ways
        elif run:
            back["fixed"] += 30 * (ways - flushes)
            back["shares"] += 4 * (100 if ranks[0] == 8 else 10)
        else:
            back["fixed"] += 40 * flushes
    assert OPTION_2.fixed_return == OPTION_3.fixed_return == Fraction(back["fixed"], comb(52, 5))
    assert OPTION_2.meter_share == OPTION_3.meter_share == Fraction(back["shares"], 100 * comb(52, 5))
    assert OPTION_2.fixed_return == Fraction(86183, 162435)
    assert OPTION_2.meter_share == Fraction(19, 6497400)


@pytest.mark.rule("D-14", "D-15", "D-20")
def test_the_return_of_option_1_by_the_known_counts_of_seven_cards() -> None:
    assert jackpot_option_1() == CHANCES_1
    # A royal flush lies in five of the seven places: one way it is hole cards and flop, one way the board.
    royals = Fraction(4 * comb(47, 2), comb(52, 7))
    assert royals == 21 * ROYAL
    others = Fraction(250 * 37_260 + 100 * 224_848 + 10 * 3_473_184, comb(52, 7))
    assert OPTION_1.fixed_return == 3_000 * royals / 21 + others == Fraction(510919, 1017926)
    assert OPTION_1.meter_share == royals / 21 + 19 * royals / 21 / 20 == Fraction(1, 333200)


@pytest.mark.rule("D-20")
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("others", [0, 2, 5])
def test_at_the_break_even_meter_the_whole_wager_comes_back_and_below_it_less(
    option: JackpotReturn, others: int
) -> None:
    meter = option.break_even_meter(others)
    assert meter is not None
    assert option.at(meter, others) == 1
    assert option.at(meter - 1, others) < 1 < option.at(meter + 1, others)


@pytest.mark.rule("D-20")
def test_the_jackpot_breaks_even_at_meters_of_about_150_to_166_thousand_wagers() -> None:
    assert OPTION_1.break_even_meter() == Fraction(101401400, 611)  # 165,960 wagers
    assert LARGER_1.break_even_meter() == (1 - OPTION_1.fixed_return + 3_000 * ROYAL) / (2 * ROYAL)  # 163,311
    assert OPTION_2.break_even_meter() == OPTION_3.break_even_meter() == Fraction(3050080, 19)  # 160,531
    assert OPTION_3.break_even_meter(2) == Fraction(2976080, 19)  # 156,636
    assert OPTION_3.break_even_meter(5) == Fraction(2865080, 19)  # 150,794


@pytest.mark.rule("D-20")
def test_the_return_of_the_jackpot_grows_with_the_meter_by_the_chance_of_its_shares() -> None:
    assert OPTION_1.at(0) == OPTION_1.fixed_return
    assert OPTION_1.at(100_000) == OPTION_1.fixed_return + 100_000 * OPTION_1.meter_share
    assert OPTION_2.pieces() == (Piece(Fraction(0), OPTION_2.fixed_return, OPTION_2.meter_share),)
    assert [round(float(option.at(100_000)), 6) for option in OPTIONS] == [0.802042, 0.80512, 0.822994, 0.822994]


@pytest.mark.rule("D-15", "D-20")
def test_a_community_royal_that_pays_the_larger_bends_the_return_at_sixty_thousand_wagers() -> None:
    low, high = LARGER_1.pieces()
    assert low == Piece(Fraction(0), OPTION_1.fixed_return, OPTION_1.meter_share)
    assert high == Piece(Fraction(60_000), OPTION_1.at(60_000), OPTION_1.meter_share + ROYAL / 20)
    for meter in (0, 59_999, 60_000):
        assert LARGER_1.at(meter) == OPTION_1.at(meter)
    assert LARGER_1.at(60_001) == OPTION_1.at(60_001) + ROYAL / 20
    # Beyond it, the same as if the line had always paid its share.
    always = PayTable.from_mapping(
        "always", dict(zip(LINES_1, (*PAYS_1[:2], "5 % of meter", *PAYS_1[3:]), strict=True))
    )
    assert LARGER_1.at(160_000) == JackpotReturn(CHANCES_1, always).at(160_000)


@pytest.mark.rule("D-15", "D-20")
def test_a_return_that_breaks_even_before_or_on_the_bend_does_so_there() -> None:
    chances = {FLOPPED: ROYAL, IN_SEVEN: 19 * ROYAL, COMMUNITY: ROYAL, "Flush": Fraction(1, 10)}
    for meter in (20_000, 60_000):
        pay = 10 * (1 - meter * ROYAL * Fraction(195, 100) - 3_000 * ROYAL)
        pays = (*PAYS_1[:3], f"{pay.numerator} for {pay.denominator}")
        table = PayTable.from_mapping("generous", dict(zip(chances, pays, strict=True)))
        for larger in (False, True):
            assert JackpotReturn(chances, table, community_royal_larger=larger).break_even_meter() == meter


@pytest.mark.rule("D-20")
def test_a_wager_that_is_always_worth_it_breaks_even_at_nothing_and_one_without_a_share_never() -> None:
    assert of({"Royal flush": "5 % of meter", "Flush": "10 for 1"}).break_even_meter() == 0
    assert of({"Royal flush": "5 % of meter", "Flush": "9 for 1"}).break_even_meter() == 200
    assert of({"Royal flush": "90 for 1", "Flush": "1 to 1"}).break_even_meter() == 0  # 90 + 20 hundredths
    assert of({"Royal flush": "70 for 1", "Flush": "1 to 1"}).break_even_meter() is None
    assert of({"Royal flush": "70 for 1", "Flush": "1 to 1"}).fixed_return == Fraction(9, 10)


def test_an_amount_for_the_own_hand_is_worth_less_to_a_larger_wager() -> None:
    pays = {"Royal flush": "$12.50", "Flush": "5 for 1"}
    assert of(pays).fixed_return == Fraction(1, 2) + Fraction(1, 8)
    assert of(pays, wager=Fraction(5)).fixed_return == Fraction(1, 2) + Fraction(1, 40)


@pytest.mark.slow
@pytest.mark.rule("D-09", "D-20")
def test_the_return_where_a_folded_hand_forfeits() -> None:
    forfeits = JackpotReturn(jackpot_option_1(not_folded()), TABLE_1)
    assert forfeits.fixed_return == Fraction(12736841441, 25753527800)
    assert forfeits.meter_share == ROYAL + Fraction(170883, 5853074500) / 20
    meter = forfeits.break_even_meter()
    assert meter is not None and forfeits.at(meter) == 1
    assert round(meter) == 168_542
    # With hole cards and flop alone no hand that is paid is ever folded.
    assert jackpot_options_2_and_3(not_folded()) == jackpot_options_2_and_3()


# Beside others


@pytest.mark.rule("D-17", "D-20")
def test_envy_is_worth_the_same_for_each_other_seat_that_plays() -> None:
    each = Fraction(4 * 1_000 + 36 * 300, comb(52, 5))
    assert [OPTION_3.envy(others) for others in range(4)] == [0, each, 2 * each, 3 * each]
    assert OPTION_3.at(1_000, 3) == OPTION_2.at(1_000) + 3 * each
    assert OPTION_1.envy(5) == OPTION_2.envy(5) == 0


@pytest.mark.rule("D-17")
def test_envy_that_does_not_scale_is_worth_less_to_a_larger_wager() -> None:
    chances = jackpot_options_2_and_3()
    printed = JackpotReturn(chances, TABLE_3, wager=Fraction(5))
    scaled = JackpotReturn(chances, TABLE_3, wager=Fraction(5), envy_scales=True)
    assert 5 * printed.envy(2) == scaled.envy(2) == OPTION_3.envy(2)
    assert printed.fixed_return == scaled.fixed_return == OPTION_3.fixed_return


@pytest.mark.rule("D-17", "D-20")
def test_seats_that_share_a_flop_win_as_often_each_but_not_apart_from_each_other() -> None:
    """Three seats, nine cards, and a line that pays when hole cards and flop add up to a multiple of five."""
    deck = range(9)
    won, some, deals = [0, 0, 0], 0, 0
    for board in combinations(deck, 3):
        left = set(deck) - set(board)
        for first in combinations(sorted(left), 2):
            for second in combinations(sorted(left - set(first)), 2):
                third = left - set(first) - set(second)
                hits = [(sum(board) + sum(hole)) % 5 == 0 for hole in (first, second, third)]
                won = [count + hit for count, hit in zip(won, hits, strict=True)]
                some, deals = some + any(hits), deals + 1
    chance = Fraction(sum(sum(five) % 5 == 0 for five in combinations(deck, 5)), comb(9, 5))
    assert [Fraction(count, deals) for count in won] == [chance] * 3
    assert Fraction(some, deals) != 1 - (1 - chance) ** 3


# Against a simulation


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("D-17", "D-20")
@pytest.mark.parametrize("others", [0, 2])
def test_a_wager_gives_back_beside_others_what_hands_do_that_are_dealt_at_random(others: int) -> None:
    """Hole cards and flop of three seats, and what they are worth, by sorted numbers alone."""
    deals = share(1_000_000, soak=20_000_000)
    chance, dealt = np.random.default_rng(SEED + 18), Counter[str]()
    for batch in (100_000,) * (deals // 100_000) + (deals % 100_000,):
        cards = chance.random((batch, 52)).argsort(axis=1)[:, :9]
        for seat in range(3):
            hands = plain_hands(cards[:, [2 * seat, 2 * seat + 1, 6, 7, 8]])
            dealt.update(
                {f"{'own' if seat == 0 else 'other'} {name}": int(found.sum()) for name, found in hands.items()}
            )
    chances = OPTION_3.chances
    for meter in map(Fraction, (0, 4_500, OPTION_3.break_even_meter(others) or 0)):
        pays = dict(zip(LINES_2, [meter, meter / 10, *map(Fraction, (300, 50, 40, 30, 9))], strict=True))
        own = sum((pay * dealt[f"own {line}"] for line, pay in pays.items()), Fraction(0))
        envy = Fraction(1_000 * dealt["other Royal flush"] + 300 * dealt["other Straight flush"], 2)
        exact = OPTION_3.at(meter, others)
        square = sum((pay**2 * chances[line] for line, pay in pays.items()), Fraction(0))
        square += others * (1_000**2 * chances["Royal flush"] + 300**2 * chances["Straight flush"])
        z = float((own + others * envy) / deals - exact) / sqrt(float(square - exact**2) / deals)
        assert abs(z) < sigmas(4), (meter, z)


def plain_hands(cards: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
    """Which of many hands of five cards, numbered from 0 to 51, is what."""
    ranks, suits = np.sort(cards // 4, axis=1), cards % 4
    same = ranks[:, 1:] == ranks[:, :-1]
    pairs, flush = same.sum(axis=1), (suits == suits[:, :1]).all(axis=1)
    wheel = (ranks == np.array([0, 1, 2, 3, 12])).all(axis=1)
    straight = (pairs == 0) & ((ranks[:, 4] - ranks[:, 0] == 4) | wheel)
    four = (pairs == 3) & (same[:, 1] & same[:, 2])
    three = (pairs == 2) & (same[:, :-1] & same[:, 1:]).any(axis=1)
    royal = straight & flush & (ranks[:, 0] == 8)
    return {
        "Royal flush": royal,
        "Straight flush": straight & flush & ~royal,
        "Four of a kind": four,
        "Full house": (pairs == 3) & ~four,
        "Flush": flush & ~straight,
        "Straight": straight & ~flush,
        "Three of a kind": three,
    }


# How often


@pytest.mark.rule("D-20")
def test_the_mean_number_of_rounds_between_two_pays_of_a_jackpot_line_is_one_over_its_chance() -> None:
    assert OPTION_1.rounds_between() == {
        FLOPPED: 649_740,
        IN_SEVEN: Fraction(649_740, 19),
        COMMUNITY: 649_740,
        "Straight flush": Fraction(290_836, 81),
        "Four of a kind": 595,
        "Full house": Fraction(27_965, 726),
    }
    assert OPTION_1.rounds_between_awards() == Fraction(649_740, 20)
    assert OPTION_3.rounds_between_awards() == Fraction(2_598_960, 40)
    assert OPTION_3.rounds_between(6)["Royal flush"] == Fraction(649_740, 6)
    assert OPTION_3.rounds_between_awards(6) == Fraction(64_974, 6)


@pytest.mark.rule("D-20")
def test_how_often_any_line_and_any_share_is_won() -> None:
    assert OPTION_3.hit_frequency == Fraction(4 + 36 + 624 + 3_744 + 5_108 + 10_200 + 54_912, comb(52, 5))
    assert OPTION_3.award_chance == Fraction(40, comb(52, 5))
    assert OPTION_1.award_chance == LARGER_1.award_chance == Fraction(20, 649_740)


def test_what_never_happens_has_no_rounds_between() -> None:
    never = JackpotReturn({"Royal flush": Fraction(0)}, PayTable.from_mapping("never", {"Royal flush": "5 % of meter"}))
    assert never.rounds_between() == {"Royal flush": None}
    assert never.rounds_between_awards() is None
    assert never.break_even_meter() is None


# Refusals


def test_chances_and_pay_table_must_have_the_same_lines() -> None:
    with pytest.raises(BadDefinition, match=r"'1' has the lines Player flops royal flush, .* the chances are of Royal"):
        JackpotReturn(jackpot_options_2_and_3(), TABLE_1)
    with pytest.raises(BadDefinition):
        of({"Royal flush": "5 % of meter"})


def test_envy_is_an_amount_for_a_line_that_the_table_has() -> None:
    pays = {"Royal flush": "5 % of meter", "Flush": "9 for 1"}
    with pytest.raises(BadDefinition, match="envy pays an amount, such as "):
        of({**pays, "Envy, royal flush": "100 for 1"})
    with pytest.raises(BadDefinition, match="for another's line"):
        of({**pays, "Envy, straight flush": "$300"})


@pytest.mark.parametrize("wager", [0, -1])
def test_the_wager_is_more_than_nothing(wager: int) -> None:
    with pytest.raises(BadValue, match="more than nothing"):
        JackpotReturn(CHANCES_1, TABLE_1, wager=Fraction(wager))


def test_nobody_counts_fewer_than_none() -> None:
    with pytest.raises(BadValue, match="fewer than no others"):
        OPTION_3.envy(-1)
    with pytest.raises(BadValue, match="at least one seat"):
        OPTION_3.rounds_between_awards(0)
    with pytest.raises(BadValue, match="never below nothing"):
        OPTION_3.at(-1)


# The picture


@pytest.mark.rule("D-20")
def test_the_plot_goes_from_an_empty_meter_to_beyond_every_break_even() -> None:
    found = plot({"Option 1": OPTION_1, "Option 2": OPTION_2, "Option 3": OPTION_3})
    assert list(found.lines) == [
        "Option 1",
        "Option 2; Option 3, no others",
        "Option 3, 2 others",
        "Option 3, 5 others",
    ]
    curves = ((OPTION_1, 0), (OPTION_2, 0), (OPTION_3, 2), (OPTION_3, 5))
    for points, (option, others) in zip(found.lines.values(), curves, strict=True):
        assert points == tuple((meter, 100 * option.at(meter, others)) for meter in (0, 210_000))
    assert [(mark.x, mark.y, mark.label) for mark in found.marks] == [
        (OPTION_1.break_even_meter(), 100, "165,960: Option 1"),
        (OPTION_2.break_even_meter(), 100, "160,531: Option 2; Option 3, no others"),
        (OPTION_3.break_even_meter(2), 100, "156,636: Option 3, 2 others"),
        (OPTION_3.break_even_meter(5), 100, "150,794: Option 3, 5 others"),
    ]
    assert found.level is not None
    assert list(found.level) == [100, "the whole wager"]
    assert found.notes[1] == (
        "Others have made the wager too, at the same table. "
        "Envy is $1,000 for a royal flush and $300 for a straight flush, at a wager of $1."
    )


@pytest.mark.rule("D-15", "D-20")
def test_the_plot_bends_where_the_return_does() -> None:
    [points] = plot({"Option 1": LARGER_1}).lines.values()
    assert points == tuple((meter, 100 * LARGER_1.at(meter)) for meter in (0, 60_000, 210_000))


def test_the_plot_names_the_wager_and_one_other() -> None:
    scaled = JackpotReturn(jackpot_options_2_and_3(), TABLE_3, envy_scales=True)
    found = plot({"Option 3": scaled}, others=(1,))
    assert list(found.lines) == ["Option 3, 1 other"]
    assert found.notes[1].endswith("for each dollar of the wager.")
    dearer = JackpotReturn(jackpot_options_2_and_3(), TABLE_3, wager=Fraction(5, 2))
    assert plot({"Option 3": dearer}).notes[1].endswith("at a wager of $2.50.")


def test_a_plot_where_nothing_breaks_even_has_no_marks() -> None:
    found = plot({"small": of({"Royal flush": "70 for 1", "Flush": "1 to 1"})})
    assert found.lines == {"small": ((0, 90), (130_000, 90))}
    assert not found.marks and len(found.notes) == 1
