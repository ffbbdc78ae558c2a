"""Who loses a seat or may not have one, in a real browser: the table says why at once, and the lobby does too."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.actors import PROGRAM
from feltworks.floor.player_limits import LOSS
from feltworks.floor.roles import Role
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import Person, Screen
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_house import log_in
from tests.browser.test_protection import nothing_sticks_out, screens
from tests.web.people_of_the_house import employ
from tests.web.robots import LocalServer, money
from tests.web.test_lost_seats import HOUSE, TABLE, WORKS


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(pace=PAUSED)]) as server:
        server.run(lambda house: employ(house, "Max", Role.MANAGER))
        yield server
        server.check()


def guest(server: LocalServer, person: Person) -> str:
    """Come in as a guest: the id."""
    token = server.session()
    log_in(person, token)
    id = server.run(lambda house: house.people.player_of(token))
    assert id is not None
    return id


@screens
@pytest.mark.rule("F-15")
def test_who_is_barred_reads_why_where_the_seat_was_and_in_the_lobby(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(server, screen)
    id = guest(server, ann)
    ann.sit("money", 3)
    server.run(lambda house: house.staff.bar(id, "money", "a test", PROGRAM))
    expect(ann.notice).to_contain_text("You may not play at this table.")
    expect(ann.rail).to_contain_text(TABLE)
    expect(ann.page.get_by_role("log")).to_contain_text("You may not play at this table.")
    for name in ("Take a seat", "Sit here, seat 3", "Leave seat"):
        expect(ann.button(name)).to_have_count(0)
    nothing_is_wrong(ann, "the table")
    nothing_sticks_out(ann)
    ann.go("/")
    expect(ann.page.get_by_text(TABLE)).to_be_visible()
    expect(ann.page.get_by_role("button", name="Play now at Burgundy")).to_be_hidden()
    expect(ann.page.get_by_role("link", name="Watch Burgundy")).to_be_visible()
    nothing_is_wrong(ann, "the lobby")
    nothing_sticks_out(ann)


@pytest.mark.rule("F-15")
def test_who_is_barred_from_the_house_while_in_the_lobby_reads_it_there_by_itself(
    server: LocalServer, visit: Visit
) -> None:
    ann = visit(server)
    id = guest(server, ann)
    ann.go("/")
    expect(ann.page.get_by_role("button", name="Play now at Burgundy")).to_be_visible()
    server.run(lambda house: house.staff.bar(id, "", "a test", PROGRAM))
    expect(ann.page.get_by_role("status").filter(has_text=HOUSE)).to_be_visible()
    expect(ann.page.get_by_role("button", name="Play now at Burgundy")).to_be_hidden()


@screens
@pytest.mark.rule("F-13")
def test_who_works_here_looks_at_a_table_and_is_offered_no_seat(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    sue = visit(server, screen)
    log_in(sue, server.run(lambda house: employ(house, "Sue", Role.SUPERVISOR))[1])
    sue.watch("money")
    expect(sue.rail).to_contain_text(WORKS)
    expect(sue.head).to_contain_text("A round starts when somebody takes a seat.")
    expect(sue.page.get_by_role("button", name="Sit here")).to_have_count(0)
    sue.key("d")
    nothing_is_wrong(sue, "the table")
    sue.go("/")
    expect(sue.page.get_by_text(WORKS)).to_be_visible()
    nothing_is_wrong(sue, "the lobby")


@screens
@pytest.mark.rule("F-13", "F-30")
def test_who_is_given_a_role_while_seated_reads_so_and_leaves(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(server, screen)
    id = guest(server, ann)
    ann.sit("money", 3)
    ann.bet("Ante", 500)
    server.run(lambda house: house.staff.give_roles(id, ["dealer"], "hired", PROGRAM))
    expect(ann.notice).to_contain_text("Leave the seat: what is in action plays on.")
    ann.press(ann.page.get_by_role("button", name="Leave"))
    expect(ann.rail).to_contain_text(WORKS)
    expect(ann.button("Take a seat")).to_have_count(0)


@screens
@pytest.mark.rule("F-15")
def test_a_decision_that_ones_own_limit_refuses_looks_closed_and_says_why(
    server: LocalServer, visit: Visit, screen: Screen, stacked: Stack
) -> None:
    stacked("9c 8d 7h 6s 5c 4d")
    ann = visit(server, screen)
    id = guest(server, ann)
    server.run(lambda house: house.staff.set_limit(id, LOSS, 700))
    ann.begin("money", "Ante", 500)
    for name in ("Raise", "Trade"):
        expect(ann.option(name)).to_have_attribute("aria-disabled", "true")
    expect(ann.option("Check")).not_to_have_attribute("aria-disabled", "true")
    expect(ann.notice).to_contain_text("You have 2.00 left of the 7.00 a day")
    nothing_is_wrong(ann, "the decision")
    nothing_sticks_out(ann)
    ann.decide("Check")
    expect(ann.options).to_have_count(0)
