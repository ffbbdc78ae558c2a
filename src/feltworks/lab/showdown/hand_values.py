"""What hands are worth, as whole numbers that have the order of their values, and what kind each of them is.

`best_hand` is looked up in the kit's compiled tables. Any other function is asked once for every set of cards that no
exchange of suits turns into another; its values are sorted as it compares them, and one that is no order is refused.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltworks.kit import fast_poker
from feltworks.kit.cards import SUITED_CARDS, Card
from feltworks.kit.errors import FaultyRules
from feltworks.kit.poker import Hand, best_hand
from feltworks.kit.showdown import HandOf, Kind, Value
from feltworks.lab.showdown.card_sets import RANKS, SUITS, Ints, Sets, places, representatives, stand_in_places, subsets
from feltworks.lab.showdown.skeleton import DoesNotFit

LARGEST_TABLE = 5
"""A function of one's own is tabled for hands of so many cards."""
TRIED = 300
"""How many hands, and pairs of values, are tried to see whether a function is what it should be."""


@dataclass(frozen=True)
class HandTable:
    """The codes of all hands of one shape: a higher code is a better hand, and equal ones tie."""

    codes: Callable[[Sets], NDArray[np.int32]]
    """By rows of cards."""
    worth: Sequence[Value]
    """By code; None where a hand of this shape has none."""
    kinds: Sequence[Kind]
    kind_of: Ints
    """By code: which of the kinds, -1 for none."""
    code_of_value: Ints | None = None
    """By the kit's 16-bit value, for hands that the kit reads."""

    @cached_property
    def reach(self) -> list[tuple[int, int]]:
        """The lowest and the highest code of each kind."""
        found = [np.flatnonzero(self.kind_of == kind) for kind in range(len(self.kinds))]
        return [(int(codes[0]), int(codes[-1])) for codes in found]


def hand_tables(hands: Sequence[tuple[HandOf, int]], deck: Sets) -> list[HandTable]:
    """The tables of hands that are compared with each other, each of so many cards of the deck."""
    found = [_found(hand, size, deck) for hand, size in hands]
    every = _in_order([value for values, _ in found for value in values], hands[0][0].value)
    code_of = {value: code for code, value in enumerate(every)}
    tables = []
    for (hand, _), (values, look_up) in zip(hands, found, strict=True):
        codes = np.array([code_of[value] for value in values], np.int32)
        own = set(codes.tolist())
        worth = [value if code in own else None for code, value in enumerate(every)]
        kinds: dict[Kind, int] = {}
        kind_of = np.array([kinds.setdefault(_kind(hand, v), len(kinds)) if v is not None else -1 for v in worth])
        by_value = codes[_by_value()].astype(np.int64) if hand.value is best_hand else None
        tables.append(HandTable(_coded(codes, look_up), worth, list(kinds), kind_of, by_value))
    return tables


def _coded(codes: NDArray[np.int32], look_up: Callable[[Sets], Ints]) -> Callable[[Sets], NDArray[np.int32]]:
    return lambda rows: codes[look_up(rows)]


def _kind(hand: HandOf, value: Value) -> Kind:
    try:
        kind = hand.kind(value)
    except Exception as error:
        raise FaultyRules(
            f"The `kind` of {value!r} fails with {type(error).__name__}: {str(error).rstrip('.')}."
        ) from error
    try:
        hash(kind)
    except TypeError:
        raise FaultyRules(f"The kind of {value!r} is {kind!r}; let `kind` give text, a number or a category.") from None
    return kind


def _found(hand: HandOf, size: int, deck: Sets) -> tuple[list[Value], Callable[[Sets], Ints]]:
    """The different values of a hand, and how to look up which of them a set of cards has."""
    if hand.value is best_hand:
        return _best_hands()
    if size > LARGEST_TABLE:
        raise DoesNotFit(
            f"A hand of {size} cards is read by {_name(hand.value)}, and a function of one's own is tabled for up to"
            f" {LARGEST_TABLE}; read it by the kit's `best_hand`."
        )
    return _tabled(hand.value, size, deck)


def _best_hands() -> tuple[list[Hand], Callable[[Sets], Ints]]:
    """The 7,462 different poker hands."""
    rows, which = _examples(), _by_value()
    values = [best_hand([SUITED_CARDS[card] for card in row]) for row in rows.tolist()]
    return values, lambda cards: which[fast_poker.evaluate(cards)]


def examples(hand: HandOf, size: int, deck: Sequence[Card]) -> list[list[tuple[Card, ...]]]:
    """Hands of each kind, five cards of them where the kit reads the hand."""
    cards = np.array([card.index for card in deck], np.uint8)
    rows = _examples() if hand.value is best_hand else _told_apart(size, cards)[1]
    by_kind: dict[Kind, list[tuple[Card, ...]]] = {}
    for row in rows.tolist():
        dealt = tuple(SUITED_CARDS[card] for card in row)
        by_kind.setdefault(hand.kind(hand.value(dealt)), []).append(dealt)
    return list(by_kind.values())


@cache
def _examples() -> Sets:
    """One hand for each of the different poker hands."""
    ranks = fast_poker.rank_multisets(5).tolist()
    # Of five ascending cards the first and the last never have one rank, so these two may have one suit.
    rainbow = [[RANKS * (i % SUITS) + rank for i, rank in enumerate(row)] for row in ranks]
    suited = [row for row in ranks if len(set(row)) == 5]
    return np.array(rainbow + suited, np.uint8)


@cache
def _by_value() -> Ints:
    """Which of the examples has a value."""
    which = np.zeros(1 << 16, np.int64)
    which[fast_poker.evaluate(_examples())] = np.arange(len(_examples()))
    return which


def _tabled(
    function: Callable[[Collection[Card]], Value], size: int, deck: Sets
) -> tuple[list[Value], Callable[[Sets], Ints]]:
    """A function of one's own, asked once for all sets that differ by an exchange of suits."""
    every, rows, classes = _told_apart(size, deck)
    which: dict[Value, int] = {}
    by_row = [which.setdefault(_asked(function, row), len(which)) for row in rows.tolist()]
    by_place = np.zeros(int(places(every).max()) + 1, np.int64)
    by_place[places(rows)] = by_row
    stands_in = np.empty(len(every), np.int64)
    stand_in_places(every, classes, stands_in)
    by_place[places(every)] = by_place[stands_in]
    values = list(which)
    chance = Random(len(every))
    for place in chance.sample(range(len(every)), min(TRIED, len(every))):
        hand = every[place].tolist()
        chance.shuffle(hand)
        if _asked(function, hand) != values[by_place[places(every[place : place + 1])[0]]]:
            shown = " ".join(SUITED_CARDS[card].text for card in hand)
            raise FaultyRules(
                f"{_name(function)} reads {shown} otherwise in another order or with other names of the suits;"
                " let a hand's value depend on neither."
            )
    return values, lambda cards: by_place[places(cards)]


def _told_apart(size: int, deck: Sets) -> tuple[Sets, Sets, Ints]:
    """All hands, those that no exchange of suits turns into another, and which suits may be exchanged."""
    classes = np.array([0 if RANKS * suit + deck[0] % RANKS in deck else suit for suit in range(SUITS)])
    every = subsets(deck, size)
    return every, representatives(every, classes)[0], classes


def _asked(function: Callable[[Collection[Card]], Value], row: Sequence[int]) -> Value:
    cards = tuple(SUITED_CARDS[card] for card in row)
    try:
        value = function(cards)
        hash(value)
    except Exception as error:
        shown = " ".join(card.text for card in cards)
        raise FaultyRules(
            f"{_name(function)} fails on {shown} with {type(error).__name__}: {str(error).rstrip('.')}."
        ) from error
    return value


def _in_order(values: Sequence[Value], function: Callable[..., Value]) -> list[Value]:
    """The different values from the lowest to the highest."""
    try:
        every = sorted(dict.fromkeys(values))
        chance = Random(len(every))
        pairs = [(i, i + 1) for i in range(len(every) - 1)]
        pairs += [tuple(sorted(chance.sample(range(len(every)), 2))) for _ in range(TRIED if len(every) > 2 else 0)]  # type: ignore[misc]
        for low, high in pairs:
            if not _below(every[low], every[high]):
                raise FaultyRules(
                    f"{_name(function)} is no order: {every[low]!r} and {every[high]!r} do not compare as the others;"
                    " let it give numbers, tuples of numbers or hands of the kit."
                )
    except TypeError as error:
        raise FaultyRules(
            f"{_name(function)} gives values that cannot be compared ({error}); let it give numbers, tuples of numbers"
            " or hands of the kit."
        ) from None
    return every


def _below(low: Any, high: Any) -> bool:
    return bool(low < high) and not high < low and low != high


def _name(function: Callable[..., Value]) -> str:
    return getattr(function, "__qualname__", repr(function))
