"""What is posted: pay tables and rules, every round recalled step by step, and the check of its cards."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from feltworks.floor.journal.receipts import read_signatures
from feltworks.floor.journal.records import Receipt
from feltworks.floor.verification.verify import verify
from feltworks.web import posted
from tests.browser.conftest import Stack, Visit
from tests.browser.people import PHONE, WINDOW, Person, Screen, next_round
from tests.web.robots import LIMITS, LocalServer, Robot, between, money, play_on, under, yo


def play(person: Person, option: str = "Raise") -> None:
    person.bet("Ante", 500)
    person.deal()
    person.decide(option)
    expect(person.notice).to_contain_text("You ")


@pytest.mark.slow
def test_pay_tables_limits_and_readings_are_posted(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    ann.enter("money")
    ann.open("Pay tables")
    for line, pays in (("Straight flush", "40 to 1"), ("Flush", "5 to 1"), ("Ante", "1.00 to 100.00"), ("Decks", "6")):
        expect(ann.drawer.get_by_role("row").filter(has_text=line).last).to_contain_text(pays)
    expect(ann.drawer).to_contain_text("Is ace-2-3 a straight for the 3 Card Bonus?")
    expect(ann.drawer).to_contain_text("A training table, for play money.")
    definition = house.get("/api/games/one-for-the-money")["fingerprint"]["definition"]
    expect(ann.drawer).to_contain_text(re.compile("Definition [0-9a-f]+"))
    assert len(definition) == 64


@pytest.mark.slow
@pytest.mark.rule("F-01", "F-31", "D-22")
def test_each_screen_says_how_the_table_stands_and_one_step_away_why(
    tmp_path: Path, visit: Visit, screen: Screen
) -> None:
    tables = [under(), between(id="odds", pay={"in_between": "30,12,6,4,3/2"})]
    with LocalServer(tmp_path, tables) as server:
        ann = visit(server, screen)
        for table, said in (("under", "the approved rules, for training"), ("odds", "modified: not as approved")):
            ann.watch(table)
            badge = ann.page.get_by_role("list", name="About this table").get_by_text(said, exact=True)
            expect(badge).to_be_visible()
            assert badge.evaluate("badge => badge.scrollWidth <= badge.clientWidth"), "the words are cut"
            ann.open("Pay tables")
            listed = ann.drawer.locator(".notes").first.get_by_role("listitem")
            expect(listed).to_have_text(server.watch(table).view["table"]["warnings"])
            ann.open("Rules")
            expect(ann.drawer).to_contain_text("Before any modification ask the Washington State Gambling Commission.")


@pytest.mark.rule("F-31")
def test_the_badge_that_says_how_the_table_stands_opens_its_reasons(
    tmp_path: Path, visit: Visit, screen: Screen
) -> None:
    with LocalServer(tmp_path, [between(pay={"in_between": "30,12,6,4,3/2"})]) as server:
        ann = visit(server, screen)
        ann.watch("between")
        badge = ann.button("modified: not as approved")
        for by_keyboard in (False, True):
            if by_keyboard:
                badge.press("Enter")
            else:
                ann.press(badge)
            listed = ann.drawer.locator(".notes").first.get_by_role("listitem")
            expect(listed).to_have_text(server.watch("between").view["table"]["warnings"])
            expect(ann.drawer.get_by_role("heading", name="Standing")).to_be_in_viewport()
            ann.key("Escape")
            expect(ann.drawer).to_have_count(0)
            expect(badge).to_be_focused()


@pytest.mark.slow
def test_every_rule_is_posted_with_its_number_and_its_source(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.enter("between")
    ann.open("Rules")
    ann.press(ann.drawer.get_by_text("All rules, by the documents"))
    for statement in posted.game("in-between").statements:
        item = ann.drawer.get_by_role("listitem").filter(has_text=statement.id)
        expect(item).to_contain_text(statement.text)
        expect(item).to_contain_text(str(statement.source))
    expect(ann.drawer).to_contain_text("Washington State Gambling Commission")


@pytest.mark.slow
def test_a_round_is_recalled_step_by_step_and_marked_as_recall(
    house: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("4h 9c 4d Ks")
    ann = visit(house, screen)
    ann.sit("money")
    ann.open("History")
    expect(ann.drawer).to_contain_text("No round is finished yet.")
    ann.press(ann.drawer.get_by_role("button", name="Close"))
    ann.bet("Ante", 500)
    ann.deal()
    ann.decide("Trade")
    ann.decide("Stand")
    expect(ann.notice).to_contain_text("You win 10.00")
    ann.open("History")
    ann.press(ann.drawer.get_by_role("button", name=re.compile("^Round 1")))
    drawer = ann.drawer
    expect(drawer.get_by_text("recall", exact=True)).to_be_visible()
    expect(drawer.get_by_role("heading", name="Round 1")).to_be_visible()
    cards = drawer.get_by_role("group", name="Cards turned so far").get_by_role("img")
    now = drawer.locator("[aria-current=step]")
    expect(now).to_contain_text("The round is over; 4 cards are opened to be checked.")
    expect(cards).to_have_count(4)
    ann.press(drawer.get_by_role("button", name="First", exact=True))
    expect(now).to_contain_text("The round starts with 312 freshly shuffled cards; their root is published.")
    expect(cards).to_have_count(0)
    told = [now.inner_text()]
    while drawer.get_by_role("button", name="Next").is_enabled():
        ann.press(drawer.get_by_role("button", name="Next"))
        told.append(now.inner_text())
    story = "\n".join(told)
    at = 0
    for part in (
        "Seat 3 places 5.00 on Ante.",
        "Betting is closed.",
        "The card of seat 3 is turned: four of hearts.",
        "Seat 3 decides: trade",
        "The card of seat 3 is turned: king of spades.",
        "Seat 3 decides: stand",
        "A card of the dealer is turned: nine of clubs.",
        "Seat 3: Ante wins 5.00: higher card, 1 to 1 (+5.00).",
        "The round is over; 4 cards are opened to be checked.",
    ):
        assert part in story[at:], f"{part!r} is not told, or in another order:\n{story}"
        at = story.index(part, at)
    expect(cards).to_have_count(4)
    ann.press(drawer.get_by_role("button", name="First", exact=True))
    expect(cards).to_have_count(0)
    ann.press(drawer.get_by_role("button", name="All rounds"))
    expect(drawer.get_by_text("recall", exact=True)).to_have_count(0)


@pytest.mark.rule("F-04")
def test_the_rules_and_open_questions_at_a_table_are_those_of_its_version(tmp_path: Path, visit: Visit) -> None:
    tables = [money(), money(id="match", version="perfect-match", limits={"ante": LIMITS, "perfect_match": LIMITS})]
    with LocalServer(tmp_path, tables) as server:
        for table, own, other in (
            ("money", "3 Card Bonus", "Perfect Match"),
            ("match", "Perfect Match", "3 Card Bonus"),
        ):
            ann = visit(server)
            ann.enter(table)
            ann.open("Rules")
            expect(ann.drawer.get_by_role("heading", name="How to play")).to_be_visible()
            ann.press(ann.drawer.get_by_text("All rules, by the documents"))
            statements = ann.drawer.locator(".statements li > p:first-of-type")
            begin = [text.split(" reads ")[0] for text in statements.all_inner_texts()]
            assert own in begin and other not in begin
            expect(ann.drawer.locator(".how-to")).not_to_contain_text(other)
            here = ann.drawer.get_by_text("Here: it stays out of play until the round ends.")
            expect(here).to_be_visible()
            ann.open("Pay tables")
            expect(ann.drawer).to_contain_text("Where does a traded card go")
            asked = ann.drawer.get_by_text("Is ace-2-3 a straight for the 3 Card Bonus?")
            expect(asked).to_have_count(1 if table == "money" else 0)


# How everything that is written on the felt looks.
WRITTEN = """
() => [...document.querySelectorAll(".felt text")].map((text) => {
  const { fontSize, fontFamily, fontWeight, fill } = getComputedStyle(text);
  return [text.textContent.trim(), fontSize, fontFamily, fontWeight, fill].join(" ");
})
"""


@pytest.mark.parametrize("table", ["money", "between", "under", "yo"])
def test_the_felt_looks_as_before_when_everything_in_the_drawer_was_read(
    tmp_path: Path, visit: Visit, table: str
) -> None:
    with LocalServer(tmp_path, [money(), between(), under(), yo()]) as server:
        ann = visit(server)
        ann.enter(table)
        before = ann.page.evaluate(WRITTEN)
        assert len(before) > 10
        for part in ("Pay tables", "Rules", "History", "Fairness", "Session", "Settings"):
            ann.open(part)
        ann.press(ann.drawer.get_by_role("button", name="Close"))
        expect(ann.drawer).to_have_count(0)
        assert ann.page.evaluate(WRITTEN) == before


def test_keys_are_told_where_there_is_a_keyboard_and_nowhere_else(house: LocalServer, visit: Visit) -> None:
    for screen in (WINDOW, PHONE, Screen(844, 390, touch=True), Screen(1180, 820, touch=True)):
        ann = visit(house, screen)
        ann.sit("money")
        there = 0 if screen.touch else 1
        expect(ann.rail.locator("kbd")).to_have_count(4 * there)
        ann.open("Settings")
        expect(ann.drawer.get_by_label("Sound")).to_be_visible()
        expect(ann.drawer.get_by_role("heading", name="Keys")).to_have_count(there)
        expect(ann.drawer.get_by_label("Letter keys")).to_have_count(there)
        expect(ann.drawer.get_by_text("Tab, arrows")).to_have_count(there)
        ann.press(ann.drawer.get_by_role("button", name="Close"))
        ann.press(ann.page.get_by_role("button", name=re.compile("^Leave")))


@pytest.mark.slow
def test_earlier_rounds_are_found_when_there_are_many(house: LocalServer, visit: Visit) -> None:
    with house.join("money", 3) as bob:
        for _ in range(24):
            play_one(bob)
            next_round(house, "money")
    ann = visit(house)
    ann.enter("money")
    ann.open("History")
    rounds = ann.drawer.get_by_role("button", name=re.compile(r"^Round \d+"))
    expect(rounds.first).to_contain_text("Round 24")
    ann.press(ann.drawer.get_by_role("button", name="Earlier rounds"))
    expect(rounds).to_have_count(24)
    expect(rounds.last).to_contain_text("Round 1")


def test_the_cards_of_the_last_round_fit_the_root_that_the_page_noted(
    house: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(house, screen)
    ann.sit("money")
    play(ann)
    ann.open("Fairness")
    findings = ann.drawer.get_by_role("listitem")
    expect(ann.drawer).to_contain_text("Each of the 3 cards that were turned leads")
    expect(ann.drawer).to_contain_text("The opened cards are exactly the cards that the record says were turned.")
    expect(ann.drawer).to_contain_text("This page had noted the root itself before the first of these cards was dealt.")
    expect(findings.get_by_role("img", name="does not hold")).to_have_count(0)
    root = house.get("/api/tables/money/rounds/1")["root"]
    expect(ann.drawer.get_by_text(root).first).to_be_visible()


@pytest.mark.slow
def test_a_page_that_came_too_late_says_that_it_takes_the_root_from_the_record(
    house: LocalServer, visit: Visit
) -> None:
    ann, eve = visit(house), visit(house)
    ann.sit("money")
    play(ann)
    eve.watch("money")
    eve.open("Fairness")
    expect(eve.drawer).to_contain_text("Each of the 3 cards")
    expect(eve.drawer).to_contain_text("so it takes the root from the record")


@pytest.mark.slow
def test_the_cards_of_a_shoe_are_checked_against_the_root_of_its_first_round(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Th 9c 9h 8d 9s Td 9d 8s Tc 6s 8c 5d 8h")  # 19 against 17, 19 against 18, 18 against 19
    ann = visit(house)
    ann.sit("between")
    for _ in range(3):
        ann.bet("Blackjack", 500)
        ann.deal()
        ann.decide("Stand")
        expect(ann.notice).to_contain_text(" against 1")
        next_round(house, "between")
        expect(ann.chip(500)).to_be_enabled()
    ann.open("Fairness")
    for round, cards in (("3", 5), ("2", 4), ("1", 4)):
        ann.drawer.get_by_label("Round").select_option(round)
        expect(ann.drawer).to_contain_text(f"Each of the {cards} cards that were turned leads")
        expect(ann.drawer).to_contain_text("exactly the cards")


@pytest.mark.slow
@pytest.mark.rule("F-21", "F-23")
def test_cards_dealt_on_from_the_discards_are_checked_against_a_root_of_their_own(tmp_path: Path, visit: Visit) -> None:
    """One deck to its last card: the round in which it runs out has two roots, and each card leads to its own."""
    with LocalServer(tmp_path, [between(decks=1, seats=1, penetration=100)]) as server:
        eve = visit(server)
        eve.watch("between")
        with server.join("between", 1) as bob:
            shuffled: list[Any] = []
            while not shuffled:
                number = bob.phase("betting")["round"]
                bob.done("place", spot="base", amount=100)
                bob.done("ready")
                play_on(bob)
                played = server.get(f"/api/tables/between/rounds/{number}")
                shuffled = [r["event"] for r in played["records"] if r["event"]["kind"] == "reshuffled"]
        eve.open("Fairness")
        eve.drawer.get_by_label("Round").select_option(str(number))
        expect(eve.drawer).to_contain_text("cards that were turned leads, with its position and salt")
        expect(eve.drawer).to_contain_text("exactly the cards")
        expect(eve.drawer.get_by_role("img", name="does not hold")).to_have_count(0)
        expect(eve.drawer.get_by_text(shuffled[0]["root"]).first).to_be_visible()
        eve.open("History")
        eve.press(eve.drawer.get_by_role("button", name=re.compile(f"^Round {number}")))
        expect(eve.drawer).to_contain_text(
            f"The shoe is empty; the {shuffled[0]['size']} cards that are not of this round"
        )
        server.check()


CHANGES = {
    "card": 'opening.card = opening.card === "As" ? "Ks" : "As"',
    "position": "opening.position += 1",
    "salt": 'opening.salt = opening.salt.replace(/^./, (c) => (c === "0" ? "1" : "0"))',
    "proof": 'opening.proof[0].hash = opening.proof[0].hash.replace(/.$/, (c) => (c === "0" ? "1" : "0"))',
    "short proof": "opening.proof.pop()",
    "long proof": "opening.proof.push(opening.proof[0])",
    "order of the proof": "opening.proof.reverse()",
    "another root": 'opening.root = round.root = round.root.replace(/^./, (c) => (c === "0" ? "1" : "0"))',
    "nothing": "",
}


def test_the_page_notices_every_change_of_an_opening(house: LocalServer, visit: Visit) -> None:
    with house.join("money", 3) as bob:
        play_one(bob)
    eve = visit(house)
    eve.watch("money")
    round = house.get("/api/tables/money/rounds/1")
    for what, change in CHANGES.items():
        holds = eve.page.evaluate(
            """async (round) => {
                const { checkRound } = await import("/static/drawers/fairness.js");
                const sizes = new Map([[round.root, round.size]]);
                const opening = round.records.at(-1).event.openings[0];
                CHANGE;
                return (await checkRound(round, sizes)).cards.map((card) => card.holds);
            }""".replace("CHANGE", change),
            round,
        )
        assert holds == [what == "nothing", True, True] or (what == "another root" and holds[0] is False), what


def play_one(robot: Robot) -> None:
    """A whole round, quickly."""
    robot.phase("betting")
    robot.done("place", spot="ante", amount=100)
    robot.done("ready")
    robot.my_turn()
    robot.done("choose", option="check")
    robot.phase("waiting")


def test_the_drawer_says_plainly_when_a_card_is_not_the_one_that_was_committed_to(
    house: LocalServer, visit: Visit, stacked: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    stacked("Kh 9c 4d")
    recall = posted.recall

    def lying(*asked: Any) -> Any:
        """A record that tells of an ace where a king was dealt, in all places alike."""
        found = msgspec.to_builtins(recall(*asked))
        for record in found["records"] if found else []:
            event = record["event"]
            if event.get("answer") == {"kind": "card", "card": "Kh"}:
                event["answer"]["card"] = "Ah"
            for opening in event.get("openings", []):
                opening["card"] = opening["card"].replace("Kh", "Ah")
        return found

    monkeypatch.setattr(posted, "recall", lying)
    ann = visit(house)
    ann.sit("money")
    play(ann)
    ann.open("Fairness")
    expect(ann.drawer).to_contain_text("1 of 3 cards do not lead to the published root.")
    expect(ann.drawer.get_by_role("img", name="does not hold").first).to_be_visible()


@pytest.mark.slow
def test_the_drawer_says_when_the_record_and_the_openings_differ(
    house: LocalServer, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    recall = posted.recall

    def silent(*asked: Any) -> Any:
        """A record that leaves out one of the openings."""
        found = msgspec.to_builtins(recall(*asked))
        for record in found["records"] if found else []:
            del record["event"].get("openings", [])[1:2]
        return found

    monkeypatch.setattr(posted, "recall", silent)
    ann = visit(house)
    ann.sit("money")
    play(ann)
    ann.open("Fairness")
    expect(ann.drawer).to_contain_text("The opened cards are not the cards that the record says were turned.")


@pytest.mark.rule("F-16")
def test_the_last_receipt_is_shown_and_is_what_verify_takes(
    house: LocalServer, visit: Visit, screen: Screen, tmp_path: Path
) -> None:
    ann = visit(house, screen)
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.enter("money")
    ann.open("Fairness")
    expect(ann.drawer.get_by_text("Your last receipt")).to_have_count(0)
    ann.press(ann.drawer.get_by_role("button", name="Close"))
    ann.sit("money")
    ann.bet("Ante", 500)
    ann.open("Fairness")
    expect(ann.drawer.get_by_role("heading", name="Your last receipt")).to_be_visible()
    expect(ann.drawer).to_contain_text("felt verify --receipt FILE")
    block = ann.drawer.get_by_role("group", name="Your last receipt")
    assert msgspec.json.decode(block.inner_text(), type=Receipt) == house.run(lambda house: house.journal.head)
    ann.press(ann.drawer.get_by_role("button", name="Copy"))
    expect(ann.drawer.get_by_role("button", name="Copied")).to_be_visible()
    kept = tmp_path / "receipt.json"
    kept.write_text(ann.page.evaluate("navigator.clipboard.readText()"))
    receipts, _ = read_signatures([kept])
    assert verify(house.records, house.house.keys.public, receipts).problems == []
    first = block.inner_text()
    ann.press(ann.drawer.get_by_role("button", name="Close"))
    ann.bet("Ante", 500)
    ann.open("Fairness")
    expect(block).not_to_have_text(first)
