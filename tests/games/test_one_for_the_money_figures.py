"""The printed edges of One For The Money against exact ones, by brute force over the round itself.

Every two cards of the dealer are turned against each card of the seat, and the line that the round settles on is
counted in a pack of so many decks: nothing here uses the lab.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb

import pytest

from feltworks.games import load
from feltworks.kit.cards import SUITED_CARDS, SUITLESS_CARDS, Card
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, Choose, Close, Deal, Decide, Place, Turn
from tests.games.sitting import S1, betting_closed, settlements, verdict

GAME = load("one-for-the-money")
BONUSES = {"three_card_bonus": "three-card-bonus", "perfect_match": "perfect-match"}
NO_LINE = {"three_card_bonus": "No hand", "perfect_match": "No match"}
Lines = Mapping[tuple[Card, Card, Card], str]


@cache
def lines(bonus: str, ace_low: str = "yes") -> Lines:
    """The line that each card of clubs makes with each two cards of the dealer, as the round settles it."""
    game = GAME.configured(version=BONUSES[bonus], decks=8, readings={"ace_low_straight": ace_low})
    found = {}
    for card in SUITED_CARDS[:13]:
        round = betting_closed(game, {S1: {"ante": 1, bonus: 1}})
        round = round.after(DEALT).after(card).after(DEALT).after(DEALT).after(Decide(S1, "check"))
        for first in SUITED_CARDS:
            turned = round.after(first)
            for second in SUITED_CARDS[first.index :]:
                (line,) = (s.line for s in settlements([turned.after(second).effects]) if s.spot == bonus)
                found[card, first, second] = line
    return found


def ways(first: Card, second: Card, decks: int, *gone: Card) -> int:
    """In how many ways the dealer holds these two, when these cards are gone from a pack of so many decks."""
    if first is second:
        return comb(decks - gone.count(first), 2)
    return (decks - gone.count(first)) * (decks - gone.count(second))


@cache
def counts(bonus: str, decks: int, ace_low: str = "yes") -> Counter[str]:
    """How many hands of the seat's card and the dealer's two fall on each line."""
    found: Counter[str] = Counter()
    for (card, first, second), line in lines(bonus, ace_low).items():
        found[line] += 4 * decks * ways(first, second, decks, card)
    return found


def edge_uniform(bonus: str, decks: int, table: str, ace_low: str = "yes") -> Fraction:
    """The printed convention: the seat's card is any card."""
    found = counts(bonus, decks, ace_low)
    pays = GAME.configured(pay={bonus: table}).pay_table(bonus)
    paid = sum(pays.line(line).pay.net * n for line, n in found.items() if line != NO_LINE[bonus])  # type: ignore[union-attr]
    return (found[NO_LINE[bonus]] - paid) / Fraction(found.total())


def edge_when_trading(bonus: str, decks: int, table: str, traded_ranks: range) -> Fraction:
    """The edge for a seat that trades these ranks and keeps all others; a traded card is out."""
    pays = GAME.configured(pay={bonus: table}).pay_table(bonus)
    won = {key: line for key, line in lines(bonus).items() if line != NO_LINE[bonus]}
    value = Fraction(0)
    for (card, first, second), line in won.items():
        back = 1 + pays.line(line).pay.net  # type: ignore[union-attr]
        if card.rank not in traded_ranks:
            pairs = comb(52 * decks - 1, 2)
            value += Fraction(4 * decks * ways(first, second, decks, card), 52 * decks * pairs) * back
        for gone in SUITED_CARDS:
            if gone.rank in traded_ranks:
                # By the symmetry of suits the last card is one of clubs; there are four times as many.
                dealt = decks * 4 * (decks - (gone is card))
                pairs = comb(52 * decks - 2, 2)
                among = 52 * decks * (52 * decks - 1) * pairs
                value += Fraction(dealt * ways(first, second, decks, gone, card), among) * back
    return 1 - value


UNIFORM = {
    ("three_card_bonus", 6, "1"): Fraction(38058, 626665),
    ("three_card_bonus", 6, "2"): Fraction(4059, 125333),
    ("three_card_bonus", 8, "1"): Fraction(20158, 372255),
    ("three_card_bonus", 8, "2"): Fraction(679, 24817),
    ("perfect_match", 6, "1"): Fraction(3086, 48205),
    ("perfect_match", 8, "1"): Fraction(52, 1245),
}
PRINTED = {
    ("three_card_bonus", 6, "1"): ("6.07", "rounded"),
    ("three_card_bonus", 6, "2"): ("2.93", "not reproduced"),
    ("three_card_bonus", 8, "1"): ("5.41", "truncated"),
    ("three_card_bonus", 8, "2"): ("2.36", "not reproduced"),
    ("perfect_match", 6, "1"): ("6.40", "rounded"),
    ("perfect_match", 8, "1"): ("4.18", "rounded"),
}


@pytest.mark.rule("O-09")
def test_the_printed_edges_are_in_the_definition_as_printed() -> None:
    found = {(f.wager, f.decks, f.pay): f.printed for f in GAME.definition.published}
    assert found == {case: printed for case, (printed, _) in PRINTED.items()}
    assert len(GAME.definition.published) == 6
    for figure in GAME.definition.published:
        assert figure.version == BONUSES[figure.wager]
        assert figure.convention == "uniform"
        assert figure.source == "004, edge page"
    for bonus in BONUSES:
        assert GAME.definition.wagers[bonus].conventions == {"uniform": "check"}


@pytest.mark.rule("O-09", "O-07", "O-08")
@pytest.mark.parametrize(("bonus", "decks", "table"), UNIFORM)
def test_the_edge_for_a_uniformly_random_card(bonus: str, decks: int, table: str) -> None:
    exact = edge_uniform(bonus, decks, table)
    assert exact == UNIFORM[bonus, decks, table]
    printed, expected = PRINTED[bonus, decks, table]
    assert verdict(exact, printed) == expected


@pytest.mark.rule("O-07")
@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize(("ace_low", "runs"), [("yes", 12), ("no", 11)])
def test_the_hands_of_3_card_bonus_are_as_many_as_they_should_be(decks: int, ace_low: str, runs: int) -> None:
    """Three cards without order, counted by formula; the round counts each hand once for each card in it."""
    straight_flushes = runs * 4 * decks**3
    suited_trips = 52 * comb(decks, 3)
    hands = {
        "Straight flush": straight_flushes,
        "Three of a kind": 13 * comb(4 * decks, 3),
        "Straight": runs * (4 * decks) ** 3 - straight_flushes,
        "Flush": 4 * comb(13 * decks, 3) - straight_flushes - suited_trips,
    }
    hands["No hand"] = comb(52 * decks, 3) - sum(hands.values())
    assert counts("three_card_bonus", decks, ace_low) == {line: 3 * n for line, n in hands.items()}


@pytest.mark.rule("O-07")
def test_the_printed_figures_settle_that_an_ace_may_be_low() -> None:
    for decks, printed in ((6, "6.07"), (8, "5.41")):
        assert verdict(edge_uniform("three_card_bonus", decks, "1", "yes"), printed) != "not reproduced"
        assert verdict(edge_uniform("three_card_bonus", decks, "1", "no"), printed) == "not reproduced"


@pytest.mark.rule("O-08")
@pytest.mark.parametrize("decks", [6, 8])
def test_the_matches_of_perfect_match_are_as_many_as_they_should_be(decks: int) -> None:
    twins, cousins = decks - 1, 3 * decks
    others = 52 * decks - 1 - twins - cousins
    assert counts("perfect_match", decks) == {
        line: 52 * decks * n
        for line, n in {
            "Suited three of a kind": comb(twins, 2),
            "Three of a kind": comb(cousins, 2) + twins * cousins,
            "Matches a dealer card, suited": twins * others,
            "Matches a dealer card, unsuited": cousins * others,
            "No match": comb(others, 2),
        }.items()
    }


@pytest.mark.rule("O-07", "O-08")
@pytest.mark.parametrize("bonus", BONUSES)
def test_the_suit_of_the_seats_card_does_not_matter(bonus: str) -> None:
    """What was counted for clubs holds for every suit: a sample of hands with the suits exchanged."""
    game = GAME.configured(version=BONUSES[bonus], decks=8)
    for suits in ("dhsc", "hscd", "scdh"):
        new = dict(zip("cdhs", suits, strict=True))
        for (card, first, second), line in list(lines(bonus).items())[::97]:
            round = betting_closed(game, {S1: {"ante": 1, bonus: 1}})
            round = round.after(DEALT).after(exchanged(card, new)).after(DEALT).after(DEALT)
            round = (
                round.after(Decide(S1, "check")).after(exchanged(second, new)).after(exchanged(first, new))
            )
            assert [s.line for s in settlements([round.effects]) if s.spot == bonus] == [line]


def exchanged(card: Card, suits: Mapping[str, str]) -> Card:
    assert card.suit is not None
    return Card(card.text[0] + suits[card.suit])


# The base game: its exact value, and what its best play does to the bonus wagers.


def value(round: Round) -> Fraction:
    """The net result of the best play from here on, by walking the round through every card and choice."""
    net = sum((s.net() for s in settlements([round.effects])), Fraction(0))
    match round.next:
        case None:
            return net
        case Deal():
            return net + value(round.after(DEALT))
        case Choose():
            return net + max(choices(round).values())
        case Turn():
            assert round.unseen is not None
            cards = round.unseen.chances(None, {}).items()
            return net + sum(n * value(round.after(card)) for card, n in cards) / Fraction(round.unseen.total)
    raise AssertionError(round.next)


def choices(round: Round) -> dict[str, Fraction]:
    """What each option is worth."""
    assert isinstance(round.next, Choose)
    return {option.name: value(round.after(Decide(S1, option.name))) for option in round.next.options}


@cache
def base_values(decks: int) -> dict[int, dict[str, Fraction]]:
    """What each option is worth with each rank. Suits do not matter to the base game, so ranks alone are dealt."""
    game = GAME.configured(decks=decks)
    fresh = game.fresh()
    assert fresh is not None
    start = game.start(unseen=fresh.suitless).after(Place(S1, "ante", Fraction(1))).after(Close())
    return {
        card.rank: choices(start.after(DEALT).after(card).after(DEALT).after(DEALT))
        for card in SUITLESS_CARDS
    }


def even_money(rank: int, decks: int, *gone: int) -> Fraction:
    """Chance to beat the better of two cards less the chance to be beaten, when these ranks are gone."""
    below = sum(4 * decks - gone.count(r) for r in range(2, rank))
    level = 4 * decks - gone.count(rank)
    pairs = comb(52 * decks - len(gone), 2)
    return Fraction(comb(below, 2) + comb(below + level, 2), pairs) - 1


@pytest.mark.rule("O-04", "O-05", "O-06", "O-09")
@pytest.mark.parametrize(
    ("decks", "edge", "percent"),
    [
        pytest.param(6, Fraction(148538, 3885323), "3.8231", id="6 decks"),
        pytest.param(8, Fraction(0), "3.8655", id="8 decks", marks=pytest.mark.slow),
    ],
)
def test_the_base_game_is_worth_what_a_formula_of_its_own_says(
    decks: int, edge: Fraction, percent: str
) -> None:
    for rank, values in base_values(decks).items():
        stay = even_money(rank, decks, rank)
        traded = sum(
            (4 * decks - (new == rank)) * max(2 * (e := even_money(new, decks, rank, new)), 3 * e)
            for new in range(2, 15)
        ) / Fraction(52 * decks - 1)
        assert values == {"check": stay, "raise": 2 * stay, "trade": traded}
    exact = -sum(max(values.values()) for values in base_values(decks).values()) / 13
    assert exact == edge
    assert verdict(exact, percent) == "rounded"


@pytest.mark.rule("O-09")
def test_the_best_play_trades_up_to_the_seven_and_raises_from_the_jack() -> None:
    best = {rank: max(values, key=values.__getitem__) for rank, values in base_values(6).items()}
    assert best == {r: "trade" if r <= 7 else "check" if r <= 10 else "raise" for r in range(2, 15)}


@pytest.mark.rule("O-09")
@pytest.mark.parametrize(
    ("bonus", "decks", "table", "edge"),
    [
        ("three_card_bonus", 6, "1", Fraction(0)),
        ("three_card_bonus", 6, "2", Fraction(0)),
        ("three_card_bonus", 8, "1", Fraction(0)),
        ("three_card_bonus", 8, "2", Fraction(0)),
        ("perfect_match", 6, "1", Fraction(0)),
        ("perfect_match", 8, "1", Fraction(0)),
    ],
)
def test_the_edge_under_the_best_play_of_the_base_game_is_another(
    bonus: str, decks: int, table: str, edge: Fraction
) -> None:
    exact = edge_when_trading(bonus, decks, table, traded_ranks=range(2, 8))
    assert exact == edge != UNIFORM[bonus, decks, table]


@pytest.mark.rule("O-09")
@pytest.mark.parametrize("traded_ranks", [range(0), range(2, 15)])
def test_a_seat_that_never_or_always_trades_has_a_uniformly_random_card(traded_ranks: range) -> None:
    exact = edge_when_trading("three_card_bonus", 6, "1", traded_ranks)
    assert exact == UNIFORM["three_card_bonus", 6, "1"]
