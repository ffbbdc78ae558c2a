"""A shuffled shoe, rolls of dice or spins of wheels, that the house cannot change (F-21): each position is committed to
under one root.

The scheme, exact enough to be written again in a browser or a laboratory. H is SHA-256; | joins bytes; text
is ASCII; hashes and salts are written in lower-case hex; positions count from 0 in the order of the deal;
u32 is a whole number in 4 bytes, big-endian.

Commitment  H("feltworks card 1" | u32(position) | card | salt). The card is its rank (23456789TJQKA) and
            suit (cdhs), such as As, Td, 7h, or the rank alone where suits do not matter. The salt is 16
            random bytes, another one for each position. A roll is committed to alike, with the tag
            "feltworks roll 1" and, in place of the card, what eight dice show, such as 35112644: the first
            of them are the dice of the roll, as many as the game rolls. A spin has the tag "feltworks spin 1"
            and the pocket in which each wheel of the game stops, such as "main 17, bonus 3": a wheel's name, a
            space and the pocket, with a comma and a space between them, in the order of the game's definition.
Tree        The commitments, in order, are the lowest level. The next level joins them two by two from the
            left as H("feltworks node 1" | left | right); a last one without a neighbour goes up as it is.
            So on, up to a level of one: the top. (The shape is that of RFC 6962.)
Root        H("feltworks root 1" | u32(number of positions) | top), published before the first card, roll or spin.
Opening     {"position": 7, "card": "As", "salt": hex, "proof": [{"side": "left", "hash": hex}, ...]}: the
            proof holds the neighbour at each level where there is one, from the bottom up, and on which
            side it lies. A roll has "dice": "35112644" in place of the card, a spin "spin": "main 17, bonus 3".
Check       Make the commitment. Let i be the position and n the number of positions; i must be below n. Until n
            is 1: if i is odd, the next entry of the proof must be "left" and is joined on the left; if i is
            even and i + 1 < n, it must be "right" and is joined on the right; otherwise the hash goes up as
            it is. Then i becomes i / 2 rounded down, and n becomes n / 2 rounded up. At the end no entry
            may be left over, and the root must come out. Other keys of an opening are not looked at.

An opening shows one card; of the others it holds hashes, and those tell no card without its salt.

The cards, sorted by suit (c d h s) and within it from 2 to A, are shuffled by a `Generator` under the seed,
whose next bytes are the salts in the order of the positions. So the cards and the seed make the same shoe
again, and an auditor who is given every opening sees that no card was missing. Rolls take eight dice each from
the `Generator`, in the order of the positions, and then their salts. Spins take, for each wheel, a number below the
number of its pockets: which pocket it is, counted from 0 in the order of the definition.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Annotated, Any, ClassVar, Final, Literal, NoReturn

import msgspec

from feltworks.floor.chance.generator import Generator
from feltworks.floor.chance.shared_opening import What
from feltworks.kit.cards import SUITED_CARDS, SUITLESS_CARDS, Card
from feltworks.kit.errors import NotPossible
from feltworks.kit.unseen import Unseen

CARD_TAG, ROLL_TAG, SPIN_TAG, NODE_TAG, ROOT_TAG = (
    f"feltworks {what} 1".encode() for what in ("card", "roll", "spin", "node", "root")
)
TAGS: Final[dict[What, bytes]] = {"card": CARD_TAG, "dice": ROLL_TAG, "spin": SPIN_TAG}
SALT_BYTES = 16
DICE = 8
"""So many dice are committed to for each roll; a game rolls no more."""

Side = Literal["left", "right"]
_Whole = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
_Hash = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
_Salt = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
_Dice = Annotated[str, msgspec.Meta(pattern=rf"\A[1-6]{{{DICE}}}\Z")]
_ROLL = re.compile(rf"[1-6]{{{DICE}}}")
_ONE_WHEEL = r"[a-z0-9][a-z0-9_-]* [!-+\--~]([ -+\--~]*[!-+\--~])?"
_SPIN = re.compile(rf"{_ONE_WHEEL}(, {_ONE_WHEEL})*")
BETWEEN_WHEELS = ", "
_TEXTS = frozenset(card.text for card in (*SUITED_CARDS, *SUITLESS_CARDS))


class _Neighbour(msgspec.Struct, frozen=True):
    side: Side
    hash: _Hash


class _Opening(msgspec.Struct, frozen=True):
    position: _Whole
    salt: _Salt
    proof: list[_Neighbour]
    card: str | None = None
    dice: _Dice | None = None
    spin: str | None = None


class Committed:
    """What lies in each position is secret, and others know it by the root alone.

    Nothing of it shows when it is printed, and it cannot be stored: what is kept is its seed, sealed.
    """

    __slots__ = ("_levels", "_salts", "_texts", "root")
    _texts: Sequence[str]
    root: str
    what: ClassVar[What]

    def __init__(self, texts: Callable[[Generator], Sequence[str]], seed: bytes) -> None:
        self._texts, self.root = (), ""  # what is printed of one that cannot be made
        generator = Generator(seed)
        self._texts = texts(generator)
        self._salts = [generator.raw(SALT_BYTES) for _ in self._texts]
        laid = zip(self._texts, self._salts, strict=True)
        self._levels = _tree([_commit(i, text, salt, self.what) for i, (text, salt) in enumerate(laid)])
        self.root = root_of(self.size, self._levels[-1][0])

    @property
    def size(self) -> int:
        return len(self._texts)

    def opening(self, position: int) -> dict[str, Any]:
        """What shows everybody that this was in this position when the root was published."""
        self._check(position)
        way = path(position, self.size)
        proof = [{"side": side, "hash": self._levels[level][at].hex()} for level, at, side in way]
        text, salt = self._texts[position], self._salts[position].hex()
        return {"position": position, self.what: text, "salt": salt, "proof": proof}

    def opened(self, position: int) -> tuple[str, bytes]:
        """What lies in a position, and its salt."""
        self._check(position)
        return self._texts[position], self._salts[position]

    def hash_at(self, level: int, at: int) -> bytes:
        """A hash of the tree over the commitments, which are its level 0."""
        return self._levels[level][at]

    def _check(self, position: int) -> None:
        if not 0 <= position < self.size:
            raise NotPossible(f"The shoe has no position {position}; it has 0 to {self.size - 1}.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Committed) and self.root == other.root

    def __hash__(self) -> int:
        return hash(self.root)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a shoe is not written down: seal its seed")


class Shoe(Committed):
    """Cards in a secret order."""

    __slots__ = ("_cards",)
    _cards: Sequence[Card]
    what = "card"

    def __init__(self, cards: Iterable[Card], seed: bytes) -> None:
        """The cards, given in any order, in the one that the seed makes."""

        def shuffled(generator: Generator) -> Sequence[str]:
            self._cards = generator.shuffled(_sorted(cards))
            return [card.text for card in self._cards]

        super().__init__(shuffled, seed)

    @classmethod
    def shuffle(cls, unseen: Unseen, seed: bytes) -> "Shoe":
        """All unseen cards, shuffled."""
        counted = zip(unseen.cards, unseen.counts, strict=True)
        return cls((card for card, count in counted for _ in range(count)), seed)

    def remaining_with(self, position: int, back: Sequence[Card], seed: bytes) -> "Shoe":
        """A new shoe of the cards not dealt yet, those from this position on, and the cards put back."""
        if not 0 <= position <= self.size:
            raise NotPossible(f"Of {self.size} cards, {position} cannot have been dealt.")
        return Shoe(chain(self._cards[position:], back), seed)

    def card(self, position: int) -> Card:
        self._check(position)
        return self._cards[position]

    def __repr__(self) -> str:
        return f"<Shoe of {self.size} cards, root {self.root}>"


class Rolls(Committed):
    """Rolls of dice, in the order in which they will be rolled."""

    __slots__ = ()
    what = "dice"

    def __init__(self, count: int, seed: bytes) -> None:
        super().__init__(lambda generator: ["".join(map(str, generator.roll(DICE))) for _ in range(count)], seed)

    def roll(self, position: int, dice: int) -> tuple[int, ...]:
        """What so many dice show in this roll."""
        self._check(position)
        if dice > DICE:
            raise NotPossible(f"{dice} dice cannot be rolled together; at most {DICE} can.")
        return tuple(map(int, self._texts[position][:dice]))

    def __repr__(self) -> str:
        return f"<{self.size} rolls, root {self.root}>"


class Spins(Committed):
    """Spins of the wheels of a game, in the order in which they will be spun."""

    __slots__ = ()
    what = "spin"

    def __init__(self, count: int, wheels: Mapping[str, Sequence[str]], seed: bytes) -> None:
        def spun(generator: Generator) -> Sequence[str]:
            return [
                BETWEEN_WHEELS.join(
                    spin_text(name, pockets[generator.below(len(pockets))]) for name, pockets in wheels.items()
                )
                for _ in range(count)
            ]

        super().__init__(spun, seed)

    def pocket(self, position: int, wheel: str) -> str:
        """The pocket in which a wheel stops in this spin."""
        self._check(position)
        spun = dict(text.split(" ", 1) for text in self._texts[position].split(BETWEEN_WHEELS))
        if wheel not in spun:
            raise NotPossible(f"There is no wheel {wheel!r} here; spin one of: {', '.join(spun)}.")
        return spun[wheel]

    def __repr__(self) -> str:
        return f"<{self.size} spins, root {self.root}>"


def spin_text(wheel: str, pocket: str) -> str:
    """What is committed to of one wheel."""
    return f"{wheel} {pocket}"


def shows(what: What, text: str, shown: str) -> bool:
    """Whether what was shown is what was committed to: the first dice of a roll, one of the wheels of a spin."""
    if what == "card":
        return text == shown
    return text.startswith(shown) if what == "dice" else shown in text.split(BETWEEN_WHEELS)


def check_opening(root: str, size: int, opening: Mapping[str, Any]) -> bool:
    """Whether the opened card, roll or spin lay in its position under this root, with so many positions.

    Whatever is not an opening does not open the position; nothing is raised, wherever it comes from.
    """
    try:
        root, size, told = msgspec.convert((root, size, opening), tuple[_Hash, _Whole, _Opening])
    except msgspec.ValidationError:
        return False
    given: list[tuple[What, str | None]] = [("card", told.card), ("dice", told.dice), ("spin", told.spin)]
    opened = [(what, text) for what, text in given if text is not None]
    if told.position >= size or len(opened) != 1:
        return False
    ((what, text),) = opened
    top = commitment(told.position, text, bytes.fromhex(told.salt), what)
    if top is None:
        return False
    if [neighbour.side for neighbour in told.proof] != [side for *_, side in path(told.position, size)]:
        return False
    for neighbour in told.proof:
        beside = bytes.fromhex(neighbour.hash)
        top = node(beside, top) if neighbour.side == "left" else node(top, beside)
    return root_of(size, top) == root


def _sorted(cards: Iterable[Card]) -> list[Card]:
    together = sorted(cards, key=lambda card: card.index)
    if not together:
        raise NotPossible("There are no cards to shuffle.")
    if len({card.has_suit for card in together}) > 1:
        raise ValueError("cards with and without suits do not go into one shoe")
    return together


def _commit(position: int, text: str, salt: bytes, what: What) -> bytes:
    return sha256(TAGS[what] + position.to_bytes(4, "big") + text.encode() + salt).digest()


def commitment(position: int, text: str, salt: bytes, what: What) -> bytes | None:
    """What the house commits to for a card, a roll or a spin in a position; nothing for a text that is none of it."""
    known = text in _TEXTS if what == "card" else bool((_ROLL if what == "dice" else _SPIN).fullmatch(text))
    return _commit(position, text, salt, what) if known else None


def node(left: bytes, right: bytes) -> bytes:
    return sha256(NODE_TAG + left + right).digest()


def root_of(size: int, top: bytes) -> str:
    return sha256(ROOT_TAG + size.to_bytes(4, "big") + top).hexdigest()


def _tree(level: list[bytes]) -> list[list[bytes]]:
    """All levels, from the commitments up to the top."""
    levels = [level]
    while len(level) > 1:
        alone = level[-1:] if len(level) % 2 else []
        level = [node(left, right) for left, right in zip(level[::2], level[1::2], strict=False)] + alone
        levels.append(level)
    return levels


def path(position: int, size: int) -> Iterator[tuple[int, int, Side]]:
    """The neighbours met on the way from a position to the top: level, place in it, and side."""
    level = 0
    while size > 1:
        if position % 2:
            yield level, position - 1, "left"
        elif position + 1 < size:
            yield level, position + 1, "right"
        level, position, size = level + 1, position // 2, (size + 1) // 2
