"""Copies of the records, made while they are in use."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from feltworks.floor.store.reader import Reader
from feltworks.floor.store.schema import StoreError


def backup(path: str | Path, to: str | Path) -> None:
    """A copy of the file as it is at one moment; the file may be written meanwhile."""
    with Reader(path) as source:
        copy_file(source.connection, Path(to))


def copy_file(source: apsw.Connection, to: Path) -> None:
    with made_whole(to) as copy:
        _copy(source, copy)


@contextmanager
def made_whole(to: Path) -> Iterator[Path]:
    """A place to write a copy. It has its name only once it is whole and on the disk; nothing is overwritten."""
    try:
        to.touch(0o600, exist_ok=False)
        try:
            with TemporaryDirectory(prefix=f".{to.name}.", dir=to.parent) as folder:
                copy = Path(folder) / to.name
                copy.touch(0o600)
                yield copy
                copy.replace(to)
            _sync(to.parent)
        except BaseException:
            to.unlink()
            raise
    except FileExistsError:
        raise StoreError(f"{to} is there already; choose another name for the copy.") from None
    except (OSError, apsw.Error) as error:
        raise StoreError(f"{to} cannot be written: {error}.") from None


def _copy(source: apsw.Connection, to: Path) -> None:
    """The copy is one file: it needs no log beside it to be read."""
    copy = apsw.Connection(str(to))
    try:
        with copy.backup("main", source, "main") as pages:
            pages.step()
        copy.pragma("journal_mode", "delete")
    finally:
        copy.close()


def _sync(folder: Path) -> None:
    """Put the names of the files in a folder on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
