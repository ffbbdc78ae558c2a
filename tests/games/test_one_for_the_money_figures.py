"""The printed edges of One For The Money against exact ones, by brute force over the round itself.

Every two cards of the dealer are turned against each card of the seat, and the line on which the round
settles is counted in a pack of so many decks. The lab has no part in it; at the end it must say the same.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb

import pytest

from feltworks.games import load
from feltworks.kit.cards import SUITED_CARDS, SUITLESS_CARDS, Card
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, Choose, Close, Deal, Decide, Place, Turn
from tests.games.sitting import S1, betting_closed, settlements, verdict
from tests.lab.analysed import analysed
from tests.quick import cases

GAME = load("one-for-the-money")
BONUSES = {"three_card_bonus": "three-card-bonus", "perfect_match": "perfect-match"}
NO_LINE = {"three_card_bonus": "No hand", "perfect_match": "No match"}
Lines = Mapping[tuple[Card, Card, Card], str]


@cache
def checked(bonus: str, card: Card, ace_low: str) -> Round:
    """The seat has checked with this card, and the dealer is about to turn."""
    game = GAME.configured(version=BONUSES[bonus], decks=8, readings={"ace_low_straight": ace_low})
    round = betting_closed(game, {S1: {"ante": 1, bonus: 1}})
    return round.after(DEALT).after(card).after(DEALT).after(DEALT).after(Decide(S1, "check"))


def bonus_line(bonus: str, round: Round) -> str:
    (line,) = (s.line for s in settlements([round.effects]) if s.spot == bonus)
    return line


@cache
def lines(bonus: str, ace_low: str) -> Lines:
    """The line that each card of clubs makes with each two cards of the dealer, as the round settles it."""
    found = {}
    for card in SUITED_CARDS[:13]:
        for first in SUITED_CARDS:
            turned = checked(bonus, card, ace_low).after(first)
            for second in SUITED_CARDS[first.index :]:
                found[card, first, second] = bonus_line(bonus, turned.after(second))
    return found


def ways(first: Card, second: Card, decks: int, *gone: Card) -> int:
    """In how many ways the dealer holds these two, when these cards are gone from a pack of so many decks."""
    if first is second:
        return comb(decks - gone.count(first), 2)
    return (decks - gone.count(first)) * (decks - gone.count(second))


@cache
def counts(bonus: str, decks: int, ace_low: str) -> Counter[str]:
    """How many hands of the seat's card and the dealer's two fall on each line."""
    found: Counter[str] = Counter()
    for (card, first, second), line in lines(bonus, ace_low).items():
        found[line] += 4 * decks * ways(first, second, decks, card)
    return found


def returned(bonus: str, table: str) -> dict[str, Fraction]:
    """What comes back on each line, the stake included."""
    pays = {line.name: line.pay for line in GAME.configured(pay={bonus: table}).pay_table(bonus)}
    return {line: pay.returned for line, pay in pays.items() if isinstance(pay, Odds)}


def edge_uniform(bonus: str, decks: int, table: str, ace_low: str = "yes") -> Fraction:
    """The printed convention: the seat's card is any card."""
    found = counts(bonus, decks, ace_low)
    back = sum((found[line] * per_unit for line, per_unit in returned(bonus, table).items()), Fraction(0))
    return 1 - back / found.total()


def edge_when_trading(bonus: str, decks: int, table: str, traded_ranks: range) -> Fraction:
    """The edge for a seat that trades these ranks and keeps all others; a traded card is out."""
    backs = returned(bonus, table)
    gone = [card for card in SUITED_CARDS if card.rank in traded_ranks]
    kept, traded = Fraction(0), Fraction(0)
    for (card, first, second), line in lines(bonus, "yes").items():
        if line not in backs:
            continue
        # The last card is one of clubs here; by the symmetry of suits there are four times as many.
        if card.rank not in traded_ranks:
            kept += 4 * decks * ways(first, second, decks, card) * backs[line]
        for old in gone:
            left = decks - (old is card)
            traded += 4 * decks * left * ways(first, second, decks, old, card) * backs[line]
    pack = 52 * decks
    return 1 - kept / (pack * comb(pack - 1, 2)) - traded / (pack * (pack - 1) * comb(pack - 2, 2))


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
@pytest.mark.parametrize(
    ("bonus", "decks", "table"),
    [pytest.param(*case, marks=[] if case[0] == "three_card_bonus" else pytest.mark.slow) for case in UNIFORM],
)
def test_the_edge_for_a_uniformly_random_card(bonus: str, decks: int, table: str) -> None:
    exact = edge_uniform(bonus, decks, table)
    assert exact == UNIFORM[bonus, decks, table]
    printed, expected = PRINTED[bonus, decks, table]
    assert verdict(exact, printed) == expected


@pytest.mark.rule("O-07")
@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize(("ace_low", "runs"), [("yes", 12), pytest.param("no", 11, marks=pytest.mark.slow)])
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


@pytest.mark.slow
@pytest.mark.rule("O-07")
def test_the_printed_figures_settle_that_an_ace_may_be_low() -> None:
    for decks, printed in ((6, "6.07"), (8, "5.41")):
        assert verdict(edge_uniform("three_card_bonus", decks, "1", "yes"), printed) != "not reproduced"
        assert verdict(edge_uniform("three_card_bonus", decks, "1", "no"), printed) == "not reproduced"


@pytest.mark.slow
@pytest.mark.rule("O-08")
@pytest.mark.parametrize("decks", [6, 8])
def test_the_matches_of_perfect_match_are_as_many_as_they_should_be(decks: int) -> None:
    twins, cousins = decks - 1, 3 * decks
    others = 52 * decks - 1 - twins - cousins
    assert counts("perfect_match", decks, "yes") == {
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
@pytest.mark.parametrize("bonus", cases(BONUSES, quick=["three_card_bonus"]))
def test_the_suit_of_the_seats_card_does_not_matter(bonus: str) -> None:
    """What was counted for clubs holds for every suit: a sample of hands with the suits exchanged."""
    for suits in ("dhsc", "hscd", "scdh"):
        new = dict(zip("cdhs", suits, strict=True))
        for (card, first, second), line in list(lines(bonus, "yes").items())[::97]:
            round = checked(bonus, exchanged(card, new), "yes").after(exchanged(second, new))
            assert bonus_line(bonus, round.after(exchanged(first, new))) == line


def exchanged(card: Card, suits: Mapping[str, str]) -> Card:
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


def even_money(rank: int, decks: int, *gone: int) -> Fraction:
    """Chance to beat the better of two cards less the chance to be beaten, when these ranks are gone."""
    below = sum(4 * decks - gone.count(r) for r in range(2, rank))
    level = 4 * decks - gone.count(rank)
    pairs = comb(52 * decks - len(gone), 2)
    return Fraction(comb(below, 2) + comb(below + level, 2), pairs) - 1


def by_formula(rank: int, decks: int) -> dict[str, Fraction]:
    """What each option is worth with a card of this rank."""
    stay = even_money(rank, decks, rank)
    traded = Fraction(0)
    for new in range(2, 15):
        one = even_money(new, decks, rank, new)
        traded += (4 * decks - (new == rank)) * max(2 * one, 3 * one)
    return {"check": stay, "raise": 2 * stay, "trade": traded / (52 * decks - 1)}


EVERY = [(card, decks) for decks in (6, 8) for card in SUITLESS_CARDS]
SOME = [(Card("T"), 8), (Card("J"), 6)]


@pytest.mark.rule("O-04", "O-05", "O-06", "O-09")
@pytest.mark.parametrize(
    ("card", "decks"),
    [pytest.param(*case, marks=[] if case in SOME else pytest.mark.slow) for case in EVERY],
)
def test_the_base_game_is_worth_what_a_formula_of_its_own_says(card: Card, decks: int) -> None:
    """Suits do not matter to the base game, so ranks alone are dealt."""
    game = GAME.configured(decks=decks)
    fresh = game.fresh()
    assert fresh is not None
    start = game.start(unseen=fresh.suitless).after(Place(S1, "ante", Fraction(1))).after(Close())
    round = start.after(DEALT).after(card).after(DEALT).after(DEALT)
    assert choices(round) == by_formula(card.rank, decks)


@pytest.mark.rule("O-09")
@pytest.mark.parametrize(
    ("decks", "edge", "percent"),
    [(6, Fraction(493536, 12909299), "3.8231"), (8, Fraction(5942912, 153741315), "3.8655")],
)
def test_the_best_play_trades_up_to_the_seven_and_raises_from_the_jack(
    decks: int, edge: Fraction, percent: str
) -> None:
    values = {rank: by_formula(rank, decks) for rank in range(2, 15)}
    best = {rank: max(value, key=value.__getitem__) for rank, value in values.items()}
    assert best == {rank: "trade" if rank <= 7 else "check" if rank <= 10 else "raise" for rank in best}
    assert -sum(max(value.values()) for value in values.values()) / 13 == edge
    assert verdict(edge, percent) == "rounded"


@pytest.mark.rule("O-09")
@pytest.mark.parametrize(
    ("decks", "table", "edge"),
    [
        (6, "1", Fraction(4207974, 64546495)),
        (6, "2", Fraction(461277, 12909299)),
        (8, "1", Fraction(27023762, 461223945)),
        (8, "2", Fraction(943681, 30748263)),
    ],
)
def test_the_best_play_of_the_base_game_makes_3_card_bonus_dearer(decks: int, table: str, edge: Fraction) -> None:
    """Twos, kings and aces are in two straights, all others in three; the play keeps kings and aces."""
    exact = edge_when_trading("three_card_bonus", decks, table, traded_ranks=range(2, 8))
    assert exact == edge > UNIFORM["three_card_bonus", decks, table]


@pytest.mark.slow
@pytest.mark.rule("O-09")
@pytest.mark.parametrize("decks", [6, 8])
def test_no_play_changes_perfect_match_because_no_card_matches_better(decks: int) -> None:
    for traded_ranks in (range(2, 8), range(9, 12)):
        exact = edge_when_trading("perfect_match", decks, "1", traded_ranks)
        assert exact == UNIFORM["perfect_match", decks, "1"]


@pytest.mark.rule("O-09")
@pytest.mark.parametrize("traded_ranks", [range(0), range(2, 15)])
def test_a_seat_that_never_or_always_trades_has_a_uniformly_random_card(traded_ranks: range) -> None:
    exact = edge_when_trading("three_card_bonus", 6, "1", traded_ranks)
    assert exact == UNIFORM["three_card_bonus", 6, "1"]


@pytest.mark.slow
@pytest.mark.rule("O-09")
@pytest.mark.parametrize(
    ("bonus", "decks", "edge"),
    [
        ("three_card_bonus", 6, Fraction(4207974, 64546495)),
        ("three_card_bonus", 8, Fraction(27023762, 461223945)),
        ("perfect_match", 6, Fraction(3086, 48205)),
        ("perfect_match", 8, Fraction(52, 1245)),
    ],
)
def test_the_lab_gives_the_edge_and_the_edge_by_the_printed_convention(bonus: str, decks: int, edge: Fraction) -> None:
    found = analysed("one-for-the-money", version=BONUSES[bonus], decks=decks)[bonus]
    assert found.edge == edge
    assert found.edges == {"uniform": UNIFORM[bonus, decks, "1"]}
    assert found.to_json()["edge_uniform"]["exact"] == str(UNIFORM[bonus, decks, "1"])
