"""How long a table waits, on the screen: no clock for somebody alone, none that grows, and nobody is held up by a seat
that looks on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from feltworks.floor.table.settings import Clocks
from tests.browser.conftest import PAUSED, Visit
from tests.browser.people import Person
from tests.web.robots import LocalServer, money

pytestmark = pytest.mark.rule("F-30")
CLOCKS = Clocks(absent=10_000)


@pytest.fixture
def still(tmp_path: Path) -> Iterator[LocalServer]:
    """A house whose time stands still but for what a test lets pass."""
    with LocalServer(tmp_path, [money(pace=PAUSED, clocks=CLOCKS)], clock=lambda: 1_800_000_000_000) as server:
        yield server
        server.check()


def clock(person: Person) -> Locator:
    return person.head.get_by_role("timer")


def seconds(person: Person) -> int:
    """What the clock shows. It runs on the person's own clock, so it may be less than the house's by now."""
    return int(clock(person).inner_text().removesuffix(" s"))


def test_who_is_alone_sees_no_clock_and_one_appears_when_a_second_person_sits_down(
    still: LocalServer, visit: Visit
) -> None:
    ann = visit(still)
    ann.sit("money", 3)
    ann.bet("Ante", 500)
    expect(clock(ann)).to_have_count(0)
    ann.deal()
    expect(ann.options).to_have_count(3)
    expect(clock(ann)).to_have_count(0)
    with still.join("money", 4) as bob:
        expect(clock(ann)).to_be_visible()
        assert 0 < seconds(ann) <= 25
        bob.done("leave")
        expect(clock(ann)).to_have_count(0)


def test_loading_the_page_again_does_not_lengthen_the_clock(still: LocalServer, visit: Visit) -> None:
    with still.join("money", 4):
        ann = visit(still)
        ann.begin("money", "Ante", 500, seat=3)
        expect(ann.options).to_have_count(3)
        still.pass_time(15_000)
        for _ in range(2):
            ann.page.reload()
            expect(ann.options).to_have_count(3)
            expect(clock(ann)).to_be_visible()
            assert seconds(ann) <= 10


def test_a_newcomer_sees_that_the_next_round_is_theirs_and_holds_nobody_up(still: LocalServer, visit: Visit) -> None:
    with still.join("money", 4) as bob:
        ann = visit(still)
        ann.sit("money", 3)
        bob.phase("betting")
        bob.done("place", spot="ante", amount=500)
        bob.done("ready")
        bob.my_turn()
        expect(ann.head).to_contain_text("to act. You join the next round.")
        cyd = visit(still)
        cyd.enter("money")
        cyd.press(cyd.page.get_by_role("button", name="Sit here, seat 1"))
        expect(cyd.head).to_contain_text("You join the next round.")
