"""Disputes (F-19): somebody claims that a round was not played as it should have been; the round is the evidence, and
the supervisor decides by the precedence of F-05. What is decided is a new event, and so is the money that it moves.
"""

from collections.abc import Callable
from typing import NamedTuple

from feltworks.floor.accounts import Cents, is_patron, money
from feltworks.floor.actors import Actor
from feltworks.floor.precedence import PRECEDENCE
from feltworks.floor.refusal import Refused
from feltworks.floor.statutory_limits import day_of, held_win_limit
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.pending import Dispute, Pending

MOST_OPEN = 50
"""So many disputes may be open at a table."""
MOST_OPEN_EACH = 3
"""So many of them for one seat or player: what is open already is to be decided first."""
LONGEST_CLAIM, LONGEST_REASON = 500, 1_000
LARGEST_CORRECTION: Cents = 100_000_000


class ProvenClaim(NamedTuple):
    """A claim about a round in which, by the records, whoever it is for had chips: at this table, and as this person
    makes it. `evidence.claim_for` finds it there, and nothing else is taken for one."""

    table: str
    claim: cmd.Claim
    by: Actor


def claimed(pending: Pending, claim: cmd.Claim, actor: Actor, last_over: int, sits: bool) -> ev.Claimed:
    """A dispute about a round that is over; `last_over` is the last one that is. `sits` says whether a patron without
    an account for whom it is claimed is still at the seat."""
    if not 1 <= claim.round <= last_over:
        named = claim.round if abs(claim.round) < 10**9 else "of that number"
        over = f"rounds 1 to {last_over} are over" if last_over else "none is over yet"
        raise Refused(f"Round {named} cannot be disputed; {over}.")
    if is_patron(claim.player) and not sits:
        raise Refused(f"Nobody without an account sits at seat {claim.seat}.")
    text = said(claim.text, "Say what was wrong in the round.", LONGEST_CLAIM)
    same = [d for d in pending.disputes.values() if d.player == claim.player and (d.player or d.seat == claim.seat)]
    for dispute in same:
        if dispute.round == claim.round:
            raise Refused(f"Round {claim.round} is disputed already; dispute {dispute.number} is not decided yet.")
    if (claim.round, claim.seat) in pending.stands:
        raise Refused(f"Round {claim.round} was disputed for seat {claim.seat}, and what was decided stands.")
    if len(same) >= MOST_OPEN_EACH:
        raise Refused(f"{MOST_OPEN_EACH} disputes of yours are open at this table; wait until they are decided.")
    if len(pending.disputes) >= MOST_OPEN:
        raise Refused("So many disputes are open at this table that no other is taken now; speak to the supervisor.")
    return ev.Claimed(pending.claims + 1, claim.round, claim.seat, claim.player, text, actor.id)


def decided(
    pending: Pending, command: cmd.DecideDispute, actor: Actor, balance: Callable[[str], Cents], now: ev.Time
) -> ev.DisputeDecided:
    """What the supervisor decides, if nobody has before. A payout above the limit is held, whoever decides it."""
    dispute = open_dispute(pending, command.dispute)
    if dispute.player == actor.id:
        raise Refused("That is your own dispute; somebody else of the house decides it.")
    if dispute.by == actor.id:
        raise Refused("You have taken this dispute down; another supervisor decides it.")
    if command.rule not in PRECEDENCE:
        raise Refused(f"Say which rules decide it: {', '.join(PRECEDENCE)}.")
    reason = said(command.reason, "Say why: the rule that decides it, and what the round shows.", LONGEST_REASON)
    amount = command.amount
    if amount and command.decision == "rejected":
        raise Refused("A dispute that is rejected moves no money; uphold it to correct what was paid.")
    if abs(amount) > LARGEST_CORRECTION:
        raise Refused(f"A correction is at most {money(LARGEST_CORRECTION)}.")
    if amount < 0 and not dispute.player:
        raise Refused("The patron has left with the chips; nothing can be taken back.")
    if amount < 0 and -amount > (has := balance(dispute.player)):
        raise Refused(f"The player has {money(has)}; no more than that can be taken back.")
    limit = held_win_limit(day_of(now))
    held = limit is not None and amount > limit.cents
    return ev.DisputeDecided(command.dispute, command.decision, command.rule, reason, actor.id, amount, held)


def open_dispute(pending: Pending, number: int) -> Dispute:
    if number in pending.disputes:
        return pending.disputes[number]
    if 1 <= number <= pending.claims:
        raise Refused(f"Dispute {number} is decided already; the records say how, and by whom.")
    raise Refused("There is no such dispute at this table.")


def said(text: str, empty: str, most: int) -> str:
    """What somebody writes into the record, on one line."""
    plain = " ".join(text.split())
    if not plain:
        raise Refused(empty)
    if len(plain) > most:
        raise Refused(f"Say it in at most {most} characters; these are {len(plain)}.")
    if not plain.isprintable():
        raise Refused("Some of these characters cannot be shown; write it in plain text.")
    return plain
