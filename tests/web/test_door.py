"""At the door: TLS, proxies, names, logging out, health, figures, logs, and pages for what cannot be answered."""

import json
import logging
import re
import ssl
import sys
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.client import HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import websockets.sync.client as ws
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from typer.main import get_command
from websockets.exceptions import ConnectionClosed, InvalidStatus

from feltworks.cli.floor_commands import app
from feltworks.floor.house import House
from feltworks.floor.keys import load_keys
from feltworks.floor.person import token_digest
from feltworks.floor.store.sqlite import StoreError
from feltworks.floor.together import Together
from feltworks.kit.errors import BadValue
from feltworks.web import clerk, posted
from feltworks.web.cookies import COOKIE
from feltworks.web.durations import BOUNDS, Durations
from feltworks.web.entrance import Entrance, networks
from feltworks.web.figures import RECENT, health_of, metrics_of
from feltworks.web.guard import Caps, Door, TooMuch, address_of
from feltworks.web.lab import Lab
from feltworks.web.logs import JsonLines
from feltworks.web.serving import open_house
from feltworks.web.tls import tls_context
from tests.cli.support import felt
from tests.web.robots import HOST, PATIENCE, LocalServer, Reply, Robot, ServerProcess, money, play_on
from tests.web.test_guard import FORM, assert_guarded, play

PROXIED = Entrance(networks([HOST, "10.0.0.0/8"], ""))
DOCS = Path(__file__).parent.parent.parent / "docs"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """It knows its own name, and no proxy."""
    entrance = Entrance.of(HOST, False, ["Felt.Example"], [], [])
    with LocalServer(tmp_path_factory.mktemp("house"), [money()], entrance=entrance) as server:
        yield server


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """It believes whoever comes from this machine."""
    with LocalServer(tmp_path_factory.mktemp("house"), [money()], entrance=PROXIED) as server:
        yield server


# TLS.


class Pair(NamedTuple):
    cert: Path
    key: Path


def written(folder: Path, key: EllipticCurvePrivateKey, how: KeySerializationEncryption | None = None) -> Path:
    path = folder / "tls.key"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, how or NoEncryption()))
    return path


def certified(folder: Path, days: tuple[int, int] = (-1, 1)) -> Pair:
    """A certificate for this machine that it has signed itself, good from one day to another."""
    folder.mkdir(exist_ok=True)
    key, now = generate_private_key(SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "felt.example")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address(HOST))])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).add_extension(names, critical=False)
    begins, ends = (now + timedelta(days=day) for day in days)
    cert = builder.not_valid_before(begins).not_valid_after(ends).sign(key, SHA256())
    path = folder / "tls.pem"
    path.write_bytes(cert.public_bytes(Encoding.PEM))
    return Pair(path, written(folder, key))


def ask_by_tls(port: int, pair: Pair, path: str, method: str = "GET", body: bytes | None = None) -> Reply:
    context = ssl.create_default_context(cafile=str(pair.cert))
    with closing(HTTPSConnection(HOST, port, context=context, timeout=PATIENCE)) as connection:
        connection.request(method, path, body, {"Content-Type": FORM})
        response = connection.getresponse()
        return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())


def test_by_tls_cookies_are_secure_and_the_browser_is_told_to_come_by_tls(tmp_path: Path) -> None:
    pair = certified(tmp_path)
    with LocalServer(tmp_path / "house", [money()], context=tls_context(*pair)) as server:
        lobby = ask_by_tls(server.port, pair, "/")
        assert lobby.status == 200
        assert_guarded(lobby)
        assert lobby.headers["strict-transport-security"] == "max-age=31536000"
        reply = ask_by_tls(server.port, pair, "/play", "POST", b"table=money")
        assert reply.status == 303
        cookie = reply.headers["set-cookie"]
        assert "Secure" in cookie.split("; ")
        with ws.connect(
            f"wss://{HOST}:{server.port}/ws/money",
            ssl=ssl.create_default_context(cafile=str(pair.cert)),
            additional_headers={"Cookie": cookie.split(";")[0], "Origin": f"https://{HOST}:{server.port}"},
            proxy=None,
        ) as socket:
            assert json.loads(socket.recv(PATIENCE))["view"]["you"]["name"] == "Guest 1"
        with pytest.raises(InvalidStatus, match="403"):  # a page that somebody put in between
            ws.connect(
                f"wss://{HOST}:{server.port}/ws/money",
                ssl=ssl.create_default_context(cafile=str(pair.cert)),
                additional_headers={"Origin": f"http://{HOST}:{server.port}"},
                proxy=None,
            )


def test_without_tls_nothing_is_said_of_it(server: LocalServer) -> None:
    assert "strict-transport-security" not in server.ask("/").headers
    assert "Secure" not in play(server).headers["set-cookie"]


def swapped(folder: Path) -> Pair:
    return Pair(certified(folder).cert, certified(folder / "other").key)


def encrypted(folder: Path) -> Pair:
    how = BestAvailableEncryption(b"felt")
    return Pair(certified(folder).cert, written(folder, generate_private_key(SECP256R1()), how))


def with_text(folder: Path, which: str) -> Pair:
    pair = certified(folder)
    getattr(pair, which).write_text("felt")
    return pair


BAD: dict[str, tuple[Callable[[Path], Pair], str]] = {
    "no certificate": (lambda at: certified(at)._replace(cert=at / "gone"), r"gone cannot be read: No such file"),
    "no key": (lambda at: certified(at)._replace(key=at / "gone"), r"gone cannot be read: No such file"),
    "a folder": (lambda at: certified(at)._replace(cert=at), r"cannot be read: Is a directory"),
    "text as certificate": (lambda at: with_text(at, "cert"), r"tls.pem holds no certificate; .* takes one in PEM\."),
    "text as key": (lambda at: with_text(at, "key"), r"tls.key holds no key that can be used; .* without passphrase\."),
    "passphrase": (encrypted, r"tls.key holds no key that can be used; .* without passphrase\."),
    "another's key": (swapped, r"The key .*tls.key does not belong to the certificate .*tls.pem\."),
    "expired": (lambda at: certified(at, (-9, -1)), r"has expired: it was good until [-0-9]+ [:0-9]+ UTC\. Renew it\."),
    "too early": (lambda at: certified(at, (1, 9)), r"is not good before [-0-9]+ [:0-9]+ UTC\."),
}


@pytest.mark.parametrize("wrong", BAD)
def test_a_certificate_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path, wrong: str) -> None:
    made, said = BAD[wrong]
    pair = made(tmp_path)
    with pytest.raises(BadValue, match=said):
        tls_context(*pair)
    result = felt("serve", "--data", str(tmp_path / "house"), "--tls-cert", str(pair.cert), "--tls-key", str(pair.key))
    assert result.exit_code == 2
    assert re.search(said, result.stderr.replace("\n", " ")) and not (tmp_path / "house").exists()


@pytest.mark.slow
def test_the_command_serves_by_tls(tmp_path: Path) -> None:
    pair = certified(tmp_path)
    options = ["--tls-cert", str(pair.cert), "--tls-key", str(pair.key)]
    with ServerProcess(tmp_path / "house", *options, tables=[money()]) as server:
        assert f"Feltworks is at https://{HOST}:" in server.said
        assert ask_by_tls(server.port, pair, "/").status == 200


@pytest.mark.parametrize("option", ["--tls-cert", "--tls-key"])
def test_a_certificate_and_its_key_belong_together(tmp_path: Path, option: str) -> None:
    result = felt("serve", "--data", str(tmp_path / "house"), option, "tls.pem")
    assert result.exit_code == 2
    assert "give both --tls-cert and --tls-key" in result.stderr


# Proxies.


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["203.0.113.9, 192.0.2.7"], "192.0.2.7"),  # what came before is only what the last stranger says
        ("10.0.0.1", ["203.0.113.9", "192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["192.0.2.7, 10.0.0.2,10.0.0.3"], "192.0.2.7"),
        ("10.0.0.1", ["10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", ["192.0.2.7:4711"], "192.0.2.7"),
        ("10.0.0.1", ["[2001:db8:1:2:3:4:5:6]:4711"], "2001:db8:1:2::/64"),
        ("10.0.0.1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.1", ["::ffff:192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["192.0.2.7, unknown, 10.0.0.2"], "10.0.0.2"),
        ("192.0.2.8", ["192.0.2.7"], "192.0.2.8"),
        ("192.0.2.8", ["10.0.0.1"], "192.0.2.8"),
        ("nowhere", ["192.0.2.7"], "nowhere"),
    ],
)
def test_the_last_stranger_before_trusted_proxies_counts(peer: str, forwarded: list[str], address: str) -> None:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    scope: dict[str, Any] = {"type": "http", "scheme": "http", "client": (peer, 1), "headers": headers}
    PROXIED.believe(scope)
    assert address_of(scope) == address


@pytest.mark.parametrize(
    ("peer", "forwarded", "said", "scheme"),
    [
        ("10.0.0.1", "192.0.2.7", "https", "https"),
        ("10.0.0.1", "192.0.2.7", "http", "http"),
        ("10.0.0.1", "192.0.2.7", "https, http", "http"),  # the stranger said the first
        ("10.0.0.1", "192.0.2.7, 10.0.0.2", "https, http", "https"),
        ("10.0.0.1", "192.0.2.7, 10.0.0.2", "https", "https"),
        ("10.0.0.1", "", "https", "https"),
        ("10.0.0.1", "192.0.2.7", "gopher", "http"),
        ("192.0.2.8", "192.0.2.7", "https", "http"),
    ],
)
def test_only_a_trusted_proxy_says_that_it_was_tls(peer: str, forwarded: str, said: str, scheme: str) -> None:
    for kind, plain in (("http", "http"), ("websocket", "ws")):
        headers = [(b"x-forwarded-for", forwarded.encode()), (b"x-forwarded-proto", said.encode())]
        scope: dict[str, Any] = {"type": kind, "scheme": plain, "client": (peer, 1), "headers": headers}
        PROXIED.believe(scope)
        assert scope["scheme"] == scheme.replace("http", plain)


def test_a_trusted_proxy_is_known_by_its_address() -> None:
    assert [PROXIED.is_proxy(host) for host in (HOST, "10.9.9.9", "::ffff:10.0.0.1")] == [True] * 3
    assert [PROXIED.is_proxy(host) for host in ("192.0.2.1", "::1", "", "felt.example")] == [False] * 4
    assert not Entrance().is_proxy(HOST)


def test_what_a_trusted_proxy_says_counts_for_cookies_and_origins(proxied: LocalServer) -> None:
    reply = play(proxied, headers={"X_Forwarded_For": "192.0.2.7", "X_Forwarded_Proto": "https"})
    assert "Secure" in reply.headers["set-cookie"].split("; ")
    assert reply.headers["strict-transport-security"]
    here = f"{HOST}:{proxied.port}"
    for origin, status in ((f"https://{here}", 303), (f"http://{here}", 403)):
        assert play(proxied, headers={"X_Forwarded_Proto": "https", "Origin": origin}).status == status
    with proxied.watch("money", X_Forwarded_Proto="https", Origin=f"https://{here}") as robot:
        assert robot.view


def test_what_others_say_of_whom_they_speak_for_is_not_looked_at(server: LocalServer) -> None:
    reply = play(server, headers={"X_Forwarded_For": "192.0.2.7", "X_Forwarded_Proto": "https"})
    assert "Secure" not in reply.headers["set-cookie"]
    assert "strict-transport-security" not in reply.headers


def test_caps_count_those_behind_a_trusted_proxy_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltworks.web.app.Caps", lambda: Caps(guests=1))
    with LocalServer(tmp_path, [money()], entrance=PROXIED) as server:
        said = [
            play(server, headers={"X_Forwarded_For": who}).status for who in ("192.0.2.7", "192.0.2.7", "192.0.2.8")
        ]
        assert said == [303, 429, 303]


@pytest.mark.parametrize("option", ["--trusted-proxy", "--metrics"])
def test_what_is_no_address_is_refused(tmp_path: Path, option: str) -> None:
    for wrong in ("nobody", "10.0.0.1/8", "10.0.0.0/99", ""):
        result = felt("serve", "--data", str(tmp_path / "house"), option, wrong)
        assert result.exit_code == 2
        assert f"{option} takes an address or a network, such as 10.0.0.5 or 10.0.0.0/24" in result.stderr


# Names.


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *[("{host}", 200), (HOST, 200), ("localhost:{port}", 200), ("LOCALHOST", 200), ("[::1]:80", 200)],
        *[("127.9.9.9", 200), ("felt.example", 200), ("FELT.example.:8000", 200)],
        *[("evil.example", 400), ("felt.example.evil.example", 400), ("192.0.2.7", 400), ("", 400), ("[", 400)],
        *[("127.0.0.1.evil.example", 400), ("localhost.evil.example", 400), ("evil.example:localhost", 400)],
    ],
)
def test_a_house_answers_to_its_own_names(server: LocalServer, host: str, status: int) -> None:
    named = host.format(host=f"{HOST}:{server.port}", port=server.port)
    reply = server.ask("/", Host=named)
    assert reply.status == status
    assert_guarded(reply)
    if status == 400:
        assert reply.text == "There is no house of that name here; open it by its own address."
        with pytest.raises(InvalidStatus):
            Robot(server, "money", None, {"Host": named})


@pytest.mark.parametrize(
    ("public", "names", "host", "answered"),
    [
        (False, [], "localhost", True),
        (False, [], "felt.example", False),
        (True, [], "felt.example", True),
        (True, ["felt.example"], "felt.example", True),
        (True, ["felt.example"], "192.0.2.1:8000", True),  # where it listens
        (True, ["felt.example"], "evil.example", False),
        (True, ["felt.example", "Other.Example:8000"], "other.example", True),
    ],
)
def test_any_name_is_answered_only_in_public_where_none_is_told(
    public: bool, names: list[str], host: str, answered: bool
) -> None:
    assert Entrance.of("192.0.2.1", public, names, [], []).answers_to(host) is answered


@pytest.mark.slow
def test_a_start_in_public_without_a_name_says_so(tmp_path: Path) -> None:
    said = "It is answered under any name; say with --host-name by which ones it is known.\n"
    with ServerProcess(tmp_path, "--public", tables=[money()]) as server:
        assert said in server.said
        assert server.ask("/", Host="felt.example").status == 200
    with ServerProcess(tmp_path, "--public", "--host-name", "felt.example") as server:
        assert said not in server.said
        assert server.ask("/", Host="felt.example").status == 200
        assert server.ask("/", Host="evil.example").status == 400


# Logging out.


def log_out(server: LocalServer, token: str | None) -> Reply:
    return server.ask("/logout", "POST", b"", **({"Cookie": f"{COOKIE}={token}"} if token else {}))


def test_logging_out_ends_the_session_and_everybody_who_is_there_by_it(server: LocalServer) -> None:
    ann, bob = server.join("money", 1), server.join("money", 2)
    tab = ann.again()
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    assert "Log out" in server.ask("/", Cookie=f"{COOKIE}={ann.token}").text
    assert ann.token is not None
    reply = log_out(server, ann.token)
    assert (reply.status, reply.headers["location"]) == (303, "/")
    assert_guarded(reply)
    assert re.match(rf'{COOKIE}=""; .*Max-Age=0; Path=/', reply.headers["set-cookie"])
    for robot in (ann, tab):
        with pytest.raises(ConnectionClosed) as closed:
            robot.until(lambda _: False)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4001, "The session has ended.")
        assert robot.answers == {None: {"refused": None, "why": "You have logged out; go to the lobby to play."}}
    assert "Log out" not in server.ask("/", Cookie=f"{COOKIE}={ann.token}").text
    with ann.again() as watching:
        assert watching.view["you"] is None
        watching.until(lambda view: not view["seats"][0]["present"])
        assert watching.refused("leave") == "You are watching; go to the lobby to play."
        assert log_out(server, ann.token).status == 303
        assert watching.do("leave")["refused"]
    bob.done("leave")
    bob.close()
    server.check()


def test_what_is_said_after_logging_out_is_not_done(server: LocalServer) -> None:
    """Also if it comes before the socket is closed."""
    token = server.session()
    robot = server.watch("money", token)

    def end(_: House) -> None:
        for client in server.hub.clients:
            client.ended = client.session == token_digest(token)

    server.run(end)
    assert robot.refused("sit", seat=5) == "You are watching; go to the lobby to play."
    robot.close()


@pytest.mark.parametrize("token", [None, "made-up"])
def test_whoever_has_no_session_logs_out_of_nothing(server: LocalServer, token: str | None) -> None:
    with server.reading() as store:
        before = store.counts()
        assert log_out(server, token).status == 303
        assert store.counts() == before
    assert server.ask("/logout").status == 405


def test_another_site_logs_nobody_out(server: LocalServer) -> None:
    token = server.session()
    reply = server.ask("/logout", "POST", b"", Cookie=f"{COOKIE}={token}", Sec_Fetch_Site="cross-site")
    assert reply.status == 403
    with server.watch("money", token) as robot:
        assert robot.you is not None


# Health.


def failing(_: House, __: Together) -> None:
    raise StoreError("records.db could not be written: disk full.")


def test_health_says_how_old_the_newest_commit_is_and_how_many_tables_there_are(server: LocalServer) -> None:
    server.session()
    reply = server.ask("/health", Host="10.0.0.5")  # whatever a load balancer calls it
    assert reply.status == 200
    assert_guarded(reply)
    assert reply.headers["cache-control"] == "no-store"
    known = reply.json
    assert known.pop("newest_commit_seconds") < PATIENCE
    assert known == {"status": "ok", "tables": 1, "closed_tables": 0}
    head = server.ask("/health", "HEAD")
    assert (head.status, head.body) == (200, b"")


def test_health_fails_after_a_failed_write_until_one_succeeds_or_a_while_has_passed(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(House, "write", failing)
            assert play(server).status == 503

    fail()
    reply = server.ask("/health")
    assert (reply.status, reply.json["status"]) == (503, "failing")
    assert re.fullmatch(r"The records could not be written \d+ seconds ago\.", reply.json["why"])
    server.session()
    assert server.ask("/health").status == 200
    fail()
    server.hub.clerk.failed_at = time.monotonic() - RECENT
    assert server.ask("/health").status == 200


def test_health_fails_while_something_waits_to_be_written(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def waiting(house: House) -> tuple[int, Any]:
        server.hub.clerk.take(clerk.Order(lambda: None, lambda *_: None, taken=time.monotonic() - 7))
        return health_of(server.hub)

    status, said = server.run(waiting)
    assert (status, said["why"]) == (503, "Something has waited 7 seconds to be written.")
    assert server.run(lambda _: health_of(server.hub))[0] == 200


def test_health_says_why_a_house_is_read_only(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        server.run(lambda house: setattr(house, "fault", "The house is read-only. Somebody else writes."))
        reply = server.ask("/health")
        assert (reply.status, reply.json["why"]) == (503, "The house is read-only. Somebody else writes.")
        assert "feltworks_fault 1\n" in server.ask("/metrics").text
        server.run(lambda house: setattr(house, "fault", ""))


# Figures.


def figures(server: LocalServer) -> dict[str, float]:
    reply = server.ask("/metrics")
    assert reply.status == 200
    assert reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert_guarded(reply)
    found: dict[str, float] = {}
    kinds: dict[str, str] = {}
    for line in reply.text.splitlines():
        if line.startswith("# "):
            _, what, name, words = line.split(" ", 3)
            if what == "TYPE":
                assert name not in kinds and words in ("counter", "gauge", "histogram")
                kinds[name] = words
            continue
        match = re.fullmatch(r'([a-z_]+)(\{[a-z]+="[^"\\]*"\})? (\S+)', line)
        assert match and line.split(" ")[0] not in found, line
        name = re.sub("_(bucket|sum|count)$", "", match[1])
        assert kinds.get(match[1], kinds.get(name)), line
        found[line.split(" ")[0]] = float(match[3])
    return found


def test_figures_count_what_happens(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        before = figures(server)
        ann, eve = server.join("money", 1), server.watch("money")
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.refused("sit", seat=2)
        eve.refused("ready")
        now = figures(server)
        assert now['feltworks_commands_total{answer="acknowledged"}'] == 2
        assert now['feltworks_commands_total{answer="refused"}'] == 2
        assert now['feltworks_connections{who="player"}'] == now['feltworks_connections{who="spectator"}'] == 1
        assert now['feltworks_tables{phase="betting"}'] == 1 and now['feltworks_tables{phase="closed"}'] == 0
        assert now['feltworks_rounds_total{table="money"}'] == 1
        assert now["feltworks_commits_total"] >= now["feltworks_groups_total"] > before["feltworks_groups_total"]
        assert now["feltworks_write_seconds_count"] == now["feltworks_groups_total"]
        assert now['feltworks_write_seconds_bucket{le="+Inf"}'] == now["feltworks_write_seconds_count"]
        assert now["feltworks_write_seconds_sum"] > 0
        assert now["feltworks_fault"] == now["feltworks_orders_waiting"] == now["feltworks_write_failures_total"] == 0
        assert now["process_resident_memory_bytes"] > 10_000_000 and now["process_cpu_seconds_total"] > 0
        assert now["process_start_time_seconds"] <= time.time()


def test_figures_are_for_this_machine_and_those_who_are_named(proxied: LocalServer) -> None:
    assert figures(proxied)
    hidden = proxied.ask("/metrics", X_Forwarded_For="192.0.2.7")
    assert (hidden.status, hidden.json) == (404, {"detail": "Not Found"})
    entrance = Entrance.of(HOST, False, [], [], ["192.0.2.0/24"])
    for client, shown in (("192.0.2.7", True), (HOST, True), ("::1", True), ("198.51.100.1", False), ("", False)):
        assert entrance.shows_figures({"client": (client, 1), "headers": []}) is shown


def test_figures_are_not_for_those_behind_a_proxy_that_nobody_has_named(server: LocalServer) -> None:
    for header in ("X_Forwarded_For", "Forwarded", "X_Real_IP"):
        assert server.ask("/metrics", "GET", None, **{header: HOST}).status == 404


def test_durations_are_counted_up_to_each_bound() -> None:
    durations = Durations()
    for seconds in (0.0001, 0.001, 0.3, 99.0):
        durations.add(seconds)
    counts = durations.counts
    assert (counts["0.001"], counts["0.25"], counts["0.5"], counts["5.0"], counts["+Inf"]) == (2, 2, 3, 3, 4)
    assert len(counts) == len(BOUNDS) + 1 and durations.last == 99.0


# Logs.


@pytest.mark.slow
def test_the_log_of_a_whole_session_has_no_secret_in_it(tmp_path: Path) -> None:
    house, file = tmp_path / "house", tmp_path / "felt.log"
    with ServerProcess(house, "--log", str(file), "--guests", "2", tables=[money()]) as server:
        ann, bob = server.join("money", 1), server.join("money", 3)
        for robot in (ann, bob):
            robot.phase("betting")
            robot.done("place", spot="ante", amount=500)
        for robot in (ann, bob):
            robot.done("ready")
        play_on(ann, bob)
        ann.refused("sit", seat=3)
        bob.say("nonsense")
        assert play(server, headers={"Cookie": f"{COOKIE}=made-up"}).status == 429
        assert server.ask("/logout", "POST", b"", Cookie=f"{COOKIE}={ann.token}").status == 303
        server.stop()
        assert server.complaints == ""
    text = file.read_text("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    said = [line["message"] for line in lines]
    assert said[-1] == "The house is closed."
    assert any(re.match(r"Feltworks is at http://127\.0\.0\.1:\d+/", message) for message in said)
    (cap,) = (line for line in lines if line["message"] == "Too many guests from one address.")
    assert {**cap, "time": ""} == {
        "time": "",
        "level": "info",
        "logger": "feltworks.door",
        "message": "Too many guests from one address.",
        "address": HOST,
    }
    assert all(datetime.fromisoformat(line["time"]).tzinfo for line in lines)
    assert not re.search(r'"[2-9TJQKA][cdhs]"|\bof (clubs|diamonds|hearts|spades)\b|Guest \d', text)
    for secret in secrets_of(house, ann, bob):
        for form in (secret.hex(), b64encode(secret).decode(), urlsafe_b64encode(secret).decode(), repr(secret)[2:-1]):
            assert form.rstrip("=") not in text


def secrets_of(folder: Path, *robots: Robot) -> list[bytes]:
    """Tokens and their digests, keys, and the seeds and salts of every shoe that the table still has."""
    tokens = [robot.token for robot in robots if robot.token]
    house = open_house(folder)
    with closing(house):
        salts = [salt for shoe in house.live("money").shoes.shoes.values() for salt in map(bytes, shoe._salts)]
        seeds = [house.keys.unseal(row.sealed, f"shoe {row.root}")[-32:] for row in house.store.secrets()]
    keys = json.loads((folder / "house.key").read_bytes())
    assert salts and seeds
    return [
        *(token.encode() for token in tokens),
        *(bytes.fromhex(token_digest(token)) for token in tokens),
        *(bytes.fromhex(keys[name]) for name in ("sealing", "signing")),
        *salts,
        *seeds,
    ]


@pytest.mark.slow
def test_a_log_on_standard_output_has_nothing_else_beside_it(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--log", "-", "--demo") as server:
        lines = [json.loads(line) for line in server.said.splitlines()]
    assert {line["logger"] for line in lines} == {"feltworks.server"}
    assert [line["message"].split(" ")[:2] for line in lines] == [["There", "is"], ["Feltworks", "is"]]


def test_a_log_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    result = felt("serve", "--data", str(tmp_path / "house"), "--log", str(tmp_path / "nowhere" / "felt.log"))
    assert result.exit_code == 2
    assert re.search(r"The log .* cannot be written: No such file", result.stderr.replace("\n", " "))


def logged(name: str, message: str, *arguments: object, exc_info: Any = None, **fields: Any) -> dict[str, Any]:
    record = logging.makeLogRecord(
        {"name": name, "levelname": "ERROR", "msg": message, "args": arguments, "exc_info": exc_info, **fields}
    )
    line: dict[str, Any] = json.loads(JsonLines().format(record))
    del line["time"]
    return line


def test_of_an_exception_only_its_kind_and_place_are_logged() -> None:
    try:
        raise ValueError("the ace of spades lies there")
    except ValueError:
        line = logged("uvicorn.error", "Exception in ASGI application\n", exc_info=sys.exc_info())
    assert re.fullmatch(r"test_of_an_exception\w+, line \d+", line.pop("at"))
    assert line == {
        "level": "error",
        "logger": "uvicorn.error",
        "message": "Exception in ASGI application",
        "error": "ValueError",
    }


def test_of_other_packages_only_constant_words_are_logged() -> None:
    told = logged("asyncio", "A task failed\nfuture: ValueError('the ace of spades')")
    assert told == {"level": "error", "logger": "asyncio", "message": "A task failed"}
    assert logged("websockets.server", "received %s", "As")["message"] == "received %s"


def test_a_line_has_the_table_and_one_line_only() -> None:
    line = logged("feltworks.hub", "The dealer of table %s\ncannot go on.", "money", table="money", player="ann")
    assert line == {
        "level": "error",
        "logger": "feltworks.hub",
        "message": "The dealer of table money\ncannot go on.",
        "table": "money",
    }


def test_slow_writes_are_logged(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clerk, "SLOW", 0.0)
    with caplog.at_level(logging.INFO, "feltworks.clerk"):
        server.session()
        server.run(lambda _: None)
    records = [record for record in caplog.records if record.name == "feltworks.clerk"]
    assert records and {record.getMessage() for record in records} == {"A write was slow."}
    assert all(getattr(record, "seconds", -1) >= 0 for record in records)


def test_an_address_that_is_refused_again_and_again_is_logged_once_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    door = Door(Caps(guests=1))
    door.guest({"client": ("192.0.2.7", 1)})
    with caplog.at_level(logging.INFO, "feltworks.door"):
        for _ in range(5):
            with pytest.raises(TooMuch):
                door.guest({"client": ("192.0.2.7", 1)})
    assert caplog.messages == ["Too many guests from one address."]
    assert door.refused == {"guests": 5}


# Pages for what cannot be answered.


def assert_page(reply: Reply, status: int, title: str, why: str) -> None:
    assert reply.status == status
    assert_guarded(reply)
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert f"<h1>{title}</h1>" in reply.text and f'<p class="lead">{why}</p>' in reply.text
    assert '<a class="play" href="/">' in reply.text
    assert "style=" not in reply.text and "<style" not in reply.text and "<script" not in reply.text


@pytest.mark.parametrize(
    ("path", "method", "status", "title", "why"),
    [
        ("/nothing", "GET", 404, "Not here", "There is no such page."),
        ("/table/nothing", "GET", 404, "Not here", "There is no such table; go back to the lobby."),
        ("/play", "GET", 405, "Not in this way", "This page is not asked for in that way."),
        ("/play", "POST", 404, "Not here", "There is no such table; go back to the lobby."),
        (
            "/api/tables/money/rounds/one",
            "GET",
            422,
            "Not understood",
            "Something in this address is not what it should be.",
        ),
    ],
)
def test_a_browser_gets_a_page_and_a_program_gets_json(
    server: LocalServer, path: str, method: str, status: int, title: str, why: str
) -> None:
    assert_page(server.ask(path, method, Accept=BROWSER), status, title, why)
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        plain = server.ask(path, method, None, **accept)
        assert plain.status == status and plain.json["detail"]
        assert_guarded(plain)


def test_a_browser_that_sends_too_much_or_comes_too_often_gets_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltworks.web.app.Caps", lambda: Caps(guests=1))
    with LocalServer(tmp_path, [money()]) as server:
        long = play(server, b"table=money&x=" + b"x" * 100_000, {"Accept": BROWSER})
        assert_page(long, 413, "Too long", "That is too long.")
        server.session()
        often = play(server, headers={"Accept": BROWSER})
        said = "Too many new guests came from your address; come back in 60 minutes."
        assert_page(often, 429, "Too much at once", said)
        assert 3_500 < int(often.headers["retry-after"]) <= 3_601


def test_a_browser_gets_a_page_where_the_server_or_the_disk_fails(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise ValueError("the ace of spades lies there")

    with monkeypatch.context() as patch:
        patch.setattr(posted, "tables", broken)
        reply = server.ask("/", Accept=BROWSER)
    assert_page(reply, 500, "Something went wrong", "Something went wrong here; it is not your fault.")
    assert "ace" not in reply.text
    with monkeypatch.context() as patch:
        patch.setattr(House, "write", failing)
        reply = play(server, headers={"Accept": BROWSER})
    assert_page(reply, 503, "Not at the moment", "records.db could not be written: disk full.")
    server.session()


# What is written about it.


def test_the_documentation_names_every_option_of_the_server_and_no_other() -> None:
    command = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    options = (param for param in command.params if param.param_type_name == "option")
    real = {option for parameter in options for option in parameter.opts} - {"--help"}
    part = (DOCS / "command-line.md").read_text("utf-8").partition("## felt serve\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`--.*?) \|", part, re.MULTILINE)
    assert {option for row in rows for option in re.findall(r"--[a-z-]+", row)} == real
    used = re.findall(r"felt serve((?: \\\n|[^\n`])*)", (DOCS / "running.md").read_text("utf-8"))
    assert len(used) > 2
    assert {option for line in used for option in re.findall(r"--[a-z-]+", line)} <= real


def test_the_documentation_names_every_figure(server: LocalServer) -> None:
    figures = server.run(lambda _: metrics_of(server.hub, Door(Caps()), Lab()))
    assert server.ask("/metrics").text.splitlines()[0] in figures
    names = set(re.findall(r"^# TYPE (\w+)", figures, re.MULTILINE))
    page = (DOCS / "running.md").read_text("utf-8")
    assert set(re.findall(r"`((?:feltworks|process)_\w+)`", page)) == names


# The key.


def test_a_new_key_is_told_before_it_is_made_and_never_where_there_are_records(tmp_path: Path) -> None:
    key, said = tmp_path / "house.key", list[str]()

    def told(line: str) -> None:
        assert not key.exists()
        said.append(line)

    open_house(tmp_path, None, told).close()
    assert said == [
        f"There is no key at {key}: a new one is made there. Keep a copy of it elsewhere; without it the house cannot"
        " go on."
    ]
    public = load_keys(key).public
    open_house(tmp_path, None, told).close()
    key.rename(tmp_path / "copy.key")
    house = open_house(tmp_path / "other")
    house.open_table(money())
    house.close()
    (tmp_path / "other" / "house.key").unlink()
    with pytest.raises(Exception, match="is missing, and there are records that it signed"):
        open_house(tmp_path / "other", None, told)
    assert len(said) == 1 and public == load_keys(tmp_path / "copy.key").public
