"""A grid of spots that all seats share. Where a wheel has a pocket for each of many spots, it is a board of numbers, on
which a spot lies among the numbers at which it wins; otherwise the spots of a wager lie side by side, and wagers on the
same numbers above each other."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from feltworks.kit.felt_seen import Seen, won_by
from feltworks.kit.game import Game

Cell = dict[str, Any]
LEAST_NUMBERS = 12
"""So many pockets with a spot of their own make a board."""
WIDE, NARROW = 15, 8
"""The most cells in a row of a grid."""
BOXES = {"wide": 7, "narrow": 4}
"""The most large ones in a row."""
LARGE, SMALL = 1.35, 1.0
OUTSIDE = 0.9
LEAST_TABLE = 3


def grid(game: Game, came: Seen) -> dict[str, Any]:
    """Its cells, each with its place and its size, on a wide screen and on a narrow one; on that a board of numbers is
    turned by a quarter, so that the first of them are at the top."""
    for wheel in game.wheels if came.spins else ():
        won = won_by(game, wheel)
        alone = {next(iter(at)): spot for spot, at in won.items() if len(at) == 1}
        if len(alone) >= LEAST_NUMBERS:
            return {"wide": _board(game, won, alone)}
    return {"wide": _rows(game, WIDE, "wide"), "narrow": _rows(game, NARROW, "narrow")}


# A board of numbers.


@dataclass
class _Numbers:
    """Where each number lies, counted in columns and rows; those before the first column have a column of their own."""

    rows: int
    at: dict[str, tuple[int, int]]
    first: list[str]

    @property
    def columns(self) -> int:
        return max(column for column, _ in self.at.values()) + 1


def _numbers(won: Mapping[str, frozenset[str]], pockets: list[str]) -> _Numbers:
    """As many rows as two neighbours are apart that are wagered on together, most often but for the next number."""
    counted = [pocket for pocket in pockets if pocket.isdecimal() and str(int(pocket)) == pocket and int(pocket) > 0]
    pairs = [sorted(int(p) for p in at) for at in won.values() if len(at) == 2 and all(p in counted for p in at)]
    apart = Counter(b - a for a, b in pairs if b - a > 1)
    rows = apart.most_common(1)[0][0] if apart else 3
    at = {number: ((int(number) - 1) // rows, rows - 1 - (int(number) - 1) % rows) for number in counted}
    return _Numbers(rows, at, [pocket for pocket in pockets if pocket not in at])


def _board(game: Game, won: Mapping[str, frozenset[str]], alone: Mapping[str, str]) -> dict[str, Any]:
    numbers = _numbers(won, sorted(alone, key=lambda name: (len(name), name)))
    cells: list[Cell] = []
    for i, pocket in enumerate(numbers.first):
        height = numbers.rows / len(numbers.first)
        cells.append(_cell(alone[pocket], pocket, 0, numbers.rows - (i + 1) * height, 1, height, "number"))
    for pocket, (column, row) in numbers.at.items():
        cells.append(_cell(alone[pocket], pocket, column + 1, row, 1, 1, "number"))
    below: dict[float, list[tuple[float, str, float]]] = {}
    for spot, at in won.items():
        if len(at) == 1:
            continue
        if (inside := _among(numbers, at)) is not None:
            cells.append({"spot": spot, "x": inside[0], "y": inside[1], "kind": "between"})
            continue
        columns = {numbers.at[p][0] for p in at if p in numbers.at}
        rows = {numbers.at[p][1] for p in at if p in numbers.at}
        if len(rows) == 1 and len(at) == numbers.columns:
            cells.append(_cell(spot, _pays(game, spot), numbers.columns + 1, min(rows), OUTSIDE * 1.2, 1, "large"))
        else:
            block = max(columns) - min(columns) + 1 if len(at) == numbers.rows * len(columns) else 0
            whole = block == len(columns) and numbers.columns % len(columns) == 0 and len(columns) * 2 < numbers.columns
            middle = sum(int(p) for p in at if p in numbers.at) / max(1, len(at))
            below.setdefault(0 if whole else 1, []).append((middle, spot, len(columns)))
    y = float(numbers.rows)
    for _, boxes in sorted(below.items()):
        width = numbers.columns / len(boxes)
        for i, (_, spot, _) in enumerate(sorted(boxes)):
            cells.append(_cell(spot, game.spot_title(spot), 1 + i * width, y, width, OUTSIDE, "large"))
        y += OUTSIDE
    placed = {cell["spot"] for cell in cells}
    left = [spot for wager in game.wagers.values() for spot in wager.spots if spot not in placed]
    for i, spot in enumerate(left):
        width = numbers.columns / len(left)
        cells.append(_cell(spot, game.spot_title(spot), 1 + i * width, y, width, OUTSIDE, "large"))
    return {**_sized(cells), "numbers": True}


def _among(numbers: _Numbers, at: frozenset[str]) -> tuple[float, float] | None:
    """The point between the numbers of a spot: in their middle; on the lower edge, where they fill their columns."""
    if len(at) > 2 * numbers.rows:
        return None
    inner = [numbers.at[pocket] for pocket in at if pocket in numbers.at]
    outer = [numbers.first.index(pocket) for pocket in at if pocket not in numbers.at]
    columns, rows = {c for c, _ in inner}, {r for _, r in inner}
    if inner and len(columns) * len(rows) != len(inner):
        return None
    if outer:
        height = numbers.rows / len(numbers.first)
        if not inner:
            return 0.5, numbers.rows - min(outer) * height - height
        if columns != {0}:
            return None
        if len(rows) == numbers.rows:
            return 1.0, float(numbers.rows)
        y, zero = (min(rows) + max(rows) + 1) / 2, numbers.rows - (outer[0] + 0.5) * height
        shared = len(outer) == 1 and any(y == numbers.rows - n * height for n in range(1, len(numbers.first)))
        return 1.0, y + (0.25 if zero > y else -0.25) * shared
    if max(columns) - min(columns) >= len(columns) or max(rows) - min(rows) >= len(rows):
        return None
    x = (min(columns) + max(columns) + 1) / 2 + 1
    return (x, float(numbers.rows)) if len(rows) == numbers.rows else (x, (min(rows) + max(rows) + 1) / 2)


# Rows of cells.


@dataclass
class _Family:
    """A wager that is made on several spots, by what tells one from the other."""

    title: str
    spots: dict[str, str] = field(default_factory=dict)


def _rows(game: Game, most: int, room: str) -> dict[str, Any]:
    families, single = _families(game)
    tables: dict[tuple[str, ...], list[_Family]] = {}
    for family in families:
        tables.setdefault(tuple(family.spots), []).append(family)
    cells: list[Cell] = []
    y = 0.0
    width = 12.0
    for columns, rows in sorted(tables.items(), key=lambda item: -len(item[1])):
        in_a_row = ceil(len(columns) / ceil(len(columns) / most))
        for start in range(0, len(columns), in_a_row):
            part = columns[start : start + in_a_row]
            each = width / in_a_row
            if len(rows) > 1:
                for i, name in enumerate(part):
                    cells.append({"heading": name, "label": _words(name), "x": i * each, "y": y, "w": each, "h": 0.7})
                y += 0.7
            for family in rows:
                for i, name in enumerate(part):
                    label = family.title if len(rows) > 1 else _words(name)
                    kind = "small" if len(rows) > 1 else "number"
                    cells.append({**_cell(family.spots[name], label, i * each, y, each, SMALL, kind), "of": name})
                y += SMALL
    for row in _even(single, BOXES[room]):
        for i, spot in enumerate(row):
            cells.append(_cell(spot, game.spot_title(spot), i * width / len(row), y, width / len(row), LARGE, "large"))
        y += LARGE
    return _sized(cells)


def _families(game: Game) -> tuple[list[_Family], list[str]]:
    found, single = [], []
    for wager in game.wagers.values():
        family = _Family(wager.title)
        for spot in wager.spots:
            rest = spot.removeprefix(wager.name).lstrip("-_")
            if rest and len(wager.spots) > LEAST_TABLE:
                family.spots[rest] = spot
            else:
                single.append(spot)
        if family.spots:
            found.append(family)
    return found, single


def _even(spots: list[str], most: int) -> Iterator[list[str]]:
    """In as few rows as they take, and those as long as each other."""
    rows = ceil(len(spots) / most)
    for row in range(rows):
        yield spots[row * len(spots) // rows : (row + 1) * len(spots) // rows]


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _cell(spot: str, label: str, x: float, y: float, w: float, h: float, kind: str) -> Cell:
    return {"spot": spot, "label": label, "x": x, "y": y, "w": w, "h": h, "kind": kind}


def _pays(game: Game, spot: str) -> str:
    """What a spot pays, where it is one thing."""
    pays = {str(line.pay) for line in game.pay_table(spot)}
    return pays.pop() if len(pays) == 1 else game.spot_title(spot)


def _sized(cells: list[Cell]) -> dict[str, Any]:
    rounded = [{k: round(v, 4) if isinstance(v, float) else v for k, v in cell.items()} for cell in cells]
    return {
        "width": max(cell["x"] + cell.get("w", 0) for cell in rounded),
        "height": max(cell["y"] + cell.get("h", 0) for cell in rounded),
        "cells": rounded,
    }
