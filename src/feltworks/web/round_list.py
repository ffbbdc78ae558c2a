"""The rounds of a table in short, newest first: what lay open in each, and how the one who asks came out of it.

It is read from the records as they stand, without the rules: settlements and openings say all of it. Whose seat was
whose is known from a snapshot before the rounds, and from who sat down and who bet after it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from feltworks.floor.accounts import Cents, is_patron, patron_at
from feltworks.floor.actors import Actor
from feltworks.floor.following import OVER, paced, wrong_about
from feltworks.floor.house import House
from feltworks.floor.journal.records import Record
from feltworks.floor.past_round import is_over
from feltworks.floor.recall import event_of
from feltworks.floor.store.interface import PlayedRound
from feltworks.floor.store.reader import Reader
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Placed, Rolled, Spun, TakenUp
from feltworks.floor.table.snapshot import is_signed
from feltworks.kit import steps
from feltworks.kit.round import DISCARD, SHUFFLER
from feltworks.kit.steps import Stake
from feltworks.web import round_messages
from feltworks.web.views import pocket_seen

Which = Literal["all", "played", "won", "lost"]

AWAY = (DISCARD, SHUFFLER)
A_PAGE = 20
MOST_LOOKED_AT = 100
"""So many rounds are looked at for one question; where too few of them are wanted, the answer says where to go on."""
MOST_READ = 10_000
"""So many records are read at once; a page of longer rounds has fewer of them."""
FURTHEST_BACK = 2_000
"""So many records before the rounds are read for who sat where: snapshots lie about a thousand apart."""


def rounds(
    house: House, store: Reader, table: str, before: int | None, player: str | None, which: Which = "all"
) -> round_messages.Rounds:
    """The last rounds; `before` a number: those before it. Nobody but a player has played, won or lost any."""
    found: list[round_messages.RoundListed] = []
    looked_at = 0
    while len(found) < A_PAGE and looked_at < MOST_LOOKED_AT:
        if which != "all":
            last = store.last_played(table, player, before) if player else None
            if last is None:
                return round_messages.Rounds(found, None)
            before = last + 1
        batch = _short_enough(store.rounds(table, limit=A_PAGE, before=before))
        for row in _listed(house, store, table, batch, player):
            looked_at += 1
            before = row.round
            if _is_wanted(row, which):
                found.append(row)
                if len(found) == A_PAGE:
                    break
        if not batch or which == "all":
            break
    return round_messages.Rounds(found, before if before and store.rounds(table, limit=1, before=before) else None)


def _short_enough(batch: list[PlayedRound]) -> list[PlayedRound]:
    """As many of these as do not hold too many records, and at least one."""
    return [r for n, r in enumerate(batch) if not n or batch[0].last - r.first < MOST_READ]


def _is_wanted(row: round_messages.RoundListed, which: Which) -> bool:
    if which == "all":
        return True
    net = None if row.own is None else row.own.net
    return row.own is not None and (which == "played" or (net is not None and (net > 0 if which == "won" else net < 0)))


@dataclass
class _Told:
    """What the records of one round tell."""

    first: int = 0
    last: int = 0
    """Where it begins, and where it is over."""
    ended: ev.Time | None = None
    void: bool = False
    cards: list[tuple[tuple[int | None, str], str]] = field(default_factory=list)
    """By their tokens."""
    away: dict[tuple[int | None, str], str] = field(default_factory=dict)
    """Those that their own seat has put away, with the decision that did it."""
    answers: list[ev.Answered] = field(default_factory=list)
    """As they are when all corrections are made."""
    rolls: list[tuple[int, ...]] = field(default_factory=list)
    pocket: steps.Pocket | None = None
    placed: dict[tuple[int, str], Cents] = field(default_factory=dict)
    settled: list[ev.Settled] = field(default_factory=list)
    seats: dict[int, str] = field(default_factory=dict)
    """Whose seats they were."""

    @property
    def over(self) -> bool:
        return self.last > 0

    def hear(self, record: Record, event: ev.Event) -> None:
        if isinstance(event, ev.RoundStarted) and event.round == record.round:
            self.first = record.sequence
        match event:
            case ev.Answered():
                self.answers.append(event)
            case ev.TakenBack() | ev.Corrected():
                self.answers = ev.answers_again(self.answers, event)
            case ev.RoundEnded() | ev.Voided():
                turned = [o for o in event.openings if o.what == "card"]
                self.cards = [(token, face) for o in turned for token, face in zip(o.tokens, o.faces, strict=True)]
        if isinstance(event, OVER):
            self.last, self.ended = record.sequence, record.time
            for answer in self.answers:
                self._count(answer)
        if isinstance(event, ev.Voided):
            self.void = True
            self.settled += event.returned

    def _count(self, answered: ev.Answered) -> None:
        match answered.answer:
            case Placed(seat, spot, amount):
                self.placed[seat, spot] = self.placed.get((seat, spot), 0) + amount
            case TakenUp(seat, spot):
                self.placed.pop((seat, spot), None)
            case Rolled(faces):
                self.rolls.append(faces)
            case Spun(wheel, pocket):
                self.pocket = steps.Pocket(pocket, wheel)
            case Decided(int(seat), option):
                moved = (effect for effect in answered.effects if isinstance(effect, ev.CardMoved))
                self.away |= {(m.owner, m.name): option for m in moved if m.owner == seat and m.to in AWAY}
        self.settled += (effect for effect in answered.effects if isinstance(effect, ev.Settled))


def _listed(
    house: House, store: Reader, table: str, batch: list[PlayedRound], player: str | None
) -> Iterator[round_messages.RoundListed]:
    if not batch:
        return
    told: dict[int, _Told] = {played.round: _Told() for played in batch if is_over(house, table, played.round)}
    seats, since = _seats_before(house, store, table, batch[-1].first) if player else ({}, batch[-1].first - 1)
    for record in paced(store.read(table, since, batch[0].last)):
        if not player and record.round not in told:
            continue
        event = event_of(record)
        _sit(seats, record, event)
        if record.round in told:
            told[record.round].hear(record, event)
            told[record.round].seats |= seats
    for number, played in zip(range(batch[0].round, 0, -1), batch, strict=False):
        heard = told.get(played.round, _Told())
        if played.round != number or (heard.over and (heard.first, heard.last) != (played.first, played.last)):
            raise wrong_about(table, number)  # nobody signs the list of rounds
        yield _row(played, heard, player)


def _row(played: PlayedRound, told: _Told, player: str | None) -> round_messages.RoundListed:
    about = (played.round, played.time, told.ended, played.first, played.last)
    if not told.over:
        return round_messages.RoundListed(
            *about, over=False, void=False, cards=[], dice=None, rolls=0, pocket=None, own=None
        )
    return round_messages.RoundListed(
        *about,
        over=True,
        void=told.void,
        cards=[card for (owner, _), card in told.cards if owner is None],
        dice=list(told.rolls[-1]) if told.rolls else None,
        rolls=len(told.rolls),
        pocket=pocket_seen(told.pocket),
        own=_own(told, {seat for seat, who in told.seats.items() if who == player}) if player else None,
    )


def _own(told: _Told, seats: set[int]) -> round_messages.OwnRound | None:
    settled = [one for one in told.settled if one.seat in seats]
    down = {spot: amount for (seat, spot), amount in told.placed.items() if seat in seats}
    if not settled and not down:
        return None
    had = {one.seat for one in settled} | {seat for seat, _ in told.placed if seat in seats}
    spots = dict.fromkeys([*down, *(one.spot for one in settled)])
    cards = [(token, card) for token, card in told.cards if token[0] in seats]
    return round_messages.OwnRound(
        seats=sorted(had),
        wagers=[_staked(spot, [one for one in settled if one.spot == spot], down.get(spot, 0)) for spot in spots],
        cards=[card for _, card in cards],
        away=[round_messages.CardAway(n, told.away[token]) for n, (token, _) in enumerate(cards) if token in told.away],
        net=sum(one.net for one in settled) if settled else None,
    )


def _staked(spot: str, settled: list[ev.Settled], down: Cents) -> round_messages.Staked:
    """A wager that was paid and stayed is the same one when it is paid again."""
    gone = sum(one.amount for one in settled if one.stake != Stake.STAYS.value)
    amount = gone or max((one.amount for one in settled), default=0) or down
    return round_messages.Staked(spot, amount, sum(one.net for one in settled) if settled else None)


# Whose seat was whose.


class _Occupant(msgspec.Struct):
    player: str


class _Snapshot(msgspec.Struct):
    """All that is wanted of a snapshot, whatever shape the rest of it had."""

    seats: dict[int, _Occupant]


def _seats_before(house: House, store: Reader, table: str, first: int) -> tuple[dict[int, str], int]:
    """Who had the seats at some record before this one, and its number: from there on the records tell who sat down. If
    there is none near enough, only who bet is known."""
    sequence, data = store.snapshot(table, first - 1) or (0, b"")
    if first - sequence > FURTHEST_BACK:
        return {}, first - 1
    if sequence and not is_signed(data, table, sequence, store.hash_of(table, sequence), house.keys.public):
        return {}, first - 1
    seats = msgspec.json.decode(data[64:], type=_Snapshot).seats if sequence else {}
    return {seat: who.player for seat, who in seats.items()}, sequence


def _sit(seats: dict[int, str], record: Record, event: ev.Event) -> None:
    """A seat that was left is still the seat of whose chips lie there, until somebody else sits down."""
    match event:
        case ev.Sat(seat, player):
            seats[seat] = player
        case ev.PatronSat(seat):
            seats[seat] = patron_at(record.stream, seat)
        case ev.Answered(Placed(seat)) if is_patron(seats.get(seat, "")):
            pass  # the dealer has entered it
        case ev.Answered(Placed(seat)) if (actor := Actor.parse(record.actor)).is_person:
            seats[seat] = actor.id
