"""Everything that has a history, behind three pure functions: `decide`, `evolve` and `entries`.

A stream is the history of one of them: `house`, `person:` and an id, or the id of a table. A command is addressed to
one stream and may make events in several; they are committed together or not at all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from feltworks.floor import administration, person, player_limits
from feltworks.floor.accounts import AccountKind, Cents, Entry, Kind, account_of, is_patron, player_account
from feltworks.floor.actors import Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Administration
from feltworks.floor.exclusion.entry import DecideMatch
from feltworks.floor.may_play import check_buy_in, check_seat, check_wagers, wagers_of, why_not
from feltworks.floor.person import Person
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import STAFF, Role, listed, may_give, may_propose, may_sign, name_of, who_may_sign
from feltworks.floor.signers import ONE_HAND, are_in_one_hand
from feltworks.floor.table import commands, events
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.answers import Decided
from feltworks.floor.table.chance import TableChance
from feltworks.floor.table.decide import decide as decide_table
from feltworks.floor.table.disputes import decided
from feltworks.floor.table.entries import abandoned_entries, patron_entries
from feltworks.floor.table.entries import entries as table_entries
from feltworks.floor.table.evolve import evolve as evolve_table
from feltworks.floor.table.incidents import deciders
from feltworks.floor.table.pending import Pending
from feltworks.floor.table.state import Table
from feltworks.floor.table.wins import pending_entries, released

HOUSE_STREAM = "house"
OF_THE_DEALER = (
    commands.DealerCommand | commands.PersonalCommand | commands.PatronCommand | commands.Report | commands.Resolve
)
"""What a dealer gives only at the table where they have signed on (F-41)."""
LOOKED_AT_BY_ANOTHER = commands.VerifyWin | commands.DecideDispute
"""What is about how a table was dealt, so that whoever deals there does not do it (F-19)."""
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
    lying_elsewhere: Callable[[str, str], Cents] = lambda player, table: 0
    """What a player has on all tables but one. A replay of one table knows it from the record alone."""
    deals_at: Callable[[str], str] = lambda dealer: ""
    """The name of the table at which somebody has signed on. A replay of one table does not know of others."""
    signs_on: Callable[[str], bool] = lambda table: True
    """Whether dealers sign on at a table: at those of older records nobody did."""


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
    _check_right(states, stream, command, actor)
    return _decide(states, stream, command, actor, now)


def _decide(states: States, stream: str, command: Command, actor: Actor, now: Time) -> Decision:
    """What a command makes happen that whoever gives it may give."""
    if stream == HOUSE_STREAM:
        return _decide_house(states, command, actor, now)
    if stream.startswith(PERSON):
        assert isinstance(command, person.Command)
        before = states.of(stream)
        assert before is None or isinstance(before, Person)
        return _of_person(before, stream, command, actor, now)
    assert isinstance(command, commands.Command)
    return _decide_table(states, stream, command, actor, now)


def roles_of(states: States, actor: Actor) -> frozenset[Role]:
    """The roles that a person has now. Whoever has none given is a player; the first version knew players alone."""
    known = states.of(person_stream(actor.id))
    return person_roles(known) if isinstance(known, Person) else frozenset({Role.PLAYER})


def person_roles(known: Person) -> frozenset[Role]:
    return frozenset(map(Role, known.roles)) or frozenset({Role.PLAYER})


def is_player(known: Person) -> bool:
    """Whether a person plays: nobody does who works here."""
    return Role.PLAYER in person_roles(known)


def _check_right(states: States, stream: str, command: Command, actor: Actor) -> None:
    """F-13: each does only what the table of roles allows, and nobody acts for the house at a table where they sit."""
    roles = roles_of(states, actor) if actor.is_person else frozenset()
    is_own = stream == person_stream(actor.id)
    if isinstance(command, commands.Connection):
        is_own = command.player == actor.id
    if not may_give(type(command), roles, is_program=not actor.is_person, is_own=is_own):
        dealt = has_dealer(states.of(stream))
        if actor.is_person and may_propose(type(command), roles, dealt):
            others = listed(who_may_sign(type(command), roles, dealt))
            raise Refused(f"This needs two signatures, yours and that of {others}; propose it.")
        raise Refused(f"{name_of(type(command)).capitalize()} is not for {_said(roles, actor)} to do.")
    _check_demonstration(states, stream, command, actor)
    if actor.is_person:
        _check_decider(states.of(stream), command, roles)
        _check_claimant(command, roles, actor.id)
        _check_uninvolved(states, stream, command, actor.id)
        _check_signed_on(states, stream, command, roles, actor.id)


def _check_decider(table: State | None, command: Command, roles: frozenset[Role]) -> None:
    """What the supervisor has to decide or to confirm is not the dealer's to enter, and the other way round. A manager
    decides in the supervisor's place what the game's document lets a manager decide (Y-23)."""
    allowed = deciders(table) if isinstance(table, Table) and isinstance(command, commands.Enter) else frozenset()
    match command:
        case commands.Resolve(asked) | commands.Enter(Decided(str(asked))):
            decider = next((role for role in (Role.DEALER, Role.SUPERVISOR) if role.value == asked), None)
            if decider is None:
                raise Refused(f"{asked!r} decides nothing at a table; the dealer or the supervisor does.")
            if decider not in roles and not {role.value for role in roles} & allowed:
                raise Refused(f"That is for {listed({decider})} to decide.")
        case commands.Enter() if Role.DEALER not in roles:
            raise Refused(f"That is for {listed({Role.DEALER})} to enter.")


def _check_claimant(command: Command, roles: frozenset[Role], id: str) -> None:
    """F-19: a player disputes what happened to them, and nobody else's round."""
    is_staff = roles & {Role.DEALER, Role.SUPERVISOR}
    if isinstance(command, commands.Claim) and command.player != id and not is_staff:
        raise Refused("You can dispute a round only for yourself.")


def _check_signed_on(states: States, stream: str, command: Command, roles: frozenset[Role], id: str) -> None:
    """F-41: a dealer acts at the table where they have signed on, at one table at a time."""
    table = states.of(stream)
    if isinstance(table, Table) and isinstance(command, commands.Correct) and table.dealer == id:
        raise Refused("You deal at this table; another supervisor corrects what was entered here.")
    if not isinstance(table, Table) or not isinstance(command, OF_THE_DEALER):
        return
    match command:
        case commands.SignOn():
            if (elsewhere := states.deals_at(id)) and table.dealer != id:
                raise Refused(f"You deal at {elsewhere}; sign off there first.")
            return
        case commands.Enter(Decided(Role.SUPERVISOR.value)) | commands.Resolve(Role.SUPERVISOR.value):
            return
        case _ if isinstance(command, commands.PatronCommand | commands.Report) and Role.SUPERVISOR in roles:
            return
    if not table.settings.has_dealer and not isinstance(command, commands.PersonalCommand):
        return
    if table.dealer != id and states.signs_on(stream):
        raise Refused(
            "Another dealer has signed on at this table and relieved you; sign on again to deal."
            if table.dealer
            else "Sign on at this table before you deal."
        )


def _check_uninvolved(states: States, stream: str, command: Command, id: str) -> None:
    """Nobody acts for the house where their own money lies, or decides whether they may play there."""
    table = states.of(stream) if isinstance(command, commands.StaffCommand) else None
    if isinstance(table, Table) and table.seat_of(id) is not None:
        raise Refused("You sit at this table; somebody else of the house has to do that.")
    if isinstance(table, Table) and table.dealer == id and isinstance(command, LOOKED_AT_BY_ANOTHER):
        raise Refused("You deal at this table; somebody else of the house has to do that.")
    if isinstance(command, administration.Book) and str(player_account(id)) in (command.payer, command.payee):
        raise Refused("That moves your own money; somebody else of the house has to do that.")
    if isinstance(command, DecideMatch) and stream == person_stream(id):
        raise Refused("That is about yourself; somebody else of the house has to decide it.")


def _check_demonstration(states: States, stream: str, command: Command, actor: Actor) -> None:
    """Whoever takes a role in a demonstration may be anybody: about those who are here in earnest they change nothing,
    and nobody whom they could add stays when the demonstration is over."""
    who = states.of(person_stream(actor.id)) if actor.is_person else None
    if not isinstance(who, Person) or not who.demo:
        return
    match command:
        case administration.AddPerson():
            raise Refused("In a demonstration nobody is added; any visitor takes a role from the lobby.")
        case administration.GiveRoles(id):
            about = states.of(person_stream(id))
        case person.GiveCode() | person.EndSession() | person.Forget() | person.Keep():
            about = states.of(stream)
        case person.Bar() | person.Unbar() | DecideMatch():
            about = states.of(stream)
            if isinstance(about, Person) and not about.can_come_back:
                return  # a guest, as any visitor may be
        case _:
            return
    if isinstance(about, Person) and not about.demo:
        raise Refused("In a demonstration that is done to people of the demonstration alone.")


def _said(roles: frozenset[Role], actor: Actor) -> str:
    return listed(roles) if actor.is_person else "the program"


def _decide_table(states: States, stream: str, command: commands.Command, actor: Actor, now: Time) -> Decision:
    before = states.of(stream)
    if isinstance(before, AbandonedTable):
        return _decide_abandoned(states, before, stream, command, actor, now)
    assert before is None or isinstance(before, Table)
    assert states.chance is not None
    if isinstance(command, commands.OpenTable | commands.ReopenTable | commands.StartRound | commands.ChangeSettings):
        house = states.of(HOUSE_STREAM)
        if isinstance(house, Administration) and (why := house.stops(stream)):
            raise Refused(why)
    _check_seat(states, before, command, actor, now)
    made, tables = decide_table(
        before, command, actor, lambda player: states.balance(str(account_of(player))), now, states.chance
    )
    happened = tuple(
        Happened(stream, event, tuple(table_entries(table, event)), round_of(table, event))
        for event, table in zip(made, tables, strict=False)
    )
    after = tables[-1]
    assert after is not None
    decision = _within_limits(states, before, Decision(happened, {stream: after} if made else {}), now)
    if before is not None:
        decision = _paid_late(states, before.pending, decision, now)
    if isinstance(command, commands.OpenTable) and command.predecessor:
        return _succeed(states, decision, command)
    return decision


def _check_seat(states: States, table: Table | None, command: commands.Command, actor: Actor, now: Time) -> None:
    """F-15: who may not play gets no seat, and only who may not play loses one by the house."""
    match command:
        case commands.Sit() if table is not None and (who := _known(states, actor.id)) is not None:
            check_seat(who, table.settings, now)
        case commands.Unseat(player) if table is not None:
            who = _known(states, player)
            if who is None or not why_not(who, table.settings.id, now):
                raise Refused("That person may play here.")


def _within_limits(states: States, table: Table | None, decision: Decision, now: Time) -> Decision:
    """F-15: no new wager of who may not play, or beyond what they have limited for themselves; the first of somebody's
    day is an event of theirs in the same commit."""
    happened, after = list(decision.happened), dict(decision.states)
    for account, wager in wagers_of(entry for one in decision.happened for entry in one.entries).items():
        who = _known(states, account.owner) if account.kind is AccountKind.PLAYER else None
        if table is None or who is None:
            continue
        lying = 0
        if who.limits.are_set:  # nobody else's chips are looked for at every table
            lying = table.lying(who.id) + states.lying_elsewhere(who.id, table.settings.id)
        for event in check_wagers(who, table.settings.id, wager, states.balance(str(account)), lying, now):
            stream = person_stream(who.id)
            happened.append(Happened(stream, event))
            after[stream] = person.evolve(who, who.id, event, now)
    return Decision(tuple(happened), after)


def _paid_late(states: States, pending: Pending, decision: Decision, now: Time) -> Decision:
    """F-15: a win of an earlier day that is paid only now, and what a dispute from then corrects, is neither won nor
    lost today."""
    happened, after = list(decision.happened), dict(decision.states)
    for one in decision.happened:
        match one.event:
            case events.WinReleased(win) if win in pending.wins:
                since, player, cents = pending.wins[win].at, pending.wins[win].player, pending.wins[win].cents
            case events.DisputeDecided(number, amount=amount, held=held) if amount and not held:
                since, player, cents = pending.disputes[number].at, pending.disputes[number].player, amount
            case _:
                continue
        who = None if is_patron(player) else _known(states, player)
        day = None if who is None else who.limits.day(now)
        if who is not None and day is not None and since < day.began:
            stream, event = person_stream(who.id), player_limits.MovedOutside(cents)
            happened.append(Happened(stream, event))
            after[stream] = person.evolve(who, who.id, event, now)
    return Decision(tuple(happened), after)


def _known(states: States, id: str) -> Person | None:
    found = states.of(person_stream(id))
    return found if isinstance(found, Person) else None


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


def _decide_abandoned(
    states: States, before: AbandonedTable, stream: str, command: commands.Command, actor: Actor, now: Time
) -> Decision:
    if isinstance(command, commands.VerifyWin | commands.DecideDispute):
        event = _still_open(states, before, command, actor, now)
        made = (Happened(stream, event, tuple(entries(before, stream, event))),)
        decision = Decision(made, {stream: before.after(event, time=now)})
        return _paid_late(states, before.pending, decision, now)
    if not isinstance(command, commands.Abandon) or before.abandoned:
        raise Refused("The table is closed.")
    abandoned = before.abandon(command.reason, command.signed)
    happened = [Happened(stream, abandoned, tuple(entries(before, stream, abandoned)), before.round)]
    state = before.after(abandoned)
    for left in before.patrons_leave(abandoned):
        happened.append(Happened(stream, left, tuple(entries(state, stream, left))))
        state = state.after(left)
    return Decision(tuple(happened), {stream: state})


def _still_open(
    states: States, table: AbandonedTable, command: commands.VerifyWin | commands.DecideDispute, actor: Actor, now: Time
) -> events.WinReleased | events.DisputeDecided:
    """F-19: what is open behind the rounds of a table does not end with its rules."""
    if isinstance(command, commands.VerifyWin):
        return released(table.pending, command.win, actor)
    return decided(table.pending, command, actor, lambda player: states.balance(str(account_of(player))), now)


def _of_person(before: Person | None, stream: str, command: person.Command, actor: Actor, now: Time) -> Decision:
    id = stream.removeprefix(PERSON)
    made, after = person.decide(before, id, command, actor, now)
    happened = tuple(Happened(stream, event, tuple(person.entries(id, event))) for event in made)
    return Decision(happened, {stream: after} if made else {})


def _decide_house(states: States, command: Command, actor: Actor, now: Time) -> Decision:
    before = states.of(HOUSE_STREAM)
    assert isinstance(before, Administration)
    inner = Decision()
    match command:
        case administration.AdmitGuest(id, digest, grant, token, expires):
            inner = _several(None, id, [person.Join(digest, grant), person.OpenSession(token, expires)], actor, now)
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
            event, inner = _employ(states, before, command, actor, now)
        case administration.GiveRoles(id, roles, reason):
            event, inner = _give_roles(states, before, id, roles, reason, now)
        case administration.Propose():
            event = _propose(states, before, command, actor, now)
        case administration.Sign(action):
            event, inner = _sign(states, before, action, actor, now)
        case administration.Withdraw(action, reason):
            event = _withdraw(states, before, action, reason, actor)
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


# Players' protection (F-15).


def _outside_play(states: States, entries: list[Entry], now: Time) -> Decision:
    """Money that comes or goes outside the play is neither won nor lost. Who may not play buys nothing in."""
    happened, after = list[Happened](), dict[str, State]()
    for entry in entries:
        for account, cents in ((entry.payee, entry.cents), (entry.payer, -entry.cents)):
            who = _known(states, account.owner) if account.kind is AccountKind.PLAYER else None
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
    who = _known(states, id)
    if who is None or not who.exclusions.are_in_force(now):
        raise Refused("That person is not on the self-exclusion list.")
    if house.has_noted(id, table, now):
        raise Refused("That was noted a moment ago.")
    return administration.BreachNoted(id, table)


# People of the house (F-13).


def _several(before: Person | None, id: str, given: list[person.Command], actor: Actor, now: Time) -> Decision:
    """What several commands make of one person."""
    stream, happened, states = person_stream(id), list[Happened](), dict[str, State]()
    for command in given:
        made = _of_person(before, stream, command, actor, now)
        happened += made.happened
        states |= made.states
        after = states.get(stream)
        assert after is None or isinstance(after, Person)
        before = after
    return Decision(tuple(happened), states)


def _with_roles(made: Decision, id: str, roles: tuple[str, ...], now: Time) -> Decision:
    """The person has these roles, whatever they were."""
    stream, event = person_stream(id), person.RolesGiven(roles)
    before = made.states[stream]
    assert isinstance(before, Person)
    after = person.evolve(before, id, event, now)
    return Decision((*made.happened, Happened(stream, event)), {**made.states, stream: after})


def _employ(
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
    joined = _several(None, id, [person.Join(command.digest, demo=demo)], actor, now)
    given = _with_roles(joined, id, roles, now)
    who = given.states[person_stream(id)]
    assert isinstance(who, Person)
    more = _several(who, id, later, actor, now)
    made = Decision((*given.happened, *more.happened), {**given.states, **more.states})
    return administration.StaffChanged(id, roles, demo=demo), made


def _checked_roles(roles: tuple[str, ...]) -> tuple[str, ...]:
    """Roles of the house in the order of their list."""
    known = {role.value: role for role in STAFF}
    for role in roles:
        if role not in known:
            raise Refused(f"{role!r} is no role of the house; choose among {', '.join(sorted(known))}.")
    return tuple(role.value for role in Role if role.value in roles)


def _give_roles(
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


# Two signatures (F-13).


def _propose(
    states: States, house: Administration, command: administration.Propose, actor: Actor, now: Time
) -> administration.Event:
    given = command.command
    roles = _signing_roles(states, command.stream, actor)
    if not may_propose(type(given), roles, has_dealer(states.of(command.stream))):
        if may_propose(type(given), roles_of(states, actor), has_dealer(states.of(command.stream))):
            raise Refused("The dealer who signs is the one who has signed on at the table.")
        raise Refused(f"{name_of(type(given)).capitalize()} is not for {listed(roles_of(states, actor))} to propose.")
    if command.action in house.waiting:
        raise Refused("That waits already.")
    if len(house.waiting) >= administration.MOST_WAITING:
        raise Refused("Too much waits for a second signature; sign or withdraw some of it first.")
    if command.expires <= now:
        raise Refused("There must be some time to sign it.")
    _check_uninvolved(states, command.stream, given, actor.id)
    _decide(states, command.stream, given, actor, now)  # what cannot be done now is not proposed
    return administration.Proposed(command.action, command.stream, given, actor.id, command.expires)


def has_dealer(table: object) -> bool:
    """Whether a dealer may sign for a stream, by its state: at a table that the program deals there is none."""
    return not isinstance(table, Table) or table.settings.has_dealer


def _signing_roles(states: States, stream: str, actor: Actor) -> frozenset[Role]:
    """As what somebody signs for a table now: as its dealer only who has signed on there (F-41)."""
    roles, table = roles_of(states, actor), states.of(stream)
    if isinstance(table, Table) and table.dealer != actor.id and states.signs_on(stream):
        return roles - {Role.DEALER}
    return roles


def _sign(
    states: States, house: Administration, action: str, actor: Actor, now: Time
) -> tuple[administration.Event, Decision]:
    """The command is decided as things are now, not as they were when it was proposed."""
    waiting = house.waiting.get(action)
    if waiting is None:
        raise Refused("That does not wait any more: it was signed, withdrawn, or nobody signed in time.")
    if now >= waiting.expires:
        raise Refused("The time to sign it is over; propose it again.")
    if waiting.by == actor.id:
        raise Refused("You have signed it already; the second signature is another person's.")
    proposer = states.of(person_stream(waiting.by))
    known = isinstance(proposer, Person) and not proposer.forgotten
    first = _signing_roles(states, waiting.stream, by_person(waiting.by)) if known else frozenset[Role]()
    kind, dealt = type(waiting.command), has_dealer(states.of(waiting.stream))
    if not may_propose(kind, first, dealt):
        raise Refused("Whoever proposed it may not any more; withdraw it and propose it again.")
    if not may_sign(kind, first, _signing_roles(states, waiting.stream, actor), dealt):
        if may_sign(kind, first, roles_of(states, actor), dealt):
            raise Refused("The dealer who signs is the one who has signed on at the table.")
        raise Refused(f"The second signature is that of {listed(who_may_sign(kind, first, dealt))}.")
    if are_in_one_hand(partial(_known, states), waiting.by, actor.id, now):
        raise Refused(ONE_HAND)
    _check_uninvolved(states, waiting.stream, waiting.command, actor.id)
    made = _decide(states, waiting.stream, waiting.command, actor, now)
    return administration.ActionSigned(action, waiting.by, actor.id), made


def _withdraw(states: States, house: Administration, action: str, reason: str, actor: Actor) -> administration.Event:
    waiting = house.waiting.get(action)
    if waiting is None:
        raise Refused("That does not wait any more: it was signed, withdrawn, or nobody signed in time.")
    if waiting.by != actor.id and Role.MANAGER not in roles_of(states, actor):
        raise Refused("Only whoever proposed it, or a manager, withdraws it.")
    if not reason.strip():
        raise Refused("Give the reason.")
    return administration.Withdrawn(action, reason)


def evolve(state: State | None, stream: str, event: Event, time: Time) -> State:
    """The state of a stream after an event."""
    if stream == HOUSE_STREAM:
        assert isinstance(event, administration.Event)
        assert state is None or isinstance(state, Administration)
        return administration.evolve(state or Administration(), event, time)
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
        if isinstance(event, events.PatronSat | events.PatronLeft):
            return patron_entries(stream, event)
        if isinstance(event, events.WinReleased | events.DisputeDecided):
            return pending_entries(stream, state.pending, event)
        return abandoned_entries(stream, event.back) if isinstance(event, events.Abandoned) else []
    assert state is None or isinstance(state, Table)
    return table_entries(state, event)
