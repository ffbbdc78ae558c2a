"""A mistake in rules is told in a sentence, with file, line and rule, and the error behind it stays chained."""

import pickle
import shutil
from pathlib import Path

import pytest

from feltworks.kit import loader
from feltworks.kit.cards import Card, Token
from feltworks.kit.errors import BadDefinition, CardNotKnown, FaultyRules, NotAllowed
from feltworks.kit.loader import load_folder
from feltworks.kit.rule_faults import mistake_within
from feltworks.kit.steps import DEALT, Close
from feltworks.kit.time_limit import OutOfTime, TimeLimit
from tests.kit.support import ONE, TOYS, after_all, one_sentence, place


def edited(folder: Path, old: str, new: str, toy: str = "peek") -> Path:
    """A toy with a mistake in its rules."""
    made = folder / toy
    shutil.copytree(TOYS / toy, made)
    rules = made / "rules.py"
    text = rules.read_text("utf-8")
    assert old in text
    rules.write_text(text.replace(old, new, 1), "utf-8")
    return made


def line_of(folder: Path, text: str) -> str:
    """The file and line in which a text stands."""
    rules = folder / "rules.py"
    return f"{rules}:{1 + rules.read_text('utf-8').partition(text)[0].count(chr(10))}"


BETS = [place(ONE, "bet"), Close(), DEALT]


def test_an_error_in_a_rule_names_file_line_and_rule_and_stays_chained(tmp_path: Path) -> None:
    folder = edited(tmp_path, "if self.card(UP).rank == 14:", "if self.card(UP).colour == 'red':")
    round = after_all(load_folder(folder).start(), [*BETS, Card("8c"), DEALT, Card("9c")])
    with pytest.raises(FaultyRules) as fault:
        round.after(DEALT)
    assert one_sentence(fault.value) == "The rule Peek.insurance (T-12) of Peek fails with AttributeError: colour."
    assert fault.value.place == line_of(folder, "if self.card(UP).colour")
    assert fault.value.told == f"{fault.value.place}: {fault.value}"
    assert isinstance(fault.value.__cause__, AttributeError)


INSURANCE = "    def insurance(self) -> Items:\n"
READS = """    point: int | None = None

    def insurance(self) -> Items:
        from feltworks.kit import note
        yield note(point=8) if {noted} else Call("Eight.")
        yield from self.tell()

    def tell(self) -> Items:
        if self.point > 7:
            yield Call("High.")

    def under(self) -> Items:
"""


@pytest.mark.parametrize("noted", [True, False])
def test_a_fact_that_is_looked_at_in_the_rule_that_notes_it_is_told_of_in_the_innermost_line(
    noted: bool, tmp_path: Path
) -> None:
    """And nothing is said of notes where there is none."""
    folder = edited(tmp_path, INSURANCE, READS.format(noted=noted))
    round = after_all(load_folder(folder).start(), [*BETS, Card("8c"), DEALT, Card("Ac")])
    with pytest.raises(FaultyRules) as fault:
        round.after(DEALT)
    hint = "; 'point' is noted here, and a noted fact is there only in the next task" if noted else ""
    said = "fails with TypeError: '>' not supported between instances of 'NoneType' and 'int'"
    assert one_sentence(fault.value) == f"The rule Peek.insurance of Peek {said}{hint}."
    assert fault.value.place == line_of(folder, "if self.point > 7:")


def test_a_fault_is_the_same_in_another_process(tmp_path: Path) -> None:
    """A simulation of several workers tells it as one of a single worker does."""
    fault = FaultyRules("The rule a of B fails.", kind="fails", place="rules.py:3")
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.kind, again.place) == (str(fault), "fails", "rules.py:3")
    card = pickle.loads(pickle.dumps(CardNotKnown(Token(None, "dealer"), "sealed")))
    assert (str(card), card.how) == ("dealer is sealed", "sealed")


def test_what_a_rule_refuses_on_purpose_is_no_fault(tmp_path: Path) -> None:
    new = "\n    def may_close(self) -> None:\n        raise NotAllowed('Nobody closes.')\n\n    def deal(self)"
    folder = edited(tmp_path, "\n    def deal(self)", new)
    rules = folder / "rules.py"
    rules.write_text(f"from feltworks.kit import NotAllowed\n{rules.read_text('utf-8')}", "utf-8")
    with pytest.raises(NotAllowed, match=r"^Nobody closes\.$") as refusal:
        after_all(load_folder(folder).start(), [place(ONE, "bet"), Close()])
    assert not isinstance(refusal.value, FaultyRules)


@pytest.mark.parametrize("method", ["may_close", "may_play", "binds_when_placed", "check"])
def test_a_mistake_in_what_a_round_is_asked_is_a_fault_too(tmp_path: Path, method: str) -> None:
    new = f"\n    def {method}(self, *asked: object) -> bool:\n        return bool(1 / 0)\n\n    def deal(self)"
    folder = edited(tmp_path, "\n    def deal(self)", new)
    with pytest.raises(FaultyRules, match=rf"^The rule Peek\.{method} of Peek fails with ZeroDivisionError") as fault:
        after_all(load_folder(folder).start(), [place(ONE, "bet"), Close()])
    assert fault.value.place == line_of(folder, "        return bool(1 / 0)")


def test_an_error_of_the_kit_itself_is_not_put_down_to_the_rules() -> None:
    assert mistake_within(ValueError("no frame"), [TOYS]) is None


# Rules that go on for ever.


def test_rules_that_go_on_for_ever_while_they_are_loaded_are_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "LONGEST", 0.2)
    folder = edited(tmp_path, "ROUND = Peek", "while True:\n    pass")
    with pytest.raises(BadDefinition) as refusal:
        load_folder(folder)
    said = "the rules go on for ever while they are loaded; let them end."
    places = [line_of(folder, text) for text in ("while True:", "    pass")]
    assert str(refusal.value) in [f"{where}: {said}" for where in places]
    assert isinstance(refusal.value.__cause__, OutOfTime)


def test_no_handler_of_a_rule_keeps_it_from_being_stopped() -> None:
    def stubborn() -> None:
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

    with pytest.raises(OutOfTime), TimeLimit(0.1):
        stubborn()


def test_what_moves_has_all_the_time_that_it_takes() -> None:
    with TimeLimit(0.02) as limit:
        for _ in range(300_000):
            limit.moved = True


def test_a_limit_within_another_leaves_it_running() -> None:
    def goes_on() -> None:
        with TimeLimit(30):
            pass
        while True:
            pass

    with pytest.raises(OutOfTime), TimeLimit(0.1):
        goes_on()
