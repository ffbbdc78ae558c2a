"""Events in plain words, for whoever reads the records. What lies sealed is in no event; digests, salts and openings
are proofs for a program to check, and are left out here (F-14)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import UNSET

from feltworks.floor import administration as house
from feltworks.floor import person, player_limits
from feltworks.floor.accounts import money
from feltworks.floor.actors import Actor
from feltworks.floor.exclusion import entry
from feltworks.floor.jackpot import events as jackpot
from feltworks.floor.jackpot.statement import words_of
from feltworks.floor.streams import Event
from feltworks.floor.table import answers
from feltworks.floor.table import events as table
from feltworks.floor.times import shown
from feltworks.kit.hands import capital

PLAYER = "player:"
"""How the account of a player begins."""


class Group(NamedTuple):
    """Events that somebody looks for together."""

    title: str
    shapes: tuple[type, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """What its events are called in records."""
        return tuple(dict.fromkeys(kind_of_shape(shape) for shape in self.shapes))


GROUPS = {
    "rounds": Group(
        "Rounds: wagers, cards, decisions",
        (
            *(table.RoundStarted, table.Readied, table.Answered, table.TickedOff, table.Reshuffled, table.RoundEnded),
            *(table.TakenBack, table.Corrected),
        ),
    ),
    "incidents": Group(
        "Incidents, disputes, void rounds",
        (table.Reported, table.Released, table.Claimed, table.DisputeDecided, table.Voided),
    ),
    "seats": Group(
        "Seats and dealers",
        (
            *(table.Sat, table.Left, table.PatronSat, table.PatronLeft, table.Unseated, table.Presence),
            *(table.DealerCame, table.DealerLeft),
        ),
    ),
    "tables": Group(
        "Tables opened, paused, closed",
        (
            *(table.Opened, table.Paused, table.Resumed, table.Closing, table.TableClosed, table.Reopened),
            *(table.Abandoned, table.Succeeded, table.ClocksRestarted),
        ),
    ),
    "settings": Group("Settings changed", (table.ChangePosted, table.ChangeWithdrawn, table.SettingsChanged)),
    "money": Group(
        "Held wins, money outside the tables",
        (table.WinReleased, person.Granted, house.Booked, house.OldBooked, player_limits.MovedOutside),
    ),
    "jackpots": Group(
        "Jackpots: meters, awards, seeds",
        (
            *(jackpot.JackpotOpened, jackpot.JackpotChanged, jackpot.JackpotSeeded),
            *(jackpot.TableLinked, jackpot.TableUnlinked, jackpot.Registered, jackpot.RegistrationsReturned),
            *(jackpot.AwardEntered, jackpot.Awarded, jackpot.AwardTakenBack),
            *(jackpot.JackpotAdjusted, jackpot.JackpotClosed, jackpot.JackpotInherited),
        ),
    ),
    "signatures": Group("Two signatures", (house.Proposed, house.ActionSigned, house.Withdrawn, house.Lapsed)),
    "people": Group(
        "People and their roles",
        (
            *(house.Admitted, house.OldJoined, house.SetUpOffered, house.StaffChanged),
            *(person.Joined, person.Renamed, person.RolesGiven, person.Kept, person.Forgotten),
        ),
    ),
    "sessions": Group(
        "Sessions and passwords",
        (person.SessionOpened, person.SessionEnded, person.PasswordSet, person.CodeGiven, person.CodeGivenBy),
    ),
    "protection": Group(
        "Limits, barring, self-exclusion",
        (
            *(player_limits.LimitSet, player_limits.DayBegan, person.Barred, person.Unbarred),
            *(entry.Excluded, entry.ExclusionLifted, entry.MatchDecided),
            *(house.ExclusionsImported, house.ExclusionsRemoved, house.BreachNoted),
        ),
    ),
    "due": Group("Deadlines, checks of the code", (house.BecameDue, house.DueDone, house.CodeChecked)),
    "records": Group("Clock, keys, older records", (house.ClockJumped, house.KeyChanged, house.Migrated)),
}
"""Every event is in one of them: `told` says in which words."""


def kinds_of(name: str) -> tuple[str, ...]:
    """The kinds of events that a group has, or the kind that is called so itself; nothing where there is none."""
    if name in GROUPS:
        return GROUPS[name].kinds
    return (name,) if any(name in group.kinds for group in GROUPS.values()) else ()


@dataclass(frozen=True)
class Words:
    """How persons, spots, tables and moments are called."""

    name: Callable[[str], str]
    """Of a person, by id."""
    spot: Callable[[str], str]
    """Of a place to bet at the table that the event is of."""
    table: Callable[[str], str]
    time: Callable[[int], str] = shown


def told(event: Event, words: Words) -> list[str]:
    """What happened, in a line, and what came with it, each in another."""
    if isinstance(event, table.Event):
        lines = _of_table(event, words)
    elif isinstance(event, jackpot.Event):
        lines = iter([f"{words_of(event)}."])
    else:
        lines = _of_person(event, words) if isinstance(event, person.Event) else _of_house(event, words)
    # One that has no words here is told by its name: what is in it may be nobody's to read.
    return list(lines) or [f"{capital(kind_of_shape(type(event)))}."]


def kind_of_shape(shape: type) -> str:
    """What a command or an event is called, whatever version its shape has."""
    tag = getattr(shape, "__struct_config__").tag  # noqa: B009 - what the records call it
    return str(tag).partition("/")[0]


def who_did(actor: str, words: Words) -> str:
    """Who did it."""
    try:
        by = Actor.parse(actor)
    except ValueError:
        return actor
    if by.is_person:
        return words.name(by.id)
    return {"dealer": "the program, as dealer", "house": "the program"}.get(by.id, f"the program, {by.id}")


def _of_table(event: table.Event, words: Words) -> Iterator[str]:
    match event:
        case table.Opened(settings, definition, _, _, predecessor):
            after = f" It takes the place of {words.table(predecessor)}." if predecessor else ""
            how = f"{settings.game}, {settings.seats} seats, {settings.venue}"
            yield f"The table {settings.name} is opened: {how}.{after}"
            yield f"Definition {definition[:16]}."
        case table.Sat(seat, player):
            yield f"{words.name(player)} sits down at seat {seat}."
        case table.Left(seat, why):
            yield f"Seat {seat} is left{f': {why}' if why else ''}."
        case table.PatronSat(seat, chips):
            yield f"Somebody without an account sits down at seat {seat} with {money(chips)} in chips."
        case table.PatronLeft(seat, chips):
            yield f"Somebody without an account leaves seat {seat} with {money(chips)} in chips."
        case table.Unseated(seat):
            yield f"Seat {seat} is the house's again as soon as nothing of it is in action."
        case table.Presence(seat, present):
            yield f"Seat {seat} is {'back' if present else 'away'}."
        case table.RoundStarted(number, root, size, effects, hold_over):
            shoe = f" with {size} cards or rolls fixed before it" if root and size else ""
            yield f"Round {number} begins{shoe}."
            if hold_over is not UNSET:
                yield f"A payout over {money(hold_over)} is held until it is verified."
            yield from _effects(effects, words)
        case table.Readied(seat):
            yield f"Seat {seat} is ready."
        case table.Answered(answer, effects):
            yield _answer(answer, words)
            yield from _effects(effects, words)
        case table.Reshuffled(_, size, discards):
            yield f"{'The discards' if discards else 'What is not dealt yet'} was fixed anew: {size} cards or rolls."
        case table.RoundEnded(number, openings):
            yield f"Round {number} is over.{_opened(sum(len(o.positions) for o in openings))}"
        case table.Voided(number, reason, returned, openings):
            yield f"Round {number} is void: {reason}"
            yield from _effects(returned, words)
            if opened := _opened(sum(len(o.positions) for o in openings)):
                yield opened.strip()
        case table.Reported(incident, text, seat, spots, amount):
            where = f" at seat {seat}" if seat is not None else ""
            yield f"Reported{where}: {incident}.{f' {text}' if text else ''}"
            if spots or amount is not None:
                sum_ = f" {money(amount)}" if amount is not None else ""
                yield f"About {', '.join(map(words.spot, spots)) or 'a wager'}{sum_}."
        case table.Released(what, reason):
            yield f"{capital(what)} may be used again: {reason}"
        case table.WinReleased(win, by):
            who = words.name(by) if by else "the program, which deals this training table"
            yield f"The held win {win} is verified by {who}, and paid."
        case table.Claimed(number, disputed, seat, player, text):
            whose = f" for {words.name(player)}" if player else ""
            yield f"Dispute {number} about round {disputed}, seat {seat}{whose}: {text}"
        case table.DisputeDecided(number, decision, rule, reason, by, amount, held):
            yield f"Dispute {number} is {decision} by {words.name(by)}, by {rule}: {reason}"
            if amount:
                yield f"Correction: {money(abs(amount))} is {_moved(amount, held)}."
        case table.DealerCame(dealer, relieved):
            after = f" and relieves {words.name(relieved)}" if relieved else ""
            yield f"{words.name(dealer)} signs on as the dealer{after}."
        case table.DealerLeft(dealer):
            yield f"{words.name(dealer)} signs off."
        case table.TickedOff(done):
            yield f"The dealer has carried out {done} of what the round has caused."
        case table.TakenBack(entry, effects):
            yield f"Entry {entry} of the round is taken back."
            yield from _all_effects(effects, words)
        case table.Corrected(entry, answer, reason, _, effects):
            yield f"Entry {entry} of the round is corrected: {reason}"
            if isinstance(answer, answers.NoWager):
                yield "There was no wager."
            else:
                yield f"It is now: {_answer(answer, words)}"
            kept = len(effects) - 1
            yield f"{kept} later {'answer stays' if kept == 1 else 'answers stay'} as given."
            yield from _all_effects(effects, words)
        case table.ClocksRestarted():
            yield "The house was away: every clock of the table begins anew."
        case table.Paused(reason):
            yield f"The table is paused: {reason}"
        case table.Resumed():
            yield "The table goes on."
        case table.Closing(reason):
            yield f"The table closes after this round: {reason}"
        case table.Reopened():
            yield "The table is open again."
        case table.ChangePosted(_, differences):
            yield "Other settings are posted, and not in force yet."
            yield from (f"{capital(difference)}." for difference in differences)
        case table.ChangeWithdrawn(reason):
            yield f"The settings that were posted are withdrawn{f': {reason}' if reason else '.'}"
        case table.SettingsChanged(_, definition):
            yield "The settings that were posted are in force."
            yield f"Definition {definition[:16]}."
        case table.TableClosed(reason, back):
            yield f"The table is closed: {reason}"
            yield from _handed_back(back, words)
        case table.Abandoned(reason, back):
            yield f"The table is closed for good: {reason}"
            yield from _handed_back(back, words)
        case table.Succeeded(by):
            yield f"{words.table(by)} takes the place of this table."


def _moved(amount: int, held: bool) -> str:
    return "held until it is verified" if held else "paid to the player" if amount > 0 else "taken back"


def _answer(answer: answers.Answer, words: Words) -> str:
    match answer:
        case answers.Placed(seat, spot, amount):
            return f"Seat {seat} puts {money(amount)} on {words.spot(spot)}."
        case answers.TakenUp(seat, spot):
            return f"Seat {seat} takes {words.spot(spot)} up."
        case answers.Collected(seat, spot):
            return f"Seat {seat} collects what {words.spot(spot)} has won."
        case answers.Closed():
            return "Betting is closed."
        case answers.Dealt():
            return "A card is dealt, face down."
        case answers.Turned(card):
            return f"A card is turned: {card}."
        case answers.Hidden():
            return "A card is turned to one seat alone."
        case answers.Shown(set):
            return f"The reader shows: {set}."
        case answers.Rolled(faces):
            return f"The dice show {' '.join(map(str, faces))}."
        case answers.NotRolled(reason):
            return f"No roll: {reason}"
        case answers.Spun(pocket=pocket):
            return f"The wheel stops at {pocket}."
        case answers.Decided(who, option, amount):
            chooser = f"Seat {who}" if isinstance(who, int) else f"The {who}"
            return f"{chooser} decides: {option}{f', {money(amount)}' if amount is not None else ''}."


def _effects(effects: tuple[table.Effect, ...], words: Words) -> Iterator[str]:
    for effect in effects:
        match effect:
            case table.Called(text):
                yield f"The dealer says: “{text}”"
            case table.Moved(what, to):
                yield f"{capital(what)}: {to}."
            case table.CardMoved(owner, name, to):
                whose = f" of seat {owner}" if owner is not None else ""
                yield f"The card “{name}”{whose} goes to: {to}."
            case table.WagerMoved(seat, spot, to, amount, rule):
                yield f"Seat {seat}, {words.spot(spot)} {money(amount)}: goes to {words.spot(to)}. {rule}".strip()
            case table.Settled(seat, spot, line, pays, stake, amount, paid, returned, rule, held):
                got = f"pays {money(paid)} ({pays})" if paid else "pays nothing"
                back = f", {money(returned)} goes back" if returned else ""
                end = ", the stake is taken" if stake == "taken" else ""
                end += ", and the win is held until it is verified" if held is True else ""
                yield f"Seat {seat}, {words.spot(spot)} {money(amount)}: {line}, {got}{back}{end}. {rule}".strip()


def _all_effects(effects: tuple[tuple[table.Effect, ...], ...], words: Words) -> Iterator[str]:
    for one in effects:
        yield from _effects(one, words)


def _opened(cards: int) -> str:
    opened = "1 card or roll is" if cards == 1 else f"{cards} cards or rolls are"
    return f" {opened} opened, for anybody to check." if cards else ""


def _handed_back(back: tuple[table.HandedBack, ...], words: Words) -> Iterator[str]:
    for one in back:
        yield f"{words.name(one.player)} gets {money(one.wagers + one.winnings)} back."


def _of_person(event: person.Event, words: Words) -> Iterator[str]:
    match event:
        case person.Joined(_, robot, demo):
            yield "A robot of the house joins." if robot else f"Joins{' for a demonstration' if demo else ''}."
        case person.Renamed():
            yield "Has another name."
        case person.Granted(cents, reason):
            yield f"Is granted {money(cents)}: {reason}."
        case person.SessionOpened(_, expires):
            yield f"A session begins, until {words.time(expires)}."
        case person.SessionEnded():
            yield "A session ends."
        case person.Forgotten(reason):
            yield f"What could identify this person was removed: {reason}"
        case person.RolesGiven(roles):
            yield f"Is {', '.join(roles)} from now on." if roles else "Is a player from now on."
        case person.PasswordSet(_, parameters):
            yield f"Has a new password, hashed with {parameters}."
        case person.CodeGiven(_, expires):
            yield f"Is given a one-time code, good until {words.time(expires)}."
        case person.CodeGivenBy(_, expires, by):
            yield f"Is given a one-time code by {words.name(by)}, good until {words.time(expires)}."
        case person.Kept(what):
            yield f"Something is kept outside the journal: {what}."
        case person.Barred(reason, at):
            yield f"Is barred from {words.table(at) if at else 'the house'}: {reason}"
        case person.Unbarred(reason, at):
            yield f"May play at {words.table(at) if at else 'every table'} again: {reason}"
        case player_limits.LimitSet(what, value, at):
            yield f"Has a limit of their own from {words.time(at)} on: {_limit(what, value, words)}."
        case player_limits.DayBegan(cents):
            yield f"Makes the first wager of the day, with {money(cents)}."
        case player_limits.MovedOutside(cents):
            yield f"{money(abs(cents))} {'comes in' if cents >= 0 else 'goes out'} outside the play."
        case entry.Excluded(_, _, since, until):
            yield f"Is on the self-exclusion list from {since} {f'to {until}' if until else 'for life'}."
        case entry.ExclusionLifted(_, reason):
            yield f"Is not held to be on the self-exclusion list any more: {reason}"
        case entry.MatchDecided(_, same):
            yield f"An entry of the self-exclusion list {'is' if same else 'is not'} this person, as was decided."


def _limit(what: str, value: int | None, words: Words) -> str:
    if value is None:
        return f"none for {what}"
    if what == "loss":
        return f"a loss of {money(value)} a day"
    return f"{value // 60_000} minutes a day" if what == "time" else f"a break until {words.time(value)}"


def _of_house(event: house.Event, words: Words) -> Iterator[str]:
    match event:
        case house.Admitted(id) | house.OldJoined(id):
            yield f"{words.name(id)} is admitted."
        case house.Booked(reason, entry, payer, payee, cents):
            accounts = f"from {_account(payer, words)} to {_account(payee, words)}"
            yield f"{money(cents)} is booked {accounts} ({entry}): {reason}"
        case house.OldBooked(reason, entries):
            yield f"Booked: {reason}"
            for e in entries:
                yield f"{money(e.cents)} from {_account(e.payer, words)} to {_account(e.payee, words)} ({e.kind})."
        case house.KeyChanged(public, before):
            yield f"The house signs with another key: {public[:16]}, after {before[:16]}."
        case house.Migrated(version, heads):
            yield f"Records of version {version} go on here, {len(heads)} streams of them."
        case house.ClockJumped(by, wall):
            yield f"The wall clock jumped by {by / 1000:+,.3f} s and showed {words.time(wall)}."
        case house.CodeChecked(code, definitions, changed, differing):
            if changed or differing:
                tables = [f"the definition of {words.table(name)}" for name in differing]
                yield f"The code was checked, and is not what was loaded: {', '.join((*changed, *tables))}."
            else:
                yield "The code was checked: everything is as it was loaded."
            yield f"Hashed: {', '.join(code)}, and the definitions of {len(definitions)} tables."
        case house.BecameDue(_, what, subject, deadline, source, verified):
            yield f"Due until {words.time(deadline)}: {what} ({subject})."
            yield f"Source: {source}{'' if verified else '; not verified'}."
        case house.DueDone(id, note):
            yield f"What was due is done ({id}): {note}"
        case house.ExclusionsImported(_, rows, broken):
            lines = "1 line of its file was" if broken == 1 else f"{broken} lines of its file were"
            left_out = f"; {lines} left out" if broken else ""
            yield f"A self-exclusion list is imported, with {rows} {'entry' if rows == 1 else 'entries'}{left_out}."
        case house.ExclusionsRemoved(_, reason):
            yield f"The self-exclusion list is removed: {reason}"
        case house.BreachNoted(id, at):
            tried = f"play at {words.table(at)}" if at else "buy in"
            yield f"{words.name(id)} stands on the self-exclusion list and tried to {tried}."
        case house.SetUpOffered():
            yield "A code is offered by which the first manager comes in."
        case house.StaffChanged(id, roles, reason):
            now = f"is {', '.join(roles)} from now on" if roles else "has no role any more"
            yield f"{words.name(id)} {now}{f': {reason}' if reason else '.'}"
        case house.Proposed(action, stream, command, by, expires):
            what = f"{kind_of_shape(type(command))}, {words.table(stream)}"
            yield f"{words.name(by)} signs first, until {words.time(expires)}: {what} ({action})."
        case house.ActionSigned(action, first, second):
            yield f"{words.name(second)} signs after {words.name(first)}, and it is done ({action})."
        case house.Withdrawn(action, reason):
            yield f"What waited for a signature is withdrawn ({action}): {reason}"
        case house.Lapsed(action):
            yield f"Nobody signed in time ({action})."


def _account(account: str, words: Words) -> str:
    return f"the player {words.name(account.removeprefix(PLAYER))}" if account.startswith(PLAYER) else account
