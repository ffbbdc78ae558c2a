"""All commands with their options."""

from feltworks.cli import floor_commands
from feltworks.cli.game_commands import app

__all__ = ["app", "floor_commands"]
