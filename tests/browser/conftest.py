"""A browser for each worker, people who use it, servers for them, and cards in a known order."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from feltworks.floor.table.settings import Pace
from tests.browser.cards import stack
from tests.browser.people import DESKTOP, PHONE, WINDOW, Person, Screen, Server, start
from tests.browser.rolls import lay
from tests.web.robots import LocalServer, between, money, yo

Visit = Callable[..., Person]
Stack = Callable[..., None]

PAUSED = Pace(0, 0, 3_600_000, 0)
"""A dealer who does not pause, but begins another round only when the test says so."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = start(playwright)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """People as the test wants them. When it is over, no page of theirs may have complained of anything."""
    people: list[Person] = []

    def come(server: Server, screen: Screen = WINDOW, **options: bool) -> Person:
        people.append(Person(browser, server, screen, **options))
        return people[-1]

    yield come
    troubles = [trouble for person in people for trouble in person.troubles]
    for person in people:
        person.close()
    assert troubles == []


@pytest.fixture(params=[pytest.param(DESKTOP, marks=pytest.mark.slow), PHONE], ids=str)
def screen(request: pytest.FixtureRequest) -> Screen:
    screen: Screen = request.param
    return screen


@pytest.fixture
def house(tmp_path: Path) -> Iterator[LocalServer]:
    """A table of each game. What is on them stays until the test begins another round."""
    with LocalServer(tmp_path, [money(pace=PAUSED), between(pace=PAUSED, burn=0)]) as server:
        yield server
        server.check()


@pytest.fixture
def dice_house(tmp_path: Path) -> Iterator[LocalServer]:
    """A table of Yo!. After a game the next one begins when the test says so."""
    with LocalServer(tmp_path, [yo(pace=PAUSED)]) as server:
        yield server
        server.check()


@pytest.fixture
def rolls(monkeypatch: pytest.MonkeyPatch) -> Stack:
    """Lay the first rolls of the games to come, a text for each: "3351 6112"."""
    return lambda *games: lay(monkeypatch, *games)


@pytest.fixture
def stacked(monkeypatch: pytest.MonkeyPatch) -> Stack:
    """Lay the first cards of the shoes to come, a text for each: "Kh 9c 4d"."""
    return lambda *deals: stack(monkeypatch, *deals)
