"""What a command makes happen at a table, or why it is refused. Pure: time, chance and balances are passed in."""

from collections.abc import Callable, Collection
from fractions import Fraction
from typing import Any

from feltworks.floor import events as ev
from feltworks.floor.answers import from_plain, incident_of, to_plain, whole_cents
from feltworks.floor.money import Settled, settled, uncollected
from feltworks.floor.settings import Cents, TableSettings
from feltworks.floor.table import Table, in_whole_cents, started
from feltworks.kit import steps
from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import FeltworksError, NotAllowed, NotPossible
from feltworks.kit.round import Round
from feltworks.kit.walk import picked_up

Balance = Callable[[str], Cents]


class Refused(FeltworksError):
    """A command that is not carried out, with a reason a person understands. Nothing has changed (G5)."""


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
        case ev.Collect(spot):
            return [_answered(table, steps.Collect(_bettor(table, player), spot))]
        case ev.Ready():
            return _ready(table, _bettor(table, player))
        case ev.Choose(option, amount):
            return _choose(table, _own_seat(table, player), option, amount, balance(player))
        case ev.StartRound(root, size):
            return _start_round(table, root, size)
        case ev.CloseBetting():
            return _close_betting(table, _round(table))
        case ev.Answer(plain):
            if isinstance(table.step, steps.Deal | steps.Roll) and table.dealt >= table.size:
                raise NotPossible("The shoe is empty.")
            return [_answered(table, from_plain(plain, _round(table)))]
        case ev.Reshuffle(root, size, discards):
            return _reshuffle(table, root, size, discards)
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
            return _free_seats(table, now)
        case ev.VoidRound(reason, openings):
            return _void(table, reason, openings)
        case ev.Report(incident, text, seat, spots, amount):
            if table.incident:
                raise Refused(f"{table.incident.capitalize()} is not decided yet; decide that first.")
            _check_chips(table, amount or 0)
            _round(table).report(incident_of(command))
            return [ev.Reported(incident, text, seat, spots, amount)]
        case ev.Release(what, reason):
            return _release(table, what, reason)


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
    taken: list[ev.Event] = []
    round = table.round
    if round is not None and table.betting:
        taken, round = _take_up(table, round, [seat])
    return [*taken, ev.Left(seat), *_closing_early(table, round, gone=[seat])]


def _free_seats(table: Table, now: ev.Time) -> list[ev.Event]:
    events: list[ev.Event] = []
    round, freed = table.round, []
    for seat, (until, why) in table.kept_until.items():
        if until <= now:
            if round is not None and table.betting:
                taken, round = _take_up(table, round, [seat])
                events += taken
            events.append(ev.Left(seat, why))
            freed.append(seat)
    return [*events, *_closing_early(table, round, gone=freed)]


def _take_up(table: Table, round: Round, seats: Collection[int]) -> tuple[list[ev.Event], Round]:
    """All that the rules let these seats pick up."""
    events: list[ev.Event] = []
    for answer in picked_up(round, seats):
        event, round = _answered_in(table, round, answer)
        events.append(event)
    return events, round


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
    if table.round is not None:
        table.round.refuse(steps.Place(seat, spot, Fraction(amount)))
    _bettor(table, table.seats[seat].player)
    limits = table.settings.limits.get(spot)
    if limits is None:
        raise Refused(f"There is no spot {spot!r} at this table.")
    if amount <= 0 or amount > 100_000_000:
        raise Refused(f"Place between {money(limits.least)} and {money(limits.most)} on {_title(table, spot)}.")
    _check_chips(table, amount)
    down = int(_round(table).stake(seat, spot)) + amount
    if down > limits.most:
        raise Refused(f"{_title(table, spot)} takes at most {money(limits.most)}; you would have {money(down)}.")
    if down < limits.least:
        raise Refused(f"{_title(table, spot)} takes at least {money(limits.least)}.")
    if amount > balance:
        raise Refused(f"You have {money(balance)}; that is less than {money(amount)}.")
    return [_answered(table, steps.Place(seat, spot, Fraction(amount)))]


def _check_chips(table: Table, amount: Cents) -> None:
    if amount % table.settings.chip:
        raise Refused(f"Wagers are in whole chips of {money(table.settings.chip)}.")


def _ready(table: Table, seat: Seat) -> list[ev.Event]:
    if seat not in _round(table).playing:
        raise Refused("Place a wager first; then the cards come.")
    if table.seats[seat].ready:
        return []
    _round(table).may_play(seat)
    return [ev.Readied(seat), *_closing_early(table, table.round, ready=[seat])]


def _closing_early(
    table: Table, round: Round | None, ready: Collection[int] = (), gone: Collection[int] = ()
) -> list[ev.Event]:
    """Betting closes before its clock runs out when everybody is ready, as soon as the last one is or has left. Nobody
    is kept from leaving because the others' wagers break a rule together."""
    if round is None or not (ready or gone) or not all_ready(table, round, ready, gone):
        return []
    try:
        return _close_betting(table, round)
    except NotAllowed:
        if ready:
            raise
        return []


def all_ready(table: Table, round: Round, ready: Collection[int] = (), gone: Collection[int] = ()) -> bool:
    """Whether somebody who plays is ready, and so is everybody whom the table waits for: who is there; but where
    betting was opened again and takes no wager with which a seat comes in, who has one."""
    if not isinstance(table.step, steps.Bet):
        return False
    spots = table.step.spots
    here = {seat: who for seat, who in table.seats.items() if seat not in gone and not who.leaving}
    are_ready = {seat for seat, who in here.items() if who.ready or seat in ready}
    comes_in = any(w.required and not w.opens.keys().isdisjoint(spots) for w in table.game.wagers.values())
    awaited = {s for s, who in here.items() if who.present and (table.windows < 2 or comes_in or s in round.playing)}
    return awaited <= are_ready and not are_ready.isdisjoint(round.playing)


def _choose(table: Table, seat: Seat, option: str, amount: Cents | None, balance: Cents) -> list[ev.Event]:
    step, answer = table.step, steps.Decide(seat, option, None if amount is None else Fraction(amount))
    if table.round is not None:
        table.round.refuse(answer)
    if not isinstance(step, steps.Choose) or seat not in table.to_act:
        raise Refused("It is not your turn.")
    extra = next((o.extra for o in step.options if o.name == option), None)
    if extra is not None:
        base = _round(table).stake(seat, extra.of)
        least, most = int(extra.least * base), int(extra.most * base)
        if amount is not None and not least <= amount <= most:
            between = money(least) if least == most else f"{money(least)} to {money(most)}"
            raise Refused(f"{option.capitalize()}: wager {between} here.")
        if amount is None and extra.least < extra.most:
            answer = steps.Decide(seat, option, Fraction(most))  # as much as there may be, in whole cents
    made = _round(table).staked(answer)
    cost = whole_cents(made[2]) if made else 0
    if cost > balance:
        raise Refused(f"That wagers {money(cost)} more; you have {money(balance)}.")
    return [_answered(table, answer)]


def _start_round(table: Table, root: str | None, size: int) -> list[ev.Event]:
    if table.round is not None:
        raise Refused("A round is being played.")
    if table.out_of_service:
        raise Refused(f"Out of service: {', '.join(table.out_of_service)}. Release it before the next round.")
    if table.must_shuffle and root is None:
        raise Refused("The cards must be shuffled before this round.")
    first = [_recorded(effect, table.settings) for effect in started(table, root).effects]
    return [ev.RoundStarted(table.round_number + 1, root, size, first)]


def _release(table: Table, what: str, reason: str) -> list[ev.Event]:
    """D-10: the release is an act of its own, with its reason."""
    if what not in table.out_of_service:
        raise Refused(f"{what.capitalize()} is not out of service at this table.")
    if not reason.strip():
        raise Refused("Give the reason for the release: who looked at it, and what was found.")
    return [ev.Released(what, reason)]


def _reshuffle(table: Table, root: str, size: int, discards: bool) -> list[ev.Event]:
    """F-23: the discards are dealt on only when the shoe is empty, and all of them are."""
    if discards and not (table.is_shoe_empty and size == table.discards > 0):
        raise Refused(
            "Only an empty shoe is filled in the middle of a round, with every card that is not of the round."
        )
    return [ev.Reshuffled(root, size, discards)]


def _close_betting(table: Table, round: Round) -> list[ev.Event]:
    """Close the betting; what seats have that have left goes back first, and if the rules do not close it like that,
    what a seat has down with which it may not play."""
    if not table.betting:
        raise Refused("Betting is closed already.")
    events, round = _take_up(table, round, [seat for seat, who in table.seats.items() if who.leaving])
    if round.playing:
        try:
            return [*events, _answered_in(table, round, steps.Close())[0]]
        except NotAllowed:
            taken, round = _take_up(table, round, [seat for seat in round.playing if not _may_play(round, seat)])
            if not taken:
                raise
            events += taken
            if round.playing:
                events.append(_answered_in(table, round, steps.Close())[0])
    if not events:
        raise Refused("No seat has a wager; the round goes on when one has.")
    return events


def _may_play(round: Round, seat: Seat) -> bool:
    try:
        round.may_play(seat)
    except NotAllowed:
        return False
    return True


def _closed_by_clock(table: Table) -> list[ev.Event]:
    """The clock closes the betting in any case: if the wagers break a rule together, all that can goes back."""
    round = _round(table)
    try:
        return _close_betting(table, round)
    except NotAllowed:
        events, round = _take_up(table, round, round.playing)
        return [*events, *_close_betting(table, round)] if round.playing else events


def _clock_ran_out(table: Table, now: ev.Time) -> list[ev.Event]:
    """F-30: a clock that runs out never makes a wager nobody made."""
    if table.deadline is None or now < table.deadline:
        return []
    if table.betting:
        return _closed_by_clock(table)
    step = table.step
    if not isinstance(step, steps.Choose) or not table.to_act:
        return []
    seat = min(table.gone or table.to_act)
    return [_answered(table, steps.Decide(Seat(seat), step.clock_choice.name))]


def _void(table: Table, reason: str, openings: list[dict[str, Any]]) -> list[ev.Event]:
    """F-17: every wager in action goes back; what was settled stands, and what lies there of it is handed out."""
    round = _round(table)
    if round.over:
        raise Refused("The round is settled; what is settled stands.")
    returned = [settled(round.push(seat, spot, "Void", "F-17"), table.settings) for seat, spot in round.wagers]
    returned += [uncollected(seat, spot, int(cents)) for (seat, spot), cents in round.winnings.items()]
    return [ev.Voided(table.round_number, reason, returned, openings)]


def _round(table: Table) -> Round:
    if table.round is None:
        raise Refused("No round is being played; wait for the next one.")
    return table.round


def _answered(table: Table, answer: steps.Answer) -> ev.Answered:
    return _answered_in(table, _round(table), answer)[0]


def _answered_in(table: Table, round: Round, answer: steps.Answer) -> tuple[ev.Answered, Round]:
    """The event of an answer, once the rules have taken it, and the round after it."""
    after = round.after(answer)
    effects = [_recorded(effect, table.settings) for effect in after.effects]
    return ev.Answered(to_plain(answer), effects), in_whole_cents(after, effects)


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


def money(cents: Cents) -> str:
    """An amount as people read it."""
    return f"{cents / 100:,.2f}"


def _title(table: Table, spot: str) -> str:
    return table.game.spot_title(spot)
