"""People at the tables, each with a real browser: they find things by role, name and text, and count what they do."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from unittest.mock import patch

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright, expect

from feltworks.floor.accounts import Cents, player_account
from feltworks.floor.house import House
from feltworks.floor.person import token_digest
from feltworks.floor.store.reader import Reader
from feltworks.web.cookies import COOKIE
from tests.web.robots import HOST, PATIENCE, LocalServer, ServerProcess
from tools import browser as installed

Server = LocalServer | ServerProcess

WAIT = PATIENCE * 1000
"""Milliseconds until somebody stops to wait: far more than anything takes on a busy machine."""
expect.set_options(timeout=WAIT)

# What a page does against its own policy becomes an error of its console.
TELL = """
const tell = ({ violatedDirective, blockedURI }) => console.error(`policy: ${violatedDirective} ${blockedURI}`);
document.addEventListener("securitypolicyviolation", tell);
"""
# Who has been here before is not offered the tour.
BEEN_HERE = """
try { if (!localStorage.feltworks) localStorage.feltworks = '{"toured":true}'; } catch {}
"""


class NoBrowser(RuntimeError):
    """There is no browser to test with."""


@dataclass(frozen=True)
class Screen:
    width: int
    height: int
    touch: bool = False

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


WINDOW = Screen(1360, 640)
"""A window that shows everything and is quicker to draw than a whole screen."""
DESKTOP = Screen(1440, 900)
PHONE = Screen(390, 844, touch=True)


def start(playwright: Playwright) -> Browser:
    """A Chromium with a profile of its own, which talks to nobody but us.

    It has no sandbox: it shows nothing but our own pages, and in a container, or where a user may make no
    namespaces, it would not start with one.
    """
    path = installed.find()
    if path is None:
        raise NoBrowser(
            "The browser tests need Chromium: run `tools/setup dev` (as root it is `apt-get install"
            " chromium-headless-shell`), or name the one you have with CHROMIUM=..."
        )
    return playwright.chromium.launch(
        executable_path=path,
        chromium_sandbox=False,
        args=["--disable-background-networking", "--disable-component-update", "--no-first-run"],
    )


SLOW = "was preloaded using link preload but not used within a few seconds"
"""What Chromium says of a font where the machine is too busy to draw the page at once."""


class Person:
    """Somebody at a browser of their own. `with` it or `close` it; then nothing may have gone wrong in the page."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        screen: Screen = WINDOW,
        *,
        calm: bool = True,
        sharpness: float = 1,
        newcomer: bool = False,
    ) -> None:
        self.server, self.screen = server, screen
        self.context: BrowserContext = browser.new_context(
            base_url=f"http://{HOST}:{server.port}",
            viewport={"width": screen.width, "height": screen.height},
            device_scale_factor=sharpness,
            has_touch=screen.touch,
            is_mobile=screen.touch,
            reduced_motion="reduce" if calm else "no-preference",
            locale="en-US",
            timezone_id="America/Los_Angeles",
        )
        self.context.set_default_timeout(WAIT)
        self.context.add_init_script(TELL)
        if not newcomer:
            self.context.add_init_script(BEEN_HERE)
        self.complaints: list[str] = []
        self.forgiven: list[str] = [SLOW]
        self.actions = 0
        self.context.on("console", self._hear)
        self.context.on("weberror", lambda error: self.complaints.append(f"error: {error.error}"))
        self.page: Page = self.context.new_page()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def forgive(self, pattern: str) -> None:
        """What a browser itself complains of in this test, such as a server that is not there."""
        self.forgiven.append(pattern)

    @property
    def troubles(self) -> list[str]:
        """What the page complained of, besides what the test itself causes."""
        return [said for said in self.complaints if not any(re.search(pattern, said) for pattern in self.forgiven)]

    def tab(self) -> "Person":
        """The same person at another tab."""
        again = copy(self)
        again.page = self.context.new_page()
        return again

    def close(self) -> None:
        self.context.close()

    # Going somewhere.

    def go(self, path: str) -> None:
        self.page.goto(path)

    def watch(self, table: str) -> None:
        """Look at a table."""
        self.go(f"/table/{table}")
        expect(self.felt).to_be_visible()

    def enter(self, table: str) -> None:
        """Come to a table with play money: with a session, as the lobby's button gives it."""
        if not self.context.cookies():
            home = f"http://{HOST}:{self.server.port}"
            token = self.server.session(table)
            self.context.add_cookies([{"name": COOKIE, "value": token, "url": home, "httpOnly": True}])
        self.watch(table)

    def sit(self, table: str, seat: int | None = None) -> None:
        """Come to a table and take a seat, and wait until betting is open."""
        self.enter(table)
        if seat is None:
            self.press(self.button("Take a seat"))
        else:
            self.press(self.page.get_by_role("button", name=f"Sit here, seat {seat}"))
        expect(self.rail.get_by_role("radio").first).to_be_enabled()

    # Acting.

    def press(self, what: Locator) -> None:
        """Click or tap on something."""
        self.actions += 1
        if self.screen.touch:
            what.tap()
        else:
            what.click()

    def key(self, *keys: str) -> None:
        for key in keys:
            self.actions += 1
            self.page.keyboard.press(key)

    def bet(self, spot: str, chip: Cents | None = None) -> None:
        """Put a chip on a spot, and see it there."""
        if chip is not None:
            self.press(self.chip(chip))
            expect(self.chip(chip)).to_be_checked()
        before = self.down(spot)
        self.press(self.spot(spot))
        expect(self.spot(spot)).not_to_have_attribute("aria-label", before)

    def deal(self) -> None:
        self.press(self.button("Deal"))

    def begin(self, table: str, spot: str, chip: Cents, seat: int | None = None) -> None:
        """Come to a table, put a chip on a spot, and have the cards dealt or the dice rolled."""
        self.sit(table, seat)
        self.bet(spot, chip)
        self.press(self.page.get_by_role("button", name=re.compile("^(Deal|Ready and roll)")))

    def decide(self, option: str) -> None:
        self.press(self.option(option))

    def open(self, part: str) -> None:
        """Open a part of the drawer as this screen offers it."""
        if self.screen.touch:
            if not self.drawer.is_visible():
                self.press(self.page.get_by_role("navigation").get_by_role("button", name="Pay tables, rules"))
            self.press(self.drawer.get_by_role("tab", name=part.split()[0]))
        else:
            self.press(self.page.get_by_role("navigation").get_by_role("button", name=part, exact=True))
        expect(self.drawer).to_be_visible()
        expect(self.drawer.get_by_text("One moment.")).to_have_count(0)

    # Finding.

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def chip(self, cents: Cents) -> Locator:
        return self.page.get_by_role("radio", name=f"Chip of {shown(cents)}", exact=True)

    def spot(self, title: str) -> Locator:
        """A spot of the own seat, while one may bet on it."""
        return self.felt.get_by_role("button", name=re.compile(f"^{re.escape(title)}, "))

    def option(self, name: str) -> Locator:
        return self.options.filter(has_text=re.compile(f"^{name}"))

    @property
    def felt(self) -> Locator:
        return self.page.get_by_role("group", name="The table", exact=True)

    @property
    def rail(self) -> Locator:
        return self.page.get_by_role("region", name="Your seat")

    @property
    def options(self) -> Locator:
        return self.page.get_by_role("group", name="Your decision").get_by_role("button")

    @property
    def drawer(self) -> Locator:
        return self.page.get_by_role("complementary")

    @property
    def notice(self) -> Locator:
        """The line that says what just happened, and a row for each wager that was settled."""
        return self.page.get_by_role("region", name="What happened")

    @property
    def head(self) -> Locator:
        return self.page.get_by_role("banner")

    # Reading.

    def finds(self, spot: str, amount: Cents) -> None:
        """Wait until so much lies on a spot of the own seat."""
        some = self.felt.get_by_role("button", name=re.compile(rf"^{re.escape(spot)}, [\d,.]+ down, "))
        if amount:
            expect(some).to_have_attribute("aria-label", re.compile(f"^{re.escape(spot)}, {shown(amount)} down, "))
        else:
            expect(some).to_have_count(0)

    def down(self, spot: str) -> str:
        """What a spot says of itself, with what lies on it."""
        return str(self.spot(spot).get_attribute("aria-label"))

    def figure(self, title: str) -> Locator:
        return self.rail.locator(".figure", has=self.page.locator("dt", has_text=title)).locator("dd")

    @property
    def balance(self) -> Cents:
        return cents(self.figure("Balance").inner_text())

    @property
    def staked(self) -> Cents:
        return cents(self.figure("On the table").inner_text())

    @property
    def in_words(self) -> list[str]:
        """The table as it is told to those who do not see it: the dealer, then the seats."""
        told = self.page.get_by_role("region", name="The table in words")
        return told.locator("p, li").all_inner_texts()

    @property
    def ledger(self) -> Cents:
        """What the entries of the books make this person's balance."""
        token = next(cookie["value"] for cookie in self.context.cookies() if cookie["name"] == COOKIE)
        with Reader(self.server.records) as store:
            session = store.session(token_digest(token))
            assert session is not None
            account = player_account(session.person)
            entries = [booking.entry for booking in store.statement(str(account))]
        return sum(entry.cents if entry.payee == account else -entry.cents for entry in entries)


def round_is_over(server: LocalServer, table: str) -> None:
    """Wait until the table has cleared its cards."""
    while server.run(lambda house: house.live(table).table.round) is not None:
        time.sleep(0.01)


def next_round(server: LocalServer, table: str) -> None:
    """Begin the round that a dealer who pauses would begin later."""
    round_is_over(server, table)
    server.run(lambda house: house.deal_on(table, "start round"))


@contextmanager
def held_back(server: LocalServer) -> Iterator[None]:
    """Nobody hears anything of the server until the end of this, and then all at once."""
    with patch.object(server.hub, "message_for", return_value=None):
        yield

    def wake(_: House) -> None:
        for client in server.hub.clients:
            client.changed.set()

    server.run(wake)


def shown(cents: Cents) -> str:
    return f"{cents / 100:,.2f}"


def cents(shown: str) -> Cents:
    return round(float(shown.replace(",", "").replace("−", "-")) * 100)
