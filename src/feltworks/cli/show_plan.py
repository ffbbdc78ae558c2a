"""The parts of `felt analyze` that tell a betting plan on dice, and what the readings do to the edges."""

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from feltworks.cli.output import decimal, facts, heading, percent, table
from feltworks.kit.game import Game
from feltworks.lab.betting_plan import Length, Moments, Plan
from feltworks.lab.reading_effects import Effect

ZERO = Fraction(0)
TOLD = 12
"""How many lengths of a game are told one by one; --json tells more."""


def show(screen: Console, plan: Plan) -> None:
    stakes = ", ".join(f"{units} on {name}" for name, units in plan.stakes.items())
    screen.print()
    screen.print(heading("Plan"))
    screen.print(f"{stakes}, whenever it may be made; {plan.pace} rolls an hour.")
    rows = [
        ("roll", *_moments(plan.per_roll)),
        ("game", *_moments(plan.per_game)),
        ("hour", *_moments(plan.per_hour)),
    ]
    columns = ("per", "wins", "exactly", "standard deviation")
    screen.print(table(columns, rows, right=columns[1:], width=screen.width))
    screen.print(f"{decimal(plan.staked, sign=False)} is staked per roll, exactly {plan.staked}.")
    screen.print()
    screen.print(heading("How many rolls"))
    lengths = {"game": plan.game, "shooter's turn": plan.turn}
    heads = ("rolls", *lengths)
    screen.print(table(heads, _lengths(lengths.values()), right=heads, width=screen.width))
    for name, length in lengths.items():
        spread = decimal(length.moments.standard_deviation, sign=False)
        mean = length.moments.mean
        screen.print(
            f"A {name} takes {decimal(mean, sign=False)} rolls on average ({mean}), standard deviation {spread}."
        )


def _moments(moments: Moments) -> tuple[str, str, str]:
    return decimal(moments.mean), str(moments.mean), decimal(moments.standard_deviation, sign=False)


def _lengths(lengths: Collection[Length]) -> Iterator[tuple[str, ...]]:
    for number in range(TOLD):
        yield str(number + 1), *(percent(sum(length.probabilities[number : number + 1], ZERO)) for length in lengths)
    yield "more", *(percent(1 - sum(length.probabilities[:TOLD], ZERO)) for length in lengths)


def show_effects(screen: Console, game: Game, effects: Iterable[Effect]) -> None:
    screen.print()
    screen.print(heading("Readings"))
    for effect in effects:
        meaning = game.definition.readings[effect.reading].values[effect.value]
        screen.print(Text(f"{effect.reading}={effect.value}", style="bold"), Text(f": {meaning}"), sep="")
        if not effect.changes:
            screen.print("  changes no edge")
            continue
        rows = []
        for change in effect.changes:
            note = "the player has the edge: the game cannot mean this" if change.after < 0 <= change.before else ""
            what = f"{change.wager}, {change.at}" if change.at else change.wager
            rows.append((what, percent(change.before), percent(change.after), f"{change.after}", note))
        columns = ("edge of", "as it is", "then", "exactly", "")
        screen.print(Padding(table(columns, rows, right=columns[1:4], width=screen.width - 2), (0, 0, 0, 2)))
        if effect.settled_by:
            screen.print(facts([("  settled by", effect.settled_by)]))
