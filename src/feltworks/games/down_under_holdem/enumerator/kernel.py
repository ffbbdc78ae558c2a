"""The compiled kernel: one seat plays whole rounds as well as possible, by the hundred million, and counts their ends.

Rounds are played by the batch, and a batch in passes: deal, decide before the flop, decide after it, read the hands,
count. So a pass is a short loop that does one thing, and while one round waits for a table the next ones are on their
way. `play_out` sends one round with given cards through the same passes.

Chance is Philox (`kit.philox`). Two words make a deal, nine draws from the cards that are left: the first word has the
draws from 52, 51, 50, 46 and 44 cards, the second those from 49, 48, 47 and 45, because divided so only one deal of
1,500 has to be thrown away. The deck is never put in order again: a fair draw is fair however the cards lie.

Importing this module brings Numba with it, so only what computes imports it.
"""

import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import NamedTuple

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import RANK_PAIRS, RANKS, TYPE_NUMBER
from feltworks.games.down_under_holdem.enumerator.bonuses import MATCH_LINES, SEVEN_CARD_LINES, TRIPS_LINES, match_line
from feltworks.games.down_under_holdem.enumerator.flop_states import CARDS, Lookup, class_of, lookup, place_of
from feltworks.games.down_under_holdem.enumerator.outcomes import Outcome
from feltworks.games.down_under_holdem.enumerator.solution import PAID, FlopStrategy, Solution
from feltworks.games.down_under_holdem.jackpot import COMMUNITY, FLOPPED, IN_SEVEN
from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.compiled import compiled
from feltworks.kit.errors import BadCard, BadValue
from feltworks.kit.fast_poker import CATEGORY_SHIFT, Tables, tables, value_of_sum
from feltworks.kit.philox import LOW, ONE, WORD, draw, is_fair, key_of, rejected
from feltworks.kit.poker import HandRank
from feltworks.kit.workers import in_chunks

MOST_ROUNDS = 10**15
CHUNK_ROUNDS = 1 << 20
"""How much is played in one chunk."""
BLOCKS = 1024
BATCH = 2 * BLOCKS
"""How many blocks are drawn at a time, a divisor of 2^32, and how many rounds that makes at most."""

D1, D2, TURN, RIVER, F1, F2, F3, H1, H2 = range(9)
END = 9
"""A deal is a row of nine cards: the dealer's, turn and river, flop, hole cards. So every hand is a slice of it."""
DEALT = (H1, H2, D1, D2, F1, F2, F3, TURN, RIVER)
"""The order in which the cards are dealt."""

FIRST_SEQUENCES, SECOND_SEQUENCES = uint64(prod((52, 51, 50, 46, 44))), uint64(prod((49, 48, 47, 45)))
FIRST_REJECT, SECOND_REJECT = (uint64(rejected(int(number))) for number in (FIRST_SEQUENCES, SECOND_SEQUENCES))

# Compiled code knows decisions, results and kinds of hands by their places here.

DECISIONS = ("3x", "1x", "fold")
RESULTS = ("win", "tie", "lose")
HAND_KINDS = (*HandRank, HandRank.ROYAL_FLUSH, HandRank.ROYAL_FLUSH)
"""The kinds of the seat's seven cards: the categories, then a royal flush that was flopped, then one that is all on the
board."""
RAISE, PLAY, FOLD = (np.uint8(number) for number in range(3))
TRIPS, ROYAL = uint64(HandRank.THREE_OF_A_KIND), uint64(HandRank.ROYAL_FLUSH)
FLOPPED_ROYAL, COMMUNITY_ROYAL = ROYAL + ONE, ROYAL + ONE + ONE
NO_MATCH = len(MATCH_LINES)
CATEGORY = uint64(CATEGORY_SHIFT)


Cards = NDArray[np.uint8]
"""The indices of cards."""


class Strategy(NamedTuple):
    """All that the passes look up."""

    ranks: NDArray[np.uint8]
    """By two cards: the number of their pair of ranks."""
    matches: NDArray[np.uint8]
    """By the seat's and the dealer's pair of ranks: the line of Match the Dealer."""
    bands: NDArray[np.uint8]
    """By the dealer's pair of ranks: the pair of bands."""
    raises: NDArray[np.uint8]
    """By hole cards and pair of bands: whether to play 3x."""
    folds: NDArray[np.uint8]
    """By pair of bands and place, a bit each: whether to fold after a check."""
    places: np.uint64
    """How many places there are for each pair of bands."""
    lookup: Lookup
    sevens: Tables
    fives: Tables


class Batch(NamedTuple):
    """Rounds side by side: their cards, and what the passes write."""

    cards: Cards
    """A row of nine for each round."""
    decision: NDArray[np.uint8]
    result: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    match: NDArray[np.uint8]
    five: NDArray[np.uint8]
    """The category of hole cards and flop, 0 for all that are less than three of a kind."""
    checked: NDArray[np.uint16]
    """Which rounds were checked before the flop."""
    place: NDArray[np.uint64]
    """And where each of these stands in the folds."""


def batch_of(size: int) -> Batch:
    decision, result, kind, match, five = np.zeros((5, size), np.uint8)
    checked, place = np.zeros(size, np.uint16), np.zeros(size, np.uint64)
    return Batch(np.zeros((size, END), np.uint8), decision, result, kind, match, five, checked, place)


class Tallies(NamedTuple):
    """What is counted."""

    base: NDArray[np.int64]
    """By decision, result and kind; also the result that a folded hand would have had."""
    match: NDArray[np.int64]
    """By whether the hand was folded, and line."""
    five: NDArray[np.int64]
    """By whether the hand was folded, and category."""


def no_tallies() -> Tallies:
    shapes = (len(DECISIONS), len(RESULTS), len(HAND_KINDS)), (2, NO_MATCH + 1), (2, len(HandRank))
    return Tallies(*(np.zeros(shape, np.int64) for shape in shapes))


# The passes


@compiled
def draw_card(deck: Cards, word: uint64, left: uint64) -> tuple[np.uint8, uint64]:
    """The next draw of a word, from the cards that are left: the card and the last of these change places."""
    word *= left
    place, last = word >> WORD, left - ONE
    card = deck[place]
    deck[place] = deck[last]
    deck[last] = card
    return card, word & LOW


@compiled
def deal(words: NDArray[np.uint32], deck: Cards, cards: Cards) -> uint64:
    """Deal as many rounds as the words are good for, and say how many."""
    dealt = uint64(0)
    for row in range(0, 4, 2):
        for block in range(words.shape[1]):
            a, b = uint64(words[row, block]), uint64(words[row + 1, block])
            if not (is_fair(a, FIRST_SEQUENCES, FIRST_REJECT) and is_fair(b, SECOND_SEQUENCES, SECOND_REJECT)):
                continue
            cards[dealt, H1], a = draw_card(deck, a, uint64(52))
            cards[dealt, H2], a = draw_card(deck, a, uint64(51))
            cards[dealt, D1], a = draw_card(deck, a, uint64(50))
            cards[dealt, D2], b = draw_card(deck, b, uint64(49))
            cards[dealt, F1], b = draw_card(deck, b, uint64(48))
            cards[dealt, F2], b = draw_card(deck, b, uint64(47))
            cards[dealt, F3], a = draw_card(deck, a, uint64(46))
            cards[dealt, TURN], b = draw_card(deck, b, uint64(45))
            cards[dealt, RIVER], a = draw_card(deck, a, uint64(44))
            dealt += ONE
    return dealt


@compiled
def before_flop(batch: Batch, dealt: uint64, strategy: Strategy) -> uint64:
    """Match the cards with the dealer's; raise or check, and say how many have checked."""
    cards, checked = batch.cards, uint64(0)
    for i in range(dealt):
        hole, dealer = strategy.ranks[cards[i, H1], cards[i, H2]], strategy.ranks[cards[i, D1], cards[i, D2]]
        pair = strategy.bands[dealer]
        batch.match[i] = strategy.matches[hole, dealer]
        batch.decision[i] = RAISE
        # Written for every round, and kept by the next step for those that check: faster than to ask.
        batch.checked[checked], batch.place[checked] = i, strategy.places * uint64(pair)
        checked += ONE - uint64(strategy.raises[cards[i, H1], cards[i, H2], pair])
    return checked


@compiled
def after_flop(batch: Batch, checked: uint64, strategy: Strategy) -> None:
    """Play 1x or fold where it was checked."""
    cards = batch.cards
    for k in range(checked):
        i = batch.checked[k]
        place = place_of(strategy.lookup, cards[i, H1], cards[i, H2], cards[i, F1], cards[i, F2], cards[i, F3])
        batch.place[k] += place
    for k in range(checked):
        place = batch.place[k]
        folds = strategy.folds[place >> uint64(3)] >> np.uint8(place & uint64(7)) & np.uint8(1)
        batch.decision[batch.checked[k]] = PLAY + folds


@compiled
def card_bits(cards: Cards, i: int, first: int, end: int) -> uint64:
    """Some cards of a deal as bits."""
    bits = uint64(0)
    for place in range(first, end):
        bits |= ONE << uint64(cards[i, place])
    return bits


@compiled
def read_hands(batch: Batch, dealt: uint64, strategy: Strategy) -> None:
    """Read the hands and compare them. Five cards are read only where seven have three of a kind or better."""
    cards, words, sevens, fives = batch.cards, strategy.sevens.words, strategy.sevens, strategy.fives
    for i in range(dealt):
        hole, dealer = words[cards[i, H1]] + words[cards[i, H2]], words[cards[i, D1]] + words[cards[i, D2]]
        flop = words[cards[i, F1]] + words[cards[i, F2]] + words[cards[i, F3]]
        board = flop + words[cards[i, TURN]] + words[cards[i, RIVER]]
        own = value_of_sum(hole + board, card_bits(cards, i, TURN, END), sevens)
        theirs = value_of_sum(dealer + board, card_bits(cards, i, D1, H1), sevens)
        batch.result[i] = uint64(own <= theirs) + uint64(own < theirs)
        kind, five = uint64(own) >> CATEGORY, uint64(0)
        if kind >= TRIPS:
            five = uint64(value_of_sum(hole + flop, card_bits(cards, i, F1, END), fives)) >> CATEGORY
            if kind == ROYAL:
                if five == ROYAL:
                    kind = FLOPPED_ROYAL
                elif uint64(value_of_sum(board, card_bits(cards, i, TURN, H1), fives)) >> CATEGORY == ROYAL:
                    kind = COMMUNITY_ROYAL
            if five < TRIPS:
                five = uint64(0)
        batch.kind[i], batch.five[i] = kind, five


@compiled
def settle(batch: Batch, dealt: uint64, strategy: Strategy) -> None:
    """All the passes over rounds that have been dealt."""
    checked = before_flop(batch, dealt, strategy)
    after_flop(batch, checked, strategy)
    read_hands(batch, dealt, strategy)


@compiled
def count(batch: Batch, dealt: uint64, tallies: Tallies) -> None:
    for i in range(dealt):
        decision = batch.decision[i]
        folded = uint64(decision == FOLD)
        tallies.base[decision, batch.result[i], batch.kind[i]] += 1
        tallies.match[folded, batch.match[i]] += 1
        tallies.five[folded, batch.five[i]] += 1


@compiled
def play(rounds: uint64, chunk: uint64, key: uint64, strategy: Strategy, batch: Batch, tallies: Tallies) -> None:
    """Play the rounds of a chunk."""
    deck = np.arange(CARDS).astype(np.uint8)
    words = np.empty((4, BLOCKS), np.uint32)
    block = uint64(0)
    while rounds > uint64(0):
        draw(words, block, chunk, key)
        block += uint64(BLOCKS)
        dealt = min(deal(words, deck, batch.cards), rounds)
        settle(batch, dealt, strategy)
        count(batch, dealt, tallies)
        rounds -= dealt


# What they look up

_strategies: dict[int, Strategy] = {}


def strategy_of(flop: FlopStrategy) -> Strategy:
    """The decisions of the solution as the passes need them, kept as long as the flop is."""
    number = id(flop)
    if number not in _strategies:
        _strategies[number] = _build_strategy(flop)
        weakref.finalize(flop, _strategies.pop, number, None)
    return _strategies[number]


def _build_strategy(flop: FlopStrategy) -> Strategy:
    bands, tables_of_flops = flop.solution.bands, lookup()
    rank = np.arange(CARDS) % RANKS
    classes = np.array([[class_of(first, second) for second in range(CARDS)] for first in range(CARDS)])
    matches = [[match_line(own, dealer) for dealer in RANK_PAIRS] for own in RANK_PAIRS]
    folds = flop.folds.T[:, tables_of_flops.states]  # anything where there is no state: nobody will look there
    return Strategy(
        TYPE_NUMBER[rank[:, None], rank].astype(np.uint8),
        np.array([[NO_MATCH if line is None else line for line in row] for row in matches], np.uint8),
        bands.pair_of_ranks.astype(np.uint8),
        flop.solution.raises[classes].astype(np.uint8),
        np.packbits(folds, bitorder="little"),
        uint64(len(tables_of_flops.states)),
        tables_of_flops,
        tables(7),
        tables(5),
    )


# Rounds by the number


class Times(NamedTuple):
    """How often a line was hit."""

    every: int
    """In all rounds: where a folded hand qualifies."""
    not_folded: int
    """In those that were not folded: where a folded hand forfeits."""


Lines = dict[str, Times]
"""By line from the top."""


@dataclass(frozen=True)
class SimulatedRounds:
    """How rounds ended."""

    rounds: int
    base: tuple[Outcome, ...]
    """In the order of `outcomes.outcomes`, with the number of rounds as `deals`."""
    trips: Lines
    match: Lines
    jackpot_1: Lines
    jackpot_2_and_3: Lines


def simulate(
    flop: FlopStrategy,
    rounds: int,
    *,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> SimulatedRounds:
    """Play so many rounds as well as possible. The number of workers changes nothing but the time it takes."""
    if not 1 <= rounds <= MOST_ROUNDS or workers < 1:
        raise BadValue(f"A simulation needs at least 1 round, at most {MOST_ROUNDS:,}, and at least 1 worker.")
    if seed < 0:
        raise BadValue(f"A seed is a whole number from 0 on, not {seed}.")
    strategy, key = strategy_of(flop), uint64(key_of(seed))

    def play_chunk(number: int, part: int) -> Tallies:
        tallies = no_tallies()
        play(uint64(part), uint64(number), key, strategy, batch_of(BATCH), tallies)
        return tallies

    totals = no_tallies()
    for tallies in in_chunks(play_chunk, rounds, CHUNK_ROUNDS, workers, progress):
        for total, tally in zip(totals, tallies, strict=True):
            total += tally
    return _simulated(flop.solution, totals)


def _simulated(solution: Solution, totals: Tallies) -> SimulatedRounds:
    folded = int(totals.base[FOLD].sum())
    kinds = totals.base.sum(1)
    kinds = np.stack([kinds[:FOLD].sum(0), kinds[FOLD]])
    return SimulatedRounds(
        int(totals.base.sum()),
        (
            *_ends(solution, "3x", 3, totals.base[RAISE]),
            *_ends(solution, "1x", 1, totals.base[PLAY]),
            Outcome("fold", "fold", None, Fraction(-2), folded),
        ),
        {line.label: _times(kinds[:, _kinds(line)]) for line in TRIPS_LINES},
        {line: _times(totals.match[:, place]) for place, line in enumerate(MATCH_LINES)},
        {line: _times(kinds[:, kind]) for kind, line in _JACKPOT_1.items()},
        {line.label: _times(totals.five[:, line]) for line in TRIPS_LINES},
    )


_JACKPOT_1 = {
    int(FLOPPED_ROYAL): FLOPPED,
    int(ROYAL): IN_SEVEN,
    int(COMMUNITY_ROYAL): COMMUNITY,
    **{int(line): line.label for line in SEVEN_CARD_LINES},
}
"""The line of the Jackpot's first option by kind of hand, in printed order."""


def _kinds(category: HandRank) -> list[int]:
    return [kind for kind, of in enumerate(HAND_KINDS) if of is category]


def _times(counts: NDArray[np.int64]) -> Times:
    """From counts of hands that were not folded and of those that were."""
    return Times(int(counts.sum()), int(counts[0].sum()))


def _ends(solution: Solution, decision: str, stake: int, counts: NDArray[np.int64]) -> Iterator[Outcome]:
    """The ends of rounds with a Play of so many Antes, by result and kind."""
    wins, ties, losses = counts
    paid = [int(wins[_kinds(category)].sum()) for category in PAID]
    for category, pay, number in zip(PAID, solution.pays, paid, strict=True):
        yield Outcome(decision, "win", category.label, 1 + pay + stake, number)
    yield Outcome(decision, "win", None, Fraction(1 + stake), int(wins.sum()) - sum(paid))
    yield Outcome(decision, "tie", None, Fraction(0), int(ties.sum()))
    yield Outcome(decision, "lose", None, Fraction(-2 - stake), int(losses.sum()))


# One round


@dataclass(frozen=True)
class Played:
    """How one round ended: every line is named whatever was decided, the Bet's only where it won."""

    decision: str
    """"3x", "1x" or "fold"."""
    result: str
    """"win", "tie", "lose" or "fold"."""
    line: str | None
    trips: str | None
    match: str | None
    jackpot_1: str | None
    jackpot_2_and_3: str | None


def play_out(flop: FlopStrategy, cards: Sequence[int]) -> Played:
    """Play a round with given cards, by their indices: hole cards, the dealer's two, flop, turn and river."""
    if len(cards) != len(DEALT):
        raise BadCard(f"A round is played with {len(DEALT)} cards, not with {len(cards)}.")
    if not all(0 <= card < len(SUITED_CARDS) for card in cards):
        raise BadCard(f"The index of a card is a number from 0 to {len(SUITED_CARDS) - 1}.")
    if len(set(cards)) != len(cards):
        shown = " ".join(SUITED_CARDS[card].text for card in cards)
        raise BadCard(f"A round is played with different cards of one deck: {shown}.")
    batch = batch_of(1)
    batch.cards[0, DEALT] = cards
    settle(batch, ONE, strategy_of(flop))
    decision, result, kind, match, five = (int(codes[0]) for codes in batch[1:6])
    category, folded = HAND_KINDS[kind], decision == FOLD
    won = RESULTS[result] == "win" and not folded
    return Played(
        DECISIONS[decision],
        "fold" if folded else RESULTS[result],
        category.label if won and category in PAID else None,
        category.label if category in TRIPS_LINES else None,
        None if match == NO_MATCH else MATCH_LINES[match],
        _JACKPOT_1.get(kind),
        HandRank(five).label if five else None,
    )
