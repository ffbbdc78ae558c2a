"""Rules that run at a table: where they fail, or go on for ever, that is a fault of the rules and of nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from feltworks.kit.errors import FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.rule_faults import fault_of, is_fault, mistake_within
from feltworks.kit.time_limit import OutOfTime, TimeLimit

LONGEST = 2.0
"""Seconds of the processor, hundreds of times what a decision takes, after which rules are taken to go on for ever."""
MOST_TOLD = 500
"""An error may say any amount of text; no more of it stands in the records and on the felt."""


@contextmanager
def faults_of(game: Game) -> Iterator[None]:
    """What goes wrong inside in the files of a game is a fault of its rules; and so it is where it does not end."""
    try:
        with TimeLimit(LONGEST):
            yield
    except OutOfTime as error:
        said = f"The rules of {game.title} go on for ever."
        raise _fault(error, game) or FaultyRules(said, kind="endless") from error
    except Exception as error:
        if is_fault(error) and (fault := _fault(error, game)) is not None:
            raise fault from error
        raise


def _fault(error: BaseException, game: Game) -> FaultyRules | None:
    is_theirs = mistake_within(error, [folder.resolve() for folder in game.folders]) is not None
    return fault_of(error, game) if is_theirs else None


def told_at_table(fault: FaultyRules) -> str:
    """A fault in one sentence with file and line, as records and screens of a table have it: of where the file lies on
    this machine, its folder alone."""
    said = " ".join(str(fault).split()).rstrip(".")
    said = said if len(said) <= MOST_TOLD else f"{said[:MOST_TOLD]} ..."
    place = "/".join(Path(fault.place).parts[-2:])
    return f"{said} ({place})." if place else f"{said}."
