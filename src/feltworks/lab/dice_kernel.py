"""The compiled kernel: rolls dice by the thousand million and counts the visits of every cell of a table.

Only a simulation of dice imports this module, because it brings Numba with it. What a chunk counts depends on the
seed, its number and what is asked of it, and on nothing else.

Chance is Philox (`kit.philox`). Each of the four words of a block is for one of four walkers that play side by side, so
that one is on its way while another waits for the table. A word holds several rolls. With a word that has to be thrown
away the other words of its block, which have nothing to do with it, go too.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy import uint16, uint64
from numpy.typing import NDArray

from feltworks.kit.compiled import compiled
from feltworks.kit.errors import TooLarge
from feltworks.kit.philox import LOW, ONE, WORD, draw, is_fair, key_of, rejected
from feltworks.kit.workers import in_chunks
from feltworks.lab.dice_table import Table

CHUNK_ROLLS = 1 << 24
CHUNK_ROUNDS = 1 << 20
"""How much is played in one chunk."""

WALKERS = 4
BLOCKS = 1024
"""How many blocks are drawn at a time; a divisor of 2^32."""

STATE, COUNT, VISIT = uint64(0xFFFFFF), uint64(24), uint64(1 << 24)
"""A cell is one number: where its state's row begins, and above it how often it was visited."""

MOST_CELLS = 1 << 24
Cells = NDArray[np.uint64]
Visits = NDArray[np.uint64]


class CompiledTable(NamedTuple):
    """A table as compiled code reads it."""

    cells: Cells
    folds: NDArray[np.uint16]
    """By roll: its class, which is the place of its cell in a state's row."""
    worth: NDArray[np.uint64]
    """By cell: what a visit counts towards the quota, 0 or 1."""
    ends: NDArray[np.uint8]
    """By cell: whether a round may stop there."""
    faces: uint64
    """How many rolls differ."""
    rolls: int
    """How many rolls a word is used for."""


class Chance(NamedTuple):
    """Where the words of a chunk come from."""

    chunk: uint64
    key: uint64


@compiled
def visit(cells: Cells, row: uint64, fold: uint16) -> uint64:
    """Count a visit, and say where the row of the next state begins."""
    cell = row + uint64(fold)
    before: uint64 = cells[cell]
    cells[cell] = before + VISIT
    return before & STATE


@compiled
def usable(words: tuple[uint64, uint64, uint64, uint64], sequences: uint64, reject: uint64) -> bool:
    """Whether none of four words is one of those that some sequences of rolls would have too many of."""
    w0, w1, w2, w3 = words
    first = is_fair(w0, sequences, reject) & is_fair(w1, sequences, reject)
    fair: bool = first & is_fair(w2, sequences, reject) & is_fair(w3, sequences, reject)
    return fair


@compiled
def worth_of(cells: Cells, worth: NDArray[np.uint64]) -> uint64:
    """What the visits of one walker's cells are worth together."""
    total = uint64(0)
    for i in range(cells.size):
        total += (cells[i] >> COUNT) * worth[i]
    return total


@compiled
def part(quota: uint64, walker: int) -> uint64:
    """A walker's part of a quota."""
    return (quota + uint64(walker)) // uint64(WALKERS)


@compiled
def play(compiled_table: CompiledTable, chance: Chance, quota: uint64) -> Visits:
    """Play a chunk: every walker until its visits are worth its part of the quota, and on to the end of the round.

    No visit is worth more than 1, so that as many rolls as a walker is short of can be made without looking.
    """
    cells, folds, worth, ends, faces, rolls = compiled_table
    chunk, key = chance
    sequences = ONE
    for _ in range(rolls):
        sequences *= faces
    reject = (ONE << WORD) % sequences
    tables = np.empty((WALKERS, cells.size), np.uint64)
    for walker in range(WALKERS):
        for i in range(cells.size):
            tables[walker, i] = cells[i]
    t0, t1, t2, t3 = tables[0], tables[1], tables[2], tables[3]
    s0, s1, s2, s3 = uint64(0), uint64(0), uint64(0), uint64(0)
    words = np.empty((WALKERS, BLOCKS), np.uint32)
    block = uint64(0)
    while True:
        short = quota
        for walker in range(WALKERS):
            short = min(short, part(quota, walker) - worth_of(tables[walker], worth))
        if short <= uint64(BLOCKS * rolls):
            break
        for _ in range((short - ONE) // uint64(BLOCKS * rolls)):
            draw(words, block, chunk, key)
            block += uint64(BLOCKS)
            for i in range(BLOCKS):
                w0, w1, w2, w3 = uint64(words[0, i]), uint64(words[1, i]), uint64(words[2, i]), uint64(words[3, i])
                if not usable((w0, w1, w2, w3), sequences, reject):
                    continue
                for _ in range(rolls):
                    w0, w1, w2, w3 = w0 * faces, w1 * faces, w2 * faces, w3 * faces
                    s0 = visit(t0, s0, folds[w0 >> WORD])
                    s1 = visit(t1, s1, folds[w1 >> WORD])
                    s2 = visit(t2, s2, folds[w2 >> WORD])
                    s3 = visit(t3, s3, folds[w3 >> WORD])
                    w0, w1, w2, w3 = w0 & LOW, w1 & LOW, w2 & LOW, w3 & LOW
    rows = (s0, s1, s2, s3)
    visits = np.zeros(cells.size, np.uint64)
    for walker in range(WALKERS):
        table, row, wanted, at = tables[walker], rows[walker], part(quota, walker), block
        done = worth_of(table, worth)
        playing = wanted > uint64(0)
        while playing:
            draw(words[:, :1], at, chunk, key)
            at += ONE
            w0, w1, w2, w3 = uint64(words[0, 0]), uint64(words[1, 0]), uint64(words[2, 0]), uint64(words[3, 0])
            if not usable((w0, w1, w2, w3), sequences, reject):
                continue
            word = uint64(words[walker, 0])
            for _ in range(rolls):
                word *= faces
                cell = row + uint64(folds[word >> WORD])
                row = visit(table, row, folds[word >> WORD])
                word &= LOW
                done += worth[cell]
                if done >= wanted and ends[cell]:
                    playing = False
                    break
        for i in range(cells.size):
            visits[i] += table[i] >> COUNT
    return visits


@compiled
def follow(cells: Cells, folds: NDArray[np.uint16], rolls: NDArray[np.int64]) -> Visits:
    """The visits of the cells by rolls that are given, from the first state on."""
    table = cells.copy()
    row = uint64(0)
    for i in range(rolls.size):
        row = visit(table, row, folds[rolls[i]])
    for i in range(table.size):
        table[i] >>= COUNT
    return table


def make_ready() -> None:
    """Have everything compiled, by a game of one die with one cell."""
    one, faces = np.ones(1, np.uint64), 6
    folds = np.zeros(faces, np.uint16)
    table = CompiledTable(np.zeros(1, np.uint64), folds, one, np.ones(1, np.uint8), uint64(faces), rolls_in_word(faces))
    play(table, Chance(ONE, ONE), ONE)


class Kernel:
    """A table made ready to be played."""

    def __init__(self, table: Table) -> None:
        self.table = table
        every = [cell for row in table.cells for cell in row]
        if len(every) >= MOST_CELLS:
            raise TooLarge(f"A table of {len(every):,} cells is too large; {MOST_CELLS - 1:,} are possible.")
        self.cells = np.array([cell.state * table.classes for cell in every], np.uint64)
        self.folds = np.array(table.folds, np.uint16)
        self.rounds = np.array([cell.rounds > 0 for cell in every], np.uint64)
        self.rolls = np.ones(len(every), np.uint64)
        self.ends = np.array([cell.ends for cell in every], np.uint8)
        self.faces, self.rolls_in_word = 6**table.dice, rolls_in_word(6**table.dice)

    def chunk(self, number: int, quota: int, by_rounds: bool, key: int) -> Visits:
        """The visits of every cell in one chunk."""
        worth = self.rounds if by_rounds else self.rolls
        table = CompiledTable(self.cells, self.folds, worth, self.ends, uint64(self.faces), self.rolls_in_word)
        visits: Visits = play(table, Chance(uint64(number), uint64(key)), uint64(quota))
        return visits

    def follow(self, rolls: Iterable[Sequence[int]]) -> list[list[int]]:
        """The visits of every cell by these rolls: the same table by dice that are given."""
        places = [6**i for i in reversed(range(self.table.dice))]
        numbers = [sum(place * (die - 1) for place, die in zip(places, roll, strict=True)) for roll in rolls]
        return self._by_state(follow(self.cells, self.folds, np.array(numbers, np.int64)))

    def count(
        self,
        quota: int,
        *,
        by_rounds: bool,
        seed: int,
        workers: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[list[int]]:
        """Play so many rounds, or rolls and on to the end of the rounds that are then under way; the visits of every
        cell by state and class."""
        size, key = CHUNK_ROUNDS if by_rounds else CHUNK_ROLLS, key_of(seed)
        visits = np.zeros(len(self.cells), np.uint64)

        def play_chunk(number: int, part: int) -> Visits:
            return self.chunk(number, part, by_rounds, key)

        for more in in_chunks(play_chunk, quota, size, workers, progress):
            visits += more
        return self._by_state(visits)

    def _by_state(self, visits: Visits) -> list[list[int]]:
        by_state: list[list[int]] = visits.reshape(-1, self.table.classes).tolist()
        return by_state


def rolls_in_word(faces: int) -> int:
    """How many rolls a word is used for: as many as leave hardly a word to be thrown away."""
    fitting = [n for n in range(1, 13) if faces**n <= 1 << 32 and rejected(faces**n) < 1 << 25]
    return max(fitting)
