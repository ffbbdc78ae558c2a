"""The dealer's console in a real browser: every game is dealt by keys, with a player at a screen and one without."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Rolled, Shown, Turned
from feltworks.floor.table.settings import HouseRule, TableSettings
from feltworks.kit.cards import Card, Seat
from tests.browser.conftest import Visit
from tests.browser.consoles import TABLET, Dealer
from tests.browser.people import Screen
from tests.browser.test_access import nothing_is_wrong
from tests.web.dealing import GAMES, dealt_by_hand
from tests.web.robots import LocalServer, Robot, between, under, yo

Deal = Callable[..., Dealer]
SCREENS = [Screen(360, 740, touch=True), Screen(390, 844, touch=True), TABLET, Screen(1280, 800), Screen(1920, 1080)]
FIRST = {"one-for-the-money": ["ante"], "in-between": ["base"], "blackjack": ["base"], "yo": ["play"]}
FIRST |= {"down-under-holdem": ["ante", "bet"]}


@pytest.fixture
def deals(browser: Browser) -> Iterator[Deal]:
    """Dealers as the test wants them; when it is over, no page of theirs may have complained of anything."""
    dealers: list[Dealer] = []

    def come(server: LocalServer, table: str, **options: object) -> Dealer:
        dealers.append(Dealer(browser, server, table, **options))  # type: ignore[arg-type]
        return dealers[-1]

    yield come
    troubles = [trouble for dealer in dealers for trouble in dealer.troubles]
    for dealer in dealers:
        dealer.close()
    assert troubles == []


def ann_plays(ann: Robot) -> bool:
    """Ann, who has a screen, takes the first thing that she is asked for; whether she was."""
    if options := ann.you["options"]:
        ann.done("choose", option=options[-1]["name"] if "roll" in str(options) else options[0]["name"])
        return True
    return False


def bet(dana: Dealer, ann: Robot, spots: list[str]) -> None:
    """Ann at seat 2 and the patron at seat 3 have a wager on each of these, if it takes one now."""
    for spot in spots:
        ann.until(lambda view: view["version"] >= dana.table.version)
        if spot in [one["spot"] for one in ann.you["spots"] if not one["down"]]:
            ann.done("place", spot=spot, amount=2_500)
        (patron,) = dana.told.ask.patrons
        if spot in [one.spot for one in patron.spots if not one.down]:
            dana.bet(3, spot, 25)


def play(dana: Dealer, ann: Robot, spots: list[str]) -> None:
    """The round to its end: Dana does what the console says, and Ann decides for herself."""
    while dana.table.round is not None:
        if dana.table.betting and not dana.told.acts:
            bet(dana, ann, spots)
        if not dana.go_on():
            ann.until(lambda view: view["version"] >= dana.table.version)
            assert ann_plays(ann), dana.told.ask


@pytest.mark.slow
@pytest.mark.rule("F-03", "F-20", "F-27")
@pytest.mark.parametrize("game", GAMES)
def test_a_dealer_deals_every_game_by_keys_to_a_player_with_a_screen_and_one_without(
    tmp_path: Path, deals: Deal, game: str
) -> None:
    """What the console shows is compared with the round at every step, and Ann's balance with the books."""
    settings = GAMES[game]
    with LocalServer(tmp_path, [settings]) as server:
        ann = server.join(settings.id, 2)
        dana = deals(server, settings.id)
        dana.sign_on()
        dana.seat(3)
        for _ in range(2):
            dana.go_on()
            play(dana, ann, FIRST[game])
        assert dana.table.round_number == 2
        ann.until(lambda view: view["version"] >= dana.table.version)
        books = server.run(
            lambda house: house.journal.balance(f"player:{house.live(settings.id).table.seats[2].player}")
        )
        assert ann.you["balance"] == books
        server.check()


def scripted(deals: Deal, server: LocalServer, settings: TableSettings, seats: int) -> Dealer:
    """A round with so many seats without a screen that have bet, and nothing counted so far."""
    dana = deals(server, settings.id)
    dana.sign_on()
    dana.seat(*range(1, seats + 1))
    dana.go_on()
    for seat in range(1, seats + 1):
        for spot in FIRST[settings.game]:
            dana.bet(seat, spot, 10)
    dana.type("c")
    return dana


@pytest.mark.slow
@pytest.mark.rule("F-20")
def test_a_round_of_down_under_with_six_seats_takes_at_most_sixty_presses(tmp_path: Path, deals: Deal) -> None:
    """Cards, lights and decisions; the most of them are when every seat checks, and plays after the flop."""
    settings = dealt_by_hand(under(seats=6))
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 6)
        dana.actions = 0
        last = {"check": 0, "1x": 0}
        while (dana.table.round is not None) and not dana.table.round.over:
            told = dana.told
            if told.ask.kind in ("card", "light", "choose"):  # what is to do before it is done with it
                keys = dana.entry() if told.ask.kind != "choose" else [_key(told.ask.choices, last)]
                dana.type(*keys)
            else:
                dana.space()
        entered = [past.event.answer for past in dana.table.answers if isinstance(past.event, ev.Answered)]
        kinds = [type(answer) for answer in entered]
        assert (kinds.count(Turned), kinds.count(Shown), kinds.count(Decided)) == (5 + 2 + 12, 2, 12)
        assert dana.actions <= 60


def _key(choices: tuple[object, ...], wanted: dict[str, int]) -> str:
    return next(choice.key for choice in choices if choice.name in wanted)  # type: ignore[attr-defined,no-any-return]


@pytest.mark.rule("F-20")
def test_a_roll_of_yo_takes_at_most_eight_presses(tmp_path: Path, deals: Deal) -> None:
    """From one betting to the next: closed, rolled by the shooter, entered, taken and paid."""
    settings = dealt_by_hand(yo())
    with LocalServer(tmp_path, [settings]) as server:
        dana = deals(server, "yo")
        dana.sign_on()
        dana.seat(1, 2)
        dana.go_on()
        for seat in (1, 2):
            dana.bet(seat, "play", 10)
        dana.tick()
        dana.actions = 0
        dana.type("c")
        dana.type("r")
        dana.type("1", "3", "2", "5")  # four: the point is set
        dana.tick()
        assert dana.actions <= 8
        assert dana.told.ask.kind == "bet"
        assert isinstance(dana.table.answers[-1].event, ev.Answered)
        assert dana.table.answers[-1].event.answer == Rolled((1, 3, 2, 5))


@pytest.mark.rule("F-20")
def test_a_card_of_blackjack_takes_at_most_three_presses(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(between(burn=0))
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 2)
        for card, keys in (("7h", "7h"), ("Td", "Td"), ("Ts", "10s"), ("Th", "0h")):
            dana.actions = 0
            dana.type(*keys)
            assert dana.actions <= 3
            assert Card(card) in [face.card for face in dana.table.round.cards.values()]  # type: ignore[union-attr]


@pytest.mark.rule("F-20")
def test_a_scanner_s_line_is_one_entry_and_the_same_line_twice_counts_once(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(between(burn=0))
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 2)
        dana.scan("QH")
        expect(dana.asked).to_have_text("Seat 2's first card")
        dana.scan("QH")
        expect(dana.wrong).to_contain_text("twice; it was entered once")
        for rubbish in ("~~%%", "7hh", "http://x", "4", "1h", "♥"):
            dana.scan(rubbish)
            expect(dana.wrong).to_contain_text(f"The scanner sent “{rubbish}”; that is no card.")
        dana.page.wait_for_timeout(1_100)
        dana.scan("qh")  # there is another one in six decks
        expect(dana.asked).to_have_text("The upcard")
        assert [face.card for face in dana.table.round.cards.values()] == [Card("Qh"), Card("Qh")]  # type: ignore[union-attr]


@pytest.mark.rule("F-20", "D-10")
def test_what_cannot_be_is_said_in_words_and_the_same_once_more_stops_the_table(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(under(seats=2))
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 1)
        assert "is no light here" in dana.wrongly("x")
        dana.type("b")
        dana.type("r")
        dana.type("2")
        assert "is no rank" in dana.wrongly("x")
        dana.type("7", "h")
        assert "7h is not possible" in dana.wrongly("7", "h")
        assert "is no suit" in dana.wrongly("8", "x")
        dana.key("Backspace")
        dana.type("8", "h")
        dana.type("9", "h")
        assert "was read as small" in dana.wrongly("K", "s")
        assert dana.table.incident == ""
        dana.type("K", "s")
        assert dana.table.incident == "reader fault"
        expect(dana.asked).to_have_text("The supervisor decides.")


@pytest.mark.rule("F-20")
def test_the_dealer_takes_back_the_last_entry_a_wager_for_a_seat_included(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(between(burn=0))
    with LocalServer(tmp_path, [settings]) as server:
        dana = deals(server, "between")
        dana.sign_on()
        dana.seat(1)
        dana.go_on()
        dana.tick()
        assert "nothing to take back" in dana.wrongly("Backspace")
        dana.bet(1, "base", 50)
        dana.type("Backspace")
        assert not dana.table.wagers
        dana.bet(1, "base", 5)
        dana.type("c")
        dana.type("7", "h")
        expect(dana.asked).to_have_text("The upcard")
        dana.type("Backspace")
        expect(dana.asked).to_have_text("Turn seat 1's first card")
        dana.type("7", "d")
        assert [face.card for face in dana.table.round.cards.values()] == [Card("7d")]  # type: ignore[union-attr]


@pytest.mark.rule("F-41", "F-05", "Y-35")
def test_a_relief_in_the_middle_of_a_round_keeps_every_place_and_the_other_console_says_so(
    tmp_path: Path, deals: Deal
) -> None:
    rewritten = HouseRule("The tray is counted at every relief.")
    settings = dealt_by_hand(between(burn=0), house_rules=(rewritten,))
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 2)
        dana.type("7", "h")
        eli = deals(server, "between", name="Eli")
        eli.come()
        eli.page.get_by_role("button", name="House rules, keys").click()
        expect(eli.page.locator(".house-rules")).to_have_text(
            "The tray is counted at every relief. approved house rules"
        )
        eli.page.keyboard.press("Escape")
        expect(eli.asked).to_have_text("Relieve Dana.")
        assert "Press R to relieve them" in eli.wrongly("Space")
        assert eli.table.dealer == dana.id, "Space is what a dealer presses most, and relieves nobody"
        eli.type("r")
        expect(eli.asked).to_have_text("Seat 2's first card")
        expect(dana.page.locator(".said")).to_contain_text("Eli deals here now")
        assert "Eli deals here now" in dana.wrongly("8", "h")
        eli.type("9", "h")
        expect(dana.page.locator(".arc")).to_contain_text("9")
        assert dana.table.dealer == eli.id


@pytest.mark.rule("F-17", "F-20")
def test_what_is_entered_while_the_line_is_cut_is_sent_once_when_it_is_back(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(between(burn=0))
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 2)
        dana.forgive("WebSocket|ERR_INTERNET_DISCONNECTED")
        dana.context.set_offline(True)
        for client in server.run(lambda _: list(server.hub.clients)):
            server.run(lambda _, client=client: server.hub.leave(client))  # type: ignore[misc]
        dana.page.evaluate("dispatchEvent(new Event('offline'))")
        expect(dana.page.get_by_role("status").filter(has_text="Offline")).to_be_visible()
        for key in ("8", "s"):
            dana.key(key)
            dana.page.wait_for_timeout(60)
        dana.context.set_offline(False)
        dana.page.evaluate("dispatchEvent(new Event('online'))")
        expect(dana.asked).to_have_text("Seat 2's first card")
        assert [face.card for face in dana.table.round.cards.values()] == [Card("8s")]  # type: ignore[union-attr]


@pytest.mark.rule("F-27")
def test_everything_can_be_entered_by_touch_and_only_what_can_be_is_offered(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(under(seats=2))
    with LocalServer(tmp_path, [settings]) as server:
        dana = deals(server, "under")
        dana.sign_on()
        dana.seat(1)
        page = dana.page

        def touch(name: str) -> None:
            before = dana.table.version
            dana.press(page.get_by_role("button", name=re.compile(name)))
            server.wait_for(lambda: dana.table.version > before)
            dana.caught_up()

        touch("start the round")
        touch("^Done")
        touch("\\$5 on Ante")
        dana.press(page.get_by_role("button", name="Bet", exact=True))
        touch("\\$5 on Bet")
        touch("Close the betting")
        touch("^Done")
        touch("Small")
        touch("Large")
        touch("^All 2 done|^Done")
        touch("Check")
        ranks = page.get_by_role("group", name="Rank").get_by_role("button")
        suits = page.get_by_role("group", name="Suit").get_by_role("button")
        for rank in ("queen", "king", "ace"):
            expect(suits.first).to_be_disabled()
            dana.press(page.get_by_role("button", name=rank, exact=True))
            before = dana.table.version
            dana.press(page.get_by_role("button", name="spades", exact=True))
            server.wait_for(lambda before=before: dana.table.version > before)  # type: ignore[misc]
            dana.caught_up()
        touch("^1x")
        offered = [rank.get_attribute("aria-label") for rank in ranks.all() if rank.is_enabled()]
        assert offered == ["five", "four", "three", "two"], "the light showed a small card"


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_axe_finds_nothing_on_the_console_and_it_fits_any_screen(tmp_path: Path, deals: Deal, screen: Screen) -> None:
    settings = dealt_by_hand(under(seats=6))
    with LocalServer(tmp_path, [settings]) as server:
        dana = deals(server, "under", screen=screen)
        dana.come()

        def look(where: str) -> None:
            nothing_is_wrong(dana, f"{where} at {screen}")
            assert dana.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
            small = dana.page.evaluate(
                "[...document.querySelectorAll('button, a')].map(e => e.getBoundingClientRect())"
                ".filter(b => b.width && (b.width < 44 || b.height < 44)).length"
            )
            assert small == 0, f"{where}: {small} targets are too small"

        look("nobody deals")
        dana.space()
        dana.seat(1, 2)
        look("to shuffle")
        dana.go_on()
        look("betting")
        for seat in (1, 2):
            dana.bet(seat, "ante", 25)
            dana.bet(seat, "bet", 25)
        dana.type("c")
        look("to light")
        for _ in range(2):
            dana.type(*dana.entry())
        look("to decide")
        dana.type("3")
        dana.type("c")
        look("a card")
        laid, asked = (dana.page.locator(f".entry {place}").bounding_box() for place in (".laid", "h2"))
        assert laid and asked and laid["x"] == asked["x"] and laid["y"] + laid["height"] <= asked["y"]
        assert dana.wrongly("x")
        look("wrong")
        for panel in ("?", "/"):
            dana.key(panel)
            expect(dana.page.get_by_role("dialog")).to_be_visible()
            look(panel)
            dana.key("Escape")
        while not dana.table.round.over:  # type: ignore[union-attr]
            dana.go_on()
        look("settled")


def test_a_dealer_reports_what_went_wrong_and_the_table_stops(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(between(burn=0))
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 1)
        dana.key("/")
        dialog = dana.page.get_by_role("dialog")
        dana.press(dialog.get_by_role("button", name="Misdeal"))
        dialog.get_by_label("What was seen").fill("a card fell")
        dana.press(dialog.get_by_role("button", name="Stop the table"))
        expect(dana.asked).to_have_text("The supervisor decides.")
        assert dana.table.incident == "misdeal"


def test_a_visitor_s_way_leads_from_the_dealer_s_start_page_to_the_console(tmp_path: Path, visit: Visit) -> None:
    with LocalServer(tmp_path, [dealt_by_hand(between(burn=0))], demo=True) as server:
        dana = visit(server)
        dana.go("/demo")
        page = dana.page
        dana.press(page.locator("button[value=dealer]"))
        dana.press(page.get_by_role("link", name=re.compile("Deal at Green")))
        expect(page.locator("#ask")).to_have_text("Sign on to deal here.")
        dana.key("Space")
        expect(page.locator("#ask")).to_contain_text("Shuffle")


@pytest.mark.rule("F-27")
def test_one_thing_after_the_other_is_ticked_off_by_a_key(tmp_path: Path, deals: Deal) -> None:
    """So that whoever relieves a dealer in the middle of paying finds the place."""
    settings = dealt_by_hand(yo())
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 2)
        dana.type("r")
        expect(dana.acts).to_have_count(7)
        for left in (6, 5):
            dana.type(".")
            expect(dana.acts).to_have_count(left)
        dana.compare()
        eli = deals(server, "yo", name="Eli")
        eli.come()
        eli.type("r")
        expect(eli.acts).to_have_count(5)


@pytest.mark.rule("Y-24", "Y-29")
def test_what_is_about_a_wager_is_reported_with_its_seat_spots_and_amount(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(yo())
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 2)
        dana.type("r")
        dana.key("/")
        dialog = dana.page.get_by_role("dialog")
        dana.press(dialog.get_by_role("button", name="Wager after the close"))
        dana.press(dialog.get_by_text("About a seat or a wager"))
        dana.press(dialog.get_by_role("button", name="Seat 2", exact=True))
        dana.press(dialog.get_by_role("button", name="Low", exact=True))
        dialog.get_by_label("Amount in dollars").fill("5")
        dana.press(dialog.get_by_role("button", name="Stop the table"))
        expect(dana.asked).to_contain_text("decides")
        assert dana.table.incident == "wager after the close"


@pytest.mark.rule("B-03")
def test_a_patron_insures_for_less_than_half_of_the_wager(tmp_path: Path, deals: Deal) -> None:
    settings = dealt_by_hand(between(burn=0))
    with LocalServer(tmp_path, [settings]) as server:
        dana = scripted(deals, server, settings, 1)
        for card in ("9h", "As", "8d"):
            dana.type(*card)
        dana.space()
        expect(dana.acts).to_have_count(1)
        expect(dana.acts).to_contain_text("Insurance?")
        expect(dana.page.get_by_text("For less, type the dollars first.")).to_be_visible()
        dana.type("3", ".", "5", "0", "i")
        assert dana.table.wagers[Seat(1), "insurance"] == 350


@pytest.mark.rule("D-13")
def test_chips_of_the_jackpot_that_were_taken_are_not_drawn_at_their_seat(tmp_path: Path, deals: Deal) -> None:
    with LocalServer(tmp_path, [dealt_by_hand(under())]) as server:
        dana = deals(server, "under")
        dana.sign_on()
        dana.seat(1)
        dana.go_on()
        for spot, dollars in (("ante", 10), ("bet", 10), ("jackpot", 1)):
            dana.bet(1, spot, dollars)
        seat = dana.page.locator(".arc > li").first
        jackpot = seat.locator("dl div", has_text="Jackpot").locator("dd")
        expect(jackpot).to_have_text("$1")
        dana.type("c")
        while dana.told.ask.kind != "light":
            dana.go_on()
        expect(jackpot).to_have_text("registered")
