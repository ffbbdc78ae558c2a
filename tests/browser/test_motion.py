"""Who asks for calm sees end states at once; who does not sees things move, and may act before they have."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Stack, Visit
from tests.browser.people import Person
from tests.web.robots import LocalServer

# Every movement of the page, by its kind.
WATCH = """
window.moves = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) { window.moves.push("script"); return animate.apply(this, how); };
for (const kind of ["transitionrun", "animationstart"]) {
  addEventListener(kind, ({ target }) => window.moves.push(`${kind} ${target.getAttribute("class")}`), true);
}
"""


def moves(person: Person) -> list[str]:
    person.page.wait_for_timeout(300)  # what began with the last thing is told by then
    found: list[str] = person.page.evaluate("moves")
    return found


def play(person: Person) -> None:
    person.bet("Ante", 500)
    person.deal()
    person.decide("Trade")
    person.decide("Raise")
    expect(person.notice).to_contain_text("You win 15.00")
    person.open("Pay tables")


def test_nothing_moves_for_who_asks_the_system_for_calm(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("4h 9c 4d Ks")
    ann = visit(house, calm=True)
    ann.context.add_init_script(WATCH)
    ann.sit("money")
    play(ann)
    assert moves(ann) == []


@pytest.mark.slow
def test_nothing_moves_for_who_chose_so_in_the_settings(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("4h 9c 4d Ks")
    ann = visit(house, calm=False)
    ann.context.add_init_script(WATCH)
    ann.sit("money")
    ann.open("Settings")
    ann.page.get_by_label("Without motion").check()
    ann.key("Escape")
    ann.page.evaluate("moves = []")
    play(ann)
    assert moves(ann) == []


@pytest.mark.slow
def test_cards_and_chips_move_otherwise_and_come_to_the_same_end(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("4h 9c 4d Ks")
    ann, bob = visit(house, calm=False), visit(house)
    ann.context.add_init_script(WATCH)
    ann.sit("money", 3)
    bob.watch("money")
    play(ann)
    assert moves(ann).count("script") > 10
    for part in ("Seat 3", "king of spades; ", "Ante wins 5.00", "Trade wins 5.00", "nine of clubs in the play area"):
        for person in (ann, bob):
            expect(person.page.get_by_role("region", name="The table in words")).to_contain_text(part)
    told = ann.page.get_by_role("region", name="The table in words").locator("p, li")
    expect(told).to_have_text([line.replace("Guest 1", "you") for line in bob.in_words])
    expect(ann.figure("Balance")).to_have_text("1,015.00")


@pytest.mark.slow
def test_what_moves_never_makes_anybody_wait(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    """Chips and keys are taken while chips still fly."""
    stacked("Kh 9c 4d")
    ann = visit(house, calm=False)
    ann.sit("money")
    ann.press(ann.chip(100))
    for _ in range(8):
        ann.spot("Ante").click(no_wait_after=True)
    expect(ann.button("Deal")).to_be_enabled()
    ann.key("d")
    expect(ann.options).to_have_count(3)
    ann.key("r")
    expect(ann.notice).to_contain_text("You win 16.00")
    expect(ann.figure("Balance")).to_have_text(f"{ann.ledger / 100:,.2f}")
