"""A game is played with a version, readings, pay tables and decks; fingerprints and standing tell which."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from feltworks import games
from feltworks.kit.errors import BadOdds, BadValue, FeltworksError, UnknownName
from feltworks.kit.game import Game
from feltworks.kit.loader import load_folder
from feltworks.kit.odds import PUSH, Odds
from tests.kit.support import every_game, label, one_sentence, toy

ROOT = Path(__file__).parents[2]
IN_BETWEEN, ONE_FOR_THE_MONEY = games.load("in-between"), games.load("one-for-the-money")


# Configuring.


def test_a_game_is_loaded_as_its_definition_gives_it_first() -> None:
    game = ONE_FOR_THE_MONEY
    assert (game.version_name, game.decks) == ("three-card-bonus", 6)
    assert game.readings == {"traded_card": "out", "ace_low_straight": "yes"}
    assert {spot: table.name for spot, table in game.pay.items()} == {
        "three_card_bonus": "1",
        "perfect_match": "1",
    }
    assert game.configured() == game


def test_another_version_offers_other_wagers() -> None:
    game = ONE_FOR_THE_MONEY.configured(version="perfect-match")
    assert list(game.wagers) == ["base", "perfect_match"]
    assert game.betting("open").spots == ("ante", "perfect_match")
    with pytest.raises(UnknownName):
        game.wager("three_card_bonus")


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_game_of_cards_takes_1_to_8_decks(decks: int) -> None:
    fresh = IN_BETWEEN.configured(decks=decks).fresh()
    assert fresh is not None
    assert fresh.total == 52 * decks


def test_a_pay_table_is_named_or_typed_from_the_top() -> None:
    assert IN_BETWEEN.configured(pay={"in_between": "C"}).pay_table("in_between").name == "C"
    typed = IN_BETWEEN.configured(pay={"in_between": "40,3/2,0"}).pay_table("in_between")
    assert typed.names == IN_BETWEEN.pay_table("in_between").names
    assert [line.pay for line in typed] == [Odds("to", 40, 1), Odds("to", 3, 2), PUSH, PUSH, PUSH]


def test_a_pay_table_of_one_line_is_typed_as_one_pay() -> None:
    table = toy("bands").configured(pay={"match": "3/2"}).pay_table("match")
    assert [line.pay for line in table] == [Odds("to", 3, 2)]


def test_configuring_leaves_the_game_as_it_was_and_adds_up() -> None:
    game = ONE_FOR_THE_MONEY.configured(decks=8).configured(readings={"traded_card": "back"})
    game = game.configured(pay={"three_card_bonus": "2"})
    assert (game.decks, game.reading("traded_card"), game.reading("ace_low_straight")) == (8, "back", "yes")
    assert game.pay_table("three_card_bonus").name == "2"
    assert ONE_FOR_THE_MONEY.decks == 6
    assert ONE_FOR_THE_MONEY.reading("traded_card") == "out"


DECKS = "decks are not possible; choose 1 to 8."
WRONG: dict[str, tuple[Game, dict[str, Any], type[FeltworksError], str]] = {
    "a version": (
        ONE_FOR_THE_MONEY,
        {"version": "washington"},
        UnknownName,
        "There is no version 'washington'; choose one of: three-card-bonus, perfect-match.",
    ),
    "no decks": (IN_BETWEEN, {"decks": 0}, BadValue, f"0 {DECKS}"),
    "9 decks": (IN_BETWEEN, {"decks": 9}, BadValue, f"9 {DECKS}"),
    "decks of dice": (
        toy("point"),
        {"decks": 6},
        BadValue,
        "Point is played without cards, so it has no number of decks.",
    ),
    "a reading": (
        ONE_FOR_THE_MONEY,
        {"readings": {"trade": "out"}},
        UnknownName,
        "There is no reading 'trade'; choose one of: traded_card, ace_low_straight.",
    ),
    "an answer": (
        ONE_FOR_THE_MONEY,
        {"readings": {"traded_card": "away"}},
        UnknownName,
        "There is no value of traded_card 'away'; choose one of: out, back (O-04).",
    ),
    "a wager without a pay table": (
        ONE_FOR_THE_MONEY,
        {"pay": {"base": "1"}},
        UnknownName,
        "There is no pay table for 'base'; choose one of: three_card_bonus, perfect_match.",
    ),
    "a pay table": (
        IN_BETWEEN,
        {"pay": {"in_between": "E"}},
        UnknownName,
        "There is no pay table for in_between 'E'; choose one of: A, B, C, D, or odds from the top such as "
        "30,12,3/2,0.",
    ),
    "a pay table by number": (
        ONE_FOR_THE_MONEY,
        {"pay": {"three_card_bonus": "3"}},
        UnknownName,
        "There is no pay table for three_card_bonus '3'; choose one of: 1, 2, or odds from the top such as "
        "30,12,3/2,0.",
    ),
    "too many odds": (
        IN_BETWEEN,
        {"pay": {"in_between": "30,12,6,4,1,1"}},
        BadOdds,
        "6 pays are too many for the 5-line pay table 'A': Triple match, One card spread, Two card spread, "
        "Three card spread, All other spreads.",
    ),
    "odds with a colon": (
        IN_BETWEEN,
        {"pay": {"in_between": "30:1,12"}},
        BadOdds,
        "Write \"30 to 1\" instead of '30:1'.",
    ),
}


@pytest.mark.parametrize(("game", "options", "kind", "said"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_configured_is_told_what_can(
    game: Game, options: dict[str, Any], kind: type[FeltworksError], said: str
) -> None:
    with pytest.raises(kind) as refusal:
        game.configured(**options)
    assert one_sentence(refusal.value) == said


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda game: game.wager("ante"), "There is no wager 'ante'; choose one of: base, in_between."),
        (
            lambda game: game.wager_of("ante"),
            "There is no spot 'ante'; choose one of: base, hand_2, hand_3, hand_4, insurance, in_between.",
        ),
        (lambda game: game.pay_table("base"), "There is no pay table for 'base'; choose one of: in_between."),
        (
            lambda game: game.reading("x"),
            "There is no reading 'x'; choose one of: soft_17, blackjack_pays, double, double_after_split, max_hands, "
            "split_aces, surrender, hole_card, upcard_equals_a_card.",
        ),
    ],
    ids=["wager", "spot", "pay table", "reading"],
)
def test_a_name_that_a_game_does_not_know_is_told_those_it_knows(ask: Any, said: str) -> None:
    with pytest.raises(UnknownName) as refusal:
        ask(IN_BETWEEN)
    assert one_sentence(refusal.value) == said


def test_betting_opens_the_spots_of_its_window() -> None:
    assert toy("point").betting("come-out").spots == ("line", "pairs", "seven")
    assert toy("point").betting("point").spots == ("seven",)
    assert toy("bands").betting("open").spots == ("ante", "match")
    assert toy("bands").betting("never").spots == ()


# Fingerprints.

CHANGES: list[dict[str, Any]] = [
    {},
    {"version": "perfect-match"},
    {"decks": 8},
    {"readings": {"traded_card": "back"}},
    {"readings": {"ace_low_straight": "no"}},
    {"pay": {"three_card_bonus": "2"}},
    {"pay": {"three_card_bonus": "40,30,10,6"}},
    {"decks": 8, "readings": {"traded_card": "back"}},
]


def test_the_definition_changes_with_version_readings_pay_and_decks() -> None:
    prints = [ONE_FOR_THE_MONEY.configured(**change).fingerprint for change in CHANGES]
    assert len({p["definition"] for p in prints}) == len(CHANGES)
    assert len({p["build"] for p in prints}) == 1


def test_what_makes_no_difference_does_not_change_the_definition() -> None:
    def definition(**change: Any) -> str:
        return ONE_FOR_THE_MONEY.configured(**change).fingerprint["definition"]

    assert definition(version="three-card-bonus", decks=6, readings={"traded_card": "out"}) == definition()
    assert definition(pay={"three_card_bonus": "40,30,10,5"}) == definition()
    assert definition(pay={"perfect_match": "1,1,1,1"}) == definition()


def test_every_game_in_every_version_has_a_definition_of_its_own() -> None:
    prints = {game.fingerprint["definition"]: label(game) for game in every_game()}
    assert len(prints) == len(every_game())
    assert all(len(print) == 64 for print in prints)


def test_fingerprints_are_the_same_in_every_process() -> None:
    code = "from feltworks import games; print([games.load(n).fingerprint for n in games.names()])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**environment, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert told == {f"{[games.load(name).fingerprint for name in games.names()]}\n"}


@pytest.mark.parametrize("change", [{"instead": ("base",)}, {"self_service": True}], ids=str)
def test_how_a_wager_is_made_and_collected_is_part_of_what_is_approved(change: dict[str, Any]) -> None:
    definition = IN_BETWEEN.definition
    wagers = {**definition.wagers, "in_between": definition.wagers["in_between"].model_copy(update=change)}
    changed = replace(IN_BETWEEN, definition=definition.model_copy(update={"wagers": wagers}))
    assert changed.fingerprint["definition"] != IN_BETWEEN.fingerprint["definition"]


def test_one_byte_of_the_rules_changes_the_build_alone(toys: Path, tmp_path: Path) -> None:
    folder = tmp_path / "peek"
    shutil.copytree(toys / "peek", folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = load_folder(folder).fingerprint
    assert before == toy("peek").fingerprint
    rules = (folder / "rules.py").read_bytes()
    (folder / "rules.py").write_bytes(rules + b"\n")
    after = load_folder(folder).fingerprint
    assert (after["definition"], after["build"] == before["build"]) == (before["definition"], False)
    (folder / "rules.py").write_bytes(rules)
    assert load_folder(folder).fingerprint == before


# How a game stands to its approval.

STANDING: list[tuple[Game, dict[str, Any], str, tuple[str, ...]]] = [
    (IN_BETWEEN, {}, "as approved", ()),
    (IN_BETWEEN, {"decks": 1, "pay": {"in_between": "D"}}, "as approved", ()),
    (IN_BETWEEN, {"pay": {"in_between": "30,10,5,3,1"}}, "as approved", ()),
    (IN_BETWEEN, {"readings": {"upcard_equals_a_card": "push"}}, "as approved, with other readings", ()),
    (IN_BETWEEN, {"decks": 3}, "modified: not as approved", ("3 decks instead of 1, 2, 4, 6, 8",)),
    (
        IN_BETWEEN,
        {"decks": 5, "pay": {"in_between": "30,12,6,4,0"}},
        "modified: not as approved",
        (
            "5 decks instead of 1, 2, 4, 6, 8",
            "IN BETween: All other spreads pushes instead of paying 1 to 1",
        ),
    ),
    (
        ONE_FOR_THE_MONEY,
        {"version": "perfect-match", "pay": {"three_card_bonus": "1,1,1,1"}},
        "as approved",
        (),
    ),
    (toy("peek"), {"decks": 2}, "carries no approval", ()),
]


@pytest.mark.parametrize(
    ("game", "options", "standing", "differences"), STANDING, ids=[f"{g.name} {o}" for g, o, *_ in STANDING]
)
def test_a_game_says_how_it_stands_to_its_approval(
    game: Game, options: dict[str, Any], standing: str, differences: tuple[str, ...]
) -> None:
    configured = game.configured(**options)
    assert (configured.standing, configured.differences) == (standing, differences)


def test_a_version_that_was_not_approved_says_so() -> None:
    version = IN_BETWEEN.version.model_copy(update={"approved": False})
    definition = IN_BETWEEN.definition.model_copy(update={"versions": {"house": version}})
    game = Game.standard(definition, IN_BETWEEN.folder, IN_BETWEEN.round_class, IN_BETWEEN.bonuses, None)
    assert game.standing == "carries no approval"


def test_other_readings_are_those_that_are_not_the_versions_own() -> None:
    game = ONE_FOR_THE_MONEY.configured(readings={"traded_card": "back", "ace_low_straight": "yes"})
    assert game.other_readings == {"traded_card": "back"}


def test_a_pay_table_of_a_whole_wager_is_part_of_what_is_approved() -> None:
    """Its name need not be that of a spot."""
    tables = {"base": {"1": {"Win": "1 to 1"}}}
    definition = toy("bands").definition.model_copy(update={"pay_tables": tables})
    game = Game.standard(definition, toy("bands").folder, toy("bands").round_class, {}, None)
    changed = game.configured(pay={"base": "6/5"})
    assert changed.differences == ("Ante: Win pays 6 to 5 instead of 1 to 1",)
    assert changed.fingerprint["definition"] != game.fingerprint["definition"]


@pytest.mark.rule("F-01")
@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("yo", ("late_play", "more")),
        ("in-between", ("in_between",)),
        ("one-for-the-money", ("three_card_bonus",)),
    ],
)
def test_a_wager_that_the_document_does_not_let_the_house_leave_out_is_a_modification(
    name: str, without: tuple[str, ...]
) -> None:
    game = games.load(name)
    fewer = game.configured(without=without)
    assert fewer.standing == "modified: not as approved"
    assert fewer.differences == tuple(f"{game.wager(wager).title} is not offered" for wager in without)


@pytest.mark.rule("D-02")
def test_the_house_chooses_which_bonus_wagers_it_offers() -> None:
    game = games.load("down-under-holdem")
    fewer = game.configured(without=("jackpot", "match_the_dealer"))
    assert list(fewer.wagers) == ["base", "trips_or_better"]
    assert fewer.betting("open").spots == ("ante", "bet", "trips_or_better")
    assert fewer.fingerprint["definition"] != game.fingerprint["definition"]
    assert fewer.standing == game.standing == "as approved"
    with pytest.raises(BadValue, match="cannot be left out"):
        game.configured(without=("base",))
    with pytest.raises(UnknownName, match="insurance"):
        game.configured(without=("insurance",))
