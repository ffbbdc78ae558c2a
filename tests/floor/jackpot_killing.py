"""A house that plays for one jackpot at two tables as fast as it can, and says after every step where the meter stands:
whoever kills it knows what was acknowledged.

`python -m tests.floor.jackpot_killing FILE` plays until it is killed.
"""

import sys
from pathlib import Path
from random import Random

from msgspec.structs import replace

from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.jackpot.commands import SeedJackpot
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import Clocks, Pace
from feltworks.kit import steps
from tests.floor.jackpots import MAIN, by_program, terms
from tests.floor.sitting import TODAY
from tests.floor.world import KEYS

SPOTS = ("ante", "bet", "jackpot")
TABLES = [
    by_program(
        id,
        seats=2,
        clocks=Clocks(absent=10_000),
        pace=Pace(0, 0, 0, 0),
    )
    for id in ("one", "two")
]


def prepare(path: Path) -> None:
    with Store(path) as store:
        house = House(store, KEYS, lambda: TODAY)
        desk = house.jackpots
        desk.open(MAIN, replace(terms(TABLES[0]), played=desk.played_by(TABLES[0])), PROGRAM)
        desk.give(MAIN, SeedJackpot(100_000, 50_000, "to begin with"), PROGRAM)


def play(path: Path, seed: int) -> None:
    chance, now = Random(seed), [TODAY]
    house = House(Store(path), KEYS, lambda: now[0])
    for settings in TABLES:
        if settings.id not in house.tables:
            question = house.jackpots.question(MAIN, settings)
            assert question is None, question
            house.jackpots.link(MAIN, settings, PROGRAM)
            house.open_table(settings)
            for seat in (1, 2):
                player, _ = house.people.guest()
                house.command(settings.id, player, cmd.Sit(seat))
    house.check_clock()
    while True:
        now[0] += 1_000
        step(house, chance.choice(TABLES).id, chance)
        meter = house.jackpots.known(MAIN)
        print(house.store.last_commit(), meter.version, meter.meter, meter.reserve, flush=True)


def step(house: House, name: str, chance: Random) -> None:
    table = house.live(name).table
    try:
        if table.round is not None and chance.random() < 0.003 and not table.round.over:
            house.void(name, "the lights went out")
        elif table.betting:
            up = {(int(seat), spot) for seat, spot in table.wagers}
            left = [(s, spot) for s in sorted(table.seats) for spot in SPOTS if (s, spot) not in up]
            if left:
                seat, spot = left[0]
                house.command(name, table.seats[seat].player, cmd.Place(spot, 100))
            else:
                house.command(name, table.seats[chance.choice((1, 2))].player, cmd.Ready())
        elif table.to_act:
            assert isinstance(table.step, steps.Choose)
            option = "check" if table.step.options[0].name == "check" else "1x"
            house.command(name, table.seats[min(table.to_act)].player, cmd.Choose(option))
        elif table.round is None:
            house.deal_on(name, "start round")
        else:
            house.deal_on(name, "end round" if table.round.over else "answer")
    except Refused:
        for who in table.seats.values():  # somebody has lost everything
            if house.balance(who.player) < 1_000:
                house.people.grant_again(name, who.player)


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
