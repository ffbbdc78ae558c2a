"""When the dealer does what: that tells nothing about a sealed card (F-14), nor about a roll to come, and whoever is
alone does not wait for long."""

from collections.abc import Collection, Iterable
from contextlib import suppress
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
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.chance import Shuffle
from feltworks.floor.table.dealer import ALONE, Next, Wish, next_for
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Card, Token, parse_cards
from feltworks.kit.chance import Asked, Shuffled
from feltworks.kit.unseen import Unseen
from feltworks.web.demo import TABLES as DEMO
from tests.floor.sitting import ScriptedChance, Sitting, in_between, one_for_the_money, riding, with_toys
from tests.floor.test_house import Clock
from tests.quick import share

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
            players = [house.people.guest()[0] for _ in range(2)]
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


# How long the dealer's pauses are together, from what a person does last to the next betting or decision.


class Stacked(Shuffled):
    """Shuffled cards, but for the first ones of the dealer."""

    def __init__(self, random: Random, unseen: Unseen | None, dealers: str) -> None:
        super().__init__(random, unseen)
        self.dealers = list(parse_cards(dealers))

    def answer(self, step: Asked) -> steps.Answer:
        if isinstance(step, steps.Deal) and step.token.owner is None and self.dealers:
            self._sealed[step.token] = self.dealers.pop(0)
            return steps.DEALT
        return super().answer(step)


class AnyCards(ScriptedChance):
    """Cards and rolls by a seed."""

    def __init__(self, seed: int, dealers: str = "") -> None:
        super().__init__("", ())
        self.random, self.dealers = Random(seed), dealers
        self.source = Stacked(self.random, None, "")

    def answer(self, table: Table) -> steps.Answer:
        assert isinstance(table.step, steps.Deal | steps.Turn | steps.Read | steps.Roll)
        return self.source.answer(table.step)

    def shuffled(self, table: Table, what: Shuffle, back: Collection[Token] = ()) -> tuple[str, int]:
        if what == "round":
            self.source = Stacked(self.random, table.game.fresh(), self.dealers)
        return super().shuffled(table, what, back)


def stretches(
    settings: TableSettings, wish: Wish, rounds: int, chance: AnyCards, choice: int | None = None
) -> list[int]:
    """The sum of the dealer's pauses each time, while one person plays so many rounds alone."""
    sitting = Sitting(settings, balance=10**9)
    sitting.chance = chance
    sitting.join("ann", 1)
    found: list[int] = []
    pauses = 0
    while sitting.table.round_number <= rounds or not sitting.table.betting:
        table, step = sitting.table, sitting.table.step
        if table.betting or table.to_act:
            found.append(pauses)
            pauses = 0
        if isinstance(step, steps.Bet):
            for spot in step.spots:
                with suppress(Refused):
                    sitting.do("ann", cmd.Place(spot, settings.limits[spot].least))
            sitting.do("ann", cmd.Ready())
        elif table.to_act and isinstance(step, steps.Choose):
            option = chance.random.choice(step.options) if choice is None else step.options[choice]
            sitting.do("ann", cmd.Choose(option.name))
        else:
            due = next_for(table, sitting.now, wish)
            assert due is not None
            pauses, sitting.now = pauses + due.at - sitting.now, due.at
            match due.doing:
                case "start round":
                    sitting.start()
                case "end round":
                    sitting.end()
                case _:
                    assert due.doing == "answer"
                    sitting.house(cmd.GoOn())
                    assert sitting.table.round is not None
                    chance.source.happened(sitting.table.round.effects)
    return [*found, pauses]


MOST: dict[Wish, int] = {"motion": 2_000, "calm": 500, "go on": 0}
LONG_HAND = "Ac Ad Ah As Ac Ad 6c Ah As Ac Ad Ah"
"""From soft 12 to soft 16, from there to hard 12, and ace by ace to 17."""


@pytest.mark.rule("F-30")
@pytest.mark.parametrize("wish", MOST)
@pytest.mark.parametrize("settings", DEMO, ids=lambda settings: settings.id)
def test_who_is_alone_waits_for_the_dealer_at_most_two_seconds_and_half_a_second_where_nothing_moves(
    settings: TableSettings, wish: Wish
) -> None:
    found = stretches(settings, wish, share(40), AnyCards(7))
    assert len(found) > share(40)
    assert max(found) <= MOST[wish]
    assert (max(found) > 0) == (wish != "go on")


@pytest.mark.parametrize("wish", MOST)
def test_the_longest_hand_of_a_blackjack_dealer_takes_no_longer(wish: Wish) -> None:
    (settings,) = (table for table in DEMO if table.id == "between")
    found = stretches(settings, wish, 1, AnyCards(7, LONG_HAND), choice=0)
    assert found[-1] == max(found) <= MOST[wish]


def test_the_usual_pauses_remain_where_several_have_to_follow_and_a_wish_changes_nothing_but_time() -> None:
    sitting = Sitting(one_for_the_money(), "7h 9c 4d")
    sitting.join("ann", 2)
    sitting.join("bob", 3)
    sitting.start()
    sitting.do("ann", cmd.Place("ante", 500))
    sitting.house(cmd.CloseBetting())
    pace, now = sitting.table.settings.pace, sitting.now
    found = {wish: next_for(sitting.table, now, wish) for wish in MOST}
    usual = Next("answer", now + pace.card)
    assert found == {"motion": usual, "calm": usual, "go on": Next("answer", now)}
    sitting.house(cmd.Connection("bob", present=False))
    assert next_for(sitting.table, now) == Next("answer", now + pace.card * ALONE // 100)
    sitting.deal()
    clock = Next("clock", sitting.table.deadline or 0)
    assert {next_for(sitting.table, now, wish) for wish in MOST} == {clock}
