"""Analyses that several tests look at, made once."""

from functools import cache

import feltworks
from feltworks.lab.analysis import Analysis


@cache
def analysed(name: str, wager: str | None = None, *, decks: int | None = None) -> Analysis:
    return feltworks.analyze(feltworks.load(name, decks=decks), wager=wager)
