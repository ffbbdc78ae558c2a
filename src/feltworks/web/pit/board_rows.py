"""A table at a glance, and what has to be known or done about it: made from the table alone, of whatever game."""

from collections.abc import Callable, Iterator
from functools import partial

from feltworks.floor.accounts import money
from feltworks.floor.roles import RIGHTS, Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.incidents import asked_of_staff, deciders, told_decision, voiding
from feltworks.floor.table.pending import Pending
from feltworks.floor.table.settings import TableSettings, standing
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.felt import colour_of
from feltworks.kit.game import Game
from feltworks.kit.hands import capital
from feltworks.web import views
from feltworks.web.pit.board_messages import BoardAlert, BoardOption, BoardTable
from feltworks.web.staff.disputes import PATH as DISPUTES

PROGRAM = "the program"
MOST_ROUNDS = 2**53


def row(table: Table, names: views.Names) -> BoardTable:
    """What everybody at the table may see of it: while seats decide together, nothing of what one of them chose."""
    shown, settings = table.shown or table, table.settings
    return BoardTable(
        id=settings.id,
        name=settings.name,
        title=table.game.title,
        felt=colour_of(table.game),
        venue=settings.venue,
        standing=standing(settings, table.game).words,
        round=None if table.round is None else table.round_number,
        phase=views.phase(table),
        message=views.message(table, None, names),
        deadline=table.deadline,
        seats=settings.seats,
        taken=sorted(table.seats),
        away=sorted(seat for seat, who in table.seats.items() if not who.present),
        acting=sorted(table.to_act),
        stake=int(sum(shown.wagers.values())),
        dealer=dealer_of(table, names),
        has_dealer=settings.has_dealer,
        service=table.service,
        why=table.service_reason,
        alerts=list(alerts(table, names)),
        version=table.version,
    )


def dealer_of(table: Table, names: views.Names) -> str:
    """Who has signed on (F-41), or the program where it does every duty; nobody where a dealer is missing."""
    if table.dealer:
        return names(table.dealer)
    return "" if table.settings.has_dealer else PROGRAM


def alerts(table: Table, names: views.Names) -> Iterator[BoardAlert]:
    """What somebody has to decide, release or know, the most urgent first."""
    step = asked_of_staff(table)
    if step is not None and isinstance(step.who, steps.Role):
        ends = voiding(table)
        yield BoardAlert(
            kind="incident" if table.incident else "decision",
            text=_reported(table),
            id=str(table.report) if table.incident else "",
            roles=tuple(sorted(deciders(table), reverse=True)),
            options=tuple(
                BoardOption(option.name, option.title or capital(option.name), option.name in ends)
                for option in step.options
            ),
        )
    yield from pending_alerts(
        table.settings.id, table.pending, table.last_over, partial(_spot_title, table.game), names
    )
    for device in table.out_of_service:
        yield BoardAlert(kind="out of service", text=capital(device), id=device, roles=_who_may(cmd.Release))
    if table.settings.has_dealer and not table.dealer and table.service == "open":
        yield BoardAlert(kind="no dealer", text="Nobody has signed on to deal", roles=_who_may(cmd.SignOn))
    if table.service == "paused":
        yield BoardAlert(kind="paused", text=table.service_reason, roles=_who_may(cmd.Resume))
    elif table.service == "closing":
        yield BoardAlert(kind="closing", text=table.service_reason)
    elif table.service == "closed":
        yield BoardAlert(kind="closed", text=table.service_reason)
    if table.change is not None:
        yield BoardAlert(kind="change", text=f"From the next round: {'; '.join(table.change.differences)}")


def _reported(table: Table) -> str:
    """What was reported, or what else the supervisor has to decide."""
    if not table.incident:
        return told_decision(table)
    return f"{capital(table.incident)}{f': {table.report_text}' if table.report_text else ''}"


def _spot_title(game: Game, spot: str) -> str:
    """What a spot is called; the table may not offer it any more, and what a dispute corrects was on none."""
    return game.spot_title(spot) if game.has_spot(spot) else spot


def pending_alerts(
    table: str, pending: Pending, last_over: int, title: Callable[[str], str], names: views.Names
) -> Iterator[BoardAlert]:
    """F-19: wins that wait to be verified, and disputes, each with the round that is the evidence."""
    for win in pending.wins.values():
        whose = f" for {names(win.player)}" if win.player else ""
        yield BoardAlert(
            kind="held win",
            text=f"{money(win.cents)}{whose}, seat {win.seat}: {', '.join(filter(None, (title(win.spot), win.line)))}",
            id=win.id,
            roles=_who_may(cmd.VerifyWin),
            round=win.round if win.round <= last_over else None,
            step=int(win.id.partition("-")[0]),
        )
    for dispute in pending.disputes.values():
        whose = f", {names(dispute.player)}" if dispute.player else ""
        yield BoardAlert(
            kind="dispute",
            text=f"Seat {dispute.seat}{whose}: {dispute.text}",
            id=str(dispute.number),
            roles=_who_may(cmd.DecideDispute),
            round=dispute.round,
            path=f"{DISPUTES}/{table}/{dispute.number}",
        )


def closed_row(id: str, settings: TableSettings | None, why: str, pending: Pending, names: views.Names) -> BoardTable:
    """A table that is closed for good, as long as it has left something open."""
    return BoardTable(
        id=id,
        name=settings.name if settings else id,
        title=settings.game if settings else "",
        felt="#444",
        venue=settings.venue if settings else "",
        standing="",
        round=None,
        phase="waiting",
        message=why,
        deadline=None,
        seats=settings.seats if settings else 0,
        taken=[],
        away=[],
        acting=[],
        stake=0,
        dealer="",
        has_dealer=False,
        service="closed",
        why=why,
        alerts=[*pending_alerts(id, pending, MOST_ROUNDS, str, names), BoardAlert(kind="closed", text=why)],
        version=0,
    )


def _who_may(command: type) -> tuple[str, ...]:
    return tuple(role.value for role in Role if role in RIGHTS[command].roles)
