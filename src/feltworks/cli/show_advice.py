"""`felt advise`: what each option is worth, and what it costs to choose another than the best."""

from typing import Any

from rich.text import Text

from feltworks.cli.output import console, decimal, fit_in_column, headline, table
from feltworks.kit.advice import Advice
from feltworks.kit.game import Game
from feltworks.lab.analysis import standing_json
from feltworks.lab.wager_analysis import value_json

BEST = "► best"


def to_json(game: Game, advice: Advice) -> dict[str, Any]:
    worth = {name: value_json(value) for name, value in advice.options.items()}
    return {"best": advice.best, "options": worth, **standing_json(game)}


def show(game: Game, advice: Advice) -> None:
    screen = console()
    required = (wager.title for wager in game.wagers.values() if wager.required)
    unit = next(required, "wager that is staked first")
    short = fit_in_column(advice.options.values())
    figures = ("exactly", "worth", "costs") if short else ("worth", "costs")
    rows = []
    for name, value in advice.options.items():
        alone = name == advice.best or name in advice.beside
        cost = "" if alone else decimal(advice.cost(name), sign=False)
        cells = [name, *([str(value)] if short else []), decimal(value), cost, BEST * (name == advice.best)]
        rows.append([Text(cell, style="bold" if name == advice.best else "") for cell in cells])
    screen.print(headline(game))
    screen.print(Text(advice.situation))
    screen.print()
    screen.print(table(("option", *figures, ""), rows, right=figures, whole=("option", ""), width=screen.width))
    for name, value in advice.options.items() if not short else ():
        screen.print(Text(f"{name}: {value}"))
    screen.print()
    screen.print(f"Worth is the expected net result of the round, in units of the {unit}.")
