"""Wins that are held (F-19): a payout above the limit waits in an account of its own until surveillance has verified
it. The round goes on, and what was won is its player's to stake only then.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import (
    CIRCULATION,
    Account,
    AccountKind,
    Cents,
    Entry,
    Kind,
    account_of,
    is_patron,
    patron_at,
    table_account,
)
from feltworks.floor.actors import Actor
from feltworks.floor.refusal import Refused
from feltworks.floor.table import events as ev
from feltworks.floor.table.pending import KEPT, KEPT_STANDING, DecidedDispute, Dispute, HeldWin, Pending
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.odds import Larger, Odds, Pay
from feltworks.kit.steps import Settlement

if TYPE_CHECKING:
    from feltworks.floor.table.state import Table


def held_account(table: str) -> Account:
    """Where the held wins of a table are."""
    return Account(AccountKind.HELD, table)


def hold_wins(
    settlements: Sequence[Settlement], booked: Sequence[ev.Settled], limit: Cents | UnsetType
) -> list[ev.Settled]:
    """The settlements of one event, with those marked whose payout is above the limit, each by itself. The stake does
    not count, which odds "for 1" have in them."""
    return [
        msgspec.structs.replace(paid, held=True)
        if limit is not UNSET and paid.paid - (paid.amount if _has_stake_in_it(exact.pay) else 0) > limit
        else paid
        for exact, paid in zip(settlements, booked, strict=True)
    ]


def _has_stake_in_it(pay: Pay | None) -> bool:
    odds = pay.odds if isinstance(pay, Larger) else pay
    return isinstance(odds, Odds) and odds.kind == "for"


def verifies_itself(settings: TableSettings) -> bool:
    """Whether nobody is needed to verify a win: at a training table that the program deals, nobody watches."""
    return settings.venue == "training" and not settings.has_dealer


def win_ids(event: ev.Event, version: int) -> list[str]:
    """The ids of the wins that an event holds; it is the event of this number."""
    if isinstance(event, ev.DisputeDecided):
        return [f"{version}-1"] if event.held else []
    return list(_by_id(event.effects if isinstance(event, ev.Answered) else (), version))


def _by_id(effects: Iterable[ev.Effect], version: int) -> dict[str, ev.Settled]:
    settled = [effect for effect in effects if isinstance(effect, ev.Settled)]
    return {f"{version}-{n}": one for n, one in enumerate(settled, 1) if one.is_held}


def _held_win(id: str, won: ev.Settled, round: int, players: Mapping[int, str], time: ev.Time) -> HeldWin:
    return HeldWin(id, round, won.seat, won.spot, won.line, won.paid, players[won.seat], time)


def _held(effects: Iterable[ev.Effect]) -> list[ev.Settled]:
    return [effect for effect in effects if isinstance(effect, ev.Settled) and effect.is_held]


def _place(won: ev.Settled) -> tuple[int, str, str, Cents]:
    return won.seat, won.spot, won.line, won.paid


def held_anew(
    table: "Table", gone: Iterable[ev.Effect], come: Iterable[ev.Effect], now: ev.Time
) -> tuple[HeldWin, ...]:
    """The wins of the round that are held when the last of its settlements are made anew (F-20). What surveillance has
    verified is paid, and a correction takes none of it back: also where it cannot be told which of several equal wins
    it was."""
    left = [win for win in table.wins.values() if win.round == table.round_number]
    was = [past.event for past in table.past if isinstance(past.event, ev.Answered)]
    ever = Counter(map(_place, _held(effect for event in was for effect in event.effects)))
    for key in map(_place, _held(gone)):
        equal = [win for win in left if (win.seat, win.spot, win.line, win.cents) == key]
        if len(equal) < ever[key]:
            raise Refused("A win that would change was verified and paid; what was wrong is decided as a dispute.")
        left.remove(equal[-1])
        ever[key] -= 1
    players = {seat: who.player for seat, who in table.seats.items()}
    won = _by_id(come, table.version + 1)
    return (*left, *(_held_win(id, win, table.round_number, players, now) for id, win in won.items()))


def pending_after(
    pending: Pending,
    event: ev.Event,
    table: str,
    version: int,
    round: int,
    players: Mapping[int, str],
    time: ev.Time,
) -> Pending:
    """What is open after an event of a table, which is the one of this number and of this round."""
    match event:
        case ev.Answered():
            held = _by_id(event.effects, version)
            if not held:
                return pending
            won = {id: _held_win(id, win, round, players, time) for id, win in held.items()}
            return msgspec.structs.replace(pending, wins={**pending.wins, **won})
        case ev.TakenBack(held=anew) | ev.Corrected(held=anew):
            others = {id: win for id, win in pending.wins.items() if win.round != round}
            return msgspec.structs.replace(pending, wins={**others, **{win.id: win for win in anew}})
        case ev.WinReleased(win):
            left = {id: held for id, held in pending.wins.items() if id != win}
            return msgspec.structs.replace(pending, wins=left)
        case ev.Claimed(number, disputed, seat, player, text, by):
            made = Dispute(number, disputed, seat, player, text, time, by)
            return msgspec.structs.replace(pending, disputes={**pending.disputes, number: made}, claims=number)
        case ev.DisputeDecided(number, decision, rule, reason, _, amount):
            dispute, wins = pending.disputes[number], dict(pending.wins)
            undecided = {n: other for n, other in pending.disputes.items() if n != number}
            for id in win_ids(event, version):
                of = (dispute.round, dispute.seat, "", f"dispute {number}")
                wins[id] = HeldWin(id, *of, amount, dispute.player, dispute.at)
            found = (*pending.decided, DecidedDispute(dispute, decision, rule, reason, amount, time))[-KEPT:]
            stands = (*pending.stands, (dispute.round, dispute.seat))[-KEPT_STANDING:]
            return Pending(wins, undecided, pending.claims, found, stands)
        case ev.PatronLeft(seat) if not pending.is_empty:
            return pending.without_patron(patron_at(table, seat))
    return pending


def pending_entries(table: str, pending: Pending, event: ev.Event) -> list[Entry]:
    """What is booked when something that was open is decided. Whoever had no account and has gone gets it in chips."""
    match event:
        case ev.WinReleased(id):
            win = pending.wins[id]
            return [Entry(Kind.WIN_RELEASED, held_account(table), _of(win.player), win.cents)]
        case ev.DisputeDecided(number, amount=amount) if amount:
            here = table_account(table)
            player = held_account(table) if event.held else _of(pending.disputes[number].player)
            payer, payee = (here, player) if amount > 0 else (player, here)
            return [Entry(Kind.CORRECTION, payer, payee, abs(amount))]
    return []


def _of(player: str) -> Account:
    return account_of(player) if player else CIRCULATION


def released(pending: Pending, id: str, actor: Actor) -> ev.WinReleased:
    """Surveillance verifies a win."""
    win = pending.wins.get(id)
    if win is None:
        raise Refused("No win of that number is held at this table; it may have been verified already.")
    if win.player == actor.id and not is_patron(win.player):
        raise Refused("That is your own win; somebody else of surveillance verifies it.")
    return ev.WinReleased(id, actor.id)
