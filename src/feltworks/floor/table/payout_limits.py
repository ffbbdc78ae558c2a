"""Aggregate payout limits (F-09): the most that a table pays in one round for all winning wagers of one pay table.

A limit is for a pay table whose pays are odds, not shares of a jackpot or fixed amounts. What one event settles shares
what is left of the limit in proportion to what the odds would have paid, in whole cents, or in whole chips where the
house rounds to them. What is over then goes one by one to the largest remainders, the first settled first. What an
earlier event of the round has paid stays paid, and counts. The wager itself goes back as always.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from feltworks.floor.accounts import Cents
from feltworks.floor.statutory_limits import dollars
from feltworks.floor.table.events import Settled
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.game import Game
from feltworks.kit.odds import Odds

HIGH_ODDS = 50
"""Odds to 1 from which there may be a limit, and as far as they count for the least that it may be."""


def cut_to_limits(
    decided: Sequence[Settled], settings: TableSettings, game: Game, paid: Mapping[str, Cents]
) -> list[Settled]:
    """What is booked of the settlements that one event makes; `paid` is what the round has paid before, by spot."""
    booked = list(decided)
    for name, limit in sorted((settings.payout_limits or {}).items()):
        spots = spots_of(game, name)
        concerned = [n for n, settled in enumerate(booked) if settled.spot in spots and settled.paid]
        left = max(0, limit - sum(paid.get(spot, 0) for spot in spots))
        wins = [booked[n].paid for n in concerned]
        if sum(wins) <= left:
            continue
        unit = 1 if settings.rounding == "cent" else settings.chip
        for n, cents in zip(concerned, in_proportion(wins, left, unit), strict=True):
            said = f"{booked[n].pays}, cut by the payout limit of {dollars(limit)} a round"
            booked[n] = msgspec.structs.replace(booked[n], paid=cents, pays=said)
    return booked


def in_proportion(wins: Sequence[Cents], left: Cents, unit: Cents) -> list[Cents]:
    """So much of what is left for each win, in whole units; together that is all whole units that are left."""
    units, total = left // unit, sum(wins)
    exact = [Fraction(win * units, total) for win in wins]
    shares = [int(part) for part in exact]
    by_remainder = sorted(range(len(wins)), key=lambda n: shares[n] - exact[n])
    for n in by_remainder[: units - sum(shares)]:
        shares[n] += 1
    return [share * unit for share in shares]


def spots_of(game: Game, name: str) -> tuple[str, ...]:
    """The spots that a pay table pays, which is named for one of them or for a whole wager."""
    return (name,) if game.has_spot(name) else tuple(game.wager(name).spots)


def highest_odds(game: Game, name: str) -> Fraction | None:
    """The highest odds to 1 of a pay table; nothing where it pays anything else than odds."""
    pays = [line.pay for line in game.pay_table(name)]
    odds = [pay.net for pay in pays if isinstance(pay, Odds)]
    return max(odds) if odds and len(odds) == len(pays) else None


def least_limit(settings: TableSettings, game: Game, name: str) -> Cents | None:
    """The least that a payout limit may be; nothing where there may be none."""
    odds, limits = highest_odds(game, name), settings.limits.get(spots_of(game, name)[0])
    if odds is None or odds < HIGH_ODDS or limits is None:
        return None
    return limits.most * HIGH_ODDS
