"""The solution that several tests look at, made once."""

from functools import cache

from feltworks.games.down_under_holdem.enumerator.bands import BANDS, Bands
from feltworks.games.down_under_holdem.enumerator.bonuses import NotFolded, count_not_folded
from feltworks.games.down_under_holdem.enumerator.solution import BET, FlopStrategy, Solution, solve, solve_flop
from feltworks.kit.cards import parse_cards


@cache
def solution(bands: Bands = BANDS) -> Solution:
    return solve(BET, bands)


@cache
def flop() -> FlopStrategy:
    return solve_flop(solution())


@cache
def not_folded() -> NotFolded:
    return count_not_folded(flop())


def indices(text: str) -> list[int]:
    return [card.index for card in parse_cards(text)]
