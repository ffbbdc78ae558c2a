"""A session at a table: round after round, until the person leaves, the input ends or the money is gone."""

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from rich.console import Console
from rich.text import Text

from feltworks.kit.cards import Seat
from feltworks.kit.chance import Shuffled
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.standing import about, at_table
from feltworks.kit.steps import Answer
from feltworks.kit.walk import Player, walk
from feltworks.lab.stakes import checked_stakes, company
from feltworks.terminal.house import House
from feltworks.terminal.person import Person
from feltworks.terminal.table import ME, Leave, Table
from feltworks.terminal.words import CENTS, PRIZE, as_booked, money

BALANCE = Fraction(1_000)
USUAL = Fraction(10)
"""What is staked on a required wager unless somebody says otherwise."""


def _booked(round: Round, answer: Answer) -> Round:
    return as_booked(round.after(answer))


@dataclass
class Session:
    """One person and the house's players at a game."""

    game: Game
    screen: Console
    seats: int = 1
    seed: int | None = None
    stakes: Mapping[str, Fraction] | None = None
    auto: bool = False

    def play(self, rounds: int | None = None) -> None:
        """Play so many rounds; if not told, until the person leaves, or one by itself."""
        if rounds is not None and rounds < 1:
            raise BadValue(f"{rounds} rounds cannot be played; choose 1 or more.")
        self.game.check_cards(self.seats)
        seed = Random().randrange(1_000_000) if self.seed is None else self.seed
        table, person, players = self._sit_down()
        chance = Shuffled(Random(seed), self.game.fresh())
        carry: Mapping[str, object] = {}
        self._welcome(seed)
        if rounds is None and self.auto:
            rounds = 1
        with suppress(Leave), self._leaving_by_interrupt(table):
            while True:
                if person.rounds == rounds:
                    person.leave(table.view)
                if person.leaving and not table.lying:
                    break
                if table.worth <= 0:
                    table.say("Your play money is gone.")
                    break
                start = self.game.start(range(1, self.seats + 1), carry=carry)
                worth = table.worth
                table.open(start, "What you left up" if person.leaving else f"Round {person.rounds + 1}")
                for step, answer, after in walk(start, chance, players, _booked):
                    table.follow(step, answer)
                    carry = after.carry
                    if person.leaving and not table.lying:
                        break
                chance.gather()
                table.close(worth)
                person.rounds += 1
        self._goodbye(table.worth)

    @contextmanager
    def _leaving_by_interrupt(self, table: Table) -> Iterator[None]:
        """Who interrupts leaves the table, at whatever moment; a person's round that plays by itself just ends."""
        if self.auto or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, table.interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _sit_down(self) -> tuple[Table, Person, dict[Seat, Player]]:
        start = self.game.start(range(1, self.seats + 1))
        table = Table(self.game, self.screen, BALANCE, start, spoken=self.auto)
        house = House(self.game, self._usual_stakes(), table.say)
        person = Person(table, house, auto=self.auto)
        players: dict[Seat, Player] = dict.fromkeys(start.seats, house)
        return table, person, {**players, ME: person}

    def _usual_stakes(self) -> dict[str, Fraction]:
        """The required wagers, or the first with which one comes into the round, unless told otherwise."""
        given = {self.game.bet(name).name: amount for name, amount in (self.stakes or {}).items()}
        wanted = checked_stakes(self.game, self.stakes) or company(self.game)
        stakes = {name: given.get(name, USUAL) for name in self.game.bets if name in wanted}
        for name, amount in stakes.items():
            if any((amount * share * CENTS).denominator != 1 for share in self.game.wager(name).opens.values()):
                raise BadValue(f"{name}={amount} is no amount in whole cents; stake one such as 10 or 5/2.")
        return stakes

    def _welcome(self, seed: int) -> None:
        first, *others = about(self.game, at_table(self.game, "training", {}))
        self.screen.print(Text(first, style="bold"))
        for line in others:
            self.screen.print(Text(f"  {line}"))
        if self.game.jackpots:
            self.screen.print(Text(f"  House jackpot: a fixed prize of {money(PRIZE)}, paid in full to each winner"))
        seats = "You are at seat 1" + (f" of {self.seats}" if self.seats > 1 else "")
        self.screen.print(Text(f"{seats}, with {money(BALANCE)} in play money. Seed {seed}.", style="dim"))
        if not self.auto:
            self.screen.print(Text("Enter stakes what is in brackets; ? rules and pay tables, q leaves.", style="dim"))

    def _goodbye(self, worth: Fraction) -> None:
        net = worth - BALANCE
        than = "as much as" if not net else f"{money(abs(net))} {'more' if net > 0 else 'less'} than"
        self.screen.print(Text(f"You leave with {money(worth)}, {than} you came with."))
