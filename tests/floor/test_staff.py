"""People of the house: set-up, roles, passwords and codes; a demonstration; what of them lies outside the journal."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from feltworks.floor import passwords
from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.codes import code_digest, new_code
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.passwords import Hashed, check_password, hashed, is_password, needs_rehash
from feltworks.floor.people import SESSION, SOMEBODY
from feltworks.floor.person import PASSWORD, SHIFT, PasswordSet
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.staff import CODE_LASTS
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.verification.verify import verify
from tests.floor.employing import employed
from tests.floor.sitting import one_for_the_money
from tests.floor.test_house import Clock

KEYS = Keys(bytes(32), bytes(range(32)))
SECRET = "correct horse battery"
HASHED = hashed(SECRET)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    house = House(Store(tmp_path / "records.db"), KEYS, clock)
    house.open_table(one_for_the_money())
    yield house
    house.store.close()


def restarted(house: House, clock: Clock) -> House:
    house.close()
    return House(Store(house.store.path), KEYS, clock)


def written(house: House) -> bytes:
    """Every byte of the journal: commands and events of every stream."""
    return b"".join(
        commit.command + b"".join(record.event for record in commit.records) for _, commit in house.store.commits()
    )


# Set-up.


@pytest.mark.rule("F-13")
def test_whoever_shows_the_code_of_the_first_start_becomes_manager_and_nobody_after_that(house: House) -> None:
    code = house.staff.offer_set_up()
    with pytest.raises(Refused, match="That set-up code is not good"):
        house.staff.set_up(new_code(), "Max", HASHED)
    id, token = house.staff.set_up(code.lower().replace("-", " "), "Max", HASHED)
    assert house.people.player_of(token) == id
    assert house.staff.roles(id) == {Role.MANAGER}
    with pytest.raises(Refused, match="That set-up code is not good, or was used already"):
        house.staff.set_up(code, "Mallory", HASHED)
    with pytest.raises(Refused, match="This house has a manager, who adds other people"):
        house.staff.offer_set_up()
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-13")
def test_a_newer_set_up_code_takes_the_place_of_the_one_before_it(house: House, clock: Clock) -> None:
    old = house.staff.offer_set_up()
    house = restarted(house, clock)
    new = house.staff.offer_set_up()
    with pytest.raises(Refused, match="the newest one was printed at the start"):
        house.staff.set_up(old, "Max", HASHED)
    house.staff.set_up(new, "Max", HASHED)
    house.close()


def test_a_house_that_was_never_set_up_takes_no_code_at_all(house: House) -> None:
    with pytest.raises(Refused, match="not good"):
        house.staff.set_up("", "Max", HASHED)


# People and roles.


@pytest.mark.rule("F-13")
def test_a_manager_adds_somebody_who_chooses_a_password_with_a_code_that_is_good_once(
    house: House, clock: Clock
) -> None:
    manager = employed(house, Role.MANAGER)
    id, code = house.staff.add("Sue", ["supervisor", "dealer"], manager)
    assert house.staff.roles(id) == {Role.SUPERVISOR, Role.DEALER}
    assert house.staff.credentials("Sue", house.store) is None
    with pytest.raises(Refused, match="That code is not good"):
        house.staff.set_password(id, HASHED, new_code())
    house.staff.set_password(id, HASHED, code)
    with pytest.raises(Refused, match="That code is not good, or not any more; ask a manager"):
        house.staff.set_password(id, hashed("another password"), code)
    house = restarted(house, clock)
    found = house.staff.credentials("SUE", house.store)
    assert found is not None and found.person == id and is_password(found.body, SECRET)
    token = house.staff.log_in(found)
    assert house.people.player_of(token) == id
    clock.now += SHIFT
    assert house.people.player_of(token) is None
    house.close()


@pytest.mark.rule("F-13")
def test_a_player_who_is_given_a_role_works_for_a_shift_in_the_session_that_is_open(house: House, clock: Clock) -> None:
    """A player's session lasts for weeks, and a guest's has no password behind it."""
    player, token = house.people.guest()
    house.staff.give_roles(player, ["supervisor"], "a test", PROGRAM)
    clock.now += SHIFT - 1
    house = restarted(house, clock)
    assert house.people.player_of(token) == player
    clock.now += 1
    assert house.people.player_of(token) is None
    assert verify(house.store.path, KEYS.public).ok
    house.close()


@pytest.mark.rule("F-13")
def test_a_code_is_not_good_for_ever(house: House, clock: Clock) -> None:
    id, code = house.staff.add("Sue", ["dealer"], PROGRAM)
    clock.now += CODE_LASTS
    with pytest.raises(Refused, match="not good, or not any more"):
        house.staff.set_password(id, HASHED, code)
    house.staff.set_password(id, HASHED, house.staff.give_code(id, PROGRAM))


@pytest.mark.rule("F-13")
def test_a_new_password_ends_every_session_and_what_was_looked_up_before_it_opens_none(house: House) -> None:
    id, code = house.staff.add("Sue", ["dealer"], PROGRAM)
    house.staff.set_password(id, HASHED, code)
    found = house.staff.credentials("Sue", house.store)
    assert found is not None
    tokens = [house.staff.log_in(found) for _ in range(2)]
    house.staff.set_password(id, hashed("another password"))
    assert [house.people.player_of(token) for token in tokens] == [None, None]
    with pytest.raises(Refused, match="The password has just been changed"):
        house.staff.log_in(found)


@pytest.mark.rule("F-13")
def test_the_only_manager_stays_one(house: House) -> None:
    first = employed(house, Role.MANAGER)
    with pytest.raises(Refused, match="This is the only manager of the house; make somebody else a manager first"):
        house.staff.give_roles(first.id, ["dealer"], "tired", first)
    second = employed(house, Role.MANAGER)
    house.staff.give_roles(first.id, ["dealer"], "tired", second)
    assert house.administration.managers == {second.id}


@pytest.mark.rule("F-13")
def test_roles_that_there_are_not_and_people_that_there_are_not_are_refused(house: House) -> None:
    manager = employed(house, Role.MANAGER)
    refusals: dict[str, Callable[[], object]] = {
        "no role of the house; choose among": lambda: house.staff.add("Sue", ["king"], manager),
        "at least one role": lambda: house.staff.add("Sue", [], manager),
        "'player' is no role of the house": lambda: house.staff.add("Sue", ["player"], manager),
        "no such person": lambda: house.staff.give_roles("nobody", ["dealer"], "a test", manager),
        "Give the reason": lambda: house.staff.give_roles(manager.id, ["dealer"], " ", manager),
        "has these roles already": lambda: house.staff.give_roles(manager.id, ["manager"], "a test", manager),
        "could be taken for somebody of the house": lambda: house.staff.add("Manager", ["dealer"], manager),
    }
    house.staff.add("Bob", ["dealer"], manager)
    refusals["looks like it"] = lambda: house.staff.add("B0B", ["dealer"], manager)
    before = house.store.last_commit()
    for words, attempt in refusals.items():
        with pytest.raises(Refused, match=words):
            attempt()
    assert house.store.last_commit() == before


@pytest.mark.rule("F-13")
def test_a_role_that_was_taken_away_is_gone_for_the_next_command(house: House) -> None:
    manager, sue = employed(house, Role.MANAGER), employed(house, Role.SUPERVISOR)
    house.pause("money", "a test", sue)
    house.staff.give_roles(sue.id, [], "left", manager)
    with pytest.raises(Refused, match="Resume is not for a player to do"):
        house.resume("money", sue)


# What lies outside the journal.


@pytest.mark.rule("F-13")
def test_the_journal_holds_no_name_no_password_no_hash_no_code_and_no_token(house: House) -> None:
    code = house.staff.offer_set_up()
    _, token = house.staff.set_up(code, "Maximilian", HASHED)
    id, other = house.staff.add("Susanna", ["dealer"], PROGRAM)
    house.staff.set_password(id, HASHED, other)
    held = written(house).decode()
    for secret in ("Maximilian", "Susanna", SECRET, HASHED.body, code, other, token, code.replace("-", "")):
        assert secret not in held
    assert HASHED.parameters == "argon2id v=19 m=19456 t=2 p=1" and HASHED.parameters in held


@pytest.mark.rule("F-13")
def test_a_persons_name_and_password_can_be_removed_and_the_records_still_verify(house: House, clock: Clock) -> None:
    manager = employed(house, Role.MANAGER)
    id, code = house.staff.add("Sue", ["dealer"], manager)
    house.staff.set_password(id, HASHED, code)
    with pytest.raises(Refused, match="Take the person's roles away first"):
        house.forget(id, "asked for it", manager)
    house.staff.give_roles(id, [], "left", manager)
    house.forget(id, "asked for it", manager)
    assert house.store.kept(id, PASSWORD) is None and house.store.person(id) is None
    house = restarted(house, clock)
    assert house.people.name(id) == SOMEBODY
    assert house.staff.credentials("Sue", house.store) is None
    assert house.staff.roles(id) == frozenset()
    house.staff.add("Sue", ["dealer"], manager)  # the name is anybody's again
    assert verify(house.store.path, KEYS.public).ok
    house.close()


def change_file(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(statement, values)


@pytest.mark.rule("F-13", "F-16")
def test_a_hash_that_somebody_put_into_the_file_opens_nothing_and_is_found(house: House, clock: Clock) -> None:
    id, code = house.staff.add("Sue", ["manager"], PROGRAM)
    house.staff.set_password(id, HASHED, code)
    house.close()
    thiefs = hashed("the thief's own")
    change_file(house.store.path, "UPDATE kept SET body = ?", thiefs.body)
    assert verify(house.store.path, KEYS.public).problems == [f"The password of {id} is not what was recorded."]
    house = House(Store(house.store.path), KEYS, clock)
    assert house.staff.credentials("Sue", house.store) is None
    house.close()
    change_file(house.store.path, "DELETE FROM kept")
    assert verify(house.store.path, KEYS.public).problems == [f"The password of {id} is missing."]


# Players with an account.


@pytest.mark.rule("F-13")
def test_a_guest_who_chooses_a_password_comes_back_by_name(house: House, clock: Clock) -> None:
    player, _ = house.people.guest()
    house.people.rename(player, "Ann")
    house.staff.set_password(player, HASHED)
    clock.now += 2 * SESSION
    other, _ = house.people.guest()
    with pytest.raises(Refused, match="Somebody here has that name"):
        house.people.rename(other, "Ann")
    found = house.staff.credentials("ann", house.store)
    assert found is not None
    token = house.staff.log_in(found)
    assert house.people.player_of(token) == player
    assert house.staff.roles(player) == {Role.PLAYER}
    house.command("money", player, cmd.Sit(1))
    clock.now += SESSION - 1
    assert house.people.player_of(token) == player


def test_a_robot_has_no_password(house: House) -> None:
    robot = house.people.robot("Robot 1")
    with pytest.raises(Refused, match="has no password"):
        house.staff.set_password(robot, HASHED)
    with pytest.raises(Refused, match="has no password"):
        house.staff.give_code(robot, PROGRAM)


@pytest.mark.rule("F-13")
def test_a_person_is_barred_with_a_reason_and_let_in_again(house: House) -> None:
    manager, sue = employed(house, Role.MANAGER), employed(house, Role.SUPERVISOR)
    player, _ = house.people.guest()
    with pytest.raises(Refused, match="Give the reason"):
        house.staff.bar(player, "", " ", sue)
    house.staff.bar(player, "", "shouted", sue)
    known = house.people.person(player)
    assert known is not None and known.barred == {"": "shouted"}
    with pytest.raises(Refused, match="Unbar is not for a supervisor to do"):
        house.staff.unbar(player, "", "said sorry", sue)
    with pytest.raises(Refused, match="not barred there"):
        house.staff.unbar(player, "money", "said sorry", manager)
    house.staff.unbar(player, "", "said sorry", manager)
    with pytest.raises(Refused, match="Only players are barred"):
        house.staff.bar(sue.id, "", "shouted", manager)


# Passwords.


@pytest.mark.rule("F-13")
def test_a_password_is_hashed_with_argon2_and_anew_when_the_parameters_rise(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, code = house.staff.add("Sue", ["dealer"], PROGRAM)
    house.staff.set_password(id, HASHED, code)
    found = house.staff.credentials("Sue", house.store)
    assert found is not None and not needs_rehash(found.body)
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=3, memory_cost=19_456, parallelism=1))
    assert needs_rehash(found.body) and is_password(found.body, SECRET)
    token = house.staff.log_in(found)
    house.staff.rehash(id, hashed(SECRET))
    *_, record = house.store.read(person_stream(id))
    event = decode_event(person_stream(id), record.event)
    assert isinstance(event, PasswordSet) and event.parameters == "argon2id v=19 m=19456 t=3 p=1"
    assert house.people.player_of(token) == id  # it is the same password
    assert verify(house.store.path, KEYS.public).ok


def test_what_is_no_password_is_refused_in_words() -> None:
    for password, words in (
        ("short", "A password has 10 to 200 characters; that one has 5"),
        ("x" * 1_000, "that one has 1,000"),
        ("sue likes cards", "Your name is no part of a good password"),
        ("aaaaaaaaaaaab", "at least five different characters"),
    ):
        with pytest.raises(Refused, match=words):
            check_password(password, "Sue")
    check_password(SECRET, "Sue")


def test_nobody_comes_in_without_a_hash_or_with_another_password() -> None:
    assert is_password(HASHED.body, SECRET)
    assert not is_password(HASHED.body, SECRET + " ")
    assert not is_password(None, SECRET)
    assert not is_password("no hash", SECRET)
    assert Hashed(HASHED.body, passwords.parameters_of(HASHED.body)) == HASHED


def test_a_code_is_read_however_somebody_types_it() -> None:
    code = new_code()
    assert code_digest(code) == code_digest(code.lower().replace("-", " ")) == code_digest(code.replace("-", ""))
    assert code_digest("0" * 20) == code_digest("o" * 20) and code_digest("1" * 20) == code_digest("il" * 10)
    assert len({new_code() for _ in range(100)}) == 100


# A demonstration.


@pytest.mark.rule("F-13")
def test_a_person_of_a_demonstration_has_a_role_and_none_when_the_house_is_no_demonstration(
    house: House, clock: Clock
) -> None:
    id, token = house.staff.demonstrate(Role.MANAGER)
    assert house.people.player_of(token) == id
    assert house.administration.managers == frozenset()  # such a one does not count
    house.pause("money", "a test", by_person(id))
    with pytest.raises(Refused, match="has no password"):
        house.staff.set_password(id, HASHED)
    house = restarted(house, clock)
    house.staff.end_demonstration()
    assert house.people.player_of(token) is None
    assert house.staff.roles(id) == {Role.PLAYER}
    assert house.administration.staff == {}
    with pytest.raises(Refused, match="Resume is not for a player to do"):
        house.resume("money", by_person(id))
    events = [decode_event(HOUSE_STREAM, record.event) for record in house.store.read(HOUSE_STREAM)]
    assert len(events) == 2
    assert verify(house.store.path, KEYS.public).ok
    house.close()


@pytest.mark.rule("F-13")
def test_a_session_that_was_opened_by_a_player_ends_after_a_shift_when_they_work_here(
    house: House, clock: Clock
) -> None:
    player, token = house.people.guest()
    house.staff.give_roles(player, ["cashier"], "hired", PROGRAM)
    assert house.people.player_of(token) == player
    clock.now += SHIFT
    assert house.people.player_of(token) is None
