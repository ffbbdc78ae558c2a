"""The shoes, rolls and spins of one table, which only the house can look into: the live source of chance (F-14, F-20).

What is sealed in the store makes the same shoe again, so that a killed round goes on with its cards (F-17).
"""

from collections.abc import Callable, Collection, Iterable

import msgspec

from feltworks.floor.chance.generator import fresh_seed
from feltworks.floor.chance.openings import shared
from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.chance.shoe import Committed, Rolls, Shoe, Spins
from feltworks.floor.keys import Keys
from feltworks.floor.table.chance import Shuffle
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Card, Seat, Token, parse_cards
from feltworks.kit.errors import FeltworksError, NotPossible
from feltworks.kit.round import Round

ROLLS = 32
"""So many rolls or spins are committed to under one root; the next root is shown with the last of them."""


class MissingSecret(FeltworksError):
    """What a root commits to is not in the records any more."""


class _Sealed(msgspec.Struct, frozen=True):
    """What makes a shoe again: its cards in no order, or how many rolls or spins there are, of which wheels, and the
    seed."""

    cards: str
    seed: bytes
    rolls: int = 0
    wheels: dict[str, tuple[str, ...]] = {}

    @property
    def opened(self) -> Committed:
        if self.wheels:
            return Spins(self.rolls, self.wheels, self.seed)
        return Rolls(self.rolls, self.seed) if self.rolls else Shoe(parse_cards(self.cards), self.seed)

    def __repr__(self) -> str:
        return "<a sealed shoe>"


class SealedShoes:
    """The shoes of one table. New ones are kept once what they were made for is recorded."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self.shoes: dict[str, Committed] = {}
        self._ahead: dict[str, Committed] = {}
        """Those that decisions made which are not recorded yet."""
        self._new: dict[str, tuple[_Sealed, Committed]] = {}
        """Those that the last decision made."""

    def __repr__(self) -> str:
        return f"<the shoes of {len(self.shoes)} roots>"

    def load(self, roots: Iterable[str], secret: Callable[[str], bytes | None]) -> None:
        """Open what lies sealed in the store, all of it or nothing."""
        shoes = {}
        for root in roots:
            sealed = secret(root)
            if sealed is None:
                raise MissingSecret(f"The sealed cards or rolls under the root {root[:12]} are missing.")
            data = self._keys.unseal(sealed, f"shoe {root}")
            shoes[root] = msgspec.msgpack.decode(data, type=_Sealed).opened
        self.shoes = shoes

    # What is recorded, and then kept.

    def begin(self) -> None:
        """Before a decision: what an earlier one made that came to nothing is gone."""
        self._new = {}

    def go_on(self) -> None:
        """The decision stands; it is not recorded yet, and others may follow from it."""
        self._ahead |= {root: shoe for root, (_, shoe) in self._new.items()}
        self._new = {}

    def go_back(self) -> None:
        """What was decided since the last record is not to be."""
        self._ahead, self._new = {}, {}

    @property
    def sealed(self) -> list[tuple[str, bytes]]:
        """What the decision made, sealed."""
        return [
            (root, self._keys.seal(msgspec.msgpack.encode(held), f"shoe {root}"))
            for root, (held, _) in self._new.items()
        ]

    def keep(self, table: Table) -> None:
        """What was decided is recorded: shoes that the table deals from, or that lie on it, stay."""
        all_shoes = {**self.shoes, **self._ahead}
        self.shoes = {root: shoe for root, shoe in all_shoes.items() if root in table.roots}
        self.go_back()

    # What a table asks for.

    def answer(self, table: Table) -> steps.Answer:
        match table.step:
            case steps.Deal():
                return steps.DEALT
            case steps.Turn(token, to):
                return self.card(table, token) if to is steps.ALL else steps.HIDDEN
            case steps.Read(token, among):
                card = self.card(table, token)
                return next(cards for cards in among if card in cards)
            case steps.Roll(dice):
                rolls = self._committed(table.root)
                assert isinstance(rolls, Rolls)
                return rolls.roll(table.dealt, dice)
            case steps.Spin(wheel):
                spins = self._committed(table.root)
                assert isinstance(spins, Spins)
                return steps.Pocket(spins.pocket(table.dealt, wheel), wheel)
        raise NotPossible("Chance has nothing to answer now.")

    def shuffled(self, table: Table, what: Shuffle, back: Collection[Token] = ()) -> tuple[str, int]:
        wheels = {name: wheel.pockets for name, wheel in table.game.wheels.items()}
        cards = table.game.fresh()
        held = _Sealed("", fresh_seed(), ROLLS, wheels) if cards is None else self._cards_for(table, what, back)
        shoe = held.opened
        self._new[shoe.root] = held, shoe
        return shoe.root, shoe.size

    def _cards_for(self, table: Table, what: Shuffle, back: Collection[Token]) -> _Sealed:
        pack = table.game.fresh()
        assert pack is not None
        if what == "round":
            cards = pack.all_cards()
        elif what == "discards":
            assert table.round is not None
            cards = pack.without_all(self.card(table, token) for token in table.round.cards).all_cards()
        else:
            shoe = self._committed(table.root)
            assert isinstance(shoe, Shoe)
            cards = [*map(shoe.card, range(table.dealt, shoe.size)), *(self.card(table, token) for token in back)]
        return _Sealed("".join(card.text for card in cards), fresh_seed())

    def openings(self, table: Table) -> tuple[SharedOpening, ...]:
        round = table.round
        assert round is not None
        by_root: dict[str, list[tuple[Token, int]]] = {}
        for token, (root, position) in table.positions.items():
            if _was_turned(round, token):
                by_root.setdefault(root, []).append((token, position))
        return tuple(
            shared(self._committed(root), [(t.owner, t.name) for t, _ in turned], [position for _, position in turned])
            for root, turned in by_root.items()
        )

    def card(self, table: Table, token: Token) -> Card:
        root, position = table.positions[token]
        shoe = self._committed(root)
        assert isinstance(shoe, Shoe)
        return shoe.card(position)

    def private_cards(self, table: Table, seat: int | None) -> dict[Token, Card]:
        """The cards that were turned to this seat alone: for nobody else's eyes (F-14)."""
        if seat is None or table.round is None:
            return {}
        return {
            token: self.card(table, token)
            for token, face in table.round.cards.items()
            if face.card is None and Seat(seat) in face.seen_by and token in table.positions
        }

    def _committed(self, root: str | None) -> Committed:
        root = root or ""
        if root in self._new:
            return self._new[root][1]
        return self._ahead[root] if root in self._ahead else self.shoes[root]


def _was_turned(round: Round, token: Token) -> bool:
    """Whether everybody has seen it: a card that went back into the shuffler was turned before, and so is a
    roll or a spin."""
    return token not in round.cards or round.cards[token].card is not None
