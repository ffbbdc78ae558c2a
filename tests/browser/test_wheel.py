"""A wheel in the browser: where it stops is seen and told, checked by the browser itself, and typed by a dealer."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from feltworks.floor.table.settings import Limits, Pace, TableSettings
from feltworks.games import load
from feltworks.kit.steps import Pocket
from tests.browser.conftest import Visit
from tests.browser.consoles import Dealer
from tests.browser.people import Screen
from tests.floor.sitting import big_six, with_toys
from tests.web.dealing import dealt_by_hand
from tests.web.robots import LocalServer

PAUSED = Pace(0, 0, 3_600_000, 0)
LIMITS = Limits(100, 10_000)


def roulette() -> TableSettings:
    """A physical wheel with one zero."""
    spots = [spot for wager in load("roulette").wagers.values() for spot in wager.opens]
    return dealt_by_hand(TableSettings("wheel", "Wheel", "roulette", dict.fromkeys(spots, LIMITS), seats=3))


@pytest.mark.rule("F-21")
def test_a_player_sees_where_the_wheel_stops_and_the_browser_checks_the_spin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, visit: Visit, screen: Screen
) -> None:
    with_toys(monkeypatch)
    with LocalServer(tmp_path, [big_six(pace=PAUSED)]) as server:
        ann = visit(server, screen)
        ann.sit("six")
        ann.bet("$1")
        ann.press(ann.button("Spin"))
        server.wait_for(lambda: server.run(lambda house: house.live("six").table.pocket) is not None)
        pocket = server.run(lambda house: house.live("six").table.pocket)
        assert pocket is not None
        expect(ann.page.locator(".felt .pocket")).to_have_text(pocket.name)
        expect(ann.page.get_by_role("region", name="The table in words")).to_contain_text(
            f"the wheel has stopped at {pocket.name}"
        )
        ann.open("Fairness")
        expect(ann.drawer).to_contain_text("Each of the 1 spins that were spun leads, with its position and salt")
        expect(ann.drawer).to_contain_text("The opened spins are exactly the spins that the record says were spun.")
        expect(ann.drawer.get_by_role("img", name="does not hold")).to_have_count(0)
        expect(ann.drawer.locator(".small-pocket")).to_have_text(pocket.name)
        ann.open("History")
        expect(ann.drawer.locator(".small-pocket").first).to_have_text(pocket.name)
        ann.press(ann.drawer.get_by_role("button", name="Round 1"))
        expect(ann.drawer).to_contain_text(f"The wheel stops at {pocket.name}.")
        server.check()


@pytest.mark.rule("F-20")
def test_a_browser_finds_a_spin_that_was_not_committed_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, visit: Visit
) -> None:
    with_toys(monkeypatch)
    with LocalServer(tmp_path, [big_six(pace=PAUSED)]) as server:
        ann = visit(server)
        ann.sit("six")
        ann.bet("$1")
        ann.press(ann.button("Spin"))
        server.wait_for(lambda: server.run(lambda house: house.live("six").table.pocket) is not None)
        server.wait_for(lambda: bool(server.get("/api/tables/six/rounds")["rounds"][0]["over"]))
        held = ann.page.evaluate(
            """async () => {
                const { checkOpening } = await import("/static/drawers/fairness.js");
                const round = await (await fetch("/api/tables/six/rounds/1")).json();
                const [opening] = round.records.flatMap(({ event }) => event.openings ?? []);
                const check = (changes) => checkOpening(round.root, round.size, { ...opening, ...changes });
                const other = opening.spin.endsWith("$1") ? "wheel $2" : "wheel $1";
                const { spin, ...rest } = opening;
                return [await check({}), await check({ spin: other }), await check({ dice: "11111111" }),
                    await checkOpening(round.root, round.size, { ...rest, card: "As" })];
            }"""
        )
        assert held == [True, False, False, False]
        server.check()


@pytest.mark.rule("F-20", "F-27")
def test_a_dealer_types_the_number_where_a_real_wheel_stops(tmp_path: Path, browser: Browser) -> None:
    with LocalServer(tmp_path, [roulette()]) as server:
        ann, dana = server.join("wheel", 2), Dealer(browser, server, "wheel")
        dana.sign_on()
        pockets = dana.page.get_by_role("group", name="Pocket").get_by_role("button")
        for keys, stops, presses in ((["1", "7"], "17", 2), (["4"], "4", 1), (["0", "Enter"], "0", 2)):
            dana.space()
            ann.until(lambda view: view["version"] >= dana.table.version)
            ann.done("place", spot="17", amount=100)
            dana.caught_up()
            dana.type("c")
            while dana.told.acts:
                dana.tick()
            expect(dana.asked).to_have_text("Where the wheel stops")
            expect(pockets).to_have_count(37)
            expect(pockets.first).to_have_accessible_name("0, green")
            assert "“x” is no pocket of this wheel" in dana.wrongly("x")
            dana.actions = 0
            dana.type(*keys)
            assert dana.actions == presses
            assert dana.table.pocket == Pocket(stops, "single-zero")
            while dana.table.round is not None:
                dana.go_on()
        assert dana.troubles == []
        dana.close()
        server.check()
