"""What each person at a table sees: the public table, and their own seat besides."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from feltworks.floor.accounts import Cents
from feltworks.floor.people import GRANT
from feltworks.floor.person import is_robot
from feltworks.floor.precedence import called_at
from feltworks.floor.table.events import Settled, Time
from feltworks.floor.table.settings import MOST_ROBOTS, TableSettings, standing, warnings
from feltworks.floor.table.settings_report import notices
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Card, Seat, Token
from feltworks.kit.errors import FaultyRules, NotAllowed
from feltworks.kit.felt import layout_of
from feltworks.kit.game import Game
from feltworks.kit.hands import capital
from feltworks.kit.round import DISCARD, Round
from feltworks.web import posted_messages, view_messages

_log = logging.getLogger("feltworks.hub")
Private = Mapping[Token, Card]
"""The cards that were turned to one seat alone."""
Names = Callable[[str], str]
"""What a person is called."""
MOST_NAMED = 2
"""More players than these whom a table waits for are counted, not named."""
NO_DEALER = "No dealer is at this table just now. At other tables in the lobby the program deals."
DICE = {"movements": "movements", "words": "words"}
BOXES = {"felt": "middle"}
WHEEL = {"felt": "middle", "movements": "movements", "words": "words"}
OPEN = {"felt": "middle", "cards": "card-layout"}
ROWS = {"felt": "rows", "cards": "card-layout", "movements": "movements"}
SPLIT_HANDS = {
    "felt": "hands",
    "cards": "card-layout",
    "movements": "movements",
    "rail": "player",
    "player": "player",
    "words": "words",
}
"""Which file of its folder draws which part of such a table."""


@dataclass(frozen=True)
class Allowed:
    """What keeps somebody from playing at a table, in words for them alone."""

    may_not: str = ""
    """Why they may take no seat and make no new wager; nothing if they may."""
    lost_seat: str = ""
    """Why they have lost the seat that they had."""
    decides: bool = True
    """Whether they may decide about what they have in action: a player may."""
    refused: Callable[[Cents], str] = lambda _: ""
    """Why a wager of so much would be refused, whatever it is on."""


EVERYTHING = Allowed()


def view(
    table: Table,
    player: str | None,
    names: Names,
    balance: Cents,
    private: Private,
    line: int | None = None,
    shown_seat: int | None = None,
    last: Mapping[str, Cents] | None = None,
    clock: view_messages.SessionClock | None = None,
    allowed: Allowed = EVERYTHING,
) -> view_messages.Seen:
    """The view of one person, but for its version, the time and what is posted; `player` is nobody for a spectator
    without a session, `line` the place of one who waits for a seat, `last` what they wagered last, `clock` how long
    they have played, and `allowed` what keeps them from it. Private cards are those of the person's own seat, or of
    `shown_seat`, whose player shows them. While seats decide together, each sees its own choice, and of the others'
    nothing before all have decided."""
    own = table.seat_of(player) if player else None
    shown = table.shown or table
    return view_messages.Seen(
        round=table.round_number if table.round is not None else None,
        phase=phase(table),
        message=message(table, own, names, bets=not allowed.may_not),
        deadline=table.deadline,
        dealer=_cards(shown, None, {}),
        hands=_hands(shown, shown_seat if own is None else own, private),
        dice=None if shown.dice is None else list(shown.dice),
        pocket=pocket_seen(shown.pocket),
        things=dict(shown.things),
        told=told(shown),
        seats=[
            _seat(table, seat, own, private if seat in (own, shown_seat) else {}, names)
            for seat in range(1, table.settings.seats + 1)
        ],
        you=None
        if player is None
        else _you(table, own, player, names(player), balance, line, last or {}, clock, allowed),
        shoe=None if table.root is None else view_messages.ShoeSeen(table.root, table.size, table.dealt),
    )


def about(settings: TableSettings, game: Game, now: Time) -> posted_messages.About:
    """What is posted at the table (F-04), with the law as it is at this time."""
    statements = statements_in_force(game)
    return posted_messages.About(
        id=settings.id,
        name=settings.name,
        game=game.name,
        title=game.title,
        game_version=game.version_name,
        version_title=game.version.title,
        standing=standing(settings, game).words,
        warnings=warnings(settings, game),
        venue=settings.venue,
        decks=game.decks,
        shuffling=settings.shuffling,
        chip=settings.chip,
        seats=settings.seats,
        limits=settings.limits,
        prize=settings.prize,
        jackpot=settings.jackpot or None,
        spots=[
            posted_messages.Spot(
                spot=spot,
                title=title,
                wager=wager.name,
                opens=spot in wager.opens,
                required=wager.required and not wager.any_spot and spot in wager.opens,
                comes_in=wager.comes_in and spot in wager.opens,
                needs=list(wager.needs),
                instead=list(wager.instead),
                self_service=wager.self_service,
            )
            for wager in game.wagers.values()
            for spot, title in wager.spots.items()
        ],
        pay_tables=[
            posted_messages.PayTable(
                wager=spot,
                title=game.title_of(spot),
                table=table.name,
                lines=[posted_messages.Line(line.name, str(line.pay)) for line in table],
            )
            for spot, table in game.pay.items()
            if game.offers(spot)
        ],
        readings=[
            posted_messages.Reading(
                name, value, (asked := game.definition.readings[name]).question, asked.values[value]
            )
            for name, value in game.readings.items()
            if not (rules := game.definition.readings[name].rules) or statements.keys() & rules
        ],
        notices=notices(settings, game, now),
        house_rules=[
            posted_messages.PostedRule(rule.text, called_at(game, rule.kind)) for rule in settings.house_rules or ()
        ],
        robots=MOST_ROBOTS if settings.venue == "training" else 0,
        layout=layout(game),
        fingerprint=posted_messages.Fingerprint(**game.fingerprint),
    )


def statements_in_force(game: Game) -> dict[str, dict[str, Any]]:
    """The statements of the rules that are played: not those about wagers that another version has."""
    return {
        number: said
        for number, said in game.statements.items()
        if "wagers" not in said or game.wagers.keys() & said["wagers"]
    }


def layout(game: Game) -> dict[str, Any]:
    """How the table is drawn, by its definition and its rules: its legends as the readings in force have them, and what
    of the page draws it."""
    drawn = layout_of(game)
    legends = [
        legend["of"][game.readings[legend["by"]]] if "by" in legend else legend for legend in drawn.get("legends", [])
    ]
    shown = {name: value for name, value in drawn.items() if name not in ("tour", "moves")}
    wheels = {name: {"pockets": wheel.pockets, "colours": wheel.colours} for name, wheel in game.wheels.items()}
    if wheels:
        shown = {**shown, "wheels": wheels}
    return {**shown, "legends": legends, "parts": parts(shown)}


def parts(drawn: Mapping[str, Any]) -> dict[str, str]:
    """The files of the page for a table that is drawn like this: how cards lie, how things move, what is below the
    felt, and how it is played; and where it needs them, how the felt is arranged, and how it is told in words."""
    found = {
        "cards": "felts/card-layout",
        "movements": "felts/movements",
        "rail": "table/betting",
        "player": "table/manner",
    }
    if "dice" in drawn:
        found |= {name: f"felts/dice-table/{file}" for name, file in DICE.items()}
    if "boxes" in drawn or "arc" in drawn:
        found |= {name: f"felts/dice-table/{file}" for name, file in BOXES.items()}
    if "wheels" in drawn:
        found |= {name: f"felts/wheel-table/{file}" for name, file in WHEEL.items()}
    if "grid" in drawn or any("row" in place for place in drawn.get("places", {}).values()) or _has_dice_alone(drawn):
        found |= {name: f"felts/open-table/{file}" for name, file in OPEN.items()}
    if "rows" in drawn:
        found |= {name: f"felts/rows/{file}" for name, file in ROWS.items()}
    if "hand" in drawn:
        found |= {"player": "felts/rows/player"}
    if "hands" in drawn:
        found |= {name: f"felts/split-hands/{file}" for name, file in SPLIT_HANDS.items()}
    return {part: f"{path}.js" for part, path in found.items()}


def _has_dice_alone(drawn: Mapping[str, Any]) -> bool:
    """Whether there are dice, and no boxes that say where they lie."""
    return "dice" in drawn and "boxes" not in drawn and "arc" not in drawn


def pocket_seen(pocket: steps.Pocket | None) -> view_messages.PocketSeen | None:
    return None if pocket is None else view_messages.PocketSeen(pocket.name, pocket.wheel)


def told(table: Table) -> dict[str, str]:
    """The facts of the round in words."""
    return {} if table.round is None else table.round.told


def told_until(table: Table) -> int:
    """The last event that everybody may know: what seats choose together is told when all have chosen."""
    return (table.shown or table).version


def phase(table: Table) -> view_messages.Phase:
    if table.round is None:
        return "waiting"
    if table.round.over:
        return "over"
    if table.betting:
        return "betting"
    return "deciding" if table.to_act else "dealing"


def message(table: Table, own: int | None, names: Names, *, bets: bool = True) -> str:
    """One short sentence: what the table waits for. `bets`: whether whoever reads it may make a new wager."""
    joins = _joins(table, own) if bets else ""
    said = f"{_waits_for(table, own, names, bets)}{joins}{_changes(table)}"
    match table.service:
        case "paused":
            return f"The table is paused: {table.service_reason}"
        case "closed":
            return f"The table is closed: {table.service_reason}"
        case "closing" if phase(table) in ("betting", "over"):
            return f"{said} The table closes after this round."
    return said


def _changes(table: Table) -> str:
    """F-40: what is posted and holds from the next round on."""
    return "" if table.change is None else f" From the next round: {'; '.join(table.change.differences)}."


def _joins(table: Table, own: int | None) -> str:
    """When somebody plays who has a seat and nothing in this round."""
    round = table.round
    if own is None or round is None or table.betting or table.service != "open" or table.has_chips(own):
        return ""
    if any(result.seat == own for result in table.results) or any(token.owner == own for token in round.cards):
        return ""
    return f" You join the next {_next_words(table.game)}."


def _next_words(game: Game) -> str:
    if game.definition.pack is not None:
        return "round"
    return "spin" if game.wheels else "roll"


def _waits_for(table: Table, own: int | None, names: Names, bets: bool) -> str:
    people_deal = table.settings.has_dealer
    match phase(table):
        case "waiting" if table.out_of_service:
            return f"Out of service: {', '.join(table.out_of_service)}. The next round waits until it is released."
        case "waiting":
            if not table.seats and (table.dealer or not people_deal):
                return "A round starts when somebody takes a seat."
            if not people_deal:
                return "The next round is about to start."
            return "The dealer starts the next round." if table.dealer else NO_DEALER
        case "over":
            return "The round is over."
        case "betting":
            assert table.round is not None
            if own is not None and bets and Seat(own) not in table.round.playing:
                return "Betting is open. Place your bet."
            return "Betting is open. You roll." if told(table).get("shooter") == f"seat {own}" else "Betting is open."
        case "deciding":
            assert isinstance(table.step, steps.Choose)
            rolls, about = any(o.name == "roll" for o in table.step.options), table.step.about
            if own in table.to_act:
                return "Your roll." if rolls else f"Your decision{about and f': {about}'}."
            acting = [names(table.seats[seat].player) for seat in sorted(table.to_act) if seat in table.seats]
            who = f"{len(acting)} players" if len(acting) > MOST_NAMED else " and ".join(acting)
            return f"{who} to {'roll' if rolls else 'act'}." if acting else "Waiting."
    if isinstance(table.step, steps.Choose) and isinstance(table.step.who, steps.Role):
        about = table.step.about and f" about {table.step.about}"
        return table.step.sentence or f"The {table.step.who.value} decides{about}."
    if isinstance(table.step, steps.Spin):
        return "The wheel spins."
    return "The dice are out." if isinstance(table.step, steps.Roll) else "The dealer deals."


def _seat(table: Table, seat: int, own: int | None, private: Private, names: Names) -> view_messages.SeatSeen:
    who = table.seats.get(seat)
    shown = table if seat == own or table.shown is None else table.shown
    results = _results(shown, seat)
    round = shown.round
    return view_messages.SeatSeen(
        seat=seat,
        name=names(who.player) if who else None,
        robot=who is not None and is_robot(who.player),
        you=seat == own,
        present=who.present if who else False,
        ready=who is not None and who.ready and table.betting,
        leaving=who.leaving if who else False,
        acting=seat in table.to_act,
        shooter=told(shown).get("shooter") == f"seat {seat}",
        wagers=laid_by(seat, shown.wagers),
        contract=[] if round is None else [spot for s, spot in round.wagers if s == seat and _fixed(round, s, spot)],
        winnings=laid_by(seat, shown.winnings),
        cards=_cards(shown, Seat(seat), private),
        results=results,
        net=sum(result.net for result in results) if results else None,
        round_net=shown.brought.get(seat),
    )


def _fixed(round: Round, seat: Seat, spot: str) -> bool:
    """Whether a wager stays as it is until it is decided."""
    return (seat, spot) in round.contract


def laid_by(seat: int | None, laid: Mapping[tuple[Seat, str], Fraction]) -> dict[str, Cents]:
    return {spot: int(cents) for (s, spot), cents in laid.items() if s == seat}


def _cards(table: Table, owner: Seat | None, private: Private) -> list[view_messages.CardSeen]:
    if table.round is None:
        return []
    found = []
    for token, face in table.round.cards.items():
        if token.owner == owner and face.place != DISCARD:
            card = face.card or private.get(token)
            read = face.reading.name if face.reading else None
            found.append(view_messages.CardSeen(token.name, card.text if card else None, face.place, read))
    return found


def _hands(table: Table, own: int | None, private: Private) -> list[view_messages.HandSeen]:
    """The hands of which somebody knows enough cards: of those that lie open, and of their own."""
    if table.round is None:
        return []
    lying = [(token, face) for token, face in table.round.cards.items() if face.place != DISCARD]
    known = {t: card for t, f in lying if (card := f.card or (private.get(t) if t.owner == own else None)) is not None}
    try:
        told = table.round.hands_for(known)
    except Exception as mistake:  # words decide nothing, so that rules which fail at them stop nothing
        place = mistake.place if isinstance(mistake, FaultyRules) else ""
        _note_no_words(table.settings.id, place or type(mistake).__name__)
        return []
    return [
        view_messages.HandSeen(h.owner, h.number, h.words, h.brief, [(token.owner, token.name) for token in h.counts])
        for h in told
    ]


@lru_cache(1000)
def _note_no_words(table: str, place: str) -> None:
    """A mistake is logged once, however often a table is looked at, and without a word that may name a card."""
    _log.error(
        "No hand is named at table %s: told_hands fails at %s; see felt check.", table, place, extra={"table": table}
    )


def _results(table: Table, seat: int) -> list[view_messages.Result]:
    told = zip(table.results, table.reasons, strict=True)
    return [_result(result, why) for result, why in told if result.seat == seat]


def _result(result: Settled, why: str) -> view_messages.Result:
    return view_messages.Result(
        seat=result.seat,
        spot=result.spot,
        line=result.line,
        pays=result.pays,
        stake=steps.Stake(result.stake),
        amount=result.amount,
        paid=result.paid,
        returned=result.returned,
        net=result.net,
        rule=result.rule,
        why=why,
        held=result.is_held,
    )


def last_round(table: Table, seat: int) -> view_messages.LastRound | None:
    """What became of a seat's wagers in a round that is over, as its player is told it."""
    results = _results(table, seat)
    if not results or not table.seats[seat].is_person:
        return None
    return view_messages.LastRound(
        round=table.round_number,
        wagers=laid_by(seat, table.wagers),
        results=results,
        net=sum(result.net for result in results),
        round_net=table.brought.get(seat),
    )


def _you(
    table: Table,
    own: int | None,
    player: str,
    name: str,
    balance: Cents,
    line: int | None,
    last: Mapping[str, Cents],
    clock: view_messages.SessionClock | None,
    allowed: Allowed,
) -> view_messages.You:
    down = laid_by(own, table.wagers)
    return view_messages.You(
        name=name,
        balance=balance,
        seat=own,
        line=line if own is None else None,
        staked=sum(down.values()),
        spots=[] if own is None or allowed.may_not else open_spots(table, Seat(own), down),
        last=dict(last),
        window=list(table.step.spots) if isinstance(table.step, steps.Bet) else [],
        options=[] if own is None or not allowed.decides else _options(table, Seat(own), allowed),
        about=table.step.sentence if isinstance(table.step, steps.Choose) and own in table.to_act else "",
        grant=GRANT if own is not None and _is_broke(table, own, balance) else None,
        can_ready=own is not None and bool(down) and _can_ready(table, Seat(own)),
        clock=clock,
        held=[
            view_messages.HeldWin(win.id, win.round, win.spot, win.cents)
            for win in table.wins.values()
            if win.player == player
        ],
        disputes=_disputes(table, player),
        may_not=_may_not(table, own, allowed),
        lost_seat=allowed.lost_seat if own is None else "",
    )


def _disputes(table: Table, player: str) -> list[view_messages.OwnDispute]:
    """What somebody disputes here, the newest first: nobody else is told of it."""
    found = [
        view_messages.OwnDispute(one.number, one.round, one.text, "open", "", "", 0)
        for one in table.disputes.values()
        if one.player == player
    ]
    for made in table.pending.decided:
        one = made.dispute
        if one.player == player:
            said = (made.decision, called_at(table.game, made.rule), made.reason, made.amount)
            found.append(view_messages.OwnDispute(one.number, one.round, one.text, *said))
    return sorted(found, key=lambda one: -one.dispute)


def _may_not(table: Table, own: int | None, allowed: Allowed) -> str:
    """What somebody who may not play is told, also while they still have a seat."""
    if own is None or not allowed.may_not:
        return allowed.may_not
    if allowed.decides:
        return f"{allowed.may_not} What is in action plays on, and then the seat is free."
    return f"{allowed.may_not} Leave the seat: what is in action plays on."


def _is_broke(table: Table, own: int, balance: Cents) -> bool:
    """Whether somebody has too little left to come into a round, and nothing on the table."""
    training = table.settings.venue == "training"
    return training and not table.has_chips(own) and balance < table.least_to_play


def _can_ready(table: Table, seat: Seat) -> bool:
    """Whether the table would take it that a seat is ready: not while a wager is missing that its others need."""
    if not table.betting or table.seats[seat].ready or table.service == "paused":
        return False
    assert table.round is not None
    try:
        table.round.may_play(seat)
    except NotAllowed:
        return False
    return True


def open_spots(table: Table, seat: Seat, down: Mapping[str, Cents]) -> list[view_messages.OpenSpot]:
    """Where a seat may put chips now, or take up those that lie there."""
    step, limits = table.step, table.settings.limits
    if not isinstance(step, steps.Bet) or table.seats[seat].leaving or table.service == "paused":
        return []
    return [
        view_messages.OpenSpot(
            spot=spot,
            title=table.game.spot_title(spot),
            least=limits[spot].least,
            most=limits[spot].most,
            down=down.get(spot, 0),
        )
        for spot in step.spots
        if _may_touch(table, seat, spot)
    ]


def _may_touch(table: Table, seat: Seat, spot: str) -> bool:
    round = table.round
    assert round is not None
    if (seat, spot) in round.wagers:
        return not _fixed(round, seat, spot)
    try:
        round.after(steps.Place(seat, spot, Fraction(table.settings.limits[spot].least)))
    except NotAllowed:
        return False
    return True


def _options(table: Table, seat: Seat, allowed: Allowed) -> list[view_messages.Option]:
    step = table.step
    if not isinstance(step, steps.Choose) or seat not in table.to_act or table.round is None:
        return []
    if table.service == "paused":
        return []
    found = []
    for option in step.options:
        extra = option.extra
        most = int(extra.most * table.round.stake(seat, extra.of)) if extra else 0
        least = int(extra.least * table.round.stake(seat, extra.of)) if extra else 0
        smallest = least or min(most, table.settings.chip)
        refused = allowed.refused(most) if most and allowed.refused(smallest) else ""
        found.append(view_messages.Option(option.name, option.title or capital(option.name), most, least, refused))
    return found
