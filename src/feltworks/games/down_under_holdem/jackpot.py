"""The Jackpot wager (D-13 to D-19): on which line a hand is paid, what several awards come to, who is paid envy."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit.cards import Card
from feltworks.kit.odds import Larger, MeterShare, Odds, Pay
from feltworks.kit.paytable import PayTable
from feltworks.kit.poker import HandRank, best_hand

FLOPPED = "Player flops royal flush"
IN_SEVEN = "Royal flush in player's 7-card hand"
COMMUNITY = "Community royal flush"
ENVY = {HandRank.ROYAL_FLUSH: "Envy, royal flush", HandRank.STRAIGHT_FLUSH: "Envy, straight flush"}
"""The lines that are paid for somebody else's hand."""


def line_of(table: PayTable, hole: Sequence[Card], board: Sequence[Card]) -> str | None:
    """D-14, D-15: the one line on which a hand is paid, the first in printed order that fits it.

    Option 1 reads the hole cards and all five community cards; options 2 and 3 read the hole cards and the flop.
    """
    flopped = best_hand([*hole, *board[:3]]).category
    if FLOPPED not in table.names:
        line = flopped.label
    elif flopped is HandRank.ROYAL_FLUSH:
        line = FLOPPED
    elif best_hand(board).category is HandRank.ROYAL_FLUSH:
        line = COMMUNITY
    else:
        category = best_hand([*hole, *board]).category
        line = IN_SEVEN if category is HandRank.ROYAL_FLUSH else category.label
    return line if line in table.names else None


def pay_of(table: PayTable, line: str, community_royal: str) -> Pay:
    """D-15: what a line pays; a community royal flush may be read to pay the 5 % line if that is more."""
    pay = table.pay(line)
    if line == COMMUNITY and community_royal == "larger":
        share = table.pay(IN_SEVEN)
        if isinstance(pay, Odds) and isinstance(share, MeterShare):
            return Larger(pay, share)
    return pay


def envy_line(table: PayTable, hole: Sequence[Card], board: Sequence[Card]) -> str | None:
    """D-17: the line on which the others are paid for this hand, where the house offers envy."""
    line = ENVY.get(best_hand([*hole, *board[:3]]).category)
    return line if line in table.names else None


@dataclass(frozen=True)
class Awards:
    """What several percentage awards of one round come to: each in whole cents, in the order in which they were won;
    what the meter shows then; and what the meter did not hold, which the house pays."""

    paid: tuple[int, ...]
    meter: int
    short: int = 0


def awards(
    pays: Sequence[MeterShare | Larger], meter: int, seed: int, *, sequence: str, base: str, wager: int = 0
) -> Awards:
    """D-16: all of them are paid, one after the other, from a progressive meter of so many cents.

    A pay that is the larger of odds and a share takes nothing from the meter where the odds on the wager are more.

    `sequence` is the order in which they are paid: `paying_order`, as they were won, or `largest_first`. By the `base`
    `standing` each is a share of the meter as it then stands, which starts again from its seed after 100 %; by
    `before_round` each is a share of what it showed when the wagers of the round were sensed.
    """
    shares = [pay.share if isinstance(pay, Larger) else pay for pay in pays]
    order = list(range(len(pays)))
    if sequence == "largest_first":
        order.sort(key=lambda i: -shares[i].percent)
    paid, stands, short = [0] * len(pays), meter, 0
    for i in order:
        pay, paid[i] = pays[i], int(shares[i].of(stands if base == "standing" else meter))
        if isinstance(pay, Larger) and (by_odds := int(wager * pay.odds.returned)) >= paid[i]:
            paid[i] = by_odds
            continue
        short += max(paid[i] - stands, 0)
        stands = max(stands - paid[i], 0)
        if shares[i].percent == 100:
            stands = seed
    return Awards(tuple(paid), stands, short)


def house_awards(shares: Sequence[MeterShare], prize: int) -> tuple[int, ...]:
    """D-19: a house jackpot is a fixed prize; each winner is paid of the whole of it, and it does not change."""
    return tuple(int(share.of(Fraction(prize))) for share in shares)
