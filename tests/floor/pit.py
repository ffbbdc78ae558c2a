"""A house with one table where people do some of the dealer's duties, and everybody does what the procedure asks for:
it knows no game by name."""

from contextlib import suppress
from pathlib import Path
from random import Random

from msgspec import UNSET

from feltworks.floor.accounts import account_of, patron_at
from feltworks.floor.actors import Actor
from feltworks.floor.house import House
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Answer, Dealt, Decided, Hidden, NoWager, Rolled, Shown, Spun, Turned, played
from feltworks.floor.table.evolve import in_whole_cents
from feltworks.floor.table.payouts import settled
from feltworks.floor.table.procedure import Asked, Procedure, procedure
from feltworks.floor.table.settings import TableSettings, why_no_patrons
from feltworks.floor.table.state import Table
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from tests.floor.employing import employed
from tests.floor.sitting import TODAY
from tests.floor.world import KEYS

CHIPS = 200_000
PLAYER, PATRONS = 2, (1, 3)


class Pit:
    """Two patrons, a player with a screen between them, two dealers and a supervisor; at a table of two seats one
    patron less."""

    def __init__(self, path: Path, settings: TableSettings, seed: int = 0) -> None:
        self.path, self.settings, self.random = path, settings, Random(seed)
        self.now = TODAY
        self.house = House(Store(path), KEYS, lambda: self.now)
        self.house.open_table(settings)
        self.dealers = [employed(self.house, Role.DEALER) for _ in range(2)]
        self.supervisor, self.manager = employed(self.house, Role.SUPERVISOR), employed(self.house, Role.MANAGER)
        self.player, _ = self.house.people.guest()
        self.house.command(settings.id, self.player, cmd.Sit(PLAYER))
        self.round_number, self.at_start = 0, dict[int, int]()
        """The round that began last, and what everybody had then."""
        takes_patrons = not why_no_patrons(settings, self.table.game)
        self.patrons = tuple(seat for seat in PATRONS if seat <= settings.seats and takes_patrons)
        if settings.has_dealer:
            self.sign_on()
        for seat in self.patrons:
            self.enter_for(cmd.SeatPatron(seat, CHIPS))

    @property
    def table(self) -> Table:
        return self.house.live(self.settings.id).table

    @property
    def procedure(self) -> Procedure:
        return procedure(self.table)

    @property
    def dealer(self) -> Actor:
        """Who has signed on, or will."""
        return next((dealer for dealer in self.dealers if dealer.id == self.table.dealer), self.dealers[0])

    def restart(self) -> None:
        """The house is closed and opened again: everything is as it was."""
        before = self.table
        self.house.close()
        self.house = House(Store(self.path), KEYS, lambda: self.now)
        assert self.table == before

    # What people do.

    def deal(self, command: "cmd.DealerCommand | cmd.PersonalCommand", actor: Actor | None = None) -> None:
        self.now += 1
        self.house.pit.deal_by_hand(self.settings.id, command, actor or self.dealer)

    def sign_on(self) -> None:
        self.deal(cmd.SignOn())

    def enter(self, answer: Answer, actor: Actor | None = None) -> None:
        self.deal(cmd.Enter(answer), actor)

    def enter_for(self, command: "cmd.PatronCommand") -> None:
        self.now += 1
        self.house.pit.for_patron(self.settings.id, command, self.dealer)

    def correct(self, entry: int, answer: Answer | NoWager, reason: str = "misread") -> None:
        self.now += 1
        self.house.pit.correct(self.settings.id, cmd.Correct(entry, answer, reason), self.supervisor)

    def resolve(self, option: str) -> None:
        """Whoever is asked decides about what was reported; where that voids the round, a manager signs too."""
        self.now += 1
        role = steps.Role(self.procedure.asked.role)
        who = self.supervisor if role is steps.Role.SUPERVISOR else self.dealer
        action = self.house.pit.resolve(self.settings.id, role, option, who, "looked at", self.table.report)
        if action:
            self.house.staff.sign(action, self.manager)

    def relieve(self) -> None:
        """The other dealer comes."""
        self.deal(cmd.SignOn(), next(dealer for dealer in self.dealers if dealer.id != self.table.dealer))

    def bet(self) -> None:
        for seat in (*self.patrons, PLAYER):
            for spot, limits in self.settings.limits.items():
                try:
                    if seat == PLAYER:
                        self.house.command(self.settings.id, self.player, cmd.Place(spot, limits.least))
                    else:
                        self.enter_for(cmd.PlaceFor(seat, spot, limits.least))
                except Refused:
                    continue

    def close_betting(self) -> None:
        """Where wagers break a rule together, one after the other is taken up."""
        for _ in range(20):
            try:
                self.deal(cmd.CloseBetting())
            except Refused:
                self._fewer_wagers()
            else:
                return
        raise AssertionError("the betting cannot be closed")

    def _fewer_wagers(self) -> None:
        for spot in reversed(self.settings.limits):
            for seat in self.patrons:
                with suppress(Refused):
                    self.enter_for(cmd.TakeUpFor(seat, spot))
                    return
            with suppress(Refused):
                self.house.command(self.settings.id, self.player, cmd.TakeUp(spot))
                return

    def decide(self, asked: Asked) -> None:
        seat, options = asked.seats[0], [option.name for option in asked.options]
        for option in (self.random.choice(options), options[0]):
            try:
                if seat == PLAYER:
                    self.house.command(self.settings.id, self.player, cmd.Choose(option))
                else:
                    self.enter_for(cmd.ChooseFor(seat, option))
            except Refused:
                continue
            return

    # What the procedure asks for.

    def possible(self, asked: Asked) -> Answer:
        """Something that may be entered, as the procedure says it."""
        match asked.kind:
            case "deal":
                return Dealt()
            case "turn":
                return Turned(self.random.choice(asked.cards))
            case "show":
                return Hidden()
            case "read":
                return Shown(self.random.choice(asked.lights))
            case "roll":
                return Rolled(tuple(self.random.randint(1, 6) for _ in range(asked.dice)))
            case "spin":
                return Spun(asked.wheel, self.random.choice(asked.pockets))
            case "choose":
                return Decided(asked.role, self.random.choice(asked.options).name)
        raise AssertionError(f"nothing is entered for {asked}")

    def step(self) -> bool:
        """The next thing that somebody does, as the procedure says who and what; whether a round is over with it."""
        over = self._step()
        self.note()
        return over

    def note(self) -> None:
        """Remember what everybody has when a round has just begun."""
        if self.table.round_number != self.round_number:
            self.round_number, self.at_start = self.table.round_number, self.everybody

    @property
    def everybody(self) -> dict[int, int]:
        return {seat: self.chips(seat) for seat in (*self.patrons, PLAYER)}

    def _step(self) -> bool:
        shown = self.procedure
        asked = shown.asked
        mine = [act.number for act in shown.now if act.who == "person"]
        if mine and (asked.who == "program" or (self.table.round is not None and self.random.random() < 0.5)):
            self.deal(cmd.TickOff(self.random.choice(mine)))
            return False
        if asked.kind == "bets":
            self.bet()
        if asked.who == "program":
            return self.program_goes_on(asked)
        match asked.kind:
            case "start" | "shuffle":
                self.deal(cmd.StartRound(asked.kind == "shuffle"))
            case "bets":
                self.close_betting()
            case "discards":
                self.deal(cmd.GoOn())
            case "end":
                self.deal(cmd.EndRound())
                return True
            case "choose" if asked.who == "seats":
                self.decide(asked)
            case "choose" if asked.incident:
                self.resolve(self.random.choice(asked.options).name)
            case "choose":
                self.enter(self.possible(asked), self.supervisor if asked.role == "supervisor" else None)
            case _ if asked.entered:
                self.enter(self.possible(asked))
            case _:
                self.deal(cmd.GoOn())
        return False

    def program_goes_on(self, asked: Asked) -> bool:
        if asked.kind == "bets":
            self.house.command(self.settings.id, self.player, cmd.Ready())
            if not self.table.betting:
                return False
        due = self.house.due(self.settings.id)
        assert due is not None, asked
        self.now = max(self.now + 1, due.at)
        self.house.deal_due(self.settings.id)
        return asked.kind == "end"

    def play(self, rounds: int) -> None:
        while rounds:
            if self.procedure.asked.kind == "end":
                self.check_money()
            rounds -= self.step()

    # What must hold.

    def chips(self, seat: int) -> int:
        if seat == PLAYER:
            return self.house.balance(self.player)
        return self.house.journal.balance(str(account_of(patron_at(self.settings.id, seat))))

    def check_money(self) -> None:
        """What everybody has is what the round's own rules settle, played once more from its beginning."""
        begun = self.table.begun
        if begun is None or begun.round is None:
            return
        round = begun.round
        brought = dict.fromkeys((*self.patrons, PLAYER), 0)
        for past in self.table.past:
            match past.event:
                case ev.Answered(answer):
                    given = played(answer, round)
                    if (made := round.staked(given)) is not None:
                        brought[made[0]] -= int(made[2])
                    if isinstance(given, steps.TakeUp):
                        brought[given.seat] += int(round.stake(given.seat, given.spot))
                    if isinstance(given, steps.Collect):
                        brought[given.seat] += int(round.winnings[given.seat, given.spot])
                    round = round.after(given)
                    booked = [settled(e, self.settings) for e in round.effects if isinstance(e, steps.Settlement)]
                    round = in_whole_cents(round, booked)
                    for won in booked:
                        brought[won.seat] += won.returned
                        lies = won.stake == "stays" and round.game.wager_of(won.spot).self_service
                        if not lies and not self.is_held(won.paid):
                            brought[won.seat] += won.paid
                case ev.Reported() as reported:
                    round = round.report(steps.Incident(reported.incident, reported.text))
                case ev.Reshuffled(_, _, True):
                    pack = self.table.game.fresh()
                    assert pack is not None
                    round = round.with_discards(pack)
        assert self.table.round is not None
        assert (round.key, round.effects) == (self.table.round.key, self.table.round.effects)
        for seat, cents in brought.items():
            assert self.chips(seat) == self.at_start[seat] + cents, seat

    def is_held(self, paid: int) -> bool:
        """Whether a win waits for surveillance (F-19)."""
        over = self.table.hold_over
        return over is not UNSET and paid > over

    @property
    def total(self) -> int:
        """All that people have, that lies at the table and that is held."""
        lying = (self.house.journal.balance(f"{kind}:{self.settings.id}") for kind in ("table", "held"))
        return sum(self.everybody.values()) + sum(lying)

    @property
    def brought(self) -> int:
        """What everybody came with."""
        return GRANT + CHIPS * len(self.patrons)

    def check(self) -> None:
        """The books balance, the records verify, and a house that reads them finds the same table."""
        self.house.store.check_books()
        assert self.total == self.brought
        self.restart()
        report = verify(self.path, KEYS.public)
        assert report.ok, report.problems
