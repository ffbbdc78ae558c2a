"""The round: the one object that is played at a table, solved, simulated, replayed and printed.

A game subclasses `Round`, adds its facts as fields, and writes its rules as generators of agenda items; `play`
is the whole round in the order of the document. Rounds are values: `after` gives a new one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import islice
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from feltworks.kit.cards import Card, CardSet, Seat, Token
from feltworks.kit.errors import CardNotKnown, FaultyRules, FeltworksError, NotAllowed, NotPossible
from feltworks.kit.hands import ToldHand, in_sentence
from feltworks.kit.incidents import CARDS, CARDS_SHORT, DEVICE_FAULT, EXPOSED_CARD, MISDEAL, NO_SPIN, device_of
from feltworks.kit.odds import HALF, PUSH, Odds, Pay
from feltworks.kit.played_game import PlayedGame
from feltworks.kit.rule_faults import called, fault_of, is_fault, place_of, rule_frame, rule_name
from feltworks.kit.steps import (
    ALL,
    DEALT,
    Answer,
    Bet,
    Choose,
    Close,
    Collect,
    Deal,
    Decide,
    Effect,
    Extra,
    Hidden,
    Incident,
    Item,
    Items,
    Moment,
    Move,
    NoRoll,
    Note,
    Option,
    Over,
    Place,
    Pocket,
    Read,
    Role,
    Roll,
    Rule,
    Settlement,
    Spin,
    Stake,
    Step,
    TakeUp,
    Task,
    Turn,
    WagerMoved,
    kind_of,
    task,
)
from feltworks.kit.unseen import Unseen, check_sets

T = TypeVar("T")
ZERO = Fraction(0)
DISCARD = "discard"
SHUFFLER = "shuffler"
VOID = "Void"
WITHDRAWN = "Withdrawn"
"""The line of a wager that its seat takes back by a decision: it counts as never staked."""
RETURNED, STAYS, TAKEN = Stake.RETURNED, Stake.STAYS, Stake.TAKEN
OUT_OF_SERVICE = "out of service"
"""Where a device is moved to that the table may not use until it is released."""
_ONLY_TURNED = "words are for cards that were turned"
_NOT_BEFORE = "look at the cards that were turned in the round itself, by self.card, and not in `before`"
_ONLY_KNOWN = "tell of the cards in `known` alone"
MOST_ITEMS = 10_000
"""A rule that yields more, or rules that go on for longer without a step, are taken to go on for ever."""


@dataclass(frozen=True)
class Face:
    """What a round knows of a dealt card: where it lies, the card if it was turned, the set that a reader has shown,
    the seats that have seen it, and whether it was dealt before another card went back into the shuffler."""

    place: str
    card: Card | None = None
    reading: CardSet | None = None
    """What a card reader has shown. Programs at a table know it by this name; a game's readings are something else."""
    seen_by: frozenset[Seat] = frozenset()
    earlier: bool = False

    def __str__(self) -> str:
        return str(self.card or self.reading or "sealed")


def in_place(card: Card | None, reading: CardSet | None) -> tuple[int, str]:
    """By which cards that are alike are put in order: rank and suit, or what was read of them."""
    return (card.rank, card.text) if card is not None else (0, str(reading))


class Info(NamedTuple):
    """A situation as one seat knows it: equal situations at any seat are equal, so that a strategy found for one
    seat serves every other. The solver's key."""

    options: tuple[str, ...]
    wagers: tuple[tuple[str, Fraction], ...]
    cards: tuple[tuple[str, Card | None, CardSet | None], ...]
    gone: tuple[Card, ...]
    returned: tuple[Card, ...]
    facts: tuple[Any, ...]
    alike: tuple[tuple[str, ...], ...] = ()
    """The names of cards that could change places. The solver puts them in order; a table leaves them as they lie."""


@dataclass(frozen=True)
class Round:
    """What everybody at the table knows, and what comes next. A sealed card has no identity here.

    A game adds its facts as fields with defaults; what it derives from them are plain properties and methods, since a
    new round starts as a copy of the one before.
    """

    game: PlayedGame
    seats: tuple[Seat, ...]
    unseen: Unseen | None
    agenda: tuple[Item, ...] = ()
    wagers: Mapping[tuple[Seat, str], Fraction] = field(default_factory=dict)
    contract: frozenset[tuple[Seat, str]] = frozenset()
    winnings: Mapping[tuple[Seat, str], Fraction] = field(default_factory=dict)
    """What self-service spots have won and their owners have not collected: it lies there and is not in action."""
    registered: Mapping[tuple[Seat, str], Fraction] = field(default_factory=dict)
    """The wagers that are registered with a progressive jackpot, which keeps them when they are settled. One that goes
    back because the round is void is registered no more."""
    cards: Mapping[Token, Face] = field(default_factory=dict)
    returned: tuple[tuple[Token, Card | None], ...] = ()
    dice: tuple[int, ...] | NoRoll = ()
    pocket: Pocket | None = None
    """Where the wheel has stopped that was spun last; like the dice, only the tasks that follow from it can read it."""
    effects: tuple[Effect, ...] = ()
    last_rule: Rule | None = field(default=None, compare=False, repr=False)
    """The rule that was worked off last, to be named if the round cannot end with it."""

    shuffles_within: ClassVar[bool] = False
    """F-23: whether a shoe that runs out is filled with the discards in the middle of a round even where `most_cards`
    is known, because a round hardly ever takes so many."""

    shows_alone: ClassVar[bool] = False
    """F-14: whether a round turns a card to one seat alone. Where the cards are the program's, such a seat needs a
    screen."""

    # What a game writes.

    def play(self) -> Items:
        """The whole round, in the order of the document."""
        raise FaultyRules(f"{type(self).__name__} does not say how it is played; write its `play`.")

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int | None:
        """F-23: the most cards that a round with so many seats can take; nothing where nobody has said."""
        return None

    @property
    def carry(self) -> Mapping[str, Any]:
        """The facts that go into the next round. A wager that is not settled when the round is over, and winnings that
        nobody has collected, must be among them: `left_up` has them all."""
        return {}

    @property
    def turn_over(self) -> bool:
        """Whether the seat that has the dice hands them on after this round."""
        return True

    def check(self, answer: Answer) -> None:
        """Refuse an answer in the game's own words, by its own statements, before the kit looks at it."""

    def may_close(self) -> None:
        """Refuse to close the betting: at least one seat plays, and every seat that does has what it needs."""
        if not self.playing:
            raise NotAllowed("No seat has a wager; place one before the betting is closed.")
        for seat in self.playing:
            self.may_play(seat)

    def may_play(self, seat: Seat) -> None:
        """Refuse a seat with wagers that has not made every one that is required, or one that stands instead of it; and
        where any of several is enough, a seat that has none of those."""
        for wager in self.game.wagers.values():
            missing = [s for s in wager.opens if wager.required and not self.stake(seat, s)]
            if wager.any_spot:
                missing = [wager.title] if len(missing) == len(wager.opens) else []
            if missing and not self.has_instead(seat, wager.name):
                raise NotAllowed(f"Seat {seat} needs a wager on {_names(missing)} to be in the round.")
        enough = [wager for wager in self.game.wagers.values() if wager.one_of]
        if enough and not any(self.has(seat, wager.name) for wager in enough):
            taken = self.next.spots if isinstance(self.next, Bet) else ()
            titles = [wager.title for wager in enough if not wager.opens.keys().isdisjoint(taken)]
            said = listed(titles or [wager.title for wager in enough], "or")
            raise NotAllowed(f"Seat {seat} needs a wager on {said} to be in the round.")

    def binds_when_placed(self, spot: str) -> bool:
        """Whether a wager is contract as soon as it lies on this spot; a contract bet is from the close of the
        betting, unless a game says otherwise."""
        return False

    @property
    def incidents(self) -> tuple[str, ...]:
        """The kinds of incidents that have a name here; anything else can be reported in words of one's own (F-28)."""
        with_cards = (MISDEAL, EXPOSED_CARD, CARDS_SHORT) if self.game.fresh() is not None else ()
        with_wheels = (NO_SPIN,) if self.game.wheels else ()
        return (*with_cards, *with_wheels, DEVICE_FAULT)

    def on_incident(self, incident: Incident) -> Choose:
        """Who decides about an incident, and what; until then nothing else happens. A device that failed, or cards of
        which some are missing, may not be used again before somebody has looked at them (F-28)."""
        if incident.kind == DEVICE_FAULT:
            device = (device_of(incident.text),)
            aside = Option("out of service", then=Round.put_out_of_service, args=device)
            void = Option("void", then=Round.void_without, args=device)
            return Choose(Role.SUPERVISOR, (Option("continue"), aside, void))
        if incident.kind == CARDS_SHORT:
            void = Option("void", then=Round.void_without, args=(CARDS,))
            return Choose(Role.SUPERVISOR, (Option("continue"), void))
        if incident.kind == NO_SPIN:
            return Choose(Role.SUPERVISOR, (Option("spin again"), Option("void", then=Round.void)))
        return Choose(Role.SUPERVISOR, (Option("continue"), Option("void", then=Round.void)))

    @staticmethod
    def alike(dice: tuple[int, ...]) -> tuple[int, ...]:
        """One roll that stands for every roll that decides the same; each stands for itself unless a game says more."""
        return dice

    def alike_cards(self) -> Iterable[tuple[Token, ...]]:
        """Tokens whose cards could change places and nothing would differ, such as the three cards of a flop."""
        return ()

    def forgotten(self) -> Iterable[Token]:
        """Cards that no rule looks at again, because a fact of the round has what counts of them, such as a hand's
        total. The solver takes all hands for one whose facts are equal; a rule that looks at one all the same fails
        there."""
        return ()

    def told_hands(self, known: Mapping[Token, Card]) -> Iterable[ToldHand]:
        """The hands that lie on the table, in words, for whoever knows these cards: those that are open, and those that
        were turned to one seat alone."""
        return ()

    def why(self, settled: Settlement, before: Self) -> str:
        """Why a wager was settled as it was, within a sentence: "queen beats nine". Asked of the round that the last
        answer has made; `before` is the round that was answered. The line itself, unless a game says more."""
        return in_sentence(settled.line)

    # What a table, a solver or a replay does with it.

    @classmethod
    def start(cls, game: PlayedGame, seats: Iterable[int], unseen: Unseen | None, carry: Mapping[str, Any]) -> Self:
        first = cls(game, tuple(Seat(s) for s in seats), unseen, (Task(cls.play),))
        first._check_facts(carry)
        return first._changed(**carry)._advance()

    @property
    def next(self) -> Step | None:
        """The step the round waits at, or nothing when it is over."""
        return self.agenda[0] if self.agenda else None  # type: ignore[return-value]

    def after(self, answer: Answer) -> Self:
        """The round after an answer to its next step; an answer that is not possible raises and changes nothing."""
        self.refuse(answer)
        step = self.next
        if step is None:
            raise NotAllowed("The round is over; start the next one.")
        try:
            answered: Self = _ANSWERED[kind_of(step)](self, step, answer)
        except Exception as error:
            if is_fault(error) and rule_frame(error, self.game.folders) is not None:
                raise self._fault_of(error, None) from error
            raise
        return answered._advance()

    def refuse(self, answer: Answer) -> None:
        """Refuse an answer that the game or a bonus wager has its own words for."""
        try:
            self.check(answer)
            for check in self.game.bonus_checks:
                check(self, answer)
        except Exception as error:
            if is_fault(error):
                raise self._fault_of(error, type(self).check) from error
            raise

    def report(self, incident: Incident) -> Self:
        """Something went wrong: the supervisor decides before anything else happens."""
        if self.next is None:
            raise NotAllowed("The round is over; there is nothing left to stop.")
        choose = self._called(self.on_incident, incident)
        return self._changed(agenda=(incident, choose, *self.agenda), effects=())._advance()

    def reason(self, settled: Settlement, before: Self) -> str:
        """Why a wager was settled as it was: in the words of the bonus wager's own rules, or of the round's."""
        if settled.line == VOID:
            return in_sentence(VOID)
        bonus = self.game.bonuses.get(settled.spot)
        told = ""
        if bonus is not None and bonus.why is not None:
            told = self._worded(bonus.why, self, settled, of=bonus.why, remedy=_ONLY_TURNED)
        return self._text(
            told or self._worded(self.why, settled, before, of=type(self).why, remedy=_NOT_BEFORE), type(self).why
        )

    def _text(self, told: Any, rule: Any) -> str:
        """What a rule says, if it is text that a screen can show."""
        if isinstance(told, str):
            return told
        said = f"gives {told!r} for why a wager was settled as it was; give text, which stands within a sentence"
        raise FaultyRules(f"{rule_name(rule)} of {self.game.title} {said}.", kind="words", place=place_of(rule))

    def hands_for(self, known: Mapping[Token, Card]) -> list[ToldHand]:
        """The hands that lie on the table, as the game tells them to whoever knows these cards."""
        rule = type(self).told_hands
        told: list[Any] = self._worded(lambda: list(self.told_hands(known)), of=rule, remedy=_ONLY_KNOWN)
        for hand in told:
            if not isinstance(hand, ToldHand):
                said = (
                    f"{rule_name(rule)} of {self.game.title} tells {hand!r}, which is no ToldHand; yield one of these"
                )
                raise FaultyRules(f"{said}.", kind="words", place=place_of(rule))
        return told

    @property
    def over(self) -> bool:
        return not self.agenda

    def info(self, seat: Seat) -> Info:
        """What a seat knows and may act on; other seats' cards are left aside, open or not. A card that is forgotten is
        gone."""
        step, groups, forgotten = self.next, self._groups, self._forgotten
        cards = []
        gone = []
        for token, face in self.cards.items():
            if token.owner not in (None, seat):
                continue
            known = None if token in forgotten else face.card
            if face.place != DISCARD:
                cards.append((token.name, known, face.reading))
            if face.card is not None and (known is None or face.place == DISCARD):
                gone.append(face.card)
        return Info(
            tuple(o.name for o in step.options) if isinstance(step, Choose) and step.is_for(seat) else (),
            tuple(sorted((spot, amount) for (s, spot), amount in self.wagers.items() if s == seat)),
            tuple(cards),
            tuple(sorted(gone, key=lambda card: card.text)),
            tuple(card for token, card in self.returned if card is not None and token.owner in (None, seat)),
            self.facts,
            tuple(filter(None, (tuple(t.name for t in group if t.owner in (None, seat)) for group in groups))),
        )

    def with_gone(self, gone: Iterable[Card], returned: Iterable[Card]) -> Self:
        """The round for somebody who has seen these cards go, and these come back, and no others: a solver keeps no
        discards."""
        cards = {token: face for token, face in self.cards.items() if face.place != DISCARD}
        cards |= {Token(None, f"gone {n}"): Face(DISCARD, card) for n, card in enumerate(gone, start=1)}
        back = tuple((Token(None, f"returned {n}"), card) for n, card in enumerate(returned, start=1))
        return self._changed(cards=cards, returned=back)

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """All that the rest of the round depends on, but for the unseen cards: two rounds with equal keys go
        on alike. Discarded cards are not in it, unless one was read and never turned, which bears on the cards
        to come; nor are the dice and the pocket, which only the tasks of
        their own roll or spin can read."""
        cards = tuple(
            (t, f.place, f.card, f.reading, f.seen_by, f.earlier and f.card is None)
            for t, f in self.cards.items()
            if f.place != DISCARD or (f.card is None and f.reading is not None)
        )
        wagers, winnings = tuple(sorted(self.wagers.items())), tuple(sorted(self.winnings.items()))
        return (self.agenda, wagers, self.contract, winnings, cards, self.facts)

    @property
    def facts(self) -> tuple[Any, ...]:
        """The game's own facts: the fields that its Round adds."""
        return tuple(getattr(self, name) for name in self.fact_names)

    @property
    def fact_names(self) -> tuple[str, ...]:
        """What the game's own facts are called."""
        kind: Any = type(self)
        return _fact_names(kind)

    @property
    def told(self) -> dict[str, str]:
        """The game's facts as a person at the table reads them; a game may choose and word them."""
        known = zip(self.fact_names, self.facts, strict=True)
        return {name.replace("_", " "): str(value) for name, value in known if value not in (None, False)}

    def untracked(self) -> Self:
        """The round without its count of the unseen cards."""
        return self._changed(unseen=None)

    def with_discards(self, pack: Unseen) -> Self:
        """F-23: the shoe is empty, and every card of the pack that is not of this round is shuffled and dealt on: all
        that do not lie open are unseen. A sealed one is no discard, which the counts do not tell."""
        shown = [face.card for face in self.cards.values() if face.card is not None]
        return self._changed(unseen=pack.without_all(shown), effects=())

    def renamed(self, suits: str) -> Self:
        """The round when these suits, in this order, are called c, d, h and s: for games where suits are alike."""
        cards = {t: f if f.card is None else replace(f, card=f.card.renamed(suits)) for t, f in self.cards.items()}
        return self._changed(cards=cards)

    def in_order(self) -> Self:
        """The round without the cards that count no more, and with those that are alike in order: those that lie open
        by rank and suit, and those that are sealed by what was read of them."""
        groups, forgotten = self._groups, self._forgotten
        if not groups and not forgotten:
            return self
        cards = dict(self.cards)
        for token in forgotten:
            if (face := cards.get(token)) is not None:
                cards[token] = replace(face, card=None)
        for group in groups:
            shown = [(token, face) for token in group if (face := cards.get(token)) is not None]
            for kind in ("card", "reading"):
                alike = [(t, f) for t, f in shown if (f.card is not None) == (kind == "card") and getattr(f, kind)]
                if len(alike) > 1:
                    faces = sorted((face for _, face in alike), key=lambda face: in_place(face.card, face.reading))
                    cards.update(zip((token for token, _ in alike), faces, strict=True))
        return self._changed(cards=cards)

    @property
    def _groups(self) -> list[tuple[Token, ...]]:
        """The groups of cards that could change places."""
        return self._called(lambda: [tuple(group) for group in self.alike_cards()], of=type(self).alike_cards)

    @property
    def _forgotten(self) -> list[Token]:
        """The cards that no rule looks at again."""
        return self._called(lambda: [*self.forgotten()], of=type(self).forgotten)

    # What rules ask.

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats with a wager, clockwise from the dealer's left."""
        betting = {seat for seat, _ in self.wagers}
        return tuple([seat for seat in self.seats if seat in betting])

    def staked(self, answer: Answer) -> tuple[Seat, str, Fraction] | None:
        """The wager that an answer to the next step makes, if it makes one: seat, spot and amount."""
        match answer:
            case Place(seat, spot, amount):
                return seat, spot, amount
            case Decide(who, name, amount) if isinstance(self.next, Choose) and not isinstance(who, Role):
                extra = next((option.extra for option in self.next.options if option.name == name), None)
                if extra is not None:
                    made = extra.most * self.stake(who, extra.of) if amount is None else amount
                    return (who, extra.spot, made) if made else None
        return None

    def stake(self, seat: Seat, spot: str) -> Fraction:
        return self.wagers.get((seat, spot), ZERO)

    def has(self, seat: Seat, wager: str) -> bool:
        """Whether a seat has made a wager, on any of its spots."""
        return any(map(self.wagers.get, [(seat, spot) for spot in self.game.wager(wager).spots]))

    def has_instead(self, seat: Seat, wager: str) -> bool:
        """Whether a seat has made a wager that stands instead of this one."""
        return any(wager in other.instead and self.has(seat, name) for name, other in self.game.wagers.items())

    @property
    def left_up(self) -> dict[str, Any]:
        """The wagers and winnings that lie on the layout when the round is over, for its `carry`."""
        left = {"wagers": self.wagers, "contract": self.contract, "winnings": self.winnings}
        return {name: what for name, what in left.items() if what}

    def card(self, token: Token) -> Card:
        """A card that was turned."""
        face = self.cards.get(token)
        if face is None or face.card is None:
            raise CardNotKnown(token, "not dealt" if face is None else _sealed(face))
        return face.card

    @property
    def open_cards(self) -> list[Card]:
        """Every card that was turned and is still in play, in the order of the deal."""
        return [f.card for f in self.cards.values() if f.card is not None and f.place != DISCARD]

    @property
    def waiting(self) -> int:
        """How many sealed cards were dealt before another one went back into the shuffler."""
        return sum(face.earlier and face.card is None for face in self.cards.values())

    def chances(self, token: Token, unseen: Unseen) -> dict[Card, int]:
        """The weight of each card that a sealed token can be."""
        face = self.cards[token]
        others = self.shown_besides(token)
        return unseen.chances(face.reading, others, earlier=face.earlier, waiting=self.waiting)

    def shown_besides(self, token: Token) -> dict[CardSet, int]:
        """How many other sealed tokens lie in each set that was read."""
        counts: dict[CardSet, int] = {}
        for other, face in self.cards.items():
            if other != token and face.card is None and face.reading is not None:
                counts[face.reading] = counts.get(face.reading, 0) + 1
        return counts

    # What rules yield.

    def win(self, seat: Seat, spot: str, line: str, pay: Pay, rule: str, stake: Stake | None = None) -> Settlement:
        """A wager wins. The stake comes back, unless `Stake.STAYS` leaves it where it lies; odds "for 1" include it, so
        that it is then taken."""
        if stake is None:
            stake = RETURNED if isinstance(pay, Odds) and pay.kind != "for" else TAKEN
        return Settlement(seat, spot, line, pay, stake, self.wagers.get((seat, spot), ZERO), rule)

    def push(self, seat: Seat, spot: str, line: str, rule: str) -> Settlement:
        return self.win(seat, spot, line, PUSH, rule)

    def lose(self, seat: Seat, spot: str, line: str, rule: str) -> Settlement:
        return Settlement(seat, spot, line, None, TAKEN, self.wagers.get((seat, spot), ZERO), rule)

    def lose_half(self, seat: Seat, spot: str, line: str, rule: str) -> Settlement:
        """Half of a wager is lost, and the other half comes back: a surrender, or la partage."""
        return self.win(seat, spot, line, HALF, rule)

    def take_back(self, seat: Seat, spot: str, rule: str) -> Settlement:
        """A seat takes a wager back by a decision; it then counts as never staked."""
        return self.push(seat, spot, WITHDRAWN, rule)

    def by_table(
        self,
        seat: Seat,
        spot: str,
        line: str | None,
        rule: str,
        losing: str = "No line",
        stake: Stake | None = None,
    ) -> Settlement:
        """Settle a wager by its pay table: on the line that fits, or lost when none does. With `Stake.STAYS` a line is
        paid and the wager lies on, to be decided by something else."""
        if line is None:
            return self.lose(seat, spot, losing, rule)
        return self.win(seat, spot, line, self.game.pay_table(spot).pay(line), rule, stake)

    def move_wager(self, seat: Seat, spot: str, to: str, rule: str) -> WagerMoved:
        """A wager goes to another spot of its own kind; what lies there already is added to it."""
        return WagerMoved(seat, spot, to, self.wagers.get((seat, spot), ZERO), rule)

    def void(self, who: Any = None) -> Items:
        """F-17: every wager in action goes back, and the round is over."""
        for seat, spot in self.wagers:
            yield self.push(seat, spot, VOID, "F-17")
        yield Over()

    def put_out_of_service(self, who: Role, what: str) -> Items:
        """F-28: the round is played on without it, and no other begins before it is released."""
        yield Move(what, OUT_OF_SERVICE)

    def void_without(self, who: Role, what: str) -> Items:
        """F-17, F-28: the round is void, and what was wrong is out of service until it is released."""
        yield Move(what, OUT_OF_SERVICE)
        yield from self.void(who)

    # How it works.

    def _changed(self, **changes: Any) -> Self:
        new = object.__new__(type(self))
        state = new.__dict__
        state.update(self.__dict__)
        state.pop("key", None)
        state.update(changes)
        return new

    def _done(self, **changes: Any) -> Self:
        """The first step is answered: off the agenda with it, and what it left behind is gone."""
        new = object.__new__(type(self))
        state = new.__dict__
        state.update(self.__dict__)
        state.pop("key", None)
        state["agenda"] = self.agenda[1:]
        state["effects"] = state["dice"] = ()
        state["pocket"] = None
        if changes:
            state.update(changes)
        return new

    def _check_facts(self, names: Iterable[str]) -> None:
        """A misspelled fact would be set beside the round and be in no key."""
        for name in names:
            if name not in type(self).__dataclass_fields__:
                raise FaultyRules(f"{type(self).__name__} has no fact {name!r}; add it as a field of the round.")

    def _advance(self) -> Self:
        """Work off the agenda of a new round until it waits at a step; whatever goes wrong there, the rules are at
        fault, unless they say in words why something is not allowed."""
        try:
            self._work_off()
            if not self.agenda:
                self._check_all_decided()
        except Exception as error:
            if is_fault(error):
                raise self._fault_of(error, self.last_rule) from error
            if isinstance(error, FaultyRules) and not error.place:
                error.place = place_of(self.last_rule)
            raise
        return self

    def _work_off(self) -> None:
        """In place: nobody has the round yet."""
        state, agenda, worked_off = self.__dict__, self.agenda, 0
        while agenda:
            item: Any = agenda[0]
            kind = kind_of(item)
            if kind in _ANSWERED:
                if kind is Spin and not item.pockets:
                    state["agenda"] = (replace(item, pockets=self._pockets(item.wheel)), *agenda[1:])
                if (kind is Turn or kind is Read) and item.token not in self.cards:
                    self._refuse_not_dealt(item)
                return
            state["agenda"] = agenda = agenda[1:]
            worked_off += 1
            if kind is Task:
                state["last_rule"] = item.rule
                try:
                    yielded = (*islice(item.rule(self, *item.args), MOST_ITEMS),)
                except (TypeError, ValueError, AttributeError, LookupError) as error:
                    if not isinstance(error, FeltworksError) and (noted := self._noted_in_vain(item)):
                        raise fault_of(error, self.game, item.rule, noted) from error
                    raise
                if worked_off > MOST_ITEMS or len(yielded) == MOST_ITEMS:
                    raise self._fault("goes on for ever; let it end, or wait for an answer", "endless")
                state["agenda"] = agenda = (*yielded, *agenda)
            elif kind is Moment:
                state["agenda"] = agenda = (*self._hanging_on(item), *agenda)
            elif kind is Note:
                facts = dict(item.facts)
                self._check_note(facts)
                state.update(facts)
            elif kind is Over:
                if not isinstance(item, Over):
                    raise self._fault(f"yields {_no_item(item)}", "fails")
                state["agenda"] = agenda = ()
            else:
                state["effects"] = (*self.effects, item)
                if kind is Settlement:
                    self._settled(item)
                elif kind is WagerMoved:
                    state.update(self._wager_moved(item))
                elif kind is Move and isinstance(item.what, Token):
                    state.update(self._moved(item.what, item.to))

    def _noted_in_vain(self, failing: Task) -> str:
        """What to say if a rule that fails has noted a fact just before, which it then finds as it was."""
        names: list[str] = []
        with suppress(Exception):
            for item in islice(failing.rule(self, *failing.args), MOST_ITEMS):
                if isinstance(item, Note):
                    names += dict(item.facts)
        return f"{names[-1]!r} is noted here, and a noted fact is there only in the next task" if names else ""

    def _pockets(self, wheel: str) -> tuple[str, ...]:
        """The pockets of a wheel that the game has."""
        found = self.game.wheels.get(wheel)
        if found is None:
            raise FaultyRules(
                f"{self._the_rule} of {self.game.title} spins {wheel!r}, which is no wheel of this version; it has:"
                f" {_names(self.game.wheels)}. Define it as [wheels.{wheel}] in game.toml."
            )
        return found.pockets

    @property
    def _the_rule(self) -> str:
        """The rule that was worked off last, by its name and its statements."""
        return rule_name(self.last_rule)

    def _fault(self, said: str, kind: str) -> FaultyRules:
        """A fault of the rule that was worked off last."""
        return FaultyRules(f"{self._the_rule} of {self.game.title} {said}.", kind=kind, place=place_of(self.last_rule))

    def _fault_of(self, error: Exception, rule: Any) -> FaultyRules:
        return fault_of(error, self.game, rule)

    def _called(self, rule: Callable[..., T], *args: Any, of: Any = None) -> T:
        """What something that the game wrote gives; `of` is named where a mistake shows itself only here."""
        return called(self.game, rule, *args, of=of)

    def _worded(self, rule: Callable[..., T], *args: Any, of: Any, remedy: str) -> T:
        """The same of a rule that only has words; a card that it may not look at has another remedy there."""
        try:
            return self._called(rule, *args, of=of)
        except FaultyRules as fault:
            if isinstance(fault.__cause__, CardNotKnown):
                raise fault_of(fault.__cause__, self.game, of, remedy) from fault.__cause__
            raise

    def _refuse_not_dealt(self, step: Turn | Read) -> None:
        does = "turns" if isinstance(step, Turn) else "reads"
        raise self._fault(f"{does} {step.token}, which is not dealt; yield its Deal first", "sealed card")

    @property
    def never_decided(self) -> str:
        """What to say of a round that is found again and again: the rule, and the wagers that it leaves undecided."""
        wagers = " and ".join(self._owned(seat, spot) for seat, spot in sorted(self.wagers))
        return f"{self._the_rule} of {self.game.title} never decides {wagers or 'anything'}"

    def left_undecided(self, seat: Seat, spot: str) -> str:
        """What to say of a wager that a roll should have decided: the rule, the wager and the seat."""
        rule = self._the_rule.replace("The", "the", 1)
        return f"{rule} leaves {self._owned(seat, spot)} undecided by a roll"

    def _check_all_decided(self) -> None:
        """A round may end only with every wager settled, or carried by name into the next one (F-17)."""
        if undecided := [*self._undecided()]:
            raise self._fault(
                f"ended the round, but {', and '.join(undecided)}; settle every wager, or hand it to the next round by"
                " `carry`",
                "undecided",
            )

    def _undecided(self) -> Iterator[str]:
        """What lies on the layout and is not carried as it lies there, or is carried and does not lie there."""
        carry = self.carry
        self._check_facts(carry)
        if self.wagers == carry.get("wagers", {}) and self.winnings == carry.get("winnings", {}):
            return
        for name, left, what in (("wagers", self.wagers, ""), ("winnings", self.winnings, "what was won by ")):
            carried = carry.get(name, {})
            for place in dict.fromkeys((*left, *carried)):
                lies, goes = left.get(place, ZERO), carried.get(place, ZERO)
                if lies != goes:
                    undone = "collected" if what else "settled"
                    how = (
                        f"is carried as {goes} where {lies or 'nothing'} lies"
                        if goes
                        else f"is neither {undone} nor carried"
                    )
                    yield f"{what}{self._owned(*place)} {how}"

    def _owned(self, seat: Seat, spot: str) -> str:
        known = any(spot in wager.spots for wager in self.game.wagers.values())
        return f"{self.game.spot_title(spot) if known else spot} of seat {seat}"

    def _check_note(self, facts: Mapping[str, Any]) -> None:
        """A note may move chips from spot to spot; only a settlement brings or takes any."""
        self._check_facts(facts)
        if not facts.keys() & {"wagers", "winnings"}:
            return
        before = _by_seat(self.wagers, self.winnings)
        after = _by_seat(facts.get("wagers", self.wagers), facts.get("winnings", self.winnings))
        for seat in sorted(before.keys() | after.keys()):
            if before.get(seat, ZERO) != after.get(seat, ZERO):
                raise self._fault(
                    f"notes {after.get(seat, ZERO)} on the layout for seat {seat} where {before.get(seat, ZERO)} lies;"
                    " only a settlement brings or takes chips",
                    "settlement",
                )

    def _settled(self, effect: Settlement) -> None:
        """In place: a decided wager is gone."""
        decided = (effect.seat, effect.spot)
        amount, lies = effect.amount, self.wagers.get(decided, ZERO)
        if not amount or (amount is not lies and amount != lies):
            raise self._fault(
                f"settles {effect.amount} on {self._owned(*decided)} where {lies or 'nothing'} lies; a settlement is of"
                " the whole wager, once",
                "settlement",
            )
        if isinstance(effect.pay, Odds) and (effect.pay.kind == "for") is not (effect.stake is TAKEN):
            raise self._fault(
                f"pays {self._owned(*decided)} {effect.pay}, and its stake is {effect.stake.value}: with odds 'to' the"
                " stake is the seat's, with odds 'for' the house's",
                "settlement",
            )
        state = self.__dict__
        if effect.stake is STAYS:
            state.update(self._laid_down(effect))
            return
        state["wagers"] = wagers = dict(self.wagers)
        del wagers[decided]
        if decided in self.contract:
            state["contract"] = self.contract - {decided}
        if effect.line == VOID and decided in self.registered:
            state["registered"] = {k: v for k, v in self.registered.items() if k != decided}

    def _wager_moved(self, moved: WagerMoved) -> dict[str, Any]:
        """What it changes that a wager lies on another spot: the same chips, the same wager, bound as it was."""
        here, there = (moved.seat, moved.spot), (moved.seat, moved.to)
        lies, wager = self.wagers.get(here, ZERO), self.game.wager_of(moved.spot)
        if not lies or moved.amount != lies or here == there or moved.to not in wager.spots:
            raise self._fault(
                f"moves {moved.amount} from {self._owned(*here)}, where {lies or 'nothing'} lies, to {moved.to!r}; move"
                f" a whole wager to another of its own spots: {_names(s for s in wager.spots if s != moved.spot)}",
                "settlement",
            )
        left = {place: amount for place, amount in self.wagers.items() if place != here}
        contract, registered = self.contract, self.registered
        if here in contract:
            contract = contract - {here} | {there}
        if here in registered:
            registered = {k: v for k, v in registered.items() if k != here}
            registered[there] = self.registered.get(there, ZERO) + self.registered[here]
        wagers = {**left, there: left.get(there, ZERO) + lies}
        return {"wagers": wagers, "contract": contract, "registered": registered}

    def _moved(self, token: Token, to: str) -> dict[str, Any]:
        """What it changes that a card lies elsewhere."""
        face = self.cards[token]
        cards = dict(self.cards)
        del cards[token]
        if to == SHUFFLER:
            return self._went_back(token, face, cards)
        cards[token] = Face(to, face.card, face.reading, face.seen_by, face.earlier)
        return {"cards": cards}

    def _laid_down(self, won: Settlement) -> dict[str, Any]:
        """A wager that stays is paid to its owner, or on a self-service spot beside it, to be collected."""
        if not self.game.wager_of(won.spot).self_service or not won.pay:
            return {}
        place = (won.seat, won.spot)
        return {"winnings": {**self.winnings, place: self.winnings.get(place, ZERO) + won.net()}}

    def _went_back(self, token: Token, face: Face, cards: dict[Token, Face]) -> dict[str, Any]:
        """A card is in the shuffler again; those that are sealed now cannot be it."""
        sealed = [f for f in cards.values() if f.card is None]
        before = self.returned if self.waiting else ()
        if any(card for _, card in before) and not all(f.earlier for f in sealed):
            raise NotAllowed(
                "A card cannot go back into the shuffler while sealed cards lie there from before and from "
                "after the last one that did."
            )
        changes: dict[str, Any] = {
            "cards": {t: replace(f, earlier=True) if f.card is None else f for t, f in cards.items()},
            "returned": (*before, (token, face.card)) if sealed else (),
        }
        if self.unseen is not None:
            unseen = self.unseen if sealed else Unseen(self.unseen.counts)
            if face.card is not None:
                unseen = unseen.put_back(face.card) if sealed else unseen.plus(face.card)
            changes["unseen"] = unseen
        return changes

    def _hanging_on(self, moment: Moment) -> Iterable[Item]:
        for name, rule in self.game.bonuses_at(moment.name):
            if self.has(moment.seat, name):
                yield task(rule, moment.seat)

    def _bet(self, bet: Bet, answer: Answer) -> Self:
        match answer:
            case Place(seat, spot, amount):
                self._check_spot(bet, seat, spot)
                if amount <= 0:
                    raise NotAllowed(f"A wager of {amount} is not allowed; place more than 0.")
                wager = self.game.wager_of(spot)
                for needed in wager.needs:
                    if not self.has(seat, needed) and not self.has_instead(seat, needed):
                        title = self.game.wager(needed).title
                        raise NotAllowed(f"{self.game.spot_title(spot)} needs {title}; place that first.")
                lies = self.wagers.get((seat, spot), ZERO)
                placed = lies + amount if lies or type(amount) is not Fraction else amount
                if wager.fixed:
                    self._check_fixed(seat, spot, placed)
                contract = self.contract | {(seat, spot)} if self.binds_when_placed(spot) else self.contract
                return self._changed(wagers={**self.wagers, (seat, spot): placed}, contract=contract, effects=())
            case TakeUp(seat, spot):
                self._check_spot(bet, seat, spot)
                if not self.stake(seat, spot):
                    raise NotAllowed(f"Seat {seat} has nothing on {self.game.spot_title(spot)} to take up.")
                self._check_nothing_hangs_on(seat, spot)
                left = {k: v for k, v in self.wagers.items() if k != (seat, spot)}
                return self._changed(wagers=left, effects=())
            case Collect(seat, spot):
                if (seat, spot) not in self.winnings:
                    raise NotAllowed(f"Seat {seat} has no winnings lying on {spot}; there is nothing to collect.")
                left = {k: v for k, v in self.winnings.items() if k != (seat, spot)}
                return self._changed(winnings=left, effects=())
            case Close():
                self.may_close()
                bound = {k for k in self.wagers if self.game.wager_of(k[1]).kind == "contract"}
                return self._done(contract=frozenset(bound))
        raise NotAllowed("Betting is open: place, take up or collect wagers, or close the betting.")

    def _check_spot(self, bet: Bet, seat: Seat, spot: str) -> None:
        if seat not in self.seats:
            raise NotAllowed(f"There is no seat {seat} in this round; the seats are {_names(self.seats)}.")
        if spot not in bet.spots:
            raise NotAllowed(f"No wager on {spot!r} is taken now; open are: {_names(bet.spots)}.")
        if (seat, spot) in self.contract:
            title = self.game.spot_title(spot)
            raise NotAllowed(f"{title} is a contract bet: it stays as it is until it is decided.")

    def _check_fixed(self, seat: Seat, spot: str, placed: Fraction) -> None:
        """Some wagers have one amount for everybody."""
        others = {amount for (s, other), amount in self.wagers.items() if other == spot and s != seat}
        if others - {placed}:
            title = self.game.spot_title(spot)
            raise NotAllowed(f"{title} is one amount for everybody; place as much as the others have.")

    def _check_nothing_hangs_on(self, seat: Seat, spot: str) -> None:
        """What was made beside this wager, or one instead of which it stands, is taken up first; but a contract bet lay
        there before it."""
        below = self.game.wager_of(spot)
        if below.any_spot and any(self.stake(seat, other) for other in below.spots if other != spot):
            return
        for s, other in self.wagers:
            needs = self.game.wager_of(other).needs
            if s == seat and (s, other) not in self.contract and (below.name in needs or {*needs} & {*below.instead}):
                raise NotAllowed(f"{self.game.spot_title(other)} needs {below.title}; take that up first.")

    def _deal(self, deal: Deal, answer: Answer) -> Self:
        if answer is not DEALT:
            raise NotAllowed(f"The next step deals a card to {deal.place}; answer it with DEALT.")
        if self.unseen is not None:
            self._check_shoe(deal, self.unseen)
        return self._faced(deal.token, Face(deal.place))

    def _check_shoe(self, deal: Deal, unseen: Unseen) -> None:
        """Every sealed card is one of the unseen ones, so there must be one more of those."""
        sealed = sum(face.card is None for face in self.cards.values())
        if sealed >= unseen.total:
            raise NotPossible(f"No card is left in the shoe to be dealt to {deal.place}.")

    def _turn(self, turn: Turn, answer: Answer) -> Self:
        face = self.cards[turn.token]
        seen_by = face.seen_by if turn.to is ALL else face.seen_by | {turn.to}
        if isinstance(answer, Hidden):
            if turn.to is ALL:
                raise NotAllowed(f"{turn.token} is turned to all; say which card it is.")
            return self._faced(turn.token, replace(face, seen_by=seen_by))
        if not isinstance(answer, Card):
            raise NotAllowed(f"{turn.token} is turned; say which card it is.")
        changes: dict[str, Any] = {}
        if face.card is not None:
            if answer is not face.card:
                raise NotPossible(f"{turn.token} is {face.card}; it cannot be {answer}.")
        elif self.unseen is not None:
            self._check_possible(turn.token, face, answer)
            changes["unseen"] = self.unseen.without(answer, earlier=face.earlier, waiting=self.waiting)
        return self._faced(turn.token, Face(face.place, answer, face.reading, seen_by, face.earlier), **changes)

    def _check_possible(self, token: Token, face: Face, card: Card) -> None:
        assert self.unseen is not None
        if self.unseen.count(card) and card not in self.chances(token, self.unseen):
            why = f"{token} was read as {face.reading}" if face.reading else "the cards still sealed need it"
            if face.earlier:
                why = f"{token} was dealt before it went back"
            raise NotPossible(f"{card} is not possible: {why}.")

    def _read(self, read: Read, answer: Answer) -> Self:
        if not isinstance(answer, CardSet) or answer not in read.among:
            raise NotAllowed(f"{read.token} is read; say one of: {_names(s.name for s in read.among)}.")
        face, others = self.cards[read.token], self.shown_besides(read.token)
        check_sets(read.among, others)
        if face.card is not None and face.card not in answer:
            raise NotPossible(f"{read.token} is {face.card}, which is not {answer}.")
        if face.reading is not None and face.reading != answer:
            raise NotPossible(f"{read.token} was read as {face.reading}; it cannot be {answer}.")
        if self.unseen is not None and face.card is None and self.unseen.size(answer) <= others.get(answer, 0):
            raise NotPossible(f"{read.token} cannot be {answer}: no such card is left.")
        return self._faced(read.token, replace(face, reading=answer))

    def _faced(self, token: Token, face: Face, **changes: Any) -> Self:
        cards = dict(self.cards)
        cards[token] = face
        return self._done(cards=cards, **changes)

    def _roll(self, roll: Roll, answer: Answer) -> Self:
        if isinstance(answer, NoRoll):
            if roll.no_rolls and answer.reason not in roll.no_rolls:
                raise NotAllowed(f"{answer.reason!r} is no reason for a no roll; say one of: {_names(roll.no_rolls)}.")
            return self._done(dice=answer)
        if not isinstance(answer, tuple) or len(answer) != roll.dice:
            raise NotAllowed(f"{roll.dice} dice are rolled; say what each shows.")
        if not all(isinstance(die, int) and 1 <= die <= 6 for die in answer):
            raise NotPossible(f"A die shows 1 to 6; {_names(answer)} is not possible.")
        return self._done(dice=answer)

    def _spin(self, spin: Spin, answer: Answer) -> Self:
        if not isinstance(answer, Pocket) or answer.wheel != spin.wheel:
            raise NotAllowed(f"The wheel {spin.wheel!r} is spun; say in which pocket it has stopped.")
        if answer.name not in spin.pockets:
            named = _names(dict.fromkeys(spin.pockets))
            raise NotPossible(f"{answer.name!r} is no pocket of this wheel; say one of: {named}.")
        return self._done(pocket=answer)

    def _choose(self, choose: Choose, answer: Answer) -> Self:
        if not isinstance(answer, Decide):
            raise NotAllowed(f"A decision is wanted: {_option_names(choose)}.")
        who = choose.who
        if answer.who != who if isinstance(who, Role) else answer.who not in who:
            raise NotAllowed(f"It is the turn of {_whose(who)}.")
        option = next((o for o in choose.options if o.name == answer.option), None)
        if option is None:
            raise NotAllowed(f"{answer.option!r} is not possible now; choose one of: {_option_names(choose)}.")
        changes: dict[str, Any] = {}
        amount = self._extra(option, answer)
        if amount:
            assert option.extra is not None and not isinstance(answer.who, Role)
            place = (answer.who, option.extra.spot)
            changes["wagers"] = {**self.wagers, place: self.wagers.get(place, ZERO) + amount}
        waiting: tuple[Item, ...] = ()
        if not isinstance(who, Role) and len(who) > 1:
            waiting = (replace(choose, who=who - {answer.who}),)
        then = () if option.then is None else (task(option.then, answer.who, *option.args),)
        return self._done(agenda=(*then, *waiting, *self.agenda[1:]), **changes)

    def _extra(self, option: Option, answer: Decide) -> Fraction:
        """The amount an option wagers."""
        if option.extra is None or isinstance(answer.who, Role):
            if answer.amount:
                raise NotAllowed(f"{option.name!r} carries no wager; leave the amount out.")
            return ZERO
        self._check_extra(option.name, option.extra)
        base = self.stake(answer.who, option.extra.of)
        if answer.amount is None:
            return option.extra.most * base
        least, most, amount = option.extra.least * base, option.extra.most * base, answer.amount
        if not least <= amount <= most:
            allowed = f"{least}" if least == most else f"{least} to {most}"
            raise NotAllowed(f"{option.name!r} wagers {allowed} here, not {amount}.")
        return amount

    def cannot_be_told_apart(self) -> FaultyRules | None:
        """Which fact can change, so that no solver can tell rounds apart by it; nothing where each of them can."""
        for name, fact in zip(self.fact_names, self.facts, strict=True):
            try:
                hash(fact)
            except TypeError:
                return self._fault(
                    f"leaves a {type(fact).__name__} in the fact {name!r}; keep a tuple or a frozenset there, which"
                    " does not change",
                    "fact",
                )
        return None

    def _check_extra(self, option: str, extra: Extra) -> None:
        known = [spot for wager in self.game.wagers.values() for spot in wager.spots]
        for spot in (extra.spot, extra.of):
            if spot not in known:
                raise self._fault(
                    f"offers {option!r} with a wager on {spot!r}, which is no spot of this version; choose one of:"
                    f" {_names(known)}",
                    "spot",
                )


_ANSWERED: dict[type, Callable[[Any, Any, Answer], Any]] = {
    Bet: Round._bet,
    Deal: Round._deal,
    Turn: Round._turn,
    Read: Round._read,
    Roll: Round._roll,
    Spin: Round._spin,
    Choose: Round._choose,
}
"""What makes the answered round, by the kind of the step."""


@cache
def _fact_names(cls: type[Round]) -> tuple[str, ...]:
    known = {f.name for f in fields(Round)}
    return tuple(f.name for f in fields(cls) if f.name not in known)


def _by_seat(*lying: Mapping[tuple[Seat, str], Fraction]) -> dict[Seat, Fraction]:
    """What each seat has on the layout."""
    sums: dict[Seat, Fraction] = {}
    for amounts in lying:
        for (seat, _), amount in amounts.items():
            sums[seat] = sums.get(seat, ZERO) + amount
    return sums


def _whose(who: frozenset[Seat] | Role) -> str:
    if isinstance(who, Role):
        return f"the {who.value}"
    return f"seat{'s' * (len(who) > 1)} {_names(sorted(who))}"


def _no_item(item: Any) -> str:
    """What to say of something that stands on an agenda and cannot."""
    if isinstance(item, Iterator):
        return "the items of another rule as if they were one; write yield from"
    return f"{item!r}, which is no step, effect, task, moment or note; yield one of these"


def _sealed(face: Face) -> str:
    """How a card lies that is not turned to all."""
    return f"turned to seat {_names(sorted(face.seen_by))} alone" if face.seen_by else "sealed"


def _option_names(choose: Choose) -> str:
    return _names(option.name for option in choose.options)


def listed(names: Iterable[str], word: str) -> str:
    """These, in a sentence: "Player, Banker or Tie"."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


def _names(things: Iterable[Any]) -> str:
    return ", ".join(str(thing) for thing in things) or "none"
