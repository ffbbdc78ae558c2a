"""Wins that are held (F-19): a payout above the limit waits until surveillance has verified it, whatever becomes of the
round, the seat and the table meanwhile."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from feltworks.floor.accounts import CIRCULATION, Kind, account_of, patron_at
from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.player_limits import DAY, LOSS
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.statutory_limits import HeldWinLimit, held_win_limit, held_win_limits
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.answers import Closed
from feltworks.floor.table.pending import HeldWin, Pending
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import NotInstalled, Past
from feltworks.floor.table.wins import held_account, held_anew, hold_wins, verifies_itself
from feltworks.floor.verification.verify import verify
from feltworks.kit.cards import Seat
from feltworks.kit.odds import parse_pay
from feltworks.kit.steps import Settlement, Stake
from tests.floor.employing import employed
from tests.floor.pit import Pit as Entries
from tests.floor.sitting import TODAY, Sitting, fulfilled, with_toys, yo
from tests.floor.test_corrections import TABLES as CORRECTED
from tests.floor.test_corrections import other_answer
from tests.floor.test_patrons import TABLES, Pit
from tests.floor.test_payout_limits import matching
from tests.floor.world import KEYS

LIMIT = 300_000


def watched(limit: int | None = None, **changes: object) -> TableSettings:
    """One For The Money with Perfect Match in a card room: there somebody has to verify what is held."""
    return fulfilled(matching(limit, venue="card room", **changes))


def won(settings: TableSettings, wagers: dict[str, int], hold_over: int | None = LIMIT) -> Sitting:
    """Three queens of spades for everybody: Perfect Match pays 100 to 1. The round is played to its end."""
    sitting = Sitting(settings, "Qs Qs Qs Qs Qs", now=TODAY)
    for seat, (player, amount) in enumerate(wagers.items(), 1):
        sitting.join(player, seat)
        if seat == 1:
            over = UNSET if hold_over is None else hold_over
            sitting.house(cmd.StartRound(sitting.table.needs_shuffle, over))
        sitting.do(player, cmd.Place("ante", 100))
        sitting.do(player, cmd.Place("perfect_match", amount))
    sitting.house(cmd.CloseBetting())
    while not sitting.table.round or not sitting.table.round.over:
        sitting.deal()
        for seat in sorted(sitting.table.to_act):
            sitting.do(sitting.table.seats[seat].player, cmd.Choose("check"))
    return sitting


def held(sitting: Sitting) -> int:
    return sitting.books[str(held_account(sitting.table.settings.id))]


@pytest.mark.rule("F-19", "F-10", "F-11")
def test_a_payout_over_3000_dollars_is_held_until_surveillance_has_verified_it_and_the_round_goes_on() -> None:
    sitting = won(watched(), {"ann": 10_000, "bob": 5_000, "cyd": 2_000})
    assert {win.player: win.cents for win in sitting.table.wins.values()} == {"ann": 1_000_000, "bob": 500_000}
    assert (held(sitting), sitting.balance("ann"), sitting.balance("cyd")) == (1_500_000, 100_000, 300_000)
    assert sitting.table.round is not None and sitting.table.round.over
    sitting.end()
    sitting.house(cmd.StartRound(sitting.table.needs_shuffle, LIMIT))
    [first, second] = sitting.table.wins.values()
    assert (first.round, first.seat, first.spot) == (1, first.seat, "perfect_match")
    assert sitting.do("vic", cmd.VerifyWin(first.id)) == [ev.WinReleased(first.id, "vic")]
    assert sitting.balance(first.player) == 100_000 + first.cents
    assert list(sitting.table.wins) == [second.id] and held(sitting) == second.cents
    with pytest.raises(Refused, match=r"^No win of that number is held at this table; it may have been verified"):
        sitting.do("eve", cmd.VerifyWin(first.id))
    with pytest.raises(Refused, match=r"^That is your own win; somebody else of surveillance verifies it\.$"):
        sitting.do(second.player, cmd.VerifyWin(second.id))
    assert sum(sitting.books.values()) == 0
    assert sitting.replayed() == sitting.table


@pytest.mark.rule("F-19")
def test_exactly_the_limit_is_paid_at_once_and_a_cent_more_is_held() -> None:
    sitting = won(watched(), {"ann": 3_000, "bob": 3_001})
    assert [win.player for win in sitting.table.wins.values()] == ["bob"]
    assert sitting.balance("ann") == 100_000 + 300_000


@pytest.mark.rule("F-19", "F-16")
def test_records_from_before_there_was_a_limit_hold_nothing() -> None:
    sitting = won(watched(), {"ann": 10_000}, hold_over=None)
    assert not sitting.table.wins and sitting.balance("ann") == 100_000 + 1_000_000
    assert not any(isinstance(event, ev.WinReleased) for event, _ in sitting.events)


@pytest.mark.rule("F-19", "F-09")
def test_what_a_payout_limit_leaves_is_what_counts() -> None:
    sitting = won(watched(500_000), {"ann": 10_000, "bob": 10_000, "cyd": 5_000})
    assert {s.player: s.cents for s in sitting.table.wins.values()} == {}
    assert sorted(settled.paid for settled in sitting.table.results if settled.paid > 1_000) == [
        100_000,
        200_000,
        200_000,
    ]


def settlement(kind: str, stake: Stake, amount: int) -> Settlement:
    return Settlement(Seat(1), "jackpot", "A line", parse_pay(kind), stake, Fraction(amount), "D-14")


@pytest.mark.rule("F-19")
@pytest.mark.parametrize(
    ("kind", "stake", "amount", "paid", "expected"),
    [
        ("3,000 for 1", Stake.TAKEN, 100, 300_000, False),
        ("3,000 to 1", Stake.RETURNED, 100, 300_000, False),
        ("3,001 to 1", Stake.RETURNED, 100, 300_100, True),
        ("3,001 for 1", Stake.TAKEN, 100, 300_100, False),
        ("3,002 for 1", Stake.TAKEN, 100, 300_200, True),
    ],
)
def test_the_stake_does_not_count_whether_or_not_the_odds_have_it_in_them(
    kind: str, stake: Stake, amount: int, paid: int, expected: bool
) -> None:
    exact = settlement(kind, stake, amount)
    booked = ev.Settled(1, "jackpot", "A line", kind, stake.value, amount, paid, 0, "D-14")
    assert hold_wins([exact], [booked], LIMIT)[0].is_held == expected
    assert hold_wins([exact], [booked], UNSET) == [booked]


@pytest.mark.rule("F-19")
@given(st.lists(st.integers(0, 10**6), max_size=8), st.integers(0, 10**6))
def test_every_wager_is_held_or_paid_by_itself(paid: list[int], limit: int) -> None:
    exact = [settlement("1 to 1", Stake.RETURNED, cents or 1) for cents in paid]
    booked = [ev.Settled(1, "jackpot", "A line", "1 to 1", "returned", n, n, n, "D-14") for n in paid]
    marked = hold_wins(exact, booked, limit)
    assert [one.is_held for one in marked] == [cents > limit for cents in paid]
    assert [msgspec.structs.replace(one, held=UNSET) for one in marked] == booked


@pytest.mark.rule("F-19")
def test_at_a_training_table_that_the_program_deals_the_program_verifies_and_the_record_says_so() -> None:
    sitting = won(matching(None), {"ann": 10_000})
    [released] = [event for event, _ in sitting.events if isinstance(event, ev.WinReleased)]
    assert released == ev.WinReleased(released.win) and not released.by
    assert not sitting.table.wins and held(sitting) == 0
    assert sitting.balance("ann") == 100_000 + 1_000_000
    assert sitting.replayed() == sitting.table


@pytest.mark.rule("F-19")
def test_where_people_deal_or_money_is_real_nothing_verifies_itself() -> None:
    assert verifies_itself(matching(None))
    assert not verifies_itself(matching(None, dealing="people"))
    assert not verifies_itself(watched())


# Self-service spots: what is held does not lie there.


def arc(hold_over: int) -> Sitting:
    """Ann has won on a spot of Yo! whose wins lie there until they are collected."""
    sitting = Sitting(fulfilled(yo(venue="tribal casino")), rolls=["6512"], now=TODAY)
    sitting.join("ann", 1)
    sitting.house(cmd.StartRound(sitting.table.needs_shuffle, hold_over))
    for spot, cents in (("play", 1_000), ("eleven", 500)):
        sitting.do("ann", cmd.Place(spot, cents))
    sitting.do("ann", cmd.Ready())
    sitting.do("ann", cmd.Choose("roll"))
    sitting.deal()
    return sitting


@pytest.mark.rule("F-19", "Y-17")
def test_a_win_that_is_held_does_not_lie_on_its_spot_and_cannot_be_collected_or_staked_again() -> None:
    paid, kept = arc(10**9), arc(0)
    lying = {spot: int(cents) for (_, spot), cents in paid.table.winnings.items()}
    assert lying and not kept.table.winnings
    assert {win.spot: win.cents for win in kept.table.wins.values() if win.spot in lying} == lying
    assert kept.table.betting
    for spot in lying:
        with pytest.raises(Refused, match="nothing to collect"):
            kept.do("ann", cmd.Collect(spot))
    assert sum(kept.books.values()) == 0 and kept.replayed() == kept.table


@pytest.mark.rule("F-17", "F-19")
def test_a_void_does_not_touch_a_win_that_is_held() -> None:
    sitting = arc(0)
    wins, cents = sitting.table.wins, held(sitting)
    assert wins and cents
    sitting.house(cmd.VoidRound("the lights went out"))
    assert (sitting.table.wins, held(sitting)) == (wins, cents)
    sitting.do("vic", cmd.VerifyWin(next(iter(wins))))
    assert sum(sitting.books.values()) == 0 and sitting.replayed() == sitting.table


@pytest.mark.rule("F-19")
def test_what_is_held_outlives_the_shift_and_is_verified_at_a_table_that_is_closed() -> None:
    sitting = won(watched(), {"ann": 10_000})
    sitting.end()
    sitting.house(cmd.CloseTable("the shift ends"))
    assert sitting.table.service == "closed" and not sitting.table.seats
    [win] = sitting.table.wins
    sitting.do("vic", cmd.VerifyWin(win))
    assert sitting.balance("ann") == 100_000 + 1_000_000


@pytest.mark.rule("F-19", "F-07")
def test_nobody_stakes_what_is_held() -> None:
    sitting = won(watched(), {"ann": 10_000})
    sitting.end()
    sitting.house(cmd.StartRound(sitting.table.needs_shuffle, LIMIT))
    sitting.books["player:ann"] = 150
    with pytest.raises(Refused, match=r"^You have 1\.50; that is less than 2\.00\.$"):
        sitting.do("ann", cmd.Place("ante", 200))
    sitting.do("vic", cmd.VerifyWin(next(iter(sitting.table.wins))))
    sitting.do("ann", cmd.Place("ante", 200))


# In a house.


def holding_over(monkeypatch: pytest.MonkeyPatch, cents: int) -> None:
    limit = HeldWinLimit(date(2009, 1, 1), cents, "a test", False)
    monkeypatch.setattr("feltworks.floor.house.held_win_limit", lambda day: limit)


@pytest.mark.rule("F-19")
def test_the_limit_is_dated_and_says_its_source_and_what_is_not_verified() -> None:
    limit = held_win_limit(date(2026, 1, 1))
    assert limit is not None and limit.cents == LIMIT
    assert held_win_limit(date(1999, 1, 1)) is None
    assert all(earlier.since < later.since for earlier, later in pairwise(held_win_limits()))
    assert limit.words.startswith("a payout over $3,000 for one wager is held until surveillance has verified it (")
    assert "not verified: " in limit.words


@pytest.mark.rule("F-19", "F-10", "F-16")
@pytest.mark.parametrize("game", TABLES)
def test_people_deal_rounds_in_which_every_win_is_held_and_the_record_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Two patrons and a player with an account win now and then; surveillance verifies some of it."""
    holding_over(monkeypatch, 0)
    pit = Pit(tmp_path / "records.db", TABLES[game], seed=3)
    surveillance = employed(pit.house, Role.SURVEILLANCE)
    verified = 0
    while len(pit.table.wins) < 4 or verified < 4:
        pit.play(1)
        for win in list(pit.table.wins)[4:]:
            pit.house.pending.verify_win(pit.settings.id, win, surveillance)
            verified += 1
    kinds = [booking.entry.kind for booking in pit.house.store.entries(pit.settings.id)]
    assert kinds.count(Kind.WIN_HELD) == verified + len(pit.table.wins) and kinds.count(Kind.WIN_RELEASED) == verified
    assert pit.house.journal.balance(str(held_account(pit.settings.id))) == sum(
        w.cents for w in pit.table.wins.values()
    )
    pit.check()
    again = House(pit.house.store, KEYS, lambda: pit.now + 5)
    assert again.pending.held_wins() == pit.house.pending.held_wins()
    assert again.live(pit.settings.id).table.pending == pit.table.pending


@pytest.mark.rule("F-19", "F-10")
def test_a_patron_who_leaves_while_a_win_is_held_gets_it_in_chips_and_nobody_who_sits_there_later_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holding_over(monkeypatch, 0)
    pit = Pit(tmp_path / "records.db", TABLES["yo"], seed=3)
    surveillance = employed(pit.house, Role.SURVEILLANCE)
    while not any(win.seat == 1 for win in pit.table.wins.values()):
        pit.play(1)
    win = next(win for win in pit.table.wins.values() if win.seat == 1)
    assert win.player == patron_at("yo", 1)
    while pit.table.round is None or not pit.table.betting or pit.table.has_wagers(1):
        pit.step() if pit.table.round is None or not pit.table.betting else pit.house.void(
            "yo", "so that the patron can leave", PROGRAM
        )
    pit.enter(cmd.PatronLeaves(1))
    assert pit.table.wins[win.id].player == "" and pit.table.wins[win.id].cents == win.cents
    pit.enter(cmd.SeatPatron(1, 5_000))
    before = pit.house.journal.balance(str(CIRCULATION))
    pit.house.pending.verify_win("yo", win.id, surveillance)
    assert pit.house.journal.balance(str(CIRCULATION)) == before + win.cents
    assert pit.house.journal.balance(str(account_of(patron_at("yo", 1)))) == 5_000
    pit.check()


def installed_elsewhere(*_: object) -> None:
    raise NotInstalled("Its rules are away.")


@pytest.mark.rule("F-17", "F-19")
def test_a_win_that_is_held_is_verified_though_the_rules_of_its_table_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holding_over(monkeypatch, 0)
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"], seed=3)
    surveillance = employed(pit.house, Role.SURVEILLANCE)
    while not any(win.seat == 2 for win in pit.table.wins.values()):
        pit.play(1)
    pit.step()
    wins = {win.id: (win.seat, win.spot, win.cents, win.at) for win in pit.table.wins.values()}
    with monkeypatch.context() as away:
        away.setattr("feltworks.floor.recovery.check_rules", installed_elsewhere)
        away.setattr("feltworks.floor.recovery.Recovery._from_snapshot", lambda *_: None)
        house = House(pit.house.store, KEYS, lambda: pit.now + 5)
    assert isinstance(house.state("money"), AbandonedTable)
    left = {win.id: win for table, win in house.pending.held_wins() if table == "money"}
    assert {id: (win.seat, win.spot, win.cents, win.at) for id, win in left.items()} == wins
    own = [win for win in left.values() if win.player == pit.player]
    assert {win.player for win in left.values()} <= {pit.player, ""}, "patrons leave a table that is closed for good"
    before = house.balance(pit.player)
    for win in left.values():
        house.pending.verify_win("money", win.id, surveillance)
    assert house.balance(pit.player) == before + sum(win.cents for win in own)
    with pytest.raises(Refused, match="it may have been verified already"):
        house.pending.verify_win("money", own[0].id, surveillance)
    assert house.pending.held_wins() == []
    report = verify(pit.path, KEYS.public)
    assert report.ok, report.problems


@pytest.mark.rule("F-13", "F-19")
def test_nobody_but_surveillance_verifies_a_win_and_surveillance_does_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holding_over(monkeypatch, 0)
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"], seed=3)
    while not pit.table.wins:
        pit.play(1)
    [id, *_] = pit.table.wins
    for role in set(Role) - {Role.SURVEILLANCE}:
        actor = by_person(pit.house.people.guest()[0]) if role is Role.PLAYER else employed(pit.house, role)
        with pytest.raises(Refused, match=r"^Verify win is not for an? [a-z]+ to do\.$"):
            pit.house.pending.verify_win("money", id, actor)
    with pytest.raises(Refused, match=r"^Verify win is not for the program to do\.$"):
        pit.house.pending.verify_win("money", id, PROGRAM)
    surveillance = employed(pit.house, Role.SURVEILLANCE)
    tried: list[Callable[[], object]] = [
        lambda: pit.house.pause("money", "for me", surveillance),
        lambda: pit.house.pit.report("money", cmd.Report("misdeal"), surveillance),
        lambda: pit.house.pending.decide_dispute("money", cmd.DecideDispute(1, "upheld", "Hoyle", "so"), surveillance),
    ]
    for attempt in tried:
        with pytest.raises(Refused, match="is not for a surveillance to do"):
            attempt()
    pit.house.pending.verify_win("money", id, surveillance)


@pytest.mark.rule("F-19", "F-20", "F-11")
@pytest.mark.parametrize("name", CORRECTED)
def test_a_correction_settles_what_is_held_anew_and_takes_back_nothing_that_was_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Entries are corrected all the time in rounds in which every win is held, and some are verified in between."""
    with_toys(monkeypatch)
    holding_over(monkeypatch, 0)
    pit = Entries(tmp_path / "records.db", CORRECTED[name], seed=5)
    surveillance, table = employed(pit.house, Role.SURVEILLANCE), pit.settings.id
    changed = 0
    for number in range(1_500):
        if changed and number >= 250:
            break
        pit.step()
        entries = [n for n, past in enumerate(pit.table.answers, 1) if past.entered]
        if entries and pit.table.wins and not pit.table.betting and pit.random.random() < 0.3:
            entry, before = pit.random.choice(entries), pit.table
            if (answer := other_answer(pit, entry)) is None:
                continue
            try:
                pit.house.pit.correct(table, cmd.Correct(entry, answer, "misread"), pit.supervisor)
            except Refused:
                assert pit.table is before
            else:
                changed += pit.table.wins != before.wins
        elif pit.table.wins and pit.random.random() < 0.1:
            pit.house.pending.verify_win(table, next(iter(pit.table.wins)), surveillance)
        in_account = pit.house.journal.balance(str(held_account(table)))
        assert in_account == sum(win.cents for win in pit.table.wins.values()) >= 0
    assert changed
    pit.check()


@pytest.mark.rule("F-19", "F-20")
def test_a_win_that_was_verified_is_not_corrected_but_disputed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holding_over(monkeypatch, 0)
    pit = Entries(tmp_path / "records.db", CORRECTED["one-for-the-money"], seed=5)
    surveillance = employed(pit.house, Role.SURVEILLANCE)
    while not pit.table.wins or pit.procedure.asked.kind != "end":
        pit.step()
    for win in list(pit.table.wins):
        pit.house.pending.verify_win("money", win, surveillance)
    before = pit.table
    turned = [n for n, past in enumerate(before.answers, 1) if past.entered and other_answer(pit, n) is not None]
    answer = other_answer(pit, turned[-1])
    assert answer is not None
    with pytest.raises(Refused, match="A win that would change was verified and paid; what was wrong is decided as a"):
        pit.house.pit.correct("money", cmd.Correct(turned[-1], answer, "misread"), pit.supervisor)
    assert pit.table is before


@pytest.mark.rule("F-15", "F-19")
def test_a_win_of_an_earlier_day_that_is_verified_today_gives_nobody_more_to_lose_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holding_over(monkeypatch, 0)
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"], seed=3)
    surveillance = employed(pit.house, Role.SURVEILLANCE)
    while sum(win.player == pit.player for win in pit.table.wins.values()) < 2:
        pit.play(1)
    early, late = [win for win in pit.table.wins.values() if win.player == pit.player][:2]
    pit.house.staff.set_limit(pit.player, LOSS, 50_000)

    def left_to_lose() -> int | None:
        who = pit.house.people.person(pit.player)
        assert who is not None
        return who.limits.left_to_lose(pit.house.balance(pit.player), pit.now)

    pit.play(1)
    left = left_to_lose()
    pit.house.pending.verify_win("money", early.id, surveillance)
    assert left_to_lose() == left, "it was won before this day began"
    pit.now += DAY
    pit.play(1)
    left, before = left_to_lose(), pit.house.balance(pit.player)
    pit.house.pending.verify_win("money", late.id, surveillance)
    assert (left_to_lose(), pit.house.balance(pit.player)) == (left, before + late.cents)
    while not (new := [win for win in pit.table.wins.values() if win.player == pit.player and win.at > late.at + DAY]):
        pit.play(1)
    left = left_to_lose()
    assert left is not None
    pit.house.pending.verify_win("money", new[0].id, surveillance)
    assert left_to_lose() == left + new[0].cents, "what was won today counts today"
    pit.check()


@pytest.mark.rule("F-13", "F-19")
def test_whoever_deals_at_a_table_verifies_no_win_there_and_decides_no_dispute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holding_over(monkeypatch, 0)
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"], seed=3)
    while not pit.table.wins:
        pit.play(1)
    pit.house.staff.give_roles(pit.dealer.id, ["dealer", "supervisor", "surveillance"], "a test", PROGRAM)
    tried: list[Callable[[], object]] = [
        lambda: pit.house.pending.verify_win("money", next(iter(pit.table.wins)), pit.dealer),
        lambda: pit.house.pending.decide_dispute("money", cmd.DecideDispute(1, "upheld", "Hoyle", "so"), pit.dealer),
    ]
    for attempt in tried:
        with pytest.raises(Refused, match=r"^You deal at this table; somebody else of the house has to do that\.$"):
            attempt()


@pytest.mark.rule("F-19", "F-20")
def test_of_several_equal_wins_the_last_ones_are_corrected_and_none_once_one_of_them_is_verified() -> None:
    """The same spot wins the same amount by three rolls of one round."""
    won = ev.Settled(1, "eleven", "Eleven", "15 to 1", "stays", 500, 7_500, 0, "Y-17", held=True)
    past = tuple(Past(ev.Answered(Closed(), (won,)), None) for _ in range(3))
    ids = ("13-1", "17-1", "22-1")
    wins = {id: HeldWin(id, 0, 1, "eleven", "Eleven", 7_500, "ann", 0) for id in ids}
    table = replace(Sitting(yo()).table, past=past)

    def left(gone: int, verified: str = "") -> list[str]:
        held = {id: win for id, win in wins.items() if id != verified}
        return [win.id for win in held_anew(replace(table, pending=Pending(held)), [won] * gone, [], 0)]

    assert [left(gone) for gone in range(4)] == [list(ids), ["13-1", "17-1"], ["13-1"], []]
    for verified in ids:
        with pytest.raises(Refused, match="A win that would change was verified and paid"):
            left(1, verified)
        assert left(0, verified) == [id for id in ids if id != verified]
