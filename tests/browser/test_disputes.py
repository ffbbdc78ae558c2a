"""Wins that are held, rounds that are disputed and incidents that are decided, in a real browser: at a desk and on a
small phone, by axe."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.actors import person as by_person
from feltworks.floor.roles import Role
from feltworks.floor.statutory_limits import HeldWinLimit
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import DESKTOP, Person, Screen, next_round
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_history import rows
from tests.browser.test_house import REFUSED, fits, log_in
from tests.web.people_of_the_house import employ
from tests.web.robots import LocalServer, money

SMALL = Screen(360, 740, touch=True)
REASON = "Why it is decided so"


@pytest.fixture(params=[pytest.param(DESKTOP, marks=pytest.mark.slow), SMALL], ids=str)
def screen(request: pytest.FixtureRequest) -> Screen:
    screen: Screen = request.param
    return screen


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    """A table where every win is held, and somebody of surveillance has to verify it."""
    limit = HeldWinLimit(date(2009, 1, 1), 0, "a test", False)
    monkeypatch.setattr("feltworks.floor.house.held_win_limit", lambda day: limit)
    monkeypatch.setattr("feltworks.floor.table.outcome.verifies_itself", lambda settings: False)
    with LocalServer(tmp_path, [money(pace=PAUSED)]) as server:
        yield server
        server.check()


def somebody(server: LocalServer, visit: Visit, screen: Screen, name: str, role: Role) -> Person:
    person = visit(server, screen)
    log_in(person, server.run(lambda house: employ(house, name, role))[1])
    return person


def won(person: Person) -> None:
    """A round of One For The Money with a king against a nine."""
    person.begin("money", "Ante", 500, seat=3)
    person.decide("Raise")
    expect(person.notice).to_contain_text("You win")


@pytest.mark.rule("F-19")
def test_a_player_is_told_that_a_win_is_held_and_then_that_it_is_verified_and_paid(
    watched: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("Kh 9c 4d")
    ann = visit(watched, screen)
    won(ann)
    expect(ann.notice).to_contain_text("The win is held until surveillance has verified it.")
    rail = ann.page.get_by_role("region", name="Your seat")
    expect(rail).to_contain_text("Held until verified10.00")
    nothing_is_wrong(ann, "a win that is held")
    id, _ = watched.run(lambda house: employ(house, "Vic", Role.SURVEILLANCE))

    def verify(win: str) -> None:
        watched.run(lambda house: house.pending.verify_win("money", win, by_person(id)))

    for _, win in watched.run(lambda house: house.pending.held_wins()):
        verify(win.id)
    expect(ann.notice).to_contain_text("Verified: 5.00 that was held is paid to you.")
    expect(rail).not_to_contain_text("Held until verified")


@pytest.mark.rule("F-19", "F-05")
def test_a_round_is_disputed_in_its_recall_and_decided_by_a_supervisor_who_sees_it_on_the_felt(
    house: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house, screen)
    won(ann)
    next_round(house, "money")
    ann.open("History")
    ann.press(rows(ann).first)
    ann.press(ann.drawer.get_by_role("button", name="Dispute this round"))
    ann.drawer.get_by_label("What was wrong in this round?").fill("My raise was ten dollars, not five.")
    nothing_is_wrong(ann, "the form of a dispute")
    ann.press(ann.drawer.get_by_role("button", name="Send"))
    state = ann.drawer.get_by_role("region", name="Dispute")
    expect(state).to_contain_text("Your dispute is open. A supervisor decides it.")
    expect(ann.drawer.get_by_role("button", name="Dispute this round")).to_have_count(0)

    sue = somebody(house, visit, screen, "Sue", Role.SUPERVISOR)
    sue.page.goto("/house/disputes")
    nothing_is_wrong(sue, "the list of disputes")
    fits(sue.page, "the list of disputes")
    sue.page.get_by_role("link", name="Look at it and decide").click()
    expect(sue.page.get_by_role("heading", level=1)).to_have_text("Burgundy, round 1, seat 3")
    nothing_is_wrong(sue, "a dispute")
    fits(sue.page, "a dispute")
    sue.page.get_by_role("link", name="See the round on its felt").click()
    expect(sue.page).to_have_url(f"http://127.0.0.1:{house.port}/table/money/round/1")
    sue.page.go_back()
    sue.page.get_by_label("Upheld").check()
    sue.page.get_by_label("By which rules").select_option("approved house rules")
    sue.page.get_by_label("Why: the rule").fill("The recall shows five; the camera shows ten.")
    sue.page.get_by_label("Amount, if money was wrong").fill("5")
    sue.page.get_by_role("button", name="Decide").click()
    expect(sue.page.get_by_text("Decided.", exact=True)).to_be_visible()
    expect(sue.page.get_by_text("No round is disputed.")).to_be_visible()
    expect(state).to_contain_text(
        "Your dispute was upheld, by approved house rules. 5.00 is corrected in your favour. The recall shows five;"
    )
    nothing_is_wrong(sue, "the list with a decided dispute")


@pytest.mark.rule("F-28", "F-13")
def test_an_incident_is_reported_decided_with_a_reason_and_voided_by_two(
    house: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(house, screen)
    ann.begin("money", "Ante", 500, seat=3)
    sue = somebody(house, visit, screen, "Sue", Role.SUPERVISOR)
    sue.page.goto("/house/tables/money")
    sue.page.get_by_label("What it is").fill("exposed card")
    sue.page.get_by_label("What was seen").fill("the dealer's second card")
    nothing_is_wrong(sue, "the form of a report")
    fits(sue.page, "the form of a report")
    sue.page.get_by_role("button", name="Report", exact=True).click()
    expect(sue.page.get_by_role("heading", name="Decide about exposed card")).to_be_visible()
    nothing_is_wrong(sue, "the form of a decision")
    fits(sue.page, "the form of a decision")
    sue.forgive(REFUSED)
    sue.page.get_by_label(REASON).fill("everybody saw it")
    sue.page.get_by_label("Void").check()
    sue.page.get_by_role("button", name="Decide", exact=True).click()
    expect(sue.page.get_by_text("You have signed first.")).to_be_visible()
    max_ = somebody(house, visit, screen, "Max", Role.MANAGER)
    max_.page.goto("/house/waiting")
    expect(max_.page.get_by_role("heading", name="Exposed card at Burgundy: void")).to_be_visible()
    nothing_is_wrong(max_, "what waits for a second signature")
    max_.page.get_by_role("button", name="Sign").first.click()
    expect(ann.notice).to_contain_text("Your wager comes back: void")
    assert house.run(lambda house: house.live("money").table.incident) == ""
