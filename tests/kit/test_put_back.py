"""A card that goes back into the shuffler can be dealt again, but not to a place where a card lay already.

The proof deals real cards: every way of drawing from a small shoe, against the chances that the round gives.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.kit.cards import Card, Token, parse_cards
from feltworks.kit.errors import NotAllowed, NotPossible
from feltworks.kit.round import SHUFFLER, Round
from feltworks.kit.steps import DEALT, Deal, Items, Move, Read, Turn
from tests.kit.support import LARGE, MIDDLE, SMALL, after_all, little_game, refused, unseen_of

Act = tuple[Literal["deal", "turn", "back"], int]


def table(n: int) -> Token:
    return Token(None, f"card {n}")


def play(plan: list[Act]) -> Callable[[Round], Items]:
    def played(self: Round) -> Items:
        for act, n in plan:
            if act == "deal":
                yield Deal(table(n), "table")
            elif act == "turn":
                yield Turn(table(n))
            else:
                yield Move(table(n), SHUFFLER)

    return played


def real(plan: list[Act], shoe: tuple[Card, ...]) -> Counter[tuple[Card, ...]]:
    """How likely each run of turned cards is when every card left in the shoe is drawn with equal chance."""
    found: Counter[tuple[Card, ...]] = Counter()

    def go(
        i: int, shoe: tuple[Card, ...], laid: dict[int, Card], said: tuple[Card, ...], chance: Fraction
    ) -> None:
        if i == len(plan):
            found[said] += chance  # type: ignore[assignment]
            return
        act, n = plan[i]
        if act == "turn":
            go(i + 1, shoe, laid, (*said, laid[n]), chance)
        elif act == "back":
            go(i + 1, (*shoe, laid[n]), laid, said, chance)
        else:
            for k, card in enumerate(shoe):
                left = shoe[:k] + shoe[k + 1 :]
                go(i + 1, left, {**laid, n: card}, said, chance / len(shoe))

    go(0, shoe, {}, (), Fraction(1))
    return found


def believed(
    round: Round, said: tuple[Card, ...], chance: Fraction
) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """How likely each run of turned cards is by the chances that the round gives."""
    match round.next:
        case None:
            yield said, chance
        case Deal():
            yield from believed(round.after(DEALT), said, chance)
        case Turn(token):
            assert round.unseen is not None
            weights = round.chances(token, round.unseen)
            for card, weight in weights.items():
                share = Fraction(weight, sum(weights.values()))
                yield from believed(round.after(card), (*said, card), chance * share)


def agree(plan: list[Act], shoe: tuple[Card, ...]) -> bool:
    start = little_game(play(plan)).start(unseen=unseen_of(shoe))
    return dict(believed(start, (), Fraction(1))) == dict(real(plan, shoe))


PLANS: dict[str, list[Act]] = {
    "nothing sealed": [("deal", 0), ("turn", 0), ("back", 0), ("deal", 1), ("turn", 1)],
    "one sealed before, turned last": [
        ("deal", 0),
        ("turn", 0),
        ("deal", 1),
        ("back", 0),
        ("deal", 2),
        ("turn", 2),
        ("turn", 1),
    ],
    "one sealed before, turned first": [
        ("deal", 0),
        ("turn", 0),
        ("deal", 1),
        ("back", 0),
        ("deal", 2),
        ("turn", 1),
        ("turn", 2),
    ],
    "two sealed before, as in a trade": [
        ("deal", 0),
        ("turn", 0),
        ("deal", 1),
        ("deal", 2),
        ("back", 0),
        ("deal", 3),
        ("turn", 3),
        ("turn", 1),
        ("turn", 2),
    ],
    "two trades": [
        ("deal", 0),
        ("turn", 0),
        ("deal", 1),
        ("turn", 1),
        ("deal", 2),
        ("back", 0),
        ("deal", 3),
        ("turn", 3),
        ("back", 1),
        ("deal", 4),
        ("turn", 4),
        ("turn", 2),
    ],
    "the replacement goes back too": [
        ("deal", 0),
        ("turn", 0),
        ("deal", 1),
        ("back", 0),
        ("deal", 2),
        ("turn", 2),
        ("back", 2),
        ("deal", 3),
        ("turn", 3),
        ("turn", 1),
    ],
}


@pytest.mark.parametrize("shoe", ["2c 3c 4c 5c 6c", "2c 2c 3c 4c 4c", "2c 2c 2c 3c 3c"])
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_the_chances_are_those_of_a_real_shuffler(plan: list[Act], shoe: str) -> None:
    assert agree(plan, parse_cards(shoe))


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[Act], tuple[Card, ...]]:
    """Some dealing, turning and putting back; a card is turned before it goes back, and all are in the end."""
    shoe = tuple(draw(st.lists(st.sampled_from(parse_cards("2c 3c 4c")), min_size=4, max_size=5)))
    plan: list[Act] = []
    sealed: list[int] = []
    turned: list[int] = []
    dealt = 0
    for _ in range(draw(st.integers(2, 8))):
        may: list[Act] = [("turn", n) for n in sealed] + [("back", n) for n in turned]
        if len(sealed) + len(turned) < len(shoe) and dealt < 5:
            may.append(("deal", dealt))
        act, n = draw(st.sampled_from(may))
        plan.append((act, n))
        if act == "deal":
            sealed.append(n)
            dealt += 1
        elif act == "turn":
            sealed.remove(n)
            turned.append(n)
        else:
            turned.remove(n)
    return plan + [("turn", n) for n in sealed], shoe


@given(plans())
def test_any_dealing_turning_and_putting_back_is_as_with_real_cards(
    case: tuple[list[Act], tuple[Card, ...]],
) -> None:
    plan, shoe = case
    assert agree(plan, shoe)
