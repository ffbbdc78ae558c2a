"""What a bonus wager does with any cards that are left in a shoe, exactly.

The round is walked once, from its start to where the wager is settled, with every card that bears on it. That gives the
hands of the wager: which cards settle it on which line, in how many orders of the deal. With any cards that are left,
the deals that end on a line are then a sum of products of counts. They are whole numbers below 2^53, which float64
holds as they are: many compositions are counted at once, and nothing is rounded.

In a game where the first card may be discarded for another, the hands are told for both choices. So the wager can be
valued by a strategy that says which cards are discarded, and by the choice that is best for the wager itself.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import perm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.cards import SUITS, Card
from feltworks.kit.definition import Wager
from feltworks.kit.errors import BadValue, TooLarge
from feltworks.kit.game import Game, game_of
from feltworks.kit.paytable import PayTable
from feltworks.kit.steps import Choose, Decide, Turn
from feltworks.lab.graph import ME, Event, Hop, Policy, RoundWalker, Skeleton
from feltworks.lab.stakes import company
from feltworks.lab.wager_analysis import net_result
from feltworks.lab.walking_analyzer import WalkingAnalyzer, rules_for, suits_matter

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

ZERO = Fraction(0)
LARGEST_HAND = 4
"""A wager on more cards than these has too many hands."""
AT_ONCE = 64
"""So many compositions are counted together: what they need stays near the processor."""
EXACT = 2**53
"""Every whole number up to here is a float64."""


class End(NamedTuple):
    """How a wager was settled: on which line, and what it won or lost per unit by the game's own pay table."""

    line: str
    net: Fraction


class Results(NamedTuple):
    """Sums of the result and of its square over all deals, by pay table and composition."""

    won: Numbers
    square: Numbers


class Choices(NamedTuple):
    """What each first card wins above the commonest end over all deals that begin with it, and the square of that, if
    it is kept and if it is discarded: by pay table, card and composition."""

    kept: Results
    traded: Results


class Worth(NamedTuple):
    """What a wager wins over all deals, and how many there are, by composition."""

    by_strategy: Results
    by_best: Results | None
    """By discarding the first card whenever that is better for the wager, if it may be."""
    choices: Choices | None
    every: Numbers


@dataclass(frozen=True, eq=False)
class HandSums:
    """What a wager wins with each hand, in all orders together, above what it wins or loses in the commonest way."""

    hands: Indices
    """One row a hand: where its cards stand among the cards."""
    kept: Numbers
    """By hand and place in it: the sum over the orders that begin with this card, which is kept."""
    traded: Numbers | None
    """By hand: the sum over its orders after another card was discarded, if one may be."""
    common: float


@dataclass(frozen=True, eq=False)
class Hands:
    """All hands of a wager but those that settle it in the commonest way. A composition is a column of counts: how many
    of each card are left."""

    cards: tuple[Card, ...]
    """The cards that are told apart."""
    fresh: Indices
    """How many of each there are in the full shoe."""
    ends: tuple[End, ...]
    """The ways to be settled; the commonest one comes last."""
    hands: Indices
    """One row a hand: where its cards stand among the cards."""
    first: Numbers
    """By end, hand and place in the hand: in how many orders that begin with this card the wager is settled so."""
    traded: Numbers | None
    """By end and hand: in how many orders it is settled so after another card was discarded, if one may be."""
    trades: Flags
    """Which first cards the strategy discards."""

    @property
    def size(self) -> int:
        """How many cards settle the wager."""
        return int(self.hands.shape[1])

    @property
    def dealt(self) -> int:
        """How many cards that takes at most."""
        return self.size + (self.traded is not None)

    def every(self, left: Numbers) -> Numbers:
        """How many deals there are, by composition."""
        total = left.sum(axis=0)
        assert perm(int(total.max()), self.dealt) < EXACT
        deals: Numbers = np.ones_like(total)
        for place in range(self.dealt):
            deals *= total - place
        return deals

    @cached_property
    def _rows(self) -> list[Indices]:
        """By place in a hand: the row of its card where counts stand below each other with none gone, with one gone,
        and so on, as many as the places before have taken."""
        taken = [np.sum(self.hands[:, :place] == self.hands[:, [place]], axis=1) for place in range(self.size)]
        return [self.hands[:, place] + len(self.cards) * gone for place, gone in enumerate(taken)]

    def _ways(self, left: Numbers) -> Numbers:
        """In how many ways each hand can be dealt in one order, by composition."""
        rows = np.vstack([left - gone for gone in range(self.size)])
        ways = rows[self._rows[0]]
        for place in range(1, self.size):
            ways *= rows[self._rows[place]]
        return ways

    # By the strategy.

    @cached_property
    def _weights(self) -> Numbers:
        """What is summed over the hands: the orders that begin with a card that the strategy keeps; and where cards are
        traded, all orders after a trade, and those times the cards in the hand that it trades."""
        kept: Numbers = np.einsum("ehp,hp->eh", self.first, ~self.trades[self.hands])
        if self.traded is None:
            return kept
        return np.vstack([kept, self.traded, self.traded * self.trades[self.hands].sum(axis=1)])

    def _deals(self, left: Numbers, ways: Numbers) -> Numbers:
        """How many deals end in each way but the commonest."""
        # Not a matrix product, the threads of which wait for each other where other programs work too.
        sums = np.einsum("wh,hc->wc", self._weights, ways).reshape(-1, len(self.ends) - 1, left.shape[1])
        deals: Numbers = sums[0]
        if self.traded is not None:
            # Without a trade a deal takes one card less; any that is left makes it as long as the others.
            deals *= left.sum(axis=0) - self.size
            deals += left[self.trades].sum(axis=0) * sums[1] - sums[2]
        return deals

    def deals(self, compositions: NDArray[Any]) -> tuple[Numbers, Numbers]:
        """How many deals end in each way, by end and composition, and how many there are, by composition."""
        left = np.ascontiguousarray(compositions, np.float64)
        every = self.every(left)
        rarer = np.hstack([self._deals(some, self._ways(some)) for some in _parts(left)])
        return np.vstack([rarer, every - rarer.sum(axis=0)]), every

    def nets(self, table: PayTable) -> list[Fraction]:
        """What each end wins or loses per unit by a pay table."""
        pays = {line.name: line.pay.net for line in table if hasattr(line.pay, "net")}
        return [pays.get(end.line, end.net) for end in self.ends]

    def expectations(self, table: PayTable, compositions: NDArray[Any]) -> list[Fraction]:
        """What the wager is worth per unit with each composition."""
        nets = self.nets(table)
        by_end, every = self.deals(compositions)
        worth = []
        for ways, deals in zip(by_end.T, every, strict=True):
            won = sum((int(number) * net for number, net in zip(ways, nets, strict=True)), ZERO)
            worth.append(won / int(deals))
        return worth

    # By the strategy, and by what is best for the wager, for many compositions.

    def sums(self, nets: Sequence[float]) -> HandSums:
        """What every hand wins, where each end wins or loses so much."""
        above = np.array(nets[:-1], np.float64) - nets[-1]
        traded = None if self.traded is None else np.einsum("e,eh->h", above, self.traded)
        return HandSums(self.hands, np.einsum("e,ehp->hp", above, self.first), traded, float(nets[-1]))

    def results(self, compositions: NDArray[Any], nets: Numbers) -> Worth:
        """What is won over all deals. The nets are whole numbers, by pay table and end."""
        left = np.ascontiguousarray(compositions, np.float64)
        every = self.every(left)
        above = np.vstack([nets - nets[:, [-1]], nets**2 - nets[:, [-1]] ** 2])[:, :-1]  # the commonest end aside
        common = np.vstack([nets[:, [-1]], nets[:, [-1]] ** 2]) * every
        weights = None if self.traded is None else self._choice_weights(above)
        by_strategy, kept, traded = [], [], []
        for some in _parts(left):
            ways = self._ways(some)
            by_strategy.append(np.einsum("te,ec->tc", above, self._deals(some, ways)))
            if weights is not None:
                keep, trade = self._each_choice(some, ways, weights)
                kept.append(keep)
                traded.append(trade)
        book = Results(*np.split(np.hstack(by_strategy) + common, 2))
        if weights is None:
            return Worth(book, None, None, every)
        keep, trade = np.concatenate(kept, axis=2), np.concatenate(traded, axis=2)
        tables = len(nets)
        better = (trade > keep)[:tables]
        best = np.where(np.concatenate([better, better]), trade, keep).sum(axis=1)
        choices = Choices(Results(*np.split(keep, 2)), Results(*np.split(trade, 2)))
        return Worth(book, Results(*np.split(best + common, 2)), choices, every)

    def _choice_weights(self, above: Numbers) -> "_ChoiceWeights":
        assert self.traded is not None
        kept, traded = np.einsum("te,ehp->thp", above, self.first), np.einsum("te,eh->th", above, self.traded)
        places = [np.nonzero(self.hands == kind) for kind in range(len(self.cards))]
        return _ChoiceWeights(
            [hand for hand, _ in places],
            [np.vstack([kept[:, hand, place], traded[:, hand]]) for hand, place in places],
            traded,
        )

    def _each_choice(self, left: Numbers, ways: Numbers, choices: "_ChoiceWeights") -> tuple[Numbers, Numbers]:
        """What is won above the commonest end, and its square, with each first card, if kept and if discarded."""
        total = np.einsum("wh,hc->wc", choices.traded, ways)
        longer = left.sum(axis=0) - self.size
        kept = np.empty((len(total), *left.shape))
        traded = np.empty_like(kept)
        for kind, (count, hands, weights) in enumerate(zip(left, choices.hands, choices.weights, strict=True)):
            keep, inside = np.split(np.einsum("wh,hc->wc", weights, ways[hands]), 2)
            kept[:, kind] = keep * longer
            traded[:, kind] = count * total - inside
        return kept, traded


class _ChoiceWeights(NamedTuple):
    """What each first card brings, by pay table and again for the squares: the hands in which such a card is, what they
    weigh where it comes first and is kept, and below that where another one like it was discarded; and what all hands
    weigh after any discard."""

    hands: list[Indices]
    weights: list[Numbers]
    traded: Numbers


def _parts(left: Numbers) -> Iterator[Numbers]:
    for start in range(0, left.shape[1], AT_ONCE):
        yield left[:, start : start + AT_ONCE]


def hands_of(game: Game, name: str, stakes: Mapping[str, Fraction], policy: Policy | None = None) -> Hands:
    """The hands of a bonus wager, made beside those with which a seat comes into every round, where the seat decides by
    a policy: unless told, by the best strategy for the stakes with the full shoe."""
    wager, fresh, pack = game.wager(name), game.fresh(), game.definition.pack
    assert fresh is not None and pack is not None
    suited = suits_matter(game, [name])
    shoe = fresh if suited else fresh.suitless
    cards = [card for card in shoe.cards if shoe.count(card)]
    counts = np.array([shoe.count(card) for card in cards], np.int64)
    alike = suited and pack.suits_alike and pack.suits == SUITS
    usual = company(game)
    made = {n: stakes.get(n, Fraction(1)) for n in game.bets if n in usual or n == name}
    analyzer = WalkingAnalyzer(game, stakes or usual)
    chosen = policy or (lambda info: analyzer.strategy.option(info))
    walk = Walk(rules_for(game, made), wager, cards, alike)
    traded, kept = walk.ways_after_a_discard(), walk.ways()
    trades = np.array([walk.discards(card, chosen) for card in cards])
    return _gathered(cards, counts, kept, traded, trades, alike)


# Walking the round.


class _Way(NamedTuple):
    """One way through the round: the cards as they were dealt, but for one that was discarded, and the end."""

    cards: tuple[Card, ...]
    end: End


class Walk:
    """Every way from the start of a round to the settlement of a wager.

    Where suits are alike, one of them stands for all that no open card has, and they are named anew as they appear. An
    option that nothing follows from but another wager has no bearing on the cards, and so none here.
    """

    def __init__(self, rules: RoundWalker, wager: Wager, cards: Sequence[Card], alike: bool, option: int = 0) -> None:
        self.rules, self.wager, self.cards, self.alike, self.option = rules, wager, cards, alike, option
        self.options = 1
        """How many options without bearing on the cards there are at most; of these, `option` is chosen."""
        self._known: dict[Skeleton, list[_Way]] = {}
        hop, settled = self._on(rules.walk_on(rules.start, None, alike))
        if settled is not None or hop.skeleton is None:
            raise self._refusal("no card decides it")
        self.start = hop.skeleton
        self.waiting = {card: waiting for card in self._turned(self.start) if (waiting := self._waiting(card))}
        """Where it is to be decided whether the first card is discarded, by that card."""

    def _waiting(self, card: Card) -> Skeleton | None:
        hop = self.rules.hop(self.start, card, self.alike)
        undecided = self._settled(hop.event) is None and hop.skeleton is not None and _changing(hop.skeleton)
        return hop.skeleton if undecided else None

    def ways(self) -> list[_Way]:
        """Every way when nothing is discarded."""
        return self._from(self.start)

    def ways_after_a_discard(self) -> list[_Way]:
        """Every way when the first card is discarded, which are the same whichever it was; none if it cannot be."""
        after = {self._discarded(waiting) for waiting in self.waiting.values()}
        if not after:
            return []
        if len(after) > 1 or len(self.waiting) < len(list(self._turned(self.start))):
            raise self._refusal("it depends on which card was discarded")
        return self._from(after.pop())

    def _discarded(self, waiting: Skeleton) -> Skeleton:
        name, *others = _changing(waiting)
        hop, settled = self._on(self.rules.hop(waiting, Decide(ME, name), self.alike))
        if others or settled is not None or hop.skeleton is None or hop.skeleton.round.open_cards:
            raise self._refusal("it can be decided to do other things than to discard a card for another")
        return hop.skeleton

    def discards(self, card: Card, policy: Policy) -> bool:
        """Whether a policy discards a first card."""
        waiting = self.waiting.get(Card(card.text[0] + SUITS[0]) if self.alike else card)
        return waiting is not None and policy(waiting.round.info(ME)) in _changing(waiting)

    def _from(self, skeleton: Skeleton) -> list[_Way]:
        """Every way on from a step that turns a card."""
        if skeleton not in self._known:
            self._known[skeleton] = list(self._each_way(skeleton))
        return self._known[skeleton]

    def _each_way(self, skeleton: Skeleton) -> Iterator[_Way]:
        for card in self._turned(skeleton):
            hop, settled = self._on(self.rules.hop(skeleton, card, self.alike), may_discard=skeleton is self.start)
            if settled is not None:
                yield _Way((card,), settled)
            elif hop.skeleton is None or hop.new_round:
                raise self._refusal("a round can end without settling it")
            else:
                for way in self._from(hop.skeleton):
                    yield _Way((card, *(_named(c, hop.suits) for c in way.cards)), way.end)

    def _turned(self, skeleton: Skeleton) -> Iterator[Card]:
        """Every card that may be turned, or one for all that differ only in a suit that is not open."""
        if not isinstance(skeleton.round.next, Turn):
            raise self._refusal("a reader's light, dice or a wheel bear on it")
        known = len({card.suit for card in skeleton.round.open_cards}) if self.alike else 0
        return (card for card in self.cards if not self.alike or card.suit in SUITS[: known + 1])

    def _on(self, hop: Hop, *, may_discard: bool = False) -> tuple[Hop, End | None]:
        """Where a hop leads when nothing is decided that changes the cards, and the end if the wager is settled."""
        if hop.put_back:
            readings = ", ".join(f"{n}={v}" for n, v in game_of(self.rules.start).other_readings.items())
            raise BadValue(
                f"With {readings} cards go back into a continuous shuffler, where nothing can be counted; leave that "
                "reading out to count a shoe."
            )
        settled = self._settled(hop.event)
        if settled is not None or hop.skeleton is None or not isinstance(hop.skeleton.round.next, Choose):
            return hop, settled
        first, changing = hop.skeleton.round.next.options[0].name, _changing(hop.skeleton)
        if first in changing or (changing and not may_discard):
            raise self._refusal("it depends on more decisions than to discard the first card")
        plain = [option.name for option in hop.skeleton.round.next.options if option.name not in changing]
        self.options = max(self.options, len(plain))
        chosen = plain[min(self.option, len(plain) - 1)]
        after, settled = self._on(self.rules.hop(hop.skeleton, Decide(ME, chosen), self.alike))
        return after._replace(suits="".join(hop.suits[SUITS.index(suit)] for suit in after.suits)), settled

    def _settled(self, event: Event) -> End | None:
        mine = [s for s in event.settlements if s.spot in self.wager.spots]
        if not mine:
            return None
        return End(mine[-1].line, sum(map(net_result, mine), ZERO) / self.rules.stakes[self.wager.name])

    def _refusal(self, why: str) -> TooLarge:
        return TooLarge(f"{self.wager.title} cannot be counted by the cards that are left alone: {why}.")


def _changing(skeleton: Skeleton) -> list[str]:
    """The options from which more follows than another wager."""
    step = skeleton.round.next
    return [option.name for option in step.options if option.then is not None] if isinstance(step, Choose) else []


def _named(card: Card, suits: str) -> Card:
    """A card as it was called before these suits, in this order, were called c, d, h and s."""
    return Card(card.text[0] + suits[SUITS.index(card.suit)]) if card.has_suit else card


# Gathering the hands.


def _gathered(
    cards: Sequence[Card], fresh: Indices, kept: list[_Way], traded: list[_Way], trades: Flags, alike: bool
) -> Hands:
    """The ways by hand. Where suits are alike, each way stands for those with other suits too."""
    size = max(len(way.cards) for way in kept)
    if size > LARGEST_HAND or any(len(way.cards) != size for way in (*kept, *traded)):
        raise TooLarge(f"Hands of different lengths, or of {size} cards, cannot be counted by the cards that are left.")
    *ends, commonest = (end for end, _ in reversed(Counter(way.end for way in kept).most_common()))
    place = {card: i for i, card in enumerate(cards)}
    names = [np.arange(len(cards))]
    if alike:
        names = [np.array([place[_named(card, "".join(suits))] for card in cards]) for suits in permutations(SUITS)]

    def rows(ways: list[_Way]) -> Indices:
        """The end of each way and its cards, as they were dealt."""
        dealt = [[ends.index(way.end), *(place[card] for card in way.cards)] for way in ways if way.end != commonest]
        table = np.array(dealt, np.int64).reshape(-1, size + 1)
        return np.unique(np.vstack([np.hstack([table[:, :1], name[table[:, 1:]]]) for name in names]), axis=0)

    both = [rows(kept), rows(traded)]
    hands, numbers = np.unique(np.sort(np.vstack(both)[:, 1:], axis=1), axis=0, return_inverse=True)
    (whole, after), split = both, len(both[0])
    first = np.zeros((len(ends), len(hands), size))
    where = np.argmax(hands[numbers[:split]] == whole[:, [1]], axis=1)
    np.add.at(first, (whole[:, 0], numbers[:split], where), 1)
    orders = np.zeros((len(ends), len(hands)))
    np.add.at(orders, (after[:, 0], numbers[split:]), 1)
    return Hands(tuple(cards), fresh, (*ends, commonest), hands, first, orders if traded else None, trades)
