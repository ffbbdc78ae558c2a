"""People: they join, open sessions and end them, and can be forgotten; the journal knows nobody's name."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from feltworks.floor import person
from feltworks.floor.accounts import HOUSE, Entry, Kind, player_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Book
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.people import GRANT, SESSION, SOMEBODY
from feltworks.floor.person import MOST_SESSIONS, Person, identity_digest, token_digest
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.verification.verify import verify
from tests.floor.sitting import one_for_the_money
from tests.floor.test_house import Clock, deal, play_round, seated

KEYS = Keys(bytes(32), bytes(range(32)))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records.db"


@pytest.fixture
def house(path: Path, clock: Clock) -> Iterator[House]:
    house = House(Store(path), KEYS, clock)
    house.open_table(one_for_the_money())
    yield house
    house.store.close()


def restarted(house: House, clock: Clock) -> House:
    """The same house after it was closed and started again."""
    house.close()
    return House(Store(house.store.path), KEYS, clock)


def happened(house: House, stream: str) -> list[object]:
    return [decode_event(stream, record.event) for record in house.store.read(stream)]


def open_session(house: House, player: str, token: str, expires: int) -> None:
    house.carry_out(person_stream(player), person.OpenSession(token_digest(token), expires), PROGRAM)


def forge(path: Path, statement: str, *values: object) -> None:
    """What somebody does to a closed file who has no key."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(statement, values)


# Joining.


@pytest.mark.rule("F-10", "F-16")
def test_a_guest_joins_with_play_money_and_a_session_in_one_commit(house: House, clock: Clock) -> None:
    player, token = house.people.guest()
    assert house.people.player_of(token) == player
    assert house.people.name(player) == "Guest 1"
    assert house.balance(player) == GRANT
    row = house.store.person(player)
    assert row is not None
    assert happened(house, person_stream(player)) == [
        person.Joined(identity_digest(row.salt, "Guest 1")),
        person.Granted(GRANT, "play money for a new player"),
        person.SessionOpened(token_digest(token), clock.now + SESSION),
    ]
    *_, (_, commit) = house.store.commits()
    assert [record.stream for record in commit.records] == [HOUSE_STREAM, *[person_stream(player)] * 3]
    assert [entry for entries in commit.entries for entry in entries] == [
        Entry(Kind.GRANT, HOUSE, player_account(player), GRANT)
    ]
    assert verify(house.store.path, KEYS.public).ok


def test_guests_are_counted_and_no_number_comes_twice(house: House, clock: Clock) -> None:
    players = [house.people.guest()[0] for _ in range(3)]
    house.forget(players[1], "asked for it")
    house = restarted(house, clock)
    players.append(house.people.guest()[0])
    assert [house.people.name(player) for player in players] == ["Guest 1", SOMEBODY, "Guest 3", "Guest 4"]
    house.close()


def test_two_people_never_share_a_salt_an_id_or_a_token(house: House) -> None:
    guests = [house.people.guest() for _ in range(20)]
    rows = house.store.people()
    assert len({row.salt for row in rows}) == len({row.id for row in rows}) == len({t for _, t in guests}) == 20


def test_a_grant_that_is_to_be_apart_from_the_last_one_waits_for_it() -> None:
    ann = person.evolve(Person("ann", "00" * 32), "ann", person.Granted(5, "luck"), 10_000)
    with pytest.raises(Refused, match="ask again in 3 s"):
        person.decide(ann, "ann", person.Grant(5, "luck", 60_000), PROGRAM, 67_001)
    for grant, now in ((person.Grant(5, "luck", 60_000), 70_000), (person.Grant(5, "luck"), 10_001)):
        events, after = person.decide(ann, "ann", grant, PROGRAM, now)
        assert (events, after.granted) == ([person.Granted(5, "luck")], now)


@pytest.mark.rule("F-10")
def test_a_robot_is_marked_in_its_record_and_in_its_account_and_has_no_session(house: House, clock: Clock) -> None:
    robot = house.people.robot("Robot 1")
    assert robot.startswith(person.ROBOT)
    assert house.people.name(robot) == "Robot 1"
    assert house.balance(robot) == GRANT
    house = restarted(house, clock)
    known = house.people.person(robot)
    assert known is not None
    assert known.robot
    with pytest.raises(Refused, match="no session"):
        open_session(house, robot, "token", clock.now + 1)
    assert house.people.guest() and house.people.name(house.people.guest()[0]) == "Guest 2"
    assert verify(house.store.path, KEYS.public).ok
    house.close()


def test_nobody_else_has_the_id_of_a_robot() -> None:
    for id, robot in (("robot-1", False), ("ann", True)):
        with pytest.raises(Refused, match="id of a robot"):
            person.decide(None, id, person.Join("00" * 32, robot=robot), PROGRAM, 1)


def test_nobody_joins_twice() -> None:
    ann = Person("ann", "00" * 32)
    with pytest.raises(Refused, match="joined already"):
        person.decide(ann, "ann", person.Join("11" * 32), PROGRAM, 1)


def test_who_has_not_joined_can_do_nothing(house: House) -> None:
    with pytest.raises(Refused, match="session has ended"):
        house.command("money", "nobody", cmd.Sit(1))
    for command in (person.OpenSession("00", 9), person.EndSession("00"), person.Grant(5, "luck"), person.Forget("")):
        with pytest.raises(Refused, match="no such person"):
            person.decide(None, "nobody", command, PROGRAM, 1)


@pytest.mark.parametrize(
    ("cents", "reason"), [(0, "luck"), (-5, "luck"), (100_000_001, "luck"), (500, ""), (500, "  ")]
)
def test_a_grant_has_a_positive_amount_and_a_reason(cents: int, reason: str) -> None:
    with pytest.raises(Refused, match="positive amount"):
        person.decide(Person("ann", "00"), "ann", person.Grant(cents, reason), PROGRAM, 1)


@pytest.mark.rule("F-10")
def test_a_grant_moves_play_money_from_the_house_to_the_person(house: House) -> None:
    player, _ = house.people.guest()
    house.carry_out(person_stream(player), person.Grant(2_500, "a birthday"), PROGRAM)
    assert house.balance(player) == house.store.balance(f"player:{player}") == GRANT + 2_500
    house.store.check_books()
    assert verify(house.store.path, KEYS.public).ok


# Sessions.


def test_a_session_is_over_when_it_expires_and_not_a_moment_before(house: House, clock: Clock) -> None:
    player, token = house.people.guest()
    clock.now += SESSION - 1
    assert house.people.player_of(token) == player
    clock.now += 1
    assert house.people.player_of(token) is None
    clock.now -= 1
    again = restarted(house, clock)
    assert again.people.player_of(token) == player
    again.close()


def test_a_session_that_was_ended_opens_nothing_and_can_be_ended_again(house: House, clock: Clock) -> None:
    player, token = house.people.guest()
    open_session(house, player, "another", clock.now + 5)
    house.people.end_session(token)
    commits = house.store.last_commit()
    house.people.end_session(token)
    house.people.end_session("never opened")
    house.people.end_session("")
    assert house.store.last_commit() == commits
    assert house.people.player_of(token) is None and house.people.player_of("another") == player
    again = restarted(house, clock)
    assert again.people.player_of(token) is None and again.people.player_of("another") == player
    assert happened(again, person_stream(player))[-1] == person.SessionEnded(token_digest(token))
    assert next(again.store.read(person_stream(player), 4)).actor == str(by_person(player))
    assert verify(again.store.path, KEYS.public).ok
    again.close()


@pytest.mark.parametrize("token", ["", "made up", "00" * 32])
def test_what_is_no_token_opens_nothing(house: House, token: str) -> None:
    house.people.guest()
    assert house.people.player_of(token) is None


@pytest.mark.rule("F-14")
def test_a_token_stands_nowhere_and_its_digest_opens_nothing(house: House) -> None:
    _, token = house.people.guest()
    house.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    assert token.encode() not in house.store.path.read_bytes()
    assert token_digest(token).encode() in house.store.path.read_bytes()
    assert house.people.player_of(token_digest(token)) is None


def test_the_oldest_session_ends_when_one_too_many_is_opened(house: House, clock: Clock) -> None:
    player, first = house.people.guest()
    for n in range(1, MOST_SESSIONS):
        open_session(house, player, f"token {n}", clock.now + SESSION + n)
    assert house.people.player_of(first) == player
    open_session(house, player, "one more", clock.now + SESSION + 100)
    assert house.people.player_of(first) is None
    assert all(house.people.player_of(f"token {n}") == player for n in range(1, MOST_SESSIONS))
    assert len(house.store.sessions()) == MOST_SESSIONS
    known = house.people.person(player)
    assert known is not None and len(known.sessions) == MOST_SESSIONS
    assert verify(house.store.path, KEYS.public).ok


def test_a_person_never_has_more_open_sessions_than_there_may_be(house: House, clock: Clock) -> None:
    player, _ = house.people.guest()
    for n in range(3 * MOST_SESSIONS):
        open_session(house, player, f"token {n}", clock.now + 1_000 + n)
        known = house.people.person(player)
        assert known is not None and len(known.sessions) <= MOST_SESSIONS
        assert {row.token: row.expires for row in house.store.sessions()} == known.sessions
        clock.now += 100
    assert verify(house.store.path, KEYS.public).ok


def test_expired_sessions_make_room_and_are_not_ended_again(house: House, clock: Clock) -> None:
    player, _ = house.people.guest()
    for n in range(1, MOST_SESSIONS):
        open_session(house, player, f"token {n}", clock.now + 10)
    clock.now += 10
    open_session(house, player, "later", clock.now + 10)
    ended = [event for event in happened(house, person_stream(player)) if isinstance(event, person.SessionEnded)]
    assert ended == []
    assert len(house.store.sessions()) == 2
    assert verify(house.store.path, KEYS.public).ok


@pytest.mark.parametrize("late", [0, 1])
def test_a_session_cannot_end_before_it_begins(house: House, clock: Clock, late: int) -> None:
    player, _ = house.people.guest()
    with pytest.raises(Refused, match="must end later than it begins"):
        open_session(house, player, "token", clock.now - late)
    assert len(house.store.sessions()) == 1


def test_sessions_of_one_person_do_not_touch_those_of_another(house: House, clock: Clock) -> None:
    (ann, first), (bea, second) = house.people.guest(), house.people.guest()
    for n in range(MOST_SESSIONS):
        open_session(house, ann, f"token {n}", clock.now + 10 * SESSION)
    clock.now += SESSION // 2
    assert house.people.player_of(first) is None and house.people.player_of(second) == bea
    house.forget(ann, "asked for it")
    assert house.people.player_of(second) == bea


# Whoever has the file, but not the key.


@pytest.mark.rule("F-16")
def test_a_session_that_was_written_into_the_list_opens_nothing(house: House, path: Path, clock: Clock) -> None:
    player, token = house.people.guest()
    house.close()
    forged = (token_digest("forged"), player, clock.now, clock.now + SESSION)
    forge(path, "INSERT INTO sessions VALUES (?, ?, ?, ?)", *forged)
    with Store(path) as store:
        again = House(store, KEYS, clock)
        assert again.people.player_of("forged") is None
        assert again.people.player_of(token) == player
    problems = verify(path, KEYS.public).problems
    assert problems == [f"A session of {player} is not as it was opened or ended."]


@pytest.mark.rule("F-16")
def test_a_session_that_was_given_to_another_opens_nothing(house: House, path: Path, clock: Clock) -> None:
    (ann, _), (bea, token) = house.people.guest(), house.people.guest()
    house.close()
    forge(path, "UPDATE sessions SET person = ? WHERE person = ?", ann, bea)
    with Store(path) as store:
        assert House(store, KEYS, clock).people.player_of(token) is None
    assert not verify(path, KEYS.public).ok


@pytest.mark.rule("F-16")
def test_a_session_whose_end_was_put_off_in_the_list_ends_as_it_was_opened(
    house: House, path: Path, clock: Clock
) -> None:
    player, token = house.people.guest()
    house.close()
    forge(path, "UPDATE sessions SET expires = expires + ?", 10 * SESSION)
    clock.now += SESSION
    with Store(path) as store:
        assert House(store, KEYS, clock).people.player_of(token) is None
    assert verify(path, KEYS.public).problems == [f"A session of {player} is not as it was opened or ended."]


@pytest.mark.rule("F-16")
def test_a_session_that_was_ended_stays_ended_if_its_row_comes_back(house: House, path: Path, clock: Clock) -> None:
    _, token = house.people.guest()
    (row,) = house.store.sessions()
    house.people.end_session(token)
    house.close()
    forge(path, "INSERT INTO sessions VALUES (?, ?, ?, ?)", *row)
    with Store(path) as store:
        assert House(store, KEYS, clock).people.player_of(token) is None
    assert not verify(path, KEYS.public).ok


@pytest.mark.rule("F-16")
def test_a_name_that_was_changed_in_the_list_is_not_believed(house: House, path: Path, clock: Clock) -> None:
    player, _ = house.people.guest()
    house.close()
    forge(path, "UPDATE people SET name = 'The Owner'")
    with Store(path) as store:
        assert House(store, KEYS, clock).people.name(player) == SOMEBODY
    assert verify(path, KEYS.public).problems == [f"The person {player} is not the one who joined."]


@pytest.mark.rule("F-16")
def test_a_person_who_was_removed_without_a_record_is_missed(house: House, path: Path, clock: Clock) -> None:
    player, _ = house.people.guest()
    house.close()
    forge(path, "DELETE FROM people")
    assert verify(path, KEYS.public).problems == [f"The person {player} joined, was not forgotten, and has no name."]


@pytest.mark.rule("F-16")
def test_a_person_who_was_put_into_the_list_has_not_joined(house: House, path: Path, clock: Clock) -> None:
    house.people.guest()
    house.close()
    forge(path, "INSERT INTO people VALUES ('mallory', 'Mallory', x'00', 1)")
    assert verify(path, KEYS.public).problems == ["The person mallory is not the one who joined."]
    with Store(path) as store:
        again = House(store, KEYS, clock)
        assert again.people.person("mallory") is None
        with pytest.raises(Refused, match="session has ended"):
            again.command("money", "mallory", cmd.Sit(1))


# Forgetting somebody.


def test_who_is_forgotten_loses_the_name_and_every_session(house: House, clock: Clock) -> None:
    player, token = house.people.guest()
    open_session(house, player, "another", clock.now + 5)
    assert house.people.name(player) == "Guest 1"
    house.forget(player, "asked for it")

    def check(house: House) -> None:
        assert house.people.name(player) == SOMEBODY
        assert house.people.player_of(token) is None and house.people.player_of("another") is None
        known = house.people.person(player)
        assert known is not None and known.forgotten and not known.sessions
        assert house.store.person(player) is None
        assert house.store.people() == [] and house.store.sessions() == []

    check(house)
    again = restarted(house, clock)
    check(again)
    again.close()


@pytest.mark.rule("F-16", "F-17")
def test_the_records_of_who_is_forgotten_still_verify_and_the_money_stays(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    other, _ = house.people.guest()
    for _ in range(3):
        play_round(house, "money", player, clock, ["check"])
    balance, table = house.balance(player), house.live("money").table
    house.forget(player, "asked for it")
    again = restarted(house, clock)
    assert again.balance(player) == balance
    assert again.live("money").table == table
    again.store.check_books()
    report = verify(again.store.path, KEYS.public)
    assert report.ok, report.problems
    assert again.people.name(other) == "Guest 2"
    again.close()


@pytest.mark.rule("F-17", "F-30")
def test_the_round_of_who_is_forgotten_is_played_to_its_end(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    house.command("money", player, cmd.Place("ante", 1_000))
    house.command("money", player, cmd.Ready())
    house.forget(player, "asked for it")
    with pytest.raises(Refused, match="session has ended"):
        house.command("money", player, cmd.Choose("raise"))
    house.connection("money", player, present=False)
    while house.live("money").table.round_number == 1:
        due = house.due("money")
        if due is None:
            break
        clock.now = max(clock.now, due.at)
        house.deal_on("money", due.doing)
    deal(house, "money", clock)
    assert not house.live("money").table.wagers
    assert house.live("money").table.seat_of(player) is None
    assert verify(house.store.path, KEYS.public).ok


def test_nothing_happens_any_more_to_who_is_forgotten(house: House, clock: Clock) -> None:
    player, _ = house.people.guest()
    house.forget(player, "asked for it")
    before = house.store.last_commit()
    with pytest.raises(Refused, match="no such person"):
        house.forget(player, "asked again")
    with pytest.raises(Refused, match="no such person"):
        open_session(house, player, "token", clock.now + 5)
    with pytest.raises(Refused, match="no such person"):
        house.carry_out(person_stream(player), person.Grant(5, "luck"), PROGRAM)
    with pytest.raises(Refused, match="session has ended"):
        house.command("money", player, cmd.Sit(1))
    assert house.store.last_commit() == before


def test_nobody_who_never_joined_can_be_forgotten(house: House) -> None:
    with pytest.raises(Refused, match="no such person"):
        house.forget("nobody", "asked for it")


def test_neither_the_name_nor_the_salt_of_who_is_forgotten_is_left_in_the_file(
    house: House, path: Path, clock: Clock
) -> None:
    """With the salt anybody could try names against the digest that stays."""
    guests = [house.people.guest()[0] for _ in range(40)]
    rows = {row.id: row for row in house.store.people()}
    gone = guests[::3]
    for player in gone:
        house.forget(player, "asked for it")
    house.close()
    files = b"".join(file.read_bytes() for file in path.parent.glob("records.db*"))
    for player in guests:
        assert (rows[player].salt in files) == (player not in gone)
    for player in gone:
        assert player.encode() + rows[player].name.encode() not in files
    assert verify(path, KEYS.public).ok


def test_a_name_that_came_back_into_the_list_is_found(house: House, path: Path, clock: Clock) -> None:
    player, _ = house.people.guest()
    (row,) = house.store.people()
    house.forget(player, "asked for it")
    house.close()
    forge(path, "INSERT INTO people VALUES (?, ?, ?, ?)", *row)
    assert verify(path, KEYS.public).problems == [f"The person {player} is not the one who joined."]


# By id alone.


@pytest.mark.rule("F-16")
def test_no_name_stands_in_any_byte_of_the_journal(house: House, clock: Clock) -> None:
    """Commands, events, actors, entries, snapshots, checkpoints: names stand in the list of people and nowhere else."""
    player = seated(house, "money", clock)
    other, token = house.people.guest()
    for _ in range(3):
        play_round(house, "money", player, clock, ["trade", "raise"])
    house.command("money", other, cmd.Sit(4), "sits")
    house.connection("money", other, present=False)
    house.void("money", "The lights went out.")
    house.people.end_session(token)
    house.journal.save()
    names = [row.name.encode() for row in house.store.people()]
    salts = [row.salt for row in house.store.people()]
    assert names == [b"Guest 1", b"Guest 2"] or names == [b"Guest 2", b"Guest 1"]
    tables = [name for (name,) in house.store.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    assert {"commits", "events", "entries", "snapshots", "checkpoints", "secrets", "sessions"} <= set(tables)
    seen = 0
    for table in tables:
        if table == "people":
            continue
        for row in house.store.connection.execute(f"SELECT * FROM {table}"):
            for value in row:
                data = value if isinstance(value, bytes) else str(value).encode()
                seen += len(data)
                assert not any(secret in data for secret in (*names, *salts)), table
    assert seen > 10_000


@pytest.mark.rule("F-16")
def test_a_digest_of_a_name_tells_nothing_without_its_salt(house: House) -> None:
    """Two people of one name have two digests."""
    assert identity_digest(b"\1" * 16, "Ann") != identity_digest(b"\2" * 16, "Ann")
    guests = [house.people.guest()[0] for _ in range(5)]
    digests = [known.digest for player in guests if (known := house.people.person(player)) is not None]
    assert len(set(digests)) == 5
    assert not any(identity_digest(bytes(16), f"Guest {n}") in digests for n in range(10))


def test_a_person_is_the_fold_of_its_events(house: House, clock: Clock) -> None:
    player, token = house.people.guest()
    open_session(house, player, "another", clock.now + 5)
    clock.now += 6
    open_session(house, player, "third", clock.now + 5)
    house.people.end_session(token)
    states = [house.people.person(player)]
    house.forget(player, "asked for it")
    states.append(house.people.person(player))
    state: Person | None = None
    folded = []
    for record in house.store.read(person_stream(player)):
        event = decode_event(record.stream, record.event)
        assert isinstance(event, person.Event)
        state = person.evolve(state, player, event, record.time)
        folded.append(state)
    assert all(state in folded for state in states) and folded[-1] == states[-1]
    assert all(one.version + 1 == other.version for one, other in pairwise(folded))


@pytest.mark.rule("F-07")
def test_who_plays_acts_for_nobody_else_and_not_for_the_house(house: House) -> None:
    (ann, token), (bea, _) = house.people.guest(), house.people.guest()
    house.command("money", ann, cmd.Sit(1))
    house.deal_on("money", "start round")
    for_me = Book(Kind.GRANT.value, "house", f"player:{ann}", 500, "for me")
    attempts: list[Callable[[], None]] = [
        lambda: house.void("money", "I am losing", by_person(ann)),
        lambda: house.pit.report("money", cmd.Report("misdeal"), by_person(ann)),
        lambda: house.book(for_me, by_person(ann)),
        lambda: house.forget(bea, "I do not like her", by_person(ann)),
    ]
    for attempt in attempts:
        with pytest.raises(Refused, match="is not for a player to do"):
            attempt()
    house.people.end_session(token)
    assert house.people.player_of(token) is None


@pytest.mark.rule("F-10", "F-11")
@pytest.mark.parametrize("account", ["player:nobody", "player:", "table:nowhere", "house:x", "purse:x", "cage cash:x"])
def test_nothing_is_booked_to_an_account_that_there_is_not(house: House, account: str) -> None:
    with pytest.raises(Refused, match=r"no account|not an account"):
        house.book(Book(Kind.CORRECTION.value, "house", account, 500, "a test"), PROGRAM)
    assert house.journal.balance("house") == 0
