"""What goes wrong at a table is reported, stops it, and is decided; a device out of service waits for its release."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from feltworks.floor.house import GRANT, House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from feltworks.kit.manual_entry import READER_FAULT
from feltworks.kit.transcript import transcript
from tests.floor.employing import employed
from tests.floor.sitting import at_dice, yo

KEYS = Keys(b"s" * 32, b"k" * 32)
SUPERVISOR = steps.Role.SUPERVISOR


def down_under() -> TableSettings:
    limits = dict.fromkeys(("ante", "bet", "trips_or_better", "match_the_dealer"), Limits(100, 10_000))
    jackpot = {"jackpot": Limits(100, 100)}
    return TableSettings("under", "The reader", "down-under-holdem", {**limits, **jackpot}, prize=1_000_000)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    time = count(1_000)
    house = House(Store(tmp_path / "records.db"), KEYS, lambda: next(time))
    house.open_table(down_under())
    yield house
    house.store.close()


def deal(house: House) -> None:
    """The dealer goes on until a seat has to bet or decide, or has nothing to do."""
    while not (table := house.live("under").table).betting and not table.to_act and (due := house.due("under")):
        house.deal_on("under", due.doing)


def at_the_first_decision(house: House) -> str:
    player, _ = house.guest()
    house.command("under", player, cmd.Sit(2))
    deal(house)
    for spot, cents in (("ante", 500), ("bet", 500), ("jackpot", 100)):
        house.command("under", player, cmd.Place(spot, cents))
    house.command("under", player, cmd.Ready())
    deal(house)
    assert house.live("under").table.to_act == {2}
    return player


@pytest.mark.rule("D-10", "F-17", "F-28")
def test_a_reader_whose_light_was_wrong_voids_the_round_and_waits_for_its_release(house: House) -> None:
    by_supervisor = employed(house, Role.SUPERVISOR)
    player = at_the_first_decision(house)
    house.report("under", cmd.Report(READER_FAULT, "small was lit for an ace"), by_supervisor)
    assert house.due("under") is None
    waits = house.resolve("under", SUPERVISOR, "light was wrong", by_supervisor, "the camera shows it")
    house.staff.sign(waits, employed(house, Role.MANAGER))
    assert house.balance(player) == GRANT
    deal(house)
    table = house.live("under").table
    assert (table.round, table.out_of_service) == (None, ["card reader"])
    assert house.due("under") is None
    with pytest.raises(Refused, match=r"^Out of service: card reader\. Release it before the next round\.$"):
        house.deal_on("under", "start round")

    again = House(house.store, KEYS, lambda: 2_000_000)
    assert again.live("under").table == table
    assert again.due("under") is None
    for what, reason in (("card reader", "  "), ("cup", "looked at"), ("shuffler", "looked at")):
        with pytest.raises(Refused):
            again.release("under", what, reason, by_supervisor)
    again.release("under", "card reader", "the light was exchanged", by_supervisor)
    last = [*again.store.read("under")][-1]
    assert (decode_event("under", last.event), last.actor) == (
        ev.Released("card reader", "the light was exchanged"),
        str(by_supervisor),
    )
    deal(again)
    assert again.live("under").table.betting
    assert verify(again.store.path).problems == []


@pytest.mark.rule("D-10", "F-18", "F-28")
def test_an_incident_that_is_decided_goes_on_where_the_round_was_and_is_recalled(house: House, tmp_path: Path) -> None:
    by_supervisor = employed(house, Role.SUPERVISOR)
    player = at_the_first_decision(house)
    before = house.live("under").table
    house.report("under", cmd.Report(READER_FAULT, "the light flickers"), by_supervisor)
    with pytest.raises(Refused, match=r"^Reader fault is not decided yet; decide that first\.$"):
        house.report("under", cmd.Report("dispute"), by_supervisor)
    with pytest.raises(Refused, match=r"^It is not your turn\.$"):
        house.command("under", player, cmd.Choose("check"))
    house.resolve("under", SUPERVISOR, "continue", by_supervisor, "it is steady again")
    after = house.live("under").table
    assert before.round is not None
    assert after.round is not None
    assert (after.round.key, after.incident) == (before.round.key, "")
    with pytest.raises(Refused, match=r"^Nothing was reported at this table\.$"):
        house.resolve("under", SUPERVISOR, "void", by_supervisor, "too late")
    recalled = replayed(tmp_path / "records.db", "under", None)
    told = transcript(recalled.start, recalled.happenings)
    assert "Incident: reader fault, the light flickers." in told
    assert "The supervisor chooses continue, light was wrong or void: continue." in told


@pytest.mark.rule("Y-29", "F-28")
def test_what_lies_on_the_line_is_reported_in_cents_and_moves_alone() -> None:
    table = at_dice(yo(), "3412", players="ann")
    for spot, cents in (("play", 1000), ("high", 700)):
        table.do("ann", cmd.Place(spot, cents))
    table.do("ann", cmd.Ready())
    with pytest.raises(Refused, match=r"\(Y-29\)"):
        table.house(cmd.Report("wager on the line", "", 1, ("high", "eleven"), 800))
    table.house(cmd.Report("wager on the line", "", 1, ("high", "eleven"), 200))
    table.house(cmd.Resolve("supervisor", "eleven"))
    assert {spot: int(cents) for (_, spot), cents in table.table.wagers.items()} == {
        "play": 1000,
        "high": 500,
        "eleven": 200,
    }
    assert table.replayed() == table.table
