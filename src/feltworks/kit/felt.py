"""A felt from the rules: how the table of a game is drawn whose definition does not say it, or says a part of it.

What it must have room for is seen in rounds that are played by chance (`felt_seen`). Cards and chips of a seat lie
before it, all others in the middle. Where there are more spots than a seat has room for, all seats share a grid of
them (`felt_grid`).
"""

from collections.abc import Mapping
from hashlib import sha256
from itertools import pairwise
from typing import Any

from feltworks.kit.felt_grid import grid
from feltworks.kit.felt_seen import Seen, seen
from feltworks.kit.game import Game
from feltworks.kit.hands import capital
from feltworks.kit.odds import Odds
from feltworks.kit.paytable import PayTable

Layout = dict[str, Any]

COLOURS = ("#0f5f42", "#1c3f6e", "#5f1d3a", "#1b4d5c", "#47306b", "#24553a", "#3d3a66", "#6a2f26")
WHOLE = ("hands", "rows", "boxes")
"""What a layout has that arranges the whole of its table: such a one is drawn as it stands."""
REFINED = ("places", "spots")
MOST_IN_A_ROW, MOST_ABOVE = 5, 2
"""Of the spots of a seat, beside each other and beside its cards; where there are more, all seats share a grid."""
MOST_CARDS_IN_A_ROW = 6
LONGEST_LEGEND, LONGEST_MARK = 62, 12
ROOM, CARD, CIRCLE = 440, 100, 38
"""In a seat's frame: how wide the room of your own seat is, and a card, and the radius of a spot."""


def layout_of(game: Game) -> Layout:
    """How the table is drawn: what its definition says, and for all else what its rules show."""
    said = game.definition.layout
    if any(entry in said for entry in WHOLE):
        return dict(said)
    found = {**_derived(game)}
    spots = [spot for wager in game.wagers.values() for spot in wager.spots]
    if "grid" in found and all(_lies(said.get("spots", {}).get(spot, {})) for spot in spots):
        del found["grid"]
    if "grid" in found:
        return {**found, **said, "grid": _labelled(found["grid"], said.get("spots", {}))}
    refined = {of: _refined(found.get(of, {}), said.get(of, {})) for of in REFINED if of in found or of in said}
    return {**found, **said, **refined}


def _refined(found: Mapping[str, Layout], said: Mapping[str, Layout]) -> dict[str, Layout]:
    """Places or spots with what is said of them; one of which is said where it lies is drawn as it is said."""
    return {
        name: dict(said[name]) if _lies(said.get(name, {})) else {**found.get(name, {}), **said.get(name, {})}
        for name in {**found, **said}
    }


def _lies(entry: Layout) -> bool:
    return "x" in entry and "y" in entry


def _labelled(grid: Layout, said: Mapping[str, Layout]) -> Layout:
    """The grid with what its spots are to be called."""
    called = {spot: entry["label"] for spot, entry in said.items() if "label" in entry}
    if not called:
        return grid
    return {
        room: {
            **cells,
            "cells": [{**c, "label": called.get(c.get("spot", ""), c.get("label"))} for c in cells["cells"]],
        }
        for room, cells in grid.items()
    }


def colour_of(game: Game) -> str:
    """The colour of its felt: that of the definition, or one that goes with its name; of a wheel it is green."""
    own = COLOURS[0] if game.wheels else COLOURS[sha256(game.name.encode()).digest()[0] % len(COLOURS)]
    return str(game.definition.layout.get("felt", own))


_KEPT: dict[tuple[str, str], Layout] = {}


def _derived(game: Game) -> Layout:
    """Seen once for each fingerprint."""
    key = (game.fingerprint["definition"], game.fingerprint["build"])
    if key not in _KEPT:
        if len(_KEPT) == 256:
            _KEPT.clear()
        _KEPT[key] = derived(game)
    return _KEPT[key]


def derived(game: Game) -> Layout:
    """The felt of a game as its rules show it."""
    came = seen(game)
    found: Layout = {
        "felt": colour_of(game),
        "legends": [{"text": game.title}, *_pays(game)],
        "ready": "Spin" if came.spins else "Roll" if came.dice and not came.places else "Deal",
    }
    if came.places:
        found["places"] = _places(came.places)
    if came.dice:
        found["dice"] = {"sets": [{"name": "dice", "of": came.dice, "look": "dark"}]}
    marks = [what for what, to in came.things.items() if len(to) > 1 and max(map(len, to)) <= LONGEST_MARK]
    if marks:
        found["marks"] = marks
    main, above = _spots(game, came)
    if len(main) > MOST_IN_A_ROW or len(above) > MOST_ABOVE:
        return {**found, "grid": grid(game, came), **_cards(came.seat_cards, 0)}
    return {**found, "spots": _seat(game, main, above, came.seat_cards), **_cards(came.seat_cards, len(main + above))}


def _spots(game: Game, came: Seen) -> tuple[list[str], list[str]]:
    """Of a seat's spots those before it, placed and added by a decision, and those of bonus wagers."""
    spots = [(wager, spot) for wager in game.wagers.values() for spot in wager.spots]
    placed = [spot for wager, spot in spots if spot in wager.opens and wager.comes_in]
    added = [spot for wager, spot in spots if spot not in wager.opens]
    above = [spot for wager, spot in spots if spot in wager.opens and not wager.comes_in]
    late = [spot for spot in above if _hangs_on_a_decision(game, spot)]
    main = [*placed, *sorted(added, key=lambda spot: [*came.added, spot].index(spot)), *late]
    above = [spot for spot in above if spot not in late]
    if len(above) > MOST_ABOVE and len(main) + len(above) - MOST_ABOVE <= MOST_IN_A_ROW:
        main, above = [*main, *above[MOST_ABOVE:]], above[:MOST_ABOVE]
    return main, above


def _hangs_on_a_decision(game: Game, spot: str) -> bool:
    """Whether it is wagered in another window than the wagers with which a seat comes in, as odds behind a line are."""
    first = {window for wager in game.wagers.values() if wager.comes_in for window in wager.windows}
    return first.isdisjoint(game.wager_of(spot).windows)


def _places(came: Mapping[str, int]) -> Layout:
    """The places in the middle, in the order of the first deal, in as few rows as they take."""
    rows, lie, row = {}, 0, 1
    for name, cards in came.items():
        if lie and lie + cards > MOST_CARDS_IN_A_ROW:
            row, lie = row + 1, 0
        lie += cards
        rows[name] = {"row": row, "cards": cards, "label": capital(name)}
    return rows


def _cards(most: int, spots: int) -> Layout:
    """How the cards of a seat lie: so many side by side as there is room for."""
    if not most:
        return {}
    return {"cards": {"x": 0, "y": -118, "step": _step(most), "other": -134 if spots <= 3 else -161}}


def _step(most: int) -> float:
    return min(76, (ROOM - 180 - CARD) // (most - 1)) if most > 1 else 0


def _seat(game: Game, main: list[str], above: list[str], cards: int) -> Layout:
    """Where the spots of a seat lie: in its own frame, and in that of the other seats, which are smaller."""
    titles = [game.spot_title(spot) for spot in main]
    beside = [(len(a) + len(b)) * 3.8 + 10 for a, b in pairwise(titles)]
    most = (ROOM - 2 * max(CIRCLE, 4 * max(map(len, titles), default=0))) / max(1, len(main) - 1)
    step = max(2 * CIRCLE + 10, min(max([104, *beside]), most))
    places: dict[str, Layout] = {
        spot: {"x": round((i - (len(main) - 1) / 2) * step, 1), "y": 0} for i, spot in enumerate(main)
    }
    aside = (CARD + max(0, cards - 1) * _step(cards)) / 2 + CIRCLE + 14 if cards else step / 2
    for i, spot in enumerate(above):
        x = 0 if len(above) == 1 and not cards else (-1, 1)[i] * aside
        places[spot] = {"x": x, "y": -128, "shape": "box"}
    apart = [*above[:1], *main, *above[1:]]  # boxes stand upright beside a turned seat, so two need more room
    rows = [apart] if len(apart) <= 3 else _halves(apart)
    for number, row in enumerate(rows):
        for i, spot in enumerate(row):
            y = 6 if len(rows) == 1 else (-46, 42)[number]
            places[spot]["other"] = {"x": round((i - (len(row) - 1) / 2) * min(92, 276 / len(row)), 1), "y": y}
    return places


def _halves(spots: list[str]) -> list[list[str]]:
    half = len(spots) // 2
    return [spots[:half], spots[half:]]


def _pays(game: Game) -> list[Layout]:
    """What the wagers pay, as far as a line of print goes."""
    said: list[str] = []
    for spot, table in game.pay.items():
        if game.offers(spot) and (words := _told(game.title_of(spot), table)):
            if len(" · ".join([*said, words])) > LONGEST_LEGEND:
                break
            said.append(words)
    return [{"text": " · ".join(said), "short": said[0]}] if said else []


def _told(title: str, table: PayTable) -> str:
    odds = {line.pay for line in table if isinstance(line.pay, Odds) and line.pay.net > 0}
    if not odds or len(odds) != len({*(line.pay for line in table if getattr(line.pay, "net", 1) > 0)}):
        return ""
    best = max(odds, key=lambda pay: pay.net)
    return f"{title} {best}" if len(odds) == 1 else f"{title} up to {best}"
