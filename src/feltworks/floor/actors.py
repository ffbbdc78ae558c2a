"""Who did something: a person, or a part of the program. In a record it stands as text, `person:` and the id."""

from dataclasses import dataclass
from enum import Enum


class ActorKind(Enum):
    PERSON = "person"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Actor:
    """A person by id, never by name; or the part of the program that acted."""

    kind: ActorKind
    id: str

    def __str__(self) -> str:
        return f"{self.kind.value}:{self.id}"

    @classmethod
    def parse(cls, text: str) -> "Actor":
        """The actor of a record. Records of the first version name a person by the bare id, and the program by
        `dealer` or `house`."""
        kind, colon, id = text.partition(":")
        if not colon:
            return cls(ActorKind.PROGRAM if text in ("dealer", "house") else ActorKind.PERSON, text)
        return cls(ActorKind(kind), id)

    @property
    def is_person(self) -> bool:
        return self.kind is ActorKind.PERSON


DEALER = Actor(ActorKind.PROGRAM, "dealer")
"""The automatic dealer and the clocks."""
PROGRAM = Actor(ActorKind.PROGRAM, "house")
"""What the program does for the house as a whole: it opens tables, admits guests, brings records up to date."""


def person(id: str) -> Actor:
    return Actor(ActorKind.PERSON, id)
