"""`felt new` writes a folder that plays at once; a game outside the package may have several files."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import feltworks
from feltworks import games
from feltworks.cli.new_game import STARTER
from feltworks.floor.house import House
from feltworks.floor.table import commands as cmd
from feltworks.kit.errors import BadDefinition
from feltworks.kit.loader import load_folder
from feltworks.web.serving import open_house
from tests.cli.support import TOYS, felt, process, read, told
from tests.floor.sitting import bands

SHIPPED = [path.parent.name.replace("_", "-") for path in sorted(games.HOME.glob("*/game.toml"))]


def test_a_new_game_plays_is_solved_and_passes_its_own_tests(tmp_path: Path) -> None:
    said = told("new", "my-game", "--in", str(tmp_path))
    assert f"felt play my-game --games {tmp_path}" in said
    folder = str(tmp_path)
    edge = read("analyze", "my-game", "--games", folder)["wagers"]["base"]["edge"]["exact"]
    assert 0 < Fraction(edge) < Fraction(1, 10)
    assert "My Game" in told("play", "my-game", "--auto", "--seed", "1", "--games", folder)
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "my_game")]
    done = subprocess.run(tests, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0 and "5 passed" in done.stdout, done.stdout


def test_the_starter_has_a_statement_for_every_rule_that_it_cites() -> None:
    text = (STARTER / "rules.py").read_text("utf-8")
    for number in load_folder(STARTER).statements:
        assert number in text


@pytest.mark.parametrize("like", SHIPPED)
def test_a_new_game_is_like_a_shipped_one_without_its_approval(like: str, tmp_path: Path) -> None:
    told("new", "my-own", "--like", like, "--in", str(tmp_path))
    made, original = feltworks.load("my-own", folders=[tmp_path]), feltworks.load(like)
    assert (made.name, made.title, made.standing) == ("my-own", "My Own", "carries no approval")
    assert made.definition.published == () and made.definition.approval is None
    assert set(made.wagers) == set(original.wagers) and made.statements == original.statements
    assert made.start().next == original.start().next
    here = [
        path
        for path in (tmp_path / "my_own").rglob("*.py")
        if f"feltworks.games.{original.folder.name}." in path.read_text()
    ]
    assert here == []


@pytest.mark.slow
def test_a_copy_of_a_game_that_counts_its_own_deals_has_its_exact_figures(tmp_path: Path) -> None:
    told("new", "my-own", "--like", "in-between", "--in", str(tmp_path))
    made = feltworks.analyze(feltworks.load("my-own", folders=[tmp_path]))
    assert made["in_between"].edge == Fraction(21282, 626665)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["My Game"], "'My Game' is no name for a game; write small letters, digits and -, such as my-game.\n"),
        (["-"], None),
        (["my-game", "--like", "poker"], None),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_words(arguments: list[str], said: str | None, tmp_path: Path) -> None:
    result = felt("new", *arguments, "--in", str(tmp_path))
    assert result.exit_code == 2 and list(tmp_path.iterdir()) == []
    assert said is None or result.stderr == said


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "my_game").mkdir()
    result = felt("new", "my-game", "--in", str(tmp_path))
    assert result.exit_code == 2 and "is there already" in result.stderr
    assert list((tmp_path / "my_game").iterdir()) == []


# Several files.


@pytest.fixture
def parted(tmp_path: Path) -> Path:
    """A game whose rules import from files beside them, and from a folder in their own."""
    told("new", "parted", "--in", str(tmp_path))
    folder = tmp_path / "parted"
    rules = (folder / "rules.py").read_text("utf-8")
    (folder / "cards").mkdir()
    (folder / "cards" / "__init__.py").write_text("from ..pays import RAISE_PAYS as RAISE_PAYS\n", "utf-8")
    (folder / "pays.py").write_text("from feltworks.kit import Odds\n\nRAISE_PAYS = Odds('to', 2, 1)\n", "utf-8")
    rules = rules.replace('Odds("to", 2, 1)', "RAISE_PAYS").replace("    Odds,\n", "")
    (folder / "rules.py").write_text(
        rules.replace("\n\nDEALER", "\nfrom .cards import RAISE_PAYS\n\nDEALER", 1), "utf-8"
    )
    return folder


def test_the_rules_of_a_folder_may_lie_in_several_files(parted: Path, tmp_path: Path) -> None:
    told("new", "whole", "--in", str(tmp_path))
    edges = [feltworks.analyze(load_folder(folder))["base"].edge for folder in (parted, tmp_path / "whole")]
    assert edges[0] == edges[1]
    assert not list(parted.rglob("__pycache__"))


def test_a_file_beside_the_rules_is_loaded_anew_when_it_has_changed(parted: Path) -> None:
    before = load_folder(parted)
    (parted / "pays.py").write_text("from feltworks.kit import Odds\n\nRAISE_PAYS = Odds('to', 3, 1)\n", "utf-8")
    after = load_folder(parted)
    assert before.fingerprint["build"] != after.fingerprint["build"]
    assert feltworks.analyze(before)["base"].edge > feltworks.analyze(after)["base"].edge


def test_a_simulation_with_several_workers_knows_the_files_beside_the_rules(parted: Path) -> None:
    game = load_folder(parted)
    assert (
        feltworks.simulate(game, rounds=400, workers=2).to_json()
        == feltworks.simulate(game, rounds=400, workers=1).to_json()
    )


def test_an_import_that_forgets_its_place_is_told_how_to_write_it(parted: Path) -> None:
    rules = parted / "rules.py"
    rules.write_text(rules.read_text("utf-8").replace("from .cards import", "from cards import"), "utf-8")
    line = rules.read_text("utf-8").splitlines().index("from cards import RAISE_PAYS") + 1
    with pytest.raises(BadDefinition) as refused:
        load_folder(parted)
    assert str(refused.value) == (
        f"{rules}:{line}: the rules cannot be run: ModuleNotFoundError: No module named 'cards'; it lies beside"
        " rules.py, so import it as .cards."
    )


def test_a_mistake_in_another_file_is_told_with_that_file_and_line(parted: Path) -> None:
    (parted / "pays.py").write_text("from feltworks.kit import Odds\nRAISE_PAYS = Odds('to', 0, 1)\n", "utf-8")
    with pytest.raises(BadDefinition, match=r"pays\.py:2: the rules cannot be run: BadOdds"):
        load_folder(parted)
    (parted / "pays.py").write_text("RAISE_PAYS = (\n", "utf-8")
    with pytest.raises(BadDefinition, match=r"pays\.py:1: the rules cannot be run: SyntaxError"):
        load_folder(parted)


def test_an_enumerator_may_lie_beside_the_rules_of_a_folder(parted: Path) -> None:
    rules = parted / "rules.py"
    rules.write_text(rules.read_text("utf-8") + 'ENUMERATOR = "counts"\n', "utf-8")
    (parted / "counts.py").write_text(COUNTS, "utf-8")
    game = load_folder(parted)
    assert game.enumerator.endswith(".counts")
    analysed = feltworks.analyze(game)["base"]
    assert (analysed.edge, analysed.outcomes[0].line) == (Fraction(1, 2), "Lost half of the time")


COUNTS = """
from fractions import Fraction

from feltworks.kit.counted_parts import Part
from feltworks.kit.enumerator import EnumeratedWager, Outcome

PARTS: dict[str, Part] = {}


def essential(game):
    return game


def bears_on_strategy(game, wager):
    return False


def edge(game, name, parts):
    return Fraction(1, 2)


def wager(game, name, parts, *, details):
    half = Fraction(1, 2)
    ends = Outcome("Lost half of the time", "loses", Fraction(-1), half), Outcome("Not", "push", Fraction(0), half)
    return EnumeratedWager(ends)


def advise(game, parts, asked):
    raise NotImplementedError


def option(game, info):
    return info.options[0]


def chart(game, parts):
    raise NotImplementedError


def plot(game, parts):
    return None


def simulate(game, rounds, seed, workers, progress):
    raise NotImplementedError
"""


# Two games of one name.


def test_two_games_of_one_name_in_the_folders_are_refused(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        told("new", "twin", "--in", str(tmp_path / place))
    result = felt("analyze", "twin", "--games", str(tmp_path / "one"), "--games", str(tmp_path / "two"))
    assert result.exit_code == 2
    assert result.stderr == (
        f"Two games are called twin: {tmp_path / 'one' / 'twin'} and {tmp_path / 'two' / 'twin'}; rename one of the"
        " folders.\n"
    )


def test_a_game_of_a_folder_wins_over_an_installed_one_and_that_is_said(tmp_path: Path) -> None:
    told("new", "casino-war", "--in", str(tmp_path))
    result = felt("analyze", "casino-war", "--games", str(tmp_path))
    assert result.exit_code == 0 and "Pair (pair)" in result.stdout
    folder = tmp_path / "casino_war"
    assert result.stderr == f"note: casino-war is the game in {folder}, not the one that is installed.\n"


# Records of a game from a folder.


def test_records_of_a_game_from_a_folder_are_verified_and_told_again_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv(games.FOLDERS, str(TOYS))
    _play_a_round_of_bands(data)
    monkeypatch.delenv(games.FOLDERS)
    without = process("verify", "--data", str(data))
    assert "not replayed" in without.stdout
    verified = process("verify", "--data", str(data), "--games", str(TOYS))
    assert (verified.returncode, verified.stderr) == (0, "") and "not replayed" not in verified.stdout
    replayed = process("replay", "bands", "1", "--data", str(data), "--games", str(TOYS))
    assert replayed.returncode == 0 and "Seat 1 puts 5 on Ante." in replayed.stdout
    copied = process("backup", str(tmp_path / "copy.db"), "--data", str(data), "--games", str(TOYS))
    assert copied.returncode == 0 and "everything is in order" in copied.stdout


def _play_a_round_of_bands(data: Path) -> None:
    house = open_house(data)
    house.open_table(bands())
    player, _ = house.people.guest()
    house.command("bands", player, cmd.Sit(1))
    while not house.live("bands").table.betting:
        _deal_on(house)
    house.command("bands", player, cmd.Place("ante", 500))
    house.command("bands", player, cmd.Ready())
    while not house.live("bands").table.to_act:
        _deal_on(house)
    house.command("bands", player, cmd.Choose("play"))
    while not house.live("bands").table.betting:
        _deal_on(house)
    house.close()


def _deal_on(house: House) -> None:
    due = house.due("bands")
    assert due is not None
    house.deal_on("bands", due.doing)
