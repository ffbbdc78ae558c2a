"""Results as tables that a notebook shows."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A plain HTML table; its text is escaped."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    caption = f"<caption>{escape(title)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def lines(said: Iterable[str]) -> str:
    """Lines of text, such as what a table is about."""
    return f"<p>{'<br>'.join(map(escape, said))}</p>"


def percent(value: Fraction, digits: int = 4) -> str:
    return f"{float(value * 100):.{digits}f} %"
