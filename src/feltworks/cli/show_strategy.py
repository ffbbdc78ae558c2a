"""A strategy in a form that a person can keep in mind: ranges of cards for each decision."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeGuard

from feltworks.kit.advice import Advice
from feltworks.kit.cards import RANKS, SUITS
from feltworks.kit.round import Info
from feltworks.lab.strategy import Strategy

Values = tuple[str, ...]
Order = tuple[list[tuple[Fraction | int, int]], str]
NUMBER = re.compile(r" \d+$")
CARD = re.compile(f"[{RANKS}][{SUITS}]?")
CARDS = re.compile(f"(?:{CARD.pattern})+")


class Told(str):
    """A value in words, which knows its place among others: numbers by size, cards by rank, all else by its letters."""

    order: Order

    @classmethod
    def of(cls, value: object) -> "Told":
        told = cls(value)
        told.order = _order(told) if isinstance(value, str) or not _is_number(value) else ([(Fraction(value), 0)], "")
        return told


@dataclass(frozen=True)
class Section:
    """All situations that offer the same options, by what differs between them: the card, what is gone."""

    options: tuple[str, ...]
    same: Mapping[str, str]
    differs: tuple[str, ...]
    advice: Mapping[Values, Advice]

    @property
    def title(self) -> str:
        *most, last = self.options
        choices = f"{', '.join(most)} or {last}" if most else last
        return ", ".join([f"{choices} by {self.differs[0]}", *(f"{n} {v}" for n, v in self.same.items())])

    def summary(self) -> list[tuple[str, str]]:
        """What to do by ranges of the first thing that differs, and when, if the others matter."""
        if (by_first := _decides(self.advice, 0)) is not None:
            return [(f"whatever is {name}" if (name := self.differs[-1]) == "gone" else "", _ranges(by_first))]
        by_others: dict[Values, dict[str, str]] = {}
        for (first, *others), advice in self.advice.items():
            by_others.setdefault(tuple(others), {})[first] = advice.best
        alike: dict[str, list[Values]] = {}
        for condition in _sorted(by_others):
            alike.setdefault(_ranges(by_others[condition]), []).append(condition)
        every = _sorted(by_others)
        return [(self._when(conditions, every), plays) for plays, conditions in alike.items()]

    def _when(self, conditions: list[Values], every: list[Values]) -> str:
        names = self.differs[1:]
        if len(names) == 1:
            spans = [_span([v for (v,) in run]) for kept, run in groupby(every, conditions.__contains__) if kept]
            return f"{names[0]} {', '.join(spans)}"
        return "\n".join(", ".join(f"{n} {v}" for n, v in zip(names, c, strict=True)) for c in conditions)


def sections(strategy: Strategy) -> list[Section]:
    """The situations of a strategy, those together that offer the same options and know the same things."""
    alike: dict[tuple[Values, Values], list[tuple[dict[str, Told], Advice]]] = {}
    for info, advice in strategy.advice.items():
        known = _known(info, strategy.facts)
        alike.setdefault((info.options, tuple(known)), []).append((known, advice))
    return [_section(options, names, rows) for (options, names), rows in alike.items()]


def _section(options: Values, names: Values, rows: list[tuple[dict[str, Told], Advice]]) -> Section:
    first = rows[0][0]
    differs = tuple(n for n in names if any(known[n] != first[n] for known, _ in rows)) or names[:1]
    same = {n: first[n] for n in names if n not in differs and not n.endswith(STAKED) and first[n] not in NOTHING}
    advice = {tuple(known[n] for n in differs): advice for known, advice in rows}
    if (by := _tells_most(advice, len(differs))) is not None:
        differs, advice = _by_one(differs, advice, by)
    return Section(options, same, differs, {values: advice[values] for values in _sorted(advice)})


def _tells_most(advice: Mapping[tuple[Told, ...], Advice], names: int) -> int | None:
    """Which of the things that differ alone tells what is best, in the fewest values; nothing where none does, or where
    one option is always best."""
    if len({each.best for each in advice.values()}) == 1:
        return None
    telling = [(len(told), at) for at in range(names) if (told := _decides(advice, at)) is not None]
    return min(telling)[1] if telling else None


def _decides(advice: Mapping[Any, Advice], at: int) -> dict[str, str] | None:
    """What is best by one of the things that differ; nothing where the others matter too."""
    best: dict[str, str] = {}
    for values, each in advice.items():
        if best.setdefault(values[at], each.best) != each.best:
            return None
    return best


def _by_one(
    differs: Values, advice: Mapping[tuple[Told, ...], Advice], at: int
) -> tuple[Values, dict[tuple[Told, ...], Advice]]:
    """A section told by one of the things that differ: alone where the others change no value, or else before them."""
    first: dict[tuple[Told, ...], Advice] = {}
    if all(first.setdefault((values[at],), each).options == each.options for values, each in advice.items()):
        return (differs[at],), first
    places = [at, *(other for other in range(len(differs)) if other != at)]
    moved = {tuple(values[place] for place in places): each for values, each in advice.items()}
    return tuple(differs[place] for place in places), moved


STAKED = " wager"
NOTHING = ("None", "False", "()")
"""A fact that says nothing."""


def _known(info: Info, names: Values) -> dict[str, Told]:
    """What tells situations with the same options apart, in words; the facts of the round by their names."""
    known: dict[str, object] = dict(_hands(info))
    if info.gone:
        known["gone"] = " ".join(card.text for card in info.gone)
    known |= {f"{spot}{STAKED}": amount for spot, amount in info.wagers}
    if len(names) == len(info.facts):
        known |= {name.replace("_", " "): fact for name, fact in zip(names, info.facts, strict=True)}
    elif info.facts:
        known["facts"] = ", ".join(map(str, info.facts))
    return {name: Told.of(value) for name, value in known.items()}


def _hands(info: Info) -> Iterator[tuple[str, str]]:
    """The cards by name; several that are numbered and lie open are one hand: "cards QhTd5c", not "card 1 Qh"."""
    for stem, numbered in groupby(info.cards, lambda known: NUMBER.sub("", known[0])):
        known = [(name, card, reading) for name, card, reading in numbered if card or reading]
        if len(known) > 1 and all(card for _, card, _ in known):
            yield "cards" if stem == "card" else stem, "".join(str(card) for _, card, _ in known)
        else:
            yield from ((name, str(card or reading)) for name, card, reading in known)


def _ranges(best: Mapping[str, str]) -> str:
    if len(set(best.values())) == 1:
        return f"always {next(iter(best.values()))}"
    values = [value for (value,) in _sorted((value,) for value in best)]
    runs: Iterator[tuple[str, Iterator[str]]] = groupby(values, best.__getitem__)
    return ", ".join(f"{_span(list(run))} {option}" for option, run in runs)


def _span(values: list[str]) -> str:
    if len(values) == 1:
        return values[0]
    return f"{values[0]}{' to ' if values[0].startswith('-') else '-'}{values[-1]}"


def _sorted(values: Iterable[Any]) -> list[Any]:
    """By size where they are numbers, by rank where they are cards, in alphabetical order where they are neither."""
    return sorted(values, key=lambda value: [told.order for told in value])


def _is_number(value: object) -> TypeGuard[int | Fraction]:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _order(text: str) -> Order:
    """Hands by their cards, and before what is no cards."""
    if CARDS.fullmatch(text):
        return [(RANKS.index(card[0]), SUITS.find(card[1:])) for card in CARD.findall(text)], ""
    return [(len(RANKS), 0)], text
