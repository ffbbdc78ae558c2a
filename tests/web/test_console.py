"""The dealer's console as it talks with the server: what it is told, what it may say, and that each is done once."""

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from feltworks.floor.actors import person as by_person
from feltworks.floor.roles import Role
from feltworks.floor.table import corrections
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.cards import Card
from feltworks.web.demo import PROGRESSIVE, TABLES, open_demo_tables
from feltworks.web.pit import console_page
from feltworks.web.pit.console import console_of
from feltworks.web.pit.keys import keys_for
from tests.floor.sitting import with_toys
from tests.web.dealing import GAMES, ConsoleRobot, Session, dealer_at, dealt_by_hand
from tests.web.people_of_the_house import employ, staffed
from tests.web.robots import LIMITS, LocalServer, Robot, money


def ready(server: LocalServer, table: str, patrons: tuple[int, ...] = (1, 3), spot: str = "ante") -> ConsoleRobot:
    """A dealer who has signed on, with patrons who have bet; the betting is closed."""
    dana = dealer_at(server, table)
    dana.does("sign on")
    for seat in patrons:
        dana.does("seat patron", seat=seat, chips=50_000)
    dana.does("start round", shuffle=dana.ask["kind"] == "shuffle")
    for seat in patrons:
        dana.does("place for", seat=seat, spot=spot, amount=500)
    dana.does("close betting")
    return dana


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (["check", "2x", "3x"], ["c", "2", "3"]),
        (["stand", "hit", "double", "split", "surrender"], ["s", "h", "d", "p", "u"]),
        (["blue", "red", "gold"], ["b", "r", "g"]),
        (["a", "a", "a"], ["a", "1", "2"]),
        (["—", "ok"], ["1", "o"]),
    ],
)
def test_each_thing_to_choose_has_a_key_of_its_own_from_its_name(names: list[str], keys: list[str]) -> None:
    assert keys_for(names) == keys
    assert keys_for(names[:1], keys[:1]) != keys[:1]


@pytest.mark.rule("F-27")
def test_a_console_leads_from_the_shuffle_to_the_end_of_the_round(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = dealer_at(server, "money")
        assert (dana.ask["kind"], dana.console["dealer"], dana.console["yours"]) == ("sign on", "", False)
        dana.does("sign on")
        assert dana.ask["kind"] == "shuffle"
        dana.does("seat patron", seat=2, chips=10_000)
        dana.does("start round", shuffle=True)
        assert [act["text"] for act in dana.console["acts"]] == ["Place your bets."]
        (patron,) = dana.ask["patrons"]
        assert (patron["seat"], patron["chips"], [spot["key"] for spot in patron["spots"]]) == (2, 10_000, ["a"])
        dana.does("place for", seat=2, spot="ante", amount=2_500)
        assert dana.ask["patrons"][0]["chips"] == 7_500
        dana.does("close betting")
        assert (dana.ask["kind"], dana.ask["lays"], dana.ask["laid"]) == ("card", 1, "Deal a card to seat 2, face up.")
        assert len(dana.ask["cards"]) == 52
        dana.enter(kind="card", card="9h")
        assert (dana.ask["kind"], dana.ask["seat"]) == ("choose", 2)
        assert dana.ask["laid"] == "Deal 2 cards to the dealer, face down."
        dana.does("choose for", seat=2, option="raise")
        dana.enter(kind="card", card="2c")
        dana.enter(kind="card", card="3c")
        acts = dana.console["acts"]
        assert [(act["do"], act["amount"]) for act in acts[-2:]] == [("pay", 2_500), ("pay", 2_500)]
        assert acts[-1]["chips"] == [{"value": 2_500, "count": 1}]
        dana.does("tick off", done=acts[-1]["number"])
        assert dana.console["acts"] == [] and dana.ask["kind"] == "end"
        dana.does("end round")
        assert dana.view["round"] is None and dana.view["phase"] == "waiting"
        server.check()


@pytest.mark.rule("F-27")
def test_ticking_off_moves_no_money(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = ready(server, "money", (1,))
        before = server.run(lambda house: dict(house.journal.position.balances))
        dana.does("tick off", done=dana.console["acts"][-1]["number"])
        assert server.run(lambda house: dict(house.journal.position.balances)) == before


@pytest.mark.rule("F-20")
def test_a_command_that_is_repeated_is_done_once_and_so_is_what_was_laid_with_it(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["down-under-holdem"]]) as server:
        dana = dealer_at(server, "under")
        dana.does("sign on")
        dana.does("seat patron", seat=1, chips=50_000)
        dana.does("start round", shuffle=True)
        for spot in ("ante", "bet"):
            dana.does("place for", seat=1, spot=spot, amount=500)
        dana.does("close betting")
        said = {
            "id": "twice",
            "at": dana.console["at"],
            "command": {"kind": "enter", "answer": {"kind": "reading", "set": "small"}},
        }
        first = dana.told(json.dumps(said))
        at = server.run(lambda house: len(house.live("under").table.answers))
        again = dana.again()
        second = again.told(json.dumps(said))
        assert first["ok"] == second["ok"] == "twice"
        assert first["receipt"] == second["receipt"]
        assert server.run(lambda house: len(house.live("under").table.answers)) == at
        again.until(lambda view: view["console"]["at"] == at)
        assert again.ask["text"] == "The light of the second dealer card"


@pytest.mark.rule("F-20")
def test_an_entry_that_was_meant_for_an_earlier_step_is_refused(tmp_path: Path) -> None:
    """The same card sent twice under two ids, by a scanner or from two windows, is entered once."""
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = ready(server, "money")
        at = dana.console["at"]
        for id, wanted in (("one", "ok"), ("two", "refused")):
            said = {"id": id, "at": at, "command": {"kind": "enter", "answer": {"kind": "card", "card": "7h"}}}
            answer = dana.told(json.dumps(said))
            assert wanted in answer, answer
        assert "gone on" in answer["why"]
        cards = server.run(lambda house: [f.card for f in house.live("money").table.round.cards.values()])  # type: ignore[union-attr]
        assert cards == [Card("7h")]


@pytest.mark.rule("F-20")
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"kind": "card", "card": "7x"}, "not a card"),
        ({"kind": "dice", "faces": [1, 2, 3, 4]}, "say which card it is"),
        ({"kind": "reading", "set": "small"}, "light"),
        ({"kind": "decide", "who": "dealer", "option": "lit"}, "say which card it is"),
    ],
)
def test_what_is_no_answer_to_the_step_is_refused_and_no_card_is_laid_for_it(
    tmp_path: Path, answer: dict[str, Any], why: str
) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = ready(server, "money")
        before = server.run(lambda house: house.live("money").table)
        assert why in dana.refused("enter", answer=answer)
        assert server.run(lambda house: house.live("money").table) == before


@pytest.mark.rule("F-41")
def test_a_console_of_a_dealer_who_was_relieved_says_so_and_enters_nothing(tmp_path: Path) -> None:
    """The relief comes in the middle of a round, and finds every place as it was."""
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = ready(server, "money")
        dana.enter(kind="card", card="9h")
        asked = dana.ask
        eli = dealer_at(server, "money", "Eli")
        assert "Dana deals here now" in eli.console["said"]
        assert eli.ask["detail"] == "Dana clears the hands and steps back; then you do."
        eli.does("sign on")
        assert (eli.console["yours"], eli.ask) == (True, asked)
        dana.until(lambda view: not view["console"]["yours"])
        assert "Eli deals here now; hands are cleared." in dana.console["said"]
        assert "relieved you" in dana.refused("enter", answer={"kind": "card", "card": "8h"})
        eli.enter(kind="card", card="8h")
        assert eli.ask["kind"] == "choose"


@pytest.mark.rule("F-13")
def test_only_dealers_have_a_console(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"], money(id="program")]) as server:
        dealer = staffed(server, "Dana", Role.DEALER)
        others = {"Sue": Role.SUPERVISOR, "Vic": Role.SURVEILLANCE, "Mia": Role.MANAGER, "Ada": Role.AUDITOR}
        for name, role in others.items():
            window = staffed(server, name, role)
            assert window.get("/house/tables/money/deal").status == 403
            with pytest.raises(ConnectionClosed):
                ConsoleRobot(server, "money", window.token, {})
        for token in ("", server.session("money")):
            with pytest.raises(ConnectionClosed):
                ConsoleRobot(server, "money", token, {})
        assert dealer.get("/house/tables/money/deal").status == 200
        assert dealer.get("/house/tables/program/deal").status == 404
        assert dealer.get("/house/tables/nothing/deal").status == 404
        assert "Deal at Burgundy" in dealer.get("/house").text


def test_rubbish_on_a_console_s_socket_is_refused_in_words_and_changes_nothing(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = ready(server, "money")
        before = server.run(lambda house: house.live("money").table)
        for raw in (
            "",
            "nonsense",
            "{}",
            "[1]",
            '{"id":"","command":{"kind":"take back"}}',
            '{"id":"x","command":{"kind":"open table"}}',
        ):
            assert "why" in dana.told(raw)
        assert dana.told('{"ping": 7}') == {"pong": 7}
        assert server.run(lambda house: house.live("money").table) == before


@pytest.mark.rule("F-20")
def test_the_dealer_takes_the_last_card_back_and_enters_it_again(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = ready(server, "money")
        dana.enter(kind="card", card="9h")
        assert dana.console["can_take_back"] == "Seat 1's card is the nine of hearts."
        dana.does("take back")
        assert (dana.ask["seat"], dana.ask["lays"]) == (1, 0)
        dana.enter(kind="card", card="8h")
        cards = server.run(lambda house: [f.card for f in house.live("money").table.round.cards.values()])  # type: ignore[union-attr]
        assert cards == [Card("8h")]


@pytest.mark.rule("F-20")
def test_the_betting_is_not_closed_by_a_console_that_saw_another_round(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = dealer_at(server, "money")
        dana.does("sign on")
        dana.does("seat patron", seat=1, chips=50_000)
        dana.does("start round", shuffle=True)
        dana.does("place for", seat=1, spot="ante", amount=500)
        said = {"id": "late", "at": 0, "command": {"kind": "close betting"}}
        assert "gone on" in dana.told(json.dumps(said))["why"]


TOYS = {
    "bands": {"ante": LIMITS, "match": LIMITS},
    "peek": {"bet": LIMITS},
    "big-six": dict.fromkeys(("one", "two", "five", "ten", "twenty", "joker", "logo"), LIMITS),
    "point": {"line": LIMITS, "pairs": LIMITS, "seven": LIMITS},
}


@pytest.mark.rule("F-20", "F-27")
@pytest.mark.parametrize("toy", TOYS)
def test_a_toy_game_is_dealt_from_a_console_that_knows_none_of_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy: str
) -> None:
    with_toys(monkeypatch)
    settings = dealt_by_hand(TableSettings("toy", "Toy", toy, TOYS[toy], seats=2))
    with LocalServer(tmp_path, [settings]) as server:
        session = Session(server, settings, (1, 2), seed=3)
        for _ in range(6):
            session.round()
        assert session.table.round_number == 6
        server.check()


def test_players_see_each_card_as_it_is_entered(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        ann: Robot = server.join("money", 2)
        dana = dealer_at(server, "money")
        dana.does("sign on")
        dana.does("start round", shuffle=True)
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.done("ready")
        dana.until(lambda view: view["seats"][1]["wagers"])
        dana.does("close betting")
        dana.enter(kind="card", card="Qs")
        ann.until(lambda view: view["seats"][1]["cards"] and view["seats"][1]["cards"][0]["card"] == "Qs")
        assert (dana.ask["kind"], dana.ask["text"]) == ("deal", "Deal 2 cards to the dealer, face down.")
        dana.does("lay cards")
        assert dana.ask["kind"] == "wait" and "screen" in dana.ask["detail"]
        assert "players act for themselves" in dana.refused("choose for", seat=2, option="check")
        ann.my_turn()
        ann.done("choose", option="check")
        dana.until(lambda view: view["console"]["ask"]["kind"] == "card")


@pytest.mark.rule("F-20")
def test_what_a_console_shows_is_told_without_folding_the_round_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever players do at the table, a look at it costs no more."""
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = ready(server, "money")
        dana.enter(kind="card", card="9h")
        id = server.run(lambda house: house.live("money").table.dealer)
        monkeypatch.setattr(corrections, "_rewound", None)
        shown = server.run(lambda house: console_of(house, house.live("money").table, id))
        assert "nine of hearts" in shown.can_take_back


@pytest.mark.rule("F-20")
def test_a_round_that_is_started_is_started_once_though_the_house_fills_in_what_is_held(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = dealer_at(server, "money")
        dana.does("sign on")
        said = json.dumps({"id": "start", "command": {"kind": "start round", "shuffle": True, "hold_over": 1}})
        first, again = dana.told(said), dana.told(said)
        assert first["ok"] == again["ok"] == "start" and first["receipt"] == again["receipt"]
        table = server.run(lambda house: house.live("money").table)
        assert table.round_number == 1 and table.hold_over != 1


@pytest.mark.rule("D-10", "F-20")
def test_an_impossible_entry_that_the_network_repeats_is_not_meant_twice(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [dealt_by_hand(money(decks=1))]) as server:
        dana = ready(server, "money")
        dana.enter(kind="card", card="9h")
        said = {"kind": "enter", "answer": {"kind": "card", "card": "9h"}}
        for id in ("one", "one"):
            assert "none is left" in dana.told(json.dumps({"id": id, "command": said}))["why"]
        assert server.run(lambda house: house.live("money").table.incident) == ""
        assert dana.told(json.dumps({"id": "two", "command": said}))["ok"] == "two"
        assert server.run(lambda house: house.live("money").table.incident) == "wrong card"


@pytest.mark.rule("F-03")
def test_the_demonstration_has_a_table_of_each_game_that_people_deal(tmp_path: Path) -> None:
    with LocalServer(tmp_path, demo=True) as server:
        server.run(open_demo_tables)
        listed = server.get("/api/tables")
        by_people = {table["game"] for table in listed if table["dealt_by"] == "people"}
        assert by_people == {table["game"] for table in listed}
        by_program = {table["id"] for table in listed if table["dealt_by"] == "program"}
        assert by_program == {table.id for table in (*TABLES, PROGRESSIVE)}
        assert "dealt by people" in server.ask("/").text


@pytest.mark.rule("D-02", "F-20")
def test_betting_is_not_closed_over_chips_of_a_patron_that_do_not_do_together(tmp_path: Path) -> None:
    """An entry is missing; nothing is pushed back unseen."""
    with LocalServer(tmp_path, [GAMES["down-under-holdem"]]) as server:
        dana = dealer_at(server, "under")
        dana.does("sign on")
        for seat in (1, 2):
            dana.does("seat patron", seat=seat, chips=50_000)
        dana.does("start round", shuffle=True)
        for seat, spots in ((1, ("ante",)), (2, ("ante", "bet"))):
            for spot in spots:
                dana.does("place for", seat=seat, spot=spot, amount=500)
        why = dana.refused("close betting")
        assert "Seat 1 needs equal wagers" in why and "take the wagers of seat 1 up" in why
        assert (1, "ante") in server.run(lambda house: house.live("under").table.wagers)
        dana.does("take up for", seat=1, spot="ante")
        dana.does("close betting")


@pytest.mark.rule("Y-04", "Y-08", "Y-24", "F-20")
def test_betting_is_closed_over_a_bonus_wager_of_a_patron_who_lost_play_and_makes_no_other(tmp_path: Path) -> None:
    """Nobody can take that wager up, so the rules hand it back; an arc wager beside it is its owner's to take up."""
    with LocalServer(tmp_path, [GAMES["yo"]]) as server:
        dana = ready(server, "yo", spot="play")
        dana.does("choose for", seat=1, option="dealer rolls")
        dana.enter(kind="dice", faces=[3, 4, 1, 1])
        dana.does("place for", seat=1, spot="play", amount=500)
        dana.does("place for", seat=3, spot="play", amount=500)
        dana.does("place for", seat=3, spot="yo", amount=500)
        dana.does("place for", seat=3, spot="craps", amount=500)
        dana.does("close betting")
        dana.enter(kind="dice", faces=[1, 2, 3, 3])
        dana.does("place for", seat=1, spot="play", amount=500)
        assert "take the wagers of seat 3 up" in dana.refused("close betting")
        assert "contract" in dana.refused("take up for", seat=3, spot="yo")
        for _ in ("the win", "the wager"):
            dana.does("take up for", seat=3, spot="craps")
        dana.does("close betting")
        back = [(act["text"], act["amount"]) for act in dana.console["acts"] if act["do"] == "return"]
        assert back == [("Seat 3, Yo!", 500)]
        server.check()


@pytest.mark.rule("F-20")
@pytest.mark.parametrize(
    ("seat", "option", "why"), [(1, "rubbish", "not possible now"), (1, "raise", "more; seat 1 has"), (3, "check", "")]
)
def test_a_decision_that_is_refused_lays_no_card(tmp_path: Path, seat: int, option: str, why: str) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = dealer_at(server, "money")
        dana.does("sign on")
        dana.does("seat patron", seat=1, chips=500)
        dana.does("start round", shuffle=True)
        dana.does("place for", seat=1, spot="ante", amount=500)
        dana.does("close betting")
        dana.enter(kind="card", card="9h")
        before = server.run(lambda house: house.live("money").table)
        assert why in dana.refused("choose for", seat=seat, option=option)
        after = server.run(lambda house: house.live("money").table)
        assert after == before or seat == 3


@pytest.mark.rule("Y-27", "F-28")
def test_the_dealer_decides_what_the_document_leaves_to_the_dealer_about_what_was_seen(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["yo"]]) as server:
        dana = ready(server, "yo", (1, 2), spot="play")
        dana.does("choose for", seat=1, option="roll")
        assert "cocked die" in dana.console["incidents"]
        dana.does("report", incident="cocked die", text="against the rail")
        assert dana.console["acts"] == [], "nothing is to do while the table stands still"
        ask = dana.ask
        assert (ask["kind"], ask["incident"], [choice["name"] for choice in ask["choices"]]) == (
            "choose",
            True,
            ["called"],
        )
        for role in ("supervisor", "croupier"):
            assert "supervisor" in dana.refused("resolve", role=role, option="called", reason="x", report=ask["report"])
        assert dana.refused("resolve", role="dealer", option="called", reason="x", report=ask["report"] + 1)
        dana.does("resolve", role="dealer", option="called", reason="Decided at the table.", report=ask["report"])
        assert dana.ask["kind"] == "dice"
        dana.enter(kind="dice", faces=[5, 6, 1, 1])
        pays = [act for act in dana.console["acts"] if act["do"] == "pay"]
        assert pays and all("pays" in act["detail"] and "wager" in act["detail"] for act in pays)


@pytest.mark.rule("Y-01", "F-20")
def test_dice_that_cannot_be_and_dice_of_a_table_that_is_paused_are_refused_in_words_and_asked_for_again(
    tmp_path: Path,
) -> None:
    with LocalServer(tmp_path, [GAMES["yo"]]) as server:
        sue, _ = server.run(lambda house: employ(house, "Sue", Role.SUPERVISOR))
        dana = ready(server, "yo", spot="play")
        dana.does("choose for", seat=1, option="roll")
        in_the_air = server.run(lambda house: house.live("yo").table)
        for faces in ([3, 4, 1, 1, 1], [3, 4, 1], [3, 4, 1, 7], [3, 4, 1, 0]):
            assert "Four dice are rolled" in dana.refused("enter", answer={"kind": "dice", "faces": faces})
        assert server.run(lambda house: house.live("yo").table) == in_the_air
        server.run(lambda house: house.pause("yo", "The lights flicker", by_person(sue)))
        dana.until(lambda view: view["console"]["said"])
        assert (dana.ask["kind"], dana.console["said"]) == ("wait", "The table is paused: The lights flicker.")
        assert "paused" in dana.refused("enter", answer={"kind": "dice", "faces": [3, 4, 1, 1]})
        server.run(lambda house: house.resume("yo", by_person(sue)))
        dana.until(lambda view: not view["console"]["said"])
        assert server.run(lambda house: house.live("yo").table.round) == in_the_air.round
        dana.enter(kind="dice", faces=[3, 4, 1, 1])
        assert dana.console["acts"][0]["text"] == "Seven."


@pytest.mark.rule("Y-24", "F-20")
def test_the_key_that_closes_the_betting_is_no_spot_s(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["yo"]]) as server:
        dana = dealer_at(server, "yo")
        dana.does("sign on")
        dana.does("seat patron", seat=1, chips=50_000)
        dana.does("start round")
        dana.does("place for", seat=1, spot="play", amount=500)
        keys = {spot["title"]: spot["key"] for spot in dana.ask["patrons"][0]["spots"]}
        assert "Craps" in keys and "c" not in keys.values() and len({*keys.values()}) == len(keys)


@pytest.mark.rule("F-20", "F-41")
def test_cards_are_laid_only_in_a_round_and_by_whoever_deals(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana, eli = dealer_at(server, "money"), dealer_at(server, "money", "Eli")
        assert "no card to lay" in dana.refused("lay cards")
        dana.does("sign on")
        assert "no card to lay" in dana.refused("lay cards")
        dana.does("seat patron", seat=1, chips=50_000)
        dana.does("start round", shuffle=True)
        dana.does("place for", seat=1, spot="ante", amount=500)
        dana.does("close betting")
        eli.does("sign on")
        assert "relieved you" in dana.refused("lay cards")


@pytest.mark.rule("F-13")
def test_a_console_ends_with_the_session_of_its_dealer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody logs out: a shift ends by itself."""
    monkeypatch.setattr(console_page, "LOOK_AGAIN", 0.02)
    with LocalServer(tmp_path, [GAMES["one-for-the-money"]]) as server:
        dana = dealer_at(server, "money")
        dana.does("sign on")
        server.run(lambda house: house.people.end_session(dana.token or ""))
        with pytest.raises(ConnectionClosed):
            dana.until(lambda _: False)
        assert "session has ended" in dana.answers[None]["why"]


@pytest.mark.rule("Y-24", "Y-36")
def test_a_wager_after_the_close_is_reported_with_its_seat_spot_and_amount(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["yo"]]) as server:
        dana = ready(server, "yo", (1, 2), spot="play")
        dana.does("choose for", seat=1, option="roll")
        kind = "wager after the close"
        assert kind in dana.console["incidents"]
        assert "Name the seat" in dana.refused("report", incident=kind, text="")
        dana.does("report", incident=kind, text="late", seat=2, spots=["low"], amount=500)
        assert server.run(lambda house: house.live("yo").table.incident) == kind


@pytest.mark.rule("B-03", "F-27")
def test_what_a_laid_card_lets_the_dealer_say_comes_before_the_decision_that_it_is_about(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [GAMES["blackjack"]]) as server:
        dana = ready(server, "blackjack", (1,), spot="base")
        dana.does("tick off", done=dana.console["acts"][-1]["number"])
        for card in ("9h", "As", "8d"):
            dana.enter(kind="card", card=card)
        assert (dana.ask["kind"], dana.ask["text"]) == ("deal", "Deal a card to the dealer, face down.")
        dana.does("lay cards")
        assert [act["text"] for act in dana.console["acts"]] == ["Insurance?"]
        assert (dana.ask["kind"], dana.ask["detail"]) == ("choose", "Insurance.")
