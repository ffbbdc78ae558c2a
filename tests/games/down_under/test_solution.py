"""The exact solution of the base game, and what proves it."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from feltworks.games.down_under_holdem import rules
from feltworks.games.down_under_holdem.enumerator.bands import BANDS, UNSEEN, Bands
from feltworks.games.down_under_holdem.enumerator.flop_states import DEALS, RUNOUTS, cards_of, class_of, flops, states
from feltworks.games.down_under_holdem.enumerator.outcomes import outcomes
from feltworks.games.down_under_holdem.enumerator.plain_count import count_state
from feltworks.games.down_under_holdem.enumerator.solution import (
    BET,
    PAID,
    options_after_flop,
    options_before_flop,
    solve,
    solve_flop,
)
from feltworks.kit.cards import CardSet, parse_cards
from feltworks.kit.errors import BadCard, BadOdds, BadValue, UnknownName
from tests.games.down_under.support import flop, indices, solution
from tests.quick import SEED, share

PAYS = dict(zip(PAID, BET, strict=True))
OTHER_BANDS = Bands((CardSet("low", "2345678"), CardSet("mid", "9TJ"), CardSet("high", "QKA")))


@pytest.mark.rule("D-04", "D-21")
def test_the_bands_that_are_counted_are_the_bands_that_the_card_reader_shows() -> None:
    assert BANDS.sets == rules.BANDS


@pytest.mark.rule("D-21")
def test_every_deal_is_counted_once() -> None:
    assert int(solution().deals.sum()) == DEALS == 27_813_810_024_000
    assert len(flops().times) == 1_755 and flops().times.sum() == 22_100
    assert states().times.sum() == 1_326 * 19_600
    assert int(flop().deals.astype(np.int64).sum(1).min()) == RUNOUTS * 1_081


@pytest.mark.rule("D-21")
def test_the_exact_edge_and_the_frequencies_of_the_decisions() -> None:
    best = solution()
    assert best.edge == Fraction(2026316179, 68171103000)
    assert round(float(best.edge), 8) == 0.02972398
    assert round(float(best.edge_of_initial_stake), 8) == 0.01486199
    assert round(float(best.element_of_risk), 8) == 0.00762839
    assert {name: round(float(share), 6) for name, share in best.frequencies.items()} == {
        "3x": 0.503292,
        "2x": 0,
        "check": 0.496708,
        "1x": 0.38662,
        "fold": 0.110088,
    }


@pytest.mark.rule("D-21")
def test_2x_is_never_better_than_the_better_one_of_check_and_3x() -> None:
    totals = solution().totals
    assert (totals["2x"] <= np.maximum(totals["check"], totals["3x"])).all()
    always = solution().always - 3 * solution().scale * solution().deals
    assert (2 * totals["2x"] == totals["3x"] + always).all()


@pytest.mark.rule("D-21")
@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("AsKh", "2c7dJh"),  # rainbow
        ("7c2d", "KhQs9h"),  # two suits
        ("6s5s", "Ts8s2d"),  # a flush draw
        ("AhQd", "KhTh3h"),  # one suit
        ("4c4d", "4h4s9c"),  # four of a kind
        ("Jd8c", "6h6s2d"),  # paired
        ("5h3c", "8c8d8s"),  # trips
        ("AcKc", "QcJcTc"),  # a royal flush
        ("9h3d", "5c4c2c"),
    ],
)
def test_a_state_counted_deal_by_deal_has_the_worth_that_the_sweep_gives_it(hole: str, board: str) -> None:
    number = state_of(indices(hole), indices(board))
    tallies = count_state(range(52), indices(hole), indices(board), BANDS.band_of)
    for pair, (first, second) in enumerate(BANDS.pairs):
        tally = tallies[min(first, second), max(first, second)]
        assert int(flop().deals[number, pair]) == tally.deals
        worth = Fraction(int(flop().worth[number, pair]), flop().solution.scale) - 3 * tally.deals
        assert worth == tally.worth(PAYS, 1)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("D-21")
def test_states_of_many_flops_counted_deal_by_deal_have_the_worth_that_the_sweep_gives_them() -> None:
    rng, each = np.random.default_rng(SEED + 20), share(10, soak=400)
    pattern = flops().pattern[states().flop]
    chosen = [state for kind in range(3) for state in rng.choice(np.flatnonzero(pattern == kind), each, replace=False)]
    for number in chosen:
        board, hole = cards_of(int(number))
        tallies = count_state(range(52), hole, board, BANDS.band_of)
        for pair, (first, second) in enumerate(BANDS.pairs):
            tally = tallies[min(first, second), max(first, second)]
            worth = Fraction(int(flop().worth[number, pair]), flop().solution.scale) - 3 * tally.deals
            assert worth == tally.worth(PAYS, 1), (board, hole, first, second)


def state_of(hole: list[int], board: list[int]) -> int:
    """The number of the state with these cards, found by renaming suits in every way."""
    for suits in permutations(range(4)):
        named = [[13 * suits[card // 13] + card % 13 for card in cards] for cards in (board, hole)]
        same = np.flatnonzero((np.sort(flops().cards, 1) == sorted(named[0])).all(1))
        for number in same:
            for state in np.flatnonzero(states().flop == number):
                if sorted(cards_of(int(state))[1]) == sorted(named[1]):
                    return int(state)
    raise AssertionError("no such state")


@pytest.mark.rule("D-21")
def test_without_bands_the_sums_over_the_bands_come_out() -> None:
    seen, unseen = solution(), solution(UNSEEN)
    assert (seen.always.sum(1) == unseen.always[:, 0]).all()
    assert (seen.compared.sum(1) == unseen.compared[:, 0]).all()
    assert (seen.deals.sum(1) == unseen.deals[:, 0]).all()
    assert unseen.edge == Fraction(899547121399, 6953452506000)


@pytest.mark.rule("D-21")
def test_other_bands_divide_the_same_deals() -> None:
    other, unseen = solution(OTHER_BANDS), solution(UNSEEN)
    assert (other.always.sum(1) == unseen.always[:, 0]).all()
    assert (other.compared.sum(1) == unseen.compared[:, 0]).all()
    assert other.edge < unseen.edge


@pytest.mark.rule("D-21")
def test_the_seat_and_the_dealer_win_equally_often_before_anything_is_decided() -> None:
    """As often weaker as stronger: both counts together are the number of deals."""
    assert int(solution().compared.sum()) == DEALS


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_the_distribution_of_the_net_result_has_the_mean_of_the_solution() -> None:
    found = outcomes(solution(), flop().played_deals)
    assert found.deals == DEALS
    assert found.mean == solution().value == Fraction(-2026316179, 68171103000)
    assert sum(found.distribution.values()) == 1
    assert round(found.standard_deviation, 6) == 4.717855
    assert found.hit_frequency == Fraction(66024222287, 141907194000)


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_any_pay_table_can_be_solved() -> None:
    pays = (Fraction(500), Fraction(50), Fraction(10), Fraction(3), Fraction(3, 2), Fraction(1))
    assert solve(pays).edge == solution().edge
    better = solve((*pays[:4], Fraction(7, 5), Fraction(4, 3)))
    assert better.scale == 15 and better.edge < solution().edge
    nothing = solve((Fraction(0),) * 6)
    assert nothing.edge > solution().edge
    large = solve((Fraction(1_000_000), *pays[1:]))
    assert large.value > 0


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_a_finer_denominator_changes_no_figure() -> None:
    """Pays in thirds and sevenths need wider fields; the halves of the same table do not."""
    shift = Fraction(1, 100_003)
    wide = solve((BET[0] + shift, *BET[1:]))
    assert wide.scale == 2 * 100_003
    assert 0 < solution().edge - wide.edge < Fraction(1, 10**8)


def test_pays_that_do_not_fit_are_refused_by_a_sentence() -> None:
    with pytest.raises(BadOdds, match="too large or too finely divided"):
        solve((Fraction(999_999_999), *BET[1:]))
    with pytest.raises(BadOdds, match="6 lines"):
        solve(BET[:5])


@pytest.mark.rule("D-21")
def test_ace_king_against_a_large_and_a_small_card_raises_three_times_before_the_flop() -> None:
    options = options_before_flop(solution(), parse_cards("AsKh"), ("large", "small"))
    assert max(options, key=options.__getitem__) == "3x"
    assert options["2x"] < options["3x"]
    assert class_of(*indices("AsKs")) != class_of(*indices("AsKh"))


@pytest.mark.rule("D-21")
def test_advice_after_the_flop_is_what_the_sweep_says() -> None:
    options = options_after_flop(parse_cards("AsKh"), parse_cards("2c7dJh"), ("large", "small"))
    number, pair = state_of(indices("AsKh"), indices("2c7dJh")), BANDS.pair(("small", "large"))
    deals = int(flop().deals[number, pair])
    assert options["fold"] == -2
    assert options["1x"] == Fraction(int(flop().worth[number, pair]), flop().solution.scale * deals) - 3


def test_bad_cards_and_bands_are_refused() -> None:
    with pytest.raises(BadCard, match="different cards"):
        options_after_flop(parse_cards("AsKh"), parse_cards("As7dJh"), ("large", "small"))
    with pytest.raises(UnknownName, match="small, medium, large"):
        options_before_flop(solution(), parse_cards("AsKh"), ("large", "tiny"))
    with pytest.raises(BadValue, match="every rank"):
        Bands((CardSet("low", "234"), CardSet("high", "456789TJQKA")))


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_another_pay_table_changes_decisions_on_the_flop_too() -> None:
    poor = solve_flop(solve((Fraction(0),) * 6))
    assert poor.folds.sum() > flop().folds.sum()
