"""Down Under Hold'em counted over every deal, for the lab: the figures of each wager, advice, the chart, simulation."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from feltworks.games.down_under_holdem.enumerator import bonuses, jackpot_return, kernel, policies, strategy_chart
from feltworks.games.down_under_holdem.enumerator.bands import BANDS
from feltworks.games.down_under_holdem.enumerator.counted_parts import (
    PARTS,
    WITHOUT_BANDS,
    not_folded_of,
    pays_of,
    played_deals_of,
    short_strategy_value,
    solution_of,
)
from feltworks.games.down_under_holdem.enumerator.flop_states import class_of, state_of
from feltworks.games.down_under_holdem.enumerator.outcomes import Outcome as End
from feltworks.games.down_under_holdem.enumerator.outcomes import outcomes
from feltworks.games.down_under_holdem.enumerator.solution import (
    FlopStrategy,
    Pays,
    Solution,
    options_after_flop,
    options_before_flop,
    solve,
    solve_flop,
)
from feltworks.games.down_under_holdem.enumerator.strategy_chart import hand_name
from feltworks.games.down_under_holdem.jackpot import ENVY, FLOPPED
from feltworks.games.down_under_holdem.rules import DEALER, FLOP
from feltworks.kit.advice import Advice
from feltworks.kit.cards import RANKS
from feltworks.kit.chart import Chart, Plot
from feltworks.kit.counted_parts import Parts
from feltworks.kit.enumerator import Ends, EnumeratedWager, Figure, Outcome, Progress
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game, Situation
from feltworks.kit.odds import Odds
from feltworks.kit.paytable import PayTable
from feltworks.kit.round import Info

WON, TIED, LOST, FOLDED = "Better hand", "Tie", "Dealer's hand is better", "Fold"
JACKPOT_READINGS = ("folded_jackpot", "community_royal", "envy_scales", "award_sequence", "award_base")
"""D-19: the readings by which a jackpot is played; tables that share one have the same."""
RESULTS = {"win": WON, "tie": TIED, "lose": LOST, "fold": FOLDED}


def essential(game: Game) -> Game:
    """All that is counted depends on the pays of the Bet alone; what a folded hand may win is counted both ways."""
    if game.decks != 1:
        raise BadValue(f"{game.title} is counted for the one deck of D-01, not for {game.decks}.")
    first = {spot: next(iter(game.definition.tables(spot).values())) for spot in game.pay}
    defaults = {name: reading.default for name, reading in game.definition.readings.items()}
    return replace(game, readings=defaults, pay={**first, "bet": game.pay["bet"]})


@lru_cache(maxsize=2)
def _flop(pays: Pays) -> FlopStrategy:
    """What to do in every state, for who plays or simulates."""
    return solve_flop(solve(pays))


# The figures of a wager.


def bears_on_strategy(game: Game, wager: str) -> bool:
    """D-09: only where a folded hand loses the wager."""
    return game.reading("folded_jackpot" if wager == "jackpot" else "folded_bonus") == "forfeits"


def edge(game: Game, name: str, parts: Parts) -> Fraction:
    """What the house wins on average per unit of a wager."""
    if name == "base":
        return solution_of(game, parts).edge
    return -sum((o.probability * o.net for o in wager(game, name, parts, details=False).outcomes), Fraction(0))


def wager(game: Game, name: str, parts: Parts, *, details: bool) -> EnumeratedWager:
    """D-20, D-21: everything about one wager, when the base game is played as well as it can be."""
    if name == "base":
        return _base(game, parts, details)
    if name == "jackpot":
        return _jackpot(game, parts)
    return EnumeratedWager(_outcomes_by_table(_chances(game, name, parts), game.pay_table(name), LOSING[name]))


def _chances(game: Game, name: str, parts: Parts) -> bonuses.Chances:
    """How likely each line is, by what the house lets a folded hand win (D-09)."""
    setting = "folded_jackpot" if name.startswith("jackpot") else "folded_bonus"
    return CHANCES[name](None if game.reading(setting) == "qualifies" else not_folded_of(parts))


CHANCES = {
    "trips_or_better": bonuses.trips_or_better,
    "match_the_dealer": bonuses.match_the_dealer,
    "jackpot_1": bonuses.jackpot_option_1,
    "jackpot_2_and_3": bonuses.jackpot_options_2_and_3,
}
LOSING = {"trips_or_better": "No three of a kind", "match_the_dealer": "No match", "jackpot": "No line"}


def _outcomes_by_table(chances: bonuses.Chances, table: PayTable, losing: str) -> tuple[Outcome, ...]:
    outcomes = []
    for name, pay in ((line.name, line.pay) for line in table if line.name in chances):
        net = pay.net if isinstance(pay, Odds) else Fraction(-1)
        outcomes.append(Outcome(name, str(pay), net, chances[name]))
    rest = 1 - sum(chances.values(), Fraction(0))
    return (*outcomes, Outcome(losing, "loses", Fraction(-1), rest))


def _base(game: Game, parts: Parts, details: bool) -> EnumeratedWager:
    solution = solution_of(game, parts)
    ends = outcomes(solution, played_deals_of(parts)).every
    every = sum(end.deals for end in ends)
    counts: Counter[tuple[str, Fraction]] = Counter()
    for end in ends:
        counts[RESULTS[end.result], end.net] += end.deals
    lines = tuple(
        Outcome(line, _signed(net), net, Fraction(deals, every))
        for (line, net), deals in sorted(counts.items(), key=lambda item: -item[0][1])
        if deals
    )
    return EnumeratedWager(
        lines,
        solution.average_stake,
        tuple(_advice_rows(solution)),
        (*_frequencies(solution), *(_costs(game, solution, parts) if details else ())),
        _other_edges(solution, ends),
        (_note(solution), *(policies.short_lines() if details else ())),
    )


def _signed(net: Fraction) -> str:
    return f"{'+' if net > 0 else ''}{net}"


def _frequencies(solution: Solution) -> "list[Figure]":
    meanings = {
        "3x": "hands that raise 3x before the flop",
        "2x": "hands that raise 2x, where it is better than to check and than 3x",
        "check": "hands that check before the flop",
        "1x": "hands that check and play 1x on the flop",
        "fold": "hands that check and fold on the flop",
    }
    return [Figure(f"plays {name}", share, meanings[name]) for name, share in solution.frequencies.items()]


def _costs(game: Game, solution: Solution, parts: Parts) -> "Iterator[Figure]":
    edges = {name: Fraction(edge) for name, edge in parts("other_bands").items()}
    blind = edges.pop(WITHOUT_BANDS)
    yield Figure("edge without bands", blind, "the same if nobody saw the bands, played as well as can be then")
    for name, edge in edges.items():
        yield Figure(f"edge, bands {name}", edge, "the same with other limits of the bands")
    for mistake in policies.mistakes(solution, -blind):
        yield Figure(f"cost, {mistake.name}", mistake.cost, f"more per Ante for a seat that {mistake.what}")
    cost = solution.value - short_strategy_value(game, parts)
    yield Figure("cost, short strategy", cost, "more per Ante for a seat that plays by the lines below")


def _note(solution: Solution) -> str:
    better = int((solution.totals["2x"] > np.maximum(solution.totals["check"], solution.totals["3x"])).sum())
    return f"2x is priced for all {solution.deals.size:,} hands and bands; it is better than both others in {better}."


def _other_edges(solution: Solution, ends: Sequence[End]) -> dict[str, Fraction]:
    """Edges by other definitions, for a figure that is printed without one."""
    every, lost = sum(end.deals for end in ends), solution.edge
    share = {result: Fraction(sum(e.deals for e in ends if e.result == result), every) for result in ("tie", "fold")}
    bet = -sum((_bet_net(end) * end.deals for end in ends), Fraction(0)) / every
    ante = -sum((_ante_net(end) * end.deals for end in ends), Fraction(0)) / every
    return {
        "per unit of Ante and Bet": solution.edge_of_initial_stake,
        "per unit staked in all": solution.element_of_risk,
        "per Ante of a round not tied": lost / (1 - share["tie"]),
        "per Ante of a hand not folded": lost / (1 - share["fold"]),
        "of the Bet alone, per Bet": bet,
        "of the Ante alone, per Ante": ante,
        "of the Play alone, per Ante": lost - bet - ante,
    }


def _bet_net(end: End) -> Fraction:
    play = {"3x": 3, "1x": 1, "fold": 0}[end.decision]
    return end.net - 1 - play if end.result == "win" else Fraction(-1 if end.result in ("lose", "fold") else 0)


def _ante_net(end: End) -> Fraction:
    return Fraction({"win": 1, "tie": 0, "lose": -1, "fold": -1}[end.result])


def _advice_rows(solution: Solution) -> "list[Advice]":
    """What each option is worth before the flop, for every class of hand under every pair of bands."""
    rows = []
    names = [hand_name(row, column) for row in RANKS for column in RANKS]
    for pair, lit in enumerate(solution.bands.pairs):
        for hand, name in enumerate(names):
            options = solution.options(hand, pair)
            best = "3x" if solution.raises[hand, pair] else "check"
            rows.append(Advice(f"{name}, {' and '.join(lit)}", options, best))
    return rows


def _jackpot(game: Game, parts: Parts) -> EnumeratedWager:
    """D-20: as if the meter showed nothing; the figures say what it adds."""
    table = game.pay_table("jackpot")
    returned = jackpot_by_meter(game, parts)
    own = PayTable(table.name, tuple(line for line in table if line.name not in ENVY.values()))
    figures = [
        Figure("fixed return", returned.fixed_return, "of the wager, on the lines that do not look at the meter"),
        Figure("meter share", returned.meter_share, "of the meter, won on average with each wager"),
    ]
    for others in (0, 2, 5) if returned.envy(1) else (0,):
        even = returned.break_even_meter(others)
        beside = f" beside {others}" if others else ""
        if even is not None:
            meaning = f"wagers on the meter{beside}, at which the wager breaks even"
            figures.append(Figure(f"break-even meter{beside}", even, meaning, percent=False))
        if others:
            figures.append(
                Figure(f"envy beside {others}", returned.envy(others), "of the wager, for the hands of others")
            )
    for line, chance in returned.chances.items():
        figures.append(Figure(f"rounds to {line.lower()}", 1 / chance, "expected between two, for one seat", False))
    note = "Edge and outcomes are those with nothing on the meter; a share of it is added by the figures below."
    return EnumeratedWager(
        _outcomes_by_table(returned.chances, own, LOSING["jackpot"]), figures=tuple(figures), notes=(note,)
    )


def jackpot_by_meter(game: Game, parts: Parts) -> jackpot_return.JackpotReturn:
    """What the Jackpot wager gives back, by the meter, for a wager of a dollar."""
    table = game.pay_table("jackpot")
    chances = _chances(game, "jackpot_1" if FLOPPED in table.names else "jackpot_2_and_3", parts)
    return jackpot_return.JackpotReturn(
        chances,
        table,
        envy_scales=game.reading("envy_scales") == "yes",
        community_royal_larger=game.reading("community_royal") == "larger",
    )


# Advice.


def advise(game: Game, parts: Parts, asked: Situation) -> Advice:
    """D-05, D-06: what each option is worth, in Antes."""
    hole = [asked.cards[token] for token in asked.cards if token.owner is not None]
    flop = [asked.cards[token] for token in FLOP if token in asked.cards]
    lit = [band.name for band in asked.shown.values()]
    situation = f"{' '.join(card.text for card in hole)}, the dealer's cards {' and '.join(lit)}"
    if not flop:
        options = options_before_flop(solution_of(game, parts), hole, lit)
        best = "3x" if options["3x"] > options["check"] else "check"
        return Advice(situation, options, best)
    options = options_after_flop(hole, flop, lit, pays_of(game))
    best = "fold" if options["fold"] > options["1x"] else "1x"
    return Advice(f"{situation}, on the flop {' '.join(card.text for card in flop)}", options, best)


def option(game: Game, info: Info) -> str:
    """The best option where a seat stands, by what it knows."""
    known = {name: card for name, card, _ in info.cards if card is not None}
    hole = [known[name].index for name in ("card 1", "card 2")]
    shown = {name: band.name for name, _, band in info.cards if band is not None}
    pair = BANDS.pair([shown[token.name] for token in DEALER])
    if "fold" not in info.options:
        return "3x" if _flop(pays_of(game)).solution.raises[class_of(*hole), pair] else "check"
    board = [known[token.name].index for token in FLOP]
    return "fold" if _flop(pays_of(game)).folds[state_of(hole, board), pair] else "1x"


def chart(game: Game, parts: Parts) -> Chart:
    return strategy_chart.strategy_chart(solution_of(game, parts))


def plot(game: Game, parts: Parts) -> Plot:
    """D-20: the return of the three options against the meter."""
    tables = {name: game.configured(pay={"jackpot": name}) for name in game.definition.tables("jackpot")}
    return jackpot_return.plot({f"option {name}": jackpot_by_meter(other, parts) for name, other in tables.items()})


# Simulation.


def simulate(game: Game, rounds: int, seed: int, workers: int, progress: Progress | None) -> Mapping[str, Ends]:
    """Rounds of one seat that plays as well as it can; it makes every wager."""
    played = kernel.simulate(_flop(pays_of(game)), rounds, seed=seed, workers=workers, progress=progress)
    base: Counter[tuple[str, str, Fraction]] = Counter()
    for end in played.base:
        base[RESULTS[end.result], _signed(end.net), end.net] += end.deals
    option = played.jackpot_1 if FLOPPED in game.pay_table("jackpot").names else played.jackpot_2_and_3
    by_line = {"trips_or_better": played.trips, "match_the_dealer": played.match, "jackpot": option}
    ends: dict[str, Ends] = {"base": {end: count for end, count in base.items() if count}}
    for name, lines in by_line.items():
        # Where a folded hand forfeits it counts among the others (D-09).
        times = {line: hits.not_folded if bears_on_strategy(game, name) else hits.every for line, hits in lines.items()}
        ends[name] = _ends_by_table(times, rounds, game.pay_table(name), LOSING[name])
    return ends


def _ends_by_table(times: Mapping[str, int], rounds: int, table: PayTable, losing: str) -> Ends:
    shares = {line: Fraction(count, rounds) for line, count in times.items()}
    outcomes = _outcomes_by_table(shares, table, losing)
    return {(o.line, o.pays, o.net): int(o.probability * rounds) for o in outcomes if o.probability}


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
