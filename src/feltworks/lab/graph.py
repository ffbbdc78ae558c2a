"""A game as a finite graph for one seat: the round is walked once from each state that differs.

A state is what the rest of the round depends on: the round's key and the unseen cards. What the rules do after an
answer does not depend on the unseen cards, so it is worked out once for each key and shared; only the weights of
the chance steps are counted anew for each state. Suits that no open card has and that have equal counts are
interchangeable, and one stands for all of them; suits are named anew in the order in which they appear.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import Any, NamedTuple

from feltworks.kit.cards import SUITS, Card, Seat, Token
from feltworks.kit.definition import Wager
from feltworks.kit.enumerator import Progress
from feltworks.kit.errors import BadDefinition, TooLarge
from feltworks.kit.game import game_of
from feltworks.kit.round import SHUFFLER, Info, Round
from feltworks.kit.steps import (
    ALL,
    DEALT,
    HIDDEN,
    Answer,
    Bet,
    Choose,
    Close,
    Deal,
    Decide,
    Move,
    Place,
    Pocket,
    Read,
    Role,
    Roll,
    Settlement,
    Spin,
    TakeUp,
    Turn,
)
from feltworks.kit.unseen import Unseen
from feltworks.kit.walk import bets_for
from feltworks.lab.card_classes import CardClasses
from feltworks.lab.graph_size import expected_states, too_large
from feltworks.lab.stakes import company

ME = Seat(1)
COMPANY = Seat(2)
"""Who keeps the round going where the seat makes other wagers than those, and takes the dice over from it."""
END = 0
"""The state of every round that is over."""
LARGEST = 1_000_000
"""A graph has no more states."""
MANY, TELL = 2_000, 500
"""After so many states it is estimated how many there will be, and then told after each so many."""


@dataclass(frozen=True, eq=False)
class Event:
    """What happens to the seat's money between two states: what it stakes, what is settled, and what it takes back from
    self-service spots; and how many rolls or spins that takes, and how many rounds are over by it.

    Events are few and shared: a graph has one object for each, so that they compare by identity.
    """

    stakes: tuple[tuple[str, Fraction], ...]
    settlements: tuple[Settlement, ...]
    rolls: int = 0
    rounds: int = 0
    taken_back: tuple[tuple[str, Fraction], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.stakes or self.settlements)


class Edge(NamedTuple):
    """A way from one state to the next."""

    weight: int
    state: int
    event: Event


class Hop(NamedTuple):
    """What the rules do after an answer, up to the next step that branches."""

    skeleton: "Skeleton | None"
    event: Event
    put_back: tuple[Card, ...] = ()
    suits: str = SUITS
    """Which suit is called c, d, h and s from here on."""
    new_round: bool = False
    """Whether another round has begun by it, which is dealt from a fresh pack."""


@dataclass(eq=False)
class Skeleton:
    """A round without its unseen cards, waiting at a step that branches, and where each answer leads."""

    round: Round
    hops: dict[Answer, Hop] = field(default_factory=dict)
    before: Round | None = None
    """A round that ended on the way here and left something to be decided."""

    @cached_property
    def open_suits(self) -> frozenset[str]:
        return frozenset(card.suit for card in self.round.open_cards)


@dataclass(eq=False, slots=True)
class State:
    """One state: chance has weighted edges, a decision has one edge for each option."""

    skeleton: Skeleton
    unseen: Unseen | None
    edges: list[Edge] = field(default_factory=list)
    options: dict[str, Edge] = field(default_factory=dict)

    @property
    def is_choice(self) -> bool:
        return bool(self.options)


Policy = Callable[[Info], str]


class RoundWalker:
    """The skeletons and events of one game with one set of stakes: shared by graphs under different policies.

    A round that leaves a wager of the seat undecided goes on with the next one, and with `whole_turn` so does one after
    which the seat keeps the dice. With `until` nobody asks what comes after these spots are settled.
    """

    def __init__(
        self,
        start: Round,
        stakes: Mapping[str, Fraction],
        *,
        whole_turn: bool = False,
        until: frozenset[str] = frozenset(),
    ) -> None:
        self.start = start
        self.stakes = stakes
        self.whole_turn = whole_turn
        self.until = until
        self.skeletons: dict[tuple[Any, ...], Skeleton] = {}
        self.left_undecided: dict[str, str] = {}
        """By self-service spot: how the rules left a wager on it undecided by a roll, if that was seen."""
        self._events: dict[tuple[Any, ...], Event] = {}

    @cached_property
    def _company(self) -> dict[str, Fraction]:
        return company(game_of(self.start), self.stakes)

    def event(self, *parts: Any) -> Event:
        found = self._events.get(parts)
        if found is None:
            found = self._events[parts] = Event(*parts)
        return found

    def hop(self, skeleton: Skeleton, answer: Answer, rename: bool) -> Hop:
        hop = skeleton.hops.get(answer)
        if hop is None:
            hop = skeleton.hops[answer] = self.walk_on(skeleton.round, answer, rename)
        return hop

    def walk_on(self, round: Round, answer: Answer | None, rename: bool) -> Hop:
        """Answer, go on through every step whose answer is certain, and gather what happens to the seat's money."""
        staked: list[tuple[str, Fraction]] = []
        settled: list[Settlement] = []
        taken_back: list[tuple[str, Fraction]] = []
        put_back: list[Card] = []
        rolls, rounds = int(isinstance(round.next, Roll | Spin)), 0
        rolled_for = self._self_service(round) if rolls else set[str]()
        begun: set[tuple[Any, ...]] = set()
        ended: Round | None = None
        answers = [] if answer is None else [answer]
        while not self._is_settled(round) and (answers or (answers := self._certain(round)) or self._goes_on(round)):
            if round.over:
                rounds += 1
                ended = round
                round = game_of(self.start).start(round.seats, carry=round.carry, tracked=False)
                put_back.clear()
                if round.key in begun:
                    raise BadDefinition(f"{ended.never_decided}: that is carried for ever; let a rule decide it.")
                begun.add(round.key)
                continue
            answer = answers.pop(0)
            if isinstance(answer, Place | Decide):
                if (made := round.staked(answer)) and made[0] == ME:
                    staked.append(made[1:])
            elif isinstance(answer, TakeUp) and answer.seat == ME:
                taken_back.append((answer.spot, round.stake(ME, answer.spot)))
                self._look_whether_decided(round, rolled_for & {answer.spot}, settled)
            before, round = round, round.after(answer)
            for effect in round.effects:
                if isinstance(effect, Settlement) and effect.seat == ME:
                    settled.append(effect)
                elif isinstance(effect, Move) and effect.to == SHUFFLER and isinstance(effect.what, Token):
                    put_back.append(before.card(effect.what))
        if round.over and round.wagers:
            taken_back += [(spot, amount) for (seat, spot), amount in round.wagers.items() if seat == ME]
            self._look_whether_decided(round, rolled_for & self._self_service(round), settled)
        event = self.event(tuple(staked), tuple(settled), rolls, rounds + round.over, tuple(taken_back))
        if round.over or self._is_settled(round):
            return Hop(None, event)
        round = round.in_order()
        suits = _in_order_of_appearance(round) if rename else SUITS
        if suits != SUITS:
            round = round.renamed(suits).in_order()
        try:
            skeleton = self.skeletons.setdefault(round.key, Skeleton(round))
        except TypeError as error:
            raise round.cannot_be_told_apart() or error from error
        skeleton.before = skeleton.before or ended
        return Hop(skeleton, event, tuple(put_back), suits, bool(begun))

    def _self_service(self, round: Round) -> set[str]:
        """The self-service spots on which the seat has a wager."""
        return {spot for seat, spot in round.wagers if seat == ME and round.game.wager_of(spot).self_service}

    def _look_whether_decided(self, round: Round, spots: set[str], settled: Iterable[Settlement]) -> None:
        """Remember what is taken back after a roll that has not decided it, to be told if outcomes are missing."""
        for spot in spots - {s.spot for s in settled}:
            self.left_undecided.setdefault(spot, round.left_undecided(ME, spot))

    def _is_settled(self, round: Round) -> bool:
        """Whether all is settled that is asked for."""
        return bool(self.until) and not isinstance(round.next, Bet) and not any(round.stake(ME, s) for s in self.until)

    def _goes_on(self, round: Round) -> bool:
        """Whether the next round belongs to this one."""
        if not round.over:
            return False
        return any(seat == ME for seat, _ in undecided(round)) or (self.whole_turn and not round.turn_over)

    def _certain(self, round: Round) -> list[Answer]:
        """The answers to a step that does not branch for this seat."""
        match round.next:
            case Bet() as bet:
                mine = bets_for(self.stakes, round, bet, ME)
                others = bets_for(self._company, round, bet, COMPANY) if COMPANY in round.seats else ()
                return [*mine, *others, Close()]
            case Deal():
                return [DEALT]
            case Turn(token, to):
                known = round.cards[token].card
                return [known] if known is not None else [] if to in (ALL, ME) else [HIDDEN]
            case Choose(who) as choose if choose.neutral or not choose.is_for(ME):
                return [Decide(who if isinstance(who, Role) else min(who), choose.clock_choice.name)]
        return []


class Graph:
    """All states of a game that a seat can reach, under one policy or under every choice."""

    def __init__(
        self,
        rules: RoundWalker,
        unseen: Unseen | None,
        policy: Policy | None = None,
        limit: int = LARGEST,
        *,
        classes: CardClasses | None = None,
        progress: Progress | None = None,
        whole: bool = True,
    ) -> None:
        classes = classes or CardClasses(suited=unseen is None or unseen.suited)
        self.rules = rules
        self.unseen = unseen
        self.policy = policy
        self.limit = limit
        self.progress = progress
        self.states: list[State | None] = [None]
        self._ids: dict[tuple[int, Unseen | None], int] = {}
        game = game_of(rules.start)
        fresh, pack = game.fresh(), game.definition.pack
        self._fresh = fresh and classes.pack(fresh)
        self._fold = pack is not None and pack.suits_alike
        self._rename = self._fold and unseen is not None and unseen.suited and unseen.suits_are_even
        hop = rules.walk_on(rules.start, None, self._rename)
        self.first_event = hop.event
        self.start = self._arrive(hop, unseen)
        if whole:
            self._grow()

    def _grow(self) -> None:
        """Every state in turn, while more of them are found. Where they are many, how many there will be is estimated
        before they are all walked, so that nobody waits for nothing."""
        at, expected = 1, 0
        while at < len(self.states):
            if not expected and (at == MANY or len(self.states) > self.limit):
                expected = expected_states(Graph(self.rules, self.unseen, self.policy, whole=False), self.limit)
            if max(expected, len(self.states)) > self.limit:
                raise TooLarge(too_large(self.rules, max(expected, len(self.states))))
            if self.progress is not None and at > MANY and not at % TELL:
                self.progress(at, max(expected, len(self.states)))
            self._expand(self.state(at))
            at += 1

    def following(self, number: int) -> set[int]:
        """The states that can follow one; whatever is needed to know them is walked."""
        state = self.state(number)
        if not (state.edges or state.options):
            self._expand(state)
        return {edge.state for edge in (*state.edges, *state.options.values())} - {END}

    def state(self, number: int) -> State:
        state = self.states[number]
        assert state is not None, "the end is no state that anything follows"
        return state

    def info(self, state: State) -> Info:
        """The seat's information in a state. What was seen and is gone follows from the unseen cards."""
        round = state.skeleton.round
        if state.unseen is not None and self.unseen is not None:
            seen = Counter(dict(zip(state.unseen.cards, self.unseen.counts, strict=True)))
            seen.subtract(dict(zip(state.unseen.cards, state.unseen.counts, strict=True)))
            seen.subtract(round.open_cards)
            round = round.with_gone((+seen).elements(), state.unseen.came_back)
        return round.info(ME)

    # Growing.

    def _arrive(self, hop: Hop, unseen: Unseen | None) -> int:
        """The state that a hop leads to, with the cards that are unseen then."""
        if hop.skeleton is None:
            return END
        if hop.new_round:
            unseen = self._fresh
        if unseen is not None:
            for card in hop.put_back:
                sealed = hop.skeleton.round.waiting
                unseen = unseen.put_back(card) if sealed else unseen.plus(card)
            if hop.suits != SUITS:
                unseen = unseen.renamed(hop.suits)
        name = (id(hop.skeleton), unseen)
        number = self._ids.get(name)
        if number is None:
            number = self._ids[name] = len(self.states)
            self.states.append(State(hop.skeleton, unseen))
        return number

    def _expand(self, state: State) -> None:
        step = state.skeleton.round.next
        weights: dict[tuple[int, Event], int] = defaultdict(int)
        match step:
            case Turn(token):
                self._expand_turn(state, token, weights)
            case Read(token, among):
                assert state.unseen is not None
                others = state.skeleton.round.shown_besides(token)
                for cards, weight in state.unseen.reads(among, others).items():
                    weights[self._led_to(state, cards)] += weight
            case Roll(dice):
                for faces, weight in _rolls(state.skeleton.round.alike, dice).items():
                    weights[self._led_to(state, faces)] += weight
            case Spin(wheel, pockets):
                for pocket, weight in Counter(pockets).items():
                    weights[self._led_to(state, Pocket(pocket, wheel))] += weight
            case Choose():
                self._expand_choice(state, step)
        state.edges = [Edge(weight, number, event) for (number, event), weight in weights.items()]

    def _expand_turn(self, state: State, token: Token, weights: dict[tuple[int, Event], int]) -> None:
        unseen, round = state.unseen, state.skeleton.round
        assert unseen is not None
        chances = round.chances(token, unseen)
        earlier, waiting = round.cards[token].earlier, round.waiting
        alike = self._alike_suits(state.skeleton, unseen) if unseen.suited else {}
        hops = state.skeleton.hops
        ends: dict[Event, int] = defaultdict(int)
        for card, weight in chances.items():
            if alike:
                stands_for = alike[card.suit]
                if not stands_for:
                    continue
                weight *= stands_for
            hop = hops.get(card) or self._turned(state.skeleton, card)
            if hop.skeleton is None:
                ends[hop.event] += weight
            else:
                left = unseen.without(card, earlier=earlier, waiting=waiting)
                weights[self._arrive(hop, left), hop.event] += weight
        for event, weight in ends.items():
            weights[END, event] += weight

    def _turned(self, skeleton: Skeleton, card: Card) -> Hop:
        """What follows a card that is turned. Where the round is over by it, all suits that no open card has are one:
        what is unseen then is of no more account."""
        if self._fold and card.has_suit and card.suit not in skeleton.open_suits:
            for suit in SUITS:
                twin = None if suit in skeleton.open_suits else skeleton.hops.get(Card(card.text[0] + suit))
                if twin is not None and twin.skeleton is None:
                    skeleton.hops[card] = twin
                    return twin
        return self._hop(skeleton, card)

    def _alike_suits(self, skeleton: Skeleton, unseen: Unseen) -> dict[str, int]:
        """How many suits each suit stands for: 0 when another one stands for it."""
        if not self._fold:
            return {}
        open_suits = skeleton.open_suits
        counts: dict[str, int] = {}
        seen: dict[tuple[object, ...], str] = {}
        for suit in SUITS:
            first = suit if suit in open_suits else seen.setdefault(unseen.suit_row(suit), suit)
            counts[suit] = 0
            counts[first] += 1
        return counts

    def _expand_choice(self, state: State, choose: Choose) -> None:
        names = [option.name for option in choose.options]
        if self.policy is not None:
            names = [self.policy(self.info(state))]
        for name in names:
            hop = self._hop(state.skeleton, Decide(ME, name))
            state.options[name] = Edge(1, self._arrive(hop, state.unseen), hop.event)

    def _led_to(self, state: State, answer: Answer) -> tuple[int, Event]:
        """The state after an answer by which no card becomes known, and what happens on the way."""
        hop = self._hop(state.skeleton, answer)
        return self._arrive(hop, state.unseen), hop.event

    def _hop(self, skeleton: Skeleton, answer: Answer) -> Hop:
        return self.rules.hop(skeleton, answer, self._rename)


@cache
def _rolls(alike: Callable[[tuple[int, ...]], tuple[int, ...]], dice: int) -> Counter[tuple[int, ...]]:
    """How many rolls of so many dice each one stands for."""
    return Counter(map(alike, product(range(1, 7), repeat=dice)))


def undecided(round: Round) -> Iterator[tuple[Seat, Wager]]:
    """The wagers that a round, when it is over, leaves for the next one to decide. What lies on a self-service spot is
    its owner's to take: each roll decides a wager of its own."""
    for seat, spot in round.wagers:
        bet = game_of(round).bet_of(spot)
        if not bet.self_service:
            yield seat, bet


def _in_order_of_appearance(round: Round) -> str:
    """The suits of the open cards as they lie, then the others."""
    suits = dict.fromkeys(card.suit for card in round.open_cards)
    return "".join([*suits, *(suit for suit in SUITS if suit not in suits)])
