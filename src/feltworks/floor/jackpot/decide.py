"""What a command to a progressive jackpot makes happen, or why it is refused. Pure: what the accounts hold, and the
jackpot that takes over what is left, are passed in."""

from collections.abc import Iterable

from msgspec import UNSET

from feltworks.floor.accounts import Cents, money
from feltworks.floor.jackpot import commands as cmd
from feltworks.floor.jackpot import events as ev
from feltworks.floor.jackpot.at_table import Funds, shortage
from feltworks.floor.jackpot.meter import Meter
from feltworks.floor.jackpot.terms import check_terms
from feltworks.floor.refusal import Refused

MOST_TABLES, MOST_PLAYED = 500, 100
LONGEST_REASON = 400
MOST = 10**12


def decide(
    meter: Meter | None,
    command: cmd.Command,
    funds: Funds,
    heir: Meter | None = None,
    keep: Iterable[ev.InPlay] = (),
) -> tuple[ev.Event, ev.JackpotInherited | None]:
    """The event that a command makes happen, and what happens to the jackpot that takes over what is left."""
    if isinstance(command, cmd.OpenJackpot):
        if meter is not None:
            raise Refused("There is a jackpot of that id already; choose another one.")
        check_terms(command.terms)
        return ev.JackpotOpened(command.terms), None
    if meter is None:
        raise Refused("There is no such jackpot; open it first.")
    if meter.closed and not isinstance(command, cmd.UnlinkTable):
        raise Refused(f"{meter.terms.name} is closed: {meter.closed}")
    match command:
        case cmd.ChangeJackpot(terms):
            check_terms(terms, meter.meter)
            if terms == meter.terms:
                raise Refused("The jackpot has these terms already.")
            if terms.played != meter.terms.played:
                raise Refused("The hands, the pays and the wager of a jackpot stay as they are; open another jackpot.")
            return ev.JackpotChanged(terms, tuple(keep)), None
        case cmd.SeedJackpot():
            return _seeded(meter, command), None
        case cmd.LinkTable():
            return _linked(meter, command), None
        case cmd.UnlinkTable(table, reason):
            if table not in meter.tables:
                raise Refused(f"{table[:40]} is not linked to {meter.terms.name}.")
            return ev.TableUnlinked(table, _said(reason, "Say why the table is unlinked.")), None
        case cmd.AdjustJackpot():
            return _adjusted(meter, command, funds), None
        case cmd.CloseJackpot():
            return _closed(meter, command, funds, heir)


def _said(text: str, wanted: str) -> str:
    said = text.strip()
    if not said or len(said) > LONGEST_REASON:
        raise Refused(f"{wanted[:-1]}, in at most {LONGEST_REASON} characters.")
    return said


def _seeded(meter: Meter, command: cmd.SeedJackpot) -> ev.JackpotSeeded:
    if command.meter < 0 or command.reserve < 0 or not 0 < command.meter + command.reserve <= MOST:
        raise Refused("Put a positive amount into the meter, the reserve or both; for less there are adjustments.")
    if meter.meter + command.meter > meter.terms.maximum:
        raise Refused(
            f"With that the meter would stand at {money(meter.meter + command.meter)}, above its maximum of"
            f" {money(meter.terms.maximum)}."
        )
    if not meter.is_seeded and command.meter < meter.terms.seed:
        raise Refused(f"{meter.terms.name} begins with its seed of {money(meter.terms.seed)}; put that much in.")
    return ev.JackpotSeeded(command.meter, command.reserve, _said(command.reason, "Say what the money is for."))


def _linked(meter: Meter, command: cmd.LinkTable) -> ev.TableLinked:
    """D-19: only what has the same hands, pays, wager, rule for folded hands and chances."""
    name = meter.terms.name
    if command.table not in meter.tables and len(meter.tables) >= MOST_TABLES:
        raise Refused(f"{MOST_TABLES} tables are linked to {name} already.")
    if command.table in meter.tables and command.played in meter.played:
        raise Refused(f"{command.table} plays for {name} by these settings already.")
    if command.played.wager != meter.wager:
        raise Refused(
            f"The wager for {name} is {money(meter.wager)}, and at this table {money(command.played.wager)}; it is one"
            " amount for everybody (D-13)."
        )
    if command.played in meter.played:
        return ev.TableLinked(command.table, command.played)
    if command.compared is UNSET:
        raise Refused(
            f"{command.played.game} is set otherwise at this table than {name} is played for; ask the laboratory"
            " whether hands, pays and chances are the same (D-19)."
        )
    if not command.compared.same:
        raise Refused(f"This table cannot share {name} (D-19): {'; '.join(command.compared.differences)}.")
    if len(meter.played) >= MOST_PLAYED:
        raise Refused(f"{name} is played for by {MOST_PLAYED} settings already; take one of them.")
    return ev.TableLinked(command.table, command.played, command.compared)


def _adjusted(meter: Meter, command: cmd.AdjustJackpot, funds: Funds) -> ev.JackpotAdjusted:
    """F-24: for one of the listed reasons. What leaves the meter stays the players', in the reserve, unless it is the
    house's own seed; what nobody is shown may be taken out of the reserve."""
    cents, why = command.cents, command.why
    note = _said(command.note, "Say what was found, and where it is documented.")
    if not cents or abs(cents) > MOST:
        raise Refused("Say by how much.")
    if cents > 0 and why != "display fault":
        raise Refused("Only a display that has shown too little lifts a meter; give the amount below nothing.")
    if short := shortage(meter, funds):
        raise Refused(f"The money behind {meter.terms.name} is {money(short)} short; put that back first (F-37).")
    if cents > 0:
        if meter.meter + cents > meter.terms.maximum:
            raise Refused(f"That is above the maximum of {money(meter.terms.maximum)}.")
        return ev.JackpotAdjusted(why, note, cents, 0, -cents)
    match why:
        case "non-displayed funds removed":
            _check_enough(-cents, meter.reserve, "the reserve")
            return ev.JackpotAdjusted(why, note, 0, cents, -cents)
        case "seed recovered":
            _check_enough(-cents, meter.lent, "what the house has put in as the seed and not recovered")
            _check_enough(-cents, meter.meter - meter.terms.seed, "what the meter has above its seed")
            return ev.JackpotAdjusted(why, note, cents, 0, -cents)
        case "above the maximum":
            _check_enough(-cents, meter.meter - meter.terms.seed, "what the meter has above its seed")
        case "display fault":
            _check_enough(-cents, meter.meter, "the meter")
    return ev.JackpotAdjusted(why, note, cents, -cents, 0)


def _check_enough(cents: Cents, there: Cents, what: str) -> None:
    if cents > there:
        raise Refused(f"{money(cents)} is more than {what}: {money(max(0, there))}.")


def _closed(
    meter: Meter, command: cmd.CloseJackpot, funds: Funds, heir: Meter | None
) -> tuple[ev.JackpotClosed, ev.JackpotInherited | None]:
    """The house only keeps the players' money; what is left of it goes to another jackpot."""
    reason = _said(command.reason, "Say why it is closed.")
    if short := shortage(meter, funds):
        raise Refused(f"The money behind {meter.terms.name} is {money(short)} short; put that back first (F-37).")
    left = meter.meter + meter.reserve
    if not command.heir:
        if left > meter.lent:
            raise Refused(
                f"{money(left - meter.lent)} of what is in {meter.terms.name} was not put there as its seed; name the"
                " jackpot to which it goes."
            )
        return ev.JackpotClosed(reason, "", meter.meter, meter.reserve), None
    if heir is None or heir.closed or heir.id == meter.id:
        raise Refused(f"There is no other open jackpot {command.heir[:40]!r} that could take over what is left.")
    into = min(meter.meter, max(0, heir.terms.maximum - heir.meter))
    over = meter.meter - into
    closed = ev.JackpotClosed(reason, heir.id, into, meter.reserve, over)
    return closed, ev.JackpotInherited(meter.id, into, over + meter.reserve, min(meter.lent, into))
