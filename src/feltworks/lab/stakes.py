"""What is staked: by a seat whose wagers are analysed, and by another seat that keeps the round going beside it."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.lab.card_classes import classes_for

ONE = Fraction(1)
Stakes = dict[str, Fraction]
"""Units by wager; of a wager that is made on any of its spots, by spot."""


def checked_stakes(game: Game, stakes: Mapping[str, Fraction] | None) -> Stakes:
    """One unit of every required wager, unless the stakes say otherwise. Where none is required, nothing but what they
    say."""
    given: Stakes = {}
    for name, units in (stakes or {}).items():
        bet = game.bet(name).name
        if units < 0:
            raise BadValue(f"A stake of {units} on {name} is not allowed; give 0 or more units.")
        if bet in given:
            raise BadValue(f"{name} means {bet}, which has a stake already; give it one.")
        given[bet] = Fraction(units)
    wanted: Stakes = {}
    for name, wager in game.wagers.items():
        if not wager.required:
            continue
        bets = {bet: units for bet, units in given.items() if bet in (wager.spots if wager.any_spot else (name,))}
        other = next((o for o, units in given.items() if units and name in game.wager(o).instead), None)
        if other and any(bets.values()):
            raise BadValue(f"{other} is made instead of {name}; give a stake to one of them.")
        if bets and not any(bets.values()) and not other:
            raise BadValue(f"{name} is required to play, so its stake must be above 0.")
        wanted |= bets or ({} if other else {game.bet(name).name: ONE})
    return {name: units for name, units in {**wanted, **given}.items() if units}


def has_required(game: Game) -> bool:
    """Whether every seat makes the same wagers; otherwise each wager is analysed alone."""
    return any(wager.required for wager in game.wagers.values())


def alone(game: Game, name: str) -> Stakes:
    """One unit of a wager, and of what it needs."""
    bet = game.bet(name)
    needed = {other: units for needed in bet.needs for other, units in alone(game, needed).items()}
    return {**needed, bet.name: ONE}


def company(game: Game, beside: Iterable[str] = ()) -> Stakes:
    """What another seat stakes, with which rounds are played whatever the seat beside it does: the required wagers, or
    the first of those with which one comes in; rather one that tells no more cards apart than what it is beside."""
    wagers = game.wagers.values()
    names = [wager.name for wager in wagers if wager.required]
    if not names:
        coming_in = [wager.name for wager in wagers if wager.one_of]
        told = classes_for(game, made) if (made := [*beside]) else None
        plain = [name for name in coming_in if told is None or classes_for(game, [*made, name]) == told]
        names = (plain or coming_in)[:1]
    return {game.bet(name).name: ONE for name in names}
