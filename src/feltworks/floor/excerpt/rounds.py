"""The cards, dice and wheels of an excerpt: where a round lies wholly inside, what was shown is what was fixed before
(F-21).

The table itself is not known, because the records before are not there. So it is not known either which place each card
was turned at; but the cards that were turned are those that were opened, as many of each, and the rolls and spins in
their order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.chance.shoe import shows, spin_text
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Rolled, Spun, Turned
from feltworks.floor.verification.openings import OpeningCheck
from feltworks.floor.verification.report import Report


class ExcerptedRounds(OpeningCheck):
    """Follows one table. A round whose beginning is not there is left out, and so is a shoe that was there before."""

    def __init__(self, is_whole: bool) -> None:
        """`is_whole`: the table's records are there from the first."""
        super().__init__()
        self.began = self.knows_shoe = is_whole
        self.is_physical = False
        """Whether cards and dice are physical ones, which nobody has committed to (F-20)."""
        self.left_out = 0
        """How many rounds could not be checked."""
        self._turned: Counter[str] = Counter()
        self._rolled: list[str] = []

    def look(self, event: ev.Event, report: Report) -> Iterator[str]:
        match event:
            case ev.Opened(settings) | ev.SettingsChanged(settings):
                self.is_physical = settings.is_physical
            case ev.RoundStarted(_, root, size):
                self.is_physical = self.is_physical or (root is None and size > 0)  # people shuffle without a root
                self.began, self.knows_shoe = True, self.knows_shoe or root is not None
                self._turned, self._rolled = Counter(), []
            case ev.Answered(Turned(card)):
                self._turned[card] += 1
            case ev.Answered(Rolled(faces)):
                self._rolled.append("".join(map(str, faces)))
            case ev.Answered(Spun(wheel, pocket)):
                self._rolled.append(spin_text(wheel, pocket))
            case ev.RoundEnded(_, openings) | ev.Voided(_, _, _, openings):
                if not self.is_physical:
                    if not (self.began and self.knows_shoe):
                        self.left_out += 1
                        return
                    yield from self._compare(openings)
        yield from self.follow(None, event, report)

    def _compare(self, openings: Iterable[SharedOpening]) -> Iterator[str]:
        roots = list(self.sizes)  # in the order in which they were published
        opened = [(o.root, p, f, o.what) for o in openings for p, f in zip(o.positions, o.faces, strict=False)]
        cards = Counter(face for _, _, face, what in opened if what == "card")
        in_order = sorted(opened, key=lambda o: (_place(o[0], roots), o[1]))
        rolls = [(what, face) for _, _, face, what in in_order if what != "card"]
        if cards != self._turned:
            wrong = sorted((cards - self._turned) + (self._turned - cards))
            yield f"the cards that were turned are not those that are opened: {', '.join(wrong[:3])}."
        if len(rolls) != len(self._rolled) or not all(shows(*o, r) for o, r in zip(rolls, self._rolled, strict=True)):
            yield "the dice that were rolled, or the wheels that were spun, are not those that are opened."


def _place(root: str, roots: list[str]) -> int:
    return roots.index(root) if root in roots else len(roots)
