"""Deals that are not folded, weighed board by board, and what proves their totals."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.bands import BANDS, UNSEEN, Bands
from feltworks.games.down_under_holdem.enumerator.flop_states import CLASSES, DEALS, cards_of, flops, states
from feltworks.games.down_under_holdem.enumerator.packed_words import layouts_of_hands
from feltworks.games.down_under_holdem.enumerator.plain_count import Tally, count_state
from feltworks.games.down_under_holdem.enumerator.solution import BET, PAID, DealCounts, count_played_deals
from feltworks.kit.cards import CardSet
from feltworks.kit.fast_poker import count_sevens
from feltworks.kit.poker import HandRank
from tests.games.down_under.support import flop, solution
from tests.quick import cases

FOUR_BANDS = Bands((CardSet("a", "2A"), CardSet("b", "37K"), CardSet("c", "456"), CardSet("d", "89TJQ")))


def no_raises(bands: Bands) -> NDArray[np.bool_]:
    return np.zeros((CLASSES, len(bands.pairs)), np.bool_)


def no_folds(bands: Bands) -> NDArray[np.bool_]:
    return np.zeros((len(states().flop), len(bands.pairs)), np.bool_)


def added(weighed: DealCounts, other: DealCounts) -> DealCounts:
    return DealCounts(*(one + two for one, two in zip(weighed, other, strict=True)))


def same(weighed: DealCounts, other: DealCounts) -> bool:
    return all((one == two).all() for one, two in zip(weighed, other, strict=True))


@pytest.mark.slow
@pytest.mark.rule("D-21")
@pytest.mark.parametrize("bands", cases([BANDS, FOUR_BANDS], quick=[BANDS]), ids=["three bands", "four bands"])
def test_states_counted_deal_by_deal_have_the_totals_that_the_boards_give_them(bands: Bands) -> None:
    rng = np.random.default_rng(21)
    pattern = flops().pattern[states().flop]
    chosen = [int(state) for kind in range(3) for state in rng.choice(np.flatnonzero(pattern == kind), 2)]
    folds = ~no_folds(bands)
    folds[chosen] = False
    played = count_played_deals(bands, no_raises(bands), folds)
    assert not any(counts.any() for counts in played.raised)
    wins = np.zeros((len(bands.pairs), len(HandRank)), np.int64)
    ties, deals = np.zeros(len(bands.pairs), np.int64), np.zeros(len(bands.pairs), np.int64)
    for state in chosen:
        board, hole = cards_of(state)
        tallies = count_state(range(52), hole, board, bands.band_of)
        for pair, (first, second) in enumerate(bands.pairs):
            tally = tallies.get((min(first, second), max(first, second)), Tally())
            times = int(states().times[state])
            deals[pair] += times * tally.deals
            ties[pair] += times * tally.ties
            for category, count in tally.wins.items():
                wins[pair, category] += times * count
    assert (played.checked.weaker == wins).all()
    assert (played.checked.not_stronger.sum(1) == wins.sum(1) + ties).all()
    assert (played.checked.every.sum(1) == deals).all()


@pytest.mark.rule("D-21")
def test_raised_and_checked_deals_make_up_the_worth_of_their_classes() -> None:
    best = solution()
    raises = np.random.default_rng(22).random(best.deals.shape) < 0.5
    played = count_played_deals(BANDS, raises, no_folds(BANDS))
    pays = np.zeros(len(HandRank), np.int64)
    pays[list(PAID)] = [int(best.scale * pay) for pay in BET]
    for chosen, weighed in ((raises, played.raised), (~raises, played.checked)):
        worth = weighed.weaker @ (pays + 2 * best.scale) + 3 * best.scale * weighed.not_stronger.sum(1)
        assert (worth == np.where(chosen, best.always, 0).sum(0)).all()
        compared = weighed.weaker + weighed.not_stronger
        assert (compared.sum(1) == np.where(chosen, best.compared, 0).sum(0)).all()
        assert (weighed.every.sum(1) == np.where(chosen, best.deals, 0).sum(0)).all()


@pytest.mark.slow
@pytest.mark.rule("D-21", "D-11")
def test_all_deals_have_the_categories_of_seven_cards() -> None:
    played = count_played_deals(UNSEEN, no_raises(UNSEEN), no_folds(UNSEEN))
    reached = played.checked.every.sum(0)
    assert [Fraction(int(count), DEALS) for count in reached] == [
        Fraction(count_sevens()[line], 133_784_560) for line in HandRank
    ]


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_what_is_folded_and_what_is_played_are_all_deals() -> None:
    """Random folds and their opposite, with every class checked and every class raised."""
    folds = np.random.default_rng(23).random(flop().folds.shape) < 0.3
    played, left = (count_played_deals(BANDS, no_raises(BANDS), some).checked for some in (folds, ~folds))
    raised = count_played_deals(BANDS, ~no_raises(BANDS), folds)
    assert same(added(played, left), raised.raised)
    assert not any(counts.any() for counts in raised.checked)
    assert int(raised.raised.every.sum()) == DEALS


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_bands_that_are_told_apart_add_up_to_those_that_are_not() -> None:
    folds = np.random.default_rng(24).random(len(states().flop)) < 0.5
    totals = []
    for bands in (UNSEEN, BANDS, FOUR_BANDS):
        alike = np.repeat(folds[:, None], len(bands.pairs), 1)
        played = count_played_deals(bands, no_raises(bands), alike).checked
        totals.append([counts.sum(0).tolist() for counts in played])
    assert totals[0] == totals[1] == totals[2]


@pytest.mark.rule("D-21")
def test_deals_that_are_played_are_those_of_the_solution() -> None:
    best = solution()
    raised, folded = int(best.deals[best.raises].sum()), int(best.folded[~best.raises].sum())
    assert int(flop().played_deals.raised.every.sum()) == raised
    assert int(flop().played_deals.checked.every.sum()) == DEALS - raised - folded


@pytest.mark.parametrize("bands", [UNSEEN, BANDS, FOUR_BANDS])
def test_words_of_hands_hold_every_pair_of_bands_once(bands: Bands) -> None:
    words = layouts_of_hands(bands)
    assert [pair for word in words for pair in range(len(bands.pairs))[word.pairs]] == list(range(len(bands.pairs)))
    assert all(word.fields * word.bits < 64 and 1 << word.bits > bands.most_hands for word in words)
