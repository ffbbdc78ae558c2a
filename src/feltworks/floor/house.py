"""The house: its tables, its players and its books, all changes written down before anybody hears of them.

One process owns every table. A command is decided on the table as it is, its events and entries are written in one
transaction, and only then does the table change and everybody is told (G2).
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from feltworks.floor import events as ev
from feltworks.floor.answers import to_plain
from feltworks.floor.dealer import Doing, Next, next_for
from feltworks.floor.generator import fresh_seed
from feltworks.floor.money import player_account
from feltworks.floor.records import HOUSE_STREAM, Record, decode_event, encode_event
from feltworks.floor.sealing import Keys
from feltworks.floor.settings import Cents, TableSettings
from feltworks.floor.shoe import Shoe
from feltworks.floor.store import Batch, Draft, Overdrawn, Repeated, Reply, Store
from feltworks.floor.table import Refused, Table, bookings, check_rules, decide, evolve, opened
from feltworks.kit import steps
from feltworks.kit.cards import Card, Seat, Token, parse_cards
from feltworks.kit.errors import BadValue, NotPossible, UnknownName
from feltworks.kit.round import SHUFFLER, Round

GRANT: Cents = 100_000
SESSION: ev.Time = 30 * 24 * 3_600_000
DEALER = "dealer"
PLAY = (ev.Opened, ev.RoundStarted, ev.Answered, ev.Reshuffled, ev.RoundEnded, ev.Voided)
"""The events that move the play on; who comes and goes does not hold the dealer up."""


class _Sealed(msgspec.Struct, frozen=True):
    """What makes a shoe again: its cards in no order, and the seed that shuffles them."""

    cards: str
    seed: bytes

    def __repr__(self) -> str:
        return "<a sealed shoe>"


@dataclass
class Live:
    """A table that is open: its state, since when it is so, and the shoes that only the house can look into."""

    table: Table
    since: ev.Time
    shoes: dict[str, Shoe] = field(default_factory=dict, repr=False)


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
        table: Table | None = None
        since: ev.Time = 0
        for record in self.store.read(stream):
            event = decode_event(record.event)
            if isinstance(event, ev.Opened):
                check_rules(stream, event)
            table = evolve(table, event, record.time)
            if isinstance(event, PLAY):
                since = record.time
        assert table is not None
        live = Live(table, since)
        for root in table.roots:
            live.shoes[root] = self._unsealed(root)
        return live

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
        self._carry_out(table, command, player, known.name, reply)

    def connection(self, table: str, player: str, present: bool) -> None:
        """A player's connection was lost or is back."""
        self._carry_out(table, ev.Connection(player, present), player, "")

    def due(self, table: str) -> Next | None:
        """What the dealer does next at a table, and when."""
        live = self.live(table)
        return next_for(live.table, live.since)

    def deal_on(self, table: str, doing: Doing) -> None:
        """Do what the automatic dealer does next; where the cards run out, the round is void (F-17)."""
        try:
            self._deal_on(table, doing)
        except NotPossible:
            self.void(table, "The cards ran out.")

    def _deal_on(self, table: str, doing: Doing) -> None:
        live = self.live(table)
        match doing:
            case "start round":
                self._start_round(live)
            case "answer":
                assert live.table.round is not None
                self._carry_out(table, ev.Answer(to_plain(self._chance(live))), DEALER, "")
            case "clock":
                self._carry_out(table, ev.ClockRanOut(), DEALER, "")
            case "free seats":
                self._carry_out(table, ev.FreeSeats(), DEALER, "")
            case "end round":
                self._carry_out(table, ev.EndRound(self._openings(live)), DEALER, "")
                self.store.sign_head(table, self.keys, self.clock())

    def void(self, table: str, reason: str) -> None:
        """Void the round: every wager in action goes back (F-17)."""
        self._carry_out(table, ev.VoidRound(reason), DEALER, "")

    def _start_round(self, live: Live) -> None:
        table = live.table
        if not table.needs_shuffle:
            self._carry_out(table.settings.id, ev.StartRound(), DEALER, "")
            return
        fresh = table.game.fresh()
        assert fresh is not None
        shoe, sealed = self._sealed_shoe(fresh.all_cards())
        self._carry_out(table.settings.id, ev.StartRound(shoe.root, shoe.size), DEALER, "", shoe=shoe, sealed=sealed)

    def _carry_out(
        self,
        name: str,
        command: ev.Command,
        player: str,
        player_name: str,
        reply: Reply | None = None,
        shoe: Shoe | None = None,
        sealed: bytes = b"",
    ) -> None:
        live, now = self.live(name), self.clock()
        events = decide(live.table, command, player, player_name, self.balance, now)
        secret = {shoe.root: sealed} if shoe is not None else {}
        back = self._put_back(live.table, events)
        if back:
            old, dealt = live.shoes[live.table.root or ""], live.table.dealt
            shoe, sealed = self._sealed_shoe([*(old.card(p) for p in range(dealt, old.size)), *back])
            secret = {shoe.root: sealed}
            events = [*events, ev.Reshuffled(shoe.root, shoe.size)]
        if not events and reply is None:
            return
        table, drafts = live.table, []
        for event in events:
            entries = bookings(table, event)
            after = evolve(table, event, now)
            number = after.round_number if after.round is not None or table.round is not None else 0
            drafts.append(Draft(now, player, encode_event(event), entries, number, reply.command if reply else ""))
            table = after
        try:
            records = self.store.append(Batch(name, live.table.version, drafts, secret, reply))
        except Overdrawn:
            raise Refused("You do not have that much.") from None
        except Repeated:
            return
        live.table = table
        if any(isinstance(event, PLAY) for event in events):
            live.since = now
        if shoe is not None:
            live.shoes[shoe.root] = shoe
        live.shoes = {root: kept for root, kept in live.shoes.items() if root in table.roots}
        for listener in list(self.listeners):
            listener(name, Change(table, records))

    # Chance.

    def _chance(self, live: Live) -> steps.Answer:
        """What the house's cards answer to the step at which the round waits."""
        match live.table.step:
            case steps.Deal():
                return steps.DEALT
            case steps.Turn(token, to):
                return self._card(live, token) if to is steps.ALL else steps.HIDDEN
            case steps.Read(token, among):
                card = self._card(live, token)
                return next(cards for cards in among if card in cards)
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
        return live.shoes[root].card(position)

    @staticmethod
    def _put_back(table: Table, events: Iterable[ev.Event]) -> list[Card]:
        """The cards that go back into the shuffler by these events."""
        moved = [e for event in events if isinstance(event, ev.Answered) for e in event.effects]
        tokens = [Token(*m.what) for m in moved if isinstance(m, ev.Moved) and m.to == SHUFFLER and len(m.what) == 2]
        round = table.round
        return [round.card(token) for token in tokens] if round is not None else []

    def _openings(self, live: Live) -> list[dict[str, object]]:
        """Every card of the round that was turned to all, opened for everybody to check (F-21)."""
        round = live.table.round
        assert round is not None
        return [
            {"token": [token.owner, token.name], "root": root, **live.shoes[root].opening(position)}
            for token, (root, position) in live.table.positions.items()
            if _was_turned(round, token)
        ]

    def _sealed_shoe(self, cards: Sequence[Card]) -> tuple[Shoe, bytes]:
        seed = fresh_seed()
        shoe = Shoe(cards, seed)
        held = _Sealed("".join(card.text for card in cards), seed)
        return shoe, self.keys.seal(msgspec.msgpack.encode(held), f"shoe {shoe.root}")

    def _unsealed(self, root: str) -> Shoe:
        sealed = self.store.secret(root)
        assert sealed is not None
        held = msgspec.msgpack.decode(self.keys.unseal(sealed, f"shoe {root}"), type=_Sealed)
        return Shoe(parse_cards(held.cards), held.seed)

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
    """Whether everybody has seen the card; one that went back into the shuffler was turned before."""
    return token not in round.cards or round.cards[token].card is not None
