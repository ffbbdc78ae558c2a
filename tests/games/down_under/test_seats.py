"""The lemma at this table: a seat that ignores the others' cards fares alike at any number of seats.

Which places in the deck fall to the seat, to the dealer and to the board follows from who has bet, before a card is
out, and never from a card or a decision. Every order of the deck is equally likely, so nine other places give the same
chances as the first nine; and a seat that knows only its own cards, the bands and the board decides alike. What other
seats do changes nothing but envy, which is paid for their hands (D-17).

Here the places are looked at, the same cards are played beside others, and a small pack is gone through deal by deal.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from feltworks.games.down_under_holdem.rules import DEALER, FLOP, TURN_AND_RIVER, DownUnder, own
from feltworks.kit.cards import SUITED_CARDS, Card, Seat, Token
from feltworks.kit.definition import Pack
from feltworks.kit.game import Game
from feltworks.kit.round import Info
from feltworks.kit.steps import DEALT, Choose, Deal, Decide, Read, Settlement, Stake, Turn
from tests.games.down_under.test_round import GAME, TOGETHER, Bets, bets, going, play, shuffled, staged, started
from tests.games.sitting import S1, S2, S3, S7

EVERYTHING = bets(trips_or_better=5, match_the_dealer=5, jackpot=1)
CHOICES = ("3x", "2x", "check, 1x", "check, fold")
SEATS = [Seat(n) for n in range(1, 8)]


def moved(cards: Mapping[Token, Card], seat: Seat) -> dict[Token, Card]:
    """The cards of seat 1 in the hand of another seat."""
    return {Token(seat, token.name) if token.owner == S1 else token: card for token, card in cards.items()}


# Where a seat's cards come from.


@pytest.mark.rule("D-01", "D-03", "D-07")
@pytest.mark.parametrize("seats", [(S1,), (S7,), (S1, S2), (S2, S3, S7), SEATS], ids=str)
def test_the_places_in_the_deck_follow_from_who_has_bet_and_from_nothing_else(seats: tuple[Seat, ...]) -> None:
    first, second = ([own(seat)[n] for seat in seats] for n in (0, 1))
    places = [*first, DEALER[0], *second, DEALER[1], *FLOP, *TURN_AND_RIVER]
    random = Random(len(seats))
    for game, choice in product((GAME, TOGETHER), CHOICES):
        dealt = dict(zip(places, random.sample(SUITED_CARDS, len(places)), strict=True))
        others = {seat: random.choice(CHOICES) for seat in seats[1:]}
        played = play(dealt, {seats[0]: choice, **others}, game=game)
        order = [step.token for step, *_ in played.steps if isinstance(step, Deal)]
        folded = all(words.endswith("fold") for words in (choice, *others.values()))
        assert order == (places[:-2] if folded else places)


# The same cards beside other seats.


def with_others(mine: Mapping[Token, Card], me: Seat, others: int, random: Random) -> dict[Token, Card]:
    """My cards at this seat, and any for so many other seats."""
    cards = moved(mine, me)
    left = [card for card in SUITED_CARDS if card not in cards.values()]
    seats = random.sample([seat for seat in SEATS if seat != me], others)
    return {
        **cards,
        **dict(zip([t for seat in seats for t in own(seat)], random.sample(left, 2 * others), strict=True)),
    }


def known(cards: Mapping[Token, Card], me: Seat, mine: str, game: Game, random: Random) -> tuple[list[Info], list[Any]]:
    """What a seat knows at each of its decisions and at the end, and how its wagers are settled; others do anything."""
    seats = sorted({token.owner for token in cards if token.owner is not None})
    bonuses = ("trips_or_better", "match_the_dealer", "jackpot")
    wagers: dict[Seat, Bets] = {
        seat: {**bets(random.choice((5, 10, 25))), **{b: 1 for b in bonuses if random.random() < 0.5}} for seat in seats
    }
    wagers[me] = EVERYTHING
    choices = {seat: random.choice(CHOICES) for seat in seats} | {me: mine}
    first = started(wagers, game)
    infos, settled, before = [], [], first.info(me)
    for step, answer, round in going(first, cards, choices):
        if isinstance(step, Choose) and isinstance(answer, Decide) and answer.who == me:
            infos.append(before)
        before = round.info(me)
        settled += [
            (s.spot, s.line, s.pay, s.stake, s.amount, s.rule)
            for s in round.effects
            if isinstance(s, Settlement) and s.seat == me and s.stake is not Stake.STAYS
        ]
    return [*infos, before], settled


@pytest.mark.rule("D-01", "D-04", "D-05")
@pytest.mark.parametrize("game", [GAME, TOGETHER], ids=["clockwise", "together"])
@pytest.mark.parametrize("mine", CHOICES)
def test_a_seat_knows_the_same_and_is_settled_alike_beside_any_others(mine: str, game: Game) -> None:
    random = Random(mine)
    for _ in range(4):
        cards = shuffled(random)
        alone = known(cards, S1, mine, game, random)
        assert len(alone[0]) == 2 + mine.startswith("check")
        assert {spot for spot, *_ in alone[1]} == {*EVERYTHING} | ({"play"} if "fold" not in mine else set())
        for others in (0, 1, 3, 6):
            me = random.choice(SEATS)
            assert known(with_others(cards, me, others, random), me, mine, game, random) == alone


@pytest.mark.rule("D-04", "D-05", "D-06")
def test_alone_a_seat_is_told_the_same_at_every_seat_step_by_step() -> None:
    cards = staged("2hKh", "3cKd", "5s9sTs2s6s")
    told = {}
    for seat in SEATS:
        steps = play(moved(cards, seat), {seat: "check, 1x"}, {seat: EVERYTHING}).steps
        told[seat] = [round.info(seat) for _, _, round in steps]
    assert all(told[seat] == told[S1] for seat in SEATS)
    assert len(set(told[S1])) > 15


@pytest.mark.rule("D-17")
def test_only_envy_depends_on_the_hands_of_others() -> None:
    game = GAME.configured(pay={"jackpot": "3"})
    alone = play(staged("2c7d", "3h3d", "5s6s7sKdKc"), "3x", EVERYTHING, game)
    beside = play(staged({S1: "2c7d", S2: "8s9s"}, "3h3d", "5s6s7sKdKc"), {S1: "3x", S2: "3x"}, EVERYTHING, game)
    assert beside.of(S1) == alone.of(S1)
    assert (len(alone.envy(S1)), len(beside.envy(S1))) == (0, 1)


# A small pack, deal by deal: eight decks of two cards, so that a card tells much of the others.

SIXTEEN_CARDS = Pack(decks=8, ranks="2A", suits="c")

Result = tuple[tuple[str, str, Fraction], ...]
Policy = Callable[[DownUnder, Seat], str]


def small() -> Game:
    """The game as it is, with a pack that can be gone through."""
    definition = GAME.definition.model_copy(update={"pack": SIXTEEN_CARDS})
    return replace(GAME, definition=definition, decks=SIXTEEN_CARDS.decks)


def aces(round: DownUnder, *tokens: Token) -> int:
    return sum(round.card(token).rank == 14 for token in tokens)


def sober(round: DownUnder, seat: Seat) -> str:
    """The seat that is looked at: it acts on its own cards, the bands and the flop."""
    mine = aces(round, *own(seat))
    large = sum(face.place == "large" for face in round.cards.values())
    if FLOP[2] in round.cards:
        return "1x" if mine + aces(round, *FLOP) > large else "fold"
    return ("check", "2x", "3x")[max(0, mine - (large == 2))]


def nosy(round: DownUnder, seat: Seat) -> str:
    """Another seat: it looks at every card that anybody has seen, its neighbours' too."""
    seen = sum(face.card.rank == 14 for face in round.cards.values() if face.card is not None)
    if FLOP[2] in round.cards:
        return "fold" if seen % 2 else "1x"
    return ("check", "2x", "check", "3x")[seen % 4]


def law(me: Seat, others: Mapping[Seat, Policy]) -> dict[Result, Fraction]:
    """The chance of everything that can happen to one seat, by the chances that the round itself gives."""
    players = {me: sober, **others}
    wagers = {seat: bets(1, trips_or_better=1, match_the_dealer=1) for seat in sorted(players)}
    found: defaultdict[Result, Fraction] = defaultdict(Fraction)
    first = next(round for _, _, round in going(started(wagers, small()), {}, {}))
    waiting: list[tuple[DownUnder, Fraction, Any]] = [(first, Fraction(1), ())]
    while waiting:
        round, chance, before = waiting.pop()
        result = (*before, *results(round, me))
        match round.next:
            case None:
                found[tuple(sorted(result))] += chance
            case Deal():
                waiting.append((round.after(DEALT), chance, result))
            case Choose(frozenset() as seats):
                (seat,) = seats
                waiting.append((round.after(Decide(seat, players[seat](round, seat))), chance, result))
            case Read(token, among):
                assert round.unseen is not None
                bands = round.unseen.reads(among, round.shown_besides(token))
                for band, n in bands.items():
                    waiting.append((round.after(band), chance * n / sum(bands.values()), result))
            case Turn(token):
                assert round.unseen is not None
                face = round.cards[token]
                weights = {face.card: 1} if face.card else round.chances(token, round.unseen)
                for card, n in weights.items():
                    waiting.append((round.after(card), chance * n / sum(weights.values()), result))
    assert sum(found.values()) == 1
    return dict(found)


def results(round: DownUnder, seat: Seat) -> Iterator[tuple[str, str, Fraction]]:
    return ((s.spot, s.line, s.net()) for s in round.effects if isinstance(s, Settlement) and s.seat == seat)


@cache
def law_of_a_seat_alone() -> dict[Result, Fraction]:
    return law(S1, {})


@pytest.mark.rule("D-01")
@pytest.mark.parametrize(
    ("me", "others"),
    [
        (S2, {}),
        (S2, {S1: nosy}),
        pytest.param(S1, {S2: nosy}, marks=pytest.mark.slow),
        pytest.param(S2, {S1: nosy, S3: nosy}, marks=pytest.mark.slow),
    ],
    ids=["nobody", "one before", "one behind", "one on each side"],
)
def test_other_seats_change_no_chance_of_a_seat_that_ignores_them(me: Seat, others: dict[Seat, Policy]) -> None:
    assert len(law_of_a_seat_alone()) > 10
    assert law(me, others) == law_of_a_seat_alone()
