"""`felt serve`, `verify`, `replay` and `backup`: the records, what is kept elsewhere, and what one address may have."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosedError

from feltworks.floor.house import House
from feltworks.floor.keys import load_keys
from feltworks.floor.table import commands as cmd
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.verify import verify
from feltworks.kit.game import Game
from feltworks.web.guard import Allowance, Caps, Door, TooMuch, address_of
from feltworks.web.serving import open_house
from tests.cli.support import felt, read, told
from tests.floor.sitting import one_for_the_money
from tests.web.robots import LocalServer, Robot, ServerProcess, money


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a house in which a round was played and another one voided."""
    house = open_house(tmp_path)
    play(house)
    house.close()
    return tmp_path


def play(house: House) -> None:
    house.open_table(one_for_the_money())
    player, _ = house.people.guest()
    house.command("money", player, cmd.Sit(2))
    for number in (1, 2):
        while not house.live("money").table.betting:
            deal_on(house)
        house.command("money", player, cmd.Place("ante", 500))
        house.command("money", player, cmd.Ready())
        while not house.live("money").table.to_act:
            deal_on(house)
        if number == 2:
            house.void("money", "The lights went out.")
            return
        house.command("money", player, cmd.Choose("check"))


def deal_on(house: House) -> None:
    due = house.due("money")
    assert due is not None
    house.deal_on("money", due.doing)


# Verifying.


@pytest.mark.rule("F-16")
def test_verify_says_what_it_looked_at(data: Path) -> None:
    said = told("verify", "--data", str(data))
    assert "2 rounds, 4 openings, 0 receipts.\n" in said
    assert read("verify", "--data", str(data))["signatures"] == 1  # the last one covers all before it
    assert said.endswith("Everything is in order.\n")
    assert "compare it with the house's" not in said  # the public key lies beside the records


@pytest.mark.rule("F-16")
def test_without_the_public_key_nothing_is_called_in_order(data: Path) -> None:
    (data / "house.public").unlink()
    result = felt("verify", "--data", str(data))
    assert result.exit_code == 1
    assert "in order" not in result.stdout
    assert "Not verified: nothing was checked against the house's key" in result.stdout


@pytest.mark.rule("F-16")
def test_heads_are_exported_and_show_later_that_the_records_are_others(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "heads.json"
    kept.parent.mkdir()
    said = told("verify", "--data", str(data), "--export", str(kept))
    assert f"note: {kept}: the newest signed head, to keep elsewhere.\n" in said
    assert told("verify", "--data", str(data), "--heads", str(kept)).endswith("Everything is in order.\n")
    for gone, wrong in (
        (["records.db"], "wrong: Commit 22 is not what was acknowledged: the records were written anew.\n"),
        (["records.db", "house.key", "house.public"], "wrong: The receipt of commit 22 is not signed by this house.\n"),
    ):
        key = data / "house.key"
        key.write_bytes(key.read_bytes().replace(b',"journal":true', b""))  # by somebody who has the key
        for name in gone:
            (data / name).unlink()
        anew = open_house(data)
        play(anew)
        anew.close()
        assert felt("verify", "--data", str(data)).exit_code == 0
        result = felt("verify", "--data", str(data), "--heads", str(kept))
        assert result.exit_code == 1
        assert wrong in result.output


@pytest.mark.rule("F-16")
def test_a_receipt_shows_that_the_records_were_cut_after_it_was_given(data: Path, tmp_path: Path) -> None:
    old, kept = tmp_path / "old.db", tmp_path / "receipt.json"
    told("backup", str(old), "--data", str(data))
    house = open_house(data)
    player, _ = house.people.guest()
    receipt = house.command("money", player, cmd.Sit(1), "mine")
    house.close()
    kept.write_bytes(msgspec.json.encode(receipt))
    said = told("verify", "--data", str(data), "--receipt", str(kept))
    assert ", 1 receipt.\n" in said and said.endswith("Everything is in order.\n")
    key = ["--key", str(data / "house.public")]
    assert told("verify", "--file", str(old), *key).endswith("Everything is in order.\n")
    result = felt("verify", "--file", str(old), *key, "--receipt", str(kept))
    assert result.exit_code == 1
    assert re.search(
        r"wrong: Commit \d+ was acknowledged and is not there: the records end with commit 22\.", result.output
    )
    assert result.output.endswith("1 problem found. What to do: docs/records.md.\n")


@pytest.mark.rule("F-16")
def test_a_public_key_that_was_kept_elsewhere_shows_that_another_one_signs(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.public"
    kept.write_bytes((data / "house.public").read_bytes())
    assert told("verify", "--data", str(data), "--key", str(kept)).endswith("Everything is in order.\n")
    kept.write_text("ab" * 32 + "\n")
    result = felt("verify", "--data", str(data), "--key", str(kept))
    assert result.exit_code == 1
    assert "its signature is not the house's" in result.output


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--heads", "holds no signed heads or receipts; give a file that `felt verify --export` wrote"),
        ("--receipt", "holds no signed heads or receipts; give a file that `felt verify --export` wrote"),
        ("--key", "holds no public key: that is 64 digits and letters from a to f"),
        ("--export", "is there already; choose another name for the heads"),
    ],
)
def test_a_file_that_is_something_else_is_refused(data: Path, tmp_path: Path, option: str, said: str) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear house")
    result = felt("verify", "--data", str(data), option, str(letter))
    assert result.exit_code == 2
    assert said in result.stderr
    assert letter.read_text() == "Dear house"


@pytest.mark.rule("F-16")
def test_the_head_that_is_exported_is_the_one_that_was_verified(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever somebody puts in the place of the file right afterwards."""
    records, kept = data / "records.db", tmp_path / "heads.json"

    def verified(*args: Any) -> Report:
        report = verify(*args)
        records.write_bytes(b"something else")
        return report

    whole = records.read_bytes()
    monkeypatch.setattr("feltworks.floor.verification.verify.verify", verified)
    told("verify", "--data", str(data), "--export", str(kept))
    monkeypatch.undo()
    records.write_bytes(whole)
    assert told("verify", "--data", str(data), "--heads", str(kept)).endswith("Everything is in order.\n")


def test_records_with_problems_are_not_exported(data: Path, tmp_path: Path) -> None:
    records = data / "records.db"
    records.write_bytes(records.read_bytes().replace(b'"ante","amount":500', b'"ante","amount":900'))
    result = felt("verify", "--file", str(records), "--export", str(tmp_path / "heads.json"))
    assert result.exit_code == 1
    assert not (tmp_path / "heads.json").exists()


@pytest.mark.rule("F-18")
def test_replay_tells_a_voided_round_as_voided(data: Path) -> None:
    said = told("replay", "money", "--data", str(data))
    assert said.startswith("Recall: table money, round 2, voided, wagers returned; amounts in dollars\n")
    assert "Books: seats 0, house 0; they sum to 0." in said
    assert told("replay", "money", "1", "--data", str(data)).startswith("Recall: table money, round 1; amounts")


def test_a_backup_is_verified_like_any_file(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert "everything is in order" in told("backup", str(copy), "--data", str(data))
    kept = str(data / "house.public")
    assert told("verify", "--file", str(copy), "--key", kept).endswith("Everything is in order.\n")


@pytest.mark.rule("F-16")
def test_an_excerpt_is_written_while_the_house_is_served_and_verifies_offline(tmp_path: Path) -> None:
    house, away = tmp_path / "house", tmp_path / "auditor"
    away.mkdir()
    with ServerProcess(house, tables=[one_for_the_money()]):
        said = told("backup", str(away / "x"), "--data", str(house), "--from", "2000-01-01", "--until", "2999-01-01")
        assert re.search(
            r"x: \d+ commits?, \d+ events?, 2\d{3}-.* UTC to 2\d{3}-.* UTC; everything is in order\.\n", said
        )
        result = felt("backup", str(away / "y"), "--data", str(house), "--until", "2001-01-01T12:00")
        assert result.exit_code == 2
        assert (
            "No commit lies between 1970-01-01 00:00:00 UTC and 2001-01-01 12:00:00 UTC; the records" in result.stderr
        )
    key = ["--key", str(shutil.copy(house / "house.public", away / "kept"))]
    shutil.rmtree(house)
    said = told("verify", "--file", str(away / "x"), *key)
    assert "note: It holds every commit from 2000-01-01 00:00:00 UTC to just before 2999-01-01 00:00:00 UTC" in said
    assert said.endswith("Everything is in order.\n")
    assert read("verify", "--file", str(away / "x"), *key)["ok"]
    assert felt("verify", "--file", str(away / "x")).exit_code == 1  # without the key nothing is called in order
    text = (away / "x").read_bytes()
    (away / "x").write_bytes(text.replace(b"program:house", b"program:mouse", 1))
    result = felt("verify", "--file", str(away / "x"), *key)
    assert result.exit_code == 1 and "wrong: " in result.output
    assert not (away / "y").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "now"], "'now' is no time; write a date such as 2026-11-01"),
        (["--until", "1.1.2027"], "is no time; write a date"),
        (["--from", "2026-11-02", "--until", "2026-11-01"], "give a range that begins before it ends"),
    ],
)
def test_a_range_that_cannot_be_is_refused_in_words(data: Path, tmp_path: Path, options: list[str], said: str) -> None:
    result = felt("backup", str(tmp_path / "x"), "--data", str(data), *options)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "x").exists()


def test_an_excerpt_is_not_checked_against_receipts(data: Path, tmp_path: Path) -> None:
    told("backup", str(tmp_path / "x"), "--data", str(data), "--from", "2000-01-01")
    told("verify", "--data", str(data), "--export", str(tmp_path / "head"))
    result = felt("verify", "--file", str(tmp_path / "x"), "--heads", str(tmp_path / "head"))
    assert result.exit_code == 2
    assert "An excerpt is verified with the public key alone" in result.stderr


# Keys.


@pytest.mark.rule("F-16")
def test_the_public_key_is_written_down_at_the_first_start_and_does_not_change(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    house.close()
    public = tmp_path / "house.public"
    assert public.read_text() == f"{house.keys.public}\n"
    assert public.stat().st_mode & 0o777 == 0o644
    open_house(tmp_path).close()
    (tmp_path / "house.key").unlink()
    result = felt("serve", "--data", str(tmp_path), "--port", "0")
    assert result.exit_code == 2
    assert "is missing, and there are records that it signed. Put your copy of it back" in result.stderr
    load_keys(tmp_path / "house.key")
    result = felt("serve", "--data", str(tmp_path), "--port", "0")
    assert result.exit_code == 2
    assert "names another key than the key file beside it; put your copy of that back" in result.stderr


@pytest.mark.rule("F-16")
def test_another_key_file_than_the_one_that_signed_is_refused_and_the_right_one_may_lie_elsewhere(
    data: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "safe" / "house.key"
    elsewhere.parent.mkdir()
    (data / "house.key").rename(elsewhere)
    load_keys(data / "house.key")
    result = felt("serve", "--data", str(data), "--port", "0")
    assert result.exit_code == 2
    assert "is not the one that signed these records" in result.stderr
    assert "say with --house-key where it lies" in result.stderr
    with ServerProcess(data, "--house-key", str(elsewhere)) as server:
        assert re.match(r"The newest record was of [-0-9]+ [:0-9]+ UTC, \d+ seconds ago\.\n", server.said)
        server.join("money", 3)
    assert told("verify", "--data", str(data)).endswith("Everything is in order.\n")


@pytest.mark.rule("F-16")
def test_the_key_is_changed_by_a_start_and_old_receipts_still_hold(data: Path, tmp_path: Path) -> None:
    public = (data / "house.public").read_text()
    kept = tmp_path / "head.json"
    told("verify", "--data", str(data), "--export", str(kept))
    with ServerProcess(data, "--new-key") as server:
        server.join("money", 3)
    assert (data / "house.public").read_text() != public
    said = told("verify", "--data", str(data), "--heads", str(kept))
    assert said.endswith("Everything is in order.\n")


@pytest.mark.rule("F-17")
def test_a_start_says_which_table_is_closed_and_opens_one_in_its_place(data: Path) -> None:
    """Records of a definition that is not installed: the settings of the table, and a fingerprint of yesterday."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "fingerprint", {"definition": "ab" * 32, "build": "cd" * 32})
        house = open_house(data)  # which is closed by what is installed now, as this one closes `money`
        house.open_table(money(id="yesterday"))
        house.close()
    with ServerProcess(data) as server:
        closed = "The table yesterday is closed. It is played by the definition abababababab of one-for-the-money;"
        assert closed in server.said
        assert "`felt serve --successor yesterday` opens one with the same settings." in server.said
    with ServerProcess(data, "--successor", "yesterday") as server:
        assert "opens one with the same settings" not in server.said.partition("The table yesterday")[2].splitlines()[0]
        server.join("yesterday-2", 1).phase("betting")
    said = told("verify", "--data", str(data))
    assert "note: yesterday: not replayed: definition " in said


# What one address may have.


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    monkeypatch.setattr("feltworks.web.app.Caps", lambda: Caps(sockets=2, connects=4, guests=3))
    with LocalServer(tmp_path, [money()]) as server:
        yield server


def test_one_address_makes_only_so_many_guests(server: LocalServer) -> None:
    for _ in range(3):
        server.session()
    form = {"content_type": "application/x-www-form-urlencoded"}
    refused = server.ask("/play", "POST", b"table=money", **form)
    assert refused.status == 429
    assert refused.json == {"detail": "Too many new guests came from your address; come back in 20 minutes."}
    assert 1_190 <= int(refused.headers["retry-after"]) <= 1_201
    assert server.run(lambda house: len(house.store.people())) == 3
    assert server.ask("/").status == 200


def refused(server: LocalServer) -> str:
    """Why a socket is closed as soon as it is open."""
    robot = Robot(server, "money", None, {})
    with pytest.raises(ConnectionClosedError) as closed:
        robot.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013
    assert robot.answers == {None: {"refused": None, "why": closed.value.rcvd.reason}}
    return closed.value.rcvd.reason


def test_one_address_has_only_so_many_sockets_open_and_opens_only_so_many(server: LocalServer) -> None:
    robots = [server.watch("money") for _ in range(2)]
    assert refused(server) == "Your address has too many connections open; close some and come back."
    robots.pop().close()
    while server.run(lambda _: len(server.hub.clients)) > 1:
        pass
    server.watch("money").close()
    assert refused(server) == "Your address connects too often; come back in 16 seconds."
    assert server.run(lambda _: len(server.hub.clients)) <= 2


def test_an_allowance_is_given_back_evenly_and_forgotten_when_it_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    allowance = Allowance(2, 60, lambda: now)
    assert [allowance.take("a"), allowance.take("a"), allowance.take("b")] == [0, 0, 0]
    assert allowance.take("a") == 30
    now = 29.0
    assert allowance.take("a") == pytest.approx(1)
    now = 30.0
    assert allowance.take("a") == 0
    monkeypatch.setattr("feltworks.web.guard.MOST_ADDRESSES", 2)
    now = 60.0
    assert allowance.take("c") == 0
    assert set(allowance._used) == {"a", "c"}


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.0.2.7", 4_000), "192.0.2.7"),
        (("::ffff:192.0.2.7", 4_000), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 4_000), "2001:db8:1:2::/64"),
        (("testclient", 1), "testclient"),
        (None, ""),
    ],
)
def test_an_address_is_one_machine_or_one_household(client: tuple[str, int] | None, address: str) -> None:
    assert address_of({"client": client}) == address


def test_addresses_do_not_take_from_each_other() -> None:
    door = Door(Caps(1, 1, 1))
    for host in ("192.0.2.7", "192.0.2.8"):
        door.guest({"client": (host, 1)})
        with door.socket({"client": (host, 1)}), pytest.raises(TooMuch, match="connects too often"):
            door.socket({"client": (host, 1)}).__enter__()
    assert not door.open
    with pytest.raises(TooMuch, match="Too many new guests"):
        door.guest({"client": ("192.0.2.8", 1)})


@pytest.mark.slow
def test_caps_are_given_on_the_command_line(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--demo", "--guests", "1") as server:
        server.session()
        assert server.ask("/play", "POST", b"table=money").status == 429
    result = felt("serve", "--data", str(tmp_path), "--guests", "0")
    assert result.exit_code == 2
