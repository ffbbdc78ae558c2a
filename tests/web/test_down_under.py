"""Down Under Hold'em at the table: what is posted, who sees which card, and what seats choose together."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feltworks.floor.roles import Role
from feltworks.floor.store import listing, search
from feltworks.floor.table.settings import Clocks
from feltworks.games.down_under_holdem.rules import BANDS
from feltworks.kit.cards import Card
from tests.web.robots import PRIZE, Json, LocalServer, Robot, under
from tests.web.staging import Scene, Session, Stage, assert_untold, played, without_blinds

TOGETHER = under(seats=3, readings={"order_of_action": "together"})


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Stage:
    return Stage(monkeypatch)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [under()]) as server:
        yield server
        server.check()


# What is posted.


@pytest.mark.rule("D-02", "D-14", "D-17", "D-19", "D-22", "F-04")
def test_every_pay_table_the_prize_and_what_stands_in_for_other_equipment_are_posted(server: LocalServer) -> None:
    about: Json = server.watch("under").view["table"]
    tables = {table["wager"]: table for table in about["pay_tables"]}
    assert list(tables) == ["bet", "trips_or_better", "match_the_dealer", "jackpot"]
    assert (tables["bet"]["title"], tables["bet"]["lines"][-1]["pays"]) == ("Bet", "push")
    assert tables["jackpot"]["lines"][0] == {"line": "Royal flush", "pays": "100 % of meter"}
    assert {"line": "Envy, royal flush", "pays": "$1,000"} in tables["jackpot"]["lines"]
    assert about["prize"] == PRIZE
    assert about["standing"] == "the approved rules, for training"
    assert [text.partition(":")[0] for text in about["warnings"]] == ["Card reader", "Jackpot system"]


# Wagers.


def bet(robot: Robot, **wagers: int) -> None:
    robot.phase("betting")
    for spot, amount in wagers.items():
        robot.done("place", spot=spot, amount=amount)


@pytest.mark.rule("D-02")
def test_betting_is_not_closed_on_an_ante_and_a_bet_that_differ(server: LocalServer) -> None:
    with server.join("under", 1) as ann:
        bet(ann, ante=500, bet=600)
        assert "needs equal wagers on Ante and Bet (D-02)" in ann.refused("ready")
        assert (ann.you["balance"], ann.seat["wagers"]) == (100_000 - 1_100, {"ante": 500, "bet": 600})
        ann.done("take up", spot="bet")
        assert "needs equal wagers on Ante and Bet (D-02)" in ann.refused("ready")
        bet(ann, bet=500)
        ann.done("ready")
        assert [option["name"] for option in ann.my_turn()["you"]["options"]] == ["check", "2x", "3x"]


# Cards.


def a_card_room(session: Session) -> None:
    """Two rounds. A folded hand without a bonus is known to one seat for ever; one with a bonus is shown at the end."""
    session.join("eve")
    session.join("ann", seat=1)
    session.join("bob", seat=3)
    session.deal()
    for choices in (("3x", "check", "fold"), ("check", "2x", "fold")):
        for name in ("ann", "bob"):
            for spot in ("ante", "bet"):
                session.say(name, "place", spot=spot, amount=500)
        session.say("ann", "place", spot="trips_or_better", amount=200)
        session.say("ann", "place", spot="jackpot", amount=100)
        session.say("ann", "ready")
        session.say("bob", "ready")
        session.deal()
        for option in choices:
            session.everybody_tries_everything()
            acting = "ann" if 1 in session.house.live("under").table.to_act else "bob"
            session.say(acting, "choose", option=option)
            session.deal()


CARD_ROOM = Scene(under(seats=3), a_card_room, {1: "ann", 3: "bob"})


def band(card: Card) -> str:
    return next(cards.name for cards in BANDS if card in cards)


@pytest.mark.slow
@pytest.mark.rule("D-04", "D-05", "F-14")
def test_not_a_byte_depends_on_a_card_before_it_is_turned_but_for_the_band_of_the_dealers(
    stage: Stage, tmp_path: Path
) -> None:
    """Each card of the rounds changes places with one of its band that is never seen."""
    base = played(stage, tmp_path, CARD_ROOM.settings, a_card_room)
    assert base.sent == played(stage, tmp_path / "again", CARD_ROOM.settings, a_card_room).sent
    unseen = [c for c in CARD_ROOM.pack if not {c} & {*base.turned, *base.turned_to, *base.read}]
    pairs = [(c, next((u for u in unseen if band(u) == band(c)), None)) for c in (*base.read, *base.turned_to)]
    swaps = [(card, other) for card, other in pairs if other is not None]
    assert len(base.read) == 4  # the dealer's two cards of each round
    assert sum(card in base.read for card, _ in swaps) >= 2
    assert any(card in base.turned_to and card not in base.turned for card, _ in swaps)
    for swap in swaps:
        assert_untold(stage, tmp_path, CARD_ROOM, base, swap)


# Choosing together.


def together(*options: str, watched: bool = False) -> Callable[[Session], None]:
    """Carl chooses these and leaves after the last, then Bob and Ann check and stay; in `turns` is how much had been
    sent when each began, when only Ann was left, and when all had decided. They may be watched by those who see all
    tables."""

    def script(session: Session) -> None:
        for role in (Role.SUPERVISOR, Role.SURVEILLANCE, Role.MANAGER) if watched else ():
            session.employ(role)
        session.join("eve")
        for seat, name in enumerate(("ann", "bob", "carl"), start=1):
            session.join(name, seat=seat)
        session.deal()
        for name in ("ann", "bob", "carl"):
            for spot in ("ante", "bet"):
                session.say(name, "place", spot=spot, amount=500)
            session.say(name, "ready")
        session.deal()
        for carls, others in zip(options, ("check", "1x"), strict=False):
            turn = [len(session.sent)]
            session.say("carl", "choose", option=carls)
            session.deal()
            session.everybody_tries_everything()
            session.join(f"late {others}")
            if others == "1x":
                session.say("carl", "leave")
            session.say("bob", "choose", option=others)
            session.deal()
            turn.append(len(session.sent))
            session.say("ann", "choose", option=others)
            turn.append(len(session.sent))
            turns(session).append(turn)
            session.deal()

    return script


def turns(session: Session) -> list[list[int]]:
    found: list[list[int]] = session.__dict__.setdefault("turns", [])
    return found


def told_others(session: Session, start: int, end: int) -> list[tuple[str, bytes]]:
    """What left the house for anybody but Carl; what it wrote down is its own. Of receipts without what blinds them."""
    return [(to, without_blinds(said)) for to, said in session.sent[start:end] if to not in ("carl", "the file")]


@pytest.mark.rule("D-05", "F-14")
@pytest.mark.parametrize(
    ("number", "choices", "others"),
    [
        (0, ("check",), [("2x",), ("3x",)]),
        (1, ("check", "fold"), [("check", "1x")]),
    ],
)
def test_nobody_can_tell_what_another_seat_chose_before_all_have_decided(
    stage: Stage, tmp_path: Path, number: int, choices: tuple[str, ...], others: list[tuple[str, ...]]
) -> None:
    """Of a receipt, its numbers and its length are compared. The hash in it is over every commit so far, Carl's among
    them; but also over shoes that were sealed under nonces that nobody knows, so nobody can try Carl's few choices
    until one fits: `test_a_receipt_is_blinded_by_what_only_the_house_knows`."""
    base = played(stage, tmp_path, TOGETHER, together(*choices))
    start, last, done = turns(base)[number]
    for other in others:
        session = played(stage, tmp_path, TOGETHER, together(*other))
        assert turns(session)[number] == [start, last, done]
        assert told_others(session, start, last) == told_others(base, start, last)
        assert told_others(session, last, done) != told_others(base, last, done)


@pytest.mark.slow
@pytest.mark.rule("D-05", "F-13", "F-14")
@pytest.mark.parametrize(
    ("number", "one", "other"), [(0, ("check",), ("3x",)), (1, ("check", "fold"), ("check", "1x"))]
)
@pytest.mark.parametrize("page", [50, 1])
def test_nobody_who_watches_all_tables_can_tell_what_a_seat_chose_before_all_have_decided(
    stage: Stage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    one: tuple[str, ...],
    other: tuple[str, ...],
    page: int,
) -> None:
    """Neither on the board, nor by the search, nor in the records; nor by how many events fill a page of them."""
    for module in (listing, search):
        monkeypatch.setattr(module, "A_PAGE", page)
    base = played(stage, tmp_path, TOGETHER, together(*one, watched=True))
    start, last, done = turns(base)[number]
    watched = {to for to, said in base.sent[start:last] if said.startswith(b"the board {")}
    assert watched == {"supervisor", "surveillance", "manager"}
    session = played(stage, tmp_path, TOGETHER, together(*other, watched=True))
    assert turns(session)[number] == [start, last, done]
    assert told_others(session, start, last) == told_others(base, start, last)
    assert told_others(session, last, done) != told_others(base, last, done)


@pytest.mark.rule("D-05", "F-14")
def test_a_receipt_is_blinded_by_what_only_the_house_knows(stage: Stage, tmp_path: Path) -> None:
    """The same choices twice, and sealed under other nonces: from the first shoe on no receipt is the same, and nothing
    else that is sent differs."""
    one = played(stage, tmp_path, TOGETHER, together("check", "fold"))
    stage.nonce = b"another"
    two = played(stage, tmp_path, TOGETHER, together("check", "fold"))
    sent = [[(to, said) for to, said in session.sent if to != "the file"] for session in (one, two)]
    assert [(to, without_blinds(said)) for to, said in sent[0]] == [(to, without_blinds(said)) for to, said in sent[1]]
    receipts = [(a, b) for (_, a), (_, b) in zip(*sent, strict=True) if a.startswith(b'{"ok"')]
    before = 3  # they sat down before there was a shoe
    assert [a == b for a, b in receipts] == [True] * before + [False] * (len(receipts) - before)
    assert len(receipts) > before + 8


@pytest.mark.rule("D-05")
def test_who_chose_sees_it_at_once_and_all_are_told_everything_in_the_end(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [TOGETHER]) as server:
        ann, bob, eve = server.join("under", 1), server.join("under", 2), server.watch("under")
        for robot in (ann, bob):
            bet(robot, ante=500, bet=500)
            robot.done("ready")
        ann.my_turn()
        bob.my_turn()
        assert bob.view["message"] == "Your decision."
        ann.done("choose", option="3x")
        assert ann.until(lambda view: not view["you"]["options"])["seats"][0]["wagers"]["play"] == 1_500
        version = ann.view["version"]
        for robot in (bob, eve):
            seen = robot.until(lambda view: view["version"] == version)["seats"][0]
            assert (seen["acting"], "play" in seen["wagers"]) == (False, False)
        assert '"3x"' not in str(server.get("/api/tables/under/rounds/1"))
        bob.done("choose", option="check")
        for robot in (ann, bob, eve):
            seen = robot.until(lambda view: len(view["dealer"]) == 5)["seats"][0]
            assert seen["wagers"]["play"] == 1_500
            sequences = [event["sequence"] for event in robot.events]
            assert sequences == list(range(sequences[0], sequences[0] + len(sequences)))
            assert {"kind": "decide", "who": 1, "option": "3x"} in [event.get("answer") for event in robot.events]
        server.check()


def deciding(session: Session) -> None:
    """Three seats are asked together."""
    for seat, name in enumerate(("ann", "bob", "carl"), start=1):
        session.join(name, seat=seat)
    session.deal()
    for name in ("ann", "bob", "carl"):
        for spot in ("ante", "bet"):
            session.say(name, "place", spot=spot, amount=500)
        session.say(name, "ready")
    session.deal()


def later(session: Session, milliseconds: int) -> None:
    session.now += milliseconds
    while (due := session.house.due("under")) and due.at <= session.now and due.doing in ("answer", "clock"):
        session.house.deal_on("under", due.doing)


CLOCKS = under(seats=3, readings={"order_of_action": "together"}, clocks=Clocks(decision=20_000))


@pytest.mark.rule("D-05", "F-30")
def test_seats_that_decide_together_have_one_clock(stage: Stage, tmp_path: Path) -> None:
    """A choice does not give the others more time, and when the clock runs out it does so for all of them."""

    def script(session: Session) -> None:
        deciding(session)
        table = session.house.live("under").table
        later(session, 15_000)
        session.say("bob", "choose", option="2x")
        assert session.house.live("under").table.deadline == table.deadline
        later(session, 5_000)
        now = session.house.live("under").table
        assert now.to_act == {1, 3} and now.deadline == session.now + 20_000  # both checked, and see the flop
        later(session, 20_000)
        after = session.house.live("under").table
        assert {r.seat for r in after.results if r.line == "Fold"} == {1, 3}

    played(stage, tmp_path, CLOCKS, script)


@pytest.mark.rule("D-05", "F-30")
def test_who_leaves_while_seats_decide_together_is_decided_for_and_nobody_else(stage: Stage, tmp_path: Path) -> None:
    def script(session: Session) -> None:
        deciding(session)
        session.say("carl", "leave")
        later(session, 0)
        table = session.house.live("under").table
        assert table.to_act == {1, 2} and table.deadline == session.now + 20_000
        assert table.round is not None and not table.round.stake(table.round.seats[0], "play")

    played(stage, tmp_path, CLOCKS, script)
