"""How long a game takes to be solved by sweeps, and whether anybody waits for it."""

from math import comb, prod

from feltworks.kit.errors import TooLarge
from feltworks.lab.patience import is_patient
from feltworks.lab.showdown.plan import Plan, choices

LONGEST = 900
"""No solution is begun that is expected to take more seconds, unless somebody waits however long it takes."""
MOST_KEPT = 2_000_000_000
"""So many bytes of decisions are kept at most."""
STEP = 6e-9
"""Seconds for one subset of one hand in a sweep, roughly."""
CONTEXT = 1e-3
"""Seconds for what comes with every sweep."""


def seconds(plan: Plan, depth: int) -> float:
    """How many seconds the sweeps take with so many draws of cards, roughly."""
    own, sealed, size = len(plan.own), len(plan.sealed), len(plan.deck)
    hands = comb(size, own) / 5 * 3 * 2**own + comb(size, sealed) * 2**sealed
    return float(_contexts(plan, depth) * (hands * STEP + CONTEXT))


def refuse_if_long(plan: Plan, depth: int, remedy: str) -> None:
    """No sweeps are begun that nobody waits for, or of which memory does not hold the decisions."""
    expected = seconds(plan, depth)
    if expected > LONGEST and not is_patient():
        raise TooLarge(f"{plan.game.title} would take about {expected / 3600:.1f} hours to solve; {remedy}.")
    hands = comb(len(plan.deck), len(plan.own))
    kept = hands * sum(_contexts(plan, plan.depth(choice)) for choice in choices(plan.root))
    if kept > MOST_KEPT:
        raise TooLarge(
            f"{plan.game.title} has about {kept / 1e9:.0f} thousand million decisions, more than memory holds;"
            f" {remedy}."
        )


def refuse_advice_if_long(plan: Plan, known: int, depth: int) -> None:
    """What can follow a situation with so many draws known is not gone through if nobody waits for it."""
    left = len(plan.deck) - len(plan.own) - sum(draw.size for draw in plan.draws[:known])
    ways = 1
    for draw in plan.draws[known:depth]:
        ways *= comb(left, draw.size)
        left -= draw.size
    expected = ways * (comb(left, len(plan.sealed)) * 2 ** len(plan.sealed) * STEP + CONTEXT)
    if expected > LONGEST and not is_patient():
        raise TooLarge(
            f"What can follow in {plan.game.title} would take about {expected / 3600:.1f} hours to go through; ask"
            " about a later decision, when more cards are known."
        )


def _contexts(plan: Plan, depth: int) -> float:
    """In about how many ways so many draws can fall that no exchange of suits makes one."""
    left = len(plan.deck) - len(plan.own)
    drawn = [draw.size for draw in plan.draws[:depth]]
    ways = prod(comb(left - sum(drawn[:place]), size) for place, size in enumerate(drawn))
    return max(1.0, ways / (24 if drawn else 1))
