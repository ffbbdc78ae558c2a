"""Chips on the spots by tap, drag and key; undo, clear and rebet; and what the table refuses."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from feltworks.floor.accounts import Cents
from feltworks.floor.people import GRANT
from feltworks.floor.table.settings import Limits
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, Person, Screen, held_back, next_round, shown
from tests.web.robots import LocalServer, between, money


def has(person: Person, staked: Cents, *, of: Cents = GRANT) -> None:
    """So much is on the table and the rest is the balance, in the page as in the books."""
    expect(person.figure("On the table")).to_have_text(shown(staked))
    expect(person.figure("Balance")).to_have_text(shown(of - staked))
    assert person.ledger == of - staked


def middle(what: Locator) -> tuple[float, float]:
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# Everything that the page shows as refused.
WATCH_REFUSALS = """
window.refusals = [];
new MutationObserver(() => {
  const refused = document.querySelector(".notice.refused");
  if (refused) window.refusals.push(refused.textContent);
}).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
"""


def test_a_tap_puts_one_chip_of_the_chosen_value_down(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    ann.sit("money")
    ann.press(ann.chip(2500))
    expect(ann.chip(2500)).to_be_checked()
    ann.press(ann.spot("Ante"))
    ann.finds("Ante", 2500)
    has(ann, 2500)
    ann.press(ann.chip(100))
    ann.press(ann.spot("Ante"))
    ann.press(ann.spot("3 Card Bonus"))
    ann.finds("3 Card Bonus", 100)
    ann.finds("Ante", 2600)
    has(ann, 2700)


@pytest.mark.slow
def test_a_double_tap_puts_two_chips_down(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    ann.press(ann.chip(500))
    ann.spot("Ante").dblclick()
    ann.finds("Ante", 1000)
    has(ann, 1000)


def test_a_second_press_of_what_is_done_once_does_nothing(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house)
    ann.sit("money")
    ann.bet("Ante", 500)
    ann.page.evaluate(WATCH_REFUSALS)
    ann.button("Deal").dblclick()
    expect(ann.options).to_have_count(3)
    ann.option("Raise").dblclick()
    expect(ann.notice).to_contain_text("You win 10.00")
    assert ann.page.evaluate("refusals") == []
    assert ann.balance == ann.ledger == GRANT + 1000


def test_a_chip_is_dragged_onto_a_spot_with_the_mouse(house: LocalServer, visit: Visit) -> None:
    ann = visit(house, calm=False)
    ann.sit("money")
    mouse = ann.page.mouse
    for amount in (2500, 5000):
        mouse.move(*middle(ann.chip(2500)))
        mouse.down()
        mouse.move(*middle(ann.felt), steps=5)
        mouse.move(*middle(ann.spot("Ante")), steps=5)
        mouse.up()
        ann.finds("Ante", amount)
    has(ann, 5000)
    mouse.move(*middle(ann.chip(500)))
    mouse.down()
    mouse.move(*middle(ann.head), steps=5)
    mouse.up()
    has(ann, 5000)
    expect(ann.chip(2500)).to_be_checked()


def test_a_chip_is_dragged_onto_a_spot_with_a_finger(house: LocalServer, visit: Visit) -> None:
    ann = visit(house, PHONE)
    ann.sit("money")
    finger = ann.context.new_cdp_session(ann.page)

    def touch(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    start, end = middle(ann.chip(500)), middle(ann.spot("Ante"))
    touch("touchStart", *start)
    for part in range(1, 11):
        touch("touchMove", *(a + (b - a) * part / 10 for a, b in zip(start, end, strict=True)))
    touch("touchEnd")
    ann.finds("Ante", 500)
    has(ann, 500)


def test_a_chip_that_is_let_go_at_once_is_chosen_and_not_dragged(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    ann.press(ann.chip(2500))
    ann.page.mouse.move(*middle(ann.felt), steps=3)
    ann.press(ann.spot("Ante"))
    ann.finds("Ante", 2500)
    ann.page.mouse.move(*middle(ann.head), steps=3)
    has(ann, 2500)


def test_chips_are_placed_and_taken_up_with_keys(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    ann.key("2", "ArrowRight", "Enter")
    ann.finds("Ante", 500)
    expect(ann.spot("Ante")).to_be_focused()
    ann.key("3", "Enter")
    ann.finds("Ante", 3000)
    ann.key("ArrowLeft")
    expect(ann.spot("3 Card Bonus")).to_be_focused()
    ann.key("1", "Enter")
    ann.finds("3 Card Bonus", 100)
    has(ann, 3100)
    ann.key("Delete")
    ann.finds("3 Card Bonus", 0)
    has(ann, 3000)
    ann.key("ArrowRight", "Backspace")
    ann.finds("Ante", 0)
    has(ann, 0)


def test_undo_takes_chip_by_chip_back_and_clear_takes_all(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    expect(ann.button("Undo")).to_be_disabled()
    expect(ann.button("Clear")).to_be_disabled()
    ann.bet("Ante", 500)
    ann.bet("Ante", 2500)
    ann.bet("3 Card Bonus", 100)
    ann.press(ann.button("Undo"))
    ann.finds("3 Card Bonus", 0)
    has(ann, 3000)
    ann.press(ann.button("Undo"))
    ann.finds("Ante", 500)
    has(ann, 500)
    ann.bet("3 Card Bonus", 500)
    ann.press(ann.button("Clear"))
    ann.finds("Ante", 0)
    ann.finds("3 Card Bonus", 0)
    has(ann, 0)
    expect(ann.button("Undo")).to_be_disabled()
    expect(ann.button("Deal")).to_be_disabled()


@pytest.mark.slow
def test_undo_of_the_ante_takes_what_needs_it_back_too(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    ann.bet("Ante", 500)
    ann.press(ann.button("Undo"))
    ann.finds("Ante", 0)
    ann.bet("Ante")
    ann.bet("3 Card Bonus")
    ann.spot("Ante").focus()
    ann.key("Delete")
    ann.finds("Ante", 0)
    ann.finds("3 Card Bonus", 0)
    has(ann, 0)


def test_rebet_bets_as_in_the_last_round(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    expect(ann.button("Rebet")).to_be_disabled()
    ann.bet("Ante", 2500)
    ann.bet("Ante", 500)
    ann.bet("3 Card Bonus", 100)
    ann.deal()
    ann.decide("Raise")
    expect(ann.notice).to_contain_text("You ")
    before = ann.ledger
    next_round(house, "money")
    ann.bet("Ante", 100)
    ann.press(ann.button("Rebet"))
    ann.finds("Ante", 3000)
    ann.finds("3 Card Bonus", 100)
    has(ann, 3100, of=before)
    expect(ann.button("Rebet")).to_be_disabled()


@pytest.mark.parametrize("chip", [500, 2500], ids=["the same", "another"])
def test_who_puts_a_chip_down_and_goes_on_before_it_is_answered_plays_that_chip_and_not_the_last_wager(
    house: LocalServer, visit: Visit, stacked: Stack, chip: Cents
) -> None:
    stacked("Kh 9c 4d", "Kh 9c 4d")
    ann = visit(house)
    ann.begin("money", "Ante", 500)
    ann.decide("Check")
    expect(ann.notice).to_contain_text("You ")
    next_round(house, "money")
    expect(ann.button("Rebet and deal")).to_be_enabled()
    ann.press(ann.chip(chip))
    with held_back(house):
        ann.press(ann.spot("Ante"))
        expect(ann.button("Rebet and deal")).to_have_count(0)
        ann.key("d")
    expect(ann.options).to_have_count(3)
    assert (ann.staked, ann.ledger) == (chip, GRANT + 500 - chip)


# The money that is shown, whenever it changes.
WATCH_MONEY = """
window.sums = [];
const cents = (text) => Math.round(parseFloat(text.replaceAll(",", "")) * 100);
const look = () => {
  const figures = [...document.querySelectorAll(".rail .figure dd")].map((figure) => cents(figure.textContent));
  if (figures.length > 1) window.sums.push(figures[0] + figures[1]);
};
new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
"""


def test_what_one_has_and_what_lies_there_is_all_of_the_money_while_chips_move(
    house: LocalServer, visit: Visit
) -> None:
    ann = visit(house, calm=False)
    ann.sit("money")
    ann.page.evaluate(WATCH_MONEY)
    for _ in range(3):
        ann.bet("Ante", 2500)
    ann.press(ann.button("Undo"))
    has(ann, 5000)
    ann.press(ann.button("Clear"))
    has(ann, 0)
    assert set(ann.page.evaluate("sums")) == {GRANT}


def test_a_spot_is_offered_once_what_it_needs_is_down(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    expect(ann.spot("3 Card Bonus")).to_have_count(0)
    ann.bet("Ante", 500)
    ann.bet("3 Card Bonus", 500)
    ann.press(ann.button("Clear"))
    expect(ann.spot("3 Card Bonus")).to_have_count(0)
    ann.finds("Ante", 0)


def test_a_touch_on_a_spot_that_is_not_open_is_answered_with_what_is_missing(
    house: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(house, screen)
    ann.sit("money")
    own = ann.felt.locator(".own .spot")
    for early in ("3 Card Bonus", "Raise"):
        ann.press(own.filter(has_text=early))
        expect(ann.notice).to_contain_text("Put a chip on Ante first.")
    ann.bet("Ante", 500)
    expect(ann.notice).not_to_contain_text("first")
    ann.press(own.filter(has_text="Trade"))
    expect(ann.notice).to_contain_text("Trade is not open for bets now.")
    has(ann, 500)


LARGE = Limits(100, 200_000)

REFUSED = (
    ("money", 10_000, 100, "Ante", "Ante is at its most, 100.00."),
    ("between", None, 100, "Blackjack", "Blackjack takes at least 5.00."),
    ("high", 100_000, 10_000, "Ante", "You have 0.00; that is less than 100.00."),
)


def test_a_wager_that_cannot_be_is_refused_in_a_sentence_and_changes_nothing(tmp_path: Path, visit: Visit) -> None:
    tables = [
        money(pace=PAUSED),
        money(id="high", limits={"ante": LARGE, "three_card_bonus": LARGE}),
        between(limits={"base": Limits(500, 10_000), "in_between": Limits(100, 2500)}),
    ]
    with LocalServer(tmp_path, tables) as server:
        ann = visit(server)
        for table, first, chip, spot, why in REFUSED:
            if table not in ann.page.url:
                ann.sit(table)
            if first:
                ann.bet(spot, first)
            ann.press(ann.chip(chip))
            ann.press(ann.spot(spot))
            expect(ann.notice).to_contain_text(why)
            ann.finds(spot, first or 0)
            has(ann, first or 0)
            if first and table != "high":
                ann.press(ann.button("Clear"))
                ann.finds(spot, 0)
        server.check()


def test_a_chip_that_is_too_much_goes_up_to_the_limit_or_to_what_one_has_and_says_so(
    tmp_path: Path, visit: Visit
) -> None:
    tables = [
        money(limits={"ante": Limits(100, 6000), "three_card_bonus": LARGE}, pace=PAUSED),
        money(id="high", limits={"ante": LARGE, "three_card_bonus": Limits(15_000, 50_000)}, pace=PAUSED),
    ]
    with LocalServer(tmp_path, tables) as server:
        ann = visit(server)
        ann.sit("money")
        ann.bet("Ante", 2500)
        ann.bet("Ante")
        ann.bet("Ante")
        ann.finds("Ante", 6000)
        expect(ann.notice).to_have_text("Ante is at its most, 60.00.")
        ann.press(ann.spot("Ante"))
        expect(ann.notice).to_have_text("Ante is at its most, 60.00.")
        has(ann, 6000)
        ann.press(ann.button("Undo"))
        ann.finds("Ante", 5000)
        ann.press(ann.button("Clear"))
        ann.finds("Ante", 0)

        ann.sit("high")
        ann.bet("Ante", 50_000)
        for _ in range(4):
            ann.bet("Ante", 10_000)
        ann.press(ann.chip(50_000))
        ann.press(ann.spot("3 Card Bonus"))
        expect(ann.notice).to_have_text("You have 100.00; 3 Card Bonus takes at least 150.00.")
        ann.bet("Ante", 50_000)
        ann.finds("Ante", 100_000)
        expect(ann.notice).to_have_text("You have put down all you have, 100.00.")
        has(ann, 100_000)
        server.check()


@pytest.mark.slow
def test_what_may_lie_on_a_spot_is_written_beside_it(tmp_path: Path, visit: Visit, screen: Screen) -> None:
    tables = [between(limits={"base": Limits(500, 10_000), "in_between": Limits(100, 2500)})]
    with LocalServer(tmp_path, tables) as server:
        ann = visit(server, screen)
        ann.sit("between")
        ann.bet("Blackjack", 500)
        expect(ann.spot("Blackjack")).to_contain_text("5 to 100")
        expect(ann.spot("IN BETween")).to_contain_text("1 to 25")
