"""The pages under /house: who may see them and send their forms, and what those get who may not (F-13)."""

import re
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Book
from feltworks.floor.house import House
from feltworks.floor.people import GRANT
from feltworks.floor.roles import SIGNERS, STAFF, Role
from feltworks.floor.signers import ONE_HAND
from feltworks.floor.staff import TIME_TO_SIGN
from feltworks.floor.store.sqlite import Store, StoreError
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import Pace
from feltworks.web.staff.access import READ_DISPUTES
from tests.web.people_of_the_house import Window, employ, said, staffed, the_hash
from tests.web.robots import LocalServer, Robot, between, money, under
from tests.web.test_guard import assert_guarded

NAMES = {role: f"Kim {letter}" for role, letter in zip(Role, "ABCDEFGH", strict=True)}
STAFF_IN_ORDER = [role for role in Role if role in STAFF]
PEOPLE = {Role.MANAGER, Role.SUPERVISOR, Role.CASHIER, Role.AUDITOR}
PAGES = {
    "/house": STAFF,
    "/house/waiting": STAFF,
    "/house/tables": STAFF,
    "/house/tables/money": STAFF,
    "/house/disputes": READ_DISPUTES,
    "/house/people": PEOPLE,
    "/house/people?find=Guest": PEOPLE,
    "/house/people/{player}": PEOPLE,
}
"""Who may see each page."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    paused = Pace(0, 0, 3_600_000, 0)
    with LocalServer(tmp_path, [money(pace=paused), between(pace=paused), under(pace=paused)]) as server:
        yield server
        server.check()


@pytest.fixture
def ann(server: LocalServer) -> Iterator[Robot]:
    """A guest with a wager on the table."""
    ann = server.join("money", 1)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    yield ann
    ann.close()


def player_of(server: LocalServer, token: str | None) -> str:
    found = server.run(lambda house: house.people.player_of(token or ""))
    assert found is not None
    return found


def everybody(server: LocalServer) -> dict[Role, Window]:
    """A window of somebody of each role; the player is a guest."""
    staff = sorted(STAFF, key=lambda role: role is not Role.MANAGER)
    found = {role: staffed(server, NAMES[role], role) for role in staff}
    return found | {Role.PLAYER: Window(server, server.session())}


# Who may see what.


@pytest.mark.rule("F-13")
def test_every_page_is_shown_to_its_roles_and_to_nobody_else(server: LocalServer) -> None:
    windows = everybody(server)
    player = player_of(server, windows[Role.PLAYER].token)
    for path, roles in PAGES.items():
        for role, window in windows.items():
            reply = window.get(path.format(player=player))
            assert reply.status == (200 if role in roles else 403), (path, role)
            assert reply.headers["cache-control"] == "no-store"
            assert_guarded(reply)
            if role not in roles:
                assert "This page is for " in said(reply)
                assert f"You are {'an' if role is Role.AUDITOR else 'a'} {role.value}." in said(reply)


@pytest.mark.rule("F-16")
def test_every_moment_on_a_page_of_the_house_is_in_the_house_s_time_which_the_page_names(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever clock the browser has: a manager abroad and a dealer here speak of the same hour."""
    windows = everybody(server)
    player = player_of(server, windows[Role.PLAYER].token)
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    time.tzset()
    try:
        moments = 0
        for path, roles in PAGES.items():
            role = next(role for role in Role if role in roles)
            page = windows[role].get(path.format(player=player)).text
            if "Your own page" in page:
                continue
            for at, utc, shown in re.findall(r'<time datetime="([^"]+)"(?: title="([^"]+)")?>([^<]+)</time>', page):
                moments += 1
                assert utc, f"{path}: the browser would show {at} in its own time"
                assert shown == f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M:%S}", path
            if 'class="in-house' in page:
                assert "Times are the house" in page and "UTC+14:00" in page, path
        assert moments > 5
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    ("token", "words"), [("", "Log in to see this page."), ("made-up", "Your session has ended, here or elsewhere.")]
)
def test_whoever_has_no_session_is_asked_to_log_in(server: LocalServer, token: str, words: str) -> None:
    for path in PAGES:
        for reply in (Window(server, token).get(path), Window(server, token).post(path, {"do": "sign"})):
            assert reply.status in (401, 405)
            assert reply.status == 405 or words in said(reply)
            assert_guarded(reply)


FORMS: list[tuple[str, dict[str, str], set[Role], str]] = [
    ("/house/tables/money", {"do": "pause", "reason": "a test"}, {Role.SUPERVISOR, Role.MANAGER}, "Pause"),
    ("/house/tables/money", {"do": "close", "reason": "a test"}, {Role.MANAGER}, "Close table"),
    (
        "/house/tables/money",
        {"do": "report", "incident": "misdeal", "reason": "x"},
        {Role.DEALER, Role.SUPERVISOR},
        "Report",
    ),
    ("/house/tables/money", {"do": "void", "reason": "x", "round": "1"}, {Role.SUPERVISOR, Role.MANAGER}, "Void round"),
    ("/house/people", {"name": "Lee", "role": "dealer"}, {Role.MANAGER}, "Add person"),
    ("/house/people/{player}", {"do": "roles", "role": "dealer", "reason": "x"}, {Role.MANAGER}, "Give roles"),
    ("/house/people/{player}", {"do": "code"}, {Role.MANAGER}, "Give code"),
    ("/house/people/{player}", {"do": "end"}, {Role.MANAGER}, "End session"),
    ("/house/people/{player}", {"do": "bar", "reason": "x"}, {Role.SUPERVISOR, Role.MANAGER}, "Bar"),
    ("/house/people/{player}", {"do": "forget", "reason": "x"}, {Role.MANAGER}, "Forget"),
]
"""Forms that only some may send, and what those do is called."""


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(("path", "fields", "roles", "name"), FORMS, ids=[form[3] for form in FORMS])
@pytest.mark.parametrize("role", list(Role))
def test_a_form_does_what_the_role_may_and_is_refused_in_words_to_all_others(
    server: LocalServer, ann: Robot, path: str, fields: dict[str, str], roles: set[Role], name: str, role: Role
) -> None:
    server.run(lambda house: employ(house, "Max", Role.MANAGER))
    window = Window(server, server.session()) if role is Role.PLAYER else staffed(server, NAMES[role], role)
    place = path.format(player=player_of(server, ann.token))
    with server.reading() as store:
        before = store.counts()
        reply = window.post(place, fields)
        if role in roles:
            assert reply.status == 303
        elif role in next(who for page, who in PAGES.items() if page == path):
            assert reply.status == 422
            given = name if name != "Void round" or role in SIGNERS else "Propose"
            assert f"{given} is not for {'an' if role is Role.AUDITOR else 'a'} {role.value} to" in said(reply)
        else:
            assert reply.status == 403 and "This page is for " in said(reply)
        assert (store.counts() != before) is (role in roles)


@pytest.mark.rule("F-13")
def test_another_site_can_send_no_form_of_the_house(server: LocalServer, ann: Robot) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    with server.reading() as store:
        before = store.counts()
        for path, fields, *_ in FORMS:
            for headers in ({"Sec_Fetch_Site": "cross-site"}, {"Origin": "https://evil.example"}):
                reply = window.post(path.format(player=player_of(server, ann.token)), fields, **headers)
                assert reply.status == 403 and reply.text == "This was sent from another site and is not done."
        assert store.counts() == before


@pytest.mark.rule("F-13")
def test_a_role_that_was_taken_away_ends_what_it_could_do_in_the_next_moment(server: LocalServer) -> None:
    staffed(server, "Max", Role.MANAGER)
    id, token = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    window = Window(server, token)
    assert window.get("/house/people").status == 200
    server.run(lambda house: house.staff.give_roles(id, ["dealer"], "a change", PROGRAM))
    reply = window.post("/house/people", {"name": "Eve", "role": "manager"})
    assert reply.status == 403 and "You are a dealer." in said(reply)
    server.run(lambda house: house.staff.give_roles(id, (), "a change", PROGRAM))
    assert window.get("/house").status == 403


@pytest.mark.rule("F-13")
def test_a_role_that_is_taken_away_in_mid_action_lets_nothing_happen(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the question who asks and the decision."""
    staffed(server, "Max", Role.MANAGER)
    id, token = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    pause = House.pause

    def too_late(house: House, table: str, reason: str, actor: object) -> None:
        house.staff.give_roles(id, ["dealer"], "a change", PROGRAM)
        pause(house, table, reason, actor)  # type: ignore[arg-type]

    monkeypatch.setattr(House, "pause", too_late)
    reply = Window(server, token).post("/house/tables/money", {"do": "pause", "reason": "a test"})
    assert reply.status == 422
    assert "Pause is not for a dealer to do." in said(reply)
    assert server.run(lambda house: house.live("money").table.service) == "open"


@pytest.mark.rule("F-13")
def test_what_cannot_be_written_is_said_and_not_shown_as_done(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = staffed(server, "Kim", Role.MANAGER)

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Store, "write", full)
    reply = window.post("/house/tables/money", {"do": "pause", "reason": "a test"})
    assert reply.status == 503 and "The disk is full." in said(reply)


# Start pages.


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", STAFF_IN_ORDER)
def test_a_start_page_offers_what_the_role_can_do_now(server: LocalServer, role: Role) -> None:
    window = staffed(server, "Kim", role)
    page = said(window.get("/house"))
    assert f"Kim {role.value}" in page
    assert ("People" in page) is (role in PEOPLE)
    assert "Tables" in page
    links = re.findall(r'href="(/house[^"]*)"', window.get("/house").text)
    assert all(window.get(link).status == 200 for link in links), "nothing is offered that is refused"


@pytest.mark.rule("F-13", "F-28")
def test_a_start_page_names_the_tables_that_wait_for_a_decision(server: LocalServer) -> None:
    supervisor, manager = staffed(server, "Sue", Role.SUPERVISOR), staffed(server, "Kim", Role.MANAGER)
    ann = server.join("money", 1)
    ann.phase("betting")
    assert "waits for you" not in said(supervisor.get("/house"))
    server.run(lambda house: house.pit.report("money", cmd.Report("misdeal", "a card fell"), PROGRAM))
    assert "Burgundy waits for you Decide about misdeal." in said(supervisor.get("/house"))
    assert "waits for you" not in said(manager.get("/house"))
    page = supervisor.get("/house/tables/money")
    assert "Decide about misdeal" in said(page)
    assert "Decided." in said(supervisor.send("/house/tables/money", do="resolve", option="continue", reason="seen"))
    assert "waits for you" not in said(supervisor.get("/house"))
    again = supervisor.post("/house/tables/money", {"do": "resolve", "option": "continue", "reason": "seen"})
    assert again.status == 422 and "Nothing was reported at this table" in said(again)
    ann.close()


@pytest.mark.rule("F-13")
def test_an_auditor_finds_no_form_but_the_own(server: LocalServer, ann: Robot) -> None:
    auditor = staffed(server, "Kim", Role.AUDITOR)
    player = player_of(server, ann.token)
    for path, roles in PAGES.items():
        assert Role.AUDITOR in roles
        page = auditor.get(path.format(player=player)).text
        assert re.findall(r'<form[^>]*method="post"[^>]*action="([^"]*)"', page) == ["/logout"], path


# Tables.


@pytest.mark.rule("F-13")
def test_a_manager_pauses_resumes_closes_and_reopens_a_table(server: LocalServer) -> None:
    window = staffed(server, "Kim", Role.MANAGER)

    def service() -> tuple[str, str]:
        return server.run(lambda house: (house.live("money").table.service, house.live("money").table.service_reason))

    path = "/house/tables/money"
    assert "The table is paused." in said(window.send(path, do="pause", reason="The lights flicker"))
    assert service() == ("paused", "The lights flicker.")
    twice = window.post(path, {"do": "pause", "reason": "again"})
    assert twice.status == 422 and "The table is paused." in said(twice)
    window.send(path, do="resume")
    assert service()[0] == "open"
    assert "closes when its round is over" in said(window.send(path, do="close", reason="The shift ends"))
    assert service()[0] == "closed"
    assert "The table is open again." in said(window.send(path, do="reopen"))
    assert service()[0] == "open"


@pytest.mark.rule("F-13")
def test_a_refused_form_keeps_what_was_entered(server: LocalServer, ann: Robot) -> None:
    window = staffed(server, "Kim", Role.SUPERVISOR)
    path = "/house/tables/money"
    server.run(lambda house: house.pause("money", "a test"))
    reply = window.post(path, {"do": "report", "incident": "", "reason": 'a "card" fell'})
    assert reply.status == 422 and "Say what went wrong." in said(reply)
    assert 'value="a &#34;card&#34; fell"' in reply.text
    for fields, why in (
        ({"do": "void", "reason": "", "round": "1"}, "Say why the round should be void."),
        ({"do": "void", "reason": "x", "round": "7"}, "Round 7 is over; what is settled stands."),
        ({"do": "release", "what": "card reader", "reason": "x"}, "Card reader is not out of service at this table."),
        ({"do": "resume"}, ""),
        ({"do": "dance"}, "That is nothing that this page does."),
        ({}, "That is nothing that this page does."),
    ):
        reply = window.post(path, fields)
        assert (reply.status, why in said(reply)) == ((422, True) if why else (303, True))


@pytest.mark.rule("F-13")
def test_a_table_that_is_not_there_is_said_not_to_be(server: LocalServer) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    for reply in (window.get("/house/tables/nowhere"), window.post("/house/tables/nowhere", {"do": "pause"})):
        assert reply.status == 404 and "There is no such table" in said(reply)


@pytest.mark.rule("F-13")
def test_nobody_acts_for_the_house_at_a_table_where_they_sit(server: LocalServer, ann: Robot) -> None:
    staffed(server, "Max", Role.MANAGER)
    player = player_of(server, ann.token)
    server.run(lambda house: house.staff.give_roles(player, ["supervisor"], "a new job", PROGRAM))
    reply = Window(server, ann.token or "").post("/house/tables/money", {"do": "pause", "reason": "I am losing"})
    assert reply.status == 422
    assert "You sit at this table; somebody else of the house has to do that." in said(reply)


@pytest.mark.rule("F-18")
def test_whoever_works_here_finds_the_last_rounds_of_a_table(server: LocalServer, ann: Robot) -> None:
    window = staffed(server, "Kim", Role.SURVEILLANCE)
    server.run(lambda house: house.void("money", "a test"))
    page = window.get("/house/tables/money")
    assert 'href="/table/money/round/1"' in page.text
    assert window.get("/table/money/round/1").status == 200


# Two signatures.


@pytest.fixture
def pit(server: LocalServer, ann: Robot) -> tuple[Window, Window, str]:
    """A supervisor who has proposed a void, a manager, and what waits."""
    supervisor, manager = staffed(server, "Sue", Role.SUPERVISOR), staffed(server, "Kim", Role.MANAGER)
    supervisor.send("/house/tables/money", do="void", reason="A card was seen", round="1")
    return supervisor, manager, next(iter(server.run(lambda house: dict(house.administration.waiting))))


@pytest.mark.rule("F-13", "F-17")
def test_a_void_is_signed_by_a_second_person_and_every_wager_goes_back(
    server: LocalServer, ann: Robot, pit: tuple[Window, Window, str]
) -> None:
    supervisor, manager, action = pit
    page = said(manager.get("/house/waiting"))
    assert "Void round 1 at Burgundy Reason: A card was seen 5.00 of 1 seat goes back. Signed first Sue ," in page
    assert "Second signature a manager" in page
    assert "Waits for your signature 1" in said(manager.get("/house"))
    assert "Waits for somebody else 1" in said(supervisor.get("/house"))
    assert "Signed, and done." in said(manager.send("/house/waiting", do="sign", action=action))
    ann.until(lambda view: view["you"]["balance"] == GRANT)
    assert "Nothing waits." in said(manager.get("/house/waiting"))


@pytest.mark.rule("F-13")
def test_whoever_comes_to_void_a_round_after_another_is_led_to_the_signature_that_waits(
    server: LocalServer, ann: Robot, pit: tuple[Window, Window, str]
) -> None:
    _, manager, _ = pit
    page = manager.get("/house/tables/money")
    assert "Voiding round 1 waits for a second signature" in said(page) and 'value="void"' not in page.text
    reply = manager.post("/house/tables/money", {"do": "void", "reason": "The same", "round": "1"})
    assert reply.status == 422 and "Somebody has signed that already" in said(reply)
    assert server.run(lambda house: len(house.administration.waiting)) == 1


@pytest.mark.rule("F-13")
def test_the_same_person_does_not_sign_twice(server: LocalServer, pit: tuple[Window, Window, str]) -> None:
    supervisor, _, action = pit
    page = supervisor.get("/house/waiting")
    assert 'value="sign"' not in page.text and "You signed first" in said(page)
    reply = supervisor.post("/house/waiting", {"do": "sign", "action": action})
    assert reply.status == 422
    assert "You have signed it already; the second signature is another person's." in said(reply)


@pytest.mark.rule("F-13")
def test_a_second_signature_is_that_of_the_other_role(server: LocalServer, pit: tuple[Window, Window, str]) -> None:
    *_, action = pit
    for role, name in ((Role.SUPERVISOR, "Uma"), (Role.DEALER, "Dan"), (Role.AUDITOR, "Ada")):
        window = staffed(server, name, role)
        assert 'value="sign"' not in window.get("/house/waiting").text
        reply = window.post("/house/waiting", {"do": "sign", "action": action})
        refused = (
            "The second signature is that of a manager." if role in SIGNERS else "Sign is not for an auditor to do."
        )
        assert reply.status == 422 and refused in said(reply)


@pytest.mark.rule("F-13")
def test_what_was_withdrawn_is_not_signed(server: LocalServer, pit: tuple[Window, Window, str]) -> None:
    supervisor, manager, action = pit
    empty = supervisor.post("/house/waiting", {"do": "withdraw", "action": action, "reason": " "})
    assert empty.status == 422 and "Give the reason." in said(empty)
    stranger = staffed(server, "Uma", Role.SUPERVISOR).post(
        "/house/waiting", {"do": "withdraw", "action": action, "reason": "x"}
    )
    assert stranger.status == 422 and "Only whoever proposed it, or a manager, withdraws it." in said(stranger)
    assert "Withdrawn." in said(supervisor.send("/house/waiting", do="withdraw", action=action, reason="I was wrong"))
    reply = manager.post("/house/waiting", {"do": "sign", "action": action})
    assert reply.status == 422 and "That does not wait any more" in said(reply)


@pytest.mark.rule("F-13")
def test_what_nobody_signed_in_time_is_not_signed_later(server: LocalServer, pit: tuple[Window, Window, str]) -> None:
    _, _, action = pit
    server.pass_time(TIME_TO_SIGN)
    window = staffed(server, "Max", Role.MANAGER)
    reply = window.post("/house/waiting", {"do": "sign", "action": action})
    assert reply.status == 422
    assert re.search("The time to sign it is over|That does not wait any more", said(reply))


@pytest.mark.rule("F-13", "F-17")
def test_a_void_that_was_meant_for_one_round_does_not_void_the_next(
    server: LocalServer, ann: Robot, pit: tuple[Window, Window, str]
) -> None:
    _, manager, action = pit
    server.run(lambda house: house.void("money", "another reason"))
    server.run(lambda house: house.deal_on("money", "start round"))
    page = manager.get("/house/waiting")
    assert "That round is over; it can only be withdrawn." in said(page) and 'value="sign"' not in page.text
    assert "Waits for your signature" not in said(manager.get("/house"))
    reply = manager.post("/house/waiting", {"do": "sign", "action": action})
    assert reply.status == 422 and "Round 1 is over; what is settled stands." in said(reply)
    assert server.run(lambda house: house.live("money").table.round is not None)


@pytest.mark.rule("F-13")
def test_an_entry_in_the_books_is_told_with_its_amount_and_names(server: LocalServer, ann: Robot) -> None:
    player = player_of(server, ann.token)
    manager, _ = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    book = Book("correction", "house", f"player:{player}", 1_250, "A mistake of the dealer")
    server.run(lambda house: house.staff.propose("house", book, by_person(manager)))
    page = said(staffed(server, "Cal", Role.CASHIER).get("/house/waiting"))
    assert "Book 12.50 as correction 12.50 from house to the player Guest 1 Reason: A mistake of the dealer" in page


@pytest.mark.rule("F-13")
def test_a_manager_does_not_sign_with_an_account_whose_password_they_have_just_reset(
    server: LocalServer, pit: tuple[Window, Window, str]
) -> None:
    _, manager, action = pit
    sue, kim = server.run(lambda house: house.administration.waiting[action].by), player_of(server, manager.token)
    server.run(lambda house: house.staff.set_password(sue, the_hash(), house.staff.give_code(sue, by_person(kim))))
    page = manager.get("/house/waiting")
    assert ONE_HAND in said(page) and 'value="sign"' not in page.text
    assert "Waits for your signature" not in said(manager.get("/house"))
    reply = manager.post("/house/waiting", {"do": "sign", "action": action})
    assert reply.status == 422 and ONE_HAND in said(reply)
    another = staffed(server, "Max", Role.MANAGER)
    assert "Signed, and done." in said(another.send("/house/waiting", do="sign", action=action))


@pytest.mark.rule("F-13")
def test_a_page_that_looks_again_is_told_when_nothing_has_changed(
    server: LocalServer, pit: tuple[Window, Window, str]
) -> None:
    _, manager, action = pit
    first = manager.get("/house/waiting", X_Live="1")
    again = manager.get("/house/waiting", X_Live="1", If_None_Match=first.headers["etag"])
    assert (first.status, again.status, again.body) == (200, 304, b"")
    manager.post("/house/waiting", {"do": "sign", "action": action})
    changed = manager.get("/house/waiting", X_Live="1", If_None_Match=first.headers["etag"])
    assert changed.status == 200 and "Signed, and done." not in said(changed)
    assert "Signed, and done." in said(manager.get("/house/waiting")), "a note waits for whoever reads"
    assert "Signed, and done." not in said(manager.get("/house/waiting"))


# People.


@pytest.mark.rule("F-13")
def test_a_manager_adds_somebody_who_chooses_a_password_with_the_code(server: LocalServer) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    page = window.send("/house/people", name="Lee", role=["dealer", "supervisor"])
    code = re.search(r'<p class="code">([0-9A-Z-]{23})</p>', page.text)
    assert code is not None
    assert "Lee works here now. Give them this code. They open http" in said(page)
    assert "dealer, supervisor" in said(page)
    assert code[1] not in window.get("/house/people").text, "it is shown once"
    lee = Window(server)
    fields = {"name": "Lee", "code": code[1], "password": "seven green parrots", "again": "seven green parrots"}
    assert lee.post("/password", fields).headers["location"] == "/house"
    assert "Lee dealer, supervisor" in said(lee.get("/house"))


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": "Lee"}, "Give the person at least one role."),
        ({"name": "", "role": "dealer"}, "Choose a name of 1 to 20 characters."),
        ({"name": "Kim", "role": "dealer"}, "Somebody here has that name, or one that looks like it"),
        ({"name": "Lee", "role": "owner"}, "'owner' is no role of the house; choose among auditor, cashier,"),
        ({"name": "Lee", "role": "player"}, "'player' is no role of the house"),
    ],
)
def test_somebody_who_cannot_be_added_is_refused_and_the_form_keeps_its_fields(
    server: LocalServer, fields: dict[str, str], why: str
) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    reply = window.post("/house/people", fields)
    assert reply.status == 422 and why in said(reply)
    assert f'value="{fields["name"]}"' in reply.text
    if fields.get("role") == "dealer":
        assert 'value="dealer" checked' in reply.text
    assert server.run(lambda house: len(house.administration.staff)) == 1


@pytest.mark.rule("F-13")
def test_the_last_manager_cannot_be_taken_away_but_another_can(server: LocalServer) -> None:
    id, token = server.run(lambda house: employ(house, "Kim", Role.MANAGER))
    window = Window(server, token)
    reply = window.post(f"/house/people/{id}", {"do": "roles", "role": "dealer", "reason": "tired"})
    assert reply.status == 422 and "This is the only manager of the house" in said(reply)
    assert 'value="tired"' in reply.text
    other, _ = server.run(lambda house: employ(house, "Max", Role.MANAGER))
    assert "The roles of Max are changed." in said(
        window.send(f"/house/people/{other}", do="roles", role="dealer", reason="a new job")
    )
    nothing = window.post(f"/house/people/{other}", {"do": "roles", "role": "dealer", "reason": ""})
    assert nothing.status == 422 and "Give the reason." in said(nothing)


@pytest.mark.rule("F-13")
def test_a_manager_gives_a_code_for_a_lost_password_and_it_is_shown_once(server: LocalServer) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    lee, _ = server.run(lambda house: employ(house, "Lee", Role.DEALER))
    page = window.send(f"/house/people/{lee}", do="code")
    code = re.search(r'<p class="code">([0-9A-Z-]{23})</p>', page.text)
    assert code is not None and "One-time code good until" in said(page)
    assert code[1] not in window.get(f"/house/people/{lee}").text
    again = re.search(r'<p class="code">(\S+)</p>', window.send(f"/house/people/{lee}", do="code").text)
    assert again is not None and again[1] != code[1]
    fields = {"name": "Lee", "password": "seven green parrots", "again": "seven green parrots"}
    assert Window(server).post("/password", {**fields, "code": code[1]}).status == 422
    assert Window(server).post("/password", {**fields, "code": again[1]}).status == 303


@pytest.mark.rule("F-13")
def test_a_manager_ends_the_sessions_of_somebody(server: LocalServer, ann: Robot) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    player = player_of(server, ann.token)
    assert "Every session of Guest 1 has ended." in said(window.send(f"/house/people/{player}", do="end"))
    while None not in ann.answers:
        ann.receive()
    assert ann.answers[None]["why"] == "Your session was ended by the house; log in again."
    assert Window(server, ann.token or "").get("/me").status == 401


@pytest.mark.rule("F-13")
def test_the_data_of_somebody_are_removed_after_the_roles_are_gone(server: LocalServer) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    lee, token = server.run(lambda house: employ(house, "Lee", Role.DEALER))
    path = f"/house/people/{lee}"
    first = window.post(path, {"do": "forget", "reason": "asked for"})
    assert first.status == 422 and "Take the person's roles away first" in said(first)
    window.send(path, do="roles", reason="left")
    empty = window.post(path, {"do": "forget", "reason": ""})
    assert empty.status == 422 and "Give the reason." in said(empty)
    assert "What could identify Lee is removed" in said(window.send(path, do="forget", reason="asked for"))
    assert window.get(path).status == 404
    assert Window(server, token).get("/me").status == 401
    assert "Nobody here has that in their name." in said(window.get("/house/people?find=Lee"))


@pytest.mark.rule("F-13", "F-15")
def test_a_supervisor_bars_a_player_and_a_manager_lifts_it(server: LocalServer, ann: Robot) -> None:
    supervisor, manager = staffed(server, "Sue", Role.SUPERVISOR), staffed(server, "Kim", Role.MANAGER)
    player = player_of(server, ann.token)
    found = supervisor.get("/house/people?find=guest")
    assert f'href="/house/people/{player}"' in found.text
    path = f"/house/people/{player}"
    assert "Guest 1 is barred." in said(supervisor.send(path, do="bar", table="between", reason="Hit the dealer"))
    assert "Barred from Green. Hit the dealer" in said(supervisor.get(path))
    wrong = supervisor.post(path, {"do": "bar", "table": "nowhere", "reason": "x"})
    assert wrong.status == 422 and "There is no such table" in said(wrong)
    refused = supervisor.post(path, {"do": "unbar", "table": "between", "reason": "sorry"})
    assert refused.status == 422 and "Unbar is not for a supervisor to do." in said(refused)
    assert "may play there again" in said(manager.send(path, do="unbar", table="between", reason="Said sorry"))
    assert "Barred from" not in said(manager.get(path))


@pytest.mark.rule("F-13", "F-15")
def test_nobody_is_offered_a_bar_that_somebody_has_already(server: LocalServer, ann: Robot) -> None:
    supervisor, path = staffed(server, "Sue", Role.SUPERVISOR), f"/house/people/{player_of(server, ann.token)}"
    assert '<option value="between"' in supervisor.get(path).text
    supervisor.send(path, do="bar", table="between", reason="Hit the dealer")
    page = supervisor.get(path).text
    assert '<option value="between"' not in page and '<option value="money"' in page
    supervisor.send(path, do="bar", table="", reason="Hit the dealer again")
    assert "Bar from playing" not in supervisor.get(path).text


@pytest.mark.rule("F-13")
def test_a_person_who_is_not_there_is_said_not_to_be(server: LocalServer) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    for reply in (window.get("/house/people/0123"), window.post("/house/people/0123", {"do": "code"})):
        assert reply.status == 404 and "There is no such person, or their data was removed." in said(reply)


@pytest.mark.rule("F-13")
def test_what_somebody_is_called_does_nothing_to_a_page(server: LocalServer) -> None:
    window = staffed(server, "Kim", Role.MANAGER)
    reply = window.post("/house/people", {"name": "<b>Lee</b>", "role": "dealer"})
    assert reply.status == 422 and "<b>" not in reply.text and "&lt;b&gt;Lee" in reply.text
    found = window.get("/house/people?find=%3Cscript%3E%25_")
    assert "<script>%" not in found.text and "Nobody here has that in their name." in said(found)


@pytest.mark.rule("F-13")
def test_a_house_that_cannot_be_read_shows_no_page_of_it(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        staffed(server, "Kim", Role.MANAGER)
    with LocalServer(tmp_path) as server:

        def broken(house: House) -> None:
            house.fault = "The house is read-only."
            house._is_known = False

        server.run(broken)
        assert server.ask("/house", Accept="text/html").status == 401
        assert "no set-up code" in said(server.ask("/setup"))
