"""Printed figures are sorted rightly, and the ones that do not follow from the rules are told."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from shutil import copytree

import pytest

import feltworks
from feltworks import games
from feltworks.lab.certify import Certificates, rounded, verdict
from tests.quick import cases


@pytest.mark.parametrize(
    ("printed", "exact", "wanted"),
    [
        ("6.07", "6.073", "rounded"),
        ("6.08", "6.075", "rounded"),
        ("6.07", "6.0751", "truncated"),
        ("5.41", "5.4199", "truncated"),
        ("14.999", "14.9985", "rounded"),
        ("14.999", "14.99849", "last digit"),
        ("6.07", "6.08", "last digit"),
        ("6.07", "6.0801", "not reproduced"),
        ("6.07", "6.0599", "not reproduced"),
        ("6.06", "6.07", "last digit"),
        ("0.90", "0.899", "rounded"),
        ("1.00", "-1.00", "not reproduced"),
    ],
)
def test_a_verdict_says_how_the_printed_digits_stand_to_the_exact_figure(printed: str, exact: str, wanted: str) -> None:
    assert verdict(printed, Fraction(exact) / 100) == wanted


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        ("1/200", 0, "1"),
        ("1/800", 2, "0.13"),
        ("-1/800", 2, "-0.13"),
        ("-1/100000", 2, "0.00"),
        ("1", 1, "100.0"),
    ],
)
def test_percentages_round_half_away_from_zero(value: str, digits: int, text: str) -> None:
    assert rounded(Fraction(value), digits) == text


@pytest.fixture(scope="module")
def all_figures() -> Certificates:
    return feltworks.certify()


@pytest.fixture(scope="module")
def in_between() -> Certificates:
    return feltworks.certify("in-between")


@pytest.mark.slow
def test_all_figures_are_those_of_each_game(all_figures: Certificates, in_between: Certificates) -> None:
    for name, alone in (("in-between", in_between), ("yo", feltworks.certify("yo"))):
        assert alone.to_json() == [figure for figure in all_figures.to_json() if figure["game"] == name]


@pytest.mark.rule("I-07")
def test_seventeen_of_the_twenty_in_between_figures_are_rounded(in_between: Certificates) -> None:
    found = list(in_between)
    assert Counter(c.verdict for c in found) == {
        "rounded": 17,
        "truncated": 1,
        "last digit": 1,
        "not reproduced": 1,
    }
    odd = {c.case: (c.printed, c.verdict, c.exact) for c in found if c.verdict != "rounded"}
    assert odd == {
        "1 deck, table B": ("10.461", "truncated", Fraction(34, 325)),
        "1 deck, table C": ("14.999", "last digit", Fraction(2486, 16575)),
        "8 decks, table C": ("9.410", "not reproduced", Fraction(21010, 223353)),
    }


@pytest.mark.slow
@pytest.mark.rule("O-07", "O-08", "O-09")
def test_one_for_the_money_figures_are_sorted(all_figures: Certificates) -> None:
    found = {(c.wager, c.case): c.verdict for c in all_figures if c.game == "one-for-the-money"}
    assert found == {
        ("three_card_bonus", "6 decks, table 1, uniform: always check"): "rounded",
        ("three_card_bonus", "6 decks, table 2, uniform: always check"): "not reproduced",
        ("three_card_bonus", "8 decks, table 1, uniform: always check"): "truncated",
        ("three_card_bonus", "8 decks, table 2, uniform: always check"): "not reproduced",
        ("perfect_match", "6 decks, table 1, uniform: always check"): "rounded",
        ("perfect_match", "8 decks, table 1, uniform: always check"): "rounded",
    }


@pytest.mark.slow
def test_a_figure_not_reproduced_tells_what_was_tried_with_the_figures(all_figures: Certificates) -> None:
    odd = [c for c in all_figures if c.verdict == "not reproduced"]
    assert not all_figures.all_reproduced
    for certificate in odd:
        assert "Tried besides: " in certificate.note
    table_two = next(c for c in odd if c.case == "6 decks, table 2, uniform: always check")
    assert "best strategy 3.573 %" in table_two.note
    assert "ace_low_straight=no 5.824 %" in table_two.note


@pytest.mark.slow
def test_a_rounded_figure_needs_no_note_but_of_what_it_settles(all_figures: Certificates) -> None:
    noted = [c for c in all_figures if c.verdict == "rounded" and c.note]
    assert all(c.note.startswith("Settles ") for c in noted)
    assert {c.game for c in noted} == {"yo"}


@pytest.mark.rule("Y-07", "Y-18")
def test_the_laboratory_figures_of_yo_settle_its_readings() -> None:
    notes = {(c.wager, c.case): (c.printed, str(c.exact), c.note) for c in feltworks.certify("yo")}
    play, *yo = notes.values()
    assert play == ("1.70", "14/825", "Settles seven_out_play: seven_out_play=push would give -87.298 %.")
    assert [(printed, exact) for printed, exact, _ in yo] == [("8.08", "8/99"), ("9.88", "8/81")]
    for _, _, note in yo:
        assert all(name in note for name in ("yo_seven_eleven=stays_off", "yo_after_win=comes_down", "14.815 %"))


def test_certificates_speak_json(in_between: Certificates) -> None:
    assert in_between.to_json()[0] == {
        "game": "in-between",
        "wager": "in_between",
        "case": "1 deck, table A",
        "printed": "8.338",
        "exact": "1382/16575",
        "percent": pytest.approx(8.33786),
        "verdict": "rounded",
        "note": "",
        "standing": "as approved",
        "origin": "counted now",
        "figure": "edge",
    }


def test_a_printed_element_of_risk_and_hit_frequency_are_certified_as_what_they_are(tmp_path: Path) -> None:
    folder = copytree(games.HOME / "casino_war", tmp_path / "casino_war")
    toml = folder / "game.toml"
    wager = '[[published]]\nversion = "usual"\nwager = "base"\nsource = "counted by hand"\n'
    more = (
        f'\n{wager}figure = "element of risk"\nprinted = "2.68"\n\n{wager}figure = "hit frequency"\nprinted = "50.27"\n'
    )
    toml.write_text(toml.read_text("utf-8") + more, "utf-8")
    game = feltworks.load("casino-war", folders=[folder])
    analysed = feltworks.analyze(game)["base"]
    certificates = {c.figure: c for c in feltworks.certify(game) if c.wager == "base" and c.figure != "edge"}
    risk, hits = certificates["element of risk"], certificates["hit frequency"]
    assert (risk.case, risk.exact, risk.verdict) == (
        "element of risk, usual, 6 decks",
        analysed.element_of_risk,
        "rounded",
    )
    assert (hits.case, hits.exact, hits.verdict) == ("hit frequency, usual, 6 decks", analysed.hit_frequency, "rounded")


def test_a_figure_without_decks_is_of_the_decks_of_the_pack(tmp_path: Path) -> None:
    """It says so where there may be others, and is computed for them also of a game that is set to others."""
    folder = copytree(games.HOME / "casino_war", tmp_path / "casino_war")
    toml = folder / "game.toml"
    pack, rest = toml.read_text("utf-8").split("[versions", 1)
    toml.write_text("[versions".join((pack, rest.replace("decks = 6\n", ""))), "utf-8")
    game = feltworks.load("casino-war", folders=[folder])
    assert all(figure.decks is None for figure in game.definition.published)
    certificates = [*feltworks.certify(game.configured(decks=2))]
    assert [(c.case, c.exact, c.verdict) for c in certificates] == [
        (c.case, c.exact, c.verdict) for c in feltworks.certify("casino-war")
    ]
    assert all("6 decks" in c.case for c in certificates)


def test_a_case_says_which_version_and_what_the_seat_always_does() -> None:
    cases_of_base = [c.case for c in feltworks.certify("casino-war") if c.wager == "base"]
    assert cases_of_base == [
        "usual, 6 decks",
        "element of risk, usual, 6 decks",
        "usual, 6 decks, always surrender",
        "with a bonus for a second tie, 6 decks",
    ]


@pytest.mark.rule("I-07")
@pytest.mark.parametrize("table", cases("ABCD", quick="A"))
def test_another_pay_table_is_only_another_sum(table: str, in_between: Certificates) -> None:
    """The certificate's dot product equals an analysis of the game with that table."""
    whole = feltworks.analyze(feltworks.load("in-between", decks=4, pay={"in_between": table}))
    certificate = next(c for c in in_between if c.case == f"4 decks, table {table}")
    assert whole["in_between"].edge == certificate.exact
