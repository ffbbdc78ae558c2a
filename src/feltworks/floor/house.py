"""The house: its tables, its players and its books, all changes written down before anybody hears of them.

One process owns every table. A command is decided on the table as it is, its events and entries are written in one
transaction, and only then does the table change and everybody is told (G2).
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from feltworks.floor import events as ev
from feltworks.floor.answers import to_plain
from feltworks.floor.dealer import Doing, Next, next_for
from feltworks.floor.deciding import Refused, decide
from feltworks.floor.generator import fresh_seed
from feltworks.floor.money import player_account
from feltworks.floor.records import HOUSE_STREAM, Record, decode_event, encode_event
from feltworks.floor.sealing import Keys
from feltworks.floor.settings import Cents, TableSettings
from feltworks.floor.shoe import Committed, Rolls, Shoe
from feltworks.floor.snapshots import NotUsable, can_be_taken, resumed, snapshot
from feltworks.floor.store import Batch, Draft, Overdrawn, Repeated, Reply, Store
from feltworks.floor.table import DEALER, Table, bookings, check_rules, evolve, opened
from feltworks.kit import steps
from feltworks.kit.cards import Card, Seat, Token, parse_cards
from feltworks.kit.errors import BadValue, FaultyRules, NotPossible, UnknownName
from feltworks.kit.round import SHUFFLER, Round

GRANT: Cents = 100_000
SESSION: ev.Time = 30 * 24 * 3_600_000
PLAY = (
    *(ev.Opened, ev.RoundStarted, ev.Answered, ev.Reshuffled, ev.RoundEnded, ev.Voided),
    *(ev.Reported, ev.Released),
)
"""The events that move the play on; who comes and goes does not hold the dealer up."""
OVER = (ev.RoundEnded, ev.Voided)


ROLLS = 32
"""So many rolls are committed to under one root; the next root is shown with the last of them."""

_log = logging.getLogger("feltworks.house")


class _Sealed(msgspec.Struct, frozen=True):
    """What makes a shoe again: its cards in no order, or how many rolls there are, and the seed."""

    cards: str
    seed: bytes
    rolls: int = 0

    @property
    def opened(self) -> Committed:
        return Rolls(self.rolls, self.seed) if self.rolls else Shoe(parse_cards(self.cards), self.seed)

    def __repr__(self) -> str:
        return "<a sealed shoe>"


@dataclass
class Live:
    """A table that is open: its state, since when it is so, and the shoes and rolls that only the house can look
    into."""

    table: Table
    since: ev.Time
    shoes: dict[str, Committed] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Change:
    """What the listeners of a table are told."""

    table: Table
    records: Sequence[Record]


Listener = Callable[[str, Change], None]


class House:
    """Everything that one process operates."""

    def __init__(self, store: Store, keys: Keys, clock: Callable[[], ev.Time]) -> None:
        self.store = store
        self.keys = keys
        self.clock = clock
        self.tables: dict[str, Live] = {}
        self.listeners: list[Listener] = []
        for stream in store.streams():
            if stream != HOUSE_STREAM:
                self.tables[stream] = self._recovered(stream)

    # Tables.

    def open_table(self, settings: TableSettings) -> None:
        """Open a new table."""
        if settings.id in self.tables or settings.id == HOUSE_STREAM:
            raise BadValue(f"There is a table {settings.id!r} already; choose another id.")
        event, now = opened(settings), self.clock()
        self.store.append(Batch(settings.id, 0, [Draft(now, HOUSE_STREAM, encode_event(event))]))
        self.tables[settings.id] = Live(evolve(None, event, now), now)

    def live(self, table: str) -> Live:
        if table not in self.tables:
            raise UnknownName("table", table, self.tables)
        return self.tables[table]

    def _recovered(self, stream: str) -> Live:
        """A table as its events left it, with the shoes of the round it is in (F-17)."""
        first, *_ = self.store.read(stream, 0, 1)
        opened = decode_event(first.event)
        assert isinstance(opened, ev.Opened)
        check_rules(stream, opened)
        live = self._from_snapshot(stream, opened.settings) or Live(evolve(None, opened, first.time), first.time)
        for record in self.store.read(stream, live.table.version):
            event = decode_event(record.event)
            live.table = evolve(live.table, event, record.time)
            if isinstance(event, PLAY):
                live.since = record.time
        for root in live.table.roots:
            live.shoes[root] = self._unsealed(root)
        return live

    def _from_snapshot(self, stream: str, settings: TableSettings) -> Live | None:
        """The table as its newest snapshot gives it; if that cannot be used, it is folded from the first event."""
        sequence, data = self.store.latest_snapshot(stream) or (0, b"")
        if not sequence:
            return None
        record = next(self.store.read(stream, sequence - 1, sequence), None)
        try:
            found = resumed(data, record, settings, settings.load_game(), self.keys.public)
        except NotUsable as problem:
            _log.warning("The snapshot of table %s %s; all its events are folded.", stream, problem)
            return None
        return Live(found.table, found.since)

    # Commands.

    def command(self, table: str, player: str, command: ev.PlayerCommand, command_id: str = "", seen: int = 0) -> None:
        """Carry out a player's command, or refuse it and change nothing. A repeated one was done already (G7).

        `seen` is the version of the table that the player saw: what was meant for an earlier round makes no wager in
        this one (F-30).
        """
        if command_id and self.store.answer_of(player, command_id) is not None:
            return
        known = self.store.player(player)
        if known is None:
            raise Refused("Your session has ended; open the page again.")
        if 0 < seen < self.live(table).table.began and not isinstance(command, ev.Sit | ev.Leave):
            raise Refused("That was meant for an earlier round; look at the table and do it again.")
        reply = Reply(player, command_id, b"{}") if command_id else None
        try:
            self._carry_out(table, command, player, known.name, reply)
        except FaultyRules as fault:
            self._void_for(table, fault)
            raise Refused(f"The round is void and every wager goes back: {fault}") from None

    def connection(self, table: str, player: str, present: bool) -> None:
        """A player's connection was lost or is back."""
        self._carry_out(table, ev.Connection(player, present), player, "")

    def due(self, table: str) -> Next | None:
        """What the dealer does next at a table, and when."""
        live = self.live(table)
        return next_for(live.table, live.since)

    def deal_on(self, table: str, doing: Doing) -> None:
        """Do what the automatic dealer does next. Where the rules are at fault the round is void (F-17); and so it is
        where all the cards lie on the table, which new settings do not let happen (F-23)."""
        try:
            self._deal_on(table, doing)
        except NotPossible:
            self.void(table, "The cards ran out.")
        except FaultyRules as fault:
            self._void_for(table, fault)

    def _deal_on(self, table: str, doing: Doing) -> None:
        live = self.live(table)
        match doing:
            case "start round":
                self._start_round(live)
            case "answer":
                if live.table.is_shoe_empty:
                    self._deal_discards(live)
                else:
                    self._carry_out(table, ev.Answer(to_plain(self._chance(live))), DEALER, "")
            case "clock":
                self._carry_out(table, ev.ClockRanOut(), DEALER, "")
            case "free seats":
                self._carry_out(table, ev.FreeSeats(), DEALER, "")
            case "end round":
                self._carry_out(table, ev.EndRound(self._openings(live)), DEALER, "")
                self.store.sign_head(table, self.keys, self.clock())

    def void(self, table: str, reason: str) -> None:
        """Void the round: every wager in action goes back, and what was turned is opened (F-17, F-21)."""
        live = self.live(table)
        openings = self._openings(live) if live.table.round is not None else []
        self._carry_out(table, ev.VoidRound(reason, openings), DEALER, "")
        self.store.sign_head(table, self.keys, self.clock())

    def report(self, table: str, report: ev.Report, actor: str) -> None:
        """Something went wrong at a table: it stops until that is decided (F-28)."""
        self._carry_out(table, report, actor, "")

    def resolve(self, table: str, role: steps.Role, option: str, actor: str) -> None:
        """What the dealer or the supervisor decides about what was reported."""
        if not self.live(table).table.incident:
            raise Refused("Nothing was reported at this table.")
        self._carry_out(table, ev.Answer(to_plain(steps.Decide(role, option))), actor, "")

    def release(self, table: str, what: str, reason: str, actor: str) -> None:
        """A device that was out of service may be used again (D-10)."""
        self._carry_out(table, ev.Release(what, reason), actor, "")

    def _void_for(self, table: str, fault: FaultyRules) -> None:
        """Nothing of the answer was written that the rules failed on: the wagers go back, and the record says why."""
        if self.live(table).table.round is None:
            raise fault
        self.void(table, str(fault))
        _log.error("A round of table %s is void: %s", table, fault)

    def _deal_discards(self, live: Live) -> None:
        """F-23: the shoe is empty in the middle of a round, and all cards that are not of it are shuffled and dealt on.
        They are a shoe of their own, with a root that is published before the first of them."""
        table = live.table
        pack = table.game.fresh()
        assert pack is not None and table.round is not None
        left = pack.without_all(self._card(live, token) for token in table.round.cards)
        held = self._held(left.all_cards())
        shoe = held.opened
        self._carry_out(
            table.settings.id, ev.Reshuffle(shoe.root, shoe.size, discards=True), DEALER, "", new=(held, shoe)
        )

    def _start_round(self, live: Live) -> None:
        table = live.table
        if not table.needs_shuffle:
            self._carry_out(table.settings.id, ev.StartRound(), DEALER, "")
            return
        fresh = table.game.fresh()
        held = self._held(fresh.all_cards()) if fresh is not None else _Sealed("", fresh_seed(), ROLLS)
        shoe = held.opened
        self._carry_out(table.settings.id, ev.StartRound(shoe.root, shoe.size), DEALER, "", new=(held, shoe))

    def _carry_out(
        self,
        name: str,
        command: ev.Command,
        player: str,
        player_name: str,
        reply: Reply | None = None,
        new: tuple[_Sealed, Committed] | None = None,
    ) -> None:
        live, now = self.live(name), self.clock()
        events = decide(live.table, command, player, player_name, self.balance, now)
        held = self._renewed(live, events)
        if held is not None:
            new = held, held.opened
            events = [*events, ev.Reshuffled(new[1].root, new[1].size)]
        if not events and reply is None:
            return
        secret = {new[1].root: self._seal(*new)} if new is not None else {}
        table, drafts = live.table, []
        for event in events:
            entries = bookings(table, event)
            after = evolve(table, event, now)
            number = after.round_number if after.round is not None or table.round is not None else 0
            drafts.append(Draft(now, player, encode_event(event), entries, number, reply.command if reply else ""))
            table = after
        take = None
        if any(isinstance(event, OVER) for event in events) and can_be_taken(table):
            take = partial(snapshot, table, now, keys=self.keys)
        try:
            records = self.store.append(Batch(name, live.table.version, drafts, secret, reply, take))
        except Overdrawn:
            raise Refused("You do not have that much.") from None
        except Repeated:
            return
        live.table = table
        if any(isinstance(event, PLAY) for event in events):
            live.since = now
        if new is not None:
            live.shoes[new[1].root] = new[1]
        live.shoes = {root: kept for root, kept in live.shoes.items() if root in table.roots}
        for listener in list(self.listeners):
            listener(name, Change(table, records))

    # Chance.

    def _chance(self, live: Live) -> steps.Answer:
        """What the house's cards and dice answer to the step at which the round waits. Where it is the dealer's or
        the supervisor's to choose, the first option is taken."""
        match live.table.step:
            case steps.Deal():
                return steps.DEALT
            case steps.Turn(token, to):
                return self._card(live, token) if to is steps.ALL else steps.HIDDEN
            case steps.Read(token, among):
                card = self._card(live, token)
                return next(cards for cards in among if card in cards)
            case steps.Roll(dice):
                rolls = live.shoes[live.table.root or ""]
                assert isinstance(rolls, Rolls)
                return rolls.roll(live.table.dealt, dice)
            case steps.Choose(steps.Role() as role, (first, *_)):
                return steps.Decide(role, first.name)
        raise Refused("The dealer has nothing to do now.")

    def private_cards(self, table: str, seat: int | None) -> dict[Token, Card]:
        """The cards that were turned to this seat alone: for nobody else's eyes (F-14)."""
        live = self.live(table)
        round = live.table.round
        if seat is None or round is None:
            return {}
        return {
            token: self._card(live, token)
            for token, face in round.cards.items()
            if face.card is None and Seat(seat) in face.seen_by
        }

    def _card(self, live: Live, token: Token) -> Card:
        root, position = live.table.positions[token]
        return self._shoe(live, root).card(position)

    @staticmethod
    def _shoe(live: Live, root: str | None) -> Shoe:
        shoe = live.shoes[root or ""]
        assert isinstance(shoe, Shoe)
        return shoe

    def _renewed(self, live: Live, events: Sequence[ev.Event]) -> _Sealed | None:
        """What lies under a new root after these events: the cards that are left with those that go back into the
        shuffler, or more rolls when the last one is rolled."""
        table = live.table
        rolled = any(isinstance(event, ev.Answered) and event.answer[0] == "dice" for event in events)
        if rolled and table.dealt + 1 >= table.size:
            return _Sealed("", fresh_seed(), ROLLS)
        back = self._put_back(table, events)
        if not back:
            return None
        shoe = self._shoe(live, table.root)
        return self._held([*(shoe.card(position) for position in range(table.dealt, shoe.size)), *back])

    @staticmethod
    def _put_back(table: Table, events: Iterable[ev.Event]) -> list[Card]:
        """The cards that go back into the shuffler by these events."""
        moved = [e for event in events if isinstance(event, ev.Answered) for e in event.effects]
        tokens = [Token(*m.what) for m in moved if isinstance(m, ev.Moved) and m.to == SHUFFLER and len(m.what) == 2]
        round = table.round
        return [round.card(token) for token in tokens] if round is not None else []

    def _openings(self, live: Live) -> list[dict[str, Any]]:
        """Every card of the round that was turned to all and every roll, opened for everybody to check (F-21)."""
        round = live.table.round
        assert round is not None
        return [
            {"token": [token.owner, token.name], "root": root, **live.shoes[root].opening(position)}
            for token, (root, position) in live.table.positions.items()
            if _was_turned(round, token)
        ]

    @staticmethod
    def _held(cards: Iterable[Card]) -> _Sealed:
        return _Sealed("".join(card.text for card in cards), fresh_seed())

    def _seal(self, held: _Sealed, shoe: Committed) -> bytes:
        return self.keys.seal(msgspec.msgpack.encode(held), f"shoe {shoe.root}")

    def _unsealed(self, root: str) -> Committed:
        sealed = self.store.secret(root)
        assert sealed is not None
        return msgspec.msgpack.decode(self.keys.unseal(sealed, f"shoe {root}"), type=_Sealed).opened

    # Players.

    def guest(self) -> tuple[str, str]:
        """A new guest with play money: the player and the token of the session."""
        now, player = self.clock(), secrets.token_hex(8)
        self.store.add_player(player, f"Guest {self.store.player_count() + 1}", now, GRANT)
        self.store.sign_head(HOUSE_STREAM, self.keys, now)
        token = secrets.token_urlsafe(24)
        self.store.open_session(token, player, now, now + SESSION)
        return player, token

    def player_of(self, token: str) -> str | None:
        return self.store.session(token, self.clock()) if token else None

    def balance(self, player: str) -> Cents:
        return self.store.balance(player_account(player))


def _was_turned(round: Round, token: Token) -> bool:
    """Whether everybody has seen it: a card that went back into the shuffler was turned before, and so is a roll."""
    return token not in round.cards or round.cards[token].card is not None
