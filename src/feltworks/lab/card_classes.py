"""Which cards are one card for some wagers: of one rank, if suits do not matter, and of ranks that decide the same.

A wager says so in the game's definition. That suits do not matter is proved: a card without a suit refuses to tell one.
That ranks are alike is checked by `alike_ranks`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from feltworks.kit.cards import RANKS, Card
from feltworks.kit.errors import FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.round import listed
from feltworks.kit.unseen import Unseen

NO_SUIT = "looks at a suit where none counts"
"""How a rule is told that does, as `rule_faults` words it."""


@dataclass(frozen=True)
class CardClasses:
    """The cards that are told apart: with their suits or without, and which ranks are alike."""

    suited: bool = True
    alike: tuple[str, ...] = ()

    def card(self, card: Card) -> Card:
        """The card that stands for a card."""
        if not self.suited:
            card = card.suitless
        group = next((group for group in self.alike if card.text[0] in group), None)
        return card if group is None else Card(group[0] + card.text[1:])

    def pack(self, unseen: Unseen) -> Unseen:
        """These cards, with each counted as the one that stands for it."""
        return (unseen if self.suited else unseen.suitless).alike(self.alike)


def classes_for(game: Game, wagers: Iterable[str]) -> CardClasses:
    """The cards that all of these wagers together tell apart."""
    made = [game.wager(name) for name in wagers]
    suited = any(wager.matters == "rank and suit" for wager in made)
    groups: dict[tuple[str, ...], str] = {}
    for rank in RANKS:
        among = tuple(next((group for group in wager.alike if rank in group), rank) for wager in made)
        groups[among] = groups.get(among, "") + rank
    return CardClasses(suited, tuple(group for group in groups.values() if len(group) > 1))


def titles(game: Game, wagers: Iterable[str]) -> str:
    return listed([game.wager(name).title for name in wagers], "and")


def naming(fault: FaultyRules, game: Game, wagers: Iterable[str]) -> FaultyRules:
    """A rule that looks at a suit, told with the wagers for which none counts."""
    said = str(fault).replace(f"{NO_SUIT}:", f"{NO_SUIT} for {titles(game, wagers)}:", 1)
    return FaultyRules(said, kind=fault.kind, place=fault.place)
