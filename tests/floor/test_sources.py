"""Three sources of chance behind one interface: the house's own cards, a person who types them, and a script."""

from pathlib import Path

import pytest

from feltworks.floor import events as ev
from feltworks.floor.house import House
from feltworks.floor.records import decode_event
from feltworks.floor.sealing import load_keys
from feltworks.floor.store import Store
from feltworks.floor.table import Table
from feltworks.kit.cards import parse_cards
from feltworks.kit.errors import NotPossible
from tests.floor.sitting import Sitting, one_for_the_money
from tests.floor.test_house import Clock, play_round, seated


def dealt_by_the_house(folder: Path) -> tuple[Table, list[str]]:
    """A round from the house's own generator, and the cards in the order in which they were turned."""
    clock = Clock()
    with Store(folder / "records.db") as store:
        house = House(store, load_keys(folder / "house.key"), clock)
        house.open_table(one_for_the_money())
        player = seated(house, "money", clock)
        play_round(house, "money", player, clock, ["trade", "stand"])
        events = [decode_event(record.event) for record in store.read("money")]
        return house.live("money").table, [
            e.answer[1] for e in events if isinstance(e, ev.Answered) and e.answer[0] == "card"
        ]


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
        sitting.do("ann", ev.Place("ante", 1_000))
        sitting.do("ann", ev.Ready())
    scripted.deal()
    scripted.do("ann", ev.Choose("trade"))
    scripted.deal()
    scripted.do("ann", ev.Choose("stand"))
    scripted.deal()
    for answer in (["dealt"], ["card", mine], ["dealt"], ["dealt"]):
        typed.house(ev.Answer(answer))
    typed.do("ann", ev.Choose("trade"))
    for answer in (["dealt"], ["card", second]):
        typed.house(ev.Answer(answer))
    typed.do("ann", ev.Choose("stand"))
    for answer in (["card", first_dealer], ["card", last]):
        typed.house(ev.Answer(answer))
    results = [sitting.table.results for sitting in (scripted, typed)]
    assert results[0] == results[1]
    assert scripted.books == typed.books
    assert table.round_number == 2


@pytest.mark.rule("F-20")
def test_a_typed_card_that_cannot_be_is_refused_and_asked_for_again() -> None:
    sitting = Sitting(one_for_the_money(decks=1))
    sitting.join("ann", 1)
    sitting.start()
    sitting.do("ann", ev.Place("ante", 1_000))
    sitting.do("ann", ev.Ready())
    for answer in (["dealt"], ["card", "7h"], ["dealt"], ["dealt"]):
        sitting.house(ev.Answer(answer))
    sitting.do("ann", ev.Choose("check"))
    before = sitting.table
    with pytest.raises(NotPossible, match="7h is not possible"):
        sitting.house(ev.Answer(["card", "7h"]))
    assert sitting.table is before
    sitting.house(ev.Answer(["card", "8h"]))
    assert sitting.table.round is not None
    assert parse_cards("8h")[0] in sitting.table.round.open_cards
