"""Two signatures under a command (F-13): one proposes it, another person signs, and then it is decided."""

from collections.abc import Callable
from functools import partial

from feltworks.floor import administration
from feltworks.floor.actors import Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Administration
from feltworks.floor.person import Person
from feltworks.floor.refusal import Refused
from feltworks.floor.rights import check_uninvolved, has_dealer, roles_of, signing_roles
from feltworks.floor.roles import Role, listed, may_propose, may_sign, name_of, who_may_sign
from feltworks.floor.signers import ONE_HAND, are_in_one_hand
from feltworks.floor.streams import Command, Decision, States, Time, known_person, person_stream

Decide = Callable[[States, str, Command, Actor, Time], Decision]
"""What a command makes happen once it is signed."""


def propose(
    states: States, house: Administration, command: administration.Propose, actor: Actor, now: Time, decide: Decide
) -> administration.Event:
    given = command.command
    roles = signing_roles(states, command.stream, actor)
    if not may_propose(type(given), roles, has_dealer(states.of(command.stream))):
        if may_propose(type(given), roles_of(states, actor), has_dealer(states.of(command.stream))):
            raise Refused("The dealer who signs is the one who has signed on at the table.")
        raise Refused(f"{name_of(type(given)).capitalize()} is not for {listed(roles_of(states, actor))} to propose.")
    if command.action in house.waiting:
        raise Refused("That waits already.")
    if len(house.waiting) >= administration.MOST_WAITING:
        raise Refused("Too much waits for a second signature; sign or withdraw some of it first.")
    if command.expires <= now:
        raise Refused("There must be some time to sign it.")
    check_uninvolved(states, command.stream, given, actor.id)
    decide(states, command.stream, given, actor, now)  # what cannot be done now is not proposed
    return administration.Proposed(command.action, command.stream, given, actor.id, command.expires)


def sign(
    states: States, house: Administration, action: str, actor: Actor, now: Time, decide: Decide
) -> tuple[administration.Event, Decision]:
    """The command is decided as things are now, not as they were when it was proposed."""
    waiting = house.waiting.get(action)
    if waiting is None:
        raise Refused("That does not wait any more: it was signed, withdrawn, or nobody signed in time.")
    if now >= waiting.expires:
        raise Refused("The time to sign it is over; propose it again.")
    if waiting.by == actor.id:
        raise Refused("You have signed it already; the second signature is another person's.")
    proposer = states.of(person_stream(waiting.by))
    known = isinstance(proposer, Person) and not proposer.forgotten
    first = signing_roles(states, waiting.stream, by_person(waiting.by)) if known else frozenset[Role]()
    kind, dealt = type(waiting.command), has_dealer(states.of(waiting.stream))
    if not may_propose(kind, first, dealt):
        raise Refused("Whoever proposed it may not any more; withdraw it and propose it again.")
    if not may_sign(kind, first, signing_roles(states, waiting.stream, actor), dealt):
        if may_sign(kind, first, roles_of(states, actor), dealt):
            raise Refused("The dealer who signs is the one who has signed on at the table.")
        raise Refused(f"The second signature is that of {listed(who_may_sign(kind, first, dealt))}.")
    if are_in_one_hand(partial(known_person, states), waiting.by, actor.id, now):
        raise Refused(ONE_HAND)
    check_uninvolved(states, waiting.stream, waiting.command, actor.id)
    made = decide(states, waiting.stream, waiting.command, actor, now)
    return administration.ActionSigned(action, waiting.by, actor.id), made


def withdraw(states: States, house: Administration, action: str, reason: str, actor: Actor) -> administration.Event:
    waiting = house.waiting.get(action)
    if waiting is None:
        raise Refused("That does not wait any more: it was signed, withdrawn, or nobody signed in time.")
    if waiting.by != actor.id and Role.MANAGER not in roles_of(states, actor):
        raise Refused("Only whoever proposed it, or a manager, withdraws it.")
    if not reason.strip():
        raise Refused("Give the reason.")
    return administration.Withdrawn(action, reason)
