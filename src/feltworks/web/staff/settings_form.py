"""The form of a table's settings: what stands in its fields, and the settings that they come to (F-03).

A field has the name of its setting, such as `limits.ante.least`, so that what stands against a setting is said where it
was entered. Amounts are in dollars and times in seconds, as people write them. What nobody can read is a problem of its
field; the setting is then as it was, so that everything else can still be told.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, get_args

import msgspec
from msgspec import UNSET

from feltworks import games
from feltworks.floor.accounts import Cents
from feltworks.floor.precedence import PRECEDENCE, RuleKind
from feltworks.floor.table.payout_limits import HIGH_ODDS, highest_odds
from feltworks.floor.table.settings import DUTIES, Clocks, Fulfilled, HouseRule, Limits, TableSettings
from feltworks.floor.table.settings_check import Problem, conditions_of
from feltworks.kit.definition import Definition, Venue, Wager
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.standing import MAKERS_OWN, pieces_used
from feltworks.web.forms import Form

T = TypeVar("T")
TYPED = "typed"
"""Chosen as a pay table, it is the odds that are typed beside it. No listed table has this name."""
YES, NO = "yes", "no"
SHARED = "shared"
"""Who deals, where people and the program share the duties."""
VENUES = get_args(Venue)
FIRST_LIMITS, BONUS_LIMITS = Limits(500, 10_000), Limits(100, 2_500)
FIRST_PRIZE: Cents = 1_000_000
LASTING = {"name", "id", "venue", "dealing", "source", "chip", "rounding", "idle"}
"""What stays entered when another game is chosen; and the clocks, the duties and the rules of the house."""
MANY = 6
"""A wager on whichever of more spots than these one likes has limits once, as long as they are the same on all."""
LARGEST = 32_768
"""Bytes of the whole form."""


@dataclass(frozen=True)
class Draft:
    """Settings that somebody is about to choose."""

    settings: TableSettings
    fields: Mapping[str, str]
    """What stands in each field of the form."""
    unread: tuple[Problem, ...] = ()
    """What nobody can read."""

    @property
    def shape(self) -> str:
        """The same for two forms that have the same fields: then only what stands beside them changes."""
        typed = [name for name, value in self.fields.items() if name.startswith("pay.") and value == TYPED]
        said = [self.settings.game, self.settings.version, self.settings.venue, *self.fields, *typed]
        return hashlib.sha256("\n".join(map(str, said)).encode()).hexdigest()[:12]


@cache
def definitions() -> dict[str, Definition]:
    """Every game that a table can be opened for, those with an approval first."""
    found = [game.definition for game in games.describe_all()]
    found.sort(key=lambda definition: (definition.approval is None, definition.title.casefold()))
    return {definition.name: definition for definition in found}


@cache
def loaded(name: str) -> Game:
    """A game to look at: loading it takes longer than all the rest. Whoever opens a table loads it anew."""
    return games.load(name)


def game_of(settings: TableSettings) -> Game:
    """The game with whatever of these settings is possible."""
    game, _ = settings.load_parts(loaded(settings.game))
    assert game is not None
    return game


# What a new table has at first.


def first_settings(game: Game, taken: Collection[str] = ()) -> TableSettings:
    """A training table of a game, as its definition has it first; its name is not one of those taken."""
    name = first_name(game.title, taken)
    return TableSettings(
        id_of(name),
        name,
        game.name,
        {spot: first_limits(game, wager) for wager in game.wagers.values() for spot in wager.opens},
        version=game.version_name,
        prize=FIRST_PRIZE if game.jackpots else None,
        seats=min(5, game.definition.seats),
        clocks=Clocks(absent=10_000),
    )


def first_limits(game: Game, wager: Wager) -> Limits:
    """Those of the definition, or usual ones."""
    if (defined := game.definition.limits.get(wager.name)) is not None:
        return Limits(100 * defined.least, 100 * defined.most)
    if wager.fixed:
        return Limits(100 * wager.fixed[0], 100 * wager.fixed[0])
    return BONUS_LIMITS if wager.needs else FIRST_LIMITS


def limits_told(settings: TableSettings, game: Game) -> Iterator[tuple[str, list[str], Limits]]:
    """Limits as they are entered and read, with the spots that they are for: those of a wager on any of many spots are
    told once for all, by its title."""
    for wager in game.wagers.values():
        found = {spot: settings.limits.get(spot, first_limits(game, wager)) for spot in wager.opens}
        if len(found) > MANY and len(set(found.values())) == 1:
            yield wager.title, [*found], next(iter(found.values()))
        else:
            yield from ((wager.spots[spot], [spot], limits) for spot, limits in found.items())


def first_name(title: str, taken: Collection[str]) -> str:
    """The game with the first number that no table has."""
    ids = {id_of(name) for name in taken} | set(taken)
    return next(name for n in range(1, len(ids) + 2) if id_of(name := f"{title} {n}") not in ids)


def id_of(name: str) -> str:
    """What a table is called in addresses and records."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().replace("'", "").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:32].strip("-")


# What stands in the fields.


def fields_of(settings: TableSettings, game: Game) -> dict[str, str]:
    """The fields of the form for these settings, filled in."""
    return dict(_fields(settings, game))


def _fields(settings: TableSettings, game: Game) -> Iterator[tuple[str, str]]:
    yield "game", game.name
    yield "version", game.version_name
    yield "name", settings.name
    yield "id", "" if settings.id == id_of(settings.name) else settings.id
    yield "venue", settings.venue
    yield "dealing", _dealing(settings)
    if settings.duties is not UNSET:
        yield "source", "physical" if settings.is_physical else "program"
        for duty in DUTIES:
            yield f"duties.{duty}", settings.duty(duty)
    yield from _wager_fields(settings, game)
    if game.definition.pack is not None:
        yield "decks", str(game.decks)
        yield "shuffling", settings.shuffling
        if settings.shuffling == "shoe":
            yield "penetration", str(settings.penetration)
            yield "burn", str(settings.burn)
    for name, value in game.readings.items():
        yield f"readings.{name}", value
    yield "seats", str(settings.seats)
    yield "chip", amount(settings.chip)
    yield "rounding", settings.rounding
    for name, wait in msgspec.structs.asdict(settings.clocks).items():
        yield f"clocks.{name}", "" if wait is UNSET else f"{wait / 1000:g}"
    yield "idle", str(settings.idle)
    for name in pieces_used(game) if settings.is_physical else ():
        used = settings.equipment.get(name, "")
        yield f"equipment.{name}", "" if not used else "own" if used == MAKERS_OWN else "other"
        yield f"equipment.{name}.other", "" if used == MAKERS_OWN else used
    recorded = {one.condition: one for one in settings.conditions or ()}
    for condition in conditions_of(settings, game):
        one = recorded.get(condition)
        yield f"{condition_field(condition)}.date", one.date if one else ""
        yield f"{condition_field(condition)}.reference", one.reference if one else ""
    for kind in PRECEDENCE:
        yield f"house_rules.{kind}", "\n".join(rule.text for rule in settings.house_rules or () if rule.kind == kind)


def _dealing(settings: TableSettings) -> str:
    if settings.duties is not UNSET:
        return SHARED
    return "people" if settings.dealing == "people" else "program"


def _wager_fields(settings: TableSettings, game: Game) -> Iterator[tuple[str, str]]:
    for name in game.version.wagers:
        if may_be_left_out(game.definition, name):
            yield f"offer.{name}", YES if name in game.wagers else NO
    for _, (spot, *_), limits in limits_told(settings, game):
        if not game.wager_of(spot).fixed:
            yield f"limits.{spot}.least", amount(limits.least)
        yield f"limits.{spot}.most", amount(limits.most)
    for name in filter(game.offers, game.pay):
        listed = game.definition.tables(name)
        chosen = settings.pay.get(name, next(iter(listed)))
        yield f"pay.{name}", chosen if chosen in listed else TYPED
        yield f"pay.{name}.odds", "" if chosen in listed else chosen
        if may_be_capped(game, name):
            limit = (settings.payout_limits or {}).get(name)
            yield f"payout_limits.{name}", "" if limit is None else amount(limit)
    if game.jackpots:
        yield "jackpot", settings.jackpot or ""
        if not settings.jackpot:
            yield "prize", "" if settings.prize is None else amount(settings.prize)


def may_be_left_out(definition: Definition, name: str) -> bool:
    """Whether a house may offer the game without a wager: not one that every round needs, nor the only one with which a
    seat comes in."""
    wager = definition.wagers[name]
    return not wager.required and (not wager.one_of or sum(w.one_of for w in definition.wagers.values()) > 1)


def may_be_capped(game: Game, name: str) -> bool:
    """F-09: whether a pay table may have a payout limit."""
    odds = highest_odds(game, name)
    return odds is not None and odds >= HIGH_ODDS


def condition_field(condition: str) -> str:
    """The field of a condition of the approval, which is long: so it is called by its hash."""
    return f"conditions.{hashlib.sha256(condition.encode()).hexdigest()[:8]}"


def amount(cents: Cents) -> str:
    return f"{cents // 100}" if cents % 100 == 0 else f"{cents / 100:.2f}"


# What is entered.


def drafted(form: Form, taken: Collection[str] = (), opened: TableSettings | None = None) -> Draft:
    """What somebody has entered: over the first settings of the game that they chose, or over those of a table that is
    open. What belongs to a game or version that they had chosen before is left out."""
    base, entered = _base(form, taken, opened), _entered(form, taken, opened)
    reading = _Reading(base, entered)
    return reading.draft()


def _base(form: Form, taken: Collection[str], opened: TableSettings | None) -> TableSettings:
    if opened is not None:
        return opened
    game = loaded(form["game"] if form["game"] in definitions() else next(iter(definitions())))
    version = form["version"]
    return first_settings(game.configured(version=version) if version in game.definition.versions else game, taken)


def _entered(form: Form, taken: Collection[str], opened: TableSettings | None) -> dict[str, str]:
    fields = {name: form[name] for name in form.fields}
    shown_game, _, shown_version = form["shown"].partition(" ")
    if opened is None and shown_game and shown_game != form["game"]:
        known = definitions().get(shown_game)
        if known is not None and form["name"] == first_name(known.title, taken):
            del fields["name"]
        return {
            name: said
            for name, said in fields.items()
            if name in LASTING or name.startswith(("clocks.", "house_", "duties."))
        }
    if shown_version and shown_version != form["version"]:
        return {name: said for name, said in fields.items() if not name.startswith("readings.")}
    return fields


class _Reading:
    """Reads the fields one after the other, in an order in which what comes first says which others there are."""

    def __init__(self, base: TableSettings, entered: Mapping[str, str]) -> None:
        self.settings, self.entered = base, entered
        self.was_physical = base.is_physical
        self.unread: list[Problem] = []

    def draft(self) -> Draft:
        self._identity()
        self._wagers()
        game = game_of(self.settings)
        self._prices(game)
        self._cards(game)
        self._numbers()
        self._approval(game)
        self._house_rules()
        game = game_of(self.settings)
        fields = fields_of(self.settings, game)
        return Draft(self.settings, fields | {k: v for k, v in self.entered.items() if k in fields}, tuple(self.unread))

    # One field.

    def _has(self, field: str) -> bool:
        return field in self.entered

    def _read(self, field: str, how: Callable[[str], T], old: T, setting: str = "") -> T:
        """What a field comes to; as it was, where it was not sent or nobody can read it."""
        if field not in self.entered:
            return old
        try:
            return how(self.entered[field])
        except FeltworksError as error:
            self.unread.append(Problem(setting or field, error))
            return old

    def _set(self, **changed: Any) -> None:
        self.settings = msgspec.structs.replace(self.settings, **changed)

    # All of them.

    def _identity(self) -> None:
        settings = self.settings
        versions = definitions()[settings.game].versions if settings.game in definitions() else {}
        version = self._read("version", _one_of(versions), settings.version or "") if versions else settings.version
        name = self.entered.get("name", settings.name)
        id = self.entered.get("id", "") or (id_of(name) if self._has("name") and self._has("game") else settings.id)
        venue = self._read("venue", _one_of(VENUES), settings.venue)
        dealing = self._read("dealing", _one_of(("program", "people", SHARED)), _dealing(settings))
        self._set(
            name=name,
            id=id,
            version=version or None,
            venue=venue,
            dealing="people" if dealing == "people" else UNSET,
        )
        self._duties(dealing)

    def _duties(self, dealing: str) -> None:
        """Where people and the program share the duties, each of them and whose the cards and dice are: at first the
        program's, and the duties a person's."""
        old, was = self.settings, self.settings.duties is not UNSET
        if dealing != SHARED:
            self._set(duties=UNSET, source=UNSET)
            return
        source = "physical" if self.was_physical else "program"
        doers = _one_of(("program", "person"))
        self._set(
            source=self._read("source", _one_of(("program", "physical")), source),
            duties={d: self._read(f"duties.{d}", doers, old.duty(d) if was else "person") for d in DUTIES},
        )

    def _wagers(self) -> None:
        game = game_of(self.settings)
        without = set(self.settings.without).intersection(game.version.wagers)
        for name in game.version.wagers:
            if (said := self.entered.get(f"offer.{name}")) is not None:
                without = without - {name} if said == YES else without | {name}
        self._set(without=tuple(sorted(without)))

    def _prices(self, game: Game) -> None:
        """Limits, pay tables, payout limits and the prize."""
        limits, pay, caps = dict[str, Limits](), {}, {}
        for _, spots, old in limits_told(self.settings, game):
            setting = f"limits.{spots[0]}"
            least = most = self._read(f"{setting}.most", cents, old.most, setting)
            if not game.wager_of(spots[0]).fixed:
                least = self._read(f"{setting}.least", cents, old.least, setting)
            limits |= dict.fromkeys(spots, Limits(least, most))
        for name in filter(game.offers, game.pay):
            listed = game.definition.tables(name)
            first = next(iter(listed))
            old_table = self.settings.pay.get(name, first)
            table = self._read(f"pay.{name}", _one_of([*listed, TYPED]), old_table if old_table in listed else TYPED)
            if table == TYPED:
                typed = self.entered.get(f"pay.{name}.odds", old_table if old_table not in listed else "")
                table = typed or self._nothing_typed(name, game, first)
            if table != first:
                pay[name] = table
        self._set(limits=limits, pay=pay)
        after = game_of(self.settings)
        for name in filter(after.offers, after.pay):
            old_cap = (self.settings.payout_limits or {}).get(name)
            cap = self._read(f"payout_limits.{name}", _or_nothing(cents), old_cap)
            if cap is not None and may_be_capped(after, name):
                caps[name] = cap
        self._set(payout_limits=caps or UNSET)
        jackpot = self.entered.get("jackpot", self.settings.jackpot or "") if after.jackpots else ""
        first_prize: Cents | None = self.settings.prize or FIRST_PRIZE
        prize = self._read("prize", _or_nothing(cents), first_prize)
        self._set(jackpot=jackpot or UNSET, prize=prize if after.jackpots and not jackpot else None)

    def _nothing_typed(self, name: str, game: Game, first: str) -> str:
        lines = ", ".join(line.name for line in game.definition.tables(name)[first])
        said = (
            f"Type what each line pays to 1, from the top: {lines}. A comma goes between two lines, and 3/2 is 3 to 2."
        )
        self.unread.append(Problem(f"pay.{name}", BadValue(said)))
        return first

    def _cards(self, game: Game) -> None:
        settings, pack = self.settings, game.definition.pack
        if pack is not None:
            decks = self._read("decks", whole, settings.decks or pack.decks)
            shuffling = self._read("shuffling", _one_of(("shuffler", "shoe")), settings.shuffling)
            self._set(
                decks=None if decks == pack.decks else decks,
                shuffling=shuffling,
                penetration=self._read("penetration", whole, settings.penetration),
                burn=self._read("burn", whole, settings.burn),
            )
        own = game.configured(version=game.version_name).readings
        readings = {}
        for name, meaning in game.definition.readings.items():
            old = settings.readings.get(name, own[name])
            value = self._read(f"readings.{name}", _one_of(meaning.values), old)
            if value != own[name]:
                readings[name] = value
        self._set(readings=readings)

    def _numbers(self) -> None:
        settings = self.settings
        waits = msgspec.structs.asdict(settings.clocks)
        clocks = {
            name: self._read(f"clocks.{name}", _or_unset(seconds) if name == "absent" else seconds, wait)
            for name, wait in waits.items()
        }
        self._set(
            seats=self._read("seats", whole, settings.seats),
            chip=self._read("chip", cents, settings.chip),
            rounding=self._read("rounding", _one_of(("cent", "chip up", "chip down")), settings.rounding),
            clocks=Clocks(**clocks),
            idle=self._read("idle", whole, settings.idle),
        )

    def _approval(self, game: Game) -> None:
        """The equipment piece by piece, and the conditions of the approval."""
        equipment = {}
        for name in pieces_used(game) if self.settings.is_physical else ():
            old = self.settings.equipment.get(name, "")
            used = self.entered.get(f"equipment.{name}", "own" if old == MAKERS_OWN else "other")
            named = self.entered.get(f"equipment.{name}.other", "" if old == MAKERS_OWN else old)
            if used == "own" or (used == "other" and named):
                equipment[name] = MAKERS_OWN if used == "own" else named
        recorded = {one.condition: one for one in self.settings.conditions or ()}
        conditions = []
        for condition in conditions_of(self.settings, game):
            old_one, field = recorded.get(condition), condition_field(condition)
            date = self.entered.get(f"{field}.date", old_one.date if old_one else "")
            reference = self.entered.get(f"{field}.reference", old_one.reference if old_one else "")
            if date or reference:
                conditions.append(Fulfilled(condition, date, reference))
        self._set(equipment=equipment, conditions=tuple(conditions) or UNSET)

    def _house_rules(self) -> None:
        kept = self.settings.house_rules or ()
        rules: list[HouseRule] = []
        for kind in PRECEDENCE:
            said = self.entered.get(f"house_rules.{kind}")
            rules += _rules(said, kind) if said is not None else [rule for rule in kept if rule.kind == kind]
        self._set(house_rules=tuple(rules) or UNSET)


def _rules(said: str, kind: RuleKind) -> list[HouseRule]:
    """One rule a line."""
    return [HouseRule(line.strip(), kind) for line in said.splitlines() if line.strip()]


# How a field is read.


def cents(text: str) -> Cents:
    """An amount in dollars."""
    plain = text.replace(",", "").removeprefix("$").strip()
    if not re.fullmatch(r"[0-9]{1,10}(\.[0-9]{1,2})?", plain):
        raise BadValue("Write an amount in dollars, such as 5 or 2.50.")
    dollars, _, part = plain.partition(".")
    return 100 * int(dollars) + int(part.ljust(2, "0") or 0)


def whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise BadValue("Write a whole number, such as 5.")
    return int(text)


def seconds(text: str) -> int:
    """A time in seconds, as milliseconds."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text):
        raise BadValue("Write a time in seconds, such as 20.")
    before, _, after = text.partition(".")
    return 1_000 * int(before) + int(after.ljust(3, "0") or 0)


def _one_of(allowed: Collection[str]) -> Callable[[str], Any]:
    def read(text: str) -> str:
        if text not in allowed:
            raise BadValue(f"{text[:40]!r} is none of: {', '.join(allowed)}.")
        return text

    return read


def _or_nothing(how: Callable[[str], T]) -> Callable[[str], T | None]:
    return lambda text: how(text) if text else None


def _or_unset(how: Callable[[str], int]) -> Callable[[str], Any]:
    return lambda text: how(text) if text else UNSET
