"""The `felt` command: what it prints, what its JSON is made of, and how it refuses what is not allowed."""

import json
import re
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from feltworks.cli import output
from feltworks.cli.show_strategy import sections
from feltworks.kit.advice import Advice
from feltworks.kit.cards import Card
from feltworks.kit.round import Info
from feltworks.lab.card_classes import CardClasses
from feltworks.lab.strategy import Strategy
from tests.children import child
from tests.cli.support import FAULTY, OFTM, TOYS, felt, process, read, told

COMMANDS = ("games", "play", "analyze", "advise", "certify", "simulate", "counting")


def is_exact(figure: dict[str, Any], unit: str) -> bool:
    """Whether a figure is an exact fraction with the same as a number beside it."""
    scale = 100 if unit == "percent" else 1
    return set(figure) == {"exact", unit} and float(Fraction(figure["exact"]) * scale) == figure[unit]


# What there is.


def test_help_names_every_command() -> None:
    assert all(command in told("--help") for command in COMMANDS)
    assert told() == told("--help")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    assert "--help" in told(command, "--help")


def test_games_lists_name_versions_wagers_approval_and_standing() -> None:
    printed = told("games")
    for word in (OFTM, "One For The Money", "perfect-match", "three_card_bonus", "document 004", "2014-02-18"):
        assert word in printed
    assert "card room" in printed and "tribal casino" in printed and "as approved" in printed


def test_games_as_json() -> None:
    entries = {entry["name"]: entry for entry in read("games")}
    game = entries[OFTM]
    assert game["title"] == "One For The Money"
    assert list(game["versions"]) == ["three-card-bonus", "perfect-match"]
    assert list(game["wagers"]) == ["base", "three_card_bonus", "perfect_match"]
    assert game["approval"]["document"] == "004" and game["approval"]["approved"] == "2014-02-18"
    assert game["standing"] == "as approved" and set(game["fingerprint"]) == {"definition", "build"}


def test_one_game_is_told_with_conditions_pay_tables_readings_figures_and_fingerprints() -> None:
    printed = told("games", OFTM)
    game = read("games", OFTM)
    for venue in game["approval"]["conditions"]:
        assert f"Conditions in a {venue}" in printed
    for word in ("40 to 1", "Where does a traded card go", "traded_card=back", "(default)", "6.07 %"):
        assert word in printed
    assert "settled by: the printed edges of 3 Card Bonus table 1" in printed
    assert all(prints["definition"] in printed for prints in game["fingerprints"].values())
    assert game["pay_tables"]["three_card_bonus"]["1"]["Flush"] == "5 to 1"
    assert len(game["published"]) == 6


def test_games_of_other_folders_are_listed_too() -> None:
    printed = told("games", "--games", str(TOYS))
    assert all(name in printed for name in ("point", "peek", "bands", OFTM)) and "carries no approval" in printed
    assert "none: it is played without cards" in told("games", "point", "--games", str(TOYS))


# Analysis.


@pytest.mark.slow
def test_analysis_of_the_base_game_as_json() -> None:
    found = read("analyze", OFTM, "--wager", "base")
    assert list(found) == ["game", "fingerprint", "options", "wagers"]
    assert found["game"] == OFTM and set(found["fingerprint"]) == {"definition", "build"}
    assert found["options"]["decks"] == 6 and found["options"]["version"] == "three-card-bonus"
    base = found["wagers"]["base"]
    assert base["edge"] == {"exact": "493536/12909299", "percent": pytest.approx(3.8231046)}
    assert is_exact(base["edge"], "percent")
    for figure in ("edge_of_initial_stake", "average_stake", "element_of_risk", "hit_frequency"):
        assert is_exact(base[figure], "value")
    assert isinstance(base["standard_deviation"], float) and base["origin"] == "counted now"
    for outcome in base["outcomes"]:
        assert {"line", "pays", "probability"} <= set(outcome) and is_exact(outcome["probability"], "value")
    assert sum(Fraction(o["probability"]["exact"]) for o in base["outcomes"]) == 1
    for advice in base["strategy"]:
        assert set(advice) == {"situation", "best", "options"}
        assert all(is_exact(worth, "value") for worth in advice["options"].values())


@pytest.mark.parametrize(
    ("options", "exact"),
    [
        ((), "21282/626665"),
        (("--pay", "in_between=A"), "21282/626665"),
        (("--pay", "in_between=30,12,6,4,1"), "21282/626665"),
        (("--pay", "in_between=D", "--decks", "8"), "8920/223353"),
        (("--decks", "1", "--pay", "in_between=B"), "34/325"),
    ],
)
def test_edge_of_in_between(options: tuple[str, ...], exact: str) -> None:
    assert read("analyze", "in-between", *options)["wagers"]["in_between"]["edge"]["exact"] == exact


@pytest.fixture
def versions(tmp_path: Path) -> str:
    """A folder with a game of two versions, and a printed convention for its bonus."""
    copytree(TOYS / "bands", tmp_path / "bands")
    toml = tmp_path / "bands" / "game.toml"
    plain = '[versions.plain]\ntitle = "without Match"\nwagers = ["base"]\n\n[versions.toy]'
    text = toml.read_text().replace("[versions.toy]", plain)
    toml.write_text(text.replace('needs = ["base"]', 'needs = ["base"]\nconventions = { uniform = "play" }'))
    return str(tmp_path)


def test_all_versions_asked_for_together_are_a_list(versions: str) -> None:
    both = read("analyze", "bands", "--games", versions, "--version", "all", "--wager", "base")
    assert [found["options"]["version"] for found in both] == ["plain", "toy"]
    assert isinstance(read("analyze", "peek", "--games", str(TOYS), "--version", "all"), list)
    printed = told("analyze", "bands", "--games", versions, "--version", "all")
    assert "Bands · without Match" in printed and "Bands · for the tests" in printed


def test_every_version_means_those_that_offer_the_wager(versions: str) -> None:
    (found,) = read("analyze", "bands", "--games", versions, "--version", "all", "--wager", "match")
    assert found["options"]["version"] == "toy"


def test_a_bonus_is_told_under_which_strategy_and_convention_it_is_measured(versions: str) -> None:
    game = ("analyze", "bands", "--games", versions, "--version", "toy", "--wager", "match")
    printed = told(*game)
    assert "Under the strategy that is best for a stake of 1 on base." in printed
    assert re.search(r"edge_uniform .* the same by the printed convention: the seat always", printed)
    assert "what the house wins on average per unit wagered" in printed
    assert is_exact(read(*game)["wagers"]["match"]["edge_uniform"], "percent")


@pytest.mark.slow
def test_analysis_in_words() -> None:
    printed = told("analyze", OFTM, "--wager", "base")
    assert printed.startswith("One For The Money · with 3 Card Bonus · 6 decks · as approved\n")
    assert re.search(r"edge +3\.8231 % +493536/12909299 +what the house wins on average per unit of Ante", printed)
    for figure in ("average stake", "element of risk", "hit frequency", "standard deviation"):
        assert figure in printed
    assert "2-7 trade, 8-T check, J-A raise" in printed
    assert "whatever is gone  2-T stand, J-A raise" in printed
    assert re.search(r"7 +-0\.641261 +-1\.282523 +-0\.523950 +trade", printed)


@pytest.mark.slow
def test_an_analysis_says_what_makes_it_unlike_the_approved_game() -> None:
    options = ("--decks", "4", "--pay", "three_card_bonus=50,30,10,5", "--reading", "traded_card=back")
    printed = told("analyze", OFTM, "--wager", "base", *options)
    assert "4 decks · modified: not as approved" in printed
    assert "4 decks instead of 6, 8" in printed
    assert "3 Card Bonus: Straight flush pays 50 to 1 instead of 40 to 1" in printed
    assert "traded_card=back: it goes back into the shuffler" in printed


def test_stakes_may_be_fractions() -> None:
    found = read("analyze", "bands", "--games", str(TOYS), "--stake", "match=1/2", "--stake", "base=0.5")
    assert found["options"]["stakes"] == {"base": "1/2", "match": "1/2"}


def test_a_strategy_tells_conditions_where_they_matter() -> None:
    printed = told("analyze", "bands", "--games", str(TOYS))
    assert "dealer 1 large, dealer 2 large  2-6 fold, 7 play" in printed
    assert "dealer 1 small, dealer 2 small  2-3 fold, 4-7 play" in printed
    assert "always decline" in told("analyze", "peek", "--games", str(TOYS))


def test_a_strategy_for_several_cards_is_told_by_hands_not_by_the_first_card() -> None:
    def holding(first: str, second: str) -> Info:
        cards = (("card 1", Card(first), None), ("card 2", Card(second), None), ("up", Card("9"), None))
        return Info(("fold", "raise"), (), cards, (), (), ())

    hands = {"77": "fold", "78": "fold", "9T": "raise", "TJ": "raise"}
    advice = {holding(*hand): Advice(hand, {"fold": Fraction(-1), "raise": Fraction(0)}, hands[hand]) for hand in hands}
    strategy = Strategy({}, frozenset(), CardClasses(suited=False), advice)
    [section] = sections(strategy)
    assert section.title == "fold or raise by cards, up 9"
    assert section.summary() == [("", "77-78 fold, 9T-TJ raise")]


def test_what_is_paid_in_a_loop_is_counted_not_called_a_probability() -> None:
    printed = told("analyze", "point", "--games", str(TOYS))
    assert "a probability is the expected number of times" in printed and "7/495" in printed


@pytest.mark.parametrize("columns", [None, 80, 40])
@pytest.mark.parametrize("longest", [28, 3])
def test_exact_fractions_are_never_cut(columns: int | None, longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "LONGEST_IN_COLUMN", longest)
    base = read("analyze", "peek", "--games", str(TOYS))["wagers"]["base"]
    printed = told("analyze", "peek", "--games", str(TOYS), columns=columns)
    fractions = [base["edge"]["exact"], base["average_stake"]["exact"], base["hit_frequency"]["exact"]]
    fractions += [outcome["probability"]["exact"] for outcome in base["outcomes"]]
    assert all(fraction in printed for fraction in fractions) and "…" not in printed
    assert max(map(len, printed.splitlines())) <= (columns if columns == 80 else 100)


# Advice.


@pytest.mark.parametrize(
    ("situation", "best", "options"),
    [
        (("7h", "--decks", "6"), "trade", ["check", "raise", "trade"]),
        (("Jd", "--traded", "4c"), "raise", ["stand", "raise"]),
        (("9", "--decks", "8"), "check", ["check", "raise", "trade"]),
    ],
)
def test_advice_as_json(situation: tuple[str, ...], best: str, options: list[str]) -> None:
    advice = read("advise", OFTM, *situation)
    assert list(advice) == ["best", "options", "standing", "differences", "ask_first"]
    assert advice["best"] == best and list(advice["options"]) == options
    assert all(is_exact(worth, "value") for worth in advice["options"].values())
    assert max(advice["options"], key=lambda name: Fraction(advice["options"][name]["exact"])) == best


def test_advice_in_words_marks_the_best_with_a_word() -> None:
    printed = told("advise", OFTM, "Jd", "--traded", "4c")
    assert re.search(r"raise +3313/15965 +\+0\.207516 +► best", printed)
    assert re.search(r"stand +6626/47895 +\+0\.138344 +0\.069172", printed)
    assert "in units of the Ante" in printed


# Certificates.


@pytest.mark.slow
def test_certificates_as_json() -> None:
    figures = read("certify", "in-between")
    keys = ["game", "wager", "case", "printed", "exact", "percent", "verdict", "note", "standing", "origin", "figure"]
    assert len(figures) == 20 and all(list(figure) == keys for figure in figures)
    by_case = {figure["case"]: figure for figure in figures}
    assert by_case["6 decks, table A"]["exact"] == "21282/626665"
    assert by_case["6 decks, table A"]["verdict"] == "rounded"
    assert by_case["1 deck, table B"]["verdict"] == "truncated"
    assert by_case["1 deck, table C"]["verdict"] == "last digit"
    assert by_case["8 decks, table C"]["verdict"] == "not reproduced"


def test_certificates_in_words() -> None:
    printed = told("certify", "in-between")
    assert "20 printed figures: 17 rounded, 1 truncated, 1 last digit, 1 not reproduced." in printed
    assert re.search(r"8 decks, table C +9\.410 % +9\.40663 % +21010/223353 +not reproduced +note 3", printed)
    assert "note 1  The printed figure is cut, not rounded." in printed
    assert printed.startswith("in-between · in_between · as approved · counted now\n")


@pytest.mark.slow
def test_a_certificate_tells_where_its_figures_come_from() -> None:
    origins = [figure["origin"] for figure in read("certify", "down-under-holdem")]
    assert re.fullmatch("shipped with build [0-9a-f]{12}", origins[0])
    assert origins[1:] == 9 * ["counted now"]  # by formulas, which need no file
    assert f"down-under-holdem · base · as approved · {origins[0]}\n" in told(
        "certify", "down-under-holdem", "--wager", "base"
    )


@pytest.mark.slow
def test_an_analysis_tells_which_figures_come_from_a_file() -> None:
    asked = ("analyze", "down-under-holdem", "--wager")
    [(_, base)] = read(*asked, "base")["wagers"].items()
    assert re.fullmatch("shipped with build [0-9a-f]{12}", base["origin"])
    assert f"\nAnte (base) · {base['origin']}\n" in told(*asked, "base")
    assert "\nMatch the Dealer (match_the_dealer)\n" in told(*asked, "match_the_dealer")


@pytest.mark.slow
def test_a_recount_uses_nothing_from_any_file() -> None:
    shipped, recounted = (
        read("certify", "down-under-holdem", "--wager", "base", *more) for more in ((), ("--recount",))
    )
    assert recounted == [{**figure, "origin": "counted now"} for figure in shipped]


def test_strict_certification_fails_if_a_figure_is_not_reproduced() -> None:
    assert felt("certify", "in-between", "--decks", "8", "--strict", "--json").exit_code == 1
    assert felt("certify", "in-between", "--decks", "2", "--strict").exit_code == 0


def test_certification_of_some_figures() -> None:
    assert len(read("certify", "in-between", "--decks", "2", "--wager", "in_between")) == 4
    refused = felt("certify", "in-between", "--decks", "3")
    assert refused.exit_code == 2 and "in_between with 1 deck," in refused.stderr


def test_figures_without_decks_are_chosen_by_the_decks_of_the_pack() -> None:
    assert len(read("certify", "let-it-ride", "--decks", "1")) == len(read("certify", "let-it-ride")) > 0
    refused = felt("certify", "let-it-ride", "--decks", "6")
    assert refused.exit_code == 2 and "No such figure is printed; printed are: base with 1 deck" in refused.stderr


# Simulation.


@pytest.mark.slow
def test_a_simulation_is_the_same_for_the_same_seed() -> None:
    def run(seed: str) -> Any:
        return read("simulate", "bands", "--games", str(TOYS), "--rounds", "200", "--seats", "2", "--seed", seed)

    found = run("7")
    assert found == run("7") != run("8")
    assert (found["rounds"], found["seats"], found["seed"]) == (200, 2, 7)
    assert {"edge", "exact", "z", "outcomes"} <= set(found["wagers"]["base"])


def test_a_simulation_in_words_and_of_one_wager() -> None:
    printed = told("simulate", "bands", "--games", str(TOYS), "--rounds", "100")
    assert "100 rounds with 1 seat, seed 0" in printed and "with 95 % confidence" in printed
    assert "Match (match)" in printed and "does not certify" in printed
    only = ("simulate", "bands", "--games", str(TOYS), "--rounds", "50", "--wager", "match")
    assert list(read(*only)["wagers"]) == ["match"]
    assert isinstance(read(*only, "--version", "all"), list)


@pytest.mark.parametrize("asked", [(OFTM, "Jd", "--traded=4c"), ("--traded", "4c", OFTM, "Jd")], ids=" ".join)
def test_what_a_game_takes_besides_the_cards_may_be_written_anywhere(asked: tuple[str, ...]) -> None:
    """Which options there are, the game says; the command knows none of them."""
    assert read("advise", *asked) == read("advise", OFTM, "Jd", "--traded", "4c")


def test_everything_about_a_game_tells_what_its_advice_takes() -> None:
    assert "felt advise one-for-the-money CARDS [--traded]" in told("games", OFTM)
    assert "felt advise blackjack CARDS --dealer" in told("games", "blackjack")


# What is refused.

ANALYZE = ("analyze", OFTM)
CHOOSE = (
    "choose one of: blackjack, caribbean-stud, casino-holdem, casino-war, craps, down-under-holdem, in-between,"
    " let-it-ride, mississippi-stud, one-for-the-money, punto-banco, roulette, sic-bo, three-card-poker,"
    " ultimate-texas-holdem, yo"
)
ADVISE = ("advise", OFTM)
REFUSED = [
    (("nonsense",), "choose one of: games, new, play"),
    (("analyze", "nonsense"), CHOOSE),
    (("analyze",), "GAME"),
    ((*ANALYZE, "--nonsense"), "--nonsense"),
    ((*ANALYZE, "--version", "nonsense"), "choose one of: three-card-bonus, perfect-match"),
    ((*ADVISE, "7h", "--version", "all"), "choose one of: three-card-bonus, perfect-match"),
    ((*ANALYZE, "--pay", "three_card_bonus=Z"), "1, 2, or odds from the top"),
    ((*ANALYZE, "--pay", "nonsense=1"), "three_card_bonus"),
    ((*ANALYZE, "--pay", "three_card_bonus"), "--pay is written WAGER=TABLE"),
    ((*ANALYZE, "--pay", "three_card_bonus=30,x"), "3/2"),
    ((*ANALYZE, "--pay", "three_card_bonus=1,2,3,4,5"), "too many"),
    ((*ANALYZE, "--reading", "nonsense=1"), "choose one of: traded_card, ace_low_straight"),
    ((*ANALYZE, "--reading", "traded_card=nonsense"), "choose one of: out, back"),
    ((*ANALYZE, "--reading", "traded_card"), "--reading is written NAME=VALUE"),
    ((*ANALYZE, "--wager", "nonsense"), "choose one of: base, three_card_bonus"),
    ((*ANALYZE, "--wager", "nonsense", "--version", "all"), "choose one of: base"),
    (("analyze", "in-between", "--wager", "bonus"), "choose one of: base, in_between"),
    ((*ANALYZE, "--decks", "0"), "choose 1 to 8"),
    ((*ANALYZE, "--decks", "9"), "choose 1 to 8"),
    ((*ANALYZE, "--decks", "six"), "--decks"),
    ((*ANALYZE, "--stake", "base"), "--stake is written WAGER=UNITS"),
    ((*ANALYZE, "--stake", "base="), "--stake is written WAGER=UNITS"),
    ((*ANALYZE, "--stake", "base=much"), "1, 0.5 or 1/2"),
    ((*ANALYZE, "--stake", "base=1/0"), "1, 0.5 or 1/2"),
    ((*ANALYZE, "--stake", "base=1e99"), "1, 0.5 or 1/2"),
    ((*ANALYZE, "--stake", "base=0"), "above 0"),
    ((*ANALYZE, "--stake", "base=-1"), "0 or more"),
    ((*ANALYZE, "--stake", "nonsense=1"), "choose one of: base, three_card_bonus"),
    (ADVISE, "CARDS"),
    ((*ADVISE, "1x"), "is not a card"),
    ((*ADVISE, ""), "give one"),
    ((*ADVISE, "7h8h"), "give one"),
    ((*ADVISE, "Jd", "--traded", "Jd", "--decks", "1"), "Jd is named twice; there is one of each card in the deck."),
    ((*ADVISE, "Jd", "--dealer", "4c"), "it takes: traded"),
    ((*ADVISE, "Jd", "--jsn"), "it takes: traded"),
    ((*ADVISE, "Jd", "--traded"), "--traded needs a value"),
    ((*ADVISE, "Jd", "--traded", "--json"), "--traded needs a value"),
    (("advise", "yo", "7h"), "has no decisions"),
    (("advise", "blackjack", "T6"), "give --dealer"),
    (("advise", "blackjack", "TT5", "--dealer", "T"), "over 21"),
    (("advise", "blackjack", "T6", "--dealer", "TT"), "give one"),
    (
        ("advise", "blackjack", "AAAAA", "--dealer", "T", "--decks", "1"),
        "A is named 5 times; there are 4 aces in the deck.",
    ),
    (("analyze", "blackjack", "--reading", "soft_17=maybe"), "choose one of: hit, stand"),
    (("certify", "nonsense"), CHOOSE),
    (("simulate", "in-between", "--rounds", "0"), "at least 1 round"),
    (("simulate", "in-between", "--wager", "bonus"), "choose one of: base, in_between"),
    (("play", "nonsense"), CHOOSE),
    (("play", OFTM, "--seats", "8"), "seats 1 to 7"),
    (("play", OFTM, "--seats", "0"), "seats 1 to 7"),
    (("play", OFTM, "--rounds", "0"), "1 or more"),
    (("play", "blackjack", "--decks", "1", "--seats", "3"), "take at most 2 of them, or more decks"),
    (("games", "--games", "/nonsense"), "/nonsense"),
]


@pytest.mark.parametrize(("args", "allowed"), REFUSED, ids=[" ".join(args) for args, _ in REFUSED])
def test_a_wrong_argument_gets_one_sentence_that_says_what_is_allowed(args: tuple[str, ...], allowed: str) -> None:
    result = felt(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1 and result.stderr.endswith(".\n")
    assert allowed in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "command", [("analyze",), ("simulate", "--rounds", "100"), ("play", "--auto", "--rounds", "50", "--seed", "1")]
)
def test_rules_that_forget_a_wager_get_one_sentence_that_names_it(command: tuple[str, ...]) -> None:
    result = felt(command[0], "no-loss", *command[1:], "--games", str(FAULTY))
    assert result.exit_code == 2
    assert result.stderr == (
        f"{FAULTY}/no_loss/rules.py:34: The rule NoLoss.settle (T-42) of No Loss ended the round, but Ante of seat 1 is"
        " neither settled nor carried; settle every wager, or hand it to the next round by `carry`.\n"
    )


def test_a_game_of_one_roll_has_no_second_roll_to_tell_of(tmp_path: Path) -> None:
    """The toy without its bonus, which its rules forget now and then."""
    copytree(FAULTY / "dropped_bonus", tmp_path / "dropped_bonus")
    toml = tmp_path / "dropped_bonus" / "game.toml"
    toml.write_text(toml.read_text().replace('wagers = ["base", "six"]', 'wagers = ["base"]'))
    shown = told("analyze", "dropped-bonus", "--games", str(tmp_path))
    assert "A game takes 1.000000 rolls on average (1)" in shown
    assert re.findall(r"^ *([12]) +(\d+\.\d+) %", shown, re.MULTILINE) == [("1", "100.0000"), ("2", "0.0000")]


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("name = [", "not TOML"),
        ((TOYS / "bands" / "game.toml").read_text().replace("seats = 2", "seats = 99"), "seats"),
    ],
)
def test_a_broken_game_is_refused_with_file_and_line(tmp_path: Path, toml: str, said: str) -> None:
    (tmp_path / "bands").mkdir()
    (tmp_path / "bands" / "game.toml").write_text(toml)
    (tmp_path / "bands" / "rules.py").write_text((TOYS / "bands" / "rules.py").read_text())
    result = felt("analyze", "bands", "--games", str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1 and "bands/game.toml:" in result.stderr and said in result.stderr


# As a program among others.


def test_a_refusal_is_the_same_for_the_program_itself() -> None:
    done = process("advise", OFTM, "Jd", "--traded", "Jd", "--decks", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Jd is named twice; there is one of each card in the deck.\n"


def test_json_is_alone_on_standard_output_and_tables_have_no_colours_in_a_pipe() -> None:
    done = process("analyze", "in-between", "--json")
    assert done.returncode == 0 and done.stderr == "" and json.loads(done.stdout)
    plain = process("games").stdout
    assert "\x1b" not in plain and max(map(len, plain.splitlines())) <= output.PIPE_WIDTH


def test_a_closed_pipe_is_no_reason_to_complain() -> None:
    command = f"{sys.executable} -m feltworks.cli games {OFTM} | true"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize("ignored", [False, True], ids=["in front", "in the background of a script"])
def test_an_interrupt_at_a_table_leaves_it_quietly(ignored: bool) -> None:
    """The shell of a script makes what it starts in the background ignore interrupts."""
    with child("-m", "feltworks.cli", "play", OFTM, ignores_interrupts=ignored) as felt:
        assert felt.stdout is not None
        while "Place your bets" not in felt.stdout.readline():
            pass
        felt.send_signal(signal.SIGINT)
        printed, errors = felt.communicate()
        assert (felt.returncode, errors) == (0, "") and "You leave with 1,000" in printed


@pytest.mark.slow
def test_an_interrupt_ends_a_simulation_and_its_workers_in_the_background_of_a_script(tmp_path: Path) -> None:
    copytree(TOYS / "bands", tmp_path / "bands")
    with (tmp_path / "bands" / "rules.py").open("a") as rules:
        rules.write('\nimport os\nos.write(1, b"loaded\\n")\n')  # at once: two workers may say so together
    command = ("simulate", "bands", "--games", str(tmp_path), "--rounds", "1e9", "--workers", "2")
    with child("-m", "feltworks.cli", *command, ignores_interrupts=True) as felt:
        assert felt.stdout is not None
        for _ in ("the command", "a worker", "another worker"):
            assert felt.stdout.readline() == "loaded\n"
        felt.send_signal(signal.SIGINT)
        printed, errors = felt.communicate()  # which ends when nobody holds the pipes any more
        assert (felt.returncode, printed, errors) == (130, "", "")


def test_a_screen_without_the_signs_of_suits_shows_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = process("play", OFTM, "--seed", "1", typed="10\n0\ncheck\nq\n")
    assert done.returncode == 0 and done.stderr == "" and "king of clubs" in done.stdout
