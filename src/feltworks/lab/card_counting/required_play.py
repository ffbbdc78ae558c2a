"""What the required wager of a game is worth with any cards left, where the first card may be discarded for another.

Who has a bonus wager beside it decides for both: discarding a card for the bonus's sake costs the required wager what
is told here. Like a bonus, the wager is walked once with every card, by the one definition of the game. It is settled
by the seat's card and two others, so that with any cards left it is a quadratic form in their counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import perm

import numpy as np

from feltworks.kit.cards import Card
from feltworks.kit.errors import TooLarge
from feltworks.kit.game import Game
from feltworks.lab.card_counting.compositions import Flags, HandSums, Indices, Numbers, Walk
from feltworks.lab.stakes import company
from feltworks.lab.walking_analyzer import rules_for, suits_matter

HELD = 3
"""The seat's card and the two that it is compared with."""


@dataclass(frozen=True, eq=False)
class RequiredPlay:
    """What the required wager wins per unit, by option, the seat's card and the two others, in which order they come
    being the same: where the first card was kept, and where it was discarded for this one."""

    ranks: tuple[str, ...]
    fresh: Numbers
    kept: Numbers
    traded: Numbers

    def best(self, left: Numbers) -> tuple[Numbers, Numbers]:
        """What is won over all deals that begin with each rank, by rank and composition, if it is kept and if it is
        discarded, with the best option for the cards that are left."""
        return _choices(self.kept, self.traded, left)

    def by_the_book(self, left: Numbers) -> tuple[Numbers, Numbers]:
        """The same with the options that are best with the full shoe."""
        return _choices(*self._book, left)

    @cached_property
    def _book(self) -> tuple[Numbers, Numbers]:
        """What is won with one option for each card of the seat: the best one with the full shoe."""
        each, full = np.arange(len(self.ranks)), self.fresh[:, None]
        kept, traded = (
            options[_both_others(options, full, each[None, :])[..., 0].argmax(axis=0), each][None]
            for options in (self.kept, self.traded)
        )
        return kept, traded

    def edge(self, cards: Sequence[Card], trades: Flags) -> Fraction:
        """What it costs with the full shoe to discard these cards, and to do the best otherwise."""
        kept, traded = (choice[:, 0] for choice in self.best(self.fresh[:, None]))
        discarded = {card.text[0] for card, trade in zip(cards, trades, strict=True) if trade}
        won = [
            (trade if rank in discarded else keep) for rank, keep, trade in zip(self.ranks, kept, traded, strict=True)
        ]
        total = int(self.fresh.sum())
        return -sum(map(Fraction, won), Fraction(0)) / perm(total, HELD + 1)

    def hands_by_the_book(self, cards: Sequence[Card]) -> HandSums:
        """What each hand of these cards wins with the options that are best with the full shoe."""
        place = np.array([self.ranks.index(card.text[0]) for card in cards])
        hands = np.array(list(combinations_with_replacement(range(len(cards)), HELD)), np.int64)
        kept, traded = (_by_hand(options[0], place, hands) for options in self._book)
        return HandSums(hands, kept, traded.sum(axis=1), 0.0)


def _choices(kept: Numbers, traded: Numbers, left: Numbers) -> tuple[Numbers, Numbers]:
    """What each first card wins if kept and if discarded, with the best of these options."""
    each = np.arange(len(left))
    keep = left * _both_others(kept, left, each[None, :])[:, each].max(axis=0) * (left.sum(axis=0) - HELD)
    other = np.maximum(left - np.eye(len(left))[:, :, None], 0.0)  # by the card discarded and the next
    after = np.stack([_both_others(traded, left, np.array([each, np.full(len(left), i)])) for i in each])
    return keep, left * np.einsum("ijc,ijc->ic", other, after.max(axis=1))


def _both_others(nets: Numbers, left: Numbers, gone: Indices) -> Numbers:
    """The sum over all pairs of two other cards, by option, the seat's card and composition, where these cards are
    gone: one row each, by the seat's card."""
    pairs = np.einsum("ojde,ec->ojdc", nets, left)
    own = np.arange(nets.shape[1])
    total: Numbers = np.einsum("ojdc,dc->ojc", pairs, left) - np.einsum("ojdd,dc->ojc", nets, left)
    for number, one in enumerate(gone):
        total -= 2 * pairs[:, own, one] - 2 * nets[:, own, one, one][..., None]
        for two in gone[:number]:
            total += 2 * nets[:, own, one, two][..., None]
    return total


def _by_hand(net: Numbers, place: Indices, hands: Indices) -> Numbers:
    """By hand and place: the sum over the orders that begin with the card there, equal cards at the first of them."""
    by_hand = np.zeros(hands.shape)
    for first in range(HELD):
        one, two = (i for i in range(HELD) if i != first)
        again = (hands[:, :first] == hands[:, [first]]).any(axis=1)
        orders = np.where(again, 0, np.where(hands[:, one] == hands[:, two], 1, 2))
        by_hand[:, first] = orders * net[place[hands[:, first]], place[hands[:, one]], place[hands[:, two]]]
    return by_hand


def required_play(game: Game) -> RequiredPlay:
    """The one wager with which a seat comes into every round, option by option. Refused where it is decided by other
    means."""
    name, *others = company(game)
    fresh = game.fresh()
    assert fresh is not None
    if others or suits_matter(game, [name]):
        raise TooLarge(f"{game.wager(name).title} is decided by more than the ranks of three cards.")
    shoe = fresh.suitless
    cards = [card for card in shoe.cards if shoe.count(card)]
    kept, traded = list[Numbers](), list[Numbers]()
    options = 1
    while len(kept) < options:
        walk = Walk(rules_for(game, {name: Fraction(1)}), game.wager(name), cards, alike=False, option=len(kept))
        for nets, ways in ((kept, walk.ways()), (traded, walk.ways_after_a_discard())):
            nets_of_cards = np.full((len(cards),) * HELD, np.nan)
            for way in ways:
                if len(way.cards) == HELD:
                    nets_of_cards[tuple(cards.index(card) for card in way.cards)] = float(way.end.net)
            if np.isnan(nets_of_cards).any() or (nets_of_cards != nets_of_cards.transpose(0, 2, 1)).any():
                raise TooLarge(f"{game.wager(name).title} is decided by more than the ranks of three cards.")
            nets.append(nets_of_cards)
        options = walk.options
    counts = np.array([shoe.count(card) for card in cards], np.float64)
    return RequiredPlay(tuple(card.text[0] for card in cards), counts, np.array(kept), np.array(traded))
