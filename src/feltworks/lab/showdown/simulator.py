"""Rounds of a showdown game by the hundred thousand: deal, decide by what was solved, look up how the hands compare.

No rule is run for a round. Before the last cards the decisions are looked up in the solution; with the whole board in
sight they are worked out against every hand that the dealer may have. How a round is settled follows from its course
and from the signature of its hands, as the rules settled it when the courses were walked.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.kit import fast_poker
from feltworks.kit.enumerator import Progress
from feltworks.kit.errors import BadValue
from feltworks.kit.philox import key_of
from feltworks.kit.showdown import ShowdownRound
from feltworks.kit.workers import in_chunks
from feltworks.lab.graph import ME
from feltworks.lab.showdown.card_sets import CARDS, Ints, Sets, place_of
from feltworks.lab.showdown.card_sets import places as places_of
from feltworks.lab.showdown.card_turns import ByCardTypesAndTurns
from feltworks.lab.showdown.card_types import TURN, ByCardTypes
from feltworks.lab.showdown.deal_kernels import canonical_places, deal, sealed_counts, words_of
from feltworks.lab.showdown.engine import BySweeps, Solved
from feltworks.lab.showdown.hand_values import HandTable
from feltworks.lab.showdown.side_wagers import SideWager
from feltworks.lab.showdown.skeleton import Choice, End, Ending, Node

CHUNK, BATCH = 1 << 17, 1 << 14
"""How many rounds one key of chance plays, and how many of them at a time."""
NEVER = 255
"""What is chosen with cards that no round has there."""
LARGEST_LOOKUP = 400_000_000
"""So many bytes of looked-up decisions are kept at most."""

Course = tuple[str, ...]
"""What was chosen, from the first decision to the last."""
Ends = Mapping[str, Mapping[Ending, int]]
"""By wager: how often it ended how."""


class LookUp(NamedTuple):
    """What is chosen at a decision, by the known cards (their places as one number, ascending) and the seat's own."""

    known: Ints
    chosen: NDArray[np.uint8]


class Simulator:
    """Plays rounds of a game that is solved."""

    def __init__(self, solved: Solved) -> None:
        round_class = solved.game.round_class
        assert issubclass(round_class, ShowdownRound)
        self.plan, self._method = solved.plan, solved.method
        self.tokens = (
            *self.plan.own,
            *(token for draw in self.plan.draws for token in draw.tokens),
            *self.plan.sealed,
        )
        column = {token: place for place, token in enumerate(self.tokens)}
        shown = round_class.showdown
        self._seat = [column[token] for token in shown.seat.cards_of(ME)]
        self._dealer = [column[token] for token in shown.dealer.cards_of(ME)] if shown.dealer else []
        self.required = [name for name, wager in solved.game.wagers.items() if wager.required]
        self._sides = {}
        for name in solved.game.wagers:
            if name not in self.required:
                side = SideWager(self.plan, name)
                self._sides[name] = side, [column[token] for token in side.hand.cards_of(ME)]
        self._look_ups: dict[int, LookUp] = {}

    def play(self, rounds: int, seed: int, workers: int, progress: Progress | None) -> Ends:
        """So many rounds. The number of workers changes nothing but the time that it takes."""
        key = key_of(seed)
        self._prepare()

        def chunk(number: int, part: int) -> Counter[tuple[str, Ending]]:
            words, found = words_of(self.plan.deck, number, key), Counter[tuple[str, Ending]]()
            for first in range(0, part, BATCH):
                rows = np.empty((min(BATCH, part - first), len(self.tokens)), np.uint8)
                deal(words, rows)
                for ending, times in self.counted(rows):
                    found[ending] += times
            return found

        totals: dict[str, Counter[Ending]] = defaultdict(Counter)
        for found in in_chunks(chunk, rounds, CHUNK, workers, progress):
            for (name, ending), times in found.items():
                totals[name][ending] += times
        return totals

    def _prepare(self) -> None:
        """What threads share is made before they start."""
        self.counted(np.array([self.plan.deck[: len(self.tokens)]], np.uint8))

    def counted(self, rows: Sets) -> list[tuple[tuple[str, Ending], int]]:
        """How every wager ends with these deals: a row each, with the cards of `tokens`."""
        found: list[tuple[tuple[str, Ending], int]] = []
        signatures = self.signatures(rows)
        kinds = {name: _kinds(side.table, rows[:, columns]) for name, (side, columns) in self._sides.items()}
        for course, end, here in self.courses(rows):
            for number, times in zip(*np.unique(signatures[here], return_counts=True), strict=True):
                endings = dict(end.endings[int(number)])
                found += [((name, endings[name]), int(times)) for name in self.required]
            for name, (side, _) in self._sides.items():
                for kind, times in zip(*np.unique(kinds[name][here], return_counts=True), strict=True):
                    found.append(((name, side.ending(course, int(kind))), int(times)))
        return found

    # How the hands compare.

    def signatures(self, rows: Sets) -> Ints:
        """The number of the signature of each deal."""
        plan = self.plan
        mine = _codes(plan.seat, rows[:, self._seat])
        dealer_kind, better = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        if plan.dealer is not None:
            theirs = _codes(plan.dealer, rows[:, self._dealer])
            dealer_kind, better = plan.dealer.kind_of[theirs], np.sign(mine - theirs)
        numbers: Ints = plan.number[plan.seat.kind_of[mine], dealer_kind, better]
        if (numbers < 0).any():
            raise AssertionError("hands compare as no deal was found to")
        return numbers

    # What is chosen.

    def courses(self, rows: Sets) -> list[tuple[Course, End, Ints]]:
        """Every course that these deals take, where it ends, and which deals take it."""
        found: list[tuple[Course, End, Ints]] = []
        waiting: list[tuple[Course, Node, Ints]] = [((), self.plan.root, np.arange(len(rows)))]
        while waiting:
            course, node, here = waiting.pop()
            if isinstance(node, End):
                found.append((course, node, here))
                continue
            chosen = self.chosen(node, rows[here])
            for number, (name, after) in enumerate(node.options):
                taken = here[chosen == number]
                if len(taken):
                    waiting.append(((*course, name), after, taken))
        return found

    def chosen(self, choice: Choice, rows: Sets) -> NDArray[np.uint8]:
        """The number of the option that is best with each of these deals; of equal ones the first."""
        plan = self.plan
        depth = plan.depth(choice)
        if isinstance(self._method, ByCardTypes) and depth == len(plan.draws):
            return self._with_the_board(self._method, choice, rows)
        if isinstance(self._method, ByCardTypesAndTurns) and depth == 2:
            return self._method.chosen_on_turn(choice, rows[:, : len(plan.own) + sum(TURN[:2])])
        sizes = [draw.size for draw in plan.draws[:depth]]
        own, last = len(plan.own), len(plan.own) + sum(sizes)
        starts = np.cumsum([0, *sizes, own])
        places = np.empty((len(rows), depth + 1), np.int64)
        canonical_places(
            np.column_stack([rows[:, own:last], rows[:, :own]]), starts, np.array(plan.suits, np.int64), places
        )
        look_up = self._look_up(choice)
        known = np.searchsorted(look_up.known, _as_one(places[:, :-1]))
        chosen: NDArray[np.uint8] = look_up.chosen[known, places[:, -1]]
        return chosen

    def _with_the_board(self, method: ByCardTypes, choice: Choice, rows: Sets) -> NDArray[np.uint8]:
        """With every common card in sight: against all that the dealer may have."""
        plan, rules = self.plan, method.rules
        own = len(plan.own)
        values = np.empty(len(rows), np.int64)
        kinds = rules.pays.shape[2]
        counts = np.zeros((len(rows), kinds, 3), np.int64)
        lookup = fast_poker.tables(7)
        sealed_counts(rows[:, : len(self.tokens) - len(plan.sealed)], own, values, rules.dealer_kinds, lookup, counts)
        seat_kinds = rules.seat_kinds[values]

        def worth(node: Node) -> Ints:
            if isinstance(node, Choice):
                best: Ints = np.max([worth(after) for _, after in node.options], axis=0)
                return best
            total: Ints = (counts * rules.pays[method.number(node)][seat_kinds]).sum((1, 2))
            return total

        every = np.array([worth(node) for _, node in choice.options])
        best: NDArray[np.uint8] = every.argmax(0).astype(np.uint8)
        return best

    def _look_up(self, choice: Choice) -> LookUp:
        if id(choice) not in self._look_ups:
            found = self._of_sweeps if isinstance(self._method, BySweeps) else self._of_types
            self._look_ups[id(choice)] = found(choice)
        return self._look_ups[id(choice)]

    def _of_sweeps(self, choice: Choice) -> LookUp:
        assert isinstance(self._method, BySweeps)
        layers, hands = self._method.layers, comb(CARDS, len(self.plan.own))
        _ = self._method.value
        every = [known for known, of in layers.chosen if of == id(choice)]
        if len(every) * hands > LARGEST_LOOKUP:
            raise BadValue(
                f"The decisions of {self.plan.game.title} are too many to be kept; simulate it with --strategy first."
            )
        numbers = np.array([_as_one(np.array([[_place(group) for group in known]], np.int64))[0] for known in every])
        order = np.argsort(numbers)
        chosen = np.full((len(every), hands), NEVER, np.uint8)
        for place, number in enumerate(order.tolist()):
            rows = layers.hands(every[number]).rows
            chosen[place, places_of(rows)] = layers.chosen[every[number], id(choice)]
        return LookUp(numbers[order], chosen)

    def _of_types(self, choice: Choice) -> LookUp:
        assert isinstance(self._method, ByCardTypes)
        if self.plan.depth(choice):
            flops, chosen = self._method.chosen_on_flop(choice)
            numbers = _as_one(np.array([[_place(flop)] for flop in flops.tolist()], np.int64))
            order = np.argsort(numbers)
            return LookUp(numbers[order], chosen[order])
        rows, best = self._method.chosen_before_flop(choice)
        chosen = np.full((1, comb(CARDS, len(self.plan.own))), NEVER, np.uint8)
        chosen[0, places_of(rows)] = best
        return LookUp(_as_one(np.empty((1, 0), np.int64)), chosen)


def _place(cards: "list[int] | tuple[int, ...]") -> int:
    return int(place_of(np.array(sorted(cards), np.uint8), len(cards)))


def _as_one(places: Ints) -> Ints:
    """The places of several groups of cards as one number."""
    number = np.zeros(len(places), np.int64)
    for group in range(places.shape[1]):
        number = number * comb(CARDS, 5) + places[:, group]
    return number


def _codes(table: HandTable, rows: Sets) -> NDArray[np.int32]:
    """What hands are worth, their cards in any order."""
    return table.codes(rows if table.code_of_value is not None else np.sort(rows, axis=1))


def _kinds(table: HandTable, rows: Sets) -> Ints:
    kinds: Ints = table.kind_of[_codes(table, rows)]
    return kinds
