"""The solver on games made for it: loops with decisions, suits that fold together, games that are too large."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

import feltworks
from feltworks.kit.errors import BadCard, BadDefinition, FaultyRules, TooLarge
from feltworks.kit.game import Game
from feltworks.lab.graph import Graph, RoundWalker
from feltworks.lab.strategy import Strategy
from tests.lab.analysed import analysed
from tests.quick import cases

TOYS = Path(__file__).parent.parent / "toys"

AGAIN_TOML = """
name = "again"
title = "Again"
summary = "Take what the die shows, or roll again; a one loses."
rules = "toy"
seats = 1
[versions.toy]
title = "toy"
wagers = ["base"]
[wagers.base]
title = "Stake"
required = true
"""

AGAIN_RULES = """
from dataclasses import dataclass
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Choose, Option, Roll, note, task

@dataclass(frozen=True)
class Again(Round):
    shown: int = 0

    def play(self):
        yield self.game.betting("open")
        yield task(self.roll)

    def roll(self, seat=None):
        yield Roll(1)
        yield task(self.rolled)

    def rolled(self):
        if self.dice[0] == 1:
            yield self.lose(1, "base", "One", "T-31")
        else:
            yield note(shown=self.dice[0])
            yield Choose(frozenset({1}), OPTIONS)

    def take(self, seat):
        yield self.win(seat, "base", f"Took {self.shown}", Odds("to", self.shown, 1), "T-31")

OPTIONS = (Option("take", then=Again.take), Option("again", then=Again.roll))
ROUND = Again
"""


def game_in(folder: Path, toml: str, rules: str) -> Game:
    folder.mkdir()
    (folder / "game.toml").write_text(toml)
    (folder / "rules.py").write_text(rules)
    return feltworks.load(folder.name, folders=[folder])


def test_a_decision_inside_a_loop_is_solved_exactly(tmp_path: Path) -> None:
    """With a threshold of 4 the die is worth E = (-1 + 2E + 4 + 5 + 6) / 6 = 7/2, and 4 is above it."""
    game = game_in(tmp_path / "again", AGAIN_TOML, AGAIN_RULES)
    base = feltworks.analyze(game)["base"]
    assert base.edge == Fraction(-7, 2)
    assert base.strategy is not None
    best = {info.facts[0]: advice.best for info, advice in base.strategy.advice.items()}
    assert best == {2: "again", 3: "again", 4: "take", 5: "take", 6: "take"}
    worth = {info.facts[0]: advice.options for info, advice in base.strategy.advice.items()}
    assert worth[3] == {"take": 3, "again": Fraction(7, 2)}
    probabilities = {o.line: o.probability for o in base.outcomes}
    assert probabilities == {"One": Fraction(1, 4), **{f"Took {k}": Fraction(1, 4) for k in (4, 5, 6)}}


def test_a_loop_without_a_way_out_is_named(tmp_path: Path) -> None:
    rules = AGAIN_RULES.replace('yield self.lose(1, "base", "One", "T-31")', "yield task(self.roll)")
    rules = rules.replace('Option("take", then=Again.take)', 'Option("wait", then=Again.roll)')
    game = game_in(tmp_path / "again", AGAIN_TOML, rules)
    with pytest.raises(BadDefinition, match=r"^The rule Again\.rolled of Again never decides Stake of seat 1: "):
        feltworks.analyze(game)


@pytest.mark.slow
def test_suits_that_are_alike_fold_together_without_changing_a_figure(tmp_path: Path) -> None:
    source = TOYS / "bands"
    toml = (source / "game.toml").read_text()
    apart = toml.replace('suits = "cd"', 'suits = "cdh"\nsuits_alike = false')
    folded = toml.replace('suits = "cd"', 'suits = "cdh"')
    rules = (source / "rules.py").read_text()
    one = game_in(tmp_path / "bands", apart, rules)
    (tmp_path / "again").mkdir()
    two = game_in(tmp_path / "again" / "bands", folded, rules)
    stakes = {"base": Fraction(1), "match": Fraction(1)}
    sizes = [len(Graph(RoundWalker(g.start(tracked=False), stakes), g.fresh()).states) for g in (one, two)]
    assert sizes[1] < sizes[0] / 2
    analyses = [feltworks.analyze(game, stakes=stakes) for game in (one, two)]
    for wager in ("base", "match"):
        first, second = (found[wager] for found in analyses)
        assert (first.edge, first.variance, first.outcomes) == (second.edge, second.variance, second.outcomes)


@pytest.mark.parametrize("name", cases(["one-for-the-money", "in-between", "bands"], quick=["in-between", "bands"]))
def test_the_probabilities_of_all_outcomes_of_every_wager_sum_to_one(name: str) -> None:
    found = analysed(name) if name in feltworks.names() else feltworks.analyze(feltworks.load(name, folders=[TOYS]))
    for wager in found.wagers.values():
        assert sum(o.probability for o in wager.outcomes) == 1


def test_a_game_that_is_too_large_says_how_large_it_is() -> None:
    game = feltworks.load("one-for-the-money")
    rules = RoundWalker(game.start(tracked=False), {"base": Fraction(1), "three_card_bonus": Fraction(1)})
    with pytest.raises(TooLarge) as told:
        Graph(rules, game.fresh(), limit=1_000)
    found = re.fullmatch(r"One For The Money is too large to be walked: about ([\d,]+) states\. (.+)", str(told.value))
    assert found is not None
    assert 23_714 / 2 < int(found[1].replace(",", "")) < 23_714 * 2
    assert found[2] == (
        "You can stake one wager alone, say which cards decide the same (alike of a wager, alike_cards of the round), "
        "write an enumerator, or simulate it: felt simulate one-for-the-money."
    )


def test_a_small_game_is_not_estimated_and_a_larger_one_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    feltworks.analyze("one-for-the-money", wager="base", progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == [2_500, 3_000, 3_500, 4_000, 4_500, 5_000]
    assert all(5_293 / 2 < total < 2 * 5_293 for _, total in told)
    told.clear()
    feltworks.analyze(feltworks.load("bands", folders=[TOYS]), progress=lambda done, total: told.append((done, total)))
    assert told == []


@pytest.mark.slow
def test_the_edge_of_a_wager_does_not_depend_on_the_size_of_its_stake() -> None:
    game = feltworks.load("one-for-the-money")
    one = analysed("one-for-the-money", "base")["base"]
    many = feltworks.analyze(game, wager="base", stakes={"base": Fraction(7, 2)})["base"]
    assert (one.edge, one.variance, one.average_stake) == (many.edge, many.variance, many.average_stake)


@pytest.mark.rule("O-09")
@pytest.mark.slow
def test_a_large_bonus_stake_changes_the_strategy_and_never_lowers_the_sum() -> None:
    """With twenty units on the 3 Card Bonus it pays to keep or trade cards for the bonus's sake."""
    apart, together = analysed("one-for-the-money"), analysed("one-for-the-money", three_card_bonus=20)

    def total(edge: Fraction, bonus: Fraction) -> Fraction:
        return edge + 20 * bonus

    best = total(together["base"].edge, together["three_card_bonus"].edge)
    assert best <= total(apart["base"].edge, apart["three_card_bonus"].edge)
    assert together["base"].edge >= apart["base"].edge
    strategy = together["base"].strategy
    assert isinstance(strategy, Strategy)
    assert strategy.classes.suited


def test_a_rule_that_looks_at_suits_without_saying_so_is_found(tmp_path: Path) -> None:
    toml = (TOYS / "bands" / "game.toml").read_text().replace('matters = "rank and suit"', "")
    game = game_in(tmp_path / "bands", toml, (TOYS / "bands" / "rules.py").read_text())
    with pytest.raises(FaultyRules, match='matters = "rank and suit"') as fault:
        feltworks.analyze(game)
    assert fault.value.place.startswith(f"{game.folder / 'rules.py'}:") and isinstance(fault.value.__cause__, BadCard)
