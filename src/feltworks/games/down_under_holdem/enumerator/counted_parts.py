"""What is counted of Down Under Hold'em to be kept in files, by pair of bands, and what must be so of it.

Every number is a number of deals, or of parts of an Ante summed over deals; figures are made of them elsewhere.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator import policies
from feltworks.games.down_under_holdem.enumerator.bands import BANDS, UNSEEN, Bands
from feltworks.games.down_under_holdem.enumerator.boards import RANKS
from feltworks.games.down_under_holdem.enumerator.bonuses import NotFolded, count_not_folded, sevens
from feltworks.games.down_under_holdem.enumerator.flop_states import CLASSES, prepare_states
from feltworks.games.down_under_holdem.enumerator.solution import (
    PAID,
    DealCounts,
    FlopStrategy,
    Pays,
    PlayedDeals,
    Solution,
    scaled_rates,
    solve,
    solve_flop,
)
from feltworks.games.down_under_holdem.enumerator.sweep import Integers
from feltworks.kit.cards import CardSet
from feltworks.kit.counted_parts import Part, Parts, Pieces, require
from feltworks.kit.errors import BadOdds
from feltworks.kit.fast_poker import seven_card_counts
from feltworks.kit.odds import Odds
from feltworks.kit.poker import HandRank
from feltworks.kit.workers import on_all_processors

if TYPE_CHECKING:
    from feltworks.kit.game import Game

ARRAYS = ("deals", "checked", "always", "compared", "folded")
NAMES = tuple(" and ".join(pair) for pair in BANDS.pairs)
WITHOUT_BANDS = "without bands"
OTHER_BANDS: Mapping[str, Bands] = {
    WITHOUT_BANDS: UNSEEN,
    "2-4, 5-8, 9-A": Bands((CardSet("small", "234"), CardSet("medium", "5678"), CardSet("large", "9TJQKA"))),
    "2-6, 7-10, J-A": Bands((CardSet("small", "23456"), CardSet("medium", "789T"), CardSet("large", "JQKA"))),
    "2-8, 9-A": Bands((CardSet("small", "2345678"), CardSet("large", "9TJQKA"))),
}
"""Other limits of the bands, to see what these are worth."""


def pays_of(game: "Game") -> Pays:
    """What the Bet wins per unit, by line from the top; a hand without a line pushes."""
    table = game.pay_table("bet")
    nets = {}
    for line in table:
        if not isinstance(line.pay, Odds):
            raise BadOdds(f"The Bet is paid by odds; {line.name} pays {line.pay}.")
        nets[line.name] = line.pay.net
    if nets.get(OTHERS, Fraction(0)):
        raise BadOdds("The Bet pushes with a hand below a straight (D-08); other pays for it are not solved.")
    return tuple(nets[category.label] for category in PAID)


OTHERS = "All other hands"


# Counting.


@lru_cache(maxsize=len(NAMES))
def _flop(pays: Pays, name: str) -> FlopStrategy:
    """The decisions under one pair of bands."""
    return solve_flop(solve(pays, BANDS.only(NAMES.index(name))))


def _by_pair(piece: Callable[[FlopStrategy], Any]) -> "Callable[[Game, Sequence[str]], list[Any]]":
    def count(game: "Game", names: Sequence[str]) -> list[Any]:
        pays = pays_of(game)
        prepare_states()
        return on_all_processors(lambda name: piece(_flop(pays, name)), names)

    return count


def _solution(flop: FlopStrategy) -> Any:
    return {name: getattr(flop.solution, name)[:, 0].tolist() for name in ARRAYS}


def _outcomes(flop: FlopStrategy) -> Any:
    return {name: [counts[0].tolist() for counts in deals] for name, deals in flop.played_deals._asdict().items()}


def _forfeiting(flop: FlopStrategy) -> Any:
    deals = count_not_folded(flop)
    return {"fives": deals.fives, "matches": deals.matches, "community": deals.community}


def _other_edges(game: "Game", names: Sequence[str]) -> list[Any]:
    return [str(-solve(pays_of(game), OTHER_BANDS[name]).value) for name in names]


# What was counted.


def solution_of(game: "Game", parts: Parts) -> Solution:
    """The solution, of all pairs of bands."""
    return _read_solution(game, parts("solution"))


def _read_solution(game: "Game", pieces: Pieces) -> Solution:
    pays = pays_of(game)
    arrays = {name: np.array([pieces[pair][name] for pair in NAMES], np.int64).T for name in ARRAYS}
    return Solution(BANDS, pays, scaled_rates(pays, BANDS).scale, **arrays)


def played_deals_of(parts: Parts) -> PlayedDeals:
    """The deals that are not folded, of all pairs of bands."""
    return _read_played_deals(parts("outcomes"))


def _read_played_deals(pieces: Pieces) -> PlayedDeals:
    def read(name: str) -> DealCounts:
        return DealCounts(*np.array([pieces[pair][name] for pair in NAMES], np.int64).swapaxes(0, 1))

    return PlayedDeals(read("checked"), read("raised"))


def not_folded_of(parts: Parts) -> NotFolded:
    """What the deals that are not folded have, over all pairs of bands."""
    pieces = parts("forfeiting").values()
    fives, matches = (
        [sum(column) for column in zip(*(piece[name] for piece in pieces), strict=True)] for name in LISTS
    )
    return NotFolded(sevens(played_deals_of(parts)), fives, matches, sum(piece["community"] for piece in pieces))


LISTS = ("fives", "matches")


def short_strategy_value(game: "Game", parts: Parts) -> Fraction:
    """What a round is worth by the short strategy, in Antes."""
    solution = solution_of(game, parts)
    return Fraction(sum(parts("short_strategy").values()), solution.scale * int(solution.deals.sum()))


# What must be so.


def _check_solution(game: "Game", pieces: Pieces, parts: Parts) -> None:
    solution = _read_solution(game, pieces)
    deals, checked, always, compared, folded = arrays = [getattr(solution, name) for name in ARRAYS]
    require(deals.shape == (CLASSES, len(NAMES)) and all(array.min() >= 0 for array in arrays), MISSING)
    require(np.array_equal(deals, _deals()), "has another number of deals than there are")
    require(bool((compared <= 2 * deals).all() and (folded <= deals).all()), "counts more deals than there are")
    gained = checked - always
    gains = (gained >= 0) & (gained <= solution.scale * folded)
    require(bool(gains.all()), "folds where it does not gain by it")
    # Before anything is decided the seat is in the dealer's place as often as the dealer is in the seat's.
    own = np.array([BANDS.pair_of_ranks[_pair_number(hand)] for hand in range(CLASSES)])
    both = np.array([compared[own == pair].sum(0) for pair in range(len(NAMES))])
    every = np.array([deals[own == pair].sum(0) for pair in range(len(NAMES))])
    require(np.array_equal(both + both.T, 2 * every), "has wins that no losses stand against")


MISSING = "does not tell every hand under every pair of bands"


def _pair_number(hand: int) -> int:
    """The number of the pair of ranks of a class of hole cards."""
    low, high = sorted(divmod(hand, RANKS))
    return high * (high + 1) // 2 + low


def _deals() -> Integers:
    """The deals of each class of hole cards and pair of bands."""
    ranks = [divmod(hand, RANKS) for hand in range(CLASSES)]
    ways = [SUITED_WAYS if row > column else PAIR_WAYS if row == column else OFFSUIT_WAYS for row, column in ranks]
    boards = comb(48, 3) * comb(45, 2)
    return np.array([ways[hand] * boards * BANDS.hands_beside(ranks[hand]) for hand in range(CLASSES)])


SUITED_WAYS, PAIR_WAYS, OFFSUIT_WAYS = 4, 6, 12
"""In how many ways the hole cards of a class are dealt."""


def _check_outcomes(game: "Game", pieces: Pieces, parts: Parts) -> None:
    solution, played = solution_of(game, parts), _read_played_deals(pieces)
    raises, (scale, rates) = solution.raises, scaled_rates(pays_of(game), BANDS)
    for deals in played:
        require(deals.every.shape == (len(NAMES), len(HandRank)) and bool((deals.weaker >= 0).all()), MISSING)
        fits = (deals.weaker <= deals.not_stronger) & (deals.not_stronger <= deals.every)
        require(bool(fits.all()), "has outcomes that do not sum to one")

    def over(amounts: Integers, where: NDArray[np.bool_]) -> list[int]:
        return [int(column) for column in np.where(where, amounts, 0).sum(0)]

    def worth(deals: DealCounts) -> list[int]:
        return [int(row) for row in deals.weaker @ rates.per_weaker + deals.not_stronger @ rates.per_not_stronger]

    same = {
        "has outcomes that do not sum to one": (
            [int(row) for row in (played.raised.every + played.checked.every).sum(1) + over(solution.folded, ~raises)],
            [int(column) for column in solution.deals.sum(0)],
        ),
        "has raised hands that do not sum up": (
            [int(r) for r in played.raised.every.sum(1)],
            over(solution.deals, raises),
        ),
        "wins more often or less than it compares": (
            [int(row) for row in (played.raised.weaker + played.raised.not_stronger).sum(1)],
            over(solution.compared, raises),
        ),
        "has outcomes of another edge": (worth(played.raised), over(solution.always, raises)),
        "has outcomes of another edge after a check": (
            [a + b for a, b in zip(worth(played.checked), over(scale * solution.folded, ~raises), strict=True)],
            over(solution.checked, ~raises),
        ),
    }
    for wrong, (one, other) in same.items():
        require(one == other, wrong)
    # However a seat decides, it has no category more often than seven cards have it.
    every, all_deals = (played.raised.every + played.checked.every).sum(0), int(solution.deals.sum())
    for category, hands in seven_card_counts().items():
        require(int(every[category]) * comb(52, 7) <= all_deals * hands, "has better hands than there are")


def _check_forfeiting(game: "Game", pieces: Pieces, parts: Parts) -> None:
    played = played_deals_of(parts)
    for number, piece in enumerate(pieces.values()):
        fives, matches, community = piece["fives"], piece["matches"], piece["community"]
        every = int((played.checked.every + played.raised.every)[number].sum())
        require(len(fives) == len(HandRank) and len(matches) == 4 and min(*fives, *matches, community) >= 0, MISSING)
        require(sum(fives) == every and sum(matches) <= every, "has lines that do not sum to one")


def _check_other_edges(game: "Game", pieces: Pieces, parts: Parts) -> None:
    blind, own = Fraction(pieces[WITHOUT_BANDS]), solution_of(game, parts).edge
    edges = [Fraction(edge) for edge in pieces.values()]
    require(max(edges) == blind and own <= blind <= 1, "wins by not looking at the bands")


def _check_short_strategy(game: "Game", pieces: Pieces, parts: Parts) -> None:
    totals = solution_of(game, parts).totals
    best = [sum(column) for column in np.maximum(totals["check"], totals["3x"]).T.tolist()]
    require(
        all(a <= b for a, b in zip(pieces.values(), best, strict=True)), "has a short strategy better than the best"
    )


PARTS: Mapping[str, Part] = {
    "solution": Part(NAMES, _by_pair(_solution), _check_solution),
    "outcomes": Part(NAMES, _by_pair(_outcomes), _check_outcomes),
    "forfeiting": Part(NAMES, _by_pair(_forfeiting), _check_forfeiting),
    "other_bands": Part(tuple(OTHER_BANDS), _other_edges, _check_other_edges),
    "short_strategy": Part(NAMES, _by_pair(policies.short_strategy), _check_short_strategy),
}
