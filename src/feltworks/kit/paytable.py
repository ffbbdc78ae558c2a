"""Pay tables: named lines from the top, each with what it pays. Which line fits is the rules' business."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from feltworks.kit.errors import BadDefinition, BadOdds, UnknownName
from feltworks.kit.odds import PUSH, Pay, parse_pay, parse_typed_odds


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a pay table."""

    name: str
    pay: Pay


@dataclass(frozen=True, slots=True)
class PayTable:
    """The lines of one wager in printed order, which is the order in which they are tried."""

    name: str
    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        twice = [name for name in dict.fromkeys(self.names) if self.names.count(name) > 1]
        if twice:
            raise BadDefinition(f"Pay table {self.name!r} may name each line only once: {', '.join(twice)}.")

    @classmethod
    def from_mapping(cls, name: str, pays: Mapping[str, str]) -> Self:
        """A table from the text of its lines, as a game folder gives them."""
        lines = []
        for line, text in pays.items():
            try:
                lines.append(Line(line, parse_pay(text)))
            except BadOdds as error:
                raise BadOdds(f"Pay table {name!r}, line {line!r}: {error}") from error
        return cls(name, tuple(lines))

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the lines from the top."""
        return tuple(line.name for line in self.lines)

    def line(self, name: str) -> Line:
        """The line of that name."""
        for line in self.lines:
            if line.name == name:
                return line
        raise UnknownName("line", name, self.names)

    def pay(self, name: str) -> Pay:
        """What the line of that name pays."""
        return self.line(name).pay

    def with_typed_odds(self, text: str, name: str = "custom") -> Self:
        """The same lines with other pays, as in `30,12,3/2`: from the top, lines not given push.

        A comma always separates two lines here, so thousands are written without one.
        """
        pays = [parse_typed_odds(item) for item in text.split(",")]
        if len(pays) > len(self.lines):
            raise BadOdds(
                f"{len(pays)} pays are too many for the {len(self.lines)}-line pay table {self.name!r}: "
                f"{', '.join(self.names)}."
            )
        pays += [PUSH] * (len(self.lines) - len(pays))
        return type(self)(name, tuple(map(Line, self.names, pays)))

    def differences(self, other: "PayTable") -> list[str]:
        """What this table does unlike the other, one sentence a line; none if they pay alike."""
        theirs = {line.name: line.pay for line in other}
        sentences = []
        for line in self:
            if line.name not in theirs:
                sentences.append(f"{line.name} is added and {_does(line.pay)}")
            elif line.pay != theirs[line.name]:
                sentences.append(f"{line.name} {_does(line.pay)} instead of {_doing(line.pay, theirs[line.name])}")
        sentences += [f"{name} is left out" for name in other.names if name not in self.names]
        shared = [name for name in self.names if name in theirs]
        if shared != [name for name in other.names if name in self.names]:
            sentences.append(f"The lines are in another order: {', '.join(self.names)}")
        return sentences


def _does(pay: Pay) -> str:
    return "pushes" if pay == PUSH else f"pays {pay}"


def _doing(instead: Pay, pay: Pay) -> str:
    """The other half of "pays 40 to 1 instead of 30 to 1", where a push needs a verb of its own."""
    if pay == PUSH:
        return "pushing"
    return f"paying {pay}" if instead == PUSH else str(pay)
