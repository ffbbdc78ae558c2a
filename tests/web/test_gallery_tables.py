"""Games of the gallery at a table: what is dealt by people is settled, listed and recalled as the Round says, without a
line written for the game."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.cli.floor_commands import replay
from feltworks.floor.recall import replayed
from feltworks.kit.steps import Incident, Settlement
from tests.web.dealing import Session, dealt_by_hand
from tests.web.robots import Json, LocalServer, table_of

ENTERED = {"roulette": "pocket", "craps": "dice", "punto-banco": "card"}
"""What whoever deals a game enters at the console."""
ROUNDS = 3

Nets = Counter[tuple[int, str]]


def settled_by_the_round(records: Path, game: str, number: int) -> Nets:
    """What every wager won or lost in cents, by playing the round anew with the answers that were recorded."""
    recalled = replayed(records, game, number)
    nets, now = Nets(), recalled.start
    for _, answer, _ in recalled.happenings:
        assert not isinstance(answer, Incident)
        now = now.after(answer)
        for effect in now.effects:
            if isinstance(effect, Settlement):
                cents = 100 * effect.net()
                nets[effect.seat, effect.spot] += round(cents) if cents.denominator > 1 else int(cents)
    assert now.over
    return nets


def answered(recall: Json) -> Iterator[Json]:
    return (record["event"] for record in recall["records"] if record["event"]["kind"] == "answered")


def settled_as_recalled(recall: Json) -> Nets:
    nets = Nets()
    for effect in (effect for event in answered(recall) for effect in event["effects"]):
        if effect["kind"] == "settled":
            lost = effect["amount"] if effect["stake"] == "taken" else 0
            nets[effect["seat"], effect["spot"]] += effect["paid"] - lost
    return nets


def told(cents: int) -> str:
    return f"{'wins' if cents > 0 else 'loses'} {abs(cents) / 100:g}" if cents else "comes out even"


@pytest.mark.rule("F-18", "F-20", "F-27")
@pytest.mark.parametrize("game", ENTERED)
def test_rounds_that_people_deal_are_settled_listed_and_recalled_as_the_round_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    with LocalServer(tmp_path, [dealt_by_hand(table_of(game))]) as server:
        session = Session(server, server.tables[0], (1, 3))
        for _ in range(ROUNDS):
            session.round()
        assert session.asked[ENTERED[game]] >= ROUNDS
        listed = {row["round"]: row for row in server.get(f"/api/tables/{game}/rounds")["rounds"]}
        for number in range(1, ROUNDS + 1):
            recall, row = server.get(f"/api/tables/{game}/rounds/{number}"), listed[number]
            nets = settled_by_the_round(server.records, game, number)
            assert nets and nets == settled_as_recalled(recall)
            turned, rolled, spun = (
                [event["answer"][what] for event in answered(recall) if event["answer"].get(what)]
                for what in ("card", "faces", "pocket")
            )
            assert row["over"] and row["rolls"] == len(rolled)
            assert row["dice"] == (rolled[-1] if rolled else None)
            assert (row["pocket"] or {}).get("name") == (spun[-1] if spun else None)
            assert turned or rolled or spun
            replay(game, number, file=server.records)
            said = capsys.readouterr().out
            assert f"House: {told(-sum(nets.values()))}." in said and "they sum to 0" in said
        server.check()
