"""The table as the person at it sees it: what happens, told as it happens, and what their money is."""

import sys
from dataclasses import dataclass, field
from fractions import Fraction

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from feltworks.kit.cards import Card, Seat, Token
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    ALL,
    HIDDEN,
    Answer,
    Call,
    Choose,
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
    Step,
    TakeUp,
    Turn,
    WagerMoved,
)
from feltworks.terminal.drawing import FOLDED, card_text, draw_dice, draw_pay_table, draw_table, pocket_text
from feltworks.terminal.words import (
    as_booked,
    decided,
    money,
    moves_words,
    net_of,
    place_words,
    result_of,
    settled,
    statements,
)

ME = Seat(1)
WIDEST = 88
"""A table is not drawn wider than this."""


class Leave(Exception):
    """The person leaves the table, or nothing more will be typed, which is the same."""


@dataclass
class Table:
    """Follows the round with the eyes of one seat. A card turned to another seat stays sealed in `view`, so
    that nothing drawn from it can show more than this seat may see."""

    game: Game
    screen: Console
    worth: Fraction
    """The person's money: the balance and what lies on the table."""
    view: Round
    title: str = "Round 1"
    spoken: bool = False
    """Whether the person's own answers are told as well, because nobody types them."""
    things: dict[str, str] = field(default_factory=dict)
    """Where the dealer put the marker, the cup and the like last."""
    _drawn: tuple[object, ...] = ()
    _dealt: Token | None = None
    _rules: list[str] = field(default_factory=list)
    _asking: bool = False
    _interrupted: bool = False

    def __post_init__(self) -> None:
        self.statements = statements(self.game)

    @property
    def balance(self) -> Fraction:
        return self._besides(self.view)

    @property
    def lying(self) -> dict[str, Fraction]:
        """What the person has on the layout, spot by spot: wagers, and what was won and not collected."""
        found: dict[str, Fraction] = {}
        for lies in (self.view.wagers, self.view.winnings):
            for (seat, spot), amount in lies.items():
                if seat == ME:
                    found[spot] = found.get(spot, Fraction(0)) + amount
        return found

    def open(self, view: Round, title: str) -> None:
        """A round begins."""
        self.view, self.title, self._rules, self._drawn = view, title, [], ()
        self.screen.print()
        self._print(Rule(Text(title, style="bold"), align="left", style="dim"))
        self._put()
        self._tell_effects(view)

    def follow(self, step: Step, answer: Answer) -> None:
        """Something happened: look at it and tell it."""
        before = self.view
        hidden = isinstance(step, Turn) and step.to not in (ALL, ME)
        self.view = as_booked(before.after(HIDDEN if hidden else answer))
        self._put()
        self._tell(before, step, answer)
        self._dealt = step.token if isinstance(step, Deal) else None
        self._tell_effects(before)

    def draw(self, before: Round | None = None) -> None:
        """Draw the table, with the wagers as they lay before what is told now."""
        lying = before or self.view
        balance = f"balance {money(self._besides(lying))}"
        self._print(draw_table(self.view, lying.wagers, ME, self.things, balance))
        self._drawn = self._looks()

    def close(self, worth_before: Fraction) -> None:
        """The round is over: what decided it, and what it came to."""
        for rule in dict.fromkeys(self._rules):
            if rule in self.statements:
                self.say(Text(f"[{rule}] {self.statements[rule]}", style="dim"))
        result = result_of(self.worth - worth_before)
        self.say(Text(f"{self.title}: {result}. Balance {money(self.worth)}.", style="bold"))

    def read(self, prompt: str) -> str:
        """Ask the person, and wait for a line. Who ends the input or interrupts it leaves."""
        try:
            self._asking = True
            if self._interrupted:
                raise KeyboardInterrupt
            text = self.screen.input(Text.assemble((f"{prompt} ", "bold"), ("› ", "yellow")))
        except (EOFError, KeyboardInterrupt, OSError):
            self.screen.print()
            raise Leave from None
        except RuntimeError:  # there is no standard input at all
            if sys.stdin is not None:
                raise
            self.screen.print()
            raise Leave from None
        finally:
            self._asking = False
        if not sys.stdin.isatty():
            self.say(text)
        return text.strip()

    def interrupt(self, *_: object) -> None:
        """The person interrupts: at a question that is its answer, otherwise the next one is not asked. Who does it
        twice does not want to hear what comes of the wagers."""
        if self._asking or self._interrupted:
            raise KeyboardInterrupt
        self._interrupted = True

    def say(self, text: str | Text) -> None:
        self.screen.print(text if isinstance(text, Text) else Text(text))

    def show_rules(self) -> None:
        """The statements of the rules and, nearest to the prompt, the pay tables in force."""
        self.say(self.game.definition.summary)
        for name, text in self.statements.items():
            self.say(Text.assemble((f"{name}  ", "bold"), text))
        for wager in self.game.wagers.values():
            for name, title in {**wager.spots, wager.name: wager.title}.items():
                if name in self.game.pay:
                    self._print(draw_pay_table(title, self.game.pay_table(name)))

    # What is told.

    def _tell(self, before: Round, step: Step, answer: Answer) -> None:
        match step, answer:
            case Deal(token, place), _:
                next_step = self.view.next
                if not (isinstance(next_step, Turn) and next_step.token == token):
                    self._note(f"{_name(place)}: a card, face down.")
            case Turn(token, to), Card() as card if to in (ALL, ME):
                how = ":" if token == self._dealt else " turns"
                who = "You look at" if to == ME else f"{_name(before.cards[token].place.removesuffix(FOLDED))}{how}"
                self._note(Text.assemble(f"{who} ", card_text(card), f", {card.name}."))
            case Turn(_, to), _:
                self._note(f"Seat {to} looks at a card.")
            case Read(token, _), _:
                look = self.game.definition.layout.get("look")
                self._note(f"{look}: {answer}." if look else f"The reader: {token} is {answer}.")
            case Roll(), tuple(dice):
                self._print(draw_dice(self.game, dice, self.things))
            case Roll(), NoRoll(reason):
                self._note(f"No roll: {reason}.")
            case Spin(), Pocket() as pocket:
                self._note(Text.assemble("The wheel stops at ", pocket_text(self.game, pocket), "."))
            case _, Place(seat, spot, amount) if seat != ME or self.spoken:
                self._note(f"Seat {seat}: {money(amount)} on {self.game.spot_title(spot)}.")
            case _, TakeUp(seat, spot) if seat != ME or self.spoken:
                self._note(f"Seat {seat}: takes up {self.game.spot_title(spot)}.")
            case _, Collect(seat, spot):
                who = "You collect" if seat == ME else f"Seat {seat}: collects"
                self._note(f"{who} {money(before.winnings[seat, spot])} from {self.game.spot_title(spot)}.")
            case Choose(_, options), Decide(who, name) as decision if who != ME or self.spoken:
                option = next(option for option in options if option.name == name)
                said = name if isinstance(who, Role) else decided(before, option, decision)
                said = f"{step.about}, {said}" if step.about and step.about not in said else said
                self._note(f"{_name(who.value) if isinstance(who, Role) else f'Seat {who}'}: {said}.")

    def _put(self) -> None:
        """Things lie where the dealer has just put them."""
        self.things |= {e.what: e.to for e in self.view.effects if isinstance(e, Move) and isinstance(e.what, str)}

    def _tell_effects(self, before: Round) -> None:
        moves: list[tuple[str, str]] = []
        for effect in self.view.effects:
            if isinstance(effect, Move) and isinstance(effect.what, str):
                moves.append((effect.what, effect.to))
                continue
            self._tell_moves(moves)
            if isinstance(effect, Settlement):
                if self._drawn != self._looks():
                    self.draw(before)
                self._rules.append(effect.rule)
                if effect.seat == ME:
                    self.worth += net_of(effect)
            self._tell_effect(before, effect)
        self._tell_moves(moves)

    def _tell_moves(self, moves: list[tuple[str, str]]) -> None:
        """What the dealer's hands did, one thing after the other, in one line."""
        if moves:
            self._note(Text(moves_words(self.game, moves), style="dim"))
            moves.clear()

    def _tell_effect(self, before: Round, effect: Effect) -> None:
        match effect:
            case Call(text):
                self.say(Text.assemble("Dealer: ", (f"“{text}”", "italic")))
            case Move(Token() as token, to):
                lying = self.view.cards.get(token) or before.cards.get(token)
                card = lying.card if lying else None
                shown = Text("A card") if card is None else card_text(card)
                self._note(Text.assemble(shown, f" {place_words(self.game, to)}."))
            case WagerMoved(seat, spot, to, amount, rule):
                here, there = self.game.spot_title(spot), self.game.spot_title(to)
                self.say(f"Seat {seat} · {here} {money(amount)}: goes to {there} [{rule}]")
            case Settlement():
                own = effect.seat == ME
                self.say(Text(settled(self.game, effect, ME), style="bold" if own else ""))
            case Incident(kind, text):
                self.say(f"Incident: {kind} {text}".strip())

    def _note(self, text: str | Text) -> None:
        self.say(Text.assemble("  ", text))

    def _besides(self, round: Round) -> Fraction:
        """What the person has besides the wagers that lie in a round."""
        return self.worth - sum(amount for (seat, _), amount in round.wagers.items() if seat == ME)

    def _looks(self) -> tuple[object, ...]:
        """The cards that decide the person's wagers: the house's and their own."""
        cards = self.view.cards.items()
        return tuple((t, f.place, f.card, f.reading) for t, f in cards if t.owner in (None, ME))

    def _print(self, what: RenderableType) -> None:
        self.screen.print(what, width=min(self.screen.width, WIDEST))


def _name(place: str) -> str:
    return f"{place[:1].upper()}{place[1:]}"
