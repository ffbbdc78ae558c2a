"""Every printed figure against the exact one: rounded, truncated, off in the last digit, or not reproduced."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, get_args

from feltworks.kit.definition import DECIDED, PrintedFigure, Published
from feltworks.kit.enumerator import Outcome
from feltworks.kit.errors import BadValue, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.html_table import percent, table
from feltworks.kit.paytable import PayTable
from feltworks.lab.analysis import analyzer_for
from feltworks.lab.count_files import COUNTED_NOW
from feltworks.lab.enumerating_analyzer import EnumeratingAnalyzer
from feltworks.lab.stakes import checked_stakes
from feltworks.lab.wager_analysis import WagerAnalysis
from feltworks.lab.walking_analyzer import RulesByStakes

EDGE, ELEMENT_OF_RISK, HIT_FREQUENCY = get_args(PrintedFigure)
ROUNDED, TRUNCATED, LAST_DIGIT, NOT_REPRODUCED = "rounded", "truncated", "last digit", "not reproduced"
TOO_LARGE = "too large"
"""The verdict on a figure of a game that is too large to be solved."""


@dataclass(frozen=True)
class Certificate:
    """A printed figure, the exact one, and how the two stand to each other."""

    game: str
    wager: str
    figure: str
    case: str
    printed: str
    exact: Fraction | None
    """None where the game is too large."""
    verdict: str
    note: str
    source: str
    standing: str
    """How the definition stands to the approval that the figure is printed for."""
    origin: str
    """Where the exact figure comes from: counted now, shipped with a build, or kept from an earlier time."""

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "wager": self.wager,
            "case": self.case,
            "printed": self.printed,
            "exact": None if self.exact is None else str(self.exact),
            "percent": None if self.exact is None else float(self.exact * 100),
            "verdict": self.verdict,
            "note": self.note,
            "standing": self.standing,
            "origin": self.origin,
            "figure": self.figure,
        }


@dataclass(frozen=True)
class Certificates:
    """The certificates of one or more games, in the order of their documents."""

    figures: tuple[Certificate, ...]

    def __iter__(self) -> Iterator[Certificate]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    @property
    def all_reproduced(self) -> bool:
        return all(figure.verdict not in (NOT_REPRODUCED, TOO_LARGE) for figure in self.figures)

    def _repr_html_(self) -> str:
        rows = [
            (
                *(c.game, c.wager, c.case, f"{c.printed} %", "" if c.exact is None else percent(c.exact)),
                *(c.verdict, c.note, c.standing, c.origin),
            )
            for c in self
        ]
        columns = ("game", "wager", "case", "printed", "exact", "verdict", "note", "standing", "origin")
        return table("Printed figures", columns, rows)

    def to_json(self) -> list[dict[str, Any]]:
        return [figure.to_json() for figure in self.figures]


def certify(games: Iterable[Game], *, recount: bool = False) -> Iterator[Certificate]:
    """Check every printed figure of these games, one after the other; to recount is to use nothing from a file."""
    for game in games:
        certifier = _Certifier(game, recount)
        for figure in game.definition.published:
            yield certifier.certificate(figure)


def verdict(printed: str, exact: Fraction) -> str:
    """How a printed percentage stands to the exact figure."""
    digits = len(printed.partition(".")[2])
    if printed == rounded(exact, digits):
        return ROUNDED
    if printed == rounded(exact, digits, ROUND_DOWN):
        return TRUNCATED
    if abs(exact * 100 - Fraction(printed)) <= Fraction(1, 10**digits):
        return LAST_DIGIT
    return NOT_REPRODUCED


def rounded(value: Fraction, digits: int, how: str = ROUND_HALF_UP) -> str:
    """A fraction in percent with so many digits, rounded as a person would, or cut."""
    unit = 10**digits
    scaled = value * 100 * unit
    whole = abs(scaled.numerator) // scaled.denominator
    if how == ROUND_HALF_UP and 2 * (abs(scaled) - whole) >= 1:
        whole += 1
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{Decimal(whole) / unit:.{digits}f}"


class _Certifier:
    """Analyses a game's wagers for all its printed figures, each version, convention and reading once."""

    def __init__(self, game: Game, recount: bool) -> None:
        self.game = game
        self.recount = recount
        self._rules: dict[tuple[Any, ...], RulesByStakes] = {}
        self._analyses: dict[tuple[Any, ...], WagerAnalysis] = {}

    def certificate(self, figure: Published) -> Certificate:
        game = self._configured(figure)
        try:
            exact, origin = (
                self._exact(game, figure, figure.convention),
                self._analysed(game, figure, figure.convention).origin,
            )
        except TooLarge as error:
            return self._certificate(figure, None, TOO_LARGE, str(error), COUNTED_NOW)
        verdict_words = verdict(figure.printed, exact)
        note = self._settled(game, figure) if verdict_words == ROUNDED else self._note(game, figure, verdict_words)
        return self._certificate(figure, exact, verdict_words, note, origin)

    def _certificate(
        self, figure: Published, exact: Fraction | None, verdict_words: str, note: str, origin: str
    ) -> Certificate:
        case = ", ".join(self._case(figure))
        return Certificate(
            *(self.game.name, figure.wager, figure.figure, case, figure.printed, exact, verdict_words, note),
            *(figure.source, self._configured(figure).standing, origin),
        )

    def _configured(self, figure: Published) -> Game:
        return self.game.configured(version=figure.version or None, decks=self.game.definition.decks_of(figure))

    def _case(self, figure: Published) -> Iterator[str]:
        if figure.figure != EDGE:
            yield figure.figure
        if figure.version and self._printed_for_several_versions(figure.wager):
            yield self.game.definition.versions[figure.version].title
        if (decks := self.game.definition.decks_of(figure)) and self._decks_matter(figure):
            yield _decks(decks)
        if figure.spot:
            yield self.game.spot_title(figure.spot)
        if figure.pay:
            yield f"table {figure.pay}"
        if figure.at:
            yield f"{self.game.definition.wagers[figure.wager].by} {figure.at}"
        if figure.convention == DECIDED:
            yield "per wager decided"
        elif figure.convention:
            option = self.game.definition.wagers[figure.wager].conventions[figure.convention]
            yield f"always {option}" if option == figure.convention else f"{figure.convention}: always {option}"

    def _decks_matter(self, figure: Published) -> bool:
        """Whether the figure is of one number of decks among several that the game may have."""
        pack = self.game.definition.pack
        return figure.decks is not None or (pack is not None and len(pack.approved_decks) != 1)

    def _printed_for_several_versions(self, wager: str) -> bool:
        return len({figure.version for figure in self.game.definition.published if figure.wager == wager}) > 1

    def _exact(self, game: Game, figure: Published, convention: str) -> Fraction:
        """The exact figure. Where no decision depends on the pay table, another table is only another sum."""
        analysis = self._analysed(game, figure, convention)
        if figure.at:
            return analysis.by_fact[figure.at]
        if figure.figure == HIT_FREQUENCY:
            return self._hit_frequency(analysis)
        edge = analysis.edge
        if figure.pay:
            tables = game.definition.tables(figure.spot) or game.definition.tables(figure.wager)
            edge = edge_with(analysis.outcomes, tables[figure.pay])
        return edge / analysis.average_stake if figure.figure == ELEMENT_OF_RISK else edge

    def _hit_frequency(self, analysis: WagerAnalysis) -> Fraction:
        if analysis.hit_frequency is None:
            title = analysis.wager.title
            raise BadValue(f"{title} of {self.game.title} is paid more than once in a round; it has no hit frequency.")
        return analysis.hit_frequency

    def _analysed(self, game: Game, figure: Published, convention: str) -> WagerAnalysis:
        wager = figure.spot or figure.wager
        name = (game.version_name, game.decks, tuple(game.readings.items()), wager, convention)
        if name not in self._analyses:
            rules = self._rules.setdefault((game.version_name, tuple(game.readings.items())), {})
            analyzer = analyzer_for(game, checked_stakes(game, None), rules, recount=self.recount)
            by = analyzer.by_convention(wager, convention) if convention else analyzer.wager(wager)
            self._analyses[name] = by
        return self._analyses[name]

    def _settled(self, game: Game, figure: Published) -> str:
        """Which readings the figure settles: what it would be by their other values."""
        others = [
            f"{what} would give {rounded(edge, 3)} %" for what, edge in self._otherwise(game, figure, figure.settles)
        ]
        return f"Settles {', '.join(figure.settles)}: {'; '.join(others)}." if others else ""

    def _otherwise(self, game: Game, figure: Published, readings: Iterable[str]) -> Iterator[tuple[str, Fraction]]:
        """The figure by every other value of these readings."""
        for name in readings:
            for value in game.definition.readings[name].values:
                if value != game.readings[name]:
                    other = game.configured(readings={name: value})
                    yield f"{name}={value}", self._exact(other, figure, figure.convention)

    def _note(self, game: Game, figure: Published, verdict_words: str) -> str:
        """What else was tried for a figure that does not come out as it is printed."""
        if verdict_words == TRUNCATED:
            return "The printed figure is cut, not rounded."
        tried = [f"{what} {rounded(edge, 3)} %" for what, edge in self._attempts(game, figure)]
        remark = "The printed figure is off by one in its last digit. " if verdict_words == LAST_DIGIT else ""
        return f"{remark}Tried besides: {'; '.join(tried)}." if tried else remark.strip()

    def _attempts(self, game: Game, figure: Published) -> Iterator[tuple[str, Fraction]]:
        """Every other reading, the other conventions, and the other printed numbers of decks."""
        if figure.convention:
            yield "best strategy", self._exact(game, figure, "")
        analysis = self._analysed(game, figure, figure.convention)
        if figure.figure == ELEMENT_OF_RISK and analysis.most_staked:
            yield "taking the last of options that are worth the same", analysis.edge / analysis.most_staked
        analyzer = analyzer_for(game, checked_stakes(game, None), recount=self.recount)
        if isinstance(analyzer, EnumeratingAnalyzer):
            yield from analyzer.tried(figure.wager).items()
        own = self._rules_of(figure.wager)
        concerned = [name for name, reading in game.definition.readings.items() if set(reading.rules) & own]
        yield from self._otherwise(game, figure, concerned)
        pack = game.definition.pack
        for decks in pack.approved_decks if pack else ():
            if decks != game.decks:
                yield _decks(decks), self._exact(game.configured(decks=decks), figure, figure.convention)

    def _rules_of(self, wager: str) -> set[str]:
        """The statements that a wager's own rule names."""
        bonus = self.game.bonuses.get(wager)
        docstring = (bonus.rule.__doc__ or "") if bonus else ""
        return {word.strip(":,.") for word in docstring.split()}


def _decks(number: int) -> str:
    return "1 deck" if number == 1 else f"{number} decks"


def edge_with(outcomes: Iterable[Outcome], table: PayTable) -> Fraction:
    """The edge of a wager under another pay table: a dot product of its outcomes."""
    nets = {line.name: line.pay.net for line in table if hasattr(line.pay, "net")}
    return -sum((o.probability * nets.get(o.line, o.net) for o in outcomes), Fraction(0))
