"""One key for each thing that can be entered: the first letter or digit of its name that no other has taken; none for
what comes after the last key is taken."""

from collections.abc import Iterable, Sequence

SPARE = "123456789qwertyuiopasdfghjklzxcvbnm"


def keys_for(names: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """A key for each name, in their order; those that are `taken` mean something else at the same time."""
    used = {key.lower() for key in taken}
    found: list[str] = []
    for name in names:
        wanted = [sign for sign in name.lower() if sign.isascii() and sign.isalnum()]
        key = next((sign for sign in (*wanted, *SPARE) if sign not in used), "")
        used.add(key)
        found.append(key)
    return found
