"""Which lines the declared hands of a game bring: the round is walked for every kind of them, without any cards."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from feltworks.kit.cards import SUITED_CARDS, Card
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.poker import best_hand
from feltworks.kit.showdown import HandOf, OpaqueCard, ShowdownRound, Signature
from feltworks.kit.steps import DEALT, Answer, Bet, Choose, Close, Deal, Decide, Role, Turn
from feltworks.kit.time_limit import OutOfTime, TimeLimit
from feltworks.kit.walk import bets_for
from feltworks.lab.check.course import ME
from feltworks.lab.check.seen import watching_lines

MOST_HANDS = 60_000
"""So many hands are asked for their kind."""


def asked_by_kinds(game: Game, seconds: float, wanted: set[tuple[str, str]]) -> set[tuple[str, str]] | None:
    """The pay lines that are asked for by any kinds of hands, whatever is chosen, as far as they are wanted; nothing
    where the rules look at cards themselves, or where the kinds cannot all be told."""
    if not issubclass(game.round_class, ShowdownRound):
        return None
    found: set[tuple[str, str]] = set()
    try:
        with TimeLimit(seconds):
            for version in game.definition.versions:
                played = watching_lines(game.configured(version=version), found)
                for signature in _signatures(played):
                    _walk(played, signature)
                    if wanted <= found:
                        return found
    except (FeltworksError, OutOfTime, _NotAll):
        return None
    return found


class _NotAll(Exception):
    """There are more hands than are asked for a check."""


def _signatures(game: Game) -> Iterator[Signature]:
    """Every way in which hands can end, and some in which they cannot: the kinds are not held against each other."""
    assert issubclass(game.round_class, ShowdownRound)
    shown = game.round_class.showdown
    mine = _kinds(game, shown.seat)
    theirs = _kinds(game, shown.dealer) if shown.dealer else [None]
    sides = {name: _kinds(game, hand) for name, hand in shown.sides.items()}
    usual = {name: kinds[0] for name, kinds in sides.items()}
    for seat, dealer, better in product(mine, theirs, (1, 0, -1) if shown.dealer else (0,)):
        yield Signature(seat, dealer, better, usual)
    for name, kinds in sides.items():
        for kind in kinds:
            yield Signature(mine[0], theirs[0], 1, {**usual, name: kind})


def _kinds(game: Game, hand: HandOf) -> list[Any]:
    pack = game.fresh()
    assert pack is not None
    deck = [card for card in SUITED_CARDS if pack.count(card)]
    size = len(hand.cards_of(game.start().seats[0]))
    found: dict[Any, None] = {}
    hands = _five(deck) if hand.value is best_hand and size >= 5 else _all(deck, size)
    for cards in hands:
        found.setdefault(hand.kind(hand.value(cards)), None)
    return list(found)


def _all(deck: list[Card], size: int) -> Iterator[tuple[Card, ...]]:
    count = 1
    for n in range(size):
        count = count * (len(deck) - n) // (n + 1)
    if count > MOST_HANDS:
        raise _NotAll
    yield from combinations(deck, size)


def _five(deck: list[Card]) -> Iterator[tuple[Card, ...]]:
    """One hand for each of those that poker tells apart."""
    ranks = sorted({card.rank for card in deck})
    by_rank = {rank: [card for card in deck if card.rank == rank] for rank in ranks}
    for row in combinations_with_replacement(ranks, 5):
        if all(row.count(rank) <= len(by_rank[rank]) for rank in row):
            at = [row.index(rank) + row[:n].count(rank) for n, rank in enumerate(row)]
            yield tuple(by_rank[rank][n % len(by_rank[rank])] for n, rank in zip(at, row, strict=True))
    for row in combinations(ranks, 5):
        for suit in {card.suit for card in deck}:
            cards = tuple(card for card in deck if card.suit == suit and card.rank in row)
            if len(cards) == 5:
                yield cards
                break


def _walk(game: Game, signature: Signature) -> None:
    """A round that ends so, along every course of choices."""
    card, staked = OpaqueCard(signature), dict.fromkeys(game.wagers, Fraction(1))
    waiting = [game.start(tracked=False)]
    while waiting:
        round = waiting.pop()
        while (step := round.next) is not None:
            others: list[Answer] = []
            match step:
                case Bet():
                    for place in list(bets_for(staked, round, step, ME)):
                        round = round.after(place)
                    answer: Answer = Close()
                case Deal():
                    answer = DEALT
                case Turn():
                    answer = card
                case Choose(who, options):
                    by = who if isinstance(who, Role) else ME
                    answer, others = Decide(by, options[0].name), [Decide(by, option.name) for option in options[1:]]
                case _:
                    raise _NotAll  # dice, or a reader: its hands do not tell all
            waiting += [round.after(other) for other in others]
            round = round.after(answer)
