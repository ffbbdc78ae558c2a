"""The kernel plays a round as the rules and the solution say, and its rounds end as often as the exact figures say."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy import uint64
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator import kernel
from feltworks.games.down_under_holdem.enumerator.bands import BANDS, UNSEEN
from feltworks.games.down_under_holdem.enumerator.bonuses import (
    jackpot_option_1,
    jackpot_options_2_and_3,
    match_the_dealer,
    trips_or_better,
)
from feltworks.games.down_under_holdem.enumerator.flop_states import (
    cards_of,
    class_of,
    flops,
    holes,
    lookup,
    place_of,
    state_of,
    states,
)
from feltworks.games.down_under_holdem.enumerator.kernel import (
    Lines,
    Played,
    SimulatedRounds,
    Times,
    play_out,
    simulate,
)
from feltworks.games.down_under_holdem.enumerator.outcomes import Outcomes, outcomes
from feltworks.games.down_under_holdem.enumerator.solution import PAID, solve_flop
from feltworks.games.down_under_holdem.jackpot import COMMUNITY, FLOPPED, IN_SEVEN
from feltworks.kit.cards import SUITED_CARDS, Card
from feltworks.kit.errors import BadCard, BadValue, FeltworksError
from feltworks.kit.philox import draw, key_of
from feltworks.kit.poker import HandRank, best_hand
from tests.games.down_under.support import flop, indices, not_folded, solution
from tests.quick import SEED, share, sigmas

MILLION = 1_000_000
DEVIATION = 4.717855
"""Of the net result of a round in Antes, as test_solution has it."""

# A state is found by its cards.


def form(*groups: list[int]) -> tuple[tuple[int, ...], ...]:
    """Cards in groups, with the names of the suits that make the least of them."""
    return min(
        tuple(tuple(sorted(13 * suits[card // 13] + card % 13 for card in group)) for group in groups)
        for suits in permutations(range(4))
    )


def check_state(hole: list[int], board: list[int]) -> None:
    state_board, state_hole = cards_of(state_of(hole, board))
    assert form(hole, board) == form(state_hole, state_board)


@pytest.mark.rule("D-21")
def test_any_flop_and_hole_cards_are_found_as_a_state_with_other_names_of_the_suits() -> None:
    for cards in dealt(3_000, 5, seed=1):
        check_state(cards[:2], cards[2:])


@pytest.mark.rule("D-21")
@pytest.mark.parametrize("board", ["9h4h2h", "KdTd7s", "5s5d9c", "8c8h8s"])
def test_all_hole_cards_are_found_on_a_flop(board: str) -> None:
    left = [card for card in range(52) if card not in indices(board)]
    for hole in combinations(left, 2):
        check_state(list(hole), indices(board))
    found = {state_of(hole, indices(board)) for hole in combinations(left, 2)}
    [number] = {int(states().flop[state]) for state in found}
    assert len(found) == (states().flop == number).sum()


@njit
def find_all(tables: Any, classes: Any, of_state: Any, times: Any) -> int:
    """Find every flop with all hole cards, count each state and say how often it had another class of hole cards."""
    wrong = 0
    for x in range(2, 52):
        for y in range(1, x):
            for z in range(y):
                for a in range(1, 52):
                    for b in range(a):
                        if a in (x, y, z) or b in (x, y, z):
                            continue
                        state = tables.states[place_of(tables, a, b, y, z, x)]
                        times[state] += 1
                        wrong += of_state[state] != classes[a, b]
    return wrong


@pytest.mark.rule("D-21")
def test_every_state_is_found_as_often_as_it_stands_for_deals() -> None:
    times = np.zeros(len(states().times), np.int64)
    classes = np.array([[class_of(a, b) for b in range(52)] for a in range(52)])
    assert find_all(lookup(), classes, states().classes, times) == 0
    assert (times == states().times).all()


def test_the_cards_of_a_state_are_found_in_any_order() -> None:
    board, hole = indices("KdTd7s"), indices("Qd7h")
    found = {state_of(two, three) for two in permutations(hole) for three in permutations(board)}
    assert len(found) == 1


# A round of the kernel is a round by the rules.


def dealt(number: int, size: int, seed: int, deck: list[int] | None = None) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(deck or 52)[:size].tolist() for _ in range(number)]


@cache
def numbers_of_flops() -> dict[tuple[int, ...], int]:
    return {tuple(sorted(cards)): number for number, cards in enumerate(flops().cards.tolist())}


@cache
def numbers_of_holes(pattern: int) -> dict[tuple[int, ...], int]:
    return {tuple(sorted(cards)): number for number, cards in enumerate(holes(pattern).cards.tolist())}


def state_by_trying(hole: list[int], board: list[int]) -> int:
    """The number of a state, by trying all names of the suits."""
    for suits in permutations(range(4)):
        named = [tuple(sorted(13 * suits[card // 13] + card % 13 for card in cards)) for cards in (board, hole)]
        number = numbers_of_flops().get(named[0])
        if number is None:
            continue
        held = numbers_of_holes(int(flops().pattern[number])).get(named[1])
        if held is not None:
            begin, end = np.searchsorted(states().flop, [number, number + 1])
            return int(begin + np.searchsorted(states().hole[begin:end], held))
    raise AssertionError("no such state")


def played_plainly(cards: list[int]) -> Played:
    """A round by the options of the solution and the plain evaluator."""
    hole, dealer, board = cards[:2], cards[2:4], cards[4:]
    pair = BANDS.pair([BANDS.band_of(card) for card in dealer])
    before = solution().options(class_of(*hole), pair)
    if before["3x"] > max(before["check"], before["2x"]):
        decision = "3x"
    else:
        state = state_by_trying(hole, board[:3])
        deals = solution().scale * int(flop().deals[state, pair])
        decision = "1x" if Fraction(int(flop().worth[state, pair]), deals) - 3 >= -2 else "fold"
    own, theirs = best_hand(of(hole + board)), best_hand(of(dealer + board))
    result = "fold" if decision == "fold" else "win" if own > theirs else "lose" if own < theirs else "tie"
    five = best_hand(of(hole + board[:3])).category
    return Played(
        decision,
        result,
        own.category.label if result == "win" and own.category in PAID else None,
        own.category.label if own.category >= HandRank.THREE_OF_A_KIND else None,
        matched_plainly(hole, dealer),
        jackpot_plainly(own.category, five, best_hand(of(board)).category),
        five.label if five >= HandRank.THREE_OF_A_KIND else None,
    )


def of(cards: list[int]) -> list[Card]:
    return [SUITED_CARDS[card] for card in cards]


def matched_plainly(hole: list[int], dealer: list[int]) -> str | None:
    counts = Counter(card.rank for card in of(hole + dealer))
    if max(counts.values()) > 2:
        return {4: "Four of a kind", 3: "Three of a kind"}[max(counts.values())]
    both = {card.rank for card in of(hole)} & {card.rank for card in of(dealer)}
    return {2: "2 card matches", 1: "1 card match", 0: None}[len(both)]


def jackpot_plainly(seven: HandRank, five: HandRank, board: HandRank) -> str | None:
    royal = HandRank.ROYAL_FLUSH
    if royal in (five, board, seven):
        return FLOPPED if five is royal else COMMUNITY if board is royal else IN_SEVEN
    return seven.label if seven >= HandRank.FULL_HOUSE else None


DECKS = {
    "a whole deck": (1_000, list(range(52))),
    "two suits": (500, list(range(26))),
    "one suit": (200, list(range(13))),
    "tens and higher": (500, [card for card in range(52) if card % 13 >= 8]),
    "three ranks": (300, [card for card in range(52) if card % 13 in (1, 5, 9)]),
}


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("D-05", "D-06", "D-08", "D-11", "D-12", "D-14", "D-15")
@pytest.mark.parametrize("deck", DECKS)
def test_a_round_of_given_cards_is_played_as_the_rules_and_the_options_say(deck: str) -> None:
    number, cards = DECKS[deck]
    for deal in dealt(share(number), 9, seed=SEED + 2, deck=cards):
        assert play_out(flop(), deal) == played_plainly(deal), [SUITED_CARDS[card].text for card in deal]


ROYAL, SUITED_RUN, FOUR, FULL, TRIPS = (
    "Royal flush",
    "Straight flush",
    "Four of a kind",
    "Full house",
    "Three of a kind",
)
CHOSEN: list[tuple[str, Played]] = [
    ("AsKs 7d2c QsJsTs 3h4d", Played("3x", "win", ROYAL, ROYAL, None, FLOPPED, ROYAL)),
    ("As2d 7d2c QsJsKs Ts4d", Played("3x", "win", ROYAL, ROYAL, "1 card match", IN_SEVEN, None)),
    ("2h2d 7d7c QsJsKs TsAs", Played("1x", "tie", None, ROYAL, None, COMMUNITY, None)),
    ("9s8s AdAc QsJsTs AhAs", Played("1x", "win", SUITED_RUN, SUITED_RUN, None, SUITED_RUN, SUITED_RUN)),
    ("5c5d 5h5s 9c8d2h KsQd", Played("3x", "tie", None, None, FOUR, None, None)),
    ("9c9d 9hAs KcKdKh 2s2d", Played("3x", "win", FULL, FULL, TRIPS, FULL, FULL)),
    ("9c9d AcAs KcKdKh Ks2d", Played("1x", "lose", None, FOUR, None, FOUR, FULL)),
    ("AcKd AdKh 2c7d9h 4s5s", Played("3x", "tie", None, None, "2 card matches", None, None)),
    ("7c2d AsKh QhJd9s 3c4c", Played("fold", "fold", None, None, None, None, None)),
    ("7c2d AsKh QhJd9s 7d7h", Played("fold", "fold", None, TRIPS, None, None, None)),
]


@pytest.mark.slow
@pytest.mark.rule("D-08", "D-09", "D-12", "D-15")
@pytest.mark.parametrize(("cards", "end"), CHOSEN)
def test_rare_hands_end_as_plain_play_ends_them(cards: str, end: Played) -> None:
    assert play_out(flop(), indices(cards)) == end == played_plainly(indices(cards))


# The deals are fair.


def cards_in(deck: list[int], words: tuple[int, int]) -> list[int] | None:
    """Nine cards by two words, in the order in which they are dealt: digits of two fractions, if both can be used."""
    sizes = (52, 51, 50, 46, 44), (49, 48, 47, 45)
    draws = {}
    for word, ways in zip(words, sizes, strict=True):
        sequences = int(np.prod(ways))
        if word * sequences % 2**32 < 2**32 % sequences:
            return None
        number = word * sequences // 2**32
        for left in reversed(ways):
            number, draws[left] = divmod(number, left)
    for left in sorted(draws, reverse=True):
        deck[draws[left]], deck[left - 1] = deck[left - 1], deck[draws[left]]
    return deck[:-10:-1]


def test_a_deal_is_nine_draws_of_two_words() -> None:
    words = np.empty((4, 500), np.uint32)
    draw(words, uint64(7), uint64(3), uint64(key_of(5)))
    words[:, ::50] = 0  # to be thrown away
    words[3, 25::50] = 0
    cards = np.empty((1_000, 9), np.uint8)
    number = int(kernel.deal(words, np.arange(52).astype(np.uint8), cards))
    deck = list(range(52))
    pairs = [*zip(*words[:2].tolist(), strict=True), *zip(*words[2:].tolist(), strict=True)]
    expected = [row for pair in pairs if (row := cards_in(deck, pair)) is not None]
    assert number == len(expected) <= 1_000 - 30
    assert cards[:number, list(kernel.DEALT)].tolist() == expected


def test_hardly_a_deal_is_thrown_away() -> None:
    first, second = int(kernel.FIRST_SEQUENCES), int(kernel.SECOND_SEQUENCES)
    assert first * second == int(np.prod(range(44, 53)))
    assert max(first, second) < 2**32
    assert 1 - (1 - 2**32 % first / 2**32) * (1 - 2**32 % second / 2**32) < 1 / 1_500


def many_deals(blocks: int) -> NDArray[np.uint8]:
    words, cards = np.empty((4, blocks), np.uint32), np.empty((2 * blocks, 9), np.uint8)
    draw(words, uint64(0), uint64(0), uint64(key_of(8)))
    return cards[: int(kernel.deal(words, np.arange(52).astype(np.uint8), cards))]


def spread(observed: NDArray[np.int64]) -> float:
    """How far counts of what is equally likely are from each other, in standard deviations of that measure."""
    expected, freedom = observed.sum() / observed.size, observed.size - 1
    return float((((observed - expected) ** 2).sum() / expected - freedom) / sqrt(2 * freedom))


def test_every_card_comes_to_every_place_as_often_as_any_other() -> None:
    cards = many_deals(1_000_000)
    assert all(abs(spread(np.bincount(column, minlength=52))) < 4 for column in cards.T)
    apart = ~np.eye(52, dtype=bool)
    for first, second in combinations(range(9), 2):
        counts = np.bincount(52 * cards[:, first].astype(np.int64) + cards[:, second], minlength=52 * 52)
        assert not counts.reshape(52, 52)[~apart].any()
        assert abs(spread(counts.reshape(52, 52)[apart])) < 4
    after = np.bincount(52 * cards[:-1, kernel.H1].astype(np.int64) + cards[1:, kernel.H1], minlength=52 * 52)
    assert abs(spread(after)) < 4


# Rounds end as often as they should.


def z(count: int, chance: Fraction, rounds: int) -> float:
    """How far a count is from what is expected, in standard deviations; one that cannot happen must not."""
    if not chance:
        assert not count
        return 0.0
    return float(count - rounds * chance) / sqrt(rounds * chance * (1 - chance))


def z_of_edge(counted: SimulatedRounds, edge: Fraction, deviation: float) -> float:
    return float(Outcomes(counted.base).mean + edge) * sqrt(counted.rounds) / deviation


def z_of_decisions(counted: SimulatedRounds) -> dict[str, float]:
    made: Counter[str] = Counter()
    for outcome in counted.base:
        made[outcome.decision] += outcome.deals
    return {name: z(made[name], solution().frequencies[name], counted.rounds) for name in ("3x", "1x", "fold")}


def z_of_lines(name: str, lines: Lines, chances: Mapping[str, Fraction], rounds: int, what: str) -> dict[str, float]:
    assert list(lines) == list(chances)
    return {f"{name}, {line}, {what}": z(getattr(lines[line], what), chances[line], rounds) for line in chances}


def z_where_folded_hands_qualify(counted: SimulatedRounds) -> dict[str, float]:
    return {
        **z_of_lines("trips", counted.trips, trips_or_better(), counted.rounds, "every"),
        **z_of_lines("match", counted.match, match_the_dealer(), counted.rounds, "every"),
        **z_of_lines("jackpot 1", counted.jackpot_1, jackpot_option_1(), counted.rounds, "every"),
        **z_of_lines("jackpot 2", counted.jackpot_2_and_3, jackpot_options_2_and_3(), counted.rounds, "every"),
    }


def z_where_they_forfeit(counted: SimulatedRounds) -> dict[str, float]:
    deals = not_folded()
    return {
        **z_of_lines("trips", counted.trips, trips_or_better(deals), counted.rounds, "not_folded"),
        **z_of_lines("match", counted.match, match_the_dealer(deals), counted.rounds, "not_folded"),
        **z_of_lines("jackpot 1", counted.jackpot_1, jackpot_option_1(deals), counted.rounds, "not_folded"),
        **z_of_lines(
            "jackpot 2", counted.jackpot_2_and_3, jackpot_options_2_and_3(deals), counted.rounds, "not_folded"
        ),
    }


def within_four(scores: Mapping[str, float]) -> bool:
    return all(abs(score) < sigmas(4) for score in scores.values())


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("D-09", "D-20", "D-21")
def test_rounds_end_in_every_way_as_often_as_they_should() -> None:
    exact, rounds = outcomes(solution(), flop().played_deals), share(10 * MILLION, soak=200 * MILLION)
    counted = simulate(flop(), rounds, seed=SEED + 2, workers=2)
    assert counted.rounds == rounds == Outcomes(counted.base).deals
    assert abs(z_of_edge(counted, solution().edge, exact.standard_deviation)) < sigmas(4)
    assert within_four(z_of_decisions(counted))
    for ended, expected in zip(counted.base, exact.every, strict=True):
        assert (ended.decision, ended.result, ended.line, ended.net) == (
            expected.decision, expected.result, expected.line, expected.net,
        )  # fmt: skip
        assert abs(z(ended.deals, Fraction(expected.deals, exact.deals), rounds)) < sigmas(4), ended
    assert within_four(scores := z_where_folded_hands_qualify(counted) | z_where_they_forfeit(counted)), scores


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_z_has_the_spread_that_it_claims() -> None:
    """Over many seeds the squares of z have the mean 1, for the edge, the decisions and the lines."""
    runs, rounds = 60, 100_000
    squares: dict[str, float] = defaultdict(float)
    for seed in range(runs):
        counted = simulate(flop(), rounds, seed=seed)
        scores = {
            "edge": z_of_edge(counted, solution().edge, DEVIATION),
            **z_of_decisions(counted),
            **z_of_lines("match", counted.match, match_the_dealer(), rounds, "every"),
            **z_of_lines("jackpot", counted.jackpot_2_and_3, jackpot_options_2_and_3(), rounds, "every"),
        }
        for name, score in scores.items():
            squares[name] += score * score / runs
    rare = {"match, Four of a kind, every", "jackpot, Royal flush, every", "jackpot, Straight flush, every"}
    assert all(abs(mean - 1) < 4 * sqrt(2 / runs) for name, mean in squares.items() if name not in rare), squares


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_other_bands_are_played_by_their_own_strategy() -> None:
    unseen = solve_flop(solution(UNSEEN))
    counted = simulate(unseen, 4 * MILLION, seed=3, workers=2)
    assert abs(z_of_edge(counted, solution(UNSEEN).edge, Outcomes(counted.base).standard_deviation)) < 4
    assert abs(z_of_edge(counted, solution().edge, Outcomes(counted.base).standard_deviation)) > 20


def test_a_round_that_is_counted_is_a_round_that_is_played_out() -> None:
    """One batch, from the words to the counts, beside the same cards one by one."""
    words = np.empty((4, kernel.BLOCKS), np.uint32)
    draw(words, uint64(0), uint64(0), uint64(key_of(9)))
    cards = np.empty((kernel.BATCH, 9), np.uint8)
    kernel.deal(words, np.arange(52).astype(np.uint8), cards)
    rounds = [play_out(flop(), deal) for deal in cards[:1_000, list(kernel.DEALT)].tolist()]
    counted = simulate(flop(), 1_000, seed=9)
    assert Counter(
        {(each.decision, each.result, each.line): each.deals for each in counted.base if each.deals}
    ) == Counter((each.decision, each.result, each.line) for each in rounds)
    for name in ("trips", "match", "jackpot_1", "jackpot_2_and_3"):
        every = Counter(getattr(each, name) for each in rounds)
        played = Counter(getattr(each, name) for each in rounds if each.decision != "fold")
        assert getattr(counted, name) == {line: Times(every[line], played[line]) for line in getattr(counted, name)}


# How it runs.


def test_the_number_of_workers_changes_nothing() -> None:
    rounds = 2 * kernel.CHUNK_ROUNDS + 1_001
    told: list[tuple[int, int]] = []
    one, two, five = (
        simulate(flop(), rounds, seed=4, workers=n, progress=lambda done, total: told.append((done, total)))
        for n in (1, 2, 5)
    )
    assert one == two == five and one.rounds == rounds
    assert told == 3 * [(kernel.CHUNK_ROUNDS, rounds), (2 * kernel.CHUNK_ROUNDS, rounds), (rounds, rounds)]
    assert one != simulate(flop(), rounds, seed=5, workers=2)


@pytest.mark.parametrize("rounds", [1, 2, 2_047, 2_048, 2_049, 10_000])
def test_as_many_rounds_are_played_as_were_asked_for(rounds: int) -> None:
    counted = simulate(flop(), rounds)
    assert counted.rounds == sum(outcome.deals for outcome in counted.base) == rounds


def test_an_interrupted_simulation_ends_at_once() -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(flop(), 10**15, workers=2, progress=interrupt)  # which would take years


def test_a_strategy_is_kept_as_long_as_its_solution() -> None:
    before = len(kernel._strategies)
    other = solve_flop(solution())
    assert kernel.strategy_of(other) is kernel.strategy_of(other)
    assert len(kernel._strategies) == before + 1
    del other
    assert len(kernel._strategies) == before


@pytest.mark.parametrize(
    ("rounds", "seed", "workers", "said"),
    [
        (0, 0, 1, "A simulation needs at least 1 round, at most 1,000,000,000,000,000, and at least 1 worker."),
        (10**16, 0, 1, "A simulation needs at least 1 round, at most 1,000,000,000,000,000, and at least 1 worker."),
        (5, 0, 0, "A simulation needs at least 1 round, at most 1,000,000,000,000,000, and at least 1 worker."),
        (5, -1, 1, "A seed is a whole number from 0 on, not -1."),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_one_sentence(rounds: int, seed: int, workers: int, said: str) -> None:
    with pytest.raises(BadValue) as refused:
        simulate(flop(), rounds, seed=seed, workers=workers)
    assert isinstance(refused.value, FeltworksError) and str(refused.value) == said


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ([0, 1, 2], "A round is played with 9 cards, not with 3."),
        ([0, 1, 2, 3, 4, 5, 6, 7, 52], "The index of a card is a number from 0 to 51."),
        ([0, 1, 2, 3, 4, 5, 6, 7, -1], "The index of a card is a number from 0 to 51."),
        (
            [0, 1, 2, 3, 4, 5, 6, 0, 8],
            "A round is played with different cards of one deck: 2c 3c 4c 5c 6c 7c 8c 2c Tc.",
        ),
    ],
)
def test_cards_that_cannot_be_dealt_are_refused_in_one_sentence(cards: list[int], said: str) -> None:
    with pytest.raises(BadCard) as refused:
        play_out(flop(), cards)
    assert str(refused.value) == said
