"""How an event changes a table. Pure: the same events give the same table, whenever they are folded (G3)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from feltworks.floor.accounts import patron_at
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Answer, Closed, Decided, NoWager, Placed, Rolled, Spun, played, seat_of
from feltworks.floor.table.clocks import next_deadline, older_clock, same_choice, usual_deadline
from feltworks.floor.table.commands import Report
from feltworks.floor.table.duties import asked
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Occupant, Past, Remembered, Table
from feltworks.floor.table.wins import pending_after
from feltworks.kit import steps
from feltworks.kit.cards import Seat, Token
from feltworks.kit.copies import replace
from feltworks.kit.hands import in_sentence
from feltworks.kit.incidents import CARDS, device_of
from feltworks.kit.round import OUT_OF_SERVICE, Round

NOTHING_REPORTED: dict[str, Any] = {"incident": "", "report": 0, "report_text": ""}


def evolve(table: Table | None, event: ev.Event, time: ev.Time, played: Round | None = None) -> Table:
    """The table after an event. `played` is the round after an answer, if whoever decided has it already: then it does
    not go through the rules once more."""
    if isinstance(event, ev.Opened):
        return Table(event.settings, event.settings.load_game(), version=1)
    assert table is not None
    players = {seat: who.player for seat, who in table.seats.items()}
    number, version = table.round_number, table.version + 1
    pending = pending_after(table.pending, event, table.settings.id, version, number, players, time)
    after = _evolve(table, event, time, played)
    if pending is not table.pending:
        after = replace(after, pending=pending)
    again = isinstance(event, ev.TakenBack | ev.Corrected)
    anew = again or isinstance(event, ev.ClocksRestarted | ev.Resumed)
    before = replace(table, deadline=None, usual=None) if anew else table
    if after.settings.clocks.absent is UNSET:
        deadline, longer = older_clock(before, after, time)
        after = replace(after, deadline=deadline, longer=longer)
    else:
        usual = usual_deadline(before, after, time)
        after = replace(after, deadline=next_deadline(before, after, usual, time), usual=usual)
    if table.begun is not None and isinstance(event, Remembered):
        after = _remembered(table, after, event)
    return replace(after, version=table.version + 1, shown=after.shown if again else _shown(table, after))


def _evolve(table: Table, event: ev.Event, time: ev.Time, played: Round | None) -> Table:
    match event:
        case ev.Sat(seat, player):
            return replace(table, seats={**table.seats, seat: Occupant(player)})
        case ev.Left(seat):
            if (table.shown or table).has_chips(seat):
                return _seat(table, seat, leaving=True)
            return replace(table, seats={s: who for s, who in table.seats.items() if s != seat})
        case ev.PatronSat(seat):
            return replace(table, seats={**table.seats, seat: Occupant(patron_at(table.settings.id, seat))})
        case ev.PatronLeft(seat):
            return replace(table, seats={s: who for s, who in table.seats.items() if s != seat})
        case ev.Unseated(seat):
            return _seat(table, seat, unseated=True)
        case ev.Presence(seat, present):
            return _seat(table, seat, away_since=None if present else time, missed=0)
        case ev.RoundStarted(number, root, size, effects, hold_over):
            is_fresh = root is not None or size > 0  # people shuffle without a root
            table = replace(table, hold_over=hold_over)
            begun = _round_started(table, number, root, size, played or started(table, is_fresh))
            return replace(begun, begun=begun, first=effects) if table.settings.has_dealer else begun
        case ev.Readied(seat):
            return _seat(table, seat, ready=True)
        case ev.Answered(answer, effects):
            return _after_answer(table, answer, effects, played or answered(table, answer, effects))
        case ev.Reshuffled(root, size, discards):
            round, pack = table.round, table.game.fresh()
            if discards and round is not None and pack is not None:
                round = round.with_discards(pack)
            return replace(table, round=round, root=root or None, size=size, dealt=0)
        case ev.RoundEnded():
            assert table.round is not None
            return _round_over(table, table.round.carry)
        case ev.Reported(incident, text):
            if table.round is None or table.round.over:
                return replace(table, things={**table.things, device_of(text): OUT_OF_SERVICE})
            stopped = table.round.report(incident_of(event))
            return replace(table, round=stopped, incident=incident, report=table.version + 1, report_text=text)
        case ev.DealerCame(dealer):
            return replace(table, dealer=dealer)
        case ev.DealerLeft():
            return replace(table, dealer="")
        case ev.TickedOff(done):
            return replace(table, done=done, undo=())
        case ev.TakenBack() | ev.Corrected():
            return folded_again(table, event)
        case ev.Released(what):
            table = replace(table, things={**table.things, what: "in service"})
            return replace(table, root=None, unseen=None, size=0, dealt=0) if what == CARDS else table
        case ev.Paused(reason):
            return replace(table, service="paused", service_reason=reason)
        case ev.Closing(reason):
            return replace(table, service="closing", service_reason=reason)
        case ev.TableClosed():
            empty = replace(table, seats={}, carry={}, results=(), reasons=(), brought={}, positions={}, dice=None)
            empty = replace(empty, pocket=None)
            return replace(empty, root=None, service="closed", dealer="")
        case ev.Reopened():
            return replace(table, service="open", service_reason="")
        case ev.ClocksRestarted() | ev.Resumed():
            if isinstance(event, ev.Resumed):
                table = replace(table, service="open", service_reason="")
            away = {seat: replace(who, away_since=time) for seat, who in table.seats.items() if not who.present}
            return replace(table, seats={**table.seats, **away})
        case ev.Voided(returned=returned):
            assert table.round is not None
            nothing_up = replace(table.round, wagers={}, contract=frozenset(), winnings={})
            size = 0 if table.settings.is_physical else table.size
            after = replace(_round_over(replace(table, round=nothing_up), _carried(nothing_up)), root=None, size=size)
            return _handing_back(table, after, returned)
        case ev.ChangePosted():
            return replace(table, change=event)
        case ev.ChangeWithdrawn():
            return replace(table, change=None)
        case ev.SettingsChanged(settings):
            return _with_settings(table, settings)
        case ev.Abandoned() | ev.Succeeded():
            return replace(table, closed=True)
        case ev.WinReleased() | ev.Claimed() | ev.DisputeDecided():
            return table  # what is open behind the rounds changes nothing in them
    raise AssertionError(f"{event} happens only once")


def _with_settings(table: Table, settings: TableSettings) -> Table:
    """The table between two rounds with other settings. The shoe is dealt on if its cards stay the same; who has the
    dice and the like goes on unless the rules are others now, or a seat is gone."""
    game, old = settings.load_game(), table.settings
    after = replace(table, settings=settings, game=game, change=None, set_by=table.version + 1)
    if (game.decks, settings.shuffling, settings.burn) != (table.game.decks, old.shuffling, old.burn):
        after = replace(after, root=None, unseen=None, size=0, dealt=0)
    if settings.seats < old.seats or game.fingerprint["definition"] != table.game.fingerprint["definition"]:
        after = replace(after, carry={})
    if any(not game.has_spot(result.spot) for result in table.results):
        after = replace(after, results=(), reasons=(), brought={})
    return after


def _shown(before: Table, after: Table) -> Table | None:
    if not same_choice(before, after):
        return None
    return before.shown or (before if after.to_act < before.to_act else None)


def _seat(table: Table, seat: int, **changes: Any) -> Table:
    return replace(table, seats={**table.seats, seat: replace(table.seats[seat], **changes)})


def started(table: Table, is_fresh: bool) -> Round:
    """The next round of a table as it begins, from a new shoe or from what is left of the last one."""
    everyone = range(1, table.settings.seats + 1)
    return table.game.start(everyone, None if is_fresh else table.unseen, table.carry)


def _round_started(table: Table, number: int, root: str | None, size: int, round: Round) -> Table:
    put = {e.what: e.to for e in round.effects if isinstance(e, steps.Move) and isinstance(e.what, str)}
    table = replace(
        table, round_number=number, round=round, results=(), reasons=(), brought={}, paid={}, positions={}, windows=0
    )
    table = replace(table, things={**_lasting(table), **put})
    if root is not None or size > 0:
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


def answered(table: Table, answer: Answer, effects: Iterable[ev.Effect]) -> Round:
    """The round after an answer, with what lies on the layout as it was settled."""
    assert table.round is not None
    return in_whole_cents(table.round.after(played(answer, table.round)), effects)


def _after_answer(table: Table, answer: Answer, effects: Iterable[ev.Effect], round: Round) -> Table:
    step, before = table.step, table.round
    table = replace(table, round=round, **NOTHING_REPORTED)
    match step, answer:
        case steps.Bet(), Placed(seat) if seat in table.seats and table.seats[seat].missed:
            table = _seat(table, seat, missed=0)
        case steps.Deal(token), _:
            table = _used(table, token)
        case steps.Roll(), Rolled(faces):
            table = replace(_used(table, Token(None, f"roll {len(table.positions) + 1}")), dice=faces)
        case steps.Spin(), Spun(wheel, pocket):
            used = _used(table, Token(None, f"spin {len(table.positions) + 1}"))
            table = replace(used, pocket=steps.Pocket(pocket, wheel))
    closed = isinstance(answer, Closed)
    if table.betting and (closed or not isinstance(step, steps.Bet)):
        table = _begun(table)
    settled = tuple(effect for effect in effects if isinstance(effect, ev.Settled))
    moved = {effect.what: effect.to for effect in effects if isinstance(effect, ev.Moved)}
    table = replace(table, things={**table.things, **moved})
    if closed or settled:
        results, reasons = ((), ()) if closed else (table.results, table.reasons)
        why = _reasons(round, before) if settled else ()
        brought, paid = dict(table.brought), dict(table.paid)
        for result in settled:
            brought[result.seat] = brought.get(result.seat, 0) + result.net
            paid[result.spot] = paid.get(result.spot, 0) + result.paid
        table = replace(table, results=(*results, *settled), reasons=(*reasons, *why), brought=brought, paid=paid)
    return table


def _reasons(round: Round, before: Round | None) -> tuple[str, ...]:
    """Why each wager was settled that the last answer has settled. Words decide nothing, so that rules which fail at
    them stop nothing."""
    assert before is not None
    found = []
    for effect in round.effects:
        if isinstance(effect, steps.Settlement):
            try:
                found.append(round.reason(effect, before))
            except Exception:
                found.append(in_sentence(effect.line))
    return tuple(found)


def _used(table: Table, token: Token) -> Table:
    """The next position under the root is this card, roll or spin; what people deal has none."""
    if table.settings.is_physical:
        return replace(table, dealt=table.dealt + 1)
    assert table.root is not None
    return replace(table, dealt=table.dealt + 1, positions={**table.positions, token: (table.root, table.dealt)})


def _carried(void: Round) -> Mapping[str, Any]:
    """What a round that is void hands on: where its rules fail at saying so, it hands on nothing and is void."""
    try:
        return void.carry
    except Exception:
        return {}


def _round_over(table: Table, carry: Mapping[str, Any]) -> Table:
    """What stays up goes into the next round, and so does the seat of who has left it there."""
    round = table.round
    assert round is not None
    after = replace(table, round=None, unseen=round.unseen, carry=carry, paid={}, hold_over=UNSET, **NOTHING_REPORTED)
    after = (
        replace(after, begun=None, past=(), first=(), done=0, carried=frozenset(), undo=(), locked=0)
        if table.begun is not None
        else after
    )
    stay = {seat: who for seat, who in table.seats.items() if not who.leaving or after.has_chips(seat)}
    return replace(after, seats=stay)


def _handing_back(before: Table, after: Table, returned: tuple[ev.Settled, ...]) -> Table:
    """The table with what the dealer still has to do when a round became void: what was settled and is not carried out
    stands, and every wager in action goes back (F-17, F-27)."""
    if before.begun is None:
        return after
    is_done = _is_done(before)
    done = [effect for effect, carried in zip(before.effects, is_done, strict=True) if carried]
    left = [effect for effect, carried in zip(before.effects, is_done, strict=True) if not carried]
    settled = [effect for effect in left if isinstance(effect, ev.Settled)]
    first = (*done, *settled, *before.from_the_right(returned))
    return replace(after, first=first, done=len(done), undo=before.undo)


# Where people deal, the round can be folded again (F-20).


def _remembered(before: Table, after: Table, event: Remembered) -> Table:
    """The table with what has just happened in its round. Whatever the dealer does next, all that came before is
    carried out (F-27)."""
    if isinstance(event, ev.Left) and event.seat in after.seats:
        return after
    there = replace(before, past=(), begun=None) if before.shown is None else None
    past = Past(event, before.step, is_entered(before, event), there)
    own = isinstance(event, ev.Reported) or (isinstance(event, ev.Answered) and seat_of(event.answer) is None)
    after = replace(after, past=(*before.past, past))
    return replace(after, done=len(before.effects), undo=()) if own else after


def is_entered(table: Table, event: ev.Event) -> bool:
    """Whether an answer to the next step of a table is one that a person enters for the house or for a patron. What was
    decided about an incident is none: that stands, with its reason and its signatures."""
    if not isinstance(event, ev.Answered) or isinstance(event.answer, Closed) or table.incident:
        return False
    seat = seat_of(event.answer)
    if seat is not None:
        return seat in table.seats and table.seats[seat].is_patron
    return asked(table) != "program" if isinstance(event.answer, Decided) else table.settings.is_physical


def rewound(table: Table, entry: int) -> Table:
    """The table as it was before an answer of its round, with the people who are there now."""
    index = index_of(table, entry)
    near = next((n for n in range(index, -1, -1) if table.past[n].before is not None), 0)
    first = table.past[near].before or table.begun
    assert first is not None
    again = replace(
        table,
        round=first.round,
        root=first.root,
        size=first.size,
        dealt=first.dealt,
        positions=first.positions,
        dice=first.dice,
        pocket=first.pocket,
        things=first.things,
        results=first.results,
        brought=first.brought,
        paid=first.paid,
        reasons=first.reasons,
        windows=first.windows,
        incident=first.incident,
        report=first.report,
        report_text=first.report_text,
        past=table.past[:near],
        done=0,
        shown=None,
    )
    for past in table.past[near:index]:
        again = folded_on(again, past.event)
    return replace(again, past=table.past[:index])


def index_of(table: Table, entry: int) -> int:
    """Where an answer stands among all that happened in the round."""
    return [n for n, past in enumerate(table.past) if isinstance(past.event, ev.Answered)][entry - 1]


def folded_on(table: Table, event: Remembered, round: Round | None = None) -> Table:
    """The table after one more event of a round that is folded again, without a clock; that somebody has left is so
    already."""
    if isinstance(event, ev.Left | ev.PatronLeft):
        return replace(table, past=(*table.past, Past(event, table.step)))
    after = _remembered(table, _evolve(table, event, 0, round), event)
    return replace(after, shown=_shown(table, after))


def later(table: Table, entry: int) -> tuple[Past, ...]:
    """What has happened in the round after an answer; a fault that was reported when it was over is none of it."""
    since = table.past[index_of(table, entry) + 1 :]
    return tuple(past for past in since if not isinstance(past.event, ev.Reported) or past.step is not None)


def events_again(table: Table, event: ev.TakenBack | ev.Corrected) -> list[Remembered]:
    """What has happened since an entry as it is now that the entry is another one, or none."""
    since, made = later(table, event.entry), iter(event.effects)
    again: list[Remembered] = []
    if isinstance(event, ev.Corrected):
        first = next(made)
        if not isinstance(event.answer, NoWager):
            again.append(ev.Answered(event.answer, first))
        since = since[: event.kept]
    for past in since:
        was = past.event
        again.append(ev.Answered(was.answer, next(made)) if isinstance(was, ev.Answered) else was)
    return again


def folded_again(table: Table, event: ev.TakenBack | ev.Corrected) -> Table:
    """The table as it would be if an entry had been another one, or had not been made. Those who are there are ready as
    they were, unless the table waits for something else now: then what somebody sends who has not seen that is refused.
    What the dealer has carried out since the entry is to be done anew."""
    before = again = rewound(table, event.entry)
    for one in events_again(table, event):
        again = folded_on(again, one)
    seats, began = table.seats, table.began
    if again.step != table.step:
        seats = {seat: replace(who, ready=False) for seat, who in seats.items()}
        began = table.version + 1
    things = {**again.things, **_still_out(table, event.entry)}
    shown = None  # what everybody was told is told; what was not yet, still is not
    if again.shown is not None and table.shown is not None:
        shown = replace(again.shown, version=table.shown.version)
    corrected = isinstance(event, ev.Corrected)
    locked = len(again.answers) if corrected else max(table.locked, _before_step(table, event.entry))
    done = min(table.done, len(before.effects))
    carried, undo = _carried_out(table, again, len(before.effects))
    again = replace(again, seats=seats, began=began, done=done, carried=carried, undo=undo)
    return replace(again, locked=locked, shown=shown, things=things)


def _carried_out(before: Table, after: Table, same: int) -> tuple[frozenset[int], tuple[ev.Settled, ...]]:
    """Which effects of a round that was folded again the dealer has carried out already, and what of the old ones has
    to be put right because it is not among them any more; the first ones are the `same`."""
    is_done = _is_done(before)
    done = [effect for effect, carried in zip(before.effects, is_done, strict=True) if carried][sum(is_done[:same]) :]
    done += before.undo
    carried = {n for n in before.carried if n < same}
    for n, effect in enumerate(after.effects[same:], same):
        if effect in done:
            done.remove(effect)
            carried.add(n)
    return frozenset(carried), tuple(effect for effect in done if isinstance(effect, ev.Settled) and not effect.is_held)


def _is_done(table: Table) -> list[bool]:
    """Which effects of the round the dealer has carried out."""
    return [n < table.done or n in table.carried for n in range(len(table.effects))]


def _before_step(table: Table, entry: int) -> int:
    """How many answers were given to other steps before the one of an entry: of these the next step was entered."""
    first = index_of(table, entry)
    step = table.past[first].step
    while first and is_same_step(step, table.past[first - 1].step):
        first -= 1
    return sum(isinstance(past.event, ev.Answered) for past in table.past[:first])


def is_same_step(one: steps.Step | None, other: steps.Step | None) -> bool:
    """Whether two answers were given to one step: several wagers of a betting, or of several seats that decide."""
    match one, other:
        case steps.Bet(), steps.Bet():
            return one == other
        case steps.Choose(options=options), steps.Choose(options=others):
            return options == others
    return False


def _still_out(table: Table, entry: int) -> dict[str, str]:
    """The devices that stay out of service however the round is folded: all but those that an answer has put there from
    this one on."""
    since = (past.event for past in table.past[index_of(table, entry) :])
    effects = [effect for event in since if isinstance(event, ev.Answered) for effect in event.effects]
    moved = {effect.what for effect in effects if isinstance(effect, ev.Moved)}
    return {thing: place for thing, place in table.things.items() if place == OUT_OF_SERVICE and thing not in moved}


def in_whole_cents(round: Round, recorded: Iterable[ev.Effect], unit: int = 1) -> Round:
    """The round with what its last answer laid down on self-service spots as it was settled, not as the odds say. What
    is held does not lie there."""
    if not round.winnings:
        return round
    exact = [effect for effect in round.effects if isinstance(effect, steps.Settlement)]
    winnings = dict(round.winnings)
    for paid, booked in zip(exact, (effect for effect in recorded if isinstance(effect, ev.Settled)), strict=True):
        if paid.stake is steps.Stake.STAYS and (paid.seat, paid.spot) in winnings:
            lies = 0 if booked.is_held else Fraction(booked.paid, unit)
            winnings[paid.seat, paid.spot] += lies - paid.net()
            if booked.is_held and not winnings[paid.seat, paid.spot]:
                del winnings[paid.seat, paid.spot]
    return replace(round, winnings=winnings)


def incident_of(reported: ev.Reported | Report) -> steps.Incident:
    """The incident that was reported, in the round's own terms."""
    seat = None if reported.seat is None else Seat(reported.seat)
    amount = None if reported.amount is None else Fraction(reported.amount)
    return steps.Incident(reported.incident, reported.text, seat, reported.spots, amount)
