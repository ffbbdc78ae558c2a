"""Disputes (F-19): a claim, the round as evidence, a decision by the precedence of F-05, and money only by that."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as hypothesis
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from feltworks.floor.accounts import CIRCULATION, Kind, account_of, patron_at, table_account
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.evidence import claim_for
from feltworks.floor.house import House
from feltworks.floor.precedence import PRECEDENCE
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.disputes import (
    LONGEST_CLAIM,
    LONGEST_REASON,
    MOST_OPEN,
    MOST_OPEN_EACH,
    ProvenClaim,
    claimed,
    decided,
)
from feltworks.floor.table.pending import Dispute, Pending
from feltworks.floor.table.wins import held_account, pending_after
from feltworks.floor.verification.verify import verify
from tests.floor.employing import employed
from tests.floor.test_held_wins import installed_elsewhere
from tests.floor.test_house import events_of
from tests.floor.test_patrons import TABLES, Pit
from tests.floor.world import KEYS


class Disputed(Pit):
    """A table that people deal, with rounds that somebody does not agree with."""

    def claim(
        self, number: int, actor: Actor, text: str = "My wager was on the other spot.", seat: int | None = None
    ) -> int:
        claim = claim_for(self.house, self.house.store, self.settings.id, number, text, actor, seat)
        return self.house.pending.claim(claim)

    def decide_it(self, dispute: int, actor: Actor | None = None, **changes: Any) -> None:
        given = {"decision": "upheld", "rule": "approved house rules", "reason": "The recall shows it.", **changes}
        self.house.pending.decide_dispute(
            self.settings.id, cmd.DecideDispute(dispute, **given), actor or self.supervisor
        )

    @property
    def own(self) -> Actor:
        return by_person(self.player)


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Disputed]:
    pit = Disputed(tmp_path / "records.db", TABLES["one-for-the-money"], seed=1)
    pit.play(3)
    yield pit
    pit.house.store.close()


@pytest.mark.rule("F-19", "F-05", "F-11")
def test_a_dispute_is_claimed_decided_by_a_kind_of_rules_and_corrected_as_a_new_entry(pit: Disputed) -> None:
    number = pit.claim(2, pit.own, "  I had\n raised, and was paid for a check. ")
    assert pit.table.disputes == {
        1: Dispute(1, 2, 2, pit.player, "I had raised, and was paid for a check.", pit.now, pit.player),
    }
    before = pit.house.balance(pit.player)
    pit.decide_it(number, amount=700)
    assert pit.house.balance(pit.player) == before + 700 and not pit.table.disputes
    last = [*pit.house.store.read("money")][-1]
    assert events_of(pit.house, "money")[-1] == ev.DisputeDecided(
        1, "upheld", "approved house rules", "The recall shows it.", pit.supervisor.id, 700
    )
    assert last.actor == str(pit.supervisor)
    [booking] = [one for one in pit.house.store.entries("money") if one.entry.kind is Kind.CORRECTION]
    assert (booking.entry.payer, booking.entry.cents) == (table_account("money"), 700)
    pit.check()


@pytest.mark.rule("F-19")
def test_what_was_paid_too_much_is_taken_back_and_never_more_than_the_player_has(pit: Disputed) -> None:
    first, has = pit.claim(1, pit.dealer, "Paid twice.", seat=2), pit.house.balance(pit.player)
    with pytest.raises(Refused, match=rf"^The player has {has / 100:,.2f}; no more than that can be taken back\.$"):
        pit.decide_it(first, amount=-has - 1)
    pit.decide_it(first, amount=-500)
    assert pit.house.balance(pit.player) == has - 500
    pit.check()


@pytest.mark.rule("F-19")
def test_two_supervisors_decide_one_dispute_once_and_the_second_is_told(pit: Disputed) -> None:
    number, other = pit.claim(3, pit.own), employed(pit.house, Role.SUPERVISOR)
    pit.decide_it(number, decision="rejected")
    before = pit.house.store.last_commit()
    with pytest.raises(Refused, match=r"^Dispute 1 is decided already; the records say how, and by whom\.$"):
        pit.decide_it(number, other, amount=900)
    with pytest.raises(Refused, match=r"^There is no such dispute at this table\.$"):
        pit.decide_it(7, other)
    assert pit.house.store.last_commit() == before


@pytest.mark.rule("F-19", "F-13")
def test_who_takes_a_dispute_down_does_not_decide_it_and_what_is_decided_stands(pit: Disputed) -> None:
    number = pit.claim(1, pit.supervisor, seat=1)
    with pytest.raises(Refused, match=r"^You have taken this dispute down; another supervisor decides it\.$"):
        pit.decide_it(number, amount=500)
    pit.decide_it(number, employed(pit.house, Role.SUPERVISOR), amount=500)
    for actor, seat in ((pit.dealer, 1), (pit.supervisor, 1)):
        with pytest.raises(Refused, match=r"^Round 1 was disputed for seat 1, and what was decided stands\.$"):
            pit.claim(1, actor, seat=seat)
    pit.claim(1, pit.own)


@pytest.mark.rule("F-19", "F-17")
def test_open_disputes_outlive_a_restart_a_snapshot_and_the_shift(pit: Disputed) -> None:
    pit.claim(1, pit.own)
    pit.play(2)
    again = House(pit.house.store, KEYS, lambda: pit.now + 10)
    assert again.pending.open_disputes() == pit.house.pending.open_disputes() == [("money", pit.table.disputes[1])]
    again.close_table("money", "the shift ends")
    assert again.live("money").table.service == "closed"
    decision = cmd.DecideDispute(1, "upheld", "Hoyle", "It is so.", 300)
    again.pending.decide_dispute("money", decision, pit.supervisor)
    assert again.pending.open_disputes() == [] and verify(pit.path, KEYS.public).ok


@pytest.mark.rule("F-19")
def test_a_dispute_is_decided_though_the_rules_of_its_table_are_gone(
    pit: Disputed, monkeypatch: pytest.MonkeyPatch
) -> None:
    pit.claim(1, pit.own)
    with monkeypatch.context() as away:
        away.setattr("feltworks.floor.recovery.check_rules", installed_elsewhere)
        away.setattr("feltworks.floor.recovery.Recovery._from_snapshot", lambda *_: None)
        house = House(pit.house.store, KEYS, lambda: pit.now + 5)
    before = house.balance(pit.player)
    house.pending.decide_dispute("money", cmd.DecideDispute(1, "upheld", "Hoyle", "It is so.", 300), pit.supervisor)
    assert house.balance(pit.player) == before + 300 and house.pending.open_disputes() == []
    report = verify(pit.path, KEYS.public)
    assert report.ok, report.problems


@pytest.mark.rule("F-19")
def test_only_rounds_that_are_over_are_disputed_by_who_had_chips_in_them(pit: Disputed) -> None:
    pit.step()
    stranger = by_person(pit.house.people.guest()[0])
    for number in (-1, 0, 4, 99, 2**60):
        with pytest.raises(Refused, match="Only a round that is over can be disputed; choose one from the table's"):
            pit.claim(number, pit.own)
    with pytest.raises(Refused, match=r"^You had no chips in round 2; only who played a round can dispute it\.$"):
        pit.claim(2, stranger)
    with pytest.raises(Refused, match=r"^Nobody had chips at seat 4 in round 2\.$"):
        pit.claim(2, pit.dealer, seat=4)
    with pytest.raises(Refused, match=r"^You can dispute a round only for yourself\.$"):
        pit.house.pending.claim(ProvenClaim("money", cmd.Claim(2, 2, pit.player, "it was mine"), stranger))
    with pytest.raises(Refused, match=r"^Round 4 cannot be disputed; rounds 1 to 3 are over\.$"):
        pit.house.pending.claim(ProvenClaim("money", cmd.Claim(4, 2, pit.player, "it will be"), pit.own))
    assert not pit.table.disputes


@pytest.mark.rule("F-19")
def test_a_flood_of_claims_is_refused_in_words_and_what_is_said_has_an_end(pit: Disputed) -> None:
    pit.claim(1, pit.own)
    with pytest.raises(Refused, match=r"^Round 1 is disputed already; dispute 1 is not decided yet\.$"):
        pit.claim(1, pit.own, "Once more.")
    for text, said in (
        ("", "Say what was wrong in the round."),
        (" \n ", "Say what was wrong in the round."),
        ("x" * (LONGEST_CLAIM + 1), f"Say it in at most {LONGEST_CLAIM} characters; these are {LONGEST_CLAIM + 1}."),
        ("a\x00b", "Some of these characters cannot be shown; write it in plain text."),
    ):
        with pytest.raises(Refused) as refusal:
            pit.claim(2, pit.own, text)
        assert str(refusal.value) == said
    pit.claim(2, pit.own)
    pit.claim(3, pit.own, "x" * LONGEST_CLAIM)
    pit.play(1)
    with pytest.raises(Refused, match=rf"^{MOST_OPEN_EACH} disputes of yours are open at this table; wait until they"):
        pit.claim(4, pit.own)
    pit.decide_it(2, decision="rejected")
    assert pit.claim(4, pit.own) == 4


@pytest.mark.rule("F-19")
def test_a_decision_needs_a_reason_a_kind_of_rules_and_somebody_who_is_no_party_to_it(pit: Disputed) -> None:
    number = pit.claim(1, pit.own)
    refused: list[tuple[dict[str, Any], str]] = [
        ({"reason": " "}, "Say why: the rule that decides it, and what the round shows."),
        ({"reason": "x" * (LONGEST_REASON + 1)}, f"Say it in at most {LONGEST_REASON} characters; these are 1001."),
        ({"rule": "what I think"}, f"Say which rules decide it: {', '.join(PRECEDENCE)}."),
        (
            {"decision": "rejected", "amount": 5},
            "A dispute that is rejected moves no money; uphold it to correct what was",
        ),
        ({"amount": 10**12}, "A correction is at most 1,000,000.00."),
    ]
    for changes, said in refused:
        with pytest.raises(Refused) as refusal:
            pit.decide_it(number, **changes)
        assert str(refusal.value).startswith(said)
    for actor in (pit.dealer, pit.own, PROGRAM, employed(pit.house, Role.MANAGER)):
        with pytest.raises(Refused, match="Decide dispute is not for"):
            pit.decide_it(number, actor)
    pit.house.command("money", pit.player, cmd.Leave())
    pit.house.staff.give_roles(pit.player, ["supervisor"], "hired", PROGRAM)
    with pytest.raises(Refused, match=r"^That is your own dispute; somebody else of the house decides it\.$"):
        pit.decide_it(number, pit.own)
    pit.decide_it(number)


@pytest.mark.rule("F-19", "F-10")
def test_the_dispute_of_a_patron_is_paid_to_the_seat_and_after_that_in_chips(pit: Disputed) -> None:
    first, second = (pit.claim(number, pit.dealer, seat=1) for number in (1, 2))
    seat = str(account_of(patron_at("money", 1)))
    has = pit.house.journal.balance(seat)
    pit.decide_it(first, amount=400)
    assert pit.house.journal.balance(seat) == has + 400
    pit.enter(cmd.PatronLeaves(1))
    pit.enter(cmd.SeatPatron(1, 5_000))
    late, before = pit.claim(3, pit.dealer, seat=1), pit.house.journal.balance(str(CIRCULATION))
    assert [pit.table.disputes[n].player for n in (second, late)] == ["", ""]
    with pytest.raises(Refused, match=r"^The patron has left with the chips; nothing can be taken back\.$"):
        pit.decide_it(second, amount=-100)
    pit.decide_it(second, amount=300)
    pit.decide_it(late, amount=200)
    assert pit.house.journal.balance(str(CIRCULATION)) == before + 500
    assert pit.house.journal.balance(seat) == 5_000
    with pytest.raises(Refused, match=r"^Nobody without an account sits at seat 4\.$"):
        pit.house.pending.claim(ProvenClaim("money", cmd.Claim(1, 4, patron_at("money", 4), "it was mine"), pit.dealer))
    pit.check()


@pytest.mark.rule("F-19")
def test_a_correction_over_the_limit_is_held_like_any_other_win_until_surveillance_has_verified_it(
    pit: Disputed,
) -> None:
    surveillance, before = employed(pit.house, Role.SURVEILLANCE), pit.house.balance(pit.player)
    pit.decide_it(pit.claim(1, pit.own), amount=300_000)
    assert pit.house.balance(pit.player) == before + 300_000 and not pit.table.wins
    pit.decide_it(pit.claim(2, pit.own), amount=300_001)
    [win] = pit.table.wins.values()
    assert (win.round, win.line, win.cents, win.player) == (2, "dispute 2", 300_001, pit.player)
    assert pit.house.balance(pit.player) == before + 300_000
    assert pit.house.journal.balance(str(held_account("money"))) == 300_001
    pit.house.pending.verify_win("money", win.id, surveillance)
    assert pit.house.balance(pit.player) == before + 600_001
    assert pit.house.journal.balance(str(held_account("money"))) == 0
    pit.check()


# Whatever is claimed and decided in whatever order.

SEATS = {"ann": 1, "bob": 2, "cyd": 3, "dee": 4, "eve": 5}
NAMES = st.sampled_from(sorted(SEATS))


class Desk(RuleBasedStateMachine):
    """Claims and decisions without a table: what is open is what was claimed and not decided."""

    def __init__(self) -> None:
        super().__init__()
        self.pending, self.open, self.made = Pending(), dict[int, tuple[str, int]](), 0
        self.stands = set[tuple[str, int]]()

    def happen(self, event: ev.Event) -> None:
        self.pending = pending_after(self.pending, event, "money", 1, 1, {}, 0)

    @rule(player=NAMES, round=st.integers(-1, 9), text=st.text(max_size=8))
    def claim(self, player: str, round: int, text: str) -> None:
        same = [number for number, (who, _) in self.open.items() if who == player]
        allowed = (
            1 <= round <= 7
            and " ".join(text.split()).isprintable()
            and bool(text.split())
            and (player, round) not in self.open.values()
            and (player, round) not in self.stands
            and len(same) < MOST_OPEN_EACH
            and len(self.open) < MOST_OPEN
        )
        try:
            event = claimed(
                self.pending, cmd.Claim(round, SEATS[player], player, text), by_person(player), 7, sits=True
            )
        except Refused:
            assert not allowed
            return
        assert allowed
        self.made += 1
        assert event.dispute == self.made
        self.open[event.dispute] = (player, round)
        self.happen(event)

    @precondition(lambda self: self.made)
    @rule(data=st.data(), amount=st.integers(-300, 300), upheld=st.booleans())
    def decide(self, data: st.DataObject, amount: int, upheld: bool) -> None:
        number = data.draw(st.integers(1, self.made + 1))
        command = cmd.DecideDispute(number, "upheld" if upheld else "rejected", "Hoyle", "so", amount)
        allowed = number in self.open and (upheld or not amount) and amount >= -200
        try:
            event = decided(self.pending, command, by_person("sue"), lambda _: 200, 0)
        except Refused:
            assert not allowed
            return
        assert allowed
        self.stands.add(self.open.pop(number))
        self.happen(event)

    @invariant()
    def what_is_open_is_what_nobody_has_decided(self) -> None:
        assert {n: (d.player, d.round) for n, d in self.pending.disputes.items()} == self.open
        assert self.pending.claims == self.made


@pytest.mark.rule("F-19")
def test_whatever_is_claimed_and_decided_in_whatever_order_is_open_until_somebody_has_decided_it() -> None:
    many = hypothesis(max_examples=60, stateful_step_count=30, deadline=None)
    run_state_machine_as_test(Desk, settings=many)
