"""Yo! (documents 000 and 001): four dice, a point, nine wagers, a shooter and a cup."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from feltworks.games.yo.incidents import AFTER_THE_CLOSE, BY_KIND, DIE_STUCK, NO_ROLLS, ON_THE_LINE
from feltworks.kit import (
    Answer,
    Bet,
    Call,
    Choose,
    Close,
    Collect,
    Decide,
    Incident,
    Items,
    Move,
    NoRoll,
    NotAllowed,
    NotPossible,
    Option,
    Over,
    Place,
    Role,
    Roll,
    Round,
    Seat,
    Settlement,
    Stake,
    TakeUp,
    in_sentence,
    note,
    task,
)

Settlements = Iterator[Settlement]

POINTS = (4, 5, 6, 8, 9, 10)
CRAPS = (2, 3, 12)
ARC = ("high", "low", "pairs", "eleven", "craps")
PAIRS = {4: "4, 10", 10: "4, 10", 5: "5, 9", 9: "5, 9", 6: "6, 8", 8: "6, 8"}
"""The points that are alike, as the pay tables name them."""

SEVEN_ELEVEN = "Seven with a bonus eleven"
NUMBERS = dict(enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)) | {1: "one"}

BETTING_OPENS = Move("hand", "a wave across the arc, palm up")
BETTING_CLOSES = Move("hand", "a wave across the arc, palm down")
"""Y-36: the signals that surveillance sees."""
HANDS_CLEARED = Move("hands", "cleared")
DICE_COLLECTED = Move("dice", "collected, all four")


@dataclass(frozen=True)
class Yo(Round):
    """One game: from the first open betting to the made point or the seven-out."""

    point: int | None = None
    new_point: bool = False
    """Whether the last roll set the point."""
    shooter: Seat | None = None
    """Whose turn with the cup it is."""
    roller: Seat | Role | None = None
    """Who rolls in this game, once that is known: the shooter, the dealer, or whom the supervisor named."""
    moves_on: bool = False
    """Whether the cup goes to the next seat when betting next closes."""

    def play(self) -> Items:
        """Y-31: the game starts with the marker on NO."""
        yield Move("marker", "NO")
        yield task(self.betting)

    @property
    def carry(self) -> dict[str, Any]:
        """Y-08, Y-20, Y-22: the shooter, and the wagers that were neither decided nor taken up."""
        return {"shooter": self.shooter, "moves_on": self.moves_on, **self.left_up}

    @property
    def told(self) -> dict[str, str]:
        facts = {"point": "none" if self.point is None else str(self.point)}
        if self.shooter is not None and not (self.moves_on and self.roller is None):
            facts["shooter"] = f"seat {self.shooter}"
        if self.roller is not None and self.roller != self.shooter:
            facts["roller"] = self.roller.value if isinstance(self.roller, Role) else f"seat {self.roller}"
        return facts

    @property
    def turn_over(self) -> bool:
        return self.moves_on

    # Betting.

    def betting(self) -> Items:
        """Y-24, Y-36: the dealer opens the betting with a wave of the hand, and closes it."""
        yield BETTING_OPENS
        yield Call("Betting is open.")
        yield Bet(self.window, self.open_spots)
        yield task(self.betting_closed)

    @property
    def window(self) -> str:
        if self.point is None:
            return "come-out"
        return "new point" if self.new_point else "point"

    @property
    def open_spots(self) -> tuple[str, ...]:
        """Y-12, Y-14: More and Yo! right after the point is set, or as long as it is on."""
        spots = self.game.betting(self.window).spots
        late = [w for w in ("more", "yo") if self.game.reading(f"{w}_window") == "any"]
        return spots + tuple(w for w in late if self.point is not None and w not in spots)

    def may_close(self) -> None:
        """Y-21: there is nobody to roll for until a seat has Play."""
        if not (self.wagers or self.winnings or self.roller):
            raise NotAllowed("No seat has Play, so there is nobody to roll for (Y-21); place Play first.")

    def betting_closed(self) -> Items:
        """Y-04, Y-36: what lies there without Play goes back; without any Play at the table there is no game. Only when
        the betting is closed are the dice sent out."""
        yield BETTING_CLOSES
        yield Call("No more bets.")
        nobody = self.point is None and not self.with_play
        if nobody or self.game.reading("circle_without_play") == "returned":
            for seat, spot in [*self.wagers]:
                if not self.may_bet(seat):
                    yield self.push(seat, spot, "No Play", "Y-04")
        if nobody:
            yield Over()
            return
        if self.game.reading("arc_win_left") == "all":
            yield task(self.wins_play)
        yield task(self.hand_cup)

    def wins_play(self) -> Items:
        """Y-20: by this reading all that lies on an arc spot is in action."""
        lying = {(s, spot): won for (s, spot), won in self.winnings.items() if self.may_bet(s)}
        if lying:
            wagers = {**self.wagers, **{(s, spot): self.stake(s, spot) + won for (s, spot), won in lying.items()}}
            yield note(wagers=wagers, winnings={k: v for k, v in self.winnings.items() if k not in lying})

    def binds_when_placed(self, spot: str) -> bool:
        """Y-08: by the letter of 000 what lies in a circle does not come up again."""
        return self.game.wager_of(spot).kind == "contract" and self.game.reading("contract_from") == "placed"

    def may_bet(self, seat: Seat) -> bool:
        """Y-04: a seat with Play or Late Play may make other wagers."""
        return self.has(seat, "play") or self.has(seat, "late_play")

    # The shooter.

    @property
    def with_play(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if self.has(seat, "play"))

    def next_with_play(self, seat: Seat) -> Seat:
        """The next seat clockwise that has Play; after the last seat comes the first."""
        seats = self.with_play
        return next((s for s in seats if s > seat), seats[0])

    def hand_cup(self) -> Items:
        """Y-21, Y-22: the first seat from the dealer's left with Play shoots, then the next in line. Who lost Play
        and did not renew it has declined; but whoever was named instead of a shooter rolls until the game is over."""
        if self.point is None:
            shooter = self.with_play[0] if self.shooter is None else self.shooter
            new_turn = self.moves_on and self.roller is None
            declined = not self.moves_on and not self.has(shooter, "play")
            if self.shooter is not None and (new_turn or declined):
                shooter = self.next_with_play(shooter)
            if new_turn or shooter != self.shooter:
                yield note(shooter=shooter, moves_on=False, roller=None)
        yield task(self.offer_cup)

    def offer_cup(self) -> Items:
        """Y-23: a seat may decline before it has rolled, and withdraw afterwards."""
        shooter = self.shooter
        assert shooter is not None
        if isinstance(self.roller, Role):
            yield task(self.drop_dice, self.roller)
        elif self.roller is not None and not self.has(self.roller, "play"):
            yield task(self.withdraw, self.roller)
        elif self.roller is not None:
            yield Choose(frozenset({self.roller}), (WITHDRAW, ROLL), neutral=True)
        else:
            others = len(self.with_play) > 1
            options = (DEALER_ROLLS, ROLL, PASS) if others else (DEALER_ROLLS, ROLL)
            yield Choose(frozenset({shooter}), options, neutral=True)

    def pass_cup(self, seat: Seat) -> Items:
        """Y-23: the turn passes to the next seat in line."""
        yield note(shooter=self.next_with_play(seat))
        yield task(self.offer_cup)

    def withdraw(self, seat: Seat) -> Items:
        """Y-23: the supervisor or a manager names who rolls, the dealer included; after this game the next in line
        shoots."""
        yield note(moves_on=True)
        named = [Option(f"seat {s} rolls", then=Yo.name_roller, args=(s,)) for s in self.with_play if s != seat]
        options = (Option("dealer rolls", then=Yo.name_roller, args=(Role.DEALER,)), *named)
        yield Choose(Role.SUPERVISOR, options, True, sentence="The supervisor names who rolls.", manager=True)

    def name_roller(self, supervisor: Role, roller: Seat | Role) -> Items:
        yield task(self.drop_dice, roller)

    def dealer_rolls(self, seat: Seat) -> Items:
        yield task(self.drop_dice, Role.DEALER)

    # The dice.

    def drop_dice(self, roller: Seat | Role) -> Items:
        """Y-33: the dice are sent out, and rolled."""
        yield note(roller=roller)
        yield from self.send_out_dice(roller)
        yield Roll(4, NO_ROLLS)
        yield task(self.rolled)

    def send_out_dice(self, roller: Seat | Role) -> Items:
        """Y-33, Y-34: the dealer stacks all four dice, drops them into the cup together and passes it on, the hands
        cleared before and after; the cup stands beside the circles of who rolls, clear of every spot."""
        yield HANDS_CLEARED
        yield Move("dice", "stacked, all four")
        yield Move("dice", "cup")
        yield HANDS_CLEARED
        yield Move("cup", "dealer" if isinstance(roller, Role) else f"seat {roller}")

    def rolled(self) -> Items:
        """Y-30: dice secured, losers taken, winners paid, the arc after the circles, from the dealer's right."""
        if isinstance(self.dice, NoRoll):
            yield from self.no_roll(self.dice)
            return
        first, second, *_ = self.dice
        yield from self.show_dice(self.dice)
        yield from self.take_and_pay([s for seat in reversed(self.playing) for s in self.decided(seat)])
        yield from self.after_roll(first + second)

    def no_roll(self, no_roll: NoRoll) -> Items:
        """Y-25: the cup is emptied and the dice are dropped again; a die that is stuck is for the supervisor to
        free."""
        yield Call("No roll.")
        assert self.roller is not None
        if no_roll.reason == DIE_STUCK:
            yield Move("cup", "supervisor")
            yield Choose(Role.SUPERVISOR, (DIE_FREED,), sentence="The supervisor frees the die.")
        else:
            yield Move("dice", "out of the cup")
            yield DICE_COLLECTED
        yield task(self.drop_dice, self.roller)

    def dice_taken_back(self, supervisor: Role) -> Items:
        """Y-25, Y-33: the dealer has the cup and all four dice again before they are stacked."""
        yield Move("cup", "bankroll")
        yield DICE_COLLECTED

    def show_dice(self, dice: tuple[int, ...]) -> Items:
        """Y-32, Y-33: called, then collected set by set with the called faces up: the game dice in front and the bonus
        dice behind; reversed when the bonus dice show 11."""
        first, second, *bonus = dice
        eleven = sum(bonus) == 11
        yield Call(f"{called(first, second)}, and a bonus eleven." if eleven else f"{called(first, second)}.")
        yield Move("cup", "bankroll")
        sets = [("game dice", (first, second)), ("bonus dice", bonus)]
        for place, (name, faces) in zip(("front", "behind"), reversed(sets) if eleven else sets, strict=True):
            yield Move(name, f"collected, {' and '.join(map(str, faces))} up")
            yield Move(name, place)

    def take_and_pay(self, settled: Iterable[Settlement]) -> Items:
        """Y-30."""
        decided = list(settled)
        losers = [s for s in decided if s.stake is Stake.TAKEN]
        others = [s for s in decided if s.stake is not Stake.TAKEN]
        yield from sorted(losers, key=_on_arc)
        yield from sorted(others, key=_on_arc) if self.game.reading("pay_order") == "circles" else others

    def after_roll(self, total: int) -> Items:
        """Y-05 to Y-07, Y-22, Y-31: the point is set, made or lost, or the game goes on."""
        if self.point is None and total in POINTS:
            yield Move("marker", str(total))
            yield Call(f"New Point of {total} has been marked.")
            yield note(point=total, new_point=True)
            yield task(self.betting)
        elif self.point is not None and total in (self.point, 7):
            made = total == self.point
            yield Move("marker", "NO")
            yield Call(f"The point {total} is made." if made else "Game resets with a 7; please place your bets.")
            passes = self.moves_on or not made or self.game.reading("dice_pass_on") == "decision"
            yield note(point=None, new_point=False, roller=None, moves_on=passes)
        else:
            yield note(new_point=False)
            yield task(self.betting)

    # What a roll decides.

    def decided(self, seat: Seat) -> Settlements:
        """Every wager of a seat that the roll decides."""
        assert not isinstance(self.dice, NoRoll)
        first, second, *bonus = self.dice
        wagers = {spot for s, spot in self.wagers if s == seat}
        total = first + second
        if "play" in wagers:
            yield from self.play_wager(seat, total)
        for spot in ("late_play", "more"):
            if spot in wagers:
                yield from self.point_wager(seat, spot, total)
        if "yo" in wagers and self.point is not None:
            yield from self.yo_wager(seat, total, pair=first == second, eleven=sum(bonus) == 11)
        for spot in ARC:
            if spot in wagers:
                yield self.arc_wager(seat, spot, first, second)

    def play_wager(self, seat: Seat, total: int) -> Settlements:
        """Y-05, Y-06, Y-07."""
        if self.point is None:
            if total == 7 and self.game.reading("come_out_seven") == "decided":
                yield self.push(seat, "play", "Seven before a point", "Y-05")
            elif total == 11:
                yield self.by_table(seat, "play", "Eleven before a point", "Y-05")
            elif total in CRAPS:
                yield self.lose(seat, "play", "2, 3 or 12 before a point", "Y-05")
        elif total == self.point:
            yield self.by_table(seat, "play", "Point made", "Y-06")
        elif total == 7:
            pushes = self.game.reading("seven_out_play") == "push"
            out = self.push if pushes else self.lose
            yield out(seat, "play", "Seven out", "Y-07")

    def point_wager(self, seat: Seat, spot: str, total: int) -> Settlements:
        """Y-10, Y-13: Late Play and More win with the point and lose with the seven."""
        rule = "Y-10" if spot == "late_play" else "Y-13"
        if self.point is not None and total == self.point:
            yield self.by_table(seat, spot, PAIRS[total], rule)
        elif self.point is not None and total == 7:
            yield self.lose(seat, spot, "Seven out", rule)

    def yo_wager(self, seat: Seat, total: int, *, pair: bool, eleven: bool) -> Settlements:
        """Y-15 to Y-18: decided by the bonus dice while a point is on."""
        made = total == self.point
        if total == 7:
            if not eleven:
                yield self.lose(seat, "yo", "Seven out", "Y-17")
            elif self.game.reading("yo_seven_eleven") == "returned":
                yield self.push(seat, "yo", SEVEN_ELEVEN, "Y-17")
            return
        down = made and self.game.reading("yo_on_point_made") == "returned"
        if eleven:
            line = "11 and game dice 11" if total == 11 else "11 and any pair" if pair else "11 and any other number"
            down = down or self.game.reading("yo_after_win") == "comes_down"
            won = self.by_table(seat, "yo", line, "Y-16")
            yield won if down else replace(won, stake=Stake.STAYS)
        elif down:
            yield self.push(seat, "yo", "Point made", "Y-18")

    def arc_wager(self, seat: Seat, spot: str, first: int, second: int) -> Settlement:
        """Y-19, Y-20: decided by every roll of the game dice. What wins stays, and what it won lies there too."""
        total = first + second
        wins = {
            "high": total in (8, 9, 10),
            "low": total in (4, 5, 6),
            "pairs": first == second and first not in (1, 6),
            "eleven": total == 11,
            "craps": total in CRAPS,
        }
        if wins[spot]:
            (line,) = self.game.pay_table(spot).names
            return replace(self.by_table(seat, spot, line, "Y-19"), stake=Stake.STAYS)
        return self.lose(seat, spot, "Seven" if total == 7 else "Another number", "Y-19")

    def why(self, settled: Settlement, before: "Yo") -> str:
        """Y-05 to Y-07, Y-10, Y-13, Y-16 to Y-19: what the dice showed, and the point that was on."""
        if isinstance(self.dice, NoRoll) or not self.dice:
            return in_sentence(settled.line)
        first, second, *_ = self.dice
        total, point = first + second, before.point
        if settled.spot in ARC:
            return self.why_on_arc(settled.spot, first, second)
        if point is None:
            return f"{total} before a point"
        if total == 7:
            return "7 with a bonus eleven" if settled.line == SEVEN_ELEVEN else f"7 before the {point}"
        if settled.rule == "Y-16":
            return f"a bonus eleven and {pair_of(first) if first == second else f'game dice {total}'}"
        return f"the point {point} is made"

    def why_on_arc(self, spot: str, first: int, second: int) -> str:
        """Y-19."""
        total, (wanted,) = first + second, self.game.pay_table(spot).names
        if spot == "pairs":
            if first != second:
                return f"{first} and {second} are no pair"
            return f"{first} and {second}" + (" are not among the pairs" if first in (1, 6) else ", a pair")
        numbers = wanted.split(", ")
        if str(total) in numbers:
            return f"the dice show {total}"
        return f"{total} is not {' or '.join(filter(None, (', '.join(numbers[:-1]), numbers[-1])))}"

    @staticmethod
    def alike(dice: tuple[int, ...]) -> tuple[int, ...]:
        """Y-03: the game dice in any order; of the bonus dice only whether they show 11."""
        first, second, *bonus = dice
        return (min(first, second), max(first, second), *((5, 6) if sum(bonus) == 11 else (1, 1)))

    # What is refused, and by which statement.

    def check(self, answer: Answer) -> None:
        match self.next, answer:
            case Bet(), Place(seat, spot, amount):
                self.check_place(seat, spot, amount)
            case Bet(), TakeUp(seat, spot) if (seat, spot) in self.contract:
                title = self.game.spot_title(spot)
                raise NotAllowed(f"{title} is a contract bet: it stays as it is until it is decided (Y-08).")
            case Bet(), tuple() | NoRoll():
                raise NotAllowed("Betting is open; close it before the dice are rolled (Y-24).")
            case Choose(Role() as role), other if not isinstance(other, Decide):
                raise NotAllowed(f"The {role.value} decides first; until then nothing else happens (Y-26).")
            case Choose(), tuple() | NoRoll():
                raise NotAllowed("Who rolls is not said yet; the shooter rolls, declines or passes first (Y-23).")
            case ((Roll() | Choose()), (Place(_, spot) | TakeUp(_, spot) | Collect(_, spot))):
                rule = "nobody touches the arc (Y-20)" if spot in ARC else "it is no bet and goes back (Y-24)"
                raise NotAllowed(f"Betting is closed: {rule}.")
            case Roll(), Close():
                raise NotAllowed("Betting is closed already; the dice are out (Y-24).")
            case Roll(), tuple() as dice if len(dice) != 4 or not all(d in range(1, 7) for d in dice):
                shown = ", ".join(map(str, dice))
                raise NotPossible(
                    f"Four dice are rolled, two game dice and two bonus dice, 1 to 6 each; not {shown} (Y-01)."
                )

    def check_place(self, seat: Seat, spot: str, amount: Any) -> None:
        """Y-04, Y-08, Y-09, Y-11, Y-12, Y-14, Y-20."""
        if (seat, spot) in self.contract:
            title = self.game.spot_title(spot)
            raise NotAllowed(f"{title} is a contract bet: nothing is added until it is decided (Y-08).")
        late = self.has(seat, "late_play")
        match spot:
            case "play" if self.point is not None:
                raise NotAllowed(
                    "Play is made only while no point is on (Y-04); a seat without Play may make Late Play."
                )
            case "late_play" if self.point is None:
                raise NotAllowed("Late Play is made only while a point is on (Y-09); make Play.")
            case "late_play" if self.has(seat, "play"):
                raise NotAllowed("Late Play is for a seat without Play (Y-09).")
            case "more" | "yo" if late and self.game.reading("late_play_more_yo") == "no":
                raise NotAllowed("A seat with Late Play makes neither More nor Yo! (Y-11).")
            case "more" | "yo" if not late and not self.has(seat, "play"):
                raise NotAllowed(f"{self.game.spot_title(spot)} needs Play (Y-04); place that first.")
            case "more" if spot not in self.open_spots:
                raise NotAllowed("More is made in the betting right after the roll that set the point (Y-12).")
            case "yo" if spot not in self.open_spots:
                raise NotAllowed("Yo! is made before a point, or right after the roll that set it (Y-14).")
            case "more":
                self.check_more(seat, amount)
            case _ if spot in ARC and not self.may_bet(seat):
                raise NotAllowed("The arc is for seats with Play or Late Play (Y-04); place that first.")

    def check_more(self, seat: Seat, amount: Any) -> None:
        """Y-12: how much More may exceed Play is for the house to say."""
        multiple = self.game.reading("more_multiple")
        behind = "play" if self.has(seat, "play") else "late_play"
        if multiple != "any" and self.stake(seat, "more") + amount > int(multiple) * self.stake(seat, behind):
            title = self.game.spot_title(behind)
            raise NotAllowed(f"More is at most {multiple} times {title} at this house (Y-12).")

    # Incidents.

    @property
    def incidents(self) -> tuple[str, ...]:
        """Y-26 to Y-29, Y-36, F-28."""
        return (*BY_KIND, ON_THE_LINE, AFTER_THE_CLOSE, *super().incidents)

    def on_incident(self, incident: Incident) -> Choose:
        """Y-26 to Y-29, Y-36: who decides, and what; until then only that is accepted."""
        if isinstance(self.next, Choose) and isinstance(self.next.who, Role):
            raise NotAllowed(f"The {self.next.who.value} decides first; report it when that is done (Y-26).")
        if incident.kind == ON_THE_LINE:
            return self.on_the_line(incident)
        if incident.kind == AFTER_THE_CLOSE:
            return self.after_the_close(incident)
        kind = BY_KIND.get(incident.kind)
        if kind is None:
            return super().on_incident(incident)
        if not isinstance(self.next, Roll):
            return Choose(kind.role, tuple(map(Option, kind.otherwise)), sentence=kind.asks)
        if kind.rule == "Y-26" and self.game.reading("roll_after_incident") == "no_roll":
            return Choose(kind.role, (NO_ROLL,), sentence=kind.asks)
        options = tuple(NO_ROLL if name == "no roll" else Option(name) for name in kind.at_roll)
        return Choose(kind.role, options, sentence=kind.asks)

    def roll_does_not_count(self, role: Role) -> Items:
        """Y-26: the dice are collected and rolled again."""
        assert self.roller is not None
        yield Call("No roll.")
        yield from self.dice_taken_back(role)
        yield from self.send_out_dice(self.roller)

    def after_the_close(self, incident: Incident) -> Choose:
        """Y-24, Y-36: chips that somebody puts down after the close are no bet: a wave over them, or they are pushed
        back."""
        if isinstance(self.next, Bet):
            raise NotAllowed("Betting is open; what is put down now is a wager (Y-24).")
        if incident.seat is None or len(incident.spots) != 1:
            raise NotAllowed("Name the seat and the spot on which chips were put after the close (Y-36).")
        chips = f"seat {incident.seat}'s chips on {self.game.spot_title(incident.spots[0])}"
        moves = (Move("hand", f"a wave over {chips}"), Move(chips, "pushed back"))
        options = zip(("wave over it", "push it back"), moves, strict=True)
        return Choose(Role.DEALER, tuple(Option(name, then=Yo.no_bet, args=(move,)) for name, move in options))

    def no_bet(self, dealer: Role, signal: Move) -> Items:
        """Y-36."""
        yield Call("No bet.")
        yield signal

    def on_the_line(self, incident: Incident) -> Choose:
        """Y-29: the supervisor says on which of two arc spots what lies on the line belongs, before take and pay. The
        first of the two is the one it was placed on; what lies squarely on either is not touched."""
        seat, spots, amount = incident.seat, incident.spots, incident.amount
        if isinstance(self.next, Bet):
            raise NotAllowed(
                "While betting is open the owner moves the wager; after the close the supervisor says (Y-29)."
            )
        if seat is None or len(set(spots)) != 2 or not all(spot in ARC for spot in spots):
            raise NotAllowed(f"Name the seat and the two arc spots, of {', '.join(ARC)} (Y-29).")
        if amount is None or amount <= 0:
            raise NotAllowed("Name the amount that lies on the line (Y-29).")
        placed, other = spots
        if self.stake(seat, placed) < amount:
            raise NotAllowed(
                f"Seat {seat} has less than that on {placed}; name first the spot on which it was placed, and what of"
                " it lies on the line (Y-29)."
            )
        stays = Option(placed, then=Yo.lies_on, args=(seat, placed, placed, amount))
        return Choose(Role.SUPERVISOR, (stays, Option(other, then=Yo.lies_on, args=(seat, placed, other, amount))))

    def lies_on(self, supervisor: Role, seat: Seat, placed: str, spot: str, amount: Fraction) -> Items:
        """Y-29."""
        yield Move(f"seat {seat}'s wager on the line", self.game.spot_title(spot))
        moved = {(seat, placed): self.stake(seat, placed) - amount, (seat, spot): self.stake(seat, spot) + amount}
        if spot != placed:
            yield note(wagers={place: lies for place, lies in {**self.wagers, **moved}.items() if lies})


def called(first: int, second: int) -> str:
    """The game dice as the dealer calls them: "Twelve, craps", "Eight, a pair of fours", "Seven"."""
    number = NUMBERS[first + second].capitalize()
    if first + second in CRAPS:
        return f"{number}, craps"
    return f"{number}, {pair_of(first)}" if first == second else number


def pair_of(die: int) -> str:
    return f"a pair of {NUMBERS[die]}{'es' if die == 6 else 's'}"


def _on_arc(settlement: Settlement) -> bool:
    return settlement.spot in ARC


def _roll(round: Yo, seat: Seat) -> Items:
    yield task(Yo.drop_dice, seat)


DEALER_ROLLS = Option("dealer rolls", then=Yo.dealer_rolls)
ROLL = Option("roll", then=_roll)
PASS = Option("pass", then=Yo.pass_cup, title="Pass the dice")
WITHDRAW = Option("withdraw", then=Yo.withdraw, title="Withdraw")
NO_ROLL = Option("no roll", then=Yo.roll_does_not_count)
DIE_FREED = Option("die freed", then=Yo.dice_taken_back)

ROUND = Yo
