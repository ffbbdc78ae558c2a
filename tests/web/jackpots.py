"""A house with a progressive jackpot for the tests of the web: opened, seeded, and tables that play for it."""

from typing import Any

import msgspec

from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.jackpot.commands import SeedJackpot
from feltworks.floor.jackpot.meter import Meter, meter_account, reserve_account
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.table.settings import TableSettings
from tests.web.robots import under

MAIN = "main"
SEED, RESERVE = 100_000, 50_000
TO_METER = 60
"""Of a wager of 100 cents."""


def progressive(id: str = "under", **changes: Any) -> TableSettings:
    """A table of Down Under Hold'em that plays for the jackpot."""
    return under(**{"id": id, "name": f"Eucalyptus {id}", "prize": None, "jackpot": MAIN, **changes})


def open_jackpot(house: House, *tables: TableSettings, seed: int = SEED, **changes: Any) -> None:
    """The jackpot, with whatever has to be there before a table plays for it; then the tables."""
    first = tables[0] if tables else progressive()
    usual: dict[str, Any] = {"name": "The Big One", "seed": SEED, "to_meter": "3/5", "to_reserve": "1/10"}
    terms = Terms(played=house.jackpots.played_by(first), **{**usual, "maximum": 10_000_000, **changes})
    house.jackpots.open(MAIN, terms, PROGRAM)
    if seed:
        house.jackpots.give(MAIN, SeedJackpot(seed, RESERVE, "to begin with"), PROGRAM)
    for settings in tables:
        house.jackpots.link(MAIN, settings, PROGRAM)
        house.open_table(settings)


def meter_of(house: House) -> Meter:
    meter = house.jackpots.meter(MAIN)
    assert meter is not None
    return meter


def behind(house: House) -> tuple[int, int]:
    """What the accounts of the meter and of the reserve hold, by the entries that are written."""
    held = [house.store.balance(str(account)) for account in (meter_account(MAIN), reserve_account(MAIN))]
    return held[0], held[1]


def of_house(id: str = "prize", **changes: Any) -> TableSettings:
    """A table with a prize of the house."""
    return msgspec.structs.replace(under(id=id, name=f"Prize {id}"), **changes)
