"""A house that is killed under load: nothing of a meter that was acknowledged is lost, and it is exact (F-17, F-25)."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from feltworks.floor.house import House
from feltworks.floor.store.sqlite import Store
from feltworks.floor.verification.verify import verify
from tests.floor.jackpot_killing import prepare
from tests.floor.jackpots import MAIN
from tests.floor.sitting import TODAY
from tests.floor.world import KEYS
from tests.quick import SEED, share


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("F-17", "F-25")
def test_a_house_killed_in_the_middle_of_rounds_keeps_its_meter_to_the_cent(tmp_path: Path) -> None:
    path, chance = tmp_path / "records.db", Random(SEED)
    prepare(path)
    seen = 0
    for kill in range(share(6, soak=200)):
        arguments = [sys.executable, "-m", "tests.floor.jackpot_killing", str(path), str(kill)]
        acknowledged = [0, 0, 0, 0]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randint(60, 400)):  # so many steps, and then at whatever moment
                line = writer.stdout.readline()
                assert line, "the house has ended by itself"
                acknowledged = [int(part) for part in line.split()]
            os.kill(writer.pid, signal.SIGKILL)
            later = writer.stdout.read().splitlines(keepends=True)
        heard = [[int(part) for part in line.split()] for line in later if line.endswith("\n")]
        acknowledged = heard[-1] if heard else acknowledged
        with Store(path) as store:
            house = House(store, KEYS, lambda: TODAY)
            assert not house.fault and set(house.tables) == {"one", "two"}
            meter = house.jackpots.known(MAIN)
            assert store.last_commit() >= acknowledged[0] and meter.version >= acknowledged[1]
            lines = {line.number: line for line in house.jackpots.statement(MAIN, store, limit=meter.version)}
            assert [lines[acknowledged[1]].meter, lines[acknowledged[1]].reserve] == acknowledged[2:]
            assert house.jackpots.wrong_books(MAIN, store) == []
            store.check_books()
            seen = meter.version
    assert seen > 10
    report = verify(path, KEYS.public)
    assert report.ok, report.problems
