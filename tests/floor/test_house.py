"""The house: whole rounds on a real store, killed and resumed at every step, with the books in order."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from random import Random

import msgspec
import pytest

from feltworks.floor.chance.openings import expanded
from feltworks.floor.chance.shoe import check_opening
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys, load_keys
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import answers
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import TableSettings, standing
from feltworks.floor.verification.verify import verify
from feltworks.games import load
from feltworks.kit import steps
from feltworks.kit.errors import BadValue, UnknownName
from feltworks.kit.game import Game
from tests.floor.sitting import in_between, one_for_the_money, riding


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return load_keys(tmp_path / "house.key")


@pytest.fixture
def house(tmp_path: Path, keys: Keys, clock: Clock) -> Iterator[House]:
    house = House(Store(tmp_path / "records.db"), keys, clock)
    house.open_table(one_for_the_money())
    house.open_table(in_between(shuffling="shoe"))
    yield house
    house.close()


def deal(house: House, table: str, clock: Clock) -> None:
    """Let the dealer deal until people must act or the next round is open."""
    while (due := house.due(table)) is not None and due.doing != "clock":
        clock.now = max(clock.now, due.at)
        house.deal_on(table, due.doing)


def play_round(house: House, table: str, player: str, clock: Clock, options: list[str]) -> None:
    spot = "ante" if table == "money" else "base"
    house.command(table, player, cmd.Place(spot, 1_000))
    house.command(table, player, cmd.Ready())
    deal(house, table, clock)
    for option in options if table == "money" else repeat(""):
        if not house.live(table).table.to_act:
            break
        house.command(table, player, cmd.Choose(option or first_option(house, table)))
        deal(house, table, clock)


def events_of(house: House, table: str) -> list[ev.Event]:
    """What happened at a table, as it is recorded."""
    events = [decode_event(table, record.event) for record in house.store.read(table)]
    return [event for event in events if isinstance(event, ev.Event)]


def first_option(house: House, table: str) -> str:
    step = house.live(table).table.step
    assert isinstance(step, steps.Choose)
    return step.options[0].name


def seated(house: House, table: str, clock: Clock, seat: int = 2) -> str:
    player, _ = house.people.guest()
    house.command(table, player, cmd.Sit(seat))
    deal(house, table, clock)
    return player


@pytest.mark.rule("F-11")
@pytest.mark.parametrize("table", ["money", "between"])
def test_after_every_round_the_books_sum_to_zero(house: House, clock: Clock, table: str) -> None:
    player = seated(house, table, clock)
    for _ in range(5):
        play_round(house, table, player, clock, ["trade", "raise"])
    house.store.check_books()
    assert sum(house.store.balances().values()) == 0
    assert house.live(table).table.round_number == 6


@pytest.mark.rule("F-17")
def test_a_house_killed_at_any_moment_resumes_exactly_where_it_was(
    house: House, clock: Clock, keys: Keys, tmp_path: Path
) -> None:
    """After each single step the files are copied as a crash would leave them, and a new house starts from them."""
    player = seated(house, "money", clock)
    commands: list[cmd.PlayerCommand] = [
        cmd.Place("ante", 1_000),
        cmd.Place("three_card_bonus", 500),
        cmd.Ready(),
    ]
    states = 0

    def crash() -> None:
        nonlocal states
        states += 1
        copy = tmp_path / f"crash {states}"
        copy.mkdir()
        for file in tmp_path.glob("records.db*"):
            if not file.name.endswith("-lock"):
                shutil.copy(file, copy / file.name)
        with Store(copy / "records.db") as store:
            again = House(store, keys, clock)
            live, resumed = house.live("money"), again.live("money")
            assert resumed.table == live.table
            assert resumed.since == live.since
            assert resumed.shoes.shoes == live.shoes.shoes
            assert store.balances() == house.store.balances()
            store.check_books()

    for command in commands:
        house.command("money", player, command)
        crash()
    for option in ("trade", "raise", ""):
        while (due := house.due("money")) is not None and due.doing != "clock":
            clock.now = due.at
            house.deal_on("money", due.doing)
            crash()
        if option:
            house.command("money", player, cmd.Choose(option))
            crash()
    assert states == 15


@pytest.mark.rule("F-21")
def test_every_turned_card_of_a_round_is_opened_and_fits_the_root_published_before_it(
    house: House, clock: Clock
) -> None:
    player = seated(house, "money", clock)
    play_round(house, "money", player, clock, ["trade", "stand"])
    events = events_of(house, "money")
    started = next(e for e in events if isinstance(e, ev.RoundStarted))
    ended = next(e for e in events if isinstance(e, ev.RoundEnded))
    turned = [e.answer.card for e in events if isinstance(e, ev.Answered) and isinstance(e.answer, answers.Turned)]
    assert started.root is not None
    openings = [opening for shared in ended.openings for opening in expanded(shared)]
    assert sorted(opening["card"] for opening in openings) == sorted(turned)
    assert len(turned) == 4
    for opening in openings:
        assert opening["root"] == started.root
        assert check_opening(started.root, started.size, opening)


@pytest.mark.rule("F-21", "F-23")
def test_a_shuffler_has_a_new_root_each_round_and_a_shoe_one_for_all_its_rounds(house: House, clock: Clock) -> None:
    roots: dict[str, list[str | None]] = {}
    for table in ("money", "between"):
        player = seated(house, table, clock)
        for _ in range(3):
            play_round(house, table, player, clock, ["check"])
        events = events_of(house, table)
        roots[table] = [e.root for e in events if isinstance(e, ev.RoundStarted)]
    assert len(set(roots["money"])) == len(roots["money"]) == 4
    assert [root is None for root in roots["between"]] == [False, True, True, True]


@pytest.mark.rule("F-21")
def test_a_traded_card_that_goes_back_is_shuffled_in_under_a_new_root(tmp_path: Path, keys: Keys, clock: Clock) -> None:
    with Store(tmp_path / "back.db") as store:
        house = House(store, keys, clock)
        house.open_table(one_for_the_money(readings={"traded_card": "back"}))
        player = seated(house, "money", clock)
        play_round(house, "money", player, clock, ["trade", "stand"])
        events = events_of(house, "money")
        again = next(e for e in events if isinstance(e, ev.Reshuffled))
        ended = next(e for e in events if isinstance(e, ev.RoundEnded))
        assert again.size == 312 - 2
        sizes = {e.root: e.size for e in events if isinstance(e, ev.RoundStarted | ev.Reshuffled)}
        openings = [opening for shared in ended.openings for opening in expanded(shared)]
        assert {o["root"] for o in openings} == set(list(sizes)[:2])
        assert all(check_opening(o["root"], sizes[o["root"]], o) for o in openings)


@pytest.mark.rule("F-14")
def test_no_sealed_card_stands_in_the_records(house: House, clock: Clock) -> None:
    """While the dealer's cards are sealed, the file holds no seed and no card that was not turned."""
    player = seated(house, "money", clock)
    play_round(house, "money", player, clock, [])
    live = house.live("money")
    shoe = live.shoes.shoes[live.table.root or ""]
    written = b"".join(record.event for record in house.store.read("money"))
    written += b"".join(commit.command for _, commit in house.store.commits())
    assert live.table.to_act
    salts = [shoe.opening(position)["salt"].encode() for position in range(4)]
    assert not any(salt in written for salt in salts)
    assert written.count(b'"kind":"card"') == 1
    files = b"".join(file.read_bytes() for file in house.store.path.parent.glob("records.db*"))
    assert b'"kind":"card"' in files
    assert not any(salt in files or bytes.fromhex(salt.decode()) in files for salt in salts)


def test_a_repeated_command_is_answered_and_not_done_again(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    for _ in range(3):
        house.command("money", player, cmd.Place("ante", 1_000), "same")
    assert house.balance(player) == GRANT - 1_000


def test_a_refused_command_changes_nothing_and_may_be_sent_again(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    before = house.live("money").table
    with pytest.raises(Refused):
        house.command("money", player, cmd.Place("ante", 5), "one")
    assert house.live("money").table is before
    house.command("money", player, cmd.Place("ante", 500), "one")
    assert house.balance(player) == GRANT - 500


@pytest.mark.rule("F-30")
def test_a_command_meant_for_an_earlier_round_makes_no_wager_in_this_one(house: House, clock: Clock) -> None:
    """A phone that was offline sends again what was tapped in a round that is over."""
    player = seated(house, "money", clock)
    seen = house.live("money").table.version
    play_round(house, "money", player, clock, ["check"])
    balance = house.balance(player)
    for command in (cmd.Place("ante", 10_000), cmd.Ready(), cmd.TakeUp("ante"), cmd.Choose("raise")):
        with pytest.raises(Refused, match="meant for an earlier round"):
            house.command("money", player, command, "late", seen)
    assert house.balance(player) == balance
    house.command("money", player, cmd.Place("ante", 100), "now", house.live("money").table.version)


def test_who_comes_and_goes_does_not_hold_the_dealer_up(house: House, clock: Clock) -> None:
    player = seated(house, "money", clock)
    restless, _ = house.people.guest()
    house.command("money", player, cmd.Place("ante", 1_000))
    house.command("money", player, cmd.Ready())
    due = house.due("money")
    clock.now += 300
    house.command("money", restless, cmd.Sit(4))
    house.command("money", restless, cmd.Leave())
    house.connection("money", player, present=False)
    assert house.due("money") == due


def test_listeners_hear_of_a_change_after_it_is_written(house: House, clock: Clock) -> None:
    heard: list[tuple[int, int]] = []
    house.listeners.append(
        lambda table, change: heard.append((change.records[-1].sequence, house.store.head(table)[0]))
    )
    seated(house, "money", clock)
    assert heard
    assert all(told == written for told, written in heard)


def test_tables_are_known_by_name(house: House) -> None:
    with pytest.raises(UnknownName, match="money, between"):
        house.live("nowhere")
    with pytest.raises(BadValue, match="already"):
        house.open_table(one_for_the_money())


@pytest.mark.rule("F-02")
def test_a_game_is_played_only_where_it_is_approved_or_in_training(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = msgspec.structs.replace(one_for_the_money(), id="room", venue="card room")
    approval = room.load_game().definition.approval
    assert approval is not None
    tribal_only = approval.model_copy(update={"venues": ("tribal casino",)})
    original = TableSettings.load_game

    def only_tribal(settings: TableSettings, given: Game | None = None) -> Game:
        game = original(settings, given)
        return replace(game, definition=game.definition.model_copy(update={"approval": tribal_only}))

    monkeypatch.setattr(TableSettings, "load_game", only_tribal)
    with pytest.raises(BadValue, match="not approved for a card room; approved venues: tribal casino"):
        house.open_table(msgspec.structs.replace(room, id="another"))
    house.open_table(msgspec.structs.replace(room, id="trainer", venue="training"))


@pytest.mark.rule("F-02")
def test_a_training_table_is_never_as_approved() -> None:
    training, room = one_for_the_money(), msgspec.structs.replace(one_for_the_money(), venue="card room")
    game = training.load_game()
    assert standing(training, game).words == "the approved rules, for training"
    assert standing(room, game).words == "as approved"
    modified = game.configured(decks=5)
    assert standing(training, modified) == standing(room, modified)
    assert standing(room, modified).words == "modified: not as approved"


@pytest.mark.rule("F-01")
def test_the_fingerprint_of_the_build_is_that_of_the_files_when_the_game_was_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(Path(__file__).parent / "riding", tmp_path / "riding"))
    monkeypatch.setattr("feltworks.floor.table.settings.load", lambda name: load(name, [folder]))
    game = riding().load_game()
    (folder / "rules.py").write_text("# other rules\n")
    built = game.fingerprint["build"]
    shutil.copy(Path(__file__).parent / "riding" / "rules.py", folder)
    assert built == riding().load_game().fingerprint["build"]


@pytest.mark.rule("F-30")
def test_the_dealer_takes_a_seat_back_between_two_rounds_and_says_why(house: House, clock: Clock) -> None:
    player, idle = seated(house, "money", clock), house.people.guest()[0]
    house.command("money", idle, cmd.Sit(4))
    while house.live("money").table.seat_of(idle):
        house.command("money", player, cmd.Place("ante", 1_000))
        due = house.due("money")
        assert due is not None and due.doing == "clock"
        clock.now = due.at
        house.deal_on("money", "clock")
        deal(house, "money", clock)
        if house.live("money").table.to_act:
            house.command("money", player, cmd.Choose("check"))
            deal(house, "money", clock)
    *_, left, _ = events_of(house, "money")
    assert left == ev.Left(4, "no wager in 5 rounds")
    assert house.live("money").table.round_number == 7
    assert verify(house.store.path).ok


@pytest.mark.rule("F-16", "F-18")
def test_a_clock_that_is_put_back_in_a_round_does_the_records_no_harm(house: House, keys: Keys, clock: Clock) -> None:
    player = seated(house, "money", clock)
    began = house.store.rounds("money")[0].time
    house.command("money", player, cmd.Place("ante", 1_000))
    clock.now -= 3_600_000
    house.command("money", player, cmd.Ready())
    assert house.store.rounds("money")[0].time == began > clock.now
    house.void("money", "The clock is wrong.")
    report = verify(house.store.path, keys.public)
    assert report.ok, report.problems


@pytest.mark.slow
@pytest.mark.rule("F-11", "F-17")
@pytest.mark.parametrize("seed", range(4))
def test_many_players_coming_and_going_never_break_the_books(house: House, clock: Clock, seed: int) -> None:
    random = Random(seed)
    players = [house.people.guest()[0] for _ in range(6)]
    for _ in range(400):
        table = random.choice(["money", "between"])
        player = random.choice(players)
        spot = random.choice(["ante", "three_card_bonus", "base", "in_between"])
        commands: list[cmd.PlayerCommand] = [
            cmd.Sit(random.randint(0, 6)),
            cmd.Place(spot, random.choice([100, 500, 1_000, 40_000, -5])),
            cmd.TakeUp(spot),
            cmd.Ready(),
            cmd.Choose(random.choice(["check", "raise", "trade", "stand", "fly"])),
            cmd.Leave(),
        ]
        with suppress(Refused):
            house.command(table, player, random.choice(commands))
        if random.random() < 0.7 and (due := house.due(table)) is not None:
            clock.now = max(clock.now, due.at)
            house.deal_on(table, due.doing)
    house.store.check_books()
    assert all(house.balance(player) >= 0 for player in players)
