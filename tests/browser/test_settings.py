"""Opening a table and changing its settings in a real browser: at a desk, on a small phone, and without scripts."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from feltworks.floor.roles import Role
from feltworks.floor.table.settings import Limits
from feltworks.games import load
from feltworks.web.cookies import COOKIE
from feltworks.web.lab import Lab
from feltworks.web.staff.settings_form import first_settings
from tests.browser.conftest import PAUSED, Visit
from tests.browser.people import Person, Screen, next_round
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_house import REFUSED, fits, log_in, screen
from tests.web.people_of_the_house import employ
from tests.web.robots import HOST, LocalServer, money

__all__ = ["screen"]  # the two widths of the pages of the house

ENDED = (sys.executable, "-c", "")
"""A lab that has ended."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(pace=PAUSED)], lab=Lab(ENDED)) as server:
        yield server
        server.check()


def manager(server: LocalServer, visit: Visit, screen: Screen) -> Person:
    kim = visit(server, screen)
    log_in(kim, server.run(lambda house: employ(house, "Kim", Role.MANAGER))[1])
    return kim


def pane(person: Person) -> Locator:
    return person.page.get_by_role("complementary")


def unfold(person: Person) -> None:
    """Show all that is said beside the form; on a phone it is a sheet."""
    if person.screen.touch:
        person.press(person.button("Details"))


def choose(person: Person, name: str) -> None:
    person.press(person.page.get_by_role("radio", name=re.compile(f"^{re.escape(name)}")))


def section(person: Person, title: str) -> Locator:
    """A section of the form, open."""
    found = person.page.locator("details.section", has=person.page.get_by_role("heading", name=title))
    if found.get_attribute("open") is None:
        found.locator("> summary").click()
    return found


@pytest.mark.rule("F-02", "F-03")
def test_a_training_table_is_opened_with_a_few_presses_and_is_in_the_lobby(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    kim = manager(server, visit, screen)
    kim.go("/house")
    kim.press(kim.page.get_by_role("link", name=re.compile("^Open a table")))
    expect(kim.page.get_by_text("A training table needs a game and nothing else.")).to_be_visible()
    choose(kim, "IN BETween")
    expect(kim.page.get_by_label("Name of the table")).to_have_value("IN BETween 1")
    kim.press(kim.button("Open the table"))
    expect(kim.page.get_by_role("status").filter(has_text="IN BETween 1 is open, and in the lobby.")).to_be_visible()
    assert kim.actions <= 6
    nothing_is_wrong(kim, "page of the new table")
    fits(kim.page, "page of the new table")
    ann = visit(server, screen)
    ann.go("/")
    expect(ann.page.get_by_role("heading", name="IN BETween 1")).to_be_visible()
    ann.sit("in-between-1")


@pytest.mark.rule("F-02", "F-03")
@pytest.mark.parametrize(
    ("game", "wager", "limits", "spot", "goes_on"),
    [
        ("roulette", "Straight up, any of 37", ("2", "50"), "36", "Spin"),
        ("three-card-poker", "Ante", ("10", "200"), "Ante", "Deal"),
    ],
)
def test_a_game_that_carries_no_approval_is_opened_with_limits_from_its_definition_and_played(
    server: LocalServer,
    visit: Visit,
    screen: Screen,
    game: str,
    wager: str,
    limits: tuple[str, str],
    spot: str,
    goes_on: str,
) -> None:
    title, (least, most) = load(game).title, limits
    kim = manager(server, visit, screen)
    kim.go("/house/tables/new")
    choose(kim, title)
    expect(kim.page.get_by_label("Name of the table")).to_have_value(f"{title} 1")
    expect(pane(kim)).to_contain_text("Nothing stands against it")
    pair = section(kim, "Wagers, limits and pay tables").get_by_role("group", name=wager, exact=True)
    first = first_settings(load(game)).limits[spot.lower()]
    expect(pair.get_by_label("From")).to_have_value(str(first.least // 100))
    expect(pair.get_by_label("To")).to_have_value(str(first.most // 100))
    pair.get_by_label("From").fill(least)
    pair.get_by_label("To").fill(most)
    expect(kim.page.locator("#section-wagers > summary")).to_contain_text(f"${least} to ${most}")
    nothing_is_wrong(kim, "form of a game of the gallery")
    fits(kim.page, "form of a game of the gallery")
    kim.press(kim.button("Open the table"))
    expect(kim.page.get_by_role("status").filter(has_text=f"{title} 1 is open, and in the lobby.")).to_be_visible()
    expect(kim.page.locator(".posted")).to_contain_text(f"{wager.partition(',')[0]} ${least} to ${most}")
    ann = visit(server, screen)
    ann.sit(f"{game}-1")
    ann.bet(spot, 2500)
    ann.press(ann.button(goes_on))
    table = server.run(lambda house: house.live(f"{game}-1").table)
    assert table.settings.limits[spot.lower()] == Limits(100 * int(least), 100 * int(most))


@pytest.mark.rule("F-01", "F-29")
def test_a_card_room_table_waits_for_its_conditions_and_then_opens(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    kim = manager(server, visit, screen)
    kim.go("/house/tables/new")
    choose(kim, "One For The Money")
    choose(kim, "Card room")
    expect(pane(kim)).to_contain_text("3 things stand against it")
    expect(kim.page.get_by_label("Fulfilled on")).to_have_count(3)
    nothing_is_wrong(kim, "conditions that are not recorded")
    fits(kim.page, "conditions that are not recorded")
    for n in range(3):
        kim.page.get_by_label("Fulfilled on").nth(n).fill("2021-06-01")
        kim.page.get_by_label("Document that says so").nth(n).fill(f"letter {n}")
    expect(pane(kim)).to_contain_text("Nothing stands against it")
    expect(kim.page.get_by_text("3 of 3 recorded")).to_be_visible()
    unfold(kim)
    expect(pane(kim).get_by_text("By law a single wager is at most $400 at a card room")).to_be_visible()
    expect(pane(kim).get_by_text("unverified", exact=True)).to_be_visible()
    nothing_is_wrong(kim, "sheet")
    kim.press(kim.button("Open the table"))
    expect(kim.page.get_by_role("heading", name="One For The Money 1")).to_be_visible()
    expect(kim.page.locator(".posted")).to_contain_text("as approved")
    expect(kim.page.locator(".posted")).to_contain_text("letter 2")


@pytest.mark.rule("F-01", "F-06", "F-31")
def test_every_change_shows_at_once_what_it_does_at_its_field_and_beside_the_form(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    kim = manager(server, visit, screen)
    kim.go("/house/tables/new")
    choose(kim, "Down Under Hold'em")
    wagers = section(kim, "Wagers, limits and pay tables")
    ante = wagers.get_by_role("group", name="Ante", exact=True)
    choose(kim, "Card room")
    expect(ante).to_contain_text("By law at most $133.33.")
    ante.get_by_label("To").fill("150")
    expect(ante).to_contain_text("Ante may be at most $133.33, not $150: Play may be 3 times Ante")
    expect(ante.get_by_label("To")).to_have_attribute("aria-invalid", "true")
    ante.get_by_label("To").fill("100")
    expect(ante).not_to_contain_text("may be at most")
    expect(ante.get_by_label("To")).to_be_focused()
    choose(kim, "Training")
    wagers.get_by_label("Pay table of Bet").select_option("typed")
    odds = wagers.get_by_label("Odds to 1 from the top")
    expect(wagers).to_contain_text("Type what each line pays to 1, from the top: Royal flush")
    odds.press_sequentially("400,50,10,3,3/2,1")
    expect(pane(kim)).to_contain_text("modified: not as approved")
    expect(odds).to_be_focused()
    expect(odds).to_have_value("400,50,10,3,3/2,1")
    unfold(kim)
    expect(pane(kim)).to_contain_text("Bet: Royal flush pays 400 to 1 instead of 500 to 1")
    expect(pane(kim)).to_contain_text("Before any modification ask the Washington State Gambling Commission.")
    nothing_is_wrong(kim, "modified")
    fits(kim.page, "modified")
    if kim.screen.touch:
        kim.press(kim.button("Less"))
    kim.press(wagers.get_by_label("Jackpot", exact=True).first)
    expect(wagers.get_by_label("Prize of the house jackpot")).to_have_count(0)
    expect(wagers.get_by_label("Jackpot", exact=True).first).not_to_be_checked()


def test_all_sections_of_every_game_are_usable_and_right_for_axe(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    kim = manager(server, visit, screen)
    kim.go("/house/tables/new")
    for game, words in (
        ("IN BETween", "What happens when the upcard"),
        ("Yo!", "Late Play"),
        ("Blackjack", "soft 17"),
        ("Down Under Hold'em", "Trips or Better"),
        ("One For The Money", "3 Card Bonus"),
    ):
        choose(kim, game)
        expect(kim.page.get_by_label("Name of the table")).to_have_value(re.compile(f"^{re.escape(game)} 1$"))
        while (folded := kim.page.locator("details.section:not([open]) > summary")).count():
            folded.first.click()
        expect(kim.page.locator("#settings")).to_contain_text(words)
        nothing_is_wrong(kim, game)
        fits(kim.page, game)
    choose(kim, "People, with cards")
    choose(kim, "Down Under Hold'em")
    expect(kim.page.get_by_role("group", name=re.compile("^Card reader"))).to_be_visible()
    nothing_is_wrong(kim, "people deal")


def test_when_the_lab_has_ended_the_page_says_so_and_the_table_opens(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    kim = manager(server, visit, screen)
    kim.go("/house/tables/new")
    choose(kim, "Yo!")
    unfold(kim)
    expect(pane(kim)).to_contain_text("The figures are not there now")
    kim.press(kim.button("Open the table"))
    expect(kim.page.get_by_role("heading", name="Yo! 1")).to_be_visible()


def test_with_the_keyboard_alone_a_mistake_is_found_corrected_and_the_table_opened(
    server: LocalServer, visit: Visit
) -> None:
    kim = visit(server)
    log_in(kim, server.run(lambda house: employ(house, "Kim", Role.MANAGER))[1])
    kim.go("/house/tables/new")
    kim.page.get_by_role("radio", name=re.compile("^Down Under")).focus()
    kim.key("ArrowDown", "ArrowDown")
    expect(kim.page.get_by_label("Name of the table")).to_have_value("One For The Money 1")
    expect(kim.page.get_by_role("radio", name=re.compile("^One For The Money"))).to_be_focused()
    name = kim.page.get_by_label("Name of the table")
    name.focus()
    kim.key("Control+a", "Delete", "Enter")
    wrong = pane(kim).get_by_role("link", name="A table needs a name of at most 80 characters.")
    expect(wrong).to_be_visible()
    assert kim.page.url.endswith("/new")
    wrong.focus()
    kim.key("Enter")
    expect(name).to_be_focused()
    kim.page.keyboard.type("Corner")
    expect(pane(kim)).to_contain_text("Nothing stands against it")
    kim.button("Open the table").focus()
    kim.key("Enter")
    expect(kim.page.get_by_role("heading", name="Corner", exact=True)).to_be_visible()


@pytest.mark.rule("F-04", "F-40")
def test_a_change_while_a_round_is_played_is_read_by_the_players_and_holds_from_the_next_round(
    server: LocalServer, visit: Visit, screen: Screen
) -> None:
    kim, ann = manager(server, visit, screen), visit(server, screen)
    ann.sit("money")
    ann.bet("Ante", 500)
    kim.go("/house/tables/money")
    kim.press(kim.page.get_by_role("link", name="Change settings"))
    wagers = section(kim, "Wagers, limits and pay tables")
    wagers.get_by_role("group", name="Ante", exact=True).get_by_label("From").fill("2")
    unfold(kim)
    expect(pane(kim)).to_contain_text("Ante takes $2 to $100.")
    nothing_is_wrong(kim, "change")
    fits(kim.page, "change")
    kim.press(kim.button("Post the change"))
    expect(kim.page.get_by_role("status").filter(has_text="The change is posted at the table.")).to_be_visible()
    nothing_is_wrong(kim, "table with a posted change")
    expect(ann.page.get_by_text("From the next round: Ante takes $2 to $100.").first).to_be_visible()
    ann.deal()
    ann.decide("Check")
    next_round(server, "money")
    ann.open("Pay tables")
    expect(ann.drawer.get_by_role("row", name="Ante")).to_contain_text("2.00 to 100.00")


def test_without_scripts_the_form_looks_and_opens(server: LocalServer, browser: Browser) -> None:
    token = server.run(lambda house: employ(house, "Kim", Role.MANAGER))[1]
    context = browser.new_context(java_script_enabled=False, base_url=f"http://{HOST}:{server.port}")
    context.add_cookies([{"name": COOKIE, "value": token, "url": f"http://{HOST}:{server.port}", "httpOnly": True}])
    page = context.new_page()
    page.goto("/house/tables/new")
    page.get_by_role("radio", name=re.compile("^One For The Money")).check()
    page.get_by_role("button", name="Look").click()
    expect(page.get_by_label("Name of the table")).to_have_value("One For The Money 1")
    page.get_by_text("Seats and clocks").click()
    page.get_by_label("Seats, 1 to 7").fill("9")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_contain_text("One thing stands against it; nothing was done.")
    expect(page.get_by_label("Seats, 1 to 7")).to_have_value("9")
    page.get_by_label("Seats, 1 to 7").fill("4")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="One For The Money 1")).to_be_visible()
    context.close()


@pytest.mark.slow
def test_the_figures_follow_every_change_and_the_fraction_is_shown_on_demand(tmp_path: Path, visit: Visit) -> None:
    with LocalServer(tmp_path, [], lab=Lab(patience=200)) as server:
        kim = visit(server)
        log_in(kim, server.run(lambda house: employ(house, "Kim", Role.MANAGER))[1])
        kim.go("/house/tables/new")
        choose(kim, "One For The Money")
        ante = pane(kim).get_by_role("row", name=re.compile("^Ante"))
        expect(ante).to_contain_text("3.8231 %")
        expect(ante).to_contain_text("same")
        kim.press(ante.locator("summary"))
        expect(ante.get_by_text("493536/12909299")).to_be_visible()
        section(kim, "Readings").get_by_label("Where does a traded card go").select_option("back")
        expect(ante).to_contain_text("4.0005 %")
        expect(ante).to_contain_text("+0.1774")
        choose(kim, "IN BETween")
        base = pane(kim).get_by_role("row", name=re.compile("^Blackjack"))
        expect(base).to_contain_text("%")
        kim.page.get_by_label("Name of the table").fill("Fast")
        cards = section(kim, "Cards")
        for decks in ("8", "1", "2", "4"):
            cards.get_by_label("Decks").select_option(decks)
        expect(pane(kim).get_by_role("row", name=re.compile("^IN BETween"))).to_contain_text("4.0098 %")
        nothing_is_wrong(kim, "figures")


def test_a_refused_opening_keeps_what_was_entered(server: LocalServer, visit: Visit, screen: Screen) -> None:
    kim = manager(server, visit, screen)
    kim.forgive(REFUSED)
    kim.go("/house/tables/new")
    choose(kim, "Yo!")
    kim.page.get_by_label("Name of the table").fill("Burgundy")
    address = section(kim, "Address")
    address.get_by_role("textbox").fill("money")
    kim.press(kim.button("Open the table"))
    expect(kim.page.get_by_role("alert")).to_contain_text("There is a table 'money' already; choose another id.")
    expect(kim.page.get_by_label("Name of the table")).to_have_value("Burgundy")
    expect(kim.page.get_by_role("radio", name=re.compile("^Yo!"))).to_be_checked()
