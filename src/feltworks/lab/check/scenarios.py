"""What is played in a check: every version, wagers alone and together, one seat and several, the readings besides."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit.game import Game
from feltworks.lab.check.seen import watching_lines

Stakes = Mapping[str, Fraction]
UNIT = Fraction(2)
"""Whole, and so is half of it."""


@dataclass(frozen=True)
class Scenario:
    """Who bets what at which version of a game."""

    game: Game
    stakes: Mapping[int, Stakes]
    """By seat."""
    empty: int = 0
    """So many seats more are at the table, without a wager."""
    reading: str = ""

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(1, max(self.stakes) + self.empty + 1))

    @property
    def wagers(self) -> frozenset[str]:
        return frozenset(name for stakes in self.stakes.values() for name in stakes)

    @property
    def told(self) -> str:
        seats = " and ".join(f"{', '.join(stakes)} at seat {seat}" for seat, stakes in [*self.stakes.items()][:2])
        more = f" and so on up to seat {max(self.stakes)}" if len(self.stakes) > 2 else ""
        return ", ".join(filter(None, [self.game.version_name, self.reading, seats + more]))


def scenarios(game: Game, asked: set[tuple[str, str]]) -> Iterator[Scenario]:
    """Every version first; then what differs in other readings and pay tables. It is noted which pay lines are asked
    for."""
    for version in game.definition.versions:
        yield from _of_version(game.configured(version=version))
    for version in game.definition.versions:
        yield from _otherwise(game.configured(version=version), asked)


def _of_version(game: Game) -> Iterator[Scenario]:
    most = game.definition.seats
    all_of_them = [*_together(game)]
    for stakes in [*(alone(game, name) for name in game.wagers), *all_of_them]:
        beside = {} if all(_plays(game, stakes)) else {2: required(game)}
        yield Scenario(game, {1: units(stakes, 1), **beside}, int(most > 2))
    for stakes in all_of_them if most > 1 else ():
        yield Scenario(game, {1: units(stakes, 1), 2: units(stakes, 2)}, int(most > 2))
        yield Scenario(game, {1: units(required(game) or stakes, 1), 2: units(stakes, 2)})
        yield Scenario(game, {2: units(stakes, 2)})
        if most > 2:
            yield Scenario(game, {seat: units(stakes, seat) for seat in range(1, most + 1)})


def _otherwise(game: Game, asked: set[tuple[str, str]]) -> Iterator[Scenario]:
    """The same with another value of each reading, or another pay table with other lines."""
    for name, reading in game.definition.readings.items():
        for value in reading.values:
            if value != game.reading(name):
                other = game.configured(readings={name: value})
                for stakes in _together(other):
                    seats = (1, 2) if other.definition.seats > 1 else (1,)
                    yield Scenario(other, {s: units(stakes, s) for s in seats}, reading=f"{name}={value}")
    for spot, table in game.pay.items():
        for other_name, listed in game.definition.tables(spot).items():
            if game.offers(spot) and listed.names != table.names:
                other = watching_lines(game.configured(pay={spot: other_name}), asked)
                for stakes in _together(other):
                    yield Scenario(other, {1: units(stakes, 1)}, reading=f"pay table {other_name} of {spot}")


def required(game: Game) -> Stakes:
    return {name: Fraction(1) for name, wager in game.wagers.items() if wager.required}


def alone(game: Game, name: str) -> Stakes:
    """A wager with no more than what it needs."""
    wager = game.wager(name)
    names = [n for n in required(game) if n not in wager.instead]
    needed = [name]
    while needed:
        next_one = needed.pop()
        if next_one not in names:
            names.append(next_one)
            needed += [n for n in game.wager(next_one).needs if n in game.wagers and n not in wager.instead]
    return dict.fromkeys(names, Fraction(1))


def _together(game: Game) -> Iterator[Stakes]:
    """All wagers at once; those that are made instead of others, each in their place."""
    usual = [name for name, wager in game.wagers.items() if not wager.instead]
    yield dict.fromkeys(usual, Fraction(1))
    for name, wager in game.wagers.items():
        if wager.instead:
            yield dict.fromkeys([*(n for n in usual if n not in wager.instead), name], Fraction(1))


def _plays(game: Game, stakes: Stakes) -> Iterator[bool]:
    """Whether each required wager is among these."""
    return (name in stakes for name in required(game))


def units(stakes: Stakes, seat: int) -> Stakes:
    """Another amount at each seat, so that a settlement of the wrong seat is seen."""
    return {name: UNIT * share * seat for name, share in stakes.items()}
