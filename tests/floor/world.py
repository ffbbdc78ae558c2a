"""A whole house under one seed, with crashes: tables, people, ledger and store in one thread, and time that only a step
moves.

People come, do whatever comes to mind at several tables, and go; the dealer deals; clocks run out; the wall clock is
put forward and back, drifts, and sleeps; the staff stops tables and moves money; connections and acknowledgements are
lost; and the house crashes: between two steps, at some statement of a commit, or with the last write to the log torn.
After every step what is known in two ways is the same both ways.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from feltworks.floor import administration, person
from feltworks.floor.accounts import Kind, player_account
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Administration, Booked, KeyChanged
from feltworks.floor.aggregates import entries, evolve
from feltworks.floor.chance.shoe import Shoe
from feltworks.floor.evidence import claim_for
from feltworks.floor.excerpt.verify import verify_excerpt
from feltworks.floor.excerpt.write import write_excerpt
from feltworks.floor.house import House
from feltworks.floor.jackpot import commands as jackpot
from feltworks.floor.jackpot.commands import SeedJackpot
from feltworks.floor.jackpot.meter import Meter, is_jackpot, meter_account, reserve_account
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.journal.journal import finish_key_change
from feltworks.floor.journal.records import FIRST, Commit, Receipt, group_hash, link_after, signed_message
from feltworks.floor.journal.upcasting import decode_command, decode_event
from feltworks.floor.keys import Keys, check_signature
from feltworks.floor.passwords import Hashed
from feltworks.floor.person import Person, identity_digest, kept_digest, token_digest
from feltworks.floor.precedence import PRECEDENCE
from feltworks.floor.refusal import Refused
from feltworks.floor.statutory_limits import HeldWinLimit
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, PERSON, State, is_table, person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Answer, Dealt, Decided, Hidden, Rolled, Shown, Turned
from feltworks.floor.table.dealer import Doing
from feltworks.floor.table.incidents import incident_kinds
from feltworks.floor.table.procedure import Asked, asked_now
from feltworks.floor.table.registered import registered
from feltworks.floor.table.settings import Clocks, Limits, TableSettings
from feltworks.floor.table.state import Table
from feltworks.floor.table.wins import held_account
from feltworks.floor.verification.verify import verify
from feltworks.games.yo.incidents import BY_KIND
from feltworks.kit import steps
from feltworks.kit.cards import Card, Seat
from feltworks.kit.errors import BadValue, NotPossible
from feltworks.kit.manual_entry import READER_FAULT
from feltworks.kit.paytable import PayTable
from tests.floor.done import commit_of
from tests.floor.sitting import bands, in_between, one_for_the_money, point, riding, with_toys, yo
from tests.floor.wall_clock import HOUR, MONTH, WallClock

PAGE = 4_096
KEYS = Keys(bytes(32), bytes(range(32)))
ROLES = {
    "Sue": ("supervisor", "dealer"),
    "Dan": ("dealer",),
    "Max": ("manager",),
    "Cleo": ("cashier",),
    "Ada": ("auditor",),
    "Vic": ("surveillance",),
}
"""Who works in the house."""
HELD_OVER = HeldWinLimit(date(1970, 1, 1), 700, "a test", False)
"""So that wins are held all the time (F-19)."""
VERIFIES_ITSELF = ("money", "riding")
"""At the other tables of this house somebody has to verify them."""
MOST_PEOPLE = 12
JACKPOT = "main"


def under_jackpot(id: str, **changes: Any) -> TableSettings:
    limits = {**dict.fromkeys(("ante", "bet"), Limits(100, 10_000)), "jackpot": Limits(100, 100)}
    without = ("trips_or_better", "match_the_dealer")
    usual: dict[str, Any] = {"pay": {"jackpot": "3"}, "seats": 2, "jackpot": JACKPOT, "without": without}
    return TableSettings(id, f"Table {id}", "down-under-holdem", limits, **{**usual, **changes})


def often(table: PayTable, hole: Sequence[Card], board: Sequence[Card]) -> str | None:
    """On which line a hand is paid, by its cards and by nothing that poker knows: so that meters are won all day."""
    lines = ["Royal flush", "Straight flush", "Straight flush", "Three of a kind", None]
    return lines[sum(map(ord, "".join(card.text for card in hole))) % len(lines)]


CARDS = [
    one_for_the_money(seats=3, clocks=Clocks(absent=10_000)),
    TableSettings(
        "back",
        "Where traded cards go back",
        "one-for-the-money",
        one_for_the_money().limits,
        readings={"traded_card": "back"},
        clocks=Clocks(seat=40_000),
        rounding="chip up",
        chip=100,
        seats=2,
    ),
    in_between(shuffling="shoe", decks=1, penetration=60, pay={"in_between": "B"}, seats=2, idle=2),
    bands(shuffling="shoe", penetration=100, burn=7),
    TableSettings(
        "under",
        "Where a reader can be wrong",
        "down-under-holdem",
        {
            **dict.fromkeys(("ante", "bet", "trips_or_better", "match_the_dealer"), Limits(100, 10_000)),
            "jackpot": Limits(100, 100),
        },
        prize=1_000_000,
        clocks=Clocks(absent=10_000),
        seats=2,
    ),
    TableSettings(
        *("hand", "Where people deal", "one-for-the-money", one_for_the_money().limits), seats=3, dealing="people"
    ),
    TableSettings(
        *("shared", "Where a person deals the program's cards, and pays", "one-for-the-money"),
        one_for_the_money().limits,
        seats=2,
        duties={"dealing": "person", "paying": "person"},
    ),
]
PROGRESSIVE = [
    under_jackpot("left", clocks=Clocks(absent=10_000)),
    under_jackpot("right", clocks=Clocks(absent=10_000)),
    under_jackpot("middle", dealing="people", equipment=dict.fromkeys(("card reader", "jackpot system"), "ours")),
]
"""Three tables that play for one jackpot; people deal at one of them."""
DICE = [
    point(),
    riding(clocks=Clocks(seat=40_000), idle=2),
    yo(
        readings={"arc_win_left": "all", "yo_on_point_made": "rides", "yo_seven_eleven": "stays_off"},
        clocks=Clocks(absent=10_000),
    ),
]
DOINGS: list[Doing] = ["start round", "answer", "clock", "free seats", "end round"]


class Crash(BaseException):
    """The power is gone."""


@dataclass(frozen=True)
class Sent:
    """A command as its player sends it, again and again if need be."""

    table: str
    player: str
    command: cmd.PlayerCommand
    id: str
    seen: int = 0


class World:
    """The house, everybody around it, and what they know of it."""

    def __init__(self, seed: int, tables: Sequence[TableSettings], folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.random = Random(seed)
        self.clock = WallClock()
        with_toys(patch)
        patch.setattr("feltworks.floor.chance.sealed.ROLLS", 4)
        patch.setattr("feltworks.floor.chance.sealed.fresh_seed", lambda: self.random.randbytes(32))
        patch.setattr("feltworks.floor.journal.journal.CHECKPOINT_EVERY", 40)
        patch.setattr("feltworks.floor.house.held_win_limit", lambda day: HELD_OVER)
        patch.setattr("feltworks.floor.table.outcome.verifies_itself", lambda settings: settings.id in VERIFIES_ITSELF)
        names = SimpleNamespace(
            token_hex=lambda n: self.random.randbytes(n).hex(),
            token_urlsafe=lambda n: self.random.randbytes(n).hex(),
            token_bytes=self.random.randbytes,
            choice=self.random.choice,
        )
        patch.setattr("feltworks.floor.people.secrets", names)
        patch.setattr("feltworks.floor.staff.secrets", names)
        patch.setattr("feltworks.floor.codes.secrets", names)
        self.staffed: dict[str, Actor] = {}
        """Those who work in the house, by name."""
        self.folder, self.lives = folder, 0
        self.keys = KEYS
        self.renewed: Keys | None = None
        """Keys that are to be in force, or are already: only the journal knows if the house died meanwhile."""
        self.publics = [KEYS.public]
        """The keys that were in force, by the records."""
        self.sent: dict[tuple[str, str], Sent] = {}
        self.done: dict[tuple[str, str], int] = {}
        """What was acknowledged to whom, and the number of its commit."""
        self.receipts: list[Receipt] = []
        self.unsure: list[Sent] = []
        """What died with the house: nobody knows whether it was done."""
        self.unheard: list[Sent] = []
        """What was done, but the acknowledgement was lost."""
        self.tokens: dict[str, str] = {}
        self.crashes, self.acts, self.carried_out, self.happened = (Counter[str]() for _ in range(4))
        self.refusals = self.steps = 0
        self.states: dict[str, State] = {HOUSE_STREAM: Administration()}
        self.heads: dict[str, tuple[int, str]] = {}
        self.books, self.net, self.given = Counter[str](), Counter[str](), Counter[str]()
        self.chain: tuple[int, str] = (0, FIRST)
        self.group: tuple[str, int, str, bytes] | None = None
        patch.setattr("feltworks.games.down_under_holdem.jackpot.line_of", often)
        self._start(self._next_folder())
        for settings in tables:
            if settings.jackpot and not self.house.jackpots.all():
                desk = self.house.jackpots
                terms = Terms("The Big One", desk.played_by(settings), 10_000, "3/5", "1/7", 20_000)
                desk.open(JACKPOT, terms, PROGRAM)
                desk.give(JACKPOT, SeedJackpot(10_000, 500, "to begin with"), PROGRAM)
            if settings.jackpot:
                self.house.jackpots.link(JACKPOT, settings, PROGRAM)
            self.house.open_table(settings)
        for _ in range(5):
            self._guest()
        for name, roles in ROLES.items():
            self.staffed[name] = by_person(self.house.staff.add(name, roles, PROGRAM)[0])
        self._follow()

    @property
    def tables(self) -> dict[str, Table]:
        return {stream: state for stream, state in self.states.items() if isinstance(state, Table)}

    @property
    def people(self) -> list[Person]:
        return [state for state in self.states.values() if isinstance(state, Person)]

    @property
    def players(self) -> list[str]:
        """Everybody who can play, in the order in which they came."""
        working = {actor.id for actor in self.staffed.values()}
        return [known.id for known in self.people if not known.forgotten and known.id not in working]

    # Lives of the house.

    def _next_folder(self) -> Path:
        self.lives += 1
        folder = self.folder / f"life {self.lives}"
        folder.mkdir()
        return folder

    def _start(self, folder: Path) -> None:
        self.home = folder
        store = Store(folder / "records.db")
        if self.renewed is not None and finish_key_change(store, self.keys, self.renewed):
            self.keys = self.renewed
        self.renewed = None
        self.clock.monotonic = self.random.randrange(10**15)
        self.house = House(store, self.keys, self.clock.steady())
        self.is_checked, self.found, self.newest = False, store.last_commit(), 0
        assert not self.house.fault and not self.house.closed

    @property
    def now(self) -> int:
        return self.house.clock()

    def copied(self) -> Path:
        """The files as they are now, as a crash would leave them; the lock and, now and then, the index go with it."""
        folder = self._next_folder()
        kept = ["records.db", "records.db-wal"] + ["records.db-shm"] * self.random.randrange(2)
        for name in kept:
            if (self.home / name).exists():
                shutil.copy(self.home / name, folder / name)
        return folder

    def restart(self, folder: Path) -> None:
        """The old life is over; a new one starts from what the disk holds."""
        old = self.home
        self.house.store.close()
        shutil.rmtree(old)
        self._start(folder)
        for sent in list(self.unsure):
            commit = self._commit_of(sent.player, sent.id)
            if commit is not None:
                self.done[sent.player, sent.id] = commit
                self.unsure.remove(sent)

    def _commit_of(self, player: str, id: str) -> int | None:
        return commit_of(self.house.store, [str(by_person(player))], id)

    # Steps.

    def step(self) -> None:
        self.steps += 1
        acts: list[tuple[Callable[[], None], float]] = [
            (self.command, 40),
            (self.deal, 45),
            (self.pit, 45),
            (self.several, 8),
            (self.repeat, 6),
            (self.connection, 6),
            (self.wait, 3),
            (self.check_clock, 4),
            (self.look_at_code, 10 if self.house.journal.position.house.is_other_code else 0.3),
            (self.staff, 30 if self._stopped() else 6),
            (self.service, 12 if self._resting() else 2),
            (self.settings, 3),
            (self.verify_wins, 8),
            (self.disputes, 7),
            (self.money, 4),
            (self.come_and_go, 7),
            (self.signatures, 6),
            (self.careers, 8),
            (self.change_key, 0.5),
            (self.crash, 5),
        ]
        if self.house.jackpots.all():
            acts += [(self.jackpots, 4), (self.play_on, 60)]
        act = self.random.choices([act for act, _ in acts], [often for _, often in acts])[0]
        self.acts[act.__name__] += 1
        act()

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Inside something is tried; refused, it changes nothing (G5)."""
        house = self.house
        before, tables, balances = self._held(), self._live_tables(), dict(house.journal.position.balances)
        try:
            yield
        except (Refused, BadValue, NotPossible):
            assert self._held() == before
            assert all(house.tables[name].table is table for name, table in tables.items())
            assert dict(house.journal.position.balances) == balances
            self.refusals += 1

    def _held(self) -> tuple[object, ...]:
        """What changes with every change: the rows that were written since the house is open, and where it stands."""
        position = self.house.journal.position
        changes = self.house.store.connection.total_changes()
        return changes, position.id, position.group, dict(position.chains), dict(position.heads), position.house

    def _live_tables(self) -> dict[str, Table]:
        return {name: live.table for name, live in self.house.tables.items()}

    def _some_table(self) -> str:
        return self.random.choice(list(self.house.tables))

    # Players.

    def command(self) -> None:
        """Somebody gives a command that may make sense or not, or is meant for another round."""
        sent = self._some_sent(f"c{self.random.randrange(10**9)}")
        self.give(sent)

    def _some_sent(self, id: str) -> Sent:
        player = self.random.choice(self.players)
        seated = [name for name, live in self.house.tables.items() if live.table.seat_of(player)]
        asked = [name for name in seated if self._is_asked(self.house.live(name).table, player)]
        likely = asked if asked and self.random.random() < 0.8 else seated
        table = self.random.choice(likely) if likely and self.random.random() < 0.8 else self._some_table()
        version = self.house.live(table).table.version
        seen = self.random.randint(1, version) if self.random.random() < 0.05 else 0
        if self.random.random() < 0.02:
            player = self.random.choice(["nobody", "", *(known.id for known in self.people if known.forgotten)])
        return Sent(table, player, self._some_command(table, player), id, seen)

    def _is_asked(self, table: Table, player: str) -> bool:
        return table.betting or table.seat_of(player) in table.to_act

    def _some_command(self, name: str, player: str) -> cmd.PlayerCommand:
        table, chance = self.house.live(name).table, self.random
        if chance.random() < 0.1:
            spots = ["ante", "raise", "base", "in_between", "three_card_bonus", "line", "ride", "moon"]
            odd: list[cmd.PlayerCommand] = [
                cmd.Sit(chance.randint(-1, 9)),
                cmd.Place(chance.choice(spots), chance.choice([-5, 0, 1, 99, 10**9, 500])),
                cmd.TakeUp(chance.choice(spots)),
                cmd.Collect(chance.choice(spots)),
                cmd.Choose(chance.choice(["check", "stand", "fly"]), chance.choice([None, 0, 500, -1])),
                cmd.Ready(),
                cmd.Leave(),
            ]
            return chance.choice(odd)
        if table.seat_of(player) is None:
            return cmd.Sit(chance.randint(1, table.settings.seats))
        if isinstance(table.step, steps.Choose):
            return cmd.Choose(chance.choice(["check", *(option.name for option in table.step.options)]))
        opens = [spot for wager in table.game.wagers.values() for spot in wager.opens]
        up = [spot for seat, spot in table.wagers if seat == table.seat_of(player)]
        same = max(
            (int(cents) for (seat, _), cents in table.wagers.items() if seat == table.seat_of(player)), default=0
        )
        won = [spot for seat, spot in table.winnings if seat == table.seat_of(player)]
        if table.settings.jackpot and same and "jackpot" not in up and chance.random() < 0.5:
            return cmd.Place("jackpot", 100)
        usual: list[cmd.PlayerCommand] = [
            cmd.Place(opens[0], 100 * chance.randint(1, 30)),
            cmd.Place(opens[1], same or 100 * chance.randint(1, 10)),
            cmd.Place(chance.choice(opens), 100 * chance.randint(1, 10) + 1),
            cmd.TakeUp(chance.choice(up or opens)),
            cmd.Collect(chance.choice(won or opens)),
            cmd.Ready(),
            cmd.Leave(),
        ]
        return chance.choices(usual, [8, 4, 2, 2, 6 if won else 1, 8, 1])[0]

    def _send(self, sent: Sent) -> Receipt | None:
        return self.house.command(sent.table, sent.player, sent.command, sent.id, sent.seen)

    def give(self, sent: Sent) -> None:
        """Give a command; what is acknowledged carries a receipt. Now and then nobody hears it."""
        self.unsure.append(sent)
        self.sent[sent.player, sent.id] = sent
        with self.refusing():
            receipt = self._send(sent)
            assert receipt is not None
            self._acknowledged(sent, receipt)
            if self.random.random() < 0.1:
                self.unheard.append(sent)
        self.unsure.remove(sent)

    def several(self) -> None:
        """Commands of several players, and what the dealers do, become durable together; some of them are refused. Two
        may be the same one."""
        sent = [self._some_sent(f"c{self.random.randrange(10**9)}") for _ in range(self.random.randint(1, 5))]
        sent += self.random.choices(sent, k=self.random.randint(0, 1))
        self.unsure += sent
        self.sent |= {(one.player, one.id): one for one in sent}
        done: list[tuple[Sent, int]] = []
        before = self._held()
        with self.house.together():
            for one in sent:
                try:
                    commit = self.house.give(one.table, one.player, one.command, one.id, one.seen)
                except (Refused, BadValue):
                    self.refusals += 1
                else:
                    assert commit is not None
                    done.append((one, commit))
            for name in self.house.tables:
                self.house.deal_due(name)
            assert self._held() == before, "nothing is so before it is durable"
        for one, commit in done:
            self._acknowledged(one, self.house.journal.receipt(commit))
        for one in sent:
            self.unsure.remove(one)

    def _acknowledged(self, sent: Sent, receipt: Receipt) -> None:
        assert any(receipt.is_signed_by(public) for public in self.publics)
        assert receipt.commit == self._commit_of(sent.player, sent.id) and receipt.commit <= receipt.group
        assert self.done.setdefault((sent.player, sent.id), receipt.commit) == receipt.commit
        self.receipts.append(receipt)

    def repeat(self) -> None:
        """A command is sent again: one of which nobody knows whether it was done, one whose acknowledgement was lost,
        or one that was answered long ago. What was done is not done again (G7)."""
        if self.unsure:
            sent = self.unsure.pop(0)
            self.give(sent)
            return
        if self.unheard:
            sent = self.unheard.pop(0)
        elif self.done:
            sent = self.sent[self.random.choice(list(self.done))]
        else:
            return
        before = self._held()
        self._refuses_another(sent)
        receipt = self._send(sent)
        assert receipt is not None
        self._acknowledged(sent, receipt)
        assert self._held() == before

    def _refuses_another(self, sent: Sent) -> None:
        """Another command under the id of one that was done is refused."""
        table = self._some_table()
        other = replace(sent, table=table, command=self._some_command(table, sent.player))
        if (other.table, other.command) != (sent.table, sent.command):
            with pytest.raises(Refused, match="Another command had that id"):
                self._send(other)

    def connection(self) -> None:
        table, player = self._some_table(), self.random.choice(self.players)
        self.house.connection(table, player, present=self.random.random() < 0.6)

    # The dealer and the clock.

    def deal(self) -> None:
        """The dealer does what is due, when it is due."""
        due = [(next.at, name, next.doing) for name in self.house.tables if (next := self.house.due(name))]
        if not due:
            return
        before_clocks = [next for next in due if next[2] != "clock"]
        at, name, doing = min(before_clocks if before_clocks and self.random.random() < 0.7 else due)
        if doing != "clock" or self.random.random() < 0.3:
            self.clock.goes_on(max(0, at - self.now))
            self.house.deal_on(name, doing)

    def pit(self) -> None:
        """People who deal do what the procedure asks for, or something else: enter, take back, correct, tick off, sign
        on and off."""
        dealt = [name for name, table in self._live_tables().items() if table.settings.has_dealer]
        if not dealt:
            return
        chance, name = self.random, self.random.choice(dealt)
        table, house = self.house.live(name).table, self.house
        sue, dan = self.staffed["Sue"], self.staffed["Dan"]
        who = next((one for one in (sue, dan) if one.id == table.dealer), dan)
        entries = [n for n, past in enumerate(table.answers, 1) if past.entered] or [1]
        asked = asked_now(table)
        acts: list[tuple[Callable[[], object], float]] = [
            (lambda: house.pit.deal_by_hand(name, cmd.SignOn(), chance.choice([sue, dan])), 1 if table.dealer else 30),
            (lambda: house.pit.deal_by_hand(name, cmd.SignOff(), who), 0.3),
            (lambda: house.pit.deal_by_hand(name, self._as_asked(asked, table), who), 60),
            (lambda: house.pit.deal_by_hand(name, cmd.TickOff(len(table.effects)), who), 10),
            (lambda: house.pit.deal_by_hand(name, cmd.TakeBack(), chance.choice([who, who, dan])), 4),
            (lambda: house.pit.deal_by_hand(name, cmd.Enter(self._odd_entry()), who), 4),
            (
                lambda: house.pit.correct(name, cmd.Correct(chance.choice(entries), self._odd_entry(), "misread"), sue),
                6,
            ),
        ]
        with self.refusing():
            chance.choices([act for act, _ in acts], [often for _, often in acts])[0]()

    def _as_asked(self, asked: Asked, table: Table) -> cmd.DealerCommand:
        chance = self.random
        match asked.kind:
            case "start" | "shuffle":
                return cmd.StartRound(table.needs_shuffle)
            case "bets":
                return cmd.CloseBetting()
            case "end":
                return cmd.EndRound()
            case "deal" if asked.entered:
                return cmd.Enter(Dealt())
            case "turn" if asked.cards:
                return cmd.Enter(Turned(chance.choice(asked.cards)))
            case "read" if asked.lights:
                return cmd.Enter(Shown(chance.choice(asked.lights)))
            case "show":
                return cmd.Enter(Hidden())
            case "choose" if asked.role:
                return cmd.Enter(Decided(asked.role, chance.choice(asked.options).name))
        return cmd.GoOn()

    def _odd_entry(self) -> Answer:
        cards = [f"{rank}{suit}" for rank in "27TA" for suit in "ch"]
        odd: list[Answer] = [Turned(self.random.choice([*cards, "xx"])), Dealt(), Rolled((1, 2)), Hidden()]
        return self.random.choice(odd)

    def wait(self) -> None:
        """Time goes by; or somebody puts the wall clock forward or back, which nobody in the house notices."""
        if self.random.random() < 0.5:
            self.clock.goes_on(self.random.choice([1, 500, 30_000, 400_000]), self.random.randint(-500, 500))
            return
        before = self.now
        self.clock.is_set(self.random.choice([400, 30_000, HOUR, MONTH, -1, -30_000, -HOUR, -MONTH]))
        assert self.now == before

    def check_clock(self) -> None:
        """The house looks at the wall clock; from then on no clock of a table runs longer than it ever may."""
        self.house.check_clock()
        self.is_checked = True

    def look_at_code(self) -> None:
        """The house is told what its code is on the disk: now and then another, or a table's definition is (F-39)."""
        house, chance = self.house, self.random
        opened = {name: live.table.game.fingerprint["definition"] for name, live in house.tables.items()}
        code, definitions = dict(house.code_check.loaded), dict(opened)
        if chance.random() < 0.3:
            code[chance.choice(sorted(code))] = "another"
        if chance.random() < 0.3:
            definitions[self._some_table()] = "another"
        house.code_check.note(administration.NoteCode(house.code_check.loaded, code, opened, definitions))
        now = house.journal.position.house
        for name, live in house.tables.items():
            assert not now.stops(name) or live.table.service in ("closing", "closed")

    # The staff.

    def staff(self) -> None:
        """Something is reported, decided, released, voided, or asked of the dealer out of turn."""
        name = self._some_table()
        stopped = self._stopped()
        playing = [name for name, table in self._live_tables().items() if table.to_act]
        if stopped and self.random.random() < 0.9:
            name = self.random.choice(stopped)
        elif playing and self.random.random() < 0.4:
            name = self.random.choice(playing)
        elif "under" in self.house.tables and self.random.random() < 0.4:
            name = "under"
        table, house = self.house.live(name).table, self.house
        acts: list[Callable[[], object]] = [
            lambda: house.void(name, "the lights went out"),
            lambda: house.pit.report(name, self._some_report(table), self.staffed["Sue"]),
            lambda: house.deal_on(name, self.random.choice(DOINGS)),
            lambda: house.open_table(table.settings),
            lambda: house.open_successor(name),
        ]
        decide: list[Callable[[], object]] = [lambda: self._resolve(name, table), lambda: self._release(name, table)]
        weights = [3, 6, 3, 1, 1, 20 if table.incident else 1, 20 if table.out_of_service else 1]
        with self.refusing():
            self.random.choices([*acts, *decide], weights)[0]()

    def service(self) -> None:
        """A table is paused, resumed, closed or opened again; now and then the whole house is closed."""
        resting = self._resting()
        name = self.random.choice(resting) if resting and self.random.random() < 0.8 else self._some_table()
        acts: list[Callable[[], object]] = [
            lambda: self.house.pause(name, "the lights flicker"),
            lambda: self.house.resume(name),
            lambda: self.house.close_table(name, "the shift ends"),
            lambda: self.house.reopen_table(name),
            lambda: self.house.close_for_the_night("good night"),
            self._report_due,
        ]
        with self.refusing():
            self.random.choices(acts, [3, 6, 2, 6, 0.1, 2])[0]()

    def verify_wins(self) -> None:
        """F-19: surveillance verifies a win that is held; somebody else tries it, or it is none."""
        chance = self.random
        wins = [(table, win.id) for table, win in self.house.pending.held_wins()]
        name, win = chance.choice(wins) if wins and chance.random() < 0.9 else (self._some_table(), "7-1")
        who = "Vic" if chance.random() < 0.9 else chance.choice(list(ROLES))
        with self.refusing():
            self.house.pending.verify_win(name, win, self.staffed[who])

    def disputes(self) -> None:
        """F-19: somebody disputes a round of theirs, or of others; the supervisor decides, once and again."""
        chance, house, name = self.random, self.house, self._some_table()
        table = house.live(name).table
        made = [(at, dispute.number) for at, dispute in house.pending.open_disputes()]
        if made and chance.random() < 0.7:
            at, number = chance.choice(made)
            amount = chance.choice([0, 0, 250, -250, -(10**7)])
            decision = cmd.DecideDispute(
                number if chance.random() < 0.9 else number + 1,
                chance.choice(["upheld", "upheld", "rejected"]),
                chance.choice(PRECEDENCE),
                chance.choice(["the round shows it", "so it is", "by the cameras", " "]),
                amount,
            )
            who = self.staffed["Sue" if chance.random() < 0.9 else "Max"]
            with self.refusing():
                house.pending.decide_dispute(at, decision, who)
            return
        seated = [who.player for who in table.seats.values()]
        player = by_person(chance.choice(seated if seated and chance.random() < 0.8 else self.players))
        round = chance.randint(1, table.last_over) if table.last_over and chance.random() < 0.8 else 0
        seat = chance.randint(1, 3) if chance.random() < 0.3 else None
        text = chance.choice(["that was not my wager", "once more", "not mine", "", "x" * 501])
        with self.refusing():
            by = self.staffed["Sue"] if seat is not None else player
            claim = claim_for(house, house.store, name, round, text, by, seat)
            house.pending.claim(claim)

    def _report_due(self) -> None:
        for item in self.house.due_items()[:1]:
            self.house.mark_done(item.id, "reported", self.staffed["Sue"])

    def settings(self) -> None:
        """F-40: other settings are posted at a table, or withdrawn; some of them cannot be."""
        chance, name = self.random, self._some_table()
        table = self.house.table(name)
        limits = {spot: Limits(100, 1_000 * chance.randint(5, 30)) for spot in table.settings.limits}
        changes: list[dict[str, Any]] = [
            {"limits": limits},
            {"name": f"Room {chance.randrange(100)}"},
            {"seats": chance.randint(1, 5)},
            {"decks": chance.choice([2, 6, 8])},
            {"shuffling": chance.choice(["shoe", "shuffler"]), "burn": chance.randint(0, 2)},
            {"clocks": msgspec.structs.replace(table.settings.clocks, decision=20_000)},
            {"penetration": 101},
            {"venue": "card room"},
        ]
        with self.refusing():
            if table.change is not None and chance.random() < 0.3:
                self.house.withdraw_change(name)
            else:
                changed = {**chance.choice(changes), **chance.choice(changes[:2])}
                self.house.change_settings(name, msgspec.structs.replace(table.settings, **changed))

    def _resting(self) -> list[str]:
        """The tables that are not played at."""
        return [name for name, table in self._live_tables().items() if table.service in ("paused", "closed")]

    def _stopped(self) -> list[str]:
        """The tables that wait for the staff."""
        tables = self._live_tables().items()
        return [name for name, table in tables if table.incident or (table.round is None and table.out_of_service)]

    def _some_report(self, table: Table) -> cmd.Report:
        chance = self.random
        kinds = list(BY_KIND) if table.settings.game == "yo" else [READER_FAULT]
        kinds = list(incident_kinds(table)) if chance.random() < 0.1 else kinds
        kind = chance.choice([*kinds, "an owl flew in"] if chance.random() < 0.2 else kinds)
        seat = chance.choice([None, 1]) if chance.random() < 0.2 else None
        return cmd.Report(kind, chance.choice(["", "seen by the dealer"]), seat)

    def _resolve(self, name: str, table: Table) -> None:
        role, options = steps.Role.SUPERVISOR, ["continue", "fly"]
        if isinstance(table.step, steps.Choose) and isinstance(table.step.who, steps.Role):
            role, options = table.step.who, [option.name for option in table.step.options]
        if self.random.random() < 0.1:
            role, options = self.random.choice(list(steps.Role)), ["fly"]
        reason = " " if self.random.random() < 0.1 else "by the cameras"
        waits = self.house.pit.resolve(name, role, self.random.choice(options), self.staffed["Sue"], reason)
        if waits and self.random.random() < 0.6:
            with suppress(Refused):  # the first signature stays, whatever becomes of the second
                self.house.staff.sign(waits, self.staffed["Max"])

    def _release(self, name: str, table: Table) -> None:
        out = table.out_of_service or ["card reader"]
        what = self.random.choice([*out, "moon"] if self.random.random() < 0.2 else out)
        self.house.pit.release(name, what, self.random.choice(["looked at", "looked at", " "]), self.staffed["Sue"])

    # Progressive jackpots.

    def play_on(self) -> None:
        """At one table people do for a while what a round asks for: so that many rounds come to their end."""
        name = self._some_table()
        for _ in range(self.random.randint(1, 12)):
            with self.refusing():
                self._next_of_round(name)

    def _next_of_round(self, name: str) -> None:
        table, chance, house = self.house.live(name).table, self.random, self.house
        sue, dan = self.staffed["Sue"], self.staffed["Dan"]
        if not table.seats:
            house.command(name, chance.choice(self.players), cmd.Sit(1))
        elif table.betting and (spots := self._open_spots(table)):
            seat, spot = spots[0]
            house.command(name, table.seats[seat].player, cmd.Place(spot, 100))
        elif table.to_act:
            assert isinstance(table.step, steps.Choose)
            option = "check" if table.step.options[0].name == "check" else "1x"
            house.command(name, table.seats[min(table.to_act)].player, cmd.Choose(option))
        elif table.settings.has_dealer and not table.dealer:
            house.pit.deal_by_hand(name, cmd.SignOn(), dan)
        elif table.settings.has_dealer:
            asked = asked_now(table)
            who = next((one for one in (sue, dan) if one.id == table.dealer), dan)
            by = sue if asked.role == "supervisor" else who
            house.pit.deal_by_hand(name, self._as_asked(asked, table), by)
        elif (next_ := house.due(name)) is not None:
            self.clock.goes_on(max(0, next_.at - self.now))
            house.deal_on(name, next_.doing)

    def _open_spots(self, table: Table) -> list[tuple[int, str]]:
        """What a seat has still to bet to be in the round, and mostly in the jackpot too."""
        spots = ("ante", "bet", *(["jackpot"] if self.random.random() < 0.8 else []))
        up = {(int(seat), spot) for seat, spot in table.wagers}
        return [(seat, spot) for seat in sorted(table.seats) for spot in spots if (seat, spot) not in up]

    def jackpots(self) -> None:
        """The money or the terms of the jackpot change, for a reason that there is, or for none."""
        with self.refusing():
            self.house.jackpots.give(JACKPOT, self.random.choice(self._of_jackpot()), PROGRAM)

    def _of_jackpot(self) -> list[jackpot.Command]:
        chance = self.random
        terms, cents = self.house.jackpots.known(JACKPOT).terms, chance.choice([0, -5, 7, 900, 10**9])
        other = [
            msgspec.structs.replace(terms, to_meter=chance.choice(["3/5", "2/7", "1", "2"])),
            msgspec.structs.replace(terms, maximum=chance.choice([5, 15_000, 30_000])),
            msgspec.structs.replace(terms, seed=chance.choice([5, 9_000, 10_000])),
        ]
        return [
            SeedJackpot(abs(cents), chance.choice([0, 500]), "more of it"),
            jackpot.AdjustJackpot(chance.choice(jackpot.REASONS), -abs(cents), "by the film"),
            jackpot.AdjustJackpot("display fault", cents, "by the film"),
            *(jackpot.ChangeJackpot(one, between_rounds=True) for one in other),
            jackpot.CloseJackpot("nobody wants it"),
        ]

    # Money outside the tables, and people.

    def money(self) -> None:
        """An entry outside the tables, or a grant, of which some cannot be."""
        chance = self.random
        odd = chance.random() < 0.3
        player, cents = chance.choice(self.players), chance.choice([0, -5, 10**9] if odd else [1, 99, 500, 20_000])
        accounts = ["house", "cage cash", "circulation", "held", str(player_account(player))]
        payer, payee = chance.choice(accounts), chance.choice([*accounts, "moon"] if odd else accounts)
        kinds = [kind.value for kind in (Kind.BUY_IN, Kind.CASH_OUT, Kind.CORRECTION, Kind.FORFEITURE)]
        odd_ones = [*kinds, "gift", Kind.WIN_HELD.value]
        kind, reason = chance.choice(odd_ones if odd else kinds), " " if odd else "a correction"
        if chance.random() < 0.3:
            with self.refusing():
                self._to_person(player, person.Grant(cents, reason))
            return
        action, book = "", administration.Book(kind, payer, payee, cents, reason)
        with self.refusing():
            action = self.house.staff.propose(HOUSE_STREAM, book, self.staffed["Max"])
        with self.refusing():
            self.house.staff.sign(action, self.staffed["Cleo"])

    def signatures(self) -> None:
        """Somebody proposes what needs two people, signs it or withdraws it; some of them may not, or too late."""
        chance, staff = self.random, self.house.staff
        who = self.staffed[chance.choice([*ROLES, "Max", "Sue"])]
        waiting = [*self.house.administration.waiting, "made up"] if chance.random() < 0.95 else ["made up"]
        name = self._some_table()
        account = str(player_account(chance.choice(self.players)))
        given: list[tuple[str, administration.Signed]] = [
            (name, cmd.VoidRound("the lights went out")),
            (HOUSE_STREAM, administration.Book(Kind.CORRECTION.value, "house", account, 300, "a mistake")),
        ]
        with self.refusing():
            match chance.choice(["propose", "sign", "sign", "sign", "withdraw", "alone", "time"]):
                case "propose":
                    staff.propose(*chance.choice(given), who)
                case "sign":
                    staff.sign(chance.choice(waiting), who)
                case "withdraw":
                    staff.withdraw(chance.choice(waiting), chance.choice(["a slip", " "]), who)
                case "alone":
                    self.house.carry_out(*chance.choice(given), who)
                case "time":
                    self.clock.goes_on(chance.choice([1, HOUR, 30 * HOUR]))

    def careers(self) -> None:
        """Somebody gets a role or loses it, chooses a password, is given a code, or is barred."""
        chance, staff = self.random, self.house.staff
        name = chance.choice(list(ROLES))
        who, by = self.staffed[name].id, self.staffed[chance.choice(["Max", "Max", "Sue"])]
        hashed = Hashed(f"hash {chance.randrange(10**9)}", "by hand")
        player = chance.choice(self.players)
        with self.refusing():
            match chance.choice(
                ["roles", "back", "back", "back", "code", "password", "wrong code", "bar", "unbar", "add", "rehash"]
            ):
                case "roles":
                    staff.give_roles(
                        who, chance.choice([("dealer",), ("security", "auditor"), ("king",)]), "a test", by
                    )
                case "back":
                    staff.give_roles(who, ROLES[name], "a test", by if chance.random() < 0.5 else PROGRAM)
                case "code":
                    staff.set_password(who, hashed, staff.give_code(who, by))
                case "password":
                    staff.set_password(who, hashed)
                case "wrong code":
                    staff.set_password(who, hashed, "0" * 20)
                case "bar":
                    staff.bar(player, chance.choice(["", self._some_table()]), "shouted", by)
                case "unbar":
                    staff.unbar(player, "", "said sorry", by)
                case "add":
                    staff.add(f"Somebody {chance.randrange(10)}", ("dealer",), by)
                case "rehash":
                    staff.rehash(who, hashed)

    def come_and_go(self) -> None:
        """Somebody joins, opens a session, ends one, or is forgotten."""
        chance = self.random
        if len(self.players) < 4 or (len(self.people) < MOST_PEOPLE and chance.random() < 0.3):
            self._guest()
            return
        player, token = chance.choice(self.players), chance.randbytes(8).hex()
        length = chance.choice([1, 60_000, 10**9, 10**10, 0, -1])
        with self.refusing():
            match chance.choice(["open", "open", "end", "end", "forget", "forget", "forget nobody"]):
                case "open":
                    self._to_person(player, person.OpenSession(token_digest(token), self.now + length))
                    self.tokens[token] = player
                case "end":
                    still_open = [token for token in self.tokens if self.house.people.player_of(token)]
                    self.house.people.end_session(
                        chance.choice([*still_open, chance.choice(list(self.tokens)), "made up"])
                    )
                case "forget":
                    self.house.forget(player, "asked for it", self.staffed["Max"])
                case "forget nobody":
                    gone = [known.id for known in self.people if known.forgotten]
                    self.house.forget(chance.choice([*gone, "nobody"]), "asked for it", PROGRAM)

    def change_key(self) -> None:
        """The house signs with another key from now on; what was sealed stays so."""
        self.renewed = Keys(bytes(32), self.random.randbytes(32))
        self.house.change_keys(self.renewed)
        self.keys, self.renewed = self.renewed, None

    def _to_person(self, player: str, command: person.Command) -> None:
        self.house.carry_out(person_stream(player), command, PROGRAM)

    def _guest(self) -> None:
        player, token = self.house.people.guest()
        self.tokens[token] = player

    # Crashes.

    def crash(self) -> None:
        kind = self.random.choice(["between steps", "at a statement", "torn", "closed"])
        self.crashes[kind] += 1
        if kind == "between steps":
            self.restart(self.copied())
        elif kind == "closed":
            self.house.close()
            self.restart(self.copied())
        elif kind == "at a statement":
            self._crash_at(self.random.randrange(1, 24))
        else:
            self._torn()

    def _crash_at(self, statement: int) -> None:
        """The next step ends at its n-th statement, if it has so many."""
        left: list[Path] = []
        acts = [
            self.command,
            self.several,
            self.deal,
            self.staff,
            self.service,
            self.money,
            self.come_and_go,
            self.change_key,
        ]
        with dying_at(self.house.store, statement, lambda: left.append(self.copied())), suppress(Crash):
            self.random.choices(acts, [5, 5, 5, 1, 1, 2, 4, 0.5])[0]()
        self.restart(left[0] if left else self.copied())

    def _torn(self) -> None:
        """Of what the next step writes to the log, only a part comes to the disk: the step may never have been."""
        files = ("records.db", "records.db-wal")
        before = [(self.home / name).read_bytes() for name in files]
        held, states, version = everything(self.house.store), self._live_tables(), self.house.store.last_commit()
        sent = self._some_sent(f"t{self.random.randrange(10**9)}")
        acts: list[Callable[[], object]] = [lambda: self._send(sent), self.house.people.guest, self._pay_somebody]
        act = self.random.choices([0, 1, 2], [8, 1 if len(self.people) < MOST_PEOPLE else 0, 1])[0]
        try:
            acts[act]()
        except Refused:
            return
        folder, after = self.copied(), [(self.home / name).read_bytes() for name in files]
        (folder / "records.db-shm").unlink(missing_ok=True)
        if after[0] == before[0] and len(after[1]) >= len(before[1]):
            old, new = before[1].ljust(len(after[1]), b"\0"), after[1]
            pages = [at for at in range(0, len(new), PAGE) if old[at : at + PAGE] != new[at : at + PAGE]]
            changed = [at for page in pages for at in range(page, min(page + PAGE, len(new))) if old[at] != new[at]]
            cut = changed[int(self.random.random() * len(changed))]
            torn = bytearray(new[:cut] + old[cut:])
            if self.random.random() < 0.5:
                torn = torn[: max(cut, len(before[1]))]
            (folder / "records.db-wal").write_bytes(torn)
            if act == 0:
                self.unsure.append(sent)
            self.restart(folder)
            assert self.house.store.last_commit() in (version, version + 1)
            if self.house.store.last_commit() == version:
                assert everything(self.house.store) == held
                assert self._live_tables() == states
        else:
            if act == 0:
                self.unsure.append(sent)
            self.restart(folder)
            assert self.house.store.last_commit() == version + 1

    def _pay_somebody(self) -> None:
        account = str(player_account(self.random.choice(self.players)))
        self.house.book(administration.Book(Kind.BUY_IN.value, "cage cash", account, 700, "at the cage"), PROGRAM)

    # What must hold.

    def check(self) -> None:
        self._follow()
        self._check_journal()
        self._check_money()
        self._check_tables()
        self._check_people()
        for player, id in list(self.done)[-3:]:
            assert self._commit_of(player, id) == self.done[player, id]

    def _follow(self) -> None:
        """Everything made anew from the commits that came since the last look: states, books, chain."""
        for id, commit in self.house.store.commits(self.chain[0]):
            (number, link), public = self.chain, self.publics[-1]
            assert (id, commit.chain, commit.number) == (number + 1, "main", number + 1)
            self.carried_out[type(decode_command(commit.stream, commit.command)).__name__] += 1
            self._follow_records(commit)
            if id > self.found:  # while the house lives, its time does not go back
                assert commit.time >= self.newest
                self.newest = commit.time
            hash = commit.hash_after(link)
            signed = group_hash(commit.chain, commit.number, hash, commit.others)
            self.chain = number + 1, link_after(hash, commit.signature)
            if commit.signature:  # the last of its group; the end of the records is one
                assert check_signature(public, signed_message(signed), commit.signature)
                self.group = commit.chain, commit.number, signed, commit.signature

    def _follow_records(self, commit: Commit) -> None:
        for record, booked in zip(commit.records, commit.entries, strict=True):
            stream, before = record.stream, self.states.get(record.stream)
            event = decode_event(stream, record.event)
            self.happened[type(event).__name__] += 1
            sequence, hash = self.heads.get(stream, (0, FIRST))
            assert (record.sequence, record.previous, record.hash) == (sequence + 1, hash, record.true_hash)
            self.heads[stream] = record.sequence, record.hash
            assert tuple(entries(before, stream, event)) == booked
            for entry in booked:
                self.books[str(entry.payer)] -= entry.cents
                self.books[str(entry.payee)] += entry.cents
                if not is_table(stream):
                    self.given[str(entry.payer)] -= entry.cents
                    self.given[str(entry.payee)] += entry.cents
            if not is_table(stream) and not is_jackpot(stream):
                assert bool(booked) == isinstance(event, person.Granted | Booked)
            if isinstance(event, KeyChanged):
                assert event.before == self.publics[-1]
                self.publics.append(event.public)
            for settled in results(event):
                assert isinstance(before, Table)
                self.net[before.seats[settled.seat].player] += settled.net
            if isinstance(event, ev.DisputeDecided):
                assert isinstance(before, Table)
                self.net[before.disputes[event.dispute].player] += event.amount
            if isinstance(event, ev.TakenBack | ev.Corrected):
                assert isinstance(before, Table)
                was = [past.event for past in before.answers if isinstance(past.event, ev.Answered)]
                for answered, sign in ((was, -1), (ev.answers_again(was, event), 1)):
                    for settled in (settled for answer in answered for settled in results(answer)):
                        if settled.seat in before.seats:  # whoever has left since is settled as before
                            self.net[before.seats[settled.seat].player] += sign * settled.net
            self.states[stream] = evolve(before, stream, event, record.time)

    def _check_journal(self) -> None:
        """What the house has in memory, what the file holds, and what the commits make are the same (G2, G3)."""
        store, position = self.house.store, self.house.journal.position
        assert position.id == store.last_commit() == self.chain[0]
        assert dict(position.heads) == self.heads
        assert {stream: store.head(stream) for stream in store.streams()} == self.heads
        assert position.chains == {"main": self.chain}
        assert position.group == self.group
        assert position.public == self.keys.public == self.publics[-1]
        assert position.house == self.states[HOUSE_STREAM]
        assert dict(position.meters) == {state.id: state for state in self.states.values() if isinstance(state, Meter)}
        assert self.group is not None and self.group[1] == self.chain[0]

    def _check_money(self) -> None:
        """G1, and what each player has by the results of every round."""
        self.house.store.check_books()
        balances = without_zeros(self.house.store.balances())
        assert without_zeros(self.books) == balances
        assert without_zeros(self.house.journal.position.balances) == balances
        assert sum(balances.values()) == 0
        self._check_jackpots(balances)
        in_action = self._in_action()
        for known in self.people:
            account = str(player_account(known.id))
            assert balances.get(account, 0) == self.house.balance(known.id) >= 0
            assert balances.get(account, 0) == self.given[account] + self.net[known.id] - in_action[known.id]
        for name, table in self.tables.items():
            assert balances.get(str(held_account(name)), 0) == sum(win.cents for win in table.wins.values())

    def _check_jackpots(self, balances: dict[str, int]) -> None:
        """F-25: by its events, by the books, and by the table at which each wager lies."""
        for meter in self.house.meters().values():
            assert balances.get(str(meter_account(meter.id)), 0) == meter.meter == meter.in_meter.left >= 0
            assert balances.get(str(reserve_account(meter.id)), 0) == meter.reserve == meter.in_reserve.left >= 0
            for name, table in self.tables.items():
                found = meter.at(name, table.round_number) if table.round is not None else None
                lies = {one.place: one.made.wager for one in found.wagers} if found is not None else {}
                assert lies == (registered(table) if table.settings.jackpot else {})

    def _in_action(self) -> Counter[str]:
        staked = Counter[str]()
        for table in self.tables.values():
            for (seat, _), cents in (*table.wagers.items(), *table.winnings.items()):
                staked[table.seats[Seat(seat)].player] += int(cents)
            for win in table.wins.values():
                staked[win.player] += win.cents
        return staked

    def _check_tables(self) -> None:
        """G3: a live table is what its events make, and its shoes are those that it was committed to."""
        assert self._live_tables() == self.tables
        joined = {known.id for known in self.people}
        for name, live in self.house.tables.items():
            assert {who.player for who in live.table.seats.values()} <= joined
            shoes = live.shoes.shoes
            assert set(shoes) == live.table.roots
            if live.table.round is not None and not live.table.settings.is_physical:
                for token, face in live.table.round.cards.items():
                    root, place = live.table.positions[token]
                    shoe = shoes[root]
                    assert isinstance(shoe, Shoe)
                    assert face.card in (None, shoe.card(place))
            if live.table.deadline is not None and not live.table.incident:
                assert self.house.due(name) is not None
            if self.is_checked:
                clocks = live.table.settings.clocks
                assert live.since <= self.now or live.table.service == "closed"
                assert (live.table.deadline or 0) <= self.now + clocks.away
                assert all((who.away_since or 0) <= self.now for who in live.table.seats.values())

    def _check_people(self) -> None:
        """The house has admitted everybody whose stream there is; lists of names and sessions are what events make."""
        store, house = self.house.store, self.states[HOUSE_STREAM]
        assert isinstance(house, Administration)
        persons = [stream for stream in self.heads if stream.startswith(PERSON)]
        assert len(persons) == len(self.people)
        assert house.admitted == self.happened["Admitted"]
        assert {id: list(who.roles) for id, who in house.staff.items()} == {
            p.id: list(p.roles) for p in self.people if p.roles
        }
        kept = {(row.owner, row.what): kept_digest(row.salt, row.what, row.body) for row in store.all_kept()}
        assert kept == {(p.id, what): digest for p in self.people for what, digest in p.kept.items()}
        for known in self.people:
            assert self.house.people.person(known.id) == known
        names = {row.id: identity_digest(row.salt, row.name) for row in store.people()}
        assert names == {known.id: known.digest for known in self.people if not known.forgotten}
        sessions = {row.token: (row.person, row.expires) for row in store.sessions()}
        assert sessions == {token: (p.id, until) for p in self.people for token, until in p.sessions.items()}
        for token in list(self.tokens)[-3:]:
            player, digest = self.tokens[token], token_digest(token)
            owner = self.states[person_stream(player)]
            assert isinstance(owner, Person)
            is_open = owner.sessions.get(digest, 0) > self.now
            assert self.house.people.player_of(token) == (player if is_open else None)

    def end(self) -> None:
        """Everything that was ever acknowledged is there, all of it verifies, and a replay is identical."""
        for (player, id), commit in self.done.items():
            assert self._commit_of(player, id) == commit
        path = self.home / "records.db"
        live = {name: (live.table, live.since, live.shoes.shoes) for name, live in self.house.tables.items()}
        self.house.close()
        report = verify(path, self.keys.public, self.receipts)
        assert report.ok, report.problems
        assert report.receipts == len(self.receipts) and not report.not_replayed
        self._check_excerpts(path)
        with Store(path) as store:
            again = House(store, self.keys, lambda: self.now)
            found = {name: (live.table, live.since, live.shoes.shoes) for name, live in again.tables.items()}
            assert found == live

    def _check_excerpts(self, path: Path) -> None:
        """All of the records, and some part of them, verify by themselves, whatever the wall clock and the keys did."""
        with Reader(path) as store:
            times = [commit.time for _, commit in store.commits()]
        part = sorted(self.random.choices(times, k=2))
        for n, (since, until) in enumerate([(min(times), max(times)), part]):
            to = path.with_name(f"excerpt {n}")
            planned = write_excerpt(path, to, since, until + 1, self.keys.public)
            found = verify_excerpt(to, planned.header.public)
            assert found.ok, found.problems


def without_zeros(balances: Any) -> dict[str, int]:
    return {name: cents for name, cents in balances.items() if cents}


def everything(store: Reader) -> dict[str, list[Any]]:
    """All that the file holds."""
    run = store.connection.execute
    tables = [str(name) for (name,) in run("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()]
    return {table: run(f"SELECT * FROM {table}").fetchall() for table in tables}


def results(event: object) -> list[ev.Settled]:
    match event:
        case ev.Answered(_, effects):
            return [effect for effect in effects if isinstance(effect, ev.Settled)]
        case ev.Voided(returned=returned):
            return list(returned)
    return []


@contextmanager
def dying_at(store: Store, statement: int, last: Callable[[], Any]) -> Iterator[None]:
    """Inside, the n-th statement that is run is the last thing that ever happens."""
    run = 0

    def watch(*_: object) -> bool:
        nonlocal run
        run += 1
        if run == statement:
            store.connection.exec_trace = None
            last()
            raise Crash
        return True

    store.connection.exec_trace = watch
    try:
        yield
    finally:
        store.connection.exec_trace = None


def simulate(seed: int, tables: Sequence[TableSettings], steps: int, folder: Path, patch: pytest.MonkeyPatch) -> World:
    world = World(seed, tables, folder, patch)
    try:
        for _ in range(steps):
            world.step()
            world.check()
        world.end()
    except BaseException:
        print(f"seed {seed}, after {world.steps} steps")
        raise
    finally:
        world.house.store.close()
    return world
