"""Whether somebody may give a command (F-13): by the table of roles, and by how they stand to what it is about."""

from feltworks.floor import administration, person
from feltworks.floor.accounts import player_account
from feltworks.floor.actors import Actor
from feltworks.floor.exclusion.entry import DecideMatch
from feltworks.floor.person import Person
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role, listed, may_give, may_propose, name_of, who_may_sign
from feltworks.floor.streams import Command, State, States, person_stream
from feltworks.floor.table import commands
from feltworks.floor.table.answers import Decided
from feltworks.floor.table.incidents import deciders
from feltworks.floor.table.state import Table

OF_THE_DEALER = (
    commands.DealerCommand | commands.PersonalCommand | commands.PatronCommand | commands.Report | commands.Resolve
)
"""What a dealer gives only at the table where they have signed on (F-41)."""
LOOKED_AT_BY_ANOTHER = commands.VerifyWin | commands.DecideDispute
"""What is about how a table was dealt, so that whoever deals there does not do it (F-19)."""


def roles_of(states: States, actor: Actor) -> frozenset[Role]:
    """The roles that a person has now. Whoever has none given is a player; the first version knew players alone."""
    known = states.of(person_stream(actor.id))
    return person_roles(known) if isinstance(known, Person) else frozenset({Role.PLAYER})


def person_roles(known: Person) -> frozenset[Role]:
    return frozenset(map(Role, known.roles)) or frozenset({Role.PLAYER})


def is_player(known: Person) -> bool:
    """Whether a person plays: nobody does who works here."""
    return Role.PLAYER in person_roles(known)


def check_right(states: States, stream: str, command: Command, actor: Actor) -> None:
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
        check_uninvolved(states, stream, command, actor.id)
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


def check_uninvolved(states: States, stream: str, command: Command, id: str) -> None:
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


def has_dealer(table: object) -> bool:
    """Whether a dealer may sign for a stream, by its state: at a table that the program deals there is none."""
    return not isinstance(table, Table) or table.settings.has_dealer


def signing_roles(states: States, stream: str, actor: Actor) -> frozenset[Role]:
    """As what somebody signs for a table now: as its dealer only who has signed on there (F-41)."""
    roles, table = roles_of(states, actor), states.of(stream)
    if isinstance(table, Table) and table.dealer != actor.id and states.signs_on(stream):
        return roles - {Role.DEALER}
    return roles
