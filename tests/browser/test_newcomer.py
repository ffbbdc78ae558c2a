"""Somebody who has never been here comes to a settled round in a few actions, at any screen."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from feltworks.floor.people import GRANT
from tests.browser.conftest import Stack, Visit
from tests.browser.people import DESKTOP, PHONE, Person, Screen, shown
from tests.web.robots import DEMO, LocalServer, ServerProcess


def settlements(server: ServerProcess, table: str, round: int) -> list[dict[str, Any]]:
    """What the house recorded as the settlements of a round."""
    records = server.get(f"/api/tables/{table}/rounds/{round}")["records"]
    effects = [effect for record in records for effect in record["event"].get("effects", [])]
    return [effect for effect in effects if effect["kind"] == "settled"]


def sentence(title: str, settled: dict[str, Any]) -> str:
    """What a settlement should be told as: what it did, and which of the cards decided it."""
    if settled["stake"] == "taken":
        return rf"{title} loses {shown(settled['amount'])}: \w+ loses to \w+"
    if settled["paid"]:
        return rf"{title} wins {shown(settled['paid'])}: \w+ beats \w+, {settled['pays']}"
    return rf"{title} comes back: \w+ ties \w+"


def has_read_the_result(person: Person) -> None:
    expect(person.notice).to_contain_text(re.compile(r"You (win|lose) [\d.]+|comes back|come out even"))


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=str)
def test_a_newcomer_plays_a_round_in_at_most_eight_actions(tmp_path: Path, visit: Visit, screen: Screen) -> None:
    with ServerProcess(tmp_path, "--demo", tables=DEMO) as server:
        ann = visit(server, screen, calm=False, newcomer=True)
        ann.go("/")
        ann.press(ann.button("Play now at Burgundy Room 1"))
        ann.press(ann.chip(500))
        ann.press(ann.spot("Ante"))
        ann.press(ann.button("Deal"))
        expect(ann.head).to_contain_text("Your decision.")
        ann.press(ann.option("Raise"))
        assert ann.actions <= 8
        has_read_the_result(ann)
        ante, raised = settlements(server, "money", 1)
        for title, settled in (("Ante", ante), ("Raise", raised)):
            assert settled["amount"] == 500
            expect(ann.notice).to_contain_text(re.compile(sentence(title, settled)))
        won = sum(s["paid"] - (s["amount"] if s["stake"] == "taken" else 0) for s in (ante, raised))
        expect(ann.figure("Balance")).to_have_text(shown(GRANT + won))
        assert ann.ledger == GRANT + won


IN_EACH_GAME = {
    "match": ("Kh 9c 4d", "Ante", "Deal", "Check", "You win 5.00: king beats nine"),
    "between": ("2c Th 7d 9s Ts", "Blackjack", "Deal", "Stand", "You win 5.00: 19 against 17"),
    "under": ("Ks 5c Kd 8d Qs 3h 9d 7h 7s", "Ante", "Deal", "3x", "You win 20.00"),
    "yo": ("6611", "Play", "Ready and roll", None, "Play loses 5.00: 12 before a point"),
}
"""What is laid, where the first chip goes, what goes on, what is decided, and how that is told."""


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=str)
@pytest.mark.parametrize("table", IN_EACH_GAME)
def test_a_newcomer_settles_a_wager_in_each_game_in_at_most_eight_actions(
    tmp_path: Path, visit: Visit, stacked: Stack, rolls: Stack, table: str, screen: Screen
) -> None:
    laid, spot, goes_on, decides, told = IN_EACH_GAME[table]
    settings = next(settings for settings in DEMO if settings.id == table)
    lay = rolls if table == "yo" else stacked
    lay(laid)
    with LocalServer(tmp_path, [settings]) as server:
        ann = visit(server, screen, newcomer=True)
        ann.go("/")
        ann.press(ann.button(f"Play now at {settings.name}"))
        ann.press(ann.chip(500))
        ann.press(ann.spot(spot))
        ann.press(ann.button(goes_on))
        if decides:
            ann.decide(decides)
        expect(ann.notice).to_contain_text(told)
        assert ann.actions <= 8
        server.check()
