"""A strategy is found again at a table: what a seat knows there is what the solver knew, however cards lie.

The games are small edits of a toy in which two open cards are alike.
"""

import io
import shutil
from fractions import Fraction
from pathlib import Path
from textwrap import indent

import pytest
from rich.console import Console

import feltworks
from feltworks.cli.show_strategy import sections
from feltworks.kit.cards import Seat, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.errors import FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.loader import load_folder
from feltworks.kit.round import Round
from feltworks.kit.steps import Choose
from feltworks.kit.walk import Habit, walk
from feltworks.lab.check import check
from feltworks.lab.simulation import simulate
from feltworks.lab.strategy import Strategy
from feltworks.terminal.house import House
from feltworks.terminal.session import Session
from tests.kit.support import ONE, toy
from tests.test_docs_examples import every_block

BETWEEN = Path(__file__).parents[1] / "toys" / "between"
[SHOWN] = [
    text
    for language, _, text in every_block("docs/kit.md")
    if language == "python" and text.startswith("def info(self")
]
BY_SPREAD = f"\n{indent(SHOWN, '    ')}"
"""As the page of the kit writes it."""
LEFT_OUT = BY_SPREAD.replace("cards=()", "cards=(), facts=()")
OTHER_NAMES = """
    def info(self, seat: Seat) -> Info:
        info = super().info(seat)
        return info._replace(cards=tuple((name.upper(), card, read) for name, card, read in info.cards))
"""
FORGETS = '''
    def forgotten(self) -> Iterable[Token]:
        """T-42: only the spread is looked at again, and after it the third card."""
        return () if self.spread is None else OUTER
'''
SETTLED_BY_FACTS = ("(low, high), third = self.outer", "low, high, third = self.low, self.low + self.spread + 1")


def between(folder: Path, more: str = "", *edits: tuple[str, str]) -> Game:
    """The toy with a method more, and other edits."""
    made = folder / "between"
    shutil.copytree(BETWEEN, made)
    rules = (made / "rules.py").read_text("utf-8")
    for old, new in (*edits, ("    @property\n    def outer", f"{more}\n    @property\n    def outer")):
        assert old in rules
        rules = rules.replace(old, new, 1)
    (made / "rules.py").write_text(rules.replace("    Extra,\n", "    Extra,\n    Info,\n", 1), "utf-8")
    return load_folder(made)


def strategy_of(game: Game) -> Strategy:
    strategy = feltworks.analyze(game)["base"].strategy
    assert isinstance(strategy, Strategy)
    return strategy


def decision(game: Game, cards: str) -> Round:
    """A round of two seats that waits for a decision, with these cards in the order in which they were dealt."""
    players = {seat: Habit({"base": Fraction(1)}) for seat in (ONE, Seat(2))}
    for _, _, round in walk(game.start((1, 2), tracked=False), Scripted(parse_cards(cards)), players):
        if isinstance(round.next, Choose):
            return round
    raise AssertionError("there is no decision")


@pytest.mark.parametrize("cards", ["3hJs", "Js3h", "As2c", "2cAs", "Ts8h", "8sTh"])
def test_open_cards_that_are_alike_are_looked_up_in_either_order(cards: str) -> None:
    game = toy("between")
    low, high = sorted(card.rank for card in parse_cards(cards))
    assert strategy_of(game).option(decision(game, cards).info(ONE)) == ("raise" if high - low - 1 >= 7 else "stay")


def test_a_simulation_deals_them_in_either_order() -> None:
    played = simulate(toy("between"), rounds=400, seats=2)["base"]
    assert sum(outcome.count for outcome in played.outcomes) == 800
    assert played.z is not None and abs(played.z) < 4


def test_where_suits_count_they_are_looked_up_under_any_names_of_the_suits(tmp_path: Path) -> None:
    between(tmp_path)
    toml = tmp_path / "between" / "game.toml"
    suited = toml.read_text("utf-8").replace("decks = 2", 'decks = 1\nranks = "2468T"')
    toml.write_text(suited.replace('by = "spread"', 'matters = "rank and suit"'), "utf-8")
    game = load_folder(toml.parent)
    strategy = strategy_of(game)
    found = {strategy.look_up(decision(game, cards).info(ONE)).best for cards in ("2h6s", "6s2h", "6h2h", "2c6c")}
    assert found == {"stay"}
    assert sum(outcome.count for outcome in simulate(game, rounds=300)["base"].outcomes) == 300


def test_advice_is_the_same_in_either_order() -> None:
    one, other = (feltworks.advise(toy("between"), cards) for cards in ("3hJs", "Js3h"))
    assert one.options == other.options and one.best == "raise"


@pytest.mark.parametrize("more", [BY_SPREAD, FORGETS], ids=["left out", "forgotten"])
def test_what_a_game_leaves_out_or_forgets_is_looked_up_all_the_same(tmp_path: Path, more: str) -> None:
    edits: tuple[tuple[str, str], ...] = ()
    if more is FORGETS:
        edits = (
            ("spread: int | None = None", "spread: int | None = None\n    low: int = 0"),
            ("note(spread=high - low - 1)", "note(spread=high - low - 1, low=low)"),
            SETTLED_BY_FACTS,
        )
    game = between(tmp_path, more, *edits)
    assert feltworks.analyze(game)["base"].edge == feltworks.analyze(toy("between"))["base"].edge
    for cards in ("3hJs", "Js3h", "4c8d", "8d4c"):
        info = decision(game, cards).info(ONE)
        assert strategy_of(game).option(info) == ("raise" if "J" in cards else "stay")
    played = simulate(game, rounds=200, seats=2)["base"]
    assert played.exact is not None and sum(outcome.count for outcome in played.outcomes) == 400
    assert check(game, answers=1_500).is_clean


def test_a_situation_without_cards_is_told_by_its_facts(tmp_path: Path) -> None:
    game = between(tmp_path, BY_SPREAD)
    assert {advice.situation for advice in strategy_of(game).advice.values()} == {f"spread {n}" for n in range(1, 12)}
    assert feltworks.advise(game, "Js3h").situation == "spread 7"


def test_leaving_out_what_decides_is_refused_in_a_sentence(tmp_path: Path) -> None:
    game = between(tmp_path, LEFT_OUT)
    with pytest.raises(
        FaultyRules, match=r"^The info of Between leaves out what decides: .*; keep in `info` what a seat"
    ):
        feltworks.analyze(game)
    [found] = check(game, answers=1_500).findings
    assert found.kind == "info"
    assert "def info" in (game.folder / "rules.py").read_text("utf-8").splitlines()[int(found.place.split(":")[-1]) - 1]


def test_a_check_looks_up_the_decisions_that_a_table_comes_to(tmp_path: Path) -> None:
    """With other names for the cards nobody knows which of them are alike."""
    [found] = check(between(tmp_path, OTHER_NAMES), answers=1_500).findings
    assert found.kind == "info"
    assert found.said.startswith("A strategy of Between is not found again at a table: The strategy was not made for")


def test_a_seat_without_advice_says_so_once_and_takes_the_first_option(tmp_path: Path) -> None:
    game = between(tmp_path, OTHER_NAMES)
    said: list[str] = []
    house = House(game, {"base": Fraction(1)}, said.append)
    rounds = [decision(game, cards) for cards in ("Js3h", "3hJs", "Js3h")]
    chosen = [house.decide(round, choose_of(round), ONE).option for round in rounds]
    assert chosen == ["stay", "raise", "stay"]
    [told] = said
    assert told.startswith("Seat 1 has no advice and takes the first option, stay: The strategy was not made for")


def choose_of(round: Round) -> Choose:
    assert isinstance(round.next, Choose)
    return round.next


def test_the_terminal_says_that_a_seat_has_no_advice(tmp_path: Path) -> None:
    screen = Console(record=True, width=100, file=io.StringIO())
    Session(between(tmp_path, LEFT_OUT), screen, seed=1, auto=True).play(3)
    assert "Seat 1 has no advice and takes the first option, stay:" in " ".join(screen.export_text().split())


# By a fact, and in words.


def test_the_edge_by_a_fact_counts_all_spots_of_the_wager() -> None:
    """T-42, T-43: of 102 cards, 4 or 8 of each rank lie between; who raises has twice as much there."""
    by_fact = feltworks.analyze(toy("between"))["base"].by_fact
    assert [*by_fact] == [str(spread) for spread in range(1, 12)]
    for spread in range(1, 12):
        won = Fraction(8 * spread, 102)
        net = won * (5 if spread == 1 else 1) - (1 - won)
        assert by_fact[str(spread)] == -net * (2 if net > 0 else 1)


def test_a_strategy_is_told_by_what_decides_it_in_order_of_size() -> None:
    [section] = sections(strategy_of(toy("between")))
    assert section.title == "stay or raise by spread"
    assert section.summary() == [("", "1-6 stay, 7-11 raise")]
    assert [spread for (spread,) in section.advice] == [str(spread) for spread in range(1, 12)]
