"""Other settings for an open table (F-40): posted first, in force between two rounds, recorded, and replayed."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.journal.journal import Draft
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.recall import replayed
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import Happened
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import Clocks, HouseRule, Limits, Pace, TableSettings, standing
from feltworks.floor.verification.verify import verify
from feltworks.games import load
from feltworks.kit.game import Game
from feltworks.web import posted, views
from tests.floor.employing import one_of
from tests.floor.sitting import TODAY, Sitting, at_dice, fulfilled, one_for_the_money, riding, with_toys
from tests.floor.test_house import Clock
from tests.floor.test_snapshots import play_at
from tests.floor.world import KEYS
from tests.web.robots import between, money, under, yo


def changed(settings: TableSettings, **changes: Any) -> TableSettings:
    return msgspec.structs.replace(settings, **changes)


def kinds(events: list[ev.Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def betting(settings: TableSettings | None = None, ante: int = 1_000) -> Sitting:
    """Ann at seat 2 with a wager down, and a seven against nine and four to come."""
    sitting = Sitting(settings or one_for_the_money(), "7h 9c 4d 8h 9c 4d", now=TODAY)
    sitting.join("ann", 2)
    sitting.start()
    sitting.do("ann", cmd.Place("ante", ante))
    return sitting


def finish(sitting: Sitting) -> list[ev.Event]:
    """Play the round to its end: what happens with the end."""
    sitting.house(cmd.CloseBetting())
    sitting.deal()
    sitting.do("ann", cmd.Choose("check"))
    sitting.deal()
    return sitting.house(cmd.EndRound())


# Posted, in force, withdrawn.


@pytest.mark.rule("F-40")
def test_a_change_is_posted_at_once_and_in_force_after_the_round() -> None:
    sitting = betting()
    after = changed(sitting.table.settings, limits=dict.fromkeys(("ante", "three_card_bonus"), Limits(500, 20_000)))
    (posted_now,) = sitting.do("mary", cmd.ChangeSettings(after))
    assert isinstance(posted_now, ev.ChangePosted)
    assert posted_now.differences == ("Ante takes $5 to $200", "3 Card Bonus takes $5 to $200")
    assert sitting.table.settings.limits["ante"] == Limits(100, 30_000)
    said = views.message(sitting.table, 2, str)
    assert said.endswith(" From the next round: Ante takes $5 to $200; 3 Card Bonus takes $5 to $200.")
    sitting.do("ann", cmd.Place("ante", 29_000))  # what was posted before still holds
    ended = finish(sitting)
    assert kinds(ended) == ["RoundEnded", "SettingsChanged"]
    assert sitting.table.settings == after and sitting.table.change is None
    assert "From the next round" not in views.message(sitting.table, 2, str)
    sitting.start()
    with pytest.raises(Refused, match=r"at most 200\.00"):
        sitting.do("ann", cmd.Place("ante", 20_100))
    with pytest.raises(Refused, match=r"at least 5\.00"):
        sitting.do("ann", cmd.Place("ante", 400))
    sitting.do("ann", cmd.Place("ante", 20_000))
    assert sitting.replayed() == sitting.table


@pytest.mark.rule("F-40")
def test_where_nothing_lies_on_the_table_a_change_is_in_force_at_once() -> None:
    sitting = Sitting(one_for_the_money(), now=TODAY)
    after = changed(sitting.table.settings, seats=3)
    assert kinds(sitting.do("mary", cmd.ChangeSettings(after))) == ["ChangePosted", "SettingsChanged"]
    sitting.join("ann", 2)
    sitting.start()
    again = changed(after, seats=2)
    made = sitting.do("mary", cmd.ChangeSettings(again))
    assert kinds(made) == ["ChangePosted", "Voided", "SettingsChanged"]  # betting begins anew
    assert sitting.table.settings == again and 2 in sitting.table.seats
    sitting.start()
    sitting.do("ann", cmd.Place("ante", 100))
    assert kinds(sitting.do("mary", cmd.ChangeSettings(after))) == ["ChangePosted"]
    assert kinds(sitting.do("ann", cmd.TakeUp("ante"))) == ["Answered", "Voided", "SettingsChanged"]
    assert sitting.table.settings == after and sitting.replayed() == sitting.table


@pytest.mark.rule("F-40")
def test_a_change_can_be_withdrawn_before_it_is_in_force_and_only_then() -> None:
    sitting = betting()
    before = sitting.table.settings
    sitting.do("mary", cmd.ChangeSettings(changed(before, name="Another room")))
    with pytest.raises(Refused, match="Another change is posted already; withdraw it first"):
        sitting.do("mary", cmd.ChangeSettings(changed(before, name="A third room")))
    assert kinds(sitting.do("mary", cmd.WithdrawChange())) == ["ChangeWithdrawn"]
    with pytest.raises(Refused, match="No change is posted at this table"):
        sitting.do("mary", cmd.WithdrawChange())
    assert kinds(finish(sitting)) == ["RoundEnded"]
    assert sitting.table.settings == before


@pytest.mark.rule("F-40")
def test_a_void_round_lets_a_posted_change_into_force() -> None:
    sitting = betting()
    sitting.do("mary", cmd.ChangeSettings(changed(sitting.table.settings, decks=8)))
    assert kinds(sitting.house(cmd.VoidRound("a fire alarm"))) == ["Voided", "SettingsChanged"]
    assert sitting.table.game.decks == 8 and sitting.balance("ann") == 100_000


@pytest.mark.rule("F-40")
@pytest.mark.parametrize("service", [cmd.Pause("A break"), cmd.CloseTable("The shift ends")], ids=["paused", "closed"])
def test_a_paused_or_closed_table_can_be_changed(service: cmd.Command) -> None:
    sitting = Sitting(one_for_the_money(), now=TODAY)
    sitting.house(service)
    sitting.do("mary", cmd.ChangeSettings(changed(sitting.table.settings, seats=3)))
    assert sitting.table.settings.seats == 3


# A wager that stays up is not stranded.


@pytest.mark.rule("F-40", "F-30")
def test_a_change_waits_as_long_as_a_wager_is_carried_into_the_next_round(monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)
    sitting = at_dice(riding(), "1312", "3412", players="ann bob")
    sitting.do("ann", cmd.Place("play", 1_000))
    sitting.do("ann", cmd.Place("ride", 500))
    sitting.do("mary", cmd.ChangeSettings(changed(sitting.table.settings, name="Another cup")))
    assert kinds(roll(sitting)) == ["RoundEnded"]  # Play has won, and the Ride stays up
    assert sitting.table.wagers and sitting.table.change is not None
    sitting.start()
    assert sitting.table.settings.name == "The cup"
    assert kinds(roll(sitting)) == ["RoundEnded", "SettingsChanged"]  # a seven takes it
    assert sitting.table.settings.name == "Another cup"
    assert sum(sitting.books.values()) == 0 and sitting.replayed() == sitting.table


def roll(sitting: Sitting) -> list[ev.Event]:
    """Close the betting, roll once, and end the round: what happens with the end."""
    sitting.house(cmd.CloseBetting())
    sitting.do("ann", cmd.Choose("shoot"))
    sitting.deal()
    return sitting.house(cmd.EndRound())


# What may change.


WHOLE = under(id="under", chip=100)
MAY: dict[str, tuple[dict[str, Any], str]] = {
    "name": ({"name": "The other room"}, "the table is called The other room"),
    "bonus wager": (
        {
            "without": ("match_the_dealer",),
            "limits": {s: v for s, v in WHOLE.limits.items() if s != "match_the_dealer"},
        },
        "Match the Dealer is not offered",
    ),
    "pay table": (
        {"pay": {"jackpot": "3", "match_the_dealer": "4"}},
        "Match the Dealer pays 50 to 1 for Four of a kind, 10 to 1 for Three of a kind, 7 to 1 for 2 card matches,"
        " 3 to 1 for 1 card match",
    ),
    "decks": ({"decks": 2}, "2 decks"),
    "reading": (
        {"readings": {"order_of_action": "together"}},
        "order_of_action=together: all at once, and what they chose is shown together",
    ),
    "prize": ({"prize": 2_000_000}, "the house jackpot is $20,000"),
    "payout limit": (
        {"payout_limits": {"bet": 600_000}},
        "Bet pays at most $6,000 in a round to all seats together",
    ),
    "house rules": ({"house_rules": (HouseRule("No telephones at the table."),)}, "the house rules are others"),
    "clocks": ({"clocks": Clocks(decision=9_000)}, "the clocks or the pace are others"),
    "pace": ({"pace": Pace(1, 2, 3, 4)}, "the clocks or the pace are others"),
    "seats": ({"seats": 3}, "3 seats"),
    "chip": ({"chip": 50}, "the smallest chip is $0.50, and pays are rounded to the cent"),
}


@pytest.mark.rule("F-40")
@pytest.mark.parametrize("name", MAY)
def test_what_may_change_is_told_in_words_and_changes(name: str) -> None:
    changes, words = MAY[name]
    sitting = Sitting(WHOLE, now=TODAY)
    after = changed(WHOLE, **changes)
    event, last = sitting.do("mary", cmd.ChangeSettings(after))
    assert isinstance(event, ev.ChangePosted) and isinstance(last, ev.SettingsChanged)
    assert event.differences == (words,)
    assert sitting.table.settings == after
    game = after.load_game()
    assert (
        last.definition
        == event.definition
        == game.fingerprint["definition"]
        == sitting.table.game.fingerprint["definition"]
    )
    assert last.standing == event.standing == standing(after, game)
    sitting.start()


@pytest.mark.rule("F-40", "F-29")
def test_conditions_and_equipment_may_change_too() -> None:
    own = {"card reader": "the maker's own", "jackpot system": "a drawer"}
    room = fulfilled(under(venue="card room", dealing="people", equipment=own))
    sitting = Sitting(room, now=TODAY)
    first, *others = room.conditions or ()
    renewed = (msgspec.structs.replace(first, reference="file 7"), *others)
    event, _ = sitting.do(
        "mary",
        cmd.ChangeSettings(changed(room, conditions=renewed, equipment={**own, "jackpot system": "the maker's own"})),
    )
    assert isinstance(event, ev.ChangePosted)
    assert event.differences == (
        "jackpot system: the maker's own",
        "the recorded conditions of the approval are others",
    )
    assert event.standing is not None and event.standing.words == "as approved"


MAY_NOT: dict[str, tuple[dict[str, Any], str]] = {
    "id": ({"id": "other"}, "The id of a table cannot change; close it and open another one."),
    "game": ({"game": "in-between"}, "The game of a table cannot change; close it and open another one."),
    "venue": ({"venue": "card room"}, "The venue of a table cannot change; close it and open another one."),
    "source": (
        {"dealing": "people"},
        "The source of cards and dice of a table cannot change; close it and open another one.",
    ),
    "seats taken": ({"seats": 1}, "Seat 2 is taken, so that the table keeps at least 2 seats."),
    "seats": ({"seats": 8}, "One For The Money has 1 to 7 seats, not 8."),
    "limits": ({"limits": {"ante": Limits(5, 1)}}, "The table has no limits for three_card_bonus"),
    "pay": ({"pay": {"three_card_bonus": "7"}}, "There is no pay table for three_card_bonus '7'"),
    "nothing": ({}, "The table has these settings already."),
}


@pytest.mark.rule("F-40")
@pytest.mark.parametrize("name", MAY_NOT)
def test_what_cannot_change_is_refused_in_words_and_nothing_changes(name: str) -> None:
    changes, words = MAY_NOT[name]
    sitting = betting()
    before = sitting.table
    with pytest.raises(Refused) as refusal:
        sitting.do("mary", cmd.ChangeSettings(changed(before.settings, **changes)))
    assert words in str(refusal.value)
    assert sitting.table is before


@pytest.mark.rule("F-06", "F-40")
def test_a_change_keeps_within_the_law_and_is_withdrawn_if_the_law_changes_before_it_is_in_force(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = fulfilled(
        changed(money(venue="card room"), limits=dict.fromkeys(("ante", "three_card_bonus"), Limits(100, 9_000)))
    )
    early = tuple(msgspec.structs.replace(one, date="2020-01-01") for one in room.conditions or ())
    room = changed(room, conditions=early)
    sitting = betting(room)
    above = dict.fromkeys(("ante", "three_card_bonus"), Limits(100, 40_100))
    with pytest.raises(Refused, match=r"Ante may be at most \$400, not \$401: by law "):
        sitting.do("mary", cmd.ChangeSettings(changed(room, limits=above)))
    allowed = dict.fromkeys(("ante", "three_card_bonus"), Limits(100, 40_000))
    sitting.do("mary", cmd.ChangeSettings(changed(room, limits=allowed)))
    sitting.now -= 4 * 365 * 86_400_000  # when the limit was $300
    _, withdrawn = finish(sitting)
    assert isinstance(withdrawn, ev.ChangeWithdrawn)
    assert withdrawn.reason.startswith("Ante may be at most $300, not $400: by law ")
    assert sitting.table.settings == room and sitting.table.change is None


@pytest.mark.rule("F-01", "F-40")
def test_a_change_is_withdrawn_if_the_rules_on_the_disk_are_not_those_that_were_posted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = betting()
    before = sitting.table.settings
    sitting.do("mary", cmd.ChangeSettings(changed(before, seats=3)))
    original = TableSettings.load_game

    def edited(settings: TableSettings, given: Game | None = None) -> Game:
        """As if somebody had written another number of decks into the game's definition meanwhile."""
        return original(changed(settings, decks=8), given)

    with monkeypatch.context() as patch:
        patch.setattr(TableSettings, "load_game", edited)
        _, withdrawn = finish(sitting)
    assert isinstance(withdrawn, ev.ChangeWithdrawn)
    assert withdrawn.reason.startswith("The rules on this machine are not those that were posted")
    assert sitting.table.settings == before and sitting.table.change is None and sitting.table.game.decks == 6


@pytest.mark.rule("F-40")
def test_nobody_sits_down_at_a_seat_that_is_posted_to_go() -> None:
    sitting = betting()
    sitting.do("mary", cmd.ChangeSettings(changed(sitting.table.settings, seats=3)))
    with pytest.raises(Refused, match="From the next round there is no seat 4"):
        sitting.do("bob", cmd.Sit(4))
    sitting.do("bob", cmd.Sit(3))
    finish(sitting)
    assert sitting.table.settings.seats == 3 and set(sitting.table.seats) == {2, 3}


# The cards.


def shoe_of(sitting: Sitting) -> tuple[int, bool]:
    """How many cards the shoe has, and whether the next round can be dealt from it."""
    return sitting.table.size, not sitting.table.needs_shuffle


@pytest.mark.rule("F-23", "F-40")
def test_a_shoe_is_dealt_on_unless_its_cards_change() -> None:
    shoe = one_for_the_money(shuffling="shoe")
    sitting = betting(shoe)
    sitting.do("mary", cmd.ChangeSettings(changed(shoe, name="Another room")))
    finish(sitting)
    assert shoe_of(sitting) == (312, True)
    sitting.do("mary", cmd.ChangeSettings(changed(sitting.table.settings, decks=8)))
    assert shoe_of(sitting) == (0, False)
    with pytest.raises(Refused, match="must be shuffled"):
        sitting.house(cmd.StartRound(shuffle=False))
    sitting.start()
    assert sitting.table.size == 416


# Records, snapshots, recall.


@pytest.mark.rule("F-16", "F-18", "F-40")
def test_a_house_whose_tables_change_starts_again_as_it_was_and_every_round_is_recalled_as_it_was_played(
    tmp_path: Path,
) -> None:
    """From a snapshot and from the first event; each round with the standing that it had."""
    path, clock = tmp_path / "records.db", Clock()
    with Store(path) as store:
        house = House(store, KEYS, clock)
        house.open_table(between(decks=2))
        play_at(house, "between", rounds=2, random=Random(1))
        house.change_settings(
            "between", changed(between(decks=2), pay={"in_between": "30,12,6,4,2"}), one_of(house, Role.MANAGER)
        )
        assert house.table("between").change is not None
        play_on(house, "between", 5)
        house.change_settings(
            "between", changed(house.table("between").settings, decks=6, seats=6), one_of(house, Role.MANAGER)
        )
        play_on(house, "between", 8)
        live = house.live("between")
        records = list(store.read("between"))
        with_standing = {n: posted.recall(house, store, "between", n) for n in range(1, 9)}
        house.close()
    events = [decode_event("between", record.event) for record in records]
    by = [record.actor for record, event in zip(records, events, strict=True) if isinstance(event, ev.ChangePosted)]
    assert by == [str(one_of(house, Role.MANAGER))] * 2
    assert sum(isinstance(event, ev.SettingsChanged) for event in events) == 2
    said = [recalled.standing for recalled in with_standing.values() if recalled]
    first, last = "the approved rules, for training", "modified: not as approved"
    assert said == [first] * said.count(first) + [last] * said.count(last) and 2 <= said.count(first) <= 4
    assert [replayed(path, "between", n, KEYS.public).standing.words for n in range(1, 9)] == said
    assert verify(path, KEYS.public).ok
    with Store(path) as store:
        assert store.snapshot("between") is not None
        assert House(store, KEYS, clock).live("between").table == live.table
    with Store(path) as store:
        store.connection.execute("DELETE FROM snapshots")
        assert House(store, KEYS, clock).live("between").table == live.table
    assert [replayed(path, "between", n, KEYS.public).standing.words for n in range(1, 9)] == said


def play_on(house: House, table: str, rounds: int) -> None:
    """Whoever sits there plays until this round has begun."""
    clock = house.clock
    assert isinstance(clock, Clock)
    while (state := house.live(table).table).round_number <= rounds:
        for who in state.seats.values():
            for command in (cmd.Place("base", 100), cmd.Place("in_between", 100), cmd.Ready(), cmd.Choose("stand")):
                try:
                    house.command(table, who.player, command)
                except Refused:
                    continue
        if (due := house.due(table)) is not None:
            clock.now = max(clock.now, due.at)
            house.deal_on(table, due.doing)


@pytest.mark.rule("F-01", "F-17", "F-40")
def test_a_table_whose_changed_rules_are_not_installed_any_more_is_closed_and_everybody_gets_back_what_is_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G8 for what was changed: the rules of the opening are here, those of the change are not."""
    path, clock = tmp_path / "records.db", Clock()
    with Store(path) as store:
        house = House(store, KEYS, clock)
        house.open_table(between())
        house.change_settings("between", changed(between(), pay={"in_between": "D"}), one_of(house, Role.MANAGER))
        ann, _ = house.people.guest()
        house.command("between", ann, cmd.Sit(1))
        house.deal_on("between", "start round")
        house.command("between", ann, cmd.Place("base", 700))
        left = house.balance(ann)
        house.close()
    original = TableSettings.load_game

    def without_d(settings: TableSettings, given: Game | None = None) -> Game:
        return original(changed(settings, pay={"in_between": "C"}) if settings.pay else settings, given)

    with monkeypatch.context() as patch:
        patch.setattr(TableSettings, "load_game", without_d)
        with Store(path) as store:
            house = House(store, KEYS, clock)
            assert "between" in house.closed and house.balance(ann) == left + 700
            closed = house.closed["between"]
            assert closed.settings is not None and closed.settings.pay == {"in_between": "D"}
            house.close()
        report = verify(path, KEYS.public)
        assert report.ok, report.problems
        assert any("not replayed from event 2 on" in line for line in report.not_replayed)
    report = verify(path, KEYS.public)
    assert report.ok and not report.not_replayed


@pytest.mark.rule("F-16", "F-40")
def test_settings_that_were_never_posted_are_found_in_the_record(tmp_path: Path) -> None:
    """Signed by the house's own key: then only the rules can tell."""
    path = tmp_path / "records.db"
    with Store(path) as store:
        house = House(store, KEYS, lambda: TODAY)
        house.open_table(money())
        other = changed(money(), seats=2)
        prints = load("one-for-the-money").fingerprint
        event = ev.SettingsChanged(other, prints["definition"], prints["build"], standing(other, other.load_game()))
        house.journal.commit([Draft("money", cmd.ChangeSettings(other), PROGRAM, TODAY, [Happened("money", event)])])
    report = verify(path, KEYS.public)
    assert not report.ok and "money, event 2" in report.problems[0]


def test_yo_goes_on_after_a_change_of_its_seats() -> None:
    """Whoever had the dice at a seat that is gone has them no more."""
    sitting = at_dice(yo(seats=4), "1212", players="ann bob")
    sitting.do("ann", cmd.Place("play", 500))
    sitting.house(cmd.CloseBetting())
    sitting.house(cmd.VoidRound("the cup fell"))
    sitting.do("mary", cmd.ChangeSettings(changed(sitting.table.settings, seats=2)))
    sitting.start()
    assert sitting.table.settings.seats == 2 and sitting.table.betting
