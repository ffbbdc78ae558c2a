"""How `felt` ends: with one clear sentence and exit code 2 where a person can put something right."""

import os
import sys
from collections.abc import Callable
from typing import NoReturn

from feltworks.kit.errors import FaultyRules, FeltworksError
from feltworks.kit.printable import printable

REFUSED, INTERRUPTED, PIPE_CLOSED = 2, 130, 1


def end_with(work: Callable[[], object]) -> NoReturn:
    """Do the work of a command and leave, with what it returns as the exit code if that is a number."""
    try:
        code = work()
        sys.stdout.flush()
    except FaultyRules as fault:
        code = refuse(fault.told)
    except FeltworksError as error:
        code = refuse(str(error))
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        # What is still buffered would raise again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = PIPE_CLOSED
    except Exception as error:
        if (said := _in_rules(error)) is None:
            raise
        code = refuse(said)
    sys.exit(code if isinstance(code, int) else 0)


def _in_rules(error: Exception) -> str | None:
    """What to say of an error that comes out of a game from outside the package; nothing of any other."""
    from feltworks.games import of_other_packages
    from feltworks.kit.outside_rules import outside_folders
    from feltworks.kit.rule_faults import mistake_within

    packages = [folder for folders in of_other_packages().values() for folder in folders]
    fault = mistake_within(error, [*outside_folders(), *packages])
    return None if fault is None else fault.told


def refuse(sentence: str) -> int:
    sentence = printable(sentence)
    print(sentence if sentence.endswith((".", "?")) else f"{sentence}.", file=sys.stderr)
    return REFUSED
