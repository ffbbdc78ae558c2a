"""Who may do what (F-13): one table, a row for each command. `rights.py` asks it before anything is decided.

A person has roles, given by a manager. A guest, or a player with an account, has the role of a player.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from feltworks.floor import administration, person, player_limits
from feltworks.floor.exclusion import entry
from feltworks.floor.jackpot import commands as jackpot
from feltworks.floor.table import commands as table


class Role(Enum):
    """What a person is in the house."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    SURVEILLANCE = "surveillance"
    CASHIER = "cashier"
    SECURITY = "security"
    MANAGER = "manager"
    AUDITOR = "auditor"


STAFF = frozenset(Role) - {Role.PLAYER}
SIGNERS = STAFF - {Role.SURVEILLANCE, Role.AUDITOR}
"""Those who sign with others: an auditor changes nothing, and surveillance only verifies large wins."""
DOES = {
    Role.PLAYER: "plays",
    Role.DEALER: "deals at a table",
    Role.SUPERVISOR: "decides about incidents, pauses tables, seats patrons, and signs with others",
    Role.SURVEILLANCE: "sees everything that lies open, and verifies large wins",
    Role.CASHIER: "works at the cage",
    Role.SECURITY: "carries and signs fills and credits, and looks after the self-exclusion list",
    Role.MANAGER: "opens tables, changes their settings, and looks after the people of the house",
    Role.AUDITOR: "reads all records and exports them, and changes nothing",
}


@dataclass(frozen=True)
class Right:
    """Who may give a command."""

    command: type
    roles: frozenset[Role] = frozenset()
    """Persons of one of these roles."""
    program: bool = True
    """The program itself: its dealer, its clocks, and whoever owns the machine it runs on."""
    own: bool = False
    """Any person, about themselves and nobody else."""
    pair: tuple[frozenset[Role], frozenset[Role]] | None = None
    """Two persons together, one of each kind, in either order. Nobody gives such a command alone, unless one of the
    roles above may: then what it does says whether it needs two."""

    @property
    def name(self) -> str:
        """What a person calls it: `CloseTable` is "close table"."""
        return name_of(self.command)


def name_of(command: type) -> str:
    tag = getattr(command, "__struct_config__").tag  # noqa: B009 - the tag is what the records call it
    return str(tag)


def _of(*roles: Role) -> frozenset[Role]:
    return frozenset(roles)


_PLAYER, _DEALER, _SUPERVISOR = Role.PLAYER, Role.DEALER, Role.SUPERVISOR
_CASHIER, _SECURITY, _MANAGER = Role.CASHIER, Role.SECURITY, Role.MANAGER
_VOID = (_of(_SUPERVISOR), _of(_DEALER, _MANAGER))
"""Who signs together that a round is void; a decision about an incident that voids it is one too."""

TABLE = (
    # A player's, at a table.
    *(
        Right(command, _of(_PLAYER), program=False)
        for command in (
            table.Sit,
            table.Place,
            table.TakeUp,
            table.Collect,
            table.Ready,
            table.Choose,
        )
    ),
    Right(table.Leave, frozenset(Role), program=False),  # whoever was given a role while they played has a seat
    Right(table.Connection, own=True),
    # The dealer's, where people deal.
    Right(table.StartRound, _of(_DEALER)),
    Right(table.GoOn, _of(_DEALER)),
    Right(table.CloseBetting, _of(_DEALER)),
    Right(table.EndRound, _of(_DEALER)),
    Right(table.Enter, _of(_DEALER, _SUPERVISOR, _MANAGER)),  # a manager only what the game lets one decide
    *(
        Right(command, _of(_DEALER), program=False)
        for command in (table.SignOn, table.SignOff, table.TickOff, table.TakeBack)
    ),
    Right(table.Report, _of(_DEALER, _SUPERVISOR)),
    Right(table.Resolve, _of(_DEALER, _SUPERVISOR), pair=_VOID),
    *(
        Right(command, _of(_DEALER, _SUPERVISOR), program=False)
        for command in (table.SeatPatron, table.PatronLeaves, table.PlaceFor, table.TakeUpFor, table.ChooseFor)
    ),
    # The floor's.
    Right(table.Correct, _of(_SUPERVISOR), program=False),
    Right(table.Release, _of(_SUPERVISOR)),
    Right(table.Pause, _of(_SUPERVISOR, _MANAGER)),
    Right(table.Resume, _of(_SUPERVISOR, _MANAGER)),
    Right(table.VerifyWin, _of(Role.SURVEILLANCE), program=False),
    Right(table.Claim, _of(_PLAYER, _DEALER, _SUPERVISOR), program=False),
    Right(table.DecideDispute, _of(_SUPERVISOR), program=False),
    Right(table.VoidRound, pair=_VOID),
    # The manager's.
    Right(table.OpenTable, _of(_MANAGER)),
    Right(table.CloseTable, _of(_MANAGER)),
    Right(table.ReopenTable, _of(_MANAGER)),
    Right(table.ChangeSettings, _of(_MANAGER)),
    Right(table.WithdrawChange, _of(_MANAGER)),
    Right(administration.AddPerson, _of(_MANAGER)),
    Right(administration.GiveRoles, _of(_MANAGER)),
    Right(person.GiveCode, _of(_MANAGER)),
    Right(person.Bar, _of(_SUPERVISOR, _MANAGER)),
    Right(person.Unbar, _of(_MANAGER)),
    Right(person.Forget, _of(_MANAGER), own=True),
    Right(administration.MarkDone, _of(_SUPERVISOR, _MANAGER)),
    # The players' protection.
    Right(player_limits.SetLimit, program=False, own=True),
    Right(administration.ImportExclusions, _of(_SECURITY, _MANAGER)),
    Right(administration.RemoveExclusions, _of(_MANAGER)),
    Right(entry.DecideMatch, _of(_SECURITY, _MANAGER)),
    # Money outside the tables.
    Right(administration.Book, pair=(_of(_MANAGER), _of(_CASHIER))),
    # Progressive jackpots.
    *(Right(command, _of(_MANAGER)) for command in (jackpot.OpenJackpot, jackpot.ChangeJackpot)),
    *(Right(command, _of(_MANAGER)) for command in (jackpot.LinkTable, jackpot.UnlinkTable)),
    *(
        Right(command, pair=(_of(_MANAGER), _of(_CASHIER, _SUPERVISOR)))
        for command in (jackpot.SeedJackpot, jackpot.AdjustJackpot, jackpot.CloseJackpot)
    ),
    # Of those who sign with others.
    Right(administration.Propose, SIGNERS, program=False),
    Right(administration.Sign, SIGNERS, program=False),
    Right(administration.Withdraw, SIGNERS, program=False),
    # One's own.
    Right(person.Rename, own=True),
    Right(person.SetPassword, own=True),
    Right(person.Keep, _of(_CASHIER, _MANAGER), own=True),
    Right(person.EndSession, _of(_MANAGER), own=True),
    # The program's alone.
    *(
        Right(command)
        for command in (
            table.ClockRanOut,
            table.Unseat,
            table.FreeSeats,
            table.RestartClocks,
            table.Abandon,
            person.Join,
            person.OpenSession,
            person.Grant,
            person.Rehash,
            entry.Exclude,
            entry.LiftExclusion,
            administration.AdmitGuest,
            administration.AdmitForDemonstration,
            administration.OfferSetUp,
            administration.SetUp,
            administration.ChangeKey,
            administration.Migrate,
            administration.NoteJump,
            administration.Lapse,
            administration.NoteCode,
            administration.NoteDue,
            administration.NoteBreach,
        )
    ),
)
"""Role by command. What stands in no row can be done by nobody."""

RIGHTS = {right.command: right for right in TABLE}


def may_give(command: type, roles: Collection[Role], *, is_program: bool, is_own: bool) -> bool:
    """Whether somebody may give a command alone."""
    right = RIGHTS.get(command)
    if right is None:
        return False
    if is_program:
        return right.program
    return bool(right.roles.intersection(roles)) or (right.own and is_own)


def may_propose(command: type, roles: Collection[Role], has_dealer: bool = True) -> bool:
    """Whether somebody may be the first of the two who give a command together. Where a table has no dealer, because
    the program deals, a manager signs in the dealer's place, and nobody signs as one."""
    right, signing = RIGHTS.get(command), _signing(roles, has_dealer)
    return right is not None and right.pair is not None and any(kind.intersection(signing) for kind in right.pair)


def may_sign(command: type, first: Collection[Role], second: Collection[Role], has_dealer: bool = True) -> bool:
    """Whether two persons of these roles may give a command together."""
    right = RIGHTS.get(command)
    if right is None or right.pair is None:
        return False
    (one, other), first, second = right.pair, _signing(first, has_dealer), _signing(second, has_dealer)
    return bool(
        (one.intersection(first) and other.intersection(second))
        or (other.intersection(first) and one.intersection(second))
    )


def who_may_sign(command: type, first: Collection[Role], has_dealer: bool = True) -> frozenset[Role]:
    """The roles that can be the second signature, after somebody of these roles."""
    return frozenset(role for role in Role if may_sign(command, first, {role}, has_dealer))


def _signing(roles: Collection[Role], has_dealer: bool) -> frozenset[Role]:
    return frozenset(roles) if has_dealer else frozenset(roles) - {Role.DEALER}


def listed(roles: Collection[Role]) -> str:
    """Roles as a person reads them: "a manager or a supervisor"."""
    said = [f"{'an' if role is Role.AUDITOR else 'a'} {role.value}" for role in Role if role in roles]
    return " or ".join(said) or "the program alone"
