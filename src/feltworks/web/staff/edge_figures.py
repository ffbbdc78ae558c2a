"""What settings do to the exact edge of each wager, as a manager reads it: asked of the lab, and told in words when the
lab does not answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from feltworks.floor.table.settings import TableSettings
from feltworks.kit.questions import Edges, EdgesTold, Mistake, WagerEdge
from feltworks.web.lab import NOT_NOW, Lab, NotNow

PATIENCE = 4.0
"""Seconds for which a page without scripts waits; with scripts a figure is shown whenever it comes."""
COUNTED = "It is being counted."


@dataclass(frozen=True)
class Figure:
    """The edge of one wager, and how far it is from that of the game as it is listed."""

    wager: str
    title: str
    percent: str = ""
    exact: str = ""
    difference: str = ""
    listed: str = ""
    note: str = ""
    pending: bool = False
    """Whether it has to be asked for by itself, because it takes longer."""


@dataclass(frozen=True)
class Figures:
    """Figures, or why there are none."""

    rows: Sequence[Figure] = ()
    why: str = ""


class EdgeFigures:
    """Asks the lab."""

    def __init__(self, lab: Lab | None) -> None:
        self.lab = lab

    async def first(self, settings: TableSettings, asker: str) -> Figures:
        """What is known quickly; the rest is pending."""
        return await self._ask(settings, None, asker)

    async def of_wager(self, settings: TableSettings, wager: str, asker: str) -> Figures:
        return await self._ask(settings, wager, asker)

    async def all(self, settings: TableSettings, asker: str) -> Figures:
        """Everything that comes in time, for a page that cannot ask again."""
        try:
            found = await asyncio.wait_for(self.first(settings, asker), PATIENCE)
        except TimeoutError:
            return Figures(why=NOT_NOW)
        pending = [figure.wager for figure in found.rows if figure.pending]
        asked = [asyncio.create_task(self.of_wager(settings, wager, asker)) for wager in pending]
        if asked:
            await asyncio.wait(asked, timeout=PATIENCE)
        later = {}
        for wager, task in zip(pending, asked, strict=True):
            if task.done() and task.result().rows:
                later[wager] = task.result().rows[0]
            task.cancel()
        rows = [later.get(row.wager, row) for row in found.rows]
        return Figures([Figure(row.wager, row.title, note=NOT_NOW) if row.pending else row for row in rows], found.why)

    async def _ask(self, settings: TableSettings, wager: str | None, asker: str) -> Figures:
        if self.lab is None:
            return Figures(why=NOT_NOW)
        try:
            told = await self.lab.ask(_question(settings, wager), f"{asker} edges {wager}")
        except NotNow as refusal:
            return Figures(why=str(refusal))
        match told:
            case EdgesTold():
                return Figures([_figure(edge) for edge in told.wagers])
            case Mistake(why):
                return Figures(why=why)
        return Figures(why=NOT_NOW)


def _question(settings: TableSettings, wager: str | None) -> Edges:
    return Edges(
        game=settings.game,
        version=settings.version,
        decks=settings.decks,
        readings=settings.readings,
        pay=settings.pay,
        without=list(settings.without),
        wager=wager,
    )


def _figure(edge: WagerEdge) -> Figure:
    if edge.apart:
        return Figure(edge.wager, edge.title, note=COUNTED, pending=True)
    if edge.exact is None or edge.listed_exact is None:
        return Figure(edge.wager, edge.title, note=edge.note)
    apart = Fraction(edge.exact) - Fraction(edge.listed_exact)
    return Figure(
        edge.wager,
        edge.title,
        edge.percent or "",
        edge.exact,
        _difference(apart),
        edge.listed_percent or "",
        edge.note or ("In the players' favour." if Fraction(edge.exact) < 0 else ""),
    )


def _difference(apart: Fraction) -> str:
    """With a sign, in percentage points; nothing where it is the same."""
    if not apart:
        return ""
    shown = f"{abs(round(apart * 10**6)) / 10**4:.4f}"
    return f"{'+' if apart > 0 else '−'}{shown}"
