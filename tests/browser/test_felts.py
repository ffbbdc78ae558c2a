"""A felt for every game: each of the gallery and of the toys is played in the browser, on a felt that its rules show.
What is drawn is what lies there, nothing covers anything else, and everybody can use it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from feltworks.floor.chance import shoe
from feltworks.floor.chance.generator import Generator
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.games import names
from feltworks.web.cookies import COOKIE
from tests.browser.conftest import PAUSED, Visit
from tests.browser.people import PHONE, Person, Screen
from tests.browser.shapes import cut
from tests.browser.test_access import nothing_is_wrong
from tests.browser.test_layout import lies_well
from tests.floor.sitting import load_any, with_toys
from tests.web.robots import LIMITS, SLOW, Json, LocalServer, Robot

DESKTOP = Screen(1280, 800)
OWN = {"one-for-the-money", "in-between", "down-under-holdem", "yo", "blackjack"}
GALLERY = [name for name in names() if name not in OWN]
TOYS = ["bands", "baccarat", "between", "peek", "point", "sides", "stud"]
FEW = 7
MOST_ROLLS, PATIENT = 12, 300
LEAST = 24
"""Of a target by WCAG 2.2 (2.5.8): a board of numbers has as many as fit."""

# What is written on the felt of amounts and of what became of them, and how many cards lie there.
DRAWN = """
() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent.trim());
  return {
    amounts: texts(".felt .total text, .felt .amount text"),
    tags: texts(".felt .tag text"),
    others: texts(".felt .other title"),
    cards: document.querySelectorAll(".felt .card").length,
    dice: document.querySelectorAll(".felt .die").length,
  };
}
"""


@pytest.fixture(autouse=True)
def same_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards, dice and wheels come as they did the last time."""
    known: dict[bytes, bytes] = {}

    class Same(Generator):
        def __init__(self, seed: bytes) -> None:
            super().__init__(known.setdefault(seed, sha256(b"felts %d" % len(known)).digest()))

    monkeypatch.setattr(shoe, "Generator", Same)


def table_of(game: str) -> TableSettings:
    definition = load_any(game)
    spots = [spot for wager in definition.wagers.values() for spot in wager.opens]
    seats = min(5, definition.definition.seats)
    return TableSettings(
        game, definition.title, game, dict.fromkeys(spots, LIMITS), pace=PAUSED, clocks=SLOW, seats=seats
    )


@contextmanager
def company(
    folder: Path, patch: pytest.MonkeyPatch, visit: Visit, screen: Screen, game: str
) -> Iterator[tuple[LocalServer, Person, list[Robot]]]:
    """Somebody in the middle of the table with others beside them; each has a robot that plays, theirs the last."""
    with_toys(patch)
    settings = table_of(game)
    middle = (settings.seats + 1) // 2
    with LocalServer(folder, [settings]) as server, ExitStack() as stack:
        robots = [
            stack.enter_context(server.join(game, seat))
            for seat in sorted({1, settings.seats} - {middle}, reverse=True)
        ]
        ann = visit(server, screen)
        ann.enter(game)
        (session,) = [cookie["value"] for cookie in ann.context.cookies() if cookie["name"] == COOKIE]
        own = stack.enter_context(server.watch(game, session))
        own.done("sit", seat=middle)
        own.until(lambda view: view["you"]["seat"] == middle)
        expect(ann.rail.get_by_role("radio").first).to_be_enabled()
        yield server, ann, [*robots, own]


def wager(robot: Robot, number: int) -> None:
    """A chip on whatever is open; of very many spots on every tenth, and on others for each seat."""
    robot.until(lambda view: view["phase"] == "betting" and view["you"]["spots"])
    spots = [spot["spot"] for spot in robot.view["you"]["spots"]]
    if len(spots) > FEW:
        spots = spots[number :: max(3, len(spots) // 10)]
    for spot in spots:
        robot.do("place", spot=spot, amount=100 * (number + 1))
    for spot in [spot["spot"] for spot in robot.view["you"]["spots"] if not spot["down"]]:
        if len(robot.view["you"]["spots"]) <= FEW and spot not in spots:
            robot.do("place", spot=spot, amount=100 * (number + 1))


def at(server: LocalServer, game: str) -> Table:
    return server.run(lambda house: house.live(game).table)


def rests(server: LocalServer, game: str) -> Table:
    """The table once it waits for somebody, or the round is over."""
    server.wait_for(lambda: (t := at(server, game)).round is None or t.round.over or t.betting or bool(t.to_act))
    return at(server, game)


def decide(server: LocalServer, game: str, robots: list[Robot]) -> Table:
    """Everybody takes the last option, until the round is over or betting is open again."""
    while (table := rests(server, game)).to_act:
        seat = min(table.to_act)
        robot = next(robot for robot in robots if robot.view["you"]["seat"] == seat)
        views(robot, table)
        robot.done("choose", option=robot.view["you"]["options"][-1]["name"])
    return table


def views(robot: Robot, table: Table) -> list[Json]:
    """Every view that a robot has seen, once it has the last one."""
    robot.until(lambda view: view["version"] >= table.version)
    return [message["view"] for message in map(json.loads, robot.frames) if "view" in message]


def money(cents: int) -> str:
    """As the felt has it."""
    return f"{cents / 100:,.2f}".removesuffix(".00")


def drawn_is_what_lies_there(ann: Person, robot: Robot, table: Table) -> None:
    """Every amount, result and card that the felt shows is the table's, and all that it should show is shown."""
    own = robot.view["you"]["seat"]
    shared = ann.page.locator(".felt .grid").count() > 0
    drawn_seats = {own} if ann.screen.touch or shared else {*table.seats}
    open_now = Counter(
        money(int(cents)) for (seat, _), cents in table.wagers.items() if seat in (drawn_seats if not shared else {own})
    )
    others = Counter(
        f"Seat {seat}: {int(cents) / 100:,.2f}" for (seat, _), cents in table.wagers.items() if shared and seat != own
    )
    view = next(view for view in reversed(views(robot, table)) if view["phase"] != "waiting")
    lie = [*view["dealer"], *(card for seat in view["seats"] if seat["seat"] in drawn_seats for card in seat["cards"])]
    shown = {
        "amounts": open_now,
        "tags": results(table, {own} if shared else drawn_seats),
        "others": others,
        "cards": len(lie),
        "dice": len(table.dice) if isinstance(table.dice, tuple) else 0,
    }
    drawn: dict[str, Any] = {}
    for _ in range(PATIENT):
        drawn = ann.page.evaluate(DRAWN)
        drawn |= {kind: Counter(drawn[kind]) for kind in ("amounts", "tags", "others")}
        if drawn == shown:
            return
        ann.page.wait_for_timeout(50)
    assert drawn == shown


def results(table: Table, seats: set[int]) -> Counter[str]:
    """What is to be told of the wagers of these seats: with a sign, or as a push."""
    nets: Counter[tuple[int, str]] = Counter()
    for result in table.results:
        if result.seat in seats:
            nets[result.seat, result.spot] += result.net
    return Counter("Push" if net == 0 else f"{'+' if net > 0 else '−'}{money(abs(net))}" for net in nets.values())


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=str)
@pytest.mark.parametrize("game", [*GALLERY, *TOYS])
def test_a_round_of_every_game_is_played_on_its_felt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, visit: Visit, screen: Screen, game: str
) -> None:
    with company(tmp_path, monkeypatch, visit, screen, game) as (server, ann, robots):
        finger = LEAST if ann.page.locator(".felt .grid").count() else None
        lies_well(ann, least=finger)
        for _ in range(MOST_ROLLS):
            for number, robot in enumerate(robots):
                wager(robot, number)
            drawn_is_what_lies_there(ann, robots[-1], at(server, game))
            lies_well(ann, least=finger)
            for robot in robots:
                robot.until(lambda view: view["you"]["can_ready"])
                robot.done("ready")
            robots[-1].until(lambda view: view["phase"] != "betting" or not any(s["ready"] for s in view["seats"]))
            if not decide(server, game, robots).betting:
                break
        expect(ann.notice).to_contain_text(re.compile("You (win|lose)|comes? back|even|wins|loses"))
        drawn_is_what_lies_there(ann, robots[-1], at(server, game))
        lies_well(ann, least=finger)
        assert cut(ann.page) == []
        nothing_is_wrong(ann, game)
        assert ann.troubles == []
        server.check()
