"""Feltworks: one definition of a casino table game, played, solved, simulated and certified."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feltworks.api import advise, analyze, certify, check, counting, load, names, simulate

__all__ = ["advise", "analyze", "certify", "check", "counting", "load", "names", "simulate"]


def __getattr__(name: str) -> Any:
    """The functions of `feltworks.api`, brought in when they are first used: the command line starts at once."""
    if name not in __all__:
        raise AttributeError(f"module 'feltworks' has no attribute {name!r}")
    import feltworks.api

    return getattr(feltworks.api, name)
