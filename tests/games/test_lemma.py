"""The lemma on which every analysis of one seat rests.

**A seat that ignores other seats' cards has the same value at any number of seats.** Not only its mean:
everything that can happen to its wagers has the same chances.

Why it holds. Shuffle, and number the cards in the order in which they leave the shoe. Every order is equally
likely, so the next card is, for anybody who has seen only the cards before it, any of the rest with equal
chance. Other seats decide which of the numbers come to the seat and to the dealer, not what lies there:
whether they take a card follows from cards that were turned before. A choice of places by somebody who cannot
see what lies there does not change what is found. So the cards of this seat and of the dealer are as likely
as if nobody else played; and as the seat's own choices depend on nothing else, so is its result. Other seats
may look at all the open cards, its own included.

What it needs. Cards must leave the shoe for good. With `traded_card = back` cards that have been *seen* lie
among those still to come: the seat's own comes back the sooner the fewer others lie there, and low cards that
other seats have put back make the shoe poorer. There the lemma is false.

Here it is checked by going through every deal of two small packs, without and with other seats.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from feltworks.games import load
from feltworks.games.one_for_the_money.rules import own, replacement
from feltworks.kit.cards import Card, Seat, Token
from feltworks.kit.definition import Pack
from feltworks.kit.game import Game
from feltworks.kit.round import SHUFFLER, Round
from feltworks.kit.steps import DEALT, Choose, Deal, Decide, Move, Turn
from tests.games.sitting import betting_closed, settlements
from tests.quick import cases, soaking

GAME = load("one-for-the-money")
BONUSES = {"three-card-bonus": "three_card_bonus", "perfect-match": "perfect_match"}
NINE_CARDS = Pack(decks=3, ranks="234", suits="c")
EIGHT_CARDS = Pack(decks=1, ranks="2345", suits="cd")

Result = tuple[tuple[str, str, Fraction], ...]
Law = Mapping[Result, Fraction]
Policy = Callable[[Round, Seat], str]


def small(pack: Pack, version: str = "three-card-bonus", traded_card: str = "out") -> Game:
    """The game as it is, with a pack that can be gone through."""
    game = GAME.configured(version=version, readings={"traded_card": traded_card})
    return replace(game, definition=game.definition.model_copy(update={"pack": pack}), decks=pack.decks)


def sober(round: Round, seat: Seat) -> str:
    """The seat that is looked at: it acts on its own card and on nothing else."""
    if replacement(seat) in round.cards:
        return "raise" if round.card(replacement(seat)).rank >= 4 else "stand"
    rank = round.card(own(seat)).rank
    return "trade" if rank <= 3 else "check" if rank == 4 else "raise"


def eager(round: Round, seat: Seat) -> str:
    """Another seat: it always takes one more card."""
    return "raise" if replacement(seat) in round.cards else "trade"


def nosy(round: Round, seat: Seat) -> str:
    """Another seat: it looks at every open card, to trade just when that suits it."""
    open_ranks = [face.card.rank for face in round.cards.values() if face.card is not None]
    if replacement(seat) in round.cards:
        return "stand" if sum(open_ranks) % 2 else "raise"
    return "trade" if sum(open_ranks) % 3 else "check"


def start(game: Game, seats: int) -> Round:
    bets = {"ante": 1, BONUSES[game.version_name]: 1}
    return betting_closed(game, {Seat(seat): bets for seat in range(1, seats + 1)})


def law(game: Game, me: int = 1, others: Mapping[int, Policy] | None = None) -> Law:
    """The chance of everything that can happen to one seat, by the chances that the round itself gives."""
    players = {Seat(me): sober, **{Seat(seat): policy for seat, policy in (others or {}).items()}}
    found: defaultdict[Result, Fraction] = defaultdict(Fraction)
    waiting = [(start(game, len(players)), Fraction(1), ())]
    while waiting:
        round, chance, before = waiting.pop()
        result: Any = (*before, *results(round, Seat(me)))
        match round.next:
            case None:
                found[result] += chance
            case Deal():
                waiting.append((round.after(DEALT), chance, result))
            case Choose():
                waiting.append((round.after(decision(round, players)), chance, result))
            case Turn():
                assert round.unseen is not None
                weights = round.chances(round.next.token, round.unseen)
                for card, n in weights.items():
                    waiting.append((round.after(card), chance * n / sum(weights.values()), result))
    assert sum(found.values()) == 1
    return dict(found)


def results(round: Round, seat: Seat) -> Iterator[tuple[str, str, Fraction]]:
    return ((s.spot, s.line, s.net()) for s in settlements([round.effects]) if s.seat == seat)


def decision(round: Round, players: Mapping[Seat, Policy]) -> Decide:
    assert isinstance(round.next, Choose) and isinstance(round.next.who, frozenset)
    (seat,) = round.next.who
    return Decide(seat, players[seat](round, seat))


@pytest.mark.parametrize("version", BONUSES)
@pytest.mark.parametrize(
    ("me", "others"),
    [
        (1, {2: eager}),
        (2, {1: eager}),
        (1, {2: nosy}),
        (2, {1: nosy}),
        (2, {1: sober}),
        pytest.param(2, {1: nosy, 3: eager}, marks=pytest.mark.slow),
        pytest.param(3, {1: eager, 2: nosy}, marks=pytest.mark.slow),
        pytest.param(1, {2: nosy, 3: nosy}, marks=pytest.mark.slow),
    ],
)
def test_other_seats_change_nothing_for_a_seat_that_ignores_them(
    me: int, others: dict[int, Policy], version: str
) -> None:
    game = small(NINE_CARDS, version)
    alone = law(game)
    assert len(alone) > 10
    assert law(game, me, others) == alone


BESIDE = [(me, other, version) for me in (1, 2) for other in (eager, nosy) for version in BONUSES]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(("me", "other", "version"), BESIDE if soaking() else BESIDE[::3])
def test_other_seats_change_nothing_either_where_every_card_is_different(me: int, other: Policy, version: str) -> None:
    """Each place, other seat and bonus once; in a soak all of them together."""
    game = small(EIGHT_CARDS, version)
    assert law(game, me, {3 - me: other}) == law(game)


# What the round says of its unseen cards is what a real shoe does.


def law_of_a_real_shoe(game: Game, me: int = 1, others: Mapping[int, Policy] | None = None) -> Law:
    """The same by a shoe that knows its cards: each is drawn when it is dealt, sealed or not."""
    players = {Seat(me): sober, **{Seat(seat): policy for seat, policy in (others or {}).items()}}
    found: defaultdict[Result, Fraction] = defaultdict(Fraction)
    fresh = game.fresh()
    assert fresh is not None
    full = +Counter(dict(zip(fresh.cards, fresh.counts, strict=True)))
    nothing: dict[Token, Card] = {}
    waiting = [(start(game, len(players)), full, nothing, Fraction(1), ())]
    while waiting:
        round, shoe, drawn, chance, before = waiting.pop()
        result: Any = (*before, *results(round, Seat(me)))
        match round.next:
            case None:
                found[result] += chance
            case Deal(token):
                for card, n in shoe.items():
                    left = shoe - Counter([card])
                    share = chance * n / shoe.total()
                    waiting.append((round.after(DEALT), left, {**drawn, token: card}, share, result))
            case Turn(token):
                waiting.append((round.after(drawn[token]), shoe, drawn, chance, result))
            case Choose():
                decided = round.after(decision(round, players))
                back = Counter(
                    drawn[effect.what]
                    for effect in decided.effects
                    if isinstance(effect, Move) and isinstance(effect.what, Token) and effect.to == SHUFFLER
                )
                waiting.append((decided, shoe + back, drawn, chance, result))
    assert sum(found.values()) == 1
    return dict(found)


@pytest.mark.rule("O-04")
def test_other_seats_change_the_chances_where_traded_cards_go_back() -> None:
    game = small(NINE_CARDS, traded_card="back")
    alone = law_of_a_real_shoe(game)
    assert law_of_a_real_shoe(game, 1, {2: sober}) != alone
    assert law_of_a_real_shoe(game, 2, {1: sober}) != alone


@pytest.mark.rule("O-04")
@pytest.mark.parametrize("version", BONUSES)
@pytest.mark.parametrize(
    "pack", cases([NINE_CARDS, EIGHT_CARDS], quick=[NINE_CARDS]), ids=["nine cards", "eight cards"]
)
@pytest.mark.parametrize("traded_card", ["out", "back"])
def test_the_chances_of_the_round_are_those_of_a_real_shoe(traded_card: str, pack: Pack, version: str) -> None:
    game = small(pack, version, traded_card)
    assert law(game) == law_of_a_real_shoe(game)
