"""No round is void for lack of cards: a shoe is shuffled before a round that it might not finish, and in blackjack the
discards are shuffled within the round and dealt on."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from feltworks.floor.actors import DEALER
from feltworks.floor.chance.openings import expanded
from feltworks.floor.chance.shoe import Shoe, check_opening
from feltworks.floor.house import House
from feltworks.floor.journal.records import Commit, Record
from feltworks.floor.journal.upcasting import decode_event, encode
from feltworks.floor.recall import replayed
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Dealt
from feltworks.floor.table.decide import decide
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.floor.table.settings_check import check_settings
from feltworks.floor.table.state import Table
from feltworks.floor.verification.recorded_chance import RecordedChance
from feltworks.floor.verification.replay import StreamReplay
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.verify import verify
from feltworks.games import load
from feltworks.games.blackjack.rules import value
from feltworks.kit import steps
from feltworks.kit.cards import Seat
from feltworks.kit.chance import Scripted
from feltworks.kit.errors import BadValue, NotPossible
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.transcript import transcript
from feltworks.kit.walk import bets_for, walk
from tests.floor.sitting import LIMITS, TODAY, Sitting, bands, in_between, one_for_the_money, with_toys
from tests.floor.world import KEYS, Crash, dying_at
from tests.kit.support import one_sentence

NAME = "between"
TO_THE_LAST_CARD: dict[str, Any] = {"shuffling": "shoe", "penetration": 100}
ONE_DECK = in_between(decks=1, seats=2, **TO_THE_LAST_CARD)


class Evening:
    """Two people at a table that is dealt to its last card, in a house whose shuffles are always the same. They hit as
    long as they may, so that rounds take many cards."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, settings: TableSettings = ONE_DECK) -> None:
        seeds = count(1)
        patch.setattr("feltworks.floor.chance.sealed.fresh_seed", lambda: next(seeds).to_bytes(32, "big"))
        self.now = 1_000
        self.store = Store(folder / "records.db")
        self.house = House(self.store, KEYS, lambda: self.now)
        self.house.open_table(settings)
        self.players = [self.house.people.guest()[0] for _ in range(2)]
        for seat, player in enumerate(self.players, 1):
            self.house.command(NAME, player, cmd.Sit(seat))

    @property
    def table(self) -> Table:
        return self.house.live(NAME).table

    def steps(self) -> Iterator[Callable[[], object]]:
        """Everything that happens next, one commit after the other."""
        while True:
            due, step = self.house.due(NAME), self.table.step
            if due is not None and due.doing not in ("clock", "free seats"):
                self.now = max(self.now, due.at)
                yield partial(self.house.deal_on, NAME, due.doing)
            elif isinstance(step, steps.Bet):
                for player in self.players:
                    yield partial(self.house.command, NAME, player, cmd.Place(step.spots[0], 500))
                    yield partial(self.house.command, NAME, player, cmd.Ready())
            else:
                assert isinstance(step, steps.Choose)
                options = [option.name for option in step.options]
                player = self.players[min(self.table.to_act) - 1]
                yield partial(self.house.command, NAME, player, cmd.Choose("hit" if "hit" in options else options[-1]))

    def events(self) -> list[ev.Event]:
        found = (decode_event(NAME, record.event) for record in self.store.read(NAME))
        return [event for event in found if isinstance(event, ev.Event)]


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    evening = Evening(tmp_path, monkeypatch)
    yield evening
    evening.store.close()


@pytest.mark.rule("F-23", "F-21")
def test_in_blackjack_the_discards_are_shuffled_within_the_round_and_dealt_on(evening: Evening, tmp_path: Path) -> None:
    """Until it has happened three times: one root after the other, each published before its first card, no card twice
    in a round of one deck, and the next round from a fresh shoe."""
    times = 0
    for step in evening.steps():
        times += evening.table.is_shoe_empty
        step()
        if times == 3 and evening.table.round is None:
            break
    assert [event.discards for event in evening.events() if isinstance(event, ev.Reshuffled)] == [True] * 3
    sizes: dict[str, int] = {}
    in_use, dealt, cards, ran_out = "", 0, 0, False
    for event in evening.events():
        match event:
            case ev.RoundStarted(_, root, size):
                assert root is not None or not ran_out
                if root is not None:
                    in_use, dealt = root, 1
                    sizes[root] = size
                cards, ran_out = 0, False
            case ev.Reshuffled(root, size):
                assert (dealt, size) == (sizes[in_use], 52 - cards)
                in_use, dealt, ran_out = root, 0, True
                sizes[root] = size
            case ev.Answered(Dealt()):
                dealt, cards = dealt + 1, cards + 1
                assert dealt <= sizes[in_use]
            case ev.RoundEnded(_, shared):
                openings = [opened for one in shared for opened in expanded(one)]
                assert len(openings) == sum(len(one.positions) for one in shared)
                assert all(check_opening(opened["root"], sizes[opened["root"]], opened) for opened in openings)
                assert max(Counter(opened["card"] for opened in openings).values()) == 1
                assert len({opened["root"] for opened in openings}) == 1 + ran_out
            case ev.Voided():
                raise AssertionError("no round is void")
    evening.store.check_books()
    report = verify(tmp_path / "records.db", KEYS.public)
    assert report.ok, report.problems


@pytest.mark.rule("F-23", "F-18")
def test_a_round_in_which_the_discards_were_dealt_on_is_recalled_step_by_step(evening: Evening, tmp_path: Path) -> None:
    empty = emptied(evening)
    for step in evening.steps():
        step()
        if evening.table.round is None:
            break
    recalled = replayed(tmp_path / "records.db", NAME, empty.round_number)
    told = transcript(recalled.start, recalled.happenings)
    said = f"the {empty.discards} cards that are not of this round are shuffled and dealt on"
    assert told.count(said) == 1 and not recalled.unfinished
    assert told.index("Seat 2 puts 5 on") < told.index(said) < told.index("Books:")


@pytest.mark.slow
@pytest.mark.rule("F-23", "F-17")
def test_a_crash_at_every_statement_of_a_shuffle_within_the_round_leaves_it_before_or_after(
    evening: Evening, tmp_path: Path
) -> None:
    """The shuffle, and everything after it until the round is over: what a new house finds on the disk is the table and
    its shoes as they were before the step or after it."""
    crashes, shuffled = 0, False
    for step in evening.steps():
        shuffled = shuffled or evening.table.is_shoe_empty
        if shuffled and evening.table.round is None:
            break
        if not shuffled:
            step()
            continue
        before, found = evening.house.live(NAME), []
        known, statement = [(before.table, dict(before.shoes.shoes))], 0
        while True:
            statement += 1
            copy = tmp_path / f"crash {crashes}"

            def die(copy: Path = copy) -> None:
                copy.mkdir()
                for name in ("records.db", "records.db-wal"):
                    shutil.copy(tmp_path / name, copy / name)

            try:
                with dying_at(evening.store, statement, die):
                    step()
            except Crash:
                crashes += 1
                with Store(copy / "records.db") as left:
                    again = House(left, KEYS, lambda: evening.now).live(NAME)
                    found.append((again.table, again.shoes.shoes))
                shutil.rmtree(copy)
                if evening.table is not known[0][0]:
                    break
            else:
                break
        live = evening.house.live(NAME)
        known.append((live.table, dict(live.shoes.shoes)))
        assert all(state in known for state in found)
    assert crashes > 30
    assert any(isinstance(event, ev.Reshuffled) for event in evening.events())


def emptied(evening: Evening) -> Table:
    for step in evening.steps():
        if evening.table.is_shoe_empty:
            return evening.table
        step()
    raise AssertionError("the deck has an end")


@pytest.mark.rule("F-23", "F-16")
def test_only_an_empty_shoe_is_filled_and_with_all_cards_that_are_not_of_the_round(evening: Evening) -> None:
    """So a record in which the house shuffled when it liked, or left cards out, does not verify."""
    empty = emptied(evening)
    assert empty.round is not None
    size = 52 - len(empty.round.cards)
    filling = ev.Reshuffled("cd" * 32, size, discards=True)
    short = msgspec.structs.replace(filling, size=size - 1)
    assert gone_on(empty, filling) == [filling]
    with pytest.raises(NotPossible) as refusal:
        gone_on(empty, short)
    assert one_sentence(refusal.value) == f"{size - 1} cards were shuffled where there are {size}."
    assert gone_on(evolve(empty, filling, 1), filling, ev.Answered(Dealt())) == [ev.Answered(Dealt())]
    assert problems(evening, filling) == []
    assert problems(evening, short) == [f"{size - 1} cards were shuffled where there are {size}."]
    (found,) = problems(evening, filling, msgspec.structs.replace(filling, root="ef" * 32))
    assert found == "The record holds no answer."


def gone_on(table: Table, *recorded: ev.Event) -> list[ev.Event]:
    """What the dealer does next where chance is as a record has it."""
    found, _ = decide(table, cmd.GoOn(), DEALER, lambda _: 0, 1, RecordedChance(recorded))
    return found


def problems(evening: Evening, *forged: ev.Event) -> list[str]:
    """What is found wrong where the dealer went on like this after everything that is recorded."""
    commits, dealer, number = dict(evening.store.commits()), str(DEALER), evening.table.round_number
    for sequence, event in enumerate(forged, evening.table.version + 1):
        record = Record(NAME, sequence, 1, dealer, "", number, encode(event), "", "")
        id = max(commits) + 1
        commits[id] = Commit("main", id, 1, dealer, "", NAME, encode(cmd.GoOn()), (record,), ((),))
    report = Report()
    replay = StreamReplay(report)
    for id, commit in commits.items():
        replay.follow(commit, id)
    return [problem.partition(": it cannot be replayed: ")[2] for problem in report.problems]


@pytest.mark.rule("F-23", "F-14")
def test_what_is_shuffled_in_the_middle_of_a_round_is_every_card_that_does_not_lie_on_the_table(
    evening: Evening,
) -> None:
    empty = emptied(evening)
    assert empty.round is not None
    live = evening.house.live(NAME)
    lying = [live.shoes.card(empty, token) for token in empty.round.cards]
    evening.house.deal_on(NAME, "answer")
    live = evening.house.live(NAME)
    shoe = live.shoes.shoes[live.table.root or ""]
    assert isinstance(shoe, Shoe) and live.table.round is not None and live.table.round.unseen is not None
    pack = empty.game.fresh()
    assert pack is not None
    assert Counter([*lying, *map(shoe.card, range(shoe.size))]) == Counter(pack.all_cards())
    open_cards = [face.card for face in live.table.round.cards.values() if face.card is not None]
    assert live.table.round.unseen == pack.without_all(open_cards)
    assert str(shoe.card(0)) not in str(evening.events()[-1])


@pytest.mark.rule("F-23")
def test_a_game_that_does_not_say_how_many_cards_it_takes_is_dealt_on_with_its_discards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bands, written before a game could say it: twelve cards, four a round, and the dealer's are sealed and read."""
    with_toys(monkeypatch)
    evening = Evening(tmp_path, monkeypatch, msgspec.structs.replace(bands(**TO_THE_LAST_CARD), id=NAME))
    with evening.store:
        for step in evening.steps():
            step()
            if evening.table.round_number == 10:
                break
        events = evening.events()
        assert any(isinstance(event, ev.Reshuffled) and event.discards for event in events)
        assert not any(isinstance(event, ev.Voided) for event in events)
    report = verify(tmp_path / "records.db", KEYS.public)
    assert report.ok, report.problems


# The shuffle before the round.


@pytest.mark.rule("F-23")
@pytest.mark.parametrize("seats", [1, 4, 7])
def test_a_shoe_is_shuffled_before_a_round_that_it_might_not_finish(seats: int) -> None:
    """One For The Money takes two cards for each seat and two for the dealer at most: with so many there is a round."""
    most = 2 * seats + 2
    sitting = Sitting(one_for_the_money(seats=seats, decks=1, **TO_THE_LAST_CARD))
    for left in (most - 1, most):
        table = replace(sitting.table, root="ab" * 32, size=52, dealt=52 - left)
        assert (table.needs_shuffle, table.must_shuffle) == (left < most, False)


@pytest.mark.rule("F-23")
def test_in_blackjack_no_shoe_is_shuffled_for_the_longest_round_there_could_be() -> None:
    sitting = Sitting(in_between(seats=2, decks=1, **TO_THE_LAST_CARD))
    table = replace(sitting.table, root="ab" * 32, size=52, dealt=51)
    assert not table.needs_shuffle


@pytest.mark.rule("F-23", "F-16")
def test_records_from_before_go_on_with_a_shoe_that_would_be_shuffled_now() -> None:
    """What was dealt by the rule of then still verifies, and an event of then is read as it was meant."""
    sitting = Sitting(one_for_the_money(decks=1, **TO_THE_LAST_CARD))
    table = replace(sitting.table, root="ab" * 32, size=52, dealt=48, unseen=sitting.table.game.fresh())
    assert table.needs_shuffle
    found, _ = decide(table, cmd.StartRound(), DEALER, lambda _: 0, 1, sitting.chance)
    assert found == [ev.RoundStarted(1, None, 0, (ev.Called("Place your bets."),))]
    then = b'{"kind":"reshuffled","root":"%s","size":5}' % (b"ab" * 32)
    assert decode_event(NAME, then) == ev.Reshuffled("ab" * 32, 5, discards=False)


@pytest.mark.rule("D-01", "F-03")
def test_down_under_is_refused_at_a_shoe_and_an_old_table_of_it_is_shuffled_for_every_round() -> None:
    limits = {
        **dict.fromkeys(("ante", "bet", "trips_or_better", "match_the_dealer"), LIMITS),
        "jackpot": Limits(100, 100),
    }
    settings = TableSettings("under", "Under", "down-under-holdem", limits, pay={"jackpot": "3"}, prize=1_000_000)
    check_settings(settings, TODAY)
    shoe = msgspec.structs.replace(settings, shuffling="shoe")
    with pytest.raises(BadValue) as refusal:
        check_settings(shoe, TODAY)
    assert one_sentence(refusal.value) == (
        "Down Under Hold'em has a fresh deck for every round: its printed and exact edges do not hold for a second"
        " round from the same one (D-01); choose a continuous shuffler instead of a shoe."
    )
    table = replace(evolve(None, ev.Opened(shoe, "", ""), 1), root="ab" * 32, size=52, dealt=10)
    assert table.needs_shuffle and not table.must_shuffle


# Cards that are enough.


@pytest.mark.rule("F-23", "F-03")
@pytest.mark.parametrize(
    ("decks", "max_hands", "enough"), [(1, "4", 2), (1, "3", 3), (1, "2", 5), (2, "4", 5), (2, "3", 7), (3, "4", 7)]
)
@pytest.mark.parametrize("shuffling", ["shoe", "shuffler"])
def test_no_more_seats_than_the_cards_are_enough_for(decks: int, max_hands: str, enough: int, shuffling: str) -> None:
    """By the most cards that all hands can take, however unlikely."""
    settings = in_between(decks=decks, readings={"max_hands": max_hands}, shuffling=shuffling, seats=enough)
    check_settings(settings, TODAY)
    if enough < 7:
        with pytest.raises(BadValue) as refusal:
            check_settings(msgspec.structs.replace(settings, seats=enough + 1), TODAY)
        assert one_sentence(refusal.value) == (
            f"{52 * decks} cards are not enough for every round of IN BETween with {enough + 1} seats (F-23); take at"
            f" most {enough} of them, or more decks."
        )


class Greedy:
    """Takes every card there is to be had: splits before it hits, and trades."""

    def bets(self, round: Round, bet: steps.Bet, seat: Seat) -> Iterable[steps.Place | steps.TakeUp | steps.Collect]:
        required = {name: Fraction(1) for name, wager in round.game.wagers.items() if wager.required}
        return bets_for(required, round, bet, seat)

    def decide(self, round: Round, choose: steps.Choose, seat: Seat) -> steps.Decide:
        names = [option.name for option in choose.options]
        return steps.Decide(seat, next((name for name in ("split", "hit", "trade", "1x") if name in names), names[0]))


def dealt_at_most(game: Game, seats: int) -> int:
    """The most cards that a round of greedy seats took, of many in which small cards come first."""
    pack, most = game.fresh(), 0
    assert pack is not None
    for seed in range(40):
        cards = pack.all_cards()
        Random(seed).shuffle(cards)
        cards.sort(key=lambda card: (value(card) - 1) // 2)
        walked = walk(game.start(range(1, seats + 1)), Scripted(cards), dict.fromkeys(map(Seat, range(1, 8)), Greedy()))
        most = max(most, sum(isinstance(step, steps.Deal) for step, _, _ in walked))
    return most


@pytest.mark.rule("F-23")
@pytest.mark.parametrize("seats", [1, 2, 5])
@pytest.mark.parametrize("name", ["one-for-the-money", "down-under-holdem"])
def test_a_round_takes_as_many_cards_as_its_game_says_and_no_more(name: str, seats: int) -> None:
    assert dealt_at_most(load(name), seats) == load(name).most_cards(seats)


@pytest.mark.rule("F-23")
@pytest.mark.parametrize(("decks", "max_hands"), [(1, "2"), (1, "4"), (2, "2"), (2, "4")])
def test_blackjack_takes_no_more_cards_than_it_says_and_can_come_near_it(decks: int, max_hands: str) -> None:
    game = load("blackjack").configured(decks=decks, readings={"max_hands": max_hands, "split_aces": "hit"})
    most = game.most_cards(1)
    assert most is not None and 0.7 * most < dealt_at_most(game, 1) <= most
