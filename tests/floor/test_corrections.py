"""Entries that cannot be, that are taken back and that are corrected (F-20), at a table that people deal."""

from pathlib import Path
from typing import Any

import pytest

from feltworks.floor.accounts import Kind
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import (
    Answer,
    Dealt,
    Decided,
    Hidden,
    NotRolled,
    NoWager,
    Placed,
    Rolled,
    Shown,
    TakenUp,
    Turned,
)
from feltworks.floor.table.betting import MOST_CHANGES
from feltworks.floor.table.procedure import asked_at
from feltworks.floor.table.settings import TableSettings
from feltworks.kit import one_card, steps
from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.errors import NotPossible
from feltworks.kit.manual_entry import READER_FAULT, WRONG_CARD
from feltworks.kit.standing import MAKERS_OWN
from tests.floor.pit import PLAYER, Pit
from tests.floor.sitting import bands, point, riding, with_toys
from tests.floor.world import KEYS
from tests.web.robots import AT_ONCE, SLOW, between, money, under, yo

BY_HAND: dict[str, Any] = {"dealing": "people", "seats": 3}
READER = {"card reader": MAKERS_OWN, "jackpot system": "a drawer with a key"}
DICE = {"dice": MAKERS_OWN, "cup": MAKERS_OWN}
QUICK: dict[str, Any] = {"dealing": "people", "pace": AT_ONCE, "clocks": SLOW}
TABLES: dict[str, TableSettings] = {
    "one-for-the-money": money(**BY_HAND),
    "in-between": between(**BY_HAND),
    "down-under-holdem": under(**BY_HAND, equipment=READER),
    "yo": yo(**BY_HAND, equipment=DICE),
    "bands, a toy": bands(**QUICK),
    "point, a toy": point(**QUICK),
    "riding, a toy": riding(**QUICK),
}


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)


def at(pit: Pit, *kinds: str) -> Pit:
    """The same pit, when the procedure asks for one of these."""
    while pit.procedure.asked.kind not in kinds:
        pit.step()
    return pit


def other_answer(pit: Pit, entry: int) -> Answer | None:
    """Something else that could have been entered, as the procedure says what can be."""
    past = pit.table.answers[entry - 1].event
    was = past.answer  # type: ignore[union-attr]
    asked = asked_at(pit.table, entry)
    match was:
        case Placed(seat, spot, amount):
            return Placed(seat, spot, amount + 100)
        case Decided(int(seat), option):
            found = [o.name for o in asked.options if o.name != option]
            return Decided(seat, pit.random.choice(found)) if found else None
        case TakenUp() | Dealt() | Hidden():
            return None
    for _ in range(20):
        if (found_answer := pit.possible(asked)) != was:
            return found_answer
    return None


@pytest.mark.rule("F-20")
@pytest.mark.parametrize("name", TABLES)
def test_whatever_was_entered_last_is_taken_back_and_nothing_of_it_is_left(name: str, tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES[name])
    taken = 0
    for _ in range(60):
        table, chips = pit.table, {seat: pit.chips(seat) for seat in pit.patrons}
        answers = len(table.answers)
        pit.step()
        shown = pit.procedure
        if len(pit.table.answers) != answers + 1 or not pit.table.answers[-1].entered:
            continue
        if isinstance(answer := pit.table.answers[-1].event.answer, Decided) and answer.who == "supervisor":  # type: ignore[union-attr]
            assert not shown.take_back
            continue
        assert shown.take_back
        pit.deal(cmd.TakeBack())
        taken += 1
        assert pit.table.round == table.round and pit.table.past == table.past
        assert (pit.table.dealt, pit.table.results, pit.table.brought, pit.table.dice, pit.table.things) == (
            *(table.dealt, table.results, table.brought, table.dice, table.things),
        )
        assert {seat: pit.chips(seat) for seat in pit.patrons} == chips
        assert pit.procedure.asked == pit.procedure.asked
        pit.step()
    assert taken > 3
    pit.check()


@pytest.mark.rule("F-20")
def test_an_entry_is_taken_back_until_the_next_step_is_entered(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    with pytest.raises(Refused, match="Nothing was entered in this round"):
        pit.deal(cmd.TakeBack())
    pit.step()
    pit.enter_for(cmd.PlaceFor(1, "ante", 500))
    pit.house.command("money", pit.player, cmd.Place("ante", 700))
    assert pit.procedure.take_back == "Seat 1 puts 5.00 on Ante."
    pit.deal(cmd.TakeBack())
    assert pit.table.wagers == {(PLAYER, "ante"): 700}
    with pytest.raises(Refused, match="Nothing was entered in this round"):
        pit.deal(cmd.TakeBack())
    pit.enter_for(cmd.PlaceFor(1, "ante", 600))
    pit.enter_for(cmd.PlaceFor(1, "three_card_bonus", 600))
    pit.deal(cmd.CloseBetting())
    before = pit.table
    with pytest.raises(Refused, match="The next step is entered already; the supervisor corrects"):
        pit.deal(cmd.TakeBack())
    assert pit.table is before and not pit.procedure.take_back
    pit.check()


@pytest.mark.rule("F-20")
@pytest.mark.parametrize("name", TABLES)
def test_a_dealer_takes_one_step_back_and_not_the_one_before_it(name: str, tmp_path: Path) -> None:
    """Otherwise somebody who has seen the next card could take back what a patron had decided before it."""
    pit = at(Pit(tmp_path / "records.db", TABLES[name]), "end", "discards")
    while not pit.procedure.take_back:
        pit.step()
    while pit.procedure.asked.kind != "bets" and pit.procedure.take_back:
        before = pit.table
        pit.deal(cmd.TakeBack())
        assert len(pit.table.answers) == len(before.answers) - 1
        assert not pit.procedure.take_back or pit.table.answers[-1].step == before.answers[-1].step
    before = pit.table
    with pytest.raises(Refused, match="The next step is entered already; the supervisor corrects"):
        pit.deal(cmd.TakeBack())
    assert pit.table is before
    pit.restart()
    assert not pit.procedure.take_back
    pit.step()
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-13", "F-20")
def test_a_dealer_takes_back_nothing_that_the_supervisor_has_decided_or_corrected(tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["yo"]), "roll")
    pit.enter(NotRolled("a die is stuck in the cup"))
    assert pit.procedure.asked.role == "supervisor"
    pit.enter(Decided("supervisor", "die freed"), pit.supervisor)
    assert not pit.procedure.take_back
    with pytest.raises(Refused, match="the supervisor corrects"):
        pit.deal(cmd.TakeBack())
    at(pit, "roll")
    pit.enter(Rolled((1, 2, 3, 4)))
    entry = len(pit.table.answers)
    pit.correct(entry, Rolled((1, 2, 3, 5)))
    with pytest.raises(Refused, match="the supervisor corrects"):
        pit.deal(cmd.TakeBack())
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-20")
def test_a_wager_on_which_another_one_hangs_is_taken_back_by_nobody_before_that_one(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    pit.step()
    pit.enter_for(cmd.PlaceFor(1, "ante", 600))
    pit.enter_for(cmd.PlaceFor(1, "three_card_bonus", 600))
    pit.deal(cmd.TakeBack())
    pit.deal(cmd.TakeBack())
    assert pit.table.wagers == {}
    pit.check()


# What cannot be.


@pytest.mark.rule("F-20", "D-10")
def test_a_card_that_cannot_be_is_asked_for_again_and_the_same_once_more_opens_an_incident(tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", money(**BY_HAND, decks=1)), "turn")
    pit.enter(Turned("7h"))
    at(pit, "turn")
    before = pit.table
    for other in ("7h", "xx", "7h"):
        with pytest.raises(NotPossible if other == "7h" else Refused):
            pit.enter(Turned(other))
        assert pit.table is before and "7h" not in pit.procedure.asked.cards
        if other == "7h":
            break
    pit.enter(Turned("7h"))
    assert pit.table.incident == WRONG_CARD
    assert (pit.procedure.asked.who, pit.procedure.asked.role) == ("supervisor", "supervisor")
    with pytest.raises(Refused):
        pit.enter(Turned("8h"))
    pit.restart()
    assert pit.table.incident == WRONG_CARD
    pit.resolve("continue")
    pit.enter(Turned("8h"))
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("D-10", "F-20")
def test_a_card_outside_its_band_entered_twice_is_a_fault_of_the_reader(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["down-under-holdem"])
    while pit.procedure.asked.kind != "turn" or not pit.table.round.cards[pit.table.step.token].reading:  # type: ignore[union-attr]
        pit.step()
    step, round = pit.table.step, pit.table.round
    assert isinstance(step, steps.Turn) and round is not None and round.unseen is not None
    band = round.cards[step.token].reading
    assert band is not None
    outside = next(card.text for card in SUITED_CARDS if round.unseen.count(card) and card not in band)
    with pytest.raises(NotPossible, match="was read as"):
        pit.enter(Turned(outside))
    pit.enter(Turned(outside))
    assert pit.table.incident == READER_FAULT
    assert [o.name for o in pit.procedure.asked.options][:2] == ["correct the card", "correct the band"]
    pit.resolve("correct the card")
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-20")
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Turned("7h"), "dice"),
        (Rolled((1, 2, 3, 4, 5)), "dice"),
        (Rolled((0, 2, 3, 7)), "1 to 6"),
        (Rolled(()), "dice"),
        (Shown("small"), "No light is read now"),
        (Dealt(), "dice"),
    ],
    ids=["a card", "five dice", "no faces", "none", "a light", "a deal"],
)
def test_rubbish_is_refused_in_words_however_often_it_comes(answer: Answer, words: str, tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["yo"]), "roll")
    before = pit.table
    for _ in range(3):
        with pytest.raises((Refused, NotPossible), match=words):
            pit.enter(answer)
        assert pit.table is before


# Corrections.


@pytest.mark.rule("F-20", "F-11", "F-16")
@pytest.mark.parametrize("name", TABLES)
def test_a_corrected_round_pays_what_it_would_have_paid_with_the_right_entries(name: str, tmp_path: Path) -> None:
    """Whatever is corrected whenever: the money is that of the round's own rules with the answers as they are now."""
    pit = Pit(tmp_path / "records.db", TABLES[name])
    corrected = 0
    for _ in range(150):
        pit.step()
        entered = [n for n, past in enumerate(pit.table.answers, 1) if past.entered]
        if not entered or pit.random.random() < 0.6:
            continue
        entry = pit.random.choice(entered)
        answer = other_answer(pit, entry)
        if answer is None:
            continue
        before, version = pit.table, pit.table.version
        try:
            pit.correct(entry, answer)
        except Refused:
            assert pit.table is before
            continue
        corrected += 1
        assert pit.table.version == version + 1
        pit.check_money()
    assert corrected > 5
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-20", "F-10")
def test_what_a_wrong_card_paid_is_taken_back_and_the_right_one_paid_with_both_in_the_record(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    at(pit, "end")
    turned = [n for n, past in enumerate(pit.table.answers, 1) if isinstance(past.event.answer, Turned)]  # type: ignore[union-attr]
    last = turned[-1]
    was = pit.table.answers[last - 1].event.answer.card  # type: ignore[union-attr]
    chips = {seat: pit.chips(seat) for seat in (1, 2, 3)}
    right = "Ah" if was[0] != "A" else "2h"
    pit.correct(last, Turned(right), "it was misread")
    pit.check_money()
    booked = [entry for _, commit in pit.house.store.commits() for one in commit.entries for entry in one]
    changed = {seat: pit.chips(seat) - chips[seat] for seat in chips}
    corrections = [entry for entry in booked if entry.kind is Kind.CORRECTION]
    assert len(corrections) == sum(map(bool, changed.values())) > 0
    events = [record.event for record in pit.house.store.read("money")]
    assert any(f'"card":"{was}"'.encode() in event and b"answered" in event for event in events)
    assert f'"card":"{right}"'.encode() in events[-1] and b"it was misread" in events[-1]
    pit.play(rounds=1)
    pit.check()
    told = replayed(pit.path, "money", 1, KEYS.public)
    both = (one_card(was).name, one_card(right).name)
    assert any(all(card in str(step[1]) for card in both) for step in told.happenings if step[0] is None)


@pytest.mark.rule("F-20")
@pytest.mark.parametrize(
    ("entry", "answer", "words"),
    [
        (0, Turned("7h"), "There is no entry 0"),
        (99, Turned("7h"), "There is no entry 99 in this round that could be corrected; those are: 1"),
        (1, Turned("7h"), "That was a wager"),
        (1, Placed(2, "ante", 600), "No patron without an account sits at seat 2"),
        (1, Placed(1, "ante", 10**9), "Place between"),
        (1, Placed(1, "ante", 100), "That is what was entered"),
        (1, Placed(1, "nowhere", 600), "no spot"),
    ],
)
def test_a_correction_that_cannot_be_is_refused_in_words_and_changes_nothing(
    entry: int, answer: Answer, words: str, tmp_path: Path
) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["one-for-the-money"]), "turn")
    before = pit.table
    with pytest.raises(Refused, match=words):
        pit.correct(entry, answer)
    assert pit.table is before


@pytest.mark.rule("F-20", "F-13")
def test_only_a_supervisor_corrects_and_says_why(tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["one-for-the-money"]), "turn")
    with pytest.raises(Refused, match="Correct is not for a dealer to do"):
        pit.house.pit.correct("money", cmd.Correct(1, Placed(1, "ante", 600), "misread"), pit.dealer)
    with pytest.raises(Refused, match="Say why"):
        pit.correct(1, Placed(1, "ante", 600), " ")


@pytest.mark.rule("F-14", "F-20")
def test_a_card_that_one_seat_alone_saw_is_not_told_by_a_correction(tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["down-under-holdem"]), "show")
    pit.step()
    entry = len(pit.table.answers)
    with pytest.raises(Refused, match="turned to one seat alone"):
        pit.correct(entry, Turned("Ah"))
    assert not asked_at(pit.table, entry).cards


@pytest.mark.rule("F-20")
def test_what_is_corrected_of_somebody_who_has_left_is_a_dispute(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    pit.step()
    pit.enter_for(cmd.PlaceFor(1, "ante", 500))
    pit.enter_for(cmd.PatronLeaves(1))
    with pytest.raises(Refused, match="No patron without an account sits at seat 1"):
        pit.correct(1, Placed(1, "ante", 600))
    pit.enter_for(cmd.SeatPatron(1, 5_000))
    with pytest.raises(Refused, match="Whoever sat at seat 1 has left since"):
        pit.correct(1, Placed(1, "ante", 600))
    pit.house.store.check_books()


@pytest.mark.rule("F-07", "F-20")
def test_what_is_kept_of_a_betting_has_an_end_however_often_somebody_changes_a_wager(tmp_path: Path) -> None:
    """Where a person closes the betting no clock ends it, and a round must be quick to fold again."""
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    pit.step()
    for number in range(MOST_CHANGES):
        pit.house.command("money", pit.player, cmd.TakeUp("ante") if number % 2 else cmd.Place("ante", 500))
    before = pit.table
    for command in (cmd.Place("ante", 500), cmd.TakeUp("ante")):
        with pytest.raises(Refused, match="You have changed your wagers 200 times; they stay as they lie"):
            pit.house.command("money", pit.player, command)
    assert pit.table is before
    pit.enter_for(cmd.PlaceFor(1, "ante", 500))
    pit.deal(cmd.TakeBack())
    pit.enter_for(cmd.PlaceFor(1, "ante", 500))
    pit.deal(cmd.CloseBetting())
    pit.play(rounds=1)
    pit.house.command("money", pit.player, cmd.Leave())
    pit.house.store.check_books()


@pytest.mark.rule("F-20")
@pytest.mark.parametrize("name", ["one-for-the-money", "yo"])
def test_a_wager_that_was_entered_and_never_made_is_corrected_to_none_and_its_chips_come_back(
    name: str, tmp_path: Path
) -> None:
    pit = Pit(tmp_path / "records.db", TABLES[name])
    pit.step()
    first = next(iter(pit.settings.limits))
    had = pit.chips(3)
    for seat in (1, 3):
        pit.enter_for(cmd.PlaceFor(seat, first, 600))
    pit.deal(cmd.CloseBetting())
    answers = len(pit.table.answers)
    pit.correct(2, NoWager(), "the chips are seat 1's")
    assert pit.chips(3) == had and (3, first) not in pit.table.wagers and (1, first) in pit.table.wagers
    assert len(pit.table.answers) == answers - 1, "the close of the betting stays"
    assert pit.procedure.asked.kind != "bets"
    close = len(pit.table.answers)
    with pytest.raises(Refused, match=r"There is no entry|Only a wager"):
        pit.correct(close, NoWager())
    before = pit.table
    pit.restart()
    assert pit.table == before
    pit.play(rounds=1)
    pit.check()
