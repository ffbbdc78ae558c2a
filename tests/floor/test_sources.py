"""Three sources of chance behind one interface: the house's own cards, a person who types them, and a script."""

from pathlib import Path

import pytest

from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import load_keys
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Dealt, Hidden, Shown, Turned
from feltworks.floor.table.state import Table
from feltworks.kit.cards import parse_cards
from feltworks.kit.errors import NotPossible
from feltworks.kit.steps import ALL, Read, Turn
from tests.floor.sitting import Sitting, bands, one_for_the_money, with_toys
from tests.floor.test_house import Clock, play_round, seated


def dealt_by_the_house(folder: Path) -> tuple[Table, list[str]]:
    """A round from the house's own generator, and the cards in the order in which they were turned."""
    clock = Clock()
    with Store(folder / "records.db") as store:
        house = House(store, load_keys(folder / "house.key"), clock)
        house.open_table(one_for_the_money())
        player = seated(house, "money", clock)
        play_round(house, "money", player, clock, ["trade", "stand"])
        events = [decode_event("money", record.event) for record in store.read("money")]
        return house.live("money").table, [
            event.answer.card for event in events if isinstance(event, ev.Answered) and isinstance(event.answer, Turned)
        ]


@pytest.mark.rule("F-14", "F-20")
def test_a_card_that_one_seat_alone_sees_is_not_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)
    sitting = Sitting(bands())
    sitting.join("ann", 1)
    sitting.start()
    sitting.do("ann", cmd.Place("ante", 1_000))
    sitting.do("ann", cmd.Ready())
    while not isinstance(step := sitting.table.step, Turn):
        sitting.house(cmd.Enter(Shown(step.among[0].name) if isinstance(step, Read) else Dealt()))
    assert step.to is not ALL
    before = sitting.table
    with pytest.raises(Refused, match="turned to one seat alone: enter that it was turned"):
        sitting.house(cmd.Enter(Turned("Ah")))
    assert sitting.table is before
    sitting.house(cmd.Enter(Hidden()))
    assert sitting.table is not before


@pytest.mark.rule("F-20")
def test_a_script_and_a_person_who_types_the_same_cards_make_the_same_round(tmp_path: Path) -> None:
    """The house deals from its own generator; its record replayed by a script and by hand comes to the same."""
    table, turned = dealt_by_the_house(tmp_path)
    mine, second, first_dealer, last = turned[0], turned[1], turned[2], turned[3]
    scripted = Sitting(one_for_the_money(), f"{mine} {first_dealer} {last} {second}")
    typed = Sitting(one_for_the_money())
    for sitting in (scripted, typed):
        sitting.join("ann", 2)
        sitting.start()
        sitting.do("ann", cmd.Place("ante", 1_000))
        sitting.do("ann", cmd.Ready())
    scripted.deal()
    scripted.do("ann", cmd.Choose("trade"))
    scripted.deal()
    scripted.do("ann", cmd.Choose("stand"))
    scripted.deal()
    for answer in (Dealt(), Turned(mine), Dealt(), Dealt()):
        typed.house(cmd.Enter(answer))
    typed.do("ann", cmd.Choose("trade"))
    for answer in (Dealt(), Turned(second)):
        typed.house(cmd.Enter(answer))
    typed.do("ann", cmd.Choose("stand"))
    for answer in (Turned(first_dealer), Turned(last)):
        typed.house(cmd.Enter(answer))
    results = [sitting.table.results for sitting in (scripted, typed)]
    assert results[0] == results[1]
    assert scripted.books == typed.books
    assert table.round_number == 2


@pytest.mark.rule("F-20")
def test_a_typed_card_that_cannot_be_is_refused_and_asked_for_again() -> None:
    sitting = Sitting(one_for_the_money(decks=1))
    sitting.join("ann", 1)
    sitting.start()
    sitting.do("ann", cmd.Place("ante", 1_000))
    sitting.do("ann", cmd.Ready())
    for answer in (Dealt(), Turned("7h"), Dealt(), Dealt()):
        sitting.house(cmd.Enter(answer))
    sitting.do("ann", cmd.Choose("check"))
    before = sitting.table
    with pytest.raises(NotPossible, match="7h is not possible"):
        sitting.house(cmd.Enter(Turned("7h")))
    assert sitting.table is before
    sitting.house(cmd.Enter(Turned("8h")))
    assert sitting.table.round is not None
    assert parse_cards("8h")[0] in sitting.table.round.open_cards
