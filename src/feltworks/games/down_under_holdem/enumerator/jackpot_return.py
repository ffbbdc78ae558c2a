"""What the Jackpot wager gives back: by the meter, by the pay table and by how many others have made it (D-20).

Everything is exact, and in units of the fixed wager: a meter of 1,000 is a thousand wagers. The part of the wager that
comes back on average is a straight line over the meter, with a kink where a line pays the larger of two things.

Seats share the deck and the board, so that what one seat has tells of what another has. But each of them has the same
chances as a seat that sits alone: its cards, the dealer's and the board may be any of the deck. Expected numbers may be
added up even where events depend on each other. Therefore envy, which is a sum over the other seats, and the number of
awards at a table are exact here. The chance that some seat wins is another thing, and is not told.

Not counted: cents that a share of the meter is rounded by, and what an award loses to another in the same round (D-16).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from feltworks.games.down_under_holdem.enumerator.bonuses import Chances
from feltworks.games.down_under_holdem.jackpot import ENVY, pay_of
from feltworks.kit.chart import Mark, Plot
from feltworks.kit.errors import BadDefinition, BadValue
from feltworks.kit.odds import Amount, Larger, MeterShare, Odds, Pay
from feltworks.kit.paytable import PayTable


@dataclass(frozen=True)
class Piece:
    """From a meter on, up to the next piece, the return is a straight line."""

    meter: Fraction
    returned: Fraction
    """At this meter."""
    share: Fraction
    """What a meter higher by one wager adds."""


@dataclass(frozen=True)
class JackpotReturn:
    """One option of the Jackpot wager, for the chances of its lines.

    Where folded hands forfeit, the chances are those of a seat that plays the base game as well as possible and does
    not look at the meter. Envy belongs to the wager, whether its own hand was folded or not.
    """

    chances: Chances
    table: PayTable
    wager: Fraction = Fraction(1)
    """In dollars, which matters only for amounts that do not scale with it."""
    envy_scales: bool = False
    """D-17: whether the amounts of envy are for a wager of $1 and grow with it."""
    community_royal_larger: bool = False
    """D-15: whether a community royal flush pays the share of a royal flush in seven cards where that is more."""

    def __post_init__(self) -> None:
        if self.wager <= 0:
            raise BadValue("The Jackpot wager is more than nothing.")
        lines = [line.name for line in self.table if line.name not in ENVY.values()]
        if sorted(lines) != sorted(self.chances):
            raise BadDefinition(
                f"Pay table {self.table.name!r} has the lines {', '.join(lines)}; "
                f"the chances are of {', '.join(self.chances)}."
            )
        if self._envy_pays != self.envies or not set(self.envies) <= set(self.chances):
            raise BadDefinition(
                f"Pay table {self.table.name!r}: envy pays an amount, such as $1,000, for another's line."
            )

    @cached_property
    def pays(self) -> dict[str, Pay]:
        """What each line pays for the seat's own hand."""
        reading = "larger" if self.community_royal_larger else "printed"
        return {line: pay_of(self.table, line, reading) for line in self.chances}

    # By the meter

    def at(self, meter: Fraction | int, others: int = 0) -> Fraction:
        """The part of the wager that comes back on average, beside so many others who have made it."""
        if meter < 0:
            raise BadValue("A meter is never below nothing.")
        own = (chance * max(part + share * meter for part, share in self._ways(pay)) for pay, chance in self._lines)
        return sum(own, self.envy(others))

    @property
    def fixed_return(self) -> Fraction:
        """The part of the wager that comes back on average on the lines that do not look at the meter."""
        return self.at(0)

    @property
    def meter_share(self) -> Fraction:
        """The part of the meter that is won on average, as long as no line pays a share instead of odds."""
        return self.pieces()[0].share

    def pieces(self, others: int = 0) -> tuple[Piece, ...]:
        """The return as straight lines, from an empty meter up."""
        starts = sorted({Fraction(0), *(self._kink(pay) for pay in self.pays.values() if isinstance(pay, Larger))})
        return tuple(Piece(meter, self.at(meter, others), self._slope(meter)) for meter in starts)

    def break_even_meter(self, others: int = 0) -> Fraction | None:
        """The lowest meter at which the whole wager comes back on average; none if it never does."""
        pieces = self.pieces(others)
        if pieces[0].returned >= 1:
            return Fraction(0)
        for number, piece in enumerate(pieces):
            if piece.share:
                meter = piece.meter + (1 - piece.returned) / piece.share
                if number + 1 == len(pieces) or meter <= pieces[number + 1].meter:
                    return meter
        return None

    @property
    def _lines(self) -> Iterator[tuple[Pay, Fraction]]:
        return ((self.pays[line], chance) for line, chance in self.chances.items())

    def _ways(self, pay: Pay) -> list[tuple[Fraction, Fraction]]:
        """What a line may pay, the largest of it counts: a part in wagers and a share of the meter."""
        match pay:
            case Odds():
                return [(pay.returned, Fraction(0))]
            case Amount():
                return [(Fraction(pay.cents, 100) / self.wager, Fraction(0))]
            case MeterShare():
                return [(Fraction(0), pay.percent / 100)]
            case Larger():
                return [*self._ways(pay.odds), *self._ways(pay.share)]

    def _kink(self, pay: Larger) -> Fraction:
        """The meter at which odds and share are the same."""
        return pay.odds.returned / (pay.share.percent / 100)

    def _slope(self, meter: Fraction) -> Fraction:
        """What the return grows by from this meter up."""
        best = (max(self._ways(pay), key=lambda way: (way[0] + way[1] * meter, way[1])) for pay, _ in self._lines)
        return sum(
            (chance * share for (_, share), chance in zip(best, self.chances.values(), strict=True)), Fraction(0)
        )

    # Beside others

    @cached_property
    def envies(self) -> dict[str, Amount]:
        """What is paid for another's hand, by the line of that hand (D-17)."""
        return {hand: pay for hand, pay in self._envy_pays.items() if isinstance(pay, Amount)}

    @cached_property
    def _envy_pays(self) -> dict[str, Pay]:
        return {hand.label: self.table.pay(line) for hand, line in ENVY.items() if line in self.table.names}

    def envy(self, others: int) -> Fraction:
        """What so many others' hands give on average (D-17)."""
        if others < 0:
            raise BadValue("There cannot be fewer than no others at the table.")
        dollars = sum((self.chances[hand] * Fraction(pay.cents, 100) for hand, pay in self.envies.items()), Fraction(0))
        return others * dollars / (1 if self.envy_scales else self.wager)

    # How often

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager is paid on any line for its own hand."""
        return sum(self.chances.values(), Fraction(0))

    @property
    def award_chance(self) -> Fraction:
        """How often the wager wins a share of the meter."""
        shares = (chance for pay, chance in self._lines if isinstance(pay, MeterShare))
        return sum(shares, Fraction(0))

    def rounds_between(self, seats: int = 1) -> dict[str, Fraction | None]:
        """How many rounds there are for one pay on each line, at a table with so many Jackpot wagers.

        Rounds divided by pays: where several seats are paid in one round, as all are for a community royal flush, it
        counts once for each.
        """
        return {line: _rounds(chance, seats) for line, chance in self.chances.items()}

    def rounds_between_awards(self, seats: int = 1) -> Fraction | None:
        """The same for awards of any share of the meter."""
        return _rounds(self.award_chance, seats)


def _rounds(chance: Fraction, seats: int) -> Fraction | None:
    if seats < 1:
        raise BadValue("There is at least one seat with the Jackpot wager.")
    return 1 / (seats * chance) if chance else None


# The picture

LEAST_METER = Fraction(100_000)
"""How far the picture goes where nothing breaks even."""


def plot(returns: Mapping[str, JackpotReturn], others: Sequence[int] = (0, 2, 5)) -> Plot:
    """The return over the meter for some options by their names; those with envy beside so many others."""
    curves: dict[str, tuple[JackpotReturn, int]] = {}
    for name, option in returns.items():
        for number in others if option.envy(1) else (0,):
            curves[_curve_name(name, number, bool(option.envy(1)))] = option, number
    even = {name: option.break_even_meter(number) for name, (option, number) in curves.items()}
    end = _round_up(max((meter for meter in even.values() if meter), default=LEAST_METER) * Fraction(5, 4))
    lines: dict[tuple[tuple[Fraction, Fraction], ...], str] = {}
    for name, (option, number) in curves.items():
        starts = [piece.meter for piece in option.pieces(number) if piece.meter < end]
        points = tuple((meter, 100 * option.at(meter, number)) for meter in (*starts, end))
        lines[points] = f"{lines[points]}; {name}" if points in lines else name
    marks: dict[Fraction, str] = {}
    for name, meter in even.items():
        if meter:
            marks[meter] = f"{marks[meter]}; {name}" if meter in marks else f"{float(meter):,.0f}: {name}"
    return Plot(
        title="What the Jackpot wager gives back",
        subtitle="Down Under Hold'em: the part of the wager that comes back on average, by what the meter shows.",
        x_label="Meter, in wagers",
        y_label="Comes back on average, in % of the wager",
        lines={name: points for points, name in lines.items()},
        marks=tuple(Mark(meter, 100, label) for meter, label in marks.items()),
        level=(100, "the whole wager"),
        notes=_plot_notes(returns.values()),
    )


def _curve_name(name: str, others: int, envy: bool) -> str:
    if not envy:
        return name
    return f"{name}, {'no' if others == 0 else others} other{'' if others == 1 else 's'}"


def _round_up(meter: Fraction) -> Fraction:
    """The next number with two figures and then noughts."""
    unit = Fraction(10) ** (len(str(int(meter))) - 2)
    return -(-meter // unit) * unit


def _plot_notes(returns: Iterable[JackpotReturn]) -> tuple[str, ...]:
    notes = ["Marked is the meter at which the whole wager comes back on average; below it the house wins."]
    for option in returns:
        if option.envy(1):
            paid = " and ".join(f"{pay} for a {hand.lower()}" for hand, pay in option.envies.items())
            wager = Amount(int(100 * option.wager))
            per = "for each dollar of the wager" if option.envy_scales else f"at a wager of {wager}"
            notes.append(f"Others have made the wager too, at the same table. Envy is {paid}, {per}.")
    return tuple(notes)
