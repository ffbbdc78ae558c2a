"""Cards, dice and the table, drawn with lines. Colour is never alone: a suit has its sign and its letter."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from feltworks.games.blackjack.rules import is_blackjack, place_of, total
from feltworks.kit.cards import Card, Seat
from feltworks.kit.game import Game, game_of
from feltworks.kit.paytable import PayTable
from feltworks.kit.poker import best_hand, describe
from feltworks.kit.round import DISCARD, Face, Round
from feltworks.kit.steps import Choose, Pocket
from feltworks.kit.transcript import marker_words
from feltworks.terminal.words import money

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RED, BLACK, BACK, FELT = "bold red", "bold", "blue", "green"
FOLDED = ", folded"
"""How the place of a folded hand ends."""
POCKETS = {
    "": "reverse",
    "red": "white on red",
    "black": "white on black",
    "green": "white on green",
    "blue": "white on blue",
    "yellow": "black on yellow",
    "white": "black on white",
}
"""How the pockets of a wheel are drawn, by their colour."""
DICE = {"dark": "bold red", "light": "yellow"}
"""How dice are drawn that are told apart by their colour; the name of their set stands beside them."""
LIGHTS = {"gold": "yellow"}
"""What a terminal calls a colour otherwise."""
PIPS = {1: "    ●    ", 2: "●       ●", 3: "●   ●   ●", 4: "● ●   ● ●", 5: "● ● ● ● ●", 6: "● ●● ●● ●"}
Picture = list[Text]
Wagers = Mapping[tuple[Seat, str], Fraction]


def card_text(card: Card) -> Text:
    """A card in a line of text: J♦d."""
    suit = card.suit if card.has_suit else ""
    return Text(f"{_rank(card)}{SIGNS.get(suit, '')}{suit}", style=_style(card))


def card_picture(face: Face) -> Picture:
    """A card as it lies: open, or its back with what the reader said of it below."""
    card = face.card
    if card is None:
        rows = ["░░░░░"] * 3
        style = BACK
    else:
        suit = card.suit if card.has_suit else " "
        rows = [f" {_rank(card):<4}", f"  {SIGNS.get(suit, ' ')}  ", f"   {suit} "]
        style = _style(card)
    lines = [Text(line) for line in ("╭─────╮", *(f"│{row}│" for row in rows), "╰─────╯")]
    for line in lines[1:-1]:
        line.stylize(style, 1, 6)
    told = face.reading.name if card is None and face.reading is not None else ""
    return [*lines, Text(f"{told:^7}")]


def dice_picture(dice: Iterable[int]) -> Text:
    """Dice side by side, with their pips."""
    return side_by_side([_die(die) for die in dice])


def draw_dice(game: Game, dice: tuple[int, ...], things: Mapping[str, str]) -> RenderableType:
    """A roll as the dealer lays it out: set by set, the one behind above the one in front (Y-32)."""
    sets = game.definition.layout.get("dice", {}).get("sets")
    if not sets:
        return dice_picture(dice)
    rows, rest = [], dice
    for group in sets:
        faces, rest = rest[: group["of"]], rest[group["of"] :]
        front = things.get(group["name"], "front") == "front"
        name = Text(f"\n\n{group['name'].capitalize()}, {'in front' if front else 'behind'}")
        picture = dice_picture(faces)
        picture.stylize(DICE.get(group["look"], ""))
        rows.append((front, picture, name))
    grid = Table.grid(padding=(0, 2))
    for _, picture, name in sorted(rows, key=lambda row: row[0]):
        grid.add_row(picture, name)
    return grid


def pocket_text(game: Game, pocket: Pocket) -> Text:
    """A pocket with its colour, which is said as well."""
    colour = game.wheels[pocket.wheel].colour_of(pocket.name)
    return Text.assemble((f" {pocket.name} ", f"bold {POCKETS[colour]}"), f" {colour}" if colour else "")


def _die(die: int) -> Picture:
    pips = PIPS[die]
    rows = (f"│ {' '.join(pips[i : i + 3])} │" for i in (0, 3, 6))
    return [Text(line) for line in ("╭───────╮", *rows, "╰───────╯")]


def side_by_side(pictures: list[Picture]) -> Text:
    """Pictures of one height in a row; a last line that is empty in all of them is left out."""
    widths = [max(line.cell_len for line in picture) for picture in pictures]
    rows = []
    for parts in zip(*pictures, strict=True):
        padded = [Text.assemble(p, " " * (w - p.cell_len)) for p, w in zip(parts, widths, strict=True)]
        rows.append(Text(" ").join(padded))
    if rows and not rows[-1].plain.strip():
        rows.pop()
    return Text("\n").join(rows)


def draw_table(view: Round, wagers: Wagers, me: Seat, things: Mapping[str, str], balance: str) -> RenderableType:
    """The table as one seat sees it: the dealer at the top, each other seat in a line, the own one below. `things` are
    the dealer's, and where they were put last."""
    parts: list[RenderableType] = [_house(view)] if view.cards else []
    marker = marker_words(game_of(view), things)
    facts = [*([f"marker {marker}"] if marker else []), *(f"{name} {value}" for name, value in view.told.items())]
    known = " · ".join(facts)
    if known:
        parts.append(Text(known))
    others = (seat for seat in view.seats if seat != me)
    parts += [_strip(view, wagers, s) for s in others if _cards_of(view, s) or _wagers_of(view, wagers, s)]
    parts.append(_own(view, wagers, me))
    return Panel(
        Group(*parts),
        title=view.game.title,
        title_align="left",
        subtitle=balance,
        subtitle_align="right",
        border_style=FELT,
    )


def draw_pay_table(title: str, pays: PayTable) -> RenderableType:
    grid = Table.grid(padding=(0, 3))
    grid.add_row(Text(title, style="bold"), Text(f"table {pays.name}", style="dim"))
    for line in pays:
        grid.add_row(f"  {line.name}", Text(str(line.pay), justify="right"))
    return grid


def points(faces: Iterable[Face], *, split: bool = False) -> str:
    """What open cards come to: "16", "soft 17", "over 21", "blackjack", which a hand from a split never is."""
    cards = tuple(face.card for face in faces if face.card is not None)
    found, soft = total(cards)
    if is_blackjack(cards) and not split:
        return "blackjack"
    return "over 21" if found > 21 else f"soft {found}" if soft and found < 21 else str(found)


def _counts(view: Round) -> bool:
    """Whether hands at this table count points, and a seat may have several."""
    return "hands" in game_of(view).definition.layout


def _hands(view: Round, seat: Seat) -> dict[int, list[Face]]:
    """The cards of each of a seat's hands that lie there."""
    places = {place_of(seat, number): number for number in range(1, 10)}
    found: dict[int, list[Face]] = {}
    for face in _cards_of(view, seat):
        found.setdefault(places[face.place], []).append(face)
    return found


def _house(view: Round) -> RenderableType:
    """The cards of the house, place by place."""
    places: dict[str, list[Face]] = {}
    for token, face in view.cards.items():
        if token.owner is None and face.place != DISCARD:
            places.setdefault(face.place, []).append(face)
    grid = Table.grid(padding=(0, 3))
    lights = _lights(view)
    if places:
        grid.add_row(
            *(Text(place.capitalize() + _open_points(view, faces), style="dim") for place, faces in places.items())
        )
        grid.add_row(*(side_by_side([card_picture(face) for face in faces]) for faces in places.values()))
    return Group(lights, grid) if lights else grid


def _open_points(view: Round, faces: list[Face]) -> str:
    """What the dealer's cards come to, once more than one of them lies open."""
    many = sum(face.card is not None for face in faces) > 1
    return f", {points(faces)}" if many and _counts(view) else ""


def _lights(view: Round) -> Text:
    """The bands of the card reader: as many lights are on as cards were read to be of each."""
    read = [face.reading.name for face in view.cards.values() if face.reading is not None]
    shown = []
    for name, row in game_of(view).definition.layout.get("rows", {}).items():
        if light := row.get("light"):
            on = read.count(name)
            style = f"bold {LIGHTS.get(light, light)}" if on else "dim"
            shown.append(Text(f"{'●' * on or '○'} {row['label']} {row['ranks']}", style=style))
    return Text("   ").join(shown)


def _strip(view: Round, wagers: Wagers, seat: Seat) -> Text:
    cards = _line(_cards_of(view, seat))
    if _counts(view):
        hands = _hands(view, seat)
        said = {number: points(faces, split=len(hands) > 1) for number, faces in hands.items()}
        cards = Text("  ·  ").join(Text.assemble(_line(faces), f"  {said[n]}") for n, faces in hands.items())
    staked = " · ".join(f"{title} {money(amount)}" for title, amount in _wagers_of(view, wagers, seat))
    return Text("  ").join([Text(f"Seat {seat}", style="dim"), *([cards] if cards else []), Text(staked)])


def _line(faces: Iterable[Face]) -> Text:
    """Cards in a line of text."""
    return Text("  ").join(card_text(face.card) if face.card else Text("░░", style=BACK) for face in faces)


def _several(view: Round, wagers: Wagers, me: Seat) -> RenderableType:
    """The hands of a seat one below the other, the one that is played with an arrow and in pictures."""
    spots = game_of(view).definition.layout["hands"]
    asked = isinstance(view.next, Choose) and view.next.is_for(me)
    now = view.told.get("hand", "") if asked else ""
    hands = _hands(view, me)
    rows = Table.grid(padding=(0, 2))
    for number, spot in enumerate(spots, start=1):
        staked, faces = wagers.get((me, spot)), hands.get(number, [])
        if staked is not None or faces:
            arrow = Text("►" if str(number) == now else " ", style="bold yellow")
            rows.add_row(
                arrow, f"Hand {number}", _line(faces), points(faces, split=True) if faces else "", _right(staked)
            )
    for (seat, spot), amount in wagers.items():
        if seat == me and spot not in spots:
            rows.add_row("", view.game.spot_title(spot), "", "", _right(amount))
    who = Text(f"Seat {me}, you", style="bold")
    played = hands.get(int(now), []) if now else []
    pictures = [side_by_side([card_picture(face) for face in played])] if played else []
    return Group(*pictures, who, rows)


def _right(amount: Fraction | None) -> Text:
    return Text("" if amount is None else money(amount), justify="right")


def _own(view: Round, wagers: Wagers, me: Seat) -> RenderableType:
    if _counts(view) and (len(_hands(view, me)) > 1 or (me, game_of(view).definition.layout["hands"][1]) in wagers):
        return _several(view, wagers, me)
    lying = Table.grid(padding=(0, 2))
    for title, amount in _wagers_of(view, wagers, me):
        lying.add_row(title, Text(money(amount), justify="right"))
    faces = _cards_of(view, me)
    folded = any(face.place.endswith(FOLDED) for face in faces)
    who = Text(f"Seat {me}, you{FOLDED if folded else ''}", style="bold")
    hand = points(faces).capitalize() if _counts(view) and len(faces) > 1 else _hand(view, faces)
    told = Group(who, *([Text(hand)] if hand else []), lying)
    if not faces:
        return told
    grid = Table.grid(padding=(0, 3))
    grid.add_row(side_by_side([card_picture(face) for face in faces]), told)
    return grid


def _hand(view: Round, faces: list[Face]) -> str:
    """What a seat's cards make with those that all share, where a game has such and enough of them lie open."""
    place = game_of(view).definition.layout.get("hand")
    shared = [face for token, face in view.cards.items() if token.owner is None and face.place == place]
    cards = [face.card for face in (*faces, *shared) if face.card is not None]
    return describe(best_hand(cards)).capitalize() if place and len(cards) >= 5 else ""


def _cards_of(view: Round, seat: Seat) -> list[Face]:
    return [face for token, face in view.cards.items() if token.owner == seat and face.place != DISCARD]


def _wagers_of(view: Round, wagers: Wagers, seat: Seat) -> list[tuple[str, Fraction]]:
    return [(view.game.spot_title(spot), amount) for (s, spot), amount in wagers.items() if s == seat]


def _rank(card: Card) -> str:
    return card.text[0].replace("T", "10")


def _style(card: Card) -> str:
    return RED if card.has_suit and card.suit in ("d", "h") else BLACK
