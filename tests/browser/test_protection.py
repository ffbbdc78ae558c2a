"""The players' protection in a browser: limits on one's own page, the session clock, the self-exclusion list (F-15)."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.actors import person as by_person
from feltworks.floor.roles import Role
from feltworks.web.cookies import COOKIE
from tests.browser.conftest import Visit
from tests.browser.people import DESKTOP, Person, Screen
from tests.browser.test_access import nothing_is_wrong
from tests.web.people_of_the_house import employ
from tests.web.robots import HOST, LocalServer

NARROW = Screen(360, 740, touch=True)
screens = pytest.mark.parametrize("screen", [pytest.param(DESKTOP, marks=pytest.mark.slow), NARROW], ids=str)
LIST = """name;date of birth;document number;from;until
Ada Quill;1980-12-31;WDL-123 456;2020-01-01;
Bea Moss;03/04/1975;X1;2020-01-01;
Cid Hale;1970-05-05;WDL-777 888;2020-01-01;2090-01-01
"""


def nothing_sticks_out(person: Person) -> None:
    """Nobody has to move the page sideways."""
    width = person.page.evaluate("document.documentElement.scrollWidth")
    assert width <= person.screen.width, person.page.url


def come_as(person: Person, token: str) -> None:
    person.context.add_cookies([{"name": COOKIE, "value": token, "url": f"http://{HOST}:{person.server.port}"}])


@screens
@pytest.mark.rule("F-15")
def test_a_player_sets_a_limit_and_sees_a_looser_one_wait(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    come_as(ann, house.session())
    page = ann.page
    page.goto("/me")
    page.get_by_label("Amount").fill("50")
    page.get_by_label("The most to lose in a day").get_by_role("button", name="Set").click()
    expect(page.get_by_role("status")).to_contain_text("That is in force now.")
    page.get_by_label("Amount").fill("80")
    page.get_by_label("The most to lose in a day").get_by_role("button", name="Set").click()
    expect(page.get_by_role("status")).to_contain_text("That takes effect in 24 hours.")
    expect(page.get_by_label("The most to lose in a day")).to_contain_text("on: 80.00.")
    nothing_is_wrong(ann, "the own page")
    nothing_sticks_out(ann)
    page.get_by_role("button", name="Keep 50.00").click()
    expect(page.get_by_label("The most to lose in a day")).not_to_contain_text("80.00")
    page.get_by_label("Amount").fill("much")
    page.get_by_label("The most to lose in a day").get_by_role("button", name="Set").click()
    ann.forgive("422")
    expect(page.get_by_role("alert")).to_contain_text("an amount such as 50")
    expect(page.get_by_label("Amount")).to_have_value("much")


@screens
@pytest.mark.rule("F-15")
def test_the_table_shows_how_long_one_has_played_and_refuses_what_is_beyond_a_limit(
    house: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(house, screen)
    token = house.session()
    come_as(ann, token)
    player = house.run(lambda at: at.people.player_of(token))
    assert player is not None
    house.run(lambda at: at.staff.set_limit(player, "loss", 400))
    ann.page.goto("/table/money")
    ann.page.get_by_role("button", name="Take a seat").click()
    expect(ann.page.locator(".session-clock")).to_contain_text("0 min · net 0.00")
    nothing_is_wrong(ann, "the table")
    nothing_sticks_out(ann)
    ann.chip(500).check(force=True)
    ann.spot("Ante").click()
    expect(ann.page.get_by_text("Of the 4.00 a day that you set yourself").first).to_be_visible()
    ann.finds("Ante", 0)


@screens
@pytest.mark.rule("F-13", "F-15")
def test_security_imports_a_list_in_two_steps_and_decides_about_who_is_like_an_entry(
    house: LocalServer, visit: Visit, screen: Screen, tmp_path: Path
) -> None:
    house.run(lambda at: employ(at, "Max", Role.MANAGER))
    token = house.run(lambda at: employ(at, "Sam", Role.SECURITY))[1]
    guest = house.session()
    player = house.run(lambda at: at.people.player_of(guest))
    assert player is not None
    file = tmp_path / "list.csv"
    file.write_text(LIST, "utf-8")
    sam = visit(house, screen)
    come_as(sam, token)
    page = sam.page
    page.goto("/house")
    page.get_by_role("link", name="Self-exclusion").first.click()
    page.get_by_label("The list, as a file").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_text("2 entries can be imported, and 1 line cannot be read.")).to_be_visible()
    expect(page.get_by_text("Line 3: 'date of birth', 03/04/1975, could be two dates")).to_be_visible()
    nothing_is_wrong(sam, "the file")
    nothing_sticks_out(sam)
    page.get_by_role("button", name="Import the rest").click()
    expect(page.get_by_role("status")).to_contain_text("The list is imported: 2 entries.")
    house.run(lambda at: at.exclusions.give_details(player, "Ada Quil", "1980-12-31", "P55555", by_person(player)))
    page.reload()
    expect(page.get_by_text("The same date of birth and a similar name.")).to_be_visible()
    nothing_is_wrong(sam, "a near match")
    nothing_sticks_out(sam)
    page.get_by_role("button", name="The same person").click()
    expect(page.get_by_text("Nobody waits for a decision.")).to_be_visible()
    assert house.run(lambda at: at.people.person(player).exclusions.are_in_force(at.clock()))  # type: ignore[union-attr]
    house.run(lambda at: at.exclusions.give_details(player, "Bea Moss", "1975-01-31", "B77777", by_person(player)))
    page.reload()
    expect(page.get_by_text("They stay excluded until you decide; look at their document.")).to_be_visible()
    nothing_is_wrong(sam, "somebody whose details have changed")
    nothing_sticks_out(sam)
    page.get_by_role("button", name="Another person").click()
    expect(page.get_by_role("status")).to_contain_text("They are another person, and may play.")
    assert not house.run(lambda at: at.people.person(player).exclusions.are_in_force(at.clock()))  # type: ignore[union-attr]
