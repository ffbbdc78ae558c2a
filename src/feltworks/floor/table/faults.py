"""What goes wrong at a table: it is reported, decided, released again, or the round is void."""

from msgspec import UNSET

from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.disputes import LONGEST_REASON, said
from feltworks.floor.table.evolve import incident_of
from feltworks.floor.table.limits import check_whole_chips
from feltworks.floor.table.outcome import Outcome
from feltworks.floor.table.payouts import settled, uncollected
from feltworks.kit import steps
from feltworks.kit.incidents import CARDS, DEVICE_FAULT, MOST_OUT_OF_SERVICE, device_of


def report(outcome: Outcome, report: cmd.Report) -> None:
    if outcome.table.incident:
        raise Refused(f"{outcome.table.incident.capitalize()} is not decided yet; decide that first.")
    check_whole_chips(outcome.table, report.amount or 0)
    between = outcome.table.round is None or outcome.table.round.over
    if between and report.incident == DEVICE_FAULT:
        if len(outcome.table.out_of_service) >= MOST_OUT_OF_SERVICE:
            raise Refused("So many devices are out of service at this table that one has to be released first.")
        if device_of(report.text) in outcome.table.out_of_service:
            raise Refused(f"{device_of(report.text).capitalize()} is out of service already.")
    else:
        outcome.round().report(incident_of(report))
    outcome.happen(ev.Reported(report.incident, report.text, report.seat, report.spots, report.amount))


def resolve(outcome: Outcome, command: cmd.Resolve) -> None:
    """F-28: what was reported is decided once, and by whoever has seen what it is about."""
    if not outcome.table.incident:
        raise Refused("Nothing was reported at this table.")
    if command.report not in (0, outcome.table.report):
        raise Refused("What you saw is decided already; something else was reported since. Look at the table.")
    reason = command.reason
    if reason is not UNSET:
        reason = said(reason, "Say why it is decided so.", LONGEST_REASON)
    outcome.answer(steps.Decide(steps.Role(command.role), command.option), reason)


def release(outcome: Outcome, what: str, reason: str) -> None:
    """D-10: the release is an act of its own, with its reason."""
    if what == CARDS and outcome.table.round is not None:
        raise Refused("The cards are released between two rounds; the next one begins with a shuffle of them.")
    if what not in outcome.table.out_of_service:
        raise Refused(f"{what.capitalize()} is not out of service at this table.")
    if not reason.strip():
        raise Refused("Give the reason for the release: who looked at it, and what was found.")
    outcome.happen(ev.Released(what, reason))


def void(outcome: Outcome, reason: str) -> None:
    """F-17: every wager in action goes back; what was settled stands, and what lies there of it is handed out."""
    table, round = outcome.table, outcome.round()
    if round.over:
        raise Refused("The round is settled; what is settled stands.")
    returned = [settled(round.push(seat, spot, "Void", "F-17"), table.settings) for seat, spot in round.wagers]
    returned += [uncollected(seat, spot, int(cents)) for (seat, spot), cents in round.winnings.items()]
    outcome.happen(ev.Voided(table.round_number, reason, tuple(returned), outcome.chance.openings(table)))
