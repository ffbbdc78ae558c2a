"""Patrons without an account, at a table that people deal: the books and the records know the seat, and nobody who sits
there."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from feltworks.floor.accounts import CIRCULATION, Entry, Kind, account_of, is_patron, patron_at, player_of
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.people import PATRON_NAME
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, recorded
from feltworks.floor.table.settings import DUTIES, TableSettings
from feltworks.floor.verification.verify import verify
from feltworks.games import load
from feltworks.kit import steps
from feltworks.kit.chance import Shuffled
from feltworks.kit.game import Game
from feltworks.kit.standing import MAKERS_OWN
from tests.floor.employing import employed
from tests.floor.sitting import TODAY
from tests.floor.test_house import events_of
from tests.floor.world import KEYS
from tests.web.robots import between, money, under, yo

BY_HAND: dict[str, Any] = {"dealing": "people"}
TABLES = {
    "one-for-the-money": money(**BY_HAND),
    "in-between": between(**BY_HAND),
    "down-under-holdem": under(**BY_HAND, equipment={"card reader": MAKERS_OWN, "jackpot system": "a drawer"}),
    "yo": yo(**BY_HAND, equipment={"dice": MAKERS_OWN, "cup": MAKERS_OWN}),
}
CHIPS = 200_000


class Pit:
    """A house with one table that people deal: two patrons sit there, and somebody with an account between them."""

    def __init__(self, path: Path, settings: TableSettings, seed: int = 0) -> None:
        self.path, self.settings, self.random = path, settings, Random(seed)
        self.now = TODAY
        self.house = House(Store(path), KEYS, lambda: self.now)
        self.house.open_table(settings)
        self.dealer, self.supervisor = employed(self.house, Role.DEALER), employed(self.house, Role.SUPERVISOR)
        self.deal(cmd.SignOn())
        self.player, _ = self.house.people.guest()
        self.house.command(settings.id, self.player, cmd.Sit(2))
        for seat in (1, 3):
            self.enter(cmd.SeatPatron(seat, CHIPS))
        self.physical: Shuffled | None = None

    @property
    def table(self) -> Any:
        return self.house.live(self.settings.id).table

    def enter(self, command: cmd.PatronCommand, actor: Actor | None = None) -> None:
        self.now += 1
        self.house.pit.for_patron(self.settings.id, command, actor or self.dealer)

    def deal(self, command: cmd.DealerCommand | cmd.PersonalCommand, actor: Actor | None = None) -> None:
        self.now += 1
        self.house.pit.deal_by_hand(self.settings.id, command, actor or self.dealer)

    def chips(self, seat: int) -> int:
        return self.house.journal.balance(str(account_of(patron_at(self.settings.id, seat))))

    def bet(self, seats: tuple[int, ...] = (1, 2, 3)) -> None:
        for seat in seats:
            for spot, limits in self.settings.limits.items():
                try:
                    if seat == 2:
                        self.house.command(self.settings.id, self.player, cmd.Place(spot, limits.least))
                    else:
                        self.enter(cmd.PlaceFor(seat, spot, limits.least))
                except Refused:
                    continue

    def decide(self, seat: int) -> None:
        options = [option.name for option in self.table.step.options]
        for option in (self.random.choice(options), options[0]):
            try:
                if seat == 2:
                    self.house.command(self.settings.id, self.player, cmd.Choose(option))
                else:
                    self.enter(cmd.ChooseFor(seat, option))
            except Refused:
                continue
            return

    def start(self) -> None:
        if self.table.needs_shuffle or self.physical is None:
            self.physical = Shuffled(self.random, self.table.game.fresh())
        self.deal(cmd.StartRound(self.table.needs_shuffle))

    def step(self) -> bool:
        """The next thing that somebody does; whether a round is over with it."""
        table = self.table
        if table.round is None:
            self.start()
        elif table.round.over:
            self.deal(cmd.EndRound())
            return True
        elif table.betting:
            self.bet()
            self.deal(cmd.CloseBetting())
        elif table.to_act:
            self.decide(min(table.to_act))
        elif table.is_shoe_empty:
            self.deal(cmd.GoOn())
        elif isinstance(table.step, steps.Choose):
            assert isinstance(table.step.who, steps.Role)
            who = self.supervisor if table.step.who is steps.Role.SUPERVISOR else self.dealer
            self.deal(cmd.Enter(Decided(table.step.who.value, table.step.clock_choice.name)), who)
        else:
            assert self.physical is not None
            answer = self.physical.answer(table.step)
            turned = isinstance(table.step, steps.Turn) and table.step.to is not steps.ALL
            self.deal(cmd.Enter(recorded(steps.HIDDEN if turned else answer)))
            self.physical.happened(self.table.round.effects)
        return False

    def play(self, rounds: int) -> None:
        while rounds:
            rounds -= self.step()

    def check(self) -> None:
        """The books are in order, and everything verifies."""
        self.house.store.check_books()
        assert sum(self.house.store.balances().values()) == 0
        report = verify(self.path, KEYS.public)
        assert report.ok, report.problems

    def close(self) -> None:
        self.house.close()


@pytest.fixture
def pit(tmp_path: Path) -> Any:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    yield pit
    pit.close()


def test_whose_chips_an_account_holds_and_back_again() -> None:
    for player, account in (("ann", "player:ann"), (patron_at("money", 3), "seat:money/3")):
        assert str(account_of(player)) == account
        assert player_of(account_of(player)) == player
    assert is_patron("seat:money/3") and not is_patron("ann") and not is_patron("robot-1")


@pytest.mark.rule("F-10", "F-11")
@pytest.mark.parametrize("game", TABLES)
def test_patrons_play_whole_rounds_by_what_the_dealer_enters_and_their_chips_are_those_of_the_seat(
    game: str, tmp_path: Path
) -> None:
    pit = Pit(tmp_path / "records.db", TABLES[game])
    pit.play(4)
    pit.check()
    for seat in (1, 3):
        assert any(
            isinstance(event, ev.Answered) and getattr(event.answer, "seat", None) == seat
            for event in events_of(pit.house, pit.settings.id)
        )
    replayed(pit.path, pit.settings.id, 2, KEYS.public)
    pit.close()


@pytest.mark.rule("F-10", "F-11")
def test_chips_come_from_circulation_and_go_back_there(pit: Pit) -> None:
    assert pit.house.journal.balance(str(CIRCULATION)) == -2 * CHIPS
    pit.play(3)
    chips = pit.chips(1)
    pit.enter(cmd.PatronLeaves(1))
    assert pit.house.journal.balance(str(CIRCULATION)) == chips - 2 * CHIPS
    assert pit.chips(1) == 0 and 1 not in pit.table.seats
    *_, (_, commit) = pit.house.store.commits()
    assert commit.entries == ((Entry(Kind.CASH_OUT, account_of(patron_at("money", 1)), CIRCULATION, chips),),)
    pit.enter(cmd.SeatPatron(1, 500))
    assert pit.chips(1) == 500
    pit.check()


def test_a_patron_without_a_chip_left_leaves_with_nothing(pit: Pit) -> None:
    pit.enter(cmd.PatronLeaves(3))
    pit.enter(cmd.SeatPatron(3, 500))
    pit.start()
    pit.enter(cmd.PlaceFor(3, "ante", 500))
    assert pit.chips(3) == 0
    with pytest.raises(Refused, match=r"You have 0\.00"):
        pit.enter(cmd.PlaceFor(3, "three_card_bonus", 500))
    pit.enter(cmd.PatronLeaves(3))
    assert events_of(pit.house, "money")[-1] == ev.PatronLeft(3, 500)
    pit.check()


@pytest.mark.rule("F-07")
def test_a_patron_leaves_when_nothing_is_in_action_any_more(pit: Pit) -> None:
    pit.start()
    pit.bet()
    pit.deal(cmd.CloseBetting())
    with pytest.raises(Refused, match="Seat 1 has chips in action; they are played to the end"):
        pit.enter(cmd.PatronLeaves(1))
    pit.play(1)
    pit.enter(cmd.PatronLeaves(1))


@pytest.mark.rule("F-07")
def test_a_wager_that_the_dealer_has_entered_is_taken_up_again(pit: Pit) -> None:
    pit.start()
    pit.enter(cmd.PlaceFor(1, "ante", 500))
    pit.enter(cmd.TakeUpFor(1, "ante"))
    assert pit.chips(1) == CHIPS
    with pytest.raises(Refused):
        pit.enter(cmd.TakeUpFor(1, "ante"))


@pytest.mark.rule("F-07", "F-13")
def test_what_cannot_be_entered_for_a_patron_is_refused_in_words(pit: Pit) -> None:
    pit.start()
    before = pit.house.store.last_commit()
    refused: list[tuple[cmd.PatronCommand, str]] = [
        (cmd.SeatPatron(1, 500), "Seat 1 is taken; choose a free one"),
        (cmd.SeatPatron(9, 500), "There is no seat 9; the seats are 1 to"),
        (cmd.SeatPatron(4, 0), "brings whole chips of .*, up to 1,000,000.00 in all"),
        (cmd.SeatPatron(4, 10**10), "brings whole chips of .*, up to 1,000,000.00 in all"),
        (cmd.PatronLeaves(4), "No patron without an account sits at seat 4"),
        (cmd.PlaceFor(2, "ante", 500), "No patron without an account sits at seat 2; players act for themselves"),
        (cmd.ChooseFor(2, "check"), "players act for themselves"),
        (cmd.TakeUpFor(2, "ante"), "players act for themselves"),
        (cmd.ChooseFor(1, "check"), "not your turn"),
        (cmd.PlaceFor(1, "ante", 3), "takes at least|whole chips"),
        (cmd.PlaceFor(1, "ante", CHIPS + 100), "takes at most"),
        (cmd.PlaceFor(1, "elsewhere", 500), "no spot|elsewhere"),
    ]
    for command, said in refused:
        with pytest.raises(Refused, match=said):
            pit.enter(command)
    assert pit.house.store.last_commit() == before


@pytest.mark.rule("F-13")
def test_only_the_dealer_or_a_supervisor_seats_a_patron_and_nobody_who_sits_there(pit: Pit) -> None:
    for actor in (PROGRAM, by_person(pit.player), employed(pit.house, Role.CASHIER)):
        with pytest.raises(Refused, match="not for"):
            pit.enter(cmd.SeatPatron(4, 500), actor)
    pit.enter(cmd.SeatPatron(4, 500), pit.supervisor)


def test_at_a_table_that_the_program_deals_no_patron_sits_without_an_account(tmp_path: Path) -> None:
    house = House(Store(tmp_path / "records.db"), KEYS, lambda: TODAY)
    house.open_table(money())
    with pytest.raises(Refused, match="patrons without an account sit where people deal"):
        house.pit.for_patron("money", cmd.SeatPatron(1, 500), employed(house, Role.DEALER))
    house.close()


@pytest.mark.rule("F-10", "F-14", "D-05")
def test_where_a_seat_looks_at_cards_of_the_program_alone_no_patron_sits_without_a_screen(tmp_path: Path) -> None:
    settings = under(duties=dict.fromkeys(DUTIES, "person"), source="program")
    with pytest.raises(Refused, match="whoever sits here needs a screen"):
        Pit(tmp_path / "under.db", settings)
    Pit(tmp_path / "money.db", money(duties=dict.fromkeys(DUTIES, "person"), source="program"))


@pytest.mark.rule("F-30")
def test_no_clock_decides_for_a_patron_and_no_seat_of_one_is_freed_for_waiting(pit: Pit) -> None:
    pit.start()
    pit.bet((1, 3))
    pit.deal(cmd.CloseBetting())
    while not pit.table.to_act:
        pit.step()
    assert pit.table.deadline is None
    pit.now += 10**9
    due = pit.house.due("money")
    assert due is None or due.doing == "free seats"
    pit.play(1)
    for _ in range(10):
        pit.start()
        pit.bet((2,))
        pit.deal(cmd.CloseBetting())
        pit.play(1)
        while (due := pit.house.due("money")) is not None and due.doing == "free seats":
            pit.house.deal_on("money", "free seats")
    assert {1, 3} <= set(pit.table.seats)


@pytest.mark.rule("F-17")
def test_a_void_returns_the_wagers_of_a_patron_to_the_seat(pit: Pit) -> None:
    pit.start()
    pit.bet()
    pit.deal(cmd.CloseBetting())
    pit.house.void("money", "The lights went out.", PROGRAM)
    assert pit.chips(1) == pit.chips(3) == CHIPS
    pit.check()


@pytest.mark.rule("F-10", "F-17")
@pytest.mark.parametrize("in_action", [False, True])
def test_a_table_that_closes_gives_patrons_all_their_chips(pit: Pit, in_action: bool) -> None:
    pit.start()
    pit.bet()
    pit.house.close_table("money", "it is late", PROGRAM)
    if in_action:
        pit.deal(cmd.CloseBetting())
    while pit.table.service != "closed":
        if pit.table.betting:
            for seat in (1, 3):
                for spot in ("three_card_bonus", "ante"):
                    pit.enter(cmd.TakeUpFor(seat, spot))
            pit.house.command("money", pit.player, cmd.Leave())
        else:
            pit.step()
    assert pit.chips(1) == pit.chips(3) == 0
    left = [event for event in events_of(pit.house, "money") if isinstance(event, ev.PatronLeft)]
    assert [event.seat for event in left] == [1, 3]
    assert pit.house.journal.balance(str(CIRCULATION)) == sum(event.chips for event in left) - 2 * CHIPS
    pit.check()


@pytest.mark.rule("F-10", "F-17")
def test_a_table_whose_rules_are_not_installed_gives_patrons_all_their_chips(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    pit.play(2)
    pit.start()
    pit.bet()
    pit.deal(cmd.CloseBetting())
    pit.step()
    has = pit.chips(1) + sum(int(cents) for (seat, _), cents in pit.table.wagers.items() if seat == 1)
    pit.close()
    with monkeypatch.context() as patch:
        patch.setattr("feltworks.floor.table.settings.load", changed)
        with Store(pit.path) as store:
            again = House(store, KEYS, lambda: pit.now)
            assert "money" in again.closed
            assert again.journal.balance("seat:money/1") == again.journal.balance("seat:money/3") == 0
            store.check_books()
            left = [event for event in events_of(again, "money") if isinstance(event, ev.PatronLeft)]
            assert [event.seat for event in left] == [1, 3] and left[0].chips == has
        report = verify(pit.path, KEYS.public)
        assert report.ok, report.problems
    report = verify(pit.path, KEYS.public)  # installed again
    assert report.ok, report.problems
    pit.house = House(Store(pit.path), KEYS, lambda: pit.now)


def changed(name: str) -> Game:
    """The same game by another definition."""
    game = load(name)
    return game.configured(decks=2 if game.definition.pack and game.definition.pack.decks == 1 else 1)


@pytest.mark.rule("F-17")
def test_a_house_that_starts_again_knows_its_patrons_and_their_chips(pit: Pit) -> None:
    pit.play(1)
    pit.start()
    pit.bet()
    table, chips = pit.table, pit.chips(1)
    pit.close()
    pit.house = House(Store(pit.path), KEYS, lambda: pit.now)
    assert (pit.table, pit.chips(1)) == (table, chips)
    pit.deal(cmd.CloseBetting())
    pit.play(1)
    pit.check()


def test_a_patron_is_called_a_patron_everywhere(pit: Pit) -> None:
    patron = pit.table.seats[1].player
    assert {pit.house.people.name(patron), pit.house.people.known_name(patron)} == {PATRON_NAME}
    assert pit.house.people.name_in(pit.house.store, patron) == PATRON_NAME


@pytest.mark.rule("F-10")
def test_the_records_of_a_patron_name_the_seat_and_who_entered_it(pit: Pit) -> None:
    pit.start()
    pit.enter(cmd.PlaceFor(1, "ante", 500), pit.supervisor)
    *_, record = pit.house.store.read("money")
    assert record.actor == str(pit.supervisor)
    (booking,) = pit.house.store.entries("money", record.sequence)
    assert str(booking.entry.payer) == "seat:money/1"
