"""A table: `decide` says what a command makes happen, or refuses it; `evolve` makes it so. Both are pure.

Time, chance and balances are passed in; the state is a fold of the events (F-16), so that a replay gives the same
state, and a killed process resumes where it was.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from feltworks.floor import events as ev
from feltworks.floor.answers import from_plain, to_plain, whole_cents
from feltworks.floor.money import Entry, Kind, Settled, player_account, settled, table_account
from feltworks.floor.settings import Cents, TableSettings, check_settings
from feltworks.kit import steps
from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import FeltworksError, NotAllowed, NotPossible
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.unseen import Unseen

Balance = Callable[[str], Cents]


class Refused(FeltworksError):
    """A command that is not carried out, with a reason a person understands. Nothing has changed (G5)."""


@dataclass(frozen=True)
class Occupant:
    """Who sits at a seat."""

    player: str
    name: str
    away_since: ev.Time | None = None
    leaving: bool = False
    ready: bool = False

    @property
    def present(self) -> bool:
        return self.away_since is None


@dataclass(frozen=True)
class Table:
    """The state of a table: what everybody may know. Sealed cards have no identity here."""

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
    positions: Mapping[Token, tuple[str, int]] = field(default_factory=dict)
    results: tuple[Settled, ...] = ()
    deadline: ev.Time | None = None
    began: int = 0
    """The version with which the round began: what somebody sends who saw less is meant for another round."""
    longer: bool = False
    version: int = 0

    @property
    def step(self) -> steps.Step | None:
        return self.round.next if self.round is not None else None

    @property
    def betting(self) -> bool:
        return isinstance(self.step, steps.Bet)

    @property
    def roots(self) -> set[str]:
        """The shoes that are dealt from, or lie on the table."""
        dealt = {root for root, _ in self.positions.values()}
        return dealt | {self.root} if self.root is not None else dealt

    @property
    def needs_shuffle(self) -> bool:
        """Whether the next round starts with freshly shuffled cards: always from a shuffler, else at the cut card."""
        pack = self.game.fresh()
        if pack is None:
            return False
        if self.root is None or self.settings.shuffling == "shuffler":
            return True
        gone = pack.total - (self.size - self.dealt)
        return gone * 100 >= pack.total * self.settings.penetration

    def seat_of(self, player: str) -> int | None:
        return next((seat for seat, who in self.seats.items() if who.player == player), None)

    @property
    def kept_until(self) -> dict[int, ev.Time]:
        """Until when the seats are kept whose players are away and have nothing in the round."""
        playing = self.round.playing if self.round is not None else ()
        return {
            seat: who.away_since + self.settings.clocks.seat
            for seat, who in self.seats.items()
            if who.away_since is not None and not who.leaving and seat not in playing
        }

    @property
    def to_act(self) -> frozenset[int]:
        """The seats whose decision the table waits for."""
        step = self.step
        if isinstance(step, steps.Choose) and not isinstance(step.who, steps.Role):
            return frozenset(step.who)
        return frozenset()


def opened(settings: TableSettings) -> ev.Opened:
    """The first event of a table."""
    game = check_settings(settings)
    return ev.Opened(settings, game.fingerprint["definition"], game.fingerprint["build"])


def check_rules(table: str, opened: ev.Opened) -> None:
    """G8: a table goes on only by the rules it was opened with."""
    game = opened.settings.load_game()
    here = game.fingerprint["definition"]
    if here != opened.definition:
        raise FeltworksError(
            f"The table {table} was opened with the definition {opened.definition[:12]} of {game.name}, and here is"
            f" {here[:12]}; install the version that it was opened with, or choose another folder with --data."
        )


# Deciding.


def decide(table: Table, command: ev.Command, player: str, name: str, balance: Balance, now: ev.Time) -> list[ev.Event]:
    """The events that a command makes happen. `player` is nobody for commands of the house."""
    try:
        return _decide(table, command, player, name, balance, now)
    except NotAllowed as refusal:
        raise Refused(str(refusal)) from None


def _decide(
    table: Table, command: ev.Command, player: str, name: str, balance: Balance, now: ev.Time
) -> list[ev.Event]:
    match command:
        case ev.Sit(seat):
            return _sit(table, seat, player, name)
        case ev.Leave():
            return _leave(table, _own_seat(table, player))
        case ev.Place(spot, amount):
            return _place(table, _own_seat(table, player), spot, amount, balance(player))
        case ev.TakeUp(spot):
            return [_answered(table, steps.TakeUp(_bettor(table, player), spot))]
        case ev.Ready():
            return _ready(table, _bettor(table, player))
        case ev.Choose(option, amount):
            return _choose(table, _own_seat(table, player), option, amount, balance(player))
        case ev.StartRound(root, size):
            return _start_round(table, root, size)
        case ev.CloseBetting():
            return _close_betting(table)
        case ev.Answer(plain):
            if isinstance(table.step, steps.Deal) and table.dealt >= table.size:
                raise NotPossible("The shoe is empty.")
            return [_answered(table, from_plain(plain, _round(table)))]
        case ev.Reshuffle(root, size):
            return [ev.Reshuffled(root, size)]
        case ev.ClockRanOut():
            return _clock_ran_out(table, now)
        case ev.EndRound(openings):
            if not _round(table).over:
                raise Refused("The round is not over yet.")
            return [ev.RoundEnded(table.round_number, openings)]
        case ev.Connection(who, present):
            at = table.seat_of(who)
            return [ev.Presence(at, present)] if at and table.seats[at].present != present else []
        case ev.FreeSeats():
            return [ev.Left(seat) for seat, until in table.kept_until.items() if until <= now]
        case ev.VoidRound(reason):
            return _void(table, reason)


def _sit(table: Table, seat: int, player: str, name: str) -> list[ev.Event]:
    if not 1 <= seat <= table.settings.seats:
        named = seat if abs(seat) < 1_000 else "of that number"
        raise Refused(f"There is no seat {named}; the seats are 1 to {table.settings.seats}.")
    if table.seat_of(player) is not None:
        raise Refused(f"You sit at seat {table.seat_of(player)} already.")
    if seat in table.seats:
        raise Refused(f"Seat {seat} is taken; choose a free one.")
    return [ev.Sat(seat, player, name)]


def _leave(table: Table, seat: Seat) -> list[ev.Event]:
    """What lies on open betting goes back; what is in action plays on, and its wins go to the account (F-30)."""
    if table.seats[seat].leaving:
        return []
    taken_up: list[ev.Event] = []
    round = table.round
    if round is not None and table.betting:
        for spot in _spots_down(round, seat):
            taken_up.append(_answer_event(table, round, steps.TakeUp(seat, spot)))
            round = round.after(steps.TakeUp(seat, spot))
    return [*taken_up, ev.Left(seat)]


def _spots_down(round: Round, seat: Seat) -> list[str]:
    """The spots of a seat's wagers, those that need others first."""
    return [spot for s, spot in reversed(list(round.wagers)) if s == seat]


def _own_seat(table: Table, player: str) -> Seat:
    seat = table.seat_of(player)
    if seat is None:
        raise Refused("You are watching; take a seat to play.")
    return Seat(seat)


def _bettor(table: Table, player: str) -> Seat:
    seat = _own_seat(table, player)
    if not table.betting:
        raise Refused("Betting is closed; your wagers play on. Bet again when it opens.")
    if table.seats[seat].leaving:
        raise Refused("You are leaving this seat; take a seat again to bet.")
    return seat


def _place(table: Table, seat: Seat, spot: str, amount: Cents, balance: Cents) -> list[ev.Event]:
    _bettor(table, table.seats[seat].player)
    limits = table.settings.limits.get(spot)
    if limits is None:
        raise Refused(f"There is no spot {spot!r} at this table.")
    if amount <= 0 or amount > 100_000_000:
        raise Refused(f"Place between {money(limits.least)} and {money(limits.most)} on {_title(table, spot)}.")
    if amount % table.settings.chip:
        raise Refused(f"Wagers are in whole chips of {money(table.settings.chip)}.")
    down = int(_round(table).stake(seat, spot)) + amount
    if down > limits.most:
        raise Refused(f"{_title(table, spot)} takes at most {money(limits.most)}; you would have {money(down)}.")
    if down < limits.least:
        raise Refused(f"{_title(table, spot)} takes at least {money(limits.least)}.")
    if amount > balance:
        raise Refused(f"You have {money(balance)}; that is less than {money(amount)}.")
    return [_answered(table, steps.Place(seat, spot, Fraction(amount)))]


def _ready(table: Table, seat: Seat) -> list[ev.Event]:
    if seat not in _round(table).playing:
        raise Refused("Place a wager first; then the cards come.")
    if table.seats[seat].ready:
        return []
    events: list[ev.Event] = [ev.Readied(seat)]
    others = [s for s, who in table.seats.items() if s != seat and who.present and not who.leaving]
    if all(table.seats[s].ready for s in others):
        events += _close_betting(table)
    return events


def _choose(table: Table, seat: Seat, option: str, amount: Cents | None, balance: Cents) -> list[ev.Event]:
    step = table.step
    if not isinstance(step, steps.Choose) or seat not in table.to_act:
        raise Refused("It is not your turn.")
    answer = steps.Decide(seat, option, None if amount is None else Fraction(amount))
    extra = next((o.extra for o in step.options if o.name == option), None)
    if extra is not None and amount is not None:
        base = _round(table).stake(seat, extra.of)
        least, most = int(extra.least * base), int(extra.most * base)
        if not least <= amount <= most:
            between = money(least) if least == most else f"{money(least)} to {money(most)}"
            raise Refused(f"To {option} wagers {between} here.")
    made = _round(table).staked(answer)
    cost = whole_cents(made[2]) if made else 0
    if cost > balance:
        raise Refused(f"That wagers {money(cost)} more; you have {money(balance)}.")
    return [_answered(table, answer)]


def _start_round(table: Table, root: str | None, size: int) -> list[ev.Event]:
    if table.round is not None:
        raise Refused("A round is being played.")
    if table.needs_shuffle and root is None:
        raise Refused("The cards must be shuffled before this round.")
    return [ev.RoundStarted(table.round_number + 1, root, size)]


def _close_betting(table: Table) -> list[ev.Event]:
    """Close the betting; what is down without all it needs goes back first."""
    if not table.betting:
        raise Refused("Betting is closed already.")
    events: list[ev.Event] = []
    round = _round(table)
    for seat in round.playing:
        for spot in _incomplete(round, seat):
            answer = steps.TakeUp(seat, spot)
            events.append(_answer_event(table, round, answer))
            round = round.after(answer)
    if round.playing:
        return [*events, _answer_event(table, round, steps.Close())]
    if not events:
        raise Refused("No seat has a wager; the cards are dealt when one has.")
    return events


def _incomplete(round: Round, seat: Seat) -> list[str]:
    """The spots of a seat that lacks a required wager, those that need others first."""
    required = [s for w in round.game.wagers.values() if w.required for s in w.opens]
    if all(round.stake(seat, spot) for spot in required):
        return []
    return _spots_down(round, seat)


def _clock_ran_out(table: Table, now: ev.Time) -> list[ev.Event]:
    """F-30: a clock that runs out never makes a wager nobody made."""
    if table.deadline is None or now < table.deadline:
        return []
    if table.betting:
        return _close_betting(table)
    step = table.step
    if not isinstance(step, steps.Choose) or not table.to_act:
        return []
    seat = min(table.to_act)
    return [_answered(table, steps.Decide(Seat(seat), step.options[0].name))]


def _void(table: Table, reason: str) -> list[ev.Event]:
    """F-17: every wager in action goes back; what was settled stands."""
    round = _round(table)
    if round.over:
        raise Refused("The round is settled; what is settled stands.")
    returned = [settled(round.push(seat, spot, "Void", "F-17"), table.settings) for seat, spot in round.wagers]
    return [ev.Voided(table.round_number, reason, returned)]


def _round(table: Table) -> Round:
    if table.round is None:
        raise Refused("No round is being played; wait for the next one.")
    return table.round


def _answered(table: Table, answer: steps.Answer) -> ev.Answered:
    return _answer_event(table, _round(table), answer)


def _answer_event(table: Table, round: Round, answer: steps.Answer) -> ev.Answered:
    """The event of an answer, once the rules have taken it."""
    effects = [_recorded(effect, table.settings) for effect in round.after(answer).effects]
    return ev.Answered(to_plain(answer), effects)


def _recorded(effect: steps.Effect, settings: TableSettings) -> ev.Called | ev.Moved | Settled:
    match effect:
        case steps.Call(text):
            return ev.Called(text)
        case steps.Move(Token(owner, name), to):
            return ev.Moved([owner, name], to)
        case steps.Move(what, to):
            return ev.Moved([what], to)
        case steps.Settlement():
            return settled(effect, settings)
        case steps.Incident(kind, text):
            return ev.Called(f"{kind}: {text}" if text else kind)


# Evolving.


def evolve(table: Table | None, event: ev.Event, time: ev.Time) -> Table:
    """The table after an event."""
    if isinstance(event, ev.Opened):
        return Table(event.settings, event.settings.load_game(), version=1)
    assert table is not None
    after = _evolve(table, event, time)
    deadline, longer = _clock(table, after, time)
    return replace(after, version=table.version + 1, deadline=deadline, longer=longer)


def _evolve(table: Table, event: ev.Event, time: ev.Time) -> Table:
    match event:
        case ev.Sat(seat, player, name):
            return replace(table, seats={**table.seats, seat: Occupant(player, name)})
        case ev.Left(seat):
            if table.round is not None and Seat(seat) in table.round.playing and not table.betting:
                return _seat(table, seat, leaving=True)
            return replace(table, seats={s: who for s, who in table.seats.items() if s != seat})
        case ev.Presence(seat, present):
            return _seat(table, seat, away_since=None if present else time)
        case ev.RoundStarted(number, root, size):
            return _round_started(table, number, root, size)
        case ev.Readied(seat):
            return _seat(table, seat, ready=True)
        case ev.Answered(plain, effects):
            return _after_answer(table, plain, effects)
        case ev.Reshuffled(root, size):
            return replace(table, root=root, size=size, dealt=0)
        case ev.RoundEnded():
            return _round_over(table)
        case ev.Voided():
            return replace(_round_over(table), root=None)
    raise AssertionError(f"{event} happens only once")


def _seat(table: Table, seat: int, **changes: Any) -> Table:
    return replace(table, seats={**table.seats, seat: replace(table.seats[seat], **changes)})


def _round_started(table: Table, number: int, root: str | None, size: int) -> Table:
    unseen = table.unseen if root is None else None
    everyone = range(1, table.settings.seats + 1)
    started = table.game.start(everyone, unseen, table.carry)
    table = replace(table, round_number=number, round=started, results=(), positions={}, began=table.version + 1)
    if root is not None:
        burnt = table.settings.burn if table.settings.shuffling == "shoe" else 0
        table = replace(table, root=root, size=size, dealt=burnt)
    return replace(table, seats={s: replace(who, ready=False) for s, who in table.seats.items()})


def _after_answer(table: Table, plain: list[Any], effects: list[ev.Called | ev.Moved | Settled]) -> Table:
    round = table.round
    assert round is not None
    step = round.next
    table = replace(table, round=round.after(from_plain(plain, round)))
    if isinstance(step, steps.Deal):
        assert table.root is not None
        position = (table.root, table.dealt)
        table = replace(table, dealt=table.dealt + 1, positions={**table.positions, step.token: position})
    results = tuple(effect for effect in effects if isinstance(effect, Settled))
    return replace(table, results=(*table.results, *results)) if results else table


def _round_over(table: Table) -> Table:
    round = table.round
    assert round is not None
    stay = {seat: who for seat, who in table.seats.items() if not who.leaving}
    return replace(table, round=None, seats=stay, unseen=round.unseen, carry=round.carry)


def _clock(before: Table, after: Table, time: ev.Time) -> tuple[ev.Time | None, bool]:
    """F-30: when the clock of what the table waits for runs out, and whether it is the longer one of a connection
    that was lost. That one is given once for a decision. Betting has no clock until somebody has bet."""
    clocks = after.settings.clocks
    if after.betting:
        assert after.round is not None
        if not after.round.playing:
            return None, False
        return before.deadline if before.betting and before.deadline else time + clocks.betting, False
    if not after.to_act:
        return None, False
    waiting = [after.seats.get(seat) for seat in after.to_act]
    if any(who is None or who.leaving for who in waiting):
        return time, False
    away = any(who is not None and not who.present for who in waiting)
    if before.to_act == after.to_act and before.deadline is not None and before.step == after.step:
        if away and not before.longer:
            return max(before.deadline, time + clocks.away), True
        return before.deadline, before.longer
    return time + (clocks.away if away else clocks.decision), away


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
        case ev.Answered(plain, effects):
            assert before.round is not None
            made = before.round.staked(from_plain(plain, before.round))
            entries = [Entry(Kind.WAGER_TAKEN, whose(made[0]), here, int(made[2]))] if made else []
            return entries + [e for s in effects if isinstance(s, Settled) for e in _settling(s, whose, here)]
        case ev.Voided(_, _, returned):
            return [entry for s in returned for entry in _settling(s, whose, here)]
    return []


def _settling(settled: Settled, whose: Callable[[int], str], here: str) -> list[Entry]:
    entries = []
    if settled.returned:
        entries.append(Entry(Kind.WAGER_RETURNED, here, whose(settled.seat), settled.returned))
    if settled.paid:
        entries.append(Entry(Kind.PAYOUT, here, whose(settled.seat), settled.paid))
    return entries


def money(cents: Cents) -> str:
    """An amount as people read it."""
    return f"{cents / 100:,.2f}"


def _title(table: Table, spot: str) -> str:
    return table.game.spot_title(spot)
