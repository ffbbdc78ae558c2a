"""Blackjack played out card by card with fractions: slow, plain, and apart from the code that it proves."""

from collections.abc import Callable, Iterator
from fractions import Fraction

Shoe = tuple[int, ...]
"""Cards left by rank: ace, 2 to 9, ten."""
Hand = tuple[int, ...]
"""Ranks as they came."""
Finished = tuple[int, int]
"""A hand's total, or 0 if it is over 21, and its stake."""


def points(hand: Hand) -> int:
    """The total of a hand."""
    low = sum(rank + 1 for rank in hand)
    return low + 10 if 0 in hand and low <= 11 else low


def is_soft(hand: Hand) -> bool:
    return points(hand) != sum(rank + 1 for rank in hand)


def draw(shoe: Shoe) -> Iterator[tuple[int, Fraction, Shoe]]:
    """Each next card with its chance and the shoe without it."""
    cards = sum(shoe)
    assert cards, "The shoe has run out."
    for rank, number in enumerate(shoe):
        if number:
            yield rank, Fraction(number, cards), (*shoe[:rank], number - 1, *shoe[rank + 1 :])


def dealer(shoe: Shoe, hand: Hand, hits_soft_17: bool) -> dict[str, Fraction]:
    """The chances of the dealer's end, blackjack among them."""
    reached = points(hand)
    if len(hand) == 2 and reached == 21:
        return {"blackjack": Fraction(1)}
    if reached > 21:
        return {"bust": Fraction(1)}
    if reached > 17 or (reached == 17 and not (hits_soft_17 and is_soft(hand))):
        return {str(reached): Fraction(1)}
    found: dict[str, Fraction] = {}
    for rank, chance, left in draw(shoe):
        for end, further in dealer(left, (*hand, rank), hits_soft_17).items():
            found[end] = found.get(end, Fraction(0)) + chance * further
    return found


def net(finished: tuple[Finished, ...], end: str, takes_all: bool) -> Fraction:
    """What all hands win or lose together; nothing on a blackjack that a peek would have shown."""
    if end == "blackjack":
        return Fraction(-sum(stake for _, stake in finished) if takes_all else 0)
    dealt = 0 if end == "bust" else int(end)
    total = 0
    for own, stake in finished:
        if own == 0 or own < dealt:
            total -= stake
        elif own > dealt:
            total += stake
    return Fraction(total)


class Table:
    """One upcard, and how its hands are played."""

    def __init__(self, upcard: int, hits_soft_17: bool, takes_all: bool) -> None:
        self.upcard, self.hits_soft_17, self.takes_all = upcard, hits_soft_17, takes_all
        self.ends: dict[Shoe, dict[str, Fraction]] = {}

    def settle(self, shoe: Shoe, finished: tuple[Finished, ...]) -> tuple[Fraction, Fraction]:
        """The mean net and the mean of its square."""
        if shoe not in self.ends:
            self.ends[shoe] = dealer(shoe, (self.upcard,), self.hits_soft_17)
        nets = [(chance, net(finished, end, self.takes_all)) for end, chance in self.ends[shoe].items()]
        return sum((c * n for c, n in nets), Fraction(0)), sum((c * n * n for c, n in nets), Fraction(0))

    def split(
        self,
        shoe: Shoe,
        rank: int,
        most: int,
        doubles: Callable[[Hand], bool],
        hits: Callable[[Hand], bool],
    ) -> tuple[Fraction, Fraction]:
        """A pair that has left the shoe is split; its hands are played one after the other, then the dealer's."""
        seen: dict[object, tuple[Fraction, Fraction]] = {}

        def mean(shoe: Shoe, further: Callable[[int, Shoe], tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
            parts = [(chance, further(card, left)) for card, chance, left in draw(shoe)]
            return sum((c * part[0] for c, part in parts), Fraction(0)), sum(
                (c * part[1] for c, part in parts), Fraction(0)
            )

        def second_card(
            shoe: Shoe, waiting: int, hands: int, finished: tuple[Finished, ...]
        ) -> tuple[Fraction, Fraction]:
            if not waiting:
                return self.settle(shoe, finished)
            key = shoe, waiting, hands, tuple(sorted(finished))
            if key not in seen:
                seen[key] = mean(shoe, lambda card, left: begin(card, left, waiting, hands, finished))
            return seen[key]

        def begin(
            card: int, left: Shoe, waiting: int, hands: int, finished: tuple[Finished, ...]
        ) -> tuple[Fraction, Fraction]:
            if card == rank and hands < most:
                return second_card(left, waiting + 1, hands + 1, finished)
            hand = (rank, card)
            if doubles(hand):
                return mean(left, lambda third, rest: end((*hand, third), rest, 2, waiting, hands, finished))
            return go_on(hand, left, waiting, hands, finished)

        def go_on(
            hand: Hand, shoe: Shoe, waiting: int, hands: int, finished: tuple[Finished, ...]
        ) -> tuple[Fraction, Fraction]:
            if points(hand) > 21 or not hits(hand):
                return end(hand, shoe, 1, waiting, hands, finished)
            return mean(shoe, lambda card, left: go_on((*hand, card), left, waiting, hands, finished))

        def end(
            hand: Hand, shoe: Shoe, stake: int, waiting: int, hands: int, finished: tuple[Finished, ...]
        ) -> tuple[Fraction, Fraction]:
            own = points(hand) if points(hand) <= 21 else 0
            return second_card(shoe, waiting - 1, hands, (*finished, (own, stake)))

        return second_card(shoe, 2, 2, ())

    def hand(self, shoe: Shoe, hand: Hand, stake: int, hits: Callable[[Hand], bool]) -> tuple[Fraction, Fraction]:
        """A hand that is not split, played to its end: the mean net and the mean of its square."""
        if points(hand) > 21 or not hits(hand):
            return self.settle(shoe, ((points(hand) if points(hand) <= 21 else 0, stake),))
        parts = [(chance, self.hand(left, (*hand, card), stake, hits)) for card, chance, left in draw(shoe)]
        return sum((c * part[0] for c, part in parts), Fraction(0)), sum(
            (c * part[1] for c, part in parts), Fraction(0)
        )


class Best:
    """The best play of one hand against an upcard, without splits, by trying everything."""

    def __init__(self, upcard: int, hits_soft_17: bool) -> None:
        self.table = Table(upcard, hits_soft_17, False)
        self.seen: dict[Hand, Fraction] = {}

    def stand(self, shoe: Shoe, hand: Hand) -> Fraction:
        own = points(hand)
        return self.table.settle(shoe, ((own if own <= 21 else 0, 1),))[0]

    def hit(self, shoe: Shoe, hand: Hand) -> Fraction:
        return sum((chance * self.best(left, (*hand, card)) for card, chance, left in draw(shoe)), Fraction(0))

    def double(self, shoe: Shoe, hand: Hand) -> Fraction:
        return 2 * sum((chance * self.stand(left, (*hand, card)) for card, chance, left in draw(shoe)), Fraction(0))

    def best(self, shoe: Shoe, hand: Hand) -> Fraction:
        hand = tuple(sorted(hand))
        if hand not in self.seen:
            stand = self.stand(shoe, hand)
            # Nobody draws to a hard 19 or more, and trying it takes long.
            done = points(hand) > 21 or (points(hand) >= 19 and not is_soft(hand))
            self.seen[hand] = stand if done else max(stand, self.hit(shoe, hand))
        return self.seen[hand]
