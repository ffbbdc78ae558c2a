"""The shape of a game.toml: what a game's folder says about it, checked when it is loaded."""

from datetime import date
from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from feltworks.kit.cards import RANKS, SUITS
from feltworks.kit.errors import FeltworksError
from feltworks.kit.odds import parse_pay
from feltworks.kit.paytable import PayTable

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Venue = Literal["card room", "tribal casino", "training"]


def _pay_text(text: Any) -> Any:
    """Odds are text in a game.toml; say so in the kit's own words."""
    if not isinstance(text, str):
        raise ValueError('write the odds as text, such as "3 to 2"')
    try:
        return str(parse_pay(text))
    except FeltworksError as error:
        raise ValueError(str(error)) from None


PayText = Annotated[str, BeforeValidator(_pay_text)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Approval(_Part):
    """Who approved the game, when, for which venues, under which conditions (F-01, F-02, F-29)."""

    authority: str
    document: str
    approved: date
    rules: str
    venues: tuple[Venue, ...]
    submission: str = ""
    conditions: dict[Venue, tuple[str, ...]] = {}
    equipment: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Pack(_Part):
    """The cards a game is dealt from."""

    decks: int = Field(ge=1, le=8)
    approved_decks: tuple[int, ...] = ()
    ranks: str = Field(default=RANKS, pattern=f"^[{RANKS}]+$")
    suits: str = Field(default=SUITS, pattern=f"^[{SUITS}]+$")
    suits_alike: bool = True
    fresh_each_round: bool = False
    deepest_penetration: float | None = Field(default=None, gt=0, le=1)


class Wager(_Part):
    """A wager as it is analysed: the spots its chips lie on, when it may be made and what it needs."""

    name: str = ""
    title: str
    kind: Literal["ordinary", "contract", "one-roll"] = "ordinary"
    required: bool = False
    needs: tuple[str, ...] = ()
    windows: tuple[str, ...] = ("open",)
    spots: dict[Name, str] = {}
    opens: dict[Name, Fraction] = {}
    matters: Literal["rank", "rank and suit"] = "rank"
    analysed: bool = True
    conventions: dict[Name, str] = {}


class Reading(_Part):
    """A question the documents leave open: the answers, the first of which is the default."""

    question: str
    values: dict[str, str] = Field(min_length=2)
    sources: tuple[str, ...] = Field(min_length=1)
    rules: tuple[str, ...] = ()
    settled_by: str = ""

    @property
    def default(self) -> str:
        return next(iter(self.values))


class Version(_Part):
    """One version of a game: the wagers it offers, and where its readings differ from the defaults."""

    title: str
    wagers: tuple[str, ...] = Field(min_length=1)
    readings: dict[str, str] = {}
    approved: bool = True


class Published(_Part):
    """A printed figure, in percent, exactly as printed."""

    wager: str
    printed: str = Field(pattern=r"^\d+\.\d+$")
    source: str
    version: str = ""
    decks: int | None = Field(default=None, ge=1, le=8)
    pay: str = ""
    convention: str = ""


class Definition(_Part):
    """A whole game.toml."""

    name: Name
    title: str
    summary: str
    rules: str
    seats: int = Field(ge=1, le=12)
    approval: Approval | None = None
    pack: Pack | None = None
    versions: dict[Name, Version] = Field(min_length=1)
    wagers: dict[Name, Wager] = Field(min_length=1)
    pay_tables: dict[Name, dict[str, dict[str, PayText]]] = {}
    readings: dict[Name, Reading] = {}
    published: tuple[Published, ...] = ()
    layout: dict[str, Any] = {}

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
            opens = wager.get("opens", dict.fromkeys(list(spots)[:1], 1) if isinstance(spots, dict) else {})
            named[name] = {**wager, "name": name, "spots": spots, "opens": opens}
        return {**data, "wagers": named}

    @model_validator(mode="after")
    def _names_exist(self) -> Self:
        """Whatever one part calls by name, another part defines."""
        for version, v in self.versions.items():
            _known(f"versions.{version}.wagers", v.wagers, self.wagers)
            for reading, value in v.readings.items():
                _known(f"versions.{version}.readings", [reading], self.readings)
                _known(f"versions.{version}.readings.{reading}", [value], self.readings[reading].values)
        for name, wager in self.wagers.items():
            _known(f"wagers.{name}.needs", wager.needs, self.wagers)
            _known(f"wagers.{name}.opens", wager.opens, wager.spots)
        _known("pay_tables", self.pay_tables, self.wagers.keys() | self._spots())
        for i, figure in enumerate(self.published):
            _known(f"published.{i}.wager", [figure.wager], self.wagers)
            if figure.pay:
                _known(f"published.{i}.pay", [figure.pay], self.pay_tables.get(figure.wager, {}))
            if figure.version:
                _known(f"published.{i}.version", [figure.version], self.versions)
            if figure.convention:
                _known(
                    f"published.{i}.convention", [figure.convention], self.wagers[figure.wager].conventions
                )
        return self

    @model_validator(mode="after")
    def _spots_are_one_wagers(self) -> Self:
        seen: dict[str, str] = {}
        for name, wager in self.wagers.items():
            for spot in wager.spots:
                if spot in seen:
                    raise PathError(f"wagers.{name}.spots", f"{spot!r} is a spot of {seen[spot]!r} already")
                seen[spot] = name
        return self

    def _spots(self) -> set[str]:
        return {spot for wager in self.wagers.values() for spot in wager.spots}

    def tables(self, wager: str) -> dict[str, PayTable]:
        return {
            name: PayTable.from_mapping(name, lines) for name, lines in self.pay_tables.get(wager, {}).items()
        }


class PathError(ValueError):
    """An error that knows the path of the entry it is about."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


def _known(path: str, names: Any, allowed: Any) -> None:
    for name in names:
        if name not in allowed:
            raise PathError(
                path, f"{name!r} is not defined; defined are: {', '.join(sorted(allowed)) or 'none'}"
            )
