"""Times as people write and read them: ISO 8601, UTC unless told otherwise. In the records they are milliseconds."""

from datetime import UTC, datetime

from feltworks.kit.errors import BadValue

Time = int
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ALWAYS = (0, 253_402_300_799_999)
"""From 1970 to the end of the year 9999: all the time there is in the records."""


def read_time(text: str) -> Time:
    """The moment that a date, or a date with a time, names; a date alone is its first moment."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadValue(
            f"{text!r} is no time; write a date such as 2026-11-01, or with a time 2026-11-01T18:30, in UTC."
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round((moment - EPOCH).total_seconds() * 1_000)


def shown(time: Time) -> str:
    """A moment for people, to the millisecond where it has any; what no calendar has as it stands in the records."""
    try:
        moment = datetime.fromtimestamp(time // 1_000, UTC)
    except (ValueError, OverflowError, OSError):
        return f"{time} ms"
    rest = time % 1_000
    return moment.strftime("%Y-%m-%d %H:%M:%S") + (f".{rest:03}" if rest else "") + " UTC"
