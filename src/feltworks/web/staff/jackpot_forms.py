"""What a form of a jackpot's page asks for: read with care, as the command that it comes to."""

from collections.abc import Iterator, Mapping

import msgspec

from feltworks import games
from feltworks.floor.accounts import Cents
from feltworks.floor.house import House
from feltworks.floor.jackpot import commands as cmd
from feltworks.floor.jackpot.meter import Meter
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.refusal import Refused
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.questions import JackpotSettings
from feltworks.web.forms import Form
from feltworks.web.staff.settings_form import amount, cents, id_of

AS_TABLE, AS_GAME = "table", "game"
TERMS = ("name", "seed", "to_meter", "to_reserve", "maximum", "notices")
FIRST = dict.fromkeys(("played", "id", *TERMS), "") | {
    "wager": "1",
    "to_meter": "3/5",
    "to_reserve": "1/10",
    "seed": "1000",
    "maximum": "100000",
}
"""What stands in the form of a new jackpot."""


def dollars_of(form: Form, field: str, what: str) -> Cents:
    """An amount that somebody typed."""
    try:
        return cents(form[field])
    except FeltworksError:
        raise Refused(f"{what}: write an amount in dollars, such as 5 or 2.50.") from None


def signed_dollars_of(form: Form, field: str, what: str) -> Cents:
    """The same, which may be below nothing."""
    text = form[field].replace("−", "-")
    if not text.lstrip("+").startswith("-"):
        return dollars_of(Form({field: [text.lstrip("+")]}), field, what)
    return -dollars_of(Form({field: [text.lstrip("+")[1:]]}), field, what)


def terms_of(form: Form, played: JackpotSettings) -> Terms:
    return Terms(
        name=form["name"],
        played=played,
        seed=dollars_of(form, "seed", "The seed"),
        to_meter=form["to_meter"],
        to_reserve=form["to_reserve"],
        maximum=dollars_of(form, "maximum", "The maximum"),
        notices=tuple(line.strip() for line in form["notices"].splitlines() if line.strip()),
    )


def fields_of(terms: Terms) -> dict[str, str]:
    """What stands in the form of these terms."""
    return {
        "name": terms.name,
        "seed": amount(terms.seed),
        "to_meter": terms.to_meter,
        "to_reserve": terms.to_reserve,
        "maximum": amount(terms.maximum),
        "notices": "\n".join(terms.notices),
    }


def opened(house: House, form: Form) -> tuple[str, cmd.OpenJackpot]:
    """The id of a new jackpot, and how it is opened."""
    played = played_as(house, form["played"])
    wager = dollars_of(form, "wager", "The Jackpot wager")
    id = form["id"] or id_of(form["name"])
    return id, cmd.OpenJackpot(terms_of(form, msgspec.structs.replace(played, wager=wager)))


def ways_to_play(house: House) -> Mapping[str, str]:
    """By which hands and pays a new jackpot may be played for: as at a table, or as a game lists them."""
    return dict(_ways(house))


def _ways(house: House) -> Iterator[tuple[str, str]]:
    for id, live in sorted(house.tables.items()):
        if live.table.game.jackpots:
            yield f"{AS_TABLE} {id}", f"As at {live.table.settings.name}"
    for game in games.describe_all():
        for wager in game.jackpots:
            for table in game.definition.tables(wager):
                yield f"{AS_GAME} {game.name} {table}", f"{game.title}, pay table {table}"


def played_as(house: House, way: str) -> JackpotSettings:
    if way not in ways_to_play(house):
        raise Refused("Choose by which hands and pays it is played for.")
    kind, name, *table = way.split(" ", 2)
    if kind == AS_TABLE:
        return house.jackpots.played_by(house.table(name).settings)
    game = games.load(name)
    [wager] = game.jackpots
    return JackpotSettings(
        game=name, version=game.version_name, pay={} if table[0] == _first(game, wager) else {wager: table[0]}, wager=0
    )


def _first(game: Game, wager: str) -> str:
    return next(iter(game.definition.tables(wager)))


def linked(house: House, id: str, form: Form) -> TableSettings:
    """The settings with which a table would play for a jackpot."""
    table = form["table"]
    if table not in house.tables:
        raise Refused("Choose a table.")
    at = house.live(table).table
    settings = at.settings if at.change is None else at.change.settings
    return msgspec.structs.replace(settings, jackpot=id, prize=None)


def signed(meter: Meter, form: Form) -> cmd.Signed:
    """A command that two people give."""
    match form["act"]:
        case "seed":
            into = dollars_of(form, "meter", "Into the meter") if form["meter"] else 0
            kept = dollars_of(form, "reserve", "Into the reserve") if form["reserve"] else 0
            return cmd.SeedJackpot(into, kept, form["reason"])
        case "adjust":
            why = next((reason for reason in cmd.REASONS if reason == form["why"]), None)
            if why is None:
                raise Refused(f"A meter is adjusted for one of these reasons only: {', '.join(cmd.REASONS)}.")
            return cmd.AdjustJackpot(why, signed_dollars_of(form, "cents", "By how much"), form["note"])
        case "close":
            return cmd.CloseJackpot(form["reason"], form["heir"])
    raise Refused("That is nothing that this page does.")
