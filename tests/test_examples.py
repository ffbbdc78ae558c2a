"""The examples run, and print what they say."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import feltworks

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"

TABLES = """\
30,12,6,4,1      21282/626665   3.3961%  as approved
30,12,6,3,1      36834/626665   5.8778%  modified: not as approved
30,11,6,4,1      27618/626665   4.4071%  modified: not as approved
20,10,6,4,1      66844/626665  10.6666%  modified: not as approved
"""
ROUND = """\
Seat 1 puts 1 on ante.
The dealer says: "No more bets."
A card is turned: 4h.
Seat 1 chooses to trade.
A card is turned: Qc.
Seat 1 chooses to stand.
A card is turned: Js.
A card is turned: 7d.
The dealer says: "Dealer shows jack of spades."
Higher card (O-06): ante wins 1.
Higher card (O-06): trade wins 1.
"""


def printed(*command: str) -> str:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_smallest_game_is_two_files_with_one_import_of_feltworks() -> None:
    assert {path.name for path in (EXAMPLES / "high_card").iterdir() if path.is_file()} == {"game.toml", "rules.py"}
    lines = (EXAMPLES / "high_card" / "rules.py").read_text("utf-8").splitlines()
    assert [line.split(" import ")[0] for line in lines if "feltworks" in line] == ["from feltworks.kit"]


def test_the_smallest_game_costs_one_unit_in_seventeen_and_a_simulation_agrees() -> None:
    """Of the 51 other cards, three have the rank of the seat's own: a tie loses, and everything else is even."""
    game = feltworks.load("high-card", folders=[EXAMPLES])
    assert feltworks.analyze(game)["bet"].edge == Fraction(3, 51)
    z = feltworks.simulate(game, rounds=300, seats=3, workers=1)["bet"].z
    assert z is not None and abs(z) < 4


@pytest.mark.parametrize(
    ("command", "shown"), [("what_if_pays.py", TABLES), ("play_by_script.py", ROUND)], ids=lambda text: text[:12]
)
def test_an_example_prints_what_it_should(command: str, shown: str) -> None:
    assert printed(f"examples/{command}") == shown


def test_other_pay_tables_can_be_asked_for() -> None:
    assert printed("examples/what_if_pays.py", "30,12,6,4,1") == TABLES.splitlines(keepends=True)[0]


def test_every_example_is_named_on_the_page_about_them() -> None:
    page = (EXAMPLES / "README.md").read_text("utf-8")
    names = {path.name for path in EXAMPLES.iterdir()} - {"README.md", "__pycache__"}
    assert [name for name in sorted(names) if f"({name})" not in page] == []
