"""What is kept for the next time, and for how long."""

import os
import time
from pathlib import Path

import pytest

from feltworks.kit.cache_folder import DAYS_UNUSED, version_folder

DAY = 24 * 60 * 60


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "feltworks"


def made(folder: Path, days_ago: float) -> Path:
    folder.mkdir(parents=True)
    (folder / "code.nbi").write_text("compiled")
    then = time.time() - days_ago * DAY
    os.utime(folder, (then, then))
    return folder


def test_only_folders_of_other_versions_that_nobody_used_for_long_are_removed(cache: Path) -> None:
    old, recent = made(cache / "compiled-old", DAYS_UNUSED + 1), made(cache / "compiled-recent", DAYS_UNUSED - 1)
    elsewhere = made(cache / "results-old", DAYS_UNUSED + 1)
    assert version_folder("compiled", "now") == cache / "compiled-now"
    assert not old.exists()
    assert recent.exists() and elsewhere.exists()


def test_a_version_that_is_used_now_and_then_is_kept(cache: Path) -> None:
    made(cache / "compiled-now", DAYS_UNUSED + 1)
    assert (version_folder("compiled", "now") / "code.nbi").exists()
    version_folder("compiled", "other")
    assert (cache / "compiled-now" / "code.nbi").exists()


def test_where_there_is_nothing_yet_nothing_is_made(cache: Path) -> None:
    version_folder("compiled", "now")
    assert not cache.exists()


def test_a_file_in_the_way_is_left_alone(cache: Path) -> None:
    cache.mkdir()
    (cache / "compiled-file").write_text("a file")
    then = time.time() - 2 * DAYS_UNUSED * DAY
    os.utime(cache / "compiled-file", (then, then))
    version_folder("compiled", "now")
    assert (cache / "compiled-file").exists()
