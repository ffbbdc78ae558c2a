"""What was walked for other settings is used again only where nothing depends on what is different."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import feltworks
from feltworks import games
from feltworks.kit.game import Game
from feltworks.kit.odds import PUSH
from feltworks.lab.analysis import analyzer_for
from feltworks.lab.graph import Event
from feltworks.lab.kept_walks import KeptWalks, LooksAtOdds, Noted, OpenOdds, opened
from feltworks.lab.solver import event_counts, follow
from feltworks.lab.stakes import checked_stakes
from feltworks.lab.walking_analyzer import WalkingAnalyzer


def exact(game: Game, name: str) -> Fraction:
    """By the analysis that `felt analyze` makes, with nothing kept."""
    return analyzer_for(game, checked_stakes(game, None)).wager(name).edge


def random_settings(game: Game, random: Random) -> dict[str, Any]:
    """Some of everything that can be set, often as it is listed."""
    readings = {
        name: random.choice(list(reading.values))
        for name, reading in game.definition.readings.items()
        if random.random() < 0.3
    }
    pay = {
        spot: ",".join(
            str(random.choice(["1", "3/2", "2", "7", "0", *(["3 for 1"] if game.decks else [])])) for _ in table.lines
        )
        for spot, table in game.pay.items()
        if game.offers(spot) and len(table.lines) > 1 and random.random() < 0.4
    }
    return {"readings": readings, "pay": pay, "decks": random.choice([1, 2]) if game.decks else None}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "version", "changes"),
    [
        ("yo", "washington", 8),
        ("yo", "rack-card", 4),
        ("one-for-the-money", "three-card-bonus", 3),
        ("one-for-the-money", "perfect-match", 2),
    ],
)
def test_edges_by_kept_walks_are_those_of_the_analysis_whatever_was_asked_before(
    name: str, version: str, changes: int
) -> None:
    random, kept = Random(f"{name} {version}"), KeptWalks()
    listed = games.load(name).configured(version=version)
    for _ in range(changes):
        game = listed.configured(**random_settings(listed, random))
        for wager in game.wagers:
            assert kept.edge(game, checked_stakes(game, None), wager) == exact(game, wager), (game.readings, game.pay)


def test_another_order_of_questions_gives_the_same_edges() -> None:
    changed: list[dict[str, Any]] = [
        {},
        {"readings": {"seven_out_play": "push"}},
        {"pay": {"play": "3,1", "high": "2", "yo": "30,4,1"}},
        {"readings": {"yo_after_win": "comes_down"}, "pay": {"yo": "30 for 1,4,0"}},
    ]
    listed = feltworks.load("yo")
    settings = [listed.configured(**each) for each in changed]

    def edges(order: list[Game], kept: KeptWalks) -> dict[str, list[Fraction]]:
        return {
            game.fingerprint["definition"]: [kept.edge(game, checked_stakes(game, None), name) for name in game.wagers]
            for game in order
        }

    assert edges(settings, KeptWalks()) == edges(settings[::-1], KeptWalks())


def test_other_odds_of_a_wager_need_no_other_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, listed = KeptWalks(), feltworks.load("one-for-the-money", decks=1)
    other, stakes = listed.configured(pay={"three_card_bonus": "50,40,6,4"}), checked_stakes(listed, None)
    expected = exact(other, "three_card_bonus")
    kept.edge(listed, stakes, "three_card_bonus")
    monkeypatch.setattr(WalkingAnalyzer, "graph_under", None)
    assert kept.edge(other, stakes, "three_card_bonus") == expected


# Odds that are left open.


def test_open_odds_say_how_they_are_called_and_nothing_else() -> None:
    odds = OpenOdds("to", "high", "8, 9, 10")
    assert (odds.kind, odds.spot, odds.line) == ("to", "high", "8, 9, 10")
    assert odds == OpenOdds("to", "high", "8, 9, 10") != OpenOdds("for", "high", "8, 9, 10")
    assert len({odds, OpenOdds("to", "high", "8, 9, 10")}) == 1
    assert odds != PUSH
    for look in (lambda: odds.net, lambda: odds.returned, lambda: odds.win, lambda: odds.per, lambda: str(odds)):
        with pytest.raises(LooksAtOdds):
            look()


def test_what_is_no_odds_and_a_push_are_not_left_open() -> None:
    table = feltworks.load("down-under-holdem").pay_table("jackpot")
    left = opened("jackpot", table)
    assert left.names == table.names
    assert [line.pay for line in left if not isinstance(line.pay, OpenOdds)] == [line.pay for line in table][:2]
    pushes = table.with_typed_odds("0,1")
    assert opened("jackpot", pushes).lines[0].pay == PUSH


def test_a_mapping_notes_what_was_looked_up_in_it() -> None:
    noted = Noted({"a": 1, "b": 2, "c": 3})
    assert (noted["a"], "b" in noted, "d" in noted) == (1, True, False)
    assert noted.asked == {"a": 1, "b": 2}
    assert dict(noted) == noted.asked


# Counting events.


@pytest.mark.parametrize("name", ["yo", "one-for-the-money"])
def test_events_are_counted_as_they_are_followed(name: str) -> None:
    game = feltworks.load(name, decks=1) if name != "yo" else feltworks.load(name)
    solved = WalkingAnalyzer(game, checked_stakes(game, None)).solved
    followed = follow(solved.graph, solved.best).counts
    counted: dict[Event, Fraction] = event_counts(solved.graph, solved.best)
    assert {event: often for event, often in counted.items() if often} == {e: n for e, n in followed.items() if n}
