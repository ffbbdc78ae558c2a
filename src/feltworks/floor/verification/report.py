"""What a check of the records found."""

from dataclasses import dataclass, field, fields

from feltworks.floor.journal.records import Receipt


@dataclass
class Report:
    """What was looked at, and what is wrong with it: of each stream the first bad event."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    streams: int = 0
    commits: int = 0
    records: int = 0
    entries: int = 0
    rounds: int = 0
    openings: int = 0
    signatures: int = 0
    receipts: int = 0
    not_replayed: list[str] = field(default_factory=list)
    """Tables whose definition is not installed: chain, books and openings are checked, the rules are not."""
    head: Receipt | None = None
    """The newest signature that was found: it covers everything before it."""

    @property
    def ok(self) -> bool:
        return not self.problems

    def add(self, other: "Report") -> None:
        """Take in what another process found of the tables."""
        for each in fields(self):
            if each.name == "head":
                continue
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        self.problems = list(dict.fromkeys(self.problems))  # several may have looked at the same commit

    @property
    def counts(self) -> str:
        """How much was looked at, in words."""
        counted = {
            "commit": self.commits,
            "event": self.records,
            "stream": self.streams,
            "entry": self.entries,
            "round": self.rounds,
            "opening": self.openings,
            "receipt": self.receipts,
        }
        return ", ".join(counted_as(number, thing) for thing, number in counted.items()) + "."


def counted_as(number: int, thing: str) -> str:
    many = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    return f"{number} {thing if number == 1 else many}"
