"""Who may do what: every command by every role, alone and as one of two, allowed and refused (F-13)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from feltworks.floor import administration, person, player_limits
from feltworks.floor.actors import DEALER, PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.aggregates import decide
from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.exclusion import entry
from feltworks.floor.house import House
from feltworks.floor.jackpot import commands as jackpot
from feltworks.floor.jackpot.meter import jackpot_stream
from feltworks.floor.keys import Keys
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import DOES, RIGHTS, TABLE, Role, listed, may_propose, name_of
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, Command, States, person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Hidden
from tests.floor.employing import employed
from tests.floor.jackpots import MAIN, played, terms, under
from tests.floor.sitting import in_between, one_for_the_money
from tests.floor.test_house import Clock, deal, events_of
from tools import roles as roles_page

KEYS = Keys(bytes(32), bytes(range(32)))
COMMANDS: list[type] = [
    *(*get_args(cmd.Command), *get_args(person.Command)),
    *(*get_args(administration.Command), *get_args(jackpot.Command)),
]
BOOK = administration.Book("correction", "house", "cage cash", 5, "a test")
EXAMPLES: dict[type, Any] = {
    cmd.Sit: cmd.Sit(1),
    cmd.Place: cmd.Place("ante", 100),
    cmd.TakeUp: cmd.TakeUp("ante"),
    cmd.Collect: cmd.Collect("ante"),
    cmd.Choose: cmd.Choose("check"),
    cmd.OpenTable: cmd.OpenTable(in_between()),
    cmd.Enter: cmd.Enter(Hidden()),
    cmd.Resolve: cmd.Resolve("supervisor", "continue"),
    cmd.Connection: cmd.Connection("somebody", True),
    cmd.VoidRound: cmd.VoidRound("a test"),
    cmd.Report: cmd.Report("misdeal"),
    cmd.Release: cmd.Release("card reader", "a test"),
    cmd.VerifyWin: cmd.VerifyWin("7-1"),
    cmd.Claim: cmd.Claim(1, 1, "somebody", "a test"),
    cmd.DecideDispute: cmd.DecideDispute(1, "upheld", "Hoyle", "a test"),
    cmd.Pause: cmd.Pause("a test"),
    cmd.ChangeSettings: cmd.ChangeSettings(one_for_the_money()),
    cmd.CloseTable: cmd.CloseTable("a test"),
    cmd.Abandon: cmd.Abandon("a test"),
    person.Join: person.Join("00"),
    person.Rename: person.Rename("00"),
    person.OpenSession: person.OpenSession("00", 10**15),
    person.EndSession: person.EndSession("00"),
    person.Grant: person.Grant(5, "a test"),
    person.Forget: person.Forget("a test"),
    person.SetPassword: person.SetPassword("00", "a test"),
    person.Rehash: person.Rehash("00", "a test"),
    person.GiveCode: person.GiveCode("00", 10**15),
    person.Keep: person.Keep(person.DETAILS, "00"),
    person.Bar: person.Bar("a test"),
    person.Unbar: person.Unbar("a test"),
    administration.AdmitGuest: administration.AdmitGuest("new", "00", 5, "11", 10**15),
    administration.Book: BOOK,
    administration.ChangeKey: administration.ChangeKey("00", "11"),
    administration.NoteJump: administration.NoteJump(1, 1),
    administration.OfferSetUp: administration.OfferSetUp("00"),
    administration.SetUp: administration.SetUp("00", "new", "00", "00", "", "11", 10**15),
    administration.AddPerson: administration.AddPerson("new", "00", ("dealer",), "00", 10**15),
    administration.GiveRoles: administration.GiveRoles("nobody", ("dealer",), "a test"),
    administration.AdmitForDemonstration: administration.AdmitForDemonstration("new", "00", "dealer", "11", 10**15),
    player_limits.SetLimit: player_limits.SetLimit("loss", 500),
    entry.Exclude: entry.Exclude("one", "00", "2026-01-31"),
    entry.LiftExclusion: entry.LiftExclusion("00", "a test"),
    entry.DecideMatch: entry.DecideMatch("one", "00", True, "2026-01-31"),
    administration.ImportExclusions: administration.ImportExclusions("one", 1, 0, "00", "11"),
    administration.RemoveExclusions: administration.RemoveExclusions("a test"),
    administration.NoteBreach: administration.NoteBreach("somebody", "money"),
    cmd.Unseat: cmd.Unseat("somebody"),
    cmd.SeatPatron: cmd.SeatPatron(1, 500),
    cmd.PatronLeaves: cmd.PatronLeaves(1),
    cmd.PlaceFor: cmd.PlaceFor(1, "ante", 500),
    cmd.TakeUpFor: cmd.TakeUpFor(1, "ante"),
    cmd.ChooseFor: cmd.ChooseFor(1, "check"),
    cmd.TickOff: cmd.TickOff(1),
    cmd.Correct: cmd.Correct(1, Hidden(), "a test"),
    administration.Propose: administration.Propose("one", HOUSE_STREAM, BOOK, 10**15),
    administration.Sign: administration.Sign("none"),
    administration.Withdraw: administration.Withdraw("none", "a test"),
    administration.Lapse: administration.Lapse("none"),
    administration.NoteCode: administration.NoteCode({}, {}, {}, {}),
    administration.NoteDue: administration.NoteDue("one", "a test", "nothing", 10**15, "a test"),
    administration.MarkDone: administration.MarkDone("one", "a test"),
    jackpot.OpenJackpot: jackpot.OpenJackpot(terms(under())),
    jackpot.ChangeJackpot: jackpot.ChangeJackpot(terms(under())),
    jackpot.SeedJackpot: jackpot.SeedJackpot(500, 0, "a test"),
    jackpot.LinkTable: jackpot.LinkTable("money", played(under())),
    jackpot.UnlinkTable: jackpot.UnlinkTable("money", "a test"),
    jackpot.AdjustJackpot: jackpot.AdjustJackpot("display fault", 5, "a test"),
    jackpot.CloseJackpot: jackpot.CloseJackpot("a test"),
}
"""A command of each kind; those that say nothing more are made as they are."""
NOT_ALLOWED = (" to do.", "This needs two signatures")
"""How a refusal ends or begins that comes from the table of roles."""


def example(kind: type) -> Any:
    return EXAMPLES[kind] if kind in EXAMPLES else kind()


def stream_of(kind: type, about: str) -> str:
    if issubclass(kind, get_args(person.Command)):
        return person_stream(about)
    if issubclass(kind, get_args(administration.Command)):
        return HOUSE_STREAM
    if issubclass(kind, get_args(jackpot.Command)):
        return jackpot_stream(MAIN)
    return "between" if kind is cmd.OpenTable else "money"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(Store(tmp_path / "records.db"), KEYS, Clock())
    house.open_table(one_for_the_money())
    yield house
    house.store.close()


def is_allowed(house: House, kind: type, actor: Actor, about: str) -> bool:
    """Whether the table of roles lets this actor give such a command; what else is wrong with it does not matter."""
    states = States(house.state, lambda _: 10**9, SealedShoes(KEYS))
    try:
        decide(states, stream_of(kind, about), example(kind), actor, house.clock())
    except Refused as refusal:
        return not any(words in str(refusal) for words in NOT_ALLOWED)
    return True


@pytest.mark.rule("F-13")
def test_the_table_of_roles_has_one_row_for_every_command_there_is() -> None:
    assert sorted(right.command.__name__ for right in TABLE) == sorted(kind.__name__ for kind in COMMANDS)
    assert len(RIGHTS) == len(TABLE)
    assert set(DOES) == set(Role)


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [None, *Role], ids=lambda role: role.value if role else "the program")
def test_every_command_is_given_by_those_whom_the_table_names_and_by_nobody_else(
    house: House, role: Role | None
) -> None:
    """Nothing is carried out here, so one house is enough for all commands of a role."""
    other, _ = house.people.guest()
    if role is None:
        actor = PROGRAM
    elif role is Role.PLAYER:
        actor = by_person(house.people.guest()[0])
    else:
        actor = employed(house, role)
    kinds = [kind for kind in COMMANDS if kind is not administration.Migrate]  # which is made, and never given
    found = {name_of(kind): is_allowed(house, kind, actor, other) for kind in kinds}
    named = {right.name: right.program if role is None else role in right.roles for right in TABLE}
    assert found == {name: named[name] for name in found}


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    "kind", [right.command for right in TABLE if right.own and right.command is not cmd.Connection]
)
def test_what_is_one_s_own_is_done_for_oneself_and_for_nobody_else(house: House, kind: type) -> None:
    (ann, _), (bea, _) = house.people.guest(), house.people.guest()
    assert not is_allowed(house, kind, by_person(ann), bea)
    assert is_allowed(house, kind, by_person(ann), ann)


@pytest.mark.rule("F-13")
def test_nobody_says_of_another_that_the_connection_is_lost(house: House) -> None:
    (ann, _), (bea, _) = house.people.guest(), house.people.guest()
    with pytest.raises(Refused, match="Connection is not for a player to do"):
        house.carry_out("money", cmd.Connection(bea, False), by_person(ann))
    house.carry_out("money", cmd.Connection(ann, False), by_person(ann))


@pytest.mark.rule("F-13")
def test_a_decision_about_an_incident_is_made_by_whom_it_is_asked_of(house: House) -> None:
    dealer, supervisor = employed(house, Role.DEALER), employed(house, Role.SUPERVISOR)
    with pytest.raises(Refused, match="That is for a supervisor to decide"):
        house.carry_out("money", cmd.Resolve("supervisor", "continue"), dealer)
    with pytest.raises(Refused, match="That is for a dealer to decide"):
        house.carry_out("money", cmd.Resolve("dealer", "continue"), supervisor)
    with pytest.raises(Refused, match="Nothing was reported"):
        house.carry_out("money", cmd.Resolve("supervisor", "continue"), supervisor)


@pytest.mark.rule("F-13")
def test_who_works_in_the_house_does_not_play_there(house: House) -> None:
    manager = employed(house, Role.MANAGER)
    with pytest.raises(Refused, match="Sit is not for a manager to do"):
        house.command("money", manager.id, cmd.Sit(1))


@pytest.mark.rule("F-13")
def test_whoever_sits_at_a_table_does_nothing_for_the_house_there(house: House) -> None:
    """Somebody who was given a role while playing still has a seat."""
    player, _ = house.people.guest()
    house.command("money", player, cmd.Sit(1))
    house.staff.give_roles(player, ["supervisor"], "hired", PROGRAM)
    with pytest.raises(Refused, match="You sit at this table; somebody else of the house has to do that"):
        house.pause("money", "for me", by_person(player))


@pytest.mark.rule("F-13", "F-30")
def test_whoever_was_given_a_role_while_playing_leaves_the_seat_and_what_is_in_action_plays_on(house: House) -> None:
    player, _ = house.people.guest()
    house.command("money", player, cmd.Sit(1))
    house.deal_on("money", "start round")
    house.command("money", player, cmd.Place("ante", 1_000))
    house.command("money", player, cmd.Ready())
    clock = house.clock
    assert isinstance(clock, Clock)
    deal(house, "money", clock)
    house.staff.give_roles(player, ["supervisor"], "hired", PROGRAM)
    with pytest.raises(Refused, match="Choose is not for a supervisor to do"):
        house.command("money", player, cmd.Choose("check"))
    house.command("money", player, cmd.Leave())
    assert house.table("money").seats[1].leaving
    while house.table("money").seat_of(player) is not None and (due := house.due("money")) is not None:
        clock.now = max(clock.now, due.at)
        house.deal_on("money", due.doing)
    assert house.table("money").seat_of(player) is None
    assert any(isinstance(event, ev.RoundEnded) for event in events_of(house, "money"))
    house.pause("money", "a spill", by_person(player))


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("kind", [right.command for right in TABLE if right.pair and not right.roles])
def test_what_two_sign_is_done_by_nobody_alone_but_the_program(house: House, kind: type) -> None:
    for role in Role:
        actor = by_person(house.people.guest()[0]) if role is Role.PLAYER else employed(house, role)
        assert not is_allowed(house, kind, actor, "nobody")
    assert is_allowed(house, kind, PROGRAM, "nobody") and is_allowed(house, kind, DEALER, "nobody")


def test_roles_are_said_in_words() -> None:
    assert listed({Role.AUDITOR}) == "an auditor"
    assert listed({Role.MANAGER, Role.SUPERVISOR}) == "a supervisor or a manager"
    assert listed(()) == "the program alone"


def test_what_stands_in_no_row_is_done_by_nobody() -> None:
    assert not may_propose(Command.__class__, [Role.MANAGER])


@pytest.mark.rule("F-13")
def test_the_page_that_says_who_may_do_what_is_made_from_the_table_of_roles() -> None:
    assert roles_page.FILE.read_text("utf-8") == roles_page.written(), "run `make roles`"


@pytest.mark.rule("F-13")
def test_the_page_that_says_who_may_do_what_has_a_cell_for_every_role_and_command() -> None:
    rows = [line.strip("| ").split(" | ") for line in roles_page.written().splitlines() if line.startswith("| `")]
    assert [row[0] for row in rows] == [f"`{right.name}`" for right in TABLE]
    void = next(row for row in rows if row[0] == "`void round`")
    assert [cell for cell in void if cell == "one of two"] == ["one of two"] * 3
