"""The commands of the floor: serving the tables, and looking after their records."""

from pathlib import Path
from typing import Annotated

import typer

from feltworks.cli.commands import app

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
) -> None:
    """Serve tables to browsers, with play money."""
    from feltworks.web.serving import serve as start

    def told(address: str) -> None:
        typer.echo(f"Feltworks is at {address}  (Ctrl-C ends it; nothing is lost)")

    start(data, host, port, demo=demo, public=public, told=told)
