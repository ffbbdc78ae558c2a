"""What may be asked of the laboratory while a house is served, and what it answers.

The process that deals computes nothing: it asks another one (`web.lab`, `lab.process`), and both know these shapes. A
question says how a game is set and what a seat knows; nothing secret is ever in one.
"""

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


Question = Edges | Worth | SameJackpot


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


class Mistake(Answered, tag="mistake", frozen=True):
    """What was asked cannot be answered, for a reason that whoever asked can put right."""

    why: str


class Elsewhere(Answered, tag="elsewhere", frozen=True):
    """It has to be counted: the process that counts is to be asked."""


class Failed(Answered, tag="failed", frozen=True):
    """Something went wrong that whoever asked cannot put right."""


Answer = EdgesTold | WorthTold | JackpotsCompared | Mistake | Elsewhere | Failed
