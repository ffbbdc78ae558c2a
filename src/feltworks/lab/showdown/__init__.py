"""Poker games solved from their rules: an enumerator that is made from the round itself and what a game declares of its
hands (`feltworks.kit.showdown`). What was kept of a solution is told without the engine, which brings Numba with it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from feltworks.kit.advice import Advice
from feltworks.kit.chart import Chart, Plot
from feltworks.kit.counted_parts import Parts
from feltworks.kit.enumerator import Ends, EnumeratedWager, Outcome, Progress
from feltworks.kit.errors import BadValue, TooLarge
from feltworks.kit.game import Game, Situation
from feltworks.kit.round import Info
from feltworks.lab.showdown import parts as kept
from feltworks.lab.showdown.naming import best_of
from feltworks.lab.showdown.parts import PARTS
from feltworks.lab.showdown.skeleton import Choice

if TYPE_CHECKING:
    from feltworks.lab.showdown.engine import Solved

ON_EQUAL = "Where options are worth the same, the one that the rules name first is taken, which stakes nothing more."

ON_LAST = "Whoever takes the last of them stakes {:.6f} on average, and loses no more."


def _solved(game: Game) -> "Solved":
    from feltworks.lab.showdown.engine import solved

    return solved(game)


def essential(game: Game) -> Game:
    return game


def bears_on_strategy(game: Game, wager: str) -> bool:
    """Whether a side wager ends otherwise on another course of the round, as one that a fold forfeits."""
    from feltworks.lab.showdown.side_wagers import forfeited

    return forfeited(_solved(game).plan, wager)


def edge(game: Game, name: str, parts: Parts) -> Fraction:
    if game.wager(name).required:
        return kept.edge(parts)
    return -sum((chance * ending.net for ending, chance in kept.endings(game, name, parts).items()), Fraction(0))


def wager(game: Game, name: str, parts: Parts, *, details: bool) -> EnumeratedWager:
    """A wager by the best strategy for the required ones."""
    endings, base = kept.endings(game, name, parts), game.wager(name).required
    order = {line: place for place, line in enumerate(game.pay[name].names if name in game.pay else ())}
    several = len(game.wager(name).spots) > 1
    chances: dict[tuple[str, Fraction], Fraction] = {}
    for ending, chance in endings.items():
        chances[ending.line, ending.net] = chances.get((ending.line, ending.net), Fraction(0)) + chance
    outcomes = tuple(
        Outcome(line, _pays(game, name, line, net, several), net, chance)
        for (line, net), chance in sorted(
            chances.items(), key=lambda item: (order.get(item[0][0], len(order)), -item[0][1], item[0][0])
        )
    )
    staked = kept.staked(endings)
    if not base:
        return EnumeratedWager(outcomes, staked)
    most = kept.most_staked(name, parts)
    notes = (*kept.words(parts), ON_EQUAL if most is None else f"{ON_EQUAL} {ON_LAST.format(float(most))}")
    return EnumeratedWager(outcomes, staked, tuple(kept.rows(parts)), notes=notes, most_staked=most)


def _pays(game: Game, wager: str, line: str, net: Fraction, several: bool) -> str:
    """What an end pays, in the words of every other analysis."""
    if several:
        return f"{'+' if net > 0 else ''}{net}"
    table = game.pay.get(wager)
    if table is not None and line in table.names:
        return str(table.pay(line))
    return "loses" if net < 0 else f"{'+' if net > 0 else ''}{net}" if net else "push"


def advise(game: Game, parts: Parts, asked: Situation) -> Advice:
    """What each option is worth in a situation, in units of the wager."""
    try:
        worth = kept.first_advice(parts, asked)
    except TooLarge:  # what follows this situation alone may still be gone through
        worth = None
    if worth is None:
        choice, cards = _asked(game, asked), {token.name: card.index for token, card in asked.cards.items()}
        worth = _solved(game).worth(choice, cards)
    return Advice(", ".join(f"{token.name} {card}" for token, card in asked.cards.items()), worth, best_of(worth))


def _asked(game: Game, asked: Situation) -> Choice:
    """The decision that is asked about: along the decisions that were made, or the first one with these cards."""
    found = _solved(game)
    if asked.wagers:
        return found.choice_at({token.name for token in asked.cards}, asked.wagers)
    node = found.plan.root
    for option in asked.decisions:
        if not isinstance(node, Choice) or option not in dict(node.options):
            raise BadValue(f"{option!r} cannot be chosen on the way there in {game.title}.")
        node = node.after(option)
    seen = {token.name for token in asked.cards}
    nodes = [node] if asked.decisions else [*found.plan.skeleton.places.values()]
    for choice in nodes:
        if isinstance(choice, Choice) and {token.name for token in choice.seen} == seen:
            return choice
    raise BadValue(f"These cards do not lead to a decision in {game.title}.")


def option(game: Game, info: Info) -> str:
    """The best option where a seat stands."""
    found = _solved(game)
    cards = {name: card.index for name, card, _ in info.cards if card is not None}
    return found.best(found.choice_at(cards.keys(), dict(info.wagers)), cards)


def chart(game: Game, parts: Parts) -> Chart:
    return kept.chart(parts)


def plot(game: Game, parts: Parts) -> Plot | None:
    return None


def simulate(game: Game, rounds: int, seed: int, workers: int, progress: Progress | None) -> Mapping[str, Ends]:
    """Rounds of one seat by the best strategy, from the declaration alone."""
    from feltworks.lab.showdown.simulator import Simulator  # nothing else needs what it compiles

    found: dict[str, dict[tuple[str, str, Fraction], int]] = {}
    for name, endings in Simulator(_solved(game)).play(rounds, seed, workers, progress).items():
        several, ends = len(game.wager(name).spots) > 1, found.setdefault(name, {})
        for ending, times in endings.items():
            end = ending.line, _pays(game, name, ending.line, ending.net, several), ending.net
            ends[end] = ends.get(end, 0) + times
    return found


__all__ = [
    "PARTS",
    "advise",
    "bears_on_strategy",
    "chart",
    "edge",
    "essential",
    "option",
    "plot",
    "simulate",
    "wager",
]
