"""How a table is paused, closed and opened again, and how other settings come into force (F-40)."""

from feltworks.floor.accounts import Cents
from feltworks.floor.refusal import Refused
from feltworks.floor.table import events as ev
from feltworks.floor.table import faults, patrons
from feltworks.floor.table.outcome import Outcome
from feltworks.floor.table.registered import not_linked
from feltworks.floor.table.settings import TableSettings, standing
from feltworks.floor.table.settings_change import check_change, differences_between
from feltworks.floor.table.settings_check import check_settings
from feltworks.floor.table.state import Service, Table
from feltworks.kit.errors import FeltworksError


def check_service(outcome: Outcome, *wanted: Service) -> None:
    if outcome.table.service not in wanted:
        raise Refused(f"The table is {outcome.table.service}.")


def finish_closing(outcome: Outcome) -> None:
    """A table that closes is closed when its round is over, or when nobody is in it any more. What would stay up
    for the next round, or waits to be collected, goes back."""
    if outcome.table.service != "closing":
        return
    if outcome.table.betting and not outcome.round().playing:
        faults.void(outcome, outcome.table.service_reason)
    if outcome.table.round is not None:
        return
    table = outcome.table
    players = sorted({table.seats[seat].player for seat, _ in (*table.wagers, *table.winnings)})
    back = [ev.HandedBack(player, *_lying(table, player)) for player in players]
    outcome.happen(ev.TableClosed(table.service_reason, tuple(back)))
    for seat in sorted(seat for seat, who in table.seats.items() if who.is_patron):
        outcome.happen(ev.PatronLeft(seat, patrons.chips_of(outcome, seat)))


def _lying(table: Table, player: str) -> tuple[Cents, Cents]:
    """What a player has on the layout between two rounds: wagers and winnings."""
    seat = table.seat_of(player)
    wagers, winnings = (
        sum(int(cents) for (at, _), cents in laid.items() if at == seat) for laid in (table.wagers, table.winnings)
    )
    return wagers, winnings


def post_change(outcome: Outcome, settings: TableSettings) -> None:
    """What differs is posted first, and only then in force."""
    if outcome.table.change is not None:
        raise Refused("Another change is posted already; withdraw it first, or wait until it is in force.")
    check_change(outcome.table.settings, settings, outcome.table.seats)
    try:
        game = check_settings(settings, outcome.now)
    except FeltworksError as problem:
        raise Refused(str(problem)) from None
    if why := not_linked(outcome.jackpots, settings, game):
        raise Refused(why)
    differences = tuple(differences_between(outcome.table.settings, outcome.table.game, settings, game))
    if not differences:
        raise Refused("The table has these settings already.")
    prints = game.fingerprint
    standing_then = standing(settings, game)
    outcome.happen(ev.ChangePosted(settings, differences, prints["definition"], prints["build"], standing_then))


def change_settings(outcome: Outcome) -> None:
    """Between two rounds, when no wager and no win lies on the table, what was posted comes into force. A round in
    which nobody has a wager yet begins anew. What cannot be any more, because the law or the rules that are
    installed are others now, is withdrawn with the reason."""
    table = outcome.table
    if table.change is None or table.wagers or table.winnings:
        return
    if table.betting:
        faults.void(outcome, "The settings of the table change.")
    if outcome.table.round is not None:
        return
    settings = table.change.settings
    try:
        game = check_settings(settings, outcome.now)
    except FeltworksError as problem:
        outcome.happen(ev.ChangeWithdrawn(str(problem)))
        return
    if why := not_linked(outcome.jackpots, settings, game):
        outcome.happen(ev.ChangeWithdrawn(why))
        return
    prints = game.fingerprint
    if prints["definition"] != table.change.definition:
        outcome.happen(ev.ChangeWithdrawn("The rules on this machine are not those that were posted; post it again."))
        return
    outcome.happen(ev.SettingsChanged(settings, prints["definition"], prints["build"], standing(settings, game)))
