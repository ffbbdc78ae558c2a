"""What a record holds of the positions that a round opens; `openings.py` makes and checks it."""

import msgspec


class SharedOpening(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The opened positions under one root: whose cards or rolls they were, what they show, their salts, one proof."""

    root: str
    size: int
    tokens: list[tuple[int | None, str]]
    positions: list[int]
    faces: list[str]
    salts: bytes
    proof: bytes
    dice: bool = False
