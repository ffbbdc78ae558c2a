"""The shape of a game.toml: what a game's folder says about it, checked when it is loaded."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, model_validator
from pydantic.types import GetPydanticSchema
from pydantic_core import CoreSchema, core_schema

from feltworks.kit.cards import MOST_DECKS, RANKS, SUITS
from feltworks.kit.errors import FeltworksError
from feltworks.kit.layout import COLOUR_WORDS, HEX, Layout
from feltworks.kit.odds import parse_pay
from feltworks.kit.paytable import PayTable

_NAME, _RANKS, _SUITS, _PERCENT = r"^[a-z0-9][a-z0-9_-]*$", f"^[{RANKS}]+$", f"^[{SUITS}]+$", r"^\d+\.\d+$"
_POCKET = r"^[!-+\--~]([ -+\--~]{0,18}[!-+\--~])?$"
PATTERNS = {
    _NAME: "write a name of small letters, digits, - and _",
    _RANKS: f"write some of the ranks {RANKS}",
    _SUITS: f"write some of the suits {SUITS}",
    _POCKET: "write at most 20 letters, digits and signs, such as 17, 00 or $20; no comma, and no space around it",
    HEX: COLOUR_WORDS,
    _PERCENT: 'write the figure as it is printed, such as "6.07"',
}
"""What a text that must fit a pattern has to be, in words."""

Name = Annotated[str, Field(pattern=_NAME)]
Decks = Annotated[int, Field(ge=1, le=MOST_DECKS)]
ONE = Fraction(1)
DECIDED = "decided"
"""The convention by which any edge may be printed: per wager decided, pushes left out."""
PrintedFigure = Literal["edge", "element of risk", "hit frequency"]
Colour = Literal["red", "black", "green", "blue", "yellow", "white"]
Venue = Literal["card room", "tribal casino", "training"]


def _pay_text(text: Any) -> Any:
    """Odds are text in a game.toml; say so in the kit's own words."""
    if not isinstance(text, str):
        raise ValueError('write the odds as text, such as "3 to 2"')
    try:
        return str(parse_pay(text))
    except FeltworksError as error:
        raise ValueError(str(error)) from None


def _share(value: Any) -> Any:
    """A part of a unit, exactly; 0.1 is not exact."""
    if isinstance(value, int | str) and not isinstance(value, bool):
        try:
            share = Fraction(value)
        except (ValueError, ZeroDivisionError):
            share = Fraction(0)
        if share > 0:
            return share
    raise ValueError('write a whole number, or a fraction as text such as "1/2"')


ANY = "any"
DERIVED = frozenset({"name", "one_of", "any_spot"})
"""What a wager has and nobody writes: it follows from where the wager stands, and from its other entries."""


def _required(value: Any) -> Any:
    if value is True or value is False:
        return value
    raise ValueError('write true, false or "any"')


def _opens(value: Any) -> Any:
    if isinstance(value, dict):
        return value
    raise ValueError('write a table of spots with their shares of a unit, or "any"')


def _as_written(_: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """A layout is kept as it is written: what it leaves out is not said."""
    as_it_is = core_schema.plain_serializer_function_ser_schema(dict)
    return core_schema.no_info_after_validator_function(Layout.written, handler(Layout), serialization=as_it_is)


PayText = Annotated[str, BeforeValidator(_pay_text)]
Share = Annotated[Fraction, BeforeValidator(_share)]
PayLines = Annotated[dict[str, PayText], Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Piece(_Part):
    """A piece of equipment that an approval names, word for word as in its `equipment`, and what does the work where
    the maker's own is not at the table (D-22). It is used where one of `wagers` is offered; at every table, if none is
    named."""

    equipment: str
    stand_in: str
    wagers: tuple[str, ...] = ()


class Approval(_Part):
    """Who approved the game, when, for which venues, under which conditions (F-01, F-02)."""

    authority: str
    document: str
    approved: date
    rules: str
    venues: tuple[Venue, ...]
    submission: str = ""
    conditions: dict[Venue, tuple[str, ...]] = {}
    equipment: tuple[str, ...] = ()
    pieces: dict[str, Piece] = {}
    """Those of the equipment for which each table records the maker's own or a stand-in."""
    replaced: tuple[str, ...] = ()
    """What stands in for equipment at every table, where a definition does not name its pieces."""
    modifications: tuple[str, ...] = ()
    """What the document says about changing the game."""
    house_chooses: tuple[str, ...] = ()
    """The wagers that a house may leave out and still offer the game as it was approved."""
    notes: tuple[str, ...] = ()

    @property
    def ask_first(self) -> tuple[str, ...]:
        """Whom to ask before the game is changed (F-31)."""
        return f"Before any modification ask the {self.authority}.", *self.modifications


class Pack(_Part):
    """The cards a game is dealt from."""

    decks: Decks
    approved_decks: tuple[Decks, ...] = ()
    ranks: str = Field(default=RANKS, pattern=_RANKS)
    suits: str = Field(default=SUITS, pattern=_SUITS)
    suits_alike: bool = True
    fresh_each_round: bool = False
    deepest_penetration: float | None = Field(default=None, gt=0, le=1)


class Wheel(_Part):
    """A wheel that is spun, with its pockets in their order. Each is equally likely; what stands on several of them
    comes up so many times as often. The colours are how the pockets are drawn and bear on nothing."""

    pockets: tuple[Annotated[str, Field(pattern=_POCKET)], ...] = Field(min_length=2, max_length=1_000)
    colours: dict[Colour, tuple[str, ...]] = {}

    def colour_of(self, pocket: str) -> str:
        return next((colour for colour, pockets in self.colours.items() if pocket in pockets), "")


class Wager(_Part):
    """A wager as it is analysed: the spots its chips lie on, when it may be made, what it needs, and instead of which
    wagers a seat may make it. A seat is in the round with every wager that is required; where none is, with at least
    one of those that are `one_of`, written `required = "any"`. A wager of `any_spot`, written `opens = "any"`, is made
    on whichever of its spots one likes, and is a bet of its own on each. What a self-service wager has won lies beside
    it until its owner collects it. A fixed wager is one amount for everybody, from the least to the most dollars that
    are named. A spot that a decision puts chips on takes as much as lies on the first spot that opens the wager, or at
    most so many `multiples` of it (F-06). Where the figures depend on a fact of the round, such as the point, `by`
    names it. What is `on_request` is analysed only when it is asked for."""

    name: str = ""
    title: str
    kind: Literal["ordinary", "contract", "one-roll"] = "ordinary"
    required: Annotated[bool, BeforeValidator(_required)] = False
    one_of: bool = False
    needs: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    self_service: bool = False
    fixed: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]] | None = None
    windows: tuple[str, ...] = ("open",)
    spots: dict[Name, str] = Field(default={}, min_length=1)
    opens: Annotated[dict[Name, Share], BeforeValidator(_opens)] = {}
    any_spot: bool = False
    multiples: dict[Name, Share] = {}
    matters: Literal["rank", "rank and suit"] = "rank"
    alike: tuple[Annotated[str, Field(pattern=_RANKS, min_length=2)], ...] = ()
    on_request: bool = False
    by: str = ""
    conventions: dict[Name, str] = {}

    @property
    def comes_in(self) -> bool:
        """Whether it is a wager that brings a seat into the round."""
        return self.required or self.one_of

    def laid(self, stakes: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """What goes on each spot by stakes in units. They name the wager or, if it is made on any of its spots, one of
        those; by the wager's own name the first is meant."""
        units = stakes.get(self.name)
        if self.any_spot:
            first = {next(iter(self.spots)): units} if units else {}
            return {**first, **{spot: stakes[spot] for spot in self.spots if stakes.get(spot)}}
        return {spot: units if share == 1 else units * share for spot, share in self.opens.items()} if units else {}

    def without(self, gone: Collection[str]) -> "Wager":
        """The wager on a layout that does not have these spots."""
        if self.spots.keys().isdisjoint(gone):
            return self
        left = {of: {s: v for s, v in getattr(self, of).items() if s not in gone} for of in ("spots", "opens")}
        return self.model_copy(update=left)

    def on(self, spot: str) -> "Wager":
        """The bet on one spot of a wager that is made on any of them."""
        changes = {"name": spot, "title": self.spots[spot], "spots": {spot: self.spots[spot]}, "opens": {spot: ONE}}
        return self.model_copy(update={**changes, "any_spot": False})


class Reading(_Part):
    """A question the documents leave open, to their reader or to the house: the first answer is the default."""

    question: str
    values: dict[str, str] = Field(min_length=2)
    sources: tuple[str, ...] = Field(min_length=1)
    rules: tuple[str, ...] = ()
    house: bool = False
    settled_by: str = ""

    @property
    def default(self) -> str:
        return next(iter(self.values))


class Version(_Part):
    """One version of a game: the wagers it offers, the wheels it spins where not all of them are, the spots that its
    layout does not have, and where its readings differ from the defaults."""

    title: str
    wagers: tuple[str, ...] = Field(min_length=1)
    wheels: tuple[str, ...] = ()
    without_spots: tuple[str, ...] = ()
    readings: dict[str, str] = {}
    approved: bool = True


class WagerLimits(_Part):
    """The least and the most dollars of a wager at a table that is opened for the game, unless the house says
    otherwise."""

    least: Annotated[int, Field(ge=1)]
    most: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.least > self.most:
            raise ValueError(f"most is below least; write {self.least} or more for it")
        return self


class Published(_Part):
    """A printed figure, in percent, exactly as printed: which figure it is, of which wager, or of which spot where it
    is made on any of its spots, at which value of the fact that it depends on, and which readings it settles, because
    no other value gives it."""

    wager: str
    spot: str = ""
    figure: PrintedFigure = "edge"
    printed: str = Field(pattern=_PERCENT)
    source: str
    version: str = ""
    decks: Decks | None = None
    pay: str = ""
    convention: str = ""
    at: str = ""
    settles: tuple[str, ...] = ()


class Definition(_Part):
    """A whole game.toml."""

    name: Name
    title: str
    summary: str
    how_to_play: tuple[str, ...] = ()
    """For who has never seen the game: a few short lines, before all the statements."""
    rules: str
    extends: str = ""
    """The folder of a game whose wagers and readings this one has too, seen from its own."""
    seats: int = Field(ge=1, le=12)
    approval: Approval | None = None
    pack: Pack | None = None
    wheels: dict[Name, Wheel] = {}
    versions: dict[Name, Version] = Field(min_length=1)
    wagers: dict[Name, Wager] = Field(min_length=1)
    pay_tables: dict[Name, Annotated[dict[str, PayLines], Field(min_length=1)]] = {}
    readings: dict[Name, Reading] = {}
    limits: dict[Name, WagerLimits] = {}
    """By wager; they are what a table begins with, and no rule of the game."""
    published: tuple[Published, ...] = ()
    layout: Annotated[dict[str, Any], GetPydanticSchema(_as_written)] = {}
    """As it is written, checked by `Layout`."""

    @model_validator(mode="before")
    @classmethod
    def _name_wagers(cls, data: Any) -> Any:
        """A wager knows its own name, and lies on one spot of that name unless it says otherwise."""
        wagers = data.get("wagers") if isinstance(data, dict) else None
        if not isinstance(wagers, dict) or not all(isinstance(w, dict) for w in wagers.values()):
            return data
        named = {}
        for name, wager in wagers.items():
            spots = wager.get("spots", {name: wager.get("title", name)})
            lying = list(spots) if isinstance(spots, dict) else []
            any_spot, one_of = (wager.get(entry) == ANY for entry in ("opens", "required"))
            opens = dict.fromkeys(lying, 1) if any_spot else wager.get("opens", dict.fromkeys(lying[:1], 1))
            required = not one_of and wager.get("required", False)
            said = {"spots": spots, "opens": opens, "required": required}
            named[name] = {**wager, **said, "name": name, "one_of": one_of, "any_spot": any_spot}
        return {**data, "wagers": named}

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        """Whatever one part calls by name, another part defines; all that does not fit is told at once."""
        found = [
            *self._equipment_fits(),
            *self._wheels_fit(),
            *self._versions_fit(),
            *self._wagers_fit(),
            *self._figures_fit(),
            *self._layout_fits(),
        ]
        if found:
            raise PathErrors(found)
        return self

    def _equipment_fits(self) -> Iterator["Found"]:
        approval = self.approval
        for name, piece in approval.pieces.items() if approval else ():
            path = f"approval.pieces.{name}"
            if approval and piece.equipment not in approval.equipment:
                yield f"{path}.equipment", "write it as one of the texts in approval.equipment"
            yield from _unknown(f"{path}.wagers", piece.wagers, self.wagers)

    def _wheels_fit(self) -> Iterator["Found"]:
        for name, wheel in self.wheels.items():
            seen: dict[str, str] = {}
            for colour, pockets in wheel.colours.items():
                path = f"wheels.{name}.colours.{colour}"
                yield from _unknown(path, pockets, wheel.pockets)
                for pocket in pockets:
                    if seen.setdefault(pocket, colour) != colour:
                        yield path, f"{pocket!r} is {seen[pocket]} already"

    def _versions_fit(self) -> Iterator["Found"]:
        for version, v in self.versions.items():
            path = f"versions.{version}"
            yield from _unknown(f"{path}.wagers", v.wagers, self.wagers)
            for name in v.wagers:
                for needed in self.wagers[name].needs if name in self.wagers else ():
                    if needed in self.wagers and needed not in v.wagers:
                        yield (
                            f"{path}.wagers",
                            f"{name!r} needs {needed!r}, which this version does not offer",
                        )
            yield from _unknown(f"{path}.wheels", v.wheels, self.wheels)
            offered = [self.wagers[name] for name in v.wagers if name in self.wagers]
            if any(w.required for w in offered) and any(w.one_of for w in offered):
                needed = ", ".join(w.name for w in offered if w.required)
                yield f"{path}.wagers", f'`required = "any"` is for where no wager is required; here is {needed}'
            yield from _unknown(f"{path}.without_spots", v.without_spots, self._spots())
            for wager in offered:
                if wager.spots.keys() <= {*v.without_spots}:
                    yield f"{path}.without_spots", f"they leave {wager.name!r} no spot; leave it out of wagers instead"
            yield from _unknown(f"{path}.readings", v.readings, self.readings)
            for name, value in v.readings.items():
                if name in self.readings:
                    yield from _unknown(f"{path}.readings.{name}", [value], self.readings[name].values)

    def _wagers_fit(self) -> Iterator["Found"]:
        seen: dict[str, str] = {}
        for name, wager in self.wagers.items():
            yield from _unknown(f"wagers.{name}.needs", wager.needs, self.wagers)
            yield from _unknown(f"wagers.{name}.instead", wager.instead, self.wagers)
            yield from _unknown(f"wagers.{name}.opens", wager.opens, wager.spots)
            yield from _unknown(f"wagers.{name}.multiples", wager.multiples, wager.spots.keys() - wager.opens.keys())
            for spot in wager.spots if wager.any_spot else ():
                if spot in self.wagers:
                    yield f"wagers.{name}.spots", f"{spot!r} is the name of a wager; name the spot otherwise"
            ranks = "".join(wager.alike)
            if twice := "".join(sorted({rank for rank in ranks if ranks.count(rank) > 1})):
                yield f"wagers.{name}.alike", f"name each rank once; more than once: {twice}"
            for spot in wager.spots:
                if seen.setdefault(spot, name) != name:
                    yield f"wagers.{name}.spots", f"{spot!r} is a spot of {seen[spot]!r} already"
        yield from _unknown("pay_tables", self.pay_tables, self.wagers.keys() | self._spots())
        yield from _unknown("limits", self.limits, self.wagers)

    def _figures_fit(self) -> Iterator["Found"]:
        for i, figure in enumerate(self.published):
            path, wager = f"published.{i}", self.wagers.get(figure.wager)
            yield from _unknown(f"{path}.wager", [figure.wager], self.wagers)
            if figure.version:
                yield from _unknown(f"{path}.version", [figure.version], self.versions)
            yield from _unknown(f"{path}.settles", figure.settles, self.readings)
            if figure.at and figure.figure != "edge":
                yield f"{path}.at", f"a printed {figure.figure} is of the whole wager; leave this entry out"
            if figure.pay and figure.figure == "hit frequency":
                yield f"{path}.pay", "a hit frequency is told for the first pay table alone; leave this entry out"
            if wager and figure.spot:
                yield from _unknown(f"{path}.spot", [figure.spot], wager.spots if wager.any_spot else ())
            if wager and figure.pay:
                yield from _unknown(f"{path}.pay", [figure.pay], self.tables(figure.spot) or self.tables(figure.wager))
            if wager and figure.convention:
                yield from _unknown(f"{path}.convention", [figure.convention], {*wager.conventions, DECIDED})

    def _layout_fits(self) -> Iterator["Found"]:
        layout, spots = Layout.model_validate(self.layout), self._spots()
        for path, spot in layout.named_spots():
            yield from _unknown(path, [spot], spots)
        for i, words in enumerate(layout.legends):
            path = f"layout.legends.{i}"
            yield from _unknown(f"{path}.by", [words.by] if words.by else [], self.readings)
            if words.by in self.readings:
                yield from _unknown(f"{path}.of", words.of, self.readings[words.by].values)
                left = [value for value in self.readings[words.by].values if value not in words.of]
                if left:
                    yield f"{path}.of", f"say what is written for {', '.join(map(repr, left))} too"

    def _spots(self) -> set[str]:
        return {spot for wager in self.wagers.values() for spot in wager.spots}

    def tables(self, wager: str) -> dict[str, PayTable]:
        return {name: PayTable.from_mapping(name, lines) for name, lines in self.pay_tables.get(wager, {}).items()}

    def decks_of(self, figure: Published) -> int | None:
        """For how many decks a figure is printed: as many as the pack has, unless it says more; none without cards."""
        return figure.decks or (self.pack.decks if self.pack else None)


Found = tuple[str, str]
"""The path of an entry and what is wrong with it."""


class PathErrors(ValueError):
    """Entries that do not fit together, all that were found."""

    def __init__(self, found: list[Found]) -> None:
        super().__init__("; ".join(f"{path}: {said}" for path, said in found))
        self.found = found


def _unknown(path: str, names: Iterable[str], allowed: Iterable[str]) -> Iterator[Found]:
    known = sorted(allowed)
    for name in names:
        if name not in known:
            yield path, f"{name!r} is not defined; defined are: {', '.join(known) or 'none'}"
