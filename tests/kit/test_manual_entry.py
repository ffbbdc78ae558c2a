"""Cards that somebody enters: what is not possible is asked for again, and stops the round when it is entered twice."""

from collections.abc import Iterator

import pytest

from feltworks.kit.cards import Card, Token
from feltworks.kit.chance import Asked
from feltworks.kit.manual_entry import READER_FAULT, WRONG_CARD, entered
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, Answer, Choose, Close, Decide, Incident, Read, Role, Settlement, Turn
from tests.kit.support import ONE, place, toy


class Typist:
    """Enters these answers, one after the other, and keeps what was said about the one before."""

    def __init__(self, *answers: Answer) -> None:
        self.answers: Iterator[Answer] = iter(answers)
        self.said: list[str] = []

    def __call__(self, step: Asked, why: str) -> Answer:
        self.said.append(why)
        return next(self.answers)


def at_the_dealers_cards() -> Round:
    """The toy with bands: the dealer's first card was read as small, and is turned next."""
    round = toy("bands").start((ONE,)).after(place(ONE, "ante")).after(Close())
    while not (isinstance(round.next, Turn) and round.next.token == Token(None, "dealer 1")):
        match round.next:
            case Choose():
                round = round.after(Decide(ONE, "play"))
            case Turn():
                round = round.after(Card("5c"))
            case Read(_, among):
                round = round.after(among[0])
            case _:
                round = round.after(DEALT)
    return round


@pytest.mark.rule("D-10")
def test_a_card_outside_its_band_is_asked_for_again() -> None:
    typist = Typist(Card("6d"), Card("4d"))
    after = entered(at_the_dealers_cards(), typist)
    assert after.card(Token(None, "dealer 1")) is Card("4d")
    assert typist.said[0] == "" and "read as small" in typist.said[1]


@pytest.mark.rule("D-10")
def test_the_same_card_twice_stops_the_round_for_the_supervisor_who_may_void_it() -> None:
    before = at_the_dealers_cards()
    stopped = entered(before, Typist(Card("6d"), Card("6d")))
    assert [e.kind for e in stopped.effects if isinstance(e, Incident)] == [READER_FAULT]
    assert isinstance(stopped.next, Choose) and stopped.next.who is Role.SUPERVISOR
    void = stopped.after(Decide(Role.SUPERVISOR, "void"))
    assert void.over
    assert sum(e.amount for e in void.effects if isinstance(e, Settlement)) == sum(before.wagers.values())


@pytest.mark.rule("D-10")
def test_two_different_wrong_cards_are_two_slips_and_no_incident() -> None:
    after = entered(at_the_dealers_cards(), Typist(Card("6d"), Card("5d"), Card("6d"), Card("3d")))
    assert after.card(Token(None, "dealer 1")) is Card("3d")


def test_a_card_that_is_not_in_the_pack_is_a_wrong_card() -> None:
    round = toy("bands").start((ONE,)).after(place(ONE, "ante")).after(Close())
    while not isinstance(round.next, Turn):
        round = round.after(round.next.among[0] if isinstance(round.next, Read) else DEALT)
    stopped = entered(round, Typist(Card("Ks"), Card("Ks")))
    assert [e.kind for e in stopped.effects if isinstance(e, Incident)] == [WRONG_CARD]


def test_a_decision_is_nothing_to_enter() -> None:
    with pytest.raises(TypeError):
        entered(toy("bands").start((ONE,)), Typist())
