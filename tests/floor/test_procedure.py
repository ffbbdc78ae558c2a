"""What a dealer's screen leads through (F-27): acts in the order of the document, with words and amounts, and what is
asked for next, made from the steps and effects of any game."""

from pathlib import Path
from typing import Any

import pytest

from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, NotRolled, Placed, Rolled, Turned
from feltworks.floor.table.procedure import acts_of, card_words, procedure
from feltworks.floor.table.settings import DUTIES
from feltworks.games.yo.incidents import BY_KIND, NO_ROLLS
from feltworks.kit.errors import NotPossible
from tests.floor.employing import employed
from tests.floor.pit import PLAYER, Pit
from tests.floor.sitting import with_toys
from tests.floor.test_corrections import READER, TABLES, at
from tests.floor.test_duties import GAMES, mixed
from tests.web.robots import between, money, under

BY_HAND: dict[str, Any] = {"dealing": "people", "seats": 3}


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)


@pytest.mark.rule("F-27")
@pytest.mark.parametrize("name", TABLES)
def test_every_effect_of_a_round_is_an_act_in_the_order_of_the_document(name: str, tmp_path: Path) -> None:
    """As many acts as effects, numbered from the start of the round, with the cents that the settlement books."""
    pit = at(Pit(tmp_path / "records.db", TABLES[name]), "end")
    shown = pit.procedure
    acts = (*shown.done, *shown.now)
    assert [act.number for act in acts] == list(range(1, len(pit.table.effects) + 1))
    for act, effect in zip(acts, pit.table.effects, strict=True):
        assert act.text[:1].isupper() or act.do == "say", act.text
        if isinstance(effect, ev.Settled):
            assert (act.seat, act.spot, act.line, act.rule) == (effect.seat, effect.spot, effect.line, effect.rule)
            if act.do == "pay":
                assert act.amount + act.stake >= effect.paid > 0 or effect.returned
                assert sum(value * count for value, count in act.chips) == act.amount
        else:
            assert act.do in ("say", "signal", "move", "card") and act.amount == 0
    pit.play(rounds=1)
    assert not pit.procedure.done and not pit.procedure.now


@pytest.mark.rule("F-20", "F-27")
def test_what_is_entered_says_that_all_before_it_is_done(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["down-under-holdem"])
    while not pit.procedure.now or pit.procedure.asked.kind != "deal":
        pit.step()
    waiting = pit.procedure.now
    pit.deal(cmd.Enter(pit.possible(pit.procedure.asked)))
    assert pit.procedure.done[-len(waiting) :] == waiting and not pit.procedure.now


@pytest.mark.rule("D-09", "F-27")
def test_folded_cards_that_may_still_win_stay_at_their_seat_and_are_turned_there(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["down-under-holdem"])
    folded: set[str] = set()
    while not folded:
        pit.step()
        for act, effect in zip((*pit.procedure.done, *pit.procedure.now), pit.table.effects, strict=True):
            if isinstance(effect, ev.CardMoved) and effect.to.endswith("folded"):
                folded.add(act.text)
    assert all(text.startswith("Leave ") and "face down at its seat" in text for text in folded)


@pytest.mark.rule("D-13", "F-27")
def test_chips_that_were_taken_off_a_lit_spot_are_not_taken_once_more(tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["down-under-holdem"]), "choose")
    asked = pit.procedure.asked
    assert (asked.text, asked.role) == ("Seat 1's Jackpot spot: lit or not lit?", "dealer")
    while pit.procedure.asked.role == "dealer":
        pit.enter(Decided("dealer", "lit"))
    at(pit, "end")
    jackpots = [act for act in (*pit.procedure.done, *pit.procedure.now) if act.spot == "jackpot"]
    assert jackpots and all(act.do in ("leave", "pay", "hold") for act in jackpots)
    lost = [act for act in jackpots if act.do == "leave"]
    assert lost and lost[0].text.startswith("Nothing to take from seat ")


@pytest.mark.rule("D-02", "F-07", "F-20")
def test_wagers_of_a_patron_that_do_not_go_together_are_put_right_by_the_dealer_before_the_close(
    tmp_path: Path,
) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["down-under-holdem"])
    pit.step()
    pit.enter_for(cmd.PlaceFor(1, "bet", 500))
    pit.enter_for(cmd.PlaceFor(3, "ante", 500))
    pit.enter_for(cmd.PlaceFor(3, "bet", 500))
    before = pit.table
    with pytest.raises(Refused, match="Seat 1 needs equal wagers on Ante and Bet"):
        pit.deal(cmd.CloseBetting())
    assert pit.table is before
    pit.house.command("under", pit.player, cmd.Place("bet", 500))
    pit.enter_for(cmd.PlaceFor(1, "ante", 500))
    pit.deal(cmd.CloseBetting())
    assert {seat for seat, _ in pit.table.wagers} == {1, 3}  # a player with a screen gets the half wager back
    assert pit.chips(PLAYER) == pit.at_start[PLAYER]
    pit.check()


@pytest.mark.rule("F-23", "F-27")
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (money(**BY_HAND), "Put the discards into the shuffler and start the round."),
        (between(**BY_HAND), "Shuffle and cut the cards, burn a card, and start the round."),
        (between(**BY_HAND, burn=0), "Shuffle and cut the cards and start the round."),
    ],
    ids=["a shuffler", "a shoe", "nothing burnt"],
)
def test_the_dealer_is_told_how_the_cards_are_made_ready(settings: Any, words: str, tmp_path: Path) -> None:
    asked = Pit(tmp_path / "records.db", settings).procedure.asked
    assert (asked.kind, asked.who, asked.text) == ("shuffle", "dealer", words)


@pytest.mark.rule("F-14", "F-27")
def test_nobody_can_tell_by_ticking_off_what_a_seat_has_chosen_while_others_still_decide(tmp_path: Path) -> None:
    together = under(**BY_HAND, equipment=READER, readings={"order_of_action": "together"})
    said = []
    for number, option in enumerate(("check", "3x")):
        pit = at(Pit(tmp_path / f"{number}.db", together), "choose")
        while pit.procedure.asked.who != "seats":
            pit.step()
        before = procedure(pit.table)
        pit.house.command("under", pit.player, cmd.Choose(option))
        assert pit.table.shown is not None
        with pytest.raises(Refused) as refusal:
            pit.deal(cmd.TickOff(999))
        shown = pit.procedure
        assert (shown.done, shown.now) == (before.done, before.now)
        said.append((str(refusal.value), shown.asked, [entry.text for entry in shown.entries]))
    assert said[0] == said[1]


@pytest.mark.rule("F-14")
@pytest.mark.parametrize("name", TABLES)
def test_every_card_that_the_procedure_offers_is_taken_and_no_other(name: str, tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES[name])
    if pit.table.game.fresh() is None:
        return
    at(pit, "turn")
    offered = set(pit.procedure.asked.cards)
    round = pit.table.round
    assert round is not None and round.unseen is not None and offered
    for rank in "23456789TJQKA":
        for suit in "cdhs":
            card = f"{rank}{suit}"
            try:
                pit.enter(Turned(card))
            except (Refused, NotPossible):
                assert card not in offered
            else:
                assert card in offered
                if not pit.table.incident:
                    pit.deal(cmd.TakeBack())
    pit.check()


@pytest.mark.rule("F-20", "F-27")
def test_after_a_correction_the_dealer_puts_right_what_was_paid_and_does_nothing_twice(tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["one-for-the-money"]), "end")
    pit.deal(cmd.TickOff(len(pit.table.effects)))
    paid = {(act.seat, act.spot): act for act in pit.procedure.done if act.spot}
    turned = [n for n, past in enumerate(pit.table.answers, 1) if isinstance(past.event.answer, Turned)]  # type: ignore[union-attr]
    was = pit.table.answers[turned[-1] - 1].event.answer.card  # type: ignore[union-attr]
    old = pit.table.results
    pit.correct(turned[-1], Turned("Ah" if was[0] != "A" else "2h"))
    new = pit.table.results
    assert new != old
    now = [act for act in pit.procedure.now if act.spot]
    wrong = [act for act in now if act.line.endswith("by mistake")]
    assert len(wrong) == len([one for one in old if one not in new]) > 0
    done_again = [one for one in new if one in old]
    assert all((one.seat, one.spot) in paid for one in done_again)
    assert not {(act.seat, act.spot) for act in now if act not in wrong} & {(o.seat, o.spot) for o in done_again}
    pit.deal(cmd.TickOff(wrong[0].number))
    assert not [act for act in pit.procedure.now if act.line.endswith("by mistake")]
    pit.restart()
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-03", "F-23")
@pytest.mark.parametrize("name", ["one-for-the-money", "yo"])
def test_whoever_deals_the_programs_own_cards_starts_a_round_and_the_program_shuffles(
    name: str, tmp_path: Path
) -> None:
    pit = Pit(tmp_path / "records.db", mixed(GAMES[name], "program", DUTIES))
    assert pit.procedure.asked.kind == "start"
    pit.deal(cmd.StartRound())
    pit.note()
    assert pit.table.root is not None
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-13", "F-20")
def test_nobody_corrects_what_they_have_entered_themselves(tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["one-for-the-money"]), "turn")
    both = employed(pit.house, Role.DEALER, Role.SUPERVISOR)
    pit.deal(cmd.SignOn(), both)
    with pytest.raises(Refused, match="You deal at this table; another supervisor corrects"):
        pit.house.pit.correct("money", cmd.Correct(1, Placed(1, "ante", 600), "misread"), both)
    pit.correct(1, Placed(1, "ante", 600))
    pit.house.close()


@pytest.mark.rule("F-17", "F-27")
def test_a_void_hands_back_seat_by_seat_from_the_dealer_s_right_as_every_other_settlement_goes(
    tmp_path: Path,
) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["down-under-holdem"]), "bets")
    for spot in ("ante", "bet"):  # the seats put their chips down in turn
        for seat in pit.patrons:
            pit.enter_for(cmd.PlaceFor(seat, spot, pit.settings.limits[spot].least))
    at(pit, "deal")
    before = len(pit.table.effects)
    pit.house.pit.report(pit.settings.id, cmd.Report("misdeal", "two cards at once"), pit.dealer)
    wagers = set(pit.table.wagers)
    pit.resolve("void")
    back = [(act.seat, act.spot) for act in acts_of(pit.table)[before:] if act.spot]
    assert set(back) == wagers
    assert back == sorted(back, key=lambda one: (-(one[0] or 0), list(pit.settings.limits).index(one[1])))
    assert len({seat for seat, _ in back}) == 3
    pit.deal(cmd.TickOff(len(pit.table.effects)))
    pit.check()


@pytest.mark.rule("F-17", "F-27", "D-13")
def test_a_round_that_two_persons_void_leads_through_what_is_still_to_be_taken_paid_and_handed_back(
    tmp_path: Path,
) -> None:
    """The chips of the jackpot are in the tray already: they are paid back, and no spot is looked at for them."""
    pit = at(Pit(tmp_path / "records.db", TABLES["down-under-holdem"]), "bets")
    for seat in pit.patrons:
        for spot in ("ante", "bet", "jackpot"):
            pit.enter_for(cmd.PlaceFor(seat, spot, pit.settings.limits[spot].least))
    while pit.procedure.asked.kind != "turn":
        if pit.procedure.asked.role == "dealer":
            pit.enter(Decided("dealer", "lit"))
        else:
            pit.step()
    pit.deal(cmd.TickOff(len(pit.table.effects)))
    wagers = dict(pit.table.wagers)
    action = pit.house.staff.propose(pit.settings.id, cmd.VoidRound("a card was seen"), pit.supervisor)
    pit.house.staff.sign(action, pit.manager)
    back = pit.procedure.now
    assert {(act.seat, act.spot): act.amount for act in back} == wagers
    assert [act.seat for act in back] == sorted((act.seat for act in back), reverse=True)  # type: ignore[type-var]
    assert {act.do for act in back if act.spot != "jackpot"} == {"return"}
    assert {act.do for act in back if act.spot == "jackpot"} == {"pay"}
    pit.deal(cmd.TickOff(back[0].number))
    assert pit.procedure.now == back[1:]
    pit.check()
    assert pit.procedure.now == back[1:], "nothing of it is forgotten when the house starts again"
    pit.deal(cmd.TickOff(back[-1].number))
    assert pit.procedure.now == ()
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-20", "F-27")
def test_cards_are_called_as_a_dealer_calls_them(tmp_path: Path) -> None:
    assert card_words(3, "card 2") == "seat 3's second card"
    assert card_words(5, "replacement") == "seat 5's replacement"
    assert card_words(None, "flop 3") == "the third flop card"
    assert card_words(None, "upcard") == "the upcard"
    assert card_words(None, "draw 11") == "the draw 11"
    pit = at(Pit(tmp_path / "records.db", TABLES["one-for-the-money"]), "turn")
    pit.enter(Turned("Td"))
    assert pit.procedure.take_back == "Seat 1's card is the ten of diamonds."


@pytest.mark.rule("F-27", "Y-31", "Y-32", "Y-33", "Y-34", "Y-36")
def test_every_move_of_yo_is_a_sentence_to_the_dealer(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", TABLES["yo"])
    told: list[str] = []

    def signals() -> list[str]:
        told[:] = [*told, *(act.text for act in acts_of(pit.table) if act.do in ("signal", "move"))]
        return [act.text for act in acts_of(pit.table)[before:] if act.do in ("signal", "move")]

    pit.deal(cmd.StartRound())
    before = len(pit.table.effects)
    pit.bet()
    pit.close_betting()
    assert pit.procedure.asked.text == "Seat 1 decides: dealer rolls, roll or pass the dice."
    pit.enter_for(cmd.ChooseFor(1, "roll"))
    assert signals() == [
        "Wave your hand across the arc, palm down.",
        "Clear your hands.",
        "Stack all four dice.",
        "Drop all four dice into the cup together.",
        "Clear your hands.",
        "Pass the cup to seat 1: nearest to it, between Yo! of one seat and Play of its neighbour, clear of every"
        " spot.",
    ]
    before = len(pit.table.effects)
    pit.enter(Rolled((2, 4, 5, 6)))
    assert signals() == [
        "Put the cup to the right of the bankroll.",
        "Collect the bonus dice, 5 and 6 up.",
        "Lay the bonus dice in front: they show 11.",
        "Collect the game dice, 2 and 4 up.",
        "Lay the game dice behind: the bonus dice show 11.",
        "Put the marker, YES up, on 6.",
        "Wave your hand across the arc, palm up.",
    ]
    before = len(pit.table.effects)
    for reason in NO_ROLLS:
        while pit.procedure.asked.kind != "roll":
            pit.step()
        pit.enter(NotRolled(reason))
        signals()
    assert not [text for text in told if ": " in text and text.split(":")[0] in ("Cup", "Dice", "Hands", "Hand")]
    assert "Hand the cup to the supervisor; nobody forces the die." in told
    assert "Empty the cup: all four dice come out." in told
    assert told.count("Collect all four dice.") >= len(NO_ROLLS)
    signs = {act.text for act in acts_of(pit.table) if act.do == "signal"}
    assert "Clear your hands." in signs and all("hand" in sign.lower() for sign in signs)


@pytest.mark.rule("Y-26", "Y-27", "Y-28", "F-28")
@pytest.mark.parametrize("kind", BY_KIND)
def test_what_the_document_asks_for_when_something_goes_wrong_with_the_dice_is_told(kind: str, tmp_path: Path) -> None:
    pit = at(Pit(tmp_path / "records.db", TABLES["yo"]), "roll")
    pit.house.pit.report(pit.settings.id, cmd.Report(kind, "seen"), pit.dealer)
    asked = pit.procedure.asked
    assert asked.text == f"{kind[0].upper()}{kind[1:]}: the {asked.role} decides. {BY_KIND[kind].asks}"
    assert BY_KIND[kind].asks
    if BY_KIND[kind].rule == "Y-26":
        assert "takes all four dice and verifies them" in asked.text
