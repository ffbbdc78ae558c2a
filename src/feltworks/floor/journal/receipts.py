"""Signatures that are kept elsewhere: receipts of acknowledgements, and exported heads."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from feltworks.floor.journal.records import Head, Receipt
from feltworks.floor.store.schema import StoreError


def head_file(head: Receipt) -> bytes:
    """A signed head as it stands in a file."""
    return msgspec.json.format(msgspec.json.encode([head])) + b"\n"


def export_head(head: Receipt | None, to: Path) -> None:
    """Write the newest signature of records that were verified to a file that must not be there yet: it covers all of
    them."""
    if head is None:
        raise StoreError("There are no signed records yet, so there is no head to keep.")
    try:
        with to.open("xb") as file:
            file.write(head_file(head))
    except FileExistsError:
        raise StoreError(f"{to} is there already; choose another name for the heads.") from None
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}.") from None


def read_signatures(paths: Iterable[Path]) -> tuple[list[Receipt], list[Head]]:
    """Receipts and heads that were kept elsewhere: those of this version, and heads of streams of the first one."""
    receipts: list[Receipt] = []
    heads: list[Head] = []
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise StoreError(f"{path} cannot be read: {error.strerror}.") from None
        for one in _listed(path, data):
            try:
                if isinstance(one, dict) and "stream" in one:
                    heads.append(msgspec.convert(one, Head))
                else:
                    receipts.append(msgspec.convert(one, Receipt))
            except ValueError:
                raise _no_signatures(path) from None
    return receipts, heads


def _listed(path: Path, data: bytes) -> list[object]:
    try:
        found = msgspec.json.decode(data)
    except ValueError:
        raise _no_signatures(path) from None
    return found if isinstance(found, list) else [found]


def _no_signatures(path: Path) -> StoreError:
    return StoreError(
        f"{path} holds no signed heads or receipts; give a file that `felt verify --export` wrote, or the receipt of an"
        " acknowledgement."
    )
