"""The bonus wagers and the jackpot, counted exactly: whatever a hand does, or only where it was not folded.

Where folded hands qualify, the probabilities are those of seven, five or four cards of a fresh deck and need no
strategy. Where a folded hand forfeits, what is counted are the deals that the best strategy does not fold (D-09).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.exact import Flop
from feltworks.games.down_under_holdem.jackpot import COMMUNITY, FLOPPED, IN_SEVEN
from feltworks.games.down_under_holdem.kinds import PAIRS, RANKS, counts_of, multisets
from feltworks.games.down_under_holdem.states import DEALS, RUNOUTS, flops, hole_cards, states
from feltworks.kit.fast_poker import categories, evaluate
from feltworks.kit.poker import HandRank

Chances = dict[str, Fraction]
"""The probability of each line of a pay table, from the top; what is missing to 1 loses."""

TRIPS_LINES = tuple(reversed([category for category in HandRank if category >= HandRank.THREE_OF_A_KIND]))
MATCH_LINES = ("Four of a kind", "Three of a kind", "2 card matches", "1 card match")
SEVEN_CARD_LINES = (HandRank.STRAIGHT_FLUSH, HandRank.FOUR_OF_A_KIND, HandRank.FULL_HOUSE)

SEVEN_CARD_COUNTS: Mapping[HandRank, int] = {
    HandRank.ROYAL_FLUSH: 4_324,
    HandRank.STRAIGHT_FLUSH: 37_260,
    HandRank.FOUR_OF_A_KIND: 224_848,
    HandRank.FULL_HOUSE: 3_473_184,
    HandRank.FLUSH: 4_047_644,
    HandRank.STRAIGHT: 6_180_020,
    HandRank.THREE_OF_A_KIND: 6_461_620,
}
"""Of the 133,784,560 hands of seven cards, as `feltworks.kit.fast_poker.count_sevens` counts them."""


def edge(chances: Chances, pays: Sequence[Fraction | int]) -> Fraction:
    """What the house wins on average per unit, if the lines pay so much to 1 and everything else loses."""
    won = sum((chance * (pay + 1) for chance, pay in zip(chances.values(), pays, strict=True)), Fraction(0))
    return 1 - won


# Trips or Better (D-11)


def trips_or_better(flop: Flop | None = None) -> Chances:
    """The best five of the seat's seven cards; given a flop's decisions, folded hands forfeit."""
    if flop is None:
        return {line.label: Fraction(SEVEN_CARD_COUNTS[line], comb(52, 7)) for line in TRIPS_LINES}
    totals = _not_folded(flop)
    return {line.label: Fraction(totals[line], DEALS) for line in TRIPS_LINES}


def _not_folded(flop: Flop) -> dict[HandRank, int]:
    """Deals that are not folded, by the category of the seat's seven cards."""
    totals = (flop.kept.checked.every + flop.kept.raised.every).sum(0)
    return {category: int(total) for category, total in zip(HandRank, totals, strict=True)}


# Match the Dealer (D-12)


def match_the_dealer(flop: Flop | None = None) -> Chances:
    """How the seat's two cards match the dealer's two by rank; given a flop's decisions, folded hands forfeit."""
    counts = _matches_of_four_cards() if flop is None else _matches_not_folded(flop)
    every = comb(52, 2) * comb(50, 2) if flop is None else DEALS
    return {line: Fraction(count, every) for line, count in zip(MATCH_LINES, counts, strict=True)}


def _matches_of_four_cards() -> list[int]:
    """Deals of two cards to the seat and two to the dealer, by line."""
    paired, unpaired = 13 * comb(4, 2), comb(13, 2) * 16
    return [
        paired * comb(2, 2),
        paired * 2 * 48 + unpaired * 2 * comb(3, 2),
        unpaired * 3 * 3,
        unpaired * 2 * 3 * 44,
    ]


def _matches_not_folded(flop: Flop) -> list[int]:
    """Deals that are not folded, by line: by the flop's ranks, the seat's and the dealer's pair of ranks."""
    found, bands = states(), flop.solution.bands
    place = found.ranks.astype(np.int64) * len(PAIRS) + found.pair
    size = len(multisets(3)) * len(PAIRS)
    # Counts of less than 2^53, so that the sums are exact.
    kept = [np.bincount(place, found.times * column, size).astype(np.int64) for column in _kept(flop).T]
    left = (4 - counts_of(list(multisets(3)))[:, None] - counts_of(PAIRS)).reshape(size, RANKS)
    totals = [0] * len(MATCH_LINES)
    for number, (high, low) in enumerate(PAIRS):
        ways = left[:, high] * (left[:, high] - 1) // 2 if high == low else left[:, high] * left[:, low]
        deals = RUNOUTS * (ways * kept[bands.pair_of_ranks[number]]).reshape(-1, len(PAIRS)).sum(0)
        for own, count in zip(PAIRS, deals, strict=True):
            line = match_line(own, (high, low))
            if line is not None:
                totals[line] += int(count)
    return totals


def match_line(own: tuple[int, int], dealer: tuple[int, int]) -> int | None:
    """The line on which the ranks of two hole cards match those of the dealer's two."""
    if len({*own, *dealer}) == 1:
        return 0
    matched = set(own) & set(dealer)
    if not matched:
        return None
    if own[0] == own[1] or dealer[0] == dealer[1]:
        return 1
    return 2 if len(matched) == 2 else 3


def _kept(flop: Flop) -> NDArray[np.bool_]:
    """By state and pair of bands, whether the hand is not folded."""
    return flop.solution.raises[states().classes] | ~flop.folds


# Jackpot (D-14, D-15, D-20)


def jackpot_option_1(flop: Flop | None = None) -> Chances:
    """Hole cards and five community cards; each hand on the first line that fits it, in printed order."""
    if flop is None:
        royal = Fraction(SEVEN_CARD_COUNTS[HandRank.ROYAL_FLUSH], comb(52, 7))
        flopped = community = Fraction(4, comb(52, 5))
        rest = {line.label: Fraction(SEVEN_CARD_COUNTS[line], comb(52, 7)) for line in SEVEN_CARD_LINES}
    else:
        totals = _not_folded(flop)
        royal = Fraction(totals[HandRank.ROYAL_FLUSH], DEALS)
        flopped = _five_cards(flop)[HandRank.ROYAL_FLUSH]
        community = _community_royals(flop)
        rest = {line.label: Fraction(totals[line], DEALS) for line in SEVEN_CARD_LINES}
    return {FLOPPED: flopped, IN_SEVEN: royal - flopped - community, COMMUNITY: community, **rest}


def jackpot_options_2_and_3(flop: Flop | None = None) -> Chances:
    """Hole cards and flop only."""
    if flop is None:
        return {line.label: Fraction(FIVE_CARD_COUNTS[line], comb(52, 5)) for line in TRIPS_LINES}
    chances = _five_cards(flop)
    return {line.label: chances[line] for line in TRIPS_LINES}


FIVE_CARD_COUNTS: Mapping[HandRank, int] = {
    HandRank.ROYAL_FLUSH: 4,
    HandRank.STRAIGHT_FLUSH: 4 * 9,
    HandRank.FOUR_OF_A_KIND: 13 * 48,
    HandRank.FULL_HOUSE: 13 * comb(4, 3) * 12 * comb(4, 2),
    HandRank.FLUSH: 4 * (comb(13, 5) - 10),
    HandRank.STRAIGHT: 10 * (4**5 - 4),
    HandRank.THREE_OF_A_KIND: 13 * comb(4, 3) * comb(12, 2) * 4 * 4,
}


def _kept_deals(flop: Flop) -> NDArray[np.int64]:
    """By state, the deals that are not folded."""
    found = states()
    deals: NDArray[np.int64] = found.times * np.where(_kept(flop), flop.deals, 0).sum(1, dtype=np.int64)
    return deals


def _five_cards(flop: Flop) -> dict[HandRank, Fraction]:
    """The probability of each category of hole cards and flop among deals that are not folded."""
    cards = np.concatenate([hole_cards(), flops().cards[states().flop]], 1).astype(np.uint8)
    found, kept = categories(evaluate(cards)), _kept_deals(flop)
    return {category: Fraction(int(kept[found == category].sum()), DEALS) for category in HandRank}


def _community_royals(flop: Flop) -> Fraction:
    """The probability that the board is a royal flush and the hand has not been folded."""
    found, bands = states(), flop.solution.bands
    kept = _kept(flop)
    cards = flops().cards[found.flop]
    royal = (flops().pattern[found.flop] == 0) & (cards >= 8).all(1)
    free = ~((hole_cards() >= 8) & (hole_cards() < RANKS)).any(1)
    total = 0
    for state in np.flatnonzero(royal & free):
        hands = bands.hands_beside((8, 9, 10, 11, 12, *PAIRS[found.pair[state]]))
        total += int(found.times[state]) * int(hands[kept[state]].sum())
    return Fraction(total, DEALS)
