"""What is posted for everybody: the tables, their rounds, the rules (F-04, F-18)."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET

from feltworks.floor.actors import DEALER, Actor
from feltworks.floor.following import OVER, paced, round_records, wrong_about
from feltworks.floor.house import House
from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.precedence import kind_of
from feltworks.floor.recall import event_of, nearest, settings_event
from feltworks.floor.store.interface import PlayedRound
from feltworks.floor.store.reader import Reader
from feltworks.floor.table.answers import Closed, Decided, seat_of
from feltworks.floor.table.events import (
    Answered,
    Claimed,
    Corrected,
    DealerCame,
    DealerLeft,
    DisputeDecided,
    Opened,
    Released,
    Reported,
    RoundEnded,
    RoundStarted,
    TakenBack,
    TickedOff,
    WinReleased,
)
from feltworks.floor.table.settings import standing, warnings
from feltworks.floor.table.state import Table, recorded_standing
from feltworks.games import load
from feltworks.kit.felt import colour_of
from feltworks.kit.standing import Standing
from feltworks.kit.steps import Role
from feltworks.web import game_messages, lobby_messages, posted_messages, round_messages, views
from feltworks.web.edges import edges
from feltworks.web.hub import Hub
from feltworks.web.waiting import Lines
from feltworks.web.wire import wire_event

ORDER = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MOST_RECORDS = 2_000
"""A recall tells no more events of a round than these."""


def tables(
    house: House, lines: Lines | None = None, player: str | None = None, lost: Mapping[str, str] | None = None
) -> list[lobby_messages.TableListed]:
    """The tables in one order, whenever they were opened: by their games, those with an approval first, and those of a
    game by their names. `lost` says why the player has lost a seat, by table."""
    found, lines, lost = [], lines or Lines(), lost or {}
    anywhere = house.protection.may_not_play(player) if player else ""
    for table in _in_order(house):
        id, waiting = table.settings.id, len(lines.of(table.settings.id))
        may_not = house.protection.may_not_play(player, id) if player else ""
        seat, line = (table.seat_of(player), lines.place(id, player)) if player else (None, None)
        first = table.game.wagers.get("base") or next(iter(table.game.wagers.values()))
        limits = table.settings.limits.get(next(iter(first.opens), ""))
        found.append(
            lobby_messages.TableListed(
                id=id,
                name=table.settings.name,
                game=table.game.name,
                title=table.game.title,
                summary=table.game.definition.summary,
                version_title=table.game.version.title,
                standing=standing(table.settings, table.game).words,
                warnings=warnings(table.settings, table.game),
                venue=table.settings.venue,
                seats=table.settings.seats,
                taken=len(table.seats),
                occupied=sorted(table.seats),
                decks=table.game.decks,
                least=limits.least if limits else None,
                most=limits.most if limits else None,
                felt=colour_of(table.game),
                service=table.service,
                why=table.service_reason,
                edges=edges(table.game),
                waiting=waiting,
                your_seat=seat,
                your_line=line,
                offer=(offer := _offer(table, seat, line, may_not)),
                note=_note(table, offer, seat, line, waiting, "" if anywhere else may_not or lost.get(id, "")),
                dealt_by="people" if table.settings.has_dealer else "program",
            )
        )
    return found


def _in_order(house: House) -> list[Table]:
    def place(table: Table) -> tuple[Any, ...]:
        game, settings = table.game, table.settings
        return game.definition.approval is None, game.title.casefold(), game.name, _as_said(settings.name), settings.id

    return sorted((live.table for live in house.tables.values()), key=place)


def in_order_of_games(house: House) -> list[str]:
    """The ids of the tables in that order."""
    return [table.settings.id for table in _in_order(house)]


def _offer(table: Table, seat: int | None, line: int | None, may_not: str) -> lobby_messages.Offer:
    if seat is not None or line is not None:
        return "line" if seat is None else "go"
    if may_not or table.service in ("closing", "closed"):
        return "watch"
    if len(table.seats) == table.settings.seats:
        return "wait"
    return "sit" if table.service == "paused" or _lacks_dealer(table) else "play"


def _lacks_dealer(table: Table) -> bool:
    return table.settings.has_dealer and not table.dealer


def _note(table: Table, offer: lobby_messages.Offer, seat: int | None, line: int | None, waiting: int, own: str) -> str:
    """What there is to say of a table; `own` is for whoever asks alone."""
    said = {"paused": "Paused", "closing": "Closes after this round", "closed": "Closed"}.get(table.service)
    found = [f"{said}: {table.service_reason}"] if said else []
    if _lacks_dealer(table) and not said:
        found.append("No dealer is here just now.")
    if seat is not None:
        found.insert(0, f"You sit at seat {seat}.")
    elif line is not None:
        found.insert(0, f"You are {in_order(line)} in line.")
    elif offer == "wait":
        found.insert(0, f"Every seat is taken; {waiting} waiting." if waiting else "Every seat is taken.")
    return " ".join([*found, own] if own else found)


def in_order(place: int) -> str:
    return ORDER[place - 1] if place <= len(ORDER) else f"number {place}"


def _as_said(name: str) -> list[str | int]:
    """For an order in which Room 10 comes after Room 9."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", name.casefold())]


def closed(house: House) -> list[lobby_messages.TableClosed]:
    """The tables that are not played on, with the reason; that of the whole house is told once, by itself."""
    return [
        lobby_messages.TableClosed(
            id=table.id,
            name=table.settings.name if table.settings else table.id,
            why=table.why,
            successor=table.successor,
        )
        for table in house.closed.values()
        if table.why != house.fault
    ]


def not_played(house: House, table: str) -> str:
    """Why a table that there is, or was, is not played on."""
    if house.fault:
        return house.fault
    return f"This table is closed. {house.closed[table].why}" if table in house.closed else ""


def takes_nobody(house: House, table: str) -> str:
    """Why nobody can sit down at a table now, though it is there."""
    live = house.tables.get(table)
    if live is None or live.table.service not in ("closing", "closed"):
        return ""
    return f"This table is closed: {live.table.service_reason}"


def recall(house: House, store: Reader, table: str, number: int) -> round_messages.Recalled | None:
    """A round from its records. They hold what lay open, and the openings of the cards that were turned."""
    try:
        with house.reading(store, table) as follow:
            return _recall(house, store, table, number, follow)
    except msgspec.DecodeError:
        raise BrokenRecords("The records of this round were changed; run `felt verify`.") from None


def _recall(
    house: House, store: Reader, table: str, number: int, follow: Callable[[int, int], str]
) -> round_messages.Recalled | None:
    found = store.rounds(table, limit=1, before=number + 1)
    if not found or found[0].round != number:
        return None
    records = round_records(store, table, found[0], MOST_RECORDS)
    last = min(records[-1].sequence, _told_until(house, store, table, found[0]))
    if last < found[0].first:  # it is written, and nobody was told of it yet
        return None
    records = [record for record in records if record.sequence <= last]
    root, size, since = _shoe_of(store, table, number)
    unchecked = max(follow(1, 1), follow(since or found[0].first, last))
    standing, name = _standing_of(house, store, table, found[0].first, follow), partial(house.people.name_in, store)
    return round_messages.Recalled(
        round=number,
        recall=True,
        standing=standing.words,
        warnings=[*standing.details, *([unchecked] if unchecked else [])],
        root=root,
        size=size,
        records=[
            round_messages.Recorded(r.sequence, r.time, _role(r), r.hash, wire_event(r, name)) for r in paced(records)
        ],
    )


def _told_until(house: House, store: Reader, table: str, played: PlayedRound) -> int:
    """The last event that everybody may know. Of a table that is closed, nothing of a round that was never over."""
    if table in house.tables:
        return views.told_until(house.live(table).table)
    for record in store.read(table, played.last - 1, played.last):
        if record.round == played.round and isinstance(decode_event(table, record.event), OVER):
            return played.last
    return played.first


def _role(record: Record) -> round_messages.Doer:
    """Who did it, without a name: the dealer, the supervisor or a player (F-28)."""
    match decode_event(record.stream, record.event):
        case Reported() | Released() | DisputeDecided():
            return "staff"
        case WinReleased(by=by):
            return "staff" if by else "house"
        case Claimed():
            return "player"
        case Corrected():
            return "supervisor"
        case DealerCame() | DealerLeft() | TickedOff() | TakenBack() | RoundStarted() | RoundEnded():
            return "dealer"
        case Answered(Decided(str(role))) if Actor.parse(record.actor).is_person:
            return "supervisor" if Role(role) is Role.SUPERVISOR else "dealer"
        case Answered(answer) if seat_of(answer) is None and not isinstance(answer, Closed):
            return "dealer"
    actor = Actor.parse(record.actor)
    return "player" if actor.is_person else "dealer" if actor.id == DEALER.id else "house"


def _standing_of(house: House, store: Reader, table: str, before: int, follow: Callable[[int, int], str]) -> Standing:
    """How the table stood to the approval in the round that begins with this event."""
    (first,) = store.read(table, 0, 1)
    opened = event_of(first)
    assert isinstance(opened, Opened)
    known = nearest(store, table, before - 1, opened, house.keys.public)
    number, settings = settings_event(store, table, before, opened, known)
    follow(number, number)
    return recorded_standing(settings)


def _shoe_of(store: Reader, table: str, number: int) -> tuple[str | None, int, int]:
    """The root and the size of the shoe that a round began with, and the event that published them: then, or with an
    earlier round."""
    while found := store.rounds(table, limit=20, before=number + 1):
        for played in found:
            if played.round != number:
                raise wrong_about(table, number)
            (began,) = round_records(store, table, played, most=1)
            event = decode_event(table, began.event)
            if isinstance(event, RoundStarted) and event.root is not None:
                return event.root, event.size, played.first
            number -= 1
    if number:
        raise wrong_about(table, number)
    return None, 0, 0


def session(hub: Hub, player: str | None) -> lobby_messages.SessionTold:
    house = hub.house
    return lobby_messages.SessionTold(
        [
            lobby_messages.PlayedAt(
                table=name,
                name=table.settings.name,
                title=table.game.title,
                rounds=played.rounds,
                wagered=played.wagered,
                won=played.won,
                lost=played.lost,
                net=played.won - played.lost,
                biggest_win=played.biggest,
                seconds=played.time(house.clock()) // 1_000,
            )
            for name, played in hub.statistics.of(player or "").items()
            if name in house.tables
            for table in [house.live(name).table]
        ]
    )


def game(name: str, version: str | None = None) -> game_messages.GameTold:
    """A game as one of its versions is played; the approval of a version that carries none is nothing (F-01)."""
    loaded = load(name).configured(version=version)
    definition = loaded.definition
    return game_messages.GameTold(
        name=loaded.name,
        title=loaded.title,
        summary=definition.summary,
        how_to_play=list(definition.how_to_play),
        tour=msgspec.convert(definition.layout.get("tour"), game_messages.Tour | None),
        approval=msgspec.convert(
            loaded.approval and loaded.approval.model_dump(mode="json"), game_messages.Approval | None
        ),
        ask_first=list(loaded.approval.ask_first) if loaded.approval else [],
        statements=[
            game_messages.Statement(
                number,
                said["text"],
                kind_of(loaded, said.get("source", "")),
                said.get("source", UNSET),
                said.get("reading", UNSET),
            )
            for number, said in views.statements_in_force(loaded).items()
        ],
        fingerprint=posted_messages.Fingerprint(**loaded.fingerprint),
    )
