"""Second ways to the figures: plain enumerations of real cards and closed forms that know nothing of the Round."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from math import comb

Card = tuple[int, int]
"""Rank 2 to 14 and suit 0 to 3."""


def one_for_the_money_base(decks: int, back: bool = False) -> tuple[Fraction, dict[int, str]]:
    """The value of the base game per Ante with the best play, and that play by first card, from counts of ranks."""
    full = dict.fromkeys(range(2, 15), 4 * decks)

    def showdown(card: int, gone: list[int]) -> Fraction:
        """The chance to win minus the chance to lose for one unit against the better of two unseen cards."""
        left = Counter(full)
        left.subtract(gone)
        total = sum(left.values())
        below = sum(n for rank, n in left.items() if rank < card)
        not_above = below + left[card]
        win = Fraction(comb(below, 2), comb(total, 2))
        lose = 1 - Fraction(comb(not_above, 2), comb(total, 2))
        return win - lose

    def replaced(first: int) -> Fraction:
        """A trade for good: the replacement comes from what is left, and so do the dealer's cards."""
        left = Counter(full)
        left.subtract([first])
        worth = Fraction(0)
        for second, n in left.items():
            now = showdown(second, [first, second])
            worth += Fraction(n, left.total()) * max(2 * now, 3 * now)
        return worth

    def replaced_from_the_shuffler(first: int) -> Fraction:
        """A trade into the shuffler: the dealer's cards lie dealt already, and the replacement is one of the others
        or the traded card itself."""
        left = Counter(full)
        left.subtract([first])
        total = left.total()
        worth = Fraction(0)
        for second in full:
            now = Fraction(0)
            for low, high in combinations_with_replacement(full, 2):
                ways = comb(left[low], 2) if low == high else left[low] * left[high]
                there = left[second] - (low == second) - (high == second) + (first == second)
                share = Fraction(ways * there, comb(total, 2) * (total - 1))
                now += share * ((second > high) - (second < high))
            worth += max(2 * now, 3 * now)
        return worth

    value = Fraction(0)
    play = {}
    for first in full:
        check = showdown(first, [first])
        traded = replaced_from_the_shuffler(first) if back else replaced(first)
        worth = {"check": check, "raise": 2 * check, "trade": traded}
        play[first] = max(worth, key=worth.__getitem__)
        value += Fraction(full[first], sum(full.values())) * worth[play[first]]
    return value, play


def three_card_kind(cards: tuple[Card, Card, Card], ace_low: bool = True) -> str:
    ranks = sorted(rank for rank, _ in cards)
    flush = len({suit for _, suit in cards}) == 1
    straight = ranks[1] - ranks[0] == ranks[2] - ranks[1] == 1 or (ace_low and ranks == [2, 3, 14])
    if straight and flush:
        return "Straight flush"
    if ranks[0] == ranks[2]:
        return "Three of a kind"
    return "Straight" if straight else "Flush" if flush else ""


def match_kind(cards: tuple[Card, Card, Card]) -> str:
    """The seat's card comes first."""
    mine, *dealer = cards
    same_rank = sum(card[0] == mine[0] for card in dealer)
    same_card = sum(card == mine for card in dealer)
    if same_card == 2:
        return "Suited three of a kind"
    if same_rank == 2:
        return "Three of a kind"
    if same_card:
        return "Matches a dealer card, suited"
    return "Matches a dealer card, unsuited" if same_rank else ""


def bonus_lines(
    decks: int, kind: Callable[[tuple[Card, Card, Card]], str], traded: set[int] | None = None
) -> dict[str, Fraction]:
    """The probability of each line of a bonus when these first ranks are traded; the rest are kept."""
    deck = [(rank, suit) for suit in range(4) for rank in range(2, 15)]
    pairs = list(combinations_with_replacement(deck, 2))
    found: dict[str, Fraction] = Counter()  # type: ignore[assignment]
    whole = 52 * decks
    for rank in range(2, 15):
        first = (rank, 0)
        if rank not in (traded or ()):
            _add(found, Fraction(1, 13), first, Counter([first]), pairs, decks, kind, whole - 1)
            continue
        for second in deck:
            left = decks - (second == first)
            share = Fraction(left, 13 * (whole - 1))
            _add(found, share, second, Counter([first, second]), pairs, decks, kind, whole - 2)
    return found


def _add(
    found: dict[str, Fraction],
    share: Fraction,
    card: Card,
    gone: Counter[Card],
    pairs: list[tuple[Card, Card]],
    decks: int,
    kind: Callable[[tuple[Card, Card, Card]], str],
    left: int,
) -> None:
    ways: Counter[str] = Counter()
    for a, b in pairs:
        n, m = decks - gone[a], decks - gone[b]
        ways[kind((card, a, b))] += n * (n - 1) // 2 if a == b else n * m
    for line, n in ways.items():
        found[line] += share * Fraction(n, comb(left, 2))


def in_between_lines(decks: int) -> dict[str, Fraction]:
    """The probability of each line of IN BETween, from the counts of the ranks."""
    total = 52 * decks
    all_deals = total * (total - 1) * (total - 2)
    n = 4 * decks
    found = {"Triple match": Fraction(13 * n * (n - 1) * (n - 2), all_deals)}
    names = {1: "One card spread", 2: "Two card spread", 3: "Three card spread"}
    for spread in range(1, 12):
        pairs_of_ranks = 12 - spread
        deals = 2 * pairs_of_ranks * n * n * spread * n
        name = names.get(spread, "All other spreads")
        found[name] = found.get(name, Fraction(0)) + Fraction(deals, all_deals)
    found["Not in between"] = 1 - sum(found.values(), Fraction(0))
    return found


def deals(pack: list[Card], cards: int) -> Iterator[tuple[Card, ...]]:
    """Every ordered deal of so many cards."""
    return permutations(pack, cards)
