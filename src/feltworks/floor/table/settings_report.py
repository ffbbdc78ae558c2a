"""Everything that a manager is told about settings before a table is opened or changed with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltworks.floor.accounts import Cents
from feltworks.floor.precedence import PRECEDENCE, called_at
from feltworks.floor.statutory_limits import day_of, dollars, held_win_limit, limit_on, most_by_law
from feltworks.floor.table.prizes import HighestPrizes, highest_prizes
from feltworks.floor.table.settings import TableSettings, standing, warnings
from feltworks.floor.table.settings_check import Problem, examined
from feltworks.floor.table.wins import verifies_itself
from feltworks.kit.game import Game
from feltworks.kit.standing import Standing

DISPUTE = (
    "Whoever disagrees with a settlement disputes the round in the table's history, or names the table and the round to"
    " a supervisor; every round can be recalled."
)
TRAINING = "A training table, for play money: no conditions are recorded, and no wager limit of the law applies."


@dataclass(frozen=True)
class SpotLimits:
    """What the table takes on a spot, where that is set, and the most that the law would allow, with the reason."""

    title: str
    least: Cents | None
    most: Cents | None
    most_by_law: Cents | None
    reason: str = ""


@dataclass(frozen=True)
class SettingsReport:
    """All that stands against the settings, how the table would stand to the approval (F-01, F-31), what is shown
    without being refused, the limits of each spot, the highest prizes, and what is posted as a notice."""

    problems: tuple[Problem, ...]
    standing: Standing | None = None
    warnings: tuple[str, ...] = ()
    limits: Mapping[str, SpotLimits] = field(default_factory=dict)
    prizes: HighestPrizes = field(default_factory=HighestPrizes)
    notices: tuple[str, ...] = ()


def settings_report(settings: TableSettings, now: int, given: Game | None = None) -> SettingsReport:
    """Pure, and for any settings: also for those that no table can be opened with. The game may be given, where it is
    loaded already."""
    game, problems = examined(settings, now, given)
    if game is None:
        return SettingsReport(tuple(problems))
    return SettingsReport(
        tuple(problems),
        standing(settings, game),
        tuple(warnings(settings, game)),
        {spot: _limits(settings, game, spot, now) for wager in game.wagers.values() for spot in wager.opens},
        highest_prizes(settings, game),
        tuple(notices(settings, game, now)),
    )


def _limits(settings: TableSettings, game: Game, spot: str, now: int) -> SpotLimits:
    given = settings.limits.get(spot)
    law = most_by_law(game, spot, settings.venue, max(1, settings.chip), day_of(now))
    least, most = (given.least, given.most) if given is not None else (None, None)
    title = game.spot_title(spot)
    return (
        SpotLimits(title, least, most, None, "")
        if law is None
        else SpotLimits(title, least, most, law.most, law.reason)
    )


def notices(settings: TableSettings, game: Game, now: int) -> list[str]:
    """What is posted at a table besides limits, odds and rules (F-04): how it stands to the law, its payout limits,
    which wins are held, what to do in a dispute, and which rule then counts (F-05)."""
    law = limit_on(settings.venue, day_of(now))
    found = [TRAINING] if settings.venue == "training" else [f"{law.words[0].upper()}{law.words[1:]}."] if law else []
    if settings.is_physical:
        found.append("People deal here, with cards, dice and machines of their own, and enter what these show.")
    elif settings.has_dealer:
        found.append("A dealer works here with the cards and dice of the program.")
    for name, limit in (settings.payout_limits or {}).items():
        found.append(
            f"{game.title_of(name)} pays at most {dollars(limit)} in a round to all seats together; above that each win"
            " is paid in proportion."
        )
    if (held := held_win_limit(day_of(now))) is not None:
        here = "; at this training table the program verifies it at once" if verifies_itself(settings) else ""
        found.append(f"{held.words[0].upper()}{held.words[1:]}{here}.")
    order = ", ".join(called_at(game, kind) for kind in PRECEDENCE)
    return [*found, DISPUTE, f"In a dispute, from the first to the last: {order}."]
