"""Who does which of the dealer's duties (F-03): the program or a person, in any mixture that can be."""

from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import Turned
from feltworks.floor.table.settings import DUTIES, TableSettings
from feltworks.floor.table.settings_check import examined
from feltworks.kit.standing import MAKERS_OWN
from tests.floor.pit import Pit
from tests.floor.sitting import TODAY, bands, point, riding, with_toys
from tests.web.robots import AT_ONCE, SLOW, between, money, under, yo

PIECES = {
    "down-under-holdem": {"card reader": MAKERS_OWN, "jackpot system": "a drawer with a key"},
    "yo": {"dice": MAKERS_OWN, "cup": MAKERS_OWN},
}
FREE = ("betting", "paying", "calling")
"""Duties that are anybody's, whoever's the cards and dice are."""
GAMES: dict[str, TableSettings] = {
    "one-for-the-money": money(seats=3),
    "in-between": between(seats=3),
    "down-under-holdem": under(seats=3),
    "yo": yo(seats=3),
    "bands, a toy": bands(pace=AT_ONCE, clocks=SLOW),
    "point, a toy": point(pace=AT_ONCE, clocks=SLOW),
    "riding, a toy": riding(pace=AT_ONCE, clocks=SLOW),
}


def mixed(settings: TableSettings, source: str, persons: tuple[str, ...]) -> TableSettings:
    duties: Any = {duty: "person" if duty in persons else "program" for duty in DUTIES}
    pieces = PIECES.get(settings.game, {}) if source == "physical" else {}
    return msgspec.structs.replace(settings, duties=duties, source=source, equipment=pieces)


def mixtures() -> list[tuple[str, tuple[str, ...]]]:
    """Every mixture that is allowed."""
    of_program = [
        ("program", tuple(duty for duty, own in zip(DUTIES, some, strict=True) if own))
        for some in product((False, True), repeat=len(DUTIES))
    ]
    hands = tuple(duty for duty in DUTIES if duty not in FREE)
    of_people = [
        ("physical", (*hands, *(duty for duty, own in zip(FREE, some, strict=True) if own)))
        for some in product((False, True), repeat=len(FREE))
    ]
    return [*of_program, *of_people]


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)


@pytest.mark.rule("F-03", "F-20", "F-27")
@pytest.mark.parametrize("name", GAMES)
def test_a_round_of_any_game_is_dealt_in_every_mixture_of_duties_and_pays_what_the_rules_say(
    name: str, tmp_path: Path
) -> None:
    for number, (source, persons) in enumerate(mixtures()):
        pit = Pit(tmp_path / f"{number}.db", mixed(GAMES[name], source, persons), seed=number)
        pit.play(rounds=1)
        pit.house.store.check_books()
        if number % 16 == 0 or source == "physical":
            pit.check()
        pit.house.close()


@pytest.mark.rule("F-03", "F-20")
@pytest.mark.parametrize("duty", [duty for duty in DUTIES if duty not in FREE])
def test_physical_cards_dice_and_lights_are_handled_by_a_person(duty: str) -> None:
    persons = tuple(other for other in DUTIES if other != duty)
    _, problems = examined(mixed(GAMES["yo"], "physical", persons), TODAY)
    assert [problem.setting for problem in problems] == [f"duties.{duty}"]
    assert problems[0].said.startswith("Cards and dice are physical at this table, so that a person ")


def at(pit: Pit, *kinds: str) -> Pit:
    while pit.procedure.asked.kind not in kinds:
        pit.step()
    return pit


REFUSALS: list[tuple[str, tuple[str, ...], cmd.DealerCommand, str]] = [
    ("bets", ("dealing",), cmd.CloseBetting(), "The program opens and closes the betting at this table"),
    ("deal", ("betting",), cmd.GoOn(), "The program deals and turns the cards at this table"),
    ("end", ("betting",), cmd.EndRound(), "The program takes and pays at this table"),
    ("turn", ("dealing",), cmd.Enter(Turned("Ah")), "Cards and dice are the program's at this table; go on"),
    ("start", ("dealing",), cmd.StartRound(True), "The program opens and closes the betting at this table"),
]


@pytest.mark.rule("F-03", "F-14")
@pytest.mark.parametrize(("kind", "persons", "command", "words"), REFUSALS, ids=lambda value: str(value)[:20])
def test_nobody_does_a_duty_that_is_not_theirs(
    kind: str, persons: tuple[str, ...], command: cmd.DealerCommand, words: str, tmp_path: Path
) -> None:
    pit = at(Pit(tmp_path / "records.db", mixed(GAMES["one-for-the-money"], "program", persons)), kind)
    before = pit.table
    with pytest.raises(Refused, match=words):
        pit.deal(command)
    assert pit.table is before
    pit.house.close()


@pytest.mark.rule("F-03", "F-27")
def test_the_program_waits_until_a_person_has_taken_and_paid(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", mixed(GAMES["one-for-the-money"], "program", ("paying",)))
    while not any(act.do in ("take", "pay", "return") for act in pit.procedure.now):
        pit.step()
    chips, last = [pit.chips(seat) for seat in (1, 2, 3)], pit.procedure.now[-1].number
    assert pit.house.due("money") is None
    pit.deal(cmd.TickOff(last))
    assert [pit.chips(seat) for seat in (1, 2, 3)] == chips and not pit.procedure.now
    with pytest.raises(Refused, match=f"{last} of {last} are ticked off"):
        pit.deal(cmd.TickOff(last + 1))
    with pytest.raises(Refused, match="are ticked off; tick off so many or more"):
        pit.deal(cmd.TickOff(0))
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-14", "F-20")
@pytest.mark.parametrize("name", GAMES)
def test_of_the_programs_own_cards_and_dice_the_procedure_has_nothing_to_enter(name: str, tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", mixed(GAMES[name], "program", DUTIES))
    for _ in range(80):
        asked = pit.procedure.asked
        assert not asked.entered and not asked.cards and not asked.lights
        pit.step()
    pit.house.close()


@pytest.mark.rule("F-03", "F-40")
def test_duties_change_between_rounds_and_the_source_does_not(tmp_path: Path) -> None:
    settings = mixed(GAMES["one-for-the-money"], "program", ("betting",))
    pit = Pit(tmp_path / "records.db", settings)
    other = mixed(settings, "program", ("betting", "dealing"))
    pit.house.change_settings("money", other, pit.manager)
    posted = [record.event for record in pit.house.store.read("money") if b"change posted" in record.event]
    assert b"a person deals and turns the cards" in posted[0]
    assert pit.table.settings.duty("dealing") == "person" and pit.table.dealer == pit.dealers[0].id
    with pytest.raises(Refused, match="The source of cards and dice of a table cannot change"):
        pit.house.change_settings("money", mixed(settings, "physical", DUTIES), pit.manager)
    pit.play(rounds=1)
    pit.check()
