"""The group of all commands, with its help and its end."""

from typing import Any

import typer
from typer.core import TyperGroup

from feltworks.cli.exit_codes import INTERRUPTED, end_with, refuse
from feltworks.cli.quick_help import help_text
from feltworks.kit.errors import UnknownName


class Felt(TyperGroup):
    """The group of all commands."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            raise UnknownName("command", cmd_name, self.commands)
        return self.commands[cmd_name]

    def get_help(self, ctx: Any) -> str:
        return help_text()

    def main(self, *args: Any, **extra: Any) -> Any:
        end_with(lambda: self._run(*args, **extra))

    def _run(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().main(*args, **{**extra, "standalone_mode": False})
        except typer.TyperException as error:
            return refuse(error.format_message())
        except typer.Abort:
            return INTERRUPTED
