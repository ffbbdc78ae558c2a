"""Openings that share one proof say the same as the published ones, take less, and cannot be changed."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain, combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor.chance.openings import HASH_BYTES, expanded, holds, shared
from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.chance.shoe import Committed, Rolls, Shoe, Spins, check_opening
from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.errors import NotPossible
from feltworks.kit.unseen import Unseen
from tests.kit.support import unseen_of

SEED = bytes(range(32))
WHEELS = {"main": ("0", "00", "1", "2"), "bonus": ("$20", "a star")}
SMALL = [1, 2, 3, 4, 5, 6, 7, 8]
CARD_TEXTS = [card.text for card in SUITED_CARDS]

each_kind = pytest.mark.parametrize("what", ["cards", "rolls", "spins"])


def committed(what: str, size: int, seed: bytes = SEED) -> Committed:
    if what == "rolls":
        return Rolls(size, seed)
    if what == "spins":
        return Spins(size, WHEELS, seed)
    return Shoe.shuffle(unseen_of([SUITED_CARDS[n % 52] for n in range(size)]), seed)


def tokens(count: int) -> list[tuple[int | None, str]]:
    """Of the seats and of nobody."""
    return [(n % 4 or None, f"card {n}") for n in range(count)]


def opened(shoe: Committed, positions: Sequence[int]) -> SharedOpening:
    return shared(shoe, tokens(len(positions)), positions)


def published(shoe: Committed, positions: Sequence[int]) -> list[dict[str, Any]]:
    """The same, as the published scheme opens one position after the other."""
    return [
        {"token": list(token), "root": shoe.root, **shoe.opening(position)}
        for token, position in zip(tokens(len(positions)), positions, strict=True)
    ]


def subsets(size: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(size), count) for count in range(1, size + 1))


# The same as the published form.


@each_kind
@pytest.mark.rule("F-21")
@pytest.mark.parametrize("size", SMALL)
def test_every_subset_of_a_small_shoe_is_opened_as_it_is_published(what: str, size: int) -> None:
    shoe = committed(what, size)
    for positions in subsets(size):
        opening = opened(shoe, positions)
        assert holds(opening)
        assert expanded(opening) == published(shoe, positions)
        assert all(check_opening(shoe.root, size, one) for one in expanded(opening))


@each_kind
@pytest.mark.rule("F-21")
@given(st.data(), st.integers(1, 70), st.binary(min_size=32, max_size=32))
def test_any_positions_in_any_order_are_opened_as_they_are_published(
    what: str, data: st.DataObject, size: int, seed: bytes
) -> None:
    shoe = committed(what, size, seed)
    positions = data.draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=size, unique=True))
    opening = opened(shoe, positions)
    assert holds(opening)
    assert expanded(opening) == published(shoe, positions)
    assert all(check_opening(shoe.root, size, one) for one in expanded(opening))


@pytest.mark.rule("F-21", "F-23")
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_the_cards_of_a_round_are_opened_as_they_are_published_out_of_any_shoe(decks: int) -> None:
    shoe = Shoe.shuffle(Unseen.fresh(decks), SEED)
    for first in (0, 17, shoe.size // 2, shoe.size - 9):
        positions = [*range(first, first + 4), *range(first + 5, first + 9)]
        opening = opened(shoe, positions)
        assert holds(opening)
        assert expanded(opening) == published(shoe, positions)


@each_kind
@given(st.data())
def test_a_shared_opening_is_the_same_after_it_was_recorded(what: str, data: st.DataObject) -> None:
    shoe = committed(what, 21)
    positions = data.draw(st.lists(st.integers(0, 20), min_size=1, unique=True))
    opening = opened(shoe, positions)
    read = msgspec.json.decode(msgspec.json.encode(opening), type=SharedOpening)
    assert read == opening
    assert holds(read) and expanded(read) == published(shoe, positions)


def test_a_position_that_a_shoe_does_not_have_is_not_opened() -> None:
    for position in (-1, 5):
        with pytest.raises(NotPossible, match="no position"):
            opened(committed("cards", 5), [position])


# Compact.


def needed_by_hand(first: int, size: int, positions: frozenset[int]) -> int:
    """How many hashes a checker lacks, from the top down as in RFC 6962: one of each half without an opened card."""
    inside = {position for position in positions if first <= position < first + size}
    if not inside:
        return 1
    if size == 1:
        return 0
    half = 1
    while half * 2 < size:
        half *= 2
    return needed_by_hand(first, half, positions) + needed_by_hand(first + half, size - half, positions)


@each_kind
@given(st.data(), st.integers(1, 70))
def test_a_shared_proof_holds_what_a_checker_lacks_and_no_hash_twice(what: str, data: st.DataObject, size: int) -> None:
    shoe = committed(what, size)
    positions = data.draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=size, unique=True))
    proof = opened(shoe, positions).proof
    hashes = [proof[at : at + HASH_BYTES] for at in range(0, len(proof), HASH_BYTES)]
    assert len(hashes) == len(set(hashes)) == needed_by_hand(0, size, frozenset(positions))
    separate = [entry for position in positions for entry in shoe.opening(position)["proof"]]
    assert len(hashes) <= len(separate)


@each_kind
def test_a_shoe_that_is_opened_as_a_whole_needs_no_proof(what: str) -> None:
    for size in SMALL:
        opening = opened(committed(what, size), range(size))
        assert opening.proof == b"" and holds(opening)


def test_a_record_of_a_shared_opening_made_today_is_one_forever() -> None:
    """The hashes stand level by level from the bottom, in each from left to right: worked out by hand."""
    shoe = committed("cards", 8)
    leaves = [
        sha256(b"feltworks card 1" + n.to_bytes(4, "big") + text.encode() + salt).digest()
        for n, (text, salt) in enumerate(map(shoe.opened, range(8)))
    ]

    def node(left: bytes, right: bytes) -> bytes:
        return sha256(b"feltworks node 1" + left + right).digest()

    pairs = [node(leaves[n], leaves[n + 1]) for n in (0, 2, 4, 6)]
    assert opened(shoe, [2, 3]).proof == pairs[0] + node(pairs[2], pairs[3])
    assert opened(shoe, [6, 1]).proof == leaves[0] + leaves[7] + pairs[1] + pairs[2]


@pytest.mark.rule("F-14", "F-21")
def test_a_shared_opening_holds_no_salt_of_a_position_that_stays_closed() -> None:
    shoe = committed("cards", 52)
    closed = 17
    opening = msgspec.msgpack.encode(opened(shoe, [n for n in range(52) if n != closed]))
    _, salt = shoe.opened(closed)
    assert salt not in opening
    assert sum(shoe.opened(n)[1] in opening for n in range(52)) == 51


# Changing one.


def flipped(data: bytes) -> Iterator[bytes]:
    """The same bytes with one bit changed, for each bit."""
    number, length = int.from_bytes(data, "big"), len(data)
    return ((number ^ (1 << bit)).to_bytes(length, "big") for bit in range(8 * length))


def swapped(items: Sequence[Any], one: int, other: int) -> list[Any]:
    found = list(items)
    found[one], found[other] = found[other], found[one]
    return found


def with_one(items: Sequence[Any], at: int, value: object) -> list[Any]:
    return [*items[:at], value, *items[at + 1 :]]


def other_faces(face: str, what: str) -> Iterator[str]:
    if what == "dice":
        for at, die in enumerate(face):
            yield from (face[:at] + other + face[at + 1 :] for other in "123456" if other != die)
        yield from (face[:-1], face + "1", "")
    elif what == "spin":
        for main in WHEELS["main"]:
            for bonus in WHEELS["bonus"]:
                yield from (text for text in (f"main {main}, bonus {bonus}",) if text != face)
        yield from (face[:-1], face + "1", face.split(", ")[0], face + ", ", face.replace(", ", ","), "")
    else:
        yield from (text for text in CARD_TEXTS if text != face)
        yield from (face[0], face.upper(), face + " ", "", "\ud800")


def changed(opening: SharedOpening) -> Iterator[dict[str, Any]]:
    """Every shared opening that says one thing otherwise of what it proves."""
    positions, faces, salts, proof = opening.positions, opening.faces, opening.salts, opening.proof
    count = len(positions)
    for root in flipped(bytes.fromhex(opening.root)):
        yield {"root": root.hex()}
    yield {"root": opening.root.upper()}
    yield {"root": ""}
    for size in (-1, 0, *range(1, 40), 2**32 - 1, 2**32, 2**64):
        if size != opening.size:
            yield {"size": size}
    for at in range(count):
        for position in (-1, *range(20), 2**32 - 1, 2**32):
            if position != positions[at]:
                yield {"positions": with_one(positions, at, position)}
        for face in other_faces(faces[at], opening.what):
            yield {"faces": with_one(faces, at, face)}
        yield {"positions": positions[:at] + positions[at + 1 :]}
        yield {"faces": faces[:at] + faces[at + 1 :]}
        yield {"tokens": opening.tokens[:at] + opening.tokens[at + 1 :]}
        yield {
            "tokens": opening.tokens[:at] + opening.tokens[at + 1 :],
            "positions": positions[:at] + positions[at + 1 :],
            "faces": faces[:at] + faces[at + 1 :],
            "salts": salts[: 16 * at] + salts[16 * at + 16 :],
        }
        yield {
            "tokens": [*opening.tokens, opening.tokens[at]],
            "positions": [*positions, positions[at]],
            "faces": [*faces, faces[at]],
            "salts": salts + salts[16 * at : 16 * at + 16],
        }
    for one, other in combinations(range(count), 2):
        yield {"positions": swapped(positions, one, other)}
        if faces[one] != faces[other]:
            yield {"faces": swapped(faces, one, other)}
    yield from ({"salts": salt} for salt in flipped(salts))
    yield from ({"salts": other} for other in (salts[:-1], salts + b"\0", salts[:-16], salts + bytes(16), b""))
    yield from ({"proof": other} for other in flipped(proof))
    for at in range(0, len(proof), HASH_BYTES):
        yield {"proof": proof[:at] + proof[at + HASH_BYTES :]}
        yield {"proof": proof[:at] + proof[at : at + HASH_BYTES] + proof[at:]}
    yield {"proof": proof + bytes(HASH_BYTES)}
    yield {"proof": proof + b"\0"}
    if proof:
        yield {"proof": proof[:-1]}
        yield {"proof": b""}
    yield {"dice": not opening.dice}
    yield {"spin": not opening.spin}


@each_kind
@pytest.mark.rule("F-21")
@pytest.mark.parametrize(
    ("size", "positions"),
    [(1, [0]), (2, [0]), (2, [1, 0]), (3, [2]), (5, [4, 1]), (7, [0, 1, 6]), (8, [2, 3]), (13, [12, 5, 6])],
    ids=str,
)
def test_a_shared_opening_with_anything_changed_is_refused(what: str, size: int, positions: list[int]) -> None:
    opening = opened(committed(what, size), positions)
    assert holds(opening)
    tried = 0
    for change in changed(opening):
        forged = msgspec.structs.replace(opening, **change)
        assert not holds(forged), change
        assert expanded(forged) == []
        tried += 1
    assert tried > 256


@each_kind
@pytest.mark.rule("F-21")
@given(st.data())
def test_nothing_of_one_shoe_is_shown_as_of_another(what: str, data: st.DataObject) -> None:
    one, other = committed(what, 21), committed(what, 21, bytes(32))
    positions = data.draw(st.lists(st.integers(0, 20), min_size=1, max_size=12, unique=True))
    mine, theirs = opened(one, positions), opened(other, positions)
    for field in ("root", "salts", "proof"):
        assert not holds(msgspec.structs.replace(mine, **{field: getattr(theirs, field)}))


def test_no_positions_open_nothing() -> None:
    shoe = committed("cards", 1)
    for size in (0, 1):
        nothing = SharedOpening(shoe.root, size, [], [], [], b"", b"")
        assert not holds(nothing) and expanded(nothing) == []


@pytest.mark.rule("F-21")
def test_no_root_at_all_lets_the_house_show_two_cards_in_one_position() -> None:
    """A leaf is looked at only in its own place, whatever position is written in it."""
    salts = [bytes(16), b"\x11" * 16]
    leaves = [
        sha256(b"feltworks card 1" + bytes(4) + card.encode() + salt).digest()
        for card, salt in zip(["As", "Kd"], salts, strict=True)
    ]
    top = sha256(b"feltworks node 1" + leaves[0] + leaves[1]).digest()
    root = sha256(b"feltworks root 1" + (2).to_bytes(4, "big") + top).hexdigest()
    token: list[tuple[int | None, str]] = [(1, "card")]
    assert holds(SharedOpening(root, 2, token, [0], ["As"], salts[0], leaves[1]))
    for position in (0, 1):
        assert not holds(SharedOpening(root, 2, token, [position], ["Kd"], salts[1], leaves[0]))
    assert not holds(SharedOpening(root, 2, token * 2, [0, 0], ["As", "Kd"], b"".join(salts), b""))
    assert not holds(SharedOpening(root, 2, token * 2, [0, 1], ["As", "Kd"], b"".join(salts), b""))


@each_kind
def test_more_positions_than_a_root_can_count_are_refused(what: str) -> None:
    """With a proof of every level, so that nothing is wrong before the root."""
    face, salt = committed(what, 1).opened(0)
    for size, levels in ((2**32, 32), (2**33, 33), (2**40, 40)):
        for position in (0, 2**32, size - 1):
            one = SharedOpening("00" * 32, size, [(1, "card")], [position], [face], salt, bytes(HASH_BYTES * levels))
            forged = msgspec.structs.replace(one, dice=what == "rolls", spin=what == "spins")
            assert not holds(forged) and expanded(forged) == []
