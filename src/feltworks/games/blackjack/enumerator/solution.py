"""The exact solution of blackjack from a fresh shoe, for one seat that plays by its own cards and the upcard.

A worked example: T 6 against a ten, with one deck and a dealer who has looked and has no blackjack. All values are per
unit of the original wager, and exact.

    >>> worth = advise(Options(decks=1), "T6", "T")
    >>> {option: str(value) for option, value in worth.items()}
    {'stand': '-13073887/24079275', 'hit': '-273849919/540213300', 'double': '-273849919/270106650'}
    >>> {option: round(float(value), 3) for option, value in worth.items()}
    {'stand': -0.543, 'hit': -0.507, 'double': -1.014}

The best play hits, and loses 0.507. These two cards and this upcard come in 16/52 * 2 * 15/51 * 4/50 = 16/1105 of all
rounds. In 4/49 of those the dealer has a blackjack, which costs 1. What such a round is worth on average is therefore
-0.507 * 45/49 - 4/49 = -0.547. The sum over every two cards and every upcard is the value of the game (`analyse`).

What is guaranteed:

- The value of a way of playing is an exact fraction, splits up to four hands included, for 1 to 8 decks. It is counted
  in integers (`integer_values`), and nothing in it is approximated or rounded.
- The way of playing is the best one that looks at the hand's own cards and the upcard. It is found in float64
  (`upcard_solver`), whose error in the value of an action is below 1e-13. The nearest two actions of any hand, with 1
  to 8 decks and any options, are 3e-7 apart: so rounding decides nothing.
- A split hand knows that it is one, and whether its own second card was of the pair's rank; it does not know the other
  hands. A pair that is worth splitting is split again up to the most hands. A strategy that looked at all cards on the
  table would be worth a little more.
- The variance is of the same strategy, with the products of all pairs of split hands, and an exact fraction too
  (`split_squares`); its root, the standard deviation, is not a fraction in any case.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import sqrt

import numpy as np

from feltworks.games.blackjack.enumerator.hands import (
    ACE,
    NAMES,
    RANKS,
    TEN,
    all_hands,
    cards_of,
    hard_total,
    parse_ranks,
    text_of,
)
from feltworks.games.blackjack.enumerator.integer_values import Valuer
from feltworks.games.blackjack.enumerator.split_squares import mean_square
from feltworks.games.blackjack.enumerator.upcard_solver import MISSED, Action, Play, UpcardSolver
from feltworks.games.blackjack.options import Options
from feltworks.kit.errors import BadCard

Plays = tuple[Play, ...]
"""How to play, by upcard."""

FREQUENCIES = ("blackjack", "dealer blackjack", "both", "double", "split", "surrender")


def starts() -> Iterator[tuple[int, int, int]]:
    """Two cards by rank, the lower first, and in how many orders they come."""
    for low in range(RANKS):
        for high in range(low, RANKS):
            yield low, high, 1 if low == high else 2


@dataclass(frozen=True)
class Start:
    """Two cards against an upcard, as they are played."""

    action: Action
    chance: Fraction
    """Of these two cards and this upcard."""
    value: Fraction
    """What the round is worth then; with `peek`, after the dealer has looked and has no blackjack."""
    mean: Fraction
    """What the round is worth before the dealer looks."""


@dataclass(frozen=True)
class Analysis:
    """A way of playing and what it is worth."""

    options: Options
    plays: Plays
    starts: dict[tuple[str, str], Start]
    """By the two cards, the lower first, and the upcard: ("8T", "A"). An ace is low."""
    value: Fraction
    """The expected net result of a round."""
    average_stake: Fraction
    """Units staked in a round in all, insurance left out."""
    frequencies: dict[str, Fraction]
    """How often a round begins with a blackjack of the seat, of the dealer, of both; and is doubled, split or
    surrendered with its first two cards."""
    upcards: Sequence[int] = range(RANKS)
    """The rounds that are counted, which are those with these upcards; sums and shares of several add up."""

    @property
    def edge(self) -> Fraction:
        """What the house wins on average per unit of the original wager."""
        return -self.value

    @property
    def element_of_risk(self) -> Fraction:
        """What the house wins on average per unit staked in all."""
        return self.edge / self.average_stake

    @property
    def insurance(self) -> Fraction:
        """What insurance is worth per unit of it, to a seat that does not look at its cards."""
        return insurance_alone(self.options)

    @property
    def strategy(self) -> dict[tuple[str, str], str]:
        """The action with the first two cards, by the cards and the upcard."""
        return {key: start.action.label for key, start in self.starts.items()}

    @cached_property
    def ends(self) -> dict[tuple[str, Fraction], Fraction]:
        """How a round ends and how often, by line and net result; split hands on one line, with their mean."""
        return _ends(self)

    @property
    def against(self) -> Iterator[tuple[UpcardSolver, Play]]:
        """The upcards, and how each is played."""
        every = solvers(self.options)
        return ((every[upcard], play) for upcard, play in zip(self.upcards, self.plays, strict=True))

    @cached_property
    def variance(self) -> Fraction:
        """Of the net result of a round."""
        squares = (split_square(solver, play, rank) for solver, play in self.against for rank in range(RANKS))
        return variance_of(self.ends, sum(squares, Fraction(0)))

    @property
    def standard_deviation(self) -> float:
        """Of the net result of a round."""
        return sqrt(self.variance)


@lru_cache(maxsize=2)
def solvers(options: Options) -> list[UpcardSolver]:
    """The upcards of a fresh shoe."""
    by_upcard = []
    for upcard in range(RANKS):
        shoe = np.array(options.shoe, np.int64)
        shoe[upcard] -= 1
        by_upcard.append(UpcardSolver(shoe, upcard, options))
    return by_upcard


def best_play(solver: UpcardSolver) -> Play:
    """The best play against an upcard."""
    hands = solver.hands
    first = np.zeros(len(hands), np.int8)
    splits = [solver.split(rank) for rank in range(RANKS)]
    for low, high, _ in starts():
        hand = hands.of(low, high)
        nets = solver.nets(hand)
        if low == high:
            nets[Action.SPLIT] = splits[low].net * float(solver.reach[hand])
        if (low, high) != (ACE, TEN):
            first[hand] = max(nets, key=lambda action: nets[action])
    return Play(solver.hits, first, tuple(split.play for split in splits))


@lru_cache(maxsize=8)
def analyse(options: Options) -> Analysis:
    """Blackjack played as well as a seat can that looks at its own hand and the upcard."""
    return value_of(options, tuple(best_play(solver) for solver in solvers(options)))


def value_of(options: Options, plays: Plays, upcards: Sequence[int] = range(RANKS)) -> Analysis:
    """What a way of playing is worth, in rounds with these upcards."""
    shoe = options.shoe
    by_cards: dict[tuple[str, str], Start] = {}
    often = dict.fromkeys(FREQUENCIES, Fraction(0))
    value = stake = Fraction(0)
    for upcard, play in zip(upcards, plays, strict=True):
        solver, up = solvers(options)[upcard], Fraction(shoe[upcard], sum(shoe))
        valuer = Valuer(solver)
        stake += up
        unsplit = [hand for hand in _starting(solver) if play.first[hand] != Action.SPLIT]
        nets = dict(
            zip(unsplit, valuer.nets(play.hits, [(hand, Action(play.first[hand])) for hand in unsplit]), strict=True)
        )
        for low, high, orders in starts():
            hand = solver.hands.of(low, high)
            reach, unbeaten = valuer.reach(hand), valuer.unbeaten(hand)
            if not reach:
                continue
            action, natural = Action(play.first[hand]), (low, high) == (ACE, TEN)
            # A decision is made where no peek has ended the round.
            decided = unbeaten if options.hole_card == "peek" else reach
            staked = decided
            if natural:
                net = unbeaten * options.natural
            elif action == Action.SPLIT:
                split = valuer.split(low, play.splits[low])
                net = reach * split.net
                staked = reach * (split.staked if options.hole_card == "peek" else split.staked_always)
            else:
                net = nets[hand]
                staked = 2 * decided if action == Action.DOUBLE else decided
            # What a peek or the original wager loses to a blackjack is not in the net.
            mean = net if natural or options.takes_all else net - (reach - unbeaten)
            known = net / unbeaten if options.hole_card == "peek" else mean / reach
            chance = up * orders
            by_cards[text_of(cards_of((low, high))), NAMES[solver.upcard]] = Start(
                action, chance * reach, known, mean / reach
            )
            value += chance * mean
            stake += chance * (staked - decided)
            often["dealer blackjack"] += chance * (reach - unbeaten)
            if natural:
                often["blackjack"] += chance * reach
                often["both"] += chance * (reach - unbeaten)
            elif action.label in often:
                often[action.label] += chance * decided
    return Analysis(options, plays, by_cards, value, stake, often, upcards)


def _ends(analysis: Analysis) -> dict[tuple[str, Fraction], Fraction]:
    options, shoe = analysis.options, analysis.options.shoe
    often: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
    split_net = split_often = Fraction(0)
    for solver, play in analysis.against:
        valuer, up = Valuer(solver), Fraction(shoe[solver.upcard], sum(shoe))
        actions = {hand: Action(play.first[hand]) for hand in _starting(solver)}
        drawn = [(hand, action) for hand, action in actions.items() if action in DRAWN]
        nets = dict(zip(drawn, valuer.nets(play.hits, drawn), strict=True))
        with_pushes = dict(zip(drawn, valuer.nets(play.hits, drawn, PUSHES_WIN), strict=True))
        for low, high, orders in starts():
            hand, chance = solver.hands.of(low, high), up * orders
            reach, unbeaten = valuer.reach(hand), valuer.unbeaten(hand)
            if (low, high) == (ACE, TEN):
                often["Blackjack", options.natural] += chance * unbeaten
                often["Both have a blackjack", Fraction(0)] += chance * (reach - unbeaten)
                continue
            if not reach:
                continue
            action, stake = actions[hand], reach if options.takes_all else unbeaten
            beaten = chance * (reach - stake)  # by a blackjack that costs one wager
            if options.hole_card == "peek":
                often["Dealer has a blackjack", Fraction(-1)] += beaten
            elif action != Action.SPLIT:
                often["Loss", Fraction(-1)] += beaten
            if action == Action.SPLIT:
                together = options.hole_card != "peek"
                split_often += chance * stake + beaten * together
                split_net += chance * reach * valuer.split(low, play.splits[low]).net - beaten * together
            elif action == Action.SURRENDER:
                often["Surrender", Fraction(-1, 2)] += chance * unbeaten
                often["Loss", Fraction(-1)] += chance * (stake - unbeaten)
            else:
                units, (won, pushed, lost) = DRAWN[action]
                push = (with_pushes[hand, action] - nets[hand, action]) / units
                win = (nets[hand, action] / units + stake - push) / 2
                often[won, Fraction(units)] += chance * win
                often[pushed, Fraction(0)] += chance * push
                often[lost, Fraction(-units)] += chance * (stake - win - push)
    if split_often:
        often[SPLIT_HANDS, split_net / split_often] = split_often
    return {end: share for end, share in often.items() if share}


SINGLE, DOUBLE = ("Win", "Push", "Loss"), ("Double won", "Double pushed", "Double lost")
DRAWN = {Action.STAND: (1, SINGLE), Action.HIT: (1, SINGLE), Action.DOUBLE: (2, DOUBLE)}
"""What an action stakes, and how it ends."""
SPLIT_HANDS = "Split hands"
PUSHES_WIN = np.where(MISSED == 1, 0, MISSED)
"""What is missed of a return of 2 if pushes won."""


def _starting(solver: UpcardSolver) -> list[int]:
    """The hands of two cards that can be dealt and are played."""
    return [
        solver.hands.of(low, high)
        for low, high, _ in starts()
        if (low, high) != (ACE, TEN) and solver.reach[solver.hands.of(low, high)] > 0
    ]


def variance_of(ends: Mapping[tuple[str, Fraction], Fraction], split_squares: Fraction) -> Fraction:
    """The variance of the net result by how rounds end, and by what those with split hands add to its mean square."""
    mean = sum((share * net for (_, net), share in ends.items()), Fraction(0))
    squares = (share * net**2 for (line, net), share in ends.items() if line != SPLIT_HANDS)
    return sum(squares, split_squares) - mean**2


def split_square(solver: UpcardSolver, play: Play, rank: int) -> Fraction:
    """What the rounds in which this pair is split against this upcard add to the mean square of the net result."""
    options, shoe, hand = solver.options, solver.options.shoe, solver.hands.of(rank, rank)
    valuer = Valuer(solver)
    reach = valuer.reach(hand)
    if not reach or play.first[hand] != Action.SPLIT:
        return Fraction(0)
    square = reach * mean_square(valuer, rank, play.splits[rank])
    if options.hole_card == "none_takes_original":  # a blackjack costs one wager, and counts with the split
        square += reach - valuer.unbeaten(hand)
    return square * Fraction(shoe[solver.upcard], sum(shoe))


def add_ends(ends: Iterable[Mapping[tuple[str, Fraction], Fraction]]) -> dict[tuple[str, Fraction], Fraction]:
    """How rounds end with any of several upcards: the ends with each of them added up, split hands by their mean."""
    often: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
    split_net = split_often = Fraction(0)
    for (line, net), share in (end for some in ends for end in some.items()):
        if line == SPLIT_HANDS:
            split_net, split_often = split_net + net * share, split_often + share
        else:
            often[line, net] += share
    return {**often, (SPLIT_HANDS, split_net / split_often): split_often} if split_often else dict(often)


def advise(options: Options, cards: str | Sequence[int], upcard: str | int) -> dict[str, Fraction]:
    """What each option is worth with these cards, by its name, exactly; play goes on as well as it can.

    With `peek` the options hold after the dealer has looked. `insurance` is what half a wager on it wins by itself,
    and comes before the look; even money is the two together for a blackjack that pays 3 to 2.
    """
    ranks = parse_ranks(cards) if isinstance(cards, str) else list(cards)
    ups = parse_ranks(upcard) if isinstance(upcard, str) else [upcard]
    if len(ups) != 1 or len(ranks) < 2:
        raise BadCard("Advice is given on a hand of two cards or more against one upcard.")
    own, shoe = cards_of(ranks), options.shoe
    if hard_total(own) > 21:
        raise BadCard(f"The hand {text_of(own)} is over 21 and has no options.")
    if any(number > has for number, has in zip(cards_of([*ranks, *ups]), shoe, strict=True)):
        raise BadCard(f"These cards cannot all be in a shoe of {_decks(options)}.")
    solver, hand = solvers(options)[ups[0]], all_hands().number[own]
    return _option_values(solver, [hand])[hand]


def _decks(options: Options) -> str:
    return f"{options.decks} deck{'s' * (options.decks > 1)}"


def option_values(solver: UpcardSolver) -> dict[str, dict[str, Fraction]]:
    """The same for every two cards, the lower first, against an upcard."""
    by_hand = _option_values(solver, [*_starting(solver), solver.hands.of(ACE, TEN)])
    named = ((text_of(cards_of((low, high))), solver.hands.of(low, high)) for low, high, _ in starts())
    return {cards: by_hand[hand] for cards, hand in named if hand in by_hand}


def upcard_value(solver: UpcardSolver, best: Mapping[str, Fraction]) -> Fraction:
    """What the rounds with an upcard are worth together, by what the best option with every two cards is worth."""
    options, shoe, valuer = solver.options, solver.options.shoe, Valuer(solver)
    value = Fraction(0)
    for low, high, orders in starts():
        hand = solver.hands.of(low, high)
        reach, unbeaten = valuer.reach(hand), valuer.unbeaten(hand)
        if reach:
            worth = best[text_of(cards_of((low, high)))]
            lost = 0 if (low, high) == (ACE, TEN) else reach - unbeaten
            value += orders * (worth * unbeaten - lost if options.hole_card == "peek" else worth * reach)
    return value * Fraction(shoe[solver.upcard], sum(shoe))


def _option_values(solver: UpcardSolver, hands: Sequence[int]) -> dict[int, dict[str, Fraction]]:
    """What each option is worth, by hand."""
    options, valuer, natural = solver.options, Valuer(solver), solver.hands.of(ACE, TEN)
    asked = [(hand, action) for hand in hands if hand != natural for action in solver.nets(hand)]
    nets = dict(zip(asked, valuer.nets(solver.hits, asked), strict=True)) if asked else {}
    values: dict[int, dict[str, Fraction]] = {hand: {} for hand in hands}
    for hand in hands:
        reach, unbeaten, blackjack = valuer.reach(hand), valuer.unbeaten(hand), valuer.blackjack(hand)
        if options.hole_card == "peek":
            share, lost = unbeaten, Fraction(0)
        else:
            share, lost = reach, Fraction(0) if options.takes_all else blackjack
        if hand == natural:
            values[hand]["stand"] = options.natural * unbeaten / share
        for action in (action for asked_hand, action in asked if asked_hand == hand):
            values[hand][action.label] = nets[hand, action] / share - lost
        cards = solver.hands.cards[hand]
        if cards.sum() == 2 and cards.max() == 2:
            rank = int(cards.argmax())
            split = valuer.split(rank, solver.split(rank).play)
            values[hand]["split"] = reach * split.net / share - lost
        if solver.upcard == ACE and cards.sum() == 2:
            values[hand]["insurance"] = _insurance(blackjack)
    return values


def insurance_alone(options: Options) -> Fraction:
    """What insurance is worth per unit of it, to a seat that does not look at its cards."""
    return 3 * Fraction(options.shoe[TEN], sum(options.shoe) - 1) - 1


def insurance(options: Options, own: Sequence[int]) -> Fraction:
    """What half a wager on insurance wins by itself, with these two cards."""
    solver = solvers(options)[ACE]
    return _insurance(Valuer(solver).blackjack(all_hands().number[cards_of(own)]))


def _insurance(blackjack: Fraction) -> Fraction:
    return (3 * blackjack - 1) / 2
