"""When the dealer does what tells nothing about a sealed card (F-14), nor about a roll to come."""

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from feltworks.floor.chance import sealed
from feltworks.floor.chance.generator import Generator
from feltworks.floor.chance.shoe import Rolls
from feltworks.floor.house import House
from feltworks.floor.keys import Keys
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.kit import steps
from feltworks.kit.cards import Card
from tests.floor.sitting import in_between, one_for_the_money, riding, with_toys
from tests.floor.test_house import Clock

BANDS = TableSettings("bands", "Bands", "bands", {"ante": Limits(100, 900), "match": Limits(100, 900)}, seats=2)
Schedule = list[tuple[str, int]]


class Played:
    """A round, step by step: what the dealer was to do next and when, and when each card was told to anybody."""

    def __init__(self, folder: Path, settings: TableSettings) -> None:
        self.schedule: Schedule = []
        self.told: dict[Card, int] = {}
        clock = Clock()
        with Store(folder / "records.db") as store:
            house = House(store, Keys(bytes(32), bytes(32)), clock)
            house.open_table(settings)
            players = [house.guest()[0] for _ in range(2)]
            for seat, player in enumerate(players, 1):
                house.command(settings.id, player, cmd.Sit(seat))
            while (live := house.live(settings.id)).table.round_number < 2:
                table, step = live.table, live.table.step
                if isinstance(step, steps.Turn | steps.Read):
                    self.told.setdefault(live.shoes.card(table, step.token), len(self.schedule))
                due = house.due(settings.id)
                self.schedule.append((due.doing if due else "nothing", due.at if due else 0))
                if isinstance(step, steps.Bet):
                    for player in players:
                        house.command(settings.id, player, cmd.Place(step.spots[0], 500))
                        house.command(settings.id, player, cmd.Ready())
                elif table.to_act and isinstance(step, steps.Choose):
                    player = table.seats[min(table.to_act)].player
                    house.command(settings.id, player, cmd.Choose(step.options[-1].name))
                else:
                    assert due is not None
                    clock.now = due.at
                    house.deal_on(settings.id, due.doing)


def staged(patch: pytest.MonkeyPatch, swap: tuple[Card, Card] | None) -> None:
    """The same shoe in every world, but for two cards that change places."""
    other: dict[Any, Any] = dict([swap, swap[::-1]]) if swap else {}

    class Staged(Generator):
        def shuffled(self, items: Iterable[Any]) -> list[Any]:
            cards = sorted(items, key=index)
            Random(5).shuffle(cards)
            return cards

    def index(card: Any) -> Any:
        return other.get(card, card).index

    patch.setattr("feltworks.floor.chance.shoe.Generator", Staged)


@pytest.mark.rule("F-14")
@pytest.mark.parametrize(
    "settings", [one_for_the_money(decks=1), in_between(decks=1, seats=2), BANDS], ids=lambda s: s.id
)
def test_the_dealer_does_the_same_at_the_same_time_whatever_a_sealed_card_is(
    settings: TableSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two worlds that differ in two cards have one schedule until one of the two is told to somebody."""
    with_toys(monkeypatch)
    staged(monkeypatch, None)
    base = play(tmp_path / "base", settings)
    fresh = settings.load_game().fresh()
    assert fresh is not None
    unseen = next(card for card in fresh.all_cards() if card not in base.told)
    compared = 0
    for card, told in base.told.items():
        staged(monkeypatch, (card, unseen))
        other = play(tmp_path / card.text, settings)
        assert other.schedule[: told + 1] == base.schedule[: told + 1]
        compared += told
    assert compared > 20


@pytest.mark.rule("F-14")
def test_the_dealer_rolls_at_the_same_time_whatever_the_dice_will_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_toys(monkeypatch)
    schedules = []
    for first in (300, 400, 500):
        seeds = count(first)
        monkeypatch.setattr(sealed, "fresh_seed", lambda seeds=seeds: next(seeds).to_bytes(32, "big"))
        schedules.append(play(tmp_path / str(first), riding()).schedule)
    assert len({Rolls(1, first.to_bytes(32, "big")).roll(0, 4) for first in (300, 400, 500)}) == 3
    rolled = [next(i for i, (doing, _) in enumerate(s) if doing == "answer") + 1 for s in schedules]
    assert len({tuple(s[:first]) for s, first in zip(schedules, rolled, strict=True)}) == 1


def play(folder: Path, settings: TableSettings) -> Played:
    folder.mkdir()
    return Played(folder, settings)
