"""A table that people deal with cards, dice and machines of their own: they enter what these show (F-20), and the
program deals nothing there. Its equipment is recorded piece by piece (F-01, D-22)."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from feltworks.floor.actors import DEALER, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.excerpt.verify import verify_excerpt
from feltworks.floor.excerpt.write import write_excerpt
from feltworks.floor.house import House
from feltworks.floor.past_round import moments, own_cards
from feltworks.floor.people import GRANT
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import Answer, Decided, Hidden, Placed, Turned, recorded
from feltworks.floor.table.settings import TableSettings, standing
from feltworks.floor.table.settings_check import examined
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from feltworks.kit.chance import Shuffled
from feltworks.kit.errors import NotPossible
from feltworks.kit.standing import MAKERS_OWN
from feltworks.web import views
from tests.floor.employing import employed
from tests.floor.sitting import TODAY, fulfilled
from tests.floor.world import KEYS
from tests.web.robots import between, money, under, yo

BY_HAND: dict[str, Any] = {"dealing": "people"}
READER = {"card reader": MAKERS_OWN, "jackpot system": "a drawer with a key"}
DICE = {"dice": MAKERS_OWN, "cup": MAKERS_OWN}
TABLES = {
    "one-for-the-money": money(**BY_HAND),
    "in-between": between(**BY_HAND),
    "blackjack from one deck": between(**BY_HAND, id="one", decks=1, seats=2, penetration=100),
    "down-under-holdem": under(**BY_HAND, equipment=READER),
    "yo": yo(**BY_HAND, equipment=DICE),
}


class Pit:
    """A house with one table that Dan deals from real cards and dice, and two players who stake on everything."""

    def __init__(self, path: Path, settings: TableSettings, seed: int = 0) -> None:
        self.path, self.settings, self.random = path, settings, Random(seed)
        self.now = TODAY
        self.house = House(Store(path), KEYS, lambda: self.now)
        self.house.open_table(settings)
        self.dealer, self.supervisor = employed(self.house, Role.DEALER), employed(self.house, Role.SUPERVISOR)
        self.sign_on()
        self.players = [self.house.people.guest()[0] for _ in range(2)]
        for seat, player in enumerate(self.players, 1):
            self.house.exclusions.give_details(player, "Ada Quill", "1980-12-31", f"WDL{seat}23456", by_person(player))
            self.house.command(settings.id, player, cmd.Sit(seat))
        self.physical: Shuffled | None = None
        self.hidden: list[str] = []

    @property
    def table(self) -> Any:
        return self.house.live(self.settings.id).table

    def sign_on(self, dealer: Actor | None = None) -> None:
        self.house.pit.deal_by_hand(self.settings.id, cmd.SignOn(), dealer or self.dealer)

    def dan(self, command: cmd.DealerCommand | cmd.PersonalCommand, actor: Actor | None = None) -> None:
        """What Dan does; before that the program has nothing to do but look at players' clocks."""
        due = self.house.due(self.settings.id)
        assert due is None or (due.doing == "clock" and self.table.to_act)
        self.now += 1
        self.house.pit.deal_by_hand(self.settings.id, command, actor or self.dealer)

    def play(self, rounds: int) -> None:
        while rounds:
            rounds -= self.step()

    def step(self) -> bool:
        """The next thing that somebody does; whether a round is over with it."""
        table = self.table
        if table.round is None:
            self.start()
        elif table.round.over:
            self.dan(cmd.EndRound())
            return True
        elif table.betting:
            self.bet()
            self.dan(cmd.CloseBetting())
        elif table.to_act:
            self.decide(min(table.to_act))
        elif table.is_shoe_empty:
            self.dan(cmd.GoOn())
        else:
            self.enter()
        return False

    def start(self) -> None:
        shuffle = self.table.needs_shuffle
        if shuffle or self.physical is None:
            self.physical = Shuffled(self.random, self.table.game.fresh())
        self.dan(cmd.StartRound(shuffle))

    def bet(self) -> None:
        for player in self.players:
            for spot, limits in self.settings.limits.items():
                try:
                    self.house.command(self.settings.id, player, cmd.Place(spot, limits.least))
                except Refused:
                    continue

    def decide(self, seat: int) -> None:
        options = [option.name for option in self.table.step.options]
        try:
            self.house.command(self.settings.id, self.players[seat - 1], cmd.Choose(self.random.choice(options)))
        except Refused:
            self.house.command(self.settings.id, self.players[seat - 1], cmd.Choose(options[0]))

    def enter(self) -> None:
        step = self.table.step
        if isinstance(step, steps.Choose):
            assert isinstance(step.who, steps.Role)
            who = self.supervisor if step.who is steps.Role.SUPERVISOR else self.dealer
            self.dan(cmd.Enter(Decided(step.who.value, step.clock_choice.name)), who)
            return
        assert self.physical is not None
        answer = recorded(self.physical.answer(step))
        if isinstance(step, steps.Turn) and step.to is not steps.ALL:
            assert isinstance(answer, Turned)
            self.hidden.append(answer.card)
            answer = Hidden()
        self.dan(cmd.Enter(answer))
        self.physical.happened(self.table.round.effects)


@pytest.mark.rule("F-03", "F-20", "F-27")
@pytest.mark.parametrize("name", [name for name in TABLES if "one deck" not in name])
def test_people_deal_whole_rounds_of_every_game_and_the_record_verifies(name: str, tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES[name])
    pit.play(rounds=4)
    stopped = pit.random.randrange(3, 12)
    for _ in range(stopped):
        pit.step()
    house, table = pit.house, pit.table
    house.store.check_books()
    assert table.round_number >= 4 and table.root is None and not table.positions
    events = [record.event for record in house.store.read(pit.settings.id)]
    assert not any(b'"root"' in event or b'"openings"' in event for event in events)
    lying = house.journal.balance(f"table:{pit.settings.id}")
    assert lying and sum(map(house.balance, pit.players)) + lying == 2 * GRANT
    house.close()
    report = verify(pit.path, KEYS.public)
    assert report.ok, report.problems
    with Store(pit.path) as store:
        assert House(store, KEYS, lambda: pit.now).live(pit.settings.id).table == table
    assert replayed(pit.path, pit.settings.id, 2, KEYS.public).unfinished == ""


@pytest.mark.rule("F-16", "F-20", "F-21")
@pytest.mark.parametrize("name", ["one-for-the-money", "yo"])
def test_an_excerpt_of_rounds_with_physical_cards_or_dice_verifies_for_nobody_committed_to_those(
    name: str, tmp_path: Path
) -> None:
    pit = Pit(tmp_path / "records.db", TABLES[name])
    began = pit.now
    pit.play(rounds=2)
    middle = pit.now
    pit.play(rounds=2)
    pit.house.close()
    for number, (since, until) in enumerate(((began, pit.now + 1), (middle, pit.now + 1))):
        to = tmp_path / f"excerpt {number}"
        write_excerpt(pit.path, to, since, until, KEYS.public)
        report = verify_excerpt(to, KEYS.public)
        assert report.problems == [] and (report.rounds >= 2 or number)


@pytest.mark.rule("F-14", "F-18", "F-20")
def test_a_card_that_one_seat_alone_sees_stands_in_no_record_and_the_house_does_not_know_it(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["down-under-holdem"])
    while not pit.hidden or pit.table.betting or not pit.table.to_act:
        pit.step()
    seat = min(pit.table.to_act)
    assert pit.house.private_cards("under", seat) == {}
    seen = views.view(pit.table, pit.players[0], pit.house.people.name, 0, pit.house.private_cards("under", 1))
    assert all(card.card is None for told in seen.seats for card in told.cards)
    pit.play(rounds=1)
    (played,) = pit.house.store.rounds("under", limit=1)
    taken = moments(pit.house, pit.house.store, played)
    assert own_cards(pit.house, pit.house.store, taken, 1) == []
    while not isinstance(pit.table.step, steps.Turn) or pit.table.step.to is steps.ALL:
        pit.step()
    with pytest.raises(Refused, match="turned to one seat alone"):
        pit.dan(cmd.Enter(Turned("Ah")))


@pytest.mark.rule("F-20", "F-23")
def test_a_card_that_is_not_in_the_shoe_is_refused_and_asked_for_again(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", money(**BY_HAND, decks=1))
    shown: list[str] = []
    while not shown:
        pit.step()
        shown = [face.card.text for face in pit.table.round.cards.values() if face.card] if pit.table.round else []
    while not isinstance(pit.table.step, steps.Turn):
        pit.step()
    before = pit.table
    with pytest.raises(NotPossible):
        pit.dan(cmd.Enter(Turned(shown[0])))
    assert pit.table is before
    pit.play(rounds=1)


COMMANDS: list[cmd.DealerCommand] = [
    cmd.StartRound(True),
    cmd.GoOn(),
    cmd.Enter(Turned("Ah")),
    cmd.CloseBetting(),
    cmd.EndRound(),
]


@pytest.mark.rule("F-20")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: type(c).__name__)
def test_a_table_is_dealt_by_the_program_or_by_people_and_never_by_both(
    command: cmd.DealerCommand, tmp_path: Path
) -> None:
    with Store(tmp_path / "records.db") as store:
        house = House(store, KEYS, lambda: TODAY)
        house.open_table(money())
        house.open_table(money(**BY_HAND, id="hand"))
        for table in ("money", "hand"):
            house.command(table, house.people.guest()[0], cmd.Sit(1))
        with pytest.raises(Refused, match="The program deals at this table"):
            house.pit.deal_by_hand("money", command, employed(house, Role.DEALER))
        with pytest.raises(Refused, match="People deal at this table"):
            house.pit.deal_by_hand("hand", command, DEALER)
        assert house.due("hand") is None and house.due("money") is not None


@pytest.mark.rule("F-06", "F-07", "F-20")
@pytest.mark.parametrize("answer", [Placed(1, "ante", 10**9), Decided(1, "raise")], ids=["a wager", "a decision"])
def test_nobody_enters_what_belongs_to_a_player(answer: Answer, tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    pit.step()
    with pytest.raises(Refused, match="Enter what cards, lights, dice or wheels show"):
        pit.dan(cmd.Enter(answer))


@pytest.mark.rule("F-30")
def test_the_dealer_closes_the_betting_and_a_player_who_does_not_decide_in_time_checks(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    pit.step()
    pit.bet()
    for player in pit.players:
        pit.house.command("money", player, cmd.Ready())
    assert pit.table.betting and pit.table.deadline is None and pit.house.due("money") is None
    pit.dan(cmd.CloseBetting())
    while not pit.table.to_act:
        pit.step()
    due = pit.house.due("money")
    assert due is not None and due.doing == "clock"
    pit.now = due.at
    pit.house.deal_due("money")
    last = list(pit.house.store.read("money"))[-1]
    assert b'"option":"check"' in last.event


@pytest.mark.rule("F-23")
def test_people_who_shuffle_the_discards_say_so_and_the_round_goes_on(tmp_path: Path) -> None:
    """One deck for two hands of blackjack, dealt to the last card."""
    pit = Pit(tmp_path / "records.db", TABLES["blackjack from one deck"], seed=5)
    while pit.table.round is None or not pit.table.is_shoe_empty:
        pit.step()
    with pytest.raises(NotPossible, match="The shoe is empty"):
        pit.dan(cmd.Enter(recorded(steps.DEALT)))
    pit.dan(cmd.GoOn())
    event = list(pit.house.store.read("one"))[-1].event
    assert b'"discards":true' in event and pit.table.root is None
    with pytest.raises(Refused, match="Enter what comes next"):
        pit.dan(cmd.GoOn())
    pit.house.close()
    assert verify(pit.path, KEYS.public).ok


# Equipment, piece by piece.


@pytest.mark.rule("F-01", "D-22")
def test_people_who_deal_record_each_piece_that_the_approval_names_and_the_table_uses() -> None:
    room = fulfilled(under(**BY_HAND, venue="card room"))
    _, problems = examined(room, TODAY)
    assert [problem.setting for problem in problems] == ["equipment.card reader", "equipment.jackpot system"]
    assert problems[0].said == (
        'People deal at this table: record "the maker\'s own" for the card reader (Masque Card Reader), or name what'
        " stands in for it."
    )
    empty = msgspec.structs.replace(room, equipment={**READER, "card reader": " "})
    assert [problem.said for problem in examined(empty, TODAY)[1]] == [
        "Say what is used as the card reader, in at most 200 characters."
    ]
    game, problems = examined(msgspec.structs.replace(room, equipment=READER), TODAY)
    assert game is not None and not problems


@pytest.mark.rule("F-01", "D-22")
@pytest.mark.parametrize(
    ("equipment", "words"),
    [
        ({"card reader": MAKERS_OWN, "jackpot system": MAKERS_OWN}, "as approved"),
        (READER, "approved rules, other equipment"),
    ],
    ids=["the maker's own", "a stand-in"],
)
def test_a_table_that_people_deal_is_as_approved_only_with_the_makers_own_equipment(
    equipment: dict[str, str], words: str, tmp_path: Path
) -> None:
    room = fulfilled(under(**BY_HAND, venue="card room", equipment=equipment))
    pit = Pit(tmp_path / "records.db", room)
    pit.play(rounds=1)
    assert standing(room, pit.table.game).words == words
    opened = next(pit.house.store.read("under")).event
    assert f'"words":"{words}"'.encode() in opened
    assert replayed(pit.path, "under", 1, KEYS.public).standing.words == words


def test_a_seated_person_deals_nothing(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    with pytest.raises(Refused, match="is not for a player to do"):
        pit.house.pit.deal_by_hand("money", cmd.StartRound(True), by_person(pit.players[0]))


@pytest.mark.rule("F-13", "F-28")
def test_what_the_supervisor_has_to_decide_is_entered_by_no_dealer_and_what_is_dealt_by_no_supervisor(
    tmp_path: Path,
) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["one-for-the-money"])
    pit.step()
    pit.step()  # the betting is closed
    with pytest.raises(Refused, match="That is for a dealer to enter"):
        pit.dan(cmd.Enter(Turned("As")), pit.supervisor)
    pit.house.pit.report("money", cmd.Report("misdeal", "a card fell"), pit.dealer)
    version = pit.table.version
    with pytest.raises(Refused, match="That is for a supervisor to decide"):
        pit.dan(cmd.Enter(Decided("supervisor", "continue")))
    with pytest.raises(Refused, match="'croupier' decides nothing at a table; the dealer or the supervisor does"):
        pit.dan(cmd.Enter(Decided("croupier", "continue")))
    with pytest.raises(Refused, match="'croupier' decides nothing"):
        pit.house.carry_out("money", cmd.Resolve("croupier", "continue"), pit.dealer)
    assert pit.table.incident and pit.table.version == version
    for unexplained in (cmd.Enter(Decided("supervisor", "continue")), cmd.Resolve("supervisor", "continue")):
        with pytest.raises(Refused, match=r"^(Misdeal was reported; .* needs a reason|Say why it is decided so)\.$"):
            pit.house.carry_out("money", unexplained, pit.supervisor)
    assert pit.table.incident and pit.table.version == version
    pit.house.pit.resolve("money", steps.Role.SUPERVISOR, "continue", pit.supervisor, "it lay face down")
    assert not pit.table.incident


@pytest.mark.rule("F-13", "F-41")
def test_a_round_that_people_deal_is_void_by_the_supervisor_with_the_dealer_or_with_a_manager(tmp_path: Path) -> None:
    for number, role in enumerate((Role.DEALER, Role.MANAGER)):
        pit = Pit(tmp_path / f"{number}.db", TABLES["one-for-the-money"])
        pit.step()
        pit.bet()
        staff, void = pit.house.staff, cmd.VoidRound("a card was seen")
        with pytest.raises(Refused, match="The dealer who signs is the one who has signed on at the table"):
            staff.propose("money", void, employed(pit.house, Role.DEALER))
        other = pit.dealer if role is Role.DEALER else employed(pit.house, role)
        action = staff.propose("money", void, other)
        for same in (Role.DEALER, Role.MANAGER):
            with pytest.raises(Refused, match="The second signature is that of a supervisor"):
                staff.sign(action, employed(pit.house, same))
        staff.sign(action, pit.supervisor)
        assert [pit.house.balance(player) for player in pit.players] == [GRANT, GRANT]
