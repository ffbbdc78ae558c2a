"""A wheel is spun and stops in a pocket: what rules say, what is refused, and what chance brings."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from feltworks.games import load
from feltworks.kit import Incident, Items, NotAllowed, NotPossible, Pocket, Role, Round, Spin
from feltworks.kit.cards import Seat
from feltworks.kit.chance import Scripted, Shuffled, _Dealing
from feltworks.kit.copies import replace
from feltworks.kit.definition import Wheel
from feltworks.kit.errors import BadDefinition, FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.manual_entry import entered
from feltworks.kit.round import ZERO
from feltworks.kit.steps import Answer, Close, Decide, Place
from feltworks.kit.transcript import transcript
from feltworks.kit.walk import Habit, walk
from tests.kit.support import one_sentence, toy

WHEEL = toy("big-six")
ONE = Seat(1)
POCKETS = WHEEL.wheels["wheel"].pockets


def spinning() -> Round:
    """Betting is closed, and the wheel is spun."""
    return WHEEL.start([1]).after(Place(ONE, "five", Fraction(10))).after(Close())


def refused(round: Round, answer: Answer) -> str:
    with pytest.raises((NotAllowed, NotPossible)) as refusal:
        round.after(answer)
    return one_sentence(refusal.value)


def test_a_spin_waits_with_the_pockets_of_its_wheel() -> None:
    assert spinning().next == Spin("wheel", POCKETS)
    assert len(POCKETS) == 54


def test_rules_read_the_pocket_until_the_next_step() -> None:
    over = spinning().after(Pocket("$5", "wheel"))
    assert str(over.pocket) == "$5"
    [won] = over.effects
    assert (won.net(), won.line) == (50, "$5")  # type: ignore[union-attr]
    assert WHEEL.start([1]).pocket is None


def test_an_answer_that_is_no_pocket_is_refused_and_told_what_there_is() -> None:
    here = "'$3' is no pocket of this wheel; say one of: Joker, $1, $2, $5, $10, $20, Logo."
    assert refused(spinning(), Pocket("$3", "wheel")) == here
    other = "The wheel 'wheel' is spun; say in which pocket it has stopped."
    assert refused(spinning(), Pocket("$5", "another")) == other
    assert refused(spinning(), (3, 4)) == other
    assert refused(spinning(), Close()) == other


def test_a_ball_that_left_the_wheel_is_reported_and_the_wheel_is_spun_again() -> None:
    assert "no spin" in spinning().incidents
    stopped = spinning().report(Incident("no spin", "the ball left the wheel"))
    again = stopped.after(Decide(Role.SUPERVISOR, "spin again"))
    assert again.next == spinning().next
    assert again.after(Pocket("$5", "wheel")).effects == spinning().after(Pocket("$5", "wheel")).effects
    void = stopped.after(Decide(Role.SUPERVISOR, "void"))
    assert void.over and [effect.net() for effect in void.effects] == [ZERO]  # type: ignore[union-attr]


def test_only_a_game_with_a_wheel_has_no_spins() -> None:
    assert "no spin" not in toy("point").start([1]).incidents


def test_whoever_enters_what_is_no_pocket_twice_stops_the_round() -> None:
    asked: list[str] = []

    def ask(step: object, why: str) -> Pocket:
        asked.append(why)
        return Pocket("17", "wheel")

    stopped = entered(spinning(), ask)
    assert asked[0] == "" and asked[1].startswith("'17' is no pocket of this wheel")
    assert stopped.effects == (Incident("no spin", asked[1]),)


# Chance.


def test_a_wheel_stops_at_each_pocket_as_often_as_it_stands_on_it() -> None:
    """54,000 spins: each pocket within 5 standard deviations of 1,000 for each of its places."""
    chance = Shuffled(Random(20))
    shown = Counter(str(chance.answer(Spin("wheel", POCKETS))) for _ in range(54_000))
    for pocket, places in Counter(POCKETS).items():
        mean = 1_000 * places
        assert abs(shown[pocket] - mean) < 5 * (mean * (1 - places / 54)) ** 0.5, pocket
    assert sum(shown.values()) == 54_000


def test_a_script_says_where_the_wheel_stops_and_ends() -> None:
    script = Scripted(pockets=["$5"])
    assert script.answer(Spin("wheel", POCKETS)) == Pocket("$5", "wheel")
    with pytest.raises(NotPossible, match="The script has no more pockets"):
        script.answer(Spin("wheel", POCKETS))


def test_a_source_without_a_wheel_says_so() -> None:
    with pytest.raises(NotPossible, match="There is no wheel in this chance source"):
        _Dealing().answer(Spin("wheel", POCKETS))


def test_a_transcript_tells_where_the_wheel_stops() -> None:
    start = WHEEL.start([1])
    told = transcript(start, walk(start, Scripted(pockets=["$10"]), {ONE: Habit({"ten": Fraction(5)})}))
    assert "Spin the wheel: $10." in told
    assert "they sum to 0" in told


# In game.toml.


def folder(place: Path, *changes: tuple[str, str]) -> Game:
    """The toy with something else in its game.toml or its rules."""
    there = place / "wheel-of-mine"
    there.mkdir()
    for file in ("game.toml", "rules.py"):
        text = (WHEEL.folder / file).read_text("utf-8")
        for old, new in changes:
            text = text.replace(old, new)
        (there / file).write_text(text.replace('name = "big-six"', 'name = "wheel-of-mine"'), "utf-8")
    return load("wheel-of-mine", [place])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Joker", "$1"', '"Joker", "one, two"', r"game\.toml:\d+: wheels.wheel.pockets.1: write at most 20 letters"),
        ('"Joker", "$1"', '"Joker", " 1"', r"wheels.wheel.pockets.1: write at most 20 letters"),
        ('red = ["$2"]', 'red = ["$3"]', r"wheels.wheel.colours.red: '\$3' is not defined; defined are: \$1"),
        ('red = ["$2"]', 'red = ["$1"]', r"wheels.wheel.colours.red: '\$1' is yellow already"),
        ("red =", "mauve =", "wheels.wheel.colours.mauve"),
        ('title = "for the tests"', 'title = "a"\nwheels = ["other"]', "versions.toy.wheels: 'other' is not defined"),
        ('title = "for the tests"', 'title = "a"\nwithout_spots = ["six"]', "without_spots: 'six' is not defined"),
        ('title = "for the tests"', 'title = "a"\nwithout_spots = ["ten"]', "they leave 'ten' no spot"),
    ],
)
def test_a_mistake_in_a_wheel_is_told_with_its_entry(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(BadDefinition, match=said):
        folder(tmp_path, (old, new))


def test_a_wheel_that_a_rule_names_and_the_game_does_not_have_is_a_fault_of_the_rules(tmp_path: Path) -> None:
    game = folder(tmp_path, ('Spin("wheel")', 'Spin("weel")'))
    round = game.start([1]).after(Place(ONE, "five", Fraction(1)))
    with pytest.raises(
        FaultyRules, match=r"spins 'weel', which is no wheel of this version; it has: wheel\. Define it"
    ):
        round.after(Close())


def test_the_pockets_are_in_the_fingerprint_and_the_colours_are_not(tmp_path: Path) -> None:
    here = load("big-six", [WHEEL.folder.parent]).fingerprint["definition"]

    def with_wheel(**changes: object) -> str:
        wheel = WHEEL.definition.wheels["wheel"].model_copy(update=changes)
        definition = WHEEL.definition.model_copy(update={"wheels": {"wheel": wheel}})
        return replace(WHEEL, definition=definition).fingerprint["definition"]

    assert with_wheel(colours={}) == here
    assert with_wheel(pockets=POCKETS[1:]) != here


def test_a_pocket_has_at_most_one_colour() -> None:
    wheel = Wheel(pockets=("1", "2", "0"), colours={"red": ("1",)})
    assert [wheel.colour_of(pocket) for pocket in wheel.pockets] == ["red", "", ""]


@dataclass(frozen=True)
class Again(Round):
    """Two spins in a round."""

    def play(self) -> Items:
        yield Spin("wheel")
        yield Spin("wheel")


def test_a_pocket_is_gone_with_the_next_step_and_makes_no_two_rounds_differ() -> None:
    start = replace(WHEEL, round_class=Again).start([1])
    one, other = (start.after(Pocket(name, "wheel")) for name in ("$1", "$20"))
    assert one.pocket != other.pocket
    assert one.key == other.key
