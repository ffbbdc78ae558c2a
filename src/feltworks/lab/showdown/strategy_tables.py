"""The strategy of a showdown game by class of hand: as rows of advice, and as a chart."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.advice import Advice
from feltworks.kit.cards import RANKS as RANK_SIGNS
from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.chart import Chart, Grid
from feltworks.kit.errors import BadValue
from feltworks.kit.poker import Hand, HandRank, ThreeCardHand, describe, three_cards
from feltworks.kit.showdown import ShowdownRound
from feltworks.lab.showdown.card_sets import RANKS, Ints, Sets
from feltworks.lab.showdown.card_types import ByCardTypes
from feltworks.lab.showdown.naming import best_of, name_of
from feltworks.lab.showdown.plan import Of
from feltworks.lab.showdown.skeleton import Choice

if TYPE_CHECKING:
    from feltworks.lab.showdown.engine import Solved

MOST_ROWS = 2_000
"""A strategy is told row by row that has no more."""
DEPENDS = "~"
Floats = NDArray[np.float64]
Label = tuple[tuple[int, int], str]
"""What a class is ordered by, and what it is called."""


def rows_of(solved: "Solved") -> Iterator[Advice]:
    """What each option of the first decision is worth, for hands that no exchange of suits makes one."""
    first = solved.method.first
    if first is None or len(first.rows) > MOST_ROWS:
        return
    for row, cards in enumerate(first.rows.tolist()):
        worth = first.worth(row)
        yield Advice(name_of(cards), worth, best_of(worth))


def chart_of(solved: "Solved") -> Chart:
    """The first decision: two cards by their ranks; others by what they make, beside a card that the dealer shows."""
    game, plan = solved.game, solved.plan
    if not isinstance(plan.root, Choice):
        raise BadValue(f"{game.title} has nothing to decide, and so no chart.")
    names = [name for name, _ in plan.root.options]
    if len(plan.own) == 2 and (isinstance(solved.method, ByCardTypes) or not plan.depth(plan.root)):
        cells = _by_ranks(solved)
    else:
        cells = _by_class(solved, names)
    used = {cell for row in cells.cells for cell in row}
    meanings = {name: name for name in names if name in used}
    if DEPENDS in used:
        meanings[DEPENDS] = f"depends on the other cards; the share that does not {names[0]}"
    if "-" in used:
        meanings["-"] = "does not occur"
    return Chart(f"{game.title}: first decision", solved.method.words, (cells,), meanings)


def _by_ranks(solved: "Solved") -> Grid:
    signs = tuple(sorted({RANK_SIGNS[card % RANKS] for card in solved.plan.deck.tolist()}, key=RANK_SIGNS.index))[::-1]
    cells: dict[tuple[str, str], tuple[str, str]] = {}
    for name, taken in _taken(solved):
        high, low = (name[1], name[0]) if name.endswith("o") else (name[0], name[1])
        names = list(taken)
        cells[high, low] = _cell(np.array(list(taken.values())), names), _share(list(taken.values()))
    none = ("-", "")
    grid = [[cells.get((row, column), none) for column in signs] for row in signs]
    told, shares = (tuple(tuple(cell[part] for cell in row) for row in grid) for part in (0, 1))
    labels = shares if any(cell[0] == DEPENDS for row in grid for cell in row) else ()
    return Grid("Suited above the diagonal, of two suits below", signs, signs, told, labels=labels)


def _taken(solved: "Solved") -> Iterator[tuple[str, dict[str, int]]]:
    """Two cards by name, and how often each option of the first decision is best with them."""
    first, method, root = solved.method.first, solved.method, solved.plan.root
    assert isinstance(root, Choice)
    if first is not None:
        for row, cards in enumerate(first.rows.tolist()):
            worth = first.worth(row)
            best = max(worth, key=lambda option: worth[option])
            yield name_of(cards), {option: int(option == best) for option in worth}
        return
    assert isinstance(method, ByCardTypes)
    shares = method.shares_on_flop(root)
    for row, cards in enumerate(method.hole.tolist()):
        yield name_of(cards), {option: int(times[row]) for option, times in shares.items()}


def _share(taken: Sequence[float]) -> str:
    """How often the first option is not taken."""
    return f"{1 - taken[0] / sum(taken):.0%}"


def _by_class(solved: "Solved", names: list[str]) -> Grid:
    """By what the seat's cards make, and the rank of a card that the dealer shows."""
    plan, root = solved.plan, solved.plan.root
    assert isinstance(root, Choice)
    layers = solved.method.layers
    _ = solved.method.value
    depth = plan.depth(root)
    shown = [draw.of is Of.DEALER and draw.size == 1 for draw in plan.draws[:depth]]
    totals: dict[Label, dict[str, Floats]] = {}
    for (known, choice), chosen in layers.chosen.items():
        if choice != id(root):
            continue
        column = RANK_SIGNS[known[0][0] % RANKS] if shown == [True] else "first"
        hands = layers.hands(known)
        order, labels = _classes(solved, hands.rows)
        for number, label in enumerate(labels):
            here = order == number
            taken = np.bincount(chosen[here], hands.weights[here], len(names))
            cell = totals.setdefault(label, {}).setdefault(column, np.zeros(len(names)))
            cell += taken
    columns = sorted({c for cells in totals.values() for c in cells}, key=lambda c: RANK_SIGNS.find(c))
    rows = []
    for label in sorted(totals, reverse=True):
        every = [totals[label].get(column) for column in columns]
        told = tuple(_cell(each, names) for each in every)
        rows.append((label[1], told, tuple("" if each is None else _share(each.tolist()) for each in every)))
    runs = _runs(rows)
    shares = tuple(share for _, _, share in runs) if any(DEPENDS in told for _, told, _ in runs) else ()
    title = "By what the seat holds"
    cells = tuple(told for _, told, _ in runs)
    return Grid(title, tuple(name for name, _, _ in runs), tuple(columns), cells, _least(solved, names), shares)


Row = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A class of hands, what to do with it by column, and how often the first option is not taken."""


def _runs(rows: Sequence[Row]) -> list[Row]:
    """Classes that follow each other and are played alike, together."""
    found: list[list[Row]] = []
    for row in rows:
        if found and found[-1][-1][1] == row[1] and DEPENDS not in row[1]:
            found[-1].append(row)
        else:
            found.append([row])
    runs = []
    for number, run in enumerate(found):
        name = run[0][0]
        if len(run) > 1:
            first, last = number == 0, number == len(found) - 1
            name = f"{run[-1][0]} or better" if first else f"{name} or lower" if last else f"{name} to {run[-1][0]}"
        runs.append((name, run[0][1], run[0][2]))
    return runs


def _least(solved: "Solved", names: list[str]) -> tuple[str, ...]:
    """The lowest hand with which the last option is best, where that is so for every better one and no lower."""
    first, plan = solved.method.first, solved.plan
    if first is None or plan.draws or len(names) != 2:
        return ()
    codes = plan.seat.codes(first.rows)
    taken = first.options[names[1]] > first.options[names[0]]
    if not taken.any() or taken.all() or codes[taken].min() <= codes[~taken].max():
        return ()
    least, most = (rows[codes[here].argsort(kind="stable")] for here, rows in _both(taken, first.rows))
    return (f"{names[1]} from {_ranks(least[0])} on, {names[0]} up to {_ranks(most[-1])}",)


def _both(taken: NDArray[np.bool_], rows: Sets) -> Iterator[tuple[NDArray[np.bool_], Sets]]:
    yield taken, rows[taken]
    yield ~taken, rows[~taken]


def _ranks(cards: Sequence[int]) -> str:
    """The ranks of a hand from the highest on."""
    return "-".join(RANK_SIGNS[rank] for rank in sorted((int(card) % RANKS for card in cards), reverse=True))


def _cell(taken: Floats | None, names: list[str]) -> str:
    if taken is None:
        return "-"
    used = np.flatnonzero(taken)
    return names[int(used[0])] if len(used) == 1 else DEPENDS


def _classes(solved: "Solved", rows: Sets) -> tuple[Ints, list[Label]]:
    """The class of each hand, as a number, and the classes: by what the cards make, from the lowest."""
    plan = solved.plan
    whole = rows.shape[1] == len(plan.own) and not any(draw.of is not Of.DEALER for draw in plan.draws)
    if whole:
        codes = plan.seat.codes(rows)
        different, order = np.unique(codes, return_inverse=True)
        labels = [_named(solved)[code] for code in different.tolist()]
    else:
        texts = [_loose(row) for row in rows.tolist()]
        values: list[Any] = sorted(set(texts))
        place = {value: number for number, value in enumerate(values)}
        order = np.array([place[text] for text in texts])
        labels = [_label(value) for value in values]
    merged = sorted(set(labels))
    number = {label: place for place, label in enumerate(merged)}
    return np.array([number[label] for label in labels])[order], merged


@lru_cache(maxsize=4)
def _named(solved: "Solved") -> Mapping[int, Label]:
    """The class of each value of the seat's hand, by code: classes stand in the order of the lowest value of each."""
    round_class = solved.game.round_class
    assert issubclass(round_class, ShowdownRound)
    name, lowest, found = round_class.showdown.seat.name, dict[str, int](), dict[int, Label]()
    for code, value in enumerate(solved.plan.seat.worth):
        if value is not None:
            text = _label(value)[1] if name is None else name(value)
            found[code] = (lowest.setdefault(text, code), 0), text
    return found


def _loose(row: list[int]) -> Any:
    cards = [SUITED_CARDS[card] for card in row]
    return three_cards(cards) if len(cards) == 3 else max(card.rank for card in cards)


def _label(value: object) -> Label:
    """The class of a value: its category and the rank that comes first, and how it is called."""
    if isinstance(value, Hand | ThreeCardHand):
        told = describe(value)
        many = isinstance(value, Hand) and value.category in (HandRank.TWO_PAIR, HandRank.FULL_HOUSE)
        return (int(value.category), 0 if many else value.tiebreak[0]), told.partition(",")[0] if many else told
    return (0, int(value) if isinstance(value, int) else 0), f"{value}"
