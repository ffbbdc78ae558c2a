"""The options of a table, and what is refused."""

import pytest

from feltworks.games.blackjack.enumerator.hands import all_hands, cards_of, is_natural, parse_ranks, total
from feltworks.games.blackjack.options import ALLOWED, Options
from feltworks.kit.errors import BadCard, BadValue, UnknownName


@pytest.mark.rule("B-01")
def test_the_first_of_each_option_is_the_default() -> None:
    options = Options()
    assert options.decks == 6
    assert all(getattr(options, name) == allowed[0] for name, allowed in ALLOWED.items())


@pytest.mark.rule("B-01")
@pytest.mark.parametrize("name", ALLOWED)
def test_an_unknown_option_is_refused_with_what_is_allowed(name: str) -> None:
    with pytest.raises(UnknownName, match=ALLOWED[name][0]):
        Options(**{name: "maybe"})  # type: ignore[arg-type]


@pytest.mark.rule("B-01")
@pytest.mark.parametrize("decks", [0, 9, -1])
def test_other_numbers_of_decks_are_refused(decks: int) -> None:
    with pytest.raises(BadValue, match="1 to 8 decks"):
        Options(decks=decks)


@pytest.mark.rule("B-02")
@pytest.mark.parametrize(
    ("text", "points", "natural"),
    [("AT", 21, True), ("AK", 21, True), ("A5", 16, False), ("A5T", 16, False), ("AA", 12, False), ("777", 21, False)],
)
def test_aces_count_one_or_eleven_and_faces_ten(text: str, points: int, natural: bool) -> None:
    cards = cards_of(parse_ranks(text))
    assert total(cards) == points
    assert is_natural(cards) == natural


@pytest.mark.rule("B-04")
def test_there_are_3072_hands_of_two_cards_or_more() -> None:
    hands = all_hands()
    assert len(hands) == 3082
    assert (hands.size >= 2).sum() == 3072
    assert all((row[row >= 0] > hand).all() for hand, row in enumerate(hands.after))


@pytest.mark.rule("B-04")
def test_doubling_goes_by_the_hard_total() -> None:
    assert Options(double="any").may_double(17, False)
    assert Options(double="9-11").may_double(9, False) and not Options(double="9-11").may_double(9, True)
    assert Options(double="10-11").may_double(11, False) and not Options(double="10-11").may_double(9, False)


def test_a_letter_that_is_no_card_is_refused() -> None:
    with pytest.raises(BadCard, match="write A, 2 to 9"):
        parse_ranks("8X")
