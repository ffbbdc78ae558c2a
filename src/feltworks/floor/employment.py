"""Who works in a house, and as what (F-13): people are added and given roles."""

from feltworks.floor import administration, person
from feltworks.floor.actors import Actor
from feltworks.floor.administration import Administration
from feltworks.floor.person import Person
from feltworks.floor.person_aggregate import decide_several
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.streams import Decision, Happened, States, Time, person_stream


def _with_roles(made: Decision, id: str, roles: tuple[str, ...], now: Time) -> Decision:
    """The person has these roles, whatever they were."""
    stream, event = person_stream(id), person.RolesGiven(roles)
    before = made.states[stream]
    assert isinstance(before, Person)
    after = person.evolve(before, id, event, now)
    return Decision((*made.happened, Happened(stream, event)), {**made.states, stream: after})


def employ(
    states: States,
    house: Administration,
    command: administration.SetUp | administration.AddPerson | administration.AdmitForDemonstration,
    actor: Actor,
    now: Time,
) -> tuple[administration.Event, Decision]:
    id, demo = command.person, isinstance(command, administration.AdmitForDemonstration)
    if states.of(person_stream(id)) is not None:
        raise Refused("That person has joined already.")
    later: list[person.Command]
    match command:
        case administration.SetUp(code):
            if not house.set_up or code != house.set_up:
                raise Refused(
                    "That set-up code is not good, or was used already; the newest one was printed at the start."
                )
            roles: tuple[str, ...] = (Role.MANAGER.value,)
            later = [
                person.SetPassword(command.password, command.parameters),
                person.OpenSession(command.token, command.expires),
            ]
        case administration.AddPerson():
            roles = _checked_roles(command.roles)
            if not roles:
                raise Refused("Give the person at least one role.")
            later = [person.GiveCode(command.code, command.expires, command.by)]
        case administration.AdmitForDemonstration(role=role):
            roles = _checked_roles((role,))
            later = [person.OpenSession(command.token, command.expires)]
    joined = decide_several(None, id, [person.Join(command.digest, demo=demo)], actor, now)
    given = _with_roles(joined, id, roles, now)
    who = given.states[person_stream(id)]
    assert isinstance(who, Person)
    more = decide_several(who, id, later, actor, now)
    made = Decision((*given.happened, *more.happened), {**given.states, **more.states})
    return administration.StaffChanged(id, roles, demo=demo), made


def _checked_roles(roles: tuple[str, ...]) -> tuple[str, ...]:
    """Roles of the house in the order of their list."""
    known = {role.value: role for role in STAFF}
    for role in roles:
        if role not in known:
            raise Refused(f"{role!r} is no role of the house; choose among {', '.join(sorted(known))}.")
    return tuple(role.value for role in Role if role.value in roles)


def give_roles(
    states: States, house: Administration, id: str, roles: tuple[str, ...], reason: str, now: Time
) -> tuple[administration.Event, Decision]:
    who, given = states.of(person_stream(id)), _checked_roles(roles)
    if not isinstance(who, Person) or who.forgotten or who.robot:
        raise Refused("There is no such person.")
    if not reason.strip():
        raise Refused("Give the reason.")
    if house.managers == {id} and Role.MANAGER.value not in given:
        raise Refused("This is the only manager of the house; make somebody else a manager first.")
    if given == who.roles:
        raise Refused("The person has these roles already.")
    made = _with_roles(Decision(states={person_stream(id): who}), id, given, now)
    return administration.StaffChanged(id, given, reason, who.demo), made
