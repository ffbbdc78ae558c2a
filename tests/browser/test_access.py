"""Everybody can use the pages: axe finds nothing on any of them, at any screen."""

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from tests.browser.conftest import Stack, Visit
from tests.browser.people import Person, Screen, next_round
from tests.web.robots import LocalServer

AXE = Axe()


def nothing_is_wrong(person: Person, where: str) -> None:
    """Axe has nothing to say, however small."""
    found: list[dict[str, Any]] = AXE.run(person.page).response["violations"]
    told = [
        f"{where}: {wrong['id']} ({wrong['impact']}), {wrong['help']}: {node['target']} {node['html'][:160]}"
        for wrong in found
        for node in wrong["nodes"]
    ]
    assert told == []


def test_axe_finds_nothing_from_the_lobby_to_the_results(
    house: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("Kh 4s 9c 4d 7h")
    ann = visit(house, screen)
    ann.go("/")
    nothing_is_wrong(ann, "lobby")
    ann.watch("money")
    nothing_is_wrong(ann, "watching")
    ann.enter("money")
    nothing_is_wrong(ann, "empty table")
    bob = house.join("money", 1)
    ann.press(ann.button("Take a seat"))
    ann.bet("Ante", 500)
    ann.bet("3 Card Bonus", 100)
    bob.phase("betting")
    bob.done("place", spot="ante", amount=2500)
    bob.done("ready")
    nothing_is_wrong(ann, "betting")
    ann.press(ann.spot("3 Card Bonus"))
    ann.press(ann.chip(10_000))
    ann.press(ann.spot("Ante"))
    expect(ann.notice).to_contain_text("at its most")
    nothing_is_wrong(ann, "refusal")
    ann.deal()
    bob.my_turn()
    bob.done("choose", option="check")
    expect(ann.options).to_have_count(3)
    nothing_is_wrong(ann, "decision")
    ann.decide("Trade")
    expect(ann.options).to_have_count(2)
    nothing_is_wrong(ann, "decision after the trade")
    ann.decide("Raise")
    expect(ann.notice).to_contain_text("You lose")
    nothing_is_wrong(ann, "results")
    next_round(house, "money")
    expect(ann.chip(500)).to_be_enabled()
    nothing_is_wrong(ann, "betting after a round")


def test_axe_finds_nothing_on_the_tour(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen, newcomer=True)
    ann.enter("money")
    expect(ann.button("Show me how, three minutes")).to_be_visible()
    nothing_is_wrong(ann, "offered")
    ann.press(ann.button("Show me how, three minutes"))
    for step in range(1, 9):
        expect(ann.page.get_by_role("region", name="The tour")).to_contain_text(f"{step} of 8")
        nothing_is_wrong(ann, f"step {step}")
        if step < 8:
            ann.press(ann.page.get_by_role("button", name=re.compile("^(Next|Skip this step)$")))


@pytest.mark.slow
def test_axe_finds_nothing_at_in_between(house: LocalServer, visit: Visit, stacked: Stack, screen: Screen) -> None:
    stacked("8h As 8c 2c 3d Td 9s 9h")
    ann = visit(house, screen)
    ann.sit("between")
    ann.bet("Blackjack", 500)
    ann.bet("IN BETween", 500)
    nothing_is_wrong(ann, "betting")
    ann.deal()
    expect(ann.options).to_have_count(2)
    nothing_is_wrong(ann, "insurance")
    ann.decide("Insurance")
    expect(ann.options).to_have_count(4)
    nothing_is_wrong(ann, "decision")
    ann.decide("Split")
    expect(ann.head).to_contain_text("hand 1 of 2")
    nothing_is_wrong(ann, "split hands")
    ann.decide("Double")
    ann.decide("Stand")
    expect(ann.notice).to_contain_text("You ")
    nothing_is_wrong(ann, "results")


@pytest.mark.slow
def test_axe_finds_nothing_in_the_drawer(house: LocalServer, visit: Visit, stacked: Stack, screen: Screen) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house, screen)
    ann.begin("money", "Ante", 500)
    ann.decide("Raise")
    expect(ann.notice).to_contain_text("You win")
    for part in ("Pay tables", "Rules", "History", "Fairness", "Session", "Settings"):
        ann.open(part)
        expect(ann.drawer.get_by_role("tabpanel")).not_to_be_empty()
        nothing_is_wrong(ann, part)
    ann.open("History")
    ann.press(ann.drawer.get_by_role("button", name=re.compile("^Round 1")))
    expect(ann.drawer.get_by_text("recall", exact=True)).to_be_visible()
    nothing_is_wrong(ann, "recall")
    ann.press(ann.drawer.get_by_role("button", name="First", exact=True))
    nothing_is_wrong(ann, "recall, first step")
    ann.press(ann.drawer.get_by_role("button", name="Share this round"))
    nothing_is_wrong(ann, "sharing")
