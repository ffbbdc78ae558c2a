"""Whether a table can be opened with its settings, or go on with others: everything that stands against it, each time
with what would be allowed (F-03)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import msgspec
from msgspec import UNSET

from feltworks.floor.statutory_limits import day_of, dollars, limit_on, most_by_law
from feltworks.floor.table.payout_limits import HIGH_ODDS, highest_odds, least_limit
from feltworks.floor.table.settings import DOES, Duty, TableSettings
from feltworks.kit.errors import BadValue, FeltworksError, UnknownName
from feltworks.kit.game import Game
from feltworks.kit.standing import MAKERS_OWN, NO_APPROVAL, pieces_used

LONGEST_NAME, LONGEST_REFERENCE, LONGEST_RULE, MOST_RULES = 80, 200, 400, 30
VENUES = {"training": "training table", "card room": "card room", "tribal casino": "tribal casino"}
ID = r"[a-z0-9][a-z0-9-]{0,31}"
DAY = r"\d{4}-\d{2}-\d{2}"


@dataclass(frozen=True)
class Problem:
    """What stands against a setting, which is named as it is written: `seats`, `limits.ante`."""

    setting: str
    error: FeltworksError

    @property
    def said(self) -> str:
        return str(self.error)


def check_settings(settings: TableSettings, now: int) -> Game:
    """Refuse settings that no table can be opened with at this time; otherwise the game that is played."""
    game, problems = examined(settings, now)
    if problems:
        raise problems[0].error
    assert game is not None
    return game


def examined(settings: TableSettings, now: int, given: Game | None = None) -> tuple[Game | None, list[Problem]]:
    """The game of a table as far as it can be configured, and all that stands against its settings."""
    found = [*_identity(settings)]
    try:
        game: Game | None = settings.load_game(given)
    except FeltworksError as error:
        game, wrong = settings.load_parts(given)
        found += [Problem(*part) for part in wrong or [("game", error)]]
    if game is not None:
        for part in (
            *(_venue, _conditions, _duties, _equipment, _cards, _numbers, _jackpot, _limits, _wagers_by_law),
            *(_payouts, _house_rules),
        ):
            found += part(settings, game, day_of(now))
    return game, found


def _identity(settings: TableSettings) -> Iterator[Problem]:
    if not re.fullmatch(ID, settings.id):
        yield _bad("id", f"{settings.id!r} cannot be a table's id; take up to 32 of a-z, 0-9 and the hyphen.")
    if not settings.name.strip() or len(settings.name) > LONGEST_NAME:
        yield _bad("name", f"A table needs a name of at most {LONGEST_NAME} characters.")


# Where it stands (F-02, F-29).


def _venue(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    """F-02: a venue of the wrong kind is refused, and one of another kind than training without an approval."""
    if settings.venue == "training":
        return
    if game.approval is None:
        yield _bad("venue", f"{game.title}, {game.version.title}, {NO_APPROVAL}; open a training table.")
    elif settings.venue not in game.approval.venues:
        allowed = ", ".join(game.approval.venues)
        yield _bad("venue", f"{game.title} is not approved for a {settings.venue}; approved venues: {allowed}.")


def conditions_of(settings: TableSettings, game: Game) -> tuple[str, ...]:
    """The conditions that the approval has for the table's venue; a training table has none (F-29)."""
    if game.approval is None or settings.venue == "training":
        return ()
    return game.approval.conditions.get(settings.venue, ())


def _conditions(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    """F-29: each condition is recorded once, with a day that is not still to come and a reference."""
    wanted, recorded = conditions_of(settings, game), settings.conditions or ()
    for condition in wanted:
        found = [one for one in recorded if one.condition == condition]
        if len(found) != 1:
            once = "once, not twice, " if found else ""
            yield _bad("conditions", f"Say {once}when this was fulfilled, and which document says so: {condition}")
    for one in recorded:
        if one.condition not in wanted:
            yield _bad(
                "conditions",
                f"{_short(one.condition)} is no condition of this game for a {VENUES[settings.venue]}; leave it out.",
            )
        if (on := _day(one.date)) is None:
            yield _bad(
                "conditions", f"{_short(one.date)} is no date; write one such as 2021-05-25 for: {one.condition}"
            )
        elif on > day:
            yield _bad("conditions", f"{one.date} is still to come; record when this was fulfilled: {one.condition}")
        if not one.reference.strip() or len(one.reference) > LONGEST_REFERENCE:
            yield _bad(
                "conditions",
                f"Name the document, in at most {LONGEST_REFERENCE} characters, that says: {one.condition}",
            )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if re.fullmatch(DAY, text) else None
    except ValueError:
        return None


def _duties(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    """F-03, F-20: physical cards, dice and lights are handled by a person, for nothing tells the program of them."""
    by_hand: tuple[Duty, ...] = ("dealing", "reading", "rolling", "sensing")
    for duty in by_hand if settings.is_physical else ():
        if settings.duty(duty) == "program":
            yield _bad(
                f"duties.{duty}",
                f"Cards and dice are physical at this table, so that a person {DOES[duty]}; only the betting, to take"
                " and pay, and the calls may be the program's.",
            )


def _equipment(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    """F-01, D-22: what is recorded is a piece that the table uses, and true. Where the program deals, it reads, senses
    and rolls itself; where people deal, each piece is the maker's own or has a stand-in, which is named."""
    pieces = pieces_used(game)
    for name, used in settings.equipment.items():
        if name not in pieces:
            yield Problem(f"equipment.{name}", UnknownName("piece of equipment", name, pieces))
        elif settings.is_physical and (not used.strip() or len(used) > LONGEST_REFERENCE):
            yield _bad(
                f"equipment.{name}", f"Say what is used as the {name}, in at most {LONGEST_REFERENCE} characters."
            )
        elif not settings.is_physical:
            yield _bad(
                f"equipment.{name}",
                f"At a table that the program deals, it does the work of the {name} itself; record nothing for the"
                f" {name}.",
            )
    for name in pieces if settings.is_physical else ():
        if name not in settings.equipment:
            yield _bad(
                f"equipment.{name}",
                f"People deal at this table: record {MAKERS_OWN!r} for the {name} ({pieces[name].equipment}), or name"
                " what stands in for it.",
            )


# What is dealt, and how.


def _cards(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    if game.definition.pack and game.wheels and not settings.is_physical:
        yield _bad(
            "dealing",
            f"{game.title} has cards and a wheel, and the program fixes one of them before a round, not both; choose"
            " people who deal, with cards and a wheel of their own.",
        )
    if settings.shuffling == "shoe" and game.definition.pack and game.definition.pack.fresh_each_round:
        yield _bad(
            "shuffling",
            f"{game.title} has a fresh deck for every round: its printed and exact edges do not hold for a second round"
            " from the same one (D-01); choose a continuous shuffler instead of a shoe.",
        )
    if settings.shuffling == "shoe" and settings.readings.get("traded_card") == "back":
        yield _bad(
            "readings.traded_card",
            "A traded card goes back only into a continuous shuffler; choose that, or traded_card=out.",
        )
    if not 1 <= settings.seats <= game.definition.seats:
        yield _bad("seats", f"{game.title} has 1 to {game.definition.seats} seats, not {settings.seats}.")
        return
    burnt = settings.burn if settings.shuffling == "shoe" and not game.round_class.shuffles_within else 0
    try:
        game.check_cards(settings.seats, burnt)
    except BadValue as error:
        yield Problem("seats", error)


def _numbers(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    if not 10 <= settings.penetration <= 100:
        yield _bad("penetration", f"A penetration of {settings.penetration} % cannot be; choose 10 to 100.")
    if not 0 <= settings.burn <= 10:
        yield _bad("burn", f"{settings.burn} burn cards cannot be; choose 0 to 10.")
    if not 1 <= settings.idle <= 1_000:
        yield _bad("idle", f"{settings.idle} rounds without a wager cannot be; choose 1 to 1,000.")
    if not 1 <= settings.chip <= 1_000_000:
        yield _bad("chip", f"A chip of {settings.chip} cents cannot be; choose 1 to 1,000,000.")
    for kind, waits in (("clocks", settings.clocks), ("pace", settings.pace)):
        for name, wait in msgspec.structs.asdict(waits).items():
            if wait is not UNSET and not 0 <= wait <= 3_600_000:
                said = f"{name.replace('_', ' ')}: {wait} milliseconds cannot be; choose 0 to an hour."
                yield _bad(f"{kind}.{name}", said)


# What may be wagered.


def _jackpot(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    """D-13, D-19: a fixed wager has one amount, and a table whose pays are shares of a jackpot has one."""
    shares, progressive = game.jackpots, settings.jackpot or ""
    if shares and settings.prize is None and not progressive:
        yield _bad(
            "prize",
            f"{game.spot_title(shares[0])} pays shares of a jackpot; give the prize of a house jackpot, or name the"
            " progressive jackpot for which the table plays.",
        )
    if progressive and settings.prize is not None:
        yield _bad("jackpot", "A jackpot is a progressive or a house jackpot, never both (D-19); leave the prize out.")
    if settings.jackpot is not UNSET and not (shares and re.fullmatch(ID, progressive)):
        yield _bad("jackpot", "Name an open progressive jackpot, at a table with a jackpot wager.")
    if settings.prize is not None and not (shares and 100 <= settings.prize <= 10_000_000_000):
        yield _bad("prize", "A prize is from $1 to $100,000,000, at a table with a jackpot wager.")
    for wager in game.wagers.values():
        for spot in wager.opens if wager.fixed else ():
            limits, (least, most) = settings.limits.get(spot), wager.fixed or (0, 0)
            if limits and (limits.least != limits.most or not 100 * least <= limits.least <= 100 * most):
                said = f"{wager.title} is one fixed amount from ${least} to ${most}; give it as both limits."
                yield _bad(f"limits.{spot}", said)


def _limits(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    openings = {spot for wager in game.wagers.values() for spot in wager.opens}
    for spot in sorted(openings - settings.limits.keys()):
        yield _bad(f"limits.{spot}", f"The table has no limits for {spot}; give the least and the most.")
    for spot, limits in settings.limits.items():
        try:
            game.wager_of(spot)
        except UnknownName as error:
            yield Problem(f"limits.{spot}", error)
            continue
        if not 0 < limits.least <= limits.most <= 100_000_000:
            yield _bad(
                f"limits.{spot}", f"The limits of {spot} cannot be: the least is above 0 and not above the most."
            )
        elif settings.chip > 0 and (limits.least % settings.chip or limits.most % settings.chip):
            yield _bad(f"limits.{spot}", f"The limits of {spot} are not whole chips of {settings.chip} cents.")


def _wagers_by_law(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    """F-06: no spot can hold more than a single wager may be by law, also one that is a multiple of another."""
    if settings.venue == "training":
        return
    if limit_on(settings.venue, day) is None:
        yield _bad("venue", f"No wager limit by law is known for a {settings.venue} on {day}; open a training table.")
        return
    for spot in (spot for wager in game.wagers.values() for spot in wager.spots if spot in settings.limits):
        allowed = most_by_law(game, spot, settings.venue, max(1, settings.chip), day)
        most = settings.limits[spot].most
        if allowed is not None and most > allowed.most:
            title, amounts = game.spot_title(spot), f"{dollars(allowed.most)}, not {dollars(most)}"
            yield _bad(f"limits.{spot}", f"{title} may be at most {amounts}: {allowed.reason}.")


def _payouts(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    """F-09: a payout limit needs odds of 50 to 1 or more, and is not below the maximum wager times 50."""
    offered = [name for name in game.pay if game.offers(name)]
    for name, limit in (settings.payout_limits or {}).items():
        setting = f"payout_limits.{name}"
        if name not in offered:
            yield Problem(setting, UnknownName("pay table for", name, offered))
            continue
        least, odds, title = least_limit(settings, game, name), highest_odds(game, name), game.title_of(name)
        if odds is None:
            yield _bad(setting, f"{title} does not pay by odds alone, so that it has no payout limit; leave it out.")
        elif odds < HIGH_ODDS:
            yield _bad(
                setting,
                f"A payout limit needs odds of {HIGH_ODDS} to 1 or more; the highest of {title} are {odds} to 1, so"
                " leave it out.",
            )
        elif least is not None and not least <= limit <= 100_000_000_000:
            yield _bad(
                setting,
                f"The payout limit of {title} is at least {dollars(least)}, which is {HIGH_ODDS} times the most that it"
                f" takes; {dollars(limit)} cannot be.",
            )
        elif settings.rounding != "cent" and limit % max(1, settings.chip):
            yield _bad(setting, f"The payout limit of {title} is not whole chips of {settings.chip} cents.")


def _house_rules(settings: TableSettings, game: Game, day: date) -> Iterator[Problem]:
    rules = settings.house_rules or ()
    if len(rules) > MOST_RULES:
        yield _bad("house_rules", f"{len(rules)} house rules are too many to be read; post at most {MOST_RULES}.")
    if any(not rule.text.strip() or len(rule.text) > LONGEST_RULE for rule in rules):
        yield _bad("house_rules", f"A house rule is a text of at most {LONGEST_RULE} characters.")


def _bad(setting: str, said: str) -> Problem:
    return Problem(setting, BadValue(said))


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
