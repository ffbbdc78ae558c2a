"""A table that cannot be played on, because what it was played by is not installed: what lies on it, from its records
and entries alone, without the rules (F-17).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from feltworks.floor.accounts import AccountKind, Cents, Entry, Kind, patron_at, player_of, table_account
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Collected, Decided, NoWager, Placed, TakenUp
from feltworks.floor.table.entries import patron_entries
from feltworks.floor.table.pending import NOTHING, Pending
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.wins import held_account, pending_after, pending_entries
from feltworks.kit.round import VOID
from feltworks.kit.steps import Stake

STAYS = Stake.STAYS.value
PLAY_WITH = (AccountKind.PLAYER, AccountKind.SEAT)
"""Accounts from which wagers come."""


@dataclass(frozen=True)
class AbandonedTable:
    """What a player has on it is what was taken from the account, less what went back and what was lost; and what was
    won, less what was paid out."""

    settings: TableSettings
    definition: str
    why: str
    seats: Mapping[int, str] = field(default_factory=dict)
    wagers: Mapping[str, Cents] = field(default_factory=dict)
    winnings: Mapping[str, Cents] = field(default_factory=dict)
    lost: Mapping[str, Cents] = field(default_factory=dict)
    won: Mapping[str, Cents] = field(default_factory=dict)
    """What players lost and won by its last events, if nobody has signed them: the first version left such."""
    chips: Mapping[str, Cents] = field(default_factory=dict)
    """What patrons without an account have in front of their seats."""
    round: int = 0
    """The round that was being played; 0 between two."""
    pending: Pending = NOTHING
    """Wins to be verified, and disputes: they do not end with the rules."""
    abandoned: bool = False
    successor: str = ""
    version: int = 1
    answers: tuple[frozenset[tuple[int, str]], ...] = ()
    """Of each answer of the round, the seats and spots whose wagers it settled."""

    def after(
        self, event: ev.Event, entries: Iterable[Entry] = (), signed: bool = True, time: ev.Time = 0
    ) -> "AbandonedTable":
        """The same after one more event, with what it booked. What the house has signed vouches for all before it."""
        wagers, winnings = dict(self.wagers), dict(self.winnings)
        lost, won = ({}, {}) if signed else (dict(self.lost), dict(self.won))
        chips = dict(self.chips)
        for entry in entries:
            if entry.kind is Kind.WAGER_TAKEN and entry.payer.kind in PLAY_WITH:
                _add(wagers, player_of(entry.payer), entry.cents)
            elif entry.kind is Kind.WAGER_RETURNED:
                _add(wagers, player_of(entry.payee), -entry.cents)
            elif entry.kind is Kind.PAYOUT:
                _add(winnings, player_of(entry.payee), -entry.cents)
            for account, cents in ((entry.payer, -entry.cents), (entry.payee, entry.cents)):
                if account.kind is AccountKind.SEAT:
                    _add(chips, player_of(account), cents)
        for settled in _settled(event):
            player = self.seats[settled.seat]
            taken = settled.amount if settled.stake == "taken" else 0
            paid = 0 if settled.is_held else settled.paid
            _add(winnings, player, paid)
            _add(wagers, player, -taken)
            if not signed:
                _add(won, player, paid)
                _add(lost, player, taken)
        answers = self.answers
        if isinstance(event, ev.TakenBack | ev.Corrected):
            wagers = {lying.player: lying.wagers for lying in event.lying}
            winnings = {lying.player: lying.winnings for lying in event.lying}
            no_wager = isinstance(event, ev.Corrected) and isinstance(event.answer, NoWager)
            answers = (*answers[: event.entry - 1], *map(_decided, event.effects[1:] if no_wager else event.effects))
        elif isinstance(event, ev.Answered):
            answers = (*answers, _decided(event.effects))
        elif isinstance(event, ev.RoundStarted):
            answers = ()
        version = self.version + 1
        pending = pending_after(self.pending, event, self.settings.id, version, self.round, self.seats, time)
        lying = replace(self, wagers=wagers, winnings=winnings, lost=lost, won=won, chips=chips, answers=answers)
        same = replace(lying, pending=pending, version=version)
        match event:
            case ev.PatronSat(seat):
                return replace(same, seats={**self.seats, seat: patron_at(self.settings.id, seat)})
            case ev.Sat(seat, player):
                return replace(same, seats={**self.seats, seat: player})
            case ev.TableClosed():
                return replace(same, seats={})
            case ev.RoundStarted(number):
                return replace(same, round=number)
            case ev.RoundEnded() | ev.Voided():
                return replace(same, round=0)
            case ev.SettingsChanged(settings, definition):
                return replace(same, settings=settings, definition=definition)
            case ev.Abandoned():
                return replace(same, abandoned=True, round=0)
            case ev.Succeeded(by):
                return replace(same, successor=by)
        return same

    def can_book(self, event: ev.Event, entries: Sequence[Entry]) -> bool:
        """Whether an event can have made these entries, whatever the rules are: wagers go from a player to the table,
        and no more comes back than the event says, or than lay there."""
        if isinstance(event, ev.PatronSat | ev.PatronLeft):
            return list(entries) == patron_entries(self.settings.id, event)
        if isinstance(event, ev.WinReleased | ev.DisputeDecided):
            return list(entries) == pending_entries(self.settings.id, self.pending, event)
        here = table_account(self.settings.id)
        if isinstance(event, ev.TakenBack | ev.Corrected):
            return all(entry.kind is Kind.CORRECTION and here in (entry.payer, entry.payee) for entry in entries)
        settled = [*_settled(event), *(event.returned if isinstance(event, ev.Voided) else ())]
        held = [Entry(Kind.WIN_HELD, here, held_account(self.settings.id), s.paid) for s in settled if s.is_held]
        if held != [entry for entry in entries if entry.kind is Kind.WIN_HELD]:
            return False
        booked = dict.fromkeys((Kind.WAGER_TAKEN, Kind.WAGER_RETURNED, Kind.PAYOUT), 0)
        for entry in entries:
            if entry.kind is Kind.WIN_HELD:
                continue
            player, table = entry.payee, entry.payer
            if entry.kind is Kind.WAGER_TAKEN:
                player, table = table, player
            if entry.kind not in booked or table != here or player.kind not in PLAY_WITH:
                return False
            booked[entry.kind] += entry.cents
        taken, returned, paid = 0, sum(s.returned for s in settled), sum(s.paid for s in settled if not s.is_held)
        match event:
            case ev.TableClosed():
                returned += sum(max(0, cents) for cents in self.wagers.values())
                paid += sum(max(0, cents) for cents in self.winnings.values())
            case ev.Answered(Placed(_, _, amount)):
                taken = amount
            case ev.Answered(Decided(int())):
                taken = max((entry.cents for entry in entries if entry.kind is Kind.WAGER_TAKEN), default=0)
            case ev.Answered(TakenUp()):
                returned += sum(max(0, cents) for cents in self.wagers.values())
            case ev.Answered(Collected()) | ev.Voided():
                paid += sum(max(0, cents) for cents in self.winnings.values())
        return (
            booked[Kind.WAGER_TAKEN] == taken
            and booked[Kind.WAGER_RETURNED] <= returned
            and booked[Kind.PAYOUT] <= paid
        )

    def abandon(self, reason: str, signed: bool) -> ev.Abandoned:
        """Everybody gets back what lies there. Where winnings were wagered again, the wager counts as theirs. If only
        what was `signed` counts, nobody has won or lost by other events, and every wager goes back."""
        back = []
        for player, wagered, won in self._lying(signed):
            if wagered + won > 0:
                back.append(ev.HandedBack(player, min(max(wagered, 0), wagered + won), max(0, won + min(wagered, 0))))
        return ev.Abandoned(reason, tuple(back))

    def patrons_leave(self, abandoned: ev.Abandoned) -> list[ev.PatronLeft]:
        """Patrons without an account take away what they have, and what has just gone back to them."""
        chips = dict(self.chips)
        for back in abandoned.back:
            if back.player in chips:
                chips[back.player] += back.wagers + back.winnings
        seats = {patron_at(self.settings.id, seat): seat for seat in range(1, self.settings.seats + 1)}
        return [ev.PatronLeft(seats[player], cents) for player, cents in sorted(chips.items()) if cents]

    def paid_too_much(self) -> list[str]:
        """Players who got more out of the table than lay there for them by what was signed, and by their wagers."""
        return [player for player, wagered, won in self._lying(signed=True) if wagered + won < 0]

    def _lying(self, signed: bool) -> list[tuple[str, Cents, Cents]]:
        """By player what was wagered and what was won, less what went back; by all events, or by those signed."""
        found = []
        for player in sorted({*self.wagers, *self.winnings}):
            wagered, won = self.wagers.get(player, 0), self.winnings.get(player, 0)
            if signed:
                wagered, won = wagered + self.lost.get(player, 0), won - self.won.get(player, 0)
            found.append((player, wagered, won))
        return found


def _decided(effects: Iterable[ev.Effect]) -> frozenset[tuple[int, str]]:
    return frozenset(
        (one.seat, one.spot)
        for one in effects
        if isinstance(one, ev.Settled) and one.line != VOID and one.stake != STAYS
    )


def _settled(event: ev.Event) -> list[ev.Settled]:
    effects = event.effects if isinstance(event, ev.Answered) else ()
    return [effect for effect in effects if isinstance(effect, ev.Settled)]


def _add(to: dict[str, Cents], player: str, cents: Cents) -> None:
    to[player] = to.get(player, 0) + cents
