"""`felt check`: what is wrong with a game is told with its line, and no command ends in a traceback for it."""

import shutil
from pathlib import Path

import pytest

from tests.cli.support import FAULTY, TOYS, felt, process, read, told


def test_a_game_in_which_nothing_is_wrong_says_so() -> None:
    printed = told("check", "point", "--games", str(TOYS))
    assert printed.splitlines()[-1].startswith("Point: nothing wrong was found. ")
    report = read("check", "point", "--games", str(TOYS))
    assert report["clean"] is True and report["findings"] == [] and report["rounds"] > 100


def test_a_mistake_is_told_with_its_place_and_the_exit_code_is_1() -> None:
    result = felt("check", "no-loss", "--games", str(FAULTY))
    assert (result.exit_code, result.stderr) == (1, "")
    first, found, *_, last = result.stdout.splitlines()
    assert first == (
        f"{FAULTY}/no_loss/rules.py:34: The rule NoLoss.settle (T-42) of No Loss ended the round, but Ante of seat 1 is"
        " neither settled nor carried; settle every wager, or hand it to the next round by `carry`."
    )
    assert found == "  found with toy, base at seat 1"
    assert last.startswith("No Loss: 1 mistake. ")


def test_every_file_is_named_as_the_folder_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake that shows itself in a line that runs, one of a definition, and one of a statement."""
    folder = edited(tmp_path, SHOWN, SHOWN.replace("        for", "        self.card(DEALER[0])\n        for"))
    (folder / "statements.toml").write_text('[T-21]\ntext = "Said."\nsource = "nobody"\n', "utf-8")
    (folder / "test_rules.py").write_text('def test_a_queen() -> None:\n    """T-28: she is high."""\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    lines = [line for line in felt("check", "bands", "--games", ".").stdout.splitlines() if ".py:" in line]
    assert len(lines) > 3 and all(line.startswith(("bands/rules.py:", "bands/test_rules.py:")) for line in lines)
    assert any("rules.py:" in line and LOOKS in line for line in lines)
    assert any("test_rules.py:2: The test test_a_queen of Bands cites T-28" in line for line in lines)


def test_json_has_the_file_the_line_the_rule_and_its_statements() -> None:
    result = felt("check", "no-loss", "--games", str(FAULTY), "--json")
    assert result.exit_code == 1
    assert '"kind": "undecided"' in result.stdout and f'"file": "{FAULTY}/no_loss/rules.py"' in result.stdout
    assert '"line": 34' in result.stdout and '"statements": "T-42"' in result.stdout


def test_a_wrong_argument_ends_with_2() -> None:
    for args in (
        ["check"],
        ["check", "moon"],
        ["check", "peek", "--games", "/nowhere"],
        ["check", "peek", "--seats=2"],
    ):
        result = felt(*args)
        assert result.exit_code == 2 and "Traceback" not in result.output


def edited(folder: Path, old: str, new: str) -> Path:
    made = folder / "bands"
    shutil.copytree(TOYS / "bands", made)
    rules = made / "rules.py"
    text = rules.read_text("utf-8")
    assert old in text
    rules.write_text(text.replace(old, new, 1), "utf-8")
    return made


END = "ROUND = Bands"
SHOWN = "            yield Turn(token)\n        for seat in reversed"
LOOKS = "looks at dealer 1, which is sealed; a rule runs to its end before any step"
MISTAKES = {
    "a card read in the rule that turns it": (SHOWN, SHOWN.replace("\n", "\n            self.card(token)\n", 1), LOOKS),
    "a card turned before it is dealt": (
        'yield Deal(own(seat), f"seat {seat}")',
        "yield Turn(own(seat), to=seat)",
        "turns seat 1 card, which is not dealt; yield its Deal first.",
    ),
    "an error at import": (
        END,
        f"import nothing_there\n{END}",
        "ModuleNotFoundError: No module named 'nothing_there'.",
    ),
    "an error in carry": (
        END,
        f"Bands.carry = property(lambda self: self.nix)\n{END}",
        "fails with AttributeError: 'Bands' object has no attribute 'nix'.",
    ),
    "an error in the facts": (
        END,
        f"Bands.facts = property(lambda self: self.nix)\n{END}",
        "fails with AttributeError: 'Bands' object has no attribute 'nix'.",
    ),
    "cards alike that are none": (
        END,
        f"Bands.alike_cards = lambda self: [1]\n{END}",
        "fails with TypeError: 'int' object is not iterable.",
    ),
}
COMMANDS = (["analyze"], ["simulate", "--rounds", "20"], ["play", "--auto", "--seed", "1"])


@pytest.mark.parametrize(
    ("mistake", "command"),
    [(mistake, c) for mistake in MISTAKES for c in COMMANDS if "alike" not in mistake or c[0] == "analyze"],
)
def test_a_mistake_in_rules_is_never_a_traceback(tmp_path: Path, mistake: str, command: list[str]) -> None:
    old, new, said = MISTAKES[mistake]
    folder = edited(tmp_path, old, new)
    result = felt(command[0], "bands", *command[1:], "--games", str(tmp_path))
    assert result.exit_code == 2
    [sentence] = result.stderr.splitlines()
    assert sentence.startswith(f"{folder}/rules.py:") and said in sentence and sentence.endswith(".")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{}[cards]", "The rule situation of Bands fails with KeyError: '5d'."),
        ("parse_cards(cards)[1]", "The rule situation of Bands fails with IndexError: tuple index out of range."),
    ],
)
def test_a_mistake_in_a_situation_is_told_to_who_asks_for_advice(tmp_path: Path, wrong: str, said: str) -> None:
    situation = f"from feltworks.kit import parse_cards\n\n\ndef situation(seat, cards):\n    return {wrong}\n\n\n{END}"
    folder = edited(tmp_path, END, situation)
    result = felt("advise", "bands", "5d", "--games", str(tmp_path))
    assert result.exit_code == 2 and result.stderr == f"{folder}/rules.py:{_line(folder, 'return ' + wrong)}: {said}\n"


def test_a_mistake_is_one_sentence_of_the_real_command_too(tmp_path: Path) -> None:
    folder = edited(tmp_path, END, f"Bands.facts = property(lambda self: self.nix)\n{END}")
    done = process("analyze", "bands", "--games", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"{folder}/rules.py:") and "Traceback" not in done.stderr


def _line(folder: Path, text: str) -> int:
    return 1 + (folder / "rules.py").read_text("utf-8").partition(text)[0].count("\n")
