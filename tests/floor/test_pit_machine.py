"""A table that people deal under Hypothesis: whatever is entered, taken back, corrected, reported, voided and paused in
whatever order, with reliefs and restarts in between.

What is refused changes nothing (G5). The money is at all times that of the round's own rules with the answers as they
are now; the books balance; and a replay of the records gives the same (G1, G3).
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import Answer, Dealt, Decided, Hidden, NotRolled, Placed, Rolled, Shown, Turned
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.errors import FeltworksError
from tests.floor.pit import Pit
from tests.floor.sitting import with_toys
from tests.floor.test_corrections import TABLES, other_answer
from tests.floor.test_duties import GAMES, mixed
from tests.quick import share

MIXED = {
    "one-for-the-money, shared": mixed(
        GAMES["one-for-the-money"], "physical", ("dealing", "reading", "rolling", "sensing")
    ),
    "in-between, shared": mixed(GAMES["in-between"], "program", ("dealing", "paying")),
}
"""Physical cards with the betting and the paying of the program, and the program's own dealt and paid by a person."""

cards = st.sampled_from([card.text for card in SUITED_CARDS] + ["xx", "", "7"])
dice = st.lists(st.integers(0, 7), min_size=0, max_size=5).map(tuple)
answers: st.SearchStrategy[Answer] = st.one_of(
    st.builds(Turned, cards),
    st.builds(Rolled, dice),
    st.builds(Shown, st.sampled_from(["small", "medium", "large", "low", "high", "none"])),
    st.builds(NotRolled, st.sampled_from(["a die is stuck in the cup", "no reason"])),
    st.builds(Decided, st.sampled_from(["dealer", "supervisor"]), st.sampled_from(["lit", "not lit", "continue"])),
    st.just(Dealt()),
    st.just(Hidden()),
    st.builds(Placed, st.integers(0, 4), st.just("ante"), st.sampled_from([100, 500, -5])),
)


class PitMachine(RuleBasedStateMachine):
    SETTINGS: TableSettings

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.pit = Pit(Path(self.folder.name) / "records.db", self.SETTINGS)

    @initialize(seed=st.integers(0, 1_000))
    def begin(self, seed: int) -> None:
        self.pit.random.seed(seed)

    def tries(self, what: Callable[[], object], name: str) -> bool:
        """Whether it is done; refused, everything is as it was, and it is said in a sentence."""
        before, chips = self.pit.table, self.pit.everybody
        try:
            what()
        except FeltworksError as refusal:
            said = str(refusal)
            if said.startswith("The round is void"):  # a toy whose rules cannot be played on with that
                self.pit.note()
                return False
            assert self.pit.table is before and self.pit.everybody == chips, said
            assert said[:1].isupper() or said[:1].isdigit() or said[:1] in "'“", said
            assert said.endswith("."), said
            event(f"{name} refused")
            return False
        self.pit.note()
        event(f"{name} done")
        return True

    @property
    def stopped(self) -> bool:
        return self.pit.table.service != "open"

    # As it should go.

    @precondition(lambda self: not self.stopped and self.pit.table.dealer)
    @rule(times=st.integers(1, 12))
    def go_on(self, times: int) -> None:
        for _ in range(times):
            self.pit.step()

    # As it should not.

    @rule(answer=answers)
    def enter(self, answer: Answer) -> None:
        self.tries(lambda: self.pit.enter(answer), "enter")

    @rule(card=cards)
    def enter_twice(self, card: str) -> None:
        """An entry that cannot be opens an incident at the second time."""
        for _ in range(2):
            self.tries(lambda: self.pit.enter(Turned(card)), "enter")

    @rule()
    def take_back(self) -> None:
        offered = self.pit.procedure.take_back
        assert not self.tries(lambda: self.pit.deal(cmd.TakeBack()), "take back") or offered

    @rule(which=st.integers(0, 200), answer=answers)
    def correct_anything(self, which: int, answer: Answer) -> None:
        self.tries(lambda: self.pit.correct(which, answer), "correct")

    @rule(which=st.floats(0, 0.999))
    def correct(self, which: float) -> None:
        """What could have been entered instead, or is refused because the program's cards lie already."""
        entered = [n for n, past in enumerate(self.pit.table.answers, 1) if past.entered]
        if entered:
            entry = entered[int(which * len(entered))]
            answer = other_answer(self.pit, entry)
            if answer is not None:
                self.tries(lambda: self.pit.correct(entry, answer), "correct what can be")

    @rule(done=st.integers(-1, 60))
    def tick_off(self, done: int) -> None:
        self.tries(lambda: self.pit.deal(cmd.TickOff(done)), "tick off")

    # People come and go.

    @rule()
    def relieve(self) -> None:
        assert self.tries(self.pit.relieve, "relieve") == (self.pit.table.service != "closed")

    @rule()
    def sign_off(self) -> None:
        self.tries(lambda: self.pit.deal(cmd.SignOff()), "sign off")

    @rule()
    def restart(self) -> None:
        self.pit.restart()

    @rule()
    def pause_or_go_on(self) -> None:
        table = self.pit.settings.id
        if self.pit.table.service == "paused":
            self.tries(lambda: self.pit.house.resume(table, self.pit.supervisor), "resume")
        else:
            self.tries(lambda: self.pit.house.pause(table, "a look", self.pit.supervisor), "pause")

    @rule()
    def report(self) -> None:
        if self.pit.table.dealer:
            report = cmd.Report("misdeal", "a card fell")
            self.tries(lambda: self.pit.house.pit.report(self.pit.settings.id, report, self.pit.dealer), "report")

    @rule()
    def void(self) -> None:
        def signed_by_two() -> None:
            action = self.pit.house.staff.propose(self.pit.settings.id, cmd.VoidRound("a misdeal"), self.pit.supervisor)
            self.pit.house.staff.sign(action, self.pit.manager)

        self.tries(signed_by_two, "void")

    # What must hold.

    @invariant()
    def money_is_that_of_the_rules(self) -> None:
        self.pit.check_money()
        assert self.pit.total == self.pit.brought

    def teardown(self) -> None:
        self.pit.check()
        self.pit.house.close()
        self.folder.cleanup()


@pytest.mark.rule("F-11", "F-16", "F-17", "F-20", "F-28", "F-41")
@pytest.mark.parametrize("name", [*TABLES, *MIXED])
def test_whatever_is_entered_taken_back_and_corrected_the_money_is_that_of_the_rules_and_the_record_replays(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_toys(monkeypatch)
    machine = type("PitMachine", (PitMachine,), {"SETTINGS": (TABLES | MIXED)[name]})
    run(machine, settings=settings(max_examples=share(12), stateful_step_count=30, deadline=None))
