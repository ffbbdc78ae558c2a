"""Bad input at a table of Down Under Hold'em: refused in one clear sentence, and the round is what it was."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from feltworks.games.down_under_holdem.rules import (
    DEALER,
    LARGE,
    MEDIUM,
    SMALL,
    DownUnder,
    own,
    situation,
)
from feltworks.kit.cards import Card, CardSet, Seat, Token
from feltworks.kit.errors import BadCard, BadValue, FeltworksError, NotAllowed, NotPossible, UnknownName
from feltworks.kit.manual_entry import READER_FAULT, WRONG_CARD, entered
from feltworks.kit.odds import PUSH
from feltworks.kit.steps import (
    DEALT,
    HIDDEN,
    Close,
    Decide,
    Incident,
    Move,
    Place,
    Read,
    Role,
    Settlement,
    Stake,
    TakeUp,
    Turn,
)
from tests.games.down_under.test_round import (
    GAME,
    TOGETHER,
    asked,
    bets,
    going,
    staged,
    started,
    until,
)
from tests.games.sitting import S1, S2, S3
from tests.kit.support import one_sentence, refused, state

CARDS = staged({S1: "2hKh", S2: "8h8s"}, "3cKd", "5s9sTs2s6s")
EVERY = bets(trips_or_better=5, match_the_dealer=5, jackpot=1)
BOTH = {S1: EVERY, S2: EVERY}


def one(seat: Any, spot: str, amount: int | str = 1) -> Place:
    return Place(seat, spot, Fraction(amount))


# Where the table is when something wrong is said.


def betting() -> DownUnder:
    """Seat 1 has every wager, seat 2 nothing; seat 3 is not there."""
    return started({S1: EVERY, S2: {}})


def unlike() -> DownUnder:
    return started({S1: {"ante": 10, "bet": 5}})


def only(spot: str) -> Callable[[], DownUnder]:
    return lambda: started({S1: {spot: 10}})


def sensing() -> DownUnder:
    return started(BOTH).after(Close())


def dealing() -> DownUnder:
    return started({S1: bets()}).after(Close())


def at(step: type, *choices: str) -> Callable[[], DownUnder]:
    """The first step of a kind, when these choices of seat 1 and seat 2 are made."""

    def reached() -> DownUnder:
        made = dict(zip((S1, S2), choices, strict=False))
        for _, _, round in going(started(BOTH), CARDS, made):
            if isinstance(round.next, step):
                return round
        raise AssertionError(step)

    return reached


def before_the_flop() -> DownUnder:
    """It is seat 1's turn."""
    return until(CARDS, {}, BOTH)


def after_the_flop() -> DownUnder:
    """Seat 2 has made Play; it is seat 1's turn."""
    return until(CARDS, {S1: "check", S2: "2x"}, BOTH)


def together() -> DownUnder:
    """Seat 2 has chosen already."""
    return until(CARDS, {S2: "2x"}, BOTH, TOGETHER)


def turning(token: Token) -> Callable[[], DownUnder]:
    """A card is about to be turned to all."""

    def reached() -> DownUnder:
        for _, _, round in going(started(BOTH), CARDS, {S1: "3x", S2: "3x"}):
            if round.next == Turn(token):
                return round
        raise AssertionError(token)

    return reached


def over() -> DownUnder:
    *_, (_, _, round) = going(started(BOTH), CARDS, {S1: "3x", S2: "3x"})
    return round


def stopped() -> DownUnder:
    return after_the_flop().report(Incident(READER_FAULT))


BAD: dict[str, tuple[Callable[[], DownUnder], Any, type[FeltworksError], str]] = {
    # Wagers.
    "a bet unlike the ante": (unlike, Close(), NotAllowed, "(D-02); make them equal."),
    "an ante without a bet": (only("ante"), Close(), NotAllowed, "Seat 1 needs equal wagers on Ante and Bet (D-02)"),
    "a bet without an ante": (only("bet"), Close(), NotAllowed, "Seat 1 needs equal wagers on Ante and Bet (D-02)"),
    "no wager at all": (lambda: started({S1: {}}), Close(), NotAllowed, "No seat has a wager"),
    "trips without an ante": (
        betting,
        one(S2, "trips_or_better"),
        NotAllowed,
        "Trips or Better is for seats with Ante and Bet (D-02); place those first.",
    ),
    "match without an ante": (
        betting,
        one(S2, "match_the_dealer"),
        NotAllowed,
        "Match the Dealer is for seats with Ante and Bet (D-02); place those first.",
    ),
    "a jackpot without an ante": (
        betting,
        one(S2, "jackpot"),
        NotAllowed,
        "Jackpot is for seats with Ante and Bet (D-02); place those first.",
    ),
    "taking the ante from under a bonus": (betting, TakeUp(S1, "ante"), NotAllowed, "needs Ante; take that up first."),
    "taking the bet from under a bonus": (betting, TakeUp(S1, "bet"), NotAllowed, "needs Ante; take that up first."),
    "play before the deal": (betting, one(S1, "play", 10), NotAllowed, "No wager on 'play' is taken now"),
    "a wager of nothing": (betting, one(S1, "ante", 0), NotAllowed, "A wager of 0 is not allowed; place more than 0."),
    "a wager of less than nothing": (betting, one(S1, "jackpot", -1), NotAllowed, "A wager of -1 is not allowed"),
    "a wager of a seat that is not there": (betting, one(S3, "ante"), NotAllowed, "There is no seat 3 in this round"),
    "an unknown spot": (betting, one(S1, "pairs"), NotAllowed, "No wager on 'pairs' is taken now"),
    "a bonus after the deal": (
        before_the_flop,
        one(S1, "trips_or_better"),
        NotAllowed,
        "A decision is wanted: check, 2x, 3x.",
    ),
    "an ante after the deal": (before_the_flop, one(S1, "ante"), NotAllowed, "A decision is wanted: check, 2x, 3x."),
    "taking up after the deal": (before_the_flop, TakeUp(S1, "trips_or_better"), NotAllowed, "A decision is wanted"),
    # The Jackpot.
    "unequal jackpots": (
        lambda: started({S1: EVERY, S2: bets()}),
        one(S2, "jackpot", 2),
        NotAllowed,
        "Jackpot is one amount for everybody; place as much as the others have.",
    ),
    "a jackpot that is added to": (lambda: started(BOTH), one(S1, "jackpot"), NotAllowed, "one amount for everybody"),
    "a jackpot while the spots are sensed": (sensing, one(S1, "jackpot"), NotAllowed, "(D-13)"),
    "a jackpot while cards are dealt": (dealing, one(S1, "jackpot"), NotAllowed, "(D-13)"),
    "a jackpot before the flop": (before_the_flop, one(S1, "jackpot"), NotAllowed, "(D-13)"),
    "a jackpot after the flop": (after_the_flop, one(S1, "jackpot"), NotAllowed, "(D-13)"),
    "a jackpot when the round is over": (over, one(S1, "jackpot"), NotAllowed, "(D-13)"),
    "a spot sensed by a seat": (sensing, Decide(S1, "lit"), NotAllowed, "It is the turn of the dealer."),
    "a spot sensed by the supervisor": (sensing, Decide(Role.SUPERVISOR, "lit"), NotAllowed, "the turn of the dealer."),
    "a spot that is neither": (sensing, Decide(Role.DEALER, "dim"), NotAllowed, "choose one of: lit, not lit."),
    # Play.
    "4x before the flop": (before_the_flop, Decide(S1, "4x"), NotAllowed, "(D-05)"),
    "1x before the flop": (before_the_flop, Decide(S1, "1x"), NotAllowed, "(D-05)"),
    "0x before the flop": (before_the_flop, Decide(S1, "0x"), NotAllowed, "(D-05)"),
    "2x after the flop": (after_the_flop, Decide(S1, "2x"), NotAllowed, "(D-06), not 2x; choose one of: fold, 1x."),
    "3x after the flop": (after_the_flop, Decide(S1, "3x"), NotAllowed, "(D-06), not 3x; choose one of: fold, 1x."),
    "a fold before the flop": (before_the_flop, Decide(S1, "fold"), NotAllowed, "'fold' is not possible now"),
    "a check after the flop": (after_the_flop, Decide(S1, "check"), NotAllowed, "'check' is not possible now"),
    "another amount than 2x": (
        before_the_flop,
        Decide(S1, "2x", Fraction(15)),
        NotAllowed,
        "'2x' wagers 20 here, not 15.",
    ),
    "another amount than 1x": (
        after_the_flop,
        Decide(S1, "1x", Fraction(20)),
        NotAllowed,
        "'1x' wagers 10 here, not 20.",
    ),
    "an amount with a check": (before_the_flop, Decide(S1, "check", Fraction(5)), NotAllowed, "carries no wager"),
    # Who decides.
    "out of turn": (before_the_flop, Decide(S2, "check"), NotAllowed, "It is the turn of seat 1."),
    "a second time": (together, Decide(S2, "check"), NotAllowed, "It is the turn of seat 1."),
    "again after play": (after_the_flop, Decide(S2, "1x"), NotAllowed, "It is the turn of seat 1."),
    "a seat that is not there": (before_the_flop, Decide(S3, "3x"), NotAllowed, "It is the turn of seat 1."),
    "the dealer for a seat": (before_the_flop, Decide(Role.DEALER, "check"), NotAllowed, "It is the turn of seat 1."),
    "when the round is over": (over, Decide(S1, "check"), NotAllowed, "The round is over; start the next one."),
    # Cards.
    "a decision while a card is dealt": (dealing, Decide(S1, "check"), NotAllowed, "answer it with DEALT"),
    "a card while betting is open": (betting, Card("As"), NotAllowed, "Betting is open"),
    "a card instead of a deal": (dealing, Card("As"), NotAllowed, "answer it with DEALT"),
    "a card instead of a reading": (at(Read), Card("3c"), NotAllowed, "say one of: small, medium, large."),
    "a second close": (before_the_flop, Close(), NotAllowed, "A decision is wanted"),
    "a card that a seat has already": (
        turning(DEALER[1]),
        Card("Kh"),
        NotPossible,
        "Kh is not possible: none is left in the shoe.",
    ),
    "a card of the flop again": (
        turning(DEALER[0]),
        Card("5s"),
        NotPossible,
        "5s is not possible: none is left in the shoe.",
    ),
    "a dealer's card outside its band": (
        turning(DEALER[0]),
        Card("Ac"),
        NotPossible,
        "Ac is not possible: dealer 1 was read as small.",
    ),
    "the second one outside its band": (
        turning(DEALER[1]),
        Card("4c"),
        NotPossible,
        "4c is not possible: dealer 2 was read as large.",
    ),
    "a seat's card that has changed": (
        turning(own(S2)[0]),
        Card("8d"),
        NotPossible,
        "seat 2 card 1 is 8h; it cannot be 8d.",
    ),
    "a card without a suit": (turning(DEALER[0]), Card("3"), BadCard, "3 needs a suit here: 3c, 3d, 3h or 3s."),
    "a dealer's card that nobody saw": (turning(DEALER[0]), HIDDEN, NotAllowed, "dealer 1 is turned to all"),
    # While the supervisor is asked.
    "a decision while the round is stopped": (
        stopped,
        Decide(S1, "fold"),
        NotAllowed,
        "It is the turn of the supervisor.",
    ),
    "a jackpot while the round is stopped": (stopped, one(S1, "jackpot"), NotAllowed, "(D-13)"),
    "a deal while the round is stopped": (
        stopped,
        DEALT,
        NotAllowed,
        "A decision is wanted: continue, light was wrong, void.",
    ),
    "a void by the dealer": (stopped, Decide(Role.DEALER, "void"), NotAllowed, "It is the turn of the supervisor."),
}


@pytest.mark.rule("D-02", "D-04", "D-05", "D-06", "D-10", "D-13")
@pytest.mark.parametrize(("where", "answer", "kind", "sentence"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_sentence_and_changes_nothing(
    where: Callable[[], DownUnder], answer: Any, kind: type[FeltworksError], sentence: str
) -> None:
    assert sentence in refused(where(), answer, kind)


@pytest.mark.rule("D-05", "D-06")
def test_the_refusal_of_a_play_tells_what_play_may_be() -> None:
    assert refused(before_the_flop(), Decide(S1, "4x"), NotAllowed) == (
        "Play is 2x or 3x Ante before the flop (D-05) and 1x after it (D-06), not 4x; choose one of: check, 2x, 3x."
    )


@pytest.mark.rule("D-13")
def test_the_refusal_of_a_late_jackpot_tells_when_it_is_placed() -> None:
    assert refused(after_the_flop(), one(S1, "jackpot"), NotAllowed) == (
        "The Jackpot wager is placed before the deal (D-13); wait for the next round."
    )


@pytest.mark.rule("D-02")
def test_a_seat_that_puts_its_wagers_right_is_in() -> None:
    round = unlike().after(one(S1, "bet", 5)).after(Close())
    assert round.wagers == {(S1, "ante"): 10, (S1, "bet"): 10}
    lone = started({S1: bets(), S2: {"ante": 10}})
    assert "Seat 2" in refused(lone, Close(), NotAllowed)
    assert lone.after(TakeUp(S2, "ante")).after(Close()).playing == (S1,)


@pytest.mark.rule("D-13")
def test_the_amount_of_the_jackpot_may_change_only_when_nobody_else_has_it() -> None:
    round = started(BOTH).after(TakeUp(S1, "jackpot"))
    assert "as much as the others" in refused(round, one(S1, "jackpot", 5), NotAllowed)
    free = round.after(TakeUp(S2, "jackpot")).after(one(S1, "jackpot", 5)).after(one(S2, "jackpot", 5))
    assert free.stake(S1, "jackpot") == free.stake(S2, "jackpot") == 5


@pytest.mark.rule("D-05", "D-06")
@pytest.mark.parametrize(("where", "play"), [(sensing, "3x"), (stopped, "1x")], ids=["sensing", "stopped"])
def test_a_play_that_comes_at_the_wrong_time_is_not_told_to_choose_what_others_choose(
    where: Callable[[], DownUnder], play: str
) -> None:
    said = refused(where(), Decide(S1, play), NotAllowed)
    assert f"not {play}" not in said and "choose one of" not in said


# The reader.


@pytest.mark.rule("D-04", "D-10")
@pytest.mark.parametrize("band", [SMALL, MEDIUM, LARGE], ids=str)
def test_a_reading_that_cannot_be_is_refused(band: Any) -> None:
    """Another answer than a band is none; each of the three is taken while nothing is known of the card."""
    reading = at(Read)()
    assert refused(reading, "gold", NotAllowed) == "dealer 1 is read; say one of: small, medium, large."
    assert reading.after(band).cards[DEALER[0]].place == band.name


@pytest.mark.rule("D-10")
@pytest.mark.parametrize("band", [SMALL, MEDIUM, LARGE], ids=str)
def test_only_cards_of_the_band_are_believed_when_the_dealers_cards_are_turned(band: Any) -> None:
    read = at(Read)().after(band).after(SMALL)
    for _, _, round in going(read, CARDS, {S1: "3x", S2: "3x"}):
        if isinstance(round.next, Turn) and round.next.token == DEALER[0]:
            break
    seen = {face.card for face in round.cards.values()}
    for card in band:
        if card not in seen:
            assert round.after(card).card(DEALER[0]) is card
    for other in {SMALL, MEDIUM, LARGE} - {band}:
        for card in other:
            refused(round, card, NotPossible)


WRONG = {DEALER[0]: Card("Ac"), DEALER[1]: Card("4c")}


@pytest.mark.rule("D-10")
@pytest.mark.parametrize("token", DEALER, ids=str)
def test_a_card_outside_its_band_is_asked_for_again_and_believed_when_it_is_in_it(token: Token) -> None:
    round = turning(token)()
    says = iter([WRONG[token], CARDS[token]])
    asked_why: list[str] = []

    def ask(step: object, why: str) -> Card:
        asked_why.append(why)
        return next(says)

    assert entered(round, ask) == round.after(CARDS[token])
    assert asked_why == ["", f"{WRONG[token]} is not possible: {token} was read as {round.cards[token].reading}."]


@pytest.mark.rule("D-10")
@pytest.mark.parametrize("token", DEALER, ids=str)
def test_the_same_card_again_stops_the_round_for_the_supervisor_who_may_void_it(token: Token) -> None:
    before = turning(token)()
    round = entered(before, lambda step, why: WRONG[token])
    assert [effect.kind for effect in round.effects if isinstance(effect, Incident)] == [READER_FAULT]
    options = ["correct the card", "correct the band", "light was wrong", "void"]
    assert asked(round.next) == (Role.SUPERVISOR, options)
    assert round.wagers == before.wagers
    void = round.after(Decide(Role.SUPERVISOR, "void"))
    back = [effect for effect in void.effects if isinstance(effect, Settlement)]
    assert void.over and void.wagers == {}
    assert {(s.seat, s.spot): s.amount for s in back} == before.wagers
    assert {(s.line, s.pay, s.stake, s.rule) for s in back} == {("Void", PUSH, Stake.RETURNED, "F-17")}
    assert {spot for seat, spot in before.wagers if seat == S1} == {*EVERY, "play"}


@pytest.mark.rule("D-10")
@pytest.mark.parametrize("token", DEALER, ids=str)
def test_a_card_that_was_entered_wrongly_is_corrected_and_the_round_goes_on(token: Token) -> None:
    before = turning(token)()
    stopped = entered(before, lambda step, why: WRONG[token])
    again = stopped.after(Decide(Role.SUPERVISOR, "correct the card"))
    assert (again.next, again.wagers, again.cards) == (before.next, before.wagers, before.cards)
    assert entered(again, lambda step, why: CARDS[token]) == before.after(CARDS[token])


@pytest.mark.rule("D-10")
@pytest.mark.parametrize(("token", "band"), [(DEALER[0], LARGE), (DEALER[1], SMALL)], ids=str)
def test_a_band_that_was_entered_wrongly_is_corrected_and_the_card_is_believed(token: Token, band: CardSet) -> None:
    before = turning(token)()
    stopped = entered(before, lambda step, why: WRONG[token])
    again = stopped.after(Decide(Role.SUPERVISOR, "correct the band"))
    assert again.next == Read(token, (SMALL, MEDIUM, LARGE))
    read = again.after(band)
    assert read.effects == (Move(token, band.name),)
    assert (read.next, read.wagers) == (before.next, before.wagers)
    turned = entered(read, lambda step, why: WRONG[token])
    assert turned.card(token) is WRONG[token]
    assert not any(isinstance(effect, Incident) for effect in turned.effects)


@pytest.mark.rule("D-10")
@pytest.mark.parametrize("stage", [at(Read), before_the_flop, turning(DEALER[0])], ids=["read", "flop", "turned"])
def test_a_light_that_was_wrong_voids_the_round_and_takes_the_reader_out_of_service(
    stage: Callable[[], DownUnder],
) -> None:
    before = stage()
    wrong = before.report(Incident(READER_FAULT)).after(Decide(Role.SUPERVISOR, "light was wrong"))
    assert wrong.over and wrong.wagers == {}
    first, *back = wrong.effects
    assert first == Move("card reader", "out of service")
    assert {(s.seat, s.spot): s.amount for s in back if isinstance(s, Settlement)} == before.wagers
    assert {s.rule for s in back if isinstance(s, Settlement)} == {"F-17"}


@pytest.mark.rule("D-10")
def test_before_a_card_is_revealed_there_is_no_entry_to_correct() -> None:
    stopped = before_the_flop().report(Incident(READER_FAULT, "the light flickers"))
    assert asked(stopped.next) == (Role.SUPERVISOR, ["continue", "light was wrong", "void"])
    on = stopped.after(Decide(Role.SUPERVISOR, "continue"))
    assert on.key == before_the_flop().key


@pytest.mark.rule("D-10")
def test_a_card_of_the_right_band_that_lies_elsewhere_is_no_fault_of_the_reader() -> None:
    """Large was shown, and the king that is entered is one; but seat 1 has it."""
    round = entered(turning(DEALER[1])(), lambda step, why: Card("Kh"))
    assert [effect.kind for effect in round.effects if isinstance(effect, Incident)] == [WRONG_CARD]


@pytest.mark.rule("D-10")
@pytest.mark.parametrize(
    "stage", [sensing, at(Read), before_the_flop, after_the_flop], ids=lambda stage: stage.__name__
)
def test_the_light_may_fail_at_any_time_before_and_a_void_gives_back_the_jackpot_too(
    stage: Callable[[], DownUnder],
) -> None:
    before = stage()
    void = before.report(Incident(READER_FAULT, "the light went out")).after(Decide(Role.SUPERVISOR, "void"))
    back = {(s.seat, s.spot): s.net() + s.amount for s in void.effects if isinstance(s, Settlement)}
    assert void.over
    assert back == before.wagers
    assert back[S1, "jackpot"] == back[S2, "jackpot"] == 1


@pytest.mark.rule("D-06", "D-10")
def test_a_void_does_not_give_back_what_a_fold_has_lost_already() -> None:
    """What was settled stands (F-17)."""
    folded = after_the_flop().after(Decide(S1, "fold"))
    void = folded.report(Incident(READER_FAULT)).after(Decide(Role.SUPERVISOR, "void"))
    back = {(s.seat, s.spot) for s in void.effects if isinstance(s, Settlement)}
    assert back == {
        (S2, "play"),
        *((S2, spot) for spot in EVERY),
        *((S1, spot) for spot in EVERY if spot not in ("ante", "bet")),
    }


@pytest.mark.rule("D-10")
def test_when_both_dealers_cards_lie_open_the_reader_is_past() -> None:
    round = turning(own(S1)[0])()
    before = state(round)
    with pytest.raises(NotAllowed, match=r"\(D-10\)") as refusal:
        round.report(Incident(READER_FAULT))
    one_sentence(refusal.value)
    assert state(round) == before
    assert asked(round.report(Incident("dispute")).next) == (Role.SUPERVISOR, ["continue", "void"])


def test_a_round_that_is_over_is_not_stopped() -> None:
    with pytest.raises(NotAllowed, match=r"^The round is over; there is nothing left to stop\.$"):
        over().report(Incident(READER_FAULT))


# Settings and questions.


@pytest.mark.parametrize("name", GAME.definition.readings)
def test_an_unknown_value_of_a_reading_is_refused_by_its_statements(name: str) -> None:
    question = GAME.definition.readings[name]
    with pytest.raises(UnknownName) as refusal:
        GAME.configured(readings={name: "perhaps"})
    values, statements = ", ".join(question.values), ", ".join(question.rules)
    assert str(refusal.value) == f"There is no value of {name} 'perhaps'; choose one of: {values} ({statements})."
    assert question.rules


@pytest.mark.parametrize("seats", [(), (0,), (8,), (1, 1)], ids=str)
def test_seats_that_the_table_does_not_have_are_refused(seats: tuple[int, ...]) -> None:
    with pytest.raises(BadValue, match=r"^Down Under Hold'em has seats 1 to 7; name at least one, each once\.$"):
        GAME.start(seats)


ASKED: dict[str, tuple[dict[str, Any], type[FeltworksError], str]] = {
    "one card": ({"cards": "As", "bands": "small,large"}, BadCard, "Give two cards"),
    "a flop of two": ({"cards": "AsKh", "bands": "small,large", "flop": "2c7d"}, BadCard, "for the flop three"),
    "a card twice": ({"cards": "AsAs", "bands": "small,large"}, BadCard, "As is named twice"),
    "a card of the flop twice": (
        {"cards": "AsKh", "bands": "small,large", "flop": "2c7dAs"},
        BadCard,
        "As is named twice",
    ),
    "no suit": ({"cards": "AK", "bands": "small,large"}, BadCard, "A needs a suit here"),
    "an unknown band": ({"cards": "AsKh", "bands": "small,gold"}, UnknownName, "There is no band 'gold'"),
    "one band": ({"cards": "AsKh", "bands": "small"}, BadValue, "two bands, such as small,large; 1 are named"),
    "three bands": ({"cards": "AsKh", "bands": "small,small,large"}, BadValue, "two bands"),
}


@pytest.mark.rule("D-04", "D-05", "D-06")
@pytest.mark.parametrize(("question", "kind", "sentence"), ASKED.values(), ids=ASKED)
def test_a_question_about_a_hand_that_cannot_be_is_refused(
    question: dict[str, Any], kind: type[FeltworksError], sentence: str
) -> None:
    with pytest.raises(kind) as refusal:
        situation(S1, **question)
    assert sentence in one_sentence(refusal.value)


@pytest.mark.rule("D-05", "D-06")
def test_a_question_about_a_hand_is_a_place_in_the_round() -> None:
    before = situation(Seat(4), "AsKh", bands="Small, large")
    assert [card.text for card in before.cards.values()] == ["As", "Kh"]
    assert before.decisions == () and dict(before.shown) == {DEALER[0]: SMALL, DEALER[1]: LARGE}
    after = situation(S1, "AsKh", bands="medium,medium", flop="2c7dJh")
    assert [str(token) for token in after.cards] == ["seat 1 card 1", "seat 1 card 2", "flop 1", "flop 2", "flop 3"]
    assert after.decisions == ("check",) and {*after.shown.values()} == {MEDIUM}
