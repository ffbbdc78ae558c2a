"""Aggregate payout limits (F-09), and the prizes by odds that a table may have to pay (F-37)."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.payout_limits import cut_to_limits, in_proportion
from feltworks.floor.table.prizes import highest_prizes
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.floor.table.settings_check import examined
from feltworks.floor.table.settings_report import settings_report
from tests.floor.sitting import TODAY, Sitting
from tests.web.robots import blackjack, money, under, yo

PERFECT = Limits(100, 10_000)


def matching(limit: int | None = 500_000, **changes: object) -> TableSettings:
    """One For The Money with Perfect Match, whose highest odds are 100 to 1."""
    return money(
        **{
            "version": "perfect-match",
            "limits": {"ante": PERFECT, "perfect_match": PERFECT},
            **({} if limit is None else {"payout_limits": {"perfect_match": limit}}),
            **changes,
        }
    )


def said(settings: TableSettings) -> dict[str, str]:
    return {problem.setting: problem.said for problem in examined(settings, TODAY)[1]}


# What may be set.


@pytest.mark.rule("F-09")
def test_a_payout_limit_is_at_least_fifty_times_the_most_that_the_wager_takes() -> None:
    assert said(matching(500_000)) == {}
    assert said(matching(499_999)) == {
        "payout_limits.perfect_match": "The payout limit of Perfect Match is at least $5,000, which is 50 times the"
        " most that it takes; $4,999.99 cannot be."
    }


@pytest.mark.rule("F-09")
@pytest.mark.parametrize(
    ("settings", "name", "words"),
    [
        (
            money(payout_limits={"three_card_bonus": 10**7}),
            "three_card_bonus",
            "the highest of 3 Card Bonus are 40 to 1",
        ),
        (yo(payout_limits={"yo": 10**7}), "yo", "needs odds of 50 to 1 or more"),
        (under(payout_limits={"jackpot": 10**7}), "jackpot", "Jackpot does not pay by odds alone"),
        (under(payout_limits={"fly": 10**7}), "fly", "There is no pay table for 'fly'; choose one of: bet, "),
        (under(payout_limits={"ante": 10**7}), "ante", "There is no pay table for 'ante'"),
        (
            matching(500_001, rounding="chip up", chip=100),
            "perfect_match",
            "The payout limit of Perfect Match is not whole chips of 100 cents.",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_payout_limit_that_may_not_be_is_refused_with_the_reason(
    settings: TableSettings, name: str, words: str
) -> None:
    found = said(settings)
    assert list(found) == [f"payout_limits.{name}"]
    assert words in found[f"payout_limits.{name}"]


@pytest.mark.rule("F-09")
def test_the_odds_of_the_pay_table_that_is_chosen_count() -> None:
    """Match the Dealer pays 250 to 1 by table 1, and 25 to 1 by table 3."""
    chosen = under(payout_limits={"match_the_dealer": 500_000})
    assert said(chosen) == {}
    assert (
        "are 25 to 1"
        in said(msgspec.structs.replace(chosen, pay={"jackpot": "3", "match_the_dealer": "3"}))[
            "payout_limits.match_the_dealer"
        ]
    )


@pytest.mark.rule("F-04", "F-09")
def test_a_payout_limit_is_posted() -> None:
    assert (
        "Perfect Match pays at most $5,000 in a round to all seats together; above that each win is paid in proportion."
        in settings_report(matching(), TODAY).notices
    )


# How it is shared.


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=7), st.integers(0, 10**9), st.sampled_from([1, 5, 100]))
@pytest.mark.rule("F-09")
def test_what_is_left_is_shared_in_proportion_to_the_last_unit(wins: list[int], left: int, unit: int) -> None:
    wins = [win * unit for win in wins]
    left = min(left, sum(wins) - 1)
    shares = in_proportion(wins, left, unit)
    assert left - unit < sum(shares) <= left
    for win, share in zip(wins, shares, strict=True):
        assert share % unit == 0 and 0 <= share <= win
        assert abs(share - win * (left // unit * unit) / sum(wins)) <= unit
    by_win = sorted(zip(wins, shares, strict=True))
    assert [share for _, share in by_win] == sorted(shares) or len(set(wins)) < len(wins)


def three_perfect_matches(settings: TableSettings) -> Sitting:
    """Three seats with queens of spades against two more of them: suited three of a kind, 100 to 1 for each."""
    sitting = Sitting(settings, "Qs Qs Qs Qs Qs")
    for seat, (player, amount) in enumerate({"ann": 10_000, "bob": 5_000, "cyd": 100}.items(), 1):
        sitting.join(player, seat)
        if seat == 1:
            sitting.start()
        sitting.do(player, cmd.Place("ante", 100))
        sitting.do(player, cmd.Place("perfect_match", amount))
    sitting.house(cmd.CloseBetting())
    while not sitting.table.round or not sitting.table.round.over:
        sitting.deal()
        for seat in sorted(sitting.table.to_act):
            sitting.do(sitting.table.seats[seat].player, cmd.Choose("check"))
    return sitting


def bonus(sitting: Sitting) -> list[ev.Settled]:
    """What was settled of the bonus wager, by the seats from 1 on."""
    found = [settled for settled in sitting.table.results if settled.spot == "perfect_match"]
    return sorted(found, key=lambda settled: settled.seat)


@pytest.mark.rule("F-09", "F-11", "F-16")
def test_a_round_that_wins_more_than_the_limit_pays_each_in_proportion_and_says_so() -> None:
    sitting = three_perfect_matches(matching(700_000))
    paid = bonus(sitting)
    # 1,000,000 + 500,000 + 10,000 cents by the odds: 700,000 of 1,510,000 for each cent of it.
    assert [settled.paid for settled in paid] == [463_576, 231_788, 4_636]
    assert [settled.returned for settled in paid] == [10_000, 5_000, 100]
    assert {settled.pays for settled in paid} == {"100 to 1, cut by the payout limit of $7,000 a round"}
    assert sum(sitting.books.values()) == 0
    assert sitting.balance("ann") == 100_000 + 463_576 and sitting.balance("cyd") == 100_000 + 4_636
    assert sitting.replayed() == sitting.table
    sitting.end()
    assert sitting.table.paid == {}


@pytest.mark.rule("F-08", "F-09")
def test_a_house_that_rounds_to_chips_shares_whole_chips() -> None:
    paid = bonus(three_perfect_matches(matching(700_000, rounding="chip down", chip=100)))
    assert [settled.paid for settled in paid] == [463_600, 231_800, 4_600]


@pytest.mark.rule("F-09")
def test_a_round_within_the_limit_is_paid_by_the_odds() -> None:
    within = bonus(three_perfect_matches(matching(1_510_000)))
    without = bonus(three_perfect_matches(matching(None)))
    assert within == without
    assert Counter(settled.pays for settled in within) == {"100 to 1": 3}


@pytest.mark.rule("F-09")
def test_what_an_earlier_event_of_the_round_has_paid_counts() -> None:
    settings = matching(700_000)
    win = ev.Settled(1, "perfect_match", "x", "100 to 1", "returned", 10_000, 600_000, 10_000, "O-08")
    (first,) = cut_to_limits([win], settings, settings.load_game(), {})
    assert first == win
    (second,) = cut_to_limits([win], settings, settings.load_game(), {"perfect_match": 600_000})
    assert second.paid == 100_000
    (third,) = cut_to_limits([win], settings, settings.load_game(), {"perfect_match": 700_000})
    assert third.paid == 0


# Prizes.


def at_300(**changes: object) -> TableSettings:
    most = dict.fromkeys(("ante", "bet", "trips_or_better", "match_the_dealer"), Limits(100, 30_000))
    return under(limits={**most, "jackpot": Limits(100, 100)}, **changes)


@pytest.mark.rule("F-37")
def test_the_two_highest_prizes_by_odds_at_the_highest_wager_are_told_and_the_second_is_held_above_25000() -> None:
    """Down Under at $300: a royal flush on Bet pays 500 to 1, and on Trips or Better by table 4 100 to 1."""
    settings = at_300(pay={"jackpot": "3", "trips_or_better": "4", "match_the_dealer": "4"})
    prizes = settings_report(settings, TODAY).prizes
    assert prizes.first is not None and prizes.second is not None
    assert (prizes.first.title, prizes.first.line, prizes.first.cents) == ("Bet", "Royal flush", 15_000_000)
    assert (prizes.second.title, prizes.second.line, prizes.second.cents) == (
        "Trips or Better",
        "Royal flush",
        3_000_000,
    )
    assert prizes.to_hold == 3_000_000
    by_table_1 = at_300(pay={"jackpot": "3", "match_the_dealer": "4"})
    second = settings_report(by_table_1, TODAY).prizes.second
    assert second is not None and second.cents == 1_500_000
    assert settings_report(by_table_1, TODAY).prizes.to_hold == 0


def test_a_payout_limit_caps_a_prize_and_a_table_without_odds_has_none() -> None:
    settings = at_300(payout_limits={"match_the_dealer": 2_600_000})
    prizes = highest_prizes(settings, settings.load_game())
    assert prizes.second is not None and prizes.second.cents == 2_600_000
    assert settings_report(blackjack(), TODAY).prizes.first is None
