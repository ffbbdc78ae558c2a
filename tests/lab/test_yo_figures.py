"""The exact figures of Yo!, each by a closed form that knows nothing of the solver."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest

from feltworks import api
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.lab.analysis import Analysis, analyze
from feltworks.lab.betting_plan import length, plan
from tests.quick import cases

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)
HOW_OFTEN = {point: Fraction(WAYS[point], 24) for point in POINTS}
"""How often each point is the one that is set."""
LATE = {4: Fraction(9, 5), 5: Fraction(7, 5), 6: Fraction(7, 6)}
MORE = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}
ARC = ("high", "low", "pairs", "eleven", "craps")

YO_READINGS = {
    "yo_after_win": ("rides", "comes_down"),
    "yo_on_point_made": ("returned", "rides"),
    "yo_seven_eleven": ("returned", "stays_off"),
}


def alike(point: int) -> int:
    return min(point, 14 - point)


def made_before_seven(point: int) -> Fraction:
    return Fraction(WAYS[point], WAYS[point] + 6)


@pytest.fixture(scope="module")
def game() -> Game:
    return api.load("yo")


@pytest.fixture(scope="module")
def found(game: Game) -> Analysis:
    return analyze(game)


@pytest.mark.slow
@pytest.mark.rule("Y-05", "Y-06", "Y-07")
def test_play_costs_7_in_495_per_wager_made_and_14_in_825_per_wager_decided(found: Analysis) -> None:
    come_out = Fraction(4 * WAYS[11] - WAYS[2] - WAYS[3] - WAYS[12], 36)
    on_points = sum(Fraction(WAYS[p], 36) * (2 * made_before_seven(p) - 1) for p in POINTS)
    assert found["play"].edge == -(come_out + on_points) == Fraction(7, 495)
    assert found["play"].edges["decided"] == Fraction(7, 495) / Fraction(30, 36) == Fraction(14, 825)


@pytest.mark.rule("Y-05")
def test_play_that_a_seven_leaves_on_the_layout_costs_14_in_825_per_wager_made(game: Game) -> None:
    stays = game.configured(readings={"come_out_seven": "stays"})
    assert analyze(stays, wager="play")["play"].edge == Fraction(14, 825)


@pytest.mark.rule("Y-08", "Y-11")
@pytest.mark.parametrize("reading", [{"contract_from": "placed"}, {"late_play_more_yo": "no"}], ids=str)
def test_from_when_a_bet_is_contract_and_who_may_make_more_changes_no_edge(
    game: Game, found: Analysis, reading: dict[str, str]
) -> None:
    other = game.configured(readings=reading)
    assert other.reading(*reading) != game.reading(*reading)
    for wager in ("play", "late_play", "more", "yo"):
        assert analyze(other, wager=wager)[wager].edge == found[wager].edge


@pytest.mark.rule("Y-07")
def test_a_seven_out_that_pushes_play_would_give_the_player_an_edge_of_21_in_55(game: Game) -> None:
    assert analyze(game.configured(version="rack-card"), wager="play")["play"].edge == -Fraction(21, 55)


@pytest.mark.rule("Y-10", "Y-13")
@pytest.mark.parametrize("point", POINTS)
def test_late_play_and_more_have_an_edge_for_each_point(found: Analysis, point: int) -> None:
    wins = made_before_seven(point)
    for wager, odds in (("late_play", LATE), ("more", MORE)):
        assert found[wager].by_fact[str(point)] == 1 - wins - wins * odds[alike(point)]
    assert found["more"].by_fact[str(point)] == 0
    assert (
        found["late_play"].by_fact[str(point)]
        == {
            4: Fraction(1, 15),
            5: Fraction(1, 25),
            6: Fraction(1, 66),
        }[alike(point)]
    )


@pytest.mark.rule("Y-19")
def test_the_arc_costs_a_sixth_or_a_ninth(found: Analysis) -> None:
    edges = {wager: found[wager].edge for wager in ARC}
    ninth, sixth = Fraction(1, 9), Fraction(1, 6)
    assert edges == {"high": sixth, "low": sixth, "pairs": ninth, "eleven": ninth, "craps": ninth}
    assert {wager: found[wager].hit_frequency for wager in ARC} == {
        "high": Fraction(1, 3),
        "low": Fraction(1, 3),
        "pairs": Fraction(1, 9),
        "eleven": Fraction(1, 18),
        "craps": Fraction(1, 9),
    }


def yo_by_point(readings: Mapping[str, str]) -> dict[int, Fraction]:
    """The edge of Yo! for each point by hand: what one roll brings, and how often there is a next one."""
    eleven = Fraction(2, 36)
    down = readings["yo_after_win"] == "comes_down"
    value: dict[int, tuple[Fraction, Fraction]] = {}
    for point in POINTS:
        win = lose = again = later = Fraction(0)
        for first, second in product(range(1, 7), repeat=2):
            total, share = first + second, Fraction(1, 36)
            if total == 7:
                lose += share * (1 - eleven)
                later += share * eleven * (readings["yo_seven_eleven"] == "stays_off")
                continue
            pays = 20 if total == 11 else 4 if first == second else 1
            win += share * eleven * pays
            stays = share * (1 - eleven * down)
            if total != point:
                again += stays
            elif readings["yo_on_point_made"] == "rides":
                later += stays
        value[point] = (win - lose) / (1 - again), later / (1 - again)
    # The wager that rides meets the next point, which is any of them: one equation for the mean.
    now, rest = (sum((HOW_OFTEN[p] * value[p][i] for p in POINTS), Fraction(0)) for i in (0, 1))
    mean = now / (1 - rest)
    return {point: -(first + later * mean) for point, (first, later) in value.items()}


@pytest.mark.rule("Y-16", "Y-17", "Y-18")
@pytest.mark.parametrize(
    "values", cases(product(*YO_READINGS.values()), quick=[("rides", "returned", "returned")]), ids="-".join
)
def test_yo_has_an_edge_for_each_point_under_every_reading(game: Game, values: tuple[str, ...]) -> None:
    readings = dict(zip(YO_READINGS, values, strict=True))
    yo = analyze(game.configured(readings=readings), wager="yo")["yo"]
    by_hand = yo_by_point(readings)
    assert yo.by_fact == {str(point): edge for point, edge in by_hand.items()}
    assert yo.edge == sum(HOW_OFTEN[point] * edge for point, edge in by_hand.items())


@pytest.mark.rule("Y-18")
def test_with_the_defaults_yo_costs_what_the_laboratory_published(found: Analysis) -> None:
    expected = {4: Fraction(8, 81), 5: Fraction(4, 45), 6: Fraction(8, 99)}
    assert found["yo"].by_fact == {str(point): expected[alike(point)] for point in POINTS}


def test_the_outcomes_of_a_wager_sum_to_one_and_give_its_edge(found: Analysis) -> None:
    for name in ("play", "late_play", "more", *ARC):
        outcomes = found[name].outcomes
        assert sum(o.probability for o in outcomes) == 1
        assert -sum(o.probability * o.net for o in outcomes) == found[name].edge
        square = sum(o.probability * o.net**2 for o in outcomes)
        assert found[name].variance == square - found[name].edge ** 2


def test_a_game_lasts_as_long_as_a_come_out_and_a_point(game: Game) -> None:
    rolls = length(game, whole_turn=False)
    come_out = Fraction(36, 24)
    assert rolls.moments.mean == come_out + sum(HOW_OFTEN[p] * Fraction(36, WAYS[p] + 6) for p in POINTS)
    assert rolls.probabilities[0] == 0
    assert rolls.probabilities[1] == sum(Fraction(WAYS[p] * (WAYS[p] + 6), 36**2) for p in POINTS)
    assert rolls.longer == 1 - sum(rolls.probabilities)


@pytest.mark.rule("Y-22")
def test_a_turn_is_one_game_or_all_games_up_to_the_seven_out(game: Game) -> None:
    one = length(game, whole_turn=False)
    assert length(game, whole_turn=True) == one
    until_seven_out = length(game.configured(readings={"dice_pass_on": "seven_out"}), whole_turn=True)
    made = sum(HOW_OFTEN[p] * made_before_seven(p) for p in POINTS)
    assert until_seven_out.moments.mean == one.moments.mean / (1 - made)


def test_a_plan_adds_up_the_wagers_by_roll_by_game_and_by_hour(game: Game, found: Analysis) -> None:
    stakes = {"play": Fraction(1), "more": Fraction(4), "yo": Fraction(2), "high": Fraction(1), "eleven": Fraction(3)}
    together = plan(game, stakes, pace=Fraction(90))
    rolls = together.game.moments.mean
    made: dict[str, Fraction | int] = {"play": Fraction(3, 2), "more": 1, "yo": 1, "high": rolls, "eleven": rolls}
    lost = sum(stakes[name] * made[name] * found[name].edge for name in stakes)
    assert together.per_game.mean == -lost
    assert together.per_roll.mean == -lost / rolls
    assert together.per_hour.mean == 90 * together.per_roll.mean
    assert together.per_hour.variance == 90 * together.per_roll.variance
    assert together.staked == sum(stakes[name] * made[name] for name in stakes) / rolls


def roll_net(point: int | None, first: int, second: int, eleven: bool) -> Fraction:
    """What one roll brings to a seat with 1 on Play, 4 on More, 1 on Yo! and 1 on each spot of the arc."""
    total = first + second
    net = Fraction(-5)
    if total in (8, 9, 10) or total in (4, 5, 6):
        net += Fraction(5, 2)
    net += 8 * (first == second and 1 < first < 6) + 16 * (total == 11) + 8 * (total in (2, 3, 12))
    if point is None:
        return net + 4 * (total == 11) - (total in (2, 3, 12))
    if total == 7:
        return net - 5 - (not eleven)
    if total == point:
        net += 1 + 4 * MORE[alike(point)]
    return net + eleven * (20 if total == 11 else 4 if first == second else 1)


def after(point: int | None, total: int) -> int | None:
    if point is None:
        return total if total in POINTS else None
    return None if total in (point, 7) else point


def test_the_variance_of_a_plan_by_roll_is_that_of_the_chain_of_rolls(game: Game) -> None:
    """By Poisson's equation over the seven states between two rolls, where the plan's is a sum over games."""
    stakes = {"more": Fraction(4), "yo": Fraction(1), **dict.fromkeys(ARC, Fraction(1))}
    states: list[int | None] = [None, *POINTS]
    rolls = [
        (Fraction(weight, 36**2), first, second, eleven)
        for first, second in product(range(1, 7), repeat=2)
        for weight, eleven in ((2, True), (34, False))
    ]
    step = {(s, t): Fraction(0) for s in states for t in states}
    brings = dict.fromkeys(states, Fraction(0))
    for s in states:
        for share, first, second, eleven in rolls:
            step[s, after(s, first + second)] += share
            brings[s] += share * roll_net(s, first, second, eleven)
    # Visits: a point is entered from the come-out and left for it, so that the balance is read off.
    visits = {p: step[None, p] / (1 - step[p, p]) for p in POINTS}
    whole = sum(visits.values(), Fraction(1))
    often: dict[int | None, Fraction] = {None: 1 / whole, **{p: v / whole for p, v in visits.items()}}
    mean = sum((often[s] * brings[s] for s in states), Fraction(0))
    ahead: dict[int | None, Fraction] = {None: Fraction(0)}
    ahead |= {p: (brings[p] - mean) / (1 - step[p, p]) for p in POINTS}
    variance = sum(
        often[s] * share * (roll_net(s, a, b, eleven) - mean + ahead[after(s, a + b)] - ahead[s]) ** 2
        for s in states
        for share, a, b, eleven in rolls
    )
    found = plan(game, stakes)
    assert (found.per_roll.mean, found.per_roll.variance) == (mean, variance)


@pytest.mark.parametrize("pace", ["0", "-1"])
def test_a_pace_that_cannot_be_is_refused(game: Game, pace: str) -> None:
    with pytest.raises(BadValue, match="rolls an hour"):
        plan(game, pace=Fraction(pace))


def test_a_game_of_cards_has_no_pace_of_rolls() -> None:
    with pytest.raises(BadValue, match="without dice"):
        plan(api.load("in-between"))


def test_late_play_is_staked_instead_of_play(game: Game) -> None:
    late = analyze(game, stakes={"late_play": Fraction(2)}, wager="late_play")["late_play"]
    assert late.edge == analyze(game, wager="late_play")["late_play"].edge
    with pytest.raises(BadValue, match="instead of play"):
        analyze(game, stakes={"play": Fraction(1), "late_play": Fraction(1)})
