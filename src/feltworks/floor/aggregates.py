"""What is decided, changed and booked in a stream of any kind, behind three pure functions: `decide`, `evolve` and
`entries`.

A command is addressed to one stream and may make events in several; they are committed together or not at all. A
further kind of stream has its name in `streams.py: kind_of`, a module with the three functions, and its case in each of
those here.
"""

from feltworks.floor import (
    administration,
    house_aggregate,
    jackpot_aggregate,
    person,
    person_aggregate,
    table_aggregate,
)
from feltworks.floor.accounts import Entry
from feltworks.floor.actors import Actor
from feltworks.floor.jackpot import commands as jackpot_commands
from feltworks.floor.jackpot import events as jackpot_events
from feltworks.floor.person import Person
from feltworks.floor.rights import check_right, has_dealer, roles_of
from feltworks.floor.roles import may_propose
from feltworks.floor.streams import Command, Decision, Event, State, States, Time, kind_of
from feltworks.floor.table import commands, events


def decide(states: States, stream: str, command: Command, actor: Actor, now: Time) -> Decision:
    """What a command to a stream makes happen; a refusal changes nothing (G5)."""
    check_right(states, stream, command, actor)
    return _decide(states, stream, command, actor, now)


def tried(states: States, stream: str, command: Command, actor: Actor, now: Time) -> Decision:
    """What a command would make happen that somebody may give, alone or together with another."""
    if actor.is_person and may_propose(type(command), roles_of(states, actor), has_dealer(states.of(stream))):
        return _decide(states, stream, command, actor, now)
    return decide(states, stream, command, actor, now)


def _decide(states: States, stream: str, command: Command, actor: Actor, now: Time) -> Decision:
    """What a command makes happen that whoever gives it may give."""
    match kind_of(stream):
        case "house":
            return house_aggregate.decide(states, command, actor, now, _decide)
        case "person":
            assert isinstance(command, person.Command)
            before = states.of(stream)
            assert before is None or isinstance(before, Person)
            return person_aggregate.decide(before, stream, command, actor, now)
        case "jackpot":
            assert isinstance(command, jackpot_commands.Command)
            return jackpot_aggregate.decide(states, stream, command, now)
        case "table":
            assert isinstance(command, commands.Command)
            return table_aggregate.decide(states, stream, command, actor, now)


def evolve(state: State | None, stream: str, event: Event, time: Time) -> State:
    """The state of a stream after an event."""
    match kind_of(stream):
        case "house":
            assert isinstance(event, administration.Event)
            return house_aggregate.evolve(state, event, time)
        case "person":
            assert isinstance(event, person.Event)
            return person_aggregate.evolve(state, stream, event, time)
        case "jackpot":
            assert isinstance(event, jackpot_events.Event)
            return jackpot_aggregate.evolve(state, stream, event, time)
        case "table":
            assert isinstance(event, events.Event)
            return table_aggregate.evolve(state, event, time)


def entries(state: State | None, stream: str, event: Event) -> list[Entry]:
    """What an event books, given the state before it."""
    match kind_of(stream):
        case "house":
            assert isinstance(event, administration.Event)
            return administration.entries(event)
        case "person":
            assert isinstance(event, person.Event)
            return person_aggregate.entries(stream, event)
        case "jackpot":
            assert isinstance(event, jackpot_events.Event)
            return jackpot_aggregate.entries(stream, event)
        case "table":
            assert isinstance(event, events.Event)
            return table_aggregate.entries(state, stream, event)
