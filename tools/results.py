"""Count what ships with the package: the results of every game with a folder for them, as it is by default."""

import tempfile
from pathlib import Path

from feltworks import games
from feltworks.lab.count_files import SHIPPED, Results


def main() -> None:
    for name in games.names():
        game = games.load(name)
        folder = game.folder / SHIPPED
        if game.enumerator and folder.is_dir():
            with tempfile.TemporaryDirectory() as cache:
                results = Results(game, cache=Path(cache), recount=True)
                for part in results.enumerator.PARTS:
                    results(part)
            for old in folder.glob("*.json"):
                old.unlink()
            path = results.write(folder, results.sources)
            path.chmod(0o644)
            print(f"{path.name}: {', '.join(results.sources)}")


if __name__ == "__main__":
    main()
