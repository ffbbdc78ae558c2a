"""The commands of `felt`: what each takes, and what it asks of the API.

What makes their tables is loaded only by the command that needs it.
"""

from pathlib import Path
from typing import Annotated

import typer

from feltworks import api
from feltworks.cli.command_group import Felt
from feltworks.cli.options import (
    AnyVersion,
    AsJson,
    Decks,
    Folders,
    GameName,
    Pays,
    Readings,
    Seed,
    Stakes,
    Version,
    WagerName,
    json_of_versions,
    load,
    load_each,
    pairs,
    stakes,
)
from feltworks.cli.quick_help import show_games
from feltworks.cli.situation_options import AdviseCommand, given_situation
from feltworks.games import describe_all

app = typer.Typer(cls=Felt, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def felt(context: typer.Context) -> None:
    """Casino table games: played, solved, simulated and certified from one definition."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Tell everything about one.")] = None,
    json: AsJson = False,
    folders: Folders = None,
) -> None:
    """List the games, or tell everything about one."""
    if name is None and not json:
        show_games(folders or ())
        return
    from feltworks.cli import show_game
    from feltworks.cli.output import print_json

    if name is None:
        print_json([show_game.entry_json(game) for game in describe_all(folders or ())])
        return
    game = api.load(name, folders=folders or ())
    if json:
        print_json(show_game.game_json(game))
    else:
        show_game.show_game(game)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called: my-game.", show_default=False)],
    like: Annotated[
        str | None, typer.Option(metavar="GAME", help="Begin with the rules of a shipped game instead of the smallest.")
    ] = None,
    where: Annotated[Path, typer.Option("--in", metavar="DIR", help="Where its folder is written.")] = Path(),
) -> None:
    """Write the folder of a new game that plays at once, to change it into your own."""
    from feltworks.cli.new_game import write_game

    folder = write_game(name, like, where)
    typer.echo(f"{folder} is written. Play it, and know its edge:")
    for command in ("play", "serve", "analyze"):
        typer.echo(f"  felt {command} {name} --games {where}")
    typer.echo("Change game.toml, rules.py and statements.toml; docs/contract.md says how.")


@app.command()
def play(
    game: GameName,
    seats: Annotated[int, typer.Option(metavar="N", help="How many seats play; yours is seat 1.")] = 1,
    seed: Seed = None,
    rounds: Annotated[int | None, typer.Option(metavar="N", help="Leave after so many rounds.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Play by itself, one round unless told.")] = False,
    version: Version = None,
    decks: Decks = None,
    reading: Readings = None,
    pay: Pays = None,
    stake: Stakes = None,
    folders: Folders = None,
) -> None:
    """Play in the terminal, with play money."""
    from feltworks.cli.output import console
    from feltworks.terminal.session import Session

    wanted = load(game, version, decks, reading, pay, folders)
    session = Session(wanted, console(), seats=seats, seed=seed, stakes=stakes(stake), auto=auto)
    session.play(rounds)


@app.command()
def analyze(
    game: GameName,
    json: AsJson = False,
    version: AnyVersion = None,
    decks: Decks = None,
    reading: Readings = None,
    wager: WagerName = None,
    stake: Stakes = None,
    pay: Pays = None,
    pace: Annotated[
        str | None, typer.Option(metavar="ROLLS", help="Rolls an hour, for what a game of dice brings in an hour: 60.")
    ] = None,
    readings: Annotated[bool, typer.Option("--readings", help="Also what each reading does to the edges.")] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Also what takes longer: the cost of mistakes, a short strategy.")
    ] = False,
    however_long: Annotated[
        bool, typer.Option("--however-long", help="Compare hands that take longer than a quarter of an hour, too.")
    ] = False,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the strategy into a .svg or .png file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the jackpot's return by its meter into such a file.")
    ] = None,
    folders: Folders = None,
) -> None:
    """The exact house edge of every wager, its outcomes, and the best strategy."""
    from feltworks.cli import show_analysis
    from feltworks.cli.output import print_json, working

    wanted = load_each(wager, game, version, decks, reading, pay, folders)
    with working("Solving exactly; where that is compiled code, the first time takes some seconds longer") as tell:
        analyses = [
            show_analysis.analyze_fully(g, wager, stakes(stake), pace, readings, details, tell, however_long)
            for g in wanted
        ]
        show_analysis.draw(wanted[0], chart, plot)
    if json:
        print_json(json_of_versions(analyses, version))
    else:
        show_analysis.show(analyses)


@app.command(cls=AdviseCommand, options_metavar="[--NAME VALUE]... [OPTIONS]")
def advise(
    context: typer.Context,
    game: GameName,
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="Your cards: 7h, or AsKh.", show_default=False)],
    json: AsJson = False,
    version: Version = None,
    decks: Decks = None,
    reading: Readings = None,
    stake: Stakes = None,
    pay: Pays = None,
    folders: Folders = None,
) -> None:
    """What each option is worth with these cards, in units of the first wager.

    What else is known is said by options of the game, such as --dealer 6d; `felt games GAME` lists them.
    """
    from feltworks.cli import show_advice
    from feltworks.cli.output import print_json, working

    wanted = load(game, version, decks, reading, pay, folders)
    given = given_situation(context, wanted)
    with working("Solving exactly"):
        advice = api.advise(wanted, cards, stakes=stakes(stake), **given)
    if json:
        print_json(show_advice.to_json(wanted, advice))
    else:
        show_advice.show(wanted, advice)


@app.command()
def certify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all if none is named.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if anything is not reproduced.")] = False,
    json: AsJson = False,
    version: Annotated[str | None, typer.Option(metavar="V", help="Only the figures printed for a version.")] = None,
    decks: Annotated[int | None, typer.Option(metavar="N", help="Only the figures printed for so many decks.")] = None,
    wager: Annotated[str | None, typer.Option(metavar="NAME", help="Only the figures of a wager.")] = None,
    recount: Annotated[
        bool, typer.Option("--recount", help="Count everything now, and use no result that ships or was kept.")
    ] = False,
    folders: Folders = None,
) -> None:
    """Every printed figure against the exact one."""
    from feltworks.cli import show_certificates
    from feltworks.cli.output import print_json, working

    wanted = [api.load(name, folders=folders or ()) for name in names or api.names(folders or ())]
    if version is not None or decks is not None or wager is not None:
        wanted = show_certificates.printed_for(wanted, version, decks, wager)
    with working("Checking every printed figure"):
        certificates = api.certify(*wanted, recount=recount)
    if json:
        print_json(certificates.to_json())
    else:
        show_certificates.show(certificates)
    if strict and not certificates.all_reproduced:
        raise typer.Exit(1)


@app.command()
def check(game: GameName, json: AsJson = False, folders: Folders = None) -> None:
    """Tell what is wrong with the rules of a game, each mistake with its line and a remedy.

    It is played in every way that there is time for. The exit code is 1 if something is wrong.
    """
    from feltworks.cli import show_check
    from feltworks.cli.output import print_json, working

    with working("Playing it in every way"):
        report = api.check(game, folders=folders or ())
    if json:
        print_json(report.to_json())
    else:
        show_check.show(report)
    if not report.is_clean:
        raise typer.Exit(1)


@app.command()
def simulate(
    game: GameName,
    rounds: Annotated[
        str | None, typer.Option(metavar="N", help="How many rounds: 100000 unless told, or 1e6.", show_default=False)
    ] = None,
    rolls: Annotated[str | None, typer.Option(metavar="N", help="Of a dice game: how many rolls, such as 1e9.")] = None,
    seats: Annotated[int, typer.Option(metavar="N", help="How many seats play, all by one strategy.")] = 1,
    penetration: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Of blackjack: whole shoes, with the cut card at 0.75 of them.")
    ] = None,
    rounds_per_shoe: Annotated[
        int | None, typer.Option(metavar="N", help="Of blackjack: whole shoes, with so many rounds from each.")
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="best, first (always the first option), or FILE.py with a function; of whole shoes also basic.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="A number that gives the same rounds again.")] = 0,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="How many work at it; the result is the same.", show_default=False)
    ] = None,
    json: AsJson = False,
    version: AnyVersion = None,
    decks: Decks = None,
    reading: Readings = None,
    wager: WagerName = None,
    stake: Stakes = None,
    pay: Pays = None,
    folders: Folders = None,
) -> None:
    """Play many rounds by the best strategy or another, and count what comes up beside what is expected."""
    from feltworks.cli import show_shoes, show_simulation
    from feltworks.cli.output import print_json

    rounds_asked, rolls_asked = show_simulation.whole("--rounds", rounds), show_simulation.whole("--rolls", rolls)
    if rounds_asked is rolls_asked is None:
        rounds_asked = 100_000
    dealing = show_shoes.dealing(seats, penetration, rounds_per_shoe, strategy)
    if dealing is not None:
        [each, *_] = load_each(wager, game, version, decks, reading, pay, folders)
        with show_simulation.progress(each.title) as progress:
            played = api.play_shoes(
                each, dealing, rounds=rounds_asked or 0, seed=seed, workers=workers, progress=progress
            )
        print_json(played.to_json()) if json else show_shoes.show(played)
        return
    results = []
    for each in load_each(wager, game, version, decks, reading, pay, folders):
        if wager is not None:
            each.wager(wager)  # refused before any time is spent
        if seats == 1:
            show_simulation.make_ready(each)
        with show_simulation.progress(each.title) as progress:
            result = api.simulate(
                each,
                rounds=rounds_asked,
                rolls=rolls_asked,
                seats=seats,
                seed=seed,
                stakes=stakes(stake),
                policy=strategy,
                workers=workers,
                progress=progress,
            )
        results.append(result if wager is None else show_simulation.only(result, wager))
    if json:
        print_json(json_of_versions(results, version))
    else:
        show_simulation.show(results)


@app.command()
def counting(
    game: GameName,
    penetration: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="How much of the shoe is dealt: 0.9, or what the game's document says."),
    ] = None,
    cards: Annotated[int | None, typer.Option(metavar="N", help="How many cards a round takes: 6 unless told.")] = None,
    samples: Annotated[
        str | None, typer.Option(metavar="N", help="How many shoes are sampled: 1000 unless told, or 1e4.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="A number that gives the same shoes again.")] = 0,
    json: AsJson = False,
    version: AnyVersion = None,
    decks: Decks = None,
    reading: Readings = None,
    wager: WagerName = None,
    stake: Stakes = None,
    pay: Pays = None,
    folders: Folders = None,
) -> None:
    """Whether a bonus wager can be counted from a shoe, and what counters win."""
    from feltworks.cli import show_counting
    from feltworks.cli.output import print_json
    from feltworks.cli.show_simulation import progress, whole

    results = []
    for each in load_each(wager, game, version, decks, reading, pay, folders):
        with progress(each.title) as tell:
            result = api.counting(
                each,
                wager=wager,
                pay=pairs("--pay", "WAGER=TABLE", pay),
                stakes=stakes(stake),
                penetration=show_counting.share(penetration),
                cards=cards,
                samples=whole("--samples", samples),
                seed=seed,
                progress=tell,
            )
        results.append(result)
    if json:
        print_json(json_of_versions(results, version))
    else:
        show_counting.show(results)
