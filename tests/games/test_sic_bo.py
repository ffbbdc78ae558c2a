"""Sic Bo as houses post it: what three dice decide, and what every wager costs."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import feltworks
from feltworks.games import load
from feltworks.kit.round import Round
from feltworks.kit.steps import Close, NoRoll, Place, Roll, Settlement
from tests.games.sitting import S1, verdict

GAME = load("sic-bo")
ROLLS = [*product(range(1, 7), repeat=3)]
Dice = tuple[int, int, int]


def closed(*spots: str) -> Round:
    round = GAME.start()
    for spot in spots:
        round = round.after(Place(S1, spot, Fraction(1)))
    return round.after(Close())


def won(dice: Dice, *spots: str) -> list[Fraction]:
    """What each of these wagers of one unit wins or loses."""
    settled = {s.spot: s.net() for s in closed(*spots).after(dice).effects if isinstance(s, Settlement)}
    return [settled[spot] for spot in spots]


@pytest.mark.rule("SB-01")
def test_one_roll_of_three_dice_decides_every_wager_and_one_that_does_not_count_is_made_again() -> None:
    start = closed("big", "single_6", "total_4")
    again = start.after(NoRoll("the cage stuck"))
    assert again.next == Roll(3)
    assert again.after((6, 6, 5)).over
    assert not again.after((6, 6, 5)).wagers


@pytest.mark.rule("SB-01")
@pytest.mark.parametrize("spot", GAME.bets)
def test_a_seat_is_in_the_round_with_any_wager(spot: str) -> None:
    assert closed(spot).next == Roll(3)


@pytest.mark.rule("SB-02")
@pytest.mark.parametrize(
    ("dice", "small", "big"),
    [((1, 1, 2), 1, -1), ((4, 4, 2), 1, -1), ((4, 4, 3), -1, 1), ((6, 6, 5), -1, 1), ((2, 2, 2), -1, -1)],
)
def test_small_and_big_win_by_the_sum_and_lose_when_all_dice_are_alike(dice: Dice, small: int, big: int) -> None:
    assert won(dice, "small", "big") == [small, big]


@pytest.mark.rule("SB-03")
@pytest.mark.parametrize(
    ("dice", "pays"),
    [
        ((1, 1, 2), 60), ((1, 1, 3), 30), ((2, 2, 2), 17), ((1, 2, 4), 12), ((1, 2, 5), 8), ((3, 3, 3), 6),
        ((1, 3, 6), 6), ((1, 4, 6), 6), ((4, 4, 4), 6), ((2, 5, 6), 8), ((3, 5, 6), 12), ((5, 5, 5), 17),
        ((6, 6, 4), 30), ((5, 6, 6), 60),
    ],
    ids=str,
)  # fmt: skip
def test_a_total_wins_when_the_dice_make_it(dice: Dice, pays: int) -> None:
    spots = [f"total_{total}" for total in range(4, 18)]
    assert won(dice, *spots) == [pays if total == sum(dice) else -1 for total in range(4, 18)]


@pytest.mark.rule("SB-04")
@pytest.mark.parametrize(("dice", "pays"), [((4, 1, 2), 1), ((4, 1, 4), 2), ((4, 4, 4), 3), ((1, 2, 3), -1)], ids=str)
def test_a_single_number_wins_once_for_each_die_that_shows_it(dice: Dice, pays: int) -> None:
    assert won(dice, "single_4") == [pays]


@pytest.mark.rule("SB-05")
@pytest.mark.parametrize(("dice", "pays"), [((2, 6, 1), 5), ((6, 2, 6), 5), ((2, 2, 1), -1), ((6, 6, 6), -1)], ids=str)
def test_two_numbers_win_when_both_are_shown(dice: Dice, pays: int) -> None:
    assert won(dice, "pair_2_6") == [pays]


@pytest.mark.rule("SB-06", "SB-07")
@pytest.mark.parametrize(
    ("dice", "double", "triple", "any_triple"),
    [((3, 1, 3), 10, -1, -1), ((3, 3, 3), 10, 180, 30), ((5, 5, 5), -1, -1, 30), ((3, 1, 2), -1, -1, -1)],
    ids=str,
)
def test_two_dice_make_a_double_and_three_a_triple(dice: Dice, double: int, triple: int, any_triple: int) -> None:
    assert won(dice, "double_3", "triple_3", "any_triple") == [double, triple, any_triple]


def test_a_table_is_told_the_dice_in_order_and_their_sum() -> None:
    after = closed("big").after((6, 1, 5))
    [settled] = [effect for effect in after.effects if isinstance(effect, Settlement)]
    assert after.why(settled, GAME.start()) == "1, 5 and 6 make 12"


# The figures, by counting all 216 rolls.


def cost(wins: Callable[[tuple[int, ...]], int]) -> Fraction:
    """The edge of a wager that pays so many to 1, or 0 where it loses."""
    nets = [wins(dice) or -1 for dice in ROLLS]
    return -Fraction(sum(nets), len(nets))


TOTALS = dict(zip(range(4, 11), (60, 30, 17, 12, 8, 6, 6), strict=True))


def is_triple(dice: tuple[int, ...]) -> bool:
    return len({*dice}) == 1


def test_every_edge_is_that_of_a_count_of_all_rolls() -> None:
    found = feltworks.analyze(GAME)
    assert found["small"].edge == cost(lambda dice: sum(dice) < 11 and not is_triple(dice))
    assert found["big"].edge == cost(lambda dice: sum(dice) > 10 and not is_triple(dice))
    for total in range(4, 18):
        pays = TOTALS[min(total, 21 - total)]
        expected = cost(lambda dice, total=total, pays=pays: pays * (sum(dice) == total))  # type: ignore[misc]
        assert found["total"].by_spot[f"total_{total}"] == expected
    assert found["single"].edge == cost(lambda dice: dice.count(3))
    assert found["pair"].edge == cost(lambda dice: 5 * ({1, 2} <= {*dice}))
    assert found["double"].edge == cost(lambda dice: 10 * (dice.count(5) > 1))
    assert found["triple"].edge == cost(lambda dice: 180 * (dice == (6, 6, 6)))
    assert found["any_triple"].edge == cost(lambda dice: 30 * is_triple(dice))


def test_a_wager_is_told_once_where_all_its_spots_are_alike() -> None:
    found = feltworks.analyze(GAME)
    assert {name for name, wager in found.wagers.items() if wager.by_spot} == {"total"}


@pytest.mark.parametrize(
    ("wager", "printed"),
    [("small", "2.78"), ("total_9", "18.98"), ("total_7", "9.72"), ("triple", "16.20"), ("any_triple", "13.89")],
)
def test_the_edges_are_those_that_are_printed(wager: str, printed: str) -> None:
    assert verdict(feltworks.analyze(GAME, wager=wager)[wager].edge, printed) == "rounded"


def test_simulated_rolls_agree_with_the_exact_figures() -> None:
    simulated = feltworks.simulate(GAME, rounds=1_000_000, seed=3)
    assert len(simulated.wagers) == len(GAME.wagers)
    every = feltworks.simulate(GAME, rounds=1_000_000, seed=4, stakes=dict.fromkeys(GAME.bets, 1))
    assert [*every.wagers] == [*GAME.bets]
    for name, wager in [*simulated.wagers.items(), *every.wagers.items()]:
        assert wager.z is not None
        assert abs(wager.z) < 4, name
