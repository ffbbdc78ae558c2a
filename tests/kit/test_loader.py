"""A game's folder is loaded, or refused with all that is wrong in it: file, line, entry, what is allowed."""

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from feltworks import games
from feltworks.kit.errors import BadDefinition, UnknownName
from feltworks.kit.loader import line_of, load_folder
from feltworks.kit.steps import Bet
from tests.kit.support import one_sentence

TOML = """\
name = "coin"
title = "Coin"
summary = "Heads wins."
rules = "toy"
seats = 3

[pack]
decks = 1

[versions.plain]
title = "for the tests"
wagers = ["base", "side"]

[wagers.base]
title = "Bet"
required = true
spots = { bet = "Bet", more = "More" }

[wagers.side]
title = "Side"
needs = ["base"]

[pay_tables.side.A]
"Heads" = "1 to 1"
"Edge" = "3,000 for 1"

[readings.edge]
question = "What if the coin stands?"
sources = ["nobody says"]

[readings.edge.values]
push = "it pushes"
lose = "it loses"

[[published]]
wager = "side"
printed = "1.50"
source = "nowhere"
"""

RULES = """\
from dataclasses import dataclass

from feltworks.kit.round import Round


@dataclass(frozen=True)
class Coin(Round):
    def play(self):
        yield self.game.betting("open")


ROUND = Coin
"""


def write(folder: Path, toml: str = TOML, rules: str = RULES) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.toml").write_text(toml, encoding="utf-8")
    (folder / "rules.py").write_text(rules, encoding="utf-8")
    return folder


def refusal(folder: Path) -> list[str]:
    """What a folder is refused with, one sentence a line, without the folder's own path."""
    with pytest.raises(BadDefinition) as refused:
        load_folder(folder)
    lines = str(refused.value).split("\n")
    assert all(line.startswith(str(folder)) and line.endswith(".") for line in lines)
    return [line.removeprefix(str(folder)).removeprefix("/") for line in lines]


def changed(old: str, new: str) -> str:
    assert TOML.count(old) == 1
    return TOML.replace(old, new)


def test_a_whole_folder_is_a_game(tmp_path: Path) -> None:
    game = load_folder(write(tmp_path))
    assert (game.name, game.version_name, game.decks, game.readings) == ("coin", "plain", 1, {"edge": "push"})
    assert game.start().next == Bet("open", ("bet", "side"))
    assert [str(line.pay) for line in game.pay_table("side")] == ["1 to 1", "3,000 for 1"]


def test_a_wager_opens_its_first_spot_with_one_unit_unless_it_says_otherwise(tmp_path: Path) -> None:
    assert load_folder(write(tmp_path)).wager("base").opens == {"bet": 1}
    shares = changed("required = true", 'opens = { more = "1/3", bet = 2 }')
    assert load_folder(write(tmp_path, shares)).wager("base").opens == {"more": Fraction(1, 3), "bet": 2}


def test_one_pay_is_not_enough_for_a_table_of_several_lines(tmp_path: Path) -> None:
    with pytest.raises(UnknownName) as refused:
        load_folder(write(tmp_path)).configured(pay={"side": "3"})
    assert one_sentence(refused.value) == (
        "There is no pay table for side '3'; choose one of: A, or odds from the top such as 30,12,3/2,0."
    )


# What is wrong with a game.toml.

BROKEN = {
    "an entry of a layout that is not known": (
        "seats = 3",
        "seats = 3\nlayout.spots.bet = { x = 0, y = 0, colour = 1 }",
        "game.toml:6: layout.spots.bet.colour: this entry is not known; known are: x, y, shape, label, note, twin, "
        "sensed, other.",
    ),
    "a colour in words": (
        "seats = 3",
        'seats = 3\nlayout.felt = "blue"',
        'game.toml:6: layout.felt: write the colour as six figures, such as "#12396b".',
    ),
    "a place on the felt that is no number": (
        "seats = 3",
        'seats = 3\nlayout.spots.bet = { x = "left" }',
        "game.toml:6: layout.spots.bet.x: write a number.",
    ),
    "a spot on the felt that is not of the game": (
        "seats = 3",
        "seats = 3\nlayout.spots.raise = { x = 0, y = 0 }",
        "game.toml:6: layout.spots.raise: 'raise' is not defined; defined are: bet, more, side.",
    ),
    "a legend that leaves out a value of its reading": (
        "seats = 3",
        'seats = 3\nlayout.legends = [{ by = "edge", of = { push = { text = "Edge pushes" } } }]',
        "game.toml:6: layout.legends.0.of: say what is written for 'lose' too.",
    ),
    "not TOML": (
        "seats = 3",
        "seats 3",
        "game.toml:5: this is not TOML: Expected '=' after a key in a key/value pair.",
    ),
    "an entry twice": (
        "seats = 3",
        "seats = 3\nseats = 4",
        "game.toml:6: this is not TOML: Cannot overwrite a value.",
    ),
    "a string that does not end": (
        'source = "nowhere"\n',
        'source = """nowhere\n',
        "game.toml:38: this is not TOML: Unterminated string.",
    ),
    "an unknown entry": (
        "seats = 3",
        "seats = 3\nchairs = 3",
        "game.toml:6: chairs: this entry is not known; known are: name, title, summary, how_to_play, rules, extends, "
        "seats, approval, pack, wheels, versions, wagers, pay_tables, readings, limits, published, layout.",
    ),
    "an unknown entry of a part": (
        "decks = 1",
        "decks = 1\ndeck = 2",
        "game.toml:9: pack.deck: this entry is not known; known are: decks, approved_decks, ranks, suits, "
        "suits_alike, fresh_each_round, deepest_penetration.",
    ),
    "an unknown entry of a figure": (
        'source = "nowhere"',
        'source = "nowhere"\npage = 3',
        "game.toml:39: published.0.page: this entry is not known; known are: wager, spot, figure, printed, source, "
        "version, decks, pay, convention, at, settles.",
    ),
    "a missing entry": ('title = "Coin"\n', "", "game.toml:1: title: this entry is missing."),
    "a missing entry of a part": (
        'title = "for the tests"\n',
        "",
        "game.toml:10: versions.plain.title: this entry is missing.",
    ),
    "a number for text": ('"Coin"', "7", "game.toml:2: title: write it as text in quotes."),
    "text for a number": ("seats = 3", 'seats = "three"', "game.toml:5: seats: write a whole number."),
    "a part of a seat": ("seats = 3", "seats = 2.5", "game.toml:5: seats: write a whole number."),
    "text for a truth": (
        "required = true",
        'required = "perhaps"',
        'game.toml:16: wagers.base.required: write true, false or "any".',
    ),
    "a number for the spots that a wager opens": (
        'spots = { bet = "Bet", more = "More" }',
        "opens = 2",
        'game.toml:17: wagers.base.opens: write a table of spots with their shares of a unit, or "any".',
    ),
    "an unknown entry of a wager": (
        "required = true",
        "mandatory = true",
        "game.toml:16: wagers.base.mandatory: this entry is not known; known are: title, kind, required, needs, "
        "instead, self_service, fixed, windows, spots, opens, multiples, matters, alike, on_request, by, conventions.",
    ),
    "text for a list": (
        'needs = ["base"]',
        'needs = "base"',
        "game.toml:21: wagers.side.needs: write a list in brackets.",
    ),
    "text for a table": (
        "[pack]\ndecks = 1\n",
        'pack = "one deck"\n',
        "game.toml:7: pack: write a table of entries.",
    ),
    "text for a wager": (
        '[wagers.side]\ntitle = "Side"\nneeds = ["base"]\n',
        '[wagers]\nside = "Side"\n',
        "game.toml:20: wagers.side: write a table of entries.",
    ),
    "a pay table without a name": (
        "[pay_tables.side.A]",
        "[pay_tables.side]",
        "game.toml:24: pay_tables.side.Heads: write a table of entries.\n"
        "game.toml:25: pay_tables.side.Edge: write a table of entries.",
    ),
    "no seats": ("seats = 3", "seats = 0", "game.toml:5: seats: write 1 or more."),
    "too many seats": ("seats = 3", "seats = 13", "game.toml:5: seats: write 12 or less."),
    "9 decks": ("decks = 1", "decks = 9", "game.toml:8: pack.decks: write 8 or less."),
    "0 decks": ("decks = 1", "decks = 0", "game.toml:8: pack.decks: write 1 or more."),
    "9 decks approved": (
        "decks = 1",
        "decks = 1\napproved_decks = [1, 9]",
        "game.toml:9: pack.approved_decks.1: write 8 or less.",
    ),
    "a penetration of nothing": (
        "decks = 1",
        "decks = 1\ndeepest_penetration = 0",
        "game.toml:9: pack.deepest_penetration: write a number above 0.",
    ),
    "more than the whole shoe": (
        "decks = 1",
        "decks = 1\ndeepest_penetration = 1.5",
        "game.toml:9: pack.deepest_penetration: write 1 or less.",
    ),
    "an unknown kind": (
        "required = true",
        'kind = "odd"',
        "game.toml:16: wagers.base.kind: choose 'ordinary', 'contract' or 'one-roll'.",
    ),
    "an unknown rank": (
        "decks = 1",
        'decks = 1\nranks = "1AK"',
        "game.toml:9: pack.ranks: write some of the ranks 23456789TJQKA.",
    ),
    "an unknown suit": (
        "decks = 1",
        'decks = 1\nsuits = "x"',
        "game.toml:9: pack.suits: write some of the suits cdhs.",
    ),
    "a figure without decimals": (
        '"1.50"',
        '"2"',
        'game.toml:37: published.0.printed: write the figure as it is printed, such as "6.07".',
    ),
    "a name in capitals": (
        "[wagers.side]",
        "[wagers.Side]",
        "game.toml:19: wagers.Side: write a name of small letters, digits, - and _.",
    ),
    "odds with a colon": (
        '"1 to 1"',
        '"1:1"',
        "game.toml:24: pay_tables.side.A.Heads: Write \"1 to 1\" instead of '1:1'.",
    ),
    "odds as a number": (
        '"1 to 1"',
        "1",
        'game.toml:24: pay_tables.side.A.Heads: write the odds as text, such as "3 to 2".',
    ),
    "a share that is not exact": (
        "required = true",
        "opens = { bet = 0.1 }",
        'game.toml:16: wagers.base.opens.bet: write a whole number, or a fraction as text such as "1/2".',
    ),
    "a share in words": (
        "required = true",
        'opens = { bet = "half" }',
        'game.toml:16: wagers.base.opens.bet: write a whole number, or a fraction as text such as "1/2".',
    ),
    "a share of nothing": (
        "required = true",
        'opens = { bet = "0" }',
        'game.toml:16: wagers.base.opens.bet: write a whole number, or a fraction as text such as "1/2".',
    ),
    "no lines": (
        '"Heads" = "1 to 1"\n"Edge" = "3,000 for 1"\n',
        "",
        "game.toml:23: pay_tables.side.A: it has too few entries; write at least 1.",
    ),
    "no spots": (
        'spots = { bet = "Bet", more = "More" }',
        "spots = {}",
        "game.toml:17: wagers.base.spots: it has too few entries; write at least 1.",
    ),
    "a reading with one answer": (
        'lose = "it loses"\n',
        "",
        "game.toml:31: readings.edge.values: it has too few entries; write at least 2.",
    ),
    "an unknown wager in a version": (
        '["base", "side"]',
        '["base", "sied"]',
        "game.toml:12: versions.plain.wagers: 'sied' is not defined; defined are: base, side.",
    ),
    "a version without what its wager needs": (
        '["base", "side"]',
        '["side"]',
        "game.toml:12: versions.plain.wagers: 'side' needs 'base', which this version does not offer.",
    ),
    "an unknown reading in a version": (
        '["base", "side"]',
        '["base", "side"]\nreadings = { rim = "push" }',
        "game.toml:13: versions.plain.readings: 'rim' is not defined; defined are: edge.",
    ),
    "an unknown answer in a version": (
        '["base", "side"]',
        '["base", "side"]\nreadings = { edge = "win" }',
        "game.toml:13: versions.plain.readings.edge: 'win' is not defined; defined are: lose, push.",
    ),
    "a need that is no wager": (
        'needs = ["base"]',
        'needs = ["bet"]',
        "game.toml:21: wagers.side.needs: 'bet' is not defined; defined are: base, side.",
    ),
    "a wager instead of an unknown one": (
        'needs = ["base"]',
        'instead = ["bet"]',
        "game.toml:21: wagers.side.instead: 'bet' is not defined; defined are: base, side.",
    ),
    "an opening that is no spot": (
        "required = true",
        "opens = { base = 1 }",
        "game.toml:16: wagers.base.opens: 'base' is not defined; defined are: bet, more.",
    ),
    "a spot in two wagers": (
        'needs = ["base"]',
        'spots = { bet = "Bet" }',
        "game.toml:21: wagers.side.spots: 'bet' is a spot of 'base' already.",
    ),
    "a pay table of nothing": (
        "[pay_tables.side.A]",
        "[pay_tables.sied.A]",
        "game.toml:23: pay_tables: 'sied' is not defined; defined are: base, bet, more, side.",
    ),
    "a figure of an unknown wager": (
        'wager = "side"',
        'wager = "sied"',
        "game.toml:36: published.0.wager: 'sied' is not defined; defined are: base, side.",
    ),
    "a figure of an unknown version": (
        'wager = "side"',
        'wager = "side"\nversion = "fancy"',
        "game.toml:37: published.0.version: 'fancy' is not defined; defined are: plain.",
    ),
    "a figure of an unknown pay table": (
        'wager = "side"',
        'wager = "side"\npay = "B"',
        "game.toml:37: published.0.pay: 'B' is not defined; defined are: A.",
    ),
    "a figure of an unknown convention": (
        'wager = "side"',
        'wager = "side"\nconvention = "uniform"',
        "game.toml:37: published.0.convention: 'uniform' is not defined; defined are: decided.",
    ),
    "a figure that settles no reading": (
        'wager = "side"',
        'wager = "side"\nsettles = ["push"]',
        "game.toml:37: published.0.settles: 'push' is not defined; defined are: edge.",
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_game_toml_is_told_file_line_entry_and_what_is_allowed(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert refusal(write(tmp_path, changed(old, new))) == said.split("\n")


def test_all_errors_are_told_at_once_from_the_top(tmp_path: Path) -> None:
    toml = changed("seats = 3", "seats = 0").replace("decks = 1", "decks = 9").replace('"1 to 1"', '"one"')
    lines = refusal(write(tmp_path, toml))
    assert [line.split(": ")[:2] for line in lines] == [
        ["game.toml:5", "seats"],
        ["game.toml:8", "pack.decks"],
        ["game.toml:24", "pay_tables.side.A.Heads"],
    ]


def test_all_names_that_name_nothing_are_told_at_once(tmp_path: Path) -> None:
    toml = changed('["base", "side"]', '["bass", "side"]').replace('["base"]', '["bass"]')
    toml = toml.replace('wager = "side"', 'wager = "sied"')
    assert refusal(write(tmp_path, toml)) == [
        "game.toml:12: versions.plain.wagers: 'bass' is not defined; defined are: base, side.",
        "game.toml:21: wagers.side.needs: 'bass' is not defined; defined are: base, side.",
        "game.toml:36: published.0.wager: 'sied' is not defined; defined are: base, side.",
    ]


# What is wrong with a folder.


def test_a_folder_without_its_files_is_told_what_it_holds(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "rules.py").unlink()
    assert refusal(tmp_path) == [" has no rules.py; a game's folder holds game.toml and rules.py."]
    (tmp_path / "game.toml").unlink()
    assert refusal(tmp_path) == [" has no game.toml; a game's folder holds game.toml and rules.py."]


def test_a_game_toml_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (write(tmp_path) / "game.toml").write_bytes(b"\xff\xfe")
    assert refusal(tmp_path) == ["game.toml cannot be read: it is not text in UTF-8."]


def test_a_game_toml_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(path: Path, encoding: str) -> str:
        raise PermissionError(13, "Permission denied")

    write(tmp_path)
    monkeypatch.setattr(Path, "read_text", locked)
    assert refusal(tmp_path) == ["game.toml cannot be read: Permission denied."]


WRONG_RULES = {
    "no ROUND": (
        RULES.replace("ROUND = Coin", ""),
        "rules.py must set ROUND to the game's subclass of Round.",
    ),
    "ROUND of another kind": (
        RULES.replace("ROUND = Coin", "ROUND = dict"),
        "rules.py must set ROUND to the game's subclass of Round.",
    ),
    "a round instead of its class": (
        RULES.replace("ROUND = Coin", "ROUND = 3"),
        "rules.py must set ROUND to the game's subclass of Round.",
    ),
    "an error": (
        RULES.replace("ROUND = Coin", "ROUND = Koin"),
        "rules.py:12: the rules cannot be run: NameError: name 'Koin' is not defined.",
    ),
    "an error with a full stop": (
        "\nraise ValueError('That is not so.')",
        "rules.py:2: the rules cannot be run: ValueError: That is not so.",
    ),
    "an import that fails": (
        "import feltworks.kit.dominoes",
        "rules.py:1: the rules cannot be run: ModuleNotFoundError: No module named 'feltworks.kit.dominoes'.",
    ),
    "a bonus of an unknown wager": (
        "from feltworks.kit.game import Bonus\n" + RULES + 'BONUSES = {"sied": Bonus("end", print)}\n',
        "rules.py: BONUSES['sied'] must be a Bonus of a wager in game.toml: base, side.",
    ),
    "a bonus of another kind": (
        RULES + 'BONUSES = {"side": print}\n',
        "rules.py: BONUSES['side'] must be a Bonus of a wager in game.toml: base, side.",
    ),
    "a list of bonuses": (
        RULES + "BONUSES = [1]\n",
        "rules.py must set BONUSES to a dictionary of Bonus by wager.",
    ),
}


@pytest.mark.parametrize(("rules", "said"), WRONG_RULES.values(), ids=WRONG_RULES)
def test_rules_that_cannot_be_used_are_told_what_to_do(rules: str, said: str, tmp_path: Path) -> None:
    assert refusal(write(tmp_path, rules=rules)) == [said]


def test_rules_that_are_not_python_are_told_the_line(tmp_path: Path) -> None:
    [said] = refusal(write(tmp_path, rules="x = 1\ndef play(:\n"))
    assert said.startswith("rules.py:2: the rules cannot be run: SyntaxError: ")


def test_a_refused_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    before = set(sys.modules)
    refusal(write(tmp_path, rules="raise ValueError('no')"))
    assert set(sys.modules) == before
    assert load_folder(write(tmp_path)).name == "coin"


def test_rules_that_were_changed_are_run_anew(tmp_path: Path) -> None:
    first, again = load_folder(write(tmp_path)), load_folder(tmp_path)
    assert first.round_class is again.round_class
    other = load_folder(write(tmp_path, rules=RULES.replace('"open"', '"shut"')))
    assert other.start().next == Bet("shut", ())
    assert first.start().next == Bet("open", ("bet", "side"))


def test_folders_with_names_alike_have_rules_of_their_own(tmp_path: Path) -> None:
    one = load_folder(write(tmp_path / "a-b"))
    other = load_folder(write(tmp_path / "a_b", rules=RULES.replace('"open"', '"shut"')))
    assert one.start().next == Bet("open", ("bet", "side"))
    assert other.start().next == Bet("shut", ())


# The line of an entry.

TRICKY = """\
# [pack] is below
title = "a"   # decks = 3
"quoted key" = 1
dotted.one = 1
dotted . 'two words' . three = 2
text = \"\"\"
[wagers.base]
title = "not here"
\\\"\"\" nor here
\"\"\"
literal = '''
[pack]
'''
listed = [
    "a = 1",
    [1],
    [
2]
]
inline = { a = 1, b = { c = 2 } }

  [ pack ]  # the pack
decks = 9

["quoted.header"."x]y"]
a = 1

[[published]]
wager = "a"
[published.more]
x = 1

[[published]]
wager = "b"
  [[published.notes]]
  text = "c"
  [[published.notes]]
  text = "d"

[wagers.base]
title = "here"
[wagers.base.deep]
a = 1
"""

LINES: list[tuple[tuple[str | int, ...], int]] = [
    ((), 1),
    (("nowhere",), 1),
    (("title",), 2),
    (("quoted key",), 3),
    (("dotted",), 4),
    (("dotted", "one"), 4),
    (("dotted", "two words", "three"), 5),
    (("dotted", "two words", "four"), 5),
    (("text",), 6),
    (("literal",), 11),
    (("listed", 0), 14),
    (("inline", "b", "c"), 20),
    (("pack",), 22),
    (("pack", "decks"), 23),
    (("pack", "ranks"), 22),
    (("quoted.header", "x]y"), 25),
    (("quoted.header", "x]y", "a"), 26),
    (("published", 0, "wager"), 29),
    (("published", 0, "more", "x"), 31),
    (("published", 0, "source"), 28),
    (("published", 1, "wager"), 34),
    (("published", 1, "notes", 0, "text"), 36),
    (("published", 1, "notes", 1), 37),
    (("published", 1, "notes", 1, "text"), 38),
    (("published", 2), 28),
    (("wagers",), 40),
    (("wagers", "base", "title"), 41),
    (("wagers", "base", "deep", "a"), 43),
    (("wagers", "side"), 40),
]


@pytest.mark.parametrize(("path", "line"), LINES, ids=[".".join(map(str, path)) or "the file" for path, _ in LINES])
def test_the_line_of_an_entry_is_found_in_tricky_toml(path: tuple[str | int, ...], line: int) -> None:
    assert line_of(TRICKY, path) == line
    assert line_of(TRICKY.replace("\n", "\r\n"), path) == line


def test_empty_lines_are_counted() -> None:
    assert line_of("\n\na = 1\n\n[b]\nc = 2", ("a",)) == 3
    assert line_of("\n\na = 1\n\n[b]\nc = 2", ("b", "c")) == 6


# Where games come from.


def test_games_outside_the_package_are_loaded_from_folders(toys: Path, tmp_path: Path) -> None:
    write(tmp_path / "my_game")
    assert games.load("my-game", [tmp_path / "my_game"]).title == "Coin"
    assert games.load("my-game", [str(tmp_path)]).title == "Coin"
    assert games.load("peek", [toys, tmp_path]).title == "Peek"
    assert {"bands", "peek", "point", "my-game", "in-between"} <= set(games.names([toys, tmp_path]))
    assert "bands" not in games.names()


def test_a_game_of_ones_own_comes_before_that_of_the_package(tmp_path: Path) -> None:
    write(tmp_path / "in_between")
    assert games.load("in-between").title == "IN BETween"
    assert games.load("in-between", [tmp_path]).title == "Coin"


@pytest.mark.parametrize("folder", [lambda path: path, lambda path: path / "nowhere"], ids=["empty", "missing"])
def test_a_folder_without_games_is_refused(folder: Callable[[Path], Path], tmp_path: Path) -> None:
    with pytest.raises(BadDefinition) as refused:
        games.load("in-between", [folder(tmp_path)])
    assert one_sentence(refused.value) == (
        f"{folder(tmp_path)} holds no game: there is no game.toml in it or one folder below."
    )


def test_an_unknown_game_is_told_the_games_there_are(toys: Path) -> None:
    with pytest.raises(UnknownName) as refused:
        games.load("out-between", [toys])
    assert one_sentence(refused.value) == (
        f"There is no game 'out-between'; choose one of: {', '.join(games.names([toys]))}."
    )


# A game that extends another one.

EXTENDED = """\
name = "coin-with-a-ring"
title = "Ring"
summary = "Heads wins, and how it rings is a wager too."
rules = "toy"
extends = "../coin"
seats = 2

[pack]
decks = 1

[versions.plain]
title = "for the tests"
wagers = ["base", "ring"]

[wagers.base]
on_request = true

[wagers.ring]
title = "Ring"
needs = ["base"]
"""


def test_a_game_that_extends_another_has_its_wagers_readings_and_statements(tmp_path: Path) -> None:
    coin, ring = write(tmp_path / "coin"), write(tmp_path / "ring", EXTENDED)
    (coin / "statements.toml").write_text('[C-1]\ntext = "Heads wins."\n[C-2]\ntext = "Edge pushes."\n')
    (ring / "statements.toml").write_text('[R-1]\ntext = "It rings."\n[C-2]\ntext = "Edge loses."\n')
    game, other = load_folder(ring), load_folder(coin)
    assert list(game.wagers) == ["base", "ring"] and list(game.readings) == ["edge"]
    assert game.wager("base") == other.wager("base").model_copy(update={"on_request": True})
    said = {number: statement["text"] for number, statement in game.statements.items()}
    assert said == {"R-1": "It rings.", "C-1": "Heads wins.", "C-2": "Edge loses."}
    assert list(said) == ["R-1", "C-2", "C-1"]


def test_the_build_of_a_game_covers_the_game_that_it_extends(tmp_path: Path) -> None:
    coin, ring = write(tmp_path / "coin"), write(tmp_path / "ring", EXTENDED)
    before = load_folder(ring).fingerprint["build"]
    write(coin, rules=RULES + "\n# Changed.\n")
    assert load_folder(ring).fingerprint["build"] != before


def test_a_game_that_extends_nothing_that_is_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDefinition) as refused:
        load_folder(write(tmp_path / "ring", EXTENDED))
    assert one_sentence(refused.value).endswith("has no game.toml; a game's folder holds game.toml and rules.py.")
