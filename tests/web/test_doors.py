"""The doors of the house: logging in, setting it up, choosing a password, ending sessions (F-13)."""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from feltworks.floor import passwords
from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.person import SHIFT, token_digest
from feltworks.floor.roles import Role
from feltworks.floor.staff import CODE_LASTS
from feltworks.web import doors
from feltworks.web.entrance import Entrance, networks
from feltworks.web.guard import Caps
from feltworks.web.password_queue import MOST, MOST_TOGETHER, Full, PasswordQueue
from tests.web.people_of_the_house import PASSWORD, Window, employ, said, staffed
from tests.web.robots import HOST, LocalServer, ServerProcess, money
from tests.web.test_guard import assert_guarded

OTHER = "eleven grey whales"
WRONG = "That name and password do not belong together."


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money()], caps=Caps(log_ins=10_000, log_ins_by_name=10_000)) as server:
        yield server
        server.check()


def log_in(server: LocalServer, name: str, password: str = PASSWORD, token: str = "", **headers: str) -> Window:
    window = Window(server, token)
    window.post("/login", {"name": name, "password": password}, **headers)
    return window


# Logging in.


@pytest.mark.rule("F-13")
def test_staff_log_in_to_the_start_page_and_players_to_the_lobby(server: LocalServer) -> None:
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    player = Window(server, server.session())
    player.post("/me", {"do": "password", "name": "Ann", "password": PASSWORD, "again": PASSWORD})
    for name, place in (("Kim", "/house"), ("Ann", "/")):
        reply = log_in(server, name).reply
        assert reply is not None and (reply.status, reply.headers["location"]) == (303, place)
        assert reply.headers["cache-control"] == "no-store"
        assert_guarded(reply)


@pytest.mark.rule("F-13")
def test_the_cookie_of_a_session_is_out_of_reach_of_scripts_and_other_sites(tmp_path: Path) -> None:
    entrance = Entrance(networks([HOST], ""))
    with LocalServer(tmp_path, [money()], entrance=entrance) as server:
        server.run(lambda house: employ(house, "Kim", Role.MANAGER))
        for scheme, secure in (("http", False), ("https", True)):
            reply = log_in(server, "Kim", X_Forwarded_Proto=scheme, X_Forwarded_For="192.0.2.7").reply
            assert reply is not None
            parts = reply.headers["set-cookie"].split("; ")
            assert {"HttpOnly", "SameSite=lax", "Path=/", f"Max-Age={SHIFT // 1000}"} <= set(parts)
            assert ("Secure" in parts) is secure


@pytest.mark.rule("F-13")
def test_every_log_in_has_a_session_of_its_own_and_ends_the_one_that_the_browser_had(server: LocalServer) -> None:
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    guest = server.session()
    first = log_in(server, "Kim", token=guest)
    second = log_in(server, "Kim")
    assert len({guest, first.token, second.token}) == 3
    assert first.get("/house").status == second.get("/house").status == 200
    assert server.run(lambda house: house.people.player_of(guest)) is None


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    ("name", "password"), [("Kim", OTHER), ("Nobody here", PASSWORD), ("", ""), ("Kim", ""), ("Kim", "x" * 3_000)]
)
def test_a_wrong_name_and_a_wrong_password_are_refused_in_the_same_words(
    server: LocalServer, name: str, password: str
) -> None:
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    window = log_in(server, name, password)
    assert window.reply is not None and window.reply.status == 422
    assert WRONG in said(window.reply)
    assert "set-cookie" not in window.reply.headers
    assert not password or password not in window.reply.text
    assert f'value="{name}"' in window.reply.text


@pytest.mark.rule("F-13")
def test_an_unknown_name_costs_as_much_hashing_as_a_known_one(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    hashes: list[str] = []
    verify = PasswordHasher.verify

    def counted(self: PasswordHasher, hash: str, password: str) -> bool:
        hashes.append(passwords.parameters_of(hash))
        return verify(self, hash, password)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    for name in ("Kim", "Nobody here"):
        log_in(server, name, OTHER)
    assert len(hashes) == 2 and hashes[0] == hashes[1]


@pytest.mark.rule("F-13")
def test_a_name_is_recognised_however_it_is_written(server: LocalServer) -> None:
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    assert log_in(server, " KIM ").get("/house").status == 200


@pytest.mark.rule("F-13")
def test_a_password_is_hashed_anew_when_the_parameters_have_risen(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    kim, _ = server.run(lambda house: employ(house, "Kim", Role.MANAGER))

    def parameters() -> str:
        found = server.run(lambda house: house.people.person(kim))
        assert found is not None
        return found.parameters

    before = parameters()
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=3, memory_cost=19_456, parallelism=1))
    assert log_in(server, "Kim").get("/house").status == 200
    assert before.replace("t=2", "t=3") == parameters() != before
    assert log_in(server, "Kim").get("/house").status == 200
    assert parameters() == before.replace("t=2", "t=3")


def test_no_more_passwords_wait_than_are_soon_looked_at_however_many_addresses_they_come_from() -> None:
    release = threading.Event()

    async def come() -> list[bool]:
        queue = PasswordQueue()
        try:
            asked = [asyncio.create_task(queue.ask(str(n), release.wait)) for n in range(MOST_TOGETHER)]
            await asyncio.sleep(0)
            with pytest.raises(Full):
                await queue.ask("one more", release.wait)
            release.set()
            done = [*await asyncio.gather(*asked), await queue.ask("one more", release.wait)]
            assert not queue._lines
            return done
        finally:
            queue.close()

    assert asyncio.run(come()) == [True] * (MOST_TOGETHER + 1)


@pytest.mark.rule("F-13")
def test_whoever_has_shown_the_password_is_in_though_there_is_no_room_to_hash_it_anew(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=3, memory_cost=19_456, parallelism=1))
    ask, asked = PasswordQueue.ask, list[str]()

    async def once(self: PasswordQueue, address: str, work: Callable[[], object]) -> object:
        asked.append(address)
        if len(asked) > 1:
            raise Full
        return await ask(self, address, work)

    monkeypatch.setattr(PasswordQueue, "ask", once)
    assert log_in(server, "Kim").get("/house").status == 200
    assert len(asked) == 2


@pytest.mark.rule("F-13")
def test_a_password_that_was_changed_during_a_log_in_opens_no_session(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, _ = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    check = passwords.is_password

    def changed_meanwhile(body: str | None, password: str) -> bool:
        found = check(body, password)
        server.run(lambda house: house.staff.set_password(id, passwords.hashed(OTHER)))
        return found

    monkeypatch.setattr(doors, "is_password", changed_meanwhile)
    window = log_in(server, "Kim")
    assert window.reply is not None and window.reply.status == 422
    assert "The password has just been changed" in said(window.reply)


# Floods.


@pytest.mark.rule("F-13")
def test_one_password_is_hashed_at_a_time_for_each_address(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some wait for their turn; the rest are told to come back."""
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    lock, gate = threading.Lock(), threading.Event()
    at_once: list[int] = [0]
    most: list[int] = [0]

    def slow(body: str | None, password: str) -> bool:
        with lock:
            at_once[0] += 1
            most[0] = max(most[0], at_once[0])
        gate.wait()
        time.sleep(0.01)
        with lock:
            at_once[0] -= 1
        return False

    monkeypatch.setattr(doors, "is_password", slow)
    with ThreadPoolExecutor(20) as crowd:
        tries = [crowd.submit(lambda: log_in(server, "Kim", OTHER).reply) for _ in range(20)]
        server.wait_for(lambda: sum(one.done() for one in tries) == 20 - MOST)
        refused = [reply for one in tries if one.done() and (reply := one.result()) is not None]
        gate.set()
        answered = [reply for one in tries if (reply := one.result()) is not None]
    assert most[0] == 1
    assert sorted(reply.status for reply in answered) == [422] * MOST + [429] * (20 - MOST)
    assert all(reply.status == 429 and int(reply.headers["retry-after"]) > 0 for reply in refused)
    assert "Too many log in at once" in said(refused[0])


@pytest.mark.rule("F-13")
def test_guessing_from_one_address_locks_nobody_else_out(tmp_path: Path) -> None:
    entrance = Entrance(networks([HOST], ""))
    with LocalServer(tmp_path, [money()], caps=Caps(log_ins_by_name=3), entrance=entrance) as server:
        server.run(lambda house: employ(house, "Kim", Role.MANAGER))
        tried = [log_in(server, "Kim", OTHER, X_Forwarded_For="192.0.2.7").reply for _ in range(4)]
        assert [reply and reply.status for reply in tried] == [422, 422, 422, 429]
        assert tried[3] is not None and "Too many passwords were tried from your address" in said(tried[3])
        again = log_in(server, "K I M", PASSWORD, X_Forwarded_For="192.0.2.7").reply
        assert again is not None and again.status == 429  # another way to write it is the same name
        manager = log_in(server, "Kim", X_Forwarded_For="192.0.2.8").reply
        assert manager is not None and manager.status == 303


@pytest.mark.rule("F-13")
def test_an_address_tries_only_so_many_passwords_whoever_they_are_of(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()], caps=Caps(log_ins=3)) as server:
        tried = [log_in(server, f"Ann {letter}", OTHER).reply for letter in "abcd"]
        assert [reply and reply.status for reply in tried] == [422, 422, 422, 429]
        assert 'feltworks_refused_total{cap="log-ins"} 1' in server.ask("/metrics").text


@pytest.mark.rule("F-13")
def test_no_name_and_no_password_gets_into_a_log(server: LocalServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    log_in(server, "Kim", OTHER)
    log_in(server, "Kim")
    assert {"A log-in was refused.", "Somebody logged in."} <= {record.getMessage() for record in caplog.records}
    for record in caplog.records:
        text = f"{record.getMessage()} {record.__dict__}"
        assert "Kim" not in text and PASSWORD not in text and OTHER not in text


# Setting the house up.


@pytest.mark.rule("F-13")
def test_whoever_has_the_set_up_code_becomes_the_manager_once(server: LocalServer) -> None:
    code = server.run(lambda house: house.staff.offer_set_up())
    window = Window(server)
    assert "Set-up code" in said(window.get("/setup"))
    fields = {"code": code.lower().replace("-", " "), "name": "Kim", "password": PASSWORD, "again": PASSWORD}
    reply = window.send("/setup", **fields)
    assert "A manager opens tables" in said(reply)
    again = Window(server).post("/setup", {**fields, "name": "Eve"})
    assert again.status == 422
    assert "That set-up code is not good, or was used already" in said(again)
    assert "This house has a manager, who adds other people." in said(again)


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"code": "00000-00000-00000-00000"}, "That set-up code is not good"),
        ({"code": ""}, "That set-up code is not good"),
        ({"password": "short", "again": "short"}, "A password has 10 to 200 characters; that one has 5."),
        ({"again": OTHER}, "The two passwords are not the same"),
        ({"name": ""}, "Choose a name of 1 to 20 characters."),
        ({"name": "Manager"}, "A name with “Manager” in it could be taken for somebody of the house"),
        (
            {"password": "Kim and nine horses", "again": "Kim and nine horses"},
            "Your name is no part of a good password",
        ),
    ],
)
def test_a_set_up_that_cannot_be_is_refused_and_keeps_what_was_entered(
    server: LocalServer, changed: dict[str, str], why: str
) -> None:
    code = server.run(lambda house: house.staff.offer_set_up())
    fields = {"code": code, "name": "Kim", "password": PASSWORD, "again": PASSWORD, **changed}
    reply = Window(server).post("/setup", fields)
    assert reply.status == 422
    assert why in said(reply)
    assert f'value="{fields["code"]}"' in reply.text and f'value="{fields["name"]}"' in reply.text
    assert fields["password"] not in reply.text
    assert not server.run(lambda house: house.administration.staff)


@pytest.mark.rule("F-13")
def test_a_newer_set_up_code_takes_the_place_of_an_older_one(server: LocalServer) -> None:
    old, new = (server.run(lambda house: house.staff.offer_set_up()) for _ in range(2))
    fields = {"name": "Kim", "password": PASSWORD, "again": PASSWORD}
    assert Window(server).post("/setup", {"code": old, **fields}).status == 422
    assert Window(server).post("/setup", {"code": new, **fields}).status == 303


@pytest.mark.rule("F-13")
def test_a_house_that_offers_no_code_says_where_one_comes_from(server: LocalServer) -> None:
    assert "There is no set-up code now." in said(Window(server).get("/setup"))


@pytest.mark.slow
@pytest.mark.rule("F-13")
def test_a_start_without_a_manager_prints_a_new_code_and_later_starts_print_none(tmp_path: Path) -> None:
    found: list[str] = []
    for _ in range(2):
        with ServerProcess(tmp_path) as server:
            match = re.search(r"open (http://\S+/setup) and give this code, which is good once: (\S+)", server.said)
            assert match is not None
            found.append(match[2])
            assert server.ask("/setup").status == 200
    assert found[0] != found[1]
    with ServerProcess(tmp_path) as server:
        code = re.search(r"good once: (\S+)", server.said)
        assert code is not None
        fields = {"code": code[1], "name": "Kim", "password": PASSWORD, "again": PASSWORD}
        assert Window(server).post("/setup", fields).status == 303
    with ServerProcess(tmp_path) as server:
        assert "good once" not in server.said


# Passwords.


def gives_code(server: LocalServer, id: str) -> str:
    return server.run(lambda house: house.staff.give_code(id, PROGRAM))


@pytest.mark.rule("F-13")
def test_a_one_time_code_lets_somebody_choose_a_password_once(server: LocalServer) -> None:
    id, token = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    code = gives_code(server, id)
    fields = {"name": "Kim", "code": code, "password": OTHER, "again": OTHER}
    window = Window(server)
    assert window.post("/password", fields).headers["location"] == "/house"
    assert window.get("/house").status == 200
    assert "Your session has ended" in said(Window(server, token).get("/house"))
    again = Window(server).post("/password", fields)
    assert again.status == 422 and "That code is not good, or not any more" in said(again)
    assert log_in(server, "Kim", PASSWORD).reply.status == 422  # type: ignore[union-attr]
    assert log_in(server, "Kim", OTHER).reply.status == 303  # type: ignore[union-attr]


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"code": "00000-00000-00000-00000"}, "That code is not good, or not any more"),
        ({"name": "Nobody here"}, "That code is not good, or not any more"),
        ({"code": ""}, "Type the one-time code that you were given."),
        ({"again": PASSWORD}, "The two passwords are not the same"),
    ],
)
def test_a_wrong_code_sets_no_password(server: LocalServer, changed: dict[str, str], why: str) -> None:
    id, _ = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    fields = {"name": "Kim", "code": gives_code(server, id), "password": OTHER, "again": OTHER, **changed}
    reply = Window(server).post("/password", fields)
    assert reply.status == 422
    assert why in said(reply)
    assert log_in(server, "Kim").reply.status == 303  # type: ignore[union-attr]


@pytest.mark.rule("F-13")
def test_a_code_is_good_for_three_days(server: LocalServer) -> None:
    id, _ = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    code = gives_code(server, id)
    server.pass_time(CODE_LASTS)
    reply = Window(server).post("/password", {"name": "Kim", "code": code, "password": OTHER, "again": OTHER})
    assert reply.status == 422 and "not any more" in said(reply)


@pytest.mark.rule("F-13")
def test_somebody_in_a_session_changes_the_password_and_every_other_session_ends(server: LocalServer) -> None:
    window, other = staffed(server, "Kim", Role.MANAGER), log_in(server, "Kim")
    fields = {"do": "password", "old": OTHER, "password": OTHER, "again": OTHER}
    wrong = window.post("/me", fields)
    assert wrong.status == 422 and "That is not your password" in said(wrong)
    token = window.token
    assert window.post("/me", {**fields, "old": PASSWORD}).status == 303
    assert window.token != token
    assert window.get("/house").status == 200
    assert "Your session has ended" in said(other.get("/house"))
    assert log_in(server, "Kim", OTHER).reply.status == 303  # type: ignore[union-attr]


@pytest.mark.rule("F-13")
def test_a_guest_makes_an_account_and_comes_back_to_the_same_money(server: LocalServer) -> None:
    ann = server.join("money", 1)
    ann.phase("betting")
    assert ann.token is not None
    window = Window(server, ann.token)
    assert "Make an account" in said(window.get("/me"))
    fields = {"do": "password", "name": "Ann", "password": PASSWORD, "again": PASSWORD}
    made = "Your account is made, Ann. From now on you come back by this name and your password."
    assert made in said(window.send("/me", **fields))
    assert made not in said(window.get("/"))
    changed = window.send("/me", do="password", old=PASSWORD, password=OTHER, again=OTHER)
    assert "Your password is changed." in said(changed)
    window.send("/me", do="password", old=OTHER, password=PASSWORD, again=PASSWORD)
    assert "Ann" in said(window.get("/me")) and "1,000.00" in said(window.get("/me"))
    window.post("/logout", {})
    assert "You can come back by your name" in said(log_in(server, "Ann").get("/"))
    taken = Window(server, server.session()).post("/me", fields)
    assert taken.status == 422 and "Somebody here has that name" in said(taken)
    ann.close()


# Sessions.


@pytest.mark.rule("F-13")
def test_a_session_is_ended_from_another_one_and_says_so(server: LocalServer) -> None:
    window, other, third = staffed(server, "Kim", Role.MANAGER), log_in(server, "Kim"), log_in(server, "Kim")
    page = window.get("/me")
    assert said(page).count("Another one") == 2 and said(page).count("This browser") == 1
    reply = window.send("/me", do="end", session=token_digest(other.token))
    assert "That session has ended." in said(reply)
    assert other.get("/house").status == 401
    posted = other.post("/me", {"do": "end others"})
    assert posted.status == 401
    assert "Your session has ended, here or elsewhere. Log in again. Nothing was done." in said(posted)
    assert third.get("/house").status == 200
    assert "Every other session has ended." in said(window.send("/me", do="end others"))
    assert third.get("/house").status == 401 and window.get("/house").status == 200


@pytest.mark.rule("F-13")
def test_nobody_ends_the_session_of_somebody_else_on_their_own_page(server: LocalServer) -> None:
    window, other = staffed(server, "Kim", Role.MANAGER), staffed(server, "Pat", Role.DEALER)
    reply = window.post("/me", {"do": "end", "session": token_digest(other.token)})
    assert reply.status == 422 and "You have no such session, or it has ended already." in said(reply)
    assert other.get("/house").status == 200
    ann = server.join("money", 1)
    assert ann.token is not None
    window.post("/me", {"do": "end", "session": token_digest(ann.token)})
    ann.done("leave")
    ann.close()


@pytest.mark.rule("F-13")
def test_whoever_is_at_a_table_hears_that_the_session_was_ended(server: LocalServer) -> None:
    ann = server.join("money", 1)
    assert ann.token is not None
    window = Window(server, ann.token)
    window.post("/me", {"do": "password", "name": "Ann", "password": PASSWORD, "again": PASSWORD})
    while None not in ann.answers:
        ann.receive()
    assert ann.answers[None]["why"] == "Your session was ended; log in again."
    ann.close()


@pytest.mark.rule("F-13")
def test_the_session_of_somebody_who_works_here_ends_after_a_shift(server: LocalServer) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    server.pass_time(SHIFT)
    assert window.get("/house").status == 401


@pytest.mark.rule("F-13")
def test_the_own_page_does_nothing_that_it_does_not_offer(server: LocalServer) -> None:
    reply = staffed(server, "Kim", Role.MANAGER).post("/me", {"do": "dance"})
    assert reply.status == 422 and "That is nothing that this page does." in said(reply)


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("path", ["/login", "/setup", "/password", "/me", "/logout"])
def test_another_site_can_send_no_form(server: LocalServer, path: str) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    for headers in ({"Sec_Fetch_Site": "cross-site"}, {"Origin": "https://evil.example"}):
        reply = window.post(path, {"do": "end others"}, **headers)
        assert reply.status == 403 and reply.text == "This was sent from another site and is not done."
    assert window.get("/house").status == 200


@pytest.mark.rule("F-13")
def test_a_house_that_writes_nothing_lets_nobody_in_and_says_why(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    fault = "The house is read-only."

    def broken(house: House) -> None:
        house.fault = fault

    server.run(broken)
    reply = log_in(server, "Kim").reply
    assert reply is not None and reply.status in (422, 503) and fault in said(reply)
