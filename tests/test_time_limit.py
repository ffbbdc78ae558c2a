"""No test hangs a run, and nothing that a test starts outlives it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

CHILD = "import sys, time; pipe = open(sys.argv[1], 'w'); print('there', file=pipe, flush=True); time.sleep(3600)"
HANGING = f"""
import signal, threading, time
from tests.children import child

def test_waits():
    threading.Event().wait()

def test_hears_no_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, {{signal.SIGALRM}})
    with child("-c", {CHILD!r}, "pipe"):
        time.sleep(3600)

def test_goes_on():
    pass
"""


def test_every_test_has_a_limit(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getini("timeout_method") == "signal"  # the test fails, and its worker goes on
    assert 0 < float(pytestconfig.getini("timeout")) < float(pytestconfig.getini("faulthandler_timeout"))
    assert pytestconfig.getini("faulthandler_exit_on_timeout") is True  # where a test does not hear the signal


def test_a_soak_has_hours_for_a_test_before_it_is_taken_to_hang() -> None:
    printed = subprocess.run(["make", "-n", "soak"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    [command] = [line for line in printed.splitlines() if "-m soak" in line]
    given = dict(re.findall(r"(timeout|faulthandler_timeout)=(\d+)", command.replace("--override-ini=", "")))
    assert 2 * 3_600 <= int(given["timeout"]) < int(given["faulthandler_timeout"])


@pytest.mark.slow
def test_a_test_that_hangs_fails_with_its_stack_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "test_hanging.py").write_text(HANGING)
    os.mkfifo(tmp_path / "pipe")
    end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    settings = ["--timeout=3", "--override-ini=faulthandler_timeout=12", f"--config-file={ROOT / 'pyproject.toml'}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "pytest_timeout", "-n1", "-rN", *settings, tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "    threading.Event().wait()\n" in done.stdout and "Timeout (>3.0s) from pytest-timeout." in done.stdout
    assert done.stdout.count("crashed while running") == 1 and "in test_hears_no_signal" in done.stderr
    os.set_blocking(end, True)
    with open(end) as pipe:  # which ends when the child has
        assert pipe.read() == "there\n"
