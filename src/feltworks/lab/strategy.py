"""A strategy: what to do in each situation, what each option is worth there, and how to look a situation up."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations

from feltworks.kit.advice import Advice
from feltworks.kit.cards import SUITS, Card, Seat
from feltworks.kit.errors import BadValue, FaultyRules
from feltworks.kit.game import game_of
from feltworks.kit.round import Info, Round, in_place
from feltworks.kit.rule_faults import place_of
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
    facts: tuple[str, ...] = ()
    """What the facts of a situation are called, where it has those of the round."""
    suits_alike: bool = True
    _known: dict[Info, Info] = field(default_factory=dict, repr=False, compare=False)

    def option(self, info: Info) -> str:
        return self.look_up(info).best

    def look_up(self, info: Info) -> Advice:
        """What the strategy says in a situation, whatever other wagers and suits are in it."""
        known = self._known.get(info)
        if known is None:
            known = self._known[info] = self._normal(info)
        if known not in self.advice:
            raise BadValue(f"The strategy was not made for this situation: {describe(info, self.facts)}.")
        return self.advice[known]

    def _normal(self, info: Info) -> Info:
        info = info._replace(wagers=tuple(w for w in info.wagers if w[0] in self.spots))
        return _named(_classed(info, self.classes), suits_alike=self.classes.suited and self.suits_alike)

    # As a player at a seat.

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp | Collect]:
        return bets_for(self.stakes, round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        return Decide(seat, choose.clock_choice.name if choose.neutral else self.option(round.info(seat)))


def strategy_of(solved: Solved, classes: CardClasses) -> Strategy:
    """The strategy that the solver found, situation by situation."""
    graph = solved.graph
    game = game_of(graph.rules.start)
    suits_alike = game.definition.pack is None or game.definition.pack.suits_alike
    states: dict[Info, list[int]] = {}
    told: dict[Info, str] = {}
    for number, state in enumerate(graph.states):
        if state is not None and state.options:
            info = graph.info(state)
            name = _named(info, suits_alike=classes.suited and suits_alike)
            states.setdefault(name, []).append(number)
            told[name] = describe(info, graph.rules.start.fact_names)
    advice = {name: _advice(solved, told[name], numbers) for name, numbers in states.items()}
    stakes = graph.rules.stakes
    spots = frozenset(spot for wager in stakes for spot in game.wager(wager).spots)
    return Strategy(stakes, spots, classes, advice, graph.rules.start.fact_names, suits_alike)


def _advice(solved: Solved, told: str, numbers: list[int]) -> Advice:
    """What the options are worth in a situation, over all states in which a seat knows no more than it."""
    first, *others = (solved.option_values(number) for number in numbers)
    if any(values != first for values in others):
        first = _mean(solved, told, numbers)
    best = solved.best[numbers[-1]]
    return Advice(told, first, best if first[best] == max(first.values()) else max(first, key=first.__getitem__))


def _mean(solved: Solved, told: str, numbers: list[int]) -> dict[str, Fraction]:
    """What the options are worth on average, where a seat knows less than the solver, which looked at all that the
    rules know. An `info` of the game's own may not leave out what bears on which is best."""
    graph = solved.graph
    often = solved.visits
    values = {number: solved.option_values(number) for number in numbers}
    weights = {number: often[number] for number in numbers}
    if not any(weights.values()):
        weights = dict.fromkeys(numbers, Fraction(1))
    total = sum(weights.values())
    mean = {
        name: sum((weights[n] * values[n][name] for n in numbers), Fraction(0)) / total for name in values[numbers[0]]
    }
    best = max(mean, key=mean.__getitem__)
    own = game_of(graph.rules.start).round_class.info
    for number in numbers if own is not Round.info else ():
        if values[number][best] < max(values[number].values()):
            round = graph.state(number).skeleton.round
            seen = " ".join(card.text for card in round.open_cards) or "what lies there"
            raise FaultyRules(
                f"The info of {game_of(round).title} leaves out what decides: it tells {told}, where {best} is best on"
                f" average, and with {seen} it is {solved.best[number]}; keep in `info` what a seat acts on.",
                kind="info",
                place=place_of(own),
            )
    return mean


def describe(info: Info, facts: tuple[str, ...] = ()) -> str:
    """A situation in a few words: "card 7", "replacement J, gone 4"; by its facts where a game leaves out the cards."""
    parts = [f"{name} {card or reading}" for name, card, reading in info.cards if card or reading]
    if not parts and len(facts) == len(info.facts):
        known = zip(facts, info.facts, strict=True)
        parts = [f"{name.replace('_', ' ')} {fact}" for name, fact in known if fact not in (None, False)]
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


def _named(info: Info, *, suits_alike: bool) -> Info:
    """The situation as a strategy names it, with the cards that are alike in order."""
    return canonical(info) if suits_alike else _ordered(info)


def canonical(info: Info) -> Info:
    """One form for all situations that differ only in the names of the suits, or in the places of cards that are
    alike."""
    forms = (_ordered(_renamed(info, "".join(suits))) for suits in permutations(SUITS))
    return min(
        forms,
        key=lambda form: (
            [str(card) for _, card, _ in form.cards],
            [card.text for card in form.gone],
            [card.text for card in form.returned],
        ),
    )


def _ordered(info: Info) -> Info:
    """The situation with the cards that are alike in the order in which the solver lays them: those that lie open, and
    those of which something was read."""
    if not info.alike:
        return info
    places = {name: place for place, (name, _, _) in enumerate(info.cards)}
    cards = list(info.cards)
    for group in info.alike:
        lying = [places[name] for name in group if name in places]
        for is_open in (True, False):
            alike = [at for at in lying if (cards[at][1] is not None) == is_open and (is_open or cards[at][2])]
            known = sorted((cards[at][1:] for at in alike), key=lambda each: in_place(*each))
            for at, (card, reading) in zip(alike, known, strict=True):
                cards[at] = (cards[at][0], card, reading)
    return info._replace(cards=tuple(cards), alike=())


def _renamed(info: Info, suits: str) -> Info:
    cards = tuple((name, card and card.renamed(suits), reading) for name, card, reading in info.cards)
    return info._replace(
        cards=cards,
        gone=_sorted(card.renamed(suits) for card in info.gone),
        returned=_sorted(card.renamed(suits) for card in info.returned),
    )


def _sorted(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: card.text))
