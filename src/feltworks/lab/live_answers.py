"""The answers to what is asked while a house is served: one function for each question of `kit.questions`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from feltworks import games
from feltworks.kit.cards import MOST_DECKS
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.paytable import PayTable
from feltworks.kit.questions import (
    Answer,
    Edges,
    EdgesTold,
    Elsewhere,
    GameSettings,
    JackpotChance,
    JackpotLine,
    JackpotReturned,
    JackpotReturnTold,
    JackpotsCompared,
    JackpotSettings,
    Mistake,
    OptionWorth,
    Question,
    ReturnPiece,
    SameJackpot,
    WagerEdge,
    Worth,
    WorthTold,
)
from feltworks.kit.showdown import ENGINE
from feltworks.kit.standing import of_definition
from feltworks.lab.advice import advise
from feltworks.lab.analysis import analyzer_for
from feltworks.lab.count_files import enumerator_of, results_of
from feltworks.lab.kept_walks import KeptWalks
from feltworks.lab.stakes import checked_stakes


class NeedsCount(Exception):
    """The answer has to be counted, and this process does not count."""


def answer(question: Question, *, counts: bool) -> Answer:
    """Whatever is asked, a mistake in it included. A process that does not count says what has to be counted."""
    try:
        match question:
            case Edges():
                return edges(question, counts=counts)
            case Worth():
                return worth(question, counts=counts)
            case SameJackpot():
                return same_jackpot(question, counts=counts)
            case JackpotReturned():
                return jackpot_return(question, counts=counts)
    except NeedsCount:
        return Elsewhere()
    except FeltworksError as mistake:
        return Mistake(str(mistake))


def game_of(settings: GameSettings) -> Game:
    return games.load(settings.game).configured(
        version=settings.version,
        decks=settings.decks,
        readings=settings.readings,
        pay=settings.pay,
        without=settings.without,
    )


def is_counted(game: Game, wager: str) -> bool:
    """Whether the edge of a wager is counted by the game's enumerator; otherwise the rules are walked for it."""
    return bool(game.enumerator) and not (wager in game.bonuses and game.bonuses[wager].early)


# What the house keeps.


def edges(question: Edges, *, counts: bool = True) -> EdgesTold:
    """The edge of every wager whose rules can be walked, or of the one that is asked for."""
    game = game_of(question)
    listed = games.load(game.name).configured(version=game.version_name)
    if question.wager is not None:
        wagers = [game.wager(question.wager).name]
        if is_counted(game, question.wager) and not counts:
            raise NeedsCount
    else:
        wagers = list(game.wagers)
    standing = of_definition(game)
    return EdgesTold(
        game.fingerprint["definition"],
        standing.words,
        list(standing.differences),
        list(standing.ask_first),
        [
            _wager_edge(game, listed, bet, apart=question.wager is None and is_counted(game, name))
            for name in wagers
            for bet in _told_apart(game, name)
        ],
    )


def _told_apart(game: Game, name: str) -> list[str]:
    """The spots of a wager that is made on any of them, where their edges differ; else the wager alone."""
    wager = game.wager(name)
    spots = list(wager.spots) if wager.any_spot else []
    return spots if len({edge_of(game, spot) for spot in spots}) > 1 else [name]


def _wager_edge(game: Game, listed: Game, name: str, *, apart: bool) -> WagerEdge:
    title = game.wager(name).title
    if apart:
        return WagerEdge(name, title, None, None, None, None, apart=True)
    edge = edge_of(game, name)
    if name in game.jackpots:
        return WagerEdge(name, title, None, None, None, None, note=_jackpot_note(edge))
    shipped = games.shipped_edges().get(listed.fingerprint["definition"], {}).get(name)
    usual = edge_of(listed, name) if shipped is None else Fraction(shipped)
    return WagerEdge(name, title, str(edge), percent(edge), str(usual), percent(usual))


def _jackpot_note(edge: Fraction) -> str:
    return (
        f"What the house keeps depends on the prize: with nothing to win it would be {percent(edge)}, and what"
        " the prize pays on average comes off that."
    )


def edge_of(game: Game, name: str) -> Fraction:
    """What the house keeps of a wager, when the required one is played as well as it can be."""
    stakes = checked_stakes(game, None)
    if is_counted(game, name):
        return analyzer_for(game, stakes).edges(name)[""]
    if game.enumerator:  # it is settled before anybody decides anything
        return WALKS.edge(game, stakes, name, lambda info: enumerator_of(game).option(game, info))
    return WALKS.edge(game, stakes, name)


WALKS = KeptWalks()


def percent(share: Fraction) -> str:
    return f"{round(share * 10**6) / 10**4:.4f} %"


def likely(*, counts: bool) -> Iterator[Edges]:
    """What is likely to be asked, the likeliest first: whoever answers it beforehand has walked and compiled what the
    real questions need."""
    every = [game for game in map(games.load, games.names()) if game.enumerator != ENGINE]  # those are quick enough
    versions = [game.configured(version=version) for game in every for version in game.definition.versions]
    asked = [
        (game, name)
        for game in versions
        for name in (game.wagers if counts else [None])
        if name is None or is_counted(game, name)
    ]
    for game, name in asked:
        yield Edges(game.name, version=game.version_name, wager=name)
        for spot in game.pay if counts else ():
            yield Edges(game.name, version=game.version_name, pay={spot: _other_odds(game.pay[spot])}, wager=name)
    for game, name in asked:
        for decks in range(1, MOST_DECKS + 1) if game.decks else ():
            yield Edges(game.name, version=game.version_name, decks=decks, wager=name)
    for game, name in asked:
        for reading, value in _others(game):
            yield Edges(game.name, version=game.version_name, readings={reading: value}, wager=name)


def _other_odds(table: PayTable) -> str:
    """The odds of a table, but for its first line."""
    return ",".join(["1", *(str(line.pay).replace(",", "") for line in table.lines[1:])])


def _others(game: Game) -> Iterator[tuple[str, str]]:
    """The other values of every reading."""
    for name, reading in game.definition.readings.items():
        yield from ((name, value) for value in reading.values if value != game.reading(name))


# What a decision is worth.


def worth(question: Worth, *, counts: bool = True) -> WorthTold:
    """What `felt advise` says."""
    game = game_of(question)
    if game.enumerator and not counts:
        raise NeedsCount
    stakes = {name: _units(name, units) for name, units in question.stakes.items()}
    advice = advise(game, question.cards, stakes=stakes, **question.given)
    return WorthTold(
        advice.situation,
        advice.best,
        [
            OptionWorth(name, str(value), float(value), str(advice.cost(name)), name in advice.beside)
            for name, value in advice.options.items()
        ],
    )


def _units(name: str, text: str) -> Fraction:
    if not re.fullmatch(r"[0-9]{1,9}([./][0-9]{1,9})?", text) or text.endswith("/0"):
        raise BadValue(f"{text[:40]!r} is not a number of units for {name}; write 1, 2.5 or 1/2.")
    return Fraction(text)


# Whether two jackpots are one.


def same_jackpot(question: SameJackpot, *, counts: bool = True) -> JackpotsCompared:
    """D-19: winning hands, pays, wager, rule for folded hands, and the exact chances that follow from them."""
    if not counts:
        raise NeedsCount
    one, other = (_jackpot(settings) for settings in (question.one, question.other))
    differences = []
    if one.wager != other.wager:
        differences.append(f"The wager is {one.wager / 100:.2f} and {other.wager / 100:.2f}")
    for name in sorted(one.readings.keys() | other.readings.keys()):
        mine, theirs = one.readings.get(name), other.readings.get(name)
        if mine != theirs:
            differences.append(f"The reading {name} is {mine or 'not asked for'} and {theirs or 'not asked for'}")
    if [*one.pays] != [*other.pays]:
        differences.append(f"The lines are {', '.join(one.pays)}, and {', '.join(other.pays)}")
    lines = []
    for line in {**one.pays, **other.pays}:
        told = JackpotLine(line, [j.pays.get(line) for j in (one, other)], [j.chances.get(line) for j in (one, other)])
        lines.append(told)
        if None in told.pays:
            continue
        if told.pays[0] != told.pays[1]:
            differences.append(f"{line} pays {told.pays[0]} and {told.pays[1]}")
        if told.chances[0] != told.chances[1]:
            differences.append(f"The chance of {line} is {told.chances[0]} and {told.chances[1]}")
    return JackpotsCompared(not differences, differences, lines)


@dataclass(frozen=True)
class Jackpot:
    """All that two jackpots must have alike."""

    wager: int
    readings: Mapping[str, str]
    pays: Mapping[str, str]
    chances: Mapping[str, str]


def _jackpot(settings: JackpotSettings) -> Jackpot:
    game, name = _with_jackpot(settings)
    analyzer = analyzer_for(game, checked_stakes(game, None))
    chances = {outcome.line: str(outcome.probability) for outcome in analyzer.wager(name).outcomes}
    concerned = getattr(enumerator_of(game), "JACKPOT_READINGS", game.readings) if game.enumerator else game.readings
    pays = {line.name: str(line.pay) for line in game.pay_table(name)}
    return Jackpot(
        settings.wager,
        {reading: game.reading(reading) for reading in concerned},
        pays,
        {line: chance for line, chance in chances.items() if line in pays},
    )


def _with_jackpot(settings: JackpotSettings) -> tuple[Game, str]:
    """The game, and its wager on a jackpot."""
    game = game_of(settings)
    if not game.jackpots:
        raise BadValue(f"{game.title} with these settings has no jackpot; only wagers that pay shares of a meter do.")
    [name] = game.jackpots
    return game, name


# What a jackpot gives back.


def jackpot_return(question: JackpotReturned, *, counts: bool = True) -> JackpotReturnTold:
    """D-20: the return as a function of the meter and of the others who play, as the game's enumerator counts it."""
    if not counts:
        raise NeedsCount
    game, _ = _with_jackpot(question)
    if question.wager < 1 or question.others < 0:
        raise BadValue("Ask about a wager of at least a cent, beside no fewer than no others.")
    told = getattr(enumerator_of(game), "jackpot_by_meter", None) if game.enumerator else None
    if told is None:
        raise BadValue(f"{game.title} does not tell what its jackpot gives back by the meter.")
    cents = Fraction(question.wager)
    returned = replace(told(game, results_of(game)), wager=cents / 100)
    even, seats = returned.break_even_meter(question.others), question.others + 1
    rounds = returned.rounds_between(seats)
    return JackpotReturnTold(
        [
            ReturnPiece(str(piece.meter * cents), str(piece.returned), str(piece.share / cents))
            for piece in returned.pieces(question.others)
        ],
        None if even is None else str(even * cents),
        [
            JackpotChance(line, str(pay), str(returned.chances[line]), _text(rounds[line]))
            for line, pay in returned.pays.items()
        ],
        _text(returned.rounds_between_awards(seats)),
    )


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
