"""The streams of people: what a command makes happen to one of them. What a person is stands in `person.py`."""

from feltworks.floor import person
from feltworks.floor.accounts import Entry
from feltworks.floor.actors import Actor
from feltworks.floor.person import Person
from feltworks.floor.streams import PERSON, Decision, Happened, State, Time, person_stream


def decide(before: Person | None, stream: str, command: person.Command, actor: Actor, now: Time) -> Decision:
    id = stream.removeprefix(PERSON)
    made, after = person.decide(before, id, command, actor, now)
    happened = tuple(Happened(stream, event, tuple(person.entries(id, event))) for event in made)
    return Decision(happened, {stream: after} if made else {})


def decide_several(before: Person | None, id: str, given: list[person.Command], actor: Actor, now: Time) -> Decision:
    """What several commands make of one person."""
    stream, happened, states = person_stream(id), list[Happened](), dict[str, State]()
    for command in given:
        made = decide(before, stream, command, actor, now)
        happened += made.happened
        states |= made.states
        after = states.get(stream)
        assert after is None or isinstance(after, Person)
        before = after
    return Decision(tuple(happened), states)


def evolve(state: State | None, stream: str, event: person.Event, time: Time) -> Person:
    """The person after an event."""
    assert state is None or isinstance(state, Person)
    return person.evolve(state, stream.removeprefix(PERSON), event, time)


def entries(stream: str, event: person.Event) -> list[Entry]:
    """What an event books."""
    return person.entries(stream.removeprefix(PERSON), event)
