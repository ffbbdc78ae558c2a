"""The pages of those who work here, in a real browser: at a desk and on a small phone, with the keyboard, by axe."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from feltworks.floor.actors import person as by_person
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.signers import ONE_HAND
from feltworks.floor.table import commands as cmd
from feltworks.web.cookies import COOKIE
from tests.browser.conftest import PAUSED, Visit
from tests.browser.people import DESKTOP, Person, Screen
from tests.browser.test_access import nothing_is_wrong
from tests.web.people_of_the_house import PASSWORD, employ, the_hash
from tests.web.robots import HOST, LocalServer, money

SMALL = Screen(360, 740, touch=True)
ROLES = [role for role in Role if role in STAFF]
OTHER = "eleven grey whales"
FORBIDDEN = "the server responded with a status of 40[13]"
REFUSED = "the server responded with a status of 422"


@pytest.fixture(params=[pytest.param(DESKTOP, marks=pytest.mark.slow), SMALL], ids=str)
def screen(request: pytest.FixtureRequest) -> Screen:
    screen: Screen = request.param
    return screen


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(pace=PAUSED)]) as server:
        yield server
        server.check()


def log_in(person: Person, token: str) -> None:
    home = f"http://{HOST}:{person.server.port}"
    person.context.add_cookies([{"name": COOKIE, "value": token, "url": home, "httpOnly": True}])


def fits(page: Page, where: str) -> None:
    """Nothing is wider than the screen, and whatever is pressed is large enough for a finger."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, where
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, input:not([type=hidden], [type=checkbox]), select, summary")]
            .map((e) => [e.textContent || e.name, e.getBoundingClientRect()])
            .filter(([, box]) => box.height && box.height < 24)
            .map(([name]) => name)"""
    )
    assert small == [], where


def with_wager(server: LocalServer) -> None:
    ann = server.join("money", 1)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)


@pytest.mark.rule("F-13")
def test_a_house_is_set_up_and_the_first_supervisor_pauses_a_table(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    """From the code that is printed at the start, through every door."""
    code = server.run(lambda house: house.staff.offer_set_up())
    kim, page = (visited := visit(server, screen)), visited.page
    kim.forgive(REFUSED)
    kim.go("/setup")
    page.get_by_label("Set-up code").fill(code)
    page.get_by_label("Your name").fill("Kim")
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("The same again").fill(OTHER)
    nothing_is_wrong(kim, "set-up")
    fits(page, "set-up")
    kim.press(kim.button("Become the manager"))
    expect(page.get_by_role("alert")).to_contain_text("The two passwords are not the same")
    expect(page.get_by_label("Your name")).to_have_value("Kim")
    nothing_is_wrong(kim, "refused set-up")
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD)
    kim.press(kim.button("Become the manager"))
    expect(page.get_by_role("heading", name="Kim", exact=True)).to_be_visible()
    kim.press(page.get_by_role("navigation").get_by_role("link", name="People"))
    page.get_by_label("Name", exact=True).fill("Sue")
    page.get_by_label("supervisor").check()
    kim.press(kim.button("Add, and show a one-time code"))
    expect(page.get_by_role("status")).to_contain_text("Sue works here now.")
    nothing_is_wrong(kim, "people")
    fits(page, "people")
    shown = "e => e.scrollWidth <= e.clientWidth"
    assert page.get_by_role("region", name="Who works here").evaluate(shown), "something of the people is cut off"
    one_time = page.locator(".code").inner_text()

    sue = visit(server, screen)
    sue.go("/login")
    nothing_is_wrong(sue, "log-in")
    sue.press(sue.page.get_by_role("link", name="Choose a password with a code"))
    expect(sue.page.get_by_role("heading", name="Choose a password")).to_be_visible()
    sue.page.get_by_label("Name").fill("Sue")
    sue.page.get_by_label("One-time code").fill(one_time)
    for label in ("New password", "The same again"):
        sue.page.get_by_label(label).fill(OTHER)
    nothing_is_wrong(sue, "password")
    fits(sue.page, "password")
    sue.press(sue.button("Choose this password"))
    expect(sue.page.get_by_role("heading", name="Sue", exact=True)).to_be_visible()
    sue.press(sue.page.get_by_role("navigation").get_by_role("link", name="Tables"))
    sue.press(sue.page.get_by_role("link", name="Burgundy"))
    expect(sue.page.get_by_role("heading", name="Burgundy")).to_be_visible()
    nothing_is_wrong(sue, "table")
    fits(sue.page, "table")
    sue.page.locator("#pause-reason").fill("The lights flicker")
    sue.press(sue.button("Pause"))
    expect(sue.page.get_by_role("status").filter(has_text="The table is paused.")).to_be_visible()
    expect(sue.page.get_by_role("heading", name="The table is paused")).to_be_visible()
    assert server.run(lambda house: house.live("money").table.service) == "paused"


def newcomer(server: LocalServer, role: Role) -> str:
    """The session of somebody new in this role."""
    return server.run(lambda house: employ(house, f"Pat {role.value[:4]}", role))[1]


@pytest.mark.rule("F-13")
def test_every_role_finds_its_way_on_every_page(server: LocalServer, visit: Visit, screen: Screen) -> None:
    with_wager(server)
    manager, token = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    void = cmd.VoidRound("A card was seen", 1)
    server.run(lambda house: house.staff.propose("money", void, by_person(manager)))
    for role in ROLES:
        person = visit(server, screen)
        own = token if role is Role.MANAGER else newcomer(server, role)
        log_in(person, own)
        person.go("/house")
        expect(person.page.get_by_role("heading", name="What you can do now")).to_be_visible()
        paths = person.page.eval_on_selector_all("nav a, .offer a", "links => links.map((a) => a.getAttribute('href'))")
        assert {"/house", "/house/waiting", "/house/tables"} <= set(paths)
        for path in sorted({*paths, "/me", "/house/tables/money"}):
            person.go(path)
            expect(person.page.get_by_role("heading", level=1)).to_have_count(1)
            nothing_is_wrong(person, f"{role.value} at {path}")
            fits(person.page, f"{role.value} at {path}")


@pytest.mark.rule("F-13")
def test_a_page_that_is_not_for_you_says_who_may_see_it(server: LocalServer, visit: Visit, screen: Screen) -> None:
    _, token = server.run(lambda house: employ(house, "Dan", Role.DEALER))
    dan = visit(server, screen)
    dan.forgive(FORBIDDEN)
    dan.go("/house/people")
    expect(dan.page.get_by_role("heading", name="Log in")).to_be_visible()
    nothing_is_wrong(dan, "not logged in")
    log_in(dan, token)
    dan.go("/house/people")
    expect(dan.page.get_by_text(re.compile(r"This page is for .*You are a dealer\."))).to_be_visible()
    nothing_is_wrong(dan, "not for you")
    fits(dan.page, "not for you")


@pytest.mark.rule("F-13")
def test_what_waits_appears_by_itself_and_is_signed_with_the_keyboard(server: LocalServer, visit: Visit) -> None:
    with_wager(server)
    supervisor, _ = server.run(lambda house: employ(house, "Sue", Role.SUPERVISOR))
    kim = visit(server)
    log_in(kim, server.run(lambda house: employ(house, "Kim", Role.MANAGER))[1])
    kim.go("/house/waiting")
    expect(kim.page.get_by_text("Nothing waits.")).to_be_visible()
    void = cmd.VoidRound("A card was seen", 1)
    server.run(lambda house: house.staff.propose("money", void, by_person(supervisor)))
    sign = kim.page.get_by_role("button", name="Sign this: Void round 1 at Burgundy")
    expect(sign).to_be_visible()
    first = kim.page.locator("time").first
    expect(first).to_have_text(re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$"))  # the house's, not the browser's
    expect(first).to_have_attribute("title", re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? UTC$"))
    nothing_is_wrong(kim, "what waits")
    for _ in range(30):
        kim.key("Tab")
        if sign.evaluate("e => e === document.activeElement"):
            break
    kim.key("Enter")
    expect(kim.page.get_by_role("status").filter(has_text="Signed, and done.")).to_be_visible()
    expect(kim.page.get_by_text("Nothing waits.")).to_be_visible()


@pytest.mark.rule("F-13")
def test_who_has_just_reset_the_password_of_the_other_reads_why_somebody_else_has_to_sign(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    with_wager(server)
    supervisor, _ = server.run(lambda house: employ(house, "Sue", Role.SUPERVISOR))
    manager, token = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    code = server.run(lambda house: house.staff.give_code(supervisor, by_person(manager)))
    server.run(lambda house: house.staff.set_password(supervisor, the_hash(), code))
    server.run(lambda house: house.staff.propose("money", cmd.VoidRound("A card was seen", 1), by_person(supervisor)))
    kim = visit(server, screen)
    log_in(kim, token)
    kim.go("/house/waiting")
    expect(kim.page.get_by_text(ONE_HAND)).to_be_visible()
    expect(kim.page.get_by_role("button", name="Sign this")).to_have_count(0)
    nothing_is_wrong(kim, "one hand")
    fits(kim.page, "one hand")


@pytest.mark.rule("F-13")
def test_what_somebody_types_is_not_taken_away_when_the_page_changes(server: LocalServer, visit: Visit) -> None:
    with_wager(server)
    supervisor, _ = server.run(lambda house: employ(house, "Sue", Role.SUPERVISOR))
    kim = visit(server)
    log_in(kim, server.run(lambda house: employ(house, "Kim", Role.MANAGER))[1])
    kim.go("/house/tables/money")
    kim.page.locator("#close-reason").fill("The shift ends")
    void = cmd.VoidRound("A card was seen", 1)
    server.run(lambda house: house.staff.propose("money", void, by_person(supervisor)))
    expect(kim.page.get_by_text("1 action waits for a second signature.")).to_be_visible()
    expect(kim.page.locator("#close-reason")).to_have_value("The shift ends")
    expect(kim.page.locator("#close-reason")).to_be_focused()


@pytest.mark.rule("F-13")
def test_a_session_that_was_ended_elsewhere_says_so_by_itself(server: LocalServer, visit: Visit) -> None:
    id, token = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    kim = visit(server)
    kim.forgive(FORBIDDEN)
    log_in(kim, token)
    kim.go("/house/tables")
    expect(kim.page.get_by_role("heading", name="Tables", exact=True)).to_be_visible()
    server.run(lambda house: house.staff.end_sessions(id, by_person(id)))
    expect(kim.page.get_by_text("Your session has ended, here or elsewhere. Log in again.")).to_be_visible()


@pytest.mark.rule("F-13")
def test_everything_works_without_scripts(server: LocalServer, visit: Visit) -> None:
    with_wager(server)
    kim = visit(server)
    log_in(kim, server.run(lambda house: employ(house, "Kim", Role.MANAGER))[1])
    kim.page.route("**/*.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    kim.go("/house/tables/money")
    kim.page.locator("#void-reason").fill("A card was seen")
    kim.press(kim.button("Sign first"))
    expect(kim.page.get_by_role("status").filter(has_text="It waits for the second signature.")).to_be_visible()
    expect(kim.page.locator("time").first).to_have_attribute("title", re.compile(" UTC$"))
    expect(kim.page.get_by_text(re.compile("^Times are the house's: "))).to_be_visible()


@pytest.mark.rule("F-13")
def test_in_a_demonstration_two_windows_of_one_browser_give_two_signatures(
    tmp_path: Path, visit: Visit, screen: Screen
) -> None:
    with LocalServer(tmp_path, [money(pace=PAUSED)], demo=True) as server:
        with_wager(server)
        ann = visit(server, screen)
        ann.go("/")
        nothing_is_wrong(ann, "lobby")
        fits(ann.page, "lobby")
        windows = {}
        for role in ("Supervisor", "Manager"):
            with ann.context.expect_page() as opened:
                ann.press(ann.button(role))
            windows[role] = opened.value
            expect(opened.value.get_by_role("note")).to_contain_text("Demonstration.")
        supervisor, manager = windows["Supervisor"], windows["Manager"]
        assert supervisor.url != manager.url
        supervisor.get_by_role("navigation").get_by_role("link", name="Tables").click()
        supervisor.get_by_role("link", name="Burgundy").click()
        supervisor.locator("#void-reason").fill("A card was seen")
        supervisor.get_by_role("button", name="Sign first").click()
        expect(supervisor.get_by_text("You have signed first.")).to_be_visible()
        expect(manager.get_by_role("heading", name="Waits for your signature")).to_be_visible()
        manager.get_by_role("heading", name="Waits for your signature").click()
        expect(manager.get_by_text("5.00 of 1 seat goes back.")).to_be_visible()
        manager.get_by_role("button", name="Sign this: Void round 1 at Burgundy").click()
        expect(manager.get_by_text("Signed, and done.")).to_be_visible()
        expect(manager.get_by_role("note")).to_contain_text("Demonstration.")
        assert server.run(lambda house: not house.live("money").table.wagers)
        server.check()


@pytest.mark.rule("F-13")
def test_nothing_of_the_house_is_loaded_by_the_pages_of_players(server: LocalServer, visit: Visit) -> None:
    ann = visit(server)
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    ann.go("/")
    ann.watch("money")
    assert asked and not [url for url in asked if "/house/" in url]
