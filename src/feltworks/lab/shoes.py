"""Shoes that are dealt at random, and what counters win who wager at the start of a round or let it be.

What a wager is worth with the cards that are left is exact each time; only which cards are left is sampled. The rounds
of one shoe hang together, so the shoe is the unit: every interval comes from how whole shoes differ.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, NamedTuple

import numpy as np

from feltworks.lab.compositions import Flags, Hands, Indices, Numbers, Results
from feltworks.lab.sample import WITHIN_95_PERCENT

ENOUGH = 2
"""A mean of fewer has no interval."""
PERFECT, PLAYING = "perfect", "playing"
"""Who wagers by the exact expectation and plays by the strategy; and who also discards cards for the wager's sake.
Others wager by an estimate of the expectation."""


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
    """A wager as it is sampled: what each end wins, and the linear estimates of its expectation.

    An estimate is the expectation of the full shoe plus so much for each card gone, divided by the cards left.
    """

    nets: Sequence[Fraction]
    expectation: float
    estimates: Mapping[str, Numbers]


class Sample:
    """Shoes that were dealt, and the sums over them of what every counter did."""

    def __init__(self, hands: Hands, valued: Sequence[Valued], starts: Sequence[int]) -> None:
        self.hands = hands
        self.valued = valued
        self.starts = starts
        self.tallies = [_Tally(len(starts)) for _ in valued]
        self._scales = [lcm(*(net.denominator for net in each.nets)) for each in valued]
        whole = [[int(net * scale) for net in each.nets] for each, scale in zip(valued, self._scales, strict=True)]
        self._nets = np.array(whole, np.float64)
        self._pack = np.repeat(np.arange(len(hands.cards)), hands.fresh)

    def deal(self, shoes: int, key: str) -> None:
        """So many shoes more, shuffled by a generator of their own."""
        gone = self._gone(shoes, key)
        left = self.hands.fresh[:, None, None] - gone
        by_strategy, by_best, every = self.hands.results(left.reshape(len(left), -1), self._nets)
        every = every.reshape(left.shape[1:])
        for number, (valued, tally) in enumerate(zip(self.valued, self.tallies, strict=True)):
            exact = {PERFECT: self._bets(by_strategy, number, every)}
            if by_best is not None:
                exact[PLAYING] = self._bets(by_best, number, every)
            guesses = {
                name: valued.expectation + np.einsum("k,krs->rs", effects, gone) / left.sum(axis=0)
                for name, effects in valued.estimates.items()
            }
            tally.add(exact, guesses)

    def _bets(self, results: Results, number: int, every: Numbers) -> "_Bets":
        """What one pay table is worth by round and shoe. What is won is a whole number, so that its sign is right."""
        scale, won = self._scales[number], results.won[number].reshape(every.shape)
        square = results.square[number].reshape(every.shape)
        return _Bets(won > 0, won / (every * scale), square / (every * scale**2))

    def _gone(self, shoes: int, key: str) -> Indices:
        """How many of each card are gone, by card, round and shoe."""
        seed = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=16).digest(), "big")
        generator = np.random.Generator(np.random.Philox(key=seed))
        order = self._pack[generator.random((shoes, len(self._pack))).argsort(axis=1)]
        kinds, number = len(self.hands.cards), np.arange(shoes)[:, None]
        gone = np.zeros((kinds, len(self.starts), shoes), np.int64)
        for place, (before, start) in enumerate(zip(self.starts, self.starts[1:], strict=False), start=1):
            dealt = order[:, before:start] * shoes + number
            gone[:, place] = gone[:, place - 1] + np.bincount(dealt.ravel(), minlength=kinds * shoes).reshape(kinds, -1)
        return gone


class _Bets(NamedTuple):
    """By round and shoe: whether a counter wagers, what the wager is worth then, and the mean square of its result."""

    made: Flags
    worth: Numbers
    square: Numbers


class _Tally:
    """Sums over the shoes for one pay table: by round, and over all rounds of a shoe up to each."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.shoes = 0
        self.sums = dict[str, Numbers]()
        self.products = dict[str, Numbers]()

    def add(self, exact: Mapping[str, _Bets], guesses: Mapping[str, Numbers]) -> None:
        perfect = exact[PERFECT]
        self.shoes += perfect.worth.shape[1]
        for name, bets in {**exact, **{n: perfect._replace(made=guess > 0) for n, guess in guesses.items()}}.items():
            each = np.where(bets.made, bets.worth, 0.0)
            made, won = np.cumsum(bets.made, axis=0), np.cumsum(each, axis=0)
            square = np.cumsum(np.where(bets.made, bets.square, 0.0), axis=0)
            told = (bets.made, each, each**2, made, won, made**2, won**2, made * won, square, made > 0)
            self.sums[name] = self.sums.get(name, 0.0) + np.array([kind.sum(axis=1) for kind in told])
        for name, guess in guesses.items():
            pairs = (perfect.worth, guess, perfect.worth**2, guess**2, perfect.worth * guess)
            told_pairs = np.cumsum([kind.sum(axis=1) for kind in pairs], axis=1)
            self.products[name] = self.products.get(name, 0.0) + told_pairs

    def at(self, penetration: Fraction, rounds: int, gone: int) -> Depth:
        """How it is with the cut card after so many rounds."""
        won = {name: self._won(sums[:, rounds - 1], rounds) for name, sums in self.sums.items()}
        for name in won.keys() & {PERFECT, PLAYING}:
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

    def per_100(self) -> Numbers:
        """What the strongest counter wins in a hundred hands, with the cut card after each round."""
        found: Numbers = 100 * self.sums[strongest(self.sums)][4] / self.shoes / np.arange(1, self.rounds + 1)
        return found

    def correlation(self, name: str, rounds: int) -> float | None:
        """Of an estimate with the exact expectation, over all rounds up to one; nothing if it never changes."""
        worth, guess, worth2, guess2, both = self.products[name][:, rounds - 1] / (self.shoes * rounds)
        spread = (worth2 - worth**2) * (guess2 - guess**2)
        return float((both - worth * guess) / sqrt(spread)) if spread > 1e-30 else None
