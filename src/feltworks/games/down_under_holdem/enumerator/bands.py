"""The bands that the card reader shows of the dealer's cards, and how many hands each pair of bands has."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import RANK_PAIRS, Ranks, counts_of, multisets
from feltworks.kit.cards import RANKS, SUITS, CardSet
from feltworks.kit.errors import BadValue, UnknownName
from feltworks.kit.fast_poker import rank_multisets


@dataclass(frozen=True)
class Bands:
    """Disjoint sets of ranks that cover the deck. The dealer's two cards show an unordered pair of them."""

    sets: tuple[CardSet, ...]
    lit: int | None = None
    """The only pair of bands whose hands are counted, by its number; none where all are."""

    def __post_init__(self) -> None:
        named = "".join(band.ranks for band in self.sets)
        if sorted(named) != sorted(RANKS) or any(sorted(band.suits) != sorted(SUITS) for band in self.sets):
            raise BadValue(f"Bands name every rank of {RANKS} once, in all suits; these name {named!r}.")

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of the pairs of bands that are counted, in the order in which everything here numbers them."""
        return tuple((self.sets[a].name, self.sets[b].name) for a, b in self._pairs_by_number)

    def only(self, pair: int) -> "Bands":
        """The same bands, with the hands of one pair of them counted."""
        return Bands(self.sets, pair)

    def pair(self, names: Sequence[str]) -> int:
        """The number of the pair of two bands, named in either order."""
        allowed = [band.name for band in self.sets]
        for name in names:
            if name not in allowed:
                raise UnknownName("band", name, allowed)
        if len(names) != 2:
            raise BadValue(f"The dealer's two cards show two bands, not {len(names)}.")
        return self.pairs.index(tuple(sorted(names, key=allowed.index)))

    def band_of(self, card: int) -> str:
        """The name of the band of a card by its index."""
        return next(band.name for band in self.sets if RANKS[card % len(RANKS)] in band.ranks)

    @cached_property
    def pair_of_ranks(self) -> NDArray[np.int64]:
        """The number of the pair of bands, by pair of ranks; one more than there are for hands that are not counted."""
        numbers = {bands: number for number, bands in enumerate(self._pairs_by_number)}
        return np.array([numbers.get(self._bands_of(pair), len(numbers)) for pair in RANK_PAIRS], np.int64)

    @cached_property
    def _pairs_by_number(self) -> list[tuple[int, int]]:
        every = list(combinations_with_replacement(range(len(self.sets)), 2))
        return every if self.lit is None else [every[self.lit]]

    def _bands_of(self, ranks: Sequence[int]) -> tuple[int, int]:
        """The numbers of the bands of these two ranks, ascending."""
        low, high = sorted(n for rank in ranks for n, band in enumerate(self.sets) if RANKS[rank] in band.ranks)
        return low, high

    def _counts(self, ranks: Ranks) -> NDArray[np.int64]:
        """How many of these ranks are in each band."""
        return counts_of(ranks) @ np.array([[rank in band.ranks for band in self.sets] for rank in RANKS], np.int64)

    def _hands(self, taken: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many hands of each pair of bands are left when so many cards of each band are taken."""
        left = np.array([len(SUITS) * len(band.ranks) for band in self.sets]) - taken
        return np.stack(
            [
                left[..., a] * (left[..., a] - 1) // 2 if a == b else left[..., a] * left[..., b]
                for a, b in self._pairs_by_number
            ],
            -1,
        )

    @cached_property
    def most_hands(self) -> int:
        """No pair of bands has more hands than this."""
        return int(self._hands(np.zeros(len(self.sets), np.int64)).max())

    @cached_property
    def hands_on_flops(self) -> NDArray[np.int64]:
        """The dealer's hands: by number of the flop's ranks, pair of hole ranks and pair of bands."""
        return self._hands(self._counts(list(multisets(3)))[:, None] + self._counts(RANK_PAIRS))

    def hands_on_boards(self, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """The weights of the dealer's hands added up: by number of the board's ranks, and pair of hole ranks."""
        hands, of_board, of_pair = self._by_bands
        return (hands @ weights)[of_board[:, None], of_pair]

    @cached_property
    def _by_bands(self) -> tuple[NDArray[np.int64], ...]:
        """The dealer's hands by how many cards of each band are on the board, by the same of the hole cards, and by
        pair of bands; and where in that table the boards and the pairs of hole ranks are."""
        boards, of_board = np.unique(self._counts(rank_multisets(5)), axis=0, return_inverse=True)
        holes, of_pair = np.unique(self._counts(RANK_PAIRS), axis=0, return_inverse=True)
        return self._hands(boards[:, None] + holes), of_board, of_pair

    def hands_beside(self, ranks: tuple[int, ...]) -> NDArray[np.int64]:
        """The dealer's hands by pair of bands, when cards of these ranks are dealt elsewhere."""
        return self._hands(self._counts([ranks])[0])


BANDS = Bands((CardSet("small", "2345"), CardSet("medium", "6789"), CardSet("large", "TJQKA")))
"""As document 002 has them (D-04), and `BANDS` of `rules.py`: a test compares the two. They are written again here
because a count that imported the rules would have to be made anew after every change of them."""

UNSEEN = Bands((CardSet("any", RANKS),))
"""As if the card reader showed nothing."""
