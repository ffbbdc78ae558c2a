"""A round that is over as it was seen: the table after every record, and with a code the cards of one seat (F-14)."""

from feltworks.floor.chance.sealed import MissingSecret
from feltworks.floor.following import OVER
from feltworks.floor.house import House
from feltworks.floor.keys import BadSeal
from feltworks.floor.past_round import Moment, OwnCard, find_over, moments, own_cards, seat_of
from feltworks.floor.store.reader import Reader
from feltworks.kit.errors import FeltworksError
from feltworks.web import round_messages, view_messages, views
from feltworks.web.share_code import share_code

MOST_VIEWS = 600
"""A round of more records is told in words alone."""


def round_views(
    house: House, store: Reader, table: str, number: int, seat: int | None
) -> round_messages.RoundViews | None:
    played = find_over(house, store, table, number)
    if played is None:
        return None
    found = moments(house, store, played)
    try:
        own = own_cards(house, store, found, seat) if seat is not None else []
    except (MissingSecret, BadSeal):
        own = []
    names: dict[str, str] = {}

    def name(player: str) -> str:
        if player not in names:
            names[player] = house.people.name_in(store, player)
        return names[player]

    shown = found if len(found) <= MOST_VIEWS else []
    first = found[0].before
    return round_messages.RoundViews(
        table=views.about(first.settings, first.game, found[0].record.time),
        views=[round_messages.SeenAt(m.record.sequence, _seen(m, seat, own, name)) for m in shown],
    )


def _seen(moment: Moment, seat: int | None, own: list[OwnCard], names: views.Names) -> view_messages.Seen:
    """The last record clears the table: then it is shown as it lay there."""
    table = moment.before if isinstance(moment.event, OVER) else moment.after
    private = {card.token: card.card for card in own if card.sequence <= moment.record.sequence}
    return views.view(table, None, names, 0, private, shown_seat=seat)


def shared_cards(house: House, store: Reader, table: str, number: int, seat: int) -> round_messages.SharedCards:
    """The cards that were turned to a seat alone, or why they cannot be shown any more."""
    try:
        played = find_over(house, store, table, number)
        found = own_cards(house, store, moments(house, store, played), seat) if played else []
    except FeltworksError as problem:
        return round_messages.SharedCards(seat, [], f"The cards of seat {seat} cannot be shown any more. {problem}")
    cards = [round_messages.TurnedToSeat(card.sequence, card.token.name, card.card.text) for card in found]
    return round_messages.SharedCards(seat, cards, "")


class NotYours(FeltworksError):
    """A round in which whoever asks did not play."""


def share(house: House, store: Reader, table: str, number: int, player: str) -> round_messages.ShareCode | None:
    """What opens the cards of the seat at which a player had chips, for whomever the player gives it to."""
    played = find_over(house, store, table, number)
    if played is None:
        return None
    seat = seat_of(player, moments(house, store, played))
    if seat is None:
        raise NotYours(f"You did not play in round {number}, so you have no cards of it to share.")
    code = share_code(house.keys, table, number, seat)
    return round_messages.ShareCode(code, f"/table/{table}/round/{number}?share={code}")
