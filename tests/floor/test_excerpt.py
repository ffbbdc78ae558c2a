"""Excerpts of the records: whoever has one and the house's public key sees that nothing in it was changed, removed or
put in, and that nothing of its range is missing (F-16)."""

import asyncio
import lzma
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor.excerpt import write as writing
from feltworks.floor.excerpt.lines import line_of, read_commit
from feltworks.floor.excerpt.verify import CANNOT_PROVE, is_excerpt, verify_excerpt
from feltworks.floor.excerpt.write import OLDER, pieces, plan, write_excerpt
from feltworks.floor.house import House
from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.journal.records import FIRST, Commit, group_hash, link_after, signed_message
from feltworks.floor.keys import Keys, load_keys
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.schema import StoreError
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.times import ALWAYS, read_time, shown
from feltworks.kit import steps
from feltworks.kit.errors import BadValue
from feltworks.web.archive import Archive
from tests.floor.forging import commits, in_hand, play
from tests.floor.killing import KEYS
from tests.floor.sitting import one_for_the_money, yo

THIEF = Keys(b"t" * 32, b"t" * 32)
Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "house.db"
    play(Store(path)).close()
    return path


@pytest.fixture(scope="module")
def excerpt(played: Path) -> Path:
    """Rounds 1 and 2 of three; every commit is a group of its own, and is a millisecond after the one before."""
    to = played.with_name("excerpt.jsonl")
    write_excerpt(played, to, 1_004, 1_040, KEYS.public)
    return to


def problems(path: Path, public: str | None = KEYS.public) -> list[str]:
    return verify_excerpt(path, public).problems


def read_lines(path: Path) -> Lines:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def written(path: Path, lines: Lines) -> Path:
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return path


# What is right.


@pytest.mark.rule("F-16")
def test_an_excerpt_holds_every_commit_of_its_range_and_verifies_with_the_public_key_alone(excerpt: Path) -> None:
    report = verify_excerpt(excerpt, KEYS.public)
    assert report.problems == []
    times = [line["time"] for line in read_lines(excerpt)[1:-1]]
    assert times == [*range(1_003, 1_041)]  # with the one before, and the one after
    assert (report.commits, report.signatures) == (38, 1)
    assert report.records and report.entries and report.rounds == 2 and report.openings
    assert report.head is not None and report.head.is_signed_by(KEYS.public)
    assert report.notes[0].startswith(
        "It holds every commit from 1970-01-01 00:00:01.004 UTC to just before 1970-01-01 00:00:01.040 UTC, and"
    )
    assert report.notes[-1] == CANNOT_PROVE


@pytest.mark.rule("F-16")
def test_the_same_range_makes_the_same_bytes(played: Path, excerpt: Path, tmp_path: Path) -> None:
    write_excerpt(played, tmp_path / "again", 1_004, 1_040, KEYS.public)
    assert (tmp_path / "again").read_bytes() == excerpt.read_bytes()


@pytest.mark.rule("F-14", "F-16")
def test_no_name_and_nothing_sealed_is_in_an_excerpt(played: Path, tmp_path: Path) -> None:
    write_excerpt(played, tmp_path / "all", *ALWAYS, KEYS.public)
    text = (tmp_path / "all").read_bytes()
    with Reader(played) as store:
        people, secrets = store.people(), store.secrets()
    assert people and secrets
    for person in people:
        assert person.name.encode() not in text and person.salt.hex().encode() not in text
    for secret in secrets:
        assert secret.root.encode() in text
        for shape in (secret.sealed.hex().encode(), msgspec.json.encode(secret.sealed).strip(b'"')):
            assert shape not in text


@pytest.mark.rule("F-16")
@given(st.integers(990, 1_060), st.integers(990, 1_060))
def test_every_range_is_written_as_a_file_that_verifies_or_refused_in_words(
    played: Path, since: int, until: int
) -> None:
    to = played.with_name("some")
    to.unlink(missing_ok=True)
    all_times = [commit.time for commit in commits(played)]
    wanted = [time for time in all_times if since <= time < until]
    if not wanted:
        with pytest.raises(BadValue, match=r"No commit lies between|is not before"):
            write_excerpt(played, to, since, until, KEYS.public)
        assert not to.exists()
        return
    write_excerpt(played, to, since, until, KEYS.public)
    report = verify_excerpt(to, KEYS.public)
    assert report.problems == []
    found = [line["time"] for line in read_lines(to)[1:-1]]
    assert found == [time for time in all_times if wanted[0] - 1 <= time <= wanted[-1] + 1]
    ends = any("ended inside the range" in note for note in report.notes)
    assert ends == (wanted[-1] == all_times[-1])


@pytest.mark.rule("F-16")
def test_an_excerpt_goes_on_to_the_end_of_the_group_that_closes_its_range(tmp_path: Path) -> None:
    time = count(1_000)
    house = House(Store(tmp_path / "r.db"), KEYS, lambda: next(time))
    for size in (1, 4, 3, 1):
        with house.together():
            for _ in range(size):
                house.people.guest()
    house.close()
    signed = [bool(commit.signature) for commit in commits(tmp_path / "r.db")]
    assert signed == [True, False, False, False, True, False, False, True, True]
    times = [commit.time for commit in commits(tmp_path / "r.db")]
    expected = {(1, 1): (1, 5), (2, 2): (1, 5), (3, 4): (2, 5), (5, 5): (4, 8), (5, 8): (4, 9), (9, 9): (8, 9)}
    for (first, last), (start, end) in expected.items():
        to = tmp_path / f"{first} {last}"
        write_excerpt(tmp_path / "r.db", to, times[first - 1], times[last - 1] + 1, KEYS.public)
        assert problems(to) == []
        assert [line["number"] for line in read_lines(to)[1:-1]] == [*range(start, end + 1)]


@pytest.mark.rule("F-16")
def test_an_excerpt_is_written_while_the_house_goes_on(tmp_path: Path) -> None:
    house = play(Store(tmp_path / "r.db"))
    with Reader(tmp_path / "r.db") as store:
        planned = plan(store, *ALWAYS, KEYS.public)
        made = pieces(store, planned)
        house.people.guest()
        parts = [next(made)]
        house.people.guest()
        parts += made
    (tmp_path / "x").write_bytes(b"".join(parts))
    assert problems(tmp_path / "x") == []
    assert planned.last == house.journal.position.id - 2
    house.close()


def test_an_excerpt_comes_in_pieces(played: Path, excerpt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PIECE", 1_000)
    with Reader(played) as store:
        parts = list(pieces(store, plan(store, 1_004, 1_040, KEYS.public)))
    assert len(parts) > 10
    assert b"".join(parts) == excerpt.read_bytes()


def test_an_excerpt_streams_through_an_archive_that_answers_others_meanwhile(
    played: Path, excerpt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "PIECE", 1_000)

    async def fetch() -> tuple[bytes, int]:
        archive, parts, answers = Archive(played, "excerpts"), [], 0
        planned = await archive.ask(lambda store: plan(store, 1_004, 1_040, KEYS.public))
        async for part in archive.stream(lambda store: pieces(store, planned)):
            parts.append(part)
            answers += await archive.ask(lambda store: store.last_commit()) > 0
        archive.close()
        return b"".join(parts), answers

    text, answers = asyncio.run(fetch())
    assert text == excerpt.read_bytes() and answers > 10


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("seen", ["before", "after", "inside"])
def test_a_key_that_changes_is_followed(tmp_path: Path, seen: str) -> None:
    time = count(1_000)
    house, renewed = House(Store(tmp_path / "r.db"), KEYS, lambda: next(time)), Keys(b"s" * 32, b"n" * 32)
    house.people.guest()
    house.people.guest()
    house.change_keys(renewed)
    house.people.guest()
    house.people.guest()
    house.close()
    made = commits(tmp_path / "r.db")
    change = next(commit.time for commit in made if b"change key" in commit.command)
    span = {"before": (0, made[0].time + 1), "after": (made[-1].time, 10**9), "inside": (change, change + 1)}[seen]
    write_excerpt(tmp_path / "r.db", tmp_path / "x", *span, renewed.public)
    old, new = problems(tmp_path / "x"), problems(tmp_path / "x", renewed.public)
    wrong = "If the house has changed its key, give the one that was in force then."
    assert (old == [], new == []) == {"before": (True, False), "after": (False, True), "inside": (True, True)}[seen]
    assert all(said[0].endswith(wrong) for said in (old, new) if said)
    assert problems(tmp_path / "x", THIEF.public)[0].endswith(wrong)
    if seen == "inside":
        lines = read_lines(tmp_path / "x")
        lines[2]["signature"] = THIEF.sign(b"anything").hex()
        assert "the key before it has not signed that" in problems(written(tmp_path / "y", lines))[0]


@pytest.mark.rule("F-16")
def test_a_chain_is_followed_from_a_checkpoint_where_there_is_one(tmp_path: Path, played: Path) -> None:
    path = Path(shutil.copy(played, tmp_path / "r.db"))
    time = count(2_000)
    house = House(Store(path), KEYS, lambda: next(time))  # closing the one before wrote a checkpoint
    for _ in range(3):
        house.people.guest()
    house.close()
    asked: list[int] = []

    class Watched(Reader):
        def commits(self, after: int = 0) -> Iterator[tuple[int, Commit]]:
            asked.append(after)
            return super().commits(after)

    last, since = len(commits(path)), commits(path)[-2].time
    with Watched(path) as store:
        planned = plan(store, since, 9_000, KEYS.public)
    assert planned.first == last - 2 and not asked  # nothing had to be read again
    with in_hand(path) as file:
        file.execute("DELETE FROM checkpoints")
    with Watched(path) as store:
        assert plan(store, since, 9_000, KEYS.public) == planned
    assert asked == [0]


@pytest.mark.rule("F-16")
def test_times_that_go_back_are_told_and_everything_between_is_there(tmp_path: Path) -> None:
    times = iter([1_000, 1_010, 1_020, 1_005, 1_015, 1_030])
    house = House(Store(tmp_path / "r.db"), KEYS, lambda: next(times))
    for _ in range(6):
        house.people.guest()
    house.close()
    write_excerpt(tmp_path / "r.db", tmp_path / "x", 1_010, 1_016, KEYS.public)
    report = verify_excerpt(tmp_path / "x", KEYS.public)
    assert report.problems == []
    assert [line["time"] for line in read_lines(tmp_path / "x")[1:-1]] == [1_000, 1_010, 1_020, 1_005, 1_015, 1_030]
    assert any(note.startswith("Times go back inside") for note in report.notes)


@pytest.mark.rule("F-16")
def test_records_of_an_older_version_are_in_no_excerpt_and_that_is_said(tmp_path: Path) -> None:
    data = Path(__file__).parent / "data" / "version_1"
    path = tmp_path / "house.db"
    path.write_bytes(lzma.decompress((data / "records.db.xz").read_bytes()))
    shutil.copyfile(data / "house.key", tmp_path / "house.key")
    (tmp_path / "house.key").chmod(0o600)
    keys = load_keys(tmp_path / "house.key", new=False)
    house = House(Store(path), keys, lambda: 1_900_000_000_000)
    house.people.guest()
    house.close()
    planned = write_excerpt(path, tmp_path / "x", 0, 2_000_000_000_000, keys.public)
    assert planned.note == OLDER
    report = verify_excerpt(tmp_path / "x", keys.public)
    assert report.problems == []
    assert any("took over records of an older version" in note for note in report.notes)
    with pytest.raises(BadValue, match=r"No commit lies between .*Records of an older version lie before"):
        write_excerpt(path, tmp_path / "y", 0, 1_800_000_000_000, keys.public)
    assert not (tmp_path / "y").exists()


# What is refused.


def test_a_range_without_commits_is_said_so(played: Path, tmp_path: Path) -> None:
    with pytest.raises(BadValue, match=r"No commit lies between .*; the records go from 1970-01-01 00:00:01 UTC to "):
        write_excerpt(played, tmp_path / "x", 5_000, 6_000, KEYS.public)
    with pytest.raises(BadValue, match="give a range that begins before it ends"):
        write_excerpt(played, tmp_path / "x", 6_000, 6_000, KEYS.public)
    House(Store(tmp_path / "new.db"), KEYS, lambda: 0).close()
    with pytest.raises(BadValue, match="there is none at all yet"):
        write_excerpt(tmp_path / "new.db", tmp_path / "x", *ALWAYS, KEYS.public)
    assert not (tmp_path / "x").exists()


def test_without_the_public_key_no_excerpt_is_written(played: Path, tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="public key is not there"):
        write_excerpt(played, tmp_path / "x", *ALWAYS, None)
    assert not (tmp_path / "x").exists()


def test_nothing_is_overwritten(played: Path, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a letter")
    with pytest.raises(StoreError, match="is there already"):
        write_excerpt(played, tmp_path / "x", *ALWAYS, KEYS.public)
    assert (tmp_path / "x").read_text() == "a letter"


@pytest.mark.rule("F-16")
def test_records_that_were_changed_give_no_excerpt(played: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(played, tmp_path / "r.db"))
    with in_hand(path) as file:
        file.execute("UPDATE commits SET command = CAST(command || ' ' AS BLOB) WHERE id = 20")
    with pytest.raises(BrokenRecords, match="What the house has signed is not what is there up to commit 41"):
        write_excerpt(path, tmp_path / "x", 1_004, 1_040, KEYS.public)
    assert not (tmp_path / "x").exists()


# Forgeries.


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every field of a line, however deep."""
    if isinstance(value, dict):
        for key, held in value.items():
            yield from leaves(held, (*path, key))
    elif isinstance(value, list):
        for at, held in enumerate(value):
            yield from leaves(held, (*path, at))
    else:
        yield path


def altered(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value:
            return value[:-1] + ("0" if value[-1] != "0" else "1")
    return "0"


UNSEEN = {"since", "until"}
"""What was asked for is not signed: where the same commits answer both questions, both answers are true."""


@pytest.mark.rule("F-16")
def test_whoever_changes_any_field_of_any_line_is_found(excerpt: Path, tmp_path: Path) -> None:
    lines = read_lines(excerpt)
    tried = 0
    for number, line in enumerate(lines):
        for path in leaves(line):
            if number == 0 and path[0] in UNSEEN:
                continue
            forged = msgspec.json.decode(msgspec.json.encode(lines))
            held = forged[number]
            for key in path[:-1]:
                held = held[key]
            held[path[-1]] = altered(held[path[-1]])
            assert problems(written(tmp_path / "forged", forged)), (number, path)
            tried += 1
    assert tried > 500


@pytest.mark.rule("F-16")
@given(st.data())
def test_whoever_changes_any_byte_is_found(excerpt: Path, data: st.DataObject) -> None:
    text = bytearray(excerpt.read_bytes())
    asked = text.index(b'"since"'), text.index(b'"first"')
    at = data.draw(st.integers(0, len(text) - 1).filter(lambda n: not asked[0] <= n < asked[1]))
    text[at] ^= data.draw(st.integers(1, 255))
    forged = excerpt.with_name("forged")
    forged.write_bytes(bytes(text))
    assert problems(forged)


@pytest.mark.rule("F-16")
@given(st.data())
def test_whoever_removes_repeats_or_moves_lines_is_found(excerpt: Path, data: st.DataObject) -> None:
    lines = excerpt.read_bytes().splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    to = data.draw(st.integers(0, len(lines) - 1).filter(lambda n: n != at))
    match data.draw(st.sampled_from(["remove", "repeat", "swap", "cut before", "cut after"])):
        case "remove":
            del lines[at]
        case "repeat":
            lines.insert(to, lines[at])
        case "swap":
            lines[at], lines[to] = lines[to], lines[at]
        case "cut before":
            lines = lines[at + 1 :]
        case "cut after":
            lines = lines[:at]
    forged = excerpt.with_name("forged")
    forged.write_bytes(b"".join(lines))
    assert problems(forged)


def link_at(excerpt: Path, number: int) -> str:
    """The link after the first so many commits of an excerpt, as anybody can compute it."""
    link: str
    (link,) = (link for _, link in read_lines(excerpt)[0]["chains"].values())
    for line in excerpt.read_bytes().splitlines(keepends=True)[1 : number + 1]:
        commit = read_commit(line)
        link = link_after(commit.hash_after(link), commit.signature)
    return link


def counted(lines: Lines) -> Lines:
    """The header as somebody would make it who knows how."""
    header, *made, _ = lines
    events = [event for line in made for event in line["events"]]
    header |= {
        "first": made[0]["time"],
        "last": made[-1]["time"],
        "commits": len(made),
        "events": len(events),
        "entries": sum(len(event["entries"]) for event in events),
    }
    return lines


@pytest.mark.rule("F-16")
def test_a_beginning_that_was_cut_off_by_somebody_who_knows_how_is_found(excerpt: Path, tmp_path: Path) -> None:
    lines = read_lines(excerpt)
    lines[0]["chains"] = {"main": [lines[5]["number"], link_at(excerpt, 5)]}
    del lines[1:6]
    found = problems(written(tmp_path / "forged", counted(lines)))
    assert len(found) == 1 and found[0].startswith("The beginning is cut off: the first commit is of the range")


def with_last(lines: Lines, keep: int, excerpt: Path) -> Lines:
    """Cut after a commit that carries a signature, with the last line that belongs to it."""
    last = read_commit(excerpt.read_bytes().splitlines(keepends=True)[keep])
    signed = group_hash(last.chain, last.number, last.hash_after(link_at(excerpt, keep - 1)), last.others)
    head = {"chain": last.chain, "commit": last.number, "group": last.number, "hash": signed}
    return counted([*lines[: keep + 1], {"signed": {**head, "signature": last.signature.hex()}}])


@pytest.mark.rule("F-16")
def test_an_end_that_was_cut_off_reads_as_one_where_the_records_ended_and_no_better(
    excerpt: Path, tmp_path: Path
) -> None:
    report = verify_excerpt(written(tmp_path / "cut", with_last(read_lines(excerpt), 20, excerpt)), KEYS.public)
    assert report.problems == []
    assert any(note.startswith("The records ended inside the range when this was written") for note in report.notes)
    assert not any("ended inside" in note for note in verify_excerpt(excerpt, KEYS.public).notes)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    ("name", "by", "said"),
    [
        ("since", -5, "The beginning is cut off"),
        ("since", 5, "It begins earlier than the range"),
        ("until", -5, "It ends later than the range"),
        ("since", 1_000_000, "No commit here is of the range"),
        ("commits", 1, "The header counts 39 commits; there are 38."),
        ("events", -1, "The header counts"),
        ("entries", 1, "The header counts"),
        ("first", 1, "The header says that it goes from"),
        ("last", 1, "The header says that it goes from"),
    ],
)
def test_a_header_is_checked_and_not_believed(excerpt: Path, tmp_path: Path, name: str, by: int, said: str) -> None:
    lines = read_lines(excerpt)
    lines[0][name] += by
    assert problems(written(tmp_path / "forged", lines))[0].startswith(said)


@pytest.mark.rule("F-16")
def test_a_range_that_is_said_to_have_been_longer_shows_at_the_end(excerpt: Path, tmp_path: Path) -> None:
    """The last commit is then one of the range: so the note says that what follows is not known."""
    lines = read_lines(excerpt)
    lines[0]["until"] += 5
    assert any("ended inside the range" in n for n in verify_excerpt(written(tmp_path / "x", lines), KEYS.public).notes)


def anew(lines: Lines, sign: Callable[[bytes], bytes]) -> Lines:
    """Everything written anew after a change, with every hash right, and signatures by somebody."""
    header, *made, _ = lines
    chains = {chain: (number, link) for chain, (number, link) in header["chains"].items()}
    heads: dict[str, str] = {}
    out: Lines = [header]
    for line in made:
        for event in line["events"]:
            event["previous"] = heads.get(event["stream"], event["previous"])
            record = read_commit(line_of(read_loose(line))).records[line["events"].index(event)]
            event["hash"] = heads[event["stream"]] = msgspec.structs.replace(
                record, previous=event["previous"]
            ).true_hash
        commit = read_loose(line)
        _, link = chains.get(commit.chain, (0, FIRST))
        hash = commit.hash_after(link)
        signed = group_hash(commit.chain, commit.number, hash, commit.others)
        if line["signature"]:
            line["signature"] = sign(signed_message(signed)).hex()
        chains[commit.chain] = commit.number, link_after(hash, bytes.fromhex(line["signature"]))
        head = {"chain": commit.chain, "commit": commit.number, "group": commit.number, "hash": signed}
        out.append(line)
    return [*out, {"signed": {**head, "signature": out[-1]["signature"]}}]


def read_loose(line: dict[str, Any]) -> Commit:
    return read_commit(msgspec.json.encode(line) + b"\n")


@pytest.mark.rule("F-16")
def test_what_another_key_has_signed_is_found_however_well_it_is_made(excerpt: Path, tmp_path: Path) -> None:
    lines = read_lines(excerpt)
    lines[7]["command"] = lines[7]["command"] + " "
    forged = anew(lines, THIEF.sign)
    found = problems(written(tmp_path / "forged", forged))
    assert len(found) == 1 and found[0].startswith("What the house has signed is not what is there: commit 4")
    forged[0]["public"] = THIEF.public
    (said,) = problems(written(tmp_path / "forged", forged))
    assert said.startswith(f"It is signed with the key {THIEF.public}, which is not the house's")
    report = verify_excerpt(tmp_path / "forged", None)
    assert report.ok and any(THIEF.public in note for note in report.notes)  # nothing to compare it with


@pytest.mark.rule("F-21")
def test_cards_and_dice_of_rounds_that_lie_wholly_inside_are_checked(tmp_path: Path) -> None:
    time = count(1_000)
    house = House(Store(tmp_path / "r.db"), KEYS, lambda: next(time))
    house.open_table(yo())
    house.open_table(one_for_the_money())
    for table, spot in (("yo", "play"), ("money", "ante")):
        player, _ = house.people.guest()
        house.command(table, player, cmd.Sit(1))
        for _ in range(60):
            state = house.live(table).table
            if state.betting and not state.has_wagers(1):
                house.command(table, player, cmd.Place(spot, 500))
            if state.betting:
                house.command(table, player, cmd.Ready())
            elif isinstance(state.step, steps.Choose) and state.to_act:
                house.command(table, player, cmd.Choose(state.step.options[0].name))
            elif (due := house.due(table)) is not None:
                house.deal_on(table, due.doing)
    house.close()
    write_excerpt(tmp_path / "r.db", tmp_path / "x", *ALWAYS, KEYS.public)
    report = verify_excerpt(tmp_path / "x", KEYS.public)
    assert report.problems == []
    assert report.rounds >= 4 and report.openings >= 10
    for what in ('{\\"kind\\":\\"dice\\",\\"faces\\":[', '{\\"kind\\":\\"card\\",\\"card\\":\\"'):
        text = (tmp_path / "x").read_text()
        at = text.index(what) + len(what)
        other = {"1": "2"}.get(text[at], "1") if "dice" in what else {"2": "3"}.get(text[at], "2")
        lines = [msgspec.json.decode(line) for line in (text[:at] + other + text[at + 1 :]).splitlines()]
        forged = written(tmp_path / "forged", anew(lines, KEYS.sign))  # by the house itself
        assert any("are not those that are opened" in said for said in problems(forged))


@pytest.mark.rule("F-21")
def test_a_round_or_a_shoe_that_began_before_the_excerpt_is_left_out_and_that_is_said(
    excerpt: Path, played: Path, tmp_path: Path
) -> None:
    lines = read_lines(excerpt)
    ended = [line["time"] for line in lines[1:-1] if any("round ended" in e["event"] for e in line["events"])]
    write_excerpt(played, tmp_path / "x", ended[0], ended[0] + 1, KEYS.public)
    report = verify_excerpt(tmp_path / "x", KEYS.public)
    assert report.problems == [] and not report.rounds
    assert any(note.startswith("1 round has begun, or the shoe has, before the excerpt") for note in report.notes)


def test_a_file_that_is_something_else_is_no_excerpt(tmp_path: Path, played: Path) -> None:
    assert not is_excerpt(played) and not is_excerpt(tmp_path / "nothing")
    for text in ("{", "{}\n", '{"feltworks":"excerpt 2"}\n', "{\n" * 100):
        (tmp_path / "x").write_text(text)
        assert is_excerpt(tmp_path / "x")
        assert len(problems(tmp_path / "x")) == 1


# Times as people write them.


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1970-01-02", 86_400_000),
        ("1970-01-01T00:00:01.5", 1_500),
        ("1970-01-01 01:00+01:00", 0),
        ("2026-11-01T18:30Z", 1_793_557_800_000),
    ],
)
def test_a_time_is_a_date_or_a_date_with_a_time_in_utc(text: str, time: int) -> None:
    assert read_time(text) == time
    assert read_time(shown(time).removesuffix(" UTC")) == time


@pytest.mark.parametrize("text", ["yesterday", "", "2026-13-01", "12:00", "1.11.2026"])
def test_what_is_no_time_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadValue, match=r"is no time; write a date such as 2026-11-01"):
        read_time(text)


def test_a_time_that_no_calendar_has_is_shown_as_it_stands_there() -> None:
    assert shown(10**20) == f"{10**20} ms"
