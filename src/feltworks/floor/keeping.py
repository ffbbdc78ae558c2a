"""What is kept elsewhere: copies of the records, and the signed heads that show whether a file was cut or rewritten."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from feltworks.floor.database import StoreError
from feltworks.floor.reading import Reader
from feltworks.floor.records import Head, decode_heads, encode_heads
from feltworks.floor.verifying import Report, verify


def newest_heads(path: str | Path) -> list[Head]:
    """The last signed head of each stream: kept elsewhere, it shows whatever is cut or written anew before it."""
    with Reader(path) as store:
        return list({head.stream: head for head in store.heads()}.values())


def export_heads(path: str | Path, to: Path) -> int:
    """Write the newest heads to a file that must not be there yet, and say how many there are."""
    heads = newest_heads(path)
    try:
        with to.open("xb") as file:
            file.write(encode_heads(heads))
    except FileExistsError:
        raise StoreError(f"{to} is there already; choose another name for the heads.") from None
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}.") from None
    return len(heads)


def read_heads(path: Path) -> list[Head]:
    """Heads that were kept elsewhere."""
    try:
        return decode_heads(path.read_bytes())
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise StoreError(f"{path} holds no signed heads; give a file that `felt verify --export` wrote.") from None


def backup(path: str | Path, to: str | Path) -> Report:
    """A copy of the file as it is at one moment, verified; the file may be written meanwhile."""
    to = Path(to)
    with Reader(path) as source:
        try:
            to.touch(0o600, exist_ok=False)
            try:
                with TemporaryDirectory(prefix=f".{to.name}.", dir=to.parent) as folder:
                    copy = Path(folder) / to.name
                    _copy(source.connection, copy)
                    report = verify(copy)
                    copy.replace(to)
                _sync(to.parent)
            except BaseException:
                to.unlink()
                raise
        except FileExistsError:
            raise StoreError(f"{to} is there already; choose another name for the copy.") from None
        except (OSError, apsw.Error) as error:
            raise StoreError(f"{to} cannot be written: {error}.") from None
    return report


def _copy(source: apsw.Connection, to: Path) -> None:
    """The copy is one file: it needs no log beside it to be read."""
    to.touch(0o600)
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
