"""The contract of a round: the steps it asks, what follows from an answer, who decides, what goes on."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from feltworks import games
from feltworks.kit.cards import Card, Seat
from feltworks.kit.errors import BadValue, FaultyRules, NotAllowed
from feltworks.kit.game import Bonus
from feltworks.kit.odds import PUSH, Amount, MeterShare, Odds, Pay
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    DEALT,
    Answer,
    Bet,
    Call,
    Choose,
    Close,
    Collect,
    Deal,
    Decide,
    Incident,
    Items,
    Moment,
    NoRoll,
    Option,
    Read,
    Role,
    Roll,
    Stake,
    TakeUp,
    Turn,
    note,
    task,
)
from tests.kit.situations import (
    BAND_LARGE,
    DEALER_1,
    DEALER_2,
    HOLE_CARD,
    NO_TEN,
    TEN,
    bands_choose,
    bands_show,
    come_out,
    deal_up,
    hole_card,
    insurance,
    line_bet,
    own,
    peek_over,
    peek_turn,
    peeking,
    point_is_4,
    rolling,
    settled,
    stopped,
)
from tests.kit.support import (
    ONE,
    SMALL,
    THREE,
    TWO,
    after_all,
    little_game,
    one_sentence,
    place,
    refused,
    state,
    toy,
)

# The steps.


def test_a_round_asks_in_the_order_of_its_rules() -> None:
    round = toy("bands").start((2,))
    asked = []
    answers: list[Answer] = [
        place(TWO, "ante"),
        Close(),
        DEALT,
        DEALT,
        DEALT,
        SMALL,
        BAND_LARGE,
        Card("7c"),
        Decide(TWO, "play"),
        Card("2c"),
        Card("6c"),
        Card("7c"),
    ]
    for answer in answers:
        asked.append(round.next)
        round = round.after(answer)
    bands = (SMALL, BAND_LARGE)
    choose = asked.pop(8)
    assert asked == [
        Bet("open", ("ante", "match")),
        Bet("open", ("ante", "match")),
        Deal(own(TWO), "seat 2"),
        Deal(DEALER_1, "dealer"),
        Deal(DEALER_2, "dealer"),
        Read(DEALER_1, bands),
        Read(DEALER_2, bands),
        Turn(own(TWO), to=TWO),
        Turn(DEALER_1),
        Turn(DEALER_2),
        Turn(own(TWO)),
    ]
    assert isinstance(choose, Choose)
    assert (choose.who, [option.name for option in choose.options]) == (frozenset({TWO}), ["fold", "play"])
    assert round.next is None
    assert round.over
    assert [(s.spot, s.line, s.net()) for s in settled(round)] == [
        ("ante", "Higher", Fraction(2)),
        ("play", "Higher", Fraction(2)),
    ]


def test_effects_are_those_of_the_last_answer_in_order() -> None:
    assert line_bet().effects == ()
    assert rolling().effects == (Call("Dice are out."),)
    seven = rolling().after((3, 4))
    assert [type(effect).__name__ for effect in seven.effects] == [
        "Call",
        "Settlement",
        "Settlement",
        "Settlement",
        "Move",
    ]
    assert [(s.seat, s.spot) for s in settled(seven)] == [(TWO, "line"), (ONE, "line"), (ONE, "pairs")]


def test_a_round_is_a_value() -> None:
    round = peek_turn()
    before = state(round)
    assert round.after(Card("6c")) == round.after(Card("6c")) != round.after(Card("6d"))
    assert state(round) == before
    with pytest.raises(FrozenInstanceError):
        round.seats = ()  # type: ignore[misc]


def test_a_round_must_say_how_it_is_played() -> None:
    with pytest.raises(FaultyRules) as fault:
        little_game(Round.play).start()
    assert one_sentence(fault.value) == "Little does not say how it is played; write its `play`."


def test_seats_of_a_round_are_seats_of_the_game_each_once() -> None:
    assert toy("peek").start((3, 1)).seats == (ONE, THREE)
    for seats in [(), (0,), (4,), (1, 1), (-1,)]:
        with pytest.raises(BadValue) as refusal:
            toy("peek").start(seats)
        assert one_sentence(refusal.value) == "Peek has seats 1 to 3; name at least one, each once."


# Wagers.


def test_a_wager_can_be_raised_and_taken_up_until_betting_is_closed() -> None:
    round = line_bet().after(place(ONE, "line", "1/2"))
    assert round.wagers == {(ONE, "line"): Fraction(3, 2)}
    assert round.after(TakeUp(ONE, "line")).wagers == {}


def test_every_seat_that_plays_needs_the_required_wager() -> None:
    wagers: dict[str, dict[str, Any]] = {
        "main": {"title": "Main", "required": True},
        "side": {"title": "Side"},
    }
    round = little_game(bet_twice, wagers).start((1, 2))
    round = after_all(round, [place(ONE, "main"), place(TWO, "side")])
    assert refused(round, Close(), NotAllowed) == "Seat 2 needs a wager on main to be in the round."
    assert round.after(place(TWO, "main")).after(Close()).playing == (ONE, TWO)


def test_a_wager_may_stand_instead_of_the_one_that_is_required() -> None:
    wagers: dict[str, dict[str, Any]] = {
        "main": {"title": "Main", "required": True},
        "late": {"title": "Late", "instead": ["main"]},
        "side": {"title": "Side", "needs": ["main"]},
    }
    round = little_game(bet_twice, wagers).start((1, 2))
    assert refused(round, place(ONE, "side"), NotAllowed) == "Side needs Main; place that first."
    late = after_all(round, [place(ONE, "late"), place(ONE, "side")])
    assert (late.has(ONE, "main"), late.has_instead(ONE, "main"), late.has_instead(TWO, "main")) == (False, True, False)
    assert late.after(Close()).playing == (ONE,)
    assert refused(late, TakeUp(ONE, "late"), NotAllowed) == "Side needs Late; take that up first."
    assert after_all(late, [TakeUp(ONE, "side"), TakeUp(ONE, "late")]).wagers == {}


def test_a_game_refuses_in_its_own_words_before_the_kit_looks_at_an_answer() -> None:
    class Choosy(Round):
        def check(self, answer: Answer) -> None:
            if answer == Close():
                raise NotAllowed("Not yet (T-00).")

    round = little_game(bet_twice, base=Choosy).start()
    assert refused(round, Close(), NotAllowed) == "Not yet (T-00)."
    assert round.after(place(ONE, "bet")).stake(ONE, "bet") == 1


def bet_twice(self: Round) -> Items:
    yield self.game.betting("open")
    yield self.game.betting("again")


@pytest.mark.parametrize("change", [place(ONE, "main"), TakeUp(ONE, "main")])
def test_a_contract_bet_stays_as_it_is_once_betting_was_closed(change: Answer) -> None:
    windows = ["open", "again"]
    wagers = {
        "main": {"title": "Main", "kind": "contract", "windows": windows},
        "side": {"title": "Side", "windows": windows},
    }
    round = little_game(bet_twice, wagers).start((1, 2))
    round = after_all(round, [place(ONE, "main"), place(ONE, "side"), place(TWO, "side"), Close()])
    assert refused(round, change, NotAllowed) == "Main is a contract bet: it stays as it is until it is decided."
    assert round.after(TakeUp(ONE, "side")).wagers == {(ONE, "main"): 1, (TWO, "side"): 1}
    assert round.after(place(TWO, "main")).stake(TWO, "main") == 1


def test_a_wager_from_before_does_not_bind_the_one_that_is_made_beside_it() -> None:
    wagers: dict[str, dict[str, Any]] = {
        "main": {"title": "Main", "windows": ["open", "again"]},
        "side": {"title": "Side", "kind": "contract", "needs": ["main"]},
    }

    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(decide)
        yield self.game.betting("again")

    def decide(self: Round) -> Items:
        yield self.lose(ONE, "main", "Lost", "T-00")

    made = after_all(little_game(play, wagers).start(), [place(ONE, "main"), place(ONE, "side")])
    assert refused(made, TakeUp(ONE, "main"), NotAllowed) == "Side needs Main; take that up first."
    again = after_all(made, [Close(), place(ONE, "main", 5)])
    assert again.after(TakeUp(ONE, "main")).wagers == {(ONE, "side"): 1}


def test_a_contract_bet_that_was_decided_can_be_made_again() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(decide)
        yield self.game.betting("open")

    def decide(self: Round) -> Items:
        yield self.win(ONE, "main", "Won", Odds("to", 1, 1), "T-00")

    round = little_game(play, {"main": {"title": "Main", "kind": "contract"}}).start()
    again = after_all(round, [place(ONE, "main"), Close(), place(ONE, "main", 5)])
    assert again.after(TakeUp(ONE, "main")).wagers == {}


def test_a_rule_of_the_game_can_keep_betting_open() -> None:
    class Even(Round):
        def may_close(self) -> None:
            if self.stake(ONE, "bet") % 2:
                raise NotAllowed("Bet takes an even number of units.")

    round = little_game(bet_twice, base=Even).start().after(place(ONE, "bet"))
    assert refused(round, Close(), NotAllowed) == "Bet takes an even number of units."
    assert round.after(place(ONE, "bet")).after(Close()).next == Bet("again", ())


@pytest.mark.parametrize(
    ("pay", "stake", "net"),
    [
        (Odds("to", 3, 2), Stake.RETURNED, Fraction(9)),
        (Odds("for", 3, 2), Stake.TAKEN, Fraction(3)),
        (PUSH, Stake.RETURNED, Fraction(0)),
        (Amount(1000), Stake.TAKEN, Fraction(994)),
        (MeterShare(Fraction(10)), Stake.TAKEN, Fraction(44)),
    ],
    ids=str,
)
def test_a_win_pays_and_says_what_becomes_of_the_stake(pay: Pay, stake: Stake, net: Fraction) -> None:
    round = after_all(little_game(bet_twice).start(), [place(ONE, "bet", 6)])
    won = round.win(ONE, "bet", "Won", pay, "T-00")
    assert (won.stake, won.amount, won.net(Fraction(500))) == (stake, Fraction(6), net)


def test_a_wager_that_loses_is_taken_and_one_that_pushes_comes_back() -> None:
    round = after_all(little_game(bet_twice).start(), [place(ONE, "bet", 6)])
    assert round.lose(ONE, "bet", "Lost", "T-00").net() == -6
    assert round.push(ONE, "bet", "Tie", "T-00").net() == 0
    assert round.lose(ONE, "bet", "Lost", "T-00").stake is Stake.TAKEN


def test_a_share_of_the_meter_is_worth_nothing_definite_without_the_meter() -> None:
    round = after_all(little_game(bet_twice).start(), [place(ONE, "bet", 6)])
    with pytest.raises(ValueError, match=r"^Won pays 10 % of meter: what the meter shows must be given$"):
        round.win(ONE, "bet", "Won", MeterShare(Fraction(10)), "T-00").net()


def test_a_wager_that_stays_is_paid_and_still_there() -> None:
    hard_four = point_is_4()
    [pairs] = settled(hard_four)
    assert (pairs.line, pairs.stake, pairs.net()) == ("Pair", Stake.STAYS, Fraction(3))
    assert hard_four.stake(ONE, "pairs") == 1
    out = after_all(hard_four, [Close(), (3, 4)])
    assert [(s.seat, s.spot, s.net()) for s in settled(out)] == [
        (TWO, "line", Fraction(-2)),
        (ONE, "line", Fraction(-1)),
        (ONE, "pairs", Fraction(-1)),
    ]
    assert out.wagers == {}
    assert out.over


# Self-service wagers.


def won_and_stays(self: Round) -> Items:
    """Betting, then every wager is paid 3 to 1 and stays, twice."""
    for _ in range(2):
        yield self.game.betting("open")
        yield task(pay_all)
    yield self.game.betting("open")


def pay_all(self: Round) -> Items:
    for seat, spot in self.wagers:
        yield replace(self.win(seat, spot, "Won", Odds("to", 3, 1), "T-00"), stake=Stake.STAYS)


def self_service() -> Round:
    wagers: dict[str, dict[str, Any]] = {
        "own": {"title": "Own", "self_service": True},
        "house": {"title": "House"},
    }
    return little_game(won_and_stays, wagers).start((1, 2))


def test_what_a_self_service_wager_has_won_lies_there_until_its_owner_collects_it() -> None:
    round = after_all(self_service(), [place(ONE, "own", 2), place(TWO, "house"), Close()])
    assert round.wagers == {(ONE, "own"): 2, (TWO, "house"): 1}
    assert round.winnings == {(ONE, "own"): 6}
    twice = round.after(Close())
    assert twice.wagers == round.wagers
    assert twice.winnings == {(ONE, "own"): 12}
    collected = twice.after(Collect(ONE, "own"))
    assert (collected.wagers, collected.winnings, collected.effects) == (round.wagers, {}, ())
    for answer in (Collect(ONE, "own"), Collect(TWO, "house")):
        assert "nothing to collect" in refused(collected, answer, NotAllowed)


def test_winnings_are_not_in_action_and_can_be_left_without_the_wager() -> None:
    round = after_all(self_service(), [place(ONE, "own", 2), place(TWO, "house"), Close(), TakeUp(ONE, "own")])
    assert round.winnings == {(ONE, "own"): 6}
    again = round.after(Close())
    assert [s.seat for s in settled(again)] == [TWO]
    assert again.winnings == {(ONE, "own"): 6}
    assert round.key != round.after(Collect(ONE, "own")).key


def test_what_is_left_up_is_the_wagers_and_winnings_that_lie_there() -> None:
    round = after_all(self_service(), [place(ONE, "own", 2), Close()])
    assert round.left_up == {"wagers": {(ONE, "own"): 2}, "winnings": {(ONE, "own"): 6}}
    assert self_service().left_up == {}
    assert rolling().left_up["contract"] == {(ONE, "line"), (ONE, "pairs"), (TWO, "line")}


# Dice.


def test_a_roll_may_name_the_reasons_why_it_does_not_count() -> None:
    def play(self: Round) -> Items:
        yield Roll(2, ("cocked", "off the table"))

    round = little_game(play).start()
    said = "'a whim' is no reason for a no roll; say one of: cocked, off the table."
    assert refused(round, NoRoll("a whim"), NotAllowed) == said
    assert round.after(NoRoll("cocked")).over


def test_every_roll_stands_for_itself_unless_a_game_says_more() -> None:
    assert Round.alike((6, 1)) == (6, 1)


def test_a_roll_that_does_not_count_is_rolled_again_and_decides_nothing() -> None:
    again = rolling().after(NoRoll("cocked"))
    assert again.next == Roll(2)
    assert again.effects == (Call("No roll: cocked."),)
    assert again.wagers == rolling().wagers
    assert again.after((2, 2)) == point_is_4()


def test_the_dice_are_gone_with_the_next_step() -> None:
    assert point_is_4().dice == (2, 2)
    assert point_is_4().after(Close()).dice == ()
    assert point_is_4().key == rolling().after((2, 2)).key
    assert rolling().after((1, 3)).key == after_all(rolling(), [NoRoll("cocked"), (3, 1)]).key


# Decisions.


def test_seats_that_decide_together_decide_in_any_order() -> None:
    start = after_all(toy("peek").start((1, 2, 3)), [place(s, "bet", 2) for s in (ONE, TWO, THREE)])
    asked = after_all(start, [Close(), *deal_up("8c", "9c", "6c", "Ac"), DEALT])
    decisions = [Decide(ONE, "insure"), Decide(TWO, "decline"), Decide(THREE, "insure", Fraction(1, 2))]
    ends = [after_all(asked, order) for order in permutations(decisions)]
    assert ends[0].next == Read(HOLE_CARD, (TEN, NO_TEN))
    assert (ends[0].stake(ONE, "insurance"), ends[0].stake(THREE, "insurance")) == (
        Fraction(1),
        Fraction(1, 2),
    )
    assert all(end == ends[0] for end in ends)
    assert all(end.key == ends[0].key for end in ends)


def test_a_seat_decides_once() -> None:
    asked = insurance().after(Decide(TWO, "insure"))
    assert refused(asked, Decide(TWO, "decline"), NotAllowed) == "It is the turn of seat 1."


def test_an_amount_left_out_is_the_most_the_option_takes_and_none_is_no_wager() -> None:
    assert insurance().after(Decide(TWO, "insure")).stake(TWO, "insurance") == Fraction(3, 2)
    assert insurance().after(Decide(TWO, "insure", Fraction(0))).wagers == insurance().wagers


def test_what_follows_from_a_decision_happens_before_the_next_seat_decides() -> None:
    folded = bands_choose().after(Decide(ONE, "fold"))
    assert [(s.seat, s.line) for s in settled(folded)] == [(ONE, "Fold")]
    assert isinstance(folded.next, Choose)
    assert folded.next.who == frozenset({TWO})


def test_a_role_decides_where_the_rules_say_so() -> None:
    def play(self: Round) -> Items:
        yield Choose(Role.DEALER, (Option("valid"), Option("cocked", then=cocked)))

    def cocked(self: Round, who: Role) -> Items:
        yield Call(f"The {who.value} calls it.")

    round = little_game(play).start()
    assert refused(round, Decide(ONE, "valid"), NotAllowed) == "It is the turn of the dealer."
    assert round.after(Decide(Role.DEALER, "cocked")).effects == (Call("The dealer calls it."),)


def test_an_option_tells_its_rule_who_chose_and_what_it_is_about() -> None:
    def play(self: Round) -> Items:
        options = (Option("seat 1", then=name, args=(ONE, "left")), Option("seat 2", then=name, args=(TWO, "right")))
        yield Choose(Role.SUPERVISOR, options)

    def name(self: Round, who: Role, seat: Seat, side: str) -> Items:
        yield Call(f"The {who.value} names seat {seat}, {side}.")

    round = little_game(play).start()
    named = round.after(Decide(Role.SUPERVISOR, "seat 2"))
    assert named.effects == (Call("The supervisor names seat 2, right."),)


def test_a_neutral_choice_stays_neutral_for_those_who_still_have_to_make_it() -> None:
    def play(self: Round) -> Items:
        yield Choose(frozenset({ONE, TWO}), (Option("left"), Option("right")), neutral=True)

    waiting = little_game(play).start((1, 2)).after(Decide(ONE, "right")).next
    assert waiting == Choose(frozenset({TWO}), (Option("left"), Option("right")), neutral=True)


# Incidents.

MOMENTS = [
    come_out,
    line_bet,
    rolling,
    point_is_4,
    peek_turn,
    insurance,
    peeking,
    hole_card,
    bands_choose,
    bands_show,
]


@pytest.mark.parametrize("situation", MOMENTS)
def test_at_any_moment_an_incident_is_the_supervisors_decision(situation: Callable[[], Round]) -> None:
    round, incident = situation(), Incident("misdeal", "two cards came at once")
    stopped = round.report(incident)
    assert isinstance(stopped.next, Choose)
    assert stopped.next.who is Role.SUPERVISOR
    assert stopped.effects == (incident,)
    assert stopped.wagers == round.wagers
    going_on = stopped.after(Decide(Role.SUPERVISOR, "continue"))
    assert (going_on.key, going_on.unseen, going_on.wagers) == (round.key, round.unseen, round.wagers)


@pytest.mark.parametrize("situation", MOMENTS)
def test_a_void_returns_every_wager_in_action_and_ends_the_round(situation: Callable[[], Round]) -> None:
    round = situation()
    void = round.report(Incident("misdeal")).after(Decide(Role.SUPERVISOR, "void"))
    assert void.over
    assert void.wagers == {}
    assert {(s.seat, s.spot): s.amount for s in settled(void)} == round.wagers
    assert all((s.line, s.pay, s.stake, s.net()) == ("Void", PUSH, Stake.RETURNED, Fraction(0)) for s in settled(void))


def test_a_game_says_who_decides_about_an_incident_and_whose_wager_it_is_about() -> None:
    class Lines(Round):
        def on_incident(self, incident: Incident) -> Choose:
            if incident.seat is None:
                raise NotAllowed("Name the seat.")
            return Choose(Role.DEALER, tuple(Option(spot) for spot in incident.spots))

    round = little_game(bet_twice, base=Lines).start()
    before = state(round)
    with pytest.raises(NotAllowed, match=r"^Name the seat\.$"):
        round.report(Incident("on the line"))
    assert state(round) == before
    stopped = round.report(Incident("on the line", "between two", ONE, ("high", "low")))
    assert stopped.next == Choose(Role.DEALER, (Option("high"), Option("low")))
    assert refused(stopped, place(ONE, "bet"), NotAllowed) == "A decision is wanted: high, low."
    assert stopped.after(Decide(Role.DEALER, "low")).key == round.key


def test_an_incident_on_an_incident_is_decided_first() -> None:
    twice = stopped().report(Incident("dispute"))
    assert twice.after(Decide(Role.SUPERVISOR, "continue")).key == stopped().key


def test_a_round_that_is_over_cannot_be_stopped() -> None:
    with pytest.raises(NotAllowed) as refusal:
        peek_over().report(Incident("late"))
    assert one_sentence(refusal.value) == "The round is over; there is nothing left to stop."


# Bonus wagers, and what goes on.


def test_a_bonus_is_settled_at_its_moment_for_the_seats_that_staked_it() -> None:
    game = toy("bands")
    answers = [Close(), *[DEALT] * 4, SMALL, BAND_LARGE, Card("6c"), Card("4c")]
    answers += [Decide(ONE, "play"), Decide(TWO, "play"), Card("2d"), Card("5d"), Card("4c"), Card("6c")]
    bets = [place(ONE, "ante"), place(TWO, "ante")]
    without = after_all(game.start((1, 2)), [*bets, *answers])
    with_one = after_all(game.start((1, 2)), [*bets, place(ONE, "match"), *answers])
    assert [(s.seat, s.spot) for s in settled(without)] == [(ONE, "ante"), (ONE, "play")]
    assert [(s.seat, s.spot, s.line) for s in settled(with_one)] == [
        (ONE, "ante", "Higher"),
        (ONE, "play", "Higher"),
        (ONE, "match", "No match"),
    ]


@pytest.mark.parametrize("version", ["three-card-bonus", "perfect-match"])
def test_a_bonus_hangs_on_only_where_the_version_offers_it(version: str) -> None:
    game = games.load("one-for-the-money").configured(version=version)
    [bonus] = [name for name in game.wagers if name != "base"]
    [other] = [name for name in game.definition.wagers if name not in game.wagers]
    bet = game.start().after(place(ONE, "ante")).after(place(ONE, bonus))
    assert refused(bet, place(ONE, other), NotAllowed) == (
        f"No wager on {other!r} is taken now; open are: ante, {bonus}."
    )
    end = after_all(bet, [Close(), *deal_up("7h"), DEALT, DEALT, Decide(ONE, "check"), Card("7d"), Card("7c")])
    assert [s.spot for s in settled(end)] == ["ante", bonus]
    assert [name for name, _ in game.bonuses_at("end")] == [bonus]
    assert game.bonuses_at("flop") == []


def test_a_bonus_may_lie_on_a_spot_of_another_name() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(end)

    def end(self: Round) -> Items:
        for seat in self.playing:
            yield Moment("end", seat)

    def side(self: Round, seat: Seat) -> Items:
        yield self.lose(seat, "circle", "Lost", "T-00")

    wagers = {"side": {"title": "Side", "spots": {"circle": "Circle"}}}
    game = little_game(play, wagers, {"side": Bonus("end", side)})
    over = after_all(game.start(), [place(ONE, "circle"), Close()])
    assert [(s.spot, s.net()) for s in settled(over)] == [("circle", Fraction(-1))]
    assert over.wagers == {}


@dataclass(frozen=True)
class Passing(Round):
    """Each round the next seat shoots; its wager stays up."""

    shooter: int = 1

    def play(self) -> Items:
        yield self.game.betting("open")
        yield note(shooter=self.shooter + 1)

    @property
    def carry(self) -> dict[str, Any]:
        return {"shooter": self.shooter, "wagers": self.wagers}


def test_what_a_round_carries_goes_into_the_next_one() -> None:
    game = little_game(Passing.play, base=Passing)
    first = after_all(game.start((1, 2)), [place(ONE, "bet", 5), Close()])
    assert first.carry == {"shooter": 2, "wagers": {(ONE, "bet"): 5}}
    second = game.start((1, 2), carry=first.carry)
    assert (second.facts, second.wagers) == ((2,), {(ONE, "bet"): Fraction(5)})
    assert second.after(Close()).facts == (3,)
    assert first.facts == (2,)


def test_a_person_is_told_the_facts_that_there_are() -> None:
    assert come_out().told == {}
    assert point_is_4().told == {"point": "4"}
    assert point_is_4().turn_over


def test_toys_carry_nothing() -> None:
    assert point_is_4().carry == {}


@pytest.mark.parametrize(("carry", "name"), [({"shoter": 2}, "shoter"), ({"shooter": 2, "point": 6}, "point")])
def test_a_round_carries_only_facts_that_it_knows(carry: dict[str, Any], name: str) -> None:
    with pytest.raises(FaultyRules, match=f"^Little has no fact '{name}'; add it"):
        little_game(Passing.play, base=Passing).start(carry=carry)


def test_a_rule_notes_only_facts_that_the_round_knows() -> None:
    def play(self: Round) -> Items:
        yield note(shoter=3)

    with pytest.raises(FaultyRules, match=r"^Little has no fact 'shoter'; add it"):
        little_game(play, base=Passing).start()
