"""The board, tables that are watched, and the search, in a real browser: at a desk, on a tablet, on a small phone."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from feltworks.floor.actors import Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.roles import Role
from feltworks.floor.statutory_limits import HeldWinLimit
from feltworks.floor.table import commands as cmd
from feltworks.kit.steps import Role as Decider
from feltworks.web.staff.access import SEARCH, SEE_BOARD, WATCH
from tests.browser.cards import stack
from tests.browser.conftest import PAUSED, Visit
from tests.browser.people import Person, Screen
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_house import fits, log_in
from tests.web.dealing import GAMES, patron_checks
from tests.web.people_of_the_house import employ
from tests.web.robots import LocalServer, Robot, between, money, yo

DESK, TABLET, SMALL = Screen(1280, 800), Screen(820, 1180, touch=True), Screen(360, 740, touch=True)
PAGES = {"/house/board": SEE_BOARD, "/house/watch": WATCH, "/house/watch/money": WATCH, "/house/search?seat=1": SEARCH}
FORBIDDEN = "the server responded with a status of 403"
REFUSED = "the server responded with a status of 422"


@pytest.fixture(params=[DESK, pytest.param(TABLET, marks=pytest.mark.slow), SMALL], ids=str)
def screen(request: pytest.FixtureRequest) -> Screen:
    screen: Screen = request.param
    return screen


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(pace=PAUSED), between(pace=PAUSED), yo()]) as server:
        yield server
        server.check()


@pytest.fixture
def every_win_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """A payout of more than a dollar is held, and nothing verifies itself."""
    limit = HeldWinLimit(date(2009, 1, 1), 100, "a test", False)
    monkeypatch.setattr("feltworks.floor.house.held_win_limit", lambda _: limit)
    monkeypatch.setattr("feltworks.floor.table.outcome.verifies_itself", lambda _: False)


def at_work(server: LocalServer, visit: Visit, name: str, role: Role, screen: Screen = DESK) -> tuple[Person, Actor]:
    """Somebody of the house with a browser."""
    id, token = server.run(lambda house: employ(house, name, role))
    person = visit(server, screen)
    log_in(person, token)
    return person, by_person(id)


def deciding(server: LocalServer) -> Robot:
    """Ann has to decide, with 5.00 on the table."""
    ann = server.join("money", 1)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    ann.done("ready")
    ann.my_turn()
    return ann


def is_wide_enough(person: Person) -> bool:
    return bool(person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def tile(person: Person, name: str) -> Locator:
    return person.page.locator(".tile", has_text=name)


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [Role.SUPERVISOR, Role.SURVEILLANCE, Role.AUDITOR], ids=lambda role: role.value)
def test_pages_about_many_tables_fit_every_screen_and_are_for_those_whose_role_it_is(
    server: LocalServer, visit: Visit, screen: Screen, role: Role
) -> None:
    """With an incident, a table that is paused and one that closes, and somebody who has signed first."""
    deciding(server)
    _, ed = at_work(server, visit, "Ed", Role.SUPERVISOR)
    _, kim = at_work(server, visit, "Kim", Role.MANAGER)
    server.run(lambda house: house.pit.report("money", cmd.Report("misdeal", "A card fell"), ed))
    server.run(lambda house: house.staff.propose("money", cmd.VoidRound("A card was seen", 1), kim))
    server.run(lambda house: house.pause("yo", "The lights flicker", ed))
    server.run(lambda house: house.close_table("between", "The shift ends", kim))
    person, _ = at_work(server, visit, "Pat", role, screen)
    person.forgive(FORBIDDEN)
    for path, roles in PAGES.items():
        person.go(path)
        if role not in roles:
            expect(person.page.get_by_text(re.compile("This page is for "))).to_be_visible()
            continue
        expect(person.page.get_by_role("heading", level=1)).to_have_count(1)
        if "watch/" in path:
            expect(person.felt).to_be_visible()
            expect(person.page.get_by_text("Misdeal")).to_be_visible()
        elif "search" not in path:
            expect(person.page.locator(".tile")).to_have_count(3)
        nothing_is_wrong(person, f"{role.value} at {path}")
        if "watch/" in path:
            assert is_wide_enough(person)
        else:
            fits(person.page, f"{role.value} at {path}")


@pytest.mark.rule("F-28")
def test_an_incident_is_announced_marked_by_a_word_and_a_shape_and_decided_with_the_keyboard(
    server: LocalServer, visit: Visit
) -> None:
    ann = deciding(server)
    sue, _ = at_work(server, visit, "Sue", Role.SUPERVISOR)
    _, ed = at_work(server, visit, "Ed", Role.SUPERVISOR)
    sue.go("/house/board")
    expect(sue.page.get_by_text("nothing waits for you")).to_be_visible()
    expect(sue.page.get_by_text("Nothing waits.")).to_be_visible()
    expect(tile(sue, "Burgundy")).to_contain_text("Deciding")
    server.run(lambda house: house.pit.report("money", cmd.Report("misdeal", "A card fell"), ed))
    expect(sue.page.get_by_role("log")).to_contain_text("Burgundy: Incident. Misdeal: A card fell")
    expect(tile(sue, "Burgundy")).to_contain_text("Incident")
    expect(tile(sue, "Burgundy").locator("svg.sign")).to_be_visible()
    expect(sue.page.get_by_text("1 thing waits for you")).to_be_visible()
    reason = sue.page.get_by_label("Why it is decided so")
    for _ in range(30):
        sue.key("Tab")
        if reason.evaluate("e => e === document.activeElement"):
            break
    sue.page.keyboard.type("It lay face down")
    sue.key("Tab")
    expect(sue.page.get_by_role("button", name="Continue at Burgundy")).to_be_focused()
    sue.key("Enter")
    expect(sue.page.get_by_role("status").filter(has_text="Decided.")).to_be_visible()
    expect(sue.page.get_by_text("Nothing waits.")).to_be_visible()
    ann.my_turn()


@pytest.mark.rule("F-28")
def test_a_supervisor_who_decides_what_another_has_decided_is_told_so(server: LocalServer, visit: Visit) -> None:
    """The page does not know yet: what is new does not come through."""
    deciding(server)
    sue, _ = at_work(server, visit, "Sue", Role.SUPERVISOR)
    sue.forgive(REFUSED)
    _, ed = at_work(server, visit, "Ed", Role.SUPERVISOR)
    server.run(lambda house: house.pit.report("money", cmd.Report("misdeal", "A card fell"), ed))
    sue.page.route_web_socket("**/ws/house/board", first_message_alone)
    sue.go("/house/board")
    sue.page.get_by_label("Why it is decided so").fill("It lay face down")
    server.run(lambda house: house.pit.resolve("money", Decider.SUPERVISOR, "continue", ed, "It was first here"))
    sue.press(sue.page.get_by_role("button", name="Continue at Burgundy"))
    expect(sue.page.get_by_role("alert")).to_contain_text("decided already")


def first_message_alone(route: WebSocketRoute) -> None:
    told: list[str | bytes] = []
    server = route.connect_to_server()

    def pass_on(message: str | bytes) -> None:
        if not told:
            route.send(message)
        told.append(message)

    server.on_message(pass_on)


@pytest.mark.rule("F-13")
def test_a_table_is_chosen_paused_with_a_reason_and_goes_on(server: LocalServer, visit: Visit, screen: Screen) -> None:
    sue, _ = at_work(server, visit, "Sue", Role.SUPERVISOR, screen)
    sue.go("/house/board")
    sue.press(sue.page.locator("#tile-yo"))
    panel = sue.page.get_by_role("region", name="Blue")
    expect(panel.get_by_role("heading", name="Blue")).to_be_focused()
    nothing_is_wrong(sue, "the chosen table")
    fits(sue.page, "the chosen table")
    panel.get_by_label("Reason").fill("The lights flicker")
    sue.press(panel.get_by_role("button", name="Pause"))
    expect(sue.page.get_by_role("status").filter(has_text="The table is paused.")).to_be_visible()
    expect(tile(sue, "Blue")).to_contain_text("Paused")
    assert server.run(lambda house: house.table("yo").service_reason) == "The lights flicker."
    sue.press(panel.get_by_role("button", name="Let it go on"))
    expect(sue.page.get_by_role("status").filter(has_text="The table goes on.")).to_be_visible()
    expect(tile(sue, "Blue")).not_to_contain_text("Paused")
    sue.press(panel.get_by_role("button", name="Close"))
    expect(sue.page.locator("#tile-yo")).to_be_focused()
    expect(panel).to_have_count(0)


@pytest.mark.rule("F-13")
def test_a_second_signature_is_given_on_the_board(server: LocalServer, visit: Visit) -> None:
    deciding(server)
    _, ed = at_work(server, visit, "Ed", Role.SUPERVISOR)
    kim, _ = at_work(server, visit, "Kim", Role.MANAGER)
    kim.go("/house/board")
    expect(tile(kim, "Burgundy")).to_contain_text("5.00")
    server.run(lambda house: house.staff.propose("money", cmd.VoidRound("A card was seen", 1), ed))
    expect(kim.page.get_by_role("log")).to_contain_text("Waits for a second signature: Void round 1 at Burgundy.")
    nothing_is_wrong(kim, "a signature")
    kim.press(kim.page.get_by_role("button", name="Sign this: Void round 1 at Burgundy"))
    expect(kim.page.get_by_role("status").filter(has_text="Signed, and done.")).to_be_visible()
    expect(kim.page.get_by_text("Nothing waits.")).to_be_visible()
    expect(tile(kim, "Burgundy")).to_contain_text("0.00")


@pytest.mark.rule("F-13", "F-14")
def test_surveillance_sees_a_table_live_on_its_felt_and_can_do_nothing_there(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    vera, _ = at_work(server, visit, "Vera", Role.SURVEILLANCE, screen)
    vera.go("/house/watch")
    vera.press(tile(vera, "Burgundy").get_by_role("link"))
    expect(vera.felt).to_be_visible()
    ann = server.join("money", 3)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=2_500)
    about = vera.page.get_by_role("region", name="About this table")
    expect(about).to_contain_text("25.00")
    words = vera.page.get_by_role("region", name="The table in words")
    expect(words).to_contain_text("Seat 3, Guest 1: Ante 25.00")
    bob = server.join("money", 5)
    bob.done("place", spot="ante", amount=500)
    if screen.touch:  # there is room for one seat
        expect(about.get_by_role("button", name="Seat 3")).to_have_attribute("aria-pressed", "true")
        vera.press(about.get_by_role("button", name="Seat 5"))
        expect(about.get_by_role("button", name="Seat 5")).to_have_attribute("aria-pressed", "true")
    for name in ("Take a seat", "Play with play money", "Deal", "Leave seat"):
        expect(vera.page.get_by_role("button", name=name)).to_have_count(0)
    nothing_is_wrong(vera, "watching")
    assert is_wide_enough(vera)
    vera.press(about.get_by_role("link", name="All tables"))
    expect(vera.page.locator(".tile")).to_have_count(3)


@pytest.mark.rule("F-19")
@pytest.mark.usefixtures("every_win_is_held")
def test_surveillance_looks_at_the_round_of_a_held_win_and_verifies_it(
    server: LocalServer, visit: Visit, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    vera, _ = at_work(server, visit, "Vera", Role.SURVEILLANCE, screen)
    vera.go("/house/watch")
    expect(vera.page.get_by_role("heading", name="Wins to verify")).to_have_count(0)
    stack(monkeypatch, "As 3c 4d")
    ann = deciding(server)
    ann.done("choose", option="check")
    ann.phase("over")
    server.pass_time(3_600_000)
    ann.until(lambda view: view["phase"] != "over")
    expect(vera.page.get_by_role("heading", name="Wins to verify")).to_be_visible()
    expect(vera.page.get_by_text("5.00 for Guest 1, seat 1: Ante, Higher card", exact=True)).to_be_visible()
    sue, _ = at_work(server, visit, "Sue", Role.SUPERVISOR, screen)
    sue.go("/house/board")
    expect(sue.page.get_by_text("Waits for surveillance.", exact=True)).to_be_visible()
    nothing_is_wrong(vera, "a held win")
    fits(vera.page, "a held win")
    vera.press(vera.page.get_by_role("link", name="Round 1 on the felt"))
    expect(vera.page.locator("[aria-current=step]")).to_contain_text("wins 5.00")
    vera.page.go_back()
    vera.press(vera.page.get_by_role("button", name=re.compile("It is verified: pay it")))
    expect(vera.page.get_by_role("status").filter(has_text="Verified: it is paid.")).to_be_visible()
    expect(vera.page.get_by_role("heading", name="Wins to verify")).to_have_count(0)
    assert server.run(lambda house: house.pending.held_wins()) == []


@pytest.mark.rule("F-13", "F-18")
def test_what_is_found_leads_to_the_round_at_that_step(server: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = deciding(server)
    ann.done("choose", option="check")
    ann.phase("over")
    server.pass_time(3_600_000)
    ann.until(lambda view: view["phase"] != "over")
    vera, _ = at_work(server, visit, "Vera", Role.SURVEILLANCE, screen)
    vera.go("/house/search")
    vera.page.get_by_label("Seat").fill("1")
    vera.page.get_by_label("Amount from").fill("5")
    vera.page.get_by_label("Wager").select_option(label="Ante")
    vera.press(vera.button("Search"))
    expect(vera.page.get_by_role("heading", name="Found, newest first")).to_be_visible()
    nothing_is_wrong(vera, "what is found")
    fits(vera.page, "what is found")
    vera.press(vera.page.get_by_role("link", name=re.compile("Round 1 of Burgundy at event")).last)
    expect(vera.page.locator("[aria-current=step]")).to_contain_text("Seat 1 places 5.00 on Ante.")
    expect(vera.felt).to_be_visible()


@pytest.mark.rule("F-20")
def test_a_supervisor_corrects_a_card_that_was_entered_wrong(tmp_path: Path, visit: Visit, screen: Screen) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server, patron_checks(server):
        sue, _ = at_work(server, visit, "Sue", Role.SUPERVISOR, screen)
        sue.go("/house/board")
        expect(tile(sue, "Burgundy")).to_contain_text("Dana")
        sue.press(sue.page.locator("#tile-money"))
        sue.press(sue.page.get_by_role("link", name="Correct an entry"))
        expect(sue.page.get_by_role("heading", name="What was entered in round 1")).to_be_visible()
        nothing_is_wrong(sue, "entries")
        fits(sue.page, "entries")
        sue.press(sue.page.get_by_role("link", name=re.compile("Correct entry .*(9h|nine of hearts)")))
        sue.page.get_by_label("The card was").select_option("8h")
        sue.page.get_by_label("Why: what was seen").fill("The camera shows an eight")
        nothing_is_wrong(sue, "a correction")
        fits(sue.page, "a correction")
        sue.press(sue.button("Correct it"))
        expect(sue.page.get_by_role("status")).to_contain_text("Corrected.")
        cards = server.run(lambda house: house.table("money").round)
        assert cards is not None
        assert "8h" in {face.card.text for face in cards.cards.values() if face.card}
        server.check()
