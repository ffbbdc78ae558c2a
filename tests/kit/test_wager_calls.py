"""What rules can do with a wager: lose half of it, pay it and leave it, give it back by a decision, move it."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import pytest

from feltworks.games import load
from feltworks.kit import (
    EVEN,
    HALF,
    Bet,
    Card,
    Close,
    Deal,
    Items,
    Place,
    Round,
    Seat,
    Settlement,
    Stake,
    TakeUp,
    Token,
    Turn,
    WagerMoved,
    note,
    points,
    task,
)
from feltworks.kit.errors import FaultyRules, NotAllowed
from feltworks.kit.steps import DEALT
from feltworks.kit.transcript import transcript
from tests.kit.support import ONE, place

YO = load("yo")
WAR = load("casino-war")
Rule = Callable[[Round, Seat], Items]


def round_with(rule: Rule, amount: int | str = 10, spot: str = "ante") -> Round:
    """A round with one wager, and with a rule that does something with it when the betting is closed."""

    @dataclass(frozen=True)
    class Ruled(Round):
        def play(self) -> Items:
            yield Bet("open", (spot,))
            yield task(rule, ONE)

    return Ruled.start(WAR, [1], None, {}).after(place(ONE, spot, amount))


def done(rule: Rule, amount: int | str = 10) -> Round:
    return round_with(rule, amount).after(Close())


# What cards count.


@pytest.mark.parametrize(
    ("card", "count"), [("As", 1), ("2c", 2), ("9h", 9), ("Td", 10), ("Jd", 10), ("Qs", 10), ("Kc", 10)]
)
def test_an_ace_counts_one_and_a_court_card_ten(card: str, count: int) -> None:
    assert points(Card(card)) == count


def test_a_game_may_count_aces_and_court_cards_otherwise() -> None:
    assert points(Card("As"), ace=11) == 11
    assert points(Card("Kc"), court=0) == 0
    assert points(Card("Tc"), court=0) == 10


# Half of a wager.


def test_a_wager_may_be_lost_by_half() -> None:
    round = done(lambda round, seat: iter([round.lose_half(seat, "ante", "Surrender", "T-00")]))
    [lost] = round.effects
    assert isinstance(lost, Settlement)
    assert (lost.pay, lost.stake) == (HALF, Stake.TAKEN)
    assert lost.net() == -5
    assert round.over
    assert not round.wagers


def test_a_transcript_calls_half_a_loss_by_its_name() -> None:
    open_round = round_with(lambda round, seat: iter([round.lose_half(seat, "ante", "Surrender", "T-00")]))
    text = transcript(open_round, [(open_round.next, Close(), open_round.after(Close()))])
    assert "Seat 1 · Ante 10 · Surrender loses half · loses 5 [T-00]" in text


# A wager that is paid and stays.


def test_a_wager_may_be_paid_and_stay_to_be_decided_by_something_else() -> None:
    def paid_twice(round: Round, seat: Seat) -> Items:
        yield round.win(seat, "ante", "Bonus", EVEN, "T-00", stake=Stake.STAYS)
        yield round.lose(seat, "ante", "Lower card", "T-00")

    bonus, lost = done(paid_twice).effects
    assert isinstance(bonus, Settlement) and isinstance(lost, Settlement)
    assert bonus.stake is Stake.STAYS
    assert [bonus.net(), lost.net()] == [10, -10]


def test_a_line_of_a_pay_table_may_leave_the_wager() -> None:
    bonus = YO.configured().pay_table("high").names[0]
    round = YO.start([1])
    settled = round._changed(wagers={(ONE, "high"): Fraction(5)}).by_table(
        ONE, "high", bonus, "T-00", stake=Stake.STAYS
    )
    assert settled.stake is Stake.STAYS


# A wager that is taken back.


def test_a_wager_that_is_taken_back_by_a_decision_comes_back_whole() -> None:
    [back] = done(lambda round, seat: iter([round.take_back(seat, "ante", "T-00")])).effects
    assert isinstance(back, Settlement)
    assert (back.line, back.stake) == ("Withdrawn", Stake.RETURNED)
    assert back.net() == 0


# A wager that moves.


def moved(to: str, amount: Fraction | None = None) -> Rule:
    def rule(round: Round, seat: Seat) -> Items:
        made = round.move_wager(seat, "ante", to, "T-00")
        yield made if amount is None else WagerMoved(seat, "ante", to, amount, "T-00")
        yield task(pushed, seat)

    return rule


def pushed(round: Round, seat: Seat) -> Items:
    """Every wager of the seat comes back."""
    for spot in [spot for _, spot in round.wagers]:
        yield round.push(seat, spot, "Back", "T-00")


def test_a_wager_moves_to_another_of_its_spots_and_is_settled_there() -> None:
    went, back = done(moved("war")).effects
    assert went == WagerMoved(ONE, "ante", "war", Fraction(10), "T-00")
    assert isinstance(back, Settlement)
    assert back.spot == "war"
    assert back.amount == 10


def test_what_lies_on_the_other_spot_is_added_to() -> None:
    round = round_with(moved("war"))
    [_, back] = round._changed(wagers={**round.wagers, (ONE, "war"): Fraction(5)}).after(Close()).effects
    assert isinstance(back, Settlement)
    assert back.spot == "war"
    assert back.amount == 15


def test_a_contract_bet_is_bound_on_the_spot_that_it_moves_to() -> None:
    @dataclass(frozen=True)
    class Boxed(Round):
        def play(self) -> Items:
            yield self.move_wager(ONE, "ante", "war", "T-00")
            yield Bet("point", ("ante", "war"))

    round = Boxed(WAR, (ONE,), None, wagers={(ONE, "ante"): Fraction(10)}, contract=frozenset({(ONE, "ante")}))
    round = round._changed(agenda=(task(Boxed.play),))._advance()
    assert round.contract == {(ONE, "war")}
    with pytest.raises(NotAllowed, match="War is a contract bet"):
        round.after(TakeUp(ONE, "war"))
    assert round.after(Place(ONE, "ante", Fraction(5))).stake(ONE, "ante") == 5


def test_a_transcript_tells_where_a_wager_goes() -> None:
    open_round = round_with(moved("war"))
    text = transcript(open_round, [(open_round.next, Close(), open_round.after(Close()))])
    assert "Seat 1 · Ante 10 · goes to War [T-00]" in text
    assert "they sum to 0" in text


@pytest.mark.parametrize(("to", "amount"), [("ante", None), ("tie", None), ("elsewhere", None), ("war", Fraction(5))])
def test_rules_move_a_whole_wager_to_another_of_its_own_spots(to: str, amount: Fraction | None) -> None:
    with pytest.raises(FaultyRules, match=r"moves \d+ from Ante of seat 1, where 10 lies, .* of its own spots: war"):
        done(moved(to, amount))


def test_a_wager_that_does_not_lie_there_cannot_move() -> None:
    with pytest.raises(FaultyRules, match="where nothing lies"):
        done(lambda round, seat: iter([round.move_wager(seat, "war", "ante", "T-00")]))


# Cards of which a fact has what counts.


def test_a_rule_that_looks_at_a_forgotten_card_fails_in_the_laboratory() -> None:
    token = Token(None, "player 1")

    @dataclass(frozen=True)
    class Forgetful(Round):
        total: int = 0

        def play(self) -> Items:
            yield Deal(token, "player")
            yield Turn(token)
            yield task(Forgetful.count)

        def count(self) -> Items:
            yield note(total=points(self.card(token)))

        def forgotten(self) -> tuple[Token, ...]:
            return (token,)

    round = Forgetful.start(WAR, [1], None, {})
    nine = round.after(DEALT).after(Card("9h"))
    assert (nine.card(token), nine.total) == (Card("9h"), 9)
    assert nine.in_order().key == round.after(DEALT).after(Card("9c")).in_order().key
    assert nine.in_order().key != round.after(DEALT).after(Card("8c")).in_order().key
    with pytest.raises(ValueError, match="sealed"):
        nine.in_order().card(token)
