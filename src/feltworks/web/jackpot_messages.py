"""What screens are told of jackpots: the meter as it stands in the books, and what a wager gives back."""

from feltworks.floor.accounts import Cents
from feltworks.floor.table.events import Time
from feltworks.web.message import Message


class JackpotAward(Message, frozen=True):
    """A share of the meter that was won: at which table, on which line, how much, and when."""

    table: str
    line: str
    amount: Cents
    time: Time


class JackpotSeen(Message, frozen=True):
    """A progressive jackpot as it stands in the books. `version` counts what has happened to it."""

    id: str
    name: str
    version: int
    meter: Cents
    wager: Cents
    seed: Cents
    maximum: Cents
    why: str
    """Why it takes no wagers here; nothing if it does."""
    closed: bool
    tables: list[str]
    """The names of the tables that play for it."""
    notices: list[str]
    last: list[JackpotAward]
    """The last awards, the newest first."""


class JackpotMessage(Message, frozen=True):
    """The jackpot for which a table plays: after the first view, and whenever it has changed."""

    jackpot: JackpotSeen


class JackpotReturn(Message, frozen=True):
    """What a wager on a jackpot gives back on average, beside so many others who have made it: as a share of the wager,
    exactly and in percent; from which meter on it gives back all of itself; and how many rounds there are for one award
    of a share of the meter at such a table."""

    others: int
    exact: str
    percent: str
    break_even: Cents | None
    award_rounds: int | None


class JackpotReturns(Message, frozen=True):
    """What the jackpot wager of a table gives back at its meter, or at the prize of a house jackpot, for each number of
    others from none on; `why` there are no figures, if there are none."""

    meter: Cents | None
    wager: Cents | None
    returns: list[JackpotReturn]
    why: str
