"""The generator gives the published keystream, each value once, and every answer as often as every other."""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import permutations, product
from math import factorial, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor.chance.generator import SEED_BYTES, Generator, fresh_seed
from feltworks.kit.errors import BadValue
from tests.kit.support import one_sentence
from tests.quick import cases

# The stream.

RFC_8439 = [
    (
        "00" * 32,
        0,
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    ),
    (
        "00" * 32,
        1,
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
    ),
    (
        "00" * 31 + "01",
        1,
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
    ),
    (
        "00ff" + "00" * 30,
        2,
        "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
        "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
    ),
]


@pytest.mark.rule("F-21")
@pytest.mark.parametrize(("key", "block", "keystream"), RFC_8439, ids=["1", "2", "3", "4"])
def test_the_stream_is_that_of_rfc_8439_appendix_a_1(key: str, block: int, keystream: str) -> None:
    generator = Generator(bytes.fromhex(key))
    generator.raw(64 * block)
    assert generator.raw(64).hex() == keystream


@pytest.mark.rule("F-21")
@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(0, 3000), max_size=8))
def test_values_are_used_in_order_and_once_however_they_are_asked_for(seed: bytes, counts: list[int]) -> None:
    generator = Generator(seed)
    pieces = b"".join(generator.raw(count) for count in counts)
    assert pieces == Generator(seed).raw(sum(counts))


def test_seeds_are_fresh_and_of_the_right_length() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {SEED_BYTES}


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(BadValue) as refusal:
        Generator(bytes(length))
    assert one_sentence(refusal.value) == f"A seed of {length} bytes cannot be; give 32."


def test_the_stream_does_not_go_back() -> None:
    generator = Generator(bytes(32))
    generator.raw(10)
    with pytest.raises(ValueError, match="only goes forward"):
        generator.raw(-1)


def test_a_generator_does_not_print_its_seed_or_its_stream() -> None:
    seed = b"0123456789abcdef" * 2
    generator = Generator(seed)
    taken = generator.raw(8)
    shown = f"{generator} {generator!r}"
    for secret in (seed, taken, Generator(seed).raw(64)[8:16]):
        assert secret.hex() not in shown and repr(secret)[2:-1] not in shown


# Exactly even: every tape of bytes that could come, each once.


class Tape(Generator):
    """A generator whose stream is written down."""

    def __init__(self, tape: bytes) -> None:
        self.tape = io.BytesIO(tape)

    def raw(self, count: int) -> bytes:
        taken = self.tape.read(count)
        if len(taken) < count:
            raise EOFError
        return taken


def answers(pieces: Iterable[bytes], bound: int) -> Iterator[int]:
    """What a generator answers when its stream comes in these pieces, until it wants one more."""
    left = iter(pieces)

    class Pieces(Generator):
        def raw(self, count: int) -> bytes:
            piece = next(left)
            assert len(piece) == count
            return piece

    generator = Pieces(bytes(32))
    with suppress(StopIteration):
        while True:
            answer = generator.below(bound)
            yield answer


@pytest.mark.rule("F-21")
@pytest.mark.parametrize(
    "bounds", cases([range(2, 257), range(257, 301)], quick=[range(2, 257)]), ids=["one byte", "two bytes"]
)
def test_every_answer_below_a_bound_comes_equally_often(bounds: range) -> None:
    """Each number of the fewest bytes comes once; too few are thrown away for one more of each answer."""
    width = 1 if bounds.stop <= 257 else 2
    pieces = [number.to_bytes(width, "big") for number in range(256**width)]
    for bound in bounds:
        assert Counter(answers(pieces, bound)) == dict.fromkeys(range(bound), len(pieces) // bound)


def test_below_one_there_is_only_zero_and_no_byte_is_used() -> None:
    assert Tape(b"").below(1) == 0


@pytest.mark.parametrize("bound", [0, -1])
def test_below_nothing_there_is_no_number(bound: int) -> None:
    with pytest.raises(ValueError, match="no number"):
        Generator(bytes(32)).below(bound)


def test_a_number_outside_the_whole_multiple_is_thrown_away_for_the_next() -> None:
    tape = Tape(bytes([252, 255, 251, 0]))
    assert tape.below(6) == 251 % 6
    assert tape.raw(1) == b"\0"


def test_the_first_byte_of_a_number_counts_most() -> None:
    assert Tape(bytes([1, 2])).below(300) == 258


@given(st.integers(1, 2**80), st.binary(min_size=32, max_size=32))
def test_an_answer_is_below_its_bound(bound: int, seed: bytes) -> None:
    assert 0 <= Generator(seed).below(bound) < bound


class Chosen(Generator):
    """A generator whose numbers are written down, with the bounds below which they lie."""

    def __init__(self, numbers: Sequence[int], bounds: Sequence[int]) -> None:
        self.written = iter(zip(numbers, bounds, strict=True))

    def below(self, bound: int) -> int:
        number, written = next(self.written)
        assert written == bound
        return number


@pytest.mark.rule("F-21")
@pytest.mark.parametrize("size", range(7))
def test_a_shuffle_gives_every_order_exactly_once(size: int) -> None:
    bounds = range(size, 1, -1)
    orders = Counter(tuple(Chosen(numbers, bounds).shuffled(range(size))) for numbers in product(*map(range, bounds)))
    assert orders == Counter(permutations(range(size)))
    assert orders.total() == factorial(size)


@pytest.mark.rule("F-21")
def test_every_pair_of_bytes_shuffles_three_cards_into_each_order_equally_often() -> None:
    orders: Counter[str] = Counter()
    for tape in product(range(255), range(256)):
        orders["".join(Tape(bytes(tape)).shuffled("ABC"))] += 1
    assert orders == Counter(dict.fromkeys(["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"], 255 * 256 // 6))


def test_a_shuffle_leaves_what_it_was_given_as_it_was() -> None:
    items = ["a", "b", "c", "d"]
    assert sorted(Generator(bytes(32)).shuffled(items)) == items == ["a", "b", "c", "d"]


@pytest.mark.rule("F-21")
def test_dice_show_1_to_6_equally_often_one_after_the_other() -> None:
    assert Tape(bytes([0, 1, 252, 5, 251])).roll(4) == (1, 2, 6, 6)
    faces = Counter(die for byte in range(252) for die in Tape(bytes([byte])).roll(1))
    assert faces == Counter(dict.fromkeys(range(1, 7), 42))


# Of one stream, at 99 %: chi-square, with fixed seeds, neither too far from even nor too near to it.


def at_99_percent(statistic: float, freedom: int) -> bool:
    """Whether chi-square lies within its middle 99 %, by the approximation of Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    lowest, highest = (freedom * (1 - part + z * sqrt(part)) ** 3 for z in (-2.5758, 2.5758))
    return lowest < statistic < highest


def evenly(seen: Iterable[Any], cells: int) -> bool:
    counts = Counter(seen)
    expected = counts.total() / cells
    statistic = sum((count - expected) ** 2 for count in counts.values()) / expected
    return at_99_percent(statistic + (cells - len(counts)) * expected, cells - 1)


def places_are_even(orders: Sequence[Sequence[int]]) -> bool:
    """Whether each card lies in each place equally often. One order has one card in each place and each card
    in one place: (n - 1)² degrees of freedom are left, with a variance of 1 / (n - 1) in each."""
    size = len(orders[0])
    counts = Counter(cell for order in orders for cell in enumerate(order))
    expected = len(orders) / size
    off = sum((counts[place, card] - expected) ** 2 for place in range(size) for card in range(size))
    return at_99_percent(off * (size - 1) / len(orders), (size - 1) ** 2)


@pytest.fixture(scope="module")
def orders() -> list[list[int]]:
    generator = Generator(b"shuffles of 52 cards, at 99 %..!")
    return [generator.shuffled(range(52)) for _ in range(13_260)]


@pytest.mark.rule("F-21", "F-21")
def test_each_card_lies_in_each_place_equally_often(orders: list[list[int]]) -> None:
    assert places_are_even(orders)


@pytest.mark.rule("F-21", "F-21")
@pytest.mark.parametrize("place", [0, 25, 50])
def test_each_card_follows_each_other_equally_often(orders: list[list[int]], place: int) -> None:
    assert evenly((tuple(order[place : place + 2]) for order in orders), 52 * 51)


@pytest.mark.rule("F-21", "F-21")
def test_a_shuffle_does_not_depend_on_the_one_before(orders: list[list[int]]) -> None:
    """The first cards of two shuffles in a row, four cards taken as one."""
    pairs = zip(orders[::2], orders[1::2], strict=True)
    assert evenly(((before[0] // 4, after[0] // 4) for before, after in pairs), 13 * 13)


def test_the_same_figures_find_the_well_known_wrong_shuffle() -> None:
    """Swapping each card with any of all cards makes some orders likelier than others."""
    generator = Generator(b"a shuffle that is not a shuffle.")
    wrong = []
    for _ in range(5_000):
        order = list(range(52))
        for place in range(52):
            other = generator.below(52)
            order[place], order[other] = order[other], order[place]
        wrong.append(order)
    assert not places_are_even(wrong)


@pytest.fixture(scope="module")
def rolls() -> list[tuple[int, ...]]:
    generator = Generator(b"rolls of three dice, at 99 %...!")
    return [generator.roll(3) for _ in range(43_200)]


FIGURES: list[tuple[str, int, Callable[[list[tuple[int, ...]]], Iterable[Any]]]] = [
    ("first die", 6, lambda rolls: (roll[0] for roll in rolls)),
    ("last die", 6, lambda rolls: (roll[-1] for roll in rolls)),
    ("two dice together", 36, lambda rolls: (roll[:2] for roll in rolls)),
    ("three dice together", 216, lambda rolls: rolls),
    (
        "one roll after the other",
        36,
        lambda rolls: ((a[0], b[0]) for a, b in zip(rolls[::2], rolls[1::2], strict=True)),
    ),
]


@pytest.mark.rule("F-21", "F-21")
@pytest.mark.parametrize(("words", "cells", "seen"), FIGURES, ids=[words for words, *_ in FIGURES])
def test_dice_alone_together_and_one_after_the_other_show_every_face_equally_often(
    rolls: list[tuple[int, ...]],
    words: str,
    cells: int,
    seen: Callable[[list[tuple[int, ...]]], Iterable[Any]],
) -> None:
    assert evenly(seen(rolls), cells)


def test_the_same_figures_find_a_slightly_loaded_die() -> None:
    """A remainder of a byte by 6 without rejection shows 1 to 4 in 43 of 256 and 5 and 6 in 42."""
    generator = Generator(b"a die that is off by 1 in 256..!")
    assert not evenly((byte % 6 for byte in generator.raw(400_000)), 6)
