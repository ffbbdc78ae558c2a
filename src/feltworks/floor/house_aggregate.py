"""The stream of the house: what a command to it makes happen, also to people. What the house is as a whole stands in
`administration.py`."""

from feltworks.floor import administration, person, player_limits
from feltworks.floor.accounts import AccountKind, Entry, Kind
from feltworks.floor.actors import Actor
from feltworks.floor.administration import Administration
from feltworks.floor.employment import employ, give_roles
from feltworks.floor.may_play import check_buy_in
from feltworks.floor.person_aggregate import decide_several
from feltworks.floor.refusal import Refused
from feltworks.floor.signatures import Decide, propose, sign, withdraw
from feltworks.floor.streams import (
    HOUSE_STREAM,
    Command,
    Decision,
    Happened,
    State,
    States,
    Time,
    known_person,
    person_stream,
)


def decide(states: States, command: Command, actor: Actor, now: Time, of_signed: Decide) -> Decision:
    before = states.of(HOUSE_STREAM)
    assert isinstance(before, Administration)
    inner = Decision()
    match command:
        case administration.AdmitGuest(id, digest, grant, token, expires):
            inner = decide_several(
                None, id, [person.Join(digest, grant), person.OpenSession(token, expires)], actor, now
            )
            event: administration.Event = administration.Admitted(id)
        case administration.Book():
            event = booked = administration.check_booking(command, lambda stream: states.of(stream) is not None)
            if actor.is_person:
                administration.check_by_hand(booked)
            inner = _outside_play(states, administration.entries(event), now)
        case administration.ImportExclusions():
            event = administration.ExclusionsImported(
                command.list, command.rows, command.broken, command.digest, command.file
            )
        case administration.RemoveExclusions(reason):
            event = _remove_exclusions(before, reason)
        case administration.NoteBreach(id, table):
            event = _breach(states, before, id, table, now)
        case administration.ChangeKey(public, old):
            event = administration.KeyChanged(public, old)
        case administration.NoteJump(by, wall):
            event = administration.ClockJumped(by, wall)
        case administration.OfferSetUp(code):
            if before.managers:
                raise Refused("This house has a manager, who adds other people.")
            event = administration.SetUpOffered(code)
        case administration.SetUp() | administration.AddPerson() | administration.AdmitForDemonstration():
            event, inner = employ(states, before, command, actor, now)
        case administration.GiveRoles(id, roles, reason):
            event, inner = give_roles(states, before, id, roles, reason, now)
        case administration.Propose():
            event = propose(states, before, command, actor, now, of_signed)
        case administration.Sign(action):
            event, inner = sign(states, before, action, actor, now, of_signed)
        case administration.Withdraw(action, reason):
            event = withdraw(states, before, action, reason, actor)
        case administration.Lapse(action):
            if action not in before.waiting or now < before.waiting[action].expires:
                raise Refused("That does not wait, or may still be signed.")
            event = administration.Lapsed(action)
        case administration.NoteCode():
            event = administration.check_code(command)
        case administration.NoteDue():
            event = administration.check_due(before, command)
        case administration.MarkDone():
            event = administration.check_done(before, command)
        case _:
            raise Refused(f"{type(command).__name__} is not for the house.")
    own = Happened(HOUSE_STREAM, event, tuple(administration.entries(event)))
    after = administration.evolve(before, event, now)
    if HOUSE_STREAM in inner.states:  # what two have signed is the house's own
        for happened in inner.happened:
            if isinstance(happened.event, administration.Event):
                after = administration.evolve(after, happened.event, now)
    return Decision((own, *inner.happened), {**inner.states, HOUSE_STREAM: after})


def _outside_play(states: States, entries: list[Entry], now: Time) -> Decision:
    """Money that comes or goes outside the play is neither won nor lost. Who may not play buys nothing in."""
    happened, after = list[Happened](), dict[str, State]()
    for entry in entries:
        for account, cents in ((entry.payee, entry.cents), (entry.payer, -entry.cents)):
            who = known_person(states, account.owner) if account.kind is AccountKind.PLAYER else None
            if who is None:
                continue
            if entry.kind in (Kind.BUY_IN, Kind.GRANT) and cents > 0:
                check_buy_in(who, now)
            if who.limits.day(now) is not None:
                stream, event = person_stream(who.id), player_limits.MovedOutside(cents)
                happened.append(Happened(stream, event))
                after[stream] = person.evolve(who, who.id, event, now)
    return Decision(tuple(happened), after)


def _remove_exclusions(house: Administration, reason: str) -> administration.Event:
    if house.exclusions is None:
        raise Refused("There is no self-exclusion list.")
    if not reason.strip():
        raise Refused("Give the reason.")
    return administration.ExclusionsRemoved(house.exclusions.list, reason)


def _breach(states: States, house: Administration, id: str, table: str, now: Time) -> administration.Event:
    who = known_person(states, id)
    if who is None or not who.exclusions.are_in_force(now):
        raise Refused("That person is not on the self-exclusion list.")
    if house.has_noted(id, table, now):
        raise Refused("That was noted a moment ago.")
    return administration.BreachNoted(id, table)


def evolve(state: State | None, event: administration.Event, time: Time) -> Administration:
    """The house after an event."""
    assert state is None or isinstance(state, Administration)
    return administration.evolve(state or Administration(), event, time)
