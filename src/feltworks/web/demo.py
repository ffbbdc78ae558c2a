"""The demo house: a training venue with a table of each game, play money only."""

from msgspec import structs

from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.jackpot.commands import SeedJackpot
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.table.settings import Clocks, Limits, Pace, TableSettings

SMALL, BONUS = Limits(100, 10_000), Limits(100, 2_500)
CLOCKS = Clocks(absent=10_000)

TABLES = (
    TableSettings(
        "money",
        "Burgundy Room 1",
        "one-for-the-money",
        {"ante": SMALL, "three_card_bonus": BONUS},
        version="three-card-bonus",
        clocks=CLOCKS,
    ),
    TableSettings(
        "match",
        "Burgundy Room 2",
        "one-for-the-money",
        {"ante": SMALL, "perfect_match": BONUS},
        version="perfect-match",
        decks=8,
        clocks=CLOCKS,
    ),
    TableSettings(
        "between",
        "Green Room",
        "in-between",
        {"base": Limits(500, 10_000), "in_between": BONUS},
        shuffling="shoe",
        clocks=CLOCKS,
    ),
    TableSettings(
        "under",
        "Eucalyptus Room",
        "down-under-holdem",
        {
            **dict.fromkeys(("ante", "bet"), SMALL),
            **dict.fromkeys(("trips_or_better", "match_the_dealer"), BONUS),
            "jackpot": Limits(100, 100),
        },
        pay={"jackpot": "3"},
        prize=1_000_000,
        clocks=CLOCKS,
    ),
    TableSettings(
        "yo",
        "Blue Room",
        "yo",
        {
            **dict.fromkeys(("play", "late_play"), Limits(500, 10_000)),
            **dict.fromkeys(("more",), Limits(500, 40_000)),
            **dict.fromkeys(("yo", "high", "low", "pairs", "eleven", "craps"), BONUS),
        },
        version="washington",
        seats=6,
        clocks=Clocks(betting=15_000, decision=15_000, absent=10_000),
    ),
)

JACKPOT = "everybody"
"""The progressive jackpot of the demo house, for which one table plays that the program deals, and one that people
deal."""
SEED, RESERVE = 500_000, 100_000
PROGRESSIVE = structs.replace(TABLES[3], id="outback", name="Outback Room", prize=None, jackpot=JACKPOT)

STAND_IN = "the dealer's own word"
PIT = tuple(
    structs.replace(table, id=id, name=name, dealing="people", equipment=equipment)
    for table, id, name, equipment in (
        (TABLES[0], "money-pit", "Pit Table 1", {}),
        (TABLES[2], "between-pit", "Pit Table 2", {}),
        (TABLES[3], "under-pit", "Pit Table 3", dict.fromkeys(("card reader", "jackpot system"), STAND_IN)),
        (TABLES[4], "yo-pit", "Pit Table 4", dict.fromkeys(("dice", "cup"), STAND_IN)),
    )
)
"""A table of each game that people deal from cards and dice of their own (F-20): a visitor deals there in one window,
and plays or looks after the table in others."""


LINKED = (PROGRESSIVE, structs.replace(PIT[2], id="outback-pit", name="Pit Table 5", prize=None, jackpot=JACKPOT))


def open_demo_tables(house: House) -> None:
    """Open the demo tables that are not open yet, and successors of those that cannot be played on."""
    for table in list(house.closed.values()):
        if table.settings is not None and not table.successor:
            house.open_successor(table.id)
    for settings in (*TABLES, *PIT):
        _open(house, settings)
    open_demo_jackpot(house)


def open_demo_jackpot(house: House, pace: Pace | None = None) -> None:
    """The jackpot, seeded, and the tables that play for it; at another pace, if it is said."""
    meter = house.jackpots.meter(JACKPOT)
    if meter is None:
        played = house.jackpots.played_by(PROGRESSIVE)
        terms = Terms("Everybody's Meter", played, SEED, "3/5", "1/10", 10_000_000, ("Play money only.",))
        house.jackpots.open(JACKPOT, terms, PROGRAM)
        house.jackpots.give(JACKPOT, SeedJackpot(SEED, RESERVE, "the demonstration begins"), PROGRAM)
    elif meter.closed:
        return
    for settings in LINKED if pace is None else [structs.replace(linked, pace=pace) for linked in LINKED]:
        if settings.id not in house.tables and settings.id not in house.closed:
            if settings.id not in house.jackpots.known(JACKPOT).tables:
                house.jackpots.link(JACKPOT, settings, PROGRAM)
            house.open_table(settings)


def _open(house: House, settings: TableSettings) -> None:
    if settings.id not in house.tables and settings.id not in house.closed:
        house.open_table(settings)
