"""The tour of a game: it leads through one round, waits for what it asks for, and is in nobody's way."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, WINDOW, Person, Screen
from tests.browser.test_layout import SIZES
from tests.web.robots import LocalServer, between, money, under, yo


@pytest.fixture
def all_games(tmp_path: Path) -> Iterator[LocalServer]:
    tables = [money(pace=PAUSED), between(pace=PAUSED, burn=0), under(pace=PAUSED), yo(pace=PAUSED)]
    with LocalServer(tmp_path, tables) as server:
        yield server
        server.check()


def tour(person: Person) -> Locator:
    return person.page.get_by_role("region", name="The tour")


@pytest.mark.parametrize(
    ("table", "spot", "options"),
    [
        ("money", "Ante", ["Check"]),
        ("between", "Blackjack", ["Stand"]),
        ("under", "Ante", ["Check", "Fold"]),
        ("yo", "Play", ["Roll"]),
    ],
    ids=["money", "between", "under", "yo"],
)
@pytest.mark.parametrize("size", [WINDOW, PHONE, Screen(360, 640, touch=True)], ids=str)
def test_a_newcomer_is_led_through_a_round_and_nothing_is_in_the_way(
    all_games: LocalServer, visit: Visit, stacked: Stack, table: str, spot: str, options: list[str], size: Screen
) -> None:
    if table == "between":
        stacked("Th 9c 9h 8d")  # no blackjack, and nothing to insure
    ann = visit(all_games, size, newcomer=True)
    ann.enter(table)
    ann.press(ann.button("Show me how, three minutes"))
    step = tour(ann)
    (game,) = (at["game"] for at in all_games.get("/api/tables") if at["id"] == table)
    expect(step).to_contain_text(all_games.get(f"/api/games/{game}")["tour"]["goal"])
    ann.press(step.get_by_role("button", name="Next"))
    expect(step).to_contain_text("Take a seat")
    expect(step.get_by_role("button", name="Next")).to_have_count(0)
    ann.press(ann.button("Take a seat"))
    expect(step).to_contain_text("3 of 8")
    ann.press(step.get_by_role("button", name="Next"))
    expect(step).to_contain_text("Choose a chip")
    expect(step.get_by_role("button", name="Next")).to_have_count(0)
    ann.bet(spot, 500)
    ready = "Ready" if table == "yo" else "Deal"
    expect(step).to_contain_text(f"Press {ready}.")
    ann.press(ann.button(ready))
    expect(step).to_contain_text(re.compile("[67] of 8"))
    for option in options:
        ann.decide(option)
    expect(step).to_contain_text("what each wager brought")
    ann.press(step.get_by_role("button", name="Next"))
    ann.press(step.get_by_role("button", name="Done"))
    expect(step).to_have_count(0)
    ann.page.reload()
    expect(ann.felt).to_be_visible()
    expect(ann.button("Show me how, three minutes")).to_have_count(0)


def test_the_tour_is_offered_once_and_is_in_the_rules_later_by_keyboard_too(house: LocalServer, visit: Visit) -> None:
    ann = visit(house, newcomer=True)
    ann.enter("money")
    ann.press(ann.button("No, thanks"))
    expect(ann.button("Show me how, three minutes")).to_have_count(0)
    ann.page.reload()
    ann.open("Rules")
    ann.drawer.get_by_role("button", name="Show me how, three minutes").focus()
    ann.key("Enter")
    expect(tour(ann).get_by_role("button", name="Next")).to_be_focused()
    expect(tour(ann).get_by_role("status")).to_contain_text("Step 1 of 8.")
    ann.key("Escape")
    expect(tour(ann)).to_have_count(0)


def test_what_the_tour_asks_for_can_be_skipped_step_by_step(house: LocalServer, visit: Visit) -> None:
    ann = visit(house, newcomer=True)
    ann.enter("money")
    ann.press(ann.button("Show me how, three minutes"))
    for number, button in enumerate(("Next", "Skip this step", "Next", *["Skip this step"] * 3, "Next", "Done"), 1):
        expect(tour(ann)).to_contain_text(f"{number} of 8")
        ann.press(tour(ann).get_by_role("button", name=button))
    expect(tour(ann)).to_have_count(0)


# What can be pressed, or says what happened, and lies under the box of the tour.
COVERED = """
() => {
  const box = document.querySelector(".tour").getBoundingClientRect();
  const things = "button, a, input, [role=button], [role=radio], [data-spot], [data-sit], .notice strong";
  return [...document.querySelectorAll(things)].filter((thing) => {
    const { left, right, top, bottom, width } = thing.getBoundingClientRect();
    const apart = left > box.right - 1 || right < box.left + 1 || top > box.bottom - 1 || bottom < box.top + 1;
    return width && !apart && !thing.closest(".tour, .unseen, .skip");
  }).map((thing) => thing.getAttribute("aria-label") ?? thing.textContent);
}
"""


@pytest.mark.parametrize("table", ["money", "between", "under", "yo"])
def test_the_tour_and_its_offer_cover_nothing_at_any_size(all_games: LocalServer, visit: Visit, table: str) -> None:
    ann = visit(all_games, SIZES[0], newcomer=True)
    ann.enter(table)

    def look(box: Locator) -> None:
        for size in SIZES:
            ann.page.set_viewport_size({"width": size.width, "height": size.height})
            expect(ann.page.locator(".strip")).to_have_count(1 if size.touch else 0)
            expect(box).to_be_in_viewport(ratio=1)
            assert ann.page.evaluate(COVERED) == [], size
            for button in box.get_by_role("button").all():
                expect(button).to_be_in_viewport(ratio=1)
        ann.page.set_viewport_size({"width": SIZES[0].width, "height": SIZES[0].height})
        expect(ann.page.locator(".strip")).to_have_count(0)

    offer = ann.page.get_by_role("region", name="New here?")
    look(offer)
    ann.press(ann.button("Take a seat"))
    expect(ann.rail.get_by_role("radio").first).to_be_enabled()
    look(offer)
    ann.press(ann.button("Show me how, three minutes"))
    for _ in range(2):
        ann.press(tour(ann).get_by_role("button", name="Next"))
    expect(tour(ann)).to_contain_text("Choose a chip")
    look(tour(ann))


def test_whoever_plays_a_round_alone_is_offered_no_tour_any_more(house: LocalServer, visit: Visit) -> None:
    ann = visit(house, newcomer=True)
    ann.sit("money")
    expect(ann.button("Show me how, three minutes")).to_be_visible()
    ann.bet("Ante", 500)
    ann.deal()
    ann.decide("Check")
    expect(ann.notice).to_contain_text("You ")
    expect(ann.button("Show me how, three minutes")).to_have_count(0)
    kept: dict[str, Any] = json.loads(ann.page.evaluate("localStorage.feltworks"))
    assert kept["toured"]
