"""Which of the dealer's duties a step, a command or an effect is, and who does it at a table (F-03)."""

from typing import Literal

from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import DOES, DUTIES, Doer, Duty, TableSettings
from feltworks.floor.table.state import Table
from feltworks.kit import steps

Who = Literal["program", "dealer", "supervisor", "seats"]
"""Whom a table waits for."""


def asked(table: Table) -> Who:
    """Who does what comes next."""
    step = table.step
    match step:
        case steps.Choose(steps.Role.SUPERVISOR):
            return "supervisor" if table.settings.has_dealer or table.incident else "program"
        case steps.Choose(steps.Role.DEALER) if table.incident:
            return "dealer"
        case steps.Choose(who) if not isinstance(who, steps.Role):
            return "seats"
    return "dealer" if table.settings.duty(_duty(table)) == "person" else "program"


def _duty(table: Table) -> Duty:
    match table.step:
        case steps.Bet():
            return "betting"
        case steps.Deal() | steps.Turn():
            return "dealing"
        case steps.Read():
            return "reading"
        case steps.Roll() | steps.Spin():
            return "rolling"
        case steps.Choose():
            return "sensing"
    if table.round is not None:
        return "paying"
    return "dealing" if table.settings.is_physical and table.needs_shuffle else "betting"


def duty_of(command: "cmd.DealerCommand", table: Table) -> Duty:
    """Which duty somebody does by a command. To shuffle physical cards is to deal."""
    match command:
        case cmd.StartRound(shuffle):
            return "dealing" if shuffle and table.settings.is_physical else "betting"
        case cmd.CloseBetting():
            return "betting"
        case cmd.EndRound():
            return "paying"
    return _duty(table)


def whose(effect: ev.Effect, settings: TableSettings) -> Doer:
    """Who carries out an effect: chips are taken, paid and moved, everything else is words and signals."""
    return settings.duty("paying" if isinstance(effect, ev.Settled | ev.WagerMoved) else "calling")


def waits_for_ticks(table: Table) -> bool:
    """Whether a person has not ticked off yet all that is theirs to carry out: the program does not hurry ahead."""
    settings = table.settings
    if not settings.has_dealer:
        return False
    if table.undo and settings.duty("paying") == "person":
        return True
    left = (e for n, e in enumerate(table.effects) if n >= table.done and n not in table.carried)
    return any(whose(effect, settings) == "person" for effect in left)


def only_for(doer: Doer, duty: Duty, settings: TableSettings) -> str:
    """In a sentence, who does a duty at a table and nobody else."""
    if not settings.has_dealer:
        return "The program deals at this table."
    if all(settings.duty(other) == "person" for other in DUTIES):
        return "People deal at this table."
    return f"{'A person' if doer == 'person' else 'The program'} {DOES[duty]} at this table."
