"""The house's keys: what they seal opens in its own place and unchanged, or not at all; what they sign nobody else can;
and they are changed by a commit that the old one signs."""

import os
import shutil
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor.data_folder import KEYS as KEY_FILE
from feltworks.floor.data_folder import PUBLIC, RECORDS
from feltworks.floor.journal import journal as journal_module
from feltworks.floor.journal.journal import Journal, OldKey
from feltworks.floor.keys import (
    BadKeyFile,
    BadSeal,
    Keys,
    adopt_renewed,
    check_signature,
    load_keys,
    publish,
    read_public,
    renewed_keys,
)
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.verification.verify import verify
from feltworks.web import serving
from feltworks.web.serving import change_key, open_house
from tests.children import child
from tests.floor.forging import in_hand
from tests.floor.sitting import in_between
from tests.kit.support import one_sentence

KEYS = Keys(bytes(range(32)), bytes(range(32, 64)))
SECRET, CONTEXT = b"the seed of a shoe", "table 3 round 17"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.keys"


def one_bit_off(data: bytes) -> list[bytes]:
    """The same bytes with one bit changed, for each bit."""
    number = int.from_bytes(data, "big")
    return [(number ^ (1 << bit)).to_bytes(len(data), "big") for bit in range(8 * len(data))]


def only_sentence(error: BaseException) -> str:
    """The message of an error that tells nothing else: not what was found, nor what failed underneath."""
    assert error.__context__ is None or error.__suppress_context__
    return one_sentence(error)


def refused(keys: Keys, sealed: bytes, context: str = CONTEXT) -> str:
    with pytest.raises(BadSeal) as refusal:
        keys.unseal(sealed, context)
    return only_sentence(refusal.value)


# Sealing.


@pytest.mark.rule("F-17")
@given(st.binary(max_size=200), st.text(max_size=30))
def test_what_was_sealed_is_unsealed_in_its_own_context(secret: bytes, context: str) -> None:
    sealed = KEYS.seal(secret, context)
    assert KEYS.unseal(sealed, context) == secret
    assert len(sealed) == 12 + len(secret) + 16


@pytest.mark.rule("F-14")
def test_the_same_secret_is_never_sealed_to_the_same_bytes_and_never_shows() -> None:
    sealed = [KEYS.seal(SECRET, CONTEXT) for _ in range(200)]
    assert len({one[:12] for one in sealed}) == len({one[12:] for one in sealed}) == 200
    assert not any(SECRET in one for one in sealed)


def test_another_key_file_does_not_unseal() -> None:
    other = Keys(bytes(32), bytes(range(32, 64)))
    assert refused(other, KEYS.seal(SECRET, CONTEXT)) == (
        "The secret of table 3 round 17 stays sealed: this is another key file, or the record was changed."
    )


@pytest.mark.parametrize("context", ["", "table 3 round 18", "table 3 round 17 ", "Table 3 round 17"])
def test_a_sealed_record_does_not_stand_in_for_another(context: str) -> None:
    refused(KEYS, KEYS.seal(SECRET, CONTEXT), context)


def test_no_bit_of_a_sealed_record_can_be_changed() -> None:
    sealed = KEYS.seal(SECRET, CONTEXT)
    for changed in one_bit_off(sealed):
        refused(KEYS, changed)


@pytest.mark.parametrize("length", [0, 1, 7, 11, 12, 13, 27, 28, 45])
def test_a_sealed_record_cut_short_is_refused(length: int) -> None:
    refused(KEYS, KEYS.seal(SECRET, CONTEXT)[:length])


# Signing.


@pytest.mark.rule("F-16")
@given(st.binary(max_size=200))
def test_a_signature_holds_for_its_message_and_its_signer(message: bytes) -> None:
    signature = KEYS.sign(message)
    assert check_signature(KEYS.public, message, signature)
    assert not check_signature(KEYS.public, message + b"\0", signature)
    assert not check_signature(Keys(bytes(32), bytes(32)).public, message, signature)


def test_no_bit_of_a_signed_message_or_its_signature_can_be_changed() -> None:
    message = b"head of table 3"
    signature = KEYS.sign(message)
    assert not any(check_signature(KEYS.public, changed, signature) for changed in one_bit_off(message))
    assert not any(check_signature(KEYS.public, message, changed) for changed in one_bit_off(signature))


@pytest.mark.parametrize("public", ["", "00", "xy" * 32, "00" * 31, "00" * 33, "ä" * 64])
def test_what_is_no_public_key_has_signed_nothing(public: str) -> None:
    assert not check_signature(public, b"", KEYS.sign(b""))


@pytest.mark.parametrize("length", [0, 63, 65])
def test_what_is_no_signature_signs_nothing(length: int) -> None:
    assert not check_signature(KEYS.public, b"", (KEYS.sign(b"") + b"\0")[:length])


def test_signatures_are_those_of_rfc_8032() -> None:
    """Section 7.1, test 2."""
    keys = Keys(bytes(32), bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    assert keys.public == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    assert keys.sign(b"\x72").hex() == (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )


# The key file.


def test_the_first_use_makes_the_file_and_the_next_uses_it(path: Path) -> None:
    first, again = load_keys(path), load_keys(path)
    assert again.public == first.public
    assert again.unseal(first.seal(SECRET, CONTEXT), CONTEXT) == SECRET
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == [path.name]


def test_each_house_has_its_own_keys(tmp_path: Path) -> None:
    one, other = load_keys(tmp_path / "one"), load_keys(tmp_path / "other")
    assert one.public != other.public
    refused(other, one.seal(SECRET, CONTEXT))


def test_the_file_is_for_its_owner_alone_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        load_keys(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o620, 0o604, 0o602, 0o610, 0o644, 0o666, 0o777])
def test_a_file_open_to_others_is_refused(path: Path, mode: int) -> None:
    load_keys(path)
    path.chmod(mode)
    assert told(path) == f"The key file {path} is open to others; run chmod 600 {path} and start again."
    path.chmod(0o400)
    load_keys(path)


def told(path: Path) -> str:
    with pytest.raises(BadKeyFile) as refusal:
        load_keys(path)
    return only_sentence(refusal.value)


MALFORMED: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda held: b"",
    "cut short": lambda held: held[:100],
    "without its first byte": lambda held: held[1:],
    "not text": lambda held: b"\xff\xfe" + held,
    "not text inside": lambda held: held.replace(b'"sealing":"', b'"sealing":"\xff'),
    "one digit less": lambda held: held.replace(b'"}', b"0", 1),
    "one digit more": lambda held: held.replace(b'"}', b'0"}'),
    "in capitals": lambda held: held.upper(),
    "another kind": lambda held: held.replace(b"feltworks 1", b"feltworks 2"),
    "with something else": lambda held: held.replace(b"{", b'{"else":1,'),
    "without a key": lambda held: held.replace(b"signing", b"singing"),
    "twice": lambda held: held + held,
    "a list": lambda held: b"[" + held + b"]",
}


@pytest.mark.parametrize("words", MALFORMED)
def test_a_malformed_file_is_refused_and_stays_as_it_is(path: Path, words: str) -> None:
    load_keys(path)
    malformed = MALFORMED[words](path.read_bytes())
    path.write_bytes(malformed)
    assert told(path) == f"{path} is not a whole key file; put your copy of it back."
    assert path.read_bytes() == malformed


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "house.keys"
    assert told(path) == f"The key file {path} cannot be used: No such file or directory."
    assert told(tmp_path) == f"The key file {tmp_path} cannot be used: Is a directory."


@pytest.mark.parametrize("call", ["fsync", "link"])
def test_a_first_use_that_fails_leaves_nothing_behind(path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        assert told(path) == f"The key file {path} cannot be used: No space left on device."
    assert os.listdir(path.parent) == []
    load_keys(path)


def test_whoever_comes_second_takes_the_keys_of_the_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process makes the file between this one's look and its own file."""
    link, first = os.link, []

    def slowly(draft: str, name: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        first.append(load_keys(path).public)
        link(draft, name)

    monkeypatch.setattr(os, "link", slowly)
    assert [load_keys(path).public] == first
    assert os.listdir(path.parent) == [path.name]


def test_all_who_come_first_at_once_get_the_same_keys(tmp_path: Path) -> None:
    for n in range(10):
        path, start = tmp_path / f"{n}.keys", Barrier(8)

        def load(path: Path = path, start: Barrier = start) -> str:
            start.wait()
            return load_keys(path).public

        with ThreadPoolExecutor(8) as pool:
            assert len({each.result() for each in [pool.submit(load) for _ in range(8)]}) == 1
    assert len(os.listdir(tmp_path)) == 10


def test_processes_that_come_first_at_once_get_the_same_keys(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from feltworks.floor.keys import load_keys;"
        "sys.stdin.readline(); print(load_keys(Path(sys.argv[1])).public)"
    )
    with ExitStack() as stack:
        started = [stack.enter_context(child("-c", code, str(path))) for _ in range(4)]
        said = [process.communicate("go\n")[0] for process in started]
    assert len(set(said)) == 1 and said[0].strip() == load_keys(path).public


@pytest.mark.rule("F-16")
def test_a_file_that_is_missing_is_not_made_anew_where_records_exist(path: Path) -> None:
    with pytest.raises(BadKeyFile) as refusal:
        load_keys(path, new=False)
    assert str(refusal.value) == (
        f"The key file {path} is missing, and there are records that it signed. Put your copy of it back, or say with"
        " --house-key where it lies; no new one is made for old records."
    )
    assert os.listdir(path.parent) == []


@pytest.mark.rule("F-14")
def test_keys_print_their_public_half_only(path: Path) -> None:
    keys = load_keys(path)
    shown = f"{keys} {keys!r} {[keys]}"
    assert shown == " ".join([f"<Keys of {keys.public}>"] * 2 + [f"[<Keys of {keys.public}>]"])
    assert keys.public not in path.read_text()


# The public key.


def test_the_public_key_is_written_down_once_and_must_stay_the_same(path: Path, tmp_path: Path) -> None:
    keys, public = load_keys(path), tmp_path / "house.public"
    publish(keys, public)
    publish(keys, public)
    assert read_public(public) == keys.public
    assert stat.S_IMODE(public.stat().st_mode) == 0o644
    with pytest.raises(BadKeyFile, match="names another key than the key file beside it"):
        publish(KEYS, public)
    assert read_public(public) == keys.public
    publish(KEYS, public, anew=True)
    assert read_public(public) == KEYS.public


@pytest.mark.parametrize("content", ["", "00", "z" * 64, "Dear house", "ä" * 64])
def test_what_is_no_public_key_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "public").write_text(content)
    with pytest.raises(BadKeyFile, match="holds no public key: that is 64 digits and letters from a to f"):
        read_public(tmp_path / "public")
    with pytest.raises(BadKeyFile, match="cannot be read: No such file"):
        read_public(tmp_path / "nothing")


# Changing the key.


def test_renewed_keys_seal_as_before_and_sign_anew(path: Path) -> None:
    old = load_keys(path)
    new = renewed_keys(path)
    assert new.public != old.public
    assert new.unseal(old.seal(SECRET, CONTEXT), CONTEXT) == SECRET
    assert load_keys(path).public == old.public
    assert stat.S_IMODE(path.with_name("house.keys.new").stat().st_mode) == 0o600
    adopt_renewed(path, new)
    assert load_keys(path).public == new.public
    assert load_keys(path).unseal(old.seal(SECRET, CONTEXT), CONTEXT) == SECRET
    assert os.listdir(path.parent) == ["house.keys"]  # of the old key nothing is left for anybody to find


@pytest.mark.rule("F-16")
def test_renewed_keys_are_those_that_were_made_whatever_lies_in_their_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who may write into the folder puts a key file of their own there as soon as they see the name."""
    load_keys(path)
    theirs = path.parent / "theirs"
    load_keys(theirs)
    put_there = os.replace

    def raced(source: str, target: Path) -> None:
        put_there(source, target)
        if str(target).endswith(".new"):
            shutil.copy(theirs, target)

    monkeypatch.setattr(os, "replace", raced)
    new = renewed_keys(path)
    assert new.public != load_keys(theirs).public
    monkeypatch.undo()
    adopt_renewed(path, new)
    assert load_keys(path).public == new.public


def test_keys_that_cannot_be_renewed_stay(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = load_keys(path)
    with pytest.raises(BadKeyFile, match="cannot be changed: No such file"):
        renewed_keys(tmp_path / "nothing")
    with pytest.raises(BadKeyFile, match="cannot be changed: No such file"):
        adopt_renewed(tmp_path / "nothing", old)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(BadKeyFile, match="cannot be changed: No space left on device"):
            renewed_keys(path)
    assert os.listdir(path.parent) == [path.name]


def problems(folder: Path, public: str) -> list[str]:
    return verify(folder / RECORDS, public).problems


@pytest.mark.rule("F-16")
def test_the_old_key_signs_the_change_and_the_new_one_what_follows(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    old = house.keys
    house.open_table(in_between())
    player, token = house.people.guest()
    house.command("between", player, cmd.Sit(1))
    house.deal_on("between", "start round")
    change_key(house, tmp_path)
    new = house.keys
    change = house.journal.head
    house.command("between", player, cmd.Place("base", 500))
    after = house.journal.head
    table = house.live("between").table
    house.close()
    assert change is not None and after is not None
    assert (change.is_signed_by(old.public), change.is_signed_by(new.public)) == (True, False)
    assert (after.is_signed_by(old.public), after.is_signed_by(new.public)) == (False, True)
    assert read_public(tmp_path / PUBLIC) == new.public
    assert load_keys(tmp_path / KEY_FILE).public == new.public
    assert problems(tmp_path, old.public) == problems(tmp_path, new.public) == []
    assert problems(tmp_path, KEYS.public) == [f"The house's key, {KEYS.public}, never signed these records."]
    again = open_house(tmp_path)
    assert not again.fault
    assert again.people.player_of(token) == player
    assert again.live("between").table == table
    again.command("between", player, cmd.Ready())
    again.deal_on("between", "answer")
    again.close()
    assert problems(tmp_path, old.public) == problems(tmp_path, new.public) == []


@pytest.mark.rule("F-16")
def test_a_change_of_the_key_counts_before_anything_follows_it(tmp_path: Path) -> None:
    """And it is followed by another one, and by a start in between, with and without the checkpoint."""
    keys = []
    for n in range(3):
        house = open_house(tmp_path)
        assert not house.fault
        if not n:
            house.people.guest()
            keys.append(house.keys.public)
        change_key(house, tmp_path)
        keys.append(house.keys.public)
        house.close()
        for public in keys:
            assert problems(tmp_path, public) == []
    assert len(set(keys)) == 4
    house = open_house(tmp_path)
    house.people.guest()
    house.close()
    with in_hand(tmp_path / RECORDS) as file:
        file.execute("DELETE FROM checkpoints")
    house = open_house(tmp_path)
    assert not house.fault
    house.close()
    for public in keys:
        assert problems(tmp_path, public) == []


@pytest.mark.rule("F-16")
def test_the_old_key_signs_nothing_after_the_change(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    house.people.guest()
    old = (tmp_path / KEY_FILE).read_bytes()
    change_key(house, tmp_path)
    house.people.guest()
    house.close()
    (tmp_path / KEY_FILE).write_bytes(old)
    before = (tmp_path / RECORDS).read_bytes()
    with pytest.raises(BadKeyFile, match="is not the one that signed these records"):
        open_house(tmp_path)
    (tmp_path / PUBLIC).unlink()
    house = open_house(tmp_path)
    assert house.fault
    with pytest.raises(Refused):
        house.people.guest()
    house.close()
    assert (tmp_path / RECORDS).read_bytes() == before


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("dies_at", ["the checkpoint", "the public key", "the key file", "the end"])
def test_a_change_of_the_key_that_was_interrupted_is_finished_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies_at: str
) -> None:
    """The power fails after the commit that the old key signs, and before the files are changed."""
    house = open_house(tmp_path)
    old, (player, token) = house.keys.public, house.people.guest()

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if dies_at == "the checkpoint":
            patch.setattr(Journal, "save", dies)
        elif dies_at == "the public key":
            patch.setattr(serving, "publish", dies)
        elif dies_at == "the key file":
            patch.setattr(serving, "adopt_renewed", dies)
        else:
            patch.setattr("feltworks.floor.keys._sync", _dies_after_adoption(dies))
        with pytest.raises(KeyboardInterrupt):
            change_key(house, tmp_path)
    house.store.close()
    adopted = load_keys(tmp_path / KEY_FILE).public != old
    assert adopted == (dies_at == "the end")
    again = open_house(tmp_path)
    assert not again.fault
    new = again.keys.public
    assert new != old
    assert load_keys(tmp_path / KEY_FILE).public == read_public(tmp_path / PUBLIC) == new
    assert not (tmp_path / f"{KEY_FILE}.new").exists()
    assert again.people.player_of(token) == player
    again.people.guest()
    again.close()
    assert problems(tmp_path, old) == problems(tmp_path, new) == []
    open_house(tmp_path).close()


def _dies_after_adoption(dies: Callable[[], None]) -> Callable[[Path], None]:
    """The names of the files are put on the disk when the draft is written, then the public key, then at the end."""
    times = iter((False, False, True))

    def sync(_: Path) -> None:
        if next(times):
            dies()

    return sync


@pytest.mark.rule("F-16")
def test_a_change_of_the_key_that_was_never_committed_is_not_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power fails before the commit, or somebody lays a key file of their own there."""
    house = open_house(tmp_path)
    old = house.keys.public
    house.people.guest()
    renewed_keys(tmp_path / KEY_FILE)
    house.store.close()
    again = open_house(tmp_path)
    assert (again.fault, again.keys.public) == ("", old)
    again.people.guest()
    again.close()
    assert load_keys(tmp_path / KEY_FILE).public == read_public(tmp_path / PUBLIC) == old
    assert problems(tmp_path, old) == []


@pytest.mark.rule("F-16")
def test_a_house_does_not_go_on_with_the_old_key_where_the_new_one_is_missing(tmp_path: Path) -> None:
    """The change was committed and the new key file is lost: nothing may be written that nobody could check."""
    house = open_house(tmp_path)
    house.people.guest()
    keys = renewed_keys(tmp_path / KEY_FILE)
    house.change_keys(keys)
    house.store.close()
    (tmp_path / f"{KEY_FILE}.new").unlink()
    again = open_house(tmp_path)
    assert "The house's key was changed, and the key file is still the old one" in again.fault
    again.close()
    with Store(tmp_path / RECORDS) as store, pytest.raises(OldKey):
        Journal(store, load_keys(tmp_path / KEY_FILE))
    assert not journal_module.finish_key_change(Store(tmp_path / RECORDS), load_keys(tmp_path / KEY_FILE), KEYS)


@pytest.mark.rule("F-16")
def test_a_house_without_its_key_file_does_not_start_and_makes_none(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    house.people.guest()
    house.close()
    elsewhere = tmp_path / "elsewhere.key"
    (tmp_path / KEY_FILE).replace(elsewhere)
    with pytest.raises(BadKeyFile, match="is missing, and there are records that it signed"):
        open_house(tmp_path)
    assert not (tmp_path / KEY_FILE).exists()
    house = open_house(tmp_path, elsewhere)
    assert not house.fault
    change_key(house, tmp_path, elsewhere)
    house.close()
    assert load_keys(elsewhere).public == read_public(tmp_path / PUBLIC)
    assert not (tmp_path / KEY_FILE).exists()
    house = open_house(tmp_path, elsewhere)
    assert not house.fault
    house.close()


@pytest.mark.rule("F-16")
def test_a_house_with_another_houses_key_file_is_refused_and_goes_on_with_its_own(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    house.people.guest()
    house.close()
    own = (tmp_path / KEY_FILE).read_bytes()
    (tmp_path / KEY_FILE).unlink()
    load_keys(tmp_path / KEY_FILE)
    with pytest.raises(BadKeyFile, match="is not the one that signed these records"):
        open_house(tmp_path)
    (tmp_path / PUBLIC).unlink()
    house = open_house(tmp_path)
    assert "are not signed with the key" in house.fault
    house.close()
    assert not (tmp_path / PUBLIC).exists()
    (tmp_path / KEY_FILE).write_bytes(own)
    house = open_house(tmp_path)
    assert not house.fault
    house.people.guest()
    house.close()
