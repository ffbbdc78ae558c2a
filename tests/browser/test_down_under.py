"""Whole rounds of Down Under Hold'em in the browser: the bands before the decision, own cards for one's own eyes, equal
wagers, the sensed jackpot, folded hands, and choosing together."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from feltworks.floor.people import GRANT
from feltworks.floor.table.settings import Clocks, Limits
from feltworks.kit.cards import Card
from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, Person, Screen, next_round, shown
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_chips import has
from tests.browser.test_layout import lies_well, place_of
from tests.browser.test_rounds import all_see, can_do_nothing
from tests.browser.test_weight import weighed
from tests.web.robots import LocalServer, money, under

DEAL = "Ks 7c 5c Kd 2d 8d Qs 3h 9d 7h 7s"
"""For seats 2 and 4: kings, seven and two; the dealer's five and eight; the flop, and two sevens after it."""
LARGE = Limits(100, 200_000)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[LocalServer]:
    """A table whose next round begins when the test says so."""
    with LocalServer(tmp_path, [under(pace=PAUSED)]) as server:
        yield server
        server.check()


def ears(person: Person) -> list[str]:
    """Everything that a page is sent from now on."""
    heard: list[str] = []
    person.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    return heard


def lit(person: Person) -> dict[str, int]:
    """The bands whose light is on, and how many lights."""
    bands = person.felt.locator(".band.lit")
    return {str(band.get_attribute("data-band")): band.locator(".lamp").count() for band in bands.all()}


def on_the_board(person: Person) -> Locator:
    """Cards on the felt whose face is seen."""
    return person.felt.locator(".card .face")


def knows(person: Person, heard: list[str], *cards: str) -> bool:
    """Whether a page has been sent any of these cards, or holds its name."""
    names = [Card(text).name for text in cards]
    page = person.page.content()
    return any(f'"{text}"' in frame for text in cards for frame in heard) or any(name in page for name in names)


@pytest.mark.rule("D-03", "D-04", "D-05", "D-06", "D-07", "D-08", "D-09", "D-11")
def test_one_raises_and_wins_and_one_folds_with_a_bonus_that_wins_all_the_same(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked(DEAL)
    ann, bob, eve = people = visit(room), visit(room), visit(room)
    heard = [ears(person) for person in people]
    ann.sit("under", 2)
    bob.sit("under", 4)
    eve.watch("under")
    can_do_nothing(eve)
    ann.bet("Ante", 500)
    bob.bet("Ante", 500)
    bob.bet("Trips or Better", 500)
    assert lit(eve) == {}
    ann.deal()
    bob.deal()

    # The bands are lit before anybody decides; the dealer's cards lie there face down.
    expect(ann.options).to_have_text([re.compile("Check"), re.compile("2x 10.00"), re.compile("3x 15.00")])
    for person in people:
        expect(person.felt.locator(".band.lit")).to_have_count(2)
        assert lit(person) == {"small": 1, "medium": 1}
        told = person.page.get_by_role("region", name="The table in words")
        expect(told).to_contain_text(
            "Dealer: a small card, face down in the small band, a medium card, face down in the medium band."
        )
    expect(ann.page.get_by_role("region", name="The table in words")).to_contain_text(
        "king of spades, king of diamonds"
    )
    expect(on_the_board(ann)).to_have_count(2)
    expect(on_the_board(bob)).to_have_count(2)
    expect(on_the_board(eve)).to_have_count(0)
    can_do_nothing(bob)
    ann.decide("3x")
    bob.decide("Check")
    expect(bob.options).to_have_text([re.compile("Fold"), re.compile("1x 5.00")])
    expect(ann.notice).to_contain_text("You have a pair of kings.")
    expect(bob.notice).to_contain_text("You have queen high.")
    all_flop = "queen of spades on the board, three of hearts on the board, nine of diamonds on the board"
    for person in people:
        told = person.page.get_by_role("region", name="The table in words")
        expect(told).to_contain_text(all_flop)
        expect(told).to_contain_text("a small card, face down")
    for person, frames, secret in zip(people, heard, ("7c 2d", "Ks Kd", "Ks Kd 7c 2d"), strict=True):
        assert not knows(person, frames, *secret.split(), "5c", "8d", "7h", "7s")
    assert knows(ann, heard[0], "Ks")
    assert knows(bob, heard[1], "7c")

    bob.decide("Fold")
    expect(ann.notice).to_contain_text("You win 20.00")
    better = "two pair, kings and sevens beats a pair of sevens"
    for row in (f"Ante wins 5.00: {better}, 1 to 1", f"Play wins 15.00: {better}, 1 to 1"):
        expect(ann.notice).to_contain_text(row)
    expect(ann.notice).to_contain_text(f"Bet comes back: {better}, but is below a straight")
    expect(bob.notice).to_contain_text("You win 5.00")
    expect(bob.notice).to_contain_text("Ante loses 5.00: folded")
    expect(bob.notice).to_contain_text("Bet loses 5.00: folded")
    expect(bob.notice).to_contain_text("Trips or Better wins 15.00: three of a kind, sevens, 3 to 1")
    all_see(list(people), "five of clubs in the small band, eight of diamonds in the medium band", "seven of spades on")
    for person in people:
        expect(person.felt.locator(".card.folded")).to_have_count(2)
    expect(ann.felt.locator(".plate").filter(has_text="Guest 2")).to_contain_text("folded")
    expect(bob.felt.locator(".fold")).to_have_text("Folded")
    expect(ann.felt.locator(".own .tag")).to_have_text(["+5", "Push", "+15"])
    assert (ann.balance, bob.balance) == (GRANT + 2000, GRANT + 500) == (ann.ledger, bob.ledger)
    next_round(room, "under")
    expect(ann.chip(500)).to_be_enabled()
    ann.bet("Ante", 500)
    expect(ann.felt.locator(".band.lit")).to_have_count(0)


@pytest.mark.rule("D-04")
def test_both_cards_in_one_band_light_it_twice(room: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Ks Tc Kd Ah 2c 3c 4c 8h 8s")
    ann = visit(room)
    ann.begin("under", "Ante", 500)
    expect(ann.options).to_have_count(3)
    assert lit(ann) == {"large": 2}
    expect(ann.felt.locator("[data-band=large]")).to_contain_text("Large10 J Q K A")


# Wagers.


@pytest.mark.rule("D-02")
def test_what_goes_on_the_ante_goes_on_the_bet_and_what_is_taken_up_is_from_both(
    room: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(room, screen)
    ann.sit("under")
    expect(ann.notice).to_contain_text("Choose a chip and put it on Ante; Bet takes the same.")
    ann.bet("Ante", 500)
    ann.finds("Bet", 500)
    has(ann, 1000)
    ann.bet("Bet", 2500)
    ann.finds("Ante", 3000)
    ann.finds("Bet", 3000)
    ann.bet("Trips or Better", 100)
    has(ann, 6100)
    ann.press(ann.button("Undo"))
    ann.finds("Trips or Better", 0)
    ann.press(ann.button("Undo"))
    ann.finds("Ante", 500)
    ann.finds("Bet", 500)
    has(ann, 1000)
    ann.bet("Match the Dealer", 500)
    ann.spot("Bet").focus()
    ann.key("Delete")
    for spot in ("Ante", "Bet", "Match the Dealer"):
        ann.finds(spot, 0)
    has(ann, 0)
    ann.press(ann.chip(500))
    for spot in ("Ante", "Bet", "Ante"):
        ann.press(ann.spot(spot))
    ann.finds("Ante", 1500)
    ann.finds("Bet", 1500)
    has(ann, 3000)


@pytest.mark.rule("D-02")
def test_rebet_puts_the_same_on_both_again(room: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Ks 5c Kd 8d Qs 3h 9d 7h 7s")
    ann = visit(room)
    ann.sit("under")
    ann.bet("Ante", 2500)
    ann.bet("Jackpot")
    ann.deal()
    ann.decide("3x")
    expect(ann.notice).to_contain_text("You win 99.00")
    before = ann.ledger
    next_round(room, "under")
    ann.press(ann.button("Rebet"))
    for spot, amount in (("Ante", 2500), ("Bet", 2500), ("Jackpot", 100)):
        ann.finds(spot, amount)
    has(ann, 5100, of=before)
    ann.press(ann.button("Clear"))
    ann.finds("Ante", 0)
    has(ann, 0, of=before)


@pytest.mark.rule("D-02", "F-07")
def test_what_does_not_reach_for_both_is_refused_and_nothing_is_half_done(tmp_path: Path, visit: Visit) -> None:
    """By the page where it can tell, and where the table refuses the second, the first is taken back."""
    limits = {
        **dict.fromkeys(("ante", "bet", "trips_or_better", "match_the_dealer"), LARGE),
        "jackpot": Limits(100, 100),
    }
    tables = [
        under(id="high", limits=limits, pace=PAUSED),
        under(id="low", limits={**limits, "bet": Limits(100, 500)}, pace=PAUSED),
        money(limits={"ante": LARGE, "three_card_bonus": LARGE}, pace=PAUSED),
    ]
    with LocalServer(tmp_path, tables) as server:
        ann = visit(server)
        ann.sit("low")
        ann.press(ann.chip(2500))
        ann.press(ann.spot("Ante"))
        expect(ann.notice).to_contain_text("Bet is at its most, 5.00.")
        ann.finds("Ante", 500)
        ann.finds("Bet", 500)
        ann.press(ann.button("Clear"))
        ann.finds("Ante", 0)
        ann.sit("high")
        ann.press(ann.chip(100_000))
        ann.press(ann.spot("Ante"))
        expect(ann.notice).to_contain_text("You have 1,000.00; 1,000.00 on Ante and on Bet takes 2,000.00.")
        ann.finds("Ante", 0)
        has(ann, 0)
        ann.bet("Ante", 2500)
        other = ann.tab()
        other.sit("money")
        for chip in (50_000, 10_000, 10_000, 10_000):
            other.bet("Ante", chip)
        ann.press(ann.chip(10_000))
        ann.press(ann.spot("Bet"))
        expect(ann.notice).to_contain_text("You have 50.00; that is less than 100.00.")
        ann.finds("Bet", 2500)
        ann.finds("Ante", 2500)
        has(ann, 5000, of=GRANT - 80_000)
        server.check()


@pytest.mark.rule("D-13", "D-19")
def test_the_jackpot_spot_takes_its_one_amount_and_lights_once_it_is_registered(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Ks 7c 5c Kd 2d 8d Kh 3h 9d 7h 7s")
    ann, bob = visit(room), visit(room)
    ann.sit("under", 2)
    bob.sit("under", 4)
    expect(ann.felt.locator(".sign")).to_have_text("House jackpot$10,000")
    expect(ann.spot("Jackpot")).to_have_count(0)
    ann.bet("Ante", 2500)
    assert ann.down("Jackpot") == "Jackpot, empty, 1.00. Place it."
    ann.bet("Jackpot")
    ann.finds("Jackpot", 100)
    ann.press(ann.spot("Jackpot"))
    expect(ann.notice).to_contain_text("Jackpot is at its most, 1.00.")
    expect(ann.felt.locator(".sensor.lit")).to_have_count(0)
    bob.bet("Ante", 500)
    ann.deal()
    bob.deal()
    expect(ann.options).to_have_count(3)
    for person in (ann, bob):
        expect(person.felt.locator(".sensor.lit .star")).to_have_count(1)
    expect(ann.felt.locator(".own .spot").filter(has_text="Jackpot").locator(".stack")).to_have_count(0)
    ann.decide("3x")
    bob.decide("Check")
    bob.decide("Fold")
    expect(ann.notice).to_contain_text("Jackpot wins 8.00: three of a kind, 9 for 1")
    expect(ann.felt.locator(".sensor.lit")).to_have_count(0)
    assert ann.balance == ann.ledger == GRANT + 2500 + 7500 + 7500 + 800  # a full house: the Bet pays 3 to 1


@pytest.mark.rule("D-02", "D-19")
def test_a_table_without_a_jackpot_has_neither_its_spot_nor_its_sign(tmp_path: Path, visit: Visit) -> None:
    given = {spot: limits for spot, limits in under().limits.items() if spot not in ("jackpot", "match_the_dealer")}
    plain = under(without=("jackpot", "match_the_dealer"), limits=given, pay={}, prize=None, pace=PAUSED)
    with LocalServer(tmp_path, [plain]) as server:
        ann = visit(server)
        ann.sit("under")
        ann.bet("Ante", 500)
        ann.bet("Trips or Better")
        expect(ann.felt.locator(".band")).to_have_count(3)
        for what in (".sensor", ".sign"):
            expect(ann.felt.locator(what)).to_have_count(0)
        expect(ann.felt.locator(".own .spot")).to_have_count(4)
        ann.deal()
        ann.decide("3x")
        expect(ann.notice).to_contain_text("Trips or Better ")
        server.check()


# Decisions.


@pytest.mark.rule("D-05", "D-06")
def test_a_round_is_played_with_single_keys(room: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Ks 5c Kd 8d Qs 3h 9d 7h 7s", "Ks 5c Kd 8d Qs 3h 9d 7h 7s")
    ann = visit(room)
    ann.enter("under")
    ann.key("d")
    expect(ann.chip(500)).to_be_enabled()
    expect(ann.spot("Ante")).to_be_visible()
    ann.key("2", "ArrowDown")
    expect(ann.spot("Ante")).to_be_focused()
    ann.key("Enter")
    ann.finds("Ante", 500)
    ann.finds("Bet", 500)
    ann.key("d")
    expect(ann.options).to_have_count(3)
    ann.key("c")
    expect(ann.options).to_have_count(2)
    ann.key("1")
    expect(ann.notice).to_contain_text("You win 10.00")
    next_round(room, "under")
    expect(ann.button("Rebet")).to_be_enabled()
    ann.key("r")
    ann.finds("Bet", 500)
    ann.key(" ")
    expect(ann.options).to_have_count(3)
    ann.key("2")
    expect(ann.notice).to_contain_text("You win 15.00")
    assert ann.balance == ann.ledger == GRANT + 2500


@pytest.mark.rule("D-06", "D-09", "F-30")
def test_the_clock_that_runs_out_checks_and_then_folds_and_the_dealers_cards_stay_sealed(
    tmp_path: Path, visit: Visit, stacked: Stack
) -> None:
    stacked("Ks 5c Kd 8d Qs 3h 9d 7h 7s")
    tables = [under(pace=PAUSED, clocks=Clocks(betting=600_000, decision=1_500))]
    with LocalServer(tmp_path, tables) as server:
        ann = visit(server)
        heard = ears(ann)
        ann.begin("under", "Ante", 500)
        expect(ann.notice).to_contain_text("You lose 10.00")
        expect(ann.notice).to_contain_text("Ante loses 5.00: folded")
        assert ann.balance == ann.ledger == GRANT - 1000
        assert "a small card, face down" in ann.in_words[0]
        assert not knows(ann, heard, "5c", "8d", "7h")
        server.check()


@pytest.mark.rule("D-05")
def test_what_others_choose_is_shown_when_all_have_chosen(tmp_path: Path, visit: Visit, stacked: Stack) -> None:
    stacked(DEAL)
    with LocalServer(tmp_path, [under(pace=PAUSED, readings={"order_of_action": "together"})]) as server:
        ann, bob = visit(server), visit(server)
        heard = ears(bob)
        for person, seat in ((ann, 2), (bob, 4)):
            person.sit("under", seat)
            person.bet("Ante", 500)
        for person in (ann, bob):
            person.deal()
        for person in (ann, bob):
            expect(person.head).to_contain_text("Your decision.")
        ann.decide("3x")
        expect(ann.felt.locator(".own .total")).to_have_text(["5", "5", "15"])
        expect(ann.head).to_contain_text("Guest 2 to act.")
        told = bob.page.get_by_role("region", name="The table in words")
        expect(told).not_to_contain_text("to act; to act")
        expect(bob.felt.locator(".plate.acting")).to_have_count(0)
        assert "Play" not in " ".join(bob.in_words)
        assert not any("3x" in frame and '"decide"' in frame for frame in heard)
        bob.decide("Check")
        expect(bob.options).to_have_count(2)
        expect(told).to_contain_text("Play 15.00")
        bob.decide("Fold")
        expect(ann.notice).to_contain_text("You win 20.00")
        expect(ann.felt.locator(".own .tag")).to_have_text(["+5", "Push", "+15"])
        server.check()


# Everything in its place.


@pytest.mark.rule("D-04", "D-09", "D-13")
def test_every_thing_has_its_place_and_axe_finds_nothing_through_a_whole_round(
    room: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("2s 3c Ks 7h 7c Kd 2d 9c 4h 9s 5c Kh 2c 2h 7d Qc Kc")  # seats 1 to 5, the dealer's kings, and the board
    ann = visit(room, screen)
    ann.enter("under")
    lies_well(ann, "Take a seat")
    nothing_is_wrong(ann, "empty table")
    robots = {seat: room.join("under", seat) for seat in (1, 2, 4, 5)}
    ann.press(ann.button("Take a seat"))
    wagers = {"ante": 9900, "bet": 9900, "trips_or_better": 2500, "match_the_dealer": 2500, "jackpot": 100}
    for robot in robots.values():
        robot.phase("betting")
        for spot, amount in wagers.items():
            robot.done("place", spot=spot, amount=amount)
        robot.done("ready")
    ann.bet("Ante", 2500)
    for spot in ("Trips or Better", "Match the Dealer", "Jackpot"):
        ann.bet(spot)
    lies_well(ann, "Undo", "Clear", "Rebet", "Deal")
    nothing_is_wrong(ann, "betting")
    before = place_of(ann.felt), place_of(ann.rail)
    ann.deal()
    for seat in (1, 2):
        robots[seat].my_turn()
        robots[seat].done("choose", option="3x" if seat == 1 else "check")
    expect(ann.options).to_have_count(3)
    lies_well(ann, "Check", "2x", "3x")
    nothing_is_wrong(ann, "decision")
    ann.decide("Check")
    for seat in (4, 5):
        robots[seat].my_turn()
        robots[seat].done("choose", option="2x" if seat == 4 else "check")
    robots[2].until(lambda view: any(option["name"] == "fold" for option in view["you"]["options"]))
    robots[2].done("choose", option="fold")
    expect(ann.options).to_have_count(2)
    lies_well(ann, "Fold", "1x")
    nothing_is_wrong(ann, "flop")
    assert (place_of(ann.felt), place_of(ann.rail)) == before
    ann.decide("Fold")
    robots[5].until(lambda view: any(option["name"] == "fold" for option in view["you"]["options"]))
    robots[5].done("choose", option="1x")
    expect(ann.notice).to_contain_text("Trips or Better loses 25.00: two pair, kings and twos is below three of a kind")
    lies_well(ann, "Deal")
    nothing_is_wrong(ann, "results")
    assert (place_of(ann.felt), place_of(ann.rail)) == before
    for robot in robots.values():
        robot.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("screen", "seats"),
    [
        (Screen(320, 568, touch=True), 5),
        (Screen(844, 390, touch=True), 5),
        (Screen(1360, 640), 7),
        (Screen(1920, 1080), 7),
    ],
    ids=str,
)
def test_seven_seats_and_small_screens_have_room_for_everything(
    tmp_path: Path, visit: Visit, screen: Screen, seats: int, stacked: Stack
) -> None:
    stacked("2s 3c Ks 7h 7c 8c 9d Kd 2d 9c 4h 9s 5c Jc Jd Kh 2c 2h 7d Qc Kc")
    with LocalServer(tmp_path, [under(pace=PAUSED, seats=seats)]) as server, ExitStack() as stack:
        ann, own = visit(server, screen), (seats + 1) // 2
        robots = {s: stack.enter_context(server.join("under", s)) for s in range(1, seats + 1) if s != own}
        ann.enter("under")
        ann.press(ann.button("Take a seat"))
        for robot in robots.values():
            robot.phase("betting")
            for spot in ("ante", "bet", "trips_or_better", "match_the_dealer"):
                robot.done("place", spot=spot, amount=2500)
            robot.done("place", spot="jackpot", amount=100)
            robot.done("ready")
        ann.bet("Ante", 2500)
        ann.bet("Jackpot")
        lies_well(ann, "Deal")
        ann.deal()
        for seat in range(1, seats + 1):
            if seat == own:
                ann.decide("3x")
            else:
                robots[seat].my_turn()
                robots[seat].done("choose", option="2x")
        expect(ann.notice).to_contain_text(re.compile("You (win|lose) "))
        lies_well(ann, "Deal")


@pytest.mark.rule("D-05", "D-08")
def test_a_round_on_a_phone_with_everything_in_motion(room: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Ks 5c Kd 8d Qs 3h 9d 7h 7s")
    ann = visit(room, PHONE, calm=False)
    ann.sit("under")
    ann.bet("Ante", 2500)
    ann.bet("Jackpot")
    ann.deal()
    expect(ann.options).to_have_count(3)
    assert lit(ann) == {"small": 1, "medium": 1}
    expect(ann.felt.locator("[data-band=large] > .ranks")).to_have_text("10 J Q K A")
    ann.decide("2x")
    expect(ann.notice).to_contain_text("You win 74.00")
    expect(ann.felt.locator(".index.large")).to_have_text(["5", "8", "Q", "3", "9", "7", "7"])
    assert ann.ledger == GRANT + 7400
    expect(ann.figure("Balance")).to_have_text(shown(GRANT + 7400))


# What is posted.


@pytest.mark.rule("D-14", "D-17", "D-19", "D-22", "F-04")
def test_the_pay_tables_the_prize_and_the_warnings_are_in_the_drawer(
    room: LocalServer, visit: Visit, screen: Screen
) -> None:
    ann = visit(room, screen)
    ann.watch("under")
    ann.open("Pay tables")
    for table, line in (
        ("Bet", "All other handspush"),
        ("Trips or Better", "Royal flush50 to 1"),
        ("Match the Dealer", "2 card matches10 to 1"),
        ("Jackpot", "Straight flush10 % of the prize, $1,000"),
        ("Jackpot", "Envy, straight flush$300"),
        ("Limits", "Jackpot1.00"),
    ):
        posted = ann.drawer.locator("table").filter(has=ann.page.locator("caption", has_text=re.compile(f"^{table}")))
        assert line in re.sub(r"\s*\n\s*|\t", "", posted.inner_text()), (table, line)
    expect(ann.drawer).to_contain_text("House jackpot: $10,000")
    expect(ann.drawer).to_contain_text("Card reader: Feltworks reads the dealer's cards itself")
    nothing_is_wrong(ann, "pay tables")


@pytest.mark.slow
@pytest.mark.rule("F-18", "F-21")
def test_a_round_is_told_again_and_every_card_that_was_turned_is_checked(
    room: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Ks 5c Kd 8d Qs 3h 9d 7h 7s")
    ann = visit(room)
    ann.sit("under")
    ann.bet("Ante", 500)
    ann.bet("Trips or Better")
    ann.deal()
    ann.decide("Check")
    ann.decide("Fold")
    expect(ann.notice).to_contain_text("You lose")
    ann.open("History")
    ann.press(ann.drawer.get_by_role("button", name=re.compile("^Round 1")))
    for words in (
        "The dealer's first card goes to the small band.",
        "Seat 3 alone sees its card: king of spades.",
        "A card of the flop is turned: queen of spades.",
        "The first card of seat 3 is folded.",
        "The river is turned: seven of spades.",
    ):
        expect(ann.drawer.get_by_text(words).first).to_be_attached()
    ann.open("Fairness")
    expect(ann.drawer.get_by_text("Each of the 9 cards that were turned leads")).to_be_visible()
    expect(ann.drawer.locator(".check.no")).to_have_count(0)


def test_what_only_this_game_needs_comes_when_it_is_needed(room: LocalServer, visit: Visit, screen: Screen) -> None:
    """The first page as heavy as that of the dice table, at most; the rest through a whole round."""
    ann = visit(room, screen, calm=False)
    weights = weighed(ann, "/table/under")
    expect(ann.felt.locator(".band")).to_have_count(3)
    assert sum(weights.values()) < 150_000, sorted(weights.items(), key=lambda item: -item[1])[:10]
    assert not any(
        part in name for name in weights for part in ("rows/player.js", "twin-wagers.js", "rows/card-layout.js")
    )
    ann.begin("under", "Ante", 500)
    ann.decide("3x")
    expect(ann.notice).to_contain_text("You have")
    ann.page.wait_for_load_state("networkidle")
    assert sum(weights.values()) < 195_000, sorted(weights.items(), key=lambda item: -item[1])[:10]
