"""Feltworks: one definition of a casino table game, played, solved, simulated and certified."""

from feltworks.api import advise, analyze, certify, load, names

__all__ = ["advise", "analyze", "certify", "load", "names"]
