"""What every message of the server is."""

import msgspec


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is told in exactly these fields, in this order."""
