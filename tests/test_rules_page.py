import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_every_statement_has_a_test_and_the_rules_page_is_current() -> None:
    check = subprocess.run(
        [sys.executable, "tools/rules.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert check.returncode == 0, check.stdout + check.stderr
