"""A jackpot on every screen: what table, display and manager's page show is what the books hold, and a screen that is
not connected says so instead."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.accounts import money
from feltworks.floor.roles import Role
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, WINDOW, Person
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_house import log_in
from tests.web.jackpots import MAIN, SEED, TO_METER, behind, open_jackpot, progressive
from tests.web.people_of_the_house import employ
from tests.web.robots import LocalServer

DISPLAY = f"/display/jackpots/{MAIN}"
DEAL = "Ks 7c 5c Kd 2d 8d Qs 3h 9d 7h 7s"


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[LocalServer]:
    with LocalServer(folder, port=port) as server:
        if server.house.jackpots.meter(MAIN) is None:
            server.run(lambda house: open_jackpot(house, progressive("under", pace=PAUSED), progressive("two")))
        yield server


def manager(server: LocalServer, visit: Visit) -> Person:
    person = visit(server, WINDOW)
    _, token = server.run(lambda house: employ(house, "Max", Role.MANAGER))
    log_in(person, token)
    return person


@pytest.mark.rule("F-24", "F-25", "F-37")
def test_table_display_and_managers_page_show_what_the_books_hold(tmp_path: Path, visit: Visit, stacked: Stack) -> None:
    stacked(DEAL)
    with serving(tmp_path) as server:
        ann, screen, phone = visit(server), visit(server), visit(server, PHONE)
        max_ = manager(server, visit)
        screen.page.goto(DISPLAY)
        phone.page.goto(DISPLAY)
        max_.page.goto(f"/house/jackpots/{MAIN}")
        ann.sit("under", 2)

        def all_show(cents: int) -> None:
            told = f"${money(cents)}"
            expect(ann.felt.locator(".sign .prize")).to_have_text(told)
            for display in (screen, phone):
                expect(display.page.locator("#amount")).to_have_text(told)
                expect(display.page.locator("#digits")).to_have_text(told)
            held, kept = behind(server.house)
            assert held == cents
            for name, amount in (("meter", held), ("funds-meter", held), ("reserve", kept), ("funds-reserve", kept)):
                expect(max_.page.locator(f"#{name}")).to_have_text(money(amount), timeout=30_000)

        all_show(SEED)
        expect(screen.page.get_by_role("status").first).to_have_text("● Live")
        ann.bet("Ante", 500)
        ann.bet("Jackpot", 100)
        ann.deal()
        all_show(SEED + TO_METER)
        row = max_.page.locator(".statement tbody tr").first
        expect(row).to_contain_text("+0.60")
        expect(row).to_contain_text(money(behind(server.house)[0]))
        for person, where in ((screen, "display"), (phone, "display on a phone"), (max_, "manager's page")):
            nothing_is_wrong(person, where)
        assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        ann.open("Pay tables")
        expect(ann.page.locator("[data-jackpot-meter]")).to_have_text(f"${money(SEED + TO_METER)}")


@pytest.mark.rule("F-24")
def test_a_display_that_lost_its_server_shows_no_number_as_the_present_one_and_comes_back_by_itself(
    tmp_path: Path, visit: Visit
) -> None:
    with serving(tmp_path) as server:
        screen = visit(server)
        screen.forgive("WebSocket connection to .* failed")
        screen.page.goto(DISPLAY)
        expect(screen.page.locator("#amount")).to_have_text(f"${money(SEED)}")
        port = server.port
    expect(screen.page.get_by_role("alert")).to_contain_text("Not connected", timeout=30_000)
    expect(screen.page.locator("#amount")).to_have_count(0)
    expect(screen.page.get_by_role("alert")).to_contain_text(re.compile(r"It stood at \$1,000\.00 at \d"))
    with serving(tmp_path, port) as again:
        expect(screen.page.locator("#amount")).to_have_text(f"${money(behind(again.house)[0])}", timeout=60_000)
        expect(screen.page.get_by_role("status").first).to_have_text("● Live")
