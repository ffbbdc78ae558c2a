"""A table's settings (F-03): what is played there, within which limits, at which pace."""

from collections.abc import Iterator
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.precedence import RuleKind
from feltworks.games import load
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.standing import Standing, at_table

MOST_ROBOTS = 3
"""No more robots sit at a table."""

Duty = Literal["betting", "dealing", "reading", "rolling", "sensing", "paying", "calling"]
DUTIES: Final[tuple[Duty, ...]] = get_args(Duty)
"""What a dealer does (F-03): opens and closes the betting; deals and turns cards; reads the lights of a reader; rolls
and spins; senses chips on a spot and enters awards; takes and pays; says the words and makes the signals."""
Doer = Literal["program", "person"]
DOES: dict[Duty, str] = {
    "betting": "opens and closes the betting",
    "dealing": "deals and turns the cards",
    "reading": "reads the lights",
    "rolling": "rolls the dice and spins the wheel",
    "sensing": "senses the spots and enters awards",
    "paying": "takes and pays",
    "calling": "says the words and makes the signals",
}


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


class Fulfilled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition of the approval as a manager has recorded it (F-29): its text as the game has it, the day on which it
    was fulfilled, such as 2021-05-25, and the document that says so."""

    condition: str
    date: str
    reference: str


class HouseRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that is posted at the table besides those of the game, and which of the four kinds it is (F-05)."""

    text: str
    kind: RuleKind = "approved house rules"


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that must be known to play at a table, and to replay it.

    They stand in records. What is new is unset in older ones, and must be left out of the bytes where it is."""

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
    """At a table that people deal, for each piece of equipment that the approval names and the table uses "the maker's
    own" or what stands in for it (F-01, D-22); where the program deals, it does their work."""
    shuffling: Literal["shoe", "shuffler"] = "shuffler"
    penetration: int = 75
    burn: int = 1
    chip: Cents = 1
    rounding: Literal["cent", "chip up", "chip down"] = "cent"
    prize: Cents | None = None
    """What a house jackpot pays at 100 % (D-19); a table that plays for a progressive one has none."""
    seats: int = 5
    clocks: Clocks = Clocks()
    pace: Pace = Pace()
    idle: int = 5
    """After so many rounds without a wager a seat is free again (F-30)."""
    conditions: tuple[Fulfilled, ...] | UnsetType = UNSET
    """The conditions of the approval for this venue, as they are recorded (F-29)."""
    dealing: Literal["program", "people"] | UnsetType = UNSET
    """Who deals: the program, also where nothing is said, or people with cards, dice and machines of their own, who
    enter what these show (F-20). It is the coarse form of who does which of the dealer's duties."""
    payout_limits: dict[str, Cents] | UnsetType = UNSET
    """By pay table, the most that is paid by it in a round to all seats together (F-09)."""
    house_rules: tuple[HouseRule, ...] | UnsetType = UNSET
    duties: dict[Duty, Doer] | UnsetType = UNSET
    """Who does which of the dealer's duties; one that is not named is the program's. Where nothing is said, all of them
    are whoever's deals."""
    source: Literal["program", "physical"] | UnsetType = UNSET
    """Whose cards and dice: the program's own, or physical ones of which a person enters what they show (F-20). Where
    nothing is said, those of whoever deals."""
    jackpot: str | UnsetType = UNSET
    """The progressive jackpot for which the table plays, by its id (D-19)."""

    def duty(self, duty: Duty) -> Doer:
        """Who does one of the dealer's duties (F-03)."""
        if self.duties is UNSET:
            return "person" if self.dealing == "people" else "program"
        return self.duties.get(duty, "program")

    @property
    def is_physical(self) -> bool:
        """Whether cards and dice are real ones, of which the program knows what a person enters (F-20)."""
        return self.dealing == "people" if self.source is UNSET else self.source == "physical"

    @property
    def who_deals(self) -> str:
        """In a few words, who does the dealer's duties."""
        doers = {self.duty(duty) for duty in DUTIES}
        if doers == {"program"}:
            return "the program deals"
        whose = "" if self.is_physical else " the program's own cards and dice"
        return f"people deal{whose}" if doers == {"person"} else "people and the program share the dealer's duties"

    @property
    def has_dealer(self) -> bool:
        """Whether a person does any of the dealer's duties, and signs on for that (F-41)."""
        return self.dealing == "people" if self.duties is UNSET else "person" in self.duties.values()

    def load_game(self, given: Game | None = None) -> Game:
        """The game as this table plays it. Its fingerprint is taken here and now, of the files that are loaded; where
        it is only looked at, a game that is loaded already may be given."""
        game = (given or load(self.game)).configured(
            version=self.version, decks=self.decks, readings=self.readings, pay=self.pay, without=self.without
        )
        assert game.fingerprint
        return game

    def load_parts(self, given: Game | None = None) -> tuple[Game | None, list[tuple[str, FeltworksError]]]:
        """The game with whatever of its configuration is possible, and what is wrong with each other part of it, by the
        name of the setting."""
        try:
            game = given or load(self.game)
        except FeltworksError as error:
            return None, [("game", error)]
        wrong = []
        for name, part in self._parts():
            try:
                game = game.configured(**part)
            except FeltworksError as error:
                wrong.append((name, error))
        return game, wrong

    def _parts(self) -> Iterator[tuple[str, dict[str, Any]]]:
        yield "version", {"version": self.version}
        yield "decks", {"decks": self.decks}
        yield from ((f"readings.{name}", {"readings": {name: value}}) for name, value in self.readings.items())
        yield from ((f"pay.{spot}", {"pay": {spot: table}}) for spot, table in self.pay.items())
        yield "without", {"without": self.without}


def standing(settings: TableSettings, game: Game) -> Standing:
    """How a table stands to the approval of its game (F-01, F-02, D-22)."""
    return at_table(game, settings.venue, settings.equipment)


def why_no_patrons(settings: TableSettings, game: Game) -> str:
    """Why nobody without an account can be seated at a table; nothing where patrons may sit (F-10, F-14)."""
    if not settings.has_dealer:
        return "The program deals at this table; patrons without an account sit where people deal."
    if game.round_class.shows_alone and not settings.is_physical:
        return (
            f"In {game.title} a seat looks at its own cards, and at this table they are the program's: whoever sits"
            " here needs a screen. Patrons without an account sit where the cards are physical."
        )
    return ""


def warnings(settings: TableSettings, game: Game) -> list[str]:
    """What a table shows about its settings without refusing them: what stands behind its standing (F-01, F-31), and
    a cut card that is deeper than is recommended (O-01)."""
    found = list(standing(settings, game).details)
    pack = game.definition.pack
    deepest = pack.deepest_penetration if pack else None
    if settings.shuffling == "shoe" and deepest is not None and settings.penetration > deepest * 100:
        found.append(f"{settings.penetration} % penetration; at most {deepest * 100:g} % is recommended")
    return found
