"""The simulator agrees with exact figures, notices if they are not those of the game, and keeps its seed."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path

import pytest

import feltworks
from feltworks import games
from feltworks.kit.cards import Seat
from feltworks.kit.enumerator import ON_AVERAGE
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import Bet, Choose, Decide, Place
from feltworks.kit.walk import Habit
from feltworks.lab import policies, simulation
from feltworks.lab.analysis import analyze
from feltworks.lab.sample_mean import Sample
from feltworks.lab.simulation import CHUNK, figures, simulate
from feltworks.lab.simulation_result import Simulation
from feltworks.lab.walking_analyzer import WalkingAnalyzer
from tests.lab.analysed import analysed
from tests.quick import cases

TOYS = [Path(__file__).parents[1] / "toys"]
VERSIONS = [(name, v) for name in games.names(TOYS) for v in games.load(name, TOYS).definition.versions]
QUICK = ("in-between", "peek")
SOME = [pytest.param(name, v, marks=[] if name in QUICK else [pytest.mark.slow]) for name, v in VERSIONS]
ONE, ZERO = Fraction(1), Fraction(0)


def load(name: str, version: str | None = None) -> Game:
    return games.load(name, TOYS).configured(version=version)


@cache
def simulated(name: str, version: str) -> Simulation:
    return simulate(load(name, version), rounds=3_000, seed=1)


def z_scores(simulation: Simulation) -> dict[str, float]:
    scores = {name: wager.z for name, wager in simulation.wagers.items()}
    assert scores
    assert None not in scores.values()
    return {name: z for name, z in scores.items() if z is not None}


def agrees(simulation: Simulation) -> bool:
    return all(abs(z) < 4 for z in z_scores(simulation).values())


# Against the exact figures.


@pytest.mark.slow
@pytest.mark.parametrize(("name", "version"), SOME)
def test_every_wager_agrees_with_its_exact_edge(name: str, version: str) -> None:
    simulation = simulated(name, version)
    game = simulation.game
    assert list(simulation.wagers) == [game.bet(name).name for name in game.wagers]
    assert agrees(simulation), z_scores(simulation)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "version"), SOME)
def test_every_outcome_comes_up_as_often_as_expected(name: str, version: str) -> None:
    for wager in simulated(name, version).wagers.values():
        assert wager.exact is not None
        assert {o.line for o in wager.outcomes} == {o.line for o in wager.exact.outcomes}
        averaged = {o.line: o.probability for o in wager.exact.outcomes if o.pays == ON_AVERAGE}
        if wager.exact.hit_frequency is not None or averaged:
            least = 1_500 if "point" in wager.wager.windows else 3_000  # made with a point on, or lying for rounds
            assert sum(o.count for o in wager.outcomes) == wager.rounds.made >= least
        for line, probability in averaged.items():
            expected = float(probability * wager.rounds.made)
            assert abs(sum(o.count for o in wager.outcomes if o.line == line) - expected) < 5 * sqrt(expected + 1), line
        for outcome in wager.outcomes:
            if outcome.line in averaged:
                continue
            assert outcome.expected
            assert abs(outcome.count - outcome.expected) < 5 * sqrt(outcome.expected + 1), outcome


@pytest.mark.slow
@pytest.mark.parametrize(("name", "version"), VERSIONS)
def test_its_exact_figures_are_those_of_the_analysis(name: str, version: str) -> None:
    simulation = simulated(name, version)
    found = analysed(name, version=version) if name in games.names() else analyze(simulation.game)
    for wager, played in simulation.wagers.items():
        exact = found[wager] if wager in found.wagers else analyze(simulation.game, wager=wager)[wager]
        assert played.exact is not None and played.exact.edge == exact.edge


@pytest.mark.parametrize(
    ("name", "wager", "pay", "rounds"),
    [
        ("point", "pairs", "2", 1_500),
        pytest.param("in-between", "in_between", "30,12,6,4,0", 9_000, marks=pytest.mark.slow),
    ],
)
def test_one_line_that_pays_otherwise_is_noticed(name: str, wager: str, pay: str, rounds: int) -> None:
    game = load(name)
    other = game.configured(pay={wager: pay})
    scores = z_scores(simulate(other, rounds=rounds, against=analyze(game).wagers))
    assert scores.pop(wager) < -5
    assert all(abs(z) < 4 for z in scores.values())


def test_stakes_are_units() -> None:
    """Ten units on everything: ten times the money, the same edges."""
    game = load("point")
    tens = simulate(game, rounds=300, stakes=dict.fromkeys(game.wagers, Fraction(10)))
    for name, wager in simulate(game, rounds=300).wagers.items():
        assert replace(tens[name], exact=wager.exact) == wager
        assert tens[name].z == pytest.approx(wager.z)


def test_a_sample_by_hand() -> None:
    """Ten times a unit lost, five times two units won, on one opening stake each."""
    sample = Sample({(-ONE, ONE): 10, (2 * ONE, ONE): 5})
    assert (sample.size, sample.net, sample.made, sample.edge) == (15, ZERO, 15 * ONE, ZERO)
    assert sample.deviation() == pytest.approx(sqrt(30 / 14))
    assert sample.interval[1] == pytest.approx(1.959964 * sqrt(30 / 14) / sqrt(15))


# Seeds, chunks and workers.


def test_the_seed_decides_everything() -> None:
    first, again, other = (simulate(load("peek"), rounds=500, seed=seed).to_json() for seed in (7, 7, 8))
    assert first == again
    assert first["wagers"] != other["wagers"]


@pytest.mark.slow
def test_each_chunk_has_a_generator_of_its_own() -> None:
    short, long = (simulate(load("peek"), rounds=n, against={})["base"] for n in (CHUNK, 2 * CHUNK))
    assert short.rounds.size == CHUNK
    assert isinstance(short.rounds, Sample) and isinstance(long.rounds, Sample)
    second = {pair: long.rounds.counts[pair] - count for pair, count in short.rounds.counts.items()}
    assert all(count >= 0 for count in second.values())
    assert second != short.rounds.counts


@pytest.mark.slow
@pytest.mark.parametrize("name", cases(["peek", "in-between"], quick=["peek"]))
def test_the_number_of_workers_changes_nothing(name: str) -> None:
    """A toy, which no process can import, and a game of the package."""
    alone, together = (simulate(load(name), rounds=2_200, workers=n).wagers for n in (1, 2))
    assert alone == together


def test_progress_is_told_after_each_chunk() -> None:
    told: list[tuple[int, int]] = []
    simulate(load("peek"), rounds=2_500, against={}, progress=lambda done, total: told.append((done, total)))
    assert told == [(1_000, 2_500), (2_000, 2_500), (2_500, 2_500)]


# Several seats.


@pytest.mark.parametrize(
    ("name", "seats"),
    [pytest.param("bands", 2, marks=pytest.mark.slow), ("peek", 3), pytest.param("point", 2, marks=pytest.mark.slow)],
)
def test_several_seats_agree_with_the_analysis_of_one(name: str, seats: int) -> None:
    simulation = simulate(load(name), rounds=1_000, seats=seats)
    assert agrees(simulation), z_scores(simulation)
    for wager in simulation.wagers.values():
        assert [*wager.seats] == list(range(1, seats + 1))
        assert wager.rounds.size == 1_000
        assert sum(sample.net for sample in wager.seats.values()) == wager.rounds.net


def test_seats_that_share_a_dealer_are_not_counted_as_independent() -> None:
    """At two seats of one dice game everything happens twice: twice the money tells nothing more."""
    two = simulate(load("point"), rounds=500, seats=2)["pairs"]
    one = two.seats[Seat(1)]
    assert one == two.seats[Seat(2)]
    assert two.interval == pytest.approx(one.interval)
    assert two.edge == one.edge


@pytest.mark.slow
def test_every_seat_of_a_full_table_has_the_same_edge() -> None:
    exact = analysed("one-for-the-money")
    simulation = simulate(load("one-for-the-money"), rounds=3_000, seats=3, seed=3, against=exact.wagers)
    assert agrees(simulation), z_scores(simulation)
    for wager in simulation.wagers.values():
        assert wager.exact is not None
        for sample in wager.seats.values():
            low, high = sample.interval
            assert low < wager.exact.edge < high


# Policies.


@pytest.mark.parametrize(
    ("name", "prefer"),
    [
        ("peek", ("insure", "double")),
        pytest.param("bands", ("play",), marks=pytest.mark.slow),
        pytest.param("one-for-the-money", ("trade", "stand"), marks=pytest.mark.slow),
    ],
)
def test_a_habit_agrees_with_its_own_exact_value(name: str, prefer: tuple[str, ...]) -> None:
    game = load(name)
    habit = Habit({"base": ONE}, prefer)
    simulation = simulate(game, rounds=2_000, policy=habit)
    best = analyze(game, wager="base")["base"]
    exact = simulation["base"].exact
    assert exact is not None and exact.edge > best.edge
    assert agrees(simulation), z_scores(simulation)


@pytest.mark.slow
def test_the_exact_value_of_a_habit_is_that_of_the_convention() -> None:
    game = load("one-for-the-money")
    habit = Habit({"base": ONE, "three_card_bonus": ONE}, ("check",))
    convention = WalkingAnalyzer(game, {"base": ONE}).by_convention("three_card_bonus", "uniform")
    assert figures(game, habit)["three_card_bonus"].edge == convention.edge


class Gambler:
    """Somebody nobody can look into: plays odd cards and folds even ones."""

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place]:
        yield Place(seat, "ante", ONE * 3)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        card = round.info(seat).cards[0][1]
        return Decide(seat, "play" if card and card.rank % 2 else "fold")


def test_any_player_can_be_simulated() -> None:
    simulation = simulate(load("bands"), rounds=500, policy=Gambler())
    assert [*simulation.wagers] == ["base"]
    assert simulation["base"].exact is None
    assert simulation["base"].z is None
    assert {o.line for o in simulation["base"].outcomes} == {"Higher", "Tie", "Lower", "Fold"}
    assert {o.expected for o in simulation["base"].outcomes} == {None}
    json.dumps(simulation.to_json(), allow_nan=False)


@pytest.mark.parametrize("name", ["bands", "stud"])
def test_where_the_best_strategy_takes_long_the_first_option_is_played_and_told(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(name)
    assert (simulate(game, rounds=10).strategy, simulate(game, rounds=10).note) == ("best", "")
    monkeypatch.setattr(policies, "SOON", 1 / 1000)
    monkeypatch.setattr(simulation, "SOON", 1 / 1000)
    played = simulate(game, rounds=300)
    first = simulate(game, rounds=300, policy="first")
    assert played.strategy == first.strategy == "first"
    assert "so every seat takes the first option at each decision" in played.note and not first.note
    assert [w.outcomes for w in played.wagers.values()] == [w.outcomes for w in first.wagers.values()]
    assert {w.z for w in played.wagers.values()} == {None}
    assert simulate(game, rounds=10, policy="best").strategy == "best"


def test_the_first_option_has_its_own_exact_figure() -> None:
    """All that bands offers first is a fold, which costs the Ante."""
    played = simulate(load("bands"), rounds=1_000, policy="first", stakes={"base": ONE * 2})
    assert played["base"].edge == played["base"].exact.edge == 1  # type: ignore[union-attr]
    assert played.stakes == {"base": 2, "match": 1}
    assert played["match"].z is not None and abs(played["match"].z) < 4


ODD = """
def option(info):
    "Plays odd cards and folds even ones."
    [card] = [card for _, card, _ in info.cards if card is not None]
    return "play" if card.rank % 2 else "fold"

def never(info):
    return info.options[0]
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_function_in_a_file_decides_for_every_seat(tmp_path: Path, workers: int) -> None:
    file = tmp_path / "odd.py"
    file.write_text(ODD)
    own = simulate(load("bands"), rounds=1_500, policy=Gambler(), workers=1)
    played = simulate(load("bands"), rounds=1_500, policy=str(file), stakes={"match": ZERO}, workers=workers)
    assert played.strategy == "option of odd.py"
    assert (played["base"].exact, played["base"].z) == (None, None)
    assert [(o.line, o.count) for o in played["base"].outcomes] == [(o.line, o.count) for o in own["base"].outcomes]
    folded = simulate(load("bands"), rounds=100, policy=f"{file}:never")
    assert [o.line for o in folded["base"].outcomes] == ["Fold"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, r"play\.py cannot be read: No such file or directory\.$"),
        ("x = 1\ndef option(info:\n", r"play\.py:2: SyntaxError"),
        ("import nothing_there\n", r"play\.py:1: ModuleNotFoundError"),
        ("def decide(info):\n    return 'fold'\n", r"play\.py has no function option; write `def option\(info\):`"),
        ("def option(info):\n    return 1 / 0\n", r"play\.py:2: ZeroDivisionError: division by zero\.$"),
        (
            "def option(info):\n    return 'raise'\n",
            r"option gave 'raise'; give one of the options there: fold, play\.$",
        ),
        ("def option(info):\n    return []\n", r"option gave \[\]; give one of"),
    ],
)
def test_a_file_that_does_not_decide_is_refused_with_its_line(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "play.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BadValue, match=said):
        simulate(load("bands"), rounds=10, policy=str(file))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"rounds": 0}, "at least 1 round"),
        ({"rounds": 1, "workers": 0}, "1 worker"),
        ({"rounds": 1, "seats": 4}, "seats 1 to 3"),
        ({"rounds": 1, "stakes": {"base": ONE}, "policy": Habit({"base": ONE})}, "its own stakes"),
    ],
)
def test_what_cannot_be_simulated_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(BadValue, match=said):
        simulate(load("peek"), **wrong)  # type: ignore[arg-type]


# What comes out.


def test_the_json_has_the_documented_form() -> None:
    simulation = feltworks.simulate(load("bands"), rounds=1_000, stakes={"base": "2"})
    data = json.loads(json.dumps(simulation.to_json(), allow_nan=False))
    assert [*data] == ["game", "fingerprint", "options", "rounds", "seats", "strategy", "seed", "wagers"]
    assert data["options"]["stakes"] == {"base": "2", "match": "1"}
    match = data["wagers"]["match"]
    assert [*match] == ["edge", "exact", "z", "standard_deviation", "outcomes"]
    assert match["edge"]["low"] < match["edge"]["percent"] < match["edge"]["high"]
    assert match["exact"] == {"exact": "-5/11", "percent": pytest.approx(-45.4545, abs=1e-4)}
    assert [*match["outcomes"][0]] == ["line", "pays", "count", "share", "expected"]
    assert match["outcomes"][0]["expected"] == pytest.approx(8000 / 11)
    assert "<table>" in simulation._repr_html_()
