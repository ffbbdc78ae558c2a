"""What is posted with a jackpot, in words: what follows from its terms, and what the house adds (D-19, F-24)."""

from fractions import Fraction

from feltworks.floor.accounts import Cents, money
from feltworks.floor.jackpot.meter import Meter
from feltworks.floor.jackpot.statement import other_terms
from feltworks.floor.jackpot.terms import Terms


def progressive(meter: Meter, terms: Terms) -> list[str]:
    """Of a meter that rises with every wager, by the terms of a round; and how those of the next one differ (F-40)."""
    shares = terms.shares
    parts = [(shares.meter, "to the meter"), (shares.reserve, "to the reserve, from which the next seed comes")]
    if shares.house:
        parts.append((shares.house, "to the house"))
    told = [f"{percent(share)} {where}" for share, where in parts if share]
    said = f"{', '.join(told[:-1])}, and {told[-1]}" if len(told) > 1 else told[0]
    return [
        f"Of each wager of {money(meter.wager)}: {said}.",
        "The meter falls only by an award, by a wager that goes back with a void round, or by a documented adjustment.",
        "A won award is always paid in full: from the meter, then the reserve, then the house. After 100 % the meter"
        f" begins again at {money(terms.seed)}.",
        f"The meter rises to {money(terms.maximum)} at most; what would lift it higher goes to the reserve.",
        *terms.notices,
        *([f"From the next round on: {'; '.join(other_terms(terms, meter.terms))}."] if terms != meter.terms else []),
    ]


def house_prize(prize: Cents) -> list[str]:
    """Of a fixed prize (D-19; WAC 230-15-671)."""
    return [
        f"The prize is fixed at {money(prize)}: no wager lifts it, and each winner is paid the full amount.",
        "No money of players is in it. It is the house's own until it is won, and the house may remove it.",
        "It is not shared with other tables.",
    ]


def percent(share: Fraction) -> str:
    """A share in percent, to the last place where it has one."""
    hundred = 100 * share
    if hundred.denominator == 1:
        return f"{hundred} %"
    places = next((n for n in range(1, 5) if (hundred * 10**n).denominator == 1), None)
    return f"{share} of it" if places is None else f"{float(hundred):.{places}f} %"
