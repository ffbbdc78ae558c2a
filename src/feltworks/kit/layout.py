"""The shape of `[layout]` in a game.toml: how the game looks on the felt. What it leaves out is shown by the rules."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator

HEX = r"^#[0-9a-fA-F]{6}$"
COLOUR_WORDS = 'write the colour as six figures, such as "#12396b"'


def _number(value: Any) -> int | float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise ValueError("write a number")


Number = Annotated[int | float, PlainValidator(_number)]
Coloured = Annotated[str, Field(pattern=HEX)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class At(_Entry):
    """A point."""

    x: Number
    y: Number


class Words(_Entry):
    """What is written on the cloth, and shorter where that is narrow; or one for each value of a reading."""

    text: str = ""
    short: str = ""
    by: str = ""
    of: dict[str, "Words"] = {}


class SpotEntry(_Entry):
    """Where a spot of a seat lies, also at the other seats, and what it looks like."""

    x: Number = 0
    y: Number = 0
    shape: Literal["circle", "box"] = "circle"
    label: str = ""
    note: str = ""
    twin: str = ""
    sensed: bool = False
    other: At | None = None


class PlaceEntry(_Entry):
    """Where cards lie that belong to nobody: in a row of the middle, or at a point."""

    x: Number = 0
    y: Number = 0
    row: Annotated[int, Field(ge=1, le=4)] = 1
    cards: Annotated[int, Field(ge=1)] = 1
    label: str = ""


class CardsEntry(_Entry):
    """Where a seat's own cards lie."""

    x: Number = 0
    y: Number = 0
    step: Number = 0
    other: Number = 0


class RowPlace(_Entry):
    """A place in a row before the dealer, with a light for what a reader tells."""

    row: Annotated[int, Field(ge=1, le=2)] = 1
    cards: Annotated[int, Field(ge=1)] = 1
    light: Literal["blue", "red", "gold"] | None = None
    label: str = ""
    ranks: str = ""
    words: str = ""


class Boxes(_Entry):
    """The boxes of a point, the spot that lies on the one that is marked, and the marker."""

    of: tuple[str, ...]
    spot: str
    marker: str
    on: str
    off: str


class Section(_Entry):
    spot: str
    note: str = ""


class Arc(_Entry):
    """Sections in front of all seats, and those of a narrow screen."""

    sections: tuple[Section, ...]
    narrow: tuple[Section, ...] = ()


class DiceSet(_Entry):
    name: str
    of: Annotated[int, Field(ge=1)]
    look: Literal["dark", "light"] = "dark"
    label: str = ""


class Cup(_Entry):
    """Where the cup stands: so far between two seats, or beside one that is alone."""

    between: Number
    alone: At


class DiceEntry(_Entry):
    sets: tuple[DiceSet, ...]
    cup: Cup | None = None


class Tour(_Entry):
    """What a newcomer is told."""

    goal: str = ""
    spots: str = ""
    decide: str = ""
    result: str = ""


class Layout(_Entry):
    """The whole of it."""

    felt: Coloured = "#0f5f42"
    ready: str = ""
    primary: str = ""
    legends: tuple[Words, ...] = ()
    spots: dict[str, SpotEntry] = {}
    places: dict[str, PlaceEntry] = {}
    cards: CardsEntry = CardsEntry()
    dice: DiceEntry | None = None
    marks: tuple[str, ...] = ()
    boxes: Boxes | None = None
    arc: Arc | None = None
    rows: dict[str, RowPlace] = {}
    hand: str = ""
    hands: tuple[str, ...] = ()
    insurance: str = ""
    look: str = ""
    moves: dict[str, dict[str, str]] = {}
    tour: Tour = Tour()

    def written(self) -> dict[str, Any]:
        """What is written of it, and nothing else."""
        return self.model_dump(mode="json", exclude_unset=True)

    def named_spots(self) -> Iterator[tuple[str, str]]:
        """The path of every entry that names a spot, and the spot."""
        yield from ((f"layout.spots.{spot}", spot) for spot in self.spots)
        yield from ((f"layout.spots.{spot}.twin", at.twin) for spot, at in self.spots.items() if at.twin)
        yield from (("layout.hands", spot) for spot in self.hands)
        if self.insurance:
            yield "layout.insurance", self.insurance
        if self.boxes is not None:
            yield "layout.boxes.spot", self.boxes.spot
        for section in (*self.arc.sections, *self.arc.narrow) if self.arc is not None else ():
            yield "layout.arc", section.spot
