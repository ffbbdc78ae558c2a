"""How often a round ends how, when the seat plays as well as it can: all deals by end and signature."""

from collections.abc import Mapping

import numpy as np

from feltworks.lab.showdown.card_sets import Ints
from feltworks.lab.showdown.skeleton import End, Node
from feltworks.lab.showdown.solution import Counts, Hands, Known, Layers
from feltworks.lab.showdown.sweep import add_ends

Tallied = Mapping[int, Ints]
"""By end (its `id`): how many deals end there by each signature."""


class Tally:
    """Follows the decisions that the layers of a game have taken, from the first to the last."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.nodes: list[Node] = []
        self._number: dict[int, int] = {}
        for node in [layers.plan.root, *layers.choices, *(n for c in layers.choices for _, n in c.options)]:
            if id(node) not in self._number:
                self._number[id(node)] = len(self.nodes)
                self.nodes.append(node)
        self.totals = np.zeros((len(self.nodes), len(layers.plan.signatures)), np.int64)

    def result(self) -> Tallied:
        return {id(node): self.totals[number] for number, node in enumerate(self.nodes) if isinstance(node, End)}

    def start(self, hands: Hands) -> Ints:
        """Where every hand is before anything is decided."""
        return np.full(len(hands.rows), self._number[id(self.layers.plan.root)])

    def decided(self, known: Known, places: Ints) -> Ints:
        """Where every hand is when the decisions are taken that come with these cards."""
        places, moved = places.copy(), True
        while moved:
            moved = False
            for choice in self.layers.by_depth[len(known)]:
                here = places == self._number[id(choice)]
                if here.any():
                    after = np.array([self._number[id(node)] for _, node in choice.options])
                    places[here] = after[self.layers.chosen[known, id(choice)][here]]
                    moved = True
        return places

    def follow(self, known: Known = (), weight: int = 1, above: "tuple[Hands, Ints, Ints] | None" = None) -> None:
        """All deals from here on; `above` are the hands before the last draw, their finder, and where they are."""
        layers = self.layers
        hands = layers.hands(known)
        if above is None:
            places = self.start(hands)
        else:
            theirs, finder, before = above
            places = before[theirs.rows_for(finder, hands.rows)]
        places = self.decided(known, places)
        if len(known) == layers.depth:
            self.counted(known, hands, layers.counted(known, hands), places, weight)
            return
        finder = hands.finder()
        for drawn, times in layers.drawn(known, hands.classes):
            self.follow((*known, drawn), weight * times, (hands, finder, places))

    def counted(self, known: Known, hands: Hands, counts: Counts, places: Ints, weight: int) -> None:
        add_ends(self.totals, places, counts.numbers, counts.deals, hands.weights * weight)
