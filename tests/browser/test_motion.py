"""Who asks for calm sees end states at once; who does not sees things move, and may act before they have."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import Person, held_back, next_round, round_is_over
from tests.browser.test_connection import STOP
from tests.web.robots import LocalServer, between, under

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


# What is said and offered, with what lies open then: every pair of them that was on the screen.
RECORD = """
window.pairs = [];
const count = (what) => document.querySelectorAll(what).length;
const look = () => {
  const said = document.querySelector(".state")?.firstChild?.textContent.trim() ?? "";
  const open = { faces: count(".card .face"), cards: count(".card"), tumbling: count(".passing"), dice: count(".die") };
  const told = { call: document.querySelector(".call")?.textContent ?? "", hands: count(".points") };
  const asked = { options: count(".option"), spots: count("[data-spot]"), clock: count(".clock") };
  const pair = JSON.stringify({ said, ...open, ...told, ...asked });
  if (pair !== window.pairs.at(-1)) window.pairs.push(pair);
};
new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""


def pairs(person: Person) -> list[dict[str, Any]]:
    return [json.loads(pair) for pair in person.page.evaluate("pairs")]


def test_nothing_is_said_or_asked_before_the_card_is_seen_that_it_is_about(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    """Even where all of it comes at once: the whole deal, and then the dealer's cards with the end of the round."""
    stacked("Kh 9c 4d")
    ann = visit(house, calm=False)
    ann.context.add_init_script(RECORD)
    ann.sit("money")
    ann.bet("Ante", 500)
    ann.page.wait_for_load_state("networkidle")
    with held_back(house):
        ann.deal()
        while not house.run(lambda house: house.live("money").table.to_act):
            ann.page.wait_for_timeout(20)
    expect(ann.options).to_have_count(3)
    with held_back(house):
        ann.decide("Raise")
        round_is_over(house, "money")
    expect(ann.notice).to_contain_text("You win 10.00")
    expect(ann.head).to_contain_text("The next round is about to start.")
    seen = pairs(ann)
    said = {pair["said"] for pair in seen}
    assert {"The dealer deals.", "Your decision.", "The round is over."} <= said
    for pair in seen:
        if pair["said"] == "Your decision." or pair["options"]:
            assert (pair["cards"], pair["faces"]) == (3, 1), pair
        if pair["said"] == "The round is over.":
            assert (pair["cards"], pair["faces"]) == (3, 3), pair
        if pair["said"] == "The dealer deals.":
            assert not (pair["options"] or pair["spots"] or pair["clock"]), pair


def test_betting_is_not_called_open_while_the_dice_are_in_the_air(
    dice_house: LocalServer, visit: Visit, rolls: Stack
) -> None:
    rolls("4211 5411")
    ann = visit(dice_house, calm=False)
    ann.context.add_init_script(RECORD)
    ann.sit("yo", 3)
    ann.bet("Play", 500)
    ann.page.wait_for_load_state("networkidle")
    for _ in range(2):
        with held_back(dice_house):
            ann.press(ann.button("Ready and roll"))
            ann.page.wait_for_timeout(200)
        expect(ann.felt.locator(".passing").first).to_be_attached()
        expect(ann.button("Ready and roll")).to_be_enabled()
    tumbling = [pair for pair in pairs(ann) if pair["tumbling"]]
    assert tumbling
    for pair in tumbling:
        assert pair["said"] == "The dice are out.", pair
        assert "Six" not in pair["call"] and "Nine" not in pair["call"], pair
        assert not (pair["spots"] or pair["options"] or pair["clock"]), pair


def test_a_hand_is_named_when_the_card_is_seen_that_makes_it(tmp_path: Path, visit: Visit, stacked: Stack) -> None:
    stacked("Ks 5c Kd 8d Qs 3h 9d 7h 7s")
    with LocalServer(tmp_path, [under(pace=PAUSED)]) as server:
        ann = visit(server, calm=False)
        ann.context.add_init_script(RECORD)
        ann.sit("under")
        ann.bet("Ante", 500)
        expect(ann.button("Deal")).to_be_enabled()
        ann.page.wait_for_load_state("networkidle")
        with held_back(server):
            ann.deal()
            while not server.run(lambda house: house.live("under").table.to_act):
                ann.page.wait_for_timeout(20)
        expect(ann.options).to_have_count(3)
        with held_back(server):
            ann.decide("3x")
            round_is_over(server, "under")
        expect(ann.notice).to_contain_text("You win")
        turned = [pair["hands"] for pair in pairs(ann) if pair["faces"] == 9]
        assert (turned[0], turned[-1]) == (0, 2)  # first the cards, then what they are
        assert all(pair["faces"] == 9 for pair in pairs(ann) if pair["hands"])


@pytest.mark.parametrize("key", ["r", " "])
def test_a_key_that_is_pressed_while_something_moves_shows_how_it_ends_and_decides_nothing(
    house: LocalServer, visit: Visit, stacked: Stack, key: str
) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house, calm=False)
    ann.context.add_init_script(STOP)
    ann.sit("money")
    ann.bet("Ante", 500)
    ann.page.wait_for_load_state("networkidle")
    with held_back(house):
        ann.deal()
        while not house.run(lambda house: house.live("money").table.to_act):
            ann.page.wait_for_timeout(20)
        ann.page.evaluate("stopped = true")
    expect(ann.felt.locator(".card")).to_have_count(3)
    expect(ann.options).to_have_count(0)
    ann.page.evaluate("document.activeElement.blur()")
    ann.key(key)
    expect(ann.options).to_have_count(3)
    assert house.run(lambda house: len(house.live("money").table.to_act)) == 1
    ann.page.evaluate("stopped = false")
    ann.key("r")
    expect(ann.notice).to_contain_text("You win 10.00")


@pytest.mark.parametrize("table", ["under", "between"])
def test_cards_that_lie_there_when_a_page_is_opened_do_not_slide_in(tmp_path: Path, visit: Visit, table: str) -> None:
    with LocalServer(tmp_path, [under(), between(burn=0)]) as server:
        bob = server.join(table, 2)
        bob.phase("betting")
        for spot in ("ante", "bet") if table == "under" else ("base",):
            bob.done("place", spot=spot, amount=500)
        bob.done("ready")
        bob.my_turn()
        ann = visit(server, calm=False)
        ann.context.add_init_script(WATCH)
        ann.watch(table)
        expect(ann.felt.locator(".card").first).to_be_visible()
        assert [move for move in moves(ann) if "card" in move or move == "script"] == []
        ann.page.set_viewport_size({"width": 900, "height": 600})
        assert [move for move in moves(ann) if "card" in move or move == "script"] == []


def test_who_skips_what_moves_is_told_how_the_round_ended_though_the_next_betting_is_open(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Kh 9c 4d 5s")
    ann = visit(house, calm=False)
    ann.begin("money", "Ante", 500)
    expect(ann.options).to_have_count(3)
    with held_back(house):
        ann.decide("Raise")
        round_is_over(house, "money")
        house.run(lambda house: house.deal_on("money", "start round"))
    ann.key("Space")
    expect(ann.head).to_contain_text("Betting is open")
    expect(ann.notice).to_contain_text("Round 1: You win 10.00")


def test_space_stakes_nothing_anew(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d 5s")
    ann = visit(house)
    ann.begin("money", "Ante", 500)
    ann.decide("Raise")
    next_round(house, "money")
    expect(ann.button("Rebet and deal")).to_be_enabled()
    for _ in range(3):
        ann.key("Space")
    ann.finds("Ante", 0)
    ann.key("d")
    expect(ann.options).to_have_count(3)
