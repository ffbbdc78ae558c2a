"""A progressive jackpot as a command at a table finds it, and what the command makes of it.

Every event of the meter that comes from a table is made here: wagers that are registered or go back, and awards. It is
pure: what the accounts behind the meter hold is passed in.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import floor

from msgspec import UNSET

from feltworks.floor.accounts import AccountKind, Cents, money
from feltworks.floor.jackpot import events as ev
from feltworks.floor.jackpot.meter import (
    InMeter,
    Meter,
    OpenRound,
    cut,
    entries,
    evolve,
    meter_account,
    reserve_account,
)
from feltworks.floor.refusal import Refused
from feltworks.kit.errors import FaultyRules
from feltworks.kit.odds import MeterShare
from feltworks.kit.questions import JackpotSettings

Place = tuple[int, str]
"""A seat and a spot."""
Key = tuple[int, str, str]
"""An award: seat, spot and line."""


@dataclass(frozen=True)
class Funds:
    """What the accounts behind a meter and its reserve hold (F-37)."""

    meter: Cents
    reserve: Cents

    def after(self, id: str, event: ev.Event) -> "Funds":
        held = {AccountKind.METER: self.meter, AccountKind.RESERVE: self.reserve}
        for entry in entries(id, event):
            for account, cents in ((entry.payer, -entry.cents), (entry.payee, entry.cents)):
                if account.kind in held and account.owner == id:
                    held[account.kind] += cents
        return Funds(held[AccountKind.METER], held[AccountKind.RESERVE])


def shortage(meter: Meter, funds: Funds) -> Cents:
    """By how much the money behind is less than what is posted."""
    return max(0, meter.meter - funds.meter) + max(0, meter.reserve - funds.reserve)


def takes_none(meter: Meter, funds: Funds) -> str:
    """Why a jackpot takes no wagers, whatever the table; nothing if it does."""
    name = meter.terms.name
    if meter.closed:
        return f"{name} is closed: {meter.closed}"
    if not meter.is_seeded:
        return f"{name} is not seeded yet, so that it takes no wagers."
    if short := shortage(meter, funds):
        return (
            f"The money behind {name} is {money(short)} short of what is posted, so that it takes no wagers until that"
            " is put back (F-37)."
        )
    return ""


def not_linked(meter: Meter, table: str, played: JackpotSettings) -> str:
    """Why a table with these settings does not play for the jackpot; nothing if it does (D-19)."""
    if table not in meter.tables:
        return f"This table is not linked to {meter.terms.name}; a manager links it."
    if played not in meter.played:
        return f"This table is set otherwise than it was linked to {meter.terms.name}; a manager links it again."
    return ""


@dataclass
class MeterAtTable:
    """The meter before a command, and after each event that the command makes."""

    meter: Meter
    funds: Funds
    table: str
    time: ev.Time
    actor: str = ""
    events: list[ev.Event] = field(default_factory=list)

    def _happen(self, event: ev.Event) -> None:
        self.meter = evolve(self.meter, self.meter.id, event, self.time)
        self.funds = self.funds.after(self.meter.id, event)
        self.events.append(event)

    def _round(self, round: int) -> OpenRound:
        found = self.meter.at(self.table, round)
        if found is None:
            raise FaultyRules(
                f"A share of {self.meter.terms.name} is paid in round {round}, in which no wager was registered."
            )
        return found

    # Wagers.

    def not_taken(self, played: JackpotSettings) -> str:
        """Why this table takes no wager for the jackpot now; nothing if it does."""
        return takes_none(self.meter, self.funds) or not_linked(self.meter, self.table, played)

    def was_lit(self, round: int, place: Place) -> bool:
        """Whether a spot was registered before in a round, and is sensed again: it is no new wager (F-26, F-37)."""
        return place in self.meter.lit_in(self.table, round) and not self.meter.closed

    def register(self, round: int, wagers: Mapping[Place, Cents]) -> None:
        """D-13: the spots are sensed, and what lies on them is in the meter."""
        found = self.meter.at(self.table, round)
        known = {one.place for one in found.wagers} if found is not None else set()
        for (seat, spot), cents in sorted(wagers.items()):
            if (seat, spot) in known:
                raise Refused(f"The Jackpot wager of seat {seat} is registered already.")
            if cents != self.meter.wager:
                raise Refused(
                    f"A wager for {self.meter.terms.name} is {money(self.meter.wager)} for everybody; seat {seat} has"
                    f" {money(cents)} there."
                )
        if wagers:
            made = cut(self.meter, self.table, round, [(*place, cents) for place, cents in sorted(wagers.items())])
            self._happen(ev.Registered(self.table, round, made))

    def give_back(self, round: int, wagers: Collection[Place]) -> None:
        """F-17, F-24: from the meter; if that was won whole meanwhile, from the reserve, then by the house. What is
        posted falls by that whatever has become of the money: what the accounts do not hold the house pays (F-37)."""
        found = self.meter.at(self.table, round)
        if found is None:
            return
        gone = [one for one in found.wagers if one.place in wagers]
        meter, reserve, funds = self.meter.meter, self.meter.reserve, self.funds
        back: list[ev.GivenBack] = []
        for one in gone:
            due = one.made.meter + one.made.reserve + one.made.over
            of_meter = 0 if self._is_won(one) else min(one.made.meter, meter)
            of_reserve = min(due - of_meter, reserve)
            paid = Funds(min(of_meter, funds.meter), min(of_reserve, funds.reserve))
            missing = ev.Missing(of_meter - paid.meter, of_reserve - paid.reserve)
            meter, reserve = meter - of_meter, reserve - of_reserve
            funds = Funds(funds.meter - paid.meter, funds.reserve - paid.reserve)
            about, house = (one.made.seat, one.made.spot, one.made.wager), due - paid.meter - paid.reserve
            is_short = missing.meter or missing.reserve
            back.append(ev.GivenBack(*about, paid.meter, paid.reserve, house, missing if is_short else UNSET))
        if back:
            self._happen(ev.RegistrationsReturned(self.table, round, tuple(back)))

    def _is_won(self, one: InMeter) -> bool:
        return self.meter.whole > one.whole

    # Awards.

    def enter(self, round: int) -> None:
        """D-18: the dealer enters an award, which somebody else confirms."""
        self._round(round)
        self._happen(ev.AwardEntered(self.table, round, self.actor))

    def worth(self, round: int, share: MeterShare, base: str) -> Cents:
        """D-16: what a share comes to now, in whole cents: of the meter as it stands, or as it was sensed."""
        return floor(share.of(self._base(round, base)))

    def _base(self, round: int, base: str) -> Cents:
        return self.meter.meter if base == "standing" else self._round(round).sensed

    def award(self, round: int, key: Key, share: MeterShare, base: str) -> Cents:
        """F-26: a won award is paid in full; after 100 % the meter begins again from its seed at once."""
        found, meter, funds = self._round(round), self.meter, self.funds
        terms, most = meter.terms_at(self.table, round), meter.most_at(self.table, round)
        seat, spot, line = key
        if all(one.place != (seat, spot) for one in found.wagers):
            raise FaultyRules(f"Seat {seat} has no registered wager for {meter.terms.name}, and won {line}.")
        if any(one.award.key == key for one in found.won):
            raise Refused(f"{line} of seat {seat} is awarded already.")
        cents, whole = self.worth(round, share, base), share.percent == 100
        falls = min(cents, meter.meter)
        from_meter = min(falls, funds.meter)
        reserve = min(meter.reserve, funds.reserve)
        from_reserve = min(cents - from_meter, reserve)
        seed = min(terms.seed, max(0, most - (meter.meter - falls))) if whole else 0
        seed_reserve = min(seed, reserve - from_reserve)
        self._happen(
            ev.Awarded(
                self.table,
                round,
                seat,
                spot,
                line,
                str(share.percent),
                self._base(round, base),
                cents,
                falls,
                from_meter,
                from_reserve,
                cents - from_meter - from_reserve,
                seed_reserve,
                seed - seed_reserve,
                found.entered,
                self.actor,
            )
        )
        return cents

    def awarded(self, round: int) -> dict[Key, Cents]:
        """The awards of a round, by what was won."""
        found = self.meter.at(self.table, round)
        return {one.award.key: one.award.cents for one in found.won} if found is not None else {}

    def take_back(self, round: int, keys: Iterable[Key]) -> None:
        """F-20: by a correction these were not won; the last one is taken back first. What would lift the meter above
        its maximum goes to the reserve (F-24)."""
        found = self.meter.at(self.table, round)
        gone = set(keys)
        for won in reversed(found.won if found is not None else ()):
            if won.award.key not in gone:
                continue
            award = won.award
            unseeded = award.is_whole and self.meter.whole == won.whole + 1
            seed = (
                min(
                    award.seed_reserve + award.seed_house,
                    self.meter.meter + award.falls,
                    self.funds.meter + award.meter,
                )
                if unseeded
                else 0
            )
            to_reserve = min(award.seed_reserve, seed)
            rises = min(award.falls, max(0, self.meter.terms.maximum - self.meter.meter + seed))
            to_meter = min(award.meter, rises)
            self._happen(
                ev.AwardTakenBack(
                    self.table,
                    round,
                    *award.key,
                    award.cents,
                    rises,
                    to_meter,
                    award.reserve + award.meter - to_meter,
                    award.house,
                    to_reserve,
                    seed - to_reserve,
                    unseeded,
                )
            )


@dataclass(frozen=True)
class Jackpots:
    """The progressive jackpots of a house, as a command at a table finds them."""

    meter: Callable[[str], Meter | None] = lambda id: None
    balance: Callable[[str], Cents] = lambda account: 0
    """By the text of an account."""

    def funds(self, id: str) -> Funds:
        return Funds(self.balance(str(meter_account(id))), self.balance(str(reserve_account(id))))

    def at(self, id: str, table: str, time: ev.Time, actor: str) -> MeterAtTable:
        meter = self.meter(id)
        if meter is None:
            raise Refused(f"There is no jackpot {id!r}.")
        return MeterAtTable(meter, self.funds(id), table, time, actor)

    def not_linked(self, id: str, table: str, played: JackpotSettings) -> str:
        """Why a table may not be set to play for a jackpot; nothing if it may."""
        meter = self.meter(id)
        if meter is None:
            return f"There is no jackpot {id!r}; open it first."
        return f"{meter.terms.name} is closed: {meter.closed}" if meter.closed else not_linked(meter, table, played)
