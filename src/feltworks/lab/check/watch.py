"""What is looked at wherever a round waits: who is asked what, what is dealt and turned, what was settled."""

from feltworks.kit.cards import Seat
from feltworks.kit.errors import FaultyRules, FeltworksError
from feltworks.kit.round import DISCARD, WITHDRAWN, Round
from feltworks.kit.steps import ALL, Bet, Choose, Deal, Decide, Extra, Incident, Role, Settlement, Turn, WagerMoved
from feltworks.lab.check.course import Course, settled
from feltworks.lab.check.findings import Findings
from feltworks.lab.check.scenarios import Scenario
from feltworks.lab.check.seen import Seen


def watch(course: Course, scenario: Scenario, findings: Findings, seen: Seen, *, report: bool) -> None:
    """Look at the step at which a course waits; now and then something is reported there."""
    round, step, told = course.table, course.table.next, scenario.told
    match step:
        case Bet(window, spots):
            for spot in spots:
                if not course.game.has_spot(spot):
                    findings.rule(
                        "spot",
                        round,
                        f"opens {spot!r} in {window!r}, which is no spot of a wager that is offered",
                        told,
                    )
        case Deal(token) if token in round.cards:
            findings.rule("dealt twice", round, f"deals {token} twice; give each card a name of its own", told)
        case Turn(token, to) if to is not ALL and not round.shows_alone:
            findings.rule(
                "card of one seat",
                round,
                f"turns {token} to seat {to} alone; say shows_alone = True in the round, so that every seat gets a"
                " screen",
                told,
            )
        case Choose():
            _choice(course, step, findings, seen, told)
    if report:
        _incidents(round, findings, told)
        _words(course, findings, told)
        if (fault := round.cannot_be_told_apart()) is not None:
            findings.fault(fault, told)


def _choice(course: Course, choose: Choose, findings: Findings, seen: Seen, told: str) -> None:
    round, game = course.table, course.game
    names = [option.name for option in choose.options]
    seen.options.update(names)
    for name in {name for name in names if names.count(name) > 1}:
        findings.rule("option", round, f"offers {name!r} twice; give each option a name of its own", told)
    if isinstance(choose.who, Role):
        return
    first = choose.clock_choice
    if first.extra is not None and first.extra.most:
        findings.rule(
            "first option",
            round,
            f"offers {first.name!r} first, which wagers; put an option first that wagers nothing, because a clock that"
            " runs out takes the first (F-30)",
            told,
        )
    for option in choose.options:
        if option.extra is not None:
            known = game.has_spot(option.extra.spot) and game.has_spot(option.extra.of)
            if known:
                seen.made.add(option.extra.spot)
                _multiple(course, min(choose.who), option.name, option.extra, findings, told)
    if choose.neutral:
        return
    for seat in sorted(choose.who):
        if seat not in round.playing:
            findings.rule(
                "asks nobody",
                round,
                f"asks seat {seat}, which has no wager; ask the seats in self.playing, or say neutral=True",
                told,
            )
        for name, bonus in game.bonuses.items():
            if bonus.early and name in game.wagers and round.has(seat, name):
                findings.rule(
                    "early",
                    round,
                    f"asks seat {seat} before {game.wager(name).title} is settled, which says early=True; settle it"
                    " before, or leave that out",
                    told,
                )


def _multiple(course: Course, seat: Seat, name: str, extra: Extra, findings: Findings, told: str) -> None:
    """F-06: an option puts no more on a spot than game.toml says of it."""
    round, wager = course.table, course.game.wager_of(extra.spot)
    if extra.spot in wager.opens:
        return
    opened = next(iter(wager.opens))
    most = wager.multiples.get(extra.spot, 1) * round.stake(seat, opened)
    made = extra.most * round.stake(seat, extra.of)
    if round.stake(seat, opened) and made > most:
        times = made / round.stake(seat, opened)
        findings.rule(
            "limits",
            round,
            f"offers {name!r}, which puts {times} times {course.game.spot_title(opened)} on"
            f" {course.game.spot_title(extra.spot)}; say multiples = {{ {extra.spot} = {times} }} of {wager.title} in"
            " game.toml, so that a table keeps it within its limits (F-06)",
            told,
        )


def took(before: Course, after: Course, findings: Findings, seen: Seen, told: str) -> None:
    """Look at what an answer has caused."""
    seen.made.update(spot for _, spot in after.table.wagers)
    for effect in after.table.effects:
        if isinstance(effect, WagerMoved):
            seen.made.add(effect.to)
            seen.settled.add(effect.spot)
    for settlement in settled(after.table):
        seen.settled.add(settlement.spot)
        seen.cited.add(settlement.rule)
        _why(before, after, settlement, findings, told)
    seen.made.update(effect.to for effect in after.table.effects if isinstance(effect, WagerMoved))


def _why(before: Course, after: Course, settlement: Settlement, findings: Findings, told: str) -> None:
    if settlement.line == WITHDRAWN:
        return
    try:
        after.table.reason(settlement, before.table)
    except FaultyRules as fault:
        findings.fault(FaultyRules(str(fault), kind="words", place=fault.place), told)


def _words(course: Course, findings: Findings, told: str) -> None:
    """The hands as a screen tells them to everybody, and to each seat with the cards that it knows besides."""
    table, knowing = course.table, course.known or course.table
    for seat in (None, *table.seats):
        known = {
            token: face.card
            for token, face in knowing.cards.items()
            if face.card is not None and face.place != DISCARD and (seat == token.owner or table.cards[token].card)
        }
        try:
            table.hands_for(known)
        except FaultyRules as fault:
            findings.fault(FaultyRules(str(fault), kind="words", place=fault.place), told)


def _incidents(round: Round, findings: Findings, told: str) -> None:
    """Whatever may go wrong can be reported at any step, and be decided."""
    try:
        for kind in round.incidents:
            try:
                stopped = round.report(Incident(kind))
            except FaultyRules:
                raise
            except FeltworksError:
                continue  # a game says what it wants to know of it, or that it is past
            choose = stopped.next
            if not isinstance(choose, Choose) or not isinstance(choose.who, Role):
                continue
            for option in choose.options:
                after = stopped.after(Decide(choose.who, option.name))
                if option.name == "void" and (after.wagers or not after.over):
                    findings.rule(
                        "incident", after, f"does not end the round when {kind} makes it void; yield from self.void()"
                    )
    except FaultyRules as fault:
        findings.fault(fault, told)
