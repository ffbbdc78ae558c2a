"""`felt counting`: what it prints, what its JSON is made of, and how it refuses what cannot be counted."""

from fractions import Fraction
from typing import Any

import pytest

import feltworks
from feltworks.kit.cards import RANKS
from feltworks.lab.card_counting.compositions import hands_of
from feltworks.lab.card_counting.counting import NOT_WORTH, WORTH
from feltworks.lab.stakes import checked_stakes
from tests.cli.support import OFTM, felt, process, read, told

FEW = ("--samples", "100")


def counted(*args: str) -> Any:
    return read("counting", *args, *FEW)


# JSON.


@pytest.mark.slow
def test_json_tells_every_pay_table_with_exact_and_sampled_figures() -> None:
    found = counted("in-between")
    assert found["game"] == "in-between" and set(found["fingerprint"]) == {"definition", "build"}
    assert found["options"]["decks"] == 6 and found["options"]["pay"] == {"in_between": ["A", "B", "C", "D"]}
    asked = [found[name] for name in ("penetration", "recommended_penetration", "cards_per_round", "shoes", "seed")]
    assert asked == [0.9, None, 6, 100, 0] and "nothing to count" in found["continuous_shuffler"]
    table = found["wagers"]["in_between"]["pay"]["A"]
    assert table["expectation"]["exact"] == "-21282/626665"
    effects = {rank: Fraction(effect["exact"]) for rank, effect in table["effects"].items()}
    assert list(effects) == list(RANKS) and sum(effects.values()) == 0
    assert sum(table["whole_numbers"]["tags"].values()) == 0
    assert table["verdict"] == NOT_WORTH and table["note"].startswith("Not worth counting: ")


def test_json_tells_what_each_counter_wins_at_each_cut_card() -> None:
    table = counted("in-between", "--pay", "in_between=B")["wagers"]["in_between"]["pay"]["B"]
    cuts = [row["penetration"] for row in table["penetrations"]]
    assert cuts == [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
    assert table["counters"] == table["penetrations"][cuts.index(0.9)]["counters"]
    groups = ["groups_2", "groups_3", "groups_4", "groups_7", "groups_13"]
    told = [counter for name in groups for counter in (name, name.replace("groups", "points"))]
    assert list(table["counters"]) == ["perfect", "linear", "whole", "indexed", *told]
    assert set(table["betting_correlation"]) == {"linear", "whole"}
    won = table["counters"]["perfect"]
    assert set(won) == {
        "last_round",
        "wagered",
        "worth",
        "units_per_100_hands",
        "standard_deviation_per_100_hands",
    }
    units = won["units_per_100_hands"]
    assert units["low"] <= units["value"] <= units["high"]
    assert [row["penetration"] for row in table["indices"]] == cuts and table["trade_without_a_count"] is None
    assert list(table["groups"]) == groups and len(table["groups"]["groups_7"]["groups"]) == 7
    assert len(table["groups"]["groups_2"]["wagers"]) == len(cuts) and not table["groups"]["groups_3"]["wagers"]


def test_json_tells_every_count_of_groups_in_points_with_an_index_for_each_cut_card() -> None:
    table = counted("in-between", "--pay", "in_between=A")["wagers"]["in_between"]["pay"]["A"]
    for number in (2, 3, 4, 7, 13):
        told = table["groups"][f"groups_{number}"]
        rule = told["in_points"]
        assert rule["counter"] == f"points_{number}" and rule["counter"] in table["counters"]
        assert [{"ranks": row["ranks"], "suits": row["suits"]} for row in rule["points"]] == told["groups"]
        level, at = rule["wagers_above"], rule["at_each_cut_card"]
        assert [row["cards_gone"] for row in at] == [row["cards_gone_at_the_last"] for row in table["penetrations"]]
        for row in at:
            needed = level["points"] + level["for_each_deck_left"] * (312 - row["cards_gone"]) / 52
            assert row["wagers_above"] == pytest.approx(needed)
        assert rule["trades"] == [] and rule["cards_in_a_deck"] == 52


@pytest.mark.slow
def test_json_tells_what_both_wagers_win_together_and_the_bonus_that_breaks_even() -> None:
    found = counted("in-between", "--pay", "in_between=A", "--stake", "in_between=7")["wagers"]["in_between"]["pay"][
        "A"
    ]
    both = found["with_the_required_wager"]
    assert both["ratio"] == 7 and list(both["counters"]) == list(found["counters"])
    perfect, units = both["counters"]["perfect"], found["counters"]["perfect"]["units_per_100_hands"]
    cost = 100 * float(feltworks.analyze("in-between", wager="base")["base"].edge)
    at = {row["ratio"]: row["value"] for row in perfect["units_per_100_hands"]}
    assert at[0] == pytest.approx(-cost) and at[7] == pytest.approx(7 * units["value"] - cost)
    assert perfect["breaks_even_from"]["value"] == pytest.approx(cost / units["value"])


@pytest.mark.slow
def test_options_choose_decks_penetration_cards_and_seed() -> None:
    options = (
        "--decks",
        "1",
        "--penetration",
        "0.5",
        "--cards",
        "10",
        "--seed",
        "7",
        "--pay",
        "in_between=30,10,5,3,1",
    )
    found = counted("in-between", *options)
    assert (found["options"]["decks"], found["penetration"], found["cards_per_round"], found["seed"]) == (1, 0.5, 10, 7)
    assert found["wagers"]["in_between"]["pay"]["custom"]["hands_per_shoe"] == 3
    assert found == counted("in-between", *options)


def test_another_reading_has_another_expectation() -> None:
    found = counted("in-between", "--reading", "upcard_equals_a_card=push", "--pay", "in_between=C")
    assert Fraction(found["wagers"]["in_between"]["pay"]["C"]["expectation"]["exact"]) > 0


@pytest.mark.slow
def test_all_versions_of_one_for_the_money_are_counted_with_who_discards_for_the_bonus() -> None:
    first, second = counted(OFTM, "--version", "all")
    tables = first["wagers"]["three_card_bonus"]["pay"]
    assert list(tables) == ["1", "2"]
    (match,) = second["wagers"]["perfect_match"]["pay"].values()
    assert first["recommended_penetration"] == 0.9
    wins = {name: won["units_per_100_hands"]["value"] for name, won in match["counters"].items()}
    assert wins["playing"] > wins["groups_13"] > 3 > wins["groups_7"] > 1 > wins["perfect"] > wins["linear"] > 0
    assert wins["points_13"] > 0.9 * wins["groups_13"] and wins["points_4"] > 0.9 * wins["groups_4"]
    for number in (2, 3, 4, 7, 13):
        traded = [
            card for row in match["groups"][f"groups_{number}"]["in_points"]["trades"] for card in row["first_cards"]
        ]
        assert sorted(traded) == sorted(RANKS)  # for every first card it is told when it is traded
    assert tables["1"]["expectation"]["exact"] == "-4207974/64546495"
    assert tables["2"]["verdict"] == WORTH and tables["2"]["groups"]["groups_2"]["text"] == "black | red"
    # What a trade is worth without a count: much in 3 Card Bonus, and nothing in Perfect Match.
    gains = [
        Fraction(table["trade_without_a_count"]["exact"]) - Fraction(table["expectation"]["exact"])
        for table in (tables["1"], tables["2"], match)
    ]
    assert [round(100 * float(gain), 2) for gain in gains] == [3.12, 2.34, 0]
    even = {name: both["breaks_even_from"] for name, both in match["with_the_required_wager"]["counters"].items()}
    assert 1.5 < even["playing"]["value"] < 2.5 < even["groups_7"]["value"] < even["perfect"]["value"]
    base = match["with_the_required_wager"]["counters"]["linear"]["units_per_100_hands"][0]
    assert base["ratio"] == 0 and base["value"] == pytest.approx(-3.8231, abs=5e-5)


# Tables.


@pytest.mark.slow
def test_the_effects_the_count_the_cut_cards_and_the_verdict_are_printed() -> None:
    printed = told("counting", "in-between", "--pay", "in_between=D", *FEW)
    for words in (
        "IN BETween · by the rules of 2009 · 6 decks · as approved",
        "100 shoes, a round every 6 cards, cut card at 90 %, seed 0",
        "IN BETween (in_between), table D",
        "Expectation with the full shoe: -4.4898 %, exactly -28136/626665.",
        "betting correlation of the effects",
        "pivot",
        "by the tags",
        "by effects and indices",
        "13 groups  2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | T | J | Q | K | A",
        "wagers with 5-T left",
        "In points: each card of a group above its even share of the cards left brings so many",
        "3 groups above",
        "in points",
        "breaks even from",
        "What the bonus and the Blackjack wager of every hand win together in 100 hands",
        "Not worth counting: ",
        "With a continuous shuffler every round begins with the full shoe",
    ):
        assert words in printed
    row = next(line.split() for line in printed.splitlines() if line.startswith("A "))
    assert row[:3] == ["A", "+0.11898", "%"] and Fraction(row[3]) > 0 and row[4] == "+2"


@pytest.mark.slow
def test_a_wager_without_effects_says_that_there_is_no_linear_count(monkeypatch: pytest.MonkeyPatch) -> None:
    game = feltworks.load(OFTM, version="perfect-match")
    never_trading = hands_of(game, "perfect_match", checked_stakes(game, None), lambda info: "check")
    monkeypatch.setattr("feltworks.lab.card_counting.counting.hands_of", lambda *given: never_trading)
    printed = told("counting", OFTM, "--version", "perfect-match", "--penetration", "0.95", *FEW)
    assert "is traded if  sum to less than" in printed and "4 groups  2-4         (2-4)" in printed
    assert "No card has an effect when it is removed, so there is no linear count." in printed
    assert "recommends to deal no more than 90 % of a shoe, and this is deeper." in printed


# What is refused.


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["yo"], "Yo! is played with dice, and dice have no memory: there is nothing to count."),
        (["down-under-holdem"], "is dealt from a freshly shuffled pack in every round: there is nothing to count."),
        ([OFTM, "--wager", "base"], "only bonus wagers are counted: three_card_bonus."),
        (
            [OFTM, "--reading", "traded_card=back"],
            "cards go back into a continuous shuffler, where nothing",
        ),
        (["in-between", "--wager", "ante"], "There is no wager 'ante'; choose one of: base, in_between."),
        (["in-between", "--penetration", "0"], "above 0 and at most 1, such as 0.75; 0 is not."),
        (["in-between", "--penetration", "1.2"], "above 0 and at most 1, such as 0.75; 1.2 is not."),
        (["in-between", "--penetration", "75%"], "--penetration is a share of the shoe such as 0.75; '75%' is not."),
        (["in-between", "--penetration", "1", "--cards", "10"], "leaves too few of 312 cards"),
        (["in-between", "--decks", "1", "--penetration", "0.95"], "choose at most 0.923."),
        (["in-between", "--cards", "1"], "A round of IN BETween takes 3 cards or more"),
        (["in-between", "--samples", "few"], "--samples is a whole number"),
        (["in-between", "--samples", "0"], "0 shoes cannot be sampled; choose 2 to 1,000,000."),
        (["in-between", "--pay", "in_between=E"], "There is no pay table for in_between 'E'"),
        (["baccarat"], "There is no game 'baccarat'"),
    ],
)
def test_what_cannot_be_counted_gets_one_sentence_and_exit_code_2(args: list[str], said: str) -> None:
    result = felt("counting", *args)
    assert result.exit_code == 2 and not result.stdout
    assert said in result.stderr and result.stderr.count("\n") == 1


@pytest.mark.slow
def test_the_counting_command_prints_no_progress_bar_into_a_pipe() -> None:
    done = process("counting", "in-between", "--pay", "in_between=A", *FEW)
    assert (done.returncode, done.stderr) == (0, "") and "Not worth counting" in done.stdout
