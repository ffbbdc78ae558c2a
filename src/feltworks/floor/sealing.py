"""The house's keys, in a file outside the database: what seals secrets at rest, and what signs records.

A database without its key file shows no shoe and no dice (F-14); with it, a killed round resumes (F-17).
Sealed bytes are a random nonce of 12 bytes and the AES-256-GCM ciphertext with its tag. The context says
what a secret is for and is authenticated with it, so that no sealed record can stand in for another.
"""

import os
import secrets
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from feltworks.kit.errors import FeltworksError

_NONCE_BYTES = 12
_Key = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class BadSeal(FeltworksError):
    """A sealed record that these keys do not open."""


class BadKeyFile(FeltworksError):
    """A key file that cannot be made, read or trusted."""


class _KeyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="keys", tag="feltworks 1"):
    """What the key file holds: JSON, the keys as 32 bytes in hex."""

    sealing: _Key
    signing: _Key


class Keys:
    """The house's two keys: AES-256-GCM to seal with, Ed25519 to sign with."""

    __slots__ = ("_sealing", "_signing", "public")

    def __init__(self, sealing: bytes, signing: bytes) -> None:
        self._sealing = AESGCM(sealing)
        self._signing = Ed25519PrivateKey.from_private_bytes(signing)
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

    def __repr__(self) -> str:
        return f"<Keys of {self.public}>"


def check_signature(public_hex: str, message: bytes, signature: bytes) -> bool:
    """Whether whoever holds the private half of this public key signed the message."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_hex)).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load_keys(path: Path) -> Keys:
    """The house's keys. The first use makes the file; all who come first at once get the same keys."""
    try:
        with suppress(FileNotFoundError):
            return _read(path)
        _make(path)
        return _read(path)
    except OSError as problem:
        raise BadKeyFile(f"The key file {path} cannot be used: {problem.strerror}.") from None


def publish(keys: Keys, path: Path) -> None:
    """Write the public key down, for everybody to keep elsewhere; the keys of a house are not exchanged later."""
    try:
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
    return Keys(bytes.fromhex(held.sealing), bytes.fromhex(held.signing))


def _make(path: Path) -> None:
    """Fresh keys."""
    held = _KeyFile(secrets.token_hex(32), secrets.token_hex(32))
    _write(path, msgspec.json.encode(held) + b"\n", 0o600)


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
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
