"""Whatever is changed in the file of a house, `verify` finds it and names the first bad event."""

import random
import shutil
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import apsw
import msgspec
import pytest

from feltworks.floor import events as ev
from feltworks.floor.house import House
from feltworks.floor.keeping import backup, export_heads, read_heads
from feltworks.floor.money import Entry, Kind
from feltworks.floor.reading import Reader
from feltworks.floor.records import FIRST, Head, Record, chained, decode_event, encode_event
from feltworks.floor.sealing import Keys
from feltworks.floor.store import Batch, Draft, Store, StoreError
from feltworks.floor.verifying import Report, verify
from feltworks.kit import steps
from tests.floor.killing import everything
from tests.floor.sitting import in_between, one_for_the_money
from tests.quick import cases

KEYS = Keys(b"s" * 32, b"k" * 32)
OPTIONS = ("trade", "raise", "stand", "check", "trade", "check")


def play(store: Store, rounds: int = 3) -> House:
    """A house with two tables; at the first a guest trades, raises, checks, and one round is voided."""
    time = count(1_000)
    house = House(store, KEYS, lambda: next(time))
    house.open_table(in_between())
    house.open_table(one_for_the_money())
    player, _ = house.guest()
    command = (f"c{n}" for n in count())
    house.command("money", player, ev.Sit(2), next(command))
    options = iter(OPTIONS * rounds)
    table = house.live("money").table
    while table.round_number <= rounds:
        if table.betting:
            house.command("money", player, ev.Place("ante", 500), next(command))
            house.command("money", player, ev.Place("three_card_bonus", 100), next(command))
            house.command("money", player, ev.Ready(), next(command))
        elif isinstance(table.step, steps.Choose):
            offered = [option.name for option in table.step.options]
            choice = next(option for option in options if option in offered)
            house.command("money", player, ev.Choose(choice), next(command))
            if table.round_number == 2:
                house.void("money", "a test of voids")
        else:
            due = house.due("money")
            assert due is not None
            house.deal_on("money", due.doing)
        table = house.live("money").table
    store.sign_head("house", KEYS, next(time))
    return house


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "house.db"
    with Store(path) as store:
        play(store)
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "house.db"))


@pytest.fixture
def file(path: Path) -> Iterator[apsw.Connection]:
    """The file in the hands of somebody who may write it: nothing guards it there."""
    connection = apsw.Connection(str(path))
    connection.pragma("ignore_check_constraints", True)
    connection.pragma("synchronous", "off")
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    yield connection
    connection.close()


def records(path: Path) -> list[Record]:
    with Reader(path) as reader:
        return list(reader.read("money"))


def first_problem(path: Path) -> str:
    report = verify(path, KEYS.public)
    assert not report.ok
    return report.problems[0]


def sequence_of(path: Path, kind: type[ev.Event], nth: int = 0) -> int:
    found = [r.sequence for r in records(path) if isinstance(decode_event(r.event), kind)]
    return found[nth]


def chain_anew(path: Path, file: apsw.Connection, start: int) -> None:
    """Make the hashes of the table's stream right again, as somebody who knows how would."""
    kept = records(path)
    previous = kept[start - 2].hash if start > 1 else FIRST
    for r in kept[start - 1 :]:
        new = chained(r.stream, r.sequence, r.time, r.actor, r.command, r.round, r.event, previous)
        previous = new.hash
        file.execute(
            "UPDATE events SET previous = ?, hash = ? WHERE stream = 'money' AND sequence = ?",
            (new.previous, new.hash, new.sequence),
        )


# What is right.


@pytest.mark.rule("F-16", "F-11")
def test_a_house_that_played_is_verified_whole(played: Path) -> None:
    report = verify(played, KEYS.public)
    assert report.problems == []
    assert report.ok
    assert (report.streams, report.rounds, report.heads) == (3, 3, 5)
    assert report.records == sum(len(list(everything_of(played, s))) for s in ("house", "money", "between"))
    assert report.entries > 10
    assert report.openings >= 6
    assert report.notes == ["between has no signed head: a tail that was cut would not be seen."]


def everything_of(path: Path, stream: str) -> list[Record]:
    with Reader(path) as reader:
        return list(reader.read(stream))


@pytest.mark.rule("F-16")
def test_verifying_changes_nothing_and_needs_no_writer_to_stop(path: Path) -> None:
    with Store(path) as store:
        before = everything(store)
        assert verify(path).ok
        assert everything(store) == before


def test_a_file_without_events_is_right(tmp_path: Path) -> None:
    Store(tmp_path / "new.db").close()
    assert verify(tmp_path / "new.db") == Report()


# What was changed.


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "change",
    [
        "time = time + 1",
        "actor = 'somebody'",
        "command = 'another'",
        "round = round + 1",
        "event = CAST(replace(CAST(event AS TEXT), 'c', 'd') AS BLOB)",
        "previous = hash",
        "hash = previous",
    ],
)
@pytest.mark.parametrize("sequence", [1, 9])
def test_a_changed_event_is_found(path: Path, file: apsw.Connection, change: str, sequence: int) -> None:
    file.execute(f"UPDATE events SET {change} WHERE stream = 'money' AND sequence = {sequence}")
    assert first_problem(path).startswith(f"money, event {sequence}: it was changed or moved")


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("sequence", [1, 9, 20])
def test_one_changed_byte_of_an_event_is_found(path: Path, sequence: int) -> None:
    event = records(path)[sequence - 1].event
    middle = len(event) // 2
    changed = event[:middle] + bytes([event[middle] ^ 1]) + event[middle + 1 :]
    path.write_bytes(path.read_bytes().replace(event, changed))
    assert "it was changed or moved" in first_problem(path)


@pytest.mark.slow
@pytest.mark.rule("F-16")
@pytest.mark.parametrize("seed", cases(range(4), quick=[0]))
def test_a_byte_changed_anywhere_is_found_or_changes_nothing_that_was_recorded(path: Path, seed: int) -> None:
    chance, data = random.Random(seed), path.read_bytes()
    with Reader(path) as reader:
        before = recorded(reader)
    found = 0
    for _ in range(40):
        place = chance.randrange(len(data))
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :])
        try:
            if verify(path, KEYS.public).ok:
                with Reader(path) as reader:
                    assert recorded(reader) == before, place
            else:
                found += 1
        except StoreError:
            found += 1
    assert found > 5


def recorded(reader: Reader) -> object:
    """What the records, the books and the lists of players and rounds say."""
    return everything(reader, "events entries accounts players played heads".split())


@pytest.mark.rule("F-16")
def test_a_missing_event_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("DELETE FROM events WHERE stream = 'money' AND sequence = 7")
    assert first_problem(path) == "money, event 7: it is missing; the next one there is 8."


@pytest.mark.rule("F-16")
def test_a_missing_event_with_the_gap_closed_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("DELETE FROM events WHERE stream = 'money' AND sequence = 7")
    for sequence in range(8, len(records(path)) + 2):
        file.execute("UPDATE events SET sequence = ? WHERE stream = 'money' AND sequence = ?", (sequence - 1, sequence))
    assert first_problem(path).startswith("money, event 7: it was changed or moved")


@pytest.mark.rule("F-16")
def test_two_events_that_changed_places_are_found(path: Path, file: apsw.Connection) -> None:
    for old, new in ((5, 1_000), (6, 5), (1_000, 6)):
        file.execute("UPDATE events SET sequence = ? WHERE stream = 'money' AND sequence = ?", (new, old))
    assert first_problem(path).startswith("money, event 5: it was changed or moved")


@pytest.mark.rule("F-16")
def test_two_events_that_changed_what_they_say_are_found(path: Path, file: apsw.Connection) -> None:
    fifth, sixth = (record.event for record in records(path)[4:6])
    for sequence, event in ((5, sixth), (6, fifth)):
        file.execute("UPDATE events SET event = ? WHERE stream = 'money' AND sequence = ?", (event, sequence))
    assert first_problem(path).startswith("money, event 5: it was changed or moved")


@pytest.mark.rule("F-16")
def test_an_event_that_was_put_in_is_found(path: Path, file: apsw.Connection) -> None:
    last = records(path)[-1]
    forged = chained("money", last.sequence + 1, last.time, "", "", 0, last.event, "ab" * 32)
    file.execute(
        "INSERT INTO events (stream, sequence, time, actor, command, round, event, previous, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        tuple(getattr(forged, name) for name in forged.__struct_fields__),
    )
    said = "it does not follow the event before it: one of them was put in later."
    assert first_problem(path) == f"money, event {forged.sequence}: {said}"


@pytest.mark.rule("F-16")
def test_a_tail_cut_behind_a_signed_head_is_found(path: Path, file: apsw.Connection) -> None:
    later = "SELECT min(sequence) FROM heads WHERE stream = 'money' AND sequence >= 20"
    ((signed,),) = file.execute(later).fetchall()
    file.execute("DELETE FROM entries WHERE event IN (SELECT id FROM events WHERE sequence >= 20)")
    file.execute("DELETE FROM events WHERE stream = 'money' AND sequence >= 20")
    assert first_problem(path) == f"money, event 20: it is missing; event {signed} was signed."


@pytest.mark.rule("F-16")
def test_a_stream_that_is_gone_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("DELETE FROM events WHERE stream = 'money'")
    assert first_problem(path).startswith("money, event 1: it is missing; event")


@pytest.mark.rule("F-16")
def test_a_head_that_was_kept_elsewhere_shows_a_cut_that_took_the_heads_too(path: Path, file: apsw.Connection) -> None:
    with Reader(path) as reader:
        kept = reader.heads()
    file.execute("DELETE FROM heads WHERE stream = 'money'")
    file.execute("DELETE FROM entries WHERE event IN (SELECT id FROM events WHERE sequence >= 20)")
    file.execute("DELETE FROM events WHERE stream = 'money' AND sequence >= 20")
    report = verify(path, KEYS.public, heads=kept)
    assert report.problems[0].startswith("money, event 20: it is missing; event")


@pytest.mark.rule("F-16")
def test_a_stream_written_anew_is_not_the_one_that_was_signed(path: Path, file: apsw.Connection) -> None:
    file.execute("UPDATE events SET command = 'another' WHERE stream = 'money' AND sequence = 4")
    chain_anew(path, file, 4)
    signed = file.execute("SELECT min(sequence) FROM heads WHERE stream = 'money'").fetchall()[0][0]
    assert first_problem(path) == f"money, event {signed}: it is not the event that was signed."


@pytest.mark.rule("F-16")
def test_a_head_signed_by_somebody_else_is_found(path: Path) -> None:
    other = Keys(b"s" * 32, b"o" * 32)
    with Store(path) as store:
        store.sign_head("between", other, 1)
    assert first_problem(path) == f"between, event 1: it is signed with another key, {other.public}."
    report = verify(path)
    assert report.ok
    assert f"Heads are signed with the key {other.public}; compare it with the house's." in report.notes


@pytest.mark.rule("F-16")
def test_a_forged_signature_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("UPDATE heads SET signature = zeroblob(64) WHERE stream = 'house'")
    (sequence,) = file.execute("SELECT sequence FROM heads WHERE stream = 'house'").fetchall()[0]
    assert first_problem(path) == f"house, event {sequence}: the signature under it is not the house's."


# Events that the rules do not make, with hashes that are right.


def forge(path: Path, file: apsw.Connection, sequence: int, event: ev.Event) -> str:
    """The first problem when an event is replaced and everything is chained and unsigned again."""
    file.execute("UPDATE events SET event = ? WHERE stream = 'money' AND sequence = ?", (encode_event(event), sequence))
    chain_anew(path, file, sequence)
    file.execute("DELETE FROM heads WHERE stream = 'money'")
    return first_problem(path)


@pytest.mark.rule("F-16")
def test_a_settlement_that_the_rules_do_not_make_is_found(path: Path, file: apsw.Connection) -> None:
    for record in records(path):
        event = decode_event(record.event)
        if isinstance(event, ev.Answered) and b'"settled"' in record.event:
            break
    assert isinstance(event, ev.Answered)
    forged = decode_event(encode_event(event).replace(b'"paid":', b'"paid":9'))
    problem = forge(path, file, record.sequence, forged)
    assert problem.startswith(f"money, event {record.sequence}: the rules make something else of it: Answered")


@pytest.mark.rule("F-16")
def test_a_card_that_was_not_in_the_committed_place_is_found(path: Path, file: apsw.Connection) -> None:
    """The last card turned in the first round: all that follows from it is made to fit by leaving it out."""
    end = sequence_of(path, ev.RoundEnded)
    event = decode_event(records(path)[end - 1].event)
    assert isinstance(event, ev.RoundEnded)
    opening = event.openings[0]
    other = "2c" if opening["card"] != "2c" else "3c"
    changed = ev.RoundEnded(event.round, [{**opening, "card": other}, *event.openings[1:]])
    problem = forge(path, file, end, changed)
    assert problem.startswith(f"money, event {end}: the opening of position {opening['position']} does not lead")
    problem = forge(path, file, end, ev.RoundEnded(event.round, event.openings[1:]))
    assert problem == (
        f"money, event {end}: position {opening['position']} of the root {opening['root']}"
        f" was turned as {opening['card']} and is not opened."
    )


@pytest.mark.rule("F-17", "F-21")
def test_a_void_opens_what_was_turned_before_it_and_nothing_else(path: Path, file: apsw.Connection) -> None:
    end = sequence_of(path, ev.Voided)
    event = decode_event(records(path)[end - 1].event)
    assert isinstance(event, ev.Voided)
    (opening, *_) = event.openings
    turned = [decode_event(record.event) for record in records(path)[: end - 1] if record.round == event.round]
    shown = [e.answer[1] for e in turned if isinstance(e, ev.Answered) and e.answer[0] == "card"]
    assert sorted(o["card"] for o in event.openings) == sorted(shown)
    problem = forge(path, file, end, ev.Voided(event.round, event.reason, event.returned, event.openings[1:]))
    assert problem.endswith(f"was turned as {opening['card']} and is not opened.")
    lie = {**opening, "card": "2c" if opening["card"] != "2c" else "3c"}
    problem = forge(path, file, end, ev.Voided(event.round, event.reason, event.returned, [lie, *event.openings[1:]]))
    assert problem.startswith(f"money, event {end}: the opening of position {opening['position']} does not lead")


# Limits and clocks.


@pytest.mark.rule("F-07", "F-16")
@pytest.mark.parametrize(
    ("cents", "said"),
    [
        (50, "Ante takes at least 1.00."),
        (30_001, "Ante takes at most 300.00; you would have 300.01."),
        (-500, "Place between 1.00 and 300.00 on Ante."),
    ],
)
def test_a_wager_outside_the_limits_of_the_table_is_found(
    path: Path, file: apsw.Connection, cents: int, said: str
) -> None:
    sequence = sequence_of(path, ev.Answered)
    problem = forge(path, file, sequence, ev.Answered(["place", 2, "ante", cents]))
    assert problem == f"money, event {sequence}: it cannot be replayed: {said}"


@pytest.mark.rule("F-07", "F-16")
def test_a_wager_or_a_decision_of_somebody_else_is_found(path: Path, file: apsw.Connection) -> None:
    answers = [(r, e) for r in records(path) if isinstance(e := decode_event(r.event), ev.Answered)]
    for kind in ("decide", "place"):
        record = next(r for r, e in answers if e.answer[0] == kind)
        file.execute("UPDATE events SET actor = 'thief' WHERE stream = 'money' AND sequence = ?", (record.sequence,))
        chain_anew(path, file, record.sequence)
        said = "it cannot be replayed: You are watching; take a seat to play."
        assert first_problem(path) == f"money, event {record.sequence}: {said}"


@pytest.mark.rule("F-16", "F-30")
def test_what_a_clock_did_before_it_ran_out_is_found(path: Path, file: apsw.Connection) -> None:
    """The house decides for a seat, or closes the betting on it, while its clock runs."""
    answers = [(r, e) for r in records(path) if isinstance(e := decode_event(r.event), ev.Answered)]
    decided = next(r for r, e in answers if e.answer[0] == "decide")
    file.execute("UPDATE events SET actor = 'dealer' WHERE stream = 'money' AND sequence = ?", (decided.sequence,))
    chain_anew(path, file, decided.sequence)
    said = "it was decided for seat 2 before its clock ran out."
    assert first_problem(path) == f"money, event {decided.sequence}: {said}"
    ready = sequence_of(path, ev.Readied)
    said = "betting was closed before its clock ran out, and not everybody was ready."
    assert forge(path, file, ready, ev.Answered(["close"])) == f"money, event {ready}: {said}"


@pytest.mark.rule("F-16", "F-30")
def test_a_seat_that_was_taken_back_too_early_is_found(tmp_path: Path) -> None:
    now = 1_000
    with Store(tmp_path / "house.db") as store:
        house = House(store, KEYS, lambda: now)
        house.open_table(one_for_the_money())
        player, _ = house.guest()
        house.command("money", player, ev.Sit(2))
        house.connection("money", player, present=False)
        now += house.live("money").table.settings.clocks.seat
        left = encode_event(ev.Left(2, "away for too long"))
        store.append(Batch("money", 3, [Draft(now - 1, "dealer", left)]))
    assert verify(tmp_path / "house.db").problems == ["money, event 4: the rules make something else of it: nothing."]


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    ("kind", "forged", "said"),
    [
        (ev.Sat, ev.Sat(9, "x", "X"), "it cannot be replayed: There is no seat 9"),
        (ev.Sat, ev.Presence(4, False), "it cannot be replayed"),
        (ev.RoundStarted, ev.RoundStarted(7, "ab" * 32, 312), "the rules make something else of it"),
        (ev.RoundStarted, ev.RoundStarted(1, None, 0), "it cannot be replayed: The cards must be shuffled"),
        (ev.RoundEnded, ev.Voided(2, "because", []), "it cannot be replayed: The round is settled"),
        (
            ev.Answered,
            ev.Answered(["place", 2, "ante", 900]),
            "its entries in the books are wager taken of 500",
        ),
        (ev.Answered, ev.Answered(["card", "As"]), "it cannot be replayed"),
    ],
)
def test_an_event_that_the_rules_do_not_make_is_found(
    path: Path, file: apsw.Connection, kind: type[ev.Event], forged: ev.Event, said: str
) -> None:
    sequence = sequence_of(path, kind)
    problem = forge(path, file, sequence, forged)
    assert problem.startswith(f"money, event {sequence}: ")
    assert said in problem


@pytest.mark.rule("F-16")
def test_a_record_that_names_another_round_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("UPDATE events SET round = 9 WHERE stream = 'money' AND sequence = 6")
    chain_anew(path, file, 6)
    assert first_problem(path) == "money, event 6: it names round 9; the table is at 1."


@pytest.mark.rule("F-16")
def test_what_is_no_event_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("UPDATE events SET event = CAST('{}' AS BLOB) WHERE stream = 'money' AND sequence = 6")
    chain_anew(path, file, 6)
    assert first_problem(path).startswith("money, event 6: it cannot be replayed: ")


def test_a_table_begins_with_its_opening_and_is_opened_once(path: Path) -> None:
    (opening, *_), sat = records(path), sequence_of(path, ev.Sat)
    with Store(path) as store:
        store.append(Batch("lone", 0, [Draft(1, "", records(path)[sat - 1].event)]))
        store.append(Batch("between", 1, [Draft(1, "", opening.event)]))
    assert verify(path).problems == [
        "between, event 2: the table is open already.",
        "lone, event 1: a table begins with its opening.",
    ]


@pytest.mark.parametrize(("which", "ok"), [("definition", False), ("build", True)])
def test_a_table_that_played_by_other_rules_is_told(path: Path, which: str, ok: bool) -> None:
    opened = decode_event(everything_of(path, "between")[0].event)
    assert isinstance(opened, ev.Opened)
    prints = {"definition": opened.definition, "build": opened.build, which: "0" * 64}
    with Store(path) as store:
        other = msgspec.structs.replace(opened, **prints)
        store.append(Batch("other", 0, [Draft(1, "", encode_event(other))]))
    report = verify(path)
    assert report.ok == ok
    said = report.notes if ok else report.problems
    assert any(f"by the {which} 000000000000 of in-between" in sentence for sentence in said)


# The books.


@pytest.mark.rule("F-11", "F-16")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET cents = cents + 100",
        "UPDATE entries SET payee = 'player:somebody'",
        "UPDATE entries SET kind = 'payout'",
        "DELETE FROM entries",
    ],
)
def test_a_changed_entry_is_found(path: Path, file: apsw.Connection, change: str) -> None:
    event, sequence = file.execute(
        "SELECT id, sequence FROM events JOIN entries ON id = entries.event WHERE stream = 'money' LIMIT 1"
    ).fetchall()[0]
    file.execute(f"{change} WHERE event = {event}")
    problem = first_problem(path)
    assert problem.startswith(f"money, event {sequence}: its entries in the books are ")
    assert problem.endswith("it makes wager taken of 500 cents from " + problem.split(" from ")[-1])


@pytest.mark.rule("F-11")
def test_an_entry_of_an_unknown_kind_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("UPDATE entries SET kind = 'gift' WHERE event = (SELECT max(event) FROM entries)")
    assert first_problem(path) == "money: it holds what cannot be: 'gift' is not a valid Kind."


@pytest.mark.rule("F-11")
def test_an_entry_that_no_event_made_is_found(path: Path) -> None:
    with Store(path) as store:
        grant = Entry(Kind.GRANT, "house", "player:thief", 500)
        event = encode_event(ev.Sat(1, "thief", "Thief"))
        store.append(Batch("between", 1, [Draft(1, "thief", event, [grant])]))
    booked = "play-money grant of 500 cents from house to player:thief"
    assert verify(path).problems == [f"between, event 2: its entries in the books are {booked}; it makes none."]


@pytest.mark.rule("F-11")
def test_an_entry_whose_event_is_missing_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("INSERT INTO entries VALUES (5000, 0, 'grant', 'house', 'player:thief', 500)")
    assert verify(path).problems[:2] == [
        "The books hold entries without an event (1); the first names a missing one, id 5000.",
        "The account house stands at -100000 cents; its entries make -100500.",
    ]


@pytest.mark.rule("F-11")
def test_a_changed_balance_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("UPDATE accounts SET balance = balance + 700 WHERE name = 'house'")
    assert verify(path).problems[:2] == [
        "The account house stands at -99300 cents; its entries make -100000.",
        "The accounts sum to 700 cents instead of zero.",
    ]


# What stands beside the streams.


def test_a_player_who_is_not_as_he_joined_is_found(path: Path, file: apsw.Connection) -> None:
    (player,) = file.execute("SELECT id FROM players").fetchall()[0]
    file.execute("UPDATE players SET name = 'Somebody'")
    assert first_problem(path) == f"The player {player} did not join as it is written."
    file.execute("DELETE FROM players")
    assert first_problem(path) == f"The player {player} joined and is missing."


@pytest.mark.rule("F-18")
def test_a_round_left_out_of_recall_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("DELETE FROM played WHERE round = 2")
    assert first_problem(path).startswith("The list of rounds to recall is wrong about player:")


def test_guards_that_were_taken_away_are_found(path: Path, file: apsw.Connection) -> None:
    assert first_problem(path) == "The trigger accounts_move of the file is not what Feltworks made it."


def test_a_damaged_file_is_told_in_a_sentence(path: Path) -> None:
    with Reader(path) as reader:
        ((page,),) = reader.connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events'")
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4_096 : page * 4_096] = b"\xff" * 4_096
    path.write_bytes(data)
    assert first_problem(path).startswith("The file is damaged: ")


def test_what_is_no_file_of_records_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear house, " * 500)
    with pytest.raises(StoreError, match="no file of Feltworks records"):
        verify(tmp_path / "letter.txt")


# What is kept elsewhere.


@pytest.mark.rule("F-16")
def test_heads_that_were_exported_show_a_whole_house_written_anew(played: Path, tmp_path: Path) -> None:
    """Somebody who holds the house's own keys plays everything anew: only what is kept elsewhere tells."""
    kept, other = tmp_path / "heads.json", tmp_path / "other.db"
    assert export_heads(played, kept) == 2
    with Store(other) as store:
        play(store)
    assert verify(other, KEYS.public).ok
    assert verify(played, KEYS.public, heads=read_heads(kept)).ok
    heads = {head.stream: head for head in read_heads(kept)}
    assert set(heads) == {"house", "money"}
    assert verify(other, KEYS.public, heads=heads.values()).problems == [
        f"{stream}, event {head.sequence}: it is not the event that was signed." for stream, head in heads.items()
    ]


@pytest.mark.rule("F-16")
def test_heads_that_were_exported_show_a_file_that_is_older_than_they_are(path: Path, tmp_path: Path) -> None:
    with Store(path) as store:
        before = Path(shutil.copy(path, tmp_path / "before.db"))
        store.book([Entry(Kind.FILL, "house", "table:money", 5)], "manager", "a fill", 1)
        store.sign_head("house", KEYS, 2)
    export_heads(path, tmp_path / "heads.json")
    report = verify(before, KEYS.public, heads=read_heads(tmp_path / "heads.json"))
    assert report.problems == ["house, event 3: it is missing; event 3 was signed."]


def test_a_file_that_holds_no_heads_is_refused_and_none_is_overwritten(path: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear house")
    with pytest.raises(StoreError, match=r"letter\.txt holds no signed heads; give a file that `felt verify --export`"):
        read_heads(tmp_path / "letter.txt")
    with pytest.raises(StoreError, match="cannot be read: No such file"):
        read_heads(tmp_path / "nothing")
    with pytest.raises(StoreError, match=r"letter\.txt is there already; choose another name"):
        export_heads(path, tmp_path / "letter.txt")
    with pytest.raises(StoreError, match="cannot be written: No such file"):
        export_heads(path, tmp_path / "nowhere" / "heads.json")


# Copies.


@pytest.mark.rule("F-17")
def test_a_backup_is_the_whole_file_at_one_moment_while_it_is_written(path: Path, tmp_path: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        with Store(path) as store:
            while not stop.is_set():
                store.book([Entry(Kind.FILL, "house", "table:money", 5)], "manager", "a fill", 1)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for n in range(5):
            copy = tmp_path / f"copy {n}.db"
            report = backup(path, copy)
            assert report.problems == []
            assert verify(copy, KEYS.public).records == report.records
    finally:
        stop.set()
        writer.join()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith((".", "copy"))) == [
        f"copy {n}.db" for n in range(5)
    ]
    with Store(copy) as store:
        store.book([Entry(Kind.FILL, "house", "table:money", 5)], "manager", "goes on", 1)


def test_a_backup_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_bytes(b"something else")
    with pytest.raises(StoreError, match=r"there\.db is there already; choose another name"):
        backup(path, there)
    with pytest.raises(StoreError, match=r"house\.db is there already"):
        backup(path, path)
    with pytest.raises(StoreError, match=r"cannot be written"):
        backup(path, tmp_path / "nowhere" / "copy.db")
    assert there.read_bytes() == b"something else"


def test_a_backup_of_tampered_records_says_so(path: Path, file: apsw.Connection, tmp_path: Path) -> None:
    file.execute("UPDATE events SET time = 0 WHERE stream = 'money' AND sequence = 3")
    report = backup(path, tmp_path / "copy.db")
    assert report.problems[0].startswith("money, event 3: it was changed or moved")
    assert (tmp_path / "copy.db").exists()


def test_a_head_says_what_was_signed() -> None:
    head = Head("money", 4, "ab" * 32, 5, b"", KEYS.public)
    assert head.message != Head("money", 4, "ab" * 32, 6, b"", KEYS.public).message
