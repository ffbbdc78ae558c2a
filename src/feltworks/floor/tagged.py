"""What commands, answers and events have in common: they say what they are, and are read as strictly as written."""

import msgspec


class Tagged(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    """A part of a union that is told apart by its `kind`."""
