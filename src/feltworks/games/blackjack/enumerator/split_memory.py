"""What it would add to remember the other hand, for a pair that is split into two.

The first hand is played by its own cards, as in `solution`. What it comes to, over 21 included, is then out of the
shoe, and the second hand is played as well as it can be from what is left. The difference to a second hand that is
played by its own cards is what memory adds. It is found in float64, and is the least that memory is worth: a first
hand that was played with an eye to the second could only add to it.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from feltworks.games.blackjack.enumerator.dealer_totals import Numbers
from feltworks.games.blackjack.enumerator.hands import RANKS, cards_of
from feltworks.games.blackjack.enumerator.solution import best_play, solvers
from feltworks.games.blackjack.enumerator.upcard_solver import Action, Play, SplitPlay, UpcardSolver
from feltworks.games.blackjack.options import Options


def memory_gain(options: Options) -> float:
    """What memory adds to a round in which pairs are split once, per unit of the first wager."""
    return sum(memory_gain_of(options, upcard, rank) for upcard in range(RANKS) for rank in range(RANKS))


def memory_gain_of(options: Options, upcard: int, rank: int) -> float:
    """What the rounds with this pair and this upcard have of it."""
    once = replace(options, max_hands="2")
    solver, shoe = solvers(once)[upcard], once.shoe
    hand = solver.hands.of(rank, rank)
    if _best(once, upcard).first[hand] != Action.SPLIT:
        return 0.0
    return shoe[upcard] / sum(shoe) * float(solver.reach[hand]) * split_gain(solver, rank)


@lru_cache(maxsize=RANKS)
def _best(options: Options, upcard: int) -> Play:
    return best_play(solvers(options)[upcard])


def split_gain(solver: UpcardSolver, rank: int) -> float:
    """What memory adds to a split of two cards of a rank into two hands, given the pair and the upcard."""
    if solver.shoe[rank] < 2:
        return 0.0
    alone = solver.split(rank)
    both = sum(chance * _second_hand(solver, rank, cards) for cards, chance in _first_hands(solver, rank, alone.play))
    return both - alone.net / 2


def _first_hands(solver: UpcardSolver, rank: int, way: SplitPlay) -> Iterator[tuple[Numbers, float]]:
    """The cards with which a first hand ends, over 21 included, and how likely each is given the pair."""
    hands, ended = solver.hands, defaultdict[tuple[int, ...], float](float)

    def drawn(cards: Numbers, chance: float) -> Iterator[tuple[int, Numbers, float]]:
        left = solver.shoe - cards
        left[rank] -= 1  # the other card of the pair
        for further in np.flatnonzero(left > 0).tolist():
            after = cards.copy()
            after[further] += 1
            yield further, after, chance * float(left[further] / left.sum())

    def end(cards: Numbers, chance: float) -> None:
        ended[tuple(cards.tolist())] += chance

    for second, two, chance in drawn(np.array(cards_of([rank])), 1.0):
        if way.doubles[second]:
            for _, three, share in drawn(two, chance):
                end(three, share)
            continue
        hits = way.alike if second == rank else way.apart
        going = {hands.of(*sorted((rank, second))): chance}
        while going:
            hand = min(going)
            share = going.pop(hand)
            if not hits[hand]:
                end(hands.cards[hand], share)
                continue
            for further, after, more in drawn(hands.cards[hand], share):
                reached = int(hands.after[hand, further])
                if reached < 0:
                    end(after, more)
                else:
                    going[reached] = going.get(reached, 0.0) + more
    return ((np.array(cards), chance) for cards, chance in ended.items())


def _second_hand(solver: UpcardSolver, rank: int, gone: Numbers) -> float:
    """A hand that begins with a card of the rank, played as well as it can be when these cards are gone."""
    left = UpcardSolver(solver.shoe - gone, solver.upcard, solver.options)
    value = 0.0
    for second in range(RANKS):
        hand = left.hands.of(*sorted((rank, second)))
        nets = left.nets(hand)
        allowed = [Action.STAND] if solver.options.one_card(rank) else [Action.STAND, Action.HIT]
        if left.doubles_split(rank, hand):
            allowed.append(Action.DOUBLE)
        value += max(nets[action] for action in allowed)
    return value / (float(left.shoe[rank]) / left.cards)
