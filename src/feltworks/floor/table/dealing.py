"""How a round is dealt (F-27, F-41): by whom, from which cards, and what is shuffled when."""

from collections.abc import Collection

from msgspec import UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.actors import Actor
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import (
    Answer,
    Dealt,
    Decided,
    Hidden,
    NotRolled,
    Rolled,
    Shown,
    Spun,
    Turned,
)
from feltworks.floor.table.chance import Shuffle
from feltworks.floor.table.corrections import ONE_SEAT_ALONE
from feltworks.floor.table.duties import duty_of, only_for
from feltworks.floor.table.effects import recorded_effects
from feltworks.floor.table.evolve import started
from feltworks.floor.table.outcome import Outcome
from feltworks.kit import steps
from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import NotPossible
from feltworks.kit.jackpot_steps import NOT_LIT
from feltworks.kit.round import SHUFFLER

ENTERED = (Dealt, Turned, Hidden, Shown, Rolled, NotRolled, Spun)
"""What a person may enter, besides what the dealer or the supervisor chose."""


def check_dealer(outcome: Outcome, command: cmd.DealerCommand, actor: Actor) -> None:
    """Each duty is the program's or a person's, and never done by both. What belongs to a player or to the sealed
    source is entered by nobody."""
    settings, step = outcome.table.settings, outcome.table.step
    duty = duty_of(command, outcome.table)
    doer = settings.duty(duty)
    match command:
        case cmd.Enter(Decided(str())) | cmd.GoOn() if isinstance(step, steps.Choose):
            if step.who is steps.Role.SUPERVISOR or outcome.table.incident:
                doer = "person" if settings.has_dealer else "program"
    if (doer == "person") != actor.is_person:
        raise Refused(only_for(doer, duty, settings))
    match command:
        case cmd.Enter(Decided(str())):
            return
        case cmd.Enter(answer) if actor.is_person and not isinstance(answer, ENTERED):
            raise Refused(
                "Enter what cards, lights, dice or wheels show, or what the dealer or the supervisor chooses."
            )
        case cmd.Enter() if actor.is_person and not settings.is_physical:
            raise Refused("Cards and dice are the program's at this table; go on, and it says what they show.")


def sign_on(outcome: Outcome, dealer: str) -> None:
    if not outcome.table.settings.has_dealer:
        raise Refused("The program deals at this table; nobody signs on.")
    if outcome.table.dealer == dealer:
        raise Refused("You deal here already.")
    outcome.happen(ev.DealerCame(dealer, outcome.table.dealer))


def tick_off(outcome: Outcome, done: int) -> None:
    if not outcome.table.effects:
        outcome.round()
    there = len((outcome.table.shown or outcome.table).effects)  # what seats have chosen in secret is not counted
    if not outcome.table.done <= done <= there:
        raise Refused(f"{outcome.table.done} of {there} are ticked off; tick off so many or more, up to {there}.")
    if done > outcome.table.done or outcome.table.undo:
        outcome.happen(ev.TickedOff(done))


def start_round(outcome: Outcome, shuffle: bool, hold_over: Cents | UnsetType) -> None:
    table = outcome.table
    if table.round is not None:
        raise Refused("A round is being played.")
    if table.service == "closing":
        raise Refused(f"The table closes: {table.service_reason}")
    if table.out_of_service:
        raise Refused(f"Out of service: {', '.join(table.out_of_service)}. Release it before the next round.")
    if table.must_shuffle and not shuffle:
        raise Refused("The cards must be shuffled before this round.")
    root, size = shuffled(outcome, "round") if shuffle else (None, 0)
    round = started(table, root is not None or size > 0)
    first = recorded_effects(round.effects, table)
    outcome.happen(ev.RoundStarted(table.round_number + 1, root, size, first, hold_over), round)


def go_on(outcome: Outcome, by_person: bool) -> None:
    """What the automatic dealer does next, or whoever deals the program's own cards. Where it is the dealer's or
    the supervisor's to choose, the program takes the first option. People who deal physical cards say by it that
    they have shuffled the discards, and enter everything else."""
    table = outcome.table
    if table.is_shoe_empty:
        reshuffle(outcome, "discards")
        return
    if table.settings.is_physical:
        raise Refused("Enter what comes next; only discards that were shuffled are dealt on.")
    match table.step:
        case steps.Choose(steps.Role()) if by_person:
            raise Refused("Enter what was decided.")
        case steps.Choose(steps.Role() as role, (first, *_)):
            option = NOT_LIT if outcome.not_lit() else first.name
            outcome.answer(steps.Decide(role, option))
        case steps.Deal() | steps.Turn() | steps.Read() | steps.Roll() | steps.Spin():
            check_position(outcome)
            outcome.answer(outcome.chance.answer(table))
        case _:
            raise Refused("The dealer has nothing to do now.")


def check_position(outcome: Outcome) -> None:
    uses = steps.Deal if outcome.table.settings.is_physical else steps.Deal | steps.Roll | steps.Spin
    if isinstance(outcome.table.step, uses) and outcome.table.dealt >= outcome.table.size:
        raise NotPossible("The shoe is empty.")


def check_hidden(outcome: Outcome, answer: Answer) -> None:
    """F-14: a card that one seat alone sees is entered by nobody else, and stands in no record."""
    step = outcome.table.step
    if isinstance(step, steps.Turn) and step.to is not steps.ALL and not isinstance(answer, Hidden):
        raise Refused(ONE_SEAT_ALONE)


def shuffled(outcome: Outcome, what: Shuffle, back: Collection[Token] = ()) -> tuple[str | None, int]:
    """A new root with as many positions as there are cards: of dice and wheels there are as many rolls and spins as the
    house likes.
    What people shuffle has no root."""
    table, pack = outcome.table, outcome.table.game.fresh()
    if what == "discards" and not table.discards:
        raise NotPossible("There are no cards to shuffle.")
    left = table.size - table.dealt + len(back)
    cards = {"round": pack.total, "discards": table.discards}.get(what, left) if pack is not None else 0
    if table.settings.is_physical:
        return None, cards
    root, size = outcome.chance.shuffled(table, what, back)
    if pack is not None and size != cards:
        raise NotPossible(f"{size} cards were shuffled where there are {cards}.")
    return root, size


def renew(outcome: Outcome) -> None:
    """A new root in the middle of a round: the cards that are left with those that go back into the shuffler, or
    more rolls or spins when the last one is used."""
    if outcome.table.settings.is_physical:
        return
    answers = [event for event in outcome.events if isinstance(event, ev.Answered)]
    if any(isinstance(event.answer, Rolled | Spun) for event in answers) and outcome.table.dealt >= outcome.table.size:
        reshuffle(outcome, "rolls")
    moved = [effect for event in answers for effect in event.effects if isinstance(effect, ev.CardMoved)]
    back = [_token(effect) for effect in moved if effect.to == SHUFFLER]
    if back:
        reshuffle(outcome, "put back", back)


def reshuffle(outcome: Outcome, what: Shuffle, back: Collection[Token] = ()) -> None:
    root, size = shuffled(outcome, what, back)
    outcome.happen(ev.Reshuffled(root or "", size, discards=what == "discards"))


def _token(moved: ev.CardMoved) -> Token:
    return Token(None if moved.owner is None else Seat(moved.owner), moved.name)
