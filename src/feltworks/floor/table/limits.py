"""The limits of a wager: those of its spot and of the law, whole chips, and what the player has (F-06, F-07)."""

from fractions import Fraction

from feltworks.floor.accounts import Cents, money
from feltworks.floor.refusal import Refused
from feltworks.floor.statutory_limits import day_of, most_by_law
from feltworks.floor.table.events import Time
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Seat

LARGEST_AMOUNT: Cents = 100_000_000
"""No amount above this is looked at, whatever the limits are."""


def check_limits(table: Table, seat: Seat, spot: str, amount: Cents, balance: Cents, now: Time) -> None:
    """Refuse an amount that may not be added to a spot, and say what would be allowed."""
    limits = table.settings.limits.get(spot)
    if limits is None:
        raise Refused(f"There is no spot {spot!r} at this table.")
    title = table.game.spot_title(spot)
    if amount <= 0 or amount > LARGEST_AMOUNT:
        raise Refused(f"Place between {money(limits.least)} and {money(limits.most)} on {title}.")
    check_whole_chips(table, amount)
    assert table.round is not None
    total = int(table.round.stake(seat, spot)) + amount
    if total > limits.most:
        raise Refused(f"{title} takes at most {money(limits.most)}; you would have {money(total)}.")
    law = most_by_law(table.game, spot, table.settings.venue, table.settings.chip, day_of(now))
    if law is not None and total > law.most:
        raise Refused(f"{title} takes at most {money(law.most)} today: {law.reason}.")
    if total < limits.least:
        raise Refused(f"{title} takes at least {money(limits.least)}.")
    if amount > balance:
        raise Refused(f"You have {money(balance)}; that is less than {money(amount)}.")


def decision(table: Table, seat: Seat, option: str, amount: Cents | None) -> steps.Decide:
    """What a seat decides, with the amount where the option leaves a choice of it: as much as there may be, in whole
    cents, where none is given."""
    step, answer = table.step, steps.Decide(seat, option, None if amount is None else Fraction(amount))
    if table.round is not None:
        table.round.refuse(answer)
    if table.round is None or not isinstance(step, steps.Choose) or seat not in table.to_act:
        raise Refused("It is not your turn.")
    extra = next((o.extra for o in step.options if o.name == option), None)
    if extra is not None:
        base = table.round.stake(seat, extra.of)
        least, most = int(extra.least * base), int(extra.most * base)
        if amount is not None and not least <= amount <= most:
            between = money(least) if least == most else f"{money(least)} to {money(most)}"
            raise Refused(f"{option.capitalize()}: wager {between} here.")
        if amount is None and extra.least < extra.most:
            return steps.Decide(seat, option, Fraction(most))
    return answer


def check_whole_chips(table: Table, amount: Cents) -> None:
    if amount % table.settings.chip:
        raise Refused(f"Wagers are in whole chips of {money(table.settings.chip)}.")
