"""How large a graph will be, before it is walked; and what to do about a game that is too large."""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Protocol

from feltworks.kit.game import Game, game_of
from feltworks.kit.round import Round
from feltworks.kit.steps import Read, Roll, Spin

SAMPLE = 100
"""So many states of each level are walked for an estimate."""


class Growing(Protocol):
    """A graph of which only what is asked for is walked."""

    start: int

    def following(self, number: int) -> set[int]: ...


class Walked(Protocol):
    """The rules as far as they were walked."""

    @property
    def start(self) -> Round: ...
    @property
    def stakes(self) -> Mapping[str, Any]: ...
    @property
    def skeletons(self) -> Mapping[Any, Any]: ...


def expected_states(graph: Growing, limit: int) -> int:
    """About how many states a graph has: level by level, of each only a sample.

    A level that is sampled has as many states more than its sample as its parents are more than those that were
    walked, if each state has one parent. Most have several: how many were found once and how many twice tells how many
    were not found (Chao 1987). The smaller of the two is taken. Beyond the limit nobody needs to know more.
    """
    random, seen = Random(0), {graph.start}
    level, size, total = [graph.start], 1.0, 0.0
    while level and total <= 1_000 * limit:
        total += size
        taken = level if len(level) <= SAMPLE else random.sample(level, SAMPLE)
        parents = Counter(after for number in taken for after in graph.following(number) if after not in seen)
        size = _how_many(parents, len(taken), size)
        seen.update(parents)
        level = list(parents)
    return round(total)


def _how_many(parents: Counter[int], taken: int, size: float) -> float:
    """How many states follow a level of this size, of which so many were taken: by how many of these each one of those
    that were found follows."""
    found = float(len(parents))
    if taken >= size:
        return found
    times = Counter(parents.values())
    by_parents = found * size / taken
    if not times[2]:
        return by_parents
    return max(found, min(by_parents, found + (taken - 1) / taken * times[1] ** 2 / (2 * times[2])))


def too_large(rules: Walked, states: int) -> str:
    """What to say of a game that is too large, with the ways out that there are for it."""
    game, about = game_of(rules.start), float(f"{states:.0e}")
    rounds = [skeleton.round for skeleton in rules.skeletons.values()]
    *ways, last = _ways_out(game, rules.stakes, rounds)
    return f"{game.title} is too large to be walked: about {about:,.0f} states. You can {', '.join(ways)}, or {last}."


def _ways_out(game: Game, stakes: Mapping[str, Any], rounds: list[Round]) -> Iterator[str]:
    for name in game.wagers:
        if name not in stakes and name in game.bonuses and game.bonuses[name].early:
            yield f"ask for {name} alone, which is settled before any decision"
    if len(stakes) > 1:
        yield "stake one wager alone"
    if game.definition.pack is not None:
        declared = getattr(game.round_class, "showdown", None) is not None
        if (
            game.decks == 1
            and not declared
            and not any(isinstance(round.next, Read | Roll | Spin) or round.returned for round in rounds)
        ):
            yield "declare its hands as a Showdown if it compares hands, which is solved at once"
        yield "say which cards decide the same (alike of a wager, alike_cards of the round)"
    yield "write an enumerator"
    yield f"simulate it: felt simulate {game.name}"
