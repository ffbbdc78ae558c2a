"""G7: a command that is sent again is done once, and only what the house itself wrote down counts as done."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from feltworks.floor.house import House
from feltworks.floor.journal.position import Position
from feltworks.floor.journal.records import Receipt
from feltworks.floor.journal.upcasting import encode
from feltworks.floor.keys import Keys
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader, Unreadable
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.verification.verify import verify
from tests.floor.sitting import one_for_the_money

KEYS = Keys(bytes(32), bytes(range(32)))
OTHER = Keys(bytes(32), bytes(range(1, 33)))
BET = cmd.Place("ante", 500)


def opened(path: Path, keys: Keys = KEYS) -> House:
    return House(Store(path), keys, lambda: 1_000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records.db"


@pytest.fixture
def player(path: Path) -> str:
    """Somebody who has bet 5.00, and said "bet"."""
    with closing(opened(path)) as house:
        house.open_table(one_for_the_money(seats=2))
        player, _ = house.people.guest()
        house.command("money", player, cmd.Sit(1), "sit")
        house.deal_on("money", "start round")
        house.command("money", player, BET, "bet")
    return player


@pytest.mark.parametrize(
    ("table", "command"),
    [("money", cmd.Place("ante", 600)), ("money", cmd.Ready()), ("other", BET)],
    ids=["another amount", "another command", "another table"],
)
def test_another_command_under_an_id_that_was_used_is_refused(
    path: Path, player: str, table: str, command: cmd.PlayerCommand
) -> None:
    with closing(opened(path)) as house:
        house.open_table(one_for_the_money(seats=2).__replace__(id="other"))
        with pytest.raises(Refused, match="Another command had that id; send this one under an id of its own"):
            house.command(table, player, command, "bet")
        assert house.balance(player) == GRANT - 500
        assert house.command("money", player, BET, "bet") is not None


def planted(path: Path, player: str, id: int) -> None:
    """Somebody without the key lists the next wager as done, far before the end, where no start looks again."""
    with closing(apsw.Connection(str(path))) as file:
        row = f"{id}, 'main', {id}, 1, 'person:{player}', 'next', 'money', ?, randomblob(16), '', randomblob(64)"
        file.execute(f"INSERT INTO commits VALUES ({row})", (encode(BET),))


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("id", [0, -1, -1_000])
def test_a_command_that_somebody_listed_as_done_is_not_acknowledged(path: Path, player: str, id: int) -> None:
    planted(path, player, id)
    with closing(opened(path)) as house:
        assert not house.fault  # the end of the records is as it was
        with pytest.raises(Refused, match="The house is read-only"):
            house.command("money", player, BET, "next")
        assert house.fault


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("id", [0, -5])
def test_a_command_of_another_life_of_the_house_is_not_acknowledged(path: Path, player: str, id: int) -> None:
    """A backup was put back, and the house went on; a row of what was lost carries its tag still."""
    backup = path.read_bytes()
    with closing(opened(path)) as house:
        house.command("money", player, BET, "lost")
    with closing(apsw.Connection(str(path))) as file:
        ((_, *row),) = file.execute("SELECT * FROM commits WHERE command_id = 'lost'")
    path.write_bytes(backup)
    with closing(apsw.Connection(str(path))) as file:
        file.execute(f"INSERT INTO commits VALUES ({id}{', ?' * len(row)})", row)
    with closing(opened(path)) as house, pytest.raises(Refused, match="The house is read-only"):
        house.command("money", player, BET, "lost")


@pytest.mark.rule("F-16")
def test_a_command_is_not_taken_for_another_whose_row_was_changed(path: Path, player: str) -> None:
    """The row of an earlier commit, before the checkpoint: its id is not what the house wrote."""
    with closing(apsw.Connection(str(path))) as file:
        file.execute("DROP TRIGGER commits_stay_UPDATE")
        file.execute("UPDATE commits SET command_id = 'next' WHERE command_id = 'bet'")
        file.execute(
            "CREATE TRIGGER commits_stay_UPDATE BEFORE UPDATE ON commits BEGIN\n"
            "        SELECT RAISE(ABORT, 'what is recorded stays as it is');\n    END"
        )
    with closing(opened(path)) as house, pytest.raises(Refused, match="The house is read-only"):
        house.command("money", player, BET, "next")


def test_a_command_that_comes_twice_in_one_group_is_done_once_and_no_record_is_read_for_it(
    path: Path, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(opened(path)) as house:
        monkeypatch.setattr(house.journal, "check_all", lambda: pytest.fail("the whole journal is read"))
        with house.together():
            numbers = {house.give("money", player, cmd.Place("ante", 100), "twice") for _ in range(3)}
            with pytest.raises(Refused, match="Another command had that id"):
                house.give("money", player, cmd.Ready(), "twice")
        assert len(numbers) == 1
        assert house.balance(player) == GRANT - 600


def with_another_entry(path: Path) -> None:
    """The index names one more command, under "next", which leads to the wager; no row is changed."""
    with closing(apsw.Connection(str(path))) as file:
        file.execute("DROP TRIGGER commits_stay_UPDATE")
        file.execute("CREATE TABLE held AS SELECT * FROM commits")
        file.execute("UPDATE commits SET command_id = 'next' WHERE command_id = 'bet'")
        roots = "SELECT name, rootpage FROM sqlite_schema WHERE name IN ('commits', 'held')"
        pages = {row[0]: row[1] for row in file.execute(roots).fetchall()}
        file.execute("PRAGMA writable_schema = ON")
        for name, other in (("commits", "held"), ("held", "commits")):
            file.execute("UPDATE sqlite_schema SET rootpage = ? WHERE name = ?", (pages[other], name))


@pytest.mark.rule("F-16")
def test_a_command_that_only_the_index_names_is_not_acknowledged(path: Path, player: str) -> None:
    with_another_entry(path)
    with Reader(path) as store, pytest.raises(Unreadable, match="a command is listed where there is none"):
        store.done([f"person:{player}"], "next")
    assert not verify(path, KEYS.public).ok


def test_what_was_done_before_the_key_was_changed_is_still_known(path: Path, player: str) -> None:
    with closing(opened(path)) as house:
        house.change_keys(OTHER)
        assert isinstance(house.command("money", player, BET, "bet"), Receipt)
    with closing(opened(path, OTHER)) as house:
        assert isinstance(house.command("money", player, BET, "bet"), Receipt)
        assert house.balance(player) == GRANT - 500


def test_all_records_are_read_once_however_often_a_command_from_before_the_change_is_sent(
    path: Path, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may send one again: that must not cost the house all its records each time."""
    with closing(opened(path)) as house:
        house.change_keys(OTHER)
        read, follow_all = list[int](), house.journal._follow_all

        def counted(position: Position) -> int:
            read.append(position.id)
            return follow_all(position)

        monkeypatch.setattr(house.journal, "_follow_all", counted)
        for _ in range(3):
            assert isinstance(house.command("money", player, BET, "bet"), Receipt)
            assert isinstance(house.command("money", player, cmd.Sit(1), "sit"), Receipt)
            house.people.guest()
    assert len(read) == 1


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("id", [0, 99])
def test_a_command_that_is_listed_after_the_records_were_read_is_not_acknowledged(
    path: Path, player: str, id: int
) -> None:
    with closing(opened(path)) as house:
        house.change_keys(OTHER)
        assert isinstance(house.command("money", player, BET, "bet"), Receipt)
        planted(path, player, id)
        with pytest.raises(Refused, match="The house is read-only"):
            house.command("money", player, BET, "next")
