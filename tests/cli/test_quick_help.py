"""What a command loads before it answers: help and the list of games hardly anything, none what it does not use."""

import subprocess
import sys
from pathlib import Path

import pytest

from feltworks import games
from feltworks.cli.floor_commands import app
from feltworks.cli.output import LEAST_WIDTH
from feltworks.cli.quick_help import COMMANDS
from feltworks.kit import loader
from tests.cli.support import TOYS, felt, process, told

WEB = {"fastapi", "starlette", "uvicorn", "uvloop", "websockets", "jinja2"}
HEAVY = WEB | {"numba", "llvmlite", "matplotlib", "PIL", "cryptography", "apsw"}
ALL_THAT_TAKES_LONG = HEAVY | {"numpy", "pydantic", "rich", "typer", "msgspec", "importlib.metadata", "asyncio"}
MOST = 100
"""How many modules help and the list of games may load beside those of an empty interpreter. They load about 70, and
take 4 to 6 times as long as that interpreter; 8 times is the limit. The JSON of the list loads 400, and takes 40 times
as long. Modules are counted because no load of the machine changes their number."""

RUN = """
import contextlib, io, sys
from feltworks.cli import main
for command in sys.stdin.read().splitlines():
    sys.argv = ["felt", *command.split()]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            main()
        except SystemExit as end:
            code = end.code
    print(code)
print(*sys.modules)
"""


def loaded(*commands: str, code: int = 0) -> set[str]:
    """The modules that a process has loaded when it has run these commands, each of which ends with this code."""
    typed = "".join(f"{command}\n" for command in commands)
    done = subprocess.run([sys.executable, "-c", RUN], input=typed, capture_output=True, text=True, check=True)
    *codes, modules = done.stdout.splitlines()
    assert codes == [str(code)] * len(commands), done.stdout
    return set(modules.split())


@pytest.fixture(scope="module")
def empty() -> set[str]:
    """The modules of an interpreter that does nothing."""
    shown = "import sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("command", ["", "--help", "games"])
def test_help_and_the_list_of_games_load_no_rules_and_nothing_that_takes_long(command: str, empty: set[str]) -> None:
    modules = loaded(command)
    assert len(modules - empty) <= MOST, sorted(modules - empty)
    assert not modules & ALL_THAT_TAKES_LONG
    assert not [name for name in modules if name.startswith("feltworks.games.") or name.endswith(".rules")]


def test_the_same_list_as_json_loads_no_rules_either() -> None:
    modules = loaded("games --json", f"games --json --games {TOYS}", f"games --games {TOYS}")
    assert not modules & HEAVY
    assert not [name for name in modules if "feltworks_game_" in name or name.endswith(".rules")]


@pytest.mark.slow
def test_no_command_loads_numba_matplotlib_the_web_or_the_records_before_it_needs_them() -> None:
    modules = loaded(
        "games yo",
        "serve --help",
        "verify --help",
        "analyze in-between --json --wager in_between",
        "certify in-between --decks 8",
    )
    assert not modules & HEAVY


def test_what_looks_after_the_records_does_not_load_the_web(tmp_path: Path) -> None:
    none = f"--data {tmp_path}"
    modules = loaded(f"verify {none}", f"replay money {none}", f"backup {tmp_path}/copy {none}", code=2)
    assert "apsw" in modules and not modules & WEB


def test_help_lists_every_command_with_the_beginning_of_its_own_help() -> None:
    registered = {str(c.callback.__name__): str(c.callback.__doc__) for c in app.registered_commands if c.callback}
    assert list(COMMANDS) == list(registered)
    for name, what in COMMANDS.items():
        assert " ".join(registered[name].split()).startswith(what.rstrip("."))
    assert max(map(len, told("--help").splitlines())) <= 80


@pytest.mark.parametrize("arguments", [(), ("--help",), ("games",)])
def test_what_is_answered_at_once_is_what_the_whole_program_answers(arguments: tuple[str, ...]) -> None:
    assert process(*arguments).stdout == told(*arguments)


def test_the_list_says_of_each_game_what_the_loaded_game_says() -> None:
    toys = [TOYS]
    for listed, name in zip(games.list_all(toys), games.names(toys), strict=True):
        game = games.load(name, toys)
        said, approval = game.definition, game.definition.approval
        assert listed[:4] == (game.name, game.title, tuple(said.versions), tuple(said.wagers))
        assert listed.approval == (f"document {approval.document}, {approval.approved}" if approval else "")
        assert listed.venues == (approval.venues if approval else ())
        assert listed.standing == game.standing


@pytest.mark.parametrize(
    ("old", "new", "standing"),
    [
        ("[pack]\ndecks = 6", "[pack]\ndecks = 7", "modified: not as approved"),
        ("[versions.three-card-bonus]", "[versions.three-card-bonus]\napproved = false", "carries no approval"),
    ],
)
def test_the_list_tells_a_definition_that_is_not_as_approved(tmp_path: Path, old: str, new: str, standing: str) -> None:
    ours = games.HOME / "one_for_the_money"
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "rules.py").write_text((ours / "rules.py").read_text("utf-8"), "utf-8")
    text = (ours / "game.toml").read_text("utf-8")
    assert text.count(old) == 1
    (mine / "game.toml").write_text(text.replace(old, new), "utf-8")
    assert games.list_all([mine])[-1].standing == loader.load_folder(mine).standing == standing


def test_a_slip_in_a_definition_is_told_by_the_list_and_one_in_the_rules_by_the_game(tmp_path: Path) -> None:
    toml, rules = tmp_path / "game.toml", tmp_path / "rules.py"
    toml.write_text((TOYS / "bands" / "game.toml").read_text("utf-8").replace("seats = 2", "seats = 99"), "utf-8")
    refused = felt("games", "--games", str(tmp_path))
    assert refused.exit_code == 2 and "game.toml:" in refused.stderr and "seats" in refused.stderr

    toml.write_text((TOYS / "bands" / "game.toml").read_text("utf-8"), "utf-8")
    refused = felt("games", "--games", str(tmp_path))
    assert refused.exit_code == 2 and "has no rules.py" in refused.stderr

    rules.write_text("1 / 0\n", "utf-8")
    assert "bands" in told("games", "--games", str(tmp_path))
    refused = felt("games", tmp_path.name.replace("_", "-"), "--games", str(tmp_path))
    assert refused.exit_code == 2 and "rules.py:1: the rules cannot be run: ZeroDivisionError" in refused.stderr


def test_the_list_fits_any_screen() -> None:
    printed = told("games")
    assert max(map(len, printed.splitlines())) <= LEAST_WIDTH


def test_a_package_that_announces_games_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "their_games" / "bands"
    package.mkdir(parents=True)
    for name in ("game.toml", "rules.py"):
        (package / name).write_text((TOYS / "bands" / name).read_text("utf-8"), "utf-8")
    for folder in (package.parent, package):
        (folder / "__init__.py").touch()
    info = tmp_path / "their_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[feltworks.games]\nbands = their_games.bands\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert "bands" in process("games").stdout
    assert process("games", "bands").returncode == 0
    assert process("check", "bands").returncode == 0

    rules = package / "rules.py"
    rules.write_text(rules.read_text("utf-8") + "\nBands.facts = property(lambda self: self.nix)\n", "utf-8")
    done = process("analyze", "bands")
    assert done.returncode == 2 and done.stderr.startswith(f"{rules}:") and len(done.stderr.splitlines()) == 1

    (package / "__init__.py").write_text("import nothing_there\n", "utf-8")
    done = process("analyze", "bands")
    assert (done.returncode, done.stderr) == (
        2,
        "The package of the game 'bands' cannot be loaded: ModuleNotFoundError: No module named 'nothing_there'.\n",
    )
