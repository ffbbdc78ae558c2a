"""What the exact solver says at a table, and the seats that the house plays by it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from feltworks.kit.cards import Seat
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game, Situation
from feltworks.kit.round import Round
from feltworks.kit.steps import Bet, Choose, Collect, Decide, Place, TakeUp
from feltworks.kit.walk import bets_for
from feltworks.lab.advice import counted
from feltworks.lab.analysis import Solver
from feltworks.lab.strategy import Advice, Strategy


@dataclass
class House:
    """Stakes the same each round and decides by the exact strategy for the base game; where there is none, by
    taking the first option. A strategy is solved when it is first needed, and kept."""

    game: Game
    stakes: Mapping[str, Fraction]
    _solved: dict[tuple[tuple[str, Fraction], ...], Strategy] = field(default_factory=dict)

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterable[Place | TakeUp | Collect]:
        return bets_for(self.stakes, round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        if choose.neutral:
            return Decide(seat, choose.options[min(1, len(choose.options) - 1)].name)
        try:
            return Decide(seat, self.advice(round, seat).best)
        except FeltworksError:
            return Decide(seat, choose.options[0].name)

    def advice(self, round: Round, seat: Seat) -> Advice:
        """What each option is worth to a seat, in the money it has at stake; bonus wagers are left out."""
        stakes = {name: w for name, w in self._base(round, seat).items() if w}
        if self.game.enumerator:
            return self._counted(round, seat, stakes)
        name = tuple(stakes.items())
        if name not in self._solved:
            self._solved[name] = Solver(self.game, stakes).strategy
        return self._solved[name].look_up(round.info(seat))

    def _counted(self, round: Round, seat: Seat, stakes: Mapping[str, Fraction]) -> Advice:
        """By the enumerator of the game: from the seat's own cards, those that lie open for all, and the readings."""
        faces = {token: face for token, face in round.cards.items() if token.owner in (None, seat)}
        cards = {token: face.card for token, face in faces.items() if face.card is not None}
        readings = {token: face.reading for token, face in faces.items() if face.reading is not None}
        found = counted(self.game, Situation(cards, (), readings), stakes)
        unit = next(iter(stakes.values()))
        return Advice(found.situation, {name: unit * worth for name, worth in found.options.items()}, found.best)

    def _base(self, round: Round, seat: Seat) -> dict[str, Fraction]:
        """What a seat has on the required wagers, in units."""
        units = {}
        for name, wager in self.game.wagers.items():
            if wager.required:
                spot, share = next(iter(wager.opens.items()))
                units[name] = round.stake(seat, spot) / share
        return units
