"""The rules, walked by the solver that takes any game, against the exact analysis: on shoes small enough for both.

The shoes have few ranks and many tens, so that pairs come often and are split up to four hands; in a soak they have
one more card or two of a rank, with which walking takes several times as long. A seat is walked through the Round with
the decisions that the analysis found; both must come to the same fraction.
"""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from feltworks import games
from feltworks.games.blackjack import enumerator
from feltworks.games.blackjack.enumerator import solution, split_memory
from feltworks.games.blackjack.enumerator.hands import RANKS
from feltworks.games.blackjack.options import ALLOWED, Options
from feltworks.games.blackjack.rules import value
from feltworks.kit.cards import SUITLESS_CARDS
from feltworks.kit.game import Game
from feltworks.kit.round import Info
from feltworks.kit.unseen import Unseen
from feltworks.lab.graph import Graph
from feltworks.lab.solver import mean, optimise, second_moment
from feltworks.lab.wager_analysis import net_of
from feltworks.lab.walking_analyzer import rules_for
from tests.quick import soaking

Shoe = tuple[int, ...]
#               A  2  3  4  5  6  7  8  9  T
EIGHTS: Shoe = (0, 0, 0, 0, 0, 0, 0, 8, 0, 30)
ACES_EIGHTS: Shoe = (4, 0, 0, 0, 0, 0, 0, 6 if soaking() else 5, 0, 30)
ACES_SIXES: Shoe = (5 if soaking() else 4, 0, 0, 0, 0, 4, 0, 0, 0, 40)
SIXES_EIGHTS: Shoe = (0, 0, 0, 0, 0, 6, 0, 4, 0, 20)
SEVENS_EIGHTS: Shoe = (0, 0, 0, 0, 0, 0, 5, 5, 0, 12)
FIVES_SIXES: Shoe = (0, 0, 0, 0, 6, 6, 0, 0, 0, 40)
SOME_FIVES_SIXES: Shoe = FIVES_SIXES if soaking() else (0, 0, 0, 0, 4, 5, 0, 0, 0, 40)


@dataclass(frozen=True)
class Small(Options):
    """The options of a table with another shoe."""

    small: Shoe = ()

    @property
    def shoe(self) -> Shoe:
        return self.small


def unseen(shoe: Shoe) -> Unseen:
    """The cards of a shoe, with all tens of one rank."""
    counts = [0] * len(SUITLESS_CARDS)
    for card in SUITLESS_CARDS:
        if card.rank <= 10 or card.rank == 14:
            counts[card.index] = shoe[value(card) - 1]
    assert len(shoe) == RANKS and sum(counts) == sum(shoe)
    return Unseen(tuple(counts))


def small_table(shoe: Shoe, readings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> tuple[Game, Small]:
    """The game, and the options by which its enumerator goes here."""
    game = games.load("blackjack").configured(readings=readings)
    options = Small(**{name: game.readings[name] for name in ALLOWED}, decks=1, small=shoe)
    monkeypatch.setattr(enumerator, "options_of", lambda _: options)
    return game, options


def walked(game: Game, shoe: Shoe) -> tuple[Fraction, Fraction]:
    """Mean and variance of the Round for a seat that plays as the analysis says and takes no insurance."""

    def decision(info: Info) -> str:
        return "no insurance" if "insurance" in info.options else enumerator.option(game, info)

    graph = Graph(rules_for(game, {"base": Fraction(1)}), unseen(shoe), decision)
    best = {number: next(iter(s.options)) for number, s in enumerate(graph.states) if s is not None and s.options}
    net = net_of([game.wager("base")])
    worth = mean(graph, best, net)
    return worth, second_moment(graph, best, net) - worth**2


SLOW = pytest.mark.slow
CASES = [
    (EIGHTS, {}),
    (ACES_EIGHTS, {"max_hands": "2"}),
    (ACES_SIXES, {"max_hands": "2", "hole_card": "none_takes_all", "surrender": "late"}),
    (ACES_SIXES, {"max_hands": "3", "blackjack_pays": "6/5"}),
    (FIVES_SIXES, {"max_hands": "2", "soft_17": "stand"}),
    *(
        pytest.param(shoe, readings, marks=SLOW)
        for readings in (
            {},
            {"split_aces": "resplit"},
            {"split_aces": "hit"},
            {"hole_card": "no_peek"},
            {"hole_card": "none_takes_original"},
            {"surrender": "late"},
            {"surrender": "late", "hole_card": "no_peek"},
            {"surrender": "late", "hole_card": "none_takes_original"},
            {"double": "10-11", "blackjack_pays": "1"},
            {"double_after_split": "no", "soft_17": "stand"},
            {"hole_card": "none_takes_original", "split_aces": "hit", "max_hands": "3"},
        )
        for shoe in (ACES_EIGHTS, ACES_SIXES)
    ),
    pytest.param(SOME_FIVES_SIXES, {"double": "9-11"}, marks=SLOW),
]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("B-01", "B-02", "B-03", "B-04", "B-05")
@pytest.mark.parametrize(("shoe", "readings"), CASES)
def test_the_round_is_worth_what_the_exact_analysis_says_to_the_last_digit(
    shoe: Shoe, readings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, options = small_table(shoe, readings, monkeypatch)
    found = solution.analyse(options)
    assert walked(game, shoe) == (found.value, found.variance)


@pytest.mark.slow
@pytest.mark.rule("B-04")
@pytest.mark.parametrize(("shoe", "worth"), [(SIXES_EIGHTS, 5.2476814096e-07), (SEVENS_EIGHTS, 0)])
def test_memory_of_the_other_hand_adds_what_the_solver_finds_that_looks_at_every_card(
    shoe: Shoe, worth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, options = small_table(shoe, {"max_hands": "2"}, monkeypatch)
    graph = Graph(rules_for(game, {"base": Fraction(1)}), unseen(shoe))
    everything = optimise(graph, net_of([game.wager("base")])).values[graph.start]
    found = float(everything - solution.analyse(options).value)
    assert found == pytest.approx(worth, rel=1e-9) == pytest.approx(split_memory.memory_gain(options), abs=1e-15)
