"""The lobby in a browser: games before rooms, live, your seat marked, a line at a full table, names of one's own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from feltworks.floor.people import GRANT
from feltworks.games import load
from feltworks.web.training_tables import GALLERY
from tests.browser.conftest import PAUSED, Visit
from tests.browser.people import Person, Screen
from tests.browser.test_access import nothing_is_wrong
from tests.web.dealing import GAMES
from tests.web.robots import DEMO, LocalServer, ServerProcess, between, money


@pytest.fixture
def small(tmp_path: Path) -> Iterator[LocalServer]:
    """A table with five seats, and one with a single one."""
    tables = [money(pace=PAUSED), money(id="small", name="Corner", seats=1, pace=PAUSED), between(pace=PAUSED, burn=0)]
    with LocalServer(tmp_path, tables) as server:
        yield server
        server.check()


def room(person: Person, name: str) -> Locator:
    heading = person.page.get_by_role("heading", name=name, exact=True)
    return person.page.get_by_role("listitem").filter(has=heading)


def test_the_lobby_says_what_is_played_within_which_limits_and_at_what_edge(
    tmp_path: Path, visit: Visit, screen: Screen
) -> None:
    with ServerProcess(tmp_path, "--demo", tables=DEMO) as server:
        ann = visit(server, screen)
        ann.go("/")
        games = ann.page.locator(".games").get_by_role("heading", level=2)
        ours = ["Down Under Hold'em", "IN BETween", "One For The Money", "Yo!"]
        expect(games).to_have_text([*ours, *(load(name).title for name in GALLERY)])
        for table, version, limits, edge in (
            ("Burgundy Room 1", "with 3 Card Bonus", "1 to 100", "3.82 %"),
            ("Burgundy Room 2", "with Perfect Match", "1 to 100", "House edge"),
            ("Green Room", "", "5 to 100", "House edge"),
            ("Blue Room", "by the rules of 2019", "5 to 100", "1.41 %"),
            ("Craps 1", "carries no approval", "5 to 100", "1.41 %"),
        ):
            for said in (version, limits, edge, "training", "0 of 6" if table == "Blue Room" else "0 of 5"):
                expect(room(ann, table)).to_contain_text(said)
        ann.press(ann.page.locator("summary", has_text="What differs at Blue Room"))
        expect(ann.page.get_by_text("Dice: a generator makes the rolls")).to_be_visible()
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_lobby_changes_while_one_looks_and_marks_ones_seat(
    small: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(small, screen)
    ann.go("/")
    burgundy = room(ann, "Burgundy")
    expect(burgundy).to_contain_text("0 of 5")
    bob = small.join("money", 5)
    expect(burgundy).to_contain_text("1 of 5")
    expect(burgundy.locator(".seat").nth(4)).to_have_class("seat taken")
    small.run(lambda house: house.pause("money", "a short break"))
    expect(burgundy).to_contain_text("Paused: a short break.")
    small.run(lambda house: house.resume("money"))
    expect(burgundy).not_to_contain_text("Paused")
    bob.done("leave")
    expect(burgundy).to_contain_text("0 of 5")
    ann.press(ann.button("Play now at Burgundy"))
    expect(ann.rail.get_by_role("radio").first).to_be_enabled()
    other = ann.tab()
    other.go("/")
    expect(room(other, "Burgundy")).to_contain_text("You sit at seat 3.")
    expect(room(other, "Burgundy").locator(".seat").nth(2)).to_have_class("seat taken yours")
    nothing_is_wrong(other, "lobby with a seat")
    other.press(other.page.get_by_role("link", name="Go to your seat at Burgundy"))
    expect(other.rail.get_by_role("radio").first).to_be_enabled()


def test_the_way_to_play_is_gold_only_where_cards_are_dealt(tmp_path: Path, visit: Visit) -> None:
    with LocalServer(tmp_path, [money(), GAMES["in-between"]]) as server:
        ann = visit(server)
        ann.go("/")
        expect(ann.button("Play now at Burgundy")).to_be_visible()
        seat = room(ann, GAMES["in-between"].name).get_by_role("button")
        expect(seat).to_have_accessible_name(re.compile("^Take a seat at "))
        background = "button => getComputedStyle(button).backgroundColor"
        assert seat.evaluate(background) != ann.button("Play now at Burgundy").evaluate(background)
        server.run(lambda house: house.pause("money", "a short break"))
        expect(ann.button("Take a seat at Burgundy")).to_be_visible()
        server.run(lambda house: house.resume("money"))
        ann.press(ann.button("Play now at Burgundy"))
        expect(ann.rail.get_by_role("radio").first).to_be_enabled()


def test_going_back_to_the_lobby_shows_the_seat_that_was_taken_meanwhile(small: LocalServer, visit: Visit) -> None:
    ann = visit(small)
    ann.go("/")
    ann.press(ann.button("Play now at Burgundy"))
    expect(ann.felt).to_be_visible()
    ann.page.go_back()
    expect(room(ann, "Burgundy")).to_contain_text("You sit at seat 3.")


def test_at_a_full_table_one_waits_in_line_and_is_told_of_the_seat(
    small: LocalServer, visit: Visit, screen: Screen
) -> None:
    bob = small.join("small", 1)
    ann = visit(small, screen)
    ann.go("/")
    expect(room(ann, "Corner")).to_contain_text("Every seat is taken.")
    ann.press(ann.button("Wait for a seat at Corner"))
    expect(ann.rail).to_contain_text("You are first in line.")
    nothing_is_wrong(ann, "waiting")
    ann.page.reload()
    expect(ann.rail).to_contain_text("You are first in line.")
    ann.press(ann.button("Stop waiting"))
    expect(ann.rail).to_contain_text("Every seat is taken.")
    cleo = small.join("small")
    cleo.do("wait")
    ann.press(ann.button("Wait for a seat"))
    expect(ann.rail).to_contain_text("You are second in line.")
    cleo.do("stop waiting")
    expect(ann.rail).to_contain_text("You are first in line.")
    bob.done("leave")
    expect(ann.notice).to_contain_text("You have seat 1. You join the next round.")


def test_two_tabs_that_both_play_now_or_wait_are_one_person_in_one_place(small: LocalServer, visit: Visit) -> None:
    ann = visit(small)
    ann.enter("money")
    other = ann.tab()
    for tab in (ann, other):
        tab.go("/")
    for tab in (ann, other):
        tab.press(tab.page.locator("[data-table=money] button.for-play"))
        expect(tab.rail.get_by_role("radio").first).to_be_enabled()
    assert small.get("/api/tables")[1]["occupied"] == [3]
    bob = small.join("small", 1)
    for tab in (ann, other):
        tab.watch("small")
    ann.press(ann.button("Wait for a seat"))
    for tab in (ann, other):
        expect(tab.rail).to_contain_text("You are first in line.")
    bob.done("leave")
    for tab in (ann, other):
        expect(tab.notice).to_contain_text("You have seat 1.")
    assert small.get("/api/tables")[2]["waiting"] == 0


def test_a_guest_chooses_a_name_in_the_lobby_and_others_see_it_at_the_table(
    small: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(small, screen)
    ann.forgive("422")
    ann.sit("money", 2)
    bob = small.watch("money")
    ann.go("/")
    ann.press(ann.page.locator("summary", has_text="Guest 1"))
    name = ann.page.get_by_label("Your name at the tables")
    nothing_is_wrong(ann, "choosing a name")
    name.fill("Dealer")
    ann.press(ann.button("Save"))
    expect(ann.page.get_by_text("could be taken for somebody of the house")).to_be_visible()
    name.fill("Ann  Lee")
    ann.press(ann.button("Save"))
    expect(ann.page.locator("summary", has_text="Ann Lee")).to_be_visible()
    bob.until(lambda view: view["seats"][1]["name"] == "Ann Lee")
    assert ann.ledger == GRANT


def test_a_name_is_chosen_in_the_settings_of_the_table_too(small: LocalServer, visit: Visit, screen: Screen) -> None:
    ann, bob = visit(small, screen), visit(small)
    ann.forgive("422")
    ann.sit("money", 2)
    bob.sit("money", 4)
    ann.open("Settings")
    name = ann.drawer.get_by_label("Your name")
    for typed, said in (("W" * 60, "at most 20 characters; that one has 60"), ("Аnn!", "letters, digits and spaces")):
        name.fill(typed)
        ann.press(ann.drawer.get_by_role("button", name="Save"))
        expect(ann.drawer).to_contain_text(said)
    name.fill("Ann")
    ann.press(ann.drawer.get_by_role("button", name="Save"))
    expect(ann.drawer).to_contain_text("Saved.")
    nothing_is_wrong(ann, "settings")
    expect(bob.felt.locator(".plate", has_text="Ann")).to_be_visible()


def test_a_game_has_a_page_of_figures_and_rules_and_there_is_a_page_on_how_it_works(
    small: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(small, screen)
    ann.go("/")
    ann.press(ann.page.get_by_role("link", name="Rules and figures of One For The Money"))
    expect(ann.page.get_by_role("cell", name="493536/12909299").first).to_be_visible()
    expect(ann.page.get_by_text(re.compile("^Approved by the Washington"))).to_be_visible()
    nothing_is_wrong(ann, "a game")
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ann.press(ann.page.get_by_role("link", name="How it works"))
    expect(ann.page.get_by_role("heading", name="Your first round")).to_be_visible()
    nothing_is_wrong(ann, "how it works")
    ann.press(ann.page.get_by_role("link", name="IN BETween", exact=True))
    expect(ann.page.get_by_role("heading", name="House edge")).to_be_visible()


def test_the_lobby_says_that_the_connection_is_lost_and_comes_back(small: LocalServer, visit: Visit) -> None:
    ann = visit(small)
    ann.forgive("ERR_INTERNET_DISCONNECTED")
    ann.go("/")
    ann.context.set_offline(True)
    expect(ann.page.get_by_text("The connection is lost. Trying again.")).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.page.get_by_text("The connection is lost. Trying again.")).to_be_hidden()
