"""What is posted for everybody: approval and differences, limits and pay tables, rules, and every round recalled."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import feltworks
from feltworks.floor.accounts import HOUSE, Kind
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.chance.shoe import check_opening
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import load_keys
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Placed, Turned
from feltworks.floor.table.settings import Clocks, Limits, Pace, TableSettings
from feltworks.kit.errors import BadValue, UnknownName
from feltworks.web import lobby_messages, round_messages
from feltworks.web.app import HERE
from feltworks.web.demo import TABLES
from tests.browser.cards import stack
from tests.web import shapes
from tests.web.robots import Json, LocalServer, between, money, play_on

TUNED = {
    "another table": between(id="another-table", pay={"in_between": "D"}, decks=1, seats=2),
    "another reading": between(id="reading", readings={"upcard_equals_a_card": "push"}),
    "training": between(id="training"),
    "other odds": between(id="odds", pay={"in_between": "30,12,6,4,3/2"}),
    "other decks": between(id="decks", decks=5),
    "both": money(id="both", decks=1, pay={"three_card_bonus": "40,25,10,5"}),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(tmp_path_factory.mktemp("house"), [money(), between(), *TUNED.values()]) as server:
        yield server


def posted_at(server: LocalServer, table: str) -> Json:
    with server.watch(table) as robot:
        about: Json = robot.view["table"]
        return about


# The game as approved.


@pytest.mark.rule("F-01", "F-02")
@pytest.mark.parametrize(
    ("what", "standing", "differences"),
    [
        ("another table", "the approved rules, for training", []),
        (
            "another reading",
            "the approved rules, for training",
            ["upcard_equals_a_card=push: the wager pushes"],
        ),
        ("training", "the approved rules, for training", []),
        ("other odds", "modified: not as approved", ["IN BETween: All other spreads pays 3 to 2 instead of 1 to 1"]),
        ("other decks", "modified: not as approved", ["5 decks instead of 1, 2, 4, 6, 8"]),
        (
            "both",
            "modified: not as approved",
            ["1 deck instead of 6, 8", "3 Card Bonus: Three of a kind pays 25 to 1 instead of 30 to 1"],
        ),
    ],
)
def test_what_is_not_as_approved_is_told_with_its_differences_at_the_table_in_the_lobby_and_in_the_record(
    server: LocalServer, what: str, standing: str, differences: list[str]
) -> None:
    settings = TUNED[what]
    about = posted_at(server, settings.id)
    approval = settings.load_game().definition.approval
    asked = [*approval.ask_first] if approval and standing.startswith("modified") else []
    assert (about["standing"], about["warnings"]) == (standing, [*differences, *asked])
    (listed,) = (entry for entry in server.get("/api/tables") if entry["id"] == settings.id)
    assert listed["standing"] == standing
    lobby = html.unescape(server.ask("/").text)
    assert standing in lobby and all(line in lobby for line in asked)
    with server.reading() as store:
        opened = decode_event(settings.id, next(store.read(settings.id)).event)
    assert isinstance(opened, ev.Opened)
    assert opened.settings == settings
    assert {"definition": opened.definition, "build": opened.build} == about["fingerprint"]


@pytest.mark.rule("F-01")
def test_other_readings_odds_and_decks_are_other_definitions_of_the_same_build(server: LocalServer) -> None:
    prints = [posted_at(server, table.id)["fingerprint"] for table in TUNED.values() if table.game == "in-between"]
    assert len({fingerprint["definition"] for fingerprint in prints}) == len(prints)
    assert len({fingerprint["build"] for fingerprint in prints}) == 1


@pytest.mark.rule("F-01", "F-04")
def test_the_rules_at_the_table_are_the_rules_that_the_laboratory_certifies(server: LocalServer) -> None:
    """G8: one fingerprint on the table, its records, the rules page and the analysis."""
    analysed = feltworks.analyze("in-between", wager="in_between").to_json()["fingerprint"]
    assert posted_at(server, "between")["fingerprint"] == analysed
    assert server.get("/api/games/in-between")["fingerprint"] == analysed
    with server.reading() as store:
        opened = decode_event("between", next(store.read("between")).event)
    assert isinstance(opened, ev.Opened)
    assert {"definition": opened.definition, "build": opened.build} == analysed


@pytest.mark.rule("F-01")
def test_a_table_does_not_go_on_with_other_rules_than_it_was_opened_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G8: the definition that is installed now must be that of the record."""
    with Store(tmp_path / "records.db") as store:
        House(store, load_keys(tmp_path / "house.key"), lambda: 1).open_table(between())
    load = TableSettings.load_game
    changed = msgspec.structs.replace(between(), pay={"in_between": "D"})
    monkeypatch.setattr(TableSettings, "load_game", lambda *_: load(changed))
    with Store(tmp_path / "records.db") as store:
        house = House(store, load_keys(tmp_path / "house.key"), lambda: 1)
        assert house.tables == {}
        why = house.closed["between"].why
        assert re.fullmatch(r"It is played by the definition \w{12} of in-between; installed is \w{12}\.", why)
        with pytest.raises(UnknownName):
            house.deal_on("between", "start round")


# Settings.


@pytest.mark.rule("F-03")
@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (money(id="Money"), "'Money' cannot be a table's id"),
        (money(id="a/b"), "'a/b' cannot be a table's id"),
        (money(id=""), "'' cannot be a table's id"),
        (money(id="x" * 33), "cannot be a table's id"),
        (money(id="house"), "There is a table 'house' already"),
        (money(game="pinochle"), "There is no game 'pinochle'"),
        (money(version="rack-card"), "There is no version 'rack-card'"),
        (money(decks=0), "0 decks are not possible; choose 1 to 8"),
        (money(decks=9), "9 decks are not possible; choose 1 to 8"),
        (money(readings={"gravity": "up"}), "There is no reading 'gravity'"),
        (money(readings={"traded_card": "up"}), "There is no value of traded_card 'up'"),
        (money(pay={"three_card_bonus": "Z"}), "There is no pay table for three_card_bonus 'Z'"),
        (money(pay={"ante": "1,1"}), "There is no pay table for 'ante'"),
        (money(seats=0), "has 1 to 7 seats, not 0"),
        (money(seats=8), "has 1 to 7 seats, not 8"),
        (money(penetration=9), "A penetration of 9 % cannot be; choose 10 to 100"),
        (money(penetration=101), "A penetration of 101 % cannot be; choose 10 to 100"),
        (money(burn=-1), "-1 burn cards cannot be; choose 0 to 10"),
        (money(burn=11), "11 burn cards cannot be; choose 0 to 10"),
        (money(chip=0), "A chip of 0 cents cannot be"),
        (money(chip=-5), "A chip of -5 cents cannot be"),
        (money(chip=300), "The limits of ante are not whole chips of 300 cents"),
        (money(limits={"ante": Limits(100, 200)}), "no limits for three_card_bonus"),
        (money(limits={}), "no limits for ante"),
        (money(limits={**money().limits, "ante": Limits(0, 200)}), "The limits of ante cannot be"),
        (money(limits={**money().limits, "ante": Limits(300, 200)}), "The limits of ante cannot be"),
        (money(limits={**money().limits, "ante": Limits(1, 10**9)}), "The limits of ante cannot be"),
        (money(limits={**money().limits, "perfect_match": Limits(1, 2)}), "There is no spot 'perfect_match'"),
        (money(clocks=Clocks(betting=-1)), "betting: -1 milliseconds cannot be"),
        (money(clocks=Clocks(away=10**9)), "away: 1000000000 milliseconds cannot be"),
        (money(clocks=Clocks(absent=-1)), "absent: -1 milliseconds cannot be"),
        (money(pace=Pace(between_rounds=-1)), "between rounds: -1 milliseconds cannot be"),
    ],
)
def test_settings_that_cannot_be_are_refused(tmp_path: Path, settings: TableSettings, why: str) -> None:
    with Store(tmp_path / "records.db") as store:
        house = House(store, load_keys(tmp_path / "house.key"), lambda: 1)
        with pytest.raises((BadValue, UnknownName), match=why):
            house.open_table(settings)
        assert store.streams() == []
        assert house.tables == {}


@pytest.mark.rule("F-03")
def test_settings_of_unknown_names_or_sorts_are_not_read_from_a_record() -> None:
    good: Any = msgspec.to_builtins(money())
    assert msgspec.convert(good, TableSettings) == money()
    for changes in ({"jackpot": 1}, {"shuffling": "hand"}, {"rounding": "up"}, {"venue": "home"}, {"decks": "6"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**good, **changes}, TableSettings)


@pytest.mark.rule("F-03", "O-01")
def test_a_shoe_dealt_deeper_than_advised_is_warned_of_and_not_refused(tmp_path: Path) -> None:
    tables = [
        money(id="deep", shuffling="shoe", penetration=95),
        money(id="advised", shuffling="shoe", penetration=90),
        money(id="shuffler", penetration=95),
    ]
    with LocalServer(tmp_path, tables) as server:
        warned = {table.id: posted_at(server, table.id)["warnings"] for table in tables}
    assert warned == {"deep": ["95 % penetration; at most 90 % is recommended"], "advised": [], "shuffler": []}


@pytest.mark.rule("D-22", "F-01")
def test_the_demo_tables_play_the_approved_rules_and_say_what_stands_in_for_approved_equipment(tmp_path: Path) -> None:
    with LocalServer(tmp_path, TABLES) as server:
        for table in TABLES:
            about = posted_at(server, table.id)
            assert about["standing"] == "the approved rules, for training"
            pieces = [text.partition(":")[0] for text in about["warnings"]]
            assert pieces == {"under": ["Card reader", "Jackpot system"], "yo": ["Dice", "Cup"]}.get(table.id, [])


# What is posted.


@pytest.mark.rule("F-04")
def test_limits_pay_tables_readings_and_fingerprints_are_in_every_view(server: LocalServer) -> None:
    game = feltworks.load("one-for-the-money")
    about = posted_at(server, "money")
    assert about["limits"] == {spot: {"least": 100, "most": 10_000} for spot in ("ante", "three_card_bonus")}
    (table,) = about["pay_tables"]
    assert (table["title"], table["table"]) == ("3 Card Bonus", "1")
    assert [(line["line"], line["pays"]) for line in table["lines"]] == [
        *[("Straight flush", "40 to 1"), ("Three of a kind", "30 to 1")],
        *[("Straight", "10 to 1"), ("Flush", "5 to 1")],
    ]
    assert {r["name"]: (r["value"], r["question"]) for r in about["readings"]} == {
        name: (game.readings[name], reading.question) for name, reading in game.definition.readings.items()
    }
    assert about["fingerprint"] == game.fingerprint
    assert [(s["spot"], s["title"], s["opens"], s["required"], s["needs"]) for s in about["spots"]] == [
        ("ante", "Ante", True, True, []),
        *[("raise", "Raise", False, False, []), ("trade", "Trade", False, False, [])],
        ("three_card_bonus", "3 Card Bonus", True, False, ["base"]),
    ]


@pytest.mark.rule("F-04")
@pytest.mark.parametrize("name", ["one-for-the-money", "in-between"])
def test_the_rules_and_the_approval_of_a_game_are_one_request_away(server: LocalServer, name: str) -> None:
    said = server.get(f"/api/games/{name}")
    game = feltworks.load(name)
    told = {"name", "title", "summary", "how_to_play", "tour", "approval", "ask_first", "statements", "fingerprint"}
    assert said.keys() == told
    assert said["how_to_play"] == list(game.definition.how_to_play)
    assert game.definition.approval is not None
    assert said["approval"]["document"] == game.definition.approval.document
    assert said["ask_first"] == list(game.definition.approval.ask_first)
    assert said["approval"]["venues"] == ["card room", "tribal casino"]
    prefixes = {"one-for-the-money": ["O-"], "in-between": ["I-", "B-"]}[name]
    found = [statement["id"][:2] for statement in said["statements"]]
    assert list(dict.fromkeys(found)) == prefixes
    assert all(found.count(prefix) >= 5 for prefix in prefixes)
    for statement in said["statements"]:
        assert statement["text"] and statement["source"]


@pytest.mark.rule("F-01")
def test_a_version_without_an_approval_is_posted_without_one(server: LocalServer) -> None:
    assert server.get("/api/games/yo")["approval"]["document"] == "000"
    assert server.get("/api/games/yo?version=rack-card")["approval"] is None


def test_the_list_of_tables_says_what_is_played_and_who_is_there(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money(), between()]) as server:
        server.join("between", 2)
        listed = server.get("/api/tables")
        for entry in listed:
            msgspec.convert(entry, lobby_messages.TableListed)
        assert [(t["id"], t["seats"], t["occupied"], t["least"], t["most"]) for t in listed] == [
            *[("between", 5, [2], 100, 10_000), ("money", 5, [], 100, 10_000)]
        ]
        assert [t["taken"] for t in listed] == [1, 0]


# Rounds.


@pytest.mark.rule("F-18", "F-16")
def test_every_round_is_recalled_as_it_was_recorded(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ann = server.join("money", 1)
        for n in range(23):
            ann.phase("betting")
            ann.done("place", spot="ante", amount=100 + n)
            ann.done("ready")
            ann.my_turn()
            ann.done("choose", option=("check", "raise", "trade")[n % 3])
            if n % 3 == 2:
                ann.until(lambda view: any(o["name"] == "stand" for o in view["you"]["options"]))
                ann.done("choose", option="stand")
            ann.next_round()

        first = server.get("/api/tables/money/rounds")
        second = server.get(f"/api/tables/money/rounds?before={first['earlier']}")
        newest, older = first["rounds"], second["rounds"]
        assert second["earlier"] is None
        assert [entry["round"] for entry in newest + older] == list(range(24, 0, -1))
        assert server.get("/api/tables/money/rounds?before=1") == {"rounds": [], "earlier": None}
        with server.reading() as store:
            for entry in newest[1:] + older:
                msgspec.convert(entry, round_messages.RoundListed)
                recalled = server.get(f"/api/tables/money/rounds/{entry['round']}")
                told = msgspec.convert(recalled, round_messages.Recalled)
                assert told.recall is True
                records = list(store.read("money", entry["sequence_from"] - 1, entry["sequence_to"]))
                assert {record.round for record in records} == {entry["round"]}
                assert [(r.sequence, r.time, r.hash) for r in told.records] == [
                    (record.sequence, record.time, record.hash) for record in records
                ]
                happened = [shapes.check_told(r["event"]) for r in recalled["records"]]
                assert happened == [shapes.written(record) for record in records]
                openings = [r["event"].get("openings") for r in recalled["records"]]
                assert openings == [shapes.told_openings(record) for record in records]
                assert_a_whole_round(happened, openings[-1] or [], told, 99 + entry["round"])
        assert server.ask("/api/tables/money/rounds/25").status == 404


def assert_a_whole_round(
    happened: list[ev.Event], openings: list[Json], told: round_messages.Recalled, amount: int
) -> None:
    """Wagers, cards, decisions, results, and the openings that prove the cards."""
    assert happened[0] == ev.RoundStarted(told.round, told.root, told.size, (ev.Called("Place your bets."),), 300_000)
    answers = [event.answer for event in happened if isinstance(event, ev.Answered)]
    assert answers[0] == Placed(1, "ante", amount)
    assert any(isinstance(answer, Decided) for answer in answers)
    effects = [effect for event in happened if isinstance(event, ev.Answered) for effect in event.effects]
    settled = [effect for effect in effects if isinstance(effect, ev.Settled)]
    assert sum(result.amount for result in settled) in (amount, 2 * amount)
    ended = happened[-1]
    assert isinstance(ended, ev.RoundEnded)
    turned = sorted(answer.card for answer in answers if isinstance(answer, Turned))
    assert sorted(opening["card"] for opening in openings) == turned
    assert told.root is not None
    assert all(check_opening(told.root, told.size, opening) for opening in openings)


@pytest.mark.rule("F-18")
def test_the_round_that_is_being_played_is_recalled_without_what_is_still_sealed(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ann = server.join("money", 1)
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.done("ready")
        ann.my_turn()
        said = server.ask("/api/tables/money/rounds/1").text
        assert said.count('"kind":"card"') == 1
        assert "openings" not in said


# The books.


@pytest.mark.rule("F-10")
def test_every_entry_of_a_played_house_has_two_sides_and_a_kind_of_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, *["Kh 2c 3d"] * 10)  # the seat wins at the first table, so that a wager comes back
    with LocalServer(tmp_path, [money(), between()]) as server:
        for table in ("money", "between"):
            robot = server.join(table, 1)
            for _ in range(3):
                robot.phase("betting")
                robot.done("place", spot="ante" if table == "money" else "base", amount=500)
                robot.done("ready")
                if table == "money":
                    robot.my_turn()
                    robot.done("choose", option="raise")
                play_on(robot)
        with server.reading() as store:
            entries = [b for stream in store.streams() for b in store.entries(stream)]
            assert all(isinstance(b.entry.cents, int) and b.entry.cents > 0 for b in entries)
            assert all(b.entry.payer != b.entry.payee for b in entries)
            kinds = {b.entry.kind for b in entries}
            assert {Kind.GRANT, Kind.WAGER_TAKEN, Kind.WAGER_RETURNED} <= kinds <= set(Kind)
            names = {name.partition(":")[0] for name in store.balances()}
            assert names == {"house", "player", "table"}
            assert sum(store.balances().values()) == 0
        to_itself = Book("fill", str(HOUSE), str(HOUSE), 5, "a fill")
        with pytest.raises(Refused, match="between two accounts"):
            server.run(lambda house: house.book(to_itself, PROGRAM))
        server.check()


def test_pages_and_static_files_are_served(server: LocalServer) -> None:
    for path, kind in (
        *(("/", "text/html"), ("/table/money", "text/html"), ("/static/core/base.css", "text/css")),
        *(("/static/table/page.js", "text/javascript"), ("/static/icon.svg", "image/svg+xml")),
    ):
        reply = server.ask(path)
        assert (reply.status, reply.headers["content-type"].partition(";")[0]) == (200, kind)
    assert server.ask("/static/core/base.css").headers["cache-control"] == "no-cache"
    assert server.ask("/vendor/preact.js").headers["cache-control"] == "public, max-age=604800"
    assert "cache-control" not in server.ask("/vendor/nothing.js").headers
    assert server.ask("/static/core/base.css").body == (HERE / "static" / "core" / "base.css").read_bytes()
    assert "Burgundy" in server.ask("/table/money").text
