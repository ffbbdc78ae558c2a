"""Receipts and exported heads, kept elsewhere, show what the file alone cannot: a tail that was cut, an older copy,
records that somebody with the key has written anew."""

import shutil
from contextlib import closing
from itertools import count
from pathlib import Path

import msgspec
import pytest

from feltworks.floor.accounts import Kind
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.house import House
from feltworks.floor.journal.receipts import export_head, read_signatures
from feltworks.floor.journal.records import Receipt
from feltworks.floor.keys import Keys
from feltworks.floor.refusal import Refused
from feltworks.floor.store.schema import StoreError
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.verification.verify import verify
from tests.floor.forging import by_the_house, commits, in_hand, play, rewritten
from tests.floor.killing import KEYS

OTHER = Keys(b"o" * 32, b"o" * 32)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Receipt]:
    """A house that has played, and the receipt of what came last."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    with closing(play(Store(path), rounds=1)) as house:
        receipt = house.journal.head
    assert receipt is not None
    return path, receipt


@pytest.fixture
def path(played: tuple[Path, Receipt], tmp_path: Path) -> Path:
    return Path(shutil.copy(played[0], tmp_path / "house.db"))


def opened(path: Path, keys: Keys = KEYS) -> House:
    time = count(9_000)
    return House(Store(path), keys, lambda: next(time))


def kept(to: Path, *receipts: Receipt) -> Path:
    """A file of receipts, as a player has kept the acknowledgements."""
    to.write_bytes(msgspec.json.encode(receipts if len(receipts) != 1 else receipts[0]))
    return to


def told(path: Path, *files: Path, public: str | None = KEYS.public) -> list[str]:
    """What `felt verify --receipt` finds."""
    receipts, heads = read_signatures(files)
    assert receipts
    report = verify(path, public, receipts, heads)
    assert report.receipts == len(receipts)
    return report.problems


# What is acknowledged.


@pytest.mark.rule("F-16")
def test_every_acknowledgement_carries_chain_commit_and_signature(path: Path, tmp_path: Path) -> None:
    with closing(opened(path)) as house:
        player, _ = house.people.guest()
        receipt = house.command("between", player, cmd.Sit(1), "sit")
        assert receipt == house.journal.head
        assert receipt is not None
        assert (receipt.chain, receipt.commit, receipt.group) == ("main", *[len(commits(path))] * 2)
        assert receipt.is_signed_by(KEYS.public) and not receipt.is_signed_by(OTHER.public)
        later = house.command("between", player, cmd.Leave(), "leave")
        assert later is not None and later.commit == receipt.commit + 1
        with pytest.raises(Refused):
            house.command("between", player, cmd.Leave(), "again")
    assert told(path, kept(tmp_path / "one.json", receipt)) == []
    assert told(path, kept(tmp_path / "both.json", receipt, later)) == []


@pytest.mark.rule("F-16")
def test_a_repeated_command_is_answered_with_a_receipt_that_covers_it(path: Path, tmp_path: Path) -> None:
    """After others have been carried out, and after a start."""
    with closing(opened(path)) as house:
        player, _ = house.people.guest()
        first = house.command("between", player, cmd.Sit(1), "sit")
        house.people.guest()
        again = house.command("between", player, cmd.Sit(1), "sit")
    assert first is not None and again is not None
    assert (again.commit, again.group) == (first.commit, first.group + 1)
    with closing(opened(path)) as house:
        assert house.command("between", player, cmd.Sit(1), "sit") == again
    assert told(path, kept(tmp_path / "receipts.json", first, again)) == []


@pytest.mark.rule("F-16")
def test_a_receipt_covers_everything_before_it(played: tuple[Path, Receipt], tmp_path: Path) -> None:
    """Whatever commit it is for: it is the same signature."""
    path, receipt = played
    for commit in (1, receipt.group // 2, receipt.group):
        assert told(path, kept(tmp_path / "receipt.json", msgspec.structs.replace(receipt, commit=commit))) == []


# What shows.


@pytest.mark.rule("F-16")
def test_a_tail_that_was_cut_after_an_acknowledgement_is_found(path: Path, tmp_path: Path) -> None:
    """The file as it was a moment before: nothing in it says that there was more."""
    before = Path(shutil.copy(path, tmp_path / "before.db"))
    with closing(opened(path)) as house:
        player, _ = house.people.guest()
        receipt = house.command("between", player, cmd.Sit(1), "sit")
    assert receipt is not None
    assert verify(before, KEYS.public).ok
    assert told(before, kept(tmp_path / "receipt.json", receipt)) == [
        f"Commit {receipt.commit} was acknowledged and is not there: the records end with commit {receipt.commit - 2}."
        " They were cut, or this is an older copy."
    ]


@pytest.mark.rule("F-16")
def test_an_older_copy_that_went_on_is_found(path: Path, tmp_path: Path) -> None:
    """Somebody put a backup back and the house went on from it: as many commits, and others."""
    older = Path(shutil.copy(path, tmp_path / "older.db"))
    with closing(opened(path)) as house:
        player, _ = house.people.guest()
        receipt = house.command("between", player, cmd.Sit(1), "sit")
    with closing(opened(older)) as house:
        for _ in range(5):
            house.people.guest()
    assert receipt is not None
    assert verify(older, KEYS.public).ok
    assert told(older, kept(tmp_path / "receipt.json", receipt)) == [
        f"Commit {receipt.commit} is not what was acknowledged: the records were written anew."
    ]


@pytest.mark.rule("F-16")
def test_records_that_the_key_itself_has_written_anew_are_found(
    played: tuple[Path, Receipt], path: Path, tmp_path: Path
) -> None:
    """Somebody who holds the key changes when something happened, and signs everything again."""
    anew = rewritten(path, tmp_path / "anew.db", lambda c: [msgspec.structs.replace(c, time=c.time + 1)], by_the_house)
    with in_hand(anew) as file:
        file.execute("DELETE FROM checkpoints")
        file.execute("DELETE FROM snapshots")
        file.execute("UPDATE people SET joined = joined + 1")
        file.execute("UPDATE sessions SET opened = opened + 1")
    assert verify(anew, KEYS.public).problems == []
    number = played[1].commit
    said = f"Commit {number} is not what was acknowledged: the records were written anew."
    assert told(anew, kept(tmp_path / "receipt.json", played[1])) == [said]
    assert told(anew, kept(tmp_path / "receipt.json", played[1]), public=None) == [said]


@pytest.mark.rule("F-16")
def test_the_receipt_of_another_house_is_not_taken(path: Path, tmp_path: Path) -> None:
    with closing(House(Store(tmp_path / "other.db"), OTHER, lambda: 1)) as house:
        house.people.guest()
        receipt = house.journal.head
    assert receipt is not None
    assert told(path, kept(tmp_path / "receipt.json", receipt)) == [
        "The receipt of commit 1 is not signed by this house."
    ]
    assert not told(tmp_path / "other.db", tmp_path / "receipt.json", public=OTHER.public)


@pytest.mark.rule("F-16")
def test_no_character_of_a_receipt_can_be_changed(played: tuple[Path, Receipt], tmp_path: Path) -> None:
    """But for the commit that it is for, which is one of those that it covers."""
    path, receipt = played
    for n in range(0, 64, 9):
        hash = receipt.hash[:n] + ("0" if receipt.hash[n] != "0" else "1") + receipt.hash[n + 1 :]
        assert told(path, kept(tmp_path / "receipt.json", msgspec.structs.replace(receipt, hash=hash)))
    for n in range(0, 128, 9):
        mark = receipt.signature
        mark = mark[:n] + ("0" if mark[n] != "0" else "1") + mark[n + 1 :]
        assert told(path, kept(tmp_path / "receipt.json", msgspec.structs.replace(receipt, signature=mark)))
    for change in ({"chain": "aside"}, {"group": receipt.group - 1}, {"group": receipt.group + 1}, {"group": -1}):
        assert told(path, kept(tmp_path / "receipt.json", msgspec.structs.replace(receipt, **change)))


@pytest.mark.rule("F-16")
def test_a_receipt_counts_after_the_key_was_changed(path: Path, tmp_path: Path) -> None:
    """What the old key has signed, and what the new one has."""
    keys = Keys(b"s" * 32, b"n" * 32)
    with closing(opened(path)) as house:
        house.people.guest()
        first = house.journal.head
        house.change_keys(keys)
        change = house.journal.head
        house.people.guest()
        last = house.journal.head
    assert first is not None and change is not None and last is not None
    assert [r.is_signed_by(KEYS.public) for r in (first, change, last)] == [True, True, False]
    assert last.is_signed_by(keys.public)
    receipts = kept(tmp_path / "receipts.json", first, change, last)
    assert told(path, receipts) == told(path, receipts, public=keys.public) == []


# Files of receipts.


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"Dear house",
        b"{}",
        b"[[]]",
        b"[1]",
        b"\xff\xfe",
        b'{"chain":"main","commit":1,"group":1,"hash":"00","signature":"00"}',
        b'{"chain":"main","commit":1,"group":1,"hash":"' + b"z" * 64 + b'","signature":"' + b"0" * 128 + b'"}',
        b'{"chain":"main","commit":"1","group":1,"hash":"' + b"0" * 64 + b'","signature":"' + b"0" * 128 + b'"}',
        b'{"stream":"money"}',
    ],
)
def test_a_damaged_file_of_receipts_is_told_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "receipt.json"
    file.write_bytes(content)
    with pytest.raises(StoreError, match=r"receipt\.json holds no signed heads or receipts; give a file that `felt"):
        read_signatures([file])


def test_a_receipt_cut_short_is_told_in_a_sentence(played: tuple[Path, Receipt], tmp_path: Path) -> None:
    whole = kept(tmp_path / "receipt.json", played[1]).read_bytes()
    for length in range(1, len(whole), 17):
        (tmp_path / "receipt.json").write_bytes(whole[:length])
        with pytest.raises(StoreError, match="holds no signed heads or receipts"):
            read_signatures([tmp_path / "receipt.json"])
    with pytest.raises(StoreError, match="cannot be read: No such file"):
        read_signatures([tmp_path / "nothing"])
    with pytest.raises(StoreError, match="cannot be read: Is a directory"):
        read_signatures([tmp_path])


def test_receipts_of_several_files_are_taken_together(played: tuple[Path, Receipt], tmp_path: Path) -> None:
    path, receipt = played
    files = [kept(tmp_path / "one.json", receipt), kept(tmp_path / "none.json"), kept(tmp_path / "two.json", receipt)]
    assert read_signatures(files) == ([receipt, receipt], [])
    assert told(path, *files) == []


# Exported heads.


def export(path: Path, to: Path) -> Receipt:
    head = verify(path, KEYS.public).head
    export_head(head, to)
    assert head is not None
    return head


@pytest.mark.rule("F-16")
def test_heads_that_were_exported_show_a_whole_house_written_anew(path: Path, tmp_path: Path) -> None:
    """Somebody who holds the house's own keys plays everything anew: only what is kept elsewhere tells."""
    head, other = tmp_path / "heads.json", tmp_path / "other.db"
    exported = export(path, head)
    play(Store(other), rounds=2).close()
    assert verify(other, KEYS.public).ok
    assert told(path, head) == []
    assert told(other, head) == [
        f"Commit {exported.commit} is not what was acknowledged: the records were written anew."
    ]


@pytest.mark.rule("F-16")
def test_heads_that_were_exported_show_a_file_that_is_older_than_they_are(path: Path, tmp_path: Path) -> None:
    before = Path(shutil.copy(path, tmp_path / "before.db"))
    with closing(opened(path)) as house:
        house.book(Book(Kind.FILL.value, "house", "table:money", 5, "a fill"), PROGRAM)
    number = export(path, tmp_path / "heads.json").commit
    assert told(before, tmp_path / "heads.json") == [
        f"Commit {number} was acknowledged and is not there: the records end with commit {number - 1}."
        " They were cut, or this is an older copy."
    ]


def test_a_head_is_exported_to_a_file_that_is_not_there_yet(path: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear house")
    with pytest.raises(StoreError, match=r"letter\.txt is there already; choose another name"):
        export(path, tmp_path / "letter.txt")
    with pytest.raises(StoreError, match="cannot be written: No such file"):
        export(path, tmp_path / "nowhere" / "heads.json")
    Store(tmp_path / "new.db").close()
    with pytest.raises(StoreError, match="There are no signed records yet"):
        export(tmp_path / "new.db", tmp_path / "heads.json")
    assert not (tmp_path / "heads.json").exists()
