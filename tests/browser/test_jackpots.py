"""A jackpot on every screen: what table, display and manager's page show is what the books hold, and a screen that is
not connected says so instead."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import ceil
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from feltworks.floor.accounts import Account, Kind, money
from feltworks.floor.jackpot.meter import meter_account
from feltworks.floor.roles import Role
from feltworks.kit.questions import JackpotReturned
from feltworks.lab.live_answers import jackpot_return
from feltworks.web.lab import Lab
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, WINDOW, Person
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_house import log_in
from tests.web.jackpots import MAIN, RESERVE, SEED, TO_METER, behind, open_jackpot, progressive
from tests.web.people_of_the_house import employ
from tests.web.robots import LocalServer

DISPLAY = f"/display/jackpots/{MAIN}"
DEAL = "Ks 7c 5c Kd 2d 8d Qs 3h 9d 7h 7s"


ALL_IN_SIGHT = (
    "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
)


@contextmanager
def serving(folder: Path, port: int = 0, lab: Lab | None = None) -> Iterator[LocalServer]:
    with LocalServer(folder, port=port, lab=lab) as server:
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


@pytest.mark.rule("F-24")
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)], ids=str)
def test_all_that_is_posted_comes_round_on_a_display_and_nothing_is_beyond_its_edge(
    tmp_path: Path, visit: Visit, size: tuple[int, int]
) -> None:
    said = " ".join(["The dealer has the rules of it, and whoever asks may read them."] * 4)
    notices = tuple(f"Notice {n}. {said}" for n in range(6))
    tables = [progressive(f"at-{n}", name=f"A table with a rather long name, number {n}") for n in range(6)]
    with LocalServer(tmp_path) as server:
        server.run(lambda house: open_jackpot(house, *tables, name="The jackpot of all " * 4, notices=notices))
        screen = visit(server)
        screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        screen.page.clock.install()
        screen.page.goto(DISPLAY)
        expect(screen.page.locator("#amount")).to_have_text(f"${money(SEED)}")
        expect(screen.page.get_by_text("Played for at 6 tables.")).to_be_visible()
        every = screen.page.locator(".notices li").all_text_contents()
        assert tuple(every[-6:]) == notices
        seen = set[str]()
        for _ in every:
            now = screen.page.locator(".notices li:not(.later)").all_text_contents()
            seen.update(now)
            assert screen.page.evaluate(ALL_IN_SIGHT), now
            expect(screen.page.get_by_role("status")).to_contain_text("Live")  # the next seconds go by at once
            screen.page.clock.run_for(10_000)
        assert seen == set(every)


@pytest.mark.slow
@pytest.mark.rule("F-24", "F-25", "D-16", "D-20")
def test_after_an_award_every_number_on_every_screen_is_what_the_books_and_the_exact_analysis_say(
    tmp_path: Path, visit: Visit, stacked: Stack
) -> None:
    stacked("8s 5c 9s 8d Ts Js Qs 3h 4h")
    with serving(tmp_path, lab=Lab(patience=300)) as server:
        ann, screen = visit(server), visit(server)
        screen.page.goto(DISPLAY)
        ann.sit("under", 2)
        for spot, chip in (("Ante", 500), ("Jackpot", 100)):
            ann.bet(spot, chip)
        ann.deal()
        ann.decide("Check")
        ann.decide("1x")
        award = (SEED + TO_METER) // 10
        meter = SEED + TO_METER - award
        expect(ann.felt.locator(".sign .prize")).to_have_text(f"${money(meter)}")
        booked = booked_into(server, meter_account(MAIN))
        assert booked == {Kind.JACKPOT_SEED: SEED, Kind.JACKPOT_CONTRIBUTION: TO_METER, Kind.JACKPOT_AWARD: -award}
        held = behind(server.house)
        assert held == (sum(booked.values()), RESERVE + 10) == (meter, RESERVE + 10)

        expect(screen.page.locator("#digits")).to_have_text(f"${money(meter)}")
        expect(screen.page.locator(".results strong")).to_have_text([f"${money(award)}"])
        expect(screen.page.locator(".limits")).to_have_text(
            "A Jackpot wager is $1. The meter begins at $1,000 and rises to $100,000."
        )

        ann.open("Pay tables")
        told = jackpot_return(msgspec.convert({**played(server), "others": 0}, JackpotReturned))
        returns = ann.page.locator("[data-jackpot-returns]")
        expect(returns).to_contain_text(f"{float(100 * told.at(meter)):.2f} %", timeout=300_000)
        expect(returns).to_contain_text(f"At ${money(meter)}, beside 0 others")
        assert told.break_even is not None
        expect(returns).to_contain_text(f"from a meter of ${money(ceil(Fraction(told.break_even)))} on")
        expect(ann.drawer.locator("code.exact").first).to_have_text(str(told.at(meter)))
        expect(ann.drawer.locator("table", has_text="Last awards")).to_contain_text(money(award))

        max_ = manager(server, visit)
        max_.page.goto(f"/house/jackpots/{MAIN}?check")
        for name, cents in (("wagered", 100), ("lent", SEED), ("funds-meter", held[0]), ("funds-reserve", held[1])):
            expect(max_.page.locator(f"#{name}")).to_have_text(money(cents))
        sums = max_.page.locator("tr", has=max_.page.get_by_role("rowheader", name="Meter", exact=True))
        shown = ["+1,000.00", "+0.60", "−100.06", "0.00", "0.00", "0.00", money(meter)]
        expect(sums.locator("td")).to_have_text(shown)
        rows = max_.page.locator(".statement tbody tr")
        changes = [amount_of(text) for text in rows.locator("td:nth-child(5)").all_text_contents()]
        stands = [amount_of(text) for text in rows.locator("td:nth-child(6)").all_text_contents()]
        assert stands == [sum(changes[n:]) for n in range(len(changes))] and stands[0] == meter
        expect(max_.page.get_by_text("Meter and reserve are what their entries make, to the cent")).to_be_visible()
        row = max_.page.locator("#returns ~ .scroll tbody tr").first
        expect(row).to_contain_text(f"{float(100 * told.at(meter)):.2f} %", timeout=60_000)
        expect(row).to_contain_text(str(told.at(meter)))
        nothing_is_wrong(max_, "manager's page after an award")


def booked_into(server: LocalServer, account: Account) -> dict[Kind, int]:
    """What the books have put into an account less what they took out of it, by the kinds of entries."""
    found = Counter[Kind]()
    for booked in server.run(lambda house: list(house.store.statement(str(account)))):
        entry = booked.entry
        found[entry.kind] += entry.cents * ((entry.payee == account) - (entry.payer == account))
    return dict(found)


def played(server: LocalServer) -> dict[str, object]:
    terms = server.run(lambda house: house.jackpots.known(MAIN).terms)
    return msgspec.structs.asdict(terms.played)


def amount_of(text: str) -> int:
    return round(100 * float(text.replace(",", "").replace("−", "-").replace("+", "") or 0))
