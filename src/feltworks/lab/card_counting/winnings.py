"""Shoes that are dealt at random, and what counters win who wager at the start of a round or let it be.

What a wager is worth with the cards that are left is exact each time; only which cards are left is sampled. The rounds
of one shoe hang together, so the shoe is the unit: every interval comes from how whole shoes differ.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import lcm, sqrt
from typing import Any, NamedTuple

import numpy as np

from feltworks.kit.cards import Card
from feltworks.lab.card_counting.compositions import Choices, Flags, Hands, Indices, Numbers, Results
from feltworks.lab.card_counting.group_estimate import GROUPS, GroupEstimate
from feltworks.lab.card_counting.points_rule import POINTS, PointsRule
from feltworks.lab.card_counting.required_play import RequiredPlay
from feltworks.lab.sample_mean import WITHIN_95_PERCENT

PART = 1024
"""For so many compositions the required wager is valued together."""
ENOUGH = 2
"""A mean of fewer has no interval."""
PERFECT, PLAYING = "perfect", "playing"
"""Who wagers by the exact expectation and plays by the strategy; and who also discards cards for the wager's sake.
Others wager by an estimate of the expectation."""
RATIOS = (*(Fraction(n, 2) * 2**k for k in range(8) for n in (2, 3)), Fraction(256))
"""How many times the required wager a bonus is, in steps between which what both win together is all but linear."""


def strongest(counters: Collection[str]) -> str:
    """The counter who wins most."""
    return PLAYING if PLAYING in counters else PERFECT


@dataclass(frozen=True)
class Estimate:
    """A figure from the sample, and where it lies with 95 % confidence."""

    value: float
    low: float
    high: float

    @classmethod
    def around(cls, value: float, error: float) -> "Estimate":
        reach = WITHIN_95_PERCENT * error
        return cls(value, value - reach, value + reach)

    @classmethod
    def share(cls, count: int, of: int) -> "Estimate":
        """A share of independent cases, by Wilson's interval: none so far does not mean never."""
        z2 = WITHIN_95_PERCENT**2
        reach = WITHIN_95_PERCENT * sqrt(count * (of - count) / of + z2 / 4)
        low, high = ((count + z2 / 2 + side * reach) / (of + z2) for side in (-1, 1))
        return cls(count / of, low if count else 0.0, high if count < of else 1.0)

    @property
    def from_zero(self) -> "Estimate":
        """The same of something that cannot be negative."""
        return replace(self, low=max(0.0, self.low))

    def to_json(self) -> dict[str, float]:
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Won:
    """What a counter wins with the cut card somewhere, who wagers one unit whenever the wager looks favourable."""

    last: Estimate
    """How often it looks so in the last round before the cut card."""
    last_worth: Estimate | None
    """What it is then worth in the mean; nothing, where that happened in too few shoes."""
    wagered: Estimate
    """The share of all hands with a wager."""
    worth: Estimate | None
    """What a unit that is wagered wins in the mean; nothing, where that happened in too few shoes."""
    per_100: Estimate
    """Units won in a hundred hands, those without a wager included."""
    deviation: float
    """The standard deviation of the result of a hundred hands, taken as independent."""

    def to_json(self) -> dict[str, Any]:
        return {
            "last_round": {"wagered": self.last.to_json(), "worth": _json(self.last_worth)},
            "wagered": self.wagered.to_json(),
            "worth": _json(self.worth),
            "units_per_100_hands": self.per_100.to_json(),
            "standard_deviation_per_100_hands": self.deviation,
        }


@dataclass(frozen=True)
class Depth:
    """A cut card, and what counters win in the rounds before it."""

    penetration: Fraction
    hands: int
    """How many rounds of a shoe begin before the cut card."""
    gone: int
    """How many cards are gone when the last of them begins."""
    won: Mapping[str, Won]
    """By counter."""

    def to_json(self) -> dict[str, Any]:
        return {
            "penetration": float(self.penetration),
            "hands_per_shoe": self.hands,
            "cards_gone_at_the_last": self.gone,
            "counters": {name: won.to_json() for name, won in self.won.items()},
        }


def _json(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else estimate.to_json()


@dataclass(frozen=True, eq=False)
class Valued:
    """A wager as it is sampled: what each end wins, and the estimates of its expectation.

    A linear estimate is the expectation of the full shoe plus so much for each card gone, divided by the cards left.
    """

    nets: Sequence[Fraction]
    expectation: float
    estimates: Mapping[str, Numbers]
    indices: Mapping[str, tuple[str, Numbers]] = field(default_factory=dict)
    """Counters who wager by one of these estimates when it is above an index, by round."""
    groups: Mapping[str, GroupEstimate] = field(default_factory=dict)
    """Who counts groups of cards: estimates of the wager, and of the required one by the book where that is known."""
    points: Mapping[str, PointsRule] = field(default_factory=dict)
    """What some of them do who count in points."""


class Sample:
    """Shoes to be dealt, and what every counter does in them.

    With the required wager, what both win together is summed over the first `rounds` of a shoe, where the bonus is so
    many times the required wager.
    """

    def __init__(
        self,
        hands: Hands,
        valued: Sequence[Valued],
        starts: Sequence[int],
        required: RequiredPlay | None = None,
        ratios: Sequence[float] = (),
        rounds: int = 0,
    ) -> None:
        self.hands = hands
        self.valued = valued
        self.starts = starts
        self.required = required
        self.ratios = ratios
        self.rounds = rounds
        self.tallies = [Tally(len(starts)) for _ in valued]
        self._scales = [lcm(*(net.denominator for net in each.nets)) for each in valued]
        whole = [[int(net * scale) for net in each.nets] for each, scale in zip(valued, self._scales, strict=True)]
        self._nets = np.array(whole, np.float64)

    def add(self, dealt: Sequence["Tally"]) -> None:
        for tally, more in zip(self.tallies, dealt, strict=True):
            tally.add(more)

    def deal(self, shoes: int, key: str) -> list["Tally"]:
        """So many shoes, shuffled by a generator of their own: what they come to, by pay table."""
        gone = cards_gone(self.hands.fresh, self.starts, shoes, key)
        left = self.hands.fresh[:, None, None] - gone
        flat = left.reshape(len(left), -1).astype(np.float64)
        worth = self.hands.results(flat, self._nets)
        every = worth.every.reshape(left.shape[1:])
        required = None if self.required is None else _Required(self.required, self.hands.cards, flat)
        tallies = []
        for number, valued in enumerate(self.valued):
            perfect = self._bets(worth.by_strategy, number, every)
            bets = {PERFECT: perfect}
            if worth.by_best is not None:
                bets[PLAYING] = self._bets(worth.by_best, number, every)
            guesses = {
                name: valued.expectation + np.einsum("k,krs->rs", effects, gone) / left.sum(axis=0)
                for name, effects in valued.estimates.items()
            }
            bets |= {name: perfect._replace(made=guess > 0) for name, guess in guesses.items()}
            for name, (by, index) in valued.indices.items():
                bets[name] = perfect._replace(made=guesses[by] > index[:, None])
            joint = dict[str, Numbers]()
            if worth.choices is None:
                for name, estimate in valued.groups.items():
                    counts = estimate.counts(flat)
                    bets[name] = perfect._replace(made=estimate.worth(counts).reshape(every.shape) > 0)
                    if name in valued.points:
                        made = valued.points[name].wagers(counts).reshape(every.shape)
                        bets[POINTS[name]] = perfect._replace(made=made)
            else:
                bonus = self._scaled(worth.choices, number)
                if required is not None:
                    each = np.arange(len(flat))
                    know = _Both(required.best, bonus.won)
                    joint[PLAYING] = self._together(know, know, each, bonus.common, worth.every)
                for name, estimate in valued.groups.items():
                    counts = estimate.counts(flat)
                    kept, traded = estimate.choices(counts)
                    assert traded is not None
                    trades = traded[0] > kept[0]
                    thinks = np.where(trades, traded[0], kept[0]).sum(axis=0) / worth.every + bonus.common
                    bets[name] = self._by_groups(estimate, thinks > 0, trades, bonus, every)
                    if name in valued.points:
                        rule = valued.points[name]
                        made, trades = rule.wagers(counts), rule.discards(counts)
                        bets[POINTS[name]] = self._by_groups(estimate, made, trades, bonus, every)
                    if required is not None:
                        think = _Both((kept[1], traded[1]), (kept[0], traded[0]))
                        true = _Both(required.by_the_book, bonus.won)
                        joint[name] = self._together(think, true, estimate.kind, bonus.common, worth.every)
            tallies.append(Tally.of(bets, guesses, joint))
        return tallies

    def _scaled(self, choices: Choices, number: int) -> "_Bonus":
        """The choices of one pay table per unit."""
        scale = self._scales[number]
        kept, traded = choices
        return _Bonus(
            (kept.won[number] / scale, traded.won[number] / scale),
            (kept.square[number] / scale**2, traded.square[number] / scale**2),
            float(self._nets[number, -1]) / scale,
        )

    def _bets(self, results: Results, number: int, every: Numbers) -> "_Bets":
        """What one pay table is worth by round and shoe. What is won is a whole number, so that its sign is right."""
        scale, won = self._scales[number], results.won[number].reshape(every.shape)
        square = results.square[number].reshape(every.shape)
        return _Bets(won > 0, won / (every * scale), square / (every * scale**2))

    def _by_groups(
        self, estimate: GroupEstimate, made: Flags, trades: Flags, bonus: "_Bonus", every: Numbers
    ) -> "_Bets":
        """What the wager is really worth to who counts groups, and so makes it and trades kinds of first cards."""
        really = trades[estimate.kind]
        won, square = (np.where(really, trade, keep).sum(axis=0) for keep, trade in (bonus.won, bonus.square))
        return _Bets(
            made.reshape(every.shape),
            won.reshape(every.shape) / every + bonus.common,
            square.reshape(every.shape) / every + bonus.common**2,
        )

    def _together(self, think: "_Both", true: "_Both", kind: Indices, common: float, every: Numbers) -> Numbers:
        """By ratio and shoe: what is really won in the mean of the rounds, where the bonus is made and each first card
        kept or discarded as is thought to be best for both wagers. What is thought is told by kind of first card."""

        def best(ratio: float) -> tuple[Numbers, Numbers]:
            kept, traded = (one + ratio * two for one, two in zip(think.required, think.bonus, strict=True))
            trades = traded > kept
            thinks = np.where(trades, traded, kept).sum(axis=0) + ratio * common * every
            kept, traded = (one + ratio * two for one, two in zip(true.required, true.bonus, strict=True))
            return thinks, np.where(trades[kind], traded, kept).sum(axis=0) + ratio * common * every

        without, means = best(0.0), []
        for ratio in self.ratios:
            both = best(ratio)
            won = np.where(both[0] > without[0], both[1], without[1]) / every
            means.append(won.reshape(len(self.starts), -1)[: self.rounds].mean(axis=0))
        return np.array(means)


class _Bonus(NamedTuple):
    """What each first card wins above the commonest end, and the square of that, if kept and if discarded; and what the
    commonest end wins."""

    won: tuple[Numbers, Numbers]
    square: tuple[Numbers, Numbers]
    common: float


class _Both(NamedTuple):
    """What each first card wins if kept and if discarded, with the required wager and with one unit of the bonus."""

    required: tuple[Numbers, Numbers]
    bonus: tuple[Numbers, Numbers]


class _Required:
    """What each first card wins with the required wager, by card and composition."""

    def __init__(self, play: RequiredPlay, cards: Sequence[Card], left: Numbers) -> None:
        rank = np.array([play.ranks.index(card.text[0]) for card in cards])
        ranks = np.einsum("kr,kc->rc", np.eye(len(play.ranks))[rank], left)
        share = np.divide(left, ranks[rank], out=np.zeros_like(left), where=left > 0)
        parts = np.array_split(ranks, -(-ranks.shape[1] // PART), axis=1)

        def by_card(choices: Iterable[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
            keep, trade = (np.hstack(some)[rank] * share for some in zip(*choices, strict=True))
            return keep, trade

        self.best = by_card(map(play.best, parts))
        self.by_the_book = by_card(map(play.by_the_book, parts))


def cards_gone(fresh: Indices, starts: Sequence[int], shoes: int, key: str) -> Indices:
    """How many of each card are gone in shoes shuffled by a generator of their own, by card, round and shoe."""
    seed = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=16).digest(), "big")
    generator = np.random.Generator(np.random.Philox(key=seed))
    pack = np.repeat(np.arange(len(fresh)), fresh)
    order = pack[generator.random((shoes, len(pack))).argsort(axis=1)]
    kinds, number = len(fresh), np.arange(shoes)[:, None]
    gone = np.zeros((kinds, len(starts), shoes), np.int64)
    for place, (before, start) in enumerate(pairwise(starts), start=1):
        dealt = order[:, before:start] * shoes + number
        gone[:, place] = gone[:, place - 1] + np.bincount(dealt.ravel(), minlength=kinds * shoes).reshape(kinds, -1)
    return gone


class _Bets(NamedTuple):
    """By round and shoe: whether a counter wagers, what the wager is worth then, and the mean square of its result."""

    made: Flags
    worth: Numbers
    square: Numbers


class Tally:
    """Sums over the shoes for one pay table: by round, and over all rounds of a shoe up to each."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.shoes = 0
        self.sums = dict[str, Numbers]()
        self.products = dict[str, Numbers]()
        self.joint = dict[str, Numbers]()
        """What the bonus and the required wager win together and the square of that, by ratio."""

    @classmethod
    def of(cls, bets: Mapping[str, _Bets], guesses: Mapping[str, Numbers], joint: Mapping[str, Numbers]) -> "Tally":
        """What counters do in some shoes, what they think of it, and what both wagers win together."""
        worth = bets[PERFECT].worth
        tally = cls(len(worth))
        tally.shoes = worth.shape[1]
        for name, (does, value, squares) in bets.items():
            each = np.where(does, value, 0.0)
            made, won = np.cumsum(does, axis=0), np.cumsum(each, axis=0)
            square = np.cumsum(np.where(does, squares, 0.0), axis=0)
            kinds = (does, each, each**2, made, won, made**2, won**2, made * won, square, made > 0)
            tally.sums[name] = np.array([kind.sum(axis=1) for kind in kinds], np.float64)
        for name, guess in guesses.items():
            pairs = (worth, guess, worth**2, guess**2, worth * guess)
            tally.products[name] = np.cumsum([kind.sum(axis=1) for kind in pairs], axis=1)
        for name, both in joint.items():
            tally.joint[name] = np.array([both.sum(axis=1), (both**2).sum(axis=1)])
        return tally

    def add(self, more: "Tally") -> None:
        """The sums over other shoes."""
        self.shoes += more.shoes
        for mine, others in ((self.sums, more.sums), (self.products, more.products), (self.joint, more.joint)):
            for name, sums in others.items():
                mine[name] = mine.get(name, 0.0) + sums

    def together(self, name: str) -> list[Estimate]:
        """What both wagers win together in a hundred hands, by ratio, in units of the required one."""
        means, squares = self.joint[name] / self.shoes
        return [
            Estimate.around(100 * mean, 100 * self._error(square - mean**2))
            for mean, square in zip(means.tolist(), squares.tolist(), strict=True)
        ]

    def at(self, penetration: Fraction, rounds: int, gone: int) -> Depth:
        """How it is with the cut card after so many rounds."""
        won = {name: self._won(sums[:, rounds - 1], rounds) for name, sums in self.sums.items()}
        for name in won.keys() & {PERFECT, PLAYING, *GROUPS}:  # who never wagers at a loss
            won[name] = replace(won[name], per_100=won[name].per_100.from_zero)
        return Depth(penetration, rounds, gone, won)

    def _won(self, sums: Numbers, rounds: int) -> Won:
        count, total, squares, *others = (float(each) for each in sums)
        last, last_worth = Estimate.share(int(count), self.shoes), None
        if count >= ENOUGH:
            mean = total / count
            last_worth = Estimate.around(mean, sqrt(max(0.0, squares / count - mean**2) / (count - 1)))
        made, won, made2, won2, both, square, shoes = (each / self.shoes for each in others)
        if not made:
            # No more hands have a wager than shoes have one in them.
            return Won(last, None, Estimate.share(0, self.shoes), None, Estimate(0.0, 0.0, 0.0), 0.0)
        worth, mean = None, won / rounds
        if shoes * self.shoes >= ENOUGH:
            rate = won / made
            worth = Estimate.around(rate, self._error(won2 - 2 * rate * both + rate**2 * made2) / made)
        return Won(
            last,
            last_worth,
            Estimate.around(made / rounds, self._error(made2 - made**2) / rounds).from_zero,
            worth,
            Estimate.around(100 * mean, 100 * self._error(won2 - won**2) / rounds),
            sqrt(100 * (square / rounds - mean**2)),
        )

    def _error(self, variance: float) -> float:
        """The standard error of a mean over the shoes."""
        return sqrt(max(0.0, variance) / (self.shoes - 1))

    @property
    def first_favourable(self) -> int | None:
        """The earliest round in any shoe with a wager of the strongest counter."""
        rounds = np.flatnonzero(self.sums[strongest(self.sums)][0])
        return int(rounds[0]) if len(rounds) else None

    def per_100(self, name: str) -> Numbers:
        """What a counter wins in a hundred hands, with the cut card after each round."""
        won: Numbers = 100 * self.sums[name][4] / self.shoes / np.arange(1, self.rounds + 1)
        return won

    def correlation(self, name: str, rounds: int) -> float | None:
        """Of an estimate with the exact expectation, over all rounds up to one; nothing if it never changes."""
        worth, guess, worth2, guess2, both = self.products[name][:, rounds - 1] / (self.shoes * rounds)
        spread = (worth2 - worth**2) * (guess2 - guess**2)
        return float((both - worth * guess) / sqrt(spread)) if spread > 1e-30 else None
