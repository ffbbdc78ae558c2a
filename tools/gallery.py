"""Writes docs/gallery.md from the games that carry no approval: python -m tools.gallery"""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import feltworks
from feltworks.kit.game import Game
from feltworks.lab.certify import Certificate

FILE = Path(__file__).parent.parent / "docs" / "gallery.md"
SHOWS = {
    "sic-bo": 'dice; `opens = "any"`, a bet of its own on each spot; a pay table by spot; `alike` rolls',
    "punto-banco": '`required = "any"`, where nobody has to make a certain wager; `points`; `alike` ranks; `forgotten`',
    "roulette": "`Spin` and two `wheels`; `without_spots`; `lose_half`; a wager that stays up, by `left_up`",
    "casino-war": "a choice with an `Extra`; `lose_half`; a bonus that is `early`; a reading that the `house` chooses",
    "craps": "`windows`; a `contract` wager; `needs`; `move_wager`; `turn_over`; limits of the game's own in `check`",
    "three-card-poker": "`ShowdownRound` with `three_cards`; an Ante bonus with `STAYS`; `sides`",
    "caribbean-stud": "`best_hand` against the dealer's; `NOT_QUALIFIED`; `multiples`",
    "let-it-ride": "`take_back`, a bet that is withdrawn by a decision; `may_play`; `opens` on three spots",
    "mississippi-stud": "no dealer's hand; three decisions of one to three Antes, by `Extra`",
    "casino-holdem": "common cards in both hands, by `HandOf`; an Ante that pays by its own table",
    "ultimate-texas-holdem": "`opens` on two spots; a decision on three streets; `side_kind`",
}
"""What a game shows best, beside what all of them do. A test finds each of these names in the game's own files."""
HEAD = """# The gallery

Well-known games, each in about a hundred lines, with figures that others have printed. They are the examples that this
documentation teaches with: read the one that does what you need, or begin with a copy of it.

```sh
felt new my-own --like craps
```

**They carry no approval**, and say so wherever they are shown: each follows the rules as houses usually post them, and
no document of an authority. The names of the games are the marks of their makers, who
have nothing to do with Feltworks.

This page is made from the games with `make gallery`, and a test sees to it that it is current.

## At the table

```sh
felt serve craps three-card-poker
```

opens a training table for each game that is named; `make play` has four of them in its lobby, and in any house a
manager [opens a table](manager.md#open-a-table) for one. None of their definitions says how it looks: each felt is
[shown by the rules](game-toml.md#the-layout).

![Three Card Poker: three nines beat a queen high](pictures/three-card-poker.png)
![Craps: a point of six, odds behind the line, and a Come that has gone to the nine](pictures/craps.png)
![Punto Banco: the banker draws a third card, and wins with a nine](pictures/punto-banco.png)
![Roulette: chips on numbers and on red and black](pictures/felt-wheel.png)
![Three Card Poker on a phone](pictures/three-card-poker-phone.png){ .narrow loading=lazy }
![Craps on a phone](pictures/craps-phone.png){ .narrow loading=lazy }

## Which game shows what

| game | lines that are not empty | shows |
|---|---|---|
"""
FIGURES = """
## What they cost

Every printed figure beside the exact one, as `felt certify` compares them. *Rounded* says that the printed figure is
the exact one, rounded to as many digits.
"""
TABLE = """
### {title}

| wager | case | printed | exactly | verdict | printed in |
|---|---|---|---|---|---|
"""
TAIL = """
Figures that are the same for many wagers, such as those of roulette, are told once for each version.

Blackjack, which has every posted rule as an option, and the games that carry an approval have pages of their own:
[blackjack and IN BETween](blackjack.md), [Yo!](yo.md), [Down Under Hold'em](down-under.md), [One For The
Money](rules/one-for-the-money.md).
"""


def gallery() -> list[Game]:
    """The games without an approval, in the order in which they are best read."""
    return [feltworks.load(name) for name in SHOWS]


def written() -> str:
    games = gallery()
    shows = "".join(
        f"| [{game.title}](rules/{game.name}.md) | {lines(game)} | {SHOWS[game.name]} |\n" for game in games
    )
    return f"{HEAD}{shows}{FIGURES}{''.join(figures(games))}{TAIL}"


def lines(game: Game) -> int:
    """The lines of its rules that are not empty."""
    return sum(bool(line.strip()) for line in (game.folder / "rules.py").read_text("utf-8").splitlines())


def figures(games: list[Game]) -> Iterator[str]:
    """A table for each game, with a line for each figure; those that are alike of several wagers are one."""
    for game in games:
        yield TABLE.format(title=game.title)
        found = feltworks.certify(game)

        def told(figure: Certificate) -> tuple[str, ...]:
            assert figure.exact is not None, "a game of the gallery is too large"
            exactly = str(figure.exact) if len(str(figure.exact)) < 30 else f"{float(figure.exact):.6%}"
            words = "" if figure.figure == "edge" else f", {figure.figure}"
            printed_in = re.sub(r"\|", "/", figure.source)
            return f"{figure.case}{words}", f"{figure.printed}\N{NO-BREAK SPACE}%", exactly, figure.verdict, printed_in

        for row, alike in groupby(found, told):
            wagers = dict.fromkeys(game.definition.wagers[figure.wager].title for figure in alike)
            yield f"| {', '.join(wagers)} | {' | '.join(row)} |\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
