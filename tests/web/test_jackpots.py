"""Progressive jackpots as tables, displays and the pages of the house show them: what the books hold, to the cent."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import websockets.sync.client as ws
from websockets.exceptions import ConnectionClosed

from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.house import House
from feltworks.floor.jackpot import commands as cmd
from feltworks.floor.roles import RIGHTS, STAFF, Role
from feltworks.web import jackpot_messages
from feltworks.web.lab import Lab
from feltworks.web.staff.access import SEE_JACKPOTS
from tests.web.jackpots import MAIN, RESERVE, SEED, TO_METER, behind, meter_of, of_house, open_jackpot, progressive
from tests.web.people_of_the_house import said, staffed
from tests.web.robots import HOST, PATIENCE, LocalServer, Robot
from tests.web.test_records_page import NAMES

PAGE = "/house/jackpots"
ONE = f"{PAGE}/{MAIN}"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path) as server:
        server.run(lambda house: open_jackpot(house, progressive("one"), progressive("two")))
        yield server


def bet(robot: Robot) -> None:
    robot.phase("betting")
    for spot in ("ante", "bet", "jackpot"):
        robot.done("place", spot=spot, amount=100)
    robot.done("ready")


# Tables.


@pytest.mark.rule("F-24", "F-25")
def test_every_linked_table_is_told_what_the_meter_shows_once_it_is_in_the_books(server: LocalServer) -> None:
    ann, bob = server.join("one", 1), server.join("two", 1)
    assert ann.meter(SEED)["name"] == bob.meter(SEED)["name"] == "The Big One"
    assert ann.view["table"]["jackpot"] == MAIN and ann.view["table"]["prize"] is None
    bet(ann)
    for robot in (ann, bob):
        told = robot.meter(SEED + TO_METER)
        assert told["tables"] == ["Eucalyptus one", "Eucalyptus two"] and told["why"] == ""
        assert (told["wager"], told["seed"], told["maximum"]) == (100, SEED, 10_000_000)
    assert behind(server.house) == (SEED + TO_METER, RESERVE + 10)


@pytest.mark.rule("F-25")
def test_no_table_is_ever_told_of_more_than_what_is_written(server: LocalServer) -> None:
    ann = server.join("one", 1)
    seen: list[tuple[int, int]] = []
    made = server.hub.jackpots.message

    def watched(id: str, table: str = "") -> bytes | None:
        message = made(id, table)
        if message is not None:
            told = msgspec.json.decode(message, type=jackpot_messages.JackpotMessage)
            seen.append((told.jackpot.meter, behind(server.house)[0]))
        return message

    server.hub.jackpots.message = watched  # type: ignore[method-assign]
    bet(ann)
    ann.meter(SEED + TO_METER)
    assert seen and all(told <= written for told, written in seen)


@pytest.mark.rule("F-17", "F-24")
def test_a_void_takes_the_registered_wager_out_of_the_meter_on_every_screen(server: LocalServer) -> None:
    ann, bob = server.join("one", 1), server.join("two", 1)
    bet(ann)
    bob.meter(SEED + TO_METER)
    server.run(lambda house: house.void("one", "the lights went out"))
    assert ann.meter(SEED)["meter"] == bob.meter(SEED)["meter"] == behind(server.house)[0]


@pytest.mark.rule("F-40", "F-24")
def test_other_terms_are_posted_at_once_and_the_round_that_is_played_keeps_its_own_until_it_is_over(
    server: LocalServer,
) -> None:
    max_ = staffed(server, "Max", Role.MANAGER)
    ann, bob = server.join("one", 1), server.join("two", 1)
    for robot in (ann, bob):
        robot.phase("betting")
    server.run(lambda house: house.void("two", "a quiet table"))
    fields = {"name": "The Big One", "seed": "900.00", "maximum": "90000", "to_meter": "1/4", "to_reserve": "1/10"}
    form = {"act": "change", **fields, "notices": ""}
    looked = said(max_.send(ONE, do="look", **form))
    assert "From the next round on: seed 900.00 instead of 1,000.00." in looked
    assert "Round 1 at table one keeps the terms before." in looked
    assert "The terms are changed." in said(max_.send(ONE, do="do", **form))
    posted = "From the next round on: seed 900.00 instead of 1,000.00; to meter 1/4 instead of 3/5; maximum 90,000.00"
    while not any(posted in notice for notice in ann.jackpot["notices"]):
        ann.receive()
    assert (ann.jackpot["seed"], ann.jackpot["maximum"]) == (SEED, 10_000_000)
    with display(server) as screen:
        told = shown(screen)
        assert (told.seed, told.maximum) == (90_000, 9_000_000)
        assert any("is played to its end at" in notice for notice in told.notices)
    before = ann.jackpot["version"]
    heard: list[str] = []
    server.hub.jackpots.listeners.append(heard.append)

    def void(house: House) -> set[str]:
        house.void("one", "nobody has bet")
        return {*heard, *server.hub.jackpots.changed}

    assert server.run(void) == {MAIN}, "it is told now, or with the next beat"
    while ann.jackpot["seed"] == SEED:
        ann.receive()
    assert ann.jackpot["version"] == before, "nothing has happened to the jackpot, but the next round has begun"
    assert not any("From the next round on" in notice for notice in ann.jackpot["notices"])


@pytest.mark.rule("F-37")
def test_a_jackpot_that_is_short_says_so_at_once_and_takes_no_wager(server: LocalServer) -> None:
    ann = server.join("one", 1)
    ann.phase("betting")
    taken = Book("correction", f"meter:{MAIN}", "house", 100, "by order of a court")
    server.run(lambda house: house.book(taken, PROGRAM))
    while not ann.jackpot.get("why"):
        ann.receive()
    assert "The money behind The Big One is 1.00 short of what is posted" in ann.jackpot["why"]
    ann.done("place", spot="ante", amount=100)
    ann.done("place", spot="bet", amount=100)
    assert "1.00 short" in ann.refused("place", spot="jackpot", amount=100)
    page = said(staffed(server, "Max", Role.MANAGER).get(ONE))
    assert "▲ 999.00 behind it" in page and "1.00 short" in page


def test_a_table_without_a_jackpot_is_told_of_none(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [of_house()]) as server:
        server.run(open_jackpot)
        ann = server.join("prize", 1)
        ann.phase("betting")
        assert ann.view["table"]["jackpot"] is None and ann.jackpot == {}


# The display.


def display(server: LocalServer, id: str = MAIN) -> ws.ClientConnection:
    return ws.connect(f"ws://{HOST}:{server.port}/ws/display/jackpots/{id}", proxy=None, open_timeout=PATIENCE)


def shown(screen: ws.ClientConnection) -> jackpot_messages.JackpotSeen:
    return msgspec.json.decode(screen.recv(PATIENCE), type=jackpot_messages.JackpotMessage).jackpot


@pytest.mark.rule("F-24")
def test_a_display_needs_nobody_to_log_in_and_follows_the_meter(server: LocalServer) -> None:
    with display(server) as screen:
        assert shown(screen).meter == SEED
        bet(server.join("one", 1))
        now = shown(screen)
        assert now.meter == SEED + TO_METER == behind(server.house)[0]
        screen.send('{"ping": 7}')
        assert screen.recv(PATIENCE) == '{"pong":7}'


def test_without_scripts_a_display_is_a_page_with_the_number_loaded_again_by_itself(server: LocalServer) -> None:
    page = server.ask(f"/display/jackpots/{MAIN}", accept="text/html")
    told = said(page)
    assert page.status == 200 and "$ 1,000.00" in told and "The Big One" in told
    assert '<meta http-equiv="refresh" content="10">' in page.text
    assert "Played for at Eucalyptus one, Eucalyptus two." in told
    assert page.headers["cache-control"] == "no-store"


def test_what_is_no_jackpot_has_no_display(server: LocalServer) -> None:
    assert server.ask("/display/jackpots/nothing", accept="text/html").status == 404
    with pytest.raises(Exception, match="403"):
        display(server, "nothing")


def test_a_display_that_talks_nonsense_is_let_go(server: LocalServer) -> None:
    with display(server) as screen:
        shown(screen)
        with pytest.raises(ConnectionClosed):
            talk(screen)


def talk(screen: ws.ClientConnection) -> None:
    while True:
        screen.send("What is it worth?")


# The pages of the house.


@pytest.mark.rule("F-13", "F-25")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_each_role_sees_and_does_with_a_jackpot_what_it_may(server: LocalServer, role: Role) -> None:
    window = staffed(server, NAMES[role], role)
    page = window.get(ONE)
    assert page.status == (200 if role in SEE_JACKPOTS else 403)
    assert (f'href="{PAGE}"' in window.get("/house").text) is (role in SEE_JACKPOTS)
    for act, command in (("seed", cmd.SeedJackpot), ("change", cmd.ChangeJackpot), ("link", cmd.LinkTable)):
        pair = RIGHTS[command].pair
        may = role in RIGHTS[command].roles or (pair is not None and any(role in kind for kind in pair))
        assert (f'name="act" value="{act}"' in page.text) is (may and role in SEE_JACKPOTS), act


@pytest.mark.rule("F-25", "F-37")
def test_the_page_has_meter_reserve_and_the_money_behind_them_as_the_books_have_them(server: LocalServer) -> None:
    bet(server.join("one", 1))
    server.join("two", 1).meter(SEED + TO_METER)
    max_ = staffed(server, "Max", Role.MANAGER)
    page, told = max_.get(ONE), said(max_.get(ONE))
    held, kept = behind(server.house)
    for name, cents in (("meter", held), ("funds-meter", held), ("reserve", kept), ("funds-reserve", kept)):
        assert f'id="{name}">{cents / 100:,.2f}<' in page.text
    assert "Seeded by the house: to begin with the program +1,000.00 1,000.00 +500.00 500.00" in told
    assert "round 1: 1 wager of 1.00, 0.30 to the house the program +0.60 1,000.60 +0.10 500.10" in told.replace(
        "  ", " "
    )
    assert "✓ Meter and reserve are what their entries make, to the cent" in said(max_.get(f"{ONE}?check"))


@pytest.mark.rule("F-13", "F-24")
def test_two_people_seed_a_jackpot_after_they_have_seen_what_it_does(server: LocalServer) -> None:
    max_, cas = staffed(server, "Max", Role.MANAGER), staffed(server, "Cas", Role.CASHIER)
    form = {"act": "seed", "meter": "250", "reserve": "10.50", "reason": "a slow week"}
    looked = said(max_.send(ONE, do="look", **form))
    assert "The meter goes from 1,000.00 to 1,250.00." in looked and "The reserve goes from 500.00 to 510.50." in looked
    assert meter_of(server.house).meter == SEED, "it was only looked at"
    assert "You have signed first" in said(max_.send(ONE, do="do", **form))
    assert meter_of(server.house).meter == SEED
    waits = cas.get("/house/waiting")
    assert "Seed jackpot: The Big One" in said(waits) and "The meter goes from 1,000.00 to 1,250.00." in said(waits)
    [action] = server.house.administration.waiting
    assert "Signed, and done." in said(cas.send("/house/waiting", do="sign", action=action))
    assert behind(server.house) == (SEED + 25_000, RESERVE + 1_050)
    assert 'id="meter">1,250.00<' in max_.get(ONE).text


@pytest.mark.rule("F-24")
@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"act": "adjust", "why": "it looked low", "cents": "-5", "note": "x"}, "for one of these reasons only"),
        ({"act": "adjust", "why": "", "cents": "-5", "note": "x"}, "for one of these reasons only"),
        ({"act": "adjust", "why": "display fault", "cents": "-1000000", "note": "x"}, "is more than the meter"),
        ({"act": "adjust", "why": "display fault", "cents": "a bit", "note": "x"}, "write an amount in dollars"),
        ({"act": "adjust", "why": "display fault", "cents": "-5", "note": ""}, "Say what was found"),
        ({"act": "seed", "meter": "", "reserve": "", "reason": "x"}, "Put a positive amount"),
        ({"act": "seed", "meter": "5", "reserve": "", "reason": ""}, "Say what the money is for"),
        ({"act": "close", "reason": "x", "heir": ""}, "name the jackpot to which it goes"),
        ({"act": "close", "reason": "x", "heir": "none"}, "no other open jackpot"),
        ({"act": "unlink", "table": "one", "reason": ""}, "Say why the table is unlinked"),
        ({"act": "link", "table": "nowhere"}, "Choose a table"),
        ({"act": "rename"}, "nothing that this page does"),
        (
            {"act": "change", "name": "X", "seed": "1", "maximum": "5", "to_meter": "3/5", "to_reserve": "0"},
            "the maximum cannot be below it",
        ),
        (
            {"act": "change", "name": "X", "seed": "1", "maximum": "5000", "to_meter": "4/5", "to_reserve": "1/2"},
            "more than the wager",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value.values())[:40],
)
def test_what_cannot_be_done_with_a_jackpot_is_refused_in_words_and_nothing_is_done(
    server: LocalServer, form: dict[str, str], why: str
) -> None:
    max_ = staffed(server, "Max", Role.MANAGER)
    before = server.house.store.last_commit()
    for do in ("look", "do"):
        answer = max_.send(ONE, do=do, **form)
        assert answer.status == 422 and why in said(answer)
    assert server.house.store.last_commit() == before and not server.house.administration.waiting


@pytest.mark.rule("F-24", "D-19")
def test_a_manager_opens_a_jackpot_by_the_form(server: LocalServer) -> None:
    max_ = staffed(server, "Max", Role.MANAGER)
    form_page = max_.get(f"{PAGE}/new").text
    assert 'name="name" maxlength="80" required value=""' in form_page and "None" not in form_page
    way = next(iter(re.findall(r'value="(game down-under-holdem 2)"', form_page)))
    form = {"played": way, "wager": "5", "name": "Second", "seed": "500", "maximum": "9000"}
    form |= {"to_meter": "0.5", "to_reserve": "0.25", "notices": "Ask at the desk.\n\nPlay money."}
    assert "it takes no wagers before it is seeded with 500.00" in said(max_.send(f"{PAGE}/new", do="look", **form))
    assert server.house.jackpots.meter("second") is None
    assert "Second is open" in said(max_.send(f"{PAGE}/new", do="do", **form))
    meter = server.house.jackpots.meter("second")
    assert meter is not None and meter.wager == 500 and meter.terms.notices == ("Ask at the desk.", "Play money.")
    assert meter.terms.played.pay == {"jackpot": "2"}
    assert "Of each wager of 5.00: 50 % to the meter, 25 % to the reserve" in said(max_.get(f"{PAGE}/second"))
    assert "more than the wager" in said(max_.send(f"{PAGE}/new", do="do", **form | {"name": "3", "to_meter": "1"}))


@pytest.mark.rule("D-19")
def test_a_table_is_linked_and_plays_for_the_jackpot_from_its_next_round_on(server: LocalServer) -> None:
    server.run(lambda house: house.open_table(of_house()))
    max_ = staffed(server, "Max", Role.MANAGER)
    looked = said(max_.send(ONE, do="look", act="link", table="prize"))
    assert "Table prize may play for it." in looked and "the table plays for the jackpot main" in looked
    ann = server.join("prize", 1)
    assert "plays for it from its next round on" in said(max_.send(ONE, do="do", act="link", table="prize"))
    assert ann.meter(SEED)["tables"] == ["Eucalyptus one", "Eucalyptus two", "Prize prize"]
    assert server.house.live("prize").table.settings.jackpot == MAIN
    max_.send(ONE, do="do", act="unlink", table="prize", reason="a refit")
    while not ann.jackpot["why"]:
        ann.receive()
    assert "This table is not linked to The Big One; a manager links it." in ann.jackpot["why"]


@pytest.mark.rule("D-19")
@pytest.mark.slow
def test_a_table_that_pays_otherwise_is_not_linked_and_the_differences_are_told(tmp_path: Path) -> None:
    with LocalServer(tmp_path, lab=Lab(patience=300)) as server:
        server.run(lambda house: open_jackpot(house, progressive("one")))
        server.run(lambda house: house.open_table(of_house(pay={"jackpot": "2"})))
        max_ = staffed(server, "Max", Role.MANAGER)
        for do in ("look", "do"):
            answer = max_.send(ONE, do=do, act="link", table="prize")
            assert answer.status == 422 and "This table cannot share The Big One (D-19):" in said(answer)
        assert list(meter_of(server.house).tables) == ["one"]
        assert server.house.live("prize").table.settings.prize is not None


@pytest.mark.rule("D-19")
def test_where_the_lab_does_not_answer_no_other_table_is_linked(server: LocalServer) -> None:
    server.run(lambda house: house.open_table(of_house(pay={"jackpot": "2"})))
    max_ = staffed(server, "Max", Role.MANAGER)
    answer = max_.send(ONE, do="do", act="link", table="prize")
    assert answer.status == 422 and "the same cannot be told" in said(answer)


@pytest.mark.rule("D-19")
def test_house_jackpots_stand_on_the_list_with_their_notices(server: LocalServer) -> None:
    server.run(lambda house: house.open_table(of_house()))
    told = said(staffed(server, "Max", Role.MANAGER).get(PAGE))
    assert "The Big One 1,000.00 500.00 1.00 2 ● takes wagers" in told
    assert "Prize prize: 10,000.00" in told
    assert "No money of players is in it. It is the house's own until it is won, and the house may remove it." in told


def test_nobody_sees_a_jackpot_that_is_not_there(server: LocalServer) -> None:
    max_ = staffed(server, "Max", Role.MANAGER)
    assert max_.get(f"{PAGE}/nothing").status == 404 and max_.send(f"{PAGE}/nothing", do="do", act="seed").status == 404


# What a wager returns.


@pytest.mark.rule("D-20")
@pytest.mark.slow
def test_what_a_wager_returns_is_told_at_the_meter_of_today_for_each_number_of_others(tmp_path: Path) -> None:
    with LocalServer(tmp_path, lab=Lab(patience=300)) as server:
        server.run(lambda house: open_jackpot(house, progressive("one", seats=2)))
        told = msgspec.convert(server.get("/api/tables/one/jackpot"), jackpot_messages.JackpotReturns)
        assert (told.meter, told.wager, [one.others for one in told.returns]) == (SEED, 100, [0, 1])
        bet(server.join("one", 1))
        server.join("one", 2).meter(SEED + TO_METER)
        later = msgspec.convert(server.get("/api/tables/one/jackpot"), jackpot_messages.JackpotReturns)
        assert later.meter == behind(server.house)[0]
        assert later.returns[0].exact != told.returns[0].exact


@pytest.mark.rule("D-20")
def test_without_a_lab_the_figures_are_not_there_and_the_table_goes_on(server: LocalServer) -> None:
    told = msgspec.convert(server.get("/api/tables/one/jackpot"), jackpot_messages.JackpotReturns)
    assert told.returns == [] and told.why and told.meter == SEED
