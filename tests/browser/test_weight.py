"""What a page weighs, and that it asks nobody else for anything."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Response, expect

from tests.browser.conftest import Visit
from tests.browser.people import Person, Screen
from tests.web.robots import HOST, LocalServer, table_of

FIRST, OTHER_TABLE, THROUGH_A_ROUND = 88_000, 95_000, 110_000
ANY_GAME = 115_000
"""Bytes as they are sent, fonts and all."""


def weighed(person: Person, path: str) -> dict[str, int]:
    """The bytes of everything that a page fetches, as they are sent, by what it is; what comes later is added."""
    weights: dict[str, int] = {}

    def weigh(answer: Response) -> None:
        if answer.status == 200:
            weights[answer.url] = int(answer.headers["content-length"])

    person.page.on("response", weigh)
    person.page.goto(path, wait_until="networkidle")
    return weights


def test_the_first_table_page_leaves_room_below_100_kb(house: LocalServer, visit: Visit, screen: Screen) -> None:
    """And all that is fetched from then on through a whole round stays small too."""
    ann = visit(house, screen, calm=False, newcomer=True)
    weights = weighed(ann, "/table/money")
    expect(ann.felt).to_be_visible()
    assert sum(weights.values()) < FIRST, sorted(weights.items(), key=lambda item: -item[1])[:10]
    assert len(weights) > 10
    ann.begin("money", "Ante", 500)
    ann.decide("Raise")
    expect(ann.notice).to_contain_text("You ")
    ann.page.wait_for_load_state("networkidle")
    assert sum(weights.values()) < THROUGH_A_ROUND, sorted(weights.items(), key=lambda item: -item[1])[:10]


def test_the_page_of_a_blackjack_table_stays_below_100_kb(house: LocalServer, visit: Visit, screen: Screen) -> None:
    """How hands lie, and what is said of them, comes with the first cards and decisions."""
    ann = visit(house, screen)
    weights = weighed(ann, "/table/between")
    expect(ann.felt.locator(".splits")).to_have_count(1)
    assert sum(weights.values()) < OTHER_TABLE, sorted(weights.items(), key=lambda item: -item[1])[:10]


def test_the_page_of_a_dice_table_stays_below_100_kb(dice_house: LocalServer, visit: Visit, screen: Screen) -> None:
    """The dice themselves come with the first roll."""
    ann = visit(dice_house, screen)
    weights = weighed(ann, "/table/yo")
    expect(ann.felt.locator(".section-title").first).to_be_visible()
    assert sum(weights.values()) < OTHER_TABLE, sorted(weights.items(), key=lambda item: -item[1])[:10]


@pytest.mark.parametrize("game", ["craps", "punto-banco", "roulette", "ultimate-texas-holdem"])
def test_the_page_of_any_game_stays_below_150_kb(tmp_path: Path, visit: Visit, screen: Screen, game: str) -> None:
    """Its felt is drawn from its rules; the board of a wheel, with every spot on it, is the largest."""
    with LocalServer(tmp_path, [table_of(game)]) as server:
        ann = visit(server, screen)
        weights = weighed(ann, f"/table/{game}")
        expect(ann.felt.locator(".open-table")).to_have_count(1)
        ann.page.wait_for_load_state("networkidle")
        assert sum(weights.values()) < ANY_GAME, sorted(weights.items(), key=lambda item: -item[1])[:10]


@pytest.mark.slow
def test_a_page_asks_only_the_server_it_came_from(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    asked: set[str] = set()
    ann.page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    ann.page.on("websocket", lambda socket: asked.add(urlsplit(socket.url).netloc))
    ann.sit("money")
    for part in ("Rules", "History", "Fairness"):
        ann.open(part)
    assert asked == {f"{HOST}:{house.port}"}


def test_without_javascript_the_table_says_what_it_needs(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    plain = ann.context.browser
    assert plain is not None
    context = plain.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"http://{HOST}:{house.port}/table/money")
    expect(page.locator("noscript p")).to_contain_text("The table needs JavaScript")
    page.locator("noscript a").click()
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()
    context.close()
