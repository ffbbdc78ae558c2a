"""A round is recalled while the tables go on: what is read is of one moment, and nobody hears what was not told yet."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from feltworks.floor.data_folder import RECORDS
from feltworks.floor.house import House
from feltworks.floor.store.interface import PlayedRound
from feltworks.floor.store.reader import Reader
from feltworks.floor.table import commands as cmd
from feltworks.web import posted
from feltworks.web.serving import open_house
from tests.web.robots import money


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = open_house(tmp_path)
    house.open_table(money())
    yield house
    house.close()


def seated(house: House) -> str:
    player, _ = house.people.guest()
    house.command("money", player, cmd.Sit(1))
    return player


def dealt(house: House) -> str:
    """Somebody's round of which nothing but the decision is to come."""
    player = seated(house)
    house.deal_on("money", "start round")
    house.command("money", player, cmd.Place("ante", 500))
    house.command("money", player, cmd.Ready())
    while not house.table("money").to_act:
        house.deal_on("money", "answer")
    return player


def end(house: House, player: str) -> None:
    house.command("money", player, cmd.Choose("check"))
    while house.table("money").step is not None:
        house.deal_on("money", "answer")
    house.deal_on("money", "end round")


class ReadLater(Reader):
    """Whatever happens when the list of rounds was read happens before anything else is."""

    happens: Any = None

    def rounds(self, *given: Any, **named: Any) -> list[PlayedRound]:
        found = super().rounds(*given, **named)
        happens, self.happens = self.happens, None
        if happens:
            happens()
        return found


@pytest.mark.rule("F-18")
def test_a_round_that_ends_while_it_is_read_is_recalled_as_it_was_when_that_began(house: House, tmp_path: Path) -> None:
    player = dealt(house)
    with ReadLater(tmp_path / RECORDS) as store:
        store.happens = lambda: end(house, player)
        found = posted.recall(house, store, "money", 1)
        assert found is not None
        assert found.warnings == posted.recall(house, store, "money", 1).warnings  # type: ignore[union-attr]
        kinds = [record.event.__struct_config__.tag for record in found.records]
        assert kinds[0] == "round started"
        assert "round ended" not in kinds


def test_a_round_that_is_written_and_not_told_yet_is_not_recalled(house: House, tmp_path: Path) -> None:
    seated(house)
    house.begin()
    house.deal_on("money", "start round")
    together = house.end()
    house.write(together)
    with Reader(tmp_path / RECORDS) as store:
        assert [played.round for played in store.rounds("money", limit=1)] == [1]
        assert posted.recall(house, store, "money", 1) is None
        house.adopt(together)
        assert posted.recall(house, store, "money", 1) is not None
