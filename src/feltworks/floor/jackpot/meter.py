"""The state of a progressive jackpot: a fold of its events, and what each of them books (F-24 to F-26).

The meter is what is posted. The money behind it lies in an account of its own, and so does the reserve; as long as
nobody takes money out of them by hand, they hold to the cent what is posted (F-25, F-37).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor

import msgspec

from feltworks.floor.accounts import HOUSE, Account, AccountKind, Cents, Entry, Kind, table_account
from feltworks.floor.jackpot import events as ev
from feltworks.floor.jackpot.terms import Terms, shares_of
from feltworks.kit.questions import JackpotSettings

JACKPOT = "jackpot:"
"""How the stream of a jackpot begins; its id follows."""
LAST_AWARDS = 20
Part = tuple[int, int]
"""A part of a cent: a fraction."""


def jackpot_stream(id: str) -> str:
    return JACKPOT + id


def is_jackpot(stream: str) -> bool:
    return stream.startswith(JACKPOT)


def meter_account(id: str) -> Account:
    return Account(AccountKind.METER, id)


def reserve_account(id: str) -> Account:
    return Account(AccountKind.RESERVE, id)


class Totals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has ever gone into the meter, or the reserve, and out of it (F-25)."""

    seeded: Cents = 0
    contributed: Cents = 0
    awarded: Cents = 0
    returned: Cents = 0
    adjusted: Cents = 0
    corrected: Cents = 0
    """What corrections of rounds have put back, or taken out again."""

    @property
    def left(self) -> Cents:
        return self.seeded + self.contributed - self.awarded - self.returned + self.adjusted + self.corrected

    def plus(self, **more: Cents) -> "Totals":
        return msgspec.structs.replace(self, **{name: getattr(self, name) + cents for name, cents in more.items()})


NOTHING = Totals()


class InMeter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A registered wager, how often the meter had been won whole by then, and by which shares it was cut."""

    made: ev.Contribution
    whole: int
    to_meter: str
    to_reserve: str

    @property
    def place(self) -> tuple[int, str]:
        return self.made.seat, self.made.spot


class Won(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An award, and what it has changed besides: how often the meter had been won whole before it, and what of the
    house's seed could be recovered then."""

    award: ev.Awarded
    whole: int
    lent: Cents


class OpenRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last round of a table in which wagers were registered."""

    round: int
    sensed: Cents
    """What the meter showed when they were last sensed, with these wagers in it (D-16)."""
    wagers: tuple[InMeter, ...]
    won: tuple[Won, ...] = ()
    entered: str = ""
    """Who has entered the award that waits to be confirmed, or was confirmed last."""


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms with which a round began that was being played when they changed."""

    round: int
    terms: Terms


class Lit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seats and spots that were registered in a round."""

    round: int
    places: tuple[tuple[int, str], ...]


class LastAward(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An award, for whoever looks at a display."""

    table: str
    round: int
    line: str
    cents: Cents
    time: int


@dataclass(frozen=True)
class Meter:
    """A progressive jackpot as it stands."""

    id: str
    terms: Terms
    """What is posted: by these every next round begins."""
    meter: Cents = 0
    reserve: Cents = 0
    in_meter: Totals = NOTHING
    in_reserve: Totals = NOTHING
    carried: tuple[Part, Part] = ((0, 1), (0, 1))
    """What the shares of the meter and of the reserve come to beyond what was put there so far, in cents. After wagers
    that went back it may be below nothing."""
    wagered: Cents = 0
    """All wagers that were registered and did not go back."""
    tables: Mapping[str, int] = field(default_factory=dict)
    """The tables that are linked, with the time since when they are."""
    played: tuple[JackpotSettings, ...] = ()
    """The settings by which it is played for, all with the same hands, pays, wager and chances (D-19)."""
    open: Mapping[str, OpenRound] = field(default_factory=dict)
    """By table, the last round with a registered wager."""
    whole: int = 0
    """How often it was won whole, also where a correction has taken that back."""
    awards: int = 0
    lent: Cents = 0
    """What the house has put into the meter as its seed and not recovered, since it was last won whole."""
    last: tuple[LastAward, ...] = ()
    """The newest first."""
    closed: str = ""
    """Why it is over."""
    heir: str = ""
    version: int = 0
    kept: Mapping[str, Kept] = field(default_factory=dict)
    """By table, the terms of the round that was being played when they changed last (F-40)."""
    lit: Mapping[str, Lit] = field(default_factory=dict, compare=False)
    """By table, what was ever registered in its last round. A checkpoint from before this was kept has none of it."""

    @property
    def is_seeded(self) -> bool:
        return bool(self.in_meter.seeded)

    @property
    def wager(self) -> Cents:
        """The fixed wager."""
        return self.terms.played.wager

    def at(self, table: str, round: int) -> OpenRound | None:
        """What of a round at a table is registered and awarded."""
        found = self.open.get(table)
        return found if found is not None and found.round == round else None

    def lit_in(self, table: str, round: int) -> tuple[tuple[int, str], ...]:
        """Every seat and spot that was ever registered in a round, also where that was taken back."""
        lit = self.lit.get(table)
        return lit.places if lit is not None and lit.round == round else ()

    def terms_at(self, table: str, round: int) -> Terms:
        """The terms with which a round at a table began (F-40)."""
        kept = self.kept.get(table)
        return kept.terms if kept is not None and kept.round == round else self.terms

    def most_at(self, table: str, round: int) -> Cents:
        """The maximum for a round: its own, and never above the one that is posted (F-24)."""
        return min(self.terms_at(table, round).maximum, self.terms.maximum)


def cut(meter: Meter, table: str, round: int, wagers: Iterable[tuple[int, str, Cents]]) -> tuple[ev.Contribution, ...]:
    """F-25: what of wagers, by seat and spot, goes where. Shares are cut to whole cents, and the remainder of each is
    carried to the next wager; the meter takes no more than up to its maximum (F-24)."""
    shares, most, stands, made = meter.terms_at(table, round).shares, meter.most_at(table, round), meter.meter, []
    of_meter, of_reserve = (Fraction(*part) for part in meter.carried)
    for seat, spot, wager in wagers:
        of_meter, of_reserve = of_meter + shares.meter * wager, of_reserve + shares.reserve * wager
        due = min(max(0, floor(of_meter)), wager)
        kept = min(max(0, floor(of_reserve)), wager - due)
        into = min(due, max(0, most - stands))
        of_meter, of_reserve, stands = of_meter - due, of_reserve - kept, stands + into
        made.append(ev.Contribution(seat, spot, wager, into, kept, due - into))
    return tuple(made)


def evolve(meter: Meter | None, id: str, event: ev.Event, time: ev.Time) -> Meter:
    """The jackpot after an event."""
    if isinstance(event, ev.JackpotOpened):
        return Meter(id, event.terms, played=(event.terms.played,), version=1)
    assert meter is not None, "a jackpot begins with its opening"
    return replace(_evolve(meter, event, time), version=meter.version + 1)


def _evolve(meter: Meter, event: ev.Event, time: ev.Time) -> Meter:
    match event:
        case ev.JackpotChanged(terms, keep):
            kept = {one.table: Kept(one.round, meter.terms_at(one.table, one.round)) for one in keep}
            return replace(meter, terms=terms, kept=kept)
        case ev.JackpotSeeded(cents, reserve):
            after = _moved(meter, cents, reserve, "seeded")
            return replace(after, lent=meter.lent + cents)
        case ev.TableLinked(table, played):
            known = meter.played if played in meter.played else (*meter.played, played)
            return replace(meter, tables={**meter.tables, table: time}, played=known)
        case ev.TableUnlinked(table):
            return replace(meter, tables={other: since for other, since in meter.tables.items() if other != table})
        case ev.Registered():
            return _registered(meter, event)
        case ev.RegistrationsReturned():
            return _given_back(meter, event)
        case ev.AwardEntered(table, round, by):
            found = meter.at(table, round)
            assert found is not None
            return _with_round(meter, table, msgspec.structs.replace(found, entered=by))
        case ev.Awarded():
            return _awarded(meter, event, time)
        case ev.AwardTakenBack():
            return _taken_back(meter, event)
        case ev.JackpotAdjusted(why, _, cents, reserve):
            after = _moved(meter, cents, reserve, "adjusted")
            return replace(after, lent=meter.lent + cents) if why == "seed recovered" else after
        case ev.JackpotClosed(reason, heir, cents, reserve, over):
            after = _moved(meter, -cents - over, -reserve, "adjusted")
            return replace(after, closed=reason, heir=heir, lent=0)
        case ev.JackpotInherited(_, cents, reserve, lent):
            after = _moved(meter, cents, reserve, "adjusted")
            return replace(after, lent=meter.lent + lent)
    raise AssertionError(f"{event} happens only once")


def _moved(meter: Meter, cents: Cents, reserve: Cents, what: str) -> Meter:
    return replace(
        meter,
        meter=meter.meter + cents,
        reserve=meter.reserve + reserve,
        in_meter=meter.in_meter.plus(**{what: cents}),
        in_reserve=meter.in_reserve.plus(**{what: reserve}),
    )


def _with_round(meter: Meter, table: str, round: OpenRound) -> Meter:
    return replace(meter, open={**meter.open, table: round})


def _carried(
    meter: Meter, to_meter: str, to_reserve: str, made: Iterable[ev.Contribution], sign: int
) -> tuple[Part, Part]:
    """What is carried after contributions were made by these shares, or were taken out again."""
    shares, wagered, of_meter, of_reserve = shares_of(to_meter, to_reserve), 0, 0, 0
    for one in made:
        wagered, of_meter, of_reserve = wagered + one.wager, of_meter + one.meter + one.over, of_reserve + one.reserve
    left = [
        Fraction(*part) + sign * (share * wagered - cents)
        for part, share, cents in zip(
            meter.carried, (shares.meter, shares.reserve), (of_meter, of_reserve), strict=True
        )
    ]
    return (left[0].numerator, left[0].denominator), (left[1].numerator, left[1].denominator)


def _registered(meter: Meter, event: ev.Registered) -> Meter:
    before, terms = meter.at(event.table, event.round), meter.terms_at(event.table, event.round)
    wagers, won = (before.wagers, before.won) if before is not None else ((), ())
    shares = terms.to_meter, terms.to_reserve
    lit = {*meter.lit_in(event.table, event.round), *((one.seat, one.spot) for one in event.wagers)}
    into = sum(one.meter for one in event.wagers)
    kept = sum(one.reserve + one.over for one in event.wagers)
    new = (*wagers, *(InMeter(made, meter.whole, *shares) for made in event.wagers))
    return replace(
        meter,
        meter=meter.meter + into,
        reserve=meter.reserve + kept,
        in_meter=meter.in_meter.plus(contributed=into),
        in_reserve=meter.in_reserve.plus(contributed=kept),
        carried=_carried(meter, *shares, event.wagers, 1),
        wagered=meter.wagered + sum(one.wager for one in event.wagers),
        open={**meter.open, event.table: OpenRound(event.round, meter.meter + into, new, won)},
        lit={**meter.lit, event.table: Lit(event.round, tuple(sorted(lit)))},
    )


def _given_back(meter: Meter, event: ev.RegistrationsReturned) -> Meter:
    found = meter.at(event.table, event.round)
    assert found is not None
    left = {one.place: one for one in found.wagers}
    for back in event.wagers:
        gone = left.pop((back.seat, back.spot))
        meter = replace(
            meter,
            meter=meter.meter - back.meter_falls,
            reserve=meter.reserve - back.reserve_falls,
            in_meter=meter.in_meter.plus(returned=back.meter_falls),
            in_reserve=meter.in_reserve.plus(returned=back.reserve_falls),
            carried=_carried(meter, gone.to_meter, gone.to_reserve, (gone.made,), -1),
            wagered=meter.wagered - back.wager,
        )
    return _with_round(meter, event.table, msgspec.structs.replace(found, wagers=tuple(left.values())))


def _awarded(meter: Meter, event: ev.Awarded, time: ev.Time) -> Meter:
    found = meter.at(event.table, event.round)
    assert found is not None
    seed = event.seed_reserve + event.seed_house
    after = replace(
        meter,
        meter=meter.meter - event.falls + seed,
        reserve=meter.reserve - event.reserve - event.seed_reserve,
        in_meter=meter.in_meter.plus(awarded=event.falls, seeded=seed),
        in_reserve=meter.in_reserve.plus(awarded=event.reserve, seeded=-event.seed_reserve),
        whole=meter.whole + event.is_whole,
        awards=meter.awards + 1,
        lent=event.seed_house if event.is_whole else meter.lent,
        last=(LastAward(event.table, event.round, event.line, event.cents, time), *meter.last)[:LAST_AWARDS],
    )
    won = (*found.won, Won(event, meter.whole, meter.lent))
    return _with_round(after, event.table, msgspec.structs.replace(found, won=won))


def _taken_back(meter: Meter, event: ev.AwardTakenBack) -> Meter:
    """What was registered before the award is in the meter again."""
    found = meter.at(event.table, event.round)
    assert found is not None
    gone = next(one for one in found.won if one.award.key == event.key)
    seed = event.seed_reserve + event.seed_house
    after = replace(
        meter,
        meter=meter.meter + event.rises - seed,
        reserve=meter.reserve + event.reserve + event.seed_reserve,
        in_meter=meter.in_meter.plus(corrected=event.rises - seed),
        in_reserve=meter.in_reserve.plus(corrected=event.reserve + event.seed_reserve),
        awards=meter.awards - 1,
        lent=gone.lent + meter.lent - event.seed_house if event.unseeded else meter.lent,
        last=_without(meter.last, gone.award),
    )
    won = tuple(one for one in found.won if one is not gone)
    after = _with_round(after, event.table, msgspec.structs.replace(found, won=won))
    if not gone.award.is_whole:
        return after
    return replace(after, open={table: _again(round, gone.whole, meter.whole) for table, round in after.open.items()})


def _again(round: OpenRound, was: int, now: int) -> OpenRound:
    wagers = tuple(msgspec.structs.replace(one, whole=now) if one.whole == was else one for one in round.wagers)
    return round if wagers == round.wagers else msgspec.structs.replace(round, wagers=wagers)


def _without(last: tuple[LastAward, ...], gone: ev.Awarded) -> tuple[LastAward, ...]:
    about = (gone.table, gone.round, gone.line, gone.cents)
    index = next((n for n, one in enumerate(last) if (one.table, one.round, one.line, one.cents) == about), len(last))
    return last[:index] + last[index + 1 :]


# The books.


def entries(id: str, event: ev.Event) -> list[Entry]:
    """What an event books. All that a table takes and pays goes through its tray: a contribution leaves it, and an
    award comes into it to be paid out there."""
    meter, reserve = meter_account(id), reserve_account(id)
    moved: list[tuple[Kind, Account, Account, Cents]] = []
    match event:
        case ev.JackpotSeeded(to_meter, to_reserve):
            moved = [(Kind.JACKPOT_SEED, HOUSE, meter, to_meter), (Kind.JACKPOT_SEED, HOUSE, reserve, to_reserve)]
        case ev.Registered(table, _, wagers):
            into, kept = sum(w.meter for w in wagers), sum(w.reserve + w.over for w in wagers)
            tray, kind = table_account(table), Kind.JACKPOT_CONTRIBUTION
            moved = [(kind, tray, meter, into), (kind, tray, reserve, kept)]
        case ev.RegistrationsReturned(table, _, given):
            tray, kind = table_account(table), Kind.REGISTRATION_RETURNED
            moved = [
                (kind, meter, tray, sum(w.meter for w in given)),
                (kind, reserve, tray, sum(w.reserve for w in given)),
                (kind, HOUSE, tray, sum(w.house for w in given)),
            ]
        case ev.Awarded(table):
            tray, award, seed = table_account(table), Kind.JACKPOT_AWARD, Kind.JACKPOT_SEED
            moved = [
                (award, meter, tray, event.meter),
                (award, reserve, tray, event.reserve),
                (award, HOUSE, tray, event.house),
                (seed, reserve, meter, event.seed_reserve),
                (seed, HOUSE, meter, event.seed_house),
            ]
        case ev.AwardTakenBack(table):
            tray, kind = table_account(table), Kind.CORRECTION
            moved = [
                (kind, tray, meter, event.meter),
                (kind, tray, reserve, event.reserve),
                (kind, tray, HOUSE, event.house),
                (kind, meter, reserve, event.seed_reserve),
                (kind, meter, HOUSE, event.seed_house),
            ]
        case ev.JackpotAdjusted(_, _, to_meter, to_reserve, to_house):
            parts = ((meter, to_meter), (reserve, to_reserve), (HOUSE, to_house))
            (payer,) = (account for account, cents in parts if cents < 0)
            moved = [(Kind.JACKPOT_ADJUSTMENT, payer, account, cents) for account, cents in parts if cents > 0]
        case ev.JackpotClosed(_, heir, from_meter, from_reserve, over):
            other, others = (meter_account(heir), reserve_account(heir)) if heir else (HOUSE, HOUSE)
            kind = Kind.JACKPOT_ADJUSTMENT
            moved = [
                (kind, meter, other, from_meter),
                (kind, meter, others, over),
                (kind, reserve, others, from_reserve),
            ]
    return [Entry(kind, payer, payee, cents) for kind, payer, payee, cents in moved if cents]
