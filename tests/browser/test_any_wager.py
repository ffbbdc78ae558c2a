"""A table at which nobody has to make a certain wager asks for any of those with which one comes in."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.web.cookies import COOKIE
from tests.browser.conftest import PAUSED, Visit
from tests.web.robots import LocalServer, table_of


@pytest.mark.parametrize(
    ("game", "spots", "asked", "ready"),
    [
        ("punto-banco", ["tie"], "Choose a chip and put it on Player, Banker or Tie.", "Deal"),
        ("sic-bo", ["total_9", "small"], "Choose a chip and put it on any spot.", "Roll"),
    ],
)
def test_a_player_is_asked_for_any_of_the_wagers_and_plays_with_one(
    tmp_path: Path, visit: Visit, game: str, spots: list[str], asked: str, ready: str
) -> None:
    with LocalServer(tmp_path, [table_of(game, pace=PAUSED)]) as server:
        ann = visit(server)
        ann.sit(game, 1)
        expect(ann.notice).to_have_text(asked)
        expect(ann.button(ready)).to_be_disabled()
        (session,) = [cookie["value"] for cookie in ann.context.cookies() if cookie["name"] == COOKIE]
        other_tab = server.watch(game, session)
        for spot in spots:
            other_tab.done("place", spot=spot, amount=100)
        expect(ann.button(ready)).to_be_enabled()
        expect(ann.notice).not_to_contain_text("Choose a chip")
        ann.press(ann.button(ready))
        expect(ann.notice).to_contain_text(re.compile("You (win|lose)|comes back|even"))
