"""What an analysis says, in Python, in JSON and in a notebook."""

import pytest

import feltworks
from feltworks.api import Number
from feltworks.kit.errors import BadOdds, BadValue, UnknownName
from tests.lab.analysed import analysed


@pytest.mark.slow
def test_the_json_of_an_analysis_has_the_names_others_rely_on() -> None:
    found = analysed("one-for-the-money").to_json()
    assert set(found) == {"game", "fingerprint", "options", "wagers"}
    assert set(found["fingerprint"]) == {"definition", "build"}
    base = found["wagers"]["base"]
    assert base["edge"] == {"exact": "493536/12909299", "percent": pytest.approx(3.8231, abs=5e-5)}
    for name in ("edge_of_initial_stake", "average_stake", "element_of_risk"):
        assert set(base[name]) == {"exact", "value"}
    assert {"situation", "best", "options"} == set(base["strategy"][0])
    bonus = found["wagers"]["three_card_bonus"]
    assert bonus["outcomes"][0]["line"] == "Straight flush"
    assert bonus["outcomes"][0]["pays"] == "40 to 1"
    assert set(bonus["outcomes"][0]["probability"]) == {"exact", "value"}
    assert bonus["edge"] != bonus["edge_uniform"]
    assert "strategy" not in bonus


@pytest.mark.slow
def test_the_edge_of_the_initial_stake_the_average_stake_and_the_element_of_risk_hang_together() -> None:
    base = analysed("one-for-the-money", "base")["base"]
    assert base.edge_of_initial_stake == base.edge
    assert base.element_of_risk == base.edge / base.average_stake
    assert base.edge == -sum(o.probability * o.net for o in base.outcomes)
    assert base.hit_frequency == sum(o.probability for o in base.outcomes if o.net > 0)
    mean_square = sum(o.probability * o.net**2 for o in base.outcomes)
    assert base.variance == mean_square - base.edge**2
    assert base.standard_deviation == pytest.approx(float(base.variance) ** 0.5)


@pytest.mark.rule("I-07")
def test_pay_tables_can_be_given_by_name_or_by_odds_from_the_top() -> None:
    named = feltworks.load("in-between", pay={"in_between": "A"})
    typed = feltworks.load("in-between", pay={"in_between": "30,12,6,4,1"})
    assert feltworks.analyze(named)["in_between"].edge == feltworks.analyze(typed)["in_between"].edge
    assert named.fingerprint["definition"] == typed.fingerprint["definition"]
    assert typed.standing == "as approved"


def test_lines_that_are_not_given_push() -> None:
    game = feltworks.load("in-between", pay={"in_between": "30,12,6,4"})
    outcomes = {o.line: o for o in feltworks.analyze(game)["in_between"].outcomes}
    assert outcomes["All other spreads"].pays == "push"
    assert outcomes["All other spreads"].net == 0
    assert game.standing == "modified: not as approved"


@pytest.mark.slow
def test_only_one_wager_is_analysed_when_one_is_asked_for() -> None:
    assert set(analysed("one-for-the-money", "base").wagers) == {"base"}


@pytest.mark.rule("I-01", "I-06")
def test_the_blackjack_under_in_between_is_analysed_when_it_is_asked_for_and_is_the_same_blackjack() -> None:
    assert set(analysed("in-between").wagers) == {"in_between"}
    below, alone = analysed("in-between", "base")["base"], analysed("blackjack")["base"]
    assert (below.edge, below.outcomes, below.variance) == (alone.edge, alone.outcomes, alone.variance)


@pytest.mark.parametrize(
    ("stakes", "error", "said"),
    [
        ({"base": 0}, BadValue, "required"),
        ({"base": -1}, BadValue, "0 or more"),
        ({"perfect_match": 1}, UnknownName, "base, three_card_bonus"),
        ({"base": "much"}, BadValue, "is not a number"),
    ],
)
def test_stakes_that_cannot_be_are_refused(stakes: dict[str, Number], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        feltworks.analyze("one-for-the-money", stakes=stakes)


@pytest.mark.parametrize(
    ("pay", "error"),
    [
        ({"in_between": "E"}, UnknownName),
        ({"base": "1"}, UnknownName),
        ({"in_between": "30,12,6,4,1,1"}, BadOdds),
        ({"in_between": "30,x"}, BadOdds),
        ({"in_between": "3:2,1"}, BadOdds),
    ],
)
def test_pay_tables_that_cannot_be_are_refused(pay: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        feltworks.load("in-between", pay=pay)


def test_a_notebook_shows_results_as_tables() -> None:
    analysis = analysed("in-between")
    html = analysis._repr_html_()
    assert html.startswith(
        "<p>IN BETween · by the rules of 2009 · 6 decks · as approved</p><table><caption>IN BETween: "
    )
    assert "<caption>IN BETween: edge 3.3961 % (21282/626665)</caption>" in html
    assert "<td>Triple match</td><td>30 to 1</td>" in html
    assert "<td>trade (best)</td>" in feltworks.advise("one-for-the-money", "7h")._repr_html_()
    assert "truncated" in feltworks.certify("in-between")._repr_html_()


def test_names_in_a_notebook_are_escaped() -> None:
    from feltworks.kit.html_table import table

    assert "<b>" not in table("<b>", ("<b>",), [("<b>",)])
