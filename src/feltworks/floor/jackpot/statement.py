"""The statement of a jackpot, line by line, and its check by the books alone (F-25)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from feltworks.floor.accounts import Cents, Entry, Kind, money
from feltworks.floor.jackpot import events as ev
from feltworks.floor.jackpot.meter import Meter, jackpot_stream, meter_account, reserve_account
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import HOUSE_STREAM


class Line(NamedTuple):
    """An event of a jackpot, what it changes, and where the meter and the reserve stand after it."""

    number: int
    time: int
    actor: str
    event: ev.Event
    meter_change: Cents
    meter: Cents
    reserve_change: Cents
    reserve: Cents
    words: str


def lines(meter: Meter, store: Reader, last: int | None = None, limit: int = 100) -> list[Line]:
    """The last events of a jackpot, at most so many, the newest last; `last` a number: those up to this one. Each event
    says what it changes, so that nothing is folded: the balances are counted back from where the jackpot stands."""
    end = meter.version if last is None else min(last, meter.version)
    records = list(store.read(jackpot_stream(meter.id), max(0, end - limit), meter.version))
    found, stands, kept = list[Line](), meter.meter, meter.reserve
    for record in reversed(records):
        event = event_of(record)
        of_meter, of_reserve = change_of(event)
        if record.sequence <= end:
            about = (record.sequence, record.time, record.actor, event)
            found.append(Line(*about, of_meter, stands, of_reserve, kept, words_of(event)))
        stands, kept = stands - of_meter, kept - of_reserve
    return found[::-1]


def change_of(event: ev.Event) -> tuple[Cents, Cents]:
    """By how much an event changes the meter and the reserve, by what it says alone."""
    match event:
        case ev.JackpotSeeded(meter, reserve) | ev.JackpotInherited(_, meter, reserve):
            return meter, reserve
        case ev.JackpotAdjusted(_, _, meter, reserve):
            return meter, reserve
        case ev.Registered(_, _, wagers):
            return sum(w.meter for w in wagers), sum(w.reserve + w.over for w in wagers)
        case ev.RegistrationsReturned(_, _, given):
            return -sum(w.meter_falls for w in given), -sum(w.reserve_falls for w in given)
        case ev.Awarded():
            return event.seed_reserve + event.seed_house - event.falls, -event.reserve - event.seed_reserve
        case ev.AwardTakenBack():
            return event.rises - event.seed_reserve - event.seed_house, event.reserve + event.seed_reserve
        case ev.JackpotClosed(_, _, meter, reserve, over):
            return -meter - over, -reserve
    return 0, 0


def event_of(record: Record) -> ev.Event:
    event = decode_event(record.stream, record.event)
    assert isinstance(event, ev.Event)
    return event


def words_of(event: ev.Event) -> str:
    """An event as a person reads it. Tables and people are named by their ids."""
    match event:
        case ev.JackpotOpened(terms):
            return f"{terms.name} is opened, with a seed of {money(terms.seed)} and a maximum of {money(terms.maximum)}"
        case ev.JackpotChanged(terms, keep):
            said = f"seed {money(terms.seed)}, maximum {money(terms.maximum)}, {terms.to_meter} of a wager"
            kept = ", ".join(f"round {one.round} at table {one.table}" for one in keep)
            return f"Other terms: {said}{f'; {kept} to be played by those before' if keep else ''}"
        case ev.JackpotSeeded(_, _, reason):
            return f"Seeded by the house: {reason}"
        case ev.TableLinked(table, _, compared):
            return f"Table {table} is linked{' after the exact comparison' if compared else ''}"
        case ev.TableUnlinked(table, reason):
            return f"Table {table} is unlinked: {reason}"
        case ev.Registered(table, round, wagers):
            of = f"{len(wagers)} wager{'s' * (len(wagers) != 1)} of {money(sum(w.wager for w in wagers))}"
            return f"Table {table}, round {round}: {of}, {money(sum(w.house for w in wagers))} to the house"
        case ev.RegistrationsReturned(table, round, wagers):
            back = money(sum(w.wager for w in wagers))
            missing = sum(w.meter_falls + w.reserve_falls - w.meter - w.reserve for w in wagers)
            short = f"; {money(missing)} of that was missing, and is paid by the house" if missing else ""
            return f"Table {table}, round {round}: registered wagers of {back} go back{short}"
        case ev.AwardEntered(table, round):
            return f"Table {table}, round {round}: an award is entered, to be confirmed"
        case ev.Awarded(table, round, seat, _, line, percent):
            paid = _sources(event.meter, event.reserve, event.house)
            seed = event.seed_reserve + event.seed_house
            again = f"; seeded again with {money(seed)}" if event.is_whole else ""
            of = f"{percent} % of {money(event.base)}"
            return f"Table {table}, round {round}, seat {seat}: {line}, {of}, {money(event.cents)} {paid}{again}"
        case ev.AwardTakenBack(table, round, seat, _, line):
            back = f"{money(event.cents)} taken back by a correction"
            return f"Table {table}, round {round}, seat {seat}: {line}, {back}"
        case ev.JackpotAdjusted(why, note):
            return f"Adjusted, {why}: {note}"
        case ev.JackpotClosed(reason, heir):
            return f"Closed: {reason}; what was left goes to {heir or 'the house'}"
        case ev.JackpotInherited(source):
            return f"What was left of {source} comes here"


def _sources(meter: Cents, reserve: Cents, house: Cents) -> str:
    parts = (("the meter", meter), ("the reserve", reserve), ("the house", house))
    return "from " + ", ".join(f"{name} {money(cents)}" for name, cents in parts if cents)


def effect_lines(before: Meter | None, after: Meter, entries: Iterable[Entry]) -> Iterator[str]:
    """What a command changes, for whoever is about to give it."""
    if before is None:
        yield f"{after.terms.name} is opened; it takes no wagers before it is seeded with {money(after.terms.seed)}."
        return
    for what, was, now in (("meter", before.meter, after.meter), ("reserve", before.reserve, after.reserve)):
        if was != now:
            yield f"The {what} goes from {money(was)} to {money(now)}."
    for entry in entries:
        yield f"Booked: {entry.kind.value}, {money(entry.cents)} from {entry.payer} to {entry.payee}."
    yield from (f"Table {table} may play for it." for table in after.tables if table not in before.tables)
    yield from (f"Table {table} takes no more wagers for it." for table in before.tables if table not in after.tables)
    if before.terms != after.terms:
        yield from (f"From the next round on: {one}." for one in other_terms(before.terms, after.terms))
        yield from (f"Round {kept.round} at table {id} keeps the terms before." for id, kept in after.kept.items())
    if after.closed and not before.closed:
        yield "It takes no more wagers."


def other_terms(was: Terms, now: Terms) -> Iterator[str]:
    """What differs between two terms of a jackpot, each in a few words."""
    for name in ("name", "seed", "to_meter", "to_reserve", "maximum"):
        before, after = getattr(was, name), getattr(now, name)
        if before != after:
            said = [money(value) if isinstance(value, int) else value for value in (before, after)]
            yield f"{name.replace('_', ' ')} {said[1]} instead of {said[0]}"
    if was.notices != now.notices:
        yield "other notices"


SUMS = {
    Kind.JACKPOT_SEED: "seeded",
    Kind.JACKPOT_CONTRIBUTION: "contributed",
    Kind.JACKPOT_AWARD: "awarded",
    Kind.JACKPOT_ADJUSTMENT: "adjusted",
    Kind.REGISTRATION_RETURNED: "returned",
    Kind.CORRECTION: "corrected",
}


def wrong_books(meter: Meter, store: Reader) -> list[str]:
    """F-25 by the entries alone: what each account holds is what was seeded and contributed, less what was awarded and
    given back, with adjustments and corrections. What two people have booked by hand moves the money and not the meter,
    and is told apart."""
    wrong = []
    for what, account, posted, totals in (
        ("meter", meter_account(meter.id), meter.meter, meter.in_meter),
        ("reserve", reserve_account(meter.id), meter.reserve, meter.in_reserve),
    ):
        own: Counter[str] = Counter()
        by_hand = 0
        for booked in store.statement(str(account)):
            entry = booked.entry
            cents = entry.cents * ((entry.payee == account) - (entry.payer == account))
            if booked.stream == HOUSE_STREAM:
                by_hand += cents
            else:  # of another jackpot that was closed, too
                own[SUMS[entry.kind]] += cents
        held, made = store.balance(str(account)), sum(own.values())
        if made + by_hand != held:
            wrong.append(f"The {what} of {meter.id} holds {held} cents; its entries make {made + by_hand}.")
        if totals.left != posted:
            wrong.append(f"The {what} of {meter.id} is posted as {posted} cents; its events make {totals.left}.")
        if by_hand:
            continue
        if held != posted:
            wrong.append(f"The {what} of {meter.id} is posted as {posted} cents, and {held} are behind it.")
        for name, cents in msgspec.structs.asdict(totals).items():
            booked_as = -own[name] if name in ("awarded", "returned") else own[name]
            if booked_as != cents:
                wrong.append(f"{name.capitalize()}, {what} of {meter.id}: {cents} cents; the books say {booked_as}.")
    return wrong
