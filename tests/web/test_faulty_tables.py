"""A server with a table whose rules go wrong: whoever sits there reads what is wrong, and the others play on."""

import shutil
from pathlib import Path

import pytest

from tests.web.robots import Robot, ServerProcess

FAULTY = Path(__file__).parent.parent / "faulty"
ENDLESS = """
    def settle(self) -> Items:
        yield from ()
        while True:
            pass


ROUND = DroppedBonus
"""
WORDLESS = """
    def settle(self) -> Items:
        for seat in self.playing:
            yield self.lose(seat, "base", "Low", "T-52")

    @property
    def told(self) -> dict[str, str]:
        return {"rolled": str(6 // self.rolled)} if self.wagers else {}


ROUND = DroppedBonus
"""


def spoilt(folder: Path, settle: str) -> Path:
    """A folder with two games, one of which goes wrong."""
    shutil.copytree(FAULTY / "no_loss", folder / "no_loss")
    shutil.copytree(FAULTY / "dropped_bonus", folder / "dropped_bonus")
    rules = folder / "dropped_bonus" / "rules.py"
    rules.write_text(rules.read_text("utf-8").partition("\n    def settle")[0] + settle, "utf-8")
    return folder


def bet(robot: Robot, spot: str) -> None:
    open_here = robot.until(lambda view: view["you"]["spots"])["you"]["spots"]
    robot.done("place", spot=spot, amount=next(one["least"] for one in open_here if one["spot"] == spot))


@pytest.mark.rule("F-17", "F-28")
@pytest.mark.parametrize(
    ("settle", "said"),
    [
        (ENDLESS, "The rule DroppedBonus.settle of Dropped Bonus goes on for ever; let it end, or yield a step"),
        (WORDLESS, "The rule DroppedBonus.told of Dropped Bonus fails with ZeroDivisionError"),
    ],
    ids=["rules that loop for ever", "facts that cannot be told"],
)
def test_who_sits_at_a_table_whose_rules_go_wrong_reads_where_and_the_others_play_on(
    settle: str, said: str, tmp_path: Path
) -> None:
    games = spoilt(tmp_path / "games", settle)
    with ServerProcess(tmp_path / "data", "--games", str(games)) as server:
        ids = {table["title"]: table["id"] for table in server.get("/api/tables")}
        with server.join(ids["No Loss"], 1) as ann, server.join(ids["Dropped Bonus"], 1) as ben:
            balance = ben.you["balance"]
            bet(ben, "base")
            ben.send("ready")
            view = ben.until(lambda view: said in view["message"])
            assert "dropped_bonus/rules.py:" in view["message"]
            assert view["round"] is None and view["you"]["balance"] == balance and not ben.seat["wagers"]
            bet(ann, "ante")
            ann.done("ready")
            ann.my_turn()
