"""A strategy: what to do in each situation, what each option is worth there, and how to look a situation up."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations

from feltworks.kit.advice import Advice
from feltworks.kit.cards import SUITS, Card, Seat
from feltworks.kit.errors import BadValue
from feltworks.kit.round import Info, Round
from feltworks.kit.steps import Bet, Choose, Collect, Decide, Place, TakeUp
from feltworks.kit.walk import bets_for
from feltworks.lab.card_classes import CardClasses
from feltworks.lab.solver import Solved


@dataclass(frozen=True)
class Strategy:
    """The best decision in every situation that can come up, found for these stakes."""

    stakes: Mapping[str, Fraction]
    spots: frozenset[str]
    classes: CardClasses
    advice: Mapping[Info, Advice]
    _known: dict[Info, Info] = field(default_factory=dict, repr=False, compare=False)

    def option(self, info: Info) -> str:
        return self.look_up(info).best

    def look_up(self, info: Info) -> Advice:
        """What the strategy says in a situation, whatever other wagers and suits are in it."""
        known = self._known.get(info)
        if known is None:
            known = self._known[info] = self._normal(info)
        if known not in self.advice:
            raise BadValue(f"The strategy was not made for this situation: {describe(info)}.")
        return self.advice[known]

    def _normal(self, info: Info) -> Info:
        info = info._replace(wagers=tuple(w for w in info.wagers if w[0] in self.spots))
        info = _classed(info, self.classes)
        return canonical(info) if self.classes.suited else info

    # As a player at a seat.

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp | Collect]:
        return bets_for(self.stakes, round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        return Decide(seat, choose.clock_choice.name if choose.neutral else self.option(round.info(seat)))


def strategy_of(solved: Solved, classes: CardClasses) -> Strategy:
    """The strategy that the solver found, situation by situation."""
    graph = solved.graph
    game = graph.rules.start.game
    advice: dict[Info, Advice] = {}
    for number, state in enumerate(graph.states):
        if state is not None and state.options:
            info = graph.info(state)
            name = canonical(info) if classes.suited else info
            advice[name] = Advice(describe(info), solved.option_values(number), solved.best[number])
    stakes = graph.rules.stakes
    spots = frozenset(spot for wager in stakes for spot in game.wager(wager).spots)
    return Strategy(stakes, spots, classes, advice)


def describe(info: Info) -> str:
    """A situation in a few words: "card 7", "replacement J, gone 4"."""
    parts = [f"{name} {card or reading}" for name, card, reading in info.cards if card or reading]
    if info.gone:
        parts.append("gone " + " ".join(card.text for card in info.gone))
    if info.returned:
        parts.append("back in the shuffler " + " ".join(card.text for card in info.returned))
    return ", ".join(parts) or "at the start"


def _classed(info: Info, classes: CardClasses) -> Info:
    """The situation with the cards that stand for its cards."""
    if classes.suited and not classes.alike:
        return info
    return info._replace(
        cards=tuple((name, card and classes.card(card), reading) for name, card, reading in info.cards),
        gone=_sorted(map(classes.card, info.gone)),
        returned=_sorted(map(classes.card, info.returned)),
    )


def canonical(info: Info) -> Info:
    """One form for all situations that differ only in the names of the suits."""
    forms = (_renamed(info, "".join(suits)) for suits in permutations(SUITS))
    return min(forms, key=lambda form: ([str(card) for _, card, _ in form.cards], [c.text for c in form.gone]))


def _renamed(info: Info, suits: str) -> Info:
    cards = tuple((name, card and card.renamed(suits), reading) for name, card, reading in info.cards)
    return info._replace(
        cards=cards,
        gone=_sorted(card.renamed(suits) for card in info.gone),
        returned=_sorted(card.renamed(suits) for card in info.returned),
    )


def _sorted(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: card.text))
