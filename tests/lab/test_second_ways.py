"""Every important figure by a second way that knows nothing of the Round or the solver."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import feltworks
from feltworks.kit.enumerator import Outcome
from tests.lab import oracles
from tests.lab.analysed import analysed
from tests.quick import cases

TOYS = Path(__file__).parent.parent / "toys"


def lines(outcomes: tuple[Outcome, ...], losing: str) -> dict[str, Fraction]:
    return {("" if o.line == losing else o.line): o.probability for o in outcomes}


@pytest.mark.slow
@pytest.mark.rule("O-04", "O-06")
@pytest.mark.parametrize("reading", cases(["out", "back"], quick=["out"]))
@pytest.mark.parametrize("decks", cases(range(1, 9), quick=[6]))
def test_the_base_game_of_one_for_the_money_equals_a_count_of_ranks(decks: int, reading: str) -> None:
    game = feltworks.load("one-for-the-money", decks=decks, readings={"traded_card": reading})
    base = feltworks.analyze(game, wager="base")["base"]
    value, play = oracles.one_for_the_money_base(decks, back=reading == "back")
    assert base.edge == -value
    assert base.strategy is not None
    first = [a for a in base.strategy.advice.values() if "check" in a.options]
    assert {a.situation[-1]: a.best for a in first} == {"..23456789TJQKA"[rank]: best for rank, best in play.items()}


@pytest.mark.slow
@pytest.mark.rule("O-06")
@pytest.mark.parametrize(("decks", "percent"), [(6, "3.8231"), (8, "3.8655")])
def test_the_base_edge_is_the_known_figure(decks: int, percent: str) -> None:
    base = analysed("one-for-the-money", "base", decks=decks)["base"]
    assert f"{float(base.edge * 100):.4f}" == percent


@pytest.mark.slow
@pytest.mark.rule("O-07", "O-08", "O-09")
@pytest.mark.parametrize(
    ("version", "wager", "kind", "losing"),
    [
        ("three-card-bonus", "three_card_bonus", oracles.three_card_kind, "No hand"),
        ("perfect-match", "perfect_match", oracles.match_kind, "No match"),
    ],
)
def test_a_bonus_under_the_best_base_strategy_equals_a_count_of_deals(
    version: str,
    wager: str,
    kind: Callable[[tuple[oracles.Card, oracles.Card, oracles.Card]], str],
    losing: str,
) -> None:
    analysis = analysed("one-for-the-money", version=version)
    _, play = oracles.one_for_the_money_base(6)
    traded = {rank for rank, best in play.items() if best == "trade"}
    assert lines(analysis[wager].outcomes, losing) == oracles.bonus_lines(6, kind, traded)
    uniform = oracles.bonus_lines(6, kind)
    pays = {line.name: line.pay.net for line in analysis.game.pay_table(wager)}  # type: ignore[union-attr]
    edge = -sum(p * pays.get(line, Fraction(-1)) for line, p in uniform.items())
    assert analysis[wager].edges["uniform"] == edge


@pytest.mark.rule("I-03", "I-04")
@pytest.mark.parametrize("decks", cases(range(1, 9), quick=[1, 6]))
def test_in_between_equals_its_closed_form(decks: int) -> None:
    found = feltworks.analyze(feltworks.load("in-between", decks=decks))["in_between"]
    assert {o.line: o.probability for o in found.outcomes} == oracles.in_between_lines(decks)


def test_sealed_cards_and_bands_give_the_value_of_all_real_deals() -> None:
    """The toy with a reader: every deal of three real cards, the best choice for each thing the seat can know."""
    pack = [(rank, suit) for rank in range(2, 8) for suit in range(2)]
    worth: dict[object, list[int]] = defaultdict(lambda: [0, 0])
    total = 0
    for mine, first, second in oracles.deals(pack, 3):
        known = (mine[0], first[0] <= 4, second[0] <= 4)
        dealer = max(first[0], second[0])
        unit = 2 if mine[0] > dealer else 0 if mine[0] == dealer else -1
        worth[known][0] += -1
        worth[known][1] += 2 * unit
        total += 1
    value = Fraction(sum(max(both) for both in worth.values()), total)
    game = feltworks.load("bands", folders=[TOYS])
    assert feltworks.analyze(game, wager="base")["base"].edge == -value


def test_a_bonus_beside_a_fold_is_optimised_with_it_when_both_are_staked() -> None:
    """Match wins whatever the hand does, so staking it does not change the base decision, but both add up."""
    game = feltworks.load("bands", folders=[TOYS])
    apart = feltworks.analyze(game)
    together = feltworks.analyze(game, stakes={"base": 1, "match": 3})
    assert together["base"].edge == apart["base"].edge
    assert together["match"].edge == apart["match"].edge


def test_the_peek_and_insurance_give_the_value_of_all_real_deals() -> None:
    pack = [(rank, suit) for rank in (6, 7, 8, 9, 10, 14) for suit in range(4)]
    after_peek: dict[object, list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    insured: dict[object, Fraction] = defaultdict(Fraction)
    total = 0
    for mine, up, hole in oracles.deals(pack, 3):
        total += 1
        blackjack = up[0] == 14 and hole[0] == 10
        unit = -1 if blackjack or mine[0] < hole[0] else 1 if mine[0] > hole[0] else 0
        if up[0] == 14:
            insured[mine[0]] += Fraction(1) if hole[0] == 10 else Fraction(-1, 2)
        known = (mine[0], up[0], blackjack)
        after_peek[known][0] += unit
        after_peek[known][1] += unit if blackjack else 2 * unit
    value = sum(max(both) for both in after_peek.values()) + sum(max(Fraction(0), v) for v in insured.values())
    game = feltworks.load("peek", folders=[TOYS])
    assert feltworks.analyze(game)["base"].edge == -Fraction(value) / total


def test_the_line_of_the_dice_toy_is_the_pass_line() -> None:
    line = feltworks.analyze(feltworks.load("point", folders=[TOYS]))["line"]
    assert line.edge == Fraction(7, 495)
    assert line.hit_frequency == Fraction(244, 495)
    assert line.variance == 1 - Fraction(7, 495) ** 2


@pytest.mark.slow
def test_a_wager_that_rides_in_a_loop_has_the_mean_and_variance_of_its_long_run() -> None:
    """Pairs is paid on every pair until the line is decided: the same chain, rolled out a thousand times."""
    rolls = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    at: dict[tuple[int, int], float] = {(0, 0): 1.0}
    ended: dict[int, float] = defaultdict(float)
    for _ in range(300):
        then: dict[tuple[int, int], float] = defaultdict(float)
        for (point, won), p in at.items():
            for a, b in rolls:
                total, now = a + b, won + (3 if a == b else 0)
                decided = total in (7, 11, 2, 3, 12) if point == 0 else total in (7, point)
                if decided:
                    ended[now - (total == 7)] += p / 36
                else:
                    then[point or total, now] += p / 36
        at = then
    mean = sum(net * p for net, p in ended.items())
    square = sum(net * net * p for net, p in ended.items())
    pairs = feltworks.analyze(feltworks.load("point", folders=[TOYS]))["pairs"]
    assert float(-pairs.edge) == pytest.approx(mean, abs=1e-9)
    assert float(pairs.variance) == pytest.approx(square - mean * mean, abs=1e-6)
    assert pairs.hit_frequency is None


def test_any_seven_bet_on_every_roll_costs_a_sixth_of_each_wager_made() -> None:
    seven = feltworks.analyze(feltworks.load("point", folders=[TOYS]))["seven"]
    assert seven.edge == Fraction(1, 6)
