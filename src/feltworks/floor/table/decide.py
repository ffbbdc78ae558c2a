"""What a command makes happen at a table, or why it is refused. Pure: time, chance and balances are passed in."""

from collections.abc import Callable, Collection
from fractions import Fraction

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents, account_of, money, patron_at, player_of
from feltworks.floor.actors import Actor
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import (
    Answer,
    Dealt,
    Decided,
    Hidden,
    NotRolled,
    Rolled,
    Shown,
    Turned,
    exact_cents,
    played,
    recorded,
    seat_of,
)
from feltworks.floor.table.chance import Shuffle, TableChance
from feltworks.floor.table.corrections import ONE_SEAT_ALONE, corrected, taken_back
from feltworks.floor.table.disputes import LONGEST_REASON, claimed, decided, said
from feltworks.floor.table.duties import duty_of, only_for
from feltworks.floor.table.effects import recorded_effects
from feltworks.floor.table.entries import entries
from feltworks.floor.table.evolve import evolve, in_whole_cents, incident_of, started
from feltworks.floor.table.limits import LARGEST_AMOUNT, check_limits, check_whole_chips, decision
from feltworks.floor.table.payouts import settled, uncollected
from feltworks.floor.table.settings import TableSettings, standing, why_no_patrons
from feltworks.floor.table.settings_change import check_change, differences_between
from feltworks.floor.table.settings_check import check_settings
from feltworks.floor.table.state import TAKEN_BACK, Service, Table, opened
from feltworks.floor.table.wins import released, verifies_itself, win_ids
from feltworks.kit import steps
from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import BadCard, FeltworksError, NotAllowed, NotPossible
from feltworks.kit.incidents import CARDS, DEVICE_FAULT, MOST_OUT_OF_SERVICE, device_of
from feltworks.kit.round import SHUFFLER, Round
from feltworks.kit.walk import picked_up

Balance = Callable[[str], Cents]
"""What a player has."""
PLAY = (
    *(cmd.Place, cmd.TakeUp, cmd.Collect, cmd.Ready, cmd.Choose, cmd.StartRound, cmd.GoOn, cmd.Enter, cmd.Resolve),
    *(cmd.CloseBetting, cmd.ClockRanOut, cmd.EndRound, cmd.FreeSeats, cmd.PlaceFor, cmd.TakeUpFor, cmd.ChooseFor),
    *(cmd.TickOff, cmd.TakeBack),
)
"""What waits while the table is paused: one may still sit down and leave."""
DEALING = (cmd.StartRound, cmd.GoOn, cmd.Enter, cmd.CloseBetting, cmd.EndRound)
"""What the dealer does: the program or a person, as the table's settings have it (F-03)."""
MOST_CHANGES = 200
"""So often a seat puts down or takes up a wager in one betting, at a table where people deal."""
ENTERED = (Dealt, Turned, Hidden, Shown, Rolled, NotRolled)
"""What a person may enter, besides what the dealer or the supervisor chose."""


def decide(
    table: Table | None, command: cmd.Command, actor: Actor, balance: Balance, now: ev.Time, chance: TableChance
) -> tuple[list[ev.Event], list[Table | None]]:
    """The events that a command makes happen, and the table before each of them and after the last."""
    if isinstance(command, cmd.OpenTable):
        if table is not None:
            raise Refused("The table is open already.")
        event = opened(command.settings, now, command.predecessor)
        return [event], [None, evolve(None, event, now)]
    if table is None or table.closed:
        raise Refused("The table is closed.")
    still = cmd.ReopenTable | cmd.Connection | cmd.ManagerCommand | cmd.PendingCommand
    if table.service == "closed" and not isinstance(command, still):
        raise Refused(f"The table is closed: {table.service_reason}")
    if table.service == "paused" and isinstance(command, PLAY):
        raise Refused(f"The table is paused: {table.service_reason} Wait until it goes on.")
    deciding = _Deciding(table, now, chance, balance)
    try:
        deciding.carry_out(command, actor)
    except (NotAllowed, BadCard) as refusal:
        raise Refused(_capital(str(refusal))) from None
    except NotPossible as refusal:
        raise NotPossible(_capital(str(refusal))) from None
    return deciding.events, [*deciding.befores, deciding.table]


class _Deciding:
    """The events so far, and the table after them: each goes through the rules once."""

    def __init__(self, table: Table, now: ev.Time, chance: TableChance, balance: Balance) -> None:
        self.table, self.now, self.chance, self.balance = table, now, chance, balance
        self.events: list[ev.Event] = []
        self.befores: list[Table | None] = []

    def carry_out(self, command: cmd.Command, actor: Actor) -> None:
        player = actor.id if actor.is_person else ""
        if isinstance(command, DEALING):
            self._check_dealer(command, actor)
        match command:
            case cmd.Sit(seat):
                self._sit(seat, player)
            case cmd.Leave():
                self._leave(self._own_seat(player))
            case cmd.Place(spot, amount):
                self._place(self._own_seat(player), spot, amount)
            case cmd.TakeUp(spot):
                self._answer(steps.TakeUp(self._changing(player), spot))
            case cmd.Collect(spot):
                self._answer(steps.Collect(self._changing(player), spot))
            case cmd.Ready():
                self._ready(self._bettor(player))
            case cmd.Choose(option, amount):
                self._choose(self._own_seat(player), option, amount)
            case cmd.SeatPatron(seat, chips):
                self._seat_patron(seat, chips)
            case cmd.PatronLeaves(seat):
                self._patron_leaves(self._patron(seat))
            case cmd.PlaceFor(seat, spot, amount):
                self._place(self._patron(seat), spot, amount)
            case cmd.TakeUpFor(seat, spot):
                self._take_up_for(self._patron(seat), spot)
            case cmd.ChooseFor(seat, option, amount):
                self._choose(self._patron(seat), option, amount)
            case cmd.StartRound(shuffle, hold_over):
                own = actor.is_person and not self.table.settings.is_physical  # the program shuffles where it has to
                self._start_round(shuffle or (own and self.table.needs_shuffle), hold_over)
            case cmd.GoOn():
                self._go_on(actor.is_person)
            case cmd.Enter(answer):
                self._check_position()
                self._check_hidden(answer)
                self._answer(played(answer, self._round()))
            case cmd.SignOn():
                self._sign_on(player)
            case cmd.SignOff():
                self._happen(ev.DealerLeft(self.table.dealer))
            case cmd.TickOff(done):
                self._tick_off(done)
            case cmd.TakeBack():
                self._happen(taken_back(self.table, self.now))
                self._check_balances()
            case cmd.Correct(entry, answer, reason):
                why = _sentence(said(reason, "Say why.", LONGEST_REASON))
                self._happen(corrected(self.table, entry, answer, why, self.now))
                self._check_balances()
            case cmd.Resolve():
                self._resolve(command)
            case cmd.CloseBetting():
                self._close_betting()
            case cmd.ClockRanOut():
                self._clock_ran_out()
            case cmd.EndRound():
                if not self._round().over:
                    raise Refused("The round is not over yet.")
                self._happen(ev.RoundEnded(self.table.round_number, self.chance.openings(self.table)))
            case cmd.Connection(who, present):
                at = self.table.seat_of(who)
                if at and self.table.seats[at].present != present:
                    self._happen(ev.Presence(at, present))
            case cmd.Unseat(who):
                self._unseat(who)
            case cmd.FreeSeats():
                self._free_seats()
            case cmd.RestartClocks():
                self._happen(ev.ClocksRestarted())
            case cmd.VoidRound(reason, number):
                if number not in (0, self.table.round_number):
                    raise Refused(f"Round {number} is over; what is settled stands.")
                self._void(reason)
            case cmd.Report():
                self._report(command)
            case cmd.Release(what, reason):
                self._release(what, reason)
            case cmd.VerifyWin(win):
                self._happen(released(self.table.pending, win, actor))
            case cmd.Claim(player=player):
                sits = any(who.player == player for who in self.table.seats.values())
                self._happen(claimed(self.table.pending, command, actor, self.table.last_over, sits))
            case cmd.DecideDispute():
                self._happen(decided(self.table.pending, command, actor, self.balance, self.now))
                self._verify_itself()
            case cmd.Pause(reason):
                self._check_service("open")
                self._happen(ev.Paused(_sentence(reason)))
            case cmd.Resume():
                self._check_service("paused")
                self._happen(ev.Resumed())
            case cmd.CloseTable(reason):
                self._check_service("open", "paused")
                self._happen(ev.Closing(_sentence(reason)))
            case cmd.ReopenTable():
                self._check_service("closed")
                self._happen(ev.Reopened())
            case cmd.ChangeSettings(settings):
                self._post_change(settings)
            case cmd.WithdrawChange():
                if self.table.change is None:
                    raise Refused("No change is posted at this table.")
                self._happen(ev.ChangeWithdrawn())
            case _:
                raise Refused(f"{type(command).__name__} is not for an open table.")
        self._renew()
        self._finish_closing()
        self._change_settings()

    def _check_dealer(self, command: cmd.DealerCommand, actor: Actor) -> None:
        """Each duty is the program's or a person's, and never done by both. What belongs to a player or to the sealed
        source is entered by nobody."""
        settings, step = self.table.settings, self.table.step
        duty = duty_of(command, self.table)
        doer = settings.duty(duty)
        match command:
            case cmd.Enter(Decided(str())) | cmd.GoOn() if isinstance(step, steps.Choose):
                if step.who is steps.Role.SUPERVISOR or self.table.incident:
                    doer = "person" if settings.has_dealer else "program"
        if (doer == "person") != actor.is_person:
            raise Refused(only_for(doer, duty, settings))
        match command:
            case cmd.Enter(Decided(str())):
                return
            case cmd.Enter(answer) if actor.is_person and not isinstance(answer, ENTERED):
                raise Refused("Enter what cards, lights or dice show, or what the dealer or the supervisor chooses.")
            case cmd.Enter() if actor.is_person and not settings.is_physical:
                raise Refused("Cards and dice are the program's at this table; go on, and it says what they show.")

    def _happen(self, event: ev.Event, round: Round | None = None) -> None:
        self.befores.append(self.table)
        self.table = evolve(self.table, event, self.now, round)
        self.events.append(event)

    def _answer(self, answer: steps.Answer, reason: str | UnsetType = UNSET) -> None:
        """Once the rules have taken it, an answer is an event with all that it caused."""
        after = self._round().after(answer)
        effects = recorded_effects(after.effects, self.table)
        self._happen(ev.Answered(recorded(answer), effects, reason), in_whole_cents(after, effects))
        self._verify_itself()

    def _verify_itself(self) -> None:
        """F-19: at a training table that the program deals, the program verifies what was just held."""
        if verifies_itself(self.table.settings):
            for win in win_ids(self.events[-1], self.table.version):
                self._happen(ev.WinReleased(win))

    def _round(self) -> Round:
        if self.table.round is None:
            raise Refused("No round is being played; wait for the next one.")
        return self.table.round

    # Who deals, and how far (F-27, F-41).

    def _sign_on(self, dealer: str) -> None:
        if not self.table.settings.has_dealer:
            raise Refused("The program deals at this table; nobody signs on.")
        if self.table.dealer == dealer:
            raise Refused("You deal here already.")
        self._happen(ev.DealerCame(dealer, self.table.dealer))

    def _tick_off(self, done: int) -> None:
        self._round()
        there = len((self.table.shown or self.table).effects)  # what seats have chosen in secret is not counted
        if not self.table.done <= done <= there:
            raise Refused(f"{self.table.done} of {there} are ticked off; tick off so many or more, up to {there}.")
        if done > self.table.done or self.table.undo:
            self._happen(ev.TickedOff(done))

    def _check_balances(self) -> None:
        """What was paid by a wrong entry and is gone already cannot be taken back here."""
        for entry in entries(self.befores[-1], self.events[-1]):
            player = player_of(entry.payer)
            seat = self.table.seat_of(player)
            if seat is not None and entry.cents > (has := self.balance(player)):
                raise Refused(
                    f"Seat {seat} would have to give back {money(entry.cents)} and has {money(has)}; settle that with"
                    " the player first."
                )

    # Who sits where.

    def _sit(self, seat: int, player: str) -> None:
        self._check_free(seat, player)
        self._happen(ev.Sat(seat, player))

    def _check_free(self, seat: int, player: str = "") -> None:
        table = self.table
        if table.service == "closing":
            raise Refused(f"The table closes after this round: {table.service_reason}")
        if not 1 <= seat <= table.settings.seats:
            named = seat if abs(seat) < 1_000 else "of that number"
            raise Refused(f"There is no seat {named}; the seats are 1 to {table.settings.seats}.")
        if table.change is not None and seat > table.change.settings.seats:
            raise Refused(f"From the next round there is no seat {seat}; choose one of the others.")
        if player and table.seat_of(player) is not None:
            raise Refused(f"You sit at seat {table.seat_of(player)} already.")
        if seat in table.seats:
            raise Refused(f"Seat {seat} is taken; choose a free one.")

    def _leave(self, seat: Seat) -> None:
        """What lies on open betting goes back; what is in action plays on, and its wins go to the account (F-30)."""
        if self.table.seats[seat].leaving:
            return
        self._take_up([seat])
        self._happen(ev.Left(seat))
        self._close_when_left()

    # Patrons without an account (F-10).

    def _seat_patron(self, seat: int, chips: Cents) -> None:
        if why := why_no_patrons(self.table.settings, self.table.game):
            raise Refused(why)
        self._check_free(seat)
        chip = self.table.settings.chip
        if not 0 < chips <= LARGEST_AMOUNT or chips % chip:
            raise Refused(f"A patron brings whole chips of {money(chip)}, up to {money(LARGEST_AMOUNT)} in all.")
        self._happen(ev.PatronSat(seat, chips))

    def _patron(self, seat: int) -> Seat:
        who = self.table.seats.get(seat)
        if who is None or not who.is_patron:
            raise Refused(f"No patron without an account sits at seat {seat}; players act for themselves.")
        return Seat(seat)

    def _patron_leaves(self, seat: Seat) -> None:
        self._take_up([seat])
        if self.table.has_chips(seat):
            raise Refused(f"Seat {seat} has chips in action; they are played to the end before the patron leaves.")
        self._happen(ev.PatronLeft(seat, self._chips_of(seat)))

    def _take_up_for(self, seat: Seat, spot: str) -> None:
        self._bettor(self.table.seats[seat].player)
        won = self._round().winnings.get((seat, spot))
        self._answer(steps.Collect(seat, spot) if won else steps.TakeUp(seat, spot))

    def _chips_of(self, seat: int) -> Cents:
        """What a patron has in front of the seat after all that has happened here."""
        player = patron_at(self.table.settings.id, seat)
        account, chips = account_of(player), self.balance(player)
        for event, before in zip(self.events, self.befores, strict=True):
            for entry in entries(before, event):
                chips += entry.cents * ((entry.payee == account) - (entry.payer == account))
        return chips

    def _unseat(self, player: str) -> None:
        """F-15: what lies on open betting goes back; what is in action plays on, and its player decides about it."""
        seat = self.table.seat_of(player)
        if seat is None:
            raise Refused("That person has no seat here.")
        if self.table.seats[seat].leaving or self.table.seats[seat].unseated:
            return
        self._take_up([seat])
        if self.table.has_chips(seat):
            self._happen(ev.Unseated(seat))
        else:
            self._happen(ev.Left(seat, TAKEN_BACK))
            self._close_when_left()

    def _free_seats(self) -> None:
        for seat, (until, why) in self.table.kept_until.items():
            if until <= self.now:
                self._take_up([seat])
                self._happen(ev.Left(seat, why))
        if self.events:
            self._close_when_left()

    def _take_up(self, seats: Collection[int]) -> bool:
        """All that the rules let these seats pick up while betting is open; whether there was anything."""
        if not self.table.betting:
            return False
        answers = list(picked_up(self._round(), seats))
        for answer in answers:
            self._answer(answer)
        return bool(answers)

    def _own_seat(self, player: str) -> Seat:
        seat = self.table.seat_of(player) if player else None
        if seat is None:
            raise Refused("You are watching; take a seat to play.")
        return Seat(seat)

    def _bettor(self, player: str) -> Seat:
        seat = self._own_seat(player)
        if not self.table.betting:
            raise Refused("Betting is closed; your wagers play on. Bet again when it opens.")
        if self.table.seats[seat].leaving:
            raise Refused("You are leaving this seat; take a seat again to bet.")
        return seat

    def _changing(self, player: str) -> Seat:
        """Whoever changes a wager. Where people deal, everything is kept that a round could be folded again from, and
        no clock may run: there the changes of a seat have an end."""
        seat, changes = self._bettor(player), 0
        for past in reversed(self.table.past if self.table.dealer else ()):  # in older records nobody signed on
            if past.step != self.table.step:
                break
            changes += isinstance(past.event, ev.Answered) and seat_of(past.event.answer) == seat
        if changes >= MOST_CHANGES:
            raise Refused(
                f"You have changed your wagers {changes} times; they stay as they lie until the next betting."
            )
        return seat

    # Wagers and decisions.

    def _place(self, seat: Seat, spot: str, amount: Cents) -> None:
        answer = steps.Place(seat, spot, Fraction(amount))
        if self.table.round is not None:
            self.table.round.refuse(answer)
        self._changing(self.table.seats[seat].player)
        check_limits(self.table, seat, spot, amount, self.balance(self.table.seats[seat].player), self.now)
        self._answer(answer)

    def _ready(self, seat: Seat) -> None:
        if seat not in self._round().playing:
            raise Refused("Place a wager first; then the cards come.")
        if self.table.seats[seat].ready:
            return
        self._round().may_play(seat)
        self._happen(ev.Readied(seat))
        if all_ready(self.table) and self.table.settings.duty("betting") == "program":
            self._close_betting()

    def _choose(self, seat: Seat, option: str, amount: Cents | None) -> None:
        answer = decision(self.table, seat, option, amount)
        made = self._round().staked(answer)
        cost, balance = exact_cents(made[2]) if made else 0, self.balance(self.table.seats[seat].player)
        if cost > balance:
            raise Refused(f"That wagers {money(cost)} more; you have {money(balance)}.")
        self._answer(answer)

    # Closing the betting.

    def _close_when_left(self) -> None:
        """Betting closes early when the last one whom it waited for has left. Nobody is kept from leaving because the
        others' wagers break a rule together."""
        if (
            all_ready(self.table)
            and self.table.service != "paused"
            and self.table.settings.duty("betting") == "program"
        ):
            self._close_if_allowed()

    def _close_if_allowed(self) -> bool:
        """Close the betting, unless the rules do not allow it: then all is as it was."""
        before, count = self.table, len(self.events)
        try:
            self._close_betting()
        except NotAllowed:
            self.table = before
            del self.events[count:], self.befores[count:]
            return False
        return True

    def _close_betting(self) -> None:
        """Close the betting; what seats have that have left goes back first, and if the rules do not close it like
        that, what a seat has down with which it may not play. What was entered for a patron the dealer puts right."""
        if not self.table.betting:
            raise Refused("Betting is closed already.")
        anything = self._take_up([seat for seat, who in self.table.seats.items() if who.leaving])
        if self._round().playing:
            try:
                self._answer(steps.Close())
            except NotAllowed:
                unfit = [seat for seat in self._round().playing if not _may_play(self._round(), seat)]
                patrons = [seat for seat in unfit if seat in self.table.seats and self.table.seats[seat].is_patron]
                if patrons and self.table.dealer:  # in older records nobody signed on
                    raise  # the dealer has entered too little or too much for somebody who sits there
                if not self._take_up(unfit):
                    raise
                if self._round().playing:
                    self._answer(steps.Close())
        elif not anything:
            raise Refused("No seat has a wager; the round goes on when one has.")

    def _clock_ran_out(self) -> None:
        """F-30: a clock that runs out never makes a wager nobody made. It closes the betting in any case: if the wagers
        break a rule together, all that can goes back."""
        table, step = self.table, self.table.step
        if table.deadline is None or self.now < table.deadline:
            return
        if table.betting:
            if not self._close_if_allowed():
                self._take_up(self._round().playing)
                if self._round().playing:
                    self._close_betting()
        elif isinstance(step, steps.Choose) and table.on_the_clock:
            seat = min(table.gone or table.on_the_clock)
            self._answer(steps.Decide(Seat(seat), step.clock_choice.name))

    # Dealing.

    def _start_round(self, shuffle: bool, hold_over: Cents | UnsetType) -> None:
        table = self.table
        if table.round is not None:
            raise Refused("A round is being played.")
        if table.service == "closing":
            raise Refused(f"The table closes: {table.service_reason}")
        if table.out_of_service:
            raise Refused(f"Out of service: {', '.join(table.out_of_service)}. Release it before the next round.")
        if table.must_shuffle and not shuffle:
            raise Refused("The cards must be shuffled before this round.")
        root, size = self._shuffled("round") if shuffle else (None, 0)
        round = started(table, root is not None or size > 0)
        first = recorded_effects(round.effects, table)
        self._happen(ev.RoundStarted(table.round_number + 1, root, size, first, hold_over), round)

    def _go_on(self, by_person: bool) -> None:
        """What the automatic dealer does next, or whoever deals the program's own cards. Where it is the dealer's or
        the supervisor's to choose, the program takes the first option. People who deal physical cards say by it that
        they have shuffled the discards, and enter everything else."""
        table = self.table
        if table.is_shoe_empty:
            self._reshuffle("discards")
            return
        if table.settings.is_physical:
            raise Refused("Enter what comes next; only discards that were shuffled are dealt on.")
        match table.step:
            case steps.Choose(steps.Role()) if by_person:
                raise Refused("Enter what was decided.")
            case steps.Choose(steps.Role() as role, (first, *_)):
                self._answer(steps.Decide(role, first.name))
            case steps.Deal() | steps.Turn() | steps.Read() | steps.Roll():
                self._check_position()
                self._answer(self.chance.answer(table))
            case _:
                raise Refused("The dealer has nothing to do now.")

    def _check_position(self) -> None:
        uses = steps.Deal if self.table.settings.is_physical else steps.Deal | steps.Roll
        if isinstance(self.table.step, uses) and self.table.dealt >= self.table.size:
            raise NotPossible("The shoe is empty.")

    def _check_hidden(self, answer: Answer) -> None:
        """F-14: a card that one seat alone sees is entered by nobody else, and stands in no record."""
        step = self.table.step
        if isinstance(step, steps.Turn) and step.to is not steps.ALL and not isinstance(answer, Hidden):
            raise Refused(ONE_SEAT_ALONE)

    def _shuffled(self, what: Shuffle, back: Collection[Token] = ()) -> tuple[str | None, int]:
        """A new root with as many positions as there are cards: of dice there are as many rolls as the house likes.
        What people shuffle has no root."""
        table, pack = self.table, self.table.game.fresh()
        if what == "discards" and not table.discards:
            raise NotPossible("There are no cards to shuffle.")
        left = table.size - table.dealt + len(back)
        cards = {"round": pack.total, "discards": table.discards}.get(what, left) if pack is not None else 0
        if table.settings.is_physical:
            return None, cards
        root, size = self.chance.shuffled(table, what, back)
        if pack is not None and size != cards:
            raise NotPossible(f"{size} cards were shuffled where there are {cards}.")
        return root, size

    def _renew(self) -> None:
        """A new root in the middle of a round: the cards that are left with those that go back into the shuffler, or
        more rolls when the last one is rolled."""
        if self.table.settings.is_physical:
            return
        answers = [event for event in self.events if isinstance(event, ev.Answered)]
        if any(isinstance(event.answer, Rolled) for event in answers) and self.table.dealt >= self.table.size:
            self._reshuffle("rolls")
        moved = [effect for event in answers for effect in event.effects if isinstance(effect, ev.CardMoved)]
        back = [_token(effect) for effect in moved if effect.to == SHUFFLER]
        if back:
            self._reshuffle("put back", back)

    def _reshuffle(self, what: Shuffle, back: Collection[Token] = ()) -> None:
        root, size = self._shuffled(what, back)
        self._happen(ev.Reshuffled(root or "", size, discards=what == "discards"))

    # Opening and closing.

    def _check_service(self, *wanted: Service) -> None:
        if self.table.service not in wanted:
            raise Refused(f"The table is {self.table.service}.")

    def _finish_closing(self) -> None:
        """A table that closes is closed when its round is over, or when nobody is in it any more. What would stay up
        for the next round, or waits to be collected, goes back."""
        if self.table.service != "closing":
            return
        if self.table.betting and not self._round().playing:
            self._void(self.table.service_reason)
        if self.table.round is not None:
            return
        table = self.table
        players = sorted({table.seats[seat].player for seat, _ in (*table.wagers, *table.winnings)})
        back = [ev.HandedBack(player, *_lying(table, player)) for player in players]
        self._happen(ev.TableClosed(table.service_reason, tuple(back)))
        for seat in sorted(seat for seat, who in table.seats.items() if who.is_patron):
            self._happen(ev.PatronLeft(seat, self._chips_of(seat)))

    # Other settings (F-40).

    def _post_change(self, settings: TableSettings) -> None:
        """What differs is posted first, and only then in force."""
        if self.table.change is not None:
            raise Refused("Another change is posted already; withdraw it first, or wait until it is in force.")
        check_change(self.table.settings, settings, self.table.seats)
        try:
            game = check_settings(settings, self.now)
        except FeltworksError as problem:
            raise Refused(str(problem)) from None
        differences = tuple(differences_between(self.table.settings, self.table.game, settings, game))
        if not differences:
            raise Refused("The table has these settings already.")
        prints = game.fingerprint
        standing_then = standing(settings, game)
        self._happen(ev.ChangePosted(settings, differences, prints["definition"], prints["build"], standing_then))

    def _change_settings(self) -> None:
        """Between two rounds, when no wager and no win lies on the table, what was posted comes into force. A round in
        which nobody has a wager yet begins anew. What cannot be any more, because the law or the rules that are
        installed are others now, is withdrawn with the reason."""
        table = self.table
        if table.change is None or table.wagers or table.winnings:
            return
        if table.betting:
            self._void("The settings of the table change.")
        if self.table.round is not None:
            return
        settings = table.change.settings
        try:
            game = check_settings(settings, self.now)
        except FeltworksError as problem:
            self._happen(ev.ChangeWithdrawn(str(problem)))
            return
        prints = game.fingerprint
        if prints["definition"] != table.change.definition:
            self._happen(ev.ChangeWithdrawn("The rules on this machine are not those that were posted; post it again."))
            return
        self._happen(ev.SettingsChanged(settings, prints["definition"], prints["build"], standing(settings, game)))

    # What goes wrong.

    def _report(self, report: cmd.Report) -> None:
        if self.table.incident:
            raise Refused(f"{self.table.incident.capitalize()} is not decided yet; decide that first.")
        check_whole_chips(self.table, report.amount or 0)
        between = self.table.round is None or self.table.round.over
        if between and report.incident == DEVICE_FAULT:
            if len(self.table.out_of_service) >= MOST_OUT_OF_SERVICE:
                raise Refused("So many devices are out of service at this table that one has to be released first.")
            if device_of(report.text) in self.table.out_of_service:
                raise Refused(f"{device_of(report.text).capitalize()} is out of service already.")
        else:
            self._round().report(incident_of(report))
        self._happen(ev.Reported(report.incident, report.text, report.seat, report.spots, report.amount))

    def _resolve(self, command: cmd.Resolve) -> None:
        """F-28: what was reported is decided once, and by whoever has seen what it is about."""
        if not self.table.incident:
            raise Refused("Nothing was reported at this table.")
        if command.report not in (0, self.table.report):
            raise Refused("What you saw is decided already; something else was reported since. Look at the table.")
        reason = command.reason
        if reason is not UNSET:
            reason = said(reason, "Say why it is decided so.", LONGEST_REASON)
        self._answer(steps.Decide(steps.Role(command.role), command.option), reason)

    def _release(self, what: str, reason: str) -> None:
        """D-10: the release is an act of its own, with its reason."""
        if what == CARDS and self.table.round is not None:
            raise Refused("The cards are released between two rounds; the next one begins with a shuffle of them.")
        if what not in self.table.out_of_service:
            raise Refused(f"{what.capitalize()} is not out of service at this table.")
        if not reason.strip():
            raise Refused("Give the reason for the release: who looked at it, and what was found.")
        self._happen(ev.Released(what, reason))

    def _void(self, reason: str) -> None:
        """F-17: every wager in action goes back; what was settled stands, and what lies there of it is handed out."""
        table, round = self.table, self._round()
        if round.over:
            raise Refused("The round is settled; what is settled stands.")
        returned = [settled(round.push(seat, spot, "Void", "F-17"), table.settings) for seat, spot in round.wagers]
        returned += [uncollected(seat, spot, int(cents)) for (seat, spot), cents in round.winnings.items()]
        self._happen(ev.Voided(table.round_number, reason, tuple(returned), self.chance.openings(table)))


def _capital(said: str) -> str:
    """What the rules say may begin with the name of a card."""
    return said[:1].upper() + said[1:]


def _sentence(reason: str) -> str:
    """A reason as it is told after a colon."""
    said = reason.strip()
    if not said:
        raise Refused("Say why.")
    return said if said[-1] in ".!?" else f"{said}."


def _lying(table: Table, player: str) -> tuple[Cents, Cents]:
    """What a player has on the layout between two rounds: wagers and winnings."""
    seat = table.seat_of(player)
    wagers, winnings = (
        sum(int(cents) for (at, _), cents in laid.items() if at == seat) for laid in (table.wagers, table.winnings)
    )
    return wagers, winnings


def all_ready(table: Table) -> bool:
    """Whether somebody who plays is ready, and so is everybody whom the table waits for: who has a wager, and is there
    or was until a moment ago, which the clock knows. A table that was opened without the clock of the absent waits for
    who is there; but where betting was opened again and takes no wager with which a seat comes in, for who has one."""
    round, step = table.round, table.step
    if round is None or not isinstance(step, steps.Bet):
        return False
    here = {seat: who for seat, who in table.seats.items() if not who.leaving}
    ready = {seat for seat, who in here.items() if who.ready}
    if table.settings.clocks.absent is not UNSET:
        have_bet = here.keys() & set(round.playing)
        return bool(have_bet) and have_bet <= ready
    comes_in = any(w.required and not w.opens.keys().isdisjoint(step.spots) for w in table.game.wagers.values())
    awaited = {s for s, who in here.items() if who.present and (table.windows < 2 or comes_in or s in round.playing)}
    return awaited <= ready and not ready.isdisjoint(round.playing)


def _may_play(round: Round, seat: Seat) -> bool:
    try:
        round.may_play(seat)
    except NotAllowed:
        return False
    return True


def _token(moved: ev.CardMoved) -> Token:
    return Token(None if moved.owner is None else Seat(moved.owner), moved.name)
