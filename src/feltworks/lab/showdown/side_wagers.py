"""Side wagers that go by the kind of a hand: how each kind ends on every course, and how often it comes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from feltworks.kit import fast_poker
from feltworks.kit.cards import Token
from feltworks.kit.errors import BadValue
from feltworks.kit.poker import best_hand
from feltworks.kit.showdown import CardLookedAt, HandOf, Showdown, ShowdownRound
from feltworks.lab.graph import ME
from feltworks.lab.showdown.card_sets import RANKS, SUITS, Ints, subsets
from feltworks.lab.showdown.estimate import refuse_if_long
from feltworks.lab.showdown.hand_values import HandTable, hand_tables
from feltworks.lab.showdown.plan import Plan
from feltworks.lab.showdown.proof import Proof, beside
from feltworks.lab.showdown.skeleton import Choice, End, Ending, Skeleton, hidden
from feltworks.lab.showdown.solution import Counts, Hands, Known, Layers, Pays, ends, with_cards
from feltworks.lab.showdown.tally import Tally

if TYPE_CHECKING:
    from feltworks.lab.showdown.engine import Solved

LARGEST = 3_000_000
"""So many hands of a side wager are read one by one."""


def _shown(plan: Plan) -> Showdown:
    round_class = plan.game.round_class
    assert issubclass(round_class, ShowdownRound)
    return round_class.showdown


def _declared(plan: Plan, name: str) -> HandOf:
    shown = _shown(plan)
    if name not in shown.sides:
        raise BadValue(
            f"{plan.game.title} does not declare the hand that {plan.game.wager(name).title} goes by; add it to `sides`"
            " of its `showdown`."
        )
    return shown.sides[name]


@lru_cache(maxsize=16)
def _walked(plan: Plan, name: str) -> Skeleton:
    """The round with the side wager: its ends are numbered by the kind of its hand, and within it by signature."""
    table = _table(plan, name)
    stakes = {n: Fraction(1) for n, wager in plan.game.wagers.items() if wager.required or n == name}
    signatures = [s._replace(sides={name: kind}) for kind in table.kinds for s in plan.signatures]
    try:
        return hidden(plan.game, stakes, signatures)
    except CardLookedAt as look:
        return beside(plan.game, stakes, _shown(plan), _declared(plan, name), table.kinds, plan.signatures, str(look))


def _endings(node: End, plan: Plan, name: str, kind: int) -> set[Ending]:
    """How the wager ends there with a hand of this kind, whatever else the hands are."""
    signatures = len(plan.signatures)
    return {dict(endings)[name] for endings in node.endings[kind * signatures :][:signatures]}


class SideWager:
    """A side wager by its hand alone, where its figures have been proved: how each kind ends on each course."""

    def __init__(self, plan: Plan, name: str) -> None:
        self.hand, self.table = _declared(plan, name), _table(plan, name)
        self._plan, self._name, self._root = plan, name, _walked(plan, name).root

    def ending(self, course: Sequence[str], kind: int) -> Ending:
        node = self._root
        for option in course:
            if isinstance(node, Choice):
                node = node.after(option)
        assert isinstance(node, End)
        [ending] = _endings(node, self._plan, self._name, kind)
        return ending


def _by_course(plan: Plan, name: str, kind: int) -> set[Ending]:
    """How the wager ends with a hand of this kind, on any course."""
    return {ending for node in ends(_walked(plan, name).root) for ending in _endings(node, plan, name, kind)}


def forfeited(plan: Plan, name: str) -> bool:
    """Whether a side wager ends otherwise on another course of the round. One that ends otherwise by other hands on the
    same course is refused."""
    for node in ends(_walked(plan, name).root):
        if any(len(_endings(node, plan, name, kind)) > 1 for kind in range(len(_table(plan, name).kinds))):
            raise BadValue(
                f"{plan.game.wager(name).title} ends otherwise by other hands on one course of {plan.game.title};"
                " let it go by the kind of its own hand alone, which `sides` declares."
            )
    return any(len(_by_course(plan, name, kind)) > 1 for kind in range(len(_table(plan, name).kinds)))


@lru_cache(maxsize=16)
def _table(plan: Plan, name: str) -> HandTable:
    hand = _declared(plan, name)
    return hand_tables([(hand, len(hand.cards_of(ME)))], plan.deck)[0]


def side_endings(solved: "Solved", name: str) -> Mapping[Ending, Fraction]:
    """How a side wager ends, and how often."""
    plan = solved.plan
    if forfeited(plan, name):
        return _joint_endings(solved, name)
    hand, table = _declared(plan, name), _table(plan, name)
    size = len(hand.cards_of(ME))
    found: dict[Ending, Fraction] = {}
    for kind, times in enumerate(_counts(plan, hand, table, size)):
        [ending] = _by_course(plan, name, kind)
        found[ending] = found.get(ending, Fraction(0)) + Fraction(times, comb(len(plan.deck), size))
    return found


def _joint_endings(solved: "Solved", name: str) -> Mapping[Ending, Fraction]:
    """The same where the course of the round bears on it, by the best play for the required wagers."""
    plan, table = solved.plan, _table(solved.plan, name)
    walked = replace(plan, proof=Proof(_walked(plan, name)))
    layers = Layers(walked, Pays.of_plan(walked, solved.required))
    hand = _declared(plan, name).cards_of(ME)
    drawn = [token for draw in plan.draws[: layers.depth] for token in draw.tokens]
    if not set(hand) <= {*plan.own, *drawn}:
        raise BadValue(
            f"What a fold forfeits of {plan.game.wager(name).title} is counted where the seat sees its whole hand; pay"
            " it to folded hands too, or let it go by cards that the seat sees."
        )
    title = plan.game.wager(name).title
    refuse_if_long(plan, layers.depth, f"let {title} be paid to folded hands too, which needs no strategy")
    layers.total()
    tally = _SideTally(layers, hand, table)
    tally.follow()
    found: dict[Ending, Fraction] = {}
    for number, node in enumerate(tally.nodes):
        if not isinstance(node, End):
            continue
        for kind in np.flatnonzero(tally.totals[number]).tolist():
            [ending] = _endings(node, plan, name, kind)
            found[ending] = found.get(ending, Fraction(0)) + Fraction(int(tally.totals[number, kind]), plan.deals)
    return found


class _SideTally(Tally):
    """How often a round ends where, with which kind of the side wager's hand."""

    def __init__(self, layers: Layers, hand: Sequence[Token], table: HandTable) -> None:
        super().__init__(layers)
        self._hand, self._table = hand, table
        self.totals = np.zeros((len(self.nodes), len(table.kinds)), np.int64)

    def counted(self, known: Known, hands: Hands, counts: Counts, places: Ints, weight: int) -> None:
        drawn = zip(self.layers.plan.draws, known, strict=False)
        cards = [
            card for draw, row in drawn for token, card in zip(draw.tokens, row, strict=True) if token in self._hand
        ]
        own = np.array([token in self._hand for token in self.layers.plan.own])
        rows = with_cards(hands.rows[:, own], cards)
        kinds = self._table.kind_of[self._table.codes(rows)]
        np.add.at(self.totals, (places, kinds), counts.deals.sum(1) * hands.weights * weight)


def _counts(plan: Plan, hand: HandOf, table: HandTable, size: int) -> list[int]:
    """How many hands there are of each kind."""
    totals = np.zeros(len(table.kinds), np.int64)
    if comb(len(plan.deck), size) <= LARGEST:
        np.add.at(totals, table.kind_of[table.codes(subsets(plan.deck, size))], 1)
    elif hand.value is best_hand and len(plan.deck) == RANKS * SUITS and table.code_of_value is not None:
        values, times = _value_counts(size)
        np.add.at(totals, table.kind_of[table.code_of_value[values]], times)
    else:
        raise BadValue(f"A hand of {size} cards is counted for `best_hand` and a whole deck.")
    return totals.tolist()


def _value_counts(size: int) -> tuple[Ints, Ints]:
    """How many hands of a whole deck have each value: those with five cards or more of a suit, and the others by their
    ranks. A value may be told more than once."""
    ranks = fast_poker.rank_multisets(size)
    without_suit, any_suit = (np.array([comb(suits, number) for number in range(5)]) for suits in (3, 4))
    every, of_suit = np.ones(len(ranks), np.int64), np.zeros((len(ranks), 8), np.int64)
    of_suit[:, 0] = 1
    for rank in range(RANKS):
        times = (ranks == rank).sum(1)
        with_suit = np.where(times > 0, without_suit[times - 1], 0)
        every *= any_suit[times]
        of_suit[:, 1:] = without_suit[times, None] * of_suit[:, 1:] + with_suit[:, None] * of_suit[:, :-1]
        of_suit[:, 0] *= without_suit[times]
    plain = every - 4 * of_suit[:, 5:].sum(1)
    flushes = fast_poker.tables(size).flushes.astype(np.int64)
    suited = [4 * comb(39, size - n) if 5 <= (n := ranks.bit_count()) <= size else 0 for ranks in range(1 << RANKS)]
    values = fast_poker.rank_values(size, fast_poker.rank_keys(ranks)).astype(np.int64)
    return np.concatenate([values, flushes]), np.concatenate([plain, np.array(suited)])
