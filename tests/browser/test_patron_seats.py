"""Patrons without an account, as the dealer seats them in a real browser, at a desk and on a small phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.actors import person as by_person
from feltworks.floor.roles import Role
from feltworks.floor.table.commands import SignOn
from tests.browser.conftest import Visit
from tests.browser.people import DESKTOP, Screen
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_house import REFUSED, SMALL, fits, log_in
from tests.web.people_of_the_house import employ
from tests.web.robots import LocalServer, money


@pytest.fixture(params=[pytest.param(DESKTOP, marks=pytest.mark.slow), SMALL], ids=str)
def screen(request: pytest.FixtureRequest) -> Screen:
    screen: Screen = request.param
    return screen


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(dealing="people", chip=100)]) as server:
        yield server
        server.check()


def test_a_dealer_seats_a_patron_is_told_what_cannot_be_and_lets_them_go(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    dee, page = (visited := visit(server, screen)), visited.page
    dee.forgive(REFUSED)
    id, token = server.run(lambda house: employ(house, "Dee", Role.DEALER))
    server.run(lambda house: house.pit.deal_by_hand("money", SignOn(), by_person(id)))
    log_in(dee, token)
    dee.go("/house/tables/money")
    page.locator("#patron-seat").select_option("2")
    page.get_by_label("Chips, in dollars").fill("12.50")
    dee.press(dee.button("Seat"))
    expect(page.get_by_role("alert")).to_contain_text("whole chips of 1.00")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    nothing_is_wrong(dee, "refused")
    fits(page, "refused")
    with page.expect_response(lambda answer: answer.request.headers.get("x-live") == "1"):
        pass  # the page looks again, and leaves the refused form as it is
    page.evaluate("new Promise((told) => setTimeout(told))")
    expect(page.get_by_label("Chips, in dollars")).to_have_value("12.50")
    expect(page.locator("#patron-seat")).to_have_value("2")
    page.get_by_label("Chips, in dollars").fill("250")
    dee.press(dee.button("Seat"))
    expect(page.get_by_role("status").filter(has_text="A patron sits at seat 2 with 250.00.")).to_be_visible()
    row = page.get_by_role("row").filter(has_text=re.compile("^2Patron250.00"))
    expect(row).to_be_visible()
    nothing_is_wrong(dee, "seated")
    fits(page, "seated")
    dee.press(dee.button("Seat 2: the patron leaves"))
    expect(page.get_by_role("status").filter(has_text="has left with 250.00.")).to_be_visible()
    expect(page.get_by_text("Nobody sits here.")).to_be_visible()
