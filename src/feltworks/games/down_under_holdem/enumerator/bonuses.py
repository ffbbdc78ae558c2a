"""The bonus wagers and the jackpot, counted exactly: whatever a hand does, or only where it was not folded.

Where folded hands qualify, the probabilities are those of seven, five or four cards of a fresh deck and need no
strategy. Where a folded hand forfeits, what is counted are the deals that the best strategy does not fold (D-09).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import (
    RANK_PAIR_COUNT,
    RANK_PAIRS,
    RANKS,
    SUITS,
    counts_of,
    multisets,
)
from feltworks.games.down_under_holdem.enumerator.flop_states import DEALS, RUNOUTS, flops, hole_cards, states
from feltworks.games.down_under_holdem.enumerator.solution import FlopStrategy, PlayedDeals
from feltworks.games.down_under_holdem.jackpot import COMMUNITY, FLOPPED, IN_SEVEN
from feltworks.kit.fast_poker import categories, evaluate, seven_card_counts
from feltworks.kit.poker import HandRank

TEN = 8
"""The lowest rank of a royal flush, as ranks are numbered: 0 for a 2, 12 for an ace."""

Chances = dict[str, Fraction]
"""The probability of each line of a pay table, from the top; what is missing to 1 loses."""

TRIPS_LINES = tuple(reversed([category for category in HandRank if category >= HandRank.THREE_OF_A_KIND]))
MATCH_LINES = ("Four of a kind", "Three of a kind", "2 card matches", "1 card match")
SEVEN_CARD_LINES = (HandRank.STRAIGHT_FLUSH, HandRank.FOUR_OF_A_KIND, HandRank.FULL_HOUSE)


class NotFolded(NamedTuple):
    """Deals that are not folded, of some pairs of bands."""

    sevens: Sequence[int]
    """By the category of the seat's seven cards."""
    fives: Sequence[int]
    """By the category of hole cards and flop."""
    matches: Sequence[int]
    """By the line of Match the Dealer."""
    community: int
    """With a royal flush on the board."""


def count_not_folded(flop: FlopStrategy) -> NotFolded:
    """The deals that these decisions do not fold."""
    return NotFolded(sevens(flop.played_deals), _fives(flop), _matches(flop), _community_royals(flop))


def sevens(played: PlayedDeals) -> list[int]:
    """Deals that are not folded, by the category of the seat's seven cards."""
    counts: list[int] = (played.checked.every + played.raised.every).sum(0).tolist()
    return counts


def edge(chances: Chances, pays: Sequence[Fraction | int]) -> Fraction:
    """What the house wins on average per unit, if the lines pay so much to 1 and everything else loses."""
    won = sum((chance * (pay + 1) for chance, pay in zip(chances.values(), pays, strict=True)), Fraction(0))
    return 1 - won


# Trips or Better (D-11)


def trips_or_better(not_folded: NotFolded | None = None) -> Chances:
    """The best five of the seat's seven cards; given the deals that are not folded, the others forfeit."""
    if not_folded is None:
        return {line.label: Fraction(seven_card_counts()[line], comb(52, 7)) for line in TRIPS_LINES}
    return {line.label: Fraction(not_folded.sevens[line], DEALS) for line in TRIPS_LINES}


# Match the Dealer (D-12)


def match_the_dealer(not_folded: NotFolded | None = None) -> Chances:
    """How the seat's two cards match the dealer's two by rank; given the deals that are not folded, the others
    forfeit."""
    counts = _matches_of_four_cards() if not_folded is None else not_folded.matches
    every = comb(52, 2) * comb(50, 2) if not_folded is None else DEALS
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


def _matches(flop: FlopStrategy) -> list[int]:
    """Deals that are not folded, by line: by the flop's ranks, the seat's and the dealer's pair of ranks."""
    every, bands = states(), flop.solution.bands
    place = every.ranks.astype(np.int64) * RANK_PAIR_COUNT + every.pair
    size = len(multisets(3)) * RANK_PAIR_COUNT
    # Counts of less than 2^53, so that the sums are exact.
    played = [np.bincount(place, every.times * column, size).astype(np.int64) for column in _is_played(flop).T]
    left = (SUITS - counts_of(list(multisets(3)))[:, None] - counts_of(RANK_PAIRS)).reshape(size, RANKS)
    totals = [0] * len(MATCH_LINES)
    for number, (high, low) in enumerate(RANK_PAIRS):
        if bands.pair_of_ranks[number] == len(bands.pairs):
            continue
        ways = left[:, high] * (left[:, high] - 1) // 2 if high == low else left[:, high] * left[:, low]
        deals = RUNOUTS * (ways * played[bands.pair_of_ranks[number]]).reshape(-1, RANK_PAIR_COUNT).sum(0)
        for own, count in zip(RANK_PAIRS, deals, strict=True):
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


def _is_played(flop: FlopStrategy) -> NDArray[np.bool_]:
    """By state and pair of bands, whether the hand is not folded."""
    return flop.solution.raises[states().classes] | ~flop.folds


# Jackpot (D-14, D-15, D-20)


def jackpot_option_1(not_folded: NotFolded | None = None) -> Chances:
    """Hole cards and five community cards; each hand on the first line that fits it, in printed order."""
    if not_folded is None:
        seven = {category: Fraction(count, comb(52, 7)) for category, count in seven_card_counts().items()}
        flopped = community = Fraction(4, comb(52, 5))
    else:
        seven = {category: Fraction(not_folded.sevens[category], DEALS) for category in HandRank}
        flopped = Fraction(not_folded.fives[HandRank.ROYAL_FLUSH], DEALS)
        community = Fraction(not_folded.community, DEALS)
    royal = seven[HandRank.ROYAL_FLUSH]
    rest = {line.label: seven[line] for line in SEVEN_CARD_LINES}
    return {FLOPPED: flopped, IN_SEVEN: royal - flopped - community, COMMUNITY: community, **rest}


def jackpot_options_2_and_3(not_folded: NotFolded | None = None) -> Chances:
    """Hole cards and flop only."""
    if not_folded is None:
        return {line.label: Fraction(FIVE_CARD_COUNTS[line], comb(52, 5)) for line in TRIPS_LINES}
    return {line.label: Fraction(not_folded.fives[line], DEALS) for line in TRIPS_LINES}


FIVE_CARD_COUNTS: Mapping[HandRank, int] = {
    HandRank.ROYAL_FLUSH: 4,
    HandRank.STRAIGHT_FLUSH: 4 * 9,
    HandRank.FOUR_OF_A_KIND: 13 * 48,
    HandRank.FULL_HOUSE: 13 * comb(4, 3) * 12 * comb(4, 2),
    HandRank.FLUSH: 4 * (comb(13, 5) - 10),
    HandRank.STRAIGHT: 10 * (4**5 - 4),
    HandRank.THREE_OF_A_KIND: 13 * comb(4, 3) * comb(12, 2) * 4 * 4,
}


def _played_deals(flop: FlopStrategy) -> NDArray[np.int64]:
    """By state, the deals that are not folded."""
    deals: NDArray[np.int64] = states().times * np.where(_is_played(flop), flop.deals, 0).sum(1, dtype=np.int64)
    return deals


def _fives(flop: FlopStrategy) -> list[int]:
    """Deals that are not folded, by the category of hole cards and flop."""
    cards = np.concatenate([hole_cards(), flops().cards[states().flop]], 1).astype(np.uint8)
    made, deals = categories(evaluate(cards)), _played_deals(flop)
    return [int(deals[made == category].sum()) for category in HandRank]


def _community_royals(flop: FlopStrategy) -> int:
    """Deals that are not folded, with a royal flush on the board."""
    every, bands = states(), flop.solution.bands
    played = _is_played(flop)
    cards = flops().cards[every.flop]
    royal = (flops().pattern[every.flop] == 0) & (cards >= TEN).all(1)
    free = ~((hole_cards() >= TEN) & (hole_cards() < RANKS)).any(1)
    total = 0
    for state in np.flatnonzero(royal & free):
        hands = bands.hands_beside((*range(TEN, RANKS), *RANK_PAIRS[every.pair[state]]))
        total += int(every.times[state]) * int(hands[played[state]].sum())
    return total
