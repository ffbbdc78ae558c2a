"""What a table of a game must have room for, seen from its rules: some hundred rounds are played by chance, and what
lay where is collected. Nothing is known of the game beforehand."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from feltworks.kit.cards import Seat
from feltworks.kit.chance import Scripted, Shuffled
from feltworks.kit.errors import FeltworksError, NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.round import DISCARD, SHUFFLER, Round
from feltworks.kit.steps import Answer, Bet, Choose, Close, Decide, Move, Place, Role, Roll, Settlement, Spin, Stake
from feltworks.kit.time_limit import OutOfTime, TimeLimit

ROUNDS, AT_REST = 200, 60
"""At most so many rounds are played, and no more once so many have shown nothing new."""
LONGEST = 400
"""Answers after which a round is left as it is."""
SECONDS = 1.0
"""Of the processor, after which a round is taken to go on for ever, and no other is played."""
SEATS = (1, 2)
UNIT = Fraction(2)
"""Whole, and so is half of it."""


@dataclass
class Seen:
    """What came up."""

    places: dict[str, int] = field(default_factory=dict)
    """Where the dealer's cards and common ones lay, in the order of the first deal, and the most of them at once."""
    seat_cards: int = 0
    """The most cards that a seat had."""
    added: dict[str, None] = field(default_factory=dict)
    """The spots on which a decision puts chips, in their order."""
    dice: int = 0
    spins: bool = False
    chooses: bool = False
    """Whether a seat decides anything."""
    things: dict[str, dict[str, None]] = field(default_factory=dict)
    """What is put somewhere that is no card, and where."""

    def _told(self) -> tuple[object, ...]:
        places = tuple(self.places.items())
        things = tuple((what, len(places)) for what, places in self.things.items())
        return places, self.seat_cards, len(self.added), self.dice, self.spins, self.chooses, things

    def look(self, round: Round) -> None:
        lie: dict[str, int] = {}
        for token, face in round.cards.items():
            if face.place in (DISCARD, SHUFFLER):
                continue
            owner = "" if token.owner is None else f"seat {token.owner}"
            where = face.place if token.owner is None else owner
            lie[where] = lie.get(where, 0) + 1
            if token.owner is not None:
                self.seat_cards = max(self.seat_cards, lie[where])
            else:
                self.places[where] = max(self.places.get(where, 0), lie[where])
        for effect in round.effects:
            if isinstance(effect, Move) and isinstance(effect.what, str):
                self.things.setdefault(effect.what, {})[effect.to] = None

    def ask(self, round: Round) -> None:
        match round.next:
            case Choose(who, options):
                self.chooses |= not isinstance(who, Role)
                self.added |= {option.extra.spot: None for option in options if option.extra}
            case Roll(dice):
                self.dice = max(self.dice, dice)
            case Spin():
                self.spins = True


def seen(game: Game) -> Seen:
    """What some hundred rounds show, always the same ones. Rules that fail or never end show what they did until
    then."""
    found = Seen()
    with suppress(OutOfTime):
        _play_some(game, found)
    return found


def _play_some(game: Game, found: Seen) -> None:
    quiet = 0
    last: tuple[object, ...] = ()
    seats = SEATS[: game.definition.seats]
    for number in range(ROUNDS):
        with suppress(FeltworksError, ArithmeticError, LookupError, TypeError, ValueError), TimeLimit(SECONDS):
            _play(game, seats, Random(number), found)
        last, quiet = (told := found._told()), quiet + 1 if told == last else 0
        if quiet == AT_REST:
            break


def _play(game: Game, seats: tuple[int, ...], random: Random, found: Seen) -> None:
    round = game.start(seats)
    chance = Shuffled(random, game.fresh())
    for _ in range(LONGEST):
        if round.next is None:
            return
        found.ask(round)
        for answer in _answers(round, chance, random):
            round = round.after(answer)
            chance.happened(round.effects)
            found.look(round)


def _answers(round: Round, chance: Shuffled, random: Random) -> Iterator[Answer]:
    step = round.next
    if isinstance(step, Bet):
        yield from _wagers(round, step, random)
    elif isinstance(step, Choose):
        who = step.who if isinstance(step.who, Role) else min(step.who)
        option = step.options[0] if isinstance(who, Role) else random.choice(step.options)
        amount = None
        if option.extra is not None and option.extra.least != option.extra.most and not isinstance(who, Role):
            amount = option.extra.least * round.stake(who, option.extra.of)
        yield Decide(who, option.name, amount)
    else:
        assert step is not None
        yield chance.answer(step)


def _wagers(round: Round, bet: Bet, random: Random) -> Iterator[Answer]:
    """Every wager that the rules take, sometimes in another order: some are made instead of others."""
    spots = list(bet.spots)
    if random.random() < 0.5:
        random.shuffle(spots)
        spots.sort(key=lambda spot: bool(round.game.wager_of(spot).needs))
    for seat in round.seats:
        for spot in spots:
            if round.stake(seat, spot):
                continue
            with suppress(NotAllowed):
                round = round.after(place := Place(seat, spot, UNIT))
                yield place
    yield Close()


def won_by(game: Game, wheel: str) -> Mapping[str, frozenset[str]]:
    """For every spot the pockets of a wheel at which it wins."""
    won: dict[str, set[str]] = {}
    with suppress(OutOfTime):
        for pocket in dict.fromkeys(game.wheels[wheel].pockets):
            with suppress(FeltworksError), TimeLimit(SECONDS):
                for settled in _spun(game, pocket):
                    if settled.stake is not Stake.TAKEN and settled.pay is not None:
                        won.setdefault(settled.spot, set()).add(pocket)
    return {spot: frozenset(pockets) for spot, pockets in won.items()}


def _spun(game: Game, pocket: str) -> Iterator[Settlement]:
    """How the wagers of one seat are settled where the wheel stops."""
    round, random = game.start((1,)), Random(0)
    chance = Scripted(pockets=[pocket] * LONGEST)
    for _ in range(LONGEST):
        if (step := round.next) is None:
            return
        if isinstance(step, Bet):
            for spot in step.spots:
                with suppress(NotAllowed):
                    round = round.after(Place(Seat(1), spot, UNIT))
            round = round.after(Close())
        elif isinstance(step, Choose):
            for answer in _answers(round, Shuffled(random), random):
                round = round.after(answer)
        else:
            round = round.after(chance.answer(step))
        yield from (effect for effect in round.effects if isinstance(effect, Settlement))
