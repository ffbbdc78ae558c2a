"""Passwords: hashed with Argon2id, by parameters that may rise (F-13). Hashing takes a processor some tens of
milliseconds on purpose, so whoever serves people does it in a thread, one at a time for each address."""

from dataclasses import dataclass

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError

from feltworks.floor.refusal import Refused

SHORTEST, LONGEST = 10, 200
_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
_NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$" + "A" * 22 + "$" + "A" * 43
"""The hash of no password: whoever has no account takes as long to be refused as whoever has one."""


@dataclass(frozen=True)
class Hashed:
    """A password as it is kept, and how it was hashed, as the journal says it."""

    body: str
    parameters: str


def check_password(password: str, name: str) -> None:
    """Refuse what is no password, and say what would be one."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refused(f"A password has {SHORTEST} to {LONGEST} characters; that one has {len(password):,}.")
    if name and name.casefold() in password.casefold():
        raise Refused("Your name is no part of a good password; choose another.")
    if len(set(password)) < 5:
        raise Refused("A password has at least five different characters; choose another.")


def hashed(password: str) -> Hashed:
    body = _hasher.hash(password)
    return Hashed(body, parameters_of(body))


def parameters_of(body: str) -> str:
    found = extract_parameters(body)
    kind = found.type.name.lower()
    return f"argon2{kind} v={found.version} m={found.memory_cost} t={found.time_cost} p={found.parallelism}"


def is_password(body: str | None, password: str) -> bool:
    """Whether this is the password; it takes as long where there is none."""
    try:
        return _hasher.verify(body or _NOBODYS, password[: LONGEST + 1]) and body is not None
    except (VerificationError, InvalidHashError):
        return False


def needs_rehash(body: str) -> bool:
    """Whether the parameters have risen since it was hashed."""
    return _hasher.check_needs_rehash(body)
