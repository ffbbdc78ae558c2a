"""A sealed card has no identity: which cards a round takes, what a seat knows, and that nothing leaks."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest

from feltworks import games
from feltworks.kit.cards import SUITED_CARDS, Card, CardSet, Seat, Token, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.errors import NotAllowed, NotPossible
from feltworks.kit.game import Game, game_of
from feltworks.kit.round import DISCARD, SHUFFLER, Info, Round
from feltworks.kit.steps import DEALT, HIDDEN, Answer, Choose, Close, Deal, Decide, Items, Move, Read, Turn
from feltworks.kit.walk import Habit, walk
from tests.kit.situations import (
    BAND_LARGE,
    DEALER_1,
    HOLE_CARD,
    NO_TEN,
    TEN,
    UPCARD,
    bands_choose,
    bands_look,
    bands_show,
    bands_show_own,
    deal_up,
    few_cards,
    hole_card,
    own,
    peek_deal,
    peek_turn,
    point_is_4,
    settled,
)
from tests.kit.support import (
    LARGE,
    MIDDLE,
    ONE,
    SMALL,
    TWO,
    after_all,
    little_game,
    place,
    refused,
    toy,
    unseen_of,
    with_turned_cards,
)

# Cards.


def test_a_dealt_card_has_no_identity_until_it_is_turned() -> None:
    dealt = peek_turn()
    assert dealt.cards[own(ONE)].card is None
    assert dealt.unseen == peek_deal().unseen
    with pytest.raises(ValueError, match=r"^seat 1 card is sealed$"):
        dealt.card(own(ONE))
    turned = dealt.after(Card("8c"))
    assert turned.card(own(ONE)) is Card("8c")
    assert with_turned_cards(turned) == dealt.unseen


def test_a_face_says_the_card_or_what_is_known_of_it() -> None:
    faces = bands_show().cards
    assert [str(faces[token]) for token in (own(ONE), own(TWO), DEALER_1)] == ["3c", "sealed", "small"]
    assert str(hole_card().after(Card("8d")).cards[HOLE_CARD]) == "8d"


def test_a_round_knows_who_has_seen_a_card() -> None:
    looked = bands_show()
    assert [looked.cards[own(seat)].seen_by for seat in (ONE, TWO)] == [frozenset({ONE}), frozenset({TWO})]
    assert looked.cards[DEALER_1].seen_by == frozenset()
    shown = looked.after(Card("2c"))
    assert shown.cards[DEALER_1].seen_by == frozenset()
    assert bands_show_own().cards[own(ONE)].seen_by == {ONE}


def test_a_round_takes_just_the_cards_that_have_a_chance() -> None:
    for round in (peek_turn(), hole_card(), bands_look(), bands_show(), few_cards().after(BAND_LARGE)):
        assert isinstance(round.next, Turn)
        assert round.unseen is not None
        face = round.cards[round.next.token]
        chances = round.unseen.chances(face.reading, round.shown_besides(round.next.token))
        for card in SUITED_CARDS:
            if card in chances:
                assert round.after(card).unseen == round.unseen.without(card)
            else:
                refused(round, card, NotPossible)


def deal_all(self: Round) -> Items:
    for n in range(3):
        yield Deal(Token(None, f"card {n}"), "table")


def test_an_empty_shoe_deals_no_card() -> None:
    round = after_all(little_game(deal_all).start(unseen=unseen_of("2c 3c")), [DEALT, DEALT])
    assert refused(round, DEALT, NotPossible) == "No card is left in the shoe to be dealt to table."


def test_a_card_that_goes_back_to_the_shuffler_is_in_the_shoe_again() -> None:
    game = games.load("one-for-the-money").configured(decks=1, readings={"traded_card": "back"})
    round = after_all(game.start(), [place(ONE, "ante"), Close(), *deal_up("7h"), DEALT, DEALT])
    traded = round.after(Decide(ONE, "trade"))
    assert traded.effects == (Move(own(ONE), SHUFFLER),)
    fresh = game.fresh()
    assert traded.unseen is not None and fresh is not None
    assert traded.unseen.counts == fresh.counts
    assert traded.unseen.came_back == [Card("7h")]
    assert own(ONE) not in traded.cards
    assert after_all(traded, deal_up("7h")).card(Token(ONE, "replacement")) is Card("7h")


def test_a_card_that_was_dealt_before_another_went_back_cannot_be_that_one() -> None:
    game = games.load("one-for-the-money").configured(decks=1, readings={"traded_card": "back"})
    round = after_all(game.start(), [place(ONE, "ante"), Close(), *deal_up("7h"), DEALT, DEALT])
    kept = after_all(round, [Decide(ONE, "trade"), *deal_up("9c"), Decide(ONE, "stand")])
    assert refused(kept, Card("7h"), NotPossible) == "7h is not possible: dealer 1 was dealt before it went back."
    assert kept.after(Card("7d")).info(ONE).returned == (Card("7h"),)


def test_a_traded_card_that_is_out_of_play_cannot_come_again() -> None:
    game = games.load("one-for-the-money").configured(decks=1)
    round = after_all(game.start(), [place(ONE, "ante"), Close(), *deal_up("7h"), DEALT, DEALT])
    traded = after_all(round, [Decide(ONE, "trade"), DEALT])
    assert traded.cards[own(ONE)].place == DISCARD
    assert refused(traded, Card("7h"), NotPossible) == "7h is not possible: none is left in the shoe."


def test_a_sealed_card_goes_back_to_the_shuffler_unseen() -> None:
    def play(self: Round) -> Items:
        yield Deal(Token(None, "burn card"), "table")
        yield Move(Token(None, "burn card"), SHUFFLER)

    round = little_game(play).start().after(DEALT)
    assert round.cards == {}
    assert round.unseen == game_of(round).fresh()


def test_discarded_cards_are_not_in_the_key() -> None:
    game = games.load("one-for-the-money")
    keys = set()
    for first in ("7h", "2c", "As"):
        round = after_all(game.start(), [place(ONE, "ante"), Close(), *deal_up(first), DEALT, DEALT])
        keys.add(round.key)
        keys.add(after_all(round, [Decide(ONE, "trade"), *deal_up("9c")]).key)
    assert len(keys) == 3 + 1


def test_a_discarded_card_that_was_read_and_is_still_sealed_is_in_the_key() -> None:
    """It still bears on the cards to come: one small card fewer is among them."""

    def play(self: Round) -> Items:
        yield Deal(Token(None, "burn card"), "table")
        yield Read(Token(None, "burn card"), (SMALL, MIDDLE, LARGE))
        yield Move(Token(None, "burn card"), DISCARD)
        yield Deal(UPCARD, "table")
        yield Turn(UPCARD)

    start = little_game(play).start(unseen=unseen_of("2c 8c"))
    rounds = [after_all(start, [DEALT, read, DEALT]) for read in (SMALL, LARGE)]
    assert refused(rounds[0], Card("2c"), NotPossible) == "2c is not possible: the cards still sealed need it."
    assert rounds[1].after(Card("2c")).over
    assert rounds[0].key != rounds[1].key


def read_twice(*sets: tuple[CardSet, ...]) -> Callable[[Round], Items]:
    def play(self: Round) -> Items:
        for n, among in enumerate(sets):
            yield Deal(Token(None, f"card {n}"), "table")
            yield Read(Token(None, f"card {n}"), among)
        yield Read(Token(None, "card 0"), sets[0])

    return play


def test_a_second_reading_of_a_card_says_the_same() -> None:
    bands = (SMALL, MIDDLE, LARGE)
    round = after_all(little_game(read_twice(bands)).start(), [DEALT, MIDDLE])
    assert refused(round, LARGE, NotPossible) == "card 0 was read as middle; it cannot be large."
    assert round.after(MIDDLE).over


def test_sets_that_cut_across_a_reading_on_a_sealed_card_are_refused() -> None:
    low, high = CardSet("low", "23456"), CardSet("high", "789TJQKA")
    round = little_game(read_twice((SMALL, MIDDLE, LARGE), (low, high))).start()
    round = after_all(round, [DEALT, MIDDLE, DEALT])
    assert refused(round, low, NotAllowed) == (
        "The set 'low' cuts across 'middle', which was read on a card that is still sealed."
    )


def test_a_turned_card_is_read_as_what_it_is() -> None:
    def play(self: Round) -> Items:
        yield Deal(UPCARD, "dealer")
        yield Turn(UPCARD)
        yield Read(UPCARD, (TEN, NO_TEN))

    round = after_all(little_game(play).start(), deal_up("Tc"))
    assert refused(round, NO_TEN, NotPossible) == "upcard is Tc, which is not no ten."
    assert round.after(TEN).over


def test_every_deal_has_the_probability_of_counting_all_deals() -> None:
    """Walk the toy with a reader through all that it can show and all cards that have a chance, and count the deals."""
    cards = parse_cards("2c 3c 5c 6c 7d")
    start = after_all(toy("bands").start((1,), unseen_of(cards)), [place(ONE, "ante"), Close()])
    counted: dict[tuple[Any, ...], int] = {}
    for laid in permutations(cards, 3):
        walked = walk(start, Scripted(laid), {ONE: Habit({}, prefer=("play",))})
        said = tuple(answer for step, answer, _ in walked if isinstance(step, Read | Turn))
        counted[said] = counted.get(said, 0) + 1
    deals = sum(counted.values())
    assert {said: Fraction(n, deals) for said, n in counted.items()} == dict(chances_of(start, (), Fraction(1)))


def chances_of(round: Round, said: tuple[Any, ...], chance: Fraction) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
    weights: dict[Any, int]
    match round.next:
        case None:
            yield said, chance
        case Deal():
            yield from chances_of(round.after(DEALT), said, chance)
        case Choose():
            yield from chances_of(round.after(Decide(ONE, "play")), said, chance)
        case Turn(token) | Read(token) as step:
            assert round.unseen is not None
            face, others = round.cards[token], round.shown_besides(token)
            if isinstance(step, Read):
                weights = dict(round.unseen.reads(step.among, others))
            elif face.card is not None:
                weights = {face.card: 1}
            else:
                weights = dict(round.unseen.chances(face.reading, others))
            for answer, weight in weights.items():
                share = Fraction(weight, sum(weights.values()))
                yield from chances_of(round.after(answer), (*said, answer), chance * share)


# A round that does not count the unseen cards.


def test_a_round_that_is_not_tracked_believes_every_card() -> None:
    start = toy("bands").start((1,), tracked=False)
    round = after_all(start, [place(ONE, "ante"), Close(), *[DEALT] * 3, SMALL, SMALL, Card("As")])
    end = after_all(round, [Decide(ONE, "play"), Card("2c"), Card("2c"), Card("As")])
    assert end.over
    assert end.unseen is None
    assert [s.net() for s in settled(end)] == [Fraction(2)] * 2


def test_a_round_that_is_not_tracked_still_knows_what_it_was_told() -> None:
    start = toy("bands").start((1,), tracked=False)
    round = after_all(start, [place(ONE, "ante"), Close(), *[DEALT] * 3, SMALL, SMALL, Card("As")])
    shown = after_all(round, [Decide(ONE, "play"), Card("2c"), Card("2c")])
    assert refused(shown, Card("Ks"), NotPossible) == "seat 1 card is As; it cannot be Ks."


def test_a_round_without_its_count_goes_on_alike() -> None:
    counted = bands_choose()
    assert counted.untracked().unseen is None
    assert counted.untracked().key == counted.key
    on = counted.after(Decide(ONE, "fold"))
    assert counted.untracked().after(Decide(ONE, "fold")) == on.untracked()


def test_a_shoe_that_is_not_counted_never_runs_out_and_takes_cards_back() -> None:
    def play(self: Round) -> Items:
        for n in range(60):
            yield Deal(Token(None, f"card {n}"), "table")
        yield Turn(Token(None, "card 0"))
        yield Move(Token(None, "card 0"), SHUFFLER)

    end = after_all(little_game(play).start(tracked=False), [*[DEALT] * 60, Card("As")])
    assert (end.over, len(end.cards), end.unseen) == (True, 59, None)


# What a seat knows.


def test_a_seat_knows_its_own_cards_and_the_houses_and_its_wagers() -> None:
    round = after_all(bands_look(), [Card("3c"), Card("4c"), Decide(ONE, "play")])
    bands = (("dealer 1", None, SMALL), ("dealer 2", None, BAND_LARGE))
    assert round.info(ONE) == Info(
        (),
        (("ante", Fraction(1)), ("play", Fraction(1))),
        (("card", Card("3c"), None), *bands),
        (),
        (),
        (),
    )
    assert round.info(TWO) == Info(
        ("fold", "play"),
        (("ante", Fraction(1)), ("match", Fraction(1))),
        (("card", Card("4c"), None), *bands),
        (),
        (),
        (),
    )


def test_a_seat_knows_which_of_its_cards_are_gone_and_the_games_facts() -> None:
    game = games.load("one-for-the-money")
    round = after_all(game.start(), [place(ONE, "ante"), Close(), *deal_up("7h"), DEALT, DEALT])
    traded = after_all(round, [Decide(ONE, "trade"), *deal_up("9c")])
    assert traded.info(ONE).gone == (Card("7h"),)
    assert ("replacement", Card("9c"), None) in traded.info(ONE).cards
    assert point_is_4().info(ONE).facts == (4,)


def test_a_seat_does_not_know_a_card_that_was_thrown_away_unseen() -> None:
    def play(self: Round) -> Items:
        yield Deal(own(ONE), "seat 1")
        yield Move(own(ONE), DISCARD)

    assert little_game(play).start().after(DEALT).info(ONE) == Info((), (), (), (), (), ())


def test_a_seat_knows_which_of_its_cards_went_back_while_others_lie_sealed() -> None:
    game = games.load("one-for-the-money").configured(readings={"traded_card": "back"})
    answers = [place(ONE, "ante"), place(TWO, "ante"), Close(), *deal_up("7h", "8h"), DEALT, DEALT]
    round = after_all(game.start((1, 2)), [*answers, Decide(ONE, "trade"), *deal_up("9c")])
    assert (round.info(ONE).returned, round.info(TWO).returned) == ((Card("7h"),), ())


def test_another_seats_cards_do_not_change_what_a_seat_knows() -> None:
    bands = [after_all(bands_look(), [Card("3c"), other]) for other in parse_cards("2c 4c 5d 7d")]
    assert len({round.info(ONE) for round in bands}) == 1
    assert len({round.info(TWO) for round in bands}) == 4
    peeks = [after_all(peek_deal(), [*deal_up("8c", other, "Ac"), DEALT]) for other in ("6c", "Ad", "Tc")]
    assert len({round.info(ONE) for round in peeks}) == 1


ALONE: list[tuple[Callable[[], Game], str, list[str], list[str]]] = [
    (lambda: toy("bands"), "ante", ["3c", "2d", "7c"], ["play"]),
    (lambda: toy("peek"), "bet", ["9c", "Ac", "8c"], ["insure", "double"]),
    (lambda: games.load("one-for-the-money"), "ante", ["3c", "2d", "7c", "Jh"], ["trade", "raise"]),
]


@pytest.mark.parametrize(("game", "spot", "cards", "options"), ALONE, ids=["bands", "peek", "one-for-the-money"])
def test_equal_situations_are_equal_at_every_seat(
    game: Callable[[], Game], spot: str, cards: list[str], options: list[str]
) -> None:
    def known(seat: Seat) -> list[Info]:
        round = game().start((seat,)).after(place(seat, spot))
        players = {seat: Habit({}, prefer=tuple(options))}
        return [after.info(seat) for *_, after in walk(round, Scripted(map(Card, cards)), players)]

    assert known(ONE) == known(TWO)
    assert len(set(known(ONE))) > 4


PRIVATE = parse_cards("2d 3c 4c 4d 5c 5d 6c 6d 7d")


@pytest.mark.parametrize(("first", "second"), product(["fold", "play"], repeat=2))
@pytest.mark.parametrize("private", PRIVATE, ids=str)
def test_a_card_turned_to_one_seat_leaks_nowhere(private: Card, first: str, second: str) -> None:
    """The public round and the one with seat 1's card in it differ in that card and in nothing else."""
    public, private_round = bands_look(), bands_look()
    answers: list[Answer] = [HIDDEN, HIDDEN, Decide(ONE, first), Decide(TWO, second), Card("2c"), Card("7c")]
    answers.append(Card("3d"))  # seat 2 turns its card even if it folds: its Match is still to be decided
    if first == "play":
        answers.append(private)
    for n, answer in enumerate(answers):
        public = public.after(answer)
        private_round = private_round.after(private if n == 0 else answer)
        assert public.next == private_round.next
        assert public.effects == private_round.effects
        assert public.wagers == private_round.wagers
        assert public.info(TWO) == private_round.info(TWO)
        assert forgotten(private_round, public) == public
    assert public.over
    assert (public == private_round) == (first == "play")


def forgotten(round: Round, public: Round) -> Round:
    """The round without what only seat 1 has seen."""
    face = round.cards[own(ONE)]
    if public.cards[own(ONE)].card is not None:
        return round
    assert face.card is not None and round.unseen is not None
    cards = {t: replace(f, card=None) if t == own(ONE) else f for t, f in round.cards.items()}
    return replace(round, cards=cards, unseen=round.unseen.plus(face.card))
