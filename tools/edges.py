"""Compute the exact house edges that the lobby shows: of every version of every game, and of the demo tables."""

import json
from collections.abc import Iterator

from feltworks import games
from feltworks.kit.game import Game
from feltworks.lab.analysis import analyze
from feltworks.web.demo import TABLES


def shown() -> Iterator[Game]:
    """The games whose edges ship."""
    for name in games.names():
        game = games.load(name)
        yield from (game.configured(version=version) for version in game.definition.versions)
    yield from (settings.load_game() for settings in TABLES)


def computed(game: Game) -> dict[str, str]:
    """The exact edge of each wager, or of each of its spots where they differ; that of a jackpot is no number, but
    depends on its prize."""
    found = [analyze(game, wager=name)[name] for name in game.wagers if name not in game.jackpots]
    return {name: str(edge) for each in found for name, edge in (each.by_spot or {each.wager.name: each.edge}).items()}


def main() -> None:
    found: dict[str, dict[str, str]] = {}
    for game in shown():
        definition = game.fingerprint["definition"]
        if definition not in found:
            found[definition] = computed(game)
            print(f"{game.title}, {game.version.title}: {', '.join(found[definition])}", flush=True)
    games.EDGES.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
