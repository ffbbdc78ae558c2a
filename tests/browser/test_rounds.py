"""Whole rounds of both games, with two players and somebody who watches: one table, three views of it."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.house import House
from feltworks.floor.people import GRANT
from feltworks.floor.table.settings import Pace
from feltworks.kit.steps import Bet, Choose, Role
from tests.browser.conftest import Stack, Visit
from tests.browser.people import Person, Screen, held_back, next_round, round_is_over
from tests.web.robots import PATIENCE, LocalServer, between


def seen_by(person: Person) -> list[str]:
    """The table in words as this person is told it, without who sits where: to each their own seat is "you"."""
    return [re.sub(r"^(Seat \d), [^:]+:", r"\1:", line) for line in person.in_words]


def all_see(people: list[Person], *parts: str) -> None:
    """All see one and the same table, and these things on it."""
    for person in people:
        told = person.page.get_by_role("region", name="The table in words")
        for part in parts:
            expect(told).to_contain_text(part)
    first, *others = [seen_by(person) for person in people]
    until = time.monotonic() + PATIENCE
    while any(other != first for other in others) and time.monotonic() < until:  # it may reach one before the others
        first, *others = [seen_by(person) for person in people]
    for other in others:
        assert other == first


def can_do_nothing(person: Person) -> None:
    """There is no chip, no spot, no seat and no decision to press."""
    expect(person.options).to_have_count(0)
    expect(person.felt.get_by_role("button")).to_have_count(0)
    for button in ("Deal", "Undo", "Clear", "Rebet", "Take a seat"):
        if person.button(button).count():
            expect(person.button(button)).to_be_disabled()
    for chip in person.page.get_by_role("radio").all():
        expect(chip).to_be_disabled()


def two_and_one_more(house: LocalServer, visit: Visit, table: str) -> tuple[Person, Person, Person]:
    ann, bob, eve = visit(house), visit(house), visit(house)
    ann.sit(table, 2)
    bob.sit(table, 4)
    eve.watch(table)
    return ann, bob, eve


def test_two_play_one_for_the_money_through_trade_raise_and_check_and_a_third_watches(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("4h Qc 9d Js Ac", "Kd 8s 3c 8d 5h")  # seat 2, seat 4, the dealer's two, the replacement
    ann, bob, eve = people = two_and_one_more(house, visit, "money")
    can_do_nothing(eve)
    ann.bet("Ante", 500)
    bob.bet("Ante", 2500)
    bob.bet("3 Card Bonus", 100)
    all_see(list(people), "Ante 5.00", "Ante 25.00; 3 Card Bonus 1.00")
    ann.deal()
    expect(ann.notice).to_contain_text("You are ready.")
    bob.deal()

    expect(ann.head).to_contain_text("Your decision.")
    expect(bob.head).to_contain_text("Guest 1 to act.")
    expect(eve.head).to_contain_text("Guest 1 to act.")
    expect(ann.options).to_have_text([re.compile("Check"), re.compile("Raise 5.00"), re.compile("Trade 5.00")])
    all_see(list(people), "four of hearts", "queen of clubs", "Dealer: a card face down, a card face down.")
    can_do_nothing(bob)
    can_do_nothing(eve)
    ann.decide("Trade")
    expect(ann.options).to_have_text([re.compile("Stand"), re.compile("Raise 5.00")])
    all_see(list(people), "ace of clubs")
    ann.decide("Raise")

    expect(bob.head).to_contain_text("Your decision.")
    can_do_nothing(ann)
    can_do_nothing(eve)
    bob.decide("Check")
    expect(ann.notice).to_contain_text("You win 15.00")
    for spot in ("Ante", "Raise", "Trade"):
        expect(ann.notice).to_contain_text(f"{spot} wins 5.00: ace beats jack, 1 to 1")
    expect(bob.notice).to_contain_text("You win 24.00")
    expect(bob.notice).to_contain_text(
        "3 Card Bonus loses 1.00: queen of clubs, nine of diamonds and jack of spades make no hand"
    )
    all_see(list(people), "Dealer: nine of diamonds, jack of spades in the play area.")
    assert (ann.balance, bob.balance) == (GRANT + 1500, GRANT + 2400) == (ann.ledger, bob.ledger)

    next_round(house, "money")
    ann.bet("Ante", 500)
    ann.deal()
    bob.bet("Ante", 500)
    bob.deal()
    expect(ann.notice).not_to_contain_text("wins")
    ann.decide("Raise")
    bob.decide("Trade")
    bob.decide("Stand")
    expect(ann.notice).to_contain_text("You win 10.00")
    expect(bob.notice).to_contain_text("You lose 10.00")
    expect(bob.notice).to_contain_text("Trade loses 5.00: five loses to eight")
    all_see(list(people), "eight of diamonds in the play area", "five of hearts")
    assert (ann.balance, bob.balance) == (GRANT + 2500, GRANT + 1400) == (ann.ledger, bob.ledger)
    can_do_nothing(eve)


def test_who_is_told_late_sees_how_the_round_ended(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    """The table has cleared its cards by then; what was turned last is shown all the same, and lies there."""
    stacked("4h Qc 9d Js")
    ann, bob, _ = people = two_and_one_more(house, visit, "money")
    for person in (ann, bob):
        person.bet("Ante", 500)
        person.deal()
    ann.decide("Check")
    expect(bob.options).to_have_count(3)
    with held_back(house):
        bob.decide("Check")
        round_is_over(house, "money")
    all_see(
        list(people),
        "Dealer: nine of diamonds, jack of spades in the play area.",
        "Ante loses 5.00: four loses to jack",
    )
    expect(ann.notice).to_contain_text("You lose 5.00: four loses to jack")
    expect(bob.notice).to_contain_text("You win 5.00: queen beats jack, 1 to 1")


def test_what_others_decide_is_written_beside_their_names_until_the_next_betting(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("4h Qc 9d Js 5c")
    ann, bob, eve = two_and_one_more(house, visit, "money")
    for person in (ann, bob):
        person.bet("Ante", 500)
        person.deal()
    ann.decide("Trade")
    for person in (bob, eve):
        expect(person.felt.locator(".plate", has_text="Guest 1").locator(".note")).to_have_text("trades")
        expect(person.page.get_by_role("log")).to_contain_text("Guest 1 trades.")
    ann.decide("Stand")
    expect(bob.felt.locator(".plate", has_text="Guest 1").locator(".note")).to_have_text("stands")
    bob.decide("Check")
    expect(ann.felt.locator(".plate", has_text="Guest 2").locator(".note")).to_have_text("checks")
    next_round(house, "money")
    for person in (ann, bob, eve):
        expect(person.felt.locator(".plate .note")).to_have_count(0)


@pytest.mark.slow
def test_a_tie_gives_the_wager_back(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("9h 9d 3s")
    ann = visit(house)
    ann.begin("money", "Ante", 500)
    ann.decide("Check")
    expect(ann.notice).to_contain_text("Your wager comes back: nine ties nine")
    assert ann.balance == ann.ledger == GRANT


@pytest.fixture
def step_by_step(tmp_path: Path) -> Iterator[LocalServer]:
    """A table of IN BETween whose dealer does each thing when the test says so."""
    with LocalServer(tmp_path, [between(pace=Pace(3_600_000, 3_600_000, 0), burn=0)]) as server:
        yield server
        server.check()


def waits_for_seats(house: House) -> bool:
    step = house.live("between").table.step
    return isinstance(step, Bet) or (isinstance(step, Choose) and not isinstance(step.who, Role))


def step(server: LocalServer, times: int = 1) -> None:
    """What a page has asked for may still be on its way: the dealer waits until the round waits for the dealer."""
    for _ in range(times):
        until = time.monotonic() + PATIENCE
        while server.run(waits_for_seats) and time.monotonic() < until:
            time.sleep(0.01)
        server.run(lambda house: house.deal_on("between", "answer"))


@pytest.mark.rule("B-01", "I-05", "I-06")
def test_in_between_is_settled_before_the_hole_card_is_dealt_and_blackjack_goes_on(
    step_by_step: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("4h Kc 6d 8s 9h 2c Th")  # first cards of seats 2 and 4, upcard, second cards, hole card, a draw
    ann, bob, eve = people = two_and_one_more(step_by_step, visit, "between")
    ann.bet("Blackjack", 2500)
    ann.bet("IN BETween", 500)
    bob.bet("Blackjack", 500)
    bob.bet("IN BETween", 500)
    ann.deal()
    bob.deal()
    step(step_by_step, 2 * 5)
    all_see(
        list(people), "Dealer: six of diamonds.", "four of hearts, eight of spades", "king of clubs, nine of hearts"
    )
    expect(ann.notice).to_contain_text("IN BETween wins 20.00: 6 is between 4 and 8: three card spread, 4 to 1")
    expect(bob.notice).to_contain_text("IN BETween loses 5.00: 6 is not between 9 and K")
    assert (ann.balance, bob.balance) == (GRANT - 2500 + 2000, GRANT - 1000) == (ann.ledger, bob.ledger)
    all_see(list(people), "Blackjack 25.00", "Blackjack 5.00")
    can_do_nothing(eve)

    step(step_by_step)
    all_see(list(people), "Dealer: six of diamonds, a card face down.", "Blackjack 25.00", "Blackjack 5.00")
    expect(ann.notice).to_contain_text("You have 12 against a six.")
    expect(ann.notice).to_contain_text("IN BETween wins 20.00: 6 is between 4 and 8: three card spread, 4 to 1")
    assert (ann.balance, bob.balance) == (GRANT - 2500 + 2000, GRANT - 1000) == (ann.ledger, bob.ledger)
    ann.decide("Stand")
    bob.decide("Stand")
    can_do_nothing(ann)

    step(step_by_step, 3)
    all_see(list(people), "Dealer: six of diamonds, two of clubs, ten of hearts: 18.")
    expect(ann.notice).to_contain_text("You lose 5.00")
    expect(ann.notice).to_contain_text("Blackjack loses 25.00: 12 against 18")
    expect(bob.notice).to_contain_text("Blackjack wins 5.00: 19 against 18, 1 to 1")
    assert (ann.balance, bob.balance) == (GRANT - 500, GRANT) == (ann.ledger, bob.ledger)


@pytest.mark.slow
def test_somebody_who_comes_in_mid_round_sees_it_as_it_is(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("4h 9d Js")
    ann = visit(house)
    ann.begin("money", "Ante", 500, seat=3)
    expect(ann.options).to_have_count(3)
    eve, bob = visit(house), visit(house)
    eve.watch("money")
    bob.enter("money")
    all_see([ann, eve, bob], "four of hearts; Ante 5.00; to act")
    can_do_nothing(eve)
    expect(bob.button("Take a seat")).to_be_enabled()
    bob.press(bob.button("Take a seat"))
    expect(bob.head.get_by_role("button", name="Leave seat")).to_be_visible()
    can_do_nothing(bob)
    ann.decide("Check")
    expect(ann.notice).to_contain_text("You lose 5.00: four loses to jack")
    next_round(house, "money")
    bob.bet("Ante", 100)
    all_see([ann, eve, bob], "Ante 1.00")


@pytest.mark.slow
def test_a_seat_can_be_left_and_taken_by_another(house: LocalServer, visit: Visit) -> None:
    ann, bob = visit(house), visit(house)
    ann.sit("money", 3)
    bob.enter("money")
    expect(bob.button("Sit here, seat 3")).to_have_count(0)
    ann.press(ann.button("Leave seat"))
    expect(ann.button("Take a seat")).to_be_enabled()
    bob.press(bob.button("Sit here, seat 3"))
    expect(ann.button("Sit here, seat 3")).to_have_count(0)
    all_see([ann, bob], "Seat 3")
    assert ann.ledger == GRANT


@pytest.mark.rule("F-30")
def test_who_leaves_in_mid_round_is_told_that_it_plays_on_and_how_it_ended(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Kh 4s 9c 4d")  # seat 2, seat 4, the dealer's two
    ann, bob, eve = two_and_one_more(house, visit, "money")
    for person in (bob, ann):
        person.bet("Ante", 500)
        person.deal()
    expect(ann.options).to_have_count(3)
    bob.press(bob.button("Leave seat"))
    expect(bob.notice).to_contain_text("You are leaving. Your wagers play on; what they bring goes to your balance.")
    expect(bob.button("Leave seat")).to_have_count(0)
    all_see([ann, bob, eve], "Ante 5.00; leaving.")
    ann.decide("Raise")
    expect(bob.notice).to_contain_text("You have left. You lose 5.00: four loses to nine")
    expect(bob.button("Take a seat")).to_be_enabled()
    expect(bob.figure("Balance")).to_have_text("995.00")
    assert bob.ledger == GRANT - 500
    next_round(house, "money")
    ann.bet("Ante", 500)
    expect(bob.notice).to_contain_text("Round 1: You lose 5.00: four loses to nine")


@pytest.mark.parametrize("table", ["money", "between"])
def test_what_was_true_of_the_betting_is_not_said_of_the_round_after_it(
    house: LocalServer, visit: Visit, stacked: Stack, table: str
) -> None:
    """Nobody is ready any more once the cards come, and a call is gone when its part of the round is."""
    stacked("Kh 9c 4d 6s")
    ann = visit(house)
    ann.sit(table)
    ann.bet("Ante" if table == "money" else "Blackjack", 500)
    ann.deal()
    expect(ann.options).to_have_count(3)
    all_see([ann], "to act")
    assert "ready" not in " ".join(ann.in_words)
    ann.decide("Check" if table == "money" else "Stand")
    expect(ann.notice).to_contain_text("You ")
    expect(ann.head).to_contain_text("The next round is about to start.")
    expect(ann.head).not_to_contain_text("No more bets.")
    assert "ready" not in " ".join(ann.in_words)


@pytest.mark.slow
def test_somebody_who_watches_may_begin_to_play_without_going_back_to_the_lobby(
    house: LocalServer, visit: Visit, screen: Screen
) -> None:
    eve = visit(house, screen)
    eve.watch("money")
    eve.press(eve.button("Play with play money"))
    eve.bet("Ante", 100)
    assert eve.balance == eve.ledger == GRANT - 100
