"""Games in which no wager is required, and wagers on any of their spots: in the terminal and on the command line."""

import re
import shutil
from pathlib import Path

from tests.cli.support import TOYS, felt, read, told
from tests.cli.test_play import balance, played, won


def test_chips_are_put_on_any_spots_by_their_names_or_titles() -> None:
    shown = played("sic-bo", "one and two 5, small 10, Total 9 5, triple_3 1", "q", seed=4)
    assert "Seat 1 · One and two 5 · Both, 5 to 1: you win 25 [SB-05]" in shown
    assert "Seat 1 · Small 10 · Small, 1 to 1: you win 10 [SB-02]" in shown
    assert "Seat 1 · Total 9 5 · Not rolled: you lose 5 [SB-03]" in shown
    assert balance(shown) == 1000 + won(shown) == 1029


def test_numbers_of_a_wheel_are_staked_by_their_names_and_many_spots_are_asked_for_by_their_wager() -> None:
    lines = played("roulette", "17 5, 16-17 1, red 10", "35 2, black 10, odd 1", "q", seed=3)
    shown = " ".join(lines.split())
    asked = "Straight up (37 spots, such as 0), Split (60 spots, such as 0-1), Street (14 spots, such as 0-1-2)"
    assert shown.count(asked) == 3
    assert "The wheel stops at 35 black." in shown
    assert "Seat 1 · 35 2 · Straight up, 35 to 1: you win 70 [RT-03]" in shown
    assert "Seat 1 · Black 10 · Black, 1 to 1: you win 10 [RT-04]" in shown
    assert balance(lines) == 1000 + won(lines) == 1085


def test_what_lies_there_without_a_wager_that_brings_one_in_is_asked_for_again() -> None:
    shown = played("craps", "0", "pass 0, field 0", "place 6 12", "q", seed=3)
    assert "No seat has a wager; place one before the betting is closed." in shown
    assert "Place 6" in shown.rpartition("You leave")[0]


def test_enter_stakes_the_first_wager_with_which_one_comes_in_or_what_is_told() -> None:
    assert "[pass 10]" in played("craps", "q")
    several = played("craps", "q", options=("--stake", "place_6=12", "--stake", "place_8=12"))
    assert "[place_6 12, place_8 12]" in " ".join(several.split())
    assert "Player [10]" in played("punto-banco", "q")


def test_the_house_plays_such_a_game_by_itself() -> None:
    shown = played("craps", options=("--auto", "--rounds", "3"))
    assert balance(shown) == 1000 + won(shown)


def test_a_wager_is_told_spot_by_spot_and_in_json_too() -> None:
    shown = told("analyze", "craps", "--wager", "place")
    assert "Told for Place 4; --wager tells another one by the name of its spot." in shown
    assert "edge, place_6        1.5152 %     1/66  the same on Place 6" in shown
    spots = read("analyze", "craps", "--wager", "place")["wagers"]["place"]["by_spot"]
    assert spots["place_9"] == {"edge": {"exact": "1/25", "percent": 4.0}}
    assert "by_spot" not in read("analyze", "craps", "--wager", "place_9")["wagers"]["place_9"]


def test_a_plan_is_told_where_stakes_are_given() -> None:
    assert "Plan" not in told("analyze", "sic-bo", "--wager", "small")
    assert "1 on pass, 2 on odds, whenever it may be made" in told(
        "analyze", "craps", "--stake", "pass=1", "--stake", "odds=2"
    )


def test_a_simulation_tells_the_spot_that_a_wager_means() -> None:
    shown = told("simulate", "craps", "--rounds", "1000", "--wager", "place")
    assert "Place 4 (place_4)" in shown


def test_a_game_says_of_which_wagers_any_is_enough() -> None:
    assert "one of these, contract" in told("games", "craps", columns=200)


def test_a_spot_that_is_not_there_is_refused() -> None:
    refused = felt("analyze", "craps", "--wager", "place_7")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("There is no wager 'place_7'; choose one of: pass, dont_pass,")


def test_what_several_stakes_win_together_is_told_last() -> None:
    """Left wins nothing on average but half of a tie, which comes up 7 times in 31; Twins pay 5 to 1 once in 31."""
    options = ("--games", str(TOYS), "--stake", "left=1", "--stake", "twins=1")
    shown = told("analyze", "sides", *options)
    *_, last = shown.split("What the stakes win together")
    assert "1 on left, 1 on twins, in every round." in last
    assert re.search(r"wins +-0\.919355 +-57/62 +units a round on average", last)
    assert re.search(r"edge +45\.9677 % +57/124 +what the house wins per unit of the 2 put down", last)
    assert "standard deviation" in last
    assert read("analyze", "sides", *options)["together"]["edge"]["exact"] == "57/124"
    assert "together" not in told("analyze", "sides", *options, "--wager", "left")


def test_advice_where_no_wager_is_required_is_in_units_of_the_one_that_is_staked(tmp_path: Path) -> None:
    shutil.copytree(TOYS / "between", tmp_path / "between")
    toml = tmp_path / "between" / "game.toml"
    toml.write_text(toml.read_text("utf-8").replace("required = true", 'required = "any"'), "utf-8")
    shown = told("advise", "between", "Js3h", "--games", str(tmp_path), "--stake", "base=1")
    assert "spread" not in shown and "raise" in shown
    assert "in units of the wager that is staked first." in shown
