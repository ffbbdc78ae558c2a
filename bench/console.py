"""From a dealer's key to the change on every screen, beside a bare echo of the same server to as many screens.

One server, one run, and in turn: a frame that the server only echoes, to as many listeners as there are screens and to
each of them as many bytes as its view has; the same written down durably by SQLite before it is echoed, which is the
least that a house could take that tells nothing before it is on the disk (G2); and an entry of the dealer. Of each the
time counts from before the frame is sent, or the key is pressed, until the last listener or screen has it.
"""

import asyncio
import json
import statistics
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack

from playwright.sync_api import Page, expect, sync_playwright
from websockets.asyncio.client import ClientConnection

from bench.robots import SHORT, Lateness, Served, connected, shown
from bench.robots import run as run_loop
from bench.robots import served as serving
from bench.timing import Row, Rows
from feltworks.web.cookies import COOKIE
from tests.browser.people import Person, start
from tests.web.robots import HOST

SCREENS = 4
"""Other screens at the table."""
ENTRIES = 10 if SHORT else 60
APART, AT_REST = 60, 150
"""Milliseconds between two keys of a card, and after each entry, so that nothing of it is still drawn."""
REST = 0.03
"""Seconds between two frames without a browser."""

# When the last key was pressed, and when the part of the page that shows the table changed after it; both by one clock.
CLOCK = """
const now = () => performance.timeOrigin + performance.now();
addEventListener("keydown", (event) => { window.key = performance.timeOrigin + event.timeStamp; }, true);
window.arm = () => { window.changed = 0; };
new MutationObserver(() => { window.changed ||= now(); })
  .observe(document.querySelector(PLACE), { subtree: true, childList: true, attributes: true, characterData: true });
"""
# What the server only echoes is drawn on the same pages: F9 asks for it, F10 for what is durable first.
ECHO = """
const told = document.body.appendChild(document.createElement("p"));
new MutationObserver(() => { window.changed ||= now(); }).observe(told, { childList: true });
const listen = async (kind, key) => {
  const socket = new WebSocket(`ws://${location.host}/${kind}/BYTES`);
  socket.onmessage = ({ data }) => { told.textContent = `${data.length} ${Math.random()}`; };
  addEventListener("keydown", (event) => { if (event.key === key) socket.send("x".repeat(90)); });
  await new Promise((resolve) => { socket.onopen = resolve; });
};
await listen("echo", "F9");
await listen("durable", "F10");
"""
WHAT = {"echo": "a bare echo", "durable": "a durable echo", "entry": "an entry of the dealer"}
VIEW = b'{"view"'
SIZES = (2_500, *[1_500] * SCREENS)
"""Bytes of a view in which one card is new, of the console and of the others."""
FELT, SEATS = "[aria-label='The table']", ".table-now"
DEAL = "/house/tables/between/deal"


def run() -> Rows:
    for measured in (_sockets, _browsers):
        with serving("--dealt") as server:
            yield from measured(server)


def _sockets(server: Served) -> Rows:
    yield from run_loop(_on_the_wire(server))


async def _on_the_wire(server: Served) -> list[Row]:
    """Without browsers."""
    token = server.tokens[0][0]
    took: dict[str, list[float]] = {"echo": [], "durable": [], "entry": []}
    async with AsyncExitStack() as stack:

        async def listening(*paths: str) -> list[ClientConnection]:
            return [await stack.enter_async_context(connected(server, path, token)) for path in paths]

        table = await listening(f"{DEAL}/socket", *["/ws/between?watch"] * SCREENS)
        for screen in table:  # as it is now, with all that is told but once
            await screen.recv()
        for n in range(2):
            _, views = await _told(table, _entry(n), VIEW)
        bare = {kind: await listening(*[f"/{kind}/{len(view)}" for view in views]) for kind in ("echo", "durable")}
        async with Lateness() as lateness:
            for n in range(2, 4 * ENTRIES + 2):
                for kind, screens in bare.items():
                    took[kind].append((await _told(screens, _entry(n)))[0])
                took["entry"].append((await _told(table, _entry(n), VIEW))[0])
    return [*_rows(took, f"on the wire, to {SCREENS + 1} clients"), ("", 0, str(lateness))]


def _entry(n: int) -> str:
    """A card, or the same taken back."""
    card = {"kind": "enter", "answer": {"kind": "card", "card": "7h"}}
    return json.dumps({"id": f"bench {n}", "command": {"kind": "take back"} if n % 2 else card})


async def _told(screens: Sequence[ClientConnection], said: str, what: bytes = b"") -> tuple[float, list[bytes]]:
    """The first of them says something: seconds until the last has heard what follows, and what each has heard."""

    async def heard(screen: ClientConnection) -> tuple[float, bytes]:
        while not (frame := await screen.recv(decode=False)).startswith(what):
            assert not frame.startswith(b'{"refused"'), frame
        return time.perf_counter(), frame

    hearing = [asyncio.create_task(heard(screen)) for screen in screens]
    await asyncio.sleep(REST)
    began = time.perf_counter()
    assert not any(task.done() for task in hearing), "that was told before it was said"
    await screens[0].send(said)
    found = await asyncio.gather(*hearing)
    return max(when for when, _ in found) - began, [frame for _, frame in found]


def _browsers(server: Served) -> Rows:
    took: dict[str, list[float]] = {"echo": [], "durable": [], "entry": []}
    with sync_playwright() as playwright, ExitStack() as stack:
        browser = start(playwright)
        people = [Person(browser, server) for _ in range(SCREENS + 1)]  # type: ignore[arg-type]
        for person in people:
            stack.callback(person.close)
        dealer, *others = people
        home = f"http://{HOST}:{server.port}"
        dealer.context.add_cookies([{"name": COOKIE, "value": server.tokens[0][0], "url": home, "httpOnly": True}])
        dealer.go(DEAL)
        expect(dealer.page.locator("#ask")).to_have_text("Seat 1's first card")
        for other in others:
            other.watch("between")
        pages = [person.page for person in people]
        for page, place, size in zip(pages, [SEATS, *[FELT] * SCREENS], SIZES, strict=True):
            script = CLOCK.replace("PLACE", repr(place)) + ECHO.replace("BYTES", str(size))
            page.evaluate(f"async () => {{ {script} }}")
        for _ in range(ENTRIES):
            for keys in (("7", "h"), ("Backspace",)):
                took["echo"].append(_drawn(pages, "F9"))
                took["durable"].append(_drawn(pages, "F10"))
                took["entry"].append(_drawn(pages, *keys))
    yield from _rows(took, f"drawn in {SCREENS + 1} browsers")


def _drawn(pages: Sequence[Page], *keys: str) -> float:
    """Seconds from the last of some keys to the last screen on which something has changed."""
    for key in keys[:-1]:
        pages[0].keyboard.press(key)
        pages[0].wait_for_timeout(APART)
    for page in pages:
        page.evaluate("window.arm()")
    pages[0].keyboard.press(keys[-1])
    for page in pages:
        page.wait_for_function("() => window.changed")
    ms = max(page.evaluate("window.changed") for page in pages) - pages[0].evaluate("window.key")
    pages[0].wait_for_timeout(AT_REST)
    return float(ms) / 1e3


def _rows(took: dict[str, list[float]], where: str) -> Rows:
    bare = statistics.median(took["echo"])
    for kind, beside in (
        ("echo", ""),
        ("durable", ": {:.1f} times the bare echo; an entry takes no less"),
        ("entry", ": {:.1f} times the bare echo (target: at most twice)"),
    ):
        found = took[kind]
        yield (
            f"{len(found)} times {WHAT[kind]}, {where}",
            sum(found),
            shown(found) + beside.format(statistics.median(found) / bare),
        )
