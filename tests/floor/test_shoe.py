"""A shoe is committed to before it is dealt: a card can be shown, none changed, and none shows by itself."""

import copy
import json
import pickle
import re
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import combinations
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor.chance.generator import Generator
from feltworks.floor.chance.shoe import Shoe, check_opening
from feltworks.kit.cards import SUITED_CARDS, SUITLESS_CARDS, Card, parse_cards
from feltworks.kit.errors import BadValue, NotPossible
from feltworks.kit.unseen import Unseen
from tests.kit.support import one_sentence, unseen_of

SEED = bytes(range(32))
LARGE = Shoe.shuffle(Unseen.fresh(8), SEED)
TEXTS = [card.text for card in (*SUITED_CARDS, *SUITLESS_CARDS)]

seeds = st.binary(min_size=32, max_size=32)
packs = st.one_of(
    st.lists(st.sampled_from(SUITED_CARDS), min_size=1, max_size=40),
    st.lists(st.sampled_from(SUITLESS_CARDS), min_size=1, max_size=40),
)


def cards(shoe: Shoe) -> list[Card]:
    return [shoe.card(position) for position in range(shoe.size)]


def openings(shoe: Shoe) -> list[dict[str, Any]]:
    return [shoe.opening(position) for position in range(shoe.size)]


def checks(shoe: Shoe, opening: Mapping[str, Any]) -> bool:
    return check_opening(shoe.root, shoe.size, opening)


# The scheme once more, from its description alone: the tree from the top down, as in RFC 6962, and the check.


def commitment(opening: Mapping[str, Any]) -> bytes:
    position = opening["position"].to_bytes(4, "big")
    salt = bytes.fromhex(opening["salt"])
    return sha256(b"feltworks card 1" + position + opening["card"].encode("ascii") + salt).digest()


def top_of(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return sha256(b"feltworks node 1" + top_of(leaves[:half]) + top_of(leaves[half:])).digest()


def root_of(all_openings: list[dict[str, Any]]) -> str:
    count = len(all_openings).to_bytes(4, "big")
    top = top_of([commitment(opening) for opening in all_openings])
    return sha256(b"feltworks root 1" + count + top).hexdigest()


def checked_by_hand(root: str, n: int, opening: Mapping[str, Any]) -> bool:
    i, proof, hash = opening["position"], list(opening["proof"]), commitment(opening)
    if i >= n:
        return False
    count = n.to_bytes(4, "big")
    while n > 1:
        if i % 2 == 1 or i + 1 < n:
            entry = proof.pop(0)
            beside = bytes.fromhex(entry["hash"])
            if entry["side"] != ("left" if i % 2 else "right"):
                return False
            joined = beside + hash if i % 2 else hash + beside
            hash = sha256(b"feltworks node 1" + joined).digest()
        i, n = i // 2, n - n // 2
    return not proof and sha256(b"feltworks root 1" + count + hash).hexdigest() == root


@pytest.mark.rule("F-21")
@given(packs, seeds)
def test_the_description_is_enough_to_make_the_root_and_to_check_an_opening(pack: list[Card], seed: bytes) -> None:
    shoe = Shoe.shuffle(unseen_of(pack), seed)
    assert root_of(openings(shoe)) == shoe.root
    assert all(checked_by_hand(shoe.root, shoe.size, opening) for opening in openings(shoe))


@given(packs, seeds)
def test_the_seed_gives_the_order_and_then_the_salts(pack: list[Card], seed: bytes) -> None:
    shoe, generator = Shoe.shuffle(unseen_of(pack), seed), Generator(seed)
    laid = sorted(pack, key=lambda card: (card.has_suit and "cdhs".find(card.suit), card.rank))
    assert cards(shoe) == generator.shuffled(laid)
    assert [opening["salt"] for opening in openings(shoe)] == [generator.raw(16).hex() for _ in pack]


def test_a_record_made_today_is_a_record_forever() -> None:
    """Worked out once: whoever writes the scheme again, and whoever changes it, finds out here."""
    shoe = Shoe.shuffle(unseen_of("2c 7h As Kd 9s"), SEED)
    assert shoe.root == "5fbd4f59f8f198a0ca9a81c2007952242ef0f8ff88e6970013ad3f48d5fe3661"
    assert shoe.opening(1) == {
        "position": 1,
        "card": "As",
        "salt": "bcde6accb2cc7d4cd8ea24922b23cce7",
        "proof": [
            {"side": "left", "hash": "676fe10f1e108481d7830382ca6e7567ec64ae28722b3b9b90dc34157247bfd7"},
            {"side": "right", "hash": "ecaf1e2d99405e8554901e5b93ca88654a631d0fa91135d899dd90fdf4c82b15"},
            {"side": "right", "hash": "0017794bc77a4f853db0adde052cd857203ceaf4c69f8223278e6a5a2c8c2e75"},
        ],
    }
    assert shoe.opening(4) == {
        "position": 4,
        "card": "7h",
        "salt": "ade6a6d113615c61af434e27f8b1f3f5",
        "proof": [{"side": "left", "hash": "13cc248ab956c6f7c58a6c9caf51230fe32c21647f56128896d8a9b1e2be062b"}],
    }
    assert LARGE.root == "9c77f3fba595323328484c5cd6cb0dc62afe2c06a9f77348bbe4f87441417e9a"


# Showing a card.


@pytest.mark.rule("F-21", "F-23")
@pytest.mark.parametrize("decks", range(1, 9))
def test_a_shoe_holds_every_card_and_every_opening_checks(decks: int) -> None:
    shoe = Shoe.shuffle(Unseen.fresh(decks), SEED)
    assert shoe.size == 52 * decks
    assert Counter(cards(shoe)) == Counter(dict.fromkeys(SUITED_CARDS, decks))
    for position, opening in enumerate(openings(shoe)):
        assert opening.keys() == {"position", "card", "salt", "proof"}
        assert (opening["position"], opening["card"]) == (position, shoe.card(position).text)
        assert checks(shoe, opening)


@pytest.mark.rule("F-21")
@given(packs, seeds)
def test_any_cards_make_a_shoe_whose_openings_check_after_they_were_sent(pack: list[Card], seed: bytes) -> None:
    shoe = Shoe.shuffle(unseen_of(pack), seed)
    assert Counter(cards(shoe)) == Counter(pack)
    for opening in openings(shoe):
        assert checks(shoe, json.loads(json.dumps(opening)))
        assert checks(shoe, MappingProxyType({**opening, "token": "seat 1 card"}))


# Changing one.


def flipped(hex: str) -> Iterator[str]:
    """The same bytes with one bit changed, for each bit."""
    number, digits = int(hex, 16), len(hex)
    return (f"{number ^ (1 << bit):0{digits}x}" for bit in range(4 * digits))


def changed(opening: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every opening that says one thing otherwise."""
    proof = opening["proof"]
    for text in TEXTS:
        if text != opening["card"]:
            yield {**opening, "card": text}
    for position in range(32):
        if position != opening["position"]:
            yield {**opening, "position": position}
    for salt in flipped(opening["salt"]):
        yield {**opening, "salt": salt}
    for at, entry in enumerate(proof):
        below, above = proof[:at], proof[at + 1 :]
        yield {**opening, "proof": below + above}
        yield {**opening, "proof": [*below, entry, entry, *above]}
        other_side = "left" if entry["side"] == "right" else "right"
        yield {**opening, "proof": [*below, {**entry, "side": other_side}, *above]}
        for hash in flipped(entry["hash"]):
            yield {**opening, "proof": [*below, {**entry, "hash": hash}, *above]}
    for one, other in combinations(range(len(proof)), 2):
        swapped = list(proof)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        yield {**opening, "proof": swapped}


@pytest.mark.rule("F-21")
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_an_opening_with_anything_changed_does_not_check(size: int) -> None:
    shoe = Shoe.shuffle(unseen_of(SUITED_CARDS[:size]), SEED)
    for opening in openings(shoe):
        assert checks(shoe, opening)
        assert not any(checks(shoe, other) for other in changed(opening))
        assert not any(check_opening(root, size, opening) for root in flipped(shoe.root))
        assert not any(check_opening(shoe.root, n, opening) for n in range(70) if n != size)


@pytest.mark.rule("F-21")
@given(st.integers(0, 415), st.data())
def test_no_card_of_a_large_shoe_can_be_said_to_lie_elsewhere_or_to_be_another(
    position: int, data: st.DataObject
) -> None:
    other = data.draw(st.integers(0, 415).filter(lambda n: n != position))
    mine, theirs = LARGE.opening(position), LARGE.opening(other)
    assert not checks(LARGE, {**mine, "position": other})
    assert not checks(LARGE, {**theirs, "proof": mine["proof"]})
    assert not checks(LARGE, {**mine, "salt": theirs["salt"]})
    assert not check_opening(LARGE.root, data.draw(st.integers(0, 2**32).filter(lambda n: n != 416)), mine)


def test_a_node_of_the_tree_cannot_be_shown_as_a_shoe_of_its_own() -> None:
    """The root says how many cards there are, and a card's hash is never a node's."""
    shoe = Shoe.shuffle(unseen_of("2c 3c 4c 5c"), SEED)
    opening = shoe.opening(0)
    assert not check_opening(shoe.root, 2, {**opening, "proof": opening["proof"][:1]})
    assert not check_opening(shoe.root, 2, {**opening, "proof": opening["proof"][1:]})


@pytest.mark.rule("F-21")
def test_no_root_at_all_lets_the_house_show_two_cards_in_one_position() -> None:
    """A leaf is looked at only in its own place, whatever position is written in it."""
    ace = {"position": 0, "card": "As", "salt": "00" * 16}
    king = {"position": 0, "card": "Kd", "salt": "11" * 16}
    root = root_of([ace, king])
    beside_ace, beside_king = commitment(king).hex(), commitment(ace).hex()
    assert check_opening(root, 2, {**ace, "proof": [{"side": "right", "hash": beside_ace}]})
    for side in ("left", "right"):
        assert not check_opening(root, 2, {**king, "proof": [{"side": side, "hash": beside_king}]})


@pytest.mark.rule("F-21")
@pytest.mark.parametrize("position", [1, 2, 3])
def test_no_root_at_all_has_a_card_beyond_the_last(position: int) -> None:
    card = {"position": position, "card": "As", "salt": "00" * 16}
    assert not check_opening(root_of([card]), 1, {**card, "proof": []})


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=70) | st.binary(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["position", "card", "salt", "proof", "side", "hash"]), inner)
    ),
    max_leaves=8,
)


@given(anything, anything, anything)
def test_whatever_is_not_an_opening_does_not_check_and_is_no_error(root: Any, size: Any, opening: Any) -> None:
    assert check_opening(root, size, opening) is False


@given(st.integers(0, 3), st.sampled_from(["position", "card", "salt", "proof"]), anything)
def test_an_opening_with_anything_at_all_in_one_place_does_not_check_and_is_no_error(
    position: int, key: str, value: Any
) -> None:
    shoe = Shoe.shuffle(unseen_of("2c 3c 4c 5c"), SEED)
    opening = shoe.opening(position)
    if value != opening[key]:
        assert check_opening(shoe.root, shoe.size, {**opening, key: value}) is False
    assert check_opening(shoe.root, shoe.size, {k: v for k, v in opening.items() if k != key}) is False


def with_hash(opening: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    first, *rest = opening["proof"]
    return {**opening, "proof": [{**first, "hash": change(first["hash"])}, *rest]}


OTHERWISE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a position that is a truth": lambda opening: {**opening, "position": True},
    "a position with a fraction": lambda opening: {**opening, "position": 1.0},
    "a position in quotes": lambda opening: {**opening, "position": "1"},
    "a position beyond 4 bytes": lambda opening: {**opening, "position": 1 + 2**32},
    "a position below 0": lambda opening: {**opening, "position": -3},
    "a card in capitals": lambda opening: {**opening, "card": opening["card"].upper()},
    "a card with a blank": lambda opening: {**opening, "card": opening["card"] + " "},
    "a card without its suit": lambda opening: {**opening, "card": opening["card"][0]},
    "a card that is no text": lambda opening: {**opening, "card": "\ud800"},
    "a salt in capitals": lambda opening: {**opening, "salt": opening["salt"].upper()},
    "a salt and a line end": lambda opening: {**opening, "salt": opening["salt"] + "\n"},
    "a blank and a salt": lambda opening: {**opening, "salt": " " + opening["salt"]},
    "a longer salt": lambda opening: {**opening, "salt": opening["salt"] + "00"},
    "a shorter salt": lambda opening: {**opening, "salt": opening["salt"][:-2]},
    "a salt as bytes": lambda opening: {**opening, "salt": bytes.fromhex(opening["salt"])},
    "a hash in capitals": lambda opening: with_hash(opening, str.upper),
    "a hash and a line end": lambda opening: with_hash(opening, lambda hash: hash + "\n"),
    "a hash and a blank": lambda opening: with_hash(opening, lambda hash: hash[:2] + " " + hash[2:]),
    "a proof that is no list": lambda opening: {**opening, "proof": {}},
    "a proof with nothing at its end": lambda opening: {**opening, "proof": [*opening["proof"], None]},
    "a list of openings": lambda opening: [opening],
    "a card alone": lambda opening: opening["card"],
}


@pytest.mark.parametrize("words", OTHERWISE)
def test_an_opening_is_written_in_one_way_only(words: str) -> None:
    shoe = Shoe.shuffle(unseen_of("2c 3c 4c 5c"), SEED)
    opening = shoe.opening(1)
    assert opening["salt"] != opening["salt"].upper()
    assert checks(shoe, opening) and not checks(shoe, OTHERWISE[words](opening))


def test_the_text_of_a_card_cannot_run_over_into_its_salt() -> None:
    """A suit taken for the first byte of a salt would make another salt too long: lengths are fixed."""
    shoe = Shoe.shuffle(unseen_of("2c"), SEED)
    opening = shoe.opening(0)
    shifted = b"c" + bytes.fromhex(opening["salt"])
    assert commitment({**opening, "card": "2", "salt": shifted.hex()}) == commitment(opening)
    assert not checks(shoe, {**opening, "card": "2", "salt": shifted.hex()})
    assert not checks(shoe, {**opening, "card": "2", "salt": shifted[:16].hex()})


# What stays secret.


def with_swapped(one: int, other: int) -> Shoe:
    """A pack in its order but for two cards in each other's place, always under the same salts."""
    lie = list(SUITED_CARDS)
    lie[one], lie[other] = lie[other], lie[one]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Generator, "shuffled", lambda generator, items: lie)
        return Shoe(lie, SEED)


@pytest.mark.rule("F-21", "F-14")
def test_an_opening_looks_the_same_whatever_the_other_cards_are() -> None:
    """Only hashes change, each of them made with a salt that is not told."""
    for one, other in combinations(range(1, 52, 3), 2):
        mine, theirs = with_swapped(0, 0).opening(0), with_swapped(one, other).opening(0)
        for opening in (mine, theirs):
            for entry in opening["proof"]:
                assert len(entry.pop("hash")) == 64
        assert mine == theirs
    assert mine.keys() == {"position", "card", "salt", "proof"}


@pytest.mark.rule("F-21", "F-14")
def test_openings_tell_nothing_about_other_positions() -> None:
    """Every position but one is open. Of that one there is a hash, and no salt that is known fits it."""
    shoe = Shoe.shuffle(Unseen.fresh(1), SEED)
    hidden = 17
    known = [shoe.opening(position) for position in range(52) if position != hidden]
    secret = shoe.opening(hidden)
    leaf = commitment(secret).hex()
    told = json.dumps(known)
    assert leaf in told and secret["salt"] not in told
    salts = {opening["salt"] for opening in known}
    assert len(salts) == 51
    for salt in [*salts, "00" * 16]:
        for text in TEXTS:
            assert commitment({**secret, "card": text, "salt": salt}).hex() != leaf


@pytest.mark.rule("F-21")
def test_salts_are_unlike_each_other_in_half_of_their_bits() -> None:
    """Of 128 bits 64 differ by chance, with a standard deviation of 5.7, and 34 is six of those."""
    salts = [int(opening["salt"], 16) for opening in openings(LARGE)]
    apart = [(one ^ other).bit_count() for one, other in combinations(salts, 2)]
    assert len(apart) == 416 * 415 // 2
    assert 64 - 34 < min(apart) <= max(apart) < 64 + 34
    assert abs(sum(apart) / len(apart) - 64) < 0.1


@pytest.mark.rule("F-14")
@given(seeds, seeds)
def test_a_shoe_prints_its_size_and_its_root_whatever_cards_are_in_it(one: bytes, other: bytes) -> None:
    shoes = [Shoe.shuffle(Unseen.fresh(1), one), Shoe.shuffle(unseen_of(list(SUITED_CARDS[:13]) * 4), other)]
    for show in (repr, str, format, "{}".format, lambda shoe: repr([shoe])[1:-1]):
        shown = {show(shoe).replace(shoe.root, "ROOT") for shoe in shoes}
        assert shown == {"<Shoe of 52 cards, root ROOT>"}


FAILURES: dict[str, Callable[[Any], object]] = {
    "a card after the last": lambda shoe: shoe.card(5),
    "a card before the first": lambda shoe: shoe.card(-1),
    "an opening after the last": lambda shoe: shoe.opening(5),
    "an opening before the first": lambda shoe: shoe.opening(-1),
    "more dealt than there were": lambda shoe: shoe.remaining_with(6, [], SEED),
    "fewer dealt than none": lambda shoe: shoe.remaining_with(-1, [], SEED),
    "no cards left": lambda shoe: shoe.remaining_with(5, [], SEED),
    "a wrong seed": lambda shoe: shoe.remaining_with(1, [], b""),
    "a wrong name": lambda shoe: shoe.nothing_of_that_name,
    "a sum": lambda shoe: shoe + 1,
    "written as JSON": json.dumps,
    "written as a record": msgspec.json.encode,
    "its values": vars,
    "pickled": pickle.dumps,
    "copied": copy.copy,
    "copied deeply": copy.deepcopy,
}


@pytest.mark.rule("F-14")
@pytest.mark.parametrize("words", FAILURES)
def test_no_error_of_a_shoe_shows_a_card(words: str) -> None:
    """The whole traceback, local values included, is the same whatever the cards are."""

    def told(of: str) -> str:
        shoe = Shoe.shuffle(unseen_of(of), SEED)
        with pytest.raises((NotPossible, BadValue, TypeError, AttributeError)) as failure:
            FAILURES[words](shoe)
        within = failure.tb.tb_next
        lines = traceback.TracebackException(failure.type, failure.value, within, capture_locals=True)
        return re.sub(r"0x[0-9a-f]+|\d{9,}", "ADDRESS", "".join(lines.format()).replace(shoe.root, "ROOT"))

    assert told("2c 3c 4c 5c 6c") == told("Ts Js Qs Ks As")


# The same shoe, and another.


@given(packs, seeds, seeds)
def test_shoes_are_equal_when_cards_and_seed_are(pack: list[Card], seed: bytes, other: bytes) -> None:
    shoe, again = Shoe.shuffle(unseen_of(pack), seed), Shoe.shuffle(unseen_of(reversed(pack)), seed)
    assert shoe == again and hash(shoe) == hash(again)
    assert (shoe.root, cards(shoe), openings(shoe)) == (again.root, cards(again), openings(again))
    assert (shoe == Shoe.shuffle(unseen_of(pack), other)) == (seed == other)
    assert shoe != shoe.root


@pytest.mark.rule("F-21")
def test_the_root_changes_with_any_two_cards_swapped_and_any_card_replaced() -> None:
    roots = {with_swapped(0, 0).root, Shoe.shuffle(Unseen.fresh(1), SEED).root}
    for one, other in combinations(range(0, 52, 3), 2):
        roots.add(with_swapped(one, other).root)
    for gone in SUITED_CARDS[1:]:
        roots.add(Shoe.shuffle(Unseen.fresh(1).without(gone).plus(SUITED_CARDS[0]), SEED).root)
    assert len(roots) == 2 + 18 * 17 // 2 + 51


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (-1, "The shoe has no position -1; it has 0 to 51."),
        (52, "The shoe has no position 52; it has 0 to 51."),
    ],
)
def test_there_is_no_card_before_the_first_or_after_the_last(position: int, said: str) -> None:
    shoe = Shoe.shuffle(Unseen.fresh(1), SEED)
    for ask in (shoe.card, shoe.opening):
        with pytest.raises(NotPossible) as refusal:
            ask(position)
        assert one_sentence(refusal.value) == said


def test_no_cards_make_no_shoe() -> None:
    with pytest.raises(NotPossible) as refusal:
        Shoe.shuffle(unseen_of(""), SEED)
    assert one_sentence(refusal.value) == "There are no cards to shuffle."


def test_cards_with_and_without_suits_do_not_mix() -> None:
    with pytest.raises(ValueError, match="with and without suits"):
        Shoe.shuffle(unseen_of("2c 3c"), SEED).remaining_with(0, parse_cards("A"), SEED)


# Cards that go back in the middle of a round.


@given(packs, st.data(), seeds, seeds)
def test_what_is_not_dealt_and_what_is_put_back_make_a_new_shoe(
    pack: list[Card], data: st.DataObject, seed: bytes, later: bytes
) -> None:
    shoe = Shoe.shuffle(unseen_of(pack), seed)
    position = data.draw(st.integers(1, len(pack)))
    dealt, left = cards(shoe)[:position], cards(shoe)[position:]
    back = data.draw(st.lists(st.sampled_from(dealt), min_size=1, max_size=3))
    before = openings(shoe)
    new = shoe.remaining_with(position, back, later)
    assert Counter(cards(new)) == Counter([*left, *back])
    assert new == Shoe.shuffle(unseen_of([*left, *back]), later) == shoe.remaining_with(position, back, later)
    assert all(checks(new, opening) for opening in openings(new))
    assert openings(shoe) == before and all(checks(shoe, opening) for opening in before)


def test_a_card_put_back_comes_as_soon_as_any_other() -> None:
    """One put back to three, 4,000 times: in each place 1,000 times, within 5 standard deviations (137)."""
    shoe = Shoe.shuffle(unseen_of("2c 3c 4c 5c"), SEED)
    back, generator = shoe.card(0), Generator(SEED)
    places = Counter(cards(shoe.remaining_with(1, [back], generator.raw(32))).index(back) for _ in range(4000))
    assert set(places) == {0, 1, 2, 3}
    assert all(abs(count - 1000) <= 137 for count in places.values())


@pytest.mark.parametrize("position", [-1, 53])
def test_no_more_cards_can_have_been_dealt_than_there_were(position: int) -> None:
    with pytest.raises(NotPossible) as refusal:
        Shoe.shuffle(Unseen.fresh(1), SEED).remaining_with(position, [], SEED)
    assert one_sentence(refusal.value) == f"Of 52 cards, {position} cannot have been dealt."


def test_eight_decks_are_shuffled_and_committed_to_within_15_milliseconds() -> None:
    def spent() -> float:
        start = time.process_time()
        Shoe.shuffle(Unseen.fresh(8), SEED)
        return time.process_time() - start

    assert min(spent() for _ in range(5)) < 0.015
