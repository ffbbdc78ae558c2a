"""What is kept of what was counted: a file is used if it is whole, of this game, counted by this code, and can be."""

import json
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import SystemRandom
from types import SimpleNamespace
from typing import Any

import pytest

import feltworks
from feltworks.games.down_under_holdem.enumerator.bands import BANDS
from feltworks.games.down_under_holdem.enumerator.counted_parts import pays_of
from feltworks.games.down_under_holdem.enumerator.solution import scaled_rates
from feltworks.kit.counted_parts import Part, Parts, Pieces, require
from feltworks.kit.game import Game
from feltworks.lab import count_files as module
from feltworks.lab.count_files import (
    COUNTED_AGAIN,
    COUNTED_NOW,
    KEPT,
    SHIPPED,
    Results,
    counted_by,
    enumerator_of,
    some_of,
)
from tests.cli.support import read

GAME, BLACKJACK = feltworks.load("down-under-holdem"), feltworks.load("blackjack")
EDGE = Fraction(2026316179, 68171103000)
NOWHERE = Path(os.devnull) / "nowhere"
REAL = enumerator_of(GAME)


def the_file(folder: Path) -> Path:
    [path] = folder.glob("*.json")
    return path


def written(folder: Path, source: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A file whose parts were changed by somebody who makes the hash in it right again."""
    said = json.loads(source.read_text())
    change(said["parts"])
    said["sha256"] = module._hash(said["parts"])
    folder.mkdir(exist_ok=True)
    (folder / source.name).write_text(json.dumps(said))
    return folder


# What ships.


@pytest.mark.rule("D-21")
@pytest.mark.parametrize("game", [GAME, BLACKJACK], ids=lambda game: game.name)
def test_what_ships_was_counted_by_the_code_as_it_is_and_tells_every_part(game: Game) -> None:
    """If this fails, what counts has changed since what ships was counted: run `make results`."""
    results = Results(game, cache=NOWHERE)
    assert set(results.sources) == set(enumerator_of(game).PARTS), "run `make results`"
    assert {source.name[:19] for source in results.sources.values()} == {"shipped with build "}


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_what_ships_comes_out_again_when_it_is_counted_anew() -> None:
    shipped, again = Results(GAME, cache=NOWHERE), Results(GAME, cache=NOWHERE, recount=True)
    for part in REAL.PARTS:
        assert json.loads(json.dumps(again(part))) == shipped(part), part
        assert again.origin([part]) == COUNTED_NOW


@pytest.mark.slow
@pytest.mark.rule("B-01")
def test_blackjack_that_ships_comes_out_again_upcard_by_upcard_when_it_is_counted_anew() -> None:
    shipped = Results(BLACKJACK, cache=NOWHERE)
    for name, part in enumerator_of(BLACKJACK).PARTS.items():
        pieces = [piece for piece in part.names if piece in ("6", "T", "88 against T", "AA against 6")]
        assert json.loads(json.dumps(part.count(BLACKJACK, pieces))) == [shipped(name)[piece] for piece in pieces], name


@pytest.mark.parametrize("game", [GAME, BLACKJACK], ids=lambda game: game.name)
def test_no_more_ships_than_is_used(game: Game) -> None:
    said = json.loads(the_file(game.folder / SHIPPED).read_text())
    assert said["definition"] == enumerator_of(game).essential(game).fingerprint["definition"]


def test_the_blackjack_under_in_between_has_the_results_of_blackjack() -> None:
    assert Results(feltworks.load("in-between"), cache=NOWHERE).origin(["figures"])[:19] == "shipped with build "


# Files, by a game that counts squares.

NAMES = ("1", "2", "3", "4")


class Squares:
    """An enumerator that counts squares, and notes what it was asked to count."""

    def __init__(self) -> None:
        self.done: list[str] = []

        def count(game: Game, names: Sequence[str]) -> list[Any]:
            self.done += names
            return [int(name) ** 2 for name in names]

        def check(game: Game, pieces: Pieces, parts: Parts) -> None:
            require(all(isinstance(piece, int) and piece >= 0 for piece in pieces.values()), "has no squares")

        self.PARTS = {"squares": Part(NAMES, count, check)}

    def essential(self, game: Game) -> Game:
        return game


@pytest.fixture
def squares(monkeypatch: pytest.MonkeyPatch) -> Squares:
    counting = Squares()
    monkeypatch.setattr(module, "enumerator_of", lambda game: counting)
    return counting


def counted(squares: Squares, folder: Path, game: Game = GAME, pick: str = "1") -> list[str]:
    """The pieces that had to be counted to know the squares; one of them is counted again if they were kept."""
    squares.done.clear()
    results = Results(game, cache=folder, shipped=NOWHERE, pick=lambda names: [pick])
    assert results("squares") == {"1": 1, "2": 4, "3": 9, "4": 16}
    return list(squares.done)


def test_what_was_counted_once_is_read_the_next_time_and_what_is_picked_counted_again(
    squares: Squares, tmp_path: Path
) -> None:
    assert counted(squares, tmp_path) == [*NAMES]
    assert counted(squares, tmp_path) == ["1"]
    assert counted(squares, tmp_path, pick="3") == ["3"]


def test_several_pieces_are_counted_again_and_which_cannot_be_foretold(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted(squares, tmp_path)
    squares.done.clear()
    Results(GAME, cache=tmp_path, shipped=NOWHERE)("squares")
    assert len({*squares.done}) == len(squares.done) == COUNTED_AGAIN > 1
    asked: list[tuple[Sequence[str], int]] = []

    def sample(_: SystemRandom, names: Sequence[str], number: int) -> Sequence[str]:
        asked.append((names, number))
        return names[:number]

    monkeypatch.setattr(SystemRandom, "sample", sample)
    Results(GAME, cache=tmp_path, shipped=NOWHERE)("squares")
    assert some_of(["1"]) == ["1"]  # all there are
    assert asked == [(NAMES, COUNTED_AGAIN), (["1"], 1)]


def test_a_recount_reads_nothing_and_keeps_what_it_counted(squares: Squares, tmp_path: Path) -> None:
    counted(squares, tmp_path)
    the_file(tmp_path).write_text("nonsense")
    squares.done.clear()
    again = Results(GAME, cache=tmp_path, recount=True)
    assert again("squares")["4"] == 16 and squares.done == [*NAMES]
    assert again.origin(["squares"]) == COUNTED_NOW
    assert counted(squares, tmp_path) == ["1"]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _changed(path: Path) -> None:
    path.write_text(path.read_text().replace('"2":4', '"2":5'))


def _foreign(path: Path) -> None:
    path.write_text(path.read_text().replace(json.loads(path.read_text())["definition"], 64 * "0"))


def _other_code(path: Path) -> None:
    path.write_text(path.read_text().replace(json.loads(path.read_text())["code"], 64 * "0"))


def _no_build(path: Path) -> None:
    path.write_text(path.read_text().replace(json.loads(path.read_text())["build"], "of yesterday"))


def _no_json(path: Path) -> None:
    path.write_bytes(b"\xff\x00 not JSON")


def _a_list(path: Path) -> None:
    path.write_text("[1, 2]")


def _too_deep(path: Path) -> None:
    path.write_text(100_000 * "[")


def _too_many_digits(path: Path) -> None:
    path.write_text(path.read_text().replace('"2":4', f'"2":{10_000 * "9"}'))


def _other_format(path: Path) -> None:
    path.write_text(path.read_text().replace('"format":2', '"format":1'))


def _with(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """A change by somebody who makes the hash in the file right again."""
    return lambda path: (written(path.parent, path, change), None)[1]


HARMS = {
    "cut off": _cut,
    "changed": _changed,
    "of another game": _foreign,
    "of older code": _other_code,
    "without a build": _no_build,
    "no JSON": _no_json,
    "a list": _a_list,
    "too deep": _too_deep,
    "too many digits": _too_many_digits,
    "of an older version": _other_format,
    "a decimal": _with(lambda parts: parts["squares"].update({"2": 4.0})),
    "true": _with(lambda parts: parts["squares"].update({"1": True})),
    "null": _with(lambda parts: parts["squares"].update({"2": None})),
    "not a number": _with(lambda parts: parts["squares"].update({"2": float("nan")})),
    "text": _with(lambda parts: parts["squares"].update({"2": "4"})),
    "a negative number": _with(lambda parts: parts["squares"].update({"2": -4})),
    "a piece too few": _with(lambda parts: parts["squares"].pop("2")),
    "a piece too many": _with(lambda parts: parts["squares"].update({"5": 25})),
    "pieces in another order": _with(lambda parts: parts["squares"].update({"1": parts["squares"].pop("1")})),
    "another part": _with(lambda parts: parts.update({"cubes": {}})),
    "no mapping": _with(lambda parts: parts.update({"squares": [1, 4, 9, 16]})),
    "another count": _with(lambda parts: parts["squares"].update({"1": 2})),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_file_that_is_old_damaged_or_altered_is_not_used_and_counted_anew(
    squares: Squares, tmp_path: Path, harm: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    counted(squares, tmp_path)
    whole = the_file(tmp_path).read_bytes()
    harm(the_file(tmp_path))
    with caplog.at_level(logging.WARNING):
        assert counted(squares, tmp_path)[-4:] == [*NAMES]
    [said] = caplog.messages
    assert said.startswith(str(the_file(tmp_path))) and said.endswith("; it is not used.")
    assert the_file(tmp_path).read_bytes() == whole
    assert counted(squares, tmp_path) == ["1"]


def test_a_file_that_is_too_large_is_not_even_read(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted(squares, tmp_path)
    monkeypatch.setattr(module, "LARGEST", 10)
    assert counted(squares, tmp_path) == [*NAMES]


def test_a_file_of_other_code_is_not_used_whether_it_ships_or_was_kept(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    counted(squares, tmp_path)
    monkeypatch.setattr(module, "counted_by", lambda enumerator: 64 * "1")
    results = Results(GAME, cache=tmp_path, shipped=tmp_path)
    assert results("squares")["4"] == 16 and results.origin(["squares"]) == COUNTED_NOW
    assert caplog.text.count("was counted by other code") == 2


def test_what_was_kept_is_not_looked_at_where_what_ships_does(
    squares: Squares, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counted(squares, tmp_path / "shipped")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / the_file(tmp_path / "shipped").name).write_text("nonsense")
    assert Results(GAME, cache=tmp_path / "kept", shipped=tmp_path / "shipped")("squares")["4"] == 16
    assert not caplog.messages


def test_what_is_kept_lies_in_a_folder_for_the_code_that_counted_it(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """So that nobody who has another version is told of the files of this one, and both keep their own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for code in ("1", "2"):
        monkeypatch.setattr(module, "counted_by", lambda enumerator, code=code: 64 * code)
        Results(GAME, shipped=NOWHERE)("squares")
    assert sorted(folder.name for folder in (tmp_path / "feltworks").iterdir()) == [
        "results-1111111111111111",
        "results-2222222222222222",
    ]
    assert not caplog.messages


def test_what_ships_comes_before_what_was_kept(squares: Squares, tmp_path: Path) -> None:
    counted(squares, tmp_path / "kept")
    source = the_file(tmp_path / "kept")
    shipped = written(tmp_path / "shipped", source, lambda parts: None)
    written(tmp_path / "kept", source, lambda parts: parts["squares"].update({"2": 5}))
    squares.done.clear()
    results = Results(GAME, cache=tmp_path / "kept", shipped=shipped)
    assert results("squares")["2"] == 4 and not squares.done
    assert results.origin(["squares"]) == f"shipped with build {GAME.build[:12]}"
    kept = Results(GAME, cache=tmp_path / "kept", shipped=NOWHERE, pick=lambda names: ["1"])
    assert kept("squares")["2"] == 5 and kept.origin(["squares"]) == KEPT


def test_a_cache_that_cannot_be_written_to_is_done_without(squares: Squares, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert counted(squares, tmp_path / "file") == [*NAMES]
    assert (tmp_path / "file").read_text() == "in the way"


def test_another_definition_has_results_of_its_own(squares: Squares, tmp_path: Path) -> None:
    counted(squares, tmp_path)
    assert counted(squares, tmp_path, GAME.configured(pay={"bet": "500,50,10,3,3/2,2"})) == [*NAMES]
    assert len(list(tmp_path.glob("*.json"))) == 2


# Down Under Hold'em, whose counts must fit together.


def stubbed(monkeypatch: pytest.MonkeyPatch, game: Game = GAME) -> list[str]:
    """A game's enumerator with its own checks, which looks up in what ships what it would count; and what it was asked
    for."""
    real, shipped, done = enumerator_of(game), Results(game, cache=NOWHERE), list[str]()

    def part(name: str) -> Part:
        def count(game: Game, names: Sequence[str]) -> list[Any]:
            done.append(name)
            return [shipped(name)[piece] for piece in names]

        return replace(real.PARTS[name], count=count)

    stub = SimpleNamespace(**{**vars(real), "PARTS": {name: part(name) for name in real.PARTS}})
    code = counted_by(real)
    monkeypatch.setattr(module, "counted_by", lambda enumerator: code)
    monkeypatch.setattr(module, "enumerator_of", lambda game: stub)
    return done


Change = Callable[[dict[str, Any]], object]
SMALL, LARGE = "small and small", "large and large"


def _add(part: str, pair: str, array: str, amounts: dict[int, int]) -> Change:
    def change(parts: dict[str, Any]) -> None:
        for hand, amount in amounts.items():
            parts[part][pair][array][hand] += amount

    return change


def _both(*changes: Change) -> Change:
    return lambda parts: [change(parts) for change in changes]


def _won_instead_of_lost(parts: dict[str, Any]) -> None:
    weaker, not_stronger, _ = parts["outcomes"][SMALL]["raised"]
    weaker[0] += 10**6
    not_stronger[0] += 10**6


def _straights_instead_of_pairs(parts: dict[str, Any]) -> None:
    weaker, not_stronger, every = parts["outcomes"][SMALL]["raised"]
    for counts in (weaker, not_stronger, every):
        counts[1], counts[4] = counts[1] - 10**6, counts[4] + 10**6


ATTACKS: dict[str, Change] = {
    "more won by checking": _add("solution", SMALL, "checked", {0: 10**12}),
    "a little more": _add("solution", LARGE, "checked", {168: 1}),
    "less won by playing": _add("solution", LARGE, "always", {168: -(10**9)}),
    "one more hand beaten": _add("solution", SMALL, "compared", {14: 1}),
    "more deals": _add("solution", SMALL, "deals", {0: 1}),
    "more folds": _add("solution", SMALL, "folded", {0: 10**15}),
    "fewer folds than none": _add("solution", SMALL, "folded", {168: -1}),
    "more by checking, with folds for it": _both(
        _add("solution", LARGE, "checked", {3: 10**6}), _add("solution", LARGE, "folded", {3: 10**6})
    ),
    "a number beyond all": _add("solution", SMALL, "always", {0: 10**30}),
    "a decimal": lambda parts: parts["solution"][SMALL]["checked"].__setitem__(0, 0.5),
    "a hand too few": lambda parts: parts["solution"][SMALL]["checked"].pop(),
    "an array too few": lambda parts: parts["solution"][SMALL].pop("always"),
    "won instead of lost": _won_instead_of_lost,
    "straights instead of pairs": _straights_instead_of_pairs,
    "won below nothing": lambda parts: parts["outcomes"][SMALL]["raised"][0].__setitem__(9, -1),
    "a category too few": lambda parts: [counts.pop() for counts in parts["outcomes"][SMALL]["raised"]],
}


@pytest.mark.rule("D-21")
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_an_altered_count_is_never_a_figure(
    attack: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Even where it ships, and where whoever altered it made the hash in the file right again."""
    done = stubbed(monkeypatch)
    folder = written(tmp_path / "altered", the_file(GAME.folder / SHIPPED), attack)
    results = Results(GAME, cache=tmp_path / "kept", shipped=folder)
    base = REAL.wager(GAME, "base", results, details=False)
    assert -sum(o.net * o.probability for o in base.outcomes) == EDGE
    assert "outcomes" in done
    assert len(caplog.messages) == 1


@pytest.mark.rule("D-21")
def test_better_hands_than_seven_cards_can_make_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Pairs that are straight flushes instead, with a worth of the checks that fits them."""
    stubbed(monkeypatch)
    moved = 16_135_415_636

    def change(parts: dict[str, Any]) -> None:
        weaker, not_stronger, every = parts["outcomes"][LARGE]["checked"]
        for counts in (weaker, not_stronger, every):
            counts[1], counts[8] = counts[1] - moved, counts[8] + moved
        rates = scaled_rates(pays_of(GAME), BANDS).rates
        per_hand = rates.per_weaker + rates.per_not_stronger
        gained = moved * int(per_hand[8] - per_hand[1])
        parts["solution"][LARGE]["checked"][0] += gained

    folder = written(tmp_path, the_file(GAME.folder / SHIPPED), change)
    assert Results(GAME, cache=folder, shipped=NOWHERE)("outcomes") == Results(GAME, cache=NOWHERE)("outcomes")
    assert len(caplog.messages) == 1


@pytest.mark.rule("D-21")
def test_nothing_is_used_of_a_file_in_which_any_part_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where that part is asked for last: the file is looked at as a whole before it is used."""
    stubbed(monkeypatch)

    def change(parts: dict[str, Any]) -> None:
        for array in ("checked", "always"):
            parts["solution"][LARGE][array][0] += 10**6
            parts["solution"][LARGE][array][14] -= 10**6
        for piece in parts["forfeiting"].values():
            piece["community"] += 1

    folder = written(tmp_path, the_file(GAME.folder / SHIPPED), change)
    results = Results(GAME, cache=folder, shipped=NOWHERE, pick=lambda names: names[:1])
    assert results("solution") == Results(GAME, cache=NOWHERE)("solution")


OTHERS: dict[str, Change] = {
    "fewer matches than none": lambda parts: parts["forfeiting"][SMALL]["matches"].__setitem__(0, -1),
    "more flushes": lambda parts: parts["forfeiting"][SMALL]["fives"].__setitem__(5, 10**9),
    "a better edge without bands": lambda parts: parts["other_bands"].update({"without bands": "1/100"}),
    "a division by nothing": lambda parts: parts["other_bands"].update({"2-8, 9-A": "1/0"}),
    "a short strategy that is too good": lambda parts: parts["short_strategy"].update({SMALL: 10**17}),
}


@pytest.mark.slow
@pytest.mark.rule("D-21")
@pytest.mark.parametrize("attack", OTHERS.values(), ids=OTHERS)
def test_an_altered_count_of_bonuses_bands_or_strategy_is_never_a_figure(
    attack: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubbed(monkeypatch)
    folder = written(tmp_path / "altered", the_file(GAME.folder / SHIPPED), attack)
    altered, shipped = Results(GAME, cache=tmp_path, shipped=folder), Results(GAME, cache=NOWHERE)
    for part in REAL.PARTS:
        assert altered(part) == shipped(part), part


@pytest.mark.rule("D-21")
def test_counts_that_fit_together_and_are_still_wrong_are_found_where_they_are_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hands that are both checked change places in what they win: every sum is as it was."""
    stubbed(monkeypatch)

    def change(parts: dict[str, Any]) -> None:
        for array in ("checked", "always"):
            parts["solution"][LARGE][array][0] += 10**6
            parts["solution"][LARGE][array][14] -= 10**6

    folder = written(tmp_path, the_file(GAME.folder / SHIPPED), change)
    missed = Results(GAME, cache=folder, shipped=NOWHERE, pick=lambda names: names[:1])
    assert missed("solution")[LARGE] and missed.origin(["solution"]) == KEPT
    caught = Results(GAME, cache=folder, shipped=NOWHERE, pick=lambda names: names[-1:])
    assert caught("solution") == Results(GAME, cache=NOWHERE)("solution")
    assert caught.origin(["solution"]) == COUNTED_NOW


@pytest.mark.rule("D-21")
def test_a_certificate_is_not_made_from_an_altered_file_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it once was: one count changed in the cache made the base game cost -15.1 %."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(module, "_KNOWN", {})
    folder = tmp_path / "feltworks" / f"results-{counted_by(REAL)[:16]}"
    folder.mkdir(parents=True)
    written(folder, the_file(GAME.folder / SHIPPED), _add("solution", LARGE, "checked", {100: 10**13}))
    [base] = read("certify", "down-under-holdem", "--wager", "base")
    assert (base["exact"], base["percent"]) == (str(EDGE), float(100 * EDGE))
    build = json.loads(the_file(GAME.folder / SHIPPED).read_text())["build"]
    assert base["origin"] == f"shipped with build {build[:12]}"


# Blackjack, whose figures must follow from each other.


def _moved(amount: Fraction) -> Change:
    """Rounds against a ten that are won and not lost."""

    def change(parts: dict[str, Any]) -> None:
        for end in parts["outcomes"]["T"]:
            if end[0] in ("Win", "Loss"):
                end[2] = str(Fraction(end[2]) + (amount if end[0] == "Win" else -amount))

    return change


def _value(amount: Fraction) -> Change:
    def change(parts: dict[str, Any]) -> None:
        piece = parts["figures"]["T"]
        piece["value"] = str(Fraction(piece["value"]) + amount)

    return change


BETTER = Fraction(1, 1000)
ON_BLACKJACK: dict[str, Change] = {
    "a better value": _value(BETTER),
    "more rounds won": _moved(BETTER),
    "both, so that they agree": _both(_moved(BETTER), _value(2 * BETTER)),
    "more rounds than there are": lambda parts: parts["outcomes"]["A"].append(["Win", "1", "1/100"]),
    "a round less than never": _moved(Fraction(-1)),
    "a better hand": lambda parts: parts["strategy"]["T"]["6T"].update({"hit": "1/2"}),
    "a hand too few": lambda parts: parts["strategy"]["T"].pop("6T"),
    "no square": lambda parts: parts["split_squares"].update({"88 against T": "-1"}),
    "a square too small": lambda parts: parts["split_squares"].update({"AA against 6": "0"}),
    "a chart better than the best": lambda parts: parts["basic"].update({"A": "1"}),
    "more blackjacks than tens": lambda parts: parts["figures"]["T"]["frequencies"].update({"blackjack": "1/2"}),
    "a square larger than all its rounds": lambda parts: parts["split_squares"].update({"88 against T": "10"}),
    "more staked than is wagered": lambda parts: parts["figures"]["T"].update({"average_stake": "1"}),
    "fewer doubles than end as doubles": lambda parts: parts["figures"]["T"]["frequencies"].update({"double": "0"}),
    "fewer splits than end as splits": lambda parts: parts["figures"]["T"]["frequencies"].update({"split": "0"}),
    "no blackjack against a blackjack": lambda parts: parts["figures"]["T"]["frequencies"].update({"both": "0"}),
    "a dealer without blackjacks": lambda parts: parts["figures"]["A"]["frequencies"].update({"dealer blackjack": "0"}),
    "a stake too small": lambda parts: parts["figures"]["T"].update({"average_stake": "0"}),
    "a division by nothing": lambda parts: parts["basic"].update({"A": "1/0"}),
    "no number": lambda parts: parts["memory"].update({"88 against T": "nan"}),
}


@pytest.mark.slow
@pytest.mark.rule("B-01")
@pytest.mark.parametrize("attack", ON_BLACKJACK.values(), ids=ON_BLACKJACK)
def test_an_altered_count_of_blackjack_is_never_a_figure(
    attack: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = stubbed(monkeypatch, BLACKJACK)
    folder = written(tmp_path / "altered", the_file(BLACKJACK.folder / SHIPPED), attack)
    altered = Results(BLACKJACK, cache=tmp_path, shipped=folder)
    assert altered("figures") == Results(BLACKJACK, cache=NOWHERE)("figures")
    assert done == ["figures"] and altered.origin(["figures"]) == COUNTED_NOW


def test_pay_tables_and_readings_that_the_counts_do_not_depend_on_share_the_results() -> None:
    others = [
        GAME.configured(pay={"trips_or_better": "3"}),
        GAME.configured(pay={"jackpot": "3"}),
        GAME.configured(readings={"folded_bonus": "forfeits", "envy_scales": "yes"}),
    ]
    for other in others:
        assert REAL.essential(other).fingerprint == REAL.essential(GAME).fingerprint
        assert other.fingerprint["definition"] != GAME.fingerprint["definition"]
