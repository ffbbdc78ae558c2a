"""`felt counting`: the effect of each card, the count that follows from it, and what counters win from a shoe."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from rich.console import Console
from rich.table import Table
from rich.text import Text

from feltworks.cli.output import console, decimal, facts, fit_in_column, heading, headline, percent, table
from feltworks.kit.errors import BadValue
from feltworks.lab.card_counting.counting import (
    COMPUTER_ONLY,
    MOST_GROUPS,
    NOT_WORTH,
    OPEN,
    SHUFFLER,
    WORTH,
    Counting,
    TableCounting,
)
from feltworks.lab.card_counting.group_estimate import GROUPS, TWO
from feltworks.lab.card_counting.joint_play import SHOWN
from feltworks.lab.card_counting.linear_count import INDEXED, LINEAR, WHOLE
from feltworks.lab.card_counting.points_rule import POINTS, PointsRule
from feltworks.lab.card_counting.winnings import PERFECT, PLAYING, Estimate
from feltworks.terminal.words import counted

STYLES = {NOT_WORTH: "green", OPEN: "yellow", COMPUTER_ONLY: "yellow", WORTH: "bold red"}
COUNTERS = {
    PERFECT: "by the expectation itself",
    PLAYING: "and discards for its sake",
    LINEAR: "by the effects",
    WHOLE: "by the tags",
    INDEXED: "by effects and indices",
    **dict.fromkeys(GROUPS, "by their counts"),
    **dict.fromkeys(POINTS.values(), "in points"),
}
IN_POINTS = {name: POINTS[name] for name, number in GROUPS.items() if TWO < number <= MOST_GROUPS}
"""Who counts in points what a person can keep; with two groups there is no need of them."""
_SHARE = re.compile(r"[0-9]{0,3}\.?[0-9]{1,9}")


def share(text: str | None) -> Fraction | None:
    """A share of the shoe, exactly: 0.9."""
    if text is not None and not _SHARE.fullmatch(text):
        raise BadValue(f"--penetration is a share of the shoe such as 0.75; {text!r} is not.")
    return None if text is None else Fraction(text)


def show(countings: Iterable[Counting]) -> None:
    screen = console()
    for number, counting in enumerate(countings):
        if number:
            screen.print()
            screen.rule()
        screen.print(headline(counting.game))
        screen.print(
            f"{counted(counting.shoes, 'shoe')}, a round every {counted(counting.cards, 'card')}, cut card at "
            f"{_percent(counting.penetration)}, seed {counting.seed}"
        )
        for tables in counting.wagers.values():
            for wager in tables.values():
                _wager(screen, wager)
        screen.print()
        for sentence in (counting.recommended, SHUFFLER):
            if sentence:
                screen.print(Text(sentence, style="dim"))


def _wager(screen: Console, counting: TableCounting) -> None:
    count, tags = counting.count, counting.count.tags
    screen.print()
    title = f"{counting.wager.title} ({counting.wager.name})"
    screen.print(heading(f"{title}, table {counting.pay.name}" if counting.pay.name else title))
    screen.print(f"Expectation with the full shoe: {percent(count.expectation)}, exactly {count.expectation}.")
    if counting.uncounted is not None:
        screen.print(
            f"If cards are traded for its sake, without a count: {percent(counting.uncounted)}, "
            f"exactly {counting.uncounted}."
        )
    screen.print()
    if tags is None:
        screen.print("No card has an effect when it is removed, so there is no linear count.")
    else:
        screen.print(_effects(counting, screen.width))
        screen.print()
        screen.print(facts(_linear(counting)))
        screen.print()
        screen.print(_indices(counting, screen.width))
    screen.print()
    screen.print(_depths(counting, screen.width))
    screen.print()
    screen.print(_group_depths(counting, screen.width))
    screen.print()
    screen.print(facts((_short(name), rule.grouping.text) for name, rule in counting.groups.items()))
    screen.print()
    screen.print(_two_groups(counting, screen.width))
    screen.print()
    _show_points(screen, counting)
    screen.print()
    screen.print(_counters(counting, screen.width))
    if counting.together:
        screen.print()
        screen.print(
            f"What the bonus and the {counting.required} wager of every hand win together in 100 hands, in units of "
            f"the {counting.required} wager, when the bonus is so many times as large:"
        )
        screen.print()
        screen.print(_together(counting, screen.width))
    screen.print()
    verdict, _, rest = counting.note.partition(":")
    screen.print(Text.assemble((verdict, STYLES[counting.verdict]), f":{rest}"))


def _effects(counting: TableCounting, width: int) -> Table:
    effects, tags = counting.count.effects, counting.count.tags
    assert tags is not None
    exact = ["exactly"] if fit_in_column(effects.values()) else []
    rows = [
        (card, f"{decimal(100 * effect, 5)} %", *([str(effect)] if exact else []), _tag(tags.tags[card]))
        for card, effect in effects.items()
    ]
    columns = ("card", "effect of removal", *exact, "tag")
    return table(columns, rows, right=columns[1:], width=width)


def _linear(counting: TableCounting) -> Iterator[tuple[str, str]]:
    tags = counting.count.tags
    assert tags is not None
    for name, words in ((LINEAR, "the effects"), (WHOLE, "the tags")):
        correlation = counting.betting_correlation.get(name)
        if correlation is not None:
            yield f"betting correlation of {words}", f"{correlation:.3f} with the exact expectation, up to the cut card"
    yield "correlation of tags and effects", f"{tags.correlation:.3f}"
    yield "pivot", f"{decimal(tags.pivot, 2)} for each deck left: above it the tags call the wager favourable"


def _indices(counting: TableCounting, width: int) -> Table:
    columns = ("cut card at", "index", "count for each deck", "linear, per 100", "indexed, per 100")
    rows = []
    for depth in counting.depths:
        index, per_deck = counting.count.index(depth.gone), counting.count.index_per_deck(depth.gone)
        at = (f"{100 * index:+.2f} %", f"{per_deck:+.2f}") if per_deck is not None else ("", "")
        won = [_reach(depth.won[name].per_100, digits=3) for name in (LINEAR, INDEXED)]
        rows.append((_percent(depth.penetration), *at, *won))
    return table(columns, rows, right=columns, width=width)


def _depths(counting: TableCounting, width: int) -> Table:
    names = [name for name in (PERFECT, PLAYING) if name in counting.at.won]
    columns = ("cut card at", "favourable then", "worth then", *(f"{name}, per 100" for name in names))
    rows = []
    for depth in counting.depths:
        perfect = depth.won[PERFECT]
        worth = "" if perfect.last_worth is None else _reach(perfect.last_worth, 100, 2) + " %"
        won = [_reach(depth.won[name].per_100, digits=3) for name in names]
        rows.append((_percent(depth.penetration), _reach(perfect.last, 100, 2) + " %", worth, *won))
    return table(columns, rows, right=columns, width=width)


def _short(name: str) -> str:
    """A counter as it is called in a table."""
    groups = {**GROUPS, **{points: GROUPS[name] for name, points in POINTS.items()}}
    return f"{groups[name]} groups" if name in groups else name


def _group_depths(counting: TableCounting, width: int) -> Table:
    columns = ("cut card at", *(_short(name) for name in counting.groups))
    rows = [
        (_percent(depth.penetration), *(_reach(depth.won[name].per_100, digits=3) for name in counting.groups))
        for depth in counting.depths
    ]
    return table(columns, rows, right=columns, width=width)


def _two_groups(counting: TableCounting, width: int) -> Table:
    """When somebody wagers who counts two groups, and what is traded then."""
    rule = next(rule for rule in counting.groups.values() if rule.bets)
    name = rule.grouping.name(*rule.grouping.groups[0])
    trades = ["and trades"] if rule.kept else []
    columns = ("cut card at", "cards left", f"wagers with {name} left", *trades, "or with", *trades)
    rows = []
    for depth in counting.depths:
        left = counting.count.shoe - depth.gone
        row = [_percent(depth.penetration), str(left)]
        for word, bet in zip(("at most", "at least"), rule.around(depth.gone, left), strict=True):
            number = "never" if bet is None else f"{word} {bet.high if word == 'at most' else bet.low}"
            does = "" if bet is None else rule.grouping.names(bet.trades)
            row += [number, *([does] if trades else [])]
        rows.append(row)
    return table(columns, rows, right=("cut card at", "cards left"), width=width)


def _show_points(screen: Console, counting: TableCounting) -> None:
    """What somebody does who counts more groups in points."""
    trades = any(counting.points[name].trades for name in IN_POINTS)
    traded = (
        " A first card is then traded if the cards above the even shares, less those below, sum to less than the third "
        "table says."
    )
    screen.print(
        "In points: each card of a group above its even share of the cards left brings so many, and so does each card "
        f"below it. The wager is made with more points than the second table says.{traded * trades} A deck stands for "
        "each deck left."
    )
    screen.print()
    rows = [row for name in IN_POINTS for row in _point_rows(_short(name), counting.points[name])]
    screen.print(table(("count", "cards", "above", "below"), rows, right=("above", "below"), width=screen.width))
    screen.print()
    screen.print(_needed_points(counting, screen.width))
    if trades:
        screen.print()
        rows = [row for name in IN_POINTS for row in _trade_rows(_short(name), counting.points[name])]
        screen.print(table(("count", "first card", "is traded if", "sum to less than"), rows, width=screen.width))


def _point_rows(count: str, rule: PointsRule) -> Iterator[tuple[str, ...]]:
    for (ranks, suits), above, below in zip(rule.grouping.sums, rule.above, rule.below, strict=True):
        yield count, rule.grouping.name(ranks, suits), _tag(above), _tag(below)


def _trade_rows(count: str, rule: PointsRule) -> Iterator[tuple[str, ...]]:
    for trade in rule.trades:
        does = {None: rule.words(trade.weights), True: "always", False: "never"}[trade.always]
        yield count, rule.grouping.names(trade.kinds), does, trade.level.text if trade.always is None else ""


def _needed_points(counting: TableCounting, width: int) -> Table:
    columns = ["cut card at", "cards left"]
    for name in IN_POINTS:
        columns += [f"{_short(name)} above", "per 100"]
    rows = []
    for depth in counting.depths:
        row = [_percent(depth.penetration), str(left := counting.count.shoe - depth.gone)]
        for name, points in IN_POINTS.items():
            row += [f"{counting.points[name].needed(left):.1f}", _reach(depth.won[points].per_100, digits=3)]
        rows.append(row)
    levels = ["anywhere", "", *(text for name in IN_POINTS for text in (counting.points[name].level.text, ""))]
    return table(columns, [*rows, levels], right=columns, width=width)


def _together(counting: TableCounting, width: int) -> Table:
    """What the bonus and the required wager win together in a hundred hands."""
    ratios = SHOWN if counting.ratio in (0, *SHOWN) else tuple(sorted((*SHOWN, counting.ratio)))
    columns = ("counter", "breaks even from", *(f"{float(ratio):g} times" for ratio in ratios))
    rows = []
    for name, both in counting.together.items():
        if name in POINTS.values():
            continue
        rows.append((_short(name), both.words, *(f"{both.per_100[r].value:+.2f}" for r in ratios)))
    return table(columns, rows, right=columns[1:], whole=columns[:1], width=width)


def _counters(counting: TableCounting, width: int) -> Table:
    columns = ("counter", "", "wagers in", "worth then", "units per 100 hands", "deviation")
    rows = []
    for name, won in counting.at.won.items():
        if name in POINTS.values() and name not in IN_POINTS.values():
            continue
        worth = "" if won.worth is None else _reach(won.worth, 100, 2) + " %"
        wagered = _reach(won.wagered, 100, 2) + " %"
        rows.append((_short(name), COUNTERS[name], wagered, worth, _reach(won.per_100), f"{won.deviation:.2f}"))
    return table(columns, rows, right=columns[2:], whole=("counter", ""), width=width)


def _tag(tag: int) -> str:
    return f"{tag:+d}" if tag else "0"


def _reach(estimate: Estimate, scale: int = 1, digits: int = 4) -> str:
    """A figure and how far its interval reaches up."""
    return f"{scale * estimate.value:.{digits}f} ± {scale * (estimate.high - estimate.value):.{digits}f}"


def _percent(share: Fraction) -> str:
    return f"{round(float(100 * share), 1):g} %"
