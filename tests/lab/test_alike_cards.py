"""Ranks that a wager says are alike: the figures stay the same to the last digit, and a false claim is refused."""

import shutil
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest

import feltworks
from feltworks.kit.errors import BadDefinition, FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.loader import load_folder
from feltworks.lab.check import check
from feltworks.lab.simulation import simulate

TOYS = Path(__file__).parent.parent / "toys"
TOML = (TOYS / "baccarat" / "game.toml").read_text()
RULES = (TOYS / "baccarat" / "rules.py").read_text()
ONE, ZERO = Fraction(1), Fraction(0)


def punto_banco(folder: Path, alike: str = 'alike = ["TJQK"]', ranks: str = "26789TJ", decks: int = 1) -> Game:
    """The game with a small pack."""
    folder.mkdir()
    toml = TOML.replace("decks = 8", f'decks = {decks}\nranks = "{ranks}"').replace('alike = ["TJQK"]', alike)
    (folder / "game.toml").write_text(toml)
    (folder / "rules.py").write_text(RULES)
    return load_folder(folder)


def third_card_of_the_banker(banker: int, third: int | None) -> bool:
    """The drawing rule as it is printed: the banker's total, and the value of the player's third card."""
    drawn = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
    if third is None:
        return banker <= 5
    return banker <= 2 or str(third) in drawn.get(banker, "")


def chances(ranks: str, decks: int = 1) -> dict[str, Fraction]:
    """Plain counting over ordered cards by their points: how often each hand wins."""
    points = Counter(0 if rank in "TJQK" else 1 if rank == "A" else int(rank) for rank in ranks)
    shoe = {value: 4 * decks * n for value, n in points.items()}
    wins: Counter[str] = Counter()

    def ways(cards: tuple[int, ...], card: int) -> int:
        return shoe[card] - cards.count(card)

    total, size = 1, sum(shoe.values())
    for drawn in range(6):
        total *= size - drawn
    for cards in product(shoe, repeat=6):
        weight = 1
        for at, card in enumerate(cards):
            weight *= max(0, ways(cards[:at], card))
        if not weight:
            continue
        player, banker, left = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10, list(cards[4:])
        if max(player, banker) < 8:
            third = left.pop(0) if player <= 5 else None
            player = (player + (third or 0)) % 10
            if third_card_of_the_banker(banker, third):
                banker = (banker + left.pop(0)) % 10
        wins["player" if player > banker else "banker" if banker > player else "tie"] += weight
    return {who: Fraction(n, total) for who, n in wins.items()}


def test_wagers_on_cards_that_are_alike_are_as_exact_as_plain_counting(tmp_path: Path) -> None:
    found = feltworks.analyze(punto_banco(tmp_path / "alike", ranks="468TJK"))
    won = chances("468TJK")
    assert found["player"].edge == won["banker"] - won["player"]
    assert found["banker"].edge == won["player"] - won["banker"] * Fraction(19, 20)
    assert found["tie"].edge == 1 - 9 * won["tie"]


def test_saying_that_ranks_are_alike_changes_no_figure(tmp_path: Path) -> None:
    alike, apart = (punto_banco(tmp_path / name, said, "68TJ") for name, said in (("a", 'alike = ["TJ"]'), ("b", "")))
    for wager in ("player", "banker", "tie"):
        one, other = feltworks.analyze(alike, wager=wager)[wager], feltworks.analyze(apart, wager=wager)[wager]
        assert (one.edge, one.outcomes, one.variance) == (other.edge, other.outcomes, other.variance)


@pytest.mark.parametrize(("said", "ranks"), [('alike = ["9TJ"]', "26789TJ"), ('alike = ["67"]', "26789TJ")])
def test_a_false_claim_is_refused_with_two_deals_that_differ(tmp_path: Path, said: str, ranks: str) -> None:
    game = punto_banco(tmp_path / "false", said, ranks)
    with pytest.raises(
        FaultyRules, match=r"are alike for Player, but these deals differ: .+ and .+; correct `alike`\.$"
    ):
        feltworks.analyze(game, wager="player")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('alike = ["TT"]', "name each rank once; more than once: T"),
        ('alike = ["TJ", "JQ"]', "name each rank once; more than once: J"),
        ('alike = ["T"]', "alike"),
        ('alike = ["XY"]', "write some of the ranks"),
    ],
)
def test_what_cannot_be_alike_is_refused_when_the_game_is_loaded(tmp_path: Path, said: str, told: str) -> None:
    with pytest.raises(BadDefinition, match=told):
        punto_banco(tmp_path / "wrong", said)


def test_a_strategy_is_looked_up_with_the_cards_that_others_stand_for(tmp_path: Path) -> None:
    """A seat may double when all cards lie there; a simulation deals jacks, which the strategy knows as tens."""
    folder = punto_banco(tmp_path / "double", 'alike = ["TJ"]', "68TJ").folder
    asked = """        for seat in self.playing:
            yield Choose(frozenset({seat}), (Option("stay"), Option("double", Extra("player", of="player"))))
        yield task(self.compare)

    def compare(self) -> Items:
        player, banker ="""
    rules = RULES.replace("import Card, Deal,", "import Card, Choose, Deal, Extra, Option,")
    rules = rules.replace("return PLAYER[:2], BANKER[:2]", "return ()")
    before, settles = rules.split("    def settle(self)")
    settles = settles.replace("        player, banker =", asked, 1)
    (folder / "rules.py").write_text(f"{before}    def settle(self){settles}")
    game = load_folder(folder)
    strategy = feltworks.analyze(game, wager="player").strategy
    assert strategy is not None
    cards = {card.text for info in strategy.advice for _, card, _ in info.cards if card is not None}  # type: ignore[union-attr]
    assert cards == {"6", "8", "T"}
    played = simulate(game, rounds=300, stakes={"player": ONE, "banker": ZERO, "tie": ZERO})
    assert sum(outcome.count for outcome in played["player"].outcomes) == 300


# Wagers that tell other cards apart, in any order.

SIDES = TOYS / "sides"
ORDERS = [*permutations(("left", "twins", "high"))]


def sides(folder: Path, order: tuple[str, ...], *edits: tuple[str, str]) -> Game:
    """The toy with its wagers in this order."""
    shutil.copytree(SIDES, folder)
    toml = (folder / "game.toml").read_text("utf-8")
    listed = ", ".join(f'"{name}"' for name in order)
    for old, new in (('wagers = ["left", "twins", "high"]', f"wagers = [{listed}]"), *edits):
        assert old in toml
        toml = toml.replace(old, new)
    (folder / "game.toml").write_text(toml, "utf-8")
    return load_folder(folder)


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
def test_the_order_of_the_wagers_changes_no_figure(tmp_path: Path, order: tuple[str, ...]) -> None:
    """Of 31 other cards 7 are of the same rank, and 1 of the same suit besides."""
    game = sides(tmp_path / "sides", order)
    found = feltworks.analyze(game)
    assert found["left"].edge == Fraction(7, 31) / 2
    assert found["twins"].edge == 1 - Fraction(6, 31)
    assert found["high"].edge == 0 and not found["high"].by_spot
    staked = feltworks.analyze(game, stakes=dict.fromkeys(("left", "twins", "right_high"), ONE))
    assert {name: staked[name].edge for name in order} == {name: found[name].edge for name in order}
    assert simulate(game, rounds=50)["left_high"].seats.keys() == {1}


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
def test_a_check_finds_nothing_in_any_order(tmp_path: Path, order: tuple[str, ...]) -> None:
    report = check(sides(tmp_path / "sides", order), answers=600)
    assert report.is_clean, [finding.told for finding in report.findings]


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
def test_a_wrong_claim_is_found_in_any_order(tmp_path: Path, order: tuple[str, ...]) -> None:
    game = sides(tmp_path / "sides", order, ('alike = ["23", "45"]', 'alike = ["234"]'))
    with pytest.raises(FaultyRules, match="2, 3 and 4 are alike for Left High, but these deals differ"):
        feltworks.analyze(game, wager="high")


def test_a_rule_that_looks_at_a_suit_is_told_with_the_wager_for_which_none_counts(tmp_path: Path) -> None:
    game = sides(tmp_path / "sides", ("left", "twins", "high"), ('\nmatters = "rank and suit"', ""))
    with pytest.raises(FaultyRules, match=r"looks at a suit where none counts for Twins: . has no suit here"):
        feltworks.analyze(game, wager="twins")
    [found] = check(game, answers=600).findings
    assert found.kind == "suits"
    assert "looks at a suit where none counts for Left, Twins and High: " in found.said
