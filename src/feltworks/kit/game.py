"""A game: its definition, its rules, and the version, readings, pay tables and decks it is played with."""

import hashlib
import json
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, TypeVar

from feltworks.kit.cards import Card, CardSet, Seat, Token, check_decks
from feltworks.kit.code_hash import folders_hash
from feltworks.kit.definition import ANY, Approval, Definition, Version, Wager, Wheel
from feltworks.kit.errors import BadDefinition, BadValue, UnknownName
from feltworks.kit.game_toml import extended_folder
from feltworks.kit.odds import MeterShare
from feltworks.kit.paytable import PayTable
from feltworks.kit.round import Round, listed
from feltworks.kit.rule_faults import called
from feltworks.kit.standing import of_definition
from feltworks.kit.steps import Answer, Bet, Rule, Settlement
from feltworks.kit.unseen import Unseen

T = TypeVar("T")
KIT = Path(__file__).parent


@dataclass(frozen=True)
class Bonus:
    """A bonus wager's rule and the named moment of the base round it hangs on; it may refuse an answer in words of its
    own, as a round does."""

    moment: str
    rule: Rule
    check: "Callable[[Round, Answer], None] | None" = None
    early: bool = False
    """Whether it is settled before anybody decides anything, so that the round need not be played on to tell of it."""
    why: Callable[[Any, Settlement], str] | None = None
    """Why it was settled as it was, as `Round.why` tells it; nothing where the round has words for it."""


@dataclass(frozen=True)
class Situation:
    """A place in a round that somebody asks about: the cards that lie open, what was decided on the way, and what a
    reader has shown of cards that are sealed."""

    cards: Mapping[Token, Card]
    decisions: tuple[str, ...] = ()
    shown: Mapping[Token, CardSet] = field(default_factory=dict)
    wagers: Mapping[str, Fraction] = field(default_factory=dict)
    """What lies on the spots of the required wagers, where somebody stands there instead of asking."""


@dataclass(frozen=True)
class Game:
    """A game as it is played: everything that the fingerprint of its definition covers."""

    definition: Definition
    folder: Path
    round_class: type[Round]
    bonuses: Mapping[str, Bonus]
    situation: Callable[..., Situation] | None
    enumerator: str
    """The module that counts the game's deals, if it is too large for the solver; nothing else loads it."""
    version_name: str
    decks: int | None
    readings: Mapping[str, str]
    pay: Mapping[str, PayTable] = field(hash=False)
    left_out: frozenset[str] = frozenset()
    """Optional wagers that the house does not offer."""
    build: str = ""
    """SHA-256 of the code that plays it, as it was when the game was loaded."""

    @classmethod
    def standard(
        cls,
        definition: Definition,
        folder: Path,
        round_class: type[Round],
        bonuses: Mapping[str, Bonus],
        situation: Callable[..., Situation] | None,
        enumerator: str = "",
    ) -> "Game":
        """The game as it is loaded: first version, default readings, first pay tables, usual decks."""
        first = next(iter(definition.versions))
        pay = {spot: next(iter(definition.tables(spot).values())) for spot in definition.pay_tables}
        decks = definition.pack.decks if definition.pack else None
        game = cls(definition, folder, round_class, bonuses, situation, enumerator, first, decks, {}, pay)
        return replace(game, readings=game._version_readings(first), build=folders_hash([KIT, *game.folders]))

    def configured(
        self,
        *,
        version: str | None = None,
        decks: int | None = None,
        readings: Mapping[str, str] | None = None,
        pay: Mapping[str, str] | None = None,
        without: Iterable[str] = (),
    ) -> "Game":
        """The same game with another version, number of decks, readings or pay tables, without some bonus wagers."""
        game = self
        if version is not None:
            _pick("version", version, self.definition.versions)
            game = replace(game, version_name=version, readings=game._version_readings(version))
        if decks is not None:
            game = replace(game, decks=game._checked_decks(decks))
        for name, value in (readings or {}).items():
            reading = _pick("reading", name, self.definition.readings)
            if value not in reading.values:
                raise UnknownName(f"value of {name}", value, reading.values, reading.rules)
            game = replace(game, readings={**game.readings, name: value})
        for spot, table in (pay or {}).items():
            game = replace(game, pay={**game.pay, spot: game._table(spot, table)})
        return game._leaving_out(frozenset(without))

    def _leaving_out(self, names: frozenset[str]) -> "Game":
        for name in names:
            wager = _pick("wager", name, self.wagers)
            needed = [other.title for other in self.wagers.values() if name in other.needs and other.name not in names]
            if wager.required or needed:
                raise BadValue(f"{wager.title} cannot be left out: {', '.join(needed) or 'every round'} needs it.")
        entries = [wager for wager in self.wagers.values() if wager.comes_in]
        if entries and all(wager.name in names for wager in entries):
            titles = listed((wager.title for wager in entries), "and")
            raise BadValue(f"{titles} cannot be left out: a seat comes into the round with one of them.")
        return replace(self, left_out=self.left_out | names) if names else self

    def _version_readings(self, version: str) -> dict[str, str]:
        defaults = {name: reading.default for name, reading in self.definition.readings.items()}
        return {**defaults, **self.definition.versions[version].readings}

    def _checked_decks(self, decks: int) -> int:
        if self.definition.pack is None:
            raise BadValue(f"{self.title} is played without cards, so it has no number of decks.")
        check_decks(decks)
        return decks

    def _table(self, spot: str, table: str) -> PayTable:
        """A listed table by its name, or its lines' odds from the top."""
        tables = self.definition.tables(_pick_name("pay table for", spot, self.definition.pay_tables))
        if table in tables:
            return tables[table]
        first = next(iter(tables.values()))
        if not any(c.isdigit() for c in table) or (len(first.lines) > 1 and "," not in table):
            named = ", ".join(tables)
            raise UnknownName(f"pay table for {spot}", table, [named + ", or odds from the top such as 30,12,3/2,0"])
        return first.with_typed_odds(table)

    # What it is.

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where its rules are: those of the game that it extends, and its own."""
        extends = self.definition.extends
        return (*([extended_folder(self.folder, extends)] if extends else []), self.folder)

    @property
    def statements(self) -> dict[str, dict[str, Any]]:
        """The statements of its rules by their numbers: its own, then those of the game that it extends."""
        found: dict[str, dict[str, Any]] = {}
        for folder in reversed(self.folders):
            path = folder / "statements.toml"
            if path.is_file():
                found |= {number: said for number, said in _statements(path).items() if number not in found}
        return found

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def title(self) -> str:
        return self.definition.title

    @property
    def version(self) -> Version:
        return self.definition.versions[self.version_name]

    @cached_property
    def wagers(self) -> dict[str, Wager]:
        """The wagers that are offered: those of this version but for what the house leaves out."""
        offered = (self.definition.wagers[name] for name in self.version.wagers if name not in self.left_out)
        return {wager.name: wager.without(self.version.without_spots) for wager in offered}

    @cached_property
    def wheels(self) -> dict[str, Wheel]:
        """The wheels that are spun: those that this version names, or all."""
        return {name: self.definition.wheels[name] for name in self.version.wheels or self.definition.wheels}

    @property
    def has_dice(self) -> bool:
        """Whether it is decided by dice alone."""
        return self.definition.pack is None and not self.wheels

    def wager(self, name: str) -> Wager:
        """The wager of this name, or the bet on this spot of a wager that is made on any of its spots."""
        found = self.wagers.get(name) or self.bets.get(name)
        return found or _pick("wager", name, self.wagers)

    def bet(self, name: str) -> Wager:
        """A wager as it is made: one that is made on any of its spots means, by its own name, on the first."""
        wager = self.wager(name)
        return self.bets[next(iter(wager.spots))] if wager.any_spot else wager

    @cached_property
    def bets(self) -> dict[str, Wager]:
        """The wagers as they are made: one that is made on any of its spots is a bet on each."""
        wagers = self.wagers.values()
        made = [bet for w in wagers for bet in (map(w.on, w.spots) if w.any_spot else [w])]
        return {bet.name: bet for bet in made}

    def bet_of(self, spot: str) -> Wager:
        """The bet that chips on a spot belong to."""
        return self.bets.get(spot) or self.wager_of(spot)

    @cached_property
    def _by_spot(self) -> dict[str, Wager]:
        return {spot: wager for wager in self.wagers.values() for spot in wager.spots}

    def wager_of(self, spot: str) -> Wager:
        """The wager that a spot belongs to."""
        found = self._by_spot.get(spot)
        return found or _pick("spot", spot, self._by_spot)

    def has_spot(self, spot: str) -> bool:
        return spot in self._by_spot

    def spot_title(self, spot: str) -> str:
        return self.wager_of(spot).spots[spot]

    def betting(self, window: str) -> Bet:
        """The step at which betting is open: every spot that a wager opens in this window."""
        spots = tuple(s for w in self.wagers.values() if window in w.windows for s in w.opens)
        return Bet(window, spots)

    def offers(self, name: str) -> bool:
        """Whether a pay table, which is named for a spot or for a whole wager, is of this version."""
        return name in self._by_spot or name in self.wagers

    def title_of(self, name: str) -> str:
        """What a pay table is of, in words."""
        return self.spot_title(name) if name in self._by_spot else self.wager(name).title

    def pay_table(self, spot: str) -> PayTable:
        """The pay table of a spot: its own, or that of its wager."""
        own = spot in self.pay or spot not in self._by_spot
        return _pick("pay table for", spot if own else self._by_spot[spot].name, self.pay)

    @property
    def situation_options(self) -> dict[str, bool]:
        """What a situation takes besides the cards, by name, and whether it has to be told."""
        parameters = signature(self.situation).parameters.values() if self.situation else ()
        return {p.name: p.default is Parameter.empty for p in parameters if p.kind is Parameter.KEYWORD_ONLY}

    @property
    def jackpots(self) -> list[str]:
        """The wagers that pay shares of a jackpot."""
        pays = {name: self.pay[name] for name in self.wagers if name in self.pay}
        return [name for name, table in pays.items() if any(isinstance(line.pay, MeterShare) for line in table)]

    def reading(self, name: str) -> str:
        return _pick("reading", name, self.readings)

    def bonuses_at(self, moment: str) -> Iterable[tuple[str, Rule]]:
        """The bonus wagers of this version that are settled at a moment."""
        return self._bonuses_by_moment.get(moment, [])

    @cached_property
    def _bonuses_by_moment(self) -> dict[str, list[tuple[str, Rule]]]:
        found: dict[str, list[tuple[str, Rule]]] = {}
        for name, bonus in self.bonuses.items():
            if name in self.wagers:
                found.setdefault(bonus.moment, []).append((name, bonus.rule))
        return found

    @cached_property
    def bonus_checks(self) -> tuple[Callable[[Round, Answer], None], ...]:
        """What bonus wagers refuse, in words of their own."""
        return tuple(bonus.check for bonus in self.bonuses.values() if bonus.check is not None)

    # Its cards.

    def most_cards(self, seats: int) -> int | None:
        """F-23: the most cards that a round with so many seats can take, where the rules say so."""
        return called(self, self.round_class.most_cards, self, seats)

    def situation_of(self, seat: Seat, cards: str, given: Mapping[str, str]) -> Situation:
        """The place in a round that is asked about, as the rules read it."""
        assert self.situation is not None
        return called(self, self.situation, seat, cards, **given)

    def check_cards(self, seats: int, burnt: int = 0) -> None:
        """F-23: refuse more seats than the cards are enough for in every round."""
        pack = self.fresh()
        if pack is None or self._are_enough(seats, pack.total - burnt):
            return
        enough = sum(self._are_enough(fewer, pack.total - burnt) for fewer in range(1, seats))
        raise BadValue(
            f"{pack.total} cards are not enough for every round of {self.title} with {seats} seats (F-23); take"
            f" {f'at most {enough} of them, or ' if enough else ''}more decks."
        )

    def _are_enough(self, seats: int, cards: int) -> bool:
        most = self.most_cards(seats)
        return most is None or most <= cards

    # How it starts.

    def fresh(self) -> Unseen | None:
        """The unseen cards of a fresh pack; nothing for a game without cards."""
        pack = self.definition.pack
        return Unseen.fresh(self.decks or pack.decks, pack.ranks, pack.suits) if pack else None

    def start(
        self,
        seats: Iterable[int] = (1,),
        unseen: Unseen | None = None,
        carry: Mapping[str, Any] | None = None,
        *,
        tracked: bool = True,
    ) -> Round:
        """The first state of a round, dealt from these unseen cards (a fresh pack if none are given).

        A round that is not tracked does not count the unseen cards, and believes every card.
        """
        seats = tuple(Seat(seat) for seat in seats)
        if not seats or len(set(seats)) != len(seats) or not all(1 <= s <= self.definition.seats for s in seats):
            raise BadValue(f"{self.title} has seats 1 to {self.definition.seats}; name at least one, each once.")
        counted = (unseen or self.fresh()) if tracked else None
        return self.round_class.start(self, sorted(seats), counted, carry or {})

    # What is approved.

    @property
    def approval(self) -> Approval | None:
        """The approval of this version, if it carries one."""
        return self.definition.approval if self.version.approved else None

    @cached_property
    def differences(self) -> tuple[str, ...]:
        """What is not as the definition lists it (F-01): pay tables, odds, decks and wagers."""
        found = []
        pack = self.definition.pack
        if pack and pack.approved_decks and self.decks not in pack.approved_decks:
            decks = ", ".join(str(n) for n in pack.approved_decks)
            found.append(f"{self.decks} deck{'' if self.decks == 1 else 's'} instead of {decks}")
        for spot, table in self.pay.items():
            listed = list(self.definition.tables(spot).values())
            if self.offers(spot) and table.lines not in [t.lines for t in listed]:
                found += [f"{self.title_of(spot)}: {change}" for change in table.differences(listed[0])]
        chooses = self.definition.approval.house_chooses if self.definition.approval else ()
        found += [f"{self.definition.wagers[n].title} is not offered" for n in sorted(self.left_out - set(chooses))]
        return tuple(found)

    @property
    def other_readings(self) -> dict[str, str]:
        """The readings that are not the version's own."""
        own = self._version_readings(self.version_name)
        return {name: value for name, value in self.readings.items() if value != own[name]}

    @property
    def standing(self) -> str:
        """How the game stands to its approval, in a few words."""
        return of_definition(self).words

    @cached_property
    def fingerprint(self) -> dict[str, str]:
        """SHA-256 of the definition (what is approved) and of the build (the code that plays it)."""
        return {"definition": self._definition_hash(), "build": self.build}

    def _definition_hash(self) -> str:
        said: dict[str, Any] = {
            "game": self.name,
            "rules": self.definition.rules,
            "version": self.version_name,
            "decks": self.decks,
            "pack": [self.definition.pack.ranks, self.definition.pack.suits] if self.definition.pack else None,
            "readings": dict(self.readings),
            "wagers": {
                name: [
                    wager.kind,
                    wager.required,
                    wager.needs,
                    wager.instead,
                    wager.self_service,
                    wager.windows,
                    {s: str(n) for s, n in wager.opens.items()},
                    *([wager.fixed] if wager.fixed else []),
                    *(["required", ANY] if wager.one_of else []),
                    *(["opens", ANY] if wager.any_spot else []),
                ]
                for name, wager in self.wagers.items()
            },
            "pay": {
                spot: [[line.name, str(line.pay)] for line in table]
                for spot, table in self.pay.items()
                if self.offers(spot)
            },
        }
        if self.wheels:
            said["wheels"] = {name: wheel.pockets for name, wheel in self.wheels.items()}
        return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def game_of(round: Round) -> Game:
    """The whole game of a round, which itself asks for no more of it than `PlayedGame` has."""
    assert isinstance(round.game, Game)
    return round.game


def _statements(path: Path) -> dict[str, dict[str, Any]]:
    try:
        said = tomllib.loads(path.read_text("utf-8"))
        return {number: {**statement, "text": str(statement["text"])} for number, statement in said.items()}
    except (OSError, ValueError, KeyError, TypeError):
        raise BadDefinition(f"{path} cannot be read; give each statement a table with its text.") from None


def _pick_name(kind: str, name: str, allowed: Collection[str]) -> str:
    if name not in allowed:
        raise UnknownName(kind, name, allowed)
    return name


def _pick(kind: str, name: str, named: Mapping[str, T]) -> T:
    return named[_pick_name(kind, name, named)]
