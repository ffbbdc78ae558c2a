"""What can go wrong, by kind. Every message is one sentence that tells a person what is allowed."""

from collections.abc import Iterable


class FeltworksError(Exception):
    """The root of all errors that a caller or a person at the keyboard can put right."""


class UnknownName(FeltworksError):
    """A game, version, wager, pay table, reading or option that does not exist."""

    def __init__(self, kind: str, given: str, allowed: Iterable[str], rules: Iterable[str] = ()) -> None:
        names, stated = ", ".join(allowed), ", ".join(rules)
        super().__init__(
            f"There is no {kind} {given!r}; choose one of: {names or '(none)'}{stated and f' ({stated})'}."
        )
        self.kind = kind
        self.given = given


class BadCard(FeltworksError):
    """Text that is not a card, or cards that cannot all be in the shoe."""


class BadOdds(FeltworksError):
    """Text that is not odds."""


class BadValue(FeltworksError):
    """A number or setting outside its range: decks, stakes, seats."""


class BadDefinition(FeltworksError):
    """A game folder that cannot be loaded; the message names file, line, path and what is allowed."""


class NotAllowed(FeltworksError):
    """An answer the rules do not allow at this step. The round is unchanged."""


class NotPossible(FeltworksError):
    """An answer that is not possible: a card that is not in the shoe, or outside the set that was read."""


class TooLarge(FeltworksError):
    """A game too large for the exact solver; the message says how large it is."""


class FaultyRules(FeltworksError):
    """A fault in a game's rules, such as a wager that they leave undecided: the message names the wager, the seat and
    the rule. The round is as it was before the answer, so that a table can return every wager (F-17)."""

    def __init__(self, said: str, *, kind: str = "fails", place: str = "") -> None:
        super().__init__(said)
        self.kind = kind
        """What kind of fault it is, in a word or two."""
        self.place = place
        """The file and line, where they are known. Records and screens of a table tell of the file its folder alone."""

    @property
    def told(self) -> str:
        """The whole sentence for whoever wrote the rules: file, line and message."""
        return f"{self.place}: {self}" if self.place else str(self)


class CardNotKnown(FeltworksError, ValueError):
    """Somebody looks at a card that is not turned."""

    def __init__(self, token: object, how: str) -> None:
        super().__init__(f"{token} is {how}")
        self.token = token
        self.how = how
        """Why it is not known: "not dealt", "sealed", or "turned to seat 1 alone"."""

    def __reduce__(self) -> tuple[type["CardNotKnown"], tuple[object, str]]:
        return type(self), (self.token, self.how)
