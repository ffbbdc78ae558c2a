"""Those who look after the records, with a real browser: reading, exporting, verifying, and what is due."""

import re
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.administration import NoteDue
from feltworks.floor.excerpt.verify import verify_excerpt
from feltworks.floor.house import House
from feltworks.floor.keys import read_public
from feltworks.floor.roles import Role
from feltworks.web.cookies import COOKIE
from feltworks.web.staff.event_words import GROUPS
from feltworks.web.staff.time_range import house_zone
from tests.browser.conftest import Visit
from tests.browser.people import DESKTOP, Person, Screen, round_is_over
from tests.browser.test_access import nothing_is_wrong
from tests.web.people_of_the_house import employ
from tests.web.robots import HOST, LocalServer

SMALL = Screen(360, 740, touch=True)


@pytest.fixture(params=[pytest.param(DESKTOP, marks=pytest.mark.slow), SMALL], ids=str)
def screen(request: pytest.FixtureRequest) -> Screen:
    screen: Screen = request.param
    return screen


def come_as(visit: Visit, house: LocalServer, screen: Screen, name: str, role: Role) -> Person:
    """Somebody who works here and is logged in."""
    _, token = house.run(lambda it: employ(it, name, role))
    person: Person = visit(house, screen)
    home = f"http://{HOST}:{house.port}"
    person.context.add_cookies([{"name": COOKIE, "value": token, "url": home, "httpOnly": True}])
    return person


def fits(person: Person) -> None:
    """Nothing of the page is wider than the screen."""
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def some_play(house: LocalServer) -> None:
    """A round from its first wager to its end."""
    with house.join("money", 1) as ann:
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.done("ready")
        ann.my_turn()
        ann.done("choose", option="check")
        round_is_over(house, "money")


@pytest.mark.rule("F-13", "F-16")
def test_an_auditor_finds_what_happened_in_words(house: LocalServer, visit: Visit, screen: Screen) -> None:
    some_play(house)
    ada = come_as(visit, house, screen, "Ada", Role.AUDITOR)
    ada.go("/house")
    ada.press(ada.page.get_by_role("navigation").get_by_role("link", name="Records", exact=True))
    rows = ada.page.get_by_role("list", name="Newest first").get_by_role("listitem")
    expect(rows.first).to_be_visible()
    nothing_is_wrong(ada, "records")
    fits(ada)
    expect(ada.page.get_by_text(f"Times are the house's: {house_zone()}.")).to_be_visible()
    choice = ada.page.get_by_label("What happened")
    expect(choice.get_by_role("option")).to_have_count(1 + len(GROUPS))
    choice.select_option(label="Seats and dealers")
    ada.press(ada.button("Show"))
    expect(choice).to_have_value("seats")
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text("sits down at seat 1.")
    nothing_is_wrong(ada, "a group")
    ada.go("/house/records?kind=readied")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Seat 1 is ready.")
    moment = rows.locator("time")  # the browser's own clock is set to another zone
    expect(moment).to_have_attribute("title", re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? UTC$"))
    time = datetime.fromisoformat(moment.get_attribute("datetime") or "")
    expect(moment).to_have_text(time.astimezone().strftime("%Y-%m-%d %H:%M:%S"))
    ada.press(rows.get_by_text(re.compile("^Hash ")).first)
    expect(rows.get_by_text("person:")).to_be_visible()
    fits(ada)
    nothing_is_wrong(ada, "one event")
    ada.press(rows.get_by_role("link", name="round 1"))
    expect(ada.page).to_have_url(re.compile("/table/money/round/1$"))


@pytest.mark.rule("F-16")
def test_what_cannot_be_is_said_and_what_was_typed_stays(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ada = come_as(visit, house, screen, "Ada", Role.AUDITOR)
    ada.forgive("422")
    ada.go("/house/records")
    ada.page.get_by_label("Of a person").fill("Nobody Here")
    ada.press(ada.button("Show"))
    expect(ada.page.get_by_role("alert")).to_contain_text("Nobody is called 'Nobody Here' now")
    expect(ada.page.get_by_label("Of a person")).to_have_value("Nobody Here")
    nothing_is_wrong(ada, "refusal")
    ada.press(ada.page.get_by_role("link", name="Show everything"))
    expect(ada.page.get_by_role("list", name="Newest first")).to_be_visible()


@pytest.mark.rule("F-13", "F-16")
def test_an_auditor_takes_a_time_along_and_it_verifies_with_the_key_that_the_page_gives(
    house: LocalServer, visit: Visit, screen: Screen, tmp_path: Path
) -> None:
    some_play(house)
    ada = come_as(visit, house, screen, "Ada", Role.AUDITOR)
    ada.go("/house/records")
    ada.press(ada.page.get_by_role("link", name="Export and verify"))
    expect(ada.page.get_by_role("heading", name="Export and verify")).to_be_visible()
    nothing_is_wrong(ada, "before a range")
    ada.page.get_by_label("From").fill("2020-01-01T00:00:00")
    ada.page.get_by_label("Until just before").fill("2099-01-01T00:00:00")
    ada.press(ada.button("Choose this range"))
    expect(ada.page.get_by_role("heading", name="Ready")).to_be_visible()
    nothing_is_wrong(ada, "a range")
    fits(ada)
    files = {}
    for link in ("Download the excerpt", "Download house.public", "Download it"):
        with ada.page.expect_download() as coming:
            ada.press(ada.page.get_by_role("link", name=link))
        files[link] = tmp_path / coming.value.suggested_filename
        coming.value.save_as(files[link])
    excerpt, key, head = files.values()
    command = ada.page.get_by_role("region", name="The command that verifies it")
    expect(command).to_have_text(f"felt verify --file {excerpt.name} --key {key.name}")
    assert verify_excerpt(excerpt, read_public(key)).ok
    assert head.read_text().startswith("[")


@pytest.mark.rule("F-16")
def test_a_verification_runs_beside_the_tables_and_says_what_it_found(
    house: LocalServer, visit: Visit, screen: Screen
) -> None:
    some_play(house)
    ada = come_as(visit, house, screen, "Ada", Role.AUDITOR)
    ada.go("/house/records/verify")
    button = ada.button("Verify now")
    button.focus()
    ada.key("Enter")
    expect(ada.page.get_by_role("heading", name="Everything is in order")).to_be_visible()
    expect(ada.page.get_by_text(re.compile(r"\d+ commits, \d+ events"))).to_be_visible()
    nothing_is_wrong(ada, "the report")
    fits(ada)


@pytest.mark.rule("F-38", "F-39")
def test_a_manager_marks_what_is_due_as_done_and_checks_the_code(
    house: LocalServer, visit: Visit, screen: Screen
) -> None:
    def broken(it: House) -> None:
        now = it.clock()
        it.note_due(NoteDue("reader", "Report the device fault", "table under: reader", now - 1, "elsewhere"), now)

    house.run(broken)
    max_ = come_as(visit, house, screen, "Max", Role.MANAGER)
    max_.go("/house")
    max_.press(max_.page.get_by_role("link", name=re.compile("^Overdue")))
    card = max_.page.get_by_role("article", name="Report the device fault")
    expect(card).to_contain_text("▲ Overdue by less than a minute")
    expect(card).to_contain_text("not verified")
    nothing_is_wrong(max_, "something due")
    fits(max_)
    card.get_by_label("What was done").fill("Reported by letter")
    max_.key("Enter")
    expect(max_.page.get_by_text("Nothing is due.")).to_be_visible()
    expect(max_.page.get_by_role("region", name="What was done")).to_contain_text("Reported by letter")
    max_.press(max_.button("Check now"))
    expect(max_.page.get_by_role("heading", name="Everything is as it was loaded")).to_be_visible()
    max_.press(max_.page.get_by_text("What was hashed", exact=True))
    expect(max_.page.get_by_role("row", name=re.compile("^kit ✓ as loaded"))).to_be_visible()
    nothing_is_wrong(max_, "what was hashed")
    fits(max_)
