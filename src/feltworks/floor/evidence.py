"""The round as evidence in a dispute (F-19): for whom it can be disputed, by what the records say of who had chips in
it."""

from feltworks.floor.accounts import is_patron
from feltworks.floor.actors import Actor
from feltworks.floor.following import paced
from feltworks.floor.house import House
from feltworks.floor.past_round import MOST_FOLDED, Moment, find_over, moments, seat_of
from feltworks.floor.recall import event_of
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.disputes import ProvenClaim, claimed

LEFT = b'"patron left"'
"""What stands in the bytes of every event by which a patron leaves; the others need not be read for it."""


def claim_for(
    house: House, store: Reader, table: str, number: int, text: str, actor: Actor, seat: int | None = None
) -> ProvenClaim:
    """The claim of somebody about a round that is over: a player's own, or the staff's for who had chips at a seat."""
    played = find_over(house, store, table, number) if number > 0 else None
    if played is None:
        raise Refused("Only a round that is over can be disputed; choose one from the table's history.")
    if seat is None:  # what is refused anyway needs no look at the records
        claimed(house.live(table).table.pending, cmd.Claim(number, 0, actor.id, text), actor, number, sits=True)
    round = moments(house, store, played)
    if seat is None:
        own = seat_of(actor.id, round)
        if own is None:
            raise Refused(f"You had no chips in round {number}; only who played a round can dispute it.")
        return ProvenClaim(table, cmd.Claim(number, own, actor.id, text), actor)
    player = _player_at(seat, round)
    if player is None:
        raise Refused(f"Nobody had chips at seat {seat} in round {number}.")
    if is_patron(player) and _has_left(store, table, played.last, seat):
        player = ""
    return ProvenClaim(table, cmd.Claim(number, seat, player, text), actor)


def _player_at(seat: int, round: list[Moment]) -> str | None:
    with_chips = [moment.before for moment in round if seat in moment.before.seats and moment.before.has_chips(seat)]
    return with_chips[0].seats[seat].player if with_chips else None


def _has_left(store: Reader, table: str, since: int, seat: int) -> bool:
    """Whether the patron of a seat has left it since; after too long nobody looks, and it counts as left."""
    for record in paced(store.read(table, since, since + MOST_FOLDED)):
        if LEFT in record.event and isinstance(event := event_of(record), ev.PatronLeft) and event.seat == seat:
            return True
    return store.head(table)[0] > since + MOST_FOLDED
