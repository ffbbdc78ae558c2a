"""A self-exclusion list as a file of comma-separated values (F-15): what can be read of it, and what is wrong with each
line that cannot."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

import msgspec

from feltworks.floor.refusal import Refused

COLUMNS = ("name", "date of birth", "document number", "from", "until")
LARGEST_FILE = 1_000_000
"""Bytes: some fifteen thousand entries, and no more than one connection may send at once."""
LONGEST_FIELD = 200
ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
DATES = "write it like 1980-12-31"


class Row(msgspec.Struct, frozen=True, array_like=True):
    """Whom the list names, and from which day to which; without an end for life. Dates are written as 1980-12-31."""

    name: str
    born: str
    document: str
    since: str
    until: str = ""


@dataclass(frozen=True)
class BrokenLine:
    number: int
    reason: str

    def __str__(self) -> str:
        return f"Line {self.number}: {self.reason}"


@dataclass(frozen=True)
class ListFile:
    """What was read."""

    digest: str
    """Of the file, byte by byte: by it the same file is confirmed."""
    rows: tuple[Row, ...]
    broken: tuple[BrokenLine, ...]


class _Broken(Exception):
    """Why a line cannot be read."""


def read_list(data: bytes, today: str) -> ListFile:
    """Read a file. Without its header, or in another encoding, nothing of it can be told."""
    lines = list(_lines(data))
    if not lines:
        raise Refused(f"The file is empty; its first line names the columns: {', '.join(COLUMNS)}.")
    (_, header), body = lines[0], lines[1:]
    separator = ";" if header.count(";") > header.count(",") else ","
    try:
        columns = _fields(header, separator)
    except _Broken as reason:
        raise Refused(f"The first line, which names the columns, cannot be read: {reason}") from None
    places, width = _places(columns), len(columns)
    rows: dict[Row, int] = {}
    broken: list[BrokenLine] = []
    for number, line in body:
        try:
            row = _row(line, separator, places, width, today)
            if row in rows:
                raise _Broken(f"it says the same as line {rows[row]}.")
            rows[row] = number
        except _Broken as reason:
            broken.append(BrokenLine(number, str(reason)))
    return ListFile(sha256(data).hexdigest(), tuple(rows), tuple(broken))


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers. A field has no line breaks: whoever forgets a closing quote
    would lose all that follows."""
    if len(data) > LARGEST_FILE:
        raise Refused(f"The file has {len(data):,} bytes; at most {LARGEST_FILE:,} can be imported.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        broken = data[: problem.start].count(b"\n") + 1
        raise Refused(f"Line {broken} of the file is not in UTF-8; save it as CSV in UTF-8, and try again.") from None
    if "\0" in text:
        raise Refused("The file holds bytes that are no text; save the list as CSV in UTF-8.")
    for number, line in enumerate(re.split("\r\n|\n|\r", text), 1):
        if line.strip(" \t,;"):
            yield number, line


def _fields(line: str, separator: str) -> list[str]:
    try:
        (found,) = csv.reader([line], delimiter=separator, strict=True)
    except (csv.Error, ValueError):
        raise _Broken("its quotation marks do not pair up.") from None
    return [" ".join(field.split()) for field in found]


def _places(header: list[str]) -> dict[str, int]:
    """Where each column stands, in whatever order."""
    found = {" ".join(re.split(r"[\s_]+", name.casefold())): place for place, name in enumerate(header)}
    missing = [name for name in COLUMNS if name not in found]
    if missing:
        raise Refused(f"The first line must name the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}.")
    if len(found) < len(header):
        raise Refused("The first line names a column twice.")
    return {name: found[name] for name in COLUMNS}


def _row(line: str, separator: str, places: dict[str, int], width: int, today: str) -> Row:
    fields = _fields(line, separator)
    if len(fields) != width:
        raise _Broken(f"it has {len(fields)} fields, and the first line names {width}.")
    name, born, document, since, until = (fields[places[column]] for column in COLUMNS)
    if any(len(field) > LONGEST_FIELD for field in fields):
        raise _Broken(f"a field has more than {LONGEST_FIELD} characters.")
    if not any(sign.isalpha() for sign in name):
        raise _Broken("there is no name.")
    born, since = _date(born, "date of birth"), _date(since, "from")
    row = Row(name, born, document, since, _date(until, "until") if until else "")
    if row.born > today:
        raise _Broken(f"the date of birth, {row.born}, is in the future.")
    if row.until and row.until <= row.since:
        raise _Broken(f"it would end on {row.until}, which is not after {row.since}.")
    return row


def _date(text: str, column: str) -> str:
    """A date as 1980-12-31, or as 12/31/1980 where the day cannot be taken for the month."""
    if not text:
        raise _Broken(f"{column!r} is empty; {DATES}.")
    if found := ISO.fullmatch(text):
        year, month, day = map(int, found.groups())
    elif found := AMERICAN.fullmatch(text):
        month, day, year = map(int, found.groups())
        if month != day and month <= 12 and day <= 12:
            raise _Broken(f"{column!r}, {text}, could be two dates; {DATES}.")
    else:
        raise _Broken(f"{column!r}, {text[:40]!r}, is not a date; {DATES}.")
    try:
        found_date = date(year, month, day)
    except ValueError:
        raise _Broken(f"{column!r}, {text}, is not a date; {DATES}.") from None
    if not 1900 <= year <= 2200:
        raise _Broken(f"{column!r}, {text}, is not between 1900 and 2200.")
    return found_date.isoformat()
