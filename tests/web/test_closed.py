"""Faults have a size: a table that cannot be played on says why wherever one looks, and a house that writes nothing."""

import html
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from feltworks.floor.house import House
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.table.commands import Place
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.game import Game
from feltworks.web.cookies import COOKIE
from tests.web.robots import LocalServer, Reply, Robot, between, money
from tests.web.test_guard import assert_guarded

GONE = r"It is played by the definition \w{12} of in-between; installed is \w{12}\."


@pytest.fixture
def other_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From now on another definition of in-between is installed than tables were opened with."""
    load = TableSettings.load_game

    def change() -> None:
        def changed(settings: TableSettings, given: Game | None = None) -> Game:
            another = {"pay": {"in_between": "D"}} if settings.game == "in-between" else {}
            return load(msgspec.structs.replace(settings, **another), given)

        monkeypatch.setattr(TableSettings, "load_game", changed)

    return change


def abandoned(folder: Path, other_rules: Callable[[], None]) -> Robot:
    """A house whose table of in-between had a wager on it when its rules were replaced; who had made it."""
    with LocalServer(folder, [money(), between()]) as server:
        ann = server.join("between", 1)
        ann.phase("betting")
        ann.done("place", spot="base", amount=700)
        assert ann.until(lambda view: view["you"]["staked"])["you"]["balance"] == GRANT - 700
        ann.close()
    other_rules()
    return ann


def notices(reply: Reply) -> list[str]:
    """What a page says is closed or not as it should be, in words."""
    found = re.findall(r'<p class="closed"[^>]*>(.*?)</p>', reply.text, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]+>", "", notice)).strip() for notice in found]


def heard(server: LocalServer, table: str) -> str:
    """What a page that is still open at a table is told when it connects again."""
    robot = Robot(server, table, None, {})
    with pytest.raises(ConnectionClosed) as closed:
        robot.receive()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
    (answer,) = robot.answers.values()
    assert answer["refused"] is None
    return str(answer["why"])


def play(server: LocalServer, table: str) -> Reply:
    return server.ask("/play", "POST", f"table={table}".encode(), content_type="application/x-www-form-urlencoded")


@pytest.mark.rule("F-17", "F-01")
def test_a_closed_table_says_why_in_the_lobby_on_its_page_and_to_who_was_there(
    tmp_path: Path, other_rules: Callable[[], None]
) -> None:
    ann = abandoned(tmp_path, other_rules)
    with LocalServer(tmp_path) as server:
        for path, status in (("/", 200), ("/table/between", 503)):
            reply = server.ask(path)
            assert reply.status == status
            assert_guarded(reply)
            (notice,) = notices(reply)
            assert re.fullmatch(rf"Green is closed\. {GONE}", notice)
            assert "Play now<" in reply.text and 'value="money"' in reply.text  # the other table is offered
            assert 'value="between"' not in reply.text
        assert re.fullmatch(rf"This table is closed\. {GONE}", heard(server, "between"))
        refused = play(server, "between")
        assert refused.status == 503
        assert re.fullmatch(rf"This table is closed\. {GONE}", refused.json["detail"])
        assert "set-cookie" not in refused.headers
        assert [table["id"] for table in server.get("/api/tables")] == ["money"]
        bob = server.watch("money", ann.token)
        assert bob.you["balance"] == GRANT  # the wager went back
        bob.done("sit", seat=1)
        bob.phase("betting")
        server.check()


@pytest.mark.rule("F-17", "F-18")
def test_the_rounds_of_a_closed_table_can_be_recalled(tmp_path: Path, other_rules: Callable[[], None]) -> None:
    abandoned(tmp_path, other_rules)
    with LocalServer(tmp_path) as server:
        (only,) = server.get("/api/tables/between/rounds")["rounds"]
        assert only["over"]
        recalled = server.get(f"/api/tables/between/rounds/{only['round']}")
        assert recalled["recall"] and recalled["standing"]
        kinds = [record["event"]["kind"] for record in recalled["records"]]
        assert kinds[0] == "round started" and kinds[-1] == "abandoned"
        placed = [record["event"]["answer"] for record in recalled["records"] if "answer" in record["event"]]
        assert placed == [{"kind": "place", "seat": 1, "spot": "base", "amount": 700}]


@pytest.mark.rule("F-17")
def test_the_page_of_a_closed_table_leads_to_the_one_that_took_its_place(
    tmp_path: Path, other_rules: Callable[[], None]
) -> None:
    abandoned(tmp_path, other_rules)
    with LocalServer(tmp_path) as server:
        assert server.run(lambda house: house.open_successor("between")) == "between-2"
    with LocalServer(tmp_path) as server:
        for path, status in (("/", 200), ("/table/between", 503)):
            reply = server.ask(path)
            assert reply.status == status
            assert [
                n.endswith("Another table with the same settings has taken its place.") for n in notices(reply)
            ] == [True]
            assert '<a href="/table/between-2">' in reply.text
        page = server.ask("/table/between-2")
        assert page.status == 200
        assert 'data-table="between-2"' in page.text and "Green" in page.text
        ann = server.join("between-2", 2)
        assert ann.view["table"]["limits"] == {spot: {"least": 100, "most": 10_000} for spot in ("base", "in_between")}
        ann.phase("betting")
        ann.done("place", spot="base", amount=500)
        server.check()


@pytest.mark.rule("F-16")
def test_a_table_whose_records_were_changed_is_closed_and_the_others_are_played(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money(), between()]) as server:
        ann = server.join("between", 1)
        ann.phase("betting")
        ann.done("place", spot="base", amount=777)
        ann.close()
    file = server.records.read_bytes()
    changed = file.replace(b'"spot":"base","amount":777', b'"spot":"base","amount":999')
    assert changed != file
    server.records.write_bytes(changed)
    with LocalServer(tmp_path) as server:
        (notice,) = notices(server.ask("/"))
        assert re.match(r"between is closed\. Its records cannot be read: .*event \d+ was changed", notice)
        assert notices(server.ask("/table/between")) == [notice]
        assert "between is closed" not in (why := heard(server, "between")) and "was changed" in why
        bob = server.join("money", 1)
        bob.phase("betting")
        bob.done("place", spot="ante", amount=500)


@pytest.mark.rule("F-16")
def test_a_house_to_whose_records_somebody_has_added_says_so_and_writes_nothing(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ann = server.join("money", 1)
        ann.phase("betting")
        ann.close()
    good = server.records.read_bytes()
    with closing(apsw.Connection(str(server.records))) as file:
        file.execute(
            "INSERT INTO commits SELECT max(id) + 1, chain, max(number) + 1, time, 'program', '', 'house', ?, x'', '',"
            " x'' FROM commits",
            (b'{"kind":"migrate"}',),
        )
    with LocalServer(tmp_path) as server:
        fault = server.run(lambda house: house.fault)
        assert fault == (
            "The house is read-only. The last records are not signed: somebody wrote them without the house's key."
            " Run `felt verify`."
        )
        with server.reading() as store:
            before = store.counts()
        for path, status in (("/", 200), ("/table/money", 503)):
            reply = server.ask(path, Cookie=f"{COOKIE}={ann.token}")
            assert reply.status == status
            assert_guarded(reply)
            assert notices(reply) == [fault]
            assert 'role="alert"' in reply.text
        assert heard(server, "money") == fault
        refused = play(server, "money")
        assert (refused.status, refused.json["detail"]) == (503, fault)
        assert "set-cookie" not in refused.headers
        asked: list[Callable[[House], object]] = [
            lambda house: house.command("money", "anybody", Place("ante", 500), "late"),
            lambda house: house.people.guest(),
            lambda house: house.open_table(between()),
        ]
        for work in asked:
            with pytest.raises(Refused, match=re.escape(fault)):
                server.run(work)
        with server.reading() as store:
            assert store.counts() == before
    server.records.write_bytes(good)
    with LocalServer(tmp_path) as server:
        assert notices(server.ask("/")) == []
        ann.again(server).done("place", spot="ante", amount=500)
        server.check()
