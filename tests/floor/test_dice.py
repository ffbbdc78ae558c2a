"""Dice at a table: rolls that were committed to, betting between them, and wagers that stay up from game to game."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from feltworks.cli.floor_commands import replay
from feltworks.floor.chance.generator import Generator
from feltworks.floor.chance.openings import expanded
from feltworks.floor.chance.shoe import DICE, Rolls, check_opening
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import load_keys
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Rolled
from feltworks.floor.table.settings import Clocks
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from feltworks.kit.errors import NotPossible
from tests.floor.sitting import Sitting, at_dice, point, riding, with_toys
from tests.floor.test_house import Clock, deal, seated

SEED = bytes(range(32))


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
        house.open_table(point())
        house.open_table(riding())
        yield house


def sitting(*rolls: str, players: str = "ann") -> Sitting:
    """People at the table of Riding, with these rolls to come."""
    return at_dice(riding(), *rolls, players=players)


def roll(sitting: Sitting, *players: str) -> None:
    """These players are ready, the shooter shoots, and the dice are rolled."""
    for player in players:
        sitting.do(player, cmd.Ready())
    assert sitting.table.to_act
    shooter = sitting.table.seats[min(sitting.table.to_act)].player
    sitting.do(shooter, cmd.Choose("shoot"))
    while not (sitting.table.betting or sitting.table.to_act or sitting.table.step is None):
        step = sitting.table.step
        if isinstance(step, steps.Choose):
            sitting.house(cmd.Enter(Decided("dealer", step.options[0].name)))
        else:
            sitting.deal()


# Commitments.


@pytest.mark.rule("F-21")
def test_rolls_are_the_values_of_the_generator_in_order_and_each_can_be_opened() -> None:
    rolls, generator = Rolls(5, SEED), Generator(SEED)
    rolled = [generator.roll(DICE) for _ in range(5)]
    assert [rolls.roll(position, DICE) for position in range(5)] == rolled
    assert rolls.roll(2, 4) == rolled[2][:4]
    for position in range(5):
        opening = rolls.opening(position)
        assert opening["dice"] == "".join(map(str, rolled[position]))
        assert check_opening(rolls.root, 5, opening)
        other = opening["dice"][:-1] + str(7 - int(opening["dice"][-1]))
        for wrong in ({"dice": other}, {"position": (position + 1) % 5}, {"dice": "35"}, {"card": "As"}):
            assert not check_opening(rolls.root, 5, {**opening, **wrong})
    assert str(rolls) == f"<5 rolls, root {rolls.root}>"
    with pytest.raises(NotPossible, match="9 dice cannot be rolled together; at most 8 can"):
        rolls.roll(0, 9)


@pytest.mark.rule("F-21")
def test_a_roll_cannot_be_shown_as_a_card_nor_a_card_as_a_roll() -> None:
    opening = Rolls(1, SEED).opening(0)
    del opening["dice"]
    assert not check_opening(Rolls(1, SEED).root, 1, opening)
    assert not check_opening(Rolls(1, SEED).root, 1, {**opening, "card": "2c"})


def events_of(house: House, table: str) -> list[ev.Event]:
    found = (decode_event(table, record.event) for record in house.store.read(table))
    return [event for event in found if isinstance(event, ev.Event)]


@pytest.mark.rule("F-21")
def test_every_roll_of_a_round_is_opened_and_fits_the_root_that_was_shown_before_the_betting(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two rolls are under one root: in a longer round the next root is shown with the last roll under the old one."""
    monkeypatch.setattr("feltworks.floor.chance.sealed.ROLLS", 2)
    player = seated(house, "point", clock)
    while house.live("point").table.round_number <= 12:
        play_on(house, "point", player, clock)
    events, roots, rolled = events_of(house, "point"), dict[str, int](), list[tuple[int, ...]]()
    renewed = 0
    for before, event in zip([events[0], *events], events, strict=False):
        match event:
            case ev.RoundStarted(_, str(root), size) | ev.Reshuffled(root, size):
                roots[root] = size
                if isinstance(event, ev.Reshuffled):
                    assert isinstance(before, ev.Answered) and isinstance(before.answer, Rolled)
                    renewed += 1
            case ev.Answered(Rolled(faces)):
                rolled.append(faces)
            case ev.RoundEnded(_, shared):
                openings = [opening for one in shared for opening in expanded(one)]
                assert [tuple(map(int, o["dice"][:2])) for o in openings] == rolled
                assert [o["token"] for o in openings] == [[None, f"roll {n + 1}"] for n in range(len(rolled))]
                assert all(check_opening(o["root"], roots[o["root"]], o) for o in openings)
                rolled.clear()
    assert renewed > 3
    report = verify(tmp_path / "records.db")
    assert report.ok, report.problems
    assert report.openings == sum(isinstance(e, ev.Answered) and isinstance(e.answer, Rolled) for e in events)


def play_on(house: House, table: str, player: str, clock: Clock) -> None:
    """Whatever the table waits for is done: bets, decisions, rolls."""
    state = house.live(table).table
    spot = next(iter(state.game.wagers))
    if state.betting:
        if state.windows == 1 and not state.has_wagers(state.seat_of(player) or 0):
            house.command(table, player, cmd.Place(spot, 500))
        house.command(table, player, cmd.Ready())
    elif state.to_act:
        house.command(table, player, cmd.Choose("shoot"))
    deal(house, table, clock)


@pytest.mark.rule("F-14", "F-21")
def test_no_roll_to_come_stands_in_the_records(house: House, clock: Clock) -> None:
    player = seated(house, "riding", clock)
    house.command("riding", player, cmd.Place("play", 500))
    house.command("riding", player, cmd.Ready())
    live = house.live("riding")
    salts = [live.shoes.shoes[live.table.root or ""].opening(n)["salt"].encode() for n in range(live.table.size)]
    written = b"".join(record.event for record in house.store.read("riding"))
    assert live.table.to_act
    assert not any(salt in written for salt in salts)


# Betting between the rolls.


@pytest.mark.rule("F-11", "F-27")
def test_wagers_are_booked_in_every_betting_of_a_round() -> None:
    """Placed, added to, taken up, paid while they stay, and lost: the balance and the books follow each time."""
    table = sitting("3344", "6512", "2211")
    told = [table.balance("ann")]

    def now() -> int:
        told.append(table.balance("ann"))
        assert sum(table.books.values()) == 0
        return told[-1] - told[-2]

    def results() -> list[tuple[str, int, int, str]]:
        return [(s.spot, s.paid, s.returned, s.stake) for s in table.table.results]

    table.do("ann", cmd.Place("play", 1_000))
    table.do("ann", cmd.Place("ride", 500))
    table.do("ann", cmd.Place("ride", 100))
    assert now() == -1_600
    roll(table, "ann")  # 6 with a pair: the Ride is paid and stays
    assert now() == 600
    assert results() == [("ride", 600, 0, "stays")]
    assert table.table.windows == 2
    table.do("ann", cmd.Place("field", 700))
    table.do("ann", cmd.TakeUp("field"))
    table.do("ann", cmd.Place("field", 600))
    assert now() == -600
    roll(table, "ann")  # 11: what the Field pays lies there, and the wager stays
    assert now() == 0
    assert results() == [("field", 700, 0, "stays")]
    with pytest.raises(Refused, match="no winnings lying on ride"):
        table.do("ann", cmd.Collect("ride"))
    table.do("ann", cmd.Collect("field"))
    assert now() == 700
    table.do("ann", cmd.TakeUp("field"))
    assert now() == 600
    roll(table, "ann")  # 4 with a pair: Play wins, the Ride is paid and stays
    assert now() == 2_600
    assert results() == [("play", 1_000, 1_000, "returned"), ("ride", 600, 0, "stays")]
    assert table.books["table:riding"] == 600 - 600 - 700 - 1_000 - 600
    assert table.replayed() == table.table


@pytest.mark.rule("F-07")
@pytest.mark.parametrize(
    ("command", "why"),
    [
        (cmd.Place("play", 500), "No wager on 'play' is taken now; open are: field"),
        (cmd.TakeUp("play"), "No wager on 'play' is taken now"),
        (cmd.Place("field", 50), "Field takes at least 1.00"),
        (cmd.Place("field", 30_100), "Field takes at most 300.00"),
        (cmd.TakeUp("field"), "nothing on Field to take up"),
    ],
)
def test_between_two_rolls_the_spots_that_are_closed_are_refused_and_limits_hold(
    command: cmd.Command, why: str
) -> None:
    table = sitting("3312")
    table.do("ann", cmd.Place("play", 1_000))
    table.do("ann", cmd.Place("ride", 1_000))
    roll(table, "ann")
    before = table.table
    with pytest.raises(Refused, match=why):
        table.do("ann", command)
    assert table.table is before


@pytest.mark.rule("F-30")
def test_who_leaves_between_two_rolls_takes_open_bets_along_and_contract_bets_play_on() -> None:
    table = sitting("3312", "5512", "5512", players="ann bob")
    for player in ("ann", "bob"):
        table.do(player, cmd.Place("play", 1_000))
    roll(table, "ann", "bob")
    table.do("ann", cmd.Place("field", 600))
    table.do("ann", cmd.Leave())
    assert table.balance("ann") == 99_000
    assert table.table.seats[1].leaving
    with pytest.raises(Refused, match="You are leaving this seat"):
        table.do("ann", cmd.Place("field", 600))
    table.do("bob", cmd.Ready())
    assert table.table.deadline == table.now  # the one who left is the shooter: nobody waits
    table.house(cmd.ClockRanOut())
    table.deal()
    table.end()
    assert table.balance("ann") == 101_000
    assert table.table.seat_of("ann") is None


@pytest.mark.rule("F-30")
@pytest.mark.parametrize("when", ["in mid-round", "between two rounds"])
def test_who_leaves_with_a_wager_that_stays_up_is_paid_in_later_rounds_too(when: str) -> None:
    table = sitting("4612", "4633", "3412")
    table.do("ann", cmd.Place("ride", 1_000))
    if when == "in mid-round":
        table.do("ann", cmd.Ready())
        table.do("ann", cmd.Leave())
        table.house(cmd.ClockRanOut())
        table.deal()
    else:
        roll(table, "ann")
    table.end()
    if when == "between two rounds":
        table.do("ann", cmd.Leave())
    with pytest.raises(Refused, match="Seat 1 is taken"):
        table.do("bob", cmd.Sit(1))
    for balance in (100_000, 100_000):
        table.start()
        assert table.table.wagers == {(1, "ride"): 1_000}
        assert table.table.deadline is not None
        for _ in range(2):
            table.now = table.table.deadline or table.now
            table.house(cmd.ClockRanOut())
        table.deal()
        if isinstance(table.table.step, steps.Choose):
            table.house(cmd.Enter(Decided("dealer", "go on")))
        assert table.balance("ann") == balance
        table.end()
    assert table.table.seat_of("ann") is None
    assert sum(table.books.values()) == 0
    assert table.replayed() == table.table


@pytest.mark.rule("F-17")
def test_a_void_returns_the_wagers_that_stayed_up_from_earlier_rounds_and_no_more_stays() -> None:
    table = sitting("4612")
    table.do("ann", cmd.Place("ride", 1_000))
    table.do("ann", cmd.Place("play", 500))
    roll(table, "ann")
    table.end()
    table.start()
    table.do("ann", cmd.Place("play", 300))
    table.house(cmd.VoidRound("the cup broke"))
    assert table.balance("ann") == 100_500
    assert table.table.wagers == {}
    table.start()
    assert table.table.round is not None and not table.table.round.wagers


def test_everybody_says_anew_that_they_are_ready_and_only_wagers_are_waited_for() -> None:
    table = sitting("3312", "3312", "3312", players="ann bob cyd")
    for player in ("ann", "bob"):
        table.do(player, cmd.Place("play", 1_000))
        table.do(player, cmd.Ready())
    assert betting(table)  # who has not bet yet is waited for before the first roll
    table.do("cyd", cmd.Leave())
    assert not betting(table)
    table.join("cyd", 3)
    roll(table)
    assert betting(table) and not any(who.ready for who in table.table.seats.values())
    table.do("ann", cmd.Ready())
    assert betting(table)
    table.do("bob", cmd.Ready())
    assert not betting(table)  # and cyd, without a wager, is not


def betting(table: Sitting) -> bool:
    return table.table.betting


@pytest.mark.rule("F-30")
def test_each_betting_has_a_clock_of_its_own_and_it_returns_what_breaks_a_rule() -> None:
    table = sitting("3312", "3312")
    table.do("ann", cmd.Place("play", 100))
    first = table.table.deadline
    roll(table, "ann")
    table.now += 5_000
    assert table.table.deadline == table.now - 5_000 + Clocks().betting == first
    table.do("ann", cmd.Place("field", 10_000))
    with pytest.raises(Refused, match="The Field is at most five times Play"):
        table.do("ann", cmd.Ready())
    table.now = table.table.deadline or 0
    table.house(cmd.ClockRanOut())
    assert table.table.to_act == {1}
    assert table.balance("ann") == 99_900


@pytest.mark.rule("F-30")
def test_nobody_is_kept_from_leaving_by_what_others_have_bet() -> None:
    table = sitting(players="ann bob cyd")
    for player, spot in (("ann", "play"), ("bob", "ride")):
        table.do(player, cmd.Place(spot, 100))
        table.do(player, cmd.Ready())
    table.do("ann", cmd.Place("field", 600))
    table.do("cyd", cmd.Leave())
    assert betting(table)
    assert table.table.seat_of("cyd") is None


@pytest.mark.rule("F-30")
def test_a_command_meant_for_the_betting_before_a_roll_makes_no_wager_after_it(house: House, clock: Clock) -> None:
    player = seated(house, "point", clock)
    seen = house.live("point").table.version
    while house.live("point").table.windows < 2:
        play_on(house, "point", player, clock)
    with pytest.raises(Refused, match="meant for an earlier round"):
        house.command("point", player, cmd.Place("seven", 500), "late", seen)
    house.command("point", player, cmd.Place("seven", 500), "now", house.live("point").table.version)


@pytest.mark.rule("F-30")
def test_the_dealer_rolls_for_a_shooter_whose_clock_ran_out() -> None:
    table = sitting("3312")
    table.do("ann", cmd.Place("play", 500))
    table.do("ann", cmd.Ready())
    table.now = table.table.deadline or 0
    (event,) = table.house(cmd.ClockRanOut())
    assert isinstance(event, ev.Answered) and event.answer == Decided(1, "the dealer rolls")
    assert isinstance(table.table.step, steps.Roll)


# Self-service.


@pytest.mark.rule("F-08", "F-11")
def test_what_lies_on_a_spot_to_be_collected_is_whole_cents_as_each_win_was_settled() -> None:
    """100 cents win 116 2/3 twice: that is 117 and 117, not 233."""
    table = sitting("5412", "5412", "3312")
    table.do("ann", cmd.Place("field", 100))
    for lying in (117, 234):
        roll(table, "ann")
        assert table.table.winnings == {(1, "field"): lying}
    table.do("ann", cmd.Collect("field"))
    assert table.balance("ann") == 100_000 - 100 + 234
    assert table.table.winnings == {}
    assert sum(table.books.values()) == 0


@pytest.mark.rule("F-30")
@pytest.mark.parametrize("how", ["leaves", "leaves in mid-roll", "is away", "void"])
def test_nobody_loses_what_lies_on_a_spot_to_be_collected(how: str) -> None:
    table = sitting("5412", "3312", "3312", players="ann bob")
    table.do("bob", cmd.Place("play", 500))
    table.do("ann", cmd.Place("field", 600))
    roll(table, "ann", "bob")
    assert table.balance("ann") == 99_400
    match how:
        case "leaves":
            table.do("ann", cmd.Leave())
            assert table.balance("ann") == 100_700
        case "leaves in mid-roll":
            for player in ("ann", "bob"):
                table.do(player, cmd.Ready())
            table.do("ann", cmd.Leave())
            table.house(cmd.ClockRanOut())
            table.deal()  # 6: the Field loses, and what it won before lies there
            assert table.table.betting and table.table.seats[1].leaving
            table.house(cmd.FreeSeats())
            assert table.balance("ann") == 100_100
        case "is away":
            table.do("ann", cmd.TakeUp("field"))
            table.house(cmd.Connection("ann", present=False))
            assert table.house(cmd.FreeSeats()) == []
            table.now += table.table.settings.clocks.seat
            *_, left = table.house(cmd.FreeSeats())
            assert left == ev.Left(1, "away for too long")
            assert table.balance("ann") == 100_700
        case "void":
            table.house(cmd.VoidRound("the cup broke"))
            assert table.balance("ann") == 100_700
    assert (table.table.seat_of("ann") is None) == (how != "void")
    assert sum(table.books.values()) == 0
    assert table.replayed() == table.table


# Replay.


@pytest.mark.rule("F-18")
def test_a_round_of_dice_is_recalled_with_what_stayed_up(
    house: House, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = count(1)
    monkeypatch.setattr("feltworks.floor.chance.sealed.fresh_seed", lambda: next(seeds).to_bytes(32, "big"))
    player = seated(house, "riding", clock)
    house.command("riding", player, cmd.Place("ride", 1_250))
    house.command("riding", player, cmd.Place("field", 100))
    while house.live("riding").table.round_number < 3:
        play_on(house, "riding", player, clock)
    told = [recalled(tmp_path, number, capsys) for number in (1, 2)]
    assert "Roll 4 dice: 4 and 5 and 1 and 1." in told[0]
    assert "Seat 2 · Field 1 · High pays 7 to 6 (exactly 7/6) · wins 1.17, the wager stays and the win" in told[0]
    assert "Seat 2 · Ride 12.5 · Pair pays 1 to 1 · wins 12.5, the wager stays [T-33]" in told[0]
    assert "Seat 2: put down 13.5, got back 12.5, 12.5 still lies, 2.34 won lies; wins 13.84." in told[0]
    assert "Seat 2 · Ride 12.5 · Seven · loses 12.5 [T-33]" in told[1]
    assert house.balance(player) == GRANT - 100 + 1_250
    house.void("riding", "The cup broke.")
    assert house.balance(player) == GRANT - 100 + 1_250 + 2 * 117
    assert "Seat 2: 2.34 lay there, put down 0, got back 2.34; comes out even." in recalled(tmp_path, 3, capsys)
    assert verify(tmp_path / "records.db").ok


def recalled(folder: Path, number: int, capsys: pytest.CaptureFixture[str]) -> str:
    replay("riding", number, file=folder / "records.db")
    told = capsys.readouterr().out
    voided = ", voided, wagers returned" if number == 3 else ""
    assert told.startswith(f"Recall: table riding, round {number}{voided}; amounts in dollars")
    assert "they sum to 0" in told
    return told
