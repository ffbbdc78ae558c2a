"""A mistake in rules, told in a sentence: in which file and line it is, which rule it is, and what went wrong.

Wherever the kit or the laboratory runs what a game wrote, an error that nobody foresaw becomes a `FaultyRules`; the
error itself stays chained to it.
"""

import re
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from os import sep
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Protocol, TypeVar

from feltworks.kit.cards import Token
from feltworks.kit.errors import (
    BadCard,
    CardNotKnown,
    FaultyRules,
    FeltworksError,
    NotAllowed,
    NotPossible,
    UnknownName,
)
from feltworks.kit.time_limit import OutOfTime

T = TypeVar("T")
KIT = Path(__file__).parent
_NOT_RULES = (str(KIT), sysconfig.get_path("stdlib"))
_STATEMENT = r"[A-Z][A-Z0-9]*-\d+"
STATEMENTS = re.compile(rf"{_STATEMENT}(?:(?:, | and | to ){_STATEMENT})*(?=[:.])")
"""The statements with which the docstring of a rule begins."""
MEANT = (NotAllowed, NotPossible)
"""What a rule says on purpose: that an answer is not allowed, or not possible."""


def rule_name(rule: Any) -> str:
    """A rule by its name and its statements: "The rule CasinoWar.deal (CW-02)"."""
    return _named(getattr(rule, "__qualname__", str(rule)), getattr(rule, "__doc__", None))


def _named(name: str, said: Any) -> str:
    statements = STATEMENTS.match(said) if isinstance(said, str) else None
    return f"The rule {name}{f' ({statements[0]})' if statements else ''}"


def place_of(rule: Any) -> str:
    """The file and line at which a rule begins; nothing where that is not known."""
    code = getattr(getattr(rule, "__func__", rule), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if isinstance(code, CodeType) else ""


class Titled(Protocol):
    """A game as far as its faults are told: what it is called, and where its rules are."""

    @property
    def title(self) -> str: ...
    @property
    def folders(self) -> tuple[Path, ...]: ...


def fault_of(error: BaseException, game: Titled, rule: Any = None, remedy: str = "") -> FaultyRules:
    """The fault behind an error that came up while rules were run; `rule` is the one that was worked off last, and
    `remedy` what to do about it where that is not what is said of every such error."""
    found = rule_frame(error, game.folders)
    if found is not None:
        code, line = found
        place, name = f"{code.co_filename}:{line}", _named(code.co_qualname, code.co_consts[0])
        if rule is not None and not getattr(rule, "__qualname__", "").endswith("<lambda>"):
            name = rule_name(rule)
    else:
        place, name = place_of(rule), rule_name(rule)
    return FaultyRules(f"{name} of {game.title} {_what(error, remedy)}.", kind=_kind(error), place=place)


def is_fault(error: BaseException) -> bool:
    """Whether an error is a mistake of the rules, and nothing that they or the caller say on purpose."""
    if isinstance(error, FeltworksError):
        return isinstance(error, UnknownName | CardNotKnown | BadCard)
    return isinstance(error, Exception)


def called(game: Titled, rule: Callable[..., T], *args: Any, of: Any = None, **named: Any) -> T:
    """What something that a game wrote gives; a mistake in it is a fault of the rules. `of` is the rule that is named
    where the call itself is not."""
    try:
        return rule(*args, **named)
    except Exception as error:
        if isinstance(error, FeltworksError) and not isinstance(error, CardNotKnown):
            raise
        raise fault_of(error, game, of or rule) from error


def mistake_within(error: BaseException, folders: Iterable[Path]) -> FaultyRules | None:
    """The fault behind an error that came up in one of these folders, wherever it was met; nothing if it did not."""
    own = tuple(f"{folder}{sep}" for folder in folders)
    within = [frame for frame in _frames(error.__traceback__) if own and frame[0].co_filename.startswith(own)]
    if not within:
        return None
    code, line = within[-1]
    said = f"{_named(code.co_qualname, code.co_consts[0])} {_what(error)}."
    return FaultyRules(said, kind=_kind(error), place=f"{code.co_filename}:{line}")


def rule_frame(error: BaseException, folders: Iterable[Path] = ()) -> tuple[CodeType, int] | None:
    """Where in the rules an error came up: the innermost line that stands in the game's folders, or else in nothing of
    the kit's or of Python's own."""
    frames = [*_frames(error.__traceback__)]
    own = [f"{folder.resolve()}{sep}" for folder in folders]
    within = [frame for frame in frames if frame[0].co_filename.startswith(tuple(own))] if own else []
    outside = [frame for frame in frames if not frame[0].co_filename.startswith((*_NOT_RULES, "<frozen", "<string>"))]
    found = within or outside
    return found[-1] if found else None


def _frames(trace: TracebackType | None) -> Iterator[tuple[CodeType, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code, trace.tb_lineno
        trace = trace.tb_next


def _what(error: BaseException, remedy: str = "") -> str:
    """What went wrong, to follow the name of a rule."""
    if isinstance(error, CardNotKnown):
        remedy = remedy or (_LATER if error.how in _LYING else _TO_ALL)
        return f"looks at {error.token}, which is {error.how}; {remedy}"
    if isinstance(error, BadCard):
        return f"looks at a suit where none counts: {error}".rstrip(".")
    if isinstance(error, OutOfTime):
        return "goes on for ever; let it end, or yield a step"
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], Token):
        return f"looks for {error.args[0]}, which is not on the table; deal it first"
    if isinstance(error, UnknownName):
        said = str(error).rstrip(".")
        return f"asks for what is not in game.toml: {said[0].lower()}{said[1:]}"
    said = f"fails with {type(error).__name__}: {error}".rstrip(": .")
    return f"{said}; {remedy}" if remedy else said


def _kind(error: BaseException) -> str:
    if isinstance(error, BadCard):
        return "suits"
    if isinstance(error, OutOfTime):
        return "endless"
    if not isinstance(error, CardNotKnown):
        return "fails"
    return "sealed card" if error.how in _LYING else "card of one seat"


_LYING = ("not dealt", "sealed")
_LATER = (
    "a rule runs to its end before any step that it yields is answered, so turn the card first and look at it in a task"
    " that follows"
)
_TO_ALL = "whoever else plays the round does not know it, so turn it to all before a rule looks at it"
