"""Two signatures are those of two people: not of a manager and an account that the manager has just let itself into
(F-13)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.passwords import Hashed
from feltworks.floor.person import GiveCode
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.signers import IN_HAND
from feltworks.floor.streams import HOUSE_STREAM, person_stream
from feltworks.floor.verification.verify import verify
from tests.floor.employing import employed
from tests.floor.test_signatures import KEYS, Pit

SECRET = Hashed("$argon2id$a test", "a test")
REFUSED = "Within the last 24 hours one of you has chosen a password with a code from the other"


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    pit = Pit(tmp_path / "records.db")
    yield pit
    pit.house.store.close()


def let_in(pit: Pit, who: Actor, by: Actor) -> None:
    """Somebody chooses a password with a code; who types it, nobody knows."""
    pit.house.staff.set_password(who.id, SECRET, pit.house.staff.give_code(who.id, by))


def added(pit: Pit, name: str, role: Role, by: Actor) -> Actor:
    id, code = pit.house.staff.add(name, [role.value], by)
    pit.house.staff.set_password(id, SECRET, code)
    return by_person(id)


def is_refused(pit: Pit, first: Actor, second: Actor) -> bool:
    action = pit.propose(first)
    try:
        with pytest.raises(Refused, match=REFUSED):
            pit.house.staff.sign(action, second)
    except pytest.fail.Exception:
        return False
    assert pit.waiting == [action]
    pit.house.staff.withdraw(action, "a test", first)
    return True


@pytest.mark.rule("F-13")
def test_a_manager_who_resets_a_password_does_not_sign_with_that_account_in_either_order_for_a_day(pit: Pit) -> None:
    let_in(pit, pit.sue, pit.max)
    assert is_refused(pit, pit.sue, pit.max)
    assert is_refused(pit, pit.max, pit.sue)
    pit.clock.now += IN_HAND - 1
    assert is_refused(pit, pit.sue, pit.max)
    assert verify(pit.house.store.path, KEYS.public).ok
    pit.clock.now += 1
    assert not is_refused(pit, pit.max, pit.sue)
    assert verify(pit.house.store.path, KEYS.public).ok


@pytest.mark.rule("F-13")
def test_a_person_whom_a_manager_has_added_is_in_that_hand_for_a_day_and_two_of_them_are_too(pit: Pit) -> None:
    new = added(pit, "Una", Role.SUPERVISOR, pit.max)
    other = added(pit, "Vic", Role.MANAGER, pit.max)
    assert is_refused(pit, new, pit.max) and is_refused(pit, new, other) and is_refused(pit, other, new)
    assert is_refused(pit, pit.sue, other) is False  # who were let in by nobody in common


@pytest.mark.rule("F-13")
def test_a_hand_goes_through_those_whom_it_has_let_in(pit: Pit) -> None:
    """Max adds a manager, and as that one resets Sue's password."""
    other = added(pit, "Vic", Role.MANAGER, pit.max)
    let_in(pit, pit.sue, other)
    assert is_refused(pit, pit.sue, pit.max)


@pytest.mark.rule("F-13")
def test_choosing_another_password_or_restarting_the_house_does_not_shorten_the_day(pit: Pit) -> None:
    let_in(pit, pit.sue, pit.max)
    pit.house.staff.set_password(pit.sue.id, SECRET)
    pit.restart()
    assert is_refused(pit, pit.sue, pit.max)


@pytest.mark.rule("F-13")
def test_a_code_counts_from_the_moment_in_which_it_is_used(pit: Pit) -> None:
    code = pit.house.staff.give_code(pit.sue.id, pit.max)
    pit.clock.now += IN_HAND + 1
    pit.house.staff.set_password(pit.sue.id, SECRET, code)
    assert is_refused(pit, pit.sue, pit.max)


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("how", ["another manager", "the machine", "a code that nobody used", "a code that ran out"])
def test_who_was_let_in_by_somebody_else_signs_at_once(pit: Pit, how: str) -> None:
    """So a house with one manager goes on: its people sign together from the next day on, and whoever has to sign today
    gets the code from the machine, with `felt people code`."""
    match how:
        case "another manager":
            let_in(pit, pit.sue, employed(pit.house, Role.MANAGER))
        case "the machine":
            let_in(pit, pit.sue, pit.max)
            let_in(pit, pit.sue, PROGRAM)
        case "a code that nobody used":
            pit.house.staff.give_code(pit.sue.id, pit.max)
        case _:
            pit.house.staff.give_code(pit.sue.id, pit.max)
            pit.clock.now += 10 * IN_HAND
            pit.house.staff.set_password(pit.sue.id, SECRET)
    assert not is_refused(pit, pit.sue, pit.max)


@pytest.mark.rule("F-13", "F-16")
def test_the_record_names_who_gave_a_code_and_nobody_gives_one_in_the_name_of_another(pit: Pit) -> None:
    pit.house.staff.give_code(pit.sue.id, pit.max)
    assert getattr(pit.last(person_stream(pit.sue.id)), "by") == pit.max.id  # noqa: B009
    other = employed(pit.house, Role.MANAGER)
    for actor in (pit.max, PROGRAM):
        with pytest.raises(Refused, match="Nobody gives a code in the name of another"):
            pit.house.carry_out(person_stream(pit.sue.id), GiveCode("00", 10**15, other.id), actor)
    assert pit.house.administration.waiting == {} and pit.last(HOUSE_STREAM) is not None
