"""What a link carries with which somebody shows others the cards that were turned to their seat alone.

It names a seat of one round of one table, and only the house can make it: nobody can guess one, and one that was made
for another round, table or seat opens nothing. Nothing is stored for it.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error

from feltworks.floor.journal.records import digest
from feltworks.floor.keys import Keys

LENGTH = 23
"""Of every code, whatever it opens: a byte for the seat and sixteen that only the house can say."""


def share_code(keys: Keys, table: str, number: int, seat: int) -> str:
    return urlsafe_b64encode(bytes([seat]) + _tag(keys, table, number, seat)).decode().rstrip("=")


def shared_seat(keys: Keys, table: str, number: int, code: str) -> int | None:
    """The seat whose cards a code opens in this round, if the house made it. Nothing of the round is looked at, so the
    answer to a wrong one takes as long whether there are such cards or not."""
    try:
        data = urlsafe_b64decode(f"{code}=") if len(code) == LENGTH and code.isascii() else b""
    except (Error, ValueError):
        data = b""
    seat = data[0] if data else 0
    is_ours = hmac.compare_digest(data[1:], _tag(keys, table, number, seat))
    return seat if is_ours and share_code(keys, table, number, seat) == code else None


def _tag(keys: Keys, table: str, number: int, seat: int) -> bytes:
    return keys.share_tag(bytes.fromhex(digest(b"feltworks share 1", table, number, seat)))
