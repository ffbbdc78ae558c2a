"""Names that people choose: what may be one, which look alike, and that the journal knows none of them."""

from pathlib import Path

import pytest

from feltworks.floor import person
from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.names import LONGEST, chosen, looks
from feltworks.floor.people import SESSION, SOMEBODY
from feltworks.floor.person import identity_digest
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import person_stream
from feltworks.floor.verification.verify import verify
from tests.floor.sitting import one_for_the_money
from tests.floor.test_house import Clock
from tests.floor.test_people import forge, restarted

KEYS = Keys(bytes(32), bytes(range(32)))


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t  Lee ", "Ann Lee"),
        ("O’Brien", "O'Brien"),
        ("Jean-Luc P. 2", "Jean-Luc P. 2"),
        ("Ａｎｎ", "Ann"),
        ("Zoe\N{COMBINING DIAERESIS}", "Zoë"),
        ("Željko", "Željko"),
        ("Νίκος", "Νίκος"),
        ("山田", "山田"),
        ("Whitehouse", "Whitehouse"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_a_name_is_shown_as_it_was_typed_without_what_nobody_sees(typed: str, shown: str) -> None:
    assert chosen(typed) == shown


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "1 to 20 characters"),
        (" \t ", "1 to 20 characters"),
        ("x" * 21, "at most 20 characters; that one has 21"),
        pytest.param("x" * 1_000, "at most 20 characters; that one has 1,000", id="a thousand letters"),
        ("\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 5, "at most 20 characters"),
        ("Ann!", "letters, digits and spaces"),
        ("<b>Ann</b>", "letters, digits and spaces"),
        ("Ann\N{ZERO WIDTH SPACE}", "letters, digits and spaces"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}nnA", "letters, digits and spaces"),
        ("Ann\x00", "letters, digits and spaces"),
        ("\N{HANGUL FILLER}", "letters, digits and spaces"),
        ("Z\N{COMBINING GRAVE ACCENT}\N{COMBINING TILDE}a", "letters, digits and spaces"),
        ("ᎪᏁᏁ", "letters, digits and spaces"),
        ("\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}", "letters, digits and spaces"),
        ("...", "at least one letter"),
        ("777", "at least one letter"),
        ("Dealer", "somebody of the house"),
        ("the DEALER", "somebody of the house"),
        ("d.e.a.l.e.r", "somebody of the house"),
        ("Dealer 2", "somebody of the house"),
        ("Dea1er", "somebody of the house"),
        ("Dеаler", "somebody of the house"),
        ("Hоuse", "somebody of the house"),
        ("Supervisor", "somebody of the house"),
        ("Guest 7", "somebody of the house"),
        ("Somebody", "somebody of the house"),
    ],
)
def test_what_cannot_be_a_name_is_refused_in_words(typed: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        chosen(typed)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ann", "ann", True),
        ("Ann", "A n n", True),
        ("Ann", "Аnn", True),
        ("ANNA", "АΝΝА", True),
        ("Bill", "BiIl", True),
        ("Olga", "О1ga", True),
        ("Jose", "José", True),
        ("Mary", "Rnary", True),
        ("Νίκος", "ΝΊΚΟΣ", True),
        ("Ann", "Anna", False),
        ("Ann", "Ian", False),
        ("山田", "山本", False),
    ],
)
def test_two_names_look_alike_whatever_they_are_written_in(one: str, other: str, alike: bool) -> None:
    assert bool(looks(one) & looks(other)) is alike


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> House:
    house = House(Store(tmp_path / "records.db"), KEYS, clock)
    house.open_table(one_for_the_money())
    return house


@pytest.mark.rule("F-16")
def test_a_chosen_name_is_told_everywhere_and_stands_in_the_journal_as_a_digest_alone(
    house: House, clock: Clock
) -> None:
    player, token = house.people.guest()
    before = house.store.person(player)
    assert house.people.rename(player, " Ann  Lee ") == "Ann Lee"
    assert house.people.name(player) == house.people.known_name(player) == "Ann Lee"
    row = house.store.person(player)
    assert before is not None and row is not None
    assert row.salt != before.salt and row.joined == before.joined
    *_, last = house.store.read(person_stream(player))
    assert decode_event(last.stream, last.event) == person.Renamed(identity_digest(row.salt, "Ann Lee"))
    assert last.actor == str(by_person(player))
    recorded = b"".join(record.event for record in house.store.read(person_stream(player)))
    assert b"Ann" not in recorded
    assert verify(house.store.path, KEYS.public).ok
    house = restarted(house, clock)
    assert house.people.player_of(token) == player and house.people.known_name(player) == "Ann Lee"
    house.close()


def test_the_name_before_is_left_nowhere_in_the_file(house: House) -> None:
    player, _ = house.people.guest()
    house.people.rename(player, "Wilhelmina")
    house.people.rename(player, "Ann")
    house.close()
    assert b"Wilhelmina" not in house.store.path.read_bytes()


def test_nobody_takes_a_name_that_looks_like_another_persons(house: House, clock: Clock) -> None:
    (ann, _), (bea, _) = house.people.guest(), house.people.guest()
    house.people.rename(ann, "Ann")
    for name in ("Ann", "ANN", "Аnn", "A.n.n"):
        with pytest.raises(Refused, match="Somebody here has that name"):
            house.people.rename(bea, name)
    assert house.people.name(bea) == "Guest 2"
    house.people.rename(ann, "ANN")
    house = restarted(house, clock)
    with pytest.raises(Refused, match="Somebody here has that name"):
        house.people.rename(bea, "ann")
    house.people.rename(ann, "Cleo")
    house.people.rename(bea, "Ann")
    assert (house.people.name(ann), house.people.name(bea)) == ("Cleo", "Ann")
    assert verify(house.store.path, KEYS.public).ok
    house.close()


def test_two_who_choose_a_name_at_the_same_moment_do_not_both_get_it(house: House) -> None:
    (ann, _), (bea, _) = house.people.guest(), house.people.guest()
    with house.together():
        house.people.rename(ann, "Ann")
        with pytest.raises(Refused, match="Somebody here has that name"):
            house.people.rename(bea, "Ann")
        assert house.people.known_name(ann) == "Guest 1"
    assert (house.people.name(ann), house.people.name(bea)) == ("Ann", "Guest 2")
    house.close()


def test_a_name_is_free_again_when_its_owner_is_forgotten_or_cannot_come_back(house: House, clock: Clock) -> None:
    (ann, _), (bea, _) = house.people.guest(), house.people.guest()
    house.people.rename(ann, "Ann")
    house.people.rename(bea, "Bea")
    house.forget(ann, "asked for it")
    clock.now += SESSION - 1
    cleo, _ = house.people.guest()
    house.people.rename(cleo, "Ann")
    with pytest.raises(Refused):
        house.people.rename(cleo, "Bea")
    clock.now += 1
    house.people.rename(cleo, "Bea")
    assert house.people.name(ann) == SOMEBODY and house.people.name(cleo) == "Bea"
    assert verify(house.store.path, KEYS.public).ok
    house.close()


def test_only_the_person_renames_themselves_and_nobody_who_is_forgotten(house: House) -> None:
    (ann, _), (bea, _) = house.people.guest(), house.people.guest()
    for actor in (by_person(bea),):
        with pytest.raises(Refused, match="is not for"):
            house.carry_out(person_stream(ann), person.Rename("00"), actor)
    house.forget(ann, "asked for it")
    with pytest.raises(Refused, match="no such person"):
        house.people.rename(ann, "Ann")
    with pytest.raises(Refused, match="no such person"):
        house.people.rename("nobody", "Ann")
    with pytest.raises(Refused, match="no such person"):
        person.decide(None, "ann", person.Rename("00"), PROGRAM, 1)
    house.close()


def test_a_refused_name_changes_and_records_nothing(house: House) -> None:
    player, _ = house.people.guest()
    commits = house.store.last_commit()
    with pytest.raises(Refused):
        house.people.rename(player, "x" * 1_000)
    assert house.store.last_commit() == commits and house.people.name(player) == "Guest 1"
    house.close()


@pytest.mark.rule("F-16")
def test_a_chosen_name_that_was_changed_in_the_file_is_not_believed(house: House, clock: Clock) -> None:
    player, token = house.people.guest()
    house.people.rename(player, "Ann")
    house.close()
    forge(house.store.path, "UPDATE people SET name = 'The Owner'")
    again = House(Store(house.store.path), KEYS, clock)
    assert again.people.player_of(token) == player and again.people.known_name(player) == SOMEBODY
    again.close()
    assert verify(house.store.path, KEYS.public).problems == [f"The person {player} is not the one who joined."]
