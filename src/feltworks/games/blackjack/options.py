"""The options of a blackjack table, the house's defaults first."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from feltworks.kit.cards import MOST_DECKS
from feltworks.kit.errors import BadValue, UnknownName

if TYPE_CHECKING:
    from feltworks.kit.played_game import PlayedGame

ALLOWED = {
    "soft_17": ("hit", "stand"),
    "blackjack_pays": ("3/2", "6/5", "1"),
    "double": ("any", "9-11", "10-11"),
    "double_after_split": ("yes", "no"),
    "max_hands": ("4", "3", "2"),
    "split_aces": ("one_card", "resplit", "hit"),
    "surrender": ("none", "late"),
    "hole_card": ("peek", "no_peek", "none_takes_all", "none_takes_original"),
}
"""What each option may be; the first is the default."""

DEFAULT_DECKS = 6


@dataclass(frozen=True)
class Options:
    """How a table plays (B-01 to B-05).

    split_aces: `one_card` gives each ace one card and splits them once; `resplit` gives one card too, but an ace on an
    ace may be split again; `hit` plays split aces like any other split hand.

    hole_card: with `peek` the dealer looks under an ace or a ten and ends the round on a blackjack. Otherwise it shows
    at the end. With `no_peek` and `none_takes_all` it takes every wager on the table; with `none_takes_original` it
    takes the original wager and no more, so that every round is worth what it is with `peek`.
    """

    soft_17: str = "hit"
    blackjack_pays: str = "3/2"
    double: str = "any"
    double_after_split: str = "yes"
    max_hands: str = "4"
    split_aces: str = "one_card"
    surrender: str = "none"
    hole_card: str = "peek"
    decks: int = DEFAULT_DECKS

    def __post_init__(self) -> None:
        for name, allowed in ALLOWED.items():
            given = getattr(self, name)
            if given not in allowed:
                raise UnknownName(name, str(given), allowed, ("B-01 to B-05",))
        if not isinstance(self.decks, int) or not 1 <= self.decks <= MOST_DECKS:
            raise BadValue(f"Blackjack is played with 1 to {MOST_DECKS} decks, not {self.decks}.")

    @property
    def shoe(self) -> tuple[int, ...]:
        """How many cards of each rank a fresh shoe has: ace, 2 to 9, ten."""
        return (4 * self.decks,) * 9 + (16 * self.decks,)

    @property
    def natural(self) -> Fraction:
        """What a blackjack wins per unit."""
        return Fraction(self.blackjack_pays)

    @property
    def hits_soft_17(self) -> bool:
        """Whether the dealer hits soft 17."""
        return self.soft_17 == "hit"

    @property
    def takes_all(self) -> bool:
        """Whether a dealer's blackjack takes doubled and split wagers too."""
        return self.hole_card in ("no_peek", "none_takes_all")

    @property
    def hands(self) -> int:
        """How many hands a seat may have."""
        return int(self.max_hands)

    def hands_from(self, rank: int) -> int:
        """How many hands a pair of this rank may become."""
        return 2 if rank == 0 and self.split_aces == "one_card" else self.hands

    def one_card(self, rank: int) -> bool:
        """Whether a split card of this rank gets one card and no more."""
        return rank == 0 and self.split_aces != "hit"

    def may_double(self, hard: int, soft: bool) -> bool:
        """Whether a hand of two cards with this hard total may be doubled, where doubling is offered at all."""
        if self.double == "any":
            return True
        low = 9 if self.double == "9-11" else 10
        return not soft and low <= hard <= 11

    @property
    def doubles_after_split(self) -> bool:
        """Whether a split hand may be doubled."""
        return self.double_after_split == "yes"

    @property
    def surrenders(self) -> bool:
        """Whether a hand may be given up for half its wager."""
        return self.surrender == "late"


def options_of(game: "PlayedGame") -> Options:
    """The options of a table, which are readings of the game."""
    return _options(tuple(game.readings[name] for name in ALLOWED), game.decks or DEFAULT_DECKS)


@cache
def _options(values: tuple[str, ...], decks: int) -> Options:
    return Options(**dict(zip(ALLOWED, values, strict=True)), decks=decks)
