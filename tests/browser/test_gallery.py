"""Games of the gallery at a table in the browser: what was spun, rolled or dealt is checked by the browser itself, and
told again as it was."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.table.state import Table
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.web.robots import LocalServer, table_of


@pytest.mark.rule("F-18", "F-21")
@pytest.mark.parametrize(
    ("game", "wagers", "ready", "many"),
    [
        ("roulette", {"red": 500, "odd": 500}, "Spin", "spins"),
        ("craps", {"field": 500}, "Roll", "rolls"),
        ("punto-banco", {"tie": 500}, "Deal", "cards"),
    ],
)
def test_a_browser_checks_a_round_of_any_game_and_tells_it_again(
    tmp_path: Path, visit: Visit, rolls: Stack, game: str, wagers: dict[str, int], ready: str, many: str
) -> None:
    if game == "craps":
        rolls("34")  # which decides all at once
    with LocalServer(tmp_path, [table_of(game, pace=PAUSED)]) as server:

        def at_table() -> Table:
            table: Table = server.run(lambda house: house.live(game).table)
            return table

        ann = visit(server)
        ann.sit(game, 1)
        for spot, amount in wagers.items():
            ann.bet(at_table().game.spot_title(spot), amount)
        ann.press(ann.button(ready))
        server.wait_for(lambda: bool(server.get(f"/api/tables/{game}/rounds")["rounds"][0]["over"]))
        assert {result.spot for result in at_table().results} == {*wagers}
        ann.open("Fairness")
        expect(ann.drawer).to_contain_text(f"The opened {many} are exactly the {many} that the record says were")
        expect(ann.drawer.get_by_role("img", name="does not hold")).to_have_count(0)
        ann.open("History")
        ann.press(ann.drawer.get_by_role("button", name="Round 1"))
        for result in at_table().results:
            net = f"{'wins' if result.net > 0 else 'loses'} {abs(result.net) / 100:.2f}"
            expect(ann.drawer).to_contain_text(f"{at_table().game.spot_title(result.spot)} {net}")
        server.check()


@pytest.mark.rule("F-18")
def test_of_two_hands_of_the_table_neither_is_lit_as_if_it_alone_counted(
    tmp_path: Path, visit: Visit, stacked: Stack
) -> None:
    stacked("4d 9s 3h 6c 4c")
    with LocalServer(tmp_path, [table_of("punto-banco", pace=PAUSED)]) as server:
        ann = visit(server)
        ann.sit("punto-banco", 1)
        ann.bet("Banker", 500)
        ann.press(ann.button("Deal"))
        expect(ann.notice).to_contain_text("player 7, banker 9")
        expect(ann.felt.get_by_text("Player 7")).to_be_visible()
        expect(ann.felt.locator(".counts, .counts-bar")).to_have_count(0)
