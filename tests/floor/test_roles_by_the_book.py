"""Who may do what, written down a second time from the words of F-13 and of the statements that it goes with.

`floor/roles.py` is what the house asks. This page knows nothing of it, so that a mistake there is found here. Commands
stand here by the name that the records give them. Who adds a command adds its name under each role that the statements
let give it, or under `PROGRAM_ALONE`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Book, Migrate, Sign, Signed
from feltworks.floor.aggregates import decide
from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import TABLE, Right, Role, name_of
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, States
from feltworks.floor.table import commands as cmd
from tests.floor.employing import employed
from tests.floor.sitting import one_for_the_money
from tests.floor.test_house import Clock
from tests.floor.test_roles import KEYS, is_allowed


def names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())


class Page(NamedTuple):
    """What the statements say of one role."""

    can: frozenset[str]
    """Alone."""
    never: frozenset[str]
    """Neither alone nor with anybody else: what the words of the statement keep from the role."""


DEALING = names("start round, go on, close betting, end round, enter")
FOR_PATRONS = names("seat patron, patron leaves, place for, take up for, choose for")
AT_THE_TABLE = names("sign on, sign off, tick off, take back")
PLAYING = names("sit, place, take up, collect, ready, choose")
SIGNING = names("propose, sign, withdraw")
SETTINGS = names("open table, close table, reopen table, change settings, withdraw change")
PEOPLE = names("add person, give roles, give code")
JACKPOTS = names("open jackpot, change jackpot, link table, unlink table")

BOOK = {
    # A player plays, and does nothing for the house.
    "player": Page(
        PLAYING | names("claim"),
        DEALING | FOR_PATRONS | SIGNING | SETTINGS | PEOPLE | names("void round, book, resolve"),
    ),
    # A dealer deals, enters what cards and dice show and what seats without a screen wager (F-20), and reports what
    # goes wrong (F-28); decides only what the document asks of the dealer.
    "dealer": Page(
        DEALING | FOR_PATRONS | SIGNING | AT_THE_TABLE | names("report, resolve, claim"),
        PLAYING
        | SETTINGS
        | JACKPOTS
        | PEOPLE
        | names("book, pause, release, bar, decide match, seed jackpot, adjust jackpot, close jackpot"),
    ),
    # A supervisor decides about incidents (F-28) and confirms what is entered, stops a table and looks after its
    # patrons; deals nothing, and neither settings nor people are theirs.
    "supervisor": Page(
        FOR_PATRONS
        | SIGNING
        | names("report, resolve, enter, release, pause, resume, bar, mark done")
        | names("correct, claim, decide dispute"),
        PLAYING | SETTINGS | JACKPOTS | PEOPLE | names("start round, go on, close betting, end round, book, unbar"),
    ),
    # Surveillance sees everything that lies open; its only command is to verify a held win (F-19).
    "surveillance": Page(
        names("verify win"),
        PLAYING
        | DEALING
        | FOR_PATRONS
        | SIGNING
        | SETTINGS
        | PEOPLE
        | names("void round, book, pause, bar, mark done"),
    ),
    # A cashier works at the cage: asks people who they are (F-15), and moves money with a second person.
    "cashier": Page(
        SIGNING | names("keep"),
        PLAYING | DEALING | FOR_PATRONS | SETTINGS | PEOPLE | names("void round, pause, resolve, bar, decide match"),
    ),
    # Security carries and signs fills and credits (F-33), and looks after the self-exclusion list (F-15).
    "security": Page(
        SIGNING | names("import exclusions, decide match"),
        PLAYING | DEALING | FOR_PATRONS | SETTINGS | PEOPLE | names("void round, book, resolve, remove exclusions"),
    ),
    # A manager has the settings, the jackpots (F-24) and the people, and neither deals nor plays nor decides an
    # incident; enters only who rolls, which Y-23 lets a manager decide too.
    "manager": Page(
        SIGNING
        | SETTINGS
        | JACKPOTS
        | PEOPLE
        | names("pause, resume, bar, unbar, forget, end session, keep, mark done")
        | names("import exclusions, remove exclusions, decide match, enter"),
        PLAYING
        | (DEALING - names("enter"))
        | FOR_PATRONS
        | AT_THE_TABLE
        | names("report, release, correct, verify win, decide dispute, grant"),
    ),
    # An auditor reads all records, exports them, and changes nothing.
    "auditor": Page(
        names(""),
        JACKPOTS
        | PLAYING
        | DEALING
        | FOR_PATRONS
        | SIGNING
        | SETTINGS
        | PEOPLE
        | names("void round, book, pause, bar, mark done"),
    ),
}
LEAVING = names("leave")
"""Whoever sits may leave, also somebody who was given a role meanwhile: nobody is kept at a table (F-30)."""
BOOK = {role: page._replace(can=page.can | LEAVING) for role, page in BOOK.items()}
TOGETHER = {
    "void round": {("supervisor", "dealer"), ("supervisor", "manager")},
    "resolve": {("supervisor", "dealer"), ("supervisor", "manager")},  # a decision that voids the round
    "book": {("manager", "cashier")},
    "seed jackpot": {("manager", "cashier"), ("manager", "supervisor")},
    "adjust jackpot": {("manager", "cashier"), ("manager", "supervisor")},
    "close jackpot": {("manager", "cashier"), ("manager", "supervisor")},
}
"""What two persons do, whoever is first. A void needs the supervisor and the table's dealer or a manager."""
NEVER_ALONE = names("void round, book, seed jackpot, adjust jackpot, close jackpot")
OWN = names("connection, forget, set limit, rename, set password, keep, end session")
"""What anybody does about themselves: one's name, one's limits (F-15), one's way in."""
PERSONS_ALONE = (
    PLAYING
    | LEAVING
    | FOR_PATRONS
    | SIGNING
    | AT_THE_TABLE
    | names("set limit, correct, verify win, claim, decide dispute")
)
"""What the program does for nobody: it makes no wager that nobody made (F-30), and signs nothing."""
PROGRAM_ALONE = (
    names("clock ran out, unseat, free seats, restart clocks, abandon")
    | names("join, open session, grant, rehash, exclude, lift exclusion")
    | names("admit guest, admit for demonstration, offer set-up, set up, change key, migrate, lapse")
    | names("note jump, note code, note due, note breach")
)
"""What no person does, in whatever role."""

WRITTEN = frozenset[str]().union(*(page.can for page in BOOK.values()), TOGETHER, OWN, PERSONS_ALONE, PROGRAM_ALONE)
ROLES = [pytest.param(Role(name), id=name) for name in BOOK]
BY_NAME: dict[str, Right] = {right.name: right for right in TABLE}


@pytest.mark.rule("F-13")
def test_the_book_speaks_of_every_command_that_there_is_and_of_no_other() -> None:
    unknown = sorted(set(BY_NAME) - WRITTEN)
    assert not unknown, (
        f"nothing is written here of {', '.join(unknown)}: read F-13 again, and add each one under the roles that may"
        " give it (BOOK), as what two do together (TOGETHER), as one's own (OWN), or as PROGRAM_ALONE"
    )
    assert sorted(WRITTEN - set(BY_NAME)) == []
    assert sorted(BOOK) == sorted(role.value for role in Role)


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_does_what_the_statements_let_it_do_alone_and_nothing_else(role: Role) -> None:
    assert {right.name for right in TABLE if role in right.roles} == BOOK[role.value].can


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", ROLES)
def test_what_the_statements_keep_from_a_role_it_does_neither_alone_nor_with_another(role: Role) -> None:
    of_pairs = {right.name for right in TABLE if right.pair and any(role in kind for kind in right.pair)}
    assert not BOOK[role.value].never & (BOOK[role.value].can | of_pairs)
    assert BOOK[role.value].never <= set(BY_NAME)


@pytest.mark.rule("F-13")
def test_an_auditor_changes_nothing_and_surveillance_does_nothing_but_verify_held_wins() -> None:
    for role, allowed in ((Role.AUDITOR, LEAVING), (Role.SURVEILLANCE, LEAVING | names("verify win"))):
        given = {right.name for right in TABLE if role in right.roles}
        given |= {right.name for right in TABLE if right.pair and any(role in kind for kind in right.pair)}
        assert given <= allowed


@pytest.mark.rule("F-13")
def test_what_is_one_s_own_is_what_concerns_nobody_else() -> None:
    assert {right.name for right in TABLE if right.own} == OWN


@pytest.mark.rule("F-13", "F-30")
def test_the_program_plays_for_nobody_and_signs_nothing() -> None:
    assert {right.name for right in TABLE if not right.program} == PERSONS_ALONE
    of_nobody = {right.name for right in TABLE if not right.roles and not right.own and right.pair is None}
    assert of_nobody == PROGRAM_ALONE


@pytest.mark.rule("F-13")
def test_what_needs_two_people_is_what_the_statements_say_and_nobody_s_alone() -> None:
    pairs = {
        right.name: {frozenset((one.value, other.value)) for one in right.pair[0] for other in right.pair[1]}
        for right in TABLE
        if right.pair is not None
    }
    assert pairs == {name: set(map(frozenset, two)) for name, two in TOGETHER.items()}
    assert not any(BY_NAME[name].roles or BY_NAME[name].own for name in NEVER_ALONE)


class Pit:
    """A house with somebody of each role, and a round at a table that the program deals and at one that people do."""

    def __init__(self, path: Path) -> None:
        self.house = House(Store(path), KEYS, Clock())
        self.actors = {role: self._somebody(role) for role in Role}
        for settings in (one_for_the_money(), replace(one_for_the_money(), id="by-hand", dealing="people")):
            self.house.open_table(settings)
            self.house.command(settings.id, self.house.people.guest()[0], cmd.Sit(1))
        self.house.deal_on("money", "start round")
        self.house.pit.deal_by_hand("by-hand", cmd.SignOn(), self.actors[Role.DEALER])
        self.house.pit.deal_by_hand("by-hand", cmd.StartRound(shuffle=True), self.actors[Role.DEALER])

    def _somebody(self, role: Role) -> Actor:
        return by_person(self.house.people.guest()[0]) if role is Role.PLAYER else employed(self.house, role)

    def signed(self, stream: str, command: Signed, first: Role, second: Role) -> bool:
        """Whether two people of these roles may give a command together; it is not carried out."""
        another = self._somebody(second) if first is second else self.actors[second]
        try:
            action = self.house.staff.propose(stream, command, self.actors[first])
        except Refused as refusal:
            if " is not for " not in str(refusal):
                raise
            return False
        states = States(self.house.state, lambda _: 10**9, SealedShoes(KEYS))
        try:
            decide(states, HOUSE_STREAM, Sign(action), another, self.house.clock())
        except Refused as refusal:
            if not any(words in str(refusal) for words in (" is not for ", "The second signature is that of ")):
                raise
            return False
        finally:
            self.house.staff.withdraw(action, "a test", self.actors[first])
        return True

    def pairs(self, stream: str, command: Signed) -> set[frozenset[str]]:
        """Who may give it together, the same whoever of them is the first."""
        every = [(one, other) for one in Role for other in Role if self.signed(stream, command, one, other)]
        assert {(other, one) for one, other in every} == set(every)
        return {frozenset((one.value, other.value)) for one, other in every}


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    pit = Pit(tmp_path / "records.db")
    yield pit
    pit.house.store.close()


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", ROLES)
def test_the_house_carries_out_what_the_book_lets_a_role_do_and_refuses_everything_else(pit: Pit, role: Role) -> None:
    other, _ = pit.house.people.guest()
    done = {
        right.name
        for right in TABLE
        if right.command is not Migrate and is_allowed(pit.house, right.command, pit.actors[role], other)
    }
    assert done == BOOK[role.value].can


@pytest.mark.rule("F-13")
def test_the_house_lets_the_program_do_what_the_book_says_and_nothing_else(pit: Pit) -> None:
    other, _ = pit.house.people.guest()
    refused = {right.name for right in TABLE if not is_allowed(pit.house, right.command, PROGRAM, other)}
    assert refused - {name_of(Migrate)} == PERSONS_ALONE


VOID = cmd.VoidRound("a test")
BOOKING = Book("correction", "house", "cage cash", 5, "a test")


@pytest.mark.rule("F-13")
def test_a_void_needs_the_supervisor_and_the_dealer_or_a_manager_where_people_deal(pit: Pit) -> None:
    assert pit.pairs("by-hand", VOID) == {frozenset(two) for two in TOGETHER["void round"]}


@pytest.mark.rule("F-13")
def test_a_table_that_the_program_deals_has_no_dealer_so_a_manager_signs_with_the_supervisor(pit: Pit) -> None:
    assert pit.pairs("money", VOID) == {frozenset(("supervisor", "manager"))}


@pytest.mark.rule("F-13")
def test_money_outside_the_tables_is_moved_by_a_manager_with_a_cashier_alone(pit: Pit) -> None:
    assert pit.pairs(HOUSE_STREAM, BOOKING) == {frozenset(two) for two in TOGETHER["book"]}


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("kind", ["fill", "credit", "jackpot adjustment", "jackpot award", "jackpot seed"])
def test_nobody_makes_a_fill_a_credit_or_an_entry_of_a_jackpot_alone(pit: Pit, kind: str) -> None:
    for actor in pit.actors.values():
        with pytest.raises(Refused, match=r"Book is not for|This needs two signatures"):
            pit.house.book(Book(kind, "house", "cage chips", 500, "a test"), actor)
