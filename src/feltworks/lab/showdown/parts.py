"""What is kept of a showdown game that was solved: whether it is solved by its hands, what it is worth, how its wagers
end, its first decision and its chart.

Each is worked out from the whole solution, and so as a whole; what is read is held against each other. This module is
imported to look at what was kept, so the engine, which brings Numba with it, is imported only to count.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

from feltworks.kit.advice import Advice
from feltworks.kit.chart import Chart, Grid
from feltworks.kit.counted_parts import Part, Parts, Pieces, WrongCount, require
from feltworks.kit.errors import BadValue, TooLarge
from feltworks.kit.game import Game, Situation
from feltworks.lab.patience import is_patient
from feltworks.lab.showdown.naming import best_of, name_of, renamed_suits
from feltworks.lab.showdown.skeleton import Ending

if TYPE_CHECKING:
    from feltworks.lab.showdown.engine import Solved

SUITS = 4
ZERO, ONE = Fraction(0), Fraction(1)
TOO_LARGE = "too large"
"""Under this a kept side wager says why nobody waits for it."""
Endings = Mapping[Ending, Fraction]
"""How a wager ends, and how likely."""


def _solved(game: Game) -> "Solved":
    from feltworks.lab.showdown.engine import solved

    return solved(game)


# Whether the engine solves it.


def _fit(game: Game, names: Sequence[str]) -> list[Any]:
    from feltworks.lab.showdown.engine import does_not_fit

    return [does_not_fit(game)]


def _check_fit(game: Game, pieces: Pieces, parts: Parts) -> None:
    require(isinstance(pieces["because"], str), "says nothing of the fit")


def does_not_fit(parts: Parts) -> str:
    """Why a game is not solved by the hands that it declares, and what can be done; nothing where it is."""
    return str(parts("fit")["because"])


# What it is worth.


def _value(game: Game, names: Sequence[str]) -> list[Any]:
    return [str(-_solved(game).edge())]


def _check_value(game: Game, pieces: Pieces, parts: Parts) -> None:
    Fraction(pieces["value"])


def edge(parts: Parts) -> Fraction:
    """What the house keeps of the required wagers by the best strategy, per unit."""
    return -Fraction(parts("value")["value"])


def _of_value(parts: Parts, name: str) -> Pieces:
    """A part that is held against the value when it is read: so the value, which the same solution gives, is kept with
    it."""
    parts("value")
    return parts(name)


# How wagers end.


def _base(game: Game, names: Sequence[str]) -> list[Any]:
    found = _solved(game)
    endings = {name: _told(found.endings(name)) for name in sorted(found.required)}
    most = {name: str(staked) for name in endings if (staked := found.most_staked(name)) is not None}
    return [endings, most, found.plan.proof.words, found.method.words]


def _check_base(game: Game, pieces: Pieces, parts: Parts) -> None:
    required = sorted(name for name, wager in game.wagers.items() if wager.required)
    require(list(pieces["endings"]) == required, "has the ends of other wagers")
    every = [_read(rows) for rows in pieces["endings"].values()]
    worth = sum((chance * ending.net for endings in every for ending, chance in endings.items()), ZERO)
    require(worth == Fraction(parts("value")["value"]), "has ends that come to another value")
    require(set(pieces["most"]) <= set(required), "has the stakes of other wagers")
    for name, most in pieces["most"].items():
        require(Fraction(most) >= staked(_read(pieces["endings"][name])), "stakes less where it should stake most")
    require(all(isinstance(pieces[name], str) for name in ("proof", "method")), "does not say how it was counted")


def _sides(game: Game, names: Sequence[str]) -> list[Any]:
    from feltworks.lab.showdown.side_wagers import side_endings

    sides: dict[str, Any] = {}
    for name in sorted(name for name, wager in game.wagers.items() if not wager.required):
        try:
            sides[name] = _told(side_endings(_solved(game), name))
        except BadValue as reason:
            sides[name] = str(reason)
        except TooLarge as reason:
            sides[name] = {TOO_LARGE: str(reason)}
    return [sides]


def _check_sides(game: Game, pieces: Pieces, parts: Parts) -> None:
    sides = sorted(name for name, wager in game.wagers.items() if not wager.required)
    require(list(pieces["wagers"]) == sides, "has the ends of other wagers")
    for rows in pieces["wagers"].values():
        if isinstance(rows, dict):
            require(list(rows) == [TOO_LARGE], "does not say why it was not counted")
        elif not isinstance(rows, str):
            _read(rows)


def endings(game: Game, name: str, parts: Parts) -> Endings:
    """How a wager ends by the best strategy for the required ones, and how likely."""
    rows = _of_value(parts, "base")["endings"][name] if game.wager(name).required else parts("sides")["wagers"][name]
    if isinstance(rows, str):
        raise BadValue(rows)
    if isinstance(rows, dict):
        if not is_patient():
            raise TooLarge(rows[TOO_LARGE])
        from feltworks.lab.showdown.side_wagers import side_endings

        return side_endings(_solved(game), name)
    return _read(rows)


def staked(endings: Endings) -> Fraction:
    """What is staked on average and stays."""
    return sum((chance * ending.staked for ending, chance in endings.items()), ZERO)


def most_staked(name: str, parts: Parts) -> Fraction | None:
    """The same where of equal options the last is taken, if there are any."""
    most = _of_value(parts, "base")["most"].get(name)
    return None if most is None else Fraction(most)


def _told(endings: Endings) -> list[list[str]]:
    return [[end.line, str(end.net), str(end.staked), str(chance)] for end, chance in endings.items() if chance]


def _read(rows: Sequence[Sequence[str]]) -> Endings:
    found = {Ending(line, Fraction(net), Fraction(staked)): Fraction(chance) for line, net, staked, chance in rows}
    require(all(isinstance(end.line, str) and chance > 0 for end, chance in found.items()), "has impossible ends")
    require(sum(found.values(), ZERO) == ONE, "has ends that do not sum to one")
    return found


def words(parts: Parts) -> tuple[str, str]:
    """How the declaration was proved, and how the deals were counted."""
    pieces = _of_value(parts, "base")
    return pieces["proof"], pieces["method"]


# The first decision.


def _first(game: Game, names: Sequence[str]) -> list[Any]:
    from feltworks.lab.showdown.strategy_tables import rows_of

    found = _solved(game)
    hands = {row.situation: {option: str(worth) for option, worth in row.options.items()} for row in rows_of(found)}
    first = found.method.first
    if first is None or not hands:
        return [[], {}, {}]
    places = [choice for choice in found.plan.skeleton.places.values() if set(choice.seen) == set(found.plan.own)]
    seen = sorted(token.name for token in found.plan.own) if places == [found.plan.root] else []
    return [seen, dict(zip(hands, first.weights.tolist(), strict=True)), hands]


def _check_first(game: Game, pieces: Pieces, parts: Parts) -> None:
    weights, hands = pieces["weights"], pieces["hands"]
    require(list(weights) == list(hands), "has weights of other hands")
    if hands:
        best = sum((times * max(map(Fraction, hands[hand].values())) for hand, times in weights.items()), ZERO)
        require(best / sum(weights.values()) == Fraction(parts("value")["value"]), "has hands of another value")
    require(all(isinstance(name, str) for name in pieces["seen"]), "does not say which cards are seen")


def rows(parts: Parts) -> list[Advice]:
    """What each option of the first decision is worth, by hand, where the hands are few enough to be told."""
    return [_advice(hand, worth) for hand, worth in _of_value(parts, "first")["hands"].items()]


def first_advice(parts: Parts, asked: Situation) -> dict[str, Fraction] | None:
    """What each option of the first decision is worth with these cards; nothing if that was not kept, or if it is not
    the first decision that is asked about."""
    first = _of_value(parts, "first")
    if asked.wagers or asked.decisions or sorted(token.name for token in asked.cards) != first["seen"]:
        return None
    cards = [card.index for card in asked.cards.values()]
    for suits in permutations(range(SUITS)):
        worth = first["hands"].get(name_of([renamed_suits(card, suits) for card in cards]))
        if worth is not None:
            return dict(_advice("", worth).options)
    return None


def _advice(situation: str, worth: Mapping[str, str]) -> Advice:
    options = {option: Fraction(value) for option, value in worth.items()}
    return Advice(situation, options, best_of(options))


# The chart.

TOLD = ("title", "rows", "columns", "cells", "notes", "labels")
"""What is kept of a grid."""


def _chart(game: Game, names: Sequence[str]) -> list[Any]:
    from feltworks.lab.showdown.strategy_tables import chart_of

    drawn = chart_of(_solved(game))
    return [
        drawn.title,
        drawn.subtitle,
        [[getattr(grid, each) for each in TOLD] for grid in drawn.grids],
        dict(drawn.meanings),
    ]


def _check_chart(game: Game, pieces: Pieces, parts: Parts) -> None:
    try:
        chart(parts)
    except BadValue as mistake:
        raise WrongCount(f"has no chart that can be drawn: {mistake}") from mistake


def chart(parts: Parts) -> Chart:
    """The first decision as a chart."""
    pieces = parts("chart")
    grids = tuple(Grid(**dict(zip(TOLD, map(_tuples, grid), strict=True))) for grid in pieces["grids"])
    return Chart(pieces["title"], pieces["subtitle"], grids, pieces["meanings"])


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


PARTS: Mapping[str, Part] = {
    "fit": Part(("because",), _fit, _check_fit, by_piece=False),
    "value": Part(("value",), _value, _check_value, by_piece=False),
    "base": Part(("endings", "most", "proof", "method"), _base, _check_base, by_piece=False),
    "sides": Part(("wagers",), _sides, _check_sides, by_piece=False),
    "first": Part(("seen", "weights", "hands"), _first, _check_first, by_piece=False),
    "chart": Part(("title", "subtitle", "grids", "meanings"), _chart, _check_chart, by_piece=False),
}
