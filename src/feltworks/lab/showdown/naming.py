"""How a hand is named in a strategy, and which of several options is."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from feltworks.kit.cards import RANKS as RANK_SIGNS
from feltworks.kit.cards import SUITED_CARDS

RANKS = 13


def best_of(worth: Mapping[str, Fraction]) -> str:
    """The best option; of equal ones the first."""
    return max(worth, key=lambda name: worth[name])


def renamed_suits(card: int, suits: Sequence[int]) -> int:
    """A card by its number, where the suits have changed places."""
    return RANKS * suits[card // RANKS] + card % RANKS


def name_of(cards: Sequence[int]) -> str:
    """A hand in a few signs: two cards by their ranks and whether they are of one suit."""
    ordered = sorted(cards, key=lambda card: (card % RANKS, -(card // RANKS)), reverse=True)
    if len(ordered) != 2:
        return "".join(SUITED_CARDS[card].text for card in ordered)
    high, low = (RANK_SIGNS[card % RANKS] for card in ordered)
    return f"{high}{low}" if high == low else f"{high}{low}{'s' if ordered[0] // RANKS == ordered[1] // RANKS else 'o'}"
