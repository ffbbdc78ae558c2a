"""Training tables that are opened for games as they are: each as its definition has it first, within its own limits."""

from collections.abc import Iterable

from feltworks.floor.house import House
from feltworks.games import load
from feltworks.kit.errors import BadValue
from feltworks.web.staff.settings_form import first_settings

GALLERY = ("craps", "punto-banco", "roulette", "three-card-poker")
"""Of the other games that ship, those that a demonstration shows."""
IN_EARNEST = "This house has a manager, who opens its tables; name no game, or give these tables a folder with --data."


def open_training_tables(house: House, names: Iterable[str]) -> None:
    """A table for each of these games that has none yet. One that cannot be played on gets a successor."""
    wanted = dict.fromkeys(names)
    if wanted and house.administration.managers:
        raise BadValue(IN_EARNEST)
    for table in list(house.closed.values()):
        if table.settings is not None and table.settings.game in wanted and not table.successor:
            house.open_successor(table.id)
    played = {live.table.settings.game for live in house.tables.values()}
    for name in wanted:
        if name not in played:
            taken = [*house.tables, *house.closed, *(live.table.settings.name for live in house.tables.values())]
            house.open_table(first_settings(load(name), taken))
