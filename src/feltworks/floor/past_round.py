"""A round that is over, played once more from its records: the table at every record, who had which seat, and the cards
that were turned to one seat alone (F-14, F-18)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.following import OVER, paced, round_records
from feltworks.floor.house import House
from feltworks.floor.journal.records import Record
from feltworks.floor.keys import BadSeal
from feltworks.floor.recall import event_of, nearest
from feltworks.floor.store.interface import PlayedRound
from feltworks.floor.store.reader import Reader
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Hidden
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.state import Table, check_rules
from feltworks.kit import steps
from feltworks.kit.cards import Card, Token
from feltworks.kit.errors import FeltworksError

MOST_FOLDED = 3_000
"""So many events are played once more at most: snapshots lie about a thousand apart."""


class TooFar(FeltworksError):
    """There is no snapshot near enough."""


@dataclass(frozen=True)
class Moment:
    """A record of the round, and the table before and after it."""

    record: Record
    event: ev.Event
    before: Table
    after: Table


@dataclass(frozen=True)
class OwnCard:
    """A card that was turned to one seat alone, with the number of the record that says so."""

    sequence: int
    token: Token
    card: Card


def find_over(house: House, store: Reader, table: str, number: int) -> PlayedRound | None:
    """Where a round stands that is over. What the file says is not enough: seats that decide together are told of it
    when all have, and until then nothing of the round is anybody's to see."""
    found = store.rounds(table, limit=1, before=number + 1)
    if not found or found[0].round != number or not is_over(house, table, number):
        return None
    for last in store.read(table, found[0].last - 1, found[0].last):
        if last.round == number and isinstance(event_of(last), OVER):
            return found[0]
    return None


def is_over(house: House, table: str, number: int) -> bool:
    """Whether the house goes on with another round, or with none, as far as everybody was told."""
    live = house.tables.get(table)
    now = None if live is None else live.table
    return now is None or number < now.round_number or (number == now.round_number and now.round is None)


def moments(house: House, store: Reader, played: PlayedRound) -> list[Moment]:
    """Every record of a round with the table before and after it, by the rules that it was played by."""
    table, public = played.stream, house.keys.public
    opened = event_of(next(store.read(table, 0, 1)))
    assert isinstance(opened, ev.Opened)
    now = nearest(store, table, played.first - 1, opened, public)
    since = now.version if now else 0
    if played.last - since > MOST_FOLDED:
        raise TooFar("The table would have to be played once more from too far back.")
    round_records(store, table, played)
    found = []
    with house.reading(store, table) as follow:
        follow(1, 1)
        follow(since + 1, played.last)
        for record in paced(store.read(table, since, played.last)):
            event, before = event_of(record), now
            if isinstance(event, ev.SettingsEvent):
                check_rules(event)
            now = evolve(before, event, record.time)
            if record.round == played.round:
                assert before is not None
                found.append(Moment(record, event, before, now))
    return found


def seat_of(player: str, played: Sequence[Moment]) -> int | None:
    """The seat at which a player had chips in a round."""
    seats = {seat for moment in played for seat, who in moment.before.seats.items() if who.player == player}
    return next((seat for seat in sorted(seats) if any(m.before.has_chips(seat) for m in played)), None)


def own_cards(house: House, store: Reader, played: Sequence[Moment], seat: int) -> list[OwnCard]:
    """The cards that were turned to a seat alone: for its player's eyes, and for whom that player shows them."""
    turned = [(moment, token) for moment in played if (token := _turned_to(seat, moment)) is not None]
    shoes = _shoes(house, store, {moment.after.positions[token][0] for moment, token in turned})
    return [OwnCard(m.record.sequence, token, shoes.card(m.after, token)) for m, token in turned]


def _turned_to(seat: int, moment: Moment) -> Token | None:
    match moment.before.step, moment.event:
        case steps.Turn(token, to), ev.Answered(Hidden()) if to == seat and token in moment.after.positions:
            return token
    return None


def _shoes(house: House, store: Reader, roots: Iterable[str]) -> SealedShoes:
    shoes = SealedShoes(house.keys)
    shoes.load(roots, store.secret)
    for root, shoe in shoes.shoes.items():
        if shoe.root != root:
            raise BadSeal("What lies sealed under a root is not what it was made for.")
    return shoes
