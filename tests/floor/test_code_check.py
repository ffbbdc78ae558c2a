"""The code and the definitions that decide outcomes are looked at, at the start and from then on; where they are not
what was loaded, the round is played to its end and no other starts (F-39)."""

import asyncio
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from feltworks import games
from feltworks.floor import code_check
from feltworks.floor.administration import Administration, BecameDue, CodeChecked
from feltworks.floor.code_check import CHECK_EVERY, definition_on_disk, hash_code, look
from feltworks.floor.house import House
from feltworks.floor.journal.position import read_checkpoint
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.verification.verify import verify
from feltworks.web import hub as hub_module
from feltworks.web.demo import TABLES
from feltworks.web.hub import Hub
from tests.cli.support import felt
from tests.floor.employing import one_of
from tests.floor.sitting import bands, in_between, one_for_the_money
from tests.floor.wall_clock import WallClock
from tests.floor.world import KEYS
from tests.web.robots import ServerProcess


class Evening:
    """A house with two tables, where a round is played, and a copy of the code that the test may change."""

    def __init__(self, path: Path) -> None:
        self.path, self.clock = path, WallClock()
        self.start()
        self.house.open_table(one_for_the_money())
        self.house.open_table(in_between())
        self.player, _ = self.house.people.guest()

    def start(self) -> None:
        self.house = House(Store(self.path), KEYS, self.clock.steady())

    def restart(self) -> None:
        code_check.loaded_code.cache_clear()
        self.house.close()
        self.start()

    def check(self) -> None:
        self.house.code_check.note(self.house.code_check.look()())

    def is_asked(self) -> None:
        """A round is being played."""
        self.house.command("money", self.player, cmd.Sit(2))
        while not self.house.live("money").table.betting:
            self.deal()
        self.house.command("money", self.player, cmd.Place("ante", 500))
        self.house.command("money", self.player, cmd.Ready())
        while not self.house.live("money").table.to_act:
            self.deal()

    def deal(self) -> None:
        due = self.house.due("money")
        assert due is not None
        self.house.deal_on("money", due.doing)

    def checks(self) -> list[CodeChecked]:
        records = self.house.store.read(HOUSE_STREAM)
        found = [decode_event(HOUSE_STREAM, record.event) for record in records]
        return [event for event in found if isinstance(event, CodeChecked)]

    def service(self) -> dict[str, str]:
        return {name: live.table.service for name, live in self.house.tables.items()}


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of what is hashed, for the test to change; it is loaded when a house starts."""
    for part, folder in code_check.PARTS.items():
        shutil.copytree(folder, tmp_path / "code" / part, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(code_check, "PARTS", {part: tmp_path / "code" / part for part in code_check.PARTS})
    code_check.loaded_code.cache_clear()
    yield tmp_path / "code"
    code_check.loaded_code.cache_clear()


@pytest.fixture
def evening(tmp_path: Path, code: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "records.db")
    yield evening
    evening.house.close()


def changed(path: Path) -> None:
    path.write_text(path.read_text() + "\n# another line\n")


@pytest.mark.rule("F-39")
def test_what_was_hashed_is_an_event_with_the_hashes_of_the_code_and_of_every_definition(evening: Evening) -> None:
    evening.check()
    (found,) = evening.checks()
    assert found.code == hash_code() and set(found.code) == {"kit", "games", "floor"}
    assert found.definitions == {
        name: live.table.settings.load_game().fingerprint["definition"] for name, live in evening.house.tables.items()
    }
    assert (found.changed, found.differing) == ((), ())
    assert evening.service() == {"money": "open", "between": "open"}
    assert evening.house.due_items() == []


@pytest.mark.rule("F-39")
@pytest.mark.parametrize(
    "part", ["kit/odds.py", "games/yo/rules.py", "games/yo/game.toml", "floor/chance/generator.py"]
)
def test_files_that_were_changed_under_a_running_house_let_the_round_end_and_start_no_other(
    evening: Evening, code: Path, part: str
) -> None:
    evening.is_asked()
    changed(code / part)
    evening.check()
    house = evening.house
    assert evening.checks()[-1].changed == (part.partition("/")[0],)
    assert evening.service() == {"money": "closing", "between": "closed"}
    why = house.live("money").table.service_reason
    assert f"not those that the house was started with ({part.partition('/')[0]}). Put the approved files back" in why
    house.command("money", evening.player, cmd.Choose("check"))
    while house.due("money") is not None:
        evening.deal()
    assert evening.service() == {"money": "closed", "between": "closed"}
    for table in house.tables:
        with pytest.raises(Refused, match="Put the approved files back and start the house again"):
            house.reopen_table(table, one_of(house, Role.MANAGER))
    with pytest.raises(Refused, match="Put the approved files back"):
        house.open_table(msgspec.structs.replace(one_for_the_money(), id="another"))
    assert verify(evening.path, KEYS.public).problems == []


@pytest.mark.rule("F-39")
def test_after_a_restart_with_files_that_match_a_manager_reopens_the_tables(evening: Evening, code: Path) -> None:
    evening.check()
    changed(code / "kit" / "odds.py")
    evening.check()
    evening.restart()
    with pytest.raises(Refused, match="Put the approved files back"):
        evening.house.reopen_table("money", one_of(evening.house, Role.MANAGER))  # nobody has looked yet
    evening.check()
    assert evening.service() == {"money": "closed", "between": "closed"}
    for table in evening.house.tables:
        evening.house.reopen_table(table, one_of(evening.house, Role.MANAGER))
    evening.is_asked()
    assert evening.service() == {"money": "open", "between": "open"}
    assert [bool(event.changed) for event in evening.checks()] == [False, True, False]
    assert verify(evening.path, KEYS.public).problems == []


@pytest.mark.rule("F-39")
def test_files_that_are_put_back_while_the_house_runs_let_the_tables_be_reopened(evening: Evening, code: Path) -> None:
    text = (code / "kit" / "odds.py").read_bytes()
    changed(code / "kit" / "odds.py")
    evening.check()
    (code / "kit" / "odds.py").write_bytes(text)
    evening.check()
    evening.house.reopen_table("money", one_of(evening.house, Role.MANAGER))
    assert evening.service() == {"money": "open", "between": "closed"}


@pytest.mark.rule("F-39")
def test_a_file_that_is_gone_or_cannot_be_read_is_a_difference(
    evening: Evening, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (code / "kit" / "odds.py").unlink()
    (code / "kit" / "odds.py").symlink_to(code)
    shutil.rmtree(code / "floor")
    evening.check()
    assert evening.checks()[-1].changed == ("floor", "kit")

    def broken(*_: object) -> str:
        raise OSError("the disk does not answer")

    monkeypatch.setattr(code_check, "folders_hash", broken)
    evening.check()
    assert evening.checks()[-1].changed == ("floor", "games", "kit")


@pytest.mark.rule("F-39")
def test_a_definition_that_is_not_the_one_a_table_was_opened_with_stops_that_table_alone(evening: Evening) -> None:
    found = evening.house.code_check.look()()
    evening.house.code_check.note(msgspec.structs.replace(found, definitions={**found.definitions, "between": "other"}))
    assert evening.service() == {"money": "open", "between": "closed"}
    why = evening.house.live("between").table.service_reason
    assert why.startswith("The definition of its game on this machine is not the one that the table was opened with.")
    with pytest.raises(Refused, match="is not the one that the table was opened with"):
        evening.house.reopen_table("between", one_of(evening.house, Role.MANAGER))
    fewer = msgspec.structs.replace(in_between(), seats=2)
    with pytest.raises(Refused, match="is not the one that the table was opened with"):  # nor read anew by a change
        evening.house.change_settings("between", fewer, one_of(evening.house, Role.MANAGER))
    assert [item.about for item in evening.house.due_items()] == ["the definition of table between"]


@pytest.mark.rule("F-39")
@pytest.mark.parametrize("settings", TABLES, ids=lambda settings: settings.id)
def test_the_definition_on_the_disk_is_found_without_running_the_rules(settings: TableSettings, tmp_path: Path) -> None:
    house = House(Store(tmp_path / "r.db"), KEYS, lambda: 1_000)
    house.open_table(settings)
    ((name, live),) = house.tables.items()
    table = live.table
    assert definition_on_disk(table) == table.game.fingerprint["definition"]
    assert look(hash_code(), {name: table}).definitions == {name: table.game.fingerprint["definition"]}
    copy = shutil.copytree(table.game.folder, tmp_path / table.game.folder.name)
    toml = copy / "game.toml"
    elsewhere = replace(table, game=replace(table.game, folder=copy))
    toml.write_text(toml.read_text().replace(' to 1"', ' to 3"'))
    assert definition_on_disk(elsewhere) != table.game.fingerprint["definition"]
    toml.write_text("nothing that could be read")
    assert definition_on_disk(elsewhere) == ""
    house.close()


@pytest.fixture
def other_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that announces a game, whose rules import a module beside its folder."""
    place, toy = tmp_path / "installed" / "their_games", Path(__file__).parent.parent / "toys" / "bands"
    shutil.copytree(toy, place / "bands", ignore=shutil.ignore_patterns("__pycache__"))
    rules = place / "bands" / "rules.py"
    rules.write_text(f"{rules.read_text()}\nfrom their_games import shared as shared\n")
    for name in ("__init__.py", "bands/__init__.py", "shared.py", "odds.dat"):
        (place / name).write_text("")
    info = place.parent / "their_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[feltworks.games]\nbands = their_games.bands\n")
    monkeypatch.syspath_prepend(place.parent)
    games._places.cache_clear()
    code_check.loaded_code.cache_clear()
    yield place
    games._places.cache_clear()
    code_check.loaded_code.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "their_games"]:
        del sys.modules[name]


@pytest.mark.rule("F-39")
@pytest.mark.parametrize("file", ["bands/rules.py", "bands/game.toml", "shared.py", "odds.dat", "bands/new.py"])
@pytest.mark.parametrize("is_open", [True, False], ids=["at a table", "at none"])
def test_the_files_of_a_game_that_another_package_brings_are_looked_at_too(
    other_package: Path, evening: Evening, file: str, is_open: bool
) -> None:
    if is_open:
        evening.house.open_table(bands())
    evening.check()
    (found,) = evening.checks()
    assert set(found.code) == {"kit", "games", "floor", "game bands"} and found.changed == ()
    path = other_package / file
    path.write_text(f"{path.read_text() if path.is_file() else ''}\n# another line\n")
    if not is_open:
        evening.house.open_table(bands())
    evening.check()
    assert evening.checks()[-1].changed == ("game bands",)
    assert set(evening.service().values()) == {"closed"}
    assert "started with (game bands)" in evening.house.live("bands").table.service_reason
    with pytest.raises(Refused, match="Put the approved files back"):
        evening.house.reopen_table("bands", one_of(evening.house, Role.MANAGER))


@pytest.mark.rule("F-39", "F-38")
def test_a_difference_is_due_to_be_reported_once(evening: Evening, code: Path) -> None:
    changed(code / "kit" / "odds.py")
    evening.check()
    evening.check()
    (item,) = evening.house.due_items()
    assert item.what == "Report that the program's files were not those that are approved"
    assert item.about == "kit"


@pytest.mark.rule("F-39")
def test_the_code_is_due_to_be_looked_at_when_a_house_starts_and_before_24_hours_are_over(evening: Evening) -> None:
    assert CHECK_EVERY < 24 * 3_600_000
    due = [evening.house.code_check.is_due]
    evening.check()
    for wait in (0, CHECK_EVERY - 1, 2):
        evening.clock.goes_on(wait)
        due.append(evening.house.code_check.is_due)
    assert due == [True, False, False, True]


@pytest.mark.rule("F-39")
def test_what_could_not_be_written_is_looked_at_again(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(evening.house.store, "write", full)
        with pytest.raises(OSError, match="no space left"):
            evening.check()
    assert evening.checks() == []
    due = [evening.house.code_check.is_due]
    evening.check()
    assert [*due, evening.house.code_check.is_due] == [True, False]


@pytest.mark.rule("F-39")
def test_a_hub_looks_by_itself_and_closes_what_differs(
    evening: Evening, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "LOOK_AT_CODE", 0.001)

    async def serve() -> None:
        hub = Hub(evening.house)
        hub.start()
        while len(evening.checks()) < 1:
            await asyncio.sleep(0.001)
        changed(code / "kit" / "odds.py")
        evening.clock.goes_on(CHECK_EVERY + 1)
        while len(evening.checks()) < 2:
            await asyncio.sleep(0.001)
        await hub.stop()

    asyncio.run(asyncio.wait_for(serve(), 60))
    assert [event.changed for event in evening.checks()] == [(), ("kit",)]
    assert evening.service() == {"money": "closed", "between": "closed"}


@pytest.mark.rule("F-39")
def test_a_house_that_is_served_looks_at_its_start(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, tables=[one_for_the_money()]):
        pass
    assert felt("verify", "--data", str(tmp_path)).exit_code == 0
    with Store(tmp_path / "records.db") as store:
        found = [decode_event(HOUSE_STREAM, record.event) for record in store.read(HOUSE_STREAM)]
    (event,) = (event for event in found if isinstance(event, CodeChecked))
    assert event.code == hash_code() and set(event.definitions) == {"money"}


def test_a_checkpoint_from_before_these_fields_is_read(evening: Evening, code: Path) -> None:
    changed(code / "kit" / "odds.py")
    evening.check()
    position = evening.house.journal.position
    data = position.checkpoint(KEYS)
    held = read_checkpoint(position.id, data, KEYS.public)
    assert held is not None and held.house == position.house
    assert held.house.is_other_code and isinstance(next(iter(held.house.due.values())), BecameDue)
    assert msgspec.convert({"admitted": 3}, Administration) == Administration(3)
