"""The terms of a jackpot change between rounds, at each table for itself (F-40); and what is still posted goes back
with a void, whatever has become of the money and of the meter (F-24, F-37)."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from feltworks.floor.accounts import HOUSE
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.jackpot import commands as jackpot
from feltworks.floor.jackpot import events as ev
from feltworks.floor.jackpot.meter import Kept, jackpot_stream
from feltworks.floor.journal.position import _checkpoint_message
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import Decided
from feltworks.floor.table.registered import registered
from feltworks.floor.table.settings import Limits
from feltworks.floor.verification.verify import verify
from tests.floor.damage import change
from tests.floor.jackpots import CHIPS, MAIN, NOTHING, ROYAL, STRAIGHT_FLUSH, Room, by_program, under
from tests.floor.test_jackpots import SEED, events
from tests.floor.world import KEYS

LOST: dict[str, Any] = {"hands": {1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, "board": "2s 4d 8h Jc Kd", "dealer": "2h 7h"}
"""Cards with which nobody wins anything of the meter."""


def change_terms(room: Room, **changes: object) -> None:
    room.now += 1
    room.house.jackpots.change(MAIN, replace(room.meter.terms, **changes), room.manager)


def seize(room: Room, cents: int, of: str = "meter") -> None:
    room.house.book(Book("correction", f"{of}:{MAIN}", "cage cash", cents, "seized"), PROGRAM)


def sensed(room: Room, id: str = "under", seats: tuple[int, ...] = (1, 2, 3)) -> None:
    room.bet(id, seats)
    room.close(id)
    room.sense(id)


# Terms.


@pytest.mark.rule("F-40", "F-24")
def test_a_round_is_played_by_the_terms_with_which_it_began_and_the_next_one_by_the_others(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"))
    room.bet("one")
    change_terms(room, to_meter="1/4", to_reserve="0")
    assert room.meter.kept == {"one": Kept(1, room.house.jackpots.terms_at(room.meter, "one"))}
    assert room.house.jackpots.keeping(room.meter) == ["one"]
    room.close("one")
    room.sense("one")
    assert room.meter.meter == SEED + 3 * 60
    sensed(room, "two")  # it begins only now
    assert room.meter.meter == SEED + 3 * 60 + 3 * 25
    room.end("one", **LOST)
    assert room.house.jackpots.keeping(room.meter) == []
    sensed(room, "one")
    assert room.meter.meter == SEED + 3 * 60 + 6 * 25
    room.check()


@pytest.mark.rule("F-40")
def test_a_change_of_terms_is_recorded_with_who_when_and_the_rounds_that_keep_the_others(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"))
    room.bet("one")
    effect = room.house.jackpots.effect(
        MAIN, jackpot.ChangeJackpot(replace(room.meter.terms, seed=SEED + 5), between_rounds=True), room.manager
    )
    assert effect.lines == (
        "From the next round on: seed 1,000.05 instead of 1,000.00.",
        "Round 1 at table one keeps the terms before.",
    )
    change_terms(room, seed=SEED + 5)
    line = room.house.jackpots.statement(MAIN, room.house.store)[-1]
    assert (line.actor, line.time) == (str(room.manager), room.now)
    assert line.event == ev.JackpotChanged(room.meter.terms, (ev.InPlay("one", 1),))
    assert "round 1 at table one to be played by those before" in line.words


@pytest.mark.rule("F-40", "F-26")
def test_a_meter_that_is_won_whole_begins_again_at_the_seed_that_was_posted_when_the_round_began(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"))
    sensed(room, "one", (1,))
    change_terms(room, seed=SEED - 700)
    room.end("one", hands={1: ROYAL})
    assert room.meter.meter == SEED
    room.round("two", (1,), hands={1: ROYAL})
    assert room.meter.meter == SEED - 700
    room.check()


@pytest.mark.rule("F-40")
def test_of_several_changes_in_one_round_none_reaches_it(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    change_terms(room, to_meter="1/4")
    change_terms(room, to_meter="1/5")
    change_terms(room, to_meter="3/5")
    assert room.house.jackpots.keeping(room.meter) == [], "they are what they were"
    change_terms(room, to_meter="1/5")
    room.close()
    room.sense()
    assert room.meter.meter == SEED + 180
    change_terms(room, to_meter="1/10")
    room.deal("under", cmd.TakeBack())
    room.sense()  # once more, in the same round
    assert room.meter.meter == SEED + 180
    room.end(**LOST)
    sensed(room)
    assert room.meter.meter == SEED + 180 + 30
    room.check()


@pytest.mark.rule("F-40", "F-24")
def test_a_void_returns_by_the_shares_by_which_it_was_put_there(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", to_meter="1/3")
    room.bet()
    change_terms(room, to_meter="1/7", to_reserve="1/2")
    room.close()
    room.sense()
    assert room.meter.meter == SEED + 100 and room.meter.carried == ((0, 1), (6, 7))
    room.void()
    assert (room.meter.meter, room.meter.reserve, room.meter.carried) == (SEED, 50_000, ((0, 1), (0, 1)))
    room.check()


@pytest.mark.rule("F-40", "F-24")
def test_a_higher_maximum_is_for_the_next_round_and_nothing_is_ever_put_above_a_lower_one(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"), maximum=SEED + 100)
    room.bet("one")
    change_terms(room, maximum=SEED + 10_000)
    room.close("one")
    room.sense("one")
    assert room.meter.meter == SEED + 100  # the rest is in the reserve
    room.bet("two")
    change_terms(room, maximum=SEED + 150)
    room.close("two")
    room.sense("two")
    assert room.meter.meter == SEED + 150
    room.check()


@pytest.mark.rule("F-40", "D-19")
def test_a_table_that_is_unlinked_and_linked_again_within_a_round_keeps_its_terms(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.house.jackpots.unlink(MAIN, "under", "a broken panel", room.manager)
    change_terms(room, to_meter="1/4")
    room.house.jackpots.link(MAIN, room.settings["under"], room.manager)
    room.close()
    room.sense()
    assert room.meter.meter == SEED + 180
    room.check()


@pytest.mark.rule("F-40", "F-17")
def test_a_house_that_starts_again_within_the_round_still_plays_it_by_its_terms(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    change_terms(room, to_meter="1/4")
    before = room.meter
    room.restart()
    assert room.meter == before
    room.close()
    room.sense()
    assert room.meter.meter == SEED + 180
    room.check()


@pytest.mark.rule("F-40", "D-13", "D-16")
def test_pays_base_sequence_and_wager_of_a_round_stay_whatever_is_posted_for_the_next_one(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    settings = room.settings["under"]
    sensed(room)
    other = replace(settings, readings={"award_sequence": "largest_first", "award_base": "before_round"})
    compared = room.house.jackpots.question(MAIN, other)
    assert compared is not None  # it is asked of the laboratory, and its answer is not what is tested here
    with pytest.raises(Refused, match="ask the laboratory"):
        room.house.jackpots.link(MAIN, other, room.manager)
    dear = replace(settings, limits={**settings.limits, "jackpot": Limits(200, 200)})
    with pytest.raises(Refused, match="set otherwise"):
        room.house.change_settings("under", dear, room.manager)
    without = replace(settings, jackpot=UNSET, prize=500_000, pay={"jackpot": "2"})
    room.house.change_settings("under", without, room.manager)
    room.end(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    meter = SEED + 180
    assert [(a.percent, a.base) for a in events(room, ev.Awarded)] == [("10", meter), ("100", meter - meter // 10)]
    assert room.chips(3) == CHIPS - 100 + 100_000 + 30_000  # envy is paid, as pay table 3 has it
    assert not room.table().settings.jackpot
    room.check()


@pytest.mark.rule("F-40")
def test_terms_that_older_records_changed_within_a_round_are_read_as_they_were_and_nobody_does_that_now(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db")
    other = replace(room.meter.terms, to_meter="1/4")
    with pytest.raises(Refused, match="between rounds"):
        room.do(jackpot.ChangeJackpot(other))
    room.bet()
    room.now += 1
    room.house.carry_out(jackpot_stream(MAIN), jackpot.ChangeJackpot(other), room.manager)  # as older records have it
    room.close()
    room.sense()
    assert room.meter.meter == SEED + 3 * 25 and room.meter.kept == {}
    written = [record.event for record in room.house.store.read(jackpot_stream(MAIN))]
    assert not any(b"keep" in event for event in written)
    room.restart()
    room.check()


@pytest.mark.slow
@pytest.mark.rule("F-40", "F-16")
def test_a_round_that_somebody_has_struck_from_a_change_of_terms_is_found_by_each_share_of_a_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"))
    room.bet("one")
    change_terms(room, to_meter="1/4")
    room.close("one")
    room.sense("one")
    room.house.close()
    monkeypatch.setattr("feltworks.floor.verification.verify.SMALL", 0)
    monkeypatch.setattr("feltworks.floor.verification.verify.processors", lambda: 2)
    assert verify(room.path, KEYS.public).ok
    struck = "CAST(replace(CAST(event AS TEXT), '\"round\":1', '\"round\":2') AS BLOB)"
    change(room.path, f"UPDATE events SET event = {struck} WHERE CAST(event AS TEXT) LIKE '%jackpot changed%'")
    report = verify(room.path, KEYS.public)
    made = '"keep":[{"table":"one","round":1}]'
    assert sum("jackpot:main" in problem and made in problem for problem in report.problems) == 1, report.problems


# What is short (F-37).


@pytest.mark.rule("F-26", "F-37", "D-13")
def test_a_spot_that_was_lit_before_the_money_was_short_is_played_and_paid_in_full_and_the_next_one_goes_dark(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db", reserve=0)
    room.bet()
    room.close()
    room.enter("under", Decided("dealer", "lit"))
    seize(room, 40_000)
    with pytest.raises(Refused, match=r"400\.00 short of what is posted.* Enter 'not lit'"):
        room.enter("under", Decided("dealer", "lit"))
    room.sense(dark=(2, 3))
    assert registered(room.table()) == {(1, "jackpot"): 100} and room.meter.meter == SEED + 60
    room.end(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    [award] = events(room, ev.Awarded)
    assert (award.seat, award.cents, award.falls) == (1, SEED + 60, SEED + 60)
    assert (award.meter, award.reserve, award.house) == (SEED + 60 - 40_000, 14, 40_000 - 14)
    assert room.meter.meter == SEED == room.behind[0]
    room.check()


@pytest.mark.rule("F-26", "F-37")
def test_an_award_of_a_spot_that_was_lit_is_paid_in_full_when_nothing_lies_behind_it_any_more(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", reserve=500)
    sensed(room, seats=(1,))
    seize(room, SEED + 60)
    seize(room, 514, "reserve")
    house = room.account(str(HOUSE))
    room.end(hands={1: ROYAL})
    [award] = events(room, ev.Awarded)
    assert (award.cents, award.meter, award.reserve, award.house) == (SEED + 60, 0, 0, SEED + 60)
    assert room.meter.meter == SEED == room.behind[0] and room.meter.reserve == 514
    assert room.account(str(HOUSE)) == house - (SEED + 60) - SEED
    room.check()


@pytest.mark.rule("F-26", "F-37", "F-20")
def test_a_spot_that_is_sensed_once_more_in_its_round_is_no_new_wager_when_the_money_is_short(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.sense(dark=(2,))
    seize(room, 40_000)
    room.deal("under", cmd.TakeBack())  # the last one, by mistake
    assert not registered(room.table()) and room.meter.meter == SEED
    room.enter("under", Decided("dealer", "lit"))
    assert set(registered(room.table())) == {(1, "jackpot"), (3, "jackpot")}
    assert room.meter.meter == SEED + 120
    room.end(**LOST)
    with pytest.raises(Refused, match=r"400\.00 short"):
        room.bet()
    room.check()


@pytest.mark.rule("F-37", "D-13")
def test_a_spot_that_was_dark_does_not_light_when_the_money_is_short_and_it_is_sensed_once_more(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.sense(dark=(3,))
    seize(room, 40_000)
    room.deal("under", cmd.TakeBack())
    with pytest.raises(Refused, match="Enter 'not lit'"):
        room.enter("under", Decided("dealer", "lit"))
    room.sense(dark=(3,))
    assert room.meter.meter == SEED + 120
    room.check()


@pytest.mark.rule("F-37", "D-13")
def test_the_program_lights_no_spot_while_the_money_is_short(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", by_program())
    player, _ = room.house.people.guest()
    room.house.command("under", player, cmd.Sit(1))
    room.house.deal_on("under", "start round")
    for spot in ("ante", "bet", "jackpot"):
        room.house.command("under", player, cmd.Place(spot, 100))
    seize(room, 40_000)
    room.house.command("under", player, cmd.Ready())
    while not room.table().to_act:
        room.house.deal_on("under", "answer")
    assert room.meter.meter == SEED and not registered(room.table())
    assert room.table().wagers.keys() == {(1, "ante"), (1, "bet")}
    room.check()


# A void (F-17, F-24).


@pytest.mark.rule("F-17", "F-24", "F-37")
@pytest.mark.parametrize(
    ("meter", "reserve", "paid"),
    [
        (0, 0, (180, 42, 0)),
        (SEED, 0, (180, 42, 0)),
        (SEED + 100, 0, (80, 42, 100)),
        (SEED + 180, 0, (0, 42, 180)),
        (SEED + 180, 50_000, (0, 42, 180)),
        (SEED + 180, 50_042, (0, 0, 222)),
        (0, 50_042, (180, 0, 42)),
    ],
    ids=str,
)
def test_all_that_is_posted_of_a_void_round_goes_back_also_when_the_money_for_it_is_missing(
    tmp_path: Path, meter: int, reserve: int, paid: tuple[int, int, int]
) -> None:
    room = Room(tmp_path / "records.db")
    sensed(room)
    if meter:
        seize(room, meter)
    if reserve:
        seize(room, reserve, "reserve")
    short = meter > SEED or reserve > 50_000
    house = room.account(str(HOUSE))
    before = room.meter
    room.void()
    [back] = events(room, ev.RegistrationsReturned)
    assert tuple(sum(getattr(one, name) for one in back.wagers) for name in ("meter", "reserve", "house")) == paid
    assert room.meter.meter == SEED, "no wager is posted that has gone back"
    assert room.meter.reserve == before.reserve - 42
    assert (room.meter.in_meter.returned, room.meter.carried, room.meter.wagered) == (180, ((0, 1), (0, 1)), 0)
    assert room.behind == (SEED + 180 - meter - paid[0], 50_042 - reserve - paid[1])
    assert room.account(str(HOUSE)) == house - paid[2]
    assert room.tray() == 0 and [room.chips(seat) for seat in (1, 2, 3)] == [CHIPS] * 3
    lines = room.house.jackpots.statement(MAIN, room.house.store)
    assert (lines[-1].meter, lines[-1].reserve) == (room.meter.meter, room.meter.reserve)
    assert ("was missing, and is paid by the house" in lines[-1].words) == short
    [*_, last] = room.house.store.read(jackpot_stream(MAIN))
    assert (b"missing" in last.event) == short, "what older records could say is said as it was"
    room.check()


@pytest.mark.rule("F-17", "F-24", "F-37")
def test_a_void_after_the_whole_meter_was_won_leaves_the_seed_alone_also_when_the_money_is_missing(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"), reserve=3 * SEED)
    sensed(room, "two")
    room.round("one", (1,), hands={1: ROYAL})
    before = room.meter
    seize(room, SEED // 2)
    seize(room, before.reserve - 100, "reserve")
    house = room.account(str(HOUSE))
    room.void("two")
    [back] = events(room, ev.RegistrationsReturned)
    assert [(one.meter_falls, one.reserve) for one in back.wagers] == [(0, 74), (0, 26), (0, 0)]
    assert (room.meter.meter, room.meter.reserve) == (SEED, before.reserve - 222)
    assert room.account(str(HOUSE)) == house - (222 - 100)
    assert room.chips(1, "two") == CHIPS and room.tray("two") == 0
    room.check()


@pytest.mark.rule("F-17", "F-24", "D-16")
def test_after_an_award_of_the_meter_as_it_was_sensed_a_void_elsewhere_is_paid_by_the_reserve(tmp_path: Path) -> None:
    base = {"award_base": "before_round"}
    room = Room(tmp_path / "records.db", under("one", readings=base), under("two", readings=base), reserve=3 * SEED)
    sensed(room, "one", (1,))
    sensed(room, "two")
    room.end("one", hands={1: ROYAL})
    assert room.meter.meter == SEED + 180  # what was put in since the sensing is above the seed
    before = room.meter
    put = sum(one.meter + one.reserve for one in events(room, ev.Registered)[-1].wagers)
    room.void("two")
    [back] = events(room, ev.RegistrationsReturned)
    assert sum(one.meter for one in back.wagers) == 0 and sum(one.house for one in back.wagers) == 0
    assert (room.meter.meter, room.meter.reserve) == (SEED + 180, before.reserve - put)
    assert room.chips(1, "two") == CHIPS
    room.check()


@pytest.mark.rule("F-17", "F-24", "F-25")
def test_a_void_that_cannot_be_written_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path / "records.db")
    sensed(room)
    seize(room, SEED)
    before, behind, table = room.meter, room.behind, room.table()

    def full(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(type(room.house.store), "write", full)
        with pytest.raises(OSError, match="no space"):
            room.void()
    assert (room.meter, room.behind, room.table()) == (before, behind, table)
    with Reader(room.path) as store:
        assert store.last_commit() == room.house.store.last_commit()
    room.void()
    assert room.meter.meter == SEED
    room.check()


@pytest.mark.rule("F-16", "F-17")
def test_a_checkpoint_from_before_terms_were_kept_is_what_the_records_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltworks.floor.journal.journal.CHECKPOINT_EVERY", 5)
    room = Room(tmp_path / "records.db")
    sensed(room)
    room.deal("under", cmd.TakeBack())
    room.sense()
    room.house.jackpots.unlink(MAIN, "under", "a broken panel", room.manager)
    room.void()
    room.house.close()
    with Store(room.path) as store:
        for id, data in list(store.checkpoints()):
            state = msgspec.json.decode(data[64:])
            for meter in state["meters"].values():
                assert meter.pop("kept") == {} and "lit" in meter
                meter.pop("lit")
            older = msgspec.json.encode(state)
            signed = KEYS.sign(_checkpoint_message(id, older)) + older
            store.connection.execute("UPDATE checkpoints SET state = ? WHERE commit_id = ?", (signed, id))
    report = verify(room.path, KEYS.public)
    assert report.ok, report.problems
