"""Everything that has a history, behind three pure functions: `decide`, `evolve` and `entries`.

A stream is the history of one of them: `house`, `person:` and an id, or the id of a table. A command is addressed to
one stream and may make events in several; they are committed together or not at all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from feltworks.floor import administration, person
from feltworks.floor.accounts import Cents, Entry, player_account
from feltworks.floor.actors import Actor
from feltworks.floor.administration import Administration
from feltworks.floor.person import Person
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands, events
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.chance import TableChance
from feltworks.floor.table.decide import decide as decide_table
from feltworks.floor.table.entries import abandoned_entries
from feltworks.floor.table.entries import entries as table_entries
from feltworks.floor.table.evolve import evolve as evolve_table
from feltworks.floor.table.state import Table

HOUSE_STREAM = "house"
PERSON = "person:"

Command = commands.Command | person.Command | administration.Command
Event = events.Event | person.Event | administration.Event
State = Table | AbandonedTable | Person | Administration
Time = int


def person_stream(id: str) -> str:
    return PERSON + id


def is_table(stream: str) -> bool:
    return stream != HOUSE_STREAM and not stream.startswith(PERSON)


@dataclass(frozen=True)
class States:
    """What a decision may look at: states by stream, and what an account holds."""

    of: Callable[[str], State | None]
    balance: Callable[[str], Cents]
    """By the text of an account."""
    chance: TableChance | None = None


@dataclass(frozen=True)
class Happened:
    """An event in its stream, with what it books and the round that it belongs to."""

    stream: str
    event: Event
    entries: tuple[Entry, ...] = ()
    round: int = 0


@dataclass(frozen=True)
class Decision:
    """What a command makes happen, and the states after it."""

    happened: tuple[Happened, ...] = ()
    states: Mapping[str, State] = field(default_factory=dict)


def decide(states: States, stream: str, command: Command, actor: Actor, now: Time) -> Decision:
    """What a command to a stream makes happen; a refusal changes nothing (G5)."""
    if not _may_give(states, stream, command, actor):
        raise Refused(f"{type(command).__name__} is not for {actor} to do.")
    if stream == HOUSE_STREAM:
        return _decide_house(states, command, actor, now)
    if stream.startswith(PERSON):
        assert isinstance(command, person.Command)
        before = states.of(stream)
        assert before is None or isinstance(before, Person)
        return _of_person(before, stream, command, actor, now)
    assert isinstance(command, commands.Command)
    return _decide_table(states, stream, command, actor, now)


def _may_give(states: States, stream: str, command: Command, actor: Actor) -> bool:
    """Whether this actor may give this command at all. The program may do what is not a player's; a person may play,
    choose a name, end a session of their own, and act for the house where they are no player themselves. Which persons
    are of the staff is not known yet."""
    if not actor.is_person:
        return not isinstance(command, commands.PlayerCommand)
    match command:
        case commands.Connection(player):
            return player == actor.id
        case person.EndSession() | person.Rename():
            return stream == person_stream(actor.id)
        case person.Forget():
            return stream == person_stream(actor.id) or states.of(person_stream(actor.id)) is None
        case administration.Book() | administration.MarkDone():
            return states.of(person_stream(actor.id)) is None
    if isinstance(command, commands.StaffCommand):
        table = states.of(stream)
        return not isinstance(table, Table) or table.seat_of(actor.id) is None
    return isinstance(command, commands.PlayerCommand)


def _decide_table(states: States, stream: str, command: commands.Command, actor: Actor, now: Time) -> Decision:
    before = states.of(stream)
    if isinstance(before, AbandonedTable):
        return _decide_abandoned(before, stream, command)
    assert before is None or isinstance(before, Table)
    assert states.chance is not None
    if isinstance(command, commands.OpenTable | commands.ReopenTable | commands.StartRound):
        house = states.of(HOUSE_STREAM)
        if isinstance(house, Administration) and (why := house.stops(stream)):
            raise Refused(why)
    made, tables = decide_table(
        before, command, actor, lambda player: states.balance(str(player_account(player))), now, states.chance
    )
    happened = tuple(
        Happened(stream, event, tuple(table_entries(table, event)), round_of(table, event))
        for event, table in zip(made, tables, strict=False)
    )
    after = tables[-1]
    assert after is not None
    decision = Decision(happened, {stream: after} if made else {})
    if isinstance(command, commands.OpenTable) and command.predecessor:
        return _succeed(states, decision, command)
    return decision


def round_of(before: Table | None, event: events.Event) -> int:
    """The number of the round that an event belongs to; 0 between two rounds."""
    if isinstance(event, events.RoundStarted):
        return event.round
    return before.round_number if before is not None and before.round is not None else 0


def _succeed(states: States, opened: Decision, command: commands.OpenTable) -> Decision:
    """The table that another one takes the place of says so itself, in the same commit."""
    before = states.of(command.predecessor)
    if not isinstance(before, AbandonedTable) or before.successor:
        raise Refused(f"{command.predecessor} is no closed table without a successor.")
    event = events.Succeeded(command.settings.id)
    after = before.after(event)
    return Decision(
        (*opened.happened, Happened(command.predecessor, event)), {**opened.states, command.predecessor: after}
    )


def _decide_abandoned(before: AbandonedTable, stream: str, command: commands.Command) -> Decision:
    if not isinstance(command, commands.Abandon) or before.abandoned:
        raise Refused("The table is closed.")
    event = before.abandon(command.reason, command.signed)
    booked = tuple(abandoned_entries(stream, event.back))
    return Decision((Happened(stream, event, booked, before.round),), {stream: before.after(event)})


def _of_person(before: Person | None, stream: str, command: person.Command, actor: Actor, now: Time) -> Decision:
    id = stream.removeprefix(PERSON)
    made, after = person.decide(before, id, command, actor, now)
    happened = tuple(Happened(stream, event, tuple(person.entries(id, event))) for event in made)
    return Decision(happened, {stream: after} if made else {})


def _decide_house(states: States, command: Command, actor: Actor, now: Time) -> Decision:
    before = states.of(HOUSE_STREAM)
    assert isinstance(before, Administration)
    match command:
        case administration.AdmitGuest(id, digest, grant, token, expires):
            joined = _of_person(None, person_stream(id), person.Join(digest, grant), actor, now)
            guest = joined.states[person_stream(id)]
            assert isinstance(guest, Person)
            opened = _of_person(guest, person_stream(id), person.OpenSession(token, expires), actor, now)
            event: administration.Event = administration.Admitted(id)
            others, after = (*joined.happened, *opened.happened), opened.states
        case administration.Book():
            event = administration.check_booking(command, lambda stream: states.of(stream) is not None)
            others, after = (), {}
        case administration.ChangeKey(public, old):
            event, others, after = administration.KeyChanged(public, old), (), {}
        case administration.NoteJump(by, wall):
            event, others, after = administration.ClockJumped(by, wall), (), {}
        case administration.NoteCode():
            event, others, after = administration.check_code(command), (), {}
        case administration.NoteDue():
            event, others, after = administration.check_due(before, command), (), {}
        case administration.MarkDone():
            event, others, after = administration.check_done(before, command), (), {}
        case _:
            raise Refused(f"{type(command).__name__} is not for the house.")
    own = Happened(HOUSE_STREAM, event, tuple(administration.entries(event)))
    return Decision((own, *others), {HOUSE_STREAM: administration.evolve(before, event), **after})


def evolve(state: State | None, stream: str, event: Event, time: Time) -> State:
    """The state of a stream after an event."""
    if stream == HOUSE_STREAM:
        assert isinstance(event, administration.Event)
        assert state is None or isinstance(state, Administration)
        return administration.evolve(state or Administration(), event)
    if stream.startswith(PERSON):
        assert isinstance(event, person.Event)
        assert state is None or isinstance(state, Person)
        return person.evolve(state, stream.removeprefix(PERSON), event, time)
    assert isinstance(event, events.Event)
    if isinstance(state, AbandonedTable):
        return state.after(event)
    assert state is None or isinstance(state, Table)
    return evolve_table(state, event, time)


def entries(state: State | None, stream: str, event: Event) -> list[Entry]:
    """What an event books, given the state before it."""
    if stream == HOUSE_STREAM:
        assert isinstance(event, administration.Event)
        return administration.entries(event)
    if stream.startswith(PERSON):
        assert isinstance(event, person.Event)
        return person.entries(stream.removeprefix(PERSON), event)
    assert isinstance(event, events.Event)
    if isinstance(state, AbandonedTable):
        return abandoned_entries(stream, event.back) if isinstance(event, events.Abandoned) else []
    assert state is None or isinstance(state, Table)
    return table_entries(state, event)
