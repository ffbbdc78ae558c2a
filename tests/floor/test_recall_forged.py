"""Nobody signs the list that says where each round stands: a round is told by what its records say (F-16, F-18)."""

import shutil
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from feltworks.floor.house import House
from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.recall import replayed
from feltworks.floor.store.sqlite import Store
from feltworks.web.posted import recall
from tests.floor.forging import in_hand, play, problems
from tests.floor.killing import KEYS
from tests.floor.sitting import in_between
from tests.floor.test_house import Clock, deal, play_round, seated

WHERE = "WHERE stream = 'money' AND round = 1"
OTHER = "(SELECT {} FROM rounds AS other WHERE other.stream = 'money' AND other.round = {})"


@pytest.fixture(scope="module")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Round 1 was played, round 2 voided, round 3 played, and round 4 is being played."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    play(Store(path)).close()
    assert problems(path) == []
    return path


@pytest.fixture
def path(played_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played_once, tmp_path / "house.db"))


def started(path: Path) -> House:
    time = count(5_000)
    return House(Store(path), KEYS, lambda: next(time))


@pytest.mark.rule("F-18")
def test_every_round_is_told_while_one_is_played(path: Path) -> None:
    with closing(started(path)) as house:
        for number in (1, 2, 3, 4):
            told = recall(house, house.store, "money", number)
            assert told is not None and not told.warnings
            assert replayed(path, "money", number, KEYS.public).number == number
    assert replayed(path, "money", None, KEYS.public).unfinished == "still being played"


@pytest.mark.rule("F-16", "F-18")
@pytest.mark.parametrize(
    "change",
    [
        f"UPDATE rounds SET first = {OTHER.format('first', 2)}, last = {OTHER.format('last', 2)} {WHERE}",
        f"UPDATE rounds SET first = {OTHER.format('first', 2)} {WHERE}",
        f"UPDATE rounds SET last = {OTHER.format('last', 2)} {WHERE}",
        f"UPDATE rounds SET last = last - 3 {WHERE}",
        f"UPDATE rounds SET last = last + 1 {WHERE}",
        f"UPDATE rounds SET last = first + 200 {WHERE}",
        f"UPDATE rounds SET first = first + 5 {WHERE}",
        f"UPDATE rounds SET first = first - 1 {WHERE}",
        f"UPDATE rounds SET first = -9223372036854775808 {WHERE}",
        f"UPDATE rounds SET first = 9223372036854775807 {WHERE}",
        f"UPDATE rounds SET first = last + 1, last = first - 1 {WHERE}",
    ],
    ids=[
        *("another round", "begins with another", "ends with another", "ends early", "ends late", "ends far off"),
        *("begins late", "begins early", "begins before all", "begins after all", "back to front"),
    ],
)
def test_a_round_that_the_list_names_wrongly_is_told_to_nobody(path: Path, change: str) -> None:
    with in_hand(path) as file:
        file.execute(change)
    said = "The list of rounds is wrong about round 1 of money; run `felt verify`"
    with closing(started(path)) as house, pytest.raises(BrokenRecords, match=said):
        recall(house, house.store, "money", 1)
    with pytest.raises(BrokenRecords, match=said):
        replayed(path, "money", 1, KEYS.public)
    assert problems(path)


@pytest.mark.rule("F-16", "F-18")
def test_a_round_that_never_was_is_told_to_nobody(path: Path) -> None:
    with in_hand(path) as file:
        file.execute(f"INSERT INTO rounds SELECT stream, 77, first, last, time FROM rounds {WHERE}")
    with closing(started(path)) as house, pytest.raises(BrokenRecords, match="is wrong about round 77"):
        recall(house, house.store, "money", 77)
    for number in (77, None):
        with pytest.raises(BrokenRecords, match="is wrong about round 77"):
            replayed(path, "money", number, KEYS.public)


@pytest.mark.rule("F-16", "F-18")
def test_an_earlier_round_is_not_told_as_the_last_one(path: Path) -> None:
    with in_hand(path) as file:
        file.execute("DELETE FROM rounds WHERE stream = 'money' AND round = 4")
    with pytest.raises(BrokenRecords, match="is wrong about round 4"):
        replayed(path, "money", None, KEYS.public)


@pytest.mark.rule("F-16", "F-21")
@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM rounds WHERE round = 2",
        "DELETE FROM rounds WHERE round <= 2",
        "UPDATE rounds SET first = (SELECT first FROM rounds WHERE round = 1) WHERE round = 2",
    ],
    ids=["left out", "all left out", "led elsewhere"],
)
def test_the_shoe_of_an_earlier_round_is_not_told_for_the_one_that_was_used(tmp_path: Path, change: str) -> None:
    """Round 2 began with a new shoe, and round 3 goes on with it."""
    path, clock = tmp_path / "shoe.db", Clock()
    with closing(House(Store(path), KEYS, clock)) as house:
        house.open_table(in_between(shuffling="shoe", decks=6))
        player = seated(house, "between", clock)
        house.void("between", "a test of shoes")
        deal(house, "between", clock)
        play_round(house, "between", player, clock, [])
        assert house.live("between").table.round_number == 3
        first, second, third = (recall(house, house.store, "between", number) for number in (1, 2, 3))
        assert first is not None and second is not None and third is not None
        assert first.root != second.root == third.root
    with in_hand(path) as file:
        file.execute(change)
    with closing(started(path)) as house, pytest.raises(BrokenRecords, match="is wrong about round 2"):
        recall(house, house.store, "between", 3)
