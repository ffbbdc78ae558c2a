"""Cards, dice and pockets that somebody enters as they lie on a real table."""

from collections.abc import Callable

from feltworks.kit.cards import Card
from feltworks.kit.chance import Asked
from feltworks.kit.errors import NotPossible
from feltworks.kit.incidents import NO_SPIN
from feltworks.kit.round import Round
from feltworks.kit.steps import Answer, Deal, Incident, Read, Roll, Spin, Turn

WRONG_CARD, READER_FAULT = "wrong card", "reader fault"

Ask = Callable[[Asked, str], Answer]
"""Asks somebody for the answer to a step; the text says why the last answer is not possible, or nothing."""


def entered(round: Round, ask: Ask) -> Round:
    """The round after what somebody enters for its next step.

    What is not possible is asked for again. Whoever enters the same once more means it: then the round stops for the
    supervisor, for the cards on the table are not those that the round knows of (D-10).
    """
    step = round.next
    if not isinstance(step, Deal | Turn | Read | Roll | Spin):
        raise TypeError(f"{step} is not for anybody to enter")
    refused: Answer | None = None
    why = ""
    while True:
        answer = ask(step, why)
        try:
            return round.after(answer)
        except NotPossible as error:
            why = str(error)
        if answer == refused:
            return round.report(Incident(fault_of(round, step, answer), why))
        refused = answer


def fault_of(round: Round, step: Asked, answer: Answer) -> str:
    """The spin's, if the wheel has no such pocket; the reader's, if it showed another set than the card is of; else
    the card's."""
    if isinstance(step, Spin):
        return NO_SPIN
    shown = round.cards[step.token].reading if isinstance(step, Turn) else None
    outside = shown is not None and isinstance(answer, Card) and answer not in shown
    return READER_FAULT if outside else WRONG_CARD
