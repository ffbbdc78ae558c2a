"""How `felt` ends: with one clear sentence and exit code 2 where a person can put something right."""

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from feltworks.kit.errors import FeltworksError, UnknownName

INTERRUPTED, PIPE_CLOSED = 130, 1


class Felt(TyperGroup):
    """The group of all commands."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            raise UnknownName("command", cmd_name, self.commands)
        return self.commands[cmd_name]

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
            sys.stdout.flush()
        except FeltworksError as error:
            code = _refuse(str(error))
        except typer.TyperException as error:
            code = _refuse(error.format_message())
        except typer.Abort:
            code = INTERRUPTED
        except BrokenPipeError:
            # What is still buffered would raise again when the interpreter ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = PIPE_CLOSED
        sys.exit(code if isinstance(code, int) else 0)


def _refuse(sentence: str) -> int:
    typer.echo(sentence if sentence.endswith((".", "?")) else f"{sentence}.", err=True)
    return 2
