"""Why wagers were settled: words that are derived from the records, stand in none, and stop nothing."""

import msgspec
import pytest

from feltworks.floor.table import commands as cmd
from feltworks.games.one_for_the_money.rules import OneForTheMoney
from tests.floor.sitting import Sitting, at_dice, one_for_the_money, yo


def played() -> Sitting:
    """A queen that is raised with, against nine and four, and the round is over."""
    sitting = Sitting(one_for_the_money(), "Qh 9c 4d")
    sitting.join("ann", 1)
    sitting.start()
    sitting.do("ann", cmd.Place("ante", 500))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    sitting.do("ann", cmd.Choose("raise"))
    sitting.deal()
    return sitting


@pytest.mark.rule("O-06", "F-16")
def test_the_reasons_are_beside_the_results_stay_until_the_next_round_and_come_out_again_of_the_events() -> None:
    sitting = played()
    told = ("queen beats nine",) * 2
    assert (sitting.table.reasons, [r.spot for r in sitting.table.results]) == (told, ["ante", "raise"])
    sitting.end()
    assert sitting.table.reasons == told == sitting.replayed().reasons
    sitting.start()
    assert [*sitting.table.reasons, *sitting.table.results] == []


def test_no_event_holds_a_reason() -> None:
    assert b"queen beats nine" not in b"".join(msgspec.json.encode(event) for event, _ in played().events)


@pytest.mark.rule("Y-05", "Y-19")
def test_with_dice_the_reasons_are_of_the_last_roll() -> None:
    sitting = at_dice(yo(), "4211", "5411", players="ann")
    for spot in ("play", "high"):
        sitting.do("ann", cmd.Place(spot, 500))
    for told in (("6 is not 8, 9 or 10",), ()):
        sitting.do("ann", cmd.Ready())
        sitting.do("ann", cmd.Choose("roll"))
        sitting.deal()
        assert sitting.table.reasons == told
        assert len(sitting.table.results) == len(told)


def test_rules_that_fail_at_their_words_stop_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OneForTheMoney, "why", lambda self, settled, before: 1 / 0)
    sitting = played()
    assert sitting.table.reasons == ("higher card",) * 2
    assert sitting.balance("ann") == 100_000 + 1_000
