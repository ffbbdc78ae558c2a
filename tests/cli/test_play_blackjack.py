"""Blackjack in the terminal: split hands one below the other, insurance for less, and the house at other seats."""

import pytest

from tests.cli.test_play import balance, played, won

SPLITS, ACE = 10, 4
"""Seeds with a pair of tens that is split twice, and with an ace of the dealer."""


@pytest.mark.rule("B-04")
def test_split_hands_lie_one_below_the_other_and_the_one_that_is_played_has_an_arrow() -> None:
    shown = played("blackjack", "10", "split", "split", "hit", "stand", "double", "stand", "q", seed=SPLITS)
    assert "Q♥h begins hand 2 of seat 1." in shown and "Q♠s begins hand 3 of seat 1." in shown
    assert "Your decision, hand 2 of 3 (h: what each is worth)" in shown
    last = shown[: shown.rindex("Your decision, hand 3")]
    table = last[last.rindex("╭─ Blackjack") :]
    for line in (
        "   Hand 1  J♠s  3♣c  6♦d  19  10",
        "   Hand 2  Q♥h  2♠s  4♠s  16  20",
        "►  Hand 3  Q♠s  Q♦d       20  10",
    ):
        assert line in table
    assert "Seat 1 · Hand 2 20 ·" in shown
    assert balance(shown) == 1000 + won(shown)


@pytest.mark.rule("B-03")
def test_a_hand_is_insured_for_as_much_as_is_typed() -> None:
    shown = played("in-between", "10", "5", "h", "insurance", "7", "2.50", "stand", "q", seed=ACE)
    assert "no insurance     +0.00  ► best\n  insurance        -0.39" in shown
    assert "7 is too much; 5 is the most you can stake here." in shown
    assert "Seat 1 · Insurance 2.50 · No blackjack: you lose 2.50 [B-03]" in shown
    assert balance(shown) == 1000 + won(shown)


@pytest.mark.rule("B-04")
def test_a_hint_for_a_split_hand_looks_at_its_own_cards() -> None:
    shown = played("blackjack", "10", "split", "split", "stand", "h", "stand", "stand", "q", seed=SPLITS)
    hint = shown[shown.index("Your decision, hand 2") :]
    assert "► best" in hint and "as if it were the only hand" in hint


@pytest.mark.slow
@pytest.mark.parametrize("game", ["blackjack", "in-between"])
def test_the_house_plays_every_seat_by_itself_through_splits_and_insurance(game: str) -> None:
    shown = played(game, seed=ACE, options=("--auto", "--seats", "7", "--rounds", "12"))
    for said in ("split, 10 more.", "double, 10 more.", ": no insurance.", "begins hand 2 of seat"):
        assert said in shown
    assert balance(shown) == 1000 + won(shown)
