"""A table at which nobody has to make a certain wager asks for any of those with which one comes in."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.web.cookies import COOKIE
from tests.browser.conftest import PAUSED, Visit
from tests.web.robots import LocalServer, table_of


@pytest.mark.parametrize(
    ("game", "spot", "asked", "sum"),
    [
        ("punto-banco", "tie", "Choose a chip and put it on Player, Banker or Tie.", "1.00"),
        ("sic-bo", "total_9", "Choose a chip and put it on any spot.", "1.00"),
    ],
)
def test_a_player_is_asked_for_any_of_the_wagers_and_ready_with_one(
    tmp_path: Path, visit: Visit, game: str, spot: str, asked: str, sum: str
) -> None:
    with LocalServer(tmp_path, [table_of(game, pace=PAUSED)]) as server:
        ann = visit(server)
        ann.sit(game, 1)
        expect(ann.notice).to_have_text(asked)
        expect(ann.button("Deal")).to_be_disabled()
        (session,) = [cookie["value"] for cookie in ann.context.cookies() if cookie["name"] == COOKIE]
        server.watch(game, session).done("place", spot=spot, amount=100)
        expect(ann.button("Deal")).to_be_enabled()
        expect(ann.notice).not_to_contain_text("Choose a chip")
        expect(ann.figure("On the table")).to_have_text(sum)
