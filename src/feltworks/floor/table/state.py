"""The state of a table: a fold of its events (F-16), so that a replay gives the same, and a killed process resumes
where it was. How an event changes it stands in `evolve.py`, what a command makes happen in `decide.py`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Account, Cents, account_of, is_patron
from feltworks.floor.person import is_robot
from feltworks.floor.table import events as ev
from feltworks.floor.table.pending import NOTHING, Dispute, HeldWin, Pending
from feltworks.floor.table.settings import TableSettings, standing
from feltworks.floor.table.settings_check import check_settings
from feltworks.kit import steps
from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.round import OUT_OF_SERVICE, VOID, Round
from feltworks.kit.standing import Standing
from feltworks.kit.unseen import Unseen

TAKEN_BACK = "seat taken back"
"""Why somebody who may not play here has the seat no longer: everybody at the table reads it, so it says no more."""
Service = Literal["open", "paused", "closing", "closed"]
"""Whether a table is played at: while it is closing, to the end of the round."""


@dataclass(frozen=True)
class Occupant:
    """Who sits at a seat."""

    player: str
    away_since: ev.Time | None = None
    leaving: bool = False
    ready: bool = False
    missed: int = 0
    """The rounds that began since the player last had a wager, sat down or came back."""
    unseated: bool = False
    """Whether the player may not play on: the seat is free when nothing of it is in action."""

    @property
    def present(self) -> bool:
        return self.away_since is None

    @property
    def is_patron(self) -> bool:
        """Whether it is somebody without an account, for whom the dealer enters everything and no clock runs."""
        return is_patron(self.player)

    @property
    def is_person(self) -> bool:
        """Whether anybody has to follow with their eyes: a robot has not, and nobody waits or hurries for it."""
        return not is_robot(self.player)


Remembered = ev.Answered | ev.Reported | ev.Reshuffled | ev.Left | ev.PatronLeft


@dataclass(frozen=True)
class Past:
    """Something of the round that is played, at a table where people deal: an answer, a report, a shuffle, or that
    somebody is gone. With it the round can be folded again (F-20)."""

    event: Remembered
    step: steps.Step | None
    """At which the round waited."""
    entered: bool = False
    """Whether it is something that a person entered for the house or for a patron."""
    before: "Table | None" = field(default=None, compare=False, repr=False)
    """The table at which it happened, without what had happened before: from there the round is folded again. There is
    none where seats were deciding together."""


@dataclass(frozen=True)
class Table:
    """The state of a table: what everybody may know. Sealed cards and rolls to come have no identity here."""

    settings: TableSettings
    game: Game
    seats: Mapping[int, Occupant] = field(default_factory=dict)
    round_number: int = 0
    round: Round | None = None
    unseen: Unseen | None = None
    carry: Mapping[str, Any] = field(default_factory=dict)
    root: str | None = None
    size: int = 0
    dealt: int = 0
    """How many positions under the root are used: cards dealt or burnt, dice rolled, wheels spun."""
    positions: Mapping[Token, tuple[str, int]] = field(default_factory=dict)
    """Where each card of the round lay, and each roll or spin: that is the token `roll 1` or `spin 1` and so
    on."""
    dice: tuple[int, ...] | None = None
    """The last roll, as it lies there."""
    pocket: steps.Pocket | None = None
    """Where the wheel has stopped that was spun last."""
    things: Mapping[str, str] = field(default_factory=dict)
    """Where the dealer put the marker, the cup and the like last."""
    results: tuple[ev.Settled, ...] = ()
    """What was settled in this round since betting was last closed."""
    brought: Mapping[int, Cents] = field(default_factory=dict)
    """What the whole round has brought each seat so far, by the settlements of all its bettings."""
    paid: Mapping[str, Cents] = field(default_factory=dict)
    """What the round has paid on each spot so far, to all seats together (F-09)."""
    hold_over: Cents | UnsetType = UNSET
    """A payout of this round above that is held until it is verified (F-19)."""
    pending: Pending = NOTHING
    """What is open behind the rounds: wins to be verified, and disputes."""
    reasons: tuple[str, ...] = field(default=(), compare=False)
    """Why, of each of the results: words that another build may choose otherwise, so that they are in no record."""
    deadline: ev.Time | None = None
    usual: ev.Time | None = None
    """The deadline of those who are there, whoever comes and goes meanwhile; none for somebody alone."""
    began: int = 0
    """The version with which the round, or the last betting in it, began: what somebody sends who saw less is meant
    for another one."""
    windows: int = 0
    """How often betting was opened in the round."""
    longer: bool = False
    incident: str = ""
    """What was reported and is not decided yet."""
    report: int = 0
    """The number of the event that reported it."""
    report_text: str = ""
    """What was seen."""
    closed: bool = False
    """Whether the table is closed for good."""
    service: Service = "open"
    service_reason: str = ""
    """Why it is not open."""
    change: ev.ChangePosted | None = None
    """Other settings that are posted and not in force yet."""
    set_by: int = 1
    """The number of the event from which the table has its settings."""
    dealer: str = ""
    """The person who has signed on (F-41), if anybody has."""
    done: int = 0
    """So many of the effects of the round are carried out (F-27)."""
    carried: frozenset[int] = frozenset()
    """Of the effects after those, the positions of what was carried out before an entry was taken back or corrected."""
    undo: tuple[ev.Settled, ...] = ()
    """What was taken or paid by an entry that was wrong, and has to be put right on the layout."""
    locked: int = 0
    """So many of the answers of the round the dealer cannot take back, because a step after them was entered once, or
    the supervisor has corrected something (F-20)."""
    begun: "Table | None" = None
    """Where people deal: the table as the round began."""
    past: tuple[Past, ...] = ()
    """Where people deal: what has happened in the round since."""
    first: tuple[ev.Effect, ...] = ()
    """Where people deal: what the dealer says and does as the round begins; and between two rounds, what the last one
    left to take, to pay and to hand back when it became void."""
    version: int = 0
    shown: "Table | None" = None
    """The table before several seats began to decide together: what they choose is shown when all of them have."""

    @property
    def step(self) -> steps.Step | None:
        return self.round.next if self.round is not None else None

    @property
    def betting(self) -> bool:
        return isinstance(self.step, steps.Bet)

    @property
    def effects(self) -> tuple[ev.Effect, ...]:
        """Where people deal: all that the round has caused so far, in the document's order (F-27)."""
        answered = (past.event for past in self.past if isinstance(past.event, ev.Answered))
        return (*self.first, *(effect for event in answered for effect in self._in_turn(event.effects)))

    def _in_turn(self, effects: tuple[ev.Effect, ...]) -> tuple[ev.Effect, ...]:
        """What a void hands back, from the dealer's right to left as all take and pay goes; the record has it in the
        order in which the wagers were placed (F-17)."""
        if not effects or not _is_void(effects[-1]):
            return effects
        back = [effect for effect in effects if isinstance(effect, ev.Settled) and _is_void(effect)]
        return (*(effect for effect in effects if not _is_void(effect)), *self.from_the_right(back))

    def from_the_right(self, settled: Iterable[ev.Settled]) -> list[ev.Settled]:
        """Seat by seat from the dealer's right to left, and in a seat in the order of the game's spots."""
        spots = {spot: place for place, spot in enumerate(s for w in self.game.wagers.values() for s in w.spots)}
        return sorted(settled, key=lambda one: (-one.seat, spots.get(one.spot, len(spots))))

    @property
    def answers(self) -> list[Past]:
        """Where people deal: the answers of the round; an entry has its number here, counted from 1."""
        return [past for past in self.past if isinstance(past.event, ev.Answered)]

    @property
    def wagers(self) -> Mapping[tuple[Seat, str], Fraction]:
        """What is in action; between two rounds, what stays up from the one to the other."""
        carried: Mapping[tuple[Seat, str], Fraction] = self.carry.get("wagers", {})
        return self.round.wagers if self.round is not None else carried

    @property
    def winnings(self) -> Mapping[tuple[Seat, str], Fraction]:
        """What lies on self-service spots to be collected, in whole cents as it is booked then."""
        carried: Mapping[tuple[Seat, str], Fraction] = self.carry.get("winnings", {})
        return self.round.winnings if self.round is not None else carried

    @property
    def wins(self) -> Mapping[str, HeldWin]:
        """The wins that are held, by their ids."""
        return self.pending.wins

    @property
    def disputes(self) -> Mapping[int, Dispute]:
        """The disputes that are not decided yet, by their numbers."""
        return self.pending.disputes

    @property
    def last_over(self) -> int:
        """The last round that is over."""
        return self.round_number - (self.round is not None)

    def has_wagers(self, seat: int) -> bool:
        return any(s == seat for s, _ in self.wagers)

    def has_chips(self, seat: int) -> bool:
        """Whether anything of a seat lies on the layout."""
        return any(s == seat for s, _ in (*self.wagers, *self.winnings))

    def lying(self, player: str) -> Cents:
        """What a player has on the layout: wagers in action, and what was won and not collected."""
        seat = self.seat_of(player)
        return sum(int(cents) for laid in (self.wagers, self.winnings) for (at, _), cents in laid.items() if at == seat)

    @property
    def least_to_play(self) -> Cents:
        """The least with which a seat comes into a round."""
        limits = self.settings.limits
        ways = [bet.opens for bet in self.game.bets.values() if bet.comes_in]
        return min((sum(limits[spot].least for spot in spots) for spots in ways), default=0)

    @property
    def roots(self) -> set[str]:
        """The shoes that are dealt from, or lie on the table."""
        dealt = {root for root, _ in self.positions.values()}
        return dealt | {self.root} if self.root is not None else dealt

    @property
    def needs_shuffle(self) -> bool:
        """Whether the next round starts with a new root (D-01, F-23): where one must, where the game has a fresh pack
        for every round, and where the shoe might not be enough for a round of every seat."""
        pack, most = self.game.definition.pack, self.game.most_cards(self.settings.seats)
        if self.must_shuffle or (pack is not None and pack.fresh_each_round):
            return True
        return most is not None and most > self.size - self.dealt and not self.game.round_class.shuffles_within

    @property
    def must_shuffle(self) -> bool:
        """Whether no round can start without a new root, or where people deal without shuffled cards: with dice of the
        program and from a shuffler none can, and from a shoe none at the cut card, which is out when the discards were
        dealt on."""
        pack = self.game.fresh()
        if self.settings.is_physical:
            if pack is None or self.settings.shuffling == "shuffler" or not self.size:
                return pack is not None
        elif pack is None or self.root is None or self.settings.shuffling == "shuffler" or len(self.roots) > 1:
            return True
        gone = pack.total - (self.size - self.dealt)
        return gone * 100 >= pack.total * self.settings.penetration

    @property
    def out_of_service(self) -> list[str]:
        """The devices that may not be used until somebody releases them (D-10)."""
        return [thing for thing, place in self.things.items() if place == OUT_OF_SERVICE]

    @property
    def discards(self) -> int:
        """F-23: how many cards can be shuffled when the shoe is empty: all that are not of this round."""
        pack = self.game.fresh()
        return pack.total - len(self.round.cards) if pack is not None and self.round is not None else 0

    @property
    def is_shoe_empty(self) -> bool:
        """Whether a card is to be dealt and there is none."""
        return isinstance(self.step, steps.Deal) and self.dealt >= self.size

    def account_of(self, seat: int) -> Account:
        """Whose chips lie at a seat."""
        return account_of(self.seats[seat].player)

    def seat_of(self, player: str) -> int | None:
        return next((seat for seat, who in self.seats.items() if who.player == player), None)

    @property
    def kept_until(self) -> dict[int, tuple[ev.Time, str]]:
        """Until when seats without a wager are kept, and why no longer: of players who have left or are away, and
        between two rounds, or a round later in open betting, of those who let too many go by. What a spot has won can
        go back while betting is open."""
        kept: dict[int, tuple[ev.Time, str]] = {}
        for seat, who in self.seats.items():
            if who.is_patron or self.has_wagers(seat) or (self.has_chips(seat) and not self.betting):
                continue
            if who.leaving:
                if self.betting:
                    kept[seat] = 0, "nothing left up"
            elif who.unseated:
                if self.betting or self.round is None:
                    kept[seat] = 0, TAKEN_BACK
            elif who.away_since is not None:
                kept[seat] = who.away_since + self.settings.clocks.seat, "away for too long"
            elif who.missed >= self.settings.idle + self.betting and (self.round is None or self.betting):
                kept[seat] = 0, f"no wager in {who.missed} rounds"
        return kept

    @property
    def unhurried(self) -> bool:
        """Whether one person has the table to themselves, or with robots: nobody waits for them, and nothing of
        anybody else's does."""
        people = [who for who in self.seats.values() if who.is_person]
        return len(people) == 1 and not any(who.leaving for who in self.seats.values())

    @property
    def has_clocks(self) -> bool:
        """Whether anything runs out here."""
        return self.deadline is not None or any(not who.present for who in self.seats.values())

    @property
    def to_act(self) -> frozenset[int]:
        """The seats whose decision the table waits for."""
        step = self.step
        if isinstance(step, steps.Choose) and not isinstance(step.who, steps.Role):
            return frozenset(step.who)
        return frozenset()

    @property
    def on_the_clock(self) -> frozenset[int]:
        """Those of them whom a clock hurries: not a patron, for whom the dealer enters what was decided."""
        return frozenset(seat for seat in self.to_act if seat not in self.seats or not self.seats[seat].is_patron)

    @property
    def gone(self) -> list[int]:
        """Those of them that nobody sits at any more, or who has left."""
        return [seat for seat in sorted(self.to_act) if seat not in self.seats or self.seats[seat].leaving]


def opened(settings: TableSettings, now: ev.Time, predecessor: str = "") -> ev.Opened:
    """The first event of a table."""
    game = check_settings(settings, now)
    fingerprint = game.fingerprint
    return ev.Opened(settings, fingerprint["definition"], fingerprint["build"], standing(settings, game), predecessor)


def recorded_standing(opened: ev.SettingsEvent) -> Standing:
    """How a table stood with these settings: as it is written down, or from its settings where an earlier record leaves
    it out."""
    return opened.standing or standing(opened.settings, opened.settings.load_game())


class NotInstalled(FeltworksError):
    """The rules that a table was opened with are not here."""


def check_rules(opened: ev.SettingsEvent | ev.ChangePosted) -> Game:
    """G8: a table goes on only by the rules that its settings were made with."""
    name, wanted = opened.settings.game, opened.definition[:12]
    try:
        game = opened.settings.load_game()
    except FeltworksError as error:
        raise NotInstalled(f"It is played by the definition {wanted} of {name}, which does not load: {error}") from None
    here = game.fingerprint["definition"]
    if here != opened.definition:
        raise NotInstalled(f"It is played by the definition {wanted} of {name}; installed is {here[:12]}.")
    return game


def _is_void(effect: ev.Effect) -> bool:
    return isinstance(effect, ev.Settled) and effect.line == VOID
