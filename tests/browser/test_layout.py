"""Nothing covers anything else, nothing is cut off, and what is to be touched is large enough to be."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.browser.conftest import PAUSED, Stack, Visit
from tests.browser.people import PHONE, Person, Screen
from tests.browser.shapes import covered, cut, look
from tests.web.robots import LocalServer, Robot, between, money, under, yo

APART = (
    *(("card", kind) for kind in ("spot", "plate", "legend", "title", "shoe")),
    *(("spot", kind) for kind in ("spot", "plate", "legend", "title", "place", "shoe")),
    *(("figure", kind) for kind in ("figure", "title", "legend", "print", "plate")),
    *(("plate", kind) for kind in ("plate", "legend", "print", "title", "shoe")),
    *(("place", kind) for kind in ("place", "legend", "shoe")),
    *(("print", kind) for kind in ("print", "legend", "title", "shoe")),
    *(("title", kind) for kind in ("title", "legend")),
    *(("dice", kind) for kind in ("dice", "spot", "legend", "thing", "plate")),
    *(("points", kind) for kind in ("points", "figure", "spot", "plate", "legend", "title", "shoe")),
    *(("insured", kind) for kind in ("card", "spot", "plate", "legend", "title", "shoe", "points")),
    *(("thing", kind) for kind in ("thing", "print", "legend", "title", "plate", "figure")),
    ("control", "control"),
    ("text", "text"),
    ("text", "control"),
    ("badge", "text"),
    ("region", "region"),
)
FINGER, SMALL_FINGER = 40, 34


def lies_well(person: Person, *needed: str, least: int | None = None) -> None:
    """Everything has its own place on this screen; these buttons are in sight without scrolling. `least` is what a
    finger needs, where there is much to be touched."""
    width, height = person.screen.width, person.screen.height
    shapes = look(person.page)
    assert covered(shapes, *APART) == []
    assert [str(tag) for tag in shapes["tag"] if not any(tag.lies_in(spot) for spot in shapes["spot"])] == []
    for kind in ("control", "text", "card", "spot", "title", "plate"):
        assert [str(s) for s in shapes[kind] if s.left < -0.5 or s.right > width + 0.5] == []
    assert person.page.evaluate("document.documentElement.scrollWidth") <= width
    if person.screen.touch:
        finger = least or (FINGER if height > 600 else SMALL_FINGER)
        small = [s for s in shapes["touch"] if min(s.right - s.left, s.bottom - s.top) < finger]
        assert [str(s) for s in small] == []
    for name in needed:
        box = person.page.get_by_role("button", name=name).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height


def on_the_felt(person: Person, **counts: int) -> None:
    """So many things of each kind lie there. None of a kind means that the page names them otherwise now."""
    shapes = look(person.page)
    assert {kind: len(shapes[kind]) for kind in counts} == counts


def others(house: LocalServer, stack: ExitStack, table: str, *seats: int) -> list[Robot]:
    return [stack.enter_context(house.join(table, seat)) for seat in seats]


def test_every_thing_has_its_place_through_a_round_of_one_for_the_money(
    house: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("4h 9c Kd 3d Ts Qh 4s 7c Jh 2c 8s")
    ann = visit(house, screen)
    ann.enter("money")
    lies_well(ann, "Take a seat")
    with ExitStack() as stack:
        robots = others(house, stack, "money", 1, 2, 4, 5)
        ann.press(ann.button("Take a seat"))
        for robot, amount in zip(robots, (2500, 10_000, 9900, 100), strict=True):
            robot.phase("betting")
            robot.done("place", spot="ante", amount=amount)
            robot.done("place", spot="three_card_bonus", amount=500)
        for chip in (2500, 500, 100, 100):
            ann.bet("Ante", chip)
        ann.bet("3 Card Bonus", 500)
        lies_well(ann, "Undo", "Clear", "Rebet", "Deal")
        ann.press(ann.chip(10_000))
        ann.press(ann.spot("Ante"))
        expect(ann.notice).to_contain_text("at its most")
        lies_well(ann, "Deal")
        for robot in robots:
            robot.done("ready")
        ann.deal()
        for robot in robots[:2]:
            trade_and_raise(robot)
        expect(ann.options).to_have_count(3)
        lies_well(ann, "Check", "Raise", "Trade")
        on_the_felt(ann, spot=4 if screen.touch else 20, card=3 if screen.touch else 7)
        ann.decide("Trade")
        expect(ann.options).to_have_count(2)
        lies_well(ann, "Stand", "Raise")
        ann.decide("Raise")
        for robot in robots[2:]:
            trade_and_raise(robot)
        expect(ann.notice).to_contain_text("3 Card Bonus loses")
        lies_well(ann, "Deal")
        on_the_felt(ann, figure=4 if screen.touch else 20)


def trade_and_raise(robot: Robot) -> None:
    robot.my_turn()
    robot.done("choose", option="trade")
    robot.until(lambda view: len(view["you"]["options"]) == 2)
    robot.done("choose", option="raise")


@pytest.mark.slow
def test_every_thing_has_its_place_through_a_round_of_in_between(
    house: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("4h 9c Kd 3d Ts 7h 4s 7c Th 3c 2s 5h 9s")
    ann = visit(house, screen)
    ann.enter("between")
    with ExitStack() as stack:
        robots = others(house, stack, "between", 1, 2, 4, 5)
        ann.press(ann.button("Take a seat"))
        for robot, amount in zip(robots, (2500, 10_000, 9900, 500), strict=True):
            robot.phase("betting")
            robot.done("place", spot="base", amount=amount)
            robot.done("place", spot="in_between", amount=500)
            robot.done("ready")
        ann.bet("Blackjack", 2500)
        ann.bet("IN BETween", 500)
        lies_well(ann, "Deal")
        ann.deal()
        stand(robots[:2])
        expect(ann.options).to_have_count(4)
        lies_well(ann, "Stand", "Hit", "Double", "Split")
        on_the_felt(ann, spot=2 if screen.touch else 10, card=4 if screen.touch else 12, place=1)
        ann.decide("Stand")
        stand(robots[2:])
        expect(ann.notice).to_contain_text(re.compile(r"Blackjack loses 25\.00: \d+ against \d+"))
        lies_well(ann, "Deal")
        on_the_felt(ann, spot=2 if screen.touch else 10, card=5 if screen.touch else 13, place=1)


def stand(robots: list[Robot]) -> None:
    for robot in robots:
        robot.my_turn()
        robot.done("choose", option="stand")


SMALLEST = Screen(320, 568, touch=True)


@pytest.mark.parametrize("screen", [SMALLEST, PHONE], ids=str)
def test_the_felt_stays_where_it_is_through_a_round_on_a_phone(
    house: LocalServer, visit: Visit, stacked: Stack, screen: Screen
) -> None:
    stacked("7h Ks 9c 4d")
    ann = visit(house, screen)
    with house.join("money", 1) as bob:
        ann.sit("money", 3)
        bob.phase("betting")
        bob.done("place", spot="ante", amount=10_000)
        bob.done("ready")
        ann.bet("Ante", 500)
        lies_well(ann, "Undo", "Clear", "Rebet", "Deal")
        before = place_of(ann.felt), place_of(ann.rail)
        ann.deal()
        bob.my_turn()
        bob.done("choose", option="raise")
        expect(ann.options).to_have_count(3)
        lies_well(ann, "Check", "Raise", "Trade")
        assert (place_of(ann.felt), place_of(ann.rail)) == before
        ann.decide("Raise")
        expect(ann.notice).to_contain_text("You ")
        lies_well(ann, "Deal")
        assert (place_of(ann.felt), place_of(ann.rail)) == before


def place_of(what: Locator) -> FloatRect:
    box = what.bounding_box()
    assert box is not None
    return box


@pytest.mark.slow
@pytest.mark.parametrize("screen", [Screen(1360, 1000), Screen(1920, 1080)], ids=str)
def test_the_felt_fills_the_room_between_head_and_rail(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    ann.sit("money")
    for part in (None, "Rules"):
        if part:
            ann.open(part)
        lies_well(ann, "Deal")
        table, rail = place_of(ann.felt.locator(".table-shadow")), place_of(ann.rail)
        assert rail["y"] - (table["y"] + table["height"]) < 80
        felt = place_of(ann.felt)
        assert abs((table["x"] + table["width"] / 2) - (felt["x"] + felt["width"] / 2)) < 2


@pytest.mark.slow
@pytest.mark.parametrize("table", ["money", "between"])
def test_the_table_stays_whole_beside_the_drawer(house: LocalServer, visit: Visit, table: str, screen: Screen) -> None:
    ann = visit(house, screen)
    ann.sit(table)
    for part in ("Pay tables", "Rules", "History", "Fairness", "Settings"):
        ann.open(part)
        box = ann.drawer.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= screen.width
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= screen.width
        if screen.touch:
            controls = ann.drawer.locator("button, select, label").all()
            sizes = [control.bounding_box() or {"width": 0, "height": 0} for control in controls]
            assert all(min(size["width"], size["height"]) >= FINGER for size in sizes), (part, sizes)
        else:
            lies_well(ann, "Deal")


# Every game at five sizes.

SIZES = (
    Screen(1440, 900),
    Screen(1024, 768),
    Screen(390, 844, touch=True),
    Screen(360, 640, touch=True),
    Screen(844, 390, touch=True),
)
LEGIBLE = (
    *(("title", kind) for kind in ("spot", "card", "sign", "figure")),
    *(("legend", kind) for kind in ("card", "spot", "sign", "dice")),
    *(("line", kind) for kind in ("card", "spot", "sign", "title", "plate", "shoe")),
    *(("sign", kind) for kind in ("card", "spot", "plate", "legend", "place")),
    *(("chip of another", kind) for kind in ("figure", "print", "title")),
)
"""What is apart not only as far as the eye can tell, but by a pixel at least."""

WHOLE = tuple(
    "control text card spot title plate legend line sign shoe badge seat points dice thing place print".split()
)

Phases = Iterator[tuple[str, ...]]
"""Plays a round, and stops at each phase with the buttons that are in sight there."""


def troubles(person: Person, *needed: str) -> list[str]:
    """What is not as it should be on this screen, in words."""
    shapes, screen = look(person.page), person.screen
    found = [*covered(shapes, *APART), *covered(shapes, *LEGIBLE, by=-1)]
    found += [f"cut: {text}" for text in cut(person.page)]
    found += [f"{s} is cut off" for kind in WHOLE for s in shapes[kind] if not s.lies_on(screen.width, screen.height)]
    if screen.touch:
        finger = FINGER if screen.height > 600 else SMALL_FINGER
        small = [s for s in shapes["touch"] if min(s.right - s.left, s.bottom - s.top) < finger]
        found += [f"{shape} is too small for a finger" for shape in small]
    if not shapes["legend"] and not shapes["line"]:
        found.append("the felt has no title")
    for name in needed:
        if not person.page.get_by_role("button", name=name).first.is_visible():
            found.append(f"{name} is not to be seen")
    return found


def at_each_size(person: Person, *needed: str) -> list[str]:
    """The troubles at each size of the window."""
    usual, found = person.screen, []
    for size in SIZES:
        person.screen = size
        person.page.set_viewport_size({"width": size.width, "height": size.height})
        expect(person.page.locator(".strip")).to_have_count(1 if size.touch else 0)
        person.page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")
        found += [f"{size}, {needed[-1]}: {trouble}" for trouble in troubles(person, *needed)]
    person.screen = usual
    person.page.set_viewport_size({"width": usual.width, "height": usual.height})
    expect(person.page.locator(".strip")).to_have_count(0)
    return found


def bet_all(robots: list[Robot], **wagers: int) -> None:
    for robot in robots:
        robot.phase("betting")
        for spot, amount in wagers.items():
            robot.done("place", spot=spot, amount=amount)


def choose(robot: Robot, option: str) -> None:
    robot.until(lambda view: any(offered["name"] == option for offered in view["you"]["options"]))
    robot.done("choose", option=option)


def of_one_for_the_money(ann: Person, robots: list[Robot]) -> Phases:
    bet_all(robots, ante=10_000, three_card_bonus=2500)
    yield ("Deal",)
    for spot, chip in (("Ante", 2500), ("Ante", 500), ("Ante", 100), ("3 Card Bonus", 500)):
        ann.bet(spot, chip)
    yield ("Undo", "Clear", "Rebet", "Deal")
    for robot in robots:
        robot.done("ready")
    ann.deal()
    for robot in robots[:2]:
        trade_and_raise(robot)
    expect(ann.options).to_have_count(3)
    yield ("Check", "Raise", "Trade")
    ann.decide("Trade")
    expect(ann.options).to_have_count(2)
    ann.decide("Raise")
    for robot in robots[2:]:
        choose(robot, "check")
    expect(ann.notice).to_contain_text("You lose")
    yield ("Deal",)


def of_in_between(ann: Person, robots: list[Robot]) -> Phases:
    bet_all(robots, base=10_000, in_between=2500)
    ann.bet("Blackjack", 2500)
    ann.bet("IN BETween", 500)
    yield ("Undo", "Clear", "Rebet", "Deal")
    for robot in robots:
        robot.done("ready")
    ann.deal()
    for robot in robots[:2]:
        choose(robot, "stand")
    expect(ann.options).to_have_count(4)
    yield ("Stand", "Hit", "Double", "Split")
    for option, hand in (("Split", "hand 1 of 2"), ("Split", "hand 1 of 3"), ("Double", "hand 2 of 3")):
        ann.decide(option)
        expect(ann.head).to_contain_text(hand)
    yield ("Stand", "Hit", "Double")
    ann.decide("Stand")
    expect(ann.head).to_contain_text("hand 3 of 3")
    ann.decide("Stand")
    for robot in robots[2:]:
        choose(robot, "stand")
    expect(ann.notice).to_contain_text("Hand 1")
    yield ("Deal",)


def of_down_under(ann: Person, robots: list[Robot]) -> Phases:
    bet_all(robots, ante=10_000, bet=10_000, trips_or_better=2500, match_the_dealer=2500, jackpot=100)
    for spot, chip in (("Ante", 2500), ("Ante", 500), ("Trips or Better", 500), ("Match the Dealer", 500)):
        ann.bet(spot, chip)
    ann.bet("Jackpot")
    yield ("Undo", "Clear", "Rebet", "Deal")
    for robot in robots:
        robot.done("ready")
    ann.deal()
    for robot, option in zip(robots[:2], ("check", "3x"), strict=False):
        choose(robot, option)
    expect(ann.options).to_have_count(3)
    yield ("Check", "2x", "3x")
    ann.decide("Check")
    for robot, option in zip(robots[2:], ("2x", "check"), strict=False):
        choose(robot, option)
    for robot in robots[:1]:
        choose(robot, "fold")
    expect(ann.options).to_have_count(2)
    yield ("Fold", "1x")
    ann.decide("1x")
    for robot in robots[3:]:
        choose(robot, "fold")
    expect(ann.notice).to_contain_text(re.compile("Ante (wins|loses|comes back)"))
    yield ("Deal",)


def of_yo(ann: Person, robots: list[Robot]) -> Phases:
    shared = dict.fromkeys(("yo", "high", "low", "pairs", "eleven", "craps"), 500)
    bet_all(robots, play=10_000, **shared)
    ann.bet("Play", 2500)
    for spot in ("Yo!", "High", "Low", "Pairs", "Eleven", "Craps"):
        ann.bet(spot, 500)
    yield ("Undo", "Clear", "Rebet", "Ready")
    for robot in robots:
        robot.done("ready")
    ann.press(ann.button("Ready"))
    choose(robots[0], "roll")
    expect(ann.felt.locator(".die")).to_have_count(4)
    for robot in robots:
        robot.until(lambda view: view["told"].get("point") == "6")
    bet_all(robots, more=10_000)
    ann.bet("More", 2500)
    yield ("Collect 7.50", "Ready")


GAMES = {
    "one-for-the-money": (money, of_one_for_the_money, 4, "7c Qh Kd Js 4h Td 2c 9s 3d 8c"),
    "in-between": (between, of_in_between, 4, "Kc 8s 8d 6d 4c 6h 5s 2d 8h 3c Tc 2c 8c 3d Td 9h Jc 9s"),
    "down-under-holdem": (under, of_down_under, 4, "Ks Qc 7d 5c Kd Qh 2c Ad Js Qd 4h 9c 3s"),
    "down-under-holdem, one seat": (under, of_down_under, 0, "Ks Qc 7d 5c Kd Qh 2c Ad Js"),
    "down-under-holdem, three seats": (under, of_down_under, 2, "Ks Qc 7d 5c Kd Qh 2c Ad Js"),
    "yo": (yo, of_yo, 5, "4211"),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_thing_has_its_place_at_five_sizes_through_a_round_of(
    name: str, tmp_path: Path, visit: Visit, stacked: Stack, rolls: Stack
) -> None:
    table, play, company, chances = GAMES[name]
    (rolls if table is yo else stacked)(chances)
    settings = table(pace=PAUSED, **({} if table is yo else {"burn": 0}))
    with LocalServer(tmp_path, [settings]) as server, ExitStack() as stack:
        ann = visit(server, SIZES[0])
        ann.enter(settings.id)
        found = at_each_size(ann, "Take a seat")
        own = (settings.seats + 1) // 2
        seats = [seat for seat in range(1, company + 2) if seat != own][:company]
        robots = others(server, stack, settings.id, *seats)
        ann.press(ann.page.get_by_role("button", name=f"Sit here, seat {own}"))
        for needed in play(ann, robots):
            found += at_each_size(ann, *needed)
        assert not found, "\n".join(found)
