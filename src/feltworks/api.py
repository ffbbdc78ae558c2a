"""Feltworks from Python: load a game, analyse it, ask for advice, certify its printed figures, simulate it.

Every `felt` command is a thin layer over these functions. Each loads the part of the laboratory that it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from feltworks import games
from feltworks.kit.errors import BadValue

if TYPE_CHECKING:
    from feltworks.kit.advice import Advice
    from feltworks.kit.chart import Chart, Plot
    from feltworks.kit.enumerator import Dealing, Progress
    from feltworks.kit.game import Game
    from feltworks.kit.walk import Player
    from feltworks.lab.analysis import Analysis
    from feltworks.lab.betting_plan import Plan
    from feltworks.lab.card_counting.counting import Counting
    from feltworks.lab.certify import Certificates
    from feltworks.lab.check import Report
    from feltworks.lab.reading_effects import Effect
    from feltworks.lab.shoe_simulation import ShoePlay
    from feltworks.lab.simulation_result import Simulation

Number = Fraction | int | float | str


def load(
    name: str,
    *,
    version: str | None = None,
    decks: int | None = None,
    readings: Mapping[str, str] | None = None,
    pay: Mapping[str, str] | None = None,
    folders: Iterable[Path | str] = (),
) -> Game:
    """A game by name, with another version, number of decks, readings or pay tables if they are given."""
    return games.load(name, folders).configured(version=version, decks=decks, readings=readings, pay=pay)


def names(folders: Iterable[Path | str] = ()) -> list[str]:
    """The names of all games that can be loaded."""
    return games.names(folders)


def analyze(
    game: Game | str,
    *,
    wager: str | None = None,
    stakes: Mapping[str, Number] | None = None,
    details: bool = False,
    progress: Progress | None = None,
    however_long: bool = False,
) -> Analysis:
    """The exact analysis of every wager of a game, or of one; with details that some games can tell besides. While
    rules are walked, progress is told how many states are done, of about how many. Hands that take hours to be compared
    are compared only if somebody waits however long it takes."""
    from feltworks.lab import analysis, patience

    with patience.however_long(however_long):
        return analysis.analyze(_game(game), wager=wager, stakes=_exact(stakes), details=details, progress=progress)


def chart(game: Game | str) -> Chart:
    """The strategy of a game as a chart, to be shown or drawn."""
    from feltworks.lab import charts

    return charts.chart(_game(game))


def plot(game: Game | str) -> Plot:
    """What a game's jackpot wager gives back, against the meter."""
    from feltworks.lab import charts

    return charts.plot(_game(game))


def plan(game: Game | str, *, stakes: Mapping[str, Number] | None = None, pace: Number | None = None) -> Plan:
    """What these stakes together win on dice by roll, by game and by hour, and how long a game lasts."""
    from feltworks.lab import betting_plan

    return betting_plan.plan(
        _game(game), _exact(stakes), _fraction("the pace", betting_plan.PACE if pace is None else pace)
    )


def effects(game: Game | str, *, wager: str | None = None) -> list[Effect]:
    """What every other value of every reading does to the edges of a game."""
    from feltworks.lab import reading_effects

    return list(reading_effects.effects(_game(game), wager))


def advise(game: Game | str, cards: str, *, stakes: Mapping[str, Number] | None = None, **given: str) -> Advice:
    """What each option is worth with these cards: `advise("one-for-the-money", "Jd", traded="4c")`."""
    from feltworks.lab import advice

    return advice.advise(_game(game), cards, stakes=_exact(stakes), **given)


def certify(*chosen: Game | str, folders: Iterable[Path | str] = (), recount: bool = False) -> Certificates:
    """Every printed figure of these games, or of all, against the exact one; to recount is to use no result that ships
    or was kept."""
    from feltworks.lab import certify

    wanted = [_game(game) for game in chosen] or [games.load(name, folders) for name in games.names(folders)]
    return certify.Certificates(tuple(certify.certify(wanted, recount=recount)))


def check(game: Game | str, *, folders: Iterable[Path | str] = ()) -> Report:
    """Play a game in every way that there is time for, and tell what is wrong with it. A game that cannot be loaded has
    its mistakes told in the same way, if it is given by name."""
    from feltworks.lab import check

    if not isinstance(game, str):
        return check.check(game)
    return check.check_folder(*games.place(game, folders))


def simulate(
    game: Game | str,
    *,
    rounds: int | None = None,
    rolls: int | None = None,
    seats: int = 1,
    seed: int = 0,
    stakes: Mapping[str, Number] | None = None,
    policy: Player | str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """So many rounds, or rolls of a dice game, by the best strategy or by a policy, beside the exact figures. A policy
    is a player, or a name: best, first, or a file with a function. The best one is found however long that takes where
    it is asked for by its name."""
    from feltworks.lab import patience, simulation

    with patience.however_long(policy == "best"):
        return simulation.simulate(
            _game(game),
            rounds=rounds,
            rolls=rolls,
            seats=seats,
            seed=seed,
            stakes=_exact(stakes),
            policy=policy,
            workers=workers,
            progress=progress,
        )


def play_shoes(
    game: Game | str,
    dealing: Dealing,
    *,
    rounds: int,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ShoePlay:
    """Whole shoes of blackjack, with any number of seats that play by one strategy."""
    from feltworks.lab import shoe_simulation

    return shoe_simulation.play_shoes(_game(game), dealing, rounds, seed=seed, workers=workers, progress=progress)


def counting(
    game: Game | str,
    *,
    wager: str | None = None,
    pay: Mapping[str, str] | None = None,
    stakes: Mapping[str, Number] | None = None,
    penetration: Number | None = None,
    cards: int | None = None,
    samples: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Counting:
    """How far the bonus wagers of a game can be counted from a shoe, over so many sampled shoes."""
    from feltworks.lab.card_counting import counting

    return counting.counting(
        _game(game),
        wager=wager,
        pay=pay,
        stakes=_exact(stakes),
        penetration=None if penetration is None else _fraction("the penetration", str(penetration)),
        cards=counting.CARDS if cards is None else cards,
        shoes=counting.SHOES if samples is None else samples,
        seed=seed,
        progress=progress,
    )


def _game(game: Game | str) -> Game:
    return load(game) if isinstance(game, str) else game


def _exact(stakes: Mapping[str, Number] | None) -> dict[str, Fraction] | None:
    return None if stakes is None else {name: _fraction(name, units) for name, units in stakes.items()}


def _fraction(name: str, units: Number) -> Fraction:
    try:
        return Fraction(units)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise BadValue(f"{units!r} is not a number of units for {name}; write 1, 2.5 or 1/2.") from None
