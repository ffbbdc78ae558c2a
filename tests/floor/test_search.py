"""Finding what happened at the tables: against every event read one by one, in another way (F-13, F-16)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import load_keys
from feltworks.floor.roles import Role
from feltworks.floor.store import listing, search
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.search import Sought
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import Event, is_table
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Placed
from feltworks.kit import steps
from tests.floor.employing import employed
from tests.floor.sitting import TODAY, in_between, one_for_the_money


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Twelve rounds at two tables, with wagers of every size, an incident, a void and a pause."""
    path: Path = tmp_path_factory.mktemp("search") / "records.db"
    with Store(path) as store:
        house = House(store, load_keys(path.with_name("house.key")), lambda: TODAY + house_time[0])
        house_time = [0]
        house.open_table(one_for_the_money())
        house.open_table(in_between(duties={"reading": "person"}))
        uma, kit = employed(house, Role.DEALER), employed(house, Role.DEALER)
        house.pit.deal_by_hand("between", cmd.SignOn(), uma)
        people = [house.people.guest()[0] for _ in range(3)]
        for seat, player in enumerate(people, 1):
            house.give("money", player, cmd.Sit(seat))
        house.give("between", people[1], cmd.Sit(4))
        for number in range(10):
            house_time[0] += 60_000
            play(house, "money", "ante", [100 * (number + 1), 2_500, 8_000 + number])
        for number in range(2):
            house_time[0] += 60_000
            play(house, "between", "base", [500 * (number + 1)])
            house.pit.deal_by_hand("between", cmd.SignOff() if number else cmd.SignOn(), kit)
        begin(house, "money", "ante", [700, 800, 900])
        house.pit.report("money", cmd.Report("misdeal", "A card fell to the floor"), PROGRAM)
        house.pit.resolve("money", steps.Role.SUPERVISOR, "continue", PROGRAM, "It lay face down")
        house.pause("money", "The lights flicker", PROGRAM)
        house.resume("money", PROGRAM)
        house.void("money", "A card was seen")
        yield house


def begin(house: House, table: str, spot: str, amounts: list[int]) -> None:
    while not house.table(table).betting:
        deal(house, table)
    seats = sorted(house.table(table).seats.items())
    for (_, who), amount in zip(seats, amounts, strict=True):
        house.give(table, who.player, cmd.Place(spot, amount))
    for _, who in seats:
        house.give(table, who.player, cmd.Ready())


def play(house: House, table: str, spot: str, amounts: list[int]) -> None:
    begin(house, table, spot, amounts)
    while house.table(table).round is not None:
        now = house.table(table)
        if now.to_act:
            assert isinstance(now.step, steps.Choose)
            seat = min(now.to_act)
            house.give(table, now.seats[seat].player, cmd.Choose(now.step.options[0].name))
        else:
            deal(house, table)


def deal(house: House, table: str) -> None:
    due = house.due(table)
    assert due is not None
    house.deal_on(table, due.doing)


# Another way: every event is read, and asked by its type.

Fact = tuple[Record, Event, int | None, str, set[int], str]
"""A record, its event, and of something in it the seat, the spot, the amounts and the result."""


def facts(house: House) -> Iterator[Fact]:
    for stream in house.store.streams():
        if not is_table(stream):
            continue
        for record in house.store.read(stream):
            event = decode_event(stream, record.event)
            match event:
                case ev.Answered(answer, effects):
                    yield from ((record, event, *about(effect)) for effect in effects if isinstance(effect, ev.Settled))
                    match answer:
                        case Placed(seat, spot, amount):
                            yield record, event, seat, spot, {amount}, ""
                        case Decided(int(seat), _, amount):
                            yield record, event, seat, "", {amount or 0}, ""
                        case _:
                            yield record, event, getattr(answer, "seat", None), getattr(answer, "spot", ""), set(), ""
                case ev.Voided(returned=returned):
                    yield from ((record, event, *about(one)[:3], "void") for one in returned)
                    yield record, event, None, "", set(), "void"
                case _:
                    yield record, event, getattr(event, "seat", None), "", set(), ""


def about(settled: ev.Settled) -> tuple[int, str, set[int], str]:
    result = "won" if settled.paid else "lost" if settled.stake == "taken" else "returned"
    return settled.seat, settled.spot, {settled.amount, settled.paid, settled.returned}, result


def found(house: House, sought: Sought) -> list[tuple[str, int]]:
    """Everything that is found, page after page."""
    before, rows = None, []
    with Reader(house.store.path) as store:
        while True:
            page = search.search(store, sought, before)
            rows += [(one.record.stream, one.record.sequence) for one in page.events]
            if page.before is None:
                return rows
            before = page.before


def expected(house: House, wanted: Callable[[Fact], Any]) -> set[tuple[str, int]]:
    return {(fact[0].stream, fact[0].sequence) for fact in facts(house) if wanted(fact)}


SOUGHT: dict[str, tuple[Sought, Callable[[Fact], Any]]] = {
    "a seat": (Sought(seat=2), lambda f: f[2] == 2),
    "a wager": (Sought(spot="base"), lambda f: f[3] == "base"),
    "a table": (Sought(table="between"), lambda f: f[0].stream == "between"),
    "a seat that won": (Sought(seat=1, result="won"), lambda f: f[2] == 1 and f[5] == "won"),
    "a wager that lost": (Sought(spot="ante", result="lost"), lambda f: f[3] == "ante" and f[5] == "lost"),
    "a wager that came back": (Sought(result="returned"), lambda f: f[5] == "returned"),
    "what was void": (Sought(result="void"), lambda f: f[5] == "void"),
    "an exact amount": (Sought(least=2_500, most=2_500), lambda f: 2_500 in f[4]),
    "at least": (Sought(least=8_000), lambda f: any(cents >= 8_000 for cents in f[4])),
    "at most": (Sought(most=600), lambda f: any(0 < cents <= 600 for cents in f[4])),
    "between two": (Sought(least=600, most=1_000), lambda f: any(600 <= cents <= 1_000 for cents in f[4])),
    "a seat that lost so much": (
        Sought(seat=3, result="lost", least=8_005),
        lambda f: f[2] == 3 and f[5] == "lost" and any(cents >= 8_005 for cents in f[4]),
    ),
    "an amount of another seat": (Sought(seat=2, least=8_000), lambda f: f[2] == 2 and max(f[4], default=0) >= 8_000),
    "an incident": (Sought(happening="incident"), lambda f: isinstance(f[1], ev.Reported)),
    "an incident by its words": (Sought(incident="CARD FELL"), lambda f: isinstance(f[1], ev.Reported)),
    "a reason": (Sought(incident="flicker"), lambda f: isinstance(f[1], ev.Paused)),
    "a decision of the staff": (
        Sought(happening="decision"),
        lambda f: (
            isinstance(f[1], ev.Answered) and isinstance(f[1].answer, Decided) and isinstance(f[1].answer.who, str)
        ),
    ),
    "a void": (Sought(happening="void"), lambda f: isinstance(f[1], ev.Voided)),
    "a pause": (Sought(happening="pause"), lambda f: isinstance(f[1], ev.Paused | ev.Resumed)),
    "a time": (
        Sought(since=TODAY + 120_000, until=TODAY + 180_000),
        lambda f: TODAY + 120_000 <= f[0].time < TODAY + 180_000,
    ),
    "a seat in a time": (
        Sought(seat=1, since=TODAY + 120_000, until=TODAY + 180_000),
        lambda f: f[2] == 1 and TODAY + 120_000 <= f[0].time < TODAY + 180_000,
    ),
    "what never was": (Sought(seat=1, spot="base", result="won"), lambda _: False),
}


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("name", SOUGHT)
def test_a_search_finds_every_event_that_is_like_it_and_no_other(house: House, name: str) -> None:
    sought, wanted = SOUGHT[name]
    rows = found(house, sought)
    assert len(rows) == len(set(rows)), "nothing is found twice"
    assert set(rows) == expected(house, wanted)
    if name not in ("what never was", "an amount of another seat"):
        assert rows


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("looks_at", [1, 7, 10_000])
@pytest.mark.parametrize("page", [1, 3])
def test_pages_of_a_search_go_on_where_the_last_ended_however_small_they_are(
    house: House, monkeypatch: pytest.MonkeyPatch, looks_at: int, page: int
) -> None:
    whole = found(house, Sought(seat=2, result="won"))
    monkeypatch.setattr(search, "A_PAGE", page)
    monkeypatch.setattr(search, "AT_ONCE", 5)
    before, rows = None, []
    with Reader(house.store.path) as store:
        while True:
            one = search.search(store, Sought(seat=2, result="won"), before, looks_at)
            assert len(one.events) <= page
            rows += [(event.record.stream, event.record.sequence) for event in one.events]
            if one.before is None:
                break
            assert before is None or one.before < before
            before = one.before
    assert rows == whole
    assert listing.A_PAGE == 50


@pytest.mark.rule("F-13")
def test_a_search_for_a_person_finds_what_they_did_and_what_became_of_their_seat(house: House) -> None:
    """The one who sits at seat 2 of one table and at seat 4 of the other."""
    player = house.table("money").seats[2].player
    seats = {"money": 2, "between": 4}
    own = str(by_person(player))
    rows = found(house, Sought(person=player))
    theirs = expected(house, lambda f: f[0].actor == own or (f[2] == seats[f[0].stream] and f[0].round))
    assert set(rows) == theirs
    won = found(house, Sought(person=player, result="won"))
    assert set(won) == expected(house, lambda f: f[2] == seats[f[0].stream] and f[5] == "won")
    assert {stream for stream, _ in rows} == {"money", "between"}
    assert found(house, Sought(person=player, seat=1)) == []
    assert found(house, Sought(person="nobody at all")) == []


@pytest.mark.rule("F-13", "F-41")
def test_a_search_for_a_dealer_finds_everything_that_happened_while_they_dealt(house: House) -> None:
    records = list(house.store.read("between"))
    came = [(r.sequence, e.dealer) for r in records if isinstance(e := decode_event("between", r.event), ev.DealerCame)]
    ((first, uma), (second, kit)) = came
    (left,) = (r.sequence for r in records if isinstance(decode_event("between", r.event), ev.DealerLeft))
    assert {sequence for _, sequence in found(house, Sought(dealer=uma))} == set(range(first, second))
    assert {sequence for _, sequence in found(house, Sought(dealer=kit))} == set(range(second, left))
    assert found(house, Sought(dealer=kit, table="money")) == []
    both = {*found(house, Sought(dealer=uma, spot="base")), *found(house, Sought(dealer=kit, spot="base"))}
    assert both == expected(house, lambda f: f[3] == "base")
    assert set(found(house, Sought(happening="relief"))) == {("between", n) for n in (first, second, left)}


@pytest.mark.rule("F-14")
def test_a_search_finds_nothing_of_persons_and_of_the_house(house: House) -> None:
    with Reader(house.store.path) as store:
        assert {one.record.stream for one in search.search(store, Sought(since=1)).events} <= {"money", "between"}
