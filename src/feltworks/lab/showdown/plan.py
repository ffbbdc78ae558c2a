"""In which order the cards of a showdown become known, as the engine deals them: the seat's own first cards, what is
drawn to them step by step, and the dealer's cards that are sealed to the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import comb

import numpy as np

from feltworks.kit.cards import SUITED_CARDS, Token
from feltworks.kit.game import Game
from feltworks.kit.showdown import HandOf, ShowdownRound, Signature
from feltworks.lab.graph import ME
from feltworks.lab.showdown.card_sets import RANKS, Ints, Sets
from feltworks.lab.showdown.hand_values import HandTable, hand_tables
from feltworks.lab.showdown.proof import Proof, proved
from feltworks.lab.showdown.skeleton import Choice, DoesNotFit, Node, Skeleton

WORSE, EQUAL, BETTER = -1, 0, 1
"""How the seat's hand compares with the dealer's."""


class Of(Enum):
    """Whose hand a drawn card stands in."""

    SEAT = "the seat"
    DEALER = "the dealer"
    BOTH = "both"


@dataclass(frozen=True)
class Draw:
    """Cards that become known together, in any order."""

    of: Of
    tokens: tuple[Token, ...]

    @property
    def size(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, eq=False)
class Plan:
    """A showdown game as the engine deals it."""

    game: Game
    deck: Sets
    own: tuple[Token, ...]
    """The seat's first cards."""
    draws: tuple[Draw, ...]
    sealed: tuple[Token, ...]
    """The dealer's cards that nobody sees before the end."""
    depths: tuple[int, ...]
    """After how many draws the seat decides."""
    seat: HandTable
    dealer: HandTable | None
    signatures: tuple[Signature, ...]
    proof: Proof

    @property
    def skeleton(self) -> Skeleton:
        return self.proof.skeleton

    @property
    def root(self) -> Node:
        return self.skeleton.root

    def depth(self, choice: Choice) -> int:
        """After how many draws a decision is taken."""
        drawn = [draw for draw in self.draws if set(draw.tokens) <= set(choice.seen)]
        return len(drawn)

    @property
    def suits(self) -> tuple[int, ...]:
        """The suits that may change places: all of the deck, which has the same ranks of each."""
        return tuple(sorted({int(card) // RANKS for card in self.deck}))

    @cached_property
    def deals(self) -> int:
        """How many deals there are, cards that become known together in any order."""
        every, left = 1, len(self.deck)
        for size in (len(self.own), *(draw.size for draw in self.draws), len(self.sealed)):
            every *= comb(left, size)
            left -= size
        return every

    @cached_property
    def number(self) -> Ints:
        """The number of a signature by kind of the seat's hand, of the dealer's, and -1, 0 or 1 (as 2 to be an index);
        -1 where hands cannot end so."""
        dealers = self.dealer.kinds if self.dealer else [None]
        numbers = np.full((len(self.seat.kinds), len(dealers), 3), -1, np.int64)
        for number, signature in enumerate(self.signatures):
            seat, dealer = self.seat.kinds.index(signature.seat), dealers.index(signature.dealer)
            numbers[seat, dealer, signature.better] = number
        return numbers


def plan_of(game: Game) -> Plan:
    """How the engine deals a game, with every course of its round walked."""
    round_class = game.round_class
    assert issubclass(round_class, ShowdownRound)
    shown = round_class.showdown
    pack = game.fresh()
    if pack is None or game.decks != 1:
        raise DoesNotFit(
            f"{game.title} is dealt from {game.decks} decks, and hands are counted for one; set decks = 1."
        )
    deck = np.array(sorted(card.index for card in SUITED_CARDS if pack.count(card)), np.uint8)
    mine = shown.seat.cards_of(ME)
    theirs = shown.dealer.cards_of(ME) if shown.dealer else ()
    asked: list[tuple[HandOf, int]] = [(shown.seat, len(mine))]
    if shown.dealer:
        asked.append((shown.dealer, len(theirs)))
    tables = hand_tables(asked, deck)
    seat, dealer = tables[0], tables[1] if shown.dealer else None
    signatures = tuple(possible(seat, dealer))
    stakes = {name: Fraction(1) for name, wager in game.wagers.items() if wager.required}
    proof = proved(game, stakes, signatures, shown)
    own, draws, depths = _draws(game, proof.skeleton.root, mine, theirs)
    drawn = {token for draw in draws for token in draw.tokens}
    sealed = tuple(token for token in theirs if token not in drawn)
    return Plan(game, deck, own, draws, sealed, depths, seat, dealer, signatures, proof)


def possible(seat: HandTable, dealer: HandTable | None) -> Iterator[Signature]:
    """The signatures with which hands can end, by the values that each kind of hand has."""
    for kind, (low, high) in zip(seat.kinds, seat.reach, strict=True):
        if dealer is None:
            yield Signature(kind)
            continue
        for other, (lowest, highest) in zip(dealer.kinds, dealer.reach, strict=True):
            mine, theirs = seat.kind_of == seat.kinds.index(kind), dealer.kind_of == dealer.kinds.index(other)
            for better, can_be in ((1, high > lowest), (0, bool((mine & theirs).any())), (-1, low < highest)):
                if can_be:
                    yield Signature(kind, other, better)


def choices(node: Node) -> Iterator[Choice]:
    """Every decision from here on, each once."""
    known: dict[int, Choice] = {}

    def found(node: Node) -> None:
        if isinstance(node, Choice) and id(node) not in known:
            known[id(node)] = node
            for _, after in node.options:
                found(after)

    found(node)
    return iter(known.values())


def _draws(
    game: Game, root: Node, mine: Sequence[Token], theirs: Sequence[Token]
) -> tuple[tuple[Token, ...], tuple[Draw, ...], tuple[int, ...]]:
    """The seat's first cards, what is drawn to them, and after how many draws it decides."""
    hands = {*mine, *theirs}
    seen = {frozenset(choice.seen) for choice in choices(root)}
    levels = sorted(seen, key=len)
    for fewer, more in pairwise(levels):
        if not fewer < more:
            raise DoesNotFit(f"The seat sees cards in another order on another course of {game.title}.")
    if others := {str(token) for level in levels for token in level - hands}:
        raise DoesNotFit(
            f"The seat sees {', '.join(sorted(others))} before it decides, which no declared hand has; leave it sealed."
        )
    first = levels[0] if levels else frozenset(mine)
    own = tuple(token for token in mine if token in first and token not in theirs)
    if not own:
        raise DoesNotFit(f"The seat decides in {game.title} before it has seen a card of its own.")
    draws: list[Draw] = []
    depths, known = [], set(own)
    for level in levels:
        draws += _drawn(level - known, mine, theirs)
        known |= level
        depths.append(len(draws))
    draws += _drawn(set(mine) - known, mine, theirs)
    return own, tuple(draws), tuple(depths)


def _drawn(tokens: "set[Token] | frozenset[Token]", mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Draw]:
    by = {
        Of.BOTH: [t for t in theirs if t in tokens and t in mine],
        Of.SEAT: [t for t in mine if t in tokens and t not in theirs],
        Of.DEALER: [t for t in theirs if t in tokens and t not in mine],
    }
    for of, drawn in by.items():
        if drawn:
            yield Draw(of, tuple(drawn))
