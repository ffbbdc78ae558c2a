"""What the laboratory says of a game, where it can say it quickly: which lines come up, what does not add up, and
whether a strategy knows every decision that a table comes to."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from feltworks.kit.cards import Seat
from feltworks.kit.chance import Shuffled
from feltworks.kit.errors import BadDefinition, BadValue, FaultyRules, FeltworksError, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.rule_faults import place_of
from feltworks.kit.showdown import ENGINE
from feltworks.kit.steps import Bet, Choose, Collect, Decide, Place, TakeUp
from feltworks.kit.time_limit import OutOfTime, TimeLimit
from feltworks.kit.walk import walk
from feltworks.lab.analysis import not_counted
from feltworks.lab.check.findings import Finding, Findings
from feltworks.lab.check.scenarios import alone
from feltworks.lab.check.seen import watching_lines
from feltworks.lab.graph import TELL
from feltworks.lab.stakes import Stakes, checked_stakes
from feltworks.lab.strategy import Strategy
from feltworks.lab.walking_analyzer import WalkingAnalyzer

MOST_STATES = 12_000
"""So many states of a game are walked for a check, of all its wagers together."""
LOOKED_UP = 60
"""In so many rounds every decision is looked up in a strategy."""


def solved(
    game: Game, seconds: float, asked: set[tuple[str, str]], findings: Findings, refused: dict[str, None]
) -> set[str]:
    """Solve each wager of each version, as far as that is done in so much time, and note which pay lines are asked for.
    Gives what the pay tables are of that could have been asked for no other line. What the laboratory finds wrong is
    told: chances that do not sum to one, ranks that are not alike; and what is `refused` as too large."""
    exact: set[str] = set()
    left: set[str] = set()
    budget = _Budget()
    try:
        with TimeLimit(seconds):
            for version in game.definition.versions:
                played = watching_lines(game.configured(version=version), asked)
                for name, wager in played.wagers.items():
                    left |= {name, *wager.spots}
                    if _solved(played, name, budget, findings, refused):
                        exact |= {name, *wager.spots}
                        left -= {name, *wager.spots}
    except OutOfTime:
        pass
    return exact - left


class _Budget:
    """How many states may still be walked: it is told as the progress of each walk."""

    def __init__(self) -> None:
        self._left = MOST_STATES
        self.stopped = False
        """Whether the last walk was given up for a check, and not refused by the laboratory."""

    def __call__(self, done: int, about: int) -> None:
        self._left -= TELL
        self.stopped = about - done > self._left
        if self.stopped:
            raise TooLarge(f"{about} states")


def refused_by_hands(game: Game, seconds: float) -> Iterator[str]:
    """Why wagers of a game that declares its hands cannot be solved by them."""
    if game.enumerator != ENGINE:
        return
    from feltworks.lab.showdown import bears_on_strategy, engine  # with Numba, which the walk does without

    said: dict[str, None] = {}
    with suppress(OutOfTime), TimeLimit(seconds):
        for version in game.definition.versions:
            played = game.configured(version=version)
            if reason := not_counted(played):
                said[f"{game.title} is not solved by its hands, but walked state by state: {reason}"] = None
                continue
            for name, wager in played.wagers.items():
                try:
                    if wager.required:
                        _ = engine.solved(played).seconds
                    elif not (name in played.bonuses and played.bonuses[name].early):
                        bears_on_strategy(played, name)
                except FeltworksError as error:
                    said[f"{game.title} cannot be solved: {error}"] = None
    yield from said


def _solved(game: Game, name: str, progress: _Budget, findings: Findings, refused: dict[str, None]) -> bool:
    """Solve a wager, and say whether that was along every course of choices."""
    try:
        every = checked_stakes(game, alone(game, name))
        try:
            _analysed(game, name, every, progress, findings)
            return True
        except TooLarge:  # then along the best choices of the required wagers alone
            progress.stopped = False
            _analysed(game, name, checked_stakes(game, None), progress, findings)
    except (FaultyRules, BadDefinition) as fault:
        _tell(game, name, fault, findings)
    except TooLarge as error:
        if not progress.stopped:
            refused[f"{game.title} cannot be solved: {error}"] = None
    except FeltworksError:
        pass  # too large for that too, or what it needs is told elsewhere
    except Exception as error:
        findings.mistake(error, game)
    return False


def _analysed(game: Game, name: str, stakes: Stakes, progress: _Budget, findings: Findings) -> None:
    """Solve a wager, and look up what is best at every decision of a few rounds, as seats at a table do."""
    analyzer = WalkingAnalyzer(game, stakes, progress=progress)
    analyzer.wager(name)
    if not stakes or not analyzer.strategy.advice:
        return
    chance = Shuffled(Random(0), game.fresh())
    seats = range(1, min(2, game.definition.seats) + 1)
    looking = _LookingUp(analyzer.strategy, Random(0))
    for _ in range(LOOKED_UP):
        try:
            for _ in walk(game.start(seats, tracked=False), chance, dict.fromkeys(map(Seat, seats), looking)):
                pass
        except _NotKnown as unknown:
            findings.add(_not_known(game, str(unknown)))
            return
        chance.gather()


class _NotKnown(Exception):
    """A decision of which a strategy knows nothing."""


@dataclass(frozen=True)
class _LookingUp:
    """Looks every decision up, and then takes any option, so that all courses come up."""

    strategy: Strategy
    random: Random

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterable[Place | TakeUp | Collect]:
        return self.strategy.bets(round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        if not choose.neutral:
            try:
                self.strategy.option(round.info(seat))
            except BadValue as error:
                raise _NotKnown(str(error)) from error
        return Decide(seat, self.random.choice(choose.options).name)


def _not_known(game: Game, said: str) -> Finding:
    """The key of the solver and what a seat knows are made otherwise: by an `info` of the game's own."""
    own = game.round_class
    rule = own.info if own.info is not Round.info else own.alike_cards
    told = f"A strategy of {game.title} is not found again at a table: {said.rstrip('.')}; let `info` tell equal"
    return Finding("info", f"{told} situations in equal words.", place_of(rule))


def _tell(game: Game, name: str, fault: FeltworksError, findings: Findings) -> None:
    said = str(fault)
    if isinstance(fault, FaultyRules) and fault.place:
        findings.fault(fault)
    elif "correct `alike`" in said:
        findings.entry("alike", game, ["wagers", name, "alike"], said)
    elif "sum to" in said or "probability of" in said:
        findings.entry("probabilities", game, ["wagers", name], said)
    else:
        kind = "endless" if "never" in said or "for ever" in said else "fails"
        findings.add(Finding(kind, said, f"{game.folder / 'rules.py'}:1"))
