"""A table: its state, how an event changes it, and what an event makes in the books. All of it is pure.

The state is a fold of the events (F-16), so that a replay gives the same state, and a killed process resumes where it
was. What a command makes happen is decided in `deciding`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from feltworks.floor import events as ev
from feltworks.floor.answers import from_plain, incident_of
from feltworks.floor.money import Entry, Kind, Settled, player_account, table_account
from feltworks.floor.settings import TableSettings, check_settings, standing
from feltworks.kit import steps
from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.round import OUT_OF_SERVICE, Round
from feltworks.kit.standing import Standing
from feltworks.kit.unseen import Unseen

DEALER = "dealer"
"""The actor of what the automatic dealer and the clocks do."""


@dataclass(frozen=True)
class Occupant:
    """Who sits at a seat."""

    player: str
    name: str
    away_since: ev.Time | None = None
    leaving: bool = False
    ready: bool = False
    missed: int = 0
    """The rounds that began since the player last had a wager, sat down or came back."""

    @property
    def present(self) -> bool:
        return self.away_since is None


@dataclass(frozen=True)
class Table:
    """The state of a table: what everybody may know. Sealed cards and rolls to come have no identity here."""

    settings: TableSettings
    game: Game
    seats: Mapping[int, Occupant] = field(default_factory=dict)
    round_number: int = 0
    round: Round | None = None
    unseen: Unseen | None = None
    carry: Mapping[str, Any] = field(default_factory=dict)
    root: str | None = None
    size: int = 0
    dealt: int = 0
    """How many positions under the root are used: cards dealt or burnt, dice rolled."""
    positions: Mapping[Token, tuple[str, int]] = field(default_factory=dict)
    """Where each card of the round lay, and each roll: that is the token `roll 1` and so on."""
    dice: tuple[int, ...] | None = None
    """The last roll, as it lies there."""
    things: Mapping[str, str] = field(default_factory=dict)
    """Where the dealer put the marker, the cup and the like last."""
    results: tuple[Settled, ...] = ()
    """What was settled in this round since betting was last closed."""
    deadline: ev.Time | None = None
    began: int = 0
    """The version with which the round, or the last betting in it, began: what somebody sends who saw less is meant
    for another one."""
    windows: int = 0
    """How often betting was opened in the round."""
    longer: bool = False
    incident: str = ""
    """What was reported and is not decided yet."""
    version: int = 0
    shown: "Table | None" = None
    """The table before several seats began to decide together: what they choose is shown when all of them have."""

    @property
    def step(self) -> steps.Step | None:
        return self.round.next if self.round is not None else None

    @property
    def betting(self) -> bool:
        return isinstance(self.step, steps.Bet)

    @property
    def wagers(self) -> Mapping[tuple[Seat, str], Fraction]:
        """What is in action; between two rounds, what stays up from the one to the other."""
        carried: Mapping[tuple[Seat, str], Fraction] = self.carry.get("wagers", {})
        return self.round.wagers if self.round is not None else carried

    @property
    def winnings(self) -> Mapping[tuple[Seat, str], Fraction]:
        """What lies on self-service spots to be collected, in whole cents as it is booked then."""
        carried: Mapping[tuple[Seat, str], Fraction] = self.carry.get("winnings", {})
        return self.round.winnings if self.round is not None else carried

    def has_wagers(self, seat: int) -> bool:
        return any(s == seat for s, _ in self.wagers)

    def has_chips(self, seat: int) -> bool:
        """Whether anything of a seat lies on the layout."""
        return any(s == seat for s, _ in (*self.wagers, *self.winnings))

    @property
    def roots(self) -> set[str]:
        """The shoes that are dealt from, or lie on the table."""
        dealt = {root for root, _ in self.positions.values()}
        return dealt | {self.root} if self.root is not None else dealt

    @property
    def needs_shuffle(self) -> bool:
        """Whether the next round starts with a new root (D-01, F-23): where one must, where the game has a fresh pack
        for every round, and where the shoe might not be enough for a round of every seat."""
        pack, most = self.game.definition.pack, self.game.most_cards(self.settings.seats)
        if self.must_shuffle or (pack is not None and pack.fresh_each_round):
            return True
        return most is not None and most > self.size - self.dealt and not self.game.round_class.shuffles_within

    @property
    def must_shuffle(self) -> bool:
        """Whether no round can start without a new root: with dice and from a shuffler none can, and from a shoe none
        at the cut card, which is out when the discards were dealt on."""
        pack = self.game.fresh()
        if pack is None or self.root is None or self.settings.shuffling == "shuffler" or len(self.roots) > 1:
            return True
        gone = pack.total - (self.size - self.dealt)
        return gone * 100 >= pack.total * self.settings.penetration

    @property
    def out_of_service(self) -> list[str]:
        """The devices that may not be used until somebody releases them (D-10)."""
        return [thing for thing, place in self.things.items() if place == OUT_OF_SERVICE]

    @property
    def discards(self) -> int:
        """F-23: how many cards can be shuffled when the shoe is empty: all that are not of this round."""
        pack = self.game.fresh()
        return pack.total - len(self.round.cards) if pack is not None and self.round is not None else 0

    @property
    def is_shoe_empty(self) -> bool:
        """Whether a card is to be dealt and there is none."""
        return isinstance(self.step, steps.Deal) and self.dealt >= self.size

    def seat_of(self, player: str) -> int | None:
        return next((seat for seat, who in self.seats.items() if who.player == player), None)

    @property
    def kept_until(self) -> dict[int, tuple[ev.Time, str]]:
        """Until when seats without a wager are kept, and why no longer: of players who have left or are away, and
        between two rounds, or a round later in open betting, of those who let too many go by. What a spot has won can
        go back while betting is open."""
        kept: dict[int, tuple[ev.Time, str]] = {}
        for seat, who in self.seats.items():
            if self.has_wagers(seat) or (self.has_chips(seat) and not self.betting):
                continue
            if who.leaving:
                if self.betting:
                    kept[seat] = 0, "nothing left up"
            elif who.away_since is not None:
                kept[seat] = who.away_since + self.settings.clocks.seat, "away for too long"
            elif who.missed >= self.settings.idle + self.betting and (self.round is None or self.betting):
                kept[seat] = 0, f"no wager in {who.missed} rounds"
        return kept

    @property
    def to_act(self) -> frozenset[int]:
        """The seats whose decision the table waits for."""
        step = self.step
        if isinstance(step, steps.Choose) and not isinstance(step.who, steps.Role):
            return frozenset(step.who)
        return frozenset()

    @property
    def gone(self) -> list[int]:
        """Those of them that nobody sits at any more, or who has left."""
        return [seat for seat in sorted(self.to_act) if seat not in self.seats or self.seats[seat].leaving]


def opened(settings: TableSettings) -> ev.Opened:
    """The first event of a table."""
    game = check_settings(settings)
    return ev.Opened(settings, game.fingerprint["definition"], game.fingerprint["build"], standing(settings, game))


def recorded_standing(opened: ev.Opened) -> Standing:
    """How a table stood when it was opened: as it is written down, or from its settings where an earlier record leaves
    it out."""
    return opened.standing or standing(opened.settings, opened.settings.load_game())


def check_rules(table: str, opened: ev.Opened) -> None:
    """G8: a table goes on only by the rules it was opened with."""
    game = opened.settings.load_game()
    here = game.fingerprint["definition"]
    if here != opened.definition:
        raise FeltworksError(
            f"The table {table} was opened with the definition {opened.definition[:12]} of {game.name}, and here is"
            f" {here[:12]}; install the version that it was opened with, or choose another folder with --data."
        )


# Evolving.


def evolve(table: Table | None, event: ev.Event, time: ev.Time) -> Table:
    """The table after an event."""
    if isinstance(event, ev.Opened):
        return Table(event.settings, event.settings.load_game(), version=1)
    assert table is not None
    after = _evolve(table, event, time)
    deadline, longer = _clock(table, after, time)
    shown = _shown(table, after)
    return replace(after, version=table.version + 1, deadline=deadline, longer=longer, shown=shown)


def _evolve(table: Table, event: ev.Event, time: ev.Time) -> Table:
    match event:
        case ev.Sat(seat, player, name):
            return replace(table, seats={**table.seats, seat: Occupant(player, name)})
        case ev.Left(seat):
            if (table.shown or table).has_chips(seat):
                return _seat(table, seat, leaving=True)
            return replace(table, seats={s: who for s, who in table.seats.items() if s != seat})
        case ev.Presence(seat, present):
            return _seat(table, seat, away_since=None if present else time, missed=0)
        case ev.RoundStarted(number, root, size):
            return _round_started(table, number, root, size)
        case ev.Readied(seat):
            return _seat(table, seat, ready=True)
        case ev.Answered(plain, effects):
            return _after_answer(table, plain, effects)
        case ev.Reshuffled(root, size, discards):
            round, pack = table.round, table.game.fresh()
            if discards and round is not None and pack is not None:
                round = round.with_discards(pack)
            return replace(table, round=round, root=root, size=size, dealt=0)
        case ev.RoundEnded():
            return _round_over(table)
        case ev.Reported(incident):
            assert table.round is not None
            return replace(table, round=table.round.report(incident_of(event)), incident=incident)
        case ev.Released(what):
            return replace(table, things={**table.things, what: "in service"})
        case ev.Voided():
            assert table.round is not None
            nothing_up = replace(table.round, wagers={}, contract=frozenset(), winnings={})
            return replace(_round_over(replace(table, round=nothing_up)), root=None)
    raise AssertionError(f"{event} happens only once")


def _same_choice(before: Table, after: Table) -> bool:
    """Whether seats are still asked what they were asked before, though some of them may have decided."""
    one, other = before.step, after.step
    same = isinstance(one, steps.Choose) and isinstance(other, steps.Choose) and one.options == other.options
    return same and bool(after.to_act) and after.to_act <= before.to_act


def _shown(before: Table, after: Table) -> Table | None:
    if not _same_choice(before, after):
        return None
    return before.shown or (before if after.to_act < before.to_act else None)


def _seat(table: Table, seat: int, **changes: Any) -> Table:
    return replace(table, seats={**table.seats, seat: replace(table.seats[seat], **changes)})


def started(table: Table, root: str | None) -> Round:
    """The next round of a table as it begins, from a new shoe or from what is left of the last one."""
    everyone = range(1, table.settings.seats + 1)
    return table.game.start(everyone, table.unseen if root is None else None, table.carry)


def _round_started(table: Table, number: int, root: str | None, size: int) -> Table:
    round = started(table, root)
    put = {e.what: e.to for e in round.effects if isinstance(e, steps.Move) and isinstance(e.what, str)}
    table = replace(table, round_number=number, round=round, results=(), positions={}, windows=0)
    table = replace(table, things={**_lasting(table), **put})
    if root is not None:
        burnt = table.settings.burn if table.settings.shuffling == "shoe" and round.unseen is not None else 0
        table = replace(table, root=root, size=size, dealt=burnt)
    missed = {s: 0 if table.has_wagers(s) else who.missed + 1 for s, who in table.seats.items()}
    return _begun(replace(table, seats={s: replace(who, missed=missed[s]) for s, who in table.seats.items()}))


def _lasting(table: Table) -> dict[str, str]:
    """What is where it was when a round begins: all that the layout draws, and a device out of service. A wave of a
    hand, or chips that were taken, belong to the round in which they were seen."""
    layout = table.game.definition.layout
    drawn = {"cup", layout.get("boxes", {}).get("marker"), *(s["name"] for s in layout.get("dice", {}).get("sets", ()))}
    return {what: place for what, place in table.things.items() if what in drawn or place == OUT_OF_SERVICE}


def _begun(table: Table) -> Table:
    """The round begins, or betting is opened in it: nobody is ready yet."""
    seats = {seat: replace(who, ready=False) for seat, who in table.seats.items()}
    return replace(table, seats=seats, began=table.version + 1, windows=table.windows + table.betting)


def _after_answer(table: Table, plain: list[Any], effects: list[ev.Called | ev.Moved | Settled]) -> Table:
    round = table.round
    assert round is not None
    step = round.next
    table = replace(table, round=in_whole_cents(round.after(from_plain(plain, round)), effects), incident="")
    match step, plain:
        case steps.Bet(), ["place", seat, *_] if table.seats[seat].missed:
            table = _seat(table, seat, missed=0)
        case steps.Deal(token), _:
            table = _used(table, token)
        case steps.Roll(), ["dice", *faces]:
            table = replace(_used(table, Token(None, f"roll {len(table.positions) + 1}")), dice=tuple(faces))
    if table.betting and (not isinstance(step, steps.Bet) or plain == ["close"]):
        table = _begun(table)
    results = () if plain == ["close"] else table.results
    settled = tuple(effect for effect in effects if isinstance(effect, Settled))
    moved = {effect.what[0]: effect.to for effect in effects if isinstance(effect, ev.Moved) and len(effect.what) == 1}
    return replace(table, results=(*results, *settled), things={**table.things, **moved})


def _used(table: Table, token: Token) -> Table:
    """The next position under the root is this card or roll."""
    assert table.root is not None
    return replace(table, dealt=table.dealt + 1, positions={**table.positions, token: (table.root, table.dealt)})


def _round_over(table: Table) -> Table:
    """What stays up goes into the next round, and so does the seat of who has left it there."""
    round = table.round
    assert round is not None
    after = replace(table, round=None, unseen=round.unseen, carry=round.carry, incident="")
    stay = {seat: who for seat, who in table.seats.items() if not who.leaving or after.has_chips(seat)}
    return replace(after, seats=stay)


def _clock(before: Table, after: Table, time: ev.Time) -> tuple[ev.Time | None, bool]:
    """F-30: when the clock of what the table waits for runs out, and whether it is the longer one of a connection
    that was lost. That one is given once for a decision. Seats that decide together have one clock. Betting has none
    until somebody has bet."""
    clocks = after.settings.clocks
    if after.betting:
        assert after.round is not None
        if not after.round.playing:
            return None, False
        same = before.betting and before.windows == after.windows
        return before.deadline if same and before.deadline else time + clocks.betting, False
    if not after.to_act:
        return None, False
    if after.gone:
        return time, False
    away = any(not after.seats[seat].present for seat in after.to_act)
    if _same_choice(before, after) and before.deadline is not None and not before.gone:
        if away and not before.longer:
            return max(before.deadline, time + clocks.away), True
        return before.deadline, before.longer
    return time + (clocks.away if away else clocks.decision), away


def in_whole_cents(round: Round, recorded: Iterable[ev.Called | ev.Moved | Settled], unit: int = 1) -> Round:
    """The round with what its last answer laid down on self-service spots as it was settled, not as the odds say."""
    if not round.winnings:
        return round
    exact = [effect for effect in round.effects if isinstance(effect, steps.Settlement)]
    winnings = dict(round.winnings)
    for paid, booked in zip(exact, (effect for effect in recorded if isinstance(effect, Settled)), strict=True):
        if paid.stake is steps.Stake.STAYS and (paid.seat, paid.spot) in winnings:
            winnings[paid.seat, paid.spot] += Fraction(booked.paid, unit) - paid.net()
    return replace(round, winnings=winnings)


# Booking.


def bookings(before: Table | None, event: ev.Event) -> list[Entry]:
    """The entries that an event makes in the books: chips on the layout lie with the table until they go back."""
    if before is None:
        return []
    settings = before.settings

    def whose(seat: int) -> str:
        return player_account(before.seats[seat].player)

    here = table_account(settings.id)
    match event:
        case ev.Answered(["take up", seat, spot]):
            assert before.round is not None
            return [Entry(Kind.WAGER_RETURNED, here, whose(seat), int(before.round.stake(Seat(seat), spot)))]
        case ev.Answered(["collect", seat, spot]):
            return [Entry(Kind.PAYOUT, here, whose(seat), int(before.winnings[Seat(seat), spot]))]
        case ev.Answered(plain, effects):
            assert before.round is not None
            made = before.round.staked(from_plain(plain, before.round))
            entries = [Entry(Kind.WAGER_TAKEN, whose(made[0]), here, int(made[2]))] if made else []
            paid = [s for s in effects if isinstance(s, Settled) and not _lies_there(before, s)]
            return entries + [entry for s in paid for entry in _settling(s, whose, here)]
        case ev.Voided(returned=returned):
            lying = [Entry(Kind.PAYOUT, here, whose(s.seat), s.returned) for s in returned if not s.amount]
            return [*lying, *(entry for s in returned if s.amount for entry in _settling(s, whose, here))]
    return []


def _lies_there(table: Table, settled: Settled) -> bool:
    """Whether what was won lies on the spot until it is collected: chips on the layout are with the table."""
    return settled.stake == steps.Stake.STAYS.value and table.game.wager_of(settled.spot).self_service


def _settling(settled: Settled, whose: Callable[[int], str], here: str) -> list[Entry]:
    entries = []
    if settled.returned:
        entries.append(Entry(Kind.WAGER_RETURNED, here, whose(settled.seat), settled.returned))
    if settled.paid:
        entries.append(Entry(Kind.PAYOUT, here, whose(settled.seat), settled.paid))
    return entries
