"""Seven-card hands a second beside other libraries, the whole of Down Under Hold'em beside plain enumeration, and the
rounds of it that the kernel plays a second, in the same run."""

import os
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from importlib import import_module
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.timing import Rows, cpu_seconds
from feltworks.games.down_under_holdem.enumerator import kernel
from feltworks.games.down_under_holdem.enumerator.bands import BANDS
from feltworks.games.down_under_holdem.enumerator.flop_states import cards_of, states
from feltworks.games.down_under_holdem.enumerator.plain_count import count_state
from feltworks.games.down_under_holdem.enumerator.solution import (
    BET,
    FlopStrategy,
    count_played_deals,
    solve,
    solve_flop,
)
from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.fast_poker import count_sevens, evaluate
from feltworks.kit.poker import best_hand

BATCH = 1_000_000
ONE_AT_A_TIME = 100_000
SLOWEST = 1_000
"""So many hands of the batch are read by what reads one at a time, and so many by PokerKit and by the plain rules."""
PLAIN_STATES = 4
"""States of the plain enumeration, spread evenly over all."""
ROUNDS = 20_000_000
TRIES = 3
"""Of so many runs the fastest counts: what slows one down is the rest of the machine."""


def run() -> Rows:
    yield from evaluators()
    yield from enumerations()
    yield from simulations()


# Hands


class Peer(NamedTuple):
    """Another evaluator, with some of the hands in its own cards; making the cards is not counted."""

    name: str
    hands: int
    read: Callable[[], Sequence[Any]]
    best_is_least: bool = False


def evaluators() -> Rows:
    hands = dealt(BATCH)
    values = evaluate(hands).tolist()
    seconds = _least(lambda: evaluate(hands))
    ours = BATCH / seconds
    yield f"{BATCH:,} hands of seven cards, batch", seconds, _speed(ours)

    count_sevens()
    seconds = _least(count_sevens)
    yield "all 133,784,560 hands of seven cards, counted", seconds, _speed(133_784_560 / seconds)

    for peer in peers(hands):
        _agree(peer, values)
        seconds = _least(peer.read)
        theirs = peer.hands / seconds
        told = f"{_speed(theirs)}; the batch is {ours / theirs:,.0f} x as fast, and the order is the same"
        yield f"{peer.hands:,} of these hands, {peer.name}", seconds, told


def dealt(number: int) -> NDArray[np.uint8]:
    deck = np.tile(np.arange(52, dtype=np.uint8), (number, 1))
    return np.random.default_rng(7).permuted(deck, axis=1)[:, :7].copy()


def peers(hands: NDArray[np.uint8]) -> Iterator[Peer]:
    some = hands[:ONE_AT_A_TIME].tolist()
    texts = [[SUITED_CARDS[card].text for card in hand] for hand in some]

    eval7 = import_module("eval7")
    cards7 = [[eval7.Card(text) for text in hand] for hand in texts]
    yield Peer("eval7", len(some), lambda: [eval7.evaluate(hand) for hand in cards7])

    phevaluator = import_module("phevaluator")
    numbers = [[phevaluator.Card(text).id_ for text in hand] for hand in texts]
    seven = phevaluator.evaluate_7cards
    yield Peer("phevaluator", len(some), lambda: [seven(*hand) for hand in numbers], best_is_least=True)

    treys = import_module("treys")
    reader = treys.Evaluator()
    treys_cards = [[treys.Card.new(text) for text in hand] for hand in texts]
    yield Peer(
        "treys",
        len(some),
        lambda: [reader.evaluate(hand[:5], hand[5:]) for hand in treys_cards],
        best_is_least=True,
    )

    pokerkit = import_module("pokerkit")
    kit_cards = [[next(pokerkit.Card.parse(text)) for text in hand] for hand in texts[:SLOWEST]]
    high_hand = pokerkit.StandardHighHand
    yield Peer("PokerKit", SLOWEST, lambda: [high_hand.from_game(hand[:2], hand[2:]) for hand in kit_cards])

    plain = [[SUITED_CARDS[card] for card in hand] for hand in some[:SLOWEST]]
    yield Peer("the plain evaluator of the rules", SLOWEST, lambda: [best_hand(hand) for hand in plain])


def _agree(peer: Peer, values: Sequence[int]) -> None:
    """Whatever numbers they give them, all put the hands in the same order, equal ones in the same place."""
    theirs, ours = _places(peer.read()), _places(values[: peer.hands])
    if peer.best_is_least:
        last = max(theirs)
        theirs = [last - place for place in theirs]
    if theirs != ours:
        raise AssertionError(f"{peer.name} puts these hands in another order.")


def _places(values: Sequence[Any]) -> list[int]:
    places: dict[Hashable, int] = {value: place for place, value in enumerate(sorted(set(values)))}
    return [places[value] for value in values]


# Every deal


def enumerations() -> Rows:
    seconds = _least(_solve_another)
    yield "Down Under Hold'em, best strategy over every deal", seconds, "27,813,810,024,000 deals"

    every = len(states().flop)
    chosen = [cards_of(every * number // PLAIN_STATES) for number in range(PLAIN_STATES)]

    def count_all() -> None:
        for board, hole in chosen:
            count_state(range(52), hole, board, BANDS.band_of)

    plain = _least(count_all)
    whole = plain * every / PLAIN_STATES
    yield (
        f"{PLAIN_STATES} of {every:,} states, plain enumeration",
        plain,
        f"{whole:,.0f} s for all of them: {whole / seconds:,.0f} x the solution",
    )

    flop = solve_flop(solve())
    raises, folds = flop.solution.raises, flop.folds
    weighing = _least(lambda: count_played_deals(BANDS, raises, folds))
    yield "how every deal ends under it, by decision and line", weighing, f"{weighing / seconds:.1f} x the solution"


_others = count(1)


def _solve_another() -> None:
    """Solve a game that was not solved before: what was counted for the last one is kept."""
    solve((BET[0] + next(_others), *BET[1:]))


# Rounds


def simulations() -> Rows:
    flop, workers = solve_flop(solve()), os.cpu_count() or 1
    seconds = _least(lambda: kernel.simulate(flop, ROUNDS))
    yield f"{ROUNDS:,} rounds of Down Under Hold'em, kernel", seconds, f"{_speed(ROUNDS / seconds)} a core"
    clock, used = min(_clocked(flop, workers) for _ in range(TRIES))
    told = f"{_speed(workers * ROUNDS / clock)} by the clock, {used / clock:.2f} cores used"
    yield f"{workers * ROUNDS:,} rounds, {workers} threads", clock, told


def _clocked(flop: FlopStrategy, workers: int) -> tuple[float, float]:
    start, used = time.perf_counter(), time.process_time()
    kernel.simulate(flop, workers * ROUNDS, workers=workers)
    return time.perf_counter() - start, time.process_time() - used


def _least(work: Callable[[], object]) -> float:
    """Once to be ready, and then the fastest run."""
    work()
    return min(cpu_seconds(work) for _ in range(TRIES))


def _speed(number: float) -> str:
    return f"{number / 1e6:,.1f} M a second" if number > 1e6 else f"{number / 1e3:,.1f} k a second"
