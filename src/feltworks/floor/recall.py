"""A round told again from its records (F-18): the steps as they were taken, and every pay as it was booked."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from feltworks.floor.following import follow, paced, round_records, wrong_about
from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.journal.position import read_checkpoint
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import is_table
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import NoWager, played
from feltworks.floor.table.evolve import events_again, evolve, in_whole_cents, incident_of, index_of
from feltworks.floor.table.procedure import said
from feltworks.floor.table.snapshot import NotUsable, resumed
from feltworks.floor.table.state import Table, check_rules, recorded_standing
from feltworks.kit.errors import FeltworksError, UnknownName
from feltworks.kit.game import game_of
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.standing import Standing
from feltworks.kit.steps import Answer, Collect, Decide, Effect, Incident, Place, Settlement, Step

Happening = tuple[Step | None, Answer | Incident, Round]
DOLLAR = 100
VOIDED = "voided, wagers returned"
CORRECTED, TAKEN_BACK = "an entry corrected", "an entry taken back"
CHANGED = b"settings changed"
"""What stands in the bytes of every event that changes settings; the others need not be read for it."""


@dataclass(frozen=True)
class Recalled:
    """The first state of a round and everything that happened in it, in dollars."""

    number: int
    standing: Standing
    """How the table stood to the approval in that round."""
    start: Round
    happenings: list[Happening]
    unfinished: str
    """Why it was not played to its end, if it was not."""
    unchecked: str = ""
    """What could not be checked of its records, if anything."""


@dataclass(frozen=True, slots=True)
class RoundedOdds(Odds):
    """Odds whose pay the house rounded to whole cents or chips: the exact result is told beside them."""

    exactly: Fraction

    def __str__(self) -> str:
        return f"{Odds.__str__(self)} (exactly {self.exactly})"


@dataclass(frozen=True)
class Booked(Settlement):
    """A settlement with what was booked for it."""

    booked: Fraction

    def net(self, meter: Fraction | None = None, cents: int = 1) -> Fraction:
        return self.booked


def replayed(path: Path, table: str, number: int | None, public: str | None = None) -> Recalled:
    """A round of a table; the last one that began unless one is named. `public` is the house's key: with it the replay
    starts from the nearest snapshot that the house has signed."""
    try:
        return _replayed(path, table, number, public)
    except FeltworksError:
        raise
    except Exception as problem:  # whatever somebody who holds the file has written there
        said = str(problem).rstrip(".") or type(problem).__name__
        raise BrokenRecords(f"The records of {table} are damaged: {said}; run `felt verify`.") from problem


def _replayed(path: Path, table: str, number: int | None, public: str | None) -> Recalled:
    with Reader(path) as store, store.frozen():
        tables = [stream for stream in store.streams() if is_table(stream)]
        if table not in tables:
            raise UnknownName("table", table, tables)
        found = store.rounds(table, limit=1, before=None if number is None else number + 1)
        if not found or (number is not None and found[0].round != number):
            last = store.rounds(table, limit=1)
            raise UnknownName("round", str(number or ""), [f"1 to {last[0].round}"] if last else [])
        opened = event_of(next(store.read(table, 0, 1)))
        assert isinstance(opened, ev.Opened)
        end = round_records(store, table, found[0])[-1].sequence
        if number is None and any(record.round for record in store.read(table, end)):
            raise wrong_about(table, found[0].round + 1)
        state = nearest(store, table, found[0].first - 1, opened, public)
        after = state.version if state else 0
        head = _known_head(store, table, public)
        set_by, settings = settings_event(store, table, found[0].first, opened, state)
        parts = ((1, 1), (set_by, set_by), (after + 1, end))
        unchecked = {follow(store, table, first, last, public, head) for first, last in parts}
        records = list(store.read(table, after, end))
    start: Round | None = None
    happenings: list[Happening] = []
    unfinished = ""
    for record in records:
        event = event_of(record)
        if isinstance(event, ev.SettingsEvent):
            check_rules(event)
        if start is not None and isinstance(event, ev.TakenBack | ev.Corrected):
            assert state is not None
            happenings = _happened_again(start, happenings, state, event)
        elif start is not None:
            now = happenings[-1][2] if happenings else start
            happenings += _happened(now, event)
        state = evolve(state, event, record.time)
        match event:
            case ev.RoundStarted():
                assert state.round is not None
                start, happenings, unfinished = _round_in_dollars(state.round), [], "still being played"
            case ev.RoundEnded():
                unfinished = ""
            case ev.Voided():
                unfinished = VOIDED
    assert start is not None
    return Recalled(found[0].round, recorded_standing(settings), start, happenings, unfinished, max(unchecked))


def _known_head(store: Reader, table: str, public: str | None) -> tuple[int, str] | None:
    """Where the stream stood at the newest checkpoint that the house has signed."""
    found = store.checkpoint()
    position = read_checkpoint(*found, public) if found and public else None
    return position.heads.get(table) if position else None


def event_of(record: Record) -> ev.Event:
    """The event of a table's record."""
    event = decode_event(record.stream, record.event)
    assert isinstance(event, ev.Event)
    return event


def nearest(store: Reader, table: str, until: int, opened: ev.Opened, public: str | None) -> Table | None:
    """The table at the newest snapshot before a round, if there is one to be used."""
    found = store.snapshot(table, until)
    if found is None or public is None:
        return None
    record = next(store.read(table, found[0] - 1, found[0]), None)
    try:
        return resumed(found[1], record, opened, public).table
    except NotUsable:
        return None


def settings_event(
    store: Reader, table: str, before: int, opened: ev.Opened, known: Table | None
) -> tuple[int, ev.SettingsEvent]:
    """The event from which a table has the settings that are in force before another event, and its number. `known` is
    the table at an earlier event."""
    number = 1
    found: ev.Event = opened
    if known is not None and known.set_by > 1:
        number = known.set_by
        found = event_of(next(store.read(table, number - 1, number)))
    for record in paced(store.read(table, known.version if known else 1, before - 1)):
        if CHANGED in record.event and isinstance(event := event_of(record), ev.SettingsChanged):
            number, found = record.sequence, event
    assert isinstance(found, ev.SettingsEvent)
    return number, found


def _happened(now: Round, event: ev.Event) -> Iterator[Happening]:
    match event:
        case ev.Answered(recorded, effects):
            answer = _in_dollars(played(recorded, now))
            after = in_whole_cents(now.after(answer), effects, DOLLAR)
            booked = [effect for effect in effects if isinstance(effect, ev.Settled)]
            yield now.next, answer, replace(after, effects=tuple(_booked(after.effects, booked)))
        case ev.Reported():
            incident = incident_of(event)
            if incident.amount is not None:
                incident = replace(incident, amount=incident.amount / DOLLAR)
            yield None, incident, now.report(incident)
        case ev.Reshuffled(_, size, True):
            pack = game_of(now).fresh()
            assert pack is not None
            said = f"the {size} cards that are not of this round are shuffled and dealt on"
            yield None, Incident("cards short", said), now.with_discards(pack)
        case ev.Voided(_, reason, returned):
            back = [now.push(seat, spot, "Void", "F-17") for seat, spot in now.wagers]
            incident = Incident(VOIDED, reason.rstrip("."))
            now = replace(now, agenda=(), wagers={}, effects=tuple(_booked(back, returned)))
            yield None, incident, now
            for place in list(now.winnings):
                now = replace(now, winnings={k: n for k, n in now.winnings.items() if k != place}, effects=())
                yield None, Collect(*place), now


def _happened_again(
    start: Round, before: list[Happening], table: Table, event: ev.TakenBack | ev.Corrected
) -> list[Happening]:
    """The round as it follows from an entry that was corrected or taken back, and in its place among the others that
    this was done (F-20)."""
    again: list[Happening] = []
    happened = [past.event for past in table.past[: index_of(table, event.entry)]] + events_again(table, event)
    for one in happened:
        again += _happened(again[-1][2] if again else start, one)
    told = [step for step in before if isinstance(step[1], Incident) and step[1].kind in (CORRECTED, TAKEN_BACK)]
    was = table.answers[event.entry - 1]
    assert isinstance(was.event, ev.Answered)
    text = said(was.event.answer, was.step, table.game)
    if isinstance(event, ev.Corrected):
        now = event.answer
        but = "no wager" if isinstance(now, NoWager) else f"“{said(now, was.step, table.game)}”"
        incident = Incident(CORRECTED, f"entry {event.entry}: not “{text}” but {but}; {event.reason.rstrip('.')}")
    else:
        incident = Incident(TAKEN_BACK, f"entry {event.entry}: “{text}”")
    last = replace(again[-1][2] if again else start, effects=())
    return [*again, *((None, step[1], last) for step in told), (None, incident, last)]


def _booked(effects: Iterable[Effect], settled: Iterable[ev.Settled]) -> Iterator[Effect]:
    """The effects of an answer, the settlements as they were booked."""
    booked = iter(settled)
    for effect in effects:
        if not isinstance(effect, Settlement):
            yield effect
            continue
        net, pay = Fraction(next(booked).net, DOLLAR), effect.pay
        if isinstance(pay, Odds) and effect.net() != net:
            pay = RoundedOdds(pay.kind, pay.win, pay.per, effect.net())
        yield Booked(**{**vars(effect), "pay": pay}, booked=net)


def _round_in_dollars(round: Round) -> Round:
    """A round as it began, with what stayed up from the one before."""
    wagers, winnings = ({k: n / DOLLAR for k, n in up.items()} for up in (round.wagers, round.winnings))
    return replace(round, wagers=wagers, winnings=winnings)


def _in_dollars(answer: Answer) -> Answer:
    match answer:
        case Place(seat, spot, amount):
            return Place(seat, spot, amount / DOLLAR)
        case Decide(who, option, Fraction() as amount):
            return Decide(who, option, amount / DOLLAR)
    return answer
