"""Whether hands settle a round as they are declared to.

Rules that ask the round for nothing but kinds and the better hand are walked with cards that nobody can look at: that
proves it. Rules that look at cards are walked with real ones, random and planted: rare hands, copied ranks, ties. Two
deals of one signature that are settled differently refuse the declaration. A signature of which no deal was found is
not taken for anything: the engine proves that it does not come up, or stops.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from feltworks.kit.cards import SUITED_CARDS, SUITS, Card, Token
from feltworks.kit.errors import FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.showdown import CardLookedAt, HandOf, Kind, Showdown, Signature
from feltworks.lab.graph import ME
from feltworks.lab.showdown.hand_values import examples
from feltworks.lab.showdown.skeleton import CardOf, Shape, Skeleton, hidden, skeleton, walked

WALKED = 1_000
"""So many deals are walked by the round, along every course of choices."""
SEARCHED = 30_000
"""Among so many deals they are looked for."""

Deal = Mapping[Token, Card]
Plant = Callable[[dict[Token, Card], int, Random], None]


class Proof(NamedTuple):
    """The courses of a round, and how far it is sure that the hands alone settle it."""

    skeleton: Skeleton
    deals: int = 0
    """On so many deals it was checked; none where it is proved."""
    looked: str = ""
    """The first line of the rules that looked at a card."""
    missing: frozenset[int] = frozenset()
    """The numbers of the signatures of which no deal was found."""

    @property
    def words(self) -> str:
        if not self.deals:
            return "Proved: the rules ask for nothing but the kinds of the hands and the better one."
        return (
            f"Checked on {self.deals:,} deals that the kinds of the hands and the better one settle it; {self.looked}."
        )


def proved(game: Game, stakes: Mapping[str, Fraction], signatures: Sequence[Signature], shown: Showdown) -> Proof:
    """Walk the round with cards that nobody can look at; if that is not possible, with many real deals."""
    try:
        return Proof(hidden(game, stakes, signatures))
    except CardLookedAt as look:
        return _checked(game, stakes, signatures, shown, str(look))


def _checked(
    game: Game, stakes: Mapping[str, Fraction], signatures: Sequence[Signature], shown: Showdown, looked: str
) -> Proof:
    numbers = {signature[:3]: number for number, signature in enumerate(signatures)}
    found: dict[int, list[Deal]] = defaultdict(list)
    enough = -(-WALKED // len(signatures))
    for deal in _deals(game, shown):
        deals = found[numbers[signature_of(shown, deal)[:3]]]
        if len(deals) < enough:
            deals.append(deal)
    shapes: dict[int, Shape] = {}
    walks = 0
    for number, deals in found.items():
        for deal in deals:
            shape = walked(game, stakes, _with_rest(game, deal, walks))
            walks += 1
            if shapes.setdefault(number, shape) != shape:
                raise FaultyRules(
                    f"{game.title} settles {_told(deals[0], shown)} otherwise than {_told(deal, shown)}, which are of"
                    f" the same kinds and compare alike ({looked}); let `kind` tell them apart."
                )
    some = next(iter(shapes.values()))
    missing = frozenset(range(len(signatures))) - shapes.keys()
    return Proof(
        skeleton(game, [shapes.get(number, some) for number in range(len(signatures))]), walks, looked, missing
    )


def beside(
    game: Game,
    stakes: Mapping[str, Fraction],
    shown: Showdown,
    side: HandOf,
    kinds: Sequence[Kind],
    signatures: Sequence[Signature],
    looked: str,
) -> Skeleton:
    """The courses of a round with a side wager, walked with many real deals, for each kind of its hand and each
    signature. For one of which no deal was found another of that kind stands in: the wager goes by its hand alone."""
    numbers = {signature[:3]: number for number, signature in enumerate(signatures)}
    enough = -(-WALKED // (len(kinds) * len(signatures)))
    shapes: dict[tuple[int, int], Shape] = {}
    walks: Counter[tuple[int, int]] = Counter()
    first: dict[tuple[int, int], Deal] = {}
    for seed, deal in enumerate(_deals(game, shown)):
        card_of = _with_rest(game, deal, seed)
        kind = side.kind(side.value([card_of(token) for token in side.cards_of(ME)]))
        place = kinds.index(kind), numbers[signature_of(shown, deal)[:3]]
        if walks[place] >= enough:
            continue
        walks[place] += 1
        shape = walked(game, stakes, card_of)
        first.setdefault(place, deal)
        if shapes.setdefault(place, shape) != shape:
            raise FaultyRules(
                f"{game.title} settles {_told(first[place], shown)} otherwise than {_told(deal, shown)}, which are of"
                f" the same kinds and compare alike ({looked}); let `kind` tell them apart."
            )
    some = {kind: shape for (kind, _), shape in shapes.items()}
    if missing := [str(kind) for number, kind in enumerate(kinds) if number not in some]:
        raise FaultyRules(
            f"No deal of {game.title} was found with a hand of {', '.join(missing)} for its side wager ({looked}); let"
            " its rules ask for kinds instead of looking at cards."
        )
    every = [shapes.get((kind, n), some[kind]) for kind in range(len(kinds)) for n in range(len(signatures))]
    return skeleton(game, every)


def signature_of(shown: Showdown, deal: Deal) -> Signature:
    """How a deal ends, by the declared functions themselves."""
    mine = shown.seat.value([deal[token] for token in shown.seat.cards_of(ME)])
    if shown.dealer is None:
        return Signature(shown.seat.kind(mine))
    theirs = shown.dealer.value([deal[token] for token in shown.dealer.cards_of(ME)])
    return Signature(shown.seat.kind(mine), shown.dealer.kind(theirs), int(mine > theirs) - int(mine < theirs))


def _with_rest(game: Game, deal: Deal, seed: int) -> CardOf:
    """A card for every token: those of no declared hand get one of the others."""
    dealt = dict(deal)
    used = set(deal.values())
    rest = [card for card in _deck(game) if card not in used]
    Random(seed).shuffle(rest)

    def card_of(token: Token) -> Card:
        if token not in dealt:
            dealt[token] = rest.pop()
        return dealt[token]

    return card_of


def _deck(game: Game) -> list[Card]:
    pack = game.fresh()
    assert pack is not None
    return [card for card in SUITED_CARDS if pack.count(card)]


def _deals(game: Game, shown: Showdown) -> Iterator[Deal]:
    """Many deals: random ones, and such as hardly ever come."""
    chance, deck = Random(game.name), _deck(game)
    mine = list(shown.seat.cards_of(ME))
    theirs = list(shown.dealer.cards_of(ME)) if shown.dealer else []
    rare = [_planter(shown.seat, mine, deck)] + ([_planter(shown.dealer, theirs, deck)] if shown.dealer else [])
    tokens = list(dict.fromkeys([*mine, *theirs]))
    for number in range(SEARCHED):
        deal: dict[Token, Card] = {}
        if number % 4:
            rare[0](deal, number // 4, chance)
        if number % 4 == 2 and theirs:
            rare[-1](deal, number // 4 // 7, chance)
        if number % 4 == 3:
            _copy_ranks(deal, [t for t in mine if t not in theirs], [t for t in theirs if t not in mine], chance)
        used = set(deal.values())
        left = chance.sample([card for card in deck if card not in used], len(tokens) - len(deal))
        yield {**deal, **dict(zip([token for token in tokens if token not in deal], left, strict=True))}


def _planter(hand: HandOf, tokens: list[Token], deck: list[Card]) -> Plant:
    """Deals a hand of each kind in turn, with other suits, as far as its cards are still there."""
    kinds = examples(hand, len(tokens), deck)

    def plant(deal: dict[Token, Card], number: int, chance: Random) -> None:
        cards = chance.choice(kinds[number % len(kinds)])
        suits = dict(zip(SUITS, chance.sample(SUITS, len(SUITS)), strict=True))
        renamed = [Card(card.text[0] + suits[card.suit]) for card in cards]
        places = [token for token in tokens if token not in deal]
        chance.shuffle(places)
        used = set(deal.values())
        free = [card for card in renamed if card in deck and card not in used]
        deal.update(zip(places, free, strict=False))

    return plant


def _copy_ranks(deal: dict[Token, Card], mine: list[Token], theirs: list[Token], chance: Random) -> None:
    """Give the dealer cards of the seat's ranks in other suits."""
    for own, other in zip(mine, theirs, strict=False):
        if own in deal and other not in deal:
            copy = Card(deal[own].text[0] + chance.choice(SUITS))
            if copy not in set(deal.values()):
                deal[other] = copy


def _told(deal: Deal, shown: Showdown) -> str:
    """A deal in words."""
    mine = " ".join(str(deal[token]) for token in shown.seat.cards_of(ME))
    if shown.dealer is None:
        return mine
    return f"{mine} against {' '.join(str(deal[token]) for token in shown.dealer.cards_of(ME))}"
