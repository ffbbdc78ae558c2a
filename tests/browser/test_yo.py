"""Whole games of Yo! in the browser: several seats, the shooter's turn, late entry, and arc wins to collect."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from feltworks.floor.people import GRANT
from feltworks.games import load
from tests.browser.conftest import Stack, Visit
from tests.browser.people import PHONE, WINDOW, Person, Screen, next_round
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_chips import middle
from tests.browser.test_connection import HOLD
from tests.browser.test_layout import lies_well, troubles
from tests.browser.test_rounds import all_see, can_do_nothing
from tests.web.robots import LocalServer, Robot

# Everything that stood in the head or was said aloud, in order.
HEARD = """
window.heard = [];
setInterval(() => {
  for (const said of document.querySelectorAll(".head .call, [role=log]")) window.heard.push(said.textContent);
}, 5);
"""


def ready(*people: Person) -> None:
    for person in people:
        person.press(person.button("Ready"))


def rolls_it(person: Person) -> None:
    expect(person.head).to_contain_text("Your roll.")
    person.decide("Roll")


def lies(person: Person, spot: str) -> Locator:
    """What all seats have on a shared place, where this person's own chips lie."""
    return person.felt.locator(".place-shared").filter(has_text=spot)


@pytest.mark.rule("Y-06", "Y-07", "Y-22", "Y-31")
def test_two_play_games_of_yo_and_the_cup_passes_on_while_a_third_watches(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 5311 3311", "2211 3421")  # a point of 6 that is made, then a point of 4 and a seven
    ann, bob, eve = people = visit(dice_house), visit(dice_house), visit(dice_house)
    ann.sit("yo", 2)
    bob.sit("yo", 4)
    eve.watch("yo")
    can_do_nothing(eve)
    ann.bet("Play", 2500)
    bob.bet("Play", 500)
    bob.bet("Yo!", 100)
    bob.bet("High", 100)
    all_see(list(people), "Play 25.00", "Play 5.00; Yo! 1.00; High 1.00", "no point")
    ready(ann, bob)

    expect(bob.head).to_contain_text("Guest 1 to roll.")
    expect(ann.options).to_have_text([re.compile("Dealer rolls"), re.compile("Roll"), re.compile("Pass the dice")])
    can_do_nothing(bob)
    can_do_nothing(eve)
    rolls_it(ann)
    expect(bob.notice).to_contain_text("High loses 1.00: 6 is not 8, 9 or 10")
    for person in people:
        expect(person.head).to_contain_text("New Point of 6 has been marked.")
        expect(person.felt.locator(".marker")).to_have_text("YES")
    all_see(list(people), "game dice 4 and 2, bonus dice 1 and 1, point 6, shooter seat 2")

    ann.bet("More", 2500)
    ready(ann, bob)
    rolls_it(ann)
    all_see(list(people), "game dice 5 and 3", "Play 25.00; More 25.00")
    ready(ann, bob)
    rolls_it(ann)
    expect(ann.notice).to_contain_text("You win 55.00")
    expect(ann.notice).to_contain_text("More wins 30.00: the point 6 is made, 6 to 5")
    expect(bob.notice).to_contain_text("You win 4.00 in all")
    expect(bob.notice).to_contain_text("Play wins 5.00: the point 6 is made")
    expect(bob.notice).to_contain_text("Yo! comes back: the point 6 is made")
    assert (ann.balance, bob.balance) == (GRANT + 5500, GRANT + 400) == (ann.ledger, bob.ledger)

    next_round(dice_house, "yo")
    ann.press(ann.button("Rebet"))
    ann.finds("Play", 2500)
    bob.bet("Play")
    ready(ann, bob)
    rolls_it(bob)
    all_see(list(people), "game dice 2 and 2", "shooter seat 4")
    ready(ann, bob)
    rolls_it(bob)
    expect(ann.notice).to_contain_text("Play loses 25.00: 7 before the 4")
    for person in people:
        expect(person.felt.locator(".marker")).to_have_text("NO")
    assert (ann.balance, bob.balance) == (GRANT + 3000, GRANT + 300) == (ann.ledger, bob.ledger)
    can_do_nothing(eve)


def start_game(house: LocalServer, *seats: int) -> list[Robot]:
    """Robots with Play down, who have said that they are ready."""
    robots = [house.join("yo", seat) for seat in seats]
    for robot in robots:
        robot.phase("betting")
        robot.done("place", spot="play", amount=500)
    return robots


def go_on(robot: Robot, point: str) -> None:
    robot.until(lambda view: view["phase"] == "betting" and view["told"]["point"] == point)
    robot.done("ready")


@pytest.mark.rule("Y-09", "Y-10", "Y-11")
@pytest.mark.parametrize("screen", [None, PHONE], ids=str)
def test_who_sits_down_while_a_point_is_on_is_offered_late_play(
    dice_house: LocalServer, visit: Visit, rolls: Stack, screen: Screen | None
) -> None:
    rolls("4211 5411 3311")
    (bob,) = start_game(dice_house, 2)
    bob.done("ready")
    bob.my_turn()
    bob.done("choose", option="roll")
    bob.until(lambda view: view["told"]["point"] == "6")
    ann = visit(dice_house, screen) if screen else visit(dice_house)
    ann.sit("yo", 5)
    expect(ann.notice).to_contain_text("Choose a chip and put it on Late Play.")
    for closed in ("Play", "More", "Yo!"):
        expect(ann.spot(closed)).to_have_count(0)
    ann.bet("Late Play", 2500)
    ann.bet("Craps", 100)
    lies_well(ann, "Ready")
    go_on(bob, "6")
    ready(ann)
    bob.my_turn()
    can_do_nothing(ann)
    bob.done("choose", option="roll")
    expect(ann.notice).to_contain_text("Craps loses 1.00: 9 is not 2, 3 or 12")
    expect(ann.spot("Late Play")).to_have_count(0)
    expect(lies(ann, "6").locator(".total")).to_have_text("25")
    bob.until(lambda view: view["phase"] == "betting" and view["dice"] == [5, 4, 1, 1])
    bob.done("ready")
    ready(ann)
    bob.my_turn()
    bob.done("choose", option="roll")
    expect(ann.notice).to_contain_text("Late Play wins 29.17: the point 6 is made, 7 to 6")
    assert ann.balance == ann.ledger == GRANT - 100 + 2917


@pytest.mark.rule("Y-19")
def test_the_result_of_an_earlier_roll_is_gone_once_the_dice_were_out_again(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 5311 6311")  # a point of 6, an eight and a nine
    ann = visit(dice_house)
    ann.sit("yo")
    ann.bet("Play", 500)
    ann.bet("High", 500)
    ann.press(ann.button("Ready and roll"))
    expect(ann.notice).to_contain_text("High loses 5.00: 6 is not 8, 9 or 10")
    expect(ann.head).to_contain_text("Betting is open. You roll.")
    ann.press(ann.button("Ready and roll"))
    expect(ann.page.get_by_role("region", name="The table in words")).to_contain_text("game dice 5 and 3")
    expect(ann.head).to_contain_text("Betting is open. You roll.")
    expect(ann.notice).not_to_contain_text("High loses")


@pytest.mark.rule("Y-19", "Y-20")
def test_what_the_arc_has_won_lies_beside_the_wager_until_its_owner_collects_it(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 2211 5411 6311 3421")
    ann, eve = visit(dice_house), visit(dice_house)
    ann.sit("yo", 3)
    eve.watch("yo")
    ann.bet("Play", 500)
    ann.bet("Low")
    ready(ann)
    rolls_it(ann)
    expect(ann.notice).to_contain_text("Low wins 7.50: the dice show 6, 3 to 2")
    ann.finds("Low", 500)
    expect(ann.button("Collect 7.50")).to_be_enabled()
    all_see([ann, eve], "Low has won 7.50, to collect")
    assert ann.balance == ann.ledger == GRANT - 1000
    expect(eve.felt.locator(".other.winner text")).to_have_text("3")

    ready(ann)
    expect(ann.button("Collect 7.50")).to_have_count(1)
    expect(ann.button("Collect 7.50")).to_be_disabled()
    rolls_it(ann)
    expect(ann.button("Collect 15.00")).to_be_enabled()
    ann.press(ann.felt.locator(".won-here"))
    expect(ann.figure("Balance")).to_have_text("1,005.00")
    ann.finds("Low", 500)
    ann.bet("High", 500)
    ann.bet("High")
    ready(ann)
    rolls_it(ann)
    expect(ann.notice).to_contain_text("Low loses 5.00: 9 is not 4, 5 or 6")
    ann.press(ann.button("Collect 15.00"))
    expect(ann.button("Collect 15.00")).to_have_count(0)
    assert ann.balance == ann.ledger == GRANT - 500 - 500 + 1500 - 1000 + 1500
    ready(ann)
    rolls_it(ann)
    expect(ann.button("Collect 15.00")).to_be_enabled()
    ann.key("l")
    expect(ann.figure("Balance")).to_have_text("1,025.00")
    ready(ann)
    rolls_it(ann)
    expect(ann.notice).to_contain_text("You win 25.00 in all")
    expect(ann.notice).to_contain_text("High loses 10.00: 7 is not 8, 9 or 10")
    assert ann.balance == ann.ledger == GRANT + 2500


@pytest.mark.rule("Y-08")
def test_a_contract_bet_can_no_longer_be_touched_and_looks_so(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 5411")
    ann = visit(dice_house)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    ann.bet("Yo!")
    expect(ann.felt.locator(".lock")).to_have_count(0)
    ready(ann)
    rolls_it(ann)
    expect(ann.felt.locator(".lock")).to_have_count(2)
    for fixed in ("Play", "Yo!"):
        expect(ann.spot(fixed)).to_have_count(0)
    expect(ann.button("Clear")).to_be_disabled()
    ann.bet("More")
    ann.bet("Craps")
    ann.press(ann.button("Clear"))
    ann.finds("More", 0)
    ann.finds("Craps", 0)
    expect(ann.figure("On the table")).to_have_text("10.00")
    ann.bet("More")
    ann.press(ann.button("Undo"))
    ann.finds("More", 0)
    ready(ann)
    rolls_it(ann)
    expect(ann.spot("Low")).to_be_visible()
    expect(ann.spot("More")).to_have_count(0)


@pytest.mark.rule("Y-20")
def test_a_refusal_is_told_without_the_number_of_its_rule(dice_house: LocalServer, visit: Visit) -> None:
    ann = visit(dice_house)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    ann.context.add_init_script(HOLD)
    late = ann.tab()
    late.watch("yo")
    expect(late.spot("High")).to_be_visible()
    late.page.evaluate("held = []")
    ready(ann)
    expect(ann.option("Roll")).to_be_visible()
    late.press(late.spot("High"))
    expect(late.notice).to_have_text("Betting is closed: nobody touches the arc.")
    assert ann.ledger == ann.balance == GRANT - 500


def test_one_press_is_ready_and_rolls(dice_house: LocalServer, visit: Visit, rolls: Stack) -> None:
    rolls("4211 5411")
    ann, bob = visit(dice_house), visit(dice_house)
    ann.begin("yo", "Play", 500, seat=2)
    expect(ann.head).to_contain_text("New Point of 6 has been marked.")
    bob.sit("yo", 4)
    expect(bob.button("Ready and roll")).to_have_count(0)
    bob.bet("Late Play", 500)
    ann.key("d")
    expect(ann.notice).to_contain_text("You are ready.")
    expect(ann.felt.locator(".die")).to_have_count(4)
    ready(bob)
    all_see([ann, bob], "game dice 5 and 4")
    expect(ann.options).to_have_count(0)


def test_a_result_goes_from_its_spot_with_the_next_chip_there_and_stays_beside_a_wager_that_stays_up(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("1111 4211 5365")
    ann = visit(dice_house)
    ann.begin("yo", "Play", 500)
    tags = ann.felt.locator(".seat.own .tag")
    expect(tags).to_have_text("−5")
    ann.bet("Play", 500)
    expect(tags).to_have_count(0)
    expect(ann.notice).to_contain_text("Play loses 5.00: 2 before a point")
    ann.press(ann.button("Ready and roll"))
    expect(ann.head).to_contain_text("New Point of 6 has been marked.")
    ann.bet("Yo!", 500)
    ann.press(ann.button("Ready and roll"))
    expect(tags).to_have_text("+5")


@pytest.mark.rule("Y-04")
def test_who_lost_play_while_others_lie_is_told_what_can_be_done_and_offered_it(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("1111 4211")
    ann = visit(dice_house)
    ann.sit("yo", 3)
    ann.bet("Play", 2500)
    ann.bet("Yo!", 500)
    ann.bet("Craps", 500)
    ann.key("d")
    expect(ann.notice).to_contain_text("Put a chip on Play, or take Craps back.")
    expect(ann.notice).to_contain_text("You win 10.00")
    expect(ann.button("Ready")).to_have_count(0)
    assert ann.staked == 1000 + 3500 == GRANT - 2500 - ann.balance + 3500
    ann.key("l")
    ann.press(ann.button("Clear"))
    expect(ann.notice).to_contain_text("Put a chip on Play to keep Yo! in the game.")
    ann.press(ann.button("Rebet and roll"))
    expect(ann.head).to_contain_text("New Point of 6 has been marked.")
    expect(ann.felt.locator(".lock")).to_have_count(2)


def test_the_sum_of_a_game_is_that_of_all_its_rolls(dice_house: LocalServer, visit: Visit, rolls: Stack) -> None:
    rolls("5611 4211 3421")
    ann = visit(dice_house)
    ann.sit("yo", 3)
    ann.bet("Play", 2500)
    for call in ("Eleven.", "New Point of 6"):
        ann.key("d")
        expect(ann.head).to_contain_text(call)
    ann.key("d")
    expect(ann.notice).to_contain_text("You win 75.00 in all")
    expect(ann.notice).to_contain_text("Play loses 25.00: 7 before the 6")
    assert ann.balance == ann.ledger == GRANT + 7500
    ann.page.reload()
    expect(ann.notice).to_contain_text("You win 75.00 in all")


@pytest.mark.rule("Y-20")
def test_both_sides_of_the_arc_are_one_wager(dice_house: LocalServer, visit: Visit) -> None:
    ann = visit(dice_house)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    left, right = lies(ann, "High").first, lies(ann, "High").last
    ann.press(left)
    ann.finds("High", 500)
    expect(left.locator(".total")).to_have_text("5")
    ann.press(right)
    ann.finds("High", 1000)
    expect(right.locator(".total")).to_have_text("10")
    expect(left.locator(".total")).to_have_count(0)
    mouse = ann.page.mouse
    mouse.move(*middle(ann.chip(2500)))
    mouse.down()
    mouse.move(*middle(ann.felt), steps=4)
    mouse.move(*middle(left.locator(".section-title")), steps=4)
    mouse.up()
    ann.finds("High", 3500)
    expect(left.locator(".total")).to_have_text("35")


@pytest.mark.rule("Y-23")
def test_who_does_not_want_the_cup_passes_it_or_lets_the_dealer_roll(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 3421")
    ann, bob = visit(dice_house), visit(dice_house)
    ann.sit("yo", 2)
    bob.sit("yo", 4)
    for person in (ann, bob):
        person.bet("Play", 500)
    ready(ann, bob)
    ann.decide("Pass")
    expect(bob.head).to_contain_text("Your roll.")
    bob.decide("Dealer rolls")
    all_see([ann, bob], "game dice 4 and 2", "the dealer rolls")
    ready(ann, bob)
    expect(ann.notice).to_contain_text("Play loses 5.00: 7 before the 6")


@pytest.mark.rule("Y-32")
def test_the_dice_lie_in_a_square_with_the_game_dice_in_front_unless_the_bonus_dice_show_eleven(
    dice_house: LocalServer, visit: Visit, rolls: Stack, screen: Screen
) -> None:
    rolls("4211 5456")
    ann = visit(dice_house, screen)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    for front, call in (("dark", "New Point of 6"), ("light", "Nine, and a bonus eleven.")):
        ready(ann)
        rolls_it(ann)
        expect(ann.head).to_contain_text(call)
        expect(ann.felt.locator(".die")).to_have_count(4)
        game, bonus = (
            [middle(die) for die in ann.felt.locator(f".die.{look} .die-top").all()] for look in ("dark", "light")
        )
        nearer, further = (game, bonus) if front == "dark" else (bonus, game)
        assert min(y for _, y in nearer) > max(y for _, y in further)


def test_a_game_is_played_with_keys_alone(dice_house: LocalServer, visit: Visit, rolls: Stack) -> None:
    rolls("4211 4211")
    ann = visit(dice_house)
    ann.enter("yo")
    ann.key("d")
    expect(ann.chip(500)).to_be_enabled()
    ann.key("2", "ArrowDown", "Enter")
    ann.finds("Play", 500)
    ann.spot("Low").focus()
    ann.key("Enter", "Enter")
    ann.finds("Low", 1000)
    ann.key("Delete")
    ann.finds("Low", 0)
    ann.key("Enter", "e")
    expect(ann.options.first).to_be_visible()
    ann.key("d")
    expect(ann.notice).to_contain_text("Low wins 7.50")
    ann.key("l")
    expect(ann.figure("Balance")).to_have_text("997.50")
    ann.key("d")
    expect(ann.notice).to_contain_text("You win 20.00 in all")


def test_dice_tumble_for_who_does_not_ask_for_calm_and_come_to_the_same_end(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 5411")
    ann = visit(dice_house, calm=False)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    ann.bet("Low")
    ready(ann)
    rolls_it(ann)
    expect(ann.felt.locator(".passing").first).to_be_attached()
    expect(ann.notice).to_contain_text("Low wins 7.50")
    expect(ann.felt.locator(".marker")).to_have_text("YES")
    expect(ann.felt.locator(".passing")).to_have_count(0)
    expect(ann.page.get_by_role("region", name="The table in words")).to_contain_text("game dice 4 and 2")


def test_every_thing_has_its_place_through_a_game_and_axe_finds_nothing(
    dice_house: LocalServer, visit: Visit, rolls: Stack, screen: Screen
) -> None:
    rolls("4211 5456 3421")
    ann = visit(dice_house, screen)
    ann.enter("yo")
    lies_well(ann, "Take a seat")
    bob, carol, _ = robots = start_game(dice_house, 1, 2, 5)
    ann.press(ann.page.get_by_role("button", name="Sit here, seat 4"))
    for robot in robots:
        for spot in ("high", "low", "pairs", "craps"):
            robot.done("place", spot=spot, amount=500)
    for spot, chip in (("Play", 2500), ("Yo!", 500), ("High", 500), ("Low", 2500), ("Pairs", 100)):
        ann.bet(spot, chip)
    lies_well(ann, "Undo", "Clear", "Rebet", "Ready")
    nothing_is_wrong(ann, "betting")
    for robot in robots:
        robot.done("ready")
    ready(ann)
    bob.my_turn()
    lies_well(ann)
    bob.done("choose", option="pass")
    carol.my_turn()
    carol.done("choose", option="pass")
    expect(ann.options).to_have_count(3)
    lies_well(ann, "Roll", "Dealer rolls", "Pass")
    nothing_is_wrong(ann, "the own roll")
    rolls_it(ann)
    expect(ann.notice).to_contain_text("Low wins 37.50")
    ann.bet("More", 2500)
    lies_well(ann, "Collect 37.50", "Ready")
    nothing_is_wrong(ann, "a point is on")
    for robot in robots:
        go_on(robot, "6")
    ready(ann)
    rolls_it(ann)
    expect(ann.notice).to_contain_text("Yo! wins 5.00")
    lies_well(ann, "Ready")
    for robot in robots:
        robot.until(lambda view: view["dice"] == [5, 4, 5, 6])
        robot.done("ready")
    ready(ann)
    rolls_it(ann)
    expect(ann.notice).to_contain_text("Play loses 25.00: 7 before the 6")
    lies_well(ann)
    nothing_is_wrong(ann, "results")


@pytest.mark.parametrize("size", [Screen(320, 568, touch=True), Screen(360, 740, touch=True)], ids=str)
def test_the_felt_stays_where_it_is_through_a_game_on_a_small_phone(
    dice_house: LocalServer, visit: Visit, rolls: Stack, size: Screen
) -> None:
    rolls("4211 3411")
    ann = visit(dice_house, size)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    ann.bet("Low")
    before = ann.felt.bounding_box()
    lies_well(ann, "Undo", "Clear", "Ready", "Ready and roll")
    ready(ann)
    expect(ann.options).to_have_count(2)
    lies_well(ann, "Roll", "Dealer rolls")
    assert ann.felt.bounding_box() == before
    rolls_it(ann)
    expect(ann.button("Collect 7.50")).to_be_enabled()
    lies_well(ann, "Ready")
    assert ann.felt.bounding_box() == before
    ready(ann)
    rolls_it(ann)
    expect(ann.head).to_contain_text("The next round is about to start.")
    assert ann.felt.bounding_box() == before


@pytest.mark.rule("Y-23", "Y-32")
def test_dice_are_labelled_twelve_is_called_craps_and_who_withdraws_passes_the_dice(
    dice_house: LocalServer, visit: Visit, rolls: Stack, screen: Screen
) -> None:
    rolls("6611 4211 5411")
    ann = visit(dice_house, screen)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    ready(ann)
    rolls_it(ann)
    expect(ann.head).to_contain_text("Twelve, craps.")
    expect(ann.notice).to_contain_text("Play loses 5.00: 12 before a point")
    expect(ann.felt.locator(".dice-label")).to_have_text(["Game", "Bonus"])
    ann.bet("Play", 500)
    ready(ann)
    expect(ann.options).to_have_text([re.compile("Withdraw"), re.compile("Roll")])
    ann.decide("Withdraw")
    expect(ann.head).to_contain_text("New Point of 6 has been marked.")


@pytest.mark.rule("F-18", "F-21", "Y-33", "Y-36")
def test_the_rolls_of_a_game_are_recalled_and_checked_in_the_browser(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 4265")
    ann = visit(dice_house)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    for _ in range(2):
        ready(ann)
        rolls_it(ann)
        expect(ann.felt.locator(".die")).to_have_count(4)
    expect(ann.notice).to_contain_text("Play wins 5.00: the point 6 is made")
    expect(ann.head).to_contain_text("The next round is about to start.")
    ann.open("Fairness")
    expect(ann.drawer).to_contain_text("Each of the 2 rolls that were rolled leads, with its position and salt,")
    expect(ann.drawer).to_contain_text("The opened rolls are exactly the rolls that the record says were rolled.")
    expect(ann.drawer).to_contain_text(
        "This page had noted the root itself before the first of these rolls was rolled."
    )
    expect(ann.drawer.get_by_role("img", name="4, 2, 6, 5")).to_be_visible()
    nothing_is_wrong(ann, "fairness of dice")
    ann.open("History")
    ann.press(ann.drawer.get_by_role("button", name=re.compile("^Round 1")))
    expect(ann.drawer).to_contain_text("The dealer's hand: a wave across the arc, palm up.")
    expect(ann.drawer).to_contain_text("Bonus dice: collected, 6 and 5 up.")
    expect(ann.drawer).to_contain_text("The dice show 4, 2, 6, 5.")
    expect(ann.drawer.get_by_role("img", name="4, 2, 6, 5")).to_be_visible()
    nothing_is_wrong(ann, "recall of dice")


CUPS = """async ([layout, seats]) => {
  const { cupAt } = await import("/static/felts/dice-table/cup.js");
  const { makeStage, spotAt, SPOT } = await import("/static/felts/geometry.js");
  const found = [];
  for (const own of [null, 1, 3, 6])
    for (const narrow of own === null ? [false] : [false, true]) {
      const stage = makeStage(seats, own, narrow);
      for (const roller of Object.keys(stage.seats).map(Number)) {
        const cup = cupAt(stage, layout, `seat ${roller}`);
        const circles = Object.keys(stage.seats).map(Number).flatMap((seat) =>
          Object.keys(layout.spots).map((spot) => {
            const at = spotAt(stage, layout, seat, spot);
            const far = Math.hypot(at.x - cup.x, at.y - cup.y);
            return { seat, spot, far, clear: far - SPOT * at.scale - 20 * cup.scale };
          }));
        circles.sort((a, b) => a.far - b.far);
        const clear = Math.min(...circles.map((circle) => circle.clear));
        found.push({ own, narrow, roller, nearest: circles.slice(0, 2), clear });
      }
    }
  return found;
}"""


@pytest.mark.rule("Y-34")
def test_the_cup_stands_between_the_circles_of_two_seats_nearest_the_shooter_and_clear_of_every_spot(
    dice_house: LocalServer, visit: Visit
) -> None:
    eve = visit(dice_house)
    eve.watch("yo")
    cups = eve.page.evaluate(CUPS, [load("yo").definition.layout, 6])
    assert len(cups) == 6 + 3 * (6 + 1)
    for cup in cups:
        assert cup["clear"] > 0, cup
        first, second = cup["nearest"]
        if cup["narrow"]:  # the other seats are not drawn
            assert first["spot"] == "yo"
        else:
            assert {first["spot"], second["spot"]} == {"play", "yo"}, cup
            assert first["seat"] != second["seat"]
            assert cup["roller"] in (first["seat"], second["seat"]), cup


def test_the_same_again_is_only_what_this_betting_takes(dice_house: LocalServer, visit: Visit, rolls: Stack) -> None:
    """More is made when there is a point, and is no part of what is bet again for the next game."""
    rolls("4211 3312 4211")
    ann = visit(dice_house)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    ann.key("d")
    ann.bet("More", 500)
    ann.key("d")
    expect(ann.notice).to_contain_text("More wins 6.00")
    next_round(dice_house, "yo")
    expect(ann.button("Rebet")).to_be_enabled()
    ann.key("r")
    ann.finds("Play", 500)
    expect(ann.notice).not_to_contain_text("More is made")


@pytest.mark.rule("Y-36")
def test_what_the_dealer_says_is_told_as_speech_and_a_wave_of_the_hand_is_no_part_of_it(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 3411")
    ann = visit(dice_house, calm=False)
    ann.page.add_init_script(HEARD)
    ann.begin("yo", "Play", 500)
    expect(ann.head).to_contain_text("“New Point of 6 has been marked.”")
    heard = ann.page.evaluate("heard")
    assert any("No more bets." in said for said in heard)
    assert not [said for said in heard if "palm" in said or "wave" in said]


@pytest.mark.parametrize("size", [WINDOW, Screen(360, 740, touch=True), Screen(844, 390, touch=True)], ids=str)
def test_the_arc_can_be_bet_again_by_itself_while_a_point_is_on(
    dice_house: LocalServer, visit: Visit, rolls: Stack, size: Screen
) -> None:
    rolls("4211 5511")
    ann = visit(dice_house, size)
    ann.sit("yo")
    ann.bet("Play", 500)
    ann.bet("Craps", 500)
    ann.press(ann.button("Ready and roll"))
    expect(ann.notice).to_contain_text("Craps loses 5.00")
    lies_well(ann, "Undo", "Clear", "Rebet", "Ready", "Ready and roll")
    ann.press(ann.button("Rebet"))
    ann.finds("Craps", 500)


def test_what_is_missing_is_asked_for_beside_how_the_last_game_ended(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 3311", "4211")  # the point of 6 is made, and Low wins
    ann = visit(dice_house)
    ann.sit("yo")
    ann.bet("Play", 500)
    ann.bet("Low", 500)
    for _ in range(2):
        ann.press(ann.button("Ready and roll"))
        expect(ann.notice).to_contain_text("win")
    next_round(dice_house, "yo")
    expect(ann.notice).to_contain_text("Put a chip on Play, or take Low back.")
    expect(ann.notice).to_contain_text("Round 1: You win 20.00 in all")
    ann.page.reload()
    expect(ann.notice).to_contain_text("Round 1: You win 20.00 in all")


@pytest.mark.parametrize("size", [Screen(360, 740, touch=True), Screen(360, 640, touch=True), PHONE], ids=str)
def test_on_a_phone_the_sum_of_a_game_and_what_each_wager_did_are_seen_whole(
    dice_house: LocalServer, visit: Visit, rolls: Stack, size: Screen
) -> None:
    rolls("4211 4311")  # a point, and all is lost
    ann = visit(dice_house, size)
    ann.sit("yo")
    ann.bet("Play", 2500)
    ann.bet("Craps", 500)
    ann.press(ann.button("Ready and roll"))
    expect(ann.head).to_contain_text("New Point of 6 has been marked.")
    for spot in ("More", "Yo!", "High", "Eleven"):
        ann.bet(spot, 2500)
    ann.bet("Low", 500)
    ann.press(ann.button("Ready and roll"))
    expect(ann.notice).to_contain_text("You lose 135.00 in all")
    next_round(dice_house, "yo")
    expect(ann.notice).to_contain_text("Round 1: You lose 135.00 in all")
    told = ann.notice.get_by_role("list", name="Your wagers")
    expect(told.get_by_role("listitem")).to_have_count(6)
    assert told.evaluate("box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth")
    assert ann.notice.evaluate("box => box.scrollHeight <= box.clientHeight")


@pytest.mark.parametrize("size", [Screen(1280, 800), Screen(1440, 900)], ids=str)
def test_beside_the_drawer_there_is_room_for_every_button_below_the_felt(
    dice_house: LocalServer, visit: Visit, rolls: Stack, size: Screen
) -> None:
    """Chips, winnings to collect, and four buttons beside the one that goes on."""
    rolls("4211")
    ann = visit(dice_house, size)
    ann.sit("yo")
    ann.bet("Play", 500)
    ann.bet("Low", 2500)
    ann.press(ann.button("Ready and roll"))
    expect(ann.rail.get_by_role("button", name="Collect 37.50")).to_be_visible()
    expect(ann.button("Ready")).to_be_visible()
    ann.press(ann.page.get_by_role("navigation").get_by_role("button", name=re.compile("^Pay tables")).last)
    expect(ann.drawer).to_contain_text("Standing")
    box, rail = ann.drawer.bounding_box(), ann.rail.bounding_box()
    assert box and rail and rail["x"] + rail["width"] <= box["x"]
    assert ann.rail.evaluate("rail => rail.scrollWidth <= rail.clientWidth")
    edges = [found for button in ann.rail.get_by_role("button").all() if (found := button.bounding_box())]
    assert len(edges) == 6
    for left, right in pairwise(sorted(edges, key=lambda edge: edge["x"])):
        assert left["x"] + left["width"] <= right["x"]


@pytest.mark.parametrize("size", [Screen(1280, 800), Screen(1024, 768), Screen(1440, 900), Screen(1920, 1080)], ids=str)
def test_nothing_below_the_felt_is_covered_when_there_is_most_of_it(
    dice_house: LocalServer, visit: Visit, rolls: Stack, size: Screen
) -> None:
    """Chips, winnings to collect, and four buttons beside the one that goes on."""
    rolls("4211")
    ann = visit(dice_house, size)
    ann.sit("yo")
    ann.bet("Play", 500)
    ann.bet("Low", 2500)
    ann.press(ann.button("Ready and roll"))
    expect(ann.rail.get_by_role("button", name="Collect 37.50")).to_be_visible()
    expect(ann.button("Ready")).to_be_visible()
    assert troubles(ann) == []
