"""What a round opens, compact: all positions under one root share one proof, which holds no hash twice.

The published form, one opening a position with the proof of its own (`shoe.py`), is made from it by `expanded`. The
hashes stand in the order in which they are needed: level by level from the bottom, in each from left to right.

    eight positions, 2 and 3 opened: their parent follows from them, so the proof is two hashes instead of six
                  top
            a             *b*        marked: in the proof
        *c*     d
       0   1  (2) (3)
"""

from collections.abc import Iterator, Sequence
from typing import Any

from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.chance.shoe import Committed, commitment, node, path, root_of

HASH_BYTES = 32


def shared(shoe: Committed, tokens: Sequence[tuple[int | None, str]], positions: Sequence[int]) -> SharedOpening:
    """Open these positions of a shoe, of rolls or of spins together."""
    opened = [shoe.opened(position) for position in positions]
    faces, salts = [face for face, _ in opened], b"".join(salt for _, salt in opened)
    proof = b"".join(shoe.hash_at(*place) for place in needed(positions, shoe.size))
    about = (shoe.root, shoe.size, list(tokens), list(positions), faces, salts, proof)
    return SharedOpening(*about, dice=shoe.what == "dice", spin=shoe.what == "spin")


def holds(opening: SharedOpening) -> bool:
    """Whether every opened card, roll or spin lay in its position when the root was published."""
    return _tree(opening) is not None


def expanded(opening: SharedOpening) -> list[dict[str, Any]]:
    """The openings in the published form, one a position; none of a proof that does not lead to its root."""
    tree = _tree(opening)
    if tree is None:
        return []
    return [
        {
            "token": list(token),
            "root": opening.root,
            "position": position,
            opening.what: face,
            "salt": salt.hex(),
            "proof": [
                {"side": side, "hash": tree[level][at].hex()} for level, at, side in path(position, opening.size)
            ],
        }
        for token, position, face, salt in zip(
            opening.tokens, opening.positions, opening.faces, _cut(opening.salts, 16), strict=True
        )
    ]


def _tree(opening: SharedOpening) -> list[dict[int, bytes]] | None:
    """The nodes that are known at each level, if they lead to the root."""
    count = len(opening.positions)
    lengths = {len(opening.tokens), len(opening.faces), len(opening.salts) / 16}
    distinct = len(set(opening.positions)) == count and all(0 <= p < opening.size for p in opening.positions)
    if lengths != {count} or not count or not distinct or len(opening.proof) % HASH_BYTES:
        return None
    if opening.dice and opening.spin:
        return None
    if opening.size >= 2**32:  # more than a root can count
        return None
    given, size, tree = iter(_cut(opening.proof, HASH_BYTES)), opening.size, []
    level = {}
    for position, face, salt in zip(opening.positions, opening.faces, _cut(opening.salts, 16), strict=True):
        made = commitment(position, face, salt, opening.what)
        if made is None:
            return None
        level[position] = made
    while size > 1:
        for lacking in sorted({at ^ 1 for at in level if at ^ 1 < size} - level.keys()):
            neighbour = next(given, None)
            if neighbour is None:
                return None
            level[lacking] = neighbour
        tree.append(level)
        evens = [at for at in level if at % 2 == 0]  # each odd one has its neighbour by now
        level = {at // 2: node(level[at], level[at + 1]) if at + 1 < size else level[at] for at in evens}
        size = (size + 1) // 2
    led = next(given, None) is None and root_of(opening.size, level[0]) == opening.root
    return tree if led else None


def _cut(data: bytes, length: int) -> list[bytes]:
    return [data[at : at + length] for at in range(0, len(data), length)]


def needed(positions: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """The level and the place of each hash that the shared proof of these positions holds, in its order."""
    known, level = set(positions), 0
    while size > 1:
        for lacking in sorted({at ^ 1 for at in known if at ^ 1 < size} - known):
            yield level, lacking
        known, level, size = {at // 2 for at in known}, level + 1, (size + 1) // 2
