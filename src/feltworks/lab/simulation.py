"""Simulation: rounds are played and counted beside the exact figures.

A simulation never certifies; it checks. What it counts depends on the seed alone: the rounds are cut into chunks,
each with a generator of its own, so that it does not matter how many workers play them.

Cards are dealt through the contract, round by round: the reference simulator. Where a wager stays up for the
next round, they are played on until it is decided and count as one. A game of dice alone is walked once to make a
table, on which a compiled kernel counts a thousand million rolls in a second or two. It is asked for rounds or for
rolls; the rounds that are under way when those rolls are made are played to their end, so that every wager that counts
is decided. So the sum of `net + edge x made` over all rounds has the mean 0 exactly, and per round the
exact variance that the solver finds, whichever of the two was asked for (Wald's equations: when to stop depends on
the past alone). That sum over its standard deviation is z.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import NamedTuple

from feltworks.kit.cards import Seat
from feltworks.kit.chance import Shuffled
from feltworks.kit.definition import Wager
from feltworks.kit.enumerator import ON_AVERAGE, Ends, Progress
from feltworks.kit.errors import BadValue, FaultyRules, TooLarge
from feltworks.kit.game import Game, game_of
from feltworks.kit.loader import load_folder
from feltworks.kit.outside_rules import is_outside
from feltworks.kit.round import Info, Round
from feltworks.kit.steps import Close, Decide, Place, Settlement, TakeUp
from feltworks.kit.walk import Habit, KnownRounds, Player, walk
from feltworks.kit.workers import in_turn, processors
from feltworks.lab.analysis import analyzer_for, not_counted
from feltworks.lab.count_files import enumerator_of
from feltworks.lab.dice_table import Bettor, End, bettors_for, table_of
from feltworks.lab.enumerating_analyzer import EnumeratedStrategy
from feltworks.lab.graph import ME, Event, Policy, undecided
from feltworks.lab.policies import BEST, FIRST, SOON, STATES_A_SECOND, FileStrategy, policy_at_hand, policy_by_name
from feltworks.lab.sample_mean import Pair, Sample, Totals
from feltworks.lab.simulation_result import Length, SimulatedOutcome, Simulation, WagerSimulation
from feltworks.lab.stakes import Stakes, alone, checked_stakes, company, has_required
from feltworks.lab.strategy import Strategy
from feltworks.lab.wager_analysis import WagerAnalysis, check_ends, check_sum, decisive, net_result, pays
from feltworks.lab.walking_analyzer import WalkingAnalyzer

CHUNK = 1_000
"""How many rounds of cards one generator plays."""

LONGEST = 10_000
"""A wager that stays up for so many rounds is taken to stay up for ever."""

MOST = 10**15
"""More rounds or rolls than anybody waits for."""

ZERO, ONE = Fraction(0), Fraction(1)


def simulate(
    game: Game,
    *,
    rounds: int | None = None,
    rolls: int | None = None,
    seats: int = 1,
    seed: int = 0,
    stakes: Mapping[str, Fraction] | None = None,
    policy: Player | str | None = None,
    against: Mapping[str, WagerAnalysis] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play so many rounds, each from a fresh pack, with the same policy at every seat; or so many rolls.

    Without a policy each seat stakes one unit on every wager, or what `stakes` say, and follows the best
    strategy for the stakes, so that all is measured as `analyze` reports it; where that is not found within
    seconds, it takes the first option, which the simulation notes. Where no wager is required, each is played alone,
    unless stakes are given. The name of a policy (best, first, or a file with a function) asks for that one with the
    same stakes. Any other policy brings its own stakes:
    a habit, a strategy, or any player who goes by the round alone. `against` are the exact figures to compare
    with; if none are given, those of the same policy, where it is a habit or a strategy. For dice, workers are
    threads, by default one for each processor. For cards they are processes, by default one: a script that asks
    for several keeps its start under `if __name__ == "__main__"`.
    """
    _check(game, rounds, rolls, workers)
    if (policy is None or isinstance(policy, str)) and not stakes and not has_required(game):
        play = partial(
            simulate, game, rounds=rounds, rolls=rolls, seats=seats, seed=seed, policy=policy, against=against
        )
        apart = {game.bet(n).name: play(stakes=alone(game, n), workers=workers, progress=progress) for n in game.wagers}
        wagers = {name: simulation[name] for name, simulation in apart.items() if name in simulation.wagers}
        return replace(next(iter(apart.values())), stakes=dict.fromkeys(apart, ONE), wagers=wagers)
    if policy is None or isinstance(policy, str):
        player, note = policy_at_hand(game, stakes) if policy is None else (policy_by_name(game, policy, stakes), "")
    elif stakes is None:
        player, note = policy, ""
    else:
        raise BadValue("A policy brings its own stakes; give one of the two.")
    if isinstance(player, Habit):
        player = replace(player, stakes={game.bet(name).name: units for name, units in player.stakes.items()})
    by = _name(player)
    if game.has_dice and seats == 1 and isinstance(player, Strategy | Habit):
        chosen, own = _choice(player), not (policy is None or isinstance(policy, str))
        bettors = (Bettor(game, player.stakes, chosen),) if own else bettors_for(game, player.stakes, chosen)
        exact = figures(game, player) if against is None else against
        rolled = _by_table(bettors, player.stakes, rounds, rolls, seed, exact, workers or processors(), progress)
        return replace(rolled, strategy=by, note=note)
    if isinstance(player, EnumeratedStrategy) and seats == 1 and rounds is not None:
        exact = against or {}
        if not player.stakes.keys() <= exact.keys():
            exact = {**figures(game, player), **exact}
        return _by_enumerator(game, rounds, seed, player.stakes, exact, workers or processors(), progress)
    if rounds is None:
        raise BadValue("Rolls are counted for one seat that plays by a strategy or a habit; give rounds here.")
    most = SOON * STATES_A_SECOND if policy is None or isinstance(policy, str) else None
    exact = figures(game, player, most) if against is None else against
    plan = Plan(game, player, seats, rounds, seed, frozenset(n for n, w in exact.items() if _is_endless(w)))
    tallies, played = plan.tallies(), 0
    for number, (counted, more) in enumerate(_chunks(plan, workers or 1), start=1):
        played += more
        for name, tally in tallies.items():
            tally.add(counted[name])
        if progress is not None:
            progress(min(number * CHUNK, rounds), rounds)
    wagers = {name: tally.result(exact.get(name)) for name, tally in tallies.items() if tally.rounds}
    return Simulation(game, plan.stakes, played, seats, seed, wagers, strategy=by, note=note)


def _name(player: Player) -> str:
    """What a simulation says of how its seats decided."""
    match player:
        case Strategy() | EnumeratedStrategy():
            return BEST
        case Habit(prefer=prefer):
            return f"prefer {', '.join(prefer)}" if prefer else FIRST
        case FileStrategy(path=path, function=function):
            return f"{function} of {path.name}"
    return "own"


def _check(game: Game, rounds: int | None, rolls: int | None, workers: int | None) -> None:
    if rounds is not None and rolls is not None:
        raise BadValue("A simulation is so many rounds or so many rolls; give one of the two.")
    if rolls is not None and not game.has_dice:
        raise BadValue(f"{game.title} has no dice; say how many rounds instead of how many rolls.")
    if not 1 <= (rolls or rounds or 0) <= MOST or (workers is not None and workers < 1):
        raise BadValue(f"A simulation needs at least 1 round or roll, at most {MOST:,}, and at least 1 worker.")


# What is exact.


def figures(game: Game, policy: Player, most: int | None = None) -> dict[str, WagerAnalysis]:
    """The exact figures of what a habit or a strategy wagers; none where the game is too large for them, or has more
    states than it may take."""
    if isinstance(policy, EnumeratedStrategy):
        counted = analyzer_for(game, checked_stakes(game, None))
        return {name: counted.wager(name) for name in policy.stakes}
    if not isinstance(policy, Strategy | Habit) or (game.enumerator and not not_counted(game)):
        return {}
    chosen, analyzer = _choice(policy), WalkingAnalyzer(game, policy.stakes, most=most)
    try:
        return {name: analyzer.under(name, chosen) for name in policy.stakes}
    except TooLarge:
        return {}


def _choice(policy: Strategy | Habit) -> Policy:
    return policy.option if isinstance(policy, Strategy) else partial(_preferred, policy.prefer)


def _preferred(prefer: Iterable[str], info: Info) -> str:
    return next((name for name in prefer if name in info.options), info.options[0])


def _is_endless(exact: WagerAnalysis) -> bool:
    """Whether the wager is paid or made again inside a loop, so that its outcomes are told settlement by settlement."""
    return exact.hit_frequency is None or exact.by_settlement


# What is counted.


@dataclass(frozen=True)
class Plan:
    """All that a worker has to know to play any chunk of a simulation."""

    game: Game
    policy: Player
    seats: int
    rounds: int
    seed: int
    endless: frozenset[str]

    @property
    def stakes(self) -> Mapping[str, Fraction]:
        return (
            self.policy.stakes if isinstance(self.policy, Strategy | EnumeratedStrategy | Habit | FileStrategy) else {}
        )

    @property
    def company(self) -> Stakes:
        """What one more seat stakes, which is not counted, where the others may have nothing with which a round
        begins."""
        beside = {} if has_required(self.game) or not self.stakes else company(self.game, self.stakes)
        return {} if beside.keys() <= self.stakes.keys() else beside

    def tallies(self) -> dict[str, "Tally"]:
        wagers = self.game.bets.values()
        as_one = {w.name for w in wagers if len(w.spots) > 1} - self.endless
        return {w.name: Tally(w, frozenset(w.opens if w.name in as_one else ())) for w in wagers}


@dataclass
class Tally:
    """How often everything came up that can happen to one wager."""

    wager: Wager
    main_spots: frozenset[str]
    """If its spots end as one, those that say how; otherwise each settlement is an end of its own."""
    rounds: Counter[Pair] = field(default_factory=Counter)
    seats: dict[Seat, Counter[Pair]] = field(default_factory=lambda: defaultdict(Counter))
    ends: Counter[End] = field(default_factory=Counter)

    def count(self, seats: Mapping[Seat, Sequence["Decided"]], times: int = 1) -> None:
        """One round, or several that hang together: what was decided for each seat that made the wager, and how many
        times it went so."""
        share = next(iter(self.wager.opens.values()))
        all_net = all_made = ZERO
        for seat, wagers in seats.items():
            unit, net, made = wagers[0].placed[0] / share, ZERO, ZERO
            for placed, settled in wagers:
                more, ends = _result(unit, settled, self.main_spots)
                net, made = net + more, made + sum(placed) / wagers[0].placed[0]
                for end in ends:
                    self.ends[end] += times
            self.seats[seat][net, made] += times
            all_net, all_made = all_net + net, all_made + made
        if seats:
            self.rounds[all_net, all_made] += times

    def add(self, other: "Tally") -> None:
        self.rounds.update(other.rounds)
        self.ends.update(other.ends)
        for seat, counts in other.seats.items():
            self.seats[seat].update(counts)

    def result(self, exact: WagerAnalysis | None) -> WagerSimulation:
        samples = {seat: Sample(counts) for seat, counts in sorted(self.seats.items())}
        alike = exact and not any(o.pays == ON_AVERAGE for o in exact.outcomes)  # both told by the same lines
        made = sum((sample.made for sample in samples.values()), ZERO)
        outcomes = _outcomes(self.ends, made, exact if alike else None)
        return WagerSimulation(self.wager, Sample(self.rounds), samples, outcomes, exact)


def _outcomes(ends: Counter[End], made: Fraction, exact: WagerAnalysis | None) -> tuple[SimulatedOutcome, ...]:
    known = {(o.line, o.pays, o.net): o.probability for o in exact.outcomes} if exact else {}
    known = {end: chance for end, chance in known.items() if end[1] != ON_AVERAGE}
    whole = exact is not None and len(known) == len(exact.outcomes)
    others = sorted(end for end in ends if end not in known)
    return tuple(
        SimulatedOutcome(
            *end,
            count=ends[end],
            share=ends[end] / made,
            expected=known.get(end, ZERO) * made if whole or end in known else None,
        )
        for end in (*known, *others)
    )


class Decided(NamedTuple):
    """A wager that was made and settled: what was placed on its first opening spot, and every settlement."""

    placed: tuple[Fraction, ...]
    settled: tuple[Settlement, ...]


@lru_cache(maxsize=10_000)
def _result(
    unit: Fraction, settled: tuple[Settlement, ...], main_spots: frozenset[str]
) -> tuple[Fraction, tuple[End, ...]]:
    """What a seat won on a wager, and how that ended, in the words of an analysis."""
    net = sum((net_result(s) for s in settled), ZERO) / unit
    ends = [(s.line, pays(s), net_result(s) / unit) for s in settled]
    if main_spots and ends:
        main = decisive(settled, main_spots)
        ends = [(main.line, f"{'+' if net > 0 else ''}{net}", net)]
    return net, tuple(ends)


Chunk = tuple[Mapping[str, Tally], int]
"""What was counted, and in how many rounds."""


def _chunks(plan: Plan, workers: int) -> Iterator[Chunk]:
    """Every chunk in turn, whoever plays it."""
    numbers = range(-(-plan.rounds // CHUNK))
    if workers == 1:
        yield from map(partial(play_chunk, plan), numbers)
        return
    rules = (plan.game.folder, plan.game.round_class.__module__)
    with ProcessPoolExecutor(workers, get_context("spawn"), _learn, rules) as pool:
        yield from in_turn(pool, partial(play_chunk, plan), numbers, 2 * workers)


def _learn(folder: Path, module: str) -> None:
    """A new process cannot import the rules of a game outside the package: it loads them from its folder."""
    load_folder(folder, None if is_outside(module) else module)


def play_chunk(plan: Plan, chunk: int) -> Chunk:
    """The rounds of one chunk, through the contract."""
    chance = Shuffled(Random(f"{plan.seed}/{chunk}"), plan.game.fresh())
    start = plan.game.start(range(1, plan.seats + 1 + bool(plan.company)), tracked=False)
    players: dict[Seat, Player] = dict.fromkeys(start.seats, plan.policy)
    if plan.company:
        players[start.seats[-1]] = Habit(plan.company)
    tallies, played, known = plan.tallies(), 0, KnownRounds()
    courses: Counter[tuple[tuple[tuple[Seat, str], tuple[Decided, ...]], ...]] = Counter()
    while played < min(CHUNK, plan.rounds - chunk * CHUNK):
        decided, rounds = _course(start, chance, players, known)
        courses[tuple([(made, tuple(wagers)) for made, wagers in decided.items()])] += 1
        played += rounds
    for course, times in courses.items():
        for name, tally in tallies.items():
            made = {seat: wagers for (seat, wager), wagers in course if wager == name and seat <= plan.seats}
            tally.count(made, times)
    return tallies, played


def _course(
    round: Round, chance: Shuffled, players: Mapping[Seat, Player], known: KnownRounds
) -> tuple[Mapping[tuple[Seat, str], Sequence[Decided]], int]:
    """Every wager of a round, and of those that follow it until all that stays up is decided; and how many they are."""
    game, seats = game_of(round), round.seats
    self_service = any(wager.self_service for wager in game.wagers.values())
    placed: dict[tuple[Seat, str], list[Fraction]] = defaultdict(list)
    settled: dict[tuple[Seat, str], list[Settlement]] = defaultdict(list)
    decided: dict[tuple[Seat, str], list[Decided]] = defaultdict(list)
    waiting: set[tuple[Seat, str]] = set()  # on self-service spots, for the roll
    for rounds in range(1, LONGEST + 1):
        for _, answer, after in walk(round, chance, players, known.after):
            if self_service and isinstance(answer, Close):
                waiting = {place for place in round.wagers if game.wager_of(place[1]).self_service}
            elif self_service and isinstance(answer, TakeUp):
                _check_decided(round, waiting & {(answer.seat, answer.spot)})
            if isinstance(answer, Place | Decide) and (staked := round.staked(answer)):
                seat, spot, amount = staked
                wager = game.bet_of(spot)
                if spot == next(iter(wager.opens)):
                    placed[seat, wager.name].append(amount)
            for effect in after.effects:
                if isinstance(effect, Settlement):
                    settled[effect.seat, game.bet_of(effect.spot).name].append(effect)
                    waiting.discard((effect.seat, effect.spot))
            round = after
        _check_decided(round, waiting & round.wagers.keys())
        chance.gather()
        left_up = {(seat, wager.name) for seat, wager in undecided(round)}
        for made in [made for made in placed if made not in left_up]:
            decided[made].append(Decided(tuple(placed.pop(made)), tuple(settled.pop(made, ()))))
        if not left_up:
            return decided, rounds
        round = game.start(seats, carry=round.carry, tracked=False)
    raise FaultyRules(f"{game.title} leaves a wager up that is not decided in {LONGEST:,} rounds.")


def _check_decided(round: Round, waiting: Iterable[tuple[Seat, str]]) -> None:
    """What its owner takes back from a self-service spot was decided: each wager that is made has an outcome."""
    for seat, spot in waiting:
        raise FaultyRules(
            f"In {game_of(round).title} {round.left_undecided(seat, spot)}; push a self-service wager that a roll does"
            " not decide."
        )


def _by_table(
    bettors: tuple[Bettor, ...],
    stakes: Mapping[str, Fraction],
    rounds: int | None,
    rolls: int | None,
    seed: int,
    exact: Mapping[str, WagerAnalysis],
    workers: int,
    progress: Progress | None,
) -> Simulation:
    from feltworks.lab.dice_kernel import Kernel  # with Numba, which nothing else needs

    game, dice = bettors[0].game, table_of(bettors)
    visits = Kernel(dice).count(
        rounds or rolls or 0, by_rounds=rolls is None, seed=seed, workers=workers, progress=progress
    )
    simulated: dict[str, WagerSimulation] = {}
    for number, bettor in enumerate(bettors):
        happened, courses = dice.happened(number, visits)
        for wager in (game.wager(name) for name in bettor.stakes):
            check_ends(wager, happened, game, bettor.rules.left_undecided)
            totals = bettor.totals(wager, happened, courses)
            if totals.made:
                analysis = exact.get(wager.name)
                # Outcomes are compared where both are counted settlement by settlement.
                alike = analysis and (len(wager.spots) == 1 or _is_endless(analysis))
                outcomes = _outcomes(bettor.ends(wager, happened), totals.made, analysis if alike else None)
                simulated[wager.name] = WagerSimulation(wager, totals, {ME: totals}, outcomes, analysis)
    length = _length(bettors[0], *dice.happened(0, visits))
    wagers = {name: simulated[name] for name in game.bets if name in simulated}
    return Simulation(game, stakes, length.rounds, 1, seed, wagers, length)


def _length(bettor: Bettor, happened: Mapping[Event, int], courses: int) -> Length:
    exact = bettor.mean(lambda event: Fraction(event.rolls)) / bettor.mean(lambda event: Fraction(event.rounds))
    rolls = sum(count * event.rolls for event, count in happened.items())
    rounds = sum(count * event.rounds for event, count in happened.items())
    variance = bettor.square(lambda event: event.rolls - exact * event.rounds)
    z = float(rolls - exact * rounds) / sqrt(variance * courses) if variance else None
    return Length(rolls, rounds, exact, z)


# By the kernel of a game that counts its own deals.


def _by_enumerator(
    game: Game,
    rounds: int,
    seed: int,
    stakes: Mapping[str, Fraction],
    exact: Mapping[str, WagerAnalysis],
    workers: int,
    progress: Progress | None,
) -> Simulation:
    """Rounds of one seat by the compiled kernel of the game."""
    ends = enumerator_of(game).simulate(game, rounds, seed, workers, progress)
    for name in stakes:
        check_sum(game, game.wager(name), Fraction(sum(ends[name].values()), rounds))
    wagers = {name: _ended(game.wager(name), ends[name], rounds, exact[name]) for name in stakes}
    return Simulation(game, stakes, rounds, 1, seed, wagers)


def _ended(wager: Wager, ends: Ends, rounds: int, exact: WagerAnalysis) -> WagerSimulation:
    net = sum((count * net for (_, _, net), count in ends.items()), ZERO)
    totals = Totals(rounds, net, Fraction(rounds), exact.variance, ZERO, ZERO)
    outcomes = _outcomes(Counter(ends), totals.made, exact)
    return WagerSimulation(wager, totals, {ME: totals}, outcomes, exact)
