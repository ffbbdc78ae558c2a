"""Craps as houses post it: what each roll decides, what goes where, and what every wager costs."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

import pytest

import feltworks
from feltworks.games import load
from feltworks.kit.cards import Seat
from feltworks.kit.errors import NotAllowed
from feltworks.kit.round import Round
from feltworks.kit.steps import Bet, Close, NoRoll, Place, Roll, Settlement, TakeUp, WagerMoved
from feltworks.lab.betting_plan import plan
from feltworks.lab.linear_equations import solve
from tests.games.sitting import S1, S2, verdict

GAME = load("craps")
POINTS = (4, 5, 6, 8, 9, 10)
WAYS = {total: sum(sum(dice) == total for dice in product(range(1, 7), repeat=2)) for total in range(2, 13)}
"""Of 36 rolls."""


def dice(total: int) -> tuple[int, int]:
    return max(1, total - 6), min(6, total - 1)


def bet(round: Round, wagers: Mapping[str, int], seat: Seat = S1) -> Round:
    for spot, amount in wagers.items():
        round = round.after(Place(seat, spot, Fraction(amount)))
    return round


def rolled(round: Round, *totals: int) -> Round:
    """The round after these rolls, no wager being made between them."""
    for total in totals:
        closed = round.after(Close()) if isinstance(round.next, Bet) else round
        round = closed.after(dice(total))
    return round


def with_point(point: int, **wagers: int) -> Round:
    """A point is on, and these wagers lie there, which were made before it if they could be."""
    before = {spot: amount for spot, amount in wagers.items() if spot in ("pass", "dont_pass")}
    start = bet(GAME.start((1, 2)), before)
    with_company = start if before else bet(start, {"pass": 1}, S2)
    after = {spot: amount for spot, amount in wagers.items() if spot not in before}
    return bet(rolled(with_company, point), after)


def won(round: Round) -> dict[str, Fraction]:
    """What the last roll brought the first seat."""
    return {s.spot: s.net() for s in round.effects if isinstance(s, Settlement) and s.seat == S1}


# The round.


@pytest.mark.rule("CR-01")
def test_a_roll_that_does_not_count_is_made_again() -> None:
    start = bet(GAME.start(), {"pass": 10}).after(Close())
    again = start.after(NoRoll("a die left the table"))
    assert again.next == Roll(2)
    assert won(again.after((3, 4))) == {"pass": 10}


@pytest.mark.rule("CR-01")
@pytest.mark.parametrize("spot", ["pass", "dont_pass", "place_6", "field"])
def test_a_seat_is_in_the_round_with_any_wager_that_stands_alone(spot: str) -> None:
    assert bet(GAME.start(), {spot: 10}).after(Close()).next == Roll(2)


@pytest.mark.rule("CR-02", "CR-03")
@pytest.mark.parametrize("total", WAYS)
def test_the_come_out_sets_a_point_or_ends_the_round(total: int) -> None:
    after = rolled(bet(GAME.start(), {"pass": 10}), total)
    assert after.over is (total not in POINTS)
    assert after.facts[0] == (total if total in POINTS else None)


@pytest.mark.rule("CR-03")
@pytest.mark.parametrize(("point", "total"), [*product(POINTS, WAYS)])
def test_a_point_stays_until_it_comes_again_or_a_seven_which_hands_the_dice_on(point: int, total: int) -> None:
    after = rolled(with_point(point, **{"pass": 10}), total)
    assert after.over is (total in (7, point))
    assert not after.over or after.turn_over is (total == 7)


# Line bets and odds.


@pytest.mark.rule("CR-04")
@pytest.mark.parametrize(
    ("total", "with_dice", "against"), [(7, 10, -10), (11, 10, -10), (2, -10, 10), (3, -10, 10), (12, -10, 0)]
)
def test_the_come_out_decides_the_line_bets(total: int, with_dice: int, against: int) -> None:
    assert won(rolled(bet(GAME.start(), {"pass": 10, "dont_pass": 10}), total)) == {
        "pass": with_dice,
        "dont_pass": against,
    }


@pytest.mark.rule("CR-04", "CR-05")
@pytest.mark.parametrize(("point", "odds", "lay"), [(4, 60, 30), (5, 45, 40), (6, 36, 50), (8, 36, 50), (9, 45, 40)])
def test_the_point_and_the_seven_decide_line_bets_odds_and_lay(point: int, odds: int, lay: int) -> None:
    lying = with_point(point, **{"pass": 10, "dont_pass": 10, "odds": 30, "lay": 60})
    assert won(rolled(lying, point)) == {"pass": 10, "dont_pass": -10, "odds": odds, "lay": -60}
    assert won(rolled(lying, 7)) == {"pass": -10, "dont_pass": 10, "odds": -30, "lay": lay}


@pytest.mark.rule("CR-04")
def test_a_line_bet_is_made_before_the_come_out_and_lies_until_it_is_decided() -> None:
    lying = with_point(6, **{"pass": 10})
    with pytest.raises(NotAllowed, match="No wager on 'pass' is taken now"):
        bet(lying, {"pass": 10})
    with pytest.raises(NotAllowed, match="No wager on 'pass' is taken now"):
        lying.after(TakeUp(S1, "pass"))


LIMITS = {
    "345": {"odds": (30, 40, 50), "lay": (60, 60, 60)},
    "1": {"odds": (10, 10, 10), "lay": (20, 15, 12)},
    "2": {"odds": (20, 20, 20), "lay": (40, 30, 24)},
    "10": {"odds": (100, 100, 100), "lay": (200, 150, 120)},
}


@pytest.mark.rule("CR-05")
@pytest.mark.parametrize("reading", LIMITS)
def test_odds_and_lay_have_the_limit_that_the_house_posts(reading: str) -> None:
    game = GAME.configured(readings={"odds": reading})
    for place, point in enumerate((4, 5, 6)):
        lying = rolled(bet(game.start(), {"pass": 10, "dont_pass": 10}), point)
        for spot, most in LIMITS[reading].items():
            full = bet(lying, {spot: most[place]})
            with pytest.raises(
                NotAllowed, match=rf"^{GAME.spot_title(spot)} may be at most .* on a point of {point}; place le"
            ):
                bet(full, {spot: 1})
            assert full.after(TakeUp(S1, spot)).wagers == lying.wagers


@pytest.mark.rule("CR-05")
@pytest.mark.parametrize(("spot", "needed"), [("odds", "Pass Line"), ("lay", "Don't Pass")])
def test_odds_stand_behind_a_line_bet_of_their_own_side(spot: str, needed: str) -> None:
    other = {"odds": "dont_pass", "lay": "pass"}[spot]
    with pytest.raises(NotAllowed, match=f"needs {needed}; place that first"):
        bet(with_point(6, **{other: 10}), {spot: 1})


# Come bets.


@pytest.mark.rule("CR-06")
@pytest.mark.parametrize(
    ("total", "come", "dont_come"), [(7, 10, -10), (11, 10, -10), (2, -10, 10), (3, -10, 10), (12, -10, 0)]
)
def test_for_a_come_bet_the_next_roll_is_a_come_out(total: int, come: int, dont_come: int) -> None:
    after = won(rolled(with_point(6, come=10, dont_come=10), total))
    assert after == {"come": come, "dont_come": dont_come}


@pytest.mark.rule("CR-06")
def test_come_bets_are_taken_with_a_point_on() -> None:
    with pytest.raises(NotAllowed, match="No wager on 'come' is taken now"):
        bet(GAME.start(), {"come": 10})


@pytest.mark.rule("CR-07")
@pytest.mark.parametrize("total", [4, 5, 8, 9, 10])
def test_a_come_bet_goes_to_its_number_and_is_decided_there(total: int) -> None:
    lying = rolled(with_point(6, come=10, dont_come=5), total)
    moved = {(m.spot, m.to) for m in lying.effects if isinstance(m, WagerMoved)}
    assert moved == {("come", f"come_{total}"), ("dont_come", f"dont_come_{total}")}
    assert won(rolled(lying, total)) == {f"come_{total}": 10, f"dont_come_{total}": -5}
    assert won(rolled(lying, 7)) == {f"come_{total}": -10, f"dont_come_{total}": 5}
    assert won(rolled(lying, 3)) == {}


@pytest.mark.rule("CR-07")
def test_a_come_bet_lies_on_through_the_next_come_out() -> None:
    made = rolled(with_point(6, come=10), 9, 6)
    assert made.over
    following = bet(GAME.start((1, 2), carry=made.carry), {"pass": 1}, S2)
    assert won(rolled(following, 7)) == {"come_9": -10}
    assert won(rolled(following, 9)) == {"come_9": 10}


@pytest.mark.rule("CR-07")
def test_what_lies_on_a_number_is_decided_before_another_come_bet_goes_there() -> None:
    lying = bet(rolled(with_point(6, come=10), 9), {"come": 25})
    after = rolled(lying, 9)
    assert won(after) == {"come_9": 10}
    assert after.stake(S1, "come_9") == 25


# Place bets and the field.

PLACE = {4: 9, 5: 7, 6: 7, 8: 7, 9: 7, 10: 9}
UNIT = {4: 5, 5: 5, 6: 6, 8: 6, 9: 5, 10: 5}


@pytest.mark.rule("CR-08")
@pytest.mark.parametrize("number", POINTS)
def test_a_place_bet_wins_by_its_number_before_a_seven(number: int) -> None:
    point = 6 if number != 6 else 8
    lying = with_point(point, **{f"place_{number}": UNIT[number]})
    assert won(rolled(lying, number)) == {f"place_{number}": PLACE[number]}
    assert won(rolled(lying, 7)) == {f"place_{number}": -UNIT[number]}
    for total in {*WAYS} - {7, number, point}:
        after = rolled(lying, total)
        assert won(after) == {}
        assert after.after(TakeUp(S1, f"place_{number}")).stake(S1, f"place_{number}") == 0


@pytest.mark.rule("CR-08")
@pytest.mark.parametrize(("reading", "seven", "number"), [("off", {}, {}), ("on", {"place_6": -6}, {"place_6": 7})])
def test_a_place_bet_is_off_on_the_come_out_unless_the_house_says_otherwise(
    reading: str, seven: dict[str, int], number: dict[str, int]
) -> None:
    lying = bet(GAME.configured(readings={"place_on_come_out": reading}).start(), {"place_6": 6})
    assert won(rolled(lying, 7)) == seven
    assert won(rolled(lying, 6)) == number


@pytest.mark.rule("CR-08")
def test_place_bets_on_several_numbers_are_bets_of_their_own() -> None:
    lying = with_point(4, place_6=12, place_8=6, place_9=5)
    after = rolled(lying, 8)
    assert won(after) == {"place_8": 7}
    assert won(rolled(after, 7)) == {"place_6": -12, "place_9": -5}


@pytest.mark.rule("CR-09")
@pytest.mark.parametrize("total", WAYS)
def test_the_field_is_decided_by_every_roll(total: int) -> None:
    pays = {2: 2, 12: 3, **dict.fromkeys((3, 4, 9, 10, 11), 1)}.get(total, -1)
    assert won(rolled(bet(GAME.start(), {"field": 1}), total))["field"] == pays
    assert won(rolled(with_point(6, field=1), total))["field"] == pays
    twice = GAME.configured(pay={"field": "2"})
    assert won(rolled(bet(twice.start(), {"field": 1}), total))["field"] == min(pays, 2)


def test_a_table_is_told_the_sum_and_the_point() -> None:
    lying = with_point(6, **{"pass": 10})
    after = rolled(lying, 7)
    [lost] = [effect for effect in after.effects if isinstance(effect, Settlement)]
    assert after.why(lost, lying) == "7 came, and the point was 6"
    natural = rolled(bet(GAME.start(), {"pass": 10}), 11)
    [wins] = [effect for effect in natural.effects if isinstance(effect, Settlement)]
    assert natural.why(wins, GAME.start()) == "11 came"


# The figures, by hand.


def before_seven(number: int) -> Fraction:
    """How often a number comes before a seven."""
    return Fraction(WAYS[number], WAYS[number] + WAYS[7])


def by_point() -> Iterator[tuple[Fraction, Fraction]]:
    """How often each point is set, and how often it is made then."""
    return ((Fraction(WAYS[point], 36), before_seven(point)) for point in POINTS)


MADE = sum(often * made for often, made in by_point())


def test_every_edge_is_that_of_a_sum_by_hand() -> None:
    found = feltworks.analyze(GAME)
    natural, craps, point = (Fraction(n, 36) for n in (8, 4, 24))
    with_dice = craps + (point - MADE) - natural - MADE
    against = natural + MADE - Fraction(3, 36) - (point - MADE)
    assert found["pass"].edge == found["come"].edge == with_dice == Fraction(7, 495)
    assert found["dont_pass"].edge == found["dont_come"].edge == against == Fraction(3, 220)
    assert found["dont_pass"].edges["decided"] == against / (1 - Fraction(1, 36)) == Fraction(27, 1925)
    assert found["odds"].edge == found["lay"].edge == 0
    places = {f"place_{n}": 1 - before_seven(n) * (1 + Fraction(PLACE[n], UNIT[n])) for n in POINTS}
    assert found["place"].by_spot == places
    field = sum(WAYS[n] * {2: 2, 12: 3}.get(n, 1) for n in (2, 3, 4, 9, 10, 11, 12)) - sum(
        WAYS[n] for n in (5, 6, 7, 8)
    )
    assert found["field"].edge == -Fraction(field, 36) == Fraction(1, 36)


def test_a_come_bet_ends_like_a_line_bet() -> None:
    found = feltworks.analyze(GAME)
    for line, come in (("pass", "come"), ("dont_pass", "dont_come")):
        assert found[come].outcomes == found[line].outcomes
        assert found[come].hit_frequency == found[line].hit_frequency
        assert found[come].variance == found[line].variance


def test_a_place_bet_that_is_on_at_the_come_out_costs_the_same() -> None:
    on = feltworks.analyze(GAME.configured(readings={"place_on_come_out": "on"}), wager="place")["place"]
    assert on.by_spot == feltworks.analyze(GAME, wager="place")["place"].by_spot


def test_a_round_takes_557_in_165_rolls_and_a_turn_1671_in_196() -> None:
    """The first by the points that are waited for, the second by equations for the seven points of a turn."""
    lasts = plan(GAME, {"pass": Fraction(1)})
    waiting = sum(Fraction(WAYS[point], 36) * Fraction(36, WAYS[point] + WAYS[7]) for point in POINTS)
    assert lasts.game.moments.mean == 1 + waiting == Fraction(557, 165)
    states: list[int | None] = [None, *POINTS]
    rows = []
    for state in states:
        row = {states.index(state): Fraction(1)}
        for total, ways in WAYS.items():
            after = total if state is None and total in POINTS else None if total == state else state
            if not (state and total == 7):
                row[states.index(after)] = row.get(states.index(after), Fraction(0)) - Fraction(ways, 36)
        rows.append(row)
    assert lasts.turn.moments.mean == solve(rows, [Fraction(1)] * len(states))[0] == Fraction(1671, 196)


@pytest.mark.parametrize(
    ("spot", "printed"), [("pass", "1.41"), ("dont_pass", "1.36"), ("place_6", "1.52"), ("place_9", "4.00")]
)
def test_the_edges_are_those_that_everybody_prints(spot: str, printed: str) -> None:
    assert verdict(feltworks.analyze(GAME, wager=spot)[spot].edge, printed) == "rounded"


def test_simulated_rolls_agree_with_the_exact_figures() -> None:
    simulated = feltworks.simulate(GAME, rounds=1_000_000, seed=11)
    assert [*simulated.wagers] == ["pass", "dont_pass", "come", "dont_come", "odds", "lay", "place_4", "field"]
    for name, wager in simulated.wagers.items():
        assert wager.z is not None
        assert abs(wager.z) < 4, name
