"""Training tables that are opened for games as they are, and the command that serves them."""

from pathlib import Path

import pytest

from feltworks.floor.roles import Role
from feltworks.floor.table.settings import Limits
from feltworks.games import load
from feltworks.kit.errors import BadValue
from feltworks.web.serving import open_house
from feltworks.web.training_tables import GALLERY, open_training_tables
from tests.cli.support import felt
from tests.web.people_of_the_house import employ
from tests.web.robots import ServerProcess

TOYS = Path(__file__).parent.parent / "toys"


@pytest.mark.rule("F-03")
def test_a_table_is_opened_for_each_game_with_the_limits_of_its_definition(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    try:
        open_training_tables(house, GALLERY)
        tables = {live.table.settings.game: live.table.settings for live in house.tables.values()}
        assert tables.keys() == {*GALLERY}
        for name, settings in tables.items():
            game = load(name)
            assert settings.venue == "training"
            assert settings.limits.keys() == {spot for wager in game.wagers.values() for spot in wager.opens}
            for wager in game.wagers.values():
                for spot in wager.opens if wager.name in game.definition.limits else ():
                    said = game.definition.limits[wager.name]
                    assert settings.limits[spot] == Limits(100 * said.least, 100 * said.most)
        open_training_tables(house, GALLERY)
        assert len(house.tables) == len(GALLERY)
    finally:
        house.close()


@pytest.mark.rule("F-13")
def test_a_house_with_a_manager_opens_no_table_by_itself(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    try:
        employ(house, "Mia", Role.MANAGER)
        with pytest.raises(BadValue, match="has a manager, who opens its tables"):
            open_training_tables(house, ["craps"])
        open_training_tables(house, [])
        assert not house.tables
    finally:
        house.close()


def test_a_folder_of_games_is_served_with_a_table_of_each(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "all", "--games", str(TOYS)) as server:
        titles = {table["title"] for table in server.get("/api/tables")}
    assert {"Bands", "Baccarat", "Big Six", "Peek", "Point", "Stud"} <= titles
    with ServerProcess(tmp_path / "one", "--games", str(TOYS), "stud", "craps") as server:
        titles = {table["title"] for table in server.get("/api/tables")}
    assert {"Stud", "Craps"} <= titles
    assert "Bands" not in titles


def test_a_game_that_is_not_there_is_told_before_anything_is_served(tmp_path: Path) -> None:
    result = felt("serve", "no-such-game", "--data", str(tmp_path), "--port", "0")
    assert result.exit_code == 2
    assert "There is no game 'no-such-game'" in result.stderr
