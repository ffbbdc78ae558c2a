"""The table of a dice game is the round, the kernel follows the table, and its dice are fair."""

import os
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, count, product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import games
from feltworks.kit.cards import Seat
from feltworks.kit.chance import Scripted
from feltworks.kit.errors import BadValue, NotPossible, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.loader import load_folder
from feltworks.kit.philox import draw, key_of
from feltworks.kit.round import Round
from feltworks.kit.steps import Settlement
from feltworks.kit.walk import Habit, walk
from feltworks.lab import dice_kernel as kernel
from feltworks.lab import dice_table as dice_module
from feltworks.lab.analysis import analyze
from feltworks.lab.dice_kernel import Kernel
from feltworks.lab.dice_table import Bettor, Cell, Faces, Table, bettors_for, table_of
from feltworks.lab.graph import Event
from feltworks.lab.simulation import simulate
from tests.children import child
from tests.cli.support import felt, read
from tests.quick import cases, share

TOYS = [Path(__file__).parents[1] / "toys"]
ONE = Fraction(1)

CONFIGURED: dict[str, tuple[str, str | None, dict[str, str]]] = {
    "toy": ("point", None, {}),
    "yo": ("yo", "washington", {}),
    "rack card": ("yo", "rack-card", {}),
    "rides": ("yo", "washington", {"yo_on_point_made": "rides", "yo_seven_eleven": "stays_off"}),
    "comes down": ("yo", "rack-card", {"yo_after_win": "comes_down", "dice_pass_on": "decision"}),
    "stays": ("yo", "washington", {"come_out_seven": "stays", "circle_without_play": "stays", "arc_win_left": "all"}),
    "seats": ("yo", "washington", {"late_play_more_yo": "yes", "pay_order": "seats", "more_window": "any"}),
}


@cache
def configured(name: str) -> Game:
    game, version, readings = CONFIGURED[name]
    return games.load(game, TOYS).configured(version=version, readings=readings)


@cache
def tabled(name: str) -> tuple[Table, Kernel]:
    """With different stakes, so that no two wagers can be taken for each other."""
    game = configured(name)
    stakes = {wager: Fraction(n, 2) for n, wager in enumerate(game.wagers, start=2)}
    table = table_of(bettors_for(game, stakes, None))
    return table, Kernel(table)


# The table is the round.

Money = Counter[tuple[object, ...]]


def begun(table: Table, over: Iterable[bool]) -> Money:
    """What bettors stake and settle before the first roll."""
    return told((n, table.bettors[n].first.event) for n, begins in enumerate(over) if begins)


def caused(table: Table, cell: Cell) -> Money:
    """Every stake and settlement of a cell, with those of the courses that begin by it."""
    return told(enumerate(cell.events)) + begun(table, cell.over)


def told(events: Iterable[tuple[int, Event]]) -> Money:
    money: Money = Counter()
    for bettor, event in events:
        money.update((bettor, *stake) for stake in event.stakes)
        money.update((bettor, s.spot, s.line, s.pay, s.stake, s.amount, s.rule) for s in event.settlements)
    return money


def by_table(table: Table, visits: list[list[int]]) -> Money:
    """What the visits of all cells stand for, from the start on."""
    money = begun(table, [True] * len(table.bettors))
    for row, visited in zip(table.cells, visits, strict=True):
        for cell, times in zip(row, visited, strict=True):
            if times:
                money.update({thing: times * number for thing, number in caused(table, cell).items()})
    return money


class Witness:
    """Rounds played one after the other at one table, where each bettor has a seat, and what is seen there."""

    def __init__(self, table: Table) -> None:
        self.game = table.bettors[0].game
        self.players = {Seat(n): Habit(each.stakes) for n, each in enumerate(table.bettors, start=1)}
        self.money: Money = Counter()

    def play(self, rolls: Iterable[Faces], round: Round | None = None) -> Round:
        """On from a round until the script ends, the carry going from round to round."""
        script = Scripted(rolls=rolls)
        round = round or self.game.start(self.players, tracked=False)
        while True:
            try:
                for _, answer, after in walk(round, script, self.players):
                    if made := round.staked(answer):
                        self.money[made[0] - 1, *made[1:]] += 1
                    for s in after.effects:
                        if isinstance(s, Settlement):
                            self.money[s.seat - 1, s.spot, s.line, s.pay, s.stake, s.amount, s.rule] += 1
                    round = after
            except NotPossible as error:
                if str(error) == "The script has no more rolls.":
                    return round
                raise
            round = self.game.start(self.players, carry=round.carry, tracked=False)


def seen(table: Table, rolls: Iterable[Faces]) -> Money:
    witness = Witness(table)
    witness.play(rolls)
    return witness.money


@pytest.mark.slow
@settings(max_examples=share(60), deadline=None)
@given(name=st.sampled_from([*CONFIGURED]), data=st.data())
def test_any_rolls_pay_the_same_at_the_table_and_in_the_round(name: str, data: st.DataObject) -> None:
    table, kernel = tabled(name)
    roll = st.tuples(*[st.integers(1, 6)] * table.dice)
    rolls = data.draw(st.lists(roll, max_size=40))
    assert by_table(table, kernel.follow(rolls)) == seen(table, rolls)


def number_of(faces: Faces) -> int:
    """The place of a roll among all, the first die counting most."""
    return int("".join(str(die - 1) for die in faces), 6)


@pytest.mark.parametrize("name", cases(CONFIGURED, quick=["toy", "yo"]))
def test_every_roll_in_every_state_of_the_table_pays_what_it_pays_in_the_round(name: str) -> None:
    """All rolls that are not alike, from a round in each state. Where two courses lead to one state, their rounds are
    the same to all that follows; so what holds for each roll holds for every sequence of them, however long."""
    table, _ = tabled(name)
    kinds = dict.fromkeys(map(configured(name).round_class.alike, product(range(1, 7), repeat=table.dice)))
    witness = Witness(table)
    rounds = {0: witness.play([])}
    assert witness.money == begun(table, [True] * len(table.bettors))
    for state in range(len(table.cells)):  # a state is numbered when it is first reached
        for faces in kinds:
            cell = table.cells[state][table.folds[number_of(faces)]]
            witness = Witness(table)
            after = witness.play([faces], rounds[state])
            assert witness.money == caused(table, cell), (state, faces)
            assert after.key == rounds.setdefault(cell.state, after).key, (state, faces)
    assert len(rounds) == len(table.cells)


# The kernel follows the table.


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Philox 4x32-10, as its authors describe it."""
    (a, b, c, d), (x, y) = counter, key
    for _ in range(10):
        (high_a, low_a), (high_c, low_c) = divmod(a * 0xD2511F53, 2**32), divmod(c * 0xCD9E8D57, 2**32)
        a, b, c, d = high_c ^ b ^ x, low_c, high_a ^ d ^ y, low_a
        x, y = (x + 0x9E3779B9) % 2**32, (y + 0xBB67AE85) % 2**32
    return a, b, c, d


def rolls_in(word: int, faces: int, rolls: int, size: int = 2**32) -> list[int] | None:
    """The rolls that a word stands for, if it can be used: digits of a fraction, the least fractions left out."""
    if word * faces**rolls % size < size % faces**rolls:
        return None
    number = word * faces**rolls // size
    return [number // faces**place % faces for place in reversed(range(rolls))]


def rolled(kernel: Kernel, seed: int, chunk: int, walker: int) -> Iterator[int]:
    """All the rolls that one walker of a chunk would ever make."""
    high, low = divmod(key_of(seed), 2**32)
    for block in count():
        words = philox((block % 2**32, block >> 32, chunk % 2**32, chunk >> 32), (low, high))
        found = [rolls_in(word, kernel.faces, kernel.rolls_in_word) for word in words]
        if None not in found:
            yield from found[walker] or ()


KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((2**32 - 1,) * 4, (2**32 - 1,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_chance_gives_the_known_answers_of_philox(
    counter: tuple[int, int, int, int], key: tuple[int, int], answer: tuple[int, ...]
) -> None:
    words = np.empty((4, 1), np.uint32)
    a, b, c, d = counter
    draw(words, np.uint64(b << 32 | a), np.uint64(d << 32 | c), np.uint64(key[1] << 32 | key[0]))
    assert tuple(words[:, 0].tolist()) == philox(counter, key) == answer


def played(name: str, seed: int, chunk: int, walker: int, quota: int, by_rounds: bool) -> tuple[Table, list[int]]:
    """The rolls of one walker until it has its part of the quota and all its wagers are decided."""
    table, made = tabled(name)
    wanted, done, state, rolls = (quota + walker) // 4, 0, 0, []
    for roll in rolled(made, seed, chunk, walker) if wanted else ():
        cell = table.cells[state][table.folds[roll]]
        rolls.append(roll)
        state = cell.state
        done += cell.rounds if by_rounds else 1
        if done >= wanted and cell.ends:
            break
    return table, rolls


@pytest.mark.slow
@pytest.mark.parametrize("name", cases(["toy", "yo", "rides"], quick=["toy", "yo"]))
@pytest.mark.parametrize(("quota", "by_rounds"), [(1, True), (3, False), (50, True), (30_000, False), (12_000, True)])
def test_a_chunk_is_its_rolls_one_by_one(name: str, quota: int, by_rounds: bool) -> None:
    """Every walker plays its part, however few or many, and on to where all its wagers are decided."""
    table, made = tabled(name)
    visits = made.chunk(5, quota, by_rounds, key_of(11)).tolist()
    faces = list(product(range(1, 7), repeat=table.dice))
    parts = [played(name, 11, 5, walker, quota, by_rounds)[1] for walker in range(4)]
    again = [made.follow(faces[roll] for roll in rolls) for rolls in parts]
    assert visits == [sum(cells) for cells in zip(*(chain(*rows) for rows in again), strict=True)]
    if by_rounds and name != "rides":
        every = [cell for row in table.cells for cell in row]
        assert sum(cell.rounds * n for cell, n in zip(every, visits, strict=True)) == quota


def test_the_rolls_of_a_chunk_pay_what_they_pay_in_the_round() -> None:
    """The whole way at once, from the seed to the settlements, beside rounds played through the contract."""
    table, made = tabled("yo")
    faces = list(product(range(1, 7), repeat=table.dice))
    visits = made.chunk(0, 40, True, key_of(3)).reshape(-1, table.classes).tolist()
    money = by_table(table, visits)
    for walker in range(4):
        _, rolls = played("yo", 3, 0, walker, 40, by_rounds=True)
        money.subtract(seen(table, [faces[roll] for roll in rolls]))
    money.update({thing: 3 * number for thing, number in begun(table, [True, True]).items()})
    assert not any(money.values())


@pytest.mark.parametrize("by_rounds", [False, True])
def test_the_number_of_workers_changes_nothing(by_rounds: bool) -> None:
    _, made = tabled("yo")
    quota = 2 * (kernel.CHUNK_ROUNDS if by_rounds else kernel.CHUNK_ROLLS) + 1_001
    told: list[int] = []
    one, two, five = (
        made.count(quota, by_rounds=by_rounds, seed=4, workers=n, progress=lambda done, _: told.append(done))
        for n in (1, 2, 5)
    )
    assert one == two == five
    assert told[:3] == told[3:6] and told[2] == quota
    assert one != made.count(quota, by_rounds=by_rounds, seed=5, workers=2)


# The dice are fair.


@pytest.mark.parametrize(("faces", "rolls"), [(6, 4), (36, 2), (36, 3), (1296, 1)])
def test_every_sequence_of_rolls_has_the_same_number_of_words(faces: int, rolls: int) -> None:
    """All words of sixteen bits, in the place of those of thirty-two."""
    found = Counter(tuple(used) for word in range(2**16) if (used := rolls_in(word, faces, rolls, 2**16)))
    assert len(found) == faces**rolls
    assert set(found.values()) == {2**16 // faces**rolls}


def test_hardly_a_word_is_thrown_away() -> None:
    words = {dice: (rolls := kernel.rolls_in_word(6**dice), 2**32 % 6 ** (dice * rolls)) for dice in range(1, 7)}
    assert {dice: rolls for dice, (rolls, _) in words.items()} == {1: 10, 2: 5, 3: 3, 4: 2, 5: 2, 6: 1}
    assert all(rejected / 2**32 < 0.0005 for _, rejected in words.values())


def chi_square(observed: list[int]) -> float:
    """How far counts of what is equally likely are from each other, in standard deviations of that measure."""
    expected, freedom = sum(observed) / len(observed), len(observed) - 1
    return (sum((n - expected) ** 2 for n in observed) / expected - freedom) / sqrt(2 * freedom)


def bare(dice: int, states: int) -> Kernel:
    """A table that tells every roll apart, and where there is more than one state, also the roll before it."""
    rolls = 6**dice
    nothing, (bettor, *_) = Event((), (), 1, 1), tabled("toy")[0].bettors
    row = tuple(Cell(roll if states > 1 else 0, (nothing,), (True,)) for roll in range(rolls))
    return Kernel(Table((bettor,), dice, tuple(range(rolls)), (row,) * states))


@pytest.mark.parametrize("dice", cases([1, 2, 3, 4], quick=[2, 4]))
def test_every_roll_comes_up_as_often_as_any_other(dice: int) -> None:
    [counts] = bare(dice, 1).count(30_000_000, by_rounds=False, seed=dice, workers=2)
    assert sum(counts) == 30_000_000
    assert abs(chi_square(counts)) < 4


@pytest.mark.parametrize("dice", [1, 2])
def test_a_roll_tells_nothing_about_the_next_one(dice: int) -> None:
    counts = bare(dice, 6**dice).count(30_000_000, by_rounds=False, seed=dice, workers=2)
    assert abs(chi_square([n for row in counts for n in row])) < 4


@pytest.mark.parametrize("name", cases(["toy", "yo", "rides"], quick=["toy"]))
def test_z_has_the_spread_that_it_claims(name: str) -> None:
    """Over many seeds the squares of z have the mean 1, for every wager and for the rolls in a round."""
    table, made = tabled(name)
    runs = 100
    squares: dict[str, float] = defaultdict(float)
    for seed in range(runs):
        visits = made.count(600, by_rounds=bool(seed % 2), seed=seed, workers=1)
        for number, bettor in enumerate(table.bettors):
            happened, courses = table.happened(number, visits)
            for wager in map(bettor.game.wager, bettor.stakes):
                totals = bettor.totals(wager, happened, courses)
                edge = exact_edge(name, wager.name)
                z = float(totals.net + edge * totals.made) / (totals.deviation(edge) * sqrt(totals.size))
                squares[wager.name] += z * z / runs
    assert all(abs(mean - 1) < 4 * sqrt(2 / runs) for mean in squares.values()), squares


@cache
def exact_edge(name: str, wager: str) -> Fraction:
    return analyze(configured(name), wager=wager)[wager].edge


# Games with decisions, and with different numbers of dice.

CLIMB = (
    """
name = "climb"
title = "Climb"
summary = "One die, a decision, two dice."
rules = "toy"
seats = 2

[versions.toy]
title = "for a test"
wagers = ["base"]

[wagers.base]
title = "Ante"
required = true
spots = { ante = "Ante", raise = "Raise" }
""",
    """
from dataclasses import dataclass
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Choose, Extra, Option, Roll, note, task

@dataclass(frozen=True)
class Climb(Round):
    first: int = 0

    def play(self):
        yield self.game.betting("open")
        yield Roll(1)
        yield task(self.rolled)

    def rolled(self):
        yield note(first=self.dice[0])
        yield Choose(frozenset(self.playing), (Option("stay"), Option("raise", Extra("raise", of="ante"))))
        yield Roll(2)
        yield task(self.settle)

    def settle(self):
        for seat, spot in list(self.wagers):
            if self.first + sum(self.dice) > 11:
                yield self.win(seat, spot, "High", Odds("to", 2, 1), "T-1")
            else:
                yield self.lose(seat, spot, "Low", "T-1")

ROUND = Climb
""",
)


@pytest.fixture
def climb(tmp_path: Path) -> Game:
    for name, text in zip(("game.toml", "rules.py"), CLIMB, strict=True):
        (tmp_path / name).write_text(text)
    return load_folder(tmp_path)


def test_a_game_with_decisions_is_played_by_its_best_strategy(climb: Game) -> None:
    simulation = simulate(climb, rounds=200_000)
    found, best = simulation["base"], analyze(climb)["base"]
    assert best.strategy is not None and {a.best for a in best.strategy.advice.values()} == {"stay", "raise"}
    assert found.exact is not None and found.exact.edge == best.edge
    assert found.z is not None and abs(found.z) < 4
    assert simulation.length is not None and simulation.length.rolls == 400_000 and simulation.length.z is None


def test_a_habit_is_played_as_it_decides(climb: Game) -> None:
    stays, raises = (
        simulate(climb, rolls=200_000, policy=Habit({"base": ONE}, (p,)))["base"] for p in ("stay", "raise")
    )
    assert stays.z is not None and raises.z is not None and max(abs(stays.z), abs(raises.z)) < 4
    assert stays.exact is not None and raises.exact is not None and raises.exact.edge == 2 * stays.exact.edge


def test_a_table_without_a_policy_refuses_decisions(climb: Game) -> None:
    with pytest.raises(BadValue, match=r"^Climb has decisions; "):
        table_of([Bettor(climb, {"base": ONE}, None)])


# Where wagers cannot be made together, and what is refused.


@pytest.mark.slow
def test_late_play_is_simulated_at_a_seat_of_its_own() -> None:
    game = configured("yo")
    assert [[*each.stakes] for each in bettors_for(game, dict.fromkeys(game.wagers, ONE), None)] == [
        ["play", "more", "yo", "high", "low", "pairs", "eleven", "craps"],
        ["late_play"],
    ]
    simulation = simulate(game, rolls=100_000, against={})
    assert [*simulation.wagers] == [*game.wagers]
    assert simulation.length is not None and simulation.length.rolls >= 100_000
    left_out = simulate(game, rolls=1_000, against={}, stakes={"late_play": Fraction(0), "pairs": Fraction(3)})
    assert "late_play" not in left_out.wagers and left_out.stakes["pairs"] == 3


@pytest.mark.parametrize("rolls", cases((1, 2, 3, 100, 1_001), quick=[1_001]))
def test_every_wager_made_is_decided(rolls: int) -> None:
    """However many rolls are asked for, the last rounds are played to their end."""
    simulation = simulate(configured("yo"), rolls=rolls, against={})
    for name in ("play", "late_play", "more", "high"):
        wager = simulation[name]
        assert sum(o.count for o in wager.outcomes) == wager.rounds.made
        assert sum(o.share for o in wager.outcomes) == 1
    assert simulation["more"].rounds.size == simulation.rounds


@pytest.mark.slow
def test_a_pay_table_that_is_not_the_analysed_one_is_noticed() -> None:
    game = configured("yo")
    other = game.configured(pay={"craps": "8"})
    simulation = simulate(other, rolls=1_000_000, against=analyze(game).wagers)
    scores = {name: wager.z for name, wager in simulation.wagers.items()}
    assert (scores.pop("craps") or 0) > 20
    assert all(z is not None and abs(z) < 4 for z in scores.values())


def test_too_large_a_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = tabled("toy")
    monkeypatch.setattr(dice_module, "MOST_STATES", 5)
    with pytest.raises(TooLarge, match="Point has more than 5 states"):
        table_of([Bettor(configured("toy"), {"line": ONE}, None)])
    monkeypatch.setattr(dice_module, "MOST_DICE", 1)
    with pytest.raises(TooLarge, match="Point rolls 2 dice at once"):
        table_of([Bettor(configured("toy"), {"line": ONE}, None)])
    monkeypatch.setattr(kernel, "MOST_CELLS", 10)
    with pytest.raises(TooLarge, match="cells is too large"):
        Kernel(table)


# The command, and what it costs those who do not use it.


def python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


WITHOUT_NUMBA = """
import contextlib, importlib, io, pkgutil, sys
import feltworks.web, feltworks.floor, feltworks.terminal, feltworks.lab
for room in (feltworks.web, feltworks.floor, feltworks.terminal):
    for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
        importlib.import_module(module.name)
from feltworks.cli.floor_commands import app
for command in (["analyze", "yo", "--json"], ["play", "yo", "--auto"], ["certify", "yo"], ["serve", "--help"]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        app(command)
print({"numba", "numpy", "llvmlite"} & set(sys.modules))
"""


@pytest.mark.slow
def test_nothing_but_a_simulation_of_dice_loads_numba() -> None:
    assert python(WITHOUT_NUMBA) == "set()"


COUNTED = """
from feltworks.lab import dice_kernel as kernel
kernel.make_ready()
print(sum(kernel.play.stats.cache_hits.values()))
"""
NOWHERE = """
from numba.core.caching import CompileResultCacheImpl
CompileResultCacheImpl._locator_classes = []
from feltworks.kit.compiled import compiled
twice = compiled(lambda number: 2 * number)
print(twice(21), twice.stats.cache_path)
"""


@pytest.mark.slow
def test_the_compiled_kernel_is_kept_for_the_next_process() -> None:
    assert [python(COUNTED) for _ in range(2)][1] == "1"


@pytest.mark.slow
def test_where_no_compiled_code_can_be_kept_it_is_compiled_again() -> None:
    assert python(NOWHERE) == "42 None"


@pytest.mark.slow
def test_a_thousand_million_rolls_are_written_1e9() -> None:
    shown = felt("simulate", "yo", "--rolls", "2e6", "--seed", "1", "--reading", "yo_after_win=comes_down")
    assert shown.exit_code == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert any(" rounds in 2,000," in line and line.endswith(" rolls, seed 1") for line in lines)
    assert sum(line.startswith("z ") for line in lines) == 10  # nine wagers, and the rolls in a round
    assert any(line.startswith("rolls per round ") for line in lines)


def test_the_json_of_dice_tells_the_rolls() -> None:
    data = read("simulate", "point", "--games", str(TOYS[0]), "--rounds", "1e4", "--workers", "2")
    assert [*data][3:6] == ["rounds", "rolls", "rolls_per_round"]
    assert (data["rounds"], data["rolls_per_round"]["exact"]) == (10_000, "557/165")
    assert data["rolls_per_round"]["value"] == data["rolls"] / 10_000
    assert all(abs(wager["z"]) < 4 for wager in [data["rolls_per_round"], *data["wagers"].values()])
    assert data == read("simulate", "point", "--games", str(TOYS[0]), "--rounds", "10,000", "--workers", "1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("in-between", "--rolls", "5"), "IN BETween has no dice; say how many rounds instead of how many rolls."),
        (("yo", "--rolls", "1.5"), "--rolls is a whole number such as 1000000, 1,000,000 or 1e6; '1.5' is not."),
        (("yo", "--rolls", "many"), "--rolls is a whole number such as 1000000, 1,000,000 or 1e6; 'many' is not."),
        (
            ("yo", "--rolls", "5", "--rounds", "5"),
            "A simulation is so many rounds or so many rolls; give one of the two.",
        ),
        (
            ("yo", "--rolls", "5", "--seats", "2"),
            "Rolls are counted for one seat that plays by a strategy or a habit; give rounds here.",
        ),
        (("yo", "--rolls", "5", "--stake", "high=0", "--wager", "high"), "High is never made with these stakes."),
        (
            ("yo", "--rolls", "1e20"),
            "A simulation needs at least 1 round or roll, at most 1,000,000,000,000,000, and at least 1 worker.",
        ),
    ],
)
def test_what_cannot_be_rolled_is_refused_in_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    refused = felt("simulate", *arguments)
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", f"{said}\n")


ROLLING = """
from feltworks.cli import main
from feltworks.lab.dice_kernel import Kernel

def count(*arguments, count=Kernel.count, **options):
    return count(*arguments, **{**options, "progress": lambda done, total: print("rolling", flush=True)})

Kernel.count = count
main()
"""


@pytest.mark.slow
def test_an_interrupted_simulation_ends_and_prints_nothing_in_the_background_of_a_script_too() -> None:
    with child("-c", ROLLING, "simulate", "yo", "--rolls", "1e14", ignores_interrupts=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "rolling\n"
        running.send_signal(signal.SIGINT)
        printed, errors = running.communicate()
        assert (running.returncode, printed.replace("rolling\n", ""), errors) == (130, "", "")
