"""A round told again from its records (F-18)."""

from fractions import Fraction
from pathlib import Path

from feltworks.floor import events as ev
from feltworks.floor.answers import from_plain
from feltworks.floor.records import decode_event
from feltworks.floor.store import Store
from feltworks.floor.table import Table, check_rules, evolve
from feltworks.kit.errors import UnknownName
from feltworks.kit.round import Round
from feltworks.kit.steps import Answer, Decide, Place, Step

Happening = tuple[Step | None, Answer, Round]
DOLLAR = 100


def replayed(path: Path, table: str, number: int | None) -> tuple[int, Round, list[Happening]]:
    """The first state of a round and every step of it, in dollars; the last round that began unless one is named."""
    with Store.read_only(path) as store:
        if table not in store.streams():
            raise UnknownName("table", table, [stream for stream in store.streams() if stream != "house"])
        found = store.rounds(table, limit=1, before=None if number is None else number + 1)
        if not found or (number is not None and found[0].round != number):
            last = store.rounds(table, limit=1)
            raise UnknownName("round", str(number or ""), [f"1 to {last[0].round}"] if last else [])
        records = [(decode_event(r.event), r.time) for r in store.read(table, 0, found[0].last)]
    state: Table | None = None
    start: Round | None = None
    happenings: list[Happening] = []
    for event, time in records:
        if isinstance(event, ev.Opened):
            check_rules(table, event)
        if isinstance(event, ev.Answered) and start is not None:
            now = happenings[-1][2] if happenings else start
            answer = _in_dollars(from_plain(event.answer, now))
            happenings.append((now.next, answer, now.after(answer)))
        state = evolve(state, event, time)
        if isinstance(event, ev.RoundStarted):
            start, happenings = state.round, []
    assert start is not None
    return found[0].round, start, happenings


def _in_dollars(answer: Answer) -> Answer:
    match answer:
        case Place(seat, spot, amount):
            return Place(seat, spot, amount / DOLLAR)
        case Decide(who, option, Fraction() as amount):
            return Decide(who, option, amount / DOLLAR)
    return answer
