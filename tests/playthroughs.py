"""The golden playthroughs: scripted rounds of every game, told in full, that change only when the rules do.

The scenarios of a game are in tests/golden/<game>/scenarios.toml. `python -m tests.playthroughs` plays each
and tells it in a text beside them; with --check nothing is written, and every difference is shown.
"""

import argparse
import difflib
import sys
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from feltworks import games
from feltworks.kit.cards import Seat, parse_cards
from feltworks.kit.chance import Asked, Scripted
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import Answer, Bet, Choose, Collect, Decide, Incident, NoRoll, Place, Role, Roll, TakeUp
from feltworks.kit.transcript import Happening, transcript
from feltworks.kit.walk import walk

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
COMMAND = "python -m tests.playthroughs"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Seating(_Part):
    """What a seat does in each window ("ante 10", "take up seven", "collect high") and decides ("raise", "insure 2"),
    and what it decides when all that is used up."""

    bets: tuple[tuple[str, ...], ...] = ()
    decides: tuple[str, ...] = ()
    usually: str = ""


class Report(_Part):
    """An incident that is reported after a step of a round, and what is decided about it."""

    round: int = 1
    after: int
    kind: str
    text: str = ""
    seat: int | None = None
    spots: tuple[str, ...] = ()
    amount: int | None = None
    decision: str

    @property
    def incident(self) -> Incident:
        seat = None if self.seat is None else Seat(self.seat)
        amount = None if self.amount is None else Fraction(self.amount)
        return Incident(self.kind, self.text, seat, self.spots, amount)


class Scenario(_Part):
    """One round, or several that follow on each other: how the game is configured, who sits where, what chance brings,
    and what dealer and supervisor decide where it is not the first option."""

    about: str
    version: str | None = None
    decks: int | None = None
    readings: dict[str, str] = {}
    pay: dict[str, str] = {}
    seats: dict[int, Seating]
    cards: str = ""
    rolls: tuple[str, ...] = ()
    pockets: str = ""
    meter: int | None = None
    rounds: int = 1
    dealer: tuple[str, ...] = ()
    supervisor: tuple[str, ...] = ()
    reports: tuple[Report, ...] = ()

    def game(self, name: str) -> Game:
        game = games.load(name, [HERE / "toys"])
        return game.configured(version=self.version, decks=self.decks, readings=self.readings, pay=self.pay)


class Guest:
    """A player who does what the scenario says."""

    def __init__(self, seating: Seating) -> None:
        self._windows, self._decisions = iter(seating.bets), iter(seating.decides)
        self._usually = seating.usually

    @property
    def rest(self) -> list[object]:
        """What was not asked for."""
        return [*self._windows, *self._decisions]

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp | Collect]:
        for words in map(str.split, next(self._windows, ())):
            match words:
                case ["take", "up", spot]:
                    yield TakeUp(seat, spot)
                case ["collect", spot]:
                    yield Collect(seat, spot)
                case [spot, amount]:
                    yield Place(seat, spot, Fraction(amount))

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        option = next(self._decisions, self._usually)
        if option in (o.name for o in choose.options):
            return Decide(seat, option)
        option, amount = option.split()
        return Decide(seat, option, Fraction(amount))


class Script(Scripted):
    """Cards, rolls and pockets of a scenario; a roll may be no roll."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(parse_cards(scenario.cards), pockets=scenario.pockets.split())
        self._entries = iter(scenario.rolls)

    @property
    def rest(self) -> list[object]:
        """What was not dealt, rolled or spun."""
        return [*self._cards, *self._entries, *self._pockets]

    def answer(self, step: Asked) -> Answer:
        if not isinstance(step, Roll):
            return super().answer(step)
        rolled = next(self._entries)
        reason = rolled.removeprefix("no roll: ")
        return NoRoll(reason) if reason != rolled else tuple(map(int, rolled.split()))


class Playing:
    """A scenario on its way: what has not been used up yet."""

    def __init__(self, scenario: Scenario) -> None:
        self._script = Script(scenario)
        self._guests = {Seat(seat): Guest(seating) for seat, seating in scenario.seats.items()}
        self._decisions = {Role.DEALER: iter(scenario.dealer), Role.SUPERVISOR: iter(scenario.supervisor)}
        self._reports = list(scenario.reports)
        self._number = 0

    @property
    def rest(self) -> list[object]:
        decisions = [decision for some in self._decisions.values() for decision in some]
        guests = [left for guest in self._guests.values() for left in guest.rest]
        return [*self._script.rest, *guests, *decisions, *self._reports]

    def round(self, start: Round) -> Iterator[Happening]:
        """Every happening of the next round, which starts like this."""
        self._number, self.last = self._number + 1, start
        count = 0
        while not self.last.over:
            for happening in self._next(count):
                count, self.last = count + 1, happening[2]
                yield happening

    def _next(self, count: int) -> Iterator[Happening]:
        """What the supervisor or the dealer decides, an incident, or whatever happens until one of these."""
        round, step = self.last, self.last.next
        if self._is_reported(count):
            report = self._reports.pop(0)
            stopped = round.report(report.incident)
            yield None, report.incident, stopped
            assert isinstance(stopped.next, Choose) and isinstance(stopped.next.who, Role)
            decision = Decide(stopped.next.who, report.decision)
            yield stopped.next, decision, stopped.after(decision)
        elif isinstance(step, Choose) and isinstance(step.who, Role):
            decision = Decide(step.who, next(self._decisions[step.who], step.options[0].name))
            yield step, decision, round.after(decision)
        else:
            for happening in walk(round, self._script, self._guests):
                yield happening
                count += 1
                following = happening[2].next
                if self._is_reported(count) or (isinstance(following, Choose) and isinstance(following.who, Role)):
                    break

    def _is_reported(self, count: int) -> bool:
        """Whether an incident is reported now, after so many steps of this round."""
        return bool(self._reports) and (self._reports[0].round, self._reports[0].after) == (self._number, count)


def told(name: str, scenario: Scenario) -> str:
    """The scenario played and told, all of which is used up in the end."""
    game, playing = scenario.game(name), Playing(scenario)
    start = game.start(scenario.seats)
    meter = None if scenario.meter is None else Fraction(scenario.meter)
    texts = [scenario.about, transcript(start, playing.round(start), meter)]
    for number in range(2, scenario.rounds + 1):
        start = game.start(scenario.seats, carry=playing.last.carry)
        texts.append(f"Round {number}\n{transcript(start, playing.round(start), meter, headed=False)}")
    rest = playing.rest
    assert not rest, f"The round is over, and the scenario says more: {rest}."
    return "\n\n".join(text.rstrip("\n") for text in texts) + "\n"


def played(start: Round, scenario: Scenario) -> Iterator[Happening]:
    """Every happening of the scenario's first round."""
    return Playing(scenario).round(start)


def scenarios() -> Iterator[tuple[str, str, Scenario]]:
    """Game, name and scenario of every playthrough."""
    for path in sorted(GOLDEN.glob("*/scenarios.toml")):
        for name, data in tomllib.loads(path.read_text("utf-8")).items():
            yield path.parent.name, name, Scenario.model_validate(data)


def difference(path: Path, text: str) -> str:
    """What is new against the recorded text, as a diff; empty if it is the same."""
    recorded = path.read_text("utf-8") if path.exists() else ""
    lines = difflib.unified_diff(recorded.splitlines(), text.splitlines(), "recorded", "played", lineterm="")
    return "\n".join(lines)


def strays(known: set[Path]) -> list[Path]:
    """Recorded texts that belong to no scenario."""
    return sorted(set(GOLDEN.glob("*/*.txt")) - known)


def main() -> int:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Record the golden playthroughs anew.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything differs")
    check = parser.parse_args().check
    texts = {GOLDEN / game / f"{name}.txt": told(game, scenario) for game, name, scenario in scenarios()}
    changed = 0
    for path, text in texts.items():
        if shown := difference(path, text):
            changed += 1
            print(f"{path.relative_to(HERE.parent)}\n{shown if check else 'recorded anew'}\n")
        if not check:
            path.write_text(text, "utf-8")
    for path in strays(set(texts)):
        changed += 1
        print(f"{path.relative_to(HERE.parent)} belongs to no scenario{'' if check else ': removed'}.")
        if not check:
            path.unlink()
    print(f"{len(texts)} playthroughs, {changed} changed.")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
