"""One course of a round: as a table plays it, and beside it as others know it, step by step.

At a table nobody knows a card that is turned to one seat alone, so the round is answered with HIDDEN. Whoever simulates
it knows every card. The laboratory sees the cards of one seat, forgets what the rules say may be forgotten, and leaves
out suits that do not matter. All of them must be asked the same, and settle the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Self

from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import FaultyRules, FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.rule_faults import fault_of
from feltworks.kit.steps import ALL, HIDDEN, Answer, Choose, Read, Settlement, Turn
from feltworks.kit.time_limit import OutOfTime
from feltworks.lab.card_classes import CardClasses
from feltworks.lab.check.deals import Deal
from feltworks.lab.check.findings import fault_at, retold

ME = Seat(1)
UNKNOWN = "at a table, which does not know a card that is turned to one seat alone"
TELLS_ONE_SEAT = "a table cannot tell it, because the card is HIDDEN from everybody else; turn it to all before that"


@dataclass(frozen=True)
class Course:
    """Where a course is: the round of the table, the same round for who knows every card, and for the laboratory."""

    game: Game
    table: Round
    deal: Deal
    known: Round | None = None
    """From the first card on that is turned to one seat alone."""
    lab: Round | None = None
    lab_cards: dict[Token, Any] = field(default_factory=dict)
    """Cards that have changed places in the laboratory."""
    classes: CardClasses = field(default_factory=CardClasses)

    @classmethod
    def start(cls, game: Game, seats: tuple[int, ...], deal: Deal, classes: CardClasses, carry: Any = None) -> Self:
        table = game.start(seats, carry=carry)
        lab = game.start(seats, carry=carry, tracked=False) if _has_lab(game, classes) else None
        return cls(game, table, deal, None, lab, {}, classes)

    def parted(self) -> Self:
        return replace(self, deal=self.deal.parted(), lab_cards=self.lab_cards.copy())

    def take(self, answer: Answer) -> Self:
        """The course after an answer of the table's round. What is refused leaves it as it is; whatever differs between
        the rounds is a fault."""
        step, table = self.table.next, self.table
        try:
            after = _after(self.game, table, answer)
        except FaultyRules as fault:
            if fault.kind == "fails" and self._goes_on(step, answer):
                raise retold(fault, "card of one seat", UNKNOWN, "turn it to all before a rule looks at it") from fault
            raise
        known = self._known_after(step, answer)
        if known is not None:
            self._compare(after, known, _hidden_differs)
        lab = self._lab_after(step, answer, after)
        if after.effects:
            self.deal.happened(after.effects)
        return replace(self, table=after, known=known, lab=lab)

    def _known_after(self, step: Any, answer: Answer) -> Round | None:
        """The round of who knows every card; it parts from the table's where a card is turned to one seat."""
        round = self.known
        if isinstance(step, Turn) and step.to is not ALL and answer is HIDDEN:
            round, answer = round or self.table, self.deal.card(step.token)
        return None if round is None else _after(self.game, round, answer)

    def _goes_on(self, step: Any, answer: Answer) -> bool:
        """Whether the round does not fail for who knows every card."""
        try:
            return self._known_after(step, answer) is not None
        except FeltworksError:
            return False

    def _lab_after(self, step: Any, answer: Answer, after: Round) -> Round | None:
        round = self.lab
        if round is None:
            return None
        if isinstance(step, Turn):
            answer = self._lab_card(round, step)
        elif isinstance(step, Read):
            card = self.lab_cards.get(step.token) or self.deal.card(step.token)
            answer = next(cards for cards in step.among if card in cards)
        try:
            gone_on = _after(self.game, round, answer)
        except FaultyRules as fault:
            if fault.kind == "sealed card":
                raise FaultyRules(
                    f"{_head(fault)} looks at a card that `forgotten` names; leave it out there, or keep what counts of"
                    " it in a fact of the round.",
                    kind="forgotten",
                    place=fault.place,
                ) from fault
            raise
        self._compare(after, gone_on, _lab_differs)
        ordered = gone_on.in_order()
        if ordered is not gone_on:
            self._exchange(gone_on)
        return ordered

    def _lab_card(self, round: Round, turn: Turn) -> Answer:
        if turn.to not in (ALL, ME):
            return HIDDEN
        lies = round.cards[turn.token].card
        return lies or self.classes.card(self.lab_cards.get(turn.token) or self.deal.card(turn.token))

    def _exchange(self, round: Round) -> None:
        """Sealed cards that were read change places as `in_order` lets their readings do."""
        for group in round.alike_cards():
            sealed = [t for t in group if t in round.cards and round.cards[t].card is None and round.cards[t].reading]
            cards = [(str(round.cards[t]), self.lab_cards.get(t) or self.deal.card(t)) for t in sealed]
            cards.sort(key=lambda one: one[0])
            self.lab_cards.update(zip(sealed, (card for _, card in cards), strict=True))

    def _compare(self, one: Round, other: Round, differ: Callable[["Course", Round, str], NoReturn]) -> None:
        if asked(one) != asked(other):
            differ(self, one, f"asks for {told_step(one)} here and for {told_step(other)} there")
        if (mine := settled(one)) != (theirs := settled(other)):
            differ(self, one, f"settles {told_settled(mine)} here and {told_settled(theirs)} there")


def _after(game: Game, round: Round, answer: Answer) -> Round:
    """The round after an answer; rules that go on for ever in it are a fault too."""
    try:
        return round.after(answer)
    except OutOfTime as error:
        raise fault_of(error, game) from error


def _has_lab(game: Game, classes: CardClasses) -> bool:
    """Whether the laboratory plays the round otherwise than a table."""
    own = game.round_class
    return (
        not classes.suited or own.alike_cards is not Round.alike_cards or own.forgotten is not Round.forgotten
    ) and game.fresh() is not None


def _hidden_differs(course: Course, round: Round, how: str) -> NoReturn:
    raise fault_at(round, "card of one seat", f"{how}, by a card that was turned to one seat alone; {TELLS_ONE_SEAT}")


def _lab_differs(course: Course, round: Round, how: str) -> NoReturn:
    own = course.game.round_class
    if own.alike_cards is not Round.alike_cards:
        kind, said = "alike_cards", "when cards change places that `alike_cards` names; name only such as do not matter"
    elif own.forgotten is not Round.forgotten:
        kind, said = "forgotten", "when a card is forgotten that `forgotten` names; leave it out there"
    else:
        kind, said = "suits", 'when cards have no suits; say matters = "rank and suit" of the wager in game.toml'
    raise fault_at(round, kind, f"{how}, {said}")


def _head(fault: FaultyRules) -> str:
    return str(fault).partition(" looks at ")[0]


def asked(round: Round) -> tuple[Any, ...]:
    """What the next step asks for."""
    step = round.next
    if isinstance(step, Choose):
        return Choose, step.who, tuple((option.name, option.extra) for option in step.options)
    return (step,)


def settled(round: Round) -> list[Settlement]:
    return [effect for effect in round.effects if isinstance(effect, Settlement)]


def told_step(round: Round) -> str:
    step = round.next
    if step is None:
        return "nothing"
    if isinstance(step, Choose):
        return f"a choice of {', '.join(option.name for option in step.options)}"
    token = getattr(step, "token", None)
    return f"a {type(step).__name__}{'' if token is None else f' of {token}'}"


def told_settled(settlements: list[Settlement]) -> str:
    return " and ".join(f"{s.spot} on {s.line!r}" for s in settlements) or "nothing"
