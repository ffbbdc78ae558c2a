"""Whether a command was carried out, by the list of commits."""

from collections.abc import Sequence

from feltworks.floor.store.reader import Reader


def commit_of(store: Reader, actors: Sequence[str], id: str) -> int | None:
    """The place of the commit of a command that was carried out, if it was."""
    done = store.done(actors, id)
    return None if done is None else done.id
