"""Seven-card hands a second beside other libraries, and the whole of Down Under Hold'em beside plain enumeration."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.timing import Rows, cpu_seconds
from feltworks.games.down_under_holdem.bands import BANDS
from feltworks.games.down_under_holdem.exact import CHANNELS, count_quantities, solve
from feltworks.games.down_under_holdem.plain import count_state
from feltworks.games.down_under_holdem.states import cards_of, states
from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.fast_poker import count_sevens, evaluate
from feltworks.kit.poker import best_hand

BATCH = 1_000_000
ONE_AT_A_TIME = 20_000
SLOWEST = 1_000
PLAIN_STATES = 4
"""States of the plain enumeration, spread evenly over all."""


def run() -> Rows:
    yield from evaluators()
    yield from enumerations()


def evaluators() -> Rows:
    hands = dealt(BATCH)
    evaluate(hands)
    seconds = min(cpu_seconds(lambda: evaluate(hands)) for _ in range(5))
    ours = BATCH / seconds
    yield f"{BATCH:,} hands of seven cards, batch", seconds, f"{ours / 1e6:,.0f} M a second"

    count_sevens()
    seconds = cpu_seconds(count_sevens)
    yield "all 133,784,560 hands of seven cards, counted", seconds, f"{133.78456 / seconds:,.0f} M a second"

    for name, number, work in others(hands):
        seconds = cpu_seconds(work)
        theirs = number / seconds
        yield (
            f"{number:,} hands, {name}",
            seconds,
            f"{theirs / 1e3:,.1f} k a second; the batch is {ours / theirs:,.0f} x as fast",
        )


def dealt(number: int) -> NDArray[np.uint8]:
    deck = np.tile(np.arange(52, dtype=np.uint8), (number, 1))
    return np.random.default_rng(7).permuted(deck, axis=1)[:, :7].copy()


def others(hands: NDArray[np.uint8]) -> Iterator[tuple[str, int, Callable[[], object]]]:
    """What other evaluators do with the same hands, in their own cards; making the cards is not counted."""
    some = hands[:ONE_AT_A_TIME].tolist()
    plain = [[SUITED_CARDS[card] for card in hand] for hand in some[:SLOWEST]]
    texts = [[SUITED_CARDS[card].text for card in hand] for hand in some]

    eval7 = import_module("eval7")
    cards7 = [[eval7.Card(text) for text in hand] for hand in texts]
    yield "eval7", ONE_AT_A_TIME, lambda: [eval7.evaluate(hand) for hand in cards7]

    phevaluator = import_module("phevaluator")
    numbers = [[phevaluator.Card(text).id_ for text in hand] for hand in texts]
    yield "phevaluator", ONE_AT_A_TIME, lambda: [phevaluator.evaluate_cards(*hand) for hand in numbers]

    treys = import_module("treys")
    reader = treys.Evaluator()
    treys_cards = [[treys.Card.new(text) for text in hand] for hand in texts]
    yield "treys", ONE_AT_A_TIME, lambda: [reader.evaluate(hand[:5], hand[5:]) for hand in treys_cards]

    pokerkit = import_module("pokerkit")
    kit_cards = [[next(pokerkit.Card.parse(text)) for text in hand] for hand in texts[:SLOWEST]]
    high_hand: Any = pokerkit.StandardHighHand
    yield "PokerKit", SLOWEST, lambda: [high_hand.from_game(hand[:2], hand[2:]) for hand in kit_cards]

    yield "the plain evaluator of the rules", SLOWEST, lambda: [best_hand(hand) for hand in plain]


def enumerations() -> Rows:
    solve()
    seconds = min(cpu_seconds(solve) for _ in range(3))
    yield "Down Under Hold'em, best strategy over every deal", seconds, "27,813,810,024,000 deals"

    every = len(states().flop)
    chosen = [cards_of(every * number // PLAIN_STATES) for number in range(PLAIN_STATES)]

    def count() -> None:
        for flop, hole in chosen:
            count_state(range(52), hole, flop, BANDS.band_of)

    count()
    plain = cpu_seconds(count)
    whole = plain * every / PLAIN_STATES
    yield (
        f"{PLAIN_STATES} of {every:,} states, plain enumeration",
        plain,
        f"{whole:,.0f} s for all of them: {whole / seconds:,.0f} x the solution",
    )

    quantities = [quantity for _, quantity in CHANNELS]
    count_quantities(BANDS, quantities)
    channels = cpu_seconds(lambda: count_quantities(BANDS, quantities))
    yield "wins, ties and wins by line over every deal", channels, f"{channels / seconds:.1f} x the solution"
