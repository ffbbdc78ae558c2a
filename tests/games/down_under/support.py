"""The solution that several tests look at, made once."""

from functools import cache

from feltworks.games.down_under_holdem.bands import BANDS, Bands
from feltworks.games.down_under_holdem.bonuses import NotFolded, not_folded
from feltworks.games.down_under_holdem.exact import BET, Flop, Solution, solve, solve_flop
from feltworks.kit.cards import parse_cards


@cache
def solution(bands: Bands = BANDS) -> Solution:
    return solve(BET, bands)


@cache
def flop() -> Flop:
    return solve_flop(solution())


@cache
def kept() -> NotFolded:
    return not_folded(flop())


def indices(text: str) -> list[int]:
    return [card.index for card in parse_cards(text)]
