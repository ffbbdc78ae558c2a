"""How a game stands to its approval, and a table of it: the only place of the words that every screen, command and
record says (F-01, F-02, F-31)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # it takes long to load, and the list of games needs the words alone
    from feltworks.kit.definition import Approval, Definition, Piece, Venue, Version, Wager

AS_APPROVED = "as approved"
OTHER_READINGS = "as approved, with other readings"
OTHER_EQUIPMENT = "approved rules, other equipment"
FOR_TRAINING = "the approved rules, for training"
MODIFIED = "modified: not as approved"
NO_APPROVAL = "carries no approval"

MAKERS_OWN = "the maker's own"
"""What a table records for a piece of equipment that is the one the approval names."""


@dataclass(frozen=True)
class Standing:
    """The words, and what stands behind them, one line each."""

    words: str
    differences: tuple[str, ...] = ()
    """Pay tables, odds and decks that are not the approved ones."""
    readings: tuple[str, ...] = ()
    """Readings that are not the version's own."""
    stand_ins: tuple[str, ...] = ()
    """What does the work of equipment that the approval names."""
    ask_first: tuple[str, ...] = ()
    """Whom to ask before a modification, where there is one (F-31)."""

    @property
    def details(self) -> tuple[str, ...]:
        """All that is listed below the words."""
        return (*self.differences, *self.readings, *self.stand_ins, *self.ask_first)


class ApprovedGame(Protocol):
    """What a standing is told by. `Game` has it all."""

    @property
    def definition(self) -> "Definition": ...
    @property
    def approval(self) -> "Approval | None": ...
    @property
    def wagers(self) -> "Mapping[str, Wager]": ...
    @property
    def differences(self) -> tuple[str, ...]: ...
    @property
    def other_readings(self) -> Mapping[str, str]: ...


class ConfiguredGame(ApprovedGame, Protocol):
    """What it is introduced by besides."""

    @property
    def title(self) -> str: ...
    @property
    def version(self) -> "Version": ...
    @property
    def decks(self) -> int | None: ...


def of_definition(game: ApprovedGame) -> Standing:
    """How the rules, pay tables and decks of a game stand, wherever it is played."""
    approval, meanings = game.definition.approval, game.definition.readings
    readings = tuple(f"{name}={value}: {meanings[name].values[value]}" for name, value in game.other_readings.items())
    ask_first = approval.ask_first if approval is not None and game.differences else ()
    if game.approval is None:
        words = NO_APPROVAL
    elif game.differences:
        words = MODIFIED
    else:
        words = OTHER_READINGS if readings else AS_APPROVED
    return Standing(words, game.differences, readings, (), ask_first)


def at_table(game: ApprovedGame, venue: "Venue", equipment: Mapping[str, str]) -> Standing:
    """How a table stands that records this equipment by the names of the pieces; where it records nothing, the
    stand-in of the definition does the work. Where several words would fit, the most serious ones are said, and the
    list below tells the rest: no approval, modified, training, other equipment, other readings."""
    rules = of_definition(game)
    stand_ins = tuple(_stand_ins(game, equipment))
    words = rules.words
    if words in (AS_APPROVED, OTHER_READINGS):
        if venue == "training":
            words = FOR_TRAINING
        elif stand_ins:
            words = OTHER_EQUIPMENT
    return Standing(words, rules.differences, rules.readings, stand_ins, rules.ask_first)


def about(game: ConfiguredGame, standing: Standing | None = None) -> list[str]:
    """The game as it is configured in one line with its standing, and then whatever stands behind that; by its
    definition, where no table says otherwise."""
    standing = standing or of_definition(game)
    decks = [f"{game.decks} deck{'s' * (game.decks > 1)}"] if game.decks else []
    return [" · ".join([game.title, game.version.title, *decks, standing.words]), *standing.details]


def pieces_used(game: ApprovedGame) -> "dict[str, Piece]":
    """The pieces of equipment that the approval names and that a table with these wagers uses (D-22)."""
    pieces = game.approval.pieces if game.approval is not None else {}
    return {name: piece for name, piece in pieces.items() if not piece.wagers or game.wagers.keys() & piece.wagers}


def _stand_ins(game: ApprovedGame, equipment: Mapping[str, str]) -> Iterator[str]:
    for name, piece in pieces_used(game).items():
        used = equipment.get(name, piece.stand_in)
        if used != MAKERS_OWN:
            yield f"{name.capitalize()}: {used} (approved: {piece.equipment})"
    if game.approval is not None:
        yield from game.approval.replaced
