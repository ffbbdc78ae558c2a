"""What is told of one wager under a policy: its edge, outcomes, variance, and what depends on a fact of the round."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import Any, Protocol

from feltworks.kit.advice import Advice
from feltworks.kit.definition import DECIDED, Wager
from feltworks.kit.enumerator import Figure, Outcome
from feltworks.kit.errors import BadValue, FaultyRules
from feltworks.kit.game import Game, game_of
from feltworks.kit.html_table import percent, table
from feltworks.kit.round import WITHDRAWN
from feltworks.kit.steps import Settlement, Stake
from feltworks.lab.graph import END, ME, Event, Graph
from feltworks.lab.solver import Course, Gain, expected, follow, outcomes, second_moment, visits
from feltworks.lab.strategy import Strategy

ZERO = Fraction(0)


class StrategyTable(Protocol):
    """A strategy that can be listed, situation by situation."""

    @property
    def advice(self) -> Mapping[Any, Advice]: ...


@dataclass(frozen=True)
class WagerAnalysis:
    """What is known exactly about one wager, per unit of its opening stake."""

    wager: Wager
    edge: Fraction
    outcomes: tuple[Outcome, ...]
    variance: Fraction
    hit_frequency: Fraction | None
    average_stake: Fraction
    edge_of_initial_stake: Fraction
    element_of_risk: Fraction
    edges: Mapping[str, Fraction] = field(default_factory=dict)
    by_fact: Mapping[str, Fraction] = field(default_factory=dict)
    by_spot: Mapping[str, Fraction] = field(default_factory=dict)
    """The edge on each spot of a wager that is made on any of them, where they differ; all else is of the first."""
    by_settlement: bool = False
    """Whether an outcome is one settlement; otherwise it is the end of the whole wager, on all of its spots."""
    strategy: "StrategyTable | None" = None
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    most_staked: Fraction | None = None
    """The average stake where of options that are worth the same the last is taken, if that is another."""
    origin: str = "counted now"
    """Where it comes from: counted in this process, or read from a file."""

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def _repr_html_(self) -> str:
        title = f"{self.wager.title}: edge {percent(self.edge)} ({self.edge})"
        rows = [(o.line, o.pays, str(o.probability), percent(o.probability)) for o in self.outcomes]
        return table(title, ("line", "pays", "probability", ""), rows)

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"edge": percent_json(self.edge)}
        for convention, edge in self.edges.items():
            data[f"edge_{convention}"] = percent_json(edge)
        if self.by_fact:
            by_fact = {value: {"edge": percent_json(edge)} for value, edge in self.by_fact.items()}
            data[f"by_{self.wager.by}"] = by_fact
        if self.by_spot:
            data["by_spot"] = {spot: {"edge": percent_json(edge)} for spot, edge in self.by_spot.items()}
        data["outcomes"] = [
            {"line": o.line, "pays": o.pays, "net": str(o.net), "probability": value_json(o.probability)}
            for o in self.outcomes
        ]
        data["hit_frequency"] = None if self.hit_frequency is None else value_json(self.hit_frequency)
        data["standard_deviation"] = self.standard_deviation
        data["variance"] = value_json(self.variance)
        data["origin"] = self.origin
        if self.figures:
            data["figures"] = {figure.name: value_json(figure.value) for figure in self.figures}
        if self.notes:
            data["notes"] = list(self.notes)
        if self.strategy is not None:
            data["edge_of_initial_stake"] = value_json(self.edge_of_initial_stake)
            data["average_stake"] = value_json(self.average_stake)
            data["element_of_risk"] = value_json(self.element_of_risk)
            data["strategy"] = [
                {
                    "situation": advice.situation,
                    "best": advice.best,
                    "options": {name: value_json(value) for name, value in advice.options.items()},
                }
                for advice in self.strategy.advice.values()
            ]
        return data


def decisive(settled: Sequence[Settlement], spots: Container[str]) -> Settlement:
    """The settlement that tells how a wager on several spots has ended: that of the first of these spots which was not
    taken back."""
    stood = [s for s in settled if s.line != WITHDRAWN]
    return next((s for s in stood if s.spot in spots), (stood or settled)[0])


def net_result(settlement: Settlement) -> Fraction:
    """What a settlement wins or loses in units, which are dollars in the lab; the meter of a jackpot shows nothing."""
    return settlement.net(ZERO, cents=100)


def net_of(wagers: Iterable[Wager]) -> Gain:
    """What a seat wins or loses on these wagers by an event."""
    spots = {spot for wager in wagers for spot in wager.spots}
    return lambda event: sum((net_result(s) for s in event.settlements if s.spot in spots), ZERO)


def made_of(wager: Wager) -> Gain:
    """How much of a wager is made by an event, told by its first opening spot."""
    spot, share = next(iter(wager.opens.items()))
    return lambda event: sum((amount / share for s, amount in event.stakes if s == spot), ZERO)


def staked_on(wager: Wager, event: Event) -> Fraction:
    """What is put on a wager by an event, less what is taken back by a decision."""
    staked = sum((amount for spot, amount in event.stakes if spot in wager.spots), ZERO)
    return staked - sum((s.amount for s in event.settlements if s.spot in wager.spots and s.line == WITHDRAWN), ZERO)


def measure(
    graph: Graph,
    best: Mapping[int, str],
    wager: Wager,
    edges: Mapping[str, Fraction] | None = None,
    strategy: Strategy | None = None,
) -> WagerAnalysis:
    """All figures of a wager under a policy."""
    course = follow(graph, best)
    stake = graph.rules.stakes[wager.name]
    gain, of_made = net_of([wager]), made_of(wager)
    net = made = staked = ZERO
    for event, count in course.counts.items():
        net += count * gain(event)
        made += count * of_made(event)
        staked += count * staked_on(wager, event)
    if not made:
        raise BadValue(f"{wager.title} is never made with these stakes.")
    check_ends(wager, course.counts, game_of(graph.rules.start), graph.rules.left_undecided)
    hits = None
    edges = dict(edges or {})
    if course.histories is not None:
        totals = {history: sum(map(gain, history), ZERO) for history in course.histories}
        square = sum((p * totals[h] ** 2 for h, p in course.histories.items()), ZERO)
        hits = sum((p for h, p in course.histories.items() if totals[h] > 0), ZERO)
        variance = (square - net**2) / stake**2
    elif _decided_once(wager, course):
        square = sum((count * gain(event) ** 2 for event, count in course.counts.items()), ZERO)
        hits = sum((count for event, count in course.counts.items() if gain(event) > 0), ZERO) * stake / made
        variance = square / (made * stake) - (net / made) ** 2
    else:
        variance = (second_moment(graph, best, gain) - net**2) / stake**2
    if _decided_once(wager, course) and (pushed := _pushed(wager, course)):
        edges[DECIDED] = -net / (made - pushed)
    whole = len(wager.spots) > 1 and is_made_once(wager, course, stake)
    return WagerAnalysis(
        wager=wager,
        edge=-net / made,
        outcomes=tuple(_outcomes(wager, course, stake, made, game_of(graph.rules.start), whole=whole)),
        variance=variance,
        hit_frequency=hits,
        average_stake=staked / made,
        edge_of_initial_stake=-net / made / sum(wager.opens.values()),
        element_of_risk=-net / staked,
        edges=edges,
        by_fact=_by_fact(graph, best, wager) if wager.by else {},
        by_settlement=not whole,
        strategy=strategy,
    )


def on_any_spot(wager: Wager, found: Mapping[str, WagerAnalysis]) -> WagerAnalysis:
    """What is told of a wager that is made on any of its spots: once where all of them end alike, else the edge of
    each."""
    first = next(iter(found.values()))
    if len({_distribution(each) for each in found.values()}) == 1:
        return replace(first, wager=wager)
    return replace(first, wager=wager, by_spot={spot: each.edge for spot, each in found.items()})


def _distribution(analysis: WagerAnalysis) -> tuple[Any, ...]:
    """What a wager wins and loses how often, whatever its lines are called."""
    often: dict[Fraction, Fraction] = defaultdict(lambda: ZERO)
    for outcome in analysis.outcomes:
        often[outcome.net] += outcome.probability
    return analysis.edge, analysis.variance, frozenset(often.items())


def _settlements(wager: Wager, course: Course) -> Iterator[tuple[Settlement, Fraction]]:
    """How a wager is settled, and how often in a round."""
    for event, count in course.counts.items():
        yield from ((s, count) for s in event.settlements if s.spot in wager.spots)


def check_ends(wager: Wager, counts: Mapping[Event, Fraction | int], game: Game, left: Mapping[str, str]) -> None:
    """All that is staked on a wager is settled in the end: its ends sum to one. A payment after which it stays up is no
    end, unless its owner takes it back from a self-service spot; what was not decided there is not to be taken back.
    What is `left` undecided by which rule is told where that was seen."""
    staked = ended = paid = back = ZERO
    for event, count in counts.items():
        staked += count * sum((amount for spot, amount in event.stakes if spot in wager.spots), ZERO)
        back += count * sum((amount for spot, amount in event.taken_back if spot in wager.spots), ZERO)
        for settlement in event.settlements:
            if settlement.spot in wager.spots and settlement.stake is Stake.STAYS:
                paid += count * settlement.amount
            elif settlement.spot in wager.spots:
                ended += count * settlement.amount
    seen = (left[spot] for spot in wager.spots if spot in left)
    check_sum(game, wager, (ended + min(paid, back)) / staked if staked else Fraction(1), next(seen, ""))


def check_sum(game: Game, wager: Wager, total: Fraction, seen: str = "") -> None:
    """Refuse outcomes of a wager that do not sum to one; and say what was seen of that, if anything was."""
    if total != 1:
        raise FaultyRules(
            f"The outcomes of {wager.title} in {game.title} sum to {total}, which is {float(total):.2%}, and not to 1"
            f"{seen and f': {seen}'}; settle every wager that is made, and push a self-service one that a roll does not"
            " decide."
        )


def _stays(wager: Wager, course: Course) -> bool:
    """Whether the wager can be paid and go on."""
    stays = any(s.stake is Stake.STAYS for s, _ in _settlements(wager, course))
    return stays and not wager.self_service


def _decided_once(wager: Wager, course: Course) -> bool:
    """Whether each wager that is made is settled once, so that what is counted by round can be told by wager: on the
    spot that opens it, or on one to which it has moved; no chips are put on any other."""
    made = {spot for event in course.counts for spot, _ in event.stakes if spot in wager.spots}
    return made == wager.opens.keys() and len(made) == 1 and not _stays(wager, course)


def _pushed(wager: Wager, course: Course) -> Fraction:
    """How much of the wager is pushed in a round."""
    pushes = (count * s.amount for s, count in _settlements(wager, course) if s.pay is not None and not net_result(s))
    return sum(pushes, ZERO)


def _by_fact(graph: Graph, best: Mapping[int, str], wager: Wager) -> dict[str, Fraction]:
    """The edge for each value of the fact that the wager depends on: of what is up when the fact takes that value, and
    of what is made from then on, to the end."""
    unit = sum(wager.opens.values())
    net, made = (expected(graph, best, gain) for gain in (net_of([wager]), made_of(wager)))
    often = visits(graph, best)
    lost: dict[Any, Fraction] = defaultdict(lambda: ZERO)
    staked: dict[Any, Fraction] = defaultdict(lambda: ZERO)
    for number, state in enumerate(graph.states):
        before = None if state is None else getattr(state.skeleton.round, wager.by)
        for share, edge in () if state is None else outcomes(state, best.get(number)):
            if edge.state == END:
                continue
            round = graph.state(edge.state).skeleton.round
            value, up = getattr(round, wager.by), sum((round.stake(ME, spot) for spot in wager.spots), ZERO) / unit
            if value not in (None, before) and up:
                lost[value] -= often[number] * share * net[edge.state]
                staked[value] += often[number] * share * (up + made[edge.state])
    return {str(value): lost[value] / staked[value] for value in sorted(lost)}


def _outcomes(
    wager: Wager, course: Course, stake: Fraction, made: Fraction, game: Game, *, whole: bool
) -> Iterator[Outcome]:
    """How a wager ends: settlement by settlement, or by line and net result where it is told as a whole."""
    probabilities: dict[tuple[str, str, Fraction], Fraction] = defaultdict(lambda: ZERO)
    histories: Iterable[tuple[tuple[Event, ...], Fraction]] = (((event,), n) for event, n in course.counts.items())
    if whole and course.histories is not None:
        histories = course.histories.items()
    for history, often in histories:
        probability = often * stake / made
        settled = [s for event in history for s in event.settlements if s.spot in wager.spots]
        if not settled or not probability:
            continue
        if whole:
            net = sum((net_result(s) for s in settled), ZERO) / stake
            main = decisive(settled, wager.opens)
            probabilities[main.line, f"{'+' if net > 0 else ''}{net}", net] += probability
        else:
            for settlement in settled:
                name = (settlement.line, pays(settlement), net_result(settlement) / stake)
                probabilities[name] += probability
    lines = game.pay[wager.name].names if wager.name in game.pay else ()
    order = {line: i for i, line in enumerate(lines)}
    for (line, text, net), probability in sorted(
        probabilities.items(), key=lambda item: (order.get(item[0][0], len(order)), -item[0][2], item[0][0])
    ):
        yield Outcome(line, text, net, probability)


def is_made_once(wager: Wager, course: Course, stake: Fraction) -> bool:
    """Whether the histories of a course make a wager once at most, so that each tells how it ends."""
    if course.histories is None:
        return False
    made = made_of(wager)
    return all(sum(map(made, history), ZERO) in (0, stake) for history in course.histories)


def pays(settlement: Settlement) -> str:
    """What a settlement pays, in words."""
    if settlement.pay is None:
        return "loses" if settlement.stake is Stake.TAKEN else "stays"
    return str(settlement.pay)


def percent_json(value: Fraction) -> dict[str, Any]:
    return {"exact": str(value), "percent": float(value * 100)}


def value_json(value: Fraction | float) -> dict[str, Any]:
    """A figure with its fraction; one that is known only approximately has none, and says so."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "value": float(value)}
    return {"value": value, "approximately": True}
