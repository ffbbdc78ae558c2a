"""Whether a person's details are those of an entry of the self-exclusion list (F-15): the same, which binds at once, or
alike, which somebody has to look at."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from feltworks.floor.exclusion.list_file import Row

LONGEST_SIMILAR = 40
"""Characters: a longer document number is looked for as it is, and no document has one."""
DASHES = "-‐‑‒–—−_/"
"""What people write between two names."""


class Details(msgspec.Struct, frozen=True):
    """Who a person is: the full name, the date of birth as 1980-12-31, and the number of a document."""

    name: str
    born: str
    document: str = ""


class Match(NamedTuple):
    row: Row
    exact: bool
    why: str
    """In words, for whoever has to decide."""


def same_name(text: str) -> str:
    """A name as it is compared: without capitals, accents and punctuation, in the order in which it is given."""
    while (after := _plain(text)) != text:
        text = after
    return text


def _plain(text: str) -> str:
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    spaced = "".join(" " if sign in DASHES else sign for sign in apart)
    return " ".join("".join(sign for sign in spaced if sign.isalnum() or sign.isspace()).split())


def same_document(text: str) -> str:
    """The number of a document as it is compared: without blanks, hyphens and the like."""
    return same_name(text).replace(" ", "")


class Matcher:
    """All entries of a list, to be found by what they have in common with somebody."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._documents, self._names = defaultdict[str, list[Row]](list), defaultdict[str, list[Row]](list)
        self._born, self._similar = defaultdict[str, list[tuple[str, Row]]](list), defaultdict[str, list[Row]](list)
        for row in rows:
            name = same_name(row.name)
            self._names[name].append(row)
            self._born[row.born].append((name, row))
            if document := same_document(row.document):
                self._documents[document].append(row)
                for less in _with_one_less(document):
                    self._similar[less].append(row)

    def matches(self, details: Details) -> list[Match]:
        """Entries that name this person, first those that certainly do; each once."""
        name, document = same_name(details.name), same_document(details.document)
        found: dict[Row, Match] = {}

        def add(rows: Iterable[Row], exact: bool, why: str) -> None:
            for row in rows:
                found.setdefault(row, Match(row, exact, why))

        if document:
            add(self._documents.get(document, ()), True, "the same document number")
        named = self._names.get(name, [])
        add((row for row in named if row.born == details.born), True, "the same name and date of birth")
        add((row for other, row in self._born.get(details.born, ()) if _are_similar(name, other)), False, LIKE_NAME)
        add((row for row in named if _with_day_as_month(row.born) == details.born), False, SWAPPED)
        for less in _with_one_less(document) if document else ():
            close = (row for row in self._similar.get(less, ()) if _are_close(document, same_document(row.document)))
            add(close, False, "a document number that differs in one character")
        return sorted(found.values(), key=lambda match: not match.exact)


LIKE_NAME = "the same date of birth and a similar name"
SWAPPED = "the same name, and a date of birth with day and month the other way round"


def row_digest(salt: bytes, row: Row) -> str:
    """What the journal holds of an entry: nobody finds out whom it names without the salt, which lies with the list."""
    return sha256(b"feltworks exclusion 1" + salt + msgspec.json.encode(row)).hexdigest()


def _with_day_as_month(born: str) -> str:
    year, month, day = born.split("-")
    return f"{year}-{day}-{month}"


def _with_one_less(text: str) -> set[str]:
    """The text, and all that is left of it without one of its characters: two texts that differ in one share one."""
    if len(text) > LONGEST_SIMILAR:
        return set()
    return {text, *(text[:n] + text[n + 1 :] for n in range(len(text)))}


def _are_close(one: str, other: str) -> bool:
    """Whether one character was written differently, left out, put in, or changed places with the next."""
    if len(one) == len(other):
        wrong = [n for n, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        if len(wrong) == 2 and wrong[1] == wrong[0] + 1:
            return one[wrong[0]] == other[wrong[1]] and one[wrong[1]] == other[wrong[0]]
        return len(wrong) <= 1
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return len(longer) == len(shorter) + 1 and shorter in _with_one_less(longer)


def _are_similar(one: str, other: str) -> bool:
    """Names that may be one person's: the same words in another order, one with a name more, blanks set otherwise, or
    written differently in a letter or two."""
    first, second = set(one.split()), set(other.split())
    if first <= second or second <= first:
        return True
    one, other = one.replace(" ", ""), other.replace(" ", "")
    return _is_within(1 if min(len(one), len(other)) < 8 else 2, one, other)


def _is_within(most: int, one: str, other: str) -> bool:
    """Whether at most so many characters have to be written differently, left out or put in. A list may have thousands
    of long names of one birthday: so no more is compared than it takes."""
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[same:], other[same:]
    if abs(len(one) - len(other)) > most:
        return False
    if not one or not other:
        return True
    return most > 0 and (
        _is_within(most - 1, one[1:], other[1:])
        or _is_within(most - 1, one[1:], other)
        or _is_within(most - 1, one, other[1:])
    )
