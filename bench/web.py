"""From a command to the changed view: eight robots, then eight browsers, at one table of a server of its own."""

import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, expect, sync_playwright

from bench.robots import SHORT, Served
from bench.robots import served as serving
from bench.served import table
from bench.timing import Rows
from feltworks.web.cookies import COOKIE
from feltworks.web.serving import open_house
from tests.browser.people import Person, start
from tests.web.robots import HOST, Robot, ServerProcess, money

CLIENTS, SEATS = 8, 7
COMMANDS, CLICKS = (70, 35) if SHORT else (400, 140)
APART = 0.03
"""Seconds between two commands, so that none waits for the one before, nor comes too fast for the server."""
AT_REST = 500
"""Milliseconds between two clicks, so that no chip is still on its way."""


def run() -> Rows:
    yield from _robots()
    yield from _browsers()


def _robots() -> Rows:
    with _server() as server, ExitStack() as stack:
        players = [stack.enter_context(server.join("money", seat)) for seat in range(1, SEATS + 1)]
        robots = [*players, *(stack.enter_context(server.watch("money")) for _ in range(CLIENTS - SEATS))]
        for robot in robots:
            robot.phase("betting")
        acknowledged, seen = _measured(players, robots)
    for what, took in (("acknowledged", acknowledged), (f"seen by all of {CLIENTS} clients", seen)):
        yield f"{len(took)} commands, {what}", sum(took), _quantiles(took)


def _quantiles(took: list[float]) -> str:
    middle, late = statistics.median(took), statistics.quantiles(took, n=100)[98]
    return f"p50 {middle * 1e3:.1f} ms, p99 {late * 1e3:.1f} ms"


# From the browser's own time of a click on a spot until the chip is on its way, or lies there.
CLOCK = """
window.took = [];
addEventListener("click", ({ target, timeStamp }) => {
  const spot = target.closest?.("[data-spot]");
  if (!spot) return;
  const [felt, label] = [spot.closest("svg"), spot.getAttribute("aria-label")];
  const observer = new MutationObserver(() => {
    if (!felt.querySelector(".flight") && spot.getAttribute("aria-label") === label) return;
    window.took.push(performance.now() - timeStamp);
    observer.disconnect();
  });
  observer.observe(felt, { subtree: true, childList: true, attributes: true });
}, true);
"""


SHARE = 5
"""The most milliseconds of click to screen that may be the server's."""


def _browsers() -> Rows:
    with serving("--seats", str(SEATS), "--timed") as server, sync_playwright() as playwright:
        took = _clicked(server, start(playwright))
        told = server.counted()
    yield f"{len(took)} clicks in {CLIENTS} browsers, to the change on the screen", sum(took), _quantiles(took)
    for what, share in (("answer", told.answered), ("view", told.shown)):
        beside = f"{_quantiles(share)} (target: p50 at most {SHARE} ms)"
        yield f"  the server's share: {len(share)} frames, to the {what}", sum(share), beside


def _clicked(server: Served, browser: Browser) -> list[float]:
    """Seconds from a click to what it changes, in every browser of a player."""
    people = [Person(browser, server, calm=False) for _ in range(CLIENTS)]  # type: ignore[arg-type]
    home = f"http://{HOST}:{server.port}"
    for person, token in zip(people, server.tokens[0], strict=False):
        person.context.add_cookies([{"name": COOKIE, "value": token, "url": home, "httpOnly": True}])
    for person in people:
        person.watch(table(0))
    players = people[:SEATS]
    for person in players:
        expect(person.spot("Ante")).to_be_visible()
        person.page.evaluate(CLOCK)
    for n in range(CLICKS):
        person = players[n % SEATS]
        person.spot("Ante").click()
        person.page.wait_for_function("most => window.took.length > most", arg=n // SEATS)
        person.page.wait_for_timeout(AT_REST)
    return [ms / 1e3 for person in players for ms in person.page.evaluate("window.took")]


def _measured(players: list[Robot], robots: list[Robot]) -> tuple[list[float], list[float]]:
    acknowledged, seen = [], []
    for n in range(COMMANDS):
        player = players[n % len(players)]
        wanted = player.view["version"] + 1
        late: list[float] = []
        listening = [threading.Thread(target=_hear, args=(r, wanted, late)) for r in robots if r is not player]
        for thread in listening:
            thread.start()
        time.sleep(APART)
        start = time.perf_counter()
        player.done("place", spot="ante", amount=100)
        acknowledged.append(time.perf_counter() - start)
        _hear(player, wanted, late)
        for thread in listening:
            thread.join()
        seen.append(max(late) - start)
    return acknowledged, seen


def _hear(robot: Robot, version: int, when: list[float]) -> None:
    robot.until(lambda view: view["version"] >= version)
    when.append(time.perf_counter())


@contextmanager
def _server() -> Iterator[ServerProcess]:
    with TemporaryDirectory() as folder:
        house = open_house(Path(folder))
        house.open_table(money(seats=SEATS))
        house.store.close()
        with ServerProcess(Path(folder)) as server:
            yield server
