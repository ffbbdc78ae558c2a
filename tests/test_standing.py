"""How a table stands to the approval of its game: each row of the specification's table, and the same words in the
terminal, the browser, the commands and the records (F-01, F-02, D-22, F-31)."""

import html
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from jinja2 import Environment, PackageLoader

import feltworks
from feltworks import api
from feltworks.cli.floor_commands import replay
from feltworks.cli.output import headline
from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.journal.journal import Draft, Journal
from feltworks.floor.journal.records import FIRST, Head, chained
from feltworks.floor.journal.upcasting import decode_event, encode
from feltworks.floor.keys import Keys
from feltworks.floor.roles import Role
from feltworks.floor.store.schema import APPLICATION, run_all
from feltworks.floor.store.schema_1 import SCHEMA_1
from feltworks.floor.store.sqlite import Store, StoreError
from feltworks.floor.streams import Happened
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.settings import TableSettings, standing, warnings
from feltworks.floor.table.settings_check import check_settings
from feltworks.floor.verification.verify import verify
from feltworks.games import load, names
from feltworks.kit.errors import BadDefinition, BadValue, UnknownName
from feltworks.kit.game import Game
from feltworks.kit.loader import load_folder
from feltworks.kit.standing import Standing
from feltworks.kit.walk import Habit
from feltworks.lab.analysis import options_json, standing_json
from feltworks.lab.card_counting.counting import Counting
from feltworks.web import posted, views
from tests.cli.support import read, told
from tests.floor.employing import employed
from tests.floor.sitting import TODAY, fulfilled
from tests.web.robots import between, blackjack, money, under, yo

KEYS = Keys(bytes(32), bytes(32))
AS_APPROVED, OTHER_READINGS = "as approved", "as approved, with other readings"
OTHER_EQUIPMENT, FOR_TRAINING = "approved rules, other equipment", "the approved rules, for training"
MODIFIED, NO_APPROVAL = "modified: not as approved", "carries no approval"

OWN = "the maker's own"
DICE = "Dice: a generator makes the rolls (approved: two dark game dice and two light bonus dice)"
CUP = "Cup: none; a generator makes the rolls (approved: Random Roll Dice Cup)"
READER = "Card reader: Feltworks reads the dealer's cards itself (approved: Masque Card Reader)"
JACKPOT = (
    "Jackpot system: Feltworks senses the spots and pays the prize itself (approved: Masque's Match The Dealer"
    " Progressive Table System, v005t or higher, for the Jackpot)"
)
PUSHES = "upcard_equals_a_card=push: the wager pushes"
COMMISSION = "Before any modification ask the Washington State Gambling Commission."
ASK = {
    "yo": [COMMISSION, "Document 000: any modification may affect the approval."],
    "down-under-holdem": [COMMISSION, "Document 002: any modification may affect the approval."],
    "in-between": [
        COMMISSION,
        "Document 003: any modification may affect the approval; contact the commission before it is made.",
    ],
    "one-for-the-money": [
        COMMISSION,
        "Document 004: any modification may affect the approval; contact the commission before it is made.",
        "Document 004: the commission is reviewing the game for new substantial interest holders, and that review is"
        " open.",
    ],
}
"""F-31, as the letters have it."""


@dataclass(frozen=True)
class Row:
    """A table, what it says, what is listed one step away, and what the commands say of the same definition."""

    settings: TableSettings
    says: str
    definition: str
    lists: list[str] = field(default_factory=list)


def row(make: Any, says: str, definition: str, *lists: str, **changes: Any) -> Row:
    settings = fulfilled(make(id="table", **changes))
    if settings.equipment:  # which is recorded where people deal
        settings = msgspec.structs.replace(settings, dealing="people")
    return Row(settings, says, definition, list(lists))


NO_JACKPOT: dict[str, Any] = {"without": ("jackpot",), "prize": None}
PUSH = {"upcard_equals_a_card": "push"}
ODDS = {"in_between": "30,12,6,4,3/2"}
ODDS_SAID = "IN BETween: All other spreads pays 3 to 2 instead of 1 to 1"


def under_without(**changes: Any) -> TableSettings:
    """Down Under without the Jackpot, which no limit is then given for."""
    settings = under(**{**NO_JACKPOT, **changes})
    return msgspec.structs.replace(
        settings, limits={spot: limits for spot, limits in settings.limits.items() if spot != "jackpot"}
    )


ROWS = {
    # As approved, with the maker's equipment where the approval names any.
    "a card room": row(money, AS_APPROVED, AS_APPROVED, venue="card room"),
    "a tribal casino": row(between, AS_APPROVED, AS_APPROVED, venue="tribal casino"),
    "its own dice": row(yo, AS_APPROVED, AS_APPROVED, venue="tribal casino", equipment={"dice": OWN, "cup": OWN}),
    "its own reader, no jackpot": row(
        under_without, AS_APPROVED, AS_APPROVED, venue="card room", equipment={"card reader": OWN}
    ),
    "a listed pay table": row(
        between, AS_APPROVED, AS_APPROVED, venue="card room", pay={"in_between": "D"}, decks=1, seats=2
    ),
    # Another reading.
    "another reading": row(between, OTHER_READINGS, OTHER_READINGS, PUSHES, venue="card room", readings=PUSH),
    # A stand-in for a named piece.
    "generated dice": row(yo, OTHER_EQUIPMENT, AS_APPROVED, DICE, CUP, venue="tribal casino"),
    "a dealer's cup": row(
        yo,
        OTHER_EQUIPMENT,
        AS_APPROVED,
        "Dice: dice of another maker (approved: two dark game dice and two light bonus dice)",
        venue="tribal casino",
        equipment={"cup": OWN, "dice": "dice of another maker"},
    ),
    "no reader": row(
        under,
        OTHER_EQUIPMENT,
        AS_APPROVED,
        "Card reader: the supervisor looks (approved: Masque Card Reader)",
        venue="card room",
        equipment={"jackpot system": OWN, "card reader": "the supervisor looks"},
    ),
    "our own reader and jackpot": row(under, OTHER_EQUIPMENT, AS_APPROVED, READER, JACKPOT, venue="card room"),
    "no jackpot": row(under_without, OTHER_EQUIPMENT, AS_APPROVED, READER, venue="card room"),
    "another maker's reader": row(
        under_without,
        OTHER_EQUIPMENT,
        AS_APPROVED,
        "Card reader: a reader of another maker (approved: Masque Card Reader)",
        venue="card room",
        equipment={"card reader": "a reader of another maker"},
    ),
    # Training.
    "training": row(between, FOR_TRAINING, AS_APPROVED),
    "training, generated dice": row(yo, FOR_TRAINING, AS_APPROVED, DICE, CUP),
    "training, no jackpot": row(under_without, FOR_TRAINING, AS_APPROVED, READER),
    "training, everything": row(under, FOR_TRAINING, AS_APPROVED, READER, JACKPOT),
    "training, another reading": row(between, FOR_TRAINING, OTHER_READINGS, PUSHES, readings=PUSH),
    # Modified: anywhere, whatever else there is.
    "other odds": row(between, MODIFIED, MODIFIED, ODDS_SAID, *ASK["in-between"], pay=ODDS),
    "other odds, card room": row(
        between, MODIFIED, MODIFIED, ODDS_SAID, *ASK["in-between"], pay=ODDS, venue="card room"
    ),
    "other decks": row(money, MODIFIED, MODIFIED, "1 deck instead of 6, 8", *ASK["one-for-the-money"], decks=1),
    "odds and a reading": row(
        between, MODIFIED, MODIFIED, ODDS_SAID, PUSHES, *ASK["in-between"], pay=ODDS, readings=PUSH
    ),
    "odds and dice": row(
        yo,
        MODIFIED,
        MODIFIED,
        "Eleven: 11 pays 16 to 1 instead of 15 to 1",
        DICE,
        CUP,
        *ASK["yo"],
        pay={"eleven": "16"},
    ),
    "odds and a reader": row(
        under_without,
        MODIFIED,
        MODIFIED,
        "Match the Dealer: 1 card match pays 3 to 1 instead of 2 to 1",
        READER,
        *ASK["down-under-holdem"],
        pay={"match_the_dealer": "250,25,10,3"},
    ),
    # No approval: training only.
    "the rack card": row(yo, NO_APPROVAL, NO_APPROVAL, version="rack-card"),
    "blackjack alone": row(blackjack, NO_APPROVAL, NO_APPROVAL),
    "the rack card, other odds": row(
        yo,
        NO_APPROVAL,
        NO_APPROVAL,
        "Eleven: 11 pays 16 to 1 instead of 15 to 1",
        *ASK["yo"],
        version="rack-card",
        pay={"eleven": "16"},
    ),
}
ALL = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
TRAINING = {name: row for name, row in ROWS.items() if row.settings.venue == "training"}
IN_TRAINING = pytest.mark.parametrize("row", TRAINING.values(), ids=TRAINING.keys())


def options(settings: TableSettings) -> list[str]:
    """What a command takes to load the game as the table plays it."""
    given = [["--version", settings.version]] if settings.version else []
    given += [["--decks", str(settings.decks)]] if settings.decks else []
    given += [["--reading", f"{name}={value}"] for name, value in settings.readings.items()]
    given += [["--pay", f"{spot}={table}"] for spot, table in settings.pay.items()]
    return [settings.game, *(word for option in given for word in option)]


def opening(settings: TableSettings) -> ev.Opened:
    """The first event of such a table, whether one could be opened so far or not."""
    game = settings.load_game()
    prints = game.fingerprint
    return ev.Opened(settings, prints["definition"], prints["build"], standing(settings, game))


def older(path: Path, table: str, event: bytes) -> None:
    """A file of the first version with a table that has this first event, whether it could be opened so or not: the
    house has signed it."""
    record = chained(table, 1, 1, "house", "", 0, event, FIRST)
    connection = apsw.Connection(str(path))
    run_all(connection, FIRST_VERSION)
    connection.execute("INSERT INTO events VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(record))
    head = Head(table, 1, record.hash, 1, b"", KEYS.public)
    signed = msgspec.structs.replace(head, signature=KEYS.sign(head.message))
    connection.execute("INSERT INTO heads VALUES (?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(signed))
    connection.close()


FIRST_VERSION = f"{SCHEMA_1} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;"


def opened_before(path: Path, event: ev.Opened) -> House:
    """A house with a table that the first version opened with this event, in its first round."""
    older(path, event.settings.id, encode(event))
    return in_play(House(Store(path), KEYS, lambda: 1_000), event.settings.id)


def opened_now(path: Path, event: ev.Opened) -> House:
    """A house with a table that it opened with this event, and has signed it, in its first round."""
    store, settings = Store(path), event.settings
    opening = Draft(settings.id, cmd.OpenTable(settings), PROGRAM, TODAY, [Happened(settings.id, event)])
    Journal(store, KEYS).commit([opening])
    return in_play(House(store, KEYS, lambda: TODAY + 1_000), settings.id)


def in_play(house: House, table: str) -> House:
    """The first round begins; nobody needs to sit there for it."""
    if (state := house.live(table).table).settings.has_dealer:
        dealer = employed(house, Role.DEALER)
        house.pit.deal_by_hand(table, cmd.SignOn(), dealer)
        house.pit.deal_by_hand(table, cmd.StartRound(state.needs_shuffle), dealer)
    else:
        house.deal_on(table, "start round")
    return house


PAGES = Environment(loader=PackageLoader("feltworks.web", "pages"), autoescape=True)

# The rows.


@pytest.mark.rule("F-01", "F-02", "F-31", "D-22")
@ALL
def test_a_table_says_how_it_stands_and_lists_what_is_behind_it(row: Row) -> None:
    game = row.settings.load_game()
    assert standing(row.settings, game).words == row.says
    assert warnings(row.settings, game) == row.lists
    assert game.standing == row.definition


@pytest.mark.rule("F-01", "F-02", "F-31", "D-22")
@ALL
def test_the_browser_and_the_records_say_how_a_table_stands_to_its_approval(
    row: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "records.db"
    house = opened_now(path, opening(row.settings))
    said = (row.says, row.lists)
    about = views.about(row.settings, row.settings.load_game(), TODAY)
    assert (about.standing, about.warnings) == said
    (listed,) = posted.tables(house)
    assert (listed.standing, listed.warnings) == said
    lobby = PAGES.get_template("lobby.html").render(tables=[listed], games=[[listed]])
    assert re.findall(r"<li(?: class=.why.)?>([^<]+)</li>", html.unescape(lobby)) == row.lists
    assert f'">{row.says}</li>' in lobby
    recall = posted.recall(house, house.store, "table", 1)
    assert recall is not None and (recall.standing, recall.warnings) == said
    opened = decode_event("table", next(house.store.read("table")).event)
    assert isinstance(opened, ev.Opened) and opened.standing is not None
    assert (opened.standing.words, list(opened.standing.details)) == said
    house.close()
    replay("table", file=path)
    lines = capsys.readouterr().out.splitlines()
    at = lines.index(f"  standing: {row.says}")
    assert lines[at + 1 : at + 1 + len(row.lists)] == [f"    {line}" for line in row.lists]
    assert lines[at + 1 + len(row.lists)].startswith("  definition: ")
    assert verify(path, KEYS.public).problems == []


@pytest.mark.rule("F-01", "F-02", "F-31", "D-22")
@IN_TRAINING
def test_the_terminal_says_how_a_game_stands_to_its_approval(row: Row) -> None:
    """It offers every wager of the version, so the Jackpot too."""
    game = msgspec.structs.replace(row.settings, without=()).load_game()
    lists = warnings(row.settings, game)
    shown = told("play", *options(row.settings), "--seed", "1", typed="q\n", columns=300).splitlines()
    assert shown[0].endswith(f" · {row.says}")
    assert shown[1 : 1 + len(lists)] == [f"  {line}" for line in lists]
    assert set(row.lists) <= set(lists)


# What the commands say of the definition.


@pytest.mark.rule("F-01", "F-31")
@ALL
def test_every_command_begins_with_how_the_definition_stands(row: Row) -> None:
    """The head of `analyze`, `advise`, `simulate` and `counting`, and their JSON; equipment is the table's business."""
    game = row.settings.load_game()
    lists = [line for line in row.lists if line not in (DICE, CUP, READER, JACKPOT) and "(approved: " not in line]
    first, *others = headline(game).plain.split("\n")
    assert first.endswith(f" · {row.definition}")
    assert others == [f"  {line}" for line in lists]
    said = standing_json(game)
    assert (said["standing"], said["differences"]) == (row.definition, list(game.differences))
    assert said["ask_first"] == (ASK[game.name] if game.differences else [])
    assert said.items() <= options_json(game).items()


@pytest.mark.slow
@pytest.mark.rule("F-01", "F-31")
def test_analysis_advice_and_certificates_say_how_a_game_stands_to_its_approval() -> None:
    odds = ("analyze", "yo", "--wager", "eleven", "--pay", "eleven=16")
    said = f"Yo! · by the rules of 2019 · {MODIFIED}\n  Eleven: 11 pays 16 to 1 instead of 15 to 1\n  {COMMISSION}\n"
    assert told(*odds).startswith(said)
    assert read(*odds)["options"]["ask_first"] == ASK["yo"]
    advice = read("advise", "one-for-the-money", "7h", "--decks", "1")
    assert (advice["standing"], advice["ask_first"]) == (MODIFIED, ASK["one-for-the-money"])
    assert {figure["standing"] for figure in read("certify", "yo")} == {AS_APPROVED}
    assert "yo · play · as approved · counted now\n" in told("certify", "yo")


@pytest.mark.rule("F-01", "F-31")
def test_a_notebook_says_how_a_game_stands_to_its_approval() -> None:
    said = f"<p>IN BETween · by the rules of 2009 · 6 decks · {MODIFIED}<br>{ODDS_SAID}<br>{COMMISSION}<br>"
    game = load("in-between").configured(pay=ODDS)
    shown: list[Any] = [
        feltworks.analyze(game, wager="in_between"),
        feltworks.simulate(game, rounds=1, policy=Habit({"base": Fraction(1)}), seats=2),
        Counting(game, {}, Fraction(1, 2), 5, 1, 0, {}),
    ]
    assert [each for each in shown if not each._repr_html_().startswith(said)] == []
    assert f"<td>{AS_APPROVED}</td>" in feltworks.certify("in-between")._repr_html_()


@pytest.mark.slow
@pytest.mark.rule("F-01", "F-31")
@pytest.mark.parametrize(
    ("name", "pay", "said"),
    [
        ("down-under-holdem", {}, [AS_APPROVED]),
        (
            "down-under-holdem",
            {"match_the_dealer": "250,25,10,3"},
            [MODIFIED, "Match the Dealer: 1 card match pays 3 to 1 instead of 2 to 1", *ASK["down-under-holdem"]],
        ),
        ("blackjack", {}, [NO_APPROVAL]),
    ],
)
def test_charts_and_plots_say_how_the_game_stands_to_its_approval(
    name: str, pay: dict[str, str], said: list[str]
) -> None:
    game = load(name).configured(pay=pay)
    assert api.chart(game).standing.endswith(" · ".join(["", *said]))
    if "jackpot" in game.wagers:
        assert api.plot(game).standing == api.chart(game).standing


@pytest.mark.rule("F-01", "F-31")
def test_the_list_of_games_says_which_are_as_approved() -> None:
    listed = {entry["name"]: entry for entry in read("games")}
    assert {name: entry["standing"] for name, entry in listed.items()} == {
        name: AS_APPROVED if name in ASK else NO_APPROVAL for name in listed
    }
    assert {name: entry["ask_first"] for name, entry in listed.items() if name in ASK} == ASK
    assert all(line in told("games", "one-for-the-money", columns=300) for line in ASK["one-for-the-money"])


@pytest.mark.rule("F-31")
@pytest.mark.parametrize("command", ["analyze", "advise", "play", "simulate", "counting"])
def test_where_a_modification_is_offered_it_says_whom_to_ask_first(command: str) -> None:
    shown = re.sub(r"\W+", " ", told(command, "--help", columns=300))
    said = "Others than the approved are a modification ask whoever approved the game first"
    assert shown.count(said) == 2  # --decks and --pay


# Titles.


@pytest.mark.rule("F-01")
def test_no_title_claims_an_approval_by_itself() -> None:
    for name in names():
        definition = load(name).definition
        titles = [definition.title, definition.summary, *(version.title for version in definition.versions.values())]
        assert not [title for title in titles if re.search(r"approv|washington|commission|licen", title, re.IGNORECASE)]


# What a definition says of equipment.


def other_game(tmp_path: Path, approval: str) -> Game:
    """A game of a stranger: a toy with this much of an approval."""
    folder = tmp_path / "peek"
    folder.mkdir()
    here = Path(__file__).parent / "toys" / "peek"
    for path in here.glob("*.*"):
        (folder / path.name).write_bytes(path.read_bytes())
    text = (folder / "game.toml").read_text()
    head = '\n[approval]\nauthority = "Gaming Board"\ndocument = "7"\napproved = 2020-01-01\nrules = "peek"\n'
    (folder / "game.toml").write_text(f'{text}{head}venues = ["card room"]\n{approval}')
    return load_folder(folder)


@pytest.mark.rule("F-01", "D-22")
def test_texts_alone_still_name_equipment_and_what_replaces_it(tmp_path: Path) -> None:
    game = other_game(tmp_path, 'equipment = ["a reader"]\nreplaced = ["Reader: our own"]\n')
    settings = TableSettings("peek", "Room", "peek", {}, venue="card room")
    assert standing(settings, game) == Standing(OTHER_EQUIPMENT, stand_ins=("Reader: our own",))
    training = msgspec.structs.replace(settings, venue="training")
    assert standing(training, game) == Standing(FOR_TRAINING, stand_ins=("Reader: our own",))


@pytest.mark.rule("F-31")
def test_a_strangers_game_names_its_own_authority(tmp_path: Path) -> None:
    game = other_game(tmp_path, "")
    assert game.definition.approval is not None
    assert game.definition.approval.ask_first == ("Before any modification ask the Gaming Board.",)


@pytest.mark.rule("D-22")
def test_a_piece_is_of_the_equipment_and_of_wagers_that_there_are(tmp_path: Path) -> None:
    piece = (
        'equipment = ["a reader"]\n[approval.pieces.reader]\nequipment = "another"\nstand_in = "we"\nwagers = ["x"]\n'
    )
    with pytest.raises(BadDefinition) as error:
        other_game(tmp_path, piece)
    assert "approval.pieces.reader.equipment: write it as one of the texts in approval.equipment." in str(error.value)
    assert "approval.pieces.reader.wagers: 'x' is not defined; defined are: " in str(error.value)


# What a table may record.


@pytest.mark.rule("F-02")
@pytest.mark.parametrize("venue", ["card room", "tribal casino"])
@pytest.mark.parametrize("name", ["the rack card", "blackjack alone"])
def test_what_carries_no_approval_is_played_in_training_only(name: str, venue: str) -> None:
    settings = ROWS[name].settings
    check_settings(settings, TODAY)
    with pytest.raises(BadValue, match="carries no approval; open a training table"):
        check_settings(msgspec.structs.replace(settings, venue=venue), TODAY)


@pytest.mark.rule("D-22")
@pytest.mark.parametrize("said", [OWN, "another maker's reader"])
def test_no_equipment_is_recorded_whose_work_the_program_does(said: str) -> None:
    with pytest.raises(
        BadValue, match="it does the work of the card reader itself; record nothing for the card reader"
    ):
        check_settings(under(equipment={"card reader": said}), TODAY)


@pytest.mark.rule("D-22")
def test_no_equipment_is_recorded_that_the_table_does_not_use() -> None:
    with pytest.raises(UnknownName, match="no piece of equipment 'jackpot system'; choose one of: card reader"):
        check_settings(under_without(equipment={"jackpot system": OWN}), TODAY)


# Records from before, and records that are wrong.


@pytest.mark.rule("F-01", "F-16")
def test_a_record_from_before_standings_were_written_down_still_loads_and_says_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = msgspec.json.decode(encode(opening(under())))
    del plain["standing"], plain["settings"]["equipment"]
    path = tmp_path / "records.db"
    older(path, "under", msgspec.json.encode(plain))
    house = House(Store(path), KEYS, lambda: 1_000)
    opened = decode_event("under", next(house.store.read("under")).event)
    assert isinstance(opened, ev.Opened) and opened.standing is None
    assert evolve(None, opened, 1) == house.live("under").table
    assert house.live("under").table.settings == under()
    house.close()
    assert verify(path, KEYS.public).problems == []
    silent = msgspec.structs.replace(opening(under(id="table")), standing=None)
    opened_before(tmp_path / "other.db", silent).close()
    replay("table", file=tmp_path / "other.db")
    assert f"  standing: {FOR_TRAINING}\n    {READER}\n    {JACKPOT}\n" in capsys.readouterr().out


@pytest.mark.rule("F-01", "F-16")
def test_a_record_that_claims_another_standing_is_found(tmp_path: Path) -> None:
    claim = msgspec.structs.replace(opening(between(id="table", decks=5)), standing=Standing(AS_APPROVED))
    found = (
        "table, event 1: it says that the table stands 'as approved', and by its settings it is"
        " 'modified: not as approved'."
    )
    opened_now(tmp_path / "records.db", claim).close()
    assert verify(tmp_path / "records.db", KEYS.public).problems == [found]
    with pytest.raises(StoreError, match=re.escape(found)):  # one of the first version is not even taken over
        opened_before(tmp_path / "older.db", claim)
