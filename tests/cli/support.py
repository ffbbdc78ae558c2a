"""Running `felt` for the tests: in this process, or as a person runs it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from feltworks.cli.floor_commands import app

TOYS, FAULTY = (Path(__file__).parent.parent / folder for folder in ("toys", "faulty"))
OFTM = "one-for-the-money"


def felt(*args: str, typed: str | None = None, columns: int | None = None) -> Result:
    env = {"COLUMNS": None if columns is None else str(columns), "NO_COLOR": "1", "FORCE_COLOR": None}
    return CliRunner(env=env).invoke(app, args, input=typed, prog_name="felt")


def told(*args: str, typed: str | None = None, columns: int | None = None) -> str:
    """What a command that goes well prints; nothing goes to standard error."""
    result = felt(*args, typed=typed, columns=columns)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def read(*args: str) -> Any:
    """The JSON that a command prints."""
    printed = told(*args, "--json")
    assert printed.endswith("\n")
    return json.loads(printed)


def process(*args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "feltworks.cli", *args]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
