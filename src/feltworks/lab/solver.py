"""The exact solver: the best decision in every state, and what follows from a policy, in fractions throughout.

States are taken one strongly connected component at a time. A component without a loop is a weighted sum; a loop
(a point, a hand that goes on) is closed by a linear solve over the rationals, with policy iteration where there is
something to decide inside it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import TypeVar

from flint import fmpq
from rustworkx import PyDiGraph, strongly_connected_components

from feltworks.kit.errors import BadDefinition
from feltworks.lab.graph import END, Edge, Event, Graph, State
from feltworks.lab.linear_equations import Row, solve

Gain = Callable[[Event], Fraction]
History = tuple[Event, ...]
Values = dict[int, Fraction] | list[Fraction]
"""What states are worth, by their numbers."""
Counted = TypeVar("Counted")
ZERO = Fraction(0)
NOTHING = fmpq(0)


@dataclass(frozen=True)
class Solved:
    """The value of every state and the best option in every decision."""

    graph: Graph
    gain: Gain
    values: list[Fraction]
    best: dict[int, str]

    def option_values(self, number: int) -> dict[str, Fraction]:
        """The expected net result of each option in a state, from there to the end of the round."""
        options = self.graph.state(number).options
        return {name: self.gain(edge.event) + self.values[edge.state] for name, edge in options.items()}

    @cached_property
    def visits(self) -> list[Fraction]:
        """How often each state is visited in a round, in the mean."""
        return visits(self.graph, self.best)


def optimise(graph: Graph, gain: Gain) -> Solved:
    """The policy that maximises the expected gain, and the value of every state under it."""
    gain = cache(gain)
    gains = cache(lambda event: _fast(gain(event)))
    values = [NOTHING] * len(graph.states)
    best: dict[int, str] = {}
    for component in components(graph):
        if len(component) == 1 and not _loops(graph, component[0]):
            number = component[0]
            state = graph.state(number)
            if state.options:
                worth = {name: gains(e.event) + values[e.state] for name, e in state.options.items()}
                best[number] = max(worth, key=worth.__getitem__)
                values[number] = worth[best[number]]
            else:
                values[number] = _average(state.edges, gains, values)
        else:
            after = {n for number in component for n in _next_states(graph, number)}
            behind = {n: _fraction(values[n]) for n in (END, *after)}
            _close_loop(graph, component, gain, behind, best)
            for number in component:
                values[number] = _fast(behind[number])
    return Solved(graph, gain, [_fraction(value) for value in values], best)


def _average(edges: list[Edge], gains: Callable[[Event], fmpq], values: list[fmpq]) -> fmpq:
    """The weighted mean; equal values are counted together first, which saves most of the arithmetic."""
    weights: dict[tuple[Event, fmpq], int] = defaultdict(int)
    total = 0
    for weight, number, event in edges:
        weights[event, values[number]] += weight
        total += weight
    return sum(((gains(event) + value) * weight for (event, value), weight in weights.items()), NOTHING) / total


def _close_loop(graph: Graph, component: list[int], gain: Gain, values: Values, best: dict[int, str]) -> None:
    """Policy iteration inside a loop, each policy valued by a linear solve."""
    best |= _way_out(graph, component)
    while True:
        _close(graph, component, best, lambda edge: gain(edge.event), values)
        if not _improve(graph, component, gain, values, best):
            return


def _close(
    graph: Graph,
    component: list[int],
    best: Mapping[int, str],
    reward: Callable[[Edge], Fraction],
    values: Values,
) -> None:
    """The expected sum of the rewards on the way from each state of a component, those behind it being found."""
    column = {number: i for i, number in enumerate(component)}
    rows: list[Row] = []
    right: list[Fraction] = []
    for number in component:
        row: Row = {column[number]: Fraction(1)}
        known = ZERO
        for share, edge in outcomes(graph.state(number), best.get(number)):
            known += share * reward(edge)
            if edge.state in column:
                row[column[edge.state]] = row.get(column[edge.state], ZERO) - share
            else:
                known += share * values[edge.state]
        rows.append(row)
        right.append(known)
    for number, value in zip(component, solve(rows, right), strict=True):
        values[number] = value


def _way_out(graph: Graph, component: list[int]) -> dict[int, str]:
    """A first policy that leaves the loop with probability 1: from each decision a step nearer to the way out."""
    inside = set(component)
    choice: dict[int, str] = {}
    shrinks = True
    while inside and shrinks:
        shrinks = False
        for number in sorted(inside):
            state = graph.state(number)
            ways = {name: edge.state for name, edge in state.options.items() if edge.state not in inside}
            if ways:
                choice[number] = next(iter(ways))
            if ways or any(edge.state not in inside for edge in state.edges):
                inside.discard(number)
                shrinks = True
    if inside:
        skeletons = [graph.state(number).skeleton for number in sorted(inside)]
        stuck = next((s.before for s in skeletons if s.before is not None), skeletons[0].round)
        raise BadDefinition(f"{stuck.never_decided}: there is a loop that never ends; let a rule end it.")
    return choice


def _improve(graph: Graph, component: list[int], gain: Gain, values: Values, best: dict[int, str]) -> bool:
    changed = False
    for number in component:
        for name, edge in graph.state(number).options.items():
            worth = gain(edge.event) + values[edge.state]
            if worth > values[number]:
                best[number], values[number], changed = name, worth, True
    return changed


def outcomes(state: State, choice: str | None) -> Iterator[tuple[Fraction, Edge]]:
    """Where a state leads under a choice, with the probability of each way."""
    if state.options:
        assert choice is not None
        yield Fraction(1), state.options[choice]
        return
    total = sum(edge.weight for edge in state.edges)
    for edge in state.edges:
        yield Fraction(edge.weight, total), edge


@dataclass(frozen=True)
class Course:
    """What happens under a policy: how often each event, and each whole history of events, comes about.

    `histories` is nothing when money changes hands inside a loop: the histories then have no end.
    """

    counts: dict[Event, Fraction]
    histories: dict[History, Fraction] | None


def follow(graph: Graph, best: Mapping[int, str]) -> Course:
    """Push the probability of every state forward to the end."""
    counts: dict[Event, fmpq] = defaultdict(lambda: NOTHING)
    ended: dict[History, fmpq] = defaultdict(lambda: NOTHING)
    mass: dict[int, dict[History, fmpq]] = defaultdict(lambda: defaultdict(lambda: NOTHING))
    endless = False

    def send(edge: Edge, past: History, share: fmpq) -> None:
        counts[edge.event] += share
        if edge.event:
            past = (*past, edge.event)
        (ended if edge.state == END else mass[edge.state])[past] += share

    send(Edge(1, graph.start, graph.first_event), (), fmpq(1))
    for component in reversed(list(components(graph))):
        arrived: dict[History, dict[int, fmpq]] = defaultdict(dict)
        for number in component:
            for past, share in mass.pop(number, {}).items():
                arrived[past][number] = share
        inside = set(component)
        loops = len(component) > 1 or _loops(graph, component[0])
        for past, shares in arrived.items():
            often = _often(graph, component, best, shares) if loops else shares
            for number, visits in often.items():
                state = graph.state(number)
                edges = [state.options[best[number]]] if state.options else state.edges
                unit = visits / sum(edge.weight for edge in edges)
                for edge in edges:
                    if edge.state not in inside:
                        send(edge, past, unit * edge.weight)
                    elif visits:
                        counts[edge.event] += unit * edge.weight
                        endless = endless or bool(edge.event)
    return Course(_fractions(counts), None if endless else _fractions(ended))


def _often(graph: Graph, component: list[int], best: Mapping[int, str], shares: Mapping[int, fmpq]) -> dict[int, fmpq]:
    """How often each state of a loop is visited, given how often it is entered."""
    arrived = {number: _fraction(share) for number, share in shares.items()}
    return {number: _fast(visits) for number, visits in _visits(graph, component, best, arrived).items()}


def _visits(
    graph: Graph, component: list[int], best: Mapping[int, str], arrived: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """How often each state of a component is visited in the mean, given how often it is entered."""
    if len(component) == 1 and not _loops(graph, component[0]):
        return dict(arrived)
    column = {number: i for i, number in enumerate(component)}
    rows: list[Row] = [{i: Fraction(1)} for i in range(len(component))]
    for number in component:
        for share, edge in outcomes(graph.state(number), best.get(number)):
            if edge.state in column:
                row = rows[column[edge.state]]
                row[column[number]] = row.get(column[number], ZERO) - share
    right = [arrived.get(number, ZERO) for number in component]
    return dict(zip(component, solve(rows, right), strict=True))


def expected(graph: Graph, best: Mapping[int, str], gain: Gain) -> list[Fraction]:
    """The expected sum of the gains from each state to the end, under a policy."""
    gain = cache(gain)
    values = [ZERO] * len(graph.states)
    for component in components(graph):
        _close(graph, component, best, lambda edge: gain(edge.event), values)
    return values


def second_moment(graph: Graph, best: Mapping[int, str], gain: Gain) -> Fraction:
    """The mean square of the whole gain under a policy, loops included."""
    gain = cache(gain)
    means, squares = expected(graph, best, gain), [ZERO] * len(graph.states)
    for component in components(graph):
        _close(
            graph,
            component,
            best,
            lambda edge: gain(edge.event) ** 2 + 2 * gain(edge.event) * means[edge.state],
            squares,
        )
    first = gain(graph.first_event)
    return first**2 + 2 * first * means[graph.start] + squares[graph.start]


def mean(graph: Graph, best: Mapping[int, str], gain: Gain) -> Fraction:
    """The expected sum of the gains of a whole round under a policy."""
    return gain(graph.first_event) + expected(graph, best, gain)[graph.start]


def visits(graph: Graph, best: Mapping[int, str]) -> list[Fraction]:
    """How often each state is visited in a round, in the mean, under a policy."""
    often = [ZERO] * len(graph.states)
    often[graph.start] = Fraction(1)
    for component in reversed(list(components(graph))):
        inside = set(component)
        for number, times in _visits(graph, component, best, {n: often[n] for n in component}).items():
            often[number] = times
        for number in component:
            for share, edge in outcomes(graph.state(number), best.get(number)):
                if edge.state not in inside and edge.state != END:
                    often[edge.state] += often[number] * share
    return often


def event_counts(graph: Graph, best: Mapping[int, str]) -> dict[Event, Fraction]:
    """How often each event comes about in a round, in the mean, under a policy: all that an edge depends on."""
    often = [NOTHING] * len(graph.states)
    often[graph.start] = fmpq(1)
    counts: dict[Event, fmpq] = defaultdict(lambda: NOTHING)
    counts[graph.first_event] += 1
    for component in reversed(list(components(graph))):
        inside = set(component)
        if len(component) > 1 or _loops(graph, component[0]):
            entered = {number: often[number] for number in component}
            for number, times in _often(graph, component, best, entered).items():
                often[number] = times
        for number in component:
            state = graph.state(number)
            edges = [state.options[best[number]]] if state.options else state.edges
            share = often[number] / sum(edge.weight for edge in edges)
            for weight, after, event in edges:
                counts[event] += share * weight
                if after not in inside:
                    often[after] += share * weight
    return _fractions(counts)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _fast(value: Fraction) -> fmpq:
    """The same number, to be computed with in compiled code."""
    return fmpq(value.numerator, value.denominator)


def _fractions(values: Mapping[Counted, fmpq]) -> dict[Counted, Fraction]:
    return {name: _fraction(value) for name, value in values.items()}


def components(graph: Graph) -> Iterator[list[int]]:
    """The strongly connected components, each after those it leads to."""
    leads_to = PyDiGraph[None, None]()
    leads_to.add_nodes_from([None] * len(graph.states))
    numbers = range(END + 1, len(graph.states))
    leads_to.add_edges_from_no_data([(number, after) for number in numbers for after in _next_states(graph, number)])
    for component in strongly_connected_components(leads_to):
        if component != [END]:
            yield list(component)


def _next_states(graph: Graph, number: int) -> list[int]:
    state = graph.state(number)
    edges = [*state.edges, *state.options.values()]
    return [edge.state for edge in edges if edge.state != END]


def _loops(graph: Graph, number: int) -> bool:
    return number in _next_states(graph, number)
