"""Somebody who has never been here comes to a settled round in a few actions, at any screen."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from feltworks.floor.house import GRANT
from tests.browser.conftest import Visit
from tests.browser.people import DESKTOP, PHONE, Person, Screen, shown
from tests.web.robots import DEMO, ServerProcess


def settlements(server: ServerProcess, table: str, round: int) -> list[dict[str, Any]]:
    """What the house recorded as the settlements of a round."""
    records = server.get(f"/api/tables/{table}/rounds/{round}")["records"]
    effects = [effect for record in records for effect in record["event"].get("effects", [])]
    return [effect for effect in effects if effect["kind"] == "settled"]


def sentence(title: str, settled: dict[str, Any]) -> str:
    """What a settlement should be told as: amount, and the line that decided it."""
    line = settled["line"][0].lower() + settled["line"][1:]
    if settled["stake"] == "taken":
        return f"{title} loses {shown(settled['amount'])}: {line}"
    if settled["paid"]:
        return f"{title} wins {shown(settled['paid'])}: {line}, {settled['pays']}"
    return f"{title} comes back: {line}"


def has_read_the_result(person: Person) -> None:
    expect(person.notice).to_contain_text(re.compile(r"You (win|lose) [\d.]+|comes back|come out even"))


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=str)
def test_a_newcomer_plays_a_round_in_at_most_ten_actions(tmp_path: Path, visit: Visit, screen: Screen) -> None:
    with ServerProcess(tmp_path, "--demo", tables=DEMO) as server:
        ann = visit(server, screen, calm=False)
        ann.go("/")
        ann.press(ann.button("Play now at Burgundy Room 1"))
        ann.press(ann.button("Take a seat"))
        ann.press(ann.chip(500))
        ann.press(ann.spot("Ante"))
        ann.press(ann.button("Deal"))
        expect(ann.head).to_contain_text("Your decision.")
        ann.press(ann.option("Raise"))
        assert ann.actions <= 10
        has_read_the_result(ann)
        ante, raised = settlements(server, "money", 1)
        for title, settled in (("Ante", ante), ("Raise", raised)):
            assert settled["amount"] == 500
            expect(ann.notice).to_contain_text(sentence(title, settled))
        won = sum(s["paid"] - (s["amount"] if s["stake"] == "taken" else 0) for s in (ante, raised))
        expect(ann.figure("Balance")).to_have_text(shown(GRANT + won))
        assert ann.ledger == GRANT + won


@pytest.mark.slow
def test_the_lobby_says_what_is_played_within_which_limits_and_keeps_the_players_money(
    tmp_path: Path, visit: Visit
) -> None:
    with ServerProcess(tmp_path, "--demo", tables=DEMO) as server:
        ann = visit(server)
        ann.go("/")
        for table, game, limits in (
            ("Burgundy Room 1", "One For The Money with 3 Card Bonus", "1 to 100"),
            ("Burgundy Room 2", "One For The Money with Perfect Match", "1 to 100"),
            ("Green Room", "IN BETween", "5 to 100"),
            ("Blue Room", "Yo! by the rules of 2019", "5 to 100"),
        ):
            card = ann.page.get_by_role("listitem").filter(has=ann.page.get_by_role("heading", name=table, exact=True))
            expect(card).to_contain_text(game)
            expect(card).to_contain_text(limits)
            expect(card).to_contain_text("0 of 6" if game.startswith("Yo") else "0 of 5")
            expect(card).to_contain_text("training")
        ann.sit("money", 4)
        ann.bet("Ante", 2500)
        ann.press(ann.page.get_by_role("link", name="Feltworks, to the lobby"))
        expect(ann.page.get_by_role("banner")).to_contain_text("975.00")
        assert ann.ledger == GRANT - 2500
        expect(ann.page.get_by_role("main")).to_contain_text("1 of 5")
        room = ann.page.get_by_role("heading", name="Burgundy Room 1", exact=True)
        dots = ann.page.get_by_role("listitem").filter(has=room).locator(".cloth .seat")
        expect(dots.nth(3)).to_have_class("seat taken")
        expect(ann.page.locator(".cloth .taken")).to_have_count(1)
        for part in ("h2", "dl", ".badges", "form"):
            boxes = [found.bounding_box() for found in ann.page.locator(f".table-card {part}").all()]
            assert len({box["y"] for box in boxes if box}) == 1
        ann.press(ann.page.locator("summary", has_text="What differs at Blue Room"))
        expect(ann.page.get_by_text("Dice: a generator makes the rolls")).to_be_visible()
        badges = [found.bounding_box() for found in ann.page.locator(".badge").all()]
        assert len({box["height"] for box in badges if box}) == 1
