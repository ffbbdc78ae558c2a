"""A table in memory for the tests: decide, evolve and the books, with cards from a script."""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltworks.floor.accounts import HOUSE, player_account
from feltworks.floor.actors import DEALER, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.chance import Shuffle
from feltworks.floor.table.decide import decide
from feltworks.floor.table.entries import entries
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.settings import Fulfilled, Limits, TableSettings
from feltworks.floor.table.state import Table
from feltworks.games import load
from feltworks.kit import steps
from feltworks.kit.cards import Token, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.game import Game

LIMITS = Limits(100, 30_000)
TODAY = 1_767_268_800_000
"""Noon on 2026-01-01."""


def one_for_the_money(**changes: Any) -> TableSettings:
    limits = {"ante": LIMITS, "three_card_bonus": LIMITS}
    return TableSettings("money", "The first table", "one-for-the-money", limits, **changes)


def in_between(**changes: Any) -> TableSettings:
    limits = {"base": Limits(500, 30_000), "in_between": LIMITS}
    return TableSettings("between", "The second table", "in-between", limits, **changes)


def bands(**changes: Any) -> TableSettings:
    """Twelve cards, of which a round with two seats takes four: a shoe of them runs out soon."""
    limits = dict.fromkeys(("ante", "match"), LIMITS)
    return TableSettings("bands", "The reader", "bands", limits, **{"seats": 2, **changes})


def point(**changes: Any) -> TableSettings:
    """A dice loop: the line is contract, and any seven may be bet on again before each roll."""
    limits = dict.fromkeys(("line", "pairs", "seven"), LIMITS)
    return TableSettings("point", "The dice", "point", limits, **{"seats": 3, **changes})


def yo(**changes: Any) -> TableSettings:
    """Every wager of Yo!; that More is at most four times Play is for the rules to say."""
    limits = dict.fromkeys(load("yo").wagers, LIMITS)
    return TableSettings("yo", "The cup of four", "yo", limits, **{"seats": 4, **changes})


def big_six(**changes: Any) -> TableSettings:
    """A wheel of fortune: one spin a round."""
    limits = dict.fromkeys(("one", "two", "five", "ten", "twenty", "joker", "logo"), LIMITS)
    return TableSettings("six", "The wheel", "big-six", limits, **{"seats": 3, **changes})


def riding(**changes: Any) -> TableSettings:
    """Four dice, a shooter, and a wager that stays up from game to game."""
    limits = dict.fromkeys(("play", "ride", "field"), LIMITS)
    return TableSettings("riding", "The cup", "riding", limits, **{"seats": 3, **changes})


@cache
def load_any(name: str) -> Game:
    """A game or a toy, read once: a house that starts a hundred times would read it as often."""
    here = Path(__file__).parent
    return load(name, [here.parent / "toys", here / "riding"])


def with_toys(patch: pytest.MonkeyPatch) -> None:
    """Tables may play the toys."""
    patch.setattr("feltworks.floor.table.settings.load", load_any)


def fulfilled(settings: TableSettings, **changes: Any) -> TableSettings:
    """The same table with every condition of its approval recorded, as a card room or tribal casino needs it."""
    approval = settings.load_game().approval
    wanted = approval.conditions.get(settings.venue, ()) if approval is not None else ()
    recorded = tuple(Fulfilled(condition, "2025-03-01", f"file {n}") for n, condition in enumerate(wanted, 1))
    return msgspec.structs.replace(settings, conditions=recorded, **changes)


class ScriptedChance:
    """Cards, dice and pockets from a script, for a table that asks for them: nothing is sealed, and nothing is
    opened."""

    def __init__(self, cards: str, rolls: Iterable[str], pockets: Iterable[str] = ()) -> None:
        self.script = Scripted(parse_cards(cards), [tuple(map(int, roll)) for roll in rolls], pockets)

    def answer(self, table: Table) -> steps.Answer:
        assert isinstance(table.step, steps.Deal | steps.Turn | steps.Read | steps.Roll | steps.Spin)
        return self.script.answer(table.step)

    def shuffled(self, table: Table, what: Shuffle, back: Collection[Token] = ()) -> tuple[str, int]:
        pack = table.game.fresh()
        if pack is None:
            return "ab" * 32, 312
        return "ab" * 32, {"round": pack.total, "discards": table.discards}.get(
            what, table.size - table.dealt + len(back)
        )

    def openings(self, table: Table) -> tuple[SharedOpening, ...]:
        return ()


class Sitting:
    """One table, its players and its books."""

    def __init__(
        self,
        settings: TableSettings,
        cards: str = "",
        balance: int = 100_000,
        rolls: Iterable[str] = (),
        pockets: Iterable[str] = (),
        now: int = 1_000_000,
    ) -> None:
        self.events: list[tuple[ev.Event, ev.Time]] = []
        self.actors: list[Actor] = []
        self.books: Counter[str] = Counter()
        self.now = now
        self.chance = ScriptedChance(cards, rolls, pockets)
        self.start_balance = balance
        self.table: Table
        self._carry_out(None, cmd.OpenTable(settings), DEALER)

    def balance(self, player: str) -> int:
        return self.books[str(player_account(player))]

    def join(self, player: str, seat: int) -> None:
        self.books[str(HOUSE)] -= self.start_balance
        self.books[str(player_account(player))] += self.start_balance
        self.do(player, cmd.Sit(seat))

    def do(self, player: str, command: cmd.Command) -> list[ev.Event]:
        """Carry a command out; a refusal is raised and leaves everything as it was."""
        return self._carry_out(self.table, command, by_person(player))

    def house(self, command: cmd.Command) -> list[ev.Event]:
        return self._carry_out(self.table, command, DEALER)

    def _carry_out(self, table: Table | None, command: cmd.Command, actor: Actor) -> list[ev.Event]:
        found, tables = decide(table, command, actor, self.balance, self.now, self.chance)
        for event, before in zip(found, tables, strict=False):
            for entry in entries(before, event):
                self.books[str(entry.payer)] -= entry.cents
                self.books[str(entry.payee)] += entry.cents
            self.events.append((event, self.now))
            self.actors.append(actor)
        after = tables[-1]
        assert after is not None
        self.table = after
        return found

    def start(self) -> None:
        self.house(cmd.StartRound(self.table.needs_shuffle))

    def deal(self) -> None:
        """The dealer answers until a person must, or the round is over."""
        while isinstance(self.table.step, steps.Deal | steps.Turn | steps.Read | steps.Roll | steps.Spin):
            self.house(cmd.GoOn())
            assert self.table.round is not None
            self.chance.script.happened(self.table.round.effects)

    def end(self) -> None:
        self.house(cmd.EndRound())

    def replayed(self) -> Table:
        return fold(self.events)


def fold(events: Iterable[tuple[ev.Event, ev.Time]]) -> Table:
    table: Table | None = None
    for event, time in events:
        table = evolve(table, event, time)
    assert table is not None
    return table


def at_dice(settings: TableSettings, *rolls: str, players: str) -> Sitting:
    """People at a table of dice from seat 1 on, with these rolls to come, and a round begun."""
    sitting = Sitting(settings, rolls=rolls)
    for seat, player in enumerate(players.split(), 1):
        sitting.join(player, seat)
    sitting.start()
    return sitting
