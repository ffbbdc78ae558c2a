"""The clerk: what is carried out in one group is decided as if none of it had been done before, and decided anew where
that was not so."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import StoreError
from feltworks.floor.table import commands as cmd
from feltworks.web.clerk import Clerk, Order
from feltworks.web.serving import open_house
from feltworks.web.worker import Worker
from tests.web.robots import money

Given = tuple[Callable[[], Any], tuple[str, str] | None]
"""What an order does, and the command that it is."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house with a table at which two players have a seat, and betting is open."""
    house = open_house(tmp_path)
    house.open_table(money())
    yield house
    house.close()


@pytest.fixture
def players(house: House) -> list[str]:
    seated = []
    for seat in (1, 2):
        player, _ = house.people.guest()
        house.command("money", player, cmd.Sit(seat))
        seated.append(player)
    house.deal_on("money", "start round")
    return seated


def placing(house: House, player: str, id: str, cents: int = 100, then: Callable[[], object] = lambda: None) -> Given:
    """An order that puts chips on Ante."""

    def carry_out() -> int | None:
        then()
        return house.give("money", player, cmd.Place("ante", cents), id)

    return carry_out, (player, id)


def in_one_group(house: House, *orders: Given) -> list[tuple[Any, Any]]:
    """Let a clerk carry out some orders that come at once: what each is told."""
    told: list[tuple[Any, Any]] = [(None, None)] * len(orders)

    async def carried_out() -> Clerk:
        clerk = Clerk(house)

        def tell(n: int, answer: Any, problem: Exception | None) -> None:
            told[n] = answer, problem

        for n, (carry_out, command) in enumerate(orders):
            clerk.take(Order(carry_out, partial(tell, n), command))
        clerk.start()
        while not all(map(any, told)):
            await asyncio.sleep(0.001)
        await clerk.stop()
        return clerk

    assert asyncio.run(carried_out()).groups <= 1
    return told


def down(house: House) -> Sequence[int]:
    """What lies on the table, seat by seat."""
    return [int(cents) for (_, spot), cents in sorted(house.live("money").table.wagers.items()) if spot == "ante"]


def test_a_command_that_was_done_is_answered_again_and_those_beside_it_are_done_once(
    house: House, players: list[str]
) -> None:
    ann, ben = players
    first = house.give("money", ann, cmd.Place("ante", 100), "one")
    decided: list[str] = []
    again, other = in_one_group(
        house,
        placing(house, ann, "one", then=lambda: decided.append("again")),
        placing(house, ben, "two", 200, then=lambda: decided.append("other")),
    )
    assert again == (first, None)
    assert other == (first + 1 if first else None, None)
    assert down(house) == [100, 200]
    assert decided == ["again", "other"] * 2  # the first decision was dropped


def test_a_command_that_was_done_and_could_not_be_done_now_is_answered_again(house: House, players: list[str]) -> None:
    _, ben = players
    leave = partial(house.give, "money", ben, cmd.Leave(), "leaves")
    left = leave()
    with pytest.raises(Refused):
        house.give("money", ben, cmd.Leave(), "once more")
    assert in_one_group(house, (leave, (ben, "leaves"))) == [(left, None)]


def test_what_nobody_has_done_before_is_decided_once(house: House, players: list[str]) -> None:
    decided: list[str] = []
    orders = [placing(house, player, f"new {player}", then=lambda: decided.append("once")) for player in players]
    assert all(problem is None for _, problem in in_one_group(house, *orders))
    assert len(decided) == 2


def test_an_order_without_an_id_is_carried_out_once_whatever_is_repeated_beside_it(
    house: House, players: list[str]
) -> None:
    ann, _ = players
    house.give("money", ann, cmd.Place("ante", 100), "one")
    done: list[str] = []

    def alone() -> bool:
        done.append("alone")
        return True

    assert in_one_group(house, placing(house, ann, "one"), (alone, None))[1] == (True, None)
    assert done == ["alone"]
    assert down(house) == [100]


def test_where_the_records_cannot_be_read_nothing_is_done_and_everybody_is_told(
    house: House, players: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise StoreError("The disk is gone.")

    before = house.journal.position.id
    monkeypatch.setattr(house.store, "done", broken)
    (answer, problem), *_ = in_one_group(house, placing(house, players[0], "one"))
    assert (answer, str(problem)) == (None, "The disk is gone.")
    monkeypatch.undo()
    assert (down(house), house.journal.position.id) == ([], before)
    assert in_one_group(house, placing(house, players[0], "one")) == [(before + 1, None)]


# The thread in which it writes.


def test_a_worker_does_one_thing_after_the_other_and_says_what_came_of_each() -> None:
    async def asked() -> list[object]:
        worker, done = Worker("test"), []
        for n in range(3):
            waiting = asyncio.create_task(worker.do(partial(divmod, 7, n)))
            done.append(waiting)
        found = await asyncio.gather(*done, return_exceptions=True)
        worker.stop()
        return list(found)

    first, *others = asyncio.run(asked())
    assert isinstance(first, ZeroDivisionError)
    assert others == [(7, 0), (3, 1)]


def test_a_worker_that_is_stopped_has_done_what_it_was_given_though_nobody_waits_for_it() -> None:
    done: list[int] = []

    async def given_up() -> None:
        worker = Worker("test")
        tasks = [asyncio.create_task(worker.do(partial(done.append, n))) for n in range(3)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        worker.stop()

    asyncio.run(given_up())
    assert done == [0, 1, 2]
