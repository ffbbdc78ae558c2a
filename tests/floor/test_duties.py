"""Who does which of the dealer's duties (F-03): the program or a person, in any mixture that can be."""

from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltworks.floor.table.settings import DUTIES, TableSettings
from feltworks.kit.standing import MAKERS_OWN
from tests.floor.pit import Pit
from tests.floor.sitting import bands, point, riding, with_toys
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
