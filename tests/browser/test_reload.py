"""A page that is opened again, in any phase, shows what it showed, and offers the same wagers once more."""

import re
from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import expect

from feltworks.web import hub as hub_module
from tests.browser.conftest import Stack, Visit
from tests.browser.people import Person, Screen, next_round, round_is_over
from tests.browser.test_connection import GONE
from tests.web.robots import DEMO, LocalServer, ServerProcess


def plays(person: Person) -> None:
    """A round that wins 10.00 on Ante and Raise and loses 5.00 on the bonus."""
    person.sit("money")
    person.bet("Ante", 500)
    person.bet("3 Card Bonus")
    person.deal()
    person.decide("Raise")
    expect(person.notice).to_contain_text("You win 5.00")


def rows(person: Person) -> list[str]:
    return person.notice.get_by_role("list", name="Your wagers").get_by_role("listitem").all_inner_texts()


def test_a_reload_keeps_the_result_and_rebet(house: LocalServer, visit: Visit, stacked: Stack, screen: Screen) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house, screen)
    plays(ann)
    told = rows(ann)
    round_is_over(house, "money")
    ann.page.reload()
    expect(ann.notice).to_contain_text("You win 5.00")
    assert rows(ann) == told
    next_round(house, "money")
    expect(ann.button("Rebet and deal")).to_be_enabled()
    ann.page.reload()
    expect(ann.notice).to_contain_text("Round 1: You win 5.00")
    assert rows(ann) == told
    ann.press(ann.button("Rebet"))
    ann.finds("Ante", 500)
    ann.finds("3 Card Bonus", 500)
    ann.page.reload()
    ann.finds("Ante", 500)
    ann.deal()
    expect(ann.options).to_have_count(3)
    ann.page.reload()
    expect(ann.options).to_have_count(3)
    expect(ann.notice).not_to_contain_text("Round 1")


def test_rebet_and_the_last_result_wait_for_who_comes_back_to_the_table_later(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Kh 9c 4d")
    ann, bob = visit(house), visit(house)
    plays(ann)
    next_round(house, "money")
    ann.press(ann.page.get_by_role("button", name="Leave seat"))
    ann.go("/")
    bob.sit("money")
    expect(bob.button("Rebet")).to_be_disabled()
    expect(bob.notice).not_to_contain_text("Round 1")
    ann.sit("money", 1)
    expect(ann.notice).to_contain_text("Round 1: You win 5.00")
    ann.press(ann.button("Rebet"))
    ann.finds("Ante", 500)
    ann.finds("3 Card Bonus", 500)


def test_of_what_was_open_only_what_was_wagered_last_is_bet_again(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Kh 9c 4d", "Kh 9c 4d")
    ann = visit(house)
    ann.sit("money")
    for spots in (["Ante", "3 Card Bonus"], ["Ante"]):
        for spot in spots:
            ann.bet(spot, 500)
        ann.deal()
        ann.decide("Check")
        expect(ann.notice).to_contain_text(re.compile("You win 5.00|You come out even"))
        next_round(house, "money")
        expect(ann.button("Rebet and deal")).to_be_enabled()
    ann.page.reload()
    ann.press(ann.button("Rebet"))
    ann.finds("Ante", 500)
    ann.finds("3 Card Bonus", 0)


@pytest.mark.rule("Y-12")
def test_in_a_game_of_dice_what_an_earlier_betting_took_is_bet_again_after_a_reload(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 5311 3411", "2211")  # a point of 6, an eight, a seven
    ann = visit(dice_house)
    ann.sit("yo")
    ann.bet("Play", 500)
    ann.bet("Low", 100)
    ann.press(ann.button("Ready and roll"))
    expect(ann.notice).to_contain_text("Low ")
    ann.page.reload()
    expect(ann.notice).to_contain_text("Low ")
    expect(ann.spot("Low")).to_be_visible()
    ann.press(ann.button("Ready and roll"))
    expect(ann.notice).to_contain_text("Low loses 1.00")
    expect(ann.head).to_contain_text("Betting is open. You roll.")
    ann.press(ann.button("Ready and roll"))
    expect(ann.notice).to_contain_text("You lose")
    next_round(dice_house, "yo")
    expect(ann.button("Rebet")).to_be_enabled()
    ann.page.reload()
    expect(ann.notice).to_contain_text("Round 1: You lose")
    ann.press(ann.button("Rebet"))
    ann.finds("Play", 500)


@pytest.mark.slow
def test_rebet_and_the_last_result_are_there_when_the_server_is_started_anew(tmp_path: Path, visit: Visit) -> None:
    with ServerProcess(tmp_path, tables=DEMO) as server:
        ann = visit(server)
        ann.forgive(GONE)
        ann.begin("money", "Ante", 500)
        ann.decide("Check")
        expect(ann.notice).to_contain_text(re.compile("You (win|lose)|comes back"))
        ann.page.locator("body").press(" ")  # which asks the dealer to go on
        expect(ann.button("Rebet and deal")).to_be_enabled()
        told = ann.notice.inner_text()
        assert told.startswith("Round 1: ")
        server.kill()
    with ServerProcess(tmp_path, tables=DEMO, port=server.port):
        ann.page.reload()
        expect(ann.button("Rebet and deal")).to_be_enabled()
        expect(ann.notice).to_have_text(told)


@pytest.mark.rule("F-30")
def test_a_seat_is_kept_through_a_reload_and_free_soon_after_its_page_was_closed(
    house: LocalServer, visit: Visit
) -> None:
    ann, bob, eve = visit(house), visit(house), visit(house)
    ann.sit("money", 1)
    bob.sit("money", 2)
    eve.watch("money")
    for _ in range(2):
        ann.page.reload()
        expect(ann.rail.get_by_role("radio").first).to_be_enabled()
    with patch.object(hub_module, "KEEPS_SEAT", 0.0):
        bob.page.close()
        expect(eve.page.get_by_role("region", name="The table in words")).to_contain_text("Seat 2, free")
    assert "Seat 1, Guest 1: no wager." in eve.in_words
    ann.go("/")
    expect(eve.page.get_by_role("region", name="The table in words")).to_contain_text("Seat 1, Guest 1: away")
    ann.watch("money")
    expect(ann.rail.get_by_role("radio").first).to_be_enabled()
