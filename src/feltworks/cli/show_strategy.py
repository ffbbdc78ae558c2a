"""A strategy in a form that a person can keep in mind: ranges of cards for each decision."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from feltworks.kit.advice import Advice
from feltworks.kit.cards import RANKS, SUITS
from feltworks.kit.round import Info
from feltworks.lab.strategy import Strategy

Values = tuple[str, ...]
NUMBER = re.compile(r" \d+$")
CARD = re.compile(f"[{RANKS}][{SUITS}]?")
CARDS = re.compile(f"(?:{CARD.pattern})+")


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
        by_others: dict[Values, dict[str, str]] = {}
        for (first, *others), advice in self.advice.items():
            by_others.setdefault(tuple(others), {})[first] = advice.best
        alike: dict[str, list[Values]] = {}
        for condition in _sorted(by_others):
            alike.setdefault(_ranges(by_others[condition]), []).append(condition)
        if len(alike) == 1:
            return [(f"whatever is {name}" if (name := self.differs[-1]) == "gone" else "", next(iter(alike)))]
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
    alike: dict[tuple[Values, Values], list[tuple[dict[str, str], Advice]]] = {}
    for info, advice in strategy.advice.items():
        known = _known(info)
        alike.setdefault((info.options, tuple(known)), []).append((known, advice))
    return [_section(options, names, rows) for (options, names), rows in alike.items()]


def _section(options: Values, names: Values, rows: list[tuple[dict[str, str], Advice]]) -> Section:
    first = rows[0][0]
    differs = tuple(n for n in names if any(known[n] != first[n] for known, _ in rows)) or names[:1]
    same = {n: first[n] for n in names if n not in differs and not n.endswith(STAKED)}
    advice = {tuple(known[n] for n in differs): advice for known, advice in rows}
    return Section(options, same, differs, {values: advice[values] for values in _sorted(advice)})


STAKED = " wager"


def _known(info: Info) -> dict[str, str]:
    """What tells situations with the same options apart, in words."""
    known = dict(_hands(info))
    if info.gone:
        known["gone"] = " ".join(card.text for card in info.gone)
    known |= {f"{spot}{STAKED}": str(amount) for spot, amount in info.wagers}
    if info.facts:
        known["facts"] = ", ".join(map(str, info.facts))
    return known


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
    return values[0] if len(values) == 1 else f"{values[0]}-{values[-1]}"


def _sorted(values: Iterable[Values]) -> list[Values]:
    """By rank where they are cards, in alphabetical order where they are not."""
    return sorted(values, key=lambda value: [_order(text) for text in value])


def _order(text: str) -> tuple[list[tuple[int, int]], str]:
    """Hands by their cards, and before what is no cards."""
    if CARDS.fullmatch(text):
        return [(RANKS.index(card[0]), SUITS.find(card[1:])) for card in CARD.findall(text)], ""
    return [(len(RANKS), 0)], text
