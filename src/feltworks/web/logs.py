"""What happens to the server, as lines of JSON for whoever gathers logs.

No line has what only some may know: what an exception says is left out, because it could name a sealed card, and of
other packages only the constant words are taken.
"""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler

from feltworks.kit.errors import BadValue
from feltworks.kit.printable import printable

FIELDS = ("table", "address", "seconds")
"""What a line may have beside its words."""
OWN = "feltworks"


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        own = record.name.partition(".")[0] == OWN
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage() if own else str(record.msg).partition("\n")[0],
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            if frames := traceback.extract_tb(record.exc_info[2]):
                line["at"] = f"{frames[-1].name}, line {frames[-1].lineno}"
        return json.dumps(line)  # in ASCII, so that nothing of it does anything in a terminal


class Lines(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (its name in the standard library)
        return printable(super().formatMessage(record))


def show_warnings() -> None:
    """Where nothing is logged, whoever started the house reads its warnings, a line each."""
    own = logging.getLogger(OWN)
    if not own.handlers:
        handler = logging.StreamHandler()
        handler.setLevel(logging.WARNING)
        handler.setFormatter(Lines())
        own.addHandler(handler)


def write_log(where: str) -> None:
    """From now on everything is logged there: in a file, which may be moved away, or on standard output."""
    try:
        handler = logging.StreamHandler(sys.stdout) if where == "-" else WatchedFileHandler(where, encoding="utf-8")
    except OSError as problem:
        raise BadValue(f"The log {where} cannot be written: {problem.strerror}.") from None
    handler.setFormatter(JsonLines())
    logging.getLogger().addHandler(handler)
    logging.getLogger(OWN).setLevel(logging.INFO)
