"""Playing in the terminal: rounds as they are typed, wrong input, no more input, and the house alone."""

import io
import re
import subprocess
import sys
from fractions import Fraction

import pytest
from rich.console import Console

from feltworks import api
from feltworks.kit.cards import Card, Seat
from feltworks.kit.game import game_of
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, Choose, Close, Deal, Decide, Place, Read, Role, Step, Turn
from feltworks.terminal.drawing import dice_picture
from feltworks.terminal.table import Table
from feltworks.terminal.words import money, read_money
from tests.cli.support import OFTM, TOYS, felt, told
from tests.quick import cases

UNDER = "down-under-holdem"
GAMES = (OFTM, "in-between", UNDER, "bands", "peek", "point")


def played(game: str, *typed: str, seed: int = 1, options: tuple[str, ...] = ()) -> str:
    """What the terminal shows when these lines are typed."""
    lines = "".join(f"{line}\n" for line in typed)
    return told("play", game, "--games", str(TOYS), "--seed", str(seed), *options, typed=lines)


def balance(shown: str) -> Fraction:
    """The balance after the last round."""
    found = read_money(re.findall(r"You leave with ([\d,.]+),", shown)[-1])
    assert found is not None
    return found


def won(shown: str) -> Fraction:
    """What the settlements say that the person has won and lost."""
    settled = re.findall(r"· .*: you (win|lose) ([\d,]*\d(?:\.\d\d)?)", shown)
    amounts = [(read_money(amount), word) for word, amount in settled]
    return sum((n if word == "win" else -n for n, word in amounts if n), Fraction(0))


# Whole rounds.


def test_a_round_with_a_raise_and_a_bonus() -> None:
    shown = played(OFTM, "10", "5", "raise", "q")
    assert "One For The Money · with 3 Card Bonus · 6 decks · the approved rules, for training" in shown
    assert "Dealer: “Place your bets.”" in shown and "king of clubs" in shown
    assert "2  raise, 10 more" in shown
    assert "Seat 1 · Ante 10 · Higher card, 1 to 1: you win 10 [O-06]" in shown
    assert "Seat 1 · Raise 10 · Higher card, 1 to 1: you win 10 [O-06]" in shown
    assert "Seat 1 · 3 Card Bonus 5 · No hand: you lose 5 [O-07]" in shown
    assert "[O-06] Seats are settled" in shown and "[O-07] 3 Card Bonus reads" in shown
    assert "Round 1: you win 15. Balance 1,015." in shown
    assert balance(shown) == 1015


def test_a_round_with_a_trade_in_the_other_version() -> None:
    version = ("--version", "perfect-match")
    shown = played(OFTM, "20", "2.50", "trade", "stand", "q", options=version)
    assert "with Perfect Match" in shown and "K♣c goes to the discard." in shown
    assert "· Trade 20 ·" in shown and "· Perfect Match 2.50 ·" in shown
    assert balance(shown) == 1000 + won(shown)


def test_a_traded_card_may_go_back_into_the_shuffler() -> None:
    shown = played(OFTM, "", "", "trade", "stand", options=("--reading", "traded_card=back", "--rounds", "1"))
    assert "K♣c goes to the shuffler." in shown and "traded_card=back" in shown


def test_a_round_of_in_between() -> None:
    shown = played("in-between", "10", "10", "stand", "q")
    assert "· IN BETween 10 · All other spreads, 1 to 1: you win 10 [I-04]" in shown
    look_says = "The dealer looks at the hole card: no ace."
    bonus, look, end = (shown.index(said) for said in ("[I-04]\n", look_says, "Lower total"))
    assert bonus < look < end and "Seat 1 · Blackjack 10 · Lower total: you lose 10 [B-06]" in shown
    assert balance(shown) == 1000 + won(shown)


def test_a_sealed_card_shows_its_band_in_words_and_others_cards_stay_sealed() -> None:
    shown = played("bands", "10", "0", "fold", "q", seed=8, options=("--seats", "2"))
    decision = shown[: shown.index("Your decision")]
    assert "The reader: dealer 1 is small." in decision and re.search(r"│ +small +small +│", decision)
    assert "You look at 5♣c, five of clubs." in decision
    assert "Seat 2 looks at a card." in decision and re.search(r"Seat 2  ░░  Ante 10", decision)
    assert "Ante 10 · Fold: you lose 10 [T-22]" in shown


@pytest.mark.rule("D-02", "D-04", "D-05", "D-08")
def test_a_round_of_down_under_with_a_raise() -> None:
    shown = played(UNDER, "10", "1", "0", "5", "1", "h", "3x", "q", seed=3, options=("--seats", "2"))
    decision = shown[: shown.index("Your decision")]
    assert "the approved rules, for training\n  Card reader: Feltworks reads the dealer's cards itself" in shown
    assert "House jackpot: a fixed prize of 10,000" in shown
    assert "Ante and Bet, each [10] › 10" in decision and "Jackpot is one amount for everybody: 1" in decision
    assert "The reader: dealer 1 is large.\n  A card is laid in the large band." in decision
    assert "○ Small 2 3 4 5   ○ Medium 6 7 8 9   ●● Large 10 J Q K A" in decision
    assert "You look at 4♦d, four of diamonds." in decision and re.search(r"Seat 2  ░░  ░░  Ante 10", decision)
    assert "3  3x, 30 more" in shown and re.search(r"check +-13\.63  ► best", shown)
    assert "Dealer: “Dealer has a pair of sixes.”" in shown and "Seat 2 turns K♥h" in shown
    assert "Play 30 · Dealer's hand is better: you lose 30 [D-08]" in shown
    assert balance(shown) == 1000 - 52 == 1000 + won(shown)


@pytest.mark.rule("D-06", "D-09")
def test_a_folded_hand_with_a_bonus_is_told_to_be_folded_and_turned_at_the_end() -> None:
    shown = played(UNDER, "10", "1", "0", "0", "check", "fold", "q", seed=4, options=("--seats", "2"))
    assert "Bet 10 · Fold: you lose 10 [D-06]" in shown and "is folded." in shown and "Seat 1, you, folded" in shown
    assert "Seat 1 turns " in shown and "Seat 1, folded turns" not in shown
    assert re.search(r"Seat 1, you +│\n│ .*(high|air of|hree of)", shown)  # what the hand is, from the flop on


@pytest.mark.rule("D-14", "D-19")
def test_a_share_of_the_jackpot_is_of_the_prize_that_was_told() -> None:
    game = api.load(UNDER)
    screen = Console(file=io.StringIO(), width=100, record=True)
    start = game.start((1,))
    table = Table(game, screen, Fraction(100), start)
    table.open(start, "Round 1")
    cards = iter("As Ks Qs Js Ts 2c 3d 2d 4c".split())  # the seat's, the flop, the dealer's, turn and river
    for spot, amount in (("ante", 10), ("bet", 10), ("jackpot", 1)):
        table.follow(_next(table.view), Place(Seat(1), spot, Fraction(amount)))
    table.follow(_next(table.view), Close())
    while (step := table.view.next) is not None:
        match step:
            case Deal():
                table.follow(step, DEALT)
            case Read(_, among):
                table.follow(step, among[0])
            case Turn(token) if table.view.cards[token].card is not None:
                table.follow(step, table.view.card(token))
            case Turn():
                table.follow(step, Card(next(cards)))
            case Choose(frozenset(), options):
                table.follow(step, Decide(Seat(1), options[-1].name))
            case Choose(role, options):
                assert isinstance(role, Role)
                table.follow(step, Decide(role, options[0].name))
    told = screen.export_text()
    assert "Jackpot 1 · Player flops royal flush, 100 % of meter: you win 9,999 [D-14]" in told


# Yo!, with dice as the test says.


def at_the_cup(*bets: tuple[int, str, str]) -> tuple[Table, Console]:
    """A table of Yo! at which seat 2 has made Play of 10 and rolled an 8; then these wagers are made."""
    screen = Console(file=io.StringIO(), width=100, record=True)
    start = api.load("yo").start((1, 2))
    table = Table(game_of(start), screen, Fraction(100), start)
    table.open(start, "Round 1")
    table.follow(_next(table.view), Place(Seat(2), "play", Fraction(10)))
    rolled(table, 4, 4, 1, 2)
    for seat, spot, amount in bets:
        table.follow(_next(table.view), Place(Seat(seat), spot, Fraction(amount)))
    return table, screen


def rolled(table: Table, *dice: int) -> None:
    for answer in (Close(), Decide(Seat(2), "roll"), dice):
        table.follow(_next(table.view), answer)


@pytest.mark.rule("F-08", "Y-10")
def test_a_win_is_rounded_to_the_cent_as_at_every_table() -> None:
    table, screen = at_the_cup((1, "late_play", "10"), (1, "high", "3.33"))
    rolled(table, 6, 2, 1, 2)
    shown = screen.export_text()
    assert "Seat 1 · Late Play 10 · 6, 8, 7 to 6: you win 11.67 [Y-10]" in shown
    assert "Seat 1 · High 3.33 · 8, 9, 10, 3 to 2: you win 5, 3.33 stays [Y-19]" in shown
    assert table.view.winnings == {(Seat(1), "high"): 5}
    assert table.worth == Fraction("116.67")


@pytest.mark.rule("Y-32")
@pytest.mark.parametrize(
    ("bonus", "behind", "front"), [((1, 2), "Bonus dice", "Game dice"), ((5, 6), "Game dice", "Bonus dice")]
)
def test_game_and_bonus_dice_are_told_apart_and_reversed_on_a_bonus_eleven(
    bonus: tuple[int, int], behind: str, front: str
) -> None:
    table, screen = at_the_cup()
    screen.export_text()
    rolled(table, 1, 2, *bonus)
    shown = screen.export_text()
    above, below, _ = shown.split("╰───────╯ ╰───────╯")
    assert f"{behind}, behind" in above and f"{front}, in front" in below
    pips = {"Game dice": 1 + 2, "Bonus dice": sum(bonus)}
    assert (above.count("●"), below.count("●")) == (pips[behind], pips[front])


@pytest.mark.rule("Y-31")
def test_the_marker_says_no_before_a_point_and_yes_on_the_number() -> None:
    table, screen = at_the_cup()
    assert "Marker: NO" in (before := screen.export_text()) and "Marker: YES on 8" in before
    table.draw()
    assert "marker YES on 8" in screen.export_text()
    rolled(table, 3, 4, 1, 2)
    table.draw()
    assert "Marker: NO" in (after := screen.export_text()) and "marker NO" in after


@pytest.mark.rule("Y-33", "Y-36")
def test_what_the_dealers_hands_do_is_told_in_one_line() -> None:
    table, screen = at_the_cup()
    screen.export_text()
    rolled(table, 1, 2, 1, 2)
    shown = screen.export_text()
    assert "  Hand: a wave across the arc, palm down\nDealer: “No more bets.”" in shown
    assert "  Hands: cleared · Dice: stacked, all four; cup · Hands: cleared · Cup: seat 2\n" in shown
    assert "Game dice: collected, 1 and 2 up; front · Bonus dice: collected, 1 and 2 up; behind" in " ".join(
        shown.split()
    )


def test_insurance_for_a_part_of_what_is_allowed() -> None:
    shown = played("peek", "10", "insure", "6", "2.50", "q", seed=3, options=("--seats", "2"))
    assert "2  insure, 0 to 5 more" in shown and "5 is the most you can stake here" in shown
    assert "Insurance 2.50 · Insured, 2 to 1: you win 5 [T-12]" in shown
    assert balance(shown) == 995


@pytest.mark.rule("F-07")
def test_several_wagers_in_one_line_are_made_with_what_the_others_have_left() -> None:
    shown = played("yo", "990", "high 20", "high 10", "q", seed=2)
    assert "That is more than the 10 that you have." in shown
    assert "balance -" not in shown
    assert balance(shown) >= 0


@pytest.mark.parametrize(
    "typed", ["small 10, total_9 5, big 2.50", "small 10 total 9 5 Big 2.50", "small 10 total_9 5, big 2.50"]
)
def test_wagers_in_one_line_are_told_apart_by_commas_or_by_their_amounts(typed: str) -> None:
    shown = played("sic-bo", typed, "q")
    assert re.findall(r"^Seat 1 · (.*?) ·", shown, re.MULTILINE) == ["Small 10", "Total 9 5", "Big 2.50"]


def test_a_wager_is_named_in_a_line_as_it_is_for_a_stake() -> None:
    """`--stake total=5` means the first of its spots too; and a title may end with the amount of nothing."""
    assert "Seat 1 · Total 4 5 · " in played("sic-bo", "total 5", "q")
    assert "Seat 1 · One 5 · " in played("sic-bo", "single number 5", "q")


def test_a_line_that_is_refused_names_the_spots_and_leaves_what_is_in_brackets() -> None:
    shown = " ".join(played("sic-bo", "small 5 big 1", "smell 5", "big", "", "q").split())
    assert "'smell 5' is no wager; type spots and amounts, such as small 5. Open are: small, big, total_4," in shown
    assert "'big' is no wager; type spots and amounts" in shown
    assert shown.count("[small 5, big 1] ›") == 4, "asked three times in the second round, and in the third"
    assert shown.count("Seat 1 · Small 5 ·") == 2


def test_dice_roll_until_the_line_is_decided() -> None:
    shown = played("point", "10", "5", "5", "0", "", "q", seed=14)
    assert "│ point 6 " in shown and shown.count("“Dice are out.”") >= 2
    assert "Pairs 5 · Pair, 3 to 1: you win 15, 5 stays [T-03]" in shown
    assert balance(shown) == 1000 + won(shown)


def test_dice_are_drawn_with_as_many_pips_as_they_show() -> None:
    for die in range(1, 7):
        assert dice_picture([die]).plain.count("●") == die


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", cases([1, 2], quick=[2]))
def test_every_game_plays_by_itself(game: str, seats: int) -> None:
    shown = played(game, options=("--auto", "--rounds", "3", "--seats", str(seats)))
    assert shown.count("Balance ") == 3 and "!" not in shown
    assert balance(shown) == 1000 + won(shown)


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_gives_the_same_round_again(game: str) -> None:
    typed = ("10", "0", "1", "1", "1", "1")
    one, same, other = (played(game, *typed, "q", seed=seed) for seed in (5, 5, 6))
    assert one == same and one.replace("Seed 5", "Seed 6") != other


def test_without_a_seed_the_cards_are_others_and_the_seed_is_told() -> None:
    shown = {re.sub(r".*Seed (\d+)\..*", r"\1", told("play", OFTM, typed="q\n"), flags=re.DOTALL) for _ in range(3)}
    assert len(shown) > 1 and all(seed.isdecimal() for seed in shown)


# What is typed.


def test_wrong_amounts_are_refused_and_asked_for_again() -> None:
    shown = played(OFTM, "-5", "ten", "1,5", "1e3", "1001", "9" * 25, "9" * 99, "0", "10", "5", "check", "q")
    assert shown.count("is not an amount; type one such as 10 or 2.50") == 5
    assert "1,001 is too much; 1,000 is the most you can stake here." in shown
    assert "No seat has a wager; place one before the betting is closed." in shown
    assert shown.count("Ante [10] ›") == 9 + 1  # and once for the second round
    assert "Ante 10 · Higher card" in shown


def test_wrong_decisions_are_refused_and_asked_for_again() -> None:
    shown = played(OFTM, "", "", "fold", "4", "0", "", "99999999999", "ra", "q")
    assert shown.count("is none of the options; type 1 or check, 2 or raise, 3 or trade.") == 5
    assert "Raise 10 · Higher card" in shown


def test_an_option_that_the_balance_does_not_cover_is_refused() -> None:
    shown = played(OFTM, "995", "0", "2", "check", "q")
    assert "'raise' takes 995, and you have 5." in shown and "Ante 995 · Higher card" in shown


def test_enter_repeats_the_last_wagers() -> None:
    shown = played(OFTM, "25", "5", "check", "", "", "check", "q")
    assert "Ante [25] › \n" in shown and "3 Card Bonus [5] › \n" in shown
    assert shown.count("· Ante 25 ·") == 2 and shown.count("· 3 Card Bonus 5 ·") == 2


@pytest.mark.slow
def test_a_hint_tells_what_each_option_is_worth() -> None:
    shown = played(OFTM, "10", "", "h", "q")
    assert re.search(r"check +\+5\.72\n +raise +\+11\.43  ► best\n +trade +-5\.24", shown)
    assert "There is nothing to decide now" in played(OFTM, "h", "q")


def test_a_question_mark_shows_rules_and_pay_tables() -> None:
    shown = played(OFTM, "?", "q")
    assert "O-04  Clockwise again" in shown and re.search(r"3 Card Bonus +table 1\n +Straight flush +40 to 1", shown)
    assert "A dice loop" in played("point", "?", "q")


# Leaving.


PLAYS_ON = "You leave. Nothing more is staked, and what is in action plays on: "


@pytest.mark.rule("F-30")
@pytest.mark.parametrize("last", [["q"], []], ids=["left", "input ended"])
@pytest.mark.parametrize(
    ("game", "typed", "seed", "in_action", "chosen"),
    [
        (OFTM, "10 5", 1, "Ante 10, 3 Card Bonus 5", ["check"]),
        (OFTM, "10 5 trade", 1, "Ante 10, 3 Card Bonus 5, Trade 10", ["stand"]),
        (UNDER, "10 0 0 1", 4, "Ante 10, Bet 10, Jackpot 1", ["check", "fold"]),
        (UNDER, "10 0 0 1 check", 4, "Ante 10, Bet 10, Jackpot 1", ["fold"]),
        ("blackjack", "10", 4, "Blackjack 10", ["no insurance", "stand"]),
        ("blackjack", "10 split", 10, "Blackjack 10, Hand 2 10", ["hand 1 of 2, stand", "hand 2 of 2, stand"]),
    ],
)
def test_who_leaves_has_the_wagers_in_action_played_on_as_a_clock_would(
    game: str, typed: str, seed: int, in_action: str, chosen: list[str], last: list[str]
) -> None:
    shown = played(game, *typed.split(), *last, seed=seed)
    assert f"{PLAYS_ON}{in_action}." in " ".join(shown.split())
    assert re.findall(r"^  Seat 1: (.*)\.$", shown[shown.index("You leave.") :], re.MULTILINE) == chosen
    assert "Round 1: you " in shown and "Round 2" not in shown
    assert balance(shown) == 1000 + won(shown)


@pytest.mark.rule("F-30", "Y-08")
def test_who_leaves_yo_keeps_the_contract_bets_and_gets_the_others_back() -> None:
    """Seed 3: a seven before a point, then the point 8, a 6 and a seven."""
    typed = ("10", "", "", "", "yo 5", "", "high 2, low 3", "q")
    shown = played("yo", *typed, seed=3)
    assert f"{PLAYS_ON}Play 10, Yo! 5, High 2, Low 3." in " ".join(shown.split())
    assert "Seat 1: withdraw.\n  Supervisor: dealer rolls." in shown and "Cup: dealer" in shown
    after = shown[shown.index("You leave.") :]
    assert "Seat 1 · Low 3 · 4, 5, 6, 3 to 2: you win 4.50, 3 stays" in after
    assert "You collect 4.50 from Low." in after and "Seat 1: takes up Low." in after
    assert "Seat 1 · Play 10 · Seven out: you lose 10" in after and "Seat 1 · Yo! 5 · Seven out: you lose 5" in after
    assert balance(shown) == 1000 - 10 - 5 - 2 + Fraction("4.50") == 1000 + won(shown)


@pytest.mark.rule("F-30", "Y-08")
def test_who_leaves_while_betting_is_open_takes_up_what_is_no_contract_first() -> None:
    shown = played("yo", "10", "", "", "10", "", "", "low 2", "", "q", seed=3)
    after = shown[shown.index("You leave.") :]
    assert after.startswith(f"{PLAYS_ON}Play 10.")
    assert after.index("You collect") < after.index("Seat 1: takes up Low.") < after.index("palm down")
    assert balance(shown) == 1000 + won(shown)


@pytest.mark.parametrize("game", [*GAMES, "yo"])
def test_when_the_input_ends_nothing_is_staked_that_nobody_staked(game: str) -> None:
    shown = played(game)
    assert "Seat 1" not in shown and "Balance" not in shown and balance(shown) == 1000


@pytest.mark.rule("F-30", "Y-04")
def test_what_is_left_up_when_the_session_is_over_plays_on_in_the_next_game() -> None:
    """Seed 2: the point is made, and by this reading Yo! rides on."""
    readings = ("--reading", "yo_on_point_made=rides", "--rounds", "1")
    shown = played("yo", "10", "yo 5", *[""] * 60, seed=2, options=readings)
    assert f"{PLAYS_ON}Yo! 5.\n\nWhat you left up " in shown
    assert "Seat 1 · Yo! 5 · No Play: push, 5 comes back [Y-04]" in shown[shown.index("What you left up") :]
    assert balance(shown) == 1000 + won(shown)


def test_an_interrupt_at_a_prompt_leaves_politely(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["10", "5"])

    def interrupted(*_: object) -> str:
        if (text := next(typed, None)) is None:
            raise KeyboardInterrupt
        return text

    monkeypatch.setattr("rich.console.Console.input", interrupted)
    shown = told("play", OFTM, "--seed", "1")
    assert f"{PLAYS_ON}Ante 10, 3 Card Bonus 5." in " ".join(shown.split()) and balance(shown) == 1005


def test_without_any_standard_input_the_session_ends() -> None:
    command = [sys.executable, "-m", "feltworks.cli", "play", OFTM]
    closed = subprocess.run(["sh", "-c", '"$0" "$@" 0<&-', *command], capture_output=True, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (0, "")
    assert "You leave with 1,000" in closed.stdout


def test_sitting_out_lets_the_others_play() -> None:
    shown = played("point", "0", "q", seed=14, options=("--seats", "2"))
    assert "Seat 2 · Line 10 ·" in shown and "Seat 1 ·" not in shown and balance(shown) == 1000


# When nothing is typed.


def test_input_that_ends_between_rounds_ends_the_session() -> None:
    shown = played(OFTM, "10", "0", "check")
    assert "Round 2" in shown and "Round 2: you" not in shown


def test_the_session_ends_after_so_many_rounds() -> None:
    shown = played(OFTM, "", "", "1", "", "", "1", options=("--rounds", "2"))
    assert shown.count("Balance ") == 2 and "Round 3" not in shown


@pytest.mark.slow
def test_stakes_may_be_told() -> None:
    stakes = ("--stake", "base=20", "--stake", "three_card_bonus=5/2")
    assert "Ante [20]" in played(OFTM, "q", options=stakes)
    assert "Seat 1: 2.50 on 3 Card Bonus." in played(OFTM, options=(*stakes, "--auto"))
    assert "base=1/3 is no amount in whole cents" in felt("play", OFTM, "--stake", "base=1/3").stderr
    broke = played(OFTM, options=("--stake", "base=2000", "--auto"))
    assert "Your play money does not cover the usual stakes." in broke and balance(broke) == 1000


def test_a_modified_game_says_so() -> None:
    shown = played(OFTM, "q", options=("--decks", "2"))
    assert (
        "2 decks · modified: not as approved\n  2 decks instead of 6, 8\n  Before any modification ask the Wash"
        in shown
    )


# What the person may not see.


def test_not_a_letter_depends_on_what_another_seat_looks_at() -> None:
    """Whatever card seat 2 looks at and folds, seat 1 sees the same."""
    game = api.load("bands", folders=[TOYS])

    def seen(card: str) -> str:
        screen = Console(file=io.StringIO(), width=100, record=True)
        start = game.start((1, 2))
        table = Table(game, screen, Fraction(100), start)
        table.open(start, "Round 1")
        own = iter(["5c", card])
        for seat in (Seat(1), Seat(2)):
            table.follow(_next(table.view), Place(seat, "ante", Fraction(10)))
        table.follow(_next(table.view), Close())
        while not isinstance(step := _next(table.view), Choose):
            match step:
                case Deal():
                    table.follow(step, DEALT)
                case Read(_, among):
                    table.follow(step, among[0])
                case Turn():
                    table.follow(step, Card(next(own)))
        table.draw()
        table.follow(_next(table.view), Decide(Seat(1), "fold"))
        table.follow(_next(table.view), Decide(Seat(2), "fold"))
        return screen.export_text()

    assert seen("2d") == seen("7c")


def _next(round: Round) -> Step:
    assert round.next is not None
    return round.next


def test_money_is_shown_and_read_in_cents() -> None:
    assert [money(Fraction(n)) for n in ("1000", "7.5", "0.05")] == ["1,000", "7.50", "0.05"]
    with pytest.raises(ValueError, match="1/3 is not a whole number of cents"):
        money(Fraction(1, 3))
    assert read_money("1,000.50") == Fraction(2001, 2)
    assert [read_money(text) for text in ("1,00", "1.234", "-1", "", "1e3")] == [None] * 5
