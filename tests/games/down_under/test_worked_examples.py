"""The examples at the top of the counting modules come out as they are printed."""

import doctest
from types import ModuleType

import numpy as np
import pytest

from feltworks.games.down_under_holdem.enumerator import boards, flop_states, packed_words, solution
from feltworks.games.down_under_holdem.enumerator.boards import LAST_EQUAL, RANK_PAIR_COUNT, RANKS, TYPE_NUMBER, Order
from feltworks.games.down_under_holdem.enumerator.sweep import new_board_sweep, set_moves, sweep_board

SEVEN, EIGHT, NINE = 5, 6, 7


@pytest.mark.parametrize("module", [boards, flop_states, packed_words, solution])
def test_a_worked_example_comes_out_as_it_is_printed(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried and not failed


def test_a_board_that_leaves_two_nines_an_eight_and_a_seven_is_swept_as_the_worked_example_says() -> None:
    left = np.zeros(RANKS, np.int64)
    left[[SEVEN, EIGHT, NINE]] = 1, 1, 2
    hands = [TYPE_NUMBER[EIGHT, SEVEN], TYPE_NUMBER[NINE, SEVEN], TYPE_NUMBER[NINE, EIGHT], TYPE_NUMBER[NINE, NINE]]
    order = Order(np.array(hands, np.uint16) | np.uint16(LAST_EQUAL), np.array([0, len(hands)], np.int16))
    board = new_board_sweep(RANK_PAIR_COUNT)
    set_moves(left, np.ones(RANK_PAIR_COUNT, np.int64), board.moves)
    sweep_board(order, board)
    # 87 beats nothing; 97 beats nothing that is left, nor does 98 beat more than the other nine with the seven.
    assert board.weaker[: len(hands)].tolist() == [0, 0, 1, 1]
    assert board.not_stronger[: len(hands)].tolist() == [0, 0, 1, 1]
