"""The exact solver on the Round beside plain enumerations that know the game by heart, and with and without folding."""

from fractions import Fraction

import feltworks
from bench.timing import Rows, cpu_seconds
from feltworks.lab.graph import Graph, RoundWalker
from tests.lab import oracles


def run() -> Rows:
    game = feltworks.load("one-for-the-money")
    base = cpu_seconds(lambda: feltworks.analyze(game, wager="base"))
    closed = cpu_seconds(lambda: oracles.one_for_the_money_base(6))
    yield "One For The Money, base, solver on the Round", base, f"{base / closed:.0f} x the closed form"

    _, play = oracles.one_for_the_money_base(6)
    traded = {rank for rank, best in play.items() if best == "trade"}
    bonus = cpu_seconds(lambda: feltworks.analyze(game, wager="three_card_bonus"))
    plain = cpu_seconds(lambda: oracles.bonus_lines(6, oracles.three_card_kind, traded))
    yield (
        "3 Card Bonus under the best strategy, solver on the Round",
        bonus,
        f"{bonus / plain:.1f} x plain counting",
    )

    table = cpu_seconds(lambda: feltworks.analyze("in-between"))
    yield "IN BETween, solver on the Round", table, ""

    stakes = {"base": Fraction(1), "three_card_bonus": Fraction(1)}
    small = feltworks.load("one-for-the-money", decks=1)

    def grow() -> Graph:
        return Graph(RoundWalker(small.start(tracked=False), stakes), small.fresh())

    states = len(grow().states)
    both = cpu_seconds(grow)
    yield (
        "3 Card Bonus with every choice open, one deck, whole graph",
        both,
        f"{states / both:,.0f} states a second",
    )
