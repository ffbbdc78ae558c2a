"""One-time codes that a person reads, hears or types: to set a house up, and to choose a password."""

import secrets

from feltworks.floor.person import token_digest

SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without the letters that could be taken for a digit or for each other."""
GROUPS, IN_A_GROUP = 4, 5
_MEANT = str.maketrans("OIL", "011", " -\t")


def new_code() -> str:
    """A hundred bits: nobody guesses it."""
    groups = ("".join(secrets.choice(SIGNS) for _ in range(IN_A_GROUP)) for _ in range(GROUPS))
    return "-".join(groups)


def code_digest(text: str) -> str:
    """What the journal holds of a code, however somebody has typed it."""
    return token_digest(f"code {text.upper().translate(_MEANT)}")
