"""Set-up as a newcomer runs it: a user without rights, on a machine with no browser.

The checkout is a copy of what set-up reads. Python's and npm's packages do not come over the network: stand-ins put
down what set-up looks for.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
SOURCE = "Makefile .gitignore package.json package-lock.json pyproject.toml requirements tools".split()
SYSTEM = "sh basename cat chmod cp dirname expand find git grep make mkdir mktemp mv python3 rm sed sleep touch".split()

PIP = f"""#!/bin/sh
case "$*" in *" pip "*) exit 0 ;; *) exec {sys.executable} "$@" ;; esac
"""
NPM = """#!/bin/sh
[ "$1 $2" = "ci --prefix" ] || exit 0
mkdir -p "$3/node_modules" && cd "$3/node_modules" || exit
for package in preact htm @fontsource-variable/figtree @fontsource/bodoni-moda; do
    mkdir -p $package && touch $package/LICENSE
done
mkdir -p preact/dist preact/hooks/dist htm/dist @fontsource-variable/figtree/files @fontsource/bodoni-moda/files
touch preact/dist/preact.mjs preact/hooks/dist/hooks.mjs htm/dist/htm.mjs
touch @fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2
touch @fontsource/bodoni-moda/files/bodoni-moda-latin-600-normal.woff2
"""
NODE = """#!/bin/sh
[ "$1" != --version ] && [ ! -e "$TMPDIR/chromium" ] || exit 0
echo "#!/bin/sh" >"$TMPDIR/chromium" && chmod +x "$TMPDIR/chromium"
"""


class Newcomer:
    """Somebody with a fresh checkout, who has the tools that every system has, npm, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.checkout, self.path = folder / "checkout", folder / "bin"
        self.checkout.mkdir()
        self.path.mkdir()
        for name in SOURCE:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, self.checkout / name)
        for name in ("bench", "docs", "examples", "src", "tests"):
            (self.checkout / name).mkdir()
        (self.checkout / "docs" / "index.md").write_text("# A page\n")
        (self.checkout / "zensical.toml").write_text('[project]\nsite_name = "Pages"\n')
        for name in SYSTEM:
            (self.path / name).symlink_to(str(shutil.which(name)))
        self.install(self.path, npm=NPM, node=NODE, id="#!/bin/sh\necho 1000\n")
        self.install(self.checkout / ".venv" / "bin", python=PIP, zensical=f'#!/bin/sh\nexec {BIN / "zensical"} "$@"\n')
        self.run("git", "init", "--quiet")
        self.run("git", "add", ".")

    @staticmethod
    def install(folder: Path, **scripts: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, script in scripts.items():
            (folder / name).write_text(script)
            (folder / name).chmod(0o755)

    def run(self, *command: str) -> str:
        environment = {"PATH": str(self.path), "HOME": str(self.checkout.parent)}
        done = subprocess.run(
            command, cwd=self.checkout, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def newcomer(tmp_path: Path) -> Newcomer:
    return Newcomer(tmp_path)


def test_what_set_up_installs_is_still_there_when_the_documentation_is_built(newcomer: Newcomer) -> None:
    """The build of the documentation empties `.cache/`, where the browser of the tests once lay."""
    newcomer.run("make", "docs")
    assert (newcomer.checkout / "site" / "index.html").is_file()
    browser = newcomer.run(".venv/bin/python", "tools/browser.py").strip()
    assert browser == str(newcomer.checkout / ".venv" / "chromium" / "start")
    assert (newcomer.checkout / "src" / "feltworks" / "web" / "vendor" / "preact.js").is_file()
    assert newcomer.run("make", "--dry-run", "docs").split() == ".venv/bin/zensical build --clean --strict".split()


def test_set_up_leaves_nothing_to_commit_and_clean_leaves_the_source(newcomer: Newcomer) -> None:
    before = newcomer.run("git", "ls-files").split()
    newcomer.run("tools/setup", "dev")
    assert newcomer.run("git", "status", "--porcelain", "--untracked-files=all").count("??") == 0
    newcomer.run("make", "clean")
    left = [path for path in newcomer.checkout.rglob("*") if path.is_file() and ".git" not in path.parts]
    assert sorted(str(path.relative_to(newcomer.checkout)) for path in left) == sorted(before)


def test_a_browser_that_was_half_unpacked_is_unpacked_anew(newcomer: Newcomer) -> None:
    half = newcomer.checkout / ".venv" / "chromium" / "chromium"
    half.parent.mkdir(parents=True)
    half.write_text("half")
    newcomer.run("tools/setup", "dev")
    assert half.read_text() == "#!/bin/sh\n"
