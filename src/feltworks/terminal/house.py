"""What the exact solver says at a table, and the seats that the house plays by it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from feltworks.kit.advice import Advice
from feltworks.kit.cards import Seat
from feltworks.kit.errors import FaultyRules, FeltworksError, NotPossible
from feltworks.kit.game import Game, Situation
from feltworks.kit.round import Round
from feltworks.kit.steps import Bet, Choose, Collect, Decide, Place, TakeUp
from feltworks.kit.walk import bets_for
from feltworks.lab.advice import enumerated_advice
from feltworks.lab.stakes import has_required
from feltworks.lab.strategy import Strategy
from feltworks.lab.walking_analyzer import WalkingAnalyzer
from feltworks.terminal.words import cents_down


@dataclass
class House:
    """Stakes the same each round and decides by the exact strategy for the base game; where there is none, by
    taking the first option, and says why. A strategy is solved when it is first needed, and kept."""

    game: Game
    stakes: Mapping[str, Fraction]
    say: Callable[[str], None]
    _solved: dict[tuple[tuple[str, Fraction], ...], Strategy] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterable[Place | TakeUp | Collect]:
        return bets_for(self.stakes, round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        if choose.neutral:
            return Decide(seat, choose.options[min(1, len(choose.options) - 1)].name)
        try:
            best = self.advice(round, seat).best
        except FeltworksError as error:
            return self._without_advice(choose, seat, error)
        extra = next(option.extra for option in choose.options if option.name == best)
        if extra is None or extra.least == extra.most:
            return Decide(seat, best)
        return Decide(seat, best, cents_down(extra.most * round.stake(seat, extra.of)))

    def _without_advice(self, choose: Choose, seat: Seat, error: FeltworksError) -> Decide:
        """The first option, as a clock that runs out chooses it; each reason is said once."""
        why = error.told if isinstance(error, FaultyRules) else str(error)
        first = choose.clock_choice.name
        if why not in self._said:
            self._said.add(why)
            self.say(f"Seat {seat} has no advice and takes the first option, {first}: {why}")
        return Decide(seat, first)

    def advice(self, round: Round, seat: Seat) -> Advice:
        """What each option is worth to a seat, in the money it has at stake; bonus wagers are left out."""
        if self.game.enumerator:
            return self._enumerated_advice(round, seat)
        stakes = self._units(dict(round.info(seat).wagers))
        name = tuple(stakes.items())
        if name not in self._solved:
            self._solved[name] = WalkingAnalyzer(self.game, stakes).strategy
        return self._solved[name].look_up(round.info(seat))

    def _enumerated_advice(self, round: Round, seat: Seat) -> Advice:
        """By the enumerator of the game: from what the seat acts on, its own cards or those of the hand that it plays,
        what lies open for all, and what a card reader has shown. A hand from a split counts as if it were the only
        one."""
        info = round.info(seat)
        known = {name for name, _, _ in info.cards}
        faces = {t: face for t, face in round.cards.items() if t.owner in (None, seat) and t.name in known}
        cards = {token: face.card for token, face in faces.items() if face.card is not None}
        shown = {token: face.reading for token, face in faces.items() if face.reading is not None}
        stakes = self._units(dict(info.wagers))
        found = enumerated_advice(self.game, Situation(cards, (), shown, dict(info.wagers)), stakes)
        unit = next(iter(stakes.values()))
        worth = {name: unit * found.options[name] for name in info.options if name in found.options}
        if beside := worth.keys() & found.beside:
            worth = {info.options[0]: Fraction(0), **{name: worth[name] for name in beside}}
        if not worth:
            raise NotPossible("There is nothing to compare here.")
        best = found.best if found.best in worth else max(worth, key=lambda name: worth[name])
        return Advice(found.situation, worth, best)

    def _units(self, wagers: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """What lies on the required wagers, or where none is on any, in units; where a hand from a split is played, on
        that."""
        units, every = {}, not has_required(self.game)
        for name, wager in self.game.bets.items():
            lying = [wagers[spot] / wager.opens.get(spot, 1) for spot in wager.spots if spot in wagers]
            if (wager.required or every) and lying:
                units[name] = lying[0]
        return units
