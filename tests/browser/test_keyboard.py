"""The whole way without a mouse, with the focus in sight at every step."""

from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from feltworks.floor.people import GRANT
from feltworks.floor.table.settings import Pace
from tests.browser.conftest import Stack, Visit
from tests.browser.people import Person, next_round
from tests.web.robots import LocalServer, blackjack, money


def tab_to(person: Person, what: Locator, *, most: int = 30) -> None:
    """Go on with Tab until something has the focus, and see that it has."""
    for _ in range(most):
        if what.evaluate("element => element === document.activeElement"):
            focus_shows(person, what)
            return
        person.key("Tab")
    raise AssertionError(f"Tab does not lead to {what}")


def focus_shows(person: Person, what: Locator) -> None:
    """What has the focus looks otherwise than without it."""
    expect(what).to_be_focused()
    box = what.bounding_box()
    assert box is not None
    around: FloatRect = {"x": box["x"] - 6, "y": box["y"] - 6, "width": box["width"] + 12, "height": box["height"] + 12}
    focused = person.page.screenshot(clip=around, animations="disabled")
    what.evaluate("element => element.blur()")
    plain = person.page.screenshot(clip=around, animations="disabled")
    what.focus()
    assert focused != plain, f"nobody sees that {what} has the focus"


def test_a_whole_round_is_played_with_tab_and_enter(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house)
    ann.go("/")
    tab_to(ann, ann.button("Play now at Burgundy"))
    ann.key("Enter")
    expect(ann.felt).to_be_visible()
    expect(ann.chip(100)).to_be_enabled()
    tab_to(ann, ann.spot("Ante"))
    ann.key("Enter")
    ann.finds("Ante", 100)
    tab_to(ann, ann.chip(100))
    ann.key("ArrowRight")
    expect(ann.chip(500)).to_be_checked()
    focus_shows(ann, ann.chip(500))
    ann.key("Shift+Tab")
    tab_to(ann, ann.button("Deal"))
    ann.key("Enter")
    tab_to(ann, ann.option("Raise"))
    ann.key("Enter")
    expect(ann.notice).to_contain_text("You win 2.00")
    assert ann.balance == ann.ledger == GRANT + 200


def test_a_whole_round_is_played_with_single_keys(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d", "3h Qc Qd 2d")
    ann = visit(house)
    ann.enter("money")
    ann.key("d")
    expect(ann.chip(500)).to_be_enabled()
    ann.key("2", "ArrowDown", "Enter")
    ann.finds("Ante", 500)
    focus_shows(ann, ann.spot("Ante"))
    ann.key("d")
    expect(ann.options.first).to_be_visible()
    ann.key("r")
    expect(ann.notice).to_contain_text("You win 10.00")
    next_round(house, "money")
    expect(ann.button("Rebet")).to_be_enabled()
    ann.key("r")
    ann.finds("Ante", 500)
    ann.key("u", "c")
    ann.finds("Ante", 0)
    ann.key("r")
    ann.finds("Ante", 500)
    ann.key(" ")
    expect(ann.options.first).to_be_visible()
    ann.key("t")
    expect(ann.options).to_have_count(2)
    ann.key("s")
    expect(ann.notice).to_contain_text("You lose 10.00")
    assert ann.balance == ann.ledger == GRANT


def test_space_does_what_enter_does_to_whatever_has_the_focus(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.enter("money")
    ann.button("Sit here, seat 2").focus()
    ann.key(" ")
    expect(ann.chip(500)).to_be_enabled()
    ann.key("2")
    ann.spot("Ante").focus()
    for key, amount in ((" ", 500), ("Enter", 1000), (" ", 1500)):
        ann.key(key)
        ann.finds("Ante", amount)
    ann.button("Clear").focus()
    ann.key(" ")
    ann.finds("Ante", 0)


@pytest.mark.slow
def test_letters_do_nothing_once_they_are_switched_off(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    ann.open("Settings")
    ann.page.get_by_label("Letter keys").uncheck()
    ann.key("Escape")
    expect(ann.drawer).to_have_count(0)
    ann.bet("Ante", 500)
    ann.key("c", "3")
    expect(ann.chip(500)).to_be_checked()
    ann.bet("Ante")
    ann.finds("Ante", 1000)


@pytest.mark.slow
def test_the_drawer_opens_and_closes_by_keyboard_and_gives_the_focus_back(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.enter("money")
    for part in ("Pay tables", "Rules", "History", "Fairness", "Settings"):
        opener = ann.head.get_by_role("button", name=part, exact=True)
        opener.focus()
        ann.key("Enter")
        tab = ann.drawer.get_by_role("tab", selected=True)
        expect(tab).to_have_text(part)
        expect(tab).to_be_focused()
        ann.key("ArrowRight", "ArrowLeft", "Tab")
        expect(ann.drawer).to_be_visible()
        ann.key("Escape")
        expect(ann.drawer).to_have_count(0)
        expect(opener).to_be_focused()


@pytest.mark.slow
def test_a_letter_typed_in_the_drawer_does_not_play(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money")
    ann.bet("Ante", 500)
    ann.open("Pay tables")
    ann.key("d", "c", " ")
    ann.finds("Ante", 500)
    expect(ann.button("Deal")).to_be_enabled()


def test_one_press_bets_the_same_again_and_deals(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d", "3h Qc Qd 2d", "Kh 9c 4d")
    ann = visit(house)
    ann.sit("money")
    ann.bet("Ante", 500)
    ann.bet("3 Card Bonus", 100)
    for press in (ann.deal, lambda: ann.press(ann.button("Rebet and deal")), lambda: ann.key("d")):
        press()
        expect(ann.options.first).to_be_visible()
        assert ann.staked == 600
        ann.key("c")
        expect(ann.notice).to_contain_text("You ")
        next_round(house, "money")
        expect(ann.button("Rebet and deal")).to_be_enabled()
    ann.bet("Ante", 100)
    expect(ann.button("Deal")).to_be_enabled()


@pytest.mark.parametrize("press", ["space", "click"])
def test_who_is_alone_asks_the_dealer_to_go_on_with_space_or_a_click_on_the_felt(
    tmp_path: Path, visit: Visit, stacked: Stack, press: str
) -> None:
    """The dealer would pause for hours after each card; of a decision or a bet nothing is skipped."""
    stacked("Kh 9c 4d")
    with LocalServer(tmp_path, [money(pace=Pace(3_600_000, 3_600_000, 3_600_000))]) as server:
        ann = visit(server)
        ann.begin("money", "Ante", 500)

        def go_on() -> None:
            if press == "space":
                ann.key(" ")
            else:
                ann.felt.click(position={"x": 20, "y": 20})

        expect(ann.head).to_contain_text("The dealer deals.")
        go_on()
        expect(ann.options).to_have_count(3)
        go_on()
        expect(ann.options).to_have_count(3)
        ann.decide("Raise")
        expect(ann.options).to_have_count(0)
        go_on()
        expect(ann.notice).to_contain_text("You win 10.00")
        expect(ann.head).to_contain_text("The round is over.")
        go_on()
        expect(ann.button("Rebet and deal")).to_be_enabled()


def test_double_is_d_in_blackjack(tmp_path: Path, visit: Visit, stacked: Stack) -> None:
    stacked("5h 6d 6c 9s Th Tc")
    with LocalServer(tmp_path, [blackjack(pace=Pace(0, 0, 3_600_000), burn=0)]) as server:
        ann = visit(server)
        ann.sit("blackjack")
        ann.bet("Blackjack", 500)
        ann.page.keyboard.down("d")
        expect(ann.option("Double")).to_have_attribute("aria-keyshortcuts", "D")
        ann.page.keyboard.down("d")  # it is still held, and repeats
        ann.page.keyboard.up("d")
        ann.page.wait_for_timeout(100)
        expect(ann.options).not_to_have_count(0)
        ann.key("d")
        expect(ann.options).to_have_count(0)
        expect(ann.notice).to_contain_text("10.00")


def test_a_second_press_on_rebet_and_deal_is_no_mistake(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d 5s", "Qh 9c 4d 5s")
    ann = visit(house, calm=False)
    ann.begin("money", "Ante", 500)
    ann.decide("Raise")
    expect(ann.notice).to_contain_text("You win")
    next_round(house, "money")
    expect(ann.button("Rebet and deal")).to_be_enabled()
    ann.key("d")
    while house.run(lambda house: house.live("money").table.betting):
        ann.page.wait_for_timeout(1)
    ann.key("d")
    expect(ann.options).to_have_count(3)
    expect(ann.notice).not_to_contain_text("Betting is closed")
