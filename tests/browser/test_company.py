"""Company at the table, as a person meets it: another grant, robots, the figures of a session, and sound."""

import re

from playwright.sync_api import expect

from feltworks.floor.accounts import Cents, Kind, player_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.people import GRANT, GRANTS_APART
from feltworks.web.cookies import COOKIE
from tests.browser.conftest import Stack, Visit
from tests.browser.people import Person, Screen, next_round, shown
from tests.web.robots import LocalServer


def left_with(server: LocalServer, person: Person, cents: Cents) -> None:
    """Take from somebody all but so much, as losses would."""
    token = next(cookie["value"] for cookie in person.context.cookies() if cookie["name"] == COOKIE)
    player = server.run(lambda house: house.people.player_of(token))
    assert player is not None
    lost = server.run(lambda house: house.balance(player)) - cents
    book = Book(Kind.CORRECTION.value, str(player_account(player)), "house", lost, "for the test")
    server.run(lambda house: house.book(book, PROGRAM))


# Another grant.


def test_whoever_is_broke_gets_play_money_again_at_every_tab(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    ann.sit("money")
    house.pass_time(GRANTS_APART)
    left_with(house, ann, 99)
    ann.page.reload()
    other = ann.tab()
    other.watch("money")
    get = ann.button(f"Get another {shown(GRANT)} of play money")
    expect(get).to_be_in_viewport(ratio=1)
    ann.press(get)
    for tab in (ann, other):
        expect(tab.figure("Balance")).to_have_text(shown(GRANT + 99))
        expect(tab.button(f"Get another {shown(GRANT)} of play money")).to_have_count(0)
    ann.bet("Ante", 500)
    assert ann.ledger == GRANT + 99 - 500


def test_whoever_has_lost_the_last_chip_can_still_read_how(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("2h 9c 4d")
    ann = visit(house)
    ann.sit("money")
    left_with(house, ann, 500)
    ann.page.reload()
    ann.bet("Ante", 500)
    ann.deal()
    ann.decide("Check")
    expect(ann.notice).to_contain_text("You lose 5.00: two loses to nine")
    next_round(house, "money")
    expect(ann.button(f"Get another {shown(GRANT)} of play money")).to_be_visible()
    expect(ann.notice).to_contain_text("Round 1: You lose 5.00: two loses to nine")


def test_a_grant_too_soon_after_the_last_is_refused_in_words(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    left_with(house, ann, 0)
    ann.page.reload()
    ann.press(ann.button(f"Get another {shown(GRANT)} of play money"))
    expect(ann.notice).to_contain_text("You were given play money a moment ago; ask again in")


# Robots.


def test_a_robot_sits_down_when_asked_and_goes_when_sent_away(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    ann.sit("money")
    ann.open("Session")
    ann.press(ann.drawer.get_by_role("button", name="Ask a robot to sit down"))
    away = ann.drawer.get_by_role("button", name="Send Robot 1 away")
    expect(away).to_be_visible()
    assert any("Robot 1" in said for said in ann.in_words)
    ann.press(ann.drawer.get_by_role("button", name="Close"))
    if not screen.touch:
        expect(ann.felt.locator(".plate .robot")).to_have_count(1)
    ann.bet("Ante", 500)
    ann.deal()
    ann.decide("Check")
    expect(ann.notice).to_contain_text("You ")
    ann.open("Session")
    ann.press(away)
    expect(away).to_have_count(0)


def test_escape_closes_the_drawer_when_the_button_that_was_pressed_is_gone(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    ann.open("Session")
    for robot in ("Robot 1", "Robot 2", "Robot 3"):
        ann.press(ann.drawer.get_by_role("button", name="Ask a robot to sit down"))
        expect(ann.drawer.get_by_role("button", name=f"Send {robot} away")).to_be_visible()
    expect(ann.drawer).to_contain_text("3 robots are the most.")
    ann.key("Escape")
    expect(ann.drawer).to_be_hidden()


# What a session came to.


def figures(person: Person, table: str) -> dict[str, str]:
    rows = person.drawer.get_by_role("table", name=table).get_by_role("row")
    return {row.get_by_role("rowheader").inner_text(): row.get_by_role("cell").inner_text() for row in rows.all()}


def test_the_figures_of_a_session_are_true_after_a_reload(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d", "2h 9c 4d")
    ann = visit(house)
    ann.sit("money")
    for number, option in ((1, "Raise"), (2, "Check")):
        ann.bet("Ante", 500)
        ann.deal()
        ann.decide(option)
        expect(ann.notice).to_contain_text("You ")
        if number == 1:
            next_round(house, "money")
            expect(ann.rail.get_by_role("radio").first).to_be_enabled()
    ann.page.reload()
    ann.open("Session")
    expect(ann.drawer.get_by_role("table")).to_be_visible()
    told = figures(ann, "Burgundy, One For The Money")
    assert told.pop("Time at the table")
    assert told == {
        "Rounds": "2",
        "Wagered": "15.00",
        "Won": "10.00",
        "Lost": "5.00",
        "Net": "+5.00",
        "Biggest win of a wager": "5.00",
    }


# Sound.

FAKE = """
window.made = [];
const node = () => ({ connect: (to) => to, start: () => window.made.push(1), stop() {}, frequency: {}, gain: {
  setValueAtTime() {}, exponentialRampToValueAtTime() {} } });
window.AudioContext = class {
  state = "running"; currentTime = 0; sampleRate = 8000; destination = {};
  createGain = node; createOscillator = node; createBufferSource = node; createBiquadFilter = node;
  createBuffer = () => ({ getChannelData: () => new Float32Array(10) });
};
"""


def test_sound_is_off_at_first_and_follows_the_setting_at_once(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.context.add_init_script(FAKE)
    ann.sit("money")
    ann.bet("Ante", 500)

    def made() -> int:
        return int(ann.page.evaluate("window.made.length"))

    assert made() == 0
    ann.open("Settings")
    sound = ann.drawer.get_by_role("checkbox", name=re.compile("^Sound"))
    expect(sound).not_to_be_checked()
    ann.press(sound)
    ann.press(ann.drawer.get_by_role("button", name="Close"))
    ann.bet("Ante", 500)
    ann.page.wait_for_function("window.made.length > 0")
    ann.open("Settings")
    ann.press(sound)
    ann.press(ann.drawer.get_by_role("button", name="Close"))
    before = made()
    ann.bet("Ante", 500)
    ann.deal()
    expect(ann.options.first).to_be_visible()
    assert made() == before
