"""The history of a table: how each round went for you, recalled from its end, shared by a link, saved as a file."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, Person, Screen, next_round
from tests.browser.test_access import nothing_is_wrong
from tests.web.robots import LocalServer, under


def play(person: Person, server: LocalServer, option: str = "Raise") -> None:
    """A round of One For The Money, and betting is open in the next."""
    person.bet("Ante", 500)
    person.deal()
    person.decide(option)
    next_round(server, "money")
    expect(person.chip(500)).to_be_enabled()


def rows(person: Person) -> Locator:
    return person.drawer.get_by_role("button", name=re.compile(r"^Round \d+"))


def test_a_card_that_was_traded_says_so_in_the_list_and_in_the_recall(
    house: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("4h 9c 4d Ks")
    ann = visit(house, screen)
    ann.begin("money", "Ante", 500, seat=3)
    ann.decide("Trade")
    ann.decide("Stand")
    expect(ann.notice).to_contain_text("You win 10.00")
    ann.open("History")
    traded = ann.drawer.locator(".put-away")
    expect(traded).to_contain_text("traded")
    expect(traded.get_by_role("img", name="four of hearts")).to_be_visible()
    ann.press(rows(ann).first)
    expect(traded).to_contain_text("traded")
    expect(traded.get_by_role("img", name="four of hearts")).to_be_visible()
    ann.press(ann.drawer.get_by_role("button", name="First", exact=True))
    expect(traded).to_have_count(0)
    nothing_is_wrong(ann, "a traded card")
    fits(ann)


def test_the_hands_of_a_split_have_their_own_names_in_the_list_and_in_the_recall(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("8h 6s 8c Td Td Ts 9h")  # eights against 16: split, a ten for each, and the dealer's nine is too much
    ann = visit(house)
    ann.begin("between", "Blackjack", 500)
    ann.decide("Split")
    ann.decide("Stand")
    ann.decide("Stand")
    expect(ann.notice).to_contain_text("You win 10.00")
    assert any("Hand 1 wins 5.00" in said for said in ann.in_words)
    ann.open("History")
    expect(rows(ann).first).to_contain_text("Hand 1 5Hand 2 5")
    ann.press(rows(ann).first)
    results = ann.drawer.get_by_role("region", name="Results")
    expect(results.get_by_role("listitem")).to_have_text(
        [re.compile("^Hand 1 wins 5.00"), re.compile("^Hand 2 wins 5.00")]
    )
    record = ann.drawer.locator(".record")
    expect(record).to_contain_text("places 5.00 on Blackjack.")  # which it was then
    expect(record).to_contain_text("Hand 1 wins 5.00")
    expect(record).not_to_contain_text("Blackjack wins")


def test_a_round_is_dated_by_when_it_was_over(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money", 3)
    play(ann, house, "Check")
    ann.open("History")
    (row,) = [row for row in house.get("/api/tables/money/rounds")["rounds"] if row["over"]]
    assert row["ended"] > row["time"]
    told = rows(ann).first.get_by_role("time").get_attribute("datetime")
    assert told is not None
    assert round(datetime.fromisoformat(told).timestamp() * 1000) == row["ended"]


@pytest.mark.rule("F-18")
def test_the_numbers_of_the_rules_are_told_to_who_wants_them(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money", 3)
    play(ann, house, "Check")
    ann.open("History")
    ann.press(rows(ann).first)
    expect(ann.drawer.locator(".record")).to_contain_text("Ante ")
    expect(ann.drawer).not_to_contain_text("O-06")
    ann.drawer.get_by_label("With the numbers of the rules").check()
    expect(ann.drawer.locator(".record .settled").first).to_contain_text("O-06")
    with ann.page.expect_download() as saved:
        ann.press(ann.drawer.get_by_role("button", name="Save as text"))
    assert "O-06" in saved.value.path().read_text("utf-8")


def fits(person: Person) -> None:
    """Nothing is wider than the screen."""
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_history_shows_the_net_the_cards_and_the_wagers_and_can_be_filtered(
    house: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("Kh 9c 4d", "2h 9s 4s", "9h 9c 4d")
    ann = visit(house, screen)
    ann.sit("money", 3)
    for _ in range(3):
        play(ann, house)
    ann.open("History")
    expect(rows(ann)).to_have_count(3)
    expect(rows(ann).nth(0)).to_contain_text("0.00")
    expect(rows(ann).nth(1)).to_contain_text("−10.00")
    first = rows(ann).nth(2)
    expect(first).to_contain_text("+10.00")
    expect(first).to_contain_text("Ante 5")
    expect(first).to_contain_text("Raise 5")
    expect(first.get_by_role("group", name="Your cards").get_by_role("img", name="king of hearts")).to_be_visible()
    dealers = first.get_by_role("group", name="The dealer's cards")
    expect(dealers.get_by_role("img")).to_have_count(2)
    expect(first.get_by_role("time")).to_be_visible()
    for which, numbers in (("Those I won", [1]), ("Those I lost", [2]), ("Those I played", [3, 2, 1])):
        ann.drawer.get_by_label("Show").select_option(which)
        expect(rows(ann)).to_have_count(len(numbers))
        expect(rows(ann).first).to_contain_text(f"Round {numbers[0]}")
    nothing_is_wrong(ann, "history")
    fits(ann)
    eve = visit(house, screen)
    eve.watch("money")
    eve.open("History")
    expect(rows(eve)).to_have_count(3)
    expect(eve.drawer.get_by_label("Show")).to_have_count(0)
    expect(rows(eve).first.get_by_role("group", name="The dealer's cards")).to_be_visible()
    expect(rows(eve).first).not_to_contain_text("Ante")


def test_the_wagers_of_a_round_are_listed_in_the_order_of_the_layout(tmp_path: Path, visit: Visit) -> None:
    with LocalServer(tmp_path, [under(pace=PAUSED)]) as server:
        ann = visit(server)
        ann.sit("under")
        for spot in ("Bet", "Match the Dealer", "Trips or Better"):
            ann.bet(spot, 500)
        ann.deal()
        ann.decide("3x")
        expect(ann.notice).to_contain_text("Match the Dealer")
        ann.open("History")
        listed = rows(ann).first.locator(".wagered")
        expect(listed).to_have_text("Ante 5Bet 5Play 15Trips or Better 5Match the Dealer 5")


def test_a_filter_that_finds_nothing_says_so(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.enter("money")
    ann.open("History")
    for which, said in (("All rounds", "No round is finished yet."), ("Those I won", "You have not won a round")):
        ann.drawer.get_by_label("Show").select_option(which)
        expect(ann.drawer).to_contain_text(said)


def test_a_recalled_round_opens_at_its_end_and_steps_both_ways_by_keys(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house)
    ann.sit("money", 3)
    play(ann, house)
    ann.open("History")
    ann.press(rows(ann).first)
    now = ann.drawer.locator("[aria-current=step]")
    cards = ann.drawer.get_by_role("group", name="Cards turned so far").get_by_role("img")
    results = ann.drawer.get_by_role("region", name="Results")
    expect(now).to_contain_text("The round is over; 3 cards are opened to be checked.")
    expect(cards).to_have_count(3)
    expect(results).to_contain_text("You+10.00")
    expect(results).to_contain_text("Ante wins 5.00: higher card, 1 to 1")
    expect(ann.drawer.get_by_role("group", name="Steps")).to_be_focused()
    ann.key("ArrowLeft")
    expect(now).to_contain_text("Raise wins 5.00")
    ann.key("ArrowLeft")
    expect(now).to_contain_text("Ante wins 5.00")
    expect(results).to_contain_text("You+5.00")
    ann.key("Home")
    expect(now).to_contain_text("The round starts")
    expect(cards).to_have_count(0)
    expect(results).to_have_count(0)
    ann.key("ArrowLeft", "ArrowRight")
    expect(ann.drawer.get_by_text("2 of")).to_be_visible()
    ann.key("End")
    expect(now).to_contain_text("The round is over")
    back = ann.drawer.get_by_role("button", name="Back")
    ann.press(back)
    ann.key("ArrowLeft")
    expect(now).to_contain_text("Ante wins 5.00")
    expect(back).to_be_focused()
    expect(ann.chip(500)).to_be_checked()  # no key reached the table behind it


# Sharing.


@pytest.fixture
def room(tmp_path: Path) -> Iterator[LocalServer]:
    """A table of Down Under Hold'em: hole cards are turned to their seat alone."""
    with LocalServer(tmp_path, [under(pace=PAUSED)]) as server:
        yield server
        server.check()


def both_fold(room: LocalServer, ann: Person, bob: Person) -> None:
    """Ann at seat 3 and bob at seat 2 fold, so that nobody but they ever see their cards."""
    ann.sit("under", 3)
    bob.sit("under", 2)
    for person in (ann, bob):
        person.bet("Ante", 500)
    for person in (ann, bob):
        person.deal()
    for option in ("Check", "Fold"):
        for person in (bob, ann):
            person.decide(option)
    next_round(room, "under")


def link_of(person: Person, own: bool) -> str:
    person.press(person.drawer.get_by_role("button", name="Share this round"))
    if own:
        person.drawer.get_by_role("checkbox", name="Show my own cards").check()
        expect(person.drawer.get_by_role("textbox", name="Link")).to_have_value(re.compile("share="))
    return person.drawer.get_by_role("textbox", name="Link").input_value()


@pytest.mark.rule("F-14", "F-18")
def test_a_shared_link_shows_the_sharers_own_cards_and_nobody_elses(
    room: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann, bob, eve = visit(room, screen), visit(room, screen), visit(room, screen)
    both_fold(room, ann, bob)
    ann.open("History")
    expect(rows(ann).first).to_contain_text("Your cards are in the round.")
    ann.press(rows(ann).first)
    turned = ann.drawer.get_by_role("group", name="Cards turned so far")
    mine = turned.locator(".recall-hand", has_text="You").get_by_role("img")
    expect(mine).to_have_count(2)
    own = [str(card.get_attribute("aria-label")) for card in mine.all()]
    bob.open("History")
    bob.press(rows(bob).first)
    hers = bob.drawer.get_by_role("group", name="Cards turned so far")
    expect(hers.locator(".recall-hand", has_text="You").get_by_role("img")).to_have_count(2)
    others = [
        str(c.get_attribute("aria-label"))
        for c in hers.locator(".recall-hand", has_text="You").get_by_role("img").all()
    ]

    eve.go(link_of(ann, own=True))
    expect(eve.page.get_by_role("heading", name="Round 1, Eucalyptus")).to_be_visible()
    expect(eve.page.get_by_text("recall", exact=True)).to_be_visible()
    expect(eve.page.get_by_role("note")).to_contain_text("Seat 3 shows you the cards that only it saw.")
    expect(eve.felt).to_be_visible()
    shown = eve.page.get_by_role("group", name="Cards turned so far")
    seat = shown.locator(".recall-hand", has_text="Seat 3").get_by_role("img")
    assert [card.get_attribute("aria-label") for card in seat.all()] == own
    for card in others:
        expect(eve.page.get_by_text(card)).to_have_count(0)
        expect(shown.get_by_role("img", name=card)).to_have_count(0)
    expect(eve.page.get_by_text("the approved rules, for training")).to_be_visible()
    nothing_is_wrong(eve, "shared round")
    fits(eve)
    eve.key("Home")
    expect(shown.get_by_role("img")).to_have_count(0)
    eve.key("End")
    eve.press(eve.page.get_by_text("Check the cards of this round"))
    expect(eve.page.get_by_text(re.compile("cards that were turned leads"))).to_be_visible()
    expect(eve.page.locator(".check.no")).to_have_count(0)


def is_open(view: dict[str, Any], point: str) -> bool:
    """Whether betting is open with this point, or none."""
    return bool(view["phase"] == "betting" and view["told"]["point"] == point)


def test_a_game_of_dice_is_shared_from_ones_own_seat(dice_house: LocalServer, visit: Visit, rolls: Stack) -> None:
    """There are no own cards that could be shown, and on a phone one seat is seen."""
    rolls("4211 4311")
    ann, eve = visit(dice_house), visit(dice_house, PHONE)
    with dice_house.join("yo", 2) as bob:
        ann.sit("yo", 5)
        ann.bet("Play", 500)
        bob.until(partial(is_open, point="none"))
        bob.done("place", spot="play", amount=500)
        for point in ("none", "6"):
            bob.until(partial(is_open, point=point))
            ann.press(ann.button("Ready"))
            bob.done("ready")
            bob.my_turn()
            bob.done("choose", option="roll")
        expect(ann.notice).to_contain_text("Play loses 5.00")
        ann.open("History")
        ann.press(rows(ann).first)
        ann.press(ann.drawer.get_by_role("button", name="Share this round"))
        expect(ann.drawer.get_by_label("Show my own cards")).to_have_count(0)
        link = ann.drawer.get_by_label("Link to this round")
        ann.drawer.get_by_label("Show it from my seat").check()
        expect(link).to_have_value(re.compile("share="))
        eve.go(link.input_value())
    expect(eve.page.get_by_text("Seat 5 is shown; the others are told below.")).to_be_visible()
    expect(eve.page.get_by_role("note")).to_have_text("You see the round from seat 5.")


@pytest.mark.rule("F-14")
def test_a_link_without_the_own_cards_shows_what_lay_open_to_all(room: LocalServer, visit: Visit) -> None:
    ann, bob, eve = visit(room), visit(room), visit(room)
    both_fold(room, ann, bob)
    ann.open("History")
    ann.press(rows(ann).first)
    link = link_of(ann, own=False)
    assert link.endswith("/table/under/round/1")
    eve.go(link)
    expect(eve.felt).to_be_visible()
    expect(eve.page.get_by_role("note")).to_have_count(0)
    expect(eve.page.get_by_text("A card is turned to one seat alone.").first).to_be_attached()
    expect(eve.page.locator(".recall-hand", has_text="Seat")).to_have_count(0)


@pytest.mark.parametrize("screen", [PHONE], ids=str)
def test_a_link_that_opens_nothing_says_so_in_words(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    ann.forgive("403|404")
    ann.sit("money", 3)
    play(ann, house)
    for path, said in (
        ("/table/money/round/1?share=AAAAAAAAAAAAAAAAAAAAAAA", "This link does not open anybody's cards"),
        ("/table/money/round/2", "Round 2 at Burgundy is still being played"),
        ("/table/money/round/77", "There is no such round at Burgundy"),
    ):
        ann.go(path)
        expect(ann.page.get_by_role("main")).to_contain_text(said)
        expect(ann.page.get_by_role("link", name="To the lobby")).to_be_visible()
        fits(ann)


# Saving.


def test_a_round_is_saved_as_json_and_as_text(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house)
    ann.sit("money", 3)
    play(ann, house)
    ann.open("History")
    ann.press(rows(ann).first)
    with ann.page.expect_download() as saved:
        ann.press(ann.drawer.get_by_role("link", name="Save as JSON"))
    assert saved.value.suggested_filename == "feltworks-money-round-1.json"
    assert json.loads(Path(saved.value.path()).read_text("utf-8")) == house.get("/api/tables/money/rounds/1")
    with ann.page.expect_download() as saved:
        ann.press(ann.drawer.get_by_role("button", name="Save as text"))
    assert saved.value.suggested_filename == "feltworks-money-round-1.txt"
    text = Path(saved.value.path()).read_text("utf-8")
    assert text.startswith("Round 1 at Burgundy, recalled from the records\nOne For The Money, with 3 Card Bonus\n")
    at = 0
    for words in ("Seat 3 places 5.00 on Ante.", "is turned: king of hearts.", "Ante wins 5.00", "The round is over"):
        assert words in text[at:], text
        at = text.index(words, at)
