"""What may be asked of the laboratory while a house is served, and what it answers.

The process that deals computes nothing: it asks another one (`web.lab`, `lab.process`), and both know these shapes. A
question says how a game is set and what a seat knows; nothing secret is ever in one.
"""

from fractions import Fraction

import msgspec


class GameSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game and how it is set; what is left out is as the game's definition has it first."""

    game: str
    version: str | None = None
    decks: int | None = None
    readings: dict[str, str] = {}
    pay: dict[str, str] = {}
    """By wager or spot: the name of a listed pay table, or the odds of its lines from the top, such as `30,12,3/2`."""
    without: list[str] = []
    """Bonus wagers that are not offered."""


class JackpotSettings(GameSettings, frozen=True, kw_only=True):
    """A game whose jackpot is asked about, with the fixed wager in cents."""

    wager: int


# Questions.


class Edges(GameSettings, tag="edges", tag_field="kind", frozen=True, kw_only=True):
    """What the house keeps of each wager; or of one."""

    wager: str | None = None


class Worth(GameSettings, tag="worth", tag_field="kind", frozen=True, kw_only=True):
    """What each option is worth with these cards; what else is known is `given` by the names of `felt advise`."""

    cards: str
    given: dict[str, str] = {}
    stakes: dict[str, str] = {}


class SameJackpot(msgspec.Struct, tag="same jackpot", tag_field="kind", frozen=True, forbid_unknown_fields=True):
    """Whether two tables may share a progressive jackpot (D-19)."""

    one: JackpotSettings
    other: JackpotSettings


class JackpotReturned(JackpotSettings, tag="jackpot return", tag_field="kind", frozen=True, kw_only=True):
    """What the wager on a jackpot gives back, beside so many others who have made it (D-20)."""

    others: int = 0


Question = Edges | Worth | SameJackpot | JackpotReturned


# Answers.


class Answered(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A part of what is answered."""


class WagerEdge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house keeps of a wager on average: the exact share and in percent, and the same with the game as it is
    listed: first pay tables, usual decks, the version's own readings."""

    wager: str
    title: str
    exact: str | None
    percent: str | None
    listed_exact: str | None
    listed_percent: str | None
    apart: bool = False
    """Whether it takes longer, so that it is told only to whoever asks for this wager."""
    note: str = ""


class EdgesTold(Answered, tag="edges", frozen=True):
    """How the game stands to its approval with these settings, and what the house keeps of its wagers."""

    definition: str
    """The fingerprint of the game with these settings."""
    standing: str
    differences: list[str]
    ask_first: list[str]
    wagers: list[WagerEdge]


class OptionWorth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The expected net result of an option in units of the first wager, and what it costs against the best one."""

    option: str
    exact: str
    value: float
    costs: str
    beside: bool = False
    """Whether it is a question of its own, such as insurance."""


class WorthTold(Answered, tag="worth", frozen=True):
    situation: str
    best: str
    options: list[OptionWorth]


class JackpotLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of one of two jackpots or of both: what it pays, and how likely it is."""

    line: str
    pays: list[str | None]
    chances: list[str | None]


class JackpotsCompared(Answered, tag="jackpots", frozen=True):
    """Two jackpots are the same if nothing is different."""

    same: bool
    differences: list[str]
    lines: list[JackpotLine]


class ReturnPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From a meter of so many cents on, up to the next piece, the return is a straight line: what comes back on average
    there as a share of the wager, and what each cent more on the meter adds."""

    meter: str
    returned: str
    per_cent: str


class JackpotChance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a jackpot: what it pays, how likely it is for one seat, and how many rounds there are for one pay at a
    table with all the seats that are asked about."""

    line: str
    pays: str
    chance: str
    rounds: str | None


class JackpotReturnTold(Answered, tag="jackpot return", frozen=True):
    """What a wager on a jackpot gives back at any meter: exact fractions."""

    pieces: list[ReturnPiece]
    break_even: str | None
    """The lowest meter, in cents, at which the whole wager comes back on average."""
    lines: list[JackpotChance]
    award_rounds: str | None
    """How many rounds there are for one award of any share of the meter, at such a table."""

    def at(self, meter: int) -> Fraction:
        """What comes back on average when the meter shows so many cents, as a share of the wager."""
        piece = [piece for piece in self.pieces if Fraction(piece.meter) <= meter][-1]
        return Fraction(piece.returned) + Fraction(piece.per_cent) * (meter - Fraction(piece.meter))


class Mistake(Answered, tag="mistake", frozen=True):
    """What was asked cannot be answered, for a reason that whoever asked can put right."""

    why: str


class Elsewhere(Answered, tag="elsewhere", frozen=True):
    """It has to be counted: the process that counts is to be asked."""


class Failed(Answered, tag="failed", frozen=True):
    """Something went wrong that whoever asked cannot put right."""


Answer = EdgesTold | WorthTold | JackpotsCompared | JackpotReturnTold | Mistake | Elsewhere | Failed
