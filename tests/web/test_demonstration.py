"""A demonstration: any visitor takes any role, one person a window; any other house has nothing of it (F-13)."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from feltworks.floor.actors import person as by_person
from feltworks.floor.person import SHIFT
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.staff import MOST_DEMONSTRATING
from feltworks.kit.errors import BadValue
from feltworks.web.cookies import COOKIE
from feltworks.web.guard import Caps
from feltworks.web.serving import open_house, serve
from tests.web.people_of_the_house import PASSWORD, Window, employ, said
from tests.web.robots import LocalServer, Reply, ServerProcess, money


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money()], demo=True) as server:
        yield server
        server.check()


class Visitor(Window):
    """A window of a demonstration: its cookie has a name and a path of its own."""

    def __init__(self, server: LocalServer, role: Role) -> None:
        reply = Window(server).post("/demo", {"role": role.value})
        assert reply.status == 303
        found = re.fullmatch(r"(/as/[0-9a-f]{8})/house", reply.headers["location"])
        assert found is not None
        super().__init__(server, root=found[1])
        self._keep(reply)

    @property
    def name(self) -> str:
        return f"{COOKIE}-{self.root.removeprefix('/as/')}"

    def _cookie(self) -> dict[str, str]:
        return {"Cookie": f"{COOKIE}=another; {self.name}={self.token}"} if self.token else {}

    def _keep(self, reply: Reply) -> Reply:
        if found := re.match(rf'{self.name}="?([^;"]*)"?;', reply.headers.get("set-cookie", "")):
            self.token = found[1]
        return reply


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_a_visitor_takes_any_role_and_every_page_says_that_it_is_a_demonstration(
    server: LocalServer, role: Role
) -> None:
    assert role.value.capitalize() in said(server.ask("/"))
    window = Visitor(server, role)
    page = window.get("/house")
    assert page.status == 200
    assert f"Demo {role.value} 1" in said(page) and "Demonstration. Anybody may take any role here" in said(page)
    for path in ("/house", "/house/waiting", "/house/tables", "/house/tables/money", "/me"):
        reply = window.get(path)
        assert reply.status == 200 and "Demonstration." in said(reply)
        inner = re.findall(r'(?:href|action)="(/(?:house|me|logout)[^"]*)"', reply.text)
        assert inner == [], "every link and form stays in its window"


@pytest.mark.rule("F-13")
def test_the_cookie_of_a_window_is_for_that_window_alone(server: LocalServer) -> None:
    reply = Window(server).post("/demo", {"role": "manager"})
    parts = reply.headers["set-cookie"].split("; ")
    root = reply.headers["location"].removesuffix("/house")
    assert {f"Path={root}", "HttpOnly", "SameSite=lax", f"Max-Age={SHIFT // 1000}"} <= set(parts)
    one, other = Visitor(server, Role.MANAGER), Visitor(server, Role.DEALER)
    assert "Demo dealer 1" in said(other.get("/house"))
    other.token, token = one.token, other.token
    assert "Demo manager" in said(other.get("/house"))  # a session is whoever has its token, in any window
    other.token = token
    bare = Window(server, one.token)
    assert bare.get(one.root + "/house").status == 401  # the cookie of the whole house counts in no window
    assert bare.get("/house").status == 200


@pytest.mark.rule("F-13")
def test_two_windows_of_one_browser_give_two_signatures(server: LocalServer) -> None:
    ann = server.join("money", 1)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    supervisor, manager = Visitor(server, Role.SUPERVISOR), Visitor(server, Role.MANAGER)
    reply = supervisor.send("/house/tables/money", do="void", reason="A card was seen", round="1")
    assert "It waits for the second signature." in said(reply)
    page = manager.get("/house/waiting")
    assert "Void round 1 at Burgundy Reason: A card was seen 5.00 of 1 seat goes back." in said(page)
    action = re.search(r'name="action" value="(\w+)"', page.text)
    assert action is not None
    assert "Signed, and done." in said(manager.send("/house/waiting", do="sign", action=action[1]))
    assert server.run(
        lambda house: house.live("money").table.round is None or house.live("money").table.round_number > 1
    )
    ann.close()


@pytest.mark.rule("F-13")
def test_logging_out_of_a_window_leads_to_the_lobby_and_takes_its_cookie_away(server: LocalServer) -> None:
    window = Visitor(server, Role.MANAGER)
    reply = window.post("/logout", {})
    assert (reply.status, reply.headers["location"]) == (303, "/")
    assert re.match(rf'{window.name}=""; .*Max-Age=0; Path={window.root};', reply.headers["set-cookie"])
    assert window.get("/house").status == 401


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", ["player", "owner", ""])
def test_what_is_no_role_of_the_house_is_refused(server: LocalServer, role: str) -> None:
    reply = Window(server).post("/demo", {"role": role})
    assert reply.status == 422
    assert "Take one of these roles: dealer, supervisor," in said(reply)
    assert not server.run(lambda house: house.administration.staff)


@pytest.mark.rule("F-13")
def test_visitors_change_nothing_about_people_who_are_here_in_earnest(server: LocalServer) -> None:
    """Otherwise a visitor could take an account over, or leave a manager behind."""
    kim, _ = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    ann = Window(server, server.session())
    ann.post("/me", {"do": "password", "name": "Ann", "password": PASSWORD, "again": PASSWORD})
    player = server.run(lambda house: house.people.account_of("Ann"))
    assert player is not None
    window = Visitor(server, Role.MANAGER)
    added = window.post("/house/people", {"name": "Eve", "role": "manager"})
    assert added.status == 422 and "In a demonstration nobody is added" in said(added)
    for id, act in [(id, act) for id in (kim, player) for act in ("code", "end")]:
        reply = window.post(f"/house/people/{id}", {"do": act})
        assert reply.status == 422 and "of the demonstration alone" in said(reply)
    for id, roles in ((player, "manager"), (kim, "dealer")):
        reply = window.post(f"/house/people/{id}", {"do": "roles", "role": roles, "reason": "a test"})
        assert reply.status == 422 and "of the demonstration alone" in said(reply)
    for act in ("forget", "bar"):
        reply = window.post(f"/house/people/{player}", {"do": act, "reason": "a test"})
        assert reply.status == 422 and "of the demonstration alone" in said(reply)
    assert server.run(lambda house: set(house.administration.managers)) == {kim}


@pytest.mark.rule("F-13")
def test_a_visitor_bars_a_guest_and_neither_reads_nor_changes_who_anybody_is(server: LocalServer) -> None:
    token = server.session()
    guest = server.run(lambda house: house.people.player_of(token))
    assert guest is not None
    who = {"full_name": "Ada Quill", "born": "1980-12-31", "document": "WDL-123456"}
    assert Window(server, token).post("/me", {"do": "details", **who}).status == 303
    for role in (Role.MANAGER, Role.CASHIER):
        window = Visitor(server, role)
        page = window.get(f"/house/people/{guest}")
        assert page.status == 200 and not [word for word in who.values() if word in page.text]
        reply = window.post(f"/house/people/{guest}", {"do": "details", **who, "full_name": "Eve Quill"})
        assert reply.status == 422 and "of the demonstration alone" in said(reply)
        assert "Ada" not in said(reply)
    reply = Visitor(server, Role.SUPERVISOR).post(f"/house/people/{guest}", {"do": "bar", "reason": "a test"})
    assert reply.status == 303
    known = server.run(lambda house: house.people.person(guest))
    assert known is not None and known.barred == {"": "a test"}


@pytest.mark.slow
@pytest.mark.rule("F-13")
def test_a_house_that_has_a_manager_is_not_started_as_a_demonstration(tmp_path: Path) -> None:
    """Whoever opens the page would be another one."""
    with closing(open_house(tmp_path)) as house:
        employ(house, "Kim", Role.MANAGER)

    def told(line: str) -> None:
        assert "Feltworks is at" not in line, "it is served"

    with pytest.raises(BadValue, match="This house has a manager: in a demonstration any visitor could"):
        serve(tmp_path, "127.0.0.1", 0, demo=True, public=False, caps=Caps(), told=told)


@pytest.mark.rule("F-13")
def test_a_person_of_a_demonstration_has_no_password(server: LocalServer) -> None:
    window = Visitor(server, Role.MANAGER)
    reply = window.post("/me", {"do": "password", "password": PASSWORD, "again": PASSWORD})
    assert reply.status == 422 and "a person of a demonstration has no password" in said(reply)


@pytest.mark.rule("F-13")
def test_the_people_of_a_demonstration_do_not_pile_up(server: LocalServer) -> None:
    """Those who have left go first; if none has, whoever came first."""
    stays, leaves = Visitor(server, Role.MANAGER), Visitor(server, Role.DEALER)
    leaves.post("/logout", {})
    for _ in range(MOST_DEMONSTRATING - 2):
        server.run(lambda house: house.staff.demonstrate(Role.AUDITOR))
    assert server.run(lambda house: len(house.administration.staff)) == MOST_DEMONSTRATING
    Visitor(server, Role.SECURITY)
    assert server.run(lambda house: len(house.administration.staff)) == MOST_DEMONSTRATING
    assert stays.get("/house").status == 200
    Visitor(server, Role.SECURITY)
    assert server.run(lambda house: len(house.administration.staff)) == MOST_DEMONSTRATING
    assert stays.get("/house").status == 401
    names = server.run(lambda house: [house.people.name(id) for id in house.administration.staff])
    assert len(set(names)) == MOST_DEMONSTRATING


@pytest.mark.rule("F-13")
def test_a_house_that_is_no_demonstration_has_no_windows_and_gives_no_roles_away(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        window = Window(server)
        for reply in (window.get("/demo"), window.post("/demo", {"role": "manager"}), window.get("/as/00000000/house")):
            assert reply.status == 404
        assert "demonstration" not in said(server.ask("/"))


@pytest.mark.slow
@pytest.mark.rule("F-13")
def test_a_house_started_without_the_demonstration_has_none_of_its_people(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--demo") as server:
        assert "has no manager" not in server.said
        reply = Window(server).post("/demo", {"role": "manager"})
        assert reply.status == 303
        cookie = reply.headers["set-cookie"].split(";")[0].split("=", 1)[1]
    with ServerProcess(tmp_path) as server:
        assert "It has no manager yet" in server.said
        assert Window(server, cookie).get("/house").status == 401


@pytest.mark.rule("F-13")
def test_a_visitor_who_took_the_role_does_not_stand_in_for_the_last_manager(server: LocalServer) -> None:
    kim, _ = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    Visitor(server, Role.MANAGER)
    with pytest.raises(Refused, match="the only manager of the house"):
        server.run(lambda house: house.staff.give_roles(kim, (), "I am tired", by_person(kim)))


@pytest.mark.rule("F-13")
def test_nobody_loses_the_window_of_a_role_by_looking_at_a_table(server: LocalServer) -> None:
    """What lies outside the window opens beside it; in a house in earnest there is one window."""
    page = Visitor(server, Role.DEALER).get("/house/tables/money").text
    assert '<a class="button" href="/table/money" target="_blank" rel="noopener">' in page


@pytest.mark.rule("F-13")
def test_a_start_page_of_a_demonstration_offers_nothing_that_is_refused_there(server: LocalServer) -> None:
    page = said(Visitor(server, Role.MANAGER).get("/house"))
    assert "Add somebody" not in page and "change roles in the demonstration" in page
