"""What became of the wagers: a row for each, with its reason in the words of the rules, for as long as one wants."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from feltworks.floor.people import GRANT
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, Person, Screen, next_round, round_is_over
from tests.web.robots import LocalServer, between, money, under

SMALL = Screen(360, 640, touch=True)
UNDER = "Ks 5c Kd 8d Qs 3h 9d 7h 7s"
"""The seat's and the dealer's first cards and second ones, the flop, turn and river: kings against sevens."""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[LocalServer]:
    tables = [money(pace=PAUSED), between(pace=PAUSED, burn=0), under(pace=PAUSED)]
    with LocalServer(tmp_path, tables) as server:
        yield server
        server.check()


def rows(person: Person) -> Locator:
    return person.notice.get_by_role("list", name="Your wagers").get_by_role("listitem")


def play_under(person: Person) -> None:
    person.sit("under")
    person.bet("Ante", 500)
    person.bet("Trips or Better")
    person.bet("Match the Dealer")
    person.deal()
    person.decide("3x")
    expect(person.notice).to_contain_text("You win 10.00")


@pytest.mark.rule("F-17")
def test_a_round_that_is_void_says_why_and_what_came_back(room: LocalServer, visit: Visit) -> None:
    ann = visit(room)
    ann.begin("money", "Ante", 500)
    expect(ann.options.first).to_be_visible()
    room.run(lambda house: house.void("money", "A card was seen"))
    next_round(room, "money")
    expect(ann.notice).to_contain_text("Round 1: void. A card was seen. 5.00 comes back to you.")
    assert ann.balance == GRANT


@pytest.mark.rule("D-08", "D-11", "D-12")
def test_each_wager_has_a_row_with_what_it_did_and_why(room: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked(UNDER)
    ann = visit(room)
    play_under(ann)
    better = "two pair, kings and sevens beats a pair of sevens"
    expect(rows(ann)).to_have_text(
        [
            f"Ante wins 5.00: {better}, 1 to 1",
            f"Bet comes back: {better}, but is below a straight",
            f"Play wins 15.00: {better}, 1 to 1",
            "Trips or Better loses 5.00: two pair, kings and sevens is below three of a kind",
            "Match the Dealer loses 5.00: K and K match neither 5 nor 8",
        ]
    )


def test_only_the_sum_is_announced_and_the_rows_are_read_when_one_wants(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked(UNDER)
    ann = visit(room)
    play_under(ann)
    expect(ann.page.get_by_role("main").get_by_role("status")).to_have_text("You win 10.00")


@pytest.mark.rule("D-08")
def test_both_hands_are_named_on_the_felt_and_the_five_cards_of_each_are_lit(
    room: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked(UNDER)
    ann, eve = visit(room, screen), visit(room)
    eve.watch("under")
    play_under(ann)
    expect(ann.felt.locator(".points")).to_have_text(["Dealer: Pair of sevens", "Two pair"])
    expect(ann.felt.locator(".counts-bar.yours")).to_have_count(5)
    expect(ann.felt.locator(".counts-bar:not(.yours)")).to_have_count(5)
    expect(eve.felt.locator(".counts-bar.yours")).to_have_count(0)
    expect(eve.felt.locator(".counts-bar")).to_have_count(5)


@pytest.mark.rule("D-08")
def test_a_hand_is_named_to_its_own_seat_alone_before_it_is_shown(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked(UNDER)
    ann, eve = visit(room), visit(room)
    eve.watch("under")
    ann.begin("under", "Ante", 500)
    ann.decide("Check")
    expect(ann.felt.locator(".points")).to_have_text(["Pair of kings"])
    expect(ann.notice).to_contain_text("You have a pair of kings.")
    expect(eve.felt.locator(".card .face")).to_have_count(3)
    expect(eve.felt.locator(".points")).to_have_count(0)


@pytest.mark.parametrize("screen", [SMALL, PHONE, Screen(844, 390, touch=True)], ids=str)
def test_on_a_phone_every_row_can_be_read_to_its_end_and_closed_again(
    room: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked(UNDER)
    ann = visit(room, screen)
    play_under(ann)
    before = ann.felt.bounding_box(), ann.rail.bounding_box()
    ann.press(ann.button("Why"))
    for row in rows(ann).all():
        row.scroll_into_view_if_needed()
        box, text = row.bounding_box(), row.locator("p")
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= screen.width
        assert text.evaluate("p => p.scrollWidth <= p.clientWidth + 1 && p.scrollHeight <= p.clientHeight + 1")
    assert (ann.felt.bounding_box(), ann.rail.bounding_box()) == before
    ann.press(ann.button("Close"))
    expect(ann.button("Why")).to_be_visible()


def test_who_hears_the_page_of_a_phone_hears_what_each_wager_did(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked(UNDER)
    ann = visit(room, SMALL)
    play_under(ann)
    expect(ann.notice.get_by_role("list", name="Your wagers")).to_match_aria_snapshot("""
      - list "Your wagers":
        - listitem:
          - paragraph:
            - strong: Ante
            - text: wins 5.00
        - listitem:
          - paragraph:
            - strong: Bet
            - text: comes back
        - listitem:
          - paragraph:
            - strong: Play
            - text: wins 15.00
        - listitem:
          - paragraph:
            - strong: Trips or Better
            - text: loses 5.00
        - listitem:
          - paragraph:
            - strong: Match the Dealer
            - text: loses 5.00
    """)


@pytest.mark.rule("I-03")
def test_reasons_that_do_not_fit_a_small_phone_are_behind_why_and_none_is_cut(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("9h Th Td 6s 6d")  # sixteen against a ten, which is not between nine and ten; doubled with a six
    ann = visit(room, Screen(360, 740, touch=True))
    ann.sit("between")
    ann.bet("Blackjack", 2500)
    ann.bet("IN BETween")
    ann.deal()
    ann.decide("Double")
    expect(ann.notice).to_contain_text("You lose 75.00")
    whole = "box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth"
    assert ann.notice.get_by_role("list", name="Your wagers").evaluate(whole)
    for row in rows(ann).all():
        expect(row.locator(".why")).to_be_hidden()
    head, why = ann.notice.get_by_role("status").locator("strong").bounding_box(), ann.button("Why").bounding_box()
    assert head and why and head["x"] + head["width"] <= why["x"]
    ann.press(ann.button("Why"))
    expect(rows(ann).locator(".why")).to_have_text([re.compile("over 21 with the "), "10 is not between 9 and 10"])
    for reason in rows(ann).locator(".why").all():
        expect(reason).to_be_in_viewport(ratio=1)


@pytest.mark.rule("D-08")
@pytest.mark.parametrize("bonus", [[], ["Trips or Better", "Match the Dealer"]], ids=["3 rows", "5 rows"])
def test_on_a_wide_screen_long_reasons_are_read_whole_or_are_behind_why(
    room: LocalServer, visit: Visit, stacked: Stack, bonus: list[str]
) -> None:
    stacked("Qs 3c 2d 3d Qh 4h 4s 9d 7h")
    ann = visit(room, Screen(1280, 800))
    ann.sit("under")
    ann.bet("Ante", 500)
    for spot in bonus:
        ann.bet(spot)
    ann.deal()
    ann.decide("3x")
    expect(rows(ann)).to_have_count(3 + len(bonus))
    told = ann.notice.get_by_role("list", name="Your wagers")
    expect(told).to_contain_text("two pair, queens and fours beats two pair, fours and threes, but is below a straight")
    for row in rows(ann).all():
        expect(row).to_be_in_viewport(ratio=1)
    assert told.evaluate("box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth")
    expect(ann.button("Why")).to_be_visible(visible=bool(bonus))
    if bonus:
        expect(rows(ann).first.locator(".why")).to_be_hidden()
        ann.press(ann.button("Why"))
    for reason in rows(ann).locator(".why").all():
        expect(reason).to_be_in_viewport(ratio=1)


def test_of_two_wagers_that_come_back_both_are_said_to(room: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("9d 9s 3c")
    ann = visit(room)
    ann.begin("money", "Ante", 500)
    ann.decide("Raise")
    expect(ann.notice).to_contain_text("Your wagers come back")


def places_of_cards(person: Person) -> list[str]:
    return [str(card.bounding_box()) for card in person.felt.locator(".card").all()]


@pytest.mark.parametrize("screen", [PHONE], ids=str)
def test_the_cards_of_a_round_lie_for_as_long_as_one_wants_and_go_with_the_first_chip_for_the_next(
    room: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked(UNDER)
    ann, eve = visit(room, screen), visit(room)
    eve.watch("under")
    play_under(ann)
    next_round(room, "under")
    expect(ann.spot("Ante")).to_be_visible()
    expect(ann.head).to_contain_text("Betting is open.")
    expect(ann.felt.locator(".card .face")).to_have_count(9)
    expect(ann.felt.locator(".points")).to_have_text(["Dealer: Pair of sevens", "Two pair"])
    expect(ann.felt.locator(".counts-bar.yours")).to_have_count(5)
    expect(eve.felt.locator(".card")).to_have_count(0)
    assert "Dealer: no cards." in ann.in_words
    assert not any("king" in words for words in ann.in_words)
    ann.bet("Ante", 500)
    expect(ann.felt.locator(".card")).to_have_count(0)
    expect(ann.felt.locator(".points")).to_have_count(0)
    ann.deal()
    expect(ann.felt.locator(".card")).to_have_count(4)


@pytest.mark.rule("B-05")
def test_split_hands_of_the_round_before_leave_the_spots_where_the_next_is_bet(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("8h 6s 8c Td 3c Tc Kd")  # eights are split against a six and a ten
    ann = visit(room, PHONE)
    ann.sit("between")
    place = ann.spot("Blackjack").bounding_box()
    ann.bet("Blackjack", 500)
    ann.deal()
    ann.decide("Split")
    for _ in range(2):
        expect(ann.options.first).to_be_visible()
        ann.decide("Stand")
    expect(ann.notice).to_contain_text(re.compile("You (win|lose|come)|come back"))
    round_is_over(room, "between")
    lay = places_of_cards(ann)
    next_round(room, "between")
    expect(ann.spot("Blackjack")).to_be_visible()
    assert ann.spot("Blackjack").bounding_box() == place
    assert places_of_cards(ann) == lay
    ann.bet("Blackjack", 500)
    expect(ann.felt.locator(".card")).to_have_count(0)


def test_the_results_stay_through_the_next_betting(room: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kd 8s 3c", "Kd 8s 3c")
    ann = visit(room)
    ann.begin("money", "Ante", 500)
    ann.decide("Raise")
    both = ["Ante wins 5.00: king beats eight, 1 to 1", "Raise wins 5.00: king beats eight, 1 to 1"]
    expect(rows(ann)).to_have_text(both)
    next_round(room, "money")
    expect(ann.chip(500)).to_be_enabled()
    expect(ann.notice).to_contain_text("Round 1: You win 10.00")
    expect(rows(ann)).to_have_text(both)


@pytest.mark.rule("B-02", "I-03")
def test_a_blackjack_table_says_totals_and_reasons_as_the_rules_do(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Ah 3c 6d Td 9h")  # a soft 17 against a three, which is not between six and ace
    ann = visit(room)
    ann.sit("between")
    ann.bet("Blackjack", 500)
    ann.bet("IN BETween", 100)
    ann.deal()
    expect(ann.felt.locator(".points")).to_have_text(["7/17"])
    expect(ann.notice).to_contain_text("You have a soft 17 against a three.")
    expect(ann.notice).to_contain_text("IN BETween loses 1.00: 3 is not between 6 and A")
    ann.decide("Stand")
    expect(rows(ann)).to_have_text(
        ["Blackjack wins 5.00: 17 against 22, over 21, 1 to 1", "IN BETween loses 1.00: 3 is not between 6 and A"]
    )


@pytest.mark.parametrize("game", ["money", "between", "under"])
def test_rules_begin_with_six_lines_on_how_to_play_and_the_documents_are_behind_them(
    room: LocalServer, visit: Visit, game: str
) -> None:
    ann = visit(room)
    ann.watch(game)
    ann.open("Rules")
    expect(ann.drawer.get_by_role("heading", name="How to play")).to_be_visible()
    expect(ann.drawer.locator(".how-to li")).to_have_count(6)
    expect(ann.drawer.locator(".statements")).to_be_hidden()
    ann.press(ann.drawer.get_by_text("All rules, by the documents"))
    expect(ann.drawer.locator(".statements li").first).to_be_visible()


def test_the_drawer_has_one_name_for_pay_tables_and_answers_readings_in_words(room: LocalServer, visit: Visit) -> None:
    ann = visit(room)
    ann.watch("money")
    ann.open("Pay tables")
    expect(ann.drawer.get_by_role("tab", selected=True)).to_have_text("Pay tables")
    expect(ann.drawer).to_contain_text("Here: it stays out of play until the round ends.")
    ann.open("Fairness")
    expect(ann.drawer).to_contain_text("After the round each card that was turned is opened")
