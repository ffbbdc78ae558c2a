"""Counts by groups: who knows how many cards of each group are left, and nothing else.

A person cannot remember a shoe, but can count a few groups of cards. Within a group every card that is left is as
likely as another, so that by exchangeability a hand can be expected to come in

    ways with the full shoe x product over the groups of (cards left)_k / (cards of the full shoe)_k

ways, where k of its cards are of the group and (n)_k is n (n-1) ... (n-k+1). That is exact, and so is what follows: the
mean expectation over everything that can be left with these counts, for every first card kept or discarded. Nobody who
knows no more can do better than to wager and to trade by it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise
from typing import Any, NamedTuple

import numpy as np

from feltworks.kit.cards import SUITS, Card
from feltworks.kit.errors import BadValue
from feltworks.lab.card_counting.compositions import Hands, HandSums, Indices, Numbers

GROUP_COUNTS = (2, 3, 4, 7, 13)
"""How many groups are counted."""
TWO = 2
GROUPS = {f"groups_{number}": number for number in GROUP_COUNTS}
"""The counters who count them."""
AT_ONCE = 2**15
"""So many products are worked out together: they stay near the processor."""
SURE = 3.0
"""By how many standard errors a grouping has to win more in the same shoes where many are tried."""
BLOCKS: tuple[tuple[str, ...], ...] = (SUITS,), ("cs", "dh"), ("c", "s", "dh"), tuple(SUITS)
"""How the four suits are told apart: not at all, by colour, and so on."""
SUIT_NAMES = {"cs": "black", "dh": "red", "c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@dataclass(frozen=True)
class Kind:
    """First cards that this counter treats alike: of one rank, in one block of suits."""

    rank: str
    suits: str


@dataclass(frozen=True)
class Grouping:
    """The suits in blocks and the ranks in classes: a group is a class in a block."""

    blocks: tuple[str, ...]
    """Nothing is told apart where a block has all suits."""
    classes: tuple[str, ...]
    """The ranks of each."""

    @property
    def groups(self) -> list[tuple[str, str]]:
        """The ranks and the suits of each group."""
        return [(ranks, suits) for suits in self.blocks for ranks in self.classes]

    @cached_property
    def sums(self) -> list[tuple[str, str]]:
        """What a counter of groups also knows: the ranks and the suits of each group, of each block of suits and of
        each class of ranks."""
        if len(self.blocks) == 1 or len(self.classes) == 1:
            return self.groups
        suits = "".join(self.blocks)
        return [*self.groups, *((self.ranks, block) for block in self.blocks), *((c, suits) for c in self.classes)]

    @cached_property
    def kinds(self) -> list[Kind]:
        return [Kind(rank, suits) for suits in self.blocks for rank in self.ranks]

    @cached_property
    def ranks(self) -> str:
        """In the order of the cards."""
        return "".join(sorted("".join(self.classes), key="23456789TJQKA".find))

    def group_of(self, kind: Kind) -> int:
        of_block = next(number for number, ranks in enumerate(self.classes) if kind.rank in ranks)
        return self.blocks.index(kind.suits) * len(self.classes) + of_block

    def kind_of(self, card: Card) -> int:
        block = next(n for n, suits in enumerate(self.blocks) if not card.has_suit or card.suit in suits)
        return block * len(self.ranks) + self.ranks.index(card.text[0])

    def moved(self, rank: str, to: int) -> "Grouping":
        """The same with one rank in another class."""
        classes = (ranks.replace(rank, "") + rank * (n == to) for n, ranks in enumerate(self.classes))
        return Grouping(self.blocks, tuple(self._sorted(ranks) for ranks in classes))

    def _sorted(self, ranks: str) -> str:
        return "".join(rank for rank in self.ranks if rank in ranks)

    def name(self, ranks: str, suits: str) -> str:
        """A group or some cards of a block in words: "2-7", "red 2-7", "clubs"."""
        which_ranks = "" if ranks == self.ranks and len(self.blocks) > 1 else self._runs(ranks)
        which = SUIT_NAMES.get(suits, "") if len(self.blocks) > 1 else ""
        return f"{which} {which_ranks}".strip()

    def _runs(self, ranks: str) -> str:
        runs = list[str]()
        for rank in self._sorted(ranks):
            if runs and self.ranks.index(rank) == self.ranks.index(runs[-1][-1]) + 1:
                runs[-1] += rank
            else:
                runs.append(rank)
        return " ".join(run if len(run) < 3 else f"{run[0]}-{run[-1]}" for run in runs)

    def names(self, kinds: Sequence[Kind]) -> str:
        """First cards in words: the same ranks of all blocks without their suits."""
        chosen = {suits: "".join(kind.rank for kind in kinds if kind.suits == suits) for suits in self.blocks}
        if len(set(chosen.values())) == 1:
            ranks = chosen[self.blocks[0]]
            return "every card" if ranks == self.ranks else self._runs(ranks) if ranks else "none"
        return ", ".join(self.name(ranks, suits) for suits, ranks in chosen.items() if ranks)

    @property
    def text(self) -> str:
        return " | ".join(self.name(ranks, suits) for ranks, suits in self.groups)

    def card_text(self, kind: Kind) -> str:
        """A kind of first card as it is told in JSON."""
        return kind.rank if len(self.blocks) == 1 else f"{kind.rank}{kind.suits}"


class GroupEstimate:
    """What can be expected to be won by a grouping's counts: columns that tell how many of each group are left. Several
    wagers on the same cards are estimated together."""

    def __init__(self, grouping: Grouping, cards: Sequence[Card], fresh: Indices, *sums: HandSums) -> None:
        kind = self.kind = np.array([grouping.kind_of(card) for card in cards])
        """The kind of each card."""
        self.group = np.array([grouping.group_of(each) for each in grouping.kinds])
        """The group of each kind of first card."""
        groups, self.hand_size = len(grouping.groups), sums[0].hands.shape[1]
        self.members: Numbers = np.eye(groups)[self.group[kind]]
        """By card and group: whether it belongs to it."""
        self.sizes = np.bincount(kind, fresh, len(grouping.kinds)).astype(np.float64)
        """How many cards of each kind there are in the full shoe."""
        self.fresh = np.einsum("kg,k->g", self.members, fresh.astype(np.float64))
        self.common = np.array([each.common for each in sums])
        patterns = self._patterns = np.array(
            list(combinations_with_replacement(range(groups), self.hand_size)), np.int64
        )
        self._taken: Indices = (patterns == np.arange(groups)[:, None, None]).sum(axis=2)
        """How many cards of each group a pattern has, by group and pattern."""
        every = ways_of(patterns, self.fresh)
        share = np.divide(1.0, every, out=np.zeros_like(every), where=every > 0)
        others = self.fresh[self.group][:, None] - self._taken[self.group]
        more = np.divide(share, others, out=np.zeros_like(others), where=others > 0)
        digits = groups ** np.arange(self.hand_size)[::-1]
        kept, traded = [], []
        for each in sums:
            number = np.searchsorted(patterns @ digits, np.sort(self.group[kind[each.hands]], axis=1) @ digits)
            place = (kind[each.hands] * len(patterns) + number[:, None]).ravel()
            size, ways = len(grouping.kinds) * len(patterns), ways_of(each.hands, fresh)
            kept.append(
                np.bincount(place, (each.kept * ways[:, None]).ravel(), size).reshape(-1, len(patterns)) * share
            )
            if each.traded is not None:
                won = each.traded * ways
                total = self.sizes[:, None] * np.bincount(number, won, len(patterns))
                inside = np.bincount(place, np.repeat(won, self.hand_size), size).reshape(-1, len(patterns))
                traded.append((total - inside) * more)
        self._kept: Numbers = np.array(kept)
        self._traded: Numbers | None = np.array(traded) if traded else None

    @property
    def dealt(self) -> int:
        """How many cards a round takes at least."""
        return int(self.hand_size) + (self._traded is not None)

    def counts(self, left: Numbers) -> Numbers:
        """How many of each group are left, where these are left of each card."""
        by_group: Numbers = np.einsum("kg,kc->gc", self.members, left)
        return by_group

    def choices(self, left: Numbers) -> tuple[Numbers, Numbers | None]:
        """What every kind of first card wins over all deals above the commonest end, if kept and if discarded, by
        wager, kind and counts."""
        kept = np.empty((*self._kept.shape[:2], left.shape[1]))
        traded = None if self._traded is None else np.empty_like(kept)
        at_once = max(16, AT_ONCE // len(self._patterns))
        for start in range(0, left.shape[1], at_once):
            part = slice(start, start + at_once)
            some = left[:, part]
            products = np.maximum(ways_of(self._patterns, some), 0.0)
            kept[..., part] = np.einsum("tkp,pc->tkc", self._kept, products)
            if traded is None or self._traded is None:
                continue
            kept[..., part] *= some.sum(axis=0) - self.hand_size
            for group, mine in enumerate(some):
                # One card more of this group, which none of the pattern is.
                longer = products * (mine - self._taken[group][:, None])
                rows = self.group == group
                traded[:, rows, part] = np.einsum("tkp,pc->tkc", self._traded[:, rows], longer)
        return kept, traded

    def every(self, left: Numbers) -> Numbers:
        """How many deals there are, by counts."""
        total = left.sum(axis=0)
        deals: Numbers = np.ones_like(total)
        for place in range(self.dealt):
            deals *= total - place
        return deals

    def worth(self, left: Numbers) -> Numbers:
        """The expectation of the first wager by the counts, with the better choice for every first card."""
        kept, traded = self.choices(left)
        best = kept[0] if traded is None else np.maximum(kept[0], traded[0])
        worth: Numbers = self.common[0] + best.sum(axis=0) / self.every(left)
        return worth


def ways_of(hands: Indices, counts: Numbers | Indices) -> Numbers:
    """In how many ways each hand can be dealt in one order, by the counts of what it is made of."""
    size = hands.shape[1]
    rows = np.concatenate([counts - taken for taken in range(size)]).astype(np.float64)
    ways: Numbers = rows[hands[:, 0]]
    for place in range(1, size):
        ways *= rows[hands[:, place] + len(counts) * (hands[:, :place] == hands[:, [place]]).sum(axis=1)]
    return ways


# What the counter does.


class Bets(NamedTuple):
    """From and up to how many cards of the first group left the wager is favourable, and which first cards are then
    discarded."""

    low: int
    high: int
    trades: tuple[Kind, ...]


class Decision(NamedTuple):
    """What a wager can be expected to win with what is left, and which first cards are then discarded."""

    worth: float
    trades: tuple[Kind, ...]

    @property
    def wagers(self) -> bool:
        return self.worth > 0


@dataclass(frozen=True)
class GroupRule:
    """What somebody does who counts groups."""

    grouping: Grouping
    kept: Mapping[Kind, tuple[float, ...]]
    """By first card: what keeping it is worth more to the wager than discarding it, with the full shoe and with a card
    of each group less. Nothing where no card can be discarded."""
    bets: Mapping[int, tuple[Bets, ...]]
    """With two groups: what is done, by the number of cards gone."""
    estimate: GroupEstimate = field(repr=False, compare=False)

    def decide(self, *left: int) -> Decision:
        """What is done with so many cards of each group left, by the counts themselves."""
        full = [int(size) for size in self.estimate.fresh]
        if len(left) != len(full) or not all(0 <= count <= size for count, size in zip(left, full, strict=True)):
            raise BadValue(f"Of the groups {self.grouping.text} there are up to {full} cards left; not {list(left)}.")
        if sum(left) < self.estimate.dealt:
            raise BadValue(f"A round takes {self.estimate.dealt} cards or more, and {sum(left)} are left.")
        counts = np.array([left], np.float64).T
        kept, traded = self.estimate.choices(counts)
        does = np.zeros(len(self.grouping.kinds), bool) if traded is None else traded[0, :, 0] > kept[0, :, 0]
        kinds = tuple(kind for kind, trade in zip(self.grouping.kinds, does, strict=True) if trade)
        return Decision(self.estimate.worth(counts).item(), kinds)

    def around(self, gone: int, left: int) -> tuple[Bets | None, Bets | None]:
        """The runs of favourable counts of the first group next to its even share of the cards left, below and above
        it."""
        ranks, suits = self.grouping.groups[0]
        even = left * len(ranks) * len(suits) / (len(self.grouping.ranks) * len("".join(self.grouping.blocks)))
        below = [bet for bet in self.bets[gone] if bet.high < even]
        above = [bet for bet in self.bets[gone] if bet.low > even]
        return (below[-1] if below else None), (above[0] if above else None)

    def to_json(self) -> dict[str, Any]:
        card = self.grouping.card_text
        return {
            "groups": [{"ranks": ranks, "suits": suits} for ranks, suits in self.grouping.groups],
            "text": self.grouping.text,
            "keeping_over_trading": {
                card(kind): {"full_shoe": full, "one_card_less_of_each_group": less}
                for kind, (full, *less) in self.kept.items()
            },
            "wagers": [
                {
                    "cards_gone": gone,
                    "first_group_left": [
                        {"from": bet.low, "to": bet.high, "trades": [card(kind) for kind in bet.trades]} for bet in bets
                    ],
                }
                for gone, bets in self.bets.items()
            ],
        }


def group_rule(grouping: Grouping, estimate: GroupEstimate, gone: Iterable[int]) -> GroupRule:
    """The rule of a grouping, with two groups after so many cards gone each."""
    full = estimate.fresh[:, None]
    left = np.hstack([full, full - np.eye(len(full))])
    kept, traded = estimate.choices(left)
    worth = dict[Kind, tuple[float, ...]]()
    if traded is not None:
        sizes = estimate.sizes[:, None] * left[estimate.group] / full[estimate.group]
        more = (kept[0] - traded[0]) / (sizes * (estimate.every(left) / left.sum(axis=0)))
        worth = {kind: tuple(row) for kind, row in zip(grouping.kinds, more.tolist(), strict=True)}
    bets = {number: tuple(_bets(grouping, estimate, number)) for number in gone} if len(full) == TWO else {}
    return GroupRule(grouping, worth, bets, estimate)


def _bets(grouping: Grouping, estimate: GroupEstimate, gone: int) -> Iterator[Bets]:
    """Runs of counts of the first group with a favourable wager and the same cards discarded."""
    first, second = (int(size) for size in estimate.fresh)
    left = first + second - gone
    counts = range(max(0, left - second), min(first, left) + 1)
    columns = np.array([counts, [left - count for count in counts]], np.float64)
    kept, traded = estimate.choices(columns)
    made = estimate.worth(columns) > 0
    does = np.zeros_like(kept[0], bool) if traded is None else traded[0] > kept[0]
    # A first card of a group that is gone cannot come, so that it has no choice.
    does &= columns[estimate.group] > 0
    start = 0
    for place in range(1, len(counts) + 1):
        if place < len(counts) and made[place] == made[start] and (does[:, place] == does[:, start]).all():
            continue
        if made[start]:
            trades = tuple(kind for kind, trade in zip(grouping.kinds, does[:, start], strict=True) if trade)
            yield Bets(counts[start], counts[place - 1], trades)
        start = place


# Finding the groups.


def best_groupings(hands: Hands, sums: HandSums, effects: Mapping[str, Fraction], left: Numbers) -> dict[int, Grouping]:
    """For each number of groups the best grouping that was found, by what it wins in shoes of which `left` tells the
    counts of each card, by card, round and shoe.

    Of all blocks of suits, with the ranks dealt out to classes evenly in their order, the best is taken; where nothing
    is discarded, so that the effects say all that a linear count can know, also in the order of these. Then single
    ranks are moved to other classes as long as that surely wins more. So it is a good one, not proven to be the best.
    """
    flat = left.reshape(len(left), -1)

    def won(grouping: Grouping) -> Numbers:
        """In the mean over the rounds of each shoe."""
        estimate = GroupEstimate(grouping, hands.cards, hands.fresh, sums)
        worth = np.maximum(estimate.worth(estimate.counts(flat)), 0.0)
        per_shoe: Numbers = worth.reshape(left.shape[1:]).mean(axis=0)
        return per_shoe

    groupings = dict[int, Grouping]()
    for number in GROUP_COUNTS:
        best, most = None, np.zeros(left.shape[2])
        for start in dict.fromkeys(_starts(hands, effects, number)):
            wins = won(start)
            if best is None or wins.mean() > most.mean():
                best, most = start, wins
        assert best is not None
        groupings[number] = _climbed(best, most, won)
    return groupings


def _starts(hands: Hands, effects: Mapping[str, Fraction], number: int) -> Iterator[Grouping]:
    ranks = "".join(dict.fromkeys(card.text[0] for card in hands.cards))
    suits = {card.suit for card in hands.cards if card.has_suit}
    by_effect = "".join(sorted(ranks, key=lambda rank: (effects.get(rank, 0), ranks.index(rank))))
    orders = (ranks, by_effect) if hands.traded is None else (ranks,)
    for blocks in BLOCKS if suits == set(SUITS) else BLOCKS[:1]:
        classes = min(number // len(blocks), len(ranks))
        for order in orders if classes else ():
            cuts = [round(k * len(ranks) / classes) for k in range(classes + 1)]
            parts = [order[low:high] for low, high in pairwise(cuts)]
            yield Grouping(blocks, tuple("".join(r for r in ranks if r in part) for part in parts))


def _climbed(best: Grouping, most: Numbers, won: Callable[[Grouping], Numbers]) -> Grouping:
    """Single ranks in other classes as long as that surely wins more."""
    better = True
    while better:
        better = False
        for rank in best.ranks:
            for to in range(len(best.classes)):
                other = best.moved(rank, to)
                if rank in best.classes[to] or not all(other.classes):
                    continue
                wins = won(other)
                if _surely_more(wins, most):
                    best, most, better = other, wins, True
    return best


def _surely_more(wins: Numbers, most: Numbers) -> bool:
    more = wins - most
    return bool(more.mean() > SURE * more.std() / np.sqrt(len(more)))
