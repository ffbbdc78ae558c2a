"""Whether the cards, the rolls and the spins that were shown are those that were fixed before (F-21)."""

from collections.abc import Iterable, Iterator

import msgspec

from feltworks.floor.chance.openings import holds
from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.chance.shoe import shows, spin_text
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Rolled, Spun, Turned
from feltworks.floor.table.state import Table
from feltworks.floor.verification.report import Report
from feltworks.kit.steps import Turn


class OpeningCheck:
    """Follows a table: the roots that were published, what was shown, and what is opened at the end of the round."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.shown: dict[tuple[str, int], str] = {}

    def follow(self, table: Table | None, event: ev.Event, report: Report) -> Iterator[str]:
        """What is wrong with an event; `table` is the one before it, or nothing where it cannot be replayed."""
        match event:
            case ev.RoundStarted(_, root, size):
                self.shown = {}
                if root is not None:
                    self.sizes = {root: size}
            case ev.Reshuffled(root, size):
                self.sizes[root] = size
            case ev.Answered(Turned(card)) if table is not None and isinstance(table.step, Turn):
                if not table.settings.is_physical:  # whose cards are committed to by nobody
                    self.shown[table.positions[table.step.token]] = card
            case ev.Answered(Rolled(faces)) if table is not None and table.root is not None:
                self.shown[table.root, table.dealt] = "".join(map(str, faces))
            case ev.Answered(Spun(wheel, pocket)) if table is not None and table.root is not None:
                self.shown[table.root, table.dealt] = spin_text(wheel, pocket)
            case ev.RoundEnded(_, openings) | ev.Voided(_, _, _, openings):
                report.rounds += 1
                yield from self._check(openings, report, played=table is not None)

    def _check(self, openings: Iterable[SharedOpening], report: Report, played: bool) -> Iterator[str]:
        opened: dict[tuple[str, int], str] = {}
        for opening in openings:
            size = self.sizes.get(opening.root)
            report.openings += len(opening.positions)
            if size is None or opening.size not in (0, size) or not holds(_of_size(opening, size)):
                named = ", ".join(map(str, opening.positions[:3]))
                yield f"the opening of position {named} does not lead to the root {opening.root}."
            for position, face in zip(opening.positions, opening.faces, strict=False):
                shown = self.shown.get((opening.root, position), face)
                opened[opening.root, position] = shown if shows(opening.what, face, shown) else face
        if not played:
            return
        for (root, position), shown in self.shown.items():
            if opened.get((root, position)) != shown:
                found = opened.get((root, position), "not opened")
                yield f"position {position} of the root {root} was turned as {shown} and is {found}."
        for root, position in opened.keys() - self.shown.keys():
            yield f"position {position} of the root {root} is opened and was not turned."


def _of_size(opening: SharedOpening, size: int) -> SharedOpening:
    """Openings of the first version do not say how many positions their root has."""
    return msgspec.structs.replace(opening, size=size) if not opening.size else opening
