"""The `felt` command: a thin layer over `feltworks.api`."""

from feltworks.cli import serving
from feltworks.cli.commands import app

__all__ = ["app", "main", "serving"]


def main() -> None:
    """The entry point of `felt`."""
    app(prog_name="felt")
