"""A wheel at a table: spins that were committed to, dealt by the program without a line written for the game, and
entered by whoever spins a real one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltworks.cli.floor_commands import replay
from feltworks.floor.chance.generator import Generator
from feltworks.floor.chance.openings import expanded
from feltworks.floor.chance.shoe import Spins, check_opening
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import load_keys
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Rolled, Spun
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.procedure import asked_now
from feltworks.floor.table.state import Table
from feltworks.floor.verification.openings import OpeningCheck
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from feltworks.kit.errors import FeltworksError, NotPossible
from tests.floor.employing import employed
from tests.floor.pit import Pit
from tests.floor.sitting import Sitting, big_six, with_toys
from tests.floor.test_house import Clock, deal, seated

SEED = bytes(range(32))
WHEELS = {"main": ("0", "1", "2", "3", "3"), "bonus": ("$20", "a star")}


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    with Store(tmp_path / "records.db") as store:
        house = House(store, load_keys(tmp_path / "house.key"), clock)
        house.open_table(big_six())
        yield house


def at_wheel(*pockets: str, players: str = "ann", **changes: object) -> Sitting:
    """People at the wheel from seat 1 on, which will stop at these pockets, and a round begun."""
    sitting = Sitting(big_six(**changes), pockets=pockets)
    for seat, player in enumerate(players.split(), 1):
        sitting.join(player, seat)
    sitting.start()
    return sitting


# Commitments.


@pytest.mark.rule("F-21")
def test_spins_are_the_values_of_the_generator_in_order_and_each_can_be_opened() -> None:
    spins, generator = Spins(9, WHEELS, SEED), Generator(SEED)
    spun = [[pockets[generator.below(len(pockets))] for pockets in WHEELS.values()] for _ in range(9)]
    assert [[spins.pocket(position, wheel) for wheel in WHEELS] for position in range(9)] == spun
    for position in range(9):
        opening = spins.opening(position)
        main, bonus = spun[position]
        assert opening["spin"] == f"main {main}, bonus {bonus}"
        assert check_opening(spins.root, 9, opening)
        others = ({"spin": f"main {main}"}, {"position": (position + 1) % 9}, {"spin": ""}, {"card": "As"})
        for wrong in (
            *others,
            {"dice": "11111111"},
            {"spin": f"main 9, bonus {bonus}"},
            {"spin": opening["spin"] + " "},
        ):
            assert not check_opening(spins.root, 9, {**opening, **wrong})
    assert str(spins) == f"<9 spins, root {spins.root}>"
    with pytest.raises(NotPossible, match="There is no wheel 'other' here; spin one of: main, bonus"):
        spins.pocket(0, "other")


@pytest.mark.rule("F-21")
def test_a_spin_cannot_be_shown_as_a_card_nor_as_a_roll() -> None:
    """Each has a tag of its own, so that a text of one is not a commitment to another."""
    spins = Spins(1, {"a": ("1",)}, SEED)
    opening = spins.opening(0)
    text = opening.pop("spin")
    for what in ("card", "dice"):
        assert not check_opening(spins.root, 1, {**opening, what: text})


def events_of(house: House) -> list[ev.Event]:
    found = (decode_event("six", record.event) for record in house.store.read("six"))
    return [event for event in found if isinstance(event, ev.Event)]


def play(house: House, clock: Clock, rounds: int) -> None:
    player = seated(house, "six", clock)
    while house.live("six").table.round_number <= rounds:
        if house.live("six").table.betting:
            house.command("six", player, cmd.Place("one", 500))
            house.command("six", player, cmd.Ready())
        deal(house, "six", clock)


@pytest.mark.rule("F-14", "F-21")
def test_the_program_deals_a_wheel_and_every_spin_is_opened_under_the_root_shown_before_the_betting(
    house: House, clock: Clock, tmp_path: Path
) -> None:
    play(house, clock, 12)
    roots, spun, rounds = dict[str, int](), list[str](), 0
    for event in events_of(house):
        match event:
            case ev.RoundStarted(_, str(root), size) | ev.Reshuffled(root, size):
                roots[root] = size
            case ev.Answered(Spun("wheel", pocket)):
                spun.append(pocket)
            case ev.RoundEnded(_, shared):
                rounds += 1
                openings = [opening for one in shared for opening in expanded(one)]
                assert [opening["spin"] for opening in openings] == [f"wheel {pocket}" for pocket in spun]
                assert [opening["token"] for opening in openings] == [[None, "spin 1"]]
                assert all(check_opening(o["root"], roots[o["root"]], o) for o in openings)
                spun.clear()
    assert rounds == 12
    report = verify(tmp_path / "records.db")
    assert report.ok, report.problems
    assert report.openings == 12
    assert sum(house.journal.position.balances.values()) == 0


@pytest.mark.rule("F-18")
def test_a_round_of_a_wheel_is_replayed_from_its_records(
    house: House, clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(house, clock, 2)
    answers = [event.answer for event in events_of(house) if isinstance(event, ev.Answered)]
    pockets = [answer.pocket for answer in answers if isinstance(answer, Spun)]
    for number, pocket in enumerate(pockets, 1):
        replay("six", number, file=tmp_path / "records.db")
        assert f"Spin the wheel: {pocket}." in capsys.readouterr().out
    assert len(pockets) == 2


@pytest.mark.rule("F-21")
def test_a_pocket_that_was_changed_in_a_record_is_found(house: House, clock: Clock) -> None:
    """Whoever holds the key can sign another pocket; what was committed to before the round says that it is another."""
    play(house, clock, 1)
    events, check, wrong = events_of(house), OpeningCheck(), list[str]()
    table: Table | None = None
    for record, event in zip(house.store.read("six"), events, strict=True):
        if isinstance(event, ev.Answered) and isinstance(event.answer, Spun):
            other = "$2" if event.answer.pocket != "$2" else "$1"
            told: ev.Event = msgspec.structs.replace(event, answer=Spun("wheel", other))
        else:
            told = event
        wrong += check.follow(table, told, Report())
        table = evolve(table, event, record.time)
    assert len(wrong) == 1 and "was turned as wheel" in wrong[0]


# Played by the program.


def test_wagers_on_a_wheel_are_booked_and_the_pocket_lies_there_for_the_next_round() -> None:
    table = at_wheel("$5", "Joker", players="ann bob")
    table.do("ann", cmd.Place("five", 1_000))
    table.do("bob", cmd.Place("one", 500))
    for player in ("ann", "bob"):
        table.do(player, cmd.Ready())
    assert isinstance(table.table.step, steps.Spin)
    table.deal()
    assert table.table.pocket == steps.Pocket("$5", "wheel")
    assert (table.balance("ann"), table.balance("bob")) == (105_000, 99_500)
    table.end()
    table.start()
    assert table.table.pocket == steps.Pocket("$5", "wheel")
    assert sum(table.books.values()) == 0
    assert table.replayed() == table.table


@pytest.mark.rule("F-14")
def test_nobody_enters_where_the_wheel_of_the_program_stops() -> None:
    table = at_wheel("$5")
    table.do("ann", cmd.Place("five", 1_000))
    table.do("ann", cmd.Ready())
    assert asked_now(table.table).pockets == ()
    with pytest.raises(Refused):
        table.do("ann", cmd.Enter(Spun("wheel", "$5")))


def test_a_ball_that_left_the_wheel_is_reported_and_the_round_waits(house: House, clock: Clock) -> None:
    player = seated(house, "six", clock)
    house.command("six", player, cmd.Place("five", 1_000))
    house.command("six", player, cmd.Ready())
    supervisor = employed(house, Role.SUPERVISOR)
    house.pit.report("six", cmd.Report("no spin", "the ball left the wheel"), supervisor)
    table = house.live("six").table
    assert [option.name for option in asked_now(table).options] == ["spin again", "void"]
    house.pit.resolve("six", steps.Role.SUPERVISOR, "spin again", supervisor, "seen by all")
    assert isinstance(house.live("six").table.step, steps.Spin)
    deal(house, "six", clock)
    assert house.live("six").table.pocket is not None


# Dealt by people.


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    """A dealer enters where a real wheel stops; 1,000 cents of a patron lie on $5."""
    pit = Pit(tmp_path / "records.db", big_six(dealing="people"))
    pit.deal(cmd.StartRound())
    pit.enter_for(cmd.PlaceFor(1, "five", 1_000))
    pit.deal(cmd.CloseBetting())
    yield pit
    pit.house.close()


@pytest.mark.rule("F-20", "F-27")
def test_a_dealer_enters_where_a_real_wheel_stops_with_all_pockets_to_choose_from(pit: Pit) -> None:
    asked = pit.procedure.asked
    assert (asked.kind, asked.who, asked.wheel, asked.text) == ("spin", "dealer", "wheel", "Spin the wheel.")
    assert asked.pockets == ("Joker", "$1", "$2", "$5", "$10", "$20", "Logo")
    for wrong, why in (
        (Spun("wheel", "$3"), r"'\$3' is no pocket of this wheel; say one of: Joker, \$1"),
        (Spun("other", "$5"), "The wheel 'wheel' is spun"),
        (Rolled((3, 4)), "The wheel 'wheel' is spun"),
    ):
        with pytest.raises(FeltworksError, match=why):
            pit.enter(wrong)
    pit.enter(Spun("wheel", "$5"))
    assert pit.procedure.entries[-1].text == "The wheel stops at $5."
    assert [(act.do, act.amount) for act in pit.procedure.now] == [("pay", 5_000)]


@pytest.mark.rule("F-20")
def test_a_pocket_that_was_entered_wrong_is_taken_back(pit: Pit) -> None:
    pit.enter(Spun("wheel", "$2"))
    assert pit.procedure.take_back == "The wheel stops at $2."
    pit.deal(cmd.TakeBack())
    assert pit.table.pocket is None
    assert pit.procedure.asked.kind == "spin"
    pit.enter(Spun("wheel", "$5"))
    assert [(result.spot, result.paid) for result in pit.table.results] == [("five", 5_000)]


@pytest.mark.rule("F-20")
def test_a_pocket_that_was_entered_wrong_is_corrected_and_the_round_is_what_follows(pit: Pit, tmp_path: Path) -> None:
    pit.enter(Spun("wheel", "$2"))
    number = pit.procedure.entries[-1].number
    with pytest.raises(Refused, match="Say what the card, the light, the dice or the wheel showed"):
        pit.correct(number, Decided("dealer", "spin again"))
    pit.correct(number, Spun("wheel", "$5"))
    assert pit.table.pocket == steps.Pocket("$5", "wheel")
    assert [(result.spot, result.paid) for result in pit.table.results] == [("five", 5_000)]
    report = verify(tmp_path / "records.db")
    assert report.ok, report.problems


@pytest.mark.rule("F-03")
def test_people_and_the_program_deal_a_wheel_by_what_the_procedure_says_alone(tmp_path: Path) -> None:
    ways: list[dict[str, Any]] = [{"dealing": "people"}, {"duties": {"rolling": "person", "paying": "person"}}]
    for number, duties in enumerate(ways):
        path = tmp_path / f"{number}.db"
        pit, rounds = Pit(path, big_six(**duties), seed=number), 0
        for _ in range(400):
            rounds += pit.step()
        assert rounds > 5
        pit.house.store.check_books()
        pit.restart()
        pit.house.close()
        report = verify(path)
        assert report.ok, report.problems
