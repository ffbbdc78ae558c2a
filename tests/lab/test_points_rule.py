"""Group counts in points: the rule as it is told decides what the program decides, and is near to the whole estimate.

The second way is a plain loop over what the JSON tells, in fractions, that knows no estimate.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import feltworks
from feltworks.kit.cards import RANKS
from feltworks.lab.card_counting.compositions import Flags, Numbers
from feltworks.lab.card_counting.counting import POINTS_SHOES
from feltworks.lab.card_counting.group_estimate import BLOCKS, GroupEstimate, Grouping
from feltworks.lab.card_counting.points_rule import Level, PointsRule, TradePoints, points_rule
from feltworks.lab.card_counting.winnings import cards_gone
from tests.lab.test_card_counting import COLOURED_HALVES, COLOURS, HALVES, TABLES, estimate_of, game_of, hands, table
from tests.quick import cases, share, soaking

THREE = Grouping(BLOCKS[0], ("2345", "6789T", "JQKA"))
FOUR = Grouping(BLOCKS[0], ("234", "567", "89TJ", "QKA"))
SEVEN = Grouping(BLOCKS[0], ("23", "45", "67", "8", "9T", "JQ", "KA"))
INNER = Grouping(BLOCKS[0], ("6789", "45TJQ", "23KA"))
SUITED = Grouping(BLOCKS[3], (RANKS,))
SUITED_THIRDS = Grouping(BLOCKS[3], THREE.classes)
ALONE = Grouping(BLOCKS[0], tuple(RANKS))

FITTED = [
    # What the rule wins of what the estimate does, and how often both decide the same of the wager.
    ("in_between", "A", INNER, 0.97, 0.99),
    ("in_between", "B", FOUR, 0.75, 0.98),
    ("in_between", "D", FOUR, 0.75, 0.98),
    ("three_card_bonus", "1", THREE, 0.95, 0.96),
    ("three_card_bonus", "1", FOUR, 0.85, 0.92),
    ("three_card_bonus", "1", SUITED_THIRDS, 0.88, 0.92),
    ("three_card_bonus", "2", COLOURS, 0.97, 0.95),
    ("three_card_bonus", "2", Grouping(BLOCKS[2], (RANKS,)), 0.96, 0.92),
    ("three_card_bonus", "2", SUITED, 0.96, 0.93),
    ("perfect_match", "1", HALVES, 0.99, 0.99),
    ("perfect_match", "1", THREE, 0.96, 0.96),
    ("perfect_match", "1", FOUR, 0.96, 0.96),
    ("perfect_match", "1", SEVEN, 0.95, 0.94),
    ("perfect_match", "1", ALONE, 0.95, 0.92),
]
EACH = pytest.mark.parametrize(
    ("wager", "pay", "grouping", "won", "alike"),
    [pytest.param(*case, marks=[] if case[0] == "in_between" else [pytest.mark.slow]) for case in FITTED],
)


@cache
def fitted(wager: str, pay: str, grouping: Grouping) -> tuple[GroupEstimate, PointsRule]:
    found = hands(wager)
    estimate = estimate_of(grouping, found, table(wager, pay))
    return estimate, points_rule(grouping, estimate, left_at(wager, range(78, 294, 18), POINTS_SHOES, "points"), 52)


@cache
def left_at(wager: str, starts: Sequence[int], shoes: int, key: str) -> Numbers:
    """What is left of each card at these depths of some shoes, by card and state."""
    fresh = hands(wager).fresh
    gone = cards_gone(fresh, [0, *starts], shoes, key)[:, 1:]
    left: Numbers = (fresh[:, None, None] - gone).reshape(len(fresh), -1).astype(np.float64)
    return left


# A rule as it is told.


class Reader:
    """Somebody who knows the JSON of a rule, the full shoe and the cards that are left, and nothing else."""

    def __init__(self, told: dict[str, Any], groups: list[dict[str, str]]) -> None:
        self.told, self.groups = told, groups

    def above(self, ranks: str, suits: str, left: list[str]) -> Fraction:
        """How many cards of these ranks and suits there are above their even share of the cards left."""
        mine = sum(card[0] in ranks and (len(card) == 1 or card[1] in suits) for card in left)
        return mine - Fraction(len(ranks) * len(suits) * len(left), 52)

    def level(self, told: dict[str, float], left: list[str]) -> Fraction:
        points, per_deck = (Fraction(str(told[name])) for name in ("points", "for_each_deck_left"))
        return points + per_deck * Fraction(len(left), self.told["cards_in_a_deck"])

    def wagers(self, left: list[str]) -> bool:
        points = Fraction(0)
        for row in self.told["points"]:
            more = self.above(row["ranks"], row["suits"], left)
            points += row["above_the_even_share"] * more if more > 0 else row["below_the_even_share"] * -more
        return points > self.level(self.told["wagers_above"], left)

    def trades(self, left: list[str]) -> set[str]:
        excess = [self.above(group["ranks"], group["suits"], left) for group in self.groups]
        found = set[str]()
        for row in self.told["trades"]:
            total = sum((weight * more for weight, more in zip(row["weights"], excess, strict=True)), Fraction(0))
            if total < self.level(row["trades_below"], left):
                found |= set(row["first_cards"])
        return found


def decided(rule: PointsRule, counts: Numbers) -> tuple[Flags, list[set[str]]]:
    does = rule.discards(counts)
    names = [rule.grouping.card_text(kind) for kind in rule.grouping.kinds]
    return rule.wagers(counts), [{name for name, trade in zip(names, row, strict=True) if trade} for row in does.T]


@pytest.mark.parametrize(
    ("wager", "pay", "grouping"),
    [
        ("in_between", "A", INNER),
        pytest.param("three_card_bonus", "1", COLOURED_HALVES, marks=pytest.mark.slow),
        pytest.param("three_card_bonus", "2", SUITED, marks=pytest.mark.slow),
        pytest.param("perfect_match", "1", FOUR, marks=pytest.mark.slow),
    ],
)
def test_the_rule_in_points_that_is_told_decides_with_any_cards_left_what_was_measured(
    wager: str, pay: str, grouping: Grouping
) -> None:
    estimate, rule = fitted(wager, pay, grouping)
    reader = Reader(rule.to_json(), [{"ranks": ranks, "suits": suits} for ranks, suits in grouping.groups])
    random, seen = Random(11), set[bool]()
    shoe = [card.text for card in hands(wager).cards for _ in range(24 if wager == "in_between" else 6)]
    for _ in range(max(200, share(200))):
        left = random.sample(shoe, random.randint(8, 200))
        counts = np.array([left.count(card.text) for card in hands(wager).cards], np.float64)
        made, trades = decided(rule, estimate.counts(counts[:, None]))
        assert reader.wagers(left) == made[0]
        assert reader.trades(left) == trades[0]
        seen.add(bool(made[0]))
    assert seen == {True, False}


def test_a_count_at_its_level_is_not_above_and_not_below_it() -> None:
    """Nothing is rounded: with half of two decks left, 3 cards above the share are 3 points, and so is the level."""
    trades = (TradePoints((HALVES.kinds[0],), (1, 0), Level(30, 0)),)
    rule = PointsRule(HALVES, (48, 56), 52, (1, 0), (0, 0), Level(10, 20), trades)
    at = np.array([[26.0, 27.0, 28.0], [26.0, 25.0, 24.0]])  # an even share is 24
    assert rule.wagers(at).tolist() == [False, False, True]
    assert rule.discards(at)[0].tolist() == [True, False, False] and not rule.discards(at)[1:].any()


def test_a_rule_in_points_is_told_in_words() -> None:
    rule = PointsRule(THREE, (96, 120, 96), 52, (1, 1, 1), (0, 0, 0), Level(13, 22))
    assert rule.words((1, 0, 0)) == "(2-5)" and rule.words((0, -1, 3)) == "- (6-T) + 3 (J-A)"
    assert rule.level.text == "1.3 + 2.2 a deck" and Level(-4, -5).text == "-0.4 - 0.5 a deck"
    assert Level(9, 0).text == "0.9" and rule.needed(26) == pytest.approx(2.4)


# How near it is.


@EACH
def test_a_rule_in_points_wins_nearly_what_the_estimate_does(
    wager: str, pay: str, grouping: Grouping, won: float, alike: float
) -> None:
    estimate, rule = fitted(wager, pay, grouping)
    counts = estimate.counts(left_at(wager, range(6, 281, 6), share(500, soak=2_000), "test"))
    kept, traded = estimate.choices(counts)
    best = estimate.worth(counts)
    mine = best
    if traded is not None:
        does = rule.discards(counts)
        mine = estimate.common[0] + np.where(does, traded[0], kept[0]).sum(axis=0) / estimate.every(counts)
    made = rule.wagers(counts)
    assert np.where(made, mine, 0.0).sum() > won * np.maximum(best, 0.0).sum() > 0
    assert np.mean(made == (best > 0)) > alike


@pytest.mark.slow
def test_perfect_match_is_counted_by_the_cards_above_the_even_shares() -> None:
    """One point for each, whichever the group; and a card is traded if its group has hardly any."""
    for grouping in (THREE, FOUR, SEVEN):
        _, rule = fitted("perfect_match", "1", grouping)
        assert set(rule.above) == {1} and set(rule.below) == {0}
        for number, trade in enumerate(rule.trades):
            assert trade.weights == tuple(int(group == number) for group in range(len(grouping.groups)))
            assert "".join(kind.rank for kind in trade.kinds) == grouping.classes[number]
            assert 0 <= trade.level.base <= 15 and abs(trade.level.per_deck) <= 5


@pytest.mark.slow
def test_where_flushes_pay_the_points_are_those_of_whole_suits() -> None:
    _, rule = fitted("three_card_bonus", "2", SUITED_THIRDS)
    suits = [number for number, (ranks, _) in enumerate(SUITED_THIRDS.sums) if ranks == RANKS]
    assert len(suits) == 4 and len({rule.above[number] for number in suits}) == 1
    assert min(rule.above[number] for number in suits) == max(rule.above) > 0


@pytest.mark.parametrize(("common", "always"), [(-0.5, False), (0.5, True)])
def test_a_wager_that_no_count_changes_is_always_made_or_never(common: float, always: bool) -> None:
    found = hands("in_between")
    sums = found.sums([common] * len(found.ends))
    estimate = GroupEstimate(HALVES, found.cards, found.fresh, sums)
    left = left_at("in_between", range(78, 294, 18), 20, "points")
    rule = points_rule(HALVES, estimate, left, 52)
    assert rule.wagers(estimate.counts(left)).tolist() == [always] * left.shape[1]


# The large tables on the page.

ROOT = Path(__file__).parents[2]
TITLES = {"IN BETween": "in_between", "3 Card Bonus": "three_card_bonus", "Perfect Match": "perfect_match"}
DEALT = {"in_between": 20_000, "three_card_bonus": 4_000, "perfect_match": 4_000}


def page_table(after: str, before: str) -> list[list[str]]:
    """The cells of a table on the page."""
    text = (ROOT / "docs" / "counting.md").read_text("utf-8").partition(after)[2].partition(before)[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("**", "") for cell in row] for row in rows]


def title_of(title: str) -> tuple[str, str]:
    name, _, pay = title.partition(", table ")
    return TITLES[name], pay


def page_figures(wager: str, pay: str, decks: int) -> Iterator[tuple[str, str, str]]:
    """The counter, and what the page says is won with the cut card at 75 %, if it does, and at 90 %."""
    of = ("", "")
    for title, counter, *figures in page_table("## Results", "\nThe table shows")[2:]:
        of = title_of(title) if title else of
        if of == (wager, pay):
            less, deep = figures[:2] if decks == 6 else figures[2:]
            yield re.sub(r"(\d+) groups", r"groups_\1", counter), less, deep
    columns, _, *rows = page_table("### A rule for a person", "### What a trade is worth")
    for title, *figures in rows if decks == 6 else []:
        for counter, deep in zip(columns[1:], figures, strict=True):
            if title_of(title) == (wager, pay) and "points" in counter:
                yield re.sub(r"(\d+) in points", r"points_\1", counter), "", deep


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(
    "case",
    cases([(*each, decks) for each in TABLES for decks in (6, 8)], quick=[], test=[("in_between", "A", 6)]),
    ids=str,
)
def test_the_large_tables_of_the_page_are_what_their_commands_find(case: tuple[str, str, int]) -> None:
    """With all the shoes of the page each figure comes out as printed, with fewer it lies within their interval."""
    wager, pay, decks = case
    shoes = DEALT[wager] if soaking() else 1_000
    found = feltworks.counting(game_of(wager, decks=decks), pay={wager: pay}, penetration=0.9, samples=shoes, seed=0)
    depths = found[wager][pay].depths
    figures = list(page_figures(wager, pay, decks))
    assert len(figures) >= 7
    for counter, less, deep in figures:
        at = {float(depth.penetration): depth.won[counter].per_100 for depth in depths}
        reach = at[0.9].high - at[0.9].value
        if soaking():
            assert deep == f"{at[0.9].value:.3f} ± {reach:.3f}" and less in {"", f"{at[0.75].value:.3f}"}
        else:
            value, _, page_reach = deep.partition(" ± ")
            assert abs(at[0.9].value - float(value)) <= 1.5 * reach + float(page_reach) + 0.001
