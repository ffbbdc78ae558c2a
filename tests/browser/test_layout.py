"""Nothing covers anything else, nothing is cut off, and what is to be touched is large enough to be."""

from contextlib import ExitStack

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.browser.conftest import Stack, Visit
from tests.browser.people import PHONE, Person, Screen
from tests.browser.shapes import covered, look
from tests.web.robots import LocalServer, Robot

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
    ("region", "region"),
)
FINGER, SMALL_FINGER = 40, 34


def lies_well(person: Person, *needed: str) -> None:
    """Everything has its own place on this screen; these buttons are in sight without scrolling."""
    width, height = person.screen.width, person.screen.height
    shapes = look(person.page)
    assert covered(shapes, *APART) == []
    assert [str(tag) for tag in shapes["tag"] if not any(tag.lies_in(spot) for spot in shapes["spot"])] == []
    for kind in ("control", "text", "card", "spot", "title", "plate"):
        assert [str(s) for s in shapes[kind] if s.left < -0.5 or s.right > width + 0.5] == []
    assert person.page.evaluate("document.documentElement.scrollWidth") <= width
    if person.screen.touch:
        finger = FINGER if height > 600 else SMALL_FINGER
        small = [s for s in shapes["control"] if min(s.right - s.left, s.bottom - s.top) < finger]
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
        expect(ann.notice).to_contain_text("at most")
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
        expect(ann.notice).to_contain_text("Blackjack loses 25.00: lower total")
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
