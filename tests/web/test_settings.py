"""What a table's settings do on the screens of those who are there: notices, house rules, and changes (F-04, F-05,
F-40)."""

import re
from pathlib import Path

import msgspec
import pytest

from feltworks.floor.precedence import PRECEDENCE, kind_of
from feltworks.floor.roles import Role
from feltworks.floor.table.settings import HouseRule, Limits
from feltworks.floor.table.settings_report import DISPUTE, settings_report
from feltworks.games import load, names
from tests.floor.sitting import TODAY, fulfilled
from tests.web.people_of_the_house import said, staffed
from tests.web.robots import LIMITS, LocalServer, between, blackjack, money, table_of, under

RULES = (HouseRule("No telephones at the table."), HouseRule("Seats are kept for ten minutes.", "Hoyle"))
ORDER = (
    "In a dispute, from the first to the last: state rules, approved manufacturer's rules, approved house rules, Hoyle."
)

HELD = (
    "A payout over $3,000 for one wager is held until surveillance has verified it (regulators' texts on the"
    " surveillance of card rooms; not verified: the section that says so and the day on which it took effect); at this"
    " training table the program verifies it at once."
)


@pytest.mark.rule("F-04", "F-05")
def test_house_rules_are_posted_with_their_kind_and_so_is_the_order_of_the_kinds(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money(house_rules=RULES)]) as server:
        about = server.join("money", 1).view["table"]
    assert about["house_rules"] == [
        {"text": "No telephones at the table.", "kind": "approved house rules"},
        {"text": "Seats are kept for ten minutes.", "kind": "Hoyle"},
    ]
    assert about["notices"] == [
        "A training table, for play money: no conditions are recorded, and no wager limit of the law applies.",
        HELD,
        DISPUTE,
        ORDER,
    ]
    assert list(PRECEDENCE) == ["state rules", "approved manufacturer's rules", "approved house rules", "Hoyle"]


@pytest.mark.rule("F-04", "F-05")
def test_nothing_is_called_approved_at_a_table_whose_game_carries_no_approval(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [blackjack(house_rules=RULES)]) as server:
        manager = staffed(server, "Max", Role.MANAGER)
        about = server.join("blackjack", 1).view["table"]
        posted = said(manager.get("/house/tables/blackjack"))
        form = said(manager.get("/house/tables/blackjack/settings"))
    order = "In a dispute, from the first to the last: state rules, manufacturer's rules, house rules, Hoyle."
    assert [rule["kind"] for rule in about["house_rules"]] == ["house rules", "Hoyle"]
    assert about["notices"][-1] == order
    assert "No telephones at the table. house rules" in posted and order in posted
    assert order in form and "Manufacturer's rules" in form
    assert not any("approved house rules" in words.lower() for words in (posted, form))


@pytest.mark.rule("F-05")
@pytest.mark.parametrize("name", names())
def test_every_rule_of_a_game_says_which_of_the_four_kinds_it_is(name: str) -> None:
    game = load(name)
    kinds = {number: kind_of(game, said.get("source", "")) for number, said in game.statements.items()}
    assert set(kinds.values()) <= ({*PRECEDENCE} if game.approval else {"carries no approval"})
    if name == "in-between":
        assert kinds["I-01"] == "approved manufacturer's rules" and kinds["B-02"] == "approved house rules"
        assert "state rules" in kinds.values()


@pytest.mark.rule("F-04", "F-06", "F-29")
def test_a_card_room_posts_the_limit_of_the_law_with_its_source_and_what_is_not_verified() -> None:
    room = fulfilled(
        under(venue="card room", dealing="people", equipment=dict.fromkeys(("card reader", "jackpot system"), "x"))
    )
    law, people, *_ = settings_report(room, TODAY).notices
    assert (
        law.startswith("By law a single wager is at most $400 at a card room (WAC 230-15-140 ")
        and "not verified" in law
    )
    assert people.startswith("People deal here")


@pytest.mark.rule("F-05")
@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ((HouseRule(" "),), "A house rule is a text of at most 400 characters."),
        ((HouseRule("x" * 401),), "A house rule is a text of at most 400 characters."),
        ((HouseRule("x"),) * 31, "31 house rules are too many to be read; post at most 30."),
    ],
    ids=["empty", "long", "many"],
)
def test_house_rules_that_nobody_could_read_are_refused(rules: tuple[HouseRule, ...], words: str) -> None:
    report = settings_report(money(house_rules=rules), TODAY)
    assert [(problem.setting, problem.said) for problem in report.problems] == [("house_rules", words)]


@pytest.mark.rule("F-01", "F-03", "F-31")
def test_a_report_on_settings_has_problems_standing_warnings_and_limits_at_once() -> None:
    wrong = msgspec.structs.replace(between(venue="card room", pay={"in_between": "30,12,6,4,2"}), seats=9)
    report = settings_report(wrong, TODAY)
    assert {problem.setting for problem in report.problems} == {"conditions", "seats"}
    assert report.standing is not None and report.standing.words == "modified: not as approved"
    assert "Before any modification ask the Washington State Gambling Commission." in report.warnings
    assert (report.limits["base"].most, report.limits["base"].most_by_law) == (10_000, 40_000)
    assert settings_report(money(game="faro"), TODAY).standing is None


@pytest.mark.rule("F-04", "F-40")
def test_whoever_is_at_the_table_is_told_of_a_change_at_once_and_shown_what_is_posted_when_it_is_in_force(
    tmp_path: Path,
) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ann, bob = server.join("money", 1), server.join("money", 2)
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        after = msgspec.structs.replace(money(), house_rules=RULES, name="Claret")
        server.run(lambda house: house.change_settings("money", after))
        posted = "From the next round: the table is called Claret; the house rules are others."
        for robot in (ann, bob):
            view = robot.until(lambda view: view["message"].endswith(posted))
            assert view["table"]["name"] == "Burgundy"
        ann.done("take up", spot="ante")
        for robot in (ann, bob):
            view = robot.until(lambda view: view["table"]["name"] == "Claret")
            assert "From the next round" not in view["message"] and len(view["table"]["house_rules"]) == 2
        server.check()


def test_the_page_of_settings_has_limits_for_every_spot_and_any_wager_but_the_last_may_be_left_out(
    tmp_path: Path,
) -> None:
    with LocalServer(tmp_path, [table_of("craps")]) as server:
        form = staffed(server, "Max", Role.MANAGER).get("/house/tables/craps/settings").text
    names = re.findall(r'name="(limits\.[a-z_0-9]+\.least|offer\.[a-z_]+)"', form)
    craps = load("craps")
    assert {f"limits.{spot}.least" for wager in craps.wagers.values() for spot in wager.opens} <= {*names}
    assert {f"offer.{name}" for name in craps.wagers} <= {*names}
    ways = [name for name, wager in craps.wagers.items() if wager.one_of]
    but_one = table_of("craps", without=(*ways[1:], "lay"), limits=dict.fromkeys(("pass", "odds"), LIMITS))
    assert not settings_report(but_one, TODAY).problems
    none = table_of("craps", without=(*ways, "odds", "lay"))
    assert [str(problem.error) for problem in settings_report(none, TODAY).problems] == [
        "Pass Line, Don't Pass, Come, Don't Come, Place and Field cannot be left out: a seat comes into the round with"
        " one of them."
    ]


@pytest.mark.rule("F-03", "F-04")
def test_a_wager_on_any_of_many_spots_has_limits_once_as_long_as_they_are_the_same_on_all(tmp_path: Path) -> None:
    path = "/house/tables/roulette/settings"
    straight = load("roulette").wagers["straight"].opens

    def entered(page: str) -> set[str]:
        return {*re.findall(r'name="limits\.([\w-]+)\.least"', page)}

    with LocalServer(tmp_path, [table_of("roulette")]) as server:
        manager = staffed(server, "Max", Role.MANAGER)
        wagers = load("roulette").wagers.values()
        few = {spot for wager in wagers if len(wager.opens) <= 6 for spot in wager.opens}
        many = [[*wager.opens] for wager in wagers if len(wager.opens) > 6]
        assert entered(manager.get(path).text) == few | {spots[0] for spots in many}
        wrong = manager.post(path, {"limits.0.least": "900", "do": "look"}, X_Look="1")
        assert "1 thing stands against it" in said(wrong)
        manager.post(path, {"limits.0.least": "2", "limits.0.most": "50", "do": "post"})
        table = server.run(lambda house: house.live("roulette").table)
        after = (table.change or table).settings
        assert {after.limits[spot] for spot in straight} == {Limits(200, 5_000)}
        assert {after.limits[spot] for spot in few} == {LIMITS}
        posted = said(manager.get("/house/tables/roulette"))
        assert "Straight up $2 to $50; Split $1 to $" in posted
        apart = msgspec.structs.replace(after, limits={**after.limits, "17": Limits(100, 1_000)})
        server.run(lambda house: house.change_settings("roulette", apart))
        assert entered(manager.get(path).text) >= {*straight}, "where one of them is another, each is entered"
        server.check()
