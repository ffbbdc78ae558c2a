"""The same cards through the rules and through the compiled kernel."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import feltworks
from feltworks.games.down_under_holdem.enumerator.kernel import Played, play_out
from feltworks.kit.cards import SUITED_CARDS, Card, Seat, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.game import Game
from feltworks.kit.steps import Decide, Settlement
from feltworks.kit.walk import walk
from feltworks.lab.enumerating_analyzer import EnumeratedStrategy
from tests.games.down_under.support import flop
from tests.quick import SEED, share

GAME = feltworks.load("down-under-holdem")
STAKES = dict.fromkeys(GAME.wagers, Fraction(1))
ME = Seat(1)
RESULTS = {"Better hand": "win", "Tie": "tie", "Dealer's hand is better": "lose", "Fold": "fold"}


def played(game: Game, cards: list[Card]) -> Played:
    """A round by the rules, with the seat's two cards, the dealer's, flop, turn and river; told as the kernel does."""
    hole1, hole2, dealer1, dealer2, *board = cards
    script = Scripted([hole1, dealer1, hole2, dealer2, *board])
    player = EnumeratedStrategy(game, STAKES, {})
    decisions: list[str] = []
    lines: dict[str, tuple[str, bool]] = {}
    for _, answer, round in walk(game.start((ME,)), script, {ME: player}):
        if isinstance(answer, Decide) and answer.who == ME:
            decisions.append(answer.option)
        lines |= {e.spot: (e.line, e.pay is not None) for e in round.effects if isinstance(e, Settlement)}
    result, bet = RESULTS[lines["ante"][0]], lines["bet"][0]

    def line(spot: str) -> str | None:
        named, paid = lines[spot]
        return named if paid else None

    won = bet if result == "win" and bet != "All other hands" else None
    bonuses = line("trips_or_better"), line("match_the_dealer")
    return Played(decisions[-1], result, won, *bonuses, jackpot_1=line("jackpot"), jackpot_2_and_3=None)


def compare(cards: list[Card]) -> None:
    by_kernel = play_out(flop(), [card.index for card in cards])
    jackpots = {"1": by_kernel.jackpot_1, "2": by_kernel.jackpot_2_and_3}
    for option, jackpot in jackpots.items():
        by_rules = played(GAME.configured(pay={"jackpot": option}), cards)
        assert by_rules == replace(by_kernel, jackpot_1=jackpot, jackpot_2_and_3=None), cards


@pytest.mark.soak
@pytest.mark.rule("D-05", "D-06", "D-08", "D-11", "D-12", "D-15", "D-21")
def test_random_deals_end_alike_by_the_rules_and_by_the_kernel() -> None:
    random = Random(SEED)
    for _ in range(share(600, soak=20_000)):
        compare(random.sample(SUITED_CARDS, 9))


@pytest.mark.rule("D-14", "D-15")
@pytest.mark.parametrize(
    "cards",
    [
        "AsKs 2c3d QsJsTs 4h5d",  # a royal flush is flopped
        "As2d 3c4d KsQsJs Ts9d",  # a royal flush with one hole card
        "2c3d 4h5d AsKsQs JsTs",  # a royal flush on the board
        "8s7s AdAc 6s5s4s 2d9h",  # a straight flush is flopped
        "8s2d AdAc 7s6s5s 4s9h",  # a straight flush with one hole card
        "AsAd AhAc 2c3d4h 5d6s",  # a pair on each side, of one rank
        "AsKd AhKc 2c3d4h 7d8s",  # two ranks matched
        "AsAd AhKc 2c3d4h 7d8s",  # three of a rank between the two hands
        "2c3c 7d8d 2d2h3s KcQd",  # a full house
        "2c3d 2d3h AcKdQh JsTc",  # a straight on the board: a tie
    ],
)
def test_rare_deals_end_alike_by_the_rules_and_by_the_kernel(cards: str) -> None:
    compare(list(parse_cards(cards)))
