"""What goes wrong at a table is reported, stops it, and is decided; a device out of service waits for its release."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from feltworks.floor.actors import Actor
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.people import GRANT
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, NotRolled, Rolled
from feltworks.floor.table.incidents import asked_of_staff, deciders, incident_kinds, voiding
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.floor.verification.verify import verify
from feltworks.games.yo.incidents import BY_KIND
from feltworks.kit import steps
from feltworks.kit.incidents import (
    CARDS,
    CARDS_SHORT,
    DEVICE_FAULT,
    EXPOSED_CARD,
    MISDEAL,
    MOST_OUT_OF_SERVICE,
    device_of,
)
from feltworks.kit.manual_entry import READER_FAULT
from feltworks.kit.transcript import transcript
from tests.floor.employing import employed
from tests.floor.pit import Pit
from tests.floor.sitting import TODAY, at_dice, bands, point, with_toys, yo
from tests.floor.test_corrections import TABLES as PIT_TABLES

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
    player, _ = house.people.guest()
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
    house.pit.report("under", cmd.Report(READER_FAULT, "small was lit for an ace"), by_supervisor)
    assert house.due("under") is None
    waits = house.pit.resolve("under", SUPERVISOR, "light was wrong", by_supervisor, "the camera shows it")
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
            again.pit.release("under", what, reason, by_supervisor)
    again.pit.release("under", "card reader", "the light was exchanged", by_supervisor)
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
    house.pit.report("under", cmd.Report(READER_FAULT, "the light flickers"), by_supervisor)
    with pytest.raises(Refused, match=r"^Reader fault is not decided yet; decide that first\.$"):
        house.pit.report("under", cmd.Report("dispute"), by_supervisor)
    with pytest.raises(Refused, match=r"^It is not your turn\.$"):
        house.command("under", player, cmd.Choose("check"))
    house.pit.resolve("under", SUPERVISOR, "continue", by_supervisor, "it is steady again")
    after = house.live("under").table
    assert before.round is not None
    assert after.round is not None
    assert (after.round.key, after.incident) == (before.round.key, "")
    with pytest.raises(Refused, match=r"^Nothing was reported at this table\.$"):
        house.pit.resolve("under", SUPERVISOR, "void", by_supervisor, "too late")
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


# What can go wrong at any table (F-28).


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Two toy games for which nobody has written a line about incidents: one with cards, one with dice."""
    with_toys(monkeypatch)
    time = count(TODAY)
    house = House(Store(tmp_path / "toys.db"), KEYS, lambda: next(time))
    for settings, wagers in ((bands(), ("ante",)), (point(), ("line",))):
        house.open_table(settings)
        player, _ = house.people.guest()
        house.command(settings.id, player, cmd.Sit(1))
        due = house.due(settings.id)
        assert due is not None
        house.deal_on(settings.id, due.doing)
        for spot in wagers:
            house.command(settings.id, player, cmd.Place(spot, 500))
        house.command(settings.id, player, cmd.Ready())
    yield house
    house.store.close()


def decide(house: House, table: str, option: str, by: Actor, reason: str = "by the cameras") -> str:
    return house.pit.resolve(table, SUPERVISOR, option, by, reason)


@pytest.mark.rule("F-28")
@pytest.mark.parametrize(
    ("table", "kind"),
    [
        *(("bands", kind) for kind in (MISDEAL, EXPOSED_CARD, CARDS_SHORT, DEVICE_FAULT, "an owl flew in")),
        *(("point", kind) for kind in (DEVICE_FAULT, "an owl flew in")),
    ],
)
def test_every_table_stops_for_what_can_go_wrong_anywhere_and_goes_on_where_it_was(
    toys: House, table: str, kind: str
) -> None:
    supervisor, before = employed(toys, Role.SUPERVISOR), toys.live(table).table
    toys.pit.report(table, cmd.Report(kind, "seen by the dealer"), supervisor)
    stopped = toys.live(table).table
    assert (stopped.incident, stopped.report_text, stopped.report) == (kind, "seen by the dealer", stopped.version)
    assert toys.due(table) is None
    again = House(toys.store, KEYS, lambda: TODAY + 10_000)
    assert again.live(table).table == stopped, "it waits though the house has started anew"
    decide(again, table, "continue", supervisor)
    after = again.live(table).table
    assert before.round is not None and after.round is not None
    assert (after.round.key, after.incident, after.report, after.report_text) == (before.round.key, "", 0, "")
    last = [*again.store.read(table)][-1]
    event = decode_event(table, last.event)
    assert isinstance(event, ev.Answered) and (event.reason, last.actor) == ("by the cameras", str(supervisor))
    assert verify(again.store.path).problems == []


@pytest.mark.rule("F-28")
def test_what_has_a_name_is_told_for_every_table(toys: House) -> None:
    general = (MISDEAL, EXPOSED_CARD, CARDS_SHORT, DEVICE_FAULT)
    assert incident_kinds(toys.live("bands").table) == general
    assert incident_kinds(toys.live("point").table) == (DEVICE_FAULT,)
    toys.open_table(down_under())
    assert incident_kinds(toys.live("under").table) == (DEVICE_FAULT,), "between two rounds only a device can fail"
    dice = at_dice(yo(), "3412", players="ann").table.round
    assert dice is not None
    assert {*BY_KIND, "wager on the line", "wager after the close", DEVICE_FAULT} == set(dice.incidents)


@pytest.mark.rule("F-13", "F-17", "F-28")
@pytest.mark.parametrize("kind", [MISDEAL, EXPOSED_CARD, CARDS_SHORT, DEVICE_FAULT])
def test_a_decision_that_voids_the_round_waits_for_a_second_signature_also_over_a_restart(
    toys: House, kind: str
) -> None:
    supervisor, manager = employed(toys, Role.SUPERVISOR), employed(toys, Role.MANAGER)
    toys.pit.report("bands", cmd.Report(kind, "the shuffler"), supervisor)
    step = asked_of_staff(toys.live("bands").table)
    assert step is not None and voiding(toys.live("bands").table) == {"void"}
    with pytest.raises(Refused, match=r"^That voids the round and needs two signatures; propose it\.$"):
        toys.carry_out("bands", cmd.Resolve("supervisor", "void", "it fell"), supervisor)
    waits = decide(toys, "bands", "void", supervisor)
    assert waits and toys.live("bands").table.incident == kind
    again = House(toys.store, KEYS, lambda: TODAY + 10_000)
    with pytest.raises(Refused, match="You have signed it already"):
        again.staff.sign(waits, supervisor)
    again.staff.sign(waits, manager)
    after = again.live("bands").table
    assert after.round is not None and after.round.over and not after.wagers
    assert after.out_of_service == {CARDS_SHORT: [CARDS], DEVICE_FAULT: ["the shuffler"]}.get(kind, [])
    assert verify(again.store.path).problems == []


@pytest.mark.rule("F-28")
def test_two_supervisors_decide_one_incident_once_and_nobody_decides_the_next_one_by_mistake(toys: House) -> None:
    one, other, manager = (employed(toys, role) for role in (Role.SUPERVISOR, Role.SUPERVISOR, Role.MANAGER))
    toys.pit.report("bands", cmd.Report(MISDEAL, "two cards"), one)
    seen = toys.live("bands").table.report
    waits = toys.pit.resolve("bands", SUPERVISOR, "void", one, "two cards", seen)
    toys.pit.resolve("bands", SUPERVISOR, "continue", other, "one card", seen)
    with pytest.raises(Refused, match=r"^Nothing was reported at this table\.$"):
        toys.pit.resolve("bands", SUPERVISOR, "continue", one, "one card", seen)
    toys.pit.report("bands", cmd.Report(EXPOSED_CARD, "the third"), other)
    with pytest.raises(Refused, match=r"^What you saw is decided already; something else was reported since"):
        toys.pit.resolve("bands", SUPERVISOR, "continue", one, "one card", seen)
    with pytest.raises(Refused, match="What you saw is decided already"):
        toys.staff.sign(waits, manager)
    assert toys.live("bands").table.incident == EXPOSED_CARD


@pytest.mark.rule("F-28")
def test_an_incident_is_reported_while_the_table_is_paused_and_decided_when_it_goes_on(toys: House) -> None:
    supervisor = employed(toys, Role.SUPERVISOR)
    toys.pause("point", "the lights flicker", supervisor)
    toys.pit.report("point", cmd.Report(DEVICE_FAULT, "the lights"), supervisor)
    with pytest.raises(Refused, match=r"^The table is paused: "):
        decide(toys, "point", "continue", supervisor)
    toys.resume("point", supervisor)
    decide(toys, "point", "out of service", supervisor)
    table = toys.live("point").table
    assert table.out_of_service == ["the lights"] and table.round is not None and not table.round.over


@pytest.mark.rule("F-38", "F-28")
def test_a_device_that_fails_is_due_to_be_reported_within_72_hours_and_no_round_begins_before_its_release(
    toys: House,
) -> None:
    supervisor = employed(toys, Role.SUPERVISOR)
    toys.pit.report("bands", cmd.Report(DEVICE_FAULT, "the shuffler"), supervisor)
    [item] = toys.due_items()
    decide(toys, "bands", "out of service", supervisor)
    assert toys.due_items() == [item], "whatever is decided about the round, the fault is reported once"
    assert item.about == "table bands, round 1: the shuffler"
    assert 71 * 3_600_000 < item.deadline - TODAY <= 73 * 3_600_000
    toys.void("bands", "so that the round is over")
    with pytest.raises(Refused, match=r"^Out of service: the shuffler\. Release it before the next round\.$"):
        toys.deal_on("bands", "start round")
    toys.pit.release("bands", "the shuffler", "a card was stuck", supervisor)
    toys.deal_on("bands", "start round")


@pytest.mark.rule("F-38", "F-28")
def test_a_device_that_fails_between_two_rounds_is_out_of_service_at_once(toys: House) -> None:
    supervisor = employed(toys, Role.SUPERVISOR)
    toys.void("bands", "to begin anew")
    with pytest.raises(Refused, match=r"^No round is being played; wait for the next one\.$"):
        toys.pit.report("bands", cmd.Report(MISDEAL), supervisor)
    toys.pit.report("bands", cmd.Report(DEVICE_FAULT, "the screen is dark."), supervisor)
    assert toys.live("bands").table.out_of_service == ["the screen is dark"] and not toys.live("bands").table.incident
    with pytest.raises(Refused, match=r"^The screen is dark is out of service already\.$"):
        toys.pit.report("bands", cmd.Report(DEVICE_FAULT, "the screen is dark"), supervisor)
    assert len(toys.due_items()) == 1
    toys.pit.release("bands", "the screen is dark", "the plug", supervisor)
    assert verify(toys.store.path).problems == []


@pytest.mark.rule("F-23", "F-28")
def test_cards_that_were_short_are_counted_and_shuffled_before_anything_is_dealt_from_them(toys: House) -> None:
    supervisor, manager = employed(toys, Role.SUPERVISOR), employed(toys, Role.MANAGER)
    toys.pit.report("bands", cmd.Report(CARDS_SHORT, "eleven cards"), supervisor)
    toys.staff.sign(decide(toys, "bands", "void", supervisor), manager)
    assert toys.due_items() == [], "cards are no device"
    with pytest.raises(Refused, match="The cards are released between two rounds"):
        toys.pit.release("bands", CARDS, "twelve", supervisor)
    toys.deal_on("bands", "end round")
    with pytest.raises(Refused, match=r"^Out of service: cards\."):
        toys.deal_on("bands", "start round")
    toys.pit.release("bands", CARDS, "twelve", supervisor)
    assert toys.live("bands").table.must_shuffle
    toys.deal_on("bands", "start round")
    assert verify(toys.store.path).problems == []


def test_a_device_is_called_by_the_first_words_of_what_is_said_of_it() -> None:
    assert [device_of(text) for text in ("", "  ", " the shuffler. ", "x" * 99)] == [
        "device",
        "device",
        "the shuffler",
        "x" * 60,
    ]


@pytest.mark.rule("F-38", "F-28")
def test_a_device_fault_is_due_to_be_reported_though_the_round_goes_on(toys: House) -> None:
    supervisor = employed(toys, Role.SUPERVISOR)
    toys.pit.report("point", cmd.Report(DEVICE_FAULT, "the lights"), supervisor)
    decide(toys, "point", "continue", supervisor)
    assert [item.about for item in toys.due_items()] == ["table point, round 1: the lights"]
    assert not toys.live("point").table.out_of_service


@pytest.mark.rule("F-38", "F-28")
def test_a_table_with_many_devices_out_of_service_takes_no_other_report_before_one_is_released(toys: House) -> None:
    supervisor = employed(toys, Role.SUPERVISOR)
    toys.void("bands", "to begin anew")
    for number in range(MOST_OUT_OF_SERVICE):
        toys.pit.report("bands", cmd.Report(DEVICE_FAULT, f"thing {number}"), supervisor)
    with pytest.raises(Refused, match="So many devices are out of service at this table that one has to be released"):
        toys.pit.report("bands", cmd.Report(DEVICE_FAULT, "one more"), supervisor)
    assert len(toys.due_items()) == MOST_OUT_OF_SERVICE
    toys.pit.release("bands", "thing 0", "looked at", supervisor)
    toys.pit.report("bands", cmd.Report(DEVICE_FAULT, "one more"), supervisor)


@pytest.mark.rule("F-28", "F-07")
@pytest.mark.parametrize(("text", "why"), [("x" * 3_000, "Say it in at most"), ("a\u202eb", "cannot be shown")])
def test_what_people_write_about_a_table_can_be_read(toys: House, text: str, why: str) -> None:
    supervisor, manager, before = (
        employed(toys, Role.SUPERVISOR),
        employed(toys, Role.MANAGER),
        toys.live("bands").table,
    )
    tried: list[Callable[[], object]] = [
        lambda: toys.pit.report("bands", cmd.Report(text), supervisor),
        lambda: toys.pit.report("bands", cmd.Report(MISDEAL, text), supervisor),
        lambda: toys.pause("bands", text, supervisor),
        lambda: toys.close_table("bands", text, manager),
        lambda: toys.staff.propose("bands", cmd.VoidRound(text), supervisor),
    ]
    for attempt in tried:
        with pytest.raises(Refused, match=why):
            attempt()
    assert toys.live("bands").table is before and not toys.administration.waiting


@pytest.mark.rule("Y-23", "F-13")
def test_who_rolls_after_a_withdrawal_is_named_by_a_manager_too_and_nothing_else_is_a_manager_s_to_enter(
    tmp_path: Path,
) -> None:
    pit = Pit(tmp_path / "records.db", PIT_TABLES["yo"])
    pit.deal(cmd.StartRound())
    pit.note()
    pit.bet()
    pit.close_betting()
    pit.enter_for(cmd.ChooseFor(1, "roll"))
    with pytest.raises(Refused, match="That is for a dealer to enter"):
        pit.enter(Rolled((2, 2, 1, 1)), pit.manager)
    pit.enter(NotRolled("a die is stuck in the cup"))
    with pytest.raises(Refused, match="That is for a supervisor to decide"):
        pit.enter(Decided("supervisor", "die freed"), pit.manager)
    pit.enter(Decided("supervisor", "die freed"), pit.supervisor)
    pit.enter(Rolled((2, 2, 1, 1)))
    pit.close_betting()
    pit.enter_for(cmd.ChooseFor(1, "withdraw"))
    with pytest.raises(Refused, match="That is for a supervisor to decide"):
        pit.enter(Decided("supervisor", "dealer rolls"), pit.dealer)
    assert deciders(pit.table) == {"supervisor", "manager"}
    pit.enter(Decided("supervisor", "dealer rolls"), pit.manager)
    assert pit.procedure.asked.kind == "roll"
    pit.house.pit.report(pit.settings.id, cmd.Report("misdeal"), pit.dealer)
    with pytest.raises(Refused, match=r"supervisor to decide|needs a reason"):
        pit.enter(Decided("supervisor", "continue"), pit.manager)
    pit.resolve("continue")
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-28", "Y-29")
@pytest.mark.parametrize(
    ("report", "said"),
    [
        (cmd.Report("misdeal", seat=9), "This table has no seat 9; name one of 1 to 3."),
        (cmd.Report("misdeal", seat=0), "This table has no seat 0; name one of 1 to 3."),
        (
            cmd.Report("misdeal", seat=1, spots=("moon",)),
            "This table has no spot 'moon'; name one of: play,",
        ),
        (cmd.Report("misdeal", seat=1, spots=("high", "low"), amount=-500), "An amount that is reported is more than"),
    ],
)
def test_a_report_that_names_what_the_table_does_not_have_stops_nothing(
    report: cmd.Report, said: str, tmp_path: Path
) -> None:
    pit = Pit(tmp_path / "records.db", PIT_TABLES["yo"])
    while pit.procedure.asked.kind != "roll":
        pit.step()
    before = pit.table
    with pytest.raises(Refused, match=re.escape(said)):
        pit.house.pit.report("yo", report, pit.dealer)
    assert pit.table == before
