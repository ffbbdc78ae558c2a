"""What can go wrong with the dice and the cup of Yo!, who decides about it, and what (Y-25 to Y-29, Y-36)."""

from dataclasses import dataclass

from feltworks.kit import Role

DIE_STUCK = "a die is stuck in the cup"
NOT_TOGETHER = "the dice were not dropped together"
NO_ROLLS = (DIE_STUCK, NOT_TOGETHER)
"""Y-25: the two ways in which a roll does not count by itself."""

ON_THE_LINE = "wager on the line"
AFTER_THE_CLOSE = "wager after the close"


@dataclass(frozen=True)
class Kind:
    """A kind of incident: its statement, who decides, and between what while the dice are out or otherwise."""

    rule: str
    role: Role
    at_roll: tuple[str, ...]
    otherwise: tuple[str, ...] = ("continue",)
    asks: str = ""
    """What the document asks for before it is decided."""


DICE_TAKEN = "The supervisor takes all four dice and verifies them; after that the dealer has them back."
POLICY = "The house's posted policy decides."
MELTED = "Read it as it would fall if what is under it melted away."
SECURED = "Secure the dice and the cup first."

_VERIFIED = Kind("Y-26", Role.SUPERVISOR, ("no roll", "roll stands"), ("dice verified",), DICE_TAKEN)
_CALLED = Kind("Y-27", Role.SUPERVISOR, ("called",), asks="Nobody touches the dice before the call is made.")
_CUP = Kind(
    "Y-28", Role.SUPERVISOR, ("cup inspected", "no roll"), ("cup inspected",), "The supervisor looks at the cup."
)
_POLICY = Kind("Y-28", Role.SUPERVISOR, ("by house policy", "no roll"), ("by house policy",), POLICY)

BY_KIND = {
    "a player touched the dice": _VERIFIED,
    "dice hit a player": _VERIFIED,
    "dice left the table": _VERIFIED,
    "dice out of sight": _VERIFIED,
    "a die was retrieved": _VERIFIED,
    "dice in the bankroll": _VERIFIED,
    "a hand covered the cup": _VERIFIED,
    "the cup's top touched something": _VERIFIED,
    "cocked die": Kind("Y-27", Role.DEALER, ("called",), asks=MELTED),
    "dice cocked together": _CALLED,
    "stacked dice": _CALLED,
    "the cup left the table": _CUP,
    "foreign object in the cup": _CUP,
    "damaged cup": _POLICY,
    "liquid in the cup": _POLICY,
    "spill on the table": Kind("Y-28", Role.SUPERVISOR, ("dice and cup secured",), ("dice and cup secured",), SECURED),
}
