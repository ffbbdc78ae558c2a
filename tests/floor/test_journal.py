"""The journal: commits over several streams, all or nothing, each bound to everything before it and signed."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from feltworks.floor.accounts import HOUSE, Entry, Kind, player_account, table_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Admitted, Book, Booked, ChangeKey
from feltworks.floor.journal import journal as module
from feltworks.floor.journal.journal import BrokenRecords, Draft, Journal, OldKey, Overdrawn
from feltworks.floor.journal.position import other_chains, overdrawn, read_checkpoint
from feltworks.floor.journal.records import FIRST, Commit, Record, chained, digest
from feltworks.floor.journal.upcasting import decode_command, decode_event, encode
from feltworks.floor.keys import Keys
from feltworks.floor.person import Granted, Joined, SessionOpened, identity_digest, token_digest
from feltworks.floor.refusal import Refused
from feltworks.floor.store.schema import StoreError
from feltworks.floor.store.sqlite import Conflict, Store
from feltworks.floor.streams import HOUSE_STREAM, Happened
from tests.floor.done import commit_of
from tests.floor.forging import in_hand
from tests.floor.killing import KEYS, SALT, admit, back, decided, draft, everything, happened, played, wager
from tests.quick import share


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


@pytest.fixture
def journal(store: Store) -> Journal:
    journal = Journal(store, KEYS)
    admit(journal, "ann")
    return journal


def last_commit(store: Store) -> Commit:
    *_, (_, commit) = store.commits()
    return commit


def same(one: Journal, other: Journal) -> bool:
    """Whether two journals know the same."""
    facts = [
        (p.id, p.public, dict(p.heads), dict(p.balances), p.chains, p.group, p.house)
        for p in (one.position, other.position)
    ]
    return facts[0] == facts[1]


# Commits.


@pytest.mark.rule("F-16")
def test_each_record_carries_its_place_its_maker_and_the_hash_before_it(store: Store, journal: Journal) -> None:
    made = [happened(1, round=1), happened(2, stream="u"), happened(3)]
    ((first, other, second),) = journal.commit([draft(5, *made, command_id="c")])
    assert (first.stream, first.sequence, first.time, first.actor, first.command, first.round) == (
        *("t", 1, 5, "person:ann", "c", 1),
    )
    assert (first.previous, second.previous, other.previous) == (FIRST, first.hash, FIRST)
    assert all(record.hash == record.true_hash for record in (first, other, second))
    assert (journal.version("t"), journal.version("u"), journal.version("v")) == (2, 1, 0)
    assert journal.streams() == [HOUSE_STREAM, "person:ann", "t", "u"]
    assert journal.tables() == ["t", "u"]
    journal.check_head("t", 2, second.hash)
    for wrong in ((1, first.hash), (2, first.hash), (3, second.hash)):
        with pytest.raises(BrokenRecords, match="t is not what the house has recorded"):
            journal.check_head("t", *wrong)


@pytest.mark.rule("F-16")
def test_a_group_is_signed_as_a_whole_in_its_own_transaction(store: Store, journal: Journal) -> None:
    journal.commit([played(0), played(1), played(2)])
    commits = [commit for _, commit in store.commits()]
    assert [bool(commit.signature) for commit in commits] == [True, False, False, True]
    assert [commit.number for commit in commits] == [1, 2, 3, 4]
    head = journal.head
    assert head is not None
    assert (head.chain, head.commit, head.group) == ("main", 4, 4)
    assert head.is_signed_by(KEYS.public)
    assert bytes.fromhex(head.signature) == commits[-1].signature
    assert journal.receipt(2) == msgspec.structs.replace(head, commit=2)


def test_an_empty_journal_has_no_head(store: Store) -> None:
    journal = Journal(store, KEYS)
    assert journal.head is None
    journal.save()
    assert everything(store)["checkpoints"] == []
    assert journal.commit([]) == []


FIELDS = {
    "chain": "aside",
    "number": 9,
    "time": 9,
    "actor": "person:bob",
    "command_id": "d",
    "stream": "u",
    "command": b"{}",
    "records": (),
    "entries": ((wager(6), back(5)),),
    "secrets": (("root", b"other"),),
    "salt": bytes(16),
}


@pytest.mark.rule("F-16")
def test_the_hash_of_a_commit_is_over_all_that_it_says(store: Store, journal: Journal) -> None:
    """But the signature, which is over the hash, and goes into the link to the next commit."""
    journal.commit([played(0, secrets=[("root", b"sealed")])])
    commit = last_commit(store)
    whole = commit.hash_after(FIRST)
    assert {*FIELDS, "signature", "others"} == set(Commit.__struct_fields__)
    for field, value in FIELDS.items():
        entries = {"entries": ()} if field == "records" else {}
        assert msgspec.structs.replace(commit, **{field: value}, **entries).hash_after(FIRST) != whole, field
    assert commit.hash_after("ab" * 32) != whole


@pytest.mark.rule("F-16")
def test_the_hash_of_a_record_is_over_all_that_it_says() -> None:
    record = chained("t", 1, 5, "person:ann", "c", 1, b"{}", FIRST)
    others = Record("u", 2, 6, "person:bob", "d", 2, b"[]", "ab" * 32, "")
    for field in Record.__struct_fields__[:-1]:
        changed = msgspec.structs.replace(record, **{field: getattr(others, field)})
        assert changed.true_hash != record.hash, field


@pytest.mark.rule("F-16")
def test_no_two_lists_of_fields_have_the_same_digest() -> None:
    lists: Sequence[tuple[str | int | bytes, ...]] = [
        ("ab", "c"),
        ("a", "bc"),
        ("abc",),
        ("ab", "c", ""),
        (b"ab\0", "c"),
    ]
    assert len({digest(b"tag", *fields) for fields in lists} | {digest(b"tagab", "c")}) == len(lists) + 1


@pytest.mark.rule("F-11")
def test_no_player_goes_below_zero(store: Store, journal: Journal) -> None:
    """Not at the end, and not in between either; the whole group is refused."""
    before = everything(store)
    with pytest.raises(Overdrawn, match="player:ann holds less than 10001 cents"):
        journal.commit([draft(1, happened(1), happened(2, wager(10_001)))])
    with pytest.raises(Overdrawn):
        journal.commit([draft(1, happened(1, wager(10_000), wager(1)))])
    with pytest.raises(Overdrawn):
        journal.commit([draft(1, happened(1, wager(10_000))), draft(1, happened(2, wager(1), back(1)))])
    with pytest.raises(Overdrawn):
        journal.commit([draft(1, happened(1, Entry(Kind.PAYOUT, player_account("new"), HOUSE, 1)))])
    assert everything(store) == before
    assert (journal.balance("player:ann"), journal.version("t")) == (10_000, 0)
    journal.commit([draft(1, happened(1, wager(10_000)))])
    assert journal.balance("player:ann") == store.balance("player:ann") == 0
    assert overdrawn({"player:ann": -1, "house": -1, "table:t": -1, "meter:m": -2, "player:b": 0}) == [
        "meter:m",
        "player:ann",
    ]


@pytest.mark.rule("F-11")
def test_each_commit_of_a_group_is_made_on_what_the_ones_before_it_leave(store: Store, journal: Journal) -> None:
    journal.commit(
        [draft(1, happened(1, wager(10_000))), draft(2, happened(2, back(7_000)), happened(3, wager(7_000)))]
    )
    assert [record.sequence for record in store.read("t")] == [1, 2, 3]
    assert journal.balance("player:ann") == store.balance("player:ann") == 0


def test_a_journal_whose_file_has_gone_on_without_it_is_refused_and_changes_nothing(
    store: Store, journal: Journal
) -> None:
    other = Journal(store, KEYS)
    journal.commit([played(0)])
    before = everything(store)
    with pytest.raises(Conflict, match=r"house.db is at commit 2, not at 1\."):
        other.commit([played(1)])
    with pytest.raises(Conflict, match="has gone on"):
        other.save()
    assert everything(store) == before


def test_a_repeated_command_is_not_done_again(store: Store, journal: Journal) -> None:
    journal.commit([draft(1, happened(1, wager(5)), command_id="c1")])
    before, version = everything(store), journal.version("t")
    for again in ([draft(1, happened(1, wager(5)), command_id="c1")], [played(1), played(2), played(1)]):
        with pytest.raises(StoreError):
            journal.commit(again)
        assert everything(store) == before
        assert (journal.version("t"), journal.balance("player:ann")) == (version, 9_995)
    journal.commit([draft(1, happened(1, wager(5)), actor="bob", command_id="c1")])


# Outside the tables.


@pytest.mark.rule("F-16")
def test_a_person_joins_and_money_moves_outside_tables_by_events(store: Store, journal: Journal) -> None:
    entry = Entry(Kind.CORRECTION, HOUSE, player_account("ann"), 5)
    command = Book("correction", "house", "player:ann", 5, "miscounted")
    journal.commit([decided(journal, command, 9, "m1")])
    events = [decode_event(HOUSE_STREAM, record.event) for record in store.read(HOUSE_STREAM)]
    assert events == [Admitted("ann"), Booked("miscounted", "correction", "house", "player:ann", 5)]
    assert decode_command(HOUSE_STREAM, last_commit(store).command) == command
    joined = [decode_event("person:ann", record.event) for record in store.read("person:ann")]
    assert joined == [
        Joined(identity_digest(SALT, "Ann")),
        Granted(10_000, "play money for a new player"),
        SessionOpened(token_digest("ann"), 1_001),
    ]
    assert [booking.entry for booking in store.entries(HOUSE_STREAM)] == [entry]
    assert commit_of(store, [str(PROGRAM)], "m1") == 2
    assert journal.position.house.admitted == 1


@pytest.mark.rule("F-14")
def test_the_records_hold_no_name_and_no_token(store: Store, journal: Journal, path: Path) -> None:
    """A name lies beside them, with its salt, until the person is forgotten."""
    for _, commit in store.commits():
        for data in (commit.command, *(record.event for record in commit.records)):
            assert b"Ann" not in data
            assert b'"ann"' not in data.replace(b'"person":"ann"', b"")


@pytest.mark.rule("F-10")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (Book("gift", "house", "player:ann", 5, "why"), "'gift' is no kind of entry"),
        (Book("fill", "house", "house", 5, "why"), "Move a positive amount between two accounts"),
        (Book("fill", "house", "player:ann", 0, "why"), "Move a positive amount"),
        (Book("fill", "house", "player:ann", -5, "why"), "Move a positive amount"),
        (Book("fill", "house", "player:ann", 10**12 + 1, "why"), "Move a positive amount"),
        (Book("fill", "house", "player:ann", 5, " "), "Give the reason"),
    ],
)
def test_what_cannot_be_booked_is_refused(journal: Journal, command: Book, said: str) -> None:
    with pytest.raises(Refused, match=said):
        decided(journal, command, 1)


# Starting.


@pytest.mark.rule("F-17")
def test_a_journal_that_starts_knows_what_the_one_before_knew(store: Store, journal: Journal) -> None:
    journal.commit([played(0), played(1)])
    journal.commit([draft(3, happened(1, stream="u"))])
    assert same(Journal(store, KEYS), journal)
    journal.save()
    again = Journal(store, KEYS)
    assert same(again, journal)
    assert again.since_checkpoint == 0
    again.commit([played(2)])
    assert same(Journal(store, KEYS), again)


@pytest.mark.rule("F-17")
def test_a_start_reads_only_what_came_after_the_last_checkpoint(
    store: Store, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHECKPOINT_EVERY", 10)
    for n in range(1, 48):
        journal.commit([played(n)])
    assert [id for id, _ in store.checkpoints()] == [30, 40]
    read: list[int] = []
    commits = store.commits

    def counting(after: int = 0) -> Iterator[tuple[int, Commit]]:
        for id, commit in commits(after):
            read.append(id)
            yield id, commit

    monkeypatch.setattr(store, "commits", counting)
    assert same(Journal(store, KEYS), journal)
    assert read == list(range(41, 49))


@pytest.mark.rule("F-16")
def test_a_checkpoint_is_of_its_own_commit_and_signed(store: Store, journal: Journal) -> None:
    journal.save()
    ((id, data),) = store.checkpoints()
    found = read_checkpoint(id, data, KEYS.public)
    assert found is not None
    assert (found.heads, found.balances, found.chains, found.house) == (
        *(dict(journal.position.heads), dict(journal.position.balances)),
        *(journal.position.chains, journal.position.house),
    )
    for n in range(0, len(data), 7):
        changed = data[:n] + bytes([data[n] ^ 1]) + data[n + 1 :]
        assert read_checkpoint(id, changed, KEYS.public) is None
    assert read_checkpoint(id + 1, data, KEYS.public) is None
    assert read_checkpoint(id, data, Keys(bytes(32), bytes(32)).public) is None
    assert read_checkpoint(id, data[:63], KEYS.public) is None


@pytest.mark.rule("F-16")
def test_a_journal_does_not_start_from_an_end_that_is_not_signed(store: Store, journal: Journal, path: Path) -> None:
    journal.commit([played(0)])
    store.close()
    whole = path.read_bytes()
    for change, said in {
        "signature = x''": "The last records are not signed: somebody wrote them without the house's key",
        "signature = zeroblob(64)": "The last records are not signed with the key",
        "time = time + 1": "it was changed, or does not follow the one before it",
        "command = x'7b7d'": "The last records are not signed with the key",
        "number = number + 1": "commit 2 of the chain main is missing",
        "id = id + 1": "commit 2 of the chain main is not in its place",
        "others = '{}'": "commit 2 does not name the ends of the other chains",
        "chain = 'aside', number = 1": "commit 1 does not name the ends of the other chains",
    }.items():
        path.write_bytes(whole)
        with in_hand(path) as file:
            file.execute(f"UPDATE commits SET {change} WHERE id = 2")
            if change.startswith("id"):
                file.execute("UPDATE events SET commit_id = 3 WHERE commit_id = 2")
        with Store(path) as damaged, pytest.raises(BrokenRecords, match=said):
            Journal(damaged, KEYS)


# Several chains.


@pytest.mark.rule("F-16")
def test_each_process_has_a_chain_and_its_signatures_cover_the_others(store: Store, journal: Journal) -> None:
    """So no chain can be rolled back alone."""
    second = Journal(store, KEYS, chain="cage")
    second.commit([draft(1, happened(1, stream="u"))])
    main = Journal(store, KEYS)
    main.commit([played(1)])
    commits = [commit for _, commit in store.commits()]
    assert [(commit.chain, commit.number) for commit in commits] == [("main", 1), ("cage", 1), ("main", 2)]
    assert [msgspec.json.decode(commit.others) if commit.others else {} for commit in commits] == [
        {},
        {"main": list(journal.position.chains["main"])},
        {"cage": list(second.position.chains["cage"])},
    ]
    assert same(Journal(store, KEYS), main)
    assert other_chains(main.position.chains, "main") == commits[-1].others
    main.check_all()


# Keys.


@pytest.mark.rule("F-16")
def test_after_the_key_was_changed_the_old_one_signs_no_more(store: Store, journal: Journal) -> None:
    new = Keys(b"s" * 32, b"n" * 32)
    journal.commit([decided(journal, ChangeKey(new.public, KEYS.public), 5)])
    with pytest.raises(OldKey, match="The house's key was changed, and the key file is still the old one"):
        journal.commit([played(0)])
    with pytest.raises(OldKey):
        Journal(store, KEYS)
    assert not module.finish_key_change(store, KEYS, Keys(bytes(32), bytes(32)))
    with pytest.raises(BrokenRecords, match="are not signed with the key"):
        Journal(store, new)  # nobody has told it so far that the old key is to be believed
    assert module.finish_key_change(store, KEYS, new)
    again = Journal(store, new)
    again.commit([played(0)])
    assert same(Journal(store, new), again)
    assert not module.finish_key_change(store, KEYS, new)


@pytest.mark.rule("F-16")
def test_a_change_of_the_key_ends_its_group(store: Store, journal: Journal) -> None:
    """In a group the key that follows would sign for the one before."""
    new = Keys(b"s" * 32, b"n" * 32)
    change = decided(journal, ChangeKey(new.public, KEYS.public), 5)
    before = everything(store)
    with pytest.raises(AssertionError, match="changes the key, and no key has signed that by itself"):
        journal.commit([change, played(0)])
    with pytest.raises(AssertionError, match="changes a key that was not in force"):
        journal.commit([decided(journal, ChangeKey(new.public, new.public), 5)])
    assert everything(store) == before
    journal.commit([played(0), change])
    journal.change_keys(new)
    journal.commit([played(1)])
    assert same(Journal(store, new), journal)


# Against a model.

NAMES = st.sampled_from(["ann", "bob", "cid"])
ACCOUNTS = st.one_of(NAMES.map(player_account), st.sampled_from([HOUSE, table_account("t"), table_account("u")]))
ENTRIES = st.builds(Entry, st.sampled_from(Kind), ACCOUNTS, ACCOUNTS, st.integers(1, 500)).filter(
    lambda entry: entry.payer != entry.payee
)
MADE = st.lists(
    st.builds(
        lambda n, entries, stream, round: happened(n, *entries, stream=stream, round=round),
        *(st.integers(1, 9), st.lists(ENTRIES, max_size=3), st.sampled_from("tuv"), st.integers(0, 3)),
    ),
    max_size=3,
)
DRAFTS = st.builds(
    lambda n, made, actor, id: draft(n, *made, actor=actor, command_id=id),
    *(st.integers(0, 9), MADE, NAMES, st.sampled_from(["", "", "", "1", "2", "3"])),
)


class AgainstModel(RuleBasedStateMachine):
    """The journal does what a few dictionaries do, through refusals, closing and killing."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(mkdtemp())
        self.copies = 0
        self.streams: dict[str, list[tuple[Draft, Happened]]] = {}
        self.balances: dict[str, int] = {}
        self.done: dict[tuple[str, str], int] = {}
        self.people: dict[str, str] = {}
        self.groups: list[int] = []
        self.open(self.folder / "0.db")

    def open(self, path: Path) -> None:
        self.store = Store(path)
        self.store.connection.pragma("synchronous", 0)  # what a disk does is tested elsewhere
        self.journal = Journal(self.store, KEYS)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            shutil.rmtree(self.folder)

    def booked(self, drafts: Sequence[Draft]) -> dict[str, int] | None:
        """The balances after these drafts, or nothing if a player would owe."""
        after = dict(self.balances)
        for entry in (entry for one in drafts for made in one.happened for entry in made.entries):
            payer, payee = str(entry.payer), str(entry.payee)
            after[payer] = after.get(payer, 0) - entry.cents
            after[payee] = after.get(payee, 0) + entry.cents
            if payer.startswith("player:") and after[payer] < 0:
                return None
        return after

    def repeats(self, drafts: Sequence[Draft]) -> bool:
        """Whether an actor gives the same id twice."""
        ids = [(str(one.actor), one.command_id) for one in drafts if one.command_id]
        return len(set(ids)) < len(ids) or any(id in self.done for id in ids)

    @rule(drafts=st.lists(DRAFTS, min_size=1, max_size=4))
    def commit(self, drafts: list[Draft]) -> None:
        after = self.booked(drafts)
        if after is None or self.repeats(drafts):
            with pytest.raises(Overdrawn if after is None else StoreError):
                self.journal.commit(drafts)
            return
        records = self.journal.commit(drafts)
        assert list(map(len, records)) == [len(one.happened) for one in drafts]
        self.balances = after
        for one in drafts:
            self.groups.append(0)
            if one.command_id:
                self.done[str(one.actor), one.command_id] = len(self.groups)
            for made in one.happened:
                self.streams.setdefault(made.stream, []).append((one, made))
        self.groups[-1] = 1

    @rule(person=NAMES, grant=st.integers(1, 1_000))
    def join(self, person: str, grant: int) -> None:
        if person in self.people:
            with pytest.raises(StoreError):
                admit(self.journal, person, grant)
            return
        admit(self.journal, person, grant)
        self.people[person] = person.title()
        self.groups.append(1)
        self.balances["house"] = self.balances.get("house", 0) - grant
        self.balances[f"player:{person}"] = self.balances.get(f"player:{person}", 0) + grant

    @rule(drafts=st.lists(DRAFTS, min_size=1, max_size=2))
    @precondition(lambda self: self.groups)
    def one_that_has_fallen_behind(self, drafts: list[Draft]) -> None:
        """Another journal that does not know of the last commit writes nothing."""
        behind = Journal(self.store, KEYS)
        behind.position.id -= 1
        with pytest.raises((Conflict, Overdrawn)):
            behind.commit(drafts)

    @rule()
    def checkpoint(self) -> None:
        self.journal.save()

    @rule()
    def close_and_open(self) -> None:
        self.store.close()
        self.open(self.store.path)

    @rule()
    @precondition(lambda self: self.copies < 3)
    def go_on_from_what_a_kill_leaves(self) -> None:
        self.copies += 1
        killed, copy = self.store.path, self.folder / f"{self.copies}.db"
        for suffix in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{killed}{suffix}", f"{copy}{suffix}")
        self.store.close()
        self.open(copy)

    @invariant()
    def same_as_the_model(self) -> None:
        if not hasattr(self, "store"):
            return
        for balances in (self.store.balances(), dict(self.journal.position.balances)):
            assert {name: cents for name, cents in balances.items() if cents} == {
                name: cents for name, cents in self.balances.items() if cents
            }
        self.store.check_books()
        assert {p.id: p.name for p in self.store.people()} == self.people
        assert self.journal.tables() == sorted(self.streams)
        for stream, made in self.streams.items():
            records = list(self.store.read(stream))
            assert [(r.time, r.actor, r.command, r.event, r.round) for r in records] == [
                (d.time, str(d.actor), d.command_id, encode(h.event), h.round) for d, h in made
            ]
            assert all(r.hash == r.true_hash for r in records)
            assert [b.entry for b in self.store.entries(stream)] == [e for _, h in made for e in h.entries]
            self.journal.check_head(stream, len(made), records[-1].hash)
        for (actor, id), number in self.done.items():
            assert commit_of(self.store, [actor], id) == number
        assert [int(bool(commit.signature)) for _, commit in self.store.commits()] == self.groups
        self.journal.check_all()


@pytest.mark.soak
@pytest.mark.rule("F-10", "F-11", "F-16")
def test_the_journal_does_what_a_few_dictionaries_do_through_refusals_closing_and_killing() -> None:
    run_state_machine_as_test(
        AgainstModel, settings=settings(max_examples=share(40), stateful_step_count=25, deadline=None)
    )
