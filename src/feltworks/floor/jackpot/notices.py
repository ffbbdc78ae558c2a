"""What is posted at a table about its jackpot (F-04, F-24, D-19): it follows from how the jackpot is set, so that none of
it is forgotten, and a house adds notices of its own."""

from collections.abc import Iterator
from fractions import Fraction

from feltworks.floor.accounts import money
from feltworks.floor.jackpot.meter import Meter
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.game import Game


def notices(settings: TableSettings, game: Game, meter: Meter | None) -> list[str]:
    """At a table without a jackpot there are none."""
    if not game.jackpots:
        return []
    if settings.prize is not None:
        return list(_of_house_jackpot(settings.prize))
    return [] if meter is None else list(_of_progressive(game, meter))


def _of_house_jackpot(prize: int) -> Iterator[str]:
    """WAC 230-15-671 (1)(b)."""
    yield f"House jackpot: a fixed prize of ${money(prize)}. It does not grow; each winner is paid of the whole of it."
    yield "The prize is the house's until it is won, and no money of players is in it."
    yield "The house jackpot may be removed without prior notice."


def _of_progressive(game: Game, meter: Meter) -> Iterator[str]:
    """WAC 230-15-685: the amount, the maximum, and how it grows."""
    terms, shares = meter.terms, meter.terms.shares
    seed, maximum = money(terms.seed), money(terms.maximum)
    yield f"{terms.name}: a progressive jackpot. Its maximum is ${maximum}; it begins with ${seed}."
    yield (
        f"Of each wager of ${money(meter.wager)}, {percent(shares.meter)} goes to the jackpot, and"
        f" {percent(shares.reserve)} to the reserve for the next one. What would lift the jackpot above its maximum goes to the reserve."
    )
    first = game.readings.get("award_sequence") != "largest_first"
    order = "in the order in which seats are settled" if first else "the largest percentage first"
    standing = game.readings.get("award_base") != "before_round"
    base = "as it then stands" if standing else "as it was when the spots of the round were sensed"
    yield f"Several percentages of one round are all paid, {order}, each of the jackpot {base}."
    yield "Percentages are entered by the dealer and confirmed by the supervisor before they are paid."
    if len(meter.tables) > 1:
        yield f"{len(meter.tables)} tables share this jackpot; the win that is confirmed first is paid first."
    yield from terms.notices


def percent(share: Fraction) -> str:
    """Exactly: a share of a seventh is no decimal."""
    parts = share * 100
    return f"{parts} %" if parts.denominator == 1 else f"{share} of it"
