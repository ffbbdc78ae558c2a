"""What needs two people: proposed by one, signed by another, withdrawn, or lapsed; it survives a restart (F-13)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.accounts import Kind
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import MOST_WAITING, ActionSigned, Book, Lapsed, Proposed, Withdrawn
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.live_tables import Change
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.staff import TIME_TO_SIGN
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.verification import verify as verifying
from feltworks.floor.verification.verify import verify
from tests.floor.employing import employed
from tests.floor.sitting import in_between, one_for_the_money
from tests.floor.test_house import Clock

KEYS = Keys(bytes(32), bytes(range(32)))
VOID = cmd.VoidRound("a card was seen")


class Pit:
    """A house with a player whose wager lies on the table, a supervisor and a manager."""

    def __init__(self, path: Path) -> None:
        self.clock = Clock()
        self.house = House(Store(path), KEYS, self.clock)
        self.house.open_table(one_for_the_money())
        self.sue, self.max = employed(self.house, Role.SUPERVISOR), employed(self.house, Role.MANAGER)
        self.player, _ = self.house.people.guest()
        self.house.command("money", self.player, cmd.Sit(1))
        self.house.deal_on("money", "start round")
        self.house.command("money", self.player, cmd.Place("ante", 500))

    @property
    def waiting(self) -> list[str]:
        return list(self.house.administration.waiting)

    def restart(self) -> None:
        path = self.house.store.path
        self.house.close()
        self.house = House(Store(path), KEYS, self.clock)

    def propose(self, actor: Actor | None = None) -> str:
        return self.house.staff.propose("money", VOID, actor or self.sue)

    def last(self, stream: str) -> object:
        *_, record = self.house.store.read(stream)
        return decode_event(stream, record.event)


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    pit = Pit(tmp_path / "records.db")
    yield pit
    pit.house.store.close()


@pytest.mark.rule("F-13", "F-17")
def test_a_void_is_proposed_by_a_supervisor_and_signed_by_a_manager_and_only_then_happens(pit: Pit) -> None:
    told: list[tuple[str, Change]] = []
    pit.house.listeners.append(lambda table, change: told.append((table, change)))
    action = pit.propose()
    assert pit.house.balance(pit.player) == GRANT - 500
    assert told == []
    pit.house.staff.sign(action, pit.max)
    assert pit.house.balance(pit.player) == GRANT
    assert isinstance(pit.last("money"), ev.Voided)
    assert pit.last(HOUSE_STREAM) == ActionSigned(action, pit.sue.id, pit.max.id)
    assert [(table, [record.stream for record in change.records]) for table, change in told] == [("money", ["money"])]
    *_, (_, commit) = pit.house.store.commits()
    assert [record.stream for record in commit.records] == [HOUSE_STREAM, "money"]
    assert pit.waiting == []
    assert verify(pit.house.store.path, KEYS.public).ok


@pytest.mark.rule("F-13", "F-21")
def test_a_void_of_a_round_whose_cards_are_dealt_is_proposed_and_opens_what_was_turned(pit: Pit) -> None:
    pit.house.command("money", pit.player, cmd.Ready())
    while not pit.house.live("money").table.to_act and (due := pit.house.due("money")):
        pit.house.deal_on("money", due.doing)
    pit.house.staff.sign(pit.propose(), pit.max)
    voided = pit.last("money")
    assert isinstance(voided, ev.Voided) and voided.openings
    assert verify(pit.house.store.path, KEYS.public).ok


@pytest.mark.rule("F-13")
def test_the_manager_may_be_the_first_and_the_supervisor_the_second(pit: Pit) -> None:
    pit.house.staff.sign(pit.propose(pit.max), pit.sue)
    assert isinstance(pit.last("money"), ev.Voided)


@pytest.mark.rule("F-13")
def test_nobody_signs_twice_however_many_roles_they_have(pit: Pit) -> None:
    both = employed(pit.house, Role.SUPERVISOR, Role.MANAGER)
    action = pit.propose(both)
    with pytest.raises(Refused, match="You have signed it already; the second signature is another person's"):
        pit.house.staff.sign(action, both)
    assert pit.waiting == [action]


@pytest.mark.rule("F-13")
def test_the_second_signature_is_of_a_role_that_may(pit: Pit) -> None:
    action = pit.propose()
    another = employed(pit.house, Role.SUPERVISOR)
    with pytest.raises(Refused, match="The second signature is that of a manager"):
        pit.house.staff.sign(action, another)
    for role in (Role.AUDITOR, Role.SECURITY, Role.CASHIER, Role.DEALER, Role.SURVEILLANCE):
        who = employed(pit.house, role)
        with pytest.raises(Refused, match=r"second signature|Sign is not for"):
            pit.house.staff.sign(action, who)
        with pytest.raises(Refused, match=rf"(Void round|Propose) is not for an? {role.value} to "):
            pit.propose(who)
    assert pit.waiting == [action]


@pytest.mark.rule("F-13")
def test_a_table_that_the_program_deals_has_no_dealer_who_signs(pit: Pit) -> None:
    both = employed(pit.house, Role.DEALER, Role.SUPERVISOR)
    with pytest.raises(Refused, match="Void round is not for a dealer to propose"):
        pit.propose(employed(pit.house, Role.DEALER))
    action = pit.propose(both)
    with pytest.raises(Refused, match=r"The second signature is that of a manager\."):
        pit.house.staff.sign(action, pit.sue)
    pit.house.staff.sign(action, pit.max)


@pytest.mark.rule("F-13")
def test_an_auditor_and_surveillance_sign_nothing_propose_nothing_and_withdraw_nothing(pit: Pit) -> None:
    action = pit.propose()
    for role in (Role.AUDITOR, Role.SURVEILLANCE):
        pit.house.staff.give_roles(pit.sue.id, [role.value], "another post", PROGRAM)
        with pytest.raises(Refused, match=f"Withdraw is not for an? {role.value} to do"):
            pit.house.staff.withdraw(action, "a mistake", pit.sue)
        with pytest.raises(Refused, match=f"Sign is not for an? {role.value} to do"):
            pit.house.staff.sign(action, pit.sue)
        with pytest.raises(Refused, match=f"Propose is not for an? {role.value} to do"):
            pit.propose(pit.sue)


@pytest.mark.rule("F-13")
def test_what_was_proposed_waits_through_a_restart(pit: Pit) -> None:
    action = pit.propose()
    pit.restart()
    assert pit.waiting == [action]
    pit.house.staff.sign(action, pit.max)
    assert pit.house.balance(pit.player) == GRANT
    pit.restart()
    assert pit.waiting == []


@pytest.mark.rule("F-13")
def test_what_was_withdrawn_is_signed_by_nobody(pit: Pit) -> None:
    action = pit.propose()
    stranger = employed(pit.house, Role.SUPERVISOR)
    with pytest.raises(Refused, match="Only whoever proposed it, or a manager, withdraws it"):
        pit.house.staff.withdraw(action, "no", stranger)
    with pytest.raises(Refused, match="Give the reason"):
        pit.house.staff.withdraw(action, " ", pit.sue)
    pit.house.staff.withdraw(action, "the card was not seen", pit.sue)
    assert pit.last(HOUSE_STREAM) == Withdrawn(action, "the card was not seen")
    with pytest.raises(Refused, match="does not wait any more: it was signed, withdrawn, or nobody signed in time"):
        pit.house.staff.sign(action, pit.max)
    with pytest.raises(Refused, match="does not wait any more"):
        pit.house.staff.withdraw(action, "again", pit.sue)
    other = pit.propose()
    pit.house.staff.withdraw(other, "not on my floor", pit.max)
    assert pit.waiting == []


@pytest.mark.rule("F-13")
def test_what_nobody_signs_in_time_lapses(pit: Pit) -> None:
    action = pit.propose()
    pit.clock.now += TIME_TO_SIGN
    with pytest.raises(Refused, match="The time to sign it is over; propose it again"):
        pit.house.staff.sign(action, pit.max)
    assert pit.waiting == [action]
    pit.house.check_clock()
    assert pit.waiting == []
    lapsed = [decode_event(HOUSE_STREAM, record.event) for record in pit.house.store.read(HOUSE_STREAM)]
    assert Lapsed(action) in lapsed
    assert verify(pit.house.store.path, KEYS.public).ok


@pytest.mark.rule("F-13")
def test_a_signature_of_somebody_whose_role_was_taken_away_counts_no_more(pit: Pit) -> None:
    action = pit.propose()
    pit.house.staff.give_roles(pit.sue.id, ["dealer"], "back to the table", pit.max)
    with pytest.raises(Refused, match="Whoever proposed it may not any more; withdraw it and propose it again"):
        pit.house.staff.sign(action, pit.max)
    pit.house.staff.give_roles(pit.sue.id, [], "gone", pit.max)
    with pytest.raises(Refused, match="may not any more"):
        pit.house.staff.sign(action, pit.max)
    assert pit.house.balance(pit.player) == GRANT - 500


@pytest.mark.rule("F-13")
def test_what_cannot_be_done_is_neither_proposed_nor_done_by_the_second_signature(pit: Pit) -> None:
    action = pit.propose()
    pit.house.void("money", "the lights went out")
    with pytest.raises(Refused, match="No round is being played"):
        pit.house.staff.sign(action, pit.max)
    assert pit.waiting == [action]
    with pytest.raises(Refused, match="No round is being played"):
        pit.propose()


@pytest.mark.rule("F-13")
def test_money_outside_the_tables_is_moved_by_a_manager_with_a_cashier(pit: Pit) -> None:
    cashier = employed(pit.house, Role.CASHIER)
    book = Book("correction", "house", f"player:{pit.player}", 700, "paid too little")
    with pytest.raises(Refused, match="This needs two signatures, yours and that of a cashier; propose it"):
        pit.house.book(book, pit.max)
    pit.house.staff.sign(pit.house.staff.propose(HOUSE_STREAM, book, pit.max), cashier)
    assert pit.house.balance(pit.player) == GRANT + 200
    pit.restart()
    assert pit.house.balance(pit.player) == GRANT + 200
    assert verify(pit.house.store.path, KEYS.public).ok


@pytest.mark.rule("F-10", "F-13")
@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_people_book_only_what_does_not_come_about_by_itself(pit: Pit, kind: str) -> None:
    """The others belong to a round, a slip, a meter or a verified win, and are in no list that somebody could widen."""
    by_hand = {"buy-in", "cash-out", "play-money grant", "forfeiture", "correction"}
    cashier = employed(pit.house, Role.CASHIER)
    before = pit.house.store.last_commit()
    book = Book(kind, "house", f"player:{pit.player}", 700, "a test")
    if kind in by_hand:
        pit.house.staff.sign(pit.house.staff.propose(HOUSE_STREAM, book, cashier), pit.max)
        assert pit.house.balance(pit.player) == GRANT + 200
        return
    said = (
        rf"Nobody books a {kind} by hand, .*; choose one of buy-in, cash-out, play-money grant, forfeiture, correction"
    )
    for actor in (cashier, pit.max):
        with pytest.raises(Refused, match=said):
            pit.house.staff.propose(HOUSE_STREAM, book, actor)
    assert pit.house.store.last_commit() == before
    assert pit.house.balance(pit.player) == GRANT - 500


@pytest.mark.rule("F-10", "F-13")
def test_only_a_correction_by_hand_changes_the_tray_of_a_table(pit: Pit) -> None:
    """Buy-ins for cash are made at the table, and chips come and go by fill and credit."""
    cashier = employed(pit.house, Role.CASHIER)
    for kind in ("buy-in", "cash-out", "play-money grant", "forfeiture"):
        for payer, payee in (("house", "table:money"), ("table:money", "cage chips")):
            with pytest.raises(Refused, match=f"No {kind} by hand goes into or out of the tray of a table"):
                pit.house.staff.propose(HOUSE_STREAM, Book(kind, payer, payee, 700, "a test"), cashier)
    book = Book("correction", "house", "table:money", 700, "chips that were miscounted")
    pit.house.staff.sign(pit.house.staff.propose(HOUSE_STREAM, book, pit.max), cashier)


@pytest.mark.rule("F-10", "F-13")
@pytest.mark.parametrize("account", ["seat:nowhere/1", "seat:money", "seat:money/", "seat:money/one", "seat:money/1/2"])
def test_no_money_is_moved_to_a_seat_of_no_table(pit: Pit, account: str) -> None:
    with pytest.raises(Refused, match="There is no account 'seat:"):
        pit.house.staff.propose(HOUSE_STREAM, Book("correction", "house", account, 700, "a test"), pit.max)


def test_no_more_waits_than_somebody_can_look_through(pit: Pit) -> None:
    for _ in range(MOST_WAITING):
        pit.propose()
    with pytest.raises(Refused, match="Too much waits for a second signature"):
        pit.propose()


def test_an_action_of_a_name_that_waits_is_not_proposed_again(pit: Pit) -> None:
    action = pit.propose()
    proposed = pit.last(HOUSE_STREAM)
    assert isinstance(proposed, Proposed)
    assert (proposed.by, proposed.stream, proposed.command) == (pit.sue.id, "money", cmd.VoidRound(VOID.reason, 1))
    from feltworks.floor.administration import Propose

    with pytest.raises(Refused, match="That waits already"):
        pit.house.carry_out(HOUSE_STREAM, Propose(action, "money", VOID, 10**15), pit.sue)
    with pytest.raises(Refused, match="There must be some time to sign it"):
        pit.house.carry_out(HOUSE_STREAM, Propose("other", "money", VOID, 0), pit.sue)


@pytest.mark.rule("F-13", "F-16")
def test_records_with_signatures_verify_in_shares_too(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each share of the tables is checked by a process of its own, which must know the people all the same."""
    pit.house.staff.sign(pit.propose(), pit.max)
    pit.house.pause("money", "a test", pit.sue)
    pit.house.resume("money", pit.max)
    pit.house.staff.give_roles(pit.sue.id, ["dealer"], "a test", pit.max)
    pit.house.close()
    monkeypatch.setattr(verifying, "SMALL", 0)
    monkeypatch.setattr(verifying, "processors", lambda: 2)
    report = verify(pit.house.store.path, KEYS.public)
    assert report.ok, report.problems


@pytest.mark.rule("F-13", "F-16")
def test_entries_for_tables_verify_in_shares_too(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever checks the house must know that the table is there, which somebody else replays."""
    cashier = employed(pit.house, Role.CASHIER)
    pit.house.open_table(in_between())
    for payer, payee in (("house", "table:money"), ("table:money", "table:between")):
        found = Book("correction", payer, payee, 5_000, "chips that were miscounted")
        pit.house.staff.sign(pit.house.staff.propose(HOUSE_STREAM, found, pit.max), cashier)
    pit.house.close()
    monkeypatch.setattr(verifying, "SMALL", 0)
    monkeypatch.setattr(verifying, "processors", lambda: 2)
    report = verify(pit.house.store.path, KEYS.public)
    assert report.ok, report.problems


@pytest.mark.rule("F-13")
def test_nobody_proposes_or_signs_the_void_of_a_round_in_which_they_play(pit: Pit) -> None:
    """A player with a wager on the table who is given a role has the seat until the round is over."""
    pit.house.staff.give_roles(pit.player, ["supervisor"], "a test", pit.max)
    player = by_person(pit.player)
    with pytest.raises(Refused, match="You sit at this table; somebody else of the house has to do that"):
        pit.propose(player)
    action = pit.propose(pit.max)
    with pytest.raises(Refused, match="You sit at this table"):
        pit.house.staff.sign(action, player)
    assert pit.house.balance(pit.player) == GRANT - 500
    pit.house.staff.sign(action, pit.sue)
    assert pit.house.balance(pit.player) == GRANT


@pytest.mark.rule("F-13")
def test_nobody_proposes_or_signs_an_entry_of_their_own_money(pit: Pit) -> None:
    pit.house.staff.give_roles(pit.player, ["cashier"], "a test", pit.max)
    player, own = by_person(pit.player), f"player:{pit.player}"
    for book in (Book("correction", "house", own, 700, "a gift"), Book("cash-out", own, "house", 700, "a debt")):
        with pytest.raises(Refused, match="That moves your own money; somebody else of the house has to do that"):
            pit.house.staff.propose(HOUSE_STREAM, book, player)
        action = pit.house.staff.propose(HOUSE_STREAM, book, pit.max)
        with pytest.raises(Refused, match="That moves your own money"):
            pit.house.staff.sign(action, player)
    assert pit.house.balance(pit.player) == GRANT - 500


@pytest.mark.rule("F-13", "F-17")
def test_a_void_that_names_no_round_is_of_the_one_that_was_played_when_it_was_proposed(pit: Pit) -> None:
    action = pit.propose()
    pit.house.void("money", "the lights went out")
    pit.house.deal_on("money", "start round")
    pit.house.command("money", pit.player, cmd.Place("ante", 700))
    with pytest.raises(Refused, match="Round 1 is over; what is settled stands"):
        pit.house.staff.sign(action, pit.max)
    assert pit.house.balance(pit.player) == GRANT - 700


def test_the_program_signs_nothing(pit: Pit) -> None:
    action = pit.propose()
    with pytest.raises(Refused, match="Sign is not for the program to do"):
        pit.house.staff.sign(action, PROGRAM)
