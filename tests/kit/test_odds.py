"""Pays are exact, and their text says the same thing in both directions."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.kit.errors import BadOdds
from feltworks.kit.odds import LARGEST, PUSH, Amount, MeterShare, Odds, Pay, parse_pay, parse_typed_odds

numbers = st.integers(1, LARGEST)
odds = st.builds(Odds, st.sampled_from(["to", "for"]), numbers, numbers) | st.just(PUSH)
shares = st.builds(MeterShare, st.integers(1, 1_000_000).map(lambda n: Fraction(n, 10_000)))
amounts = st.builds(Amount, st.integers(1, 100 * LARGEST + 99))
pays: st.SearchStrategy[Pay] = odds | shares | amounts

FULL_FORMS = '"3 to 2", "3 for 2", "push", "5 % of meter" or "$1,000", with numbers from 1 to 999,999,999.'


@pytest.mark.parametrize(
    ("text", "net", "returned"),
    [
        ("3 to 2", Fraction(3, 2), Fraction(5, 2)),
        ("3 for 2", Fraction(1, 2), Fraction(3, 2)),
        ("6 to 5", Fraction(6, 5), Fraction(11, 5)),
        ("1 to 1", Fraction(1), Fraction(2)),
        ("1 for 1", Fraction(0), Fraction(1)),
        ("1 for 2", Fraction(-1, 2), Fraction(1, 2)),
        ("3,000 for 1", Fraction(2999), Fraction(3000)),
        ("push", Fraction(0), Fraction(1)),
    ],
)
def test_odds_win_and_return_exactly(text: str, net: Fraction, returned: Fraction) -> None:
    pay = parse_pay(text)
    assert isinstance(pay, Odds)
    assert (pay.net, pay.returned) == (net, returned)


@given(odds)
def test_what_comes_back_is_the_stake_and_the_net_win(pay: Odds) -> None:
    assert pay.returned == 1 + pay.net


def test_odds_stay_as_printed() -> None:
    assert parse_pay("6 to 4") == Odds("to", 6, 4) != Odds("to", 3, 2)
    assert str(Odds("to", 6, 4)) == "6 to 4"


def test_equal_pays_are_one_key() -> None:
    assert len({PUSH, parse_pay("Push"), Odds("push", 0, 1)}) == 1
    assert len({parse_pay("3 to 2"), parse_pay("3 for 2"), parse_pay("6 to 4")}) == 3
    assert parse_pay("1 for 1") != PUSH


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  3  TO 2 ", "3 to 2"),
        ("3to2", "3 to 2"),
        ("3000 For 1", "3,000 for 1"),
        ("1,000,000 to 1", "1,000,000 to 1"),
        ("999999999 to 999,999,999", "999,999,999 to 999,999,999"),
        ("PUSH", "push"),
        ("5% of meter", "5 % of meter"),
        ("100 %  of Meter", "100 % of meter"),
        ("2.50 % of meter", "2.5 % of meter"),
        ("0.0001 % of meter", "0.0001 % of meter"),
        ("$1000", "$1,000"),
        ("$ 1,000.00", "$1,000"),
        ("$0.50", "$0.50"),
        ("$0.01", "$0.01"),
        ("$12,345.60", "$12,345.60"),
        ("$999,999,999.99", "$999,999,999.99"),
    ],
)
def test_text_is_read_freely_and_printed_one_way(text: str, canonical: str) -> None:
    assert str(parse_pay(text)) == canonical


@given(pays)
def test_every_pay_survives_its_own_text(pay: Pay) -> None:
    assert parse_pay(str(pay)) == pay
    assert parse_typed_odds(str(pay)) == pay


@given(pays)
def test_case_and_commas_do_not_matter(pay: Pay) -> None:
    assert parse_pay(str(pay).upper().replace(",", "")) == pay


@given(st.text() | st.text("0123456789 ,.:/$%-tofrpushme", max_size=16))
def test_any_text_is_a_pay_or_bad_odds(text: str) -> None:
    for parse in (parse_pay, parse_typed_odds):
        try:
            pay = parse(text)
        except BadOdds:
            continue
        assert parse_pay(str(pay)) == pay


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "3/2",
        "0",
        "3 to",
        "to 2",
        "3 to 0",
        "0 for 1",
        "-3 to 2",
        "3 to -2",
        "1.5 to 1",
        "03 to 2",
        "3 0 to 2",
        "1,50 to 1",
        "1000,000 to 1",
        "1000000000 to 1",
        "1 for 1,000,000,000",
        "٣ to 2",
        "0:1",
        "3 to 2 to 1",
        "pushes",
        "5 %",
        "5 of meter",
        "-5 % of meter",
        "1000 % of meter",
        "2.00001 % of meter",
        "1000",
        "$",
        "-$5",
        "$-5",
        "$1.5",
        "$.50",
        "$1,00",
        "$1000000000",
        "lose",
    ],
)
def test_anything_else_is_refused_with_the_allowed_forms(text: str) -> None:
    with pytest.raises(BadOdds) as refusal:
        parse_pay(text)
    assert str(refusal.value) == f"A pay cannot be {text!r}; write it like {FULL_FORMS}"


def test_a_refusal_stays_short_whatever_it_was_given() -> None:
    with pytest.raises(BadOdds) as refusal:
        parse_pay("9" * 100_000)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("parse", [parse_pay, parse_typed_odds])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3:2", "Write \"3 to 2\" instead of '3:2'."),
        ("1,000 : 1", "Write \"1,000 to 1\" instead of '1,000 : 1'."),
        ("0 to 1", "Write \"push\" instead of '0 to 1'."),
        ("0 % of meter", "A share of the meter is over 0 % and at most 100 %, with at most 4 decimals."),
        ("100.5 % of meter", "A share of the meter is over 0 % and at most 100 %, with at most 4 decimals."),
        ("$0", "An amount is from $0.01 to $999,999,999.99."),
        ("$0.00", "An amount is from $0.01 to $999,999,999.99."),
    ],
)
def test_a_near_miss_is_told_what_to_write(parse: Callable[[str], Pay], text: str, sentence: str) -> None:
    with pytest.raises(BadOdds) as refusal:
        parse(text)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("kind", "win", "per"),
    [
        ("to", 0, 1),
        ("for", 0, 1),
        ("to", 1, 0),
        ("to", -1, 1),
        ("for", 1, -1),
        ("to", LARGEST + 1, 1),
        ("for", 1, LARGEST + 1),
        ("push", 1, 1),
        ("push", 0, 2),
        ("at", 3, 2),
    ],
)
def test_odds_that_could_not_be_printed_cannot_be_made(kind: str, win: int, per: int) -> None:
    with pytest.raises(BadOdds) as refusal:
        Odds(kind, win, per)  # type: ignore[arg-type]
    assert str(refusal.value) == ('Odds are two numbers from 1 to 999,999,999 joined by "to" or "for", or a push.')


@pytest.mark.parametrize("percent", [Fraction(0), Fraction(-1), Fraction(1001, 10), Fraction(1, 3)])
def test_a_meter_share_is_a_printable_part_of_the_meter(percent: Fraction) -> None:
    with pytest.raises(BadOdds, match="over 0 % and at most 100 %, with at most 4 decimals"):
        MeterShare(percent)


@pytest.mark.parametrize("cents", [0, -1, 100 * LARGEST + 100])
def test_an_amount_has_limits(cents: int) -> None:
    with pytest.raises(BadOdds, match=r"from \$0\.01 to \$999,999,999\.99"):
        Amount(cents)


@pytest.mark.parametrize(
    ("percent", "meter", "award"),
    [
        (Fraction(100), 12_345, Fraction(12_345)),
        (Fraction(5), 12_345, Fraction(12_345, 20)),
        (Fraction(5, 2), Fraction(1, 3), Fraction(1, 120)),
    ],
)
def test_a_meter_share_is_exact(percent: Fraction, meter: Fraction | int, award: Fraction) -> None:
    assert MeterShare(percent).of(meter) == award


@pytest.mark.parametrize(
    ("text", "pay"),
    [
        ("30", Odds("to", 30, 1)),
        (" 30 ", Odds("to", 30, 1)),
        ("1000", Odds("to", 1000, 1)),
        ("3/2", Odds("to", 3, 2)),
        ("6 / 4", Odds("to", 6, 4)),
        ("0", PUSH),
        ("push", PUSH),
        ("3 for 2", Odds("for", 3, 2)),
        ("5 % of meter", MeterShare(Fraction(5))),
        ("$50", Amount(5000)),
    ],
)
def test_the_short_form_of_the_command_line(text: str, pay: Pay) -> None:
    assert parse_typed_odds(text) == pay


@pytest.mark.parametrize("text", ["", "-1", "1.5", "00", "000", "0/1", "3/0", "3/2/1", "1000000000", "x"])
def test_a_bad_short_form_is_refused_with_all_forms(text: str) -> None:
    with pytest.raises(BadOdds) as refusal:
        parse_typed_odds(text)
    assert str(refusal.value) == (
        f'A pay cannot be {text!r}; write it like "30" (30 to 1), "3/2" (3 to 2), "0" (push), {FULL_FORMS}'
    )
