"""A game that counts its own deals is analysed, advised on, certified and simulated like any other."""

from fractions import Fraction

import pytest

import feltworks
from feltworks.kit.errors import BadCard, BadOdds, BadValue, UnknownName
from feltworks.lab.certify import NOT_REPRODUCED, ROUNDED

GAME = feltworks.load("down-under-holdem")
EDGE = Fraction(2026316179, 68171103000)


@pytest.mark.rule("D-21")
def test_the_base_game_is_told_by_every_definition_of_its_edge() -> None:
    base = feltworks.analyze(GAME, wager="base")["base"]
    assert base.edge == EDGE == -sum(o.net * o.probability for o in base.outcomes)
    assert base.edge_of_initial_stake == EDGE / 2
    assert base.element_of_risk == EDGE / base.average_stake
    assert base.average_stake == 2 + 3 * Fraction(408761, 812175) + Fraction(54309937, 140473788)
    assert sum(o.probability for o in base.outcomes) == 1
    assert base.standard_deviation == pytest.approx(4.717855, abs=1e-6)
    assert base.hit_frequency == Fraction(66024222287, 141907194000)


@pytest.mark.rule("D-21")
def test_the_strategy_prices_three_options_for_each_hand_and_each_pair_of_bands() -> None:
    told = feltworks.analyze(GAME, wager="base").to_json()["wagers"]["base"]
    assert len(told["strategy"]) == 169 * 6
    assert {tuple(entry["options"]) for entry in told["strategy"]} == {("check", "2x", "3x")}
    assert {entry["best"] for entry in told["strategy"]} == {"check", "3x"}
    first = next(entry for entry in told["strategy"] if entry["situation"] == "AKo, small and large")
    assert first["best"] == "3x" and first["options"]["3x"]["exact"] == "10366681/7471872"


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_details_tell_the_bands_the_mistakes_and_the_short_strategy() -> None:
    base = feltworks.analyze(GAME, wager="base", details=True)["base"]
    told = {figure.name: figure.value for figure in base.figures}
    assert told["plays 3x"] + told["plays check"] == 1
    assert told["plays 1x"] + told["plays fold"] == told["plays check"]
    assert told["plays 2x"] == 0
    assert float(told["edge without bands"]) == pytest.approx(0.12936698, abs=1e-8)
    assert float(told["cost, never raise"]) == pytest.approx(0.235116, abs=1e-6)
    assert float(told["cost, short strategy"]) == pytest.approx(0.002553, abs=1e-6)
    assert told["edge, bands 2-6, 7-10, J-A"] < base.edge < told["edge, bands 2-8, 9-A"] < told["edge without bands"]
    assert len(base.notes) <= 11


@pytest.mark.rule("D-09", "D-11", "D-12", "D-21")
def test_nine_of_the_ten_printed_edges_are_rounded_and_the_tenth_is_compared_by_every_definition() -> None:
    by_verdict: dict[str, list[str]] = {}
    certificates = feltworks.certify(GAME)
    for certificate in certificates:
        by_verdict.setdefault(certificate.verdict, []).append(certificate.wager)
    assert by_verdict == {
        NOT_REPRODUCED: ["base"],
        ROUNDED: 5 * ["trips_or_better"] + 4 * ["match_the_dealer"],
    }
    [base] = [certificate for certificate in certificates if certificate.wager == "base"]
    assert base.exact == EDGE
    assert "per unit of Ante and Bet 1.486 %" in base.note and "per unit staked in all 0.763 %" in base.note


@pytest.mark.slow
@pytest.mark.rule("D-09")
def test_folded_hands_that_forfeit_make_the_bonus_wagers_dearer() -> None:
    strict = GAME.configured(readings={"folded_bonus": "forfeits", "folded_jackpot": "forfeits"})
    for wager in ("trips_or_better", "match_the_dealer", "jackpot"):
        assert feltworks.analyze(strict, wager=wager)[wager].edge > feltworks.analyze(GAME, wager=wager)[wager].edge


@pytest.mark.rule("D-20")
def test_the_jackpot_tells_its_fixed_return_and_the_meter_at_which_it_is_worth_its_price() -> None:
    jackpot = feltworks.analyze(GAME, wager="jackpot")["jackpot"]
    told = {figure.name: figure.value for figure in jackpot.figures}
    assert told["fixed return"] == Fraction(510919, 1017926) == 1 - jackpot.edge
    assert told["fixed return"] + told["meter share"] * told["break-even meter"] == 1
    with_envy = feltworks.analyze(GAME.configured(pay={"jackpot": "3"}), wager="jackpot")["jackpot"]
    beside = {figure.name: figure.value for figure in with_envy.figures}
    assert beside["break-even meter beside 5"] < beside["break-even meter beside 2"] < beside["break-even meter"]
    assert all(figure.value > 0 for figure in with_envy.figures)


@pytest.mark.rule("D-05", "D-06")
def test_advice_before_and_on_the_flop() -> None:
    before = feltworks.advise(GAME, "AsKh", bands="large,small")
    assert before.best == "3x" and before.options["3x"] == Fraction(10366681, 7471872)
    assert before.options["2x"] < before.options["3x"]
    after = feltworks.advise(GAME, "AsKh", bands="small,large", flop="2c7dJh")
    assert after.options == {"fold": Fraction(-2), "1x": Fraction(31, 850)} and after.best == "1x"
    assert feltworks.advise(GAME, "3d2c", bands="large,large", flop="AsKhQh").best == "fold"


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_other_pays_of_the_bet_are_solved_on_the_spot() -> None:
    other = GAME.configured(pay={"bet": "500,50,10,3,3/2,2"})
    assert other.standing == "modified: not as approved"
    assert feltworks.analyze(other, wager="base")["base"].edge < EDGE
    nothing = GAME.configured(pay={"bet": "0,0,0,0,0,0"})
    assert feltworks.analyze(nothing, wager="base")["base"].edge > EDGE


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("AsAs", {"bands": "small,large"}), "named twice"),
        (("AsKh", {"bands": "small,large", "flop": "AsKdQd"}), "named twice"),
        (("As", {"bands": "small,large"}), "two cards"),
        (("AK", {"bands": "small,large"}), "needs a suit"),
        (("AsKh", {"bands": "small"}), "two bands"),
        (("AsKh", {"bands": "small,huge"}), "huge"),
        (("AsKh", {"bands": "small,large", "flop": "2c7d"}), "three"),
        (("AsKh", {}), "--bands"),
        (("AsKh", {"bands": "small,large", "traded": "4c"}), "traded"),
    ],
)
def test_advice_on_what_cannot_be_is_refused_in_a_sentence(asked: tuple[str, dict[str, str]], said: str) -> None:
    cards, given = asked
    with pytest.raises((BadCard, BadValue, UnknownName), match=said):
        feltworks.advise(GAME, cards, stakes=None, **given)


def test_stakes_that_would_change_the_strategy_are_refused() -> None:
    strict = GAME.configured(readings={"folded_bonus": "forfeits"})
    with pytest.raises(BadValue, match="forfeits Trips or Better"):
        feltworks.analyze(strict, stakes={"trips_or_better": 1})
    assert feltworks.analyze(GAME, wager="base", stakes={"trips_or_better": 1})["base"].edge == EDGE


@pytest.mark.rule("D-01")
def test_more_than_one_deck_is_not_counted() -> None:
    with pytest.raises(BadValue, match="one deck of D-01"):
        feltworks.analyze(GAME.configured(decks=2))


def test_pays_that_the_bet_does_not_have_are_refused() -> None:
    with pytest.raises(BadOdds, match="too many"):
        GAME.configured(pay={"bet": "500,50,10,3,3/2,1,1,1"})
    with pytest.raises(BadOdds, match="D-08"):
        feltworks.analyze(GAME.configured(pay={"bet": "500,50,10,3,3/2,1,1"}), wager="base")
    with pytest.raises(BadOdds, match="paid by odds"):
        feltworks.analyze(GAME.configured(pay={"bet": "5 % of meter,50,10,3,3/2,1"}), wager="base")


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_a_simulation_stands_beside_the_exact_figures() -> None:
    found = feltworks.simulate(GAME, rounds=2_000_000, seed=5)
    for wager in GAME.wagers:
        counted = found[wager]
        assert counted.z is not None and abs(counted.z) < 4
        assert sum(line.count for line in counted.outcomes) == 2_000_000
        assert all(line.expected is not None for line in counted.outcomes)


@pytest.mark.slow
@pytest.mark.rule("D-01", "D-09")
@pytest.mark.parametrize(
    "readings", [{}, {"folded_bonus": "forfeits", "folded_jackpot": "forfeits"}], ids=["", "forfeits"]
)
def test_several_seats_by_the_rules_agree_with_the_same_figures(readings: dict[str, str]) -> None:
    found = feltworks.simulate(GAME.configured(readings=readings), rounds=400, seats=3, seed=1)
    for wager in ("base", "trips_or_better", "match_the_dealer"):
        z = found[wager].z
        assert z is not None and abs(z) < 4
