"""What is kept of what was counted: a file is used if it is whole and of this game, and otherwise counted anew."""

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import feltworks
from feltworks.kit.game import Game
from feltworks.lab.results import SHIPPED, Results, enumerator_of

GAME = feltworks.load("down-under-holdem")


def counted(folder: Path, game: Game = GAME) -> list[str]:
    """The parts that had to be counted for a question about the solution, of a count that takes no time."""
    done: list[str] = []
    results = Results(game, cache=folder, shipped=False)
    results.enumerator = Fake(done)  # type: ignore[assignment]
    assert results("solution") == {"pays": "so"}
    return done


class Fake:
    """An enumerator that only notes what it is asked to count."""

    def __init__(self, done: list[str]) -> None:
        def count(game: Game) -> Any:
            done.append("solution")
            return {"pays": "so"}

        self.PARTS = {"solution": count}


def the_file(folder: Path) -> Path:
    [path] = folder.glob("*.json")
    return path


@pytest.mark.rule("D-21")
def test_the_shipped_results_are_of_the_game_as_it_is_and_tell_every_part() -> None:
    results = Results(GAME, cache=Path(os.devnull) / "nowhere")
    assert set(results.parts) == set(results.enumerator.PARTS)


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_the_shipped_results_come_out_again_when_they_are_counted_anew(tmp_path: Path) -> None:
    shipped = Results(GAME, cache=tmp_path)
    again = Results(GAME, cache=tmp_path, shipped=False)
    for part in again.enumerator.PARTS:
        assert json.loads(json.dumps(again(part))) == shipped.parts[part], part


def test_no_more_ships_than_is_used() -> None:
    [path] = (GAME.folder / SHIPPED).glob("*.json")
    assert json.loads(path.read_text())["definition"] == enumerator_of(GAME).essential(GAME).fingerprint["definition"]


def test_what_was_counted_once_is_read_the_next_time(tmp_path: Path) -> None:
    assert counted(tmp_path) == ["solution"]
    assert counted(tmp_path) == []


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _changed(path: Path) -> None:
    path.write_text(path.read_text().replace('"so"', '"other"'))


def _foreign(path: Path) -> None:
    path.write_text(path.read_text().replace(json.loads(path.read_text())["definition"], 64 * "0"))


def _no_json(path: Path) -> None:
    path.write_bytes(b"\xff\x00 not JSON")


def _a_list(path: Path) -> None:
    path.write_text("[1, 2]")


def _too_deep(path: Path) -> None:
    path.write_text(100_000 * "[")


def _other_format(path: Path) -> None:
    path.write_text(path.read_text().replace('"format":1', '"format":99'))


@pytest.mark.parametrize("harm", [_cut, _changed, _foreign, _no_json, _a_list, _too_deep, _other_format])
def test_a_foreign_or_damaged_file_is_recognised_and_counted_anew(
    tmp_path: Path, harm: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    counted(tmp_path)
    whole = the_file(tmp_path).read_bytes()
    harm(the_file(tmp_path))
    with caplog.at_level(logging.WARNING):
        assert counted(tmp_path) == ["solution"]
    assert "counted anew" in caplog.text
    assert the_file(tmp_path).read_bytes() == whole
    assert counted(tmp_path) == []


def test_a_cache_that_cannot_be_written_to_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert counted(tmp_path / "file") == ["solution"]
    assert (tmp_path / "file").read_text() == "in the way"


def test_other_pays_of_the_bet_have_results_of_their_own(tmp_path: Path) -> None:
    counted(tmp_path)
    other = GAME.configured(pay={"bet": "500,50,10,3,3/2,2"})
    assert counted(tmp_path, other) == ["solution"]
    assert len(list(tmp_path.glob("*.json"))) == 2


def test_pay_tables_and_readings_that_the_counts_do_not_depend_on_share_the_results() -> None:
    enumerator = enumerator_of(GAME)
    others = [
        GAME.configured(pay={"trips_or_better": "3"}),
        GAME.configured(pay={"jackpot": "3"}),
        GAME.configured(readings={"folded_bonus": "forfeits", "envy_scales": "yes"}),
    ]
    for other in others:
        assert enumerator.essential(other).fingerprint == enumerator.essential(GAME).fingerprint
        assert other.fingerprint["definition"] != GAME.fingerprint["definition"]
