"""A showdown game solved: by card types where its shape is met, otherwise by a sweep for each board, for any evaluator.

Both ways give the same numbers. What is asked about a later decision is computed when it is asked.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import permutations
from math import comb

import numpy as np

from feltworks.kit.errors import BadValue, FaultyRules, TooLarge
from feltworks.kit.game import Game
from feltworks.lab.showdown.card_sets import SUITS, Ints, stand_in_places
from feltworks.lab.showdown.card_sets import places as places_of
from feltworks.lab.showdown.card_turns import ByCardTypesAndTurns
from feltworks.lab.showdown.card_types import TURN, ByCardTypes, fits
from feltworks.lab.showdown.estimate import refuse_advice_if_long, refuse_if_long, seconds
from feltworks.lab.showdown.naming import best_of, renamed_suits
from feltworks.lab.showdown.plan import Plan, choices, plan_of
from feltworks.lab.showdown.skeleton import Choice, DoesNotFit, End, Ending
from feltworks.lab.showdown.solution import Counts, First, Hands, Known, Layers, Pays
from feltworks.lab.showdown.tally import Tallied, Tally

ZERO = Fraction(0)


def _remedy(plan: Plan) -> str:
    """What makes a game smaller, or does without its solution."""
    fewer = "deal fewer cards after the seat's first ones" if plan.draws else "give its hands fewer cards"
    name = plan.game.name
    return (
        f"{fewer}, wait for it with felt analyze {name} --however-long, or play it by a strategy of your own: felt"
        f" simulate {name} --strategy FILE.py"
    )


class BySweeps:
    """For any evaluator: one sweep for each way the known cards can fall."""

    words = "Every way the known cards can fall was swept once, for all hands of the seat and the dealer."

    def __init__(self, plan: Plan, pays: Pays, *, last: bool = False) -> None:
        self.plan = plan
        self.layers = Layers(plan, pays, last=last)
        refuse_if_long(plan, self.layers.depth, _remedy(plan))
        self._tally = Tally(self.layers)
        self._orders: dict[Known, tuple[Hands, Ints, Ints]] = {}

    @property
    def estimate(self) -> float:
        """How many seconds it takes, roughly."""
        return seconds(self.plan, self.layers.depth)

    @cached_property
    def value(self) -> Fraction:
        total = self.layers.total(met=self._met if self.layers.is_flat else None)
        return Fraction(total, self.plan.deals * self.layers.pays.unit)

    def _met(self, known: Known, weight: int, hands: Hands, counts: Counts) -> None:
        self._tally.counted(known, hands, counts, self._tally.decided(known, self._tally.start(hands)), weight)

    @cached_property
    def tallied(self) -> Tallied:
        _ = self.value
        if not self.layers.is_flat:
            self._tally.follow()
        return self._tally.result()

    def kept(self, choice: Choice, own: tuple[int, ...], known: Known) -> str:
        """The best option of a decision, as it was found for cards that differ by an exchange of suits."""
        _ = self.value
        for suits in permutations(range(SUITS)):
            renamed = tuple(tuple(sorted(renamed_suits(card, suits) for card in group)) for group in known)
            if (renamed, id(choice)) in self.layers.chosen:
                hands, places, rows = self._order(renamed)
                hand = np.array([sorted(renamed_suits(card, suits) for card in own)], np.uint8)
                found = np.empty(1, np.int64)
                stand_in_places(hand, hands.classes, found)
                row = rows[np.searchsorted(places, found[0])]
                return choice.options[int(self.layers.chosen[renamed, id(choice)][row])][0]
        raise AssertionError("the decision was not found")

    def _order(self, known: Known) -> tuple[Hands, Ints, Ints]:
        """The hands under known cards, and their places and rows, ascending."""
        if known not in self._orders:
            hands = self.layers.hands(known)
            where = places_of(hands.rows)
            rows = np.argsort(where)
            self._orders[known] = hands, where[rows], rows
        return self._orders[known]

    @cached_property
    def first(self) -> First | None:
        """The first decision, where it is taken on the seat's own cards alone."""
        plan, layers = self.plan, self.layers
        if not isinstance(plan.root, Choice) or plan.depth(plan.root):
            return None
        _ = self.value
        hands, values = layers.worth(())
        options = {name: values[id(node)] for name, node in plan.root.options}
        of = plan.deals // comb(len(plan.deck), len(plan.own)) * layers.pays.unit
        return First((), hands.rows, hands.weights, options, of)


class Solved:
    """One game, solved when something of it is asked."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.plan = plan_of(game)
        self.required = frozenset(name for name, wager in game.wagers.items() if wager.required)
        self.pays = Pays.of_plan(self.plan, self.required)

    @cached_property
    def method(self) -> BySweeps | ByCardTypes:
        """How it is solved: by card types where its shape is met."""
        if self.plan.proof.missing:
            self._prove_missing()
        return self._method(self.pays)

    def _method(self, pays: Pays) -> BySweeps | ByCardTypes:
        if not fits(self.plan):
            return BySweeps(self.plan, pays)
        decides_on_turn = len(self.plan.draws) == len(TURN)
        return ByCardTypesAndTurns(self.plan, pays) if decides_on_turn else ByCardTypes(self.plan, pays)

    def _prove_missing(self) -> None:
        """Signatures of which no deal was found must not come up, whatever is chosen."""
        missing = self.plan.proof.missing
        comes = np.array([number in missing for number in range(len(self.plan.signatures))], np.int64)
        if self._method(Pays(1, dict.fromkeys(self.pays.of, comes))).value:
            named = ", ".join(str(tuple(self.plan.signatures[number][:3])) for number in sorted(missing))
            raise FaultyRules(
                f"No deal of {self.game.title} was found that ends with one of these kinds of hands: {named}; let its"
                " rules ask for `seat_kind`, `dealer_kind` and `better` instead of looking at cards."
            )

    @property
    def seconds(self) -> float:
        """How long it takes to be solved, roughly."""
        return self.method.estimate

    def edge(self) -> Fraction:
        return -self.method.value

    def endings(self, wager: str) -> dict[Ending, Fraction]:
        """How a wager ends by the best strategy, and how often."""
        return self._endings(wager, self.method.tallied)

    def most_staked(self, wager: str) -> Fraction | None:
        """What is staked on average where of equal options the last is taken, if any are equal. By card types it is not
        known."""
        if not isinstance(self.method, BySweeps):
            return None
        _ = self.method.value
        if not self.method.layers.equal:
            return None
        endings = self._endings(wager, BySweeps(self.plan, self.pays, last=True).tallied)
        return sum((chance * ending.staked for ending, chance in endings.items()), ZERO)

    def _endings(self, wager: str, tallied: Tallied) -> dict[Ending, Fraction]:
        found: dict[Ending, int] = {}
        ends = {id(node): node for choice in choices(self.plan.root) for _, node in choice.options}
        ends[id(self.plan.root)] = self.plan.root
        for end, deals in tallied.items():
            node = ends[end]
            assert isinstance(node, End)
            for number in np.flatnonzero(deals).tolist():
                ending = dict(node.endings[number])[wager]
                found[ending] = found.get(ending, 0) + int(deals[number])
        return {ending: Fraction(deals, self.plan.deals) for ending, deals in found.items()}

    # A decision that somebody asks about.

    def choice_at(self, names: Collection[str], wagers: Mapping[str, Fraction]) -> Choice:
        """The decision at which a seat stands, by the names of the cards that it has seen and by what lies on its
        spots."""
        opens = {spot: share for name in self.required for spot, share in self.game.wagers[name].opens.items()}
        spots = {spot for name in self.required for spot in self.game.wagers[name].spots}
        lying = {spot: amount for spot, amount in wagers.items() if spot in spots}
        unit = next((lying[spot] / share for spot, share in opens.items() if spot in lying), Fraction(1))
        there = tuple(sorted((spot, amount / unit) for spot, amount in lying.items()))
        for (seen, up), choice in self.plan.skeleton.places.items():
            if up == there and {token.name for token in seen} == set(names):
                return choice
        raise BadValue(f"There is no decision of {self.game.title} with these cards and wagers.")

    def worth(self, choice: Choice, cards: Mapping[str, int]) -> dict[str, Fraction]:
        """What every option of a decision is worth with these cards, by the names of their tokens."""
        depth = self.plan.depth(choice)
        own, known = self._lying(choice, cards)
        layers = Layers(self.plan, self.pays, own)
        method: BySweeps | ByCardTypes | None
        try:
            method = self.method
        except TooLarge:
            if self.plan.proof.missing:
                raise
            refuse_advice_if_long(self.plan, depth, layers.depth)
            method = None
        if not depth and method is not None and (first := method.first) is not None:
            hands = method.layers.hands(())
            row = int(hands.rows_for(hands.finder(), np.array([own], np.uint8))[0])
            return first.worth(row)
        if isinstance(method, ByCardTypes) and len(self.plan.draws) > 1 and depth == 1:
            totals = method.on_flop(choice, own, known[0])
        else:
            _, values = layers.worth(known)
            totals = {name: int(values[id(node)][0]) for name, node in choice.options}
        every, left = self.pays.unit, len(self.plan.deck) - len(own) - sum(map(len, known))
        for size in (*(draw.size for draw in self.plan.draws[depth:]), len(self.plan.sealed)):
            every *= comb(left, size)
            left -= size
        return {name: Fraction(total, every) for name, total in totals.items()}

    def best(self, choice: Choice, cards: Mapping[str, int]) -> str:
        """The best option of a decision with these cards: looked up where it was kept, otherwise worked out."""
        if isinstance(self.method, BySweeps):
            return self.method.kept(choice, *self._lying(choice, cards))
        return best_of(self.worth(choice, cards))

    def _lying(self, choice: Choice, cards: Mapping[str, int]) -> tuple[tuple[int, ...], Known]:
        """The seat's own cards, and what was drawn to them."""
        own = tuple(sorted(cards[token.name] for token in self.plan.own))
        draws = self.plan.draws[: self.plan.depth(choice)]
        return own, tuple(tuple(sorted(cards[token.name] for token in draw.tokens)) for draw in draws)


@lru_cache(maxsize=4)
def _solved(key: "_Key") -> Solved:
    return Solved(key.game)


class _Key:
    """A game by its fingerprint, which two that are played alike share."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._name = tuple(game.fingerprint.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)


@lru_cache(maxsize=64)
def _unfit(key: "_Key") -> str:
    try:
        _solved(key)
    except DoesNotFit as reason:
        return str(reason)
    return ""


def does_not_fit(game: Game) -> str:
    """Why a game is not solved by the hands that it declares, and what can be done; nothing where it is."""
    return _unfit(_Key(game))


def solved(game: Game) -> Solved:
    """The game solved, once in a process."""
    return _solved(_Key(game))
