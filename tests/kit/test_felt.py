"""A felt from the rules: what a table must have room for is seen in rounds, and a layout refines it entry by entry."""

import re
from dataclasses import replace
from typing import Any

import pytest

from feltworks.games import load, names
from feltworks.kit.felt import colour_of, layout_of
from feltworks.kit.felt_seen import seen, won_by
from feltworks.kit.game import Game
from tests.floor.sitting import load_any

TOYS = ("bands", "baccarat", "between", "big-six", "peek", "point", "sides", "stud")
ARRANGED = ("blackjack", "down-under-holdem", "in-between", "yo")


def with_layout(game: Game, **layout: Any) -> Game:
    return replace(game, definition=game.definition.model_copy(update={"layout": layout}))


def cells(game: Game, room: str = "wide") -> dict[str, dict[str, Any]]:
    return {cell["spot"]: cell for cell in layout_of(game)["grid"][room]["cells"] if "spot" in cell}


@pytest.mark.parametrize("name", ARRANGED)
def test_a_layout_that_arranges_its_whole_table_is_drawn_as_it_stands(name: str) -> None:
    assert layout_of(load(name)) == load(name).definition.layout


def test_what_is_said_of_every_place_and_spot_is_all_that_is_drawn_of_them() -> None:
    game = load("one-for-the-money")
    drawn = layout_of(game)
    assert {of: drawn[of] for of in game.definition.layout} == game.definition.layout
    assert drawn.keys() - game.definition.layout.keys() == {"ready"}


def test_places_come_in_the_order_of_the_first_deal_with_the_most_cards_that_lie_there() -> None:
    assert seen(load("ultimate-texas-holdem")).places == {"dealer": 2, "board": 5}
    assert seen(load("casino-war")).places == {"dealer": 2, "burnt": 3}
    assert seen(load("punto-banco")).places == {"player": 3, "banker": 3}
    assert layout_of(load("ultimate-texas-holdem"))["places"] == {
        "dealer": {"row": 1, "cards": 2, "label": "Dealer"},
        "board": {"row": 2, "cards": 5, "label": "Board"},
    }


def test_what_is_placed_lies_before_a_seat_what_is_added_beside_it_and_a_bonus_above() -> None:
    spots = layout_of(load("three-card-poker"))["spots"]
    assert list(spots) == ["ante", "play", "pair_plus"]
    assert spots["ante"]["y"] == spots["play"]["y"] == 0
    assert spots["ante"]["x"] < spots["play"]["x"]
    assert spots["pair_plus"]["y"] < 0
    assert {spot for spot, at in spots.items() if at.get("shape") == "box"} == {"pair_plus"}


@pytest.mark.parametrize("name", [name for name in (*names(), *TOYS) if name not in ARRANGED])
def test_every_spot_and_every_card_of_any_game_has_a_place(name: str) -> None:
    for version in load_any(name).definition.versions:
        game = load_any(name).configured(version=version)
        drawn, spots = layout_of(game), {spot for wager in game.wagers.values() for spot in wager.spots}
        if "grid" in drawn:
            for room in drawn["grid"]:
                assert cells(game, room).keys() == spots
        else:
            assert spots <= drawn["spots"].keys()
        assert not game.decks or drawn.get("places") or drawn.get("cards")
        assert re.fullmatch("#[0-9a-f]{6}", colour_of(game))


@pytest.mark.parametrize("name", ["craps", "roulette", "sic-bo"])
def test_no_two_cells_of_a_grid_cover_each_other(name: str) -> None:
    for version in load(name).definition.versions:
        grid = layout_of(load(name).configured(version=version))["grid"]
        for room in grid.values():
            boxes = [cell for cell in room["cells"] if "w" in cell]
            for i, a in enumerate(boxes):
                assert a["x"] >= 0 and a["x"] + a["w"] <= room["width"] + 1e-3
                assert a["y"] >= 0 and a["y"] + a["h"] <= room["height"] + 1e-3
                for b in boxes[i + 1 :]:
                    wide = min(a["x"] + a["w"], b["x"] + b["w"]) - max(a["x"], b["x"])
                    high = min(a["y"] + a["h"], b["y"] + b["h"]) - max(a["y"], b["y"])
                    assert min(wide, high) < 1e-3, (a, b)


@pytest.mark.rule("RT-03")
def test_a_spot_on_numbers_lies_among_those_at_which_it_wins() -> None:
    game = load("roulette")
    board = cells(game)

    def middle(spot: str) -> tuple[float, float]:
        cell = board[spot]
        return cell["x"] + cell.get("w", 0) / 2, cell["y"] + cell.get("h", 0) / 2

    won = won_by(game, "single-zero")
    assert won["17-20"] == {"17", "20"}
    for spot in ("17-20", "17-18", "17-18-20-21"):
        xs, ys = zip(*map(middle, spot.split("-")), strict=True)
        assert middle(spot) == (sum(xs) / len(xs), sum(ys) / len(ys))
    assert middle("13-14-15") == (board["13"]["x"] + 0.5, 3)
    assert middle("1-2-3-4-5-6") == (board["4"]["x"], 3)
    assert middle("0-1-2-3") == (1, 3)
    assert middle("0-2")[0] == board["2"]["x"]
    assert board["3"]["y"] < board["2"]["y"] < board["1"]["y"]
    assert board["dozen-2"]["x"] == board["13"]["x"]
    assert board["column-1"]["y"] == board["1"]["y"]
    points = [(cell["x"], cell["y"]) for cell in board.values() if cell["kind"] == "between"]
    assert len({*points}) == len(points)


@pytest.mark.rule("RT-03")
def test_two_zeros_have_a_cell_each_and_no_two_spots_lie_on_one_point() -> None:
    board = cells(load("roulette").configured(version="double-zero"))
    assert board["0"]["h"] == board["00"]["h"] == 1.5
    points = [(cell["x"], cell["y"]) for cell in board.values() if cell["kind"] == "between"]
    assert len({*points}) == len(points)


def test_wagers_on_the_same_numbers_lie_above_each_other_and_the_numbers_are_written_over_them() -> None:
    grid = layout_of(load("craps"))["grid"]["wide"]["cells"]
    columns = {cell["heading"]: cell["x"] for cell in grid if "heading" in cell}
    assert list(columns) == ["4", "5", "6", "8", "9", "10"]
    at = cells(load("craps"))
    for number, x in columns.items():
        assert at[f"place_{number}"]["x"] == at[f"come_{number}"]["x"] == x
    assert at["pass"]["y"] > at["place_6"]["y"]
    assert layout_of(load("craps"))["marks"] == ["puck"]


def test_legends_say_what_the_wagers_pay() -> None:
    legends = [legend["text"] for legend in layout_of(load("punto-banco"))["legends"]]
    assert legends == ["Punto Banco", "Player 1 to 1 · Banker 19 to 20 · Tie 8 to 1"]
    legends = [legend["text"] for legend in layout_of(load("three-card-poker"))["legends"]]
    assert legends[1] == "Ante up to 5 to 1 · Pair Plus up to 40 to 1"


def test_a_layout_refines_what_the_rules_show_entry_by_entry() -> None:
    game = with_layout(
        load("three-card-poker"),
        felt="#123456",
        places={"dealer": {"label": "House"}},
        spots={"pair_plus": {"label": "Pairs"}, "play": {"x": 10, "y": 20}},
    )
    drawn, shown = layout_of(game), layout_of(load("three-card-poker"))
    assert drawn["felt"] == colour_of(game) == "#123456"
    assert drawn["places"] == {"dealer": {"row": 1, "cards": 3, "label": "House"}}
    assert drawn["spots"]["pair_plus"] == {**shown["spots"]["pair_plus"], "label": "Pairs"}
    assert drawn["spots"]["play"] == {"x": 10, "y": 20}
    assert drawn["spots"]["ante"] == shown["spots"]["ante"]
    assert drawn["legends"] == shown["legends"]
    labelled = with_layout(load("roulette"), spots={"red": {"label": "Rouge"}})
    assert cells(labelled)["red"]["label"] == "Rouge"


def test_rules_that_fail_show_what_they_did_until_then() -> None:
    whole = load("three-card-poker")

    class Failing(whole.round_class):  # type: ignore[name-defined,misc]
        def seats_act(self) -> Any:
            yield self.game.wagers["not there"]

    game = replace(whole, round_class=Failing, build="failing")
    assert seen(game).places == {"dealer": 2}
    assert layout_of(game)["spots"].keys() == {"ante", "play", "pair_plus"}
