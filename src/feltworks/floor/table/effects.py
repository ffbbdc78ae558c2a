"""What an answer caused, as it is written down and booked: calls, moves and settlements in whole cents."""

from collections.abc import Sequence

from feltworks.floor.table import events as ev
from feltworks.floor.table.payout_limits import cut_to_limits
from feltworks.floor.table.payouts import Prize, settled
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.floor.table.wins import hold_wins
from feltworks.kit import steps
from feltworks.kit.cards import Token


def recorded_effects(
    effects: Sequence[steps.Effect], table: Table, prize: Prize | None = None
) -> tuple[ev.Effect, ...]:
    """What an answer caused at this table, as it is written down and booked; `prize` is the jackpot for which the table
    plays, where that is not the house's own."""
    found = [_effect(effect, table.settings, prize) for effect in effects]
    rounded = [effect for effect in found if isinstance(effect, ev.Settled)]
    exact = [effect for effect in effects if isinstance(effect, steps.Settlement)]
    booked = iter(hold_wins(exact, cut_to_limits(rounded, table.settings, table.game, table.paid), table.hold_over))
    return tuple(next(booked) if isinstance(effect, ev.Settled) else effect for effect in found)


def _effect(effect: steps.Effect, settings: TableSettings, prize: Prize | None) -> ev.Effect:
    match effect:
        case steps.Call(text):
            return ev.Called(text)
        case steps.Move(Token(owner, name), to):
            return ev.CardMoved(owner, name, to)
        case steps.Move(what, to):
            assert isinstance(what, str)
            return ev.Moved(what, to)
        case steps.WagerMoved(seat, spot, to, amount, rule):
            return ev.WagerMoved(seat, spot, to, int(amount), rule)
        case steps.Settlement():
            return settled(effect, settings, prize)
        case steps.Incident(kind, text):
            return ev.Called(f"{kind}: {text}" if text else kind)
