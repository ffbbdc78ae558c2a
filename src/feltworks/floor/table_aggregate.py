"""The streams of tables: what a command makes happen at a table and to the people at it, also where the table cannot be
played on any more. What happens at the table alone is decided in `table/decide.py`."""

from feltworks.floor import person, player_limits
from feltworks.floor.accounts import AccountKind, Entry, account_of, is_patron
from feltworks.floor.actors import Actor
from feltworks.floor.administration import Administration
from feltworks.floor.jackpot_aggregate import jackpots_of, played_for, with_meter
from feltworks.floor.may_play import check_seat, check_wagers, wagers_of, why_not
from feltworks.floor.refusal import Refused
from feltworks.floor.streams import HOUSE_STREAM, Decision, Happened, State, States, Time, known_person, person_stream
from feltworks.floor.table import commands, events
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.decide import decide as decide_table
from feltworks.floor.table.disputes import decided
from feltworks.floor.table.entries import abandoned_entries as handed_back
from feltworks.floor.table.entries import entries as table_entries
from feltworks.floor.table.entries import patron_entries
from feltworks.floor.table.evolve import evolve as evolve_table
from feltworks.floor.table.pending import Pending
from feltworks.floor.table.state import Table
from feltworks.floor.table.wins import pending_entries, released


def decide(states: States, stream: str, command: commands.Command, actor: Actor, now: Time) -> Decision:
    before = states.of(stream)
    if isinstance(before, AbandonedTable):
        return _decide_abandoned(states, before, stream, command, actor, now)
    assert before is None or isinstance(before, Table)
    assert states.chance is not None
    if isinstance(command, commands.OpenTable | commands.ReopenTable | commands.StartRound | commands.ChangeSettings):
        house = states.of(HOUSE_STREAM)
        if isinstance(house, Administration) and (why := house.stops(stream)):
            raise Refused(why)
    _check_seat(states, before, command, actor, now)
    jackpots = jackpots_of(states)
    meter = None if before is None else played_for(jackpots, before.settings, actor, now)
    made, tables = decide_table(
        before,
        command,
        actor,
        lambda player: states.balance(str(account_of(player))),
        now,
        states.chance,
        meter,
        jackpots,
    )
    happened = tuple(
        Happened(stream, event, tuple(table_entries(table, event)), round_of(table, event))
        for event, table in zip(made, tables, strict=False)
    )
    after = tables[-1]
    assert after is not None
    decision = with_meter(Decision(happened, {stream: after} if made else {}), meter)
    decision = _within_limits(states, before, decision, now)
    if before is not None:
        decision = _paid_late(states, before.pending, decision, now)
    if isinstance(command, commands.OpenTable) and command.predecessor:
        return _succeed(states, decision, command)
    return decision


def _check_seat(states: States, table: Table | None, command: commands.Command, actor: Actor, now: Time) -> None:
    """F-15: who may not play gets no seat, and only who may not play loses one by the house."""
    match command:
        case commands.Sit() if table is not None and (who := known_person(states, actor.id)) is not None:
            check_seat(who, table.settings, now)
        case commands.Unseat(player) if table is not None:
            who = known_person(states, player)
            if who is None or not why_not(who, table.settings.id, now):
                raise Refused("That person may play here.")


def _within_limits(states: States, table: Table | None, decision: Decision, now: Time) -> Decision:
    """F-15: no new wager of who may not play, or beyond what they have limited for themselves; the first of somebody's
    day is an event of theirs in the same commit."""
    happened, after = list(decision.happened), dict(decision.states)
    for account, wager in wagers_of(entry for one in decision.happened for entry in one.entries).items():
        who = known_person(states, account.owner) if account.kind is AccountKind.PLAYER else None
        if table is None or who is None:
            continue
        lying = 0
        if who.limits.are_set:  # nobody else's chips are looked for at every table
            lying = table.lying(who.id) + states.lying_elsewhere(who.id, table.settings.id)
        for event in check_wagers(who, table.settings.id, wager, states.balance(str(account)), lying, now):
            stream = person_stream(who.id)
            happened.append(Happened(stream, event))
            after[stream] = person.evolve(who, who.id, event, now)
    return Decision(tuple(happened), after)


def _paid_late(states: States, pending: Pending, decision: Decision, now: Time) -> Decision:
    """F-15: a win of an earlier day that is paid only now, and what a dispute from then corrects, is neither won nor
    lost today."""
    happened, after = list(decision.happened), dict(decision.states)
    for one in decision.happened:
        match one.event:
            case events.WinReleased(win) if win in pending.wins:
                since, player, cents = pending.wins[win].at, pending.wins[win].player, pending.wins[win].cents
            case events.DisputeDecided(number, amount=amount, held=held) if amount and not held:
                since, player, cents = pending.disputes[number].at, pending.disputes[number].player, amount
            case _:
                continue
        who = None if is_patron(player) else known_person(states, player)
        day = None if who is None else who.limits.day(now)
        if who is not None and day is not None and since < day.began:
            stream, event = person_stream(who.id), player_limits.MovedOutside(cents)
            happened.append(Happened(stream, event))
            after[stream] = person.evolve(who, who.id, event, now)
    return Decision(tuple(happened), after)


def round_of(before: Table | None, event: events.Event) -> int:
    """The number of the round that an event belongs to; 0 between two rounds."""
    if isinstance(event, events.RoundStarted):
        return event.round
    return before.round_number if before is not None and before.round is not None else 0


def _succeed(states: States, opened: Decision, command: commands.OpenTable) -> Decision:
    """The table that another one takes the place of says so itself, in the same commit."""
    before = states.of(command.predecessor)
    if not isinstance(before, AbandonedTable) or before.successor:
        raise Refused(f"{command.predecessor} is no closed table without a successor.")
    event = events.Succeeded(command.settings.id)
    after = before.after(event)
    return Decision(
        (*opened.happened, Happened(command.predecessor, event)), {**opened.states, command.predecessor: after}
    )


def _decide_abandoned(
    states: States, before: AbandonedTable, stream: str, command: commands.Command, actor: Actor, now: Time
) -> Decision:
    if isinstance(command, commands.VerifyWin | commands.DecideDispute):
        event = _still_open(states, before, command, actor, now)
        made = (Happened(stream, event, tuple(entries(before, stream, event))),)
        decision = Decision(made, {stream: before.after(event, time=now)})
        return _paid_late(states, before.pending, decision, now)
    if not isinstance(command, commands.Abandon) or before.abandoned:
        raise Refused("The table is closed.")
    abandoned = before.abandon(command.reason, command.signed)
    happened = [Happened(stream, abandoned, tuple(entries(before, stream, abandoned)), before.round)]
    state = before.after(abandoned)
    for left in before.patrons_leave(abandoned):
        happened.append(Happened(stream, left, tuple(entries(state, stream, left))))
        state = state.after(left)
    meter = played_for(jackpots_of(states), before.settings, actor, now)
    if meter is not None and (found := meter.meter.at(stream, before.round)) is not None:
        decided = frozenset[tuple[int, str]]().union(*before.answers)
        meter.give_back(before.round, {one.place for one in found.wagers} - decided)
    return with_meter(Decision(tuple(happened), {stream: state}), meter)


def _still_open(
    states: States, table: AbandonedTable, command: commands.VerifyWin | commands.DecideDispute, actor: Actor, now: Time
) -> events.WinReleased | events.DisputeDecided:
    """F-19: what is open behind the rounds of a table does not end with its rules."""
    if isinstance(command, commands.VerifyWin):
        return released(table.pending, command.win, actor)
    return decided(table.pending, command, actor, lambda player: states.balance(str(account_of(player))), now)


def evolve(state: State | None, event: events.Event, time: Time) -> State:
    """The table after an event."""
    if isinstance(state, AbandonedTable):
        return state.after(event)
    assert state is None or isinstance(state, Table)
    return evolve_table(state, event, time)


def entries(state: State | None, stream: str, event: events.Event) -> list[Entry]:
    """What an event books, given the table before it."""
    if isinstance(state, AbandonedTable):
        if isinstance(event, events.PatronSat | events.PatronLeft):
            return patron_entries(stream, event)
        if isinstance(event, events.WinReleased | events.DisputeDecided):
            return pending_entries(stream, state.pending, event)
        return handed_back(stream, event.back) if isinstance(event, events.Abandoned) else []
    assert state is None or isinstance(state, Table)
    return table_entries(state, event)
