"""The streams of progressive jackpots: what a command to one makes happen, and what a command at a table makes of the
one that it plays for, in the same commit (G6). What a jackpot is stands in `jackpot/meter.py`."""

from collections.abc import Iterable, Iterator

from feltworks.floor.accounts import Entry
from feltworks.floor.actors import Actor
from feltworks.floor.jackpot import commands, events, meter
from feltworks.floor.jackpot.at_table import Jackpots, MeterAtTable
from feltworks.floor.jackpot.decide import decide as decide_alone
from feltworks.floor.jackpot.meter import JACKPOT, Meter, jackpot_stream
from feltworks.floor.refusal import Refused
from feltworks.floor.streams import Decision, Happened, State, States, Time
from feltworks.floor.table.meter_prize import is_sensing
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table


def jackpots_of(states: States) -> Jackpots:
    """The jackpots as a decision finds them."""

    def known(id: str) -> Meter | None:
        found = states.of(jackpot_stream(id))
        return found if isinstance(found, Meter) else None

    return Jackpots(known, states.balance)


def played_for(jackpots: Jackpots, settings: TableSettings, actor: Actor, now: Time) -> MeterAtTable | None:
    """The meter of the jackpot for which a table plays, if it does."""
    return jackpots.at(settings.jackpot, settings.id, now, str(actor)) if settings.jackpot else None


def with_meter(decision: Decision, at_table: MeterAtTable | None) -> Decision:
    """What happens at a table and what that makes of the meter are one commit."""
    if at_table is None or not at_table.events:
        return decision
    stream = jackpot_stream(at_table.meter.id)
    made = tuple(Happened(stream, event, tuple(entries(stream, event))) for event in at_table.events)
    return Decision((*decision.happened, *made), {**decision.states, stream: at_table.meter})


def decide(states: States, stream: str, command: commands.Command, now: Time) -> Decision:
    id, jackpots = stream.removeprefix(JACKPOT), jackpots_of(states)
    before, heir = jackpots.meter(id), None
    keep: Iterable[events.InPlay] = ()
    match command:
        case commands.ChangeJackpot(between_rounds=True):
            keep = sorted(states.in_play(id), key=lambda one: one.table)
        case commands.CloseJackpot(_, heir_id):
            heir = jackpots.meter(heir_id)
            _check_none_played(states, before)
        case commands.UnlinkTable(table):
            _check_not_sensed(states, table)
    event, inherited = decide_alone(before, command, jackpots.funds(id), heir, keep)
    happened = [Happened(stream, event, tuple(entries(stream, event)))]
    after: dict[str, State] = {stream: meter.evolve(before, id, event, now)}
    if inherited is not None and heir is not None:
        to = jackpot_stream(heir.id)
        happened.append(Happened(to, inherited))
        after[to] = meter.evolve(heir, heir.id, inherited, now)
    return Decision(tuple(happened), after)


def in_play(tables: Iterable[object], jackpot: str) -> Iterator[events.InPlay]:
    """The rounds that are being played for a jackpot."""
    for table in tables:
        if isinstance(table, Table) and table.round is not None and table.settings.jackpot == jackpot:
            yield events.InPlay(table.settings.id, table.round_number)


def _check_not_sensed(states: States, name: str) -> None:
    """Of the spots of a table all are registered or none: some that were lit already are not lost in between."""
    table = states.of(name)
    if isinstance(table, Table) and is_sensing(table.step):
        raise Refused(f"The spots are being sensed at {table.settings.name}; do it when that is done.")


def _check_none_played(states: States, jackpot: Meter | None) -> None:
    for name in jackpot.tables if jackpot is not None else ():
        _check_not_sensed(states, name)
    for name, open in jackpot.open.items() if jackpot is not None else ():
        table = states.of(name)
        if isinstance(table, Table) and table.round is not None and table.round_number == open.round and open.wagers:
            raise Refused(
                f"A round with registered wagers is being played at {table.settings.name}; close the jackpot when it is"
                " over."
            )


def evolve(state: State | None, stream: str, event: events.Event, time: Time) -> Meter:
    """The jackpot after an event."""
    assert state is None or isinstance(state, Meter)
    return meter.evolve(state, stream.removeprefix(JACKPOT), event, time)


def entries(stream: str, event: events.Event) -> list[Entry]:
    """What an event books."""
    return meter.entries(stream.removeprefix(JACKPOT), event)
