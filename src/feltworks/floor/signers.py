"""Whether two signatures are those of two people (F-13).

A manager lets people in: with a one-time code they choose a password, and so could the manager in their place. Who was
let in by somebody is for a day held to be in that one's hand, and two signatures from one hand are one. By then whoever
the account belongs to has come to work and found out whether their password is still their own. A code that was made on
the machine itself is in nobody's hand.
"""

from collections.abc import Callable

from feltworks.floor.person import Person

Time = int
IN_HAND: Time = 24 * 3_600_000
"""For so long after a password was chosen with somebody's code."""
ONE_HAND = (
    "Within the last 24 hours one of you has chosen a password with a code from the other, or both of you with codes"
    " from the same manager. Until a day has passed somebody else has to sign."
)


def hands(known: Callable[[str], Person | None], id: str, now: Time) -> frozenset[str]:
    """Everybody who could act by somebody's account: that person, whoever has just let them in, and so on."""
    found = [id]
    for one in found:
        person = known(one)
        by, at = person.let_in if person is not None and person.let_in is not None else ("", 0)
        if by and now < at + IN_HAND and by not in found:
            found.append(by)
    return frozenset(found)


def are_in_one_hand(known: Callable[[str], Person | None], one: str, other: str, now: Time) -> bool:
    return bool(hands(known, one, now) & hands(known, other, now))
