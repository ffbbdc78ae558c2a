"""What each option is worth in a situation that somebody asks about."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from feltworks.kit.advice import Advice
from feltworks.kit.errors import BadCard, BadValue, FeltworksError
from feltworks.kit.game import Game, Situation
from feltworks.kit.hands import plural
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, Bet, Choose, Close, Deal, Decide, Read, Turn
from feltworks.kit.unseen import Unseen
from feltworks.kit.walk import bets_for
from feltworks.lab.alike_ranks import checked_classes
from feltworks.lab.analysis import analyzer_for, not_counted
from feltworks.lab.card_classes import CardClasses, classes_for
from feltworks.lab.enumerating_analyzer import EnumeratingAnalyzer
from feltworks.lab.graph import ME, Graph, RoundWalker
from feltworks.lab.solver import optimise
from feltworks.lab.stakes import alone, checked_stakes
from feltworks.lab.strategy import describe
from feltworks.lab.wager_analysis import net_of
from feltworks.lab.walking_analyzer import WalkingAnalyzer

FEW_STATES = 20_000
"""A game that has more is not walked to see whether anything is decided in it."""


def advise(game: Game, cards: str, *, stakes: Mapping[str, Fraction] | None = None, **given: str) -> Advice:
    """The expected net result of every option, in units of the base wager, bonuses left out unless staked.

    `given` is what else is known, by the names that the game knows: traded="4c".
    """
    wanted = checked_stakes(game, stakes)
    situation = _situation(game, cards, given)
    _check_cards(game, situation, wanted)
    if not wanted:
        _refuse_without_decisions(game)
        raise BadValue(f"No wager is required in {game.title}; say with --stake what is staked.")
    if game.enumerator and not not_counted(game):
        return enumerated_advice(game, situation, wanted)
    classes = checked_classes(game, wanted)
    round = _reach(game, situation, wanted, _without(game, situation, classes), classes)
    graph = Graph(RoundWalker(round.untracked(), wanted), round.unseen, classes=classes)
    solved = optimise(graph, net_of([game.wager(name) for name in wanted]))
    unit = next((stake for name, stake in wanted.items() if game.wager(name).required), next(iter(wanted.values())))
    values = {name: value / unit for name, value in solved.option_values(graph.start).items()}
    return Advice(describe(round.info(ME), round.fact_names), values, solved.best[graph.start])


def enumerated_advice(game: Game, situation: Situation, stakes: Mapping[str, Fraction]) -> Advice:
    """By the enumerator of the game. What a stake beside the base wins is the same whatever is chosen."""
    analyzer = analyzer_for(game, stakes)
    assert isinstance(analyzer, EnumeratingAnalyzer)
    advice = analyzer.enumerator.advise(game, analyzer.results, situation)
    if any(not game.wager(name).required for name in stakes):
        raise BadValue("What a bonus wager wins does not depend on what is chosen here; leave its stake out.")
    return advice


def _refuse_without_decisions(game: Game) -> None:
    if decides_nothing(game):
        raise BadValue(f"{game.title} has no decisions, so there is nothing to advise; felt analyze tells its edges.")


def decides_nothing(game: Game) -> bool:
    """Whether it is known that no seat decides anything in a game: each of its wagers was walked."""
    try:
        for name in game.bets:
            stakes = checked_stakes(game, alone(game, name))
            graph = WalkingAnalyzer(game, stakes, most=FEW_STATES).whole
            if any(state is not None and state.options for state in graph.states):
                return False
    except FeltworksError:
        return False
    return True


def _situation(game: Game, cards: str, given: Mapping[str, str]) -> Situation:
    if game.situation is None:
        _refuse_without_decisions(game)
        raise BadValue(f"{game.title} does not say how a situation in it is described, so there is no advice on one.")
    allowed = game.situation_options
    for name in given:
        if name not in allowed:
            raise BadValue(
                f"{game.title} knows no {name!r}; besides the cards it takes: {', '.join(allowed) or 'none'}."
            )
    for name, needed in allowed.items():
        if needed and name not in given:
            raise BadValue(f"{game.title} needs to know more than the cards: give --{name}.")
    return game.situation_of(ME, cards, given)


def _check_cards(game: Game, situation: Situation, stakes: Mapping[str, Fraction]) -> None:
    """Refuse a card that is named more often than the pack has it, and one without a suit where suits count."""
    fresh, suited = game.fresh(), classes_for(game, stakes).suited
    for card, times in Counter(situation.cards.values()).items():
        if suited and not card.has_suit:
            raise BadCard(f"{card} needs a suit here: {card}c, {card}d, {card}h or {card}s.")
        held = 0 if fresh is None else (fresh if card.has_suit else fresh.suitless).count(card)
        if times > held > 0:
            often = "twice" if times == 2 else f"{times} times"
            there = "is one of each card" if held == 1 else f"are {held} of each card"
            if not card.has_suit:
                there = f"are {held} {plural(card.rank)}"
            raise BadCard(f"{card} is named {often}; there {there} in the deck{'s' * (game.decks != 1)}.")


def _without(game: Game, situation: Situation, classes: CardClasses) -> Unseen:
    """The pack the situation is dealt from, after a look whether it can hold these cards."""
    fresh = game.fresh()
    assert fresh is not None
    named = list(situation.cards.values())
    if all(card.has_suit for card in named):
        fresh.without_all(named)
    fresh.suitless.without_all(card.suitless for card in named)  # those with a suit and those without together
    return classes.pack(fresh)


def _reach(
    game: Game, situation: Situation, stakes: Mapping[str, Fraction], unseen: Unseen, classes: CardClasses
) -> Round:
    """Walk a round to the decision that is asked about."""
    round = game.start((ME,), unseen)
    decisions = iter(situation.decisions)
    while True:
        match round.next:
            case Bet() as bet:
                for place in list(bets_for(stakes, round, bet, ME)):
                    round = round.after(place)
                round = round.after(Close())
            case Deal():
                round = round.after(DEALT)
            case Turn(token) if token in situation.cards:
                card = situation.cards[token]
                round = round.after(classes.card(card))
            case Read(token) if token in situation.shown:
                round = round.after(situation.shown[token])
            case Choose():
                decision = next(decisions, None)
                if decision is None:
                    return round
                round = round.after(Decide(ME, decision))
            case _:
                _refuse_without_decisions(game)
                raise BadValue(f"These cards do not lead to a decision in {game.title}.")
