"""Blackjack over the wire: what a seat is asked for, what it may wager, and what the house refuses in words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from feltworks.floor.people import GRANT
from feltworks.floor.table.settings import Clocks, Pace
from feltworks.web.app import HERE
from feltworks.web.views import about
from tests.browser.cards import stack
from tests.web.robots import Json, LocalServer, Robot, between, blackjack, money, under, yo

PAUSED = Pace(0, 0, 3_600_000, 0)
STATIC = HERE / "static"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    quick = Clocks(betting=600_000, decision=200)
    tables = [between(pace=PAUSED, burn=0), between(id="clocked", pace=PAUSED, burn=0, clocks=quick)]
    with LocalServer(tmp_path, tables) as server:
        yield server
        server.check()


def dealt(server: LocalServer, table: str = "between", amount: int = 2500) -> Robot:
    robot = server.join(table, 2)
    robot.phase("betting")
    robot.done("place", spot="base", amount=amount)
    robot.done("ready")
    return robot


def then(robot: Robot, **choice: Any) -> Json:
    """Choose, and see what is asked for next."""
    version = robot.view["version"]
    robot.done("choose", **choice)
    return robot.until(lambda view: view["version"] > version and (view["you"]["options"] or view["round"] is None))


@pytest.mark.rule("B-03", "F-07")
def test_insurance_takes_up_to_half_the_wager_and_anything_else_is_refused_in_words(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, "Th As 9c 8d")
    robot = dealt(server)
    view = robot.my_turn()
    assert view["message"] == "Your decision: insurance."
    assert view["you"]["options"] == [
        {"name": "no insurance", "title": "No insurance", "wager": 0, "least": 0, "refused": ""},
        {"name": "insurance", "title": "Insurance", "wager": 1250, "least": 0, "refused": ""},
    ]
    assert view["you"]["about"] == "Insurance wins if the dealer has a blackjack."
    for amount in (1251, -1, 10**12):
        assert "0.00 to 12.50 here" in robot.refused("choose", option="insurance", amount=amount)
    assert robot.refused("choose", option="even money").startswith("Even money is for a blackjack against an ace")
    assert "choose one of: no insurance, insurance." in robot.refused("choose", option="hit")
    assert robot.you["balance"] == GRANT - 2500
    then(robot, option="insurance", amount=1)
    assert robot.seat["results"][0]["amount"] == 1
    assert robot.you["balance"] == GRANT - 2501


@pytest.mark.rule("B-04")
def test_the_hand_that_is_played_is_told_and_where_one_was_doubled(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, "8h 6s 8c Td 3c Tc 9h")
    robot = dealt(server)
    assert robot.my_turn()["told"] == {}
    view = then(robot, option="split")
    assert (view["message"], view["told"]) == ("Your decision: hand 1 of 2.", {"hand": "1"})
    assert [card["place"] for card in robot.seat["cards"]] == ["seat 2", "seat 2, hand 2", "seat 2"]
    view = then(robot, option="double")
    assert (view["message"], view["told"]["hand"]) == ("Your decision: hand 2 of 2.", "2")
    assert view["told"]["doubled"] == "seat 2, hand 1"
    assert robot.seat["wagers"] == {"base": 5000, "hand_2": 2500}
    assert robot.refused("choose", option="split").startswith("Only two cards of equal value are split")


@pytest.mark.rule("F-30")
def test_a_clock_that_runs_out_takes_no_insurance_and_stands(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, "Th As 2c 8d")
    robot = dealt(server, "clocked")
    view = robot.until(lambda view: view["seats"][1]["results"])
    assert [(r["spot"], r["amount"]) for r in view["seats"][1]["results"]] == [("base", 2500)]
    decided = [answer["option"] for answer in robot.given("decide")]
    assert decided == ["no insurance", "stand"]


def test_the_legends_are_as_the_readings_have_them() -> None:
    def legends(**readings: str) -> list[str]:
        settings = blackjack(readings=readings)
        return [legend["text"] for legend in about(settings, settings.load_game(), 0).layout["legends"]]

    last = "Insurance pays 2 to 1"
    assert legends() == ["Blackjack pays 3 to 2", "Dealer hits soft 17", last]
    assert legends(soft_17="stand", blackjack_pays="1") == ["Blackjack pays 1 to 1", "Dealer stands on every 17", last]


def test_every_table_names_the_parts_of_the_page_that_draw_it() -> None:
    for settings in (money(), between(), blackjack(), under(), yo()):
        parts = about(settings, settings.load_game(), 0).layout["parts"]
        always = {"cards", "movements", "rail"}
        assert always <= parts.keys() <= {*always, "felt", "player", "words"}
        for name in parts.values():
            assert (STATIC / name).is_file()
