"""Opening a table at a card room or a tribal casino: recorded conditions, the law's wager limits, all problems at once
(F-02, F-03, F-06, F-29)."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import encode
from feltworks.floor.refusal import Refused
from feltworks.floor.statutory_limits import limit_on, most_by_law, statutory_limits
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import Fulfilled, Limits, TableSettings
from feltworks.floor.table.settings_check import check_settings, conditions_of, examined
from feltworks.floor.verification.verify import verify
from feltworks.games import load
from feltworks.kit.cards import Seat
from feltworks.kit.chance import Shuffled
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import Bet, Choose, Decide, Place, WagerMoved
from feltworks.kit.walk import bets_for, walk
from tests.floor.sitting import TODAY, Sitting, fulfilled
from tests.floor.world import KEYS
from tests.kit.support import every_game, label, one_sentence
from tests.web.robots import between, money, under, yo

ROOM, TRIBE = {"venue": "card room"}, {"venue": "tribal casino"}
DAY = date(2026, 1, 1)


def limits(settings: TableSettings, **most: int) -> TableSettings:
    """The same table with another most on some spots."""
    changed = {spot: Limits(settings.limits[spot].least, cents) for spot, cents in most.items()}
    return msgspec.structs.replace(settings, limits={**settings.limits, **changed})


def said(settings: TableSettings, now: int = TODAY) -> dict[str, list[str]]:
    """What stands against settings, by the name of the setting."""
    found: dict[str, list[str]] = {}
    for problem in examined(settings, now)[1]:
        found.setdefault(problem.setting, []).append(problem.said)
        one_sentence(problem.error)
    return found


# The law's limits are dated data.


@pytest.mark.rule("F-06")
def test_the_limit_of_a_single_wager_depends_on_the_venue_and_the_day() -> None:
    by_day = {
        day: limit_on("card room", day) for day in map(date.fromisoformat, ("2009-12-04", "2023-08-19", "2023-08-20"))
    }
    assert [limit and limit.cents for limit in by_day.values()] == [30_000, 30_000, 40_000]
    assert limit_on("card room", date(2008, 12, 31)) is None
    assert limit_on("training", DAY) is None
    tribal = limit_on("tribal casino", DAY)
    assert tribal is not None and tribal.cents is None
    assert tribal.words.startswith("a tribal casino sets its own wager limits (")


@pytest.mark.rule("F-06")
def test_every_limit_has_a_source_and_says_what_is_not_verified() -> None:
    for limit in statutory_limits():
        assert limit.source and limit.source in limit.words
        assert ("; not verified: " in limit.words) == (not limit.verified) == bool(limit.open)
    latest = limit_on("card room", DAY)
    assert latest is not None and not latest.verified
    assert "at most $400 at a card room" in latest.words


# Spots that are multiples of others.


class AnyChoice:
    """Somebody who stakes a unit on everything and decides by a seeded chance."""

    def __init__(self, game: Game, random: Random) -> None:
        self.game, self.random = game, random

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Any]:
        for answer in bets_for(dict.fromkeys(self.game.wagers, Fraction(1)), round, bet, seat):
            if takes(round, answer):
                round = round.after(answer)
                yield answer

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        return Decide(seat, self.random.choice(choose.options).name)


def takes(round: Round, answer: Any) -> bool:
    try:
        round.after(answer)
    except FeltworksError:
        return False
    return True


@pytest.mark.rule("F-06")
@pytest.mark.parametrize("game", every_game(), ids=label)
def test_no_decision_of_any_game_wagers_more_than_the_multiple_that_the_game_declares(game: Game) -> None:
    """The floor relies on `multiples` in game.toml; here the rules themselves are played."""
    reached: set[str] = set()
    for seed in range(60):
        random, seat = Random(seed), Seat(1)
        placed: dict[str, Fraction] = {}
        round = game.start((1,))
        for step, answer, after in walk(round, Shuffled(random, game.fresh()), {seat: AnyChoice(game, random)}):
            if isinstance(answer, Place):
                placed[answer.spot] = after.stake(seat, answer.spot)
            if isinstance(step, Choose) and step.is_for(seat):
                for extra in (option.extra for option in step.options if option.extra):
                    wager = game.wager_of(extra.spot)
                    opening = placed[next(iter(wager.opens))]
                    reached.add(extra.spot)
                    assert extra.most * round.stake(seat, extra.of) <= wager.multiples.get(extra.spot, 1) * opening
            reached |= {effect.to for effect in after.effects if isinstance(effect, WagerMoved)}
            round = after
            if after.over:
                break
    assert reached or not any(len(wager.spots) > len(wager.opens) for wager in game.wagers.values())


@pytest.mark.rule("F-06")
def test_a_spot_that_is_a_multiple_of_another_leaves_that_one_a_part_of_the_limit() -> None:
    game = load("down-under-holdem")
    allowed = {spot: most_by_law(game, spot, "card room", 1, DAY) for spot in ("ante", "bet", "trips_or_better")}
    assert {spot: found and found.most for spot, found in allowed.items()} == {
        "ante": 13_333,
        "bet": 40_000,
        "trips_or_better": 40_000,
    }
    chips = most_by_law(game, "ante", "card room", 500, DAY)
    assert chips is not None and chips.most == 13_000
    assert chips.reason.startswith("Play may be 3 times Ante, and by law a single wager is at most $400")


@pytest.mark.rule("F-06")
def test_a_table_whose_maxima_let_a_spot_exceed_the_law_is_refused_and_told_what_would_be_allowed() -> None:
    room = fulfilled(under(**ROOM, chip=100))
    check_settings(limits(room, ante=13_300, bet=13_300), TODAY)
    found = said(limits(room, ante=13_400, trips_or_better=40_100))
    assert set(found) == {"limits.ante", "limits.trips_or_better"}
    assert found["limits.ante"][0].startswith(
        "Ante may be at most $133, not $134: Play may be 3 times Ante, and by law "
    )
    assert found["limits.trips_or_better"][0].startswith("Trips or Better may be at most $400, not $401: by law ")
    assert "not verified" in found["limits.ante"][0]
    with pytest.raises(BadValue, match=r"Ante may be at most \$133"):
        Sitting(limits(room, ante=13_400), now=TODAY)


@pytest.mark.rule("F-06")
def test_the_limit_of_the_day_on_which_a_table_is_opened_counts() -> None:
    room = fulfilled(limits(money(**ROOM), ante=40_000))
    early = tuple(msgspec.structs.replace(one, date="2020-01-01") for one in room.conditions or ())
    room = msgspec.structs.replace(room, conditions=early)
    check_settings(room, TODAY)
    in_2022 = TODAY - 4 * 365 * 86_400_000
    assert list(said(room, in_2022)) == ["limits.ante"]
    assert "at most $300, not $400" in said(room, in_2022)["limits.ante"][0]
    check_settings(limits(room, ante=30_000), in_2022)


@pytest.mark.rule("F-06")
def test_tribal_casinos_set_their_own_limits_and_training_has_none() -> None:
    check_settings(fulfilled(limits(yo(**TRIBE), play=1_000_000)), TODAY)
    check_settings(limits(money(), ante=1_000_000), TODAY)


@pytest.mark.rule("F-06", "F-07")
def test_a_wager_above_the_law_of_its_day_is_refused_also_where_the_table_would_take_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A law that becomes tighter while a table is open."""
    sitting = Sitting(fulfilled(limits(money(**ROOM), ante=40_000)), now=TODAY)
    sitting.join("ann", 1)
    sitting.start()
    tighter = msgspec.structs.replace(limit_on("card room", DAY), since=DAY, cents=20_000)  # type: ignore[type-var]
    monkeypatch.setattr("feltworks.floor.statutory_limits.statutory_limits", lambda: (tighter,))
    with pytest.raises(Refused, match=r"Ante takes at most 200\.00 today: by law a single wager is at most \$200"):
        sitting.do("ann", cmd.Place("ante", 20_100))
    sitting.do("ann", cmd.Place("ante", 20_000))


# Conditions.


@pytest.mark.rule("F-02", "F-29")
@pytest.mark.parametrize(
    "settings",
    [money(**ROOM), between(**TRIBE), under(**ROOM), under(**TRIBE), yo(**TRIBE)],
    ids=lambda s: f"{s.game}, {s.venue}",
)
def test_a_table_opens_only_when_every_condition_of_its_approval_is_recorded(settings: TableSettings) -> None:
    whole = fulfilled(settings)
    game, problems = examined(whole, TODAY)
    assert game is not None and not problems
    wanted = conditions_of(settings, game)
    assert len(wanted) >= 3
    assert len(said(settings)["conditions"]) == len(wanted)
    for n, condition in enumerate(wanted):
        recorded = whole.conditions or ()
        but_one = msgspec.structs.replace(whole, conditions=recorded[:n] + recorded[n + 1 :])
        assert said(but_one) == {
            "conditions": [f"Say when this was fulfilled, and which document says so: {condition}"]
        }
        with pytest.raises(BadValue, match="Say when this was fulfilled"):
            Sitting(but_one, now=TODAY)
    assert Sitting(whole, now=TODAY).table.settings == whole


@pytest.mark.rule("F-29")
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"date": "2026-01-02"}, "2026-01-02 is still to come; record when this was fulfilled: "),
        ({"date": "2025-02-29"}, "'2025-02-29' is no date; write one such as 2021-05-25 for: "),
        ({"date": "20250228"}, "'20250228' is no date"),
        ({"date": ""}, "'' is no date"),
        ({"reference": "  "}, "Name the document, in at most 200 characters, that says: "),
        ({"reference": "x" * 201}, "Name the document, in at most 200 characters, that says: "),
        ({"condition": "Whatever " * 20}, " is no condition of this game for a card room; leave it out."),
    ],
    ids=str,
)
def test_a_condition_is_recorded_with_a_day_that_has_come_and_a_reference(changes: dict[str, str], words: str) -> None:
    room = fulfilled(money(**ROOM))
    first, *others = room.conditions or ()
    wrong = msgspec.structs.replace(room, conditions=(msgspec.structs.replace(first, **changes), *others))
    assert any(words in line for line in said(wrong)["conditions"])
    with pytest.raises(BadValue):
        check_settings(wrong, TODAY)


@pytest.mark.rule("F-29")
def test_a_condition_that_is_recorded_twice_is_refused_and_one_of_today_is_taken() -> None:
    room = fulfilled(money(**ROOM))
    first, *others = room.conditions or ()
    twice = msgspec.structs.replace(room, conditions=(first, first, *others))
    assert "once, not twice" in said(twice)["conditions"][0]
    today = msgspec.structs.replace(room, conditions=(msgspec.structs.replace(first, date="2026-01-01"), *others))
    check_settings(today, TODAY)


@pytest.mark.rule("F-29")
def test_a_training_table_needs_no_conditions_and_has_none_to_record() -> None:
    check_settings(money(), TODAY)
    claimed = money(conditions=(Fulfilled("The commission has concurred.", "2025-01-01", "a letter"),))
    assert said(claimed) == {
        "conditions": [
            "'The commission has concurred.' is no condition of this game for a training table; leave it out."
        ]
    }


@pytest.mark.rule("F-02")
def test_a_venue_of_the_wrong_kind_is_refused() -> None:
    assert said(yo(**ROOM))["venue"] == ["Yo! is not approved for a card room; approved venues: tribal casino."]


# All that is wrong, at once.


@pytest.mark.rule("F-03")
def test_everything_that_stands_against_settings_is_told_at_once_each_with_its_setting() -> None:
    wrong = money(
        id="No!",
        name=" ",
        version="vegas",
        decks=99,
        readings={"traded_card": "eaten", "ace_low_straight": "no"},
        pay={"three_card_bonus": "9"},
        seats=70,
        penetration=5,
        burn=11,
        idle=0,
        prize=1,
        limits={"ante": Limits(500, 100), "fly": Limits(1, 2)},
    )
    assert set(said(wrong)) == {
        *("id", "name", "version", "decks", "readings.traded_card", "pay.three_card_bonus", "seats", "penetration"),
        *("burn", "idle", "prize", "limits.ante", "limits.fly", "limits.three_card_bonus"),
    }
    with pytest.raises(BadValue, match="'No!' cannot be a table's id"):
        check_settings(wrong, TODAY)
    assert list(said(money(game="faro"))) == ["game"]


# Records.


def test_settings_of_before_are_written_in_the_same_bytes() -> None:
    assert b"conditions" not in encode(cmd.OpenTable(money()))


@pytest.mark.rule("F-29", "F-16")
def test_a_table_of_a_card_room_is_recorded_with_its_conditions_and_verifies(tmp_path: Path) -> None:
    room = fulfilled(under(**ROOM))
    with Store(tmp_path / "records.db") as store:
        house = House(store, KEYS, lambda: TODAY)
        house.open_table(room)
        with pytest.raises(BadValue, match="Say when this was fulfilled"):
            house.open_table(under(**ROOM, id="other"))
        assert "other" not in house.tables
        assert b'"reference":"file 1"' in next(store.read("under")).event
        house.close()
    with Store(tmp_path / "records.db") as store:
        assert House(store, KEYS, lambda: TODAY).table("under").settings == room
    assert verify(tmp_path / "records.db", KEYS.public).ok
