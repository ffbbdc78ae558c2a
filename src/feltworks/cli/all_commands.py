"""All commands with their options."""

from feltworks.cli import serving
from feltworks.cli.commands import app

__all__ = ["app", "serving"]
