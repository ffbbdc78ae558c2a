"""What of a table's settings may change while it is open, and what differs in words (F-40)."""

from collections.abc import Collection, Iterator

from feltworks.floor.refusal import Refused
from feltworks.floor.statutory_limits import dollars
from feltworks.floor.table.settings import DOES, DUTIES, TableSettings
from feltworks.kit.game import Game

FIXED = {"id": "id", "game": "game", "venue": "venue", "is_physical": "source of cards and dice"}
"""What stays as it was when the table was opened, and what it is called."""


def check_change(old: TableSettings, new: TableSettings, taken: Collection[int]) -> None:
    """Refuse what cannot change at an open table: then another one is opened."""
    for setting, title in FIXED.items():
        if getattr(old, setting) != getattr(new, setting):
            raise Refused(f"The {title} of a table cannot change; close it and open another one.")
    if new.seats < max(taken, default=0):
        raise Refused(f"Seat {max(taken)} is taken, so that the table keeps at least {max(taken)} seats.")


def differences_between(old: TableSettings, before: Game, new: TableSettings, after: Game) -> Iterator[str]:
    """What is not as it was, each in a few words that fit after "From the next round:". The order does not depend on
    that of the settings, which a record does not keep."""
    if new.name != old.name:
        yield f"the table is called {new.name}"
    if after.version_name != before.version_name:
        yield f"the game is played {after.version.title}"
    if after.decks != before.decks:
        yield f"{after.decks} deck{'s' * (after.decks != 1)}"
    yield from (f"{wager.title} is not offered" for name, wager in before.wagers.items() if name not in after.wagers)
    yield from (f"{wager.title} is offered" for name, wager in after.wagers.items() if name not in before.wagers)
    for spot in (spot for wager in after.wagers.values() for spot in wager.spots if spot in new.limits):
        if (limits := new.limits[spot]) != old.limits.get(spot):
            more = f" to {dollars(limits.most)}" if limits.most > limits.least else ""
            yield f"{after.spot_title(spot)} takes {dollars(limits.least)}{more}"
    for name, table in after.pay.items():
        if after.offers(name) and table.lines != before.pay[name].lines:
            yield f"{after.title_of(name)} pays {', '.join(f'{line.pay} for {line.name}' for line in table)}"
    for name, value in after.readings.items():
        if value != before.readings.get(name):
            yield f"{name}={value}: {after.definition.readings[name].values[value]}"
    if new.prize != old.prize:
        yield "no house jackpot" if new.prize is None else f"the house jackpot is {dollars(new.prize)}"
    if new.jackpot != old.jackpot:
        yield f"the table plays for the jackpot {new.jackpot}" if new.jackpot else "no progressive jackpot"
    yield from _payout_limits(old, new, after)
    if new.seats != old.seats:
        yield f"{new.seats} seat{'s' * (new.seats != 1)}"
    if (new.shuffling, new.penetration, new.burn) != (old.shuffling, old.penetration, old.burn):
        cut = f"a shoe with {new.penetration} % penetration and {new.burn} burnt"
        yield f"the cards come from {'a continuous shuffler' if new.shuffling == 'shuffler' else cut}"
    if (new.chip, new.rounding) != (old.chip, old.rounding):
        yield f"the smallest chip is {dollars(new.chip)}, and pays are rounded to the {new.rounding}"
    for duty in DUTIES:
        if (doer := new.duty(duty)) != old.duty(duty):
            yield f"{'a person' if doer == 'person' else 'the program'} {DOES[duty]}"
    for name in sorted(new.equipment):
        if new.equipment[name] != old.equipment.get(name):
            yield f"{name}: {new.equipment[name]}"
    if (new.house_rules or ()) != (old.house_rules or ()):
        yield "the house rules are others"
    if (new.conditions or ()) != (old.conditions or ()):
        yield "the recorded conditions of the approval are others"
    if (new.clocks, new.pace, new.idle) != (old.clocks, old.pace, old.idle):
        yield "the clocks or the pace are others"


def _payout_limits(old: TableSettings, new: TableSettings, game: Game) -> Iterator[str]:
    before, after = old.payout_limits or {}, new.payout_limits or {}
    for name in filter(game.offers, game.pay):
        if name in after and after[name] != before.get(name):
            yield f"{game.title_of(name)} pays at most {dollars(after[name])} in a round to all seats together"
        if name in before and name not in after:
            yield f"{game.title_of(name)} has no payout limit"
