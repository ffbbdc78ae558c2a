"""Consoles for tests: a robot that has one, and real cards and dice for whoever deals from it."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import msgspec

from feltworks.floor.actors import Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Shown, Spun, Turned, recorded
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Seat
from feltworks.kit.chance import Shuffled
from feltworks.web.pit.console_messages import Console
from tests.web.people_of_the_house import employ
from tests.web.robots import Json, LocalServer, Robot, between, blackjack, money, under, yo
from tests.web.shapes import check_message

BY_HAND: Json = {"dealing": "people"}
STAND_INS = {
    "down-under-holdem": {"card reader": "a lamp", "jackpot system": "a drawer with a key"},
    "yo": {"dice": "any dice", "cup": "any cup"},
}


def dealt_by_hand(settings: TableSettings, **changes: Any) -> TableSettings:
    """The same table, dealt by people."""
    equipment = STAND_INS.get(settings.game, {})
    return msgspec.structs.replace(settings, **BY_HAND, equipment=equipment, **changes)


GAMES = {
    table.game: dealt_by_hand(table) for table in (money(), between(burn=0), blackjack(burn=0, decks=6), under(), yo())
}


class ConsoleRobot(Robot):
    """A dealer's console without a browser."""

    @property
    def path(self) -> str:
        return f"/house/tables/{self.table}/deal/socket"

    def check(self, message: Json) -> None:
        if "view" not in message:
            check_message(message)
            return
        rest = {name: value for name, value in message["view"].items() if name != "console"}
        check_message({**message, "view": rest})
        msgspec.convert(message["view"]["console"], Console)

    @property
    def console(self) -> Json:
        console: Json = self.view["console"]
        return console

    @property
    def ask(self) -> Json:
        ask: Json = self.console["ask"]
        return ask

    def enter(self, **answer: Any) -> None:
        """Enter something at the step that is asked for."""
        self.done("enter", answer=answer)
        self.caught_up()

    def does(self, kind: str, **fields: Any) -> None:
        """Do something, and see the table as it is then."""
        self.done(kind, **fields)
        self.caught_up()

    def tries(self, kind: str, **fields: Any) -> bool:
        """Ask for something that the table may refuse; whether it was done."""
        while "too much" in (answer := self.do(kind, **fields)).get("why", ""):
            time.sleep(0.2)
        return "ok" in answer

    def caught_up(self) -> None:
        while self.view["version"] < self.version:
            self.receive()

    def receive(self, timeout: float = 60.0) -> Json:
        message = super().receive(timeout)
        if "ok" in message:
            self.version = message["version"]
        return message

    version = 0


def dealer_at(server: LocalServer, table: str, name: str = "Dana") -> ConsoleRobot:
    """A dealer who has come to the table and has not signed on."""
    _, token = server.run(lambda house: employ(house, name, Role.DEALER))
    return ConsoleRobot(server, table, token, {})


def patron_checks(server: LocalServer) -> ConsoleRobot:
    """A round of One For The Money in which a patron with 5.00 on Ante has the nine of hearts, and checks."""
    dana = dealer_at(server, "money")
    dana.does("sign on")
    dana.does("seat patron", seat=2, chips=50_000)
    dana.does("start round", shuffle=True)
    dana.does("place for", seat=2, spot="ante", amount=500)
    dana.does("close betting")
    dana.enter(kind="card", card="9h")
    dana.does("choose for", seat=2, option="check")
    return dana


class Physical:
    """Cards, dice and wheels of a real table: what they show is known to whoever looks, and to nobody before."""

    def __init__(self, table: Table, seed: int = 0) -> None:
        self.chance = Shuffled(Random(seed), table.game.fresh())
        self.round = 0

    def shows(self, table: Table) -> steps.Answer:
        """What the next card, light or roll shows that is entered; the cards before it are laid on the way."""
        round = table.round
        assert round is not None
        if table.round_number != self.round:
            self.round = table.round_number
            self.chance._sealed.clear()
        for token in (token for token in round.cards if token not in self.chance._sealed):
            self.chance.answer(steps.Deal(token, ""))  # it was laid before
        while True:
            step = round.next
            assert isinstance(step, steps.Deal | steps.Turn | steps.Read | steps.Roll | steps.Spin)
            shown = self.chance.answer(step)
            if isinstance(step, steps.Deal):
                round = round.after(steps.DEALT)
            elif isinstance(step, steps.Turn) and step.to is not steps.ALL:
                round = round.after(steps.HIDDEN)
            else:
                return shown

    def refill(self, table: Table) -> None:
        """The discards are shuffled and dealt on."""
        assert table.round is not None and table.round.unseen is not None
        sealed = [self.chance._sealed[token] for token, face in table.round.cards.items() if face.card is None]
        self.chance._shoe = table.round.unseen.all_cards()
        for card in sealed:
            self.chance._shoe.remove(card)


class Session:
    """A dealer, patrons who stake on everything, and real cards or dice: rounds are dealt by what the console asks for,
    and by nothing else."""

    def __init__(self, server: LocalServer, settings: TableSettings, patrons: Sequence[int], seed: int = 0) -> None:
        self.server, self.settings, self.random = server, settings, Random(seed)
        self.dana = dealer_at(server, settings.id)
        self.dana.does("sign on")
        for seat in patrons:
            self.dana.does("seat patron", seat=seat, chips=1_000_000)
        self.physical = Physical(self.table, seed)
        self.asked: Counter[str] = Counter()

    @property
    def table(self) -> Table:
        return self.server.run(lambda house: house.live(self.settings.id).table)

    def round(self) -> None:
        """One round from the first thing to the last."""
        number = self.table.round_number
        while self.table.round is not None or self.table.round_number == number:
            self.step()

    def step(self) -> None:
        """The next thing that the console shows; what it shows is what the round says."""
        dana, console = self.dana, self.dana.console
        self.compare()
        if console["acts"]:
            dana.does("tick off", done=console["acts"][-1]["number"])
            return
        ask, kind = dana.ask, dana.ask["kind"]
        self.asked[kind] += 1
        match kind:
            case "shuffle":
                self.physical = Physical(self.table, self.random.randrange(1_000_000))
                dana.does("start round", shuffle=True)
            case "start":
                dana.does("start round")
            case "bet":
                self.bet()
            case "card" | "light" | "dice" | "pocket":
                self.enter()
            case "choose":
                self.choose(ask)
            case "deal":
                dana.does("lay cards")
            case "go on":
                dana.does("go on")
                self.physical.refill(self.table)
            case "end":
                dana.does("end round")
            case _:
                self.supervise()

    def supervise(self) -> None:
        """What a supervisor has to decide: the first option, as the document has it first."""
        step = self.table.step
        assert isinstance(step, steps.Choose) and step.who is steps.Role.SUPERVISOR, f"it waits: {self.dana.ask}"
        if self.supervisor is None:
            self.supervisor = by_person(self.server.run(lambda house: employ(house, "Sue", Role.SUPERVISOR))[0])
        entry, actor, at = Decided("supervisor", step.options[0].name), self.supervisor, self.table.version
        self.server.run(lambda house: house.pit.deal_by_hand(self.settings.id, cmd.Enter(entry), actor))
        self.dana.until(lambda view: view["version"] > at)

    supervisor: Actor | None = None

    def compare(self) -> None:
        """Every number on the console is one of the round."""
        table, shown = self.table, self.dana.console["acts"]
        effects = table.effects[table.done :]
        assert len(shown) == len(effects)
        for act, effect in zip(shown, effects, strict=True):
            if isinstance(effect, ev.Settled):
                due = due_by(table, effect)
                assert (act["seat"], act["amount"]) == (effect.seat, due)
                if act["do"] == "pay":
                    assert sum(pile["value"] * pile["count"] for pile in act["chips"]) + act["loose"] == due
            elif isinstance(effect, ev.Called):
                assert (act["do"], act["text"]) == ("say", effect.text)

    def bet(self) -> None:
        """Chips on most of what is open, also where one wager opens another spot; where a seat has not what it needs,
        on all of it."""
        for share in (0.8, 1.0, 1.0):
            seen = set[tuple[int, str]]()
            while spots := self.open_spots() - seen:
                for seat, spot in sorted(spots):
                    if self.random.random() < share:
                        amount = self.settings.limits[spot].least
                        self.dana.tries("place for", seat=seat, spot=spot, amount=amount)
                        self.dana.caught_up()
                seen |= spots
            self.bets, windows = self.table.wagers, self.table.windows
            closed = self.dana.tries("close betting")
            self.dana.caught_up()
            if closed and (not self.table.betting or self.table.windows > windows):
                return
        raise AssertionError("nobody has a wager")

    bets: Mapping[tuple[Seat, str], Fraction] = {}
    """What lay on the table when the betting was closed last."""

    def open_spots(self) -> set[tuple[int, str]]:
        """Where the patrons may put chips down and have none."""
        patrons = self.dana.ask["patrons"]
        return {(one["seat"], spot["spot"]) for one in patrons for spot in one["spots"] if not spot["down"]}

    def enter(self) -> None:
        shown = recorded(self.physical.shows(self.table))
        told = msgspec.to_builtins(shown)
        ask = self.dana.ask
        if isinstance(shown, Turned):
            assert shown.card in ask["cards"]
        elif isinstance(shown, Shown):
            assert shown.set in [band["name"] for band in ask["bands"]]
        elif isinstance(shown, Spun):
            assert shown.pocket in ask["pockets"]
        self.dana.enter(**told)
        round = self.table.round
        if round is not None:
            self.physical.chance.happened(round.effects)

    def choose(self, ask: Json) -> None:
        choice = self.random.choice(ask["choices"])
        if ask["seat"] is None:
            self.dana.enter(kind="decide", who=ask["role"], option=choice["name"])
        else:
            self.dana.does("choose for", seat=ask["seat"], option=choice["name"])
        if self.table.round is not None:
            self.physical.chance.happened(self.table.round.effects)


def due_by(table: Table, settled: ev.Settled) -> int:
    """What the dealer takes, pays or hands back for a settlement: of chips that were taken off their spot before
    (D-13), nothing is taken, and all that comes back is paid."""
    chips = f"seat {settled.seat}'s {table.game.spot_title(settled.spot)} chips"
    if ev.Moved(chips, "taken") in table.effects and not settled.is_held:
        return settled.paid + settled.returned
    return settled.paid or (settled.amount if settled.stake == "taken" else settled.returned)
