"""What the lab process answers is what `felt analyze` and `felt advise` say; a mistake is answered with a sentence."""

from fractions import Fraction
from typing import Any

import pytest

import feltworks
from feltworks.kit.game import Game
from feltworks.kit.odds import MeterShare, Odds, parse_pay
from feltworks.kit.questions import (
    Answer,
    Edges,
    EdgesTold,
    Elsewhere,
    JackpotReturned,
    JackpotReturnTold,
    JackpotsCompared,
    JackpotSettings,
    Mistake,
    Question,
    SameJackpot,
    Worth,
    WorthTold,
)
from feltworks.lab.live_answers import answer, percent
from tests.quick import cases

UNDER = "down-under-holdem"
SETTINGS: dict[str, Any] = {
    "One For The Money, five decks": Edges("one-for-the-money", decks=5),
    "One For The Money, traded card back": Edges("one-for-the-money", readings={"traded_card": "back"}),
    "One For The Money, ace only high": Edges("one-for-the-money", readings={"ace_low_straight": "no"}),
    "One For The Money, other odds": Edges("one-for-the-money", pay={"three_card_bonus": "50,40,6,4"}),
    "One For The Money, Perfect Match": Edges("one-for-the-money", version="perfect-match", decks=8),
    "One For The Money, without the bonus": Edges("one-for-the-money", without=["three_card_bonus"]),
    "IN BETween, eight decks, other odds": Edges("in-between", decks=8, pay={"in_between": "30,12,6,3,1"}),
    "Yo!, rack card": Edges("yo", version="rack-card"),
    "Yo!, other odds": Edges("yo", pay={"high": "2", "yo": "30,4,1"}),
    "Yo!, a push": Edges("yo", pay={"late_play": "9/5,7/5"}),
}
QUICK = {
    "One For The Money, without the bonus",
    "IN BETween, eight decks, other odds",
    "Yo!, other odds",
    "Yo!, a push",
}


def configured(question: Edges) -> Game:
    return feltworks.load(question.game).configured(
        version=question.version,
        decks=question.decks,
        readings=question.readings,
        pay=question.pay,
        without=question.without,
    )


def told(question: Question) -> EdgesTold:
    found = answer(question, counts=True)
    assert isinstance(found, EdgesTold), found
    return found


@pytest.mark.parametrize("name", cases(SETTINGS, quick=QUICK))
def test_edges_of_any_settings_are_those_of_the_analysis(name: str) -> None:
    question = SETTINGS[name]
    game = configured(question)
    listed = feltworks.load(question.game, version=question.version)
    found = told(question)
    assert (found.standing, found.differences) == (game.standing, list(game.differences))
    assert found.definition == game.fingerprint["definition"]
    assert [edge.wager for edge in found.wagers] == list(game.wagers)
    for edge in found.wagers:
        if edge.apart:
            continue
        exact, usual = (feltworks.analyze(which, wager=edge.wager)[edge.wager].edge for which in (game, listed))
        assert (edge.exact, edge.listed_exact) == (str(exact), str(usual))
        assert edge.percent == percent(exact)
        assert edge.note == ""


@pytest.mark.parametrize(
    ("settings", "wager", "exact"),
    [
        ({"game": "one-for-the-money"}, "base", "493536/12909299"),
        ({"game": "yo"}, "play", "7/495"),
        ({"game": "in-between", "decks": 8, "pay": {"in_between": "C"}}, "in_between", "21010/223353"),
        ({"game": UNDER}, "base", "2026316179/68171103000"),
        ({"game": UNDER}, "match_the_dealer", "78/1225"),
    ],
)
def test_a_wager_that_is_asked_for_is_told_alone_with_its_known_edge(
    settings: dict[str, Any], wager: str, exact: str
) -> None:
    [edge] = told(Edges(**settings, wager=wager)).wagers
    assert (edge.wager, edge.exact, edge.apart) == (wager, exact, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "wager"),
    [
        (Edges(UNDER, pay={"bet": "400,50,10,3,3/2,1"}, wager="base"), "base"),
        (Edges(UNDER, readings={"folded_bonus": "forfeits"}, wager="trips_or_better"), "trips_or_better"),
        (Edges("in-between", readings={"surrender": "late", "soft_17": "stand"}, wager="base"), "base"),
        (Edges("blackjack", decks=2, wager="base"), "base"),
    ],
)
def test_an_edge_that_is_counted_is_that_of_the_analysis(question: Edges, wager: str) -> None:
    [edge] = told(question).wagers
    assert edge.exact == str(feltworks.analyze(configured(question), wager=wager)[wager].edge)


def test_an_edge_that_takes_longer_is_told_only_to_whoever_asks_for_its_wager() -> None:
    base, own = told(Edges("in-between")).wagers
    assert (base.wager, base.apart, base.exact) == ("base", True, None)
    assert (own.wager, own.apart, own.exact) == ("in_between", False, "21282/626665")


def test_the_process_that_does_not_count_says_who_does() -> None:
    counted: list[Question] = [
        Edges("blackjack", wager="base"),
        Worth("blackjack", cards="T6", given={"dealer": "T"}),
        SameJackpot(JackpotSettings(UNDER, wager=100), JackpotSettings(UNDER, wager=100)),
        JackpotReturned(UNDER, wager=100),
    ]
    assert [answer(question, counts=False) for question in counted] == [Elsewhere()] * 4


def test_the_edge_of_a_jackpot_is_told_in_words_because_it_depends_on_the_prize() -> None:
    [edge] = told(Edges(UNDER, wager="jackpot")).wagers
    assert (edge.exact, edge.percent, edge.apart) == (None, None, False)
    without = feltworks.analyze(UNDER, wager="jackpot")["jackpot"].edge
    assert "depends on the prize" in edge.note
    assert percent(without) in edge.note


# What decisions are worth.


@pytest.mark.parametrize(
    ("game", "cards", "given"),
    [
        ("one-for-the-money", "7h", {}),
        ("one-for-the-money", "Jd", {"traded": "4c"}),
        (UNDER, "AsKh", {"bands": "small,large"}),
        ("blackjack", "T6", {"dealer": "T"}),
        ("blackjack", "88", {"dealer": "A"}),
    ],
)
def test_the_worth_of_every_option_is_that_of_the_advice(game: str, cards: str, given: dict[str, Any]) -> None:
    found = answer(Worth(game, cards=cards, given=given), counts=True)
    assert isinstance(found, WorthTold)
    advice = feltworks.advise(game, cards, **given)
    assert (found.situation, found.best) == (advice.situation, advice.best)
    assert {each.option: Fraction(each.exact) for each in found.options} == dict(advice.options)
    assert {each.option: Fraction(each.costs) for each in found.options} == {
        name: advice.cost(name) for name in advice.options
    }
    assert {each.option for each in found.options if each.beside} == advice.beside & set(advice.options)


def test_the_known_worth_of_a_seven_is_told() -> None:
    found = answer(Worth("one-for-the-money", cards="7h"), counts=False)
    assert isinstance(found, WorthTold)
    assert {o.option: o.exact for o in found.options} == {
        "check": "-30912/48205",
        "raise": "-61824/48205",
        "trade": "-2601472/4965115",
    }


# Jackpots.


def jackpots(one: dict[str, Any], other: dict[str, Any]) -> JackpotsCompared:
    usual = {"game": UNDER, "wager": 100}
    found = answer(SameJackpot(JackpotSettings(**{**usual, **one}), JackpotSettings(**{**usual, **other})), counts=True)
    assert isinstance(found, JackpotsCompared), found
    assert found.same is not bool(found.differences)
    return found


def jackpot_return(**asked: Any) -> JackpotReturnTold:
    found = answer(JackpotReturned(UNDER, **asked), counts=True)
    assert isinstance(found, JackpotReturnTold), found
    return found


@pytest.mark.rule("D-20")
@pytest.mark.parametrize("option", ["1", "2", "3"])
@pytest.mark.parametrize("others", [0, 4])
def test_what_a_jackpot_gives_back_is_summed_from_its_lines_at_any_meter(option: str, others: int) -> None:
    """The second way: line by line, with envy for what each of the others makes."""
    found = jackpot_return(wager=500, pay={"jackpot": option}, others=others)
    envy = {"Royal flush": 100_000, "Straight flush": 30_000} if option == "3" else {}
    for meter in (0, 1_000_000, 123_456_789):
        back = sum(others * Fraction(line.chance) * envy.get(line.line, 0) for line in found.lines)
        for line in found.lines:
            pay = parse_pay(line.pays)
            assert isinstance(pay, MeterShare | Odds)
            cents = pay.of(Fraction(meter)) if isinstance(pay, MeterShare) else 500 * pay.returned
            back += Fraction(line.chance) * cents
        assert found.at(meter) == back / 500


@pytest.mark.rule("D-20")
def test_the_meter_at_which_a_jackpot_breaks_even_gives_back_the_whole_wager() -> None:
    found = jackpot_return(wager=100)
    even = Fraction(found.break_even or 0)
    below, above = found.at(int(even)), found.at(int(even) + 1)
    assert even > 0 and below <= 1 < above
    assert Fraction(jackpot_return(wager=500).break_even or 0) == 5 * even


@pytest.mark.rule("D-20")
def test_a_fuller_table_sees_each_line_more_often() -> None:
    alone, six = jackpot_return(wager=100), jackpot_return(wager=100, others=5)
    for one, many in zip(alone.lines, six.lines, strict=True):
        assert Fraction(one.rounds or 0) == 1 / Fraction(one.chance) == 6 * Fraction(many.rounds or 0)
    assert Fraction(alone.award_rounds or 0) == 6 * Fraction(six.award_rounds or 0)


@pytest.mark.rule("D-19")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {}),
        ({"pay": {"trips_or_better": "2"}}, {"readings": {"folded_bonus": "forfeits"}}),
        ({"readings": {"order_of_action": "together"}}, {"pay": {"bet": "400,50,10,3,3/2,1"}}),
    ],
)
def test_jackpots_are_the_same_where_nothing_differs_that_they_depend_on(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    found = jackpots(one, other)
    assert found.same
    assert all(line.chances[0] == line.chances[1] for line in found.lines)


@pytest.mark.rule("D-19")
@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"wager": 500}, "The wager is 1.00 and 5.00"),
        ({"readings": {"award_base": "before_round"}}, "The reading award_base is standing and before_round"),
        ({"readings": {"community_royal": "larger"}}, "The reading community_royal is printed and larger"),
        (
            {"pay": {"jackpot": "100 % of meter,5 % of meter,3000 for 1,250 for 1,100 for 1,9 for 1"}},
            "Full house pays 10 for 1 and 9 for 1",
        ),
    ],
)
def test_a_difference_of_two_jackpots_is_named(other: dict[str, Any], says: str) -> None:
    assert jackpots({}, other).differences == [says]


@pytest.mark.rule("D-19")
def test_jackpots_that_read_other_hands_name_their_lines_and_the_chance_of_each() -> None:
    found = jackpots({"pay": {"jackpot": "1"}}, {"pay": {"jackpot": "2"}})
    assert any(said.startswith("The lines are Player flops royal flush") for said in found.differences)
    by_line = {line.line: line for line in found.lines}
    for number, table in enumerate(("1", "2")):
        game = feltworks.load(UNDER, pay={"jackpot": table})
        for outcome in feltworks.analyze(game, wager="jackpot")["jackpot"].outcomes[:-1]:
            assert by_line[outcome.line].chances[number] == str(outcome.probability)
    assert by_line["Flush"].pays == [None, "40 for 1"]


@pytest.mark.slow
@pytest.mark.rule("D-19")
def test_jackpots_are_not_the_same_where_folded_hands_forfeit_and_another_bet_makes_other_hands_fold() -> None:
    forfeits = {"readings": {"folded_jackpot": "forfeits"}}
    found = jackpots(forfeits, {**forfeits, "pay": {"bet": "400,50,10,3,3/2,1"}})
    assert found.differences
    assert all(said.startswith("The chance of ") for said in found.differences)


# Mistakes.


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (Edges("pinball"), "There is no game 'pinball'; choose one of: blackjack,"),
        (Edges("yo", version="nevada"), "There is no version 'nevada'; choose one of: washington, rack-card."),
        (Edges("yo", decks=4), "Yo! is played without cards, so it has no number of decks."),
        (Edges("one-for-the-money", decks=0), "decks"),
        (Edges("one-for-the-money", decks=10**9), "decks"),
        (Edges("one-for-the-money", readings={"traded_card": "lost"}), "There is no value of traded_card 'lost'"),
        (Edges("one-for-the-money", pay={"three_card_bonus": "9,9,9,9,9"}), "5 pays are too many"),
        (Edges("one-for-the-money", pay={"three_card_bonus": "1e9,1"}), "A pay cannot be '1e9'"),
        (Edges("one-for-the-money", without=["base"]), "cannot be left out"),
        (Edges("one-for-the-money", wager="play"), "There is no wager 'play'"),
        (Edges(UNDER, decks=2, wager="base"), "is counted for the one deck of D-01, not for 2."),
        (Worth("one-for-the-money", cards="1x"), "is not a card; write the rank"),
        (Worth("one-for-the-money", cards="7h", given={"moon": "full"}), "knows no 'moon'"),
        (Worth("one-for-the-money", cards="7h", stakes={"base": "1e999999999"}), "is not a number of units for base"),
        (Worth("one-for-the-money", cards="7h", stakes={"base": "1/0"}), "is not a number of units for base"),
        (Worth("yo", cards="7h"), "has no decisions"),
        (SameJackpot(JackpotSettings("yo", wager=1), JackpotSettings("yo", wager=1)), "has no jackpot"),
        (JackpotReturned("yo", wager=100), "has no jackpot"),
        (JackpotReturned(UNDER, wager=0), "at least a cent"),
        (JackpotReturned(UNDER, wager=100, others=-1), "no fewer than no others"),
        (
            SameJackpot(JackpotSettings(UNDER, wager=1, without=["jackpot"]), JackpotSettings(UNDER, wager=1)),
            "has no jackpot",
        ),
    ],
)
def test_a_mistake_in_a_question_is_answered_with_a_sentence(question: Question, says: str) -> None:
    found: Answer = answer(question, counts=True)
    assert isinstance(found, Mistake), found
    assert says in found.why
