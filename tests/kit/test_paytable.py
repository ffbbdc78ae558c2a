"""A pay table keeps its lines in order, and a custom one keeps their names."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.kit.errors import BadDefinition, BadOdds, UnknownName
from feltworks.kit.odds import PUSH, Odds, parse_pay
from feltworks.kit.paytable import Line, PayTable

SPREADS = ("Triple match", "One card spread", "Two card spread", "Three card spread", "All other spreads")


def spreads(name: str, *pays: str) -> PayTable:
    return PayTable.from_mapping(name, dict(zip(SPREADS, pays, strict=True)))


A = spreads("A", "30 to 1", "12 to 1", "6 to 1", "4 to 1", "1 to 1")
D = spreads("D", "40 to 1", "10 to 1", "5 to 1", "3 to 1", "1 to 1")
BET = PayTable.from_mapping(
    "bet",
    {
        "Royal flush": "500 to 1",
        "Straight flush": "50 to 1",
        "Four of a kind": "10 to 1",
        "Full house": "3 to 1",
        "Flush": "3 to 2",
        "Straight": "1 to 1",
        "All other": "push",
    },
)


def test_lines_come_from_the_top() -> None:
    assert A.names == SPREADS
    assert [line.name for line in A] == list(SPREADS)
    assert A.lines[0] == Line("Triple match", Odds("to", 30, 1))


def test_a_line_is_found_by_its_name() -> None:
    assert A.line("Two card spread") == Line("Two card spread", Odds("to", 6, 1))
    assert A.pay("Two card spread") == Odds("to", 6, 1)


@pytest.mark.parametrize("find", [A.line, A.pay])
def test_an_unknown_line_is_told_the_names_there_are(find: Callable[[str], object]) -> None:
    with pytest.raises(UnknownName) as refusal:
        find("Four card spread")
    assert str(refusal.value) == (
        "There is no line 'Four card spread'; choose one of: Triple match, One card spread, Two card spread, "
        "Three card spread, All other spreads."
    )


def test_equal_tables_are_equal_and_one_key() -> None:
    again = spreads("A", "30 to 1", "12 to 1", "6 to 1", "4 to 1", "1 to 1")
    assert again == A
    assert len({A, again, D}) == 2


def test_a_line_may_be_named_only_once() -> None:
    with pytest.raises(BadDefinition) as refusal:
        PayTable("B", (Line("Flush", PUSH), Line("Pair", PUSH), Line("Flush", Odds("to", 5, 1))))
    assert str(refusal.value) == "Pay table 'B' may name each line only once: Flush."


def test_bad_odds_in_a_definition_name_their_line() -> None:
    with pytest.raises(BadOdds) as refusal:
        PayTable.from_mapping("B", {"Flush": "5 to 1", "Pair": "1:1"})
    assert str(refusal.value) == "Pay table 'B', line 'Pair': Write \"1 to 1\" instead of '1:1'."


@pytest.mark.parametrize(
    ("table", "short", "pays"),
    [
        (A, "30,12,6,4,1", ["30 to 1", "12 to 1", "6 to 1", "4 to 1", "1 to 1"]),
        (A, " 40, 10 ,5", ["40 to 1", "10 to 1", "5 to 1", "push", "push"]),
        (A, "0,3/2,0", ["push", "3 to 2", "push", "push", "push"]),
        (A, "9 for 1,$50,5 % of meter", ["9 for 1", "$50", "5 % of meter", "push", "push"]),
        (BET, "500,50,10,3,3/2,1", [str(line.pay) for line in BET]),
    ],
)
def test_a_custom_table_keeps_the_names_and_the_rest_pushes(table: PayTable, short: str, pays: list[str]) -> None:
    custom = table.with_typed_odds(short)
    assert custom.name == "custom"
    assert custom.names == table.names
    assert [str(line.pay) for line in custom] == pays


def test_a_custom_table_may_have_a_name_and_leaves_the_listed_one_alone() -> None:
    assert A.with_typed_odds("1", name="mine").name == "mine"
    assert A.pay("Triple match") == Odds("to", 30, 1)


def test_more_pays_than_lines_are_refused() -> None:
    with pytest.raises(BadOdds) as refusal:
        A.with_typed_odds("1,2,3,4,5,6")
    assert str(refusal.value) == (
        "6 pays are too many for the 5-line pay table 'A': Triple match, One card spread, Two card spread, "
        "Three card spread, All other spreads."
    )


@pytest.mark.parametrize(("short", "wrong"), [("", "''"), ("30,,6", "''"), ("30,", "''"), ("30,x", "'x'")])
def test_a_bad_item_in_a_custom_table_is_refused(short: str, wrong: str) -> None:
    with pytest.raises(BadOdds, match=f'^A pay cannot be {wrong}; write it like "30"'):
        A.with_typed_odds(short)


def test_thousands_commas_cannot_be_taken_for_a_push() -> None:
    with pytest.raises(BadOdds, match=r"^A pay cannot be '000'"):
        A.with_typed_odds("$1,000")


def test_differences_are_sentences() -> None:
    assert D.differences(A) == [
        "Triple match pays 40 to 1 instead of 30 to 1",
        "One card spread pays 10 to 1 instead of 12 to 1",
        "Two card spread pays 5 to 1 instead of 6 to 1",
        "Three card spread pays 3 to 1 instead of 4 to 1",
    ]


def test_a_push_is_worded_as_one() -> None:
    custom = A.with_typed_odds("30,12,6,4")
    assert custom.differences(A) == ["All other spreads pushes instead of paying 1 to 1"]
    assert A.differences(custom) == ["All other spreads pays 1 to 1 instead of pushing"]


def test_the_name_of_a_table_is_no_difference() -> None:
    assert A.with_typed_odds("30,12,6,4,1", name="mine").differences(A) == []


def test_lines_that_come_go_or_move_are_differences() -> None:
    old = PayTable.from_mapping("old", {"Flush": "5 to 1", "Pair": "1 to 1", "Other": "push"})
    new = PayTable.from_mapping("new", {"Pair": "1 to 1", "Straight": "6 to 1", "Flush": "5 to 1"})
    assert new.differences(old) == [
        "Straight is added and pays 6 to 1",
        "Other is left out",
        "The lines are in another order: Pair, Straight, Flush",
    ]


@given(st.lists(st.sampled_from(["30", "3/2", "0", "9 for 1", "$0.50", "5 % of meter"]), min_size=1, max_size=7))
def test_tables_differ_exactly_when_a_line_pays_otherwise(items: list[str]) -> None:
    custom = BET.with_typed_odds(",".join(items))
    changed = [line.name for line in BET if line.pay != custom.pay(line.name)]
    assert len(custom.differences(BET)) == len(changed)
    assert PayTable.from_mapping("custom", {line.name: str(line.pay) for line in custom}) == custom
    assert all(parse_pay(str(line.pay)) == line.pay for line in custom)


def test_all_doubled_lines_are_named() -> None:
    lines = tuple(Line(name, PUSH) for name in ("Pair", "Flush", "Pair", "Flush"))
    with pytest.raises(BadDefinition, match=r"'1' may name each line only once: Pair, Flush\."):
        PayTable("1", lines)
