"""What the tests of the kit share: every game, ways to play it, and how a refusal is looked at."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from feltworks import games
from feltworks.kit.cards import Card, CardSet, Seat, parse_cards
from feltworks.kit.definition import Definition
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Bonus, Game
from feltworks.kit.loader import load_folder, read_definition
from feltworks.kit.round import Round
from feltworks.kit.steps import Items, Place
from feltworks.kit.unseen import Unseen

TOYS = Path(__file__).parents[1] / "toys"

ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)
SMALL, MIDDLE, LARGE = CardSet("small", "234"), CardSet("middle", "567"), CardSet("large", "89TJQKA")


def toy(name: str) -> Game:
    return load_folder(TOYS / name)


def every_game() -> list[Game]:
    """The toys and the games of the package, each in every version and under every reading of its own."""
    toys = [load_folder(found.parent) for found in sorted(TOYS.glob("*/game.toml"))]
    loaded = [*toys, *map(games.load, games.names())]
    versions = [game.configured(version=version) for game in loaded for version in game.definition.versions]
    return [
        *versions,
        *(
            game.configured(readings={name: value})
            for game in versions
            for name, reading in game.definition.readings.items()
            for value in reading.values
            if value != game.reading(name) and not is_of_another(game, name)
        ),
    ]


def is_of_another(game: Game, reading: str) -> bool:
    """Whether a reading is of the game that this one extends."""
    return any(reading in read_definition(folder / "game.toml").readings for folder in game.folders[:-1])


def label(game: Game) -> str:
    return " ".join([game.name, game.version_name, *(f"{n}={value}" for n, value in game.other_readings.items())])


def place(seat: Seat, spot: str, amount: int | str = 1) -> Place:
    return Place(seat, spot, Fraction(amount))


def after_all(round: Round, answers: Iterable[Any]) -> Round:
    for answer in answers:
        round = round.after(answer)
    return round


def unseen_of(cards: str | Iterable[Card]) -> Unseen:
    """Just these cards are unseen."""
    listed = list(parse_cards(cards) if isinstance(cards, str) else cards)
    empty = Unseen((0,) * (13 if listed and not listed[0].has_suit else 52))
    for one in listed:
        empty = empty.plus(one)
    return empty


def with_turned_cards(round: Round) -> Unseen:
    """The unseen cards and every card that lies turned on the table: always the whole pack."""
    assert round.unseen is not None
    unseen = Unseen(round.unseen.counts)
    for face in round.cards.values():
        if face.card is not None:
            unseen = unseen.plus(face.card)
    return unseen


def one_sentence(error: BaseException) -> str:
    """The message, which must be one sentence that a person can read."""
    said = str(error)
    assert said.endswith(".")
    assert "\n" not in said
    assert ". " not in said
    return said


def state(round: Round) -> tuple[Any, ...]:
    """All that a refused answer must leave as it was, as values that later changes do not reach."""
    return (
        round.agenda,
        dict(round.wagers),
        round.contract,
        dict(round.winnings),
        dict(round.cards),
        round.unseen,
        round.dice,
        round.pocket,
        round.effects,
        round.facts,
        round.key,
    )


def refused(round: Round, answer: Any, kind: type[FeltworksError]) -> str:
    """The round refuses the answer with this kind of error and stays what it was; gives the sentence."""
    before = state(round)
    with pytest.raises(kind) as refusal:
        round.after(answer)
    assert refusal.type is kind
    assert state(round) == before
    return one_sentence(refusal.value)


def little_game(
    play: Callable[[Any], Items],
    wagers: Mapping[str, Mapping[str, Any]] | None = None,
    bonuses: Mapping[str, Bonus] | None = None,
    base: type[Round] = Round,
) -> Game:
    """A game that is made up in a test: how it is played, and its wagers (one, if none are given)."""
    offered = wagers or {"bet": {"title": "Bet"}}
    definition = Definition.model_validate(
        {
            "name": "little",
            "title": "Little",
            "summary": "Made up in a test.",
            "rules": "toy",
            "seats": 3,
            "pack": {"decks": 1},
            "versions": {"toy": {"title": "for the tests", "wagers": list(offered)}},
            "wagers": offered,
        }
    )
    return Game.standard(definition, TOYS, type("Little", (base,), {"play": play}), bonuses or {}, None)
