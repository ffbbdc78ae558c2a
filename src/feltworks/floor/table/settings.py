"""A table's settings (F-03): what is played there, within which limits, at which pace."""

import re
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.games import load
from feltworks.kit.errors import BadValue, UnknownName
from feltworks.kit.game import Game
from feltworks.kit.standing import NO_APPROVAL, Standing, at_table, pieces_used

MOST_ROBOTS = 3
"""No more robots sit at a table."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most that may lie on a spot."""

    least: Cents
    most: Cents


class Clocks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a seat has, in milliseconds (F-30): to bet, to decide, to decide when the connection was lost, and
    until it is free again when nobody came back and nothing of it is in the round.

    `absent` is how long those who are there wait for somebody whose connection was lost. At a table with it nobody is
    held up or hurried for nothing: whoever is alone has no clock, and betting waits only for seats with a wager. A
    table that was opened without it goes on as it was opened."""

    betting: int = 20_000
    decision: int = 25_000
    away: int = 60_000
    seat: int = 300_000
    absent: int | UnsetType = UNSET


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long the automatic dealer pauses after each thing, in milliseconds."""

    card: int = 350
    settlement: int = 600
    between_rounds: int = 2_500
    roll: int = 1_200


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that must be known to play at a table, and to replay it."""

    id: str
    name: str
    game: str
    limits: dict[str, Limits]
    version: str | None = None
    decks: int | None = None
    readings: dict[str, str] = {}
    pay: dict[str, str] = {}
    without: tuple[str, ...] = ()
    """Bonus wagers that the house does not offer."""
    venue: Literal["training", "card room", "tribal casino"] = "training"
    equipment: dict[str, str] = {}
    """For pieces of equipment that the approval names, "the maker's own" or what stands in for it (F-01, D-22); where
    nothing is said, this program does the work."""
    shuffling: Literal["shoe", "shuffler"] = "shuffler"
    penetration: int = 75
    burn: int = 1
    chip: Cents = 1
    rounding: Literal["cent", "chip up", "chip down"] = "cent"
    prize: Cents | None = None
    """What a house jackpot pays at 100 % (D-19)."""
    seats: int = 5
    clocks: Clocks = Clocks()
    pace: Pace = Pace()
    idle: int = 5
    """After so many rounds without a wager a seat is free again (F-30)."""

    def load_game(self) -> Game:
        """The game as this table plays it. Its fingerprint is taken here and now, of the files that are loaded."""
        given = load(self.game)
        game = given.configured(
            version=self.version, decks=self.decks, readings=self.readings, pay=self.pay, without=self.without
        )
        assert game.fingerprint
        return game


def check_settings(settings: TableSettings) -> Game:
    """Refuse settings that no table can be opened with; otherwise the game that is played."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", settings.id):
        raise BadValue(f"{settings.id!r} cannot be a table's id; take up to 32 of a-z, 0-9 and the hyphen.")
    game = settings.load_game()
    _check_venue(settings, game)
    _check_equipment(settings, game)
    if settings.shuffling == "shoe" and game.definition.pack and game.definition.pack.fresh_each_round:
        raise BadValue(
            f"{game.title} has a fresh deck for every round: its printed and exact edges do not hold for a second round"
            " from the same one (D-01); choose a continuous shuffler instead of a shoe."
        )
    if settings.shuffling == "shoe" and settings.readings.get("traded_card") == "back":
        raise BadValue("A traded card goes back only into a continuous shuffler; choose that, or traded_card=out.")
    if not 1 <= settings.seats <= game.definition.seats:
        raise BadValue(f"{game.title} has 1 to {game.definition.seats} seats, not {settings.seats}.")
    if not 10 <= settings.penetration <= 100:
        raise BadValue(f"A penetration of {settings.penetration} % cannot be; choose 10 to 100.")
    if not 0 <= settings.burn <= 10:
        raise BadValue(f"{settings.burn} burn cards cannot be; choose 0 to 10.")
    is_burnt = settings.shuffling == "shoe" and not game.round_class.shuffles_within
    game.check_cards(settings.seats, settings.burn if is_burnt else 0)
    if not 1 <= settings.idle <= 1_000:
        raise BadValue(f"{settings.idle} rounds without a wager cannot be; choose 1 to 1,000.")
    if not 1 <= settings.chip <= 1_000_000:
        raise BadValue(f"A chip of {settings.chip} cents cannot be; choose 1 to 1,000,000.")
    for what in (settings.clocks, settings.pace):
        for name, wait in msgspec.structs.asdict(what).items():
            if wait is not UNSET and not 0 <= wait <= 3_600_000:
                raise BadValue(f"{name.replace('_', ' ')}: {wait} milliseconds cannot be; choose 0 to an hour.")
    openings = {spot for wager in game.wagers.values() for spot in wager.opens}
    for spot in sorted(openings - settings.limits.keys()):
        raise BadValue(f"The table has no limits for {spot}; give the least and the most.")
    _check_jackpot(settings, game)
    for spot, limits in settings.limits.items():
        game.wager_of(spot)
        if not 0 < limits.least <= limits.most <= 100_000_000:
            raise BadValue(f"The limits of {spot} cannot be: the least is above 0 and not above the most.")
        if limits.least % settings.chip or limits.most % settings.chip:
            raise BadValue(f"The limits of {spot} are not whole chips of {settings.chip} cents.")
    return game


def _check_venue(settings: TableSettings, game: Game) -> None:
    """F-02: a venue of the wrong kind is refused, and one of another kind than training without an approval."""
    if settings.venue == "training":
        return
    if game.approval is None:
        raise BadValue(f"{game.title}, {game.version.title}, {NO_APPROVAL}; open a training table.")
    if settings.venue not in game.approval.venues:
        allowed = ", ".join(game.approval.venues)
        raise BadValue(f"{game.title} is not approved for a {settings.venue}; approved venues: {allowed}.")
    raise BadValue(
        f"A {settings.venue} needs its recorded conditions and its wager limits by law, which are not kept yet;"
        " open a training table."
    )


def _check_equipment(settings: TableSettings, game: Game) -> None:
    """D-22: what is recorded is a piece that the table uses, and true. At every table that can be opened so far the
    program deals, reads, senses and rolls itself."""
    pieces = pieces_used(game)
    for name in settings.equipment:
        if name not in pieces:
            raise UnknownName("piece of equipment", name, pieces)
        raise BadValue(
            f"At a table that the program deals, it does the work of the {name} itself; record nothing for the {name}."
        )


def _check_jackpot(settings: TableSettings, game: Game) -> None:
    """D-13, D-19: a fixed wager has one amount, and a table whose pays are shares of a jackpot has one."""
    shares = game.jackpots
    if shares and settings.prize is None:
        raise BadValue(
            f"{game.spot_title(shares[0])} pays shares of a jackpot; a progressive meter is not kept yet, so give the"
            " prize of a house jackpot."
        )
    if settings.prize is not None and not (shares and 100 <= settings.prize <= 10_000_000_000):
        raise BadValue("A prize is from $1 to $100,000,000, at a table with a jackpot wager.")
    for wager in game.wagers.values():
        for spot in wager.opens if wager.fixed else ():
            limits, (least, most) = settings.limits[spot], wager.fixed or (0, 0)
            if limits.least != limits.most or not 100 * least <= limits.least <= 100 * most:
                raise BadValue(f"{wager.title} is one fixed amount from ${least} to ${most}; give it as both limits.")


def standing(settings: TableSettings, game: Game) -> Standing:
    """How a table stands to the approval of its game (F-01, F-02, D-22)."""
    return at_table(game, settings.venue, settings.equipment)


def warnings(settings: TableSettings, game: Game) -> list[str]:
    """What a table shows about its settings without refusing them: what stands behind its standing (F-01, F-31), and
    a cut card that is deeper than is recommended (O-01)."""
    found = list(standing(settings, game).details)
    pack = game.definition.pack
    deepest = pack.deepest_penetration if pack else None
    if settings.shuffling == "shoe" and deepest is not None and settings.penetration > deepest * 100:
        found.append(f"{settings.penetration} % penetration; at most {deepest * 100:g} % is recommended")
    return found
