"""Words decide nothing: a table whose rules fail at them goes on without them, and the log tells which rule it is."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from feltworks.floor.table.settings import Pace
from feltworks.games.casino_war.rules import CasinoWar
from feltworks.kit import ToldHand
from tests.web.robots import Json, LocalServer, Robot, table_of

TABLE = table_of("casino-war", pace=Pace(between_rounds=3_600_000))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [TABLE]) as server:
        yield server
        server.check()


def results_of_a_round(robot: Robot) -> list[Json]:
    """What becomes of an Ante, surrendered where it ties."""
    robot.phase("betting")
    robot.done("place", spot="ante", amount=500)
    robot.done("ready")
    if robot.phase("deciding", "over")["phase"] == "deciding":
        robot.done("choose", option="surrender")
        robot.phase("over")
    results: list[Json] = robot.seat["results"]
    assert results
    return results


NO_HANDS: dict[str, Callable[[Any, Any], Any]] = {
    "cards in place of tokens": lambda self, known: [ToldHand(None, "an ace", counts=tuple(known.values()))],
    "a bare card": lambda self, known: [ToldHand(None, "an ace", "", card) for card in known.values()],
    "a number": lambda self, known: [5],
}


@pytest.mark.parametrize("mistake", NO_HANDS)
def test_a_table_names_no_hand_where_its_rules_tell_none_and_logs_that_once(
    mistake: str, server: LocalServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(CasinoWar, "told_hands", NO_HANDS[mistake])
    with caplog.at_level(logging.ERROR, "feltworks.hub"), server.join(TABLE.id, 1) as ann:
        results_of_a_round(ann)
        assert ann.view["hands"] == []
    logged = [record.getMessage() for record in caplog.records]
    assert len(logged) == 1
    assert logged[0].startswith(f"No hand is named at table {TABLE.id}: told_hands fails at {__file__}:")


def test_a_reason_that_is_no_text_is_told_by_the_line_of_the_settlement(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CasinoWar, "why", lambda self, settled, before: None)
    with server.join(TABLE.id, 1) as ann:
        for result in results_of_a_round(ann):
            assert result["why"] == result["line"][:1].lower() + result["line"][1:]
