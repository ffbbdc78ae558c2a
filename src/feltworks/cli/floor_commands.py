"""The commands of the floor: serving the tables, and looking after their records."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from feltworks.cli.game_commands import app as app
from feltworks.cli.options import AsJson
from feltworks.floor.folder import PUBLIC, RECORDS, data_folder

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Where the records lie; your own folder unless told."),
]


@app.command()
def serve(
    data: Data = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; the next free one unless told.")] = 8000,
    demo: Annotated[bool, typer.Option("--demo", help="Open a training table of each game.")] = False,
    public: Annotated[bool, typer.Option("--public", help="Allow an address that others can reach.")] = False,
    sockets: Annotated[int, typer.Option(min=1, help="Connections that one address may have open.")] = 100,
    connects: Annotated[int, typer.Option(min=1, help="Connections that one address may open in a minute.")] = 600,
    guests: Annotated[int, typer.Option(min=1, help="New guests that may come from one address in an hour.")] = 200,
) -> None:
    """Serve tables to browsers, with play money."""
    from feltworks.web.guard import Caps
    from feltworks.web.serving import serve as start

    def told(address: str) -> None:
        typer.echo(f"Feltworks is at {address}  (Ctrl-C ends it; nothing is lost)")

    start(data, host, port, demo=demo, public=public, caps=Caps(sockets, connects, guests), told=told)


Table = Annotated[str, typer.Argument(metavar="TABLE", help="The id of the table.")]


@app.command()
def verify(
    data: Data = None,
    file: Annotated[Path | None, typer.Option("--file", help="One file of records, such as a backup.")] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="The house's public key that you kept elsewhere.")
    ] = None,
    heads: Annotated[
        Path | None, typer.Option("--heads", metavar="FILE", help="Signed heads that you kept elsewhere.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write the signed heads to keep elsewhere.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Check every record: the chain, the signatures, the books, the rules, the limits and clocks, and the cards and
    dice that were opened."""
    from feltworks.cli.output import print_json
    from feltworks.floor.keeping import export_heads, read_heads
    from feltworks.floor.sealing import read_public
    from feltworks.floor.verifying import verify as check

    records = _records(data, file)
    beside = records.with_name(PUBLIC)
    key = key or (beside if beside.is_file() else None)
    report = check(records, read_public(key) if key else None, heads=read_heads(heads) if heads else ())
    if export and report.ok:
        report.notes.append(f"{export}: {_counted(export_heads(records, export), 'signed head')} to keep elsewhere.")
    if json:
        print_json({"ok": report.ok, **asdict(report)})
    else:
        counts = {
            "event": report.records,
            "stream": report.streams,
            "entry": report.entries,
            "round": report.rounds,
            "opening": report.openings,
            "signed head": report.heads,
        }
        typer.echo(", ".join(_counted(number, thing) for thing, number in counts.items()) + ".")
        for note in report.notes:
            typer.echo(f"note: {note}")
        for problem in report.problems:
            typer.echo(f"wrong: {problem}")
        problems = _counted(len(report.problems), "problem")
        typer.echo("Everything is in order." if report.ok else f"{problems} found.")
    raise typer.Exit(0 if report.ok else 1)


@app.command()
def replay(
    table: Table,
    round: Annotated[
        int | None, typer.Argument(metavar="[ROUND]", help="Its number; the last one unless told.")
    ] = None,
    data: Data = None,
    file: Annotated[Path | None, typer.Option("--file", help="One file of records, such as a backup.")] = None,
) -> None:
    """Tell a round again, step by step, from its records."""
    from feltworks.floor.replaying import replayed
    from feltworks.kit.transcript import transcript

    replayed_round = replayed(_records(data, file), table, round)
    unfinished = f", {replayed_round.unfinished}" if replayed_round.unfinished else ""
    typer.echo(f"Recall: table {table}, round {replayed_round.number}{unfinished}; amounts in dollars\n")
    typer.echo(transcript(replayed_round.start, replayed_round.happenings, standing=replayed_round.standing))


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="The copy; it must not be there yet.")],
    data: Data = None,
) -> None:
    """Copy the records while they are in use, and verify the copy. The key file is not in it."""
    from feltworks.floor.keeping import backup as copy

    report = copy(_records(data, None), to)
    typer.echo(f"{to}: {report.records} events; {'everything is in order' if report.ok else 'it has problems'}.")
    raise typer.Exit(0 if report.ok else 1)


def _counted(number: int, thing: str) -> str:
    many = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    return f"{number} {thing if number == 1 else many}"


def _records(data: Path | None, file: Path | None) -> Path:
    return file if file is not None else data_folder(data) / RECORDS
