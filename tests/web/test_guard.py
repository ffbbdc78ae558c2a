"""Headers on everything, other sites kept out, and HTTP that cannot be."""

import gzip
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from feltworks.floor.people import SESSION
from feltworks.floor.store.reader import Reader
from feltworks.web import posted
from feltworks.web.cookies import COOKIE
from feltworks.web.guard import Caps
from feltworks.web.sockets import LARGEST
from tests.web.robots import HOST, Address, LocalServer, Reply, between, money

FORM = "application/x-www-form-urlencoded"
EVERYWHERE = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(tmp_path_factory.mktemp("house"), [money(), between()], caps=Caps(sockets=10_000)) as server:
        yield server


def assert_guarded(reply: Reply) -> None:
    assert {name: reply.headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert "server" not in reply.headers


def play(server: Address, body: bytes = b"table=money", headers: dict[str, str] | None = None) -> Reply:
    return server.ask("/play", "POST", body, content_type=FORM, **(headers or {}))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *[("/", 200), ("/table/money", 200), ("/static/core/base.css", 200), ("/api/tables", 200)],
        *[("/api/openapi.json", 200), ("/api/games/in-between", 200), ("/api/tables/money/rounds", 200)],
        *[("/nothing", 404), ("/table/nothing", 404), ("/static/nothing.js", 404), ("/vendor/nothing.js", 404)],
        *[("/api/tables/nothing/rounds", 404), ("/api/tables/nothing/rounds/1", 404)],
        *[("/api/tables/money/rounds/999", 404), ("/api/games/nothing", 404), ("/docs", 404), ("/redoc", 404)],
        *[("/static/../app.py", 404), ("/static/%2e%2e/app.py", 404), ("/static/..%2fapp.py", 404)],
        *[("/static/", 404), ("/vendor/", 404), ("/static//etc/passwd", 404)],
        *[("/api/tables/money/rounds/0", 422), ("/api/tables/money/rounds/-1", 422)],
        *[("/api/tables/money/rounds/one", 422), ("/api/tables/money/rounds/1.5", 422)],
        *[(f"/api/tables/money/rounds/{10**30}", 422), (f"/api/tables/money/rounds?before={10**30}", 422)],
        *[("/api/tables/money/rounds?before=x", 422), ("/api/tables/money/rounds?before=-5", 422)],
        *[("/api/tables/money/rounds?which=all", 200), ("/api/tables/money/rounds?which=none", 422)],
        *[("/api/tables/money/rounds/1?share=x", 403), ("/api/tables/money/rounds/1/views?share=", 403)],
        *[("/api/tables/money/rounds/1/share", 403), ("/api/tables/money/rounds/999/views", 404)],
        *[("/table/money/round/999", 404), ("/table/money/round/x", 404), ("/table/nothing/round/1", 404)],
        *[("/table/money/round/1?share=x", 403), (f"/table/money/round/{10**30}", 404)],
        *[("/play", 405), ("/ws/money", 404)],
    ],
)
def test_every_answer_has_the_headers_whatever_it_is(server: LocalServer, path: str, status: int) -> None:
    reply = server.ask(path)
    assert reply.status == status
    assert_guarded(reply)


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "POST"])
def test_other_methods_are_not_answered(server: LocalServer, method: str) -> None:
    for path in ("/", "/api/tables", "/static/core/base.css"):
        reply = server.ask(path, method)
        assert reply.status == (200 if (method, path) == ("HEAD", "/static/core/base.css") else 405)
        assert_guarded(reply)


def test_an_error_of_the_server_tells_nothing_and_has_the_headers(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise ValueError("the ace of spades lies there")

    monkeypatch.setattr(posted, "tables", broken)
    for path in ("/api/tables", "/"):
        reply = server.ask(path)
        assert (reply.status, reply.json) == (500, {"detail": "Something went wrong here; it is not your fault."})
        assert_guarded(reply)
    monkeypatch.undo()
    assert server.ask("/").status == 200


# Sessions.


def test_the_lobby_gives_a_session_that_no_script_and_no_other_site_can_use(server: LocalServer) -> None:
    reply = play(server)
    assert (reply.status, reply.headers["location"]) == (303, "/table/money")
    assert_guarded(reply)
    name, _, rest = reply.headers["set-cookie"].partition("=")
    token, *flags = rest.split("; ")
    assert name == COOKIE
    assert len(token) >= 32
    assert sorted(flags) == ["HttpOnly", f"Max-Age={SESSION // 1000}", "Path=/", "SameSite=lax"]
    again = play(server, headers={"Cookie": f"{COOKIE}={token}"})
    assert (again.status, again.headers.get("set-cookie")) == (303, None)
    assert play(server, headers={"Cookie": f"{COOKIE}=forged"}).headers["set-cookie"]


@pytest.mark.parametrize("body", [b"", b"table=", b"table=nothing", b"\xff\xfe", b"table=money/../x", b"{}"])
def test_a_session_is_for_a_table_that_is_there(server: LocalServer, body: bytes) -> None:
    reply = play(server, body)
    assert reply.status == 404
    assert "set-cookie" not in reply.headers


def test_a_long_body_is_refused(server: LocalServer) -> None:
    reply = play(server, b"table=money&x=" + b"x" * 100 * LARGEST)
    assert reply.status == 413
    assert_guarded(reply)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Sec_Fetch_Site": "same-origin"}, 303),
        ({"Sec_Fetch_Site": "none"}, 303),
        ({"Origin": "http://{host}"}, 303),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "cross-site", "Origin": "http://{host}"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example/{host}"}, 403),
    ],
)
def test_what_another_site_sends_is_not_done(server: LocalServer, headers: dict[str, str], status: int) -> None:
    with server.reading() as store:
        before = len(store.people())
        named = {name: value.format(host=f"{HOST}:{server.port}") for name, value in headers.items()}
        reply = play(server, headers=named)
        assert reply.status == status
        assert_guarded(reply)
        assert len(store.people()) == before + (status == 303)
        assert ("set-cookie" in reply.headers) == (status == 303)


# Many at once.


@pytest.mark.slow
def test_requests_while_the_tables_play_are_all_answered(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The records belong to one thread: whatever asks for them is asked there."""
    run, threads = Reader._run, set()

    def watched(store: Reader, sql: str, *values: Any) -> Any:
        if store is server.house.store:
            threads.add(threading.get_ident())
        return run(store, sql, *values)

    monkeypatch.setattr(Reader, "_run", watched)
    ann = server.join("money", 1)
    ann.phase("betting")  # before that there is no round 1
    paths = ["/", "/api/tables", "/api/tables/money/rounds", "/api/tables/money/rounds/1", "/table/money"]
    over = threading.Event()

    def browse(path: str) -> set[int]:
        found = set()
        while not over.is_set():
            found.add(server.ask(path, Cookie=f"{COOKIE}={ann.token}").status)
        return found

    with ThreadPoolExecutor(len(paths)) as browsers:
        asked = [browsers.submit(browse, path) for path in paths]
        try:
            for _ in range(12):
                ann.phase("betting")
                ann.done("place", spot="ante", amount=100)
                ann.done("ready")
                ann.my_turn()
                ann.done("choose", option="check")
                ann.next_round()
        finally:
            over.set()
        assert [future.result() for future in asked] == [{200}] * len(paths)
    assert len(threads) == 1
    server.check()


# What is sent is short.


def test_what_a_browser_can_unpack_is_sent_packed_and_not_sent_twice(server: LocalServer) -> None:
    for path in ("/static/table/page.js", "/static/core/base.css", "/vendor/preact.js", "/", "/api/games/yo"):
        plain, packed = server.ask(path), server.ask(path, accept_encoding="gzip, br")
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body
        assert len(packed.body) < len(plain.body) / 1.5
        assert packed.headers["vary"] == "Accept-Encoding"
    for encoding in ("gzip", "identity"):
        first = server.ask("/static/table/page.js", accept_encoding=encoding)
        again = server.ask("/static/table/page.js", accept_encoding=encoding, if_none_match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        assert_guarded(again)
