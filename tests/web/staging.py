"""A stage for proofs that nobody sees a sealed card: everything random is the same in every session but for two cards.

What chance decides is staged: commitments that hide perfectly (a commitment under a secret salt tells nothing;
`test_shoe.py` looks at that), the same salts, and one order of the cards but for the two that change places.

So is what seals the shoes at rest. A receipt is a signature over commits, and a commit is bound to the digest of what
it sealed: in a real house that is AES-256-GCM under a nonce of its own (`test_keys.py`), which tells whoever lacks the
key how long the secret is and nothing more. Here it is bytes of the same length that the secret has no part in. So
receipts are compared byte for byte like everything else: if anything but the sealed bytes went into one, such as the
order of a shoe, the seed or a card, the two sessions would differ.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256, shake_128
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from feltworks.floor.chance.generator import Generator
from feltworks.floor.chance.shared_opening import What
from feltworks.floor.chance.shoe import TAGS
from feltworks.floor.house import House
from feltworks.floor.keys import Keys
from feltworks.floor.past_round import is_over
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table.settings import TableSettings
from feltworks.games import load
from feltworks.kit import steps
from feltworks.kit.cards import Card, Token
from feltworks.web.app import create_app
from feltworks.web.cookies import COOKIE
from feltworks.web.hub import Client, Hub
from feltworks.web.pit.board import Board, Looker
from feltworks.web.pit.console import console_of
from feltworks.web.pit.entries import ConsoleClient
from feltworks.web.pit.entries import hear as hear_console
from feltworks.web.share_code import share_code
from feltworks.web.sockets import hear
from feltworks.web.staff.access import WATCH

T = TypeVar("T")
TOYS = Path(__file__).parent.parent / "toys"
START = 1_700_000_000_000
Swap = tuple[Card, Card] | None


class Stage:
    """Chance and time under control: everything that a house draws at random is the same in every session."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.order = 0
        self.nonce = b""
        """Of everything that is sealed."""
        self.other: dict[Any, Any] = {}
        stage = self

        class Staged(Generator):
            def __init__(self, seed: bytes) -> None:
                super().__init__(seed)
                self.number = int.from_bytes(seed, "big")

            def shuffled(self, items: Iterable[T]) -> list[T]:
                return stage.shuffled(items, self.number)

        patch.setattr("feltworks.floor.chance.shoe.Generator", Staged)
        patch.setattr("feltworks.floor.chance.shoe._commit", hiding)
        patch.setattr("feltworks.floor.chance.sealed.fresh_seed", self._seed)
        self.secrets: dict[bytes, bytes] = {}
        """What was sealed last as these bytes: only the house has the key."""
        patch.setattr(Keys, "seal", lambda _, *secret: self._seal(*secret))
        patch.setattr(Keys, "unseal", lambda _, sealed, __: self.secrets[sealed])
        names = SimpleNamespace(token_hex=self._name, token_urlsafe=self._name, token_bytes=self._bytes)
        for place in ("feltworks.floor.people.secrets", "feltworks.floor.staff.secrets"):
            patch.setattr(place, names)
        for place in ("feltworks.floor.table.settings.load", "feltworks.web.posted.load"):
            patch.setattr(place, lambda name: load(name, [TOYS]))
        self.set(0)

    def set(self, order: int, swap: Swap = None) -> None:
        """Start over with this order of the cards, two of which change places."""
        self.order, self.other = order, {swap[0]: swap[1], swap[1]: swap[0]} if swap else {}
        self._seeds = self._names = 0

    def shuffled(self, items: Iterable[T], seed: int) -> list[T]:
        cards: list[Any] = list(items)
        cards.sort(key=self._index)
        Random(f"{self.order} {seed}").shuffle(cards)
        return cards

    def _index(self, card: Any) -> int:
        index: int = self.other.get(card, card).index
        return index

    def _seal(self, secret: bytes, context: str) -> bytes:
        sealed = sealed_perfectly(self.nonce, secret, context)
        self.secrets[sealed] = secret
        return sealed

    def _seed(self) -> bytes:
        self._seeds += 1
        return self._seeds.to_bytes(32, "big")

    def _name(self, length: int) -> str:
        self._names += 1
        return f"{self._names:0{length}}"

    def _bytes(self, length: int) -> bytes:
        return self._name(length).encode()


def hiding(position: int, card: str, salt: bytes, what: What) -> bytes:
    """A commitment that hides its card perfectly."""
    return sha256(b"hides" + TAGS[what] + position.to_bytes(4, "big") + salt).digest()


def sealed_perfectly(nonce: bytes, secret: bytes, context: str) -> bytes:
    """What tells nothing of a secret but its length, with the nonce and the tag of a real one."""
    return shake_128(b"seals" + nonce + context.encode()).digest(12 + len(secret) + 16)


def without_blinds(said: bytes) -> bytes:
    """A message; if it carries a receipt, its hash and signature are as long as they were and say nothing."""
    message = json.loads(said) if said.startswith(b'{"ok"') else {}
    for part in ("hash", "signature") if message else ():
        said = said.replace(message["receipt"][part].encode(), b"*" * len(message["receipt"][part]))
    return said


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
    staff: dict[Role, str] = field(default_factory=dict)
    """The session of somebody of each role who works here."""
    lookers: dict[Role, Looker] = field(default_factory=dict)
    """Those of them who look at the board."""
    turned: dict[Card, int] = field(default_factory=dict)
    """When each card was first turned to all: how many things had been sent by then."""
    turned_to: dict[Card, tuple[int, int]] = field(default_factory=dict)
    """When each card was first turned to one seat, and to which."""
    read: dict[Card, str] = field(default_factory=dict)
    sealed: dict[Card, Token] = field(default_factory=dict)
    """Cards that lay sealed on the table when somebody had to decide."""
    shared: set[int] = field(default_factory=set)
    """Rounds whose code ann has asked for."""
    auditor: str = ""
    """The token of an auditor's session, if one reads along."""

    def join(self, name: str, seat: int = 0) -> None:
        """Somebody comes to the table: a player with a session, or a spectator without one."""
        player = None
        if seat:
            player, self.tokens[name] = self.house.people.guest()
        self.people[name] = client = Client(self.table, player)
        self.hub.join(client)
        self.hub.clerk.finish()
        self.tell()
        self.look()
        if seat > 0:
            self.say(name, "sit", seat=seat)

    def employ(self, role: Role) -> None:
        """Somebody of the house comes to the table, and looks at the pages of the house from then on."""
        id, self.staff[role] = self.house.staff.demonstrate(role)
        self.people[role.value] = client = Client(self.table, id)
        self.hub.join(client)
        if role in WATCH:
            self.lookers[role] = looker = Looker(id, "")
            self.app.state.board.join(looker)
        self.hub.clerk.finish()
        self.tell()
        self.look()

    def say(self, name: str, kind: str, **fields: Any) -> None:
        """Somebody gives a command, which is answered."""
        said = {"id": f"{name} {len(self.sent)}", "command": {"kind": kind, **fields}}
        self.raw(name, json.dumps(said))

    def raw(self, name: str, text: str) -> None:
        client = self.people[name]
        self.hear(client, text)
        self.tell()
        self.look()

    def open_console(self, name: str) -> None:
        """A dealer has a console at the table, and looks at the pages of the house."""
        id, self.staff[Role.DEALER] = self.house.staff.demonstrate(Role.DEALER)
        self.people[name] = client = ConsoleClient(self.table, None)
        client.dealer, client.console = id, partial(console_of, self.house, dealer=id)
        self.hub.join(client)
        self.tell()
        self.look()

    def hear(self, client: Client, text: str) -> None:
        listen = hear_console if isinstance(client, ConsoleClient) else hear
        listen(self.hub, client, text)
        self.hub.clerk.finish()

    def everybody_tries_everything(self) -> None:
        """Whoever is not asked, and whoever asks for nonsense, is refused."""
        for name, client in self.people.items():
            for n, command in enumerate(TRIED):
                said = {"id": f"{name} {len(self.sent)} {n}", "command": command}
                self.hear(client, json.dumps(said))
            self.hear(client, CHANCE)
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
        self.note_sealed()

    def go_on(self, dealer: str) -> None:
        """Whoever has a console deals until somebody has to act, or the round is over."""
        while (step := self.house.live(self.table).table.step) is not None and not isinstance(step, steps.Choose):
            self._note(step)
            self.say(dealer, "go on")
        self.note_sealed()

    def note_sealed(self) -> None:
        """Which cards lie sealed on the table while somebody decides."""
        live = self.house.live(self.table)
        if live.table.to_act and live.table.round is not None:
            for token, face in live.table.round.cards.items():
                if face.card is None:
                    self.sealed.setdefault(live.shoes.card(live.table, token), token)

    def _note(self, step: steps.Step | None) -> None:
        if isinstance(step, steps.Turn | steps.Read):
            live = self.house.live(self.table)
            card = live.shoes.card(live.table, step.token)
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
        paths = ["/", "/health", f"/table/{self.table}", "/api/tables", f"/api/tables/{self.table}/rounds"]
        paths += [f"/api/tables/{self.table}/rounds/{n}" for n in range(max(1, number - 1), number + 2)]
        for path in paths:
            token = self.tokens.get("ann", "")
            self.sent.append(("anybody", self.loop.run_until_complete(answer_of(self.app, path, token))))
        for role, token in self.staff.items():
            for path in (*HOUSE, *(f"/house/{page}" for page in self._pages_of_table())):
                self.sent.append((role.value, self.loop.run_until_complete(answer_of(self.app, path, token))))
        self._look_at_board()
        self._look_at_shared(number)
        self._audit()
        self.sent.append(("the file", self._written()))
        self.sent.append(("the log", "\n".join(self.log.lines).encode()))
        self.log.lines.clear()

    def _pages_of_table(self) -> Iterator[str]:
        yield from (f"tables/{self.table}", f"tables/{self.table}/settings", f"tables/{self.table}/deal")
        yield from (f"watch/{self.table}", f"tables/{self.table}/correct", f"disputes/{self.table}/1")
        entries = len(self.house.live(self.table).table.answers)
        yield from (f"tables/{self.table}/correct?entry={n}" for n in sorted({1, entries}))
        yield from (f"search?table={self.table}", "search?seat=1", "search?least=1", "search?result=won&words=card")
        yield "search?seat=3&wager=ante"

    def _look_at_board(self) -> None:
        """Whoever may see all tables is told what has changed, as the socket of the board tells it."""
        board: Board = self.app.state.board
        for role, looker in self.lookers.items():
            message = self.loop.run_until_complete(board.message_for(looker))
            self.sent.append((role.value, b"the board " + (message or b"")))

    def let_audit(self) -> None:
        """From now on an auditor reads everything that there is to read, and takes it along."""
        _, self.auditor = self.house.staff.demonstrate(Role.AUDITOR)

    def verify(self) -> None:
        """The auditor has the records verified, by a process of its own."""
        verification = self.app.state.proof.verification

        async def verified() -> None:
            verification.start(next(iter(self.house.administration.staff)))
            await verification._task

        self.loop.run_until_complete(verified())
        self.look()

    def _audit(self) -> None:
        records = "/house/records"
        paths = ["/house", records, f"{records}?stream={self.table}&by=dealer", f"{records}?kind=answered"]
        paths += ["/house/due", f"/house/tables/{self.table}", f"{records}/verify", f"{records}/head"]
        paths += [f"{records}/export?from=2000-01-01&until=2100-01-01"]
        for path in paths if self.auditor else ():
            said = self.loop.run_until_complete(answer_of(self.app, path, self.auditor))
            assert said.startswith(b"{'type': 'http.response.start', 'status': 200")
            self.sent.append(("the auditor", said))

    def _look_at_shared(self, number: int) -> None:
        """The round before this one, and this one: by everybody, by the code of ann's seat, which shows her cards of a
        round that is over, and by codes that open nothing."""
        keys, table = self.house.keys, self.table

        def ask(to: str, path: str, token: str = "") -> None:
            self.sent.append((to, self.loop.run_until_complete(answer_of(self.app, path, token))))

        for n in range(max(1, number - 1), number + 1):
            steps, page = f"/api/tables/{table}/rounds/{n}", f"/table/{table}/round/{n}"
            for path in (f"{steps}/views", page):
                ask("anybody", path)
            if n not in self.shared:
                ask("anybody", f"{steps}/share", self.tokens.get("ann", ""))
            code = share_code(keys, table, n, 1)
            for path in (f"{steps}?share={code}", f"{steps}/views?share={code}", f"{page}?share={code}"):
                ask("ann" if is_over(self.house, table, n) else "anybody", path)
            for wrong in (code[:-1], share_code(keys, table, n + 1, 1), share_code(keys, "other", n, 1)):
                ask("anybody", f"{steps}?share={wrong}")
            if is_over(self.house, table, n):
                self.shared.add(n)

    def _written(self) -> bytes:
        """Everything that the file holds, but of the sealed secrets only how long they are."""
        run = self.house.store.connection.execute
        tables = [name for (name,) in run("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        held: dict[str, list[Any]] = {table: run(f"SELECT * FROM {table}").fetchall() for table in tables}
        held["secrets"] = [(*about, len(sealed)) for *about, sealed in held["secrets"]]
        return repr(held).encode()


PAGES = (
    "disputes",
    "waiting",
    "tables",
    "people",
    "records",
    "due",
    "exclusions",
    "board",
    "watch",
    "search",
    "jackpots",
)
HOUSE = ("/house", *(f"/house/{page}" for page in PAGES))
"""The pages that those who work here look at."""
CHANCE = '{"id":"x","command":{"kind":"enter","answer":{"kind":"card","card":"As"}}}'
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


async def answer_of(app: Any, address: str, token: str) -> bytes:
    """What a request is answered: status, headers and body."""
    path, _, query = address.partition("?")
    got: list[bytes] = []
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if asked:
            await asyncio.Event().wait()  # nothing more comes, and nobody goes away
        asked = True
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
        "query_string": query.encode(),
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
