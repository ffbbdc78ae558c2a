"""The connection breaks, the server ends, the page is left and comes back: the round goes on where it was."""

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks.floor.house import House
from feltworks.floor.people import GRANT
from tests.browser.conftest import Stack, Visit
from tests.browser.people import PHONE, Person, held_back, round_is_over, shown
from tests.web.robots import DEMO, PATIENCE, LocalServer, ServerProcess

CUT = "CONNECTION_|EMPTY_RESPONSE|INTERNET_DISCONNECTED|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING"
GONE = rf"WebSocket connection to .* failed|net::ERR_({CUT})"
"""What a browser says of a server that is not there, of the socket and of whatever else it was loading just then."""

LOST = "Reconnecting. Your seat and wagers are kept."


def at_a_decision(person: Person, ante: int = 500) -> None:
    person.begin("money", "Ante", ante, seat=3)
    expect(person.options).to_have_count(3)


def is_settled(person: Person, settled: str = "") -> None:
    """The round came to its end, with the raise, and the page has the books' balance."""
    expect(person.notice).to_contain_text(settled or re.compile("You (win|lose) 10.00|comes back"))
    expect(person.figure("Balance")).to_have_text(shown(person.ledger))
    assert person.ledger in (GRANT - 1000, GRANT, GRANT + 1000)


@pytest.mark.parametrize(
    "end", ["asked to end", pytest.param("killed", marks=pytest.mark.slow)], ids=lambda end: str(end)
)
def test_the_page_comes_back_by_itself_when_the_server_does_and_the_round_goes_on(
    tmp_path: Path, visit: Visit, end: str
) -> None:
    with ServerProcess(tmp_path, tables=DEMO) as server:
        ann = visit(server)
        ann.forgive(GONE)
        at_a_decision(ann)
        before = ann.in_words
        if end == "killed":
            server.kill()
        else:
            server.stop()
        expect(ann.head).to_contain_text(LOST)
    with ServerProcess(tmp_path, tables=DEMO, port=server.port) as server:
        expect(ann.head).to_contain_text("Your decision.")
        assert ann.in_words == before
        ann.decide("Raise")
        is_settled(ann)


@pytest.mark.slow
def test_what_is_pressed_while_the_server_is_away_is_done_once_when_it_is_back(tmp_path: Path, visit: Visit) -> None:
    with ServerProcess(tmp_path, tables=DEMO) as server:
        ann = visit(server)
        ann.forgive(GONE)
        ann.sit("money", 3)
        ann.press(ann.chip(500))
        server.kill()
        expect(ann.head).to_contain_text(LOST)
        ann.press(ann.spot("Ante"))
        expect(ann.notice).to_contain_text("What you pressed is done when the table is back.")
    with ServerProcess(tmp_path, tables=DEMO, port=server.port) as server:
        ann.finds("Ante", 500)
        expect(ann.notice).not_to_contain_text("What you pressed")
        ann.deal()
        ann.decide("Raise")
        is_settled(ann)


def test_a_drawer_that_is_first_wanted_while_the_server_is_away_says_so_and_comes_later(
    tmp_path: Path, visit: Visit
) -> None:
    with ServerProcess(tmp_path, tables=DEMO) as server:
        ann = visit(server)
        ann.forgive(GONE)
        ann.sit("money", 3)
        server.kill()
        expect(ann.head).to_contain_text(LOST)
        ann.press(ann.chip(500))
        expect(ann.chip(500)).to_be_checked()
        ann.press(ann.head.get_by_role("button", name="History"))
        expect(ann.notice).to_contain_text("The connection is lost. Trying again.")
    with ServerProcess(tmp_path, tables=DEMO, port=server.port):
        expect(ann.drawer).to_contain_text("No round is finished yet.")
        ann.bet("Ante", 500)


def test_a_drawer_that_is_opened_while_the_server_is_away_is_filled_when_it_is_back(
    tmp_path: Path, visit: Visit
) -> None:
    with ServerProcess(tmp_path, tables=DEMO) as server:
        ann = visit(server)
        ann.forgive(GONE)
        ann.enter("money")
        ann.open("Pay tables")
        server.kill()
        expect(ann.head).to_contain_text(LOST)
        for part in ("Rules", "History", "Fairness"):
            ann.press(ann.drawer.get_by_role("tab", name=part))
            expect(ann.drawer).to_contain_text("The connection is lost. Trying again.")
    with ServerProcess(tmp_path, tables=DEMO, port=server.port):
        expect(ann.drawer).to_contain_text("No round is finished yet.")


def drop_all(house: LocalServer) -> None:
    """Break every connection, as a bad network does."""

    def drop(_: House) -> None:
        for connection in list(house._server.server_state.connections):
            if connection.transport is not None:
                connection.transport.abort()

    house.run(drop)


@pytest.mark.slow
def test_a_broken_connection_is_made_again(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.forgive(GONE)
    at_a_decision(ann)
    before = ann.in_words
    for _ in range(3):
        drop_all(house)
        expect(ann.head).to_contain_text(LOST)
        expect(ann.head).to_contain_text("Your decision.")
    assert ann.in_words == before
    ann.decide("Raise")
    is_settled(ann)


def test_a_browser_that_goes_offline_goes_on_when_it_is_online_again(house: LocalServer, visit: Visit) -> None:
    ann = visit(house, PHONE)
    ann.forgive(GONE)
    at_a_decision(ann)
    ann.context.set_offline(True)
    drop_all(house)
    expect(ann.head).to_contain_text(LOST)
    expect(ann.option("Raise")).to_have_attribute("aria-disabled", "true")
    ann.context.set_offline(False)
    expect(ann.head).to_contain_text("Your decision.")
    expect(ann.option("Raise")).not_to_have_attribute("aria-disabled", "true")
    ann.decide("Raise")
    is_settled(ann)


@pytest.mark.slow
def test_others_see_that_somebody_is_away_and_back(house: LocalServer, visit: Visit) -> None:
    ann, eve = visit(house), visit(house)
    at_a_decision(ann)
    eve.watch("money")
    told = eve.page.get_by_role("region", name="The table in words")
    expect(told).not_to_contain_text("away")
    ann.go("about:blank")
    expect(told).to_contain_text("; away.")
    ann.page.go_back()
    expect(told).not_to_contain_text("away")
    ann.decide("Raise")
    is_settled(ann)


def test_reload_and_the_back_button_lead_back_into_the_round(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.go("/")
    at_a_decision(ann)
    before = ann.in_words
    ann.page.reload()
    expect(ann.options).to_have_count(3)
    assert ann.in_words == before
    ann.page.go_back()
    expect(ann.page.get_by_role("heading", name="Choose a table")).to_be_visible()
    expect(ann.page.get_by_role("banner")).to_contain_text(shown(GRANT - 500))
    ann.page.go_forward()
    expect(ann.options).to_have_count(3)
    assert ann.in_words == before
    ann.decide("Raise")
    is_settled(ann)
    ann.page.reload()
    is_settled(ann)


@pytest.mark.slow
def test_two_tabs_of_one_seat_show_and_do_the_same(house: LocalServer, visit: Visit, stacked: Stack) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house)
    ann.sit("money", 3)
    tab = ann.tab()
    tab.watch("money")
    ann.bet("Ante", 500)
    tab.finds("Ante", 500)
    tab.bet("Ante", 500)
    ann.finds("Ante", 1000)
    tab.press(tab.button("Clear"))
    ann.finds("Ante", 0)
    ann.bet("Ante", 500)
    ann.deal()
    expect(tab.options).to_have_count(3)
    tab.decide("Raise")
    for page in (ann, tab):
        is_settled(page, "You win 10.00")


# Messages with views wait in the page until they are let in.
HOLD = """
const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
window.held = null;
Object.defineProperty(WebSocket.prototype, "onmessage", {
  set(listener) {
    const waits = (event) => window.held && event.data.startsWith('{"view"');
    const later = (event) => waits(event) ? window.held.push(event) : listener(event);
    window.release = () => { const events = window.held; window.held = null; events.forEach(listener); };
    window.releaseOne = () => listener(window.held.shift());
    own.set.call(this, later);
  },
});
"""
HOLDS = "async (count) => { while (held.length < count) await new Promise(requestAnimationFrame); }"
"""Until so many of them wait."""


@pytest.mark.slow
def test_a_decision_on_a_view_that_is_out_of_date_is_refused_and_costs_nothing(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house)
    at_a_decision(ann)
    ann.context.add_init_script(HOLD)
    late = ann.tab()
    late.watch("money")
    late.page.evaluate("held = []")
    ann.decide("Check")
    expect(ann.notice).to_contain_text("You win 5.00: king beats nine, 1 to 1")
    expect(late.options).to_have_count(3)
    late.decide("Raise")
    expect(late.notice).to_contain_text("It is not your turn.")
    assert ann.ledger == ann.balance == GRANT + 500
    late.page.evaluate("release()")
    expect(late.options).to_have_count(0)
    expect(late.figure("Balance")).to_have_text(shown(GRANT + 500))
    assert late.in_words == ann.in_words


def test_what_was_pressed_is_not_pressed_again_while_views_of_before_it_come(house: LocalServer, visit: Visit) -> None:
    """The answer comes before them, and says which view shows what was done."""
    ann, bob = visit(house), visit(house)
    bob.sit("money", 1)
    ann.context.add_init_script(HOLD)
    sent: list[str] = []
    ann.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    ann.enter("money")
    ann.page.evaluate("held = []")
    bob.bet("Ante", 500)
    ann.page.evaluate(HOLDS, 1)
    ann.press(ann.button("Take a seat"))
    ann.page.evaluate(HOLDS, 2)
    ann.page.evaluate("releaseOne()")
    expect(ann.page.get_by_role("region", name="The table in words")).to_contain_text("Ante 5.00")
    ann.press(ann.button("Take a seat"))
    ann.page.evaluate("release()")
    expect(ann.button("Take a seat")).to_have_count(0)
    ann.bet("Ante", 500)
    said = [json.loads(frame) for frame in sent]
    assert [message["command"]["kind"] for message in said if "command" in message] == ["sit", "place"]


@pytest.mark.slow
def test_a_chip_on_a_view_that_is_out_of_date_is_refused_when_betting_has_closed(
    house: LocalServer, visit: Visit
) -> None:
    ann = visit(house)
    ann.sit("money", 3)
    ann.bet("Ante", 500)
    ann.context.add_init_script(HOLD)
    late = ann.tab()
    late.watch("money")
    late.press(late.chip(500))
    late.page.evaluate("held = []")
    ann.deal()
    expect(ann.options).to_have_count(3)
    late.press(late.spot("Ante"))
    expect(late.notice).to_contain_text("Betting is closed")
    assert ann.ledger == ann.balance == GRANT - 500


# The next answer is lost, and the connection with it.
LOSE = """
const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
window.lose = false;
Object.defineProperty(WebSocket.prototype, "onmessage", {
  set(listener) {
    let lost = false;
    own.set.call(this, (event) => {
      if (window.lose && event.data.startsWith('{"ok"')) {
        window.lose = false;
        lost = true;
        this.close();
      }
      if (!lost) listener(event);
    });
  },
});
"""


def test_who_decided_when_the_connection_broke_decides_on_after_it(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    """The view with what was done comes before the answer then, and no other view after it."""
    stacked("4h 9c 4d Ks")
    ann = visit(house)
    ann.context.add_init_script(LOSE)
    at_a_decision(ann)
    ann.page.evaluate("lose = true")
    ann.decide("Trade")
    expect(ann.options).to_have_count(2)
    ann.decide("Raise")
    expect(ann.notice).to_contain_text("You win 15.00")


def test_until_a_decision_is_seen_to_be_done_its_buttons_say_that_another_press_does_nothing(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("4h 9c 4d Ks")
    ann = visit(house)
    at_a_decision(ann)
    pressed = ann.option("Trade").evaluate("""async (button) => {
      const buttons = [...button.parentElement.children];
      button.click();
      for (let drawn = 0; drawn < 10; drawn++) await null;
      buttons[0].click();
      return buttons.map((other) => other.getAttribute("aria-disabled"));
    }""")
    assert pressed == ["true", "true", "true"]
    ann.decide("Raise")  # waits until the buttons may be pressed again
    expect(ann.notice).to_contain_text("You win 15.00")


# The time that the page counts by is set on by so many milliseconds.
LATER = """
window.later = 0;
const now = performance.now.bind(performance);
performance.now = () => now() + window.later;
"""


def pings(person: Person) -> tuple[list[str], list[str]]:
    """What a page sends and hears of pings from now on."""
    sent: list[str] = []
    heard: list[str] = []
    person.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    person.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    return sent, heard


def wait_for_ping(person: Person, frames: list[str], what: str) -> None:
    before = sum(what in frame for frame in frames)
    person.page.evaluate("later += 6000")
    until = time.monotonic() + PATIENCE
    while sum(what in frame for frame in frames) == before and time.monotonic() < until:
        person.page.wait_for_timeout(20)
    assert sum(what in frame for frame in frames) > before


def test_a_connection_that_has_fallen_silent_is_noticed_within_seconds_and_made_again(
    house: LocalServer, visit: Visit
) -> None:
    ann = visit(house)
    ann.context.add_init_script(LATER)
    sent, heard = pings(ann)
    at_a_decision(ann)
    wait_for_ping(ann, heard, '{"pong":')
    ann.page.evaluate("later += 4000")
    expect(ann.head).not_to_contain_text(LOST)
    with held_back(house):
        wait_for_ping(ann, sent, '{"ping":')
        ann.page.evaluate("later += 4000")
        expect(ann.head).to_contain_text(LOST)
    expect(ann.head).to_contain_text("Your decision.")
    expect(ann.head).not_to_contain_text(LOST)
    ann.decide("Raise")
    is_settled(ann)


def test_a_server_that_stays_silent_is_tried_again_and_again_until_it_answers(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.context.add_init_script(LATER)
    sent, _ = pings(ann)
    at_a_decision(ann)
    with held_back(house):
        for _ in range(4):  # and each time the page waits longer before it tries again
            wait_for_ping(ann, sent, '{"ping":')
            ann.page.evaluate("later += 4000")
        expect(ann.head).to_contain_text(LOST)
    expect(ann.head).to_contain_text("Your decision.")
    ann.decide("Raise")
    is_settled(ann)


def test_a_browser_that_says_it_is_offline_asks_at_once_whether_the_table_is_there(
    house: LocalServer, visit: Visit
) -> None:
    ann = visit(house)
    ann.context.add_init_script(LATER)
    _, heard = pings(ann)
    at_a_decision(ann)
    ann.page.evaluate("dispatchEvent(new Event('offline'))")
    until = time.monotonic() + PATIENCE
    while not any('{"pong":' in frame for frame in heard) and time.monotonic() < until:
        ann.page.wait_for_timeout(20)
    expect(ann.head).not_to_contain_text(LOST)
    with held_back(house):
        ann.page.evaluate("dispatchEvent(new Event('offline'))")
        ann.page.evaluate("later += 4000")
        expect(ann.head).to_contain_text(LOST)
    expect(ann.head).to_contain_text("Your decision.")


# What waits for longer than a moment waits until it is let go on.
STOP = """
window.stopped = false;
const later = window.setTimeout.bind(window);
window.setTimeout = (what, ms, ...given) => later(what, window.stopped && ms > 60 ? 1e8 : ms, ...given);
"""


def test_who_was_away_when_the_round_ended_is_told_how_and_sees_no_cards_of_before(
    house: LocalServer, visit: Visit, stacked: Stack
) -> None:
    stacked("Kh 9c 4d")
    ann = visit(house)
    at_a_decision(ann)
    ann.context.add_init_script(STOP)
    away = ann.tab()
    away.watch("money")
    expect(away.options).to_have_count(3)
    expect(away.felt.locator(".card")).to_have_count(3)
    away.page.evaluate("stopped = true")
    drop_all(house)
    expect(away.head).to_contain_text(LOST)
    ann.decide("Raise")
    round_is_over(house, "money")
    away.page.evaluate("stopped = false; dispatchEvent(new Event('online'))")
    expect(away.notice).to_contain_text("You win 10.00")
    expect(away.felt.locator(".card")).to_have_count(0)
    expect(away.page.get_by_role("region", name="The table in words")).to_contain_text("Dealer: no cards.")


@pytest.mark.slow
@pytest.mark.rule("F-16")
def test_a_table_that_is_closed_says_why_on_a_page_that_was_open_and_in_the_lobby(tmp_path: Path, visit: Visit) -> None:
    with ServerProcess(tmp_path, tables=DEMO) as server:
        ann = visit(server)
        ann.forgive(GONE)
        ann.forgive("status of 503")
        ann.sit("money")
        ann.bet("Ante", 500)
        server.stop()
    file = server.records.read_bytes()
    server.records.write_bytes(file.replace(b'"spot":"ante","amount":500', b'"spot":"ante","amount":900'))
    with ServerProcess(tmp_path, port=server.port):
        expect(ann.notice).to_contain_text("This table is closed. Its records cannot be read: ")
        ann.go("/table/money")
        expect(ann.page.get_by_text("money is closed. Its records cannot be read: ")).to_be_visible()
        ann.go("/")
        expect(ann.page.get_by_text("money is closed. Its records cannot be read: ")).to_be_visible()
        expect(ann.page.get_by_role("button", name="Play now at Blue Room")).to_be_visible()
        expect(ann.page.get_by_role("button", name="Play now at Burgundy Room 1")).to_have_count(0)


@pytest.mark.rule("F-30")
def test_the_clock_of_a_decision_counts_on_when_the_time_of_the_browser_is_set(
    house: LocalServer, visit: Visit
) -> None:
    ann = visit(house)
    at_a_decision(ann)
    clock = ann.page.get_by_role("timer")
    for hours in (1, -1):
        before = clock.inner_text()
        ann.page.evaluate(f"(() => {{ const now = Date.now; Date.now = () => now() + {hours} * 3600000; }})()")
        expect(clock).not_to_have_text(before)
        assert 600 - PATIENCE < int(clock.inner_text().removesuffix(" s")) < 600


def test_whoever_logs_out_is_in_the_lobby_and_another_tab_goes_on_watching(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.sit("money", 3)
    tab = ann.tab()
    tab.watch("money")
    expect(tab.figure("Balance")).to_be_visible()
    ann.press(ann.head.get_by_role("button", name="Settings"))
    ann.press(ann.drawer.get_by_role("button", name="Log out"))
    expect(ann.page.get_by_role("heading", name="Choose a table")).to_be_visible()
    expect(ann.page.get_by_text("Your play money")).to_have_count(0)
    expect(tab.figure("Balance")).to_have_count(0)
    expect(tab.head).not_to_contain_text("Reconnecting")
    assert ann.context.cookies() == []
    assert house.run(lambda _: [client.player for client in house.hub.clients]) == [None]


def test_the_lobby_logs_out_after_it_has_said_what_is_lost(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.enter("money")
    ann.go("/")
    ann.press(ann.page.get_by_text("Log out", exact=True))
    expect(ann.page.get_by_text("A guest cannot come back to this play money.")).to_be_visible()
    ann.press(ann.page.get_by_role("button", name="Log out now"))
    expect(ann.page.get_by_text("Your play money")).to_have_count(0)
    assert ann.context.cookies() == []


def test_a_page_that_is_not_there_leads_back_to_the_lobby(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    ann.forgive("404")
    ann.go("/nothing")
    expect(ann.page.get_by_role("heading", name="Not here")).to_be_visible()
    ann.press(ann.page.get_by_role("link", name="To the lobby"))
    expect(ann.page.get_by_role("heading", name="Choose a table")).to_be_visible()


def test_of_what_is_pressed_while_the_browser_is_offline_only_the_first_is_done(
    house: LocalServer, visit: Visit
) -> None:
    ann = visit(house)
    ann.forgive("WebSocket")
    ann.sit("money")
    ann.press(ann.chip(500))
    ann.context.set_offline(True)
    for _ in range(4):
        ann.press(ann.spot("Ante"))
    expect(ann.notice).to_contain_text("What you pressed last was not done")
    ann.context.set_offline(False)
    ann.finds("Ante", 500)
    assert ann.balance == GRANT - 500 == ann.ledger
