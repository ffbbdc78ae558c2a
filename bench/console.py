"""From a dealer's key to the change on every screen, beside a bare echo of the same server on the same screen; and how
many keys a round takes."""

import json
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, expect, sync_playwright

from bench.robots import SHORT
from bench.timing import Rows
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from feltworks.web.cookies import COOKIE
from feltworks.web.serving import open_house
from tests.browser.people import Person, start
from tests.web.dealing import ConsoleRobot, dealt_by_hand
from tests.web.people_of_the_house import employ
from tests.web.robots import HOST, Robot, ServerProcess, between

SCREENS = 4
"""Other screens at the table."""
ENTRIES = 10 if SHORT else 60
APART, AT_REST = 60, 150
"""Milliseconds between two keys of a card, and after each entry, so that nothing of it is still drawn."""

# When the last key was pressed, and when the part of the page that shows the table changed after it; both by one clock.
CLOCK = """
const now = () => performance.timeOrigin + performance.now();
addEventListener("keydown", (event) => { window.key = performance.timeOrigin + event.timeStamp; }, true);
window.arm = () => { window.changed = 0; };
new MutationObserver(() => { window.changed ||= now(); })
  .observe(document.querySelector(PLACE), { subtree: true, childList: true, attributes: true, characterData: true });
"""
# A key that the server only answers, on the same page: F9.
ECHO = """
const told = document.body.appendChild(document.createElement("p"));
const socket = new WebSocket(`ws://${location.host}/ws/between`);
new MutationObserver(() => { window.echoed ||= now(); }).observe(told, { childList: true });
socket.onmessage = ({ data }) => { if (data.startsWith('{"pong"')) told.textContent = data; };
addEventListener("keydown", ({ key }) => {
  if (key !== "F9") return;
  window.echoed = 0;
  socket.send(JSON.stringify({ ping: Math.floor(Math.random() * 1e9) }));
});
await new Promise((resolve) => { socket.onopen = resolve; });
"""
FELT, SEATS = "[aria-label='The table']", ".table-now"


def run() -> Rows:
    yield from _sockets()
    yield from _browsers()


def _sockets() -> Rows:
    """Without browsers: from the frame of an entry until every client has the view with it, beside an echo that as many
    clients ask for at once."""
    with TemporaryDirectory() as folder:
        token = _prepared(Path(folder))
        with ServerProcess(Path(folder)) as server, ExitStack() as stack:
            dealer = stack.enter_context(ConsoleRobot(server, "between", token, {}))
            clients: list[Robot] = [dealer, *(stack.enter_context(server.watch("between")) for _ in range(SCREENS))]
            echo, took = [], []
            for n in range(4 * ENTRIES):
                echo.append(_together(clients, lambda robot, n=n: robot.told(f'{{"ping":{n}}}')))  # type: ignore[misc]
                version = dealer.view["version"]
                last = (
                    {"kind": "enter", "answer": {"kind": "card", "card": "7h"}} if n % 2 == 0 else {"kind": "take back"}
                )
                said = json.dumps({"id": f"bench {n}", "command": last})

                def entered(robot: Robot, said: str = said, version: int = version) -> None:
                    if robot is dealer:
                        robot.say(said)
                    robot.until(lambda view: view["version"] > version)

                took.append(_together(clients, entered))
                dealer.answer(f"bench {n}")
                dealer.caught_up()
    yield f"{len(echo)} echoes that {len(clients)} clients ask for at once", sum(echo), _quantiles(echo)
    yield f"{len(took)} entries of a dealer, seen by all of them", sum(took), _times(took, echo)


def _together(clients: list[Robot], work: Callable[[Robot], object]) -> float:
    """Seconds until all of them are done, who begin at once."""
    begin, ends = threading.Barrier(len(clients) + 1), []

    def one(robot: Robot) -> None:
        begin.wait()
        work(robot)
        ends.append(time.perf_counter())

    threads = [threading.Thread(target=one, args=(robot,)) for robot in clients]
    for thread in threads:
        thread.start()
    time.sleep(APART / 2000)
    start = time.perf_counter()
    begin.wait()
    for thread in threads:
        thread.join()
    return max(ends) - start


def _browsers() -> Rows:
    with TemporaryDirectory() as folder:
        token = _prepared(Path(folder))
        with ServerProcess(Path(folder)) as server, sync_playwright() as playwright, ExitStack() as stack:
            browser = start(playwright)
            dealer = Person(browser, server)
            stack.callback(dealer.close)
            home = f"http://{HOST}:{server.port}"
            dealer.context.add_cookies([{"name": COOKIE, "value": token, "url": home, "httpOnly": True}])
            dealer.go("/house/tables/between/deal")
            expect(dealer.page.locator("#ask")).to_have_text("Seat 1, card 1")
            others = [Person(browser, server) for _ in range(SCREENS)]
            for other in others:
                stack.callback(other.close)
                other.watch("between")
            pages = [dealer.page, *(other.page for other in others)]
            for page in pages:
                place = SEATS if page is dealer.page else FELT
                page.evaluate(f"() => {{ {CLOCK.replace('PLACE', repr(place))} }}")
            clock = "const now = () => performance.timeOrigin + performance.now();"
            dealer.page.evaluate(f"async () => {{ {clock} {ECHO} }}")
            echo = [_echo(dealer.page) for _ in range(ENTRIES)]
            took = [seconds for _ in range(ENTRIES) for seconds in _entered(pages)]
            echo += [_echo(dealer.page) for _ in range(ENTRIES)]
    yield f"{len(echo)} keys in a browser that are only answered", sum(echo), _quantiles(echo)
    yield f"{len(took)} keys of a dealer, drawn on all of {SCREENS + 1} screens", sum(took), _times(took, echo)


def _times(took: list[float], echo: list[float]) -> str:
    times = statistics.median(took) / statistics.median(echo)
    return f"{_quantiles(took)}: {times:.1f} times the bare echo (target: p50 at most twice)"


def _prepared(folder: Path) -> str:
    """A house with a table whose first card is to be dealt: the token of its dealer."""
    house = open_house(folder)
    house.open_table(dealt_by_hand(between(burn=0)))
    dealer, token = employ(house, "Dana", Role.DEALER)
    _begin(house, dealer)
    house.store.close()
    return token


def _begin(house: House, dealer: str) -> None:
    actor = by_person(dealer)
    house.pit.deal_by_hand("between", cmd.SignOn(), actor)
    house.pit.for_patron("between", cmd.SeatPatron(1, 50_000), actor)
    house.pit.deal_by_hand("between", cmd.StartRound(shuffle=True), actor)
    house.pit.for_patron("between", cmd.PlaceFor(1, "base", 500), actor)
    house.pit.deal_by_hand("between", cmd.CloseBetting(), actor)


def _echo(page: Page) -> float:
    page.keyboard.press("F9")
    page.wait_for_function("() => window.echoed")
    took = page.evaluate("window.echoed - window.key")
    page.wait_for_timeout(APART)
    return float(took) / 1e3


def _entered(pages: list[Page]) -> list[float]:
    """A card, and then the same taken back: seconds from the last key of each to the last screen that shows it."""
    found = []
    for keys in (("7", "h"), ("Backspace",)):
        for key in keys[:-1]:
            pages[0].keyboard.press(key)
            pages[0].wait_for_timeout(APART)
        for page in pages:
            page.evaluate("window.arm()")
        pages[0].keyboard.press(keys[-1])
        for page in pages:
            page.wait_for_function("() => window.changed")
        key = pages[0].evaluate("window.key")
        found.append(max(page.evaluate("window.changed") for page in pages) - key)
        pages[0].wait_for_timeout(AT_REST)
    return [float(ms) / 1e3 for ms in found]


def _quantiles(took: list[float]) -> str:
    middle, late = statistics.median(took), statistics.quantiles(took, n=100)[98]
    return f"p50 {middle * 1e3:.1f} ms, p99 {late * 1e3:.1f} ms"
