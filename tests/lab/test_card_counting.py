"""Counting a bonus wager from a shoe: its worth with any cards left, linear counts and counts of groups, and what
counters win, alone and with the required wager.

Second ways are here: a closed form of IN BETween for any composition, every deal of small shoes, every shoe that can be
left of a small one, and the solver that walks the rules with cards gone.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, sqrt
from pathlib import Path
from random import Random
from statistics import stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feltworks
from feltworks.kit.cards import RANKS
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.paytable import PayTable
from feltworks.kit.unseen import Unseen
from feltworks.lab.card_counting.compositions import Hands, HandSums, Indices, Numbers, hands_of
from feltworks.lab.card_counting.counting import (
    CHUNK,
    COMPUTER_ONLY,
    NOT_WORTH,
    OPEN,
    WORTH,
    Counting,
    best_person,
    verdict,
)
from feltworks.lab.card_counting.group_estimate import BLOCKS, GroupEstimate, Grouping, best_groupings, group_rule
from feltworks.lab.card_counting.joint_play import Together
from feltworks.lab.card_counting.linear_count import INDEXED, LINEAR, LinearCount, linear_count
from feltworks.lab.card_counting.points_rule import PointsRule, points_rule
from feltworks.lab.card_counting.required_play import required_play
from feltworks.lab.card_counting.winnings import PERFECT, PLAYING, Depth, Estimate, Sample, Valued, Won, cards_gone
from feltworks.lab.graph import Policy
from feltworks.lab.stakes import checked_stakes
from feltworks.lab.strategy import Strategy
from feltworks.lab.walking_analyzer import WalkingAnalyzer
from tests.lab.analysed import analysed
from tests.lab.oracles import match_kind, three_card_kind
from tests.quick import SEED, cases, share, soaking

VERSIONS = {"in_between": None, "three_card_bonus": "three-card-bonus", "perfect_match": "perfect-match"}
TABLES = [
    ("in_between", "A"),
    ("in_between", "B"),
    ("in_between", "C"),
    ("in_between", "D"),
    ("three_card_bonus", "1"),
    ("three_card_bonus", "2"),
    ("perfect_match", "1"),
]
EACH_TABLE = pytest.mark.parametrize(
    ("wager", "pay"),
    [pytest.param(*case, marks=[pytest.mark.slow] if case[0] == "perfect_match" else []) for case in TABLES],
)
KEPT_FROM = 8
"""The best base play of One For The Money trades every card below the eight."""


def game_of(wager: str, pay: str | None = None, decks: int | None = None) -> Game:
    name = "in-between" if wager == "in_between" else "one-for-the-money"
    return feltworks.load(name, version=VERSIONS[wager], decks=decks, pay=None if pay is None else {wager: pay})


@cache
def hands(wager: str, decks: int | None = None) -> Hands:
    game = game_of(wager, decks=decks)
    return hands_of(game, wager, checked_stakes(game, None))


GROUPS_FOUND = dict[bytes, dict[int, Grouping]]()
POINTS_FOUND = dict[bytes, PointsRule]()


@pytest.fixture
def walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """IN BETween by its usual rules is walked, and its groups and their points are found once for all tests that ask
    for this, and what the blackjack below it costs is a number."""

    def once_found(found: Hands, sums: HandSums, effects: Any, left: Any) -> dict[int, Grouping]:
        key = sums.kept.tobytes() + left.tobytes()
        if key not in GROUPS_FOUND:
            GROUPS_FOUND[key] = best_groupings(found, sums, effects, left)
        return GROUPS_FOUND[key]

    def once_fitted(grouping: Grouping, estimate: GroupEstimate, left: Numbers, deck: int) -> PointsRule:
        key = grouping.text.encode() + estimate.common.tobytes() + estimate.counts(left).tobytes()
        key += estimate.worth(estimate.counts(left[:, -1:])).tobytes()
        if key not in POINTS_FOUND:
            POINTS_FOUND[key] = points_rule(grouping, estimate, left, deck)
        return POINTS_FOUND[key]

    monkeypatch.setattr("feltworks.lab.card_counting.counting.points_rule", once_fitted)
    monkeypatch.setattr("feltworks.lab.card_counting.counting.hands_of", lambda game, name, stakes: hands(name))
    monkeypatch.setattr("feltworks.lab.card_counting.counting.best_groupings", once_found)
    monkeypatch.setattr("feltworks.lab.card_counting.counting.required_edge", lambda game, stakes: Fraction(1, 200))


@cache
def table(wager: str, name: str) -> PayTable:
    return game_of(wager).definition.tables(wager)[name]


def column(counts: Sequence[int]) -> Indices:
    return np.array([counts], np.int64).T


def worth(wager: str, pay: str, counts: Sequence[int]) -> Fraction:
    """What a wager is worth with these cards left."""
    return hands(wager).expectations(table(wager, pay), column(counts))[0]


def random_counts(seed: int, kinds: int, most: int, cards: int) -> list[int]:
    """A shoe of so many cards, any of which may be there up to so many times."""
    random = Random(seed)
    counts = Counter(random.sample([kind for kind in range(kinds) for _ in range(most)], cards))
    return [counts[kind] for kind in range(kinds)]


# What a wager is worth with any cards left.


def in_between_closed_form(counts: Sequence[int], pays: Sequence[int]) -> Fraction:
    """IN BETween by counts of ranks; the pays are those of the triple match, of spreads 1 to 3, and of the others."""
    triple, *spreads, others = pays
    total = sum(counts)
    won, deals = 0, 0
    for low in range(13):
        won += triple * counts[low] * (counts[low] - 1) * (counts[low] - 2)
        deals += counts[low] * (counts[low] - 1) * (counts[low] - 2)
        for high in range(low + 2, 13):
            between = high - low - 1
            ways = 2 * counts[low] * counts[high] * sum(counts[low + 1 : high])
            won += ways * (spreads[between - 1] if between <= len(spreads) else others)
            deals += ways
    every = total * (total - 1) * (total - 2)
    return Fraction(won - (every - deals), every)


def one_for_the_money_by_every_deal(counts: Sequence[int], kind: Callable[..., str], pays: dict[str, int]) -> Fraction:
    """Every order of the cards: a low one is traded, and the next card takes its place behind the dealer's two."""
    shoe = [(index % 13 + 2, index // 13) for index, count in enumerate(counts) for _ in range(count)]
    won = deals = 0
    for first, one, two, next_one in permutations(shoe, 4):
        mine = first if first[0] >= KEPT_FROM else next_one
        won += pays.get(kind((mine, one, two)), -1)
        deals += 1
    return Fraction(won, deals)


@given(st.lists(st.integers(0, 32), min_size=13, max_size=13).filter(lambda counts: sum(counts) >= 3))
def test_in_between_is_worth_what_the_closed_form_says_with_any_cards_left(counts: list[int]) -> None:
    assert worth("in_between", "A", counts) == in_between_closed_form(counts, (30, 12, 6, 4, 1))
    assert worth("in_between", "D", counts) == in_between_closed_form(counts, (40, 10, 5, 3, 1))


@pytest.mark.parametrize("seed", range(3))
def test_in_between_is_worth_what_every_deal_of_a_small_shoe_says(seed: int) -> None:
    counts = random_counts(seed, 13, 3, 9)
    shoe = [rank for rank, count in enumerate(counts) for _ in range(count)]
    pays = {1: 10, 2: 5, 3: 3}
    won = 0
    for first, up, second in permutations(shoe, 3):
        low, high = sorted((first, second))
        won += 30 if low == up == high else pays.get(high - low - 1, 1) if low < up < high else -1
    assert worth("in_between", "C", counts) == Fraction(won, 9 * 8 * 7)


THREE_CARD = {"Straight flush": 40, "Three of a kind": 30, "Straight": 10, "Flush": 5}
MATCH = {
    "Suited three of a kind": 100,
    "Three of a kind": 30,
    "Matches a dealer card, suited": 10,
    "Matches a dealer card, unsuited": 3,
}
BONUS = pytest.mark.parametrize(
    ("wager", "kind", "pays"),
    [
        ("three_card_bonus", three_card_kind, THREE_CARD),
        pytest.param("perfect_match", match_kind, MATCH, marks=pytest.mark.slow),
    ],
)


def near(seed: int) -> list[int]:
    """Eleven cards of a few ranks, which make enough hands of every kind."""
    chosen = Counter(
        Random(seed).choices([13 * suit + rank for suit in range(4) for rank in (0, 1, 5, 6, 7, 12)], k=11)
    )
    return [chosen[kind] for kind in range(52)]


@pytest.mark.slow
@BONUS
@pytest.mark.parametrize("seed", cases(range(4), quick=[3]))
def test_the_bonuses_are_worth_what_every_deal_of_small_shoes_says(
    wager: str, kind: Callable[..., str], pays: dict[str, int], seed: int
) -> None:
    assert worth(wager, "1", near(seed)) == one_for_the_money_by_every_deal(near(seed), kind, pays)


@pytest.mark.slow
@BONUS
@pytest.mark.parametrize("seed", range(4))
def test_who_discards_for_the_wagers_sake_keeps_a_card_or_not_as_every_deal_of_small_shoes_says(
    wager: str, kind: Callable[..., str], pays: dict[str, int], seed: int
) -> None:
    shoe = [(index % 13 + 2, index // 13) for index, count in enumerate(near(seed)) for _ in range(count)]
    best = square = 0
    for place, first in enumerate(shoe):
        others = [*shoe[:place], *shoe[place + 1 :]]
        kept = [pays.get(kind((first, one, two)), -1) for one, two, _ in permutations(others, 3)]
        traded = [pays.get(kind((next_one, one, two)), -1) for one, two, next_one in permutations(others, 3)]
        chosen = traded if sum(traded) > sum(kept) else kept
        best, square = best + sum(chosen), square + sum(won**2 for won in chosen)
    found = hands(wager)
    nets = np.array([[float(net) for net in found.nets(table(wager, "1"))]])
    by_strategy, by_best, _, every = found.results(column(near(seed)), nets)
    assert by_best is not None and every.tolist() == [11 * 10 * 9 * 8]
    assert (by_best.won.item(), by_best.square.item()) == (best, square)
    assert Fraction(by_strategy.won.item()) / int(every.item()) == worth(wager, "1", near(seed)) <= Fraction(best, 7920)


def test_whether_a_seat_raises_has_no_bearing_on_its_bonus() -> None:
    solver = Depleted(game_of("three_card_bonus"), Unseen(tuple(random_counts(3, 52, 2, 8))))
    checks, raises = (solver.under("three_card_bonus", prefers(name)) for name in ("check", "raise"))
    assert checks.outcomes == raises.outcomes


def prefers(name: str) -> Policy:
    return lambda info: name if name in info.options else info.options[0]


USUAL = {("three_card_bonus", "1"): 6, ("three_card_bonus", "2"): 8, ("perfect_match", "1"): 6}
FULL = [
    (wager, pay, decks)
    for wager, pay in TABLES
    for decks in (6, 8)
    if soaking() or USUAL.get((wager, pay), decks) == decks
]


@pytest.mark.parametrize(
    ("wager", "pay", "decks"),
    [pytest.param(*case, marks=[] if case[0] == "in_between" else [pytest.mark.slow]) for case in FULL],
)
def test_with_the_full_shoe_it_is_minus_the_edge_that_is_analysed(wager: str, pay: str, decks: int) -> None:
    found = linear_count(hands(wager, decks), table(wager, pay), decks)
    game = game_of(wager, pay, decks)
    usual = game.name == "one-for-the-money" and pay == "1"
    shared = analysed(game.name, version=game.version_name, decks=decks) if usual else None
    assert -found.expectation == (shared or feltworks.analyze(game, wager=wager))[wager].edge


@pytest.mark.slow
def test_with_the_full_shoe_the_3_card_bonus_costs_what_is_known_of_it() -> None:
    assert worth("three_card_bonus", "1", hands("three_card_bonus").fresh.tolist()) == -Fraction(4207974, 64546495)


class Depleted(WalkingAnalyzer):
    """The solver that walks the rules, with some cards gone from the shoe."""

    def __init__(self, game: Game, unseen: Unseen, stakes: dict[str, Fraction] | None = None) -> None:
        super().__init__(game, checked_stakes(game, stakes))
        self.left = unseen

    def _unseen(self, stakes: object) -> Unseen:
        return self.left


@pytest.mark.parametrize("seed", range(3))
def test_the_solver_finds_the_same_for_in_between_with_cards_gone(seed: int) -> None:
    counts = random_counts(seed, 13, 24, 100)
    found = Depleted(game_of("in_between", "B"), Unseen(tuple(counts))).under(
        "in_between", lambda info: info.options[0]
    )
    assert -found.edge == worth("in_between", "B", counts)


@pytest.mark.slow
@pytest.mark.parametrize("wager", cases(["three_card_bonus", "perfect_match"], quick=["three_card_bonus"]))
def test_the_solver_finds_the_same_for_the_bonuses_with_most_cards_gone(wager: str) -> None:
    game, counts = game_of(wager), random_counts(5, 52, 2, 9)
    strategy = WalkingAnalyzer(game, checked_stakes(game, None)).strategy
    found = Depleted(game, Unseen(tuple(counts))).under(wager, strategy.option)
    assert -found.edge == worth(wager, "1", counts)


def test_another_reading_is_counted_by_its_own_rules() -> None:
    game = game_of("in_between").configured(readings={"upcard_equals_a_card": "push"})
    found = hands_of(game, "in_between", checked_stakes(game, None))
    edge = -found.expectations(table("in_between", "A"), found.fresh[:, None])[0]
    assert edge == feltworks.analyze(game, wager="in_between")["in_between"].edge


@pytest.mark.slow
def test_with_a_large_stake_the_best_strategy_discards_for_the_wagers_sake() -> None:
    exact = analysed("one-for-the-money", three_card_bonus=20)
    assert isinstance(exact.strategy, Strategy)
    found = hands_of(exact.game, "three_card_bonus", exact.stakes, exact.strategy.option)
    edge = -found.expectations(table("three_card_bonus", "1"), found.fresh[:, None])[0]
    assert edge == exact["three_card_bonus"].edge < Fraction(4207974, 64546495)
    nets = np.array([[float(net) for net in found.nets(table("three_card_bonus", "1"))]])
    by_strategy, by_best, *_ = found.results(found.fresh[:, None], nets)
    assert by_best is not None and by_best.won.item() == by_strategy.won.item()


# The effects of removal, and the linear count.


@given(st.lists(st.integers(0, 9), min_size=13, max_size=13).filter(lambda counts: sum(counts) >= 4))
def test_a_card_that_is_gone_unseen_changes_nothing_on_average(counts: list[int]) -> None:
    after = [
        worth("in_between", "A", [n - (i == gone) for i, n in enumerate(counts)]) * counts[gone]
        for gone in range(13)
        if counts[gone]
    ]
    assert sum(after) / sum(counts) == worth("in_between", "A", counts)


@EACH_TABLE
def test_the_effects_of_all_cards_sum_to_nothing(wager: str, pay: str) -> None:
    found = linear_count(hands(wager), table(wager, pay), 6)
    assert sum(found.effects.values()) == 0
    assert list(found.effects) == list(RANKS)  # suits are alike in all of them


@EACH_TABLE
def test_an_effect_is_what_one_card_less_is_worth(wager: str, pay: str) -> None:
    found, counts = linear_count(hands(wager), table(wager, pay), 6), hands(wager).fresh.tolist()
    assert worth(wager, pay, [n - (i == 3) for i, n in enumerate(counts)]) == found.expectation + found.effects["5"]


def test_the_triple_match_has_no_effect_whatever_it_pays() -> None:
    c, d = (linear_count(hands("in_between"), table("in_between", pay), 6) for pay in "CD")
    assert c.effects == d.effects and c.tags is not None and d.tags is not None and c.tags.tags == d.tags.tags
    assert c.expectation < d.expectation


@cache
def never_trading() -> Hands:
    game = game_of("perfect_match")
    return hands_of(game, "perfect_match", checked_stakes(game, None), lambda info: "check")


@pytest.mark.slow
def test_where_nobody_trades_perfect_match_has_no_linear_count() -> None:
    """Every card is as likely to match as another, so that all have the same effect, which is then none."""
    found = linear_count(never_trading(), table("perfect_match", "1"), 6)
    assert -found.expectation == Fraction(3086, 48205)
    assert set(found.effects.values()) == {0} and found.tags is None and list(found.weights) == [LINEAR]


SMALL = (2, 1, 0, 2, 1, 0, 0, 1, 0, 1, 1, 0, 2)
"""A shoe of eleven cards, by rank."""


def small(counts: Sequence[int] = SMALL) -> Hands:
    return replace(hands("in_between"), fresh=np.array(counts, np.int64))


def left_of(counts: Sequence[int], cards: int) -> Iterator[tuple[list[int], int]]:
    """Every composition of so many cards that can be left of a shoe, and in how many ways."""
    shoe = [kind for kind, count in enumerate(counts) for _ in range(count)]
    found = Counter(tuple(sorted(left)) for left in combinations(shoe, cards))
    for left, ways in found.items():
        yield [left.count(kind) for kind in range(len(counts))], ways


@pytest.mark.parametrize("cards", [4, 6, 9])
def test_no_linear_estimate_is_nearer_than_that_by_the_effects(cards: int) -> None:
    """What it misses is not correlated with the count of any card, over everything that can be left of a shoe."""
    count = small_count()
    missed = [Fraction(0)] * 13
    for left, ways in left_of(SMALL, cards):
        gone = sum(((n - m) * count.effects[rank] for n, m, rank in zip(SMALL, left, RANKS, strict=True)), Fraction(0))
        estimate = count.expectation + Fraction(sum(SMALL) - 1, cards) * gone
        error = worth("in_between", "A", left) - estimate
        for rank in range(13):
            missed[rank] += ways * error * left[rank]
    assert missed == [0] * 13


def small_count() -> LinearCount:
    """The effects in the small shoe; where a rank is not in it, none."""
    full = small().fresh[:, None]
    pay = table("in_between", "A")
    expectation = small().expectations(pay, full)[0]
    effects = {}
    for i, rank in enumerate(RANKS):
        gone = full.copy()
        gone[i] -= 1
        effects[rank] = small().expectations(pay, gone)[0] - expectation if SMALL[i] else Fraction(0)
    return LinearCount(expectation, effects, None, RANKS, sum(SMALL))


@EACH_TABLE
def test_tags_are_balanced_small_and_go_with_the_effects(wager: str, pay: str) -> None:
    count = linear_count(hands(wager), table(wager, pay), 6)
    tags = count.tags
    assert tags is not None and sum(tags.tags.values()) == 0 and set(tags.tags.values()) <= {-2, -1, 0, 1, 2}
    effects = [float(effect) for effect in count.effects.values()]
    assert tags.correlation == pytest.approx(float(np.corrcoef(effects, list(tags.tags.values()))[0, 1]))
    assert tags.correlation > 0.98


def test_at_the_pivot_the_tags_estimate_nothing() -> None:
    count = linear_count(hands("in_between"), table("in_between", "A"), 6)
    assert count.tags is not None
    decks_left = Fraction(3, 2)
    counted = count.tags.pivot * decks_left
    estimate = count.expectation + count.tags.slope * 311 / (52 * decks_left) * counted
    assert estimate == 0 and 7 < count.tags.pivot < 8


def test_the_index_is_where_the_bent_estimate_is_nothing() -> None:
    count = linear_count(hands("in_between"), table("in_between", "B"), 6)
    for gone in (156, 234, 276):
        away = count.index(gone) - float(count.expectation)
        spread = count.spread * gone / (311 * (312 - gone))
        assert float(count.expectation) + away + count.bend * (away**2 - spread) == pytest.approx(0, abs=1e-12)
    assert count.bend > 0 and count.index(156) < count.index(234) < count.index(276)


@pytest.mark.parametrize("cards", [4, 6, 9])
def test_the_spread_of_the_linear_estimate_is_that_of_everything_that_can_be_left(cards: int) -> None:
    count = small_count()
    weights = count.weights[LINEAR]
    spread = float((weights**2 * SMALL).sum()) / 11
    squares = ways_of_all = 0.0
    for left, ways in left_of(SMALL, cards):
        squares += ways * float(weights @ (np.array(SMALL) - left) / cards) ** 2
        ways_of_all += ways
    assert squares / ways_of_all == pytest.approx(spread * (11 - cards) / (10 * cards))


@pytest.mark.slow
@pytest.mark.usefixtures("walked_once")
def test_an_index_for_the_depth_wins_more_than_the_index_at_zero() -> None:
    for pay in "AB":
        won = counted(pay, samples=4_000)["in_between"][pay].at.won
        assert won[INDEXED].per_100.value > won[LINEAR].per_100.value
    assert won[INDEXED].per_100.value > 1.1 * won[LINEAR].per_100.value  # the gain is largest in table B


# Counts of groups.

HALVES = Grouping(BLOCKS[0], ("234567", "89TJQKA"))
COLOURS = Grouping(BLOCKS[1], ("23456789TJQKA",))
COLOURED_HALVES = Grouping(BLOCKS[1], HALVES.classes)
ALONE = Grouping(BLOCKS[0], tuple(RANKS))


def estimate_of(grouping: Grouping, found: Hands, pay: PayTable) -> GroupEstimate:
    return GroupEstimate(grouping, found.cards, found.fresh, found.sums([float(net) for net in found.nets(pay)]))


def exactly(number: float) -> Fraction:
    """The fraction that a number stands for, where it has no large denominator."""
    found = Fraction(number).limit_denominator(10**5)
    assert float(found) == pytest.approx(number, abs=1e-9)
    return found


@pytest.mark.parametrize("grouping", [HALVES, Grouping(BLOCKS[0], ("456789T", "23JQKA")), ALONE])
def test_a_group_estimate_is_the_mean_of_everything_that_can_be_left_with_its_counts(grouping: Grouping) -> None:
    estimate = estimate_of(grouping, small(), table("in_between", "A"))
    every = dict[tuple[float, ...], list[tuple[Fraction, int]]]()
    for left, ways in left_of(SMALL, 6):
        counts = tuple(float(count) for count in np.array(left) @ estimate.members)
        every.setdefault(counts, []).append((worth("in_between", "A", left), ways))
    assert len(every) > 2
    for counts, values in every.items():
        mean = sum((value * ways for value, ways in values), Fraction(0)) / sum(ways for _, ways in values)
        assert exactly(estimate.worth(np.array([counts]).T).item()) == mean


@BONUS
@pytest.mark.parametrize("grouping", [HALVES, COLOURS, COLOURED_HALVES])
def test_who_counts_groups_keeps_trades_and_wins_as_every_shoe_that_can_be_left_says(
    wager: str, kind: Callable[..., str], pays: dict[str, int], grouping: Grouping
) -> None:
    """Six of ten cards are left: all their deals, with each first card kept and traded, by the counts of the groups."""
    shoe = near(3)
    shoe[next(card for card, count in enumerate(shoe) if count)] -= 1
    found = replace(hands(wager), fresh=np.array(shoe, np.int64))
    estimate = estimate_of(grouping, found, table(wager, "1"))
    cards = [card for card, count in enumerate(shoe) for _ in range(count)]
    kinds = [grouping.kind_of(card) for card in found.cards]
    pay = {hand: pays.get(kind([(card % 13 + 2, card // 13) for card in hand]), -1) for hand in permutations(cards, 3)}
    won = dict[tuple[float, ...], Numbers]()
    shoes = Counter[tuple[float, ...]]()
    for places in combinations(range(10), 6):
        left = [cards[place] for place in places]
        counts = tuple(sum(estimate.members[card] for card in left))
        sums = won.setdefault(counts, np.zeros((2, len(grouping.kinds))))
        shoes[counts] += 1
        for first, one, two, next_one in permutations(left, 4):
            sums[:, kinds[first]] += pay[first, one, two] + 1, pay[next_one, one, two] + 1
    total = Fraction(0)
    for counts, sums in won.items():
        kept, traded = estimate.choices(np.array([counts]).T)
        assert traded is not None
        mean = [[Fraction(int(number), shoes[counts]) for number in row] for row in sums]
        assert [exactly(number) for number in kept[0, :, 0]] == mean[0]
        assert [exactly(number) for number in traded[0, :, 0]] == mean[1]
        best = sum(map(max, zip(*mean, strict=True))) / 360 - 1
        assert exactly(estimate.worth(np.array([counts]).T).item()) == best
        total += max(best, Fraction(0)) * shoes[counts]
    assert total > 0
    sample = Sample(found, [Valued(found.nets(table(wager, "1")), 0.0, {}, groups={"groups_2": estimate})], [0, 4])
    (tally,) = sample.deal(2_000, "test")
    dealt, square = (float(sums[1]) / 2_000 for sums in tally.sums["groups_2"][1:3])
    assert dealt == pytest.approx(float(total / 210), abs=4.5 * sqrt((square - dealt**2) / 2_000))


def test_who_counts_every_rank_alone_is_a_perfect_counter_of_in_between() -> None:
    estimate = estimate_of(ALONE, hands("in_between"), table("in_between", "D"))
    for seed in range(3):
        counts = random_counts(seed, 13, 24, 60)
        assert exactly(estimate.worth(column(counts).astype(np.float64)).item() * 60 * 59 * 58) == (
            worth("in_between", "D", counts) * 60 * 59 * 58
        )


def two_groups(grouping: Grouping, pay: str, wager: str, book: bool = False) -> float:
    """What two groups win in a hundred hands of six decks up to 90 %, by the exact chances of every count."""
    found = hands(wager)
    estimate, won = estimate_of(grouping, found, table(wager, pay)), 0.0
    first, second = (int(size) for size in estimate.fresh)
    trades = np.zeros(len(grouping.kinds), bool)
    for card, trade in zip(found.cards, found.trades, strict=True):
        trades[grouping.kind_of(card)] = trade
    for gone in range(0, 281, 6):
        left = 312 - gone
        counts = np.array([(k, left - k) for k in range(max(0, left - second), min(first, left) + 1)], np.float64).T
        chances = [comb(first, int(k)) * comb(second, int(left - k)) / comb(312, left) for k in counts[0]]
        kept, traded = estimate.choices(counts)
        assert traded is not None
        does = trades[:, None] if book else traded[0] > kept[0]
        worth_then = -1 + np.where(does, traded[0], kept[0]).sum(axis=0) / estimate.every(counts)
        won += float(np.maximum(worth_then, 0) @ chances)
    return 100 * won / 47


@pytest.mark.slow
def test_one_count_of_two_groups_that_also_decides_the_trade_wins_twice_what_betting_alone_does() -> None:
    """The figures were found by other code, from the printed rules and the same chances."""
    assert two_groups(HALVES, "1", "perfect_match", book=True) == pytest.approx(0.2318, abs=5e-5)
    assert two_groups(HALVES, "1", "perfect_match") == pytest.approx(0.4811, abs=5e-5)
    assert two_groups(HALVES, "1", "three_card_bonus") == pytest.approx(0.4451, abs=5e-5)
    assert two_groups(COLOURS, "2", "three_card_bonus") == pytest.approx(1.3188, abs=5e-5)


def test_two_groups_are_told_from_which_counts_on_to_wager_and_what_to_trade() -> None:
    rule = group_rule(COLOURS, estimate_of(COLOURS, hands("three_card_bonus"), table("three_card_bonus", "2")), [276])
    few, many = rule.around(276, 36)
    assert few is not None and many is not None and few.high + many.low == 36  # the colours are alike
    assert {kind.suits for kind in few.trades} == {"cs"} and {kind.suits for kind in many.trades} == {"dh"}
    (low, high), text = (rule.bets[276][0].low, rule.bets[276][-1].high), COLOURS.text
    assert (low, high, text) == (0, 36, "black | red")


def test_a_rule_of_groups_decides_with_any_counts_what_the_estimate_says() -> None:
    grouping = Grouping(BLOCKS[3], (RANKS,))
    estimate = estimate_of(grouping, hands("three_card_bonus"), table("three_card_bonus", "2"))
    rule = group_rule(grouping, estimate, [])
    rich, even = rule.decide(15, 9, 6, 6), rule.decide(9, 9, 9, 9)
    assert (
        rich.wagers
        and not even.wagers
        and rich.worth == estimate.worth(column([15, 9, 6, 6]).astype(np.float64)).item()
    )
    assert {kind.suits for kind in rich.trades} == {"d", "h", "s"}  # clubs are kept
    with pytest.raises(BadValue, match=r"up to \[78, 78, 78, 78\] cards left; not \[79, 0, 0, 0\]"):
        rule.decide(79, 0, 0, 0)
    with pytest.raises(BadValue, match="A round takes 4 cards or more, and 3 are left"):
        rule.decide(1, 1, 1, 0)


def test_a_card_that_is_gone_makes_keeping_its_own_kind_worth_less() -> None:
    rule = group_rule(COLOURS, estimate_of(COLOURS, hands("three_card_bonus"), table("three_card_bonus", "2")), [])
    for kind, (full, *less) in rule.kept.items():
        own = COLOURS.blocks.index(kind.suits)
        assert less[own] < full < less[1 - own]


@pytest.mark.parametrize(
    ("grouping", "text"),
    [
        (HALVES, "2-7 | 8-A"),
        (HALVES.moved("A", 0), "2-7 A | 8-K"),
        (COLOURED_HALVES, "black 2-7 | black 8-A | red 2-7 | red 8-A"),
        (Grouping(BLOCKS[3], (RANKS,)), "clubs | diamonds | hearts | spades"),
    ],
)
def test_groups_have_names_that_a_person_can_remember(grouping: Grouping, text: str) -> None:
    assert grouping.text == text


def test_the_outer_ranks_are_found_to_be_a_group_of_in_between() -> None:
    found = hands("in_between")
    count = linear_count(found, table("in_between", "A"), 6)
    left = found.fresh[:, None, None] - cards_gone(found.fresh, [0, 240, 276], 300, "test")[:, 1:]
    sums = found.sums([float(net) for net in found.nets(table("in_between", "A"))])
    best = best_groupings(found, sums, count.effects, left.astype(np.float64))
    assert list(best) == [2, 3, 4, 7, 13] and best[13].text == ALONE.text
    assert {"2", "A", "K"} <= set(max(best[2].classes, key=lambda ranks: "A" in ranks))
    assert all(len(grouping.groups) <= number for number, grouping in best.items())


# The required wager beside the bonus.


@pytest.mark.slow
@pytest.mark.parametrize("ratio", cases([1, 4, 20], quick=[4]))
def test_with_any_cards_left_both_wagers_together_win_what_the_solver_wins_with_both_stakes(ratio: int) -> None:
    game, found = game_of("three_card_bonus"), hands("three_card_bonus")
    counts = near(3)
    small_shoe = replace(found, fresh=np.array(counts, np.int64))
    nets = found.nets(table("three_card_bonus", "1"))
    sample = Sample(small_shoe, [Valued(nets, 0.0, {})], [0], required_play(game), [0.0, float(ratio)], 1)
    (tally,) = sample.deal(2, "test")
    base, both = tally.joint[PLAYING][0] / 2
    stakes = {"base": Fraction(1), "three_card_bonus": Fraction(ratio)}
    alone, solver = Depleted(game, Unseen(tuple(counts))), Depleted(game, Unseen(tuple(counts)), stakes)
    by_solver = -(solver.wager("base").edge + ratio * solver.wager("three_card_bonus").edge)
    assert float(base) == pytest.approx(float(-alone.wager("base").edge), abs=1e-12)
    assert float(both) == pytest.approx(max(float(by_solver), float(base)), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [6, 8])
def test_by_the_book_the_ante_costs_what_is_analysed(decks: int) -> None:
    game, found = game_of("three_card_bonus", decks=decks), hands("three_card_bonus", decks)
    assert required_play(game).edge(found.cards, found.trades) == feltworks.analyze(game, wager="base")["base"].edge


def test_a_bonus_breaks_even_where_what_both_win_is_nothing() -> None:
    ratios = [Fraction(0), Fraction(1), Fraction(2), Fraction(4)]
    won = [Estimate(value, value - 1, value + 1) for value in (-4, -3, 1, 9)]
    both = Together.by_ratio(ratios, won)
    assert both.breaks_even_from == (1.75, 1.5, 2.0) and both.words == "1.8 (1.5 to 2.0)"
    never = Together.by_ratio(ratios, [Estimate(-4, -5, -3)] * 4)
    assert never.breaks_even_from == (None, None, None) and never.words == "above 4"


def test_who_plays_by_the_book_pays_the_edge_in_every_hand() -> None:
    both = Together.beside([Fraction(0), Fraction(10)], Fraction(4, 100), Estimate(0.8, 0.0, 1.0))
    assert both.breaks_even_from == (5.0, 4.0, None) and both.words == "5.0 (4.0 or more)"
    assert both.per_100[Fraction(10)].value == pytest.approx(4)


@pytest.mark.usefixtures("walked_once")
def test_what_is_found_does_not_depend_on_how_many_threads_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for number in (1, 3):
        monkeypatch.setattr("feltworks.lab.card_counting.counting.processors", lambda number=number: number)
        told.append(counted("A", samples=3 * CHUNK).to_json())
    assert told[0] == told[1]


# Shoes that are sampled.


def depths_of(shoe: Sequence[int], starts: Sequence[int], shoes: int) -> list[Depth]:
    """The cut card after each round of a small shoe, table A."""
    count, found = small_count(), small(shoe)
    nets = found.nets(table("in_between", "A"))
    sample = Sample(found, [Valued(nets, float(count.expectation), count.weights)], starts)
    for number in range(shoes // CHUNK):
        sample.add(sample.deal(CHUNK, f"test/{number}"))
    tally = sample.tallies[0]
    return [tally.at(Fraction(start, 11), rounds, start) for rounds, start in enumerate(starts, start=1)]


def test_a_sample_finds_what_all_shoes_have_that_can_be_left() -> None:
    shoes, starts = 4_000, (0, 3, 5, 8)
    for depth in depths_of(SMALL, starts, shoes):
        every = list(left_of(SMALL, 11 - depth.gone))
        total = sum(ways for _, ways in every)
        assert total == comb(11, depth.gone)
        values = [(worth("in_between", "A", left), ways) for left, ways in every]
        share = sum(ways for value, ways in values if value > 0) / total
        mean = float(sum((ways * value for value, ways in values if value > 0), Fraction(0)) / total)
        won = depth.won[PERFECT]
        assert won.last.value == pytest.approx(share, abs=4.5 * sqrt(share * (1 - share) / shoes))
        if won.last_worth is not None and share < 1:
            reach = 2.3 * (won.last_worth.high - won.last_worth.value)
            assert won.last_worth.value == pytest.approx(mean / share, abs=reach)


def test_what_is_won_up_to_a_cut_card_is_the_mean_over_all_rounds_before_it() -> None:
    shoes, starts = 4_000, (0, 3, 5, 8)
    won = Fraction(0)
    for rounds, depth in enumerate(depths_of(SMALL, starts, shoes), start=1):
        every = [(worth("in_between", "A", left), ways) for left, ways in left_of(SMALL, 11 - depth.gone)]
        won += sum((max(value, Fraction(0)) * ways for value, ways in every), Fraction(0)) / comb(11, depth.gone)
        found = depth.won[PERFECT].per_100
        exact = float(100 * won / rounds)
        assert abs(found.value - exact) <= 2.3 * (found.high - found.value) + 1e-9


@pytest.mark.usefixtures("walked_once")
def test_a_perfect_counter_wins_at_least_what_any_other_does_in_the_same_shoes() -> None:
    for found in counted("A", samples=200)["in_between"].values():
        for depth in found.depths:
            others = [won.per_100.value for name, won in depth.won.items() if name != PERFECT]
            assert len(others) == 13 and depth.won[PERFECT].per_100.value >= max(others)


def counted(pay: str | None = None, **options: Any) -> Counting:
    return feltworks.counting("in-between", pay={"in_between": pay} if pay else None, **options)


@pytest.mark.usefixtures("walked_once")
def test_a_seed_gives_the_same_shoes_again_and_another_one_others() -> None:
    first, again, other = (counted("A", samples=150, seed=seed) for seed in (1, 1, 2))
    assert first.to_json() == again.to_json() != other.to_json()


@pytest.mark.slow
@pytest.mark.usefixtures("walked_once")
def test_all_listed_pay_tables_are_counted_unless_one_is_chosen() -> None:
    every = counted(samples=100)
    assert list(every["in_between"]) == ["A", "B", "C", "D"]
    assert list(counted("C", samples=100)["in_between"]) == ["C"]
    assert counted("C", samples=100)["in_between"]["C"].to_json() == every["in_between"]["C"].to_json()
    made_up = feltworks.load("in-between", pay={"in_between": "30,12,6,4,3/2"})
    assert list(feltworks.counting(made_up, samples=100)["in_between"]) == ["custom"]


@pytest.mark.slow
@pytest.mark.usefixtures("walked_once")
def test_a_pay_table_is_told_with_the_fingerprint_of_the_game_that_has_it() -> None:
    found = counted(samples=100)["in_between"]
    prints = {name: feltworks.load("in-between", pay={"in_between": name}).fingerprint["definition"] for name in "ABCD"}
    assert {name: each.definition for name, each in found.items()} == prints


@pytest.mark.usefixtures("walked_once")
def test_odds_that_are_no_whole_numbers_are_valued_exactly_too() -> None:
    game = feltworks.load("in-between", pay={"in_between": "30,12,6,4,3/2"})
    found = feltworks.counting(game, samples=100)["in_between"]["custom"]
    assert -found.count.expectation == feltworks.analyze(game, wager="in_between")["in_between"].edge


@pytest.mark.usefixtures("walked_once")
def test_what_a_cut_card_brings_does_not_depend_on_where_the_asked_one_lies() -> None:
    deep, less = counted("A", samples=100, penetration=0.9), counted("A", samples=100, penetration="3/4")
    rows = [{d.penetration: d for d in each["in_between"]["A"].depths} for each in (deep, less)]
    assert rows[0] == rows[1]
    assert less["in_between"]["A"].at == rows[0][Fraction(3, 4)] and less.penetration == Fraction(3, 4)


@pytest.mark.usefixtures("walked_once")
def test_rounds_begin_while_less_than_the_penetration_is_dealt() -> None:
    at = counted("A", samples=100, penetration=0.5, cards=12)["in_between"]["A"].at
    assert (at.hands, at.gone) == (13, 144)  # 156 cards are the half of the shoe


@pytest.mark.usefixtures("walked_once")
def test_progress_is_told_to_the_last_shoe() -> None:
    told: list[tuple[int, int]] = []
    counted("A", samples=CHUNK + 50, progress=lambda done, of: told.append((done, of)))
    assert told == [(CHUNK, CHUNK + 50), (CHUNK + 50, CHUNK + 50)]


@pytest.mark.usefixtures("walked_once")
def test_what_a_count_is_worth_is_shown_in_a_notebook() -> None:
    shown = counted("B", samples=100)._repr_html_()
    assert "IN BETween, table B" in shown and "<td>90 %</td>" in shown


# Intervals.


def test_a_share_of_none_may_still_be_some() -> None:
    none, some, every = (Estimate.share(count, 100) for count in (0, 30, 100))
    assert (none.value, none.low) == (0, 0) and 0.03 < none.high < 0.04
    assert some.low < 0.3 < some.high and (every.value, every.high) == (1, 1) and every.low > 0.96


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.usefixtures("walked_once")
def test_the_intervals_hold_what_they_promise() -> None:
    """Of many small samples about 95 % hold the figure of a large one, and no interval is wider than it need be: its
    half is 1.96 times what small samples differ by."""
    large = figures_of(counted("A", samples=8_000, seed=1))
    seeds = range(SEED + 100, SEED + 100 + share(50, soak=1_000))
    small = [figures_of(counted("A", samples=200, seed=seed)) for seed in seeds]
    for name, figure in large.items():
        estimates = [figures[name] for figures in small]
        assert sum(e.low <= figure.value <= e.high for e in estimates) / len(seeds) >= 0.85, name
        claimed = sum(e.high - e.low for e in estimates) / len(seeds) / 2 / 1.96
        assert abs(stdev(e.value for e in estimates) / claimed - 1) < 4 / sqrt(2 * len(seeds)), name


def figures_of(counting: Counting) -> dict[str, Estimate]:
    won = counting["in_between"]["A"].at.won[PERFECT]
    assert won.worth is not None
    return {"per 100": won.per_100, "wagered": won.wagered, "worth": won.worth}


# The verdict.


def won_by(**ends: tuple[float, float]) -> dict[str, Won]:
    some = Estimate(0.1, 0.1, 0.1)
    return {
        name: Won(some, None, some, None, Estimate((low + high) / 2, low, high), 1.0)
        for name, (low, high) in ends.items()
    }


@pytest.mark.parametrize(
    ("won", "said"),
    [
        (won_by(perfect=(0.2, 0.4), linear=(0.1, 0.2), groups_2=(0.1, 0.2)), NOT_WORTH),
        (won_by(perfect=(1.2, 1.4), linear=(0.1, 0.2), groups_13=(1.2, 1.4)), COMPUTER_ONLY),
        (won_by(perfect=(0.2, 0.4), playing=(1.2, 1.4), linear=(0.1, 0.2), groups_4=(0.8, 0.9)), COMPUTER_ONLY),
        (won_by(perfect=(0.2, 0.4), playing=(3.2, 3.4), linear=(0.1, 0.2), groups_2=(1.2, 1.4)), WORTH),
        (won_by(perfect=(2.2, 2.4), linear=(1.1, 1.2)), WORTH),
        (won_by(perfect=(0.9, 1.1), linear=(0.1, 0.2)), OPEN),
        (won_by(perfect=(1.5, 1.7), linear=(0.1, 0.2), groups_4=(0.9, 1.1)), OPEN),
    ],
)
def test_a_verdict_says_what_a_person_can_do_when_the_intervals_allow_it(won: dict[str, Won], said: str) -> None:
    assert verdict(won) == said


def test_a_person_keeps_four_groups_at_most() -> None:
    won = won_by(perfect=(5, 6), linear=(1, 2), groups_4=(2, 3), groups_7=(3, 4), groups_13=(4, 5))
    assert best_person(won) == "groups_4"


@pytest.mark.usefixtures("walked_once")
def test_the_note_tells_the_best_count_for_a_person_and_the_bonus_that_breaks_even() -> None:
    found = counted("A", samples=100)["in_between"]["A"]
    person = found.together[best_person(found.at.won)]
    assert found.note.startswith(
        "Not worth counting: in 100 hands with the cut card at 90 % the best count found for a"
    )
    assert person.words in found.note and "times the Blackjack wager" in found.note


@pytest.mark.usefixtures("walked_once")
def test_no_approved_pay_table_is_worth_counting_from_six_decks_up_to_nine_tenths() -> None:
    for found in counted(samples=500)["in_between"].values():
        assert found.verdict == NOT_WORTH and found.worth_while_from is None


# What is refused.


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("yo", {}, "dice have no memory"),
        ("down-under-holdem", {}, "freshly shuffled pack in every round"),
        (
            "in-between",
            {"wager": "base"},
            "Blackjack is played with decisions, .* only bonus wagers are counted: in_between",
        ),
        ("one-for-the-money", {"wager": "base"}, "Ante is played with decisions"),
        ("in-between", {"wager": "tie"}, "There is no wager 'tie'"),
        ("in-between", {"pay": {"in_between": "E"}}, "There is no pay table for in_between 'E'"),
        ("in-between", {"penetration": 0}, "above 0 and at most 1, such as 0.75; 0 is not"),
        ("in-between", {"penetration": 75}, "above 0 and at most 1, such as 0.75; 75 is not"),
        ("in-between", {"penetration": 1.01}, "above 0 and at most 1"),
        ("in-between", {"penetration": "deep"}, "'deep' is not a number"),
        ("in-between", {"penetration": 0.995, "cards": 10}, "leaves too few of 312 cards for a last round of 10"),
        ("in-between", {"cards": 2}, "takes 3 cards or more, and the shoe has 312; not 2"),
        ("in-between", {"samples": 1}, "choose 2 to 1,000,000"),
        ("in-between", {"stakes": {"in_between": -1}}, "stake of -1"),
    ],
)
def test_what_cannot_be_counted_is_refused_with_a_reason(game: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(FeltworksError, match=said):
        feltworks.counting(game, **{"samples": 100, **options})


@pytest.mark.usefixtures("walked_once")
def test_the_deepest_penetration_that_is_offered_is_taken() -> None:
    with pytest.raises(BadValue, match=r"choose at most 0\.99") as refused:
        counted("A", samples=100, cards=10, penetration=1)
    assert counted("A", samples=100, cards=10, penetration=str(refused.value).rstrip(".").split()[-1])


def test_a_card_that_goes_back_into_the_shuffler_leaves_nothing_to_count() -> None:
    game = feltworks.load("one-for-the-money", readings={"traded_card": "back"})
    with pytest.raises(BadValue, match="With traded_card=back cards go back into a continuous shuffler"):
        feltworks.counting(game)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("peek", "has no bonus wager"),
        ("sides", "has no bonus wager, and only those are counted: "),
        ("bands", "a reader's light"),
    ],
)
def test_games_of_other_kinds_are_refused(game: str, said: str, toys: Path) -> None:
    with pytest.raises(FeltworksError, match=said):
        feltworks.counting(feltworks.load(game, folders=[toys]))
