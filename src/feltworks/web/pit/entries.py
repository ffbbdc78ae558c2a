"""What a dealer's console says: each command has an id and is done once, and is meant for the step that was seen.

A card that is turned says that the cards before it lie there: what is laid face down on the way is entered with it, as
commands of their own in the same group.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import msgspec
from msgspec import structs

from feltworks.floor.accounts import money
from feltworks.floor.actors import Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import played
from feltworks.floor.table.incidents import voids
from feltworks.floor.table.limits import decision
from feltworks.floor.table.running_rules import faults_of
from feltworks.floor.table.state import Table
from feltworks.kit.cards import Seat
from feltworks.kit.copies import replace
from feltworks.kit.errors import NotAllowed, NotPossible
from feltworks.kit.round import Round
from feltworks.kit.steps import Role
from feltworks.web import socket_messages
from feltworks.web.clerk import Order
from feltworks.web.hub import Client, Hub
from feltworks.web.pit.asks import Laid, can_take_up, is_patron, laid
from feltworks.web.pit.console_messages import Console, ConsoleCommand, LayCards, Said
from feltworks.web.sockets import LARGEST, answer, refuse

GONE_ON = "The table has gone on since; look what is asked for now, and enter that."
NOTHING_TO_LAY = "There is no card to lay now."
ABOUT_THE_STEP = (cmd.Enter, cmd.ChooseFor, cmd.GoOn, cmd.CloseBetting, LayCards)
"""What is meant for one step of a round, and for no other."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ConsoleCommand).decode
_decode_ping = msgspec.json.Decoder(socket_messages.PingMessage).decode


@dataclass(eq=False, slots=True)
class ConsoleClient(Client):
    """A console, the dealer who has it, and what it is told of a table."""

    dealer: str = ""
    console: Callable[[Table], Console] | None = None

    def besides(self, table: Table) -> bytes:
        return b"" if self.console is None else b',"console":' + _encode(self.console(table))


def hear(hub: Hub, client: Client, text: str | None, too_many: bool = False) -> bool:
    """Take down what a console says, or say at once why not; whether it was a command at all."""
    assert isinstance(client, ConsoleClient)
    said = _understood(text)
    if isinstance(said, str):
        refuse(hub, client, None, said)
        return False
    if isinstance(said, socket_messages.PingMessage):
        client.say(socket_messages.Pong(said.ping))
    elif too_many:
        refuse(hub, client, said.id, "That was too much at once; wait a second.")
    elif client.ended:
        refuse(hub, client, said.id, "Your session has ended; log in again.")
    else:
        client.asked += 1
        give = partial(_give, hub, client, said)
        hub.clerk.take(Order(give, partial(answer, hub, client, said.id), (client.dealer, said.id)))
    return True


def _understood(text: str | None) -> ConsoleCommand | socket_messages.PingMessage | str:
    if text is None or len(text) > LARGEST:
        return "That message is too long." if text else "Send commands as text."
    try:
        said = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return _decode_ping(text)
        return "That message is not a command this console knows."
    return said if 1 <= len(said.id) <= 60 else "A command needs an id of 1 to 60 characters."


def _give(hub: Hub, client: ConsoleClient, said: ConsoleCommand) -> int | None:
    """Decide a command of the console, after what it says is done. What was laid has no id of its own: it is done with
    the command, and with it only once."""
    house, table, actor = hub.house, client.table, by_person(client.dealer)
    if house.was_done(actor.id, said.id):
        before: list[cmd.Enter] = []
    elif said.at not in (None, len(house.table(table).answers)) and isinstance(said.command, ABOUT_THE_STEP):
        raise Refused(GONE_ON)
    else:
        with house.stopped_if_faulty(table), faults_of(house.table(table).game):
            before = _before(house, house.table(table), said.command)
    command = before.pop() if isinstance(said.command, LayCards) and before else said.command
    for entry in before:
        house.pit.deal_by_hand(table, entry, actor)
    match command:
        case LayCards():
            return None
        case cmd.Resolve():
            return _resolve(house, table, command, actor, said.id)
    return house.pit.deal_by_hand(table, command, actor, said.id)


def _before(house: House, table: Table, command: Said) -> list[cmd.Enter]:
    """What is entered before a command, because that says it: cards that were laid, and looked at by their seats. What
    would be refused is refused first, so that nothing is half done."""
    round = table.round
    if isinstance(command, cmd.CloseBetting) and round is not None:
        _check_wagers(table, round)
    if not isinstance(command, LayCards | cmd.Enter | cmd.ChooseFor):
        return []
    if round is None or round.over:
        if isinstance(command, LayCards):
            raise Refused(NOTHING_TO_LAY)
        return []
    run = laid(table) if table.settings.is_physical else Laid((), 0, "", round, False)
    if isinstance(command, LayCards) and not run.answers:
        raise Refused(NOTHING_TO_LAY)
    if isinstance(command, cmd.Enter) and not run.answers:
        return []
    try:
        match command:
            case cmd.Enter(answer):
                run.round.after(played(answer, run.round))
            case cmd.ChooseFor(seat, option, amount):
                _check_choice(house, replace(table, round=run.round), seat, option, amount)
    except NotPossible:
        pass  # the cards are laid all the same, and the table itself says why it cannot be
    except NotAllowed as refusal:
        raise Refused(str(refusal)) from None
    return [cmd.Enter(entry) for entry in run.answers]


def _check_wagers(table: Table, round: Round) -> None:
    """Chips that the dealer has entered lie there: nobody's are pushed back unseen because one entry is missing. What
    cannot be taken up goes back by the rules of the game."""
    for seat in round.playing:
        spots = [spot for owner, spot in table.wagers if owner == seat]
        if is_patron(table, seat) and any(can_take_up(table, seat, spot) for spot in spots):
            try:
                round.may_play(seat)
            except NotAllowed as refusal:
                raise Refused(f"{refusal} Or take the wagers of seat {seat} up.") from None


def _check_choice(house: House, table: Table, seat: int, option: str, amount: int | None) -> None:
    if not is_patron(table, seat):
        return  # the table says so, and nothing was laid for it
    answer = decision(table, Seat(seat), option, amount)
    assert table.round is not None
    table.round.after(answer)
    made, chips = table.round.staked(answer), house.balance_now(table.seats[seat].player)
    if made and made[2] > chips:
        raise Refused(f"That wagers {money(int(made[2]))} more; seat {seat} has {money(chips)}.")


def _resolve(house: House, table: str, command: cmd.Resolve, actor: Actor, id: str) -> int | None:
    """What the dealer decides about what was reported; where that voids the round, it waits for a second signature, and
    waits once."""
    if command.role != Role.DEALER.value:
        raise Refused("That is for the supervisor to decide.")
    at = house.table(table)
    command = structs.replace(command, report=command.report or at.report)
    if not voids(at, command.role, command.option):
        return house.pit.deal_by_hand(table, command, actor, id)
    waiting = house.administration.waiting.values()
    if not any((one.stream, one.command, one.by) == (table, command, actor.id) for one in waiting):
        house.staff.propose(table, command, actor)
    return None
