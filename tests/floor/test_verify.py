"""`verify` finds what the rules, the books and the limits do not allow, whoever has signed it, and names the first bad
event. What somebody without the house's key can do is in test_tampering.py."""

import shutil
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import apsw
import msgspec
import pytest

from feltworks.floor.accounts import HOUSE, Entry, Kind, player_account
from feltworks.floor.actors import DEALER, PROGRAM, person
from feltworks.floor.administration import Book
from feltworks.floor.house import House
from feltworks.floor.journal.journal import Draft, Journal
from feltworks.floor.journal.records import Commit, Head, Record
from feltworks.floor.journal.upcasting import decode_event, encode
from feltworks.floor.store.backup import backup
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.schema import StoreError
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import Happened
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Closed, Decided, Placed, Turned
from feltworks.floor.verification import verify as verification
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.verify import verify
from feltworks.kit.game import Game
from tests.floor.forging import (
    by_the_house,
    commits,
    events,
    first_problem,
    in_hand,
    play,
    problems,
    rewritten,
    with_event,
)
from tests.floor.killing import KEYS, decided, everything
from tests.floor.sitting import in_between, one_for_the_money


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "house.db"
    play(Store(path)).close()
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "house.db"))


@pytest.fixture
def file(path: Path) -> Iterator[apsw.Connection]:
    """The file in the hands of somebody who may write it: nothing guards it there."""
    with in_hand(path, guards_put_back=False) as file:
        yield file


def records(path: Path, stream: str = "money") -> list[Record]:
    with Reader(path) as reader:
        return list(reader.read(stream))


def sequence_of(path: Path, kind: type[ev.Event], nth: int = 0) -> int:
    return [n for n, event in enumerate(events(path), 1) if isinstance(event, kind)][nth]


# What is right.


@pytest.mark.rule("F-16", "F-11")
def test_a_house_that_played_is_verified_whole(played: Path) -> None:
    report = verify(played, KEYS.public)
    assert report.problems == report.notes == report.not_replayed == []
    assert report.ok
    assert (report.streams, report.rounds, report.signatures) == (7, 3, 1)
    assert report.commits == len(commits(played))
    with Reader(played) as reader:
        assert report.records == sum(len(list(reader.read(stream))) for stream in reader.streams())
    assert report.entries > 10
    assert report.openings >= 6


@pytest.mark.rule("F-16")
def test_without_the_public_key_it_says_what_it_cannot_check(played: Path) -> None:
    report = verify(played)
    assert report.ok
    assert report.notes == ["No public key is given, so that signatures are not checked; give it with --key."]


@pytest.mark.rule("F-16")
def test_verifying_changes_nothing_and_needs_no_writer_to_stop(path: Path) -> None:
    with Store(path) as store:
        before = everything(store)
        assert verify(path, KEYS.public).ok
        assert everything(store) == before
        Journal(store, KEYS).save()


def test_a_file_without_events_is_right(tmp_path: Path) -> None:
    Store(tmp_path / "new.db").close()
    assert verify(tmp_path / "new.db") == Report()
    said = f"The house's key, {KEYS.public}, has signed nothing here: there is no commit."
    assert verify(tmp_path / "new.db", KEYS.public) == Report(notes=[said])


@pytest.mark.rule("F-16")
def test_several_processes_find_what_one_finds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are played again by others; what they find is told together with the rest."""
    seen: list[tuple[int, int]] = []
    one = verify(path, KEYS.public)
    assert one.ok
    monkeypatch.setattr(verification, "SMALL", 0)
    monkeypatch.setattr(verification, "processors", lambda: 2)
    assert verify(path, KEYS.public, progress=lambda *at: seen.append(at)) == one
    with in_hand(path) as file:
        file.execute("UPDATE snapshots SET state = zeroblob(100)")
    told = problems(path)
    assert len(told) == 1 and "the snapshot after it is damaged or of other records" in told[0]


@pytest.mark.rule("F-16")
def test_a_long_check_shows_how_far_it_is(tmp_path: Path) -> None:
    path, seen = tmp_path / "house.db", []
    house = House(Store(path), KEYS, lambda: 1)
    for n in range(2_100):
        house.book(Book(Kind.FILL.value, "house", "cage chips", 5, f"fill {n}"), PROGRAM)
    house.close()
    assert verify(path, KEYS.public, progress=lambda done, total: seen.append((done, total))).ok
    assert seen == [(1_000, 2_100), (2_000, 2_100)]


# What was changed.


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE commits SET time = time + 1 WHERE id = {commit}",
        "UPDATE commits SET actor = 'person:somebody' WHERE id = {commit}",
        "UPDATE commits SET command_id = 'another' WHERE id = {commit}",
        "UPDATE events SET round = round + 1 WHERE id = {id}",
        "UPDATE events SET event = CAST(replace(CAST(event AS TEXT), 'e', 'f') AS BLOB) WHERE id = {id}",
        "UPDATE events SET hash = zeroblob(32) WHERE id = {id}",
    ],
)
@pytest.mark.parametrize("sequence", [1, 9])
def test_a_changed_event_is_found(path: Path, file: apsw.Connection, change: str, sequence: int) -> None:
    find = f"SELECT id, commit_id FROM events WHERE stream = 'money' AND sequence = {sequence}"
    ((id, commit),) = file.execute(find).fetchall()
    file.execute(change.format(id=id, commit=commit))
    assert first_problem(path).startswith(f"money, event {sequence}: it was changed or moved")


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("sequence", [1, 9, 20])
def test_one_changed_byte_of_an_event_is_found(path: Path, sequence: int) -> None:
    event = records(path)[sequence - 1].event
    middle = len(event) // 2
    changed = event[:middle] + bytes([event[middle] ^ 1]) + event[middle + 1 :]
    path.write_bytes(path.read_bytes().replace(event, changed))
    assert "it was changed or moved" in first_problem(path)


@pytest.mark.rule("F-16")
def test_a_missing_event_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("DELETE FROM events WHERE stream = 'money' AND sequence = 7")
    assert "money, event 7: it is missing; the next one there is 8." in problems(path)


@pytest.mark.rule("F-16")
def test_a_missing_event_with_the_gap_closed_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("DELETE FROM events WHERE stream = 'money' AND sequence = 7")
    for sequence in range(8, len(records(path)) + 2):
        file.execute("UPDATE events SET sequence = ? WHERE stream = 'money' AND sequence = ?", (sequence - 1, sequence))
    assert any(said.startswith("money, event 7: it was changed or moved") for said in problems(path))


@pytest.mark.rule("F-16")
def test_two_events_that_changed_places_are_found(path: Path, file: apsw.Connection) -> None:
    for old, new in ((5, 1_000), (6, 5), (1_000, 6)):
        file.execute("UPDATE events SET sequence = ? WHERE stream = 'money' AND sequence = ?", (new, old))
    assert first_problem(path).startswith("money, event 5: it ")


@pytest.mark.rule("F-16")
def test_two_events_that_changed_what_they_say_are_found(path: Path, file: apsw.Connection) -> None:
    fifth, sixth = (record.event for record in records(path)[4:6])
    for sequence, event in ((5, sixth), (6, fifth)):
        file.execute("UPDATE events SET event = ? WHERE stream = 'money' AND sequence = ?", (event, sequence))
    assert first_problem(path).startswith("money, event 5: it was changed or moved")


@pytest.mark.rule("F-16")
def test_an_event_that_was_put_in_is_found(path: Path, file: apsw.Connection) -> None:
    """Into the last commit, with a hash of its own that follows nothing."""
    last = records(path)[-1]
    forged = msgspec.structs.replace(last, sequence=last.sequence + 1, previous="ab" * 32)
    row = (len(commits(path)), "money", forged.sequence, forged.round, forged.event, bytes.fromhex(forged.true_hash))
    columns = "commit_id, stream, sequence, round, event, hash"
    file.execute(f"INSERT INTO events ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)
    assert first_problem(path).startswith(f"money, event {forged.sequence}: it ")


@pytest.mark.rule("F-16")
def test_a_stream_that_is_gone_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("DELETE FROM entries WHERE event IN (SELECT id FROM events WHERE stream = 'money')")
    file.execute("DELETE FROM events WHERE stream = 'money'")
    assert problems(path)


# Events that the rules do not make, signed by the house itself.


def forge(path: Path, sequence: int, event: ev.Event, command: cmd.Command | None = None) -> str:
    """The first problem when an event, and its command, are replaced, and everything is chained and signed again."""
    return forge_commit(
        path, sequence, lambda commit: with_event(commit, encode(event), _place(commit, sequence)), command
    )


def forge_commit(
    path: Path, sequence: int, change: Callable[[Commit], Commit], command: cmd.Command | None = None
) -> str:
    def changed(commit: Commit) -> list[Commit]:
        if not any((r.stream, r.sequence) == ("money", sequence) for r in commit.records):
            return [commit]
        commit = change(commit)
        return [msgspec.structs.replace(commit, command=encode(command)) if command is not None else commit]

    anew = path.with_name("anew.db")
    anew.unlink(missing_ok=True)
    rewritten(path, anew, changed, by_the_house)
    with in_hand(anew) as file:
        file.execute("DELETE FROM snapshots")  # they are of other records now
        file.execute("DELETE FROM checkpoints")
    found = problems(anew)
    assert not any("signed" in said for said in found)
    return found[0]


def _place(commit: Commit, sequence: int) -> int:
    return [r.sequence if r.stream == "money" else 0 for r in commit.records].index(sequence)


def first_of(path: Path, sequence: int) -> int:
    """The first event of the commit that an event is in: it is named for all of them."""
    for commit in commits(path):
        if any((r.stream, r.sequence) == ("money", sequence) for r in commit.records):
            return commit.records[0].sequence
    raise ValueError


@pytest.mark.rule("F-16")
def test_a_settlement_that_the_rules_do_not_make_is_found(path: Path) -> None:
    record = next(r for r in records(path) if b'"settled"' in r.event)
    forged = decode_event("money", record.event.replace(b'"paid":', b'"paid":9'))
    assert isinstance(forged, ev.Answered)
    problem = forge(path, record.sequence, forged)
    assert problem.startswith(f"money, event {first_of(path, record.sequence)}: the rules make something else of it: ")


@pytest.mark.rule("F-16")
def test_a_card_that_was_not_in_the_committed_place_is_found(path: Path) -> None:
    """A card of the first round is opened as another, or not at all."""
    end = sequence_of(path, ev.RoundEnded)
    event = events(path)[end - 1]
    assert isinstance(event, ev.RoundEnded)
    opening = event.openings[0]
    position, card, root = opening.positions[0], opening.faces[0], opening.root
    other = "2c" if card != "2c" else "3c"
    lie = msgspec.structs.replace(opening, faces=(other, *opening.faces[1:]))
    problem = forge(path, end, ev.RoundEnded(event.round, (lie, *event.openings[1:])))
    assert problem.startswith(f"money, event {end}: the opening of position ")
    assert problem.endswith(f"does not lead to the root {root}.")
    problem = forge(path, end, ev.RoundEnded(event.round, event.openings[1:]))
    assert problem == (
        f"money, event {end}: position {position} of the root {root} was turned as {card} and is not opened."
    )


@pytest.mark.rule("F-17", "F-21")
def test_a_void_opens_what_was_turned_before_it_and_nothing_else(path: Path) -> None:
    end = sequence_of(path, ev.Voided)
    event = events(path)[end - 1]
    assert isinstance(event, ev.Voided)
    (opening, *rest) = event.openings
    turned = [e for r, e in zip(records(path)[: end - 1], events(path), strict=False) if r.round == event.round]
    shown = [e.answer.card for e in turned if isinstance(e, ev.Answered) and isinstance(e.answer, Turned)]
    assert sorted(face for o in event.openings for face in o.faces) == sorted(shown)
    problem = forge(path, end, msgspec.structs.replace(event, openings=tuple(rest)))
    assert problem.endswith(f"was turned as {opening.faces[0]} and is not opened.")
    lie = msgspec.structs.replace(opening, faces=("2c" if opening.faces[0] != "2c" else "3c", *opening.faces[1:]))
    problem = forge(path, end, msgspec.structs.replace(event, openings=(lie, *rest)))
    assert problem.startswith(f"money, event {end}: the opening of position ")


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
def test_a_wager_outside_the_limits_of_the_table_is_found(path: Path, cents: int, said: str) -> None:
    sequence = sequence_of(path, ev.Answered)
    problem = forge(path, sequence, ev.Answered(Placed(2, "ante", cents)), cmd.Place("ante", cents))
    assert problem == f"money, event {sequence}: it cannot be replayed: {said}"


@pytest.mark.rule("F-07", "F-16")
@pytest.mark.parametrize("answer", [Placed, Decided])
def test_a_wager_or_a_decision_of_somebody_else_is_found(path: Path, answer: type[Placed | Decided]) -> None:
    found = [e.answer if isinstance(e, ev.Answered) else None for e in events(path)]
    sequence = next(n for n, a in enumerate(found, 1) if isinstance(a, answer))
    stolen = forge_commit(path, sequence, lambda commit: msgspec.structs.replace(commit, actor="person:thief"))
    said = "it cannot be replayed: You are watching; take a seat to play."
    assert stolen == f"money, event {first_of(path, sequence)}: {said}"
    by_dealer = forge_commit(path, sequence, lambda commit: msgspec.structs.replace(commit, actor=str(DEALER)))
    assert by_dealer.endswith(" is not for the program to do.")


@pytest.mark.rule("F-16", "F-30")
def test_what_a_clock_did_before_it_ran_out_is_found(path: Path) -> None:
    """The house decides for a seat, or closes the betting on it, while its clock runs."""
    dealer = str(DEALER)
    for kind, command in ((Decided, cmd.ClockRanOut()), (Closed, cmd.ClockRanOut()), (Closed, cmd.CloseBetting())):
        found = [e.answer if isinstance(e, ev.Answered) else None for e in events(path)]
        sequence = next(n for n, a in enumerate(found, 1) if isinstance(a, kind))
        problem = forge_commit(path, sequence, lambda c: msgspec.structs.replace(c, actor=dealer), command)
        assert problem.startswith(f"money, event {first_of(path, sequence)}: ")


@pytest.mark.rule("F-16", "F-30")
def test_a_seat_that_was_taken_back_too_early_is_found(tmp_path: Path) -> None:
    now = 1_000
    house = House(Store(tmp_path / "house.db"), KEYS, lambda: now)
    house.open_table(one_for_the_money())
    player, _ = house.people.guest()
    house.command("money", player, cmd.Sit(2))
    house.connection("money", player, present=False)
    now += house.live("money").table.settings.clocks.seat
    left = Happened("money", ev.Left(2, "away for too long"))
    house.journal.commit([Draft("money", cmd.FreeSeats(), DEALER, now - 1, [left])])
    house.store.close()
    assert problems(tmp_path / "house.db") == ["money, event 4: its command makes 0 events; 1 are recorded."]


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    ("kind", "forged", "command", "said"),
    [
        (ev.Sat, ev.Sat(9, "x"), cmd.Sit(9), "it cannot be replayed: There is no seat 9"),
        (ev.Sat, ev.Sat(3, "x"), None, "the rules make something else of it"),
        (ev.Sat, ev.Presence(4, False), None, "the rules make something else of it"),
        (ev.RoundStarted, ev.RoundStarted(7, "ab" * 32, 312), None, "its sealed cards or rolls are missing"),
        (ev.RoundStarted, ev.RoundStarted(1, None, 0), cmd.StartRound(), "it cannot be replayed"),
        (ev.RoundEnded, ev.Voided(2, "because"), cmd.VoidRound("because"), "it cannot be replayed: The round is"),
        (
            ev.Answered,
            ev.Answered(Placed(2, "ante", 900)),
            cmd.Place("ante", 900),
            "its entries in the books are wager taken of 500",
        ),
        (ev.Answered, ev.Answered(Placed(2, "ante", 900)), None, "the rules make something else of it"),
        (ev.Answered, ev.Answered(Turned("As")), None, "the rules make something else of it"),
    ],
)
def test_an_event_that_the_rules_do_not_make_is_found(
    path: Path, kind: type[ev.Event], forged: ev.Event, command: cmd.Command | None, said: str
) -> None:
    sequence = sequence_of(path, kind)
    problem = forge(path, sequence, forged, command)
    assert problem.startswith(f"money, event {sequence}: ")
    assert said in problem


@pytest.mark.rule("F-16")
def test_a_command_that_makes_something_else_of_the_table_is_found(path: Path) -> None:
    """The events stay as they are, and the command that is recorded with them is another one."""
    sequence = sequence_of(path, ev.Sat)
    event = events(path)[sequence - 1]
    assert "the rules make something else of it" in forge(path, sequence, event, cmd.Sit(3))
    assert "You are not seated" in (said := forge(path, sequence, event, cmd.Leave())) or "replayed" in said


@pytest.mark.rule("F-16")
def test_a_record_that_names_another_round_is_found(path: Path) -> None:
    def renamed(commit: Commit) -> Commit:
        first, *rest = commit.records
        return msgspec.structs.replace(commit, records=(msgspec.structs.replace(first, round=9), *rest))

    assert forge_commit(path, 6, renamed) == "money, event 6: it names round 9; the table is at 1."


@pytest.mark.rule("F-16")
def test_what_is_no_event_is_found(path: Path) -> None:
    assert problems(anew_with(path, lambda commit: with_event(commit, b"{}")))


def anew_with(path: Path, change: Callable[[Commit], Commit]) -> Path:
    def changed(commit: Commit) -> list[Commit]:
        return [change(commit)] if commit.records and commit.records[0].sequence == 6 else [commit]

    return rewritten(path, path.with_name("anew.db"), changed, by_the_house)


def test_a_table_begins_with_its_opening_and_is_opened_once(path: Path) -> None:
    (opening, *_), sat = events(path), events(path)[sequence_of(path, ev.Sat) - 1]
    assert isinstance(opening, ev.Opened)
    with Store(path) as store:
        journal = Journal(store, KEYS)
        again = Happened("between", opening)
        journal.commit([Draft("between", cmd.OpenTable(opening.settings), PROGRAM, 1, [again])])
        journal.commit([Draft("lone", cmd.Sit(1), person("ann"), 1, [Happened("lone", sat)])])
    first, second = problems(path)
    assert first == "between, event 2: the table is open already."
    assert second.startswith("lone, event 1: it cannot be replayed: ")


@pytest.mark.parametrize(("which", "ok"), [("definition", False), ("build", True)])
def test_a_table_that_played_by_other_rules_is_told(path: Path, which: str, ok: bool) -> None:
    """By a definition that is not here, it is not replayed; by another build of it, it is, and that is told."""
    opened = events(path, "between")[0]
    assert isinstance(opened, ev.Opened)
    prints = {"definition": opened.definition, "build": opened.build, which: "0" * 64}
    other = msgspec.structs.replace(opened, **prints, settings=in_between(), standing=None)
    command = cmd.OpenTable(msgspec.structs.replace(opened.settings, id="other"))
    with Store(path) as store:
        Journal(store, KEYS).commit([Draft("other", command, PROGRAM, 1, [Happened("other", other)])])
    report = verify(path, KEYS.public)
    if ok:
        assert any(f"by the {which} 000000000000 of in-between" in sentence for sentence in report.notes)
    else:
        assert any(said.startswith("other: not replayed: definition 000000000000.") for said in report.not_replayed)


@pytest.mark.rule("F-16")
def test_records_of_an_earlier_build_are_in_order_and_that_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is updated in the code, the definition is the same and so is every decision."""
    build = property(lambda game: {"definition": game._definition_hash(), "build": "0" * 64})
    monkeypatch.setattr(Game, "fingerprint", build)
    report = verify(path, KEYS.public)
    assert report.ok, report.problems
    assert all("it is replayed by 000000000000" in note for note in report.notes)
    assert len(report.notes) == 2


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
def test_an_entry_of_an_unknown_kind_or_account_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("UPDATE entries SET kind = 'gift' WHERE event = (SELECT max(event) FROM entries)")
    assert first_problem(path) == "The file is damaged: 'gift' is not a valid Kind."
    file.execute("UPDATE entries SET kind = 'payout', payee = 'pocket'")
    assert first_problem(path).startswith("The file is damaged: 'pocket' is not an account; its kind is one of ")


@pytest.mark.rule("F-11")
def test_an_entry_that_no_event_made_is_found(path: Path) -> None:
    with Store(path) as store:
        grant = Entry(Kind.GRANT, HOUSE, player_account("thief"), 500)
        sat = Happened("between", ev.Sat(1, "thief"), (grant,))
        Journal(store, KEYS).commit([Draft("between", cmd.Sit(1), person("thief"), 1, [sat])])
    booked = "play-money grant of 500 cents from house to player:thief"
    assert problems(path) == [f"between, event 2: its entries in the books are {booked}; it makes none."]


@pytest.mark.rule("F-11")
def test_an_entry_whose_event_is_missing_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("INSERT INTO entries VALUES (5000, 0, 'play-money grant', 'house', 'player:thief', 500)")
    assert problems(path)[:2] == [
        "There are 1 rows of entries that belong to no commit in order.",
        "The account house stands at -200000 cents; its entries make -200500.",
    ]


@pytest.mark.rule("F-11")
def test_an_account_that_the_commits_left_below_zero_is_found(path: Path) -> None:
    """Signed by the house, with books that balance: nobody who may not owe may."""
    with Store(path) as store:
        store.connection.execute("PRAGMA ignore_check_constraints = ON").fetchall()
        journal = Journal(store, KEYS)
        journal.position.balances["player:poor"] = 500
        command = Book(Kind.CASH_OUT.value, "player:poor", "house", 500, "cash")
        journal.commit([decided(journal, command, 9_000)])
    assert problems(path)[0].endswith("leaves player:poor below zero.")


@pytest.mark.rule("F-11")
def test_a_changed_balance_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("UPDATE accounts SET balance = balance + 700 WHERE name = 'house'")
    assert problems(path)[:2] == [
        "The account house stands at -199300 cents; its entries make -200000.",
        "The accounts sum to 700 cents instead of zero.",
    ]


# What stands beside the streams.


def test_a_person_who_is_not_as_he_joined_is_found(path: Path) -> None:
    with in_hand(path) as file:
        (player,) = file.execute("SELECT id FROM people ORDER BY id").fetchall()[0]
        file.execute("UPDATE people SET name = 'Somebody' WHERE id = ?", (player,))
    assert first_problem(path) == f"The person {player} is not the one who joined."
    with in_hand(path) as file:
        file.execute("DELETE FROM people WHERE id = ?", (player,))
    assert first_problem(path) == f"The person {player} joined, was not forgotten, and has no name."


@pytest.mark.rule("F-18")
def test_a_round_left_out_of_recall_is_found(path: Path, file: apsw.Connection) -> None:
    file.execute("DELETE FROM played WHERE round = 2")
    assert first_problem(path).startswith("The list of rounds to recall is wrong about player:")
    file.execute("DELETE FROM rounds WHERE round = 3")
    assert "The list of rounds is wrong about round 3 of money." in problems(path)


@pytest.mark.rule("F-18")
def test_rounds_to_recall_in_another_order_are_found(path: Path, file: apsw.Connection) -> None:
    for old, new in ((1, 1_000), (2, 1), (1_000, 2)):
        file.execute("UPDATE played SET id = ? WHERE id = ?", (new, old))
    assert first_problem(path).endswith("out of order.")


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


# Copies.


def fill(house: House) -> None:
    house.book(Book(Kind.FILL.value, "house", "table:money", 5, "a fill"), PROGRAM)


@pytest.mark.rule("F-17")
def test_a_backup_is_the_whole_file_at_one_moment_while_it_is_written(path: Path, tmp_path: Path) -> None:
    stop, time = threading.Event(), count(9_000)

    def write() -> None:
        house = House(Store(path), KEYS, lambda: next(time))
        while not stop.is_set():
            fill(house)
        house.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for n in range(5):
            copy = tmp_path / f"copy {n}.db"
            backup(path, copy)
            assert problems(copy) == []
    finally:
        stop.set()
        writer.join()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith((".", "copy"))) == [
        f"copy {n}.db" for n in range(5)
    ]
    house = House(Store(copy), KEYS, lambda: next(time))
    fill(house)
    house.close()
    assert problems(copy) == []


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


def test_a_backup_of_tampered_records_shows_what_they_show(path: Path, file: apsw.Connection, tmp_path: Path) -> None:
    file.execute("UPDATE events SET round = 4 WHERE stream = 'money' AND sequence = 3")
    backup(path, tmp_path / "copy.db")
    assert first_problem(tmp_path / "copy.db").startswith("money, event 3: it was changed or moved")


def test_a_head_says_what_was_signed() -> None:
    head = Head("money", 4, "ab" * 32, 5, b"", KEYS.public)
    assert head.message != Head("money", 4, "ab" * 32, 6, b"", KEYS.public).message
