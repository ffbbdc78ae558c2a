"""The books: typed accounts, the closed list of entry kinds, and entries that move cents between accounts (F-10)."""

from dataclasses import dataclass
from enum import Enum

from feltworks.kit.errors import BadValue

Cents = int


class AccountKind(Enum):
    """What an account is for (F-10)."""

    PLAYER = "player"
    SEAT = "seat"
    TABLE = "table"
    TRANSIT = "transit"
    CAGE_CASH = "cage cash"
    CAGE_CHIPS = "cage chips"
    CIRCULATION = "circulation"
    HOUSE = "house"
    METER = "meter"
    RESERVE = "reserve"
    HELD = "held"


NEVER_BELOW_ZERO = frozenset(
    {
        AccountKind.PLAYER,
        AccountKind.SEAT,
        AccountKind.TRANSIT,
        AccountKind.METER,
        AccountKind.RESERVE,
        AccountKind.HELD,
    }
)
"""Accounts that hold what is there and owe nothing (F-11); the others may owe."""


SINGLE = frozenset({AccountKind.CAGE_CASH, AccountKind.CAGE_CHIPS, AccountKind.CIRCULATION, AccountKind.HOUSE})
"""Kinds of which there is one account; the others have an owner each."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account: its kind, and whose it is where there are several of that kind. A seat's is `table/number`."""

    kind: AccountKind
    owner: str = ""

    def __str__(self) -> str:
        return f"{self.kind.value}:{self.owner}" if self.owner else self.kind.value

    @classmethod
    def parse(cls, text: str) -> "Account":
        kind, _, owner = text.partition(":")
        try:
            return cls(AccountKind(kind), owner)
        except ValueError:
            raise BadValue(f"{text!r} is not an account; its kind is one of {_KINDS}.") from None

    @property
    def is_single(self) -> bool:
        """Whether there is one account of this kind."""
        return self.kind in SINGLE

    @property
    def may_owe(self) -> bool:
        return self.kind not in NEVER_BELOW_ZERO


_KINDS = ", ".join(kind.value for kind in AccountKind)
HOUSE = Account(AccountKind.HOUSE)


def money(cents: Cents) -> str:
    """An amount as people read it."""
    return f"{cents / 100:,.2f}"


def player_account(person: str) -> Account:
    return Account(AccountKind.PLAYER, person)


CIRCULATION = Account(AccountKind.CIRCULATION)
PATRON = f"{AccountKind.SEAT.value}:"
"""What stands where a person's id does for somebody who plays without an account begins like this: the books and the
records know the seat, and nobody who sits there."""


def patron_at(table: str, seat: int) -> str:
    """Whoever plays at a seat without an account."""
    return f"{PATRON}{table}/{seat}"


def is_patron(player: str) -> bool:
    return player.startswith(PATRON)


def account_of(player: str) -> Account:
    """Where the chips of somebody at a table are: in a person's account, or in that of a seat."""
    return Account.parse(player) if is_patron(player) else player_account(player)


def player_of(account: Account) -> str:
    """Whose chips an account holds, as a table names them."""
    return str(account) if account.kind is AccountKind.SEAT else account.owner


def table_account(table: str) -> Account:
    return Account(AccountKind.TABLE, table)


class Kind(Enum):
    """What an entry in the books is for: a closed list (F-10), and the only place where it stands."""

    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"
    GRANT = "play-money grant"
    WAGER_TAKEN = "wager taken"
    WAGER_RETURNED = "wager returned"
    PAYOUT = "payout"
    COLOUR_CHANGE = "colour change"
    FILL = "fill"
    CREDIT = "credit"
    COUNT_DIFFERENCE = "count difference"
    JACKPOT_SEED = "jackpot seed"
    JACKPOT_CONTRIBUTION = "jackpot contribution"
    JACKPOT_AWARD = "jackpot award"
    JACKPOT_ADJUSTMENT = "jackpot adjustment"
    REGISTRATION_RETURNED = "jackpot registration returned"
    WIN_HELD = "win held"
    WIN_RELEASED = "win released"
    FORFEITURE = "forfeiture"
    CORRECTION = "correction"


BY_HAND = (Kind.BUY_IN, Kind.CASH_OUT, Kind.GRANT, Kind.FORFEITURE, Kind.CORRECTION)
"""What two people may book outside the tables (F-10). Everything else is booked by what it comes from: a round, a slip
that several sign, the meter of a jackpot, a large win that was verified."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Money moves from one account to another: the two sides of a double entry."""

    kind: Kind
    payer: Account
    payee: Account
    cents: Cents

    def __str__(self) -> str:
        return f"{self.kind.value} of {self.cents} cents from {self.payer} to {self.payee}"
