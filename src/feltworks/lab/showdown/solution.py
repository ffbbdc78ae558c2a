"""The exact solution of a showdown game for any evaluator of hands.

The known cards beside the seat's own (common ones, shown ones of the dealer) are drawn step by step, of those that an
exchange of suits makes one only one, with its weight. With all of them drawn, every hand of the seat is compared with
every hand of the dealer in one sweep. What each course of choices is worth is added up to the draw before, hand by
hand; where the seat decides there, the best is taken first. So memory
holds one layer, and every number is whole.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.errors import TooLarge
from feltworks.lab.showdown.card_sets import (
    BINOMIALS,
    CARDS,
    Ints,
    Sets,
    places,
    representatives,
    stand_in_places,
    subsets,
    suit_classes,
)
from feltworks.lab.showdown.plan import Of, Plan, choices
from feltworks.lab.showdown.skeleton import Choice, End, Node
from feltworks.lab.showdown.sweep import compared

LARGEST_SUM = 2**63 - 1
"""All deals together win or lose no more than this, in parts of a unit."""
LARGEST_BATCH = 400_000
"""So many hands are read at once."""


@dataclass(frozen=True)
class Pays:
    """What each end of a round pays, as whole numbers by signature."""

    unit: int
    """Of which the numbers are so many parts."""
    of: Mapping[int, Ints]
    """By end (its `id`)."""

    @classmethod
    def of_plan(cls, plan: Plan, wagers: frozenset[str]) -> "Pays":
        nets = {id(end): [_net(dict(e), wagers) for e in end.endings] for end in ends(plan.root)}
        unit = lcm(*(net.denominator for each in nets.values() for net in each))
        largest = max(abs(net) for each in nets.values() for net in each)
        if largest * unit * plan.deals > LARGEST_SUM:
            raise TooLarge(
                f"{plan.game.title} wins or loses up to {largest} in {plan.deals:,} deals, more than is summed in whole"
                " numbers of 64 bits; let its lines pay less, or odds with smaller numbers."
            )
        return cls(unit, {end: np.array([int(net * unit) for net in each]) for end, each in nets.items()})


def _net(endings: Mapping[str, object], wagers: frozenset[str]) -> Fraction:
    return sum((ending.net for name, ending in endings.items() if name in wagers), Fraction(0))  # type: ignore[attr-defined]


def ends(root: Node) -> Iterator[End]:
    """Every end of the round, each once."""
    found: dict[int, End] = {}
    for node in [root, *(after for choice in choices(root) for _, after in choice.options)]:
        if isinstance(node, End):
            found[id(node)] = node
    return iter(found.values())


@dataclass(frozen=True)
class Hands:
    """The seat's hands under some known cards, those that an exchange of suits makes one told once."""

    classes: Ints
    rows: Sets
    weights: Ints

    def finder(self) -> Ints:
        """The row of each hand by its place."""
        where = np.full(int(BINOMIALS[CARDS, self.rows.shape[1]]), -1, np.int64)
        where[places(self.rows)] = np.arange(len(self.rows))
        return where

    def rows_for(self, finder: Ints, rows: Sets) -> Ints:
        """Which row stands for each of these hands."""
        found = np.empty(len(rows), np.int64)
        stand_in_places(rows, self.classes, found)
        rows_found: Ints = finder[found]
        return rows_found


@dataclass(frozen=True)
class Counts:
    """How often each of the seat's hands ends by each of a few signatures."""

    deals: Ints
    numbers: Ints

    def worth(self, pays: Ints) -> Ints:
        alike = pays.min() == pays.max()
        total: Ints = self.deals.sum(1) * pays[0] if alike else (self.deals * pays[self.numbers]).sum(1)
        return total


Known = tuple[tuple[int, ...], ...]
"""What was drawn, draw by draw."""


class First(NamedTuple):
    """What every option of the first decision is worth, hand by hand, in units of the wager."""

    known: Known
    rows: Sets
    weights: Ints
    """For how many hands each stands."""
    options: Mapping[str, Ints]
    """In parts: the worth of a hand, times the hands it stands for."""
    parts: int

    def worth(self, row: int) -> dict[str, Fraction]:
        of = self.parts * int(self.weights[row])
        return {name: Fraction(int(values[row]), of) for name, values in self.options.items()}


Met = Callable[[Known, int, Hands, Counts], None]
"""Told of known cards, how many deals they stand for, the hands, and how those end."""


def _without(deck: Sets, known: Iterable[tuple[int, ...]]) -> Sets:
    left: Sets = np.setdiff1d(deck, np.array([card for group in known for card in group], np.uint8))
    return left


class Layers:
    """The layers of a game, from some known cards on: for all hands of the seat, or for one."""

    def __init__(self, plan: Plan, pays: Pays, own: tuple[int, ...] | None = None, *, last: bool = False) -> None:
        self.plan = plan
        self.pays = pays
        self.own = own
        self.last = last
        """Whether of equal options the last is taken; otherwise the first."""
        self.equal = False
        """Whether options were found that are equally good."""
        self.choices = list(choices(plan.root))
        self.by_depth: dict[int, list[Choice]] = defaultdict(list)
        for choice in self.choices:
            self.by_depth[plan.depth(choice)].append(choice)
        # What is drawn last of all is summed up hand by hand where nothing is compared.
        self.folded = plan.dealer is None and len(plan.draws) > max(plan.depths, default=0)
        self.depth = len(plan.draws) - self.folded
        self.chosen: dict[tuple[Known, int], NDArray[np.uint8]] = {}
        """Which option is best, by known cards and decision, for each hand."""
        self.counted_last: Counts | None = None
        self._whole: dict[tuple[int, ...], tuple[Sets, Ints]] = {}
        """By the suits that may be exchanged: the hands of a whole deck, and for how many each stands."""

    @property
    def is_flat(self) -> bool:
        """Whether nothing is decided before all cards are drawn that the seat sees."""
        return all(depth == self.depth for depth in self.by_depth)

    def hands(self, known: Known) -> Hands:
        if self.own is not None:
            rows = np.array([self.own], np.uint8)
            return Hands(suit_classes([self.own, *known], self.plan.suits), rows, np.ones(1, np.int64))
        classes = suit_classes(list(known), self.plan.suits)
        key = tuple(classes.tolist())
        if key not in self._whole:
            self._whole[key] = representatives(subsets(self.plan.deck, len(self.plan.own)), classes)
        # Known cards lie alike in suits that may be exchanged, so that of hands without them the same ones stand in.
        rows, weights = self._whole[key]
        apart = np.ones(len(rows), np.bool_)
        for card in (card for group in known for card in group):
            apart &= (rows != card).all(1)
        return Hands(classes, rows[apart], weights[apart])

    def worth(self, known: Known) -> tuple[Hands, dict[int, Ints]]:
        """What every node is worth that is told apart here, by hand, times how many hands it stands for."""
        depth = len(known)
        hands = self.hands(known)
        wanted = self._wanted(depth)
        values: dict[int, Ints] = {}
        if depth == self.depth:
            counts = self.counted_last = self.counted(known, hands)
            for node in wanted:
                if isinstance(node, End):
                    values[id(node)] = counts.worth(self.pays.of[id(node)]) * hands.weights
        else:
            below = [node for node in wanted if isinstance(node, End) or self.plan.depth(node) > depth]
            values = {id(node): np.zeros(len(hands.rows), np.int64) for node in below}
            finder = None if self.own else hands.finder()
            for drawn, weight in self.drawn(known, hands.classes):
                theirs, worth = self.worth((*known, drawn))
                rows = np.zeros(1, np.int64) if finder is None else hands.rows_for(finder, theirs.rows)
                for name, total in values.items():
                    np.add.at(total, rows, weight * worth[name])
        for choice in self.by_depth[depth]:
            self._decide(known, choice, values)
        return hands, values

    def total(self, known: Known = (), weight: int = 1, met: "Met | None" = None) -> int:
        """What the round is worth, all deals together. Where nothing is decided before all cards are drawn, `met` is
        told what was counted."""
        last = len(known) == self.depth
        if last or any(depth <= len(known) for depth in self.by_depth):
            hands, values = self.worth(known)
            counts = self.counted_last
            if last and met is not None and counts is not None:
                met(known, weight, hands, counts)
            return weight * int(values[id(self.plan.root)].sum())
        classes = suit_classes(list(known), self.plan.suits)
        return sum(self.total((*known, drawn), weight * times, met) for drawn, times in self.drawn(known, classes))

    def _decide(self, known: Known, choice: Choice, values: dict[int, Ints]) -> None:
        """Take the best option with each hand; of equal ones the first, or the last."""
        for _, node in choice.options:
            if id(node) not in values:
                assert isinstance(node, Choice)
                self._decide(known, node, values)
        options = np.array([values[id(node)] for _, node in choice.options])
        best = options.max(0)
        first, last = options.argmax(0), len(options) - 1 - options[::-1].argmax(0)
        self.equal = self.equal or bool((first != last).any())
        self.chosen[known, id(choice)] = (last if self.last else first).astype(np.uint8)
        values[id(choice)] = best

    def _wanted(self, depth: int) -> list[Node]:
        """What is still to be told apart after so many draws: all that a decision there or before leads to directly."""
        found: dict[int, Node] = {id(self.plan.root): self.plan.root}
        for choice in self.choices:
            if self.plan.depth(choice) <= depth:
                for _, node in choice.options:
                    found[id(node)] = node
        return list(found.values())

    def drawn(self, known: Known, classes: Ints) -> Iterator[tuple[tuple[int, ...], int]]:
        """What can be drawn next, with how often each stands for others."""
        size = self.plan.draws[len(known)].size
        apart = known if self.own is None else (*known, self.own)
        rows, weights = representatives(subsets(_without(self.plan.deck, apart), size), classes)
        for row, weight in zip(rows.tolist(), weights.tolist(), strict=True):
            yield tuple(row), weight

    # The last layer.

    def counted(self, known: Known, hands: Hands) -> Counts:
        """How each hand ends with all cards drawn."""
        plan = self.plan
        drawn = list(zip(plan.draws, known, strict=False))
        mine = [card for draw, cards in drawn for card in cards if draw.of is not Of.DEALER]
        if plan.dealer is None:
            return self._kinds(known, mine, hands)
        theirs = [card for draw, cards in drawn for card in cards if draw.of is not Of.SEAT]
        left = _without(plan.deck, known)
        sealed = subsets(left, len(plan.sealed))
        codes = plan.seat.codes(with_cards(hands.rows, mine))
        dealer_codes = plan.dealer.codes(with_cards(sealed, theirs))
        kinds = len(plan.dealer.kinds)
        apart = comb(len(left) - len(plan.own), len(plan.sealed))
        counts = compared(hands.rows, codes, sealed, dealer_codes, plan.dealer.kind_of[dealer_codes], kinds, apart)
        # The counts are told by the dealer's hand, which is worse where the seat's is better.
        numbers = plan.number[plan.seat.kind_of[codes]][:, :, [1, 0, -1]]
        return Counts(counts.reshape(len(codes), -1), numbers.reshape(len(codes), -1))

    def _kinds(self, known: Known, mine: list[int], hands: Hands) -> Counts:
        """Where nothing is compared: how often a hand becomes each kind by what is drawn last."""
        plan = self.plan
        left = _without(plan.deck, known)
        size = plan.draws[-1].size if self.folded else 0
        last = subsets(left, size)
        kinds = len(plan.seat.kinds)
        counts = np.zeros((len(hands.rows), kinds), np.int64)
        batch = max(1, LARGEST_BATCH // len(last))
        for first in range(0, len(hands.rows), batch):
            rows = hands.rows[first : first + batch]
            row, column = np.divmod(np.arange(len(rows) * len(last)), len(last))
            apart = np.ones(len(row), np.bool_)
            for i in range(size):
                for j in range(rows.shape[1]):
                    apart &= rows[row, j] != last[column, i]
            row, column = row[apart], column[apart]
            both = with_cards(np.column_stack([rows[row], last[column]]), mine)
            kind = plan.seat.kind_of[plan.seat.codes(both)]
            counts[first : first + len(rows)] = np.bincount(row * kinds + kind, minlength=len(rows) * kinds).reshape(
                -1, kinds
            )
        numbers = np.broadcast_to(plan.number[:, 0, 0], counts.shape)
        return Counts(counts, numbers)


def with_cards(rows: Sets, cards: list[int]) -> Sets:
    """The hands with common cards, ascending."""
    common = np.broadcast_to(np.array(cards, np.uint8), (len(rows), len(cards)))
    return np.sort(np.column_stack([rows, common]), axis=1) if len(cards) else rows
