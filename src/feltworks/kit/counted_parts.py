"""What is counted of a game that is too large to be walked: in parts, each of which is made of pieces.

What was counted is kept in files, and a file may be old or altered. So a part is checked when it is read: all of its
pieces must fit together, and any one of them can be counted again by itself. This module imports no rules and no game:
the modules that count import it, and the hash of their code goes with every file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feltworks.kit.errors import FeltworksError

if TYPE_CHECKING:
    from feltworks.kit.game import Game

Pieces = Mapping[str, Any]
"""The pieces of a part by their names: whole numbers and text, in lists and mappings. A fraction is text."""
Parts = Callable[[str], Pieces]
"""Gives a part by its name."""


class WrongCount(FeltworksError):
    """Something that was read and cannot have been counted."""


def require(true: bool, wrong: str) -> None:
    """Refuse what was read if this is not so."""
    if not true:
        raise WrongCount(wrong)


@dataclass(frozen=True)
class Part:
    """How a part is counted, and what must be so of it."""

    names: Sequence[str]
    """Of its pieces."""
    count: "Callable[[Game, Sequence[str]], list[Any]]"
    """Counts some of its pieces."""
    check: "Callable[[Game, Pieces, Parts], None]"
    """Refuses pieces that do not fit together, or do not fit other parts."""
    by_piece: bool = True
    """Whether a piece is counted by itself. Where all of them come from one solution, none is counted again when they
    are read."""
