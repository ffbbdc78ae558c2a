"""Basic strategy as a chart: hard totals, soft totals and pairs against the dealer's upcard."""

from fractions import Fraction
from itertools import groupby

from feltworks.games.blackjack.enumerator.basic_strategy import BasicStrategy, Entry
from feltworks.games.blackjack.enumerator.upcard_solver import Action
from feltworks.games.blackjack.options import ALLOWED, Options
from feltworks.kit.chart import Chart, Grid

UPCARDS = "23456789TA"
MEANINGS = {
    "S": "stand",
    "H": "hit",
    "D": "double, or hit where that is not offered",
    "Ds": "double, or stand where that is not offered",
    "P": "split",
    "R": "surrender, or hit where that is not offered",
    "Rs": "surrender, or stand where that is not offered",
}
Rows = list[tuple[str, tuple[str, ...]]]


def basic_strategy(strategy: BasicStrategy, cost: Fraction) -> Chart:
    """The whole chart of a table's options."""
    hard = [(str(total), tuple(_code(strategy.hard[total, up]) for up in UPCARDS)) for total in range(21, 4, -1)]
    soft = [(str(total), tuple(_code(strategy.soft[total, up]) for up in UPCARDS)) for total in range(21, 12, -1)]
    pairs = [(f"{card}{card}", tuple(_pair(strategy, card, up) for up in UPCARDS)) for card in "AT98765432"]
    grids = tuple(
        _grid(title, rows)
        for title, rows in (("Hard totals", _merged(hard)), ("Soft totals", _merged(soft)), ("Pairs", pairs))
    )
    used = {code for grid in grids for row in grid.cells for code in row}
    return Chart(
        title="Blackjack, basic strategy",
        subtitle=options_text(strategy.analysis.options),
        grids=grids,
        meanings={code: meaning for code, meaning in MEANINGS.items() if code in used},
        notes=(
            f"Played by these totals the house wins {_percent(strategy.analysis.edge)} of the first wager; "
            f"the best play by the cards themselves saves {_percent(cost)} of it.",
            "Insurance and even money are declined: from a fresh shoe they never pay.",
        ),
    )


def options_text(options: Options) -> str:
    """The options of a table in a line: decks first, then each as it is posted."""
    decks = f"{options.decks} deck{'s' * (options.decks > 1)}"
    posted = [f"{name.replace('_', ' ')} {getattr(options, name).replace('_', ' ')}" for name in ALLOWED]
    return ", ".join([decks, *posted])


def _code(entry: Entry) -> str:
    stands = entry.otherwise == Action.STAND
    if entry.action == Action.DOUBLE:
        return "Ds" if stands else "D"
    if entry.action == Action.SURRENDER:
        return "Rs" if stands else "R"
    return "S" if stands else "H"


def _pair(strategy: BasicStrategy, card: str, up: str) -> str:
    """What is done with two of a card: split, or played by their total."""
    if strategy.pairs[card, up]:
        return "P"
    if card == "A":
        return _code(strategy.soft[12, up])
    return _code(strategy.hard[2 * (10 if card == "T" else int(card)), up])


def _merged(rows: Rows) -> Rows:
    """Neighbours that are played alike, in one row."""
    merged = []
    for cells, group in groupby(rows, key=lambda row: row[1]):
        totals = [total for total, _ in group]
        merged.append((totals[0] if len(totals) == 1 else f"{totals[-1]}-{totals[0]}", cells))
    return merged


def _grid(title: str, rows: Rows) -> Grid:
    return Grid(title, tuple(name for name, _ in rows), tuple(UPCARDS), tuple(cells for _, cells in rows))


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.4f} %"
