"""The page on which a supervisor corrects what was entered at a table (F-20)."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from feltworks.floor.roles import STAFF, Role
from tests.web.dealing import GAMES, ConsoleRobot, dealer_at, patron_checks
from tests.web.people_of_the_house import Window, said, staffed
from tests.web.robots import LocalServer

PAGE = "/house/tables/{}/correct"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"], GAMES["yo"]]) as server:
        yield server
        server.check()


def dealt(server: LocalServer) -> ConsoleRobot:
    """A patron with 5.00 on Ante has the nine of hearts, checks, and the dealer turns the first card."""
    dana = patron_checks(server)
    dana.enter(kind="card", card="2c")
    return dana


def entries(window: Window, table: str = "money") -> dict[str, str]:
    """What can be corrected: the number of each entry by its words."""
    page = window.get(PAGE.format(table))
    assert page.status == 200
    found = re.findall(r"<span>([^<]+)</span> <a class=\"button small\" href=\"[^\"]+entry=(\d+)\"", page.text)
    return {unescape(text): number for text, number in found}


def correct(window: Window, was: str, table: str = "money", round: str = "1", **fields: str | list[str]) -> str:
    """Correct an entry, and what is said then."""
    number = entries(window, table).get(was, "1")
    given = {"entry": number, "round": round, "was": was, "reason": "The camera shows it", **fields}
    return said(window.send(PAGE.format(table), **given))


@pytest.mark.rule("F-13", "F-20")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_entries_are_corrected_by_a_supervisor_and_by_nobody_else(server: LocalServer, role: Role) -> None:
    dealt(server)
    window = staffed(server, "Lee", role)
    may = role is Role.SUPERVISOR
    assert window.get(PAGE.format("money")).status == (200 if may else 403)
    page = window.get("/house/tables/money").text
    assert (f'href="{PAGE.format("money")}"' in page) is may
    if not may:
        fields = {"entry": "3", "round": "1", "was": "", "card": "8h", "reason": "why"}
        assert window.post(PAGE.format("money"), fields).status == 403


@pytest.mark.rule("F-20")
def test_a_card_is_corrected_and_the_round_is_what_follows_from_it(server: LocalServer) -> None:
    dealt(server)
    sue = staffed(server, "Sue", Role.SUPERVISOR)
    before = entries(sue)
    card = next(text for text in before if "9h" in text or "nine of hearts" in text)
    assert "Corrected." in correct(sue, card, card="8h")
    table = server.run(lambda house: house.table("money"))
    assert table.round is not None
    assert {face.card.text for face in table.round.cards.values() if face.card} == {"8h", "2c"}
    with server.reading() as store:
        events = [record.event for record in store.read("money")]
    assert sum(b'{"kind":"corrected"' in event for event in events) == 1
    assert any(b'"9h"' in event for event in events), "what was entered first stays in the record"
    assert "The round has gone on, or that entry was corrected already" in correct(sue, card, card="7h")


@pytest.mark.rule("F-20")
def test_a_wager_and_a_decision_of_a_patron_are_corrected(server: LocalServer) -> None:
    dealt(server)
    sue = staffed(server, "Sue", Role.SUPERVISOR)
    wager = next(text for text in entries(sue) if "5.00" in text)
    assert "Corrected." in correct(sue, wager, spot="ante", amount="7.50")
    assert server.run(lambda house: {int(c) for c in house.table("money").wagers.values()}) == {750}
    decided = next(text for text in entries(sue) if "check" in text.casefold())
    assert "Corrected." in correct(sue, decided, option="raise")
    assert server.run(lambda house: sorted(int(c) for c in house.table("money").wagers.values())) == [750, 750]


@pytest.mark.rule("F-20")
def test_a_wager_that_was_entered_for_the_wrong_seat_goes_to_the_right_one(server: LocalServer) -> None:
    dana = dealer_at(server, "money")
    dana.does("sign on")
    for seat in (2, 4):
        dana.does("seat patron", seat=seat, chips=50_000)
    dana.does("start round", shuffle=True)
    dana.does("place for", seat=2, spot="ante", amount=500)
    dana.does("close betting")
    sue = staffed(server, "Sue", Role.SUPERVISOR)
    wager = next(text for text in entries(sue) if "5.00" in text)
    assert "No patron without an account sits at seat 3" in correct(sue, wager, seat="3", spot="ante", amount="5")
    assert "Corrected." in correct(sue, wager, seat="4", spot="ante", amount="5")
    assert server.run(lambda house: {(int(s), spot) for s, spot in house.table("money").wagers}) == {(4, "ante")}


@pytest.mark.rule("F-20")
def test_dice_are_corrected_face_by_face_and_a_die_too_few_is_refused(server: LocalServer) -> None:
    dana = dealer_at(server, "yo")
    dana.does("sign on")
    dana.does("seat patron", seat=1, chips=50_000)
    dana.does("start round", shuffle=False)
    dana.does("place for", seat=1, spot="play", amount=500)
    dana.does("close betting")
    while dana.ask["kind"] != "dice":
        dana.does("choose for", seat=1, option=dana.ask["choices"][0]["name"])
    dana.enter(kind="dice", faces=[4, 2, 1, 1])
    sue = staffed(server, "Sue", Role.SUPERVISOR)
    rolled = next(text for text in entries(sue, "yo") if "4" in text and "dice" in text.casefold())
    assert "Say what each of the 4 dice showed." in correct(sue, rolled, "yo", face=["5", "4", "", "6"])
    assert "Corrected." in correct(sue, rolled, "yo", face=["5", "4", "3", "6"])
    assert server.run(lambda house: house.table("yo").dice) == (5, 4, 3, 6)


@pytest.mark.rule("F-20")
def test_what_cannot_be_is_refused_in_words_and_nothing_changes(server: LocalServer) -> None:
    dealt(server)
    sue = staffed(server, "Sue", Role.SUPERVISOR)
    before = server.run(lambda house: house.table("money").version)
    card = next(text for text in entries(sue) if "9h" in text or "nine of hearts" in text)
    wager = next(text for text in entries(sue) if "5.00" in text)
    for was, fields in (
        (card, {"card": ""}),
        (card, {"card": "2z"}),
        (card, {"card": "9h"}),
        (card, {"card": "8h", "reason": ""}),
        (card, {"card": "8h", "round": "7"}),
        ("Somebody sneezed.", {"card": "8h"}),
        (wager, {"amount": "much"}),
        (wager, {"amount": "9999999"}),
        (wager, {"spot": "nowhere", "amount": "5"}),
    ):
        told = correct(sue, was, **fields)
        assert "Corrected." not in told, fields
    assert server.run(lambda house: house.table("money").version) == before
    assert sue.get(PAGE.format("nowhere")).status == 404


@pytest.mark.rule("F-20")
def test_between_two_rounds_there_is_nothing_to_correct(server: LocalServer) -> None:
    sue = staffed(server, "Sue", Role.SUPERVISOR)
    assert "No round is being played" in said(sue.get(PAGE.format("money")))


@pytest.mark.rule("F-20")
def test_a_wager_that_was_never_made_is_corrected_to_none(server: LocalServer) -> None:
    dana = dealer_at(server, "money")
    dana.does("sign on")
    for seat in (2, 4):
        dana.does("seat patron", seat=seat, chips=50_000)
    dana.does("start round", shuffle=True)
    dana.does("place for", seat=2, spot="ante", amount=500)
    dana.does("place for", seat=4, spot="ante", amount=700)
    dana.does("close betting")
    sue = staffed(server, "Sue", Role.SUPERVISOR)
    wager = next(text for text in entries(sue) if "7.00" in text)
    assert "or there was no wager" in sue.get(f"{PAGE.format('money')}?entry={entries(sue)[wager]}").text
    assert "Corrected." in correct(sue, wager, none="yes")
    assert server.run(lambda house: {(int(s), spot) for s, spot in house.table("money").wagers}) == {(2, "ante")}
