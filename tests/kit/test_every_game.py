"""What holds for every game: books balance, the pack stays whole, a refusal changes nothing, a round ends."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from feltworks.kit.cards import SUITED_CARDS, Card, CardSet, Seat
from feltworks.kit.chance import Shuffled
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    ALL,
    DEALT,
    HIDDEN,
    Answer,
    Bet,
    Choose,
    Close,
    Collect,
    Deal,
    Decide,
    Incident,
    NoRoll,
    Place,
    Pocket,
    Read,
    Role,
    Roll,
    Settlement,
    Spin,
    Stake,
    TakeUp,
    Turn,
    WagerMoved,
)
from feltworks.kit.walk import walk
from tests.kit.support import SMALL, every_game, label, one_sentence, state, with_turned_cards
from tests.quick import SEED, share

GAMES = every_game()
NAMES = sorted({game.name for game in GAMES})
BASE = {field.name for field in fields(Round)}
HALF = Fraction(1, 2)
AMOUNTS = (Fraction(1), HALF, Fraction(25))
each_game = pytest.mark.parametrize("game", GAMES, ids=label)


class Books:
    """The wagers on the table and what they have won there, kept apart from the round: from the answers and the
    settlements alone."""

    def __init__(self) -> None:
        self.down: dict[tuple[Seat, str], Fraction] = {}
        self.won: dict[tuple[Seat, str], Fraction] = {}

    def take(self, before: Round, answer: Answer, after: Round) -> None:
        match answer:
            case Place(seat, spot, amount):
                self.put(seat, spot, amount)
            case TakeUp(seat, spot):
                del self.down[seat, spot]
            case Collect(seat, spot):
                del self.won[seat, spot]
            case Decide(who, name, amount) if not isinstance(who, Role):
                assert isinstance(before.next, Choose)
                [option] = [o for o in before.next.options if o.name == name]
                if option.extra is not None:
                    most = option.extra.most * self.down[who, option.extra.of]
                    self.put(who, option.extra.spot, most if amount is None else amount)
        for effect in after.effects:
            if isinstance(effect, WagerMoved):
                self.put(effect.seat, effect.to, self.down.pop((effect.seat, effect.spot)))
            if isinstance(effect, Settlement):
                self.settle(effect, lies_there=after.game.wager_of(effect.spot).self_service)
        if isinstance(answer, Close):
            for seat, spot in self.won.keys() - after.winnings.keys():  # a reading of Yo! puts it into action
                self.put(seat, spot, self.won.pop((seat, spot)))
        assert self.down == after.wagers
        assert self.won == after.winnings

    def put(self, seat: Seat, spot: str, amount: Fraction) -> None:
        if amount:
            self.down[seat, spot] = self.down.get((seat, spot), Fraction(0)) + amount

    def settle(self, settled: Settlement, *, lies_there: bool) -> None:
        """A wager is settled once, as it lies there, and is gone unless it stays."""
        place = (settled.seat, settled.spot)
        assert self.down[place] == settled.amount > 0
        assert settled.line and settled.rule
        if settled.stake is not Stake.STAYS:
            del self.down[place]
        elif lies_there:
            self.won[place] = self.won.get(place, Fraction(0)) + settled.net()


def bets(round: Round, bet: Bet) -> Iterator[Answer]:
    for seat in round.seats:
        for spot in bet.spots:
            yield from (Place(seat, spot, amount) for amount in AMOUNTS)
            yield TakeUp(seat, spot)
            yield Collect(seat, spot)


def cards(round: Round, turn: Turn) -> list[Card]:
    """The cards that a token may turn out to be."""
    face = round.cards[turn.token]
    assert round.unseen is not None
    if face.card is not None:
        return [face.card]
    return list(round.chances(turn.token, round.unseen))


def decisions(round: Round, choose: Choose) -> Iterator[Answer]:
    for who in [choose.who] if isinstance(choose.who, Role) else sorted(choose.who):
        for option in choose.options:
            yield Decide(who, option.name)
            if option.extra is not None and not isinstance(who, Role):
                base = round.stake(who, option.extra.of)
                yield Decide(who, option.name, option.extra.least * base)
                yield Decide(who, option.name, option.extra.most * base)


def right_answers(round: Round) -> st.SearchStrategy[Answer]:
    """Answers that the step takes; while betting is open, mostly those that get it closed."""
    match round.next:
        case Bet() as bet:
            open_now = st.sampled_from([answer for answer in bets(round, bet) if takes(round, answer)])
            return st.just(Close()) | open_now if takes(round, Close()) else open_now
        case Deal():
            return st.just(DEALT)
        case Turn(_, to) as turn:
            known = st.sampled_from(cards(round, turn))
            return known | st.just(HIDDEN) if isinstance(to, int) else known
        case Read(token, among):
            assert round.unseen is not None
            return st.sampled_from(list(round.unseen.reads(among, round.shown_besides(token))))
        case Roll(dice, no_rolls):
            rolled = st.tuples(*[st.integers(1, 6)] * dice)
            return rolled | st.sampled_from(no_rolls or ("cocked",)).map(NoRoll)
        case Spin(wheel, pockets):
            return st.sampled_from(pockets).map(lambda name: Pocket(name, wheel))
        case Choose() as choose:
            return st.sampled_from(list(decisions(round, choose)))
    raise AssertionError("The round is over.")


def takes(round: Round, answer: Answer) -> bool:
    try:
        round.after(answer)
    except FeltworksError:
        return False
    return True


SEATS = st.sampled_from([Seat(0), Seat(1), Seat(2), Seat(3), Seat(99)])
SPOTS = st.sampled_from(sorted({spot for game in GAMES for w in game.wagers.values() for spot in w.spots}))
OPTIONS = st.sampled_from(["fold", "play", "raise", "trade", "insure", "double", "void", "no such option"])
NUMBERS = st.sampled_from([Fraction(n, 2) for n in range(-2, 8)])
ANY_ANSWER: st.SearchStrategy[Any] = st.one_of(
    st.builds(Place, SEATS, SPOTS, NUMBERS),
    st.builds(TakeUp, SEATS, SPOTS),
    st.builds(Collect, SEATS, SPOTS),
    st.just(Close()),
    st.just(DEALT),
    st.sampled_from(SUITED_CARDS),
    st.just(Card("A")),
    st.just(HIDDEN),
    st.sampled_from([SMALL, CardSet("ten", "T"), CardSet("large", "56789TJQKA")]),
    st.lists(st.integers(0, 7), max_size=3).map(tuple),
    st.builds(NoRoll, st.just("off the table")),
    st.builds(Pocket, st.sampled_from(["0", "17", "37"]), st.sampled_from(["single-zero", "wheel"])),
    st.builds(Decide, SEATS | st.sampled_from(Role), OPTIONS, NUMBERS | st.none()),
    st.none(),
)


class AnyRound(RuleBasedStateMachine):
    """Any game, any seats, any answers, right and wrong, and now and then an incident."""

    round: Round

    @initialize(
        game=st.sampled_from(NAMES).flatmap(lambda name: st.sampled_from([g for g in GAMES if g.name == name])),
        seats=st.sets(st.integers(1, 3), min_size=1),
    )
    def start(self, game: Game, seats: set[int]) -> None:
        self.game, self.seats = game, sorted(seats & set(range(1, game.definition.seats + 1))) or [1]
        self.round = game.start(self.seats)
        self.books = Books()
        self.past: list[Callable[[Round], Round]] = []

    def go_on(self, by: Callable[[Round], Round]) -> Round:
        before = state(self.round)
        after = by(self.round)
        assert state(self.round) == before
        self.past.append(by)
        self.round, before_it = after, self.round
        return before_it

    @precondition(lambda self: not self.round.over)
    @rule(data=st.data(), steps=st.integers(1, 8))
    def right_answers(self, data: st.DataObject, steps: int) -> None:
        for _ in range(steps):
            if not self.round.over:
                answer = data.draw(right_answers(self.round))
                before = self.go_on(lambda round, answer=answer: round.after(answer))  # type: ignore[misc]
                self.books.take(before, answer, self.round)
                self.all_is_well()

    @rule(answer=ANY_ANSWER)
    def an_answer_that_may_be_wrong(self, answer: Any) -> None:
        before = state(self.round)
        try:
            self.round.after(answer)
        except FeltworksError as refusal:
            one_sentence(refusal)
        assert state(self.round) == before

    @precondition(lambda self: not self.round.over and len(self.past) % 8 == 5)
    @rule()
    def an_incident(self) -> None:
        as_it_was = state(self.round)
        try:
            self.round.report(Incident("dispute"))
        except FeltworksError as refusal:  # a game may want what is being decided to be decided first
            one_sentence(refusal)
            assert state(self.round) == as_it_was
            return
        before = self.go_on(lambda round: round.report(Incident("dispute")))
        assert self.round.wagers == before.wagers
        assert isinstance(self.round.next, Choose)

    @precondition(lambda self: isinstance(self.round.next, Turn) and self.round.unseen is not None)
    @rule()
    def a_turn(self) -> None:
        """The round takes the cards that have a chance and no others."""
        assert isinstance(self.round.next, Turn)
        possible = cards(self.round, self.round.next)
        assert [card for card in SUITED_CARDS if takes(self.round, card)] == possible

    @invariant()
    def all_is_well(self) -> None:
        self.the_pack_is_whole()
        assert set(self.round.playing) == {seat for seat, _ in self.books.down}
        if isinstance(self.round.next, Choose):
            assert self.round.next.options[0].extra is None  # F-30: what a clock that runs out chooses
        if isinstance(self.round.next, Turn) and self.round.next.to is not ALL:
            assert self.round.shows_alone  # F-14: such a seat needs a screen where the cards are the program's
        if self.round.over:
            left = self.round.carry.get("wagers", {})
            assert self.round.wagers == left == self.books.down
            assert self.round.contract <= left.keys()

    def the_pack_is_whole(self) -> None:
        if self.round.unseen is not None:
            assert with_turned_cards(self.round) == self.game.fresh()
            assert sum(face.card is None for face in self.round.cards.values()) <= self.round.unseen.total

    def teardown(self) -> None:
        """The same answers make the same round again."""
        if not hasattr(self, "past"):
            return
        again = self.game.start(self.seats)
        for by in self.past:
            again = by(again)
        assert again == self.round
        assert again.key == self.round.key


@pytest.mark.soak
def test_any_round_of_any_game_takes_any_answer_or_refuses_it_and_ends_with_nothing_lost() -> None:
    run_state_machine_as_test(
        AnyRound, settings=settings(max_examples=share(100), stateful_step_count=25, deadline=None)
    )


class Restless:
    """A player that wagers and decides anything that is allowed; one amount on all spots of a wager. Who has none of
    the wagers with which one comes into the round makes one."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp | Collect]:
        units = {n: self.random.choice(AMOUNTS[:1] if w.fixed else AMOUNTS) for n, w in round.game.wagers.items()}
        for spot in bet.spots:
            wager = round.game.wager_of(spot)
            wanted = wager.required or self.random.random() < 0.5
            answers = (Collect(seat, spot), TakeUp(seat, spot), Place(seat, spot, units[wager.name]))
            for answer in answers if wanted else ():
                if takes(round, answer):
                    round = round.after(answer)
                    yield answer
        ways = [wager for wager in round.game.wagers.values() if wager.one_of]
        if ways and not any(round.has(seat, wager.name) for wager in ways):
            spots = [spot for wager in ways for spot in wager.opens if spot in bet.spots]
            yield Place(seat, self.random.choice(spots), self.random.choice(AMOUNTS))

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        return Decide(seat, self.random.choice(choose.options).name)


@pytest.mark.soak
@each_game
@pytest.mark.parametrize("seats", [(1,), (2,), (1, 2), (1, 2, 3)], ids=str)
def test_rounds_of_restless_players_end_with_the_books_balanced(game: Game, seats: tuple[int, ...]) -> None:
    seats = tuple(seat for seat in seats if seat <= game.definition.seats)
    random = Random(f"{label(game)} {seats} {SEED}")
    for _ in range(share(6, soak=60)):
        round, books = game.start(seats), Books()
        players = {seat: Restless(random) for seat in round.seats}
        shoe = Shuffled(random, game.fresh())
        before, past = round, []
        for count, (step, answer, after) in enumerate(walk(round, shoe, players)):
            assert step == before.next
            assert count < 10_000
            books.take(before, answer, after)
            if after.unseen is not None:
                assert with_turned_cards(after) == game.fresh()
            past.append(answer)
            before = after
        assert before.over
        assert books.down == before.carry.get("wagers", {})
        for answer in past:
            round = round.after(answer)
        assert round == before


@each_game
def test_a_seat_that_plays_alone_is_told_the_same_as_any_other(game: Game) -> None:
    def told(seat: Seat) -> list[Any]:
        """What it is told step by step; where a fact is the seat, such as the shooter, "I" am it."""
        random = Random(label(game))
        shoe = Shuffled(random, game.fresh())
        walked = walk(game.start((seat,)), shoe, {seat: Restless(random)})
        return [after.info(seat)._replace(facts=facts(after, seat)) for *_, after in walked]

    def facts(round: Round, seat: Seat) -> tuple[Any, ...]:
        if round.info(seat).facts != round.facts:
            return round.info(seat).facts  # the game tells its facts for each seat
        named = [(getattr(round, f.name), "Seat" in str(f.type)) for f in fields(round) if f.name not in BASE]
        return tuple("I" if is_seat and fact == seat else fact for fact, is_seat in named)

    for seat in range(2, game.definition.seats + 1):
        assert told(Seat(seat)) == told(Seat(1))


@each_game
def test_every_spot_that_opens_is_open_in_some_window(game: Game) -> None:
    windows = {window for wager in game.wagers.values() for window in wager.windows}
    open_spots = {spot for window in windows for spot in game.betting(window).spots}
    assert open_spots == {spot for wager in game.wagers.values() for spot in wager.opens}
