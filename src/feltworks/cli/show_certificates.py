"""`felt certify`: every printed figure beside the exact one, with the verdict in words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from rich.table import Table
from rich.text import Text

from feltworks.cli.output import console, facts, fit_in_column, percent, table
from feltworks.kit.definition import Published
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.lab.certify import (
    LAST_DIGIT,
    NOT_REPRODUCED,
    ROUNDED,
    TOO_LARGE,
    TRUNCATED,
    Certificate,
    Certificates,
)
from feltworks.terminal.words import counted

STYLES = {ROUNDED: "green", TRUNCATED: "green", LAST_DIGIT: "yellow", NOT_REPRODUCED: "bold red", TOO_LARGE: "bold red"}


def printed_for(games: Sequence[Game], version: str | None, decks: int | None, wager: str | None) -> list[Game]:
    """The games with only those of their printed figures that are asked for."""

    def wanted(game: Game, figure: Published) -> bool:
        return (
            (version is None or figure.version in ("", version))
            and (decks is None or game.definition.decks_of(figure) == decks)
            and (wager is None or figure.wager == wager)
        )

    kept = []
    for game in games:
        if published := tuple(figure for figure in game.definition.published if wanted(game, figure)):
            definition = game.definition.model_copy(update={"published": published})
            kept.append(replace(game, definition=definition))
    if not kept:
        raise BadValue(f"No such figure is printed; printed are: {_printed(games)}.")
    return kept


def _printed(games: Iterable[Game]) -> str:
    cases = dict.fromkeys(
        (figure.wager, figure.version, game.definition.decks_of(figure))
        for game in games
        for figure in game.definition.published
    )
    words = [w + (f" of {v}" if v else "") + (f" with {counted(d, 'deck')}" if d else "") for w, v, d in cases]
    return ", ".join(words) or "none"


def show(certificates: Certificates) -> None:
    screen = console()
    notes = list(dict.fromkeys(figure.note for figure in certificates if figure.note))
    for (game, wager, *about), figures in groupby(certificates, lambda f: (f.game, f.wager, f.standing, f.origin)):
        screen.print(Text.assemble((f"{game} · {wager}", "bold"), *(f" · {words}" for words in about)))
        screen.print(_table(list(figures), notes, screen.width))
        screen.print()
    counts = Counter(figure.verdict for figure in certificates)
    totals = ", ".join(f"{counts[verdict]} {verdict}" for verdict in STYLES if counts[verdict])
    screen.print(f"{counted(len(certificates), 'printed figure')}: {totals or 'none'}.", style="bold")
    if notes:
        screen.print()
        screen.print(facts((f"note {number}", note) for number, note in enumerate(notes, start=1)))


def _table(figures: list[Certificate], notes: list[str], width: int) -> Table:
    short = fit_in_column(figure.exact for figure in figures if figure.exact is not None)
    columns = ("case", "printed", "in percent", *(["exactly"] if short else []), "verdict", "note")
    rows: list[tuple[str | Text, ...]] = [
        (
            figure.case if short or figure.exact is None else f"{figure.case}\n{figure.exact}",
            f"{figure.printed} %",
            "" if figure.exact is None else percent(figure.exact, 5),
            *(["" if figure.exact is None else str(figure.exact)] if short else []),
            Text(figure.verdict, style=STYLES[figure.verdict]),
            f"note {notes.index(figure.note) + 1}" if figure.note else "",
        )
        for figure in figures
    ]
    return table(columns, rows, right=("printed", "in percent", "exactly"), whole=("verdict", "note"), width=width)
