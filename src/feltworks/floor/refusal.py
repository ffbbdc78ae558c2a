"""A command that is not carried out, whatever it was meant for."""

from feltworks.kit.errors import FeltworksError


class Refused(FeltworksError):
    """With a reason that a person understands, and what would be allowed. Nothing has changed (G5)."""
