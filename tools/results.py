"""Count what ships with the package: the results of every game that counts its own deals, as it is by default."""

import tempfile
from pathlib import Path

from feltworks import games
from feltworks.lab.results import SHIPPED, Results


def main() -> None:
    for name in games.names():
        game = games.load(name)
        if game.enumerator:
            with tempfile.TemporaryDirectory() as cache:
                results = Results(game, cache=Path(cache), shipped=False)
                for part in results.enumerator.PARTS:
                    results(part)
            folder = game.folder / SHIPPED
            for old in folder.glob("*.json"):
                old.unlink()
            print(f"{results.write(folder).name}: {', '.join(results.parts)}")


if __name__ == "__main__":
    main()
