"""The progressive jackpots of a house, as its managers and whoever shows them ask for them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from msgspec import UNSET

from feltworks import games
from feltworks.floor.accounts import Cents, Entry
from feltworks.floor.actors import Actor
from feltworks.floor.house_interface import HouseInterface
from feltworks.floor.jackpot import commands as cmd
from feltworks.floor.jackpot.at_table import Funds, Jackpots, not_linked, shortage, takes_none
from feltworks.floor.jackpot.meter import Meter, jackpot_stream
from feltworks.floor.jackpot.statement import Line, effect_lines, lines, wrong_books
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.refusal import Refused
from feltworks.floor.staff import Staff
from feltworks.floor.store.reader import Reader
from feltworks.floor.table.registered import played_by
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.settings_check import ID
from feltworks.kit.errors import FeltworksError
from feltworks.kit.questions import JackpotsCompared, JackpotSettings, SameJackpot


@dataclass(frozen=True)
class Effect:
    """What a command would do: the jackpot before it and after, what is booked, and all of it in words."""

    before: Meter | None
    after: Meter
    entries: tuple[Entry, ...]
    lines: tuple[str, ...]


class JackpotHouse(HouseInterface, Protocol):
    """What the desk asks of its house besides."""

    def meters(self) -> Mapping[str, Meter]: ...
    def account(self, name: str) -> Cents: ...
    def tried(
        self, stream: str, command: cmd.Command, actor: Actor
    ) -> tuple[Mapping[str, object], tuple[Entry, ...]]: ...


class JackpotDesk:
    def __init__(self, house: JackpotHouse, staff: Staff) -> None:
        self.house, self.staff = house, staff

    # Looking.

    def all(self) -> list[Meter]:
        meters = self.house.meters()
        return [meters[id] for id in sorted(meters)]

    def meter(self, id: str) -> Meter | None:
        return self.house.meters().get(id)

    def known(self, id: str) -> Meter:
        meter = self.meter(id)
        if meter is None:
            raise Refused(f"There is no jackpot {id[:40]!r}.")
        return meter

    def of_table(self, table: str) -> Meter | None:
        """The jackpot for which a table plays."""
        settings = self._settings(table)
        return self.meter(settings.jackpot) if settings is not None and settings.jackpot else None

    def terms_at(self, meter: Meter, table: str) -> Terms:
        """The terms of the round that is being played at a table, or by which the next one begins (F-40)."""
        at = self.house.table(table) if table in self.house.tables else None
        return meter.terms if at is None or at.round is None else meter.terms_at(table, at.round_number)

    def keeping(self, meter: Meter) -> list[str]:
        """The tables at which a round is played by the terms before (F-40)."""
        return [table for table in meter.kept if self.terms_at(meter, table) != meter.terms]

    def tables(self, id: str) -> list[str]:
        """The tables that play for a jackpot now."""
        meter = self.meter(id)
        return [table for table in self.house.tables if meter is not None and not self._not_linked(meter, table)]

    def funds(self, id: str) -> Funds:
        return Jackpots(lambda _: None, self.house.account).funds(id)

    def shortage(self, id: str) -> Cents:
        """By how much the money behind a jackpot is less than what is posted (F-37)."""
        return shortage(self.known(id), self.funds(id))

    def takes_none(self, id: str) -> str:
        """Why a jackpot takes no wagers; nothing if it does."""
        return takes_none(self.known(id), self.funds(id))

    def not_taken(self, table: str) -> str:
        """Why a table takes no wagers for its jackpot; nothing if it does, or plays for none."""
        meter = self.of_table(table)
        if meter is None:
            return ""
        return takes_none(meter, self.funds(meter.id)) or self._not_linked(meter, table)

    def _settings(self, table: str) -> TableSettings | None:
        return self.house.table(table).settings if table in self.house.tables else None

    def _not_linked(self, meter: Meter, table: str) -> str:
        at = self.house.table(table)
        if at.settings.jackpot != meter.id:
            return f"{at.settings.name} does not play for {meter.terms.name}."
        return not_linked(meter, table, played_by(at.settings, at.game))

    # Sharing (D-19).

    def played_by(self, settings: TableSettings) -> JackpotSettings:
        """By which hands, pays and wager a table would play for a jackpot."""
        if not settings.load_game().jackpots:
            raise Refused(f"{settings.name} has no jackpot wager by these settings.")
        return played_by(settings)

    def question(self, id: str, settings: TableSettings) -> SameJackpot | None:
        """What the laboratory is to be asked before a table with these settings is linked; nothing where it is known to
        play by the same hands, pays and wager."""
        meter, played = self.known(id), self.played_by(settings)
        return None if played in meter.played else SameJackpot(meter.terms.played, played)

    def link(
        self, id: str, settings: TableSettings, actor: Actor, compared: JackpotsCompared | None = None
    ) -> int | None:
        """A table may be set to play for a jackpot by these settings: before it is opened with them, or they change."""
        command = cmd.LinkTable(settings.id, self.played_by(settings), UNSET if compared is None else compared)
        return self.give(id, command, actor)

    def unlink(self, id: str, table: str, reason: str, actor: Actor) -> int | None:
        return self.give(id, cmd.UnlinkTable(table, reason), actor)

    # Opening and the like.

    def open(self, id: str, terms: Terms, actor: Actor) -> int | None:
        return self.give(id, cmd.OpenJackpot(terms), actor)

    def change(self, id: str, terms: Terms, actor: Actor) -> int | None:
        """Other terms; rounds that are being played keep theirs (F-40)."""
        return self.give(id, cmd.ChangeJackpot(terms, between_rounds=True), actor)

    def give(self, id: str, command: cmd.Command, actor: Actor) -> int | None:
        """Carry out a command that somebody may give alone: a manager, or the program."""
        self._check(id, command)
        return self.house.carry_out(jackpot_stream(id), command, actor)

    def propose(self, id: str, command: cmd.Signed, actor: Actor) -> str:
        """The first of two signatures: the id of what waits for the second."""
        return self.staff.propose(jackpot_stream(id), command, actor)

    def effect(self, id: str, command: cmd.Command, actor: Actor) -> Effect:
        """What a command would do, or why it would be refused; nothing is done."""
        self._check(id, command)
        stream, before = jackpot_stream(id), self.meter(id)
        states, entries = self.house.tried(stream, command, actor)
        after = states[stream]
        assert isinstance(after, Meter)
        return Effect(before, after, entries, tuple(effect_lines(before, after, entries)))

    def _check(self, id: str, command: cmd.Command) -> None:
        """What can be said only where the games are: the wager is within the game's bounds, and pays a share. And what
        only older records may hold."""
        if isinstance(command, cmd.ChangeJackpot) and not command.between_rounds:
            raise Refused("The terms of a jackpot change between rounds (F-40).")
        if not isinstance(command, cmd.OpenJackpot):
            return
        if not re.fullmatch(ID, id):
            raise Refused(f"{id[:40]!r} cannot be a jackpot's id; take up to 32 of a-z, 0-9 and the hyphen.")
        played = command.terms.played
        try:
            game = games.load(played.game).configured(
                version=played.version,
                decks=played.decks,
                readings=played.readings,
                pay=played.pay,
                without=played.without,
            )
        except FeltworksError as problem:
            raise Refused(str(problem)) from None
        if not game.jackpots:
            raise Refused(
                f"{game.title} with these settings has no jackpot; only wagers that pay shares of a meter do."
            )
        wager = game.wager(game.jackpots[0])
        least, most = wager.fixed or (0, 10**6)
        if not 100 * least <= played.wager <= 100 * most:
            raise Refused(f"{wager.title} is one fixed amount from ${least} to ${most} (D-13).")

    # The records.

    def statement(self, id: str, store: Reader, last: int | None = None, limit: int = 100) -> list[Line]:
        """What has happened to a jackpot, line by line, with the meter and the reserve after each (F-25): at most so
        many, the newest last; `last` a number: those up to this event."""
        return lines(self.known(id), store, last, limit)

    def wrong_books(self, id: str, store: Reader) -> list[str]:
        """What of a jackpot is not as the books make it, by its entries alone (F-25): nothing, always."""
        return wrong_books(self.known(id), store)
