"""A dice table for the tests: wagers put down, the cup handed over, dice that show what the test says."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from feltworks.games import load
from feltworks.kit.cards import Seat
from feltworks.kit.game import Game, game_of
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    Bet,
    Call,
    Choose,
    Close,
    Decide,
    Move,
    Place,
    Role,
    Roll,
    Settlement,
    Stake,
)

S1, S2, S3, S4, S5, S6 = map(Seat, range(1, 7))
WASHINGTON = load("yo")
RACK_CARD = WASHINGTON.configured(version="rack-card")
POINTS = (4, 5, 6, 8, 9, 10)
ARC = ("high", "low", "pairs", "eleven", "craps")

PLAY = {S1: {"play": 10}}
BOTH_VERSIONS = pytest.mark.parametrize("game", [WASHINGTON, RACK_CARD], ids=["washington", "rack-card"])
RETURNED, STAYS, TAKEN = Stake.RETURNED, Stake.STAYS, Stake.TAKEN

Bets = Mapping[str, int | Fraction]
Dice = tuple[int, int, int, int]

_UNEQUAL = {3: (1, 2), 4: (1, 3), 5: (2, 3), 6: (2, 4), 7: (3, 4), 8: (3, 5), 9: (4, 5), 10: (4, 6), 11: (5, 6)}


def reading(**readings: str) -> Game:
    """The approved version with other readings."""
    return WASHINGTON.configured(readings=readings)


def everybody(*seats: Seat, **bets: int) -> dict[Seat, dict[str, int]]:
    """Play of 10 for each of these seats, and other wagers."""
    return {seat: {"play": 10, **bets} for seat in seats}


def dice(total: int, *, yo: bool = False, pair: bool = False) -> Dice:
    """Game dice with this sum, of unequal faces unless a pair is wanted or needed; the bonus dice show 11 or 4."""
    first, second = (total // 2, total // 2) if pair or total in (2, 12) else _UNEQUAL[total]
    return (first, second, 5, 6) if yo else (first, second, 1, 3)


def start(game: Game, *seats: int, carry: Mapping[str, Any] | None = None) -> Round:
    return game.start(seats or (1,), carry=carry)


def bet(round: Round, bets: Mapping[Seat, Bets]) -> Round:
    for seat, spots in bets.items():
        for spot, amount in spots.items():
            round = round.after(Place(seat, spot, Fraction(amount)))
    return round


def closed(round: Round, bets: Mapping[Seat, Bets] | None = None) -> Round:
    """These wagers are made, and the betting is closed."""
    return bet(round, bets or {}).after(Close())


def out(round: Round) -> Round:
    """The betting is closed if it is open, whoever has the cup takes the roll, and the dice are out."""
    if isinstance(round.next, Bet):
        round = round.after(Close())
    while isinstance(round.next, Choose) and not isinstance(round.next.who, Role):
        (seat,) = round.next.who
        round = round.after(Decide(seat, "roll"))
    assert isinstance(round.next, Roll)
    return round


def roll(round: Round, total: int, *, yo: bool = False, pair: bool = False) -> Round:
    return out(round).after(dice(total, yo=yo, pair=pair))


def with_point(game: Game, point: int, bets: Mapping[Seat, Bets], *later: Seat) -> Round:
    """The betting right after the roll that set the point, for those who bet before it and who came later."""
    return roll(bet(game.start([*bets, *later]), bets), point)


def over_with(round: Round, *totals: int) -> Round:
    for total in totals:
        round = roll(round, total)
    assert round.over
    return round


def next_game(round: Round, *seats: int) -> Round:
    """The game after one that is over, at the same seats or at others."""
    assert round.over
    return game_of(round).start(seats or round.seats, carry=round.carry)


# What happened.


def settlements(round: Round) -> list[Settlement]:
    return [effect for effect in round.effects if isinstance(effect, Settlement)]


def nets(round: Round) -> dict[str, Fraction]:
    """What each wager that the last answer decided has won or lost, by its spot: of the only seat that had any."""
    decided = settlements(round)
    assert len({s.seat for s in decided}) <= 1
    return {s.spot: s.net() for s in decided}


def fate(round: Round, spot: str) -> tuple[Fraction, Stake] | None:
    """What the last roll did to the only wager on a spot: its net result and what became of the stake."""
    found = [(s.net(), s.stake) for s in settlements(round) if s.spot == spot]
    assert len(found) <= 1
    return found[0] if found else None


def won(net: int | str, stake: Stake = RETURNED) -> tuple[Fraction, Stake]:
    return Fraction(net), stake


def lost(amount: int) -> tuple[Fraction, Stake]:
    return Fraction(-amount), TAKEN


def lying(round: Round, spot: str) -> tuple[Any, Any]:
    """What seat 1 has on a spot: its wager, and what that has won."""
    return round.stake(S1, spot), round.winnings.get((S1, spot))


def calls(round: Round) -> list[str]:
    return [effect.text for effect in round.effects if isinstance(effect, Call)]


def moves(round: Round) -> list[tuple[Any, str]]:
    return [(effect.what, effect.to) for effect in round.effects if isinstance(effect, Move)]


def sent_out(to: str) -> list[tuple[str, str]]:
    """The moves with which the dice are sent out to whoever rolls them (Y-33)."""
    stacked = [("hands", "cleared"), ("dice", "stacked, all four"), ("dice", "cup"), ("hands", "cleared")]
    return [*stacked, ("cup", to)]


def asked(round: Round) -> tuple[Seat | Role, list[str]]:
    """Who is asked, and between what."""
    assert isinstance(round.next, Choose)
    who, options = round.next.who, [option.name for option in round.next.options]
    if isinstance(who, Role):
        return who, options
    (seat,) = who
    return seat, options
