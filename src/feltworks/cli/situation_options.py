"""The options of `felt advise` that the game itself knows: the keyword arguments of its `situation`."""

from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperCommand

from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game

GIVEN = "feltworks.situation"
"""Where a command keeps what such options say."""


class AdviseCommand(TyperCommand):
    """A command that takes any further option with a value, because only the game knows which there are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = {name for parameter in self.get_params(ctx) for name in (*parameter.opts, *parameter.secondary_opts)}
        ctx.meta[GIVEN] = given = {}
        rest: list[str] = []
        texts = iter(args)
        for text in texts:
            if text == "--":
                rest += [text, *texts]
            elif not text.startswith("--") or text.partition("=")[0] in own:
                rest.append(text)
            else:
                name, equals, value = text.partition("=")
                given[name[2:]] = value if equals else next(texts, None)
        parsed: list[str] = super().parse_args(ctx, rest)
        return parsed


def given_situation(context: typer.Context, game: Game) -> dict[str, str]:
    """What is known besides the cards, by the names that the game knows."""
    given: dict[str, str | None] = context.meta[GIVEN]
    allowed = game.situation_options
    for name, value in given.items():
        if name in allowed and (value is None or value.startswith("--")):
            raise BadValue(f"--{name} needs a value.")
    return {name: value or "" for name, value in given.items()}


def option_words(game: Game) -> Iterator[str]:
    """The options, as they are written."""
    for name, needed in game.situation_options.items():
        yield f"--{name}" if needed else f"[--{name}]"
