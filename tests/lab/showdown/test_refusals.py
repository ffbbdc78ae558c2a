"""What the engine refuses of a declaration, in a sentence that says what to do; and what it checks instead."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import feltworks
from feltworks import api
from feltworks.kit.cards import Seat, Token, parse_cards
from feltworks.kit.errors import BadValue, FaultyRules, TooLarge
from feltworks.kit.game import Bonus, Game
from feltworks.kit.loader import load_folder
from feltworks.kit.poker import ThreeCard, three_cards
from feltworks.kit.showdown import HandOf, Showdown, ShowdownRound
from feltworks.kit.steps import DEALT, Choose, Close, Items, Moment, Option, Place, Turn, task
from feltworks.lab import walking_analyzer
from feltworks.lab.analysis import not_counted
from feltworks.lab.showdown import engine, estimate, proof, solution
from feltworks.lab.showdown.engine import Solved

GAMES = Path(__file__).parent / "games"
STUD = feltworks.load("stud", folders=["tests/toys"])
Stud: Any = STUD.round_class


def playing(kind: type[ShowdownRound]) -> Game:
    return replace(STUD, round_class=kind, build=kind.__name__)


@dataclass(frozen=True)
class Looking(Stud):  # type: ignore[misc]
    """Settles the raise as the toy does, but by a look at a card of the dealer."""

    def settle(self, seat: Seat) -> Items:
        assert self.card(Token(None, "sealed")).rank
        yield from Stud.settle(self, seat)


@dataclass(frozen=True)
class Partial(Stud):  # type: ignore[misc]
    """Pays the Ante when the seat's first card is a diamond, whatever the hands are."""

    def settle(self, seat: Seat) -> Items:
        first = next(Stud.settle(self, seat))
        lucky = self.card(Token(seat, "card 1")).suit == "d"
        yield self.push(seat, "ante", "Lucky", "T-33") if lucky else first
        yield from [item for item in Stud.settle(self, seat) if item.spot != "ante"]


@dataclass(frozen=True)
class Early(Stud):  # type: ignore[misc]
    """Offers another option to who has a pair, which the hands decide before they are compared."""

    def common(self) -> Iterator[Any]:
        if self.playing:
            yield Turn(Token(None, "common"))
            yield task(Early.ask)

    def ask(self) -> Iterator[Any]:
        options = (Option("check"), Option("hope")) if self.seat_kind(Seat(1)) == "Pair" else (Option("check"),)
        yield Choose(frozenset({Seat(1)}), options)
        yield Turn(Token(None, "sealed"))
        yield task(Stud.settle, Seat(1))
        yield Moment("end", Seat(1))


def reading(value: Any, kind: Any = lambda value: None) -> Game:
    """The toy with another function that reads all hands."""
    shown = Stud.showdown
    seat, dealer = (HandOf(hand.tokens, value, kind) for hand in (shown.seat, shown.dealer))

    @dataclass(frozen=True)
    class Other(Stud):  # type: ignore[misc]
        showdown = Showdown(seat, dealer, shown.sides)

    return replace(playing(Other), build=f"Other {id(value)}")


def test_rules_that_ask_for_kinds_alone_are_proved() -> None:
    assert Solved(STUD).plan.proof.words.startswith("Proved")


def test_rules_that_look_at_cards_are_checked_on_deals_and_give_the_same_edge() -> None:
    checked = Solved(playing(Looking))
    assert checked.plan.proof.deals > 500
    assert "test_refusals.py" in checked.plan.proof.looked
    assert checked.edge() == Solved(STUD).edge()


def test_a_side_wager_beside_rules_that_look_at_cards_has_the_same_figures() -> None:
    looking, asking = feltworks.analyze(playing(Looking)), feltworks.analyze(STUD)
    assert looking["pair"].outcomes == asking["pair"].outcomes
    assert looking["pair"].edge == asking["pair"].edge


def test_rules_of_a_side_wager_that_its_hand_does_not_settle_are_refused_with_two_deals() -> None:
    def by_a_card(round: Any, seat: Seat) -> Items:
        lucky = round.side_kind(seat, "pair") and round.card(Token(None, "sealed")).suit == "d"
        yield round.by_table(seat, "pair", "Pair or better" if lucky else None, "T-34")

    game = replace(STUD, bonuses={"pair": Bonus("end", by_a_card)}, build="by a card")
    with pytest.raises(FaultyRules, match=r"settles .* otherwise than .*by_a_card looks at a card.*let `kind`"):
        feltworks.analyze(game, wager="pair")


def test_two_deals_of_one_signature_that_are_settled_differently_are_both_shown() -> None:
    with pytest.raises(FaultyRules, match=r"settles \w\w \w\w \w\w against .* otherwise than .*; let `kind` tell"):
        Solved(playing(Partial))


def test_a_signature_of_which_no_deal_was_found_is_not_taken_for_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "SEARCHED", 6)
    with pytest.raises(FaultyRules, match="No deal of Stud was found"):
        Solved(playing(Looking)).edge()


def test_a_course_that_depends_on_the_hands_is_walked_state_by_state() -> None:
    assert "depends on the hands before they are compared" in not_counted(playing(Early))


def test_several_decks_are_walked_state_by_state() -> None:
    assert "set decks = 1" in not_counted(STUD.configured(decks=2))


def test_why_a_game_is_walked_is_told_also_where_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking_analyzer, "LARGEST", 100)
    with pytest.raises(TooLarge, match=r"set decks = 1\. State by state, Stud is too large to be walked: about"):
        feltworks.analyze(STUD.configured(decks=2), wager="base")


def test_a_hand_of_six_cards_and_ones_own_function_is_walked_state_by_state() -> None:
    hand = HandOf(lambda seat: tuple(Token(seat, f"card {n}") for n in range(6)), len)

    @dataclass(frozen=True)
    class Six(Stud):  # type: ignore[misc]
        showdown = Showdown(hand)

    assert "tabled for up to 5; read it by the kit's `best_hand`" in not_counted(playing(Six))


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("", "Stud is a ShowdownRound and declares no hands; set its `showdown` to a Showdown, or make it a Round"),
        (
            "showdown = Showdown(own)",
            r"declares <function own at .*> for seat; write HandOf\(tokens, value, kind\)",
        ),
    ],
)
def test_a_round_that_declares_no_hands_is_refused_when_it_is_loaded(tmp_path: Path, declared: str, said: str) -> None:
    folder = tmp_path / "stud"
    copytree("tests/toys/stud", folder)
    rules = (folder / "rules.py").read_text()
    before, after = rules.split("    showdown = Showdown("), rules.split("sides={")[1].split("    )\n", 1)[1]
    (folder / "rules.py").write_text(f"{before[0]}    {declared}\n{after}")
    with pytest.raises(FaultyRules, match=said):
        load_folder(folder)


def test_a_kind_that_fails_is_told_with_the_hand() -> None:
    with pytest.raises(FaultyRules, match=r"The `kind` of ThreeCardHand.* fails with AttributeError: .*'nothing'\.$"):
        Solved(reading(three_cards, lambda hand: hand.nothing))


class Circle:
    """Rock, paper and scissors."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __lt__(self, other: "Circle") -> bool:
        return (other.number - self.number) % 3 == 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Circle) and self.number == other.number

    def __hash__(self) -> int:
        return self.number


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (lambda cards: Circle(sum(card.rank for card in cards) % 3), "is no order"),
        (
            lambda cards: None if cards[0].rank == 9 else three_cards(cards),
            "otherwise in another order|cannot be compared",
        ),
        (lambda cards: max(card.rank for card in cards if card.suit != "c"), "fails on .* with ValueError"),
        (lambda cards: sum(card.suit == "c" for card in cards), "with other names of the suits"),
        (lambda cards: [1], "fails on .* with TypeError"),
    ],
)
def test_a_value_that_is_no_order_of_hands_is_refused(value: Any, said: str) -> None:
    with pytest.raises(FaultyRules, match=said):
        Solved(reading(value))


def test_a_game_that_would_take_too_long_is_refused_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "LONGEST", 0)
    with pytest.raises(TooLarge, match="hours to solve"):
        Solved(STUD).edge()


def test_what_nobody_waits_for_is_waited_for_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "LONGEST", 0)
    patient = replace(STUD, build="patient")
    with pytest.raises(
        TooLarge, match=r"felt analyze stud --however-long, or .* felt simulate stud --strategy FILE\.py"
    ):
        feltworks.analyze(patient)
    waited = feltworks.analyze(patient, wager="base", however_long=True)["base"].edge
    monkeypatch.undo()
    assert waited == feltworks.analyze(STUD, wager="base")["base"].edge


def test_the_best_strategy_is_found_however_long_that_takes_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(estimate, "LONGEST", 0)
    game = replace(STUD, build="asked for")
    stakes = {"base": Fraction(1)}
    unsolved = feltworks.simulate(game, rounds=10, stakes=stakes)
    assert unsolved.strategy == "first"
    assert "--strategy best" in unsolved.note
    assert "--strategy FILE.py" in unsolved.note
    assert feltworks.simulate(game, rounds=1_000, stakes=stakes, policy="best").strategy == "best"


def too_large(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Its Bonus is settled by the seat's own hand, whatever it does; for the rest the fast way is not taken."""
    monkeypatch.setattr(engine, "fits", lambda plan: False)
    return replace(feltworks.load("holdem-bonus", folders=[GAMES]), build="large")


def test_a_side_wager_by_its_own_hand_is_analysed_beside_a_game_that_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = too_large(monkeypatch)
    both, alone = feltworks.analyze(game), feltworks.analyze(game, wager="bonus")
    assert [*both.wagers] == [*alone.wagers] == ["bonus"]
    assert both["bonus"].edge == alone["bonus"].edge
    assert both.too_large["base"].startswith("Hold'em Bonus would take about 0.5 hours to solve; ")
    assert both.to_json()["too_large"] == dict(both.too_large)
    assert alone.strategy is None
    with pytest.raises(TooLarge):
        feltworks.analyze(game, wager="base")


def test_a_printed_figure_of_a_game_that_is_too_large_is_told_so_and_the_others_are_certified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = feltworks.certify(too_large(monkeypatch), "casino-war")
    verdicts = {(figure.game, figure.wager, figure.verdict) for figure in found}
    assert ("holdem-bonus", "base", "too large") in verdicts
    assert ("holdem-bonus", "bonus", "rounded") in verdicts
    assert ("casino-war", "base", "rounded") in verdicts
    assert not found.all_reproduced
    first = next(figure for figure in found if figure.verdict == "too large")
    assert (first.exact, first.to_json()["exact"], first.to_json()["percent"]) == (None, None, None)
    assert "--however-long" in first.note


def test_a_side_wager_that_goes_by_the_dealers_cards_as_well_is_refused_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def by_both(round: Any, seat: Seat) -> Items:
        high = round.side_kind(seat, "pair") and round.better(seat) > 0
        yield round.by_table(seat, "pair", "Pair or better" if high else None, "T-34")

    monkeypatch.setattr(solution.Layers, "total", lambda *_: pytest.fail("solved"))
    game = replace(STUD, bonuses={"pair": Bonus("end", by_both)}, build="by both")
    with pytest.raises(BadValue, match="by other hands on one course of Stud; let it go by the kind of its own hand"):
        feltworks.analyze(game, wager="pair")


def test_what_a_fold_forfeits_of_a_side_wager_is_estimated_before_it_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(estimate, "LONGEST", 0)
    with pytest.raises(TooLarge, match="hours to solve; let Pair be paid to folded hands too"):
        feltworks.analyze(replace(STUD, build="forfeits"), wager="pair")


def test_a_hand_under_sides_that_is_no_wagers_is_refused_when_it_is_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "stud"
    copytree("tests/toys/stud", folder)
    rules = (folder / "rules.py").read_text()
    (folder / "rules.py").write_text(rules.replace('sides={"pair":', """sides={"dealer's aces":"""))
    with pytest.raises(
        FaultyRules, match=r'under `sides` for "dealer\'s aces", which is no wager of game\.toml; .*: base'
    ):
        load_folder(folder)


def test_classes_of_hands_stand_in_the_order_of_their_values_under_their_own_names() -> None:
    game = feltworks.load("own-fours", folders=[GAMES])
    [cells] = api.chart(game).grids
    assert cells.rows == (
        "pair AAJT or better",
        "pair KKAQ to pair JJQT",
        "pair TTAK",
        "pair TTAQ",
        "pair TTAJ",
        "pair TTKQ",
        "pair TTKJ or lower",
    )
    assert [row[0] for row in cells.cells] == ["triple", "play", "~", "~", "fold", "~", "fold"]
    without = replace(game, round_class=nameless(game), build="nameless")
    [told] = api.chart(without).grids
    assert told.rows[0] == "(<Four.PAIR: 1>, (14, 14, 11, 10)) or better"
    assert told.cells == cells.cells


def nameless(game: Game) -> type[ShowdownRound]:
    own: Any = game.round_class
    seat, dealer = (replace(hand, name=None) for hand in (own.showdown.seat, own.showdown.dealer))

    @dataclass(frozen=True)
    class Nameless(own):  # type: ignore[misc]
        showdown = Showdown(seat, dealer)

    return Nameless


def test_a_hand_with_a_name_is_told_beside_its_cards() -> None:
    game = feltworks.load("own-fours", folders=[GAMES])
    round: Any = game.start()
    tokens = game.round_class.showdown.seat.cards_of(Seat(1))  # type: ignore[attr-defined]
    cards = parse_cards("AsAd9c9hTs")
    round = round.after(Place(Seat(1), "ante", Fraction(1))).after(Close())
    while not all(token in round.cards for token in tokens):
        round = round.after(DEALT)
    [told] = round.told_hands(dict(zip(tokens, cards, strict=True)))
    assert (told.owner, told.words, told.brief) == (Seat(1), "two pair AA99", "Two pair AA99")


def test_pays_that_cannot_be_summed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "LARGEST_SUM", 1000)
    with pytest.raises(TooLarge, match="let its lines pay less"):
        Solved(STUD)


def test_a_category_stands_for_all_its_hands() -> None:
    assert set(Solved(STUD).plan.seat.kinds) <= {category.label for category in ThreeCard}
