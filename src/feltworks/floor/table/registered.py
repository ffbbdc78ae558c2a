"""Which wagers of a table are registered with a progressive jackpot, and what an event changes of that (D-13, F-24)."""

from feltworks.floor.accounts import Cents
from feltworks.floor.jackpot.at_table import Jackpots
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.kit.game import Game
from feltworks.kit.questions import JackpotSettings

Place = tuple[int, str]
"""A seat and a spot."""


def registered(table: Table) -> dict[Place, Cents]:
    """In the round that is played, also those that are settled already."""
    wagers = table.round.registered if table.round is not None else {}
    return {(int(seat), spot): int(cents) for (seat, spot), cents in wagers.items()}


def changed(before: Table, event: ev.Event, after: Table) -> tuple[dict[Place, Cents], dict[Place, Cents]]:
    """The wagers that an event registers, and those of which it takes that back. What was settled when a round became
    void stands, and so does its registration."""
    was = registered(before)
    if isinstance(event, ev.RoundEnded):
        return {}, {}
    if isinstance(event, ev.Voided):
        up = {(int(seat), spot) for seat, spot in before.wagers}
        return {}, {place: cents for place, cents in was.items() if place in up}
    now = registered(after)
    if was == now:
        return {}, {}
    come = {place: cents for place, cents in now.items() if was.get(place) != cents}
    return come, {place: cents for place, cents in was.items() if now.get(place) != cents}


def not_linked(jackpots: Jackpots, settings: TableSettings, game: Game | None = None) -> str:
    """Why a table may not be set to play for its progressive jackpot; nothing if it may, or plays for none."""
    if not settings.jackpot:
        return ""
    return jackpots.not_linked(settings.jackpot, settings.id, played_by(settings, game))


def played_by(settings: TableSettings, game: Game | None = None) -> JackpotSettings:
    """By which hands, pays and wager a table plays for a jackpot, as the laboratory is asked about it."""
    [wager] = (game or settings.load_game()).jackpots
    return JackpotSettings(
        game=settings.game,
        version=settings.version,
        decks=settings.decks,
        readings=dict(sorted(settings.readings.items())),
        pay=dict(sorted(settings.pay.items())),
        without=sorted(settings.without),
        wager=settings.limits[wager].least,
    )
