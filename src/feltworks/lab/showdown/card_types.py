"""The fast way for games with a board: two cards of the seat, five common ones, two of the dealer.

On a given board suits matter through one flush suit at most, so that a card is its rank and whether it is of that suit,
and two hole cards are of one of 338 types: 6,175 boards by ranks alone, 36,608 with three cards or more of a suit. Each
is swept once. What a hand is worth on all boards that a flop can lead to is what the ranks are worth, and beside that,
for each suit of the flop, what its flushes change. The boards and their order are those of Down Under Hold'em.

How often each course is taken goes the same ways backwards: from the flops to the boards, where the deals are counted.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import (
    HOLE_TYPES,
    PAIR_OF_TYPE,
    RANK_PAIR_COUNT,
    TWO_RANK_SETS,
    TYPE_MASK,
    TYPE_NUMBER,
    multisets,
    rank_boards,
    rank_order,
    sets,
    suit_boards,
)
from feltworks.games.down_under_holdem.enumerator.sweep import (
    NONE_SUITED,
    ONE_SUITED,
    THREE_SUITED,
    TWO_SUITED,
    left_out_of_suit,
    rank_runouts,
    ways_out_of_suit,
)
from feltworks.kit.fast_poker import rank_keys, rank_multisets, rank_values, tables
from feltworks.kit.poker import best_hand
from feltworks.kit.showdown import ShowdownRound
from feltworks.lab.showdown.board_kernels import (
    Flops,
    RankBoard,
    Rules,
    SuitBoards,
    flop_worth,
    flops_taken,
    rank_taken,
    rank_worth,
    spread_runouts,
    suit_taken,
    suit_worth,
    sum_runouts,
)
from feltworks.lab.showdown.card_sets import CARDS, RANKS, SUITS, Ints, representatives, stand_in_places, subsets
from feltworks.lab.showdown.card_sets import places as places_of
from feltworks.lab.showdown.plan import Of, Plan
from feltworks.lab.showdown.skeleton import Choice, End, Node
from feltworks.lab.showdown.solution import First, Layers, Pays
from feltworks.lab.showdown.tally import Tallied

FLOP, RIVER, TURN = (3, 2), (5,), (3, 1, 1)
"""How the board may be drawn."""
TYPES = len(HOLE_TYPES)
IMPOSSIBLE = 255
"""What is chosen with a hand that has a card of the flop."""


def fits(plan: Plan) -> bool:
    """Whether a game has the shape that is counted by card types."""
    round_class = plan.game.round_class
    assert issubclass(round_class, ShowdownRound)
    shown = round_class.showdown
    return (
        plan.dealer is not None
        and shown.dealer is not None
        and shown.seat.value is best_hand
        and shown.dealer.value is best_hand
        and (len(plan.own), len(plan.sealed), len(plan.deck)) == (2, 2, CARDS)
        and all(draw.of is Of.BOTH for draw in plan.draws)
        and tuple(draw.size for draw in plan.draws) in (FLOP, RIVER, TURN)
        and len(plan.dealer.kinds) <= 2
    )


Runouts = tuple[NDArray[np.int8], Ints, Ints]
"""In how many ways boards come from fewer common cards, by the pair of hole ranks; the ranks of these; all five."""


class Course(NamedTuple):
    """The nodes of a game by number: the ends, then the decisions from the river back to the first."""

    nodes: list[Node]
    ends: int
    river: int
    """So many of the decisions are taken on the river."""
    turn: int
    """So many on the turn."""
    flop: int
    """And so many on the flop."""

    @property
    def first_on_turn(self) -> int:
        return self.ends + self.river

    @property
    def first_on_flop(self) -> int:
        return self.ends + self.river + self.turn

    @property
    def first_before_flop(self) -> int:
        return self.ends + self.river + self.turn + self.flop

    def number(self, node: Node) -> int:
        return next(i for i, other in enumerate(self.nodes) if other is node)


class ByCardTypes:
    """Solves a game with a board by card types."""

    words = "Counted by card types: every board once by its ranks and the suit that can make a flush."
    estimate = 2.0
    """How many seconds it takes, roughly, whatever the game."""

    def __init__(self, plan: Plan, pays: Pays) -> None:
        self.plan = plan
        self.layers = Layers(plan, pays)
        self._course = _course(plan, self.layers)
        self._rules = _rules(plan, pays, self._course)
        # The nodes that are told apart on the flop.
        self._flop_nodes = [
            *self._rules.up.tolist(),
            *range(self._course.first_on_turn, self._course.first_before_flop),
        ]
        self._flop_options = self._renamed(self._course.first_on_flop, self._course.flop)

    @cached_property
    def _sums(self) -> tuple[Ints, Ints]:
        return self._sum()

    def _sum(self) -> tuple[Ints, Ints]:
        """What each course is worth where nothing is decided any more before the river: by ranks, and what each suit
        changes."""
        plain = np.zeros((len(self._rules.up), len(rank_boards()), RANK_PAIR_COUNT), np.int64)
        for number, board in enumerate(rank_sweeps()):
            rank_worth(board, self._rules, plain[:, number])
        base, changes = self._none
        sum_runouts(*self._runouts, plain, base)
        for suit in self._boards:
            suit_worth(suit, self._rules, plain, changes)
        return base, changes

    @property
    def _none(self) -> tuple[Ints, Ints]:
        """Nothing yet, by course, ranks of the flop and pair of hole ranks; and by course, suit and type."""
        channels = len(self._rules.up)
        base = np.zeros((channels, len(multisets(3)), RANK_PAIR_COUNT), np.int64)
        return base, np.zeros((channels, NONE_SUITED, TYPES), np.int64)

    @property
    def _runouts(self) -> Runouts:
        """How boards come from flops, by ranks."""
        return rank_runouts()

    @property
    def _boards(self) -> list[SuitBoards]:
        """The boards that flushes are possible on."""
        return suit_boards_for(_targets)

    @cached_property
    def _summed(self) -> tuple[Ints, NDArray[np.uint8]]:
        """What each course is worth by node and hand before the flop, and what is chosen on each flop."""
        base, changes = self._sums
        every = flops()
        totals = np.zeros((len(self._flop_nodes), comb(CARDS, 2)), np.int64)
        chosen = np.full((max(1, self._course.flop), len(every.cards), comb(CARDS, 2)), IMPOSSIBLE, np.uint8)
        flop_worth(every, base, changes, self._flop_options, totals, chosen)
        return totals, chosen

    def _renamed(self, first: int, number: int) -> Ints:
        """Where the options of some decisions lead to, among the nodes that are told apart on the flop."""
        options = _options(self._course, first, number)
        rows = [[self._flop_nodes.index(node) if node >= 0 else -1 for node in row] for row in options.tolist()]
        return np.array(rows, np.int64).reshape(options.shape)

    def on_flop(self, choice: Choice, own: Sequence[int], flop: Sequence[int]) -> dict[str, int]:
        """What each option of a decision on the flop is worth with a hand, summed over all that can come."""
        base, changes = self._sums
        high, low = (card % RANKS for card in own)
        worth = base[:, _number_of_ranks(flop), TYPE_NUMBER[high, low]].copy()
        for suit, row in _rows_of(flop):
            kinds = [card % RANKS + (RANKS if card // RANKS == suit else 0) for card in own]
            worth += changes[:, row, TYPE_NUMBER[kinds[0], kinds[1]]]
        values = worth.tolist()
        for options in self._flop_options.tolist():
            values.append(max(values[option] for option in options if option >= 0))
        return {name: values[self._flop_nodes.index(self._course.number(node))] for name, node in choice.options}

    @property
    def rules(self) -> Rules:
        """What hands are worth on the river."""
        return self._rules

    def number(self, node: Node) -> int:
        """The number of a node, as the pays of the rules have it."""
        return self._course.number(node)

    def chosen_on_flop(self, choice: Choice) -> "tuple[NDArray[np.uint8], NDArray[np.uint8]]":
        """The flops that no exchange of suits turns into another, and the number of the option that is best there with
        each pair of cards, by the place of the pair."""
        number = self._course.number(choice) - self._course.first_on_flop
        return flops().cards.astype(np.uint8), self._summed[1][number]

    def chosen_before_flop(self, choice: Choice) -> "tuple[NDArray[np.uint8], Ints]":
        """The hands before the flop, and the number of the option that is best with each."""
        worth = self._before_flop
        return self.hole, np.array([worth[self._course.number(node)] for _, node in choice.options]).argmax(0)

    def shares_on_flop(self, choice: Choice) -> dict[str, Ints]:
        """On how many flops each option of a decision is best, for the hands before the flop."""
        number = self._course.number(choice) - self._course.first_on_flop
        chosen, weights = self._summed[1][number], flops().weights
        rows, _, class_of = self._hole
        shares = {}
        for option, (name, _) in enumerate(choice.options):
            shares[name] = np.zeros(len(rows), np.int64)
            np.add.at(shares[name], class_of, weights @ (chosen == option))
        return shares

    @cached_property
    def hole(self) -> NDArray[np.uint8]:
        """The hands before the flop, those that no exchange of suits turns into another."""
        return self._hole[0]

    @cached_property
    def first(self) -> First | None:
        """What the options of the first decision are worth, if it is taken before the flop."""
        root, hands = self.plan.root, self._hole
        if not isinstance(root, Choice) or self.plan.depth(root):
            return None
        worth = self._before_flop
        options = {name: worth[self._course.number(node)] for name, node in root.options}
        return First((), hands[0], hands[1], options, self.plan.deals // comb(CARDS, 2) * self.layers.pays.unit)

    @cached_property
    def _hole(self) -> "tuple[NDArray[np.uint8], Ints, Ints]":
        """The hands before the flop, for how many each stands, and which one stands for each."""
        every = subsets(self.plan.deck, 2)
        classes = np.zeros(SUITS, np.int64)
        rows, weights = representatives(every, classes)
        where = np.zeros(comb(CARDS, 2), np.int64)
        where[places_of(rows)] = np.arange(len(rows))
        stands_in = np.empty(len(every), np.int64)
        stand_in_places(every, classes, stands_in)
        class_of = np.empty(len(every), np.int64)
        class_of[places_of(every)] = where[stands_in]
        return rows, weights, class_of

    @cached_property
    def _before_flop(self) -> dict[int, Ints]:
        """What each node is worth by hand before the flop, times the hands it stands for."""
        totals, _ = self._summed
        rows, _, class_of = self._hole
        worth = {}
        for node, total in zip(self._flop_nodes, totals, strict=True):
            worth[node] = np.zeros(len(rows), np.int64)
            np.add.at(worth[node], class_of, total)
        for number in range(self._course.first_before_flop, len(self._course.nodes)):
            choice = self._course.nodes[number]
            assert isinstance(choice, Choice)
            worth[number] = np.max([worth[self._course.number(node)] for _, node in choice.options], axis=0)
        return worth

    @cached_property
    def value(self) -> Fraction:
        total = int(self._before_flop[self._course.number(self.plan.root)].sum())
        return Fraction(total, self.plan.deals * self.layers.pays.unit)

    @cached_property
    def tallied(self) -> Tallied:
        """How many deals end where, by signature."""
        start = np.array([self._flop_nodes.index(node) for node in self._taken_before_flop()])[self._hole[2]]
        base, changes = self._taken(start)
        plain = np.zeros((len(self._rules.up), len(rank_boards()), RANK_PAIR_COUNT), np.int64)
        spread_runouts(*self._runouts, base, plain)
        kinds = self._rules.pays.shape[1:]
        totals = np.zeros((self._course.ends, *kinds), np.int64)
        for suit in self._boards:
            suit_taken(suit, self._rules, changes, plain, totals)
        for number, board in enumerate(rank_sweeps()):
            rank_taken(board, self._rules, plain[:, number], totals)
        found = {}
        numbers = self.plan.number[:, :, [1, 0, -1]]
        for end in range(self._course.ends):
            deals = np.zeros(len(self.plan.signatures), np.int64)
            occurs = totals[end] != 0
            np.add.at(deals, numbers[occurs], totals[end][occurs])
            found[id(self._course.nodes[end])] = deals
        if sum(int(deals.sum()) for deals in found.values()) != self.plan.deals:
            raise AssertionError("not every deal was counted")
        return found

    def _taken(self, start: Ints) -> tuple[Ints, Ints]:
        """How often each course goes on to the river, from the node of each hand on the flop, by what the sums are made
        of."""
        base, changes = self._none
        flops_taken(flops(), start, self._summed[1], self._flop_options, base, changes)
        return base, changes

    def _taken_before_flop(self) -> Ints:
        """The node that each hand goes on to from the decisions before the flop."""
        worth, course = self._before_flop, self._course
        taken = np.full(len(self._hole[0]), course.number(self.plan.root))
        for number in reversed(range(course.first_before_flop, len(course.nodes))):
            choice, here = course.nodes[number], taken == number
            assert isinstance(choice, Choice)
            options = np.array([course.number(node) for _, node in choice.options])
            best = np.array([worth[option] for option in options.tolist()]).argmax(0)
            taken[here] = options[best[here]]
        return taken


def _course(plan: Plan, layers: Layers) -> Course:
    """The nodes in an order in which every one comes after those that it leads to."""
    found: dict[int, Node] = {}

    def visit(node: Node) -> None:
        if id(node) not in found:
            for _, after in node.options if isinstance(node, Choice) else ():
                visit(after)
            found[id(node)] = node

    visit(plan.root)
    ends = [node for node in found.values() if isinstance(node, End)]
    by_cards: dict[int, list[Node]] = {0: [], 3: [], 4: [], 5: []}
    for node in found.values():
        if isinstance(node, Choice):
            by_cards[sum(draw.size for draw in plan.draws[: plan.depth(node)])].append(node)
    river, turn, flop = by_cards[5], by_cards[4], by_cards[3]
    nodes = [*ends, *river, *turn, *flop, *by_cards[0]]
    return Course(nodes, len(ends), len(river), len(turn), len(flop))


def _options(course: Course, first: int, number: int) -> Ints:
    """Where the options of some decisions lead to."""
    rows = []
    for node in course.nodes[first : first + number]:
        assert isinstance(node, Choice)
        rows.append([course.number(after) for _, after in node.options])
    width = max(map(len, rows), default=1)
    return np.array([row + [-1] * (width - len(row)) for row in rows], np.int64).reshape(number, width)


def _rules(plan: Plan, pays: Pays, course: Course) -> Rules:
    assert plan.dealer is not None and plan.seat.code_of_value is not None and plan.dealer.code_of_value is not None
    numbers = plan.number[:, :, [1, 0, -1]]
    by_end = [np.where(numbers >= 0, pays.of[id(node)][numbers], 0) for node in course.nodes[: course.ends]]
    before = course.nodes[course.first_on_turn :]
    up = {course.number(after) for node in before if isinstance(node, Choice) for _, after in node.options}
    up.add(course.number(plan.root))
    return Rules(
        plan.seat.kind_of[plan.seat.code_of_value],
        plan.dealer.kind_of[plan.dealer.code_of_value],
        np.array(by_end),
        _options(course, course.ends, course.river),
        np.array(sorted(node for node in up if node < course.ends + course.river), np.int64),
    )


# Boards


@cache
def rank_sweeps() -> list[RankBoard]:
    order, boards = rank_order(), rank_boards()
    types = (order.types & TYPE_MASK).astype(np.int64)
    values = _plain_values()
    found = []
    for number in range(len(boards)):
        row = types[number, order.ends[number, 0] : order.ends[number, -1]]
        left = np.concatenate([SUITS - boards[number], np.zeros(RANKS, np.int64)])
        found.append(RankBoard(row, values[number, row].astype(np.int64), left))
    return found


@cache
def _plain_values() -> NDArray[np.uint16]:
    """The values of all pairs of hole ranks on all boards, flushes left out of account."""
    pairs = np.array(HOLE_TYPES[:RANK_PAIR_COUNT])
    return rank_values(7, rank_keys(rank_multisets(5))[:, None] + rank_keys(pairs))


@cache
def suit_boards_for(
    targets_of: Callable[[Sequence[tuple[int, ...]], tuple[int, ...]], tuple[Ints, Ints]],
) -> list[SuitBoards]:
    """The boards with three cards or more of a suit, and where each is summed: a function of its ranks in the suit and
    of those out of it."""
    found = []
    suit_bits = np.array([sum(1 << kind - RANKS for kind in kinds if kind >= RANKS) for kinds in HOLE_TYPES])
    for size in (3, 4, 5):
        boards, suited = suit_boards(size), list(sets(size))
        bits = (1 << np.array(suited)).sum(1, keepdims=True)
        for number, others in enumerate(multisets(5 - size)):
            rows = boards.with_others(number)
            ends = rows.order.ends[:, -1].copy()
            types = np.where(np.arange(rows.order.types.shape[1]) < ends[:, None], rows.order.types & TYPE_MASK, 0)
            types = types.astype(np.uint16)
            flushes = np.take_along_axis(tables(7).flushes[bits | suit_bits], types.astype(np.int64), 1)
            plain = _plain_values()[rows.multiset[:, None], PAIR_OF_TYPE[types]]
            values = np.where(flushes > 0, flushes, plain)
            targets, ways = targets_of(suited, others)
            found.append(SuitBoards(types, values, ends, left_out_of_suit(others), rows.multiset, targets, ways))
    return found


def _targets(suited: Sequence[tuple[int, ...]], others: tuple[int, ...]) -> tuple[Ints, Ints]:
    """The rows of changes that boards are in, by what a flop has of them, and in how many ways the rest comes."""
    ways, one = ways_out_of_suit(), np.ones(TYPES, np.int64)
    twos, threes = sets(2), sets(3)
    columns: list[tuple[list[int], Ints]] = []

    def add(rows: list[int], times: Ints) -> None:
        columns.append((rows, times))

    size = len(suited[0])
    for part in combinations(range(size), 3):
        rest = ways[others] if size == 3 else ways[others] if size == 4 else one
        add([THREE_SUITED + threes[tuple(s[i] for i in part)] for s in suited], rest)
    if size == 4:
        [x] = others
        for pair in combinations(range(4), 2):
            add([TWO_SUITED + TWO_RANK_SETS * x + twos[s[pair[0]], s[pair[1]]] for s in suited], one)
    if size == 3:
        x, y = others
        for mine, other in {(x, y), (y, x)}:
            for pair in combinations(range(3), 2):
                rows = [TWO_SUITED + TWO_RANK_SETS * mine + twos[s[pair[0]], s[pair[1]]] for s in suited]
                add(rows, ways[(other,)] - (x == y))
        for i in range(3):
            add([ONE_SUITED + RANKS * int(TYPE_NUMBER[x, y]) + s[i] for s in suited], one)
    return np.array([rows for rows, _ in columns]).T.copy(), np.array([times for _, times in columns])


# Flops


@cache
def flops() -> Flops:
    """Every flop that no exchange of suits turns into another."""
    rows, weights = representatives(subsets(np.arange(CARDS, dtype=np.uint8), 3), np.zeros(SUITS, np.int64))
    ranks = [_number_of_ranks(flop) for flop in rows.tolist()]
    seen = [[*_rows_of(flop), (-1, -1), (-1, -1)][:3] for flop in rows.tolist()]
    suits, changes = np.array(seen).transpose(2, 0, 1).copy()
    return Flops(rows.astype(np.int64), weights, np.array(ranks), suits, changes)


def _number_of_ranks(flop: Sequence[int]) -> int:
    return multisets(3)[tuple(sorted(card % RANKS for card in flop))]


def _rows_of(flop: Sequence[int]) -> list[tuple[int, int]]:
    """The suits of a flop, and which row of changes each of them is."""
    found = []
    for suit in sorted({card // RANKS for card in flop}):
        mine = tuple(sorted(card % RANKS for card in flop if card // RANKS == suit))
        others = [card % RANKS for card in flop if card // RANKS != suit]
        if len(mine) == 1:
            row = ONE_SUITED + RANKS * int(TYPE_NUMBER[others[0], others[1]]) + mine[0]
        elif len(mine) == 2:
            row = TWO_SUITED + TWO_RANK_SETS * others[0] + sets(2)[mine]
        else:
            row = THREE_SUITED + sets(3)[mine]
        found.append((suit, row))
    return found
