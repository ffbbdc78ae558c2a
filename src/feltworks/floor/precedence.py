"""Which rule counts in a dispute (F-05): the order of the four kinds, and which kind a rule at a table is."""

from typing import Literal

from feltworks.kit.game import Game
from feltworks.kit.standing import NO_APPROVAL

RuleKind = Literal["state rules", "approved manufacturer's rules", "approved house rules", "Hoyle"]
PRECEDENCE: tuple[RuleKind, ...] = ("state rules", "approved manufacturer's rules", "approved house rules", "Hoyle")
"""What comes first goes before all that follows."""


def called_at(game: Game, kind: RuleKind) -> str:
    """What a kind of rules is called at a table of a game: where the game carries no approval, nothing is approved."""
    return kind if game.approval is not None else kind.removeprefix("approved ")


def kind_of(game: Game, source: str) -> str:
    """Which of them a statement of a game is, by its source: taken over from the state, chosen by the house, or of the
    maker's document. The rules of a version without an approval are none of the four."""
    if game.approval is None:
        return NO_APPROVAL
    if "WAC " in source:
        return "state rules"
    return "approved house rules" if source.startswith(("house", "the house")) else "approved manufacturer's rules"
