"""Roulette as houses post it: what each spot covers and pays, what a zero does to even chances, and the figures."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import pytest

import feltworks
from feltworks.games import load
from feltworks.games.roulette.rules import RED, Roulette, covered
from feltworks.kit import Call, Close, Game, NotAllowed, NotPossible, Place, Pocket, Settlement, TakeUp
from feltworks.kit.chance import Scripted
from feltworks.kit.walk import walk
from tests.games.sitting import S1, S2, Course, Guest, verdict

SINGLE = load("roulette")
DOUBLE = SINGLE.configured(version="double-zero")
LA_PARTAGE = SINGLE.configured(version="la-partage")
EN_PRISON = SINGLE.configured(readings={"zero": "prison"})
each_wheel = pytest.mark.parametrize("game", [SINGLE, DOUBLE], ids=["single-zero", "double-zero"])

PAYS = {
    "straight": (1, 35),
    "split": (2, 17),
    "street": (3, 11),
    "corner": (4, 8),
    "first_four": (4, 8),
    "basket": (5, 6),
    "line": (6, 5),
    "dozen": (12, 2),
    "column": (12, 2),
    **dict.fromkeys(("red", "black", "odd", "even", "low", "high"), (18, 1)),
}
"""How many numbers a wager covers, and what it pays to 1."""
EVEN_CHANCES = [name for name, (numbers, _) in PAYS.items() if numbers == 18]


def spun(
    game: Game, pocket: str, bets: Mapping[str, int], carry: Mapping[str, object] | None = None
) -> Course[Roulette]:
    start = game.start([1], carry=carry)
    return Course(list(walk(start, Scripted(pockets=[pocket]), {S1: Guest(bets)})))  # type: ignore[arg-type]


def won(game: Game, pocket: str, spot: str) -> Fraction:
    [settled] = spun(game, pocket, {spot: 10}).settlements
    return settled.net()


# The layout.


def layout() -> dict[tuple[int, int], int]:
    """The numbers by row and column, as they lie before the players."""
    return {((n - 1) // 3, (n - 1) % 3): n for n in range(1, 37)}


def squares(rows: int, columns: int) -> set[frozenset[str]]:
    """The numbers that a chip covers between so many rows and columns."""
    at = layout()
    found = set()
    for row, column in at:
        block = [at.get((row + r, column + c)) for r in range(rows) for c in range(columns)]
        if all(block):
            found.add(frozenset(map(str, block)))
    return found


@pytest.mark.rule("RT-03")
@each_wheel
@pytest.mark.parametrize(
    ("wager", "shapes"),
    [
        ("straight", squares(1, 1)),
        ("split", squares(1, 2) | squares(2, 1)),
        ("street", squares(1, 3)),
        ("corner", squares(2, 2)),
        ("line", squares(2, 3)),
    ],
)
def test_a_wager_inside_the_layout_lies_where_its_numbers_touch(
    game: Game, wager: str, shapes: set[frozenset[str]]
) -> None:
    spots = [frozenset(covered(spot)) for spot in game.wager(wager).spots]
    assert len(set(spots)) == len(spots)
    assert {spot for spot in spots if not spot & {"0", "00"}} == shapes


@pytest.mark.rule("RT-03")
def test_zeros_join_the_numbers_beside_them() -> None:
    def with_zeros(game: Game) -> set[str]:
        inside = (spot for wager in game.wagers.values() if wager.any_spot for spot in wager.spots)
        return {spot for spot in inside if {"0", "00"} & {*spot.split("-")}}

    both = {"0", "0-1", "0-2", "0-1-2"}
    assert with_zeros(SINGLE) == both | {"0-3", "0-2-3"}
    assert with_zeros(DOUBLE) == both | {"00", "0-00", "00-2", "00-3", "0-00-2", "00-2-3"}
    assert "basket" not in SINGLE.wagers and "first_four" not in DOUBLE.wagers


@pytest.mark.rule("RT-02")
@each_wheel
def test_a_wheel_has_every_number_once_and_its_zeros(game: Game) -> None:
    [wheel] = game.wheels.values()
    zeros = {"0"} if game is SINGLE else {"0", "00"}
    assert sorted(wheel.pockets) == sorted([*map(str, range(1, 37)), *zeros])
    assert {*wheel.colours["red"]} == set(map(str, RED))
    assert {*wheel.colours["green"]} == zeros
    assert len(wheel.colours["black"]) == 18


def test_colours_take_turns_around_the_wheel_of_one_zero() -> None:
    [wheel] = SINGLE.wheels.values()
    around = [wheel.colour_of(pocket) for pocket in wheel.pockets[1:]]
    assert around == ["red", "black"] * 18


# What is paid.


@pytest.mark.rule("RT-03", "RT-04")
@each_wheel
def test_a_wager_wins_on_its_numbers_by_the_odds_and_loses_on_all_others(game: Game) -> None:
    """On the first spot of every wager, with every pocket."""
    [wheel] = game.wheels.values()
    for wager in game.wagers.values():
        spot, (numbers, odds) = next(iter(wager.spots)), PAYS[wager.name]
        results = [won(game, pocket, spot) for pocket in wheel.pockets]
        assert sorted(results) == [-10] * (len(wheel.pockets) - numbers) + [10 * odds] * numbers


@pytest.mark.rule("RT-04")
@pytest.mark.parametrize(
    ("pocket", "spots"),
    [
        ("1", "red odd low dozen-1 column-1"),
        ("18", "red even low dozen-2 column-3"),
        ("20", "black even high dozen-2 column-2"),
        ("35", "black odd high dozen-3 column-2"),
        ("0", ""),
    ],
)
def test_a_number_has_a_colour_a_half_a_dozen_and_a_column_and_zero_has_none(pocket: str, spots: str) -> None:
    outside = [*EVEN_CHANCES, *(f"{what}-{n}" for what in ("dozen", "column") for n in (1, 2, 3))]
    assert {spot for spot in outside if pocket in covered(spot)} == {*spots.split()}


@pytest.mark.rule("RT-04")
def test_even_chances_halve_the_numbers_without_the_zeros() -> None:
    for one, other in (("red", "black"), ("odd", "even"), ("low", "high")):
        assert covered(one) | covered(other) == set(map(str, range(1, 37)))
        assert not covered(one) & covered(other)
    for three in (("dozen-1", "dozen-2", "dozen-3"), ("column-1", "column-2", "column-3")):
        assert not any(covered(one) & covered(other) for one, other in combinations(three, 2))


@pytest.mark.rule("RT-01")
def test_a_seat_makes_as_many_wagers_as_it_likes_and_needs_one() -> None:
    course = spun(SINGLE, "17", {"17": 1, "14-17": 2, "16-17-18": 3, "red": 4, "black": 5})
    assert sum(settled.net() for settled in course.settlements) == 35 + 2 * 17 + 3 * 11 - 4 + 5
    calls = [effect.text for effect in course.effects if isinstance(effect, Call)]
    assert calls == ["No more bets.", "17, black"]
    with pytest.raises(NotAllowed, match="No seat has a wager"):
        spun(SINGLE, "17", {})


@pytest.mark.rule("RT-02")
def test_a_table_is_told_where_the_ball_lies() -> None:
    last = spun(SINGLE, "0", {"17": 1}).last
    [effect] = last.effects[1:]
    assert isinstance(effect, Settlement)
    assert last.why(effect, last) == "the ball lies in 0"


# Even chances on a zero.


@pytest.mark.rule("RT-05")
@pytest.mark.parametrize("spot", EVEN_CHANCES)
def test_on_zero_an_even_chance_loses_or_by_la_partage_half_of_it(spot: str) -> None:
    assert won(SINGLE, "0", spot) == -10
    assert won(LA_PARTAGE, "0", spot) == -5
    half = DOUBLE.configured(readings={"zero": "half"})
    assert won(half, "0", spot) == won(half, "00", spot) == -5
    assert won(LA_PARTAGE, "0", "dozen-1") == won(LA_PARTAGE, "0", "17") == -10


@pytest.mark.rule("RT-05")
@pytest.mark.parametrize(("pocket", "net"), [("1", 0), ("2", -10)])
def test_a_wager_in_prison_comes_back_without_a_win_or_is_lost_by_the_next_spin(pocket: str, net: int) -> None:
    first = spun(EN_PRISON, "0", {"red": 10, "17": 5})
    assert [settled.spot for settled in first.settlements] == ["17"]
    assert first.last.over
    [then] = spun(EN_PRISON, pocket, {}, first.last.carry).settlements
    assert then.spot == "red" and then.net() == net


@pytest.mark.rule("RT-05")
def test_a_wager_in_prison_stays_there_on_another_zero_and_nobody_touches_it() -> None:
    carry = spun(EN_PRISON, "0", {"red": 10}).last.carry
    for touch in (Place(S1, "red", Fraction(5)), TakeUp(S1, "red")):
        with pytest.raises(NotAllowed, match="stays as it is until it is decided"):
            EN_PRISON.start([1], carry=carry).after(touch)
    again = spun(EN_PRISON, "0", {}, carry)
    assert again.settlements == [] and again.last.carry == carry
    assert again.last.told == {"in prison": "Red of seat 1"}
    assert [settled.net() for settled in spun(EN_PRISON, "3", {}, carry).settlements] == [0]
    others = EN_PRISON.start([1, 2], carry=carry).after(Place(S2, "red", Fraction(5)))
    assert others.stake(S2, "red") == 5


def test_a_pocket_of_the_other_wheel_is_refused() -> None:
    round = SINGLE.start([1]).after(Place(S1, "red", Fraction(1))).after(Close())
    with pytest.raises(NotPossible, match="'00' is no pocket of this wheel"):
        round.after(Pocket("00", "single-zero"))


# The figures.


def closed_form(wager: str, pockets: int) -> Fraction:
    """One minus what comes back: so many of the pockets bring the odds and the stake."""
    numbers, odds = PAYS[wager]
    return 1 - Fraction(numbers * (odds + 1), pockets)


@each_wheel
def test_every_edge_is_what_the_pockets_and_the_odds_say(game: Game) -> None:
    pockets = 37 if game is SINGLE else 38
    for name, found in feltworks.analyze(game).wagers.items():
        assert found.edge == closed_form(name, pockets), name


@pytest.mark.rule("RT-05")
def test_half_of_the_even_chances_on_zero_halves_their_edge_and_prison_is_worth_the_same() -> None:
    assert feltworks.analyze(LA_PARTAGE, wager="odd")["odd"].edge == Fraction(1, 74)
    assert feltworks.analyze(EN_PRISON, wager="odd")["odd"].edge == Fraction(1, 74)
    assert feltworks.analyze(LA_PARTAGE, wager="17")["17"].edge == Fraction(1, 37)


@pytest.mark.parametrize(
    ("edge", "printed"),
    [(Fraction(1, 37), "2.70"), (Fraction(1, 19), "5.26"), (Fraction(3, 38), "7.89"), (Fraction(1, 74), "1.35")],
)
def test_the_edges_are_the_ones_that_everybody_prints(edge: Fraction, printed: str) -> None:
    assert verdict(edge, printed) == "rounded"


@pytest.mark.slow
@pytest.mark.parametrize("game", [DOUBLE, LA_PARTAGE, EN_PRISON], ids=["double", "partage", "prison"])
def test_simulated_spins_agree_with_the_exact_figures(game: Game) -> None:
    for wager in feltworks.simulate(game, rounds=4_000, seed=20).wagers.values():
        assert wager.z is not None
        assert abs(wager.z) < 4, wager.wager.name
