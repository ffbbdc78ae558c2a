"""Every one of the 1,296 rolls in every state of Yo!, against what the statements say of it, written a second time."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import pytest

from feltworks.games.yo.rules import Yo
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import Effect, Move, Stake
from tests.games.dicing import (
    POINTS,
    RACK_CARD,
    S1,
    S2,
    WASHINGTON,
    bet,
    next_game,
    out,
    settlements,
    start,
    with_point,
)
from tests.quick import cases

FACES = range(1, 7)
ROLLS = list(product(FACES, FACES, FACES, FACES))
FEW = [(*game_dice, *bonus) for game_dice in product(FACES, FACES) for bonus in [(1, 1), (5, 6), (6, 5)]]
STATES = (None, *POINTS)
CIRCLES = {"play": 30, "more": 60, "yo": 7}
ARC = {"high": 2, "low": 4, "pairs": 3, "eleven": 5, "craps": 11}

Outcome = dict[str, tuple[Fraction, str]]


def oracle(point: int | None, roll: tuple[int, ...], wagers: Mapping[str, int], readings: Mapping[str, str]) -> Outcome:
    """What Y-05 to Y-07, Y-10, Y-13 and Y-15 to Y-19 say: for each wager decided, how much it wins per unit (-1 is a
    loss, 0 a push) and whether it is back with its owner, still there, or gone."""
    one, two, three, four = roll
    game, eleven = one + two, {three, four} == {5, 6}
    said: dict[str, tuple[Fraction | int, str]] = {}
    if point is None:
        if game in (2, 3, 12):
            said["play"] = (-1, "taken")
        if game == 11:
            said["play"] = (4, "returned")
        if game == 7 and readings["come_out_seven"] == "decided":
            said["play"] = (0, "returned")
    else:
        far, middle = point in (4, 10), point in (5, 9)
        if game == point:
            said["play"] = (1, "returned")
            said["more"] = (2 if far else Fraction(3, 2) if middle else Fraction(6, 5), "returned")
            said["late_play"] = (Fraction(9, 5) if far else Fraction(7, 5) if middle else Fraction(7, 6), "returned")
        if game == 7:
            said["play"] = (0, "returned") if readings["seven_out_play"] == "push" else (-1, "taken")
            said["more"] = said["late_play"] = said["yo"] = (-1, "taken")
            if eleven:
                said.pop("yo")
                if readings["yo_seven_eleven"] == "returned":
                    said["yo"] = (0, "returned")
        else:
            back = game == point and readings["yo_on_point_made"] == "returned"
            if eleven:
                pays = 20 if game == 11 else 4 if one == two else 1
                said["yo"] = (pays, "returned" if back or readings["yo_after_win"] == "comes_down" else "stays")
            elif back:
                said["yo"] = (0, "returned")
    arc = {
        "high": Fraction(3, 2) if game in (8, 9, 10) else None,
        "low": Fraction(3, 2) if game in (4, 5, 6) else None,
        "pairs": 7 if (one, two) in ((2, 2), (3, 3), (4, 4), (5, 5)) else None,
        "eleven": 15 if game == 11 else None,
        "craps": 7 if game in (2, 3, 12) else None,
    }
    for spot, per_unit in arc.items():
        said[spot] = (-1, "taken") if per_unit is None else (per_unit, "stays")
    return {spot: (Fraction(wagers[spot] * won), stake) for spot, (won, stake) in said.items() if spot in wagers}


def ready(game: Game, point: int | None) -> tuple[Round, dict[str, int], dict[str, int]]:
    """The dice are out, and seat 1 and seat 2 have made all wagers that are possible: with Play, and with Late Play."""
    if point is None:
        first = {"play": CIRCLES["play"], "yo": CIRCLES["yo"], **ARC}
        return out(bet(start(game), {S1: first})), first, {}
    on = with_point(game, point, {S1: {"play": CIRCLES["play"]}}, S2)
    late = {"late_play": 90, **ARC}
    if game.reading("late_play_more_yo") == "yes":
        late |= {"more": 50, "yo": 9}
    return out(bet(on, {S1: {"more": 60, "yo": 7, **ARC}, S2: late})), {**CIRCLES, **ARC}, late


def decided(round: Round, seat: int) -> Outcome:
    return {s.spot: (s.net(), s.stake.value) for s in settlements(round) if s.seat == seat}


def same(one: Round, other: Round) -> bool:
    """Alike but for the faces that lie there, which a dealer also collects."""
    return (told(one), one.key, one.over, one.carry) == (told(other), other.key, other.over, other.carry)


def told(round: Round) -> list[Effect]:
    sets = ("game dice", "bonus dice")
    return [Move(e.what, "collected") if isinstance(e, Move) and e.what in sets else e for e in round.effects]


def check(game: Game, point: int | None, rolls: Sequence[tuple[int, ...]]) -> int:
    """Each roll decides what the oracle says, and the same as the one that stands for it. How many stand for others."""
    before, first, second = ready(game, point)
    stands = {alike: before.after(alike) for alike in map(Yo.alike, rolls)}
    for roll in rolls:
        after = before.after(roll)
        assert same(after, stands[Yo.alike(roll)]), roll
        assert decided(after, S1) == oracle(point, roll, first, game.readings), roll
        assert decided(after, S2) == oracle(point, roll, second, game.readings), roll
        assert isinstance(after, Yo)
        total = roll[0] + roll[1]
        assert after.over == (point is not None and total in (7, point))
        if not after.over:
            assert after.point == (total if point is None and total in POINTS else point)
    return len(stands)


@pytest.mark.rule("Y-03", "Y-05", "Y-06", "Y-07", "Y-10", "Y-13", "Y-15", "Y-16", "Y-17", "Y-18", "Y-19")
@pytest.mark.parametrize("point", cases(STATES, quick=[None, 4, 6]))
@pytest.mark.parametrize("game", cases([WASHINGTON, RACK_CARD], quick=[WASHINGTON]), ids=["washington", "rack-card"])
def test_every_roll_decides_what_the_statements_say(game: Game, point: int | None) -> None:
    assert check(game, point, ROLLS) == 42


def other_readings() -> Iterator[Game]:
    names = ("come_out_seven", "seven_out_play", "yo_seven_eleven", "yo_after_win", "yo_on_point_made")
    values = [WASHINGTON.definition.readings[name].values for name in names]
    for chosen in product(*values):
        yield WASHINGTON.configured(readings=dict(zip(names, chosen, strict=True)))


@pytest.mark.slow
@pytest.mark.rule("Y-03", "Y-05", "Y-07", "Y-17", "Y-18")
@pytest.mark.parametrize("point", cases([None, 4, 8], quick=[4]))
def test_rolls_decide_what_the_statements_say_by_all_32_combinations_of_the_readings(point: int | None) -> None:
    games = list(other_readings())
    assert len(games) == 32
    for game in games:
        check(game, point, FEW[::2] if point == 4 else FEW)


@pytest.mark.rule("Y-15", "Y-18")
@pytest.mark.parametrize("point", POINTS)
def test_a_yo_that_rode_into_the_next_game_is_decided_like_any_other(point: int) -> None:
    game = WASHINGTON.configured(readings={"yo_on_point_made": "rides"})
    made = out(with_point(game, 6, {S1: {"play": 30, "yo": 7}})).after((2, 4, 1, 1))
    first, second = {4: (1, 3), 5: (1, 4), 6: (1, 5), 8: (2, 6), 9: (3, 6), 10: (4, 6)}[point]
    on = out(out(bet(next_game(made), {S1: {"play": 30}})).after((first, second, 5, 6)))
    for roll in FEW:
        assert decided(on.after(roll), S1) == oracle(point, roll, {"play": 30, "yo": 7}, game.readings)


@pytest.mark.rule("Y-19")
def test_over_all_rolls_the_arc_pays_what_it_should() -> None:
    """The sums over 36 equally likely rolls of the game dice, which make the printed odds the edges of the arc."""
    before, wagers, _ = ready(WASHINGTON, None)
    sums = dict.fromkeys(ARC, Fraction(0))
    for first, second in product(FACES, FACES):
        for settlement in settlements(before.after((first, second, 1, 1))):
            if settlement.spot in ARC:
                sums[settlement.spot] += settlement.net() / wagers[settlement.spot]
                assert settlement.stake is (Stake.STAYS if settlement.net() > 0 else Stake.TAKEN)
    assert sums == {"high": -6, "low": -6, "pairs": -4, "eleven": -4, "craps": -4}
