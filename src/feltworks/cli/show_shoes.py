"""`felt simulate` with a cut card: what seats win that play whole shoes by one strategy."""

from fractions import Fraction

from rich.text import Text

from feltworks.cli.output import console, decimal, headline, percent, table
from feltworks.cli.show_counting import share
from feltworks.kit.enumerator import LEAST_PENETRATION, MOST_PENETRATION, Dealing
from feltworks.kit.errors import BadValue
from feltworks.lab.shoe_simulation import ShoePlay
from feltworks.terminal.words import counted

BASIC = "basic"
"""The strategy that whole shoes alone are played by."""


def dealing(seats: int, penetration: str | None, per_shoe: int | None, strategy: str | None) -> Dealing | None:
    """How whole shoes are dealt, if anything is asked for that only they have."""
    if penetration is None and per_shoe is None and strategy != BASIC:
        return None
    if penetration is not None and per_shoe is not None:
        raise BadValue("A shoe has a cut card or a number of rounds; give one of --penetration and --rounds-per-shoe.")
    if penetration is None:
        return Dealing(seats, rounds_per_shoe=per_shoe, strategy=strategy or "best")
    percent = 100 * (share(penetration) or Fraction(0))
    least, most = LEAST_PENETRATION / 100, MOST_PENETRATION // 100
    if not LEAST_PENETRATION <= percent <= MOST_PENETRATION:
        raise BadValue(
            f"--penetration is a share of the shoe from {least:.2f} to {most}, such as 0.75; {penetration} is not."
        )
    if percent.denominator != 1:
        raise BadValue(f"--penetration is a share of the shoe in whole percent, such as 0.75; {penetration!r} is not.")
    return Dealing(seats, int(percent), strategy=strategy or "best")


def show(play: ShoePlay) -> None:
    screen, played, dealt = console(), play.played, play.played.dealing
    low, high = play.interval
    per_shoe = dealt.rounds_per_shoe
    until = f"{counted(per_shoe, 'round')} a shoe" if per_shoe else f"cut card at {dealt.penetration} %"
    what = [counted(played.rounds, "round"), counted(played.shoes, "shoe"), counted(dealt.seats, "seat")]
    screen.print(headline(play.game))
    screen.print(f"{' in '.join(what[:2])} with {what[2]}, {until}, {dealt.strategy} strategy, seed {play.seed}")
    figures = [
        ("edge", percent(played.edge), f"{100 * low:.4f} % to {100 * high:.4f} % with 95 % confidence"),
        ("exact edge", percent(played.exact), "of the same strategy from a fresh shoe"),
    ]
    if played.z is not None:
        figures.append(("z", f"{played.z:+.2f}", "standard errors that the seats did better than the exact edge"))
    for figure in played.figures:
        value = percent(figure.value) if figure.percent else decimal(figure.value, 4, sign=False)
        figures.append((figure.name, value, figure.meaning))
    screen.print()
    screen.print(table(("figure", "value", ""), figures, right=("value",), width=screen.width))
    for note in played.notes:
        screen.print(Text(note))
