"""The kernel plays a shoe card by card as the rules say, deals fairly, and agrees with the exact figures."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import count
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy import uint64

from feltworks.games import load
from feltworks.games.blackjack.enumerator.basic_strategy import total_dependent
from feltworks.games.blackjack.enumerator.hands import ACE, RANKS, TEN, all_hands
from feltworks.games.blackjack.enumerator.kernel import SPARE, shuffle, source_of, tables_of
from feltworks.games.blackjack.enumerator.kernel_states import Course
from feltworks.games.blackjack.enumerator.shoe_simulation import (
    TABLES,
    Played,
    Setup,
    SimulatedShoes,
    play_out,
    simulate,
)
from feltworks.games.blackjack.enumerator.solution import Analysis, Plays, analyse, starts
from feltworks.games.blackjack.enumerator.upcard_solver import Action, Flags, Play, SplitPlay
from feltworks.games.blackjack.options import ALLOWED, Options
from feltworks.kit.cards import Seat, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.errors import BadCard, BadValue, FeltworksError
from feltworks.kit.philox import key_of
from feltworks.kit.steps import Settlement
from feltworks.kit.walk import walk
from feltworks.lab.enumerating_analyzer import EnumeratedStrategy
from tests.games.blackjack import plain
from tests.lab.test_dice_kernel import philox
from tests.quick import SEED, cases, share, sigmas, soaking

ONE_DECK = Options(decks=1)
MILLION = 1_000_000


class SmallShoe(Options):
    """A shoe of 25 cards, which runs out all the time."""

    @property
    def shoe(self) -> tuple[int, ...]:
        return (3, 0, 0, 0, 0, 4, 0, 5, 4, 9)


# Plain play, card by card.


class NoCards(Exception):
    """The shoe has run out."""


@dataclass
class PlainRound:
    """A round as the rules have it, with the cards as they come."""

    options: Options
    plays: Plays
    seats: int
    cards: Sequence[int]
    at: int
    up: int = 0
    ends: list[list[plain.Finished]] = field(default_factory=list)
    courses: list[Course] = field(default_factory=list)

    def card(self) -> int:
        if self.at == len(self.cards):
            raise NoCards
        self.at += 1
        return self.cards[self.at - 1]

    def play(self) -> Played:
        start, has_hole_card = self.at, self.options.hole_card in ("peek", "no_peek")
        firsts = [self.card() for _ in range(self.seats)]
        self.up = self.card()
        pairs = [(first, self.card()) for first in firsts]
        dealer = [self.up, self.card()] if has_hole_card else [self.up]
        if self.options.hole_card == "peek" and plain.points(tuple(dealer)) == 21:
            nets = [Fraction(-1 * (plain.points(pair) < 21)) for pair in pairs]
            courses = [Course.NONE if net else Course.BLACKJACK for net in nets]
            return self.ended(nets, courses, (1,) * self.seats, "blackjack", start)
        for pair in pairs:
            self.act(pair)
        end = self.dealer_plays(dealer)
        nets = [self.net(*seat, end) for seat in zip(self.ends, self.courses, strict=True)]
        return self.ended(nets, self.courses, tuple(map(len, self.ends)), end, start)

    def ended(
        self, nets: list[Fraction], courses: list[Course], hands: tuple[int, ...], dealer: str, start: int
    ) -> Played:
        return Played(tuple(nets), tuple(courses), hands, dealer, self.at - start)

    def act(self, pair: plain.Hand) -> None:
        play, hands = self.plays[self.up], all_hands()
        action = Action(int(play.first[hands.of(*pair)]))
        if plain.points(pair) == 21:
            self.courses.append(Course.BLACKJACK)
            self.ends.append([(21, 1)])
            return
        self.courses.append(Course(action))
        if action == Action.SPLIT:
            self.ends.append(list(self.split(pair[0], play.splits[pair[0]])))
        elif action in (Action.DOUBLE, Action.HIT):
            hand = (*pair, self.card())
            if action == Action.HIT:
                hand = self.hit(hand, play.hits)
            self.ends.append([(plain.points(hand), 1 + (action == Action.DOUBLE))])
        else:
            self.ends.append([(plain.points(pair), 1)])

    def hit(self, hand: plain.Hand, hits: Flags) -> plain.Hand:
        while plain.points(hand) < 21 and hits[all_hands().of(*hand)]:
            hand = (*hand, self.card())
        return hand

    def split(self, rank: int, way: SplitPlay) -> Iterator[plain.Finished]:
        hands = waiting = 2
        while waiting:
            second = self.card()
            if second == rank and hands < self.options.hands_from(rank):
                hands, waiting = hands + 1, waiting + 1
                continue
            waiting -= 1
            if way.doubles[second]:
                yield plain.points((rank, second, self.card())), 2
            else:
                yield plain.points(self.hit((rank, second), way.alike if second == rank else way.apart)), 1

    def dealer_plays(self, dealer: list[int]) -> str:
        waits = any(
            course not in (Course.BLACKJACK, Course.SURRENDER) and total <= 21
            for ends, course in zip(self.ends, self.courses, strict=True)
            for total, _ in ends
        )
        shows = {Course.BLACKJACK, Course.SURRENDER} & {
            *self.courses
        } or self.options.hole_card == "none_takes_original"
        if len(dealer) == 1 and (waits or (shows and self.up in (ACE, TEN))):
            dealer.append(self.card())
        if len(dealer) == 2 and plain.points(tuple(dealer)) == 21:
            return "blackjack"
        if not waits:
            return "not drawn"
        while True:
            total, soft = plain.points(tuple(dealer)), plain.is_soft(tuple(dealer))
            if total > 21:
                return "over 21"
            if total > 17 or (total == 17 and not (soft and self.options.soft_17 == "hit")):
                return str(total)
            dealer.append(self.card())

    def net(self, ends: list[plain.Finished], course: Course, dealer: str) -> Fraction:
        if course == Course.BLACKJACK:
            return Fraction(0) if dealer == "blackjack" else Fraction(self.options.blackjack_pays)
        if dealer == "blackjack":
            takes_one = course == Course.SURRENDER or self.options.hole_card == "none_takes_original"
            return Fraction(-1) if takes_one else Fraction(-sum(stake for _, stake in ends))
        if course == Course.SURRENDER:
            return Fraction(-1, 2)
        against = int(dealer) if dealer.isdigit() else 0
        return Fraction(
            sum(stake * (-1 if total > 21 or total < against else total > against) for total, stake in ends)
        )


def plain_shoe(setup: Setup, plays: Plays, cards: Sequence[int]) -> list[Played]:
    """A shoe in a given order, as far as the cards go."""
    found: list[Played] = []
    at = 0 if setup.continuous else setup.burn
    while len(found) != (1 if setup.continuous else setup.rounds_per_shoe):
        if not setup.agrees and at * 100 >= len(cards) * setup.penetration:
            break
        try:
            found.append(PlainRound(setup.options, plays, setup.seats, cards, at).play())
        except NoCards:
            break
        at += found[-1].cards
    return found


def ordered(options: Options) -> list[int]:
    """A new shoe before it is shuffled."""
    return [rank for rank, number in enumerate(options.shoe) for _ in range(number)]


def shuffled(options: Options, random: Random) -> list[int]:
    cards = ordered(options)
    random.shuffle(cards)
    return cards


def any_options(random: Random) -> Options:
    chosen = {name: random.choice(values) for name, values in ALLOWED.items()}
    return Options(**chosen, decks=random.choice((1, 2, 6, 8)))


def any_plays(options: Options, seed: int) -> Plays:
    """A way of playing that nobody would choose, within the rules of the table."""
    chance, hands = np.random.default_rng(seed), all_hands()
    wild = hands.total < 12 + chance.integers(0, 9, len(hands))

    def may_double(hand: int) -> bool:
        return options.may_double(int(hands.hard[hand]), bool(hands.soft[hand])) and hands.total[hand] < 21

    def flags() -> Flags:
        return wild & (chance.random(len(hands)) < 0.8)

    def split(rank: int) -> SplitPlay:
        if options.one_card(rank):
            return SplitPlay(np.zeros_like(wild), np.zeros_like(wild), np.zeros(RANKS, np.bool_))
        may = [options.doubles_after_split and may_double(hands.of(rank, second)) for second in range(RANKS)]
        return SplitPlay(flags(), flags(), np.array(may) & (chance.random(RANKS) < 0.3))

    plays = []
    for _ in range(RANKS):
        first = np.zeros(len(hands), np.int8)
        for low, high, _ in starts():
            hand = hands.of(low, high)
            allowed = [Action.STAND, Action.HIT, Action.HIT]
            allowed += [Action.DOUBLE] if may_double(hand) else []
            allowed += [Action.SPLIT] * 3 if low == high else []
            allowed += [Action.SURRENDER] if options.surrenders else []
            first[hand] = chance.choice(allowed)
        plays.append(Play(flags(), first, tuple(split(rank) for rank in range(RANKS))))
    return tuple(plays)


def stand_always() -> Play:
    flags, first = np.zeros(len(all_hands()), np.bool_), np.zeros(len(all_hands()), np.int8)
    return Play(flags, first, (SplitPlay(flags, flags, np.zeros(RANKS, np.bool_)),) * RANKS)


def any_setup(options: Options, random: Random) -> Setup:
    seats = random.randint(1, 7)
    rounds = random.choice((None, 1, 2))
    return Setup(
        options, seats, random.randint(10, 100), random.randint(0, 10), rounds, random.random() < 0.2 and not rounds
    )


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("B-01", "B-02", "B-03", "B-04", "B-05", "B-07")
def test_any_shoe_is_played_card_by_card_as_plain_play_does_it() -> None:
    random, seen = Random(SEED + 2), Counter[object]()
    for seed in range(share(60, soak=8_000)):
        options = any_options(random)
        setup, plays = any_setup(options, random), any_plays(options, seed)
        cards = shuffled(options, random)
        found = play_out(setup, plays, cards)
        assert found == plain_shoe(setup, plays, cards), (setup, seed)
        seen.update(course for round in found for course in round.courses)
        seen.update(round.dealer for round in found)
        seen.update(number for round in found for number in round.hands)
    assert {*Course, "blackjack", "over 21", "not drawn", "17", "21", 1, 2, 3, 4} <= {*seen}


# The rules, as `rules` has them.

OTHERS: dict[str, dict[str, Any]] = {
    "peek": {},
    "no peek": {"hole_card": "no_peek", "surrender": "late", "soft_17": "stand"},
    "takes all": {"hole_card": "none_takes_all", "surrender": "late", "split_aces": "hit", "double": "10-11"},
    "takes original": {"hole_card": "none_takes_original", "surrender": "late", "split_aces": "resplit"},
    "6 to 5": {"blackjack_pays": "6/5", "double_after_split": "no", "max_hands": "3", "double": "9-11"},
}


def by_the_rules(readings: dict[str, Any], seats: int, ranks: Sequence[int]) -> tuple[tuple[Fraction, ...], int]:
    """A round by the rules and the best strategy: what each seat wins, and how many cards it takes."""
    game = load("blackjack").configured(decks=1, readings=readings)
    left = iter([parse_cards("A23456789T"[rank])[0] for rank in ranks])
    player = EnumeratedStrategy(game, {"base": Fraction(1)}, {})
    nets = {Seat(number): Fraction(0) for number in range(1, seats + 1)}
    for _, _, round in walk(game.start(nets, tracked=False), Scripted(left), dict.fromkeys(nets, player)):
        for effect in round.effects:
            if isinstance(effect, Settlement):
                nets[effect.seat] += effect.net()
    return tuple(nets.values()), len(ranks) - len(list(left))


@pytest.mark.soak
@pytest.mark.rule("B-01", "B-02", "B-03", "B-04", "B-05", "B-06")
@pytest.mark.parametrize("name", cases(OTHERS, quick=["peek"]))
def test_the_rules_and_the_kernel_end_a_round_alike_and_with_as_many_cards(name: str) -> None:
    random, options = Random(f"{name} {SEED}"), Options(**OTHERS[name], decks=1)
    for _ in range(share(60, soak=3_000)):
        setup = Setup(options, random.randint(1, 4), continuous=True)
        cards = shuffled(options, random)
        [found] = play_out(setup, analyse(options).plays, cards)
        assert (found.nets, found.cards) == by_the_rules(OTHERS[name], setup.seats, cards), (setup, cards[:60])


# Chance is fair, and nothing else decides.


def words(seed: int, chunk: int, blocks: int) -> Iterator[int]:
    """The words of a chunk in the order in which they are used: the first of every block, the second, and so on."""
    high, low = divmod(key_of(seed), 2**32)
    for begin in count(0, blocks):
        drawn = [philox((block, 0, chunk, 0), (low, high)) for block in range(begin, begin + blocks)]
        for place in range(4):
            yield from (word[place] for word in drawn)


@dataclass
class PlainTable:
    """A table of the simulation: its cards, how many of them are shuffled, and where the round begins."""

    left: int
    cards: list[int]
    start: int
    wanted: int
    ready: int = 0
    ran_out: bool = False
    shoe: list[Played] = field(default_factory=list)


class PlainSimulation:
    """The simulation of a small chunk, round by round."""

    def __init__(self, setup: Setup, plays: Plays, rounds: int, seed: int) -> None:
        self.setup, self.plays, self.rules = setup, plays, setup.rules()
        number = min(TABLES, -(-rounds // setup.usual_rounds))
        self.tables = [self.new((rounds + place) // number, ordered(setup.options)) for place in range(number)]
        self.words = words(seed, 0, 1024)
        self.shoes: list[list[Played]] = []
        self.ran_out = self.void = 0

    def new(self, left: int, cards: list[int]) -> PlainTable:
        return PlainTable(left, cards, int(self.rules.burn), int(self.rules.first))

    def run(self) -> "PlainSimulation":
        while any(table.left > 0 for table in self.tables):
            for table in self.tables:
                self.shuffle(table)
            for place, table in enumerate(self.tables):
                if self.play(table):
                    self.tables[place] = self.new(table.left, table.cards)
        return self

    def shuffle(self, table: PlainTable) -> None:
        """Three cards to a word, which must not be one of those too many; each draw is a digit of it."""
        cards, every = table.cards, len(table.cards)
        while table.ready < table.wanted:
            left = [max(every - place, 1) for place in range(table.ready, table.ready + 3)]
            sequences, word = left[0] * left[1] * left[2], next(self.words)
            if word * sequences % 2**32 < 2**32 % sequences:
                continue
            number = word * sequences // 2**32
            digits = [number // (left[1] * left[2]), number // left[2] % left[1], number % left[2]]
            for place, digit in enumerate(digits[: every - table.ready], start=table.ready):
                cards[place], cards[place + digit] = cards[place + digit], cards[place]
            table.ready = min(table.ready + 3, every)

    def play(self, table: PlainTable) -> bool:
        """Play a round as far as it goes, and say whether the shoe is over."""
        ready, every, seats = table.cards[: table.ready], len(table.cards), self.setup.seats
        try:
            played = PlainRound(self.setup.options, self.plays, seats, ready, table.start).play()
        except NoCards:
            if table.ready < every:
                table.wanted = min(table.ready + int(self.rules.more), every)
                return False
            first, table.ran_out = not table.start, True
            if not first:
                self.ran_out += table.left > 0
                table.cards = table.cards[table.start :] + table.cards[: table.start]
                table.ready = every - table.start
                table.wanted, table.start = min(table.ready + int(self.rules.more), every), 0
                return False
            self.void += table.left > 0
            played = Played((Fraction(0),) * seats, (Course.NONE,) * seats, (1,) * seats, "not drawn", every)
        if table.left <= 0:
            return False
        table.start += played.cards
        table.shoe.append(played)
        if len(table.shoe) == self.rules.rounds or table.start >= self.rules.cut or table.ran_out:
            self.shoes.append(table.shoe)
            table.left -= len(table.shoe)
            return True
        return False


SIMULATED = {
    "a shuffler": (Setup(Options(), 2, continuous=True), 600),
    "a cut card": (Setup(Options(decks=2), 1), 600),
    "rounds by number": (Setup(ONE_DECK, 3, rounds_per_shoe=2, burn=3), 200),
    "every card": (Setup(ONE_DECK, 5, penetration=100, burn=0), 200),
    "too few cards": (Setup(SmallShoe(), 5, penetration=90), 200),
    "far too few cards": (Setup(SmallShoe(), 7, continuous=True), 200),
}


@pytest.mark.slow
@pytest.mark.rule("B-07")
@pytest.mark.parametrize("name", SIMULATED)
def test_the_simulation_is_plain_play_of_fairly_shuffled_cards(name: str) -> None:
    setup, rounds = SIMULATED[name]
    plays = any_plays(setup.options, 5)
    found, plainly = simulate(setup, plays, rounds, seed=9), PlainSimulation(setup, plays, rounds, 9).run()
    played = [round for shoe in plainly.shoes for round in shoe]
    ended = Counter(end for round in played for end in zip(round.courses, round.nets, strict=True))
    nets = [sum(sum(round.nets) for round in shoe) for shoe in plainly.shoes]
    assert found.rounds == len(played) >= rounds and found.shoes == len(plainly.shoes)
    assert found.nets == ended
    assert {end: number for end, number in found.dealer.items() if number} == Counter(round.dealer for round in played)
    assert found.cards == sum(round.cards for round in played)
    assert (found.ran_out, found.void) == (plainly.ran_out, plainly.void)
    assert found.round_squares == sum(sum(round.nets) ** 2 for round in played)
    assert found.shoe_squares == sum(net**2 for net in nets)
    assert found.shoe_products == sum(net * len(shoe) for net, shoe in zip(nets, plainly.shoes, strict=True))
    assert found.shoe_rounds == sum(len(shoe) ** 2 for shoe in plainly.shoes)
    split = [(hands, course) for r in played for hands, course in zip(r.hands, r.courses, strict=True)]
    assert found.split_hands == sum(hands for hands, course in split if course == Course.SPLIT)
    assert bool(found.ran_out) == (name in ("every card", "too few cards"))
    assert bool(found.void) == ("too few" in name)


@pytest.mark.rule("B-07")
@pytest.mark.parametrize("steps", [(52,), (9, 6, 21, 2, 14)])
def test_every_card_comes_to_every_place_equally_often(steps: tuple[int, ...]) -> None:
    number, times, source = 256, share(600), source_of(52, chunk=7, key=11)
    tables = tables_of(number, range(52), Setup(ONE_DECK).rules())
    places, neighbours = np.zeros((52, 52)), np.zeros((52, 52))
    for _ in range(times):
        tables.ready[:] = 0
        for wanted in np.cumsum(steps):
            tables.wanted[:] = wanted
            shuffle(tables, uint64(52), source)
        for place in range(52):
            places[place] += np.bincount(tables.cards[:, place], minlength=52)
        np.add.at(neighbours, (tables.cards[:, 0], tables.cards[:, 1]), 1)
    assert (np.sort(tables.cards[:, :52], 1) == np.arange(52)).all()
    assert (tables.cards[:, 52:] == TEN).all() and tables.cards.shape[1] == 52 + SPARE
    expected = number * times / 52
    assert abs(chi_square(places, expected, 51 * 51)) < 4
    assert not np.diagonal(neighbours).any()
    apart = neighbours[~np.eye(52, dtype=bool)]
    assert abs(chi_square(apart, expected / 51, 52 * 51 - 1)) < 4


def chi_square(counted: "np.ndarray[Any, Any]", expected: float, freedom: int) -> float:
    """How many standard deviations the sum of squares is from what it is on average."""
    return float((((counted - expected) ** 2 / expected).sum() - freedom) / sqrt(2 * freedom))


@pytest.mark.rule("B-07")
@pytest.mark.parametrize("setup", [Setup(ONE_DECK, 2, penetration=60), Setup(ONE_DECK, continuous=True)])
def test_the_seed_decides_and_the_number_of_workers_does_not(setup: Setup) -> None:
    plays, rounds = any_plays(ONE_DECK, 1), 1_200_000
    told: list[tuple[int, int]] = []
    alone = simulate(setup, plays, rounds, seed=4, progress=lambda done, all: told.append((done, all)))
    assert alone == simulate(setup, plays, rounds, seed=4, workers=3)
    assert alone != simulate(setup, plays, rounds, seed=5)
    assert told == [(1 << 20, rounds), (rounds, rounds)]
    assert alone.rounds == rounds if setup.continuous else alone.rounds > rounds


# The exact figures.

SETUPS: dict[str, Setup] = {
    "six decks": Setup(Options(), continuous=True),
    "six decks, thirty rounds": Setup(Options(), rounds_per_shoe=30),
    "six decks, five seats": Setup(Options(surrender="late"), 5, rounds_per_shoe=6),
    "one deck": Setup(Options(decks=1, soft_17="stand", double="10-11", blackjack_pays="6/5"), continuous=True),
    "one deck, four rounds": Setup(ONE_DECK, rounds_per_shoe=4),
    "eight decks, no peek": Setup(
        Options(decks=8, hole_card="no_peek", surrender="late", max_hands="3"), rounds_per_shoe=50
    ),
    "two decks, none, all": Setup(
        Options(decks=2, hole_card="none_takes_all", split_aces="hit", surrender="late", soft_17="stand"),
        seats=7,
        continuous=True,
    ),
    "two decks, none, original": Setup(
        Options(decks=2, hole_card="none_takes_original", split_aces="resplit", surrender="late", double="9-11"),
        rounds_per_shoe=8,
    ),
    "four decks, few options": Setup(
        Options(decks=4, double_after_split="no", max_hands="2", blackjack_pays="1"), continuous=True
    ),
}


@cache
def strategy(options: Options, kind: str) -> Analysis:
    return analyse(options) if kind == "by cards" else total_dependent(options).analysis


def agree(found: SimulatedShoes, exact: Analysis) -> None:
    """The average, and for one seat its variance and how often everything happens."""
    z = found.z(exact.value)
    assert z is not None and abs(z) < sigmas(3.5)
    hands, often, courses = found.hands, exact.frequencies, found.courses
    if found.setup.seats > 1:
        return
    fourth = sum((net - found.mean) ** 4 * number for (_, net), number in found.nets.items()) / hands
    assert abs(float(found.variance) - exact.variance) < sigmas(4) * sqrt((fourth - found.variance**2) / hands)
    assert abs(float(found.average_stake - exact.average_stake)) < sigmas(4) * sqrt(0.25 / hands)
    counted = {name: courses[Course[name.upper()]] for name in ("blackjack", "double", "split", "surrender")}
    counted["both"] = found.nets[Course.BLACKJACK, Fraction(0)]
    if found.setup.options.hole_card in ("peek", "no_peek"):
        counted["dealer blackjack"] = found.dealer["blackjack"]
    for name, number in counted.items():
        chance = float(often[name])
        assert abs(number - hands * chance) <= sigmas(4) * sqrt(hands * chance * (1 - chance)), name


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("B-02", "B-03", "B-04", "B-05", "B-07")
@pytest.mark.parametrize("kind", cases(["by cards", "by totals"], quick=["by cards"], test=["by cards"]))
@pytest.mark.parametrize("name", cases(SETUPS, quick=["one deck, four rounds"]))
def test_millions_of_hands_agree_with_the_exact_figures(name: str, kind: str) -> None:
    setup = SETUPS[name]
    exact = strategy(setup.options, kind)
    hands = share(4 * MILLION, soak=100 * MILLION)
    agree(simulate(setup, exact.plays, hands // setup.seats, seed=SEED + 2, workers=2), exact)


# The cut card.


@cache
def worse(setup: Setup, rounds: int) -> tuple[float, float]:
    """How much less a round is worth on average than the exact figure, in percent, and how sure that is."""
    exact = analyse(setup.options)
    found = simulate(setup, exact.plays, rounds, seed=SEED + 3, workers=2)
    assert not setup.agrees and found.z(exact.value) is None
    return 100 * float(exact.value - found.mean), 100 * found.standard_error


@pytest.mark.rule("B-07")
def test_a_cut_card_costs_the_seats_something() -> None:
    cost, error = worse(Setup(ONE_DECK), 20 * MILLION)
    assert cost > 5 * error


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("B-07")
def test_the_cut_card_costs_less_the_more_decks_there_are() -> None:
    """The cost of one deck and of two; how little six decks cost is seen only in very many rounds."""
    (one, error_1), (two, error_2) = (worse(Setup(Options(decks=n)), n * share(20, soak=300) * MILLION) for n in (1, 2))
    assert one - two > 3 * sqrt(error_1**2 + error_2**2)
    assert 0.03 < two < 0.1 < one < 0.2
    if soaking():
        six, error_6 = worse(Setup(Options(decks=6)), 3_000 * MILLION)
        assert two - six > 3 * sqrt(error_2**2 + error_6**2)
        assert six > 3 * error_6
        assert 0.01 < six < 0.03


# What is counted.


@pytest.mark.rule("B-01", "B-05")
def test_seats_of_a_round_depend_on_each_other_and_the_error_knows_it() -> None:
    plays = analyse(ONE_DECK).plays
    one, five = (simulate(Setup(ONE_DECK, seats, continuous=True), plays, MILLION) for seats in (1, 5))
    assert one.seat_correlation is None and one.hands * 5 == five.hands
    assert five.seat_correlation is not None and 0.3 < five.seat_correlation < 0.45
    one_seat_alone = sqrt(five.variance / five.hands)
    assert five.standard_error == pytest.approx(one_seat_alone * sqrt(1 + 4 * five.seat_correlation), rel=0.01)
    assert one.standard_error == pytest.approx(sqrt(one.variance / one.hands), rel=0.01)
    assert five.won + five.pushed + five.lost == five.hands == sum(five.courses.values())
    assert sum(five.dealer.values()) == five.rounds == five.shoes


@pytest.mark.rule("B-07")
def test_the_cut_card_ends_a_shoe_with_the_round_in_which_it_comes() -> None:
    stands = (stand_always(),) * RANKS
    # Every seat has 20 and every dealer 19, so that a round takes four cards.
    cards = [TEN, TEN, TEN, 8] * 13
    for penetration, rounds in ((10, 2), (16, 3), (50, 7), (75, 10), (100, 12)):
        found = play_out(Setup(ONE_DECK, penetration=penetration, burn=0), stands, cards)
        assert len(found) == (rounds if penetration < 100 else 13)
        assert [round.cards for round in found] == [4] * len(found)
    assert len(play_out(Setup(ONE_DECK, penetration=100, burn=1), stands, [ACE, *cards[:51]])) == 12
    assert len(play_out(Setup(ONE_DECK, rounds_per_shoe=5), stands, [ACE, *cards])) == 5
    assert len(play_out(Setup(ONE_DECK, continuous=True), stands, cards)) == 1


# What is refused.


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"seats": 8}, "1 to 7 seats"),
        ({"seats": 0}, "1 to 7 seats"),
        ({"penetration": 5}, "choose 10 to 100"),
        ({"penetration": 101}, "choose 10 to 100"),
        ({"burn": 11}, "choose 0 to 10"),
        ({"rounds_per_shoe": 0}, "1 to 12 rounds a shoe"),
        ({"rounds_per_shoe": 13}, "1 to 12 rounds a shoe"),
        ({"rounds_per_shoe": 3, "continuous": True}, "has no shoes"),
    ],
)
def test_a_table_that_cannot_be_is_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(BadValue, match=says):
        Setup(ONE_DECK, **settings)


@pytest.mark.parametrize(
    ("settings", "error", "says"),
    [
        ({"rounds": 0}, BadValue, "at least 1 round"),
        ({"rounds": 10**15 + 1}, BadValue, "at most 1,000,000,000,000,000"),
        ({"rounds": 1, "workers": 0}, BadValue, "at least 1 worker"),
        ({"rounds": 1, "seed": -1}, BadValue, "from 0 on"),
    ],
)
def test_a_simulation_that_cannot_be_is_refused(
    settings: dict[str, Any], error: type[FeltworksError], says: str
) -> None:
    with pytest.raises(error, match=says):
        simulate(Setup(ONE_DECK), any_plays(ONE_DECK, 0), **settings)


def test_cards_that_are_none_are_refused() -> None:
    with pytest.raises(BadCard, match="0 to 9"):
        play_out(Setup(ONE_DECK), any_plays(ONE_DECK, 0), [1, 10])
