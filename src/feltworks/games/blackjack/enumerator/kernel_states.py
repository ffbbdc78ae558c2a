"""A strategy and the dealer as one table of states, for the compiled kernel to follow without asking anything.

`after[state, rank]` is the state after one more card. A worked example, with one deck and the best play: a seat is
dealt T and 6 against a ten.

    SEAT + TEN     the seat before its first card, against a ten
      takes a T    to a state that waits for the second card
      takes a 6    to a state of 16, which the best play hits: it draws, so its number is DRAWS or higher
        takes a 5  to state 21, which is final: the hand has ended with that total
        takes a 6  to SEAT_OVER, which is final too: the hand is over 21

There is such a beginning for each upcard. A hand that draws goes from state to state until it comes to a final one,
which says how it ended: with its total, over 21, with a blackjack, given up. Hands that are played alike from here on
share a state. So the best play by all the cards of a hand needs some hundred states, and basic strategy is the same
thing with a few less.
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.blackjack.enumerator.hands import ACE, BUST, RANKS, TEN, all_hands
from feltworks.games.blackjack.enumerator.solution import Plays
from feltworks.games.blackjack.enumerator.upcard_solver import Action, Flags, Play, SplitPlay
from feltworks.games.blackjack.options import Options
from feltworks.kit.errors import NotAllowed

TENTHS = 10
"""Money is counted in tenths of a wager: a blackjack that pays 6 to 5 wins 12 of them, a surrender costs 5."""

SEAT_OVER, SURRENDERED, LOST_TO_PEEK, DEALER_OVER = range(4)
"""Final states below all totals: a seat that is over 21, has given up, or was beaten before it could act; and a dealer
over 21, who beats those and is beaten by any total."""
NOT_DRAWN = 4
"""The dealer did not draw, because every hand was decided. This number is free: the dealer ends with 17 or more."""
BLACKJACK = 22
"""Above all totals, which are final states too."""
SPLIT = 23
"""From here on: a pair that is split, by upcard and rank. The next card is the second one of a split hand."""
DEALER = SPLIT + RANKS * RANKS
"""From here on: the dealer, by upcard."""
SEAT = DEALER + RANKS
"""From here on: a seat before its first card, by upcard."""
PEEK_ENDED = SEAT + RANKS
"""A seat before its first card, in a round that the dealer's peek ends."""
DRAWS = PEEK_ENDED + 1
"""From here on: hands that draw."""


class Course(IntEnum):
    """What a seat did with its first two cards."""

    STAND = Action.STAND
    HIT = Action.HIT
    DOUBLE = Action.DOUBLE
    SPLIT = Action.SPLIT
    SURRENDER = Action.SURRENDER
    BLACKJACK = 5
    """It had one."""
    NONE = 6
    """The round was over before."""

    @property
    def label(self) -> str:
        """Its name, as `Action` has it."""
        return self.name.lower()


class States(NamedTuple):
    """What the passes look up."""

    after: NDArray[np.uint16]
    """The next state, by state and rank."""
    course: NDArray[np.uint8]
    """By the state that two cards lead to."""
    stake: NDArray[np.int16]
    """What a hand wins or loses at its end, by course."""


Row = tuple[int, ...]
"""The next states, by rank."""


class Builder:
    """Numbers the states, each once: two of the same course that lead to the same ones are one."""

    def __init__(self) -> None:
        self.rows: list[Row] = [(SEAT_OVER,) * RANKS] * DRAWS
        self.courses = [Course.STAND] * DRAWS
        self.courses[SURRENDERED], self.courses[LOST_TO_PEEK] = Course.SURRENDER, Course.NONE
        self.courses[BLACKJACK] = Course.BLACKJACK
        self.courses[SPLIT:DEALER] = [Course.SPLIT] * (DEALER - SPLIT)
        self._known: dict[tuple[Row, Course], int] = {}

    def draws(self, states: Iterable[int], course: Course = Course.HIT) -> int:
        """The state that leads to these."""
        row = tuple(states)
        if (row, course) not in self._known:
            self._known[row, course] = len(self.rows)
            self.rows.append(row)
            self.courses.append(course)
        return self._known[row, course]


class HitStates:
    """The states of hands that are hit or not as flags say; 21 stands."""

    def __init__(self, builder: Builder, hits: Flags) -> None:
        self.builder, self.hits, self.hands = builder, hits, all_hands()
        self._known = {BUST: SEAT_OVER}

    def state(self, hand: int) -> int:
        """Of a hand by its number."""
        if hand not in self._known:
            reached = int(self.hands.total[hand])
            self._known[hand] = self.hit(hand) if self.hits[hand] and reached < 21 else reached
        return self._known[hand]

    def hit(self, hand: int) -> int:
        """Of a hand that is hit once at least."""
        return self.builder.draws(map(self.state, self.hands.after[hand].tolist()))


def states_of(options: Options, plays: Plays) -> States:
    """The dealer of a table and a way of playing there."""
    builder = Builder()
    for upcard, play in enumerate(plays):
        builder.rows[DEALER + upcard] = _dealer(builder, options, upcard)
        builder.rows[SEAT + upcard] = _seat(builder, options, upcard, play)
    builder.rows[PEEK_ENDED] = tuple(
        builder.draws(BLACKJACK if _is_natural(rank, card) else LOST_TO_PEEK for card in range(RANKS))
        for rank in range(RANKS)
    )
    stakes = dict.fromkeys(Course, TENTHS)
    stakes[Course.DOUBLE], stakes[Course.SURRENDER] = 2 * TENTHS, TENTHS // 2
    stakes[Course.BLACKJACK] = int(options.natural * TENTHS)
    return States(
        np.array(builder.rows, np.uint16), np.array(builder.courses, np.uint8), np.array([*stakes.values()], np.int16)
    )


def _is_natural(rank: int, card: int) -> bool:
    return {rank, card} == {ACE, TEN}


def _dealer(builder: Builder, options: Options, upcard: int) -> Row:
    """Where the dealer's second card leads (B-02, B-05)."""

    @cache
    def state(hard: int, ace: bool) -> int:
        soft = ace and hard <= 11
        reached = hard + 10 * soft
        if reached > 21:
            return DEALER_OVER
        if reached > 17 or (reached == 17 and not (soft and options.hits_soft_17)):
            return reached
        return builder.draws(state(hard + card + 1, ace or card == ACE) for card in range(RANKS))

    return tuple(
        BLACKJACK if _is_natural(upcard, card) else state(upcard + card + 2, ACE in (upcard, card))
        for card in range(RANKS)
    )


def _seat(builder: Builder, options: Options, upcard: int, play: Play) -> Row:
    """Where a seat's first card leads (B-02, B-04)."""
    hands, hitter, stander = all_hands(), HitStates(builder, play.hits), HitStates(builder, np.zeros_like(play.hits))

    def doubled(hand: int) -> int:
        if hands.total[hand] == 21 or not options.may_double(int(hands.hard[hand]), bool(hands.soft[hand])):
            raise NotAllowed("This way of playing doubles hands that the table does not let it double.")
        return builder.draws(map(stander.state, hands.after[hand].tolist()), Course.DOUBLE)

    def split(rank: int, way: SplitPlay) -> int:
        apart, alike = HitStates(builder, way.apart), HitStates(builder, way.alike)
        if way.doubles.any() and not options.doubles_after_split:
            raise NotAllowed("This way of playing doubles split hands, and the table does not allow it.")
        if options.one_card(rank) and (way.doubles.any() or way.apart.any() or way.alike.any()):
            raise NotAllowed("This way of playing draws to split aces, and the table gives them one card.")
        place = SPLIT + RANKS * upcard + rank
        builder.rows[place] = tuple(
            doubled(hands.of(rank, card))
            if way.doubles[card]
            else (alike if card == rank else apart).state(hands.of(rank, card))
            for card in range(RANKS)
        )
        return place

    def second(rank: int, card: int) -> int:
        hand = hands.of(rank, card)
        if _is_natural(rank, card):
            return BLACKJACK
        match Action(int(play.first[hand])):
            case Action.HIT:
                return hitter.hit(hand)
            case Action.DOUBLE:
                return doubled(hand)
            case Action.SPLIT:
                return split(rank, play.splits[rank])
            case Action.SURRENDER if options.surrenders:
                return SURRENDERED
            case Action.SURRENDER:
                raise NotAllowed("This way of playing surrenders, and the table does not allow it.")
            case _:
                return stander.state(hand)

    return tuple(builder.draws(second(rank, card) for card in range(RANKS)) for rank in range(RANKS))
