"""What blackjack is worth, from plain play to whole tables."""

import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from feltworks.games.blackjack.enumerator.basic_strategy import total_dependent
from feltworks.games.blackjack.enumerator.hands import NAMES, RANKS, all_hands, parse_ranks
from feltworks.games.blackjack.enumerator.integer_values import Valuer
from feltworks.games.blackjack.enumerator.solution import Analysis, advise, analyse, solvers, starts
from feltworks.games.blackjack.enumerator.upcard_solver import Action, SplitPlay, UpcardSolver
from feltworks.games.blackjack.options import ALLOWED, Options
from feltworks.kit.errors import BadCard
from tests.games.blackjack import plain

PUBLISHED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "published.toml").read_text())
GAMES = [
    pytest.param(
        figure["options"], figure["percent"], game["within"], id=" ".join(map(str, figure["options"].values()))
    )
    for game in PUBLISHED["game"]
    for figure in game["figures"]
]
HANDS = [
    pytest.param(table["options"], figure, id=f"{figure['cards']} against {figure['upcard']} {table['options']}")
    for table in PUBLISHED["hands"]
    for figure in table["figures"]
]
ONE_DECK = Options(decks=1, soft_17="stand")


class SmallShoe(Options):
    """A shoe of 25 cards, which can be played out."""

    @property
    def shoe(self) -> tuple[int, ...]:
        return (3, 0, 0, 0, 0, 4, 0, 5, 4, 9)


@pytest.mark.rule("B-04")
@pytest.mark.parametrize(
    ("cards", "upcard"),
    [
        ("98", "9"),
        ("T6", "8"),
        ("A9", "T"),
        pytest.param("T2", "T", marks=pytest.mark.slow),
        pytest.param("A7", "9", marks=pytest.mark.slow),
        pytest.param("33", "T", marks=pytest.mark.slow),
    ],
)
def test_hands_are_worth_what_trying_everything_gives(cards: str, upcard: str) -> None:
    ranks, [up] = tuple(parse_ranks(cards)), parse_ranks(upcard)
    shoe = tuple(number - [*ranks, up].count(rank) for rank, number in enumerate(ONE_DECK.shoe))
    best, found = plain.Best(up, hits_soft_17=False), advise(ONE_DECK, cards, upcard)
    no_blackjack = 1 - Fraction(shoe[0], 49) if upcard == "T" else 1
    assert found["stand"] == best.stand(shoe, ranks) / no_blackjack
    assert found["hit"] == best.hit(shoe, ranks) / no_blackjack
    assert found["double"] == best.double(shoe, ranks) / no_blackjack


def round_by_round(analysis: Analysis) -> tuple[Fraction, Fraction]:
    """The mean and the mean square of a round, every card played out by the strategy of the analysis."""
    options, hands = analysis.options, all_hands()
    mean = square = Fraction(0)
    for up, up_chance, without in plain.draw(options.shoe):
        play, table = analysis.plays[up], plain.Table(up, options.hits_soft_17, options.takes_all)
        for first, first_chance, rest in plain.draw(without):
            for second, second_chance, shoe in plain.draw(rest):
                chance, hand = up_chance * first_chance * second_chance, (first, second)
                lost = plain.dealer(shoe, (up,), options.hits_soft_17).get("blackjack", Fraction(0))
                action = Action(int(play.first[hands.of(*hand)]))
                if plain.points(hand) == 21:
                    pay = options.natural
                    mean, square = mean + chance * pay * (1 - lost), square + chance * pay**2 * (1 - lost)
                    continue
                if action == Action.SPLIT:
                    way = play.splits[first]
                    most = options.hands_from(first)

                    def hits(hand: plain.Hand, way: SplitPlay = way, first: int = first) -> bool:
                        return bool((way.alike if hand[1] == first else way.apart)[hands.of(*hand)])

                    def doubles(hand: plain.Hand, way: SplitPlay = way) -> bool:
                        return bool(way.doubles[hand[1]])

                    net, net_square = table.split(shoe, first, most, doubles, hits)
                elif action == Action.SURRENDER:
                    net, net_square = -(1 - lost) / 2, (1 - lost) / 4
                    if options.takes_all:
                        net, net_square = net - lost, net_square + lost
                else:
                    stake = 2 if action == Action.DOUBLE else 1

                    def goes_on(hand: plain.Hand, action: Action = action, hits: Any = play.hits) -> bool:
                        if len(hand) == 2:
                            return action != Action.STAND
                        return action != Action.DOUBLE and bool(hits[hands.of(*hand)])

                    net, net_square = table.hand(shoe, hand, stake, goes_on)
                if not options.takes_all:
                    net, net_square = net - lost, net_square + lost
                mean, square = mean + chance * net, square + chance * net_square
    return mean, square


@pytest.mark.slow
@pytest.mark.rule("B-02", "B-03", "B-04", "B-05")
@pytest.mark.parametrize("hole_card", ALLOWED["hole_card"])
@pytest.mark.parametrize("soft_17", ALLOWED["soft_17"])
def test_a_whole_game_is_worth_what_playing_every_round_out_gives(hole_card: str, soft_17: str) -> None:
    analysis = analyse(
        SmallShoe(hole_card=hole_card, soft_17=soft_17, max_hands="3", surrender="late", split_aces="hit")
    )
    mean, square = round_by_round(analysis)
    assert {"split", "double", "surrender", "hit", "stand"} <= set(analysis.strategy.values())
    assert analysis.value == mean
    assert analysis.variance == square - mean**2
    assert sum(start.chance for start in analysis.starts.values()) == 1
    assert sum(start.chance * start.mean for start in analysis.starts.values()) == mean


@pytest.mark.rule("B-04")
@pytest.mark.parametrize("options", [Options(surrender="late"), pytest.param(ONE_DECK, marks=pytest.mark.slow)])
def test_no_two_actions_are_so_close_that_rounding_could_decide(options: Options) -> None:
    hands = all_hands()
    for solver in solvers(options):
        dealt = (solver.reach > 0) & (hands.size >= 2)
        values = np.append(solver.best, 0.0)
        gaps = np.abs(values[hands.after].sum(1) - solver.stand)[dealt] / solver.reach[dealt]
        assert gaps.min() > 1e-7
        for low, high, _ in starts():
            hand = hands.of(low, high)
            nets = solver.nets(hand)
            if low == high:
                nets[Action.SPLIT] = solver.split(low).net * float(solver.reach[hand])
            best, second = sorted(nets.values(), reverse=True)[:2]
            assert (best - second) / solver.reach[hand] > 1e-7


@pytest.mark.rule("B-02", "B-03")
def test_naturals_are_as_frequent_as_the_cards_say() -> None:
    often = analyse(ONE_DECK).frequencies
    assert often["blackjack"] == often["dealer blackjack"] == Fraction(2 * 4 * 16, 52 * 51)
    assert often["both"] == Fraction(2 * 4 * 16, 52 * 51) * Fraction(2 * 3 * 15, 50 * 49)
    assert analyse(ONE_DECK).average_stake > 1 + often["double"] + often["split"]


@pytest.mark.rule("B-03")
def test_insurance_and_even_money_are_equal() -> None:
    found = advise(Options(), "AT", "A")
    # Before the look the blackjack is worth 3/2 unless the dealer has one too.
    tens = Fraction(95, 309)
    assert found["insurance"] == (3 * tens - 1) / 2
    assert found["stand"] * (1 - tens) + found["insurance"] == 1
    assert analyse(ONE_DECK).insurance == 3 * Fraction(16, 51) - 1


@pytest.mark.rule("B-03")
@pytest.mark.parametrize("decks", range(1, 9))
def test_insurance_never_pays_from_a_fresh_shoe(decks: int) -> None:
    assert max(advise(Options(decks=decks), cards, "A")["insurance"] for cards in ("23", "T2", "TT")) < 0


@pytest.mark.rule("B-04")
def test_advice_names_the_options_of_the_table() -> None:
    late = Options(surrender="late", double="9-11")
    assert set(advise(late, "88", "T")) == {"stand", "hit", "surrender", "split"}
    assert set(advise(late, "56", "A")) == {"stand", "hit", "double", "surrender", "insurance"}
    assert set(advise(late, "562", "A")) == {"stand", "hit"}
    assert advise(late, "KJ", "Q") == advise(late, "TT", "T")


@pytest.mark.rule("B-04")
@pytest.mark.parametrize(
    "hole_card", ["peek", *(pytest.param(name, marks=pytest.mark.slow) for name in ALLOWED["hole_card"][1:])]
)
def test_advice_is_the_value_of_the_analysis(hole_card: str) -> None:
    options = replace(ONE_DECK, hole_card=hole_card)
    for (cards, upcard), start in list(analyse(options).starts.items())[::41]:
        found = advise(options, cards, upcard)
        found.pop("insurance", None)
        assert found[start.action.label] == max(found.values()) == start.value


@pytest.mark.parametrize(
    ("cards", "upcard", "says"),
    [
        ("T", "5", "two cards or more"),
        ("TT5", "4", "over 21"),
        ("88888", "8", "over 21"),
        ("22222", "2", "a shoe of 1 deck\\."),
    ],
)
def test_advice_on_hands_that_cannot_be_is_refused(cards: str, upcard: str, says: str) -> None:
    with pytest.raises(BadCard, match=says):
        advise(ONE_DECK, cards, upcard)


@pytest.mark.slow
@pytest.mark.rule("B-01", "B-03")
def test_who_takes_only_the_original_wager_plays_like_a_dealer_who_peeks() -> None:
    peek, takes_original = (analyse(replace(ONE_DECK, hole_card=name)) for name in ("peek", "none_takes_original"))
    assert peek.value == takes_original.value
    assert peek.average_stake < takes_original.average_stake
    assert (
        analyse(replace(ONE_DECK, hole_card="no_peek")).value
        == analyse(replace(ONE_DECK, hole_card="none_takes_all")).value
        < peek.value
    )


@pytest.mark.slow
@pytest.mark.rule("B-02", "B-04", "B-05")
@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize(
    ("name", "from_worst"),
    [
        ("soft_17", ("hit", "stand")),
        ("blackjack_pays", ("1", "6/5", "3/2")),
        ("double", ("10-11", "9-11", "any")),
        ("double_after_split", ("no", "yes")),
        ("max_hands", ("2", "3", "4")),
        ("split_aces", ("one_card", "resplit", "hit")),
        ("surrender", ("none", "late")),
        ("hole_card", ("none_takes_all", "peek")),
    ],
)
def test_a_house_rule_that_is_better_for_the_seat_is_worth_more(
    name: str, from_worst: tuple[str, ...], decks: int
) -> None:
    values = [analyse(replace(Options(decks=decks), **{name: value})).value for value in from_worst]  # type: ignore[arg-type]
    assert values == sorted(values) and len(set(values)) == len(values)


@pytest.mark.slow
@pytest.mark.parametrize(("options", "percent", "within"), GAMES)
def test_published_games_are_reproduced(options: dict[str, Any], percent: float, within: float) -> None:
    assert 100 * float(analyse(Options(**options)).value) == pytest.approx(percent, abs=within)


@pytest.mark.parametrize(("options", "figure"), HANDS)
def test_published_hands_are_reproduced(options: dict[str, Any], figure: dict[str, Any]) -> None:
    found = advise(Options(**options), figure["cards"], figure["upcard"])
    for action in ("stand", "hit", "double"):
        assert float(found[action]) == pytest.approx(figure[action], abs=0.51e-6)


@pytest.mark.rule("B-04")
def test_the_small_shoe_of_another_program_is_reproduced_to_every_digit() -> None:
    case = PUBLISHED["small_shoe"]
    [up], [rank, _] = parse_ranks(case["upcard"]), parse_ranks(case["cards"])
    shoe = np.array(case["shoe"])
    shoe[up] -= 1
    solver = UpcardSolver(shoe, up, Options(soft_17="stand"))
    valuer, hands = Valuer(solver), all_hands()
    pair = hands.of(rank, rank)
    actions = (Action.STAND, Action.HIT, Action.DOUBLE)
    for action, net in zip(actions, valuer.nets(solver.hits, [(pair, action) for action in actions]), strict=True):
        assert 100 * float(net / valuer.reach(pair)) == pytest.approx(case[action.label], abs=0.51e-9)
    doubles = np.zeros(RANKS, np.bool_)
    for second in range(RANKS):
        nets = solver.nets(hands.of(rank, second))
        doubles[second] = max(nets, key=lambda action: nets[action]) == Action.DOUBLE
    split = valuer.split(rank, SplitPlay(solver.hits, solver.hits, doubles))
    assert 100 * float(split.net) == pytest.approx(case["split"], abs=0.51e-9)


@pytest.mark.slow
@pytest.mark.rule("B-04")
def test_basic_strategy_for_one_deck_is_the_known_one() -> None:
    basic = total_dependent(Options(decks=1, soft_17="stand", double_after_split="no"))
    upcards = "23456789TA"
    letters = {"stand": "S", "hit": "H", "double": "D"}

    def row(kind: dict[tuple[int, str], Any], total: int) -> str:
        return "".join(letters[kind[total, up].action.label] for up in upcards)

    # The single-deck chart of every book: stands on soft 17, no doubling after splits.
    assert row(basic.hard, 8) == "HHHDDHHHHH"
    assert row(basic.hard, 9) == "DDDDDHHHHH"
    assert row(basic.hard, 11) == "D" * 10
    assert row(basic.hard, 12) == "HHSSSHHHHH"
    assert row(basic.hard, 16) == "SSSSSHHHHH"
    assert row(basic.hard, 17) == "S" * 10
    assert row(basic.soft, 17) == "DDDDDHHHHH"
    assert row(basic.soft, 18) == "SDDDDSSHHS"
    assert row(basic.soft, 19) == "SSSSDSSSSS"
    assert [up for up in upcards if basic.pairs["8", up]] == list(upcards)
    assert [up for up in upcards if basic.pairs["9", up]] == list("2345689")
    assert not any(basic.pairs[card, up] for card in "5T" for up in upcards)
    assert 0 < basic.cost < Fraction(1, 1000)
    assert basic.analysis.value + basic.cost == analyse(basic.analysis.options).value


def test_starts_are_all_first_two_cards() -> None:
    assert sum(orders for _, _, orders in starts()) == RANKS**2
    assert len(analyse(ONE_DECK).starts) == 55 * len(NAMES)
