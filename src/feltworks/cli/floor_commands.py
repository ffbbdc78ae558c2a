"""The commands of the floor: serving the tables, and looking after their records."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from feltworks.cli.game_commands import app as app
from feltworks.cli.options import AsJson, Folders
from feltworks.floor.data_folder import PUBLIC, RECORDS, data_folder
from feltworks.games import names_in, use
from feltworks.kit.errors import BadValue
from feltworks.kit.printable import printable

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Where the records lie; your own folder unless told."),
]


@app.command()
def serve(
    game_names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Open a training table of each of these.", show_default=False),
    ] = None,
    data: Data = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; the next free one unless told.")] = 8000,
    demo: Annotated[bool, typer.Option("--demo", help="Open a training table of each game.")] = False,
    public: Annotated[bool, typer.Option("--public", help="Allow an address that others can reach.")] = False,
    sockets: Annotated[int, typer.Option(min=1, help="Connections that one address may have open.")] = 100,
    connects: Annotated[int, typer.Option(min=1, help="Connections that one address may open in a minute.")] = 600,
    guests: Annotated[int, typer.Option(min=1, help="New guests that may come from one address in an hour.")] = 200,
    house_key: Annotated[
        Path | None, typer.Option("--house-key", metavar="FILE", help="Where the house's private key lies.")
    ] = None,
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Sign with a new key from now on; the old one signs that it is so.")
    ] = False,
    successor: Annotated[
        list[str] | None,
        typer.Option("--successor", metavar="TABLE", help="Open a table in place of one that cannot be played on."),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", metavar="FILE", help="Serve by TLS, with this certificate.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="The certificate's key.")] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option("--trusted-proxy", metavar="ADDRESS", help="A proxy that is believed for whom it speaks."),
    ] = None,
    host_name: Annotated[
        list[str] | None, typer.Option("--host-name", metavar="NAME", help="A name that the house is known by.")
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metrics", metavar="ADDRESS", help="Who may see /metrics, beside this machine."),
    ] = None,
    log: Annotated[
        str | None, typer.Option("--log", metavar="FILE", help="Log there as lines of JSON; - is standard output.")
    ] = None,
    folders: Folders = None,
) -> None:
    """Serve tables to browsers, with play money.

    A house without a manager opens a training table of each game that is named, or of each in a folder of --games."""
    use(folders or ())
    from feltworks.web.entrance import Entrance
    from feltworks.web.guard import Caps
    from feltworks.web.serving import serve as start

    if (tls_cert is None) != (tls_key is None):
        raise BadValue("A certificate and its key belong together: give both --tls-cert and --tls-key.")
    start(
        data,
        host,
        port,
        demo=demo,
        public=public,
        caps=Caps(sockets, connects, guests),
        told=typer.echo,
        house_key=house_key,
        new_key=new_key,
        successors=successor or (),
        tls=(tls_cert, tls_key) if tls_cert and tls_key else None,
        entrance=Entrance.of(host, public, host_name or (), trusted_proxy or (), metrics or ()),
        log=log,
        games=game_names or (),
        found=() if game_names else names_in(folders or ()),
    )


class Doing(StrEnum):
    """What can be done with the tables of a house that is served."""

    LIST = "list"
    PAUSE = "pause"
    RESUME = "resume"
    CLOSE = "close"
    REOPEN = "reopen"
    OPEN = "open"
    NIGHT = "night"


@app.command()
def tables(
    do: Annotated[Doing, typer.Argument(help="What to do.")] = Doing.LIST,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The id of the table; of a new one, its id.")] = "",
    data: Data = None,
    reason: Annotated[str, typer.Option(help="Why it is paused or closed, for everybody to read.")] = "",
    like: Annotated[str, typer.Option(metavar="TABLE", help="Open a table with the settings of this one.")] = "",
    name: Annotated[str, typer.Option(help="What the new table is called.")] = "",
    json: AsJson = False,
) -> None:
    """Run the tables while they are served.

    Pause one, resume it, close it after its round, reopen it, open a new one; and close the house for the night, which
    stops the server when every round is over."""
    import msgspec

    from feltworks.cli.output import print_json
    from feltworks.web.control import Request, ask

    if do not in (Doing.LIST, Doing.NIGHT) and not table:
        raise BadValue(f"Say which table: `felt tables {do.value} TABLE`.")
    answered = ask(data_folder(data), Request(do.value, table, reason, like, name))
    if answered.problem:
        raise BadValue(answered.problem)
    if json:
        print_json(msgspec.to_builtins(answered.tables))
        return
    for listed in answered.tables:
        why = f": {listed.why}" if listed.why else ""
        said = f"{listed.id:<16}{listed.service}{why}  ({listed.title}, {listed.taken} of {listed.seats} seats)"
        typer.echo(printable(said))


class Helping(StrEnum):
    """What whoever owns the machine can do with the people of a house that is served."""

    LIST = "list"
    CODE = "code"
    MANAGER = "manager"


@app.command()
def people(
    do: Annotated[Helping, typer.Argument(help="What to do.")] = Helping.LIST,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that somebody comes in by.")] = "",
    data: Data = None,
    json: AsJson = False,
) -> None:
    """List who works in the house, and let somebody in who is locked out.

    A one-time code lets somebody choose a new password; and a house without a manager gets one among those who have an
    account. Both are recorded."""
    import msgspec

    from feltworks.cli.output import print_json
    from feltworks.floor.verification.report import counted_as
    from feltworks.web.control import Request, ask

    if do is not Helping.LIST and not name:
        raise BadValue(f"Say who: `felt people {do.value} NAME`.")
    answered = ask(data_folder(data), Request(do.value, name=name))
    if answered.problem:
        raise BadValue(answered.problem)
    if json:
        code = {"code": answered.code} if answered.code else {}
        print_json({**code, "people": msgspec.to_builtins(answered.people)})
        return
    if answered.code:
        typer.echo(f"Open /password and type the name and this code, which is good once: {answered.code}")
        return
    for who in answered.people:
        how = ["of the demonstration"] if who.demo else [] if who.has_password else ["no password yet"]
        sessions = counted_as(who.sessions, "open session")
        typer.echo(printable(f"{who.name:<22}{', '.join([*who.roles, *how])}  ({sessions})"))
    if not answered.people:
        typer.echo("Nobody works here yet; `felt serve` prints a code for the first manager.")


NO_KEY = (
    "Not verified: nothing was checked against the house's key, and whoever holds the file can write all of it. Give"
    " the public key with --key."
)
Table = Annotated[str, typer.Argument(metavar="TABLE", help="The id of the table.")]


@app.command()
def verify(
    data: Data = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="One file of records, such as a backup or an excerpt.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="The house's public key that you kept elsewhere.")
    ] = None,
    heads: Annotated[
        Path | None, typer.Option("--heads", metavar="FILE", help="Signed heads that you kept elsewhere.")
    ] = None,
    receipt: Annotated[
        Path | None, typer.Option("--receipt", metavar="FILE", help="Receipts of acknowledgements that you kept.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write the signed head to keep elsewhere.")
    ] = None,
    json: AsJson = False,
    folders: Folders = None,
) -> None:
    """Check every record: the chain, the signatures, the books, the rules, the limits and clocks, and the cards and
    dice that were opened."""
    use(folders or ())
    import msgspec

    from feltworks.cli.output import print_json, progress_bar
    from feltworks.floor.excerpt.verify import is_excerpt, verify_excerpt
    from feltworks.floor.journal.receipts import export_head, read_signatures
    from feltworks.floor.verification.report import counted_as
    from feltworks.floor.verification.verify import verify as check

    records = _records(data, file)
    public = _public_key(records, key)
    receipts, old_heads = read_signatures([path for path in (heads, receipt) if path is not None])
    if is_excerpt(records):
        if receipts or old_heads:
            raise BadValue(
                "An excerpt is verified with the public key alone; check --heads and --receipt with a backup."
            )
        report = verify_excerpt(records, public)
    else:
        with progress_bar("Verifying") as progress:
            report = check(records, public, receipts, old_heads, progress)
    if export and report.ok:
        export_head(report.head, export)
        report.notes.append(f"{export}: the newest signed head, to keep elsewhere.")
    ok = report.ok and public is not None
    if json:
        print_json({"ok": ok, **msgspec.to_builtins(report)})
    else:
        typer.echo(report.counts)
        for note in (*report.notes, *report.not_replayed):
            typer.echo(f"note: {printable(note)}")
        for problem in report.problems:
            typer.echo(f"wrong: {printable(problem)}")
        problems = counted_as(len(report.problems), "problem")
        if not report.ok:
            typer.echo(f"{problems} found. What to do: docs/records.md.")
        else:
            typer.echo("Everything is in order." if ok else NO_KEY)
    raise typer.Exit(0 if ok else 1)


@app.command()
def replay(
    table: Table,
    round: Annotated[
        int | None, typer.Argument(metavar="[ROUND]", help="Its number; the last one unless told.")
    ] = None,
    data: Data = None,
    file: Annotated[Path | None, typer.Option("--file", help="One file of records, such as a backup.")] = None,
    folders: Folders = None,
) -> None:
    """Tell a round again, step by step, from its records."""
    use(folders or ())
    from feltworks.floor.recall import replayed
    from feltworks.kit.transcript import transcript

    records = _records(data, file)
    recalled = replayed(records, table, round, _public_key(records, None))
    unfinished = f", {recalled.unfinished}" if recalled.unfinished else ""
    said = f"Recall: table {table}, round {recalled.number}{unfinished}; amounts in dollars\n\n"
    said += transcript(recalled.start, recalled.happenings, standing=recalled.standing)
    if recalled.unchecked:
        said += f"\n\nnote: {recalled.unchecked}"
    for line in said.split("\n"):
        typer.echo(printable(line))


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="The copy; it must not be there yet.")],
    data: Data = None,
    since: Annotated[
        str, typer.Option("--from", metavar="TIME", help="Only an excerpt: from this date or time, in UTC.")
    ] = "",
    until: Annotated[
        str, typer.Option("--until", metavar="TIME", help="Only an excerpt: to just before this date or time, in UTC.")
    ] = "",
    folders: Folders = None,
) -> None:
    """Copy the records while they are in use, and verify the copy. The key file is not in it.

    With --from or --until it is an excerpt: the records of that time, without names and without sealed cards, as a file
    that anybody can verify with the house's public key alone."""
    use(folders or ())
    from feltworks.floor.store.backup import backup as copy
    from feltworks.floor.verification.verify import verify as check

    records = _records(data, None)
    public = _public_key(records, None)
    if since or until:
        _excerpt(records, to, since, until, public)
    copy(records, to)
    report = check(to, public)
    found = "everything is in order" if public else "no public key is there to verify them with"
    typer.echo(f"{to}: {report.records} events; {found if report.ok else 'it has problems'}.")
    raise typer.Exit(0 if report.ok else 1)


def _excerpt(records: Path, to: Path, since: str, until: str, public: str | None) -> NoReturn:
    from feltworks.floor.excerpt.verify import verify_excerpt
    from feltworks.floor.excerpt.write import write_excerpt
    from feltworks.floor.times import ALWAYS, read_time, shown
    from feltworks.floor.verification.report import counted_as

    first, last = (read_time(text) if text else end for text, end in zip((since, until), ALWAYS, strict=True))
    plan = write_excerpt(records, to, first, last, public)
    report = verify_excerpt(to, plan.header.public)
    span = f"{shown(plan.header.first)} to {shown(plan.header.last)}"
    counts = f"{counted_as(report.commits, 'commit')}, {counted_as(report.records, 'event')}"
    typer.echo(f"{to}: {counts}, {span}; {'everything is in order' if report.ok else 'it has problems'}.")
    if plan.note:
        typer.echo(f"note: {plan.note}")
    raise typer.Exit(0 if report.ok else 1)


def _public_key(records: Path, given: Path | None) -> str | None:
    """The house's public key: the one that is given, or that lies beside the records."""
    from feltworks.floor.keys import read_public

    beside = records.with_name(PUBLIC)
    path = given or (beside if beside.is_file() else None)
    return read_public(path) if path else None


def _records(data: Path | None, file: Path | None) -> Path:
    return file if file is not None else data_folder(data) / RECORDS
