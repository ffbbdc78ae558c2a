"""A card that goes back into the shuffler can be dealt again, but not to a place where a card lay already.

The proof deals real cards: every way of drawing from a small shoe, against the chances that the round gives.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks.kit.cards import Card, Token, parse_cards
from feltworks.kit.errors import NotAllowed, NotPossible
from feltworks.kit.round import DISCARD, SHUFFLER, Round
from feltworks.kit.steps import DEALT, Deal, Items, Move, Read, Turn
from tests.kit.support import LARGE, MIDDLE, SMALL, after_all, little_game, one_sentence, refused, unseen_of
from tests.quick import share

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

    def go(i: int, shoe: tuple[Card, ...], laid: dict[int, Card], said: tuple[Card, ...], chance: Fraction) -> None:
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


def believed(round: Round, said: tuple[Card, ...], chance: Fraction) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
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


BETWEEN: list[Act] = [
    ("deal", 0),
    ("turn", 0),
    ("deal", 1),
    ("turn", 1),
    ("deal", 2),
    ("back", 0),
    ("deal", 3),
    ("back", 1),
    ("turn", 2),
    ("turn", 3),
]


def two_ages(plan: list[Act]) -> bool:
    """Whether a card goes back while one sealed card was dealt before a known card did and another after it.

    The first cannot be that card and the second can, for which the unseen cards keep no count.
    """
    dealt, sealed, known = {n: i for i, (act, n) in enumerate(plan) if act == "deal"}, set[int](), list[int]()
    last = -1
    for i, (act, n) in enumerate(plan):
        if act == "back":
            waits = any(dealt[m] < j for m in sealed for j in known)
            if waits and any(dealt[m] > last for m in sealed - {n}):
                return True
            if n not in sealed:
                known.append(i)
            sealed.discard(n)
            last = i
        elif act == "deal":
            sealed.add(n)
        else:
            sealed.discard(n)
    return False


def test_a_card_does_not_go_back_between_sealed_cards_of_two_ages() -> None:
    assert two_ages(BETWEEN)
    assert not any(two_ages(plan) for plan in PLANS.values())
    round = little_game(play(BETWEEN)).start()
    round = after_all(round, [DEALT, Card("2c"), DEALT, Card("3c"), DEALT])
    assert refused(round, DEALT, NotAllowed) == (
        "A card cannot go back into the shuffler while sealed cards lie there from before and from after the "
        "last one that did."
    )


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[Act], tuple[Card, ...]]:
    """Some dealing, turning and putting back; what is sealed in the end is turned."""
    shoe = tuple(draw(st.lists(st.sampled_from(parse_cards("2c 3c 4c")), min_size=3, max_size=4)))
    plan: list[Act] = [("deal", 0), ("turn", 0), ("deal", 1)]
    sealed, turned, dealt = [1], [0], 2
    for _ in range(draw(st.integers(2, 6))):
        may: list[Act] = [("turn", n) for n in sealed] + [("back", n) for n in turned + sealed]
        if len(sealed) + len(turned) < len(shoe) and dealt < 5:
            may += [("deal", dealt)] * 2
        if not may:
            break
        act, n = draw(st.sampled_from(may))
        plan.append((act, n))
        if act == "deal":
            sealed.append(n)
            dealt += 1
        elif act == "turn":
            sealed.remove(n)
            turned.append(n)
        else:
            (turned if n in turned else sealed).remove(n)
    return plan + [("turn", n) for n in sealed], shoe


@given(plans())
@settings(max_examples=share(60), deadline=None)
def test_any_dealing_turning_and_putting_back_is_as_with_real_cards_or_refused(
    case: tuple[list[Act], tuple[Card, ...]],
) -> None:
    plan, shoe = case
    if two_ages(plan):
        with pytest.raises(NotAllowed, match=r"^A card cannot go back into the shuffler while sealed cards lie"):
            agree(plan, shoe)
    else:
        assert agree(plan, shoe)


# What follows in a round.


def returned(*, to: str) -> Round:
    """A card was turned, another is sealed, and the first is moved away."""

    def moved(self: Round) -> Items:
        yield Deal(table(0), "table")
        yield Turn(table(0))
        yield Deal(table(1), "table")
        yield Move(table(0), to)
        yield Deal(table(2), "table")
        yield Turn(table(1))

    return after_all(little_game(moved).start(unseen=unseen_of("2c 3c 4c")), [DEALT, Card("2c"), DEALT, DEALT])


def test_a_card_dealt_before_another_went_back_cannot_be_it() -> None:
    assert refused(returned(to=SHUFFLER), Card("2c"), NotPossible) == (
        "2c is not possible: card 1 was dealt before it went back."
    )
    assert returned(to=SHUFFLER).after(Card("3c")).over


def test_rounds_with_and_without_a_card_that_went_back_do_not_go_on_alike() -> None:
    assert returned(to=SHUFFLER).key != returned(to=DISCARD).key


def test_a_card_that_was_turned_is_of_no_age() -> None:
    """Once the earlier cards are known, it does not matter any more which they were."""
    plan: list[Act] = [
        ("deal", 0),
        ("turn", 0),
        ("deal", 1),
        ("back", 0),
        ("turn", 1),
        ("deal", 2),
        ("turn", 2),
    ]
    round = after_all(little_game(play(plan)).start(unseen=unseen_of("2c 2c 3c")), [DEALT, Card("2c"), DEALT])
    assert round.unseen is not None and round.unseen.beliefs
    known = round.after(Card("2c"))
    assert known.unseen == unseen_of("2c 3c")


def test_a_sealed_card_is_not_read_after_another_went_back() -> None:
    def played(self: Round) -> Items:
        yield from play([("deal", 0), ("turn", 0), ("deal", 1), ("back", 0)])(self)
        yield Read(table(1), (SMALL, MIDDLE, LARGE))

    round = after_all(little_game(played).start(), [DEALT, Card("2c"), DEALT])
    assert round.unseen is not None
    with pytest.raises(NotAllowed) as refusal:
        round.unseen.reads((SMALL, MIDDLE, LARGE), {})
    assert one_sentence(refusal.value) == (
        "A sealed card cannot be read after another one went back into the shuffler."
    )


def test_a_card_does_not_go_back_while_a_reading_lies_on_a_sealed_one() -> None:
    def played(self: Round) -> Items:
        yield from play([("deal", 0), ("turn", 0), ("deal", 1)])(self)
        yield Read(table(1), (SMALL, MIDDLE, LARGE))
        yield from play([("back", 0), ("turn", 1)])(self)

    round = after_all(little_game(played).start(), [DEALT, Card("2c"), DEALT, MIDDLE])
    assert refused(round, Card("5c"), NotAllowed) == (
        "A card cannot go back into the shuffler while a reader has shown something of a sealed card."
    )
