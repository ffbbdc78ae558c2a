"""`felt games`: what there is to play, under which approval, and everything that is said about one game."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from feltworks.cli.output import console, facts, heading, table
from feltworks.cli.situation_options import option_words
from feltworks.kit.definition import Reading
from feltworks.kit.game import Game
from feltworks.kit.standing import NO_APPROVAL

Facts = Iterator[tuple[str, RenderableType]]


def entry_json(game: Game) -> dict[str, Any]:
    """A game in a few words."""
    definition = game.definition
    return {
        "name": game.name,
        "title": game.title,
        "summary": definition.summary,
        "versions": {name: version.title for name, version in definition.versions.items()},
        "wagers": {name: wager.title for name, wager in definition.wagers.items()},
        "seats": definition.seats,
        "decks": game.decks,
        "approval": definition.approval.model_dump(mode="json") if definition.approval else None,
        "ask_first": list(definition.approval.ask_first) if definition.approval else [],
        "standing": game.standing,
        "fingerprint": game.fingerprint,
    }


def game_json(game: Game) -> dict[str, Any]:
    """Everything that a game's definition says, and the fingerprints of each version."""
    definition = game.definition.model_dump(mode="json")
    parts = ("versions", "wagers", "rules", "pack", "pay_tables", "readings", "published")
    prints = {name: game.configured(version=name).fingerprint for name in game.definition.versions}
    return {**entry_json(game), **{name: definition[name] for name in parts}, "fingerprints": prints}


def show_game(game: Game) -> None:
    screen = console()
    screen.print(Text(game.title, style="bold"), Text(game.definition.summary), sep="\n")
    for title, part in _sections(game, screen.width - 2):
        screen.print()
        screen.print(heading(title))
        screen.print(Padding(part, (0, 0, 0, 2)))


def _sections(game: Game, width: int) -> Facts:
    definition = game.definition
    yield "Game", facts(_general(game))
    if definition.approval:
        yield "Approval", facts(_approval(game))
        for venue, conditions in definition.approval.conditions.items():
            yield f"Conditions in a {venue}", _list(conditions)
    yield "Versions", facts((name, _version(game, name)) for name in definition.versions)
    yield "Wagers", _wagers(game, width)
    for spot in definition.pay_tables:
        yield f"Pay tables of {spot}", _pay_tables(game, spot, width)
    if definition.readings:
        yield "Readings", facts(row for name, r in definition.readings.items() for row in _reading(name, r))
    if definition.published:
        yield "Published figures", _published(game, width)
    yield "Fingerprints", facts(_fingerprints(game))


def _general(game: Game) -> Facts:
    pack = game.definition.pack
    approved = f" (approved: {_and(pack.approved_decks)})" if pack and pack.approved_decks else ""
    yield "name", game.name
    yield "rules", game.definition.rules
    yield "seats", f"1 to {game.definition.seats}"
    yield "decks", f"{pack.decks}{approved}" if pack else "none: it is played without cards"
    yield "standing", game.standing
    if game.situation:
        yield "advice", " ".join((f"felt advise {game.name} CARDS", *option_words(game)))


def _approval(game: Game) -> Facts:
    approval = game.definition.approval
    assert approval is not None
    yield "authority", approval.authority
    yield "document", f"{approval.document}, {approval.approved}"
    yield "rules", approval.rules
    yield "venues", _and(approval.venues)
    if approval.submission:
        yield "submission", approval.submission
    if approval.equipment:
        yield "equipment", _list(approval.equipment)
    yield "modifications", _list(approval.ask_first)
    if approval.notes:
        yield "notes", _list(approval.notes)


def _version(game: Game, name: str) -> str:
    version = game.definition.versions[name]
    parts = [f"{version.title}: {_and(version.wagers)}"]
    parts += [f"{reading}={value}" for reading, value in version.readings.items()]
    return "; ".join(parts if version.approved else [*parts, NO_APPROVAL])


def _wagers(game: Game, width: int) -> RenderableType:
    columns = ("wager", "title", "kind", "needs", "made when", "spots", "looks at")
    rows = [
        (
            name,
            wager.title,
            ("required, " if wager.required else "one of these, " if wager.one_of else "") + wager.kind,
            _and(wager.needs),
            _and(wager.windows),
            _and(wager.spots.values()),
            wager.matters if game.definition.pack else "pockets" if game.wheels else "dice",
        )
        for name, wager in game.definition.wagers.items()
    ]
    return table(columns, rows, whole=("wager", "looks at"), width=width)


def _pay_tables(game: Game, spot: str, width: int) -> RenderableType:
    tables = game.definition.tables(spot)
    lines = dict.fromkeys(line.name for pays in tables.values() for line in pays)
    rows = [(name, *(str(t.pay(name)) if name in t.names else "" for t in tables.values())) for name in lines]
    return table(("line", *tables), rows, right=tables, width=width)


def _reading(name: str, reading: Reading) -> Facts:
    yield name, Text(reading.question, style="bold")
    for value, meaning in reading.values.items():
        yield "", f"{name}={value}: {meaning}" + (" (default)" if value == reading.default else "")
    yield "", f"sources: {'; '.join(reading.sources)}"
    if reading.rules:
        yield "", f"rules: {_and(reading.rules)}"
    yield "", f"settled by: {reading.settled_by or 'nothing; it stays open'}"


def _published(game: Game, width: int) -> RenderableType:
    columns = ("wager", "figure", "version", "decks", "pay table", "convention", "printed", "source")
    first = next(iter(game.definition.versions))
    rows = [
        (
            *(f.wager, f.figure, f.version or first, str(game.definition.decks_of(f) or ""), f.pay),
            *(f.convention, f"{f.printed} %", f.source),
        )
        for f in game.definition.published
    ]
    return table(columns, rows, right=("decks", "printed"), whole=("wager", "version"), width=width)


def _fingerprints(game: Game) -> Facts:
    for name in game.definition.versions:
        yield f"definition, {name}", game.configured(version=name).fingerprint["definition"]
    yield "build", game.fingerprint["build"]


def _and(things: Iterable[object]) -> str:
    return ", ".join(map(str, things))


def _list(sentences: Iterable[str]) -> RenderableType:
    return facts(("·", sentence) for sentence in sentences)
