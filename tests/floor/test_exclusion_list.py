"""The self-exclusion list: how a file is read, how people are matched, and how the list binds them."""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor import administration, person
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Book
from feltworks.floor.aggregates import decide
from feltworks.floor.exclusion.entry import Exclude, Excluded, ExclusionLifted, MatchDecided, Term
from feltworks.floor.exclusion.list_file import COLUMNS, LARGEST_FILE, ListFile, Row, read_list
from feltworks.floor.exclusion.matching import Details, Matcher, _is_within, row_digest, same_document, same_name
from feltworks.floor.house import House
from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.may_play import check_seat
from feltworks.floor.person import Person
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, States, person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.verification.verify import verify
from tests.floor.employing import employed
from tests.floor.sitting import one_for_the_money
from tests.floor.test_house import Clock, deal, events_of, seated
from tests.floor.test_people import forge

KEYS = Keys(bytes(32), bytes(range(32)))
TODAY = "2023-11-14"
HEADER = "name,date of birth,document number,from,until\n"
ADA = "Ada Quill,1980-12-31,WDL-123 456,2023-01-01,2033-01-01\n"
DAY = 86_400_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    house = House(Store(tmp_path / "records.db"), KEYS, clock)
    house.open_table(one_for_the_money())
    yield house
    house.store.close()


@pytest.fixture
def manager(house: House) -> Actor:
    return employed(house, Role.MANAGER)


def imported(house: House, text: str, actor: Actor) -> ListFile:
    file = house.exclusions.read(text.encode())
    house.exclusions.look_at(file)
    house.exclusions.confirm(file.digest, actor)
    return file


def told(house: House, name: str, born: str, document: str) -> str:
    """A guest who has said who they are."""
    player, _ = house.people.guest()
    house.exclusions.give_details(player, name, born, document, by_person(player))
    return player


def is_excluded(house: House, player: str) -> bool:
    known = house.people.person(player)
    assert known is not None
    return known.exclusions.are_in_force(house.clock())


def happened(house: House, stream: str) -> list[object]:
    return [decode_event(stream, record.event) for record in house.store.read(stream)]


# A file.


@pytest.mark.rule("F-15")
@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_list_is_read_with_commas_or_semicolons_and_with_or_without_a_byte_order_mark(
    separator: str, mark: str, end: str
) -> None:
    text = mark + (HEADER + ADA + 'José "Pepe" Núñez,1/31/1975,,2023-05-05,\n')
    text = text.replace('"Pepe"', "Pepe").replace(",", separator).replace("\n", end)
    file = read_list(text.encode(), TODAY)
    assert file.broken == ()
    assert file.rows == (
        Row("Ada Quill", "1980-12-31", "WDL-123 456", "2023-01-01", "2033-01-01"),
        Row("José Pepe Núñez", "1975-01-31", "", "2023-05-05"),
    )


def test_columns_stand_in_any_order_and_more_of_them_do_no_harm() -> None:
    text = (
        'From,Until,Remark,Document_Number,"Name",DATE OF BIRTH\n2023-01-01,,"by post, twice",X1,Ada Quill,1980-12-31\n'
    )
    assert read_list(text.encode(), TODAY).rows == (Row("Ada Quill", "1980-12-31", "X1", "2023-01-01"),)


BROKEN = {
    "Ada Quill,1980-12-31,X1,2023-01-01": "it has 4 fields, and the first line names 5.",
    ",1980-12-31,X1,2023-01-01,": "there is no name.",
    "1234,1980-12-31,X1,2023-01-01,": "there is no name.",
    "Ada Quill,,X1,2023-01-01,": "'date of birth' is empty; write it like 1980-12-31.",
    "Ada Quill,1980-02-30,X1,2023-01-01,": "'date of birth', 1980-02-30, is not a date; write it like 1980-12-31.",
    "Ada Quill,31.12.1980,X1,2023-01-01,": "'date of birth', '31.12.1980', is not a date; write it like 1980-12-31.",
    "Ada Quill,31/12/1980,X1,2023-01-01,": "'date of birth', 31/12/1980, is not a date; write it like 1980-12-31.",
    "Ada Quill,03/04/1980,X1,2023-01-01,": "'date of birth', 03/04/1980, could be two dates; write it like 1980-12-31.",
    "Ada Quill,1880-03-04,X1,2023-01-01,": "'date of birth', 1880-03-04, is not between 1900 and 2200.",
    "Ada Quill,2080-12-31,X1,2023-01-01,": "the date of birth, 2080-12-31, is in the future.",
    "Ada Quill,1980-12-31,X1,,": "'from' is empty; write it like 1980-12-31.",
    "Ada Quill,1980-12-31,X1,soon,": "'from', 'soon', is not a date; write it like 1980-12-31.",
    "Ada Quill,1980-12-31,X1,2023-01-01,never": "'until', 'never', is not a date; write it like 1980-12-31.",
    "Ada Quill,1980-12-31,X1,2023-01-01,2023-01-01": "it would end on 2023-01-01, which is not after 2023-01-01.",
    '"Ada Quill,1980-12-31,X1,2023-01-01,': "its quotation marks do not pair up.",
    f"Ada {'Q' * 200},1980-12-31,X1,2023-01-01,": "a field has more than 200 characters.",
}


@pytest.mark.rule("F-15")
@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_is_named_with_its_number_and_reason_and_the_others_are_read(line: str) -> None:
    file = read_list(f"{HEADER}{ADA}\n{line}\nBea Moss,1975-01-31,X2,2023-01-01,\n".encode(), TODAY)
    assert [str(broken) for broken in file.broken] == [f"Line 4: {BROKEN[line]}"]
    assert [row.name for row in file.rows] == ["Ada Quill", "Bea Moss"]


@pytest.mark.rule("F-15")
def test_every_broken_line_of_a_file_is_named() -> None:
    file = read_list((HEADER + "\n".join(BROKEN)).encode(), TODAY)
    assert [str(broken) for broken in file.broken] == [f"Line {n}: {why}" for n, why in enumerate(BROKEN.values(), 2)]
    assert file.rows == ()


def test_a_line_that_says_the_same_as_another_is_named() -> None:
    file = read_list((HEADER + ADA + ADA).encode(), TODAY)
    assert [str(broken) for broken in file.broken] == ["Line 3: it says the same as line 2."]


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "The file is empty; its first line names the columns"),
        (b"\n\n ,;\n", "The file is empty"),
        (ADA.encode(), "missing: name, date of birth"),
        (b"name,from\n", "missing: date of birth, document number, until"),
        (b'"name,from\n', "first line, which names the columns, cannot be read: its quotation marks"),
        (HEADER.replace("\n", ",name\n").encode(), "names a column twice"),
        (HEADER.encode() + "Zoë".encode("latin-1"), "Line 2 of the file is not in UTF-8; save it as CSV in UTF-8"),
        (HEADER.encode("utf-16"), "not in UTF-8"),
        (HEADER.encode() + b"A\0", "bytes that are no text"),
        (b"x" * (LARGEST_FILE + 1), "at most 1,000,000 can be imported"),
    ],
)
def test_a_file_that_is_no_list_is_refused_in_words(data: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said):
        read_list(data, TODAY)


@given(st.binary(max_size=200))
def test_whatever_bytes_a_file_holds_it_is_read_or_refused(data: bytes) -> None:
    for whole in (data, HEADER.encode() + data):
        with suppress(Refused):
            assert len(read_list(whole, TODAY).rows) <= len(whole)


# Matching.


@pytest.mark.rule("F-15")
@given(st.text(max_size=30))
def test_a_name_that_was_made_comparable_stays_as_it_is(text: str) -> None:
    assert same_name(same_name(text)) == same_name(text)
    assert same_document(same_document(text)) == same_document(text)


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José Núñez", "JOSE NUNEZ"),
        ("Anne-Marie O'Hara", "anne marie ohara"),
        ("Straße", "STRASSE"),
        ("Ａｄａ  Quill", "Ada Quill"),
        ("Ngô Đình", "ngo đinh"),
    ],
)
def test_names_are_compared_without_capitals_accents_and_punctuation(one: str, other: str) -> None:
    assert same_name(one) == same_name(other)


@pytest.mark.rule("F-15")
@given(st.text("ab", max_size=9), st.text("ab", max_size=9), st.integers(0, 2))
def test_names_are_alike_that_differ_in_a_letter_or_two(one: str, other: str, most: int) -> None:
    """Against the textbook's way, which compares every letter with every other."""
    before = list(range(len(other) + 1))
    for n, a in enumerate(one, 1):
        now = [n]
        for m, b in enumerate(other, 1):
            now.append(min(before[m] + 1, now[-1] + 1, before[m - 1] + (a != b)))
        before = now
    assert _is_within(most, one, other) == (before[-1] <= most)


def steps_of(work: Callable[[], object]) -> int:
    """How many lines of the program something takes."""
    count, before = 0, sys.gettrace()

    def trace(_frame: FrameType, _event: str, _arg: object) -> Any:
        nonlocal count
        count += 1
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.rule("F-15")
def test_a_list_of_long_names_and_documents_does_not_hold_the_house_up() -> None:
    """While somebody is compared with a list nobody plays, and some thousand such entries could take minutes."""
    rows = [
        Row(f"{n} {'xy' * 70}{n:04}{'z' * 40}", "1980-03-04", f"{n:04}{'d' * 190}", "2023-01-01") for n in range(200)
    ]
    matcher = Matcher(rows)
    assert sum(map(len, matcher._similar)) < 500 * len(rows)
    details = Details(f"b {'yx' * 70}{'z' * 44}", "1980-03-04", "D" * 194)
    assert steps_of(lambda: matcher.matches(details)) < 500 * len(rows)
    assert [match.row for match in matcher.matches(Details("Ada Quill", "1960-01-01", rows[7].document))] == [rows[7]]


def test_the_order_of_names_is_as_given() -> None:
    assert same_name("Quill Ada") != same_name("Ada Quill")


LISTED = Row("Ada Maria Quill", "1980-03-04", "WDL123456", "2023-01-01")


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("name", "born", "document"),
    [("Somebody Else", "1960-01-01", "wdl 123-456"), ("ada maria QUILL", "1980-03-04", "X9")],
)
def test_the_same_document_or_the_same_name_and_birthday_is_an_exact_match(name: str, born: str, document: str) -> None:
    (match,) = Matcher([LISTED]).matches(Details(name, born, document))
    assert match.exact and match.row == LISTED


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("name", "born", "document", "why"),
    [
        ("Ada Quill", "1980-03-04", "X9", "similar name"),
        ("Quill Ada Maria", "1980-03-04", "X9", "similar name"),
        ("Ada Maria Quil", "1980-03-04", "X9", "similar name"),
        ("Adamaria Quill", "1980-03-04", "X9", "similar name"),
        ("Ada Maria Quill", "1980-04-03", "X9", "day and month the other way round"),
        ("Bea Moss", "1960-01-01", "WDL123457", "differs in one character"),
        ("Bea Moss", "1960-01-01", "WDL12345", "differs in one character"),
        ("Bea Moss", "1960-01-01", "WDL1234560", "differs in one character"),
        ("Bea Moss", "1960-01-01", "WDL123465", "differs in one character"),
    ],
)
def test_what_is_like_an_entry_is_a_near_match_and_says_why(name: str, born: str, document: str, why: str) -> None:
    (match,) = Matcher([LISTED]).matches(Details(name, born, document))
    assert not match.exact and why in match.why


@pytest.mark.parametrize(
    ("name", "born", "document"),
    [
        ("Bea Moss", "1980-03-04", "X9"),
        ("Ada Maria Quill", "1981-03-04", "X9"),
        ("Bea Moss", "1960-01-01", "WDL123478"),
        ("Bea Moss", "1960-01-01", "WDL1234"),
        ("Bea Moss", "1960-01-01", ""),
    ],
)
def test_what_only_shares_a_birthday_a_name_or_most_of_a_number_is_no_match(
    name: str, born: str, document: str
) -> None:
    assert Matcher([LISTED]).matches(Details(name, born, document)) == []


def test_entries_without_a_document_number_do_not_match_each_other_by_that() -> None:
    assert Matcher([Row("Ada Quill", "1980-03-04", "", "2023-01-01")]).matches(Details("Bea Moss", "1960-01-01")) == []


@pytest.mark.rule("F-15")
def test_an_entry_is_in_force_from_the_first_place_where_its_day_begins_to_the_last_where_it_ends() -> None:
    term, midnight = Term("2023-11-14", "2023-11-20"), 1_699_920_000_000
    assert not term.is_in_force(midnight - 14 * 3_600_000 - 1)
    assert term.is_in_force(midnight - 14 * 3_600_000)
    assert term.is_in_force(midnight + 6 * DAY + 12 * 3_600_000 - 1)
    assert not term.is_in_force(midnight + 6 * DAY + 12 * 3_600_000)
    assert Term("2023-11-14").is_in_force(midnight + 40_000 * DAY)


# The list of a house.


@pytest.mark.rule("F-15")
def test_a_list_is_imported_only_after_the_same_file_was_looked_at_and_confirmed(house: House, manager: Actor) -> None:
    file = house.exclusions.read((HEADER + ADA + "broken\n").encode())
    with pytest.raises(Refused, match="Nobody has looked at that file"):
        house.exclusions.confirm(file.digest, manager)
    house.exclusions.look_at(file)
    before = house.store.last_commit()
    with pytest.raises(Refused, match="Nobody has looked at that file"):
        house.exclusions.confirm("00" * 32, manager)
    assert house.store.last_commit() == before
    assert house.exclusions.confirm(file.digest, manager) == 1
    known = house.administration.exclusions
    assert known is not None and (known.rows, known.broken, known.imported) == (1, 1, house.clock())
    assert verify(house.store.path, KEYS.public).ok


def test_a_file_without_a_line_that_can_be_read_is_not_imported(house: House, manager: Actor) -> None:
    file = house.exclusions.read((HEADER + "broken\n").encode())
    house.exclusions.look_at(file)
    with pytest.raises(Refused, match="No line of that file can be read"):
        house.exclusions.confirm(file.digest, manager)


@pytest.mark.rule("F-13", "F-15")
@pytest.mark.parametrize("role", [Role.DEALER, Role.CASHIER, Role.SUPERVISOR, Role.AUDITOR])
def test_who_may_not_imports_no_list(house: House, role: Role) -> None:
    with pytest.raises(Refused, match="is not for"):
        imported(house, HEADER + ADA, employed(house, role))
    assert house.administration.exclusions is None and house.store.kept(HOUSE_STREAM, "exclusions") is None


@pytest.mark.rule("F-15")
def test_a_listed_person_gets_no_seat_and_buys_nothing_in_and_the_attempt_is_recorded(
    house: House, manager: Actor, clock: Clock
) -> None:
    player = told(house, "Ada Quill", "1980-12-31", "X9999")
    imported(house, HEADER + ADA, manager)
    with pytest.raises(Refused, match=r"list of those who have excluded themselves from play\. Ask a manager"):
        house.command("money", player, cmd.Sit(1))
    assert happened(house, HOUSE_STREAM)[-1] == administration.BreachNoted(player, "money")
    with pytest.raises(Refused, match="buys nothing in"):
        house.book(Book("buy-in", "cage cash", f"player:{player}", 5_000, "at the cage"), PROGRAM)
    assert happened(house, HOUSE_STREAM)[-1] == administration.BreachNoted(player, "")
    with pytest.raises(Refused, match="excluded themselves"):
        house.command("money", player, cmd.Sit(1), "again")
    assert len(house.administration.breaches) == 2
    clock.now += 60_000
    with pytest.raises(Refused, match="excluded themselves"):
        house.command("money", player, cmd.Sit(1), "later")
    times = [breach.time for breach in house.administration.breaches if breach.table]
    assert times == [clock.now, clock.now - 60_000]
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_two_people_who_sign_sell_nothing_to_a_listed_person_whatever_they_call_it_and_the_attempt_is_recorded(
    house: House, manager: Actor
) -> None:
    player, cashier = told(house, "Ada Quill", "1980-12-31", "X9999"), employed(house, Role.CASHIER)
    bought = [Book(kind, "house", f"player:{player}", 5_000, "at the cage") for kind in ("buy-in", "play-money grant")]
    proposed = house.staff.propose(HOUSE_STREAM, bought[0], manager)
    imported(house, HEADER + ADA, manager)
    before = house.balance(player)
    with pytest.raises(Refused, match="buys nothing in"):
        house.staff.sign(proposed, cashier)
    assert happened(house, HOUSE_STREAM)[-1] == administration.BreachNoted(player, "")
    for booking in bought:
        with pytest.raises(Refused, match="buys nothing in"):
            house.staff.propose(HOUSE_STREAM, booking, cashier)
    assert house.balance(player) == before and list(house.administration.waiting) == [proposed]


@pytest.mark.rule("F-15")
def test_who_sits_already_when_a_list_names_them_plays_on_what_is_in_action_and_then_loses_the_seat(
    house: House, manager: Actor, clock: Clock
) -> None:
    player = seated(house, "money", clock)
    house.exclusions.give_details(player, "Ada Quill", "1980-12-31", "X9999", by_person(player))
    house.command("money", player, cmd.Place("ante", 1_000))
    house.command("money", player, cmd.Ready())
    deal(house, "money", clock)
    imported(house, HEADER + ADA, manager)
    with pytest.raises(Refused, match="What is in action plays on"):
        house.command("money", player, cmd.Choose("raise"))
    house.command("money", player, cmd.Choose("check"))
    deal(house, "money", clock)
    assert house.table("money").seat_of(player) is None
    assert [event for event in events_of(house, "money") if isinstance(event, ev.Left)] == [
        ev.Left(2, "seat taken back")
    ]
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_who_gives_details_that_are_on_the_list_is_excluded_at_once_and_changing_them_does_not_help(
    house: House, manager: Actor, clock: Clock
) -> None:
    imported(house, HEADER + ADA, manager)
    player = seated(house, "money", clock)
    house.exclusions.give_details(player, "Nobody Known", "1950-05-05", "wdl123456", by_person(player))
    assert is_excluded(house, player) and house.table("money").seat_of(player) is None
    house.exclusions.give_details(player, "Nobody Known", "1950-05-05", "A7777", by_person(player))
    assert is_excluded(house, player)


@pytest.mark.rule("F-15")
def test_who_was_excluded_by_a_mistake_in_their_details_plays_again_when_somebody_has_decided_so(
    house: House, manager: Actor
) -> None:
    """Bea's document was entered with the number of somebody on the list. No new list has to come for her."""
    cashier, security = employed(house, Role.CASHIER), employed(house, Role.SECURITY)
    imported(house, HEADER + ADA, manager)
    bea = told(house, "Bea Moss", "1975-01-31", "WDL123456")
    house.exclusions.give_details(bea, "Bea Moss", "1975-01-31", "WDL777777", cashier)
    (match,) = house.exclusions.matches()
    assert (match.person, match.row.name, match.decided, match.excluded) == (bea, "Ada Quill", None, True)
    assert match.waits and house.exclusions.undecided == 1 and is_excluded(house, bea)
    house.exclusions.decide(bea, match.entry, False, security)
    assert not is_excluded(house, bea) and house.exclusions.undecided == 0
    house.command("money", bea, cmd.Sit(1))
    assert house.exclusions.matches() == []
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("name", "born", "document"),
    [("Ada Quil", "1980-12-31", "A7777"), ("Bea Moss", "1975-01-31", "B1111"), ("Bea Moss", "1975-01-31", "WDL123457")],
)
def test_nobody_comes_off_the_list_by_changing_their_own_details_however_much(
    house: House, manager: Actor, clock: Clock, name: str, born: str, document: str
) -> None:
    imported(house, HEADER + ADA, manager)
    ada = told(house, "Ada Quill", "1980-12-31", "WDL123456")
    house.exclusions.give_details(ada, name, born, document, by_person(ada))
    (match,) = house.exclusions.matches()
    assert match.waits and match.excluded and is_excluded(house, ada)
    with pytest.raises(Refused, match="is not for a player to do"):
        house.exclusions.decide(ada, match.entry, False, by_person(ada))
    with pytest.raises(Refused, match="excluded themselves"):
        house.command("money", ada, cmd.Sit(1))
    house.exclusions.decide(ada, match.entry, True, manager)
    assert is_excluded(house, ada) and house.exclusions.undecided == 0
    house.exclusions.give_details(ada, "Zoe Lark", "1999-09-09", "Z9999", by_person(ada))
    assert is_excluded(house, ada) and house.exclusions.undecided == 1
    house.close()
    with Store(house.store.path) as store:
        again = House(store, KEYS, clock)
        (match,) = again.exclusions.matches()
        assert match.waits and match.excluded and again.exclusions.undecided == 1


@pytest.mark.rule("F-15")
def test_an_entry_that_comes_again_with_another_term_binds_whom_it_bound_whatever_they_call_themselves_now(
    house: House, manager: Actor
) -> None:
    imported(house, HEADER + ADA, manager)
    ada = told(house, "Ada Quill", "1980-12-31", "WDL123456")
    house.exclusions.give_details(ada, "Zoe Lark", "1999-09-09", "Z9999", by_person(ada))
    imported(house, HEADER + ADA.replace("2033", "2043"), manager)
    known = house.people.person(ada)
    assert known is not None and [term.until for term in known.exclusions.terms.values()] == ["2043-01-01"]
    assert [(match.excluded, match.waits) for match in house.exclusions.matches()] == [(True, True)]
    imported(house, HEADER + "Bea Moss,1975-01-31,X2,2023-01-01,\n", manager)
    assert not is_excluded(house, ada) and house.exclusions.matches() == []
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-13", "F-15")
def test_nobody_of_the_house_decides_whether_they_are_on_the_list_themselves(house: House, manager: Actor) -> None:
    imported(house, HEADER + ADA, manager)
    player = told(house, "Ada Quill", "1980-12-31", "X9999")
    house.staff.give_roles(player, ["security"], "hired", manager)
    (match,) = house.exclusions.matches()
    with pytest.raises(Refused, match="That is about yourself; somebody else of the house has to decide it"):
        house.exclusions.decide(player, match.entry, False, by_person(player))
    assert is_excluded(house, player)


@pytest.mark.rule("F-15")
def test_an_entry_binds_from_its_first_day_to_its_last_also_when_somebody_sits_there(
    house: House, manager: Actor, clock: Clock
) -> None:
    player = seated(house, "money", clock)
    house.exclusions.give_details(player, "Ada Quill", "1980-12-31", "X9999", by_person(player))
    imported(house, HEADER + "Ada Quill,1980-12-31,,2023-11-17,2023-12-01\n", manager)
    assert not is_excluded(house, player) and house.table("money").seat_of(player) == 2
    clock.now += 3 * DAY
    house.check_clock()
    assert is_excluded(house, player) and house.table("money").seat_of(player) is None
    clock.now += 20 * DAY
    house.command("money", player, cmd.Sit(2))
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_a_new_list_takes_the_place_of_the_one_before_it_and_what_was_decided_stands(
    house: House, manager: Actor
) -> None:
    security = employed(house, Role.SECURITY)
    ada, bea = told(house, "Ada Quill", "1980-12-31", "X9999"), told(house, "Bea Moss", "1975-01-31", "B1111")
    near = "Bea Mosse,1975-01-31,,2023-01-01,\n"
    imported(house, HEADER + ADA + near, manager)
    (match,) = [match for match in house.exclusions.matches() if not match.exact]
    house.exclusions.decide(bea, match.entry, False, security)
    imported(house, HEADER + near, security)
    assert not is_excluded(house, ada) and not is_excluded(house, bea)
    assert any(isinstance(event, ExclusionLifted) for event in happened(house, person_stream(ada)))
    assert [match.decided for match in house.exclusions.matches()] == [False]
    assert len(house.store.all_kept("exclusions")) == 1
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_a_near_match_binds_nobody_until_somebody_decides_and_then_as_decided(house: House, manager: Actor) -> None:
    imported(house, HEADER + ADA, manager)
    player = told(house, "Ada Quil", "1980-12-31", "X9999")
    assert not is_excluded(house, player)
    house.command("money", player, cmd.Sit(1))
    (match,) = house.exclusions.matches()
    assert (match.person, match.exact, match.decided) == (player, False, None)
    with pytest.raises(Refused, match="is not for"):
        house.exclusions.decide(player, match.entry, True, employed(house, Role.DEALER))
    house.exclusions.decide(player, match.entry, True, manager)
    assert is_excluded(house, player) and house.table("money").seat_of(player) is None
    assert happened(house, person_stream(player))[-2:] == [
        MatchDecided(match.entry, same=True),
        Excluded(house.administration.exclusions.list, match.entry, "2023-01-01", "2033-01-01"),  # type: ignore[union-attr]
    ]
    house.exclusions.decide(player, match.entry, False, manager)
    assert not is_excluded(house, player)
    with pytest.raises(Refused, match="no such match any more"):
        house.exclusions.decide(player, "00" * 32, True, manager)
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_two_people_of_one_name_and_birthday_are_told_apart_by_a_decision_until_the_details_change(
    house: House, manager: Actor
) -> None:
    imported(house, HEADER + ADA, manager)
    player = told(house, "Ada Quill", "1980-12-31", "X9999")
    (match,) = house.exclusions.matches()
    house.exclusions.decide(player, match.entry, False, manager)
    assert not is_excluded(house, player)
    imported(house, HEADER + ADA + "Bea Moss,1975-01-31,X2,2023-01-01,\n", manager)
    assert not is_excluded(house, player)
    house.exclusions.give_details(player, "Ada Quill", "1980-12-31", "WDL123456", by_person(player))
    assert is_excluded(house, player)


@pytest.mark.rule("F-15")
def test_a_list_can_be_removed_by_a_manager_with_a_reason_and_nothing_of_it_is_left(
    house: House, manager: Actor, clock: Clock
) -> None:
    player = told(house, "Ada Quill", "1980-12-31", "X9999")
    imported(house, HEADER + ADA, manager)
    with pytest.raises(Refused, match="Give the reason"):
        house.exclusions.remove(" ", manager)
    with pytest.raises(Refused, match="is not for"):
        house.exclusions.remove("by mistake", employed(house, Role.SECURITY))
    house.exclusions.remove("the wrong file", manager)
    assert not is_excluded(house, player) and house.exclusions.matches() == []
    with pytest.raises(Refused, match="There is no self-exclusion list"):
        house.exclusions.remove("again", manager)
    house.command("money", player, cmd.Sit(1))
    house.close()
    files = b"".join(file.read_bytes() for file in house.store.path.parent.glob("records.db*"))
    assert b"WDL-123" not in files
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15", "F-16")
def test_nobody_on_the_list_and_no_details_stand_in_any_byte_of_the_journal(house: House, manager: Actor) -> None:
    told(house, "Bea Moss", "1975-01-31", "B-11117")
    imported(house, HEADER + ADA, manager)
    house.journal.save()
    secrets = [b"Quill", b"WDL", b"1980-12-31", b"Moss", b"11117", b"1975-01-31"]
    tables = [name for (name,) in house.store.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found = set()
    for table in tables:
        for row in house.store.connection.execute(f"SELECT * FROM {table}"):
            for value in row:
                data = value if isinstance(value, bytes) else str(value).encode()
                found |= {table for secret in secrets if secret in data}
    assert found == {"kept"}


def test_the_digest_of_an_entry_tells_nothing_without_its_salt() -> None:
    assert row_digest(b"\1" * 16, LISTED) != row_digest(b"\2" * 16, LISTED)


@pytest.mark.rule("F-15", "F-16")
def test_a_list_that_somebody_has_changed_in_the_file_is_found_and_not_believed(house: House, manager: Actor) -> None:
    imported(house, HEADER + ADA, manager)
    house.close()
    path = house.store.path
    forge(path, "UPDATE kept SET body = replace(body, 'Quill', 'Quell') WHERE what = 'exclusions'")
    assert verify(path, KEYS.public).problems == ["The exclusions of house is not what was recorded."]
    with Store(path) as store:
        again = House(store, KEYS, house.clock)
        with pytest.raises(BrokenRecords, match="is not what was imported; import it again"):
            again.exclusions.matches()
    forge(path, "DELETE FROM kept WHERE what = 'exclusions'")
    assert verify(path, KEYS.public).problems == ["The exclusions of house is missing."]


@pytest.mark.rule("F-15", "F-17")
def test_a_house_that_starts_again_knows_its_list_the_details_and_who_is_excluded(
    house: House, manager: Actor, clock: Clock
) -> None:
    player = told(house, "Ada Quill", "1980-12-31", "X9999")
    other = told(house, "Ada Quil", "1980-12-31", "X8888")
    imported(house, HEADER + ADA, manager)
    before = house.exclusions.matches()
    house.close()
    with Store(house.store.path) as store:
        again = House(store, KEYS, clock)
        assert again.exclusions.matches() == before and len(before) == 2
        assert is_excluded(again, player) and not is_excluded(again, other)
        assert again.exclusions.details(player) == Details("Ada Quill", "1980-12-31", "X9999")
        again.exclusions.give_details(other, "Ada Quill", "1980-12-31", "X8888", by_person(other))
        assert is_excluded(again, other)


def test_details_that_are_given_in_the_moment_of_an_import_are_matched(house: House, manager: Actor) -> None:
    player, _ = house.people.guest()
    file = house.exclusions.read((HEADER + ADA).encode())
    house.exclusions.look_at(file)
    with house.together():
        house.exclusions.give_details(player, "Ada Quill", "1980-12-31", "X9999", by_person(player))
        house.exclusions.confirm(file.digest, manager)
    assert is_excluded(house, player)
    assert verify(house.store.path, KEYS.public).ok


# Details.


@pytest.mark.rule("F-15")
@pytest.mark.parametrize(
    ("name", "born", "document", "said"),
    [
        ("Ada", "1980-12-31", "X9999", "full name as it stands on the document"),
        ("", "1980-12-31", "X9999", "full name"),
        ("A " * 150, "1980-12-31", "X9999", "full name"),
        ("Ada Quill", "31.12.1980", "X9999", "date of birth as 1980-12-31"),
        ("Ada Quill", "", "X9999", "date of birth as 1980-12-31"),
        ("Ada Quill", "2080-12-31", "X9999", "2080-12-31 cannot be a date of birth"),
        ("Ada Quill", "1880-12-31", "X9999", "1880-12-31 cannot be a date of birth"),
        ("Ada Quill", "1980-12-31", "- -", "number of the document, at least four"),
    ],
)
def test_details_that_cannot_be_are_refused_in_words(
    house: House, name: str, born: str, document: str, said: str
) -> None:
    player, _ = house.people.guest()
    before = house.store.last_commit()
    with pytest.raises(Refused, match=said):
        house.exclusions.give_details(player, name, born, document, by_person(player))
    assert house.store.last_commit() == before


@pytest.mark.rule("F-13", "F-15")
def test_details_are_given_by_the_person_or_at_the_cage_and_by_nobody_else(house: House) -> None:
    player, other = house.people.guest()[0], house.people.guest()[0]
    with pytest.raises(Refused, match="is not for"):
        house.exclusions.give_details(player, "Ada Quill", "1980-12-31", "X9999", by_person(other))
    house.exclusions.give_details(player, "Ada Quill", "1980-12-31", "X9999", employed(house, Role.CASHIER))
    assert house.exclusions.details(player) == Details("Ada Quill", "1980-12-31", "X9999")


@pytest.mark.rule("F-15")
def test_a_card_room_has_to_know_its_players_and_a_training_table_does_not_ask(house: House) -> None:
    guest, known = Person("ann", "00"), Person("bea", "00", kept={person.DETAILS: "00"})
    for venue in ("card room", "tribal casino"):
        settings = one_for_the_money(venue=venue)
        with pytest.raises(Refused, match=f"At a {venue} the house has to know you: give your full name"):
            check_seat(guest, settings, 0)
        check_seat(known, settings, 0)
    check_seat(guest, one_for_the_money(), 0)
    check_seat(Person("robot-1", "00", robot=True), one_for_the_money(venue="card room"), 0)


def test_a_breach_is_noted_only_of_who_is_on_the_list(house: House) -> None:
    player, _ = house.people.guest()
    with pytest.raises(Refused, match="is not on the self-exclusion list"):
        house.carry_out(HOUSE_STREAM, administration.NoteBreach(player, "money"), PROGRAM)


def test_an_exclusion_has_days_that_can_be(house: House) -> None:
    states = States(lambda _: Person("ann", "00"), lambda _: 0)
    for since, until in (("", ""), ("soon", ""), ("2023-01-01", "2023-01-01"), ("2023-01-01", "later")):
        with pytest.raises(Refused, match="begins on a day such as 2026-01-31"):
            decide(states, person_stream("ann"), Exclude("one", "00", since, until), PROGRAM, 0)


def test_every_column_is_named_in_the_header() -> None:
    assert ",".join(COLUMNS) == HEADER.strip()


# What is left of somebody, and of a list.


@pytest.mark.rule("F-15")
def test_a_list_that_is_imported_in_the_moment_in_which_the_one_before_is_removed_is_kept(
    house: House, manager: Actor
) -> None:
    """What two people ask for at once may be written together."""
    imported(house, HEADER + ADA, manager)
    with house.together():
        house.exclusions.remove("an old one", manager)
        imported(house, HEADER + ADA, manager)
    house.exclusions._list = None  # as after a start
    current = house.exclusions.current()
    assert current is not None and len(current.rows) == 1
    assert verify(house.store.path, KEYS.public).ok
    with house.together():
        imported(house, HEADER + ADA, manager)
        house.exclusions.remove("not that one either", manager)
    assert house.store.all_kept() == []
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.rule("F-15")
def test_who_is_forgotten_is_left_in_no_file_of_a_house_that_goes_on_and_not_in_its_memory(
    house: House, manager: Actor
) -> None:
    imported(house, HEADER + ADA, manager)
    player = told(house, "Ada Quilt", "1980-12-31", "DOC-98765")
    house.people.rename(player, "Zaphodina")
    assert house.exclusions.undecided == 1
    house.forget(player, "asked for it", manager)
    files = b"".join(file.read_bytes() for file in house.store.path.parent.glob("records.db*"))
    assert not [word for word in (b"Ada Quilt", b"DOC-98765", b"Zaphodina") if word in files]
    assert "Quilt" not in repr(vars(house.exclusions))
    assert house.exclusions.undecided == 0


@pytest.mark.rule("F-15")
def test_a_list_that_was_removed_is_left_in_no_file_as_soon_as_nobody_reads_from_the_log(
    house: House, manager: Actor
) -> None:
    imported(house, HEADER + ADA, manager)

    def is_left() -> bool:
        return any(b"Ada Quill" in file.read_bytes() for file in house.store.path.parent.glob("records.db*"))

    with Reader(house.store.path) as reader, reader.frozen():
        assert reader.last_commit()
        house.exclusions.remove("an old one", manager)
        assert is_left()
    house.people.guest()
    assert not is_left()
