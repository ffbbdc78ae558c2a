"""Opening a table and changing its settings through the pages of the house, with and without scripts."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from shutil import copytree

import pytest
from msgspec.structs import replace

from feltworks import games
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import HouseRule, Limits, TableSettings
from feltworks.games import load
from feltworks.web.demo import TABLES
from feltworks.web.forms import Form
from feltworks.web.lab import NOT_NOW, Lab
from feltworks.web.staff.settings_form import (
    condition_field,
    definitions,
    drafted,
    fields_of,
    first_name,
    first_settings,
    id_of,
)
from tests.web.people_of_the_house import Window, said, staffed
from tests.web.robots import LocalServer, Reply, money, play_on, under
from tests.web.test_house_pages import NAMES

NEW = "/house/tables/new"
CARD_ROOM = "card room"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    """A house whose lab has ended: nothing that is tested with it needs a figure."""
    with LocalServer(tmp_path, [money()], lab=Lab((sys.executable, "-c", ""))) as server:
        yield server
        server.check()


@pytest.fixture
def manager(server: LocalServer) -> Window:
    return staffed(server, "Kim", Role.MANAGER)


def conditions(game: str, venue: str, **changed: str) -> dict[str, str]:
    """The fields of all conditions of an approval, filled in."""
    approval = load(game).approval
    assert approval is not None
    found = {}
    for condition in approval.conditions[venue]:  # type: ignore[index]
        found[f"{condition_field(condition)}.date"] = changed.get("date", "2021-06-01")
        found[f"{condition_field(condition)}.reference"] = changed.get("reference", "letter of the commission")
    return found


def look(window: Window, **fields: str) -> str:
    """What the page says about what was entered."""
    reply = window.post(NEW, {"do": "look", **fields}, X_Look="1")
    assert reply.status == 200
    return said(reply)


def value(reply: Reply, field: str) -> str:
    """What stands in a field of a page."""
    _, _, rest = reply.text.partition(f'name="{field}"')
    assert rest, f"there is no field {field}"
    return unescape(rest.partition('value="')[2].partition('"')[0])


def test_a_table_begins_with_the_limits_that_its_game_defines(tmp_path: Path) -> None:
    folder = Path(copytree(games.HOME / "casino_war", tmp_path / "casino_war"))
    usual = first_settings(load("casino-war")).limits
    assert usual == {"ante": Limits(500, 10_000), "tie": Limits(100, 2_500)}
    toml = folder / "game.toml"
    toml.write_text(toml.read_text("utf-8") + "\n[limits.base]\nleast = 10\nmost = 500\n", "utf-8")
    defined = load("casino-war", folders=[folder])
    assert first_settings(defined).limits == {"ante": Limits(1_000, 50_000), "tie": Limits(100, 2_500)}
    assert defined.fingerprint["definition"] == load("casino-war").fingerprint["definition"]


def tables(server: LocalServer) -> dict[str, TableSettings]:
    return server.run(lambda house: {id: live.table.settings for id, live in house.tables.items()})


# What the form comes to.


@pytest.mark.rule("F-03")
@pytest.mark.parametrize("settings", TABLES, ids=lambda settings: settings.id)
def test_a_form_that_nobody_has_changed_comes_to_the_settings_that_it_was_filled_from(settings: TableSettings) -> None:
    game = settings.load_game()
    fields = {name: [text] for name, text in fields_of(settings, game).items() if name not in ("game", "id")}
    again = drafted(Form(fields), opened=settings)
    assert again.unread == ()
    assert again.settings.load_game().fingerprint == game.fingerprint
    assert drafted(Form(fields), opened=again.settings).settings == again.settings
    for name in ("limits", "seats", "clocks", "prize", "chip", "venue", "without", "shuffling", "equipment", "id"):
        assert getattr(again.settings, name) == getattr(settings, name), name


@pytest.mark.rule("F-03")
@pytest.mark.parametrize("name", definitions())
def test_a_table_of_every_game_and_version_can_be_opened_as_it_is_proposed(name: str) -> None:
    for version in load(name).definition.versions:
        draft = drafted(Form({"game": [name], "version": [version]}))
        assert draft.unread == ()
        assert draft.settings == first_settings(load(name).configured(version=version))
        assert ev.Opened(draft.settings, "", "").settings.load_game().version_name == version


def test_the_name_that_is_proposed_is_free_and_makes_the_address() -> None:
    assert first_name("Yo!", []) == "Yo! 1"
    assert first_name("Yo!", ["yo-1", "Yo! 2"]) == "Yo! 3"
    assert id_of("Down Under Hold'em 1") == "down-under-holdem-1"
    assert id_of("Café  Größe 7") == "cafe-groe-7"


def test_another_game_brings_its_own_settings_and_keeps_what_is_of_the_house(manager: Window) -> None:
    entered = {
        "shown": "one-for-the-money three-card-bonus",
        "game": "yo",
        "name": "The corner",
        "seats": "7",
        "limits.base.most": "99",
        "clocks.betting": "33",
    }
    reply = manager.post(NEW, {"do": "look", **entered}, X_Look="1")
    assert value(reply, "name") == "The corner"
    assert value(reply, "clocks.betting") == "33"
    assert value(reply, "seats") == "5"
    assert "limits.play.most" in reply.text
    proposed = manager.post(NEW, {"do": "look", **entered, "name": "One For The Money 1"}, X_Look="1")
    assert value(proposed, "name") == "Yo! 1"


def test_another_version_brings_its_own_readings(manager: Window) -> None:
    words = "(default)"
    fields = {"game": "yo", "shown": "yo washington", "version": "rack-card", "readings.seven_out_play": "lose"}
    reply = manager.post(NEW, {"do": "look", **fields}, X_Look="1")
    chosen = reply.text.partition('name="readings.seven_out_play"')[2].partition("selected>")[2].partition("<")[0]
    assert words in chosen
    assert "carries no approval" in said(reply)


# A training table.


@pytest.mark.rule("F-02", "F-03", "F-13")
def test_a_manager_opens_a_training_table_by_choosing_a_game_and_it_is_dealt_at_once(
    server: LocalServer, manager: Window
) -> None:
    assert "A training table needs a game and nothing else." in said(manager.get(NEW))
    reply = manager.send(NEW, game="in-between", do="open")
    assert reply.status == 200
    assert "IN BETween 1 is open, and in the lobby." in said(reply)
    assert "the approved rules, for training" in said(reply)
    assert "IN BETween 1" in said(Window(server).get("/"))
    robot = server.join("in-between-1", 1)
    server.wait_for(lambda: server.house.live("in-between-1").table.round is not None)
    assert robot.view["table"]["notices"][0].startswith("A training table")
    opened = server.run(lambda house: next(iter(house.store.read("in-between-1"))).actor)
    assert opened.startswith("person:")


def test_what_a_double_press_sends_twice_is_opened_once(server: LocalServer, manager: Window) -> None:
    fields = {"game": "yo", "name": "Yo! 1", "do": "open"}
    assert manager.post(NEW, fields).status == 303
    again = manager.post(NEW, fields)
    assert again.status == 422
    assert "There is a table 'yo-1' already; choose another id." in said(again)
    assert len(tables(server)) == 2


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [role for role in Role if role is not Role.MANAGER])
def test_only_a_manager_opens_tables_and_changes_settings(server: LocalServer, manager: Window, role: Role) -> None:
    window = Window(server, server.session()) if role is Role.PLAYER else staffed(server, NAMES[role], role)
    before = tables(server)
    for path in (NEW, f"{NEW}/figures", "/house/tables/money/settings", "/house/tables/money/settings/figures"):
        for do in ("open", "post", "withdraw", "look"):
            reply = window.post(path, {"do": do, "game": "yo"})
            assert reply.status == 403
            assert "This page is for a manager." in said(reply)
    assert window.get(NEW).status == 403
    assert tables(server) == before
    assert server.run(lambda house: house.table("money").change) is None


@pytest.mark.rule("F-04", "F-13")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF and role is not Role.MANAGER])
def test_whoever_works_here_reads_the_settings_of_a_table_and_cannot_enter_anything(
    server: LocalServer, manager: Window, role: Role
) -> None:
    window = staffed(server, NAMES[role], role)
    listed = window.get("/house/tables")
    assert "Open a table" not in said(listed)
    assert "Training $1 to $100" in said(listed)
    reply = window.get("/house/tables/money/settings")
    assert reply.status == 200
    words = said(reply)
    table = server.house.live("money").table
    for posted in (
        "the approved rules, for training",
        *table.game.fingerprint.values(),
        "In a dispute, from the first",
    ):
        assert posted in words
    assert "<input" not in reply.text
    assert "Change settings" not in said(window.get("/house/tables/money"))


# What stands against it.

REFUSED = [
    ({"name": ""}, "A table needs a name of at most 80 characters."),
    ({"id": "No!"}, "'No!' cannot be a table's id"),
    ({"id": "money"}, "There is a table 'money' already; choose another id."),
    ({"seats": "8"}, "One For The Money has 1 to 7 seats, not 8."),
    ({"seats": "many"}, "Write a whole number, such as 5."),
    ({"limits.ante.least": ""}, "Write an amount in dollars, such as 5 or 2.50."),
    ({"limits.ante.most": "1e3"}, "Write an amount in dollars, such as 5 or 2.50."),
    ({"limits.ante.least": "200"}, "the least is above 0 and not above the most"),
    ({"clocks.betting": "soon"}, "Write a time in seconds, such as 20."),
    ({"clocks.decision": "4000"}, "choose 0 to an hour"),
    ({"idle": "0"}, "choose 1 to 1,000"),
    ({"chip": "5", "limits.ante.least": "7"}, "are not whole chips"),
    ({"pay.three_card_bonus": "typed"}, "Type what each line pays to 1, from the top: Straight flush"),
    ({"pay.three_card_bonus": "typed", "pay.three_card_bonus.odds": "1,2,3,4,5,6,7"}, "7 pays are too many"),
    ({"pay.three_card_bonus": "9"}, "'9' is none of: 1, "),
    ({"decks": "9"}, "decks"),
    ({"shuffling": "shoe", "penetration": "5"}, "choose 10 to 100"),
    ({"shuffling": "shoe", "readings.traded_card": "back"}, "goes back only into a continuous shuffler"),
    ({"readings.traded_card": "nowhere"}, "'nowhere' is none of: "),
    ({"venue": "the moon"}, "'the moon' is none of: card room, tribal casino, training."),
    ({"dealing": "nobody"}, "'nobody' is none of: program, people, shared."),
    ({"house_rules.Hoyle": "x" * 401}, "A house rule is a text of at most 400 characters."),
    ({"game": "yo", "venue": CARD_ROOM}, "Yo! is not approved for a card room; approved venues: tribal casino."),
    ({"game": "blackjack", "venue": CARD_ROOM}, "carries no approval; open a training table."),
    ({"game": "down-under-holdem", "shuffling": "shoe"}, "choose a continuous shuffler instead of a shoe"),
    ({"game": "down-under-holdem", "prize": ""}, "give the prize of a house jackpot"),
    ({"game": "down-under-holdem", "limits.jackpot.most": "21"}, "Jackpot is one fixed amount from $1 to $20"),
    ({"game": "yo", "offer.more": "no", "offer.yo": "no", "limits.play.most": "x"}, "Write an amount in dollars"),
]


@pytest.mark.rule("F-03", "F-07")
@pytest.mark.parametrize(("entered", "words"), REFUSED)
def test_settings_that_are_not_allowed_are_refused_in_words_with_everything_kept_and_no_table_opened(
    server: LocalServer, manager: Window, entered: dict[str, str], words: str
) -> None:
    fields = {"game": "one-for-the-money", **entered, "clocks.away": "77"}
    before = tables(server)
    assert words in look(manager, **fields) or "already" in words
    reply = manager.post(NEW, {**fields, "do": "open"})
    assert reply.status == 422
    assert words in said(reply)
    assert value(reply, "clocks.away") == "77"
    assert tables(server) == before


def test_several_mistakes_are_told_at_once_each_at_its_field(manager: Window) -> None:
    fields = {"game": "one-for-the-money", "seats": "9", "name": "", "limits.ante.most": "?"}
    reply = manager.post(NEW, {**fields, "do": "open"})
    assert "3 things stand against it; nothing was done." in said(reply)
    for setting in ("seats", "name", "limits-ante"):
        place = reply.text.partition(f'id="wrong-{setting}"')[2].partition("</p>")[0]
        assert place.partition(">")[2], setting
        assert f'href="#wrong-{setting}"' in reply.text


def test_a_form_that_is_far_too_long_is_not_read(manager: Window) -> None:
    assert manager.post(NEW, {"do": "open", "name": "x" * 40_000}).status == 413


def test_a_table_that_is_not_there_has_no_settings(manager: Window) -> None:
    for reply in (manager.get("/house/tables/nowhere/settings"), manager.post("/house/tables/nowhere/settings", {})):
        assert reply.status == 404
        assert "There is no such table" in said(reply)


def test_what_somebody_enters_is_shown_as_text_and_not_as_part_of_the_page(manager: Window) -> None:
    reply = manager.post(NEW, {"do": "look", "game": "yo", "name": '"><script>alert(1)</script>'})
    assert "<script>alert" not in reply.text
    assert value(reply, "name") == '"><script>alert(1)</script>'


# How it stands.


@pytest.mark.rule("F-31")
def test_where_a_modification_is_offered_the_page_says_whom_to_ask_before_it_is_chosen(manager: Window) -> None:
    page = look(manager, game="one-for-the-money")
    ask = "a modification. Before any modification ask the Washington State Gambling Commission."
    assert f"Another number is {ask}" in page
    assert f"Other odds than the listed ones are {ask} Document 004: any modification may affect the approval;" in page
    assert "the commission is reviewing the game for new substantial interest holders" in page
    assert "modification" not in look(manager, game="blackjack")


@pytest.mark.rule("F-01", "F-31")
def test_odds_and_decks_of_ones_own_are_a_modification_and_the_page_says_whom_to_ask_first(manager: Window) -> None:
    fields = {"game": "in-between", "pay.in_between": "typed", "pay.in_between.odds": "30,12,6,4,2", "decks": "3"}
    words = look(manager, **fields)
    assert "How this table would stand modified: not as approved" in words
    assert "All other spreads pays 2 to 1 instead of 1 to 1" in words
    assert "3 decks instead of 1, 2, 4, 6, 8" in words
    assert "Before any modification ask the Washington State Gambling Commission." in words
    assert "Document 003: any modification may affect the approval" in words


@pytest.mark.rule("F-01")
def test_each_question_of_a_document_is_asked_in_words_with_its_default_marked(manager: Window) -> None:
    words = look(manager, game="in-between")
    assert "What happens when the upcard has the rank of just one of the seat's two cards?" in words
    assert "The wager loses (default) The wager pushes" in words
    other = look(manager, game="in-between", **{"readings.upcard_equals_a_card": "push"})
    assert "upcard_equals_a_card=push: the wager pushes" in other
    assert "1 not the usual one" in other


@pytest.mark.rule("F-01", "F-29")
def test_a_card_room_table_opens_only_when_every_condition_is_recorded(server: LocalServer, manager: Window) -> None:
    fields = {"game": "one-for-the-money", "venue": CARD_ROOM, "do": "open"}
    refused = manager.post(NEW, fields)
    assert refused.status == 422
    assert "3 things stand against it" in said(refused)
    assert said(refused).count("Say when this was fulfilled, and which document says so.") == 3
    ahead = manager.post(NEW, {**fields, **conditions("one-for-the-money", CARD_ROOM, date="2999-01-01")})
    assert "2999-01-01 is still to come; record when this was fulfilled." in said(ahead)
    unnamed = manager.post(NEW, {**fields, **conditions("one-for-the-money", CARD_ROOM, reference="")})
    assert "Name the document, in at most 200 characters, that says." in said(unnamed)
    assert list(tables(server)) == ["money"]
    reply = manager.send(NEW, **fields, **conditions("one-for-the-money", CARD_ROOM))
    assert "Standing as approved" in said(reply)
    assert "2021-06-01, letter of the commission" in said(reply)
    opened = tables(server)["one-for-the-money-1"]
    assert [one.date for one in opened.conditions or ()] == ["2021-06-01"] * 3


@pytest.mark.rule("F-01", "F-02", "F-29")
@pytest.mark.parametrize(
    ("entered", "standing"),
    [
        ({}, "approved rules, other equipment"),
        ({"equipment.card reader": "own", "equipment.jackpot system": "own"}, "as approved"),
        (
            {"equipment.card reader": "own", "equipment.jackpot system": "own", "readings.folded_bonus": "forfeits"},
            "as approved, with other readings",
        ),
        (
            {
                "equipment.card reader": "other",
                "equipment.card reader.other": "a light box",
                "equipment.jackpot system": "own",
            },
            "approved rules, other equipment",
        ),
        ({"offer.jackpot": "no", "equipment.card reader": "own"}, "as approved"),
    ],
)
def test_a_card_room_table_says_how_its_equipment_makes_it_stand(
    server: LocalServer, manager: Window, entered: dict[str, str], standing: str
) -> None:
    people = {"dealing": "people"} if any(name.startswith("equipment") for name in entered) else {}
    fields = {"game": "down-under-holdem", "venue": CARD_ROOM, **people, **entered}
    for spot in ("ante", "bet"):
        fields |= {f"limits.{spot}.most": "100"}
    fields |= conditions("down-under-holdem", CARD_ROOM)
    assert f"How this table would stand {standing} " in look(manager, **fields)
    reply = manager.send(NEW, **fields, do="open")
    assert reply.status == 200
    assert f"Standing {standing} " in said(reply)


@pytest.mark.rule("F-01")
def test_a_piece_of_equipment_about_which_nothing_is_said_keeps_a_table_that_people_deal_closed(
    manager: Window,
) -> None:
    words = look(manager, game="down-under-holdem", dealing="people")
    assert 'record "the maker\'s own" for the card reader' in words.replace("'the maker's own'", '"the maker\'s own"')


@pytest.mark.rule("F-03", "F-20")
def test_the_duties_of_the_dealer_are_shared_as_the_form_says_and_what_cannot_be_is_told_at_its_field(
    server: LocalServer, manager: Window
) -> None:
    shared = {"game": "one-for-the-money", "name": "Shared", "dealing": "shared"}
    words = look(manager, **shared)
    assert "Who takes and pays" in words and "Nothing stands against it" in words
    mixed = {**shared, "source": "program", "duties.dealing": "program", "duties.reading": "program"}
    assert "people and the program share the dealer's duties" in look(manager, **mixed)
    physical = {**shared, "source": "physical", "duties.dealing": "program"}
    assert (
        "Cards and dice are physical at this table, so that a person deals and turns the cards; only the betting, to"
        " take and pay, and the calls may be the program's."
    ) in look(manager, **physical)
    assert manager.post(NEW, {**physical, "do": "open"}).status == 422
    assert manager.send(NEW, **mixed, do="open").status == 200
    settings = tables(server)["shared"]
    assert not settings.is_physical and settings.duty("dealing") == "program" and settings.duty("paying") == "person"
    reply = manager.post("/house/tables/shared/settings", {"do": "post", "duties.dealing": "person"})
    assert reply.status in (200, 303)
    assert tables(server)["shared"].duty("dealing") == "person"


@pytest.mark.rule("F-10", "F-14")
def test_the_form_tells_where_patrons_without_a_screen_cannot_sit(manager: Window) -> None:
    blind = "whoever sits here needs a screen"
    shared = {"game": "down-under-holdem", "name": "Blind", "dealing": "shared"}
    assert blind in look(manager, **shared, source="program")
    assert blind not in look(manager, **shared, source="physical")
    assert blind not in look(manager, **{**shared, "game": "one-for-the-money"}, source="program")


@pytest.mark.rule("F-06")
def test_a_limit_above_the_law_is_refused_with_what_would_be_allowed_and_its_source(
    server: LocalServer, manager: Window
) -> None:
    fields = {"game": "down-under-holdem", "venue": CARD_ROOM, **conditions("down-under-holdem", CARD_ROOM)}
    words = look(manager, **fields, **{"limits.ante.most": "150"})
    assert (
        "Ante may be at most $133.33, not $150: Play may be 3 times Ante, and by law a single wager is at most" in words
    )
    assert "WSR 23-09-065" in words
    assert "unverified" in words
    assert "By law at most $133.33." in words
    refused = manager.post(NEW, {**fields, "limits.ante.most": "150", "do": "open"})
    assert refused.status == 422
    training = look(manager, game="down-under-holdem", **{"limits.ante.most": "150"})
    assert "no limit of the law applies" in training
    assert "Nothing stands against it" in training


@pytest.mark.rule("F-09")
def test_a_payout_limit_is_offered_only_where_it_may_be_and_has_a_least_amount(
    server: LocalServer, manager: Window
) -> None:
    fields = {"game": "down-under-holdem", "offer.jackpot": "no"}
    page = manager.post(NEW, {**fields, "do": "look"}, X_Look="1").text
    assert "payout_limits.bet" in page
    assert "payout_limits.in_between" not in manager.post(NEW, {"game": "in-between"}, X_Look="1").text
    low = look(manager, **fields, **{"payout_limits.bet": "4999"})
    assert (
        "The payout limit of Bet is at least $5,000, which is 50 times the most that it takes; $4,999 cannot be." in low
    )
    reply = manager.send(NEW, **fields, **{"payout_limits.bet": "5,000", "do": "open"})
    assert "Bet pays at most $5,000 in a round to all seats together" in said(reply)
    assert tables(server)["down-under-holdem-1"].payout_limits == {"bet": 500_000}


@pytest.mark.rule("F-04", "F-05")
def test_house_rules_are_posted_with_their_kind_and_the_order_in_a_dispute(
    server: LocalServer, manager: Window
) -> None:
    rules = {"house_rules.approved house rules": "No phones.\n\n No shouting. ", "house_rules.Hoyle": "Deal clockwise."}
    reply = manager.send(NEW, game="yo", do="open", **rules)
    words = said(reply)
    assert "No phones. approved house rules No shouting. approved house rules Deal clockwise. Hoyle" in words
    assert "state rules, approved manufacturer's rules, approved house rules, Hoyle" in words
    assert "names the table and the round to a supervisor" in words
    assert tables(server)["yo-1"].house_rules == (
        HouseRule("No phones."),
        HouseRule("No shouting."),
        HouseRule("Deal clockwise.", "Hoyle"),
    )
    posted = server.join("yo-1", 1).view["table"]
    assert [rule["text"] for rule in posted["house_rules"]] == ["No phones.", "No shouting.", "Deal clockwise."]


@pytest.mark.rule("F-40")
def test_a_change_that_is_posted_is_withdrawn_on_the_page_of_the_table_by_a_manager_alone(
    server: LocalServer, manager: Window
) -> None:
    ann = server.join("money", 1)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    server.run(lambda house: house.change_settings("money", replace(house.live("money").table.settings, name="Rose")))
    supervisor = staffed(server, "Sue", Role.SUPERVISOR)
    assert "the table is called Rose" in said(supervisor.get("/house/tables/money"))
    assert "Withdraw it" not in said(supervisor.get("/house/tables/money"))
    page = manager.get("/house/tables/money")
    assert '<form method="post" action="/house/tables/money/settings"' in page.text and "Withdraw it" in page.text
    assert "The change is withdrawn" in said(manager.send("/house/tables/money/settings", do="withdraw"))
    assert "Withdraw it" not in said(manager.get("/house/tables/money"))
    ann.close()


@pytest.mark.rule("F-37")
def test_the_page_of_a_table_tells_its_two_highest_prizes_and_what_is_to_be_held(
    tmp_path: Path,
) -> None:
    high = under(limits={**under().limits, "ante": Limits(500, 30_000), "bet": Limits(500, 30_000)})
    with LocalServer(tmp_path, [high, money()]) as server:
        manager = staffed(server, "Kim", Role.MANAGER)
        words = said(manager.get("/house/tables/under"))
        assert "$150,000 (Bet, Royal flush); the second highest: " in words
        assert "nothing has to be held" in said(manager.get("/house/tables/money"))
        fields = {"game": "down-under-holdem", "limits.bet.most": "300", "limits.match_the_dealer.most": "300"}
        held = look(manager, **fields)
        assert "Highest prize by odds, at the highest wager: $150,000, Bet, Royal flush." in held
        assert "Both exceed $25,000" in held


# A table that is open.


def change(window: Window, table: str = "money", **fields: str) -> Reply:
    return window.send(f"/house/tables/{table}/settings", **fields)


@pytest.mark.rule("F-40")
def test_a_change_is_posted_first_seen_by_the_players_and_in_force_after_the_round(
    server: LocalServer, manager: Window
) -> None:
    robot = server.join("money", 1)
    robot.phase("betting")
    robot.done("place", spot="ante", amount=500)
    looked = manager.post("/house/tables/money/settings", {"limits.ante.least": "5", "do": "look"}, X_Look="1")
    assert "What differs from now Ante takes $5 to $100." in said(looked)
    reply = change(manager, **{"limits.ante.least": "5", "do": "post"})
    assert "The change is posted at the table." in said(reply)
    assert "Ante takes $5 to $100" in said(reply)
    assert tables(server)["money"].limits["ante"].least == 100
    robot.until(lambda view: "From the next round: Ante takes $5 to $100." in view["message"])
    robot.done("ready")
    play_on(robot)
    assert tables(server)["money"].limits["ante"].least == 500
    assert robot.view["table"]["limits"]["ante"]["least"] == 500
    assert "From the next round" not in robot.view["message"]
    events = server.run(lambda house: [decode_event("money", record.event) for record in house.store.read("money")])
    kinds = [type(event) for event in events]
    assert kinds.index(ev.ChangePosted) < kinds.index(ev.RoundEnded) < kinds.index(ev.SettingsChanged)


@pytest.mark.rule("F-40")
def test_a_posted_change_is_shown_in_the_form_and_can_be_withdrawn(server: LocalServer, manager: Window) -> None:
    robot = server.join("money", 1)
    robot.phase("betting")
    robot.done("place", spot="ante", amount=500)
    change(manager, **{"limits.ante.least": "5", "do": "post"})
    page = manager.get("/house/tables/money/settings")
    assert "A change is posted and not in force yet." in said(page)
    assert value(page, "limits.ante.least") == "5"
    again = manager.post("/house/tables/money/settings", {"limits.ante.least": "4", "do": "post"})
    assert again.status == 422
    assert value(again, "limits.ante.least") == "4"
    withdrawn = change(manager, do="withdraw")
    assert "The change is withdrawn" in said(withdrawn)
    assert server.run(lambda house: house.table("money").change) is None
    twice = manager.post("/house/tables/money/settings", {"do": "withdraw"})
    assert twice.status == 422


@pytest.mark.rule("F-40")
@pytest.mark.parametrize(
    ("entered", "words"),
    [
        ({}, "nothing"),
        ({"seats": "1"}, "Seat 3 is taken, so that the table keeps at least 3 seats."),
        ({"seats": "0"}, "has 1 to 7 seats, not 0"),
        ({"venue": CARD_ROOM}, "Say when this was fulfilled"),
    ],
)
def test_a_change_that_is_not_allowed_is_refused_and_nothing_is_posted(
    server: LocalServer, manager: Window, entered: dict[str, str], words: str
) -> None:
    server.join("money", 3)
    reply = manager.post("/house/tables/money/settings", {**entered, "do": "post"})
    assert reply.status == 422
    assert words in said(reply).casefold() or words in said(reply)
    assert server.run(lambda house: house.table("money").change) is None


# Figures.


def test_without_a_lab_the_page_says_so_and_everything_else_works(server: LocalServer, manager: Window) -> None:
    reply = manager.post(f"{NEW}/figures", {"game": "yo"})
    assert reply.status == 200
    assert NOT_NOW in said(reply)
    looked = manager.post(NEW, {"game": "yo", "do": "look"})
    assert NOT_NOW in said(looked)
    assert "the approved rules, for training" in said(looked)
    assert manager.post(NEW, {"game": "yo", "do": "open"}).status == 303


def test_figures_are_not_asked_for_while_the_game_cannot_be_played(server: LocalServer, manager: Window) -> None:
    reply = manager.post(f"{NEW}/figures", {"game": "yo", "pay.play": "typed", "pay.play.odds": "x"})
    assert "There are figures when the game can be played with these settings." in said(reply)


@pytest.mark.slow
def test_the_exact_edge_of_each_wager_is_told_with_its_distance_from_the_listed_game(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [], lab=Lab(patience=200)) as server:  # it comes after everything else on a busy machine
        manager = staffed(server, "Kim", Role.MANAGER)
        listed = manager.post(f"{NEW}/figures", {"game": "one-for-the-money"})
        assert "Ante 3.8231 % 493536/12909299 same" in said(listed)
        fields = {"game": "in-between", "decks": "8", "pay.in_between": "typed", "pay.in_between.odds": "30,12,6,3,1"}
        other = said(manager.post(f"{NEW}/figures", fields))
        assert "IN BETween 5.5555 % 62042/1116765 +2.1594" in other
        assert "Blackjack It is being counted." in other
        alone = manager.post(f"{NEW}/figures", {"game": "yo", "wager": "high"})
        assert said(alone).count("%") == 1
        generous = {"game": "yo", "version": "rack-card", "shown": "yo rack-card"}
        assert "In the players' favour." in said(manager.post(f"{NEW}/figures", generous))
        looked = said(manager.post(NEW, {"game": "one-for-the-money", "do": "look"}))
        assert "Ante 3.8231 % 493536/12909299 same" in looked


def today() -> str:
    return datetime.now(UTC).date().isoformat()


@pytest.mark.rule("F-29")
def test_a_condition_that_is_fulfilled_today_is_recorded(manager: Window) -> None:
    fields = {"game": "yo", "venue": "tribal casino", **conditions("yo", "tribal casino", date=today())}
    words = look(manager, **fields)
    assert "5 of 5 recorded" in words
    assert "A tribal casino sets its own wager limits" in words
    assert "Nothing stands against it" in words
