"""What is compiled is compiled anew when anything has changed that it is made of."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
from felt_toy.helper import NUMBER, helper
from feltworks.kit.compiled import compiled


@compiled
def number():
    return helper() + NUMBER


if __name__ == "felt_toy.module":
    print(number())
"""
HELPER = """
from feltworks.kit.compiled import compiled

NUMBER = {}


@compiled
def helper():
    return {}
"""


@pytest.mark.slow
def test_a_changed_helper_or_constant_of_another_file_is_in_the_compiled_code(tmp_path: Path) -> None:
    """Also where the user has told Numba where to keep what it compiles."""
    toy = tmp_path / "felt_toy"
    toy.mkdir()
    (toy / "__init__.py").write_text("")
    (toy / "module.py").write_text(MODULE)
    place = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    for constant, helped in (
        (1, 10),
        (22, 200),
    ):  # of another size: Python takes a file of the same second for the same
        (toy / "helper.py").write_text(HELPER.format(constant, helped))
        command = [sys.executable, "-c", "import felt_toy.module"]
        env = {**os.environ, **place}
        told = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        assert int(told.stdout) == constant + helped
    assert len(list((tmp_path / "numba").glob("compiled-*"))) == 4  # of two modules, each as it was twice
