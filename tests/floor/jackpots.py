"""A house with progressive jackpots, at whose tables of Down Under Hold'em patrons get the cards that a test wants."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from feltworks.floor.accounts import Kind, patron_at, table_account
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.house import House
from feltworks.floor.jackpot import commands as jackpot
from feltworks.floor.jackpot.meter import Meter, meter_account, reserve_account
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import Answer, Dealt, Decided, Hidden, Shown, Turned
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.floor.table.state import Table
from feltworks.floor.verification.verify import verify
from feltworks.games.down_under_holdem.rules import BANDS, DEALER, FLOP, TURN_AND_RIVER, own
from feltworks.kit import steps
from feltworks.kit.cards import Card, Seat, Token, parse_cards
from feltworks.kit.questions import JackpotSettings
from tests.floor.employing import employed
from tests.floor.sitting import TODAY
from tests.floor.world import KEYS

CHIPS = 500_000
WAGER = 100
MAIN = "main"
FLOPPED = "Ts Js Qs"
ROYAL, STRAIGHT_FLUSH, NOTHING = "Ks As", "8s 9s", "2c 7d"
HANDS = {1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING}
"""What three seats may have with that flop: 100 %, 10 % and nothing by the third pay table."""


def under(id: str = "under", **changes: Any) -> TableSettings:
    """Down Under Hold'em with the progressive jackpot of the house; people deal, unless it is said otherwise."""
    spots = ("ante", "bet", "trips_or_better", "match_the_dealer")
    limits = {**dict.fromkeys(spots, Limits(100, 10_000)), "jackpot": Limits(WAGER, WAGER)}
    usual: dict[str, Any] = {
        "pay": {"jackpot": "3"},
        "jackpot": MAIN,
        "dealing": "people",
        "equipment": dict.fromkeys(("card reader", "jackpot system"), "a stand-in"),
    }
    return TableSettings(id, f"Table {id}", "down-under-holdem", limits, **{**usual, **changes})


def by_program(id: str = "under", **changes: Any) -> TableSettings:
    return under(id, **{"dealing": "program", "equipment": {}, **changes})


def played(settings: TableSettings) -> JackpotSettings:
    return JackpotSettings(
        game=settings.game,
        readings=dict(sorted(settings.readings.items())),
        pay=dict(sorted(settings.pay.items())),
        wager=settings.limits["jackpot"].least,
    )


def terms(settings: TableSettings, **changes: Any) -> Terms:
    usual: dict[str, Any] = {
        "name": "The Big One",
        "seed": 100_000,
        "to_meter": "3/5",
        "to_reserve": "1/7",
        "maximum": 10_000_000,
    }
    return Terms(played=played(settings), **{**usual, **changes})


class Room:
    """One jackpot, seeded, and tables that play for it."""

    def __init__(
        self, path: Path, *tables: TableSettings, reserve: int = 50_000, seed: int | None = None, **changes: Any
    ) -> None:
        self.path, self.now = path, TODAY
        self.house = House(Store(path), KEYS, self.clock)
        self.settings = {settings.id: settings for settings in tables or (under(),)}
        first = next(iter(self.settings.values()))
        made = terms(first, **changes)
        self.house.jackpots.open(MAIN, made, PROGRAM)
        self.do(jackpot.SeedJackpot(made.seed if seed is None else seed, reserve, "to begin with"))
        for settings in self.settings.values():
            if settings.jackpot:
                self.house.jackpots.link(MAIN, settings, PROGRAM)
            self.house.open_table(settings)
        self.supervisor, self.manager = employed(self.house, Role.SUPERVISOR), employed(self.house, Role.MANAGER)
        self.cashier = employed(self.house, Role.CASHIER)
        self.dealers = {id: employed(self.house, Role.DEALER) for id in self.settings}
        for id, settings in self.settings.items():
            if settings.has_dealer:
                self.deal(id, cmd.SignOn())

    def clock(self) -> int:
        return self.now

    def restart(self) -> None:
        self.house.close()
        self.house = House(Store(self.path), KEYS, self.clock)
        assert not self.house.fault, self.house.fault

    def do(self, command: jackpot.Command, actor: Actor = PROGRAM, id: str = MAIN) -> None:
        self.now += 1
        self.house.jackpots.give(id, command, actor)

    # What is there.

    @property
    def meter(self) -> Meter:
        return self.house.jackpots.known(MAIN)

    def table(self, id: str = "under") -> Table:
        return self.house.live(id).table

    def chips(self, seat: int, id: str = "under") -> int:
        return self.house.balance(patron_at(id, seat))

    def account(self, name: str) -> int:
        return self.house.account(name)

    @property
    def behind(self) -> tuple[int, int]:
        """What lies in the accounts of the meter and of the reserve."""
        return self.account(str(meter_account(MAIN))), self.account(str(reserve_account(MAIN)))

    def tray(self, id: str = "under") -> int:
        return self.account(str(table_account(id)))

    def booked(self, kind: Kind) -> int:
        """All that was ever booked of a kind into the meter, less what was booked out of it."""
        account = meter_account(MAIN)
        return sum(
            one.entry.cents * ((one.entry.payee == account) - (one.entry.payer == account))
            for one in self.house.store.statement(str(account))
            if one.entry.kind is kind
        )

    # A round.

    def deal(self, id: str, command: "cmd.StaffCommand", actor: Actor | None = None) -> None:
        self.now += 1
        self.house.pit.deal_by_hand(id, command, actor or self.dealers[id])

    def enter(self, id: str, answer: Answer, actor: Actor | None = None) -> None:
        self.deal(id, cmd.Enter(answer), actor)

    def bet(self, id: str = "under", seats: tuple[int, ...] = (1, 2, 3), jackpot: bool = True) -> None:
        """A round begins, and the seats bet."""
        if self.table(id).round is None:
            self.deal(id, cmd.StartRound(shuffle=True))
        spots = ("ante", "bet", *(("jackpot",) if jackpot else ()))
        for seat in seats:
            if seat not in self.table(id).seats:
                self.house.pit.for_patron(id, cmd.SeatPatron(seat, CHIPS), self.dealers[id])
            for spot in spots:
                least = self.settings[id].limits[spot].least
                self.house.pit.for_patron(id, cmd.PlaceFor(seat, spot, least), self.dealers[id])

    def close(self, id: str = "under") -> None:
        self.deal(id, cmd.CloseBetting())

    def sense(self, id: str = "under", dark: tuple[int, ...] = ()) -> None:
        """Every spot with chips is sensed."""
        while isinstance(step := self.table(id).step, steps.Choose) and step.options[0].name == "lit":
            seat = int(step.about.split("'")[0].removeprefix("seat "))
            self.enter(id, Decided("dealer", "not lit" if seat in dark else "lit"))

    def until(
        self,
        what: str,
        id: str = "under",
        hands: Mapping[int, str] = HANDS,
        board: str = f"{FLOPPED} 3h 4h",
        dealer: str = "2d 7h",
    ) -> None:
        """Deal on until somebody is to choose this, or until the round is over."""
        cards = _cards(hands, board, dealer)
        for _ in range(500):
            table = self.table(id)
            step = table.step
            if step is None or table.round is None or table.round.over:
                return
            if isinstance(step, steps.Choose) and any(option.name == what for option in step.options):
                return
            self._step(id, step, cards)
        raise AssertionError("the round does not end")

    def _step(self, id: str, step: steps.Step, cards: Mapping[Token, Card]) -> None:
        match step:
            case steps.Bet():
                self.close(id)
            case steps.Deal():
                self.enter(id, Dealt())
            case steps.Read(token):
                self.enter(id, Shown(next(band.name for band in BANDS if cards[token] in band)))
            case steps.Turn(token, to):
                self.enter(id, Hidden() if to is not steps.ALL else Turned(cards[token].text))
            case steps.Choose(steps.Role() as role, (first, *_)):
                by = self.supervisor if role is steps.Role.SUPERVISOR else None
                self.enter(id, Decided(role.value, first.name), by)
            case steps.Choose(frozenset() as seats, options):
                name = "check" if options[0].name == "check" else "1x"
                self.house.pit.for_patron(id, cmd.ChooseFor(int(min(seats)), name), self.dealers[id])
            case _:
                raise AssertionError(step)

    def end(self, id: str = "under", **cards: Any) -> None:
        self.until("", id, **cards)
        self.deal(id, cmd.EndRound())

    def round(self, id: str = "under", seats: tuple[int, ...] = (1, 2, 3), **cards: Any) -> None:
        """A whole round in which every seat has made the Jackpot wager."""
        self.bet(id, seats)
        self.close(id)
        self.end(id, **cards)

    def void(self, id: str = "under", reason: str = "the lights went out") -> None:
        action = self.house.staff.propose(id, cmd.VoidRound(reason), self.supervisor)
        self.house.staff.sign(action, self.manager)

    # What holds whatever happens.

    def check(self, whole: bool = True) -> None:
        """F-25: the meter is exact by its events, by its entries and by what lies in its accounts; and so says a check
        of everything that was recorded."""
        assert self.house.jackpots.wrong_books(MAIN, self.house.store) == []
        self.house.store.check_books()
        if whole:
            report = verify(self.path, KEYS.public)
            assert report.ok, report.problems


def _cards(hands: Mapping[int, str], board: str, dealer: str) -> dict[Token, Card]:
    cards = dict(zip((*FLOP, *TURN_AND_RIVER), parse_cards(board), strict=True))
    cards |= dict(zip(DEALER, parse_cards(dealer), strict=True))
    for seat, hand in hands.items():
        cards |= dict(zip(own(Seat(seat)), parse_cards(hand), strict=True))
    return cards
