"""The entries that an event makes in the books: chips on the layout lie with the table until they go back."""

from collections import Counter
from collections.abc import Iterable

from feltworks.floor.accounts import (
    CIRCULATION,
    Account,
    Entry,
    Kind,
    account_of,
    patron_at,
    table_account,
)
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Answer, Collected, TakenUp, played
from feltworks.floor.table.evolve import events_again, folded_on, index_of, rewound
from feltworks.floor.table.state import Remembered, Table
from feltworks.floor.table.wins import held_account, pending_entries
from feltworks.kit import steps
from feltworks.kit.cards import Seat


def entries(before: Table | None, event: ev.Event) -> list[Entry]:
    """What an event books, given the table before it."""
    if before is None:
        return []
    here = table_account(before.settings.id)
    match event:
        case ev.Answered(TakenUp(seat, spot)):
            assert before.round is not None
            wager = int(before.round.stake(Seat(seat), spot))
            return [Entry(Kind.WAGER_RETURNED, here, before.account_of(seat), wager)]
        case ev.Answered(Collected(seat, spot)):
            return [Entry(Kind.PAYOUT, here, before.account_of(seat), int(before.winnings[Seat(seat), spot]))]
        case ev.Answered(answer, effects):
            return [*_wagered(before, answer, here), *_settled(before, effects, here)]
        case ev.Voided(returned=returned):
            lying = [Entry(Kind.PAYOUT, here, before.account_of(s.seat), s.returned) for s in returned if not s.amount]
            return [*lying, *_settled(before, [s for s in returned if s.amount], here)]
        case ev.Abandoned(back=back) | ev.TableClosed(back=back):
            return abandoned_entries(before.settings.id, back)
        case ev.PatronSat() | ev.PatronLeft():
            return patron_entries(before.settings.id, event)
        case ev.WinReleased() | ev.DisputeDecided():
            return pending_entries(before.settings.id, before.pending, event)
        case ev.TakenBack() | ev.Corrected():
            return _difference(before, event)
    return []


def _difference(before: Table, event: ev.TakenBack | ev.Corrected) -> list[Entry]:
    """F-20: what the round books as it is now, less what it has booked since the entry that was wrong, account by
    account and with the table as the other side."""
    here, start = table_account(before.settings.id), rewound(before, event.entry)
    was = [past.event for past in before.past[index_of(before, event.entry) :]]
    owed = _booked(start, events_again(before, event))
    owed.subtract(_booked(start, was))
    return [
        Entry(Kind.CORRECTION, here, account, cents) if cents > 0 else Entry(Kind.CORRECTION, account, here, -cents)
        for account, cents in sorted(owed.items(), key=lambda one: str(one[0]))
        if cents and account != here
    ]


def _booked(table: Table, events: Iterable[Remembered]) -> Counter[Account]:
    """What each account gets by events of a round that is folded again from there."""
    got: Counter[Account] = Counter()
    last: Remembered | None = None
    for event in events:
        table = table if last is None else folded_on(table, last)
        last = event
        for entry in entries(table, event) if isinstance(event, ev.Answered) else ():
            got[entry.payee] += entry.cents
            got[entry.payer] -= entry.cents
    return got


def patron_entries(table: str, event: ev.PatronSat | ev.PatronLeft) -> list[Entry]:
    """F-10: chips that a patron brings are in circulation before and after."""
    account = account_of(patron_at(table, event.seat))
    if not event.chips:
        return []
    if isinstance(event, ev.PatronSat):
        return [Entry(Kind.BUY_IN, CIRCULATION, account, event.chips)]
    return [Entry(Kind.CASH_OUT, account, CIRCULATION, event.chips)]


def _wagered(before: Table, answer: Answer, here: Account) -> list[Entry]:
    assert before.round is not None
    made = before.round.staked(played(answer, before.round))
    return [Entry(Kind.WAGER_TAKEN, before.account_of(made[0]), here, int(made[2]))] if made else []


def _settled(before: Table, effects: "list[ev.Settled] | tuple[ev.Effect, ...]", here: Account) -> list[Entry]:
    made = []
    for settled in effects:
        if not isinstance(settled, ev.Settled) or _lies_there(before, settled):
            continue
        account = before.account_of(settled.seat)
        if settled.returned:
            made.append(Entry(Kind.WAGER_RETURNED, here, account, settled.returned))
        if settled.is_held:
            made.append(Entry(Kind.WIN_HELD, here, held_account(before.settings.id), settled.paid))
        elif settled.paid:
            made.append(Entry(Kind.PAYOUT, here, account, settled.paid))
    return made


def _lies_there(table: Table, settled: ev.Settled) -> bool:
    """Whether what was won lies on the spot until it is collected: chips on the layout are with the table."""
    stays = settled.stake == steps.Stake.STAYS.value and not settled.is_held
    return stays and table.game.wager_of(settled.spot).self_service


def abandoned_entries(table: str, back: tuple[ev.HandedBack, ...]) -> list[Entry]:
    """What a table hands back that is closed."""
    here, made = table_account(table), []
    for handed in back:
        account = account_of(handed.player)
        if handed.wagers:
            made.append(Entry(Kind.WAGER_RETURNED, here, account, handed.wagers))
        if handed.winnings:
            made.append(Entry(Kind.PAYOUT, here, account, handed.winnings))
    return made
