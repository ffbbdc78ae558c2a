"""Simulation of whole shoes of blackjack, with any strategy, any number of seats and any penetration.

When a simulated average must agree with the exact one. The exact value of a strategy (`solution.value_of`) holds for
one round from a fresh shoe. It holds for later rounds of the shoe as well: the cards that are left are in random order,
and a seat goes by its own cards and the upcard alone. So the next cards are, on average over all that may have come
before, as likely as any others, and it does not matter how many other seats have drawn how many cards. This needs two
things. Whether the round is played must not depend on the cards before it, and the shoe must not run out. Both are so
with a continuous shuffler, and with a fixed number of rounds a shoe. There `SimulatedShoes.z` compares.

With a cut card it is not so, however well the cards are shuffled. Rounds with many small cards take more cards, and the
cut card comes after fewer of them; what is left is rich in high cards, and nobody plays on with it. When few small
cards came there is time for one round more, from a shoe that is poorer for it. So rounds from a poor shoe are more
frequent than those from a rich one, and the average of all rounds is a little worse for the seats than the exact
figure: the cut-card effect. It is about 0.02 % of the wager with six decks, and much more with one.

How far an average is off by chance is told by the shoes: the rounds of a shoe depend on each other a little and the
seats of a round very much, but shoes do not.

Importing this module brings Numba with it, so only what computes imports it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt

import numpy as np
from numpy import uint64

from feltworks.games.blackjack.enumerator.hands import RANKS
from feltworks.games.blackjack.enumerator.kernel import (
    MOST_NET,
    MOST_SEATS,
    Rules,
    Tallies,
    no_tallies,
    play,
    play_round,
    source_of,
    tables_of,
)
from feltworks.games.blackjack.enumerator.kernel_states import (
    BLACKJACK,
    DEALER_OVER,
    NOT_DRAWN,
    TENTHS,
    Course,
    states_of,
)
from feltworks.games.blackjack.enumerator.solution import Plays
from feltworks.games.blackjack.options import Options
from feltworks.kit.enumerator import LEAST_PENETRATION, MOST_PENETRATION
from feltworks.kit.errors import BadCard, BadValue
from feltworks.kit.philox import key_of
from feltworks.kit.workers import in_chunks

MOST_ROUNDS = 10**15
MOST_BURNT = 10
CHUNK_ROUNDS = 1 << 20
"""How much is played in one chunk."""
TABLES = 256
"""How many tables a chunk is played at, side by side, unless it is small."""
NO_CUT = 2**63
"""No shoe has so many cards."""

DEALER_ENDS = {
    **{total: str(total) for total in range(17, 22)},
    DEALER_OVER: "over 21",
    BLACKJACK: "blackjack",
    NOT_DRAWN: "not drawn",
}
"""The dealer's final states. What was not drawn was not needed: every hand was decided."""


@dataclass(frozen=True)
class Setup:
    """A table and how its cards are shuffled (B-07)."""

    options: Options
    seats: int = 1
    penetration: int = 75
    """How much of the shoe lies before the cut card, in percent, burnt cards included. The round in which that card
    comes, or before which it lies, is the last one."""
    burn: int = 1
    """How many cards are burnt after each shuffle."""
    rounds_per_shoe: int | None = None
    """Instead of a cut card: so many rounds are played from every shoe."""
    continuous: bool = False
    """Instead of a cut card: every round is dealt from all the cards, and none is burnt."""

    def __post_init__(self) -> None:
        if not 1 <= self.seats <= MOST_SEATS:
            raise BadValue(f"A blackjack table has 1 to {MOST_SEATS} seats, not {self.seats}.")
        least, most = LEAST_PENETRATION, MOST_PENETRATION
        if not least <= self.penetration <= most:
            raise BadValue(f"A penetration of {self.penetration} % is not allowed; choose {least} to {most}.")
        if not 0 <= self.burn <= MOST_BURNT:
            raise BadValue(f"{self.burn} burn cards are not allowed; choose 0 to {MOST_BURNT}.")
        if self.rounds_per_shoe is None:
            return
        if self.continuous:
            raise BadValue("A continuous shuffler has no shoes; leave the rounds per shoe out.")
        most = (self.cards - self.burn) // (2 * self.seats + 2)
        if not 1 <= self.rounds_per_shoe <= most:
            raise BadValue(f"The cards are enough for 1 to {most} rounds a shoe, not {self.rounds_per_shoe}.")

    @property
    def cards(self) -> int:
        """In a shoe."""
        return sum(self.options.shoe)

    @property
    def agrees(self) -> bool:
        """Whether every round is worth what the exact figures say."""
        return self.continuous or self.rounds_per_shoe is not None

    @property
    def cut(self) -> int:
        """How many cards lie before the cut card."""
        return NO_CUT if self.agrees else -(-self.cards * self.penetration // 100)

    @property
    def fixed(self) -> int:
        """How many rounds are played from every shoe; 0 if the cut card says so."""
        return 1 if self.continuous else self.rounds_per_shoe or 0

    @property
    def usual_rounds(self) -> int:
        """About how many rounds are played from a shoe."""
        return self.fixed or max(1, round(self.cut / _usual_cards(self.seats)))

    def rules(self) -> Rules:
        """What the kernel has to know."""
        options, burn = self.options, 0 if self.continuous else self.burn
        last = self.cut if not self.fixed else burn + ceil((self.fixed - 1) * _usual_cards(self.seats))
        return Rules(
            cards=uint64(self.cards),
            seats=uint64(self.seats),
            has_hole_card=options.hole_card in ("peek", "no_peek"),
            peeks=options.hole_card == "peek",
            takes_original=options.hole_card == "none_takes_original",
            hands=uint64(options.hands),
            hands_of_aces=uint64(options.hands_from(0)),
            burn=uint64(burn),
            cut=uint64(self.cut),
            rounds=uint64(self.fixed),
            first=uint64(min(last + 3 * self.seats + 6, self.cards)),
            more=uint64(3 * self.seats + 6),
        )


def _usual_cards(seats: int) -> float:
    """About how many cards a round takes. Nothing but speed depends on it."""
    return 2.75 * (seats + 1)


@dataclass(frozen=True)
class SimulatedShoes:
    """How rounds ended. Money is in units of the original wager."""

    setup: Setup
    rounds: int
    shoes: int
    cards: int
    """Dealt, without the burnt ones."""
    nets: Mapping[tuple[Course, Fraction], int]
    """How often a seat has had this net result after this course."""
    dealer: Mapping[str, int]
    """How often the dealer ended so, by `DEALER_ENDS`."""
    split_hands: int
    """How many hands pairs became that were split."""
    split_doubles: int
    """How many of these were doubled."""
    ran_out: int
    """Shoes that ran out in a round, which was played to its end with the discards."""
    void: int
    """Rounds for which not even these were enough; every seat got its wager back."""
    round_squares: Fraction
    """The sum over all rounds of the square of what the seats won together."""
    shoe_squares: Fraction
    """The same over all shoes."""
    shoe_products: Fraction
    """The sum over all shoes of what the seats won together times the number of rounds."""
    shoe_rounds: int
    """The sum over all shoes of the square of the number of rounds."""

    @property
    def hands(self) -> int:
        """Wagers: one for each seat and round."""
        return self.rounds * self.setup.seats

    @property
    def net(self) -> Fraction:
        """What all seats have won."""
        return sum((net * number for (_, net), number in self.nets.items()), Fraction(0))

    @property
    def mean(self) -> Fraction:
        """What a wager has won on average."""
        return self.net / self.hands

    @property
    def variance(self) -> Fraction:
        """Of the net result of a wager."""
        squares = sum((net**2 * number for (_, net), number in self.nets.items()), Fraction(0))
        return squares / self.hands - self.mean**2

    @property
    def courses(self) -> Mapping[Course, int]:
        """How often a seat did what with its first two cards."""
        courses = Counter(dict.fromkeys(Course, 0))
        for (course, _), number in self.nets.items():
            courses[course] += number
        return courses

    @property
    def won(self) -> int:
        """Wagers that won more than they lost."""
        return sum(number for (_, net), number in self.nets.items() if net > 0)

    @property
    def pushed(self) -> int:
        """Wagers that neither won nor lost."""
        return sum(number for (_, net), number in self.nets.items() if net == 0)

    @property
    def lost(self) -> int:
        """Wagers that lost more than they won."""
        return sum(number for (_, net), number in self.nets.items() if net < 0)

    @property
    def average_stake(self) -> Fraction:
        """What was staked on a wager in all, doubled and split hands included."""
        courses = self.courses
        added = courses[Course.DOUBLE] + self.split_hands - courses[Course.SPLIT] + self.split_doubles
        return 1 + Fraction(added, self.hands)

    @property
    def seat_correlation(self) -> float | None:
        """How much the results of two seats of a round depend on each other; of one seat there is no such thing."""
        seats, one = self.setup.seats, self.variance
        if seats == 1 or not one:
            return None
        together = self.round_squares / self.rounds - (seats * self.mean) ** 2
        return float((together / (seats * one) - 1) / (seats - 1))

    @property
    def standard_error(self) -> float:
        """Of the mean, from what the shoes were apart."""
        return self._error(self.mean)

    def z(self, value: Fraction) -> float | None:
        """How many standard errors the mean is above the exact value of the strategy.

        None where the two need not agree: with a cut card, or if a shoe has run out.
        """
        if not self.setup.agrees or self.ran_out or self.void:
            return None
        return float(self.mean - value) / self._error(value)

    def _error(self, mean: Fraction) -> float:
        """The root of the sum, over all shoes, of the square of what was won beyond the mean; for a wager."""
        seats = self.setup.seats
        squares = self.shoe_squares - 2 * mean * seats * self.shoe_products + (mean * seats) ** 2 * self.shoe_rounds
        return sqrt(squares) / self.hands


def simulate(
    setup: Setup,
    plays: Plays,
    rounds: int,
    *,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> SimulatedShoes:
    """Play at least so many rounds in whole shoes, with the same strategy at every seat and without insurance.

    From a continuous shuffler it is exactly so many. What is counted depends on the seed and not on the number of
    workers, which are threads.
    """
    if not 1 <= rounds <= MOST_ROUNDS or workers < 1:
        raise BadValue(f"A simulation needs at least 1 round, at most {MOST_ROUNDS:,}, and at least 1 worker.")
    if seed < 0:
        raise BadValue(f"A seed is a whole number from 0 on, not {seed}.")
    rules, states, key = setup.rules(), states_of(setup.options, plays), key_of(seed)
    shoe = np.repeat(np.arange(RANKS), setup.options.shoe).tolist()

    def play_chunk(number: int, part: int) -> Tallies:
        tallies = no_tallies()
        count = min(TABLES, -(-part // setup.usual_rounds))
        tables = tables_of(count, shoe, rules)
        tables.left[:] = [(part + table) // count for table in range(count)]
        play(rules, states, tables, source_of(setup.cards, number, key), tallies)
        return tallies

    totals = no_tallies()
    for tallies in in_chunks(play_chunk, rounds, CHUNK_ROUNDS, workers, progress):
        for total, tally in zip(totals, tallies, strict=True):
            total += tally
    return _simulated(setup, totals)


def _simulated(setup: Setup, totals: Tallies) -> SimulatedShoes:
    courses, nets = np.nonzero(totals.nets)
    times = totals.nets[courses, nets]
    cards, ran_out, void = totals.cards.tolist()
    shoes, round_squares, shoe_squares, shoe_products, shoe_rounds = totals.squares.tolist()
    split_hands, split_doubles = totals.splits.tolist()
    return SimulatedShoes(
        setup,
        int(totals.dealer.sum()),
        shoes,
        cards,
        {
            (Course(course), Fraction(net - MOST_NET, TENTHS)): number
            for course, net, number in zip(courses.tolist(), nets.tolist(), times.tolist(), strict=True)
        },
        {name: int(totals.dealer[state]) for state, name in DEALER_ENDS.items()},
        split_hands,
        split_doubles,
        ran_out,
        void,
        Fraction(round_squares, TENTHS**2),
        Fraction(shoe_squares, TENTHS**2),
        Fraction(shoe_products, TENTHS),
        shoe_rounds,
    )


# Given cards


@dataclass(frozen=True)
class Played:
    """How a round ended."""

    nets: tuple[Fraction, ...]
    """What each seat has won, in units of its wager."""
    courses: tuple[Course, ...]
    """What each seat did with its first two cards."""
    hands: tuple[int, ...]
    """How many hands each seat had."""
    dealer: str
    """How the dealer ended, by `DEALER_ENDS`."""
    cards: int
    """How many cards the round has taken."""


def play_out(setup: Setup, plays: Plays, cards: Sequence[int]) -> list[Played]:
    """Play a shoe in a given order, by ranks from 0 for the ace to 9 for tens, burnt cards first.

    It ends like any shoe of the table. A round for which the cards are not enough is not played.
    """
    if not all(0 <= card < RANKS for card in cards):
        raise BadCard(f"A card is given by its rank, a number from 0 to {RANKS - 1}.")
    rules, states = setup.rules(), states_of(setup.options, plays)
    tables = tables_of(1, cards, rules)
    rounds: list[Played] = []
    while tables.start[0] < min(len(cards), setup.cut) and not (setup.fixed and len(rounds) == setup.fixed):
        play_round(tables, rules, states)
        if tables.at[0] > len(cards):
            break
        seats = range(setup.seats)
        rounds.append(
            Played(
                tuple(Fraction(int(tables.net[seat, 0]), TENTHS) for seat in seats),
                tuple(Course(int(tables.course[seat, 0])) for seat in seats),
                tuple(int(tables.hands[seat, 0]) for seat in seats),
                DEALER_ENDS[int(tables.dealer[0])],
                int(tables.at[0] - tables.start[0]),
            )
        )
        tables.start[0] = tables.at[0]
    return rounds
