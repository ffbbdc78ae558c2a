"""Where the records stand: all that the next commit depends on, followed commit by commit or read from a checkpoint."""

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field

import msgspec

from feltworks.floor import administration
from feltworks.floor.accounts import Account, Cents, Entry
from feltworks.floor.administration import Administration, KeyChanged, Migrated
from feltworks.floor.jackpot import events as jackpot_events
from feltworks.floor.jackpot import meter
from feltworks.floor.jackpot.meter import JACKPOT, Meter, is_jackpot
from feltworks.floor.journal.records import FIRST, Commit, Receipt, digest, group_hash, link_after
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Signer, check_signature
from feltworks.floor.streams import HOUSE_STREAM, Event


class _Checkpoint(msgspec.Struct, frozen=True):
    """Everything that a start needs to know of what lies before it."""

    chain: str
    number: int
    hash: str
    signature: str
    """Of the newest group: its chain, the number of its last commit, what was signed, and the signature."""
    public: str
    heads: dict[str, tuple[int, str]]
    balances: dict[str, Cents]
    chains: dict[str, tuple[int, str]]
    house: Administration
    time: int = 0
    """Of the last commit; 0 in a checkpoint from before it was kept."""
    meters: dict[str, Meter] = {}


@dataclass
class Position:
    """Where the records stand: all that the next commit depends on."""

    id: int = 0
    """The place of the last commit in the file."""
    public: str = ""
    """The key that signs from here on; nothing where none is known, because it was never changed."""
    heads: MutableMapping[str, tuple[int, str]] = field(default_factory=dict)
    balances: MutableMapping[str, Cents] = field(default_factory=dict)
    chains: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Of each chain the number of its last commit, and its link."""
    group: tuple[str, int, str, bytes] | None = None
    """Of the newest group: chain, number of its last commit, hash and signature."""
    house: Administration = field(default_factory=Administration)
    open_group: bool = False
    """Whether the last commit carries no signature."""
    signer: str = ""
    """The key that signs the newest group; nothing where none is known."""
    time: int = 0
    """Of the last commit; 0 where it is not known."""
    meters: Mapping[str, Meter] = field(default_factory=dict)
    """The jackpots, by id: so a start does not fold every wager that was ever registered."""

    @property
    def head(self) -> Receipt | None:
        """The newest signature: it covers everything before it."""
        if self.group is None:
            return None
        chain, number, hash, signature = self.group
        return Receipt(chain, number, number, hash, signature.hex())

    def follow(self, id: int, commit: Commit) -> str:
        """Go on by one commit, and say what is wrong with it; nothing if it follows from what is known."""
        number, link = self.chains.get(commit.chain, (0, FIRST))
        if commit.number != number + 1:
            return f"commit {number + 1} of the chain {commit.chain} is missing"
        if id != self.id + 1:
            return f"commit {commit.number} of the chain {commit.chain} is not in its place"
        if commit.others != (other_chains(self.chains, commit.chain) if commit.signature else ""):
            return f"commit {commit.number} does not name the ends of the other chains"
        if id == 1:
            self._take_over(commit)
        wrong = self._follow_records(commit)
        if wrong:
            return wrong
        self.book(entry for entries in commit.entries for entry in entries)
        hash = commit.hash_after(link)
        self.chains[commit.chain] = commit.number, link_after(hash, commit.signature)
        self.open_group = not commit.signature
        if commit.signature:
            signed = group_hash(commit.chain, commit.number, hash, commit.others)
            self.group = commit.chain, commit.number, signed, commit.signature
        self.id, self.time = id, commit.time
        return self.follow_key(commit)

    def _follow_records(self, commit: Commit) -> str:
        for record in commit.records:
            sequence, hash = self.heads.get(record.stream, (0, FIRST))
            if record.sequence != sequence + 1:
                return f"{record.stream}, event {sequence + 1}: it is missing"
            if record.previous != hash or record.hash != record.true_hash:
                return f"{record.stream}, event {record.sequence}: it was changed, or does not follow the one before it"
            self.heads[record.stream] = record.sequence, record.hash
            if record.stream == HOUSE_STREAM:
                self.administer(decode_event(HOUSE_STREAM, record.event), record.time)
            elif is_jackpot(record.stream):
                self.turn(record.stream, decode_event(record.stream, record.event), record.time)
        return ""

    def follow_key(self, commit: Commit) -> str:
        """Which key signs: a change of it is the last commit that the old one signs, so it ends a group."""
        changes = key_changes(commit)
        if len(changes) > 1 or (changes and commit.stream != HOUSE_STREAM):
            return f"commit {commit.number} changes the key otherwise than a house does"
        changed = changes[0] if changes else None
        if changed is not None:
            if not commit.signature:
                return f"commit {commit.number} changes the key, and no key has signed that by itself"
            if self.public and self.public != changed.before:
                return f"commit {commit.number} changes a key that was not in force"
            self.public = changed.before
        if commit.signature:
            self.signer = self.public
        if changed is not None:
            self.public = changed.public
        return ""

    def _take_over(self, first: Commit) -> None:
        """Records of an older version end where the first commit says."""
        if first.stream != HOUSE_STREAM or not first.records or first.records[0].stream != HOUSE_STREAM:
            return
        event = decode_event(HOUSE_STREAM, first.records[0].event)
        if isinstance(event, Migrated):
            self.heads = {stream: (sequence, hash) for stream, (sequence, hash) in event.heads.items()}
            self.balances = dict(event.balances)

    def administer(self, event: Event, time: int) -> None:
        assert isinstance(event, administration.Event)
        self.house = administration.evolve(self.house, event, time)

    def turn(self, stream: str, event: Event, time: int) -> None:
        """A meter goes on. In a part of the records one may not be known: it is left aside."""
        assert isinstance(event, jackpot_events.Event)
        id = stream.removeprefix(JACKPOT)
        if id in self.meters or isinstance(event, jackpot_events.JackpotOpened):
            self.meters = {**self.meters, id: meter.evolve(self.meters.get(id), id, event, time)}

    def book(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            payer, payee = str(entry.payer), str(entry.payee)
            self.balances[payer] = self.balances.get(payer, 0) - entry.cents
            self.balances[payee] = self.balances.get(payee, 0) + entry.cents

    def checkpoint(self, keys: Signer) -> bytes:
        assert self.group is not None
        chain, number, hash, signature = self.group
        known = (dict(self.heads), dict(self.balances), self.chains, self.house, self.time, dict(self.meters))
        state = msgspec.json.encode(_Checkpoint(chain, number, hash, signature.hex(), self.public, *known))
        return keys.sign(_checkpoint_message(self.id, state)) + state


def _checkpoint_message(id: int, state: bytes) -> bytes:
    return bytes.fromhex(digest(b"feltworks checkpoint 1", id, state))


def read_checkpoint(id: int, data: bytes, public: str) -> Position | None:
    """The position of a checkpoint that this key has signed."""
    signature, state = data[:64], data[64:]
    if not check_signature(public, _checkpoint_message(id, state), signature):
        return None
    found = msgspec.json.decode(state, type=_Checkpoint)
    heads = {stream: (sequence, hash) for stream, (sequence, hash) in found.heads.items()}
    chains = {chain: (number, link) for chain, (number, link) in found.chains.items()}
    group = (found.chain, found.number, found.hash, bytes.fromhex(found.signature))
    known = (heads, dict(found.balances), chains, group, found.house)
    return Position(id, found.public, *known, time=found.time, meters=found.meters)


def key_changes(commit: Commit) -> list[KeyChanged]:
    """The changes of the key that a commit makes; a house makes one at a time."""
    events = [decode_event(record.stream, record.event) for record in commit.records if record.stream == HOUSE_STREAM]
    return [event for event in events if isinstance(event, KeyChanged)]


def other_chains(chains: Mapping[str, tuple[int, str]], own: str) -> str:
    """The ends of all chains but one, as a signature covers them."""
    others = {chain: list(end) for chain, end in sorted(chains.items()) if chain != own}
    return msgspec.json.encode(others).decode() if others else ""


def overdrawn(balances: dict[str, Cents]) -> list[str]:
    """The accounts that are below zero and may not owe."""
    return [name for name, cents in sorted(balances.items()) if cents < 0 and not Account.parse(name).may_owe]
