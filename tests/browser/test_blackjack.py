"""Whole rounds of blackjack in the browser: split and doubled hands, insurance and even money, surrender, and a hand
that goes over, alone and under IN BETween."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from feltworks.floor.people import GRANT
from feltworks.floor.table.settings import Limits
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, Person, Screen, held_back, next_round, round_is_over, shown
from tests.browser.shapes import look
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_down_under import ears, knows
from tests.browser.test_layout import SMALLEST, lies_well, on_the_felt, others, place_of
from tests.browser.test_rounds import all_see, can_do_nothing
from tests.web.robots import LocalServer, Robot, between, blackjack

HOUSE_RULES = {"surrender": "late", "soft_17": "stand", "blackjack_pays": "6/5"}

FOUR = "8h 6s 8c Td 8d 8s 3c Tc 2h 9c Kd 7s Qs 2d"
"""Eights against a six and a ten: split into four hands, which get 3 T, 2 9, K and 7 Q; the dealer draws a 2."""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[LocalServer]:
    """Seven seats of IN BETween, and of blackjack by other rules; a round begins when the test says so."""
    tables = [between(pace=PAUSED, burn=0, seats=7), blackjack(pace=PAUSED, burn=0, readings=HOUSE_RULES)]
    with LocalServer(tmp_path, tables) as server:
        yield server
        server.check()


def tags(person: Person) -> Locator:
    """What is written on the hands, the dealer's last."""
    return person.felt.locator(".points")


def playing(person: Person, hand: int, of: int) -> None:
    """It is this hand that is to be played, and it alone is marked on the felt."""
    expect(person.head).to_contain_text(f"Your decision: hand {hand} of {of}.")
    expect(person.notice).to_contain_text(f"Hand {hand} of {of}: ")
    expect(person.felt.locator(".playing")).to_have_count(1)
    expect(person.felt.locator(".points.now")).to_have_count(1)


def offers(person: Person, *options: str) -> None:
    expect(person.options).to_have_text([re.compile(option) for option in options])


def told(person: Person) -> Locator:
    return person.page.get_by_role("region", name="The table in words")


def split_to_four(person: Person) -> None:
    for hands in (2, 3, 4):
        person.decide("Split")
        playing(person, 1, hands)


def choose(server: LocalServer, robot: Robot, *options: str) -> None:
    """Decide one after the other, each when it is asked for, and see what came of it."""
    for option in options:
        robot.my_turn()
        robot.done("choose", option=option)
        seen_by(robot, server.run(lambda house: house.live(robot.table).table.version))


def seen_by(robot: Robot, version: int) -> None:
    robot.until(lambda view: view["version"] >= version)


@pytest.mark.rule("B-04", "B-05", "B-06")
def test_eights_are_split_into_four_hands_and_one_of_them_is_doubled(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked(FOUR)
    ann, eve = visit(room), visit(room)
    ann.sit("between", 4)
    eve.watch("between")
    ann.bet("Blackjack", 2500)
    ann.deal()
    expect(ann.notice).to_contain_text("You have 16 against a six.")
    expect(ann.head).to_contain_text("Your decision.")
    offers(ann, "Stand", "Hit", "Double 25.00", "Split 25.00")
    ann.decide("Split")
    playing(ann, 1, 2)
    offers(ann, "Stand", "Hit", "Double 25.00", "Split 25.00")
    ann.decide("Split")
    playing(ann, 1, 3)
    ann.decide("Split")
    playing(ann, 1, 4)
    offers(ann, "Stand", "Hit", "Double 25.00")
    expect(tags(ann)).to_have_text(["11", "8", "8", "8"])
    expect(ann.felt.locator(".own .spot .total")).to_have_text(["25", "25", "25", "25"])
    expect(ann.felt.locator(".own .spot-title")).to_have_text(["Hand 1", "Hand 2", "Hand 3", "Hand 4", "IN BETween"])
    assert ann.balance == ann.ledger == GRANT - 4 * 2500

    ann.decide("Double")
    playing(ann, 2, 4)
    expect(tags(ann)).to_have_text(["21", "10", "8", "8"])
    expect(ann.felt.locator(".own .spot .total")).to_have_text(["50", "25", "25", "25"])
    ann.decide("Hit")
    expect(ann.notice).to_contain_text("Hand 2 of 4: 19 against a six.")
    offers(ann, "Stand", "Hit")
    all_see([ann, eve], "hand 2, eight of clubs, two of hearts, nine of clubs: 19; hand 3, eight of diamonds: 8;")
    ann.decide("Stand")
    playing(ann, 3, 4)
    ann.decide("Stand")
    playing(ann, 4, 4)
    can_do_nothing(eve)
    ann.decide("Hit")

    expect(ann.notice).to_contain_text("You win 50.00")
    for sentence in (
        "Hand 1 wins 50.00: 21 against 18, 1 to 1",
        "Hand 2 wins 25.00: 19 against 18, 1 to 1",
        "Hand 3 comes back: 18 against 18",
        "over 21 with the queen of spades",
    ):
        expect(ann.notice).to_contain_text(sentence)
    expect(ann.felt.locator(".own .tag")).to_have_text(["+50", "+25", "Push", "−25"])
    expect(tags(ann)).to_have_text(["21", "19", "18", "Over 21", "18"])
    all_see([ann, eve], "Dealer: six of spades, ten of diamonds, two of diamonds: 18.")
    assert ann.balance == ann.ledger == GRANT + 5000
    next_round(room, "between")
    expect(ann.button("Rebet")).to_be_enabled()
    ann.press(ann.button("Rebet"))
    ann.finds("Blackjack", 2500)
    expect(ann.felt.locator(".own .spot")).to_have_count(2)


@pytest.mark.rule("B-03", "F-14")
def test_insurance_for_all_or_for_less_is_paid_against_a_blackjack_and_nobody_sees_what_the_others_choose(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Th 9h As 9c 7d Kd")
    ann, bob, eve = people = visit(room), visit(room), visit(room)
    heard = [ears(person) for person in people]
    ann.sit("between", 2)
    bob.sit("between", 4)
    eve.watch("between")
    for person in (ann, bob):
        person.bet("Blackjack", 2500)
        person.deal()
    for person in (ann, bob):
        expect(person.head).to_contain_text("Your decision: insurance.")
        offers(person, "No insurance", "Insurance 12.50")
    expect(ann.notice).to_contain_text("You have 19 against an ace.")
    ann.decide("Insurance")
    expect(ann.felt.locator(".insured .total")).to_have_text("12.50")
    assert ann.balance == GRANT - 3750
    expect(bob.felt.locator(".insured .stack")).to_have_count(0)
    all_see([bob, eve], "Blackjack 25.00; to act.")
    bob.page.get_by_role("slider", name="Insure for").fill("500")
    offers(bob, "No insurance", "Insurance 5.00")
    for person, frames in zip(people, heard, strict=True):
        assert not knows(person, frames, "Kd")
    bob.decide("Insurance")

    expect(ann.notice).to_contain_text("You come out even")
    expect(ann.notice).to_contain_text("Insurance wins 25.00: dealer has a blackjack, 2 to 1")
    expect(ann.notice).to_contain_text("Blackjack loses 25.00: 19 against a blackjack")
    expect(bob.notice).to_contain_text("You lose 15.00")
    all_see(list(people), "Dealer: ace of spades, king of diamonds: a blackjack.", "Insurance wins 10.00")
    expect(eve.felt.locator(".insured .tag")).to_have_text(["+25", "+10"])
    assert (ann.balance, bob.balance) == (GRANT, GRANT - 1500) == (ann.ledger, bob.ledger)


@pytest.mark.rule("B-02", "B-03", "F-14")
def test_even_money_is_paid_at_once_and_insurance_is_lost_where_there_is_no_blackjack(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Ah 9h As Kc Td 9d")
    ann, bob = people = visit(room), visit(room)
    heard = [ears(person) for person in people]
    ann.sit("between", 2)
    bob.sit("between", 4)
    for person in people:
        person.bet("Blackjack", 2500)
        person.deal()
    offers(bob, "No insurance", "Insurance 12.50")
    bob.decide("Insurance")
    expect(ann.notice).to_contain_text("You have a blackjack against an ace.")
    offers(ann, "No insurance", "Insurance 12.50", "Even money")
    ann.decide("Even money")
    expect(ann.notice).to_contain_text("You win 25.00: even money, 1 to 1")
    expect(bob.notice).to_contain_text("Insurance loses 12.50: no blackjack")
    expect(bob.head).to_contain_text("No blackjack.")
    expect(tags(bob)).to_have_text(["Even money", "19"])
    all_see(list(people), "Dealer: ace of spades, a card face down, which is no ten.")
    for person, frames in zip(people, heard, strict=True):
        assert not knows(person, frames, "9d")
    bob.decide("Stand")
    expect(bob.notice).to_contain_text("You lose 37.50")
    assert (ann.balance, bob.balance) == (GRANT + 2500, GRANT - 3750) == (ann.ledger, bob.ledger)


@pytest.mark.slow
@pytest.mark.rule("B-04", "B-06", "I-06")
def test_two_play_several_hands_each_with_in_between_beside_them_and_a_third_watches(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("9h 8d 5s 9c 8s Tc 2d Td Kh Kd 7h 4c")  # seats 2 and 4, the dealer's two among them; then what is drawn
    ann, bob, eve = people = visit(room), visit(room), visit(room)
    ann.sit("between", 2)
    bob.sit("between", 4)
    eve.watch("between")
    for person in (ann, bob):
        person.bet("Blackjack", 500)
        person.bet("IN BETween", 100)
        person.deal()
    expect(ann.notice).to_contain_text("IN BETween loses 1.00: nothing is between 9 and 9")
    ann.decide("Split")
    playing(ann, 1, 2)
    can_do_nothing(bob)
    can_do_nothing(eve)
    expect(bob.head).to_contain_text("Guest 1 to act.")
    ann.decide("Double")
    playing(ann, 2, 2)
    ann.decide("Stand")
    bob.decide("Split")
    playing(bob, 1, 2)
    hands = "hand 1, nine of hearts, two of diamonds, ten of diamonds: 21; hand 2, nine of clubs, king of hearts: 19;"
    all_see(list(people), hands, "hand 1, eight of diamonds, king of diamonds: 18; hand 2, eight of spades: 8;")
    bob.decide("Stand")
    playing(bob, 2, 2)
    bob.decide("Stand")
    expect(ann.notice).to_contain_text("You win 9.00")
    expect(bob.notice).to_contain_text("You lose 11.00")
    expect(bob.notice).to_contain_text("Hand 1 loses 5.00: ")
    all_see(list(people), "Dealer: five of spades, ten of clubs, four of clubs: 19.")
    assert (ann.balance, bob.balance) == (GRANT + 900, GRANT - 1100) == (ann.ledger, bob.ledger)


@pytest.mark.rule("B-02", "B-04", "B-05")
def test_five_decisions_fit_a_phone_at_a_table_with_surrender_whose_rules_are_on_the_cloth(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("8h 9s 8c Td Ah 9s Kc 8d")
    ann = visit(room, PHONE)
    ann.sit("blackjack")
    expect(ann.felt.locator(".legend")).to_have_text(
        ["Blackjack pays 6 to 5", "Dealer stands on every 17", "Insurance pays 2 to 1"]
    )
    ann.bet("Blackjack", 2500)
    ann.deal()
    offers(ann, "Stand", "Hit", "Double", "Split", "Surrender")
    lies_well(ann, "Stand", "Hit", "Double", "Split", "Surrender")
    ann.decide("Surrender")
    expect(ann.notice).to_contain_text("You lose 12.50: surrender")
    expect(tags(ann)).to_have_text(["Surrender"])
    assert ann.balance == ann.ledger == GRANT - 1250
    next_round(room, "blackjack")
    ann.bet("Blackjack", 500)
    ann.deal()
    expect(ann.notice).to_contain_text("You win 6.00: a blackjack against ")
    assert ann.balance == ann.ledger == GRANT - 1250 + 600


@pytest.mark.rule("B-04")
def test_the_card_that_was_too_much_is_seen_before_the_hand_is_taken_away(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Th 6s 6h 9d Kc")
    ann = visit(room, calm=False)
    ann.begin("between", "Blackjack", 2500)
    expect(tags(ann)).to_have_text(["16"])
    ann.decide("Hit")
    expect(ann.felt.locator(".card .face")).to_have_count(4)
    expect(tags(ann)).to_have_text(["Over 21"])
    expect(ann.notice).to_contain_text("over 21 with the king of clubs")
    expect(ann.felt.locator(".card")).to_have_count(2)
    expect(ann.felt.locator(".own .tag")).to_have_text(["−25"])
    assert ann.balance == ann.ledger == GRANT - 2500


@pytest.mark.rule("B-04")
def test_who_is_told_late_of_the_card_that_was_too_much_sees_it_too(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    """That it was dealt, turned and taken away with the hand is told at once."""
    stacked("Th 6s 6h 9d Kc")
    ann = visit(room, calm=False)
    ann.begin("between", "Blackjack", 2500)
    expect(tags(ann)).to_have_text(["16"])
    with held_back(room):
        ann.decide("Hit")
        round_is_over(room, "between")
    expect(ann.felt.locator(".card .face")).to_have_count(4)
    expect(tags(ann)).to_have_text(["Over 21"])
    expect(ann.notice).to_contain_text("over 21 with the king of clubs")
    expect(ann.felt.locator(".card")).to_have_count(2)


def test_split_hands_come_back_the_same_when_the_page_is_loaded_again(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked(FOUR)
    ann = visit(room)
    ann.begin("between", "Blackjack", 2500)
    split_to_four(ann)
    ann.decide("Double")
    playing(ann, 2, 4)
    expect(tags(ann)).to_have_text(["21", "10", "8", "8"])
    before = as_it_lies(ann)
    ann.page.reload()
    playing(ann, 2, 4)
    expect(tags(ann)).to_have_text(["21", "10", "8", "8"])
    assert as_it_lies(ann) == before
    ann.decide("Hit")
    expect(ann.notice).to_contain_text("Hand 2 of 4: 19 against a six.")


def as_it_lies(person: Person) -> list[str]:
    """Every card, chip and mark of the felt where it is, and the table in words."""
    things = person.felt.locator(".card, .stack, .total, .points, .playing rect").all()
    boxes = [place_of(thing) for thing in things]
    return [*(f"{box['x']:.0f} {box['y']:.0f} {box['width']:.0f}" for box in boxes), *person.in_words]


def test_every_hand_has_its_place_on_this_screen(
    room: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    """Also with all seats taken, insurance lost, and four hands of three cards."""
    first, second = "9c Kd 8s 8h Qc 8d 2h", "Ts 9h Jc 8c Jd 8s 5c"
    stacked(f"{first} As {second} 9d 8d 8s 3c 4h 2s 3s 2c Th 3d 9s")
    ann = visit(room, screen)
    ann.enter("between")
    with ExitStack() as stack:
        robots = others(room, stack, "between", 1, 2, 3, 5, 6, 7)
        ann.press(ann.button("Take a seat"))
        for robot, amount in zip(robots, (2500, 10_000, 500, 2500, 2500, 9900), strict=True):
            robot.phase("betting")
            robot.done("place", spot="base", amount=amount)
            robot.done("place", spot="in_between", amount=500)
            robot.done("ready")
        ann.bet("Blackjack", 2500)
        ann.bet("IN BETween", 500)
        lies_well(ann, "Deal")
        felt = place_of(ann.felt)
        ann.deal()
        expect(ann.options).to_have_count(2)
        lies_well(ann, "No insurance", "Insurance")
        for robot in robots:
            choose(room, robot, "insurance")
        ann.decide("Insurance")
        for robot in robots[:3]:
            choose(room, robot, "stand")
        expect(ann.options).to_have_count(4)
        lies_well(ann, "Stand", "Hit", "Double", "Split")
        split_to_four(ann)
        lies_well(ann, "Stand", "Hit", "Double")
        ann.decide("Hit")
        expect(ann.notice).to_contain_text("Hand 1 of 4: 15")
        ann.decide("Stand")
        playing(ann, 2, 4)
        ann.decide("Double")
        playing(ann, 3, 4)
        lies_well(ann, "Stand", "Hit", "Double")
        on_the_felt(ann, spot=5 if screen.touch else 17, place=1)
        ann.decide("Stand")
        playing(ann, 4, 4)
        ann.decide("Stand")
        choose(room, robots[3], "stand")
        choose(room, robots[4], "split")
        expect(ann.felt.locator(".playing")).to_have_count(0 if screen.touch else 1)
        lies_well(ann, "Deal")
        choose(room, robots[4], "stand", "stand")
        choose(room, robots[5], "stand")
        expect(ann.notice).to_contain_text("Hand 1 ")
        lies_well(ann, "Deal")
        assert abs(place_of(ann.felt)["height"] - felt["height"]) < 1


@pytest.mark.slow
def test_eight_cards_of_a_hand_are_all_to_be_read_on_the_smallest_screen(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Ac 6s Ah 9d 2c 2d 2h As 3c 3h 4d")
    ann = visit(room, SMALLEST)
    ann.begin("between", "Blackjack", 500)
    for total in ("2/12", "4/14", "6/16", "8/18", "9/19", "12", "15"):
        expect(tags(ann)).to_have_text([total])
        lies_well(ann, "Stand", "Hit")
        if total != "15":
            ann.decide("Hit")
    below_the_dealers = sorted(look(ann.page)["card"], key=lambda card: card.top)[2:]
    lefts = sorted(card.left for card in below_the_dealers)
    assert len(lefts) == 8
    assert min(right - left for left, right in pairwise(lefts)) > 14  # the index of a card


@pytest.mark.slow
@pytest.mark.rule("B-03", "B-04")
def test_a_round_is_played_with_single_keys(room: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("8h As 8c 7d 3d Td 9s 9h")
    ann = visit(room)
    ann.enter("between")
    ann.key("d")
    expect(ann.spot("Blackjack")).to_be_visible()
    ann.key("2", "ArrowDown")
    expect(ann.spot("Blackjack")).to_be_focused()
    ann.key("Enter")
    ann.finds("Blackjack", 500)
    ann.key("d")
    expect(ann.options).to_have_count(2)
    ann.key("d", "i")
    expect(ann.options).to_have_count(4)
    ann.key("p")
    playing(ann, 1, 2)
    ann.key("d")
    playing(ann, 2, 2)
    ann.key("s")
    expect(ann.notice).to_contain_text("You ")
    assert ann.balance == ann.ledger


@pytest.mark.slow
@pytest.mark.rule("B-04", "F-07")
def test_who_cannot_pay_for_a_second_wager_is_told_so_and_plays_on(
    tmp_path: Path, visit: Visit, stacked: Stack
) -> None:
    stacked("8h 6s 8c Td")
    large = {"base": Limits(100, 100_000)}
    with LocalServer(tmp_path, [blackjack(pace=PAUSED, burn=0, limits=large)]) as server:
        ann = visit(server)
        ann.sit("blackjack")
        ann.bet("Blackjack", 50_000)
        ann.bet("Blackjack", 10_000)
        ann.deal()
        why = f"That wagers {shown(60_000)} more; you have {shown(40_000)}."
        expect(ann.option("Split")).to_have_attribute("aria-disabled", "true")
        expect(ann.option("Split")).to_have_attribute("title", why)
        ann.option("Split").press("Enter")
        expect(ann.notice).to_contain_text(why)
        expect(ann.option("Stand")).to_be_visible()
        nothing_is_wrong(ann, "refusal")
        ann.decide("Stand")
        expect(ann.notice).to_contain_text("You ")
        server.check()


@pytest.mark.rule("B-03", "F-07")
def test_who_has_nothing_left_for_insurance_is_told_so_beside_the_hand(
    tmp_path: Path, visit: Visit, stacked: Stack
) -> None:
    stacked("8h As 7c 9d")
    large = {"base": Limits(100, 100_000)}
    with LocalServer(tmp_path, [blackjack(pace=PAUSED, burn=0, limits=large)]) as server:
        ann = visit(server)
        ann.sit("blackjack")
        ann.bet("Blackjack", 50_000)
        ann.bet("Blackjack", 50_000)
        ann.deal()
        expect(ann.notice).to_contain_text("You have 15 against an ace.")
        expect(ann.notice).to_contain_text(f"That wagers {shown(50_000)} more; you have 0.00.")
        expect(ann.option("Insurance")).to_have_attribute("aria-disabled", "true")
        expect(ann.option("Insurance")).to_contain_text(shown(50_000))
        expect(ann.rail.get_by_role("slider")).to_have_count(0)
        ann.decide("No insurance")
        expect(ann.notice).to_contain_text("You have 15 against an ace.")
        server.check()
