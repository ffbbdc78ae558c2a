"""The house's keys, in a file outside the database: what seals secrets at rest, and what signs records.

A database without its key file shows no shoe and no dice (F-14); with it, a killed round resumes (F-17).
Sealed bytes are a random nonce of 12 bytes and the AES-256-GCM ciphertext with its tag. The context says
what a secret is for and is authenticated with it, so that no sealed record can stand in for another.
"""

import hmac
import os
import secrets
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Protocol

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from feltworks.kit.errors import FeltworksError

_NONCE_BYTES = 12
_TAG_BYTES = 16
_Key = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class BadSeal(FeltworksError):
    """A sealed record that these keys do not open."""


class BadKeyFile(FeltworksError):
    """A key file that cannot be made, read or trusted."""


class _KeyFile(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="keys", tag="feltworks 1"
):
    """What the key file holds: JSON, the keys as 32 bytes in hex."""

    sealing: _Key
    signing: _Key
    journal: bool = False
    """Whether these keys have begun a journal: then no older records, and no empty file, take its place."""


class Signer(Protocol):
    """The house's key: `public` is told to everybody, in hex."""

    @property
    def public(self) -> str: ...

    def sign(self, message: bytes) -> bytes: ...

    def tag(self, message: bytes) -> bytes:
        """What nobody can say of a message without the key, and whoever has it says again."""
        ...


class Keys:
    """The house's two keys: AES-256-GCM to seal with, Ed25519 to sign with, and HMAC-SHA256 under what follows from
    each of them."""

    __slots__ = ("_sealing", "_sharing", "_signing", "_tagging", "has_journal", "public")

    def __init__(self, sealing: bytes, signing: bytes, has_journal: bool = False) -> None:
        self.has_journal = has_journal
        """Whether records of this version were signed with these keys."""
        self._sealing = AESGCM(sealing)
        self._signing = Ed25519PrivateKey.from_private_bytes(signing)
        self._tagging = hmac.digest(signing, b"feltworks tags 1", "sha256")
        self._sharing = hmac.digest(sealing, b"feltworks shares 1", "sha256")
        self.public = self._signing.public_key().public_bytes_raw().hex()

    def seal(self, secret: bytes, context: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._sealing.encrypt(nonce, secret, context.encode())

    def unseal(self, sealed: bytes, context: str) -> bytes:
        nonce, ciphertext = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return self._sealing.decrypt(nonce, ciphertext, context.encode())
        except (InvalidTag, ValueError):
            raise BadSeal(
                f"The secret of {context} stays sealed: this is another key file, or the record was changed."
            ) from None

    def sign(self, message: bytes) -> bytes:
        return self._signing.sign(message)

    def tag(self, message: bytes) -> bytes:
        return hmac.digest(self._tagging, message, "sha256")[:_TAG_BYTES]

    def share_tag(self, message: bytes) -> bytes:
        """The same for links that are handed to others. They follow from the sealing key, and so they still open after
        the house has begun to sign with another one."""
        return hmac.digest(self._sharing, message, "sha256")[:_TAG_BYTES]

    def __repr__(self) -> str:
        return f"<Keys of {self.public}>"


def check_signature(public_hex: str, message: bytes, signature: bytes) -> bool:
    """Whether whoever holds the private half of this public key signed the message."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_hex)).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load_keys(path: Path, new: bool = True, told: Callable[[str], None] = lambda line: None) -> Keys:
    """The house's keys. The first use makes the file, and says so before; unless there are records already: no new keys
    can take the place of those that signed them. All who come first at once get the same keys."""
    try:
        with suppress(FileNotFoundError):
            return _read(path)
        if not new:
            raise BadKeyFile(
                f"The key file {path} is missing, and there are records that it signed. Put your copy of it back, or"
                " say with --house-key where it lies; no new one is made for old records."
            )
        told(
            f"There is no key at {path}: a new one is made there. Keep a copy of it elsewhere; without it the house"
            " cannot go on."
        )
        _make(path)
        return _read(path)
    except OSError as problem:
        raise BadKeyFile(f"The key file {path} cannot be used: {problem.strerror}.") from None


def note_journal(path: Path, keys: Keys) -> None:
    """Write into the key file, which whoever holds the records alone cannot change, that its keys have a journal."""
    if keys.has_journal:
        return
    try:
        content = msgspec.json.decode(path.read_bytes(), type=_KeyFile)
        _replace(path, msgspec.structs.replace(content, journal=True))
    except OSError as problem:
        raise BadKeyFile(f"The key file {path} cannot be changed: {problem.strerror}.") from None
    keys.has_journal = True


def renewed_keys(path: Path) -> Keys:
    """New keys to sign with, in a file beside the old one until the journal says that they are in force. What is sealed
    stays sealed as it was."""
    try:
        sealing = msgspec.json.decode(path.read_bytes(), type=_KeyFile).sealing
        content = _KeyFile(sealing, secrets.token_hex(32), journal=True)
        _replace(path.with_name(f"{path.name}.new"), content)
    except OSError as problem:
        raise BadKeyFile(f"The key file {path} cannot be changed: {problem.strerror}.") from None
    return _keys(content)  # and not what somebody may have put there meanwhile


def adopt_renewed(path: Path, keys: Keys) -> None:
    """The keys that are in force by the journal take the old ones' place, whatever lies in their file by now. There is
    a key file at every moment, and of the old key none is left: whoever finds it could sign with it."""
    try:
        held = msgspec.json.decode(path.read_bytes(), type=_KeyFile)
        _replace(path, _KeyFile(held.sealing, keys._signing.private_bytes_raw().hex(), journal=True))
        path.with_name(f"{path.name}.new").unlink(missing_ok=True)
    except OSError as problem:
        raise BadKeyFile(f"The key file {path} cannot be changed: {problem.strerror}.") from None


def publish(keys: Keys, path: Path, anew: bool = False) -> None:
    """Write the public key down, for everybody to keep elsewhere; `anew` after it was changed."""
    try:
        if anew:
            path.unlink(missing_ok=True)
        if not path.exists():
            _write(path, f"{keys.public}\n".encode(), 0o644)
    except OSError as problem:
        raise BadKeyFile(f"The file {path} cannot be used: {problem.strerror}.") from None
    if read_public(path) != keys.public:
        raise BadKeyFile(f"{path} names another key than the key file beside it; put your copy of that back.")


def read_public(path: Path) -> str:
    """A public key that was written down."""
    try:
        return msgspec.convert(path.read_text("ascii").strip(), _Key)
    except OSError as problem:
        raise BadKeyFile(f"The public key {path} cannot be read: {problem.strerror}.") from None
    except ValueError:
        raise BadKeyFile(f"{path} holds no public key: that is 64 digits and letters from a to f.") from None


def _read(path: Path) -> Keys:
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise BadKeyFile(f"The key file {path} is open to others; run chmod 600 {path} and start again.")
        try:
            held = msgspec.json.decode(file.read(), type=_KeyFile)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise BadKeyFile(f"{path} is not a whole key file; put your copy of it back.") from None
    return _keys(held)


def _keys(content: _KeyFile) -> Keys:
    return Keys(bytes.fromhex(content.sealing), bytes.fromhex(content.signing), content.journal)


def _make(path: Path) -> None:
    """Fresh keys."""
    held = _KeyFile(secrets.token_hex(32), secrets.token_hex(32))
    _write(path, msgspec.json.encode(held) + b"\n", 0o600)


def _replace(path: Path, content: _KeyFile) -> None:
    """A key file in the place of another, as a whole."""
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(content) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
    _sync(path.parent)


def _write(path: Path, data: bytes, mode: int) -> None:
    """A new file, on the disk as a whole before it has its name: nobody ever finds half of it."""
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        os.unlink(draft)
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Put the names of the files in a folder on the disk."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
