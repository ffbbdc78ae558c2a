"""The walk of a check: rounds are played along every course of choices, as far as there is time, and watched.

Each scenario gets one deal after the other, in turn, until so many answers were given. What is found depends on
nothing but the game, unless its rules are so slow that time runs out before.
"""

from collections.abc import Callable, Iterable
from random import Random
from time import process_time
from typing import Any

from feltworks.kit.cards import Seat, Token
from feltworks.kit.chance import Shuffled
from feltworks.kit.errors import FaultyRules, FeltworksError, NotPossible
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    ALL,
    DEALT,
    HIDDEN,
    Answer,
    Bet,
    Choose,
    Close,
    Collect,
    Deal,
    Decide,
    NoRoll,
    Place,
    Read,
    Role,
    Roll,
    TakeUp,
    Turn,
)
from feltworks.kit.time_limit import OutOfTime, TimeLimit
from feltworks.kit.unseen import check_sets
from feltworks.kit.walk import bets_for
from feltworks.lab.card_classes import CardClasses, classes_for, naming
from feltworks.lab.check.cards_needed import check_most_cards
from feltworks.lab.check.course import Course
from feltworks.lab.check.deals import Deal as Dealt
from feltworks.lab.check.findings import Findings, fault_at, retold
from feltworks.lab.check.scenarios import Scenario
from feltworks.lab.check.seen import Seen
from feltworks.lab.check.watch import took, watch

MOST_COURSES = 24
"""So many courses of one deal are walked."""
MOST_STEPS = 3_000
"""A round that takes more steps is taken to go on for ever."""
MOST_ROUNDS = 400
"""A wager that stays up for more rounds is taken to stay up for ever."""
BETTING = 6
"""In so many rounds that follow upon each other wagers are made."""
OFTEN, NOW_AND_THEN = 0.2, 0.01
"""At so many of the steps something is reported: of the first deal, and of the others."""
MOST_SECONDS = 6.0
"""So long is a game walked, and no longer."""
LONGEST = 2.0
"""Seconds after which a single answer is taken to go on for ever."""


Waiting = list[tuple[Course, Answer | None]]
"""Courses that are not walked yet, each with the answer by which it parts from the others."""


class Walk:
    """All scenarios of a game, dealt in turn."""

    def __init__(self, game: Game, scenarios: list[Scenario], findings: Findings, seen: Seen) -> None:
        self.game, self.scenarios, self.findings, self.seen = game, scenarios, findings, seen
        self.answers, self.deal = 0, 0
        self.stopped = False
        """Whether rules failed, so that not all was seen that may come."""
        self._ended: set[int] = set()
        """The scenarios in which nothing can be played, or something is wrong."""

    def go(self, most: int) -> None:
        """Deal to each scenario in turn until so many answers were given."""
        self._until = process_time() + MOST_SECONDS
        with TimeLimit(LONGEST) as self.limit:
            while not self.out_of_time and self.answers < most and len(self._ended) < len(self.scenarios):
                for number, scenario in enumerate(self.scenarios):
                    if number not in self._ended and not self.out_of_time and (not self.deal or self.answers < most):
                        self._play(number, scenario, self.deal * 7_919 + number)
                self.deal += not self.out_of_time

    @property
    def out_of_time(self) -> bool:
        return process_time() > self._until

    def _play(self, number: int, scenario: Scenario, seed: int) -> None:
        """One deal, along its courses of choices."""
        self._told = scenario.told
        try:
            self._courses(scenario, seed)
        except _NothingPlayed:
            self._ended.add(number)
        except (Exception, OutOfTime) as error:
            self.findings.mistake(error, scenario.game, scenario.told)
            self.stopped = True
            endless = isinstance(error, OutOfTime) or isinstance(error.__cause__, OutOfTime)
            self._ended.update(range(len(self.scenarios)) if endless else [number])  # the others would take as long

    def _courses(self, scenario: Scenario, seed: int) -> None:
        game = scenario.game
        self.share = OFTEN if not self.deal else NOW_AND_THEN
        classes = CardClasses(classes_for(game, scenario.wagers).suited) if game.fresh() else CardClasses()
        chance = Random(seed)
        course = Course.start(game, scenario.seats, Dealt(game, seed), classes)
        waiting: Waiting = [(course, None)]
        most = MOST_COURSES if len(scenario.stakes) == 1 else MOST_COURSES // 4
        walked = 0
        while waiting:
            if walked == most or self.out_of_time:
                self.seen.sampled = True
                return
            # The first course takes the first option every time, as a clock does.
            course, answer = waiting.pop(chance.randrange(len(waiting)))
            if answer is not None:
                course = self._take(course, answer)
            over = self._to_the_end(scenario, course, lambda course, answer: waiting.append((course, answer)))
            walked += 1
            self.seen.courses += 1
            if walked == 1 and over.table.carry:
                self._rounds_after(scenario, over, chance)

    def _to_the_end(
        self, scenario: Scenario, course: Course, other: Callable[[Course, Answer], None], chance: Random | None = None
    ) -> Course:
        """Play a round on to its end, by the first option every time, as a clock does, or by any; what else could be
        chosen is for another course."""
        for _ in range(MOST_STEPS):
            step = course.table.next
            if step is None:
                self.seen.rounds += 1
                self.seen.played.add(scenario.game.version_name)
                if not scenario.empty:
                    check_most_cards(scenario.game, len(scenario.seats), course.deal.dealt, self.findings)
                return course
            watch(course, scenario, self.findings, self.seen, report=course.deal.chance() < self.share)
            if isinstance(step, Bet):
                course = self._betting(scenario, course, step, scenario.stakes)
                continue
            if isinstance(step, Choose):
                answers = _decisions(course, step)
                chosen = answers.pop(0 if chance is None else chance.randrange(len(answers)))
                for answer in answers:
                    other(course.parted(), answer)
                course = self._take(course, chosen)
                continue
            course = self._take(course, self._chance(course, step))
        raise _for_ever(course.table, f"is not over after {MOST_STEPS:,} steps; let every course of choices end")

    def _take(self, course: Course, answer: Answer) -> Course:
        self.answers += 1 if course.lab is None else 2
        self.limit.moved = True
        try:
            after = course.take(answer)
        except FaultyRules as fault:
            if isinstance(answer, NoRoll) and fault.kind == "fails":
                remedy = "yield another Roll when self.dice is a NoRoll"
                raise retold(fault, "no roll", "when a roll does not count", remedy) from fault
            if fault.kind == "suits":
                made = dict.fromkeys(course.game.wager_of(spot).name for _, spot in course.table.wagers)
                raise naming(fault, course.game, made) from fault.__cause__
            raise
        except FeltworksError as refusal:
            if isinstance(answer, Place | TakeUp | Collect | Close):
                raise
            raise _refuses(course.table, answer, refusal) from refusal
        took(course, after, self.findings, self.seen, self._told)
        return after

    def _chance(self, course: Course, step: Any) -> Answer:
        match step:
            case Deal(token):
                try:
                    course.deal.draw(token)
                except NotPossible as empty:
                    if course.table.shuffles_within:
                        raise _NothingPlayed from empty
                    raise _cards_ran_out(course.table, str(empty)) from empty
                return DEALT
            case Turn(token, to):
                return HIDDEN if to is not ALL and course.table.cards[token].card is None else _lying(course, token)
            case Read(token, among):
                try:
                    check_sets(among, course.table.shown_besides(token))
                except FeltworksError as cut:
                    raise fault_at(course.table, "reader", f"reads {token}: {str(cut).rstrip('.')}") from cut
                return next(cards for cards in among if course.deal.card(token) in cards)
            case Roll(dice, no_rolls):
                if course.deal.chance() < 0.03:
                    return NoRoll((no_rolls or ("cocked",))[0])
                return course.deal.roll(dice)
        return Shuffled(Random(course.deal.seed)).answer(step)

    # Betting.

    def _betting(self, scenario: Scenario, course: Course, bet: Bet, stakes: Any) -> Course:
        """Make the wagers whose window this is, and close it."""
        for seat, staked in stakes.items():
            course = self._bets(course, bet, Seat(seat), staked)
        version = scenario.game.version_name
        self.seen.windows[version].add(bet.window)
        try:
            return self._take(course, Close())
        except FaultyRules:
            raise
        except FeltworksError as refusal:
            self.seen.not_closed[version] = str(refusal)
            raise _NothingPlayed from refusal

    def _bets(self, course: Course, bet: Bet, seat: Seat, staked: Any) -> Course:
        """What a seat bets; where spots of its wagers are left empty by that, some of them too."""
        course = self._placed(course, bets_for(staked, course.table, bet, seat))
        others = [
            Place(seat, spot, units)
            for name, units in staked.items()
            for spot in course.game.wager(name).opens
            if spot in bet.spots and not course.table.stake(seat, spot) and course.deal.chance() < 0.5
        ]
        return self._placed(course, others)

    def _placed(self, course: Course, places: Iterable[Answer]) -> Course:
        for place in list(places):
            try:
                course = self._take(course, place)
            except FaultyRules:
                raise
            except FeltworksError as refusal:
                if isinstance(place, Place):
                    wager = course.game.wager_of(place.spot).name
                    self.seen.refused[wager] = str(refusal)
                continue
            if isinstance(place, Place):
                self.seen.made.add(place.spot)
        return course

    # Rounds that follow.

    def _rounds_after(self, scenario: Scenario, course: Course, chance: Random) -> None:
        """As long as something is left up: a few rounds with wagers, and then without."""
        for number in range(MOST_ROUNDS):
            course.deal.fresh(scenario.game)
            carry = dict(course.table.carry)
            lies = any(not course.game.wager_of(spot).self_service for _, spot in carry.get("wagers", {}))
            if not lies and number >= BETTING:
                return
            course = Course.start(scenario.game, scenario.seats, course.deal, course.classes, carry)
            stakes = {
                seat: {n: units for n, units in staked.items() if number < BETTING and chance.random() < 0.6}
                for seat, staked in scenario.stakes.items()
            }
            following = Scenario(scenario.game, stakes or scenario.stakes, scenario.empty, scenario.reading)
            try:
                course = self._to_the_end(following, course, _nothing_waits, chance)
            except _NothingPlayed:
                return
        up = " and ".join(sorted({course.game.spot_title(spot) for _, spot in course.table.carry.get("wagers", {})}))
        raise _for_ever(course.table, f"leaves {up} up for more than {MOST_ROUNDS} rounds; let a rule decide it")


class _NothingPlayed(Exception):
    """Nothing more comes of this: betting is not closed with these wagers, or a table would shuffle now."""


def _nothing_waits(course: Course, answer: Answer) -> None:
    """Rounds that follow are played along one course."""


def _lying(course: Course, token: Token) -> Answer:
    return course.table.cards[token].card or course.deal.card(token)


def _decisions(course: Course, choose: Choose) -> list[Answer]:
    """What can be chosen, the first option first; where an amount can be chosen, the least and the most of it. Seats
    that choose together do so in one order or the other."""
    first = min if course.deal.seed % 2 else max
    round, who = course.table, choose.who if isinstance(choose.who, Role) else first(choose.who)
    found: list[Answer] = []
    for option in choose.options:
        found.append(Decide(who, option.name))
        extra = option.extra
        if extra is not None and not isinstance(who, Role) and extra.least != extra.most:
            found.append(Decide(who, option.name, extra.least * round.stake(who, extra.of)))
    return found


def _for_ever(round: Round, said: str) -> FaultyRules:
    return fault_at(round, "endless", said)


def _cards_ran_out(round: Round, said: str) -> FaultyRules:
    return fault_at(
        round,
        "seats",
        f"deals more cards than there are: {said.rstrip('.')}; name fewer `seats` or more decks in game.toml",
    )


def _refuses(round: Round, answer: Answer, refusal: FeltworksError) -> FaultyRules:
    what = f"offers {answer.option!r}" if isinstance(answer, Decide) else f"waits for {answer}"
    return fault_at(round, "refused", f"{what}, and then it is refused: {str(refusal).rstrip('.')}")
