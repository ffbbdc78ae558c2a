"""A round as text: every step, answer, effect and settlement in plain words, and the books at the end."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from feltworks.kit.cards import Card, CardSet, Seat, Token
from feltworks.kit.game import Game, game_of
from feltworks.kit.odds import HALF
from feltworks.kit.round import OUT_OF_SERVICE, Round
from feltworks.kit.standing import Standing, of_definition
from feltworks.kit.steps import (
    ALL,
    Answer,
    Call,
    Choose,
    Close,
    Collect,
    Deal,
    Decide,
    Effect,
    Incident,
    Move,
    NoRoll,
    Place,
    Pocket,
    Read,
    Role,
    Roll,
    Settlement,
    Spin,
    Stake,
    Step,
    TakeUp,
    Turn,
    WagerMoved,
)

Happening = tuple[Step | None, Answer | Incident, Round]
"""A step, its answer and the round after it, as `walk` gives them; an incident reported answers no step."""

ZERO = Fraction(0)
MOST_NAMED = 20
"""Of a wager on more spots their number is told."""


def transcript(
    start: Round,
    happenings: Iterable[Happening],
    meter: Fraction | None = None,
    *,
    headed: bool = True,
    standing: Standing | None = None,
) -> str:
    """A round from its first step to its last. `meter` is what a jackpot meter shows. A round that follows on another
    one of the same game needs no header; one that was played at a table has the table's standing there."""
    lines = [*(header(start, standing) if headed else ()), *_lying(start, "  lies there: "), ""]
    lines += [f"     {_effect(effect, game_of(start), meter)}" for effect in start.effects]
    books, before = Books.opened(start, meter), start
    for number, (step, answer, round) in enumerate(happenings, start=1):
        books.book(before, answer, round)
        lines.append(f"{number:>3}. {_happened(step, answer, before)}{_unseen(before, round)}")
        told = [effect for effect in round.effects if effect != answer]
        lines += [f"     {_effect(effect, game_of(round), meter)}" for effect in told]
        before = round
    return "\n".join([*lines, "", *books.lines(before), *_carried(before), ""])


def header(start: Round, standing: Standing | None = None) -> Iterator[str]:
    """What is played: the game as it is configured, how it stands to its approval, and the fingerprint of its
    definition."""
    game = game_of(start)
    standing = standing or of_definition(game)
    yield f"{game.title}, {game.version.title}"
    yield f"  standing: {standing.words}"
    yield from (f"    {line}" for line in standing.details)
    yield f"  definition: {game.fingerprint['definition'][:12]}"
    if start.unseen is not None:
        yield f"  decks: {game.decks}, {start.unseen.total} cards unseen"
    for name, value in game.readings.items():
        yield f"  reading: {name} = {value}"
    for wager in game.wagers.values():
        spots = [*wager.spots.values()]
        named = ", ".join(spots) if len(spots) <= MOST_NAMED else f"{len(spots)} spots"
        yield f"  wager: {wager.title}{f' ({named})' if len(spots) > 1 else ''}"
    for spot, table in game.pay.items():
        if game.offers(spot):
            lines = "; ".join(f"{line.name} {line.pay}" for line in table)
            yield f"  pay table {table.name} of {game.title_of(spot)}: {lines}"
    yield f"  seats: {', '.join(map(str, start.seats))}"


@dataclass
class Books:
    """What each seat had on the table, has put there and got back, and apart from that what the house has won."""

    meter: Fraction | None = None
    lay: dict[Seat, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    put: dict[Seat, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    back: dict[Seat, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    house: Fraction = ZERO

    @classmethod
    def opened(cls, start: Round, meter: Fraction | None = None) -> "Books":
        """The books of a round, with what lies there from the one before."""
        books = cls(meter)
        for lying in (start.wagers, start.winnings):
            for (seat, _), amount in lying.items():
                books.lay[seat] += amount
        return books

    def book(self, before: Round, answer: Answer | Incident, after: Round) -> None:
        if not isinstance(answer, Incident) and (made := before.staked(answer)):
            self.put[made[0]] += made[2]
        if isinstance(answer, TakeUp):
            self.back[answer.seat] += before.stake(answer.seat, answer.spot)
        if isinstance(answer, Collect):
            self.back[answer.seat] += before.winnings[answer.seat, answer.spot]
        for effect in after.effects:
            if isinstance(effect, Settlement):
                net = effect.net(self.meter)
                if effect.stake is not Stake.STAYS:
                    self.back[effect.seat] += net + effect.amount
                elif not after.game.wager_of(effect.spot).self_service:
                    self.back[effect.seat] += net
                self.house -= net

    def lines(self, last: Round) -> Iterator[str]:
        total = ZERO
        for seat in last.seats:
            left = sum((amount for (s, _), amount in last.wagers.items() if s == seat), ZERO)
            won = sum((amount for (s, _), amount in last.winnings.items() if s == seat), ZERO)
            net = self.back[seat] + left + won - self.put[seat] - self.lay[seat]
            total += net
            lay = f"{_number(self.lay[seat])} lay there, " if self.lay[seat] else ""
            lies = (f", {_number(left)} still lies" if left else "") + (f", {_number(won)} won lies" if won else "")
            put, back = _number(self.put[seat]), _number(self.back[seat])
            yield f"Seat {seat}: {lay}put down {put}, got back {back}{lies}; {_result(net)}."
        yield f"House: {_result(self.house)}."
        check = "they sum to 0" if total + self.house == 0 else "THEY DO NOT SUM TO 0"
        yield f"Books: seats {_signed(total)}, house {_signed(self.house)}; {check}."


def _carried(last: Round) -> Iterator[str]:
    """What goes into the next round, if there is one."""
    if not last.over:
        return
    yield from _lying(last, "Left lying: ")
    facts = {name: value for name, value in last.carry.items() if name not in last.left_up}
    if facts:
        yield f"Carried: {', '.join(f'{name} = {value}' for name, value in facts.items())}."


def _lying(round: Round, begins: str) -> Iterator[str]:
    """The wagers on the layout, and what has been won there and not been collected."""
    for seat, spot in sorted({**round.wagers, **round.winnings}):
        amounts = [_number(round.stake(seat, spot))] if round.stake(seat, spot) else []
        if (seat, spot) in round.winnings:
            amounts.append(f"{_number(round.winnings[seat, spot])} won")
        yield f"{begins}seat {seat} has {' and '.join(amounts)} on {game_of(round).spot_title(spot)}."


# In words.


def _happened(step: Step | None, answer: Answer | Incident, before: Round) -> str:
    game = game_of(before)
    match step, answer:
        case _, Incident():
            return _incident(answer, game)
        case _, Place(seat, spot, amount):
            return f"Seat {seat} puts {_number(amount)} on {game.spot_title(spot)}."
        case _, TakeUp(seat, spot):
            amount = before.stake(seat, spot)
            return f"Seat {seat} takes {_number(amount)} up from {game.spot_title(spot)}."
        case _, Collect(seat, spot):
            amount = before.winnings[seat, spot]
            return f"Seat {seat} collects {_number(amount)} from {game.spot_title(spot)}."
        case _, Close():
            return "Betting is closed."
        case Deal(token, place), _:
            return f"Deal {_token(token)} face down to {place}."
        case Turn(token, to), _:
            to_whom = "to all" if to is ALL else f"to seat {to} alone"
            return f"Turn {_token(token)}, {to_whom}{_card(answer)}."
        case Read(token, among), CardSet():
            return f"Read {_token(token)}, {_either(s.name for s in among)}: {answer.name}."
        case Roll(dice), _:
            return f"Roll {dice} dice: {_dice(answer)}."
        case Spin(), Pocket(name):
            return f"Spin the wheel: {name}."
        case Choose(_, options) as step, Decide(who, name):
            chooser = f"The {who.value}" if isinstance(who, Role) else f"Seat {who}"
            made = before.staked(answer)
            bet = f", {_number(made[2])} on {game.spot_title(made[1])}" if made else ""
            about = f" ({step.about})" if step.about else ""
            return f"{chooser} chooses {_either(option.name for option in options)}{about}: {name}{bet}."
    raise TypeError(f"{answer!r} does not answer {step!r}")


def _effect(effect: Effect, game: Game, meter: Fraction | None) -> str:
    match effect:
        case Call(text):
            return f'"{text}"'
        case Move(what, to):
            if isinstance(what, Token):
                return f"Move {_token(what)} to {to}."
            return f"{what[:1].upper()}{what[1:]}: {marker_words(game, {what: to}) or to}."
        case Incident():
            return _incident(effect, game)
        case WagerMoved(seat, spot, to, amount, rule):
            return f"Seat {seat} · {game.spot_title(spot)} {_number(amount)} · goes to {game.spot_title(to)} [{rule}]"
        case Settlement(seat, spot, line, pay, stake, amount, rule):
            net = effect.net(meter)
            pays = f"{line} pays {pay}" if pay is not None and net else line
            if str(pay) == str(HALF):
                pays = f"{line} loses half"
            lies = " and the win lies there" if game.wager_of(spot).self_service else ""
            stays = f", the wager stays{lies}" if stake is Stake.STAYS else ""
            wager = f"{game.spot_title(spot)} {_number(amount)}"
            return f"Seat {seat} · {wager} · {pays} · {_result(net, 'push')}{stays} [{rule}]"


def _incident(incident: Incident, game: Game) -> str:
    text = f", {incident.text}" if incident.text else ""
    seat = f", seat {incident.seat}" if incident.seat is not None else ""
    spots = f", {_either(map(game.spot_title, incident.spots))}" if incident.spots else ""
    amount = f", {_number(incident.amount)}" if incident.amount is not None else ""
    return f"Incident: {incident.kind}{text}{seat}{spots}{amount}."


def _unseen(before: Round, after: Round) -> str:
    """How many cards are unseen now, if that has changed."""
    if after.unseen is None or after.unseen == before.unseen:
        return ""
    return f" ({after.unseen.total} unseen)"


def _token(token: Token) -> str:
    return token.name if token.owner is None else f"seat {token.owner}'s {token.name}"


def _card(answer: Any) -> str:
    return f": {answer.name}" if isinstance(answer, Card) else ""


def _dice(answer: Any) -> str:
    return f"no roll, {answer.reason}" if isinstance(answer, NoRoll) else " and ".join(map(str, answer))


def _either(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def _result(net: Fraction, none: str = "comes out even") -> str:
    if not net:
        return none
    return f"wins {_number(net)}" if net > 0 else f"loses {_number(-net)}"


def _signed(net: Fraction) -> str:
    return f"{'+' if net > 0 else '-' if net < 0 else ''}{_number(abs(net))}"


def _number(amount: Fraction) -> str:
    """Whole or with its decimals; a fraction that has no end stays one."""
    return f"{float(amount):,.12g}" if 10**6 % amount.denominator == 0 else str(amount)


WORDS = {"taken": "Take {what}.", "pushed back": "Push {what} back.", OUT_OF_SERVICE: "Put {what} out of service."}
"""What is done with a thing where a game has no words of its own for it."""


def move_words(game: Game, what: str, to: str) -> str:
    """What the dealer does when a thing is put somewhere or a signal is made, in a sentence. A game gives its own in
    `layout.moves`: by the thing and the beginning of where it goes, with `{rest}` for what follows (Y-33, Y-34)."""
    words = game.definition.layout.get("moves", {}).get(what, {})
    begins = max((start for start in words if to.startswith(start)), key=len, default=None)
    if begins is None:
        done = WORDS.get(to, f"{{what}}: {marker_words(game, {what: to}) or to}.").replace("{what}", what)
        return done[:1].upper() + done[1:]
    return str(words[begins]).replace("{rest}", to.removeprefix(begins))


def marker_words(game: Game, things: Mapping[str, str]) -> str:
    """What the marker says, where a game has one: "NO", or "YES on 6" (Y-31)."""
    boxes = game.definition.layout.get("boxes", {})
    place = things.get(boxes.get("marker", ""), "")
    return f"{boxes['on']} on {place}" if place in boxes.get("of", ()) else place
