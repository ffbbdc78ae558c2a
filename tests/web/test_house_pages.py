"""The pages under /house: who may see them, and what those get who may not (F-13)."""

from collections.abc import Iterator

import pytest

from feltworks.floor.roles import STAFF, Role
from tests.web.people_of_the_house import Window, said, staffed
from tests.web.robots import LocalServer, money
from tests.web.test_guard import assert_guarded

NAMES = {role: f"Kim {letter}" for role, letter in zip(Role, "ABCDEFGH", strict=True)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(tmp_path_factory.mktemp("house"), [money()]) as server:
        yield server


@pytest.fixture(scope="module")
def windows(server: LocalServer) -> dict[Role, Window]:
    """A window of somebody of each role; the player is a guest."""
    staff = sorted(STAFF, key=lambda role: role is not Role.MANAGER)
    return {role: staffed(server, NAMES[role], role) for role in staff} | {
        Role.PLAYER: Window(server, server.session())
    }


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_whoever_works_here_has_a_start_page(windows: dict[Role, Window], role: Role) -> None:
    reply = windows[role].get("/house")
    assert reply.status == 200
    assert reply.headers["cache-control"] == "no-store"
    assert_guarded(reply)
    assert f"{NAMES[role]} {role.value}" in said(reply)


@pytest.mark.rule("F-13")
def test_a_guest_is_told_who_may_see_the_pages_of_the_house(windows: dict[Role, Window]) -> None:
    reply = windows[Role.PLAYER].get("/house")
    assert reply.status == 403
    assert "This page is for a dealer or a supervisor or" in said(reply)
    assert "You are a player." in said(reply)


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    ("token", "words"), [("", "Log in to see this page."), ("made-up", "Your session has ended, here or elsewhere.")]
)
def test_whoever_has_no_session_is_asked_to_log_in(server: LocalServer, token: str, words: str) -> None:
    reply = Window(server, token).get("/house")
    assert reply.status == 401
    assert reply.headers["cache-control"] == "no-store"
    assert words in said(reply)
