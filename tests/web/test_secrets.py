"""Nobody sees a sealed card (G4, F-14), by non-interference: two sessions that differ only in cards that stay sealed.

Two cards change places, wherever they lie in the shoe. Until one of them is turned, not one byte may differ of
anything that anybody is sent: no message or its length, no answer, page, refusal, record, log line, nor how many
messages there are or in which order. What chance decides is staged: commitments that hide perfectly (a commitment
under a secret salt tells nothing; `test_shoe.py` looks at that), the same salts, and one order of the cards but for
the two that change places.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from feltworks.floor.generator import Generator
from feltworks.floor.house import House
from feltworks.floor.sealing import Keys
from feltworks.floor.settings import Limits, TableSettings
from feltworks.floor.store import Store
from feltworks.games import load
from feltworks.kit import steps
from feltworks.kit.cards import Card, Token
from feltworks.web.app import COOKIE, _carried_out, create_app
from feltworks.web.hub import Client, Hub
from tests.floor.killing import everything
from tests.web.robots import LocalServer, Robot, between, money

T = TypeVar("T")
TOYS = Path(__file__).parent.parent / "toys"
START = 1_700_000_000_000
Swap = tuple[Card, Card] | None


# The stage.


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> "Stage":
    return Stage(monkeypatch)


class Stage:
    """Chance and time under control: everything that a house draws at random is the same in every session."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.order = 0
        self.other: dict[Any, Any] = {}
        stage = self

        class Staged(Generator):
            def shuffled(self, items: Iterable[T]) -> list[T]:
                return stage.shuffled(items)

        patch.setattr("feltworks.floor.shoe.Generator", Staged)
        patch.setattr("feltworks.floor.shoe._commitment", hiding)
        patch.setattr("feltworks.floor.house.fresh_seed", self._seed)
        names = SimpleNamespace(token_hex=self._name, token_urlsafe=self._name)
        patch.setattr("feltworks.floor.house.secrets", names)
        for place in ("feltworks.floor.settings.load", "feltworks.web.posted.load"):
            patch.setattr(place, lambda name: load(name, [TOYS]))
        self.set(0)

    def set(self, order: int, swap: Swap = None) -> None:
        """Start over with this order of the cards, two of which change places."""
        self.order, self.other = order, {swap[0]: swap[1], swap[1]: swap[0]} if swap else {}
        self._seeds = self._names = self._shoes = 0

    def shuffled(self, items: Iterable[T]) -> list[T]:
        self._shoes += 1
        cards: list[Any] = list(items)
        cards.sort(key=self._index)
        Random(f"{self.order} {self._shoes}").shuffle(cards)
        return cards

    def _index(self, card: Any) -> int:
        index: int = self.other.get(card, card).index
        return index

    def _seed(self) -> bytes:
        self._seeds += 1
        return self._seeds.to_bytes(32, "big")

    def _name(self, length: int) -> str:
        self._names += 1
        return f"{self._names:0{length}}"


def hiding(position: int, card: str, salt: bytes) -> bytes:
    """A commitment that hides its card perfectly."""
    return sha256(b"hides" + position.to_bytes(4, "big") + salt).digest()


# A session.


@dataclass
class Session:
    """A house with people at one table, and everything that leaves it, in order: to whom, and the bytes."""

    house: House
    hub: Hub
    app: Any
    loop: asyncio.AbstractEventLoop
    table: str
    log: "Lines"
    now: int = START
    until: int | None = None
    sent: list[tuple[str, bytes]] = field(default_factory=list)
    people: dict[str, Client] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    turned: dict[Card, int] = field(default_factory=dict)
    """When each card was first turned to all: how many things had been sent by then."""
    turned_to: dict[Card, tuple[int, int]] = field(default_factory=dict)
    """When each card was first turned to one seat, and to which."""
    read: dict[Card, str] = field(default_factory=dict)
    sealed: dict[Card, Token] = field(default_factory=dict)
    """Cards that lay sealed on the table when somebody had to decide."""

    def join(self, name: str, seat: int = 0) -> None:
        """Somebody comes to the table: a player with a session, or a spectator without one."""
        player = None
        if seat:
            player, self.tokens[name] = self.house.guest()
        self.people[name] = client = Client(self.table, player)
        self.hub.join(client)
        self.tell()
        self.look()
        if seat > 0:
            self.say(name, "sit", seat=seat)

    def say(self, name: str, kind: str, **fields: Any) -> None:
        """Somebody gives a command, which is answered."""
        said = {"id": f"{name} {len(self.sent)}", "command": {"kind": kind, **fields}}
        self.raw(name, json.dumps(said))

    def raw(self, name: str, text: str) -> None:
        client = self.people[name]
        client.say(_carried_out(self.hub, client, text))
        self.tell()
        self.look()

    def everybody_tries_everything(self) -> None:
        """Whoever is not asked, and whoever asks for nonsense, is refused."""
        for name, client in self.people.items():
            for n, command in enumerate(TRIED):
                said = {"id": f"{name} {len(self.sent)} {n}", "command": command}
                client.say(_carried_out(self.hub, client, json.dumps(said)))
            client.say(_carried_out(self.hub, client, '{"id":"x","command":{"kind":"answer","answer":["card","As"]}}'))
            self.tell()
        self.look()

    def deal(self) -> None:
        """The dealer deals until somebody has to act."""
        while (due := self.house.due(self.table)) is not None and due.doing != "clock":
            self._note(self.house.live(self.table).table.step)
            self.now = max(due.at, self.now)
            self.house.deal_on(self.table, due.doing)
            self.tell()
            self.look()
        live = self.house.live(self.table)
        if live.table.to_act and live.table.round is not None:
            for token, face in live.table.round.cards.items():
                if face.card is None:
                    self.sealed.setdefault(self.house._card(live, token), token)

    def _note(self, step: steps.Step | None) -> None:
        if isinstance(step, steps.Turn | steps.Read):
            card = self.house._card(self.house.live(self.table), step.token)
            if isinstance(step, steps.Read):
                self.read[card] = next(cards.name for cards in step.among if card in cards)
            elif step.to is steps.ALL:
                self.turned.setdefault(card, len(self.sent))
            else:
                self.turned_to.setdefault(card, (len(self.sent), step.to))

    def tell(self) -> None:
        """Everybody is sent what there is to send."""
        for name, client in self.people.items():
            while (message := self.hub.message_for(client)) is not None:
                self.sent.append((name, message))

    def look(self) -> None:
        """Whoever asks is answered, and the file and the log are read."""
        if self.until is not None and len(self.sent) > self.until:
            raise Enough
        number = self.house.live(self.table).table.round_number
        paths = ["/", f"/table/{self.table}", "/api/tables", f"/api/tables/{self.table}/rounds"]
        paths += [f"/api/tables/{self.table}/rounds/{n}" for n in range(max(1, number - 1), number + 2)]
        for path in paths:
            token = self.tokens.get("ann", "")
            self.sent.append(("anybody", self.loop.run_until_complete(answer_of(self.app, path, token))))
        self.sent.append(("the file", self._written()))
        self.sent.append(("the log", "\n".join(self.log.lines).encode()))
        self.log.lines.clear()

    def _written(self) -> bytes:
        """Everything that the file holds, but of the sealed secrets only how long they are."""
        held = everything(self.house.store)
        held["secrets"] = [(root, stream, len(sealed)) for root, stream, sealed in held["secrets"]]
        return repr(held).encode()


TRIED: list[dict[str, Any]] = [
    {"kind": "choose", "option": "fly"},
    {"kind": "choose", "option": "raise", "amount": 7},
    {"kind": "ready"},
    {"kind": "place", "spot": "ante", "amount": 500},
    {"kind": "take up", "spot": "base"},
    {"kind": "sit", "seat": 1},
]


class Enough(Exception):
    """The session has gone on for as long as it is looked at."""


class Lines(logging.Handler):
    """Everything that is logged, at every level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


async def answer_of(app: Any, path: str, token: str) -> bytes:
    """What a request is answered: status, headers and body."""
    got: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        got.append(repr(message).encode())

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"cookie", f"{COOKIE}={token}".encode())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }
    await app(scope, receive, send)
    return b"".join(got)


Script = Callable[[Session], None]


def played(
    stage: Stage,
    folder: Path,
    settings: TableSettings,
    script: Script,
    swap: Swap = None,
    until: int | None = None,
) -> Session:
    """A session from the opening of the house to the end of the script, or until so much has been sent."""
    stage.set(stage.order, swap)
    folder.mkdir(exist_ok=True)
    root, log = logging.getLogger(), Lines()
    level = root.level
    root.setLevel(logging.DEBUG)
    root.addHandler(log)
    path = Path(mkdtemp(dir=folder)) / "records.db"
    try:
        with Store(path) as store, closing(asyncio.new_event_loop()) as loop:
            house = House(store, Keys(bytes(32), bytes(32)), lambda: START)
            house.open_table(settings)
            app = create_app(house)
            session = Session(house, app.state.hub, app, loop, settings.id, log, until=until)
            house.clock = lambda: session.now
            with suppress(Enough):
                script(session)
            return session
    finally:
        root.removeHandler(log)
        root.setLevel(level)


@dataclass(frozen=True)
class Scene:
    """What is played: the table, the script, and who sits where."""

    settings: TableSettings
    script: Script
    people: dict[int, str]

    @property
    def pack(self) -> list[Card]:
        fresh = self.settings.load_game().fresh()
        assert fresh is not None
        return [card for card in fresh.cards if fresh.count(card)]


def assert_untold(stage: Stage, folder: Path, scene: Scene, base: Session, swap: tuple[Card, Card]) -> None:
    """Nothing differs before one of the two cards is turned; to whom it is turned alone, what is sent may."""
    people = scene.people
    end = min((base.turned[card] for card in swap if card in base.turned), default=len(base.sent))
    other = played(stage, folder, scene.settings, scene.script, swap, until=end)
    private = {people[base.turned_to[card][1]]: base.turned_to[card][0] for card in swap if card in base.turned_to}
    differs = set()
    for at, (one, two) in enumerate(zip(base.sent[:end], other.sent[:end], strict=False)):
        (to, said), (also_to, also_said) = one, two
        assert to == also_to, f"after {at} messages one goes to {to}, and to {also_to} when {swap} change places"
        if said != also_said:
            assert at >= private.get(to, end), f"{to} can tell {swap} apart:\n{said!r}\n{also_said!r}"
            differs.add(to)
    assert len(other.sent) >= end
    if end < len(base.sent):
        seen = slice(end, len(other.sent))
        assert base.sent[seen] != other.sent[seen], f"{swap} were turned and it makes no difference"
    assert differs == {name for name, at in private.items() if at < end}


# The games.


def one_for_the_money(session: Session) -> None:
    """Two rounds; two play, one watches with a session and one without."""
    session.join("eve")
    session.join("dan", seat=-1)
    session.join("ann", seat=1)
    session.join("bob", seat=3)
    session.deal()
    for options in (("trade", "stand", "raise"), ("check", "trade", "raise")):
        session.say("ann", "place", spot="ante", amount=500)
        session.say("ann", "place", spot="three_card_bonus", amount=200)
        session.say("bob", "place", spot="ante", amount=1_000)
        session.say("ann", "ready")
        session.say("bob", "ready")
        session.deal()
        for option in options:
            session.everybody_tries_everything()
            acting = "ann" if 1 in session.house.live("money").table.to_act else "bob"
            session.say(acting, "choose", option=option)
            session.deal()


def in_between(session: Session) -> None:
    session.join("eve")
    session.join("ann", seat=1)
    session.join("bob", seat=2)
    session.deal()
    for _ in range(3):
        session.say("ann", "place", spot="base", amount=500)
        session.say("ann", "place", spot="in_between", amount=200)
        session.say("bob", "place", spot="base", amount=1_000)
        session.say("ann", "ready")
        session.everybody_tries_everything()
        session.say("bob", "ready")
        session.deal()


def bands(session: Session) -> None:
    session.join("eve")
    session.join("ann", seat=1)
    session.join("bob", seat=2)
    session.deal()
    for choices in (("fold", "play"), ("play", "play")):
        for name in ("ann", "bob"):
            session.say(name, "place", spot="ante", amount=500)
            session.say(name, "ready")
        session.deal()
        for name, option in zip(("ann", "bob"), choices, strict=True):
            session.everybody_tries_everything()
            session.say(name, "choose", option=option)
            session.deal()


def peek(session: Session) -> None:
    session.join("eve")
    session.join("ann", seat=1)
    session.deal()
    for _ in range(2):
        session.say("ann", "place", spot="bet", amount=1_000)
        session.say("ann", "ready")
        session.deal()
        while session.house.live("peek").table.to_act:
            session.everybody_tries_everything()
            session.say("ann", "choose", option="insure")
            session.say("ann", "choose", option="stand")
            session.deal()


LIMITS = Limits(100, 10_000)
SHUFFLER = Scene(money(decks=1), one_for_the_money, {1: "ann", 3: "bob"})
BACK = Scene(money(decks=1, readings={"traded_card": "back"}), one_for_the_money, {1: "ann", 3: "bob"})
SHOE = Scene(between(decks=1), in_between, {1: "ann", 2: "bob"})
BANDS = Scene(
    TableSettings("bands", "Bands", "bands", {"ante": LIMITS, "match": LIMITS}, seats=2), bands, {1: "ann", 2: "bob"}
)
PEEK = Scene(TableSettings("peek", "Peek", "peek", {"bet": LIMITS}, seats=1), peek, {1: "ann"})
REAL = {"one-for-the-money": SHUFFLER, "one-for-the-money, traded card back": BACK, "in-between": SHOE}


def swaps(base: Session, cards: Iterable[Card], pack: Iterable[Card]) -> list[tuple[Card, Card]]:
    """Each card with one that is never seen and that no reader could tell from it."""

    def band(card: Card) -> tuple[bool, bool]:
        return card.rank <= 4, card.rank == 10

    unseen = [c for c in pack if not {c} & {*base.turned, *base.turned_to, *base.read}]
    pairs = [(card, [c for c in unseen if c is not card and band(c) == band(card)]) for card in cards]
    return [(card, others[-1]) for card, others in pairs if others]


@pytest.mark.rule("F-14")
@pytest.mark.parametrize("scene", REAL)
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["some", "every"])
def test_not_a_byte_of_anything_depends_on_a_card_before_it_is_turned(
    stage: Stage, tmp_path: Path, scene: str, every: bool
) -> None:
    played_here = REAL[scene]
    settings, script = played_here.settings, played_here.script
    base = played(stage, tmp_path, settings, script)
    again = played(stage, tmp_path / "again", settings, script)
    assert base.sent == again.sent  # nothing else differs between two sessions
    # The dealer's two cards of each round lie sealed while seats decide; three hole cards are never seen at all.
    assert len(base.sealed) == (0 if settings.game == "in-between" else 4)
    pairs = swaps(base, played_here.pack, played_here.pack)
    assert {card for card, _ in pairs} >= {*base.turned, *base.sealed}
    for swap in pairs if every else {*pairs[::9], *(pair for pair in pairs if pair[0] in base.sealed)}:
        assert_untold(stage, tmp_path, played_here, base, swap)


@pytest.mark.rule("F-14")
def test_a_card_turned_to_one_seat_is_told_to_that_seat_alone(stage: Stage, tmp_path: Path) -> None:
    """A toy with private cards and a reader: seats see their own, and of the dealer's only the band."""
    for stage.order in range(50):
        base = played(stage, tmp_path, BANDS.settings, bands)
        pairs = swaps(base, BANDS.pack, BANDS.pack)
        # Who folds does not show: that card is known to one seat for ever.
        if any(card in base.turned_to and card not in base.turned for card, _ in pairs) and len(pairs) > 5:
            break
    assert sum(card in base.turned_to for card, _ in pairs) >= 3
    for swap in pairs:
        assert_untold(stage, tmp_path, BANDS, base, swap)


@pytest.mark.rule("F-14")
def test_a_card_the_dealer_peeked_at_tells_what_was_read_and_nothing_else(stage: Stage, tmp_path: Path) -> None:
    while "no ten" not in (base := played(stage, tmp_path / str(stage.order), PEEK.settings, peek)).read.values():
        stage.order += 1
    pairs = swaps(base, [card for card, said in base.read.items() if said == "no ten"], PEEK.pack)
    assert pairs
    for swap in pairs:
        assert_untold(stage, tmp_path / str(stage.order), PEEK, base, swap)


@pytest.mark.rule("F-14")
def test_a_house_that_lets_slip_anything_is_caught(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof of the proof: a dot more or less, by the rank of the dealer's first card, to one who watches."""
    honest = Hub.view

    def leaking(hub: Hub, client: Client) -> dict[str, Any]:
        seen = honest(hub, client)
        live, first = hub.house.live("money"), Token(None, "dealer 1")
        if first in live.table.positions and seen["phase"] == "deciding" and client.player is None:
            seen["message"] += "." * hub.house._card(live, first).rank
        return seen

    monkeypatch.setattr(Hub, "view", leaking)
    base = played(stage, tmp_path, SHUFFLER.settings, SHUFFLER.script)
    sealed = next(card for card, token in base.sealed.items() if token.name == "dealer 1")
    other = next(card for card in SHUFFLER.pack if card not in base.turned and card.rank != sealed.rank)
    with pytest.raises(AssertionError, match="eve can tell"):
        assert_untold(stage, tmp_path, SHUFFLER, base, (sealed, other))


# Over real sockets.


@pytest.mark.rule("F-14")
def test_not_a_byte_on_the_wire_depends_on_a_card_before_it_is_turned(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same, through the whole server, for the dealer's two cards: every frame that every client gets."""
    monkeypatch.setattr(Hub, "start", lambda _: None)  # the test deals, so that what is sent has one order

    def wire(swap: Swap) -> tuple[list[list[str]], list[Card]]:
        stage.set(7, swap)
        folder = tmp_path / (swap[0].text if swap else "as it is")
        with LocalServer(folder, [money(decks=1)], lambda: START) as server:
            robots = [server.watch("money"), server.join("money")]
            for seat in (1, 3):
                robots.append(server.join("money"))
                robots[-1].done("sit", "sit", seat=seat)
                together(server, robots)
            server_deals(server, robots)
            for robot in robots[2:]:
                robot.done("place", "place", spot="ante", amount=500)
                together(server, robots)
                robot.done("ready", "ready")
                together(server, robots)
            sealed = server_deals(server, robots)
            for n, option in enumerate(("fly", "trade", "fly", "stand", "trade")):
                for robot in robots:
                    robot.do("choose", f"{option} {n}", option=option)
                    together(server, robots)
                server_deals(server, robots)
            frames = [list(robot.frames) for robot in robots]
            for robot in robots:
                robot.close()
            return frames, sealed

    base, sealed = wire(None)
    told = str(base)
    assert len(sealed) == 2
    unseen = [card for card in SHUFFLER.pack if card not in sealed and f'"{card.text}"' not in told]
    for card, other in zip(sealed, unseen, strict=False):
        assert wire((card, other))[0] == base
    shown = next(card for card in SHUFFLER.pack if f'"{card.text}"' in told)
    assert wire((shown, unseen[0]))[0] != base


def together(server: LocalServer, robots: list[Robot]) -> None:
    """Everybody sees the table as it is."""
    version = server.run(lambda house: house.live("money").table.version)
    for robot in robots:
        robot.until(lambda view: view["version"] == version)


def server_deals(server: LocalServer, robots: list[Robot]) -> list[Card]:
    """Deal until somebody has to act, each step seen by all; the cards that lie sealed then."""

    def one(house: House) -> bool:
        due = house.due("money")
        if due is None or due.doing == "clock":
            return False
        house.deal_on("money", due.doing)
        return True

    while server.run(one):
        together(server, robots)

    def lying(house: House) -> list[Card]:
        live = house.live("money")
        round = live.table.round
        return [house._card(live, t) for t, face in round.cards.items() if face.card is None] if round else []

    return server.run(lying)
