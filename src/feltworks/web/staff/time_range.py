"""The house's local time, in which the pages of the records show and take every moment, and ranges of it as somebody
types them into a form."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup, escape

from feltworks.floor.times import ALWAYS, EPOCH, read_time, shown
from feltworks.kit.errors import BadValue

HOUSE, IN_UTC = "house", "utc"
LATEST = ALWAYS[1] - 366 * 24 * 3_600_000
"""So that every moment before it has a date in every zone."""
_FIELD = "%Y-%m-%dT%H:%M:%S"


class TimeRange(NamedTuple):
    """From one moment to just before another; an end that nobody gave is open."""

    since: int | None = None
    until: int | None = None

    @classmethod
    def of(cls, since: str, until: str, zone: str) -> "TimeRange":
        """What was typed, or why it is no range. A form says that it is in the house's time; an address that says
        nothing means UTC, as in the commands."""
        if zone not in ("", HOUSE, IN_UTC):
            raise BadValue(f"{zone!r} is no time zone of this page; choose {HOUSE} or {IN_UTC}.")
        first, last = (_moment(text, zone) for text in (since, until))
        if first is not None and last is not None and first >= last:
            raise BadValue(f"{said(first)} is not before {said(last)}; give a range that begins before it ends.")
        return cls(first, last)

    @property
    def ends(self) -> tuple[int, int]:
        """Both ends, whether they were given or not."""
        return ALWAYS[0] if self.since is None else self.since, ALWAYS[1] if self.until is None else self.until

    @property
    def is_given(self) -> bool:
        return self.since is not None or self.until is not None

    @property
    def fields(self) -> dict[str, str]:
        """As the fields of a form have it."""
        return {"from": _field(self.since), "until": _field(self.until)}

    @property
    def query(self) -> str:
        """As an address has it, which means the same wherever it is opened."""
        given = {"from": self.since, "until": self.until}
        return urlencode({name: _iso(time) for name, time in given.items() if time is not None})

    @property
    def file_name(self) -> str:
        """What a file with the records of this range is called."""
        ends = (_compact(self.since, "the-beginning"), _compact(self.until, "now"))
        return f"feltworks-records-{ends[0]}-to-{ends[1]}.jsonl"


def said(time: int) -> str:
    """A moment in the house's local time, with its zone."""
    local = _local(time)
    return shown(time) if local is None else f"{local:%Y-%m-%d %H:%M:%S} {zone_of(local)}"


def house_time(time: int) -> str:
    """A moment in the house's local time, on a page that says which that is: the zone stands with it only where the
    house's clocks were set otherwise then."""
    local = _local(time)
    if local is None:
        return shown(time)
    return f"{local:%Y-%m-%d %H:%M:%S}" if local.utcoffset() == _now().utcoffset() else said(time)


def house_moment(time: int) -> Markup:
    """The same for a page, with UTC on hover; scripts leave it as it is."""
    if _local(time) is None:
        return Markup(escape(shown(time)))
    return Markup('<time datetime="{}" title="{}">{}</time>').format(_iso(time), shown(time), house_time(time))


def zone_of(local: datetime) -> str:
    """The house's own zone at a moment: UTC-08:00."""
    offset = f"{local:%z}"
    return f"UTC{offset[:3]}:{offset[3:5]}" if local.utcoffset() else "UTC"


def house_minutes() -> int:
    """So many minutes the house's clocks are ahead of UTC now, for scripts."""
    return round((_now().utcoffset() or timedelta()).total_seconds() / 60)


def house_zone() -> str:
    """What the house's local time is called now."""
    now = _now()
    return zone_of(now) if not now.tzname() or now.tzname() == zone_of(now) else f"{now.tzname()}, {zone_of(now)}"


def _moment(text: str, zone: str) -> int | None:
    if not text:
        return None
    time = read_time(text)
    moment = datetime.fromisoformat(text.strip())
    if zone == HOUSE and moment.tzinfo is None:
        try:
            time = round((moment.astimezone(UTC) - EPOCH).total_seconds() * 1_000)
        except (OverflowError, ValueError, OSError):
            time = -1
    if not ALWAYS[0] <= time < LATEST:
        raise BadValue(f"{text!r} is no time that records can have; give one from 1970 to 9998.")
    return time


def _now() -> datetime:
    return datetime.now().astimezone()


def _local(time: int) -> datetime | None:
    """Nothing where no calendar has such a moment: what stands in a damaged record is shown as it is."""
    try:
        return _utc(time).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _utc(time: int) -> datetime:
    return EPOCH + timedelta(milliseconds=time)


def _field(time: int | None) -> str:
    return "" if time is None else _utc(time).astimezone().strftime(_FIELD)


def _iso(time: int) -> str:
    return _utc(time).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _compact(time: int | None, otherwise: str) -> str:
    return otherwise if time is None else _utc(time).strftime("%Y%m%dT%H%M%SZ")
