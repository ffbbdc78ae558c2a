"""Nobody sees a sealed card (G4, F-14), by non-interference: two sessions that differ only in cards that stay sealed.

Two cards change places, wherever they lie in the shoe. Until one of them is turned, not one byte may differ of
anything that anybody is sent: no message or its length, no answer, page, refusal, receipt, record, log line, nor how
many messages there are or in which order. How a receipt can be among them is told in `staging.py`.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from shutil import copy
from typing import Any

import msgspec
import pytest

from feltworks.floor.actors import person as by_person
from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.evidence import claim_for
from feltworks.floor.house import House
from feltworks.floor.keys import load_keys
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import DUTIES, Limits, TableSettings
from feltworks.floor.table.state import Table
from feltworks.kit.cards import Card, Seat, Token
from feltworks.kit.steps import Choose
from feltworks.kit.steps import Role as Decider
from feltworks.web.hub import Client, Hub
from feltworks.web.pit import board, board_rows
from feltworks.web.staff import event_list, event_words, records
from feltworks.web.staff.access import SEARCH, WATCH
from tests.quick import cases, share, soaking
from tests.web.robots import LocalServer, Robot, between, money
from tests.web.staging import START, Scene, Session, Stage, Swap, assert_untold, played


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> "Stage":
    return Stage(monkeypatch)


# The games.


def one_for_the_money(session: Session) -> None:
    """Two rounds; two play, one watches with a session and one without."""
    session.join("eve")
    session.join("dan", seat=-1)
    session.join("ann", seat=1)
    session.join("bob", seat=3)
    session.deal()
    for options in (("trade", "stand", "raise"), ("check", "trade", "raise")):
        session.say("ann", "place", spot="ante", amount=500)
        session.say("ann", "place", spot="three_card_bonus", amount=200)
        session.say("bob", "place", spot="ante", amount=1_000)
        session.say("ann", "ready")
        session.say("bob", "ready")
        session.deal()
        for option in options:
            session.everybody_tries_everything()
            acting = "ann" if 1 in session.house.live("money").table.to_act else "bob"
            session.say(acting, "choose", option=option)
            session.deal()


def before_the_staff(session: Session) -> None:
    """A round before the eyes of somebody of each role, at the table and on the pages of the house: something is
    reported and decided, and a void is proposed and withdrawn."""
    for role in Role:
        if role in STAFF:
            session.employ(role)
    session.join("ann", seat=1)
    session.deal()
    session.say("ann", "place", spot="ante", amount=500)
    session.say("ann", "ready")
    session.deal()
    house, supervisor = session.house, session.house.people.player_of(session.staff[Role.SUPERVISOR])
    assert supervisor is not None
    actor = by_person(supervisor)
    house.pit.report("money", cmd.Report("misdeal", "a card fell"), actor)
    session.tell()
    session.look()
    house.pit.resolve("money", Decider.SUPERVISOR, "continue", actor, "it lay face down")
    action = house.staff.propose("money", cmd.VoidRound("a card was seen", 1), actor)
    session.tell()
    session.look()
    house.staff.withdraw(action, "it was not", actor)
    session.everybody_tries_everything()
    for option in ("trade", "raise"):
        session.say("ann", "choose", option=option)
        session.deal()


def in_between(session: Session) -> None:
    session.join("eve")
    session.join("ann", seat=1)
    session.join("bob", seat=2)
    session.deal()
    for _ in range(3):
        session.say("ann", "place", spot="base", amount=500)
        session.say("ann", "place", spot="in_between", amount=200)
        session.say("bob", "place", spot="base", amount=1_000)
        session.say("ann", "ready")
        session.everybody_tries_everything()
        session.say("bob", "ready")
        session.deal()
        while isinstance(step := session.house.live("between").table.step, Choose):
            session.everybody_tries_everything()
            session.say("ann" if step.is_for(Seat(1)) else "bob", "choose", option=step.options[0].name)
            session.deal()


def bands(session: Session) -> None:
    session.join("eve")
    session.join("ann", seat=1)
    session.join("bob", seat=2)
    session.deal()
    for choices in (("fold", "play"), ("play", "play")):
        for name in ("ann", "bob"):
            session.say(name, "place", spot="ante", amount=500)
            session.say(name, "ready")
        session.deal()
        for name, option in zip(("ann", "bob"), choices, strict=True):
            session.everybody_tries_everything()
            session.say(name, "choose", option=option)
            session.deal()


def peek(session: Session) -> None:
    session.join("eve")
    session.join("ann", seat=1)
    session.deal()
    for _ in range(2):
        session.say("ann", "place", spot="bet", amount=1_000)
        session.say("ann", "ready")
        session.deal()
        while session.house.live("peek").table.to_act:
            session.everybody_tries_everything()
            session.say("ann", "choose", option="insure")
            session.say("ann", "choose", option="stand")
            session.deal()


LIMITS = Limits(100, 10_000)
SHUFFLER = Scene(money(decks=1), one_for_the_money, {1: "ann", 3: "bob"})
BACK = Scene(money(decks=1, readings={"traded_card": "back"}), one_for_the_money, {1: "ann", 3: "bob"})
WATCHED = Scene(money(decks=1), before_the_staff, {1: "ann"})
SHOE = Scene(between(decks=1, seats=2), in_between, {1: "ann", 2: "bob"})
BANDS = Scene(
    TableSettings("bands", "Bands", "bands", {"ante": LIMITS, "match": LIMITS}, seats=2), bands, {1: "ann", 2: "bob"}
)
PEEK = Scene(TableSettings("peek", "Peek", "peek", {"bet": LIMITS}, seats=1), peek, {1: "ann"})
REAL = {"one-for-the-money": SHUFFLER, "one-for-the-money, traded card back": BACK, "in-between": SHOE}


def swaps(base: Session, cards: Iterable[Card], pack: Iterable[Card]) -> list[tuple[Card, Card]]:
    """Each card with one that is never seen and that no reader could tell from it."""

    def band(card: Card) -> tuple[bool, ...]:
        return card.rank <= 4, card.rank == 10, 10 < card.rank < 14, card.rank == 14

    unseen = [c for c in pack if not {c} & {*base.turned, *base.turned_to, *base.read}]
    pairs = [
        (card, [c for c in unseen if c is not card and (card not in base.read or band(c) == band(card))])
        for card in cards
    ]
    return [(card, others[-1]) for card, others in pairs if others]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("F-14")
@pytest.mark.parametrize("scene", cases(REAL, quick=["one-for-the-money"]))
def test_not_a_byte_of_anything_depends_on_a_card_before_it_is_turned(stage: Stage, tmp_path: Path, scene: str) -> None:
    """Every card that is dealt is another one, and in a soak every card of the pack; some of them in a quick run."""
    played_here = REAL[scene]
    settings, script = played_here.settings, played_here.script
    base = played(stage, tmp_path, settings, script)
    again = played(stage, tmp_path / "again", settings, script)
    assert base.sent == again.sent  # nothing else differs between two sessions
    # The dealer's two cards of each round lie sealed while seats decide; of blackjack one, in three rounds.
    assert len(base.sealed) == (3 if settings.game == "in-between" else 4)
    pairs = swaps(base, played_here.pack, played_here.pack)
    assert {card for card, _ in pairs} >= {*base.turned, *base.sealed}
    wanted = {*played_here.pack} if soaking() else {*base.sealed, *sorted(base.turned, key=str)[:: 1000 // share(1000)]}
    for swap in pairs:
        if swap[0] in wanted:
            assert_untold(stage, tmp_path, played_here, base, swap)


def audited(session: Session) -> None:
    """A round that an auditor reads along, exports and verifies while the dealer's cards lie sealed."""
    session.let_audit()
    session.join("ann", seat=1)
    session.deal()
    session.say("ann", "place", spot="ante", amount=500)
    session.say("ann", "ready")
    session.deal()
    session.verify()
    session.say("ann", "choose", option="check")
    session.deal()


@pytest.mark.slow
@pytest.mark.rule("F-13", "F-14")
def test_not_a_byte_that_an_auditor_reads_exports_or_verifies_depends_on_a_sealed_card(
    stage: Stage, tmp_path: Path
) -> None:
    scene = Scene(money(decks=1), audited, {1: "ann"})
    base = played(stage, tmp_path, scene.settings, scene.script)
    told = [said for to, said in base.sent if to == "the auditor"]
    assert any(b"Everything is in order" in said for said in told)
    assert any(b'{"feltworks":"excerpt 1"' in said for said in told)
    assert any(b"A card is dealt, face down." in said for said in told)
    pairs = [swap for swap in swaps(base, base.sealed, scene.pack) if swap[0] in base.sealed]
    assert len(pairs) == 2
    for swap in pairs:
        assert_untold(stage, tmp_path, scene, base, swap)


@pytest.mark.slow
@pytest.mark.rule("F-13", "F-14")
def test_nobody_who_works_in_the_house_can_tell_a_sealed_card_whatever_the_role(stage: Stage, tmp_path: Path) -> None:
    """Neither at the table nor on any page of the house; a player sees no more either."""
    base = played(stage, tmp_path, WATCHED.settings, WATCHED.script)
    again = played(stage, tmp_path / "again", WATCHED.settings, WATCHED.script)
    assert base.sent == again.sent
    asked = {to for to, _ in base.sent}
    assert asked >= {role.value for role in STAFF}
    shown = {to for to, said in base.sent if b"Propose to void round 1" in said}
    assert shown == {"supervisor", "manager"}, "the page of the table was looked at in mid-round"
    on_board = {to for to, said in base.sent if said.startswith(b"the board {") and b'"phase":"deciding"' in said}
    assert on_board == {role.value for role in WATCH}
    found = {to for to, said in base.sent if b"Search the tables" in said and b"A card is dealt, face down." in said}
    assert found == {role.value for role in SEARCH}
    assert len(base.sealed) == 2
    pairs = swaps(base, base.sealed, WATCHED.pack)
    assert len(pairs) == 2
    for swap in pairs:
        assert_untold(stage, tmp_path, WATCHED, base, swap)


def disputed(session: Session) -> None:
    """The first round is disputed while the second is played, before the eyes of somebody of each role."""
    for role in STAFF:
        session.employ(role)
    session.join("ann", seat=1)
    session.deal()
    for number in (1, 2):
        session.say("ann", "place", spot="ante", amount=500)
        session.say("ann", "ready")
        session.deal()
        session.everybody_tries_everything()
        for option in ("trade", "raise"):
            session.say("ann", "choose", option=option)
            session.deal()
        if number == 1:
            ann = session.house.people.player_of(session.tokens["ann"])
            assert ann is not None
            claim = claim_for(session.house, session.house.store, "money", 1, "My raise was ten.", by_person(ann))
            session.house.pending.claim(claim)


@pytest.mark.slow
@pytest.mark.rule("F-14", "F-19")
def test_a_dispute_that_is_looked_at_tells_nothing_of_the_round_that_is_played_meanwhile(
    stage: Stage, tmp_path: Path
) -> None:
    scene = Scene(money(decks=1), disputed, {1: "ann"})
    base = played(stage, tmp_path, scene.settings, scene.script)
    shown = {to for to, said in base.sent if b"The claim" in said and b"My raise was ten." in said}
    assert shown >= {"supervisor", "manager", "surveillance"}
    pairs = swaps(base, base.sealed, scene.pack)
    assert len(pairs) == 4, "the two cards of the dealer in each round"
    for swap in pairs:
        assert_untold(stage, tmp_path, scene, base, swap)


def from_a_console(session: Session) -> None:
    """A round of the program's own cards that a person deals from a console, step by step."""
    session.open_console("the console")
    session.say("the console", "sign on")
    session.join("eve")
    session.join("ann", seat=1)
    session.say("the console", "start round", shuffle=True)
    session.say("ann", "place", spot="ante", amount=500)
    session.say("ann", "ready")
    session.say("the console", "close betting")
    session.go_on("the console")
    session.everybody_tries_everything()
    session.say("the console", "tick off", done=2)
    session.say("the console", "take back")
    for option in ("trade", "raise"):
        session.say("ann", "choose", option=option)
        session.go_on("the console")
    session.say("the console", "end round")


@pytest.mark.slow
@pytest.mark.rule("F-13", "F-14", "F-20")
def test_not_a_byte_that_a_dealer_s_console_is_told_depends_on_a_sealed_card(stage: Stage, tmp_path: Path) -> None:
    """Not even of the card that its dealer is about to turn."""
    duties = dict.fromkeys(DUTIES, "person")
    scene = Scene(money(decks=1, duties=duties, source="program"), from_a_console, {1: "ann"})
    base = played(stage, tmp_path, scene.settings, scene.script)
    told = [said for to, said in base.sent if to == "the console"]
    assert any(b'"kind":"go on"' in said for said in told)
    assert any(b'"do":"pay"' in said or b'"do":"take"' in said for said in told)
    assert len(base.sealed) == 2
    pairs = swaps(base, [*base.sealed, *base.turned], scene.pack)
    assert len(pairs) > len(base.sealed)
    for swap in pairs:
        assert_untold(stage, tmp_path, scene, base, swap)


@pytest.mark.slow
@pytest.mark.rule("F-14")
def test_a_card_turned_to_one_seat_is_told_to_that_seat_alone(stage: Stage, tmp_path: Path) -> None:
    """A toy with private cards and a reader: seats see their own, and of the dealer's only the band. Whoever has the
    code of a seat sees its cards when the round is over."""
    for stage.order in range(50):
        base = played(stage, tmp_path, BANDS.settings, bands)
        pairs = swaps(base, BANDS.pack, BANDS.pack)
        # Who folds does not show: that card is known to one seat for ever.
        if any(card in base.turned_to and card not in base.turned for card, _ in pairs) and len(pairs) > 5:
            break
    assert sum(card in base.turned_to for card, _ in pairs) >= 3
    pairs.sort(key=lambda pair: pair[0] not in base.turned_to)
    for swap in pairs[: share(len(pairs))]:
        assert_untold(stage, tmp_path, BANDS, base, swap)


@pytest.mark.rule("F-14")
def test_the_code_of_a_seat_shows_its_own_cards_of_a_round_that_is_over(stage: Stage, tmp_path: Path) -> None:
    base = played(stage, tmp_path, BANDS.settings, bands)
    own = {card.text for card, (_, seat) in base.turned_to.items() if seat == 1}
    others = {card.text for card, (_, seat) in base.turned_to.items() if seat == 2} - {
        card.text for card in base.turned
    }
    told = b"".join(said for to, said in base.sent if to == "ann" and b'"shared"' in said).decode("latin-1")
    shown = set(re.findall(r'"token":"card","card":"(\w\w)"', told.partition('"shared"')[2]))
    assert own and shown <= own
    assert len(shown) >= 1
    assert not others & shown


@pytest.mark.rule("F-14")
def test_a_card_the_dealer_peeked_at_tells_what_was_read_and_nothing_else(stage: Stage, tmp_path: Path) -> None:
    while "no ten" not in (base := played(stage, tmp_path / str(stage.order), PEEK.settings, peek)).read.values():
        stage.order += 1
    pairs = swaps(base, [card for card, said in base.read.items() if said == "no ten"], PEEK.pack)
    assert pairs
    for swap in pairs:
        assert_untold(stage, tmp_path / str(stage.order), PEEK, base, swap)


@pytest.mark.rule("F-14")
def test_a_house_that_lets_slip_anything_is_caught(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof of the proof: a dot more or less, by the rank of the dealer's first card, to one who watches."""
    honest = Hub._seen

    def leaking(hub: Hub, client: Client, table: Table) -> bytes:
        seen = json.loads(honest(hub, client, table))
        live, first = hub.house.live("money"), Token(None, "dealer 1")
        if first in live.table.positions and seen["phase"] == "deciding" and client.player is None:
            seen["message"] += "." * live.shoes.card(live.table, first).rank
        return json.dumps(seen).encode()

    monkeypatch.setattr(Hub, "_seen", leaking)
    base = played(stage, tmp_path, SHUFFLER.settings, SHUFFLER.script)
    sealed = next(card for card, token in base.sealed.items() if token.name == "dealer 1")
    other = next(card for card in SHUFFLER.pack if card not in base.turned and card.rank != sealed.rank)
    with pytest.raises(AssertionError, match="eve can tell"):
        assert_untold(stage, tmp_path, SHUFFLER, base, (sealed, other))


@pytest.mark.rule("F-14")
def test_a_board_that_lets_slip_anything_is_caught(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cent more or less in action, by the rank of the dealer's first card."""
    honest = board_rows.row

    def leaking(table: Table, names: Any) -> Any:
        told, first = honest(table, names), Token(None, "dealer 1")
        live = sessions[-1].live("money")
        known = first in live.table.positions and live.table.to_act
        return msgspec.structs.replace(told, stake=live.shoes.card(live.table, first).rank) if known else told

    sessions: list[House] = []
    adopt = House.adopt

    def adopting(house: House, together: Any) -> None:
        sessions[:] = [house]
        adopt(house, together)

    monkeypatch.setattr(House, "adopt", adopting)
    monkeypatch.setattr(board, "row", leaking)
    base = played(stage, tmp_path, WATCHED.settings, WATCHED.script)
    sealed = next(card for card, token in base.sealed.items() if token.name == "dealer 1")
    other = next(card for card in WATCHED.pack if card not in base.turned and card.rank != sealed.rank)
    with pytest.raises(AssertionError, match="can tell"):
        assert_untold(stage, tmp_path, WATCHED, base, (sealed, other))


@pytest.mark.rule("F-14")
def test_a_page_of_records_that_lets_slip_anything_is_caught(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dot more or less in the words of an event, by the rank of the dealer's first card."""
    houses: list[House] = []
    honest_read, honest_told = records.read, event_words.told

    def reading(house: House, *of: Any) -> Any:
        houses[:] = [house]
        return honest_read(house, *of)

    def leaking(*of: Any) -> list[str]:
        live, first = houses[0].live("money"), Token(None, "dealer 1")
        known = first in live.table.positions and live.table.to_act
        return [*honest_told(*of), "." * live.shoes.card(live.table, first).rank if known else ""]

    monkeypatch.setattr(records, "read", reading)
    monkeypatch.setattr(event_list, "told", leaking)
    scene = Scene(money(decks=1), audited, {1: "ann"})
    base = played(stage, tmp_path, scene.settings, scene.script)
    sealed = next(card for card, token in base.sealed.items() if token.name == "dealer 1")
    other = next(card for card in scene.pack if card not in base.turned and card.rank != sealed.rank)
    with pytest.raises(AssertionError, match="the auditor can tell"):
        assert_untold(stage, tmp_path, scene, base, (sealed, other))


@pytest.mark.rule("F-14")
def test_a_house_whose_receipts_cover_a_shoe_that_is_not_sealed_is_caught(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing but the receipts, the hashes and the signatures could tell: of sealed secrets only the length is seen."""

    def bare(shoes: SealedShoes) -> list[tuple[str, bytes]]:
        made = [(root, shoe) for root, (_, shoe) in shoes._new.items()]
        return [(root, "".join(shoe.opened(at)[0] for at in range(shoe.size)).encode()) for root, shoe in made]

    monkeypatch.setattr(SealedShoes, "sealed", property(bare))
    base = played(stage, tmp_path, SHUFFLER.settings, SHUFFLER.script)
    sealed = next(card for card, token in base.sealed.items() if token.name == "dealer 1")
    other = next(card for card in SHUFFLER.pack if card not in base.turned)
    with pytest.raises(AssertionError, match="can tell"):
        assert_untold(stage, tmp_path, SHUFFLER, base, (sealed, other))


# Over real sockets.


@pytest.mark.rule("F-14")
def test_not_a_byte_on_the_wire_depends_on_a_card_before_it_is_turned(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same, through the whole server, for the dealer's two cards: every frame that every client gets."""
    monkeypatch.setattr(Hub, "_seat_dealer", lambda *_: None)  # the test deals, so that what is sent has one order
    load_keys(tmp_path / "house.key")

    def wire(swap: Swap) -> tuple[list[list[str]], list[Card]]:
        stage.set(7, swap)
        folder = tmp_path / (swap[0].text if swap else "as it is")
        folder.mkdir()
        copy(tmp_path / "house.key", folder)  # the same house, which signs the same receipts
        with LocalServer(folder, [money(decks=1)], lambda: START) as server:
            robots = [server.watch("money"), server.join("money")]
            for seat in (1, 3):
                robots.append(server.join("money"))
                robots[-1].done("sit", "sit", seat=seat)
                together(server, robots)
            server_deals(server, robots)
            for robot in robots[2:]:
                robot.done("place", "place", spot="ante", amount=500)
                together(server, robots)
                robot.done("ready", "ready")
                together(server, robots)
            sealed = server_deals(server, robots)
            for n, option in enumerate(("fly", "trade", "fly", "stand", "trade")):
                for robot in robots:
                    robot.do("choose", f"{option} {n}", option=option)
                    together(server, robots)
                server_deals(server, robots)
            frames = [list(robot.frames) for robot in robots]
            for robot in robots:
                robot.close()
            return frames, sealed

    base, sealed = wire(None)
    told = str(base)
    assert len(sealed) == 2
    unseen = [card for card in SHUFFLER.pack if card not in sealed and f'"{card.text}"' not in told]
    for card, other in zip(sealed, unseen, strict=False):
        assert wire((card, other))[0] == base
    shown = next(card for card in SHUFFLER.pack if f'"{card.text}"' in told)
    assert wire((shown, unseen[0]))[0] != base


def together(server: LocalServer, robots: list[Robot]) -> None:
    """Everybody sees the table as it is."""
    version = server.run(lambda house: house.live("money").table.version)
    for robot in robots:
        robot.until(lambda view: view["version"] == version)


def server_deals(server: LocalServer, robots: list[Robot]) -> list[Card]:
    """Deal until somebody has to act, each step seen by all; the cards that lie sealed then."""

    def one(house: House) -> bool:
        due = house.due("money")
        if due is None or due.doing == "clock":
            return False
        house.deal_on("money", due.doing)
        return True

    while server.run(one):
        together(server, robots)

    def lying(house: House) -> list[Card]:
        live = house.live("money")
        round = live.table.round
        return [live.shoes.card(live.table, t) for t, face in round.cards.items() if face.card is None] if round else []

    return server.run(lying)
