"""Every kind of mistake in a game's rules is found by a check, and told in a sentence with its file, line and rule.

Each mistake is a small edit of a good game: the toys, which themselves come out clean.
"""

import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from feltworks import games
from feltworks.kit.loader import load_folder
from feltworks.lab.check import Report, check, check_folder

TOYS = Path(__file__).parents[1] / "toys"
FEW = 1_500
"""So many answers find each of these mistakes."""


class Edit(NamedTuple):
    """A mistake: in which file of which toy it is made, and how it is told."""

    kind: str
    toy: str
    file: str
    old: str
    new: str
    said: str
    line: str = ""
    """Text that stands in the line that is named."""
    named: str = ""
    """The file that is named, where it is another."""


RULES, TOML = "rules.py", "game.toml"
LOSES = """                yield self.lose(seat, spot, "Lower", "T-23")"""
DEAL_ALL = """        for seat in self.playing:
            yield Turn(own(seat), to=seat)
"""
FOLDS = """        yield self.lose(seat, "ante", "Fold", "T-22")"""
MATCHES = """    yield round.by_table(seat, "match", "Same suit" if same else None, "T-24", losing="No match")"""
SHOWS = """        for token in DEALER:
            yield Turn(token)
        for seat in reversed"""
SETTLE = "    def settle(self) -> Items:"
TELLS = "    def told_hands(self, known):\n        from feltworks.kit import ToldHand\n"

MISTAKES = {
    "a wager that is never settled": Edit(
        "undecided", "bands", RULES, LOSES, "                pass", "Ante of seat 1 is neither settled nor carried"
    ),
    "a wager that is settled twice": Edit(
        "settlement",
        "bands",
        RULES,
        FOLDS,
        FOLDS + "\n" + FOLDS,
        "settles 2 on Ante of seat 1 where nothing lies; a settlement is of the whole wager, once.",
        "def fold",
    ),
    "a wager on the wrong spot": Edit(
        "settlement",
        "bands",
        RULES,
        'self.win(seat, spot, "Higher"',
        'self.win(seat, "ante", "Higher"',
        "settles 2 on Ante of seat 1 where nothing lies",
        "def settle",
    ),
    "a wager of the wrong seat": Edit(
        "settlement",
        "bands",
        RULES,
        FOLDS,
        FOLDS.replace("seat,", "Seat(1),"),
        "settles 0 on Ante of seat 1 where nothing lies",
        "def fold",
    ),
    "a wager on a spot that does not exist": Edit(
        "settlement",
        "bands",
        RULES,
        FOLDS,
        FOLDS.replace('"ante"', '"aunty"'),
        "settles 0 on aunty of seat 1 where nothing lies",
        "def fold",
    ),
    "odds that leave the stake where it may not lie": Edit(
        "settlement",
        "bands",
        RULES,
        'Odds("to", 2, 1), "T-23")',
        'Odds("to", 2, 1), "T-23", Stake.TAKEN)',
        "with odds 'to' the stake is the seat's",
        "def settle",
    ),
    "a card that is looked at in the rule that turns it": Edit(
        "sealed card",
        "bands",
        RULES,
        SHOWS,
        SHOWS.replace("yield Turn(token)", "yield Turn(token)\n            self.card(token)"),
        "looks at dealer 1, which is sealed; a rule runs to its end before any step that it yields is answered",
        "            self.card(token)",
    ),
    "a card that is looked at before it is dealt": Edit(
        "sealed card",
        "peek",
        RULES,
        """        if self.card(UP).rank == 14:""",
        """        if self.card(Token(None, "third")).rank == 14:""",
        "looks at third, which is not dealt",
        "        if self.card(Token",
    ),
    "a card that is turned before it is dealt": Edit(
        "sealed card",
        "peek",
        RULES,
        """            yield Deal(own(seat), f"seat {seat}")
            yield Turn(own(seat))
""",
        """            yield Turn(own(seat))
            yield Deal(own(seat), f"seat {seat}")
""",
        "turns seat 1 card, which is not dealt; yield its Deal first.",
        "def deal",
    ),
    "a card that is dealt twice": Edit(
        "dealt twice",
        "peek",
        RULES,
        """        yield Deal(HOLE, "dealer")""",
        """        yield Deal(UP, "dealer")
        yield Turn(UP)
        yield Deal(HOLE, "dealer")""",
        "deals upcard twice",
        "def deal",
    ),
    "a card of one seat that a rule looks at": Edit(
        "card of one seat",
        "bands",
        RULES,
        DEAL_ALL,
        DEAL_ALL + "        yield task(self.look)\n\n    def look(self) -> Items:\n"
        "        for seat in self.playing:\n"
        "            if self.card(own(seat)).rank > 4:\n                yield Call(f'seat {seat} is high')\n",
        "looks at seat 1 card, which is turned to seat 1 alone; whoever else plays the round does not know it",
        "            if self.card(own(seat)).rank > 4",
    ),
    "a card of one seat that a rule looks at behind the kit's back": Edit(
        "card of one seat",
        "bands",
        RULES,
        DEAL_ALL,
        DEAL_ALL + "        yield task(self.look)\n\n    def look(self) -> Items:\n"
        "        for seat in self.playing:\n"
        "            if self.cards[own(seat)].card.rank > 4:\n                yield Call(f'seat {seat} is high')\n",
        "fails at a table, which does not know a card that is turned to one seat alone",
        "            if self.cards[own(seat)].card.rank > 4",
    ),
    "a card of one seat by which the round goes another way": Edit(
        "card of one seat",
        "bands",
        RULES,
        """            yield Choose(frozenset({seat}), (FOLD, PLAY))
        yield task(self.show)
""",
        """            yield task(self.ask, seat)
        yield task(self.show)

    def ask(self, seat: Seat) -> Items:
        card = self.cards[own(seat)].card
        yield Choose(frozenset({seat}), (FOLD, PLAY) if card is None or card.rank > 3 else (FOLD,))
""",
        "by a card that was turned to one seat alone",
        "def ask",
    ),
    "cards turned to one seat of which nothing is said": Edit(
        "card of one seat",
        "bands",
        RULES,
        "    shows_alone = True\n",
        "",
        "say shows_alone = True",
        "def deal",
    ),
    "a first option that wagers": Edit(
        "first option",
        "bands",
        RULES,
        "(FOLD, PLAY)",
        "(PLAY, FOLD)",
        "offers 'play' first, which wagers; put an option first that wagers nothing",
        "def deal",
    ),
    "two options of one name": Edit(
        "option",
        "peek",
        RULES,
        'Option("double", Extra',
        'Option("stand", Extra',
        "offers 'stand' twice",
        "def seats_act",
    ),
    "an option that the rules refuse": Edit(
        "refused",
        "peek",
        RULES,
        """        yield self.game.betting("open")
        yield task(self.deal)
""",
        """        yield self.game.betting("open")
        yield task(self.deal)

    def check(self, answer: object) -> None:
        if getattr(answer, "option", "") == "double":
            raise NotAllowed("Nobody doubles here.")
""",
        "offers 'double', and then it is refused: Nobody doubles here.",
        "def seats_act",
    ),
    "a seat without a wager that is asked": Edit(
        "asks nobody",
        "peek",
        RULES,
        """        for seat in self.playing:
            yield Choose(frozenset({seat}), DOUBLE)""",
        """        for seat in self.seats:
            yield Choose(frozenset({seat}), DOUBLE)""",
        "which has no wager; ask the seats in self.playing",
        "def seats_act",
    ),
    "an option that wagers on a spot that does not exist": Edit(
        "spot",
        "bands",
        RULES,
        'Extra("play", of="ante")',
        'Extra("plai", of="ante")',
        "offers 'play' with a wager on 'plai', which is no spot of this version; choose one of: ante, play, match.",
        "def deal",
    ),
    "an option that wagers more than is said": Edit(
        "limits",
        "bands",
        RULES,
        'Extra("play", of="ante")',
        'Extra("play", "ante", Fraction(3), Fraction(3))',
        "puts 3 times Ante on Play; say multiples = { play = 3 } of Ante in game.toml",
        "def deal",
    ),
    "a window that no rule opens": Edit(
        "window",
        "bands",
        TOML,
        'title = "Match"',
        'title = "Match"\nwindows = ["late"]',
        "Match is made in the window 'late', which no rule opens; yield self.game.betting('late'), or name one that is"
        " opened: open.",
        'windows = ["late"]',
    ),
    "wagers that need each other": Edit(
        "needs",
        "bands",
        TOML,
        'title = "Ante"',
        'title = "Ante"\nneeds = ["match"]',
        "No round of the version 'toy' can be played: No seat has a wager",
        "[versions.toy]",
    ),
    "a wager that nobody can make": Edit(
        "needs",
        "point",
        TOML,
        'needs = ["line"]\nwindows = ["come-out"]',
        'needs = ["nothing"]\nwindows = ["come-out"]\n\n[wagers.nothing]\ntitle = "Nothing"\nneeds = ["pairs"]\n'
        'windows = ["come-out"]',
        "Nobody can make Pairs: Pairs needs Nothing; place that first; change what it needs",
        'needs = ["nothing"]',
    ),
    "a spot to which no chips come": Edit(
        "spot",
        "bands",
        TOML,
        'play = "Play" }',
        'play = "Play", tip = "Tip" }',
        "No chips ever come to Tip of Ante",
        "spots = {",
    ),
    "a wager that no version offers": Edit(
        "wager",
        "bands",
        TOML,
        "[pay_tables.match.1]",
        '[wagers.moon]\ntitle = "Moon"\n\n[pay_tables.match.1]',
        "No version offers Moon",
        "[wagers.moon]",
    ),
    "a convention that nobody can follow": Edit(
        "convention",
        "bands",
        TOML,
        'title = "Ante"',
        'title = "Ante"\nconventions = { always = "plya" }',
        "The convention 'always' of Ante chooses 'plya', which no rule offers; offered are: fold, play.",
        "conventions =",
    ),
    "a moment that no rule names": Edit(
        "moment",
        "bands",
        RULES,
        'Bonus("end", match)',
        'Bonus("finish", match)',
        "hangs on the moment 'finish', which no rule names; yield Moment('finish', seat), or name one of: end.",
        "def match",
    ),
    "suits that are looked at": Edit(
        "suits", "bands", TOML, '\nmatters = "rank and suit"', "", "looks at a suit where none counts", "same = ", RULES
    ),
    "ranks that are not alike": Edit(
        "alike", "baccarat", TOML, 'alike = ["TJQK"]', 'alike = ["9TJ"]', "correct `alike`.", "alike ="
    ),
    "cards that may not change places": Edit(
        "alike_cards",
        "baccarat",
        RULES,
        "return PLAYER[:2], BANKER[:2]",
        "return ((PLAYER[0], BANKER[0]),)",
        "when cards change places that `alike_cards` names",
    ),
    "a card that is forgotten and looked at": Edit(
        "forgotten",
        "baccarat",
        RULES,
        "    def play(self)",
        "    def forgotten(self) -> tuple[Token, ...]:\n        return PLAYER[:1]\n\n    def play(self)",
        "looks at a card that `forgotten` names; leave it out there",
    ),
    "a bonus wager that is not settled early": Edit(
        "early",
        "bands",
        RULES,
        'Bonus("end", match)',
        'Bonus("end", match, early=True)',
        "asks seat 1 before Match is settled, which says early=True",
        "def deal",
    ),
    "a pay line that no hand reaches": Edit(
        "pay line",
        "bands",
        TOML,
        '"Same suit" = "1 to 1"',
        '"Same suit" = "1 to 1"\n"Same card" = "9 to 1"',
        "No hand reaches the line 'Same card' of match",
        '"Same card"',
    ),
    "a pay line that is not in the table": Edit(
        "fails",
        "bands",
        RULES,
        '"Same suit" if same',
        '"Same suits" if same',
        "asks for what is not in game.toml: there is no line 'Same suits'; choose one of: Same suit.",
        MATCHES.replace('"Same suit"', '"Same suits"'),
    ),
    "a rule that goes round and round": Edit(
        "endless",
        "bands",
        RULES,
        FOLDS,
        "        while True:\n            pass\n" + FOLDS,
        "goes on for ever; let it end, or yield a step.",
        "",
    ),
    "a rule that yields without end": Edit(
        "endless",
        "bands",
        RULES,
        FOLDS,
        "        while True:\n            yield Call('fold')\n" + FOLDS,
        "goes on for ever; let it end, or wait for an answer.",
        "def fold",
    ),
    "rules that follow each other without end": Edit(
        "endless",
        "bands",
        RULES,
        FOLDS,
        "        yield task(self.fold, seat)",
        "goes on for ever; let it end, or wait for an answer.",
        "def fold",
    ),
    "a round that never ends": Edit(
        "endless",
        "peek",
        RULES,
        """            yield Choose(frozenset({seat}), DOUBLE)
""",
        """            yield Choose(frozenset({seat}), DOUBLE)
        yield task(self.seats_act)
""",
        "is not over after 3,000 steps; let every course of choices end.",
        "def seats_act",
    ),
    "fewer cards than a round takes": Edit(
        "most_cards",
        "baccarat",
        RULES,
        "        return 6",
        "        return 5",
        "and a round took 6; say the most that it can take (F-23).",
        "    @classmethod",
    ),
    "more seats than there are cards for": Edit(
        "seats",
        "peek",
        TOML,
        'ranks = "',
        'suits = "c"\nranks = "A" #',
        "deals more cards than there are",
        "def deal",
        RULES,
    ),
    "more seats than the rules have cards for": Edit(
        "seats",
        "baccarat",
        TOML,
        "decks = 8",
        'decks = 1\nranks = "A"',
        "4 cards are not enough for every round",
        "seats = 7",
    ),
    "something that is no step": Edit(
        "fails",
        "bands",
        RULES,
        FOLDS,
        FOLDS + "\n        yield 7",
        "yields 7, which is no step, effect, task",
        "def fold",
    ),
    "a rule that is yielded whole": Edit(
        "fails", "peek", RULES, "yield task(self.deal)", "yield self.deal()", "write yield from.", "def play"
    ),
    "a reader whose sets leave a card out": Edit(
        "reader",
        "bands",
        RULES,
        "56789TJQKA",
        "6789TJQKA",
        "reads dealer 1: A card reader needs disjoint sets that cover the pack; 5c is in none or several.",
        "def deal",
    ),
    "cards that change places, told wrongly": Edit(
        "fails",
        "baccarat",
        RULES,
        "return PLAYER[:2], BANKER[:2]",
        "return PLAYER[:2]",
        "The rule PuntoBanco.alike_cards of Baccarat fails with TypeError",
        "def alike_cards",
    ),
    "a hand that cannot be told": Edit(
        "words",
        "peek",
        RULES,
        "    def settle(self) -> Items:",
        "    def told_hands(self, known: object) -> object:\n        raise RuntimeError('no words')\n\n"
        "    def settle(self) -> Items:",
        "fails with RuntimeError: no words.",
        "        raise RuntimeError",
    ),
    "a hand whose cards are no tokens": Edit(
        "words",
        "peek",
        RULES,
        SETTLE,
        TELLS + "        yield ToldHand(None, 'an ace', counts=tuple(known.values()))\n\n" + SETTLE,
        "The rule Peek.told_hands of Peek fails with TypeError: `counts` of a ToldHand is a tuple of tokens, and no"
        " Card.",
        "        yield ToldHand",
    ),
    "a hand that counts a bare card": Edit(
        "words",
        "peek",
        RULES,
        SETTLE,
        TELLS + "        yield from (ToldHand(None, 'an ace', '', card) for card in known.values())\n\n" + SETTLE,
        "`counts` of a ToldHand is a tuple of tokens, and no Card.",
        "        yield from",
    ),
    "a hand that is not told as one": Edit(
        "words",
        "peek",
        RULES,
        SETTLE,
        TELLS + "        yield 5\n\n" + SETTLE,
        "The rule Peek.told_hands of Peek tells 5, which is no ToldHand; yield one of these.",
        "    def told_hands",
    ),
    "a hand whose words are no text": Edit(
        "words",
        "peek",
        RULES,
        SETTLE,
        TELLS + "        yield ToldHand(None, 'an ace', 14)\n\n" + SETTLE,
        "`brief` of a ToldHand is text, and no int.",
        "        yield ToldHand",
    ),
    "a hand of a seat in words": Edit(
        "words",
        "peek",
        RULES,
        SETTLE,
        TELLS + "        yield ToldHand('dealer', 'an ace')\n\n" + SETTLE,
        "`owner` of a ToldHand is a seat, or None for the dealer, and no str.",
        "        yield ToldHand",
    ),
    "a hand without a number": Edit(
        "words",
        "peek",
        RULES,
        SETTLE,
        TELLS + "        yield ToldHand(None, 'an ace', number=None)\n\n" + SETTLE,
        "`number` of a ToldHand counts the hands of its owner from 1, and is no NoneType.",
        "        yield ToldHand",
    ),
    "a settlement that is explained by no text": Edit(
        "words",
        "peek",
        RULES,
        "    def settle(self) -> Items:",
        "    def why(self, settled, before):\n        return self.card(UP)\n\n    def settle(self) -> Items:",
        "for why a wager was settled as it was; give text, which stands within a sentence.",
        "    def why",
    ),
    "a reason that looks at the round before the card was turned": Edit(
        "words",
        "peek",
        RULES,
        SETTLE,
        "    def why(self, settled, before):\n        return before.card(HOLE).name\n\n" + SETTLE,
        "looks at hole card, which is sealed; look at the cards that were turned in the round itself, by self.card, and"
        " not in `before`.",
        "        return before.card",
    ),
    "a hand of a card that nobody knows": Edit(
        "words",
        "peek",
        RULES,
        SETTLE,
        TELLS + "        yield ToldHand(None, self.card(HOLE).name)\n\n" + SETTLE,
        "looks at hole card, which is not dealt; tell of the cards in `known` alone.",
        "        yield ToldHand",
    ),
    "a settlement that cannot be explained": Edit(
        "words",
        "peek",
        RULES,
        "    def settle(self) -> Items:",
        "    def why(self, settled: object, before: object) -> str:\n        return {}['why']\n\n"
        "    def settle(self) -> Items:",
        "The rule Peek.why of Peek fails with KeyError: 'why'.",
        "        return {}",
    ),
    "a fact that can change": Edit(
        "fact",
        "point",
        RULES,
        "    point: int | None = None\n",
        "    point: int | None = None\n    rolls: object = ()\n",
        "leaves a list in the fact 'rolls'; keep a tuple or a frozenset there",
    ),
    "a roll that does not count and is not rolled again": Edit(
        "no roll",
        "point",
        RULES,
        "if isinstance(self.dice, NoRoll):",
        "if False:",
        "fails when a roll does not count",
    ),
    "an incident that ends nothing": Edit(
        "incident",
        "peek",
        RULES,
        "    def settle(self) -> Items:",
        "    def void(self, who: object = None) -> Items:\n        yield Call('void')\n\n"
        "    def on_incident(self, incident: object) -> Choose:\n"
        "        return Choose(Role.SUPERVISOR, (Option('void', then=Peek.void),))\n\n"
        "    def settle(self) -> Items:",
        "does not end the round when misdeal makes it void",
        "def void",
    ),
    "an incident that fails": Edit(
        "fails",
        "peek",
        RULES,
        "    def settle(self) -> Items:",
        "    def on_incident(self, incident: object) -> Choose:\n        return incident.choose\n\n"
        "    def settle(self) -> Items:",
        "The rule Peek.on_incident of Peek fails with AttributeError",
        "        return incident.choose",
    ),
    "the most cards that cannot be told": Edit(
        "fails",
        "baccarat",
        RULES,
        "        return 6",
        "        return 6 / 0",
        "The rule PuntoBanco.most_cards of Baccarat fails with ZeroDivisionError: division by zero.",
        "        return 6 / 0",
    ),
    "a hand that takes for ever to be told": Edit(
        "endless",
        "peek",
        RULES,
        "    def settle(self) -> Items:",
        "    def told_hands(self, known: object) -> object:\n        while True:\n            pass\n\n"
        "    def settle(self) -> Items:",
        "The rule Peek.told_hands goes on for ever; let it end, or yield a step.",
    ),
    "facts that cannot be told": Edit(
        "fails",
        "peek",
        RULES,
        "    def settle(self) -> Items:",
        "    @property\n    def facts(self) -> object:\n        return self.shooter\n\n    def settle(self) -> Items:",
        "The rule Peek.facts fails with AttributeError: 'Peek' object has no attribute 'shooter'.",
        "        return self.shooter",
    ),
    "what is carried that cannot be told": Edit(
        "fails",
        "peek",
        RULES,
        "    def settle(self) -> Items:",
        "    @property\n    def carry(self) -> object:\n        return self.shooter\n\n    def settle(self) -> Items:",
        "fails with AttributeError: 'Peek' object has no attribute 'shooter'.",
        "        return self.shooter",
    ),
}


@cache
def told(name: str, folder: Path) -> tuple[Edit, Path, Report]:
    """A mistake, the folder in which it is made, and what a check says of it."""
    edit = MISTAKES[name]
    made = folder / edit.toy
    shutil.copytree(TOYS / edit.toy, made)
    file = made / edit.file
    text = file.read_text("utf-8")
    assert edit.old in text and edit.old != edit.new
    text = text.replace(edit.old, edit.new, 1) if edit.kind != "alike" else text.replace(edit.old, edit.new)
    if edit.file == RULES:
        text = text.replace('"""\n', f'"""\n{IMPORTS}', 1)
    file.write_text(text, "utf-8")
    if edit.kind == "fact":
        file.write_text(text.replace("yield note(point=total)", "yield note(point=total, rolls=[1])"), "utf-8")
    if "moon" in edit.new or "nothing" in edit.new:
        _offer(made, edit)
    return edit, made, check(load_folder(made), answers=FEW)


IMPORTS = (
    "from fractions import Fraction\nfrom feltworks.kit import Call, Role, Stake, Option, Choose, Token, NotAllowed\n"
)


def _offer(folder: Path, edit: Edit) -> None:
    """The new wager is offered, where that is not the mistake."""
    if edit.kind == "needs":
        toml = folder / TOML
        toml.write_text(toml.read_text("utf-8").replace('"seven"]', '"seven", "nothing"]', 1), "utf-8")


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_told_in_a_sentence_with_its_line(name: str, tmp_path: Path) -> None:
    edit, folder, report = told(name, tmp_path)
    assert not report.is_clean
    found = [finding for finding in report.findings if finding.kind == edit.kind and edit.said in finding.said]
    assert found, [f"{f.kind}: {f.told}" for f in report.findings]
    file, _, line = found[0].place.rpartition(":")
    assert file == str(folder / (edit.named or edit.file))
    assert found[0].said.endswith(".") and "\n" not in found[0].said
    if edit.line:
        assert edit.line.strip() in Path(file).read_text("utf-8").splitlines()[int(line) - 1]


@pytest.mark.parametrize("toy", ["bands", "peek", "point", "baccarat"])
def test_the_games_that_the_mistakes_are_made_in_are_clean(toy: str) -> None:
    report = check(load_folder(TOYS / toy), answers=FEW)
    assert report.is_clean, [finding.told for finding in report.findings]
    assert report.rounds > 50


def test_a_pay_line_that_no_declared_hand_reaches_is_told_exactly() -> None:
    """Of nine, ten and jack in three suits, three cards of one suit are always a straight flush."""
    report = check(load_folder(TOYS / "stud"), answers=FEW)
    [found] = report.findings
    assert found.kind == "pay line"
    assert found.said == "No hand reaches the line 'Flush' of call; let a rule settle on it, or leave it out."


STATEMENTS = "".join(f'[T-{n}]\ntext = "Said."\nsource = "nobody"\n\n' for n in (21, 22, 23, 24, 29))


def test_statements_and_citations_are_held_against_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "bands"
    shutil.copytree(TOYS / "bands", folder)
    (folder / "statements.toml").write_text(STATEMENTS, "utf-8")
    rules = folder / "rules.py"
    rules.write_text(rules.read_text("utf-8").replace('"""T-22:', '"""T-22, T-28:'), "utf-8")
    found = {finding.told for finding in check(load_folder(folder), answers=FEW).findings}
    line = 1 + rules.read_text("utf-8").partition("T-28")[0].count("\n")
    assert found == {
        f"{rules}:{line}: The rule Bands.fold of Bands cites T-28, which statements.toml does not have; write it there,"
        " or cite another.",
        f"{folder / 'statements.toml'}:17: No rule of Bands cites T-29; name it in the docstring of the rule that keeps"
        " it, or leave it out.",
    }


def test_a_statement_may_have_a_digit_before_its_hyphen(tmp_path: Path) -> None:
    folder = tmp_path / "bands"
    shutil.copytree(TOYS / "bands", folder)
    (folder / "statements.toml").write_text(STATEMENTS.replace("T-", "C4-").partition("[C4-29]")[0], "utf-8")
    rules = folder / "rules.py"
    rules.write_text(rules.read_text("utf-8").replace("T-2", "C4-2"), "utf-8")
    report = check(load_folder(folder), answers=FEW)
    assert report.is_clean, [finding.told for finding in report.findings]
    rules.write_text(rules.read_text("utf-8").replace('"""C4-22:', '"""C4-22, C4-28:'), "utf-8")
    [found] = check(load_folder(folder), answers=FEW).findings
    assert found.said.startswith("The rule Bands.fold of Bands cites C4-28, which statements.toml does not have")


def test_a_game_that_cannot_be_solved_has_a_note_and_no_mistake(tmp_path: Path) -> None:
    folder = tmp_path / "stud"
    shutil.copytree(TOYS / "stud", folder)
    rules = folder / "rules.py"
    text = rules.read_text("utf-8").replace('sides={"pair"', "sides={} if True else {1")
    rules.write_text(text.replace('round.side_kind(seat, "pair")', "round.card(COMMON).rank > 9"), "utf-8")
    report = check(load_folder(folder), answers=FEW)
    assert {finding.kind for finding in report.findings} <= {"pay line"}
    said = "Stud cannot be solved: Stud does not declare the hand that Pair goes by; add it to `sides`"
    assert any(note.startswith(said) for note in report.notes), report.notes


def test_chances_that_do_not_sum_to_one_are_told(tmp_path: Path) -> None:
    """A high roll decides the Field, which its owner may take back; of a low one the rules say nothing."""
    (folder := tmp_path / "field").mkdir()
    (folder / TOML).write_text(FIELD_TOML, "utf-8")
    (folder / RULES).write_text(FIELD_RULES, "utf-8")
    [found] = check(load_folder(folder), answers=FEW).findings
    assert (found.kind, found.place) == ("probabilities", f"{folder / TOML}:11")
    assert found.said.startswith("The outcomes of Field in Field sum to 5/12, which is 41.67%, and not to 1: the rule")


FIELD_TOML = """\
name = "field"
title = "Field"
summary = "A high roll wins."
rules = "toy"
seats = 2

[versions.toy]
title = "for the tests"
wagers = ["field"]

[wagers.field]
title = "Field"
required = true
self_service = true
"""
FIELD_RULES = """\
from dataclasses import dataclass

from feltworks.kit import EVEN, Items, NoRoll, Roll, Round, Stake, task


@dataclass(frozen=True)
class Field(Round):
    @property
    def carry(self):
        return self.left_up

    def play(self) -> Items:
        yield self.game.betting("open")
        yield task(self.roll)

    def roll(self) -> Items:
        yield Roll(2)
        yield task(self.settle)

    def settle(self) -> Items:
        if isinstance(self.dice, NoRoll):
            yield task(self.roll)
        elif sum(self.dice) > 7:
            for seat in self.playing:
                yield self.win(seat, "field", "High", EVEN, "T-1", stake=Stake.STAYS)


ROUND = Field
"""


def test_a_wager_that_stays_up_for_ever_is_told(tmp_path: Path) -> None:
    (folder := tmp_path / "field").mkdir()
    (folder / TOML).write_text(FIELD_TOML.replace("self_service = true\n", ""), "utf-8")
    (folder / RULES).write_text(FIELD_RULES.replace("> 7", "> 12"), "utf-8")
    found = check(load_folder(folder), answers=FEW).findings
    assert [finding.kind for finding in found] == ["endless"]
    assert found[0].said.endswith("leaves Field up for more than 400 rounds; let a rule decide it.")
    assert found[0].place == f"{folder / RULES}:20"


def test_a_spot_to_which_a_wager_is_moved_has_chips(tmp_path: Path) -> None:
    """As a come bet goes to the box of its number."""
    (folder := tmp_path / "field").mkdir()
    toml = FIELD_TOML.replace("self_service = true", 'spots = { field = "Field", box = "Box" }')
    (folder / TOML).write_text(toml, "utf-8")
    settles = """            for seat in self.playing:
                yield self.win(seat, "field", "High", EVEN, "T-1", stake=Stake.STAYS)
"""
    moves = """            for seat in self.playing:
                if self.stake(seat, "field"):
                    yield self.move_wager(seat, "field", "box", "T-1")
                else:
                    yield self.win(seat, "box", "High", EVEN, "T-1")
            if any(spot == "field" for _, spot in self.wagers):
                yield task(self.roll)
"""
    (folder / RULES).write_text(FIELD_RULES.replace(settles, moves), "utf-8")
    assert check(load_folder(folder), answers=FEW).is_clean


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (RULES, "ROUND = Bands", "ROUND == Bands", "the rules cannot be run: NameError: name 'ROUND' is not defined."),
        (RULES, "ROUND = Bands", "ROUND = = Bands", "the rules cannot be run: SyntaxError: invalid syntax"),
        (RULES, "ROUND = Bands", "raise SystemExit", "the rules cannot be run: SystemExit."),
        (TOML, "seats = 2", "seats = 20", "seats: write 12 or less."),
    ],
)
def test_a_game_that_cannot_be_loaded_is_told_in_the_same_way(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = tmp_path / "bands"
    shutil.copytree(TOYS / "bands", folder)
    text = (folder / file).read_text("utf-8")
    (folder / file).write_text(text.replace(old, new), "utf-8")
    [found] = check_folder(folder).findings
    assert found.kind == "definition" and found.said.startswith(said)
    line = int(found.place.removeprefix(f"{folder / file}:"))
    assert new in (folder / file).read_text("utf-8").splitlines()[line - 1]


def test_rules_that_are_slow_are_not_played_to_the_end_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltworks.lab.check.walk.MOST_SECONDS", 0.0)
    report = check(load_folder(TOYS / "peek"), answers=FEW)
    assert report.is_clean
    assert report.notes[0] == "The rules are slow, so that not every wager and reading was played."


def test_a_check_finds_the_same_every_time() -> None:
    game = load_folder(TOYS / "peek")
    assert check(game, answers=FEW) == check(game, answers=FEW)


@pytest.mark.parametrize("name", games.names())
def test_every_game_of_the_package_is_clean(name: str) -> None:
    report = check(games.load(name))
    assert report.is_clean, [finding.told for finding in report.findings]
    assert report.rounds > 400
