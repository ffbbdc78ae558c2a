"""Patrons without an account on the page of a table that people deal: seated with chips, and let go with what they
have."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.accounts import patron_at
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.table import commands as cmd
from tests.web.people_of_the_house import Window, employ, said, staffed
from tests.web.robots import LocalServer, money

PATH = "/house/tables/pit"
CARD = "Seat a patron without an account"
MAY = {Role.DEALER, Role.SUPERVISOR}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    tables = [money(id="pit", name="Pit", dealing="people", seats=4, chip=100), money()]
    with LocalServer(tmp_path, tables) as server:
        staffed(server, "Max", Role.MANAGER)
        yield server
        server.check()


@pytest.fixture
def dealer(server: LocalServer) -> Window:
    return signed_on(server, "Dee")


def signed_on(server: LocalServer, name: str) -> Window:
    """A dealer who has signed on at the table."""
    id, token = server.run(lambda house: employ(house, name, Role.DEALER))
    server.run(lambda house: house.pit.deal_by_hand("pit", cmd.SignOn(), by_person(id)))
    return Window(server, token)


def dealers(server: LocalServer, command: cmd.DealerCommand | cmd.PatronCommand) -> None:
    """What the dealer does who has signed on."""

    def given(house: House) -> None:
        actor = by_person(house.table("pit").dealer)
        if isinstance(command, cmd.PatronCommand):
            house.pit.for_patron("pit", command, actor)
        else:
            house.pit.deal_by_hand("pit", command, actor)

    server.run(given)


def chips(server: LocalServer, seat: int) -> int:
    return server.run(lambda house: house.balance(patron_at("pit", seat)))


def seated(server: LocalServer) -> list[int]:
    return server.run(lambda house: sorted(house.live("pit").table.seats))


def test_a_dealer_seats_a_patron_with_chips_and_lets_them_go_with_what_they_have(
    server: LocalServer, dealer: Window
) -> None:
    reply = dealer.send(PATH, do="seat", seat="3", chips="$1,250.50")
    assert reply.status == 422 and "whole chips of 1.00" in said(reply)
    reply = dealer.send(PATH, do="seat", seat="3", chips="$1,250")
    assert "A patron sits at seat 3 with 1,250.00." in said(reply)
    assert "3 Patron 1,250.00" in said(reply)
    assert (seated(server), chips(server, 3)) == ([3], 125_000)
    reply = dealer.send(PATH, do="leave", seat="3")
    assert "The patron at seat 3 has left with 1,250.00." in said(reply)
    assert (seated(server), chips(server, 3)) == ([], 0)


def test_a_patron_who_leaves_takes_up_what_lies_on_open_betting(server: LocalServer, dealer: Window) -> None:
    dealer.send(PATH, do="seat", seat="1", chips="100")
    dealers(server, cmd.StartRound(shuffle=True))
    dealers(server, cmd.PlaceFor(1, "ante", 2_500))
    page = said(dealer.get(PATH))
    assert "1 Patron 75.00 Ante 25.00 25.00" in page
    assert "The patron at seat 1 has left with 100.00." in said(dealer.send(PATH, do="leave", seat="1"))
    assert seated(server) == []


def test_a_patron_with_chips_in_action_is_not_let_go_and_the_page_says_so_at_the_seats(
    server: LocalServer, dealer: Window
) -> None:
    dealer.send(PATH, do="seat", seat="1", chips="100")
    dealers(server, cmd.StartRound(shuffle=True))
    dealers(server, cmd.PlaceFor(1, "ante", 2_500))
    dealers(server, cmd.CloseBetting())
    reply = dealer.post(PATH, {"do": "leave", "seat": "1"})
    assert reply.status == 422
    assert "Seat 1 has chips in action; they are played to the end before the patron leaves." in said(reply)
    assert reply.text.index("</table>") < reply.text.index('id="refusal"') < reply.text.index("What you can do here")
    assert seated(server) == [1]


@pytest.mark.parametrize(
    ("seat", "amount", "why"),
    [
        ("1", "100", "Seat 1 is taken; choose a free one."),
        ("5", "100", "There is no seat 5; the seats are 1 to 4."),
        ("2", "", "Write an amount in dollars, such as 5 or 2.50."),
        ("2", "lots", "Write an amount in dollars, such as 5 or 2.50."),
        ("2", "-5", "Write an amount in dollars, such as 5 or 2.50."),
        ("2", "0", "A patron brings whole chips of 1.00, up to 1,000,000.00 in all."),
        ("2", "1000001", "A patron brings whole chips of 1.00, up to 1,000,000.00 in all."),
        ("x", "100", "Write a whole number, such as 5."),
    ],
)
def test_what_cannot_be_is_refused_at_the_form_and_stays_entered(
    server: LocalServer, dealer: Window, seat: str, amount: str, why: str
) -> None:
    dealer.send(PATH, do="seat", seat="1", chips="100")
    reply = dealer.post(PATH, {"do": "seat", "seat": seat, "chips": amount})
    assert reply.status == 422 and why in said(reply)
    assert reply.text.index(CARD) < reply.text.index('id="refusal"') < reply.text.index('id="patron-chips"')
    assert f'required value="{amount}" aria-invalid="true"' in reply.text
    assert seated(server) == [1]


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_only_the_dealer_and_the_supervisor_seat_patrons_and_everybody_of_the_house_sees_them(
    server: LocalServer, dealer: Window, role: Role
) -> None:
    dealer.send(PATH, do="seat", seat="2", chips="80")
    window = signed_on(server, "Kim") if role is Role.DEALER else staffed(server, "Kim", role)
    page = window.get(PATH)
    assert "2 Patron 80.00" in said(page)
    assert (CARD in page.text, "the patron leaves" in page.text) == (role in MAY, role in MAY)
    for fields, name in (({"do": "seat", "seat": "4", "chips": "5"}, "Seat"), ({"do": "leave", "seat": "2"}, "Patron")):
        reply = window.post(PATH, fields)
        assert reply.status == (303 if role in MAY else 422)
        assert role in MAY or f"{name} patron is not for".replace("Patron patron", "Patron leaves") in said(reply)
    assert seated(server) == ([4] if role in MAY else [2])


@pytest.mark.rule("F-41")
def test_a_dealer_who_has_not_signed_on_is_not_offered_to_seat_anybody(server: LocalServer, dealer: Window) -> None:
    dealer.send(PATH, do="seat", seat="2", chips="80")
    other = staffed(server, "Kim", Role.DEALER)
    page = other.get(PATH)
    assert CARD not in page.text and "the patron leaves" not in page.text
    reply = other.post(PATH, {"do": "leave", "seat": "2"})
    assert reply.status == 422 and "sign on again to deal" in said(reply)
    assert seated(server) == [2]


def test_the_list_of_tables_says_where_people_deal_and_the_start_page_what_a_dealer_does_there(
    server: LocalServer, dealer: Window
) -> None:
    tables = said(dealer.get("/house/tables"))
    assert "Pit people deal" in tables and tables.count("people deal") == 1
    assert "Where people deal, seat patrons without an account." in said(dealer.get("/house"))


def test_a_table_that_the_program_deals_offers_no_such_seat(server: LocalServer, dealer: Window) -> None:
    page = dealer.get("/house/tables/money")
    assert CARD not in page.text and "Chips" not in said(page)
    reply = dealer.post("/house/tables/money", {"do": "seat", "seat": "1", "chips": "100"})
    assert reply.status == 422
    assert "patrons without an account sit where people deal" in said(reply)


def test_what_somebody_with_an_account_has_is_not_told(server: LocalServer, dealer: Window) -> None:
    ann = server.join("pit", 2)
    page = said(dealer.get(PATH))
    assert "2 Guest 1 account" in page and "1,000.00" not in page
    reply = dealer.post(PATH, {"do": "leave", "seat": "2"})
    assert reply.status == 422 and "players act for themselves" in said(reply)
    ann.close()


def test_a_full_table_and_one_that_closes_seat_nobody(server: LocalServer, dealer: Window) -> None:
    for seat in range(1, 5):
        assert CARD in dealer.get(PATH).text
        dealer.send(PATH, do="seat", seat=str(seat), chips="10")
    assert CARD not in dealer.get(PATH).text
    server.run(lambda house: house.close_table("pit", "The shift ends"))
    page = dealer.get(PATH)
    assert CARD not in page.text and "the patron leaves" not in page.text
    assert seated(server) == []
