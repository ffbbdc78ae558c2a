"""Records of the first version that somebody has changed who holds the file and the source, and not the key: nothing of
that is signed when they are taken over (F-16)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from feltworks.floor.accounts import player_account
from feltworks.floor.data_folder import RECORDS
from feltworks.floor.store.backup import copy_file
from feltworks.floor.store.sqlite import StoreError
from tests.floor.damage import rows_in
from tests.floor.test_migration import (
    KNOWN,
    _statements,
    appended,
    grant,
    house_in,
    started,
    unpacked,
    verified,
)

THIEF = "2441e3d54410492b"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The old data folder."""
    return unpacked(tmp_path / "old")


# While it is taken over.


@pytest.mark.rule("F-16")
def test_nobody_writes_an_older_file_between_its_check_and_its_signature(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody waits for the copy, which is made when everything was looked at."""

    def copied(source: apsw.Connection, to: Path) -> None:
        copy_file(source, to)
        with pytest.raises(apsw.BusyError):
            appended(folder, "house", grant(THIEF, 50_000_000))

    before = rows_in(folder / RECORDS)
    monkeypatch.setattr("feltworks.floor.store.migration.copy_file", copied)
    with started(folder) as house:
        assert not house.fault
        assert house.balance(THIEF) < KNOWN["balances"][str(player_account(THIEF))] + 10_000
    assert rows_in(folder / f"{RECORDS}.version-1") == before
    assert verified(folder).ok


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("statement", [1, 2, 3])
def test_what_somebody_writes_into_an_older_file_before_that_is_not_taken_over(folder: Path, statement: int) -> None:
    def forging(n: int, _: str) -> None:
        if n == statement:
            appended(folder, "house", grant(THIEF, 50_000_000))

    with pytest.raises(StoreError, match="was changed by somebody else while the house was open"):
        _statements(folder, forging)
    with pytest.raises(StoreError, match="older records of house that the house never signed"):
        house_in(folder)
