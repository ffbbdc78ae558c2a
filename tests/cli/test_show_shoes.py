"""`felt simulate` of whole shoes of blackjack."""

import json

import pytest

from tests.cli.support import felt, told

SHOES = ("simulate", "blackjack", "--rounds", "20000")


@pytest.mark.slow
@pytest.mark.rule("B-07")
def test_whole_shoes_with_a_cut_card_are_told_without_a_z_score_and_why() -> None:
    shown = told(*SHOES, "--penetration", "0.75", "--seats", "3", "--strategy", "basic")
    assert "with 3 seats, cut card at 75 %, basic strategy, seed 0" in shown
    assert "exact edge      0.6181 %" in shown and "\nz " not in shown
    assert "With a cut card the average of all rounds is a little worse" in " ".join(shown.split())


@pytest.mark.rule("B-07")
def test_with_a_fixed_number_of_rounds_a_shoe_the_average_must_agree_with_the_exact_edge() -> None:
    found = json.loads(felt(*SHOES, "--rounds-per-shoe", "20", "--json").stdout)
    assert (found["rounds_per_shoe"], found["penetration"], found["strategy"]) == (20, None, "best")
    assert found["rounds"] >= 20_000 and found["shoes"] == found["rounds"] / 20
    assert abs(found["z"]) < 4 and found["edge"]["low"] < found["exact"]["percent"] < found["edge"]["high"]
    assert sum(end["count"] for end in found["outcomes"]) == found["rounds"]


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("yo", ("--penetration", "0.7"), "not simulated shoe by shoe"),
        *(
            ("blackjack", ("--penetration", share), f"from 0.10 to 1, such as 0.75; {share} is not.")
            for share in ("100", "75", "7", "1.01", "0.09", "0")
        ),
        ("blackjack", ("--penetration", "half"), "such as 0.75"),
        ("blackjack", ("--penetration", "0.755"), "whole percent"),
        (
            "blackjack",
            ("--strategy", "silly"),
            "choose one of: best, first, FILE.py with a function, and for blackjack",
        ),
        ("blackjack", ("--strategy", "silly", "--penetration", "0.7"), "choose one of: best, basic"),
        (
            "three-card-poker",
            ("--strategy", "basic"),
            "leave the penetration, the rounds per shoe and the strategy out",
        ),
        ("yo", ("--strategy", "basic"), "let the strategy be best, first or a file"),
        ("blackjack", ("--rounds-per-shoe", "900"), "rounds a shoe"),
        ("blackjack", ("--rounds-per-shoe", "9", "--penetration", "0.5"), "give one of"),
        ("blackjack", ("--penetration", "0.5", "--seats", "9"), "1 to 7 seats"),
    ],
)
def test_shoes_that_cannot_be_are_refused_in_a_sentence(game: str, options: tuple[str, ...], said: str) -> None:
    refused = felt("simulate", game, *options)
    assert refused.exit_code == 2 and said in refused.stderr and refused.stderr.count("\n") == 1


@pytest.mark.rule("D-01")
@pytest.mark.parametrize("option", [("--penetration", "0.5"), ("--rounds-per-shoe", "2")])
def test_down_under_is_not_simulated_with_a_second_round_from_the_same_deck(option: tuple[str, str]) -> None:
    refused = felt("simulate", "down-under-holdem", *option)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == (
        "Down Under Hold'em has a fresh deck for every round: its printed and exact edges do not hold for a second"
        " round from the same one (D-01); leave the penetration, the rounds per shoe and the strategy out.\n"
    )
