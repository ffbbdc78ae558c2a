"""The person at the keyboard, asked for wagers and decisions, and asked again after what is not allowed."""

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from feltworks.kit.cards import Seat
from feltworks.kit.errors import FaultyRules, FeltworksError, NotAllowed
from feltworks.kit.played_game import PlayedGame
from feltworks.kit.round import Round
from feltworks.kit.steps import Bet, Choose, Close, Collect, Decide, Option, Place, TakeUp
from feltworks.kit.walk import picked_up
from feltworks.terminal.house import House
from feltworks.terminal.table import ME, Leave, Table
from feltworks.terminal.words import cents_down, money, option_words, read_money

ZERO = Fraction(0)
BEST = "► best"
Wager = Place | TakeUp | Collect
ONE_BY_ONE = 3
"""Up to so many optional spots are asked for one by one; more of them in one line."""
EACH_NAMED = 6
"""Up to so many spots of a wager that is made on any of them are named in that line."""


@dataclass
class Person:
    """A player who types; with `auto` the house plays for them. Who leaves stakes nothing more: what may be taken up
    goes back, and what is in action plays on by the choices of a clock that runs out (F-30)."""

    table: Table
    house: House
    auto: bool = False
    leaving: bool = False
    rounds: int = 0
    """How many rounds were played to the end."""
    last: dict[str, Fraction] = field(default_factory=dict)
    """What was staked last on each spot."""

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Wager]:
        if not (self.auto or self.leaving):
            try:
                yield from self._ask_bets(round, bet, seat)
                return
            except Leave:
                self.leave(round)
        if self.leaving:
            yield from picked_up(round, [seat])
            if not self.table.lying:
                raise Leave
            return
        wagers = list(self.house.bets(round, bet, seat))
        if _stake_of(wagers) - _taken_up(round, wagers) <= self.table.balance:
            yield from wagers
        elif seat not in round.playing:
            self.table.say("Your play money does not cover the usual stakes.")
            raise Leave

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        if not (self.auto or self.leaving):
            try:
                return self._ask_decision(round, choose, seat)
            except Leave:
                self.leave(round)
        if self.leaving:
            return Decide(seat, choose.clock_choice.name)
        decision = self.house.decide(round, choose, seat)
        chosen = next(option for option in choose.options if option.name == decision.option)
        affordable = _cost(round, chosen, decision) <= self.table.balance
        return decision if affordable else Decide(seat, choose.clock_choice.name)

    def leave(self, round: Round) -> None:
        """Stake nothing more. If anything is in action, say that it plays on."""
        if self.leaving:
            return
        self.leaving = self.table.spoken = True
        stays = _after_all(round, picked_up(round, [ME])) if isinstance(round.next, Bet) else round
        in_action = {
            round.game.spot_title(spot): amount
            for (seat, spot), amount in stays.wagers.items()
            if seat == ME and (not round.over or (seat, spot) in stays.contract)
        }
        if in_action:
            said = ", ".join(f"{title} {money(amount)}" for title, amount in in_action.items())
            self.table.say(f"You leave. Nothing more is staked, and what is in action plays on: {said}.")

    # Wagers.

    def _ask_bets(self, round: Round, bet: Bet, seat: Seat) -> list[Wager]:
        """Ask for every open spot, until what is wagered may be played."""
        if seat in round.playing:
            self.table.draw()
        while True:
            answers: list[Wager] = [Collect(seat, spot) for s, spot in round.winnings if s == seat]
            trial = _after_all(round, answers)
            first = [spot for spot in bet.spots if not round.game.wager_of(spot).needs]
            for spots in (first, [spot for spot in bet.spots if spot not in first]):
                spots = [spot for spot in spots if _may_bet(trial, seat, spot)]
                ask = self._ask_spots if len(spots) <= ONE_BY_ONE else self._ask_line
                made = ask(trial, seat, spots)
                answers += made
                trial = _after_all(trial, made)
            try:
                if seat in trial.playing or len(round.seats) == 1:  # otherwise the others play alone
                    trial.after(Close())
            except NotAllowed as error:
                self.table.say(str(error))
                continue
            open_spots = [spot for spot in bet.spots if (seat, spot) not in round.contract]
            self.last |= {spot: trial.stake(seat, spot) for spot in open_spots}
            return answers

    def _ask_spots(self, round: Round, seat: Seat, spots: list[str]) -> list[Wager]:
        """One spot after the other; those on which a wager lies together at once."""
        answers: list[Wager] = []
        for spot in spots:
            if _may_bet(round, seat, spot) and spot in _together(round, spot)[:1]:
                made = self._ask_spot(round, seat, spot)
                round = _after_all(round, made)
                answers += made
        return answers

    def _ask_line(self, round: Round, seat: Seat, spots: list[str]) -> list[Wager]:
        """Many spots in one line: "high 5, pairs 1" or "high 5 pairs 1". What is not named stays as it lies; Enter
        makes the wagers of last time."""
        titles = ", ".join(_titles(round.game, spots))
        usual = {s: round.stake(seat, s) or self._usual(round, seat, s) for s in spots}
        shown = ", ".join(f"{spot} {money(amount)}" for spot, amount in usual.items() if amount) or "none"
        free = self._free(round, seat)
        while True:
            text = self._ask(f"{titles} [{shown}]")
            try:
                wanted = _named_amounts(text, round.game, spots) if text else usual
                answers: list[Wager] = []
                for spot, amount in wanted.items():
                    answers += _set(_after_all(round, answers), seat, spot, amount)
                if _stake_of(answers) - _taken_up(round, answers) > free:
                    raise NotAllowed(f"That is more than the {money(free)} that you have.")
                _after_all(round, answers)
                return answers
            except NotAllowed as error:
                self.table.say(str(error))
                if not text:
                    usual, shown = {}, "none"

    def _ask_spot(self, round: Round, seat: Seat, spot: str) -> list[Wager]:
        """The answers that make the wager on a spot what the person types."""
        spots, fixed = _together(round, spot), round.game.wager_of(spot).fixed
        lying = round.stake(seat, spot)
        most = cents_down((self._free(round, seat) + sum(round.stake(seat, s) for s in spots)) / len(spots))
        usual = min(lying or self._usual(round, seat, spot), most)
        title = " and ".join(map(round.game.spot_title, spots)) + (", each" if len(spots) > 1 else "")
        while True:
            amount = self._ask_amount(f"{title} [{money(usual)}]", usual, most)
            if fixed and amount not in (0, fixed[0]):
                self.table.say(f"{title} is one amount for everybody: {fixed[0]}, or 0 for none.")
                continue
            answers: list[Wager] = []
            for s in spots:
                answers += _set(round, seat, s, amount)
            try:
                _after_all(round, answers)
                return answers
            except NotAllowed as error:
                self.table.say(str(error))

    def _free(self, round: Round, seat: Seat) -> Fraction:
        """What the person has left when the wagers of this round are made, those just typed included."""
        return self.table.worth - sum(amount for (s, _), amount in round.wagers.items() if s == seat)

    def _usual(self, round: Round, seat: Seat, spot: str) -> Fraction:
        """What Enter stakes: the same as last time, at first the usual stake."""
        wager = round.game.wager_of(spot)
        usual = wager.laid(self.house.stakes).get(spot, ZERO)
        first, share = next(iter(wager.opens.items()))
        if spot != first and not wager.any_spot:
            usual = round.stake(seat, first) / share * wager.opens[spot]
        return self.last.get(spot, usual)

    # Decisions.

    def _ask_decision(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        self.table.draw()
        for number, option in enumerate(choose.options, start=1):
            self.table.say(f"  {number}  {option_words(round, option, seat)}")
        while True:
            prompt = f"Your decision{choose.about and f', {choose.about}'}"
            if choose.neutral:
                text = self._ask(f"{prompt} [{choose.options[1].name}]")
            else:
                text = self._ask(f"{prompt} (h: what each is worth)", lambda: self._hint(round, choose, seat))
            picked = choose.options[1] if choose.neutral and not text else _picked(choose.options, text)
            if picked is None:
                names = ", ".join(f"{i} or {o.name}" for i, o in enumerate(choose.options, start=1))
                self.table.say(f"{reprlib.repr(text)} is none of the options; type {names}.")
                continue
            decision = self._decision(round, picked, seat)
            cost = _cost(round, picked, decision)
            if cost > self.table.balance:
                self.table.say(f"{picked.name!r} takes {money(cost)}, and you have {money(self.table.balance)}.")
                continue
            try:
                round.after(decision)
                return decision
            except NotAllowed as error:
                self.table.say(str(error))

    def _decision(self, round: Round, option: Option, seat: Seat) -> Decide:
        extra = option.extra
        if extra is None or extra.least == extra.most:
            return Decide(seat, option.name)
        most = min(cents_down(extra.most * round.stake(seat, extra.of)), self.table.balance)
        prompt = f"{round.game.spot_title(extra.spot)} [{money(most)}]"
        return Decide(seat, option.name, self._ask_amount(prompt, most, most))

    def _hint(self, round: Round, choose: Choose, seat: Seat) -> None:
        """What each option is worth, by the exact solver."""
        try:
            advice = self.house.advice(round, seat)
        except FeltworksError as error:
            self.table.say(error.told if isinstance(error, FaultyRules) else str(error))
            return
        longest = max(map(len, advice.options))
        for name, value in advice.options.items():
            best = f"  {BEST}" if name == advice.best else ""
            self.table.say(f"  {name:<{longest}} {float(value):+9.2f}{best}")
        alone = ", as if it were the only hand" if choose.about.startswith("hand") else ""
        self.table.say(f"  on average to the end of the round, bonus wagers left out{alone}")

    # Typing.

    def _ask_amount(self, prompt: str, usual: Fraction, most: Fraction) -> Fraction:
        while True:
            text = self._ask(prompt)
            amount = read_money(text) if text else usual
            if amount is None:
                self.table.say(f"{reprlib.repr(text)} is not an amount; type one such as 10 or 2.50, or 0 for none.")
            elif amount > most:
                self.table.say(f"{money(amount)} is too much; {money(most)} is the most you can stake here.")
            else:
                return amount

    def _ask(self, prompt: str, hint: Callable[[], None] | None = None) -> str:
        """What is typed; help and leaving are answered here."""
        while True:
            text = self.table.read(prompt)
            match text.lower():
                case "?":
                    self.table.show_rules()
                case "q":
                    raise Leave
                case "h" if hint is not None:
                    hint()
                case "h":
                    self.table.say("There is nothing to decide now; h helps at a decision.")
                case _:
                    return text


def _titles(game: PlayedGame, spots: Iterable[str]) -> Iterator[str]:
    """The spots that are open; those of a wager on any of many by the wager, with what is typed for the first."""
    for wager, found in groupby(spots, game.wager_of):
        names = [*found]
        if wager.any_spot and len(names) > EACH_NAMED:
            yield f"{wager.title} ({len(names)} spots, such as {names[0]})"
        else:
            yield from map(game.spot_title, names)


def _together(round: Round, spot: str) -> list[str]:
    """The spots on which the same is wagered at once: those that a required wager opens with equal shares."""
    wager = round.game.wager_of(spot)
    if not wager.required or wager.any_spot or len({*wager.opens.values()}) > 1:
        return [spot]
    return list(wager.opens)


def _may_bet(round: Round, seat: Seat, spot: str) -> bool:
    """Whether the seat can change its wager on a spot: something lies there that is no contract, or may be put."""
    if (seat, spot) in round.contract:
        return False
    try:
        round.after(Place(seat, spot, Fraction(1, 100)))
    except NotAllowed:
        return bool(round.stake(seat, spot))
    return True


def _after_all(round: Round, answers: Iterable[Wager]) -> Round:
    for answer in answers:
        round = round.after(answer)
    return round


def _set(round: Round, seat: Seat, spot: str, amount: Fraction) -> list[Wager]:
    """What makes the wager on a spot this amount."""
    lying = round.stake(seat, spot)
    answers: list[Wager] = [TakeUp(seat, spot)] if amount < lying else []
    more = amount - (ZERO if answers else lying)
    return [*answers, Place(seat, spot, more)] if more else answers


def _stake_of(answers: Iterable[Wager]) -> Fraction:
    return sum((answer.amount for answer in answers if isinstance(answer, Place)), ZERO)


def _taken_up(round: Round, answers: Iterable[Wager]) -> Fraction:
    return sum((round.stake(a.seat, a.spot) for a in answers if isinstance(a, TakeUp)), ZERO)


def _named_amounts(text: str, game: PlayedGame, spots: Sequence[str]) -> dict[str, Fraction]:
    """What "high 5, pairs 1" says, with commas or without: a spot by its name, its title or the beginning of its name,
    or a wager by its name, which means the spots that it opens, or the first of those where it is made on any."""
    said: dict[str, Fraction] = {}
    for part in text.replace(";", ",").split(","):
        found = _read_wagers(part.split(), game, spots)
        if found is None:
            raise NotAllowed(
                f"{reprlib.repr(part.strip())} is no wager; type spots and amounts, such as {spots[0]} 5. Open are:"
                f" {', '.join(spots)}."
            )
        said |= found
    return said


def _read_wagers(words: Sequence[str], game: PlayedGame, spots: Sequence[str]) -> dict[str, Fraction] | None:
    """Names, each with an amount behind it; a number may be the end of a name, so the longest name is tried first."""
    for end in range(len(words) - 1, 0, -1):
        amount, named = read_money(words[end]), _spots_called(" ".join(words[:end]), game, spots)
        if amount is None or not named:
            continue
        rest = _read_wagers(words[end + 1 :], game, spots) if words[end + 1 :] else {}
        if rest is not None:
            return {spot: amount * share for spot, share in named.items()} | rest
    return None


def _spots_called(name: str, game: PlayedGame, spots: Sequence[str]) -> Mapping[str, Fraction]:
    """The spots that somebody means who types this, with so many amounts on each."""
    typed = _plain(name)
    exact = [spot for spot in spots if typed in (spot, _plain(game.spot_title(spot)))]
    if not exact:
        for wager in game.wagers.values():
            laid = wager.laid({wager.name: Fraction(1)})
            if typed in (wager.name, _plain(wager.title)) and {*laid} <= {*spots}:
                return laid
    found = exact or [spot for spot in spots if spot.startswith(typed)]
    return {found[0]: Fraction(1)} if len(found) == 1 else {}


def _plain(name: str) -> str:
    return name.strip().lower().rstrip("!").replace(" ", "_")


def _picked(options: tuple[Option, ...], text: str) -> Option | None:
    """The option of that number or name, or the only one that begins like that."""
    if text.isdecimal():
        return options[int(text) - 1] if len(text) < 4 and 1 <= int(text) <= len(options) else None
    said = text.lower()
    exact = [option for option in options if option.name == said]
    begins = exact or [option for option in options if said and option.name.startswith(said)]
    return begins[0] if len(begins) == 1 else None


def _cost(round: Round, option: Option, decision: Decide) -> Fraction:
    """What a decision of a seat adds to its wagers."""
    if option.extra is None or not isinstance(decision.who, int):
        return ZERO
    return (
        option.extra.most * round.stake(decision.who, option.extra.of) if decision.amount is None else decision.amount
    )
