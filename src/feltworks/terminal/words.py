"""What is said at the table: amounts, settlements and the statements that decide them, in plain words."""

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from math import floor

from feltworks.floor.table import payouts
from feltworks.floor.table.events import Settled
from feltworks.floor.table.evolve import in_whole_cents
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.cards import Seat
from feltworks.kit.game import Game
from feltworks.kit.odds import HALF, PUSH
from feltworks.kit.round import Round
from feltworks.kit.steps import Decide, Option, Settlement, Stake
from feltworks.kit.transcript import marker_words

PRIZE = Fraction(10_000)
"""What the terminal's house pays where a pay table pays a share of a jackpot."""
CENTS = 100
"""Amounts are in dollars here."""
SETTINGS = TableSettings("terminal", "The terminal", "", {}, prize=int(PRIZE * CENTS))
"""How the terminal's table pays and rounds: as a table that is not told otherwise."""

_AMOUNT = re.compile(r"([0-9]{1,30}|[0-9]{1,3}(,[0-9]{3}){1,9})(\.[0-9]{1,2})?")


def money(amount: Fraction) -> str:
    """An amount of play money: 1,000 or 7.50."""
    if (amount * CENTS).denominator != 1:
        raise ValueError(f"{amount} is not a whole number of cents")
    return f"{float(amount):,.2f}".removesuffix(".00")


def read_money(text: str) -> Fraction | None:
    """An amount as a person types it, or nothing if it is none."""
    return Fraction(text.replace(",", "")) if _AMOUNT.fullmatch(text) else None


def booked(settlement: Settlement) -> Settled:
    """What a settlement comes to at this table, rounded to the cent as at every other (F-08)."""
    return payouts.settled(replace(settlement, amount=settlement.amount * CENTS), SETTINGS)


def net_of(settlement: Settlement) -> Fraction:
    return Fraction(booked(settlement).net, CENTS)


def as_booked(round: Round) -> Round:
    """The round with what lies on self-service spots in whole cents."""
    return in_whole_cents(round, [booked(e) for e in round.effects if isinstance(e, Settlement)], CENTS)


def cents_down(amount: Fraction) -> Fraction:
    """The most whole cents that are not more than an amount."""
    return Fraction(floor(amount * CENTS), CENTS)


def counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def moves_words(game: Game, moves: Iterable[tuple[str, str]]) -> str:
    """Where things were put, and what a hand did: "Dice: stacked, all four; cup · Marker: YES on 6"."""
    told = []
    for what, some in groupby(moves, key=lambda move: move[0]):
        said = (marker_words(game, {what: to}) or to for _, to in some)
        told.append(f"{what[:1].upper()}{what[1:]}: {'; '.join(said)}")
    return " · ".join(told)


def place_words(game: Game, place: str) -> str:
    """Where a card is put: "goes to the discard", "is laid in the large band", "is folded"."""
    if place.endswith("folded"):
        return "is folded"
    if found := re.fullmatch(r"(seat \d+), (hand \d+)", place):
        return f"begins {found[2]} of {found[1]}"
    words = game.definition.layout.get("rows", {}).get(place, {}).get("words")
    return f"is laid {words}" if words else f"goes to the {place}"


def option_words(round: Round, option: Option, seat: Seat) -> str:
    """An option and what it may wager: "check", "raise, 10 more", "insure, 0 to 5 more"."""
    if option.extra is None:
        return option.name
    base = round.stake(seat, option.extra.of)
    least, most = money(cents_down(option.extra.least * base)), money(cents_down(option.extra.most * base))
    return f"{option.name}, {most if least == most else f'{least} to {most}'} more"


def decided(round: Round, option: Option, decision: Decide) -> str:
    """A decision of a seat and what it wagers: "raise, 10 more"."""
    if option.extra is None:
        return option.name
    made = round.staked(decision)
    return f"{option.name}, {money(made[2])} more" if made else option.name


def settled(game: Game, settlement: Settlement, me: Seat) -> str:
    """A settlement in one line: "Seat 1 · Ante 10 · Higher card, 1 to 1: you win 10 [O-06]"."""
    spot, amount = game.spot_title(settlement.spot), money(settlement.amount)
    odds = "" if settlement.pay in (None, PUSH, HALF) else f", {settlement.pay}"
    result = _result(settlement, yours=settlement.seat == me)
    where = f"Seat {settlement.seat} · {spot} {amount}"
    return f"{where} · {settlement.line}{odds}: {result} [{settlement.rule}]"


def _result(settlement: Settlement, *, yours: bool) -> str:
    net, amount = net_of(settlement), settlement.amount
    rest = f", {money(amount)} stays" if settlement.stake is Stake.STAYS else ""
    if net > 0:
        return f"{'you win' if yours else 'wins'} {money(net)}{rest}"
    if net == -amount:
        return f"{'you lose' if yours else 'loses'} {money(amount)}"
    if net < 0:
        return f"{money(amount + net)} of {money(amount)} comes back"
    return rest.removeprefix(", ") or f"push, {money(amount)} comes back"


def result_of(net: Fraction) -> str:
    """How a round ended for the person."""
    if not net:
        return "you are even"
    return f"you win {money(net)}" if net > 0 else f"you lose {money(-net)}"


def statements(game: Game) -> dict[str, str]:
    """The text of each statement of the rules, by its id, if the game's folder tells them."""
    return {number: statement["text"] for number, statement in game.statements.items()}
