"""What the engine refuses of a declaration, in a sentence that says what to do; and what it checks instead."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import feltworks
from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import FaultyRules, TooLarge
from feltworks.kit.game import Bonus, Game
from feltworks.kit.loader import load_folder
from feltworks.kit.poker import ThreeCard, three_cards
from feltworks.kit.showdown import HandOf, Showdown, ShowdownRound
from feltworks.kit.steps import Choose, Items, Moment, Option, Turn, task
from feltworks.lab import walking_analyzer
from feltworks.lab.analysis import not_counted
from feltworks.lab.showdown import estimate, proof, solution
from feltworks.lab.showdown.engine import Solved

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


def test_pays_that_cannot_be_summed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "LARGEST_SUM", 1000)
    with pytest.raises(TooLarge, match="let its lines pay less"):
        Solved(STUD)


def test_a_category_stands_for_all_its_hands() -> None:
    assert set(Solved(STUD).plan.seat.kinds) <= {category.label for category in ThreeCard}
