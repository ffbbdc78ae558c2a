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
from feltworks.kit.steps import Answer, Bet, Choose, Decide, Incident, NoRoll, Place, Role, Roll, TakeUp
from feltworks.kit.walk import walk
from feltworks.lab.transcript import Happening, transcript

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
COMMAND = "python -m tests.playthroughs"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Seating(_Part):
    """What a seat bets in each window ("ante 10", "take up seven") and decides ("raise", "insure 2")."""

    bets: tuple[tuple[str, ...], ...]
    decides: tuple[str, ...] = ()


class Report(_Part):
    """An incident that is reported after a step, and what the supervisor decides."""

    after: int
    kind: str
    text: str
    decision: str


class Scenario(_Part):
    """One round: how the game is configured, who sits where, and what chance brings."""

    about: str
    version: str | None = None
    decks: int | None = None
    readings: dict[str, str] = {}
    pay: dict[str, str] = {}
    seats: dict[int, Seating]
    cards: str = ""
    rolls: tuple[str, ...] = ()
    report: Report | None = None

    def game(self, name: str) -> Game:
        game = games.load(name, [HERE / "toys"])
        return game.configured(version=self.version, decks=self.decks, readings=self.readings, pay=self.pay)


class Guest:
    """A player who does what the scenario says."""

    def __init__(self, seating: Seating) -> None:
        self._windows, self._decisions = iter(seating.bets), iter(seating.decides)

    @property
    def rest(self) -> list[object]:
        """What was not asked for."""
        return [*self._windows, *self._decisions]

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp]:
        for words in map(str.split, next(self._windows, ())):
            match words:
                case ["take", "up", spot]:
                    yield TakeUp(seat, spot)
                case [spot, amount]:
                    yield Place(seat, spot, Fraction(amount))

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        option, *amount = next(self._decisions).split()
        return Decide(seat, option, Fraction(amount[0]) if amount else None)


class Script(Scripted):
    """Cards and rolls of a scenario; a roll may be no roll."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(parse_cards(scenario.cards))
        self._entries = iter(scenario.rolls)

    @property
    def rest(self) -> list[object]:
        """What was not dealt or rolled."""
        return [*self._cards, *self._entries]

    def answer(self, step: Asked) -> Answer:
        if not isinstance(step, Roll):
            return super().answer(step)
        rolled = next(self._entries)
        reason = rolled.removeprefix("no roll: ")
        return NoRoll(reason) if reason != rolled else tuple(map(int, rolled.split()))


def told(name: str, scenario: Scenario) -> str:
    """The scenario played and told."""
    start = scenario.game(name).start(scenario.seats)
    return f"{scenario.about}\n\n{transcript(start, played(start, scenario))}"


def played(start: Round, scenario: Scenario) -> Iterator[Happening]:
    """Every happening of the scenario, all of which is used up in the end."""
    script = Script(scenario)
    guests = {Seat(seat): Guest(seating) for seat, seating in scenario.seats.items()}
    round = start
    for number, happening in enumerate(walk(start, script, guests), start=1):
        yield happening
        round = happening[2]
        if scenario.report is not None and scenario.report.after == number:
            break
    if scenario.report is not None:
        incident = Incident(scenario.report.kind, scenario.report.text)
        round = round.report(incident)
        yield None, incident, round
        step, decision = round.next, Decide(Role.SUPERVISOR, scenario.report.decision)
        round = round.after(decision)
        yield step, decision, round
        yield from walk(round, script, guests)
    rest = [*script.rest, *(left for guest in guests.values() for left in guest.rest)]
    assert not rest, f"The round is over, and the scenario says more: {rest}."


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
